/* mind_files.h - where what models decided in a game of an AIWolf division is kept.
 *
 * For:    site_mind.c, mind_swing.c; game_file.c, which says in a document that there is something.
 * Memory: a text is appended to the caller's Buf.
 * Thread: any; the catalogue does not change.
 * Source: docs/spec/models.md 2, docs/web.md: of a folder of --out
 * minds/AGENT/STAGE-SET-SEAT.jsonl; in the natural-language division minds/AGENT.jsonl beside the
 * folder of the logs, or in it, where that is what --record-minds was told.
 */
#ifndef WARG_WEB_MIND_FILES_H
#define WARG_WEB_MIND_FILES_H

#include "web/catalogue.h"
#include "web/mind_doc.h"

typedef struct MindFiles {
    const Catalogue *catalogue;
    const CatalogueGame *game; /* of a contest, no session */
} MindFiles;

/* Whether there is one of any seat. */
bool mind_files_any(const MindFiles *files);
/* Appends a seat's: what it decided, or with `prompts` what it was sent, where that is a file of
 * its own. Nothing when there is none, or it can't be read. */
void mind_files_read(const MindFiles *files, SeatNo seat, bool prompts, Buf *out);
/* Which game of its set's files this one is, from 1: a set's agents play on with one file. */
uint64_t mind_files_part(const MindFiles *files);
/* Both, for mind_doc_write; its document and prices are the caller's. Borrows `files`. */
MindSource mind_files_source(MindFiles *files);

#endif
