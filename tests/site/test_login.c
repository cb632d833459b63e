#include "site_places.h"

#include "site/login.h"
#include "site/may.h"

#define MINUTE ((int64_t)60 * 1000)
#define DAY    (24 * 60 * MINUTE)
#define NOW    (1000 * DAY)

static int64_t new_account(Db *db, const char *login)
{
    CLEANUP(db_query_freep) DbQuery *query = NULL;

    assert_int_equal(db_query(db, "INSERT INTO account(login, created) VALUES(?1, 1) RETURNING id",
                              &query, NULL),
                     0);
    db_bind_text(query, 1, str_of(login));
    assert_int_equal(db_step(query, NULL), 1);
    return db_int(query, 0);
}

static int64_t whose(Db *db, const char *cookie, int64_t now)
{
    int64_t account = -1;
    Err err = {0};

    if (login_find(db, str_of(cookie), now, &account, &err))
        fail_msg("%s", err.msg);
    return account;
}

static void a_login_lasts_fourteen_days(void **state)
{
    CLEANUP(db_closep) Db *db = site_place_open(state);
    char ann_cookie[SECRET_TEXT_BYTES], bo_cookie[SECRET_TEXT_BYTES];
    int64_t ann = new_account(db, "ann"), bo = new_account(db, "bo");

    assert_int_equal(login_begin(db, ann, STR("192.0.2.0/24"), NOW, ann_cookie, NULL), 0);
    assert_int_equal(login_begin(db, bo, STR("192.0.2.0/24"), NOW, bo_cookie, NULL), 0);
    assert_string_not_equal(ann_cookie, bo_cookie);
    assert_int_equal(whose(db, ann_cookie, NOW), ann);
    assert_int_equal(whose(db, bo_cookie, NOW + 14 * DAY - 1), bo);
    assert_int_equal(whose(db, bo_cookie, NOW + 14 * DAY), ACCOUNT_NONE);
    assert_int_equal(whose(db, "", NOW), ACCOUNT_NONE);
    assert_int_equal(whose(db, "' OR 1 = 1 --", NOW), ACCOUNT_NONE);
    ann_cookie[5] = ann_cookie[5] == 'a' ? 'b' : 'a';
    assert_int_equal(whose(db, ann_cookie, NOW), ACCOUNT_NONE);
}

static void it_ends_by_logout_by_a_new_password_and_with_the_account(void **state)
{
    CLEANUP(db_closep) Db *db = site_place_open(state);
    char one[SECRET_TEXT_BYTES], two[SECRET_TEXT_BYTES], other[SECRET_TEXT_BYTES];
    int64_t ann = new_account(db, "ann"), bo = new_account(db, "bo");

    assert_int_equal(login_begin(db, ann, STR(""), NOW, one, NULL), 0);
    assert_int_equal(login_begin(db, ann, STR(""), NOW, two, NULL), 0);
    assert_int_equal(login_begin(db, bo, STR(""), NOW, other, NULL), 0);
    assert_int_equal(login_end_all(db, ann, str_of(two), NULL), 0);
    assert_int_equal(whose(db, one, NOW), ACCOUNT_NONE);
    assert_int_equal(whose(db, two, NOW), ann);
    assert_int_equal(login_end(db, str_of(two), NULL), 0);
    assert_int_equal(whose(db, two, NOW), ACCOUNT_NONE);
    assert_int_equal(whose(db, other, NOW), bo);
    assert_int_equal(db_exec(db, "UPDATE account SET disabled = 1 WHERE login = 'bo'", NULL), 0);
    assert_int_equal(whose(db, other, NOW), ACCOUNT_NONE);
    assert_int_equal(db_exec(db, "UPDATE account SET disabled = NULL, erased = 1", NULL), 0);
    assert_int_equal(whose(db, other, NOW), ACCOUNT_NONE);
}

static void that_it_is_used_is_noted_once_a_minute(void **state)
{
    CLEANUP(db_closep) Db *db = site_place_open(state);
    char cookie[SECRET_TEXT_BYTES];

    assert_int_equal(login_begin(db, new_account(db, "ann"), STR(""), NOW, cookie, NULL), 0);
    whose(db, cookie, NOW + MINUTE - 1);
    assert_true(site_number(db, "SELECT seen FROM login") == NOW);
    whose(db, cookie, NOW + MINUTE);
    assert_true(site_number(db, "SELECT seen FROM login") == NOW + MINUTE);
}

static void the_csrf_token_is_of_this_login_alone(void **state)
{
    CLEANUP(db_closep) Db *db = site_place_open(state);
    char one[SECRET_TEXT_BYTES], two[SECRET_TEXT_BYTES], token[CSRF_TEXT_BYTES],
        other[CSRF_TEXT_BYTES];
    int64_t ann = new_account(db, "ann");

    assert_int_equal(login_begin(db, ann, STR(""), NOW, one, NULL), 0);
    assert_int_equal(login_begin(db, ann, STR(""), NOW, two, NULL), 0);
    login_csrf(str_of(one), token);
    login_csrf(str_of(two), other);
    assert_int_equal(strlen(token), 64);
    assert_string_not_equal(token, other);
    assert_null(strstr(token, one));
    assert_true(login_csrf_is(str_of(one), str_of(token)));
    assert_false(login_csrf_is(str_of(one), str_of(other)));
    assert_false(login_csrf_is(str_of(one), STR("")));
    login_csrf(STR(""), other);
    assert_string_equal(other, "");
    assert_false(login_csrf_is(STR(""), STR("")));
}

/* Who reads the store can be nobody: no secret stands there, nor anything that is one. */
static void the_store_has_digests_only(void **state)
{
    CLEANUP(db_closep) Db *db = site_place_open(state);
    char secrets[3][SECRET_TEXT_BYTES];
    const char *const dumps[] = {"SELECT token FROM login", "SELECT hash FROM token",
                                 "SELECT hash FROM once"};
    int64_t ann = new_account(db, "ann");

    assert_int_equal(login_begin(db, ann, STR(""), NOW, secrets[0], NULL), 0);
    assert_int_equal(api_token_make(db, &(ApiTokenSetup){ann, STR("ci"), SCOPE_READ, 0, INT64_MAX},
                                    secrets[1], NULL),
                     0);
    assert_int_equal(once_make(db, ONCE_RESET, ann, STR(""), NOW, secrets[2], NULL), 0);
    for (size_t i = 0; i < 3; i++) {
        CLEANUP(db_query_freep) DbQuery *query = NULL;
        char hex[2 * 32 + 1] = "";
        assert_int_equal(db_query(db, dumps[i], &query, NULL), 0);
        assert_int_equal(db_step(query, NULL), 1);
        Str kept = db_blob(query, 0);
        assert_int_equal(kept.len, 32);
        for (size_t at = 0; at < kept.len; at++)
            snprintf(hex + 2 * at, 3, "%02x", (unsigned char)kept.bytes[at]);
        assert_null(strstr(secrets[i], hex));
        assert_int_equal(whose(db, hex, NOW), ACCOUNT_NONE); /* the digest opens nothing */
    }
}

static void a_token_has_its_scopes_and_its_end(void **state)
{
    CLEANUP(db_closep) Db *db = site_place_open(state);
    char token[SECRET_TEXT_BYTES], for_ever[SECRET_TEXT_BYTES];
    int64_t ann = new_account(db, "ann"), account;
    unsigned scopes;

    assert_int_equal(
        api_token_make(db,
                       &(ApiTokenSetup){ann, STR("ci"), SCOPE_SUBMIT | SCOPE_JUDGE, 0, NOW + DAY},
                       token, NULL),
        0);
    assert_int_equal(api_token_make(db,
                                    &(ApiTokenSetup){ann, STR("mine"), SCOPE_READ, 0, INT64_MAX},
                                    for_ever, NULL),
                     0);
    assert_int_equal(strncmp(token, "wgt_", 4), 0);
    assert_int_equal(api_token_find(db, str_of(token), NOW, &account, &scopes, NULL), 0);
    assert_int_equal(account, ann);
    assert_int_equal(scopes, SCOPE_SUBMIT | SCOPE_JUDGE);
    assert_true(site_number(db, "SELECT used FROM token WHERE label = 'ci'") == NOW);
    /* To the minute: a script that asks often has the store write seldom. */
    assert_int_equal(api_token_find(db, str_of(token), NOW + 59999, &account, &scopes, NULL), 0);
    assert_true(site_number(db, "SELECT used FROM token WHERE label = 'ci'") == NOW);
    assert_int_equal(api_token_find(db, str_of(token), NOW + 60000, &account, &scopes, NULL), 0);
    assert_true(site_number(db, "SELECT used FROM token WHERE label = 'ci'") == NOW + 60000);
    assert_int_equal(api_token_find(db, str_of(token), NOW + DAY, &account, &scopes, NULL), 0);
    assert_int_equal(account, ACCOUNT_NONE);
    assert_int_equal(scopes, 0);
    assert_int_equal(
        api_token_find(db, str_of(for_ever), NOW + 9999 * DAY, &account, &scopes, NULL), 0);
    assert_int_equal(scopes, SCOPE_READ);
    assert_int_equal(db_exec(db, "UPDATE token SET scope = 'read everything'", NULL), 0);
    assert_int_equal(api_token_find(db, str_of(for_ever), NOW, &account, &scopes, NULL), 0);
    assert_int_equal(scopes, SCOPE_READ); /* a word of another program is no right */
    assert_int_equal(api_token_end(db, str_of(for_ever), NULL), 0);
    assert_int_equal(api_token_find(db, str_of(for_ever), NOW, &account, &scopes, NULL), 0);
    assert_int_equal(account, ACCOUNT_NONE);
}

static void an_account_has_so_many_tokens_and_those_that_are_over_are_gone(void **state)
{
    CLEANUP(db_closep) Db *db = site_place_open(state);
    const int64_t ann = new_account(db, "ann"), bo = new_account(db, "bo");
    ApiTokenSetup setup = {ann, STR("ci"), SCOPE_READ, NOW, NOW + DAY};
    char token[SECRET_TEXT_BYTES];

    for (int i = 0; i < API_TOKENS_MAX; i++)
        assert_int_equal(api_token_make(db, &setup, token, NULL), 0);
    assert_int_equal(api_token_make(db, &setup, token, NULL), ERR_RULE);
    setup.account = bo;
    assert_int_equal(api_token_make(db, &setup, token, NULL), 0);
    setup.account = ann;
    setup.now_ms = NOW + DAY;
    assert_int_equal(api_token_make(db, &setup, token, NULL), 0);
    assert_int_equal(site_number(db, "SELECT count(*) FROM token"), 2);
}

static void secrets_that_are_over_are_forgotten(void **state)
{
    CLEANUP(db_closep) Db *db = site_place_open(state);
    const int64_t ann = new_account(db, "ann");
    char text[SECRET_TEXT_BYTES];

    assert_int_equal(login_begin(db, ann, STR("192.0.2.0/24"), NOW, text, NULL), 0);
    assert_int_equal(once_make(db, ONCE_RESET, ann, STR(""), NOW, text, NULL), 0);
    assert_int_equal(login_begin(db, ann, STR("192.0.2.0/24"), NOW + 13 * DAY, text, NULL), 0);
    assert_int_equal(once_make(db, ONCE_RESET, ann, STR(""), NOW + MINUTE, text, NULL), 0);
    assert_int_equal(site_number(db, "SELECT count(*) FROM login"), 2);
    assert_int_equal(site_number(db, "SELECT count(*) FROM once"), 2);
    assert_int_equal(login_begin(db, ann, STR("192.0.2.0/24"), NOW + 14 * DAY, text, NULL), 0);
    assert_int_equal(once_make(db, ONCE_RESET, ann, STR(""), NOW + 30 * MINUTE, text, NULL), 0);
    assert_int_equal(site_number(db, "SELECT count(*) FROM login"), 2);
    assert_int_equal(site_number(db, "SELECT count(*) FROM once"), 2);
}

static void a_link_works_once_in_time_and_for_its_kind(void **state)
{
    CLEANUP(db_closep) Db *db = site_place_open(state);
    CLEANUP(buf_done) Buf data = {0};
    char link[SECRET_TEXT_BYTES], late[SECRET_TEXT_BYTES], admin[SECRET_TEXT_BYTES];
    int64_t ann = new_account(db, "ann"), account;
    bool used;

    assert_int_equal(once_make(db, ONCE_INVITE, ann, STR("team 7"), NOW, link, NULL), 0);
    assert_int_equal(once_make(db, ONCE_RESET, ann, STR(""), NOW, late, NULL), 0);
    assert_int_equal(once_make(db, ONCE_ADMIN, ACCOUNT_NONE, STR(""), NOW, admin, NULL), 0);
    assert_int_equal(once_use(db, ONCE_RESET, str_of(link), NOW, &used, &account, &data, NULL), 0);
    assert_false(used);
    assert_int_equal(
        once_use(db, ONCE_INVITE, str_of(link), NOW + 13 * DAY, &used, &account, &data, NULL), 0);
    assert_true(used);
    assert_int_equal(account, ann);
    assert_string_equal(buf_cstr(&data), "team 7");
    assert_int_equal(
        once_use(db, ONCE_INVITE, str_of(link), NOW + 13 * DAY, &used, &account, &data, NULL), 0);
    assert_false(used);
    assert_int_equal(account, ACCOUNT_NONE);
    assert_int_equal(
        once_use(db, ONCE_RESET, str_of(late), NOW + 30 * MINUTE, &used, &account, &data, NULL), 0);
    assert_false(used);
    assert_int_equal(once_use(db, ONCE_ADMIN, str_of(admin), NOW, &used, &account, &data, NULL), 0);
    assert_true(used);
    assert_int_equal(account, ACCOUNT_NONE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        ON_BOTH(a_login_lasts_fourteen_days),
        ON_BOTH(it_ends_by_logout_by_a_new_password_and_with_the_account),
        ON_BOTH(that_it_is_used_is_noted_once_a_minute),
        ON_BOTH(the_csrf_token_is_of_this_login_alone),
        ON_BOTH(the_store_has_digests_only),
        ON_BOTH(a_token_has_its_scopes_and_its_end),
        ON_BOTH(an_account_has_so_many_tokens_and_those_that_are_over_are_gone),
        ON_BOTH(secrets_that_are_over_are_forgotten),
        ON_BOTH(a_link_works_once_in_time_and_for_its_kind),
    };

    return cmocka_run_group_tests(tests, site_server_set_up, site_server_tear_down);
}
