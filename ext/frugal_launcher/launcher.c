/*
 * The launcher of `frugal run`, as a program of a few instructions: a shell costs 54 system calls before its first line.
 * It executes `frugal run [--] COMMAND ARGUMENT...` itself, where nothing is wrong and nothing is asked for. It leaves
 * everything else to libexec/frugal-run, with the arguments and the environment as they are: options, other commands,
 * whatever is missing, and each message. docs/adr/0002 has the reasons.
 *
 * It is $ROOT/bin/frugal in a checkout, and $ROOT/lib/frugal/native/ABI/frugal-run. Where it is neither, it is in
 * a folder to which somebody has moved it, and the root is the one that it was compiled for.
 *
 * Cost: readlink, access, and execve for each folder of PATH up to that of the command. Under Linux it has no C
 * library, whose start would be twelve calls.
 */
#include <errno.h>
#include <stddef.h>

#include "place.h" /* COMPILED_ROOT: the folder of bin, lib and libexec; made by compile.rb */
#include "system.h"

enum { LONGEST_PATH = 4096, LONGEST_VALUE = 1 << 16 };

#define AUTORUN "/lib/frugal/autorun.rb"
#define SCRIPT "/libexec/frugal-run"
#define STATUS_NO_SCRIPT 70

typedef struct {
    int argc;
    char **argv;
    char **environment;
    char root[LONGEST_PATH]; /* no slash at its end */
} invocation;

static size_t
length_of(const char *text)
{
    size_t length = 0;

    while (text[length]) length++;
    return length;
}

static int
begins_with(const char *text, const char *start)
{
    while (*start && *text == *start) text++, start++;
    return !*start;
}

static int
same(const char *one, const char *other)
{
    return begins_with(one, other) && length_of(one) == length_of(other);
}

static char *
append(char *end, const char *text)
{
    while (*text) *end++ = *text++;
    *end = '\0';
    return end;
}

/* White space as the shell knows it in the locale C: Ruby splits RUBYOPT there. */
static int
has_white_space(const char *text)
{
    for (; *text; text++)
        if (*text == ' ' || (*text >= '\t' && *text <= '\r')) return 1;
    return 0;
}

/* Returns the place of a variable. Sets `repeated` where there is another one, of which shell and Ruby differ. */
static char **
find_variable(char **environment, const char *name, int *repeated)
{
    char **found = NULL;

    for (; *environment; environment++) {
        if (!begins_with(*environment, name)) continue;
        if (found) *repeated = 1;
        found = environment;
    }
    return found;
}

static int
is_set(char **environment, const char *name)
{
    int repeated = 0;
    char **place = find_variable(environment, name, &repeated);

    return repeated || (place && (*place)[length_of(name)]);
}

/* Removes the last components of a path. */
static int
go_up(char *path, int levels)
{
    char *end = path + length_of(path);

    while (levels && end > path)
        if (*--end == '/') levels--;
    *end = '\0';
    return !levels;
}

static int
ends_with(const char *text, const char *ending)
{
    size_t length = length_of(text), expected = length_of(ending);

    return length >= expected && same(text + length - expected, ending);
}

/* Whether the file `name` is in a folder, which is not changed. */
static int
has_file(const char *folder, const char *name)
{
    char path[2 * LONGEST_PATH];

    append(append(path, folder), name);
    return system_exists(path);
}

/*
 * Finds the root. Returns whether a library was compiled there: libexec/frugal-run calls bin/setup where it was not.
 */
static int
find_root(invocation *run)
{
    char *root = run->root;

    if (system_own_path(root, LONGEST_PATH) && go_up(root, 1)) {
        if (ends_with(root, "/bin")) {
            go_up(root, 1);
            if (has_file(root, "/lib/frugal/native/ready.so")) return 1;
            if (has_file(root, SCRIPT)) return 0;
        }
        else {
            int compiled = has_file(root, "/frugal." LIBRARY_EXTENSION);

            if (go_up(root, 4) && (compiled || has_file(root, SCRIPT))) return compiled;
        }
    }
    append(root, COMPILED_ROOT);
    return 0;
}

/* Whether RUBYOPT already has an option, as the shell looks for it: between spaces. */
static int
has_option(const char *value, const char *option)
{
    size_t length = length_of(option);
    const char *at;

    for (at = value; *at; at++) {
        if (at > value && at[-1] != ' ') continue;
        if (begins_with(at, option) && (!at[length] || at[length] == ' ')) return 1;
    }
    return 0;
}

/* The value of a variable at its place, or an empty one. */
static const char *
value_at(char **place, const char *name)
{
    return place ? *place + length_of(name) : "";
}

/* Writes where the bytecode of programs is kept. Returns whether the environment says it. */
static int
choose_cache(char **environment, char variable[LONGEST_PATH], int *repeated)
{
    const char *cache = value_at(find_variable(environment, "XDG_CACHE_HOME=", repeated), "XDG_CACHE_HOME=");
    const char *home = value_at(find_variable(environment, "HOME=", repeated), "HOME=");
    const char *folder = *cache ? "/frugal/boot" : "/.cache/frugal/boot";

    if (!*cache) cache = home;
    if (*cache != '/' || length_of(cache) + sizeof("FRUGAL_BOOT=/.cache/frugal/boot") > LONGEST_PATH) return 0;
    append(append(append(variable, "FRUGAL_BOOT="), cache), folder);
    return 1;
}

/* Tries a command in each folder of PATH, as execvp(3) does. Returns if none can be executed. */
static void
search(const char *folders, char **command, char **environment)
{
    char path[LONGEST_PATH];
    size_t name = length_of(command[0]);

    for (;;) {
        size_t length = 0;

        while (folders[length] && folders[length] != ':') length++;
        if (length + name + 2 > LONGEST_PATH) return;
        for (size_t i = 0; i < length; i++) path[i] = folders[i];
        path[length] = '\0';
        append(length ? append(path + length, "/") : path, command[0]);
        /* The shell runs a script without an interpreter itself. */
        if (system_execute(path, command, environment) == ENOEXEC) return;
        if (!folders[length]) return;
        folders += length + 1;
    }
}

/* Replaces this process by the command, unless the environment or the command asks for the shell. */
static void
launch(const invocation *run, char **command)
{
    char option[LONGEST_PATH + sizeof("RUBYOPT=-r" AUTORUN)];
    int repeated = 0, count = 0;
    char **rubyopt = find_variable(run->environment, "RUBYOPT=", &repeated);
    char **path = find_variable(run->environment, "PATH=", &repeated);
    char **boot = find_variable(run->environment, "FRUGAL_BOOT=", &repeated);
    const char *value = value_at(rubyopt, "RUBYOPT=");
    char cache[LONGEST_PATH];
    int keeps = !*value_at(boot, "FRUGAL_BOOT=") && choose_cache(run->environment, cache, &repeated);

    if (repeated || !path || length_of(value) > LONGEST_VALUE) return;

    append(append(append(option, "RUBYOPT=-r"), run->root), AUTORUN);
    while (run->environment[count]) count++;

    char *environment[count + 3];
    char joined[sizeof(option) + length_of(value) + 1];

    for (int i = 0; i <= count; i++) environment[i] = run->environment[i];
    if (keeps) environment[boot ? boot - run->environment : count++] = cache;
    environment[count] = environment[count + 1] = NULL;
    if (!has_option(value, option + sizeof("RUBYOPT=") - 1)) {
        char *end = append(joined, option);

        if (*value) append(append(end, " "), value);
        environment[rubyopt ? rubyopt - run->environment : count] = joined;
    }
    for (const char *name = command[0]; *name; name++)
        if (*name == '/') {
            system_execute(command[0], command, environment);
            return;
        }
    search(*path + sizeof("PATH=") - 1, command, environment);
}

/*
 * Executes the shell. In a deleted folder, it prints an error message unless PWD is a name of that folder;
 * libexec/frugal-run sets PWD to what it was.
 */
static void
execute_shell(char **shell, char **environment)
{
    int count = 0, repeated = 0;
    char **pwd = find_variable(environment, "PWD=", &repeated);
    const char *value = value_at(pwd, "PWD=");

    while (environment[count]) count++;

    char *changed[count + 3];
    char before[sizeof("FRUGAL_PWD=") + length_of(value)];

    if (!system_is_nowhere() || repeated || is_set(environment, "FRUGAL_PWD=")) {
        system_execute(shell[0], shell, environment);
        return;
    }
    for (int i = 0; i < count; i++) changed[i] = environment[i];
    append(append(before, "FRUGAL_PWD="), value);
    changed[pwd ? pwd - environment : count++] = "PWD=/proc/self/cwd";
    changed[count] = before;
    changed[count + 1] = NULL;
    system_execute(shell[0], shell, changed);
}

/* Leaves everything to libexec/frugal-run. */
static void
leave_to_shell(invocation *run)
{
    char script[2 * LONGEST_PATH];
    char *shell[run->argc + 2];

    for (int i = 1; i <= run->argc; i++) shell[i + 1] = run->argv[i];
    shell[0] = "/bin/sh";
    shell[1] = script;
    if (!has_file(run->root, SCRIPT)) append(run->root, COMPILED_ROOT);
    append(append(script, run->root), SCRIPT);
    if (system_exists(script)) execute_shell(shell, run->environment);
    system_complain("frugal: the folder of frugal is not where it was when bin/setup compiled this launcher\n");
}

/* Returns the exit status for the case that nothing could be executed. */
static int
run(int argc, char **argv, char **environment)
{
    invocation run = { .argc = argc, .argv = argv, .environment = environment };
    int compiled = find_root(&run);
    int first = argc > 2 && same(argv[2], "--") ? 3 : 2;

    if (compiled && argc > first && same(argv[1], "run") && argv[first][0] && (first == 3 || argv[2][0] != '-') &&
        !is_set(environment, "FRUGAL_ENGINE=") && !is_set(environment, "FRUGAL_PWD=") && !has_white_space(run.root))
        launch(&run, argv + first);
    leave_to_shell(&run);
    return STATUS_NO_SCRIPT;
}

#include "start.h"
