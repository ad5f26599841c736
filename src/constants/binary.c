/* constants/binary.c: files of modules, their headers and sections. */
#include "constants/binary.h"

#include <fcntl.h>
#include <link.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- Files ---- */

static bool map_file(wri_binary *binary, const char *path)
{
    struct stat of;
    int         file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return false;
    bool  fine = fstat(file, &of) == 0 && S_ISREG(of.st_mode) && of.st_size > 0;
    void *bytes =
        fine ? mmap(NULL, (size_t)of.st_size, PROT_READ, MAP_PRIVATE, file, 0) : MAP_FAILED;
    close(file);
    if (bytes == MAP_FAILED)
        return false;
    binary->bytes = bytes;
    binary->size = (size_t)of.st_size;
    return true;
}

static bool lies_inside(const wri_binary *binary, uint64_t from, uint64_t size)
{
    return from <= binary->size && size <= binary->size - from;
}

static bool read_header(wri_binary *binary)
{
    const uint16_t    order = 1;
    const Elf64_Ehdr *header = (const void *)binary->bytes;
    unsigned char     data = *(const unsigned char *)&order == 1 ? ELFDATA2LSB : ELFDATA2MSB;
    if (binary->size < sizeof *header || memcmp(header->e_ident, ELFMAG, SELFMAG) != 0 ||
        header->e_ident[EI_CLASS] != ELFCLASS64 || header->e_ident[EI_DATA] != data ||
        header->e_shentsize != sizeof(Elf64_Shdr) || header->e_shoff % 8 != 0 ||
        !lies_inside(binary, header->e_shoff, (uint64_t)header->e_shnum * sizeof(Elf64_Shdr)))
        return false;
    binary->machine = header->e_machine;
    binary->fixed = header->e_type == ET_EXEC;
    binary->sections = (const void *)(binary->bytes + header->e_shoff);
    binary->count = header->e_shnum;
    if (header->e_shstrndx < binary->count) {
        wri_binary_part names = wri_binary_contents(binary, header->e_shstrndx);
        binary->names = (const char *)names.bytes;
        binary->names_size = names.size;
    }
    return true;
}

bool wri_binary_open(wri_binary *binary, const char *path)
{
    *binary = (wri_binary){ 0 };
    if (!map_file(binary, path))
        return false;
    if (read_header(binary))
        return true;
    wri_binary_close(binary);
    return false;
}

void wri_binary_close(wri_binary *binary)
{
    if (binary->bytes != NULL)
        munmap((void *)binary->bytes, binary->size);
    *binary = (wri_binary){ 0 };
}

/* ---- Sections ---- */

const char *wri_binary_name(const wri_binary *binary, size_t section)
{
    size_t at = binary->sections[section].sh_name;
    bool   fine =
        at < binary->names_size && memchr(binary->names + at, 0, binary->names_size - at) != NULL;
    return fine ? binary->names + at : "";
}

wri_binary_part wri_binary_contents(const wri_binary *binary, size_t section)
{
    const Elf64_Shdr *of = &binary->sections[section];
    if (of->sh_type == SHT_NOBITS || !lies_inside(binary, of->sh_offset, of->sh_size))
        return (wri_binary_part){ of->sh_addr, binary->bytes, 0 };
    return (wri_binary_part){ of->sh_addr, binary->bytes + of->sh_offset, of->sh_size };
}

size_t wri_binary_find(const wri_binary *binary, uint32_t type)
{
    size_t at = 0;
    while (at < binary->count && binary->sections[at].sh_type != type)
        at++;
    return at;
}

/* ---- The modules of this process ---- */

typedef struct visit {
    void (*take)(void *context, const char *path);
    void *context;
} visit;

static bool is_own(const char *path)
{
    static const char *const FOLDERS[] = { "/lib/", "/lib64/", "/lib32/", "/usr/lib/",
                                           "/usr/lib64/" };
    static const char *const NAMES[] = { "libwarren", "libasan",     "libubsan", "libtsan",
                                         "liblsan",   "libclang_rt", "libc.so",  "ld-" };
    const char              *name = strrchr(path, '/') == NULL ? path : strrchr(path, '/') + 1;
    for (size_t i = 0; i < sizeof FOLDERS / sizeof *FOLDERS; i++)
        if (strncmp(path, FOLDERS[i], strlen(FOLDERS[i])) == 0)
            return false;
    for (size_t i = 0; i < sizeof NAMES / sizeof *NAMES; i++)
        if (strncmp(name, NAMES[i], strlen(NAMES[i])) == 0)
            return false;
    return path[0] == '/' && strstr(name, "vdso") == NULL;
}

static int visit_module(struct dl_phdr_info *info, size_t size, void *context)
{
    const visit *self = context;
    (void)size;
    if ((uintptr_t)info->dlpi_phdr != getauxval(AT_PHDR) && info->dlpi_name != NULL &&
        is_own(info->dlpi_name))
        self->take(self->context, info->dlpi_name);
    return 0;
}

void wri_binary_each_own(void (*take)(void *context, const char *path), void *context)
{
    visit self = { take, context };
    take(context, "/proc/self/exe");
    dl_iterate_phdr(visit_module, &self);
}
