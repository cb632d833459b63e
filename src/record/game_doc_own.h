/* game_doc_own.h - the inside of a GameDoc, for the game_doc*.c files only.
 *
 * For:    game_doc.c (entries and views), game_doc_event.c (from events), game_doc_log.c and
 *         game_doc_maw.c (from files).
 * Memory: see game_doc.h.
 * Thread: see game_doc.h.
 * Source: docs/spec/web.md 4.
 *
 * An entry is kept as the JSON that every view shows of it, all but its number: so no view can tell
 * more of it than another.
 */
#ifndef WARG_RECORD_GAME_DOC_OWN_H
#define WARG_RECORD_GAME_DOC_OWN_H

#include "base/arena.h"
#include "record/game_claims.h"
#include "record/game_doc.h"

#define DOC_ANCHOR_MAX 40
#define DOC_NO_TIME    ((TimeMs)-1)
#define DOC_NO_TURN    UINT32_MAX /* of an utterance whose log has no turns */

/* What a phase is about. */
typedef enum DocAction {
    DOC_ANY, /* no phase of its own: it belongs to the one in which all are */
    DOC_DAWN,
    DOC_TALK,
    DOC_WHISPER,
    DOC_VOTE,
    DOC_DIVINE,
    DOC_GUARD,
    DOC_ATTACK,
    DOC_NIGHT,
    DOC_ROOM,
    DOC_END,
} DocAction;

typedef struct DocEntry {
    size_t at; /* in GameDoc.bodies */
    uint32_t len;
    uint32_t anchor; /* its length; it begins the body: "a":"d1t0" */
    SeatSet to;      /* who is told; of no meaning when it is open */
    uint16_t day;
    bool open; /* everybody is told */
    bool night;
    bool aside;     /* the phase is not its own */
    bool after;     /* told when the game is over: who was what */
    uint8_t action; /* DocAction */
} DocEntry;

/* What game_doc_event.c remembers from event to event. */
typedef struct DocFollow {
    uint16_t day;
    bool begun; /* a day has begun */
    bool night; /* it was told */
    bool night_due;
    bool room;         /* MAW's rooms: talk and votes at once */
    bool ended;        /* the game is over */
    bool execution;    /* today's is not told to everybody yet */
    SeatNo executed;   /* by it */
    TimeMs told;       /* when the last entry for everybody came */
    SeatSet dead;      /* as everybody knows, or will at dawn */
    SeatSet base;      /* of them those who were dead when the wolves' counting began */
    SeatSet killed;    /* tonight */
    SeatSet deaths;    /* that dawn tells */
    SeatSet left;      /* in a night of rooms: the village hears of it at dawn */
    SeatSet mediums;   /* that learn something at dawn: */
    SeatNo identified; /* who was executed */
    Species species;
    unsigned standing[2]; /* votes that were put today: everybody's, the wolves' */
    unsigned own_standing[SEAT_MAX + 1];
    unsigned ghosts;        /* among the wolves' listeners that came since `base` */
    unsigned whispers;      /* since they came */
    unsigned notices;       /* of today */
    unsigned graves;        /* lines of the graveyard since `buried` became what it is */
    unsigned buried;        /* who may hear them */
    unsigned told_whispers; /* of which everybody was told today */
} DocFollow;

/* A fault that only its seat knows of until the game is over. */
typedef struct DocFault {
    FaultKind kind;
    SeatNo seat;
    uint16_t day;
    char at[24]; /* the request */
    int64_t after_us;
    size_t detail; /* in GameDoc.details */
    size_t detail_len;
} DocFault;

struct GameDoc {
    Buf bodies;
    DocEntry *entries;
    size_t count;
    size_t room;
    uint32_t *slots; /* entries by anchor: index + 1 */
    size_t slot_count;
    unsigned twins; /* anchors that were there already */

    Buf id;
    Buf names; /* what the Str below point into */
    DocDivision division;
    char language[8];
    char form[16];
    Str source_name;
    const char *check; /* NULL = there is none */
    Buf why;
    DocSeat seats[SEAT_MAX + 1];
    SeatNo seat_count;
    int64_t began_unix_ms;
    bool timed; /* events have times, also when it is not known when that was */
    TimeMs ended;
    DocStatus status;
    char rules_name[64];
    const char *talk; /* the schema's word */
    bool votes_public;
    bool night_whispers; /* nobody whispers by day */
    bool ghosts_see;
    int32_t max_day;
    bool has_contest;
    DocContest contest;
    Buf contest_id;
    Buf session; /* MAW: its name */
    uint32_t round, rounds;

    uint8_t roles[SEAT_MAX + 1]; /* Role */
    SeatSet role_to[SEAT_MAX + 1];
    SeatSet errored;      /* as it is */
    SeatSet errored_told; /* as everybody was told at the last dawn */
    bool over;            /* the game has ended: `winner` is known */
    Side winner;
    bool closed;
    bool failed;

    DocFollow follow;
    DocFault *hidden; /* what the end tells of */
    size_t hidden_count;
    size_t hidden_room;
    Buf details;
    Arena sentences;
    BeliefFacts facts; /* of everybody */
};

/* An entry that is being written. */
typedef struct DocPlace {
    uint16_t day;
    bool night;
    DocAction action;
    TimeMs time; /* DOC_NO_TIME = none */
} DocPlace;

/* Begins an entry: what comes into `ret_json` follows; doc_entry_close ends it. When the anchor is
 * taken, it gets a number behind it. */
void doc_entry_open(GameDoc *doc, const DocPlace *place, const char *kind, const char *anchor,
                    Json *ret_json);
/* Everybody is told, or the seats of `to` are. */
void doc_entry_close(GameDoc *doc, Json *json, bool open, SeatSet to);

/* Whether an entry with this anchor is there. */
bool doc_anchor_taken(const GameDoc *doc, Str anchor);

/* Takes entry `from` out of its place and puts it before entry `to` (to <= from). */
void doc_entry_move(GameDoc *doc, size_t from, size_t to);

/* A document from the lines of a game log; from one round of a MAW record. As game_doc_read. */
int doc_read_log(Str text, Str name, GameDoc **ret_doc, Err *err);

int doc_read_maw(Str text, Str name, uint32_t round, GameDoc **ret_doc, Err *err);
uint32_t doc_maw_rounds(Str text);

/* The file's name as an id. */
void doc_id_of(Str name, Buf *out);

#endif
