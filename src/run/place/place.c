/* run/place/place.c: from return addresses to function, file and line.
 *
 * Workers are forks of this process, so they have the same modules at the same addresses.
 * addr2line looks symbols up, in a process of its own. Only a crash that is reported costs that.
 */
#include "run/place/place.h"

#include <link.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

#include "run/place/addr2line.h"

/* Modules whose frames are never the place of a bug. */
static const char *const FOREIGN_MODULES[] = {
    "libc.so", "libc-2.", "ld-linux", "libpthread", "libwarren", "libasan",     "libubsan",
    "libtsan", "liblsan", "libgcc_s", "libstdc++",  "vdso",      "libclang_rt", "ld-musl",
};

/* The program itself is none of them, whatever it is called. */
static bool foreign_module(const struct dl_phdr_info *info)
{
    const char *path = info->dlpi_name == NULL ? "" : info->dlpi_name;
    const char *name = strrchr(path, '/') == NULL ? path : strrchr(path, '/') + 1;
    if ((uintptr_t)info->dlpi_phdr == getauxval(AT_PHDR))
        return false;
    for (size_t i = 0; i < sizeof FOREIGN_MODULES / sizeof *FOREIGN_MODULES; i++)
        if (strncmp(name, FOREIGN_MODULES[i], strlen(FOREIGN_MODULES[i])) == 0 ||
            strstr(name, "vdso") != NULL)
            return true;
    return false;
}

typedef struct module {
    uintptr_t address; /* in: what is looked for */
    uintptr_t base, start, end;
    char      path[512];
    bool      found, foreign;
} module;

static int look_at_module(struct dl_phdr_info *info, size_t size, void *context)
{
    (void)size;
    module *wanted = context;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        uintptr_t start = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr;
        if (info->dlpi_phdr[i].p_type != PT_LOAD || wanted->address < start ||
            wanted->address - start >= info->dlpi_phdr[i].p_memsz)
            continue;
        wanted->base = info->dlpi_addr;
        wanted->start = start;
        wanted->end = start + info->dlpi_phdr[i].p_memsz;
        wanted->found = true;
        wanted->foreign = foreign_module(info);
        if (info->dlpi_name != NULL && info->dlpi_name[0] != '\0')
            snprintf(wanted->path, sizeof wanted->path, "%s", info->dlpi_name);
        else {
            ssize_t length = readlink("/proc/self/exe", wanted->path, sizeof wanted->path - 1);
            wanted->path[length > 0 ? length : 0] = '\0';
        }
        return 1;
    }
    return 0;
}

/* Functions whose frames are never the place of a bug. */
static const char *const FOREIGN_PREFIXES[] = {
    "wr_",
    "wri_",
    "__asan",
    "__interceptor_",
    "___interceptor_",
    "__sanitizer",
    "__ubsan",
    "__lsan",
    "__tsan",
    "__assert_fail",
    "__pthread_kill",
    "__GI_",
    "__libc",
    "_ZN6__asan",
    "_ZN6__lsan",
    "_ZN7__ubsan",
    "_ZN11__sanitizer",
    "_ZN14__interception",
    "__run_exit_handlers",
    "_sub_D_",
    "_sub_I_",
    "_GLOBAL__sub_",
};
static const char *const FOREIGN_NAMES[] = {
    "abort",  "raise",  "gsignal", "pthread_kill", "exit", "_exit",
    "malloc", "calloc", "realloc", "free",         "main", "_start",
};

/* wr_body_NAME is the property itself, and ours to name. */
static bool foreign_function(const char *name)
{
    if (strncmp(name, "wr_body_", 8) == 0)
        return false;
    for (size_t i = 0; i < sizeof FOREIGN_PREFIXES / sizeof *FOREIGN_PREFIXES; i++)
        if (strncmp(name, FOREIGN_PREFIXES[i], strlen(FOREIGN_PREFIXES[i])) == 0)
            return true;
    for (size_t i = 0; i < sizeof FOREIGN_NAMES / sizeof *FOREIGN_NAMES; i++)
        if (strcmp(name, FOREIGN_NAMES[i]) == 0)
            return true;
    return false;
}

/* ---- What a handler may know ---- */

#define MOST_RANGES 64

/* Code of modules that are not foreign, as it lay when the zygote was made. */
static struct {
    uintptr_t start, end;
} ranges[MOST_RANGES];
static size_t range_count;

static int remember_module(struct dl_phdr_info *info, size_t size, void *context)
{
    (void)size, (void)context;
    bool has_warren = false;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        uintptr_t start = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr;
        uintptr_t ours = (uintptr_t)(void (*)(void))wri_place_prepare;
        has_warren |= info->dlpi_phdr[i].p_type == PT_LOAD && ours >= start &&
                      ours - start < info->dlpi_phdr[i].p_memsz;
    }
    /* Linked statically, Warren's code is the program's: then only the frames tell. */
    if (has_warren || foreign_module(info))
        return 0;
    for (int i = 0; i < info->dlpi_phnum && range_count < MOST_RANGES; i++) {
        if (info->dlpi_phdr[i].p_type != PT_LOAD || !(info->dlpi_phdr[i].p_flags & PF_X))
            continue;
        ranges[range_count].start = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr;
        ranges[range_count].end = ranges[range_count].start + info->dlpi_phdr[i].p_memsz;
        range_count++;
    }
    return 0;
}

void wri_place_prepare(void)
{
    range_count = 0;
    dl_iterate_phdr(remember_module, NULL);
}

bool wri_place_alone(uintptr_t address)
{
    for (size_t i = 0; i < range_count; i++)
        if (address >= ranges[i].start && address < ranges[i].end)
            return true;
    return false;
}

/* ---- Symbols ---- */

/* Takes what is said of one address off `text`, up to the address of the next. NULL: nothing is
 * said. */
static char *next_answer(char **text)
{
    char *answer = *text + strcspn(*text, "\n");
    if (strncmp(*text, "0x", 2) != 0 || *answer == '\0')
        return NULL;
    char *end = strstr(answer, "\n0x");
    *text = end == NULL ? answer + strlen(answer) : end + 1;
    if (end != NULL)
        *end = '\0';
    return answer[1] == '\0' ? NULL : answer + 1;
}

/* Warren's sources lie beside this one, by the path that the compiler was given. One as short as
 * "src/" may be that of others, too. */
static bool is_file_of_warren(const char *file)
{
    static const char HERE[] = __FILE__, END[] = "run/place/place.c";
    char              folder[sizeof HERE];
    if (sizeof HERE < sizeof END + sizeof "src/")
        return false;
    snprintf(folder, sizeof folder, "%.*s", (int)(sizeof HERE - sizeof END), HERE);
    return strstr(file, folder) != NULL;
}

/* "function\nfile:line (discriminator 2)\n", innermost inlined first. Takes the first pair
 * that is not foreign. */
static void read_answer(char *answer, wri_place *place)
{
    for (char *at = answer; *at != '\0';) {
        char *function = at;
        char *second = strchr(function, '\n');
        if (second == NULL)
            break;
        *second++ = '\0';
        char *end = strchr(second, '\n');
        if (end != NULL)
            *end = '\0';
        at = end == NULL ? second + strlen(second) : end + 1;
        char *colon = strrchr(second, ':');
        if (strcmp(function, "??") != 0)
            snprintf(place->function, sizeof place->function, "%.*s",
                     (int)sizeof place->function - 1, function);
        if (colon != NULL && second[0] != '?') {
            *colon = '\0';
            snprintf(place->file, sizeof place->file, "%.*s", (int)sizeof place->file - 1,
                     second);
            place->line = atoi(colon + 1);
        }
        if (!foreign_function(function) && !is_file_of_warren(second))
            break;
    }
}

/* A static library of Warren lies in the program, and may have lines. */
static bool is_foreign(const wri_place *place)
{
    return (place->function[0] != '\0' && foreign_function(place->function)) ||
           is_file_of_warren(place->file);
}

/* Every address that was looked up, and what it is. */
static struct known {
    uint64_t  address;
    bool      foreign;
    wri_place place;
} * known;
static size_t known_count;

void wri_place_forget(void)
{
    free(known);
    known = NULL;
    known_count = 0;
}

static struct known look_up(uint64_t address)
{
    struct known entry = { .address = address, .foreign = true };
    module       where = { .address = (uintptr_t)address - 1 };
    dl_iterate_phdr(look_at_module, &where);
    if (!where.found || where.foreign)
        return entry;
    entry.foreign = false;
    const char *name = strrchr(where.path, '/');
    snprintf(entry.place.module, sizeof entry.place.module, "%.96s+0x%lx",
             name == NULL ? where.path : name + 1, (unsigned long)(where.address - where.base));
    uintptr_t offset = where.address - where.base;
    char     *text = wri_addr2line_ask(where.path, &offset, 1), *rest = text;
    char     *answer = text == NULL ? NULL : next_answer(&rest);
    if (answer != NULL)
        read_answer(answer, &entry.place);
    free(text);
    entry.foreign = is_foreign(&entry.place);
    return entry;
}

static const struct known *find(uint64_t address, struct known *scratch)
{
    for (size_t i = 0; i < known_count; i++)
        if (known[i].address == address)
            return &known[i];
    *scratch = look_up(address);
    struct known *grown = realloc(known, (known_count + 1) * sizeof *known);
    if (grown == NULL)
        return scratch;
    known = grown;
    known[known_count] = *scratch;
    return &known[known_count++];
}

/* Misuse is the fault of the caller. Warren's own frames are easily told in a shared library. In
 * a static one, they have the names or files of Warren, or no line. */
static uint32_t first_of_caller(const wri_verdict *verdict)
{
    struct known scratch;
    module       own = { .address = (uintptr_t)(void (*)(void))wri_place_prepare };
    uint32_t     i = 0;
    dl_iterate_phdr(look_at_module, &own);
    for (; i < verdict->frames && i < WRI_FRAMES && !own.foreign; i++) {
        const struct known *entry = find(verdict->frame[i], &scratch);
        if (!entry->foreign && entry->place.line > 0 && !is_file_of_warren(entry->place.file))
            break;
    }
    return i;
}

void wri_place_find(const wri_verdict *verdict, wri_place *place)
{
    struct known scratch;
    memset(place, 0, sizeof *place);
    uint32_t first = verdict->kind == WRI_MISUSE ? first_of_caller(verdict) : 0;
    for (uint32_t i = first; i < verdict->frames && i < WRI_FRAMES; i++) {
        const struct known *entry = find(verdict->frame[i], &scratch);
        if (entry->foreign)
            continue;
        /* A sanitizer's runtime may be linked in, and its functions be called as libc's are:
         * it has no lines. */
        bool runtime = verdict->kind == WRI_SANITIZER && entry->place.line == 0;
        if (runtime && place->module[0] != '\0')
            continue;
        *place = entry->place;
        if (strncmp(place->function, "wr_body_", 8) == 0)
            memmove(place->function, place->function + 8, strlen(place->function + 8) + 1);
        if (!runtime)
            return;
    }
}

/* ---- Many addresses ---- */

/* The strings of names that were given out, each with the one before it: never freed, there are
 * as many as places have different names. */
typedef struct kept_text {
    struct kept_text *before;
    char              text[];
} kept_text;
static kept_text *kept;

static const char *keep_text(const char *text)
{
    if (text[0] == '\0')
        return "";
    const kept_text *at = kept;
    for (int i = 0; i < 4 && at != NULL; i++, at = at->before) /* neighbours are alike */
        if (strcmp(at->text, text) == 0)
            return at->text;
    size_t     length = strlen(text) + 1;
    kept_text *fresh = malloc(sizeof *fresh + length);
    if (fresh == NULL)
        return "";
    memcpy(fresh->text, text, length);
    fresh->before = kept;
    kept = fresh;
    return fresh->text;
}

/* Names those of one module: `which` are their indices. */
static bool name_module(const char *path, const uintptr_t *offsets, const size_t *which,
                        size_t count, wri_place_name *names)
{
    char *text = wri_addr2line_ask(path, offsets, count), *rest = text, *answer;
    if (text == NULL)
        return false;
    size_t done = 0;
    for (; done < count && (answer = next_answer(&rest)) != NULL; done++) {
        wri_place       place = { .line = 0 };
        wri_place_name *name = &names[which[done]];
        read_answer(answer, &place);
        name->function = keep_text(place.function);
        name->file = keep_text(place.file);
        name->line = place.line;
        name->foreign = is_foreign(&place);
    }
    free(text);
    return done == count;
}

static bool name_once(const uintptr_t *addresses, size_t count, wri_place_name *names)
{
    uintptr_t *offsets = malloc((count + 1) * sizeof *offsets);
    size_t    *which = malloc((count + 1) * sizeof *which);
    bool       good = offsets != NULL && which != NULL;
    for (size_t i = 0; i < count; i++)
        names[i] = (wri_place_name){ .function = NULL };
    for (size_t i = 0; i < count && good; i++) {
        module where = { .address = addresses[i] - 1 };
        if (names[i].function != NULL)
            continue;
        dl_iterate_phdr(look_at_module, &where);
        size_t found = 0;
        for (size_t k = i; k < count; k++) { /* all of the same module, in one go */
            bool here =
                where.found && addresses[k] - 1 >= where.start && addresses[k] - 1 < where.end;
            if (k != i && !here)
                continue;
            names[k] = (wri_place_name){ .function = "", .file = "", .foreign = !here };
            offsets[found] = addresses[k] - 1 - where.base;
            which[found++] = k;
        }
        if (where.found && where.foreign)
            for (size_t k = 0; k < found; k++)
                names[which[k]].foreign = true;
        else if (where.found)
            good = name_module(where.path, offsets, which, found, names);
    }
    free(offsets);
    free(which);
    return good;
}

/* A block may begin with instructions that belong to no line: a counter's. Those whose line is
 * not known are asked for a few bytes on, if that is still the same function. */
static void name_further_on(const uintptr_t *addresses, size_t count, wri_place_name *names)
{
    static const uintptr_t STEPS[] = { 6, 10, 16 };
    for (size_t step = 0; step < sizeof STEPS / sizeof *STEPS; step++) {
        size_t          found = 0;
        size_t         *which = malloc((count + 1) * sizeof *which);
        uintptr_t      *further = malloc((count + 1) * sizeof *further);
        wri_place_name *there = malloc((count + 1) * sizeof *there);
        for (size_t i = 0; i < count && which != NULL && further != NULL; i++)
            if (!names[i].foreign && names[i].function[0] != '\0' && names[i].file[0] != '\0' &&
                names[i].line == 0) {
                which[found] = i;
                further[found++] = addresses[i] + STEPS[step];
            }
        if (found > 0 && there != NULL && name_once(further, found, there))
            for (size_t i = 0; i < found; i++)
                if (strcmp(there[i].function, names[which[i]].function) == 0)
                    names[which[i]].line = there[i].line;
        free(which);
        free(further);
        free(there);
        if (found == 0)
            return;
    }
}

bool wri_place_name_all(const uintptr_t *addresses, size_t count, wri_place_name *names)
{
    if (!name_once(addresses, count, names))
        return false;
    name_further_on(addresses, count, names);
    return true;
}
