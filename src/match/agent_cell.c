#include "match/agent_cell.h"

#include "seat/agent_environment.h"

#include <limits.h>
#include <stdlib.h>

static void note_agent(Buf *notes, const PlanAgent *agent, const char *what)
{
    buf_printf(notes, "agent %s %s\n", agent->name, what);
}

/* Those of env=NAME that we don't have ourselves, where somebody has written it. */
static void note_unset(const PlanAgent *agent, Buf *notes)
{
    Str rest = agent->tells ? (Str){0} : str_of(agent->env);

    for (Str name; (name = agent_environment_next_unset(&rest)).len;)
        buf_printf(notes, "agent %s is to get %.*s (env=%.*s), but that variable is not set here\n",
                   agent->name, STR_ARG(name), STR_ARG(name));
}

/* What is behind a script can't be seen, and in a strict cell nothing is started beside it. */
static void note_hidden(Buf *notes, const PlanAgent *agent)
{
    note_agent(
        notes, agent,
        "is started by a script of the shell: in a strict cell that can start nothing beside "
        "itself, so 'exec' has to stand before what it starts");
    if (!agent->profile)
        note_agent(notes, agent,
                   "does not say its runtime: name it with profile=java, python, native, mono or "
                   "dotnet, else what a runtime does by itself is found at the agent");
}

/* Where nothing can be hidden, one line of that is enough. */
static void note_agents(const Plan *plan, const Cell *cell, Buf *notes)
{
    for (uint32_t i = 0; i < plan->agent_count; i++) {
        const PlanAgent *agent = &plan->agents[i];
        if (!agent->command || (i && strcmp(agent->name, plan->agents[i - 1].name) == 0))
            continue;
        const bool strict = cell_level_is_strict(cell_level(cell)) && !agent->tells;
        if (agent_environment_is_all(agent->env))
            note_agent(notes, agent,
                       strict ? "gets none of our environment for env=*: in a strict cell each "
                                "variable is named, env=NAME"
                              : "gets the whole environment (env=*), keys and passwords in it too");
        if (strict && cell_profile_is_hidden(str_of(agent->command)))
            note_hidden(notes, agent);
        note_unset(agent, notes);
        if (cell_hides(cell, agent->folder ? agent->folder : "."))
            note_agent(
                notes, agent,
                "runs in the folder of the results: it can read them, and does not find files of "
                "its own there by their full names; give another --out");
    }
}

bool agent_cell_wanted(const Plan *plan, AgentPrograms which)
{
    for (uint32_t i = 0; i < plan->agent_count; i++)
        if (plan->agents[i].command && (which == PROGRAMS_ALL || !plan->agents[i].tells))
            return true;
    return false;
}

static int list_hidden(const AgentCellSetup *setup, const char *out,
                       const char *hidden[static CELL_HIDDEN_MAX + 1], Err *err)
{
    size_t count = 0;

    if (out)
        hidden[count++] = out;
    if (setup->logs)
        hidden[count++] = setup->logs;
    for (const char *const *other = setup->others; other && *other; other++) {
        if (count == CELL_HIDDEN_MAX)
            return err_set(err, ERR_LIMIT,
                           "more than %d folders to hide from agents: serve with fewer, or put "
                           "some into one folder",
                           CELL_HIDDEN_MAX);
        hidden[count++] = *other;
    }
    return 0;
}

/* Whether `path` lies in `folder`, or is it. */
static bool lies_in(const char *path, const char *folder)
{
    char whole[PATH_MAX], around[PATH_MAX];

    if (!realpath(path, whole) || !realpath(folder, around))
        return false;
    const Str outer = str_of(around);
    return str_starts(str_of(whole), outer) &&
           (whole[outer.len] == '/' || whole[outer.len] == '\0' || outer.len == 1);
}

/* A program in a strict cell sees its whole folder. */
static int check_folders(const Plan *plan, const char *const *hidden, Err *err)
{
    for (uint32_t i = 0; i < plan->agent_count; i++) {
        const PlanAgent *agent = &plan->agents[i];
        const char *folder = agent->folder ? agent->folder : ".";
        if (!agent->command || agent->tells)
            continue;
        for (const char *const *other = hidden; *other; other++)
            if (lies_in(*other, folder))
                return err_set(err, ERR_USAGE,
                               "agent %s would see the results: its folder '%s' holds '%s'; give "
                               "it a folder of its own, or the results another place",
                               agent->name, folder, *other);
    }
    return 0;
}

/* The cell that the plan wants; `take_light` is there already. */
static int make_wished(const AgentCellSetup *setup, const Plan *plan, const char *const *hidden,
                       Cell *take_light, Cell **ret_cell, Err *err)
{
    if (!cell_level_is_strict(plan->cell.level)) {
        *ret_cell = take_light;
        return 0;
    }
    int rc = check_folders(plan, hidden, err);
    if (rc) {
        cell_free(take_light);
        return rc;
    }
    return cell_new_strict(&plan->cell, setup->own_verb, take_light, ret_cell, err);
}

int agent_cell_new(const AgentCellSetup *setup, const char *out, const Plan *plan, Cell **ret_cell,
                   Buf *notes, Err *err)
{
    const char *hidden[CELL_HIDDEN_MAX + 1] = {0};
    Cell *light = NULL;

    if (!agent_cell_wanted(plan, PROGRAMS_ALL) || plan->cell.level == CELL_NONE) {
        *ret_cell = NULL;
        return 0;
    }
    int rc = list_hidden(setup, out, hidden, err);
    if (rc == 0)
        rc = cell_new(hidden, setup->umask, setup->own_verb, &light, err);
    if (rc == 0)
        rc = make_wished(setup, plan, hidden, light, ret_cell, err);
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
