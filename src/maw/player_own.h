/* player_own.h - the inside of a MawPlayer, for the player_*.c files only.
 *
 * For:    player_state.c (what is kept, told, over; which room), player_people.c (who is there),
 *         player_acts.c (what it sends), player_lines.c (rooms and their lines), player_round.c
 *         (the state machine of a round), player.c (life, join, what comes in). Each calls those
 *         before it, none behind it.
 * Memory: all texts stand in fixed places inside; MawKnown points to them.
 * Thread: one at a time.
 * Source: docs/spec/maw.md 2.3, 3.
 */
#ifndef WARG_MAW_PLAYER_OWN_H
#define WARG_MAW_PLAYER_OWN_H

#include "maw/player.h"

#define JID_BYTES     256 /* a longer one is not kept: its owner is voted for by name */
#define NAME_BYTES    128
#define WORD_BYTES    32 /* roles, causes, winners */
#define THREAD_BYTES  200
#define SECOND        ((TimeUs)1000 * 1000)
#define CHARS_DEFAULT 500 /* A35 */

typedef enum PlayerRoomNo {
    ROOM_LOBBY,
    ROOM_VILLAGE,
    ROOM_HIDEOUT,
    ROOM_GRAVEYARD,
    ROOM_COUNT,
    ROOM_NONE = ROOM_COUNT,
} PlayerRoomNo;

/* What is known of a room, and how far it was read. */
typedef struct PlayerRoom {
    char jid[JID_BYTES];
    bool told;      /* by the game master himself: nobody else can take its place */
    bool announced; /* open in this phase, or in the one whose phase_change is still to come */
    bool subscribed;
    bool pushed;    /* lines came unasked: no need to ask every second */
    bool refused;   /* it does not answer us: not asked again before the next announce_open */
    int64_t opened; /* the index of the first line behind its announce_open */
    int64_t next;   /* lines received: the index of the next one wanted (A21) */
    bool asked;
    int64_t asked_index;
    char question[WORD_BYTES]; /* reply-with of what was asked last */
    TimeUs ask_at;             /* next time */
} PlayerRoom;

typedef struct PersonTexts {
    char jid[JID_BYTES];
    char name[NAME_BYTES];
    char role[WORD_BYTES];
    char cause[WORD_BYTES];
    bool name_is_jid; /* nobody told a name: the JID's node stands for it */
} PersonTexts;

struct MawPlayer {
    MawPlayerOut out;
    MawReader *reader;
    MawReader own_reader;
    MawKnown known;
    /* Who I am. */
    char jid[JID_BYTES];  /* as it sends */
    char bare[JID_BYTES]; /* known.jid */
    char master[JID_BYTES];
    char me[NAME_BYTES];
    char client[NAME_BYTES];
    const char *const *other_names;
    uint32_t other_name; /* the next one to try */
    /* Joining, and joining again. */
    TimeUs join_retry_us;
    TimeUs join_timeout_us;
    TimeUs poll_us;
    bool joining;
    TimeUs join_at;      /* next try */
    TimeUs join_give_up; /* no more tries */
    bool absent_told;
    /* Tokens of questions: unlike those of an earlier life of this JID (section 4, row 12). */
    uint64_t nonce;
    uint32_t sent;
    TimeUs not_understood_at; /* not before: an answer to what can't be read */
    /* The round. */
    char thread[THREAD_BYTES];
    bool in_round;
    bool round_told; /* NEWS_ROUND was given */
    bool role_fresh; /* assign_role came before its start_game */
    TimeUs open_at;  /* the room of this phase counts as open although nobody announced it */
    TimeUs over_at;  /* after the last round, when no session_end comes */
    PlayerRoom rooms[ROOM_COUNT];
    /* People. */
    MawKnownPlayer people[MAW_LIST_MAX];
    PersonTexts texts[MAW_LIST_MAX];
    bool people_have_jids;
    char mates[SEAT_MAX][JID_BYTES]; /* as assign_role told them: the list of people may follow */
    uint32_t mate_count;
    char role[WORD_BYTES];
    char winner[WORD_BYTES];
    /* What the news have told: the rooms' system lines say much of it once more. */
    bool result_told;
    char result_name[NAME_BYTES]; /* of the last phase; empty: nobody */
    bool scores_told;             /* since this round began */
    char my_vote[NAME_BYTES];
    char vote_before[NAME_BYTES]; /* what counts if the last vote is refused */
    Buf text;                     /* of news that are put together */
};

/* ---- player_state.c ---- */

/* Copies a text that fits; else leaves it empty and returns false. */
bool player_keep(char *to, size_t room, Str text);
void player_tell(MawPlayer *player, MawNewsKind kind, Str room, Str name, Str text, TimeUs now);
/* `code`: as NEWS_OVER has it. */
void player_over(MawPlayer *player, Str code, Str why, TimeUs now);
/* Asks to join (again), now and every few seconds. */
void player_join(MawPlayer *player, TimeUs now);
/* Whether two texts are equal but for the case of ASCII letters. */
bool player_same_word(Str a, Str b);
/* The room of the phase: where I speak. */
PlayerRoomNo player_room_now(const MawPlayer *player);
PlayerRoomNo player_room_of_name(Str name);
/* The room with this address, or ROOM_NONE. */
PlayerRoomNo player_room_of(const MawPlayer *player, Str jid);
void player_room_told(MawPlayer *player, PlayerRoomNo room, Str jid);
/* The address, by the usual name in the game master's domain when it was not told. */
Str player_room_jid(MawPlayer *player, PlayerRoomNo room);
/* Whether somebody who announces this room may be it, though the game master has not said so. */
bool player_room_believable(const MawPlayer *player, PlayerRoomNo room, Str from);

/* ---- player_people.c ---- */

/* By JID, exact name, name in any case; NULL. */
MawKnownPlayer *player_find(MawPlayer *player, Str jid_or_name);
/* Finds or adds; either may be empty. NULL when there is no room for more. */
MawKnownPlayer *player_meet(MawPlayer *player, Str jid, Str name);
/* These are the round's people, in this order; points of who is known already stay. */
void player_seat_people(MawPlayer *player, const MawPerson *people, uint32_t count);
/* A new round: all alive, nothing known of them. */
void player_revive(MawPlayer *player);
void player_set_role(MawPlayer *player, MawKnownPlayer *person, Str role);
void player_set_dead(MawPlayer *player, MawKnownPlayer *person, Str cause);
void player_set_vote(MawPlayer *player, MawKnownPlayer *who, const MawKnownPlayer *whom);
void player_clear_votes(MawPlayer *player);
bool player_is_me(const MawPlayer *player, Str jid_or_name);
/* The name of a JID or name, as people know it. */
Str player_name_of(MawPlayer *player, Str jid_or_name);

/* ---- player_acts.c ---- */

/* Sends a message with the session's thread and a token of its own; the token goes into
 * `ret_token` (may be NULL) of WORD_BYTES. */
void player_send(MawPlayer *player, Str to, const MawMessage *message, MawAct act, Str in_reply_to,
                 char *ret_token);
/* The type of the question that this in-reply-to answers. */
MawType player_question(const MawPlayer *player, Str in_reply_to);
/* The type that was refused: as the answer says, or by the question it answers. */
MawType player_refused_type(const MawPlayer *player, PlayerRoomNo room, const MawMessage *message,
                            Str in_reply_to);
/* A refuse, failure or not-understood for what was sent. */
void player_hear_refusal(MawPlayer *player, PlayerRoomNo room, const MawMessage *message,
                         Str in_reply_to, TimeUs now);
void player_hear_accepted(MawPlayer *player, const MawMessage *message, TimeUs now);

/* ---- player_lines.c ---- */

void player_subscribe(MawPlayer *player, PlayerRoomNo room);
void player_ask_lines(MawPlayer *player, PlayerRoomNo room, TimeUs now);
void player_hear_lines(MawPlayer *player, PlayerRoomNo room, const MawStanza *stanza,
                       const MawMessage *message, TimeUs now);
/* When a room has to be asked, or TIME_US_NEVER. */
TimeUs player_lines_deadline(const MawPlayer *player);
void player_lines_tick(MawPlayer *player, TimeUs now);

/* ---- player_round.c ---- */

void player_hear_join_confirmed(MawPlayer *player, const MawStanza *stanza,
                                const MawMessage *message, TimeUs now);
/* What belongs to a round; false when it is of an earlier one. */
bool player_hear_round(MawPlayer *player, const MawStanza *stanza, PlayerRoomNo room,
                       const MawMessage *message, TimeUs now);
void player_hear_scores(MawPlayer *player, const MawMessage *message, TimeUs now);
/* Sets room_open from what is known. */
void player_look_at_room(MawPlayer *player, TimeUs now);

#endif
