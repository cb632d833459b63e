#include "audit/audit_strikes.h"

#include "audit/audit_entry.h"
#include "audit/audit_verdict.h"
#include "base/mem.h"
#include "proof/ledger.h"

#include <jansson.h>

void audit_strikes_done(AuditStrikes *strikes)
{
    conducts_done(&strikes->shown);
    conducts_done(&strikes->counted);
    strikes->scratch = mem_free(strikes->scratch);
}

int audit_strikes_add(AuditStrikes *strikes, const GameRecord *record, Err *err)
{
    int rc = conducts_add_game(&strikes->counted, record, err);

    if (rc || !record->is_void)
        return rc ? rc : conducts_add_game(&strikes->shown, record, err);
    if (!strikes->scratch)
        strikes->scratch = mem_new(sizeof(*strikes->scratch));
    if (!strikes->scratch)
        return err_set(err, ERR_MEMORY, "audit: out of memory");
    *strikes->scratch = *record;
    strikes->scratch->is_void = false;
    return conducts_add_game(&strikes->shown, strikes->scratch, err);
}

static const AgentConduct *find_conduct(const Conducts *conducts, uint32_t stage, Str agent)
{
    for (size_t i = 0; i < conducts->count; i++)
        if (conducts->items[i].stage == stage && str_eq(str_of(conducts->items[i].agent), agent))
            return &conducts->items[i];
    return NULL;
}

bool audit_strikes_eliminate(const AuditStrikes *strikes, const Plan *plan,
                             const JournalRuling *ruling)
{
    const ConductRule rule = conduct_rule_of(ruling->rule);
    const AgentConduct *shown = find_conduct(&strikes->shown, ruling->stage, ruling->agent);
    const AgentConduct *counted = find_conduct(&strikes->counted, ruling->stage, ruling->agent);

    if (rule == CONDUCT_RULES || !shown)
        return false;
    AgentConduct most = *shown;
    most.games = counted ? counted->games : 0;
    return conduct_action(&most, &plan->conduct, rule) == CONDUCT_ELIMINATE;
}

int audit_strikes_rule(AuditStrikes *strikes, const JournalRuling *ruling, Err *err)
{
    return conduct_rule_of(ruling->rule) == CONDUCT_RULES
               ? 0
               : conducts_add_ruling(&strikes->shown, ruling, err);
}

/* ---- entries ---- */

/* A step of a finding; answers are words of the team. */
static bool is_step(const json_t *entry)
{
    return strcmp(audit_entry_text(entry, "type"), "finding") == 0 &&
           strcmp(audit_entry_text(entry, "action"), "answer") != 0;
}

static bool is_about(const json_t *entry, const Plan *plan, const AgentConduct *conduct,
                     ConductRule rule)
{
    return strcmp(audit_entry_text(entry, "team"), conduct->agent) == 0 &&
           strcmp(audit_entry_text(entry, "rule"), conduct_rule_name(rule)) == 0 &&
           strcmp(audit_entry_text(entry, "stage"), plan->stages[conduct->stage].name) == 0;
}

/* How often the games show it. */
static uint64_t shown_count(const AuditStrikes *strikes, const Plan *plan, const json_t *entry)
{
    for (size_t i = 0; i < strikes->shown.count; i++)
        for (ConductRule rule = CONDUCT_LATE; rule < CONDUCT_RULES; rule++)
            if (strikes->shown.items[i].stage < plan->stage_count &&
                is_about(entry, plan, &strikes->shown.items[i], rule))
                return strikes->shown.items[i].counts[rule];
    return 0;
}

static void check_entry(const AuditStrikes *strikes, const Plan *plan, const json_t *entry,
                        AuditVerdict *verdict)
{
    const json_int_t count = json_integer_value(json_object_get(entry, "count"));

    verdict->count++;
    if (count < 1 || (uint64_t)count > shown_count(strikes, plan, entry))
        audit_contradict(verdict, LEDGER_FILE,
                         (unsigned)json_integer_value(json_object_get(entry, "n")) + 1,
                         "a finding of %s, '%s', of which the games show less",
                         audit_entry_text(entry, "team"), audit_entry_text(entry, "rule"));
}

/* ---- what is missing ---- */

static bool is_told(const json_t *entries, const Plan *plan, const AgentConduct *conduct,
                    ConductRule rule)
{
    for (size_t i = 0; i < json_array_size(entries); i++) {
        const json_t *entry = json_array_get(entries, i);
        if (is_step(entry) && is_about(entry, plan, conduct, rule) &&
            strcmp(audit_entry_text(entry, "action"), conduct_action_name(CONDUCT_NOTE)) != 0)
            return true;
    }
    return false;
}

/* More than noted, with what is void now and without: whenever the site looked. */
static bool is_strike(const AuditStrikes *strikes, const Plan *plan, const AgentConduct *conduct,
                      ConductRule rule)
{
    if (conduct_action(conduct, &plan->conduct, rule) == CONDUCT_NOTE)
        return false;
    for (size_t i = 0; i < strikes->counted.count; i++) {
        const AgentConduct *counted = &strikes->counted.items[i];
        if (counted->stage == conduct->stage && strcmp(counted->agent, conduct->agent) == 0)
            return conduct_action(counted, &plan->conduct, rule) != CONDUCT_NOTE;
    }
    return false;
}

static void check_agent(const AuditStrikes *strikes, const Plan *plan, const json_t *entries,
                        const AgentConduct *conduct, AuditVerdict *verdict)
{
    for (ConductRule rule = CONDUCT_LATE; rule < CONDUCT_RULES; rule++)
        if (is_strike(strikes, plan, conduct, rule) && !is_told(entries, plan, conduct, rule))
            audit_contradict(verdict, LEDGER_FILE, 0,
                             "the games show a strike of %s, '%s' in stage %s, of which the ledger "
                             "has no entry",
                             conduct->agent, conduct_rule_name(rule),
                             plan->stages[conduct->stage].name);
}

void audit_strikes_check(const AuditStrikes *strikes, const Plan *plan, const json_t *entries,
                         bool over, AuditVerdict *verdict)
{
    for (size_t i = 0; i < json_array_size(entries); i++)
        if (is_step(json_array_get(entries, i)))
            check_entry(strikes, plan, json_array_get(entries, i), verdict);
    for (size_t i = 0; over && plan->conduct.given && i < strikes->shown.count; i++)
        if (strikes->shown.items[i].stage < plan->stage_count)
            check_agent(strikes, plan, entries, &strikes->shown.items[i], verdict);
}
