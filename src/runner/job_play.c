#include "runner/job_play.h"

#include "base/mem.h"
#include "contest/contest_run.h"
#include "disk/folder.h"
#include "match/table_room.h"
#include "runner/play_plan.h"
#include "spool/spool_head.h"
#include "wire/json_read.h"

#include <sys/stat.h>
#include <unistd.h>

#define TROUBLE_MAX   3 /* told of a team */
#define FAILED_BEFORE "failed"

/* What a team's version did in a testing round that suspends it. */
typedef struct Trouble {
    char team[AGENT_NAME_MAX + 1];
    unsigned told;
} Trouble;

/* The job under way. */
typedef struct Playing {
    const JobPlace *place;
    const json_t *job;
    Plan plan;
    Buf folder;
    bool testing;
    bool only_begins; /* the journal gets its first line, and nothing is played */
    uint64_t done;    /* games, as it was told last */
    TimeUs told;      /* ... and when */
    Buf notes;        /* what it says of waiting */
    Buf advanced;     /* names, commas between */
    uint64_t rounds;
    Trouble *trouble;  /* by agent of the plan */
    Conducts conducts; /* of a testing round */
    Json *out;
} Playing;

static void playing_done(Playing *playing)
{
    plan_done(&playing->plan);
    buf_done(&playing->folder);
    buf_done(&playing->notes);
    buf_done(&playing->advanced);
    mem_free(playing->trouble);
    conducts_done(&playing->conducts);
}

/* ---- while it is played ---- */

static bool on_progress(void *user, uint32_t stage, uint64_t done, uint64_t games, TimeUs now)
{
    Playing *playing = user;

    (void)stage;
    (void)games;
    if (done != playing->done && now - playing->told > 1000 * 1000) {
        playing->done = done;
        playing->told = now;
        job_place_got_on(playing->place);
    }
    return !playing->only_begins && !job_place_stopped(playing->place);
}

/* The last that was said. */
static void on_note(void *user, Str text)
{
    Playing *playing = user;

    buf_clear(&playing->notes);
    buf_add(&playing->notes, text);
}

static bool is_there(const char *folder)
{
    struct stat about;

    return stat(folder, &about) == 0;
}

static int play_contest(Playing *playing, ContestResult *ret_result, Err *err)
{
    const JobPlace *place = playing->place;
    const char *folder = buf_cstr(&playing->folder);
    const AgentCellSetup cell = {.own_verb = place->own_verb, .umask = place->umask};
    const ContestRun run = {.plan = &playing->plan,
                            .out = folder,
                            .resume = is_there(folder),
                            .logs = true,
                            .gzip = true,
                            .exchange = true,
                            .until = playing->testing ? 0 : play_plan_stage(playing->job) + 1,
                            .jobs = table_room_most(place->tables),
                            .cell = &cell,
                            .now = place->now,
                            .date = place->date,
                            .progress = on_progress,
                            .note = on_note,
                            .user = playing};
    int rc = folder_make_for(folder, err);

    return rc ? rc : contest_run(&run, ret_result, err);
}

/* ---- who is gone ---- */

/* Rulings that the journal has of teams that are gone. */
typedef struct Gone {
    const Playing *playing;
    bool *ruled; /* by agent of the plan */
    bool has_plan;
} Gone;

static int hear_ruling(void *user, const JournalRuling *ruling, Err *err)
{
    const Gone *gone = user;
    const Plan *plan = &gone->playing->plan;

    (void)err;
    for (uint32_t i = 0; i < plan->agent_count; i++)
        if (str_eq(ruling->agent, str_of(plan->agents[i].name)) &&
            str_eq(ruling->rule, STR("withdraw")))
            gone->ruled[i] = ruling->decision == RULING_ELIMINATE;
    return 0;
}

static uint32_t agent_of(const Plan *plan, Str name)
{
    uint32_t agent = 0;

    while (agent < plan->agent_count && !str_eq(name, str_of(plan->agents[agent].name)))
        agent++;
    return agent;
}

static int rule_gone(const Playing *playing, const bool *ruled, Journal *journal, Err *err)
{
    JsonReader reader = {.err = err};
    const json_t *agents = json_get_list(&reader, playing->job, "agents");
    int rc = reader.rc;

    for (size_t i = 0; i < json_count(agents) && rc == 0; i++) {
        const json_t *item = json_at(agents, i);
        const uint32_t agent = agent_of(&playing->plan, json_text(item, "team"));
        const JournalRuling ruling = {.stage = play_plan_stage(playing->job),
                                      .agent = json_text(item, "team"),
                                      .rule = STR("withdraw"),
                                      .decision = RULING_ELIMINATE,
                                      .reason = json_text(item, "gone"),
                                      .at_ms = playing->place->date()};
        if (ruling.reason.len && agent < playing->plan.agent_count && !ruled[agent])
            rc = journal_add_ruling(journal, &ruling, err);
    }
    return rc;
}

static int begin_journal(Playing *playing, Err *err)
{
    CLEANUP(contest_result_done) ContestResult came = {0};

    playing->only_begins = true;
    int rc = play_contest(playing, &came, err);
    playing->only_begins = false;
    return rc;
}

static bool is_somebody_gone(const Playing *playing)
{
    const json_t *agents = json_get(playing->job, "agents");

    for (size_t i = 0; i < json_count(agents); i++)
        if (json_text(json_at(agents, i), "gone").len)
            return true;
    return false;
}

/* Who is gone is not ranked: the journal says so before more is played. */
static int write_gone(Playing *playing, Err *err)
{
    const char *folder = buf_cstr(&playing->folder);
    CLEANUP(mem_freep) bool *ruled = mem_new(playing->plan.agent_count + (size_t)1);
    Gone gone = {.playing = playing, .ruled = ruled};
    const JournalListener listener = {.ruling = hear_ruling, .user = &gone};
    Journal *journal = NULL;

    if (!ruled)
        return err_set(err, ERR_MEMORY, "play: out of memory");
    if (!is_somebody_gone(playing))
        return 0;
    int rc = journal_exists(folder) ? 0 : begin_journal(playing, err);
    if (rc == 0)
        rc = journal_read(folder, &listener, NULL, err);
    if (rc == 0)
        rc = journal_continue(folder, &journal, err);
    if (rc)
        return rc;
    rc = rule_gone(playing, ruled, journal, err);
    int closed = journal_close(journal, rc ? NULL : err);
    return rc ? rc : closed;
}

/* ---- what came of it ---- */

static int hear_note(void *user, Str text, Err *err)
{
    Playing *playing = user;
    CLEANUP(buf_done) Buf begin = {0};
    size_t at;

    out_folder_cut_begin(&playing->plan.stages[play_plan_stage(playing->job)], &begin);
    if (buf_failed(&begin) || !str_starts(text, buf_str(&begin)))
        return buf_failed(&begin) ? err_set(err, ERR_MEMORY, "play: out of memory") : 0;
    text = str_part(text, begin.len, text.len);
    if (!str_find(text, STR(" go on"), &at))
        return 0;
    buf_clear(&playing->advanced);
    buf_add(&playing->advanced, str_part(text, 0, at));
    return 0;
}

static int hear_stop(void *user, const JournalStop *stop, Err *err)
{
    Playing *playing = user;

    (void)err;
    if (stop->stage == play_plan_stage(playing->job))
        playing->rounds = stop->rounds;
    return 0;
}

/* Which kind of fault ended its play in this game, or FAILED_BEFORE; NULL = nothing. */
static const char *fatal_fault(const SeatRecord *seat)
{
    if (!seat->failed)
        return NULL;
    for (FaultKind kind = 0; kind < FAULT_COUNT; kind++)
        if (seat->faults[kind] && kind != FAULT_VIOLATION)
            return fault_kind_name(kind);
    return FAILED_BEFORE;
}

/* `record` is the game, or NULL: of the whole round. */
static void tell_trouble(Playing *playing, uint32_t agent, const GameRecord *record,
                         const char *rule, uint64_t count)
{
    Trouble *trouble = &playing->trouble[agent];
    CLEANUP(buf_done) Buf text = {0};

    if (trouble->told++ >= TROUBLE_MAX)
        return;
    if (record)
        buf_printf(&text, "%s in game %llu of %u", rule, (unsigned long long)record->game,
                   record->result.seat_count);
    else
        buf_printf(&text, "%s, %llu times", rule, (unsigned long long)count);
    json_open(playing->out, '{');
    json_add_str(playing->out, "team", str_of(playing->plan.agents[agent].name));
    json_add_str(playing->out, "rule", str_of(rule));
    json_add_str(playing->out, "text", buf_str(&text));
    if (record) {
        json_add_uint(playing->out, "game", record->game);
        json_add_str(playing->out, "log", str_of(record->log));
    }
    json_close(playing->out);
}

/* What is more than noted, of all games together. */
static void tell_findings(Playing *playing)
{
    ConductFinding finding;

    for (uint32_t number = 0;
         playing->plan.conduct.given &&
         conducts_finding(&playing->conducts, &playing->plan.conduct, number, &finding);
         number++) {
        const uint32_t agent = agent_of(&playing->plan, str_of(finding.conduct->agent));
        if (finding.action != CONDUCT_NOTE && agent < playing->plan.agent_count &&
            playing->plan.agents[agent].tree)
            tell_trouble(playing, agent, NULL, conduct_rule_name(finding.rule), finding.count);
    }
}

static int hear_game(void *user, const GameRecord *record, Err *err)
{
    Playing *playing = user;

    if (!playing->testing)
        return 0;
    for (SeatNo seat = 1; seat <= record->result.seat_count; seat++) {
        const uint32_t agent = agent_of(&playing->plan, record->result.names[seat]);
        const char *rule = fatal_fault(&record->seats[seat]);
        const bool plays = agent < playing->plan.agent_count && playing->plan.agents[agent].tree;
        /* A substitute for who failed in a game before is told of by that one. */
        if (rule && plays && (strcmp(rule, FAILED_BEFORE) != 0 || !playing->trouble[agent].told))
            tell_trouble(playing, agent, record, rule, 1);
    }
    return conducts_add_game(&playing->conducts, record, err);
}

static void put_names(Json *json, Str names)
{
    json_open(json, '[');
    while (names.len)
        json_put_str(json, str_trim(str_cut(&names, ',')));
    json_close(json);
}

static int write_result(Playing *playing, const ContestResult *came, Err *err)
{
    const JournalListener listener = {
        .note = hear_note, .stop = hear_stop, .game = hear_game, .user = playing};
    Json *out = playing->out;

    playing->trouble = mem_new((playing->plan.agent_count + (size_t)1) * sizeof(*playing->trouble));
    if (!playing->trouble)
        return err_set(err, ERR_MEMORY, "play: out of memory");
    json_key(out, STR("trouble"));
    json_open(out, '[');
    int rc = journal_read(buf_cstr(&playing->folder), &listener, NULL, err);
    tell_findings(playing);
    json_close(out);
    json_add_bool(out, "over", came->reached);
    json_add_bool(out, "waiting", came->waiting || came->halted);
    json_add_uint(out, "games", came->games);
    json_add_uint(out, "rounds", playing->rounds);
    if (came->waiting || came->halted)
        json_add_str(out, "note", buf_str(&playing->notes));
    json_key(out, STR("advanced"));
    put_names(out, came->reached ? buf_str(&playing->advanced) : (Str){0});
    return rc;
}

static int find_folder(Playing *playing, Err *err)
{
    const Str folder = json_text(playing->job, "folder");
    const Str contest = json_text(playing->job, "contest");
    size_t at;

    if (!folder.len || str_find(folder, STR(".."), &at) || folder.bytes[0] == '/')
        return err_set(err, ERR_SYNTAX, "play: 'folder' is none of the contest's");
    buf_printf(&playing->folder, "%s/contests/%.*s/%.*s", playing->place->data, STR_ARG(contest),
               STR_ARG(folder));
    return buf_failed(&playing->folder) ? err_set(err, ERR_MEMORY, "play: out of memory") : 0;
}

int job_play(const JobPlace *place, const json_t *job, Json *result, Err *err)
{
    CLEANUP(playing_done)
    Playing playing = {.place = place,
                       .job = job,
                       .out = result,
                       .testing = str_eq(json_text(job, "stage"), STR(SPOOL_STAGE_TRY))};
    CLEANUP(contest_result_done) ContestResult came = {0};
    int rc = plan_init(&playing.plan, err);

    if (rc == 0)
        rc = find_folder(&playing, err);
    if (rc == 0)
        rc = play_plan_make(place->data, job, &playing.plan, err);
    if (rc)
        return rc;
    playing.plan.tables = place->tables;
    rc = playing.testing ? 0 : write_gone(&playing, err);
    if (rc == 0)
        rc = play_contest(&playing, &came, err);
    return rc ? rc : write_result(&playing, &came, err);
}
