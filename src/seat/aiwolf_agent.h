/* aiwolf_agent.h - one agent of the protocol division, however it is reached: a chair of that
 *                  division, and who hears what comes of it.
 *
 * For:    halls, where it says its name; tables and MAW's crew, who ask it. It knows no socket and
 *         no clock: messages and time come in (LinkEars), bytes go out by a Link.
 * Memory: an AiwolfAgent owns its link; aiwolf_agent_free closes it.
 * Thread: one at a time.
 * Source: docs/spec/protocol-division.md 1.3 to 1.5, 6.3 (fault policy).
 *
 *   PROBED --name line--> IDLE --ask--> ASKED --line--> IDLE ...          (seat/chair.h)
 *    |                     |              |
 *    +---------------------+--- fault ----+--> OUT   (the link is closed, for good)
 *
 *   A fault is: no answer within limit + grace and what it had to wait (seat/answer_clock.h), the
 * end of the connection, a line over the limit, a line that no request asked for, more unsent bytes
 * than allowed. An agent that has ended only its side of the connection is read to the end, a last
 * line without line end too, and is at fault when it is asked again; before its first game at once.
 */
#ifndef WARG_SEAT_AIWOLF_AGENT_H
#define WARG_SEAT_AIWOLF_AGENT_H

#include "seat/chair.h"
#include "wire/aiwolf_packet.h"

typedef struct AiwolfAgent AiwolfAgent;

/* What an agent reports. May free the agent. `answer` and the fault's bytes are borrowed for the
 * call. */
typedef struct AiwolfAgentEvents {
    void (*named)(void *user);                                     /* the answer to NAME has come */
    void (*answered)(void *user, const Answer *answer, TimeUs at); /* when it came */
    void (*failed)(void *user, const Fault *fault);  /* OUT now; the seat of the fault is 0 */
    void (*counted)(void *user, const Fault *fault); /* a malformed target line, nothing more */
} AiwolfAgentEvents;

/* `patience` is borrowed for the agent's life. Packets are built in `scratch`, one buffer for all
 * agents of a loop, borrowed too.
 * Errors: ERR_MEMORY. */
int aiwolf_agent_new(const Patience *patience, const AiwolfAgentEvents *events, void *user,
                     Buf *scratch, AiwolfAgent **ret_agent, Err *err);
/* Takes the link, sends NAME and waits. Once, before anything else. */
void aiwolf_agent_open(AiwolfAgent *agent, Link take_link, TimeUs now);
AiwolfAgent *aiwolf_agent_free(AiwolfAgent *agent);

/* From now on reports to these. */
void aiwolf_agent_attach(AiwolfAgent *agent, const AiwolfAgentEvents *events, void *user);

/* It sits down on a chair of a table, which outlives it and keeps its times and faults; utterances
 * of the table are written once for all into `day_text` (borrowed for the agent's life). */
void aiwolf_agent_join(AiwolfAgent *agent, Chair *chair, AiwolfDayText *day_text);

/* What it answered to NAME, as it came, the first 1024 bytes; empty before. Borrowed while the
 * agent lives. */
Str aiwolf_agent_name(const AiwolfAgent *agent);
bool aiwolf_agent_failed(const AiwolfAgent *agent);
const Chair *aiwolf_agent_chair(const AiwolfAgent *agent);
/* The time of what it reports now. */
TimeUs aiwolf_agent_now(const AiwolfAgent *agent);

/* The message that it reports now, as it came; borrowed for that call. */
Str aiwolf_agent_line(const AiwolfAgent *agent);

/* What comes over its link goes to these, with the agent as `user`. */
extern const LinkEars aiwolf_agent_ears;

/* Sends a request; its answer comes by `answered`. Must be IDLE or OUT (then nothing happens, and
 * the caller answers for it). Bytes that came before it are a fault (6.3, point 6), which is
 * reported from aiwolf_agent_due at the latest, not from inside. */
void aiwolf_agent_ask(AiwolfAgent *agent, const Ask *ask, const View *view, TimeUs now);

/* Sends a packet that has no answer. */
void aiwolf_agent_tell(AiwolfAgent *agent, AiwolfRequest request, const View *view);

/* Both with packets of a game that was played before, each with its line end. */
void aiwolf_agent_ask_again(AiwolfAgent *agent, AskKind kind, uint16_t day, Str packet, TimeUs now);
void aiwolf_agent_tell_again(AiwolfAgent *agent, Str packet);

/* When aiwolf_agent_due has to be called; TIME_US_NEVER when nothing is due. */
TimeUs aiwolf_agent_deadline(const AiwolfAgent *agent);
/* What is due at `now` happens: a timeout. */
void aiwolf_agent_due(AiwolfAgent *agent, TimeUs now);

/* The process behind it has ended: like the end of its connection, with the reason as bytes. */
void aiwolf_agent_fail(AiwolfAgent *agent, FaultKind kind, Str bytes, TimeUs now);

/* Before the first packet of a game; `told_seed` is what INITIALIZE tells as randomSeed. */
void aiwolf_agent_begin_game(AiwolfAgent *agent, int64_t told_seed);

#endif
