/* catalogue.h - which games, contests and sessions some paths hold.
 *
 * For:    site.c: IDs are looked up here, and are never a part of a path.
 * Memory: a Catalogue owns all its texts and does not change: a new one takes its place.
 * Thread: catalogue_scan one at a time per `before`; reading any.
 * Source: docs/spec/web.md 3 (IDs), 11.7.
 *
 * A path is a log file, a folder, or a folder of `--out`. Folders are looked through two levels
 * deep; hidden names, links and what is neither file nor folder are left out. Of a folder with a
 * journal its games are those of the journal. What a folder holds beside logs is never told.
 */
#ifndef WARG_WEB_CATALOGUE_H
#define WARG_WEB_CATALOGUE_H

#include "base/buf.h"
#include "record/game_record.h"

#define CATALOGUE_ID_MAX    200
#define CATALOGUE_FILES_MAX 100000  /* log files of folders */
#define CATALOGUE_GAMES_MAX 1000000 /* of journals, and all together */
#define CATALOGUE_PATHS_MAX 1000

typedef struct Catalogue Catalogue;

#define CATALOGUE_NONE UINT32_MAX

/* Who sat at a seat: texts of the catalogue, by catalogue_text. */
typedef struct CatalogueSeat {
    uint32_t agent;
    uint32_t team; /* 0 = none */
    int32_t points;
    uint8_t role;
} CatalogueSeat;

/* A game. */
typedef struct CatalogueGame {
    Str id;
    Str name; /* its file's, for people */
    bool has_log;
    Str path; /* of it in its root; empty = the root is the file */
    Str json; /* path of a JSON log of the same game; empty = none */
    uint32_t root;
    uint32_t contest; /* or CATALOGUE_NONE */
    uint32_t session; /* or CATALOGUE_NONE */
    uint32_t round;   /* of a session, from 0 */
    int64_t began_ms; /* 0 = not told */
    int64_t at_ms;    /* when it ended, or its file was written; Unix time */
    /* What follows is told by a journal, or a session's record. */
    bool told;
    bool is_void;
    GameDivision division;
    Side winner;
    EndReason reason;
    uint16_t last_day;
    uint32_t stage;
    uint64_t set;
    uint64_t game;
    uint32_t faults;
    uint32_t ruleset; /* a text */
    SeatNo seat_count;
    uint32_t seats; /* where they begin: catalogue_seat */
} CatalogueGame;

/* A folder with a journal. */
typedef struct CatalogueContest {
    Str id;
    Str name;   /* as its plan says, or its folder's */
    Str folder; /* its path in the root; empty = the root itself */
    uint32_t root;
    GameDivision division; /* of its last game; DIVISION_COUNT without one */
    uint64_t games;        /* that count */
    uint64_t planned;      /* 0 = not told */
    uint32_t pace_games;   /* its last ones, as far as they say how fast it goes */
    int64_t pace_from_ms;  /* the end of the first of those */
    bool complete;         /* played to its end */
    int64_t began_ms;      /* 0 = not told */
    int64_t ended_ms;      /* of its last game */
    Str trouble;           /* why its journal could not be read to the end; empty = it could */
} CatalogueContest;

/* A MAW session. */
typedef struct CatalogueSession {
    Str id;
    Str name;
    Str path; /* of its record */
    uint32_t root;
    uint32_t contest; /* of its journal, or CATALOGUE_NONE */
    uint32_t rounds;  /* that are over */
    int64_t at_ms;
} CatalogueSession;

/* What is looked through. Borrowed for the calls. */
typedef struct CatalogueSetup {
    const char *const *paths;
    size_t count;
} CatalogueSetup;

/* Whether all paths are there. Errors: ERR_IO that names one. */
int catalogue_check(const CatalogueSetup *setup, Err *err);

/* Looks through all. `before` may be NULL; what of it has not changed is not read again. When
 * nothing has, *ret_catalogue is NULL. `now_ms`: Unix time. What can't be read is left out. Errors:
 * ERR_MEMORY. */
int catalogue_scan(const CatalogueSetup *setup, const Catalogue *before, int64_t now_ms,
                   Catalogue **ret_catalogue, Err *err);
Catalogue *catalogue_free(Catalogue *catalogue); /* takes NULL, returns NULL */

/* Newest first; games of a contest that end less than a second apart by their numbers. */
size_t catalogue_count(const Catalogue *catalogue);
const CatalogueGame *catalogue_game(const Catalogue *catalogue, size_t index);
CatalogueSeat catalogue_seat(const Catalogue *catalogue, const CatalogueGame *game, SeatNo seat);
Str catalogue_text(const Catalogue *catalogue, uint32_t text);

/* The game of an ID, or of its bytes before they were encoded; NULL when there is none. */
const CatalogueGame *catalogue_find(const Catalogue *catalogue, Str id);

/* In the order in which they were found; games refer to them by index. */
size_t catalogue_contest_count(const Catalogue *catalogue);
const CatalogueContest *catalogue_contest(const Catalogue *catalogue, size_t index);
/* Milliseconds that what is left takes, of so many games that were `played`, at the pace of the
 * last ones; -1: not known, or nothing is played any more at `now_ms` (Unix time). */
int64_t catalogue_time_left(const CatalogueContest *contest, uint64_t played, int64_t now_ms);
size_t catalogue_session_count(const Catalogue *catalogue);
const CatalogueSession *catalogue_session(const Catalogue *catalogue, size_t index);
bool catalogue_find_contest(const Catalogue *catalogue, Str id, size_t *ret_index);
bool catalogue_find_session(const Catalogue *catalogue, Str id, size_t *ret_index);

/* The path of a root, as it was given. */
const char *catalogue_root(const Catalogue *catalogue, uint32_t root);
/* How many files and games were left out, because there are more than the limits. */
uint64_t catalogue_left_out(const Catalogue *catalogue);

/* Opens what a path of the catalogue names, without following a link. Errors: ERR_IO. */
int catalogue_open(const Catalogue *catalogue, uint32_t root, Str path, int *ret_fd, Err *err);

/* Appends a text as a part of an ID: what is not [A-Za-z0-9._-] as %XX, no dot in front, at most
 * CATALOGUE_ID_MAX bytes. */
void catalogue_id_encode(Str text, Buf *out);

#endif
