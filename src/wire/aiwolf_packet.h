/* aiwolf_packet.h - what the protocol division's server says to an agent: one JSON line a packet.
 *
 * For:    seats of the protocol division. Views go in, bytes come out; nobody is asked anything
 *         here and no clock is known.
 * Memory: appends to the caller's Buf; ask buf_failed() once at the end.
 * Thread: pure.
 * Source: docs/spec/protocol-division.md 1.2, 1.4 and 2.
 */
#ifndef WARG_WIRE_AIWOLF_PACKET_H
#define WARG_WIRE_AIWOLF_PACKET_H

#include "base/buf.h"
#include "game/game.h"

typedef enum AiwolfRequest {
    AIWOLF_NAME,
    AIWOLF_ROLE,
    AIWOLF_INITIALIZE,
    AIWOLF_DAILY_INITIALIZE,
    AIWOLF_DAILY_FINISH,
    AIWOLF_TALK,
    AIWOLF_WHISPER,
    AIWOLF_VOTE,
    AIWOLF_DIVINE,
    AIWOLF_GUARD,
    AIWOLF_ATTACK,
    AIWOLF_FINISH,
    AIWOLF_BID, /* ours, and sent to those alone who are known to take it */
    AIWOLF_REQUEST_COUNT,
} AiwolfRequest;

/* Utterances of a day as they stand in packets, so that each is written once and not once for every
 * agent that hears it. */
typedef struct AiwolfTalkText {
    Buf bytes; /* each with a comma in front */
    Buf ends;  /* where each ends in `bytes`: a uint32_t each */
    uint32_t count;
} AiwolfTalkText;

/* One for all agents of a table, who hear the same; zero it first. INITIALIZE and DAILY_INITIALIZE
 * empty it. */
typedef struct AiwolfDayText {
    AiwolfTalkText talk;
    AiwolfTalkText whisper;
} AiwolfDayText;

void aiwolf_day_text_done(AiwolfDayText *text);

/* How much of today's talk and whisper an agent has been sent in histories: one for each agent.
 * Zero it before the first packet; DAILY_INITIALIZE and INITIALIZE set it back (2.4). */
typedef struct AiwolfCursor {
    uint32_t talk;
    uint32_t whisper;
    AiwolfDayText *day_text; /* borrowed; NULL: every utterance is written anew */
    int64_t told_seed; /* sent as randomSeed: any number that says nothing about the real one */
} AiwolfCursor;

/* "DAILY_INITIALIZE"; constant. */
const char *aiwolf_request_name(AiwolfRequest request);

/* The request of this name; false for any other text. */
bool aiwolf_request_of(Str name, AiwolfRequest *ret_request);

/* The request that asks this. */
AiwolfRequest aiwolf_request_of_ask(AskKind kind);

/* Whether an agent answers it: all but INITIALIZE, DAILY_INITIALIZE, DAILY_FINISH and FINISH. */
bool aiwolf_request_wants_answer(AiwolfRequest request);

/* Appends one packet with its LF: ASCII, no white space, keys sorted, all five keys, 21 in
 * gameInfo, 19 in gameSetting. What it carries follows 2.3, by `revote` and by what the view knows
 * of today's execution; `cursor` moves when histories are sent. NAME and ROLE take a NULL view and
 * cursor. The real random seed is not in a view and so can't be sent. */
void aiwolf_packet_write(AiwolfRequest request, bool revote, const View *view, AiwolfCursor *cursor,
                         Buf *out);

#endif
