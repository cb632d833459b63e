/* maw_message.h - what MAW agents say to each other: the JSON bodies, one struct for all types.
 *
 * For:    game master, rooms and players, ours at both ends.
 * Memory: a message that was read owns its JSON tree (maw_message_done); texts point into it. One
 *         that is written borrows everything.
 * Thread: pure.
 * Source: docs/spec/maw.md 3.2 to 3.4 and 4; variant names: 0.2 (C1 to C6).
 */
#ifndef WARG_WIRE_MAW_MESSAGE_H
#define WARG_WIRE_MAW_MESSAGE_H

#include "base/buf.h"
#include "base/err.h"
#include "wire/maw_stanza.h"

typedef enum MawType {
    MAW_NO_TYPE,
    MAW_JOIN_LOBBY,
    MAW_GET_INPUT,
    MAW_NAME,
    MAW_VOTE,
    MAW_CHAT,
    MAW_LISTEN,
    MAW_START_GAME,
    MAW_ASSIGN_ROLE,
    MAW_PHASE_CHANGE,
    MAW_VOTE_RESULT,
    MAW_END_GAME,
    MAW_ANNOUNCE_OPEN,
    MAW_NEW_MESSAGES,
    MAW_JOIN_CONFIRMED,
    MAW_GET_NEW_MESSAGES,
    MAW_KILL,
    MAW_VOTE_ACCEPTED,
    MAW_SHOW_SCORE,
    MAW_SCORES,
    MAW_ERROR,
    MAW_OPEN_ROOM,
    MAW_CLOSE_ROOM,
    MAW_ROOM_OPENED,
    MAW_ROOM_CLOSED,
    MAW_SUBSCRIBE,
    MAW_UNSUBSCRIBE,
    MAW_LEAVE,
    MAW_WHISPER,
    MAW_QUERY_ROLE,
    MAW_ROLE_ANSWER,
    MAW_OBSERVE,
    MAW_SESSION_END,
    MAW_TIME_WARNING,
    MAW_TOLD,
    MAW_TYPE_COUNT,
} MawType;

#define MAW_LIST_MAX    64   /* players, scores, votes, names: SEAT_MAX is far below */
#define MAW_ENTRIES_MAX 2000 /* lines in one new_messages (A22) */

typedef struct MawPerson {
    Str jid;
    Str name;
} MawPerson;

typedef struct MawPair { /* votes: who -> whom; roles: jid -> role */
    Str key;
    Str value;
} MawPair;

typedef struct MawScore {
    Str player; /* JID */
    Str name;
    int64_t points;
    int64_t rounds_won;
} MawScore;

/* A line of a room, in `entries`. */
typedef struct MawLine {
    int64_t index;
    Str from; /* JID; empty: the system */
    Str name;
    Str text;
    Str time; /* RFC 3339 */
    Str kind; /* "chat", "system" */
} MawLine;

#define MAW_ABSENT INT64_MIN /* of a number: the key is not there */

/* A field that the type does not have, or that is absent, is empty, MAW_ABSENT or 0 long. Texts
 * with `bytes` NULL are absent, others may be empty. Which type has which: spec 3.2 to 3.4. */
typedef struct MawMessage {
    MawType type;
    Str player_name;  /* join_lobby, join_confirmed; name: its `name` */
    Str message;      /* chat; as `text`: whisper, time_warning, session_end, error */
    Str target;       /* vote, vote_accepted, vote_result, query_role, role_answer */
    bool target_null; /* vote, vote_accepted: null, the vote is withdrawn; vote_result: nobody */
    Str name;         /* vote_result: of the target */
    Str previous;     /* vote_accepted */
    Str reason;       /* vote */
    Str role;         /* assign_role, role_answer */
    Str status;       /* vote_result: executed murdered none tie */
    Str phase;        /* vote_result, get_input */
    Str new_phase;    /* phase_change: day night */
    Str winning_team; /* end_game: Villagers Werewolves None */
    Str room_name;    /* announce_open, open_room: Village Hideout Lobby */
    Str room;         /* JID: announce_open, phase_change */
    Str cause;        /* kill: executed murdered left */
    Str to;           /* whisper */
    Str from;         /* whisper, delivered; told: who said it to the player */
    Str of;           /* error: the type that was wrong */
    Str code;         /* error */
    Str purpose;      /* get_input: name action */
    Str completions;  /* get_input, as `body` told: raw JSON of an object */
    Str act;          /* told: "inform" */
    Str thread;       /* told */
    Str deadline;     /* RFC 3339 UTC */
    Str client;       /* join_lobby */
    Str lobby;        /* join_confirmed.rooms */
    Str village;
    Str hideout;
    int64_t total_players, round, rounds, wolves, day, days, phase_no, seconds;
    int64_t index; /* get_new_messages (MAW_ABSENT: on from the last answer), announce_open,
                    * subscribe, room_opened, room_closed, told */
    int64_t first, next;
    bool open;   /* new_messages: with `next`; true when it was not there */
    bool paused; /* phase_change: clocks stand still until the next one */
    bool last;   /* end_game: with `round`; no further round */
    uint32_t player_count, list_count, pair_count, score_count, line_count;
    const MawLine *lines; /* new_messages; without `entries` from its messages "Name: text" */
    void *tree;           /* what was read; NULL for one that is written */

    /* From here on only as many are set as are counted above: a message is small without them. */
    MawPerson players[MAW_LIST_MAX]; /* start_game; join_confirmed: names; announce_open: JIDs,
                                      * and names; open_room: JIDs */
    Str list[MAW_LIST_MAX];          /* teammates; error: allowed; announce_open, get_input: targets
                                      */
    MawPair pairs[MAW_LIST_MAX];     /* vote_result: votes; end_game: roles */
    MawScore scores[MAW_LIST_MAX];   /* scores, end_game, session_end */
} MawMessage;

/* Why a body can't be taken: the rows 5 to 7 of section 4. */
typedef struct MawRefusal {
    MawAct act;       /* ACT_NOT_UNDERSTOOD, ACT_REFUSE, ACT_FAILURE */
    const char *code; /* "bad-json", constant */
    char text[200];   /* one sentence: what was expected, what came, what to do */
} MawRefusal;

/* An empty message of this type: numbers are MAW_ABSENT. */
MawMessage maw_message(MawType type);
/* Makes `message` such a one, whatever it was; nothing is freed. */
void maw_message_begin(MawMessage *message, MawType type);

/* Reads a body: exactly one JSON object, no duplicate keys, depth <= 16; an integer alone is
 * get_new_messages; the document's other names and `player_action` are understood. Keys that the
 * type does not have are ignored. False with `ret_why` (and, where it is known, ret_message->type)
 * for what section 4 answers with not-understood. */
bool maw_message_read(Str body, MawMessage *ret_message, MawRefusal *ret_why);
void maw_message_done(MawMessage *message);

/* Reads bodies one after the other. What is told to all comes to each of them: the same body as
 * before is not read again. Zero is a fresh one. */
typedef struct MawReader {
    Buf body; /* the last one that could be read */
    MawMessage message;
} MawReader;

/* As maw_message_read; the message is the reader's, and stays until the next call. */
bool maw_reader_read(MawReader *reader, Str body, const MawMessage **ret_message,
                     MawRefusal *ret_why);
void maw_reader_done(MawReader *reader);

/* Appends the body, `type` first, keys in the order of the spec, absent ones left out. */
void maw_message_write(const MawMessage *message, Buf *out);

const char *maw_type_name(MawType type);
/* The act the spec gives a message of this type. */
MawAct maw_type_act(MawType type);
/* What only the game master or a room may say (row 10 of section 4). */
bool maw_type_is_masters(MawType type);

#endif
