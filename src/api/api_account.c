/* Accounts over the API: made, seen, changed, erased; logins and resets. docs/contest-api.md */
#include "api/api_account_json.h"
#include "api/api_handlers.h"
#include "api/api_password.h"
#include "base/mem.h"
#include "site/account.h"
#include "site/notice.h"
#include "store/db_row.h"

/* ---- making ---- */

static int make_account(ApiVisit *visit, Err *err)
{
    int rc = api_account_make_now(visit, err);

    visit->status = 201;
    return rc == 0 ? api_account_write_own(visit, err) : rc;
}

int api_account_make(ApiVisit *visit, Err *err)
{
    Str login, password = {0}, invite;
    int rc = api_body_need(visit, "login", &login, err);

    if (rc == 0)
        rc = api_body_need(visit, "password", &password, err);
    if (rc == 0)
        rc = api_body_text(visit, "invite", &invite, err);
    if (rc == 0)
        rc = api_account_may_make(visit, invite, login, password, err);
    return rc == 0 ? api_password_make(visit, password, make_account, err) : rc;
}

int api_account_see(ApiVisit *visit, Err *err)
{
    return api_account_write_own(visit, err);
}

int api_account_write(ApiVisit *visit, Err *err)
{
    buf_add(&visit->disposition, STR("attachment; filename=\"account.json\""));
    return account_write_all(visit->site->db, visit->account, &visit->out, err);
}

/* ---- logging in ---- */

static int refuse_wait(ApiVisit *visit, TimeUs wait)
{
    visit->retry_s = (uint32_t)((wait + 999999) / 1000000);
    return api_refuse(visit, REFUSE_TOO_MANY, NULL, NULL);
}

/* Whether the password that was checked is the account's: another one may be set by now. */
static bool password_is_right(const ApiVisit *visit, const Account *account)
{
    return visit->password.matches && account->id && !account->disabled &&
           str_eq(buf_str(&account->hash), str_of(visit->password.checked));
}

static int end_log_in(ApiVisit *visit, Err *err)
{
    CLEANUP(account_done) Account account = {0};
    Str login, address = str_of(visit->address);
    int rc = api_body_need(visit, "login", &login, err);

    if (rc == 0)
        rc = account_find(visit->site->db, login, &account, err);
    if (rc)
        return rc;
    if (!password_is_right(visit, &account)) {
        api_rates_login_failed(visit->site->rates, address, login, visit->now);
        return api_refuse(visit, REFUSE_PASSWORD, NULL, NULL);
    }
    api_rates_login_good(visit->site->rates, address, login);
    visit->account = account.id;
    rc = api_account_begin_login(visit, err);
    return rc == 0 ? api_account_write_own(visit, err) : rc;
}

int api_log_in(ApiVisit *visit, Err *err)
{
    CLEANUP(account_done) Account account = {0};
    Str login, password;
    int rc = api_body_need(visit, "login", &login, err);

    if (rc == 0)
        rc = api_body_need(visit, "password", &password, err);
    if (rc)
        return rc;
    TimeUs wait = visit->local ? 0
                               : api_rates_login(visit->site->rates, str_of(visit->address), login,
                                                 visit->now);
    if (wait)
        return refuse_wait(visit, wait);
    rc = account_find(visit->site->db, login, &account, err);
    return rc == 0 ? api_password_check(visit, password, buf_str(&account.hash), end_log_in, err)
                   : rc;
}

int api_log_out(ApiVisit *visit, Err *err)
{
    api_account_forget_cookie(visit);
    return login_end(visit->site->db, buf_str(&visit->cookie), err);
}

/* ---- a new password ---- */

static int end_reset(ApiVisit *visit, Err *err)
{
    CLEANUP(buf_done) Buf data = {0};
    Db *db = visit->site->db;
    Str secret;
    bool used = false;
    int rc = api_body_need(visit, "secret", &secret, err);

    if (rc == 0)
        rc = once_use(db, ONCE_RESET, secret, visit->now_ms, &used, &visit->account, &data, err);
    if (rc == 0 && !used)
        rc = api_refuse(visit, REFUSE_LINK, "secret", NULL);
    if (rc == 0)
        rc = account_set_hash(db, visit->account, str_of(visit->password.hash), STR(""), err);
    if (rc == 0)
        rc = api_account_begin_login(visit, err);
    return rc == 0 ? api_account_write_own(visit, err) : rc;
}

/* The same answer whether there is such an account or not. */
static int send_reset(ApiVisit *visit, Str login, Err *err)
{
    CLEANUP(account_done) Account account = {0};
    CLEANUP(buf_done) Buf link = {0};
    char secret[SECRET_TEXT_BYTES];
    Db *db = visit->site->db;
    int rc = account_find(db, login, &account, err);

    if (rc || !account.id || account.disabled || !account.mail.len)
        return rc;
    rc = once_make(db, ONCE_RESET, account.id, STR(""), visit->now_ms, secret, err);
    if (rc)
        return rc;
    buf_printf(&link, "%.*s/reset/%s", STR_ARG(visit->site->settings->public_url), secret);
    const NoticeWord word = {"link", buf_str(&link)};
    const Notice notice = {
        .kind = NOTICE_RESET, .to = TO_ACCOUNT, .id = account.id, .words = &word, .word_count = 1};
    return notice_put(db, &notice, visit->now_ms, err);
}

int api_reset(ApiVisit *visit, Err *err)
{
    Str login, password, secret;
    int rc = api_body_text(visit, "secret", &secret, err);

    if (rc == 0)
        rc = api_body_text(visit, "password", &password, err);
    if (rc == 0 && secret.len) {
        Err why = {0};
        if (password_judge(password, NULL, 0, &why))
            return api_refuse(visit, REFUSE_FIELD, "password", why.msg);
        /* A hash is dear, and whoever sends a secret that is none must not keep others waiting. */
        TimeUs pause = visit->local ? 0
                                    : api_rates_login(visit->site->rates, str_of(visit->address),
                                                      STR(""), visit->now);
        if (pause)
            return refuse_wait(visit, pause);
        return api_password_make(visit, password, end_reset, err);
    }
    if (rc == 0)
        rc = api_body_need(visit, "login", &login, err);
    if (rc)
        return rc;
    TimeUs wait = visit->local
                      ? 0
                      : api_rates_account(visit->site->rates, str_of(visit->address), visit->now);
    return wait ? refuse_wait(visit, wait) : send_reset(visit, login, err);
}

/* ---- changing ---- */

static int change_fields(ApiVisit *visit, Err *err)
{
    static const char *const keys[] = {"name", "mail", "language"};
    CLEANUP(account_done) Account before = {0};
    Str values[3];
    const Str *given[3] = {NULL, NULL, NULL};
    int rc = 0;

    for (size_t i = 0; rc == 0 && i < 3; i++) {
        rc = api_body_text(visit, keys[i], &values[i], err);
        if (visit->body && json_get(visit->body, keys[i]))
            given[i] = &values[i];
    }
    const AccountChange change = {.name = given[0], .mail = given[1], .language = given[2]};
    if (rc == 0)
        rc = account_get(visit->site->db, visit->account, &before, err);
    if (rc == 0)
        rc = account_change(visit->site->db, visit->account, &change, err);
    /* A form that says the address again is no wish for another link. */
    if (rc == 0 && change.mail && !str_eq(*change.mail, buf_str(&before.mail)))
        rc = api_account_ask_mail(visit, err);
    return rc == 0 ? api_account_write_own(visit, err) : rc;
}

static int set_new_password(ApiVisit *visit, Err *err)
{
    int rc = account_set_hash(visit->site->db, visit->account, str_of(visit->password.hash),
                              buf_str(&visit->cookie), err);

    return rc == 0 ? change_fields(visit, err) : rc;
}

/* Behind check_own_password: refused where it was another one. */
static int need_password(ApiVisit *visit, const char *field, Err *err)
{
    CLEANUP(account_done) Account account = {0};
    int rc = account_get(visit->site->db, visit->account, &account, err);

    if (rc || password_is_right(visit, &account))
        return rc;
    api_rates_login_failed(visit->site->rates, str_of(visit->address), buf_str(&account.login),
                           visit->now);
    return api_refuse(visit, REFUSE_PASSWORD, field, NULL);
}

static int hash_new_password(ApiVisit *visit, Err *err)
{
    Str password;
    int rc = api_body_need(visit, "password", &password, err);

    if (rc == 0)
        rc = need_password(visit, "old", err);
    return rc == 0 ? api_password_make(visit, password, set_new_password, err) : rc;
}

/* Whoever has a login for a moment must not be able to guess without end. */
static int check_own_password(ApiVisit *visit, const char *field, ApiHandler *then, Err *err)
{
    CLEANUP(account_done) Account account = {0};
    Str password;
    int rc = api_body_need(visit, field, &password, err);

    if (rc == 0)
        rc = account_get(visit->site->db, visit->account, &account, err);
    if (rc)
        return rc;
    TimeUs wait = api_rates_login(visit->site->rates, str_of(visit->address),
                                  buf_str(&account.login), visit->now);
    return wait ? refuse_wait(visit, wait)
                : api_password_check(visit, password, buf_str(&account.hash), then, err);
}

static int change_with_password(ApiVisit *visit, Err *err)
{
    int rc = need_password(visit, "old", err);

    return rc == 0 ? change_fields(visit, err) : rc;
}

/* Where links of forgotten passwords go is no less than the password. */
int api_account_change(ApiVisit *visit, Err *err)
{
    CLEANUP(account_done) Account account = {0};
    Str password, mail;
    int rc = api_body_text(visit, "password", &password, err);

    if (rc == 0)
        rc = api_body_text(visit, "mail", &mail, err);
    if (rc == 0)
        rc = account_get(visit->site->db, visit->account, &account, err);
    if (rc)
        return rc;
    if (!password.len)
        return json_get(visit->body, "mail") && !str_eq(mail, buf_str(&account.mail))
                   ? check_own_password(visit, "old", change_with_password, err)
                   : change_fields(visit, err);
    const Str login = buf_str(&account.login);
    Err why = {0};
    if (password_judge(password, &login, 1, &why))
        return api_refuse(visit, REFUSE_FIELD, "password", why.msg);
    return check_own_password(visit, "old", hash_new_password, err);
}

static int erase_account(ApiVisit *visit, Err *err)
{
    int rc = need_password(visit, "password", err);

    if (rc)
        return rc;
    api_account_forget_cookie(visit);
    return account_erase(visit->site->db, visit->account, visit->now_ms, err);
}

int api_account_erase(ApiVisit *visit, Err *err)
{
    return check_own_password(visit, "password", erase_account, err);
}

/* ---- links ---- */

int api_invite_use(ApiVisit *visit, Err *err)
{
    Str secret;
    int rc = api_body_need(visit, "secret", &secret, err);

    if (rc == 0)
        rc = api_account_use_link(visit, secret, err);
    /* A new role ends all logins: this one begins anew. */
    if (rc == 0 && visit->cookie.len)
        rc = api_account_begin_login(visit, err);
    return rc == 0 ? api_account_write_own(visit, err) : rc;
}

/* ---- all accounts, for the admin ---- */

#define ACCOUNTS_PAGE 100

int api_accounts_list(ApiVisit *visit, Err *err)
{
    CLEANUP(db_query_freep) DbQuery *query = NULL;
    Json json = json_over(&visit->out);
    int64_t last = 0;
    unsigned count = 0;
    int rc = db_query_with(visit->site->db, &query, err,
                           "SELECT id, login, name, mail, created, disabled FROM account WHERE "
                           "erased IS NULL AND id > ?1 ORDER BY id LIMIT 101",
                           "i", api_query_number(visit, "cursor", 0));

    json_open(&json, '{');
    json_key(&json, STR("items"));
    json_open(&json, '[');
    while (rc == 0 && (rc = db_step(query, err)) > 0) {
        rc = 0;
        if (count++ == ACCOUNTS_PAGE)
            break;
        last = db_int(query, 0);
        json_open(&json, '{');
        api_add_id(&json, "id", last);
        json_add_str(&json, "login", db_text(query, 1));
        json_add_str(&json, "name", db_text(query, 2));
        json_add_str(&json, "mail", db_text(query, 3));
        api_add_date(&json, "created", db_int(query, 4));
        json_add_bool(&json, "disabled", !db_is_null(query, 5));
        json_close(&json);
    }
    json_close(&json);
    if (count > ACCOUNTS_PAGE)
        api_add_id(&json, "next", last);
    json_close(&json);
    return rc;
}

/* Answers with the link by which an account gets a new password. */
static int write_reset_link(ApiVisit *visit, int64_t account, Err *err)
{
    CLEANUP(buf_done) Buf link = {0};
    Json json = json_over(&visit->out);
    char secret[SECRET_TEXT_BYTES];
    int rc = once_make(visit->site->db, ONCE_RESET, account, STR(""), visit->now_ms, secret, err);

    if (rc)
        return rc;
    buf_printf(&link, "%.*s/reset/%s", STR_ARG(visit->site->settings->public_url), secret);
    visit->status = 201;
    json_open(&json, '{');
    api_add_id(&json, "id", account);
    json_add_str(&json, "link", buf_str(&link));
    json_close(&json);
    return 0;
}

/* An account without a password, and the link by which it gets one. */
int api_accounts_make(ApiVisit *visit, Err *err)
{
    AccountSetup setup = {.language = STR("en")};
    int64_t id = 0;
    Str language;
    Db *db = visit->site->db;
    int rc = api_body_need(visit, "login", &setup.login, err);

    if (rc == 0)
        rc = api_body_text(visit, "name", &setup.name, err);
    if (rc == 0)
        rc = api_body_text(visit, "mail", &setup.mail, err);
    if (rc == 0)
        rc = api_body_text(visit, "language", &language, err);
    if (rc == 0 && language.len)
        setup.language = language;
    if (rc == 0)
        rc = account_make(db, &setup, visit->now_ms, &id, err);
    return rc == 0 ? write_reset_link(visit, id, err) : rc;
}

/* For whom mail doesn't reach. */
int api_accounts_reset(ApiVisit *visit, Err *err)
{
    int64_t there = 0;
    int rc = db_ask(visit->site->db, 0, &there, err,
                    "SELECT count(*) FROM account WHERE id = ?1 AND erased IS NULL", "i",
                    api_word_number(visit, 0));

    if (rc == 0 && !there)
        rc = api_refuse(visit, REFUSE_NOT_FOUND, NULL, NULL);
    return rc == 0 ? write_reset_link(visit, api_word_number(visit, 0), err) : rc;
}

int api_accounts_change(ApiVisit *visit, Err *err)
{
    const json_t *value = visit->body ? json_get(visit->body, "disabled") : NULL;
    int64_t id = api_word_number(visit, 0);
    Db *db = visit->site->db;
    bool disabled = false;

    if (!value || !json_as_bool(value, &disabled))
        return api_refuse(visit, REFUSE_MISSING, "disabled", NULL);
    int rc =
        disabled
            ? db_run(db, err, "UPDATE account SET disabled = ?2 WHERE id = ?1 AND erased IS NULL",
                     "ii", id, visit->now_ms)
            : db_run(db, err, "UPDATE account SET disabled = NULL WHERE id = ?1", "i", id);
    if (rc == 0 && db_changes(db) == 0)
        return api_refuse(visit, REFUSE_NOT_FOUND, NULL, NULL);
    return rc == 0 && disabled ? login_end_all(db, id, STR(""), err) : rc;
}
