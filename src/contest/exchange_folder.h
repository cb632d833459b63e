/* exchange_folder.h - the exchange records in a folder of --out: where each is, by which key it was
 *                     played, whether it gives the game's log.
 *
 * For:    `warg log check DIR`, `warg log exchange`, audits.
 * Memory: an ExchangeFolder owns its plan, keys and buffers.
 * Thread: one at a time; several may read one folder, each with an ExchangeFolder.
 * Source: docs/spec/contest-operations.md 11.4, 11.5 (exchange = log = digests).
 *
 * Keys come from the journal once they are published, else from DIR/secret, for who may read it;
 * only what fits its commitment is taken.
 */
#ifndef WARG_CONTEST_EXCHANGE_FOLDER_H
#define WARG_CONTEST_EXCHANGE_FOLDER_H

#include "match/plan.h"
#include "record/exchange_replay.h"

#define EXCHANGE_KEYS_MAX 100000u

/* Of one part, counted by keys; where one key is that of all stages it is the first. */
typedef struct FolderKeys {
    Key commitments[STAGES_MAX];
    Key keys[STAGES_MAX];
    bool known[STAGES_MAX];
} FolderKeys;

/* Open, for reading. Zero it first. */
typedef struct ExchangeFolder {
    const char *dir; /* borrowed */
    Plan plan;
    bool has_plan; /* else `plan_error` says why it could not be read */
    Err plan_error;
    FolderKeys *keys; /* of a plan with a key: one, or one for each part of a server */
    uint32_t key_count;
    uint64_t records; /* games with an exchange record */
    uint64_t without; /* games with outside agents that have none */
    Buf record_text;  /* of the game that was checked last */
    Buf log_text;
} ExchangeFolder;

/* Reads the journal of `dir`. Errors: those of journal_read and plan_read; ERR_RULE for a key that
 * is another than the one committed to. */
int exchange_folder_open(ExchangeFolder *folder, const char *dir, Err *err);
/* The same by those lines of its journal that say how it is played, its plan first: the others are
 * not read, and games are not counted. */
int exchange_folder_open_lines(ExchangeFolder *folder, const char *dir, Str lines, Err *err);
void exchange_folder_done(ExchangeFolder *folder); /* also for CLEANUP */

/* The key of the game whose record begins so; false while it is not known. */
bool exchange_folder_key(const ExchangeFolder *folder, const ExchangeHeader *header,
                         GameKey *ret_key);

/* One game of the journal: its files have the digests of its line, the record is of this game and
 * these agents, and with the key gives the log. `ret_path`: of the file that the finding is about,
 * in the folder. Errors: ERR_MEMORY, ERR_RULE as exchange_check. */
int exchange_folder_check_game(ExchangeFolder *folder, const GameRecord *record,
                               char ret_path[static GAME_LOG_MAX + 1], ExchangeFinding *ret,
                               bool *ret_secret, Err *err);

/* What came of all games. */
typedef struct ExchangeCounts {
    uint64_t ok;
    uint64_t bad;
    uint64_t secret;  /* not checked: their key is not known */
    uint64_t without; /* games with outside agents, without a record */
} ExchangeCounts;

/* Hears each game that was checked: the path of the record, or of the log that contradicts. */
typedef void ExchangeHeard(void *user, const char *path, const ExchangeFinding *finding);

/* All games of the folder, in the order of the journal. Errors: as above. */
int exchange_folder_check(ExchangeFolder *folder, ExchangeHeard *heard, void *user,
                          ExchangeCounts *ret, Err *err);

/* Finds a record: a file of exchange/ or logs/, or DIR/GAME, DIR/STAGE/GAME. Appends the path, and
 * the folder's, empty when there is none around it.
 * Errors: ERR_USAGE that says what was looked for; those of journal_read. */
int exchange_folder_find(const char *what, Buf *ret_path, Buf *ret_dir, Err *err);

#endif
