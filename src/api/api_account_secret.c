/* Tokens and logins of an account over the API. docs/contest-api.md
 *
 * Neither is told: of the digest that the store has, the first eight bytes are its name. */
#include "api/api_account_json.h"
#include "api/api_handlers.h"
#include "base/digest.h"
#include "base/mem.h"
#include "store/db_row.h"

#define NAME_BYTES  8
#define LABEL_BYTES 100
#define DAYS_MAX    3650
#define DAY_MS      ((int64_t)24 * 3600 * 1000)

/* ---- names of digests ---- */

static void write_name(Str digest, char ret_name[static 2 * NAME_BYTES + 1])
{
    for (size_t i = 0; i < NAME_BYTES; i++)
        snprintf(ret_name + 2 * i, 3, "%02x", i < digest.len ? (unsigned char)digest.bytes[i] : 0U);
}

/* Deletes the row of this account whose digest has the name of the path's first word. `sql` lists
 * digests of an account, `remove` deletes one. */
static int delete_named(ApiVisit *visit, const char *sql, const char *remove, Err *err)
{
    CLEANUP(db_query_freep) DbQuery *query = NULL;
    CLEANUP(buf_done) Buf found = {0};
    char name[2 * NAME_BYTES + 1];
    int rc = db_query_with(visit->site->db, &query, err, sql, "i", visit->account);

    while (rc == 0 && (rc = db_step(query, err)) > 0) {
        rc = 0;
        write_name(db_blob(query, 0), name);
        if (str_eq(str_of(name), visit->words[0])) {
            buf_clear(&found);
            buf_add(&found, db_blob(query, 0));
        }
    }
    if (rc == 0 && !found.len)
        rc = api_refuse(visit, REFUSE_NOT_FOUND, NULL, NULL);
    return rc == 0 ? db_run(visit->site->db, err, remove, "b", buf_str(&found)) : rc;
}

/* ---- tokens ---- */

static void write_scopes(Json *json, Str scopes)
{
    json_key(json, STR("scopes"));
    json_open(json, '[');
    while (scopes.len)
        json_put_str(json, str_cut(&scopes, ' '));
    json_close(json);
}

int api_tokens_list(ApiVisit *visit, Err *err)
{
    CLEANUP(db_query_freep) DbQuery *query = NULL;
    Json json = json_over(&visit->out);
    char name[2 * NAME_BYTES + 1];
    int rc = db_query_with(visit->site->db, &query, err,
                           "SELECT hash, label, scope, ends, used FROM token WHERE account = ?1"
                           " ORDER BY label, ends",
                           "i", visit->account);

    json_open(&json, '{');
    json_key(&json, STR("items"));
    json_open(&json, '[');
    while (rc == 0 && (rc = db_step(query, err)) > 0) {
        rc = 0;
        write_name(db_blob(query, 0), name);
        json_open(&json, '{');
        json_add_str(&json, "id", str_of(name));
        json_add_str(&json, "label", db_text(query, 1));
        write_scopes(&json, db_text(query, 2));
        api_add_date(&json, "ends", db_int(query, 3));
        api_add_date(&json, "used", db_int(query, 4));
        json_close(&json);
    }
    json_close(&json);
    json_close(&json);
    return rc;
}

static int read_scopes(ApiVisit *visit, unsigned *ret_scopes)
{
    const json_t *list = visit->body ? json_get(visit->body, "scopes") : NULL;

    *ret_scopes = 0;
    for (size_t i = 0; i < json_count(list); i++) {
        Str word;
        unsigned scope = 0;
        if (json_as_str(json_at(list, i), &word))
            scope = api_token_scope(word);
        if (!scope)
            return api_refuse(visit, REFUSE_FIELD, "scopes",
                              "scopes: read, submit, judge, organise");
        *ret_scopes |= scope;
    }
    return *ret_scopes ? 0 : api_refuse(visit, REFUSE_MISSING, "scopes", NULL);
}

int api_tokens_make(ApiVisit *visit, Err *err)
{
    Json json = json_over(&visit->out);
    char token[SECRET_TEXT_BYTES];
    int64_t days = 0;
    unsigned scopes = 0;
    Str label;
    int rc = api_body_need(visit, "label", &label, err);

    if (rc == 0 && label.len > LABEL_BYTES)
        rc = api_refuse(visit, REFUSE_FIELD, "label", NULL);
    if (rc == 0)
        rc = read_scopes(visit, &scopes);
    if (rc == 0 &&
        (!json_as_int(json_get(visit->body, "days"), &days) || days < 1 || days > DAYS_MAX))
        rc = api_refuse(visit, REFUSE_FIELD, "days", "days: 1 to 3650");
    const ApiTokenSetup setup = {.account = visit->account,
                                 .label = label,
                                 .scopes = scopes,
                                 .now_ms = visit->now_ms,
                                 .ends_ms = visit->now_ms + days * DAY_MS};
    if (rc == 0)
        rc = api_token_make(visit->site->db, &setup, token, err);
    if (rc)
        return rc;
    visit->status = 201;
    buf_add(&visit->detail, label);
    json_open(&json, '{');
    json_add_str(&json, "token", str_of(token));
    json_close(&json);
    return 0;
}

int api_tokens_end(ApiVisit *visit, Err *err)
{
    return delete_named(visit, "SELECT hash FROM token WHERE account = ?1",
                        "DELETE FROM token WHERE hash = ?1", err);
}

/* ---- logins ---- */

int api_logins_list(ApiVisit *visit, Err *err)
{
    CLEANUP(db_query_freep) DbQuery *query = NULL;
    Json json = json_over(&visit->out);
    Str cookie = buf_str(&visit->cookie);
    unsigned char own[SHA256_BYTES];
    char name[2 * NAME_BYTES + 1];
    int rc = db_query_with(visit->site->db, &query, err,
                           "SELECT token, created, seen, ends, address FROM login WHERE account = "
                           "?1 ORDER BY created DESC",
                           "i", visit->account);

    sha256_texts(&cookie, 1, own);
    json_open(&json, '{');
    json_key(&json, STR("items"));
    json_open(&json, '[');
    while (rc == 0 && (rc = db_step(query, err)) > 0) {
        rc = 0;
        Str token = db_blob(query, 0);
        write_name(token, name);
        json_open(&json, '{');
        json_add_str(&json, "id", str_of(name));
        json_add_bool(&json, "here", str_eq(token, (Str){(const char *)own, sizeof(own)}));
        api_add_date(&json, "created", db_int(query, 1));
        api_add_date(&json, "seen", db_int(query, 2));
        api_add_date(&json, "ends", db_int(query, 3));
        json_add_str(&json, "address", db_text(query, 4));
        json_close(&json);
    }
    json_close(&json);
    json_close(&json);
    return rc;
}

int api_logins_end(ApiVisit *visit, Err *err)
{
    return delete_named(visit, "SELECT token FROM login WHERE account = ?1",
                        "DELETE FROM login WHERE token = ?1", err);
}
