/* aiwolf_client.h - the agent's side of the protocol division: packets in, a View out.
 *
 * For:    `warg bot aiwolf` and libwarg: whatever plays by View and Ask plays over the wire.
 * Memory: an AiwolfClient owns the view and all it points to; borrowed until the next packet.
 * Thread: one at a time.
 * Source: docs/spec/protocol-division.md 2 and 9 (checklist for agents): packets merge by (day,
 *         idx), gameInfo replaces, INITIALIZE resets, unknown keys are ignored, absent ones
 *         tolerated.
 */
#ifndef WARG_WIRE_AIWOLF_CLIENT_H
#define WARG_WIRE_AIWOLF_CLIENT_H

#include "wire/aiwolf_packet.h"

/* A longer packet is refused. Well above the megabyte that docs/spec/protocol-division.md 1.2
 * suggests: gameInfo holds the whole talk of a day, and a few agents whose utterances are all
 * escapes can make it larger than that. */
#define AIWOLF_PACKET_BYTES_MAX (16u << 20)

typedef struct AiwolfClient AiwolfClient;

int aiwolf_client_new(AiwolfClient **ret_client, Err *err); /* ERR_MEMORY */
AiwolfClient *aiwolf_client_free(AiwolfClient *client);
void aiwolf_client_freep(AiwolfClient **client);

/* Takes one packet, without its line end. Every new utterance is parsed once (Talk.sentence; NULL
 * for what is not in the language). Keys that are unknown or absent are no error, but for the
 * request, and at INITIALIZE for gameInfo and its agent.
 * Errors: ERR_SYNTAX for what is not a packet, or comes before the first INITIALIZE; ERR_LIMIT for
 * more players, days or talk than a game can have; ERR_MEMORY. Nothing has changed then. */
int aiwolf_client_packet(AiwolfClient *client, Str line, AiwolfRequest *ret_request, Err *err);

/* The game as this agent knows it; NULL before the first INITIALIZE. view->rules is aiwolf-2021
 * with the settings that the server told. */
const View *aiwolf_client_view(const AiwolfClient *client);

/* The ask of the last packet, when that was one that a bot answers (all but NAME and those
 * without an answer); false otherwise. ROLE comes before a view exists. */
bool aiwolf_client_ask(const AiwolfClient *client, Ask *ret_ask);

/* The last FINISH: which side has won, by the statuses and roles it showed; SIDE_NONE before. */
Side aiwolf_client_winner(const AiwolfClient *client);

#endif
