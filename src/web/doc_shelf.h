/* doc_shelf.h - documents of games that lie in files: built by workers, kept while they are right.
 *
 * For:    site.c.
 * Memory: a DocShelf owns documents and questions that wait; workers and catalogue are borrowed.
 * Thread: the loop's.
 * Source: docs/spec/web.md 5 (kept compressed, 64 MiB, least recently used goes), 4.2 rule 7, 11.8.
 *
 * Who asks for what is being built already waits for that. A file is looked at for each question:
 * what was built from a file that has changed since is built anew.
 */
#ifndef WARG_WEB_DOC_SHELF_H
#define WARG_WEB_DOC_SHELF_H

#include "record/game_doc.h"
#include "web/catalogue.h"
#include "web/visit.h"
#include "web/work.h"

#define DOC_SHELF_BYTES ((size_t)64 * 1024 * 1024)

typedef struct DocShelf DocShelf;

/* A catalogue that others read, too. */
typedef struct SharedCatalogue {
    Catalogue *catalogue;
    unsigned readers;
} SharedCatalogue;
/* Takes the catalogue; NULL without memory. */
SharedCatalogue *shared_catalogue_new(Catalogue *take_catalogue);
SharedCatalogue *shared_catalogue_use(SharedCatalogue *shared);
/* Frees it with its last reader. Takes NULL. */
void shared_catalogue_leave(SharedCatalogue *shared);

/* NULL without memory. */
DocShelf *doc_shelf_new(Work *work);
/* After work_free, which has dropped all jobs. Takes NULL. */
DocShelf *doc_shelf_free(DocShelf *shelf);

/* Answers with the document, now or later. `saved`: as a file to be kept. */
void doc_shelf_answer(DocShelf *shelf, const WebVisit *visit, SharedCatalogue *shared,
                      const CatalogueGame *game, const DocView *view, bool saved);

/* Another document that is made of a game's record. */
typedef struct DocMaker {
    /* On a worker: appends it. Where it is not for who asks, *ret_shown is false, and nothing is
     * appended. `file` is the record, from its beginning. Errors: the document's. */
    int (*make)(const void *user, const Catalogue *catalogue, const CatalogueGame *game, int file,
                bool is_operator, Buf *out, bool *ret_shown, Err *err);
    const void *user;        /* of all calls; as long as the workers */
    const char *trouble;     /* code of an error, 422 */
    const char *hidden;      /* code of a refusal, 403 */
    const char *hidden_text; /* the same in words */
} DocMaker;
/* Answers with it, now or later. Borrowed: the maker, as long as the shelf; one for each shelf. */
void doc_shelf_answer_made(DocShelf *shelf, const WebVisit *visit, SharedCatalogue *shared,
                           const CatalogueGame *game, const DocMaker *maker);

/* Bytes that are kept, and how many documents were built. */
size_t doc_shelf_bytes(const DocShelf *shelf);
uint64_t doc_shelf_built(const DocShelf *shelf);

#endif
