#include "contest/stage_chance.h"

#include "base/mem.h"
#include "disk/tree_digest.h"

static bool has_public_chance(const PlanStage *stage)
{
    return stage->lot_count || stage->beacon_what || stage->late_lots;
}

static bool has_versions(const PlanAgent *agents, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        if (agents[i].version)
            return true;
    return false;
}

/* ---- programs ---- */

/* What plays: the files of its folder. A program of ours is fixed by its command, which is in the
 * plan. */
static int digest_program(const PlanAgent *agent, const PlanStage *stage, NamedKey *ret_item,
                          Err *err)
{
    *ret_item = (NamedKey){.name = str_of(agent->name), .there = !agent->tells};
    if (agent->version) { /* without a tree a bot plays in its place */
        ret_item->there = agent->tree && key_from_hex(str_of(agent->tree), &ret_item->key);
        return 0;
    }
    if (agent->tells)
        return 0;
    if (!agent->own_folder)
        return err_set(err, ERR_USAGE,
                       "stage %s has lots or a beacon, so its programs have to be fixed before: "
                       "agent '%s' needs a folder of its own (key 'folder' of the contest file)",
                       stage->name, agent->name);
    int rc = tree_digest(agent->folder, &ret_item->key, err);
    return rc ? (err_wrap(err, "the program of agent '%s': ", agent->name), rc) : 0;
}

static bool is_listed(const NamedKey *items, size_t count, const char *name)
{
    for (size_t i = 0; i < count; i++)
        if (str_eq(items[i].name, str_of(name)))
            return true;
    return false;
}

/* Each program once, in the order in which agents are listed. */
static int digest_programs(const PlanStage *stage, const PlanAgent *agents, uint32_t count,
                           NamedKey *ret_items, size_t *ret_count, Err *err)
{
    int rc = 0;

    *ret_count = 0;
    for (uint32_t i = 0; i < count && rc == 0; i++) {
        if (agents[i].bot || is_listed(ret_items, *ret_count, agents[i].name))
            continue;
        rc = digest_program(&agents[i], stage, &ret_items[(*ret_count)++], err);
    }
    return rc;
}

static int compare_programs(const JournalLots *before, const NamedKey *items, size_t count,
                            const PlanStage *stage, Err *err)
{
    for (size_t i = 0; i < count; i++)
        for (size_t j = 0; j < before->count; j++)
            if (str_eq(items[i].name, before->items[j].name) && items[i].there &&
                memcmp(&items[i].key, &before->items[j].key, sizeof(Key)) != 0)
                return err_set(err, ERR_USAGE,
                               "the program of agent '%.*s' is another than when those of stage %s "
                               "were fixed; put its folder back as it was",
                               STR_ARG(items[i].name), stage->name);
    return 0;
}

/* The journal has the programs before anybody may open a lot. */
static int fix_programs(OutFolder *folder, const Plan *plan, uint32_t stage,
                        const PlanAgent *agents, uint32_t count, Err *err)
{
    const PlanStage *of = &plan->stages[stage];
    CLEANUP(mem_freep) NamedKey *items = mem_new((count + 1) * sizeof(*items));
    JournalLots frozen = {.stage = stage, .frozen = true, .items = items};

    if (!items)
        return err_set(err, ERR_MEMORY, "contest: out of memory");
    int rc = digest_programs(of, agents, count, items, &frozen.count, err);
    if (rc)
        return rc;
    if (folder->frozen[stage].frozen)
        return compare_programs(&folder->frozen[stage], items, frozen.count, of, err);
    folder->frozen[stage].frozen = true;
    return journal_add_lots(folder->journal, &frozen, err);
}

int stage_chance_check(const OutFolder *folder, const Plan *plan, Err *err)
{
    for (uint32_t stage = 0; stage < plan->stage_count && !plan->seed_given; stage++) {
        const PlanStage *of = &plan->stages[stage];
        for (uint32_t i = 0; i < of->lot_count && !of->late_lots && !folder->frozen[stage].frozen;
             i++)
            if (of->lots[i].there)
                return err_set(err, ERR_USAGE,
                               "the lot of '%.*s' for stage %s is opened already, but its programs "
                               "are not fixed yet; leave 'lot' out until then, and have a new one "
                               "entered if somebody may have seen it",
                               STR_ARG(of->lots[i].name), of->name);
    }
    return 0;
}

/* ---- lots and beacon ---- */

static void write_waiting(const PlanStage *stage, const OutFolder *folder, Buf *out)
{
    size_t closed = 0;

    for (uint32_t i = 0; i < stage->lot_count && !stage->lots_closed; i++)
        if (!stage->lots[i].there)
            buf_printf(out, "%s%.*s", closed++ ? ", " : "stage waits for the lots of ",
                       STR_ARG(stage->lots[i].name));
    if (stage->beacon_what && !stage->beacon)
        buf_printf(out, "%sa value of its beacon: %s", closed ? "; and for " : "stage waits for ",
                   stage->beacon_what);
    if (!out->len)
        return;
    buf_printf(out,
               ". The programs of stage %s are fixed%s%s: let lots be opened, put them (and the "
               "value) into the contest file, or say lots_closed: true, and go on with --resume",
               stage->name, folder ? "; their digests are in " : "", folder ? folder->dir : "");
}

static int tell_lots(OutFolder *folder, const PlanStage *of, uint32_t stage, Err *err)
{
    folder->lots_told[stage] = true;
    return journal_add_lots(folder->journal,
                            &(JournalLots){.stage = stage,
                                           .items = of->lots,
                                           .count = of->lot_count,
                                           .beacon = str_of(of->beacon ? of->beacon : "")},
                            err);
}

int stage_chance_settle(OutFolder *folder, Plan *plan, uint32_t stage, const PlanAgent *agents,
                        uint32_t count, Buf *ret_wait, Err *err)
{
    const PlanStage *of = &plan->stages[stage];
    int rc = 0;

    const bool public = has_public_chance(of) && plan->chance == PLAN_CHANCE_KEY;
    /* Whoever is in the final may play it with another program than the stage before. */
    const bool over = folder && folder->published[stage];
    if (folder && !over && (public || has_versions(agents, count)))
        rc = fix_programs(folder, plan, stage, agents, count, err);
    if (rc || !public || (folder && folder->lots_told[stage]))
        return rc;
    write_waiting(of, folder, ret_wait);
    if (buf_failed(ret_wait))
        return err_set(err, ERR_MEMORY, "contest: out of memory");
    if (ret_wait->len && !folder)
        return err_set(err, ERR_USAGE,
                       "stage %s has lots or a beacon, which come later: give --out, so that there "
                       "is something to go on with",
                       of->name);
    return ret_wait->len || !folder ? 0 : tell_lots(folder, of, stage, err);
}

/* ---- what the journal tells ---- */

/* A copy that lives as long as the plan; NULL when there is no room. */
static NamedKey *copy_items(Plan *plan, const JournalLots *told)
{
    NamedKey *items = arena_take(&plan->texts, (told->count + 1) * sizeof(*items));

    for (size_t i = 0; i < told->count && items; i++) {
        const char *name = plan_text(plan, told->items[i].name);
        items[i] = told->items[i];
        items[i].name = str_of(name ? name : "");
        if (!name)
            return NULL;
    }
    return items;
}

/* Lots that no plan has had. What was entered for one that was not opened is not told. */
static int take_late_lots(Plan *plan, PlanStage *of, const JournalLots *told, Err *err)
{
    Key *entries = arena_take(&plan->texts, (told->count + 1) * sizeof(*entries));

    if (!entries)
        return err_set(err, ERR_LIMIT, "the lots of stage %s take too much room", of->name);
    for (size_t i = 0; i < told->count; i++)
        entries[i] = told->items[i].there
                         ? key_of_lot_entry(told->items[i].name, &told->items[i].key)
                         : (Key){{0}};
    of->lot_entries = entries;
    of->lot_count = (uint32_t)told->count;
    return 0;
}

/* The file may have lots that were told already, but no others. */
static int check_lots(const PlanStage *of, const JournalLots *told, Err *err)
{
    bool same = told->count == of->lot_count;

    for (size_t i = 0; i < told->count && same; i++) {
        const NamedKey *mine = &of->lots[i], *theirs = &told->items[i];
        const Key entry = key_of_lot_entry(theirs->name, &theirs->key);
        same = str_eq(mine->name, theirs->name) &&
               (!theirs->there || memcmp(&entry, &of->lot_entries[i], sizeof(entry)) == 0) &&
               (!mine->there || memcmp(&mine->key, &theirs->key, sizeof(Key)) == 0);
    }
    if (same && (!of->beacon || str_eq(str_of(of->beacon), told->beacon)))
        return 0;
    return err_set(err, ERR_USAGE,
                   "stage %s began with other lots, or another value of its beacon, than the "
                   "contest file has now",
                   of->name);
}

int stage_chance_take(Plan *plan, const JournalLots *told, Err *err)
{
    PlanStage *of = &plan->stages[told->stage];
    int rc = told->stage < plan->stage_count
                 ? 0
                 : err_set(err, ERR_SYNTAX, "no stage has number %u", (unsigned)told->stage);

    if (rc == 0)
        rc = of->late_lots && !of->lot_count ? take_late_lots(plan, of, told, err)
                                             : check_lots(of, told, err);
    if (rc)
        return rc;
    of->lots = copy_items(plan, told);
    of->beacon = told->beacon.len ? plan_text(plan, told->beacon) : NULL;
    return of->lots && (of->beacon || !told->beacon.len)
               ? 0
               : err_set(err, ERR_LIMIT, "the lots of stage %s take too much room", of->name);
}

int stage_chance_read(OutFolder *folder, Plan *plan, const JournalLots *told, Err *err)
{
    if (told->stage >= plan->stage_count)
        return err_set(err, ERR_SYNTAX, "no stage has number %u", (unsigned)told->stage);
    if (!told->frozen) {
        folder->lots_told[told->stage] = true;
        return stage_chance_take(plan, told, err);
    }
    folder->frozen[told->stage] = *told;
    folder->frozen[told->stage].items = copy_items(plan, told);
    return folder->frozen[told->stage].items
               ? 0
               : err_set(err, ERR_LIMIT, "the programs of the journal take too much room");
}
