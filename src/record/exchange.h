/* exchange.h - the exchange record of a game: what each seat was asked, what it answered, and how
 *              long that took. Written while the game is played, read line by line.
 *
 * For:    tables with outside agents (match/table.h); exchange_replay.h, which plays the game again
 *         from it; `warg log exchange`.
 * Memory: a writer owns its text. What a reader gives is borrowed until the next call.
 * Thread: pure; one at a time per writer and reader.
 * Source: docs/spec/contest-operations.md 11.4.
 *
 * DIR/exchange/312.jsonl.gz beside DIR/logs/312.log.gz. A header, a line for each ask in the order
 * in which they were opened, a last line:
 *
 *     {"exchange":1,"stage":0,"part":0,"number":312,"set":3,"game":312,"ruleset":"aiwolf-2021",
 *      "rules":"3f1c...","told_seed":77,"agents":["ann","bo",...],"bots":[2,4],"fixed":["WEREWOLF",null,...]}
 *     {"a":17,"s":3,"k":"TALK","t":12.31,"w":0.0,"r":"ESTIMATE Agent[04] SEER"}
 *     {"a":18,"s":1,"k":"VOTE","t":101.02,"w":0.0,"l":"timeout"}
 *     {"end":"win","asks":812}
 *
 *   deal   beside number, in blocks: by it, and not by number, the game's key follows
 *   part, number  by which the game's key follows from that of the stage; set and game count
 *          through a stage of several sizes of tables
 *   rules  SHA-256 of the ruleset as `warg rules show` prints it
 *   a      number of the ask; those that were opened together share it
 *   s, k   seat and kind
 *   t, w   milliseconds from the request to the answer, and what of that it had to wait; of
 *          programs only
 *   r      the line as it came, or what one of our bots answered, as a program would write it;
 *          "b" in its place: the same in base64, because it is no text
 *   l      no answer: "timeout", "disconnect", "malformed", "early": its fault; "out": its agent
 *          had failed before; "none": a bot that does nothing; "end": the game was over before.
 *          With r or b: what came and was not taken, at most FAULT_BYTES_MAX bytes
 *   f      with l "end": the fault that ended the game
 *
 * Bots' answers stand here although the key gives them: the record is played again without bots, by
 * any later build. What agents were sent does not: it follows from key, rules and answers, byte for
 * byte (exchange_replay.h). The game's seed is not in it either: the key may still be secret.
 *
 * There is one way to write a record, and the reader takes no other.
 */
#ifndef WARG_RECORD_EXCHANGE_H
#define WARG_RECORD_EXCHANGE_H

#include "record/game_record.h"

#define EXCHANGE_LINE_MAX ((size_t)512 * 1024)
#define EXCHANGE_TEXT_MAX ((size_t)256 * 1024 * 1024)

typedef struct ExchangeHeader {
    uint32_t stage; /* by stage_number */
    uint32_t part;  /* of the stage, and the game's number in it */
    uint64_t number;
    uint64_t deal; /* as GameRecord.deal */
    uint64_t set;
    uint64_t game;
    char ruleset[RULESET_NAME_MAX];
    char rules[SHA256_HEX_BYTES];
    int64_t told_seed; /* what agents are told in INITIALIZE; says nothing of the real one */
    SeatNo seat_count;
    SeatSet bots;             /* built-in */
    Str names[SEAT_MAX + 1];  /* of the agents; borrowed */
    Role fixed[SEAT_MAX + 1]; /* roles that were not drawn; else ROLE_NONE */
} ExchangeHeader;

typedef enum ExchangeLapse {
    EXCHANGE_ANSWERED,
    EXCHANGE_FAULT,   /* `fault` is why */
    EXCHANGE_OUT,     /* its agent had failed before */
    EXCHANGE_NOTHING, /* a bot that does nothing, or who takes no bids */
    EXCHANGE_ENDED,   /* the game ended first; `fault`: what ended it, if that was its own */
} ExchangeLapse;

typedef struct ExchangeEntry {
    uint32_t ask;
    SeatNo seat;
    AskKind kind;
    ExchangeLapse lapse;
    FaultKind fault; /* FAULT_COUNT: none */
    bool timed;      /* a program's */
    int64_t elapsed_us;
    int64_t waited_us;
    Str text; /* the answer; of a lapse what came and was not taken */
} ExchangeEntry;

/* "TALK"; the request that asks this. */
const char *exchange_kind_name(AskKind kind);
/* "timeout", "out", "none", "end"; "" for an answer. */
const char *exchange_lapse_name(const ExchangeEntry *entry);

/* Where the record of the game with this log is: "logs/312.log" has "exchange/312.jsonl.gz".
 * False for a log elsewhere. */
bool exchange_path(const char *log, char ret_path[static GAME_LOG_MAX + 1]);

/* The digest of a ruleset. Errors: ERR_MEMORY. */
int exchange_rules_digest(const Ruleset *rules, char ret_hex[static SHA256_HEX_BYTES], Err *err);

/* ---- writing ---- */

/* Zero it first. */
typedef struct ExchangeWriter {
    Buf out;     /* whole lines */
    Buf waiting; /* entries behind one that is open: ExchangeEntry each */
    Buf texts;   /* theirs */
    uint64_t asks;
    uint32_t open; /* of those that wait */
} ExchangeWriter;

void exchange_begin(ExchangeWriter *writer, const ExchangeHeader *header);
/* The seat is asked. */
void exchange_ask(ExchangeWriter *writer, const Ask *ask);
/* What the seat answers; nothing happens when it is not asked. `line`: as it came. */
void exchange_answer(ExchangeWriter *writer, SeatNo seat, Str line, int64_t elapsed_us,
                     int64_t waited_us);
/* The answer of a built-in bot, before the rules make anything of it. */
void exchange_bot(ExchangeWriter *writer, SeatNo seat, const Answer *answer);
/* A fault of the seat, which may be asked; its ask stays open. */
void exchange_fault(ExchangeWriter *writer, SeatNo seat, const Fault *fault);
/* The game gets no answer: the fault is why, or else somebody who had failed before. */
void exchange_lapse(ExchangeWriter *writer, SeatNo seat);
/* The last line. Ask buf_failed(&writer->out) then. */
void exchange_end(ExchangeWriter *writer, EndReason reason);
void exchange_done(ExchangeWriter *writer);

/* ---- reading ---- */

/* Zero it first. */
typedef struct ExchangeReader {
    Str rest;
    unsigned line; /* of what was read last, from 1 */
    uint64_t asks;
    bool over;        /* the last line was read */
    EndReason reason; /* then */
    ExchangeHeader header;
    Buf names; /* of the header */
    Buf text;  /* of the entry */
    Buf again; /* the line as it has to be */
} ExchangeReader;

/* Reads the header; `text` is borrowed. Errors: ERR_SYNTAX with the line, ERR_LIMIT, ERR_MEMORY. */
int exchange_open(Str text, ExchangeReader *reader, Err *err);
/* 1 = an entry, 0 = that was the last line. Errors: as above. */
int exchange_next(ExchangeReader *reader, ExchangeEntry *ret_entry, Err *err);
void exchange_close(ExchangeReader *reader); /* also for CLEANUP */

/* What the game gets of an entry: the answer as it is read from a wire. `storage` holds what is no
 * UTF-8. */
void exchange_read_answer(const ExchangeEntry *entry, Buf *storage, Answer *ret_answer);

#endif
