#include "site_places.h"

#include "base/rng.h"
#include "site/account.h"
#include "site/login.h"
#include "site/may.h"

#define NOW ((int64_t)1800000000000)

static int make(Db *db, const char *login, const char *mail, int64_t *ret_id, Err *err)
{
    AccountSetup setup = {.login = str_of(login),
                          .name = STR("Ann Example"),
                          .mail = str_of(mail),
                          .language = STR("en"),
                          .hash = STR("$y$hash")};

    return account_make(db, &setup, NOW, ret_id, err);
}

static int64_t must_make(Db *db, const char *login)
{
    int64_t id = 0;
    Err err = {0};

    if (make(db, login, "ann@example.org", &id, &err))
        fail_msg("%s", err.msg);
    assert_true(id > 0);
    return id;
}

static void one_login_is_one_person(void **state)
{
    CLEANUP(db_closep) Db *db = site_place_open(state);
    CLEANUP(account_done) Account found = {0};
    int64_t ann = must_make(db, "Ann"), other = 0;
    Err err = {0};

    assert_int_equal(make(db, "aNN", "", &other, &err), ERR_RULE);
    assert_string_equal(err.msg, "login: 'ann' is taken");
    assert_int_equal(account_find(db, STR("ANN"), &found, NULL), 0);
    assert_true(found.id == ann);
    assert_string_equal(buf_cstr(&found.login), "ann");
    assert_string_equal(buf_cstr(&found.name), "Ann Example");
    assert_string_equal(buf_cstr(&found.hash), "$y$hash");
    assert_false(found.mail_ok || found.disabled);
    account_done(&found);
    assert_int_equal(account_find(db, STR("bo"), &found, NULL), 0);
    assert_int_equal(found.id, ACCOUNT_NONE);
    assert_int_equal(account_find(db, STR("' OR '1'='1"), &found, NULL), 0);
    assert_int_equal(found.id, ACCOUNT_NONE);
    assert_int_equal(account_find(db, STR(""), &found, NULL), 0);
    assert_int_equal(found.id, ACCOUNT_NONE);
}

static void what_can_not_be_a_login_or_an_address_is_refused(void **state)
{
    CLEANUP(db_closep) Db *db = site_place_open(state);
    const char *const logins[] = {"",
                                  "a",
                                  ".ann",
                                  "-ann",
                                  "ann smith",
                                  "ann\n",
                                  "\xe4\xba\xba",
                                  "ann@example",
                                  "123456789012345678901234567890123"};
    const char *const mails[] = {"ann",         "@example.org",  "ann@",    "a@b@c",
                                 "ann@b, bo@c", "ann@b\nBcc: x", "ann@b\r", "Ann <ann@b>",
                                 "-oQ/tmp@b",   "ann@b;bo@c",    "ann\t@b", "\xff@b"};
    int64_t id = 0;

    for (size_t i = 0; i < sizeof(logins) / sizeof(logins[0]); i++) {
        Err err = {0};
        assert_int_equal(make(db, logins[i], "", &id, &err), ERR_RULE);
        assert_int_equal(strncmp(err.msg, "login: ", 7), 0);
    }
    for (size_t i = 0; i < sizeof(mails) / sizeof(mails[0]); i++) {
        Err err = {0};
        assert_int_equal(make(db, "ann", mails[i], &id, &err), ERR_RULE);
        assert_int_equal(strncmp(err.msg, "mail: ", 6), 0);
    }
    assert_int_equal(id, 0);
    assert_int_equal(make(db, "ann", "ann.o'neil+cup@mail.example.org", &id, NULL), 0);
}

/* In lists of people nobody may look like somebody else by what can't be seen. */
static void a_name_is_text_and_nothing_else(void **state)
{
    CLEANUP(db_closep) Db *db = site_place_open(state);
    const char *const names[] = {"Ann\nBo", "Ann\x1b[2J",
                                 "Ann\xc2\x9b"
                                 "2J",
                                 "Ann\xe2\x80\xae"
                                 "nnA",
                                 "\xff"};
    AccountSetup setup = {.login = STR("ann"), .language = STR("ja")};
    int64_t id = 0;

    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        setup.name = str_of(names[i]);
        assert_int_equal(account_make(db, &setup, NOW, &id, NULL), ERR_RULE);
    }
    setup.name = STR("山田 花子 (Ann O'Neil)");
    assert_int_equal(account_make(db, &setup, NOW, &id, NULL), 0);
}

static void a_new_password_ends_other_logins(void **state)
{
    CLEANUP(db_closep) Db *db = site_place_open(state);
    CLEANUP(account_done) Account found = {0};
    CLEANUP(buf_done) Buf data = {0};
    char here[SECRET_TEXT_BYTES], there[SECRET_TEXT_BYTES];
    char link[SECRET_TEXT_BYTES], mail[SECRET_TEXT_BYTES];
    int64_t ann = must_make(db, "ann"), who;
    bool used;

    assert_int_equal(login_begin(db, ann, STR(""), NOW, here, NULL), 0);
    assert_int_equal(login_begin(db, ann, STR(""), NOW, there, NULL), 0);
    assert_int_equal(once_make(db, ONCE_RESET, ann, STR(""), NOW, link, NULL), 0);
    assert_int_equal(once_make(db, ONCE_MAIL, ann, STR(""), NOW, mail, NULL), 0);
    assert_int_equal(account_set_hash(db, ann, STR("$y$new"), str_of(here), NULL), 0);
    assert_int_equal(account_get(db, ann, &found, NULL), 0);
    assert_string_equal(buf_cstr(&found.hash), "$y$new");
    assert_int_equal(login_find(db, str_of(here), NOW, &who, NULL), 0);
    assert_true(who == ann);
    assert_int_equal(login_find(db, str_of(there), NOW, &who, NULL), 0);
    assert_int_equal(who, ACCOUNT_NONE);
    /* Who had a link sent before would have the account again. */
    assert_int_equal(once_use(db, ONCE_RESET, str_of(link), NOW, &used, &who, &data, NULL), 0);
    assert_false(used);
    assert_int_equal(once_use(db, ONCE_MAIL, str_of(mail), NOW, &used, &who, &data, NULL), 0);
    assert_true(used);
}

static void run(Db *db, const char *sql, int64_t id)
{
    CLEANUP(db_query_freep) DbQuery *query = NULL;
    Err err = {0};

    if (db_query(db, sql, &query, &err))
        fail_msg("%s", err.msg);
    db_bind_int(query, 1, id);
    if (db_step(query, &err) < 0)
        fail_msg("%s: %s", sql, err.msg);
}

/* A person with something in each table that may have it. */
static int64_t make_busy_person(Db *db)
{
    char secret[SECRET_TEXT_BYTES];
    int64_t id = 0;
    AccountSetup setup = {STR("zzlogin"), STR("Zzname"), STR("zzmail@example.org"), STR("ja"),
                          STR("$y$zzhash")};

    assert_int_equal(account_make(db, &setup, NOW, &id, NULL), 0);
    assert_int_equal(login_begin(db, id, STR("zzaddress"), NOW, secret, NULL), 0);
    assert_int_equal(api_token_make(db,
                                    &(ApiTokenSetup){id, STR("zzlabel"), SCOPE_READ, 0, INT64_MAX},
                                    secret, NULL),
                     0);
    assert_int_equal(once_make(db, ONCE_RESET, id, STR("zzdata"), NOW, secret, NULL), 0);
    run(db,
        "INSERT INTO contest(name, state, file, digest, changed) VALUES('cup', 'OPEN', '', '', ?1)",
        NOW);
    run(db, "INSERT INTO role(account, contest, role) VALUES(?1, 1, 'judge')", id);
    run(db, "INSERT INTO team(contest, name, state, created) VALUES(1, 'wits', 'IN', ?1)", NOW);
    run(db, "INSERT INTO member(team, account, captain) VALUES(1, ?1, 1)", id);
    run(db,
        "INSERT INTO event(account, address, verb, object, detail, at) VALUES(?1, 'zzaddress', "
        "'submit', 'version 1',"
        " 'zzdetail', 5)",
        id);
    run(db,
        "INSERT INTO notice(account, channel, kind, body, due) VALUES(?1, 'mail', 'reset', "
        "'zzbody', 1)",
        id);
    run(db,
        "INSERT INTO version(team, number, language, state, account, at) VALUES(1, 1, 'java', "
        "'ACTIVE', ?1, 1)",
        id);
    return id;
}

/* O48: all texts of all tables are searched. */
static void an_erased_account_is_nowhere(void **state)
{
    CLEANUP(db_closep) Db *db = site_place_open(state);
    CLEANUP(buf_done) Buf all = {0}, after = {0};
    const char *const traces[] = {
        ("SELECT count(*) FROM account WHERE login LIKE 'zz%' OR name LIKE 'Zz%' OR mail LIKE "
         "'zz%' "
         "OR hash LIKE '%zz%'"),
        "SELECT count(*) FROM login WHERE address LIKE 'zz%'",
        "SELECT count(*) FROM token WHERE label LIKE 'zz%'",
        "SELECT count(*) FROM once WHERE data LIKE 'zz%'",
        "SELECT count(*) FROM role",
        "SELECT count(*) FROM member",
        "SELECT count(*) FROM notice WHERE body LIKE 'zz%'",
        "SELECT count(*) FROM event WHERE address LIKE 'zz%' OR detail LIKE 'zz%'"};
    int64_t id = make_busy_person(db), other = must_make(db, "other");
    Err err = {0};

    if (account_write_all(db, id, &all, &err))
        fail_msg("%s", err.msg);
    const char *const told[] = {
        "zzlogin", "Zzname", "zzmail@",  "zzaddress",          "zzlabel",
        "wits",    "judge",  "zzdetail", "\"ends\":\"never\"", "2027-01-15T08:00:00.000Z"};
    for (size_t i = 0; i < sizeof(told) / sizeof(told[0]); i++)
        if (!strstr(buf_cstr(&all), told[i]))
            fail_msg("no %s in %s", told[i], buf_cstr(&all));
    assert_null(strstr(buf_cstr(&all), "zzhash"));
    for (int pass = 0; pass < 2; pass++)
        for (size_t i = 0; i < sizeof(traces) / sizeof(traces[0]); i++) {
            CLEANUP(db_query_freep) DbQuery *query = NULL;
            if (pass == 1 && i == 0)
                assert_int_equal(account_erase(db, id, NOW, NULL), 0);
            assert_int_equal(db_query(db, traces[i], &query, NULL), 0);
            assert_int_equal(db_step(query, NULL), 1);
            assert_int_equal(db_int(query, 0), pass == 0);
        }
    CLEANUP(account_done) Account found = {0};
    assert_int_equal(account_get(db, id, &found, NULL), 0);
    assert_int_equal(found.id, ACCOUNT_NONE);
    assert_int_equal(account_write_all(db, id, &after, NULL), ERR_RULE);
    assert_int_equal(after.len, 0);
    assert_int_equal(account_get(db, other, &found, NULL), 0);
    assert_true(found.id == other);
    assert_true(must_make(db, "zzlogin") != id); /* the name is free, the number is not */
}

/* ---- O48 ---- */

static void write_all(const char *path, Buf *out)
{
    char piece[65536];
    size_t count;
    FILE *file = fopen(path, "r");

    while (file && (count = fread(piece, 1, sizeof(piece), file)) > 0)
        buf_add(out, (Str){piece, count});
    if (file)
        fclose(file);
}

/* Not a byte of it is left in the store's files; teams that others are in go on. */
static void no_byte_of_an_erased_account_is_left(void **state)
{
    static const char *const planted[] = {
        "planted-login",       "Planted Name",  "planted@mail.example",   "198.51.100.77",
        "planted-affiliation", "planted-label", "https://planted.example"};
    SitePlace *place = *state;
    const AccountSetup setup = {.login = str_of(planted[0]),
                                .name = str_of(planted[1]),
                                .mail = str_of(planted[2]),
                                .language = STR("en")};
    char cookie[SECRET_TEXT_BYTES], token[SECRET_TEXT_BYTES];
    CLEANUP(buf_done) Buf bytes = {0};
    int64_t id = 0, other = 0;
    size_t at;
    Db *db = site_place_open(state);
    Err err = {0};

    assert_int_equal(account_make(db, &setup, 1, &id, NULL), 0);
    const AccountSetup second = {.login = STR("bo"), .language = STR("en")};
    assert_int_equal(account_make(db, &second, 1, &other, NULL), 0);
    assert_int_equal(login_begin(db, id, str_of(planted[3]), 1, cookie, NULL), 0);
    assert_int_equal(
        api_token_make(db, &(ApiTokenSetup){id, str_of(planted[5]), 1, 0, INT64_MAX}, token, NULL),
        0);
    if (db_exec(
            db,
            "INSERT INTO contest(name, state, file, digest, changed)"
            " VALUES('cup', 'OPEN', '', '', 1);"
            "INSERT INTO team(contest, name, state, affiliation, webhook, created) VALUES"
            " (1, 'alone', 'IN', 'planted-affiliation', 'https://planted.example', 1),"
            " (1, 'both', 'IN', 'ours', NULL, 1);"
            "INSERT INTO member(team, account, captain) VALUES(1, 1, 1), (2, 1, 1), (2, 2, 0);"
            "INSERT INTO notice(contest, account, channel, kind, body, due) VALUES(1, 1, 'mail',"
            " 'announcement', '{\"text\":\"Planted Name\"}', 1);"
            "INSERT INTO event(contest, account, address, verb, detail, at) VALUES(1, 1,"
            " '198.51.100.77', 'register', 'planted-login', 1)",
            &err))
        fail_msg("%s", err.msg);
    assert_int_equal(account_erase(db, id, 2, &err), 0);
    assert_int_equal(
        site_number(db, "SELECT count(*) FROM team WHERE state = 'WITHDRAWN' AND id = 1"), 1);
    assert_int_equal(site_number(db, "SELECT count(*) FROM team WHERE state = 'IN' AND id = 2"), 1);
    assert_int_equal(site_number(db, "SELECT captain FROM member WHERE account = 2"), 1);
    assert_int_equal(site_number(db, "SELECT count(*) FROM account WHERE erased = 2"), 1);
    db_close(db);
    if (place->server)
        return;
    write_all(place->path, &bytes);
    assert_true(bytes.len > 0);
    for (size_t i = 0; i < sizeof(planted) / sizeof(planted[0]); i++)
        if (str_find(buf_str(&bytes), str_of(planted[i]), &at))
            fail_msg("'%s' is in the file, at %zu", planted[i], at);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        ON_BOTH(no_byte_of_an_erased_account_is_left),
        ON_BOTH(one_login_is_one_person),
        ON_BOTH(what_can_not_be_a_login_or_an_address_is_refused),
        ON_BOTH(a_name_is_text_and_nothing_else),
        ON_BOTH(a_new_password_ends_other_logins),
        ON_BOTH(an_erased_account_is_nowhere),
    };

    return cmocka_run_group_tests(tests, site_server_set_up, site_server_tear_down);
}
