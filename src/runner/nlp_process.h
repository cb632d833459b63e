/* nlp_process.h - a server of the natural-language division in a process of its own, for one track
 *                 of a contest.
 *
 * For:    runner/job_nlp.c.
 * Memory: an NlpProcess is freed by nlp_process_free, which kills it first.
 * Thread: the main thread, before others are there: it forks.
 * Source: docs/spec/contest-operations.md 9: "config is a file of warg serve nlp; authentication,
 *         matching, ports and log folders are overwritten".
 *
 *   FOLDER/logs/      game logs, and the journal of all games
 *   FOLDER/json/      JSON logs
 *   FOLDER/schedule.json   of main matches
 *   FOLDER/server.log      what the server says
 *
 * It dies with who started it.
 */
#ifndef WARG_RUNNER_NLP_PROCESS_H
#define WARG_RUNNER_NLP_PROCESS_H

#include "base/buf.h"
#include "base/err.h"
#include "base/time_us.h"
#include "nlp/config.h"

typedef struct NlpProcess NlpProcess;

typedef struct NlpProcessSetup {
    Config *config; /* read from the track's file; changed; borrowed until it has started */
    const char *folder;
    const char *host;
    uint16_t port; /* 0 = any free one; nlp_process_port tells */
    Str secret;    /* of participants' tokens */
    Str operator_token;
    const char *key;        /* of all chance, as --seed has it; NULL = drawn */
    uint32_t self_per_hour; /* self matches of a team in an hour; 0 = no end */
    bool main;              /* matches of FOLDER/schedule.json; else self matches, and it stays */
    TimeUs (*now)(void);
} NlpProcessSetup;

/* Starts it. Errors: ERR_IO, ERR_MEMORY; what the server itself finds wrong it says, and ends. */
int nlp_process_start(const NlpProcessSetup *setup, NlpProcess **ret_process, Err *err);
NlpProcess *nlp_process_free(NlpProcess *process); /* takes NULL */

/* Hears the lines that it has said since, each once; they go to FOLDER/server.log, too. */
void nlp_process_listen(NlpProcess *process, void (*hear)(void *user, Str line), void *user);
/* The port that it listens on, once it has said so; 0. */
uint16_t nlp_process_port(const NlpProcess *process);
/* True when it has ended; its exit status, 128 and the signal for one that was killed. */
bool nlp_process_ended(NlpProcess *process, int *ret_status);
/* No further game begins; the second time those under way are ended. */
void nlp_process_drain(NlpProcess *process);

#endif
