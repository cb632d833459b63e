#include "contest/conducts.h"

#include "base/mem.h"
#include "record/stage_number.h"

#include <stdlib.h>

_Static_assert(CONDUCT_NAME - CONDUCT_NETWORK == FINDING_NAME - FINDING_NETWORK &&
                   CONDUCT_RULES - CONDUCT_NETWORK == FINDING_RULES,
               "conduct has a rule for each of findings, in their order");

void conducts_done(Conducts *conducts)
{
    conducts->items = mem_free(conducts->items);
    conducts->count = conducts->room = 0;
}

static AgentConduct *find_conduct(const Conducts *conducts, uint32_t stage, Str agent)
{
    for (size_t i = 0; i < conducts->count; i++)
        if (conducts->items[i].stage == stage && str_eq(str_of(conducts->items[i].agent), agent))
            return &conducts->items[i];
    return NULL;
}

AgentConduct *conducts_of(Conducts *conducts, uint32_t stage, Str agent)
{
    AgentConduct *found = find_conduct(conducts, stage, agent);

    if (found)
        return found;
    if (conducts->count == conducts->room) {
        size_t room = conducts->room ? conducts->room * 2 : 32;
        AgentConduct *more = mem_resize(conducts->items, room, sizeof(*more));
        if (!more)
            return NULL;
        conducts->items = more;
        conducts->room = room;
    }
    found = &conducts->items[conducts->count++];
    *found = (AgentConduct){.stage = stage};
    for (ConductRule rule = CONDUCT_LATE; rule < CONDUCT_RULES; rule++)
        found->ruled[rule] = RULING_COUNT;
    memcpy(found->agent, agent.bytes, agent.len < AGENT_NAME_MAX ? agent.len : AGENT_NAME_MAX);
    return found;
}

int conducts_add_game(Conducts *conducts, const GameRecord *record, Err *err)
{
    for (SeatNo seat = 1; seat <= record->result.seat_count; seat++) {
        const SeatRecord *own = &record->seats[seat];
        if (!own->outside || record->is_void)
            continue;
        AgentConduct *conduct =
            conducts_of(conducts, stage_of_number(record->stage), record->result.names[seat]);
        if (!conduct)
            return err_set(err, ERR_MEMORY, "conduct: out of memory");
        conduct->games++;
        conduct->counts[CONDUCT_LATE] += own->faults[FAULT_TIMEOUT] + own->excesses - own->excused;
        conduct->counts[CONDUCT_SENTENCE] += own->faults[FAULT_VIOLATION];
        conduct->counts[CONDUCT_CRASH] += own->faults[FAULT_DISCONNECT];
        conduct->counts[CONDUCT_ERROR] += own->faults[FAULT_MALFORMED] + own->faults[FAULT_EARLY];
        for (FindingRule rule = FINDING_NETWORK; rule < FINDING_RULES; rule++)
            conduct->counts[CONDUCT_NETWORK + rule] += own->findings[rule];
    }
    return 0;
}

static void take_out(uint64_t *count, uint64_t of)
{
    *count = *count > of ? *count - of : 0;
}

int conducts_take_out_game(Conducts *conducts, const GameRecord *record, Err *err)
{
    CLEANUP(conducts_done) Conducts one = {0};
    int rc = conducts_add_game(&one, record, err);

    for (size_t i = 0; i < one.count && rc == 0; i++) {
        AgentConduct *conduct =
            conducts_of(conducts, one.items[i].stage, str_of(one.items[i].agent));
        if (!conduct)
            return err_set(err, ERR_MEMORY, "conduct: out of memory");
        take_out(&conduct->games, one.items[i].games);
        for (ConductRule rule = CONDUCT_LATE; rule < CONDUCT_RULES; rule++)
            take_out(&conduct->counts[rule], one.items[i].counts[rule]);
    }
    return rc;
}

ConductRule conduct_rule_of(Str name)
{
    ConductRule rule = CONDUCT_LATE;

    while (rule < CONDUCT_RULES && !str_eq(name, str_of(conduct_rule_name(rule))))
        rule++;
    return rule;
}

bool conduct_is_word(Str rule)
{
    return str_eq(rule, STR("withdraw")) || str_eq(rule, STR("other"));
}

int conducts_add_ruling(Conducts *conducts, const JournalRuling *ruling, Err *err)
{
    const ConductRule rule = conduct_rule_of(ruling->rule);
    AgentConduct *conduct = conducts_of(conducts, ruling->stage, ruling->agent);

    if (!conduct)
        return err_set(err, ERR_MEMORY, "conduct: out of memory");
    if (conduct_is_word(ruling->rule)) {
        conduct->gone = ruling->decision == RULING_ELIMINATE;
        return 0;
    }
    if (rule == CONDUCT_RULES)
        return err_set(err, ERR_SYNTAX, "a ruling on '%.*s', which is no rule",
                       STR_ARG(ruling->rule));
    conduct->ruled[rule] = ruling->decision;
    return 0;
}

/* ---- what follows ---- */

static bool breaks_rule(const AgentConduct *conduct, const PlanConduct *rules, ConductRule rule)
{
    const uint64_t count = conduct->counts[rule];

    return rules->rules[rule].action != CONDUCT_NOTE && count > 0 &&
           count * 100 > (uint64_t)rules->rules[rule].after * conduct->games;
}

/* The last of enough strikes eliminates. */
static ConductAction action_of(const AgentConduct *conduct, const PlanConduct *rules,
                               ConductRule rule)
{
    uint64_t strikes = 0;

    for (ConductRule at = CONDUCT_LATE; at <= rule; at++)
        if (rules->rules[at].action == CONDUCT_STRIKE && breaks_rule(conduct, rules, at) &&
            conduct->ruled[at] != RULING_DISMISS) {
            const uint64_t games = conduct->games ? conduct->games : 1;
            const uint64_t free = (uint64_t)rules->rules[at].after * games / 100;
            strikes += conduct->counts[at] - free;
        }
    return rules->rules[rule].action == CONDUCT_STRIKE && strikes >= rules->strikes
               ? CONDUCT_ELIMINATE
               : rules->rules[rule].action;
}

static int compare_conducts(const void *a, const void *b)
{
    const AgentConduct *x = a, *y = b;

    if (x->stage != y->stage)
        return x->stage < y->stage ? -1 : 1;
    return strcmp(x->agent, y->agent);
}

ConductAction conduct_action(const AgentConduct *conduct, const PlanConduct *rules,
                             ConductRule rule)
{
    return rules->given && breaks_rule(conduct, rules, rule) ? action_of(conduct, rules, rule)
                                                             : CONDUCT_NOTE;
}

bool conducts_finding(Conducts *conducts, const PlanConduct *rules, uint32_t number,
                      ConductFinding *ret)
{
    if (conducts->count)
        qsort(conducts->items, conducts->count, sizeof(*conducts->items), compare_conducts);
    for (size_t i = 0; i < conducts->count; i++)
        for (ConductRule rule = CONDUCT_LATE; rule < CONDUCT_RULES; rule++) {
            const AgentConduct *conduct = &conducts->items[i];
            if (!breaks_rule(conduct, rules, rule) || number-- > 0)
                continue;
            *ret = (ConductFinding){.conduct = conduct,
                                    .rule = rule,
                                    .count = conduct->counts[rule],
                                    .action = action_of(conduct, rules, rule),
                                    .ruled = conduct->ruled[rule]};
            return true;
        }
    return false;
}

FindingRule conduct_finding_rule(ConductRule rule)
{
    return rule < CONDUCT_NETWORK ? FINDING_RULES : (FindingRule)(rule - CONDUCT_NETWORK);
}

bool conducts_eliminated(const Conducts *conducts, uint32_t stage, Str agent)
{
    for (size_t i = 0; i < conducts->count; i++) {
        const AgentConduct *conduct = &conducts->items[i];
        if (conduct->stage > stage || !str_eq(str_of(conduct->agent), agent))
            continue;
        if (conduct->gone)
            return true;
        for (ConductRule rule = CONDUCT_LATE; rule < CONDUCT_RULES; rule++)
            if (conduct->ruled[rule] == RULING_ELIMINATE)
                return true;
    }
    return false;
}
