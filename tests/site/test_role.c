#include "site_places.h"

#include "site/account.h"
#include "site/login.h"
#include "site/role.h"

#define NOW ((int64_t)1800000000000)

static int64_t person(Db *db, const char *login)
{
    AccountSetup setup = {.login = str_of(login), .language = STR("en")};
    int64_t id = 0;

    assert_int_equal(account_make(db, &setup, NOW, &id, NULL), 0);
    return id;
}

static unsigned relations(Db *db, int64_t account, int64_t contest)
{
    unsigned got = 0;

    assert_int_equal(site_role_relations(db, account, contest, &got, NULL), 0);
    return got;
}

static void a_role_is_of_one_contest_and_an_admins_of_the_server(void **state)
{
    CLEANUP(db_closep) Db *db = site_place_open(state);
    int64_t ann = person(db, "ann"), bob = person(db, "bob");

    assert_int_equal(site_role_give(db, ann, 1, ROLE_ORGANISER, NULL), 0);
    assert_int_equal(site_role_give(db, ann, 1, ROLE_JUDGE, NULL), 0);
    assert_int_equal(site_role_give(db, bob, ROLE_SERVER, ROLE_ADMIN, NULL), 0);
    assert_int_equal(relations(db, ann, 1), IS_ORGANISER | IS_JUDGE);
    assert_int_equal(relations(db, ann, 2), 0);
    assert_int_equal(relations(db, ann, ROLE_SERVER), 0);
    assert_int_equal(relations(db, bob, 1), IS_ADMIN);
    assert_int_equal(relations(db, bob, ROLE_SERVER), IS_ADMIN);
    assert_int_equal(site_role_give(db, ann, 1, ROLE_ADMIN, NULL), ERR_RULE);
    assert_int_equal(site_role_give(db, ann, ROLE_SERVER, ROLE_JUDGE, NULL), ERR_RULE);
    assert_int_equal(site_role_take(db, ann, 1, ROLE_ORGANISER, NULL), 0);
    assert_int_equal(site_role_take(db, ann, 1, ROLE_ORGANISER, NULL), 0); /* it is gone already */
    assert_int_equal(relations(db, ann, 1), IS_JUDGE);
}

/* Rows that nobody should have written: an admin of a contest is nobody. */
static void a_role_at_the_wrong_place_is_none(void **state)
{
    CLEANUP(db_closep) Db *db = site_place_open(state);
    int64_t ann = person(db, "ann");
    char sql[120];

    for (int contest = 0; contest < 2; contest++) {
        snprintf(sql, sizeof(sql),
                 "INSERT INTO role(account, contest, role) VALUES(%lld, %d, '%s')", (long long)ann,
                 contest, contest ? "admin" : "organiser");
        assert_int_equal(db_exec(db, sql, NULL), 0);
    }
    assert_int_equal(relations(db, ann, 1), 0);
    assert_int_equal(relations(db, ann, ROLE_SERVER), 0);
}

static void a_new_role_ends_the_logins_one_had_and_the_same_again_none(void **state)
{
    CLEANUP(db_closep) Db *db = site_place_open(state);
    int64_t ann = person(db, "ann"), who = 0;
    char cookie[SECRET_TEXT_BYTES];

    assert_int_equal(login_begin(db, ann, STR("192.0.2.1"), NOW, cookie, NULL), 0);
    assert_int_equal(site_role_give(db, ann, 1, ROLE_JUDGE, NULL), 0);
    assert_int_equal(login_find(db, str_of(cookie), NOW, &who, NULL), 0);
    assert_int_equal(who, ACCOUNT_NONE);
    assert_int_equal(login_begin(db, ann, STR("192.0.2.1"), NOW, cookie, NULL), 0);
    assert_int_equal(site_role_give(db, ann, 1, ROLE_JUDGE, NULL), 0);
    assert_int_equal(login_find(db, str_of(cookie), NOW, &who, NULL), 0);
    assert_int_equal(who, ann);
}

static void a_role_has_one_name(void **state)
{
    (void)state;
    for (unsigned i = 0; i < SITE_ROLES; i++)
        assert_int_equal(site_role_of(str_of(site_role_name((SiteRole)i))), i);
    assert_int_equal(site_role_of(STR("owner")), SITE_ROLES);
    assert_string_equal(site_role_name(SITE_ROLES), "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        ON_BOTH(a_role_is_of_one_contest_and_an_admins_of_the_server),
        ON_BOTH(a_role_at_the_wrong_place_is_none),
        ON_BOTH(a_new_role_ends_the_logins_one_had_and_the_same_again_none),
        cmocka_unit_test(a_role_has_one_name),
    };

    return cmocka_run_group_tests(tests, site_server_set_up, site_server_tear_down);
}
