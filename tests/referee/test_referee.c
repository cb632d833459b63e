/* test_referee.c - whole games among built-in bots: their statistics, and that playing allocates
 * nothing; random play of MAW against its exact probabilities.
 *
 * The expected shares are those of random players by the rules of the preset aiwolf-server; all are
 * met within four standard errors. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "bot/kinds.h"
#include "referee/referee.h"
#include "sanitized.h"

#include <math.h>

/* ---- an allocator that counts ---- */

static uint64_t allocations; /* the one mutable global: malloc has no argument for it */

#if !SANITIZED
void *__libc_malloc(size_t bytes);
void *__libc_calloc(size_t count, size_t each);
void *__libc_realloc(void *old, size_t bytes);
void __libc_free(void *p);

void *malloc(size_t bytes)
{
    allocations++;
    return __libc_malloc(bytes);
}

void *calloc(size_t count, size_t each)
{
    allocations++;
    return __libc_calloc(count, each);
}

void *realloc(void *old, size_t bytes)
{
    allocations++;
    return __libc_realloc(old, bytes);
}

void free(void *p)
{
    __libc_free(p);
}
#endif

static Referee *referee_of(const char *preset, int32_t players, const BotKind *kind)
{
    const BotKind *kinds[SEAT_MAX + 1] = {NULL};
    Referee *referee = NULL;
    Ruleset rules;
    Err err = {0};

    for (SeatNo seat = 1; seat <= players; seat++)
        kinds[seat] = kind;
    assert_int_equal(ruleset_preset(str_of(preset), &rules, NULL), 0);
    if (referee_new(&rules, players, kinds, &referee, &err))
        fail_msg("%s", err.msg);
    return referee;
}

static void play_without_allocating(const char *preset, int32_t players, const BotKind *kind,
                                    uint64_t games)
{
    CLEANUP(referee_freep) Referee *referee = referee_of(preset, players, kind);
    uint64_t before = allocations;

    assert_true(before > 0); /* it counts */
    for (uint64_t seed = 1; seed <= games; seed++)
        assert_int_equal(
            referee_play(referee, NULL, &(GameKey){.key = key_of_seed(seed)}, NULL, NULL), 0);
    if (allocations != before)
        fail_msg("%s, %d players, bot %s: %llu allocations", preset, (int)players, kind->name,
                 (unsigned long long)(allocations - before));
    assert_true(referee_asks(referee) > 0);
}

static void playing_allocates_nothing(void **state)
{
    (void)state;
    if (SANITIZED) {
        print_message("skipped: a sanitizer brings its own allocator\n");
        skip();
    }
    for (size_t i = 0; ruleset_preset_name(i); i++) {
        bool maw = strcmp(ruleset_preset_name(i), "maw") == 0;
        play_without_allocating(ruleset_preset_name(i), maw ? 6 : 5, &bot_random, 100);
        play_without_allocating(ruleset_preset_name(i), maw ? 12 : 13, &bot_random, 50);
        play_without_allocating(ruleset_preset_name(i), maw ? 6 : 5, &bot_sample, 100);
        play_without_allocating(ruleset_preset_name(i), maw ? 12 : 13, &bot_sample, 20);
    }
}

/* ---- statistics ---- */

typedef struct Counts {
    uint64_t games;
    uint64_t village;
    double days;
    double days_squared;
    uint64_t ballots; /* first ballots of a day */
    uint64_t revotes;
    uint64_t attacks;
    uint64_t kills;
    bool voting;
    bool revoting;
} Counts;

static void count(void *user, const Event *event)
{
    Counts *counts = user;

    if (event->kind == EVENT_VOTE) {
        counts->voting = true;
        counts->revoting = counts->revoting || event->round > 0;
    } else if (event->kind == EVENT_EXECUTE) {
        counts->ballots += counts->voting;
        counts->revotes += counts->revoting;
        counts->voting = counts->revoting = false;
    } else if (event->kind == EVENT_ATTACK) {
        counts->attacks++;
        counts->kills += event->killed;
    } else if (event->kind == EVENT_END) {
        counts->games++;
        counts->village += event->winner == SIDE_VILLAGER;
        counts->days += event->day;
        counts->days_squared += (double)event->day * event->day;
    }
}

static void assert_near(const char *what, double got, double expected, double standard_error)
{
    if (fabs(got - expected) > 4 * standard_error + 0.0005) /* expected has three digits or four */
        fail_msg("%s: %.4f, not %.4f (standard error %.4f)", what, got, expected, standard_error);
}

static void assert_share(const char *what, uint64_t hits, uint64_t all, double expected)
{
    double n = (double)all;

    assert_near(what, (double)hits / n, expected, sqrt(expected * (1 - expected) / n));
}

static Counts random_games(int32_t players)
{
    CLEANUP(referee_freep) Referee *referee = referee_of("aiwolf-server", players, &bot_random);
    Counts counts = {0};
    Recorder recorder = {count, &counts};

    for (uint64_t seed = 1; seed <= 20000; seed++)
        assert_int_equal(
            referee_play(referee, NULL, &(GameKey){.key = key_of_seed(seed)}, &recorder, NULL), 0);
    assert_int_equal(counts.games, 20000);
    return counts;
}

static void assert_statistics(int32_t players, double village, double last_day, double revote,
                              double kill)
{
    Counts counts = random_games(players);
    double n = (double)counts.games;
    double mean = counts.days / n;

    assert_share("villagers' rate", counts.village, counts.games, village);
    assert_near("last day", mean, last_day, sqrt((counts.days_squared / n - mean * mean) / n));
    assert_share("revotes", counts.revotes, counts.ballots, revote);
    assert_share("kills", counts.kills, counts.attacks, kill);
}

static void five_random_players_play_as_on_the_reference_server(void **state)
{
    (void)state;
    assert_statistics(5, 0.4663, 2.800, 0.296, 1);
}

static void fifteen_random_players_play_as_on_the_reference_server(void **state)
{
    (void)state;
    assert_statistics(15, 0.2356, 7.262, 0.419, 0.943);
}

static void add_event(void *user, const Event *event)
{
    uint64_t *hash = user;

    *hash =
        (*hash ^ (event->kind * 1000000u + event->seat * 1000u + event->target)) * 0x100000001B3u;
}

static void a_seed_gives_the_same_game_whatever_was_played_before(void **state)
{
    CLEANUP(referee_freep) Referee *referee = referee_of("aiwolf-2021", 15, &bot_random);
    CLEANUP(referee_freep) Referee *fresh = referee_of("aiwolf-2021", 15, &bot_random);
    uint64_t hashes[2] = {0, 0};

    (void)state;
    for (uint64_t seed = 1; seed <= 5; seed++)
        referee_play(referee, NULL, &(GameKey){.key = key_of_seed(seed)}, NULL, NULL);
    referee_play(referee, NULL, &(GameKey){.key = key_of_seed(42)},
                 &(Recorder){add_event, &hashes[0]}, NULL);
    referee_play(fresh, NULL, &(GameKey){.key = key_of_seed(42)},
                 &(Recorder){add_event, &hashes[1]}, NULL);
    assert_true(hashes[0] == hashes[1]);
    assert_true(game_over(referee_game(referee)));
}

static void timed_rooms_are_played_on_simulated_time_with_every_bot(void **state)
{
    static const char *const presets[] = {"nlp-anytime", "maw"};

    (void)state;
    for (int i = 0; i < 2; i++)
        for (size_t k = 0; bot_kind_at(k); k++) {
            CLEANUP(referee_freep)
            Referee *referee = referee_of(presets[i], i ? 6 : 5, bot_kind_at(k));
            for (uint64_t seed = 1; seed <= 20; seed++)
                assert_int_equal(
                    referee_play(referee, NULL, &(GameKey){.key = key_of_seed(seed)}, NULL, NULL),
                    0);
        }
}

/* ---- MAW: every day executes a random player, every night kills a random villager ---- */

#define ROUNDS (SANITIZED ? 1000 : 10000)

static SeatNo one_of(Rng *rng, SeatSet seats)
{
    for (uint32_t skip = rng_below(rng, seat_count_of(seats)); skip > 0; skip--)
        seats &= seats - 1;
    return seat_first(seats);
}

static void drain(Game *game)
{
    Event event;

    while (game_next_event(game, &event))
        ;
}

/* All who are asked and may vote for `target`; the clock decides what no majority does. */
static void agree(Game *game, AskKind kind, SeatSet voters, SeatNo target)
{
    for (SeatSet left = voters; left; left &= left - 1) {
        SeatNo voter = seat_first(left);
        if (voter != target && game_is_asked(game, voter, kind))
            assert_int_equal(
                game_answer(game, voter, &(Answer){.kind = kind, .target = target}, NULL), 0);
        if (!seat_in(game_alive(game), target))
            break;
    }
    drain(game);
    if (seat_in(game_alive(game), target))
        game_tick(game, game_deadline(game));
    drain(game);
}

static Side random_round(Game *game, Rng *rng)
{
    SeatSet wolves = 0;

    assert_int_equal(game_start(game, NULL, chance_from_seed(rng_next(rng)), NULL), 0);
    drain(game);
    for (SeatNo seat = 1; seat <= game_seat_count(game); seat++)
        if (game_role(game, seat) == ROLE_WEREWOLF)
            wolves |= seat_bit(seat);
    while (!game_over(game)) {
        agree(game, ASK_VOTE, game_alive(game), one_of(rng, game_alive(game)));
        if (!game_over(game))
            agree(game, ASK_ATTACK, game_alive(game) & wolves,
                  one_of(rng, game_alive(game) & ~wolves));
    }
    return game_winner(game);
}

static void assert_random_play(int32_t players, int32_t wolves_rule, Goal goal, double expected)
{
    CLEANUP(game_freep) Game *game = NULL;
    Rng rng = rng_new((uint64_t)players * 100 + (uint64_t)wolves_rule * 10 + goal);
    Ruleset rules;
    char what[64];
    unsigned village = 0;

    assert_int_equal(ruleset_preset(STR("maw"), &rules, NULL), 0);
    rules.wolves = wolves_rule;
    rules.end.goal = (int32_t)goal;
    rules.talk.max_lines = rules.whisper.max_lines = 1; /* nobody talks */
    assert_int_equal(game_new(&rules, players, &game, NULL), 0);
    for (int i = 0; i < ROUNDS; i++)
        village += random_round(game, &rng) == SIDE_VILLAGER;
    snprintf(what, sizeof(what), "%d players, wolves rule %d, goal %d", (int)players,
             (int)wolves_rule, (int)goal);
    assert_share(what, village, ROUNDS, expected);
}

/* "3/8", "0" */
static double fraction(Str text)
{
    Str bottom = text;
    Str top = str_cut(&bottom, '/');
    uint64_t a = 0;
    uint64_t b = 1;

    assert_true(str_to_uint(top, UINT32_MAX, &a));
    assert_true(bottom.len == 0 || str_to_uint(bottom, UINT32_MAX, &b));
    return (double)a / (double)b;
}

static int32_t wolves_rule_of(Str name)
{
    if (str_eq(name, STR("floor")))
        return WOLVES_FLOOR;
    return str_eq(name, STR("nearest")) ? WOLVES_NEAREST : WOLVES_CEIL;
}

static void random_row(Str row)
{
    Str cells[7];
    uint64_t players;
    uint8_t counts[ROLE_COUNT];
    uint64_t wolves;
    Ruleset rules;

    for (int i = 0; i < 7; i++)
        cells[i] = str_cut(&row, '\t');
    assert_true(str_to_uint(cells[0], SEAT_MAX, &players));
    assert_true(str_to_uint(cells[2], SEAT_MAX, &wolves));
    int32_t rule = wolves_rule_of(cells[1]);
    assert_int_equal(ruleset_preset(STR("maw"), &rules, NULL), 0);
    rules.wolves = rule;
    assert_int_equal(ruleset_roles(&rules, (int32_t)players, counts, NULL), 0);
    assert_int_equal(counts[ROLE_WEREWOLF], wolves);
    assert_random_play((int32_t)players, rule, GOAL_ELIMINATION, fraction(cells[3]));
    assert_random_play((int32_t)players, rule, GOAL_PARITY, fraction(cells[5]));
}

static void maw_random_play_has_its_exact_probabilities(void **state)
{
    char path[512];
    char line[256];
    unsigned rows = 0;

    (void)state;
    const char *data = getenv("WARG_TEST_DATA");
    snprintf(path, sizeof(path), "%s/maw/random-play.tsv", data ? data : "tests/data");
    FILE *file = fopen(path, "re");
    assert_non_null(file);
    while (fgets(line, sizeof(line), file)) {
        if (line[0] < '0' || line[0] > '9')
            continue;
        random_row(str_trim(str_of(line)));
        rows++;
    }
    fclose(file);
    assert_int_equal(rows, 39);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(playing_allocates_nothing),
        cmocka_unit_test(five_random_players_play_as_on_the_reference_server),
        cmocka_unit_test(fifteen_random_players_play_as_on_the_reference_server),
        cmocka_unit_test(a_seed_gives_the_same_game_whatever_was_played_before),
        cmocka_unit_test(timed_rooms_are_played_on_simulated_time_with_every_bot),
        cmocka_unit_test(maw_random_play_has_its_exact_probabilities),
    };

    return cmocka_run_group_tests_name("table", tests, NULL, NULL);
}
