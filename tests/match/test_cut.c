#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "match/cut.h"

static void is_cut(Cut cut, uint32_t sure, uint32_t tied, uint32_t places)
{
    assert_int_equal(cut.sure, sure);
    assert_int_equal(cut.tied, tied);
    assert_int_equal(cut.places, places);
}

static void a_tie_is_a_rank_on_both_sides_of_the_cut(void **state)
{
    static const uint32_t ranks[] = {1, 2, 2, 4, 4, 4, 7};
    (void)state;

    is_cut(cut_of_ranks(ranks, 7, 1), 1, 0, 0);
    is_cut(cut_of_ranks(ranks, 7, 2), 1, 2, 1);
    is_cut(cut_of_ranks(ranks, 7, 3), 3, 0, 0);
    is_cut(cut_of_ranks(ranks, 7, 4), 3, 3, 1);
    is_cut(cut_of_ranks(ranks, 7, 5), 3, 3, 2);
    is_cut(cut_of_ranks(ranks, 7, 6), 6, 0, 0);
    is_cut(cut_of_ranks(ranks, 7, 7), 7, 0, 0);
    is_cut(cut_of_ranks(ranks, 7, 9), 7, 0, 0);
    is_cut(cut_of_ranks(ranks, 0, 3), 0, 0, 0);
}

static Ruleset rules(void)
{
    Ruleset preset;

    assert_int_equal(ruleset_preset(STR("aiwolf-2021"), &preset, NULL), 0);
    return preset;
}

static void in_an_extra_round_all_of_the_tied_sit_equally_often(void **state)
{
    const Ruleset five = rules();
    const PlanStage stage = {
        .players = 5, .games_per_set = 10, .min_games = 50, .games = 70, .advance = 3};
    PlanStage extra;
    (void)state;

    assert_true(cut_extra_stage(&stage, &five, 7, &extra));
    assert_int_equal(extra.pairing, PAIRING_RANDOM);
    assert_int_equal(extra.sets, 7); /* 35 seats */
    assert_int_equal(extra.min_games + extra.games + extra.advance, 0);
    assert_true(cut_extra_stage(&stage, &five, 10, &extra));
    assert_int_equal(extra.sets, 2);
    assert_true(cut_extra_stage(&stage, &five, 3, &extra)); /* too few for a table */
    assert_int_equal(extra.pairing, PAIRING_ALL_PAIRS);
    assert_int_equal(extra.sets, 6);
}

/* Reckoned with python3: hmac.new(bytes(range(32)), b"tie\0" + name, "sha256"). */
static void lots_are_keyed_and_the_smallest_is_first(void **state)
{
    static const char *const wanted[] = {"人狼", "bob", "alice"};
    static const char *const hex[] = {
        "7b955f42ac3abb02407c1a585400d645d9942a7ae66eb7ac77b3442ac9419142",
        "9f38270980241efade0df9d5f6005ea1102ba9e1322d374e3481fa7246a0a95f",
        "e035b9e72f8c85d4aa6121dc22e45dc6556461b8d1a1c4159f540a36bcfed352"};
    CutLot lots[] = {{.agent = 1, .name = STR("alice")},
                     {.agent = 2, .name = STR("bob")},
                     {.agent = 3, .name = STR("人狼")}};
    char text[KEY_HEX_BYTES];
    Key key;
    (void)state;

    for (unsigned i = 0; i < KEY_BYTES; i++)
        key.bytes[i] = (unsigned char)i;
    cut_draw_lots(&key, lots, 3);
    for (int i = 0; i < 3; i++) {
        assert_true(str_eq(lots[i].name, str_of(wanted[i])));
        key_to_hex(&lots[i].lot, text);
        assert_string_equal(text, hex[i]);
    }
    key.bytes[0] ^= 1;
    cut_draw_lots(&key, lots, 3);
    key_to_hex(&lots[0].lot, text);
    assert_string_not_equal(text, hex[0]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_tie_is_a_rank_on_both_sides_of_the_cut),
        cmocka_unit_test(in_an_extra_round_all_of_the_tied_sit_equally_often),
        cmocka_unit_test(lots_are_keyed_and_the_smallest_is_first),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
