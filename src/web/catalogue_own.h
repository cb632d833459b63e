/* catalogue_own.h - what the files of the catalogue know of each other.
 *
 * For:    catalogue.c (what is found, by its ID), catalogue_scan.c (folders), catalogue_journal.c
 *         (journals and records of sessions). Nobody else includes it.
 * Memory: a Catalogue owns all.
 * Thread: one at a time while it is made.
 * Source: house rule: what several files of a folder share is in a header of its own.
 */
#ifndef WARG_WEB_CATALOGUE_OWN_H
#define WARG_WEB_CATALOGUE_OWN_H

#include "web/catalogue.h"

/* As what a file or folder was when it was read: another one is read again. */
typedef struct FileMark {
    uint64_t device, inode;
    int64_t changed_ns;
    int64_t bytes;
    bool unsure; /* it was changed so shortly before that it may change again unseen */
} FileMark;

/* A folder, journal or record that was read. */
typedef struct Watched {
    uint32_t root;
    Str path;
    FileMark mark;
} Watched;

/* Where games of one contest or session are in `games`, and what they were read from. */
typedef struct FoundGames {
    size_t first, count;
    FileMark mark;
    uint64_t bytes; /* of whole lines */
} FoundGames;

/* An ID, or another name of a game. */
typedef struct IdSlot {
    Str id;
    uint32_t game; /* CATALOGUE_NONE = free */
} IdSlot;

typedef struct TextBlock TextBlock;

struct Catalogue {
    TextBlock *blocks; /* texts */
    Str *texts;        /* those that are there once: texts[0] is empty */
    size_t text_count, text_room;
    uint32_t *text_slots; /* hash table over `texts`, 0 = free */
    size_t text_slot_count;
    char **roots;
    size_t root_count;
    CatalogueGame *games; /* as they were found */
    size_t game_count, game_room;
    uint32_t *order; /* newest first */
    CatalogueSeat *seats;
    size_t seat_count, seat_room;
    CatalogueContest *contests;
    FoundGames *contest_games; /* one for each contest */
    size_t contest_count, contest_room;
    CatalogueSession *sessions;
    FoundGames *session_games;
    size_t session_count, session_room;
    Watched *watched;
    size_t watched_count, watched_room;
    IdSlot *ids;
    size_t id_count, id_room;
    uint64_t files; /* of folders */
    uint64_t left_out;
    bool no_memory; /* something is missing */
};

/* Grows `items` so that one more has room; false without memory, which the catalogue remembers. */
bool catalogue_room(Catalogue *catalogue, void **items, size_t count, size_t *room, size_t each);

/* A copy of the text that lives as long as the catalogue. */
Str catalogue_keep(Catalogue *catalogue, Str text);
/* The number of a text; equal ones are kept once. */
uint32_t catalogue_intern(Catalogue *catalogue, Str text);

/* A new game, its fields empty; NULL when there is no room for more. */
CatalogueGame *catalogue_add_game(Catalogue *catalogue);
/* Gives a game its ID: `wanted` (encoded), else with `before` in front of it, else with a number
 * behind. */
void catalogue_name_game(Catalogue *catalogue, size_t game, Str wanted, Str before);
/* Another name under which it is found, if that is free. */
void catalogue_alias_game(Catalogue *catalogue, size_t game, Str name);
/* An ID that no contest, and none that no session has. */
Str catalogue_contest_id(Catalogue *catalogue, Str wanted);
Str catalogue_session_id(Catalogue *catalogue, Str wanted);
CatalogueContest *catalogue_add_contest(Catalogue *catalogue);
CatalogueSession *catalogue_add_session(Catalogue *catalogue);

void catalogue_watch(Catalogue *catalogue, uint32_t root, Str path, const FileMark *mark);

/* A name without the endings of logs; a record's is that of its folder. */
Str catalogue_stem(Str path);

/* The journal in `folder` of a root, with a session's record beside it when `with_record`. */
void catalogue_read_journal(Catalogue *catalogue, const Catalogue *before, uint32_t root,
                            Str folder, const FileMark *mark, bool with_record);
/* A record of a session without a journal. */
void catalogue_read_record(Catalogue *catalogue, const Catalogue *before, uint32_t root, Str path,
                           const FileMark *mark);

/* Whether both are of one file that has not changed. */
static inline bool file_mark_same(const FileMark *a, const FileMark *b)
{
    return a->device == b->device && a->inode == b->inode && a->changed_ns == b->changed_ns &&
           a->bytes == b->bytes && !a->unsure && !b->unsure;
}

#endif
