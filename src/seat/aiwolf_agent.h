/* aiwolf_agent.h - one agent of the protocol division, however it is reached: its requests, its
 *                  clock, its faults.
 *
 * For:    tables. An agent is asked one thing at a time; it answers, or it fails, once. It knows no
 *         socket and no clock: messages and time come in (LinkEars), bytes go out by a Link.
 * Memory: an AiwolfAgent owns its link; aiwolf_agent_free closes it.
 * Thread: one at a time.
 * Source: docs/spec/protocol-division.md 1.3 to 1.5, 6.3 (fault policy).
 *
 *   NEW --name line--> READY --ask--> ASKED --line--> READY ...
 *    |                   |              |
 *    +-------------------+--- fault ----+--> FAILED   (the link is closed, for good)
 *
 *   A fault is: no answer within limit + grace and what it had to wait (seat/answer_clock.h), the
 * end of the connection, a line over the limit, a line that no request asked for, more unsent bytes
 * than allowed. An agent that has ended only its side of the connection is read to the end, a last
 * line without line end too, and is at fault when it is asked again; before its first game at once.
 * In FAILED nothing is sent, and nothing is called back.
 */
#ifndef WARG_SEAT_AIWOLF_AGENT_H
#define WARG_SEAT_AIWOLF_AGENT_H

#include "base/durations.h"
#include "record/fault.h"
#include "seat/link.h"
#include "wire/aiwolf_answer.h"
#include "wire/aiwolf_packet.h"

typedef struct AiwolfAgent AiwolfAgent;

/* What an agent reports. May free the agent. `answer` and the fault's bytes are borrowed for the
 * call. */
typedef struct AiwolfAgentEvents {
    void (*named)(void *user);                                     /* the answer to NAME has come */
    void (*answered)(void *user, const Answer *answer, TimeUs at); /* when it came */
    void (*failed)(void *user, const Fault *fault);  /* FAILED now; the seat of the fault is 0 */
    void (*counted)(void *user, const Fault *fault); /* a malformed target line, nothing more */
} AiwolfAgentEvents;

/* Times in microseconds. */
typedef struct AiwolfAgentLimits {
    TimeUs answer;           /* what the rules allow; more is an excess */
    TimeUs grace;            /* beyond it: an excess, not yet a fault */
    TimeUs first_game_grace; /* in its first game, if that is more: compilers are at work */
    TimeUs startup; /* for NAME and for the first answer of all: interpreters are loading */
} AiwolfAgentLimits;

/* Answers over the limit that were taken. */
typedef struct AiwolfAgentExcesses {
    uint32_t count;
    uint32_t excused; /* of these: over limit and grace too, for what the program had to wait */
    TimeUs waited;    /* in all: for a processor, or for this program (seat/answer_clock.h) */
} AiwolfAgentExcesses;

/* Packets are built in `scratch`, one buffer for all agents of a loop, borrowed for the agent's
 * life.
 * Errors: ERR_MEMORY. */
int aiwolf_agent_new(const AiwolfAgentLimits *limits, const AiwolfAgentEvents *events, void *user,
                     Buf *scratch, AiwolfAgent **ret_agent, Err *err);
/* Takes the link, sends NAME and waits. Once, before anything else. */
void aiwolf_agent_open(AiwolfAgent *agent, Link take_link, TimeUs now);
AiwolfAgent *aiwolf_agent_free(AiwolfAgent *agent);

/* From now on reports to these. */
void aiwolf_agent_attach(AiwolfAgent *agent, const AiwolfAgentEvents *events, void *user);

/* It has taken a seat at a table, whose utterances are written once for all into `day_text`
 * (borrowed for the agent's life). */
void aiwolf_agent_join(AiwolfAgent *agent, AiwolfDayText *day_text);

/* What it answered to NAME, as it came, the first 1024 bytes; empty before. Borrowed while the
 * agent lives. */
Str aiwolf_agent_name(const AiwolfAgent *agent);
bool aiwolf_agent_failed(const AiwolfAgent *agent);

/* What comes over its link goes to these, with the agent as `user`. */
extern const LinkEars aiwolf_agent_ears;

/* Sends a request; its answer comes by `answered`. Must be READY or FAILED (then nothing happens,
 * and the caller answers for it). Bytes that came before it are a fault (6.3, point 6), which is
 * reported from aiwolf_agent_due at the latest, not from inside. */
void aiwolf_agent_ask(AiwolfAgent *agent, const Ask *ask, const View *view, TimeUs now);

/* Sends a packet that has no answer. */
void aiwolf_agent_tell(AiwolfAgent *agent, AiwolfRequest request, const View *view);

/* When aiwolf_agent_due has to be called; TIME_US_NEVER when nothing is due. */
TimeUs aiwolf_agent_deadline(const AiwolfAgent *agent);
/* What is due at `now` happens: a timeout. */
void aiwolf_agent_due(AiwolfAgent *agent, TimeUs now);

/* The process behind it has ended: like the end of its connection, with the reason as bytes. */
void aiwolf_agent_fail(AiwolfAgent *agent, FaultKind kind, Str bytes, TimeUs now);

/* Its answer times since aiwolf_agent_begin_game, NAME left out, and those over the limit. */
const Durations *aiwolf_agent_times(const AiwolfAgent *agent);
const AiwolfAgentExcesses *aiwolf_agent_excesses(const AiwolfAgent *agent);

/* Before the first packet of a game: clears the times; `told_seed` is what INITIALIZE tells as
 * randomSeed. */
void aiwolf_agent_begin_game(AiwolfAgent *agent, int64_t told_seed);

#endif
