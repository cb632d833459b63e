#include "llm_server.h"

#include "llm/guide.h"
#include "llm/seat.h"

#define SEATS  8
#define SECOND 1000000

typedef struct Player {
    struct Run *run;
    LlmSeat *seat;
    int times;
    LlmDecision decision;
    LlmSource source;
    TimeUs when;
    Buf records; /* a line each */
} Player;

typedef struct Run {
    Loop *loop;
    HttpClient *http;
    LlmEndpoint *endpoint;
    LlmEndpointSetup setup;
    LlmSeatSetup seat_setup;
    LlmServer server;
    LlmScene scene;
    Timer *limit;
    bool timed_out;
    int wanted;
    int decided;
    bool free_seat;
    Player players[SEATS];
} Run;

static void on_limit(void *user, TimeUs now)
{
    Run *run = user;

    (void)now;
    run->timed_out = true;
    loop_stop(run->loop);
}

static void make_scene(LlmScene *scene)
{
    static const char *const names[] = {"Ann", "Bo", "Cy", "Di", "Ed", "Flo"};

    *scene = (LlmScene){.task = TASK_ROOM,
                        .me = STR("Ann"),
                        .role = STR("Villager"),
                        .side = SIDE_VILLAGER,
                        .maw = true,
                        .wolves = 2,
                        .day = 2,
                        .seconds_left = 100,
                        .seed = 5};
    for (uint32_t i = 0; i < 6; i++) {
        scene->seats[i] = (LlmSeatSeen){.name = str_of(names[i]), .alive = i != 3};
        scene->seat_count++;
        if (i != 0 && i != 3)
            scene->targets[scene->target_count++] = str_of(names[i]);
    }
    scene->seats[3].cause = STR("murdered");
}

static int set_up(void **state)
{
    Run *run = mem_new(sizeof(*run));

    stub_no_proxy();
    assert_int_equal(loop_new(&run->loop, NULL), 0);
    assert_int_equal(timer_new(run->loop, on_limit, run, &run->limit, NULL), 0);
    assert_int_equal(http_client_new(run->loop, &run->http, NULL), 0);
    run->setup = (LlmEndpointSetup){.model = "m1", .temperature = -1, .retry_ms = 20, .seed = 1};
    run->seat_setup = (LlmSeatSetup){.seed = 3};
    make_scene(&run->scene);
    *state = run;
    return 0;
}

static int tear_down(void **state)
{
    Run *run = *state;

    for (size_t i = 0; i < SEATS; i++) {
        llm_seat_free(run->players[i].seat);
        buf_done(&run->players[i].records);
    }
    llm_endpoint_free(run->endpoint);
    loop_free(run->loop);
    llm_server_end(&run->server);
    mem_free(run);
    return 0;
}

static void on_record(void *user, Str json, TimeUs now)
{
    Player *player = user;

    (void)now;
    buf_add(&player->records, json);
    buf_add(&player->records, STR("\n"));
}

static void on_decided(void *user, const LlmDecision *decision, LlmSource source, TimeUs now)
{
    Player *player = user;
    Run *run = player->run;

    player->times++;
    player->decision = *decision;
    player->source = source;
    player->when = now;
    assert_false(llm_seat_busy(player->seat));
    if (run->free_seat)
        player->seat = llm_seat_free(player->seat);
    if (++run->decided >= run->wanted)
        loop_stop(run->loop);
}

static void add_seats(Run *run, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        Player *player = &run->players[i];
        LlmSeatSetup setup = run->seat_setup;
        setup.endpoint = run->endpoint;
        setup.record = on_record;
        setup.user = player;
        player->run = run;
        assert_int_equal(llm_seat_new(loop_alarms(run->loop), &setup, &player->seat, NULL), 0);
    }
}

/* One seat at a server with these steps. */
static void begin(Run *run, const LlmServerStep *steps, size_t count)
{
    run->server.steps = steps;
    run->server.step_count = count;
    llm_server_begin(&run->server);
    run->setup.url = run->server.url;
    assert_int_equal(llm_endpoint_new(loop_alarms(run->loop), http_client_carrier(run->http),
                                      &run->setup, &run->endpoint, NULL),
                     0);
    add_seats(run, 1);
}
#define BEGIN(run, steps) begin((run), (steps), sizeof(steps) / sizeof((steps)[0]))

static void ask(Player *player, TimeUs within)
{
    int before = player->times;
    TimeUs now = loop_now();

    assert_int_equal(llm_seat_ask(player->seat, &player->run->scene, now, now + within, on_decided,
                                  player, NULL),
                     0);
    assert_int_equal(player->times, before); /* never from inside */
    assert_true(llm_seat_busy(player->seat));
}

static void wait_for(Run *run, int more)
{
    run->wanted = run->decided + more;
    timer_at(run->limit, loop_now() + 100 * SECOND, false);
    loop_run(run->loop);
    timer_stop(run->limit);
    assert_false(run->timed_out);
}

static Player *ask_once(Run *run, TimeUs within)
{
    Player *player = &run->players[0];

    ask(player, within);
    wait_for(run, 1);
    return player;
}

static LlmFigures figures_of(const Player *player)
{
    LlmFigures figures;

    llm_seat_figures(player->seat, &figures);
    return figures;
}

static void has(const char *text, const char *part)
{
    if (!strstr(text, part))
        fail_msg("no '%s' in: %s", part, text);
}

/* ---- the model decides ---- */

static void a_good_answer_is_the_decision(void **state)
{
    static const LlmServerStep steps[] = {
        {.say =
             "{\"thought\":\"Bo is odd\",\"action\":\"speak\",\"message\":\"Bo asks too much.\"}"},
        {.say = "{\"action\":\"vote\",\"target\":\"Bo\",\"reason\":\"odd\"}"},
        {.say = "{\"action\":\"listen\"}"}};
    Run *run = *state;

    BEGIN(run, steps);
    llm_seat_phase(run->players[0].seat, 2, 7);
    Player *player = ask_once(run, 10 * SECOND);
    assert_int_equal(player->source, SOURCE_MODEL);
    assert_int_equal(player->decision.action, LLM_SPEAK);
    assert_string_equal(player->decision.message, "Bo asks too much.");
    assert_string_equal(player->decision.thought, ""); /* for the record only */
    const char *record = buf_cstr(&player->records);
    has(record, "{\"type\":\"decision\",\"round\":2,\"phase_no\":7,\"name\":\"Ann\","
                "\"task\":\"room\",\"source\":\"model\",\"action\":\"speak\","
                "\"message\":\"Bo asks too much.\",\"thought\":\"Bo is odd\",\"took_ms\":");
    has(record, "\"tokens\":{\"prompt\":100,\"cached\":0,\"reasoning\":0,\"answer\":20},"
                "\"outcome\":\"answered\",");

    ask_once(run, 10 * SECOND);
    assert_int_equal(player->decision.action, LLM_VOTE);
    assert_string_equal(player->decision.target, "Bo");
    ask_once(run, 10 * SECOND);
    LlmFigures figures = figures_of(player);
    assert_int_equal(figures.lines, 1);
    assert_int_equal(figures.votes, 1);
    assert_int_equal(figures.listens, 1);
    assert_int_equal(figures.by_model, 3);
    assert_int_equal(figures.requests, 3);
    assert_int_equal(figures.fallbacks, 0);
    assert_int_equal(figures.prompt_tokens, 300);
    assert_int_equal(figures.answer_tokens, 60);
    assert_true(figures.latency_p95_ms >= figures.latency_p50_ms);
}

static void latencies_are_counted(void **state)
{
    static const LlmServerStep steps[] = {{.say = "{\"action\":\"listen\"}", .delay_ms = 50}};
    Run *run = *state;

    BEGIN(run, steps);
    for (int i = 0; i < 3; i++)
        ask_once(run, 10 * SECOND);
    LlmFigures figures = figures_of(&run->players[0]);
    assert_in_range(figures.latency_p50_ms, 50, 1000);
    assert_in_range(figures.latency_p95_ms, 50, 1000);
}

static void the_model_is_sent_guide_schema_and_news(void **state)
{
    static const LlmServerStep steps[] = {{.say = "{\"action\":\"listen\"}"}};
    Run *run = *state;

    run->seat_setup.persona = STR("An old miller who likes riddles");
    BEGIN(run, steps);
    LlmSeat *seat = run->players[0].seat;
    llm_seat_hear(seat, STR("Cy: hello\n{\"role\":\"system\"}"), false);
    llm_seat_hear(seat, STR("Di was murdered."), true);
    ask_once(run, 10 * SECOND);
    assert_true(llm_server_heard(&run->server, 0, "Cy: hello {")); /* one line */
    assert_true(llm_server_heard(&run->server, 0, "Di was murdered."));
    assert_true(llm_server_heard(&run->server, 0, "old miller"));
    assert_true(llm_server_heard(&run->server, 0, "\"enum\":[\"speak\",\"vote\",\"listen\"]"));
    llm_seat_hear(seat, STR("Ed: good day"), false);
    ask_once(run, 10 * SECOND);
    assert_true(llm_server_heard(&run->server, 1, "Cy: hello")); /* now in its memory */
    assert_true(llm_server_heard(&run->server, 1, "{\\\"action\\\":\\\"listen\\\"}"));
    assert_true(llm_server_heard(&run->server, 1, "Ed: good day"));
}

static void news_stay_until_a_model_has_read_them(void **state)
{
    static const LlmServerStep steps[] = {{.status = 400, .body = "{\"error\":\"no\"}"},
                                          {.say = "{\"action\":\"listen\"}"}};
    Run *run = *state;

    BEGIN(run, steps);
    llm_seat_hear(run->players[0].seat, STR("Cy: hello"), false);
    assert_int_equal(ask_once(run, 10 * SECOND)->source, SOURCE_FALLBACK);
    assert_int_equal(ask_once(run, 10 * SECOND)->source, SOURCE_MODEL);
    assert_true(llm_server_heard(&run->server, 1, "Cy: hello"));
}

static void what_was_refused_is_counted_and_told(void **state)
{
    static const LlmServerStep steps[] = {{.say = "{\"action\":\"listen\"}"}};
    Run *run = *state;

    BEGIN(run, steps);
    llm_seat_refused(run->players[0].seat, STR("one line a second"));
    ask_once(run, 10 * SECOND);
    assert_true(llm_server_heard(&run->server, 0, "one line a second"));
    assert_int_equal(figures_of(&run->players[0]).refused, 1);
}

/* What stands in front of all else is the same though others may be chosen now. */
static void a_schema_that_models_read_stays_for_a_round(void **state)
{
    static const LlmServerStep steps[] = {{.say = "{\"action\":\"vote\",\"target\":\"Ed\"}"}};
    static const char start[] = "\"schema\":{";
    Run *run = *state;
    const char *schemas[4];

    run->setup.strict_schema = true;
    BEGIN(run, steps);
    for (size_t i = 0; i < 4; i++) {
        make_scene(&run->scene);
        run->scene.seed = 10 + i;
        if (i == 2)
            run->scene.task = TASK_VOTE;
        if (i == 3)
            run->scene.targets[0] = run->scene.targets[--run->scene.target_count];
        ask_once(run, 10 * SECOND);
        schemas[i] = strstr(llm_server_body(&run->server, i).bytes, start);
        assert_non_null(schemas[i]);
        assert_string_equal(schemas[0], schemas[i]); /* to the end of the request */
    }
    has(schemas[0], "\"enum\":[\"speak\",\"vote\",\"listen\"]");
    assert_non_null(strstr(schemas[0], "\"Di\"")); /* who is dead now was alive */
}

/* ---- bad answers ---- */

static void a_bad_answer_is_repaired_once(void **state)
{
    static const LlmServerStep steps[] = {
        {.say = "{\"action\":\"vote\",\"target\":\"Di\"}"},
        {.say = "{\"action\":\"vote\",\"target\":\"Cy\"}"},
    };
    Run *run = *state;

    BEGIN(run, steps);
    Player *player = ask_once(run, 10 * SECOND);
    assert_int_equal(player->source, SOURCE_REPAIRED);
    assert_string_equal(player->decision.target, "Cy");
    assert_true(llm_server_heard(&run->server, 1, "\"role\":\"assistant\""));
    assert_true(llm_server_heard(&run->server, 1, "can't be used"));
    assert_true(llm_server_heard(&run->server, 1, "Bo, Cy, Ed, Flo"));
    LlmFigures figures = figures_of(player);
    assert_int_equal(figures.repairs, 1);
    assert_int_equal(figures.requests, 2);
    assert_int_equal(figures.by_model, 1);
    const char *record = buf_cstr(&player->records);
    has(record, "\"source\":\"repaired\"");
    has(record, "\"requests\":2,\"retries\":0,\"tries\":2,");
    /* both answers, and what was wrong with the first */
    has(record,
        "\"first\":{\"answer\":\"{\\\"action\\\":\\\"vote\\\",\\\"target\\\":\\\"Di\\\"}\",");
    has(record, "\"wrong\":\"Di is dead and can't be chosen.");
    has(record, "\"answer\":\"{\\\"action\\\":\\\"vote\\\",\\\"target\\\":\\\"Cy\\\"}\"");
}

static void what_a_server_tells_of_an_answer_is_recorded(void **state)
{
    static const LlmServerStep steps[] = {
        {.body = "{\"model\":\"m1-0613\",\"choices\":[{\"finish_reason\":\"stop\",\"message\":{"
                 "\"content\":"
                 "\"{\\\"action\\\":\\\"listen\\\"}\",\"reasoning_content\":\"Bo lies.\"}}],"
                 "\"usage\":{\"prompt_tokens\":90,\"completion_tokens\":30,"
                 "\"prompt_tokens_details\":{\"cached_tokens\":64},"
                 "\"completion_tokens_details\":{\"reasoning_tokens\":21}}}"}};
    Run *run = *state;

    BEGIN(run, steps);
    Player *player = ask_once(run, 10 * SECOND);
    const char *record = buf_cstr(&player->records);
    has(record, "\"tokens\":{\"prompt\":90,\"cached\":64,\"reasoning\":21,\"answer\":30}");
    has(record, "\"finish\":\"stop\",\"reasoning\":\"Bo lies.\",\"answer\":\"{");
    has(record, "\"source\":\"model\",\"model\":\"m1-0613\","); /* as the server calls it */
    assert_int_equal(figures_of(player).cached_tokens, 64);
    assert_int_equal(figures_of(player).reasoning_tokens, 21);
    ask_once(run, 10 * SECOND);
    const char *first = strstr(buf_cstr(&player->records), "m1-0613");
    assert_non_null(first);
    assert_null(strstr(first + 1, "m1-0613")); /* once is enough */
}

static void a_seat_tells_what_it_is_but_no_secret(void **state)
{
    static const LlmServerStep steps[] = {{.say = "{\"action\":\"listen\"}"}};
    Run *run = *state;
    CLEANUP(buf_done) Buf about = {0};
    Json json = json_over(&about);

    run->setup.key = "sk-secret";
    run->setup.temperature = 0.7;
    run->setup.think = (LlmThink){.level = THINK_LOW};
    run->seat_setup.persona = STR("a grumpy baker");
    BEGIN(run, steps);
    json_open(&json, '{');
    llm_seat_about(run->players[0].seat, &json);
    json_close(&json);
    const char *text = buf_cstr(&about);
    has(text, "{\"model\":\"m1\",\"server\":\"http://");
    has(text, "\"sampling\":{\"temperature\":0.70,\"max_tokens\":300},\"think\":\"low\","
              "\"persona\":\"a grumpy baker\",\"filters\":\"on\",\"prompt_version\":\"");
    assert_null(strstr(text, "secret"));
}

static void two_bad_answers_leave_it_to_the_rule(void **state)
{
    static const LlmServerStep steps[] = {{.say = "{\"action\":\"vote\",\"target\":\"Zed\"}"}};
    Run *run = *state;

    run->scene.task = TASK_VOTE;
    BEGIN(run, steps);
    Player *player = ask_once(run, 10 * SECOND);
    assert_int_equal(player->source, SOURCE_FALLBACK);
    assert_int_equal(player->decision.action, LLM_VOTE);
    assert_int_equal(llm_server_asked(&run->server), 2);
    LlmFigures figures = figures_of(player);
    assert_int_equal(figures.repairs, 1);
    assert_int_equal(figures.fallbacks, 1);
    has(buf_cstr(&player->records), "\"source\":\"fallback\"");
    has(buf_cstr(&player->records), "Zed"); /* what it said is kept */
}

static void who_must_vote_and_listens_is_asked_again(void **state)
{
    static const LlmServerStep steps[] = {{.say = "{\"action\":\"listen\"}"},
                                          {.say = "{\"action\":\"vote\",\"target\":\"Ed\"}"}};
    Run *run = *state;

    run->scene.task = TASK_VOTE;
    BEGIN(run, steps);
    Player *player = ask_once(run, 10 * SECOND);
    assert_int_equal(player->source, SOURCE_REPAIRED);
    assert_string_equal(player->decision.target, "Ed");
}

/* ---- what must not be said ---- */

/* Says what stands in the guide. */
static void quote_the_guide(void *user, const LlmServerAsk *asked, size_t number,
                            LlmServerStep *step)
{
    (void)asked;
    (void)number;
    step->say = user;
}

static void the_guide_is_not_quoted(void **state)
{
    Run *run = *state;
    CLEANUP(buf_done) Buf guide = {0};
    CLEANUP(buf_done) Buf say = {0};
    CLEANUP(buf_done) Buf quote = {0};

    llm_guide_write(&run->scene, &guide);
    assert_true(guide.len > 300);
    buf_add(&quote, STR("I was told: "));
    buf_add(&quote, str_part(buf_str(&guide), 150, 90));
    buf_add(&say, STR("{\"action\":\"speak\",\"message\":"));
    json_quote(&say, buf_str(&quote), false);
    buf_add(&say, STR("}"));
    run->server.choose = quote_the_guide;
    run->server.user = say.bytes;
    begin(run, NULL, 0);
    Player *player = ask_once(run, 10 * SECOND);
    assert_int_equal(player->source, SOURCE_MODEL);
    assert_int_equal(player->decision.action, LLM_LISTEN);
    assert_string_equal(player->decision.message, "");
    LlmFigures figures = figures_of(player);
    assert_int_equal(figures.suppressed, 1);
    assert_int_equal(figures.leaks, 1);
    assert_int_equal(figures.listens, 1);
    assert_int_equal(figures.lines, 0);
    has(buf_cstr(&player->records), "\"suppressed\":\"leak\"");
}

static void a_wolf_does_not_give_itself_away(void **state)
{
    static const LlmServerStep steps[] = {
        {.say = "{\"action\":\"speak\",\"message\":\"As a werewolf, I like Bo.\"}"},
        {.say = "{\"action\":\"vote\",\"target\":\"Bo\",\"reason\":\"As a werewolf I must\"}"}};
    Run *run = *state;

    run->scene.role = STR("Werewolf");
    run->scene.side = SIDE_WEREWOLF;
    BEGIN(run, steps);
    assert_int_equal(ask_once(run, 10 * SECOND)->decision.action, LLM_LISTEN);
    Player *player = ask_once(run, 10 * SECOND);
    assert_int_equal(player->decision.action, LLM_VOTE); /* the vote counts, unexplained */
    assert_string_equal(player->decision.reason, "");
    assert_int_equal(figures_of(player).leaks, 2);
    /* It is told so each time, and the record has what it wanted to say. */
    ask_once(run, 10 * SECOND);
    assert_true(llm_server_heard(&run->server, 1, "As a werewolf, I like Bo."));
    assert_true(llm_server_heard(&run->server, 1, "System: nobody heard your line: it quoted"));
    assert_false(llm_server_heard(&run->server, 1, "nobody read its reason"));
    assert_true(llm_server_heard(&run->server, 2, "nobody read its reason"));
    has(buf_cstr(&player->records),
        "\"suppressed\":\"leak\",\"line\":\"As a werewolf, I like Bo.\"");
    has(buf_cstr(&player->records), "\"suppressed\":\"leak\",\"line\":\"As a werewolf I must\"");
}

static void filters_may_only_tell(void **state)
{
    static const LlmServerStep steps[] = {
        {.say = "{\"action\":\"speak\",\"message\":\"As a werewolf, I like Bo.\"}"},
        {.say = "{\"action\":\"speak\",\"message\":\"I trust nobody here today.\"}"},
        {.say = "{\"action\":\"speak\",\"message\":\"I trust nobody here today!\"}"}};
    Run *run = *state;

    run->scene.role = STR("Werewolf");
    run->scene.side = SIDE_WEREWOLF;
    run->seat_setup.filters = FILTERS_TELL;
    BEGIN(run, steps);
    for (int i = 0; i < 3; i++)
        assert_int_equal(ask_once(run, 10 * SECOND)->decision.action, LLM_SPEAK);
    const Player *player = &run->players[0];
    has(buf_cstr(&player->records), "\"flagged\":\"leak\"");
    has(buf_cstr(&player->records), "\"flagged\":\"repeat\"");
    assert_null(strstr(buf_cstr(&player->records), "suppressed"));
    assert_int_equal(figures_of(player).leaks, 1);
    assert_int_equal(figures_of(player).suppressed, 0);
    assert_false(llm_server_heard(&run->server, 2, "nobody heard"));
}

static void the_filters_can_be_off(void **state)
{
    static const LlmServerStep steps[] = {
        {.say = "{\"action\":\"speak\",\"message\":\"As a werewolf, I like Bo.\"}"}};
    Run *run = *state;

    run->scene.side = SIDE_WEREWOLF;
    run->seat_setup.filters = FILTERS_OFF;
    BEGIN(run, steps);
    for (int i = 0; i < 2; i++) /* nor does it matter that it says the same again */
        assert_int_equal(ask_once(run, 10 * SECOND)->decision.action, LLM_SPEAK);
    const char *records = buf_cstr(&run->players[0].records);
    assert_null(strstr(records, "flagged"));
    assert_null(strstr(records, "suppressed"));
}

static void nothing_is_said_twice(void **state)
{
    static const LlmServerStep steps[] = {
        {.say = "{\"action\":\"speak\",\"message\":\"I trust nobody here today.\"}"},
        {.say = "{\"action\":\"speak\",\"message\":\"I trust nobody here today!\"}"},
        {.say = "{\"action\":\"speak\",\"message\":\"Flo has not voted once.\"}"}};
    Run *run = *state;

    BEGIN(run, steps);
    assert_int_equal(ask_once(run, 10 * SECOND)->decision.action, LLM_SPEAK);
    assert_int_equal(ask_once(run, 10 * SECOND)->decision.action, LLM_LISTEN);
    assert_int_equal(ask_once(run, 10 * SECOND)->decision.action, LLM_SPEAK);
    LlmFigures figures = figures_of(&run->players[0]);
    assert_int_equal(figures.suppressed, 1);
    assert_int_equal(figures.leaks, 0);
    has(buf_cstr(&run->players[0].records),
        "\"suppressed\":\"repeat\",\"line\":\"I trust nobody here today!\"");
    assert_true(llm_server_heard(&run->server, 2, "you had said the same before"));
}

/* ---- sizes ---- */

static void what_does_not_fit_is_cut_and_asked_once_more(void **state)
{
    static const LlmServerStep steps[] = {
        {.status = 400, .body = "{\"error\":{\"code\":\"context_length_exceeded\"}}"},
        {.say = "{\"action\":\"listen\"}"},
        {.status = 400, .body = "{\"error\":{\"code\":\"context_length_exceeded\"}}"}};
    Run *run = *state;

    BEGIN(run, steps);
    for (int i = 0; i < 100; i++)
        llm_seat_hear(run->players[0].seat, STR("Cy: a line of some length, said again"), false);
    assert_int_equal(ask_once(run, 10 * SECOND)->source, SOURCE_MODEL);
    assert_true(llm_server_body(&run->server, 1).len + 1000 < llm_server_body(&run->server, 0).len);

    assert_int_equal(ask_once(run, 10 * SECOND)->source, SOURCE_FALLBACK); /* no third time */
    assert_true(llm_server_asked(&run->server) <= 4);
    has(buf_cstr(&run->players[0].records), "\"outcome\":\"too_long\"");
}

/* Counts as a tokenizer of four bytes a token does. */
static void count_tokens(void *user, const LlmServerAsk *asked, size_t number, LlmServerStep *step)
{
    (void)user;
    (void)number;
    step->prompt_tokens = (uint32_t)(asked->body.len / 4);
}

/* The longest of twelve requests with a lot of news each; a fact of the first is in all of them. */
static size_t longest_request(Run *run)
{
    size_t longest = 0;

    begin(run, NULL, 0);
    llm_seat_hear(run->players[0].seat, STR("Di was murdered on the first night."), true);
    for (size_t round = 0; round < 12; round++) {
        for (int i = 0; i < 40; i++)
            llm_seat_hear(run->players[0].seat,
                          STR("Cy: this is a line that takes some room in the window"), false);
        assert_int_equal(ask_once(run, 10 * SECOND)->source, SOURCE_MODEL);
        Str body = llm_server_body(&run->server, round);
        longest = body.len > longest ? body.len : longest;
        assert_true(llm_server_heard(&run->server, round, "on the first night"));
    }
    return longest;
}

static void a_request_stays_within_the_window(void **state)
{
    Run *run = *state;

    run->server.choose = count_tokens;
    run->seat_setup.window = 4096;
    assert_in_range(longest_request(run), 4096, 4096 * 4);
}

/* A seat of which nobody says how much it may read goes by what the endpoint knows of the model. */
static void the_window_is_the_endpoints(void **state)
{
    Run *run = *state;

    run->server.choose = count_tokens;
    run->setup.context = 4096;
    assert_in_range(longest_request(run), 4096, 4096 * 4);
}

static void a_model_of_which_nobody_tells_reads_8192(void **state)
{
    Run *run = *state;

    run->server.choose = count_tokens;
    assert_in_range(longest_request(run), 4096 * 4 + 1, 8192 * 4);
}

static void a_count_that_can_not_be_right_is_not_believed(void **state)
{
    Run *run = *state; /* 100 tokens for whatever it is sent */

    run->seat_setup.window = 4096;
    assert_in_range(longest_request(run), 4096, 4096 * 4);
}

static void the_scene_may_go_as_soon_as_it_was_asked(void **state)
{
    static const LlmServerStep steps[] = {{.say = "{\"action\":\"vote\",\"target\":\"nobody\"}"},
                                          {.say = "{\"action\":\"vote\",\"target\":\"Mo\"}"}};
    Run *run = *state;
    char name[] = "Mo";

    run->scene.language = LLM_JAPANESE;
    run->scene.task = TASK_VOTE;
    run->scene.targets[0] = run->scene.seats[1].name = str_of(name);
    BEGIN(run, steps);
    ask(&run->players[0], 10 * SECOND);
    memset(name, 'x', 2);
    memset(&run->scene, 0x55, sizeof(run->scene));
    wait_for(run, 1);
    assert_int_equal(run->players[0].source, SOURCE_REPAIRED);
    assert_string_equal(run->players[0].decision.target, "Mo");
    assert_true(llm_server_heard(&run->server, 1, "targetに使える値: Mo, Cy, Ed, Flo"));
}

static void only_so_much_is_kept_for_a_model_that_is_away(void **state)
{
    static const LlmServerStep steps[] = {{.say = "{\"action\":\"listen\"}"}};
    Run *run = *state;
    CLEANUP(buf_done) Buf line = {0};

    BEGIN(run, steps);
    llm_seat_hear(run->players[0].seat, STR("Di was murdered."), true);
    for (int i = 0; i < 1000; i++) {
        buf_clear(&line);
        buf_printf(&line, "Cy: number %d.", i);
        llm_seat_hear(run->players[0].seat, buf_str(&line), false);
    }
    ask_once(run, 10 * SECOND);
    assert_true(llm_server_heard(&run->server, 0, "number 999."));
    assert_true(llm_server_heard(&run->server, 0, "number 900."));
    assert_false(llm_server_heard(&run->server, 0, "number 100."));
    assert_true(llm_server_heard(&run->server, 0, "Di was murdered."));
}

/* ---- time ---- */

static void a_rule_decides_in_time(void **state)
{
    static const LlmServerStep steps[] = {{.how = SERVE_HANG},
                                          {.how = SERVE_DRIBBLE, .say = "{}"},
                                          {.delay_ms = 60000, .say = "{\"action\":\"listen\"}"}};
    Run *run = *state;

    run->scene.task = TASK_VOTE;
    BEGIN(run, steps);
    for (int i = 0; i < 3; i++) {
        TimeUs start = loop_now();
        Player *player = ask_once(run, SECOND);
        assert_int_equal(player->source, SOURCE_FALLBACK);
        assert_int_equal(player->decision.action, LLM_VOTE);
        assert_in_range(player->when - start, 800000, 30 * SECOND); /* test_seat_time.c: when */
    }
    has(buf_cstr(&run->players[0].records), "\"outcome\":\"unreachable\"");
}

static void a_deadline_that_has_passed_is_answered_at_once(void **state)
{
    static const LlmServerStep steps[] = {{.how = SERVE_HANG}};
    Run *run = *state;
    TimeUs start = loop_now();

    BEGIN(run, steps);
    assert_int_equal(ask_once(run, -SECOND)->source, SOURCE_FALLBACK);
    assert_true(loop_now() - start < 30 * SECOND);
}

static void seats_play_on_without_any_server(void **state)
{
    Run *run = *state;
    char url[64];
    int fd = llm_server_nobody(url);

    run->setup.url = url;
    run->setup.key = "sk-secret";
    assert_int_equal(llm_endpoint_new(loop_alarms(run->loop), http_client_carrier(run->http),
                                      &run->setup, &run->endpoint, NULL),
                     0);
    add_seats(run, SEATS);
    for (int round = 0; round < 5; round++) {
        run->scene.task = round % 2 ? TASK_VOTE : TASK_ROOM;
        TimeUs start = loop_now();
        for (size_t i = 0; i < SEATS; i++)
            ask(&run->players[i], 2 * SECOND);
        wait_for(run, SEATS);
        assert_true(loop_now() - start < 30 * SECOND);
    }
    close(fd);
    for (size_t i = 0; i < SEATS; i++) {
        LlmFigures figures = figures_of(&run->players[i]);
        assert_int_equal(run->players[i].times, 5);
        assert_int_equal(figures.fallbacks, 5);
        assert_int_equal(figures.by_model, 0);
        assert_int_equal(figures.votes, 2);
        assert_int_equal(figures.requests, 5);
        assert_int_equal(figures.latency_p95_ms, 0);
        has(buf_cstr(&run->players[i].records), "Connection refused");
        assert_null(strstr(buf_cstr(&run->players[i].records), "secret"));
    }
}

static void a_denied_key_costs_no_time(void **state)
{
    static const LlmServerStep steps[] = {
        {.status = 401, .body = "{\"error\":{\"message\":\"wrong key sk-secret\"}}"}};
    Run *run = *state;
    TimeUs start = loop_now();

    run->setup.key = "sk-secret";
    BEGIN(run, steps);
    for (int i = 0; i < 3; i++)
        assert_int_equal(ask_once(run, 60 * SECOND)->source, SOURCE_FALLBACK);
    assert_true(loop_now() - start < 30 * SECOND);
    assert_int_equal(llm_server_asked(&run->server), 1);
    has(buf_cstr(&run->players[0].records), "\"outcome\":\"denied\"");
    has(buf_cstr(&run->players[0].records), "wrong key ***");
}

/* ---- ends ---- */

static void a_cancelled_question_is_not_decided(void **state)
{
    static const LlmServerStep steps[] = {{.delay_ms = 100, .say = "{\"action\":\"listen\"}"}};
    Run *run = *state;

    BEGIN(run, steps);
    ask(&run->players[0], 10 * SECOND);
    llm_seat_cancel(run->players[0].seat);
    assert_false(llm_seat_busy(run->players[0].seat));
    llm_seat_cancel(run->players[0].seat);
    timer_at(run->limit, loop_now() + 300000, false);
    loop_run(run->loop);
    run->timed_out = false;
    assert_int_equal(run->players[0].times, 0);
    ask(&run->players[0], 10 * SECOND);
    ask(&run->players[0], 10 * SECOND); /* in place of the one before */
    wait_for(run, 1);
    timer_at(run->limit, loop_now() + 300000, false);
    loop_run(run->loop);
    assert_int_equal(run->players[0].times, 1);
}

static void a_decision_may_free_its_seat(void **state)
{
    static const LlmServerStep steps[] = {{.say = "{\"action\":\"listen\"}"}};
    Run *run = *state;

    BEGIN(run, steps);
    run->free_seat = true;
    ask_once(run, 10 * SECOND);
    assert_null(run->players[0].seat);
}

static void a_seat_may_go_with_an_open_question(void **state)
{
    static const LlmServerStep steps[] = {{.how = SERVE_HANG}};
    Run *run = *state;

    BEGIN(run, steps);
    ask(&run->players[0], 10 * SECOND);
    timer_at(run->limit, loop_now() + 50000, false);
    loop_run(run->loop);
    run->players[0].seat = llm_seat_free(run->players[0].seat);
    assert_int_equal(run->players[0].times, 0);
}

/* ---- the demo model ---- */

static void the_demo_model_plays_without_a_server(void **state)
{
    Run *run = *state;
    TimeUs start = loop_now();

    add_seats(run, 1);
    run->scene.task = TASK_VOTE;
    Player *player = ask_once(run, 10 * SECOND);
    assert_int_equal(player->source, SOURCE_DEMO);
    assert_int_equal(player->decision.action, LLM_VOTE);
    assert_in_range(player->when - start, 200000, 9 * SECOND);
    has(buf_cstr(&player->records), "\"source\":\"demo\"");
    assert_int_equal(figures_of(player).by_model, 0);
    assert_int_equal(figures_of(player).requests, 0);

    TimeUs took = SECOND; /* in time here too; a machine may stand still, but not each time */
    for (int i = 0; i < 20 && took >= 400000; i++) {
        start = loop_now();
        ask_once(run, 400000);
        took = player->when - start;
    }
    assert_true(took < 400000);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_good_answer_is_the_decision),
        TEST(latencies_are_counted),
        TEST(the_model_is_sent_guide_schema_and_news),
        TEST(news_stay_until_a_model_has_read_them),
        TEST(what_was_refused_is_counted_and_told),
        TEST(a_schema_that_models_read_stays_for_a_round),
        TEST(a_bad_answer_is_repaired_once),
        TEST(what_a_server_tells_of_an_answer_is_recorded),
        TEST(a_seat_tells_what_it_is_but_no_secret),
        TEST(two_bad_answers_leave_it_to_the_rule),
        TEST(who_must_vote_and_listens_is_asked_again),
        TEST(the_guide_is_not_quoted),
        TEST(a_wolf_does_not_give_itself_away),
        TEST(filters_may_only_tell),
        TEST(the_filters_can_be_off),
        TEST(nothing_is_said_twice),
        TEST(what_does_not_fit_is_cut_and_asked_once_more),
        TEST(a_request_stays_within_the_window),
        TEST(the_window_is_the_endpoints),
        TEST(a_model_of_which_nobody_tells_reads_8192),
        TEST(a_count_that_can_not_be_right_is_not_believed),
        TEST(the_scene_may_go_as_soon_as_it_was_asked),
        TEST(only_so_much_is_kept_for_a_model_that_is_away),
        TEST(a_rule_decides_in_time),
        TEST(a_deadline_that_has_passed_is_answered_at_once),
        TEST(seats_play_on_without_any_server),
        TEST(a_denied_key_costs_no_time),
        TEST(a_cancelled_question_is_not_decided),
        TEST(a_decision_may_free_its_seat),
        TEST(a_seat_may_go_with_an_open_question),
        TEST(the_demo_model_plays_without_a_server),
    };
    return cmocka_run_group_tests_name("a model player", tests, NULL, NULL);
}
