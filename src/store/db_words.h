/* db_words.h - statements as this program writes them, in the words of a database.
 *
 * For:    this folder: migrations (types) and PostgreSQL's parameters.
 * Memory: appended to a Buf.
 * Thread: pure.
 * Source: docs/spec/contest-operations.md 12.
 */
#ifndef WARG_STORE_DB_WORDS_H
#define WARG_STORE_DB_WORDS_H

#include "base/buf.h"

/* Types of columns: ID, and for a server INT, REAL, BLOB; STRICT is SQLite's alone. What stands in
 * quotes is left as it is. */
void db_words_translate(Str sql, bool server, Buf *out);
/* ?1 becomes $1, outside of quotes. */
void db_words_number(Str sql, Buf *out);

#endif
