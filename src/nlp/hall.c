/*   NAMING --name, token--> WAITING --match--> SEATED --game over--> gone
 *      |                       |                 |
 *      |                       |                 +--connection lost--> gone; the seat is kept for a
 *      |                       |                    while for who comes back with name and token
 *      +--no name, bad token---+--connection lost--> gone
 *
 * A game begins and ends here; in between it may be on another bench, which tells what happens.
 *
 * A match is tried whenever something changed that could allow one: a connection came or went, a
 * game is over, time for --fill is up (2.2, target). */
#include "nlp/hall.h"

#include "base/json.h"
#include "base/utf8.h"
#include "net/web_room.h"
#include "nlp/hall_state.h"
#include "nlp/history_recover.h"
#include "wire/jwt.h"
#include "wire/nlp_packet.h"

#include <assert.h>
#include <errno.h>
#include <unistd.h>

#define NAME_BYTES_MAX 128
#define RETRY_US       60000000
#define NAME_PACKET    "{\"request\":\"NAME\"}"

static int64_t unix_ms(const NlpHall *hall, TimeUs at)
{
    return hall->setup.unix_ms_at_zero + at / 1000;
}

void hall_note(const NlpHall *hall, Str line)
{
    if (hall->setup.out.note)
        hall->setup.out.note(hall->setup.out.user, line);
}

static void notice_config(const NlpHall *hall, ConfigNotice what, Str text)
{
    if (hall->setup.out.notice)
        hall->setup.out.notice(hall->setup.out.user, what, text);
}

/* ---- agents ---- */

NlpAgent *hall_free_agent(NlpAgent *agent)
{
    mem_free(agent->name);
    mem_free(agent->token);
    mem_free(agent->address);
    return mem_free(agent);
}

void hall_lose_agent(NlpAgent *agent)
{
    char **lost = &agent->running->lost[agent->seat];

    mem_free(*lost);
    *lost = agent->address;
    agent->address = NULL;
    hall_free_agent(agent);
}

static char *copy_text(Str text)
{
    char *copy = mem_new(text.len + 1);

    if (copy && text.len)
        memcpy(copy, text.bytes, text.len);
    return copy;
}

static void list_add(AgentList *list, NlpAgent *agent)
{
    agent->prev = list->last;
    agent->next = NULL;
    *(list->last ? &list->last->next : &list->first) = agent;
    list->last = agent;
    list->count++;
}

static void list_drop(AgentList *list, NlpAgent *agent)
{
    *(agent->prev ? &agent->prev->next : &list->first) = agent->next;
    *(agent->next ? &agent->next->prev : &list->last) = agent->prev;
    agent->next = agent->prev = NULL;
    list->count--;
}

void hall_unqueue(NlpHall *hall, NlpAgent *agent)
{
    list_drop(&hall->waiting, agent);
}

void hall_queue(NlpHall *hall, NlpAgent *agent)
{
    agent->state = AGENT_WAITING;
    list_add(&hall->waiting, agent);
}

static AgentList *list_of(NlpHall *hall, const NlpAgent *agent)
{
    return agent->state == AGENT_NAMING      ? &hall->naming
           : agent->state == AGENT_RETURNING ? &hall->returning
                                             : &hall->waiting;
}

/* Closes the connection of an agent that has no seat; the agent is gone. */
static void refuse_agent(NlpHall *hall, NlpAgent *agent, NlpClose code, const char *reason)
{
    CLEANUP(buf_done) Buf line = {0};

    buf_printf(&line, "refused%s%s address=%s code=%d: %s", agent->name ? " name=" : "",
               agent->name ? agent->name : "", agent->address, (int)code, reason);
    hall_note(hall, buf_str(&line));
    list_drop(list_of(hall, agent), agent);
    hall->counts.open--;
    hall->setup.out.close(agent->peer, code, reason);
    hall_free_agent(agent);
}

int nlp_hall_opened(NlpHall *hall, void *peer, Str token, const char *address, TimeUs now,
                    NlpAgent **ret_agent, Err *err)
{
    NlpAgent *agent = mem_new(sizeof(*agent));

    if (agent) {
        agent->token = copy_text(token);
        agent->address = copy_text(str_of(address));
    }
    if (!agent || !agent->token || !agent->address) {
        if (agent)
            hall_free_agent(agent);
        return err_set(err, ERR_MEMORY, "a connection: out of memory");
    }
    agent->hall = hall;
    agent->peer = peer;
    agent->since = now;
    agent->state = AGENT_NAMING;
    list_add(&hall->naming, agent);
    hall->counts.connections++;
    hall->counts.open++;
    *ret_agent = agent;
    hall->setup.out.send(peer, STR(NAME_PACKET));
    return 0;
}

/* ---- names and tokens ---- */

static bool good_name(Str name)
{
    for (Str rest = name; rest.len;) {
        uint32_t code = utf8_next(&rest);
        if (code < 0x20 || (code >= 0x7F && code < 0xA0)) /* C0, C1: terminals obey both */
            return false;
    }
    return name.len > 0 && name.len <= NAME_BYTES_MAX;
}

static int check_token(const NlpHall *hall, const NlpAgent *agent, TimeUs now, Err *err)
{
    const Config *config = hall->setup.config;
    JwtClaims claims;

    if (!config->authentication)
        return 0;
    if (!agent->token[0])
        return err_set(err, ERR_RULE, "there is none; give Authorization: Bearer TOKEN or ?token=");
    int rc = jwt_check(str_of(agent->token), config->secret_key, unix_ms(hall, now) / 1000, &claims,
                       err);
    if (rc)
        return rc;
    if (strcmp(claims.role, "PLAYER") != 0)
        return err_set(err, ERR_RULE, "it is for role %s; expected PLAYER", claims.role);
    if (!str_eq(str_of(claims.team), agent->team))
        return err_set(err, ERR_RULE, "it is for another team");
    return 0;
}

/* The seats that wait for somebody to come back, but those to which somebody is on the way. */
static SeatSet shown_away(const Running *running)
{
    return atomic_load_explicit(&running->shown.away, memory_order_relaxed) & ~running->returning;
}

/* Without a token anybody can say a name: then the machine from which the seat was held counts. */
static bool may_take(const Running *running, SeatNo seat, const NlpAgent *agent)
{
    const char *token = running->tokens[seat];
    const char *lost = running->lost[seat];

    if (!token || !digest_equal(str_of(token), str_of(agent->token)))
        return false;
    return token[0] || (lost && str_eq(web_room_address(lost), web_room_address(agent->address)));
}

/* The seat at this table that waits for this agent: of the same name, and the same token or, where
 * there is none, the same address. */
static SeatNo seat_for(const Running *running, const NlpAgent *agent)
{
    SeatSet away = shown_away(running);

    for (SeatNo seat = 1; seat <= running->count; seat++)
        if (seat_in(away, seat) &&
            str_eq(running->look.seats[seat].original, str_of(agent->name)) &&
            may_take(running, seat, agent))
            return seat;
    return SEAT_NONE;
}

/* Has the bench of a game do something. */
static void give_task(NlpHall *hall, const Task *task, TimeUs now)
{
    if (task->running->away_at < 0)
        bench_do(hall->bench, task, now);
    else
        hall->setup.out.task(hall->setup.out.user, (unsigned)task->running->away_at, task);
}

static void call_moves(NlpHall *hall)
{
    if (!hall->moves_due)
        hall->setup.out.moves(hall->setup.out.user);
    hall->moves_due = true;
}

static void send_back(NlpHall *hall, NlpAgent *agent, TimeUs now)
{
    const Task task = {
        .kind = TASK_REJOIN, .running = agent->running, .agent = agent, .seat = agent->seat};

    agent->state = AGENT_SEATED;
    give_task(hall, &task, now);
}

static void take_seat(NlpHall *hall, NlpAgent *agent, Running *running, SeatNo seat, TimeUs now)
{
    list_drop(list_of(hall, agent), agent);
    agent->running = running;
    agent->seat = seat;
    hall->counts.rejoined++;
    running->returning |= seat_bit(seat);
    if (running->away_at < 0) {
        send_back(hall, agent, now);
        return;
    }
    agent->state = AGENT_RETURNING;
    list_add(&hall->returning, agent);
    call_moves(hall);
}

/* It is not on its way to a seat any more. */
static void take_off_way(NlpHall *hall, NlpAgent *agent)
{
    agent->running->returning &= ~seat_bit(agent->seat);
    agent->running = NULL;
    hall->counts.rejoined--;
}

static bool rejoin_seat(NlpHall *hall, NlpAgent *agent, TimeUs now)
{
    for (Running *running = hall->running; running; running = running->next) {
        SeatNo seat = seat_for(running, agent);
        if (seat == SEAT_NONE)
            continue;
        take_seat(hall, agent, running, seat, now);
        return true;
    }
    return false;
}

/* Who came back before the old connection was known to be lost waits in the waiting room. Without a
 * token it could be one who waits there for somebody's loss, and it has to connect anew. The game
 * may be gone behind it. */
static void take_back(NlpHall *hall, Running *running, TimeUs now)
{
    for (NlpAgent *agent = hall->waiting.first; agent; agent = agent->next) {
        SeatNo seat = agent->token[0] ? seat_for(running, agent) : SEAT_NONE;
        if (seat == SEAT_NONE)
            continue;
        take_seat(hall, agent, running, seat, now);
        return; /* if there is another one, the bench tells again */
    }
}

bool nlp_hall_has_away(const NlpHall *hall)
{
    for (const Running *running = hall->running; running; running = running->next)
        if (shown_away(running))
            return true;
    return false;
}

/* The other connection that waits under this name, when names have to be unique. */
static void take_over(NlpHall *hall, const NlpAgent *agent)
{
    if (!hall->setup.config->unique_names)
        return;
    for (NlpAgent *other = hall->waiting.first; other; other = other->next)
        if (other != agent && strcmp(other->name, agent->name) == 0) {
            refuse_agent(hall, other, CLOSE_NAME_IN_USE, "a newer connection has the same name");
            return;
        }
}

/* While the schedule can't be written no further game begins, and it is tried again: a server that
 * ended now would play the match twice. */
void hall_save_history(NlpHall *hall, TimeUs now)
{
    CLEANUP(buf_done) Buf line = {0};
    Err err = {0};

    hall->unsaved =
        history_save(hall->history, hall->setup.config->matching.output_path, &err) != 0;
    if (!hall->unsaved)
        return;
    hall->hold_until = now + HALL_HOLD_US;
    buf_printf(&line, "history-failed: %s", err.msg);
    hall_note(hall, buf_str(&line));
}

static bool of_this_contest(NlpHall *hall, NlpAgent *agent, TimeUs now)
{
    bool is_new = false;

    if (!hall->history)
        return true;
    agent->team_index = history_team(hall->history, agent->team, &is_new);
    if (is_new)
        hall_save_history(hall, now);
    return agent->team_index >= 0;
}

/* Its name and token are good, and it is on the list of who has said none. */
static void admit_agent(NlpHall *hall, NlpAgent *agent, TimeUs now)
{
    CLEANUP(buf_done) Buf line = {0};

    if (rejoin_seat(hall, agent, now))
        return;
    if (hall->draining) {
        refuse_agent(hall, agent, CLOSE_GOING_AWAY, "server is shutting down");
        return;
    }
    if (!of_this_contest(hall, agent, now)) {
        refuse_agent(hall, agent, CLOSE_UNKNOWN_TEAM,
                     "the schedule has its teams already, and this is none of them");
        return;
    }
    list_drop(&hall->naming, agent);
    agent->since = now;
    hall_queue(hall, agent);
    take_over(hall, agent);
    team_health_seen(hall->health, agent->team, unix_ms(hall, now));
    buf_printf(&line, "waiting name=%s address=%s waiting=%u", agent->name, agent->address,
               hall->waiting.count);
    hall_note(hall, buf_str(&line));
    hall_match(hall, now);
}

/* It was on its way to a seat that is none any more: as if it had just said its name. */
static void readmit_agent(NlpHall *hall, NlpAgent *agent, TimeUs now)
{
    agent->running = NULL;
    hall->counts.rejoined--;
    agent->state = AGENT_NAMING;
    list_add(&hall->naming, agent);
    admit_agent(hall, agent, now);
}

static void on_name(NlpHall *hall, NlpAgent *agent, Str text, TimeUs now)
{
    Str name = nlp_name_text(text);
    char why[ERR_TEXT_MAX + 16];
    Err err = {0};

    if (!good_name(name)) {
        refuse_agent(hall, agent, CLOSE_NO_NAME,
                     "a name has 1 to 128 bytes and no control characters");
        return;
    }
    agent->name = copy_text(name);
    if (!agent->name) {
        refuse_agent(hall, agent, CLOSE_GOING_AWAY, "out of memory");
        return;
    }
    agent->team = nlp_team_of(str_of(agent->name));
    if (check_token(hall, agent, now, &err)) {
        bool said = strncmp(err.msg, "token: ", 7) == 0;
        snprintf(why, sizeof(why), "token: %.100s", err.msg + (said ? 7 : 0));
        refuse_agent(hall, agent, CLOSE_BAD_TOKEN, why);
        return;
    }
    admit_agent(hall, agent, now);
}

void nlp_hall_message(NlpHall *hall, NlpAgent *agent, Str text, TimeUs now)
{
    switch (agent->state) {
    case AGENT_NAMING:
        on_name(hall, agent, text, now);
        break;
    case AGENT_WAITING: /* nothing was asked */
    case AGENT_MATCHED:
    case AGENT_RETURNING:
        hall->counts.late_replies++;
        break;
    case AGENT_SEATED:
        bench_message(agent, text, now);
        break;
    }
}

void nlp_hall_closed(NlpHall *hall, NlpAgent *agent, TimeUs now)
{
    if (agent->state == AGENT_SEATED) {
        bench_lost(agent, now);
    } else {
        hall->counts.open--;
        if (agent->state == AGENT_MATCHED)
            hall_unmatch(hall, agent);
        else
            list_drop(list_of(hall, agent), agent);
        if (agent->state == AGENT_RETURNING)
            take_off_way(hall, agent);
        hall_free_agent(agent);
    }
    hall_match(hall, now);
}

/* ---- time ---- */

static TimeUs naming_deadline(const NlpHall *hall)
{
    return hall->naming.first ? hall->naming.first->since + 1000 * hall->setup.config->name_ms
                              : TIME_US_NEVER;
}

static TimeUs fill_deadline(const NlpHall *hall)
{
    if (!hall->setup.fill || !hall->waiting.first || hall->draining)
        return TIME_US_NEVER;
    return hall->waiting.first->since + hall->setup.fill_after;
}

/* A quarantine ends without anybody doing anything. */
static TimeUs retry_deadline(const NlpHall *hall)
{
    bool may = hall->setup.config->health.enable && hall->history && hall->waiting.first;

    return may && !hall->draining ? hall->matched_at + RETRY_US : TIME_US_NEVER;
}

TimeUs nlp_hall_deadline(const NlpHall *hall)
{
    TimeUs first = naming_deadline(hall);
    TimeUs fill = fill_deadline(hall);

    if (bench_deadline(hall->bench) < first)
        first = bench_deadline(hall->bench);
    if (fill < first && fill > hall->filled_at)
        first = fill;
    if (hall->hold_until && hall->hold_until < first)
        first = hall->hold_until;
    TimeUs retry = retry_deadline(hall);
    return retry < first ? retry : first;
}

static void tell_complete(NlpHall *hall)
{
    CLEANUP(buf_done) Buf line = {0};

    if (!nlp_hall_complete(hall) || hall->told_complete)
        return;
    hall->told_complete = true;
    if (!hall->history) /* --games: its server says so */
        return;
    buf_printf(&line, "tournament complete: all %u scheduled matches have ended",
               history_ended_count(hall->history));
    hall_note(hall, buf_str(&line));
    notice_config(hall, NOTICE_MILESTONE, buf_str(&line));
}

void nlp_hall_tick(NlpHall *hall, TimeUs now)
{
    bool match = false;

    while (naming_deadline(hall) <= now)
        refuse_agent(hall, hall->naming.first, CLOSE_NO_NAME, "no answer to NAME in time");
    bench_tick(hall->bench, now);
    if (hall->hold_until && hall->hold_until <= now) {
        hall->hold_until = 0;
        match = true;
        if (hall->unsaved) {
            hall_save_history(hall, now);
            tell_complete(hall);
        }
    }
    if (fill_deadline(hall) <= now) {
        hall->filled_at = now;
        match = true;
    }
    match |= retry_deadline(hall) <= now;
    if (match)
        hall_match(hall, now);
}

/* ---- the end of a game ---- */

static void count_game(NlpHall *hall, const Running *running)
{
    const NlpTable *table = running->table;

    for (SeatNo seat = 1; seat <= running->count; seat++) {
        const ChairCounts *done = &nlp_table_chair(table, seat)->counts;
        hall->counts.requests += done->sent;
        hall->counts.replies += done->answers;
        hall->counts.request_errors += done->failures;
        hall->counts.late_replies += done->strays;
    }
    if (nlp_table_aborted(table))
        hall->counts.games_aborted++;
    else
        hall->counts.games_won[game_winner(nlp_table_game(table))]++;
}

/* The schedule goes on disk before anybody is told of the result. */
static void record_match(NlpHall *hall, const Running *running, TimeUs now)
{
    const ConfigMatching *matching = &hall->setup.config->matching;

    NlpGame game;

    if (!hall->history || !running->scheduled)
        return;
    nlp_table_look(running->table, &game);
    history_drop_game(hall->history, game.stem);
    if (game.aborted)
        history_abort(hall->history, &running->match, matching->abort_weight_factor);
    else
        history_end(hall->history, &running->match);
    hall_save_history(hall, now);
}

static void record_health(NlpHall *hall, const Running *running, TimeUs now)
{
    NlpGame game;

    nlp_table_look(running->table, &game);
    for (SeatNo seat = 1; seat <= game.seat_count; seat++) {
        Str team = game.seats[seat].team;
        TeamGame sum = {.aborted = game.aborted};
        bool first = true;
        for (SeatNo other = 1; other <= game.seat_count; other++) {
            if (!str_eq(game.seats[other].team, team))
                continue;
            first &= other >= seat;
            sum.requests += nlp_table_chair(running->table, other)->counts.requests;
            sum.request_errors += nlp_table_chair(running->table, other)->counts.failures;
            sum.fatal |= nlp_table_chair(running->table, other)->state == CHAIR_OUT;
        }
        if (first && running->tokens[seat] &&
            team_health_end(hall->health, team, &sum, unix_ms(hall, now))) {
            CLEANUP(buf_done) Buf line = {0};
            buf_printf(&line, "team %.*s is quarantined: too many of its requests or games failed",
                       STR_ARG(team));
            notice_config(hall, NOTICE_QUARANTINE, buf_str(&line));
        }
    }
}

static const char *winner_name(Side side)
{
    return side == SIDE_VILLAGER ? "VILLAGER" : side == SIDE_WEREWOLF ? "WEREWOLF" : "NONE";
}

static void tell_over(NlpHall *hall, const Running *running)
{
    CLEANUP(buf_done) Buf line = {0};
    NlpGame game;

    nlp_table_look(running->table, &game);
    buf_printf(&line, "game-over game=%.*s number=%u winner=%s day=%u%s", STR_ARG(game.id),
               running->number, winner_name(game.winner), game.day, game.aborted ? " aborted" : "");
    for (SeatNo seat = 1; seat <= game.seat_count; seat++)
        if (game.seats[seat].errored)
            buf_printf(&line, " errored=%.*s", STR_ARG(game.seats[seat].original));
        else if (nlp_table_away_seat(running->table, game.seats[seat].original) == seat)
            buf_printf(&line, " away=%.*s", STR_ARG(game.seats[seat].original));
    if (hall->history)
        buf_printf(&line, " matches=%u/%u", history_ended_count(hall->history),
                   history_ended_count(hall->history) + history_scheduled_count(hall->history));
    hall_note(hall, buf_str(&line));
    if (game.aborted)
        notice_config(hall, NOTICE_ABORT, buf_str(&line));
}

/* Of agents that come by themselves nothing is known but their names. */
static void know_seats(const NlpHall *hall, const Running *running, GameRecord *record)
{
    NlpGame game;

    if (!hall->setup.out.seat)
        return;
    nlp_table_look(running->table, &game);
    for (SeatNo seat = 1; seat <= game.seat_count; seat++)
        if (record->seats[seat].outside)
            hall->setup.out.seat(hall->setup.out.user, game.seats[seat].original,
                                 &record->seats[seat]);
}

/* The journal has the game before anybody is told of its result, and before the schedule counts it.
 * Without its record a game is no more evidence than without its log. */
static void keep_result(NlpHall *hall, const Running *running, TimeUs now)
{
    CLEANUP(mem_freep) GameRecord *record = mem_new(sizeof(*record));
    Err err = {0};

    if (!hall->setup.results || nlp_table_log_failed(running->table))
        return;
    int rc = record ? 0 : err_set(&err, ERR_MEMORY, "results: out of memory");
    if (rc == 0) {
        nlp_table_record(running->table, record);
        know_seats(hall, running, record);
        record->set = record->game = running->result;
        record->ended_at_ms = unix_ms(hall, now);
        rc = result_journal_add(hall->setup.results, record, &err);
    }
    if (rc)
        nlp_table_lose_record(running->table, &err);
}

/* Where the logs are that are evidence of a game. */
static HistoryLogs logs_of(const Config *config)
{
    return (HistoryLogs){.game = config->game_logger.enable ? config->game_logger.output_dir : NULL,
                         .json =
                             config->json_logger.enable ? config->json_logger.output_dir : NULL};
}

/* Its logs may be whole all the same: they would be counted beside the game that is played anew. */
static void void_lost_game(const NlpHall *hall, const Running *running)
{
    const HistoryLogs logs = logs_of(hall->setup.config);
    CLEANUP(buf_done) Buf stem = {0};
    CLEANUP(buf_done) Buf trouble = {0};
    NlpGame game;

    nlp_table_look(running->table, &game);
    buf_add(&stem, game.stem);
    if (buf_failed(&stem) || stem.len == 0)
        return;
    history_void_decided(&logs, buf_cstr(&stem), &trouble);
    if (trouble.len)
        hall_note(hall, buf_str(&trouble));
}

/* Who was on the way to this game waits for another one. */
static void turn_around(NlpHall *hall, const Running *running, TimeUs now)
{
    for (NlpAgent *agent = hall->returning.first, *next; agent; agent = next) {
        next = agent->next;
        if (agent->running != running)
            continue;
        list_drop(&hall->returning, agent);
        readmit_agent(hall, agent, now);
    }
}

static void end_game(NlpHall *hall, Running *running, TimeUs now)
{
    *(running->prev ? &running->prev->next : &hall->running) = running->next;
    if (running->next)
        running->next->prev = running->prev;
    hall->counts.games--;
    keep_result(hall, running, now);
    if (nlp_table_log_failed(running->table)) {
        hall->hold_until = now + HALL_HOLD_US;
        void_lost_game(hall, running);
    }
    count_game(hall, running);
    record_match(hall, running, now);
    record_health(hall, running, now);
    hall_remember(hall, running, unix_ms(hall, now));
    tell_over(hall, running);
    if (hall->setup.out.game)
        hall->setup.out.game(hall->setup.out.user, str_of(running->id), true);
    for (SeatNo seat = 1; seat <= running->count; seat++) {
        NlpAgent *agent = nlp_table_peer(running->table, seat);
        if (!agent)
            continue;
        hall->counts.open--;
        hall->setup.out.close(agent->peer, CLOSE_NORMAL, "game over");
        hall_free_agent(agent);
    }
    turn_around(hall, running, now);
    running_free(running);
    tell_complete(hall);
    hall_match(hall, now);
}

Running *running_free(Running *running)
{
    if (!running)
        return NULL;
    for (SeatNo seat = 1; seat <= running->count; seat++) {
        mem_free(running->lost[seat]);
        mem_free(running->tokens[seat]);
    }
    buf_done(&running->last);
    buf_done(&running->last_masked);
    nlp_table_free(running->table);
    return mem_free(running);
}

void nlp_hall_go_on(NlpHall *hall, Str game_id, TimeUs now)
{
    for (Running *running = hall->running; running; running = running->next)
        if (str_eq(str_of(running->id), game_id)) {
            give_task(hall, &(Task){.kind = TASK_GO_ON, .running = running}, now);
            return;
        }
}

/* ---- benches ---- */

static void keep_last(Buf *last, Str packet)
{
    buf_clear(last);
    buf_add(last, packet);
}

static void hear_broadcast(NlpHall *hall, Running *running, Str packet, Str masked)
{
    const NlpHallOut *out = &hall->setup.out;

    if (!out->broadcast)
        return;
    out->broadcast(out->user, str_of(running->id), packet, masked);
    if (packet.len)
        keep_last(&running->last, packet);
    if (masked.len)
        keep_last(&running->last_masked, masked);
}

static bool hear_utterance(const NlpHall *hall, const News *news)
{
    const Running *running = news->running;
    const NlpHallOut *out = &hall->setup.out;

    return out->utterance &&
           out->utterance(out->user, str_of(running->id),
                          nlp_table_profile(running->table, news->seat), news->text);
}

static void hear_fault(NlpHall *hall, const Running *running, const Fault *fault)
{
    if (hall->setup.results)
        result_journal_fault(hall->setup.results, running->result,
                             running->look.seats[fault->seat].original, fault);
}

/* From the hall's own bench, or from another one. For an utterance: whether the game has to wait.
 */
static bool hear_news(NlpHall *hall, const News *news, TimeUs now)
{
    Running *running = news->running;

    switch (news->kind) {
    case NEWS_NOTE:
        hall_note(hall, news->text);
        break;
    case NEWS_BROADCAST:
        hear_broadcast(hall, running, news->text, news->masked);
        break;
    case NEWS_UTTERANCE:
        return hear_utterance(hall, news);
    case NEWS_FAULT:
        hear_fault(hall, running, &news->fault);
        break;
    case NEWS_LOST:
        hall->counts.open--;
        hall_lose_agent(news->agent);
        break;
    case NEWS_AWAY:
        take_back(hall, running, now);
        break;
    case NEWS_BACK:
        running->returning &= ~seat_bit(news->seat);
        break;
    case NEWS_REFUSED:
        readmit_agent(hall, news->agent, now);
        break;
    case NEWS_OVER:
        end_game(hall, running, now);
        break;
    }
    return false;
}

/* The hall's own bench: what it tells is heard at once. */
static bool hear_own(void *user, const News *news)
{
    return hear_news(user, news, news->at);
}

static bool is_running(const NlpHall *hall, const Running *running)
{
    const Running *at = hall->running;

    while (at && at != running)
        at = at->next;
    return at != NULL;
}

/* The game is the hall's again. */
static void take_home(NlpHall *hall, Running *running)
{
    hall->bench_seats[running->away_at] -= running->count;
    running->away_at = -1;
    running->bench = hall->bench;
    nlp_table_settle(running->table, bench_scratch(hall->bench), bench_clock(hall->bench));
}

void nlp_hall_hear(NlpHall *hall, const News *news, TimeUs now)
{
    if (news->kind == NEWS_OVER)
        take_home(hall, news->running);
    else if (news->kind == NEWS_REFUSED && is_running(hall, news->running))
        news->running->returning &= ~seat_bit(news->seat);
    if (!hear_news(hall, news, now) && news->kind == NEWS_UTTERANCE)
        give_task(hall, &(Task){.kind = TASK_GO_ON, .running = news->running}, now);
}

void hall_hand_over(NlpHall *hall, Running *running)
{
    if (!hall->setup.benches)
        return;
    running->moving = true;
    call_moves(hall);
}

/* The one with the fewest seats; of several the one that had the fewest so far. */
static unsigned choose_bench(const NlpHall *hall)
{
    unsigned best = 0;

    for (unsigned i = 1; i < hall->setup.benches; i++)
        if (hall->bench_seats[i] < hall->bench_seats[best] ||
            (hall->bench_seats[i] == hall->bench_seats[best] &&
             hall->bench_all[i] < hall->bench_all[best]))
            best = i;
    return best;
}

static void move_game(NlpHall *hall, Running *running, TimeUs now)
{
    unsigned to = choose_bench(hall);

    hall->bench_seats[to] += running->count;
    hall->bench_all[to] += running->count;
    running->moving = false;
    bench_drop(running);
    running->away_at = (int)to;
    give_task(hall, &(Task){.kind = TASK_TAKE, .running = running}, now);
}

void nlp_hall_move(NlpHall *hall, TimeUs now)
{
    hall->moves_due = false;
    for (Running *running = hall->running; running; running = running->next)
        if (running->moving)
            move_game(hall, running, now);
    while (hall->returning.first) {
        NlpAgent *agent = hall->returning.first;
        list_drop(&hall->returning, agent);
        send_back(hall, agent, now);
    }
}

/* ---- the end of all ---- */

void nlp_hall_drain(NlpHall *hall, TimeUs now)
{
    if (hall->unsaved) /* the last occasion */
        hall_save_history(hall, now);
    if (!hall->draining && !nlp_hall_complete(hall))
        hall_note(hall, STR("draining: no further game begins"));
    hall->draining = true;
}

void nlp_hall_abort(NlpHall *hall, TimeUs now)
{
    nlp_hall_drain(hall, now);
    for (Running *running = hall->running, *next; running; running = next) {
        next = running->next;
        give_task(hall, &(Task){.kind = TASK_ABORT, .running = running}, now);
    }
    hall_unmatch(hall, NULL);
    while (hall->waiting.first)
        refuse_agent(hall, hall->waiting.first, CLOSE_GOING_AWAY, "server is shutting down");
    while (hall->naming.first)
        refuse_agent(hall, hall->naming.first, CLOSE_GOING_AWAY, "server is shutting down");
}

bool nlp_hall_draining(const NlpHall *hall)
{
    return hall->draining;
}

bool nlp_hall_complete(const NlpHall *hall)
{
    if (hall->counts.games || hall->unsaved)
        return false;
    if (hall->setup.games)
        return hall->counts.games_begun - hall->counts.games_aborted >= hall->setup.games;
    return hall->history && !history_plan(hall->history)->infinite_loop &&
           history_scheduled_count(hall->history) == 0;
}

bool nlp_hall_done(const NlpHall *hall)
{
    return (hall->draining && hall->counts.games == 0) || nlp_hall_complete(hall);
}

/* ---- making ---- */

/* One that is there and can't be read (no right, no descriptor left) is not written over. */
static bool file_is_there(const char *path)
{
    return access(path, F_OK) == 0 || errno != ENOENT;
}

/* The roles of a schedule that is continued win over the configuration's (2.5). */
static int take_roles_of_schedule(NlpHall *hall, Err *err)
{
    const Config *config = hall->setup.config;
    const uint8_t *roles = history_plan(hall->history)->role_counts;
    uint8_t counts[ROLE_COUNT];
    uint32_t seats = 0;

    int rc = ruleset_roles(&config->rules, config->agent_count, counts, err);
    if (rc || memcmp(counts, roles, sizeof(counts)) == 0)
        return rc;
    hall->own_config = *config;
    for (Role role = ROLE_NONE + 1; role < ROLE_COUNT; role++) {
        seats += roles[role];
        hall->own_config.rules.roles.counts[config->agent_count][role] = roles[role];
        hall->own_config.role_named[role] |= roles[role] > 0;
    }
    if (seats != (uint32_t)config->agent_count)
        return err_set(err, ERR_RULE,
                       "schedule '%s' is of games with %u seats; agent_count is %d: move one away",
                       config->matching.output_path, seats, (int)config->agent_count);
    hall->setup.config = &hall->own_config;
    hall_note(hall, STR("the schedule has other roles than logic.roles; those of the schedule are "
                        "played"));
    return 0;
}

static void note_recovered(void *user, Str line)
{
    hall_note(user, line);
}

/* A schedule that is continued: what a killed server had not settled is settled first. */
static int continue_history(NlpHall *hall, Err *err)
{
    const Config *config = hall->setup.config;
    const char *path = config->matching.output_path;
    HistoryLogs logs = logs_of(config);
    logs.realtime = config->realtime.enable ? config->realtime.output_dir : NULL;
    logs.results = hall->setup.results;
    int rc = history_load(path, &hall->history, err);

    if (rc == 0 && history_recover(hall->history, &logs, note_recovered, hall))
        rc = history_save(hall->history, path, err);
    return rc ? rc : take_roles_of_schedule(hall, err);
}

static int open_history(NlpHall *hall, Err *err)
{
    const Config *config = hall->setup.config;
    const ConfigMatching *matching = &config->matching;
    HistoryPlan plan = {.team_count = (uint32_t)matching->team_count,
                        .game_count = (uint32_t)matching->game_count,
                        .infinite_loop = matching->infinite_loop};
    int rc = 0;

    if (!matching->is_optimize)
        return 0;
    rc = history_lock(matching->output_path, &hall->history_lock, err);
    if (rc)
        return rc;
    if (file_is_there(matching->output_path))
        return continue_history(hall, err);
    rc = ruleset_roles(&config->rules, config->agent_count, plan.role_counts, err);
    if (rc == 0) {
        Rng rng = hall_chance_schedule(&hall->chance);
        rc = history_new(&plan, &rng, &hall->history, err);
    }
    return rc ? rc : history_save(hall->history, matching->output_path, err);
}

int nlp_hall_new(const NlpHallSetup *setup, NlpHall **ret_hall, Err *err)
{
    const Config *config = setup->config;
    NlpHall *hall = mem_new(sizeof(*hall));

    if (!hall)
        return err_set(err, ERR_MEMORY, "new server: out of memory");
    hall->setup = *setup;
    hall->chance = hall_chance(&setup->key);
    hall->filled_at = -1;
    hall->history_lock = -1;
    const BenchOut bench = {
        .send = setup->out.send, .close = setup->out.close, .tell = hear_own, .user = hall};
    int rc = bench_new(&bench, setup->unix_ms_at_zero, &hall->bench, err);
    if (rc == 0)
        rc = team_health_new(&config->health, &hall->health, err);
    if (rc == 0)
        rc = open_history(hall, err);
    if (rc) {
        nlp_hall_free(hall);
        return rc;
    }
    config = hall->setup.config; /* may be with the schedule's roles now */
    nlp_setting_write(&config->rules, config->agent_count, config->role_named, config->action_ms,
                      config->response_ms, &hall->setting);
    *ret_hall = hall;
    return 0;
}

void nlp_hall_set_clock(NlpHall *hall, int64_t unix_ms_at_zero)
{
    Task task = {.kind = TASK_CLOCK, .unix_ms_at_zero = unix_ms_at_zero};

    hall->setup.unix_ms_at_zero = unix_ms_at_zero;
    bench_do(hall->bench, &task, 0);
    for (unsigned i = 0; i < hall->setup.benches; i++)
        hall->setup.out.task(hall->setup.out.user, i, &task);
}

NlpHall *nlp_hall_free(NlpHall *hall)
{
    if (!hall)
        return NULL;
    hall_unmatch(hall, NULL);
    while (hall->running) {
        Running *running = hall->running;
        hall->running = running->next;
        for (SeatNo seat = 1; seat <= running->count; seat++)
            if (nlp_table_peer(running->table, seat))
                hall_free_agent(nlp_table_peer(running->table, seat));
        running_free(running);
    }
    AgentList *lists[] = {&hall->naming, &hall->waiting, &hall->returning};
    for (size_t i = 0; i < sizeof(lists) / sizeof(lists[0]); i++)
        while (lists[i]->first) {
            NlpAgent *agent = lists[i]->first;
            list_drop(lists[i], agent);
            hall_free_agent(agent);
        }
    hall_forget(hall);
    history_free(hall->history);
    history_unlock(hall->setup.config->matching.output_path, hall->history_lock);
    team_health_free(hall->health);
    buf_done(&hall->setting);
    bench_free(hall->bench);
    return mem_free(hall);
}
