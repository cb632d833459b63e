/* agent_game.h - the inside of libwarg: what an agent knows, and a line of the server answered.
 *
 * For:    the .c files of this folder: agent_game.c keeps and tells what is known, agent_answer.c
 *         turns a packet into callbacks and their result into an answer, agent_text.c reads and
 *         writes sentences, agent_play.c is the connection and the command line. The folder is
 *         libwarg (include/warg_agent.h); nothing else of the program uses it.
 * Memory: a WargGame owns all it knows; texts are borrowed until the next packet.
 * Thread: the one that plays; pure but for agent_play.c.
 * Source: docs/spec/protocol-division.md 2.4, 9 (checklist for agents).
 */
#ifndef WARG_AGENT_AGENT_GAME_H
#define WARG_AGENT_AGENT_GAME_H

#include "base/rng.h"
#include "wire/aiwolf_client.h"

#include <warg_agent.h>

/* More than this of one game is an attack: eighteen players make 360 utterances a day. */
#define AGENT_TALKS_MAX      65536u
#define AGENT_TALK_BYTES_MAX (16u << 20)

/* One utterance; its text is at `at` in the list's texts, with a NUL behind it. */
typedef struct AgentTalk {
    uint16_t day;
    SeatNo seat;
    uint32_t idx;
    uint32_t turn;
    size_t at;
} AgentTalk;

/* All of a game; the client knows today's only. */
typedef struct AgentTalks {
    AgentTalk *items;
    uint32_t count;
    uint32_t room;
    Buf texts;
    uint16_t day;   /* of the client's list */
    uint32_t taken; /* of the client's list of that day */
} AgentTalks;

struct WargGame {
    AiwolfClient *client;
    const View *view; /* NULL before the first INITIALIZE */
    Rng *chance;      /* moves on in callbacks, which get a constant game */
    Rng chance_state;
    AgentTalks talks;
    AgentTalks whispers;
    bool revote;
    bool finished; /* the last packet was FINISH */

    const WargAgent *agent;
    void *user;
    const char *name;
    Role wish;
    Buf out; /* the last answer */
};

/* `agent`, `user` and `name` are borrowed for the game's life. */
int agent_game_new(const WargAgent *agent, void *user, const char *name, Role wish,
                   WargGame **ret_game, Err *err); /* ERR_MEMORY */
WargGame *agent_game_free(WargGame *game);

/* A line of the server: calls back, and gives the answer with its LF, or an empty text when none is
 * due; borrowed until the next line. Errors: as aiwolf_client_packet, ERR_LIMIT, ERR_MEMORY. */
int agent_game_line(WargGame *game, Str line, Str *ret_answer, Err *err);

/* Forgets the talk of the last game. */
void agent_game_clear_talk(WargGame *game);
/* Takes over what the last packet brought; what is new are the items behind `count` before it. */
int agent_game_take_talk(AgentTalks *talks, uint16_t day, const TalkLog *log, Err *err);
/* The public form of an utterance. */
WargTalk agent_game_talk(const AgentTalks *talks, uint32_t number, bool whisper);

/* Tells the author, through `report` or on standard error. */
void agent_report(const WargAgent *agent, void *user, const char *message);

/* Whether a text may be said: the language has it. */
bool agent_text_valid(Str text);

#endif
