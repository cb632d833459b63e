#include "maw/maw_table_own.h"
#include "net/interrupt.h"

#define SETTLE_MAX    100000
#define LINGER_ROUNDS 8 /* deliveries after the session's end: what it said last is heard */

/* ---- time ---- */

TimeUs maw_table_now(const MawTable *table)
{
    return table->now;
}

static TimeUs earlier_time(TimeUs a, TimeUs b)
{
    return a < b ? a : b;
}

static TimeUs table_deadline(const MawTable *table)
{
    TimeUs next = maw_session_deadline(table->session);

    for (size_t i = 0; i < table->seat_count; i++) {
        const Seat *seat = table->seats[i];
        next = earlier_time(next, maw_player_deadline(seat->player));
        if (seat->driver)
            next = earlier_time(next, maw_driver_deadline(seat->driver));
    }
    return next;
}

static void write_leaderboard(MawTable *table)
{
    uint32_t rounds = maw_session_rounds_won(table->session, SIDE_NONE) +
                      maw_session_rounds_won(table->session, SIDE_VILLAGER) +
                      maw_session_rounds_won(table->session, SIDE_WEREWOLF);
    bool over = maw_session_over(table->session);

    if (!table->files || (rounds == table->rounds_told && !over) || table->over)
        return;
    table->rounds_told = rounds;
    buf_clear(&table->text);
    maw_table_leaderboard(table, &table->text);
    buf_add_char(&table->text, '\n');
    if (!buf_failed(&table->text))
        maw_files_leaderboard(table->files, buf_str(&table->text));
}

/* At once, not only at the end: a session may last for hours, and be ended for this. */
static void tell_failure(MawTable *table)
{
    Err err = {0};

    if (table->failure_told || maw_files_failed(table->files, &err) == 0)
        return;
    table->failure_told = true;
    if (table->setup.note) {
        char line[ERR_TEXT_MAX + 64];
        snprintf(line, sizeof(line), "from here on nothing is recorded: %s", err.msg);
        table->setup.note(table->setup.user, str_of(line));
    }
}

/* All that is due now and what comes of it. Each is heard before the next one acts. */
static void settle_table(MawTable *table, TimeUs now)
{
    table->now = now;
    if (table->clock)
        maw_clock_add(table->clock, MOVE_TABLE, (Str){0}, now);
    seats_record_faults(table, now);
    for (unsigned n = 0; n < SETTLE_MAX; n++) {
        maw_session_tick(table->session, now);
        uint64_t delivered = maw_house_deliver(table->house, now);
        for (size_t i = 0; i < table->seat_count; i++) {
            maw_player_tick(table->seats[i]->player, now);
            if (table->seats[i]->driver)
                maw_driver_tick(table->seats[i]->driver, now);
            delivered += maw_house_deliver(table->house, now);
        }
        if (delivered == 0 && table_deadline(table) > now)
            break;
        if (n > LINGER_ROUNDS && maw_session_over(table->session))
            break;
    }
    write_leaderboard(table);
    tell_failure(table);
}

/* ---- what the session says ---- */

static void on_send(void *user, const MawStanza *stanza)
{
    MawTable *table = user;

    if (!table->replay) {
        maw_house_post(table->house, stanza);
        return;
    }
    /* It was sent long ago: who lives here knows it from then. */
    for (size_t i = 0; i < table->seat_count; i++)
        if (str_eq(stanza->to, str_of(table->seats[i]->jid)))
            maw_player_receive(table->seats[i]->player, stanza, table->now);
}

void maw_table_record(MawTable *table, Str json)
{
    if (table->files)
        maw_files_record(table->files, json);
    if (table->setup.event)
        table->setup.event(table->setup.user, json);
}

static void on_record(void *user, Str json)
{
    MawTable *table = user;

    if (!table->replay || !maw_replay_heard(table->replay, json))
        maw_table_record(table, json);
}

static void on_result(void *user, GameRecord *record, const Str *jids)
{
    MawTable *table = user;

    seats_result(table, record, jids);
    if (table->files)
        maw_files_game(table->files, record);
}

static void on_room_line(void *user, const char *room, unsigned round, unsigned phase_no, Str name,
                         Str text)
{
    const MawTable *table = user;

    if (table->files)
        maw_files_room_line(table->files, room, round, phase_no, name, text);
}

static void on_note(void *user, Str line)
{
    const MawTable *table = user;

    if (table->setup.note && !table->replay)
        table->setup.note(table->setup.user, line);
}

static void on_fill(void *user, unsigned missing)
{
    MawTable *table = user;

    for (unsigned i = 0; i < missing; i++)
        if (maw_table_add_bot(table, table->setup.fill, NULL))
            on_note(table, STR("a seat could not be filled with a bot"));
    maw_table_stir(table);
}

static void on_session_stanza(void *user, const MawStanza *stanza, TimeUs now)
{
    maw_session_receive(((MawTable *)user)->session, stanza, now);
}

/* ---- life ---- */

static void on_alarm(void *user, TimeUs now)
{
    MawTable *table = user;

    settle_table(table, now);
    if (!maw_session_over(table->session)) {
        alarm_at(&table->alarm, table_deadline(table), false);
        return;
    }
    table->over = true;
    alarm_stop(&table->alarm);
    if (table->ended)
        table->ended(table->ended_user, now);
}

void maw_table_stir(MawTable *table)
{
    if (!table->over)
        alarm_soon(&table->alarm);
}

static int open_session(MawTable *table, Err *err)
{
    MawSessionSetup setup = {
        .rules = table->setup.rules,
        .options = table->setup.options,
        .id = table->setup.id,
        .domain = table->setup.domain,
        .suffix = table->replay ? str_of(maw_replay_head(table->replay)->suffix) : (Str){0},
        .chance = table->setup.chance,
        .now = table->began,
        .unix_ms = table->replay ? maw_replay_head(table->replay)->unix_ms : table->setup.unix_ms,
        .watcher = table->setup.watcher,
        .out = {.send = on_send,
                .record = on_record,
                .result = on_result,
                .room_line = on_room_line,
                .fill = on_fill,
                .note = on_note,
                .user = table},
    };

    return maw_session_new(&setup, &table->session, err);
}

/* How the session was made, and when it ended: in simulated time the clock goes on from there. */
static int take_head(MawTable *table, Err *err)
{
    MawTableSetup *setup = &table->setup;
    const MawRecordHead *head = maw_replay_head(table->replay);

    if (!str_eq(str_of(head->domain), setup->domain))
        return err_set(err, ERR_USAGE, "the session was played at %s, not at %.*s", head->domain,
                       STR_ARG(setup->domain));
    maw_replay_end(table->replay, &table->resumed_ms, &table->resumes_at);
    snprintf(table->id, sizeof(table->id), "%s", head->id);
    setup->id = str_of(table->id);
    setup->rules = &head->rules;
    setup->options = head->options;
    setup->chance = head->chance;
    if (setup->unix_ms)
        setup->unix_ms -= table->resumed_ms;
    else
        table->now = table->resumed_ms * 1000;
    table->began = table->now - table->resumed_ms * 1000;
    for (size_t i = 0; i < table->record.len; i++)
        table->life += table->record.bytes[i] == '\n';
    table->resumed = true;
    return 0;
}

static int open_files(MawTable *table, Err *err)
{
    const MawTableSetup *setup = &table->setup;
    bool cut = false;

    if (!setup->out)
        return 0;
    if (!setup->resume)
        return maw_files_open(setup->out, setup->command, &table->files, err);
    int rc = maw_files_resume(setup->out, &table->record, &cut, &table->files, err);
    if (rc == 0 && cut)
        on_note(table, STR("the last line of session.jsonl was not whole, and is cut off: nobody "
                           "was told what it says"));
    if (rc || table->record.len == 0)
        return rc;
    rc = maw_replay_new(buf_str(&table->record), &table->replay, err);
    return rc ? rc : take_head(table, err);
}

static int open_addresses(MawTable *table, Err *err)
{
    static const char *const nodes[] = {"gm", "lobby", "village", "hideout", "graveyard"};
    char jid[DOMAIN_BYTES + 16];
    int rc = 0;

    for (size_t i = 0; i < sizeof(nodes) / sizeof(nodes[0]) && rc == 0; i++) {
        snprintf(jid, sizeof(jid), "%s@%.*s", nodes[i], STR_ARG(table->setup.domain));
        rc = maw_house_add(table->house, str_of(jid), on_session_stanza, table, err);
    }
    return rc;
}

int maw_table_new(const MawTableSetup *setup, MawTable **ret_table, Err *err)
{
    CLEANUP(maw_table_freep) MawTable *table = mem_new(sizeof(*table));

    if (!table)
        return err_set(err, ERR_MEMORY, "table: out of memory");
    if (setup->domain.len > DOMAIN_BYTES || setup->id.len > ID_BYTES)
        return err_set(err, ERR_LIMIT, "session '%.*s' at '%.*s': at most %d and %d bytes",
                       STR_ARG(setup->id), STR_ARG(setup->domain), ID_BYTES, DOMAIN_BYTES);
    table->setup = *setup;
    snprintf(table->id, sizeof(table->id), "%.*s", STR_ARG(setup->id));
    snprintf(table->domain, sizeof(table->domain), "%.*s", STR_ARG(setup->domain));
    table->setup.id = str_of(table->id);
    table->setup.domain = str_of(table->domain);
    if (setup->clock) {
        table->setup.now = maw_clock_head(setup->clock)->began;
        table->setup.unix_ms = maw_clock_head(setup->clock)->unix_ms;
    }
    table->began = table->now = table->setup.now;
    alarm_init(&table->alarm, setup->alarms ? setup->alarms : &table->own_alarms, on_alarm, table);
    int rc = maw_house_new(&table->house, err);
    if (rc == 0)
        rc = open_files(table, err);
    if (rc == 0) {
        seats_shuffle(table);
        rc = open_session(table, err);
    }
    if (rc == 0)
        rc = open_addresses(table, err);
    if (rc)
        return rc;
    *ret_table = TAKE(table);
    return 0;
}

MawTable *maw_table_free(MawTable *table)
{
    if (!table)
        return NULL;
    for (size_t i = 0; i < table->seat_count; i++)
        seat_free(table->seats[i]);
    alarm_stop(&table->alarm);
    maw_session_free(table->session);
    maw_house_free(table->house);
    maw_reader_done(&table->reader);
    maw_files_free(table->files);
    maw_replay_free(table->replay);
    buf_done(&table->record);
    maw_clock_free(table->clock);
    buf_done(&table->text);
    return mem_free(table);
}

void maw_table_freep(MawTable **table)
{
    *table = maw_table_free(*table);
}

/* ---- going on ---- */

uint32_t maw_table_resumes_at(const MawTable *table)
{
    return table->resumes_at;
}

/* The record's lines are not needed any more, but its head's rules are. */
static void end_replay(MawTable *table)
{
    table->replay = maw_replay_free(table->replay);
    buf_done(&table->record);
    table->setup.rules = NULL; /* the session has its own */
}

/* What models answer from here on is kept nowhere: who plays the session again is told so. */
static int end_clock(const MawTable *table, Err *err)
{
    CLEANUP(buf_done) Buf path = {0};

    if (!table->setup.out || table->setup.clock)
        return 0;
    buf_printf(&path, "%s/answers/clock.jsonl", table->setup.out);
    return buf_failed(&path) ? err_set(err, ERR_MEMORY, "session: out of memory")
                             : maw_clock_resumed(buf_cstr(&path), err);
}

int maw_table_resume(MawTable *table, Err *err)
{
    Str line;

    if (!table->replay)
        return 0;
    int rc = end_clock(table, err);
    while (rc == 0 && maw_replay_step(table->replay, table->session, table->began, &line))
        if (line.len)
            rc = seats_hear_record(table, line, err);
    if (rc == 0)
        rc = maw_replay_check(table->replay, err);
    end_replay(table);
    if (rc == 0)
        seats_wake(table);
    maw_table_stir(table);
    return rc;
}

void maw_table_continue(MawTable *table, TimeMs wait_ms)
{
    int64_t unix_ms = table->setup.unix_ms;

    if (!table->resumed)
        return;
    maw_session_continue(table->session, unix_ms ? unix_ms + table->resumed_ms : -1, wait_ms,
                         table->now);
    maw_table_stir(table);
}

/* ---- playing ---- */

void maw_table_stop(MawTable *table, const char *why, TimeUs now)
{
    if (maw_session_over(table->session))
        return;
    table->stopped = true;
    if (table->clock)
        maw_clock_add(table->clock, MOVE_STOP, str_of(why), now);
    maw_session_stop(table->session, why, now);
    maw_table_stir(table);
}

void maw_table_drain(MawTable *table, TimeUs now)
{
    if (table->clock)
        maw_clock_add(table->clock, MOVE_DRAIN, (Str){0}, now);
    maw_session_drain(table->session, now);
    maw_table_stir(table);
}

/* To the next alarm, the table's or a model's. A step that was of no use must not come again at the
 * same time. */
static int step(MawTable *table, TimeUs *now, Err *err)
{
    Alarms *alarms = table->alarm.alarms;
    TimeUs next = alarms_next(alarms);

    if (next == TIME_US_NEVER)
        return err_set(err, ERR_RULE,
                       "nothing more can happen: %zu players are here, %u are wanted",
                       table->seat_count, table->setup.options.players);
    if (interrupt_came())
        maw_table_stop(table, "interrupted", *now);
    if (next != TIME_US_PAST)
        *now = next > *now ? next : *now + 1000;
    alarms_ring(alarms, *now);
    return 0;
}

static int replay_move(MawTable *table, const MawMove *move, Err *err)
{
    CLEANUP(buf_done) Buf why = {0};

    switch (move->kind) {
    case MOVE_TABLE:
        on_alarm(table, move->at);
        return 0;
    case MOVE_SEAT:
        return seats_replay(table, move, err);
    case MOVE_STOP:
        buf_add(&why, move->text);
        maw_table_stop(table, buf_cstr(&why), move->at);
        return buf_failed(&why) ? err_set(err, ERR_MEMORY, "session: out of memory") : 0;
    case MOVE_DRAIN:
        maw_table_drain(table, move->at);
        return 0;
    case MOVE_RESUMED:
        return err_set(err, ERR_RULE,
                       "%s:%u: the session was broken off here and gone on with (--resume); what "
                       "models answered after that is not kept. Up to here the record is the same",
                       maw_clock_name(table->setup.clock), move->line);
    }
    return 0;
}

/* What happened, when it happened; no alarm rings. */
static int replay_session(MawTable *table, Err *err)
{
    MawClock *clock = table->setup.clock;
    MawMove move;
    int rc = 0;

    while (rc == 0 && !table->over && maw_clock_next(clock, &move))
        rc = replay_move(table, &move, err);
    if (rc == 0 && !table->over)
        rc = err_set(err, ERR_RULE,
                     "%s ends before the session does: it was killed, or this is not the same "
                     "session; what was played up to there is the same",
                     maw_clock_name(clock));
    if (rc == 0 && maw_clock_next(clock, &move))
        rc = err_set(err, ERR_RULE,
                     "%s:%u: the session is over before that: this is not the same session",
                     maw_clock_name(clock), move.line);
    return rc ? rc : seats_end_replay(table, err);
}

static int end_session(MawTable *table, int rc, Err *err)
{
    table->over = true;
    alarm_stop(&table->alarm); /* the loop may go on for somebody else */
    seats_record_figures(table);
    maw_files_sync(table->files);
    if (rc == 0)
        rc = maw_files_failed(table->files, err);
    if (rc == 0 && table->stopped)
        rc = err_set(err, ERR_INTERRUPTED, "ended early%s",
                     table->files ? "; the record is complete up to there" : "");
    return rc;
}

int maw_table_play(MawTable *table, Err *err)
{
    TimeUs now = table->now;
    int rc = 0;

    if (table->setup.clock)
        return end_session(table, replay_session(table, err), err);
    maw_table_stir(table);
    while (rc == 0 && !table->over)
        rc = step(table, &now, err);
    return end_session(table, rc, err);
}

void maw_table_begin(MawTable *table, void (*over)(void *user, TimeUs now), void *user)
{
    table->ended = over;
    table->ended_user = user;
    maw_table_stir(table);
}

int maw_table_end(MawTable *table, Err *err)
{
    return end_session(table, 0, err);
}

/* ---- looking ---- */

MawSession *maw_table_session(const MawTable *table)
{
    return table->session;
}

MawHouse *maw_table_house(const MawTable *table)
{
    return table->house;
}

void maw_table_leaderboard(const MawTable *table, Buf *out)
{
    const MawSession *session = table->session;
    MawStanding standing;
    Json json = json_over(out);

    json_open(&json, '{');
    json_add_str(&json, "session", table->setup.id);
    if (maw_session_over(session)) /* rounds are to come, and somebody may read over a shoulder */
        json_add_str(&json, "seed", str_of(table->setup.chance.seed));
    json_add_uint(&json, "villagers_won", maw_session_rounds_won(session, SIDE_VILLAGER));
    json_add_uint(&json, "werewolves_won", maw_session_rounds_won(session, SIDE_WEREWOLF));
    json_add_uint(&json, "draws", maw_session_rounds_won(session, SIDE_NONE));
    json_key(&json, STR("players"));
    json_open(&json, '[');
    for (uint32_t i = 0; maw_session_standing(session, i, &standing); i++) {
        json_open(&json, '{');
        json_add_uint(&json, "rank", standing.rank);
        json_add_str(&json, "name", standing.name);
        json_add_str(&json, "jid", standing.jid);
        json_add_str(&json, "kind", str_of(maw_table_kind(table, standing.jid)));
        seats_write_model(table, standing.jid, &json);
        json_add_int(&json, "points", standing.points);
        json_add_uint(&json, "rounds_won", standing.rounds_won);
        measures_put_json(standing.play, &json);
        seats_write_opinions(table, standing.jid, &json);
        seats_write_costs(table, standing.jid, standing.rounds_won, &json);
        json_close(&json);
    }
    json_close(&json);
    json_close(&json);
}
