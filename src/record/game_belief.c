#include "record/game_belief.h"

#include <stdio.h>
#include <string.h>

#define ANCHOR_BYTES 20
#define DECIMALS     3

typedef enum FactKind { FACT_CLAIM, FACT_JUDGE, FACT_KILLED, FACT_MOMENT } FactKind;

typedef struct BeliefFact {
    FactKind kind;
    SeatNo seat;
    SeatNo target;
    Role role;
    Species species;
    bool medium;
    char anchor[ANCHOR_BYTES]; /* of FACT_MOMENT */
} BeliefFact;

void belief_facts_done(BeliefFacts *facts)
{
    buf_done(&facts->list);
}

static void add_fact(BeliefFacts *facts, const BeliefFact *fact)
{
    buf_add(&facts->list, (Str){(const char *)fact, sizeof(*fact)});
}

void belief_fact_claim(BeliefFacts *facts, SeatNo seat, Role role)
{
    add_fact(facts, &(BeliefFact){.kind = FACT_CLAIM, .seat = seat, .role = role});
}

void belief_fact_judge(BeliefFacts *facts, SeatNo judge, bool medium, SeatNo target,
                       Species species)
{
    add_fact(facts, &(BeliefFact){.kind = FACT_JUDGE,
                                  .seat = judge,
                                  .target = target,
                                  .species = species,
                                  .medium = medium});
}

void belief_fact_killed(BeliefFacts *facts, SeatNo seat)
{
    add_fact(facts, &(BeliefFact){.kind = FACT_KILLED, .seat = seat});
}

void belief_fact_moment(BeliefFacts *facts, const char *anchor)
{
    BeliefFact fact = {.kind = FACT_MOMENT};

    snprintf(fact.anchor, sizeof(fact.anchor), "%s", anchor);
    add_fact(facts, &fact);
}

/* ---- rows ---- */

static void put_row(const BeliefFact *moment, const Belief *belief, Json *json)
{
    double wolf[SEAT_MAX + 1];

    if (!belief_rate(belief, wolf))
        return;
    json_open(json, '{');
    json_add_str(json, "a", str_of(moment->anchor));
    json_key(json, STR("p"));
    json_open(json, '[');
    for (SeatNo seat = 1; seat <= belief->seat_count; seat++)
        json_put_real(json, wolf[seat], DECIMALS);
    json_close(json);
    json_close(json);
}

static void take_fact(const BeliefFact *fact, Belief *belief, Json *json)
{
    switch (fact->kind) {
    case FACT_CLAIM:
        belief_claim(belief, fact->seat, fact->role);
        break;
    case FACT_JUDGE:
        belief_judge(belief, fact->seat, fact->medium, fact->target, fact->species);
        break;
    case FACT_KILLED:
        belief_killed(belief, fact->seat);
        break;
    case FACT_MOMENT:
        put_row(fact, belief, json);
        break;
    }
}

static bool has_claims(Str list)
{
    BeliefFact fact;

    for (; list.len >= sizeof(fact); list = str_part(list, sizeof(fact), list.len)) {
        memcpy(&fact, list.bytes, sizeof(fact));
        if (fact.kind == FACT_CLAIM || fact.kind == FACT_JUDGE)
            return true;
    }
    return false;
}

void belief_put(const BeliefFacts *facts, SeatNo seat_count,
                const uint8_t counts[static ROLE_COUNT], Json *json)
{
    Str list = buf_str(&facts->list);
    Belief belief;
    BeliefFact fact;

    if (buf_failed(&facts->list) || !has_claims(list))
        return;
    belief_begin(&belief, seat_count, counts);
    json_key(json, STR("belief"));
    json_open(json, '{');
    json_add_str(json, "method", STR(BELIEF_METHOD));
    json_add_str(json, "text", STR(BELIEF_TEXT));
    json_key(json, STR("rows"));
    json_open(json, '[');
    for (; list.len >= sizeof(fact); list = str_part(list, sizeof(fact), list.len)) {
        memcpy(&fact, list.bytes, sizeof(fact));
        take_fact(&fact, &belief, json);
    }
    json_close(json);
    json_close(json);
}
