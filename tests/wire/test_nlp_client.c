#include "nlp_table.h"
#include "recording.h"

#include <dirent.h>

#include "sanitized.h"
#include "wire/nlp_client.h"

/* A client, and what it needs to be the server's echo. */
typedef struct Echo {
    NlpClient *client;
    NlpCursor cursor;
    Buf setting;
    Buf packet;
} Echo;

static void echo_open(Echo *echo)
{
    *echo = (Echo){0};
    assert_int_equal(nlp_client_new(&echo->client, NULL), 0);
}

static void echo_done(Echo *echo)
{
    echo->client = nlp_client_free(echo->client);
    buf_done(&echo->setting);
    buf_done(&echo->packet);
}

/* The packet once more, as the server's writer makes it of the view that the client made of it. */
static void echo_write(Echo *echo, NlpRequest request, json_t *packet)
{
    static const bool named[ROLE_COUNT] = {
        [ROLE_BODYGUARD] = true, [ROLE_MEDIUM] = true,   [ROLE_POSSESSED] = true,
        [ROLE_SEER] = true,      [ROLE_VILLAGER] = true, [ROLE_WEREWOLF] = true};
    const View *view = nlp_client_view(echo->client);
    json_t *info = json_object_get(packet, "info");
    json_t *timeout = json_object_get(json_object_get(packet, "setting"), "timeout");
    NlpGameText text = {.game_id = recording_text(info, "game_id"),
                        .profile = recording_text(info, "profile")};
    const TalkLog *log = NULL;

    if (request == NLP_INITIALIZE)
        assert_true(str_eq(nlp_client_profile(echo->client), text.profile));
    buf_clear(&echo->setting);
    buf_clear(&echo->packet);
    if (timeout) {
        nlp_setting_write(
            view->rules, view->seat_count, named, view->rules->contest.time_limit_told_ms,
            (int32_t)json_integer_value(json_object_get(timeout, "response")), &echo->setting);
        text.setting = buf_str(&echo->setting);
    }
    if (request == NLP_TALK_BROADCAST)
        log = view->talk;
    else if (request == NLP_WHISPER_BROADCAST)
        log = view->whisper;
    nlp_packet_write(request, view, &text, &echo->cursor, log ? &log->items[log->count - 1] : NULL,
                     &echo->packet);
}

/* ---- recorded sessions ---- */

typedef struct Session {
    char names[SEAT_MAX][64]; /* of the connections */
    Echo echoes[SEAT_MAX];
    size_t count;
    size_t packets;
} Session;

static Echo *echo_of(Session *session, Str name)
{
    for (size_t i = 0; i < session->count; i++)
        if (str_eq(name, str_of(session->names[i])))
            return &session->echoes[i];
    assert_true(session->count < SEAT_MAX && name.len < sizeof(session->names[0]));
    memcpy(session->names[session->count], name.bytes, name.len);
    echo_open(&session->echoes[session->count]);
    return &session->echoes[session->count++];
}

/* Generation A: no `time`, every session's idx from 0, an empty history may be absent or null.
 * Takes from a packet what can't be compared. */
static void take_what_a_lacks(json_t *packet)
{
    static const char *const lists[] = {"talk_history", "whisper_history"};
    json_t *item;
    size_t at;

    for (int i = 0; i < 2; i++) {
        json_t *list = json_object_get(packet, lists[i]);
        json_array_foreach (list, at, item) {
            json_object_del(item, "time");
            json_object_del(item, "idx");
        }
        if (json_array_size(list) == 0)
            json_object_del(packet, lists[i]);
    }
}

static void compare_generation_a(Str line, Str echoed)
{
    json_t *told = json_loadb(line.bytes, line.len, 0, NULL);
    json_t *ours = json_loadb(echoed.bytes, echoed.len, 0, NULL);

    assert_non_null(told);
    assert_non_null(ours);
    take_what_a_lacks(told);
    take_what_a_lacks(ours);
    if (!json_equal(told, ours))
        fail_msg("told:  %.*s\nechoed: %.*s", STR_ARG(line), STR_ARG(echoed));
    json_decref(told);
    json_decref(ours);
}

static void hear(Session *session, json_t *message, bool next)
{
    Echo *echo = echo_of(session, recording_text(message, "agent"));
    Str line = recording_text(message, "line");
    NlpRequest request;
    Err err = {0};

    if (nlp_client_packet(echo->client, line, &request, &err))
        fail_msg("%s\n%.*s", err.msg, STR_ARG(line));
    json_t *packet = json_loadb(line.bytes, line.len, 0, NULL);
    assert_string_equal(nlp_request_name(request), recording_text(packet, "request").bytes);
    Ask ask;
    bool asked = nlp_client_ask(echo->client, &ask);
    if (request != NLP_NAME) {
        echo_write(echo, request, packet);
        if (next && !str_eq(buf_str(&echo->packet), line))
            fail_msg("told:  %.*s\nechoed: %s", STR_ARG(line), buf_cstr(&echo->packet));
        if (!next)
            compare_generation_a(line, buf_str(&echo->packet));
        if (nlp_request_has_reply(request))
            assert_true(asked && !ask.standing && nlp_request_for(ask.kind) == request);
    }
    if (request == NLP_FINISH)
        assert_true(nlp_client_view(echo->client)->over);
    json_decref(packet);
    session->packets++;
}

static size_t play_recording(const char *file, bool next, Side *ret_winner)
{
    CLEANUP(buf_done) Buf text = {0};
    Session *session = mem_new(sizeof(*session));

    recording_unpack("nlp-wire", file, &text);
    for (Str rest = buf_str(&text); rest.len;) {
        Str line = str_cut(&rest, '\n');
        json_t *message = json_loadb(line.bytes, line.len, 0, NULL);
        assert_non_null(message);
        if (str_eq(recording_text(message, "dir"), STR("s2c")))
            hear(session, message, next);
        json_decref(message);
    }
    size_t packets = session->packets;
    *ret_winner = nlp_client_winner(session->echoes[0].client);
    for (size_t i = 0; i < session->count; i++)
        echo_done(&session->echoes[i]);
    mem_free(session);
    return packets;
}

/* The winner by the log that the server wrote. */
static Side logged_winner(const char *wire_file)
{
    CLEANUP(buf_done) Buf name = {0}, text = {0};
    size_t base = (size_t)(strstr(wire_file, ".wire.") - wire_file);

    buf_printf(&name, "%.*s.log.json.gz", (int)base, wire_file);
    recording_unpack("nlp-wire", buf_cstr(&name), &text);
    json_t *log = json_loadb(text.bytes, text.len, 0, NULL);
    Side side = side_of(recording_text(log, "win_side"));
    json_decref(log);
    return side;
}

static size_t play_recordings(bool next)
{
    CLEANUP(buf_done) Buf path = {0};
    size_t packets = 0;

    recording_path(&path, "nlp-wire", "");
    DIR *folder = opendir(buf_cstr(&path));
    assert_non_null(folder);
    for (struct dirent *file; (file = readdir(folder));) {
        bool is_next = strncmp(file->d_name, "next-", 5) == 0;
        Side winner;
        if (!strstr(file->d_name, ".wire.jsonl.gz") || is_next != next)
            continue;
        packets += play_recording(file->d_name, next, &winner);
        Side logged = logged_winner(file->d_name);
        if (logged != SIDE_NONE) /* the statuses of an aborted game may look like a win */
            assert_int_equal(winner, logged);
    }
    closedir(folder);
    return packets;
}

static void recorded_packets_make_views_that_make_the_same_bytes(void **state)
{
    (void)state;
    assert_true(play_recordings(true) > 3000);
}

static void recorded_packets_of_generation_a_make_views_that_say_the_same(void **state)
{
    (void)state;
    assert_true(play_recordings(false) > 5000);
}

/* ---- games of the engine ---- */

typedef struct Echoes {
    Echo echoes[SEAT_MAX + 1];
} Echoes;

static SeatNo seat_like(const View *to, const View *from, SeatNo seat)
{
    return seat == SEAT_NONE ? SEAT_NONE
                             : nlp_reply_target(from->names[seat], to->names, to->seat_count);
}

static void views_agree(const View *game, const View *told)
{
    assert_int_equal(told->seat_count, game->seat_count);
    assert_int_equal(told->day, game->day);
    assert_int_equal(told->role, game->role);
    assert_int_equal(told->seat, seat_like(told, game, game->seat));
    assert_int_equal(told->executed, seat_like(told, game, game->executed));
    assert_int_equal(told->last_dead_count, game->last_dead_count);
    assert_int_equal(told->last_dead[0], seat_like(told, game, game->last_dead[0]));
    assert_int_equal(told->divined.target, seat_like(told, game, game->divined.target));
    assert_int_equal(told->identified.target, seat_like(told, game, game->identified.target));
    if (game->divined.target != SEAT_NONE) {
        assert_int_equal(told->divined.day, game->divined.day);
        assert_int_equal(told->divined.agent, seat_like(told, game, game->divined.agent));
        assert_int_equal(told->divined.result, game->divined.result);
    }
    if (game->identified.target != SEAT_NONE) {
        assert_int_equal(told->identified.day, game->identified.day);
        assert_int_equal(told->identified.agent, seat_like(told, game, game->identified.agent));
    }
    assert_memory_equal(told->role_counts, game->role_counts, ROLE_COUNT);
    for (SeatNo seat = 1; seat <= game->seat_count; seat++) {
        SeatNo same = seat_like(told, game, seat);
        assert_int_not_equal(same, SEAT_NONE);
        assert_int_equal(seat_in(told->alive, same), seat_in(game->alive, seat));
        assert_int_equal(told->roles[same], game->roles[seat]);
    }
    assert_int_equal(told->votes->count, game->votes->count);
}

static void echo_is_the_same(void *user, const Sent *sent)
{
    Echoes *echoes = user;
    Echo *echo = &echoes->echoes[sent->view->seat];
    NlpRequest request;
    Err err = {0};

    if (nlp_client_packet(echo->client, sent->packet, &request, &err))
        fail_msg("%s\n%.*s", err.msg, STR_ARG(sent->packet));
    json_t *packet = json_loadb(sent->packet.bytes, sent->packet.len, JSON_ALLOW_NUL, NULL);
    echo_write(echo, request, packet);
    assert_string_equal(buf_cstr(&echo->packet), sent->packet.bytes);
    json_decref(packet);
    const View *told = nlp_client_view(echo->client);
    views_agree(sent->view, told);
    if (request == NLP_TALK_PHASE_START || request == NLP_TALK) {
        Ask ask;
        assert_true(nlp_client_ask(echo->client, &ask));
        assert_int_equal(ask.kind, ASK_TALK);
        assert_int_equal(ask.standing, request == NLP_TALK_PHASE_START);
        assert_int_equal(told->talk_left[told->seat], sent->view->talk_left[sent->view->seat]);
    }
}

static void a_games_packets_make_views_that_agree_with_the_games(void **state)
{
    static const struct {
        const char *preset;
        SeatNo players;
        bool limits;
    } games[] = {{"nlp-turn", 5, false},   {"nlp-turn", 9, true},     {"nlp-turn", 13, false},
                 {"nlp-anytime", 5, true}, {"nlp-anytime", 9, false}, {"nlp-anytime", 13, true}};
    Table table = {.look = echo_is_the_same};
    Echoes *echoes = mem_new(sizeof(*echoes));
    Ruleset rules;

    (void)state;
    table.user = echoes;
    for (SeatNo seat = 1; seat <= SEAT_MAX; seat++)
        echo_open(&echoes->echoes[seat]);
    for (size_t i = 0; i < sizeof(games) / sizeof(games[0]); i++)
        for (uint64_t seed = 1; seed <= 8; seed += sanitized_step(4)) {
            assert_int_equal(ruleset_preset(str_of(games[i].preset), &rules, NULL), 0);
            if (games[i].limits) {
                rules.talk.length.per_agent = rules.whisper.length.per_agent = 150;
                rules.talk.max_skip = 2;
                rules.whisper.exchange = EXCHANGE_ANYTIME;
                rules.whisper.duration_ms = 90000;
            }
            table_play(&table, &rules, games[i].players, NULL, seed);
        }
    for (SeatNo seat = 1; seat <= SEAT_MAX; seat++)
        echo_done(&echoes->echoes[seat]);
    mem_free(echoes);
    table_done(&table);
}

/* ---- one packet after the other ---- */

#define START                                                                                      \
    "{\"request\":\"INITIALIZE\",\"info\":{\"agent\":\"B\",\"status_map\":{\"A\":\"ALIVE\","       \
    "\"B\":\"ALIVE\",\"C\":\"ALIVE\"},\"role_map\":{\"B\":\"SEER\"}}}"

static int client_setup(void **state)
{
    NlpClient *client;

    if (nlp_client_new(&client, NULL))
        return -1;
    *state = client;
    return 0;
}

static int client_teardown(void **state)
{
    *state = nlp_client_free(*state);
    return 0;
}

static void take(NlpClient *client, const char *packet)
{
    NlpRequest request;
    Err err = {0};

    if (nlp_client_packet(client, str_of(packet), &request, &err))
        fail_msg("%s", err.msg);
}

static void a_sparse_initialize_is_enough(void **state)
{
    NlpClient *client = *state;
    Ask ask;

    assert_null(nlp_client_view(client));
    take(client, "{\"request\":\"NAME\"}");
    assert_null(nlp_client_view(client));
    assert_false(nlp_client_ask(client, &ask));
    take(client, START);
    const View *view = nlp_client_view(client);
    assert_int_equal(view->seat, 2);
    assert_int_equal(view->seat_count, 3);
    assert_int_equal(view->role, ROLE_SEER);
    assert_true(str_eq(view->names[3], STR("C")));
    take(client, "{\"request\":\"VOTE\",\"nonsense\":[1],\"info\":null}");
    assert_true(nlp_client_ask(client, &ask));
    assert_int_equal(ask.kind, ASK_VOTE);
    assert_false(ask.revote);
    take(client, "{\"request\":\"VOTE\"}");
    assert_true(nlp_client_ask(client, &ask));
    assert_true(ask.revote);
}

static void a_room_stands_open_until_it_ends_or_nothing_is_left(void **state)
{
    NlpClient *client = *state;
    Ask ask;
    uint32_t number;

    take(client, START);
    assert_false(nlp_client_ask(client, &ask));
    take(client, "{\"request\":\"TALK_PHASE_START\",\"info\":{\"remain_count\":2}}");
    assert_true(nlp_client_ask(client, &ask) && ask.standing);
    number = ask.number;
    take(client, "{\"request\":\"TALK_BROADCAST\",\"info\":{\"remain_count\":1},\"new_talk\":"
                 "{\"agent\":\"A\",\"idx\":0,\"text\":\"Over\",\"turn\":0}}");
    assert_true(nlp_client_ask(client, &ask) && ask.number == number);
    assert_int_equal(nlp_client_view(client)->talk_left[1], 0);
    assert_int_equal(nlp_client_view(client)->talk_left[2], 1);
    assert_int_equal(nlp_client_view(client)->talk_left[3], 4);
    take(client, "{\"request\":\"NAME\"}");
    assert_true(nlp_client_ask(client, &ask));
    take(client, "{\"request\":\"TALK_BROADCAST\",\"info\":{\"remain_count\":0},\"new_talk\":"
                 "{\"agent\":\"B\",\"idx\":1,\"text\":\"x\"}}");
    assert_false(nlp_client_ask(client, &ask));
    take(client, "{\"request\":\"TALK_PHASE_END\",\"info\":{\"remain_count\":1}}");
    assert_false(nlp_client_ask(client, &ask));
    take(client, "{\"request\":\"DAILY_FINISH\",\"talk_history\":[{\"agent\":\"A\",\"idx\":0,"
                 "\"text\":\"Over\"},{\"agent\":\"B\",\"idx\":1,\"text\":\"x\"}]}");
    assert_int_equal(nlp_client_view(client)->talk->count, 2);
}

/* 3.4: without broadcasts nothing is repeated, so an idx that starts again is another session. */
static void an_idx_that_starts_again_is_counted_on(void **state)
{
    NlpClient *client = *state;

    take(client, START);
    take(client, "{\"request\":\"WHISPER\",\"whisper_history\":[{\"agent\":\"A\",\"idx\":0,"
                 "\"text\":\"Over\"}]}");
    take(client, "{\"request\":\"WHISPER\",\"whisper_history\":[{\"agent\":\"A\",\"idx\":0,"
                 "\"text\":\"Over\"},{\"agent\":\"C\",\"idx\":1,\"text\":\"Skip\"}]}");
    const View *view = nlp_client_view(client);
    assert_int_equal(view->whisper->count, 3);
    assert_int_equal(view->whisper->items[2].idx, 2);
    assert_true(view->whisper->items[2].skip);
    take(client, "{\"request\":\"DAILY_INITIALIZE\",\"info\":{\"day\":1}}");
    assert_int_equal(view->whisper->count, 0);
}

static void the_winner_is_found_by_who_lives_at_the_end(void **state)
{
    NlpClient *client = *state;

    take(client, START);
    assert_int_equal(nlp_client_winner(client), SIDE_NONE);
    take(client, "{\"request\":\"FINISH\",\"info\":{\"status_map\":{\"A\":\"DEAD\",\"B\":"
                 "\"ALIVE\",\"C\":\"ALIVE\"},\"role_map\":{\"A\":\"WEREWOLF\",\"C\":"
                 "\"POSSESSED\"}}}");
    assert_int_equal(nlp_client_winner(client), SIDE_VILLAGER);
    take(client, START);
    assert_int_equal(nlp_client_winner(client), SIDE_VILLAGER);
    assert_false(nlp_client_view(client)->over);
    take(client, "{\"request\":\"FINISH\",\"info\":{\"status_map\":{\"A\":\"ALIVE\",\"B\":"
                 "\"ALIVE\"},\"role_map\":{\"A\":\"WEREWOLF\"}}}");
    assert_int_equal(nlp_client_winner(client), SIDE_WEREWOLF);
}

static void malformed_packets_are_refused_and_change_nothing(void **state)
{
    static const struct {
        const char *packet;
        int code;
    } bad[] = {
        {"", ERR_SYNTAX},
        {"TALK", ERR_SYNTAX},
        {"[]", ERR_SYNTAX},
        {"{}", ERR_SYNTAX},
        {"{\"request\":7}", ERR_SYNTAX},
        {"{\"request\":\"talk\"}", ERR_SYNTAX},
        {"{\"request\":\"TALK\"", ERR_SYNTAX},
        {"{\"request\":\"INITIALIZE\"}", ERR_SYNTAX},
        {"{\"request\":\"INITIALIZE\",\"info\":{\"agent\":\"A\"}}", ERR_SYNTAX},
        {"{\"request\":\"INITIALIZE\",\"info\":{\"agent\":\"A\",\"status_map\":{}}}", ERR_LIMIT},
        {"{\"request\":\"INITIALIZE\",\"info\":{\"agent\":\"X\",\"status_map\":{\"A\":\"ALIVE\","
         "\"B\":\"ALIVE\",\"C\":\"ALIVE\"}}}",
         ERR_SYNTAX},
        {"{\"request\":\"INITIALIZE\",\"info\":{\"agent\":\"A\",\"status_map\":{\"A\":\"ALIVE\","
         "\"\":\"ALIVE\",\"C\":\"ALIVE\"}}}",
         ERR_LIMIT},
        {"{\"request\":\"VOTE\",\"info\":[]}", ERR_SYNTAX},
        {"{\"request\":\"VOTE\",\"info\":{\"day\":-1}}", ERR_LIMIT},
        {"{\"request\":\"VOTE\",\"info\":{\"day\":1e0}}", ERR_SYNTAX},
        {"{\"request\":\"VOTE\",\"info\":{\"day\":1,\"executed_agent\":\"X\"}}", ERR_SYNTAX},
        {"{\"request\":\"VOTE\",\"info\":{\"status_map\":{\"X\":\"DEAD\"}}}", ERR_SYNTAX},
        {"{\"request\":\"VOTE\",\"info\":{\"status_map\":{\"A\":1}}}", ERR_SYNTAX},
        {"{\"request\":\"VOTE\",\"info\":{\"role_map\":{\"A\":null}}}", ERR_SYNTAX},
        {"{\"request\":\"VOTE\",\"info\":{\"vote_list\":[{\"agent\":\"A\"}]}}", ERR_SYNTAX},
        {"{\"request\":\"VOTE\",\"info\":{\"divine_result\":\"HUMAN\"}}", ERR_SYNTAX},
        {"{\"request\":\"TALK\",\"talk_history\":{}}", ERR_SYNTAX},
        {"{\"request\":\"TALK\",\"talk_history\":[null]}", ERR_SYNTAX},
        {"{\"request\":\"TALK\",\"talk_history\":[{\"agent\":\"A\",\"idx\":-1}]}", ERR_LIMIT},
        {"{\"request\":\"TALK\",\"talk_history\":[{\"agent\":\"X\",\"text\":\"\"}]}", ERR_SYNTAX},
        {"{\"request\":\"DAILY_INITIALIZE\",\"setting\":{\"talk\":[]}}", ERR_SYNTAX},
        {"{\"request\":\"DAILY_INITIALIZE\",\"setting\":{\"role_num_map\":{\"SEER\":99}}}",
         ERR_LIMIT},
    };
    NlpClient *client = *state;
    NlpRequest request = NLP_ATTACK;
    View before;

    assert_int_equal(nlp_client_packet(client, STR("{\"request\":\"TALK\"}"), &request, NULL),
                     ERR_SYNTAX);
    assert_null(nlp_client_view(client));
    take(client, START);
    before = *nlp_client_view(client);
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        Err err = {0};
        int rc = nlp_client_packet(client, str_of(bad[i].packet), &request, &err);
        if (rc != bad[i].code)
            fail_msg("%s: %d %s", bad[i].packet, rc, err.msg);
        assert_int_equal(rc, err.code);
        assert_int_equal(request, NLP_ATTACK);
        assert_memory_equal(&before, nlp_client_view(client), sizeof(before));
    }
}

static void more_than_a_game_can_have_is_refused(void **state)
{
    CLEANUP(buf_done) Buf packet = {0};
    NlpClient *client = *state;
    NlpRequest request;

    take(client, START);
    buf_printf(&packet, "{\"request\":\"TALK\",\"talk_history\":[");
    for (int i = 0; i <= 4096; i++)
        buf_printf(&packet, "%s{\"agent\":\"A\",\"idx\":%d,\"text\":\"a\"}", i ? "," : "", i);
    buf_printf(&packet, "]}");
    assert_int_equal(nlp_client_packet(client, buf_str(&packet), &request, NULL), ERR_LIMIT);
    assert_int_equal(nlp_client_view(client)->talk->count, 0);
    buf_clear(&packet);
    buf_printf(&packet, "{\"request\":\"INITIALIZE\",\"info\":{\"agent\":\"1\",\"status_map\":{");
    for (int i = 1; i <= SEAT_MAX + 1; i++)
        buf_printf(&packet, "%s\"%d\":\"ALIVE\"", i > 1 ? "," : "", i);
    buf_printf(&packet, "}}}");
    assert_int_equal(nlp_client_packet(client, buf_str(&packet), &request, NULL), ERR_LIMIT);
    assert_int_equal(nlp_client_view(client)->seat_count, 3);
    assert_int_equal(
        nlp_client_packet(client, (Str){"{", NLP_PACKET_BYTES_MAX + 1}, &request, NULL), ERR_LIMIT);
}

#define client_test(name) cmocka_unit_test_setup_teardown(name, client_setup, client_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(recorded_packets_make_views_that_make_the_same_bytes),
        cmocka_unit_test(recorded_packets_of_generation_a_make_views_that_say_the_same),
        cmocka_unit_test(a_games_packets_make_views_that_agree_with_the_games),
        client_test(a_sparse_initialize_is_enough),
        client_test(a_room_stands_open_until_it_ends_or_nothing_is_left),
        client_test(an_idx_that_starts_again_is_counted_on),
        client_test(the_winner_is_found_by_who_lives_at_the_end),
        client_test(malformed_packets_are_refused_and_change_nothing),
        client_test(more_than_a_game_can_have_is_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
