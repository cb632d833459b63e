/* game_file.h - the document of a game that lies in a file.
 *
 * For:    the server's documents, `warg export`.
 * Memory: documents and texts are the caller's.
 * Thread: any.
 * Source: docs/spec/web.md 4.5 (limits).
 */
#ifndef WARG_WEB_GAME_FILE_H
#define WARG_WEB_GAME_FILE_H

#include "record/game_doc.h"
#include "web/catalogue.h"

#define GAME_DOC_BYTES_MAX ((size_t)32 * 1024 * 1024)

/* Reads an open log, or a session's record, packed or not, from where it stands. `name` is named in
 * errors. Errors: those of log_file_read. */
int game_file_text(int file, const char *name, Buf *ret_text, Err *err);

/* The document of a game of the catalogue, with its ID, its contest and its faults. Errors: those
 * of catalogue_open, game_file_text and game_doc_read. */
int game_file_read(const Catalogue *catalogue, const CatalogueGame *game, int file,
                   GameDoc **ret_doc, Err *err);

/* Appends the document. Errors: ERR_LIMIT when it has more than GAME_DOC_BYTES_MAX bytes,
 * ERR_MEMORY. */
int game_file_write(const GameDoc *doc, const DocView *view, Buf *out, Err *err);

#endif
