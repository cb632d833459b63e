/* nlp_client_state.h - what an agent of the natural-language division knows, and how packets change
 * it. Only for nlp_client.c and nlp_client_state.c.
 *
 * For:    reading a packet into a copy of the state, so that a bad one changes nothing.
 * Memory: a State is copied as it is; view and names lead into the client, where tie_view sees to
 *         that. JSON is borrowed for the call.
 * Thread: one at a time.
 * Source: docs/spec/nlp-division.md 3.3 and 3.4.
 */
#ifndef WARG_WIRE_NLP_CLIENT_STATE_H
#define WARG_WIRE_NLP_CLIENT_STATE_H

#include "wire/json_read.h"
#include "wire/nlp_packet.h"

#define NLP_DAY_MAX    1000
#define NLP_NAME_BYTES 256

/* What somebody has left in a session; 3.3. */
typedef struct NlpAllowance {
    uint16_t left[SEAT_MAX + 1];
    int32_t length[SEAT_MAX + 1];
    uint16_t skips[SEAT_MAX + 1];
} NlpAllowance;

/* What a packet changes. */
typedef struct NlpState {
    bool started;  /* there was an INITIALIZE */
    uint32_t days; /* that began, in all games */
    View view;
    Ruleset rules;
    uint8_t role_counts[ROLE_COUNT];
    char name_texts[SEAT_MAX + 1][NLP_NAME_BYTES];
    Str names[SEAT_MAX + 1]; /* tie_view makes them lead into name_texts */
    VoteLog votes;
    VoteLog attack_votes;
    TalkLog talk;
    TalkLog whisper;
    NlpAllowance talking;
    NlpAllowance whispering;
    bool broadcast[2]; /* talk, whisper: some of today's came as a broadcast */
    bool voted;        /* there was a VOTE, an ATTACK today */
    bool attacked;
    NlpRequest request;
    NlpRequest session; /* NLP_TALK, NLP_WHISPER: such a room is open; else NLP_NAME */
    bool revote;
    uint32_t asks;
    Side winner; /* of the last game that was finished */
} NlpState;

/* The seat that a text names; SEAT_NONE when it is absent or empty, and for nobody's name, which is
 * an error. */
SeatNo nlp_state_seat(JsonReader *reader, const json_t *object, const char *key,
                      const NlpState *state);

/* Which list a request is about: 0 talk, 1 whisper, -1 neither. */
int nlp_state_kind(NlpRequest request);

/* INITIALIZE: all is forgotten but the counts, and the winner of the game before. */
void nlp_state_begin(JsonReader *reader, const json_t *info, const json_t *setting,
                     NlpState *state);
void nlp_state_setting(JsonReader *reader, const json_t *setting, NlpState *state);
void nlp_state_info(JsonReader *reader, const json_t *info, NlpState *state);

#endif
