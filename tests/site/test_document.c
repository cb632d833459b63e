/* test_document.c - what finalists hand in; three reminders, then out.
 *
 * Source: docs/spec/contest-operations.md 5.3, O28. */
#include "proof_place.h"

#include "site/document.h"

#define HOUR ((int64_t)3600 * 1000)
#define DAY  (24 * HOUR)

static int put(ProofPlace *p, int64_t team, DocumentKind kind, const char *media, int64_t bytes)
{
    int64_t number;
    const DocumentSetup setup = {.team = team,
                                 .kind = kind,
                                 .blob = STR("3f1c"),
                                 .media = str_of(media),
                                 .licence = STR("MIT"),
                                 .bytes = bytes};

    CLEANUP(buf_done) Buf drops = {0};

    return document_put(p->db, &setup, PROOF_NOW, &number, &drops, NULL);
}

static void documents_are_taken_and_counted(void **state)
{
    ProofPlace p;
    unsigned missing;
    CLEANUP(buf_done) Buf text = {0};
    Json json = json_over(&text);
    const unsigned both = 1u << DOCUMENT_SOURCE | 1u << DOCUMENT_DESCRIPTION;

    proof_place_open(state, &p);
    const int64_t ann = proof_team(&p, "ann");
    assert_int_equal(documents_missing(p.db, ann, both, &missing, NULL), 0);
    assert_int_equal(missing, both);
    assert_int_equal(put(&p, ann, DOCUMENT_SOURCE, "application/zip", 5), 0);
    assert_int_equal(put(&p, ann, DOCUMENT_SOURCE, "application/zip", 5), 0);
    assert_int_equal(put(&p, ann, DOCUMENT_KINDS, "application/zip", 5), ERR_RULE);
    assert_int_equal(put(&p, ann, DOCUMENT_DESCRIPTION, "text/html", 5), ERR_RULE);
    assert_int_equal(put(&p, ann, DOCUMENT_DESCRIPTION, "text/plain\r\nX: y", 5), ERR_RULE);
    assert_int_equal(
        put(&p, ann, DOCUMENT_DESCRIPTION, "application/pdf", DOCUMENT_DESCRIPTION_BYTES + 1),
        ERR_RULE);
    assert_int_equal(documents_missing(p.db, ann, both, &missing, NULL), 0);
    assert_int_equal(missing, 1u << DOCUMENT_DESCRIPTION);
    assert_int_equal(
        put(&p, ann, DOCUMENT_DESCRIPTION, "text/plain; charset=utf-8", DOCUMENT_DESCRIPTION_BYTES),
        0);
    assert_int_equal(documents_missing(p.db, ann, both, &missing, NULL), 0);
    assert_int_equal(missing, 0);
    assert_int_equal(documents_write(p.db, ann, &json, NULL), 0);
    assert_non_null(strstr(buf_cstr(&text), "\"kind\":\"source\",\"number\":2"));
    proof_place_close(&p);
}

/* A team must not fill the disk that all need. */
static void the_newest_documents_are_kept(void **state)
{
    static const char *const blobs[] = {"b1", "b2", "b1", "b4", "b5", "b6", "b7", "b8"};
    ProofPlace p;
    CLEANUP(buf_done) Buf drops = {0};
    int64_t number;

    proof_place_open(state, &p);
    DocumentSetup setup = {
        .team = proof_team(&p, "ann"), .kind = DOCUMENT_SOURCE, .media = STR("application/zip")};
    for (size_t i = 0; i < sizeof(blobs) / sizeof(blobs[0]); i++) {
        setup.blob = str_of(blobs[i]);
        assert_int_equal(document_put(p.db, &setup, PROOF_NOW, &number, &drops, NULL), 0);
        assert_int_equal(number, i + 1);
        /* b1 is the third one's, too */
        assert_string_equal(buf_cstr(&drops), i < 6 ? "" : i == 6 ? "b2\n" : "b2\nb1\n");
    }
    assert_int_equal(proof_id(p.db, "SELECT COUNT(*) FROM document"), DOCUMENT_KEEP);
    assert_int_equal(proof_id(p.db, "SELECT MIN(number) FROM document"), 4);
    proof_place_close(&p);
}

static void who_lacks_something_is_reminded_three_times_and_out(void **state)
{
    ProofPlace p;
    uint32_t out;
    const int64_t deadline = PROOF_NOW + 10 * DAY;

    proof_place_open(state, &p);
    const int64_t teams[] = {proof_team(&p, "ann"), proof_team(&p, "bob")};
    for (int i = 0; i < 2; i++)
        assert_int_equal(db_run(p.db, NULL,
                                "INSERT INTO member(team, account, captain)"
                                " VALUES(?1, ?2, 1)",
                                "ii", teams[i], p.account),
                         0);
    assert_int_equal(put(&p, teams[0], DOCUMENT_SOURCE, "application/zip", 5), 0);
    for (int64_t now = PROOF_NOW; now < deadline; now += HOUR / 2)
        assert_int_equal(documents_remind(p.db, p.place.id, teams, 2, 1u << DOCUMENT_SOURCE,
                                          deadline, now, NULL),
                         0);
    assert_int_equal(
        proof_id(p.db, "SELECT COUNT(*) FROM notice WHERE kind = 'deadline' AND channel = 'site'"),
        3);
    assert_int_equal(
        documents_enforce(p.db, p.place.id, teams, 2, 1u << DOCUMENT_SOURCE, deadline, &out, NULL),
        0);
    assert_int_equal(out, 1);
    assert_last_line(&p, "\"missing\":\"source\",\"n\":0,\"team\":\"bob\",\"type\":\"out\"}");
    assert_int_equal(proof_id(p.db, "SELECT COUNT(*) FROM team WHERE state = 'OUT'"), 1);
    assert_int_equal(
        documents_enforce(p.db, p.place.id, teams, 2, 1u << DOCUMENT_SOURCE, deadline, &out, NULL),
        0);
    assert_int_equal(out, 0); /* once */
    proof_place_close(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        ON_BOTH(documents_are_taken_and_counted),
        ON_BOTH(the_newest_documents_are_kept),
        ON_BOTH(who_lacks_something_is_reminded_three_times_and_out),
    };

    return cmocka_run_group_tests(tests, site_server_set_up, site_server_tear_down);
}
