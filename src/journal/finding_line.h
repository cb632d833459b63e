/* finding_line.h - lines of findings.jsonl, both ways: what programs were found at, in their words.
 *
 * For:    journal.c, which writes them; who shows or checks them.
 * Memory: appends to the caller's Buf; what a reader hears is borrowed for the call.
 * Thread: pure; reading touches nothing but the file.
 * Source: docs/spec/contest-operations.md 6.6.
 *
 *     {"at":"…Z","stage":0,"set":3,"game":312,"day":1,"agent":"a","seat":3,"rule":"network",
 *      "text":"connect 8.8.8.8:53"}
 *     {"at":"…Z","stage":0,"set":3,"agent":"a","seat":3,"rule":"write","text":"…"}
 *                                              no game: behind the last of its set
 *     {…,"rule":"process","count":17,"text":""}            so many, told together
 *     {"at":"…Z","stage":0,"set":3,"agent":"a","rule":"network","total":5321}
 *                                              at the end of a set: more than FINDINGS_KEPT lines
 */
#ifndef WARG_JOURNAL_FINDING_LINE_H
#define WARG_JOURNAL_FINDING_LINE_H

#include "base/buf.h"
#include "base/err.h"
#include "record/finding.h"

#define FINDINGS_FILE "findings.jsonl"

/* Appends a line with its newline; `at_ms` is Unix time. */
void finding_line_write(int64_t at_ms, const FindingNote *note, Buf *out);
void finding_line_write_total(int64_t at_ms, uint32_t stage, uint64_t set,
                              const FindingTotal *total, Buf *out);

/* A line as it is read. */
typedef struct FindingLine {
    unsigned number; /* in the file, from 1 */
    int64_t at_ms;
    FindingNote note;
    uint64_t total; /* 0 = one finding; else so many of the rule, agent and set */
} FindingLine;

/* Hears a line. A negative value ends the reading. */
typedef int FindingLineFn(void *user, const FindingLine *line, Err *err);

/* One line, without its newline. Errors: ERR_SYNTAX with the line; ERR_MEMORY; what `hear` returns.
 */
int finding_line_hear(Str line, unsigned number, FindingLineFn *hear, void *user, Err *err);

/* All of DIR/findings.jsonl; where there is none nothing is heard. Errors: those above, which name
 * the file; ERR_IO. */
int finding_lines_read(const char *dir, FindingLineFn *hear, void *user, Err *err);

#endif
