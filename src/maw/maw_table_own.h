/* maw_table_own.h - the inside of a MawTable, for maw_table.c and maw_seats.c only.
 *
 * For:    maw_table.c (session, time, files, leaderboard), maw_seats.c (who sits there).
 * Memory: see maw_table.h.
 * Thread: one.
 * Source: see maw_table.h.
 */
#ifndef WARG_MAW_MAW_TABLE_OWN_H
#define WARG_MAW_MAW_TABLE_OWN_H

#include "base/json.h"
#include "maw/maw_files.h"
#include "maw/maw_names.h"
#include "maw/maw_table.h"
#include "maw/session_replay.h"
#include "wire/json_read.h"

#define SEATS_MAX    64 /* also those who took a seat that became free */
#define ID_BYTES     64
#define DOMAIN_BYTES 200

typedef struct Seat {
    MawTable *table;
    char jid[DOMAIN_BYTES + 16];
    const char *kind;
    MawPlayer *player;
    MawDriver *driver; /* NULL: the caller decides */
    LlmSeat *model;
    MawAsked *asked;              /* who decides elsewhere; NULL = nobody */
    PromptLog *prompts;           /* NULL = its requests are not kept */
    LlmFigures before;            /* the model's in earlier lives of the session, by the record */
    LlmAnswers *answers;          /* kept, or given again; NULL = neither */
    LlmFigures told;              /* the model's at the end of its last round */
    OpinionScore opinions;        /* of the model as a villager; see seats_opinion.c */
    OpinionScore told_opinions;   /* those at the end of its last round */
    bool figures_told;            /* they stand in the record, for good */
    uint32_t faults[FAULT_COUNT]; /* of this round */
    const LlmEndpoint *endpoint;  /* the model's; NULL: the demo model, or none */
    void (*news)(void *user, const MawNews *news, TimeUs now);
    void *user;
    const char *fault; /* has failed: to be recorded; else NULL */
    const char *fault_at;
} Seat;

struct MawTable {
    MawTableSetup setup; /* its texts are those below; `rules` and `out` are of no use later */
    char id[ID_BYTES + 1];
    char domain[DOMAIN_BYTES + 1];
    MawSession *session;
    MawHouse *house;
    MawReader reader; /* of all seats */
    MawFiles *files;
    MawClock *clock;   /* which is kept; NULL = none */
    Alarms own_alarms; /* when nobody gave it any */
    Alarm alarm;
    void (*ended)(void *user, TimeUs now); /* in real time: it is over */
    void *ended_user;
    TimeUs began;
    TimeUs now; /* when it acted last */
    Seat *seats[SEATS_MAX];
    size_t seat_count;
    unsigned numbers[SEATS_MAX];      /* of JIDs, shuffled */
    const char *names[MAW_NAMES + 1]; /* shuffled, NULL-terminated */
    /* A session that is gone on with. */
    Buf record;        /* its lines */
    MawReplay *replay; /* NULL: they are done */
    bool resumed;
    uint32_t resumes_at; /* the round of its last line */
    TimeMs resumed_ms;   /* and its time */
    uint64_t life;       /* a number that no earlier one had */
    uint32_t rounds_told;
    bool over;
    bool stopped;
    bool failure_told; /* of the disk */
    bool model_trouble_told;
    Buf text;
};

/* ---- maw_seats.c ---- */

/* Numbers of JIDs and names, by the table's seed. */
void seats_shuffle(MawTable *table);
Seat *seat_free(Seat *seat);
/* "model" and "server" of who is a language model. */
void seats_write_model(const MawTable *table, Str jid, Json *json);
/* What a model's opinion was worth; a wolf's is not counted. */
void seats_hear_opinion(Seat *seat, const json_t *opinion);
/* Adds to an object what its opinions were worth, when it had any and the session is over. */
void seats_write_opinions(const MawTable *table, Str jid, Json *json);
/* What the table has written in the record that is done once more. */
int seats_hear_record(MawTable *table, Str line, Err *err);
/* Behind that: they come again, and decide. */
void seats_wake(MawTable *table);
/* Faults that were told since. */
void seats_record_faults(MawTable *table, TimeUs now);
/* A move of the recorded session: this seat's answer. Errors: ERR_RULE with file and line. */
int seats_replay(MawTable *table, const MawMove *move, Err *err);
/* Errors: ERR_RULE when there are more answers. */
int seats_end_replay(const MawTable *table, Err *err);
/* ---- seats_result.c ---- */

/* All but latencies. */
void seats_add_figures(LlmFigures *sum, const LlmFigures *one);
/* Adds to an object what a model's seat has taken, and what that cost, when the session is over:
 * before, it would say who whispers. */
void seats_write_costs(const MawTable *table, Str jid, uint32_t wins, Json *json);
/* A model's figures in all lives of the session; latencies are this one's. */
void seats_figures(const Seat *seat, LlmFigures *ret_figures);
/* Who decided for each seat of a round, and how. */
void seats_result(const MawTable *table, GameRecord *record, const Str *jids);
/* What each model has done, for the record's end. */
void seats_record_figures(MawTable *table);

/* ---- maw_table.c ---- */

void maw_table_record(MawTable *table, Str json);

#endif
