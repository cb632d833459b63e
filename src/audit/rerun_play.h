/* rerun_play.h - a program is started once and sent what an agent of its name was sent in some
 * games of a set, one after the other; its answers are compared with those that were recorded.
 *
 * For:    rerun.c.
 * Memory: a RerunPlay owns its program, its connection and its script.
 * Thread: one at a time. No socket, no process and no clock: programs are behind a door, time comes
 *         by alarms.
 * Source: docs/spec/contest-operations.md 8.5, last paragraph.
 *
 *   started --its name--> game --all steps--> next game ... --none left, or a difference--> ends
 *                                                                                            |
 *   over <--its program is gone------------------------------------------------------------ -+
 */
#ifndef WARG_AUDIT_RERUN_PLAY_H
#define WARG_AUDIT_RERUN_PLAY_H

#include "audit/rerun_script.h"
#include "seat/started_agent.h"

#define RERUN_LIMIT_S   60 /* for an answer, and to come: more than any contest gives */
#define RERUN_SHOWN_MAX 160

typedef struct RerunPlay RerunPlay;

/* The first answer that is another. Plain value. */
typedef struct RerunDifference {
    bool found;
    bool came; /* the program had come; else it was sent nothing */
    unsigned line;
    uint16_t day;
    AskKind kind;
    char recorded[RERUN_SHOWN_MAX * 4 + 8]; /* printable */
    char given[RERUN_SHOWN_MAX * 4 + 8];    /* a sentence, when it is no answer: `lapse` */
    bool lapse;
    char end[ERR_TEXT_MAX]; /* how its program ended, if it did */
} RerunDifference;

typedef struct RerunPlaySetup {
    ProgramDoor door;
    Alarms *alarms;
    ProgramPlan plan; /* texts are borrowed for its life */
    /* Fills in the next game's script; false: there is none, or it could not be made. */
    bool (*next_game)(void *user, RerunScript *script);
    /* All is said and its program is gone; may free the play. */
    void (*over)(void *user);
    void *user;
} RerunPlaySetup;

/* Errors: those of starting the program, ERR_MEMORY. */
int rerun_play_new(const RerunPlaySetup *setup, TimeUs now, RerunPlay **ret_play, Err *err);
RerunPlay *rerun_play_free(RerunPlay *play); /* takes NULL, returns NULL */

const RerunDifference *rerun_play_difference(const RerunPlay *play);
/* Answers that were compared and are those. */
uint64_t rerun_play_answers(const RerunPlay *play);

#endif
