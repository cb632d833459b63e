#include "proof/ledger_read.h"

#include "base/date_text.h"
#include "proof/canonical.h"

#include <inttypes.h>

void ledger_reader_done(LedgerReader *reader)
{
    buf_done(&reader->part);
}

static unsigned line_number(const LedgerReader *reader)
{
    return (unsigned)(reader->tree.size < UINT32_MAX ? reader->tree.size + 1 : UINT32_MAX);
}

static int bad_line(const LedgerReader *reader, const char *why, Err *err)
{
    unsigned line = line_number(reader);

    return err_set_at(err, ERR_SYNTAX, line, 0, "line %u: %s", line, why);
}

static bool is_date(Str value, int64_t *ret_ms)
{
    return value.len > 2 && date_text_read(str_part(value, 1, value.len - 2), ret_ms);
}

/* The members that each entry has. */
static int read_members(const LedgerReader *reader, Str line, LedgerEntry *entry, Err *err)
{
    Str n, at;
    uint64_t number;

    if (!canonical_member(line, STR("n"), &n) || !str_to_uint(n, INT64_MAX, &number) ||
        number != reader->tree.size)
        return bad_line(reader, "entries are numbered from 0, one after the other, by 'n'", err);
    if (!canonical_member(line, STR("at"), &at) || !is_date(at, &entry->at_ms))
        return bad_line(reader, "expected 'at', such as 2027-04-01T00:00:00.000Z", err);
    if (entry->at_ms < reader->last_at_ms)
        return bad_line(reader, "it is dated before the line above", err);
    if (!canonical_member(line, STR("type"), &entry->type) || entry->type.bytes[0] != '"' ||
        entry->type.len <= 2)
        return bad_line(reader, "expected a 'type'", err);
    entry->n = number;
    return 0;
}

/* The first entry says by whose key the ledger is signed. */
static int read_verifier(const LedgerReader *reader, Str line, NoteVerifier *ret_verifier, Err *err)
{
    Err own = {0};
    Str key;

    if (!canonical_member(line, STR("key"), &key) || key.len <= 2 || key.bytes[0] != '"')
        return bad_line(reader, "the first entry has the verifier key as 'key'", err);
    if (note_verifier_read(str_part(key, 1, key.len - 2), ret_verifier, &own))
        return bad_line(reader, own.msg, err);
    return 0;
}

int ledger_reader_judge(const LedgerReader *reader, Str line, LedgerEntry *ret_entry,
                        NoteVerifier *ret_first_verifier, Err *err)
{
    unsigned number = line_number(reader);
    Err own = {0};

    *ret_entry = (LedgerEntry){.line = line};
    if (line.len > LEDGER_LINE_MAX)
        return err_set_at(err, ERR_LIMIT, number, 0, "line %u has more than %zu bytes", number,
                          LEDGER_LINE_MAX);
    int rc = canonical_check(line, &own);
    if (rc)
        return err_set_at(err, (ErrCode)rc, number, own.column, "line %u: %s", number, own.msg);
    rc = read_members(reader, line, ret_entry, err);
    if (rc == 0 && ret_entry->n == 0)
        rc = read_verifier(reader, line, ret_first_verifier, err);
    if (rc == 0)
        ret_entry->leaf = merkle_leaf(line);
    return rc;
}

static int read_line(LedgerReader *reader, Str line, Err *err)
{
    LedgerEntry entry;
    int rc = ledger_reader_judge(reader, line, &entry, &reader->verifier, err);

    if (rc)
        return rc;
    merkle_add(&reader->tree, &entry.leaf);
    reader->last_at_ms = entry.at_ms;
    reader->bytes += line.len + 1;
    if (reader->tree.size == reader->mark)
        reader->marked = (LedgerExtent){reader->tree, reader->bytes, entry.at_ms};
    return reader->hear ? reader->hear(reader->user, &entry, err) : 0;
}

int ledger_reader_feed(LedgerReader *reader, Str bytes, Err *err)
{
    int rc = 0;

    while (bytes.len && rc == 0) {
        const char *end = memchr(bytes.bytes, '\n', bytes.len);
        Str piece = {bytes.bytes, end ? (size_t)(end - bytes.bytes) : bytes.len};
        unsigned number = line_number(reader);
        if (piece.len > LEDGER_LINE_MAX - reader->part.len)
            return err_set_at(err, ERR_LIMIT, number, 0, "line %u has more than %zu bytes", number,
                              LEDGER_LINE_MAX);
        bytes = str_part(bytes, piece.len + 1, bytes.len);
        if (end && reader->part.len == 0) {
            rc = read_line(reader, piece, err);
            continue;
        }
        buf_add(&reader->part, piece);
        if (buf_failed(&reader->part))
            return err_set(err, ERR_MEMORY, "ledger: out of memory");
        if (end) {
            rc = read_line(reader, buf_str(&reader->part), err);
            buf_clear(&reader->part);
        }
    }
    return rc;
}

int ledger_reader_compare(const LedgerReader *reader, const Checkpoint *checkpoint, Err *err)
{
    const MerkleHash root = merkle_root(&reader->marked.tree);
    unsigned lines = (unsigned)reader->tree.size;

    if (reader->tree.size < checkpoint->size)
        return err_set_at(err, ERR_RULE, lines + 1, 0,
                          "the ledger ends behind line %u, but its checkpoint signs %" PRIu64
                          " entries: lines were cut off; put the whole file back",
                          lines, checkpoint->size);
    if (!merkle_equal(&root, &checkpoint->root))
        return err_set_at(err, ERR_RULE, 1, 0,
                          "lines 1 to %" PRIu64
                          " are not those that the checkpoint signs: at least one of them was "
                          "changed; put the file back as it was",
                          checkpoint->size);
    return 0;
}
