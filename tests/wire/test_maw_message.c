#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <jansson.h>

#include "base/utf8.h"
#include "wire/maw_message.h"

/* Keeps the message: maw_message_done is the test's. */
static MawMessage understood(const char *body)
{
    MawMessage message;
    MawRefusal why = {0};

    if (!maw_message_read(str_of(body), &message, &why))
        fail_msg("%s: %s: %s", body, why.code, why.text);
    return message;
}

static void check_text(Str text, const char *expected)
{
    if (!str_eq(text, str_of(expected)))
        fail_msg("'%.*s' is not '%s'", STR_ARG(text), expected);
}

/* `written` is the same JSON as `expected`. */
static void check_same(Str written, const char *expected)
{
    json_t *a = json_loadb(written.bytes, written.len, JSON_REJECT_DUPLICATES, NULL);
    json_t *b = json_loads(expected, 0, NULL);

    assert_non_null(b);
    if (!a || !json_equal(a, b))
        fail_msg("written: %.*s\nexpected: %s", STR_ARG(written), expected);
    assert_true(str_starts(written, STR("{\"type\":")));
    json_decref(a);
    json_decref(b);
}

/* What is read and written again is `expected`. */
static void check_again(const char *body, const char *expected)
{
    CLEANUP(buf_done) Buf out = {0};
    MawMessage message = understood(body);

    maw_message_write(&message, &out);
    check_same(buf_str(&out), expected);
    maw_message_done(&message);
    assert_null(message.tree);
}

/* It is refused with this code, and the sentence has this in it. */
static MawType check_refused(Str body, const char *code, const char *part)
{
    MawMessage message;
    MawRefusal why = {0};

    if (maw_message_read(body, &message, &why))
        fail_msg("understood: %.*s", STR_ARG(body));
    assert_string_equal(why.code, code);
    assert_int_equal(why.act, ACT_NOT_UNDERSTOOD);
    if (!strstr(why.text, part))
        fail_msg("'%s' is not in: %s", part, why.text);
    assert_true(utf8_valid(str_of(why.text)));
    assert_non_null(strchr(".?", why.text[strlen(why.text) - 1])); /* not cut off */
    assert_null(message.tree);
    maw_message_done(&message);
    return message.type;
}

static void every_recorded_body_is_read_and_written_back(void **state)
{
    CLEANUP(buf_done) Buf path = {0};
    const char *data = getenv("WARG_TEST_DATA");
    char line[8192];
    unsigned count = 0;

    (void)state;
    buf_printf(&path, "%s/maw/maw-messages.jsonl", data ? data : "tests/data");
    FILE *file = fopen(buf_cstr(&path), "re");
    assert_non_null(file);
    while (fgets(line, sizeof(line), file)) {
        json_t *recorded = json_loads(line, 0, NULL);
        assert_non_null(recorded);
        check_again(json_string_value(json_object_get(recorded, "body")),
                    json_string_value(json_object_get(recorded, "body")));
        json_decref(recorded);
        count++;
    }
    assert_int_equal(fclose(file), 0);
    assert_int_equal(count, 26);
}

/* Each type with all its keys. */
static const char *const full[MAW_TYPE_COUNT] = {
    [MAW_JOIN_LOBBY] =
        "{\"type\":\"join_lobby\",\"player_name\":\"Zo\xc3\xab\",\"client\":\"x 1\"}",
    [MAW_GET_INPUT] =
        "{\"type\":\"get_input\",\"completions\":{\"model\":\"m\",\"temperature\":0.5,\"messages\":"
        "[{\"role\":\"user\",\"content\":\"Bo: \\\"hi\\\"\\n\"}]},\"purpose\":\"action\","
        "\"targets\":[\"Bo\",\"Cy\"],\"phase\":\"day\",\"seconds\":30,\"deadline\":\"2026-01-01T00:"
        "00:00.000Z\"}",
    [MAW_NAME] = "{\"type\":\"name\",\"name\":\"Bo\"}",
    [MAW_VOTE] = "{\"type\":\"vote\",\"target\":null,\"reason\":\"no idea\"}",
    [MAW_CHAT] = "{\"type\":\"chat\",\"message\":\"\"}",
    [MAW_LISTEN] = "{\"type\":\"listen\"}",
    [MAW_START_GAME] =
        "{\"type\":\"start_game\",\"total_players\":2,\"round\":1,\"rounds\":3,"
        "\"wolves\":1,\"players\":[{\"jid\":\"a@d\",\"name\":\"A\"},{\"jid\":\"b@d\"}]}",
    [MAW_ASSIGN_ROLE] = "{\"type\":\"assign_role\",\"role\":\"Werewolf\",\"teammates\":[\"a@d\"]}",
    [MAW_PHASE_CHANGE] =
        "{\"type\":\"phase_change\",\"new_phase\":\"day\",\"day\":2,\"phase_no\":3,\"seconds\":300,"
        "\"deadline\":\"2026-01-01T00:05:00.000Z\",\"room\":\"village@maw.localhost\"}",
    [MAW_VOTE_RESULT] = "{\"type\":\"vote_result\",\"target\":\"b@d\",\"status\":\"executed\","
                        "\"name\":\"B\",\"phase\":\"day\",\"votes\":{\"A\":\"B\",\"C\":null}}",
    [MAW_END_GAME] = "{\"type\":\"end_game\",\"winning_team\":\"None\",\"roles\":{\"a@d\":"
                     "\"Villager\"},\"scores\":[{\"player\":\"a@d\",\"name\":\"A\",\"points\":-1,"
                     "\"rounds_won\":0}],\"days\":4,\"round\":2,\"last\":false}",
    [MAW_ANNOUNCE_OPEN] =
        "{\"type\":\"announce_open\",\"room_name\":\"Hideout\",\"players\":[\"a@d\",\"b@d\"],"
        "\"room\":\"hideout@d\",\"index\":17,\"seconds\":60,\"targets\":[\"C\"],"
        "\"names\":[\"A\",\"B\"]}",
    [MAW_NEW_MESSAGES] =
        "{\"type\":\"new_messages\",\"messages\":[\"Bo: a: b\",\"System: Night falls.\"],"
        "\"first\":4,\"next\":6,\"entries\":[{\"i\":4,\"from\":\"b@d\",\"name\":\"Bo\",\"text\":"
        "\"a: b\",\"t\":\"2026-01-01T00:00:00.000Z\",\"kind\":\"chat\"},{\"i\":5,\"name\":\"\","
        "\"text\":\"Night falls.\",\"kind\":\"system\"}],\"open\":false}",
    [MAW_JOIN_CONFIRMED] =
        "{\"type\":\"join_confirmed\",\"player_name\":\"A\",\"players\":[\"A\",\"B\"],"
        "\"total_players\":6,\"rooms\":{\"lobby\":\"l@d\",\"village\":\"v@d\",\"hideout\":"
        "\"h@d\"}}",
    [MAW_GET_NEW_MESSAGES] = "{\"type\":\"get_new_messages\",\"index\":12}",
    [MAW_KILL] = "{\"type\":\"kill\",\"cause\":\"murdered\"}",
    [MAW_VOTE_ACCEPTED] = "{\"type\":\"vote_accepted\",\"target\":null,\"previous\":\"Bo\"}",
    [MAW_SHOW_SCORE] = "{\"type\":\"show_score\"}",
    [MAW_SCORES] = "{\"type\":\"scores\",\"round\":1,\"scores\":[]}",
    [MAW_ERROR] = "{\"type\":\"error\",\"of\":\"vote\",\"code\":\"bad-target\",\"text\":\"No Xy.\","
                  "\"allowed\":[\"Bo\",\"Cy\"]}",
    [MAW_OPEN_ROOM] = "{\"type\":\"open_room\",\"room_name\":\"Village\",\"players\":[\"a@d\"],"
                      "\"round\":1,\"phase_no\":1}",
    [MAW_CLOSE_ROOM] = "{\"type\":\"close_room\",\"room_name\":\"Village\"}",
    [MAW_ROOM_OPENED] = "{\"type\":\"room_opened\",\"room_name\":\"Village\",\"index\":0}",
    [MAW_ROOM_CLOSED] = "{\"type\":\"room_closed\",\"room_name\":\"Village\",\"index\":9}",
    [MAW_SUBSCRIBE] = "{\"type\":\"subscribe\",\"index\":3}",
    [MAW_UNSUBSCRIBE] = "{\"type\":\"unsubscribe\"}",
    [MAW_LEAVE] = "{\"type\":\"leave\"}",
    [MAW_WHISPER] = "{\"type\":\"whisper\",\"to\":\"Bo\",\"from\":\"Cy\",\"text\":\"psst\"}",
    [MAW_QUERY_ROLE] = "{\"type\":\"query_role\",\"target\":\"Bo\"}",
    [MAW_ROLE_ANSWER] = "{\"type\":\"role_answer\",\"target\":\"b@d\",\"role\":\"Werewolf\"}",
    [MAW_OBSERVE] = "{\"type\":\"observe\",\"player_name\":\"Eve\",\"client\":\"x\"}",
    [MAW_SESSION_END] = "{\"type\":\"session_end\",\"text\":\"Good night.\",\"round\":3,"
                        "\"scores\":[{\"name\":\"A\",\"points\":9}]}",
    [MAW_TIME_WARNING] = "{\"type\":\"time_warning\",\"text\":\"Ten seconds.\",\"seconds\":10,"
                         "\"phase_no\":2,\"deadline\":\"2026-01-01T00:05:00.000Z\"}",
    [MAW_TOLD] =
        "{\"type\":\"told\",\"index\":4,\"first\":2,\"from\":\"v@d\",\"act\":\"inform\",\"thread\":"
        "\"maw-a-1\",\"ago\":3,\"body\":{\"type\":\"kill\"}}",
};

static void every_type_comes_through_with_all_its_fields(void **state)
{
    (void)state;
    for (unsigned type = MAW_NO_TYPE + 1; type < MAW_TYPE_COUNT; type++) {
        assert_non_null(full[type]);
        MawMessage message = understood(full[type]);
        assert_int_equal(message.type, type);
        maw_message_done(&message);
        check_again(full[type], full[type]);
    }
}

static void keys_stand_in_the_order_of_the_spec_and_nothing_else_is_written(void **state)
{
    CLEANUP(buf_done) Buf out = {0};

    (void)state;
    for (unsigned type = MAW_NO_TYPE + 1; type < MAW_TYPE_COUNT; type++) {
        MawMessage message = understood(full[type]);
        buf_clear(&out);
        maw_message_write(&message, &out);
        check_text(buf_str(&out), full[type]); /* bytes, not only JSON */
        maw_message_done(&message);
    }
}

static void an_empty_message_has_only_its_type_and_what_the_document_has(void **state)
{
    static const struct {
        MawType type;
        const char *body;
    } cases[] = {
        {MAW_KILL, "{\"type\":\"kill\"}"},
        {MAW_ERROR, "{\"type\":\"error\",\"of\":null}"},
        {MAW_NEW_MESSAGES, "{\"type\":\"new_messages\",\"messages\":[]}"},
        {MAW_SCORES, "{\"type\":\"scores\",\"scores\":[]}"},
        {MAW_END_GAME, "{\"type\":\"end_game\"}"},
        {MAW_JOIN_CONFIRMED, "{\"type\":\"join_confirmed\"}"},
        {MAW_ANNOUNCE_OPEN, "{\"type\":\"announce_open\",\"players\":[]}"},
        {MAW_GET_INPUT, "{\"type\":\"get_input\"}"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        CLEANUP(buf_done) Buf out = {0};
        MawMessage message = maw_message(cases[i].type);
        maw_message_write(&message, &out);
        check_text(buf_str(&out), cases[i].body);
    }
}

static void what_we_say_is_written(void **state)
{
    CLEANUP(buf_done) Buf out = {0};
    const MawLine lines[] = {
        {.index = 7, .from = STR("b@d"), .name = STR("Bo"), .text = STR("hi"), .kind = STR("chat")},
        {.index = 8, .text = STR("Cy is dead."), .kind = STR("system")},
    };
    MawMessage message = maw_message(MAW_NEW_MESSAGES);

    (void)state;
    message.lines = lines;
    message.line_count = 2;
    message.first = 7;
    message.next = 9;
    message.open = true;
    maw_message_write(&message, &out);
    check_same(buf_str(&out),
               "{\"type\":\"new_messages\",\"messages\":[\"Bo: hi\",\"System: Cy is dead.\"],"
               "\"first\":7,\"next\":9,\"entries\":[{\"i\":7,\"from\":\"b@d\",\"name\":\"Bo\","
               "\"text\":\"hi\",\"kind\":\"chat\"},{\"i\":8,\"text\":\"Cy is dead.\",\"kind\":"
               "\"system\"}],\"open\":true}");
    maw_message_done(&message); /* it owns nothing: untouched */
    assert_int_equal(message.line_count, 2);
}

static void values_are_where_they_belong(void **state)
{
    MawMessage message = understood(full[MAW_ANNOUNCE_OPEN]);

    (void)state;
    assert_int_equal(message.player_count, 2);
    check_text(message.players[1].jid, "b@d");
    check_text(message.players[1].name, "B");
    check_text(message.list[0], "C");
    assert_int_equal(message.index, 17);
    assert_int_equal(message.seconds, 60);
    assert_int_equal(message.phase_no, MAW_ABSENT);
    maw_message_done(&message);

    message = understood(full[MAW_VOTE]);
    assert_true(message.target_null);
    assert_null(message.target.bytes);
    maw_message_done(&message);

    message = understood(full[MAW_VOTE_RESULT]);
    assert_int_equal(message.pair_count, 2);
    check_text(message.pairs[0].key, "A");
    check_text(message.pairs[0].value, "B");
    assert_null(message.pairs[1].value.bytes);
    maw_message_done(&message);

    message = understood(full[MAW_END_GAME]);
    check_text(message.pairs[0].value, "Villager");
    assert_int_equal(message.scores[0].points, -1);
    assert_false(message.last);
    maw_message_done(&message);

    message = understood("{\"type\":\"scores\",\"scores\":[{\"points\":1}]}");
    assert_int_equal(message.scores[0].rounds_won, MAW_ABSENT);
    assert_null(message.scores[0].player.bytes);
    assert_int_equal(message.round, MAW_ABSENT);
    maw_message_done(&message);
}

static void lines_are_read_with_and_without_entries(void **state)
{
    MawMessage message = understood(full[MAW_NEW_MESSAGES]);

    (void)state;
    assert_int_equal(message.line_count, 2);
    assert_int_equal(message.lines[0].index, 4);
    check_text(message.lines[0].from, "b@d");
    check_text(message.lines[0].text, "a: b");
    assert_null(message.lines[1].from.bytes);
    assert_false(message.open);
    maw_message_done(&message);

    message = understood("{\"type\":\"new_messages\",\"messages\":[\"Bo: a: b\",\"System: Dawn.\","
                         "\"no name: here\",\": x\",\"Cy:x\",\"Di: \"]}");
    assert_int_equal(message.line_count, 6);
    assert_true(message.open); /* a room that does not say */
    check_text(message.lines[0].name, "Bo");
    check_text(message.lines[0].text, "a: b");
    check_text(message.lines[0].kind, "chat");
    assert_int_equal(message.lines[0].index, MAW_ABSENT);
    check_text(message.lines[1].name, "");
    check_text(message.lines[1].text, "Dawn.");
    check_text(message.lines[1].kind, "system");
    check_text(message.lines[2].text, "no name: here");
    check_text(message.lines[3].text, ": x");
    check_text(message.lines[4].text, "Cy:x");
    check_text(message.lines[5].name, "Di");
    check_text(message.lines[5].text, "");
    maw_message_done(&message);
    check_again(
        "{\"type\":\"new_messages\",\"messages\":[\"Bo: a: b\",\"System: Dawn.\",\"no name: "
        "here\",\": x\",\"Cy:x\",\"Di: \"]}",
        "{\"type\":\"new_messages\",\"messages\":[\"Bo: a: b\",\"System: Dawn.\",\"no name: "
        "here\",\": x\",\"Cy:x\",\"Di: \"]}");
}

static void the_documents_other_names_are_understood(void **state)
{
    static const struct {
        const char *body;
        const char *same;
    } cases[] = {
        {"{\"type\":\"join_game\",\"player_name\":\"Player1\"}",
         "{\"type\":\"join_lobby\",\"player_name\":\"Player1\"}"},
        {"{\"type\":\"get_action\"}", "{\"type\":\"get_input\"}"},
        {"{\"type\":\"start_round\",\"total_players\":6}",
         "{\"type\":\"start_game\",\"total_players\":6}"},
        {"{\"type\":\"end_round\",\"winning_team\":\"Werewolves\"}",
         "{\"type\":\"end_game\",\"winning_team\":\"Werewolves\"}"},
        {"{\"type\":\"player_action\",\"action\":\"vote\",\"target\":\"Bo\"}",
         "{\"type\":\"vote\",\"target\":\"Bo\"}"},
        {"{\"action\":\"chat\",\"message\":\"hi\",\"type\":\"player_action\"}",
         "{\"type\":\"chat\",\"message\":\"hi\"}"},
        {"{\"type\":\"player_action\",\"action\":\"speak\",\"message\":\"hi\"}",
         "{\"type\":\"chat\",\"message\":\"hi\"}"},
        {"{\"type\":\"player_action\",\"action\":\"listen\"}", "{\"type\":\"listen\"}"},
        {"{\"type\":\"player_action\",\"action\":\"name\",\"name\":\"Bo\"}",
         "{\"type\":\"name\",\"name\":\"Bo\"}"},
        {"{\"type\":\"player_action\",\"action\":{\"type\":\"vote\",\"target\":null}}",
         "{\"type\":\"vote\",\"target\":null}"},
        {"{\"type\":\"get_new_messages\"}", "{\"type\":\"get_new_messages\"}"},
        {"12", "{\"type\":\"get_new_messages\",\"index\":12}"},
        {" 0\n", "{\"type\":\"get_new_messages\",\"index\":0}"},
        /* the document's example of get_input, with the braces and quotes that JSON wants */
        {"{\"type\":\"get_input\",\"completions\":{\"model\":\"llama3.1\",\"messages\":[{\"role\":"
         "\"system\",\"content\":\"<<G>>\"},{\"role\":\"user\",\"content\":\"<<M>>\"}]}}",
         "{\"type\":\"get_input\",\"completions\":{\"model\":\"llama3.1\",\"messages\":[{\"role\":"
         "\"system\",\"content\":\"<<G>>\"},{\"role\":\"user\",\"content\":\"<<M>>\"}]}}"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
        check_again(cases[i].body, cases[i].same);
}

static void what_is_not_known_or_null_is_passed_over(void **state)
{
    (void)state;
    check_again("{\"type\":\"join_lobby\",\"player_name\":\"A\",\"caps\":[{\"x\":[1,2]}],"
                "\"client\":null,\"version\":2}",
                "{\"type\":\"join_lobby\",\"player_name\":\"A\"}");
    check_again("{\"type\":\"phase_change\",\"new_phase\":\"day\",\"seconds\":59.9,\"day\":3.0,"
                "\"phase_no\":null}",
                "{\"type\":\"phase_change\",\"new_phase\":\"day\",\"day\":3,\"seconds\":59}");
    check_again("{\"type\":\"vote\",\"target\":\"\",\"vote\":1}",
                "{\"type\":\"vote\",\"target\":\"\"}");
    check_again("{\"type\":\"vote_accepted\"}", "{\"type\":\"vote_accepted\"}");
    check_again("{\"type\":\"new_messages\",\"messages\":[\"Bo: hi\"],\"entries\":[]}",
                "{\"type\":\"new_messages\",\"messages\":[\"Bo: hi\"]}");
    check_again("{\"type\":\"vote_accepted\",\"target\":\"Bo\",\"previous\":null}",
                "{\"type\":\"vote_accepted\",\"target\":\"Bo\"}");
    check_again("{\"type\":\"get_new_messages\",\"index\":9007199254740992}",
                "{\"type\":\"get_new_messages\",\"index\":9007199254740992}");
}

static void what_is_no_json_object_is_bad_json(void **state)
{
    static const struct {
        const char *body;
        const char *part;
    } cases[] = {
        {"", "ends too early"},
        {"hello", "byte"},
        {"{\"type\":\"join_lobby\",\"player_name\":\"Player1\"}}", "something follows"},
        {"{\"type\":\"listen\"} {\"type\":\"listen\"}", "something follows"},
        {"{\"type\":\"listen\",}", "form is wrong"},
        {"{type:\"listen\"}", "form is wrong"},
        {"{'type':'listen'}", "form is wrong"},
        {"{\"type\":\"listen\"", "ends too early"},
        {"[{\"type\":\"listen\"}]", "a list"},
        {"\"listen\"", "a text"},
        {"null", "null"},
        {"true", "true"},
        {"1.5", "a number with a point"},
        {"99999999999999999999", "too large"},
        {"{\"type\":\"listen\",\"x\":1e999}", "too large"},
        {"{\"type\":\"listen\",\"type\":\"listen\"}", "stands twice"},
        {"{\"type\":\"listen\",\"x\":[{\"y\":1,\"y\":2}]}", "stands twice"},
        {"{\"type\":\"chat\",\"message\":\"a\\u0000b\"}", "\\u0000"},
        {"{\"type\":\"chat\",\"a\\u0000b\":1}", "\\u0000"},
        {"{\"type\":\"chat\",\"message\":\"\\ud800\"}", "form is wrong"},
        {"{\"type\":\"chat\",\"message\":\"\xff\xfe\"}", "not UTF-8"},
        {"{\"type\":\"chat\",\"message\":\"a\nb\"}", "form is wrong"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
        assert_int_equal(check_refused(str_of(cases[i].body), "bad-json", cases[i].part),
                         MAW_NO_TYPE);
    check_refused(STR("{\"type\":\"listen\"}\0"), "bad-json", "byte");
    check_refused((Str){0}, "bad-json", "ends too early");
}

static void bodies_that_are_too_deep_or_too_long_are_bad_json(void **state)
{
    CLEANUP(buf_done) Buf body = {0};

    (void)state;
    /* 16 deep with the object itself is the most */
    for (unsigned lists = 15; lists <= 16; lists++) {
        buf_clear(&body);
        buf_add(&body, STR("{\"type\":\"listen\",\"text\":\"]]]}}}\\\"[[[\",\"x\":"));
        for (unsigned i = 0; i < lists; i++)
            buf_add_char(&body, '[');
        for (unsigned i = 0; i < lists; i++)
            buf_add_char(&body, ']');
        buf_add_char(&body, '}');
        if (lists == 15)
            check_again(buf_cstr(&body), "{\"type\":\"listen\"}");
        else
            check_refused(buf_str(&body), "bad-json", "depth 16");
    }
    buf_clear(&body);
    for (unsigned i = 0; i < 100000; i++)
        buf_add_char(&body, '[');
    check_refused(buf_str(&body), "bad-json", "depth 16");

    buf_clear(&body);
    buf_add(&body, STR("{\"type\":\"chat\",\"message\":\""));
    while (body.len < MAW_BODY_BYTES_MAX - 2)
        buf_add_char(&body, 'x');
    buf_add(&body, STR("\"}"));
    assert_int_equal(body.len, MAW_BODY_BYTES_MAX);
    check_again(buf_cstr(&body), buf_cstr(&body));
    buf_add_char(&body, ' ');
    check_refused(buf_str(&body), "bad-json", "131072 bytes, but got 131073");
}

static void a_type_that_is_missing_or_unknown_is_named(void **state)
{
    (void)state;
    check_refused(STR("{}"), "no-type", "nothing");
    check_refused(STR("{\"Type\":\"vote\"}"), "no-type", "nothing");
    check_refused(STR("{\"type\":null}"), "no-type", "null");
    check_refused(STR("{\"type\":7}"), "no-type", "a whole number");
    check_refused(STR("{\"type\":\"\"}"), "unknown-type", "''");
    check_refused(STR("{\"type\":\"votes\"}"), "unknown-type", "did you mean 'vote'?");
    check_refused(STR("{\"type\":\"Vote\"}"), "unknown-type", "did you mean 'vote'?");
    check_refused(
        STR("{\"type\":\"zzzzzzzzzzzz\\u001b[2J\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3"
            "\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\"}"),
        "unknown-type", "join_lobby");
}

static void a_field_that_is_wrong_is_named_with_what_came(void **state)
{
    static const struct {
        const char *body;
        const char *part;
        MawType type;
    } cases[] = {
        {"{\"type\":\"vote\"}",
         "vote: expected 'target' to be a text (JID or name) or null, but it", MAW_VOTE},
        {"{\"type\":\"vote\",\"target\":3}",
         "'target' to be a text (JID or name) or null, but got "
         "a whole number",
         MAW_VOTE},
        {"{\"type\":\"join_game\"}", "join_lobby: expected 'player_name'", MAW_JOIN_LOBBY},
        {"{\"type\":\"join_lobby\",\"player_name\":null}", "but got null", MAW_JOIN_LOBBY},
        {"{\"type\":\"chat\",\"message\":[\"a\"]}", "'message' to be a text, but got a list",
         MAW_CHAT},
        {"{\"type\":\"start_game\",\"total_players\":\"6\"}", "'total_players'", MAW_START_GAME},
        {"{\"type\":\"start_game\",\"total_players\":-1}", "from 0 to 2^53", MAW_START_GAME},
        {"{\"type\":\"start_game\",\"total_players\":9007199254740993}", "from 0 to 2^53",
         MAW_START_GAME},
        {"{\"type\":\"start_game\",\"total_players\":6.5}", "a number with a point",
         MAW_START_GAME},
        {"{\"type\":\"start_game\",\"total_players\":1e300}", "a number with a point",
         MAW_START_GAME},
        {"{\"type\":\"start_game\",\"total_players\":2,\"players\":[{\"name\":\"A\"}]}",
         "'players[0].jid' to be a text, but got nothing", MAW_START_GAME},
        {"{\"type\":\"start_game\",\"total_players\":2,\"players\":[\"A\"]}",
         "'players[0]' to be an object, but got a text", MAW_START_GAME},
        {"{\"type\":\"phase_change\",\"new_phase\":\"day\",\"seconds\":-0.5e9}", "'seconds'",
         MAW_PHASE_CHANGE},
        {"{\"type\":\"vote_result\",\"target\":null}", "'status'", MAW_VOTE_RESULT},
        {"{\"type\":\"vote_result\",\"target\":null,\"status\":\"none\",\"votes\":[]}",
         "'votes' to be an object, but got a list", MAW_VOTE_RESULT},
        {"{\"type\":\"vote_result\",\"target\":null,\"status\":\"none\",\"votes\":{\"A\":1}}",
         "'votes[0]' to be a text", MAW_VOTE_RESULT},
        {"{\"type\":\"end_game\",\"winning_team\":\"None\",\"scores\":[{}]}",
         "'scores[0].points' to be a whole number below 2^53, but got nothing", MAW_END_GAME},
        {"{\"type\":\"end_game\",\"winning_team\":\"None\",\"last\":1}", "'last' to be true or",
         MAW_END_GAME},
        {"{\"type\":\"scores\",\"scores\":[{\"points\":1,\"rounds_won\":-1}]}",
         "'scores[0].rounds_won'", MAW_SCORES},
        {"{\"type\":\"announce_open\",\"room_name\":\"V\",\"players\":[1]}", "'players[0]'",
         MAW_ANNOUNCE_OPEN},
        {"{\"type\":\"announce_open\",\"room_name\":\"V\",\"players\":[\"a\"],\"names\":[]}",
         "a list of 1 texts like 'players'", MAW_ANNOUNCE_OPEN},
        {"{\"type\":\"new_messages\"}", "'messages'", MAW_NEW_MESSAGES},
        {"{\"type\":\"new_messages\",\"messages\":[\"a\",{\"role\":\"user\"}]}",
         "'messages[1]' to be a text, but got an object", MAW_NEW_MESSAGES},
        {"{\"type\":\"new_messages\",\"messages\":[],\"entries\":[{\"i\":0}]}", "'entries[0].text'",
         MAW_NEW_MESSAGES},
        {"{\"type\":\"new_messages\",\"messages\":[],\"entries\":[{\"text\":\"\"}]}",
         "'entries[0].i'", MAW_NEW_MESSAGES},
        {"{\"type\":\"new_messages\",\"messages\":[],\"entries\":[{\"i\":0,\"text\":\"\",\"t\":5}]"
         "}",
         "'entries[0].t'", MAW_NEW_MESSAGES},
        {"{\"type\":\"get_input\",\"completions\":\"x\"}", "'completions' to be an object",
         MAW_GET_INPUT},
        {"{\"type\":\"get_input\",\"targets\":[null]}", "'targets[0]'", MAW_GET_INPUT},
        {"{\"type\":\"join_confirmed\",\"rooms\":{\"village\":1}}", "'rooms.village'",
         MAW_JOIN_CONFIRMED},
        {"{\"type\":\"join_confirmed\",\"rooms\":[]}", "'rooms' to be an object",
         MAW_JOIN_CONFIRMED},
        {"{\"type\":\"error\",\"of\":1}", "'of'", MAW_ERROR},
        {"-1", "get_new_messages: expected 'index'", MAW_GET_NEW_MESSAGES},
        {"{\"type\":\"player_action\",\"message\":\"hi\"}", "'action'", MAW_NO_TYPE},
        {"{\"type\":\"player_action\",\"action\":\"fly\"}", "another text", MAW_NO_TYPE},
        {"{\"type\":\"player_action\",\"action\":{}}", "'action'", MAW_NO_TYPE},
        {"{\"type\":\"player_action\",\"action\":\"vote\"}", "vote: expected 'target'", MAW_VOTE},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
        assert_int_equal(check_refused(str_of(cases[i].body), "bad-field", cases[i].part),
                         cases[i].type);
}

/* {...,"KEY":[ELEMENT,ELEMENT,...]} with so many elements, or pairs of an object. */
static void fill(Buf *body, const char *start, const char *element, unsigned count, bool pairs)
{
    buf_clear(body);
    buf_printf(body, "%s%c", start, pairs ? '{' : '[');
    for (unsigned i = 0; i < count; i++) {
        buf_add(body, i ? STR(",") : STR(""));
        if (pairs)
            buf_printf(body, "\"k%u\":", i);
        buf_add(body, str_of(element));
    }
    buf_add(body, pairs ? STR("}}") : STR("]}"));
}

static void lists_have_limits(void **state)
{
    static const struct {
        const char *start;
        const char *element;
        unsigned most;
        bool pairs;
    } cases[] = {
        {"{\"type\":\"assign_role\",\"role\":\"Werewolf\",\"teammates\":", "\"a\"", MAW_LIST_MAX,
         0},
        {"{\"type\":\"announce_open\",\"room_name\":\"V\",\"players\":", "\"a\"", MAW_LIST_MAX, 0},
        {"{\"type\":\"start_game\",\"total_players\":6,\"players\":", "{\"jid\":\"a\"}",
         MAW_LIST_MAX, 0},
        {"{\"type\":\"scores\",\"scores\":", "{\"points\":1}", MAW_LIST_MAX, 0},
        {"{\"type\":\"end_game\",\"winning_team\":\"None\",\"roles\":", "\"Seer\"", MAW_LIST_MAX,
         1},
        {"{\"type\":\"new_messages\",\"messages\":", "\"a: b\"", MAW_ENTRIES_MAX, 0},
        {"{\"type\":\"new_messages\",\"messages\":[],\"entries\":", "{\"i\":1,\"text\":\"\"}",
         MAW_ENTRIES_MAX, 0},
    };
    CLEANUP(buf_done) Buf body = {0};

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        char part[64];
        fill(&body, cases[i].start, cases[i].element, cases[i].most, cases[i].pairs);
        MawMessage message = understood(buf_cstr(&body));
        maw_message_done(&message);
        fill(&body, cases[i].start, cases[i].element, cases[i].most + 1, cases[i].pairs);
        snprintf(part, sizeof(part), "at most %u elements", cases[i].most);
        check_refused(buf_str(&body), "bad-field", part);
    }
}

static void a_message_owns_what_was_read(void **state)
{
    char body[] = "{\"type\":\"new_messages\",\"messages\":[\"Bo: hi\"]}";
    char input[] = "{\"type\":\"get_input\",\"completions\":{\"model\":\"m\"}}";
    MawMessage message = understood(body);

    (void)state;
    memset(body, 'x', sizeof(body));
    check_text(message.lines[0].name, "Bo");
    check_text(message.lines[0].text, "hi");
    maw_message_done(&message);
    maw_message_done(&message); /* again does no harm */
    assert_int_equal(message.type, MAW_NO_TYPE);
    assert_int_equal(message.line_count, 0);

    message = understood(input);
    memset(input, 'x', sizeof(input));
    check_text(message.completions, "{\"model\":\"m\"}");
    maw_message_done(&message);
}

static void every_example_of_the_manual_is_understood(void **state)
{
    CLEANUP(buf_done) Buf path = {0};
    const char *source = getenv("WARG_SOURCE");
    bool seen[MAW_TYPE_COUNT] = {0};
    char line[1024];

    (void)state;
    buf_printf(&path, "%s/docs/maw.md", source ? source : ".");
    FILE *file = fopen(buf_cstr(&path), "re");
    assert_non_null(file);
    while (fgets(line, sizeof(line), file)) {
        if (line[0] != '{')
            continue;
        MawMessage message = understood(line);
        seen[message.type] = true;
        maw_message_done(&message);
    }
    assert_int_equal(fclose(file), 0);
    for (unsigned type = MAW_NO_TYPE + 1; type < MAW_TYPE_COUNT; type++)
        if (!seen[type])
            fail_msg("docs/maw.md has no example of %s", maw_type_name((MawType)type));
}

static void types_have_names_acts_and_senders(void **state)
{
    (void)state;
    assert_string_equal(maw_type_name(MAW_NEW_MESSAGES), "new_messages");
    assert_string_equal(maw_type_name(MAW_NO_TYPE), "");
    assert_string_equal(maw_type_name(MAW_TYPE_COUNT), "");
    assert_int_equal(maw_type_act(MAW_JOIN_LOBBY), ACT_REQUEST);
    assert_int_equal(maw_type_act(MAW_VOTE_ACCEPTED), ACT_AGREE);
    assert_int_equal(maw_type_act(MAW_GET_NEW_MESSAGES), ACT_QUERY_REF);
    assert_int_equal(maw_type_act(MAW_PHASE_CHANGE), ACT_INFORM);
    assert_int_equal(maw_type_act(MAW_NO_TYPE), ACT_NONE);
    assert_true(maw_type_is_masters(MAW_KILL));
    assert_true(maw_type_is_masters(MAW_ASSIGN_ROLE));
    assert_true(maw_type_is_masters(MAW_OPEN_ROOM));
    assert_false(maw_type_is_masters(MAW_VOTE));
    assert_false(maw_type_is_masters(MAW_WHISPER));
    assert_false(maw_type_is_masters(MAW_ERROR));
    assert_false(maw_type_is_masters(MAW_NO_TYPE));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_recorded_body_is_read_and_written_back),
        cmocka_unit_test(every_type_comes_through_with_all_its_fields),
        cmocka_unit_test(keys_stand_in_the_order_of_the_spec_and_nothing_else_is_written),
        cmocka_unit_test(an_empty_message_has_only_its_type_and_what_the_document_has),
        cmocka_unit_test(what_we_say_is_written),
        cmocka_unit_test(values_are_where_they_belong),
        cmocka_unit_test(lines_are_read_with_and_without_entries),
        cmocka_unit_test(the_documents_other_names_are_understood),
        cmocka_unit_test(what_is_not_known_or_null_is_passed_over),
        cmocka_unit_test(what_is_no_json_object_is_bad_json),
        cmocka_unit_test(bodies_that_are_too_deep_or_too_long_are_bad_json),
        cmocka_unit_test(a_type_that_is_missing_or_unknown_is_named),
        cmocka_unit_test(a_field_that_is_wrong_is_named_with_what_came),
        cmocka_unit_test(lists_have_limits),
        cmocka_unit_test(a_message_owns_what_was_read),
        cmocka_unit_test(every_example_of_the_manual_is_understood),
        cmocka_unit_test(types_have_names_acts_and_senders),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
