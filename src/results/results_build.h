/* results_build.h - results.db as it is made: from a journal, or from games of anywhere.
 *
 * For:    results.c, which opens what is there and asks it; results_all.c, log_folder.c.
 * Memory: a ResultsMaker owns its database until results_maker_end.
 * Thread: one at a time.
 * Source: results/results.h says what is in the tables, results/results_sql.h how they are made.
 */
#ifndef WARG_RESULTS_RESULTS_BUILD_H
#define WARG_RESULTS_RESULTS_BUILD_H

#include "results/results.h"

/* DIR/NAME. */
int results_path(const char *dir, const char *name, Buf *ret_path, Err *err);

/* Makes DIR/results.db anew from DIR/journal.jsonl (into a temporary file, then renamed;
 * those of processes that are gone are removed). Errors: those of journal_read and db_open;
 * ERR_SYNTAX for a game that is there twice. */
int results_build(const char *dir, Err *err);

/* The same in a database that goes when it is closed, for a folder that can't be written. Errors:
 * those of journal_read. */
int results_build_apart(const char *dir, Db **ret_db, Err *err);

#define RESULTS_CRC_BYTES 9 /* eight digits and the NUL */

/* The CRC-32 of the journal's first `bytes` bytes, by which a journal that was replaced or damaged
 * anywhere is known; "" when there are fewer. All of it is read: that costs a second for some
 * gigabytes, and no table stands on results that the journal does not bear out. */
void results_journal_crc(int fd, uint64_t bytes, char ret_crc[static RESULTS_CRC_BYTES]);

/* Results of games from anywhere, in a database that goes when it is closed. results_maker_end
 * hands it over; until then the maker owns it. Games need numbers that differ within their stage.
 */
typedef struct ResultsMaker ResultsMaker;
int results_maker_new(ResultsMaker **ret_maker, Err *err);
void results_maker_freep(ResultsMaker **maker);
Db *results_maker_db(const ResultsMaker *maker);
/* Errors: ERR_SYNTAX for a game that is there already; ERR_IO, ERR_MEMORY. */
int results_maker_add(ResultsMaker *maker, const GameRecord *record, Err *err);
/* `plan` as a journal has it; it names the stages. `complete`: played to its end. */
int results_maker_end(ResultsMaker *maker, Str plan, bool complete, Db **ret_db, Err *err);

#endif
