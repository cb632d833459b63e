/* export.h - games as HTML files that need nothing beside them, and a contest as a folder of them.
 *
 * For:    `warg export`.
 * Memory: texts are the caller's; files are written.
 * Thread: one at a time.
 * Source: docs/spec/web.md 9.2.
 */
#ifndef WARG_WEB_EXPORT_H
#define WARG_WEB_EXPORT_H

#include "record/game_doc.h"
#include "web/assets.h"
#include "web/catalogue.h"

typedef enum ExportLanguage {
    EXPORT_ENGLISH,
    EXPORT_JAPANESE,
    EXPORT_BOTH, /* as the reader's browser has it */
} ExportLanguage;

typedef struct ExportSetup {
    DocView view;
    ExportLanguage language;
    const Catalogue *catalogue;
    const Assets *assets;
    /* A game that could not be written: "NAME: line 3: why". May be NULL. */
    void (*left_out)(void *user, Str why);
    void *user;
} ExportSetup;

/* Appends the page of these documents, which are JSON. Errors: ERR_SYNTAX when the pages' files do
 * not belong together, ERR_MEMORY. */
int export_page(const ExportSetup *setup, const Str *documents, size_t count, Buf *out, Err *err);

/* Appends the page of one game, or of all rounds of a session. Errors: those of game_file_read and
 * export_page; ERR_RULE for a seat that the game does not have. */
int export_game(const ExportSetup *setup, const CatalogueGame *game, Buf *out, Err *err);
int export_session(const ExportSetup *setup, uint32_t session, Buf *out, Err *err);

/* What a command is given: a log, a record, or a folder. `output` may be NULL but for a folder;
 * *ret_what gets a line on what was written. Errors: as below; those of catalogue_check and
 * assets_open; ERR_USAGE without an `output` that is needed; 1 when games of a folder were left
 * out. `setup` needs no catalogue and no assets. */
int export_path(const ExportSetup *setup, const char *path, const char *output, int64_t now_ms,
                Buf *ret_what, Err *err);

/* Writes a page for each game below `dir`, which is made, and pages that lead there: of a contest
 * its report, else a list. Errors: those of results_look, ERR_IO, ERR_MEMORY. */
int export_folder(const ExportSetup *setup, const char *path, const char *dir, uint64_t *ret_games,
                  uint64_t *ret_left_out, Err *err);

#endif
