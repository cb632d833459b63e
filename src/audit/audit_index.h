/* audit_index.h - where what stands in a journal: lines of sets, games, keys.
 *
 * For:    audit.c, which names the line of what it finds.
 * Memory: an AuditIndex owns its lists and its file.
 * Thread: one.
 * Source: journal/journal.h.
 */
#ifndef WARG_AUDIT_AUDIT_INDEX_H
#define WARG_AUDIT_AUDIT_INDEX_H

#include "journal/journal.h"
#include "journal/journal_voids.h"
#include "record/stage_number.h"

/* A line of a set or a game. */
typedef struct AuditLine {
    uint32_t stage; /* by stage_number */
    uint64_t number;
    unsigned line;
    uint32_t bytes;        /* without the newline */
    uint64_t at;           /* in the file */
    uint64_t faults_bytes; /* of a game */
    uint32_t part;         /* of the journal, counted by its keys */
    bool seen;
} AuditLine;

typedef struct AuditLines {
    AuditLine *items; /* sorted by stage and number once the journal was read */
    size_t count;
    size_t room;
} AuditLines;

#define AUDIT_RULINGS_MAX 4096

typedef struct AuditRuling {
    unsigned line;
    uint32_t stage;
    RulingDecision decision;
} AuditRuling;

#define AUDIT_PARTS_MAX 4096 /* each time that a server was gone on with */

/* What is played with one key of the first stage: all, but for a server. */
typedef struct AuditPart {
    Key commitment; /* of the second part on; that of the first is in the plan */
    Key key;
    unsigned begun;     /* line of the commitment */
    unsigned published; /* line of the key; 0 = none */
} AuditPart;

typedef struct AuditIndex {
    int file;
    Buf plan;
    AuditLines sets;
    AuditLines games; /* in the order of the file in `order` */
    uint64_t lines;
    unsigned frozen[STAGES_MAX]; /* lines; 0 = none */
    unsigned told[STAGES_MAX];
    unsigned first_game[STAGES_MAX]; /* of the stage itself */
    unsigned last_game[STAGES_MAX];  /* ... its extra rounds included */
    unsigned published[STAGES_MAX];
    JournalKey keys[STAGES_MAX]; /* what was published */
    AuditPart *parts;            /* at least one */
    uint32_t part_count;
    unsigned cut[STAGES_MAX];  /* the note of who goes on */
    unsigned stop[STAGES_MAX]; /* where a stage of rounds is said to be over */
    Buf cuts[STAGES_MAX];
    AuditRuling rulings[AUDIT_RULINGS_MAX];
    uint32_t ruling_count;
    Buf ruled;    /* agent and rule of each, a line each */
    unsigned end; /* line; 0 = none */
    JournalTrial trial;
    unsigned trial_line; /* the last of its kind; 0 = none */
    JournalVoids voids;  /* what operators have made void */
    bool torn;
} AuditIndex;

/* Errors: ERR_IO, ERR_MEMORY; ERR_SYNTAX, ERR_LIMIT with the line for what is no journal. Give it
 * to audit_index_done in every case. */
int audit_index_read(const char *dir, AuditIndex *ret_index, Err *err);
void audit_index_done(AuditIndex *index); /* also for CLEANUP */

/* The first line of this stage with this number or a higher one: an index, up to the count. */
size_t audit_index_from(const AuditLines *lines, uint32_t stage, uint64_t number);
/* The first line of this set or game; a contest that was gone on with says once more who sits in a
 * set: those lines follow it. NULL when there is none. */
AuditLine *audit_index_find(const AuditLines *lines, uint32_t stage, uint64_t number);

/* Reads a line once more. Errors: ERR_IO, ERR_SYNTAX, ERR_MEMORY, those of the listener. */
int audit_index_hear(const AuditIndex *index, const AuditLine *line, Buf *text,
                     const JournalListener *listener, GameRecord *scratch, Err *err);

/* The record of a game; what it borrows stays in `text`. Errors: as above. */
int audit_index_game(const AuditIndex *index, const AuditLine *line, Buf *text,
                     int (*hear)(void *user, const GameRecord *record, Err *err), void *user,
                     GameRecord *scratch, Err *err);

#endif
