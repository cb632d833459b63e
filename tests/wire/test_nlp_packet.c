#include "nlp_table.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/json.h"
#include "sanitized.h"
#include "wire/json_read.h"

/* ---- a checker of JSON Schema, for the words that protocol.schema.json uses ---- */

typedef struct Checker {
    json_t *schema;
    const json_t *defs;
} Checker;

static void check(const Checker *checker, const json_t *schema, const json_t *value,
                  const char *where);

static bool has_type(Str type, const json_t *value)
{
    Str text;
    int64_t number;
    bool truth;

    if (str_eq(type, STR("object")))
        return json_is_map(value);
    if (str_eq(type, STR("string")))
        return json_as_str(value, &text);
    if (str_eq(type, STR("integer")))
        return json_as_int(value, &number);
    if (str_eq(type, STR("boolean")))
        return json_as_bool(value, &truth);
    if (str_eq(type, STR("array")))
        return value && !json_is_map(value) && !json_as_str(value, &text) &&
               !json_as_int(value, &number) && !json_as_bool(value, &truth);
    if (str_eq(type, STR("null")))
        return value == NULL;
    fail_msg("the schema has a type '%.*s'", STR_ARG(type));
    return false;
}

static void check_type(const json_t *types, const json_t *value, const char *where)
{
    Str type;
    bool fits = json_as_str(types, &type) && has_type(type, value);

    for (size_t i = 0; i < json_count(types) && !fits; i++)
        fits = json_as_str(json_at(types, i), &type) && has_type(type, value);
    if (!fits)
        fail_msg("%s has the wrong type", where);
}

static void check_enum(const json_t *list, const json_t *value, const char *where)
{
    Str text, one;

    assert_true(json_as_str(value, &text));
    for (size_t i = 0; i < json_count(list); i++)
        if (json_as_str(json_at(list, i), &one) && str_eq(one, text))
            return;
    fail_msg("%s is '%.*s'", where, STR_ARG(text));
}

/* `rest` is additionalProperties: false, or the schema of all other members. The keys come in
 * alphabetical order, each once: that is ours and not the schema's. */
static void check_members(const Checker *checker, const json_t *properties, const json_t *rest,
                          const json_t *value, const char *where)
{
    const char *before = "";

    for (void *at = json_member(value, NULL); at; at = json_member(value, at)) {
        const char *key = json_member_key(at);
        const json_t *schema = json_get(properties, key);
        bool more = true;
        if (strcmp(before, key) >= 0)
            fail_msg("%s: '%s' stands behind '%s'", where, key, before);
        before = key;
        if (!schema && rest && json_as_bool(rest, &more) && !more)
            fail_msg("%s has a '%s'", where, key);
        if (!schema && rest && json_is_map(rest))
            schema = rest;
        if (schema)
            check(checker, schema, json_member_value(at), key);
    }
}

static void check_required(const json_t *list, const json_t *value, const char *where)
{
    Str key;

    for (size_t i = 0; i < json_count(list); i++) {
        assert_true(json_as_str(json_at(list, i), &key));
        if (!json_get(value, key.bytes))
            fail_msg("%s has no '%s'", where, key.bytes);
    }
}

static void check_word(const Checker *checker, const json_t *schema, const char *word,
                       const json_t *rule, const json_t *value, const char *where)
{
    Str name = str_of(word), text;

    if (str_eq(name, STR("$ref"))) {
        assert_true(json_as_str(rule, &text) && str_starts(text, STR("#/$defs/")));
        check(checker, json_get(checker->defs, text.bytes + strlen("#/$defs/")), value, where);
    } else if (str_eq(name, STR("type"))) {
        check_type(rule, value, where);
    } else if (str_eq(name, STR("enum"))) {
        check_enum(rule, value, where);
    } else if (str_eq(name, STR("items"))) {
        for (size_t i = 0; i < json_count(value); i++)
            check(checker, rule, json_at(value, i), where);
    } else if (str_eq(name, STR("required"))) {
        check_required(rule, value, where);
    } else if (str_eq(name, STR("additionalProperties"))) {
        check_members(checker, json_get(schema, "properties"), rule, value, where);
    } else if (!str_eq(name, STR("$schema")) && !str_eq(name, STR("title")) &&
               !str_eq(name, STR("$defs")) && !str_eq(name, STR("properties"))) {
        fail_msg("the schema has a '%s', which this checker does not know", word);
    }
}

static void check(const Checker *checker, const json_t *schema, const json_t *value,
                  const char *where)
{
    assert_non_null(schema);
    if (json_get(schema, "properties"))
        assert_non_null(json_get(schema, "additionalProperties"));
    for (void *at = json_member(schema, NULL); at; at = json_member(schema, at))
        check_word(checker, schema, json_member_key(at), json_member_value(at), value, where);
}

static void checker_open(Checker *checker)
{
    CLEANUP(buf_done) Buf text = {0};
    char part[4096];
    const char *data = getenv("WARG_TEST_DATA");
    Err err = {0};

    buf_printf(&text, "%s/nlp-wire/protocol.schema.json", data ? data : "tests/data");
    FILE *file = fopen(buf_cstr(&text), "re");
    assert_non_null(file);
    buf_clear(&text);
    for (size_t n; (n = fread(part, 1, sizeof(part), file)) > 0;)
        buf_add(&text, (Str){part, n});
    fclose(file);
    if (json_read(buf_str(&text), text.len, &checker->schema, &err))
        fail_msg("%s", err.msg);
    checker->defs = json_get(checker->schema, "$defs");
}

/* ---- what a packet has to hold: 3.2, 3.3, 3.7 ---- */

typedef struct Tester {
    Checker checker;
    uint32_t seen[SEAT_MAX + 1][2]; /* of today's talk and whisper: so many were sent */
    size_t packets;
} Tester;

static void keys_of(const json_t *object, Buf *out)
{
    buf_clear(out);
    for (void *at = json_member(object, NULL); at; at = json_member(object, at)) {
        buf_add(out, str_of(json_member_key(at)));
        buf_add_char(out, ' ');
    }
}

static const char *top_keys(NlpRequest request, bool wolf)
{
    switch (request) {
    case NLP_NAME:
        return "request ";
    case NLP_INITIALIZE:
    case NLP_DAILY_INITIALIZE:
        return "info request setting ";
    case NLP_TALK:
    case NLP_BID:
        return "info request talk_history ";
    case NLP_WHISPER:
    case NLP_ATTACK:
        return "info request whisper_history ";
    case NLP_DAILY_FINISH:
        return wolf ? "info request talk_history whisper_history " : "info request talk_history ";
    case NLP_TALK_BROADCAST:
        return "info new_talk request ";
    case NLP_WHISPER_BROADCAST:
        return "info new_whisper request ";
    case NLP_VOTE:
    case NLP_DIVINE:
    case NLP_GUARD:
    case NLP_FINISH:
    case NLP_TALK_PHASE_START:
    case NLP_TALK_PHASE_END:
    case NLP_WHISPER_PHASE_START:
    case NLP_WHISPER_PHASE_END:
    case NLP_REQUEST_COUNT:
        break;
    }
    return "info request ";
}

static bool in_session(NlpRequest request, const char *kind)
{
    Str name = str_of(nlp_request_name(request));

    return str_eq(name, str_of(kind)) ||
           (str_starts(name, str_of(kind)) && name.bytes[strlen(kind)] == '_');
}

static void info_keys(const Sent *sent, Buf *out)
{
    const View *view = sent->view;
    bool talk = in_session(sent->request, "TALK"), whisper = in_session(sent->request, "WHISPER");
    bool votes = view->rules->vote.visible;
    const LengthRules *length = talk ? &view->rules->talk.length : &view->rules->whisper.length;
    struct {
        const char *key;
        bool there;
    } keys[] = {
        {"agent", true},
        {"attack_vote_list", votes && view->attack_votes->count && view->role == ROLE_WEREWOLF},
        {"attacked_agent", view->last_dead_count > 0},
        {"day", true},
        {"divine_result", view->role == ROLE_SEER && view->divined.target != SEAT_NONE},
        {"executed_agent", view->executed != SEAT_NONE},
        {"game_id", true},
        {"medium_result", view->role == ROLE_MEDIUM && view->executed != SEAT_NONE},
        {"profile", sent->request == NLP_INITIALIZE && view->seat % 2},
        {"remain_count", talk || whisper},
        {"remain_length", (talk || whisper) && length->per_agent != LIMIT_NONE},
        {"remain_skip", talk || whisper},
        {"role_map", true},
        {"status_map", true},
        {"vote_list", votes && view->votes->count},
    };

    buf_clear(out);
    for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
        if (keys[i].there)
            buf_printf(out, "%s ", keys[i].key);
}

static void check_keys(const Sent *sent, const json_t *packet)
{
    CLEANUP(buf_done) Buf got = {0}, expected = {0};
    const json_t *info = json_get(packet, "info");

    keys_of(packet, &got);
    assert_string_equal(buf_cstr(&got), top_keys(sent->request, sent->view->role == ROLE_WEREWOLF));
    keys_of(info, &got);
    info_keys(sent, &expected);
    assert_string_equal(buf_cstr(&got), buf_cstr(&expected));
}

static void check_text(const json_t *object, const char *key, Str expected)
{
    CLEANUP(buf_done) Buf a = {0}, b = {0};
    Str text;

    assert_true(json_as_str(json_get(object, key), &text));
    json_quote(&a, text, false); /* what is not UTF-8 becomes the same here as there */
    json_quote(&b, expected, false);
    assert_string_equal(buf_cstr(&a), buf_cstr(&b));
}

static void check_int(const json_t *object, const char *key, int64_t expected)
{
    int64_t number;

    assert_true(json_as_int(json_get(object, key), &number));
    assert_int_equal(number, expected);
}

/* Nobody hears anything twice, and nothing is left out. */
static void check_history(const Sent *sent, const json_t *list, const TalkLog *log, uint32_t *seen)
{
    if (!list)
        return;
    assert_int_equal(json_count(list), log->count - *seen);
    for (uint32_t i = 0; i < json_count(list); i++) {
        const json_t *item = json_at(list, i);
        const Talk *talk = &log->items[*seen + i];
        check_int(item, "idx", talk->idx);
        check_int(item, "turn", talk->turn);
        check_int(item, "time", 1778646860000 + talk->time);
        check_text(item, "agent", sent->view->names[talk->seat]);
        check_text(item, "text", talk->text);
    }
    *seen = log->count;
}

static void check_maps(const Sent *sent, const json_t *info)
{
    const View *view = sent->view;
    const json_t *roles = json_get(info, "role_map"), *statuses = json_get(info, "status_map");
    size_t known = 0, named = 0;

    for (SeatNo seat = 1; seat <= view->seat_count; seat++) {
        CLEANUP(buf_done) Buf name = {0};
        buf_add(&name, view->names[seat]);
        check_text(statuses, buf_cstr(&name),
                   seat_in(view->alive, seat) ? STR("ALIVE") : STR("DEAD"));
        if (json_get(roles, buf_cstr(&name))) {
            check_text(roles, buf_cstr(&name), str_of(role_name((Role)view->roles[seat])));
            named++;
        }
        known += view->roles[seat] == view->role && view->role == ROLE_WEREWOLF;
    }
    if (view->role != ROLE_WEREWOLF)
        known = 1;
    assert_int_equal(named, sent->request == NLP_FINISH || view->over ? view->seat_count : known);
}

static void check_packet(void *user, const Sent *sent)
{
    Tester *tester = user;
    uint32_t *seen = tester->seen[sent->view->seat];
    json_t *packet;
    Err err = {0};

    if (json_read(sent->packet, 16u << 20, &packet, &err))
        fail_msg("%s\n%.*s", err.msg, STR_ARG(sent->packet));
    check(&tester->checker, tester->checker.schema, packet, "packet");
    check_keys(sent, packet);
    if (sent->request == NLP_INITIALIZE || sent->request == NLP_DAILY_INITIALIZE)
        seen[0] = seen[1] = 0;
    if (sent->view->talk->count < seen[0])
        seen[0] = 0; /* the game ran on into the next day before this was written */
    if (sent->view->whisper->count < seen[1])
        seen[1] = 0;
    check_history(sent, json_get(packet, "talk_history"), sent->view->talk, &seen[0]);
    check_history(sent, json_get(packet, "whisper_history"), sent->view->whisper, &seen[1]);
    const json_t *info = json_get(packet, "info");
    check_maps(sent, info);
    check_int(info, "day", sent->view->day);
    check_text(info, "agent", sent->view->names[sent->view->seat]);
    json_done(packet);
    tester->packets++;
}

/* ---- random games ---- */

static const char *const odd_names[SEAT_MAX + 1] = {NULL,     "Mio",  "ミオ",    "Anna",  "Ann",
                                                    "Z\"z\\", "<b>&", "é",       "Bobby", "Bob",
                                                    "ミオ2",  "😀",    "Ryuji 1", "Anna2"};

static void play_games(Tester *tester, Table *table, const char *preset, SeatNo players,
                       void (*change)(Ruleset *rules), const char *const *names)
{
    Ruleset rules;

    assert_int_equal(ruleset_preset(str_of(preset), &rules, NULL), 0);
    if (change)
        change(&rules);
    table->look = check_packet;
    table->user = tester;
    for (uint64_t seed = 1; seed <= 12; seed += sanitized_step(4))
        table_play(table, &rules, players, names, seed);
}

static void limit_all(Ruleset *rules)
{
    rules->talk.length = (LengthRules){.per_talk = 60,
                                       .per_agent = 120,
                                       .base_length = 20,
                                       .mention_length = 15,
                                       .count_spaces = true};
    rules->whisper.length = rules->talk.length;
    rules->talk.max_skip = rules->whisper.max_skip = 2;
    rules->end.max_day = 3;
}

static void hide_votes(Ruleset *rules)
{
    rules->vote.visible = false;
    rules->attack.tie = TIE_NOBODY;
}

static void whisper_anytime(Ruleset *rules)
{
    rules->whisper.exchange = EXCHANGE_ANYTIME;
    rules->whisper.duration_ms = 60000;
}

static void every_packet_of_random_games_fits_the_schema_and_the_tables(void **state)
{
    static const SeatNo tables[] = {5, 9, 13};
    Tester tester = {0};
    Table table = {0};

    (void)state;
    checker_open(&tester.checker);
    for (size_t i = 0; i < 3; i++) {
        play_games(&tester, &table, "nlp-turn", tables[i], NULL, odd_names);
        play_games(&tester, &table, "nlp-turn", tables[i], limit_all, NULL);
        play_games(&tester, &table, "nlp-turn", tables[i], hide_votes, odd_names);
        play_games(&tester, &table, "nlp-anytime", tables[i], whisper_anytime, odd_names);
        play_games(&tester, &table, "nlp-anytime", tables[i], limit_all, NULL);
    }
    for (int request = NLP_INITIALIZE; request < NLP_REQUEST_COUNT; request++)
        if (table.packets[request] == 0 && request != NLP_BID) /* the schema knows none */
            fail_msg("no game sent a %s", nlp_request_name((NlpRequest)request));
    assert_true(tester.packets > 10000);
    table_done(&table);
    json_done(tester.checker.schema);
}

/* ---- packets word for word: 3.8 ---- */

typedef struct Desk {
    Ruleset rules;
    Str names[6];
    uint8_t role_counts[ROLE_COUNT];
    Talk talks[3];
    TalkLog talk, whisper;
    VoteLog votes, no_votes;
    uint16_t left[6], skips[6];
    int32_t length[6];
    NlpGameText text;
    NlpCursor cursor;
    Buf out;
    View view;
} Desk;

static int desk_setup(void **state)
{
    Desk *desk = mem_new(sizeof(*desk));

    if (!desk || ruleset_preset(STR("nlp-turn"), &desk->rules, NULL))
        return -1;
    desk->names[1] = STR("Ryuji");
    desk->names[2] = STR("Mio");
    desk->names[3] = STR("May");
    desk->names[4] = STR("Kenji");
    desk->names[5] = STR("Asuka");
    desk->talks[0] = (Talk){.text = STR("Hello."), .seat = 2, .day = 1, .idx = 2};
    desk->talks[1] = (Talk){.text = STR("Good <morning> & \"\\\n\x01\x7F\xE2\x80\xA8\xFF."),
                            .seat = 3,
                            .day = 1,
                            .idx = 3,
                            .time = 6000};
    desk->talks[2] = (Talk){
        .text = STR("Over"), .seat = 1, .day = 1, .idx = 4, .time = 11000, .turn = 1, .over = true};
    desk->talk = (TalkLog){desk->talks, 3};
    desk->left[2] = 3;
    desk->length[2] = -7;
    desk->skips[2] = 1;
    desk->text = (NlpGameText){.game_id = STR("01JZ0000000000000000000000"),
                               .setting = STR("{}"),
                               .profile = STR("age: 17\ngender: female"),
                               .began_unix_ms = 1778646860000};
    desk->view = (View){
        .rules = &desk->rules,
        .role_counts = desk->role_counts,
        .names = desk->names,
        .seat = 2,
        .seat_count = 5,
        .role = ROLE_SEER,
        .day = 1,
        .alive = seat_all(5),
        .roles = {[2] = ROLE_SEER},
        .talk = &desk->talk,
        .whisper = &desk->whisper,
        .talk_left = desk->left,
        .talk_length = desk->length,
        .talk_skips = desk->skips,
        .votes = &desk->votes,
        .latest_votes = &desk->no_votes,
        .attack_votes = &desk->no_votes,
        .latest_attack_votes = &desk->no_votes,
    };
    *state = desk;
    return 0;
}

static int desk_teardown(void **state)
{
    Desk *desk = *state;

    buf_done(&desk->out);
    *state = mem_free(desk);
    return 0;
}

static const char *written(Desk *desk, NlpRequest request, const Talk *news)
{
    buf_clear(&desk->out);
    nlp_packet_write(request, &desk->view, &desk->text, &desk->cursor, news, &desk->out);
    return buf_cstr(&desk->out);
}

#define GAME "\"game_id\":\"01JZ0000000000000000000000\""
#define ALL_LIVE                                                                                   \
    "\"role_map\":{\"Mio\":\"SEER\"},\"status_map\":{\"Asuka\":\"ALIVE\",\"Kenji\":\"ALIVE\","     \
    "\"May\":\"ALIVE\",\"Mio\":\"ALIVE\",\"Ryuji\":\"ALIVE\"}"

static void a_name_request_is_nothing_else(void **state)
{
    Desk *desk = *state;

    nlp_packet_write(NLP_NAME, NULL, NULL, NULL, NULL, &desk->out);
    assert_string_equal(buf_cstr(&desk->out), "{\"request\":\"NAME\"}");
}

static void initialize_has_profile_and_setting_and_clears_the_cursors(void **state)
{
    Desk *desk = *state;

    desk->cursor = (NlpCursor){7, 8};
    assert_string_equal(written(desk, NLP_INITIALIZE, NULL),
                        "{\"info\":{\"agent\":\"Mio\",\"day\":1," GAME
                        ",\"profile\":\"age: 17\\ngender: female\"," ALL_LIVE
                        "},\"request\":\"INITIALIZE\",\"setting\":{}}");
    assert_int_equal(desk->cursor.talk + desk->cursor.whisper, 0);
    desk->text.profile = STR("");
    assert_null(strstr(written(desk, NLP_INITIALIZE, NULL), "profile"));
}

static void talk_tells_what_is_left_and_only_what_is_new(void **state)
{
    Desk *desk = *state;

    desk->cursor.talk = 1;
    desk->view.divined = (Judge){.day = 1, .agent = 2, .target = 4, .result = SPECIES_HUMAN};
    assert_string_equal(
        written(desk, NLP_TALK, NULL),
        "{\"info\":{\"agent\":\"Mio\",\"day\":1,\"divine_result\":{\"agent\":\"Mio\",\"day\":0,"
        "\"result\":\"HUMAN\",\"target\":\"Kenji\"}," GAME
        ",\"remain_count\":3,\"remain_skip\":1," ALL_LIVE
        "},\"request\":\"TALK\",\"talk_history\":["
        "{\"agent\":\"May\",\"day\":1,\"idx\":3,\"over\":false,\"skip\":false,"
        "\"text\":\"Good \\u003cmorning\\u003e \\u0026 "
        "\\\"\\\\\\n\\u0001\x7F\\u2028\xEF\xBF\xBD.\","
        "\"time\":1778646866000,\"turn\":0},"
        "{\"agent\":\"Ryuji\",\"day\":1,\"idx\":4,\"over\":true,\"skip\":false,\"text\":\"Over\","
        "\"time\":1778646871000,\"turn\":1}]}");
    assert_int_equal(desk->cursor.talk, 3);
    assert_non_null(strstr(written(desk, NLP_TALK, NULL), "\"talk_history\":[]"));
}

static void vote_shows_yesterday(void **state)
{
    Desk *desk = *state;

    desk->view.day = 2;
    desk->view.executed = 5;
    desk->view.last_dead[0] = 4;
    desk->view.last_dead_count = 1;
    desk->view.alive = seat_bit(1) | seat_bit(2) | seat_bit(3);
    desk->votes = (VoteLog){.day = 1, .count = 2, .items = {{3, 5}, {2, 5}}};
    assert_string_equal(
        written(desk, NLP_VOTE, NULL),
        "{\"info\":{\"agent\":\"Mio\",\"attacked_agent\":\"Kenji\",\"day\":2,"
        "\"executed_agent\":\"Asuka\"," GAME ",\"role_map\":{\"Mio\":\"SEER\"},\"status_map\":"
        "{\"Asuka\":\"DEAD\",\"Kenji\":\"DEAD\",\"May\":\"ALIVE\",\"Mio\":\"ALIVE\","
        "\"Ryuji\":\"ALIVE\"},\"vote_list\":[{\"agent\":\"May\",\"day\":1,\"target\":\"Asuka\"},"
        "{\"agent\":\"Mio\",\"day\":1,\"target\":\"Asuka\"}]},\"request\":\"VOTE\"}");
    desk->rules.vote.visible = false;
    assert_null(strstr(written(desk, NLP_VOTE, NULL), "vote_list"));
}

static void a_broadcast_has_one_utterance_and_moves_no_cursor(void **state)
{
    Desk *desk = *state;

    desk->rules.talk.length.per_agent = 100;
    assert_string_equal(written(desk, NLP_TALK_BROADCAST, &desk->talks[0]),
                        "{\"info\":{\"agent\":\"Mio\",\"day\":1," GAME
                        ",\"remain_count\":3,\"remain_length\":-7,\"remain_skip\":1," ALL_LIVE
                        "},\"new_talk\":{\"agent\":\"Mio\",\"day\":1,\"idx\":2,\"over\":false,"
                        "\"skip\":false,\"text\":\"Hello.\",\"time\":1778646860000,\"turn\":0},"
                        "\"request\":\"TALK_BROADCAST\"}");
    assert_int_equal(desk->cursor.talk, 0);
}

static void a_medium_result_names_the_executed_twice(void **state)
{
    Desk *desk = *state;

    desk->view.identified = (Judge){.day = 3, .agent = 2, .target = 1, .result = SPECIES_WEREWOLF};
    assert_non_null(strstr(written(desk, NLP_DAILY_FINISH, NULL),
                           "\"medium_result\":{\"agent\":\"Ryuji\",\"day\":2,\"result\":"
                           "\"WEREWOLF\",\"target\":\"Ryuji\"}"));
}

static void skips_in_a_row_are_told_as_what_is_left_of_them(void **state)
{
    Desk *desk = *state;

    desk->rules.talk.skip_rule = SKIP_AGENT;
    desk->rules.talk.max_skip = 3;
    assert_non_null(strstr(written(desk, NLP_TALK, NULL), "\"remain_skip\":2,"));
    desk->skips[2] = 9;
    assert_non_null(strstr(written(desk, NLP_TALK, NULL), "\"remain_skip\":0,"));
}

/* ---- the setting ---- */

static void the_setting_is_as_the_recorded_one(void **state)
{
    static const bool named[ROLE_COUNT] = {[ROLE_BODYGUARD] = true, [ROLE_MEDIUM] = true};
    Desk *desk = *state;

    desk->rules.talk.max_turns = 20;
    nlp_setting_write(&desk->rules, 5, named, 60000, 120000, &desk->out);
    assert_string_equal(
        buf_cstr(&desk->out),
        "{\"agent_count\":5,\"attack_vote\":{\"allow_no_target\":false,\"allow_self_vote\":true,"
        "\"max_count\":1},\"role_num_map\":{\"BODYGUARD\":0,\"MEDIUM\":0,\"POSSESSED\":1,"
        "\"SEER\":1,\"VILLAGER\":2,\"WEREWOLF\":1},\"talk\":{\"max_count\":{\"per_agent\":4,"
        "\"per_day\":20},\"max_length\":{\"base_length\":50,\"count_in_word\":false,"
        "\"count_spaces\":false,\"mention_length\":50},\"max_skip\":0},\"timeout\":{\"action\":"
        "60000,\"response\":120000},\"vote\":{\"allow_self_vote\":true,\"max_count\":1},"
        "\"vote_visibility\":true,\"whisper\":{\"max_count\":{\"per_agent\":4,\"per_day\":12},"
        "\"max_length\":{\"base_length\":50,\"count_in_word\":false,\"count_spaces\":false,"
        "\"mention_length\":50},\"max_skip\":0}}");
}

static void limits_that_are_none_have_no_key(void **state)
{
    static const bool named[ROLE_COUNT] = {false};
    Desk *desk = *state;

    desk->rules.talk.length = (LengthRules){.per_talk = LIMIT_NONE,
                                            .per_agent = LIMIT_NONE,
                                            .base_length = LIMIT_NONE,
                                            .mention_length = 5};
    desk->rules.whisper.length = desk->rules.talk.length;
    desk->rules.whisper.length.per_talk = 30;
    desk->rules.talk.exchange = EXCHANGE_ANYTIME;
    desk->rules.talk.duration_ms = 600000;
    desk->rules.end.max_day = 4;
    nlp_setting_write(&desk->rules, 5, named, 1, 2, &desk->out);
    assert_non_null(strstr(buf_cstr(&desk->out), "\"max_length\":{},"));
    assert_non_null(strstr(buf_cstr(&desk->out), "\"talk\":{\"duration\":600000,\"max_count\""));
    assert_non_null(strstr(buf_cstr(&desk->out), "\"max_length\":{\"count_in_word\":false,"
                                                 "\"count_spaces\":false,\"per_talk\":30}"));
    assert_non_null(strstr(buf_cstr(&desk->out), "\"max_day\":4,\"role_num_map\":{\"POSSESSED\""));
}

/* ---- requests, names and replies ---- */

static void every_request_is_known_by_its_name(void **state)
{
    (void)state;
    for (int request = 0; request < NLP_REQUEST_COUNT; request++)
        assert_int_equal(nlp_request_of(str_of(nlp_request_name((NlpRequest)request))), request);
    assert_int_equal(nlp_request_of(STR("name")), NLP_REQUEST_COUNT);
    assert_int_equal(nlp_request_of(STR("")), NLP_REQUEST_COUNT);
    assert_int_equal(nlp_request_for(ASK_ROLE), NLP_REQUEST_COUNT);
    assert_int_equal(nlp_request_for(ASK_GUARD), NLP_GUARD);
    assert_true(nlp_request_has_reply(NLP_NAME));
    assert_true(nlp_request_has_reply(NLP_ATTACK));
    assert_false(nlp_request_has_reply(NLP_DAILY_FINISH));
    assert_false(nlp_request_has_reply(NLP_INITIALIZE));
    assert_false(nlp_request_has_reply(NLP_TALK_BROADCAST));
}

static void a_reply_loses_every_line_feed_and_a_name_those_at_its_end(void **state)
{
    Desk *desk = *state;

    nlp_reply_text(STR("\nMi\no \r\n\n"), &desk->out);
    assert_string_equal(buf_cstr(&desk->out), "Mio \r");
    nlp_reply_text(STR(""), &desk->out);
    assert_string_equal(buf_cstr(&desk->out), "");
    assert_true(str_eq(nlp_name_text(STR("a\nb \n\n")), STR("a\nb ")));
    assert_true(str_eq(nlp_name_text(STR("\n\n")), STR("")));
}

static void a_target_is_a_name_byte_for_byte(void **state)
{
    Desk *desk = *state;

    assert_int_equal(nlp_reply_target(STR("Kenji"), desk->names, 5), 4);
    assert_int_equal(nlp_reply_target(STR("Kenji "), desk->names, 5), SEAT_NONE);
    assert_int_equal(nlp_reply_target(STR("kenji"), desk->names, 5), SEAT_NONE);
    assert_int_equal(nlp_reply_target(STR(""), desk->names, 5), SEAT_NONE);
}

static void a_team_is_a_name_without_the_digits_at_its_end(void **state)
{
    (void)state;
    assert_true(str_eq(nlp_team_of(STR("kanolab3")), STR("kanolab")));
    assert_true(str_eq(nlp_team_of(STR("delta20261")), STR("delta")));
    assert_true(str_eq(nlp_team_of(STR("a1b")), STR("a1b")));
    assert_true(str_eq(nlp_team_of(STR("123")), STR("")));
    assert_true(str_eq(nlp_team_of(STR("x\xEF\xBC\x91")), STR("x\xEF\xBC\x91"))); /* full width */
}

#define desk_test(name) cmocka_unit_test_setup_teardown(name, desk_setup, desk_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_packet_of_random_games_fits_the_schema_and_the_tables),
        desk_test(a_name_request_is_nothing_else),
        desk_test(initialize_has_profile_and_setting_and_clears_the_cursors),
        desk_test(talk_tells_what_is_left_and_only_what_is_new),
        desk_test(vote_shows_yesterday),
        desk_test(a_broadcast_has_one_utterance_and_moves_no_cursor),
        desk_test(a_medium_result_names_the_executed_twice),
        desk_test(skips_in_a_row_are_told_as_what_is_left_of_them),
        desk_test(the_setting_is_as_the_recorded_one),
        desk_test(limits_that_are_none_have_no_key),
        cmocka_unit_test(every_request_is_known_by_its_name),
        desk_test(a_reply_loses_every_line_feed_and_a_name_those_at_its_end),
        desk_test(a_target_is_a_name_byte_for_byte),
        cmocka_unit_test(a_team_is_a_name_without_the_digits_at_its_end),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
