/* test_site_ledger.c - entries in transactions, files behind them; torn, cut and changed ones;
 * proofs.
 *
 * Source: docs/spec/contest-operations.md 11.3, O37, O38. */
#include "proof_place.h"

#include "disk_faults.h"

#include "disk/log_file.h"

#include <jansson.h>
#include <unistd.h>

static int add(ProofPlace *p, const char *type, const char *value, int64_t at_ms, Err *err)
{
    return site_ledger_add_texts(p->db, p->place.id, at_ms, type, err, "value", str_of(value),
                                 NULL);
}

static void add_some(ProofPlace *p, const char *type, int count)
{
    for (int i = 0; i < count; i++) {
        char value[16];
        snprintf(value, sizeof(value), "%d", i);
        assert_int_equal(add(p, type, value, PROOF_NOW + i, NULL), 0);
    }
}

static SiteLedger *open_ledger(ProofPlace *p)
{
    SiteLedger *ledger = NULL;
    Err err = {0};

    if (site_ledger_open(p->db, p->data, &ledger, &err))
        fail_msg("%s", err.msg);
    return ledger;
}

static void read_file(ProofPlace *p, const char *name, Buf *text)
{
    CLEANUP(buf_done) Buf path = {0};

    buf_clear(text);
    assert_int_equal(contest_home_path(&p->place, name, &path, NULL), 0);
    assert_int_equal(log_file_read(buf_cstr(&path), 1 << 20, text, NULL), 0);
}

static void write_file(ProofPlace *p, const char *name, Str text)
{
    CLEANUP(buf_done) Buf path = {0};

    assert_int_equal(contest_home_path(&p->place, name, &path, NULL), 0);
    FILE *file = fopen(buf_cstr(&path), "w");
    assert_non_null(file);
    assert_true(fwrite(text.bytes, 1, text.len, file) == text.len);
    fclose(file);
}

static void an_entry_belongs_to_its_transaction(void **state)
{
    ProofPlace p;
    CLEANUP(buf_done) Buf text = {0};

    proof_place_open(state, &p);
    assert_int_equal(db_begin(p.db, NULL), 0);
    assert_int_equal(add(&p, "state", "OPEN", PROOF_NOW, NULL), 0);
    db_rollback(p.db);
    assert_true(proof_entries(&p) == 0);
    assert_int_equal(db_begin(p.db, NULL), 0);
    assert_int_equal(add(&p, "state", "OPEN", PROOF_NOW, NULL), 0);
    assert_int_equal(db_commit(p.db, NULL), 0);
    assert_true(proof_entries(&p) == 1);
    proof_last_line(&p, &text);
    assert_true(str_starts(
        buf_str(&text), STR("{\"at\":\"2027-02-02T00:00:00.000Z\",\"key\":\"" PROOF_ORIGIN "+")));
    /* A clock that was put back writes the last time again. */
    assert_int_equal(add(&p, "state", "FROZEN", PROOF_NOW - 5000, NULL), 0);
    assert_last_line(&p, "{\"at\":\"2027-02-02T00:00:00.000Z\",\"n\":1,\"type\":\"state\","
                         "\"value\":\"FROZEN\"}");
    /* Another contest has a ledger of its own, or none. */
    assert_int_equal(site_ledger_add(p.db, p.place.id + 1, PROOF_NOW, "state", NULL, NULL, NULL),
                     ERR_RULE);
    proof_place_close(&p);
}

static void files_follow_the_commit_and_the_start(void **state)
{
    ProofPlace p;
    CLEANUP(buf_done) Buf text = {0};
    CLEANUP(buf_done) Buf note = {0};
    CLEANUP(buf_done) Buf lines = {0};

    proof_place_open(state, &p);
    SiteLedger *ledger = open_ledger(&p);
    add_some(&p, "state", 3);
    assert_int_equal(site_ledger_flush(ledger, p.db, PROOF_NOW, NULL), 0);
    read_file(&p, "ledger.jsonl", &text);
    assert_int_equal(site_ledger_lines(p.db, p.place.id, 0, 100, 1 << 20, &lines, NULL), 0);
    assert_true(str_eq(buf_str(&text), buf_str(&lines)));
    read_file(&p, "checkpoint", &text);
    assert_int_equal(site_ledger_checkpoint(p.db, p.place.id, 0, &note, NULL), 0);
    assert_true(str_eq(buf_str(&text), buf_str(&note)));
    assert_true(str_starts(buf_str(&note), STR(PROOF_ORIGIN "\n3\n")));
    /* Games wait for the next checkpoint, but not for ever. */
    add_some(&p, "game", 5);
    assert_int_equal(site_ledger_flush(ledger, p.db, PROOF_NOW + 1000, NULL), 0);
    buf_clear(&note);
    assert_int_equal(site_ledger_checkpoint(p.db, p.place.id, 0, &note, NULL), 0);
    assert_true(str_starts(buf_str(&note), STR(PROOF_ORIGIN "\n3\n")));
    assert_int_equal(site_ledger_flush(ledger, p.db, PROOF_NOW + SITE_LEDGER_WAIT_MS, NULL), 0);
    buf_clear(&note);
    assert_int_equal(site_ledger_checkpoint(p.db, p.place.id, 0, &note, NULL), 0);
    assert_true(str_starts(buf_str(&note), STR(PROOF_ORIGIN "\n8\n")));
    /* What was committed and never flushed comes at the next start. */
    add_some(&p, "state", 2);
    assert_int_equal(site_ledger_close(ledger, p.db, PROOF_NOW, NULL), 0);
    add_some(&p, "state", 1);
    ledger = open_ledger(&p);
    assert_int_equal(site_ledger_close(ledger, p.db, PROOF_NOW, NULL), 0);
    read_file(&p, "ledger.jsonl", &text);
    buf_clear(&lines);
    assert_int_equal(site_ledger_lines(p.db, p.place.id, 0, 100, 1 << 20, &lines, NULL), 0);
    assert_true(str_eq(buf_str(&text), buf_str(&lines)));
    proof_place_close(&p);
}

static void assert_stops(ProofPlace *p, const char *why)
{
    SiteLedger *ledger = NULL;
    Err err = {0};

    assert_int_equal(site_ledger_open(p->db, p->data, &ledger, &err), ERR_RULE);
    if (!strstr(err.msg, why))
        fail_msg("expected '%s', got '%s'", why, err.msg);
}

static void torn_is_kept_cut_and_changed_are_refused(void **state)
{
    ProofPlace p;
    CLEANUP(buf_done) Buf whole = {0};
    CLEANUP(buf_done) Buf note = {0};
    CLEANUP(buf_done) Buf text = {0};
    size_t at;

    proof_place_open(state, &p);
    SiteLedger *ledger = open_ledger(&p);
    add_some(&p, "state", 6);
    assert_int_equal(site_ledger_flush(ledger, p.db, PROOF_NOW, NULL), 0);
    read_file(&p, "checkpoint", &note);
    add_some(&p, "game", 2);
    assert_int_equal(site_ledger_flush(ledger, p.db, PROOF_NOW, NULL), 0);
    assert_int_equal(site_ledger_close(ledger, p.db, PROOF_NOW, NULL), 0);
    read_file(&p, "ledger.jsonl", &whole);
    /* Torn, and its checkpoint the one before: the store has the rest. */
    write_file(&p, "checkpoint", buf_str(&note));
    write_file(&p, "ledger.jsonl", str_part(buf_str(&whole), 0, whole.len - 9));
    assert_stops(&p, "a checkpoint signs 8 entries"); /* which the store has, too */
    assert_int_equal(db_exec(p.db, "DELETE FROM checkpoint WHERE size = 8", NULL), 0);
    ledger = open_ledger(&p);
    assert_int_equal(site_ledger_close(ledger, p.db, PROOF_NOW, NULL), 0);
    read_file(&p, "ledger.jsonl", &text);
    assert_true(str_eq(buf_str(&text), buf_str(&whole)));
    /* Cut: shorter than the checkpoint beside it. */
    assert_true(str_find_last(str_part(buf_str(&whole), 0, whole.len - 1), '\n', &at));
    write_file(&p, "ledger.jsonl", str_part(buf_str(&whole), 0, at + 1));
    assert_stops(&p, "lines were cut off");
    /* Changed: another line than was signed. */
    buf_clear(&text);
    buf_add(&text, buf_str(&whole));
    assert_true(str_find(buf_str(&text), STR("\"value\":\"4\""), &at));
    text.bytes[at + 9] = '5';
    write_file(&p, "ledger.jsonl", buf_str(&text));
    assert_stops(&p, "line 5 of the ledger of cup2027 is not that of the store");
    write_file(&p, "ledger.jsonl", buf_str(&whole));
    /* The store is an older one. */
    assert_int_equal(db_exec(p.db, "DELETE FROM ledger WHERE n = 7", NULL), 0);
    assert_stops(&p, "more lines than the store, from line 8 on");
    proof_place_close(&p);
}

static void take_hash(const json_t *value, MerkleHash *ret)
{
    CLEANUP(buf_done) Buf bytes = {0};

    assert_int_equal(base64_decode(str_of(json_string_value(value)), false, &bytes, NULL), 0);
    assert_int_equal(bytes.len, SHA256_BYTES);
    memcpy(ret->bytes, bytes.bytes, SHA256_BYTES);
}

static json_t *take_proof(const Buf *text, MerklePath *path)
{
    json_t *root = json_loadb(text->bytes, text->len, 0, NULL);
    json_t *list = json_object_get(root, "path");

    assert_non_null(root);
    path->count = (unsigned)json_array_size(list);
    for (unsigned i = 0; i < path->count; i++)
        take_hash(json_array_get(list, i), &path->hashes[i]);
    return root;
}

static void proofs_hold_and_a_changed_one_does_not(void **state)
{
    ProofPlace p;
    const uint64_t sizes[] = {1, 2, 7, 13};

    proof_place_open(state, &p);
    SiteLedger *ledger = open_ledger(&p);
    add_some(&p, "game", 13);
    for (size_t s = 0; s < 4; s++)
        for (uint64_t n = 0; n < sizes[s]; n++) {
            CLEANUP(buf_done) Buf text = {0};
            Json json = json_over(&text);
            MerkleHash leaf, root;
            MerklePath path = {0};
            assert_int_equal(
                site_ledger_put_inclusion(ledger, p.db, p.place.id, n, sizes[s], &json, NULL), 0);
            json_t *proof = take_proof(&text, &path);
            take_hash(json_object_get(proof, "leaf"), &leaf);
            take_hash(json_object_get(proof, "root"), &root);
            assert_true(merkle_inclusion_holds(&leaf, n, sizes[s], &path, &root));
            leaf.bytes[0] ^= 1;
            assert_false(merkle_inclusion_holds(&leaf, n, sizes[s], &path, &root));
            json_decref(proof);
        }
    CLEANUP(buf_done) Buf text = {0};
    Json json = json_over(&text);
    MerkleHash before, root;
    MerklePath path = {0};
    assert_int_equal(site_ledger_put_consistency(ledger, p.db, p.place.id, 5, 13, &json, NULL), 0);
    json_t *proof = take_proof(&text, &path);
    take_hash(json_object_get(proof, "root_from"), &before);
    take_hash(json_object_get(proof, "root_to"), &root);
    assert_true(merkle_consistency_holds(5, &before, 13, &root, &path));
    before.bytes[3] ^= 1;
    assert_false(merkle_consistency_holds(5, &before, 13, &root, &path));
    json_decref(proof);
    assert_int_equal(site_ledger_put_inclusion(ledger, p.db, p.place.id, 13, 13, &json, NULL),
                     ERR_RULE);
    assert_int_equal(site_ledger_put_inclusion(ledger, p.db, p.place.id, 3, 14, &json, NULL),
                     ERR_RULE);
    assert_int_equal(site_ledger_put_consistency(ledger, p.db, p.place.id, 9, 8, &json, NULL),
                     ERR_RULE);
    assert_int_equal(site_ledger_close(ledger, p.db, PROOF_NOW, NULL), 0);
    proof_place_close(&p);
}

/* The disk fails once, at each call in turn, and the server lives on: the next turn of its loop
 * brings the ledger to where it would have been. */
static void a_ledger_that_the_disk_stopped_goes_on_by_itself(void **state)
{
    ProofPlace p;
    bool failed = true;
    unsigned at = 1;

    proof_place_open(state, &p);
    SiteLedger *ledger = open_ledger(&p);
    for (; failed && at < 100; at++) {
        CLEANUP(buf_done) Buf text = {0};
        CLEANUP(buf_done) Buf lines = {0};
        CLEANUP(buf_done) Buf note = {0};
        CLEANUP(buf_done) Buf expected = {0};
        Err err = {0};
        add_some(&p, "game", 2);
        add_some(&p, "state", 1);
        disk_fault_set((DiskFault){DISK_ANY, at, false, at % 2 ? EIO : ENOSPC});
        int rc = site_ledger_flush(ledger, p.db, PROOF_NOW + at, &err);
        failed = faulty_disk.failed > 0;
        disk_fault_set((DiskFault){0});
        assert_true(rc == 0 || (failed && rc == ERR_IO && err.msg[0]));
        for (int again = 0; again < 2; again++) /* opened; signed */
            if (site_ledger_flush(ledger, p.db, PROOF_NOW + at, &err) && rc == 0)
                fail_msg("call %u: %s", at, err.msg);
        read_file(&p, "ledger.jsonl", &text);
        assert_int_equal(site_ledger_lines(p.db, p.place.id, 0, 1000, 1 << 20, &lines, NULL), 0);
        if (!str_eq(buf_str(&text), buf_str(&lines)))
            fail_msg("call %u: the file is not what the store has", at);
        assert_int_equal(site_ledger_checkpoint(p.db, p.place.id, 0, &note, NULL), 0);
        buf_printf(&expected, PROOF_ORIGIN "\n%u\n", at * 3);
        assert_true(str_starts(buf_str(&note), buf_str(&expected)));
    }
    assert_false(failed);
    assert_true(at > 5);
    assert_int_equal(site_ledger_close(ledger, p.db, PROOF_NOW, NULL), 0);
    proof_place_close(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        ON_BOTH(an_entry_belongs_to_its_transaction),
        ON_BOTH(files_follow_the_commit_and_the_start),
        ON_BOTH(torn_is_kept_cut_and_changed_are_refused),
        ON_SQLITE(a_ledger_that_the_disk_stopped_goes_on_by_itself),
        ON_BOTH(proofs_hold_and_a_changed_one_does_not),
    };

    return cmocka_run_group_tests(tests, site_server_set_up, site_server_tear_down);
}
