/* pace.h - how many requests a server of models gets: at once, in a minute, tokens in a minute, and
 *          fewer when it says that there are too many.
 *
 * For:    llm/endpoint.c; endpoints of one server share one.
 * Memory: an LlmPace is freed by who made it, after the endpoints that use it.
 * Thread: one at a time. No clock: time is an argument.
 * Source: docs/spec/models.md 1.6; additive increase and multiplicative decrease as in congestion
 *         control (Chiu and Jain, 1989).
 *
 * A refusal (429, 503, 529) halves the requests at once and puts a pause between two of them, twice
 * as long each time; nothing is asked before the time that the server named. Each round of good
 * answers gives one more at once, and takes a quarter of the pause.
 */
#ifndef WARG_LLM_PACE_H
#define WARG_LLM_PACE_H

#include "base/err.h"
#include "base/time_us.h"

typedef struct LlmPace LlmPace;

typedef struct LlmPaceSetup {
    uint32_t parallel; /* at once; 0 = 2 */
    uint32_t rpm;      /* requests in any minute; 0 = as many as it takes */
    uint32_t tpm;      /* tokens in any minute; 0 = as many as it takes */
    uint32_t pause_ms; /* the first pause after a refusal; 0 = 250 */
} LlmPaceSetup;

/* Who waits for the server, and wants to know when another one's request is over. */
typedef struct LlmPaceUser {
    struct LlmPaceUser *next;
    void (*wake)(void *user);
    void *user;
} LlmPaceUser;

int llm_pace_new(const LlmPaceSetup *setup, LlmPace **ret_pace, Err *err);
LlmPace *llm_pace_free(LlmPace *pace); /* takes NULL, returns NULL */

void llm_pace_join(LlmPace *pace, LlmPaceUser *user);  /* borrowed until it leaves */
void llm_pace_leave(LlmPace *pace, LlmPaceUser *user); /* of no effect for who has not joined */

/* When a request of about so many tokens may begin: now, later, or TIME_US_NEVER: when one of those
 * under way is over. */
TimeUs llm_pace_when(LlmPace *pace, uint32_t tokens, TimeUs now);
/* It begins; the number is given back at its end. */
uint64_t llm_pace_begin(LlmPace *pace, uint32_t tokens, TimeUs now);
/* It is over, with so many tokens (0: as was estimated). The others are woken. */
void llm_pace_end(LlmPace *pace, uint64_t number, uint32_t tokens);

/* Request `number` was refused as one too many; the server wants nothing for so long (0: it does
 * not say). Those that were under way together are one refusal. */
void llm_pace_refused(LlmPace *pace, uint64_t number, TimeUs wait, TimeUs now);
void llm_pace_good(LlmPace *pace); /* a request was answered */

/* Whether half of what a minute may take is used, or the server was asked too much of late: what is
 * not needed would be missed later. */
bool llm_pace_is_scarce(LlmPace *pace, TimeUs now);

/* The server wants nothing before this; INT64_MIN = it never said so. */
TimeUs llm_pace_held_until(const LlmPace *pace);
uint32_t llm_pace_parallel(const LlmPace *pace); /* as it is now */

#endif
