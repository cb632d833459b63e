/* soak.h - a contest on a simulated network and clock, in which everything goes wrong: the state,
 *          its configuration, and what stands in the place of the server around a hall.
 *
 * For:    test_soak.c.
 * Memory: a Soak owns all; its folder is removed at the end.
 * Thread: the test's.
 * Source: docs/spec/nlp-division.md 2, 6; serve/server.c.
 *
 * A contest is a function of its seed and its number of games: soak_contest(seed, games) plays it
 * again.
 */
#ifndef WARG_TESTS_NLP_SOAK_H
#define WARG_TESTS_NLP_SOAK_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <dirent.h>
#include <inttypes.h>
#include <sys/stat.h>
#include <unistd.h>

#include "net/loop.h"
#include "nlp/soak_net.h"
#include "wire/jwt.h"

#define CLIENTS_MAX  128
#define RUNNING_MAX  512
#define RESIDENT_MAX 1024
#define SAMPLE_GAMES 20
#define SECRET       "soaked to the skin"
#define ZERO_UNIX_MS INT64_C(1790000000000)
/* No contest takes longer than that for a game that is decided: who waits for a ghost waits on. */
#define HOURS_A_GAME 48

typedef enum SoakMode { MODE_SCHEDULE, MODE_FREE, MODE_SELF, MODE_COUNT } SoakMode;

/* What a contest is like. */
typedef struct SoakPlan {
    SoakMode mode;
    unsigned trouble; /* how often things go wrong: a factor */
    unsigned seats;
    unsigned teams;
    unsigned clients_each;
    bool timed;
    bool whisper_timed;
    bool auth;
    bool unique_names;
    bool strict;
    bool health;
    bool fill;
    bool milliseconds;
    bool talk_time;
    bool shuffle;
    bool attack_nobody;
    unsigned error_percent; /* 0 = no key: the game goes on while anybody plays */
    unsigned action_s;
    unsigned response_s;
    unsigned acceptable_s;
    unsigned name_s;
    unsigned rejoin_s;
    unsigned per_agent;
    unsigned per_day;
    unsigned whispers;
    unsigned ballots;
    unsigned max_day;
    unsigned duration_s;
    unsigned silence_s;
    unsigned rate;
    unsigned rest_s; /* how long one stays away after a game, at most */
} SoakPlan;

/* A participant's program: one name, one connection at a time, most of the time. */
struct Client {
    unsigned number;
    char name[140];
    Buf token;
    Buf bad_token;
    bool honest; /* it does nothing wrong, and nothing happens to its connections */
    Conn *conn;  /* the one that counts; NULL: it is away */
};

typedef struct Begun {
    char id[32];
    TimeUs at;
} Begun;

typedef struct SoakTotals {
    uint64_t contests;
    uint64_t decided;
    uint64_t drawn;
    uint64_t aborted;
    uint64_t cut_off; /* by a kill */
    uint64_t begun;
    uint64_t messages;
    uint64_t requests;
    uint64_t late;
    uint64_t rejoined;
    uint64_t connections;
    uint64_t close_codes[8]; /* 1000 1001 1002 1008 1009 4001 4002 4003+ */
    uint64_t faults[NET_COUNT];
    TimeUs simulated;
} SoakTotals;

struct Soak {
    uint64_t seed;
    unsigned games;
    Rng rng;
    SoakPlan plan;
    Config *config;
    NlpHall *hall; /* NULL: the server is down */
    NlpHallSetup setup;
    ResultJournal *results;
    TimeUs now;
    Agenda agenda;
    Conn *conns;
    Client clients[CLIENTS_MAX];
    unsigned client_count;
    Begun begun[RUNNING_MAX]; /* games that run */
    unsigned begun_count;
    Begun overs[RUNNING_MAX]; /* games that are over, not looked at yet, in that order */
    unsigned over_count;
    TimeUs game_bound; /* no game takes longer */
    uint64_t decided;  /* of this contest, over all lives of the server */
    uint64_t aborted;
    uint32_t lives;
    HistoryMatch *planned; /* the schedule, as it was drawn */
    uint32_t planned_count;
    uint32_t settled;
    uint32_t expected_open; /* connections that the hall should count */
    bool logs_blocked;
    TimeUs logs_back_at;
    TimeUs room_at; /* when the journal can be written again */
    TimeUs last_kill;
    TimeUs ended_at; /* when everything was decided */
    char folder[128];
    char history_path[160];
    Buf out;
    Buf text;
    SoakTotals *totals;
    /* Of a long contest: resident bytes, every SAMPLE_GAMES games. */
    size_t resident[RESIDENT_MAX];
    unsigned resident_count;
};

__attribute__((format(printf, 2, 3), noreturn)) static inline void
soak_fail(const Soak *soak, const char *format, ...)
{
    char text[1024];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(text, sizeof(text), format, arguments);
    va_end(arguments);
    fail_msg("soak_contest(%" PRIu64 ", %u), at %.6f s, %" PRIu64 " games decided: %s", soak->seed,
             soak->games, (double)soak->now / 1e6, soak->decided, text);
    abort();
}

#define soak_check(soak, holds, ...)                                                               \
    do {                                                                                           \
        if (!(holds))                                                                              \
            soak_fail((soak), __VA_ARGS__);                                                        \
    } while (0)

static inline bool chance(Soak *soak, uint32_t per_million)
{
    return rng_below(&soak->rng, 1000000) < per_million;
}

static inline bool fault(Soak *soak, NetTrouble which)
{
    bool hit = chance(soak, soak->plan.trouble * fault_rates[which].per_million);

    soak->totals->faults[which] += hit;
    return hit;
}

/* The same where somebody has to do it. */
static inline bool conn_fault(const Conn *conn, NetTrouble which)
{
    return !(conn->client && conn->client->honest) && fault(conn->soak, which);
}

/* Between the two, often near the lower one. */
static inline TimeUs some_time(Soak *soak, TimeUs from, TimeUs to)
{
    unsigned halves = rng_below(&soak->rng, 8);
    TimeUs span = (to - from) >> halves;

    return from + (TimeUs)(rng_next(&soak->rng) % (uint64_t)(span + 1));
}

static inline unsigned between(Rng *rng, unsigned from, unsigned to)
{
    return from + rng_below(rng, to - from + 1);
}

/* ---- the configuration ---- */

static inline SoakPlan draw_plan(Rng *rng, unsigned games)
{
    static const unsigned sizes[] = {5, 5, 5, 5, 9, 13};
    static const unsigned troubles[] = {1, 2, 4, 8, 16};
    static const unsigned rejoins[] = {0, 10, 60, 60, 300};
    static const unsigned percents[] = {0, 0, 20, 40};
    static const unsigned rests[] = {3, 3600, 7200, 14400};
    SoakPlan plan = {.mode = (SoakMode)rng_below(rng, MODE_COUNT),
                     .trouble = troubles[rng_below(rng, 5)],
                     .seats = games > 1000 ? 5 : sizes[rng_below(rng, 6)],
                     .auth = rng_below(rng, 4) == 0,
                     .unique_names = rng_below(rng, 2),
                     .strict = rng_below(rng, 8) == 0,
                     .health = rng_below(rng, 3) == 0,
                     .milliseconds = rng_below(rng, 2),
                     .talk_time = rng_below(rng, 2),
                     .shuffle = rng_below(rng, 2),
                     .attack_nobody = rng_below(rng, 2),
                     .error_percent = percents[rng_below(rng, 4)],
                     .action_s = between(rng, 5, 60),
                     .response_s = between(rng, 5, 120),
                     .acceptable_s = between(rng, 0, 5),
                     .name_s = between(rng, 5, 120),
                     .rejoin_s = rejoins[rng_below(rng, 5)],
                     .per_agent = between(rng, 1, 3),
                     .per_day = between(rng, 1, 4),
                     .whispers = rng_below(rng, 3),
                     .ballots = between(rng, 1, 3),
                     .max_day = between(rng, 3, 9),
                     .timed = rng_below(rng, 3) == 0,
                     .whisper_timed = rng_below(rng, 2),
                     .duration_s = between(rng, 10, 120),
                     .silence_s = rng_below(rng, 2) ? between(rng, 5, 20) : 0,
                     .rate = rng_below(rng, 2) ? between(rng, 5, 60) : 0,
                     .rest_s = games > 1000 ? 3 : rests[rng_below(rng, 4)]};

    if (plan.error_percent && plan.trouble > 3) /* or hardly a game would be decided */
        plan.trouble = 3;
    if (games > 1000) /* the long one: its history is on disk all the time */
        plan.mode = MODE_SCHEDULE;
    plan.fill = plan.mode != MODE_SCHEDULE && rng_below(rng, 3) == 0;
    plan.teams = plan.mode == MODE_SELF ? between(rng, 2, 4) : plan.seats + between(rng, 0, 6);
    plan.clients_each = plan.mode == MODE_SELF ? plan.seats + rng_below(rng, 2)
                                               : between(rng, 1, plan.seats > 5 ? 2 : 4);
    if (plan.mode == MODE_SELF && plan.seats == 13)
        plan.teams = 2;
    return plan;
}

static inline void add_talk(Buf *out, const SoakPlan *plan, const char *name, bool timed,
                            unsigned per_agent)
{
    buf_printf(out, "  %s:\n", name);
    if (timed)
        buf_printf(out, "    duration: %us\n", plan->duration_s);
    buf_printf(out,
               "    max_count: {per_agent: %u, per_day: %u}\n"
               "    max_length: {count_in_word: false, count_spaces: false, per_talk: -1, "
               "mention_length: 50, per_agent: -1, base_length: 50}\n"
               "    max_skip: 0\n",
               per_agent, per_agent ? plan->per_day : 0);
}

static inline void write_config(const Soak *soak, Buf *out)
{
    static const char *const roles[3] = {
        "5: {WEREWOLF: 1, POSSESSED: 1, SEER: 1, BODYGUARD: 0, VILLAGER: 2, MEDIUM: 0}",
        "9: {WEREWOLF: 2, POSSESSED: 1, SEER: 1, BODYGUARD: 1, VILLAGER: 3, MEDIUM: 1}",
        "13: {WEREWOLF: 3, POSSESSED: 1, SEER: 1, BODYGUARD: 1, VILLAGER: 6, MEDIUM: 1}"};
    const SoakPlan *plan = &soak->plan;
    const char *yes = "true", *no = "false";

    buf_printf(out,
               "server:\n  web_socket: {host: 127.0.0.1, port: 0}\n"
               "  authentication: {enable: %s}\n"
               "  timeout: {action: %us, response: %us, acceptable: %us}\n",
               plan->auth ? yes : no, plan->action_s, plan->response_s, plan->acceptable_s);
    if (plan->error_percent)
        buf_printf(out, "  max_continue_error_ratio: 0.%u\n", plan->error_percent);
    buf_printf(out, "game:\n  agent_count: %u\n  max_day: %u\n  vote_visibility: true\n",
               plan->seats, plan->max_day);
    add_talk(out, plan, "talk", plan->timed, plan->per_agent);
    add_talk(out, plan, "whisper", plan->timed && plan->whisper_timed, plan->whispers);
    buf_printf(out,
               "  vote: {max_count: %u, allow_self_vote: true}\n"
               "  attack_vote: {max_count: %u, allow_self_vote: true, allow_no_target: %s}\n",
               plan->ballots, plan->ballots, plan->attack_nobody ? yes : no);
    buf_printf(out,
               "logic:\n"
               "  day_phases:\n"
               "    - {name: morning_whisper, actions: [whisper], only_day: 0}\n"
               "    - {name: daily_talk, actions: [talk]}\n"
               "  night_phases:\n"
               "    - {name: evening_whisper, actions: [whisper], only_day: 0}\n"
               "    - {name: execution, actions: [execution], except_day: 0}\n"
               "    - {name: divine, actions: [divine]}\n"
               "    - {name: night_whisper, actions: [whisper], except_day: 0}\n"
               "    - {name: guard, actions: [guard], except_day: 0}\n"
               "    - {name: attack, actions: [attack], except_day: 0}\n"
               "  roles:\n    %s\n",
               roles[plan->seats / 4 - 1]);
    buf_printf(out,
               "matching:\n  self_match: %s\n  is_optimize: %s\n  team_count: %u\n"
               "  game_count: %u\n  output_path: %s\n  infinite_loop: false\n"
               "  abort_weight_factor: 0.5\n",
               plan->mode == MODE_SELF ? yes : no, plan->mode == MODE_SCHEDULE ? yes : no,
               plan->teams, soak->games, soak->history_path);
    buf_printf(
        out,
        "json_logger: {enable: true, output_dir: %s/json, filename: \"{timestamp}_{teams}\"}\n"
        "game_logger: {enable: true, output_dir: %s/game, filename: \"{timestamp}_{teams}\"}\n"
        "realtime_broadcaster: {enable: false, delay: 0s, output_dir: x, filename: x}\n"
        "custom_profile: {enable: false}\n",
        soak->folder, soak->folder);
    buf_printf(out,
               "team_health:\n  enable: %s\n  window: 10\n  min_games: 2\n"
               "  scores: {request_error: 1, fatal: 3, abort: 1}\n  weight_floor: 0.1\n"
               "  quarantine_rate: 0.5\n  quarantine_duration: 30m\n",
               plan->health ? yes : no);
    buf_printf(out,
               "warg:\n  name_timeout: %us\n  rejoin: %us\n  unique_names: %s\n  strict: %s\n"
               "  log_talk_time: %s\n  json_milliseconds: %s\n  shuffle_each_round: %s\n"
               "  silence: %us\n  rate_limit: %u\n",
               plan->name_s, plan->rejoin_s, plan->unique_names ? yes : no, plan->strict ? yes : no,
               plan->talk_time ? yes : no, plan->milliseconds ? yes : no, plan->shuffle ? yes : no,
               plan->silence_s, plan->rate);
}

static inline const char *soak_getenv(void *user, const char *name)
{
    (void)user;
    return strcmp(name, "SECRET_KEY") == 0 ? SECRET : NULL;
}

/* The longest that a game can take when every request fails as late as it can. */
static inline TimeUs longest_game(const SoakPlan *plan)
{
    TimeUs ask = SECOND_US * (plan->action_s + plan->acceptable_s + plan->response_s);
    TimeUs turns = ask * plan->per_day * plan->seats;
    TimeUs session = SECOND_US * plan->duration_s;
    TimeUs talk = plan->timed ? session : turns;
    TimeUs whisper = plan->timed && plan->whisper_timed ? session : turns;
    TimeUs day = talk + 2 * whisper + ask * (2 * plan->ballots + 2);

    return day * (plan->max_day + 2) + 60 * SECOND_US;
}

/* ---- the network ---- */

static inline TimeUs latency(Soak *soak)
{
    return some_time(soak, 100, rng_below(&soak->rng, 50) ? 20000 : 2 * SECOND_US);
}

static inline void send_down(Conn *conn, Str bytes)
{
    Soak *soak = conn->soak;

    if (conn->hole) {
        conn->unread += bytes.len;
        if (conn->unread > KERNEL_BYTES && !conn->stuck) {
            conn->stuck = true;
            agenda_add(&soak->agenda,
                       (SoakEvent){.at = soak->now + SECOND_US * (soak->plan.action_s + 1),
                                   .kind = SOAK_STUCK,
                                   .conn = conn});
        }
        return;
    }
    TimeUs at = soak->now + latency(soak);
    conn->down_at = at > conn->down_at ? at : conn->down_at;
    agenda_add(&soak->agenda, (SoakEvent){.at = conn->down_at,
                                          .kind = SOAK_DOWN,
                                          .conn = conn,
                                          .bytes = copy_bytes(bytes),
                                          .len = bytes.len});
}

static inline void send_down_fin(Conn *conn)
{
    Soak *soak = conn->soak;

    if (!conn->hole)
        agenda_add(&soak->agenda,
                   (SoakEvent){.at = conn->down_at > soak->now ? conn->down_at : soak->now,
                               .kind = SOAK_DOWN_FIN,
                               .conn = conn});
}

/* Bytes arrive in pieces, cut anywhere. */
static inline void send_up(Conn *conn, Str bytes)
{
    Soak *soak = conn->soak;

    if (!conn->peer_open || conn->hole)
        return;
    while (bytes.len) {
        size_t len = bytes.len;
        if (len > 1 && rng_below(&soak->rng, 20) == 0)
            len = 1 + rng_below(&soak->rng, (uint32_t)len - 1);
        TimeUs at = soak->now + latency(soak);
        conn->up_at = at > conn->up_at ? at : conn->up_at;
        agenda_add(&soak->agenda, (SoakEvent){.at = conn->up_at,
                                              .kind = SOAK_UP,
                                              .conn = conn,
                                              .bytes = copy_bytes(str_part(bytes, 0, len)),
                                              .len = len});
        bytes = str_part(bytes, len, bytes.len);
    }
}

static inline void send_up_fin(Conn *conn, TimeUs after)
{
    Soak *soak = conn->soak;
    TimeUs at = conn->up_at > soak->now + after ? conn->up_at : soak->now + after;

    agenda_add(&soak->agenda, (SoakEvent){.at = at, .kind = SOAK_UP_FIN, .conn = conn});
}

static inline Conn *conn_new(Soak *soak, Client *client)
{
    Conn *conn = mem_new(sizeof(*conn));

    conn->soak = soak;
    conn->client = client;
    conn->server = websocket_new(false, 1 << 20);
    conn->peer = websocket_new(true, 16 << 20);
    conn->server_open = conn->peer_open = true;
    conn->next = soak->conns;
    if (conn->next)
        conn->next->prev = conn;
    soak->conns = conn;
    if (client && rng_below(&soak->rng, 8) == 0)
        nlp_client_new(&conn->reader, NULL);
    return conn;
}

static inline void conn_free(Conn *conn)
{
    *(conn->prev ? &conn->prev->next : &conn->soak->conns) = conn->next;
    if (conn->next)
        conn->next->prev = conn->prev;
    websocket_free(conn->server);
    websocket_free(conn->peer);
    nlp_client_free(conn->reader);
    mem_free(conn);
}

static inline void conn_free_when_over(Conn *conn)
{
    if (!conn->server_open && (!conn->peer_open || conn->hole) && conn->pending == 0 &&
        !(conn->client && conn->client->conn == conn))
        conn_free(conn);
}

/* ---- the server's place: what the hall says ---- */

static inline void hall_sends(void *peer, Str text)
{
    Conn *conn = peer;
    Soak *soak = conn->soak;

    soak_check(soak, conn->server_open && conn->agent, "a message to a connection that is gone");
    soak_check(soak, text.len > 0 && text.bytes[0] == '{' && text.bytes[text.len - 1] == '}',
               "a packet is no object: %.*s", STR_ARG(str_part(text, 0, 200)));
    buf_clear(&soak->out);
    websocket_send(conn->server, text, &soak->out);
    send_down(conn, buf_str(&soak->out));
}

static inline void hall_closes(void *peer, NlpClose code, const char *reason)
{
    Conn *conn = peer;
    Soak *soak = conn->soak;

    soak_check(soak, conn->server_open && conn->agent, "the hall closes a connection twice");
    soak_check(soak, reason[0] && strlen(reason) <= WEBSOCKET_REASON_MAX, "no good reason: %s",
               reason);
    buf_clear(&soak->out);
    websocket_close(conn->server, (uint16_t)code, str_of(reason), &soak->out);
    send_down(conn, buf_str(&soak->out));
    conn->server_open = false;
    conn->agent = NULL;
    soak->expected_open--;
    send_down_fin(conn);
}

static inline void hall_notes(void *user, Str line)
{
    Soak *soak = user;

    for (size_t i = 0; i < line.len; i++)
        soak_check(soak, line.bytes[i] != '\n', "a note of two lines");
    if (getenv("SOAK_VERBOSE"))
        printf("%.6f %.*s\n", (double)soak->now / 1e6, STR_ARG(line));
}

static inline void hall_games(void *user, Str id, bool over)
{
    Soak *soak = user;
    unsigned i = 0;

    if (!over) {
        soak_check(soak, soak->begun_count < RUNNING_MAX, "too many games at once");
        Begun *begun = &soak->begun[soak->begun_count++];
        *begun = (Begun){.at = soak->now};
        snprintf(begun->id, sizeof(begun->id), "%.*s", STR_ARG(id));
        return;
    }
    while (i < soak->begun_count && !str_eq(str_of(soak->begun[i].id), id))
        i++;
    soak_check(soak, i < soak->begun_count, "a game is over that has not begun, or twice");
    soak->overs[soak->over_count++] = soak->begun[i];
    soak->begun[i] = soak->begun[--soak->begun_count];
}

static inline void hall_broadcasts(void *user, Str id, Str packet, Str masked)
{
    const Soak *soak = user;

    soak_check(soak, id.len == 26 && (packet.len > 2 ? packet.bytes[0] == '{' : masked.len > 2),
               "a broadcast is no packet");
    soak_check(soak, masked.len == 0 || masked.bytes[masked.len - 1] == '}',
               "a masked broadcast is no packet");
}

static inline void hall_notices(void *user, ConfigNotice what, Str text)
{
    (void)user, (void)what, (void)text;
}

/* The connection is gone, and the server knows it. */
static inline void server_lost(Conn *conn)
{
    Soak *soak = conn->soak;
    NlpAgent *agent = conn->agent;

    conn->server_open = false;
    conn->agent = NULL;
    if (!agent)
        return;
    soak->expected_open--;
    nlp_hall_closed(soak->hall, agent, soak->now);
}

/* net/web_socket.c. */
static inline void server_reads(Conn *conn, Str bytes)
{
    Soak *soak = conn->soak;
    CLEANUP(buf_done) Buf out = {0};
    Str message;

    websocket_feed(conn->server, bytes);
    while (conn->server_open) {
        buf_clear(&out);
        WebSocketEvent event = websocket_next(conn->server, &message, &out);
        if (out.len)
            send_down(conn, buf_str(&out));
        switch (event) {
        case WEBSOCKET_MESSAGE:
            soak->totals->messages++;
            nlp_hall_message(soak->hall, conn->agent, message, soak->now);
            break;
        case WEBSOCKET_CLOSED:
        case WEBSOCKET_BROKEN:
            send_down_fin(conn);
            server_lost(conn);
            return;
        case WEBSOCKET_NO_MEMORY:
            soak_fail(soak, "no memory");
        case WEBSOCKET_MORE:
        default:
            return;
        }
    }
}

/* ---- its life ---- */

static inline void server_start(Soak *soak)
{
    Err err = {0};

    CLEANUP(buf_done) Buf folder = {0};
    buf_printf(&folder, "%s/results", soak->folder);
    if (result_journal_open(buf_cstr(&folder), &soak->config->rules, loop_date_ms, &soak->results,
                            &err))
        soak_fail(soak, "the journal can't be opened: %s", err.msg);
    soak->setup =
        (NlpHallSetup){.config = soak->config,
                       .results = soak->results,
                       .out = {.send = hall_sends,
                               .close = hall_closes,
                               .note = hall_notes,
                               .broadcast = hall_broadcasts,
                               .game = hall_games,
                               .notice = hall_notices,
                               .user = soak},
                       .unix_ms_at_zero = ZERO_UNIX_MS,
                       .key = key_of_seed(rng_derive(soak->seed, ++soak->lives)),
                       .ids = id_source_of_test(rng_derive(soak->seed, soak->lives) + 1),
                       .fill = soak->plan.fill,
                       .fill_after = 90 * SECOND_US,
                       .games = soak->plan.mode == MODE_SCHEDULE ? 0 : soak->games - soak->decided};
    if (nlp_hall_new(&soak->setup, &soak->hall, &err))
        soak_fail(soak, "the server does not start: %s", err.msg);
    soak->expected_open = 0;
}

#endif
