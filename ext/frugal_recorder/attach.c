/*
 * Makes the libraries of a running process call the recorder: replaces the addresses of libc's functions in their
 * global offset tables by the addresses of our functions. Needed if the recorder was not preloaded.
 */
#define _GNU_SOURCE
#include "attach.h"
#include <dlfcn.h>
#include <elf.h>
#include <link.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

struct object {
    ElfW(Addr) base;
    const ElfW(Sym) * symbols;
    const char *strings;
    const ElfW(Rela) * relocations[2]; /* for functions, and all others */
    size_t sizes[2];
};

static void *self;

/* Returns an address of the dynamic section, which some systems store relative to the base. */
static const void *
address(ElfW(Addr) base, ElfW(Addr) value)
{
    return (const void *)(value < base ? base + value : value);
}

static void
read_dynamic(struct object *object, const ElfW(Dyn) * dynamic)
{
    for (; dynamic->d_tag != DT_NULL; dynamic++) {
        ElfW(Addr) value = dynamic->d_un.d_ptr;
        switch (dynamic->d_tag) {
        case DT_SYMTAB: object->symbols = address(object->base, value); break;
        case DT_STRTAB: object->strings = address(object->base, value); break;
        case DT_JMPREL: object->relocations[0] = address(object->base, value); break;
        case DT_PLTRELSZ: object->sizes[0] = dynamic->d_un.d_val; break;
        case DT_RELA: object->relocations[1] = address(object->base, value); break;
        case DT_RELASZ: object->sizes[1] = dynamic->d_un.d_val; break;
        }
    }
}

/* The loader may have made the page read-only after relocation. */
static void
write_slot(void **slot, void *function)
{
    uintptr_t page = (uintptr_t)slot & ~((uintptr_t)sysconf(_SC_PAGESIZE) - 1);

    if (*slot == function) return;
    if (mprotect((void *)page, (size_t)sysconf(_SC_PAGESIZE), PROT_READ | PROT_WRITE) == 0) *slot = function;
}

/* Only functions of libc are replaced: a library may have a function of its own with such a name. A slot that was not
 * used yet contains an address in its own library, of the code that looks the name up. */
static bool
is_libcs(const struct object *object, const char *name, const void *function)
{
    void *next = dlsym(RTLD_NEXT, name);
    Dl_info info;

    if (function == next) return true;
    return next == dlsym(RTLD_DEFAULT, name) && dladdr(function, &info) && (ElfW(Addr))info.dli_fbase == object->base;
}

static void
redirect(const struct object *object, const ElfW(Rela) * relocation)
{
    const char *name = object->strings + object->symbols[ELF64_R_SYM(relocation->r_info)].st_name;
    void **slot = (void **)(object->base + relocation->r_offset);

    switch (ELF64_R_TYPE(relocation->r_info)) {
#if defined(__x86_64__)
    case R_X86_64_JUMP_SLOT:
    case R_X86_64_GLOB_DAT: break;
#elif defined(__aarch64__)
    case R_AARCH64_JUMP_SLOT:
    case R_AARCH64_GLOB_DAT: break;
#endif
    default: return;
    }
    if (!*name || strncmp(name, "rb_", 3) == 0 || strncmp(name, "ruby_", 5) == 0) return;
    void *ours = dlsym(self, name);
    Dl_info of_ours, of_us;
    if (!ours || !dladdr(ours, &of_ours) || !dladdr((void *)frugal_attach, &of_us)) return;
    if (of_ours.dli_fbase != of_us.dli_fbase) return;
    if (is_libcs(object, name, *slot)) write_slot(slot, ours);
}

static int
visit(struct dl_phdr_info *info, size_t size, void *unused)
{
    struct object object = { .base = info->dlpi_addr };
    const char *name = info->dlpi_name;

    if (strstr(name, "/libc.so") || strstr(name, "/ld-") || strstr(name, "/recorder.so") || strstr(name, "linux-vdso"))
        return 0;
    for (int i = 0; i < info->dlpi_phnum; i++)
        if (info->dlpi_phdr[i].p_type == PT_DYNAMIC)
            read_dynamic(&object, (const void *)(info->dlpi_addr + info->dlpi_phdr[i].p_vaddr));
    if (!object.symbols || !object.strings) return 0;
    for (int kind = 0; kind < 2; kind++)
        for (size_t i = 0; i < object.sizes[kind] / sizeof(ElfW(Rela)); i++)
            redirect(&object, &object.relocations[kind][i]);
    return 0;
}

/* May be called again, for libraries that were loaded meanwhile. */
void
frugal_attach(void)
{
    Dl_info info;

    if (!self && dladdr((void *)frugal_attach, &info)) self = dlopen(info.dli_fname, RTLD_NOW | RTLD_NOLOAD);
    if (self) dl_iterate_phdr(visit, NULL);
}
