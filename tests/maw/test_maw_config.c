/* test_maw_config.c - a MAW table's file: what keys do, what is wrong and where, the ready files.
 */
#include "prop.h"

#include "maw/maw_config.h"

#include <stdlib.h>

static MawConfig read_good(const char *text)
{
    MawConfig config;
    Err err = {0};

    maw_config_default(&config);
    if (maw_config_read(str_of(text), &config, &err))
        fail_msg("%s: %s", text, err.msg);
    return config;
}

static void assert_refused(const char *text, unsigned line, const char *part)
{
    MawConfig config;
    Err err = {0};

    maw_config_default(&config);
    assert_true(maw_config_read(str_of(text), &config, &err) < 0);
    if (!strstr(err.msg, part) || err.line != line)
        fail_msg("%s: line %u: %s", text, err.line, err.msg);
}

static void the_ruleset_alone_is_the_documents_table(void **state)
{
    (void)state;
    MawConfig config = read_good("ruleset: maw\n");

    assert_int_equal(config.options.players, 6);
    assert_int_equal(config.options.rounds, 1);
    assert_int_equal(config.rules.talk.duration_ms, 300000);
    assert_int_equal(config.rules.whisper.duration_ms, 120000);
    assert_int_equal(config.rules.wolves, WOLVES_FLOOR);
    assert_int_equal(config.rules.end.goal, GOAL_ELIMINATION);
    assert_int_equal(config.rules.secrecy.ghosts_see, GHOSTS_ALL);
    assert_int_equal(config.options.reveal_village, REVEAL_NONE);
    assert_int_equal(config.options.reveal_hideout, REVEAL_ROLE);
    assert_int_equal(config.options.rejoin_ms, 60000);
}

static void every_option_of_the_rules_is_reached(void **state)
{
    (void)state;
    MawConfig config =
        read_good("ruleset: maw\nplayers: 9\nrounds: 3\nwolves: nearest\n"
                  "roles: {seer: 1}\nfirst_phase: night\nday_s: 60\nnight_s: 30\n"
                  "night_min_s: 10\nannounce_votes: false\nmin_votes: 2\n"
                  "tie: revote\nrevote_s: 20\nallow_self_vote: true\n"
                  "reveal_village: role\nreveal_hideout: none\nghosts_see: own\n"
                  "graveyard: true\nlanguage: ja\nwhispers: day\nwhispers_public: false\n"
                  "end: parity\nmax_days: 7\nidle_phases: 4\nscore_dead: false\n"
                  "max_chars: 200\nscores_s: 1\nlobby_s: 30\nfill: none\n"
                  "rejoin_s: 5\npause_after_s: 2\npush: false\n");

    assert_int_equal(config.options.players, 9);
    assert_int_equal(config.rules.players, 9);
    assert_int_equal(config.options.rounds, 3);
    assert_int_equal(config.rules.wolves, WOLVES_NEAREST);
    assert_int_equal(config.rules.seers, 1);
    assert_int_equal(config.rules.day.phases[0].except_day, 1);
    assert_int_equal(config.rules.talk.duration_ms, 60000);
    assert_int_equal(config.rules.whisper.duration_ms, 30000);
    assert_int_equal(config.options.night_min_ms, 10000);
    assert_false(config.rules.vote.visible);
    assert_int_equal(config.rules.vote.min_votes, 2);
    assert_int_equal(config.rules.vote.rounds, 2);
    assert_int_equal(config.rules.vote.revote_ms, 20000);
    assert_true(config.rules.vote.self_vote);
    assert_int_equal(config.options.reveal_village, REVEAL_ROLE);
    assert_int_equal(config.options.reveal_hideout, REVEAL_NONE);
    assert_int_equal(config.rules.secrecy.ghosts_see, GHOSTS_OWN);
    assert_true(config.options.graveyard);
    assert_int_equal(config.options.language, LLM_JAPANESE);
    assert_int_equal(config.options.whispers, WHISPERS_DAY);
    assert_false(config.options.whispers_public);
    assert_int_equal(config.rules.end.goal, GOAL_PARITY);
    assert_int_equal(config.rules.end.max_day, 7);
    assert_int_equal(config.rules.end.max_idle_phases, 4);
    assert_false(config.options.score_dead);
    assert_int_equal(config.rules.talk.length.per_talk, 200);
    assert_int_equal(config.rules.whisper.length.per_talk, 200);
    assert_int_equal(config.options.scores_ms, 1000);
    assert_int_equal(config.options.lobby_ms, 30000);
    assert_int_equal(config.options.fill, FILL_NONE);
    assert_int_equal(config.options.rejoin_ms, 5000);
    assert_int_equal(config.options.pause_after_ms, 2000);
    assert_false(config.options.push);
    assert_int_equal(read_good("tie: random").rules.vote.tie, TIE_RANDOM);
}

static void wolves_may_be_counted(void **state)
{
    uint8_t counts[ROLE_COUNT];

    (void)state;
    MawConfig config = read_good("players: 8\nwolves: 3\nroles: {seer: 1}");
    assert_int_equal(ruleset_roles(&config.rules, 8, counts, NULL), 0);
    assert_int_equal(counts[ROLE_WEREWOLF], 3);
    assert_int_equal(counts[ROLE_SEER], 1);
    assert_int_equal(counts[ROLE_VILLAGER], 4);
    assert_refused("players: 4\nwolves: 4", 0, "leave no villager");
}

static void what_is_wrong_is_said_with_its_line(void **state)
{
    (void)state;
    assert_refused("players: 6\nday_secs: 3", 2, "day_s");
    assert_refused("players: 31", 1, "3 to 30");
    assert_refused("players: many", 1, "players");
    assert_refused("\n\ntie: maybe", 3, "none, random, revote");
    assert_refused("wolves: 0", 1, "number from 1 on");
    assert_refused("wolves: half", 1, "floor, nearest, ceil");
    assert_refused("ruleset: aiwolf-2021", 1, "ruleset maw");
    assert_refused("roles: {medium: 1}", 1, "medium");
    assert_refused("push: perhaps", 1, "push");
    assert_refused("- a list", 1, "");
    assert_refused("", 1, "no key is in it");
    assert_refused("# a comment\n", 2, "no key is in it");
}

static void ready_files_are_read(void **state)
{
    static const char *const names[] = {"maw", "maw-fast", "maw-human", "maw-contest"};
    const char *source = getenv("WARG_SOURCE");
    MawConfig plain, config;
    Err err = {0};
    char path[512];

    (void)state;
    maw_config_default(&plain);
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        snprintf(path, sizeof(path), "%s/config/maw/%s.yml", source ? source : ".", names[i]);
        maw_config_default(&config);
        if (maw_config_load(path, &config, &err))
            fail_msg("%s", err.msg);
        if (i == 0) { /* it says what is the case without it */
            assert_int_equal(maw_config_check(&plain, NULL), 0);
            assert_memory_equal(&config.options, &plain.options, sizeof(plain.options));
            assert_memory_equal(&config.rules, &plain.rules, sizeof(plain.rules));
        }
    }
    assert_int_equal(config.rules.secrecy.ghosts_see, GHOSTS_OWN);
    assert_int_equal(maw_config_load("/nowhere/x.yml", &config, &err), ERR_IO);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_ruleset_alone_is_the_documents_table),
        cmocka_unit_test(every_option_of_the_rules_is_reached),
        cmocka_unit_test(wolves_may_be_counted),
        cmocka_unit_test(what_is_wrong_is_said_with_its_line),
        cmocka_unit_test(ready_files_are_read),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
