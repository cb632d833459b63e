/* search_index.h - utterances and names of games, as a database that finds a part of a text.
 *
 * For:    search.c. To change a table: count SEARCH_SCHEMA up; older files are made anew.
 * Memory: a SearchIndex owns its database. Hits own their texts.
 * Thread: one at a time, but for search_index_wants: any may say that it waits.
 * Source: docs/spec/web.md 9.3; sqlite.org/fts5.html (trigram tokenizer, contentless tables).
 *
 * A text that was said often stands there once, with a line for each time: protocol games have some
 * thousand sentences in all. What has three letters or more is found by the trigram tokenizer
 * anywhere in a text. That can't find less, and Japanese words often have two: a second index has
 * of each text all pairs of neighbouring characters, and words of ASCII letters, which a short term
 * begins.
 *
 *     game(id, name, contest, at_ms, mark, gone)      name: its ID
 *     text(id, text), tri: FTS5 of text by trigrams, pair: FTS5 of pairs and words
 *     line(text, game, n, seat, day, role, kind, anchor, agent, name)
 */
#ifndef WARG_WEB_SEARCH_INDEX_H
#define WARG_WEB_SEARCH_INDEX_H

#include "base/buf.h"
#include "base/err.h"
#include "game/role.h"

#define SEARCH_FILE        "search.db"
#define SEARCH_SCHEMA      1
#define SEARCH_HITS        50    /* on a page */
#define SEARCH_QUERY_BYTES 256   /* of a question; longer ones are refused */
#define SEARCH_TERMS       8     /* more are left out */
#define SEARCH_COUNT_MAX   10000 /* counted; of more it is said that there are more */
#define SEARCH_GAMES_MAX   20000 /* the newest ones of a folder; others are left out */

typedef struct SearchIndex SearchIndex;

typedef enum SearchKind {
    SEARCH_TALK,
    SEARCH_NAME,  /* of a seat in its game */
    SEARCH_AGENT, /* who played there: not told where names are hidden */
} SearchKind;

/* Opens or makes the file; NULL = one that goes when it is closed, and so is one that is somebody
 * else's, or can't be written. Errors: ERR_IO, ERR_MEMORY. */
int search_index_open(const char *path, SearchIndex **ret_index, Err *err);
SearchIndex *search_index_free(SearchIndex *index); /* takes NULL, returns NULL */
void search_index_freep(SearchIndex **index);
/* Whether it is kept in a file. */
bool search_index_is_kept(const SearchIndex *index);

/* ---- filling ---- */

/* A game that is over. Borrowed for the call. */
typedef struct SearchGame {
    Str name;    /* its ID */
    Str contest; /* its contest's ID; empty = none */
    int64_t at_ms;
    uint64_t mark; /* changes when its log does */
} SearchGame;

/* Whether it is there, with this mark. Errors: ERR_IO. */
int search_index_has(SearchIndex *index, Str name, uint64_t mark, bool *ret_has, Err *err);
/* Adds a game by its document of view `public` with names (record/game_doc.h); one that is there
 * already is replaced. A document of a game that is not over adds nothing. Errors: ERR_SYNTAX for
 * what is no document, ERR_IO, ERR_MEMORY. */
int search_index_add(SearchIndex *index, const SearchGame *game, Str document, Err *err);
/* Notes a game of which nothing can be found, so that nobody tries again. */
int search_index_skip(SearchIndex *index, const SearchGame *game, Err *err);
/* Between the two all that is added comes to disk at once. */
int search_index_begin(SearchIndex *index, Err *err);
int search_index_commit(SearchIndex *index, Err *err);
/* Games that `keeps` does not know are not found any more. */
int search_index_keep(SearchIndex *index, bool (*keeps)(void *user, Str name), void *user,
                      Err *err);
/* How many games can be found, and lines. Errors: ERR_IO. */
int search_index_count(SearchIndex *index, uint64_t *ret_games, uint64_t *ret_lines, Err *err);

/* ---- asking ---- */

typedef struct SearchAsk {
    Str query;
    Str contest; /* empty = any */
    Str team;    /* whose agent spoke; empty = any */
    Role role;   /* ROLE_NONE = any */
    int32_t day; /* -1 = any */
    bool talk;   /* utterances */
    bool names;  /* names */
    bool agents; /* who played may be told */
    int64_t until_ms;
    uint32_t from; /* the first hit, from 0 */
} SearchAsk;

typedef struct SearchHit {
    int64_t at_ms; /* when its game ended */
    uint32_t game; /* where texts begin in `texts`, each ends in a NUL */
    uint32_t anchor, name, agent, text;
    uint32_t n; /* of the line in its game */
    uint16_t day;
    SeatNo seat;
    Role role;
    SearchKind kind;
} SearchHit;

/* Open for reading; zero it before. */
typedef struct SearchHits {
    SearchHit *items;
    size_t count, room;
    Buf texts;
    uint64_t total; /* of one index at most SEARCH_COUNT_MAX + 1 */
    bool is_more;   /* older games were not looked at: there may be more than `total` */
} SearchHits;

void search_hits_done(SearchHits *hits); /* also for CLEANUP */

/* Appends up to from + SEARCH_HITS + 1 hits, the game that was added last in front, so that hits of
 * several indexes can be put together. A question without a letter finds nothing. Errors: ERR_LIMIT
 * for one that is too long, ERR_IO, ERR_MEMORY. */
int search_index_find(SearchIndex *index, const SearchAsk *ask, SearchHits *hits, Err *err);

/* ---- words, for tests ---- */

/* Appends the pairs and words of a text, a blank between. */
void search_pairs(Str text, Buf *out);

#endif
