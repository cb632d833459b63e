#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "game/ask_targets.h"
#include "game/role.h"
#include "game/ruleset.h"

/* ---- words ---- */

static void each_role_has_its_side_its_species_and_its_words(void **state)
{
    static const struct {
        Role role;
        const char *name, *word, *japanese;
        Side side;
        Species species;
    } roles[] = {
        {ROLE_BODYGUARD, "BODYGUARD", "Bodyguard", "狩人", SIDE_VILLAGER, SPECIES_HUMAN},
        {ROLE_FREEMASON, "FREEMASON", "Freemason", "共有者", SIDE_VILLAGER, SPECIES_HUMAN},
        {ROLE_MEDIUM, "MEDIUM", "Medium", "霊媒師", SIDE_VILLAGER, SPECIES_HUMAN},
        {ROLE_POSSESSED, "POSSESSED", "Possessed", "狂人", SIDE_WEREWOLF, SPECIES_HUMAN},
        {ROLE_SEER, "SEER", "Seer", "占い師", SIDE_VILLAGER, SPECIES_HUMAN},
        {ROLE_VILLAGER, "VILLAGER", "Villager", "村人", SIDE_VILLAGER, SPECIES_HUMAN},
        {ROLE_WEREWOLF, "WEREWOLF", "Werewolf", "人狼", SIDE_WEREWOLF, SPECIES_WEREWOLF},
        {ROLE_FOX, "FOX", "Fox", "妖狐", SIDE_OTHERS, SPECIES_HUMAN},
        {ROLE_NONE, "NONE", "?", "?", SIDE_NONE, SPECIES_NONE},
    };

    (void)state;
    assert_int_equal(sizeof(roles) / sizeof(roles[0]), ROLE_COUNT);
    for (size_t i = 0; i < sizeof(roles) / sizeof(roles[0]); i++) {
        Role role = roles[i].role;
        assert_string_equal(role_name(role), roles[i].name);
        assert_string_equal(role_word(role, false), roles[i].word);
        assert_string_equal(role_word(role, true), roles[i].japanese);
        assert_int_equal(role_side(role), roles[i].side);
        assert_int_equal(role_species(role), roles[i].species);
        assert_int_equal(role_of(str_of(roles[i].name)), role);
    }
}

static void what_is_no_role_has_no_word_and_no_side(void **state)
{
    (void)state;
    assert_string_equal(role_name(ROLE_COUNT), "NONE");
    assert_string_equal(role_name((Role)200), "NONE");
    assert_string_equal(role_word(ROLE_COUNT, false), "?");
    assert_string_equal(role_word((Role)200, true), "?");
    assert_int_equal(role_side(ROLE_COUNT), SIDE_NONE);
    assert_int_equal(role_of(STR("seer")), ROLE_NONE);
    assert_int_equal(role_of(STR("SEERS")), ROLE_NONE);
    assert_int_equal(role_of(STR("")), ROLE_NONE);
}

static void species_and_sides_are_read_as_they_are_named(void **state)
{
    (void)state;
    for (int species = SPECIES_NONE; species <= SPECIES_WEREWOLF; species++)
        assert_int_equal(species_of(str_of(species_name((Species)species))), species);
    assert_string_equal(species_name(SPECIES_HUMAN), "HUMAN");
    assert_string_equal(species_name(SPECIES_WEREWOLF), "WEREWOLF");
    assert_string_equal(species_name((Species)3), "NONE");
    assert_int_equal(species_of(STR("FOX")), SPECIES_NONE);
    for (int side = SIDE_NONE; side <= SIDE_OTHERS; side++)
        assert_int_equal(side_of(str_of(side_name((Side)side))), side);
    assert_string_equal(side_name(SIDE_VILLAGER), "VILLAGER");
    assert_string_equal(side_name(SIDE_OTHERS), "OTHERS");
    assert_string_equal(side_name((Side)4), "NONE");
    assert_int_equal(side_of(STR("HUMAN")), SIDE_NONE);
}

/* ---- who may be named ---- */

/* Five seats, 1 is dead, the view is that of 3; 3 and 4 are known to be wolves. */
static SeatSet targets_of(const Ruleset *rules, AskKind kind)
{
    View view = {.rules = rules, .seat = 3, .seat_count = 5, .alive = 0};

    for (SeatNo seat = 2; seat <= 5; seat++)
        view.alive |= seat_bit(seat);
    view.roles[3] = view.roles[4] = view.roles[1] = ROLE_WEREWOLF;
    return ask_targets(&view, kind);
}

static void the_living_others_may_be_named(void **state)
{
    Ruleset rules = {0};
    SeatSet others = seat_bit(2) | seat_bit(4) | seat_bit(5);

    (void)state;
    assert_int_equal(targets_of(&rules, ASK_VOTE), others);
    assert_int_equal(targets_of(&rules, ASK_DIVINE), others);
    assert_int_equal(targets_of(&rules, ASK_GUARD), others);
    assert_int_equal(targets_of(&rules, ASK_ATTACK), seat_bit(2) | seat_bit(5));
}

static void each_rule_allows_what_it_is_named_for(void **state)
{
    Ruleset rules = {0};
    SeatSet others = seat_bit(2) | seat_bit(4) | seat_bit(5);

    (void)state;
    rules.vote.self_vote = true;
    assert_int_equal(targets_of(&rules, ASK_VOTE), others | seat_bit(3));
    assert_int_equal(targets_of(&rules, ASK_DIVINE), others);
    assert_int_equal(targets_of(&rules, ASK_GUARD), others);
    rules = (Ruleset){0};
    rules.ability.divine_self = true;
    assert_int_equal(targets_of(&rules, ASK_DIVINE), others | seat_bit(3));
    assert_int_equal(targets_of(&rules, ASK_VOTE), others);
    rules = (Ruleset){0};
    rules.attack.vote_for_wolf = true;
    assert_int_equal(targets_of(&rules, ASK_ATTACK), others);
}

/* ---- rules that don't go together ---- */

static void check_says(const Ruleset *rules, const char *about)
{
    Err err = {0};

    assert_int_equal(ruleset_check(rules, &err), ERR_RULE);
    if (!strstr(err.msg, about))
        fail_msg("expected '%s' in: %s", about, err.msg);
}

static Ruleset plain_rules(void)
{
    Ruleset rules;

    assert_int_equal(ruleset_preset(STR("aiwolf-2021"), &rules, NULL), 0);
    assert_int_equal(ruleset_check(&rules, NULL), 0);
    return rules;
}

static void rules_that_do_not_go_together_are_refused(void **state)
{
    Ruleset rules = plain_rules();

    (void)state;
    rules.day.phases[0].actions[0] = ACTION_VILLAGE;
    check_says(&rules, "a village needs talk.exchange: anytime");
    rules = plain_rules();
    rules.night.phases[0].actions[0] = ACTION_HIDEOUT;
    check_says(&rules, "a hideout needs whisper.exchange: anytime");
    rules = plain_rules();
    rules.talk.whisper_after_turn = true;
    assert_int_equal(ruleset_check(&rules, NULL), 0);
    rules.whisper.whisper_after_turn = true;
    check_says(&rules, "whispers have no such rule");
    rules = plain_rules();
    rules.vote.effect = EFFECT_ATTACK;
    rules.attack.rounds = 1;
    assert_int_equal(ruleset_check(&rules, NULL), 0);
    rules.attack.rounds = 2;
    check_says(&rules, "vote.effect: attack needs attack.rounds: 1");
    rules = plain_rules();
    rules.day.count = PHASE_MAX + 1;
    check_says(&rules, "more than");
    rules = plain_rules();
    rules.night.count = PHASE_MAX + 1;
    check_says(&rules, "more than");
    rules = plain_rules();
    rules.roles.counts[5][ROLE_SEER]++;
    check_says(&rules, "roles for 5 players add up to 6");
    rules = plain_rules();
    rules.roles.counts[5][ROLE_SEER]--;
    rules.roles.counts[5][ROLE_NONE]++;
    check_says(&rules, "roles for 5 players add up to 5");
    rules = plain_rules();
    memset(rules.roles.present, 0, sizeof(rules.roles.present));
    check_says(&rules, "has no roles for any number of players");
    rules.wolves = WOLVES_TABLE + 1;
    assert_int_equal(ruleset_check(&rules, NULL), 0);
}

static void a_ruleset_is_timed_when_talk_whispers_or_a_room_have_no_turns(void **state)
{
    Ruleset rules = plain_rules();

    (void)state;
    assert_false(ruleset_is_timed(&rules));
    rules.talk.exchange = EXCHANGE_ANYTIME;
    assert_true(ruleset_is_timed(&rules));
    rules = plain_rules();
    rules.whisper.exchange = EXCHANGE_ANYTIME;
    assert_true(ruleset_is_timed(&rules));
    rules = plain_rules();
    Phase *last = &rules.day.phases[rules.day.count - 1];
    last->actions[last->action_count - 1] = ACTION_VILLAGE;
    assert_true(ruleset_is_timed(&rules));
    rules = plain_rules();
    last = &rules.night.phases[rules.night.count - 1];
    last->actions[last->action_count - 1] = ACTION_HIDEOUT;
    assert_true(ruleset_is_timed(&rules));
    last->actions[last->action_count - 1] = ACTION_ATTACK;
    last->actions[last->action_count] = ACTION_HIDEOUT; /* behind the last */
    assert_false(ruleset_is_timed(&rules));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_role_has_its_side_its_species_and_its_words),
        cmocka_unit_test(what_is_no_role_has_no_word_and_no_side),
        cmocka_unit_test(species_and_sides_are_read_as_they_are_named),
        cmocka_unit_test(the_living_others_may_be_named),
        cmocka_unit_test(each_rule_allows_what_it_is_named_for),
        cmocka_unit_test(rules_that_do_not_go_together_are_refused),
        cmocka_unit_test(a_ruleset_is_timed_when_talk_whispers_or_a_room_have_no_turns),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
