/* A model player in simulated time: when it decides, what it remembers, what it forgets. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "llm_script.h"

#include "llm/context.h"
#include "llm/seat.h"

#define SECOND 1000000

typedef struct Play {
    Alarms alarms;
    TimeUs now;
    LlmScript script;
    LlmEndpoint *endpoint;
    LlmSeat *seat;
    LlmScene scene;
    const char *say; /* what the server answers; NULL: an answer comes after a minute */
    unsigned status; /* of the answers */
    TimeUs after;    /* how long they take */
    Buf asked;       /* the last request */
    Buf record;      /* the last one */
    LlmDecision decision;
    LlmSource source;
    TimeUs when;
    int decided;
    int checks;
} Play;

static void answer_request(LlmScript *script, const char *body, size_t number, LlmScriptAnswer *ret)
{
    Play *play = (Play *)(void *)((char *)script - offsetof(Play, script));

    (void)number;
    buf_clear(&play->asked);
    buf_add(&play->asked, str_of(body));
    ret->after = play->say ? play->after : 60 * (TimeUs)SECOND;
    ret->status = play->status;
    snprintf(ret->say, sizeof(ret->say), "%s", play->say ? play->say : "");
}

static void keep_record(void *user, Str json, TimeUs now)
{
    Play *play = user;

    (void)now;
    buf_clear(&play->record);
    buf_add(&play->record, json);
}

static void keep_decision(void *user, const LlmDecision *decision, LlmSource source, TimeUs now)
{
    Play *play = user;

    play->decided++;
    play->decision = *decision;
    play->source = source;
    play->when = now;
}

/* Nobody may vote for Cy. */
static int check_decision(void *user, const LlmScene *scene, const LlmDecision *decision, Err *err)
{
    Play *play = user;

    (void)scene;
    play->checks++;
    return strcmp(decision->target, "Cy") == 0 ? err_set(err, ERR_RULE, "not Cy") : 0;
}

static Play *play_begin(bool model, uint32_t window)
{
    static const char *const names[] = {"Ann", "Bo", "Cy"};
    Play *play = mem_new(sizeof(*play));

    play->now = 5 * (TimeUs)SECOND;
    play->script =
        (LlmScript){.alarms = &play->alarms, .answer = answer_request, .rng = rng_new(1)};
    play->say = "{\"action\":\"listen\"}";
    const LlmEndpointSetup setup = {
        .url = "http://localhost:1/v1", .model = "m1", .temperature = -1, .seed = 1};
    if (model)
        assert_int_equal(llm_endpoint_new(&play->alarms, llm_script_carrier(&play->script), &setup,
                                          &play->endpoint, NULL),
                         0);
    const LlmSeatSetup seat = {.endpoint = play->endpoint,
                               .window = window,
                               .seed = 3,
                               .unix_ms_at_zero = 1700000000000,
                               .record = keep_record,
                               .user = play,
                               .check = check_decision,
                               .check_user = play};
    assert_int_equal(llm_seat_new(&play->alarms, &seat, &play->seat, NULL), 0);
    play->scene = (LlmScene){.task = TASK_ROOM,
                             .me = STR("Ann"),
                             .role = STR("Villager"),
                             .side = SIDE_VILLAGER,
                             .maw = true,
                             .wolves = 1,
                             .day = 2,
                             .seconds_left = 100,
                             .seed = 5};
    for (uint32_t i = 0; i < 3; i++) {
        play->scene.seats[i] = (LlmSeatSeen){.name = str_of(names[i]), .alive = true};
        play->scene.seat_count++;
        if (i)
            play->scene.targets[play->scene.target_count++] = str_of(names[i]);
    }
    return play;
}

static void play_end(Play *play)
{
    llm_seat_free(play->seat);
    llm_endpoint_free(play->endpoint);
    assert_int_equal(play->script.open, 0);
    buf_done(&play->asked);
    buf_done(&play->record);
    mem_free(play);
}

/* Asks, and plays until it has decided; returns how long that took. */
static TimeUs ask_within(Play *play, TimeUs within)
{
    TimeUs start = play->now;
    int before = play->decided;

    assert_int_equal(
        llm_seat_ask(play->seat, &play->scene, start, start + within, keep_decision, play, NULL),
        0);
    assert_true(llm_seat_busy(play->seat));
    while (play->decided == before)
        assert_true(alarms_play(&play->alarms, &play->now));
    assert_false(llm_seat_busy(play->seat));
    assert_int_equal(play->decided, before + 1);
    return play->when - start;
}

static void has_asked(const Play *play, const char *part, bool wanted)
{
    if ((strstr(buf_cstr(&play->asked), part) != NULL) != wanted)
        fail_msg("%s '%s' in: %s", wanted ? "no" : "a", part, buf_cstr(&play->asked));
}

/* ---- when ---- */

static void a_rule_decides_a_tenth_of_the_time_before_the_end_at_most_two_seconds(void **state)
{
    static const struct {
        TimeUs within;
        TimeUs latest;
    } cases[] = {
        {10 * SECOND, 9 * SECOND},  {20 * SECOND, 18 * SECOND}, {40 * SECOND, 38 * SECOND},
        {60 * SECOND, 58 * SECOND}, {90 * SECOND, 58 * SECOND}, /* no question is open for longer */
    };
    (void)state;

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        Play *play = play_begin(true, 0);
        play->say = NULL;
        assert_in_range(ask_within(play, cases[i].within), cases[i].latest,
                        cases[i].latest + cases[i].within / 20);
        assert_int_equal(play->source, SOURCE_FALLBACK);
        assert_non_null(strstr(buf_cstr(&play->record), "\"outcome\":\"unreachable\""));
        play_end(play);
    }
}

static void what_has_no_time_left_is_decided_at_once(void **state)
{
    Play *play = play_begin(true, 0);
    (void)state;

    assert_int_equal(ask_within(play, 0), 0);
    assert_int_equal(play->source, SOURCE_FALLBACK);
    assert_int_equal(ask_within(play, -SECOND), 0);
    play_end(play);
}

static void the_demo_model_thinks_a_while_but_half_of_the_time_at_most(void **state)
{
    Play *play = play_begin(false, 0);
    TimeUs least = TIME_US_NEVER, most = 0;
    (void)state;

    for (int i = 0; i < 200; i++) {
        TimeUs took = ask_within(play, 60 * SECOND);
        least = took < least ? took : least;
        most = took > most ? took : most;
        assert_int_equal(play->source, SOURCE_DEMO);
    }
    assert_in_range(least, 200000, 230000);
    assert_in_range(most, 1170000, 1200000);
    assert_int_equal(ask_within(play, 200000), 90000); /* half of what the tenth leaves */
    play_end(play);
}

/* ---- what is told of it ---- */

static void a_decision_is_recorded_word_by_word(void **state)
{
    Play *play = play_begin(true, 0);
    (void)state;

    play->say = "{\"thought\":\"t\",\"action\":\"vote\",\"target\":\"Bo\",\"reason\":\"odd\"}";
    play->after = 1250000;
    play->scene.task = TASK_VOTE;
    llm_seat_phase(play->seat, 3, 8);
    assert_int_equal(ask_within(play, 10 * SECOND), 1250000);
    assert_string_equal(
        buf_cstr(&play->record),
        "{\"type\":\"decision\",\"round\":3,\"phase_no\":8,\"name\":\"Ann\",\"task\":\"vote\","
        "\"source\":\"model\",\"action\":\"vote\",\"target\":\"Bo\",\"reason\":\"odd\","
        "\"thought\":\"t\",\"took_ms\":1250,\"requests\":1,\"retries\":0,\"tries\":1,"
        "\"latency_ms\":1250,\"tokens\":{\"prompt\":100,\"cached\":0,\"reasoning\":0,"
        "\"answer\":20},\"outcome\":\"answered\","
        "\"answer\":\"{\\\"thought\\\":\\\"t\\\",\\\"action\\\":\\\"vote\\\",\\\"target\\\":"
        "\\\"Bo\\\",\\\"reason\\\":\\\"odd\\\"}\"}");
    play_end(play);
}

static void each_task_is_recorded_by_its_name(void **state)
{
    static const char *const names[] = {
        [TASK_ROOM] = "room",     [TASK_TALK] = "talk",     [TASK_WHISPER] = "whisper",
        [TASK_VOTE] = "vote",     [TASK_DIVINE] = "divine", [TASK_GUARD] = "guard",
        [TASK_ATTACK] = "attack",
    };
    Play *play = play_begin(true, 0);
    (void)state;

    play->scene.maw = false;
    for (size_t task = 0; task < sizeof(names) / sizeof(names[0]); task++) {
        char part[40];
        play->scene.task = (LlmTask)task;
        play->say = task >= TASK_VOTE ? "{\"action\":\"vote\",\"target\":\"Bo\"}"
                                      : "{\"action\":\"listen\"}";
        ask_within(play, 10 * SECOND);
        assert_int_equal(play->source, SOURCE_MODEL);
        snprintf(part, sizeof(part), "\"task\":\"%s\",", names[task]);
        assert_non_null(strstr(buf_cstr(&play->record), part));
    }
    play_end(play);
}

static void why_a_rule_decided_is_kept(void **state)
{
    Play *play = play_begin(true, 0);
    LlmFigures figures;
    (void)state;

    play->status = 401;
    ask_within(play, 10 * SECOND);
    assert_int_equal(play->source, SOURCE_FALLBACK);
    assert_non_null(strstr(buf_cstr(&play->record), "\"outcome\":\"denied\""));
    llm_seat_figures(play->seat, &figures);
    assert_int_equal(figures.fallbacks, 1);
    assert_int_equal(figures.listens, 1);
    assert_true(figures.trouble[0] != '\0');
    play_end(play);
}

static void what_the_game_forbids_is_repaired_by_the_model(void **state)
{
    Play *play = play_begin(true, 0);
    LlmFigures figures;
    (void)state;

    play->say = "{\"action\":\"vote\",\"target\":\"Cy\"}";
    play->scene.task = TASK_VOTE;
    ask_within(play, 10 * SECOND);
    assert_int_equal(play->checks, 2);
    assert_int_equal(play->source, SOURCE_FALLBACK);
    has_asked(play, "not Cy", true);
    has_asked(play, "Allowed values of target: Bo, Cy.", true);
    llm_seat_figures(play->seat, &figures);
    assert_true(figures.repairs == 1 && figures.requests == 2 && figures.fallbacks == 1 &&
                figures.prompt_tokens == 200 && figures.answer_tokens == 40);
    play_end(play);
}

/* ---- what it has said ---- */

static void say_line(Play *play, const char *line, bool said)
{
    static char text[200];

    snprintf(text, sizeof(text), "{\"action\":\"speak\",\"message\":\"%s\"}", line);
    play->say = text;
    ask_within(play, 10 * SECOND);
    assert_int_equal(play->decision.action, said ? LLM_SPEAK : LLM_LISTEN);
    assert_string_equal(play->decision.message, said ? line : "");
}

static void the_last_five_lines_are_not_said_again(void **state)
{
    static const char *const lines[] = {
        "Bo asks far too many questions.",    "Yesterday Cy changed its mind twice.",
        "My vote goes to nobody so far.",     "Where was everybody last night?",
        "Let us hear the seer this morning.", "A wolf would keep quiet like that."};
    Play *play = play_begin(true, 0);
    LlmFigures figures;
    (void)state;

    for (size_t i = 0; i < 5; i++)
        say_line(play, lines[i], true);
    for (size_t i = 0; i < 5; i++)
        say_line(play, lines[i], false);
    assert_non_null(strstr(buf_cstr(&play->record), "\"suppressed\":\"repeat\""));
    say_line(play, lines[5], true);
    say_line(play, lines[1], false);
    say_line(play, lines[0], true); /* the oldest went */
    say_line(play, lines[1], true);
    say_line(play, lines[5], false);
    llm_seat_figures(play->seat, &figures);
    assert_int_equal(figures.suppressed, 7);
    assert_int_equal(figures.lines, 8);
    llm_seat_new_round(play->seat, STR("Round 1: the village has won."));
    say_line(play, lines[5], true);
    play_end(play);
}

/* ---- what it hears ---- */

static void talk_goes_before_facts_when_there_is_too_much_of_it(void **state)
{
    Play *play = play_begin(true, 100000);
    (void)state;

    llm_seat_hear(play->seat, STR("fact-one happened."), true);
    llm_seat_hear(play->seat, STR("talk-one was said."), false);
    llm_seat_hear(play->seat, STR("talk-two was said."), false);
    for (int i = 0; i < 253; i++)
        llm_seat_hear(play->seat, STR("and so on."), true);
    ask_within(play, 10 * SECOND);
    has_asked(play, "talk-one", true);
    play_end(play);

    play = play_begin(true, 100000);
    llm_seat_hear(play->seat, STR("fact-one happened."), true);
    llm_seat_hear(play->seat, STR("talk-one was said."), false);
    llm_seat_hear(play->seat, STR("talk-two was said."), false);
    for (int i = 0; i < 254; i++)
        llm_seat_hear(play->seat, STR("and so on."), true);
    ask_within(play, 10 * SECOND);
    has_asked(play, "fact-one", true);
    has_asked(play, "talk-one", false);
    has_asked(play, "talk-two", true);
    play_end(play);

    play = play_begin(true, 100000);
    llm_seat_hear(play->seat, STR("fact-one happened."), true);
    llm_seat_hear(play->seat, STR("fact-two happened."), true);
    for (int i = 0; i < 255; i++)
        llm_seat_hear(play->seat, STR("and so on."), true);
    ask_within(play, 10 * SECOND);
    has_asked(play, "fact-one", false);
    has_asked(play, "fact-two", true);
    play_end(play);
}

static void what_comes_while_it_thinks_is_read_the_next_time(void **state)
{
    Play *play = play_begin(true, 0);
    (void)state;

    llm_seat_hear(play->seat, STR("heard-before."), false);
    play->after = SECOND;
    assert_int_equal(llm_seat_ask(play->seat, &play->scene, play->now, play->now + 10 * SECOND,
                                  keep_decision, play, NULL),
                     0);
    llm_seat_hear(play->seat, STR("heard-meanwhile."), false);
    while (!play->decided)
        assert_true(alarms_play(&play->alarms, &play->now));
    has_asked(play, "heard-meanwhile", false);
    ask_within(play, 10 * SECOND);
    has_asked(play, "heard-before.", true);
    has_asked(play, "heard-meanwhile.", true);
    has_asked(play, "It has been quiet for a while.", false);
    ask_within(play, 10 * SECOND);
    has_asked(play, "It has been quiet for a while.", true);
    play_end(play);
}

static void forgotten_news_are_never_read_and_a_question_ends(void **state)
{
    Play *play = play_begin(true, 0);
    (void)state;

    llm_seat_hear(play->seat, STR("heard-before."), false);
    assert_int_equal(llm_seat_ask(play->seat, &play->scene, play->now, play->now + 10 * SECOND,
                                  keep_decision, play, NULL),
                     0);
    llm_seat_forget_news(play->seat);
    assert_false(llm_seat_busy(play->seat));
    while (alarms_play(&play->alarms, &play->now)) {
    }
    assert_int_equal(play->decided, 0);
    llm_seat_hear(play->seat, STR("heard-behind."), false);
    ask_within(play, 10 * SECOND);
    has_asked(play, "heard-before", false);
    has_asked(play, "heard-behind.", true);
    llm_seat_hear(play->seat, STR("of the last round."), false);
    llm_seat_new_round(play->seat, STR("Round 1: the village has won."));
    ask_within(play, 10 * SECOND);
    has_asked(play, "of the last round", false);
    has_asked(play, "heard-behind", false);
    has_asked(play, "Round 1: the village has won.", true);
    play_end(play);
}

static void its_memory_is_its_own(void **state)
{
    Play *play = play_begin(true, 0);
    CLEANUP(buf_done) Buf out = {0};
    (void)state;

    llm_seat_hear(play->seat, STR("Bo: hello"), false);
    ask_within(play, 10 * SECOND);
    llm_context_write(llm_seat_context(play->seat), STR("G"), STR("N"), STR(""), &out);
    assert_non_null(strstr(buf_cstr(&out), "Bo: hello"));
    play_end(play);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_rule_decides_a_tenth_of_the_time_before_the_end_at_most_two_seconds),
        cmocka_unit_test(what_has_no_time_left_is_decided_at_once),
        cmocka_unit_test(the_demo_model_thinks_a_while_but_half_of_the_time_at_most),
        cmocka_unit_test(a_decision_is_recorded_word_by_word),
        cmocka_unit_test(each_task_is_recorded_by_its_name),
        cmocka_unit_test(why_a_rule_decided_is_kept),
        cmocka_unit_test(what_the_game_forbids_is_repaired_by_the_model),
        cmocka_unit_test(the_last_five_lines_are_not_said_again),
        cmocka_unit_test(talk_goes_before_facts_when_there_is_too_much_of_it),
        cmocka_unit_test(what_comes_while_it_thinks_is_read_the_next_time),
        cmocka_unit_test(forgotten_news_are_never_read_and_a_question_ends),
        cmocka_unit_test(its_memory_is_its_own),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
