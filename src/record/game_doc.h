/* game_doc.h - a game as pages tell it: its events in order, filtered for one view, as JSON.
 *
 * For:    the room web, `warg log doc`, `warg export`.
 * Memory: a GameDoc owns copies of all it was given; free it with game_doc_free. A DocWriter is a
 *         plain value. Documents are appended to the caller's Buf.
 * Thread: pure; one at a time per GameDoc, any number of readers while nothing is added.
 * Source: docs/spec/web.md 4; docs/spec/web/game.schema.json is the format.
 *
 * A GameDoc is a list that only grows: what was heard, who may know it (`to`), and under which
 * anchor. What some learn later than others is told to them by an entry of its own. So a view is a
 * filter, and nothing of one view can be counted in another.
 */
#ifndef WARG_RECORD_GAME_DOC_H
#define WARG_RECORD_GAME_DOC_H

#include "base/json.h"
#include "game/game.h"
#include "record/fault.h"

typedef struct GameDoc GameDoc;

typedef enum DocDivision { DOC_PROTOCOL, DOC_NLP, DOC_MAW } DocDivision;
typedef enum DocStatus { DOC_RUNNING, DOC_FINISHED, DOC_ABORTED, DOC_TRUNCATED } DocStatus;
typedef enum DocViewKind { DOC_VIEW_PUBLIC, DOC_VIEW_SEAT, DOC_VIEW_ALL } DocViewKind;

/* Which events and names a document has. */
typedef struct DocView {
    DocViewKind kind;
    SeatNo seat; /* DOC_VIEW_SEAT */
    bool names;  /* who sits there: agent, team, kind, model (4.2 rule 5) */
    bool sealed; /* without what is told behind the end: who was what */
} DocView;

/* "public", "all" or "seat:N", N from 1 to SEAT_MAX: kind and seat, nothing else. False for any
 * other text. */
bool game_doc_view_of(Str text, DocView *ret_view);

/* Who sits at a seat. Texts may be empty. */
typedef struct DocSeat {
    Str name; /* in the game */
    Str agent;
    Str team;
    Str kind; /* "bot:sample", "model", "person" */
    Str profile;
} DocSeat;

/* Which game of a contest it is. */
typedef struct DocContest {
    Str id;
    uint32_t stage;
    uint32_t set;
    uint64_t game;
    bool minds; /* what models decided in it is kept */
} DocContest;

/* What is known of a game before its first event. Copied. */
typedef struct DocHead {
    Str id;
    DocDivision division;
    const char *language; /* "aiwolf", "en", "ja" */
    const Ruleset *rules;
    SeatNo seat_count;
    const DocSeat *seats;  /* seats[1..seat_count] */
    int64_t began_unix_ms; /* 0 = not known: no event has a time */
    const char *form;      /* of the source: "live", "aiwolf-log", ... */
    Str source_name;
    bool seats_stay; /* who sits here keeps the seat in the next game: live tables name nobody */
} DocHead;

/* A line that only some hear. */
typedef struct DocSaid {
    SeatNo seat;
    SeatNo target;    /* whom it was whispered to; SEAT_NONE: all in the graveyard */
    SeatSet to;       /* who hears it */
    bool seen_by_all; /* of a whisper: that it was whispered, but not what */
    Str text;
} DocSaid;

/* Errors: ERR_MEMORY. */
int game_doc_new(const DocHead *head, GameDoc **ret_doc, Err *err);
GameDoc *game_doc_free(GameDoc *doc); /* takes NULL, returns NULL */
void game_doc_freep(GameDoc **doc);

/* Live: every event of the game, in order; a talk's text is copied. Of a STANDING vote `talk`,
 * which the engine leaves NULL, may hold the reason; a ROLE behind the first day is one that is
 * learnt in mid-game, with a species in the place of a role when only the side is told. */
void game_doc_heard(GameDoc *doc, const Event *event);
/* MAW: what is said outside of the rooms of the game. */
void game_doc_said(GameDoc *doc, const DocSaid *said, TimeMs time);
void game_doc_fault(GameDoc *doc, const Fault *fault, TimeMs time);
/* An operator's act, a pause: a sentence for everybody. */
void game_doc_notice(GameDoc *doc, Str text, TimeMs time);
/* No further event. */
void game_doc_close(GameDoc *doc, DocStatus status, TimeMs time);
/* True once when memory ran out: the document lacks something. */
bool game_doc_failed(const GameDoc *doc);

/* From any game log of both AIWolf divisions (text or JSON), or one round of a MAW record (from 0).
 * `name` is the file's, for people. Errors: ERR_SYNTAX with the line, ERR_LIMIT, ERR_MEMORY;
 * ERR_RULE for a round that the record does not have. */
int game_doc_read(Str text, Str name, uint32_t round, GameDoc **ret_doc, Err *err);

/* How many rounds a record has that game_doc_read can read; 1 for a game log. */
uint32_t game_doc_rounds(Str text);

/* The document's name; and, for who knows it better than the file's name tells, another one: where
 * names are hidden, for a file may be called by those who play. */
Str game_doc_id(const GameDoc *doc);
void game_doc_set_id(GameDoc *doc, Str id);
void game_doc_set_contest(GameDoc *doc, const DocContest *contest);

/* What pages want to know of a game without reading its document. */
SeatNo game_doc_seats(const GameDoc *doc);
DocStatus game_doc_status(const GameDoc *doc);

/* How many entries there are, and whether entry `index` is in the view. */
size_t game_doc_count(const GameDoc *doc);

/* One view that is being written, entry by entry: live lists, and game_doc_write itself. */
typedef struct DocWriter {
    DocView view;
    uint32_t n;   /* of the next event in this view */
    uint16_t day; /* of the phase that is told */
    uint8_t night, action;
    bool begun;
} DocWriter;

/* Writes entry `index` as an object of `events`, and the phase that it begins, if it does, as an
 * object of `phases`. False when the view does not have it: nothing is written. */
bool doc_writer_event(DocWriter *writer, const GameDoc *doc, size_t index, Json *events,
                      Json *phases);
/* Writes the array of seats as the view has it now. */
void game_doc_write_seats(const GameDoc *doc, const DocView *view, Json *json);

/* Appends the whole document. */
void game_doc_write(const GameDoc *doc, const DocView *view, Buf *out);

#endif
