#include "match/table.h"

#include "base/mem.h"
#include "match/draw_chance.h"
#include "referee/referee.h"
#include "seat/fate.h"

/* One seat for all games of the set. It is the `user` of its agent's events. */
typedef struct SetSeat {
    SetTable *table;
    SeatNo seat;
    PlanAgent plan;
    AiwolfAgent *agent; /* NULL: a bot, or nobody yet, or it has failed */
    Chair chair;        /* times and faults stay when its agent has gone */
    bool missing;
    bool failed;
    bool asked; /* an ask is open */
} SetSeat;

struct SetTable {
    const StageRun *run;
    Fate fate;
    TableEvents events;
    void *user;
    SeatNo seat_count;
    SetSeat seats[SEAT_MAX + 1];
    Referee *referee;
    GameRecorder recorder;
    GameSetup setup;
    AiwolfDayText day_text;
    Alarm alarm; /* the earliest deadline of a chair, or the end */
    TimeUs now;  /* of what was told it last */
    uint64_t next_game;
    uint64_t end_game;
    bool begun;     /* a game has begun */
    bool playing;   /* a game is under way */
    bool waiting;   /* for programs that are started anew, before game `recorder.record.game` */
    bool owed;      /* the next game waits for answers to one that was given up */
    bool stopped;   /* no game may follow */
    bool forfeited; /* the set ends with this game */
    bool failed_at_start; /* an agent did, in this call */
    bool over;
    Err err;
};

static uint64_t min_u64(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* ---- the end ---- */

/* `over` is told from the alarm, so that the table can be freed there. */
static void end_table(SetTable *table)
{
    table->over = true;
    table->playing = false;
    alarm_soon(&table->alarm);
}

/* ---- faults ---- */

/* It is counted already. */
static void tell_fault(SetTable *table, SeatNo seat, const Fault *fault)
{
    Fault seated = *fault;

    seated.seat = seat;
    table->failed_at_start |= !table->begun;
    table->events.fault(table->user, table, table->recorder.record.game, &seated);
}

static void go_on(SetTable *table);
static void begin_when_answered(SetTable *table);

static int32_t failed_count(const SetTable *table)
{
    int32_t failed = 0;

    for (SeatNo seat = 1; seat <= table->seat_count; seat++)
        failed += table->seats[seat].failed;
    return failed;
}

/* Its chair is OUT. */
static void lose_seat(SetSeat *lost, const Fault *fault)
{
    SetTable *table = lost->table;
    const Answer lapse = {.kind = lost->chair.kind, .lapse = true};

    if (lost->failed || table->over) /* behind its last game everybody may go */
        return;
    lost->failed = true;
    lost->missing = false;
    tell_fault(table, lost->seat, fault);
    lost->agent = aiwolf_agent_free(lost->agent);
    table->forfeited |= table->fate.ends_set;
    if (!table->playing) {
        begin_when_answered(table);
        return;
    }
    if (fate_of(&table->fate, failed_count(table), true) == FATE_ABORT)
        referee_abort(table->referee);
    else if (lost->asked)
        referee_answer(table->referee, lost->seat, &lapse, NULL, NULL);
    lost->asked = false;
    go_on(table);
}

void set_table_fail_seat(SetTable *table, SeatNo seat, const Fault *fault, TimeUs now)
{
    SetSeat *lost = &table->seats[seat];

    if (lost->failed || table->over)
        return;
    table->now = now;
    chair_give_up(&lost->chair, fault->kind);
    lose_seat(lost, fault);
}

/* ---- what agents report ---- */

static void on_named(void *user)
{
    (void)user; /* the hall has seen to it */
}

static void on_answered(void *user, const Answer *answer, TimeUs at)
{
    SetSeat *seat = user;
    SetTable *table = seat->table;
    bool in_language = true;

    (void)at;
    table->now = aiwolf_agent_now(seat->agent);
    seat->asked = false;
    if (!table->playing) {
        begin_when_answered(table);
        return;
    }
    /* The engine takes the answer: the chair's state says that it was asked just this. */
    int rc = referee_answer(table->referee, seat->seat, answer, &in_language, &table->err);
    if (rc == 0 && !in_language && table->run->plan->rules.talk.validate) {
        const Fault fault = {.kind = FAULT_VIOLATION,
                             .day = game_day(referee_game(table->referee)),
                             .request = answer->kind == ASK_TALK ? "TALK" : "WHISPER",
                             .bytes = str_part(answer->text, 0, FAULT_BYTES_MAX)};
        seat->chair.counts.faults[FAULT_VIOLATION]++;
        tell_fault(table, seat->seat, &fault);
    }
    go_on(table);
}

static void on_failed(void *user, const Fault *fault)
{
    SetSeat *seat = user;

    seat->table->now = aiwolf_agent_now(seat->agent);
    lose_seat(user, fault);
}

static void on_counted(void *user, const Fault *fault)
{
    const SetSeat *seat = user;

    tell_fault(seat->table, seat->seat, fault);
}

static const AiwolfAgentEvents agent_events = {on_named, on_answered, on_failed, on_counted};

/* ---- what the referee wants ---- */

static bool ask_seat(void *user, const Ask *asked, const View *view, Answer *ret_answer)
{
    SetSeat *seat = user;

    if (!seat->agent) {
        ret_answer->lapse = true;
        return true;
    }
    seat->asked = true;
    aiwolf_agent_ask(seat->agent, asked, view, seat->table->now);
    alarm_at(&seat->table->alarm, chair_deadline(&seat->chair), true);
    return false;
}

static AiwolfRequest request_of_tell(Tell what)
{
    switch (what) {
    case TELL_GAME:
        return AIWOLF_INITIALIZE;
    case TELL_DAY:
        return AIWOLF_DAILY_INITIALIZE;
    case TELL_NIGHT:
        return AIWOLF_DAILY_FINISH;
    case TELL_END:
        break;
    }
    return AIWOLF_FINISH;
}

static void tell_seat(void *user, Tell what, const View *view)
{
    SetSeat *seat = user;

    if (seat->agent)
        aiwolf_agent_tell(seat->agent, request_of_tell(what), view);
}

/* ---- games ---- */

/* Agents that take their chance from what they are told must not play two games alike; so each game
 * tells another number. It comes from the game's number alone: nothing leads to the real seed. */
static int64_t told_seed(uint64_t game)
{
    return (int64_t)(rng_derive(0, game) >> 1);
}

/* Behind a game: what programs do wrong from now on, while they start, goes with the next one. */
static void forget_game(SetTable *table, uint64_t next)
{
    for (SeatNo seat = 1; seat <= table->seat_count; seat++)
        chair_forget(&table->seats[seat].chair);
    table->recorder.record.game = next;
}

static void begin_seat(SetTable *table, SetSeat *seat)
{
    if (seat->agent)
        aiwolf_agent_begin_game(seat->agent, told_seed(table->recorder.record.game));
    seat->asked = false;
}

static void record_seat(SetTable *table, const SetSeat *seat)
{
    SeatRecord *record = &table->recorder.record.seats[seat->seat];

    if (seat->plan.bot)
        return; /* it never has anything */
    record->outside = true;
    record->kind = seat->plan.model || seat->plan.tells ? SEAT_MODEL : SEAT_AGENT;
    chair_record(&seat->chair, record);
}

/* Passes over the games that are played already. */
static void skip_played(SetTable *table)
{
    const Played *played = table->run->played;

    while (played && table->next_game < table->end_game &&
           played_has_game(played, table->next_game))
        table->next_game++;
}

/* The next game that is not played yet; false when there is none. */
static bool next_game(SetTable *table, uint64_t *ret_game)
{
    skip_played(table);
    if (table->next_game >= table->end_game || table->stopped)
        return false;
    /* A set that is forfeited before its first game has that one, aborted: else nothing would say
     * who has failed. */
    if (table->forfeited && (table->begun || !table->failed_at_start))
        return false;
    *ret_game = table->next_game++;
    return true;
}

static void on_event(void *user, const Event *event)
{
    SetTable *table = user;
    const Recorder recorder = game_recorder_listener(&table->recorder);

    recorder.event(recorder.user, event);
    table->events.heard(table->user, table, table->recorder.record.game, event);
}

static int begin_game(SetTable *table, uint64_t game)
{
    const StageRun *run = table->run;
    GameRecorder *recorder = &table->recorder;
    const Recorder listener =
        table->events.heard ? (Recorder){on_event, table} : game_recorder_listener(recorder);

    game_recorder_begin(recorder, table->seat_count, run->logs);
    stage_run_begin_game(run, game, &table->setup, &recorder->record);
    for (SeatNo seat = 1; seat <= table->seat_count; seat++)
        begin_seat(table, &table->seats[seat]);
    table->begun = table->playing = true;
    if (table->events.begins)
        table->events.begins(table->user, table, recorder->record.game);
    const GameKey key = draw_game_key(&run->draw, game);
    return referee_begin(table->referee, &table->setup, &key, &listener, &table->err);
}

static int finish_game(SetTable *table)
{
    GameRecorder *recorder = &table->recorder;

    table->playing = false;
    for (SeatNo seat = 1; seat <= table->seat_count; seat++)
        record_seat(table, &table->seats[seat]);
    stage_run_end_game(&recorder->record);
    if (buf_failed(&recorder->log))
        return err_set(&table->err, ERR_MEMORY, "log: out of memory");
    return table->events.finished(table->user, table, &recorder->record, buf_str(&recorder->log),
                                  &table->err);
}

/* Has the programs of agents that have failed started anew; whether one waits for them. */
static bool await_restarts(SetTable *table)
{
    if (!table->fate.renews || !table->events.restart)
        return false;
    for (SeatNo seat = 1; seat <= table->seat_count; seat++) {
        SetSeat *failed = &table->seats[seat];
        if (!failed->failed || !failed->plan.command)
            continue;
        failed->failed = false;
        failed->missing = true;
        if (!table->events.restart(table->user, table, seat)) {
            failed->failed = true;
            failed->missing = false;
        }
    }
    table->waiting = set_table_missing(table) != 0;
    return table->waiting;
}

/* Whether somebody was asked in a game that was given up and has not answered yet. Its answer would
 * be taken for one to the first request of the next game, and its next one be a fault: so that game
 * waits until it has come, or its time is up. */
static bool has_open_asks(const SetTable *table)
{
    for (SeatNo seat = 1; seat <= table->seat_count; seat++)
        if (table->seats[seat].agent && table->seats[seat].asked)
            return true;
    return false;
}

static void begin_when_answered(SetTable *table)
{
    if (!table->owed || has_open_asks(table))
        return;
    table->owed = false;
    begin_game(table, table->recorder.record.game);
    go_on(table);
}

/* Plays until agents have to answer, through as many games as that takes. */
static void go_on(SetTable *table)
{
    uint64_t game;
    int rc = table->err.code;

    if (table->over)
        return;
    while (rc == 0) {
        rc = referee_go(table->referee, &table->err);
        if (rc == 0)
            return; /* somebody has to answer */
        if (rc > 0)
            rc = finish_game(table);
        if (rc == 0 && !next_game(table, &game))
            break;
        if (rc == 0) {
            forget_game(table, game);
            if (await_restarts(table))
                return;
            table->owed = has_open_asks(table);
            if (table->owed)
                return;
            rc = begin_game(table, game);
        }
    }
    end_table(table);
}

void set_table_play_on(SetTable *table, TimeUs now)
{
    if (!table->waiting || table->over)
        return;
    table->waiting = false;
    table->now = now;
    begin_game(table, table->recorder.record.game);
    go_on(table);
}

void set_table_start(SetTable *table, TimeUs now)
{
    uint64_t game;

    table->now = now;
    if (!next_game(table, &game)) {
        end_table(table);
        return;
    }
    begin_game(table, game);
    if (table->forfeited)
        referee_abort(table->referee);
    go_on(table);
}

void set_table_stop(SetTable *table)
{
    table->stopped = true;
    if (!table->over)
        end_table(table);
}

/* ---- clock ---- */

static void on_alarm(void *user, TimeUs now)
{
    SetTable *table = user;
    TimeUs next = TIME_US_NEVER;

    table->now = now;
    for (SeatNo seat = 1; seat <= table->seat_count && !table->over; seat++)
        if (table->seats[seat].agent)
            aiwolf_agent_due(table->seats[seat].agent, now);
    if (table->over) {
        table->events.over(table->user, table, &table->err);
        return;
    }
    for (SeatNo seat = 1; seat <= table->seat_count; seat++) {
        const SetSeat *seated = &table->seats[seat];
        if (seated->agent && chair_deadline(&seated->chair) < next)
            next = chair_deadline(&seated->chair);
    }
    alarm_at(&table->alarm, next, false);
}

/* ---- seats ---- */

void set_table_seat(SetTable *table, SeatNo seat, AiwolfAgent *take_agent)
{
    SetSeat *taken = &table->seats[seat];

    taken->agent = take_agent;
    taken->missing = false;
    aiwolf_agent_attach(take_agent, &agent_events, taken);
    aiwolf_agent_join(take_agent, &taken->chair, &table->day_text);
}

static void lay_seat(SetTable *table, SeatNo seat, const PlanAgent *agent, bool failed)
{
    SetSeat *laid = &table->seats[seat];
    const Player player = {ask_seat, tell_seat, laid};

    *laid = (SetSeat){.table = table,
                      .seat = seat,
                      .plan = *agent,
                      .missing = !agent->bot && !failed,
                      .failed = !agent->bot && failed,
                      .chair.state = failed ? CHAIR_OUT : CHAIR_IDLE};
    table->recorder.record.result.names[seat] = str_of(laid->plan.name);
    if (agent->bot)
        referee_seat(table->referee, seat, agent->bot);
    else
        referee_seat_player(table->referee, seat, &player);
}

/* Else a substitute plays on. */
static Fate fate_of_rule(OnFault on_fault)
{
    bool forfeits = on_fault == ON_FAULT_FORFEIT_SET;
    bool aborts = forfeits || on_fault == ON_FAULT_ABORT_GAME;

    return (Fate){.aborts_at = aborts ? 1 : FATE_NEVER,
                  .ends_at = FATE_NEVER,
                  .ends_set = forfeits,
                  .renews = on_fault == ON_FAULT_RESTART};
}

int set_table_new(Alarms *alarms, const StageRun *run, uint64_t set,
                  const PlanAgent *const agents[], const TableEvents *events, void *user,
                  SetTable **ret_table, Err *err)
{
    const BotKind *nobody[SEAT_MAX + 1] = {0};
    const PlayedSet *before = run->played ? played_set(run->played, set) : NULL;
    uint64_t per_set = (uint64_t)run->draw.stage->games_per_set;
    SetTable *table = mem_new(sizeof(*table));

    if (!table)
        return err_set(err, ERR_MEMORY, "new table: out of memory");
    alarm_init(&table->alarm, alarms, on_alarm, table);
    table->run = run;
    table->events = *events;
    table->user = user;
    table->seat_count = (SeatNo)run->draw.stage->players;
    table->next_game = set * per_set;
    table->end_game = min_u64(table->next_game + per_set, draw_games(&run->draw));
    table->fate = fate_of_rule(run->plan->on_fault);
    table->forfeited = before && before->failed && table->fate.ends_set;
    int rc = referee_new(&run->plan->rules, run->draw.stage->players, nobody, &table->referee, err);
    if (rc) {
        set_table_free(table);
        return rc;
    }
    for (SeatNo seat = 1; seat <= table->seat_count; seat++)
        lay_seat(table, seat, agents[seat],
                 before && !table->fate.renews && seat_in(before->failed, seat));
    skip_played(table);
    table->recorder.record.game =
        run->game_base + table->next_game; /* for faults before it begins */
    *ret_table = table;
    return 0;
}

SetTable *set_table_free(SetTable *table)
{
    if (!table)
        return NULL;
    for (SeatNo seat = 1; seat <= table->seat_count; seat++)
        aiwolf_agent_free(table->seats[seat].agent);
    aiwolf_day_text_done(&table->day_text);
    alarm_stop(&table->alarm);
    referee_free(table->referee);
    game_recorder_done(&table->recorder);
    return mem_free(table);
}

/* ---- reading ---- */

SeatSet set_table_missing(const SetTable *table)
{
    SeatSet missing = 0;

    for (SeatNo seat = 1; seat <= table->seat_count; seat++)
        if (table->seats[seat].missing)
            missing |= seat_bit(seat);
    return missing;
}

TimeUs set_table_now(const SetTable *table)
{
    return table->now;
}

SeatNo set_table_seat_count(const SetTable *table)
{
    return table->seat_count;
}

Str set_table_name(const SetTable *table, SeatNo seat)
{
    return str_of(table->seats[seat].plan.name);
}

uint64_t set_table_asks(const SetTable *table)
{
    return referee_asks(table->referee);
}
