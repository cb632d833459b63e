#include "audit/audit.h"

#include "audit/audit_conduct.h"
#include "audit/audit_faults.h"
#include "audit/audit_findings.h"
#include "audit/audit_games.h"
#include "audit/audit_index.h"
#include "audit/audit_judging.h"
#include "audit/audit_kept.h"
#include "audit/audit_served.h"
#include "audit/audit_site.h"
#include "audit/audit_verdict.h"
#include "audit/manifest.h"
#include "audit/ranking_text.h"
#include "base/mem.h"
#include "contest/contest_run.h"
#include "contest/ledger_follow.h"
#include "disk/log_file.h"
#include "match/draw_chance.h"
#include "match/plan_read.h"
#include "proof/ledger.h"

#include <inttypes.h>
#include <unistd.h>

#define RANKING_BYTES_MAX ((size_t)16 * 1024 * 1024)

/* The audit under way. */
typedef struct Audit {
    const AuditSetup *setup;
    AuditReport *report;
    AuditIndex index;
    Plan plan;
    AuditGames games;
    const StageRun *stage; /* the part that is looked at */
    Buf line;              /* of the journal */
    GameRecord *scratch;
    Trial trial;        /* where the journal says that it is one */
    uint64_t games_end; /* of the part: what has to be played */
    Buf ranking;        /* as it follows */
    uint64_t looked;
    uint64_t to_look;
    bool served;
    uint64_t draw; /* of the games that are looked at: below this of 2^64 */
    bool stopped;
} Audit;

static const char *const step_names[AUDIT_STEPS] = {"files",   "ledger",  "journal", "chance",
                                                    "seats",   "games",   "faults",  "findings",
                                                    "conduct", "ranking", "site",    "judging"};

const char *audit_step_name(AuditStep step)
{
    return step_names[step];
}

bool audit_holds(const AuditReport *report)
{
    for (unsigned step = 0; step < AUDIT_STEPS; step++)
        if (report->steps[step].state == AUDIT_CONTRADICTED)
            return false;
    return true;
}

static AuditVerdict *step_of(Audit *audit, AuditStep step)
{
    return &audit->report->steps[step];
}

/* Nothing was found. */
static void hold(AuditVerdict *verdict, uint64_t count)
{
    verdict->count = count;
    if (verdict->state == AUDIT_NOT_REACHED)
        verdict->state = AUDIT_HOLDS;
}

static void lack(AuditVerdict *verdict, const char *why)
{
    if (verdict->state != AUDIT_NOT_REACHED)
        return;
    verdict->state = AUDIT_ABSENT;
    snprintf(verdict->text, sizeof(verdict->text), "%s", why);
}

/* What is wrong with a journal is a verdict; what is wrong with this machine is an error. */
static int judge_error(AuditVerdict *verdict, int rc, const Err *own, Err *err)
{
    if (rc == ERR_MEMORY || rc == ERR_INTERRUPTED)
        return err_set(err, (ErrCode)rc, "%s", own->msg);
    audit_contradict(verdict, JOURNAL_FILE, own->line, "%s", own->msg);
    return 0;
}

/* ---- chance ---- */

/* The lines of a stage stand in their order: what was known only later can't have been chosen. */
static void check_order(Audit *audit, uint32_t stage)
{
    const AuditIndex *index = &audit->index;
    const PlanStage *of = &audit->plan.stages[stage];
    AuditVerdict *verdict = step_of(audit, AUDIT_CHANCE);
    const unsigned first = index->first_game[stage], told = index->told[stage];

    if ((of->lot_count || of->beacon_what || of->late_lots) && first) {
        if (!index->frozen[stage])
            audit_contradict(verdict, JOURNAL_FILE, first,
                             "stage %s has lots or a beacon, and no programs that were fixed",
                             of->name);
        if (!told)
            audit_contradict(verdict, JOURNAL_FILE, first,
                             "stage %s was played before its lots were told", of->name);
    }
    if (told && told < index->frozen[stage])
        audit_contradict(
            verdict, JOURNAL_FILE, told,
            "the lots of stage %s were told before its programs were fixed, in line %u", of->name,
            index->frozen[stage]);
    if (told && first && first < told)
        audit_contradict(verdict, JOURNAL_FILE, first,
                         "a game of stage %s before its lots were told, in line %u", of->name,
                         told);
    if (index->published[stage] && index->published[stage] < index->last_game[stage])
        audit_contradict(verdict, JOURNAL_FILE, index->published[stage],
                         "the key of stage %s was published, and games were played with it behind "
                         "that, up to line %u",
                         of->name, index->last_game[stage]);
}

static void check_commitment(Audit *audit, uint32_t stage)
{
    const AuditIndex *index = &audit->index;
    const PlanStage *of = &audit->plan.stages[stage];
    AuditVerdict *verdict = step_of(audit, AUDIT_CHANCE);
    char hex[KEY_HEX_BYTES];

    if (!index->published[stage]) {
        if (index->end)
            audit_contradict(verdict, JOURNAL_FILE, index->end,
                             "the contest is over, and the key of stage %s was not published",
                             of->name);
        return;
    }
    const Key commitment = plan_commitment(&audit->plan, stage, &index->keys[stage].value);
    key_to_hex(&commitment, hex);
    if (strcmp(hex, of->commitment) != 0)
        audit_contradict(verdict, JOURNAL_FILE, index->published[stage],
                         "the key of stage %s is not the one that line 1 is committed to",
                         of->name);
    else
        verdict->count++;
}

static void check_chance(Audit *audit)
{
    AuditVerdict *verdict = step_of(audit, AUDIT_CHANCE);
    const Plan *plan = &audit->plan;

    if (plan->chance != PLAN_CHANCE_KEY) {
        lack(verdict, "a seed that somebody chose decides all: whoever guessed it knew every role");
        return;
    }
    if (audit->served) {
        const AuditServed served = {
            .index = &audit->index, .plan = &audit->plan, .report = audit->report};
        audit_served_chance(&served);
    }
    for (uint32_t stage = 0; stage < plan->stage_count && !audit->served; stage++) {
        if (!plan->one_key || stage == 0)
            check_commitment(audit, stage);
        check_order(audit, stage);
    }
    hold(verdict, verdict->count);
}

/* ---- seats ---- */

/* A line that says who sits in a set. */
typedef struct SetLine {
    Audit *audit;
    uint64_t set; /* of the part */
    unsigned line;
} SetLine;

static int hear_set(void *user, uint32_t number, uint64_t set, SeatNo count, const Str *names,
                    Err *err)
{
    const SetLine *look = user;
    const StageRun *stage = look->audit->stage;
    uint32_t agents[SEAT_MAX + 1] = {0};

    (void)number;
    (void)err;
    draw_seats(&stage->draw, look->set, agents);
    for (SeatNo seat = 1; seat <= stage->draw.stage->players; seat++) {
        const char *drawn = stage->agents[agents[seat]].name;
        if (seat > count || !str_eq(str_of(drawn), names[seat]))
            audit_contradict(step_of(look->audit, AUDIT_SEATS), JOURNAL_FILE, look->line,
                             "set %" PRIu64 ", seat %u: the key draws %s", set, seat, drawn);
    }
    return 0;
}

/* Each time that the set was begun. */
static int check_set(Audit *audit, uint64_t set, const Played *played, Err *err)
{
    const StageRun *stage = audit->stage;
    const uint64_t number = stage->set_base + set;
    const AuditLines *sets = &audit->index.sets;
    AuditLine *line = audit_index_find(sets, stage->stage, number);
    const PlayedSet *seated = played_set(played, number);
    AuditVerdict *verdict = step_of(audit, AUDIT_SEATS);
    Err own = {0};
    int rc = 0;

    /* Bots alone: each game's line says who sat there. */
    verdict->count += line || (seated && seated->games);
    for (; rc == 0 && line && line < sets->items + sets->count && line->stage == stage->stage &&
           line->number == number;
         line++) {
        SetLine look = {audit, set, line->line};
        const JournalListener listener = {.set = hear_set, .user = &look};
        line->seen = true;
        rc = audit_index_hear(&audit->index, line, &audit->line, &listener, audit->scratch, &own);
    }
    return rc ? judge_error(verdict, rc, &own, err) : 0;
}

/* ---- games ---- */

typedef struct GameLine {
    Audit *audit;
    uint64_t game; /* of the part */
    unsigned line;
    bool plays; /* it is played again */
} GameLine;

static int hear_game(void *user, const GameRecord *record, Err *err)
{
    const GameLine *look = user;

    if (look->audit->stage && look->audit->stage->uncounted && !record->is_void)
        audit_contradict(step_of(look->audit, AUDIT_RANKING), JOURNAL_FILE, look->line,
                         "a game of a round that does not count, and it is not void");
    if (!look->plays)
        return 0;
    return audit_games_check(&look->audit->games, look->game, record, look->line,
                             step_of(look->audit, AUDIT_GAMES), err);
}

/* As many as were asked for, drawn by a key that nobody knew before. */
static bool is_drawn(const Audit *audit, uint32_t stage, uint64_t game)
{
    if (!audit->setup->games)
        return true;
    const KeyRoot root = key_root(audit->setup->pick);
    const Key key = key_derive_item(&root, STR("audit"), stage, game);
    return key_seed(&key) < audit->draw;
}

static int check_game(Audit *audit, uint64_t game, AuditLine *line, Err *err)
{
    GameLine look = {audit, game, line->line,
                     is_drawn(audit, line->stage, line->number) &&
                         step_of(audit, AUDIT_GAMES)->state != AUDIT_CONTRADICTED};
    Err own = {0};

    line->seen = true;
    int rc =
        audit_index_game(&audit->index, line, &audit->line, hear_game, &look, audit->scratch, &own);
    if (rc)
        return judge_error(step_of(audit, AUDIT_GAMES), rc, &own, err);
    audit->looked += look.plays;
    if (audit->setup->progress &&
        !audit->setup->progress(audit->setup->user, audit->looked, audit->to_look))
        return err_set(err, ERR_INTERRUPTED, "ended early, after %" PRIu64 " games", audit->looked);
    return 0;
}

/* Not played, because an agent failed in a game of its set before, and that is what follows then.
 */
static bool is_forfeited(const Audit *audit, const Played *played, uint64_t game)
{
    const StageRun *stage = audit->stage;
    const PlayedSet *set = played_set(played, stage->set_base + draw_set_of(&stage->draw, game));

    return audit->plan.on_fault == ON_FAULT_FORFEIT_SET && set && set->games && set->failed &&
           set->last < stage->game_base + game;
}

/* Of a contest that is over no game is left out, of these of the part. */
static void check_missing(Audit *audit, const Played *played, uint64_t from, uint64_t to)
{
    const StageRun *stage = audit->stage;
    const uint64_t per_set = (uint64_t)stage->draw.stage->games_per_set;

    if (!audit->index.end)
        return;
    while (from < to && is_forfeited(audit, played, from))
        from = (draw_set_of(&stage->draw, from) + 1) * per_set;
    if (from < to)
        audit_contradict(step_of(audit, AUDIT_JOURNAL), JOURNAL_FILE, audit->index.end,
                         "the contest is over, but game %" PRIu64 " of stage %" PRIu32
                         " is missing%s",
                         stage->game_base + from, stage->stage,
                         !audit->index.trial_line                   ? ""
                         : audit->trial.sprt.state == SPRT_CONTINUE ? ": its trial is not decided"
                                                                    : ": the look that decided "
                                                                      "its trial came behind it");
}

/* One that is there twice is seen once. */
static int check_games(Audit *audit, const Played *played, Err *err)
{
    const StageRun *stage = audit->stage;
    const AuditLines *lines = &audit->index.games;
    const uint64_t games = stage_run_games_end(stage);
    const uint64_t end = audit->games_end;
    uint64_t next = stage->first_set * (uint64_t)stage->draw.stage->games_per_set;
    int rc = 0;

    for (size_t i = audit_index_from(lines, stage->stage, stage->game_base + next);
         i < lines->count && rc == 0; i++) {
        AuditLine *line = &lines->items[i];
        const uint64_t game = line->number - stage->game_base;
        if (line->stage != stage->stage || game >= games)
            break;
        if (game < next)
            continue;
        if (!stage->uncounted)
            check_missing(audit, played, next, game < end ? game : end);
        if (game >= end && !stage->uncounted && line->line > audit->index.trial_line)
            audit_contradict(step_of(audit, AUDIT_JOURNAL), JOURNAL_FILE, line->line,
                             "game %" PRIu64 ", but its trial was decided, and over, before game "
                             "%" PRIu64,
                             game, end);
        rc = check_game(audit, game, line, err);
        next = game + 1;
    }
    if (rc == 0 && !stage->uncounted)
        check_missing(audit, played, next, end);
    return rc;
}

/* A trial is looked at behind each so many sets, and ends behind the look that decides it. */
static int find_end(Audit *audit, const StageRun *stage, const Played *played, Err *err)
{
    const uint64_t sets = stage_run_end_set(stage), games = stage_run_games_end(stage);
    const uint64_t per_set = (uint64_t)stage->draw.stage->games_per_set;
    uint64_t look = audit->index.trial.sets < sets ? audit->index.trial.sets : sets, set = 0;
    Err own = {0};

    audit->games_end = games;
    if (!audit->index.trial_line)
        return 0;
    if (audit->plan.stage_count != 1 || plan_stage_parts(&audit->plan.stages[0]) != 1) {
        audit_contradict(step_of(audit, AUDIT_JOURNAL), JOURNAL_FILE, audit->index.trial_line,
                         "a trial has one stage with tables of one size");
        return 0;
    }
    while (set < sets && set < played->set_count && audit->trial.sprt.state == SPRT_CONTINUE) {
        set += look;
        int rc = trial_judge(&audit->trial, set, &own);
        if (rc)
            return judge_error(step_of(audit, AUDIT_JOURNAL), rc, &own, err);
    }
    if (audit->trial.sprt.state != SPRT_CONTINUE && set * per_set < games)
        audit->games_end = set * per_set;
    return 0;
}

static int check_part(void *user, const StageRun *stage, const Played *played, Err *err)
{
    Audit *audit = user;
    const uint64_t sets = stage_run_end_set(stage);
    int rc = audit_games_begin(&audit->games, stage, err);

    audit->stage = stage;
    if (rc == 0)
        rc = find_end(audit, stage, played, err);
    for (uint64_t set = stage->first_set;
         set < sets && set - stage->first_set < audit->index.lines && rc == 0; set++)
        rc = check_set(audit, set, played, err);
    return rc ? rc : check_games(audit, played, err);
}

/* What belongs to no part of a stage that was played. */
static void check_unseen(Audit *audit)
{
    const AuditIndex *index = &audit->index;

    for (size_t i = 0; i < index->games.count; i++)
        if (!index->games.items[i].seen)
            audit_contradict(step_of(audit, AUDIT_JOURNAL), JOURNAL_FILE,
                             index->games.items[i].line, "a game that the plan does not have");
    for (size_t i = 0; i < index->sets.count; i++)
        if (!index->sets.items[i].seen)
            audit_contradict(step_of(audit, AUDIT_SEATS), JOURNAL_FILE, index->sets.items[i].line,
                             "a set that the plan does not have");
}

/* ---- conduct ---- */

static int check_rulings(Audit *audit, Err *err)
{
    AuditVerdict *verdict = step_of(audit, AUDIT_CONDUCT);

    if (!audit->plan.conduct.given && audit->index.ruling_count == 0) {
        lack(verdict, "the contest has no rules of conduct");
        return 0;
    }
    int rc = audit_conduct_check(audit->setup->dir, &audit->plan, &audit->index, audit->served,
                                 verdict, err);
    hold(verdict, verdict->count);
    return rc;
}

/* ---- ranking ---- */

/* A round that came too late is all void, and nothing else of the stage is by that. */
static int check_stop(void *user, uint32_t stage, Str contradiction, Err *err)
{
    Audit *audit = user;

    (void)err;
    if (contradiction.len)
        audit_contradict(step_of(audit, AUDIT_RANKING), JOURNAL_FILE, audit->index.stop[stage],
                         "stage %s: %.*s", audit->plan.stages[stage].name, STR_ARG(contradiction));
    return 0;
}

static int check_cut(void *user, uint32_t stage, Str note, Err *err)
{
    Audit *audit = user;
    AuditVerdict *verdict = step_of(audit, AUDIT_RANKING);

    (void)err;
    if (!str_eq(note, buf_str(&audit->index.cuts[stage])))
        audit_contradict(verdict, JOURNAL_FILE, audit->index.cut[stage],
                         "who goes on behind a stage: '%.*s' follows",
                         STR_ARG(str_part(note, 0, 300)));
    verdict->count++;
    return 0;
}

static void on_stage_over(void *user, uint32_t stage, const Standings *standings)
{
    Audit *audit = user;

    ranking_text_add(&audit->plan.stages[stage], standings, &audit->ranking);
    if (standings->count > audit->report->agents)
        audit->report->agents = standings->count;
}

static int compare_ranking(Audit *audit, Err *err)
{
    CLEANUP(buf_done) Buf path = {0};
    CLEANUP(buf_done) Buf text = {0};
    AuditVerdict *verdict = step_of(audit, AUDIT_RANKING);
    Err own = {0};

    buf_printf(&path, "%s/" RANKING_FILE, audit->setup->dir);
    if (buf_failed(&path) || buf_failed(&audit->ranking))
        return err_set(err, ERR_MEMORY, "audit: out of memory");
    int rc = log_file_read(buf_cstr(&path), RANKING_BYTES_MAX, &text, &own);
    if (rc == ERR_MEMORY)
        return err_set(err, ERR_MEMORY, "audit: out of memory");
    if (rc) /* a folder of --out has none: its results are made of the journal each time */
        return 0;
    if (!str_eq(buf_str(&text), buf_str(&audit->ranking)))
        audit_contradict(verdict, RANKING_FILE,
                         ranking_text_difference(buf_str(&text), buf_str(&audit->ranking)),
                         "another ranking follows from the games");
    return 0;
}

/* ---- the whole ---- */

/* The journal holds; a trial is said to be one. */
static void hold_journal(Audit *audit)
{
    AuditVerdict *verdict = step_of(audit, AUDIT_JOURNAL);
    const AuditIndex *index = &audit->index;
    const Sprt *sprt = &audit->trial.sprt;
    CLEANUP(buf_done) Buf text = {0};

    hold(verdict, index->lines);
    if (verdict->state != AUDIT_HOLDS || !index->trial_line)
        return;
    buf_printf(&text, "a trial of %s: ", index->trial.challenger);
    if (!index->end)
        buf_add(&text, STR("not over"));
    else if (sprt->state == SPRT_CONTINUE)
        buf_add(&text, STR("undecided, and all its games are played"));
    else
        buf_printf(&text, "%s after %" PRIu64 " games, and over", sprt_state_name(sprt->state),
                   sprt->games);
    audit->report->late_test = index->first_game[0] && index->first_game[0] < index->trial_line;
    if (audit->report->late_test)
        buf_printf(&text, "; what is tested was told in line %u, behind games", index->trial_line);
    snprintf(verdict->text, sizeof(verdict->text), "%s", buf_failed(&text) ? "" : buf_cstr(&text));
}

static DateMs no_date;

static int64_t no_date(void)
{
    return 0;
}

/* What is beside the journal. */
static int check_files(Audit *audit, Err *err)
{
    int rc = compare_ranking(audit, err);

    if (rc == 0)
        rc =
            audit_faults_check(audit->setup->dir, &audit->index, step_of(audit, AUDIT_FAULTS), err);
    if (rc == 0)
        rc = audit_findings_check(audit->setup->dir, &audit->index, step_of(audit, AUDIT_FINDINGS),
                                  err);
    hold(step_of(audit, AUDIT_RANKING), audit->report->agents);
    hold(step_of(audit, AUDIT_FINDINGS), step_of(audit, AUDIT_FINDINGS)->count);
    hold(step_of(audit, AUDIT_FAULTS), step_of(audit, AUDIT_FAULTS)->count);
    return rc;
}

static int check_contest(Audit *audit, Err *err)
{
    const ContestCheck check = {
        .part = check_part, .stop = check_stop, .cut = check_cut, .user = audit};
    const ContestRun run = {.plan = &audit->plan,
                            .out = audit->setup->dir,
                            .logs = true,
                            .check = &check,
                            .date = no_date,
                            .trial = audit->index.trial_line ? &audit->trial : NULL,
                            .stage_over = on_stage_over,
                            .user = audit};
    CLEANUP(contest_result_done) ContestResult result = {0};
    Err own = {0};
    int rc = contest_run(&run, &result, &own);

    if (rc)
        return judge_error(step_of(audit, AUDIT_JOURNAL), rc, &own, err);
    check_unseen(audit);
    rc = check_rulings(audit, err);
    hold_journal(audit);
    hold(step_of(audit, AUDIT_SEATS), step_of(audit, AUDIT_SEATS)->count);
    hold(step_of(audit, AUDIT_GAMES), audit->looked);
    return rc ? rc : check_files(audit, err);
}

/* ---- of a server ---- */

static int check_served_game(void *user, const StageRun *stage, AuditLine *line, Err *err)
{
    Audit *audit = user;
    int rc = audit->games.referee ? 0 : audit_games_begin(&audit->games, stage, err);

    audit->stage = audit->games.stage = stage;
    return rc ? rc : check_game(audit, line->number, line, err);
}

/* What was not played again, and why. */
static void hold_served_games(Audit *audit, uint64_t closed)
{
    AuditVerdict *verdict = step_of(audit, AUDIT_GAMES);
    CLEANUP(buf_done) Buf text = {0};

    if (closed)
        buf_printf(&text,
                   "%" PRIu64 " have a key that is not published yet: it is when all sets that "
                   "were begun are over",
                   closed);
    if (audit->games.unrecorded)
        buf_printf(&text, "%s%" PRIu64 " have no exchange record: of them the logs' digests only",
                   closed ? "; " : "", audit->games.unrecorded);
    audit->looked -= audit->games.unrecorded;
    if (closed && !audit->looked)
        lack(verdict, buf_failed(&text) ? "" : buf_cstr(&text));
    hold(verdict, audit->looked);
    if (verdict->state == AUDIT_HOLDS)
        snprintf(verdict->text, sizeof(verdict->text), "%s",
                 buf_failed(&text) || !text.len ? "" : buf_cstr(&text));
}

static int check_served(Audit *audit, Err *err)
{
    AuditServed served = {.index = &audit->index,
                          .plan = &audit->plan,
                          .report = audit->report,
                          .game = check_served_game,
                          .user = audit};
    Err own = {0};
    int rc = audit_served_games(&served, &own);

    if (rc)
        return judge_error(step_of(audit, AUDIT_JOURNAL), rc, &own, err);
    hold_journal(audit);
    lack(step_of(audit, AUDIT_SEATS), "served: who came decides who sits where");
    hold_served_games(audit, served.closed);
    rc = audit_served_ranking(audit->setup->dir, &audit->plan, &audit->ranking,
                              &audit->report->agents, err);
    if (rc == 0)
        rc = check_rulings(audit, err);
    return rc ? rc : check_files(audit, err);
}

static int read_plan(Audit *audit, Err *err)
{
    int rc = plan_read(buf_str(&audit->index.plan), &audit->plan, err);

    audit->served = rc == 0 && audit_served_is(&audit->plan);
    if (rc)
        return rc;
    return audit->served ? audit_served_check_plan(&audit->plan, err)
                         : plan_check(&audit->plan, err);
}

static int read_journal(Audit *audit, Err *err)
{
    AuditVerdict *verdict = step_of(audit, AUDIT_JOURNAL);
    Err own = {0};
    int rc = audit_index_read(audit->setup->dir, &audit->index, &own);

    if (rc == ERR_IO && audit->index.lines == 0)
        return err_set(err, ERR_IO, "%s", own.msg);
    if (rc == 0)
        rc = read_plan(audit, &own);
    if (rc && !own.line)
        own.line = 1;
    if (rc)
        return judge_error(verdict, rc, &own, err);
    audit->report->games = audit->index.games.count;
    audit->report->over = audit->index.end != 0;
    trial_init(&audit->trial, &audit->index.trial.test, str_of(audit->index.trial.challenger));
    audit->to_look = audit->report->games;
    if (audit->setup->games && audit->setup->games < audit->report->games) {
        audit->to_look = audit->setup->games;
        audit->draw = UINT64_MAX / audit->report->games * audit->setup->games;
    } else {
        audit->draw = UINT64_MAX;
    }
    if (audit->index.torn)
        audit_contradict(verdict, JOURNAL_FILE, (unsigned)audit->index.lines + 1,
                         "the last line has no end");
    return 0;
}

/* Before the end of a stage nobody but its owner can compute anything of it; all stages are played
 * from their keys at once, and so the later ones must be there, too. */
static bool has_keys(const Audit *audit)
{
    if (audit->plan.chance != PLAN_CHANCE_KEY)
        return true;
    for (uint32_t stage = 0; stage < (audit->plan.one_key ? 1 : audit->plan.stage_count); stage++)
        if (!audit->index.published[stage])
            return false;
    return true;
}

static int check_ledger(Audit *audit, Err *err)
{
    AuditVerdict *verdict = step_of(audit, AUDIT_LEDGER);
    LedgerMatch match = {0};
    Err own = {0};
    int rc = ledger_match(audit->setup->dir, &match, &own);

    if (rc == ERR_MEMORY)
        return err_set(err, ERR_MEMORY, "%s", own.msg);
    if (rc)
        audit_contradict(verdict, LEDGER_FILE, own.line, "%s", own.msg);
    else if (!match.there)
        lack(verdict, "no ledger: warg run --ledger keeps one");
    else if (match.differs)
        audit_contradict(verdict, LEDGER_FILE, (unsigned)match.differs,
                         "this entry is about another line than the journal has");
    else if (audit->index.end && match.followed < match.lines)
        audit_contradict(verdict, LEDGER_FILE, (unsigned)match.entries,
                         "the contest is over, and the journal has %" PRIu64 " lines more",
                         match.lines - match.followed);
    if (rc == 0 && match.there)
        rc = audit_kept_check(audit->setup, verdict, err);
    else if (audit->setup->key || audit->setup->checkpoint_count)
        audit_contradict(verdict, LEDGER_FILE, 0, "there is no ledger to compare with");
    hold(verdict, match.entries);
    return rc == ERR_MEMORY ? rc : 0;
}

/* What of its ledger is not about a line of the journal. */
static int check_site(Audit *audit, Err *err)
{
    AuditVerdict *verdict = step_of(audit, AUDIT_SITE);
    int rc = audit_site_check(audit->setup->dir, &audit->plan, audit->index.end != 0, verdict, err);

    hold(verdict, verdict->count);
    return rc;
}

static int check_judging(Audit *audit, Err *err)
{
    AuditVerdict *verdict = step_of(audit, AUDIT_JUDGING);
    int rc = audit_judging_check(audit->setup->dir, verdict, err);

    hold(verdict, verdict->count);
    return rc;
}

/* A site's contest in natural language: programs are their makers', and answer to nobody twice. */
static int check_told(Audit *audit, Err *err)
{
    static const char why[] = "natural language: its games are told, not played again";
    CLEANUP(ledger_look_done) LedgerLook look = {.text = {0}};
    AuditVerdict *verdict = step_of(audit, AUDIT_LEDGER);
    Err own = {0};
    int rc = ledger_look(audit->setup->dir, &look, &own);

    if (rc == ERR_MEMORY)
        return err_set(err, ERR_MEMORY, "%s", own.msg);
    if (rc)
        audit_contradict(verdict, LEDGER_FILE, own.line, "%s", own.msg);
    rc = audit_kept_check(audit->setup, verdict, err);
    hold(verdict, look.reader.tree.size);
    for (AuditStep step = AUDIT_JOURNAL; step < AUDIT_SITE; step++)
        lack(step_of(audit, step), why);
    if (rc == 0)
        rc = check_site(audit, err);
    return rc ? rc : check_judging(audit, err);
}

static bool has_file(const Audit *audit, const char *name)
{
    CLEANUP(buf_done) Buf path = {0};

    buf_printf(&path, "%s/%s", audit->setup->dir, name);
    return !buf_failed(&path) && access(buf_cstr(&path), F_OK) == 0;
}

static int run_steps(Audit *audit, Err *err)
{
    int rc = manifest_check(audit->setup->dir, step_of(audit, AUDIT_FILES), err);

    if (rc == 0 && !has_file(audit, JOURNAL_FILE) && has_file(audit, LEDGER_FILE) &&
        step_of(audit, AUDIT_FILES)->state != AUDIT_ABSENT)
        return check_told(audit, err);
    lack(step_of(audit, AUDIT_JUDGING), "nobody judges but in natural language");
    if (rc == 0)
        rc = read_journal(audit, err);
    if (rc == 0)
        rc = check_ledger(audit, err);
    if (rc || step_of(audit, AUDIT_JOURNAL)->state == AUDIT_CONTRADICTED)
        return rc;
    rc = check_site(audit, err);
    if (rc)
        return rc;
    check_chance(audit);
    if (step_of(audit, AUDIT_CHANCE)->state == AUDIT_CONTRADICTED)
        return 0; /* nothing follows from a key that is not the one */
    if (audit->served)
        return check_served(audit, err);
    if (!has_keys(audit) && !audit->index.end) {
        static const char later[] = "a key is not published yet: it is when its stage is over";
        hold_journal(audit);
        for (AuditStep step = AUDIT_SEATS; step < AUDIT_SITE; step++)
            lack(step_of(audit, step), later);
        return 0;
    }
    return check_contest(audit, err);
}

int audit_run(const AuditSetup *setup, AuditReport *ret_report, Err *err)
{
    Audit audit = {.setup = setup, .report = ret_report, .games = {.dir = setup->dir}};
    int rc = plan_init(&audit.plan, err);

    *ret_report = (AuditReport){0};
    audit.index.file = -1;
    audit.scratch = mem_new(sizeof(*audit.scratch));
    if (rc == 0 && !audit.scratch)
        rc = err_set(err, ERR_MEMORY, "audit: out of memory");
    if (rc == 0)
        rc = run_steps(&audit, err);
    audit_games_done(&audit.games);
    audit_index_done(&audit.index);
    plan_done(&audit.plan);
    buf_done(&audit.line);
    buf_done(&audit.ranking);
    trial_done(&audit.trial);
    mem_free(audit.scratch);
    return rc;
}
