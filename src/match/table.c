#include "match/table.h"

#include "base/mem.h"
#include "match/draw_chance.h"
#include "record/exchange.h"
#include "referee/sentences.h"
#include "table/table.h"

/* One seat for all games of the set. It is the `user` of its agent's events. */
typedef struct SetSeat {
    SetTable *table;
    SeatNo seat;
    PlanAgent plan;
    AiwolfAgent *agent; /* NULL: a bot, or nobody yet, or it has failed; times and faults stay */
    bool missing;
    bool failed;
    uint32_t findings[FINDING_RULES]; /* of this game, or of the next one */
} SetSeat;

struct SetTable {
    Table core;
    const StageRun *run;
    TableEvents events;
    void *user;
    SetSeat seats[SEAT_MAX + 1];
    Sentences sentences;
    uint64_t asks;
    GameRecord record;
    AiwolfLogWriter writer;
    Buf log;                 /* empty when it is not wanted */
    ExchangeHeader header;   /* of `exchange`: what is the same for all games */
    ExchangeWriter exchange; /* empty when it is not wanted */
    TimeUs heard_at;         /* when the answer came that is told now */
    GameSetup setup;
    AiwolfDayText day_text;
    Alarm alarm; /* the earliest deadline of a chair, or the end */
    uint64_t next_game;
    uint64_t end_game;
    bool begun;           /* a game has begun */
    bool playing;         /* a game is under way */
    bool waiting;         /* for programs that are started anew, before game `record.game` */
    bool owed;            /* the next game waits for answers to one that was given up */
    bool held;            /* no further game may begin now: `record.game` waits */
    bool stopped;         /* no game may follow */
    bool forfeited;       /* the set ends with this game */
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
    table->events.fault(table->user, table, table->record.game, &seated);
}

static void go_on(SetTable *table);
static void begin_when_answered(SetTable *table);

/* Its agent is gone, for good. */
static void drop_agent(SetSeat *lost)
{
    lost->agent = aiwolf_agent_free(lost->agent);
    lost->table->forfeited |= lost->table->core.fate.ends_set;
}

/* Its chair is OUT. */
static void lose_seat(SetSeat *lost, const Fault *fault)
{
    SetTable *table = lost->table;
    const ChairReport report = {.at_fault = true, .fault = *fault};

    if (lost->failed || table->over) /* behind its last game everybody may go */
        return;
    lost->failed = true;
    lost->missing = false;
    if (!table->playing) {
        table->core.places[lost->seat].asked = false;
        tell_fault(table, lost->seat, fault);
        drop_agent(lost);
        begin_when_answered(table);
        return;
    }
    table_came(&table->core, lost->seat, CAME_OUT, &report, STR(""), "");
    go_on(table);
}

void set_table_fail_seat(SetTable *table, SeatNo seat, const Fault *fault, TimeUs now)
{
    SetSeat *lost = &table->seats[seat];

    if (lost->failed || table->over)
        return;
    table->core.now = now;
    chair_give_up(&table->core.places[seat].chair, fault->kind);
    lose_seat(lost, fault);
}

bool set_table_found(SetTable *table, SeatNo seat, const Finding *finding, uint64_t *ret_game,
                     uint16_t *ret_day)
{
    uint32_t *count = &table->seats[seat].findings[finding->rule];

    if (table->over)
        return false;
    *count += finding->count < UINT32_MAX - *count ? finding->count : UINT32_MAX - *count;
    *ret_game = table->record.game;
    *ret_day = table->playing ? (uint16_t)game_day(table->core.game) : 0;
    return true;
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
    const ChairReport report = {.asked = true, .answer = *answer};

    table->heard_at = at;
    table->core.now = aiwolf_agent_now(seat->agent);
    if (!table->playing) {
        table->core.places[seat->seat].asked = false;
        begin_when_answered(table);
        return;
    }
    table_came(&table->core, seat->seat, CAME_ANSWER, &report, STR(""), "");
    go_on(table);
}

static void on_failed(void *user, const Fault *fault)
{
    SetSeat *seat = user;

    seat->table->core.now = aiwolf_agent_now(seat->agent);
    lose_seat(user, fault);
}

static void on_counted(void *user, const Fault *fault)
{
    const SetSeat *seat = user;

    tell_fault(seat->table, seat->seat, fault);
}

static const AiwolfAgentEvents agent_events = {on_named, on_answered, on_failed, on_counted};

/* ---- what becomes of a game ---- */

static void on_event(void *user, const Event *event)
{
    SetTable *table = user;

    if (table->run->logs)
        aiwolf_log_event(&table->writer, event, &table->log);
    if (table->events.heard)
        table->events.heard(table->user, table, table->record.game, event);
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

static void on_tell(void *user, SeatNo seat, Tell what)
{
    SetTable *table = user;

    if (table->seats[seat].agent)
        aiwolf_agent_tell(table->seats[seat].agent, request_of_tell(what),
                          game_view(table->core.game, seat));
}

static void on_asked(void *user, const Ask *ask)
{
    SetTable *table = user;

    if (table->run->exchange)
        exchange_ask(&table->exchange, ask);
    if (table->events.asked)
        table->events.asked(table->user, table, ask);
}

/* As it came, before the rules make anything of it. */
static void keep_answer(SetTable *table, SeatNo seat, const Answer *answer)
{
    const TablePlace *place = &table->core.places[seat];
    const AnswerClock *clock = &place->chair.clock;

    const bool no_bids = answer->kind == ASK_BID && !place->chair.bids;

    if (place->kind || no_bids)
        exchange_bot(&table->exchange, seat, answer);
    else if (answer->lapse)
        exchange_lapse(&table->exchange, seat);
    else {
        TimeUs elapsed = table->heard_at > clock->sent_at ? table->heard_at - clock->sent_at : 0;
        exchange_answer(&table->exchange, seat, aiwolf_agent_line(table->seats[seat].agent),
                        elapsed, clock->waited < elapsed ? clock->waited : elapsed);
    }
}

static void on_exchange(void *user, const TableExchange *exchange)
{
    SetTable *table = user;
    const SeatNo seat = exchange->seat;

    if (table->events.answered && table->seats[seat].agent && !exchange->answer->lapse)
        table->events.answered(table->user, table, table->record.game, seat, exchange->answer,
                               game_view(table->core.game, seat));
}

static void on_judge(void *user, SeatNo seat, Answer *answer)
{
    SetTable *table = user;

    if (table->run->exchange)
        keep_answer(table, seat, answer);
    table->asks++;
    sentences_turn(&table->sentences, game_day(table->core.game));
    sentences_parse(&table->sentences, answer);
}

static void on_judged(void *user, SeatNo seat, const Answer *answer)
{
    SetTable *table = user;
    const Fault fault = {.kind = FAULT_VIOLATION,
                         .day = game_day(table->core.game),
                         .request = answer->kind == ASK_TALK ? "TALK" : "WHISPER",
                         .bytes = str_part(answer->text, 0, FAULT_BYTES_MAX)};

    if (table->err.code || sentences_allow(answer) || !table->run->plan->rules.talk.validate)
        return;
    table->core.places[seat].chair.counts.faults[FAULT_VIOLATION]++;
    tell_fault(table, seat, &fault);
}

static void on_fault(void *user, SeatNo seat, const Fault *fault)
{
    SetTable *table = user;

    if (table->run->exchange)
        exchange_fault(&table->exchange, seat, fault);
    tell_fault(user, seat, fault);
}

static void on_left(void *user, SeatNo seat, const char *why)
{
    (void)why; /* the fault says it */
    drop_agent(&((SetTable *)user)->seats[seat]);
}

static const TableDivision division = {.event = on_event,
                                       .tell = on_tell,
                                       .asked = on_asked,
                                       .exchange = on_exchange,
                                       .judge = on_judge,
                                       .judged = on_judged,
                                       .fault = on_fault,
                                       .left = on_left};

/* ---- games ---- */

/* Behind a game: what programs do wrong from now on, while they start, goes with the next one. */
static void forget_game(SetTable *table, uint64_t next)
{
    for (SeatNo seat = 1; seat <= table->core.count; seat++)
        chair_forget(&table->core.places[seat].chair);
    table->record.game = next;
}

static void begin_seat(SetTable *table, SetSeat *seat)
{
    if (seat->agent)
        aiwolf_agent_begin_game(seat->agent, draw_told_seed(table->record.game));
}

/* They go into the record, and the next game begins with none. */
static void record_findings(SetTable *table, SetSeat *seat)
{
    SeatRecord *own = &table->record.seats[seat->seat];

    memcpy(own->findings, seat->findings, sizeof(own->findings));
    memset(seat->findings, 0, sizeof(seat->findings));
}

static void record_kind(SetTable *table, const SetSeat *seat)
{
    const PlanAgent *plan = &seat->plan;

    if (!plan->bot)
        table->record.seats[seat->seat].kind = plan->model || plan->tells ? SEAT_MODEL : SEAT_AGENT;
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

/* What one bot shows of its chance says nothing of another's. */
static void start_bots(SetTable *table, const GameKey *key)
{
    bool listened = false;

    for (SeatNo seat = 1; seat <= table->core.count; seat++)
        listened |= table->core.places[seat].kind != NULL;
    sentences_begin(&table->sentences, listened, game_day(table->core.game));
    for (SeatNo seat = 1; seat <= table->core.count; seat++) {
        const TablePlace *place = &table->core.places[seat];
        if (place->kind)
            place->kind->start(place->bot, game_view(table->core.game, seat),
                               game_key_bot_seed(key, seat));
    }
}

static void begin_exchange(SetTable *table, uint64_t number)
{
    ExchangeHeader *header = &table->header;
    const GameRecord *record = &table->record;

    header->stage = record->stage;
    header->part = table->run->draw.part;
    header->set = record->set;
    header->game = record->game;
    header->number = number;
    header->deal = record->deal;
    header->told_seed = draw_told_seed(record->game);
    memcpy(header->names, record->result.names, sizeof(header->names));
    memcpy(header->fixed, table->setup.fixed, sizeof(header->fixed));
    exchange_begin(&table->exchange, header);
}

static void begin_game(SetTable *table, uint64_t game)
{
    const StageRun *run = table->run;
    const GameKey key = draw_game_key(&run->draw, game);

    buf_clear(&table->log);
    if (run->logs)
        aiwolf_log_begin(&table->writer, table->core.count, table->record.result.names);
    stage_run_begin_game(run, game, &table->setup, &table->record);
    if (run->exchange)
        begin_exchange(table, game);
    for (SeatNo seat = 1; seat <= table->core.count; seat++)
        begin_seat(table, &table->seats[seat]);
    table->begun = table->playing = true;
    if (table->events.begins)
        table->events.begins(table->user, table, table->record.game);
    if (table_begin(&table->core, &table->setup, game_key_chance(&key), &table->err) == 0)
        start_bots(table, &key);
}

/* Digests of log and exchange, for the record. */
static int end_exchange(SetTable *table, Err *err)
{
    GameRecord *record = &table->record;

    exchange_end(&table->exchange, record->reason);
    if (buf_failed(&table->exchange.out))
        return err_set(err, ERR_MEMORY, "exchange record: out of memory");
    record->exchange = buf_str(&table->exchange.out);
    int rc = sha256_hex(record->exchange, record->exchange_sha256, err);
    return rc ? rc : sha256_hex(buf_str(&table->log), record->log_sha256, err);
}

static int finish_game(SetTable *table)
{
    table->playing = false;
    for (SeatNo seat = 1; seat <= table->core.count; seat++)
        record_kind(table, &table->seats[seat]);
    table_record(&table->core, &table->record);
    for (SeatNo seat = 1; seat <= table->core.count; seat++) {
        record_findings(table, &table->seats[seat]);
        if (table->events.decided)
            table->events.decided(table->user, seat, &table->record.seats[seat]);
    }
    stage_run_end_game(table->run, &table->record);
    if (buf_failed(&table->log))
        return err_set(&table->err, ERR_MEMORY, "log: out of memory");
    if (table->run->exchange && end_exchange(table, &table->err))
        return table->err.code;
    return table->events.finished(table->user, table, &table->record, buf_str(&table->log),
                                  &table->err);
}

/* Has the programs of agents that have failed started anew; whether one waits for them. */
static bool await_restarts(SetTable *table)
{
    if (!table->core.fate.renews || !table->events.restart)
        return false;
    for (SeatNo seat = 1; seat <= table->core.count; seat++) {
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

/* Nobody lets the next game begin now. */
static bool is_held(SetTable *table)
{
    table->held = table->events.holds && table->events.holds(table->user);
    return table->held;
}

/* Somebody who was asked in a game that was given up may not have answered yet. Its answer would be
 * taken for one to the first request of the next game, and its next one be a fault: so that game
 * waits until it has come, or its time is up. */
static void begin_when_answered(SetTable *table)
{
    if (!table->owed || table_has_open_asks(&table->core))
        return;
    table->owed = false;
    if (is_held(table))
        return;
    begin_game(table, table->record.game);
    go_on(table);
}

/* 1 = the game is over, 0 = somebody has to answer. */
static int play_game(SetTable *table)
{
    bool over = table_run(&table->core);

    if (!over && game_deadline(table->core.game) != TIME_NEVER)
        return err_set(&table->err, ERR_RULE,
                       "these rules have timed rooms, which outside agents of this kind can't "
                       "play");
    if (!over)
        alarm_at(&table->alarm, table_deadline(&table->core), true);
    return table->err.code ? table->err.code : over;
}

/* Nothing is left of the game before that the next one has to wait for. */
static bool may_begin(SetTable *table)
{
    if (await_restarts(table))
        return false;
    table->owed = table_has_open_asks(&table->core);
    return !table->owed;
}

/* Plays until agents have to answer, through as many games as that takes. */
static void go_on(SetTable *table)
{
    uint64_t game;
    int rc = table->err.code;

    if (table->over)
        return;
    while (rc == 0) {
        rc = play_game(table);
        if (rc == 0)
            return; /* somebody has to answer */
        if (rc > 0)
            rc = finish_game(table);
        if (rc == 0 && !next_game(table, &game))
            break;
        if (rc == 0) {
            forget_game(table, game);
            if (is_held(table) || !may_begin(table))
                return;
            begin_game(table, game);
            rc = table->err.code;
        }
    }
    end_table(table);
}

void set_table_play_on(SetTable *table, TimeUs now)
{
    if (!table->waiting || table->over)
        return;
    table->waiting = false;
    table->core.now = now;
    if (is_held(table))
        return;
    begin_game(table, table->record.game);
    go_on(table);
}

/* A set may have been forfeited while it was held. */
void set_table_release(SetTable *table, TimeUs now)
{
    if (!table->held || table->over)
        return;
    table->held = false;
    table->core.now = now;
    if (table->forfeited) {
        end_table(table);
        return;
    }
    if (!may_begin(table))
        return;
    begin_game(table, table->record.game);
    go_on(table);
}

void set_table_start(SetTable *table, TimeUs now)
{
    uint64_t game;

    table->core.now = now;
    if (!next_game(table, &game)) {
        end_table(table);
        return;
    }
    begin_game(table, game);
    if (table->forfeited)
        table_abort(&table->core);
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

    table->core.now = now;
    for (SeatNo seat = 1; seat <= table->core.count && !table->over; seat++)
        if (table->seats[seat].agent)
            aiwolf_agent_due(table->seats[seat].agent, now);
    if (table->over) {
        table->events.over(table->user, table, &table->err);
        return;
    }
    alarm_at(&table->alarm, table_deadline(&table->core), false);
}

/* ---- seats ---- */

void set_table_seat(SetTable *table, SeatNo seat, AiwolfAgent *take_agent)
{
    SetSeat *taken = &table->seats[seat];

    taken->agent = take_agent;
    taken->missing = false;
    aiwolf_agent_attach(take_agent, &agent_events, taken);
    aiwolf_agent_join(take_agent, &table->core.places[seat].chair, &table->day_text);
    table->core.places[seat].chair.bids = taken->plan.tells; /* our own program */
}

static int lay_seat(SetTable *table, SeatNo seat, const PlanAgent *agent, bool failed, Err *err)
{
    SetSeat *laid = &table->seats[seat];

    table->header.bots |= agent->bot ? seat_bit(seat) : 0;
    *laid = (SetSeat){.table = table,
                      .seat = seat,
                      .plan = *agent,
                      .missing = !agent->bot && !failed,
                      .failed = !agent->bot && failed};
    table->record.result.names[seat] = str_of(laid->plan.name);
    if (agent->bot)
        return table_seat_bot(&table->core, seat, agent->bot, err);
    table->core.places[seat].chair.state = failed ? CHAIR_OUT : CHAIR_IDLE;
    return 0;
}

/* Else a substitute plays on. */
static Fate fate_of_rule(OnFault on_fault)
{
    bool forfeits = on_fault == ON_FAULT_FORFEIT_SET;
    bool aborts = forfeits || on_fault == ON_FAULT_ABORT_GAME;

    return (Fate){.aborts_at = aborts ? 1 : FATE_NEVER,
                  .ends_at = FATE_NEVER,
                  .substitutes = true,
                  .ends_set = forfeits,
                  .renews = on_fault == ON_FAULT_RESTART};
}

int set_table_new(Alarms *alarms, const StageRun *run, uint64_t set,
                  const PlanAgent *const agents[], const TableEvents *events, void *user,
                  SetTable **ret_table, Err *err)
{
    const PlayedSet *before = run->played ? played_set(run->played, set) : NULL;
    uint64_t per_set = (uint64_t)run->draw.stage->games_per_set;
    SetTable *table = mem_new(sizeof(*table));

    if (!table)
        return err_set(err, ERR_MEMORY, "new table: out of memory");
    alarm_init(&table->alarm, alarms, on_alarm, table);
    table->run = run;
    table->events = *events;
    table->user = user;
    table->core = (Table){.division = &division, .user = table, .err = &table->err};
    table->next_game = set * per_set;
    table->end_game = min_u64(table->next_game + per_set, draw_games(&run->draw));
    table->core.fate = fate_of_rule(run->plan->on_fault);
    table->forfeited = before && before->failed && table->core.fate.ends_set;
    int rc = table_new(&table->core, &run->plan->rules, (SeatNo)run->draw.stage->players, err);
    if (rc == 0)
        rc = sentences_init(&table->sentences, err);
    if (rc == 0 && run->exchange)
        rc = exchange_rules_digest(&run->plan->rules, table->header.rules, err);
    memcpy(table->header.ruleset, run->plan->rules.name, sizeof(table->header.ruleset));
    table->header.seat_count = table->core.count;
    for (SeatNo seat = 1; rc == 0 && seat <= table->core.count; seat++)
        rc = lay_seat(table, seat, agents[seat],
                      before && !table->core.fate.renews && seat_in(before->failed, seat), err);
    if (rc) {
        set_table_free(table);
        return rc;
    }
    skip_played(table);
    table->record.game = run->game_base + table->next_game; /* for faults before it begins */
    *ret_table = table;
    return 0;
}

SetTable *set_table_free(SetTable *table)
{
    if (!table)
        return NULL;
    for (SeatNo seat = 1; seat <= table->core.count; seat++)
        aiwolf_agent_free(table->seats[seat].agent);
    aiwolf_day_text_done(&table->day_text);
    alarm_stop(&table->alarm);
    table_done(&table->core);
    sentences_done(&table->sentences);
    buf_done(&table->log);
    exchange_done(&table->exchange);
    return mem_free(table);
}

bool set_table_has_agent(const SetTable *table, SeatNo seat)
{
    return table->seats[seat].agent != NULL;
}

void set_table_disconnect(SetTable *table, SeatNo seat, TimeUs now)
{
    if (table->seats[seat].agent && !table->over)
        aiwolf_agent_fail(table->seats[seat].agent, FAULT_DISCONNECT,
                          STR("disconnected by the operator"), now);
}

/* ---- reading ---- */

SeatSet set_table_missing(const SetTable *table)
{
    SeatSet missing = 0;

    for (SeatNo seat = 1; seat <= table->core.count; seat++)
        if (table->seats[seat].missing)
            missing |= seat_bit(seat);
    return missing;
}

TimeUs set_table_now(const SetTable *table)
{
    return table->core.now;
}

SeatNo set_table_seat_count(const SetTable *table)
{
    return table->core.count;
}

Str set_table_name(const SetTable *table, SeatNo seat)
{
    return str_of(table->seats[seat].plan.name);
}

uint64_t set_table_asks(const SetTable *table)
{
    return table->asks;
}
