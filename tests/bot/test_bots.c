/* Tests of the built-in bots: whole games on a small table of their own, and single decisions on
 * views made by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "bot/kinds.h"
#include "lang/lang.h"

#define DAY_ARENA_BYTES ((size_t)8 << 20)

/* ---- a table ---- */

typedef struct Table Table;

/* Called with every answer of a bot before the game gets it, and with every event. */
typedef void (*OnAnswer)(Table *table, const Ask *ask, const View *view, const Answer *answer);
typedef void (*OnEvent)(Table *table, const Event *event);

struct Table {
    Game *game;
    SeatNo players;
    Bot *bots[SEAT_MAX + 1];
    SeatSet hostile; /* seats that talk nonsense */
    Rng nonsense;
    Rng *swapped;              /* now and then a seat gets a fresh bot */
    char text[LANG_BYTES_MAX]; /* of the last nonsense */
    Arena day;                 /* parsed sentences of a day */
    OnAnswer on_answer;
    OnEvent on_event;

    uint64_t digest;       /* of all answers */
    SeatSet divined_truly; /* by a seer, so far */
    SeatSet executed;
    uint32_t said_today[SEAT_MAX + 1];
    uint32_t lines; /* talk */
    uint32_t content;
    uint32_t last_day;
    uint32_t checked;
};

static Table *table_new(const char *ruleset, SeatNo players)
{
    Table *table = mem_new(sizeof(*table));
    Ruleset rules;

    assert_non_null(table);
    assert_int_equal(ruleset_preset(str_of(ruleset), &rules, NULL), 0);
    assert_int_equal(game_new(&rules, players, &table->game, NULL), 0);
    table->players = players;
    table->day = arena_new(DAY_ARENA_BYTES);
    for (SeatNo seat = 1; seat <= players; seat++) {
        table->bots[seat] = mem_new(bot_sample.bytes + bot_random.bytes);
        memset(table->bots[seat], 0xA5, bot_sample.bytes);
    }
    return table;
}

static void table_free(Table *table)
{
    for (SeatNo seat = 1; seat <= table->players; seat++)
        mem_free(table->bots[seat]);
    arena_done(&table->day);
    game_free(table->game);
    mem_free(table);
}

static void digest(Table *table, const void *bytes, size_t len)
{
    for (size_t i = 0; i < len; i++)
        table->digest = (table->digest ^ ((const uint8_t *)bytes)[i]) * UINT64_C(0x100000001B3);
}

/* ---- nonsense ---- */

static LangAgent odd_agent(Table *table)
{
    static const LangAgent odd[] = {LANG_ANY, LANG_UNSPEC, 31, 32, 33, 64, 255, 256, INT32_MAX};

    if (rng_below(&table->nonsense, 3) == 0)
        return odd[rng_below(&table->nonsense, sizeof(odd) / sizeof(odd[0]))];
    return (LangAgent)(1 + rng_below(&table->nonsense, table->players));
}

static const Sentence *odd_sentence(Table *table, unsigned depth)
{
    Arena *arena = &table->day;
    Rng *rng = &table->nonsense;
    LangAgent subject = rng_below(rng, 2) ? LANG_UNSPEC : odd_agent(table);
    LangAgent target = odd_agent(table);
    Role role = (Role)rng_below(rng, ROLE_COUNT);
    Species species = (Species)rng_below(rng, 3);
    const Sentence *parts[6];
    size_t count = 1 + rng_below(rng, 6);

    switch (rng_below(rng, depth == 0 ? 6 : 14)) {
    case 0:
        return lang_comingout(arena, subject, target, role);
    case 1:
        return lang_divined(arena, subject, target, species);
    case 2:
        return lang_identified(arena, subject, target, species);
    case 3:
        return lang_vote(arena, subject, target);
    case 4:
        return lang_estimate(arena, subject, target, role);
    case 5:
        return lang_agree(arena, subject, LANG_TALK, INT32_MAX, INT32_MAX);
    case 6:
        return lang_request(arena, subject, target, odd_sentence(table, depth - 1));
    case 7:
        return lang_inquire(arena, subject, target, odd_sentence(table, depth - 1));
    case 8:
        return lang_day(arena, subject, INT32_MAX, odd_sentence(table, depth - 1));
    case 9:
        return lang_not(arena, subject, odd_sentence(table, depth - 1));
    case 10:
        return lang_because(arena, subject, odd_sentence(table, depth - 1),
                            odd_sentence(table, depth - 1));
    case 11:
        return lang_xor(arena, subject, odd_sentence(table, depth - 1),
                        odd_sentence(table, depth - 1));
    default:
        for (size_t i = 0; i < count; i++)
            parts[i] = odd_sentence(table, depth > 2 ? 1 : depth - 1);
        return lang_and(arena, subject, count, parts);
    }
}

static Str talk_nonsense(Table *table)
{
    Arena before = table->day;
    const Sentence *sentence = odd_sentence(table, rng_below(&table->nonsense, 5));
    size_t length = sentence ? lang_write(sentence, table->text, sizeof(table->text)) : 0;

    table->day = before;
    return length > 0 && length < sizeof(table->text) ? (Str){table->text, length} : STR("Skip");
}

/* ---- playing ---- */

static Answer table_answer(Table *table, const BotKind *kind, const Ask *ask)
{
    const View *view = game_view(table->game, ask->seat);
    bool talks = ask->kind == ASK_TALK || ask->kind == ASK_WHISPER;
    Answer answer = {.kind = ask->kind};

    if (talks && seat_in(table->hostile, ask->seat)) {
        answer.lapse = ask->standing && table->said_today[ask->seat] > 5;
        answer.text = talk_nonsense(table);
    } else {
        if (table->swapped && rng_below(table->swapped, 50) == 0)
            kind->start(table->bots[ask->seat], view, rng_next(table->swapped));
        kind->answer(table->bots[ask->seat], ask, view, &answer);
        if (table->on_answer)
            table->on_answer(table, ask, view, &answer);
    }
    if (!answer.lapse && talks)
        answer.in_language = lang_parse(answer.text, &table->day, &answer.sentence, NULL) == 0;
    digest(table, &answer.target, sizeof(answer.target));
    digest(table, answer.text.bytes, answer.lapse ? 0 : answer.text.len);
    return answer;
}

static void table_events(Table *table)
{
    Event event;

    while (game_next_event(table->game, &event)) {
        if (event.kind == EVENT_DAY) {
            arena_clear(&table->day);
            memset(table->said_today, 0, sizeof(table->said_today));
            table->last_day = event.day;
        }
        if (event.kind == EVENT_TALK) {
            table->lines++;
            table->content += !event.talk->skip && !event.talk->over;
            table->said_today[event.seat]++;
        }
        if (event.kind == EVENT_DIVINE)
            table->divined_truly |= seat_bit(event.target);
        if (event.kind == EVENT_EXECUTE && event.seat != SEAT_NONE)
            table->executed |= seat_bit(event.seat);
        if (table->on_event)
            table->on_event(table, &event);
    }
}

/* One pass over asks that stand open; false when nobody had anything to say. */
static bool table_open_room(Table *table, const BotKind *kind)
{
    Ask asks[2 * SEAT_MAX];
    size_t count = game_asks(table->game, asks);

    for (size_t i = 0; i < count; i++) {
        Answer answer = table_answer(table, kind, &asks[i]);

        if (!answer.lapse && game_answer(table->game, asks[i].seat, &answer, NULL) == 0)
            return true; /* the answer may have closed the room */
    }
    return false;
}

static Side table_play(Table *table, const BotKind *kind, uint64_t seed)
{
    Ask ask;

    table->nonsense = rng_new(seed);
    table->divined_truly = table->executed = 0;
    assert_int_equal(game_start(table->game, NULL, chance_from_seed(rng_derive(seed, 0)), NULL), 0);
    for (SeatNo seat = 1; seat <= table->players; seat++)
        kind->start(table->bots[seat], game_view(table->game, seat), rng_derive(seed, seat));
    for (;;) {
        table_events(table);
        if (game_over(table->game))
            return game_winner(table->game);
        if (!game_first_ask(table->game, &ask)) {
            game_tick(table->game, game_deadline(table->game));
        } else if (ask.standing) {
            if (!table_open_room(table, kind))
                game_tick(table->game, game_deadline(table->game));
        } else {
            Answer answer = table_answer(table, kind, &ask);

            assert_int_equal(game_answer(table->game, ask.seat, &answer, NULL), 0);
        }
    }
}

typedef struct Room {
    const char *ruleset;
    SeatNo players;
    unsigned games;
} Room;

static const Room rooms[] = {
    {"aiwolf-server", 5, 600},
    {"aiwolf-server", 15, 60},
    {"aiwolf-2019", 15, 30},
    {"aiwolf-2021", 3, 100},
    {"aiwolf-2021", 10, 60},
    {"aiwolf-2021", 18, 20},
    {"nlp-turn", 5, 200},
    {"nlp-turn", 13, 40},
    {"nlp-anytime", 5, 200},
    {"nlp-anytime", 13, 20},
    {"maw", 3, 60},
    {"maw", 6, 60},
    {"maw", 30, 4},
};

/* Plays games of a bot in rooms of every ruleset; fewer against seats that talk nonsense. */
static void play_everywhere(const BotKind *kind, OnAnswer on_answer, OnEvent on_event,
                            SeatSet hostile)
{
    for (size_t i = 0; i < sizeof(rooms) / sizeof(rooms[0]); i++) {
        Table *table = table_new(rooms[i].ruleset, rooms[i].players);

        table->on_answer = on_answer;
        table->on_event = on_event;
        table->hostile = hostile;
        for (unsigned g = 0; g < rooms[i].games / (hostile ? 4 : 1); g++)
            table_play(table, kind, 1000 * i + g);
        table_free(table);
    }
}

/* ---- what must hold of every answer ---- */

static void target_is_legal(Table *table, const Ask *ask, const View *view, const Answer *answer)
{
    SeatSet others = view->alive & ~seat_bit(ask->seat);

    (void)table;
    if (ask->kind == ASK_ROLE)
        assert_int_equal(answer->wish, ROLE_NONE);
    if (answer->lapse || ask->kind == ASK_TALK || ask->kind == ASK_WHISPER || ask->kind == ASK_ROLE)
        return;
    if (others == 0)
        assert_int_equal(answer->target, SEAT_NONE);
    else
        assert_true(seat_in(others, answer->target));
}

static void target_suits_the_role(Table *table, const Ask *ask, const View *view,
                                  const Answer *answer)
{
    target_is_legal(table, ask, view, answer);
    if (ask->kind == ASK_ATTACK && !answer->lapse)
        assert_int_not_equal(view->roles[answer->target], ROLE_WEREWOLF);
}

static void sentence_is_canonical(Table *table, const Ask *ask, const View *view,
                                  const Answer *answer)
{
    char text[LANG_TEXT_MAX];
    char block[LANG_ARENA_BYTES(1024)];
    Arena arena = arena_over(block, sizeof(block));
    const Sentence *sentence;

    (void)view;
    if (answer->lapse || (ask->kind != ASK_TALK && ask->kind != ASK_WHISPER))
        return;
    assert_in_range(answer->text.len, 4, 1023);
    assert_int_equal(lang_parse(answer->text, &arena, &sentence, NULL), 0);
    assert_int_equal(lang_write(sentence, text, sizeof(text)), answer->text.len);
    assert_memory_equal(text, answer->text.bytes, answer->text.len);
    table->checked++;
}

static void all_is_well(Table *table, const Ask *ask, const View *view, const Answer *answer)
{
    target_suits_the_role(table, ask, view, answer);
    sentence_is_canonical(table, ask, view, answer);
}

static void random_speaks_only_over(Table *table, const Ask *ask, const View *view,
                                    const Answer *answer)
{
    target_is_legal(table, ask, view, answer);
    if (!answer->lapse && (ask->kind == ASK_TALK || ask->kind == ASK_WHISPER))
        assert_true(str_eq(answer->text, STR("Over")));
}

static void random_says_over_and_names_somebody_else_alive(void **state)
{
    (void)state;
    play_everywhere(&bot_random, random_speaks_only_over, NULL, 0);
}

static void random_names_every_other_seat_about_equally_often(void **state)
{
    uint32_t times[SEAT_MAX + 1] = {0};
    uint64_t memory[16];
    Bot *bot = (Bot *)memory;
    View view = {.seat = 4, .seat_count = 15, .alive = seat_all(15) & ~seat_bit(9)};
    Ask ask = {.seat = 4, .kind = ASK_VOTE};

    (void)state;
    assert_true(bot_random.bytes <= sizeof(memory));
    bot_random.start(bot, &view, 1);
    for (unsigned i = 0; i < 13000; i++) {
        Answer answer = {.kind = ASK_VOTE};

        bot_random.answer(bot, &ask, &view, &answer);
        times[answer.target]++;
    }
    assert_int_equal(times[0] + times[4] + times[9], 0);
    for (SeatNo seat = 1; seat <= 15; seat++)
        if (seat != 4 && seat != 9)
            assert_in_range(times[seat], 1000 - 4 * 31, 1000 + 4 * 31);
}

static void sample_writes_canonical_sentences_and_legal_targets_everywhere(void **state)
{
    (void)state;
    play_everywhere(&bot_sample, all_is_well, NULL, 0);
}

static void thousands_of_sentences_of_sample_are_canonical(void **state)
{
    Table *table = table_new("aiwolf-server", 5);

    (void)state;
    table->on_answer = all_is_well;
    for (unsigned g = 0; g < 3000; g++)
        table_play(table, &bot_sample, 50000 + g);
    assert_true(table->checked > 100000);
    table_free(table);
}

static void hostile_talk_does_not_break_sample(void **state)
{
    (void)state;
    play_everywhere(&bot_sample, all_is_well, NULL, 0x2AAAAAAA);
    play_everywhere(&bot_sample, all_is_well, NULL, 0x7FFFFFF0);
}

static uint64_t digest_of(uint64_t seed)
{
    Table *table = table_new("aiwolf-server", 15);
    uint64_t result;

    for (unsigned g = 0; g < 20; g++)
        table_play(table, &bot_sample, seed + g);
    result = table->digest;
    table_free(table);
    return result;
}

static void the_same_seed_gives_the_same_answers(void **state)
{
    (void)state;
    assert_int_equal(digest_of(7), digest_of(7));
    assert_int_not_equal(digest_of(7), digest_of(8));
}

/* ---- what is told ---- */

static void check_own_result(Table *table, const Talk *talk, const Sentence *result)
{
    Role teller = game_role(table->game, talk->seat);
    Species truth;

    if (result->subject != LANG_UNSPEC)
        return;
    truth = role_species(game_role(table->game, (SeatNo)result->target));
    if (teller == ROLE_SEER && result->kind == LANG_DIVINED) {
        assert_int_equal(result->species, truth);
        assert_true(seat_in(table->divined_truly, (SeatNo)result->target));
        table->checked++;
    }
    if (teller == ROLE_MEDIUM && result->kind == LANG_IDENTIFIED) {
        assert_int_equal(result->species, truth);
        assert_true(seat_in(table->executed, (SeatNo)result->target));
        table->checked++;
    }
}

static void each_clause(Table *table, const Talk *talk, const Sentence *clause,
                        void (*check)(Table *, const Talk *, const Sentence *))
{
    check(table, talk, clause);
    for (const Sentence *c = clause->child; c; c = c->next)
        each_clause(table, talk, c, check);
}

static void results_are_true(Table *table, const Event *event)
{
    if (event->kind == EVENT_TALK && event->talk->sentence)
        each_clause(table, event->talk, event->talk->sentence, check_own_result);
}

static void seers_and_mediums_tell_what_they_learnt(void **state)
{
    Table *table = table_new("aiwolf-server", 15);

    (void)state;
    table->on_event = results_are_true;
    for (unsigned g = 0; g < 200; g++)
        table_play(table, &bot_sample, g);
    assert_true(table->checked > 500);
    table_free(table);
}

static void check_keeps_secret(Table *table, const Talk *talk, const Sentence *clause)
{
    Role role = game_role(table->game, talk->seat);
    bool of_itself = clause->target == (LangAgent)talk->seat;

    if (role_side(role) != SIDE_WEREWOLF || !of_itself)
        return;
    if (clause->kind == LANG_COMINGOUT || clause->kind == LANG_ESTIMATE) {
        assert_int_not_equal(clause->role, ROLE_WEREWOLF);
        assert_int_not_equal(clause->role, ROLE_POSSESSED);
        table->checked++;
    }
}

static void secrets_are_kept(Table *table, const Event *event)
{
    if (event->kind == EVENT_TALK && event->talk->sentence)
        each_clause(table, event->talk, event->talk->sentence, check_keeps_secret);
}

static void wolves_and_possessed_never_tell_their_role_in_talk(void **state)
{
    Table *table = table_new("aiwolf-server", 15);

    (void)state;
    table->on_event = secrets_are_kept;
    for (unsigned g = 0; g < 200; g++)
        table_play(table, &bot_sample, g);
    assert_true(table->checked > 200);
    table_free(table);
}

static void few_words_a_day(Table *table, const Event *event)
{
    if (event->kind == EVENT_TALK && game_rules(table->game)->talk.exchange == EXCHANGE_ANYTIME)
        assert_in_range(table->said_today[event->seat], 1, 11);
}

static void in_an_open_room_sample_does_not_talk_endlessly(void **state)
{
    (void)state;
    play_everywhere(&bot_sample, NULL, few_words_a_day, 0);
}

static void somebody_is_attacked(Table *table, const Event *event)
{
    if (event->kind == EVENT_ATTACK) {
        assert_int_not_equal(event->target, SEAT_NONE);
        table->checked++;
    }
}

static void wolves_in_an_open_room_agree_on_a_victim(void **state)
{
    Table *table = table_new("maw", 9);

    (void)state;
    table->on_event = somebody_is_attacked;
    for (unsigned g = 0; g < 50; g++)
        table_play(table, &bot_sample, g);
    assert_true(table->checked > 50);
    table_free(table);
}

/* A seat that changes hands: its new bot sees no more than today. */
static void sample_can_take_over_a_seat_in_mid_game(void **state)
{
    Table *table = table_new("aiwolf-server", 15);
    Rng rng = rng_new(3);

    (void)state;
    table->on_answer = all_is_well;
    table->swapped = &rng;
    for (unsigned g = 0; g < 60; g++)
        table_play(table, &bot_sample, g);
    assert_true(table->checked > 10000);
    table_free(table);
}

/* ---- single decisions ---- */

#define HAND_TALK_MAX 16

/* A view made by hand, of a game of five on day 2. */
typedef struct Hand {
    Ruleset rules;
    uint8_t role_counts[ROLE_COUNT];
    uint16_t left[SEAT_MAX + 1];
    Talk talk[HAND_TALK_MAX];
    TalkLog log;
    TalkLog silence;
    VoteLog votes;
    View view;
    char block[16384];
    Arena arena;
    uint64_t memory[1024];
    Bot *bot;
} Hand;

static Hand *hand_new(Role role, SeatNo seat)
{
    Hand *hand = mem_new(sizeof(*hand));

    assert_non_null(hand);
    assert_int_equal(ruleset_preset(STR("aiwolf-server"), &hand->rules, NULL), 0);
    assert_int_equal(ruleset_roles(&hand->rules, 10, hand->role_counts, NULL), 0);
    hand->arena = arena_over(hand->block, sizeof(hand->block));
    hand->log.items = hand->talk;
    hand->view = (View){.rules = &hand->rules,
                        .role_counts = hand->role_counts,
                        .seat = seat,
                        .seat_count = 10,
                        .role = role,
                        .day = 2,
                        .alive = seat_all(8),
                        .alive_at_dawn = seat_all(8),
                        .talk = &hand->log,
                        .whisper = &hand->silence,
                        .talk_left = hand->left,
                        .latest_votes = &hand->votes,
                        .votes = &hand->votes,
                        .latest_attack_votes = &hand->votes,
                        .attack_votes = &hand->votes,
                        .executed = 9,
                        .last_dead = {10},
                        .last_dead_count = 1};
    hand->view.roles[seat] = (uint8_t)role;
    hand->bot = (Bot *)hand->memory;
    assert_true(bot_sample.bytes <= sizeof(hand->memory));
    bot_sample.start(hand->bot, &hand->view, 5);
    return hand;
}

static void hand_says(Hand *hand, SeatNo seat, const char *text)
{
    Talk *talk = &hand->talk[hand->log.count];

    assert_true(hand->log.count < HAND_TALK_MAX);
    *talk = (Talk){.text = str_of(text), .day = 2, .seat = seat, .idx = hand->log.count};
    assert_int_equal(lang_parse(talk->text, &hand->arena, &talk->sentence, NULL), 0);
    hand->log.count++;
}

static SeatNo hand_asks(Hand *hand, AskKind kind)
{
    Ask ask = {.seat = hand->view.seat, .kind = kind};
    Answer answer = {.kind = kind};

    bot_sample.answer(hand->bot, &ask, &hand->view, &answer);
    return answer.target;
}

static void the_bodyguard_guards_who_claims_to_be_seer(void **state)
{
    Hand *hand = hand_new(ROLE_BODYGUARD, 1);

    (void)state;
    hand_says(hand, 4, "COMINGOUT Agent[04] MEDIUM");
    hand_says(hand, 6, "COMINGOUT Agent[06] SEER");
    assert_int_equal(hand_asks(hand, ASK_GUARD), 6);
    mem_free(hand);
}

static void a_claim_made_for_somebody_else_is_not_heard(void **state)
{
    Hand *hand = hand_new(ROLE_BODYGUARD, 1);

    (void)state;
    hand_says(hand, 4, "COMINGOUT Agent[04] MEDIUM");
    hand_says(hand, 2, "Agent[06] COMINGOUT Agent[06] SEER");
    hand_says(hand, 2, "COMINGOUT Agent[06] SEER");
    hand_says(hand, 2, "NOT (COMINGOUT Agent[02] SEER)");
    assert_int_equal(hand_asks(hand, ASK_GUARD), 4);
    mem_free(hand);
}

static void a_villager_votes_for_who_calls_it_a_wolf(void **state)
{
    Hand *hand = hand_new(ROLE_VILLAGER, 1);

    (void)state;
    hand_says(hand, 5,
              "AND (DAY 1 (DIVINED Agent[02] HUMAN)) (DAY 2 (DIVINED Agent[01] WEREWOLF))");
    assert_int_equal(hand_asks(hand, ASK_VOTE), 5);
    mem_free(hand);
}

static void a_villager_votes_for_who_called_a_victim_a_wolf(void **state)
{
    Hand *hand = hand_new(ROLE_VILLAGER, 1);

    (void)state;
    hand_says(hand, 3, "DIVINED Agent[10] WEREWOLF");
    assert_int_equal(hand_asks(hand, ASK_VOTE), 3);
    mem_free(hand);
}

static void a_villager_does_as_it_is_asked(void **state)
{
    Hand *hand = hand_new(ROLE_VILLAGER, 1);

    (void)state;
    hand_says(hand, 3, "REQUEST ANY (VOTE Agent[07])");
    hand_says(hand, 4, "REQUEST Agent[02] (VOTE Agent[03])"); /* not asked */
    hand_says(hand, 5, "REQUEST ANY (Agent[02] VOTE Agent[03])");
    hand_says(hand, 6, "REQUEST ANY (VOTE Agent[09])"); /* dead */
    hand_says(hand, 8, "REQUEST ANY (VOTE Agent[2147483647])");
    assert_int_equal(hand_asks(hand, ASK_VOTE), 7);
    mem_free(hand);
}

static void a_medium_votes_for_who_contradicts_it(void **state)
{
    Hand *hand = hand_new(ROLE_MEDIUM, 1);

    (void)state;
    hand->view.identified = (Judge){.day = 2, .agent = 1, .target = 9, .result = SPECIES_WEREWOLF};
    hand_says(hand, 6, "DAY 1 (DIVINED Agent[09] HUMAN)");
    assert_int_equal(hand_asks(hand, ASK_VOTE), 6);
    mem_free(hand);
}

static void a_seer_votes_for_the_wolf_it_found_and_divines_another(void **state)
{
    Hand *hand = hand_new(ROLE_SEER, 1);

    (void)state;
    hand->view.divined = (Judge){.day = 2, .agent = 1, .target = 7, .result = SPECIES_WEREWOLF};
    hand_says(hand, 3, "COMINGOUT Agent[03] SEER");
    assert_int_equal(hand_asks(hand, ASK_VOTE), 7);
    assert_int_equal(hand_asks(hand, ASK_DIVINE), 3);
    mem_free(hand);
}

static void wolves_attack_who_claims_a_role_before_others(void **state)
{
    Hand *hand = hand_new(ROLE_WEREWOLF, 1);

    (void)state;
    hand_says(hand, 5, "COMINGOUT Agent[05] MEDIUM");
    assert_int_equal(hand_asks(hand, ASK_ATTACK), 5);
    mem_free(hand);
}

static void wolves_spare_a_human_who_lies_for_them(void **state)
{
    Hand *hand = hand_new(ROLE_WEREWOLF, 1);

    (void)state;
    hand_says(hand, 5, "COMINGOUT Agent[05] SEER");
    hand_says(hand, 6, "COMINGOUT Agent[06] MEDIUM");
    hand_says(hand, 5, "DAY 2 (DIVINED Agent[03] WEREWOLF)");
    assert_int_equal(hand_asks(hand, ASK_ATTACK), 6);
    mem_free(hand);
}

/* ---- strength and talk ---- */

/* Four standard errors around what 40,000 games of five and 20,000 of fifteen gave. The players
 * whose behaviour it follows: villagers win 0.537 and 0.156; 1,035 lines a game of fifteen. */
typedef struct Window {
    SeatNo players;
    unsigned games;
    double wins, wins_by;
    double lines, lines_by;
    double content, content_by;
    double last_day, last_day_by;
} Window;

static void is_near(double value, double expected, double by, const char *what)
{
    if (value < expected - by || value > expected + by)
        fail_msg("%s: %.4f is not within %.4f of %.4f", what, value, by, expected);
}

static void check_window(const Window *window)
{
    Table *table = table_new("aiwolf-server", window->players);
    double games = window->games;
    unsigned wins = 0;
    uint64_t days = 0;

    for (unsigned g = 0; g < window->games; g++) {
        wins += table_play(table, &bot_sample, 900000 + g) == SIDE_VILLAGER;
        days += table->last_day;
    }
    is_near(wins / games, window->wins, window->wins_by, "villagers' win rate");
    is_near(table->lines / games, window->lines, window->lines_by, "talk lines");
    is_near(table->content / games, window->content, window->content_by, "lines with content");
    is_near((double)days / games, window->last_day, window->last_day_by, "last day");
    table_free(table);
}

static void five_samples_play_as_strongly_and_talk_as_much_as_measured(void **state)
{
    static const Window window = {5, 4000, 0.556, 0.0315, 52.4, 0.9, 15.3, 0.5, 1.70, 0.03};

    (void)state;
    check_window(&window);
}

static void fifteen_samples_play_as_strongly_and_talk_as_much_as_measured(void **state)
{
    static const Window window = {15, 1000, 0.155, 0.046, 987, 32, 317, 16, 6.43, 0.2};

    (void)state;
    check_window(&window);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_says_over_and_names_somebody_else_alive),
        cmocka_unit_test(random_names_every_other_seat_about_equally_often),
        cmocka_unit_test(sample_writes_canonical_sentences_and_legal_targets_everywhere),
        cmocka_unit_test(thousands_of_sentences_of_sample_are_canonical),
        cmocka_unit_test(hostile_talk_does_not_break_sample),
        cmocka_unit_test(the_same_seed_gives_the_same_answers),
        cmocka_unit_test(seers_and_mediums_tell_what_they_learnt),
        cmocka_unit_test(wolves_and_possessed_never_tell_their_role_in_talk),
        cmocka_unit_test(in_an_open_room_sample_does_not_talk_endlessly),
        cmocka_unit_test(wolves_in_an_open_room_agree_on_a_victim),
        cmocka_unit_test(sample_can_take_over_a_seat_in_mid_game),
        cmocka_unit_test(the_bodyguard_guards_who_claims_to_be_seer),
        cmocka_unit_test(a_claim_made_for_somebody_else_is_not_heard),
        cmocka_unit_test(a_villager_votes_for_who_calls_it_a_wolf),
        cmocka_unit_test(a_villager_votes_for_who_called_a_victim_a_wolf),
        cmocka_unit_test(a_villager_does_as_it_is_asked),
        cmocka_unit_test(a_medium_votes_for_who_contradicts_it),
        cmocka_unit_test(a_seer_votes_for_the_wolf_it_found_and_divines_another),
        cmocka_unit_test(wolves_attack_who_claims_a_role_before_others),
        cmocka_unit_test(wolves_spare_a_human_who_lies_for_them),
        cmocka_unit_test(five_samples_play_as_strongly_and_talk_as_much_as_measured),
        cmocka_unit_test(fifteen_samples_play_as_strongly_and_talk_as_much_as_measured),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
