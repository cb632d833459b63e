#include "match/plan_cell.h"

#include "base/mem.h"

#include <stdlib.h>

/* A program of somebody's that we start. */
static bool is_foreign(const PlanAgent *agent)
{
    return (agent->command || agent->entry) && !agent->tells;
}

/* Where the folders of the agents really are. */
typedef struct Places {
    Buf texts;
    size_t *ends; /* in `texts`, of each agent's; those without a folder have none */
} Places;

static void places_done(Places *places)
{
    buf_done(&places->texts);
    mem_free(places->ends);
}

static Str place_of(const Places *places, uint32_t agent)
{
    const size_t start = agent ? places->ends[agent - 1] : 0;

    return str_part(buf_str(&places->texts), start, places->ends[agent] - start);
}

/* What can't be found stays as it was written. */
static void add_place(const char *folder, Buf *texts)
{
    char *path = realpath(folder, NULL);
    Str text = str_of(path ? path : folder);

    while (text.len > 1 && text.bytes[text.len - 1] == '/')
        text.len--;
    buf_add(texts, text);
    free(path); /* libc's */
}

static int find_places(const Plan *plan, Places *places, Err *err)
{
    places->ends = mem_new((plan->agent_count + 1) * sizeof(*places->ends));
    for (uint32_t i = 0; places->ends && i < plan->agent_count; i++) {
        const PlanAgent *agent = &plan->agents[i];
        if (is_foreign(agent) && agent->own_folder)
            add_place(agent->folder, &places->texts);
        places->ends[i] = places->texts.len;
    }
    return !places->ends || buf_failed(&places->texts)
               ? err_set(err, ERR_MEMORY, "cell: out of memory")
               : 0;
}

/* Whether `inner` lies in `outer` and is another one. */
static bool lies_in(Str inner, Str outer)
{
    return outer.len > 0 && inner.len > outer.len && str_starts(inner, outer) &&
           (inner.bytes[outer.len] == '/' || outer.bytes[outer.len - 1] == '/');
}

static int check_agent(const Plan *plan, const Places *places, uint32_t at, Err *err)
{
    const PlanAgent *agent = &plan->agents[at];

    if (!agent->own_folder)
        return err_set(err, ERR_USAGE,
                       "agent %s: in a strict cell it sees nothing but its own folder; say which "
                       "with folder=DIR (key 'folder' of a contest file)",
                       agent->name);
    for (uint32_t other = 0; other < plan->agent_count; other++)
        if (lies_in(place_of(places, other), place_of(places, at)))
            return err_set(err, ERR_USAGE,
                           "agent %s: in a strict cell it sees all of its folder '%s', and that "
                           "of agent %s lies in there; give them folders apart from each other",
                           agent->name, agent->folder, plan->agents[other].name);
    return 0;
}

int plan_check_cell(const Plan *plan, Err *err)
{
    CLEANUP(places_done) Places places = {0};

    if (!cell_level_is_strict(plan->cell.level))
        return 0;
    int rc = find_places(plan, &places, err);
    for (uint32_t i = 0; i < plan->agent_count && rc == 0; i++)
        if (is_foreign(&plan->agents[i]))
            rc = check_agent(plan, &places, i, err);
    return rc;
}
