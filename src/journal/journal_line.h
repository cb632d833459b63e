/* journal_line.h - one line of a journal, both ways: record to text, text to record.
 *
 * For:    journal.c, which writes lines, journal_read.c, which reads them, and the fuzzer.
 * Memory: appends to the caller's Buf; what a listener hears is borrowed for the call.
 * Thread: pure.
 * Source: journal/journal.h says what the lines look like. CRC-32 as in gzip (RFC 1952 8).
 */
#ifndef WARG_JOURNAL_JOURNAL_LINE_H
#define WARG_JOURNAL_JOURNAL_LINE_H

#include "journal/journal.h"

/* ---- writing ---- */

/* Each appends a line without its end; journal_line_seal() puts that behind it. Errors: what the
 * reader would refuse: ERR_RULE, and ERR_LIMIT for numbers. `out` is unchanged then. */
int journal_line_plan(Str plan, Buf *out, Err *err);
int journal_line_set(uint32_t stage, uint64_t set, SeatNo count, const Str *names, Buf *out,
                     Err *err);
int journal_line_game(const GameRecord *record, Buf *out, Err *err);
void journal_line_note(Str text, Buf *out);
int journal_line_end(uint64_t games, Buf *out, Err *err);
int journal_line_key(const JournalKey *key, Buf *out, Err *err);
int journal_line_ruling(const JournalRuling *ruling, Buf *out, Err *err);
void journal_line_lots(const JournalLots *lots, Buf *out);
int journal_line_cell(const JournalCell *cell, Buf *out, Err *err);
int journal_line_trial(const JournalTrial *trial, Buf *out, Err *err);
int journal_line_stop(const JournalStop *stop, Buf *out, Err *err);
int journal_line_act(const OperatorAct *act, Buf *out, Err *err);
void journal_line_findings(const JournalFindings *findings, Buf *out);

/* The last member but one of a game's line, where there are findings: how long findings.jsonl is
 * when the game is on disk. */
void journal_line_findings_bytes(Buf *line, uint64_t bytes);

/* The last member of a game's line: how long faults.jsonl is when the game is on disk. */
void journal_line_faults_bytes(Buf *line, uint64_t bytes);

/* Ends the line: the CRC of what is there, the bracket, the newline.
 * Errors: ERR_LIMIT for a line over JOURNAL_LINE_MAX, ERR_MEMORY. */
int journal_line_seal(Buf *line, Err *err);

/* A line of faults.jsonl, with its newline. */
void journal_line_fault(int64_t at_ms, uint32_t stage, uint64_t set, uint64_t game, Str agent,
                        const Fault *fault, Buf *out);

/* ---- reading ---- */

/* True when the CRC of a line (without newline) is that of its bytes. */
bool journal_line_intact(Str line);

/* The faults_bytes of an intact line; false when it is no game's line. */
bool journal_line_get_faults_bytes(Str line, uint64_t *ret_bytes);

/* The findings_bytes of an intact line; false when it has none. *ret_ends (may be NULL): it is the
 * line of a set's end. */
bool journal_line_get_findings_bytes(Str line, uint64_t *ret_bytes, bool *ret_ends);

/* What an intact line says of them; the others stay. */
void journal_line_get_lengths(Str line, JournalLengths *lengths);

/* Reads line number `number` (without newline) and tells the listener. `scratch` is room for a
 * game. Errors: ERR_SYNTAX with the line, ERR_LIMIT, ERR_MEMORY, and what the listener returns. */
int journal_line_hear(Str line, unsigned number, const JournalListener *listener,
                      GameRecord *scratch, Err *err);

/* The CRC-32 of what `crc` is of (0 = nothing) and of these bytes behind it. */
uint32_t journal_crc_add(uint32_t crc, Str bytes);

/* ---- lines of a file ---- */

/* Hears line `number`, from 1, without its newline. A negative value ends the reading. */
typedef int JournalLineFn(void *user, Str line, unsigned number, Err *err);

/* Cuts what is left of a file into lines. Errors: ERR_IO, ERR_LIMIT with the line, ERR_MEMORY,
 * what `hear` returns; none names the file. */
int journal_lines_of(int fd, JournalLineFn *hear, void *user, JournalEnd *ret_end, Err *err);

#endif
