/* starter_line.h - lines and texts of the old starters' files.
 *
 * For:    starter_file, starter_agent, starter_settings; nobody else.
 * Memory: pieces of the text that is read, or copies that live as long as the plan.
 * Thread: any, each with its own plan.
 * Source: docs/spec/protocol-division.md 1.6 and 2.6.
 */
#ifndef WARG_CONTEST_STARTER_LINE_H
#define WARG_CONTEST_STARTER_LINE_H

#include "base/key_table.h"
#include "match/plan.h"

/* The next line with something in it that is no comment, without blanks around it; *number counts
 * all lines from 1. False at the end. */
bool starter_next_line(Str *rest, unsigned *number, Str *ret_line);

/* "name = value": true when `line` is one, and not, say, a program with an '=' among its
 * arguments. */
bool starter_split_setting(Str line, Str *ret_name, Str *ret_value);

/* Equal but for the case of ASCII letters. */
bool starter_same_word(Str a, Str b);

/* Tables of settings: names in any case; "port: expected a number from 0 to 65535, found 'x'";
 * "there is no setting 'prot'; did you mean 'port'?" */
extern const KeyManner starter_manner;

/* Reads one setting by the table. `lines` has for each row the line where it stands, 0 = not yet:
 * a second time is refused; NULL = the last one counts. Errors: ERR_RULE with the line. */
int starter_read_setting(const KeyReading *reading, Str name, Str value, unsigned line,
                         unsigned *lines, Err *err);

/* Refuses an empty text and control characters. `what` says what was expected. */
int starter_check_text(Str text, const char *what, unsigned line, Err *err);

/* Copies that live as long as the plan; of a path as seen from the current folder, when `path` is
 * meant to be seen from `folder`. Errors: ERR_LIMIT, ERR_MEMORY. */
int starter_keep_text(Plan *plan, const Buf *text, unsigned line, const char **ret_text, Err *err);
int starter_keep_path(Plan *plan, const char *folder, Str path, unsigned line,
                      const char **ret_path, Err *err);

#endif
