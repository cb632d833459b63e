/* test_web_seat.c - people in browsers play whole games over a network that delays, doubles and
 *                   cuts, in simulated time.
 *
 * Source: docs/spec/web.md 6, 14. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/json.h"
#include "game/ask_targets.h"
#include "lang/lang.h"
#include "sanitized.h"
#include "seat/web_seat.h"

#define SECOND   ((TimeUs)1000000)
#define LIMIT    (10 * SECOND)
#define LETTERS  4096
#define BROWSERS 2 /* of each seat */

typedef struct Hall Hall;

/* On its way from a browser. */
typedef struct Letter {
    TimeUs at;
    SeatNo seat;
    uint32_t ask; /* that it answers */
    bool stale;   /* as it must be seen */
    Buf text;
} Letter;

typedef struct Chair {
    Hall *hall;
    SeatNo seat;
    WebSeat *web;
    bool away;
    uint32_t number; /* of the last ask that was told */
    uint32_t taken;  /* of that, how often */
    bool standing;
    bool open;      /* an ask is, for the browser */
    char said[600]; /* as `taken` had it; empty = nothing is due */
    bool asked;     /* by the server */
    uint32_t asked_number;
    TimeUs until;
} Chair;

struct Hall {
    Alarms alarms;
    TimeUs now;
    Rng rng;
    Game *game;
    Ruleset rules;
    Chair chairs[SEAT_MAX + 1];
    Letter letters[LETTERS];
    size_t letter_count;
    Arena arena;
    Buf reply;
    uint64_t told[8]; /* ask unask taken refused */
    uint64_t stale, double_taken, recorded, late, silent;
    uint32_t asked; /* number of the latest asks that were put */
    Answer pending; /* of a seat */
    bool over;
};

static json_t *parse(Str text)
{
    json_t *json = NULL;
    Err err = {0};

    if (json_read(text, 1 << 20, &json, &err))
        fail_msg("%s: %.*s", err.msg, STR_ARG(text));
    return json;
}

/* ---- browsers ---- */

static void send_letter(Hall *hall, SeatNo seat, uint32_t ask, Str text)
{
    Letter *letter = &hall->letters[hall->letter_count];

    if (hall->letter_count == LETTERS)
        return;
    hall->letter_count++;
    letter->at = hall->now +
                 (TimeUs)rng_below(&hall->rng, 100) * (rng_below(&hall->rng, 8) ? 20000 : 300000);
    letter->seat = seat;
    letter->ask = ask;
    buf_clear(&letter->text);
    buf_add(&letter->text, text);
}

static Str sentence_of(Hall *hall)
{
    static const char *const natural[] = {
        "Hello everybody",
        "@Agent[02] why did you vote for me? I do not like it at all",
        "Skip",
        "Over",
        "  two  blanks\nand a line\r\nend",
        "人狼は誰ですか。私は村人です。",
        "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"
        "xxx"
        "yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy"};
    static const char *const protocol[] = {"Skip",
                                           "Over",
                                           "COMINGOUT Agent[01] SEER",
                                           "VOTE Agent[02]",
                                           "this is no sentence",
                                           "VOTE Agent[02]\nVOTE Agent[03]"};
    bool natural_language = hall->rules.talk.validate == false;

    return natural_language ? str_of(natural[rng_below(&hall->rng, 7)])
                            : str_of(protocol[rng_below(&hall->rng, 6)]);
}

/* What a person makes of an ask: mostly an answer, at times to something else. */
static void browse(Hall *hall, Chair *chair, const json_t *ask)
{
    CLEANUP(buf_done) Buf text = {0};
    const json_t *targets = json_get(ask, "targets");
    Json json = json_over(&text);
    int64_t target = 0;
    uint32_t number = (uint32_t)json_number(ask, "ask");
    Str kind = json_text(ask, "kind");
    uint32_t mood = rng_below(&hall->rng, 20);

    if (mood == 0) /* says nothing */
        return;
    if (json_count(targets))
        json_as_int(json_at(targets, rng_below(&hall->rng, (uint32_t)json_count(targets))),
                    &target);
    if (mood == 1)
        target = rng_below(&hall->rng, 20);
    uint32_t answered = mood == 2 && number > 1 ? number - 1 : mood == 3 ? number + 1 : number;
    json_open(&json, '{');
    json_add_str(&json, "type", STR("answer"));
    json_add_uint(&json, "ask", answered);
    json_add_str(&json, "kind", mood == 4 ? STR("divine") : kind);
    json_add_int(&json, "target", target);
    json_add_str(&json, "text", sentence_of(hall));
    char key[16];
    snprintf(key, sizeof(key), "%x", rng_below(&hall->rng, UINT32_MAX));
    json_add_str(&json, "key", str_of(key));
    json_close(&json);
    send_letter(hall, chair->seat, answered, buf_str(&text));
    if (mood < 10) /* it was not sure that it arrived */
        send_letter(hall, chair->seat, answered, buf_str(&text));
}

/* ---- seats ---- */

static void on_tell(void *user, Str text)
{
    Chair *chair = user;
    Hall *hall = chair->hall;
    json_t *message = parse(text);
    Str type = json_text(message, "type");
    uint32_t number = (uint32_t)json_number(message, "ask");

    if (str_eq(type, STR("ask"))) {
        hall->told[0]++;
        assert_true(number >= chair->number);
        if (number > chair->number)
            chair->taken = 0;
        chair->number = number;
        chair->open = true;
        chair->standing = json_get(message, "standing") != NULL;
        assert_true(json_get(message, "left_ms") == NULL ||
                    json_number(message, "left_ms") <= 600000);
        for (int i = 0; i < BROWSERS; i++)
            browse(hall, chair, message);
    } else if (str_eq(type, STR("unask"))) {
        hall->told[1]++;
        assert_int_equal(number, chair->number);
        chair->open = false;
    } else {
        assert_true(str_eq(type, STR("taken")));
        hall->told[2]++;
        assert_int_equal(number, chair->number);
        assert_true(chair->open);
        chair->taken++;
        if (!chair->standing) {
            hall->double_taken += chair->taken > 1;
            chair->open = false;
        }
        snprintf(chair->said, sizeof(chair->said), "%.*s", STR_ARG(json_text(message, "text")));
    }
    json_done(message);
}

static void put_asks(Hall *hall);
static void follow_game(Hall *hall);

static void give_answer(Chair *chair, const Answer *answer)
{
    Hall *hall = chair->hall;
    Answer given = *answer;
    const Sentence *sentence;

    arena_clear(&hall->arena);
    if (!given.lapse && given.text.len && hall->rules.talk.validate)
        given.in_language = lang_parse(given.text, &hall->arena, &sentence, NULL) == 0;
    Err err = {0};
    if (game_answer(hall->game, chair->seat, &given, &err))
        fail_msg("seat %u: %s", chair->seat, err.msg);
}

static void on_answer(void *user, const Ask *ask, const Answer *answer)
{
    Chair *chair = user;
    Hall *hall = chair->hall;

    assert_true(game_is_asked(hall->game, chair->seat, ask->kind));
    assert_true(chair->asked || ask->standing);
    if (!ask->standing)
        chair->asked = false;
    give_answer(chair, answer);
    follow_game(hall);
    put_asks(hall);
}

static void on_silent(void *user, TimeUs now)
{
    Chair *chair = user;

    (void)now;
    chair->hall->silent++;
}

/* ---- the server ---- */

static void hear_event(Hall *hall, const Event *event)
{
    if (event->kind == EVENT_TALK || event->kind == EVENT_WHISPER) {
        Chair *chair = &hall->chairs[event->seat];
        if (!chair->said[0])
            return;
        /* What the browser was told is what everybody hears, unless the rules' Skip is in its
         * place. */
        if (!str_eq(str_of(chair->said), event->talk->text) && !event->talk->over &&
            !event->talk->skip)
            fail_msg("'%s' was recorded as '%.*s'", chair->said, STR_ARG(event->talk->text));
        hall->recorded += str_eq(str_of(chair->said), event->talk->text);
        chair->said[0] = '\0';
    }
    if (event->kind == EVENT_PHASE_END)
        for (SeatNo seat = 1; seat <= game_seat_count(hall->game); seat++)
            web_seat_thinker()->unask(hall->chairs[seat].web);
}

static void follow_game(Hall *hall)
{
    Event event;

    while (game_next_event(hall->game, &event))
        hear_event(hall, &event);
    for (SeatNo seat = 1; seat <= game_seat_count(hall->game); seat++)
        web_seat_thinker()->look(hall->chairs[seat].web, game_view(hall->game, seat));
}

static void put_asks(Hall *hall)
{
    Ask asks[2 * SEAT_MAX];
    size_t count = game_asks(hall->game, asks);
    uint32_t newest = hall->asked;

    for (size_t i = 0; i < count; i++) {
        Chair *chair = &hall->chairs[asks[i].seat];
        if (asks[i].number <= hall->asked)
            continue;
        newest = asks[i].number;
        chair->asked = !asks[i].standing;
        chair->asked_number = asks[i].number;
        chair->until = hall->now + LIMIT;
        chair->said[0] = '\0';
        web_seat_thinker()->ask(chair->web, &asks[i], game_view(hall->game, asks[i].seat),
                                hall->now);
    }
    hall->asked = newest;
    if (game_over(hall->game) && !hall->over) {
        hall->over = true;
        for (SeatNo seat = 1; seat <= game_seat_count(hall->game); seat++)
            web_seat_thinker()->end(hall->chairs[seat].web, game_view(hall->game, seat),
                                    game_winner(hall->game));
    }
}

static void give_up_asks(Hall *hall)
{
    for (SeatNo seat = 1; seat <= game_seat_count(hall->game); seat++) {
        Chair *chair = &hall->chairs[seat];
        const Answer lapse = {.kind = ASK_TALK, .lapse = true};
        Ask asks[2 * SEAT_MAX];
        if (!chair->asked || hall->now < chair->until)
            continue;
        chair->asked = false;
        hall->late++;
        web_seat_thinker()->unask(chair->web);
        size_t count = game_asks(hall->game, asks);
        Answer answer = lapse;
        for (size_t i = 0; i < count; i++)
            if (asks[i].seat == seat)
                answer.kind = asks[i].kind;
        give_answer(chair, &answer);
        follow_game(hall);
        put_asks(hall);
    }
}

/* ---- the network ---- */

static void deliver_letter(Hall *hall, size_t index)
{
    Letter *letter = &hall->letters[index];
    Chair *chair = &hall->chairs[letter->seat];
    Buf text = letter->text;
    json_t *message = parse(buf_str(&text));
    uint32_t ask = letter->ask;
    bool open = chair->open && chair->number == ask;
    uint32_t asked = web_seat_asked(chair->web);

    letter->text = (Buf){0};
    Letter last = hall->letters[--hall->letter_count];
    hall->letters[hall->letter_count] = (Letter){0};
    if (index < hall->letter_count)
        hall->letters[index] = last;
    web_seat_hear(chair->web, message, hall->now, &hall->reply);
    if (hall->reply.len) {
        json_t *reply = parse(buf_str(&hall->reply));
        Str type = json_text(reply, "type");
        assert_true(str_eq(type, STR("refused")) || str_eq(type, STR("taken")));
        if (str_eq(type, STR("refused"))) {
            hall->told[3]++;
            hall->stale += str_eq(json_text(reply, "code"), STR("stale"));
            assert_int_equal(web_seat_asked(chair->web), asked); /* nothing has changed */
        }
        if (!open && str_eq(type, STR("refused")))
            assert_true(str_eq(json_text(reply, "code"), STR("stale")) ||
                        str_eq(json_text(reply, "code"), STR("rate")));
        json_done(reply);
    }
    json_done(message);
    buf_done(&text);
}

static void come_and_go(Hall *hall, SeatNo players)
{
    Chair *chair = &hall->chairs[1 + rng_below(&hall->rng, players)];

    if (rng_below(&hall->rng, 40))
        return;
    chair->away = !chair->away;
    web_seat_set_away(chair->web, chair->away, hall->now);
}

static TimeUs next_time(const Hall *hall)
{
    TimeUs next = alarms_next(&hall->alarms);

    for (size_t i = 0; i < hall->letter_count; i++)
        if (hall->letters[i].at < next)
            next = hall->letters[i].at;
    for (SeatNo seat = 1; seat <= game_seat_count(hall->game); seat++)
        if (hall->chairs[seat].asked && hall->chairs[seat].until < next)
            next = hall->chairs[seat].until;
    TimeMs due = game_deadline(hall->game);
    if (due != TIME_NEVER && due * 1000 < next)
        next = due * 1000;
    return next;
}

static void step(Hall *hall, SeatNo players)
{
    TimeUs next = next_time(hall);

    assert_true(next != TIME_US_NEVER);
    hall->now = next > hall->now ? next : hall->now;
    come_and_go(hall, players);
    alarms_ring(&hall->alarms, hall->now);
    for (size_t i = 0; i < hall->letter_count; i++)
        if (hall->letters[i].at <= hall->now) {
            deliver_letter(hall, i);
            break;
        }
    give_up_asks(hall);
    game_tick(hall->game, hall->now / 1000);
    follow_game(hall);
    put_asks(hall);
}

static void play(Hall *hall, const char *preset, SeatNo players, const char *bot, uint64_t seed)
{
    GameSetup setup = {0};

    hall->rng = rng_new(seed);
    assert_int_equal(ruleset_preset(str_of(preset), &hall->rules, NULL), 0);
    hall->rules.contest.time_limit_told_ms = (int32_t)(LIMIT / 1000);
    if (!hall->rules.talk.validate && seed % 2) {
        hall->rules.talk.length.per_talk = 60;
        hall->rules.talk.length.base_length = 20;
        hall->rules.talk.length.mention_length = 15;
        hall->rules.talk.length.per_agent = 80;
        hall->rules.talk.length.count_spaces = true;
    }
    hall->arena = arena_new(LANG_ARENA_BYTES(LANG_BYTES_MAX));
    assert_int_equal(game_new(&hall->rules, players, &hall->game, NULL), 0);
    assert_int_equal(game_start(hall->game, &setup, chance_from_seed(seed), NULL), 0);
    for (SeatNo seat = 1; seat <= players; seat++) {
        Chair *chair = &hall->chairs[seat];
        const WebSeatSetup made = {.protocol = hall->rules.talk.validate,
                                   .bot = bot_kind(str_of(bot)),
                                   .seed = seed * 100 + seat,
                                   .pause_min = SECOND / 2,
                                   .pause_max = 3 * SECOND,
                                   .tell = on_tell,
                                   .answer = on_answer,
                                   .silent = on_silent,
                                   .user = chair};
        *chair = (Chair){.hall = hall, .seat = seat};
        assert_int_equal(web_seat_new(&hall->alarms, &made, &chair->web, NULL), 0);
        web_seat_game(chair->web, STR("g1"));
    }
    Event event;
    while (game_next_event(hall->game, &event))
        ;
    for (SeatNo seat = 1; seat <= players; seat++)
        web_seat_thinker()->begin(hall->chairs[seat].web, game_view(hall->game, seat));
    put_asks(hall);
    for (int i = 0; !hall->over; i++) {
        if (i > 200000)
            fail_msg("%s, seed %lu: no end", preset, (unsigned long)seed);
        step(hall, players);
    }
    for (SeatNo seat = 1; seat <= players; seat++) {
        assert_int_equal(web_seat_asked(hall->chairs[seat].web), 0);
        hall->chairs[seat].web = web_seat_free(hall->chairs[seat].web);
    }
    hall->game = game_free(hall->game);
    arena_done(&hall->arena);
    for (size_t i = 0; i < LETTERS; i++)
        buf_done(&hall->letters[i].text);
    hall->letter_count = 0;
    assert_int_equal(alarms_next(&hall->alarms), TIME_US_NEVER);
    hall->over = false;
    hall->asked = 0;
    hall->now = 0;
}

static void play_many(const char *preset, SeatNo players, const char *bot, unsigned all)
{
    Hall *hall = mem_new(sizeof(*hall));
    const unsigned games = sanitized_share(all);

    for (uint64_t seed = 1; seed <= games; seed++)
        play(hall, preset, players, bot, seed);
    assert_int_equal(hall->double_taken, 0);
    assert_true(hall->told[0] > games * 10);
    assert_true(hall->told[2] > games * 5);
    assert_true(hall->told[3] > games);
    assert_true(hall->stale > games);
    assert_true(hall->recorded > games);
    buf_done(&hall->reply);
    mem_free(hall);
}

static void games_in_turns_end_over_a_bad_network(void **state)
{
    (void)state;
    play_many("nlp-turn", 5, "talker", 300);
}

static void games_at_any_time_end_over_a_bad_network(void **state)
{
    (void)state;
    play_many("nlp-anytime", 5, "talker", 100);
}

static void games_of_the_protocol_end_over_a_bad_network(void **state)
{
    (void)state;
    play_many("aiwolf-2021", 15, "sample", 60);
}

/* ---- single things ---- */

typedef struct Note {
    Buf told; /* messages, one a line */
    Buf answers;
    unsigned silent;
} Note;

static void note_told(void *user, Str json)
{
    Note *note = user;

    buf_add(&note->told, json);
    buf_add_char(&note->told, '\n');
}

static void note_answer(void *user, const Ask *ask, const Answer *answer)
{
    Note *note = user;

    buf_printf(&note->answers, "%s %u %.*s%s\n", ask->kind == ASK_TALK ? "talk" : "other",
               answer->target, STR_ARG(answer->text), answer->lapse ? " (lapse)" : "");
}

static void note_silent(void *user, TimeUs now)
{
    Note *note = user;

    (void)now;
    note->silent++;
}

typedef struct Bench {
    Alarms alarms;
    Note note;
    Game *game;
    WebSeat *web;
    Buf reply;
} Bench;

static void bench_begin(Bench *bench, const char *preset, bool lapses)
{
    Ruleset rules;
    const WebSeatSetup setup = {.protocol = str_starts(str_of(preset), STR("aiwolf")),
                                .bot = bot_kind(STR("talker")),
                                .limit = LIMIT,
                                .lapses = lapses,
                                .pause_min = SECOND,
                                .pause_max = SECOND,
                                .tell = note_told,
                                .answer = note_answer,
                                .silent = note_silent,
                                .user = &bench->note};
    Event event;

    assert_int_equal(ruleset_preset(str_of(preset), &rules, NULL), 0);
    rules.contest.time_limit_told_ms = -1;
    rules.vote.self_vote = false;
    assert_int_equal(game_new(&rules, 5, &bench->game, NULL), 0);
    assert_int_equal(game_start(bench->game, NULL, chance_from_seed(3), NULL), 0);
    while (game_next_event(bench->game, &event))
        ;
    assert_int_equal(web_seat_new(&bench->alarms, &setup, &bench->web, NULL), 0);
    web_seat_game(bench->web, STR("01M8"));
    web_seat_thinker()->begin(bench->web, game_view(bench->game, 1));
}

static void bench_done(Bench *bench)
{
    web_seat_free(bench->web);
    game_free(bench->game);
    buf_done(&bench->note.told);
    buf_done(&bench->note.answers);
    buf_done(&bench->reply);
}

static void bench_ask(Bench *bench, AskKind kind, TimeUs now)
{
    const Ask ask = {.seat = 1, .kind = kind};

    web_seat_thinker()->ask(bench->web, &ask, game_view(bench->game, 1), now);
}

/* What is replied to who has sent it. */
static const char *bench_hear(Bench *bench, const char *message, TimeUs now)
{
    json_t *json = parse(str_of(message));

    web_seat_hear(bench->web, json, now, &bench->reply);
    json_done(json);
    return buf_cstr(&bench->reply);
}

static void an_ask_an_answer_and_the_same_answer_again(void **state)
{
    Bench bench = {0};

    (void)state;
    bench_begin(&bench, "nlp-turn", false);
    bench_ask(&bench, ASK_TALK, 0);
    assert_non_null(strstr(buf_cstr(&bench.note.told),
                           "{\"type\":\"ask\",\"game\":\"01M8\",\"ask\":1,\"kind\":\"talk\","
                           "\"left_ms\":10000,\"may\":[\"skip\",\"over\"]"));
    buf_clear(&bench.note.told);
    const char *answer = "{\"ask\":1,\"kind\":\"talk\",\"text\":\"a\\nb\",\"key\":\"k1\"}";
    assert_string_equal(bench_hear(&bench, answer, SECOND), "");
    assert_string_equal(buf_cstr(&bench.note.told),
                        "{\"type\":\"taken\",\"game\":\"01M8\","
                        "\"ask\":1,\"kind\":\"talk\",\"key\":\"k1\",\"text\":\"a b\"}\n");
    assert_string_equal(buf_cstr(&bench.note.answers), "talk 0 a b\n");
    buf_clear(&bench.note.told);
    assert_string_equal(
        bench_hear(&bench, answer, 2 * SECOND),
        "{\"type\":\"taken\",\"game\":\"01M8\",\"ask\":1,\"kind\":\"talk\",\"key\":\"k1\","
        "\"text\":\"a b\"}");
    assert_string_equal(buf_cstr(&bench.note.told), "");
    assert_string_equal(buf_cstr(&bench.note.answers), "talk 0 a b\n");
    assert_non_null(
        strstr(bench_hear(&bench, "{\"ask\":1,\"kind\":\"talk\",\"text\":\"c\",\"key\":\"k2\"}",
                          3 * SECOND),
               "\"code\":\"stale\""));
    bench_done(&bench);
}

static void what_does_not_fit_is_refused_and_the_ask_stays_open(void **state)
{
    static const struct {
        const char *message, *code;
    } cases[] = {
        {"{\"ask\":1,\"kind\":\"vote\",\"target\":1}", "dead-target"}, /* oneself */
        {"{\"ask\":1,\"kind\":\"vote\",\"target\":9}", "dead-target"},
        {"{\"ask\":1,\"kind\":\"vote\"}", "dead-target"},
        {"{\"ask\":1,\"kind\":\"vote\",\"target\":31}", "bad"},
        {"{\"ask\":1,\"kind\":\"vote\",\"target\":\"2\"}", "bad"},
        {"{\"ask\":1,\"kind\":\"divine\",\"target\":2}", "bad-kind"},
        {"{\"ask\":1,\"kind\":\"sing\",\"target\":2}", "bad"},
        {"{\"ask\":1,\"target\":2}", "bad"},
        {"{\"ask\":0,\"kind\":\"vote\",\"target\":2}", "stale"},
        {"{\"ask\":2,\"kind\":\"vote\",\"target\":2}", "stale"},
        {"{\"ask\":4294967297,\"kind\":\"vote\",\"target\":2}", "bad"},
        {"{\"ask\":1,\"kind\":\"vote\",\"target\":2,\"key\":"
         "\"0123456789012345678901234567890123456789\"}",
         "bad"},
        {"{}", "bad"},
        {"[]", "bad"},
    };
    Bench bench = {0};

    (void)state;
    bench_begin(&bench, "nlp-turn", false);
    bench_ask(&bench, ASK_VOTE, 0);
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        CLEANUP(buf_done) Buf code = {0};
        buf_printf(&code, "\"code\":\"%s\"", cases[i].code);
        const char *reply = bench_hear(&bench, cases[i].message, (TimeUs)(i + 1) * SECOND / 4);
        if (!strstr(reply, buf_cstr(&code)))
            fail_msg("%s gives %s", cases[i].message, reply);
    }
    assert_non_null(
        strstr(bench_hear(&bench, "{\"ask\":1,\"kind\":\"vote\",\"target\":1}", 5 * SECOND),
               "\"targets\":[2,3,4,5]"));
    assert_string_equal(buf_cstr(&bench.note.answers), "");
    bench_hear(&bench, "{\"ask\":1,\"kind\":\"vote\",\"target\":3}", 6 * SECOND);
    assert_string_equal(buf_cstr(&bench.note.answers), "other 3 \n");
    bench_done(&bench);
}

static void more_than_five_answers_a_second_are_refused(void **state)
{
    Bench bench = {0};

    (void)state;
    bench_begin(&bench, "nlp-turn", false);
    bench_ask(&bench, ASK_VOTE, 0);
    for (int i = 0; i < 5; i++)
        assert_non_null(
            strstr(bench_hear(&bench, "{\"ask\":7,\"kind\":\"vote\"}", SECOND), "stale"));
    assert_non_null(strstr(bench_hear(&bench, "{\"ask\":1,\"kind\":\"vote\",\"target\":2}", SECOND),
                           "\"rate\""));
    assert_string_equal(buf_cstr(&bench.note.answers), "");
    bench_hear(&bench, "{\"ask\":1,\"kind\":\"vote\",\"target\":2}", 2 * SECOND);
    assert_string_equal(buf_cstr(&bench.note.answers), "other 2 \n");
    bench_done(&bench);
}

static void a_sentence_that_is_none_says_where(void **state)
{
    Bench bench = {0};

    (void)state;
    bench_begin(&bench, "aiwolf-2021", false);
    bench_ask(&bench, ASK_TALK, 0);
    assert_non_null(strstr(
        bench_hear(&bench, "{\"ask\":1,\"kind\":\"talk\",\"text\":\"I am the seer\"}", SECOND),
        "\"code\":\"no-sentence\""));
    bench_hear(&bench, "{\"ask\":1,\"kind\":\"talk\",\"text\":\"VOTE Agent[02]\"}", SECOND);
    assert_string_equal(buf_cstr(&bench.note.answers), "talk 0 VOTE Agent[02]\n");
    bench_done(&bench);
}

static void who_comes_back_gets_the_open_ask_with_its_time(void **state)
{
    Bench bench = {0};

    (void)state;
    bench_begin(&bench, "nlp-turn", false);
    web_seat_greet(bench.web, 0, note_told, &bench.note);
    assert_string_equal(buf_cstr(&bench.note.told), "");
    bench_ask(&bench, ASK_VOTE, 0);
    buf_clear(&bench.note.told);
    web_seat_greet(bench.web, 4 * SECOND, note_told, &bench.note);
    assert_string_equal(buf_cstr(&bench.note.told),
                        "{\"type\":\"ask\",\"game\":\"01M8\",\"ask\":1,\"kind\":\"vote\","
                        "\"targets\":[2,3,4,5],\"revote\":false,\"left_ms\":6000}\n");
    bench_done(&bench);
}

static void a_bot_decides_for_who_is_away_until_it_is_back(void **state)
{
    Bench bench = {0};
    TimeUs now = 0;

    (void)state;
    bench_begin(&bench, "nlp-turn", false);
    web_seat_set_away(bench.web, true, now);
    bench_ask(&bench, ASK_VOTE, now);
    assert_true(alarms_play(&bench.alarms, &now));
    assert_int_equal(now, SECOND);
    assert_true(str_starts(buf_str(&bench.note.answers), STR("other ")));
    assert_non_null(strstr(buf_cstr(&bench.note.told), "\"unask\""));
    buf_clear(&bench.note.answers);
    /* Back in time, it decides itself. */
    bench_ask(&bench, ASK_VOTE, now);
    web_seat_set_away(bench.web, false, now);
    assert_true(alarms_next(&bench.alarms) == now + LIMIT);
    bench_hear(&bench, "{\"ask\":2,\"kind\":\"vote\",\"target\":4}", now);
    assert_string_equal(buf_cstr(&bench.note.answers), "other 4 \n");
    assert_int_equal(bench.note.silent, 0);
    bench_done(&bench);
}

static void
over_its_time_it_lapses_where_that_is_wanted_and_is_asked_whether_it_is_there(void **state)
{
    Bench bench = {0};
    TimeUs now = 0;

    (void)state;
    bench_begin(&bench, "aiwolf-2021", true);
    bench_ask(&bench, ASK_VOTE, now);
    assert_true(alarms_play(&bench.alarms, &now));
    assert_int_equal(now, LIMIT);
    assert_string_equal(buf_cstr(&bench.note.answers), "other 0  (lapse)\n");
    assert_int_equal(bench.note.silent, 0);
    bench_ask(&bench, ASK_VOTE, now);
    assert_true(alarms_play(&bench.alarms, &now));
    assert_int_equal(bench.note.silent, 1);
    bench_done(&bench);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(games_in_turns_end_over_a_bad_network),
        cmocka_unit_test(games_at_any_time_end_over_a_bad_network),
        cmocka_unit_test(games_of_the_protocol_end_over_a_bad_network),
        cmocka_unit_test(an_ask_an_answer_and_the_same_answer_again),
        cmocka_unit_test(what_does_not_fit_is_refused_and_the_ask_stays_open),
        cmocka_unit_test(more_than_five_answers_a_second_are_refused),
        cmocka_unit_test(a_sentence_that_is_none_says_where),
        cmocka_unit_test(who_comes_back_gets_the_open_ask_with_its_time),
        cmocka_unit_test(a_bot_decides_for_who_is_away_until_it_is_back),
        cmocka_unit_test(
            over_its_time_it_lapses_where_that_is_wanted_and_is_asked_whether_it_is_there),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
