/* test_opinions.c - what models think while a round is played gets to nobody but the record: whole
 * sessions in simulated time, with words in every opinion that stand nowhere else.
 *
 * Source: docs/spec/models.md 3, 5 (L5). */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "llm_script.h"

#include "maw/maw_table.h"
#include "maw/session_replay.h"
#include "wire/json_read.h"

#define MODELS  5
#define SECOND  ((TimeUs)1000 * 1000)
#define PLANTED "Quuxword"

typedef struct Run {
    Alarms alarms;
    LlmScript script;
    LlmEndpoint *endpoint;
    MawTable *table;
    MawPlayer *person;
    Buf record;
    Buf heard;         /* what the person and who watches were told, by lines */
    size_t planted;    /* words that were put into opinions */
    uint32_t parallel; /* requests at a time; 0: one for each seat */
    bool loose;        /* answers of which no opinion can be read */
    bool steady;       /* the same request is answered the same */
} Run;

static Run *run_of(LlmScript *script)
{
    return (Run *)(void *)((char *)script - offsetof(Run, script));
}

static bool asks_for_opinion(const char *body)
{
    return strstr(body, "how sure are you") != NULL;
}

static uint64_t digest_of(const char *body)
{
    uint64_t digest = 14695981039346656037u;

    for (; *body; body++)
        digest = (digest ^ (unsigned char)*body) * 1099511628211u;
    return digest;
}

/* No request has a word of an opinion in it, also not of the model's own. */
static void answer(LlmScript *script, const char *body, size_t number, LlmScriptAnswer *ret)
{
    Run *run = run_of(script);

    assert_null(strstr(body, PLANTED));
    if (run->steady) { /* its chance is the request's own */
        number = 7;
        script->rng = rng_new(digest_of(body));
    }
    Str target = llm_script_target(script, body);

    ret->after = SECOND / 2 + rng_below(&script->rng, 2000) * 1000;
    if (asks_for_opinion(body)) {
        snprintf(ret->say, sizeof(ret->say),
                 "{\"thought\":\"" PLANTED "%zu\",\"action\":\"vote\",\"target\":\"%.*s\","
                 "\"message\":\"" PLANTED "\",\"reason\":\"%s " PLANTED "\"}",
                 number, STR_ARG(target),
                 run->loose   ? "rather"
                 : number % 2 ? "80"
                              : "35 %");
        run->planted++;
    } else if (target.len && rng_below(&script->rng, 3) == 0) {
        snprintf(ret->say, sizeof(ret->say),
                 "{\"action\":\"vote\",\"target\":\"%.*s\",\"reason\":\"number %zu\"}",
                 STR_ARG(target), number);
    } else {
        snprintf(ret->say, sizeof(ret->say),
                 "{\"action\":\"speak\",\"message\":\"Thought %zu is worth %u of that.\"}", number,
                 rng_below(&script->rng, 1000));
    }
}

/* ---- who listens ---- */

static void on_event(void *user, Str json)
{
    Run *run = user;

    buf_add(&run->record, json);
    buf_add_char(&run->record, '\n');
}

static void hear(Run *run, Str text)
{
    buf_add(&run->heard, text);
    buf_add_char(&run->heard, '\n');
}

static void on_news(void *user, const MawNews *news, TimeUs now)
{
    Run *run = user;

    buf_printf(&run->heard, "%lld %d ", (long long)now, news->kind);
    hear(user, news->name);
    hear(user, news->text);
}

static void on_heard(void *user, uint32_t round, const Event *event, TimeUs now)
{
    (void)round, (void)now;
    if (event->talk)
        hear(user, event->talk->text);
}

static void on_said(void *user, uint32_t round, const DocSaid *said, TimeUs now)
{
    (void)round, (void)now;
    hear(user, said->text);
}

static void on_fault(void *user, uint32_t round, const Fault *fault, TimeUs now)
{
    (void)round, (void)now;
    hear(user, str_of(fault->request));
}

static void on_notice(void *user, uint32_t round, Str text, TimeUs now)
{
    (void)round, (void)now;
    hear(user, text);
}

static void on_note(void *user, Str line)
{
    hear(user, line);
}

/* ---- a session ---- */

static void open_run(Run *run, uint64_t seed, LlmOpinions when)
{
    const LlmEndpointSetup endpoint = {.url = "http://nowhere.test/v1",
                                       .model = "m1",
                                       .temperature = -1,
                                       .parallel = run->parallel ? run->parallel : MODELS};
    Ruleset rules;
    Err err = {0};

    run->script = (LlmScript){.alarms = &run->alarms, .answer = answer, .rng = rng_new(seed)};
    assert_int_equal(ruleset_preset(STR("maw"), &rules, NULL), 0);
    MawTableSetup setup = {.rules = &rules,
                           .options = maw_options_default(),
                           .id = STR("test"),
                           .domain = STR("maw.test"),
                           .chance = maw_chance_of_seed(seed),
                           .pace = maw_pace(&rules, false),
                           .alarms = &run->alarms,
                           .watcher = {.heard = on_heard,
                                       .learnt = on_heard,
                                       .said = on_said,
                                       .fault = on_fault,
                                       .notice = on_notice,
                                       .user = run},
                           .event = on_event,
                           .note = on_note,
                           .user = run};
    setup.options.players = MODELS + 1;
    setup.options.opinions = when;
    if (llm_endpoint_new(&run->alarms, llm_script_carrier(&run->script), &endpoint, &run->endpoint,
                         &err) ||
        maw_table_new(&setup, &run->table, &err))
        fail_msg("%s", err.msg);
    const MawModel model = {.endpoint = run->endpoint, .language = LLM_ENGLISH};
    for (unsigned i = 0; i < MODELS; i++)
        assert_int_equal(maw_table_add_model(run->table, &model, NULL), 0);
    assert_int_equal(maw_table_add_player(run->table, STR("Zed"), on_news, run, &run->person, NULL),
                     0);
}

static void close_run(Run *run)
{
    maw_table_free(run->table);
    llm_endpoint_free(run->endpoint);
    assert_int_equal(run->script.open, 0);
    buf_done(&run->record);
    buf_done(&run->heard);
}

static void play(Run *run, uint64_t seed, LlmOpinions when)
{
    Err err = {0};

    open_run(run, seed, when);
    if (maw_table_play(run->table, &err))
        fail_msg("%s", err.msg);
    assert_true(maw_session_over(maw_table_session(run->table)));
}

static size_t count(const Run *run, const char *part)
{
    size_t times = 0;

    for (const char *at = buf_cstr(&run->record); (at = strstr(at, part)); at++)
        times++;
    return times;
}

/* ---- the record, read anew ---- */

typedef struct Roles {
    char names[32][64];
    bool wolves[32];
    size_t count;
} Roles;

static void read_roles(const json_t *start, Roles *roles)
{
    const json_t *players = json_get(start, "players");

    roles->count = 0;
    for (size_t i = 0; i < json_count(players); i++) {
        const json_t *player = json_at(players, i);
        snprintf(roles->names[i], sizeof(roles->names[i]), "%.*s",
                 STR_ARG(json_text(player, "name")));
        roles->wolves[i] = str_eq(json_text(player, "role"), STR("Werewolf"));
        roles->count++;
    }
}

static bool is_wolf(const Roles *roles, Str name)
{
    for (size_t i = 0; i < roles->count; i++)
        if (str_eq(str_of(roles->names[i]), name))
            return roles->wolves[i];
    fail_msg("nobody is called %.*s", STR_ARG(name));
    return false;
}

/* The mean of (p - o)^2 of all villagers' opinions of a record, and how many they are. Each word
 * that was planted stands in an opinion. */
static double brier_of(const Run *run, uint64_t *ret_count)
{
    Str rest = buf_str(&run->record);
    Roles roles = {0};
    double sum = 0;
    size_t at;

    *ret_count = 0;
    while (rest.len) {
        Str line = str_cut(&rest, '\n');
        json_t *event = NULL;
        int64_t sure;
        assert_int_equal(json_read(line, MAW_RECORD_LINE_MAX, &event, NULL), 0);
        const json_t *opinion = json_get(event, "decision");
        bool is_opinion = str_eq(json_text(event, "event"), STR("opinion"));
        if (str_eq(json_text(event, "event"), STR("start_game")))
            read_roles(event, &roles);
        if (!is_opinion && str_find(line, STR(PLANTED), &at))
            fail_msg("%.*s", STR_ARG(line));
        if (is_opinion && json_as_int(json_get(opinion, "sure"), &sure) &&
            !is_wolf(&roles, json_text(event, "name"))) {
            double p = (double)sure / 100, o = is_wolf(&roles, json_text(opinion, "target"));
            assert_non_null(json_get(opinion, "lines_said"));
            sum += (p - o) * (p - o);
            ++*ret_count;
        }
        json_done(event);
    }
    return *ret_count ? sum / (double)*ret_count : 0;
}

/* ---- tests ---- */

static void opinions_get_to_nobody_but_the_record(void **state)
{
    static const LlmOpinions whens[] = {OPINIONS_LINE, OPINIONS_DAY};
    size_t planted[2] = {0};
    (void)state;

    for (unsigned n = 0; n < 12; n++) {
        MawReplayVerdict verdict = {0};
        Run run = {0};
        play(&run, 40 + n, whens[n % 2]);
        planted[n % 2] += run.planted;
        assert_true(run.planted > 3);
        assert_true(run.heard.len > 1000);
        assert_null(strstr(buf_cstr(&run.heard), PLANTED));
        uint64_t counted;
        brier_of(&run, &counted);
        assert_true(count(&run, PLANTED) > run.planted);
        assert_int_equal(maw_record_replay(buf_str(&run.record), &verdict, NULL), 0);
        if (!verdict.ok)
            fail_msg("line %u: %s", verdict.line, verdict.reason);
        close_run(&run);
    }
    assert_true(planted[0] > 2 * planted[1]); /* between lines, and once a day */
}

/* The lines of a record that others than its keeper could have part in. */
static void write_open(const Run *run, Buf *out)
{
    Str rest = buf_str(&run->record);
    size_t at;

    while (rest.len) {
        const Str line = str_cut(&rest, '\n');
        if (str_find(line, STR("\"event\":\"opinion\""), &at) ||
            str_find(line, STR("\"event\":\"session\""), &at) ||
            str_find(line, STR("\"event\":\"figures\""), &at))
            continue;
        buf_add(out, line);
        buf_add_char(out, '\n');
    }
}

static void assert_same_lines(Str with, Str without)
{
    for (unsigned number = 1; with.len || without.len; number++) {
        const Str one = str_cut(&with, '\n'), other = str_cut(&without, '\n');
        if (!str_eq(one, other))
            fail_msg("line %u: with opinions '%.*s', without '%.*s'", number, STR_ARG(one),
                     STR_ARG(other));
    }
}

/* With opinions and without a session is the same, in each line and each moment: nobody can see
 * that there are any. */
static void opinions_change_nothing_that_anybody_sees(void **state)
{
    static const LlmOpinions whens[] = {OPINIONS_LINE, OPINIONS_DAY};
    size_t planted = 0;
    (void)state;

    for (unsigned n = 0; n < 12; n++) {
        CLEANUP(buf_done) Buf one = {0};
        CLEANUP(buf_done) Buf other = {0};
        Run with = {.steady = true, .parallel = n % 4 == 3 ? 2 : 0};
        Run without = {.steady = true, .parallel = with.parallel};
        play(&with, 60 + n, whens[n % 2]);
        play(&without, 60 + n, OPINIONS_OFF);
        planted += with.planted;
        assert_int_equal(without.planted, 0);
        assert_true(with.heard.len > 1000);
        assert_same_lines(buf_str(&with.heard), buf_str(&without.heard));
        write_open(&with, &one);
        write_open(&without, &other);
        assert_same_lines(buf_str(&one), buf_str(&other));
        close_run(&with);
        close_run(&without);
    }
    assert_true(planted > 100);
}

static void the_score_is_that_of_the_records_opinions(void **state)
{
    OpinionScore score;
    uint64_t counted;
    Str model;
    Run run = {0};
    (void)state;

    play(&run, 7, OPINIONS_LINE);
    double brier = brier_of(&run, &counted);
    assert_true(counted > 5);
    assert_true(maw_table_opinions(run.table, 0, &model, &score));
    assert_true(str_eq(model, STR("m1")));
    assert_int_equal(score.count, counted);
    assert_true(fabs(opinion_score_brier(&score) - brier) < 1e-9);
    assert_false(maw_table_opinions(run.table, 1, &model, &score));
    close_run(&run);
}

static void an_answer_without_a_number_is_no_opinion_and_no_decision(void **state)
{
    OpinionScore score;
    LlmFigures figures;
    Str model;
    Run run = {.loose = true};
    (void)state;

    play(&run, 7, OPINIONS_LINE);
    assert_true(run.planted > 3);
    assert_true(count(&run, "\"event\":\"opinion\"") >= run.planted / 2);
    assert_true(maw_table_opinions(run.table, 0, &model, &score));
    assert_int_equal(score.count, 0);
    assert_true(maw_table_figures(run.table, &figures));
    assert_int_equal(figures.repairs, 0);
    assert_int_equal(figures.fallbacks,
                     count(&run, "\"event\":\"decision\"") - count(&run, "\"source\":\"model\""));
    close_run(&run);
}

/* Who is asked beside the game never makes others wait for a place. */
static void a_busy_server_is_not_asked(void **state)
{
    Run busy = {.parallel = 1}, idle = {0};
    (void)state;

    play(&busy, 7, OPINIONS_LINE);
    play(&idle, 7, OPINIONS_LINE);
    assert_true(count(&busy, "not asked: the server is busy") > 3);
    assert_true(busy.planted > 0);
    assert_int_equal(count(&idle, "not asked: the server is busy"), 0);
    close_run(&busy);
    close_run(&idle);
}

static void without_the_option_nobody_is_asked(void **state)
{
    Run run = {0};
    (void)state;

    play(&run, 7, OPINIONS_OFF);
    assert_int_equal(run.planted, 0);
    assert_int_equal(count(&run, "opinion"), 0);
    close_run(&run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(opinions_get_to_nobody_but_the_record),
        cmocka_unit_test(opinions_change_nothing_that_anybody_sees),
        cmocka_unit_test(the_score_is_that_of_the_records_opinions),
        cmocka_unit_test(an_answer_without_a_number_is_no_opinion_and_no_decision),
        cmocka_unit_test(a_busy_server_is_not_asked),
        cmocka_unit_test(without_the_option_nobody_is_asked),
    };

    return cmocka_run_group_tests_name("opinions of models", tests, NULL, NULL);
}
