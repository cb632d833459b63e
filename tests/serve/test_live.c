/* test_live.c - games of the protocol division over HTTP while they are played: who reads what.
 *
 * Source: docs/spec/web.md 4.2 (rules 3, 5 and 7): a game is played and all bytes of all routes are
 *         searched. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/mem.h"
#include "net/http_client.h"
#include "referee/referee.h"
#include "serve/live.h"
#include "serve/server_routes.h"

#define PLAYERS  15
#define OPERATOR "an operator's token, quite long"

/* One game after the other, looked at between its events. */
typedef struct Show {
    Loop *loop;
    HttpClient *http;
    Live *live;
    uint64_t game;
    unsigned events;
    bool searched; /* all routes, now and then */
    bool is_cut_at_night;
    SeatNo executed;
    bool executed_is_told;
    unsigned looked_at_night; /* while an execution was not told */
    bool answered;
    unsigned status;
    Buf body;
    Buf stream; /* all of it, when it has ended */
    Buf full;
    unsigned streams; /* that have ended */
} Show;

static void on_note(void *user, Str line)
{
    (void)user, (void)line;
}

static int set_up(void **state)
{
    Show *show = mem_new(sizeof(*show));
    const LiveSetup setup = {.host = "127.0.0.1",
                             .operator_token = STR(OPERATOR),
                             .date_of = loop_date_of,
                             .note = on_note,
                             .user = show};

    *state = show;
    return !show || loop_new(&show->loop, NULL) || http_client_new(show->loop, &show->http, NULL) ||
           live_open(show->loop, &setup, &show->live, NULL);
}

static int tear_down(void **state)
{
    Show *show = *state;

    http_client_free(show->http);
    live_free(show->live);
    loop_free(show->loop);
    buf_done(&show->body);
    buf_done(&show->stream);
    buf_done(&show->full);
    mem_free(show);
    return 0;
}

/* ---- asking ---- */

static void on_answer(void *user, const HttpAnswer *answer)
{
    Show *show = user;

    show->answered = true;
    show->status = answer->status;
    buf_clear(&show->body);
    buf_add(&show->body, answer->body);
    loop_stop(show->loop);
}

static void on_stream(void *user, const HttpAnswer *answer)
{
    Show *show = user;

    buf_add(&show->stream, answer->body);
    show->streams++;
    loop_stop(show->loop);
}

static void on_full_stream(void *user, const HttpAnswer *answer)
{
    Show *show = user;

    buf_add(&show->full, answer->body);
    show->streams++;
    loop_stop(show->loop);
}

static void call(Show *show, const char *path, const char *token,
                 void (*answered)(void *user, const HttpAnswer *answer))
{
    static const char *const headers[] = {"Authorization: Bearer " OPERATOR, NULL};
    char url[256];
    HttpAsk ask = {.method = "GET",
                   .url = url,
                   .headers = token ? headers : NULL,
                   .timeout_ms = 60000,
                   .direct = true,
                   .answer_bytes = 1 << 24};
    HttpCall *begun;

    snprintf(url, sizeof(url), "http://127.0.0.1:%u%s", live_port(show->live), path);
    assert_int_equal(http_call(show->http, &ask, answered, show, &begun, NULL), 0);
}

static unsigned get(Show *show, const char *path, const char *token)
{
    show->answered = false;
    call(show, path, token, on_answer);
    while (!show->answered)
        loop_run(show->loop);
    return show->status;
}

static bool has(const Buf *text, const char *what)
{
    return strstr(buf_cstr(text), what) != NULL;
}

/* ---- a game ---- */

static void assert_no_secret(const Buf *text, const char *path)
{
    static const char *const secrets[] = {"\"role\"",   "kanolab", "\"team_name\":\"k",
                                          "WEREWOLF\"", "囁き",    "占い",
                                          "護衛",       "襲撃投票"};

    for (size_t i = 0; i < sizeof(secrets) / sizeof(secrets[0]); i++)
        if (has(text, secrets[i]))
            fail_msg("%s has %s: %.2000s", path, secrets[i], buf_cstr(text));
}

/* Every route that there is, as who has no token asks. Streams are read elsewhere. */
static void search_all_routes(Show *show)
{
    const char *const parts[] = {"000000", "x"};
    const ServerRoute *route;

    for (size_t i = 0; (route = server_route(i)); i++) {
        CLEANUP(buf_done) Buf path = {0};
        size_t star = 0;
        for (const char *at = route->path; *at; at++)
            if (*at == '*')
                buf_add(&path, str_of(parts[star++]));
            else
                buf_add_char(&path, *at);
        if (route->page == PAGE_GAME_EVENTS)
            continue;
        get(show, buf_cstr(&path), NULL);
        assert_no_secret(&show->body, buf_cstr(&path));
    }
    get(show, "/api/v1/games?state=all", NULL);
    assert_no_secret(&show->body, "all games");
}

static void look_at_execution(Show *show, const Event *event)
{
    char dead[32];

    if (event->kind == EVENT_EXECUTE)
        show->executed = event->seat;
    if (event->kind == EVENT_DAY || event->kind == EVENT_END || event->kind == EVENT_DEATH)
        show->executed = SEAT_NONE;
    if (event->kind != EVENT_ATTACK || show->executed == SEAT_NONE)
        return;
    get(show, "/api/v1/games", NULL);
    snprintf(dead, sizeof(dead), "\"%u\":\"DEAD\"", show->executed);
    assert_int_equal(has(&show->body, dead), show->executed_is_told);
    show->looked_at_night++;
}

/* In the night behind the first ballots, so that streams have what was told by then. */
static void cut_at_night(Show *show, const Event *event)
{
    if (show->is_cut_at_night && event->kind == EVENT_ATTACK && event->day > 0)
        live_ends(show->live, show->game, true, loop_now());
}

static void on_event(void *user, const Event *event)
{
    Show *show = user;

    live_heard(show->live, show->game, event, loop_now());
    look_at_execution(show, event);
    cut_at_night(show, event);
    if (show->searched && show->events++ % 40 == 0)
        search_all_routes(show);
}

static void play(Show *show, const Ruleset *rules, uint64_t seed)
{
    CLEANUP(referee_freep) Referee *referee = NULL;
    const BotKind *kinds[SEAT_MAX + 1] = {0};
    Str names[SEAT_MAX + 1] = {{0}};
    const Recorder recorder = {on_event, show};
    const GameKey key = game_key_old(seed);

    for (SeatNo seat = 1; seat <= PLAYERS; seat++) {
        kinds[seat] = bot_kind(STR("sample"));
        names[seat] = STR("kanolab");
    }
    show->executed_is_told = rules->secrecy.execution_told == TOLD_EVERYBODY;
    assert_int_equal(referee_new(rules, PLAYERS, kinds, &referee, NULL), 0);
    live_begins(show->live, show->game, PLAYERS, names, NULL, loop_now());
    if (show->searched) {
        call(show, "/api/v1/games/000000/events", NULL, on_stream);
        call(show, "/api/v1/games/000000/events?masked=1", OPERATOR, on_stream);
        call(show, "/api/v1/games/000000/events", OPERATOR, on_full_stream);
        get(show, "/api/v1/healthz", NULL); /* the streams are open */
    }
    assert_int_equal(referee_play(referee, NULL, &key, &recorder, NULL), 0);
}

static Ruleset rules_of(const char *name)
{
    Ruleset rules = {0};

    assert_int_equal(ruleset_preset(str_of(name), &rules, NULL), 0);
    return rules;
}

/* ---- tests ---- */

static void no_byte_of_a_running_game_tells_its_roles(void **state)
{
    Show *show = *state;
    const Ruleset rules = rules_of("aiwolf-2021");

    show->searched = true;
    play(show, &rules, 7);
    search_all_routes(show);
    live_ends(show->live, 0, false, loop_now());
    while (show->streams < 3)
        loop_run(show->loop);
    assert_true(has(&show->stream, "event: broadcast\ndata: {\"id\":\"000000\""));
    assert_true(has(&show->stream, "開始") && has(&show->stream, "追放") &&
                has(&show->stream, "投票"));
    /* The winner is public: the last packet says it. */
    Str stream = buf_str(&show->stream);
    while (stream.len) {
        Str line = str_cut(&stream, '\n');
        buf_clear(&show->body);
        buf_add(&show->body, line);
        if (!has(&show->body, "終了"))
            assert_no_secret(&show->body, "events");
    }
    assert_true(has(&show->full, "\"role\":\"SEER\"") && has(&show->full, "囁き") &&
                has(&show->full, "\"team\":\"kanolab\""));
}

/* Their sum is the execution, which the village hears of in the morning. */
static void ballots_are_not_told_in_the_night_behind_them(void **state)
{
    Show *show = *state;
    const Ruleset rules = rules_of("aiwolf-2021");

    show->searched = show->is_cut_at_night = true;
    play(show, &rules, 7);
    while (show->streams < 3)
        loop_run(show->loop);
    assert_true(has(&show->full, "投票") && has(&show->stream, "開始"));
    assert_false(has(&show->stream, "投票") || has(&show->stream, "追放"));
}

static void an_execution_is_public_when_the_village_is_told_of_it(void **state)
{
    Show *show = *state;
    Ruleset rules = rules_of("aiwolf-2021");

    rules.secrecy.execution_told = TOLD_EVERYBODY;
    play(show, &rules, 3);
    live_ends(show->live, show->game++, false, loop_now());
    assert_true(show->looked_at_night > 0);
    rules.secrecy.execution_told = TOLD_NIGHT;
    show->looked_at_night = 0;
    play(show, &rules, 3);
    assert_true(show->looked_at_night > 0);
}

static void a_finished_game_shows_roles_but_not_who_sat_where(void **state)
{
    Show *show = *state;
    const Ruleset rules = rules_of("aiwolf-2021");

    play(show, &rules, 1);
    live_ends(show->live, 0, false, loop_now());
    assert_int_equal(get(show, "/api/v1/games/000000", NULL), 200);
    assert_true(has(&show->body, "\"role\":\"SEER\"") && has(&show->body, "\"finished\":true"));
    assert_false(has(&show->body, "kanolab"));
    assert_int_equal(get(show, "/api/v1/games/000000", OPERATOR), 200);
    assert_true(has(&show->body, "\"team_name\":\"kanolab\""));
    assert_int_equal(get(show, "/api/v1/games/000000/events", NULL), 204);
    assert_int_equal(get(show, "/api/v1/games/000001", NULL), 404);
    assert_int_equal(get(show, "/api/v1/games?state=often", NULL), 400);
    assert_int_equal(get(show, "/metrics", OPERATOR), 404);
}

/* --resume plays it again, with the same roles in the same seats. */
static void a_game_that_was_given_up_shows_no_roles(void **state)
{
    Show *show = *state;
    const Ruleset rules = rules_of("aiwolf-2021");

    play(show, &rules, 1);
    live_ends_all(show->live, loop_now());
    get(show, "/api/v1/games?state=finished", NULL);
    assert_true(has(&show->body, "\"aborted\":true"));
    assert_no_secret(&show->body, "given up");
    get(show, "/api/v1/games/000000", OPERATOR);
    assert_true(has(&show->body, "\"role\":\"SEER\""));
}

static void a_wrong_token_is_refused(void **state)
{
    Show *show = *state;

    assert_int_equal(get(show, "/api/v1/games?token=guess", NULL), 401);
    assert_int_equal(get(show, "/api/v1/games", NULL), 200);
    assert_int_equal(get(show, "/api/v1/games", OPERATOR), 200);
}

/* Who has no token is told everything later, the list too; operators are not. */
static void the_public_is_told_later(void **state)
{
    Show *show = *state;
    const Ruleset rules = rules_of("aiwolf-2021");

    live_free(show->live);
    const LiveSetup setup = {.host = "127.0.0.1",
                             .operator_token = STR(OPERATOR),
                             .delay = (TimeUs)2000000,
                             .date_of = loop_date_of,
                             .note = on_note,
                             .user = show};
    assert_int_equal(live_open(show->loop, &setup, &show->live, NULL), 0);
    play(show, &rules, 1);
    get(show, "/api/v1/games", NULL);
    assert_false(has(&show->body, "000000"));
    assert_int_equal(get(show, "/api/v1/games/000000/events", NULL), 404);
    get(show, "/api/v1/games/000000", OPERATOR);
    assert_true(has(&show->body, "\"role\":\"SEER\""));
    live_ends(show->live, 0, false, loop_now());
    get(show, "/api/v1/games?state=all", NULL);
    assert_false(has(&show->body, "000000"));
    for (TimeUs until = loop_now() + 60000000; loop_now() < until && !has(&show->body, "000000");)
        get(show, "/api/v1/games?state=finished", NULL);
    assert_true(has(&show->body, "000000"));
    assert_int_equal(get(show, "/api/v1/games/000000/events", NULL), 204);
}

/* Of MAW: who watches can't help who plays, and hears all of it in the end. */
static void what_is_said_in_rooms_is_told_when_their_phase_is_over(void **state)
{
    Show *show = *state;
    const Str kinds[4] = {{0}, STR("bot:talker"), STR("model"), STR("player")};
    const Str names[4] = {{0}, STR("Ann"), STR("Bob"), STR("Cleo")};
    const LiveSetup setup = {.host = "127.0.0.1",
                             .operator_token = STR(OPERATOR),
                             .rooms = true,
                             .date_of = loop_date_of,
                             .note = on_note,
                             .user = show};
    Talk talk = {.text = STR("the first line"), .seat = 1};
    Talk more = {.text = STR("another"), .seat = 2};
    const Event before[] = {{.kind = EVENT_ROLE, .seat = 1, .role = ROLE_WEREWOLF},
                            {.kind = EVENT_DAY, .day = 1, .known_to = 14},
                            {.kind = EVENT_TALK, .day = 1, .talk = &talk, .known_to = 14},
                            {.kind = EVENT_TALK, .day = 1, .talk = &more, .known_to = 14}};
    const Event behind[] = {{.kind = EVENT_VOTE, .seat = 1, .target = 3, .known_to = 14},
                            {.kind = EVENT_EXECUTE, .seat = 3, .known_to = 14},
                            {.kind = EVENT_NIGHT, .day = 1, .known_to = 14},
                            {.kind = EVENT_WHISPER, .day = 1, .talk = &talk},
                            {.kind = EVENT_DEATH, .day = 1, .seat = 2, .known_to = 14}};

    live_free(show->live);
    assert_int_equal(live_open(show->loop, &setup, &show->live, NULL), 0);
    live_begins(show->live, 0, 3, kinds, names, loop_now());
    call(show, "/api/v1/games/000000/events", NULL, on_stream);
    get(show, "/api/v1/healthz", NULL); /* the stream is open */
    for (size_t i = 0; i < sizeof(before) / sizeof(before[0]); i++)
        live_heard(show->live, 0, &before[i], loop_now());
    talk.text = more.text = STR("forgotten"); /* the engine's for the call only */
    get(show, "/api/v1/games/000000", NULL);
    assert_true(has(&show->body, "\"game_name\":\"Ann\""));
    assert_false(has(&show->body, "talker") || has(&show->body, "WEREWOLF"));
    for (size_t i = 0; i < sizeof(behind) / sizeof(behind[0]); i++)
        live_heard(show->live, 0, &behind[i], loop_now());
    get(show, "/api/v1/games/000000", NULL);
    assert_true(has(&show->body, "\"3\":\"DEAD\"") && has(&show->body, "\"2\":\"ALIVE\""));
    live_ends(show->live, 0, true, loop_now());
    while (show->streams < 1)
        loop_run(show->loop);
    assert_true(has(&show->stream, "\"message\":\"the first line\",\"bubble_idx\":1") &&
                has(&show->stream, "\"message\":\"another\",\"bubble_idx\":2") &&
                has(&show->stream, "追放"));
    assert_false(has(&show->stream, "forgotten") || has(&show->stream, "襲撃") ||
                 has(&show->stream, "role"));
}

static void only_so_many_finished_games_are_remembered(void **state)
{
    Show *show = *state;
    const Str names[PLAYERS + 1] = {{0}};

    for (uint64_t game = 0; game < LIVE_FINISHED_MAX + 3; game++) {
        live_begins(show->live, game, PLAYERS, names, NULL, loop_now());
        if (game != 1)
            live_ends(show->live, game, false, loop_now());
    }
    assert_int_equal(get(show, "/api/v1/games/000000", NULL), 404);
    assert_int_equal(get(show, "/api/v1/games/000001", NULL), 200); /* it runs */
    assert_int_equal(get(show, "/api/v1/games/000003", NULL), 200);
    live_ends_all(show->live, loop_now());
    assert_int_equal(get(show, "/api/v1/games", NULL), 200);
    assert_string_equal(buf_cstr(&show->body), "{\"games\":[]}");
}

#define LIVE_TEST(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        LIVE_TEST(no_byte_of_a_running_game_tells_its_roles),
        LIVE_TEST(ballots_are_not_told_in_the_night_behind_them),
        LIVE_TEST(an_execution_is_public_when_the_village_is_told_of_it),
        LIVE_TEST(a_finished_game_shows_roles_but_not_who_sat_where),
        LIVE_TEST(a_game_that_was_given_up_shows_no_roles),
        LIVE_TEST(a_wrong_token_is_refused),
        LIVE_TEST(the_public_is_told_later),
        LIVE_TEST(what_is_said_in_rooms_is_told_when_their_phase_is_over),
        LIVE_TEST(only_so_many_finished_games_are_remembered),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
