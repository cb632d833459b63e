#include "show/ledger_output.h"

#include "base/exit_status.h"
#include "base/json.h"
#include "disk/log_file.h"
#include "proof/ledger.h"

#include <inttypes.h>

/* A ledger that was read, with the leaves of which proofs are made. */
typedef struct LedgerPage {
    LedgerLook look;
    MerkleHash *leaves;
    uint64_t count;
    uint64_t room;
    Err wrong; /* what doesn't hold */
} LedgerPage;

static void page_done(LedgerPage *page)
{
    ledger_look_done(&page->look);
    mem_free(page->leaves);
}

static int keep_leaf(void *user, const LedgerEntry *entry, Err *err)
{
    LedgerPage *page = user;

    if (page->count == page->room) {
        uint64_t room = page->room ? 2 * page->room : 1024;
        MerkleHash *leaves = mem_resize(page->leaves, room, sizeof(*leaves));
        if (!leaves)
            return err_set(err, ERR_MEMORY, "ledger: out of memory");
        page->leaves = leaves;
        page->room = room;
    }
    page->leaves[page->count++] = entry->leaf;
    return 0;
}

/* What is against the rules or can't be read doesn't hold; the rest is an error. */
static int is_error(int rc)
{
    return rc != ERR_RULE && rc != ERR_SYNTAX ? rc : 0;
}

/* ---- what is checked ---- */

static int check_key(LedgerPage *page, const char *key, NoteVerifier *ret_verifier, Err *err)
{
    *ret_verifier = page->look.reader.verifier;
    if (!key)
        return 0;
    if (note_verifier_read(str_of(key), ret_verifier, err))
        return ERR_USAGE;
    note_verify(&page->look.note, ret_verifier, &page->wrong);
    if (page->count &&
        memcmp(ret_verifier, &page->look.reader.verifier, sizeof(*ret_verifier)) != 0)
        err_set(&page->wrong, ERR_RULE, "the first entry names another key than the one given");
    return 0;
}

/* A checkpoint that somebody kept: signed by the same key, and the ledger begins as it says. */
static int check_checkpoint(LedgerPage *page, const char *path, const NoteVerifier *verifier,
                            Err *err)
{
    CLEANUP(buf_done) Buf text = {0};
    SignedNote note;
    Checkpoint kept = {0};
    Err own = {0};
    int rc = log_file_read(path, NOTE_BYTES_MAX, &text, err);

    if (rc)
        return rc;
    rc = note_read(buf_str(&text), &note, &own);
    if (rc == 0)
        rc = note_verify(&note, verifier, &own);
    if (rc == 0)
        rc = checkpoint_read(note.text, &kept, &own);
    if (rc == 0 && !str_eq(kept.origin, page->look.checkpoint.origin))
        rc = err_set(&own, ERR_RULE, "it is of another ledger, '%.*s'",
                     STR_ARG(str_part(kept.origin, 0, 200)));
    if (rc == 0 && kept.size > page->count)
        rc = err_set(&own, ERR_RULE,
                     "it signs %" PRIu64 " entries, the ledger has %" PRIu64 ": entries were taken "
                     "away",
                     kept.size, page->count);
    if (rc == 0) {
        MerkleHash root = merkle_root_of(page->leaves, kept.size);
        if (!merkle_equal(&root, &kept.root))
            rc = err_set(&own, ERR_RULE,
                         "the first %" PRIu64 " entries are not those that it signs", kept.size);
    }
    if (rc)
        err_set(&page->wrong, (ErrCode)rc, "'%s': %s", path, own.msg);
    return is_error(rc);
}

static int read_page(const char *dir, const LedgerAsk *ask, LedgerPage *page, Err *err)
{
    NoteVerifier verifier;
    int rc = ledger_look(dir, &page->look, &page->wrong);

    if (rc)
        return is_error(rc) ? err_set(err, (ErrCode)rc, "%s", page->wrong.msg) : 0;
    rc = check_key(page, ask->key, &verifier, err);
    if (rc == 0 && ask->checkpoint)
        rc = check_checkpoint(page, ask->checkpoint, &verifier, err);
    return rc;
}

/* ---- proofs ---- */

typedef struct LedgerProof {
    const char *kind; /* NULL = none was asked for */
    uint64_t number;  /* the entry, or the size before */
    uint64_t size;
    MerkleHash from; /* the leaf, or the root before */
    MerkleHash root;
    MerklePath path;
} LedgerProof;

static int make_proof(const LedgerPage *page, const LedgerAsk *ask, LedgerProof *proof, Err *err)
{
    proof->size = ask->size ? ask->size : page->look.checkpoint.size;
    proof->number = ask->prove ? ask->entry : ask->before;
    if (proof->size > page->count)
        return err_set(err, ERR_USAGE, "the ledger has %" PRIu64 " entries, not %" PRIu64,
                       page->count, proof->size);
    if (ask->prove ? proof->number >= proof->size : proof->number > proof->size)
        return err_set(err, ERR_USAGE, "%" PRIu64 " is not among the first %" PRIu64 " entries",
                       proof->number, proof->size);
    proof->root = merkle_root_of(page->leaves, proof->size);
    if (ask->prove) {
        proof->kind = "inclusion";
        proof->from = page->leaves[proof->number];
        merkle_prove_inclusion(page->leaves, proof->size, proof->number, &proof->path);
    } else {
        proof->kind = "consistency";
        proof->from = merkle_root_of(page->leaves, proof->number);
        merkle_prove_consistency(page->leaves, proof->number, proof->size, &proof->path);
    }
    return 0;
}

/* ---- printing ---- */

static Str base64_of(const MerkleHash *hash, Buf *room)
{
    buf_clear(room);
    base64_encode((Str){(const char *)hash->bytes, sizeof(hash->bytes)}, false, room);
    return buf_str(room);
}

static void put_proof_json(const LedgerProof *proof, Json *json, Buf *room)
{
    json_key(json, STR("proof"));
    json_open(json, '{');
    json_add_str(json, "kind", str_of(proof->kind));
    json_add_uint(json, proof->kind[0] == 'i' ? "entry" : "before", proof->number);
    json_add_uint(json, "size", proof->size);
    json_add_str(json, proof->kind[0] == 'i' ? "leaf" : "root_before",
                 base64_of(&proof->from, room));
    json_add_str(json, "root", base64_of(&proof->root, room));
    json_key(json, STR("path"));
    json_open(json, '[');
    for (unsigned i = 0; i < proof->path.count; i++)
        json_put_str(json, base64_of(&proof->path.hashes[i], room));
    json_close(json);
    json_close(json);
}

static void put_json(const LedgerPage *page, const LedgerProof *proof, Buf *room, Buf *out)
{
    CLEANUP(buf_done) Buf key = {0};
    Json json = json_over(out);

    json_open(&json, '{');
    json_add_bool(&json, "holds", page->wrong.code == ERR_OK);
    if (page->wrong.code)
        json_add_str(&json, "reason", str_of(page->wrong.msg));
    json_add_str(&json, "origin", page->look.checkpoint.origin);
    json_add_uint(&json, "entries", page->look.reader.tree.size);
    json_add_uint(&json, "signed", page->look.checkpoint.size);
    json_add_str(&json, "root", base64_of(&page->look.checkpoint.root, room));
    if (page->count)
        note_verifier_write(&page->look.reader.verifier, &key);
    json_add_str(&json, "key", buf_str(&key));
    json_add_bool(&json, "torn", page->look.reader.part.len > 0);
    if (proof->kind)
        put_proof_json(proof, &json, room);
    json_close(&json);
    buf_add_char(out, '\n');
}

static void put_text(const LedgerPage *page, const LedgerProof *proof, Buf *room, Buf *out)
{
    const LedgerLook *look = &page->look;

    buf_printf(out, "origin   %.*s\nentries  %" PRIu64 ", of which %" PRIu64 " are signed%s\n",
               STR_ARG(look->checkpoint.origin), look->reader.tree.size, look->checkpoint.size,
               look->reader.part.len ? "; a torn line behind them does not count" : "");
    buf_printf(out, "root     %.*s\n", STR_ARG(base64_of(&look->checkpoint.root, room)));
    if (page->count) {
        buf_add(out, STR("key      "));
        note_verifier_write(&look->reader.verifier, out);
        buf_add_char(out, '\n');
    }
    if (page->wrong.code)
        buf_printf(out, "does not hold: %s\n", page->wrong.msg);
    else
        buf_printf(out, "holds    %s\n",
                   page->count ? "every line, the tree and the signature"
                               : "nothing is in it yet, so that no key is known");
    if (!proof->kind)
        return;
    buf_printf(out, "\n%s of %" PRIu64 " in %" PRIu64 "\n", proof->kind, proof->number,
               proof->size);
    buf_printf(out, "from     %.*s\n", STR_ARG(base64_of(&proof->from, room)));
    for (unsigned i = 0; i < proof->path.count; i++)
        buf_printf(out, "         %.*s\n", STR_ARG(base64_of(&proof->path.hashes[i], room)));
    buf_printf(out, "root     %.*s\n", STR_ARG(base64_of(&proof->root, room)));
}

int ledger_output(const char *dir, const LedgerAsk *ask, Buf *out, Err *err)
{
    CLEANUP(page_done) LedgerPage page = {0};
    CLEANUP(buf_done) Buf room = {0};
    LedgerProof proof = {0};

    page.look.reader.hear = keep_leaf;
    page.look.reader.user = &page;
    int rc = read_page(dir, ask, &page, err);
    if (rc == 0 && !page.wrong.code && (ask->prove || ask->consistency))
        rc = make_proof(&page, ask, &proof, err);
    if (rc)
        return rc;
    (ask->json ? put_json : put_text)(&page, &proof, &room, out);
    if (buf_failed(out) || buf_failed(&room))
        return err_set(err, ERR_MEMORY, "ledger: out of memory");
    return page.wrong.code ? EXIT_DISAGREE : 0;
}
