#include "site/login.h"

#include "base/digest.h"
#include "base/key.h"
#include "base/mem.h"
#include "base/words.h"
#include "disk/key_file.h"
#include "store/db_row.h"

#define MINUTE_MS   ((int64_t)60 * 1000)
#define DAY_MS      ((int64_t)24 * 60 * MINUTE_MS)
#define TOKEN_START "wgt_"

/* ---- secrets ---- */

static int draw_secret(const char *start, char ret_text[static SECRET_TEXT_BYTES], Err *err)
{
    Key key;
    char hex[KEY_HEX_BYTES];
    int rc = key_draw(&key, err);

    if (rc)
        return rc;
    key_to_hex(&key, hex);
    snprintf(ret_text, SECRET_TEXT_BYTES, "%s%s", start, hex);
    return 0;
}

typedef struct SecretDigest {
    unsigned char bytes[SHA256_BYTES];
} SecretDigest;

static SecretDigest digest_of(Str secret)
{
    SecretDigest digest = {0};

    sha256_texts(&secret, 1, digest.bytes);
    return digest;
}

static void bind_digest(DbQuery *query, int number, const SecretDigest *digest)
{
    db_bind_blob(query, number, (Str){(const char *)digest->bytes, sizeof(digest->bytes)});
}

/* A statement whose first parameter is the digest, to its end. */
static int run_with_digest(Db *db, const char *sql, Str secret, Err *err)
{
    CLEANUP(db_query_freep) DbQuery *query = NULL;
    SecretDigest digest = digest_of(secret);
    int rc = db_query(db, sql, &query, err);

    if (rc)
        return rc;
    bind_digest(query, 1, &digest);
    return db_step(query, err);
}

/* ---- cookies ---- */

int login_begin(Db *db, int64_t account, Str address, int64_t now_ms,
                char ret_cookie[static SECRET_TEXT_BYTES], Err *err)
{
    CLEANUP(db_query_freep) DbQuery *query = NULL;
    int rc = draw_secret("", ret_cookie, err);

    if (rc == 0) /* nobody sees those that are over */
        rc = db_run(db, err, "DELETE FROM login WHERE ends <= ?1", "i", now_ms);
    if (rc == 0)
        rc = db_query(db,
                      "INSERT INTO login(token, account, created, seen, ends, address)"
                      " VALUES(?1, ?2, ?3, ?3, ?4, ?5)",
                      &query, err);
    if (rc)
        return rc;
    SecretDigest digest = digest_of(str_of(ret_cookie));
    bind_digest(query, 1, &digest);
    db_bind_int(query, 2, account);
    db_bind_int(query, 3, now_ms);
    db_bind_int(query, 4, now_ms + LOGIN_DAYS * DAY_MS);
    db_bind_text(query, 5, address);
    return db_step(query, err);
}

/* When it was used: not at every request, for the store waits for the disk at each. */
static int note_use(Db *db, const char *sql, const SecretDigest *digest, int64_t now_ms, Err *err)
{
    CLEANUP(db_query_freep) DbQuery *query = NULL;
    int rc = db_query(db, sql, &query, err);

    if (rc)
        return rc;
    bind_digest(query, 1, digest);
    db_bind_int(query, 2, now_ms);
    return db_step(query, err);
}

int login_find(Db *db, Str cookie, int64_t now_ms, int64_t *ret_account, Err *err)
{
    CLEANUP(db_query_freep) DbQuery *query = NULL;
    SecretDigest digest = digest_of(cookie);
    int rc = db_query(
        db,
        "SELECT login.account, login.seen FROM login JOIN account ON account.id = login.account"
        " WHERE login.token = ?1 AND login.ends > ?2 AND account.disabled IS NULL"
        " AND account.erased IS NULL",
        &query, err);

    *ret_account = ACCOUNT_NONE;
    if (rc)
        return rc;
    bind_digest(query, 1, &digest);
    db_bind_int(query, 2, now_ms);
    rc = db_step(query, err);
    if (rc <= 0)
        return rc;
    int64_t account = db_int(query, 0), seen = db_int(query, 1);
    db_reset(query);
    if (now_ms - seen >= MINUTE_MS)
        rc = note_use(db, "UPDATE login SET seen = ?2 WHERE token = ?1", &digest, now_ms, err);
    else
        rc = 0;
    if (rc == 0)
        *ret_account = account;
    return rc;
}

int login_end(Db *db, Str cookie, Err *err)
{
    return run_with_digest(db, "DELETE FROM login WHERE token = ?1", cookie, err);
}

int login_end_all(Db *db, int64_t account, Str but, Err *err)
{
    CLEANUP(db_query_freep) DbQuery *query = NULL;
    SecretDigest digest = digest_of(but);
    int rc = db_query(db, "DELETE FROM login WHERE account = ?2 AND token <> ?1", &query, err);

    if (rc)
        return rc;
    bind_digest(query, 1, &digest);
    db_bind_int(query, 2, account);
    return db_step(query, err);
}

/* From the secret and not from its digest: who reads the store can't make it. */
void login_csrf(Str cookie, char ret_token[static CSRF_TEXT_BYTES])
{
    Key key;

    ret_token[0] = '\0';
    if (!key_from_hex(cookie, &key))
        return;
    KeyRoot root = key_root(&key);
    key = key_derive(&root, STR("csrf"));
    key_to_hex(&key, ret_token);
}

bool login_csrf_is(Str cookie, Str token)
{
    char own[CSRF_TEXT_BYTES];

    login_csrf(cookie, own);
    return own[0] && digest_equal(str_of(own), token);
}

/* ---- tokens of scripts ---- */

static const char *const scope_names[] = {"read", "submit", "judge", "organise"};

#define SCOPES ((unsigned)(sizeof(scope_names) / sizeof(scope_names[0])))

static void write_scopes(unsigned scopes, Buf *out)
{
    for (unsigned i = 0; i < SCOPES; i++)
        if (scopes & 1U << i)
            buf_printf(out, "%s%s", out->len ? " " : "", scope_names[i]);
}

unsigned api_token_scope(Str name)
{
    const unsigned scope = words_find(scope_names, SCOPES, name);

    return scope < SCOPES ? 1U << scope : 0;
}

/* A scope that this program does not know is none. */
static unsigned read_scopes(Str text)
{
    unsigned scopes = 0;

    while (text.len)
        scopes |= api_token_scope(str_cut(&text, ' '));
    return scopes;
}

static int count_tokens(Db *db, const ApiTokenSetup *setup, Err *err)
{
    int64_t count = 0;
    int rc = db_run(db, err, "DELETE FROM token WHERE account = ?1 AND ends <= ?2", "ii",
                    setup->account, setup->now_ms);

    if (rc == 0)
        rc = db_ask(db, 0, &count, err, "SELECT count(*) FROM token WHERE account = ?1", "i",
                    setup->account);
    if (rc == 0 && count >= API_TOKENS_MAX)
        rc = err_set(err, ERR_RULE, "an account has at most %d tokens: end one of them first",
                     API_TOKENS_MAX);
    return rc;
}

int api_token_make(Db *db, const ApiTokenSetup *setup, char ret_token[static SECRET_TEXT_BYTES],
                   Err *err)
{
    CLEANUP(db_query_freep) DbQuery *query = NULL;
    CLEANUP(buf_done) Buf text = {0};
    int rc = count_tokens(db, setup, err);

    if (rc == 0)
        rc = draw_secret(TOKEN_START, ret_token, err);
    write_scopes(setup->scopes, &text);
    if (rc == 0)
        rc = db_query(
            db, "INSERT INTO token(hash, account, label, scope, ends) VALUES(?1, ?2, ?3, ?4, ?5)",
            &query, err);
    if (rc)
        return rc;
    SecretDigest digest = digest_of(str_of(ret_token));
    bind_digest(query, 1, &digest);
    db_bind_int(query, 2, setup->account);
    db_bind_text(query, 3, setup->label);
    db_bind_text(query, 4, buf_str(&text));
    db_bind_int(query, 5, setup->ends_ms);
    return db_step(query, err);
}

int api_token_find(Db *db, Str token, int64_t now_ms, int64_t *ret_account, unsigned *ret_scopes,
                   Err *err)
{
    CLEANUP(db_query_freep) DbQuery *query = NULL;
    SecretDigest digest = digest_of(token);
    int rc = db_query(
        db,
        "SELECT token.account, token.scope, token.used FROM token JOIN account ON account.id ="
        " token.account WHERE token.hash = ?1 AND token.ends > ?2 AND account.disabled IS NULL"
        " AND account.erased IS NULL",
        &query, err);

    *ret_account = ACCOUNT_NONE;
    *ret_scopes = 0;
    if (rc)
        return rc;
    bind_digest(query, 1, &digest);
    db_bind_int(query, 2, now_ms);
    rc = db_step(query, err);
    if (rc <= 0)
        return rc;
    const int64_t account = db_int(query, 0);
    const unsigned scopes = read_scopes(db_text(query, 1));
    const bool note = db_is_null(query, 2) || now_ms - db_int(query, 2) >= MINUTE_MS;
    db_reset(query);
    rc =
        note ? note_use(db, "UPDATE token SET used = ?2 WHERE hash = ?1", &digest, now_ms, err) : 0;
    if (rc)
        return rc;
    *ret_account = account;
    *ret_scopes = scopes;
    return 0;
}

int api_token_end(Db *db, Str token, Err *err)
{
    return run_with_digest(db, "DELETE FROM token WHERE hash = ?1", token, err);
}

int api_token_end_all(Db *db, int64_t account, Err *err)
{
    return db_run(db, err, "DELETE FROM token WHERE account = ?1", "i", account);
}

/* ---- links that work once ---- */

static const struct {
    const char *name;
    int64_t life_ms;
} once_kinds[ONCE_KINDS] = {
    [ONCE_RESET] = {"reset", 30 * MINUTE_MS},
    [ONCE_INVITE] = {"invite", 14 * DAY_MS},
    [ONCE_MAIL] = {"mail", DAY_MS},
    [ONCE_ADMIN] = {"admin", DAY_MS},
};

int once_make(Db *db, OnceKind kind, int64_t account, Str data, int64_t now_ms,
              char ret_secret[static SECRET_TEXT_BYTES], Err *err)
{
    CLEANUP(db_query_freep) DbQuery *query = NULL;
    int rc = draw_secret("", ret_secret, err);

    if (rc == 0)
        rc = db_run(db, err, "DELETE FROM once WHERE ends <= ?1", "i", now_ms);
    if (rc == 0)
        rc = db_query(
            db, "INSERT INTO once(hash, account, kind, data, ends) VALUES(?1, ?2, ?3, ?4, ?5)",
            &query, err);
    if (rc)
        return rc;
    SecretDigest digest = digest_of(str_of(ret_secret));
    bind_digest(query, 1, &digest);
    if (account != ACCOUNT_NONE)
        db_bind_int(query, 2, account);
    else
        db_bind_null(query, 2);
    db_bind_text(query, 3, str_of(once_kinds[kind].name));
    db_bind_text(query, 4, data);
    db_bind_int(query, 5, now_ms + once_kinds[kind].life_ms);
    return db_step(query, err);
}

int once_use(Db *db, OnceKind kind, Str secret, int64_t now_ms, bool *ret_used,
             int64_t *ret_account, Buf *data, Err *err)
{
    CLEANUP(db_query_freep) DbQuery *query = NULL;
    SecretDigest digest = digest_of(secret);
    int rc = db_query(db,
                      "UPDATE once SET used = ?2 WHERE hash = ?1 AND kind = ?3 AND used IS NULL"
                      " AND ends > ?2 RETURNING account, data",
                      &query, err);

    *ret_used = false;
    *ret_account = ACCOUNT_NONE;
    if (rc)
        return rc;
    bind_digest(query, 1, &digest);
    db_bind_int(query, 2, now_ms);
    db_bind_text(query, 3, str_of(once_kinds[kind].name));
    rc = db_step(query, err);
    if (rc <= 0)
        return rc;
    *ret_used = true;
    *ret_account = db_int(query, 0);
    buf_add(data, db_text(query, 1));
    return 0;
}

int once_end_all(Db *db, OnceKind kind, int64_t account, Err *err)
{
    CLEANUP(db_query_freep) DbQuery *query = NULL;
    int rc = db_query(db, "DELETE FROM once WHERE account = ?1 AND kind = ?2", &query, err);

    if (rc)
        return rc;
    db_bind_int(query, 1, account);
    db_bind_text(query, 2, str_of(once_kinds[kind].name));
    return db_step(query, err);
}
