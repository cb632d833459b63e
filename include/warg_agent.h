/* warg_agent.h - agents for the AIWolf protocol division in C: fill in callbacks, the library
 * plays.
 *
 * An agent connects to a server, is asked what it says and whom it names, and plays game after game
 * on that connection until the server ends it. Everything here is about one agent; a callback runs
 * on the thread that called warg_agent_play(). The whole of a small agent:
 *
 *     #include <warg_agent.h>
 *     static int vote(const WargGame *game, void *user)
 *     {
 *         (void)user;
 *         return warg_random_living(game);
 *     }
 *     static const WargAgent agent = {.name = "mine", .vote = vote};
 *     int main(int argc, char **argv)
 *     {
 *         return warg_agent_main(argc, argv, &agent);
 *     }
 *
 * Build:   cc agent.c -o agent $(pkg-config --cflags --libs warg)
 * Play:    ./agent -h HOST -p PORT -n NAME
 *
 * Agents of a game are the numbers 1 to warg_agent_count(); 0 is nobody, or anybody.
 * For:    programs outside this tree; src/agent is what is behind it.
 * Memory: a WargAgent is the author's and is only read; all else belongs to the library.
 * Thread: any, one agent each; a WargGame is used inside its callbacks only.
 * Source: spec/protocol-division.md 1.4, 1.6 (command line), 9; spec/language.md.
 *
 * The library keeps its promises to older programs: symbols stay, structs don't grow (they have
 * reserved room), and values of the enums keep their meaning. New values may come.
 */
#ifndef WARG_AGENT_H
#define WARG_AGENT_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#    define WARG_API __attribute__((visibility("default")))
#else
#    define WARG_API
#endif

/* "0.1.0": of the library that runs, not of this header. */
WARG_API const char *warg_version(void);

/* ---- words of the game ---- */

#define WARG_NOBODY    0    /* as a target: nobody; in a sentence: ANY */
#define WARG_AGENT_MAX 30   /* no game has more */
#define WARG_TEXT_MAX  8192 /* a longer sentence is not valid */

typedef enum WargRole {
    WARG_ROLE_NONE = 0, /* not known; no wish; ANY in a sentence */
    WARG_BODYGUARD = 1,
    WARG_FREEMASON = 2,
    WARG_MEDIUM = 3,
    WARG_POSSESSED = 4,
    WARG_SEER = 5,
    WARG_VILLAGER = 6,
    WARG_WEREWOLF = 7,
    WARG_FOX = 8
} WargRole;

/* What a divination or the medium sees: POSSESSED and FOX are human. */
typedef enum WargSpecies {
    WARG_SPECIES_NONE = 0,
    WARG_SPECIES_HUMAN = 1,
    WARG_SPECIES_WEREWOLF = 2
} WargSpecies;

typedef enum WargSide {
    WARG_SIDE_NONE = 0,
    WARG_SIDE_VILLAGER = 1,
    WARG_SIDE_WEREWOLF = 2, /* POSSESSED too */
    WARG_SIDE_OTHERS = 3    /* FOX */
} WargSide;

/* "SEER"; "NONE" for WARG_ROLE_NONE and what is no role. Constant. */
WARG_API const char *warg_role_name(WargRole role);
/* The role of this name in capitals; WARG_ROLE_NONE for any other text. */
WARG_API WargRole warg_role_of(const char *name);
WARG_API WargSide warg_side_of(WargRole role);

/* ---- what the agent knows ----
 *
 * A WargGame lives from the first callback to the last; it is the same object in every game.
 * Before the first `initialize`, and for numbers that are no agent, answers are 0 or NONE. */
typedef struct WargGame WargGame;

WARG_API int warg_day(const WargGame *game); /* from 0; the first talk is on day 1 */
WARG_API int warg_me(const WargGame *game);
WARG_API WargRole warg_my_role(const WargGame *game);
WARG_API int warg_agent_count(const WargGame *game);               /* dead ones too */
WARG_API int warg_living_count(const WargGame *game);              /* with me, if I am */
WARG_API int warg_lives(const WargGame *game, int agent);          /* 1 or 0, as far as I know */
WARG_API WargRole warg_role(const WargGame *game, int agent);      /* NONE unless I know it */
WARG_API int warg_role_count(const WargGame *game, WargRole role); /* how many are in the game */
WARG_API int warg_talks_left(const WargGame *game);                /* my own, today */
WARG_API int warg_whispers_left(const WargGame *game);             /* my own, tonight */
WARG_API int warg_is_revote(const WargGame *game); /* in `vote` and `attack`: it was a tie */

WARG_API int warg_executed_today(const WargGame *game);     /* told to those who act at night */
WARG_API int warg_executed_yesterday(const WargGame *game); /* 0 = nobody */
/* Who died last night: number 0, then 1, until the answer is 0. */
WARG_API int warg_died_last_night(const WargGame *game, int number);
WARG_API int warg_attacked_last_night(const WargGame *game); /* wolves: with or without success */
WARG_API int warg_guarded_last_night(const WargGame *game);  /* bodyguard */
/* Whom `agent` voted for, in the last ballot of today or of yesterday; 0 = not known. */
WARG_API int warg_voted_today(const WargGame *game, int agent);
WARG_API int warg_voted_yesterday(const WargGame *game, int agent);

/* Last night's divination of a seer, the medium's result: whom, and in *ret_result what (may be
 * NULL). 0 = there is none, and *ret_result is not touched. */
WARG_API int warg_divined(const WargGame *game, WargSpecies *ret_result);
WARG_API int warg_identified(const WargGame *game, WargSpecies *ret_result);

/* In `finish` and later: who has won. */
WARG_API WargSide warg_winner(const WargGame *game);

/* ---- chance ----
 *
 * Depends on the agent's name and the packet that began the game, on nothing else: the same
 * beginning gives the same numbers, so a server that is started again sees the same play. */

/* 0..count-1, each equally likely; 0 when count is less than 2. */
WARG_API int warg_random(const WargGame *game, int count);
/* One of the living, never me, and never one whom I know to be a fellow wolf when I am a wolf;
 * 0 when there is none. */
WARG_API int warg_random_living(const WargGame *game);

/* ---- what was said ---- */

/* One utterance. Texts are borrowed until the callback returns. */
typedef struct WargTalk {
    int agent;
    int day;
    int id; /* counts from 0 each day, talk and whisper apart; AGREE names it */
    int turn;
    int whisper; /* 1: it was whispered among the wolves */
    const char *text;
} WargTalk;

/* All of this game, in order; whispers are known to wolves only. 1 and *ret_talk for the numbers
 * from 0 to count - 1, else 0. */
WARG_API int warg_talk_count(const WargGame *game);
WARG_API int warg_talk(const WargGame *game, int number, WargTalk *ret_talk);
WARG_API int warg_whisper_count(const WargGame *game);
WARG_API int warg_whisper(const WargGame *game, int number, WargTalk *ret_talk);

/* ---- the protocol language: reading ---- */

typedef enum WargTopic {
    WARG_OTHER = 0, /* NOT, OR, XOR, INQUIRE: valid, but no plain statement */
    WARG_SKIP = 1,
    WARG_OVER = 2,
    WARG_ESTIMATE = 3,   /* target, role */
    WARG_COMINGOUT = 4,  /* target, role */
    WARG_DIVINATION = 5, /* target: is going to divine */
    WARG_GUARD = 6,
    WARG_VOTE = 7,
    WARG_ATTACK = 8,
    WARG_GUARDED = 9, /* target: has guarded */
    WARG_VOTED = 10,
    WARG_ATTACKED = 11,
    WARG_DIVINED = 12,    /* target, result */
    WARG_IDENTIFIED = 13, /* target, result */
    WARG_AGREE = 14,      /* day, id, whisper */
    WARG_DISAGREE = 15
} WargTopic;

/* One statement of a sentence. Numbers are as they were written: an agent may not exist. */
typedef struct WargStatement {
    WargTopic topic;
    int subject; /* who does it: the speaker when nobody is named; 0 = ANY */
    int target;  /* 0 = ANY, or the topic has none */
    WargRole role;
    WargSpecies result;
    int asked;   /* of a REQUEST: who is asked to do it, 0 = ANY; -1 = it is no request */
    int day;     /* of the DAY around it, or of the utterance meant; -1 = none */
    int id;      /* AGREE, DISAGREE; else -1 */
    int whisper; /* AGREE, DISAGREE: 1 = with a whisper */
    int reserved[3];
} WargStatement;

/* Reads a sentence that `speaker` said into the statements it makes: one for a plain sentence; for
 * AND, BECAUSE and DAY those inside, in order; for REQUEST those inside, with `asked`.
 *     BECAUSE (DIVINED Agent[03] WEREWOLF) (REQUEST ANY (VOTE Agent[03]))
 * gives DIVINED, and VOTE with asked == 0. At most `room` are stored. Returns how many there are,
 * 0 for a text that is not in the language. */
WARG_API int warg_read(const char *text, int speaker, WargStatement *ret_statements, int room);

/* ---- the protocol language: writing ----
 *
 * Each writes one sentence with a NUL behind it into out[0..room-1] and returns its length. When it
 * does not fit or makes no sentence, 0 is returned and `out` is empty: a sentence is never cut.
 * Contents are sentences themselves and may lie in `out`. 64 bytes are enough without contents. */
WARG_API int warg_say_comingout(char *out, size_t room, int target, WargRole role);
WARG_API int warg_say_estimate(char *out, size_t room, int target, WargRole role);
WARG_API int warg_say_divined(char *out, size_t room, int target, WargSpecies result);
WARG_API int warg_say_identified(char *out, size_t room, int target, WargSpecies result);
WARG_API int warg_say_guarded(char *out, size_t room, int target);
WARG_API int warg_say_vote(char *out, size_t room, int target);
WARG_API int warg_say_divination(char *out, size_t room, int target);
WARG_API int warg_say_guard(char *out, size_t room, int target);
WARG_API int warg_say_attack(char *out, size_t room, int target);
WARG_API int warg_say_agree(char *out, size_t room, const WargTalk *talk);
WARG_API int warg_say_disagree(char *out, size_t room, const WargTalk *talk);
/* `asked` is to do `content`; 0 asks ANY. */
WARG_API int warg_say_request(char *out, size_t room, int asked, const char *content);
WARG_API int warg_say_because(char *out, size_t room, const char *reason, const char *action);
WARG_API int warg_say_and(char *out, size_t room, const char *first, const char *second);
WARG_API int warg_say_day(char *out, size_t room, int day, const char *content);
WARG_API int warg_say_not(char *out, size_t room, const char *content);

/* ---- an agent ---- */

/* What it does. Any of them may be NULL. Texts that callbacks return are copied at once.
 *
 * Asked for a sentence (talk, whisper): NULL or "" says Skip; without a callback it says Over. A
 * text that is not in the language would cost the game or the contest: it is reported, and Skip
 * is said.
 * Asked for an agent (vote, divine, guard, attack): 0 names nobody, which leaves a vote to the
 * server's chance. Without a callback it is warg_random_living(). */
typedef struct WargAgent {
    const char *name; /* when no other is given; NULL = "agent" */
    WargRole wish;    /* if the server asks; contests don't */

    void (*initialize)(const WargGame *game, void *user); /* a game begins: forget the last */
    void (*day_start)(const WargGame *game, void *user);  /* the dead hear it too */
    void (*heard)(const WargGame *game, const WargTalk *talk, void *user); /* each, my own too */
    void (*day_end)(const WargGame *game, void *user);                     /* talk is over */
    void (*finish)(const WargGame *game, void *user); /* all roles are known now */

    const char *(*talk)(const WargGame *game, void *user);
    const char *(*whisper)(const WargGame *game, void *user);
    int (*vote)(const WargGame *game, void *user);
    int (*divine)(const WargGame *game, void *user);
    int (*guard)(const WargGame *game, void *user);
    int (*attack)(const WargGame *game, void *user);

    /* Something the author should know; NULL prints it to standard error. */
    void (*report)(const char *message, void *user);

    void (*reserved[8])(void); /* NULL */
} WargAgent;

/* How it went; the numbers are exit statuses. */
typedef enum WargResult {
    WARG_PLAYED = 0, /* the server ended the connection when a game was over */
    WARG_USAGE = 2,  /* the command line is wrong */
    WARG_LOST = 3,   /* no server, an end in the middle of a game, or a line that is no packet */
    WARG_NO_MEMORY = 4
} WargResult;

/* Connects (for ten seconds, until somebody answers) and plays until the server ends the
 * connection. `name` may be NULL. Reports why when the result is not WARG_PLAYED. */
WARG_API int warg_agent_play(const char *host, int port, const char *name, const WargAgent *agent,
                             void *user);

/* The same with a command line, as contests start agents: -h HOST -p PORT -n NAME -r ROLE, each
 * with a default (127.0.0.1, 10000); --help prints that. `user` of the callbacks is NULL. Returns
 * what main() is to return. */
WARG_API int warg_agent_main(int argc, char **argv, const WargAgent *agent);

#ifdef __cplusplus
}
#endif

#endif
