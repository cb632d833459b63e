#include "stats/own_sets.h"

#include "base/mem.h"

typedef struct OwnSet {
    uint32_t stage;
    uint64_t set;
    Standings sums;
    char error[DECISION_ERROR_MAX + 1]; /* of whom nothing was its own; "" = none */
} OwnSet;

void own_sets_done(OwnSets *sets)
{
    for (size_t i = 0; i < sets->count; i++)
        standings_done(&sets->sets[i].sums);
    mem_free(sets->sets);
    *sets = (OwnSets){0};
}

/* The newest sets are the ones that are played. NULL without memory. */
static OwnSet *set_of(OwnSets *sets, uint32_t stage, uint64_t set, Err *err)
{
    for (size_t i = sets->count; i-- > 0;)
        if (sets->sets[i].set == set && sets->sets[i].stage == stage)
            return &sets->sets[i];
    if (sets->count == sets->room) {
        const size_t room = sets->room ? 2 * sets->room : 16;
        OwnSet *more = mem_resize(sets->sets, room, sizeof(*more));
        if (!more) {
            err_set(err, ERR_MEMORY, "sets of models: out of memory");
            return NULL;
        }
        sets->sets = more;
        sets->room = room;
    }
    OwnSet *own = &sets->sets[sets->count++];
    *own = (OwnSet){.stage = stage, .set = set};
    return own;
}

/* Of a void game the standings have nothing that could be taken out. */
static int add_decisions(Standings *sums, const GameRecord *record, Err *err)
{
    int rc = 0;

    for (SeatNo seat = 1; seat <= record->result.seat_count && rc == 0; seat++) {
        const Conduct conduct = {.decisions = record->seats[seat].decisions,
                                 .own = record->seats[seat].own};
        rc = standings_add_conduct(sums, record->result.names[seat], &conduct, err);
    }
    return rc;
}

int own_sets_add_record(OwnSets *sets, const GameRecord *record, Err *err)
{
    OwnSet *own = set_of(sets, record->stage, record->set, err);

    if (!own)
        return ERR_MEMORY;
    return record->is_void ? add_decisions(&own->sums, record, err)
                           : standings_add_record(&own->sums, record, err);
}

int own_sets_add_note(OwnSets *sets, const DecisionNote *note, Err *err)
{
    const Conduct conduct = {.decisions = note->sheet.decisions, .own = note->sheet.own};
    OwnSet *own = set_of(sets, note->stage, note->set, err);

    if (own && note->sheet.own == 0 && note->sheet.error[0])
        memcpy(own->error, note->sheet.error, sizeof(own->error));
    return own ? standings_add_conduct(&own->sums, note->agent, &conduct, err) : ERR_MEMORY;
}

static bool had_no_model(const Standing *agent)
{
    return agent->conduct.decisions > 0 && agent->conduct.own == 0;
}

void own_sets_drop(const OwnSets *sets, uint32_t stage, Standings *standings, OwnSetFn *hear,
                   void *user)
{
    for (size_t i = 0; i < sets->count; i++) {
        const OwnSet *own = &sets->sets[i];
        bool without = false;
        for (uint32_t k = 0; own->stage == stage && k < own->sums.count; k++) {
            const Standing *agent = &own->sums.agents[k];
            if (!had_no_model(agent))
                continue;
            without = true;
            if (hear)
                hear(user, own->set, str_of(agent->name), str_of(own->error));
        }
        if (without)
            standings_take_out(standings, &own->sums);
    }
}
