/* play.h - what `warg play` is in both divisions: a loop, a screen, a person and the clock of asks.
 *
 * For:    cmd_play.c, play_aiwolf.c, play_nlp.c.
 * Memory: a Play is the caller's struct; play_done frees what it holds. The plan is borrowed.
 * Thread: main thread.
 * Source: docs/spec/maw.md 6.1.
 */
#ifndef WARG_PERSON_PLAY_H
#define WARG_PERSON_PLAY_H

#include "person/person.h"

typedef struct PlayPlan {
    const char *name; /* the answer to NAME */
    TimeUs wait;      /* how long to go on calling a server that does not answer */
    PersonLanguage language;
    bool plain;
    /* protocol division */
    const char *host;
    uint16_t port;
    Role wish;
    /* natural-language division */
    const char *url;
    const char *token; /* NULL = none */
    const char *ca;    /* NULL = the system's certificates */
} PlayPlan;

/* What a division does at a table. */
typedef struct PlaySide {
    bool protocol; /* answers are sentences of the protocol language */
    TimeUs again;  /* between two calls of a server that is not there */
    void (*dial)(void *user);
    void (*answer)(void *user, const Ask *ask, const Answer *answer);
    void *user;
} PlaySide;

typedef struct Play {
    const PlayPlan *plan;
    PlaySide side;
    Loop *loop;
    Screen *screen;
    Person *person;
    Timer *tick;
    Timer *again;
    TimeUs give_up; /* no more calls */
    bool over;      /* what was to be played is played */
    bool left;      /* the person does not want to go on */
    Err failed;
} Play;

int play_open(const PlayPlan *plan, const PlaySide *side, Play *play, Err *err);
void play_done(Play *play);
/* Behind every call of a person_ function: when the clock has to look again. */
void play_watch(Play *play);
/* The games are over: a person at a terminal still reads the end, and leaves by /quit. */
void play_over(Play *play);
/* There is no way on. */
void play_fail(Play *play, ErrCode code, const char *why);
/* The server is not there: it is called again in a moment. False when that went on for long enough.
 */
bool play_again(Play *play);
/* Calls the server, runs the loop to the end, gives the terminal back and says how it went. */
int play_run(Play *play, Err *err);

/* Plays until the server ends it. Errors: ERR_IO for a server that is not there or goes away in
 * mid-game; ERR_SYNTAX and ERR_LIMIT for what is no packet; ERR_INTERRUPTED for a person who left;
 * ERR_MEMORY. */
int play_aiwolf(const PlayPlan *plan, Err *err);
int play_nlp(const PlayPlan *plan, Err *err);

#endif
