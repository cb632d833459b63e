#include "site/account.h"

#include "base/date_text.h"
#include "base/json.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "site/login.h"
#include "site/site_ledger.h"
#include "store/db_row.h"

#define LOGIN_BYTES_MIN 2
#define LOGIN_BYTES_MAX 32
#define NAME_BYTES_MAX  100
#define MAIL_BYTES_MAX  254 /* RFC 5321 4.5.3.1, with the angle brackets left out */

void account_done(Account *account)
{
    Buf *const texts[] = {&account->login, &account->name, &account->mail, &account->language,
                          &account->hash};

    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
        buf_done(texts[i]);
    *account = (Account){0};
}

/* ---- what a person gives ---- */

static bool is_login_char(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '.' || c == '_' || c == '-';
}

/* In small letters. */
static int read_login(Str given, char ret_login[static LOGIN_BYTES_MAX + 1], Err *err)
{
    bool good = given.len >= LOGIN_BYTES_MIN && given.len <= LOGIN_BYTES_MAX;

    for (size_t i = 0; good && i < given.len; i++) {
        ret_login[i] = str_lower_char(given.bytes[i]);
        good = is_login_char(ret_login[i]) &&
               (i || (ret_login[0] != '.' && ret_login[0] != '-' && ret_login[0] != '_'));
    }
    if (!good)
        return err_set(
            err, ERR_RULE,
            "login: %d to %d letters, digits, '.', '_' or '-', the first a letter or digit",
            LOGIN_BYTES_MIN, LOGIN_BYTES_MAX);
    ret_login[given.len] = '\0';
    return 0;
}

bool account_is_plain(Str text)
{
    CLEANUP(buf_done) Buf shown = {0};

    utf8_add_printable(text, text.len, &shown);
    return utf8_valid(text) && str_eq(buf_str(&shown), text);
}

/* One address, as it may stand behind "To:": nothing that could begin another one or another
 * header. */
static int judge_mail(Str mail, Err *err)
{
    size_t at = 0;
    bool good = mail.len <= MAIL_BYTES_MAX && account_is_plain(mail) &&
                str_find(mail, STR("@"), &at) && at > 0 && at + 1 < mail.len &&
                mail.bytes[0] != '-';

    for (size_t i = 0; good && i < mail.len; i++)
        good = !strchr(" ,;:<>()[]\"\\", mail.bytes[i]) && (mail.bytes[i] != '@' || i == at);
    if (!good)
        return err_set(err, ERR_RULE, "mail: one address, as name@example.org, is expected");
    return 0;
}

static int judge_setup(const AccountSetup *setup, char ret_login[static LOGIN_BYTES_MAX + 1],
                       Err *err)
{
    int rc = read_login(setup->login, ret_login, err);

    if (rc == 0 && (setup->name.len > NAME_BYTES_MAX || !account_is_plain(setup->name)))
        rc = err_set(err, ERR_RULE, "name: at most %d bytes of text in one line", NAME_BYTES_MAX);
    if (rc == 0 && setup->mail.len)
        rc = judge_mail(setup->mail, err);
    if (rc == 0 && !str_eq(setup->language, STR("en")) && !str_eq(setup->language, STR("ja")))
        rc = err_set(err, ERR_RULE, "language: en or ja");
    return rc;
}

static void bind_text_or_null(DbQuery *query, int number, Str text)
{
    if (text.len)
        db_bind_text(query, number, text);
    else
        db_bind_null(query, number);
}

int account_make(Db *db, const AccountSetup *setup, int64_t now_ms, int64_t *ret_id, Err *err)
{
    CLEANUP(db_query_freep) DbQuery *query = NULL;
    char login[LOGIN_BYTES_MAX + 1];
    int rc = judge_setup(setup, login, err);

    if (rc == 0)
        rc = db_query(db,
                      "INSERT INTO account(login, name, mail, hash, language, created)"
                      " VALUES(?1, ?2, ?3, ?4, ?5, ?6) ON CONFLICT DO NOTHING RETURNING id",
                      &query, err);
    if (rc)
        return rc;
    db_bind_text(query, 1, str_of(login));
    bind_text_or_null(query, 2, setup->name);
    bind_text_or_null(query, 3, setup->mail);
    bind_text_or_null(query, 4, setup->hash);
    db_bind_text(query, 5, setup->language);
    db_bind_int(query, 6, now_ms);
    rc = db_step(query, err);
    if (rc == 0)
        return err_set(err, ERR_RULE, "login: '%s' is taken", login);
    if (rc < 0)
        return rc;
    *ret_id = db_int(query, 0);
    return 0;
}

/* ---- finding ---- */

#define ACCOUNT_COLUMNS                                                                            \
    "SELECT id, login, name, mail, language, hash, mail_ok, disabled FROM account"

/* The row of a query whose parameters are bound. */
static int read_account(DbQuery *query, Account *ret_account, Err *err)
{
    int rc = db_step(query, err);

    *ret_account = (Account){0};
    if (rc <= 0)
        return rc;
    Buf *const texts[] = {&ret_account->login, &ret_account->name, &ret_account->mail,
                          &ret_account->language, &ret_account->hash};
    for (int i = 0; i < 5; i++)
        buf_add(texts[i], db_text(query, i + 1));
    ret_account->id = db_int(query, 0);
    ret_account->mail_ok = db_int(query, 6) != 0;
    ret_account->disabled = !db_is_null(query, 7);
    return 0;
}

int account_find(Db *db, Str login, Account *ret_account, Err *err)
{
    CLEANUP(db_query_freep) DbQuery *query = NULL;
    char small[LOGIN_BYTES_MAX + 1] = ""; /* what is no login is nobody's */
    int rc = db_query(db, ACCOUNT_COLUMNS " WHERE login = ?1 AND erased IS NULL", &query, err);

    if (rc)
        return rc;
    if (read_login(login, small, NULL))
        small[0] = '\0';
    db_bind_text(query, 1, str_of(small));
    return read_account(query, ret_account, err);
}

int account_get(Db *db, int64_t id, Account *ret_account, Err *err)
{
    CLEANUP(db_query_freep) DbQuery *query = NULL;
    int rc = db_query(db, ACCOUNT_COLUMNS " WHERE id = ?1 AND erased IS NULL", &query, err);

    if (rc)
        return rc;
    db_bind_int(query, 1, id);
    return read_account(query, ret_account, err);
}

/* ---- changing ---- */

int account_change(Db *db, int64_t id, const AccountChange *change, Err *err)
{
    const AccountSetup setup = {.login = STR("nobody"),
                                .name = change->name ? *change->name : STR(""),
                                .mail = change->mail ? *change->mail : STR(""),
                                .language = change->language ? *change->language : STR("en")};
    char login[LOGIN_BYTES_MAX + 1];
    int rc = judge_setup(&setup, login, err);

    if (rc == 0 && change->name)
        rc = db_run(db, err, "UPDATE account SET name = ?2 WHERE id = ?1 AND erased IS NULL", "iT",
                    id, *change->name);
    if (rc == 0 && change->mail)
        rc = db_run(db, err,
                    "UPDATE account SET mail_ok = 0, mail = ?2 WHERE id = ?1 AND erased IS NULL"
                    " AND coalesce(mail, '') <> ?3",
                    "iTt", id, *change->mail, *change->mail);
    if (rc == 0 && change->language)
        rc = db_run(db, err, "UPDATE account SET language = ?2 WHERE id = ?1 AND erased IS NULL",
                    "it", id, *change->language);
    return rc;
}

int account_confirm_mail(Db *db, int64_t id, Str mail, bool *ret_confirmed, Err *err)
{
    int rc = db_run(db, err,
                    "UPDATE account SET mail_ok = 1 WHERE id = ?1 AND mail = ?2 AND erased IS NULL",
                    "it", id, mail);

    *ret_confirmed = rc == 0 && db_changes(db) == 1;
    return rc;
}

typedef struct HashChange {
    int64_t id;
    Str hash, cookie;
} HashChange;

static int change_hash(Db *db, void *user, Err *err)
{
    CLEANUP(db_query_freep) DbQuery *query = NULL;
    const HashChange *change = user;
    int rc =
        db_query(db, "UPDATE account SET hash = ?1 WHERE id = ?2 AND erased IS NULL", &query, err);

    if (rc)
        return rc;
    db_bind_text(query, 1, change->hash);
    db_bind_int(query, 2, change->id);
    rc = db_step(query, err);
    if (rc == 0)
        rc = once_end_all(db, ONCE_RESET, change->id, err);
    if (rc == 0)
        rc = api_token_end_all(db, change->id, err);
    return rc ? rc : login_end_all(db, change->id, change->cookie, err);
}

int account_set_hash(Db *db, int64_t id, Str hash, Str cookie, Err *err)
{
    HashChange change = {id, hash, cookie};

    return db_transaction(db, change_hash, &change, err);
}

typedef struct Erasure {
    int64_t id, now_ms;
} Erasure;

#define TEAMS_OF_ONE                                                                               \
    " id IN (SELECT team FROM member WHERE account = ?1) AND NOT EXISTS (SELECT 1 FROM member AS"  \
    " other WHERE other.team = team.id AND other.account <> ?1)"

/* Teams that nobody is left in have withdrawn; the ledger knows no more of them than their names.
 */
static int tell_withdrawn(Db *db, const Erasure *erasure, Err *err)
{
    CLEANUP(db_query_freep) DbQuery *query = NULL;
    int rc =
        db_query(db,
                 "SELECT contest, name FROM team WHERE state IN ('WAITING', 'IN') AND" TEAMS_OF_ONE
                 " ORDER BY id",
                 &query, err);

    if (rc)
        return rc;
    db_bind_int(query, 1, erasure->id);
    while ((rc = db_step(query, err)) == 1) {
        rc = site_ledger_begun(db, db_int(query, 0), err);
        if (rc > 0)
            rc = site_ledger_add_texts(db, db_int(query, 0), erasure->now_ms, "withdraw", err,
                                       "team", db_text(query, 1), NULL);
        if (rc)
            return rc;
    }
    return rc;
}

static int erase_rows(Db *db, void *user, Err *err)
{
    static const char *const statements[] = {
        ("UPDATE account SET login = NULL, name = NULL, mail = NULL, mail_ok = 0, hash = NULL, "
         "language = NULL,"
         " erased = ?2 WHERE id = ?1"),
        "DELETE FROM login WHERE account = ?1",
        "DELETE FROM token WHERE account = ?1",
        "DELETE FROM once WHERE account = ?1",
        "DELETE FROM role WHERE account = ?1",
        /* a team has a captain as long as it has members */
        ("UPDATE member SET captain = 1 WHERE team IN (SELECT team FROM member AS own WHERE"
         " own.account = ?1) AND account = (SELECT min(other.account) FROM member AS other WHERE"
         " other.team = member.team AND other.account <> ?1) AND NOT EXISTS (SELECT 1 FROM member "
         "AS"
         " head WHERE head.team = member.team AND head.captain = 1 AND head.account <> ?1)"),
        ("UPDATE team SET affiliation = NULL, consent = NULL, webhook = NULL, hook_secret = NULL"
         " WHERE" TEAMS_OF_ONE),
        ("UPDATE team SET state = 'WITHDRAWN' WHERE state IN ('WAITING', 'IN') AND" TEAMS_OF_ONE),
        "DELETE FROM member WHERE account = ?1",
        "DELETE FROM notice WHERE account = ?1",
        "UPDATE event SET address = NULL, detail = NULL WHERE account = ?1",
    };
    const Erasure *erasure = user;
    int rc = tell_withdrawn(db, erasure, err);

    for (size_t i = 0; rc == 0 && i < sizeof(statements) / sizeof(statements[0]); i++) {
        CLEANUP(db_query_freep) DbQuery *query = NULL;
        rc = db_query(db, statements[i], &query, err);
        if (rc)
            return rc;
        db_bind_int(query, 1, erasure->id);
        if (i == 0)
            db_bind_int(query, 2, erasure->now_ms);
        rc = db_step(query, err);
    }
    return rc;
}

int account_erase(Db *db, int64_t id, int64_t now_ms, Err *err)
{
    Erasure erasure = {id, now_ms};

    return db_transaction(db, erase_rows, &erasure, err);
}

/* ---- all of it, for the person ---- */

/* The rows of a statement as objects; columns that begin with "at_" are times. */
typedef struct Part {
    const char *name;
    const char *sql; /* of the account ?1 */
    const char *columns[5];
} Part;

static const Part parts[] = {
    {"logins",
     "SELECT address, created, seen, ends FROM login WHERE account = ?1 ORDER BY created",
     {"address", "at_created", "at_seen", "at_ends"}},
    {"tokens",
     "SELECT label, scope, ends, used FROM token WHERE account = ?1 ORDER BY label",
     {"label", "scope", "at_ends", "at_used"}},
    {"roles",
     "SELECT contest, role FROM role WHERE account = ?1 ORDER BY contest, role",
     {"contest", "role"}},
    {"teams",
     "SELECT team.contest, team.name, team.affiliation, member.captain FROM member JOIN team ON "
     "team.id = member.team"
     " WHERE member.account = ?1 ORDER BY team.contest",
     {"contest", "name", "affiliation", "captain"}},
    {"events",
     "SELECT at, verb, object, detail, address FROM event WHERE account = ?1 ORDER BY id",
     {"at_done", "verb", "object", "detail", "address"}},
};

static void write_column(Json *json, const char *name, const DbQuery *row, int number)
{
    char date[DATE_TEXT_ROOM];
    bool time = str_starts(str_of(name), STR("at_"));

    json_key(json, str_of(time ? name + 3 : name));
    if (db_is_null(row, number))
        json_put_null(json);
    else if (time && db_int(row, number) <= DATE_MAX_MS)
        json_put_str(json, date_text_write(db_int(row, number), date));
    else if (time)
        json_put_str(json, STR("never"));
    else
        json_put_str(json, db_text(row, number));
}

static int write_part(Db *db, int64_t id, const Part *part, Json *json, Err *err)
{
    CLEANUP(db_query_freep) DbQuery *query = NULL;
    int rc = db_query(db, part->sql, &query, err);

    if (rc)
        return rc;
    db_bind_int(query, 1, id);
    json_key(json, str_of(part->name));
    json_open(json, '[');
    while ((rc = db_step(query, err)) > 0) {
        json_open(json, '{');
        for (int i = 0; i < 5 && part->columns[i]; i++)
            write_column(json, part->columns[i], query, i);
        json_close(json);
    }
    json_close(json);
    return rc;
}

int account_write_all(Db *db, int64_t id, Buf *out, Err *err)
{
    CLEANUP(account_done) Account account = {0};
    Json json = json_over(out);
    int rc = account_get(db, id, &account, err);

    if (rc == 0 && account.id == ACCOUNT_NONE)
        rc = err_set(err, ERR_RULE, "there is no such account");
    if (rc)
        return rc;
    json_open(&json, '{');
    json_add_int(&json, "id", account.id);
    json_add_str(&json, "login", buf_str(&account.login));
    json_add_str(&json, "name", buf_str(&account.name));
    json_add_str(&json, "mail", buf_str(&account.mail));
    json_add_bool(&json, "mail_ok", account.mail_ok);
    json_add_str(&json, "language", buf_str(&account.language));
    for (size_t i = 0; rc == 0 && i < sizeof(parts) / sizeof(parts[0]); i++)
        rc = write_part(db, id, &parts[i], &json, err);
    json_close(&json);
    return rc;
}
