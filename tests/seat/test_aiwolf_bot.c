#include "wire/recording.h"

#include "lang/lang.h"
#include "sanitized.h"
#include "seat/aiwolf_bot.h"
#include "wire/aiwolf_answer.h"

/* Every line that the reference server sent to one agent is given to a bot of ours, whatever was
 * answered then: what it says must fit the request and the rules all the same. */

static AiwolfBot *bot_of(const char *kind, uint64_t seed)
{
    AiwolfBot *bot = NULL;
    const AiwolfBotPlan plan = {
        .kind = bot_kind(str_of(kind)), .name = "team", .wish = ROLE_SEER, .seed = seed};

    assert_non_null(plan.kind);
    assert_int_equal(aiwolf_bot_new(&plan, &bot, NULL), 0);
    return bot;
}

static Str line_to(AiwolfBot *bot, Str line)
{
    Str answer = {0};
    Err err = {0};

    if (aiwolf_bot_line(bot, line, 0, &answer, &err))
        fail_msg("%s", err.msg);
    return answer;
}

static bool is_sentence(Str text)
{
    Arena arena = arena_new(LANG_ARENA_BYTES(LANG_BYTES_MAX));
    const Sentence *sentence;
    bool is = lang_parse(text, &arena, &sentence, NULL) == 0;

    arena_done(&arena);
    return is;
}

static void assert_fits(AiwolfRequest request, Str answer)
{
    CLEANUP(buf_done) Buf storage = {0};
    Answer read;

    assert_int_equal(answer.len > 0, aiwolf_request_wants_answer(request));
    if (!answer.len)
        return;
    assert_int_equal(answer.bytes[answer.len - 1], '\n');
    answer.len--;
    assert_null(memchr(answer.bytes, '\n', answer.len));
    if (request == AIWOLF_NAME)
        assert_true(str_eq(answer, STR("team")));
    else if (request == AIWOLF_ROLE)
        assert_true(str_eq(answer, STR("SEER")));
    else if (request == AIWOLF_TALK || request == AIWOLF_WHISPER)
        assert_true(is_sentence(answer));
    else {
        assert_true(aiwolf_answer_read(ASK_VOTE, answer, &storage, &read));
        assert_true(str_starts(answer, STR("{\"agentIdx\":")));
    }
}

/* All that bot `kind` says to agent `seat` of a recording, from game `from` on (0 = the first, with
 * NAME), for `games` games. */
static void play(const Recording *recording, SeatNo seat, const char *kind, unsigned from,
                 unsigned games, Buf *ret_said)
{
    AiwolfBot *bot = bot_of(kind, 7);
    unsigned game = 0;

    buf_clear(ret_said);
    for (size_t i = 0; i < recording->count; i++) {
        const Message *message = &recording->items[i];
        if (message->agent != seat || strcmp(message->dir, "s2c") != 0 || message->ended)
            continue;
        if (game >= from && game < from + games) {
            Str answer = line_to(bot, message->line);
            assert_fits(aiwolf_bot_last(bot), answer);
            buf_add(ret_said, answer);
        }
        game += str_eq(recording_text(message->packet, "request"), STR("FINISH"));
    }
    assert_true(aiwolf_bot_finished(bot));
    assert_int_equal(aiwolf_bot_games(bot), games);
    assert_true(aiwolf_bot_wins(bot) <= games);
    aiwolf_bot_free(bot);
}

static void answers_fit_what_the_reference_server_asks(void **state)
{
    static const struct {
        const char *file;
        SeatNo players;
        unsigned games;
    } sets[] = {{"default-5p.jsonl.gz", 5, 3},        {"default-15p.jsonl.gz", 15, 3},
                {"timelimit-role-5p.jsonl.gz", 5, 3}, {"timelimit-role-15p.jsonl.gz", 15, 3},
                {"options-a-15p.jsonl.gz", 15, 1},    {"options-b-15p.jsonl.gz", 15, 1}};
    CLEANUP(buf_done) Buf said = {0};

    (void)state;
    for (size_t i = 0; i < sizeof(sets) / sizeof(sets[0]); i++) {
        Recording recording = recording_read(sets[i].file);
        for (SeatNo seat = 1; seat <= sets[i].players; seat += (SeatNo)sanitized_step(4))
            for (size_t kind = 0; bot_kind_at(kind); kind++) {
                const char *name = bot_kind_at(kind)->name;
                if (!str_starts(str_of(name), STR("talker"))) /* those speak natural language */
                    play(&recording, seat, name, 0, sets[i].games, &said);
            }
        recording_done(&recording);
    }
}

static void a_game_is_played_the_same_whatever_was_played_before(void **state)
{
    CLEANUP(buf_done) Buf all = {0};
    CLEANUP(buf_done) Buf last = {0};
    Recording recording = recording_read("default-15p.jsonl.gz");

    (void)state;
    for (SeatNo seat = 1; seat <= 15; seat += (SeatNo)sanitized_step(4)) {
        play(&recording, seat, "sample", 0, 3, &all);
        play(&recording, seat, "sample", 2, 1, &last);
        assert_true(last.len > 0 && all.len > last.len);
        assert_string_equal(all.bytes + all.len - last.len, last.bytes);
    }
    recording_done(&recording);
}

static void lines_that_are_no_packets_say_what_they_are(void **state)
{
    static const struct {
        const char *line;
        ErrCode code;
        const char *about;
    } cases[] = {
        {"", ERR_SYNTAX, "not JSON"},
        {"GET / HTTP/1.1", ERR_SYNTAX, "not JSON"},
        {"{}", ERR_SYNTAX, "request"},
        {"[1]", ERR_SYNTAX, "request"},
        {"{\"request\":\"SING\"}", ERR_SYNTAX, "SING"},
        {"{\"request\":\"VOTE\"}", ERR_SYNTAX, "VOTE before any INITIALIZE"},
        {"{\"request\":\"INITIALIZE\"}", ERR_SYNTAX, "gameInfo"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        AiwolfBot *bot = bot_of("sample", 1);
        Str answer = STR("untouched");
        Err err = {0};

        assert_int_equal(aiwolf_bot_line(bot, str_of(cases[i].line), 0, &answer, &err),
                         cases[i].code);
        if (!strstr(err.msg, cases[i].about))
            fail_msg("'%s' gives: %s", cases[i].line, err.msg);
        assert_true(str_eq(answer, STR("untouched")));
        assert_false(aiwolf_bot_finished(bot));
        aiwolf_bot_free(bot);
    }
}

static void a_name_is_one_line(void **state)
{
    const AiwolfBotPlan plan = {.kind = bot_kind(STR("random")), .name = "a\nb\r"};
    AiwolfBot *bot = NULL;

    (void)state;
    assert_int_equal(aiwolf_bot_new(&plan, &bot, NULL), 0);
    assert_int_equal(aiwolf_bot_last(bot), AIWOLF_REQUEST_COUNT);
    assert_true(str_eq(line_to(bot, STR("{\"request\":\"NAME\"}")), STR("a b \n")));
    assert_true(str_eq(line_to(bot, STR("{\"request\":\"ROLE\"}")), STR("none\n")));
    aiwolf_bot_free(bot);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(answers_fit_what_the_reference_server_asks),
        cmocka_unit_test(a_game_is_played_the_same_whatever_was_played_before),
        cmocka_unit_test(lines_that_are_no_packets_say_what_they_are),
        cmocka_unit_test(a_name_is_one_line),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
