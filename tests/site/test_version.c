#include "site_places.h"

#include "site/account.h"
#include "site/team.h"
#include "site/version.h"

#define NOW ((int64_t)1800000000000)

static const VersionRules rules = {.languages = {"java python", 11}, .versions_per_day = 10};

/* A contest with teams "alice", "bob" ..., each of one account. */
static void teams(Db *db, int count, int64_t *ret_teams)
{
    static const char *const names[] = {"alice", "bob", "carol"};
    Err err = {0};

    assert_int_equal(db_exec(db,
                             "INSERT INTO contest(name, state, file, digest, changed)"
                             " VALUES('cup', 'OPEN', '', '', 1)",
                             NULL),
                     0);
    const int64_t contest = site_number(db, "SELECT id FROM contest");
    for (int i = 0; i < count; i++) {
        AccountSetup account = {.login = str_of(names[i]), .language = STR("en")};
        TeamSetup team = {.contest = contest, .name = str_of(names[i])};
        assert_int_equal(account_make(db, &account, NOW, &team.captain, NULL), 0);
        if (team_found(db, &team, NOW, &ret_teams[i], &err))
            fail_msg("%s", err.msg);
    }
}

static int receive(Db *db, int64_t team, const char *language, const char *entry, int64_t *ret_id,
                   Err *err)
{
    const VersionSetup setup = {.team = team,
                                .language = str_of(language),
                                .entry = str_of(entry),
                                .account = site_number(db, "SELECT min(id) FROM account")};
    int64_t number = 0;

    return version_receive(db, &setup, &rules, NOW, ret_id, &number, err);
}

static void step(Db *db, int64_t id, VersionState from, VersionState to, const char *tree)
{
    const VersionStep wanted = {.from = from, .to = to, .tree = str_of(tree)};
    bool moved = false;
    Err err = {0};

    if (version_advance(db, id, &wanted, &moved, &err))
        fail_msg("%s", err.msg);
    assert_true(moved);
}

static const char digest[] = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";

/* A version that has come to `state` on the straight way. */
static int64_t version_in(Db *db, int64_t team, VersionState state)
{
    int64_t id = 0;
    Err err = {0};

    if (receive(db, team, "python", "start.py", &id, &err) ||
        version_has_file(db, id, str_of(digest), 3, &rules, NULL, &err))
        fail_msg("%s", err.msg);
    for (VersionState at = VERSION_RECEIVED; at < state; at++)
        step(db, id, at, at + 1, at == VERSION_RECEIVED ? "aa" : "");
    return id;
}

static VersionState state_of(Db *db, int64_t id)
{
    CLEANUP(version_done) Version version = {0};

    assert_int_equal(version_find(db, id, &version, NULL), 0);
    return version.state;
}

static void what_comes_is_judged_before_it_is_taken(void **state)
{
    CLEANUP(db_closep) Db *db = site_place_open(state);
    int64_t team, id;
    Err err = {0};

    teams(db, 1, &team);
    assert_int_equal(receive(db, team, "rust", "x", &id, &err), ERR_RULE);
    assert_string_equal(err.msg, "language: 'rust' is none of this contest's: java python");
    assert_int_equal(receive(db, team, "native", "x", &id, NULL), ERR_RULE);
    const char *const bad[] = {"", "a/b.py", "..", ".", "-rf", "a\nb", "\xff"};
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
        assert_int_equal(receive(db, team, "python", bad[i], &id, NULL), ERR_RULE);
    assert_int_equal(site_number(db, "SELECT count(*) FROM version"), 0);
    assert_int_equal(receive(db, team, "python", "start.py", &id, NULL), 0);
    db_exec(db, "UPDATE contest SET state = 'FROZEN'", NULL);
    err = (Err){0};
    assert_int_equal(receive(db, team, "python", "start.py", &id, &err), ERR_RULE);
    assert_string_equal(err.msg, "the contest takes no versions now (FROZEN)");
    db_exec(db, "UPDATE contest SET state = 'REVISION'", NULL);
    assert_int_equal(receive(db, team, "python", "start.py", &id, NULL), ERR_RULE);
    db_exec(db, "UPDATE contest SET state = 'OPEN'; UPDATE team SET state = 'WITHDRAWN'", NULL);
    assert_int_equal(receive(db, team, "python", "start.py", &id, NULL), ERR_RULE);
}

static void a_team_sends_so_many_versions_a_day_as_the_contest_allows(void **state)
{
    CLEANUP(db_closep) Db *db = site_place_open(state);
    int64_t team, id;

    teams(db, 1, &team);
    for (int i = 0; i < 10; i++)
        assert_int_equal(receive(db, team, "python", "a.py", &id, NULL), 0);
    assert_int_equal(receive(db, team, "python", "a.py", &id, NULL), ERR_RULE);
    db_exec(db, "UPDATE version SET at = at - 86400000 WHERE number = 1", NULL);
    assert_int_equal(receive(db, team, "python", "a.py", &id, NULL), 0);
    assert_int_equal(site_number(db, "SELECT max(number) FROM version"), 11);
}

static void a_version_gets_one_file(void **state)
{
    CLEANUP(db_closep) Db *db = site_place_open(state);
    CLEANUP(version_done) Version version = {0};
    int64_t team, id;

    teams(db, 1, &team);
    assert_int_equal(receive(db, team, "python", "a.py", &id, NULL), 0);
    assert_int_equal(version_has_file(db, id, str_of(digest), 3, &rules, NULL, NULL), 0);
    assert_int_equal(version_has_file(db, id, str_of(digest), 3, &rules, NULL, NULL), ERR_RULE);
    assert_int_equal(version_find(db, id, &version, NULL), 0);
    assert_string_equal(buf_cstr(&version.blob), digest);
    assert_string_equal(buf_cstr(&version.team_name), "alice");
    assert_int_equal(version.bytes, 3);
    assert_int_equal(version.number, 1);
    uint32_t waiting = 0;
    assert_int_equal(version_waiting(db, version.contest, &waiting, NULL), 0);
    assert_int_equal(waiting, 1);
}

static void steps_go_one_way_and_twice_change_nothing(void **state)
{
    CLEANUP(db_closep) Db *db = site_place_open(state);
    int64_t team;

    teams(db, 1, &team);
    const int64_t id = version_in(db, team, VERSION_UNPACKED);
    const VersionStep again = {.from = VERSION_RECEIVED, .to = VERSION_UNPACKED, .tree = STR("bb")};
    bool moved = true;
    assert_int_equal(version_advance(db, id, &again, &moved, NULL), 0);
    assert_false(moved);
    for (VersionState from = 0; from < VERSION_STATES; from++)
        for (VersionState to = 0; to < VERSION_STATES; to++) {
            const VersionStep any = {.from = from, .to = to};
            if (from <= VERSION_CHECKING && (to == from + 1 || to == VERSION_REFUSED))
                continue;
            assert_int_equal(version_advance(db, id, &any, &moved, NULL), ERR_RULE);
        }
    assert_int_equal(state_of(db, id), VERSION_UNPACKED);
    const VersionStep refused = {.from = VERSION_UNPACKED, .to = VERSION_REFUSED, .why = STR("no")};
    assert_int_equal(version_advance(db, id, &refused, &moved, NULL), 0);
    assert_true(moved);
    CLEANUP(version_done) Version version = {0};
    assert_int_equal(version_find(db, id, &version, NULL), 0);
    assert_string_equal(buf_cstr(&version.why), "no");
    assert_string_equal(buf_cstr(&version.tree), "aa");
}

static void who_passes_is_active_and_the_one_before_retires(void **state)
{
    CLEANUP(db_closep) Db *db = site_place_open(state);
    int64_t team;

    teams(db, 1, &team);
    const int64_t first = version_in(db, team, VERSION_PASSED);
    assert_int_equal(state_of(db, first), VERSION_ACTIVE);
    const int64_t slow = version_in(db, team, VERSION_CHECKING);
    const int64_t third = version_in(db, team, VERSION_PASSED);
    assert_int_equal(state_of(db, first), VERSION_RETIRED);
    assert_int_equal(state_of(db, third), VERSION_ACTIVE);
    step(db, slow, VERSION_CHECKING, VERSION_PASSED, "");
    assert_int_equal(state_of(db, slow), VERSION_PASSED); /* a newer one plays */
    assert_int_equal(version_activate(db, first, false, NULL), 0);
    assert_int_equal(state_of(db, third), VERSION_RETIRED);
    assert_int_equal(site_number(db, "SELECT count(*) FROM version WHERE state = 'ACTIVE'"), 1);
}

static void a_suspended_version_comes_back_by_an_organiser_only(void **state)
{
    CLEANUP(db_closep) Db *db = site_place_open(state);
    CLEANUP(version_done) Version version = {0};
    int64_t team;
    bool there = true;

    teams(db, 1, &team);
    const int64_t id = version_in(db, team, VERSION_PASSED);
    assert_int_equal(version_suspend(db, id, STR("game 3: crash"), NULL), 0);
    assert_int_equal(version_suspend(db, id, STR("again"), NULL), ERR_RULE);
    assert_int_equal(version_of_team(db, team, &version, &there, NULL), 0);
    assert_false(there);
    assert_int_equal(version_activate(db, id, false, NULL), ERR_RULE);
    assert_int_equal(state_of(db, id), VERSION_SUSPENDED);
    assert_int_equal(version_activate(db, id, true, NULL), 0);
    assert_int_equal(state_of(db, id), VERSION_ACTIVE);
}

static void freezing_takes_the_last_that_passed_and_twice_changes_nothing(void **state)
{
    CLEANUP(db_closep) Db *db = site_place_open(state);
    int64_t all[3];

    teams(db, 3, all);
    const int64_t old = version_in(db, all[0], VERSION_PASSED);
    const int64_t mine = version_in(db, all[0], VERSION_PASSED);
    version_in(db, all[0], VERSION_CHECKING); /* too late */
    version_suspend(db, mine, STR("crash"), NULL);
    version_in(db, all[1], VERSION_CHECKING);
    const int64_t other = version_in(db, all[2], VERSION_PASSED);
    const int64_t contest = site_number(db, "SELECT id FROM contest");
    for (int i = 0; i < 2; i++) {
        CLEANUP(version_freeze_done) VersionFreeze freeze = {0};
        assert_int_equal(version_freeze(db, contest, true, &freeze, NULL), 0);
        assert_int_equal(freeze.ready, 2);
        assert_string_equal(buf_cstr(&freeze.without), i ? "" : "bob\n");
    }
    assert_int_equal(state_of(db, old), VERSION_ACTIVE);
    assert_int_equal(state_of(db, other), VERSION_ACTIVE);
    assert_int_equal(site_number(db, "SELECT count(*) FROM team WHERE state = 'OUT'"), 1);
    db_exec(db, "UPDATE contest SET state = 'FROZEN'", NULL);
    const int64_t late = site_number(db, "SELECT id FROM version WHERE state = 'CHECKING'"
                                         " ORDER BY id LIMIT 1");
    step(db, late, VERSION_CHECKING, VERSION_PASSED, "");
    assert_int_equal(state_of(db, late), VERSION_PASSED);
    assert_int_equal(version_activate(db, late, false, NULL), ERR_RULE);
}

static void equal_trees_of_two_teams_are_found(void **state)
{
    CLEANUP(db_closep) Db *db = site_place_open(state);
    CLEANUP(buf_done) Buf twins = {0};
    int64_t all[3];

    teams(db, 3, all);
    version_in(db, all[0], VERSION_UNPACKED);
    version_in(db, all[0], VERSION_UNPACKED);
    const int64_t id = version_in(db, all[1], VERSION_UNPACKED);
    version_in(db, all[2], VERSION_RECEIVED);
    assert_int_equal(version_twins(db, id, &twins, NULL), 0);
    assert_string_equal(buf_cstr(&twins), "alice\n");
}

static void files_beyond_keep_are_let_go_unless_somebody_needs_them(void **state)
{
    CLEANUP(db_closep) Db *db = site_place_open(state);
    CLEANUP(buf_done) Buf drops = {0};
    const VersionRules two = {.keep = 2};
    const char *const blobs[] = {"aa", "bb", "cc", "dd"};
    int64_t all[2], id = 0;
    bool moved;

    teams(db, 2, all);
    for (int i = 0; i < 4; i++) {
        const VersionStep refused = {.from = VERSION_RECEIVED, .to = VERSION_REFUSED};
        assert_int_equal(receive(db, all[0], "python", "a.py", &id, NULL), 0);
        assert_int_equal(version_has_file(db, id, str_of(blobs[i]), 1, &two, &drops, NULL), 0);
        assert_int_equal(version_advance(db, id, &refused, &moved, NULL), 0);
        if (i == 0) { /* the other team's is the same */
            assert_int_equal(receive(db, all[1], "python", "a.py", &id, NULL), 0);
            assert_int_equal(version_has_file(db, id, str_of(blobs[i]), 1, &two, &drops, NULL), 0);
        }
    }
    assert_string_equal(buf_cstr(&drops), "bb\n");
    assert_int_equal(site_number(db, "SELECT count(*) FROM version WHERE blob IS NOT NULL"), 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        ON_BOTH(what_comes_is_judged_before_it_is_taken),
        ON_BOTH(a_team_sends_so_many_versions_a_day_as_the_contest_allows),
        ON_BOTH(a_version_gets_one_file),
        ON_BOTH(steps_go_one_way_and_twice_change_nothing),
        ON_BOTH(who_passes_is_active_and_the_one_before_retires),
        ON_BOTH(a_suspended_version_comes_back_by_an_organiser_only),
        ON_BOTH(freezing_takes_the_last_that_passed_and_twice_changes_nothing),
        ON_BOTH(equal_trees_of_two_teams_are_found),
        ON_BOTH(files_beyond_keep_are_let_go_unless_somebody_needs_them),
    };

    return cmocka_run_group_tests(tests, site_server_set_up, site_server_tear_down);
}
