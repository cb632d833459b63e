#ifndef _GNU_SOURCE
#    define _GNU_SOURCE /* environ */
#endif
#include "match/agent_cell.h"

#include "net/cell_start.h"

#include <stdlib.h>
#include <unistd.h>

#define NAME_MAX_BYTES 128
#define LEFT_OUT_MAX   400 /* bytes of names in a hint */
#define NOT_RUNNABLE   126 /* exit statuses of a shell: the program can not be run, */
#define NOT_FOUND      127 /* or is not there */

/* ---- the environment ---- */

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

static bool is_given(const PlanAgent *agent, Str name)
{
    return is_in(always, name) || is_listed(agent->env, STR("*")) || is_listed(agent->env, name);
}

static Str name_of(const char *variable)
{
    Str rest = str_of(variable);

    return str_cut(&rest, '=');
}

const char **agent_cell_environment(const PlanAgent *agent, const char *const *from)
{
    size_t count = 0, used = 0;
    bool has_unbuffered = false;

    while (from[count])
        count++;
    const char **list = mem_new((count + 2) * sizeof(*list));
    if (!list)
        return NULL;
    for (size_t i = 0; i < count; i++) {
        if (!is_given(agent, name_of(from[i])))
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

const char **agent_cell_own_environment(const PlanAgent *agent)
{
    return agent_cell_environment(agent, own_environment());
}

static int compare_names(const void *a, const void *b)
{
    const Str *one = a, *two = b;
    int order = memcmp(one->bytes, two->bytes, one->len < two->len ? one->len : two->len);

    return order ? order : (one->len > two->len) - (one->len < two->len);
}

/* The names that it did not get, sorted, in one block on the heap; NULL when memory is out. */
static Str *find_left_out(const PlanAgent *agent, const char *const *from, size_t *ret_count)
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
        if (!is_given(agent, name) && !is_in(usual, name))
            names[used++] = name;
    }
    qsort(names, used, sizeof(*names), compare_names);
    *ret_count = used;
    return names;
}

void agent_cell_add_left_out(const PlanAgent *agent, const char *const *from, Buf *out)
{
    const size_t start = out->len;
    size_t count = 0;
    CLEANUP(mem_freep) Str *names = find_left_out(agent, from, &count);

    for (size_t i = 0; names && i < count; i++) {
        if (out->len - start + names[i].len > LEFT_OUT_MAX) {
            buf_printf(out, "%s%zu more", i ? " and " : "", count - i);
            return;
        }
        buf_add(out, i ? STR(", ") : STR(""));
        buf_add(out, names[i]);
    }
}

void agent_cell_add_hint(const PlanAgent *agent, ChildEnd how, Buf *out)
{
    CLEANUP(buf_done) Buf names = {0};

    if (how.status == NOT_RUNNABLE || how.status == NOT_FOUND || how.status == CELL_FAILED)
        return; /* a variable would not have helped */
    agent_cell_add_left_out(agent, own_environment(), &names);
    if (names.len)
        buf_printf(
            out,
            "\nit was started without these variables of our environment: %s; if it needs one, "
            "name it with env=NAME",
            buf_cstr(&names));
}

int agent_cell_add_name(Str name, Buf *names, Err *err)
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

/* ---- the cell ---- */

static void note_agent(Buf *notes, const PlanAgent *agent, const char *what)
{
    buf_printf(notes, "agent %s %s\n", agent->name, what);
}

/* Those of env=NAME that we don't have ourselves, where somebody has written it. */
static void note_unset(const PlanAgent *agent, Buf *notes)
{
    Str rest = agent->tells ? (Str){0} : str_of(agent->env);
    char name[NAME_MAX_BYTES + 1];

    while (rest.len) {
        Str next = str_cut(&rest, ' ');
        snprintf(name, sizeof(name), "%.*s", STR_ARG(next));
        if (strcmp(name, "*") != 0 && !getenv(name))
            buf_printf(notes, "agent %s is to get %s (env=%s), but that variable is not set here\n",
                       agent->name, name, name);
    }
}

/* Where nothing can be hidden, one line of that is enough. */
static void note_agents(const Plan *plan, const Cell *cell, Buf *notes)
{
    for (uint32_t i = 0; i < plan->agent_count; i++) {
        const PlanAgent *agent = &plan->agents[i];
        if (!agent->command || (i && strcmp(agent->name, plan->agents[i - 1].name) == 0))
            continue;
        if (is_listed(agent->env, STR("*")))
            note_agent(notes, agent,
                       "gets the whole environment (env=*), keys and passwords in it too");
        note_unset(agent, notes);
        if (cell_hides(cell, agent->folder ? agent->folder : "."))
            note_agent(
                notes, agent,
                "runs in the folder of the results: it can read them, and does not find files of "
                "its own there by their full names; give another --out");
    }
}

static bool starts_any(const Plan *plan)
{
    for (uint32_t i = 0; i < plan->agent_count; i++)
        if (plan->agents[i].command)
            return true;
    return false;
}

int agent_cell_new(const AgentCellSetup *setup, const char *out, const Plan *plan, Cell **ret_cell,
                   Buf *notes, Err *err)
{
    const char *hidden[] = {out ? out : setup->logs, out ? setup->logs : NULL, NULL};

    if (!starts_any(plan)) {
        *ret_cell = NULL;
        return 0;
    }
    int rc = cell_new(hidden, setup->umask, setup->own_verb, ret_cell, err);
    if (rc)
        return rc;
    cell_guard_self();
    if (cell_lack(*ret_cell).len)
        buf_printf(notes,
                   "agents can see the results' folder and each other's processes, and what they "
                   "leave behind may live on: this machine gives no namespaces (%.*s)\n",
                   STR_ARG(cell_lack(*ret_cell)));
    note_agents(plan, *ret_cell, notes);
    return buf_failed(notes) ? err_set(err, ERR_MEMORY, "cells: out of memory") : 0;
}
