/* starter_settings.h - game settings files of the Java server as rules.
 *
 * For:    starter_file (its setting=FILE).
 * Memory: fills the caller's Ruleset.
 * Thread: pure.
 * Source: docs/spec/protocol-division.md 2.6.
 */
#ifndef WARG_CONTEST_STARTER_SETTINGS_H
#define WARG_CONTEST_STARTER_SETTINGS_H

#include "game/ruleset.h"

/* Lines `name = value`, `#` begins a comment. As with that server, a key that is not in the file
 * is 0 or false, whatever its built-in default; all else is as in aiwolf-server. Without timeLimit
 * nobody could answer in time, so that is an error.
 * Errors: ERR_RULE with the line, ERR_LIMIT beyond STARTER_SETTINGS_BYTES_MAX. */
int starter_settings_load(Str text, Ruleset *ret_rules, Err *err);

#define STARTER_SETTINGS_BYTES_MAX ((size_t)64 * 1024)

#endif
