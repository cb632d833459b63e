#include "replay.h"

/* ---- whole sets ---- */

typedef struct Set {
    const char *name;
    SeatNo players;
    unsigned games;
    size_t packets;
} Set;

/* Plays a set and returns how many packets were compared: all that the recording has. */
static size_t play_set(const Set *set)
{
    CLEANUP(buf_done) Buf name = {0};
    Recording recording;
    Replay *replay = mem_new(sizeof(*replay));

    buf_printf(&name, "%s.jsonl.gz", set->name);
    recording = recording_read(buf_cstr(&name));
    replay_start(replay, &recording);
    replay_names(replay, set->players);
    for (unsigned game = 1; game <= set->games; game++) {
        buf_clear(&name);
        if (set->games > 1)
            buf_printf(&name, "%s-game%u.log.gz", set->name, game);
        else
            buf_printf(&name, "%s.log.gz", set->name);
        replay_log(replay, buf_cstr(&name));
        replay_game(replay);
        assert_false(replay->lost);
    }
    replay_all_seen(replay);
    size_t compared = replay->compared;
    replay_done(replay);
    recording_done(&recording);
    mem_free(replay);
    return compared;
}

static void with_the_same_answers_our_packets_are_the_recorded_ones(void **state)
{
    static const Set sets[] = {
        {"default-5p", 5, 3, 354},        {"default-15p", 15, 3, 4498},
        {"timelimit-role-5p", 5, 3, 314}, {"timelimit-role-15p", 15, 3, 5019},
        {"options-a-15p", 15, 1, 2657},   {"options-b-15p", 15, 1, 988},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(sets) / sizeof(sets[0]); i++)
        assert_int_equal(play_set(&sets[i]), sets[i].packets);
}

/* ---- cases of misbehaviour ---- */

/* A case of the recording: what the server read, and how far it came. */
typedef struct Case {
    const char *name;
    const char *ours;  /* it died of the last answer of agent 1; this is what comes of it here */
    SeatSet deaf;      /* agents that were gone before the server noticed */
    size_t skip_reply; /* this many-th answer of agent 1 was lost together with the one before */
    bool spaces_void;  /* {"agentIdx": 3} is nobody there, agent 3 here */
} Case;

static const Case cases[] = {
    {"timeout-talk", .ours = "Skip"},
    {"timeout-vote", .ours = "target 0"},
    {"close-on-day-1", .ours = "Skip", .deaf = 1 << 1},
    {"reset-on-day-1", .ours = "Skip"},
    {"vote-json-with-space", .spaces_void = true},
    {"vote-number-too-big", .ours = "target 0"},
    {"talk-extra-line-later", .skip_reply = 6},
    {"talk-because-one-clause", .ours = "Skip"},
    {"talk-unbalanced-not", .ours = "Skip"},
    /* Nobody learnt here who is agent 1, since no game began. */
    {"role-empty-line", .ours = ""},
    {"name-silent", .ours = ""},
};

static const Case *case_of(const char *name)
{
    static const Case ordinary = {0};

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
        if (strcmp(name, cases[i].name) == 0)
            return &cases[i];
    return &ordinary;
}

static void read_case(const Recording *recording, Log *log, SeatNo *players)
{
    for (size_t i = 0; i < recording->count; i++) {
        if (recording->items[i].agent > *players)
            *players = recording->items[i].agent;
        if (strcmp(recording->items[i].dir, "log") == 0)
            log_add(log, recording->items[i].line);
    }
}

/* Returns how many packets were compared. */
static size_t play_case(const Recording *recording, const Case *what)
{
    Replay *replay = mem_new(sizeof(*replay));
    const Message *last = &recording->items[recording->count - 1];
    bool finished = strcmp(last->dir, "fate") == 0 && str_eq(last->line, STR("finished"));
    SeatNo players = 0;

    replay_start(replay, recording);
    replay->deaf = what->deaf;
    replay->spaces_void = what->spaces_void;
    replay->skip_reply = what->skip_reply;
    read_case(recording, &replay->log, &players);
    replay_names(replay, players);
    replay_game(replay); /* comes to an end, even if it did not there */
    replay_all_seen(replay);
    assert_int_equal(replay->lost, !finished);
    assert_int_equal(finished, what->ours == NULL);
    if (what->ours)
        assert_string_equal(replay->last_of_1, what->ours);
    size_t compared = replay->compared;
    replay_done(replay);
    mem_free(replay);
    return compared;
}

static void whatever_one_agent_does_all_get_the_recorded_packets_and_the_game_goes_on(void **state)
{
    Recording all = recording_read("edge-cases.jsonl.gz"), one;
    size_t played = 0, compared = 0;

    (void)state;
    for (size_t at = 0; recording_next_case(&all, &at, &one);) {
        const Case *what = case_of(one.items[0].name);
        if (what->ours && !what->ours[0])
            continue;
        compared += play_case(&one, what);
        played++;
    }
    assert_int_equal(played, 48);
    assert_int_equal(compared, 3804);
    recording_done(&all);
}

/* ---- names and texts ---- */

static void requests_have_their_names(void **state)
{
    AiwolfRequest request;

    (void)state;
    for (int i = 0; i < AIWOLF_REQUEST_COUNT; i++) {
        assert_true(aiwolf_request_of(str_of(aiwolf_request_name((AiwolfRequest)i)), &request));
        assert_int_equal(request, i);
    }
    assert_string_equal(aiwolf_request_name(AIWOLF_DAILY_FINISH), "DAILY_FINISH");
    assert_false(aiwolf_request_of(STR("Talk"), &request));
    assert_false(aiwolf_request_of(STR(""), &request));
    assert_true(aiwolf_request_wants_answer(AIWOLF_NAME));
    assert_false(aiwolf_request_wants_answer(AIWOLF_FINISH));
    for (int kind = 0; kind < ASK_COUNT; kind++)
        assert_true(aiwolf_request_wants_answer(aiwolf_request_of_ask((AskKind)kind)));
}

/* What TALK looks like when this was said. */
static void assert_said(const char *text, size_t len, const char *escaped)
{
    CLEANUP(buf_done) Buf ours = {0};
    CLEANUP(buf_done) Buf expected = {0};
    Talk talk = {.text = {text, len}, .idx = 2, .turn = 1, .day = 3, .seat = 4};
    TalkLog log = {&talk, 1}, none = {0};
    View view = {.talk = &log, .whisper = &none};
    AiwolfCursor cursor = {0};

    aiwolf_packet_write(AIWOLF_TALK, false, &view, &cursor, &ours);
    buf_printf(&expected,
               "{\"gameInfo\":null,\"gameSetting\":null,\"request\":\"TALK\",\"talkHistory\":[{"
               "\"agent\":4,\"day\":3,\"idx\":2,\"text\":\"%s\",\"turn\":1}],"
               "\"whisperHistory\":[]}\n",
               escaped);
    assert_string_equal(buf_cstr(&ours), buf_cstr(&expected));
    assert_int_equal(cursor.talk, 1);
    /* It was sent: the next packet does not say it again. */
    buf_clear(&ours);
    aiwolf_packet_write(AIWOLF_TALK, false, &view, &cursor, &ours);
    assert_non_null(strstr(buf_cstr(&ours), "\"talkHistory\":[],"));
}

static void texts_are_ascii_with_the_escapes_of_the_reference_server(void **state)
{
    (void)state;
    assert_said("VOTE Agent[01]", 14, "VOTE Agent[01]");
    assert_said("", 0, "");
    assert_said("a\"b\\c/d", 7, "a\\\"b\\\\c/d");
    assert_said("\b\t\n\f\r", 5, "\\b\\t\\n\\f\\r");
    assert_said("<\x7F>\x1F\0'", 6, "\\u003C\\u007F\\u003E\\u001F\\u0000'");
    assert_said("\xE3\x81\x93\xC3\xBF", 5, "\\u3053\\u00FF");
    assert_said("\xE2\x80\xA8\xC2\x85", 5, "\\u2028\\u0085");
    assert_said("\xF0\x9F\x90\xBA!", 5, "\\uD83D\\uDC3A!");
    assert_said("a\xFFz\xE3\x81", 5, "a\\uFFFDz\\uFFFD");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(with_the_same_answers_our_packets_are_the_recorded_ones),
        cmocka_unit_test(whatever_one_agent_does_all_get_the_recorded_packets_and_the_game_goes_on),
        cmocka_unit_test(requests_have_their_names),
        cmocka_unit_test(texts_are_ascii_with_the_escapes_of_the_reference_server),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
