/* player.h - MAW's Player: its state machine, what it was told, what it may say.
 *
 * For:    bots, language models and people, in the game master's process or at the end of a link:
 *         `warg maw`, `warg join`.
 * Memory: a MawPlayer owns what it knows; MawKnown is borrowed until its next call.
 * Thread: one at a time. Time is an argument.
 * Source: docs/spec/maw.md 2.3 (table 16, figure 3), 2.4, 3; seed 002 tables 13 to 20.
 *
 *   JOIN_LOBBY --confirmed--> LOBBY --start_game--> AWAKE <--day, night--> ASLEEP
 *       ^   refused name         ^                    | kill                | kill
 *       +-- GET_NAME             +---- end_game ---- DEAD <-----------------+
 *
 * The game master may be anybody's: only what the document has is needed, extensions are used when
 * they are there (push instead of polling, names, numbers of wolves).
 */
#ifndef WARG_MAW_PLAYER_H
#define WARG_MAW_PLAYER_H

#include "maw/maw_setup.h"
#include "wire/maw_message.h"

typedef struct MawPlayer MawPlayer;

typedef enum PlayerState {
    PLAYER_JOIN_LOBBY,
    PLAYER_LOBBY,
    PLAYER_AWAKE,
    PLAYER_ASLEEP,
    PLAYER_DEAD,
    PLAYER_OVER, /* the session is over, or it could not join */
} PlayerState;

typedef struct MawKnownPlayer {
    Str jid;
    Str name;
    bool alive;
    bool mate;     /* one of my wolves */
    Str cause;     /* of its death: executed murdered left; empty while it lives */
    Str role;      /* when it was told */
    int32_t votes; /* for it, in this phase, as far as I was told */
    Str votes_for; /* name; empty: nobody, or not told */
    int64_t points;
    uint32_t lines; /* it said in this round */
} MawKnownPlayer;

/* What the player knows now. */
typedef struct MawKnown {
    PlayerState state;
    Str me;  /* my name */
    Str jid; /* my bare JID */
    bool wolf;
    Str role; /* "Villager", "Werewolf", "Seer"; empty before the first round */
    bool alive;
    uint32_t round, rounds, day, phase_no;
    bool night;
    bool linked;                   /* the link is there */
    bool paused;                   /* the game waits: nobody can act, no clock runs */
    bool room_open;                /* I may speak */
    bool graveyard;                /* I am dead, and what I say is heard by the dead */
    const char *room;              /* "Village", "Hideout" */
    TimeUs phase_ends;             /* TIME_US_NEVER: not known */
    uint32_t wolves;               /* 0 = not told */
    const MawKnownPlayer *players; /* the round's, me among them, in the order they were told */
    uint32_t player_count;
    Str my_vote; /* name; empty: none */
    Str winner;  /* of the last round: Villagers Werewolves None */
    uint32_t max_chars;
} MawKnown;

typedef enum MawNewsKind {
    NEWS_JOINED,    /* text: my name */
    NEWS_LOBBY,     /* text: who else is there, how many are missing */
    NEWS_ROUND,     /* a round begins: role and mates are known */
    NEWS_PHASE,     /* a phase begins */
    NEWS_LINE,      /* name: text; `mine` when it is my own */
    NEWS_SYSTEM,    /* a system line of a room */
    NEWS_TALLY,     /* votes have changed */
    NEWS_RESULT,    /* of a phase: name, text = status */
    NEWS_DIED,      /* I died; text = cause */
    NEWS_ROUND_END, /* text = winning team */
    NEWS_SCORES,
    NEWS_WHISPER,     /* from name: text */
    NEWS_ROLE_ANSWER, /* name is text (the Seer's question) */
    NEWS_REFUSED,     /* text says why, name = code; of a join: another name is tried */
    NEWS_ABSENT,      /* the game master is not there, or the link is gone (MawKnown.linked) */
    NEWS_LINKED,      /* the link is back */
    NEWS_OVER,        /* the session is over; text says why; with a name only for me: left,
                       * no-answer, the code of a refusal (replaced, full, ...) */
} MawNewsKind;

typedef struct MawNews {
    MawNewsKind kind;
    Str room; /* name of the room of a line */
    Str name;
    Str text;
    bool mine;
    bool told; /* a system line: what it says came as news of its own, but for a role in it */
} MawNews;

typedef struct MawPlayerOut {
    void (*send)(void *user, const MawStanza *stanza);
    /* In order, as it happens; may call maw_player_say and the like. */
    void (*news)(void *user, const MawNews *news, TimeUs now);
    /* What the game master or a room has said, as it came, before anything comes of it; `type`: of
     * an error what was refused. May be NULL. */
    void (*heard)(void *user, const MawStanza *stanza, MawType type, TimeUs now);
    void *user;
} MawPlayerOut;

typedef struct MawPlayerSetup {
    Str jid;         /* as it sends: bare in the house, full behind an account; copied */
    Str game_master; /* copied */
    Str name;        /* wanted; copied */
    const char *const
        *other_names;       /* when it is taken: tried one after the other; NULL-terminated */
    Str client;             /* "warg 0.1.0" */
    TimeUs join_retry_us;   /* 5 s */
    TimeUs join_timeout_us; /* 60 s */
    TimeUs poll_us;         /* how often lines are asked for without push: 1 s */
    MawPlayerOut out;
    MawReader *reader; /* of all players in one place; borrowed. NULL: its own */
    TimeUs now;
} MawPlayerSetup;

int maw_player_new(const MawPlayerSetup *setup, MawPlayer **ret_player, Err *err);
MawPlayer *maw_player_free(MawPlayer *player);

/* A stanza to it. From others than the game master and its rooms: ignored. Whispers too come from
 * the game master, who knows whether they are allowed (7.2). */
void maw_player_receive(MawPlayer *player, const MawStanza *stanza, TimeUs now);
void maw_player_tick(MawPlayer *player, TimeUs now);
TimeUs maw_player_deadline(const MawPlayer *player);
/* The link is gone, or back: it joins again. */
void maw_player_link(MawPlayer *player, bool up, TimeUs now);

/* It goes on with what it was told in an earlier life, and joins again. `life`: a number that no
 * earlier one had; its messages are no repeats of theirs. */
void maw_player_again(MawPlayer *player, uint64_t life, TimeUs now);

const MawKnown *maw_player_known(const MawPlayer *player);
/* The names one may vote for now, into ret[0..MAW_LIST_MAX-1]; returns how many. */
uint32_t maw_player_targets(const MawPlayer *player, Str *ret);

/* Acts. False when the state does not allow it: nothing is sent. What the game master thinks of it
 * comes as news. */
bool maw_player_say(MawPlayer *player, Str text, TimeUs now);
bool maw_player_vote(MawPlayer *player, Str name, Str reason, TimeUs now); /* empty: withdrawn */
bool maw_player_whisper(MawPlayer *player, Str name, Str text, TimeUs now);
bool maw_player_ask_role(MawPlayer *player, Str name, TimeUs now);
bool maw_player_ask_scores(MawPlayer *player, TimeUs now);
void maw_player_leave(MawPlayer *player, TimeUs now);

#endif
