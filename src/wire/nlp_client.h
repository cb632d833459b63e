/* nlp_client.h - the agent's side of the natural-language division: packets in, a View out.
 *
 * For:    `warg bot nlp`: whatever plays by View and Ask plays over the wire.
 * Memory: an NlpClient owns the view and all it points to; borrowed until the next packet.
 * Thread: one at a time.
 * Source: docs/spec/nlp-division.md 3, 10, 12.4. Packets of generations A, B and C.
 */
#ifndef WARG_WIRE_NLP_CLIENT_H
#define WARG_WIRE_NLP_CLIENT_H

#include "wire/nlp_packet.h"

#define NLP_PACKET_BYTES_MAX (16u << 20)

typedef struct NlpClient NlpClient;

int nlp_client_new(NlpClient **ret_client, Err *err); /* ERR_MEMORY */
NlpClient *nlp_client_free(NlpClient *client);
void nlp_client_freep(NlpClient **client);

/* Takes one packet. Unknown keys are no error, nor are absent ones but `request`, and at INITIALIZE
 * `info.agent` and `info.status_map`. Seats are numbered in the order of status_map.
 * Errors: ERR_SYNTAX, ERR_LIMIT, ERR_MEMORY; nothing has changed then. */
int nlp_client_packet(NlpClient *client, Str packet, NlpRequest *ret_request, Err *err);

/* The game as this agent knows it; NULL before the first INITIALIZE. view->rules is nlp-turn with
 * the settings that the server told. Talk.time is the told one: unix ms, 0 in generations without
 * it. What others have left is counted by what they were heard to say; what this agent has left is
 * as told (generation A: without the utterance that is asked for). */
const View *nlp_client_view(const NlpClient *client);

/* The ask of the last packet when it wants a reply; in a speak-anytime session (from PHASE_START to
 * PHASE_END) a standing TALK or WHISPER. */
bool nlp_client_ask(const NlpClient *client, Ask *ret_ask);

/* Whom this agent is to play in the game that began last, as the server describes the character;
 * empty when it does not. Borrowed until the next INITIALIZE. */
Str nlp_client_profile(const NlpClient *client);

/* The id of the game that began last, as the server tells it; empty when it does not, or when it is
 * longer than 64 bytes. Borrowed until the next INITIALIZE. */
Str nlp_client_game(const NlpClient *client);

/* The last FINISH: which side has won, by the statuses and roles it showed. */
Side nlp_client_winner(const NlpClient *client);

#endif
