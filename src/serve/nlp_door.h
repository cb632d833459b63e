/* nlp_door.h - one door of the natural-language division: a configuration, its server, its key, the
 *              models that fill its seats, and what people are told of them.
 *
 * For:    serve/doors.h.
 * Memory: a NlpDoor owns its server, key and guests; what the setup points to is borrowed for its
 *         life.
 * Thread: the loop's.
 * Source: docs/spec/nlp-division.md 2.7; docs/nlp.md.
 */
#ifndef WARG_SERVE_NLP_DOOR_H
#define WARG_SERVE_NLP_DOOR_H

#include "base/exit_status.h"
#include "llm/manner.h"
#include "serve/door_words.h"
#include "serve/server.h"

typedef struct NlpDoor NlpDoor;

typedef struct NlpDoorSetup {
    const Config *config;
    TlsServer *tls;     /* NULL = none */
    Str operator_token; /* as in ServerSetup */
    bool token_is_kept; /* in a file: it need not be told */
    const char *seed;   /* as nlp_key_read takes it; NULL: the configuration's, or drawn */
    size_t number;      /* among the servers of one command: each has a key of its own */
    bool fill;
    TimeUs fill_after;
    uint32_t self_per_hour;   /* as in NlpHallSetup */
    const char *fill_with;    /* NULL = bots */
    const char *record_minds; /* a folder for what they decide; NULL = none; as in ModelBots */
    bool record_prompts;
    const char *budget, *prices; /* of these models, of this server; NULL = none; as there */
    LlmOpinions opinions;        /* of these, where their spec has none */
    uint64_t games;              /* 0 = no end */
    /* The journal beside the logs, once the port is open; NULL in it = no logs are kept. */
    int (*results)(void *user, const Config *config, ResultJournal **ret_results, Err *err);
    bool quiet;
    bool several;         /* there are other servers: what it says begins with its port */
    uint32_t connections; /* open at once */
    unsigned loops;       /* as in ServerSetup */
    /* But for `where`, `closed`, `operator_token`, `date_of`, `rooms`, `note`, `user`; without
     * `host` they are on the server's own port only. */
    LivePagesSetup pages;
    const char *const *rooms; /* rooms that are made at the start, as their words; ends
                                 with NULL; NULL = none. Operators make others */
    bool terminal;            /* a person sees what is said: links come as QR codes, too */
    DateMs *date;             /* of what it says, its key and its guests' tokens */
    DateOf *date_of;          /* as in ServerSetup, and `now` */
    TimeUs now;

    DoorWords words;
    void (*over)(void *user); /* from the loop; the door may not be freed there */
    void *user;
} NlpDoorSetup;

/* Listens. Errors: those of server_open, with the configuration's name; nlp_key_read, guests_new.
 */
int nlp_door_open(Loop *loop, const NlpDoorSetup *setup, NlpDoor **ret_door, Err *err);
NlpDoor *nlp_door_free(NlpDoor *door); /* takes NULL */

void nlp_door_drain(NlpDoor *door, TimeUs now);   /* as server_drain */
void nlp_door_abort(NlpDoor *door, TimeUs now);   /* as server_abort */
void nlp_door_written(NlpDoor *door, TimeUs now); /* as server_written */

const char *nlp_door_path(const NlpDoor *door); /* of its configuration */
bool nlp_door_over(const NlpDoor *door);
NlpCounts nlp_door_counts(const NlpDoor *door);
/* Whether games were ended by nlp_door_abort. */
bool nlp_door_has_aborted(const NlpDoor *door);
/* Whether the schedule on disk lacks what was played. */
bool nlp_door_unsaved(const NlpDoor *door);
/* What guests that are models come to. */
Exit nlp_door_status(const NlpDoor *door);

#endif
