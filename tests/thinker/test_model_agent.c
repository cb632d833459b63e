/* Tests of a model's seat in the AIWolf divisions: what it is shown, what it answers, and when. */
#include "llm_server.h"

#include "lang/lang.h"
#include "thinker/model_agent.h"
#include "thinker/model_bots.h"

#define SECOND  1000000
#define PLAYERS 5

/* A table as a client would show it, which tests change by hand. */
typedef struct Table {
    Ruleset rules;
    uint8_t counts[ROLE_COUNT];
    Str names[SEAT_MAX + 1];
    Talk talks[16];
    TalkLog talk, whisper;
    uint16_t left[SEAT_MAX + 1];
    int32_t length[SEAT_MAX + 1];
    uint16_t skips[SEAT_MAX + 1];
    VoteLog votes, none;
    View view;
} Table;

typedef struct Run {
    Loop *loop;
    HttpClient *http;
    LlmServer server;
    LlmEndpoint *endpoint;
    ModelAgent *agent;
    Table table;
    Timer *limit;
    bool timed_out;
    bool no_persona;
    int wanted;
    int answers;
    TimeUs when;
    Answer answer; /* the last one; its text is in `text` */
    Ask asked;
    Buf text;
    Buf all; /* every text, a line each */
} Run;

/* ---- the table ---- */

static void make_table(Table *table, const char *rules, bool japanese)
{
    static const char *const english[] = {"Agent[01]", "Agent[02]", "Agent[03]", "Agent[04]",
                                          "Agent[05]"};
    static const char *const other[] = {"タクミ", "ミナト", "リン", "ケンジ", "メイ"};

    *table = (Table){0};
    assert_int_equal(ruleset_preset(str_of(rules), &table->rules, NULL), 0);
    table->counts[ROLE_WEREWOLF] = 1;
    for (SeatNo seat = 1; seat <= PLAYERS; seat++) {
        table->names[seat] = str_of(japanese ? other[seat - 1] : english[seat - 1]);
        table->left[seat] = 10;
        table->length[seat] = -1;
        table->skips[seat] = 3;
    }
    table->talk.items = table->whisper.items = table->talks;
    table->view = (View){.rules = &table->rules,
                         .role_counts = table->counts,
                         .names = table->names,
                         .seat = 1,
                         .seat_count = PLAYERS,
                         .role = ROLE_SEER,
                         .alive = seat_all(PLAYERS),
                         .talk = &table->talk,
                         .whisper = &table->whisper,
                         .talk_left = table->left,
                         .whisper_left = table->left,
                         .talk_length = table->length,
                         .whisper_length = table->length,
                         .talk_skips = table->skips,
                         .whisper_skips = table->skips,
                         .latest_votes = &table->none,
                         .votes = &table->votes,
                         .latest_attack_votes = &table->none,
                         .attack_votes = &table->none};
    table->view.roles[1] = ROLE_SEER;
}

static void says(Table *table, SeatNo seat, const char *text)
{
    Talk *talk = &table->talks[table->talk.count++];

    *talk = (Talk){.text = str_of(text), .seat = seat, .idx = table->talk.count - 1};
}

/* ---- the run ---- */

static void on_limit(void *user, TimeUs now)
{
    Run *run = user;

    (void)now;
    run->timed_out = true;
    loop_stop(run->loop);
}

static void on_answer(void *user, const Ask *ask, const Answer *answer)
{
    Run *run = user;

    run->asked = *ask;
    run->answer = *answer;
    run->when = loop_now();
    buf_clear(&run->text);
    buf_add(&run->text, answer->text);
    buf_add(&run->all, answer->text);
    buf_add_char(&run->all, '\n');
    run->answer.text = buf_str(&run->text);
    if (++run->answers >= run->wanted)
        loop_stop(run->loop);
}

static int set_up(void **state)
{
    Run *run = mem_new(sizeof(*run));

    stub_no_proxy();
    assert_int_equal(loop_new(&run->loop, NULL), 0);
    assert_int_equal(timer_new(run->loop, on_limit, run, &run->limit, NULL), 0);
    assert_int_equal(http_client_new(run->loop, &run->http, NULL), 0);
    make_table(&run->table, "aiwolf-2021", false);
    run->table.rules.contest.time_limit_told_ms = 20000;
    *state = run;
    return 0;
}

static int tear_down(void **state)
{
    Run *run = *state;

    model_agent_free(run->agent);
    llm_endpoint_free(run->endpoint);
    loop_free(run->loop);
    llm_server_end(&run->server);
    buf_done(&run->text);
    buf_done(&run->all);
    mem_free(run);
    return 0;
}

/* An agent behind which stands a server with these steps; without steps the demo model. */
static void begin(Run *run, bool protocol, const LlmServerStep *steps, size_t count)
{
    ModelAgentSetup setup = {.protocol = protocol,
                             .persona = STR("a grumpy baker"),
                             .pause_min = 20000,
                             .pause_max = 40000,
                             .seed = 4,
                             .answer = on_answer,
                             .user = run};

    if (run->no_persona)
        setup.persona = STR("");
    run->server.steps = steps;
    run->server.step_count = count;
    if (count) {
        llm_server_begin(&run->server);
        const LlmEndpointSetup endpoint = {.url = run->server.url,
                                           .model = "m1",
                                           .temperature = -1,
                                           .parallel = 2,
                                           .retry_ms = 20,
                                           .seed = 1};
        assert_int_equal(llm_endpoint_new(loop_alarms(run->loop), http_client_carrier(run->http),
                                          &endpoint, &run->endpoint, NULL),
                         0);
    }
    setup.endpoint = run->endpoint;
    assert_int_equal(model_agent_new(loop_alarms(run->loop), &setup, &run->agent, NULL), 0);
    model_agent_thinker()->begin(run->agent, &run->table.view);
}
#define BEGIN(run, protocol, steps)                                                                \
    begin((run), (protocol), (steps), sizeof(steps) / sizeof((steps)[0]))

static void wait_for(Run *run, int answers)
{
    run->wanted = run->answers + answers;
    timer_at(run->limit, loop_now() + 100 * SECOND, false);
    loop_run(run->loop);
    timer_stop(run->limit);
    assert_false(run->timed_out);
}

/* Runs on for so long and expects no answer. */
static void nothing_for(Run *run, TimeUs time)
{
    int before = run->answers;

    run->wanted = before + 1;
    timer_at(run->limit, loop_now() + time, false);
    loop_run(run->loop);
    run->timed_out = false;
    assert_int_equal(run->answers, before);
}

static void ask(Run *run, AskKind kind, bool standing)
{
    const Ask wanted = {.seat = 1, .kind = kind, .standing = standing};

    model_agent_thinker()->ask(run->agent, &wanted, &run->table.view, loop_now());
}

static void ask_once(Run *run, AskKind kind)
{
    int before = run->answers;

    ask(run, kind, false);
    assert_int_equal(run->answers, before); /* never from inside */
    wait_for(run, 1);
    assert_int_equal(run->answer.kind, kind);
}

static ModelCounts counts_of(const Run *run)
{
    ModelCounts counts = {0};

    model_agent_count(run->agent, &counts);
    return counts;
}

static void assert_said(const Run *run, const char *text)
{
    assert_string_equal(buf_cstr(&run->text), text);
}

/* ---- the protocol division ---- */

static void a_sentence_of_the_model_is_said_as_it_is(void **state)
{
    static const LlmServerStep steps[] = {
        {.say = "{\"action\":\"speak\",\"message\":\"ESTIMATE Agent[03] WEREWOLF\"}"}};
    Run *run = *state;

    BEGIN(run, true, steps);
    says(&run->table, 2, "VOTE Agent[04]");
    says(&run->table, 1, "VOTE Agent[05]");
    ask_once(run, ASK_TALK);
    assert_said(run, "ESTIMATE Agent[03] WEREWOLF");
    assert_true(llm_server_heard(&run->server, 0, "You are Agent[01]"));
    assert_true(llm_server_heard(&run->server, 0, "a grumpy baker"));
    assert_true(llm_server_heard(&run->server, 0, "Seer"));
    assert_true(llm_server_heard(&run->server, 0, "Agent[02]: VOTE Agent[04]"));
    assert_false(llm_server_heard(&run->server, 0, "Agent[01]: VOTE")); /* its own */
    assert_int_equal(counts_of(run).by_model, 1);
}

static void a_wolf_that_names_itself_is_not_heard(void **state)
{
    static const LlmServerStep steps[] = {
        {.say = "{\"action\":\"speak\",\"message\":\"As a werewolf, I like Agent[02].\"}"},
        {.say = "{\"action\":\"speak\",\"message\":\"I like Agent[02].\"}"}};
    Run *run = *state;

    run->table.view.role = run->table.view.roles[1] = ROLE_WEREWOLF;
    BEGIN(run, false, steps);
    ask_once(run, ASK_TALK);
    assert_null(strstr(buf_cstr(&run->text), "werewolf"));
    ask_once(run, ASK_TALK);
    assert_said(run, "I like Agent[02].");
}

static void what_is_no_sentence_may_be_repaired_once(void **state)
{
    static const LlmServerStep steps[] = {
        {.say = "{\"action\":\"speak\",\"message\":\"I think Agent[03] lies\"}"},
        {.say = "{\"action\":\"speak\",\"message\":\"VOTE Agent[03]\"}"},
        {.say = "{\"action\":\"speak\",\"message\":\"hello\"}"}};
    Run *run = *state;

    BEGIN(run, true, steps);
    ask_once(run, ASK_TALK);
    assert_said(run, "VOTE Agent[03]");
    assert_true(llm_server_heard(&run->server, 1, "no sentence of the protocol language"));
    assert_int_equal(counts_of(run).by_model, 1);
    ask_once(run, ASK_TALK); /* twice none: silence */
    assert_said(run, "Skip");
    assert_int_equal(llm_server_asked(&run->server), 4);
    assert_int_equal(counts_of(run).by_rule, 1);
}

static void results_deaths_and_votes_are_told(void **state)
{
    static const LlmServerStep steps[] = {{.say = "{\"action\":\"listen\"}"},
                                          {.say = "{\"action\":\"vote\",\"target\":\"3\"}"}};
    Run *run = *state;
    View *view = &run->table.view;

    BEGIN(run, true, steps);
    ask_once(run, ASK_TALK);
    assert_said(run, "Skip");
    view->day = 2;
    view->executed = 4;
    view->last_dead[0] = 5;
    view->last_dead_count = 1;
    view->alive = seat_bit(1) | seat_bit(2) | seat_bit(3);
    view->divined = (Judge){2, 1, 3, SPECIES_WEREWOLF};
    run->table.votes = (VoteLog){.day = 1, .count = 1, .items = {{2, 4}}};
    model_agent_thinker()->look(run->agent, view);
    ask_once(run, ASK_VOTE);
    assert_int_equal(run->answer.target, 3);
    assert_true(llm_server_heard(&run->server, 1, "Your divination: Agent[03] is a werewolf"));
    assert_true(llm_server_heard(&run->server, 1, "Agent[04] (executed)"));
    assert_true(llm_server_heard(&run->server, 1, "Agent[05] (attacked at night)"));
    assert_true(llm_server_heard(&run->server, 1, "Agent[02] -> Agent[04]"));
}

static void a_wolf_knows_its_mate_and_does_not_attack_it(void **state)
{
    static const LlmServerStep steps[] = {
        {.say = "{\"action\":\"vote\",\"target\":\"Agent[02]\"}"}};
    Run *run = *state;
    View *view = &run->table.view;

    view->role = ROLE_WEREWOLF;
    view->roles[1] = view->roles[2] = ROLE_WEREWOLF;
    run->table.rules.attack.vote_for_wolf = true; /* it is taken, and yet no use */
    BEGIN(run, true, steps);
    ask_once(run, ASK_ATTACK);
    assert_true(llm_server_heard(&run->server, 0, "fellow werewolves: Agent[02]"));
    assert_int_equal(llm_server_asked(&run->server), 2); /* repaired, and wrong again */
    assert_in_range(run->answer.target, 3, 5);
    assert_int_equal(counts_of(run).by_rule, 1);
}

/* ---- time ---- */

static void a_short_limit_is_no_time_to_ask(void **state)
{
    static const LlmServerStep steps[] = {{.how = SERVE_HANG}};
    Run *run = *state;
    CLEANUP(buf_done) Buf line = {0};

    run->table.rules.contest.time_limit_told_ms = 100;
    BEGIN(run, true, steps);
    TimeUs began = loop_now();
    ask_once(run, ASK_TALK);
    assert_said(run, "Skip");
    ask_once(run, ASK_VOTE);
    assert_in_range(run->answer.target, 2, 5);
    assert_true(run->when - began < 30 * SECOND); /* at once; a machine may stand still */
    assert_int_equal(llm_server_asked(&run->server), 0);
    ModelCounts counts = counts_of(run);
    assert_int_equal(counts.hurried, 2);
    model_counts_write(&counts, &line);
    assert_string_equal(buf_cstr(&line),
                        "0 of 2 decisions were the model's own; 2 a rule's, 2 of them because the "
                        "time limit leaves none to ask\n");
}

static void a_model_that_hangs_is_not_waited_for(void **state)
{
    static const LlmServerStep steps[] = {{.how = SERVE_HANG}};
    Run *run = *state;

    run->table.rules.contest.time_limit_told_ms = 3000;
    BEGIN(run, true, steps);
    unsigned asked = 0;
    TimeUs took = 3 * SECOND;
    for (; asked < 5 && took > SECOND * 29 / 10;
         asked++) { /* a machine may stand still, but not each time */
        TimeUs began = loop_now();
        ask_once(run, ASK_DIVINE);
        took = run->when - began;
        assert_in_range(run->answer.target, 2, 5);
    }
    assert_true(took <= SECOND * 29 / 10); /* it is due half a second sooner */
    assert_int_equal(counts_of(run).by_rule, asked);
    assert_int_equal(counts_of(run).hurried, 0);
}

static void what_is_not_asked_any_more_is_not_answered(void **state)
{
    static const LlmServerStep steps[] = {
        {.say = "{\"action\":\"speak\",\"message\":\"VOTE Agent[02]\"}", .delay_ms = 100},
        {.say = "{\"action\":\"vote\",\"target\":\"Agent[04]\"}"}};
    Run *run = *state;

    BEGIN(run, true, steps);
    ask(run, ASK_TALK, false);
    nothing_for(run, SECOND / 20);
    model_agent_thinker()->unask(run->agent);
    nothing_for(run, SECOND / 5);
    ask_once(run, ASK_VOTE); /* and the older answer is not taken for one to this */
    assert_int_equal(run->answer.target, 4);
    assert_int_equal(counts_of(run).decisions, 1);
}

static void without_any_server_a_game_goes_on(void **state)
{
    Run *run = *state;
    char url[64];
    int fd = llm_server_nobody(url);
    const LlmEndpointSetup endpoint = {.url = url, .model = "m", .parallel = 1, .retry_ms = 1};

    run->table.rules.contest.time_limit_told_ms = 1000;
    assert_int_equal(llm_endpoint_new(loop_alarms(run->loop), http_client_carrier(run->http),
                                      &endpoint, &run->endpoint, NULL),
                     0);
    begin(run, true, NULL, 0);
    for (int i = 0; i < 10; i++)
        ask_once(run, i % 2 ? ASK_VOTE : ASK_TALK);
    model_agent_thinker()->end(run->agent, &run->table.view, SIDE_VILLAGER);
    assert_int_equal(counts_of(run).by_rule, 10);
    assert_int_equal(counts_of(run).by_model, 0);
    close(fd);
}

/* ---- the natural-language division ---- */

static void names_decide_the_language_and_rules_the_length(void **state)
{
    static const LlmServerStep steps[] = {
        {.say = "{\"action\":\"speak\",\"message\":\"ミナトさんが怪しいです。"
                "昨日から話が少しずつ変わっています。\"}"}};
    Run *run = *state;

    make_table(&run->table, "nlp-turn", true);
    run->table.rules.talk.length.per_talk = 15;
    run->table.rules.talk.length.base_length = 10;
    run->table.rules.talk.length.mention_length = 5;
    run->table.rules.talk.skip_rule = SKIP_BUDGET;
    run->table.skips[1] = 0;
    BEGIN(run, false, steps);
    ask_once(run, ASK_TALK);
    assert_true(llm_server_heard(&run->server, 0, "プレイヤー「タクミ」です"));
    assert_true(llm_server_heard(&run->server, 0, "呼びかけ"));
    assert_true(llm_server_heard(&run->server, 0, "今日はもう発言できません"));
    assert_true(run->text.len > 0 && run->text.len <= 10 * 3);
    assert_true(str_starts(buf_str(&run->text), STR("ミナト")));
}

static void the_servers_profile_is_played_when_there_is_no_persona(void **state)
{
    static const LlmServerStep steps[] = {{.say = "{\"action\":\"listen\"}"}};
    Run *run = *state;

    make_table(&run->table, "nlp-turn", true);
    run->no_persona = true;
    BEGIN(run, false, steps);
    model_agent_thinker()->profile(run->agent, STR("職業: パン屋\n年齢: 40"));
    ask_once(run, ASK_TALK);
    assert_true(llm_server_heard(&run->server, 0, "職業: パン屋 年齢: 40"));
    assert_false(llm_server_heard(&run->server, 0, "grumpy"));
}

static void who_has_no_length_left_passes(void **state)
{
    static const LlmServerStep steps[] = {{.say = "{\"action\":\"speak\",\"message\":\"Hi\"}"}};
    Run *run = *state;

    make_table(&run->table, "nlp-turn", false);
    run->table.rules.talk.length.base_length = LIMIT_NONE;
    run->table.rules.talk.length.per_agent = 100;
    run->table.length[1] = 0;
    BEGIN(run, false, steps);
    ask_once(run, ASK_TALK);
    assert_true(run->answer.lapse);
    assert_int_equal(llm_server_asked(&run->server), 0);
    assert_int_equal(counts_of(run).decisions, 0); /* there was nothing to decide */
    run->table.rules.vote.self_vote = true;
    for (int i = 0; i < 10; i++) {
        ask_once(run, ASK_VOTE); /* "speak" is no vote: a rule gives it, to somebody else */
        assert_in_range(run->answer.target, 2, 5);
    }
}

static void at_any_time_it_speaks_again_when_there_is_news(void **state)
{
    static const LlmServerStep steps[] = {
        {.say = "{\"action\":\"speak\",\"message\":\"Good morning to all of you.\"}"},
        {.say = "{\"action\":\"listen\"}"},
        {.say = "{\"action\":\"speak\",\"message\":\"Agent[02], who do you doubt?\"}"}};
    Run *run = *state;

    make_table(&run->table, "nlp-anytime", false);
    run->table.rules.talk.duration_ms = 60000;
    BEGIN(run, false, steps);
    ask(run, ASK_TALK, true);
    wait_for(run, 1);
    assert_said(run, "Good morning to all of you.");
    nothing_for(run, SECOND / 4); /* it does not talk to itself */
    assert_int_equal(llm_server_asked(&run->server), 1);
    says(&run->table, 1, "Good morning to all of you.");
    says(&run->table, 2, "Hello Agent[01].");
    model_agent_thinker()->look(run->agent, &run->table.view);
    nothing_for(run, SECOND / 4); /* it listens, and while nobody speaks it is not asked again */
    assert_int_equal(llm_server_asked(&run->server), 2);
    says(&run->table, 4, "So what?");
    model_agent_thinker()->look(run->agent, &run->table.view);
    wait_for(run, 1);
    assert_said(run, "Agent[02], who do you doubt?");
    assert_true(llm_server_heard(&run->server, 1, "Agent[02]: Hello Agent[01]."));
    assert_true(run->asked.standing);
    says(&run->table, 3, "Me too.");
    model_agent_thinker()->look(run->agent, &run->table.view);
    model_agent_thinker()->unask(run->agent);
    nothing_for(run, SECOND / 5); /* the session is over */
    assert_int_equal(llm_server_asked(&run->server), 3);
}

/* In turns: what it would say of nothing new is known. */
static void a_turn_without_news_is_passed_without_a_request(void **state)
{
    static const LlmServerStep steps[] = {{.say = "{\"action\":\"listen\"}"}};
    Run *run = *state;

    BEGIN(run, true, steps);
    ask_once(run, ASK_TALK);
    for (int i = 0; i < 3; i++) {
        ask_once(run, ASK_TALK);
        assert_said(run, "Skip");
        assert_int_equal(llm_server_asked(&run->server), 1);
        assert_int_equal(counts_of(run).decisions, 1); /* nobody has decided anything */
    }
    says(&run->table, 2, "VOTE Agent[04]"); /* that is news */
    ask_once(run, ASK_TALK);
    assert_int_equal(llm_server_asked(&run->server), 2);
    ask_once(run, ASK_TALK);
    assert_int_equal(llm_server_asked(&run->server), 2);
    ask_once(run, ASK_VOTE); /* the rules want one; it is asked again, for listening is none */
    assert_int_equal(llm_server_asked(&run->server), 4);
    /* One more Skip would end its talk: that is for the model to decide. */
    run->table.rules.talk.skip_rule = SKIP_BUDGET;
    run->table.skips[1] = 0;
    ask_once(run, ASK_TALK);
    assert_int_equal(llm_server_asked(&run->server), 5);
    assert_false(llm_server_heard(&run->server, 4, "Nothing new"));
}

static void the_demo_model_plays_by_the_same_way(void **state)
{
    Run *run = *state;
    Arena arena = arena_new(LANG_ARENA_BYTES(LANG_BYTES_MAX));
    const Sentence *sentence;

    begin(run, true, NULL, 0);
    for (int i = 0; i < 10; i++) {
        ask_once(run, ASK_TALK);
        says(&run->table, (SeatNo)(2 + i % 4), "ESTIMATE Agent[01] WEREWOLF");
    }
    assert_non_null(strstr(buf_cstr(&run->all), "Agent["));
    for (Str rest = buf_str(&run->all); rest.len;) {
        arena_clear(&arena);
        assert_int_equal(lang_parse(str_cut(&rest, '\n'), &arena, &sentence, NULL), 0);
    }
    ask_once(run, ASK_VOTE);
    assert_in_range(run->answer.target, 2, 5);
    assert_int_equal(counts_of(run).by_demo, 11);
    arena_done(&arena);
}

static void games_end_and_begin_anew(void **state)
{
    static const LlmServerStep steps[] = {{.say = "{\"action\":\"listen\"}"}};
    Run *run = *state;

    BEGIN(run, true, steps);
    says(&run->table, 2, "VOTE Agent[04]");
    model_agent_thinker()->end(run->agent, &run->table.view, SIDE_WEREWOLF);
    run->table.talk.count = 0;
    model_agent_thinker()->begin(run->agent, &run->table.view);
    ask_once(run, ASK_TALK);
    assert_true(llm_server_heard(&run->server, 0, "Game 1: you were Seer"));
    assert_false(llm_server_heard(&run->server, 0, "Agent[02]: VOTE")); /* that was before */
}

static void a_spec_opens_what_several_share(void **state)
{
    Run *run = *state;
    ModelBots bots = {0};
    Err err = {0};

    assert_int_equal(model_bots_open(run->loop, "telepathy", &bots, &err), ERR_USAGE);
    model_bots_done(&bots);
    assert_int_equal(model_bots_open(run->loop, "http://127.0.0.1:9/v1", &bots, &err), ERR_USAGE);
    model_bots_done(&bots);
    assert_int_equal(
        model_bots_open(run->loop, "http://127.0.0.1:9/v1,model=m,persona=a, b", &bots, &err), 0);
    assert_non_null(bots.setup.endpoint);
    assert_true(bots.setup.manner.filters == FILTERS_ON && bots.setup.manner.ask_max_ms == 0);
    assert_int_equal(model_bots_add(&bots, "m1", 1, on_answer, run, &run->agent, &err), 0);
    run->agent = model_agent_free(run->agent);
    model_bots_done(&bots);
}

static void a_spec_says_how_a_model_is_dealt_with(void **state)
{
    static const struct {
        const char *parts;
        LlmManner manner;
    } rows[] = {
        {"filters=off", {FILTERS_OFF, OPINIONS_OFF, 0, 0}},
        {"filters=tell,ask=8s,opinions=day", {FILTERS_TELL, OPINIONS_DAY, 8000, 8000}},
        {"opinions=line,ask=500ms-12s,filters=on", {FILTERS_ON, OPINIONS_LINE, 500, 12000}},
    };
    static const char *const bad[] = {"filters=no", "opinions=on", "ask=8",  "ask=12s-4s",
                                      "ask=0s",     "ask=11m",     "ask=4s-"};
    LlmSpec spec;
    char text[80];
    Err err = {0};

    (void)state;
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        snprintf(text, sizeof(text), "demo,%s", rows[i].parts);
        assert_int_equal(llm_spec_read(str_of(text), &spec, &err), 0);
        assert_int_equal(spec.manner.filters, rows[i].manner.filters);
        assert_int_equal(spec.manner.ask_min_ms, rows[i].manner.ask_min_ms);
        assert_int_equal(spec.manner.ask_max_ms, rows[i].manner.ask_max_ms);
    }
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        snprintf(text, sizeof(text), "demo,%s", bad[i]);
        assert_int_equal(llm_spec_read(str_of(text), &spec, &err), ERR_USAGE);
    }
}

/* Thinking has tokens on top of the answer's. */
static void what_a_spec_says_is_asked_for(void **state)
{
    static const LlmServerStep steps[] = {
        {.say = "{\"action\":\"speak\",\"message\":\"VOTE Agent[03]\"}"}};
    Run *run = *state;
    ModelBots bots = {0};
    char spec[160];

    run->server.steps = steps;
    run->server.step_count = 1;
    llm_server_begin(&run->server);
    snprintf(spec, sizeof(spec), "%s,model=small,max-tokens=200,temperature=0.5,think=low",
             run->server.url);
    assert_int_equal(model_bots_open(run->loop, spec, &bots, NULL), 0);
    assert_int_equal(model_bots_add(&bots, "m1", 1, on_answer, run, &run->agent, NULL), 0);
    model_agent_thinker()->begin(run->agent, &run->table.view);
    ask_once(run, ASK_TALK);
    size_t asked = str_eq(run->server.order[0]->method, STR("GET")); /* what it has comes first */
    assert_true(llm_server_heard(&run->server, asked, "\"model\":\"small\""));
    assert_true(llm_server_heard(&run->server, asked, "\"max_tokens\":1224,"));
    assert_true(llm_server_heard(&run->server, asked, "\"temperature\":0.50,"));
    assert_true(llm_server_heard(&run->server, asked, "\"reasoning_effort\":\"low\","));
    /* And the program tells who it was. */
    const ModelCounts counts = counts_of(run);
    CLEANUP(buf_done) Buf sheet = {0};
    model_counts_write_sheet(&counts, &sheet);
    assert_true(str_starts(buf_str(&sheet), STR("model decisions: ")));
    assert_non_null(strstr(buf_cstr(&sheet), run->server.url));
    assert_non_null(strstr(buf_cstr(&sheet), "; model small\n"));
    run->agent = model_agent_free(run->agent);
    model_bots_done(&bots);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_sentence_of_the_model_is_said_as_it_is),
        TEST(a_wolf_that_names_itself_is_not_heard),
        TEST(what_is_no_sentence_may_be_repaired_once),
        TEST(results_deaths_and_votes_are_told),
        TEST(a_wolf_knows_its_mate_and_does_not_attack_it),
        TEST(a_short_limit_is_no_time_to_ask),
        TEST(a_model_that_hangs_is_not_waited_for),
        TEST(what_is_not_asked_any_more_is_not_answered),
        TEST(without_any_server_a_game_goes_on),
        TEST(names_decide_the_language_and_rules_the_length),
        TEST(the_servers_profile_is_played_when_there_is_no_persona),
        TEST(who_has_no_length_left_passes),
        TEST(at_any_time_it_speaks_again_when_there_is_news),
        TEST(a_turn_without_news_is_passed_without_a_request),
        TEST(the_demo_model_plays_by_the_same_way),
        TEST(games_end_and_begin_anew),
        TEST(a_spec_opens_what_several_share),
        TEST(a_spec_says_how_a_model_is_dealt_with),
        TEST(what_a_spec_says_is_asked_for),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
