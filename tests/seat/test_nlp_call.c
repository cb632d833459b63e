/* Tests of built-in bots that call a server of the natural-language division: a small server on the
 * same loop seats five connections, plays a game and closes, or does what a server should not. */
#include "seat/nlp_village.h"

#include "net/websocket.h"
#include "seat/nlp_call.h"

#define PLAYERS 5
#define PEERS   64

typedef enum Mood {
    PLAYS,       /* seats five, plays, closes */
    REFUSES,     /* 503 */
    BAD_TOKEN,   /* closes behind the name, 1008 */
    HANGS_UP,    /* ends in the middle of a game */
    BABBLES,     /* sends what is no packet */
    NEVER_CLOSES /* plays, and leaves the connection open */
} Mood;

typedef struct Peer {
    struct Server *server;
    WebConn *conn; /* NULL: gone, or free */
    SeatNo seat;   /* 0 = not named yet */
    Mood mood;
    char name[64];
} Peer;

typedef struct Server {
    Loop *loop;
    WebServer *web;
    Timer *clock;
    Village village;
    const char *ruleset;
    Mood moods[8]; /* of the connections in order; the last one goes on */
    uint32_t mood_count;
    uint32_t requests;
    Peer peers[PEERS];
    Peer *seats[PLAYERS + 1];
    SeatNo seated;
    uint32_t games;
    bool health_checks; /* a NAME before every request */
    uint32_t health_due;
    uint32_t health_answered;
    uint32_t replies;
    uint32_t odd; /* replies that were not asked for */
    uint64_t seed;
    char authorization[64];

    NlpCall *calls[16];
    uint32_t call_count;
    uint32_t played; /* events of calls */
    uint32_t failed;
    uint32_t retried;
    uint32_t enough; /* failures; 0 = any number */
    char why[256];
} Server;

/* ---- the server ---- */

static void peer_send(void *user, SeatNo seat, NlpRequest request, Str packet)
{
    Server *server = user;
    Peer *peer = server->seats[seat];

    if (!peer->conn)
        return;
    if (server->health_checks && nlp_request_has_reply(request)) {
        server->health_due++;
        web_send(peer->conn, STR("{\"request\":\"NAME\"}"));
    }
    web_send(peer->conn, packet);
}

static void end_game(Server *server, bool gently)
{
    for (SeatNo seat = 1; seat <= PLAYERS; seat++) {
        Peer *peer = server->seats[seat];
        if (peer->conn && gently)
            web_close(peer->conn, 1000, "game over");
        if (gently)
            peer->conn = NULL;
        peer->seat = 0;
    }
    server->seated = 0;
    server->games++;
}

static void look_at_game(Server *server, Mood mood)
{
    if (server->village.over)
        end_game(server, mood != NEVER_CLOSES);
}

static void seat_peer(Server *server, Peer *peer)
{
    if (server->seated == PLAYERS) /* waits for the next game, which never comes */
        return;
    peer->seat = ++server->seated;
    server->seats[peer->seat] = peer;
    if (server->seated < PLAYERS)
        return;
    village_begin(&server->village, server->ruleset, PLAYERS, server->games % 2, server->seed++);
    if (peer->mood == HANGS_UP)
        end_game(server, true);
}

/* Of the next connection. */
static Mood mood_now(const Server *server)
{
    uint32_t last = server->mood_count - 1;

    return server->moods[server->requests < last ? server->requests : last];
}

static void on_message(void *socket, Str text, TimeUs at)
{
    Peer *peer = socket;
    Server *server = peer->server;
    bool is_name = peer->name[0] && str_eq(text, str_of(peer->name));

    (void)at;
    if (peer->seat == 0) {
        assert_true(text.len < sizeof(peer->name));
        memcpy(peer->name, text.bytes, text.len);
        peer->name[text.len] = '\0';
        if (peer->mood == BAD_TOKEN) {
            web_close(peer->conn, 1008, "token: it expired");
            peer->conn = NULL;
            return;
        }
        seat_peer(server, peer);
        return;
    }
    if (is_name) {
        server->health_answered++;
        return;
    }
    server->replies++;
    server->odd += !village_reply(&server->village, peer->seat, text);
    look_at_game(server, peer->mood);
}

static void on_closed(void *socket, WebEnd how, uint16_t code, TimeUs now)
{
    Peer *peer = socket;

    (void)now;
    (void)how, (void)code;
    peer->conn = NULL;
}

static void on_request(void *user, WebConn *conn, const WebRequest *request)
{
    Server *server = user;
    Str authorization = web_header(request, "Authorization");
    Peer *peer = server->peers;
    Mood mood = mood_now(server);

    server->requests++;
    assert_true(authorization.len < sizeof(server->authorization));
    memcpy(server->authorization, authorization.bytes, authorization.len);
    server->authorization[authorization.len] = '\0';
    if (mood == REFUSES) {
        web_reply(conn, 503, "text/plain", STR("draining\n"));
        return;
    }
    while (peer->conn || peer->seat)
        peer++;
    assert_true(peer < server->peers + PEERS);
    *peer = (Peer){.server = server, .conn = conn, .mood = mood};
    assert_true(web_upgrade(conn, peer));
    web_send(conn, mood == BABBLES ? STR("hello?") : STR("{\"request\":\"NAME\"}"));
}

/* ---- the calls ---- */

static void on_played(void *user, NlpCall *call)
{
    Server *server = user;

    server->played++;
    assert_int_equal(nlp_bot_view(nlp_call_bot(call))->winner, game_winner(server->village.game));
}

static void on_failed(void *user, NlpCall *call, const char *why, bool again)
{
    Server *server = user;

    (void)call;
    server->failed++;
    server->retried += again;
    snprintf(server->why, sizeof(server->why), "%s", why);
}

static void stop_server(void *user, TimeUs now)
{
    (void)now;
    loop_stop(((Server *)user)->loop);
}

static Server *server_new(const char *ruleset, const Mood *moods, uint32_t count)
{
    static const WebEvents events = {
        .request = on_request, .message = on_message, .closed = on_closed};
    Server *server = mem_new(sizeof(*server));

    assert_non_null(server);
    server->ruleset = ruleset;
    memcpy(server->moods, moods, count * sizeof(*moods));
    server->mood_count = count;
    server->village = (Village){.send = peer_send, .user = server};
    server->seed = 5;
    assert_int_equal(loop_new(&server->loop, NULL), 0);
    assert_int_equal(timer_new(server->loop, stop_server, server, &server->clock, NULL), 0);
    const WebSetup web = {.host = "127.0.0.1", .events = &events, .user = server};
    assert_int_equal(web_listen(server->loop, &web, &server->web, NULL), 0);
    return server;
}

/* Runs until every call is over, or enough have failed. The server listens on, so that the loop
 * does not end by itself. */
static void server_run(Server *server, const NlpCallPlan *like, uint32_t count)
{
    char url[64];
    char names[16][16];
    NlpCallPlan plan = *like;

    snprintf(url, sizeof(url), "ws://127.0.0.1:%u/ws", web_port(server->web));
    plan.url = plan.url ? plan.url : url;
    plan.bot.kind = plan.bot.kind ? plan.bot.kind : bot_kind(STR("talker"));
    plan.events = (NlpCallEvents){.played = on_played, .failed = on_failed};
    plan.user = server;
    for (uint32_t i = 0; i < count; i++) {
        snprintf(names[i], sizeof(names[i]), "warg%u", i + 1);
        plan.bot.name = names[i];
        plan.bot.seed = i;
        assert_int_equal(nlp_call_new(server->loop, &plan, &server->calls[i], NULL), 0);
        server->call_count++;
    }
    for (bool done = false; !done;) {
        timer_at(server->clock, loop_now() + 5000, false);
        loop_run(server->loop);
        done = true;
        for (uint32_t i = 0; i < count; i++)
            done = done && nlp_call_state(server->calls[i]) == NLP_CALL_OVER;
        done |= server->enough && server->failed >= server->enough;
    }
}

static void server_free(Server *server)
{
    for (uint32_t i = 0; i < server->call_count; i++)
        nlp_call_free(server->calls[i]);
    web_free(server->web);
    timer_free(server->clock);
    loop_free(server->loop);
    village_done(&server->village);
    mem_free(server);
}

static void expect_results(const Server *server, int wanted, const char *about)
{
    for (uint32_t i = 0; i < server->call_count; i++) {
        Err err = {0};
        assert_int_equal(nlp_call_result(server->calls[i], &err), wanted);
        if (!strstr(err.msg, about))
            fail_msg("expected '%s' in: %s", about, err.msg);
    }
}

static const Mood plays[] = {PLAYS};

/* ---- games ---- */

static void five_bots_play_games_in_both_tracks_and_connect_anew_for_each(void **state)
{
    static const char *const tracks[] = {"nlp-turn", "nlp-anytime"};

    (void)state;
    for (unsigned i = 0; i < 2; i++) {
        Server *server = server_new(tracks[i], plays, 1);
        server_run(server, &(NlpCallPlan){.games = 3, .think = 10000}, PLAYERS);
        expect_results(server, 0, "");
        assert_int_equal(server->games, 3);
        assert_int_equal(server->requests, 15);
        assert_int_equal(server->played, 15);
        assert_int_equal(server->failed, 0);
        assert_int_equal(server->odd, 0);
        assert_int_equal(server->village.bad_targets, 0);
        for (unsigned c = 0; c < PLAYERS; c++)
            assert_int_equal(nlp_bot_games(nlp_call_bot(server->calls[c])), 3);
        server_free(server);
    }
}

static void health_checks_in_a_game_are_answered(void **state)
{
    Server *server = server_new("nlp-turn", plays, 1);

    (void)state;
    server->health_checks = true;
    server_run(server, &(NlpCallPlan){.games = 1}, PLAYERS);
    expect_results(server, 0, "");
    assert_true(server->health_due > 20);
    assert_int_equal(server->health_answered, server->health_due);
    server_free(server);
}

static void the_token_goes_into_the_header(void **state)
{
    Server *server = server_new("nlp-turn", plays, 1);

    (void)state;
    server_run(server, &(NlpCallPlan){.games = 1, .token = "a.b.c"}, PLAYERS);
    expect_results(server, 0, "");
    assert_string_equal(server->authorization, "Bearer a.b.c");
    server_free(server);
}

/* ---- what goes wrong ---- */

static void without_reconnect_a_refusal_is_the_end_and_says_why(void **state)
{
    static const struct {
        Mood mood;
        int wanted;
        const char *about;
    } rows[] = {
        {REFUSES, ERR_IO, "takes no agents now (503)"},
        {BAD_TOKEN, ERR_IO, "code 1008: token: it expired, before a game began"},
        {BABBLES, ERR_SYNTAX, "1:1"},
        {HANGS_UP, ERR_IO, "before the game was over, behind"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        Server *server = server_new("nlp-turn", &rows[i].mood, 1);
        server_run(server, &(NlpCallPlan){.games = 1}, PLAYERS);
        expect_results(server, rows[i].wanted, rows[i].mood == BABBLES ? "" : rows[i].about);
        assert_int_equal(server->failed, PLAYERS);
        assert_int_equal(server->retried, 0);
        server_free(server);
    }
}

static void with_reconnect_a_refusal_is_tried_again(void **state)
{
    static const Mood moods[] = {REFUSES, BAD_TOKEN, BABBLES, REFUSES, PLAYS};
    Server *server = server_new("nlp-turn", moods, 5);

    (void)state;
    server_run(server, &(NlpCallPlan){.games = 1, .reconnect = true, .again = 10000}, PLAYERS);
    expect_results(server, 0, "");
    assert_int_equal(server->games, 1);
    assert_int_equal(server->failed, 4);
    assert_int_equal(server->retried, server->failed);
    server_free(server);
}

static void a_server_that_is_not_there_is_an_error(void **state)
{
    static const struct {
        const char *url;
        int wanted;
        const char *about;
    } rows[] = {{"ws://127.0.0.1:1/ws", ERR_IO, "can't connect to ws://127.0.0.1:1/ws"}};
    NlpCall *call;
    Err err = {0};

    (void)state;
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        Server *server = server_new("nlp-turn", plays, 1);
        server_run(server, &(NlpCallPlan){.games = 1, .url = rows[i].url}, 1);
        expect_results(server, rows[i].wanted, rows[i].about);
        server_free(server);
    }
    Server *server = server_new("nlp-turn", plays, 1);
    NlpCallPlan plan = {.bot = {.kind = bot_kind(STR("talker")), .name = "x1"},
                        .url = "http://127.0.0.1/",
                        .reconnect = true};
    assert_int_equal(nlp_call_new(server->loop, &plan, &call, &err), ERR_USAGE);
    server_free(server);
}

static void who_hangs_up_is_over_at_once(void **state)
{
    Server *server = server_new("nlp-turn", plays, 1);
    NlpCallPlan plan = {.bot = {.kind = bot_kind(STR("talker")), .name = "x1"},
                        .reconnect = true,
                        .again = 3600000000};
    char url[64];

    (void)state;
    snprintf(url, sizeof(url), "ws://127.0.0.1:%u/ws", web_port(server->web));
    plan.url = url;
    for (unsigned i = 0; i < 4; i++) /* two of them are never opened, or wait */
        assert_int_equal(
            nlp_call_new(server->loop, &plan, &server->calls[server->call_count++], NULL), 0);
    timer_at(server->clock, loop_now() + 20000, false);
    loop_run(server->loop);
    for (unsigned i = 0; i < 4; i++) {
        assert_int_equal(nlp_call_state(server->calls[i]), NLP_CALL_PLAYING);
        nlp_call_hang_up(server->calls[i]);
    }
    expect_results(server, 0, "");
    server->web = web_free(server->web);
    timer_stop(server->clock);
    loop_run(server->loop); /* comes back: nothing is left on it */
    server_free(server);
}

/* ---- faults, on purpose ---- */

static void a_silent_bot_answers_its_name_only(void **state)
{
    Server *server = server_new("nlp-turn", plays, 1);
    NlpCallPlan plan = {.games = 1, .fault = NLP_FAULT_SILENT, .fault_percent = 100};
    char url[64];

    (void)state;
    server->health_checks = true;
    snprintf(url, sizeof(url), "ws://127.0.0.1:%u/ws", web_port(server->web));
    plan.url = url;
    plan.bot = (NlpBotPlan){.kind = bot_kind(STR("talker")), .name = "warg1"};
    for (unsigned i = 0; i < PLAYERS; i++)
        assert_int_equal(
            nlp_call_new(server->loop, &plan, &server->calls[server->call_count++], NULL), 0);
    timer_at(server->clock, loop_now() + 100000, false);
    loop_run(server->loop);
    assert_true(server->health_due > 0);
    assert_int_equal(server->health_answered, server->health_due);
    assert_int_equal(server->replies, 0);
    server_free(server);
}

static void late_replies_come_and_garbage_is_sent_on_purpose(void **state)
{
    Server *server = server_new("nlp-turn", plays, 1);

    (void)state;
    server_run(
        server,
        &(NlpCallPlan){.games = 1, .fault = NLP_FAULT_LATE, .fault_percent = 30, .late = 3000},
        PLAYERS);
    expect_results(server, 0, "");
    assert_int_equal(server->games, 1);
    server_free(server);

    server = server_new("nlp-turn", plays, 1);
    server_run(server, &(NlpCallPlan){.games = 1, .fault = NLP_FAULT_GARBAGE, .fault_percent = 80},
               PLAYERS);
    expect_results(server, 0, "");
    assert_true(server->village.bad_targets > 0);
    server_free(server);
}

static void a_bot_that_breaks_off_says_that_it_did_so_on_purpose(void **state)
{
    Server *server = server_new("nlp-turn", plays, 1);

    (void)state;
    server->enough = 1; /* the village waits for the one that is gone */
    server_run(server,
               &(NlpCallPlan){
                   .reconnect = true, .again = 1000, .fault = NLP_FAULT_DROP, .fault_percent = 100},
               PLAYERS);
    assert_string_equal(server->why, "broke the connection off, as --fault says");
    server_free(server);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(five_bots_play_games_in_both_tracks_and_connect_anew_for_each),
        cmocka_unit_test(health_checks_in_a_game_are_answered),
        cmocka_unit_test(the_token_goes_into_the_header),
        cmocka_unit_test(without_reconnect_a_refusal_is_the_end_and_says_why),
        cmocka_unit_test(with_reconnect_a_refusal_is_tried_again),
        cmocka_unit_test(a_server_that_is_not_there_is_an_error),
        cmocka_unit_test(who_hangs_up_is_over_at_once),
        cmocka_unit_test(a_silent_bot_answers_its_name_only),
        cmocka_unit_test(late_replies_come_and_garbage_is_sent_on_purpose),
        cmocka_unit_test(a_bot_that_breaks_off_says_that_it_did_so_on_purpose),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
