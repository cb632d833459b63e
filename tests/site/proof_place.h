/* proof_place.h - a contest with a ledger in a data folder, on either store.
 *
 * For:    tests of proof on the site. Include it in place of site_places.h.
 * Memory: a folder for each test; removed by its end.
 * Thread: the test's.
 * Source: docs/spec/contest-operations.md 11, O41.
 */
#ifndef WARG_TESTS_PROOF_PLACE_H
#define WARG_TESTS_PROOF_PLACE_H

#include "site_places.h"

#include "site/contest_home.h"
#include "site/site_ledger.h"
#include "store/db_row.h"

#include <stdlib.h>

#define PROOF_NOW    INT64_C(1801526400000)
#define PROOF_ORIGIN "example.org/warg/cup2027"

typedef struct ProofPlace {
    Db *db;
    char data[64];
    ContestHome place;
    int64_t account;
} ProofPlace;

static inline int64_t proof_id(Db *db, const char *sql)
{
    int64_t id = 0;
    Err err = {0};

    if (db_ask(db, 0, &id, &err, sql, ""))
        fail_msg("%s: %s", sql, err.msg);
    return id;
}

/* A contest that has opened, without any entry. */
static inline void proof_place_open(void **state, ProofPlace *ret)
{
    char folder[96];
    Err err = {0};

    *ret = (ProofPlace){.db = site_place_open(state)};
    snprintf(ret->data, sizeof(ret->data), "/tmp/warg-proof-XXXXXX");
    assert_non_null(mkdtemp(ret->data));
    ret->account =
        proof_id(ret->db, "INSERT INTO account(login, created) VALUES('olga', 1) RETURNING id");
    ret->place =
        (ContestHome){proof_id(ret->db, "INSERT INTO contest(name, state, file, digest, changed)"
                                        " VALUES('cup2027', 'OPEN', '', '', 1) RETURNING id"),
                      STR("cup2027"), ret->data};
    snprintf(folder, sizeof(folder), "mkdir -p %s/contests/cup2027", ret->data);
    assert_int_equal(system(folder), 0);
    if (site_ledger_begin(ret->db, &ret->place, STR(PROOF_ORIGIN), &err))
        fail_msg("%s", err.msg);
}

static inline void proof_place_close(ProofPlace *place)
{
    char command[96];

    place->db = db_close(place->db);
    snprintf(command, sizeof(command), "rm -rf '%s'", place->data);
    assert_int_equal(system(command), 0);
}

static inline int64_t proof_team(ProofPlace *place, const char *name)
{
    int64_t id = 0;

    assert_int_equal(db_ask(place->db, 0, &id, NULL,
                            "INSERT INTO team(contest, name, state, created)"
                            " VALUES(?1, ?2, 'IN', 1) RETURNING id",
                            "it", place->place.id, str_of(name)),
                     0);
    return id;
}

static inline uint64_t proof_entries(ProofPlace *place)
{
    uint64_t size = 0;

    assert_int_equal(site_ledger_size(place->db, place->place.id, &size, NULL), 0);
    return size;
}

/* The last line, without its newline. */
static inline void proof_last_line(ProofPlace *place, Buf *line)
{
    const uint64_t size = proof_entries(place);

    buf_clear(line);
    assert_int_equal(
        site_ledger_lines(place->db, place->place.id, size - 1, size, 1 << 20, line, NULL), 0);
    assert_true(line->len > 1);
    buf_cut(line, line->len - 1);
}

static inline void assert_last_line(ProofPlace *place, const char *part)
{
    CLEANUP(buf_done) Buf line = {0};
    size_t at;

    proof_last_line(place, &line);
    if (!str_find(buf_str(&line), str_of(part), &at))
        fail_msg("'%s' is not in %s", part, buf_cstr(&line));
}

#endif
