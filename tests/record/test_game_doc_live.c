/* test_game_doc_live.c - random games of all rulesets: a live game's document is the one of its
 * log, and no view can tell what it may not know.
 *
 * WARG_PROP_SEED and WARG_PROP_TIMES as in prop.h: 10,000 games are WARG_PROP_TIMES=5. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "lang/lang.h"
#include "prop.h"
#include "record/aiwolf_log.h"
#include "record/game_doc.h"
#include "record/nlp_log.h"
#include "sanitized.h"

#include <jansson.h>

#define GAMES       (SANITIZED ? 200 : 2000)
#define STEPS_MAX   20000
#define BEGAN_MS    INT64_C(1795372145000)
#define TEXT_MAX    120
#define REQUEST_MAX 12

/* ---- one game, played twice ---- */

/* An event, or a fault of an agent. */
typedef struct Item {
    bool is_fault;
    Event event;
    Talk talk;
    Fault fault;
    char text[TEXT_MAX];
} Item;

typedef struct Run {
    const Ruleset *rules;
    Game *game;
    SeatNo seats;
    uint8_t roles[SEAT_MAX + 1]; /* Role */
    SeatNo viewer;               /* for whom it is told; SEAT_NONE = the public */
    uint64_t open;               /* seed of all that the viewer may know */
    uint64_t hidden;             /* seed of the rest */
    bool faults;
    TimeMs now;
    uint32_t asked[2][ASK_COUNT][SEAT_MAX + 1]; /* today, known to the viewer or not */
    uint32_t drawn[2][8];
    uint32_t steps[2];
    Arena sentences;
    Item *items;
    size_t count;
    size_t room;
} Run;

static void free_run(Run *run)
{
    mem_free(run->items);
    arena_done(&run->sentences);
    run->game = game_free(run->game);
}

static Item *new_item(Run *run)
{
    if (run->count == run->room) {
        run->room = run->room ? 2 * run->room : 1024;
        run->items = mem_resize(run->items, run->room, sizeof(*run->items));
        assert_non_null(run->items);
    }
    run->items[run->count] = (Item){0};
    return &run->items[run->count++];
}

/* ---- chance and answers, by seeds ---- */

static uint64_t mixed(uint64_t seed, uint64_t a, uint64_t b, uint64_t c)
{
    return rng_derive(rng_derive(rng_derive(seed, a + 1), b + 1), c + 1);
}

static bool kind_is_hidden(AskKind kind)
{
    return kind == ASK_WHISPER || kind == ASK_DIVINE || kind == ASK_GUARD || kind == ASK_ATTACK;
}

static bool viewer_hears_wolves(const Run *run)
{
    SeatNo viewer = run->viewer;
    bool ghost = viewer && !seat_in(game_alive(run->game), viewer) &&
                 run->rules->secrecy.ghosts_see == GHOSTS_ALL;

    return viewer && (run->roles[viewer] == ROLE_WEREWOLF || ghost);
}

/* Whether the viewer learns what comes of this ask. */
static bool viewer_knows(const Run *run, AskKind kind, SeatNo seat)
{
    if (!kind_is_hidden(kind) || (seat == run->viewer && run->viewer))
        return true;
    return (kind == ASK_WHISPER || kind == ASK_ATTACK) && viewer_hears_wolves(run);
}

static uint32_t draw(void *user, const ChanceQuestion *question)
{
    Run *run = user;
    bool wolves = question->kind == CHANCE_WHISPER_NEXT || question->kind == CHANCE_ATTACK;
    bool hidden = wolves && !viewer_hears_wolves(run);
    uint64_t seed = hidden ? run->hidden : run->open;

    return (
        uint32_t)(mixed(seed, question->kind, question->day, run->drawn[hidden][question->kind]++) %
                  question->count);
}

static SeatNo some_seat(const Run *run, uint64_t draw_from)
{
    return (SeatNo)(1 + draw_from % run->seats);
}

static Str some_text(Run *run, uint64_t number, char out[static TEXT_MAX])
{
    SeatNo a = some_seat(run, number >> 8), b = some_seat(run, number >> 16);
    bool plain = run->rules->talk.validate || run->rules->end.goal == GOAL_ELIMINATION;

    switch (number % 12) {
    case 0:
    case 1:
    case 2:
        snprintf(out, TEXT_MAX, "Over");
        break;
    case 3:
        snprintf(out, TEXT_MAX, "Skip");
        break;
    case 4:
        snprintf(out, TEXT_MAX, plain ? "VOTE Agent[%02u]" : "I will vote for P%u.", a);
        break;
    case 5:
        snprintf(out, TEXT_MAX, "ESTIMATE Agent[%02u] WEREWOLF", a);
        break;
    case 6:
        snprintf(out, TEXT_MAX,
                 "BECAUSE (DAY 1 (Agent[%02u] DIVINED Agent[%02u] HUMAN)) (VOTE Agent[%02u])", a, b,
                 a);
        break;
    case 7:
        snprintf(out, TEXT_MAX, "REQUEST Agent[%02u] (COMINGOUT Agent[%02u] SEER)", a, a);
        break;
    case 8:
        snprintf(out, TEXT_MAX, plain ? "DIVINED Agent[%02u] WEREWOLF" : "P%u、本当? \"so\" \\n",
                 a);
        break;
    default:
        snprintf(out, TEXT_MAX, plain ? "AGREE TALK day%u ID:%u" : "%u, 人狼は%u番だ", a % 3, b);
        break;
    }
    return str_of(out);
}

static Answer answer_of(Run *run, AskKind kind, SeatNo seat, uint64_t number, char *text)
{
    Answer answer = {
        .kind = kind, .lapse = number % 23 == 0, .target = some_seat(run, number >> 5)};
    const Sentence *sentence;

    (void)seat;
    if (kind == ASK_ATTACK && number % 40) /* so that not every pair of games parts at once */
        answer.target = some_seat(run, mixed(run->open, 77, game_day(run->game), 0));
    if (kind != ASK_TALK && kind != ASK_WHISPER)
        return answer;
    answer.text = some_text(run, number >> 3, text);
    arena_clear(&run->sentences);
    answer.in_language = lang_parse(answer.text, &run->sentences, &sentence, NULL) == 0;
    return answer;
}

/* ---- events and faults ---- */

static void take_event(Run *run, const Event *event)
{
    Item *item = new_item(run);

    item->event = *event;
    if (event->talk) {
        item->talk = *event->talk;
        item->talk.sentence = NULL;
        snprintf(item->text, sizeof(item->text), "%.*s", STR_ARG(event->talk->text));
    }
    if (event->kind != EVENT_DAY)
        return;
    memset(run->asked, 0, sizeof(run->asked));
    memset(run->drawn, 0, sizeof(run->drawn));
    memset(run->steps, 0, sizeof(run->steps));
}

static void take_fault(Run *run, AskKind kind, SeatNo seat, uint64_t number)
{
    static const char *const requests[ASK_COUNT] = {"ROLE",   "TALK",  "WHISPER", "VOTE",
                                                    "DIVINE", "GUARD", "ATTACK"};

    if (!run->faults || number % 37 != 0)
        return;
    Item *item = new_item(run);
    item->is_fault = true;
    item->fault = (Fault){.kind = (FaultKind)(number / 37 % FAULT_COUNT),
                          .fatal = !kind_is_hidden(kind) && number / 200 % 2,
                          .seat = seat,
                          .day = game_day(run->game),
                          .request = requests[kind],
                          .elapsed_us = (int64_t)(number % 100000)};
}

static void drain_events(Run *run)
{
    Event event;

    while (game_next_event(run->game, &event))
        take_event(run, &event);
}

static void answer_ask(Run *run, const Ask *ask)
{
    bool hidden = !viewer_knows(run, ask->kind, ask->seat);
    uint64_t number = mixed(mixed(hidden ? run->hidden : run->open, ask->kind, ask->seat, 0),
                            game_day(run->game), run->asked[hidden][ask->kind][ask->seat]++, 5);
    char text[TEXT_MAX];

    const Answer answer = answer_of(run, ask->kind, ask->seat, number, text);
    take_fault(run, ask->kind, ask->seat, number >> 30);
    game_answer(run->game, ask->seat, &answer, NULL);
}

/* In a timed room: somebody says or votes something, time goes on, or it is up. */
static void play_room(Run *run, const Ask *asks, size_t count)
{
    bool hidden = count > 0 && !viewer_knows(run, asks[0].kind, asks[0].seat);
    uint64_t number =
        mixed(hidden ? run->hidden : run->open, game_day(run->game), 99, run->steps[hidden]++);

    if (count == 0 || (number % 9 == 0 && run->steps[hidden] > 8)) {
        run->now = game_deadline(run->game);
        game_tick(run->game, run->now);
    } else if (number % 9 < 3) {
        run->now += (TimeMs)(number >> 8) % 3000;
        game_tick(run->game, run->now);
    } else {
        answer_ask(run, &asks[(number >> 4) % count]);
    }
}

static void leave_game(Run *run, size_t from)
{
    for (size_t i = from; i < run->count; i++) {
        const Item *item = &run->items[i];
        uint64_t number = mixed(run->open, 1234, item->event.day, 0);
        if (!item->is_fault && item->event.kind == EVENT_DAY && number % 5 == 0)
            game_remove(run->game, some_seat(run, number >> 8), NULL);
    }
}

/* Plays a game; false when by these rules none can be played. */
static bool play_run(Run *run, bool leaving)
{
    GameSetup setup = {0};

    for (SeatNo seat = 1; seat <= run->seats; seat++)
        setup.fixed[seat] = (Role)run->roles[seat];
    run->sentences = arena_new(LANG_ARENA_BYTES(TEXT_MAX));
    if (game_new(run->rules, run->seats, &run->game, NULL) ||
        game_start(run->game, &setup, chance_from_script(draw, run), NULL))
        return false;
    for (uint32_t step = 0; step < STEPS_MAX; step++) {
        Ask asks[2 * SEAT_MAX];
        size_t from = run->count;
        drain_events(run);
        if (leaving)
            leave_game(run, from);
        drain_events(run);
        if (game_over(run->game))
            return true;
        size_t count = game_asks(run->game, asks);
        if (game_deadline(run->game) != TIME_NEVER)
            play_room(run, asks, count);
        else if (count > 0)
            answer_ask(run, &asks[0]);
    }
    return false;
}

/* ---- rules ---- */

static const char *const presets[] = {"aiwolf-2019", "aiwolf-2021", "aiwolf-server",
                                      "nlp-turn",    "nlp-anytime", "maw"};

static void deal(Run *run, uint64_t seed)
{
    uint8_t counts[ROLE_COUNT];
    SeatNo seat = 1;

    assert_int_equal(ruleset_roles(run->rules, run->seats, counts, NULL), 0);
    for (int role = 1; role < ROLE_COUNT; role++)
        for (uint8_t i = 0; i < counts[role]; i++)
            run->roles[seat++] = (uint8_t)role;
    for (SeatNo i = run->seats; i > 1; i--) {
        SeatNo k = (SeatNo)(1 + mixed(seed, 4, i, 0) % i);
        uint8_t role = run->roles[i];
        run->roles[i] = run->roles[k];
        run->roles[k] = role;
    }
}

/* Rules as no contest has them, but as somebody may write them. */
static void change_rules(Ruleset *rules, SeatNo seats, uint64_t number)
{
    uint8_t *row = rules->roles.counts[seats];

    rules->vote.visible = number % 4 != 0;
    rules->secrecy.ghosts_see = number / 4 % 3 == 0 ? GHOSTS_ALL : GHOSTS_OWN;
    rules->secrecy.execution_told = number / 12 % 2 ? TOLD_NIGHT : TOLD_EVERYBODY;
    rules->vote.effect = (int32_t)(number / 24 % 3);
    rules->talk.whisper_after_turn = number / 72 % 5 == 0 && !ruleset_is_timed(rules);
    rules->vote.rounds = (int32_t)(1 + number / 360 % 2);
    if (rules->wolves != WOLVES_TABLE || seats < 9)
        return;
    number /= 720;
    rules->roles.present[seats] = true;
    memset(row, 0, ROLE_COUNT);
    row[ROLE_WEREWOLF] = (uint8_t)(1 + number % 3);
    row[ROLE_SEER] = (uint8_t)(number / 3 % 3);
    row[ROLE_MEDIUM] = (uint8_t)(number / 9 % 3);
    row[ROLE_BODYGUARD] = (uint8_t)(number / 27 % 2);
    row[ROLE_FOX] = (uint8_t)(number / 54 % 2);
    row[ROLE_VILLAGER] = (uint8_t)(seats - row[ROLE_WEREWOLF] - row[ROLE_SEER] - row[ROLE_MEDIUM] -
                                   row[ROLE_BODYGUARD] - row[ROLE_FOX]);
}

static SeatNo seats_for(const char *preset, uint64_t number)
{
    static const SeatNo nlp[] = {5, 9, 13};

    if (strcmp(preset, "maw") == 0)
        return (SeatNo)(5 + number % 5);
    if (str_starts(str_of(preset), STR("nlp")))
        return nlp[number % 3];
    return number % 2 ? 15 : 5;
}

/* ---- documents of what was played ---- */

static GameDoc *doc_of(const Run *run, size_t count)
{
    static char names[SEAT_MAX + 1][12], agents[SEAT_MAX + 1][12];
    DocSeat seats[SEAT_MAX + 1] = {0};
    bool nlp = run->rules->end.goal == GOAL_PARITY_WOLF_FIRST;
    GameDoc *doc = NULL;

    for (SeatNo seat = 1; seat <= run->seats; seat++) {
        snprintf(names[seat], sizeof(names[seat]), nlp ? "P%u" : "Agent[%02u]", seat);
        snprintf(agents[seat], sizeof(agents[seat]), "agent%u", seat);
        seats[seat] = (DocSeat){.name = str_of(names[seat]), .agent = str_of(agents[seat])};
    }
    const DocHead head = {.id = STR("game"),
                          .division = nlp ? DOC_NLP : DOC_PROTOCOL,
                          .language = nlp ? "en" : "aiwolf",
                          .rules = run->rules,
                          .seat_count = run->seats,
                          .seats = seats,
                          .began_unix_ms = BEGAN_MS,
                          .form = "live"};
    assert_int_equal(game_doc_new(&head, &doc, NULL), 0);
    for (size_t i = 0; i < count; i++) {
        const Item *item = &run->items[i];
        Event event = item->event;
        Talk talk = item->talk;
        talk.text = str_of(item->text);
        event.talk = event.talk ? &talk : NULL;
        if (item->is_fault)
            game_doc_fault(doc, &item->fault, item->event.time);
        else
            game_doc_heard(doc, &event);
    }
    assert_false(game_doc_failed(doc));
    return doc;
}

/* ---- what a view may not know ---- */

static bool item_known(const Run *run, const Item *item)
{
    SeatSet all = seat_all(run->seats);

    if (item->is_fault) {
        bool open =
            strcmp(item->fault.request, "TALK") == 0 || strcmp(item->fault.request, "VOTE") == 0;
        return open || (run->viewer && item->fault.seat == run->viewer);
    }
    return run->viewer ? seat_in(item->event.known_to, run->viewer)
                       : (item->event.known_to & all) == all;
}

static bool same_talk(const Item *a, const Item *b)
{
    if (!a->event.talk || !b->event.talk)
        return a->event.talk == b->event.talk;
    bool numbers = a->event.kind == EVENT_WHISPER ||
                   (a->talk.idx == b->talk.idx && a->talk.turn == b->talk.turn);
    return numbers && strcmp(a->text, b->text) == 0;
}

static bool same_item(const Item *a, const Item *b)
{
    const Event *x = &a->event, *y = &b->event;

    if (a->is_fault || b->is_fault)
        return a->is_fault && b->is_fault && a->fault.kind == b->fault.kind &&
               a->fault.fatal == b->fault.fatal && a->fault.seat == b->fault.seat &&
               a->fault.request == b->fault.request && a->fault.elapsed_us == b->fault.elapsed_us;
    return x->kind == y->kind && x->seat == y->seat && x->target == y->target &&
           x->role == y->role && x->species == y->species && x->action == y->action &&
           x->round == y->round && x->killed == y->killed && x->day == y->day &&
           x->winner == y->winner && x->reason == y->reason && x->humans == y->humans &&
           x->wolves == y->wolves && x->points == y->points && same_talk(a, b);
}

/* How many items of each run the viewer finds the same: all, or up to the last day that has begun
 * in both. */
static void same_part(const Run *one, const Run *other, size_t *ret_one, size_t *ret_other)
{
    size_t i = 0, k = 0;

    *ret_one = *ret_other = 0;
    while (true) {
        while (i < one->count && !item_known(one, &one->items[i]))
            i++;
        while (k < other->count && !item_known(other, &other->items[k]))
            k++;
        if (i == one->count && k == other->count) {
            *ret_one = i;
            *ret_other = k;
            return;
        }
        if (i == one->count || k == other->count || !same_item(&one->items[i], &other->items[k]))
            return;
        i++;
        k++;
        if (!one->items[i - 1].is_fault && one->items[i - 1].event.kind == EVENT_DAY) {
            *ret_one = i;
            *ret_other = k;
        }
    }
}

/* Each run's clock goes on as the viewer can see it go on; what it may not know happens at any time
 * in between. */
static void set_times(Run *run)
{
    TimeMs now = 0;

    for (size_t i = 0; i < run->count; i++) {
        Item *item = &run->items[i];
        bool known = item_known(run, item);
        now += known ? 100 : 0;
        item->event.time = now + (known ? 0 : (TimeMs)(mixed(run->hidden, i, 3, 3) % 100));
        item->talk.time = item->event.time;
    }
}

/* Other roles for all whose role the viewer does not know. */
static void deal_again(Run *run, uint64_t seed)
{
    SeatNo free_seats[SEAT_MAX];
    SeatNo count = 0, viewer = run->viewer;
    Role mine = viewer ? (Role)run->roles[viewer] : ROLE_NONE;

    for (SeatNo seat = 1; seat <= run->seats; seat++) {
        bool mate = (mine == ROLE_WEREWOLF || mine == ROLE_FREEMASON) && run->roles[seat] == mine;
        if (seat != viewer && !mate)
            free_seats[count++] = seat;
    }
    for (SeatNo i = count; i > 1; i--) {
        SeatNo a = free_seats[i - 1], b = free_seats[mixed(seed, 6, i, 0) % i];
        uint8_t role = run->roles[a];
        run->roles[a] = run->roles[b];
        run->roles[b] = role;
    }
}

static size_t days_compared, games_different;

static bool views_tell_nothing_hidden(Rng *rng, unsigned size)
{
    const char *preset = presets[rng_below(rng, 6)];
    SeatNo seats = seats_for(preset, rng_below(rng, 1000));
    Ruleset rules;

    (void)size;
    assert_int_equal(ruleset_preset(str_of(preset), &rules, NULL), 0);
    if (rng_below(rng, 2))
        change_rules(&rules, seats, rng_next(rng));
    bool leaving = strcmp(preset, "maw") == 0 && rng_below(rng, 3) == 0;
    if (ruleset_check(&rules, NULL))
        return true;
    Run one = {.rules = &rules,
               .seats = seats,
               .viewer = (SeatNo)rng_below(rng, seats + 1u),
               .open = rng_next(rng),
               .hidden = rng_next(rng),
               .faults = true};
    Run other = one;
    deal(&one, one.open);
    memcpy(other.roles, one.roles, sizeof(other.roles));
    other.hidden = rng_next(rng);
    if (rng_below(rng, 2))
        deal_again(&other, other.hidden);
    bool same = true;
    if (play_run(&one, leaving) && play_run(&other, leaving)) {
        size_t here, there;
        CLEANUP(buf_done) Buf first = {0};
        CLEANUP(buf_done) Buf second = {0};
        set_times(&one);
        set_times(&other);
        same_part(&one, &other, &here, &there);
        CLEANUP(game_doc_freep) GameDoc *doc = doc_of(&one, here);
        CLEANUP(game_doc_freep) GameDoc *twin = doc_of(&other, there);
        const DocView view = {.kind = one.viewer ? DOC_VIEW_SEAT : DOC_VIEW_PUBLIC,
                              .seat = one.viewer};
        const DocView all = {.kind = DOC_VIEW_ALL};
        game_doc_write(doc, &view, &first);
        game_doc_write(twin, &view, &second);
        same = str_eq(buf_str(&first), buf_str(&second));
        if (!same)
            print_error("%s, %u seats, viewer %u:\n%.*s\n%.*s\n", rules.name, seats, one.viewer,
                        STR_ARG(buf_str(&first)), STR_ARG(buf_str(&second)));
        for (size_t i = 0; i < here; i++)
            days_compared += !one.items[i].is_fault && one.items[i].event.kind == EVENT_DAY;
        buf_clear(&first);
        buf_clear(&second);
        game_doc_write(doc, &all, &first);
        game_doc_write(twin, &all, &second);
        games_different += !str_eq(buf_str(&first), buf_str(&second));
    }
    free_run(&one);
    free_run(&other);
    return same;
}

static void no_view_tells_what_it_may_not_know(void **state)
{
    (void)state;
    days_compared = games_different = 0;
    prop_check(views_tell_nothing_hidden, GAMES, 1);
    print_message("%zu days, %zu games differ\n", days_compared, games_different);
    /* else nothing was tried */
    assert_true(days_compared > 2 * GAMES);
    assert_true(games_different > GAMES / 2);
}

/* ---- what random games seldom come to ---- */

static GameDoc *table_of(const char *preset, bool visible)
{
    const DocSeat seats[8] = {{0},
                              {.name = STR("A")},
                              {.name = STR("B")},
                              {.name = STR("C")},
                              {.name = STR("D")},
                              {.name = STR("E")},
                              {.name = STR("F")},
                              {.name = STR("G")}};
    Ruleset rules;
    GameDoc *doc = NULL;

    assert_int_equal(ruleset_preset(str_of(preset), &rules, NULL), 0);
    rules.vote.visible = visible;
    rules.secrecy.ghosts_see = GHOSTS_ALL;
    rules.talk.whisper_after_turn = true;
    const DocHead head = {.id = STR("x"),
                          .division = DOC_MAW,
                          .language = "en",
                          .rules = &rules,
                          .seat_count = 7,
                          .seats = seats,
                          .form = "live"};
    assert_int_equal(game_doc_new(&head, &doc, NULL), 0);
    for (SeatNo seat = 1; seat <= 7; seat++)
        game_doc_heard(doc, &(Event){.kind = EVENT_ROLE,
                                     .seat = seat,
                                     .role = seat < 3 ? ROLE_WEREWOLF : ROLE_VILLAGER,
                                     .known_to = seat < 3 ? 6 : seat_bit(seat)});
    game_doc_heard(doc, &(Event){.kind = EVENT_DAY, .day = 1, .known_to = 0xfe});
    return doc;
}

static void hear(GameDoc *doc, EventKind kind, SeatNo seat, SeatSet known_to)
{
    const Event event = {.kind = kind, .day = 1, .seat = seat, .known_to = known_to};

    game_doc_heard(doc, &event);
}

static void hear_whisper(GameDoc *doc, uint32_t idx, SeatSet known_to)
{
    const Talk talk = {.text = STR("psst"), .idx = idx, .turn = idx, .day = 1, .seat = 1};
    const Event event = {
        .kind = EVENT_WHISPER, .day = 1, .seat = 1, .known_to = known_to, .talk = &talk};

    game_doc_heard(doc, &event);
}

static void same_view(const GameDoc *one, const GameDoc *other, SeatNo seat)
{
    CLEANUP(buf_done) Buf first = {0};
    CLEANUP(buf_done) Buf second = {0};
    const DocView view = {.kind = DOC_VIEW_SEAT, .seat = seat};

    game_doc_write(one, &view, &first);
    game_doc_write(other, &view, &second);
    assert_string_equal(buf_cstr(&first), buf_cstr(&second));
}

static void of_hidden_votes_each_seat_counts_its_own(void **state)
{
    GameDoc *docs[2] = {table_of("maw", false), table_of("maw", false)};

    (void)state;
    for (unsigned i = 0; i < 2; i++) {
        for (unsigned k = 0; k <= i; k++)
            hear(docs[i], EVENT_STANDING, 3, seat_bit(3));
        hear(docs[i], EVENT_STANDING, 4, seat_bit(4));
    }
    same_view(docs[0], docs[1], 4);
    for (unsigned i = 0; i < 2; i++)
        game_doc_free(docs[i]);
}

/* By day the wolves whisper once or twice; then 4 is executed, and hears them. */
static void a_ghost_does_not_see_how_much_was_whispered_before(void **state)
{
    GameDoc *docs[2] = {table_of("nlp-turn", true), table_of("nlp-turn", true)};

    (void)state;
    for (unsigned i = 0; i < 2; i++) {
        uint32_t idx = 0;
        for (unsigned k = 0; k <= i; k++)
            hear_whisper(docs[i], idx++, 6);
        hear(docs[i], EVENT_EXECUTE, 4, 0xfe);
        hear(docs[i], EVENT_NIGHT, 0, 0xfe);
        hear_whisper(docs[i], idx++, 6 | seat_bit(4));
        hear_whisper(docs[i], idx++, 6 | seat_bit(4));
        /* so does one that comes after it, in the same night */
        for (unsigned k = 0; k < i; k++)
            hear_whisper(docs[i], idx++, 6 | seat_bit(4));
        hear(docs[i], EVENT_DEATH, 5, 0xfe);
        hear_whisper(docs[i], idx++, 6 | seat_bit(4) | seat_bit(5));
    }
    same_view(docs[0], docs[1], 5);
    for (unsigned i = 0; i < 2; i++)
        game_doc_free(docs[i]);
}

static void a_ghost_of_the_day_counts_from_the_night_on(void **state)
{
    GameDoc *docs[2] = {table_of("nlp-turn", true), table_of("nlp-turn", true)};

    (void)state;
    for (unsigned i = 0; i < 2; i++) {
        for (unsigned k = 0; k <= i; k++)
            hear_whisper(docs[i], k, 6);
        hear(docs[i], EVENT_EXECUTE, 4, 0xfe);
        hear(docs[i], EVENT_NIGHT, 0, 0xfe);
        hear_whisper(docs[i], i + 1, 6 | seat_bit(4));
    }
    same_view(docs[0], docs[1], 4);
    for (unsigned i = 0; i < 2; i++)
        game_doc_free(docs[i]);
}

/* What is said in the graveyard, and between two, is heard by nobody else, nor counted. */
static void private_words_are_private(void **state)
{
    GameDoc *docs[2] = {table_of("maw", true), table_of("maw", true)};

    (void)state;
    for (unsigned i = 0; i < 2; i++) {
        const DocSaid secret = {
            .seat = 3, .target = 6, .to = seat_bit(3) | seat_bit(6), .text = STR("you")};
        const DocSaid mine = {
            .seat = 3, .target = 5, .to = seat_bit(3) | seat_bit(5), .text = STR("me")};
        const DocSaid grave = {.seat = 4, .to = seat_bit(4), .text = STR("cold")};
        const DocSaid two = {.seat = 4, .to = seat_bit(4) | seat_bit(5), .text = STR("ah")};
        for (unsigned k = 0; k <= i; k++)
            game_doc_said(docs[i], &secret, 0);
        game_doc_said(docs[i], &mine, 0);
        hear(docs[i], EVENT_EXECUTE, 4, 0xfe);
        for (unsigned k = 0; k <= i; k++)
            game_doc_said(docs[i], &grave, 0);
        hear(docs[i], EVENT_DEATH, 5, 0xfe);
        game_doc_said(docs[i], &two, 0);
    }
    same_view(docs[0], docs[1], 5);
    same_view(docs[0], docs[1], 7);
    for (unsigned i = 0; i < 2; i++)
        game_doc_free(docs[i]);
}

/* ---- live, and from the log ---- */

static void write_log(const Run *run, Buf *out)
{
    static char names[SEAT_MAX + 1][12], agents[SEAT_MAX + 1][12];
    bool nlp = run->rules->end.goal == GOAL_PARITY_WOLF_FIRST;
    NlpSeat seats[SEAT_MAX + 1] = {0};
    Str texts[SEAT_MAX + 1] = {0};
    AiwolfLogWriter protocol;
    NlpLogWriter natural;

    for (SeatNo seat = 1; seat <= run->seats; seat++) {
        snprintf(names[seat], sizeof(names[seat]), "P%u", seat);
        snprintf(agents[seat], sizeof(agents[seat]), "agent%u", seat);
        seats[seat] = (NlpSeat){.original = str_of(agents[seat]), .name = str_of(names[seat])};
        texts[seat] = str_of(agents[seat]);
    }
    aiwolf_log_begin(&protocol, run->seats, texts);
    nlp_log_begin(&natural, STR("game"), seats, run->seats, BEGAN_MS);
    for (size_t i = 0; i < run->count; i++) {
        const Item *item = &run->items[i];
        Event event = item->event;
        Talk talk = item->talk;
        talk.text = str_of(item->text);
        event.talk = event.talk ? &talk : NULL;
        if (nlp) {
            nlp_log_follow(&natural, &event);
            nlp_log_event(&natural, &event, out);
        } else {
            aiwolf_log_event(&protocol, &event, out);
        }
    }
    nlp_log_done(&natural);
}

/* What a log does not have: times, votes while a room is open; and so no numbers. */
static json_t *events_of(const GameDoc *doc, bool room, json_t **ret_phases)
{
    CLEANUP(buf_done) Buf out = {0};
    const DocView view = {.kind = DOC_VIEW_ALL, .names = true};

    game_doc_write(doc, &view, &out);
    json_t *json = json_loadb(out.bytes, out.len, JSON_ALLOW_NUL, NULL);
    assert_non_null(json);
    json_t *events = json_object_get(json, "events"), *list = json_array(), *event;
    size_t i;
    json_array_foreach (events, i, event) {
        const char *kind = json_string_value(json_object_get(event, "kind"));
        json_object_del(event, "t_ms");
        json_object_del(event, "reason");
        if (room)
            json_object_del(event, "n");
        /* which ballot it was, when some wolves name nobody, a log can't tell */
        if (strcmp(kind, "attack_vote") == 0) {
            json_object_del(event, "a");
            json_object_del(event, "round");
        }
        if (!room || (strcmp(kind, "standing") != 0 && strcmp(kind, "score") != 0))
            json_array_append(list, event);
    }
    json_array_append(list, json_object_get(json, "seats"));
    *ret_phases = room ? json_null() : json_incref(json_object_get(json, "phases"));
    json_decref(json);
    return list;
}

static bool the_log_gives_the_live_document(Rng *rng, unsigned size)
{
    const char *preset = presets[rng_below(rng, 6)];
    bool room = strcmp(preset, "maw") == 0;
    CLEANUP(game_doc_freep) GameDoc *doc = NULL;
    CLEANUP(buf_done) Buf log = {0};
    Ruleset rules;
    Err err = {0};

    (void)size;
    assert_int_equal(ruleset_preset(str_of(preset), &rules, NULL), 0);
    Run run = {.rules = &rules,
               .seats = seats_for(preset, rng_below(rng, 1000)),
               .open = rng_next(rng),
               .hidden = rng_next(rng)};
    deal(&run, run.open);
    assert_true(play_run(&run, false));
    CLEANUP(game_doc_freep) GameDoc *live = doc_of(&run, run.count);
    game_doc_close(live, DOC_FINISHED, 0);
    write_log(&run, &log);
    if (game_doc_read(buf_str(&log), STR("game.log"), 0, &doc, &err))
        fail_msg("%s", err.msg);
    json_t *phases[2],
        *events[2] = {events_of(live, room, &phases[0]), events_of(doc, room, &phases[1])};
    bool same = json_equal(events[0], events[1]) && json_equal(phases[0], phases[1]);
    if (!same) {
        print_error("%s: live.json, read.json, read.log\n", preset);
        json_dump_file(events[0], "live.json", JSON_INDENT(1));
        json_dump_file(events[1], "read.json", JSON_INDENT(1));
        FILE *file = fopen("read.log", "w");
        fwrite(log.bytes, 1, log.len, file);
        fclose(file);
    }
    for (int i = 0; i < 2; i++) {
        json_decref(events[i]);
        json_decref(phases[i]);
    }
    free_run(&run);
    return same;
}

static void a_live_document_is_the_one_of_its_log(void **state)
{
    (void)state;
    prop_check(the_log_gives_the_live_document, GAMES / 4, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_view_tells_what_it_may_not_know),
        cmocka_unit_test(of_hidden_votes_each_seat_counts_its_own),
        cmocka_unit_test(a_ghost_does_not_see_how_much_was_whispered_before),
        cmocka_unit_test(a_ghost_of_the_day_counts_from_the_night_on),
        cmocka_unit_test(private_words_are_private),
        cmocka_unit_test(a_live_document_is_the_one_of_its_log),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
