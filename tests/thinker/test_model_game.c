/* test_model_game.c - whole games of both AIWolf divisions with a model on every seat, in simulated
 * time: what they say comes by a script, without a server, a socket or a clock. */
#include "seat/nlp_village.h"

#include "llm_meter.h"
#include "llm_script.h"

#include "game/game_key.h"
#include "record/aiwolf_log.h"
#include "referee/sentences.h"
#include "seat/nlp_bot.h"
#include "stats/opinion_score.h"
#include "table/table.h"
#include "thinker/model_agent.h"

#define PLAYERS 5
#define MAILS   1024
#define SECOND  ((TimeUs)1000 * 1000)

typedef struct Run Run;

typedef struct Guest {
    Run *run;
    SeatNo seat;
    ModelAgent *agent;
    NlpBot *bot;          /* natural language: it reads the packets */
    const Answer *answer; /* the protocol division: what the table is to read */
} Guest;

typedef struct Mail {
    SeatNo seat;
    Buf packet;
} Mail;

struct Run {
    Alarms alarms;
    TimeUs now;
    LlmScript script;
    LlmMeter meter;
    LlmEndpoint *endpoint;
    Guest guests[PLAYERS + 1];
    Buf record;  /* each answer with its time */
    Buf packets; /* what each seat is sent, with its time */
    LlmOpinions opinions;
    uint32_t parallel;
    Buf asked;       /* requests for decisions */
    uint32_t opined; /* requests for opinions */
    /* the protocol division */
    bool protocol;
    Table table;
    Patience patience;
    Buf packet;
    Sentences sentences;
    AiwolfLogWriter writer;
    Buf log;
    /* natural language */
    Village village;
    Mail mails[MAILS];
    uint32_t first, last;
};

/* ---- what the models say ---- */

static void decide(LlmScript *script, const char *body, size_t number, LlmScriptAnswer *ret,
                   const char *line)
{
    Run *run = (Run *)(void *)((char *)script - offsetof(Run, script));
    Str target = llm_script_target(script, body);

    (void)number;
    llm_meter_take(&run->meter, body);
    ret->after = SECOND / 2 + rng_below(&script->rng, 2000) * 1000;
    if (target.len)
        snprintf(ret->say, sizeof(ret->say), "{\"action\":\"vote\",\"target\":\"%.*s\"}",
                 STR_ARG(target));
    else if (rng_below(&script->rng, 3) == 0)
        snprintf(ret->say, sizeof(ret->say), "{\"action\":\"listen\"}");
    else
        snprintf(ret->say, sizeof(ret->say), "{\"action\":\"speak\",\"message\":\"%s\"}", line);
}

static void speak_protocol(LlmScript *script, const char *body, size_t number, LlmScriptAnswer *ret)
{
    char line[64];

    snprintf(line, sizeof(line), "ESTIMATE Agent[0%u] %s", 1 + rng_below(&script->rng, PLAYERS),
             rng_below(&script->rng, 2) ? "WEREWOLF" : "VILLAGER");
    decide(script, body, number, ret, line);
}

static void speak_freely(LlmScript *script, const char *body, size_t number, LlmScriptAnswer *ret)
{
    char line[64];

    snprintf(line, sizeof(line), "Thought %zu is worth %u of them.", number,
             rng_below(&script->rng, 1000));
    decide(script, body, number, ret, line);
}

static void be_slow(LlmScript *script, const char *body, size_t number, LlmScriptAnswer *ret)
{
    speak_freely(script, body, number, ret);
    ret->after = 3600 * SECOND;
}

#define SECRET "Quuxword"

/* The server's chance is the request's own: who is asked the same answers the same. */
static uint64_t digest_of(const char *body)
{
    uint64_t digest = 14695981039346656037u;

    for (; *body; body++)
        digest = (digest ^ (unsigned char)*body) * 1099511628211u;
    return digest;
}

/* What is thought beside the game stands in no request, also not the model's own. */
static void think_aside(LlmScript *script, const char *body, size_t number, LlmScriptAnswer *ret)
{
    Run *run = (Run *)(void *)((char *)script - offsetof(Run, script));
    const bool aside = strstr(body, "how sure are you") != NULL;

    assert_null(strstr(body, SECRET));
    script->rng = rng_new(digest_of(body));
    if (!aside) {
        buf_printf(&run->asked, "%lld %s\n", (long long)run->now, body);
        if (run->protocol)
            speak_protocol(script, body, number, ret);
        else
            speak_freely(script, body, 0, ret);
        return;
    }
    Str target = llm_script_target(script, body);
    run->opined++;
    ret->after = SECOND / 4 + rng_below(&script->rng, 8000) * 1000;
    snprintf(ret->say, sizeof(ret->say),
             "{\"action\":\"vote\",\"target\":\"%.*s\",\"message\":\"" SECRET
             "\",\"reason\":\"%u " SECRET "\"}",
             STR_ARG(target), rng_below(&script->rng, 101));
}

/* ---- the models ---- */

static void on_answer(void *user, const Ask *ask, const Answer *answer)
{
    Guest *guest = user;
    Run *run = guest->run;

    buf_printf(&run->record, "%lld %u %u %u %.*s\n", (long long)run->now, guest->seat, ask->kind,
               answer->target, STR_ARG(answer->text));
    if (run->protocol) {
        guest->answer = answer;
        run->table.now = run->now;
        table_hear(&run->table, guest->seat, answer->text, run->now);
    } else {
        village_reply(&run->village, guest->seat, nlp_bot_reply(guest->bot, ask, answer));
    }
}

static void open_models(Run *run, uint64_t seed, bool protocol,
                        void (*answer)(LlmScript *, const char *, size_t, LlmScriptAnswer *))
{
    const LlmEndpointSetup endpoint = {.url = "http://nowhere.test/v1",
                                       .model = "m1",
                                       .temperature = -1,
                                       .parallel = run->parallel ? run->parallel : PLAYERS};
    const LlmOpinions opinions = run->opinions;
    const uint32_t parallel = run->parallel;

    *run = (Run){.protocol = protocol,
                 .opinions = opinions,
                 .parallel = parallel,
                 .script = {.answer = answer, .rng = rng_new(seed)}};
    run->script.alarms = &run->alarms;
    assert_int_equal(llm_endpoint_new(&run->alarms, llm_script_carrier(&run->script), &endpoint,
                                      &run->endpoint, NULL),
                     0);
    for (SeatNo seat = 1; seat <= PLAYERS; seat++) {
        Guest *guest = &run->guests[seat];
        const ModelAgentSetup setup = {.endpoint = run->endpoint,
                                       .protocol = protocol,
                                       .language = MODEL_ENGLISH,
                                       .limit = 20 * SECOND,
                                       .seed = rng_derive(seed, seat),
                                       .manner = {.opinions = run->opinions},
                                       .answer = on_answer,
                                       .user = guest};
        guest->run = run;
        guest->seat = seat;
        assert_int_equal(model_agent_new(&run->alarms, &setup, &guest->agent, NULL), 0);
    }
}

static void close_run(Run *run)
{
    for (SeatNo seat = 1; seat <= PLAYERS; seat++) {
        nlp_bot_free(run->guests[seat].bot);
        model_agent_free(run->guests[seat].agent);
    }
    llm_endpoint_free(run->endpoint);
    llm_meter_done(&run->meter);
    assert_int_equal(run->script.open, 0);
    table_done(&run->table);
    sentences_done(&run->sentences);
    village_done(&run->village);
    for (uint32_t i = 0; i < MAILS; i++)
        buf_done(&run->mails[i].packet);
    buf_done(&run->record);
    buf_done(&run->packets);
    buf_done(&run->asked);
    buf_done(&run->packet);
    buf_done(&run->log);
}

static ModelCounts counts_of(const Run *run)
{
    ModelCounts counts = {0};

    for (SeatNo seat = 1; seat <= PLAYERS; seat++)
        model_agent_count(run->guests[seat].agent, &counts);
    return counts;
}

/* ---- a game of the protocol division ---- */

static void on_event(void *user, const Event *event)
{
    Run *run = user;

    aiwolf_log_event(&run->writer, event, &run->log);
}

static void on_tell(void *user, SeatNo seat, Tell what)
{
    Run *run = user;
    ModelAgent *agent = run->guests[seat].agent;
    const View *view = game_view(run->table.game, seat);
    const Thinker *thinker = model_agent_thinker();

    switch (what) {
    case TELL_GAME:
        thinker->begin(agent, view);
        break;
    case TELL_DAY:
    case TELL_NIGHT:
        thinker->look(agent, view);
        break;
    case TELL_END:
        thinker->end(agent, view, view->winner);
        break;
    }
}

static void on_judge(void *user, SeatNo seat, Answer *answer)
{
    Run *run = user;

    (void)seat;
    sentences_turn(&run->sentences, game_day(run->table.game));
    sentences_parse(&run->sentences, answer);
}

static const TableDivision division = {.event = on_event, .tell = on_tell, .judge = on_judge};

/* A manner without packets: the model is asked by the seat's view. */
static void ask_model(void *self, const Ask *ask, const View *view, Buf *out)
{
    const Guest *guest = self;

    (void)out;
    model_agent_thinker()->ask(guest->agent, ask, view, guest->run->now);
}

static const char *ask_name(AskKind kind)
{
    (void)kind;
    return "ASK";
}

static Reading read_answer(void *self, AskKind kind, Str text, Answer *ret_answer)
{
    (void)kind;
    (void)text;
    *ret_answer = *((const Guest *)self)->answer;
    return READ_ANSWER;
}

static const Manner manner = {
    .write_ask = ask_model, .ask_name = ask_name, .read_answer = read_answer};

static void link_takes(void *peer, Str bytes)
{
    (void)peer;
    (void)bytes;
}

static void link_ends(void *peer)
{
    (void)peer;
}

static const LinkKind link_kind = {.send = link_takes, .close = link_ends};

static void play_protocol(Run *run, uint64_t seed,
                          void (*answer)(LlmScript *, const char *, size_t, LlmScriptAnswer *))
{
    const GameKey key = {.key = key_of_seed(seed)};
    Ruleset rules;

    open_models(run, seed, true, answer);
    run->patience.answer = 3600 * SECOND;
    run->table = (Table){.division = &division,
                         .user = run,
                         .fate = {.aborts_at = FATE_NEVER, .ends_at = FATE_NEVER}};
    assert_int_equal(ruleset_preset(STR("aiwolf-2021"), &rules, NULL), 0);
    assert_int_equal(table_new(&run->table, &rules, PLAYERS, NULL), 0);
    assert_int_equal(sentences_init(&run->sentences, NULL), 0);
    for (SeatNo seat = 1; seat <= PLAYERS; seat++) {
        Chair *chair = &run->table.places[seat].chair;
        *chair = (Chair){.manner = &manner,
                         .self = &run->guests[seat],
                         .patience = &run->patience,
                         .request = &run->packet,
                         .scratch = &run->packet};
        chair_seat(chair, (Link){&link_kind, run});
    }
    aiwolf_log_begin(&run->writer, PLAYERS, NULL);
    assert_int_equal(table_begin(&run->table, NULL, game_key_chance(&key), NULL), 0);
    while (!table_run(&run->table))
        assert_true(alarms_play(&run->alarms, &run->now));
}

/* ---- a game in natural language ---- */

static void post(void *user, SeatNo seat, NlpRequest request, Str packet)
{
    Run *run = user;
    Mail *mail = &run->mails[run->last++ % MAILS];

    (void)request;
    assert_true(run->last - run->first <= MAILS);
    buf_printf(&run->packets, "%lld %u %.*s\n", (long long)run->now, seat, STR_ARG(packet));
    mail->seat = seat;
    buf_clear(&mail->packet);
    buf_add(&mail->packet, packet);
}

static void deliver(Run *run)
{
    while (run->first != run->last) {
        const Mail *mail = &run->mails[run->first++ % MAILS];
        Err err = {0};
        Str reply;

        if (nlp_bot_packet(run->guests[mail->seat].bot, buf_str(&mail->packet), run->now, &reply,
                           &err))
            fail_msg("%s", err.msg);
        assert_int_equal(reply.len, 0); /* a model has been asked */
    }
}

/* To whatever is due first, a room's end or an alarm. */
static void go_on(Run *run)
{
    TimeMs room = game_deadline(run->village.game);
    TimeUs next = alarms_next(&run->alarms);

    assert_true(room != TIME_NEVER || next != TIME_US_NEVER);
    if (room == TIME_NEVER || (TimeUs)room * 1000 > next) {
        alarms_play(&run->alarms, &run->now);
        return;
    }
    run->now = (TimeUs)room * 1000 > run->now ? (TimeUs)room * 1000 : run->now;
    game_tick(run->village.game, room);
    village_go(&run->village);
}

static void play_natural(Run *run, const char *rules, uint64_t seed,
                         void (*answer)(LlmScript *, const char *, size_t, LlmScriptAnswer *))
{
    open_models(run, seed, false, answer);
    run->village = (Village){.send = post, .user = run};
    for (SeatNo seat = 1; seat <= PLAYERS; seat++) {
        const NlpBotPlan plan = {.thinker = model_agent_thinker(),
                                 .thinker_user = run->guests[seat].agent,
                                 .name = "model",
                                 .seed = seat};
        assert_int_equal(nlp_bot_new(&plan, &run->guests[seat].bot, NULL), 0);
        nlp_bot_connected(run->guests[seat].bot);
    }
    village_begin(&run->village, rules, PLAYERS, false, seed);
    for (deliver(run); !run->village.over; deliver(run))
        go_on(run);
}

/* ---- tests ---- */

/* docs/spec/models.md 1.1, 1.2, 1.8: what servers have read they need not read again. */
static void assert_frugal(const Run *run)
{
    const LlmMeter *meter = &run->meter;

    assert_true(meter->compared > 10);
    assert_int_equal(meter->beginnings, PLAYERS);
    assert_int_equal(meter->equal_roles, 0);
    assert_int_equal(meter->empty, 0);
    assert_int_equal(meter->changed, 0);
    assert_int_equal(meter->low, 0);
    assert_true(llm_meter_share(meter) >= 0.85);
}

static void assert_alike(Run *one, Run *two)
{
    assert_frugal(one);
    assert_true(one->record.len > 500);
    assert_string_equal(buf_cstr(&one->record), buf_cstr(&two->record)); /* with all its times */
    assert_string_equal(buf_cstr(&one->log), buf_cstr(&two->log));
    assert_int_equal(one->now, two->now);
    close_run(one);
    close_run(two);
}

static void a_game_of_the_protocol_division_plays_twice_alike(void **state)
{
    Run one = {0}, two = {0};

    (void)state;
    play_protocol(&one, 21, speak_protocol);
    ModelCounts counts = counts_of(&one);
    assert_int_equal(counts.by_model, counts.decisions);
    assert_non_null(strstr(buf_cstr(&one.log), "ESTIMATE"));
    assert_true(one.now > 30 * SECOND);
    play_protocol(&two, 21, speak_protocol);
    assert_alike(&one, &two);
}

static void a_game_in_turns_plays_twice_alike(void **state)
{
    Run one = {0}, two = {0};

    (void)state;
    play_natural(&one, "nlp-turn", 22, speak_freely);
    ModelCounts counts = counts_of(&one);
    assert_int_equal(counts.by_model, counts.decisions);
    assert_true(one.village.texts > 10);
    play_natural(&two, "nlp-turn", 22, speak_freely);
    assert_alike(&one, &two);
}

static void a_game_where_all_may_speak_at_any_time_plays_twice_alike(void **state)
{
    Run one = {0}, two = {0};

    (void)state;
    play_natural(&one, "nlp-anytime", 23, speak_freely);
    assert_true(counts_of(&one).by_model > 10);
    assert_true(one.village.texts > 10);
    assert_true(one.now > 60 * SECOND);
    play_natural(&two, "nlp-anytime", 23, speak_freely);
    assert_alike(&one, &two);
}

static void slow_models_hold_nobody_up(void **state)
{
    Run run = {0};

    (void)state;
    play_natural(&run, "nlp-turn", 24, be_slow);
    ModelCounts counts = counts_of(&run);
    assert_int_equal(counts.by_model, 0);
    assert_int_equal(counts.by_rule, counts.decisions);
    assert_int_equal(counts.hurried, 0);
    /* five were waited for, each 20 s less a reserve; then the server is left alone for a while */
    assert_true(run.now > 5 * 15 * SECOND);
    assert_true(run.now < (TimeUs)counts.decisions * 20 * SECOND);
    close_run(&run);
}

/* ---- opinions ---- */

typedef enum Division {
    PROTOCOL,
    TURNS,
    ANYTIME,
    DIVISIONS,
} Division;

static void play(Run *run, Division which, uint64_t seed, LlmOpinions opinions, uint32_t parallel)
{
    *run = (Run){.opinions = opinions, .parallel = parallel};
    if (which == PROTOCOL)
        play_protocol(run, seed, think_aside);
    else
        play_natural(run, which == TURNS ? "nlp-turn" : "nlp-anytime", seed, think_aside);
}

/* With opinions and without the game is the same in each byte of what is sent, answered and logged,
 * and in each moment: nobody can see that there are any. */
static void opinions_change_nothing_that_anybody_sees(void **state)
{
    static const LlmOpinions whens[] = {OPINIONS_LINE, OPINIONS_DAY};
    uint32_t opined[DIVISIONS][2] = {0};
    (void)state;

    for (unsigned n = 0; n < 24; n++) {
        const Division which = n % DIVISIONS;
        const uint32_t parallel = n % 8 == 7 ? 2 : PLAYERS;
        Run with, without;
        play(&without, which, 100 + n, OPINIONS_OFF, parallel);
        play(&with, which, 100 + n, whens[n / DIVISIONS % 2], parallel);
        assert_int_equal(without.opined, 0);
        assert_true(with.opined > 0);
        opined[which][n / DIVISIONS % 2] += with.opined;
        assert_true(without.record.len > 100);
        assert_true(which == PROTOCOL || without.packets.len > 5000);
        assert_null(strstr(buf_cstr(&with.packets), SECRET));
        assert_string_equal(buf_cstr(&with.packets), buf_cstr(&without.packets));
        assert_string_equal(buf_cstr(&with.record), buf_cstr(&without.record));
        assert_string_equal(buf_cstr(&with.log), buf_cstr(&without.log));
        assert_string_equal(buf_cstr(&with.asked), buf_cstr(&without.asked));
        assert_int_equal(with.now, without.now);
        ModelCounts one = counts_of(&with), other = counts_of(&without);
        assert_int_equal(one.decisions, other.decisions);
        assert_int_equal(one.by_model, other.by_model);
        close_run(&with);
        close_run(&without);
    }
    uint32_t by_line = 0, by_day = 0;
    for (Division which = PROTOCOL; which < DIVISIONS; which++) {
        by_line += opined[which][0];
        by_day += opined[which][1];
        assert_true(opined[which][0] > 10 && opined[which][1] > 10);
    }
    assert_true(by_line > 2 * by_day);
}

/* The score that a program tells is that of the villagers' opinions alone. */
static void opinions_are_scored_when_roles_are_told(void **state)
{
    Run run;
    (void)state;

    play(&run, PROTOCOL, 31, OPINIONS_LINE, PLAYERS);
    ModelCounts counts = counts_of(&run);
    const OpinionScore score = opinion_score_of(&counts.figures);
    assert_true(score.count > 5);
    assert_true(score.count < run.opined);
    assert_true(score.hits > 0 && score.hits < score.count);
    assert_true(opinion_score_brier(&score) > 0 && opinion_score_brier(&score) < 1);
    close_run(&run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_game_of_the_protocol_division_plays_twice_alike),
        cmocka_unit_test(a_game_in_turns_plays_twice_alike),
        cmocka_unit_test(a_game_where_all_may_speak_at_any_time_plays_twice_alike),
        cmocka_unit_test(slow_models_hold_nobody_up),
        cmocka_unit_test(opinions_change_nothing_that_anybody_sees),
        cmocka_unit_test(opinions_are_scored_when_roles_are_told),
    };

    return cmocka_run_group_tests_name("games of models", tests, NULL, NULL);
}
