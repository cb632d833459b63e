/* nlp_log.h - the game log of the natural-language division, and its broadcast packets: both
 * written from events.
 *
 * For:    tables of that division. Files are opened elsewhere (nlp_files.h).
 * Memory: a writer borrows the seats, and owns the part of a packet that it keeps from one to the
 *         next (nlp_log_done); appends to the caller's Buf.
 * Thread: pure.
 * Source: docs/spec/nlp-division.md 8.2, 8.4, in the form of generation C.
 */
#ifndef WARG_RECORD_NLP_LOG_H
#define WARG_RECORD_NLP_LOG_H

#include "game/game.h"

/* Who sits where, as the logs name it. Texts are borrowed for the game's life. */
typedef struct NlpSeat {
    Str original; /* the answer to NAME */
    Str team;
    Str name;    /* in the game */
    Str profile; /* empty = none */
    Str avatar;  /* empty = none */
} NlpSeat;

/* Open, so that it can live inside a table. Its owner may set the switches after nlp_log_begin, and
 * sets `errored` as it comes. */
typedef struct NlpLogWriter {
    Str game_id;          /* borrowed */
    const NlpSeat *seats; /* seats[1..seat_count] */
    SeatNo seat_count;
    int64_t began_unix_ms;
    bool talk_time;     /* 8.2: the time at the end of talk and whisper lines; true at first */
    bool errored_empty; /* 4.5: an errored seat is neither alive nor dead, as in the reference */
    bool masked;        /* makes packets for who may know only what the village was told */
    SeatSet errored;
    SeatSet alive; /* masked: as far as the village was told */
    bool attacked; /* masked: an attack that dawn has not told yet */
    uint16_t attack_day;
    uint8_t roles[SEAT_MAX + 1]; /* Role */
    bool night;                  /* the second half of the day */
    uint32_t broadcasts;         /* `idx` of the last one */
    Buf agents;                  /* the packets' list of agents, while nothing of it changes */
    SeatSet agents_alive;        /* who is alive in it */
} NlpLogWriter;

void nlp_log_begin(NlpLogWriter *writer, Str game_id, const NlpSeat *seats, SeatNo seat_count,
                   int64_t began_unix_ms);

void nlp_log_done(NlpLogWriter *writer);

/* Keeps up with roles and deaths; call once for each event, in order, before the two below. */
void nlp_log_follow(NlpLogWriter *writer, const Event *event);

/* Appends the event's lines of the game log, each with its LF; often none. In an utterance
 * control characters are escaped: log_text.h. */
void nlp_log_event(const NlpLogWriter *writer, const Event *event, Buf *out);

/* Appends the broadcast packet of this event, without a line end, and counts it; false when the
 * event has none. A masked writer's have no role, no team (their order or number would tell who
 * plays), nothing that the village does not see (whispers, divination, guard, attack votes), and of
 * an attack the outcome at dawn: in the night an agent that still acts could use it. */
bool nlp_broadcast_event(NlpLogWriter *writer, const Event *event, Buf *out);

#endif
