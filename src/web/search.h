/* search.h - utterances and names of all games of a site, found by a part of their text.
 *
 * For:    site.c.
 * Memory: a Search owns its indexes and questions that wait; workers and catalogues are borrowed,
 *         catalogues while they are read.
 * Thread: the loop's; filling and finding is the workers'.
 * Source: docs/spec/web.md 9.3: an index beside the logs, made on demand by a worker.
 *
 * Each path that is served has an index of its own, in DIR/search.db. The first question has them
 * filled, and waits for that as long as few games are missing; later ones are answered with what is
 * there, and say that more comes. Games that come are added behind the next question.
 */
#ifndef WARG_WEB_SEARCH_H
#define WARG_WEB_SEARCH_H

#include "web/doc_shelf.h"
#include "web/visit.h"
#include "web/work.h"

#define SEARCH_BATCH   20  /* games that a worker adds at a time */
#define SEARCH_PATIENT 400 /* games that a question waits for */
#define SEARCH_WAITING 16  /* questions at a time */

typedef struct Search Search;

/* What is asked of whom. Borrowed for the call. */
typedef struct SearchPlace {
    SharedCatalogue *shared;
    const CatalogueSetup *paths; /* the same for the life of the Search */
    bool names_hidden;           /* from all but operators */
    int64_t until_ms;            /* games that ended later are told to operators only */
    /* Whether nobody but operators may see how a game ended; may be NULL. Until the answer. */
    bool (*is_hidden)(void *user, Str id);
    void *user;
} SearchPlace;

/* NULL without memory. */
Search *search_new(Work *work);
/* After work_free, which has dropped all jobs. Takes NULL, returns NULL. */
Search *search_free(Search *search);

/* Answers with JSON, now or later: {"hits":[{"game","a","day","seat","name","agent","role","kind",
 * "text"}],"next":"50","total":213,"more":true,"building":true}. `q`: terms that are all in the
 * text; `in`: "talk", "names" or a contest; `contest`, `team`, `role`, `day`, `after`. */
void search_answer(Search *search, const WebVisit *visit, const SearchPlace *place);

/* Games that were added since the start. */
uint64_t search_added(const Search *search);

#endif
