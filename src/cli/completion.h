/* completion.h - writes the completion scripts of the shells from the tables of the commands.
 *
 * For:    `warg completion`, and the files that `./dev install` puts into place.
 * Memory: appends to the caller's buffer.
 * Thread: any.
 * Source: bash(1) "Programmable Completion", zshcompsys(1), fish complete(1).
 */
#ifndef WARG_CLI_COMPLETION_H
#define WARG_CLI_COMPLETION_H

#include "cli/options.h"

/* `cmds` is ended by a NULL name. Values are completed by the name of the value: the words of a
 * choice, folders for one with DIR in it, files for one with FILE in it. */
void completion_bash(const Cmd *cmds, Buf *out);
void completion_zsh(const Cmd *cmds, Buf *out);
void completion_fish(const Cmd *cmds, Buf *out);

#endif
