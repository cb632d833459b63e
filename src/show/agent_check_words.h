/* agent_check_words.h - every word of the report of an agent that was tried, in English and
 * Japanese.
 *
 * For:    agent_check_output.c. A further language is a further column of the tables.
 * Memory: constant text.
 * Thread: any.
 * Source: docs/spec/contest-operations.md 7: a sentence of advice for each step.
 */
#ifndef WARG_SHOW_AGENT_CHECK_WORDS_H
#define WARG_SHOW_AGENT_CHECK_WORDS_H

#include "contest/agent_check.h"

typedef enum CheckWord {
    CHECK_SAY_PASSED,
    CHECK_SAY_REFUSED,
    CHECK_SAY_START,     /* {0} ms */
    CHECK_SAY_NAME,      /* {0} */
    CHECK_SAY_DIALOGUE,  /* {0} games, {1} talk, {2} whispers, {3} votes, {4} revotes */
    CHECK_SAY_SET,       /* {0} games */
    CHECK_SAY_TIME,      /* median {0}, 99 % {1}, longest {2}, waited {3}, limit {4} ms */
    CHECK_SAY_LATE,      /* {0} answers over the limit */
    CHECK_SAY_FINDINGS,  /* {0} */
    CHECK_SAY_NOTHING,   /* no finding */
    CHECK_SAY_RESOURCES, /* {0} of {1} MiB, {2} of {3} threads, {4} of {5} files, {6} of {7} KiB */
    CHECK_SAY_REPEAT,    /* {0} games */
    CHECK_SAY_SKIPPED,
    CHECK_SAY_CHANGE, /* in front of advice */
    CHECK_SAY_LAST_LINES,
    CHECK_SAY_LIGHT, /* what this level does not see */
    CHECK_SAY_NONE,  /* no cell */
    CHECK_WORDS,
} CheckWord;

/* Appends a word with {0} to {7} replaced. */
void agent_check_say(bool japanese, CheckWord word, const Str *values, Buf *out);
/* What to change, one sentence; empty for ADVICE_NONE. */
const char *agent_check_advice(bool japanese, CheckAdvice advice);
/* Of a step and of a verdict, for people. */
const char *agent_check_step_word(bool japanese, CheckStep step);
const char *agent_check_verdict_word(bool japanese, CheckVerdict verdict);

#endif
