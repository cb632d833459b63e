#include "site_places.h"

#include "site/account.h"
#include "site/may.h"
#include "site/team.h"

#define NOW ((int64_t)1800000000000)

static int64_t person(Db *db, const char *login)
{
    AccountSetup setup = {.login = str_of(login), .language = STR("en")};
    int64_t id = 0;

    assert_int_equal(account_make(db, &setup, NOW, &id, NULL), 0);
    return id;
}

static int64_t contest(Db *db, const char *name)
{
    CLEANUP(db_query_freep) DbQuery *query = NULL;

    assert_int_equal(db_query(db,
                              "INSERT INTO contest(name, state, file, digest, changed)"
                              " VALUES(?1, 'OPEN', '', '', 1) RETURNING id",
                              &query, NULL),
                     0);
    db_bind_text(query, 1, str_of(name));
    assert_int_equal(db_step(query, NULL), 1);
    return db_int(query, 0);
}

static int found(Db *db, int64_t in, const char *name, int64_t captain, int64_t *ret_team, Err *err)
{
    TeamSetup setup = {.contest = in, .name = str_of(name), .captain = captain};

    return team_found(db, &setup, NOW, ret_team, err);
}

static void names_of_contests_are_taken_and_others_refused(void **state)
{
    const char *const good[] = {
        "sUper_IL", "wool_100%", "team-3", "a", "C++", "x.y", "12345678901234567890123456789012"};
    const char *const bad[] = {
        "",     ".",   "..",   "-rf",          "a/b", "a b",  "a\n",
        "a\"b", "<b>", "$(x)", "\xe4\xba\xba", "a'b", "a\\b", "123456789012345678901234567890123"};

    (void)state;
    for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++)
        assert_int_equal(team_judge_name(str_of(good[i]), false, NULL), 0);
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        Err err = {0};
        assert_int_equal(team_judge_name(str_of(bad[i]), false, &err), ERR_RULE);
        assert_int_equal(strncmp(err.msg, "name: ", 6), 0);
    }
    assert_int_equal(team_judge_name((Str){"a\0b", 3}, false, NULL), ERR_RULE);
    assert_int_equal(team_judge_name(STR("delta2026"), true, NULL), ERR_RULE);
    assert_int_equal(team_judge_name(STR("delta2026"), false, NULL), 0);
}

static void a_person_is_in_one_team_of_a_contest(void **state)
{
    CLEANUP(db_closep) Db *db = site_place_open(state);
    int64_t cup = contest(db, "cup"), open = contest(db, "open"), ann = person(db, "ann"),
            bo = person(db, "bo");
    int64_t wits = 0, other = 0, found_team = 0;
    unsigned relations;
    Err err = {0};

    assert_int_equal(found(db, cup, "wits", ann, &wits, &err), 0);
    assert_int_equal(found(db, cup, "WITS", bo, &other, &err), ERR_RULE);
    assert_string_equal(err.msg, "name: 'WITS' is taken");
    assert_int_equal(found(db, cup, "more", ann, &other, NULL), ERR_RULE);
    assert_int_equal(found(db, open, "wits", ann, &other, NULL), 0); /* another contest */
    assert_int_equal(team_of_account(db, cup, ann, &found_team, NULL), 0);
    assert_true(found_team == wits);
    assert_int_equal(team_of_account(db, cup, bo, &found_team, NULL), 0);
    assert_true(found_team == TEAM_NONE);
    assert_int_equal(team_relations(db, wits, ann, &relations, NULL), 0);
    assert_int_equal(relations, IS_MEMBER | IS_CAPTAIN);
    assert_int_equal(team_relations(db, wits, bo, &relations, NULL), 0);
    assert_int_equal(relations, 0);
    /* nothing is left of what was refused */
    int64_t cy = person(db, "cy");
    assert_int_equal(found(db, cup, "nobodys", 999, &other, NULL), ERR_RULE);
    assert_int_equal(found(db, cup, "nobodys", cy, &other, NULL), 0);
}

static void members_join_up_to_a_number_and_leave_a_captain(void **state)
{
    CLEANUP(db_closep) Db *db = site_place_open(state);
    int64_t cup = contest(db, "cup"), ann = person(db, "ann"), bo = person(db, "bo"),
            cy = person(db, "cy");
    int64_t wits = 0, other = 0;
    unsigned relations;

    assert_int_equal(found(db, cup, "wits", ann, &wits, NULL), 0);
    assert_int_equal(found(db, cup, "other", cy, &other, NULL), 0);
    assert_int_equal(team_join(db, wits, bo, 1, NULL), ERR_RULE); /* it is full */
    assert_int_equal(team_join(db, wits, bo, 2, NULL), 0);
    assert_int_equal(team_join(db, wits, bo, 9, NULL), ERR_RULE); /* is there */
    assert_int_equal(team_join(db, wits, cy, 9, NULL), ERR_RULE); /* is elsewhere */
    assert_int_equal(team_join(db, 999, bo, 9, NULL), ERR_RULE);
    assert_int_equal(team_leave(db, wits, cy, NULL), ERR_RULE);
    assert_int_equal(team_leave(db, wits, ann, NULL), ERR_RULE); /* the only captain */
    assert_int_equal(team_set_captain(db, wits, ann, false, NULL), ERR_RULE);
    assert_int_equal(team_set_captain(db, wits, cy, true, NULL), ERR_RULE);
    assert_int_equal(team_set_captain(db, wits, bo, true, NULL), 0);
    assert_int_equal(team_set_captain(db, wits, ann, false, NULL), 0);
    assert_int_equal(team_relations(db, wits, ann, &relations, NULL), 0);
    assert_int_equal(relations, IS_MEMBER);
    assert_int_equal(team_leave(db, wits, ann, NULL), 0);
    assert_int_equal(team_set_captain(db, wits, bo, false, NULL), ERR_RULE);
    assert_int_equal(team_leave(db, wits, bo, NULL), 0); /* the last one */
    bool changed;
    assert_int_equal(team_move(db, wits, TEAM_IN, TEAM_OUT, &changed, NULL), 0);
    assert_false(changed);
    assert_int_equal(team_join(db, wits, ann, 9, NULL), ERR_RULE); /* it has withdrawn */
    assert_int_equal(team_move(db, wits, TEAM_WITHDRAWN, TEAM_IN, &changed, NULL), 0);
    assert_true(changed);
    assert_int_equal(team_join(db, wits, ann, 9, NULL), 0);
}

static void a_team_that_waits_is_told_from_one_that_plays(void **state)
{
    CLEANUP(db_closep) Db *db = site_place_open(state);
    int64_t cup = contest(db, "cup"), ann = person(db, "ann"), wits = 0;
    TeamSetup setup = {.contest = cup, .approve = true, .name = STR("wits"), .captain = ann};
    bool changed;

    assert_int_equal(team_found(db, &setup, NOW, &wits, NULL), 0);
    assert_int_equal(team_move(db, wits, TEAM_WAITING, TEAM_IN, &changed, NULL), 0);
    assert_true(changed);
    assert_int_equal(team_move(db, wits, TEAM_WAITING, TEAM_IN, &changed, NULL), 0);
    assert_false(changed); /* twice changes nothing */
    for (TeamState each = 0; each < TEAM_STATES; each++)
        assert_true(strlen(team_state_name(each)) > 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_of_contests_are_taken_and_others_refused),
        ON_BOTH(a_person_is_in_one_team_of_a_contest),
        ON_BOTH(members_join_up_to_a_number_and_leave_a_captain),
        ON_BOTH(a_team_that_waits_is_told_from_one_that_plays),
    };

    return cmocka_run_group_tests(tests, site_server_set_up, site_server_tear_down);
}
