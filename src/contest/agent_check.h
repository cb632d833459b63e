/* agent_check.h - what is seen of an agent that is tried before a contest, and what follows: the
 *                 verdict of each step, and what to change.
 *
 * For:    contest/check_run.h, which plays with the agent and tells what it sees; the report.
 * Memory: an AgentCheck owns its texts; agent_check_done frees them.
 * Thread: pure; one at a time.
 * Source: docs/spec/contest-operations.md 7; 8.5 (which findings are strikes).
 *
 * Who sees a thing tells it by one of the functions below, in any order, and judges at the end. A
 * finding may come from anywhere: what inspection sees of a program, its output, a cell's witness.
 */
#ifndef WARG_CONTEST_AGENT_CHECK_H
#define WARG_CONTEST_AGENT_CHECK_H

#include "base/buf.h"
#include "cell/cell_wish.h"
#include "net/process_use.h"
#include "record/game_record.h"

typedef enum CheckStep {
    CHECK_START,
    CHECK_NAME,
    CHECK_DIALOGUE,
    CHECK_SET,
    CHECK_TIME,
    CHECK_CONDUCT,
    CHECK_RESOURCES,
    CHECK_REPEAT,
    CHECK_STEPS,
} CheckStep;

typedef enum CheckVerdict {
    CHECK_SKIPPED, /* it could not be tried */
    CHECK_OK,
    CHECK_WARN,
    CHECK_FAIL,
    CHECK_VERDICTS,
} CheckVerdict;

/* What to change. show/agent_check_words.h has the sentences. */
typedef enum CheckAdvice {
    ADVICE_NONE,
    ADVICE_CONNECT,    /* it did not come in time */
    ADVICE_DIED_EARLY, /* it ended before it had said its name */
    ADVICE_NAME,
    ADVICE_PLAYER_CLASS,
    ADVICE_CRASH,     /* it ended, or closed its connection, in a game */
    ADVICE_ONE_GAME,  /* it ended between two games of a set */
    ADVICE_EXTRA,     /* a line that nobody asked for */
    ADVICE_MALFORMED, /* no target where one is asked for, or a line that is too long */
    ADVICE_ILLEGAL,   /* a target that the rules don't allow */
    ADVICE_SENTENCE,
    ADVICE_CUT, /* it was too late too often to play this to its end */
    ADVICE_LATE,
    ADVICE_PROCESS,
    ADVICE_NETWORK,
    ADVICE_WRITE,
    ADVICE_THREAD,
    ADVICE_ERROR, /* it prints stack traces */
    ADVICE_OTHER, /* a finding of any other rule */
    ADVICE_MEMORY,
    ADVICE_THREADS,
    ADVICE_FILES,
    ADVICE_OUTPUT,
    ADVICE_COUNT,
} CheckAdvice;

/* What is played with it, in this order. */
typedef enum CheckPlay {
    PLAY_DIALOGUE_5,
    PLAY_DIALOGUE_15,
    PLAY_SET_5,
    PLAY_SET_15,
    PLAY_REPEAT,
    CHECK_PLAYS,
} CheckPlay;

typedef enum CheckRule {
    RULE_NETWORK,
    RULE_WRITE,
    RULE_PROCESS,
    RULE_THREAD,
    RULE_ERROR,
    RULE_MEMORY,
    RULE_OUTPUT,
    RULE_OTHER,
    CHECK_RULES,
} CheckRule;

#define CHECK_FINDINGS_MAX 100 /* kept; all are counted */
#define CHECK_EVIDENCE_MAX 5   /* lines of a step */

typedef struct CheckFinding {
    CheckRule rule;
    CheckPlay play;
    uint64_t game; /* of this play */
    uint16_t day;
    char text[201];
} CheckFinding;

/* What it may use, and what it is to be told from. */
typedef struct CheckLimits {
    uint64_t memory_kib;
    uint32_t threads;
    uint32_t files;
    uint64_t output_bytes; /* a play */
    uint32_t answer_ms;
    bool name_refuses; /* another name than the one it was given is refused, else a warning */
    bool one_thread;   /* a program of its kind has one thread; a further one is a finding */
} CheckLimits;

/* What was seen in one play. */
typedef struct CheckCourse {
    bool begun;      /* its games have */
    int pid;         /* of the agent's own process; 0 = it was never seen */
    int64_t took_us; /* in all */
    uint64_t planned;
    uint64_t games; /* played with it to their end */
    uint32_t roles; /* a bit for each it had in these */
    uint32_t asked[ASK_COUNT];
    uint32_t revotes;
    bool complete;
} CheckCourse;

/* What speaks against it in one step. */
typedef struct CheckMark {
    uint32_t bad; /* fails the step */
    CheckAdvice advice;
    uint32_t lines;
    Buf evidence; /* the first CHECK_EVIDENCE_MAX of it, a line each */
    Buf output;   /* the last lines that it printed then, as they came */
} CheckMark;

typedef struct CheckResult {
    CheckVerdict verdict;
    CheckAdvice advice;
    int64_t took_us;
} CheckResult;

/* Open for reading. Zero it first. */
typedef struct AgentCheck {
    CheckLimits limits;
    Buf name;        /* that it was given */
    Buf said;        /* that it says */
    bool named;      /* it has */
    bool strict;     /* its cell refuses what is forbidden; else that is only looked for */
    Buf lack;        /* why it has no cell at all; empty = it has one */
    CellLevel level; /* of its cell; NONE = it has none */
    Buf layers;      /* ... and how its limits are held */
    int64_t connect_us;
    char player_class[128]; /* one of org.aiwolf that its command names; empty = none */
    CheckCourse plays[CHECK_PLAYS];
    CheckMark marks[CHECK_STEPS];
    CheckFinding findings[CHECK_FINDINGS_MAX];
    uint32_t finding_count;
    uint32_t found[CHECK_RULES];
    Durations times;
    uint64_t games;
    uint64_t excesses; /* answers over the limit that are its own fault, though within the grace */
    uint64_t excused;
    uint64_t waited_ms;
    uint32_t timeouts;
    uint64_t peak_kib;
    uint32_t peak_threads;
    uint32_t peak_files;
    uint64_t peak_output;
    bool left_files;
    Buf ours; /* what went wrong that is not its fault: the check counts for nothing */

    CheckResult results[CHECK_STEPS]; /* by agent_check_judge */
    bool passed;
} AgentCheck;

void agent_check_done(AgentCheck *check);         /* also for CLEANUP */
bool agent_check_failed(const AgentCheck *check); /* memory was out */

/* ---- what is seen ---- */

/* How it is started: a player class of the platform's own packages stands in the command. */
void agent_check_command(AgentCheck *check, Str command);
/* It has said its name. */
void agent_check_named(AgentCheck *check, CheckPlay play, Str said, int64_t after_us);
/* An answer, with what it knew. */
void agent_check_answer(AgentCheck *check, CheckPlay play, uint64_t game, const Answer *answer,
                        const View *view);
/* `first`: it had not answered anything in this game, and has played one before. */
void agent_check_fault(AgentCheck *check, CheckPlay play, uint64_t game, const Fault *fault,
                       bool first);
/* A game with it in this seat is over. */
void agent_check_game(AgentCheck *check, CheckPlay play, const GameRecord *record, SeatNo seat);
/* The same finding twice in a play is one. */
void agent_check_finding(AgentCheck *check, CheckRule rule, Str text, CheckPlay play, uint64_t game,
                         uint16_t day);
void agent_check_use(AgentCheck *check, CheckPlay play, const ProcessUse *use);
/* All that it printed in a play, or as much as was kept of `bytes`; stack traces are findings. */
void agent_check_output(AgentCheck *check, CheckPlay play, uint64_t bytes, Str kept);
/* What it printed last, when it ended in a play. */
void agent_check_last_lines(AgentCheck *check, CheckPlay play, Str lines);
/* A file that was not there before, or another one. */
void agent_check_left(AgentCheck *check, Str path);
/* What is not its fault. */
void agent_check_ours(AgentCheck *check, Str why);

/* ---- what follows ---- */

void agent_check_judge(AgentCheck *check);

/* The step that a play is of. */
CheckStep agent_check_step_of(CheckPlay play);
/* Which limit was passed or nearly: what it used of 100, the highest of all. */
bool agent_check_is_near(uint64_t used, uint64_t limit);

/* "start", "ok", "network". Constant text. */
const char *check_step_name(CheckStep step);
const char *check_verdict_name(CheckVerdict verdict);
const char *check_rule_name(CheckRule rule);

#endif
