/* backup.h - a whole site as a folder, made while it runs; and a site out of such a folder.
 *
 * For:    `warg contest backup` and `restore`.
 * Memory: none is kept.
 * Thread: any but the store's: each opens the store itself.
 * Source: docs/spec/contest-operations.md 16.3, O42.
 *
 *     TO/backup.json     when, by which version, how long each ledger was and its root
 *     TO/manifest.json   digests of all files
 *     TO/site.db         the store, as SQLite, whatever it is
 *     TO/contests/ secrets/ blobs/ trees/
 *
 * The store is copied first, as it is at one moment; journals grow and are copied behind it, each
 * before its logs: so all that the store knows of is there. Ledgers are written out of the copy.
 * A tree or a file of a version, or an output, may leave meanwhile: it is in the backup whole or
 * not at all.
 * What is never changed is linked where both are on one disk. A backup holds all secrets: 0700.
 */
#ifndef WARG_SITE_BACKUP_H
#define WARG_SITE_BACKUP_H

#include "base/err.h"

#include <stdint.h>

typedef struct BackupSetup {
    const char *store; /* as site_store_open has it */
    const char *data;
    const char *folder; /* of the backup */
    int64_t now_ms;
} BackupSetup;

/* Makes setup->folder, whole or not at all. Errors: ERR_USAGE when it is there; those of the store
 * and the disk. */
int site_backup(const BackupSetup *setup, Err *err);

/* Fills setup->data, which must not be there or be empty, and setup->store, out of setup->folder;
 * jobs that were under way are put again. Errors: ERR_USAGE for places that hold something;
 * ERR_RULE when a file is not as it was, or a ledger is not what its checkpoint signs: nothing is
 * left then but, on a server, rows; those of the store and the disk. */
int site_restore(const BackupSetup *setup, Err *err);

#endif
