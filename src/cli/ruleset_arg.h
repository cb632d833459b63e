/* ruleset_arg.h - the value of --rules: the name of a preset, or a file.
 *
 * For:    every command with --rules.
 * Memory: fills the caller's Ruleset.
 * Thread: any.
 * Source: docs/rules.md.
 */
#ifndef WARG_CLI_RULESET_ARG_H
#define WARG_CLI_RULESET_ARG_H

#include "game/ruleset.h"

/* Errors: those of ruleset_read with the file's name in front; ERR_USAGE when `text` is neither a
 * preset nor a file, with the list of presets. */
int ruleset_arg(const char *text, Ruleset *ret_rules, Err *err);

#endif
