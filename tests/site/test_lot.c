/* test_lot.c - secrets and lots of stages: what is committed to, when it can be changed, opened and
 * told.
 *
 * Source: docs/spec/contest-operations.md 11.1, B.1, O35. */
#include "proof_place.h"

#include "disk/key_file.h"
#include "site/lot.h"
#include "site/secret.h"

#include <sys/stat.h>

#define STAGE STR("preliminary")

static void open_contest(void **state, ProofPlace *p)
{
    const Str stages[] = {STAGE, STR("final")};

    proof_place_open(state, p);
    assert_int_equal(site_secret_commit(p->db, &p->place, stages, 2, PROOF_NOW, NULL), 0);
}

static void secrets_are_drawn_committed_to_and_told_once(void **state)
{
    ProofPlace p;
    const Str stages[] = {STAGE, STR("final")};
    char path[128], part[200], hex[KEY_HEX_BYTES];
    struct stat about;
    Key secret, again, of_final;
    CLEANUP(buf_done) Buf lines = {0};
    size_t at;

    open_contest(state, &p);
    assert_true(proof_entries(&p) == 4); /* two stages, testing, evaluation */
    assert_int_equal(site_secret_commit(p.db, &p.place, stages, 2, PROOF_NOW, NULL), 0);
    assert_true(proof_entries(&p) == 4);
    assert_int_equal(site_secret_read(p.data, p.place.name, STAGE, &secret, NULL), 0);
    assert_int_equal(site_secret_read(p.data, p.place.name, STR("final"), &of_final, NULL), 0);
    assert_memory_not_equal(&secret, &of_final, sizeof(secret));
    snprintf(path, sizeof(path), "%s/secrets/cup2027/preliminary", p.data);
    assert_int_equal(stat(path, &about), 0);
    assert_int_equal(about.st_mode & 0777, 0600);
    assert_int_equal(about.st_size, 32);
    snprintf(path, sizeof(path), "%s/secrets/cup2027", p.data);
    assert_int_equal(stat(path, &about), 0);
    assert_int_equal(about.st_mode & 0777, 0700);
    /* The ledger has the commitment and nothing of the secret. */
    const Key commitment = key_commitment(&secret, p.place.name, STAGE);
    key_to_hex(&commitment, hex);
    assert_int_equal(site_ledger_lines(p.db, p.place.id, 0, 4, 1 << 20, &lines, NULL), 0);
    assert_true(str_find(buf_str(&lines), str_of(hex), &at));
    key_to_hex(&secret, hex);
    assert_false(str_find(buf_str(&lines), str_of(hex), &at));
    assert_false(site_secret_is_revealed(p.db, p.place.id, STAGE));
    assert_int_equal(site_secret_reveal(p.db, &p.place, STAGE, PROOF_NOW, NULL), 0);
    assert_int_equal(site_secret_reveal(p.db, &p.place, STAGE, PROOF_NOW, NULL), 0);
    assert_true(proof_entries(&p) == 5);
    snprintf(part, sizeof(part), "\"stage\":\"preliminary\",\"type\":\"reveal\",\"value\":\"%s\"",
             hex);
    assert_last_line(&p, part);
    assert_true(site_secret_is_revealed(p.db, p.place.id, STAGE));
    assert_false(site_secret_is_revealed(p.db, p.place.id, STR("final")));
    /* Another secret than was committed to can't be told. */
    snprintf(path, sizeof(path), "%s/secrets/cup2027", p.data);
    of_final.bytes[0] ^= 1;
    assert_int_equal(key_bytes_write(path, "final", &of_final, NULL), 0);
    assert_int_equal(site_secret_reveal(p.db, &p.place, STR("final"), PROOF_NOW, NULL), ERR_RULE);
    assert_int_equal(site_secret_read(p.data, p.place.name, STR("../x"), &again, NULL), ERR_RULE);
    proof_place_close(&p);
}

/* A secret that was drawn for a transaction that failed is the one of the next. */
static void a_failed_opening_is_made_again(void **state)
{
    ProofPlace p;
    const Str stages[] = {STAGE};
    Key before, behind;

    proof_place_open(state, &p);
    assert_int_equal(db_begin(p.db, NULL), 0);
    assert_int_equal(site_secret_commit(p.db, &p.place, stages, 1, PROOF_NOW, NULL), 0);
    db_rollback(p.db);
    assert_int_equal(site_secret_read(p.data, p.place.name, STAGE, &before, NULL), 0);
    assert_int_equal(site_secret_commit(p.db, &p.place, stages, 1, PROOF_NOW, NULL), 0);
    assert_int_equal(site_secret_read(p.data, p.place.name, STAGE, &behind, NULL), 0);
    assert_memory_equal(&before, &behind, sizeof(before));
    proof_place_close(&p);
}

static int enter(ProofPlace *p, int64_t team, const char *name, unsigned char fill, Err *err)
{
    Key lot;

    memset(lot.bytes, fill, sizeof(lot.bytes));
    const Key entry = key_of_lot_entry(str_of(name), &lot);
    return lot_enter(p->db, team, STAGE, &entry, PROOF_NOW, err);
}

static int open_lot(ProofPlace *p, int64_t team, unsigned char fill, int64_t now_ms, Err *err)
{
    Key lot;

    memset(lot.bytes, fill, sizeof(lot.bytes));
    return lot_open(p->db, team, STAGE, &lot, now_ms, err);
}

/* B.1: alice 32 x 00, bob 32 x 11 give these lots. */
static void lots_go_their_way(void **state)
{
    ProofPlace p;
    LotsState stand;
    bool settled = true;
    Err err = {0};
    char hex[KEY_HEX_BYTES];
    CLEANUP(buf_done) Buf names = {0};
    CLEANUP(buf_done) Buf lots = {0};
    CLEANUP(buf_done) Buf beacon = {0};

    open_contest(state, &p);
    const int64_t bob = proof_team(&p, "bob"), alice = proof_team(&p, "alice");
    assert_int_equal(enter(&p, bob, "bob", 0x77, NULL), 0);
    assert_int_equal(enter(&p, bob, "bob", 0x11, NULL), 0); /* another in its place */
    assert_int_equal(enter(&p, alice, "alice", 0, NULL), 0);
    assert_last_line(&p, "{\"at\":\"2027-02-02T00:00:00.000Z\",\"entry\":\"e93e2ca2bdba43297f9d3d7f"
                         "b537877d597228e4953e4aedb3dd737fb46f42d7\",\"n\":6,\"stage\":"
                         "\"preliminary\",\"team\":\"alice\",\"type\":\"lot\"}");
    /* Nobody may open one before the versions are fixed. */
    assert_int_equal(open_lot(&p, alice, 0, PROOF_NOW, &err), ERR_RULE);
    assert_non_null(strstr(err.msg, "keep it secret"));
    assert_int_equal(lots_settle(p.db, p.place.id, STAGE, PROOF_NOW, &settled, NULL), 0);
    assert_false(settled);
    assert_int_equal(lots_close(p.db, p.place.id, STAGE, STR("draw of the lottery"), LOT_WINDOW_MS,
                                PROOF_NOW, NULL),
                     0);
    assert_int_equal(lots_close(p.db, p.place.id, STAGE, STR("another"), 5, PROOF_NOW, NULL), 0);
    /* ... and enter none behind that. */
    assert_int_equal(enter(&p, alice, "alice", 1, NULL), ERR_RULE);
    assert_int_equal(open_lot(&p, alice, 1, PROOF_NOW + 1, NULL), ERR_RULE); /* not the one */
    assert_int_equal(open_lot(&p, alice, 0, PROOF_NOW + 1, NULL), 0);
    assert_int_equal(open_lot(&p, alice, 0, PROOF_NOW + 1, NULL), ERR_RULE); /* twice */
    assert_int_equal(open_lot(&p, bob, 0x11, PROOF_NOW + 2, NULL), 0);
    assert_int_equal(lots_state(p.db, p.place.id, STAGE, &stand, NULL), 0);
    assert_true(stand.closed && !stand.settled && stand.beacon_missing);
    assert_int_equal(stand.entered, 2);
    assert_int_equal(stand.opened, 2);
    assert_int_equal(lots_settle(p.db, p.place.id, STAGE, PROOF_NOW + 3, &settled, NULL), 0);
    assert_false(settled);
    assert_int_equal(
        beacon_tell(p.db, p.place.id, STAGE, STR("2027-08-18 12345678"), PROOF_NOW + 3, NULL), 0);
    assert_int_equal(beacon_tell(p.db, p.place.id, STAGE, STR("x"), PROOF_NOW + 3, NULL), ERR_RULE);
    assert_int_equal(lots_settle(p.db, p.place.id, STAGE, PROOF_NOW + 4, &settled, NULL), 0);
    assert_true(settled);
    assert_last_line(&p, "\"lots\":{\"alice\":\"00000000");
    const uint64_t entries = proof_entries(&p);
    assert_int_equal(lots_settle(p.db, p.place.id, STAGE, PROOF_NOW + 5, &settled, NULL), 0);
    assert_true(settled && proof_entries(&p) == entries);
    assert_int_equal(lots_read(p.db, p.place.id, STAGE, &names, &lots, &beacon, NULL), 0);
    const Key all =
        key_of_lots((const NamedKey *)(const void *)lots.bytes, lots.len / sizeof(NamedKey));
    key_to_hex(&all, hex);
    assert_string_equal(hex, "c13fa4fd0bd23b410eabd6bcecb76063f6d126f5fd4e5e8691c4840dd877f296");
    assert_string_equal(buf_cstr(&beacon), "2027-08-18 12345678");
    Key secret;
    for (unsigned i = 0; i < KEY_BYTES; i++)
        secret.bytes[i] = (unsigned char)i;
    const Key key = key_of_stage_with(&secret, p.place.name, STAGE, &all, buf_str(&beacon));
    key_to_hex(&key, hex);
    assert_string_equal(hex, "821754f720f806bbaa7cbc5da9d4ba2cb4388b64bcdb226067d0ceb52fded788");
    proof_place_close(&p);
}

static void an_unopened_lot_counts_as_zeros_and_is_named(void **state)
{
    ProofPlace p;
    bool settled = true;
    Err err = {0};
    CLEANUP(buf_done) Buf names = {0};
    CLEANUP(buf_done) Buf lots = {0};

    open_contest(state, &p);
    const int64_t bob = proof_team(&p, "bob"), eve = proof_team(&p, "eve");
    assert_int_equal(enter(&p, bob, "bob", 0x11, NULL), 0);
    assert_int_equal(enter(&p, eve, "eve", 0x22, NULL), 0);
    assert_int_equal(lots_close(p.db, p.place.id, STAGE, STR(""), LOT_WINDOW_MS, PROOF_NOW, NULL),
                     0);
    assert_int_equal(open_lot(&p, bob, 0x11, PROOF_NOW + LOT_WINDOW_MS, NULL), 0);
    assert_int_equal(
        lots_settle(p.db, p.place.id, STAGE, PROOF_NOW + LOT_WINDOW_MS, &settled, NULL), 0);
    assert_false(settled);
    assert_int_equal(lots_read(p.db, p.place.id, STAGE, &names, &lots, NULL, NULL), ERR_RULE);
    assert_int_equal(open_lot(&p, eve, 0x22, PROOF_NOW + LOT_WINDOW_MS + 1, &err), ERR_RULE);
    assert_non_null(strstr(err.msg, "is over"));
    assert_int_equal(
        lots_settle(p.db, p.place.id, STAGE, PROOF_NOW + LOT_WINDOW_MS + 1, &settled, NULL), 0);
    assert_true(settled);
    assert_last_line(&p, "\"eve\":null}");
    assert_int_equal(lots_read(p.db, p.place.id, STAGE, &names, &lots, NULL, NULL), 0);
    assert_int_equal(lots.len, 2 * sizeof(NamedKey));
    const NamedKey *list = (const NamedKey *)(const void *)lots.bytes;
    assert_true(list[0].there && !list[1].there && str_eq(list[1].name, STR("eve")));
    proof_place_close(&p);
}

static void lots_are_of_stages_that_take_them(void **state)
{
    ProofPlace p;
    const Key entry = {{1}};

    open_contest(state, &p);
    const int64_t bob = proof_team(&p, "bob");
    const uint64_t entries = proof_entries(&p);
    assert_int_equal(lot_enter(p.db, bob, STR("testing"), &entry, PROOF_NOW, NULL), ERR_RULE);
    assert_int_equal(lot_enter(p.db, bob, STR("nonsense"), &entry, PROOF_NOW, NULL), ERR_RULE);
    assert_int_equal(lot_enter(p.db, bob + 999, STAGE, &entry, PROOF_NOW, NULL), ERR_RULE);
    assert_true(proof_entries(&p) == entries);
    assert_int_equal(lot_enter(p.db, bob, STR("evaluation"), &entry, PROOF_NOW, NULL), 0);
    proof_place_close(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        ON_BOTH(secrets_are_drawn_committed_to_and_told_once),
        ON_BOTH(a_failed_opening_is_made_again),
        ON_BOTH(lots_go_their_way),
        ON_BOTH(an_unopened_lot_counts_as_zeros_and_is_named),
        ON_BOTH(lots_are_of_stages_that_take_them),
    };

    return cmocka_run_group_tests(tests, site_server_set_up, site_server_tear_down);
}
