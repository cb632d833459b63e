#include "journal/journal_voids.h"

#include "base/mem.h"

#include <stdlib.h>

typedef struct JournalVoid {
    ActTarget target;
    uint32_t stage;
    uint64_t number;
    bool ruled; /* by somebody, of what was over */
} JournalVoid;

void journal_voids_done(JournalVoids *voids)
{
    mem_free(voids->items);
    *voids = (JournalVoids){0};
}

bool journal_voids_by(const OperatorAct *act)
{
    return act->kind == ACT_VOID || (act->kind == ACT_END && act->target == ACT_OF_SET);
}

int journal_voids_add(JournalVoids *voids, const OperatorAct *act, Err *err)
{
    if (!journal_voids_by(act))
        return 0;
    if (voids->count == voids->room) {
        const size_t room = voids->room ? 2 * voids->room : 16;
        JournalVoid *items = mem_resize(voids->items, room, sizeof(*items));
        if (!items)
            return err_set(err, ERR_MEMORY, "out of memory");
        voids->items = items;
        voids->room = room;
    }
    voids->items[voids->count++] = (JournalVoid){
        act->target, act->stage, act->number, act->kind == ACT_VOID && !operator_act_is_late(act)};
    return 0;
}

static int compare_voids(const void *a, const void *b)
{
    const JournalVoid *x = a, *y = b;

    if (x->target != y->target)
        return x->target < y->target ? -1 : 1;
    if (x->stage != y->stage)
        return x->stage < y->stage ? -1 : 1;
    if (x->number != y->number)
        return x->number < y->number ? -1 : 1;
    return (int)x->ruled - (int)y->ruled;
}

void journal_voids_sort(JournalVoids *voids)
{
    if (voids->count)
        qsort(voids->items, voids->count, sizeof(*voids->items), compare_voids);
}

static bool find_void(const JournalVoids *voids, JournalVoid wanted)
{
    return voids->count &&
           bsearch(&wanted, voids->items, voids->count, sizeof(wanted), compare_voids) != NULL;
}

static bool has_void(const JournalVoids *voids, const GameRecord *record, bool ruled)
{
    const JournalVoid game = {ACT_OF_GAME, record->stage, record->game, ruled};
    const JournalVoid set = {ACT_OF_SET, record->stage, record->set, ruled};

    return find_void(voids, game) || find_void(voids, set);
}

bool journal_voids_has(const JournalVoids *voids, ActTarget target, uint32_t stage, uint64_t number)
{
    return find_void(voids, (JournalVoid){target, stage, number, false}) ||
           find_void(voids, (JournalVoid){target, stage, number, true});
}

bool journal_voids_has_set(const JournalVoids *voids, uint64_t set)
{
    return journal_voids_has(voids, ACT_OF_SET, 0, set);
}

bool journal_voids_has_game(const JournalVoids *voids, const GameRecord *record)
{
    return journal_voids_has(voids, ACT_OF_GAME, record->stage, record->game) ||
           journal_voids_has(voids, ACT_OF_SET, record->stage, record->set);
}

bool journal_voids_rules_game(const JournalVoids *voids, const GameRecord *record)
{
    return !record->is_void && !has_void(voids, record, false) && has_void(voids, record, true);
}

void journal_voids_mark(const JournalVoids *voids, GameRecord *record)
{
    record->is_ruled_void = journal_voids_rules_game(voids, record);
    record->is_void = record->is_void || journal_voids_has_game(voids, record);
}
