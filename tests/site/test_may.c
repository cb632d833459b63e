#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "site/may.h"

/* Who is asked in O10, with all that each of them is. */
enum { PUBLIC, SOMEBODY, SELF, MEMBER, CAPTAIN, JUDGE, ORGANISER, ADMIN, PEOPLE };

static const unsigned people[PEOPLE] = {
    [PUBLIC] = IS_ANYBODY,
    [SOMEBODY] = IS_ANYBODY | IS_LOGGED_IN,
    [SELF] = IS_ANYBODY | IS_LOGGED_IN | IS_SELF,
    [MEMBER] = IS_ANYBODY | IS_LOGGED_IN | IS_MEMBER,
    [CAPTAIN] = IS_ANYBODY | IS_LOGGED_IN | IS_MEMBER | IS_CAPTAIN,
    [JUDGE] = IS_ANYBODY | IS_LOGGED_IN | IS_JUDGE,
    [ORGANISER] = IS_ANYBODY | IS_LOGGED_IN | IS_ORGANISER,
    [ADMIN] = IS_ANYBODY | IS_LOGGED_IN | IS_ADMIN,
};

/* The whole table, written a second time, by hand: a column for each of the people. */
static const struct {
    SiteVerb verb;
    const char *may; /* y or - */
} expected[] = {
    /*                        public, somebody, self, member, captain, judge, organiser, admin */
    {VERB_REGISTER, "yyyyyyyy"},       {VERB_LOG_IN, "yyyyyyyy"},
    {VERB_SEE_ACCOUNT, "--y----y"},    {VERB_CHANGE_ACCOUNT, "--y-----"},
    {VERB_LIST_ACCOUNTS, "-------y"},  {VERB_CREATE_CONTEST, "-------y"},
    {VERB_BACK_UP, "-------y"},        {VERB_SEE_METRICS, "-------y"},
    {VERB_SEE_CONTEST, "yyyyyyyy"},    {VERB_FOUND_TEAM, "-yyyyyyy"},
    {VERB_CHANGE_STATE, "------yy"},   {VERB_AMEND, "------yy"},
    {VERB_RULE, "------y-"},           {VERB_SEE_JOBS, "------yy"},
    {VERB_SEE_TRAIL, "------yy"},      {VERB_ANNOUNCE, "------yy"},
    {VERB_APPOINT, "------yy"},        {VERB_SEE_TEAM, "---yy-y-"},
    {VERB_SEE_OUTPUT, "---yy---"},     {VERB_SUBMIT, "---yy---"},
    {VERB_CHANGE_TEAM, "----y---"},    {VERB_APPEAL, "----y---"},
    {VERB_ANSWER_FINDING, "---yy---"}, {VERB_SEE_SHEET, "-----y--"},
    {VERB_RATE, "-----y--"},           {VERB_RESET_ACCOUNT, "-------y"},
    {VERB_LEAVE_TEAM, "---yy---"},
};

static void every_verb_is_for_whom_it_is(void **state)
{
    bool seen[SITE_VERBS] = {0};

    (void)state;
    for (size_t i = 0; i < sizeof(expected) / sizeof(expected[0]); i++) {
        seen[expected[i].verb] = true;
        for (int who = 0; who < PEOPLE; who++)
            if (site_may(expected[i].verb, people[who], SCOPE_ALL) != (expected[i].may[who] == 'y'))
                fail_msg("%s: %d", site_verb_name(expected[i].verb), who);
    }
    for (SiteVerb verb = 0; verb < SITE_VERBS; verb++) {
        assert_true(seen[verb]);
        assert_true(strlen(site_verb_name(verb)) > 2);
    }
    assert_false(site_may(SITE_VERBS, IS_ADMIN, SCOPE_ALL));
}

/* A token that leaks is worth what it says, and can't make itself more. */
static void a_token_does_less_than_a_login(void **state)
{
    const SiteVerb by_login_alone[] = {VERB_CHANGE_ACCOUNT, VERB_FOUND_TEAM, VERB_APPOINT,
                                       VERB_CHANGE_TEAM};
    const unsigned all =
        IS_LOGGED_IN | IS_SELF | IS_MEMBER | IS_CAPTAIN | IS_JUDGE | IS_ORGANISER | IS_ADMIN;
    const unsigned scopes[] = {0, SCOPE_READ, SCOPE_SUBMIT, SCOPE_JUDGE, SCOPE_ORGANISE};

    (void)state;
    for (size_t i = 0; i < sizeof(by_login_alone) / sizeof(by_login_alone[0]); i++) {
        for (unsigned some = 0; some < SCOPE_ALL; some++)
            assert_false(site_may(by_login_alone[i], all, some));
        assert_true(site_may(by_login_alone[i], all, SCOPE_ALL));
    }
    for (SiteVerb verb = 0; verb < SITE_VERBS; verb++) {
        bool open = site_may(verb, IS_ANYBODY, 0);
        for (size_t i = 0; i < sizeof(scopes) / sizeof(scopes[0]); i++)
            for (int who = 0; who < PEOPLE;
                 who++) /* never more than the login of the same person */
                assert_true(!site_may(verb, people[who], scopes[i]) ||
                            site_may(verb, people[who], SCOPE_ALL));
        assert_int_equal(site_may(verb, all, 0), open);
    }
    assert_true(site_may(VERB_SUBMIT, people[MEMBER], SCOPE_SUBMIT));
    assert_false(site_may(VERB_SUBMIT, people[MEMBER], SCOPE_READ));
    assert_false(site_may(VERB_SUBMIT, people[MEMBER], SCOPE_ORGANISE));
    assert_false(site_may(VERB_RULE, people[ORGANISER], SCOPE_JUDGE | SCOPE_READ | SCOPE_SUBMIT));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_verb_is_for_whom_it_is),
        cmocka_unit_test(a_token_does_less_than_a_login),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
