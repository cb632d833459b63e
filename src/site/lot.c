#include "site/lot.h"

#include "base/mem.h"
#include "site/secret.h"
#include "site/site_ledger.h"
#include "store/db_row.h"

#include <stdlib.h>

/* What a lot belongs to. */
typedef struct LotOwner {
    int64_t contest;
    Buf team;
} LotOwner;

static void owner_done(LotOwner *owner)
{
    buf_done(&owner->team);
}

static int no_memory(Err *err)
{
    return err_set(err, ERR_MEMORY, "lot: out of memory");
}

static int find_owner(Db *db, int64_t team, LotOwner *ret, Err *err)
{
    CLEANUP(db_query_freep) DbQuery *query = NULL;
    int rc =
        db_query_with(db, &query, err,
                      "SELECT contest, name FROM team WHERE id = ?1 AND state = 'IN'", "i", team);

    if (rc == 0)
        rc = db_step(query, err);
    if (rc == 0)
        return err_set(err, ERR_RULE, "the team does not play in this contest");
    if (rc < 0)
        return rc;
    ret->contest = db_int(query, 0);
    buf_add(&ret->team, db_text(query, 1));
    return buf_failed(&ret->team) ? no_memory(err) : 0;
}

static Str bytes_of(const Key *key)
{
    return (Str){(const char *)key->bytes, KEY_BYTES};
}

static bool take_key(Str blob, Key *ret_key)
{
    if (blob.len != KEY_BYTES)
        return false;
    memcpy(ret_key->bytes, blob.bytes, KEY_BYTES);
    return true;
}

/* ---- how a stage stands ---- */

static int read_lottery(Db *db, int64_t contest, Str stage, LotsState *ret, Err *err)
{
    CLEANUP(db_query_freep) DbQuery *query = NULL;
    int rc = db_query_with(db, &query, err,
                           "SELECT ends, settled, awaits, beacon FROM lottery"
                           " WHERE contest = ?1 AND stage = ?2",
                           "it", contest, stage);

    if (rc == 0)
        rc = db_step(query, err);
    if (rc != 1)
        return rc;
    ret->closed = true;
    ret->ends_ms = db_int(query, 0);
    ret->settled = !db_is_null(query, 1);
    ret->beacon_missing = !db_is_null(query, 2) && db_is_null(query, 3);
    return 0;
}

int lots_state(Db *db, int64_t contest, Str stage, LotsState *ret, Err *err)
{
    int64_t entered = 0, opened = 0;

    *ret = (LotsState){.closed = false};
    int rc = read_lottery(db, contest, stage, ret, err);
    if (rc == 0)
        rc = db_ask(db, 0, &entered, err,
                    "SELECT COUNT(*) FROM lot JOIN team ON team.id = lot.team"
                    " WHERE team.contest = ?1 AND lot.stage = ?2",
                    "it", contest, stage);
    if (rc == 0)
        rc = db_ask(db, 0, &opened, err,
                    "SELECT COUNT(*) FROM lot JOIN team ON team.id = lot.team"
                    " WHERE team.contest = ?1 AND lot.stage = ?2 AND opened IS NOT NULL",
                    "it", contest, stage);
    ret->entered = (uint32_t)entered;
    ret->opened = (uint32_t)opened;
    return rc;
}

/* ---- teams ---- */

int lot_enter(Db *db, int64_t team, Str stage, const Key *entry, int64_t now_ms, Err *err)
{
    CLEANUP(owner_done) LotOwner owner = {.contest = 0};
    LotsState state;
    char hex[KEY_HEX_BYTES];
    int rc = find_owner(db, team, &owner, err);

    if (rc == 0)
        rc = lots_state(db, owner.contest, stage, &state, err);
    if (rc)
        return rc;
    if (str_eq(stage, STR(SECRET_TESTING)) || !site_secret_is_committed(db, owner.contest, stage))
        return err_set(err, ERR_RULE, "stage: the contest has none called '%.*s' that takes lots",
                       STR_ARG(str_part(stage, 0, 64)));
    if (state.closed)
        return err_set(err, ERR_RULE, "entry: the lots of stage %.*s are closed", STR_ARG(stage));
    rc = db_run(db, err,
                "INSERT INTO lot(team, stage, value, at) VALUES(?1, ?2, ?3, ?4)"
                " ON CONFLICT(team, stage) DO UPDATE SET value = ?3, at = ?4",
                "itbi", team, stage, bytes_of(entry), now_ms);
    key_to_hex(entry, hex);
    return rc ? rc
              : site_ledger_add_texts(db, owner.contest, now_ms, "lot", err, "stage", stage, "team",
                                      buf_str(&owner.team), "entry", str_of(hex), NULL);
}

/* Whether the lot is the one that was entered. */
static int check_lot(Db *db, int64_t team, Str stage, Str name, const Key *lot, Err *err)
{
    CLEANUP(db_query_freep) DbQuery *query = NULL;
    const Key entry = key_of_lot_entry(name, lot);
    Key entered;
    int rc = db_query_with(db, &query, err,
                           "SELECT value, opened FROM lot WHERE team = ?1 AND stage = ?2", "it",
                           team, stage);

    if (rc == 0)
        rc = db_step(query, err);
    if (rc < 0)
        return rc;
    if (rc == 0)
        return err_set(err, ERR_RULE, "lot: the team has entered none for stage %.*s",
                       STR_ARG(stage));
    if (!db_is_null(query, 1))
        return err_set(err, ERR_RULE, "lot: it is opened already");
    if (!take_key(db_blob(query, 0), &entered) || memcmp(&entered, &entry, sizeof(entry)) != 0)
        return err_set(err, ERR_RULE,
                       "lot: not the one that was entered: SHA-256(\"warg-lot-v1\" 00 team 00 "
                       "lot) is another");
    return 0;
}

int lot_open(Db *db, int64_t team, Str stage, const Key *lot, int64_t now_ms, Err *err)
{
    CLEANUP(owner_done) LotOwner owner = {.contest = 0};
    LotsState state;
    char hex[KEY_HEX_BYTES];
    int rc = find_owner(db, team, &owner, err);

    if (rc == 0)
        rc = lots_state(db, owner.contest, stage, &state, err);
    if (rc)
        return rc;
    if (!state.closed)
        return err_set(err, ERR_RULE,
                       "lot: keep it secret until the versions of stage %.*s are fixed",
                       STR_ARG(stage));
    if (state.settled || now_ms > state.ends_ms)
        return err_set(err, ERR_RULE, "lot: the time for opening those of stage %.*s is over",
                       STR_ARG(stage));
    rc = check_lot(db, team, stage, buf_str(&owner.team), lot, err);
    if (rc == 0)
        rc = db_run(db, err,
                    "UPDATE lot SET opened = ?3, opened_at = ?4 WHERE team = ?1 AND stage = ?2",
                    "itbi", team, stage, bytes_of(lot), now_ms);
    key_to_hex(lot, hex);
    return rc ? rc
              : site_ledger_add_texts(db, owner.contest, now_ms, "lot", err, "stage", stage, "team",
                                      buf_str(&owner.team), "lot", str_of(hex), NULL);
}

/* ---- the contest ---- */

int lots_close(Db *db, int64_t contest, Str stage, Str beacon, int64_t window_ms, int64_t now_ms,
               Err *err)
{
    return db_run(db, err,
                  "INSERT INTO lottery(contest, stage, closed, ends, awaits)"
                  " VALUES(?1, ?2, ?3, ?4, ?5) ON CONFLICT(contest, stage) DO NOTHING",
                  "itiiT", contest, stage, now_ms, now_ms + window_ms, beacon);
}

int beacon_tell(Db *db, int64_t contest, Str stage, Str value, int64_t now_ms, Err *err)
{
    CLEANUP(buf_done) Buf what = {0};
    LotsState state;
    int rc = lots_state(db, contest, stage, &state, err);

    if (rc == 0 && (!state.beacon_missing || state.settled))
        rc = err_set(err, ERR_RULE, "beacon: no value is awaited for stage %.*s", STR_ARG(stage));
    if (rc == 0 && (!value.len || value.len > 1024))
        rc = err_set(err, ERR_RULE, "beacon: 1 to 1024 bytes");
    if (rc == 0)
        rc = db_ask_text(db, &what, NULL, err,
                         "SELECT awaits FROM lottery WHERE contest = ?1 AND stage = ?2", "it",
                         contest, stage);
    if (rc == 0)
        rc = db_run(db, err, "UPDATE lottery SET beacon = ?3 WHERE contest = ?1 AND stage = ?2",
                    "itt", contest, stage, value);
    return rc ? rc
              : site_ledger_add_texts(db, contest, now_ms, "beacon", err, "stage", stage, "what",
                                      buf_str(&what), "value", value, NULL);
}

/* ---- what comes of them ---- */

/* Where a name is in the list that it was read into. */
typedef struct NamedAt {
    size_t at, len;
    Key key;
    bool there;
} NamedAt;

static int add_lot(const DbQuery *query, Buf *names, Buf *found, Err *err)
{
    const Str name = db_text(query, 0);
    NamedAt item = {.at = names->len, .len = name.len};

    item.there = !db_is_null(query, 1) && take_key(db_blob(query, 1), &item.key);
    buf_add(names, name);
    buf_add_char(names, '\0');
    buf_add(found, (Str){(const char *)&item, sizeof(item)});
    return buf_failed(names) || buf_failed(found) ? no_memory(err) : 0;
}

static int compare_named(const void *a, const void *b)
{
    return strcmp(((const NamedKey *)a)->name.bytes, ((const NamedKey *)b)->name.bytes);
}

static int list_lots(Db *db, int64_t contest, Str stage, Buf *names, Buf *lots, Err *err)
{
    CLEANUP(db_query_freep) DbQuery *query = NULL;
    CLEANUP(buf_done) Buf found = {0};
    int rc = db_query_with(db, &query, err,
                           "SELECT team.name, lot.opened FROM lot JOIN team ON team.id = lot.team"
                           " WHERE team.contest = ?1 AND lot.stage = ?2",
                           "it", contest, stage);

    buf_clear(names);
    buf_clear(lots);
    while (rc == 0 && (rc = db_step(query, err)) == 1)
        rc = add_lot(query, names, &found, err);
    if (rc)
        return rc;
    const size_t count = found.len / sizeof(NamedAt);
    for (size_t i = 0; i < count; i++) {
        NamedAt item;
        memcpy(&item, found.bytes + i * sizeof(item), sizeof(item));
        NamedKey named;
        memset(&named, 0, sizeof(named));
        named.name = (Str){names->bytes + item.at, item.len};
        named.key = item.key;
        named.there = item.there;
        buf_add(lots, (Str){(const char *)&named, sizeof(named)});
    }
    if (buf_failed(lots))
        return no_memory(err);
    /* Not by the database, which may sort as a language does. */
    if (count)
        qsort(lots->bytes, count, sizeof(NamedKey), compare_named);
    return 0;
}

typedef struct LotsEntry {
    Str stage;
    const Buf *lots;
} LotsEntry;

static void write_lots(void *user, Canonical *entry)
{
    const LotsEntry *of = user;

    canonical_key(entry, STR("stage"));
    canonical_put_text(entry, of->stage);
    canonical_key(entry, STR("lots"));
    canonical_open(entry, '{');
    for (size_t at = 0; at < of->lots->len; at += sizeof(NamedKey)) {
        NamedKey item;
        char hex[KEY_HEX_BYTES];
        memcpy(&item, of->lots->bytes + at, sizeof(item));
        canonical_key(entry, item.name);
        key_to_hex(&item.key, hex);
        if (item.there)
            canonical_put_text(entry, str_of(hex));
        else
            canonical_put_null(entry);
    }
    canonical_close(entry);
}

int lots_settle(Db *db, int64_t contest, Str stage, int64_t now_ms, bool *ret_settled, Err *err)
{
    CLEANUP(buf_done) Buf names = {0};
    CLEANUP(buf_done) Buf lots = {0};
    LotsEntry entry = {stage, &lots};
    LotsState state;
    int rc = lots_state(db, contest, stage, &state, err);

    *ret_settled = rc == 0 && state.settled;
    if (rc || state.settled || !state.closed || state.beacon_missing ||
        (state.opened < state.entered && now_ms <= state.ends_ms))
        return rc;
    rc = list_lots(db, contest, stage, &names, &lots, err);
    if (rc == 0)
        rc = site_ledger_add(db, contest, now_ms, "lots", write_lots, &entry, err);
    if (rc == 0)
        rc = db_run(db, err, "UPDATE lottery SET settled = ?3 WHERE contest = ?1 AND stage = ?2",
                    "iti", contest, stage, now_ms);
    *ret_settled = rc == 0;
    return rc;
}

int lots_read(Db *db, int64_t contest, Str stage, Buf *names, Buf *lots, Buf *beacon, Err *err)
{
    LotsState state;
    int rc = lots_state(db, contest, stage, &state, err);

    if (rc == 0 && !state.settled)
        rc = err_set(err, ERR_RULE, "the lots of stage %.*s are not settled", STR_ARG(stage));
    if (rc == 0)
        rc = list_lots(db, contest, stage, names, lots, err);
    if (rc == 0 && beacon)
        rc = db_ask_text(db, beacon, NULL, err,
                         "SELECT beacon FROM lottery WHERE contest = ?1 AND stage = ?2", "it",
                         contest, stage);
    return rc;
}
