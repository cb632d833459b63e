/* test_bench.c - games on other benches than the hall's own, whose letters take their time. What
 * the hall does with benches whose letters come at once is in test_hall.c. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "nlp/lobby.h"
#include "prop.h"

#include "base/rng.h"

#define GAMES 12

/* ---- the same games ---- */

/* What is told of each game's end, without its id, and how much its guests were sent. */
static void tell_ends(Lobby *lobby, Buf *out)
{
    char head[32];

    for (unsigned number = 1; number <= GAMES; number++) {
        snprintf(head, sizeof(head), " number=%u winner=", number);
        const char *at = strstr(buf_cstr(&lobby->notes), head);
        assert_non_null(at);
        buf_printf(out, "%.*s", (int)strcspn(at, "\n"), at);
        for (size_t i = 0; i < 5; i++) {
            const Guest *guest = lobby->guests[5 * (number - 1) + i];
            buf_printf(out, " %u/%u", guest->sent, guest->replied);
        }
        buf_add_char(out, '\n');
    }
}

static bool anything_waits(const Lobby *lobby)
{
    bool waits = lobby->moves || lobby->news.len;

    for (unsigned i = 0; i < lobby_benches; i++)
        waits |= lobby->benches[i].tasks.len > 0;
    return waits;
}

/* One thing that can happen now: letters, a few replies, or time. */
static void step(Lobby *lobby, Rng *rng)
{
    unsigned which = rng_below(rng, lobby_benches + 3);

    if (which < lobby_benches + 2)
        lobby_deliver(lobby, which);
    else if (!lobby_answers(lobby) && !anything_waits(lobby) &&
             lobby_deadline(lobby) != TIME_US_NEVER)
        lobby_go_to(lobby, lobby_deadline(lobby));
}

static void play_late(Lobby *lobby, Rng *rng)
{
    for (int steps = 0; nlp_hall_counts(lobby->hall).games > 0; steps++) {
        assert_true(steps < 1000000);
        step(lobby, rng);
    }
}

/* Some never answer, so that time plays its part. */
static void play_games(Lobby *lobby, Rng *rng, Buf *out)
{
    lobby->setup.benches = lobby_benches;
    lobby->letters = lobby_benches > 0;
    lobby_open(lobby);
    for (unsigned n = 0; n < 5 * GAMES; n++)
        guest_come(lobby, "a1")->silent = n % 13 == 3;
    play_late(lobby, rng);
    tell_ends(lobby, out);
}

static void a_game_is_the_same_on_any_bench(void **state)
{
    Lobby *lobby = *state;
    CLEANUP(buf_done) Buf alone = {0};

    Rng none = rng_new(0);
    lobby_benches = 0;
    play_games(lobby, &none, &alone);
    for (lobby_benches = 1; lobby_benches <= LOBBY_BENCHES_MAX; lobby_benches++) {
        CLEANUP(buf_done) Buf ends = {0};
        Rng rng = rng_new(lobby_benches);
        play_games(lobby, &rng, &ends);
        assert_string_equal(buf_cstr(&ends), buf_cstr(&alone));
    }
}

static void games_go_where_the_fewest_seats_are(void **state)
{
    Lobby *lobby = *state;
    unsigned games[LOBBY_BENCHES_MAX] = {0};

    lobby_benches = lobby->setup.benches = 3;
    lobby_open(lobby);
    for (unsigned n = 0; n < 5 * 30; n++)
        guest_come(lobby, "a1");
    for (size_t i = 0; i < lobby->count; i += 5) {
        assert_in_range(lobby->guests[i]->place, 0, 2);
        games[lobby->guests[i]->place]++;
    }
    assert_int_equal(games[0], 10);
    assert_int_equal(games[1], 10);
    assert_int_equal(games[2], 10);
    lobby_play(lobby);
    for (unsigned n = 0; n < 3; n++) { /* one game at a time takes turns, too */
        for (unsigned i = 0; i < 5; i++)
            guest_come(lobby, "a1");
        assert_int_equal(lobby->guests[lobby->count - 1]->place, n);
        lobby_play(lobby);
    }
}

/* ---- whatever happens ---- */

static Guest *any_guest(Lobby *lobby, Rng *rng)
{
    Guest *guest = lobby->count ? lobby->guests[rng_below(rng, (uint32_t)lobby->count)] : NULL;

    return guest && guest->open && guest->place != ON_THE_WAY ? guest : NULL;
}

/* Names are of one team, each has its token, and most who leave come back, some before they have
 * left. */
static void happen(Lobby *lobby, Rng *rng)
{
    Guest *guest = any_guest(lobby, rng);
    char name[16];

    switch (rng_below(rng, 12)) {
    case 0:
    case 1:
        snprintf(name, sizeof(name), "a%u", rng_below(rng, 40));
        guest_knock(lobby, name, "secret", false);
        break;
    case 2:
        if (guest) {
            snprintf(name, sizeof(name), "%.15s", guest->name);
            if (rng_below(rng, 3))
                guest_leave(guest);
            for (unsigned i = rng_below(rng, 4); i; i--)
                step(lobby, rng);
            guest_knock(lobby, name, "secret", rng_below(rng, 10) == 0);
        }
        break;
    case 3:
        if (guest && rng_below(rng, 2))
            guest_leave(guest);
        break;
    case 4:
        if (guest && !guest->mute)
            guest->silent = rng_below(rng, 4) == 0;
        break;
    case 5:
        lobby_go_to(lobby, lobby->now + (TimeUs)rng_below(rng, 40000000));
        break;
    case 6:
        nlp_hall_set_clock(lobby->hall, BEGAN_MS + rng_below(rng, 1000));
        break;
    default:
        step(lobby, rng);
        break;
    }
}

static unsigned count_open(const Lobby *lobby)
{
    unsigned open = 0;

    for (size_t i = 0; i < lobby->count; i++)
        open += lobby->guests[i]->open;
    return open;
}

static void nobody_is_lost_between_benches_whatever_happens(void **state)
{
    Lobby *lobby = *state;
    uint64_t rejoined = 0, begun = 0;

    for (uint64_t seed = prop_env("WARG_PROP_SEED", 1),
                  end = seed + 60 * prop_env("WARG_PROP_TIMES", 1);
         seed < end; seed++) {
        Rng rng = rng_new(seed);
        lobby_benches = lobby->setup.benches = 1 + rng_below(&rng, LOBBY_BENCHES_MAX);
        lobby->letters = true;
        lobby_open(lobby);
        for (unsigned n = 200 + rng_below(&rng, 600); n; n--)
            happen(lobby, &rng);
        if (rng_below(&rng, 2))
            nlp_hall_drain(lobby->hall, lobby->now);
        else
            nlp_hall_abort(lobby->hall, lobby->now);
        play_late(lobby, &rng);
        lobby->letters = false;
        lobby_heard(lobby);
        NlpCounts counts = nlp_hall_counts(lobby->hall);
        if (counts.open != count_open(lobby) || counts.games || !nlp_hall_done(lobby->hall))
            fail_msg("seed %llu: %u open, %u counted", (unsigned long long)seed, count_open(lobby),
                     counts.open);
        for (size_t i = 0; i < lobby->count; i++)
            if (lobby->guests[i]->open)
                assert_int_equal(lobby->guests[i]->place, AT_THE_HALL);
        rejoined += counts.rejoined;
        begun += counts.games_begun;
        lobby_shut(lobby); /* before the number of benches is another one */
    }
    assert_true(rejoined > 100 && begun > 100);
}

int main(void)
{
#define EACH(test) cmocka_unit_test_setup_teardown(test, lobby_new, lobby_free)
    const struct CMUnitTest tests[] = {
        EACH(a_game_is_the_same_on_any_bench),
        EACH(games_go_where_the_fewest_seats_are),
        EACH(nobody_is_lost_between_benches_whatever_happens),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
