/* tree_files.c: a file system in memory. A file lives as long as it has a name or is open. */
#include <string.h>

#include <warren.h>

#include "faults.h"

/* ---- The library ---- */

#define NODES 10
#define FILES 64
#define DIR_MOST 4
#define DATA_MOST 24
#define NAME_MOST 8
#define PATH_MOST 24

typedef enum { OK, NO_ENTRY, EXISTS, NOT_DIR, IS_DIR, NOT_EMPTY, FULL, INVALID } fs_error;
typedef enum { MODE_READ, MODE_CREATE, MODE_TRUNCATE, MODE_APPEND } fs_mode;

typedef struct entry {
    char         name[NAME_MOST];
    struct node *node;
} entry;

typedef struct node {
    bool   used, is_dir;
    int    links, opens;
    size_t size;
    char   data[DATA_MOST];
    entry  entries[DIR_MOST];
    int    count;
} node;

typedef struct file {
    node  *node;
    bool   append;
    size_t at, end;
} file;

typedef struct fs {
    node  nodes[NODES]; /* the first is the root */
    int   nodes_used;
    file  files[FILES];
    char  cached_path[PATH_MOST]; /* the last path that was found */
    node *cached_node;
} fs;

typedef struct place {
    node *dir;
    char  name[NAME_MOST];
    node *node; /* NULL: there is none */
} place;

static node *node_new(fs *f, bool is_dir)
{
    for (int i = 0; i < NODES; i++)
        if (!f->nodes[i].used) {
            memset(&f->nodes[i], 0, sizeof f->nodes[i]);
            f->nodes[i].used = true;
            f->nodes[i].is_dir = is_dir;
            f->nodes_used++;
            return &f->nodes[i];
        }
    return NULL;
}

static void node_check(fs *f, node *n)
{
    if (n->links > 0 || n->opens > 0)
        return;
    n->used = false;
    f->nodes_used--;
}

static void fs_init(fs *f)
{
    memset(f, 0, sizeof *f);
    node_new(f, true)->links = 1;
}

static entry *find(node *dir, const char *name)
{
    for (int i = 0; i < dir->count; i++)
        if (strcmp(dir->entries[i].name, name) == 0)
            return &dir->entries[i];
    return NULL;
}

static void add(node *dir, const char *name, node *n)
{
    entry *e = &dir->entries[dir->count++];
    strcpy(e->name, name);
    e->node = n;
    n->links++;
}

static void drop(node *dir, const char *name)
{
    entry *e = find(dir, name);
    e->node->links--;
    *e = dir->entries[--dir->count];
}

static fs_error resolve(fs *f, const char *path, place *to)
{
    node *at = &f->nodes[0];
    for (;;) {
        size_t length = strcspn(++path, "/");
        entry *e;
        memcpy(to->name, path, length);
        to->name[length] = '\0';
        e = find(at, to->name);
        path += length;
        if (*path == '\0') {
            to->dir = at;
            to->node = e == NULL ? NULL : e->node;
            return OK;
        }
        if (e == NULL)
            return NO_ENTRY;
        if (!e->node->is_dir)
            return NOT_DIR;
        at = e->node;
    }
}

/* The node of a path, from the cache if it can be. */
static fs_error look_up(fs *f, const char *path, node **to)
{
    place    p;
    fs_error error;
    if (f->cached_node != NULL && strcmp(f->cached_path, path) == 0) {
        *to = f->cached_node;
        return OK;
    }
    error = resolve(f, path, &p);
    if (error != OK || p.node == NULL)
        return error != OK ? error : NO_ENTRY;
    strcpy(f->cached_path, path);
    f->cached_node = p.node;
    *to = p.node;
    return OK;
}

static fs_error fs_mkdir(fs *f, const char *path)
{
    place    p;
    fs_error error = resolve(f, path, &p);
    node    *n;
    if (error != OK || p.node != NULL)
        return error != OK ? error : EXISTS;
    if (p.dir->count == DIR_MOST || (n = node_new(f, true)) == NULL)
        return FULL;
    add(p.dir, p.name, n);
    return OK;
}

/* NULL: see *error. */
static file *fs_open(fs *f, const char *path, fs_mode mode, fs_error *error)
{
    place p;
    file *opened = f->files;
    *error = resolve(f, path, &p);
    if (*error != OK)
        return NULL;
    if (p.node == NULL) {
        if (mode == MODE_READ || mode == MODE_TRUNCATE)
            *error = NO_ENTRY;
        else if (p.dir->count == DIR_MOST || (p.node = node_new(f, false)) == NULL)
            *error = FULL;
        if (*error != OK)
            return NULL;
        add(p.dir, p.name, p.node);
    } else if (p.node->is_dir) {
        *error = IS_DIR;
        return NULL;
    }
    if (mode == MODE_TRUNCATE) {
        if (!FAULT(7))
            memset(p.node->data, 0, DATA_MOST);
        p.node->size = 0;
    }
    while (opened->node != NULL)
        opened++;
    opened->node = p.node;
    opened->append = mode == MODE_APPEND;
    opened->at = 0;
    opened->end = p.node->size;
    p.node->opens++;
    if (FAULT(8)) /* as three bits of a word would */
        p.node->opens &= 7;
    return opened;
}

static void fs_close(fs *f, file *opened)
{
    node *n = opened->node;
    opened->node = NULL;
    n->opens--;
    node_check(f, n);
}

static size_t fs_write(file *opened, const char *data)
{
    node  *n = opened->node;
    size_t count = strlen(data);
    if (opened->append)
        opened->at = FAULT(5) ? opened->end : n->size;
    if (!FAULT(6) && opened->at > DATA_MOST)
        return 0;
    if (count > DATA_MOST - opened->at)
        count = DATA_MOST - opened->at;
    memcpy(n->data + opened->at, data, count);
    opened->at += count;
    opened->end = opened->at;
    if (count > 0 && n->size < opened->at)
        n->size = opened->at;
    return count;
}

static size_t fs_read(file *opened, char *to, size_t count)
{
    const node *n = opened->node;
    size_t      rest = n->size > opened->at ? n->size - opened->at : 0;
    count = count < rest ? count : rest;
    memcpy(to, n->data + opened->at, count);
    opened->at += count;
    return count;
}

static void fs_seek(file *opened, size_t at)
{
    opened->at = at;
}

/* The bytes of a file or the entries of a folder. */
static fs_error fs_size(fs *f, const char *path, size_t *size)
{
    node    *n;
    fs_error error = look_up(f, path, &n);
    if (error == OK)
        *size = n->is_dir ? (size_t)n->count : n->size;
    return error;
}

static fs_error fs_link(fs *f, const char *old, const char *new)
{
    place    p;
    node    *n;
    fs_error error = look_up(f, old, &n);
    if (error != OK || n->is_dir)
        return error != OK ? error : IS_DIR;
    error = resolve(f, new, &p);
    if (error != OK || p.node != NULL)
        return error != OK ? error : EXISTS;
    if (p.dir->count == DIR_MOST)
        return FULL;
    add(p.dir, p.name, n);
    return OK;
}

static fs_error fs_remove(fs *f, const char *path, bool is_dir)
{
    place    p;
    fs_error error = resolve(f, path, &p);
    if (error != OK || p.node == NULL)
        return error != OK ? error : NO_ENTRY;
    if (p.node->is_dir != is_dir)
        return is_dir ? NOT_DIR : IS_DIR;
    if (p.node->count > 0)
        return NOT_EMPTY;
    f->cached_node = NULL;
    drop(p.dir, p.name);
    if (FAULT(1) && p.node->links == 0)
        p.node->opens = 0;
    node_check(f, p.node);
    return OK;
}

static bool is_inside(node *dir, const node *other)
{
    if (dir == other)
        return true;
    for (int i = 0; i < dir->count; i++)
        if (dir->entries[i].node->is_dir && is_inside(dir->entries[i].node, other))
            return true;
    return false;
}

static fs_error fs_rename(fs *f, const char *old, const char *new)
{
    place    from, to;
    fs_error error = resolve(f, old, &from);
    if (error != OK || from.node == NULL)
        return error != OK ? error : NO_ENTRY;
    error = resolve(f, new, &to);
    if (error != OK)
        return error;
    if (FAULT(3) ? strcmp(old, new) == 0 : from.node == to.node)
        return OK;
    if (from.node->is_dir && is_inside(from.node, to.dir))
        return INVALID;
    if (to.node != NULL) {
        if (from.node->is_dir != to.node->is_dir)
            return from.node->is_dir ? NOT_DIR : IS_DIR;
        if (to.node->count > 0)
            return NOT_EMPTY;
    } else if (to.dir->count == DIR_MOST && to.dir != from.dir) {
        return FULL;
    }
    if (!FAULT(4) || strcmp(f->cached_path, old) == 0 || strcmp(f->cached_path, new) == 0)
        f->cached_node = NULL;
    if (to.node != NULL) {
        if (FAULT(2) && to.node->opens > 0)
            to.node->links++;
        drop(to.dir, to.name);
        node_check(f, to.node);
    }
    from.node->links++;
    drop(from.dir, from.name);
    add(to.dir, to.name, from.node);
    from.node->links--;
    return OK;
}

/* ---- The model: objects, and names of objects in folders ---- */

#define OBJECTS 80
#define NAMES 48

typedef struct object {
    bool   is_dir;
    int    names, opens;
    size_t size;
    char   data[DATA_MOST];
} object;

typedef struct model {
    fs     fs;
    object objects[OBJECTS]; /* the first is the root */
    struct {
        bool used;
        int  dir, object;
        char name;
    } names[NAMES];
    struct {
        int    object;
        size_t at;
        bool   append;
    } files[64];
} model;

static const char *const PATHS[] = { "/a",   "/b",   "/c",   "/d",    "/e",
                                     "/a/x", "/a/y", "/b/x", "/a/x/z" };

static void start(wr_case *t, void *state)
{
    model *m = state;
    (void)t;
    m->objects[0].is_dir = true;
    m->objects[0].names = 1;
    fs_init(&m->fs);
}

static int living(const model *m)
{
    int count = 0;
    for (int i = 0; i < OBJECTS; i++)
        count += m->objects[i].names > 0 || m->objects[i].opens > 0;
    return count;
}

static int entries(const model *m, int dir)
{
    int count = 0;
    for (int i = 0; i < NAMES; i++)
        count += m->names[i].used && m->names[i].dir == dir;
    return count;
}

/* The place of a name in `names`, or -1. */
static int name_of(const model *m, int dir, char name)
{
    for (int i = 0; i < NAMES; i++)
        if (m->names[i].used && m->names[i].dir == dir && m->names[i].name == name)
            return i;
    return -1;
}

/* Names are of one letter: of "/a/x", the folder is that of "/a". */
static fs_error model_find(const model *m, const char *path, int *dir, int *name)
{
    *dir = 0;
    for (;;) {
        *name = name_of(m, *dir, path[1]);
        if (path[2] == '\0')
            return OK;
        if (*name < 0)
            return NO_ENTRY;
        *dir = m->names[*name].object;
        if (!m->objects[*dir].is_dir)
            return NOT_DIR;
        path += 2;
    }
}

static void model_add(model *m, int dir, char name, int number)
{
    int i = 0;
    while (m->names[i].used)
        i++;
    m->names[i].used = true;
    m->names[i].dir = dir;
    m->names[i].name = name;
    m->names[i].object = number;
    m->objects[number].names++;
}

static void model_drop(model *m, int name)
{
    m->objects[m->names[name].object].names--;
    m->names[name].used = false;
}

/* -1: full. */
static int model_new(model *m, int dir, char name, bool is_dir)
{
    int i = 0;
    if (entries(m, dir) == DIR_MOST || living(m) == NODES)
        return -1;
    while (m->objects[i].names > 0 || m->objects[i].opens > 0)
        i++;
    memset(&m->objects[i], 0, sizeof m->objects[i]);
    m->objects[i].is_dir = is_dir;
    model_add(m, dir, name, i);
    return i;
}

static char last_of(const char *path)
{
    return path[strlen(path) - 1];
}

/* ---- The commands ---- */

static const char *const DATA[] = { "", "a", "bc", "hello" };
static const char *const MODES[] = { "MODE_READ", "MODE_CREATE", "MODE_TRUNCATE", "MODE_APPEND" };

static void show_path(wr_out *out, int64_t value)
{
    wr_put(out, "\"%s\"", PATHS[value]);
}
static void show_data(wr_out *out, int64_t value)
{
    wr_put(out, "\"%s\"", DATA[value]);
}
static void show_mode(wr_out *out, int64_t value)
{
    wr_put(out, "%s", MODES[value]);
}
static int64_t draw_offset(wr_case *t)
{
    return wr_int(t, NULL, 0, DATA_MOST + 2);
}
static int64_t draw_count(wr_case *t)
{
    return wr_int(t, NULL, 0, 8);
}

static const wr_kind FILE_KIND = { "file", .handle = true, .type = "file *" };
static const wr_kind PATH = { "path", .values = sizeof PATHS / sizeof *PATHS, .show = show_path };
static const wr_kind TEXT = { "data", .values = sizeof DATA / sizeof *DATA, .show = show_data };
static const wr_kind MODE = { "mode", .values = 4, .show = show_mode };
static const wr_kind OFFSET = { "offset", .draw = draw_offset };
static const wr_kind COUNT = { "count", .draw = draw_count };

static void do_mkdir(wr_case *t, wr_call *call)
{
    model      *m = wr_model(call);
    const char *path = PATHS[wr_value(call, 0)];
    int         dir, name;
    fs_error    expected = model_find(m, path, &dir, &name);
    if (expected == OK && name >= 0)
        expected = EXISTS;
    else if (expected == OK && model_new(m, dir, last_of(path), true) < 0)
        expected = FULL;
    wr_assert_eq(t, fs_mkdir(&m->fs, path), expected);
}

static void do_open(wr_case *t, wr_call *call)
{
    model      *m = wr_model(call);
    const char *path = PATHS[wr_value(call, 0)];
    fs_mode     mode = (fs_mode)wr_value(call, 1);
    int         dir, name, number = -1;
    fs_error    error, expected = model_find(m, path, &dir, &name);
    if (expected == OK && name >= 0) {
        number = m->names[name].object;
        if (m->objects[number].is_dir)
            expected = IS_DIR;
    } else if (expected == OK && (mode == MODE_READ || mode == MODE_TRUNCATE)) {
        expected = NO_ENTRY;
    } else if (expected == OK && (number = model_new(m, dir, last_of(path), false)) < 0) {
        expected = FULL;
    }
    file *opened = fs_open(&m->fs, path, mode, &error);
    wr_assert_eq(t, error, expected);
    if (opened != NULL) {
        unsigned f = wr_give(call, opened);
        if (mode == MODE_TRUNCATE) {
            memset(m->objects[number].data, 0, DATA_MOST);
            m->objects[number].size = 0;
        }
        m->objects[number].opens++;
        m->files[f].object = number;
        m->files[f].at = 0;
        m->files[f].append = mode == MODE_APPEND;
    }
}

static void do_close(wr_case *t, wr_call *call)
{
    model *m = wr_model(call);
    (void)t;
    fs_close(&m->fs, wr_handle(call, 0));
    m->objects[m->files[wr_number(call, 0)].object].opens--;
}

static void do_write(wr_case *t, wr_call *call)
{
    model      *m = wr_model(call);
    unsigned    f = wr_number(call, 0);
    object     *o = &m->objects[m->files[f].object];
    const char *data = DATA[wr_value(call, 1)];
    size_t      count = 0;
    if (m->files[f].append)
        m->files[f].at = o->size;
    while (data[count] != '\0' && m->files[f].at < DATA_MOST) {
        o->data[m->files[f].at++] = data[count++];
        if (o->size < m->files[f].at)
            o->size = m->files[f].at;
    }
    wr_assert_eq(t, fs_write(wr_handle(call, 0), data), count);
}

static void do_read(wr_case *t, wr_call *call)
{
    model        *m = wr_model(call);
    unsigned      f = wr_number(call, 0);
    const object *o = &m->objects[m->files[f].object];
    size_t        count = 0, wanted = (size_t)wr_value(call, 1);
    char          expected[DATA_MOST], data[DATA_MOST];
    while (count < wanted && m->files[f].at < o->size)
        expected[count++] = o->data[m->files[f].at++];
    wr_assert_eq(t, fs_read(wr_handle(call, 0), data, wanted), count);
    wr_assert_mem_eq(t, data, expected, count);
}

static void do_seek(wr_case *t, wr_call *call)
{
    model *m = wr_model(call);
    (void)t;
    fs_seek(wr_handle(call, 0), (size_t)wr_value(call, 1));
    m->files[wr_number(call, 0)].at = (size_t)wr_value(call, 1);
}

static void do_size(wr_case *t, wr_call *call)
{
    model      *m = wr_model(call);
    const char *path = PATHS[wr_value(call, 0)];
    int         dir, name;
    size_t      size = 0;
    fs_error    expected = model_find(m, path, &dir, &name);
    if (expected == OK && name < 0)
        expected = NO_ENTRY;
    wr_assert_eq(t, fs_size(&m->fs, path, &size), expected);
    if (expected == OK) {
        int number = m->names[name].object;
        wr_assert_eq(t, size,
                     m->objects[number].is_dir ? (size_t)entries(m, number)
                                               : m->objects[number].size);
    }
}

static void do_link(wr_case *t, wr_call *call)
{
    model      *m = wr_model(call);
    const char *old = PATHS[wr_value(call, 0)], *new = PATHS[wr_value(call, 1)];
    int         dir, name, to_dir, to_name;
    fs_error    expected = model_find(m, old, &dir, &name);
    if (expected == OK && name < 0)
        expected = NO_ENTRY;
    else if (expected == OK && m->objects[m->names[name].object].is_dir)
        expected = IS_DIR;
    if (expected == OK) {
        expected = model_find(m, new, &to_dir, &to_name);
        if (expected == OK && to_name >= 0)
            expected = EXISTS;
        else if (expected == OK && entries(m, to_dir) == DIR_MOST)
            expected = FULL;
        else if (expected == OK)
            model_add(m, to_dir, last_of(new), m->names[name].object);
    }
    wr_assert_eq(t, fs_link(&m->fs, old, new), expected);
}

static void remove_by(wr_case *t, wr_call *call, bool is_dir)
{
    model      *m = wr_model(call);
    const char *path = PATHS[wr_value(call, 0)];
    int         dir, name;
    fs_error    expected = model_find(m, path, &dir, &name);
    if (expected == OK && name < 0)
        expected = NO_ENTRY;
    else if (expected == OK && m->objects[m->names[name].object].is_dir != is_dir)
        expected = is_dir ? NOT_DIR : IS_DIR;
    else if (expected == OK && is_dir && entries(m, m->names[name].object) > 0)
        expected = NOT_EMPTY;
    else if (expected == OK)
        model_drop(m, name);
    wr_assert_eq(t, fs_remove(&m->fs, path, is_dir), expected);
}

static void do_unlink(wr_case *t, wr_call *call)
{
    remove_by(t, call, false);
}

static void do_rmdir(wr_case *t, wr_call *call)
{
    remove_by(t, call, true);
}

static bool model_inside(const model *m, int dir, int other)
{
    while (other != dir && other != 0)
        for (int i = 0; i < NAMES; i++)
            if (m->names[i].used && m->names[i].object == other) {
                other = m->names[i].dir;
                break;
            }
    return other == dir;
}

static fs_error model_rename(model *m, const char *old, const char *new)
{
    int      dir, name, to_dir, to_name;
    fs_error error = model_find(m, old, &dir, &name);
    if (error != OK || name < 0)
        return error != OK ? error : NO_ENTRY;
    error = model_find(m, new, &to_dir, &to_name);
    if (error != OK)
        return error;
    int number = m->names[name].object;
    if (to_name >= 0 && m->names[to_name].object == number)
        return OK;
    if (m->objects[number].is_dir && model_inside(m, number, to_dir))
        return INVALID;
    if (to_name >= 0) {
        int gone = m->names[to_name].object;
        if (m->objects[gone].is_dir != m->objects[number].is_dir)
            return m->objects[gone].is_dir ? IS_DIR : NOT_DIR;
        if (m->objects[gone].is_dir && entries(m, gone) > 0)
            return NOT_EMPTY;
        model_drop(m, to_name);
    } else if (entries(m, to_dir) == DIR_MOST && to_dir != dir) {
        return FULL;
    }
    m->names[name].dir = to_dir;
    m->names[name].name = last_of(new);
    return OK;
}

static void do_rename(wr_case *t, wr_call *call)
{
    model      *m = wr_model(call);
    const char *old = PATHS[wr_value(call, 0)], *new = PATHS[wr_value(call, 1)];
    fs_error    expected = model_rename(m, old, new);
    wr_assert_eq(t, fs_rename(&m->fs, old, new), expected);
}

static void no_node_is_lost(wr_case *t, void *state)
{
    const model *m = state;
    wr_assert_eq(t, m->fs.nodes_used, living(m));
}

static const wr_command COMMANDS[] = {
    { "fs_mkdir", do_mkdir, .takes = { &PATH } },
    { "fs_open", do_open, .takes = { &PATH, &MODE }, .gives = &FILE_KIND, .weight = 4 },
    { "fs_close", do_close, .takes = { &FILE_KIND }, .consumes = 1u << 0 },
    { "fs_write", do_write, .takes = { &FILE_KIND, &TEXT }, .weight = 2 },
    { "fs_read", do_read, .takes = { &FILE_KIND, &COUNT }, .weight = 2 },
    { "fs_seek", do_seek, .takes = { &FILE_KIND, &OFFSET } },
    { "fs_size", do_size, .takes = { &PATH }, .weight = 2 },
    { "fs_link", do_link, .takes = { &PATH, &PATH } },
    { "fs_unlink", do_unlink, .takes = { &PATH } },
    { "fs_rmdir", do_rmdir, .takes = { &PATH } },
    { "fs_rename", do_rename, .takes = { &PATH, &PATH }, .weight = 2 },
    { 0 },
};

WR_MACHINE(files_are_where_they_were_put, .commands = COMMANDS, .model_size = sizeof(model),
           .start = start, .invariant = no_node_is_lost);
