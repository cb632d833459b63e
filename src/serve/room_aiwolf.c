/* A room's game of the protocol division: a hall of its own, whose callers are in this process. */
#include "disk/file_replace.h"
#include "disk/folder.h"
#include "match/draw_chance.h"
#include "match/hall.h"
#include "seat/aiwolf_bot.h"
#include "serve/room_chairs.h"
#include "serve/room_games_own.h"
#include "wire/aiwolf_answer.h"

#define GRACE_MS   1000
#define ID_BYTES   48
#define STARTUP_MS 10000

typedef struct AiwolfRoom AiwolfRoom;

typedef struct AiwolfCaller {
    AiwolfRoom *room;
    uint32_t chair;
    AiwolfBot *bot;
    const LinkEars *ears; /* NULL: its link is closed */
    AiwolfAgent *agent;
} AiwolfCaller;

/* Lines on their way. */
typedef struct AiwolfLetter {
    struct AiwolfLetter *next;
    AiwolfCaller *caller;
    bool to_hall;
    size_t bytes;
    char text[];
} AiwolfLetter;

struct AiwolfRoom {
    RoomGame base;
    RoomChairs chairs;
    RoomGameEvents events;
    const RoomGamesSetup *setup;
    Plan plan;
    StageRun run;
    HallPlan hall_plan;
    LiveSink live; /* ours: games of halls are numbers, which all rooms have */
    Hall *hall;
    AiwolfCaller callers[ROOM_PLAYERS_MAX]; /* by chair */
    AiwolfLetter *first, **last;
    Alarm alarm; /* letters, and the end */
    TimeUs now;
    char id[ID_BYTES];
    Buf answer;
    bool over, stopped;
    Err failed;
};

/* ---- lines ---- */

static void post_line(AiwolfCaller *caller, Str text, bool to_hall)
{
    AiwolfRoom *room = caller->room;
    AiwolfLetter *letter = mem_new(sizeof(*letter) + text.len);

    if (!letter) {
        err_set(&room->failed, ERR_MEMORY, "out of memory");
        return;
    }
    letter->caller = caller;
    letter->to_hall = to_hall;
    letter->bytes = text.len;
    memcpy(letter->text, text.bytes, text.len);
    *room->last = letter;
    room->last = &letter->next;
    alarm_soon(&room->alarm);
}

static void link_send_line(void *peer, Str bytes)
{
    post_line(peer, bytes, false);
}

static void link_close_caller(void *peer)
{
    ((AiwolfCaller *)peer)->ears = NULL;
}

static const LinkKind caller_link = {.send = link_send_line, .close = link_close_caller};

static AiwolfLetter *take_letter(AiwolfRoom *room)
{
    AiwolfLetter *letter = room->first;

    if (!letter)
        return NULL;
    room->first = letter->next;
    if (!room->first)
        room->last = &room->first;
    return letter;
}

/* Without its line end. */
static void tell_hall(AiwolfCaller *caller, Str line)
{
    if (caller->ears && line.len)
        caller->ears->heard(caller->agent, str_part(line, 0, line.len - 1), caller->room->now,
                            caller->room->now);
}

static void tell_caller(AiwolfCaller *caller, Str lines)
{
    Err err = {0};
    Str answer;

    while (lines.len && caller->ears) {
        Str line = str_cut(&lines, '\n');
        if (aiwolf_bot_line(caller->bot, line, caller->room->now, &answer, &err)) {
            caller->room->failed = err;
            return;
        }
        if (answer.len)
            post_line(caller, answer, true);
    }
}

static void carry_lines(AiwolfRoom *room)
{
    AiwolfLetter *letter;

    while ((letter = take_letter(room))) {
        Str text = {letter->text, letter->bytes};
        if (letter->to_hall)
            tell_hall(letter->caller, text);
        else
            tell_caller(letter->caller, text);
        mem_free(letter);
    }
}

/* From a browser's message, or an alarm. */
static void on_answer(void *user, uint32_t chair, const Ask *ask, const Answer *answer)
{
    AiwolfRoom *room = user;

    (void)ask;
    buf_clear(&room->answer);
    aiwolf_answer_write(answer, &room->answer);
    if (!buf_failed(&room->answer))
        post_line(&room->callers[chair], buf_str(&room->answer), true);
}

static void on_alarm(void *user, TimeUs now)
{
    AiwolfRoom *room = user;

    room->now = now;
    if (!room->over) {
        carry_lines(room);
        if (!room->over && room->failed.code)
            hall_stop(room->hall);
        return;
    }
    room->events.over(room->events.user,
                      room->failed.code ? str_of(room->failed.msg)
                      : room->stopped   ? STR("the game was ended by the operator")
                                        : STR(""),
                      now);
}

/* ---- what the hall tells ---- */

static void on_note(void *user, Str text)
{
    const AiwolfRoom *room = user;

    if (room->setup->note)
        room->setup->note(room->setup->user, text);
}

static void on_game_begins(void *user, uint64_t game, SeatNo count, const Str *names, TimeUs now)
{
    AiwolfRoom *room = user;

    (void)game;
    (void)count;
    (void)names;
    room_chairs_begin(&room->chairs, str_of(room->id), now);
}

static void on_fault(void *user, uint64_t set, uint64_t game, Str agent, const Fault *fault)
{
    const AiwolfRoom *room = user;
    CLEANUP(buf_done) Buf line = {0};

    (void)set;
    (void)game;
    if (!fault->fatal || !room->setup->note)
        return;
    buf_printf(&line, "room game %s: %.*s: ", room->id, STR_ARG(agent));
    fault_print(fault, &line);
    room->setup->note(room->setup->user, buf_str(&line));
}

static int keep_log(const AiwolfRoom *room, Str log, Err *err)
{
    CLEANUP(buf_done) Buf path = {0};
    int rc = folder_make(str_of(room->setup->logs), err);

    buf_printf(&path, "%s/%s.log", room->setup->logs, room->id);
    return rc ? rc : file_replace(buf_cstr(&path), log, false, err);
}

/* A log that can't be kept is no reason to end a game. */
static int on_finished(void *user, const GameRecord *record, Str log, Err *err)
{
    const AiwolfRoom *room = user;
    Err why = {0};

    (void)record;
    (void)err;
    if (room->run.logs && keep_log(room, log, &why))
        on_note(user, str_of(why.msg));
    return 0;
}

static void on_hall_over(void *user, TimeUs now)
{
    AiwolfRoom *room = user;

    (void)now;
    hall_result(room->hall, NULL, &room->failed);
    room->over = true;
    alarm_soon(&room->alarm);
}

/* ---- who watches ---- */

static void live_begins(void *user, const DocHead *head, TimeUs now)
{
    const AiwolfRoom *room = user;
    DocHead own = *head;

    own.id = str_of(room->id);
    own.source_name = str_of(room->id);
    room->setup->live->begins(room->setup->live->user, &own, now);
}

static void live_heard(void *user, Str id, const Event *event, TimeUs now)
{
    const AiwolfRoom *room = user;

    (void)id;
    room->setup->live->heard(room->setup->live->user, str_of(room->id), event, now);
}

static void live_fault(void *user, Str id, const Fault *fault, TimeUs now)
{
    const AiwolfRoom *room = user;

    (void)id;
    room->setup->live->fault(room->setup->live->user, str_of(room->id), fault, now);
}

static void live_asked(void *user, Str id, SeatNo seat, TimeUs now)
{
    const AiwolfRoom *room = user;

    (void)id;
    room->setup->live->asked(room->setup->live->user, str_of(room->id), seat, now);
}

static void live_ends(void *user, Str id, bool aborted, TimeUs now)
{
    const AiwolfRoom *room = user;

    (void)id;
    room->setup->live->ends(room->setup->live->user, str_of(room->id), aborted, now);
}

/* ---- the game ---- */

static int make_rules(const RoomOptions *options, Plan *plan, Err *err)
{
    int rc = plan_init(plan, err);

    if (rc == 0)
        rc = room_options_rules(options, &plan->rules, err);
    if (rc)
        return rc;
    plan->rules.contest.time_limit_ms = plan->rules.contest.time_limit_told_ms =
        (int32_t)options->answer_ms;
    plan->rules.contest.time_limit_grace_ms = GRACE_MS;
    if (ruleset_is_timed(&plan->rules))
        return err_set(err, ERR_RULE, "rules %s have timed rooms, which the division has not",
                       plan->rules.name);
    return 0;
}

static int make_plan(AiwolfRoom *room, const RoomOptions *options, const Key *key, Err *err)
{
    Plan *plan = &room->plan;
    int rc = make_rules(options, plan, err);

    if (rc)
        return rc;
    PlanStage stage = plan_default_stage(plan);
    stage.players = options->players;
    stage.games_per_set = 1;
    stage.sets = stage.games = 1;
    plan->limits.startup_ms = STARTUP_MS;
    plan->tables = 1;
    rc = plan_add_stage(plan, &stage, err);
    if (rc == 0)
        plan_use_key(plan, key);
    return rc;
}

static int aiwolf_check(const RoomGames *games, const RoomOptions *options, Err *err)
{
    CLEANUP(plan_done) Plan plan = {0};

    (void)games;
    return make_rules(options, &plan, err);
}

static RoomGame *aiwolf_free(RoomGame *game)
{
    AiwolfRoom *room = (AiwolfRoom *)game;
    AiwolfLetter *letter;

    alarm_stop(&room->alarm);
    hall_free(room->hall);
    room_chairs_done(&room->chairs);
    for (size_t i = 0; i < ROOM_PLAYERS_MAX; i++)
        aiwolf_bot_free(room->callers[i].bot);
    while ((letter = take_letter(room)))
        mem_free(letter);
    plan_done(&room->plan);
    buf_done(&room->answer);
    return mem_free(room);
}

static int open_link(void *user, const LinkEars *ears, AiwolfAgent *agent, Link *ret_link)
{
    AiwolfCaller *caller = user;

    caller->ears = ears;
    caller->agent = agent;
    *ret_link = (Link){&caller_link, caller};
    return 0;
}

static int open_caller(AiwolfRoom *room, uint32_t number, Err *err)
{
    AiwolfCaller *caller = &room->callers[number];
    AiwolfBotPlan plan = {.name = room->chairs.items[number].name};
    const HallCaller own = {open_link, caller};

    caller->room = room;
    caller->chair = number;
    plan.thinker = room_chair_thinker(&room->chairs.items[number], &plan.thinker_user);
    int rc = aiwolf_bot_new(&plan, &caller->bot, err);
    if (rc)
        return rc;
    rc = hall_opened(room->hall, &own, room->now);
    return rc ? err_set(err, (ErrCode)rc, "room: a seat can't be taken") : 0;
}

static int open_hall(AiwolfRoom *room, Err *err)
{
    const Plan *plan = &room->plan;
    const HallDoors doors = {.alarms = room->setup->alarms};

    room->run = (StageRun){.plan = plan,
                           .draw = draw_of_plan(plan, 0, 0, (uint32_t)plan->stages[0].players),
                           .logs = room->setup->logs != NULL,
                           .date = room->setup->date,
                           .finished = on_finished,
                           .user = room};
    room->live = (LiveSink){.begins = live_begins,
                            .heard = live_heard,
                            .fault = live_fault,
                            .asked = live_asked,
                            .ends = live_ends,
                            .user = room};
    room->hall_plan = (HallPlan){.run = &room->run,
                                 .live = room->setup->live ? &room->live : NULL,
                                 .tables = 1,
                                 .serve = true,
                                 .sets = 1,
                                 .fault = on_fault,
                                 .game_begins = on_game_begins,
                                 .note = on_note,
                                 .over = on_hall_over,
                                 .user = room};
    int rc = hall_new(&room->hall_plan, &doors, &room->hall, err);
    return rc ? rc : hall_open(room->hall, room->now, err);
}

static int aiwolf_begin(RoomGames *games, const RoomGamePlan *plan, const Key *key, TimeUs now,
                        RoomGame **ret_game, Err *err)
{
    AiwolfRoom *room = mem_new(sizeof(*room));

    if (!room)
        return err_set(err, ERR_MEMORY, "room: out of memory");
    room->base.kind = &room_aiwolf_kind;
    room->events = plan->events;
    room->setup = &games->setup;
    room->last = &room->first;
    room->now = now;
    snprintf(room->id, sizeof(room->id), "room-%s-%u", plan->code, plan->number);
    room->chairs.answer = on_answer;
    room->chairs.user = room;
    alarm_init(&room->alarm, games->setup.alarms, on_alarm, room);
    int rc = make_plan(room, plan->options, key, err);
    if (rc == 0)
        rc = room_chairs_make(&room->chairs, &games->setup, plan, key, err);
    if (rc == 0)
        rc = open_hall(room, err);
    for (uint32_t i = 0; i < room->chairs.count && rc == 0; i++)
        rc = open_caller(room, room->chairs.order[i], err);
    if (rc) {
        aiwolf_free(&room->base);
        return rc;
    }
    *ret_game = &room->base;
    return 0;
}

static void aiwolf_hear(RoomGame *game, uint32_t chair, const json_t *message, TimeUs now,
                        Buf *reply)
{
    room_chairs_hear(&((AiwolfRoom *)game)->chairs, chair, message, now, reply);
}

static void aiwolf_greet(RoomGame *game, uint32_t chair, TimeUs now,
                         void (*say)(void *user, Str json), void *user)
{
    room_chairs_greet(&((AiwolfRoom *)game)->chairs, chair, now, say, user);
}

static void aiwolf_set_away(RoomGame *game, uint32_t chair, bool away, TimeUs now)
{
    room_chairs_set_away(&((AiwolfRoom *)game)->chairs, chair, away, now);
}

static void aiwolf_stop(RoomGame *game, TimeUs now)
{
    AiwolfRoom *room = (AiwolfRoom *)game;

    (void)now;
    if (room->over)
        return;
    room->stopped = true;
    hall_stop(room->hall);
}

const RoomGameKind room_aiwolf_kind = {.check = aiwolf_check,
                                       .begin = aiwolf_begin,
                                       .hear = aiwolf_hear,
                                       .greet = aiwolf_greet,
                                       .set_away = aiwolf_set_away,
                                       .stop = aiwolf_stop,
                                       .free = aiwolf_free};
