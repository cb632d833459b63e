#include "audit/audit_served.h"

#include "audit/audit_verdict.h"
#include "audit/ranking_text.h"
#include "base/mem.h"
#include "match/draw_chance.h"
#include "stats/decision_sheet.h"

#include <inttypes.h>

bool audit_served_is(const Plan *plan)
{
    const PlanStage *stage = &plan->stages[0];

    if (plan->stage_count != 1 || plan_stage_parts(stage) != 1 || stage->games_per_set < 1)
        return false;
    const uint64_t per_set = (uint64_t)stage->games_per_set;
    return stage->pairing == PAIRING_RANDOM && plan->agent_count < (uint32_t)stage->players &&
           stage->sets == STAGE_GAMES_MAX / per_set && stage->games == stage->sets * per_set;
}

int audit_served_check_plan(const Plan *plan, Err *err)
{
    uint8_t counts[ROLE_COUNT];
    int rc = ruleset_check(&plan->rules, err);

    return rc ? rc : ruleset_roles(&plan->rules, plan->stages[0].players, counts, err);
}

/* ---- chance ---- */

static void check_key(const AuditServed *served, uint32_t part, AuditVerdict *verdict)
{
    const AuditPart *of = &served->index->parts[part];
    const Key commitment = plan_commitment(served->plan, 0, &of->key);
    char hex[KEY_HEX_BYTES], told[KEY_HEX_BYTES];

    if (!of->published)
        return;
    key_to_hex(&commitment, hex);
    key_to_hex(&of->commitment, told);
    if (strcmp(hex, part ? told : served->plan->stages[0].commitment) != 0)
        audit_contradict(verdict, JOURNAL_FILE, of->published,
                         "this key is not the one that line %u is committed to",
                         part ? of->begun : 1);
    verdict->count++;
}

void audit_served_chance(const AuditServed *served)
{
    const AuditIndex *index = served->index;
    AuditVerdict *verdict = &served->report->steps[AUDIT_CHANCE];

    for (uint32_t part = 0; part < index->part_count; part++)
        check_key(served, part, verdict);
    for (size_t i = 0; i < index->games.count; i++) {
        const AuditLine *line = &index->games.items[i];
        const unsigned published = index->parts[line->part].published;
        if (published && line->line > published)
            audit_contradict(verdict, JOURNAL_FILE, published,
                             "the key was published, and a game was played with it in line %u",
                             line->line);
    }
}

/* ---- sets ---- */

/* Who sits in a set by its first line. */
typedef struct Seated {
    SeatNo count;
    char names[SEAT_MAX + 1][AGENT_NAME_MAX + 1];
} Seated;

/* A game beside the line of its set. */
typedef struct SeatLook {
    const AuditServed *served;
    Seated seated;
    unsigned line; /* of the game */
    uint64_t set;
} SeatLook;

static int hear_set(void *user, uint32_t stage, uint64_t set, SeatNo count, const Str *names,
                    Err *err)
{
    SeatLook *look = user;

    (void)stage;
    (void)set;
    (void)err;
    look->seated.count = count;
    for (SeatNo seat = 1; seat <= count; seat++)
        snprintf(look->seated.names[seat], sizeof(look->seated.names[seat]), "%.*s",
                 STR_ARG(names[seat]));
    return 0;
}

static int hear_game(void *user, const GameRecord *record, Err *err)
{
    const SeatLook *look = user;
    AuditVerdict *verdict = &look->served->report->steps[AUDIT_SEATS];

    (void)err;
    if (record->result.seat_count != look->seated.count)
        audit_contradict(verdict, JOURNAL_FILE, look->line, "set %" PRIu64 " began with %u seats",
                         look->set, look->seated.count);
    for (SeatNo seat = 1; seat <= look->seated.count && seat <= record->result.seat_count; seat++)
        if (!str_eq(record->result.names[seat], str_of(look->seated.names[seat])))
            audit_contradict(verdict, JOURNAL_FILE, look->line,
                             "seat %u: set %" PRIu64 " began with %s there", seat, look->set,
                             look->seated.names[seat]);
    return 0;
}

static int compare_seats(const AuditServed *served, const AuditLine *line, uint64_t set,
                         GameRecord *scratch, Err *err)
{
    const AuditIndex *index = served->index;
    const AuditLine *begun = audit_index_find(&index->sets, 0, set);
    CLEANUP(buf_done) Buf text = {0};
    SeatLook look = {.served = served, .line = line->line, .set = set};
    const JournalListener listener = {.set = hear_set, .user = &look};

    if (!begun || begun->line > line->line) {
        audit_contradict(&served->report->steps[AUDIT_JOURNAL], JOURNAL_FILE, line->line,
                         "a game of set %" PRIu64 ", which had not begun", set);
        return 0;
    }
    int rc = audit_index_hear(index, begun, &text, &listener, scratch, err);
    return rc ? rc : audit_index_game(index, line, &text, hear_game, &look, scratch, err);
}

/* ---- games ---- */

static DateMs no_date;

static int64_t no_date(void)
{
    return 0;
}

static StageRun stage_of(const AuditServed *served, uint32_t part)
{
    const Plan *plan = served->plan;

    if (plan->chance == PLAN_CHANCE_KEY)
        served->plan->stages[0].secret = served->index->parts[part].key;
    return (StageRun){.plan = plan,
                      .draw = draw_of_plan(plan, 0, part, (uint32_t)plan->stages[0].players),
                      .logs = true,
                      .date = no_date};
}

/* A key is published when nothing is left to be played. Games from `games` on, up to `end`, are
 * missing: of sets that an operator has ended they are not played. */
static void check_whole(const AuditServed *served, uint64_t games, uint64_t end, uint32_t part)
{
    const AuditIndex *index = served->index;
    const uint64_t per_set = (uint64_t)served->plan->stages[0].games_per_set;

    while (games < end && journal_voids_has_set(&index->voids, games / per_set))
        games = (games / per_set + 1) * per_set;
    if (games < end && index->parts[part].published)
        audit_contradict(
            &served->report->steps[AUDIT_JOURNAL], JOURNAL_FILE, index->parts[part].published,
            "a key is published when all sets are played, but game %" PRIu64 " is missing", games);
}

static int check_line(AuditServed *served, AuditLine *line, uint64_t expected, GameRecord *scratch,
                      Err *err)
{
    AuditVerdict *journal = &served->report->steps[AUDIT_JOURNAL];
    const uint64_t per_set = (uint64_t)served->plan->stages[0].games_per_set;
    const StageRun stage = stage_of(served, line->part);

    if (line->stage != 0 || line->number >= served->plan->stages[0].games) {
        audit_contradict(journal, JOURNAL_FILE, line->line, "a game that the plan does not have");
        return 0;
    }
    if (line->number < expected)
        audit_contradict(journal, JOURNAL_FILE, line->line, "game %" PRIu64 " is there twice",
                         line->number);
    if (line->number > expected)
        check_whole(served, expected, line->number, line->part);
    int rc = compare_seats(served, line, line->number / per_set, scratch, err);
    if (rc)
        return rc;
    if (served->plan->chance == PLAN_CHANCE_KEY && !served->index->parts[line->part].published) {
        served->closed++;
        return 0;
    }
    return served->game(served->user, &stage, line, err);
}

int audit_served_games(AuditServed *served, Err *err)
{
    const AuditIndex *index = served->index;
    const uint64_t per_set = (uint64_t)served->plan->stages[0].games_per_set;
    CLEANUP(mem_freep) GameRecord *scratch = mem_new(sizeof(*scratch));
    uint64_t expected = 0;
    int rc = scratch ? 0 : err_set(err, ERR_MEMORY, "audit: out of memory");

    for (size_t i = 0; i < index->games.count && rc == 0; i++) {
        rc = check_line(served, &index->games.items[i], expected, scratch, err);
        expected = index->games.items[i].number + 1;
    }
    const AuditLines *sets = &index->sets;
    if (sets->count && sets->items[sets->count - 1].number >= expected / per_set)
        check_whole(served, expected, (sets->items[sets->count - 1].number + 1) * per_set,
                    sets->items[sets->count - 1].part);
    return rc;
}

/* ---- ranking ---- */

static int rank_game(void *user, const GameRecord *record, Err *err)
{
    return standings_add_record(user, record, err);
}

static int rank_note(void *user, Str text, Err *err)
{
    DecisionNote decided;

    if (!decision_note_read(text, &decided) || decided.agent.len > AGENT_NAME_MAX)
        return 0;
    const Conduct conduct = {.decisions = decided.sheet.decisions, .own = decided.sheet.own};
    int rc = standings_add_conduct(user, decided.agent, &conduct, err);
    return rc ? rc : standings_set_model(user, decided.agent, &decided.sheet.model, err);
}

int audit_served_ranking(const char *dir, const Plan *plan, Buf *out, uint32_t *ret_agents,
                         Err *err)
{
    CLEANUP(standings_done) Standings standings = {0};
    const JournalListener listener = {.game = rank_game, .note = rank_note, .user = &standings};
    int rc = journal_read(dir, &listener, NULL, err);

    if (rc)
        return rc;
    standings_rank(&standings, 0);
    ranking_text_add(&plan->stages[0], &standings, out);
    *ret_agents = standings.count;
    return buf_failed(out) ? err_set(err, ERR_MEMORY, "audit: out of memory") : 0;
}
