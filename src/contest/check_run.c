#include "contest/check_run.h"

#include "base/mem.h"
#include "cell/cell_start.h"
#include "contest/check_bot.h"
#include "contest/check_watch.h"
#include "disk/disk_call.h"
#include "match/draw_chance.h"
#include "match/hall.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>

#define TRIES     3
#define FATAL_MAX 3 /* failures in one play, behind which no more is learnt */
#define SEED      1
#define HOST      "127.0.0.1"

/* A check under way. */
typedef struct Checking {
    const CheckRun *run;
    AgentCheck *check;
    Cell *cell;
    ProcessWatch *eyes;
    Buf folder; /* for what it prints; empty = not made */

    /* one play */
    CheckPlay play;
    Plan plan;
    Loop *loop;
    CheckWatch watch;
    StageRun stage;
    TimeUs began;
    uint64_t games;   /* over, or given up with it */
    uint64_t game;    /* the one that is played */
    uint16_t day;     /* ... and its day */
    uint32_t answers; /* in this game */
    uint32_t fatal;
    bool interrupted;
} Checking;

static const int32_t players_of[CHECK_PLAYS] = {5, 15, 5, 15, 5};

static bool is_dialogue(CheckPlay play)
{
    return agent_check_step_of(play) == CHECK_DIALOGUE;
}

/* ---- what is seen ---- */

static void on_named(void *user, uint64_t set, Str agent, Str said, TimeUs now)
{
    const Checking *checking = user;

    (void)set;
    (void)agent;
    agent_check_named(checking->check, checking->play, said, now - checking->began);
}

static void on_begins(void *user, uint64_t game, SeatNo count, const Str *names, TimeUs now)
{
    Checking *checking = user;

    (void)count;
    (void)names;
    (void)now;
    check_watch_place(&checking->watch, game, 0);
    checking->game = game;
    checking->day = 0;
    checking->answers = 0;
}

static void on_heard(void *user, uint64_t game, const Event *event, TimeUs now)
{
    Checking *checking = user;

    (void)now;
    if (event->kind == EVENT_VOTE && event->round == 1 && event->seat == CHECK_BOT_AGENT)
        checking->check->plays[checking->play].revotes++;
    if (event->kind == EVENT_DAY) {
        check_watch_place(&checking->watch, game, event->day);
        checking->day = event->day;
    }
}

static void on_answered(void *user, uint64_t game, Str agent, const Answer *answer,
                        const View *view)
{
    Checking *checking = user;

    (void)agent;
    checking->answers++;
    agent_check_answer(checking->check, checking->play, game, answer, view);
}

static void on_fault(void *user, uint64_t set, uint64_t game, Str agent, const Fault *fault)
{
    Checking *checking = user;

    (void)set;
    (void)agent;
    checking->fatal += fault->fatal;
    agent_check_fault(checking->check, checking->play, game, fault,
                      checking->answers == 0 && checking->games > 0);
}

static int on_finished(void *user, const GameRecord *record, Str log, Err *err)
{
    Checking *checking = user;

    (void)log;
    (void)err;
    if (++checking->games == checking->check->plays[checking->play].planned)
        process_watch_look(checking->watch.eyes); /* nobody is asked any more: it costs no time */
    for (SeatNo seat = 1; seat <= record->result.seat_count; seat++)
        if (record->seats[seat].outside)
            agent_check_game(checking->check, checking->play, record, seat);
    return 0;
}

static void on_found(void *user, const Finding *finding)
{
    const Checking *checking = user;

    check_watch_find(finding, checking->check, checking->play, checking->game, checking->day);
}

/* Exact, where what is seen between two looks is not. */
static void on_used(void *user, const CellUse *use)
{
    const Checking *checking = user;
    const ProcessUse seen = {.threads = use->threads, .peak_kib = use->peak_kib};

    agent_check_use(checking->check, checking->play, &seen);
}

static void on_ended(void *user, ChildEnd how, Str last_lines)
{
    const Checking *checking = user;
    size_t at;

    agent_check_last_lines(checking->check, checking->play, last_lines);
    if (how.status == CELL_FAILED && !checking->check->named &&
        str_find(last_lines, STR(CHILD_FRONT_NAME ": "), &at))
        agent_check_ours(checking->check, str_part(last_lines, at, last_lines.len));
}

/* A program that can't be begun with is not waited for again. */
static bool goes_on(const Checking *checking)
{
    return checking->fatal < FATAL_MAX && (checking->fatal == 0 || checking->check->named);
}

static bool on_progress(void *user, uint64_t done, TimeUs now)
{
    Checking *checking = user;
    const CheckRun *run = checking->run;

    if (run->progress && !run->progress(run->user, checking->play, done,
                                        checking->check->plays[checking->play].planned, now))
        checking->interrupted = true;
    return !checking->interrupted && goes_on(checking);
}

static void on_note(void *user, Str text)
{
    (void)user; /* the report has all that is said of its end */
    (void)text;
}

static void on_over(void *user, TimeUs now)
{
    const Checking *checking = user;

    (void)now;
    loop_stop(checking->loop);
}

/* ---- a play ---- */

/* The agent is first: in a dialogue that is its seat. */
static int add_agents(Checking *checking, Err *err)
{
    const int32_t players = players_of[checking->play];
    PlanAgent bot = {.bot = is_dialogue(checking->play) ? &check_bot : bot_kind(STR("sample"))};
    int rc = plan_add_agent(&checking->plan, checking->run->agent, err);

    for (int32_t i = 1; rc == 0 && i < players; i++) {
        CLEANUP(buf_done) Buf name = {0};
        buf_printf(&name, "bot%02d", (int)i);
        rc = plan_agent_name(&bot, buf_str(&name), err);
        if (rc == 0)
            rc = plan_add_agent(&checking->plan, &bot, err);
    }
    return rc;
}

static int make_plan(Checking *checking, Err *err)
{
    const CheckRun *run = checking->run;
    const bool dialogue = is_dialogue(checking->play);
    const int32_t games = dialogue ? players_of[checking->play] : (int32_t)run->games;
    Plan *plan = &checking->plan;
    const PlanStage stage = {.name = "check",
                             .players = players_of[checking->play],
                             .games_per_set = games,
                             .sets = 1,
                             .pairing = dialogue ? PAIRING_ROTATE : PAIRING_RANDOM};
    int rc = plan_init(plan, err);

    if (rc)
        return rc;
    plan->on_fault = dialogue ? ON_FAULT_RESTART : ON_FAULT_FORFEIT_SET;
    plan->cell = run->wish;
    plan->limits.startup_ms = run->startup_ms;
    plan->limits.output_bytes = run->limits.output_bytes;
    if (dialogue)
        plan->rules.contest.agent_index = AGENT_INDEX_CONNECTION;
    if (run->limits.answer_ms)
        plan->rules.contest.time_limit_ms = plan->rules.contest.time_limit_told_ms =
            (int32_t)run->limits.answer_ms;
    checking->check->limits.answer_ms = (uint32_t)plan->rules.contest.time_limit_ms;
    rc = add_agents(checking, err);
    if (rc == 0)
        rc = plan_add_stage(plan, &stage, err);
    return rc ? rc : plan_check(plan, err);
}

/* One game in each role is enough: further ones count as played. */
static int leave_out_repeated_roles(const StageRun *stage, Played *played, Err *err)
{
    CLEANUP(mem_freep) GameRecord *record = mem_new(sizeof(*record));
    uint32_t seen = 0;
    int rc = record ? 0 : err_set(err, ERR_MEMORY, "check: out of memory");

    for (uint64_t game = 0; rc == 0 && game < draw_games(&stage->draw); game++) {
        uint8_t roles[SEAT_MAX + 1] = {0};
        draw_roles(&stage->draw, stage->agents, game, roles);
        const uint32_t bit = UINT32_C(1) << roles[CHECK_BOT_AGENT];
        record->game = game;
        if (seen & bit)
            rc = played_add_game(played, record, err);
        seen |= bit;
    }
    return rc;
}

static int play_hall(Checking *checking, const char *out, Err *err)
{
    const HallPlan plan = {.run = &checking->stage,
                           .tables = 1,
                           .out = out,
                           .fault = on_fault,
                           .game_begins = on_begins,
                           .heard = on_heard,
                           .named = on_named,
                           .answered = on_answered,
                           .note = on_note,
                           .over = on_over,
                           .user = checking};
    const PlanLimits *limits = &checking->plan.limits;
    ChildDoor door = {
        .host = HOST, .cell = checking->cell, .limits = {limits->line_bytes, limits->queue_bytes}};
    Hall *hall = NULL;
    int rc = loop_new(&checking->loop, err);

    if (rc)
        return rc;
    door.loop = checking->loop;
    checking->watch = (CheckWatch){.inner = child_door(&door),
                                   .eyes = checking->eyes,
                                   .found = on_found,
                                   .used = on_used,
                                   .ended = on_ended,
                                   .user = checking};
    const HallDoors doors = {loop_alarms(checking->loop), check_watch_door(&checking->watch)};
    rc = hall_new(&plan, &doors, &hall, err);
    checking->began = checking->run->now();
    if (rc == 0)
        rc = hall_open(hall, checking->began, err);
    if (rc == 0) {
        loop_run(checking->loop);
        rc = hall_result(hall, NULL, err);
    }
    hall_free(hall);
    check_watch_tell(&checking->watch, checking->check, checking->play);
    checking->loop = loop_free(checking->loop);
    return rc;
}

static int play_plan(Checking *checking, const char *out, Err *err)
{
    CLEANUP(played_done) Played played = {0};
    const Key key = key_of_seed(SEED);
    const Plan *plan = &checking->plan;
    CheckCourse *course = &checking->check->plays[checking->play];
    int rc = 0;

    checking->stage =
        (StageRun){.plan = plan,
                   .agents = plan->agents,
                   .draw = draw_of_key(&plan->stages[0], &plan->rules, plan->agent_count, &key,
                                       (uint32_t)checking->play),
                   .date = checking->run->date,
                   .finished = on_finished,
                   .progress = on_progress,
                   .user = checking};
    if (is_dialogue(checking->play)) {
        rc = leave_out_repeated_roles(&checking->stage, &played, err);
        checking->stage.played = &played;
    }
    if (rc)
        return rc;
    course->planned = stage_run_games_left(&checking->stage);
    rc = play_hall(checking, out, err);
    course->took_us = checking->run->now() - checking->began;
    course->complete = course->games == course->planned;
    return rc;
}

static int play(Checking *checking, CheckPlay which, Err *err)
{
    CLEANUP(buf_done) Buf out = {0};

    checking->play = which;
    checking->games = 0;
    checking->answers = checking->fatal = 0;
    buf_printf(&out, "%s/%u", buf_cstr(&checking->folder), (unsigned)which);
    if (disk_make_folder(buf_cstr(&out), 0700) && errno != EEXIST)
        return disk_error(err, "can't make the folder", buf_cstr(&out));
    int rc = make_plan(checking, err);
    if (rc == 0)
        rc = play_plan(checking, buf_cstr(&out), err);
    plan_done(&checking->plan);
    if (rc == 0)
        check_watch_output(buf_cstr(&out), checking->check, which);
    return rc;
}

/* ---- the whole ---- */

static void on_left(void *user, Str path)
{
    agent_check_left(user, path);
}

static int play_all(Checking *checking, Err *err)
{
    CLEANUP(folder_files_done) FolderFiles before = {0};
    CLEANUP(folder_files_done) FolderFiles after = {0};
    const PlanAgent *agent = checking->run->agent;
    const char *folder = agent->folder ? agent->folder : ".";
    int rc = 0;

    folder_files_read(folder, &before);
    for (CheckPlay which = 0; which < CHECK_PLAYS && rc == 0; which++) {
        if (which > 0 && !checking->check->named)
            break;
        rc = play(checking, which, err);
        if (rc == 0 && checking->interrupted)
            rc = err_set(err, ERR_INTERRUPTED, "interrupted: the agent is not judged");
    }
    folder_files_read(folder, &after);
    if (rc == 0)
        folder_files_compare(&before, &after, on_left, checking->check);
    return rc;
}

/* Runtimes that have threads of their own can't be told from programs that start some. */
static bool has_one_thread(const PlanAgent *agent)
{
    static const char *const many[] = {"java", "mono", "dotnet", "node"};
    const CellProfile *profile = agent->profile ? cell_profile(str_of(agent->profile)) : NULL;
    Str command = str_of(agent->command);
    Str word = str_cut(&command, ' ');
    size_t at;

    if (profile)
        return profile->one_thread;
    if (str_find_last(word, '/', &at))
        word = str_part(word, at + 1, word.len);
    for (size_t i = 0; i < sizeof(many) / sizeof(many[0]); i++)
        if (str_eq(word, str_of(many[i])))
            return false;
    return true;
}

static void begin_check(Checking *checking)
{
    const PlanAgent *agent = checking->run->agent;
    AgentCheck *check = checking->check;

    agent_check_done(check);
    *check = (AgentCheck){.limits = checking->run->limits};
    check->limits.one_thread = has_one_thread(agent);
    buf_add(&check->name, str_of(agent->name));
    check->level = CELL_NONE;
    if (checking->cell) {
        buf_add(&check->lack, cell_lack(checking->cell));
        buf_add(&check->layers, cell_layers(checking->cell));
        check->level = cell_level(checking->cell);
        check->strict = cell_level_is_strict(cell_level(checking->cell));
    }
    agent_check_command(check, str_of(agent->command));
}

/* Until nothing of ours gets in between. */
static int try_all(Checking *checking, Err *err)
{
    Err own = {0};
    int rc = 0;

    for (int attempt = 0; attempt < TRIES; attempt++) {
        own = (Err){0};
        begin_check(checking);
        rc = play_all(checking, &own);
        if (rc == ERR_INTERRUPTED || rc == ERR_MEMORY || (rc == 0 && !checking->check->ours.len))
            break;
    }
    if (rc)
        return err_set(err, (ErrCode)rc, "%s", own.msg);
    if (checking->check->ours.len)
        return err_set(
            err, ERR_IO,
            "the check broke %d times, which says nothing of the agent: %s; try it again "
            "when less runs on this machine",
            TRIES, buf_cstr(&checking->check->ours));
    if (agent_check_failed(checking->check))
        return err_set(err, ERR_MEMORY, "check: out of memory");
    agent_check_judge(checking->check);
    return 0;
}

static int make_folder(Buf *folder, Err *err)
{
    const char *parent = getenv("TMPDIR");

    buf_printf(folder, "%s/" CHECK_FOLDER "XXXXXX", parent && parent[0] ? parent : "/tmp");
    if (buf_failed(folder))
        return err_set(err, ERR_MEMORY, "check: out of memory");
    if (mkdtemp(folder->bytes))
        return 0;
    int rc = disk_error(err, "can't make the folder", folder->bytes);
    buf_done(folder);
    return rc;
}

static void remove_folder(Buf *path)
{
    DIR *folder = opendir(buf_cstr(path));
    const struct dirent *entry;
    const size_t len = path->len;

    while (folder && (entry = readdir(folder))) {
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
            continue;
        buf_printf(path, "/%s", entry->d_name);
        if (!buf_failed(path) && disk_remove(buf_cstr(path)))
            remove_folder(path);
        buf_cut(path, len);
    }
    if (folder)
        closedir(folder);
    disk_remove_in(AT_FDCWD, buf_cstr(path), AT_REMOVEDIR);
}

/* What it runs in; what should be known of it is a note, line by line. */
static int make_cell(Checking *checking, Err *err)
{
    const CheckRun *run = checking->run;
    CLEANUP(buf_done) Buf notes = {0};
    PlanAgent agent = *run->agent;
    const Plan plan = {.agents = &agent, .agent_count = 1, .cell = run->wish};
    int rc = 0;

    if (run->cell)
        rc = agent_cell_new(run->cell, buf_cstr(&checking->folder), &plan, &checking->cell, &notes,
                            err);
    for (Str rest = buf_str(&notes); rest.len && rc == 0 && run->note;)
        run->note(run->user, str_cut(&rest, '\n'));
    return rc;
}

int check_run(const CheckRun *run, AgentCheck *ret_check, Err *err)
{
    Checking *checking = mem_new(sizeof(*checking));

    if (!checking)
        return err_set(err, ERR_MEMORY, "check: out of memory");
    checking->run = run;
    checking->check = ret_check;
    int rc = make_folder(&checking->folder, err);
    if (rc == 0)
        rc = process_watch_new(&checking->eyes, err);
    if (rc == 0)
        rc = make_cell(checking, err);
    if (rc == 0)
        rc = try_all(checking, err);
    if (checking->folder.len)
        remove_folder(&checking->folder);
    process_watch_free(checking->eyes);
    cell_free(checking->cell);
    buf_done(&checking->folder);
    mem_free(checking);
    return rc;
}
