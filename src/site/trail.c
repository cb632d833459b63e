#include "site/trail.h"

#include "base/address_text.h"
#include "base/date_text.h"

#define DAY_MS          INT64_C(86400000)
#define ADDRESS_DAYS    30
#define LOGIN_KEPT_DAYS 90

static void bind_number_or_null(DbQuery *query, int number, int64_t value)
{
    if (value)
        db_bind_int(query, number, value);
    else
        db_bind_null(query, number);
}

static void bind_text_or_null(DbQuery *query, int number, Str text)
{
    if (text.len)
        db_bind_text(query, number, text);
    else
        db_bind_null(query, number);
}

int trail_note(Db *db, const TrailEntry *entry, Err *err)
{
    CLEANUP(db_query_freep) DbQuery *query = NULL;
    int rc = db_query(db,
                      "INSERT INTO event(contest, account, address, verb, object, detail, at)"
                      " VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7)",
                      &query, err);

    if (rc)
        return rc;
    db_bind_int(query, 1, entry->contest);
    bind_number_or_null(query, 2, entry->account);
    bind_text_or_null(query, 3, entry->address);
    db_bind_text(query, 4, entry->verb);
    bind_text_or_null(query, 5, entry->object);
    bind_text_or_null(query, 6, entry->detail);
    db_bind_int(query, 7, entry->at_ms);
    return db_step(query, err);
}

/* ---- reading ---- */

static void put_text_or_null(Json *json, const char *key, const DbQuery *query, int column)
{
    json_key(json, str_of(key));
    if (db_is_null(query, column))
        json_put_null(json);
    else
        json_put_str(json, db_text(query, column));
}

static void put_event(Json *json, const DbQuery *query, bool addresses)
{
    char id[24], room[DATE_TEXT_ROOM];

    snprintf(id, sizeof(id), "%lld", (long long)db_int(query, 0));
    json_open(json, '{');
    json_add_str(json, "id", str_of(id));
    json_add_str(json, "at", date_text_write(db_int(query, 1), room));
    put_text_or_null(json, "account", query, 2);
    json_add_str(json, "verb", db_text(query, 3));
    put_text_or_null(json, "object", query, 4);
    put_text_or_null(json, "detail", query, 5);
    if (addresses)
        put_text_or_null(json, "address", query, 6);
    json_close(json);
}

int trail_write(Db *db, int64_t contest, int64_t before, uint32_t limit, bool addresses, Json *json,
                int64_t *ret_last, Err *err)
{
    CLEANUP(db_query_freep) DbQuery *query = NULL;
    uint32_t count = 0;
    int64_t last = 0;
    int rc = db_query(db,
                      "SELECT event.id, event.at, account.login, event.verb, event.object,"
                      " event.detail, event.address FROM event"
                      " LEFT JOIN account ON account.id = event.account"
                      " WHERE event.contest = ?1 AND event.id < ?2 ORDER BY event.id DESC LIMIT ?3",
                      &query, err);

    if (rc)
        return rc;
    db_bind_int(query, 1, contest);
    db_bind_int(query, 2, before > 0 ? before : INT64_MAX);
    db_bind_int(query, 3, limit);
    json_open(json, '[');
    while ((rc = db_step(query, err)) == 1) {
        put_event(json, query, addresses);
        last = db_int(query, 0);
        count++;
    }
    json_close(json);
    *ret_last = count == limit ? last : 0;
    return rc;
}

/* ---- what is not kept ---- */

typedef struct AddressTable {
    const char *select, *update;
} AddressTable;

/* What has been cut ends in a 0 or in "::": it is not taken again. */
static const AddressTable address_tables[] = {
    {"SELECT id, address FROM event WHERE at < ?1 AND address IS NOT NULL AND address NOT LIKE "
     "'%.0'"
     " AND address NOT LIKE '%::' ORDER BY id LIMIT ?2",
     "UPDATE event SET address = ?2 WHERE id = ?1"},
    {"SELECT token, address FROM login WHERE created < ?1 AND address IS NOT NULL"
     " AND address NOT LIKE '%.0' AND address NOT LIKE '%::' LIMIT ?2",
     "UPDATE login SET address = ?2 WHERE token = ?1"},
};

static int cut_row(Db *db, const AddressTable *table, const DbQuery *row, bool numbered, Err *err)
{
    CLEANUP(db_query_freep) DbQuery *query = NULL;
    CLEANUP(buf_done) Buf cut = {0};
    int rc = db_query(db, table->update, &query, err);

    if (rc)
        return rc;
    address_text_cut(db_text(row, 1), &cut);
    if (numbered)
        db_bind_int(query, 1, db_int(row, 0));
    else
        db_bind_blob(query, 1, db_blob(row, 0));
    if (str_eq(buf_str(&cut), db_text(row, 1)))
        db_bind_null(query, 2); /* nothing of it can be kept */
    else
        db_bind_text(query, 2, buf_str(&cut));
    return db_step(query, err);
}

static int cut_table(Db *db, const AddressTable *table, bool numbered, int64_t before_ms,
                     uint32_t limit, int64_t *changed, Err *err)
{
    CLEANUP(db_query_freep) DbQuery *query = NULL;
    int rc = db_query(db, table->select, &query, err);

    if (rc)
        return rc;
    db_bind_int(query, 1, before_ms);
    db_bind_int(query, 2, limit);
    while ((rc = db_step(query, err)) == 1) {
        rc = cut_row(db, table, query, numbered, err);
        if (rc)
            return rc;
        ++*changed;
    }
    return rc;
}

typedef struct Forgetting {
    int64_t now_ms, changed;
    uint32_t limit;
} Forgetting;

static int forget_in_transaction(Db *db, void *user, Err *err)
{
    Forgetting *forget = user;
    const int64_t before_ms = forget->now_ms - ADDRESS_DAYS * DAY_MS;
    CLEANUP(db_query_freep) DbQuery *query = NULL;
    int rc =
        cut_table(db, &address_tables[0], true, before_ms, forget->limit, &forget->changed, err);

    if (rc == 0)
        rc = cut_table(db, &address_tables[1], false, before_ms, forget->limit, &forget->changed,
                       err);
    if (rc == 0)
        rc = db_query(db, "DELETE FROM login WHERE created < ?1", &query, err);
    if (rc)
        return rc;
    db_bind_int(query, 1, forget->now_ms - LOGIN_KEPT_DAYS * DAY_MS);
    rc = db_step(query, err);
    forget->changed += rc == 0 ? db_changes(db) : 0;
    return rc;
}

int trail_forget(Db *db, int64_t now_ms, uint32_t limit, int64_t *ret_changed, Err *err)
{
    Forgetting forget = {.now_ms = now_ms, .limit = limit};
    int rc = db_transaction(db, forget_in_transaction, &forget, err);

    *ret_changed = rc ? 0 : forget.changed;
    return rc;
}
