/* nlp_packet.h - what the server of the natural-language division sends: a view as one JSON object.
 *
 * For:    its tables; the logs of requests.
 * Memory: appends to the caller's Buf; all else is borrowed for the call.
 * Thread: pure.
 * Source: docs/spec/nlp-division.md 3, generation C on the wire: keys in alphabetical order, `time`
 *         in every talk. data/nlp-wire/protocol.schema.json; no key beside those.
 */
#ifndef WARG_WIRE_NLP_PACKET_H
#define WARG_WIRE_NLP_PACKET_H

#include "game/game.h"

typedef enum NlpRequest {
    NLP_NAME,
    NLP_INITIALIZE,
    NLP_DAILY_INITIALIZE,
    NLP_TALK,
    NLP_WHISPER,
    NLP_VOTE,
    NLP_DIVINE,
    NLP_GUARD,
    NLP_ATTACK,
    NLP_DAILY_FINISH,
    NLP_FINISH,
    NLP_TALK_PHASE_START,
    NLP_TALK_PHASE_END,
    NLP_TALK_BROADCAST,
    NLP_WHISPER_PHASE_START,
    NLP_WHISPER_PHASE_END,
    NLP_WHISPER_BROADCAST,
    NLP_BID, /* ours, and sent to those alone who are known to take it */
    NLP_REQUEST_COUNT,
} NlpRequest;

/* "DAILY_INITIALIZE"; NLP_REQUEST_COUNT for an unknown name. */
const char *nlp_request_name(NlpRequest request);
NlpRequest nlp_request_of(Str name);
/* The request that puts an ask; NLP_REQUEST_COUNT for ASK_ROLE. */
NlpRequest nlp_request_for(AskKind kind);
/* Whether a reply is awaited: TALK to ATTACK, BID, and NAME. */
bool nlp_request_has_reply(NlpRequest request);

/* What packets hold beside the view; the same for all of a game but `profile`. */
typedef struct NlpGameText {
    Str game_id;           /* ULID */
    Str setting;           /* JSON, from nlp_setting_write */
    Str profile;           /* the receiver's, in INITIALIZE; empty = the key is left out */
    int64_t began_unix_ms; /* Talk.time of the game's millisecond 0 */
} NlpGameText;

/* What a seat was sent of today's lists: 3.7. INITIALIZE and DAILY_INITIALIZE clear it; only the
 * cursor of a list that is sent moves on (the target of 3.7). */
typedef struct NlpCursor {
    uint32_t talk;
    uint32_t whisper;
} NlpCursor;

/* Appends one packet, without a line end. `news` is the utterance of a *_BROADCAST, else NULL;
 * `cursor` may be NULL for NAME. Names in the game sort the maps, bytewise: seat order would leak.
 */
void nlp_packet_write(NlpRequest request, const View *view, const NlpGameText *text,
                      NlpCursor *cursor, const Talk *news, Buf *out);

/* The `setting` of a game: the rules as agents are told them. `role_named[role]`: the configuration
 * names this role, so it is told even with 0. Times in milliseconds. */
void nlp_setting_write(const Ruleset *rules, int32_t players,
                       const bool role_named[static ROLE_COUNT], int32_t action_ms,
                       int32_t response_ms, Buf *out);

/* The reply as the rules get it: every LF taken out (1.4), for a name and health check only those
 * at the end. `out` is cleared before. Invalid UTF-8 is replaced on receipt, before this. */
void nlp_reply_text(Str reply, Buf *out);
Str nlp_name_text(Str reply); /* a part of `reply` */
/* The seat whose name in the game is exactly `text`; SEAT_NONE when it is nobody's. */
SeatNo nlp_reply_target(Str text, const Str *names, SeatNo seat_count);

/* The team of an original name: without all trailing ASCII digits (2.1). A part of `name`. */
Str nlp_team_of(Str name);

#endif
