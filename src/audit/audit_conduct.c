#include "audit/audit_conduct.h"

#include "audit/audit_verdict.h"
#include "base/mem.h"
#include "contest/conducts.h"

static int no_memory(Err *err)
{
    return err_set(err, ERR_MEMORY, "audit: out of memory");
}

typedef struct ConductAudit {
    const Plan *plan;
    Conducts most;   /* by the games so far: what all show, in how many that count */
    Conducts broken; /* counts: 1 where the rule was broken at some game */
    Conducts least;  /* by games that count in the end alone, in how many there are at all */
    GameRecord *scratch;
} ConductAudit;

static void conduct_audit_done(ConductAudit *audit)
{
    conducts_done(&audit->most);
    conducts_done(&audit->broken);
    conducts_done(&audit->least);
    audit->scratch = mem_free(audit->scratch);
}

static int note_broken(ConductAudit *audit, const AgentConduct *conduct, Err *err)
{
    for (ConductRule rule = CONDUCT_LATE; rule < CONDUCT_RULES; rule++) {
        if (conduct_action(conduct, &audit->plan->conduct, rule) == CONDUCT_NOTE)
            continue;
        AgentConduct *broken = conducts_of(&audit->broken, conduct->stage, str_of(conduct->agent));
        if (!broken)
            return no_memory(err);
        broken->counts[rule] = 1;
    }
    return 0;
}

static int hear_game(void *user, const GameRecord *record, Err *err)
{
    ConductAudit *audit = user;
    const uint32_t stage = stage_of_number(record->stage);

    int rc = conducts_add_game(&audit->least, record, err);
    *audit->scratch = *record;
    audit->scratch->is_void = false;
    if (rc == 0)
        rc = conducts_add_game(&audit->most, audit->scratch, err);
    for (SeatNo seat = 1; seat <= record->result.seat_count && rc == 0; seat++) {
        if (!record->seats[seat].outside)
            continue;
        AgentConduct *conduct = conducts_of(&audit->most, stage, record->result.names[seat]);
        if (!conduct)
            return no_memory(err);
        conduct->games -= record->is_void;
        rc = note_broken(audit, conduct, err);
        AgentConduct *least = rc || !record->is_void
                                  ? NULL
                                  : conducts_of(&audit->least, stage, record->result.names[seat]);
        if (least)
            least->games++;
    }
    return rc;
}

static int read_games(const char *dir, ConductAudit *audit, Err *err)
{
    const JournalListener listener = {.game = hear_game, .user = audit};

    audit->scratch = mem_new(sizeof(*audit->scratch));
    if (!audit->scratch)
        return no_memory(err);
    return journal_read(dir, &listener, NULL, NULL) == ERR_MEMORY ? no_memory(err) : 0;
}

static int check_ruling(ConductAudit *audit, const AuditRuling *ruling, Str agent, Str rule,
                        AuditVerdict *verdict, Err *err)
{
    const ConductRule of = conduct_rule_of(rule);
    const AgentConduct *broken = conducts_of(&audit->broken, ruling->stage, agent);

    if (!broken)
        return no_memory(err);
    if (of == CONDUCT_RULES || !broken->counts[of])
        audit_contradict(verdict, JOURNAL_FILE, ruling->line,
                         "a ruling on %.*s, '%.*s', of which the games show nothing",
                         STR_ARG(agent), STR_ARG(rule));
    return 0;
}

/* Whether anything is ruled on an agent in a stage. */
static bool is_ruled(const AuditIndex *index, const AgentConduct *conduct)
{
    Str rest = buf_str(&index->ruled);

    for (uint32_t i = 0; i < index->ruling_count; i++) {
        const Str agent = str_cut(&rest, '\n');
        str_cut(&rest, '\n');
        if (index->rulings[i].stage == conduct->stage && str_eq(agent, str_of(conduct->agent)))
            return true;
    }
    return false;
}

/* Rules that carry themselves out spare nobody, once the contest is over. */
static void check_spared(const ConductAudit *audit, const AuditIndex *index, AuditVerdict *verdict)
{
    for (size_t i = 0; i < audit->least.count; i++)
        for (ConductRule rule = CONDUCT_LATE; rule < CONDUCT_RULES; rule++) {
            const AgentConduct *least = &audit->least.items[i];
            if (conduct_action(least, &audit->plan->conduct, rule) == CONDUCT_ELIMINATE &&
                !is_ruled(index, least))
                audit_contradict(verdict, JOURNAL_FILE, index->end,
                                 "the rules eliminate %s for '%s', and the journal does not",
                                 least->agent, conduct_rule_name(rule));
        }
}

int audit_conduct_check(const char *dir, const Plan *plan, const AuditIndex *index, bool served,
                        AuditVerdict *verdict, Err *err)
{
    CLEANUP(conduct_audit_done) ConductAudit audit = {.plan = plan};
    Str rest = buf_str(&index->ruled);
    const bool by_itself = !served && index->end && plan->conduct.given && !plan->conduct.confirm;
    int rc = index->ruling_count || by_itself ? read_games(dir, &audit, err) : 0;

    for (uint32_t i = 0; i < index->ruling_count && rc == 0; i++) {
        const Str agent = str_cut(&rest, '\n'), rule = str_cut(&rest, '\n');
        if (!conduct_is_word(rule)) /* else somebody's word, and told as that */
            rc = check_ruling(&audit, &index->rulings[i], agent, rule, verdict, err);
        verdict->count++;
    }
    if (rc == 0 && by_itself)
        check_spared(&audit, index, verdict);
    return rc;
}
