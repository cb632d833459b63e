/* log_check.h - whether a game log could come from a legal game, and by which rules.
 *
 * For:    `warg log check`, `warg log stats`, tests of recorders, contest organisers.
 * Memory: the text is borrowed for the call; a verdict is a plain value.
 * Thread: pure.
 * Source: docs/spec/protocol-division.md 3, 4 and 5; docs/spec/nlp-division.md 4 and 8; the
 *         differences of the older contest servers are inferred from the logs they left
 *         (tests/data) and hold for all of them without an exception; each is one row of the table
 *         in log_check.c.
 *
 * Nothing is accepted by looking away: a difference is a rule of its own, by which the log is
 * replayed as strictly as by any other.
 */
#ifndef WARG_RECORD_LOG_CHECK_H
#define WARG_RECORD_LOG_CHECK_H

#include "record/log_replay.h"

/* In what an older server differs from today's rules. Bits of a set. */
typedef enum LogDifference {
    LOG_DIFF_ROLES = 1 << 0,            /* other role counts than the table's */
    LOG_DIFF_REQUEST = 1 << 1,          /* REQUEST(...) without a blank */
    LOG_DIFF_INQUESTED = 1 << 2,        /* INQUESTED for IDENTIFIED */
    LOG_DIFF_NO_TURN = 1 << 3,          /* utterances without a turn number */
    LOG_DIFF_DAWN = 1 << 4,             /* the executed live until the morning */
    LOG_DIFF_LAST = 1 << 5,             /* the execution comes after the attack votes */
    LOG_DIFF_FIRST_TALK = 1 << 6,       /* talk on day 0 */
    LOG_DIFF_WHISPERS = 1 << 7,         /* whispers after every talk turn, also of a lone wolf */
    LOG_DIFF_OVER_ENDS = 1 << 8,        /* talk ends as soon as all have said Over */
    LOG_DIFF_SKIPS = 1 << 9,            /* Skip is never turned into Over */
    LOG_DIFF_TEN_TURNS = 1 << 10,       /* ten turns a session */
    LOG_DIFF_NO_REVOTE = 1 << 11,       /* one ballot, then chance */
    LOG_DIFF_TEN_WHISPERS = 1 << 12,    /* ten turns a whisper session */
    LOG_DIFF_NO_ATTACK_VOTES = 1 << 13, /* NLP: an attack without attackVote lines */
    LOG_DIFF_COUNT = 14,
} LogDifference;

/* Zeroed: the log's content tells its division. In the protocol division the presets of it are
 * tried, then the older servers, then the other presets. */
typedef struct LogCheckOptions {
    /* Only this ruleset, exactly; a log of the natural-language division within its limits. One
     * that does not end games as that division does reads every log as the protocol division's. */
    const Ruleset *rules;
    LogListener listen; /* hears every replay; when the log is ok, the last one is whole */
    void *user;
} LogCheckOptions;

typedef struct LogVerdict {
    bool ok;
    bool truncated;
    LogForm form;
    bool anytime;  /* NLP: utterances at any time, not in turns */
    unsigned line; /* 1-based: the first line that no legal game could have written */
    char reason[LOG_REASON_MAX];
    unsigned presets;             /* ok: bit i: preset number i (ruleset_preset_name) explains it */
    unsigned differences;         /* ok: LogDifference bits without which it would not be */
    char server[64];              /* ok with differences: "server of GAT 2017"; else empty */
    char rules[RULESET_NAME_MAX]; /* ok by the options' ruleset: its name; else empty */
    /* What the log is about, as far as it could be read. */
    SeatNo seat_count;
    uint16_t last_day;
    Side winner;
} LogVerdict;

/* Judges one log. What is wrong with the log is a verdict, not an error.
 * Errors: ERR_MEMORY; ERR_RULE when options->rules can't be played. */
int log_check(Str text, const LogCheckOptions *options, LogVerdict *ret, Err *err);

/* "natural-language, turn-based"; NULL in the protocol division. */
const char *log_verdict_division(const LogVerdict *verdict);

/* "ok (aiwolf-2021)", "ok (server of 2016: talk on day 0, ...)", "ok (natural-language,
 * turn-based)", "ok (natural-language, turn-based; server of 2024: attacks without attackVote
 * lines)" or "line 12: reason". */
void log_verdict_print(const LogVerdict *verdict, Buf *out);

/* The name of difference number `index` ("talk on day 0") and a sentence about it; NULL behind
 * the last. */
const char *log_difference_name(size_t index);
const char *log_difference_about(size_t index);

#endif
