/* faulty_db.h - a store in which one kind of statement fails, as in a server or on a disk that can
 * answer some and not others.
 *
 * For:    tests of what must not be taken for "there is nothing". Include it behind cmocka.
 * Memory: one store at a time.
 * Thread: the test's.
 * Source: docs/spec/contest-operations.md 12: an error inside of a transaction undoes it.
 */
#ifndef WARG_TESTS_FAULTY_DB_H
#define WARG_TESTS_FAULTY_DB_H

#include <string.h>

#include "store/db_own.h"

static const DbDriver *faulty_db_whole;
static const char *faulty_db_words;
static unsigned faulty_db_failed;

/* It fails in the database, so that a server's transaction is lost, too. */
static inline int faulty_db_query(Db *db, const char *sql, DbQuery **ret_query, Err *err)
{
    if (!strstr(sql, faulty_db_words))
        return faulty_db_whole->query(db, sql, ret_query, err);
    faulty_db_failed++;
    return faulty_db_whole->query(db, "SELECT nothing FROM nowhere", ret_query, err);
}

/* From now on statements with these words fail; how many did is in `faulty_db_failed`. */
static inline void faulty_db_begin(Db *db, const char *words)
{
    static DbDriver driver;

    faulty_db_whole = db->driver;
    faulty_db_words = words;
    faulty_db_failed = 0;
    driver = *db->driver;
    driver.query = faulty_db_query;
    db->driver = &driver;
}

static inline void faulty_db_end(Db *db)
{
    db->driver = faulty_db_whole;
    assert_true(faulty_db_failed);
}

#endif
