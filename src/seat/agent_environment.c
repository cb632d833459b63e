#ifndef _GNU_SOURCE
#    define _GNU_SOURCE /* environ */
#endif
#include "seat/agent_environment.h"

#include "base/mem.h"
#include "cell/cell.h"
#include "cell/cell_start.h"

#include <stdlib.h>
#include <unistd.h>

#define NAME_MAX_BYTES 128
#define LEFT_OUT_MAX   400 /* bytes of names in a hint */
#define NOT_RUNNABLE   126 /* exit statuses of a shell: the program can not be run, */
#define NOT_FOUND      127 /* or is not there */

static const char unbuffered[] = "PYTHONUNBUFFERED=1";

static const char *const always[] = {"PATH", "HOME", "LANG", "TZ",
#if CELL_SANITIZED
                                     /* A build for a sanitizer is told there what is known. */
                                     "ASAN_OPTIONS", "LSAN_OPTIONS", "TSAN_OPTIONS",
                                     "UBSAN_OPTIONS",
#endif
                                     NULL};

static bool is_in(const char *const *names, Str name)
{
    for (; *names; names++)
        if (str_eq(str_of(*names), name))
            return true;
    return false;
}

/* Whether one of the names in `list`, blanks between, is `name`. */
static bool is_listed(const char *list, Str name)
{
    Str rest = str_of(list);

    while (rest.len)
        if (str_eq(str_cut(&rest, ' '), name))
            return true;
    return false;
}

static bool is_given(const char *env, Str name)
{
    return is_in(always, name) || is_listed(env, STR("*")) || is_listed(env, name);
}

static Str name_of(const char *variable)
{
    Str rest = str_of(variable);

    return str_cut(&rest, '=');
}

const char **agent_environment_of(const char *env, const char *const *from)
{
    size_t count = 0, used = 0;
    bool has_unbuffered = false;

    while (from[count])
        count++;
    const char **list = mem_new((count + 2) * sizeof(*list));
    if (!list)
        return NULL;
    for (size_t i = 0; i < count; i++) {
        if (!is_given(env, name_of(from[i])))
            continue;
        list[used++] = from[i];
        has_unbuffered |= str_eq(name_of(from[i]), name_of(unbuffered));
    }
    if (!has_unbuffered)
        list[used] = unbuffered;
    return list;
}

/* What libc declares without const. */
static const char *const *own_environment(void)
{
    union {
        char **theirs;
        const char *const *ours;
    } both = {.theirs = environ};

    return both.ours;
}

const char **agent_environment_own(const char *env)
{
    return agent_environment_of(env, own_environment());
}

/* ---- a strict cell's ---- */

static const char *const strict[] = {"PATH=/usr/bin:/bin", "USER=agent",
                                     "LANG=C.UTF-8",       "TZ=UTC",
                                     "OMP_NUM_THREADS=1",  "OPENBLAS_NUM_THREADS=1",
                                     "MKL_NUM_THREADS=1",  NULL};

static size_t add_all(const char **list, size_t used, const char *const *more)
{
    for (; *more; more++)
        list[used++] = *more;
    return used;
}

static size_t count_all(const char *const *list)
{
    size_t count = 0;

    while (list[count])
        count++;
    return count;
}

static bool is_set(const char *const *list, size_t count, Str name)
{
    for (size_t i = 0; i < count; i++)
        if (str_eq(name_of(list[i]), name))
            return true;
    return false;
}

const char **agent_environment_strict(const char *env, const char *const *runtime, const char *home)
{
    const char *const *own = own_environment();
    const size_t room = count_all(strict) + count_all(runtime) + count_all(own) + 2;
    const size_t home_bytes = strlen("HOME=") + strlen(home) + 1;
    const char **list = mem_new(room * sizeof(*list) + home_bytes);
    size_t used = 0;

    if (!list)
        return NULL;
    char *text = (char *)(list + room);
    snprintf(text, home_bytes, "HOME=%s", home);
    list[used++] = text;
    used = add_all(list, used, strict);
    used = add_all(list, used, runtime);
    for (; *own; own++)
        if (is_listed(env, name_of(*own)) && !is_set(list, used, name_of(*own)))
            list[used++] = *own;
    return list;
}

static int compare_names(const void *a, const void *b)
{
    const Str *one = a, *two = b;
    int order = memcmp(one->bytes, two->bytes, one->len < two->len ? one->len : two->len);

    return order ? order : (one->len > two->len) - (one->len < two->len);
}

/* The names that it did not get, sorted, in one block on the heap; NULL when memory is out. */
static Str *find_left_out(const char *env, const char *const *from, size_t *ret_count)
{
    static const char *const usual[] = {"PWD", "OLDPWD", "SHLVL", "_", "PYTHONUNBUFFERED", NULL};
    size_t count = 0, used = 0;

    while (from[count])
        count++;
    Str *names = mem_new((count + 1) * sizeof(*names));
    if (!names)
        return NULL;
    for (size_t i = 0; i < count; i++) {
        Str name = name_of(from[i]);
        if (!is_given(env, name) && !is_in(usual, name))
            names[used++] = name;
    }
    qsort(names, used, sizeof(*names), compare_names);
    *ret_count = used;
    return names;
}

void agent_environment_add_left_out(const char *env, const char *const *from, Buf *out)
{
    const size_t start = out->len;
    size_t count = 0;
    CLEANUP(mem_freep) Str *names = find_left_out(env, from, &count);

    for (size_t i = 0; names && i < count; i++) {
        if (out->len - start + names[i].len > LEFT_OUT_MAX) {
            buf_printf(out, "%s%zu more", i ? " and " : "", count - i);
            return;
        }
        buf_add(out, i ? STR(", ") : STR(""));
        buf_add(out, names[i]);
    }
}

void agent_environment_add_hint(const char *env, ChildEnd how, bool *hinted, Buf *out)
{
    CLEANUP(buf_done) Buf names = {0};

    if (how.status == NOT_RUNNABLE || how.status == NOT_FOUND || how.status == CELL_FAILED)
        return; /* a variable would not have helped */
    agent_environment_add_left_out(env, own_environment(), &names);
    if (!names.len)
        return;
    if (*hinted)
        buf_add(out, STR("\nit, too, was started without most of our environment (env=NAME)"));
    else
        buf_printf(
            out,
            "\nit was started without these variables of our environment: %s; if it needs one, "
            "name it with env=NAME",
            buf_cstr(&names));
    *hinted = true;
}

void agent_environment_add_strict_hint(ChildEnd how, bool *hinted, Buf *out)
{
    if (how.status == CELL_FAILED || *hinted)
        return;
    buf_add(out, STR("\nin a strict cell there are its own folder and the system's /usr, /bin and "
                     "/lib, seen by a user of its own (chmod -R a+rX), nothing to write, and no "
                     "second process; the key 'cell' names further folders (read), env=NAME "
                     "variables"));
    *hinted = true;
}

int agent_environment_add_name(Str name, Buf *names, Err *err)
{
    bool fits = name.len > 0 && name.len <= NAME_MAX_BYTES;

    for (size_t i = 0; i < name.len; i++) {
        char c = name.bytes[i];
        fits &= c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                (c >= '0' && c <= '9' && i > 0);
    }
    if (!fits && !str_eq(name, STR("*")))
        return err_set(err, ERR_USAGE,
                       "expected env=NAME with the name of an environment variable, or env=* for "
                       "all, found '%.*s'",
                       STR_ARG(str_part(name, 0, 64)));
    buf_add(names, names->len ? STR(" ") : STR(""));
    buf_add(names, name);
    return 0;
}

Str agent_environment_next_unset(Str *rest)
{
    char name[NAME_MAX_BYTES + 1];

    while (rest->len) {
        Str next = str_cut(rest, ' ');
        snprintf(name, sizeof(name), "%.*s", STR_ARG(next));
        if (!str_eq(next, STR("*")) && !getenv(name))
            return next;
    }
    return (Str){0};
}

bool agent_environment_is_all(const char *env)
{
    return is_listed(env, STR("*"));
}
