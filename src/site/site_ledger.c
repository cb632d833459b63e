#include "site/site_ledger.h"

#include "base/date_text.h"
#include "base/mem.h"
#include "store/db_row.h"

#include <inttypes.h>
#include <stdarg.h>

#define FLUSH_LINES 1000 /* read from the store at once */

/* The ledger of one contest. */
typedef struct ContestLedger {
    int64_t contest;
    Ledger *ledger;
    MerkleHash *leaves; /* of all entries, once somebody has asked for a proof */
    uint64_t leaf_count, leaf_room;
    int64_t signed_ms; /* when it was signed last, as far as this process knows */
    bool heavy;        /* there is something to be signed at once */
} ContestLedger;

struct SiteLedger {
    Buf data;
    ContestLedger *items;
    size_t count, room;
};

static int no_memory(Err *err)
{
    return err_set(err, ERR_MEMORY, "ledger: out of memory");
}

/* ---- inside of a transaction ---- */

static void free_ledger(Ledger **ledger)
{
    ledger_free(*ledger);
}

/* One that was begun, and whose contest's transaction failed, is taken as it is. */
static int take_or_create(const char *folder, Str origin, Ledger **ret_ledger, Err *err)
{
    bool there = false;
    int rc = ledger_find(folder, &there, err);

    if (rc || !there)
        return rc ? rc : ledger_create(folder, origin, ret_ledger, err);
    rc = ledger_open(folder, ret_ledger, err);
    if (rc == 0 &&
        (ledger_size(*ret_ledger) || !str_eq(str_of(ledger_verifier(*ret_ledger)->name), origin)))
        rc = err_set(err, ERR_USAGE, "'%s' holds another contest's ledger", folder);
    return rc;
}

int site_ledger_begin(Db *db, const ContestHome *place, Str origin, Err *err)
{
    CLEANUP(buf_done) Buf folder = {0};
    CLEANUP(buf_done) Buf key = {0};
    CLEANUP(free_ledger) Ledger *ledger = NULL;

    int rc = site_ledger_begun(db, place->id, err);
    if (rc)
        return rc < 0 ? rc : 0;
    rc = contest_home_path(place, "", &folder, err);
    if (rc == 0)
        rc = take_or_create(buf_cstr(&folder), origin, &ledger, err);
    if (rc)
        return rc;
    note_verifier_write(ledger_verifier(ledger), &key);
    if (buf_failed(&key))
        return no_memory(err);
    return db_run(db, err, "UPDATE contest SET public_key = ?2 WHERE id = ?1", "ib", place->id,
                  buf_str(&key));
}

int site_ledger_begun(Db *db, int64_t contest, Err *err)
{
    int64_t begun = 0;
    int rc = db_ask(db, 0, &begun, err,
                    "SELECT 1 FROM contest WHERE id = ?1 AND public_key IS NOT NULL", "i", contest);

    return rc ? rc : begun != 0;
}

/* The moment of a line; 0 when it has none. */
static int64_t date_of_line(Str line)
{
    Str at;
    int64_t ms = 0;

    if (canonical_member(line, STR("at"), &at) && at.len > 2)
        date_text_read(str_part(at, 1, at.len - 2), &ms);
    return ms;
}

/* The number and the earliest moment of the next entry. */
static int find_next(Db *db, int64_t contest, int64_t *ret_n, int64_t *at_ms, Err *err)
{
    CLEANUP(db_query_freep) DbQuery *query = NULL;
    int rc = db_query_with(db, &query, err,
                           "SELECT n, line FROM ledger WHERE contest = ?1 ORDER BY n DESC LIMIT 1",
                           "i", contest);

    *ret_n = 0;
    if (rc == 0)
        rc = db_step(query, err);
    if (rc == 1) {
        const int64_t last_ms = date_of_line(db_text(query, 1));
        *ret_n = db_int(query, 0) + 1;
        *at_ms = *at_ms < last_ms ? last_ms : *at_ms;
    }
    return rc < 0 ? rc : 0;
}

static int put_key(Db *db, int64_t contest, Canonical *entry, Err *err)
{
    CLEANUP(buf_done) Buf key = {0};
    int rc = site_ledger_key(db, contest, &key, err);

    canonical_key(entry, STR("key"));
    canonical_put_text(entry, buf_str(&key));
    return rc;
}

static int insert_line(Db *db, int64_t contest, int64_t n, Str line, Err *err)
{
    const MerkleHash leaf = merkle_leaf(line);
    const Str bytes = {(const char *)leaf.bytes, sizeof(leaf.bytes)};

    if (line.len > LEDGER_LINE_MAX)
        return err_set(err, ERR_LIMIT, "ledger: an entry has more than %zu bytes", LEDGER_LINE_MAX);
    return db_run(db, err, "INSERT INTO ledger(contest, n, leaf, line) VALUES(?1, ?2, ?3, ?4)",
                  "iibt", contest, n, bytes, line);
}

int site_ledger_add(Db *db, int64_t contest, int64_t at_ms, const char *type,
                    void (*members)(void *user, Canonical *entry), void *user, Err *err)
{
    CLEANUP(canonical_done) Canonical entry = {.depth = 0};
    char date[DATE_TEXT_ROOM];
    int64_t n = 0;
    Str line;

    int rc = site_ledger_begun(db, contest, err);
    if (rc == 0)
        return err_set(err, ERR_RULE, "the contest has no ledger yet: it gets one when it opens");
    if (rc > 0)
        rc = find_next(db, contest, &n, &at_ms, err);
    if (rc == 0 && at_ms > DATE_MAX_MS)
        rc = err_set(err, ERR_LIMIT, "ledger: a date behind the year 9999");
    if (rc)
        return rc;
    canonical_open(&entry, '{');
    canonical_key(&entry, STR("n"));
    canonical_put_number(&entry, n);
    canonical_key(&entry, STR("at"));
    canonical_put_text(&entry, date_text_write(at_ms, date));
    canonical_key(&entry, STR("type"));
    canonical_put_text(&entry, str_of(type));
    if (n == 0)
        rc = put_key(db, contest, &entry, err);
    if (members)
        members(user, &entry);
    canonical_close(&entry);
    if (rc == 0)
        rc = canonical_end(&entry, &line, err);
    return rc ? rc : insert_line(db, contest, n, line, err);
}

static void write_texts(void *user, Canonical *entry)
{
    va_list *pairs = user;
    const char *name;

    while ((name = va_arg(*pairs, const char *)) != NULL) {
        canonical_key(entry, str_of(name));
        canonical_put_text(entry, va_arg(*pairs, Str));
    }
}

int site_ledger_add_texts(Db *db, int64_t contest, int64_t at_ms, const char *type, Err *err, ...)
{
    va_list pairs;

    va_start(pairs, err);
    int rc = site_ledger_add(db, contest, at_ms, type, write_texts, &pairs, err);
    va_end(pairs);
    return rc;
}

/* ---- for readers ---- */

int site_ledger_size(Db *db, int64_t contest, uint64_t *ret_size, Err *err)
{
    int64_t last = -1;
    int rc =
        db_ask(db, -1, &last, err,
               "SELECT n FROM ledger WHERE contest = ?1 ORDER BY n DESC LIMIT 1", "i", contest);

    *ret_size = (uint64_t)(last + 1);
    return rc;
}

int site_ledger_lines(Db *db, int64_t contest, uint64_t from, uint64_t to, size_t bytes_max,
                      Buf *out, Err *err)
{
    CLEANUP(db_query_freep) DbQuery *query = NULL;
    const size_t begin = out->len;
    int rc = db_query_with(db, &query, err,
                           "SELECT line FROM ledger WHERE contest = ?1 AND n >= ?2 AND n < ?3"
                           " ORDER BY n",
                           "iii", contest, (int64_t)from, (int64_t)to);

    while (rc == 0 && (rc = db_step(query, err)) == 1) {
        const Str line = db_text(query, 0);
        if (out->len - begin + line.len + 1 > bytes_max)
            return 0;
        buf_add(out, line);
        buf_add_char(out, '\n');
        rc = buf_failed(out) ? no_memory(err) : 0;
    }
    return rc;
}

int site_ledger_checkpoint(Db *db, int64_t contest, uint64_t size, Buf *out, Err *err)
{
    return size ? db_ask_text(db, out, NULL, err,
                              "SELECT note FROM checkpoint WHERE contest = ?1 AND size = ?2", "ii",
                              contest, (int64_t)size)
                : db_ask_text(db, out, NULL, err,
                              "SELECT note FROM checkpoint WHERE contest = ?1"
                              " ORDER BY size DESC LIMIT 1",
                              "i", contest);
}

/* One contest: its number, its entries, those that are signed, its last checkpoint. */
static int look_at_contest(Db *db, const DbQuery *row, LedgersLook *look, Err *err)
{
    CLEANUP(buf_done) Buf line = {0};
    const int64_t entries = db_int(row, 1), is_signed = db_int(row, 2), made_ms = db_int(row, 3);

    look->entries += (uint64_t)entries;
    if (look->checkpoint_ms < made_ms)
        look->checkpoint_ms = made_ms;
    if (entries <= is_signed)
        return 0;
    look->not_signed += (uint64_t)(entries - is_signed);
    int rc =
        db_ask_text(db, &line, NULL, err, "SELECT line FROM ledger WHERE contest = ?1 AND n = ?2",
                    "ii", db_int(row, 0), is_signed);
    const int64_t since_ms = date_of_line(buf_str(&line));
    if (!look->since_ms || since_ms < look->since_ms)
        look->since_ms = since_ms;
    return rc;
}

int site_ledgers_look(Db *db, LedgersLook *ret_look, Err *err)
{
    CLEANUP(db_query_freep) DbQuery *query = NULL;
    int rc = db_query(db,
                      "SELECT id, (SELECT coalesce(max(n) + 1, 0) FROM ledger WHERE contest = id),"
                      " (SELECT coalesce(max(size), 0) FROM checkpoint WHERE contest = id),"
                      " (SELECT at FROM checkpoint WHERE contest = id ORDER BY size DESC LIMIT 1)"
                      " FROM contest",
                      &query, err);

    *ret_look = (LedgersLook){0};
    while (rc == 0 && (rc = db_step(query, err)) == 1)
        rc = look_at_contest(db, query, ret_look, err);
    return rc;
}

int site_ledger_key(Db *db, int64_t contest, Buf *out, Err *err)
{
    CLEANUP(db_query_freep) DbQuery *query = NULL;
    int rc = db_query_with(db, &query, err, "SELECT public_key FROM contest WHERE id = ?1", "i",
                           contest);

    if (rc == 0)
        rc = db_step(query, err);
    if (rc == 1)
        buf_add(out, db_blob(query, 0));
    return rc < 0 ? rc : buf_failed(out) ? no_memory(err) : 0;
}

/* ---- the files ---- */

/* The lines of a file beside those of the table. */
typedef struct Comparing {
    DbQuery *query; /* of the table's lines, in order */
    const char *name;
} Comparing;

static int compare_line(void *user, const LedgerEntry *entry, Err *err)
{
    const Comparing *comparing = user;
    const unsigned line = (unsigned)entry->n + 1;
    int rc = db_step(comparing->query, err);

    if (rc < 0)
        return rc;
    if (rc == 0)
        return err_set_at(err, ERR_RULE, line, 0,
                          "the ledger of %s has more lines than the store, from line %u on: the "
                          "store is an older one; restore both from the same backup",
                          comparing->name, line);
    if (!str_eq(db_text(comparing->query, 0), entry->line))
        return err_set_at(err, ERR_RULE, line, 0,
                          "line %u of the ledger of %s is not that of the store: one of both was "
                          "changed; restore both from the same backup",
                          line, comparing->name);
    return 0;
}

/* What a checkpoint of the store says: whoever has seen it holds it. */
static int check_signed(Db *db, int64_t contest, const char *name, uint64_t lines, Err *err)
{
    int64_t size = 0;
    int rc = db_ask(db, 0, &size, err,
                    "SELECT size FROM checkpoint WHERE contest = ?1 ORDER BY size DESC LIMIT 1",
                    "i", contest);

    if (rc == 0 && (uint64_t)size > lines)
        rc =
            err_set(err, ERR_RULE,
                    "the ledger of %s ends behind line %" PRIu64 ", but a checkpoint signs %" PRId64
                    " entries: lines were cut off; put the whole file back",
                    name, lines, size);
    return rc;
}

static int note_checkpoint(Db *db, int64_t contest, const LedgerLook *look, int64_t at_ms, Err *err)
{
    const Str root = {(const char *)look->checkpoint.root.bytes,
                      sizeof(look->checkpoint.root.bytes)};

    return db_run(db, err,
                  "INSERT INTO checkpoint(contest, size, root, note, at) VALUES(?1, ?2, ?3, ?4, ?5)"
                  " ON CONFLICT(contest, size) DO NOTHING",
                  "iibti", contest, (int64_t)look->checkpoint.size, root, buf_str(&look->text),
                  at_ms);
}

static int compare_both(Db *db, const char *folder, int64_t contest, const char *name, Err *err)
{
    CLEANUP(db_query_freep) DbQuery *query = NULL;
    Comparing comparing = {.name = name};
    CLEANUP(ledger_look_done)
    LedgerLook look = {.reader = {.hear = compare_line, .user = &comparing}};
    int rc = db_query_with(db, &query, err, "SELECT line FROM ledger WHERE contest = ?1 ORDER BY n",
                           "i", contest);

    comparing.query = query;
    if (rc == 0)
        rc = ledger_look(folder, &look, err);
    if (rc == 0)
        db_reset(query);
    if (rc == 0)
        rc = check_signed(db, contest, name, look.reader.tree.size, err);
    if (rc == 0)
        rc = note_checkpoint(db, contest, &look, look.reader.last_at_ms, err);
    return rc;
}

static ContestLedger *find_contest(const SiteLedger *ledger, int64_t contest)
{
    for (size_t i = 0; i < ledger->count; i++)
        if (ledger->items[i].contest == contest)
            return &ledger->items[i];
    return NULL;
}

static int open_contest(SiteLedger *site, Db *db, int64_t contest, Str name, Err *err)
{
    CLEANUP(buf_done) Buf folder = {0};
    CLEANUP(free_ledger) Ledger *ledger = NULL;
    char words[64];
    int rc =
        contest_home_path(&(ContestHome){contest, name, buf_cstr(&site->data)}, "", &folder, err);

    snprintf(words, sizeof(words), "%.*s", STR_ARG(name));
    /* First what names a line; a file that another process writes is found behind it. */
    if (rc == 0)
        rc = compare_both(db, buf_cstr(&folder), contest, words, err);
    if (rc == 0)
        rc = ledger_open_signed(buf_cstr(&folder), &ledger, err);
    if (rc)
        return rc;
    if (site->count == site->room) {
        const size_t room = site->room ? site->room * 2 : 8;
        ContestLedger *items = mem_resize(site->items, room, sizeof(*items));
        if (!items)
            return no_memory(err);
        site->items = items;
        site->room = room;
    }
    site->items[site->count++] = (ContestLedger){.contest = contest, .ledger = TAKE(ledger)};
    return 0;
}

/* Those that were begun since the last time, too. */
static int open_contests(SiteLedger *site, Db *db, Err *err)
{
    CLEANUP(db_query_freep) DbQuery *query = NULL;
    int rc = db_query(db, "SELECT id, name FROM contest WHERE public_key IS NOT NULL ORDER BY id",
                      &query, err);

    while (rc == 0 && (rc = db_step(query, err)) == 1)
        rc = find_contest(site, db_int(query, 0))
                 ? 0
                 : open_contest(site, db, db_int(query, 0), db_text(query, 1), err);
    return rc;
}

/* ---- behind the commit ---- */

static int sign_contest(ContestLedger *of, Db *db, const char *data, Str name, int64_t now_ms,
                        Err *err)
{
    CLEANUP(buf_done) Buf folder = {0};
    CLEANUP(ledger_look_done) LedgerLook look = {.text = {0}};
    int rc = ledger_checkpoint(of->ledger, err);

    if (rc)
        return rc;
    of->signed_ms = now_ms;
    of->heavy = false;
    rc = contest_home_path(&(ContestHome){of->contest, name, data}, "", &folder, err);
    if (rc == 0)
        rc = ledger_look_checkpoint(buf_cstr(&folder), &look, err);
    return rc ? rc : note_checkpoint(db, of->contest, &look, now_ms, err);
}

/* Nobody waits for a single game's entry; all else is signed at once. */
static bool is_heavy(Str line)
{
    Str type;

    return !canonical_member(line, STR("type"), &type) || !str_eq(type, STR("\"game\""));
}

static int append_some(ContestLedger *of, Db *db, uint64_t *ret_count, Err *err)
{
    CLEANUP(db_query_freep) DbQuery *query = NULL;
    int rc =
        db_query_with(db, &query, err,
                      "SELECT line FROM ledger WHERE contest = ?1 AND n >= ?2 ORDER BY n"
                      " LIMIT ?3",
                      "iii", of->contest, (int64_t)ledger_size(of->ledger), (int64_t)FLUSH_LINES);

    *ret_count = 0;
    while (rc == 0 && (rc = db_step(query, err)) == 1) {
        const Str line = db_text(query, 0);
        rc = ledger_append(of->ledger, line, err);
        if (rc)
            break;
        of->heavy |= is_heavy(line);
        (*ret_count)++;
    }
    return rc;
}

static int flush_contest(ContestLedger *of, Db *db, const char *data, Str name, int64_t now_ms,
                         Err *err)
{
    uint64_t count = FLUSH_LINES;
    int rc = 0;

    while (rc == 0 && count == FLUSH_LINES)
        rc = append_some(of, db, &count, err);
    if (rc || ledger_size(of->ledger) == ledger_signed_size(of->ledger))
        return rc;
    if (!of->heavy && of->signed_ms && now_ms - of->signed_ms < SITE_LEDGER_WAIT_MS)
        return 0;
    return sign_contest(of, db, data, name, now_ms, err);
}

static int find_name(Db *db, int64_t contest, Buf *name, Err *err)
{
    return db_ask_text(db, name, NULL, err, "SELECT name FROM contest WHERE id = ?1", "i", contest);
}

/* A ledger that the disk has stopped is opened anew at the next flush, and goes on from the store.
 */
static void forget_contest(SiteLedger *site, size_t at)
{
    ledger_free(site->items[at].ledger);
    mem_free(site->items[at].leaves);
    site->items[at] = site->items[--site->count];
}

/* The names are asked for anew each time: they are few, and the store's. What is wrong with one
 * contest holds up no other; the first error is told. */
static int flush_contests(SiteLedger *site, Db *db, int64_t now_ms, bool sign, Err *err)
{
    int first = 0;

    for (size_t i = site->count; i-- > 0;) {
        CLEANUP(buf_done) Buf name = {0};
        ContestLedger *of = &site->items[i];
        Err own = {0};
        of->heavy |= sign;
        int rc = find_name(db, of->contest, &name, &own);
        if (rc == 0)
            rc = flush_contest(of, db, buf_cstr(&site->data), buf_str(&name), now_ms, &own);
        if (rc && first == 0)
            first = err_set(err, (ErrCode)rc, "%s", own.msg);
        if (rc == ERR_IO)
            forget_contest(site, i);
    }
    return first;
}

int site_ledger_flush(SiteLedger *ledger, Db *db, int64_t now_ms, Err *err)
{
    int rc = open_contests(ledger, db, err);

    return rc ? rc : flush_contests(ledger, db, now_ms, false, err);
}

int site_ledger_is_flushed(SiteLedger *ledger, Db *db, int64_t contest, bool *ret_flushed, Err *err)
{
    const ContestLedger *of = find_contest(ledger, contest);
    uint64_t size = 0;
    int rc = site_ledger_size(db, contest, &size, err);

    *ret_flushed = rc == 0 && of && ledger_signed_size(of->ledger) == size;
    return rc;
}

static void free_site(SiteLedger *site)
{
    for (size_t i = 0; i < site->count; i++) {
        ledger_free(site->items[i].ledger);
        mem_free(site->items[i].leaves);
    }
    mem_free(site->items);
    buf_done(&site->data);
    mem_free(site);
}

int site_ledger_open(Db *db, const char *data, SiteLedger **ret_ledger, Err *err)
{
    SiteLedger *site = mem_new(sizeof(*site));
    int rc = 0;

    if (!site)
        return no_memory(err);
    buf_add(&site->data, str_of(data));
    rc = buf_failed(&site->data) ? no_memory(err) : open_contests(site, db, err);
    if (rc)
        free_site(site);
    else
        *ret_ledger = site;
    return rc;
}

int site_ledger_close(SiteLedger *ledger, Db *db, int64_t now_ms, Err *err)
{
    int rc = 0;

    if (ledger) {
        rc = flush_contests(ledger, db, now_ms, true, err);
        free_site(ledger);
    }
    return rc;
}

/* ---- proofs ---- */

static int add_leaf(ContestLedger *of, Str leaf, Err *err)
{
    if (leaf.len != SHA256_BYTES)
        return err_set(err, ERR_SYNTAX, "ledger: a leaf of the store is none");
    if (of->leaf_count == of->leaf_room) {
        const uint64_t room = of->leaf_room ? of->leaf_room * 2 : 1024;
        MerkleHash *leaves = mem_resize(of->leaves, room, sizeof(*leaves));
        if (!leaves)
            return no_memory(err);
        of->leaves = leaves;
        of->leaf_room = room;
    }
    memcpy(of->leaves[of->leaf_count++].bytes, leaf.bytes, SHA256_BYTES);
    return 0;
}

/* The leaves of all entries up to now; those of before are kept. */
static int find_leaves(SiteLedger *site, Db *db, int64_t contest, uint64_t size,
                       ContestLedger **ret_of, Err *err)
{
    CLEANUP(db_query_freep) DbQuery *query = NULL;
    ContestLedger *of = find_contest(site, contest);
    int rc = 0;

    if (!of)
        return err_set(err, ERR_RULE, "the contest has no ledger yet");
    if (of->leaf_count < size)
        rc = db_query_with(db, &query, err,
                           "SELECT leaf FROM ledger WHERE contest = ?1 AND n >= ?2 ORDER BY n",
                           "ii", contest, (int64_t)of->leaf_count);
    while (rc == 0 && query && (rc = db_step(query, err)) == 1)
        rc = add_leaf(of, db_blob(query, 0), err);
    if (rc == 0 && of->leaf_count < size)
        rc = err_set(err, ERR_RULE, "the ledger has %" PRIu64 " entries, not %" PRIu64,
                     of->leaf_count, size);
    *ret_of = of;
    return rc;
}

static void put_hash(Json *json, const MerkleHash *hash)
{
    CLEANUP(buf_done) Buf text = {0};

    base64_encode((Str){(const char *)hash->bytes, sizeof(hash->bytes)}, false, &text);
    json_put_str(json, buf_str(&text));
}

static void add_hash(Json *json, const char *name, const MerkleHash *hash)
{
    json_key(json, str_of(name));
    put_hash(json, hash);
}

static void put_path(Json *json, const MerklePath *path)
{
    json_key(json, STR("path"));
    json_open(json, '[');
    for (unsigned i = 0; i < path->count; i++)
        put_hash(json, &path->hashes[i]);
    json_close(json);
}

int site_ledger_put_inclusion(SiteLedger *ledger, Db *db, int64_t contest, uint64_t n,
                              uint64_t size, Json *json, Err *err)
{
    ContestLedger *of = NULL;
    MerklePath path;
    int rc = n < size ? find_leaves(ledger, db, contest, size, &of, err)
                      : err_set(err, ERR_RULE, "n: expected a number below size");

    if (rc)
        return rc;
    const MerkleHash root = merkle_root_of(of->leaves, size);
    merkle_prove_inclusion(of->leaves, size, n, &path);
    json_open(json, '{');
    json_add_uint(json, "n", n);
    json_add_uint(json, "size", size);
    add_hash(json, "leaf", &of->leaves[n]);
    add_hash(json, "root", &root);
    put_path(json, &path);
    json_close(json);
    return 0;
}

int site_ledger_put_consistency(SiteLedger *ledger, Db *db, int64_t contest, uint64_t from,
                                uint64_t to, Json *json, Err *err)
{
    ContestLedger *of = NULL;
    MerklePath path;
    int rc = from <= to ? find_leaves(ledger, db, contest, to, &of, err)
                        : err_set(err, ERR_RULE, "from: expected a number up to 'to'");

    if (rc)
        return rc;
    const MerkleHash before = merkle_root_of(of->leaves, from),
                     root = merkle_root_of(of->leaves, to);
    merkle_prove_consistency(of->leaves, from, to, &path);
    json_open(json, '{');
    json_add_uint(json, "from", from);
    json_add_uint(json, "to", to);
    add_hash(json, "root_from", &before);
    add_hash(json, "root_to", &root);
    put_path(json, &path);
    json_close(json);
    return 0;
}
