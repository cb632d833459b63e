/* cmd.h - the commands of `warg`: how one is declared, found and run.
 *
 * For:    main.c, the cmd_NAME.c files, completion, and the test that compares man pages.
 * Memory: constant tables only.
 * Thread: main thread.
 * Source: style guide, "Places made for change".
 *
 * To add a command NAME:
 *   1. write src/cmd/cmd_NAME.c with `int cmd_NAME(int argc, char **argv, Err *err)` and its table
 *      `const Usage cmd_NAME_usage[]` (see cli/options.h);
 *   2. declare both below and add a row to `cmds` in cmd/cmd.c;
 *   3. write man/warg-NAME.1.scd (a test compares its options with the table) and a script in
 *      tests/e2e/.
 *
 * A command gets argv[0] = its own name. It prints its result to stdout and returns 0, or 1 when
 * what it checked does not hold, or another positive Exit, or a negative ErrCode with `err` filled;
 * it never prints an error of its own and never exits. main() prints `err` and turns it into an
 * exit status.
 */
#ifndef WARG_CMD_CMD_H
#define WARG_CMD_CMD_H

#include "base/err.h"
#include "base/exit_status.h"
#include "cli/options.h"

/* In place of a command: starts an agent (cell/cell_start.h), where warg-cell is not beside us. It
 * is nobody's to give, so it stands in no help. */
#define CMD_START_AGENT "--start-agent"

/* Every command, ended by a NULL name. */
const Cmd *cmd_all(void);

/* The command of this name, or NULL. */
const Cmd *cmd_find(Str name);

/* ERR_USAGE that says so, with the nearest command. */
int cmd_unknown(Str name, Err *err);

/* The exit status for what a command returned: 0, a positive status, or an ErrCode. */
Exit cmd_exit(int returned);

int cmd_agent(int argc, char **argv, Err *err);
int cmd_bot(int argc, char **argv, Err *err);
int cmd_audit(int argc, char **argv, Err *err);
int cmd_bundle(int argc, char **argv, Err *err);
int cmd_cell(int argc, char **argv, Err *err);
int cmd_contest(int argc, char **argv, Err *err);
int cmd_completion(int argc, char **argv, Err *err);
int cmd_help(int argc, char **argv, Err *err);
int cmd_lang(int argc, char **argv, Err *err);
int cmd_ledger(int argc, char **argv, Err *err);
int cmd_llm(int argc, char **argv, Err *err);
int cmd_log(int argc, char **argv, Err *err);
int cmd_join(int argc, char **argv, Err *err);
int cmd_play(int argc, char **argv, Err *err);
int cmd_maw(int argc, char **argv, Err *err);
int cmd_version(int argc, char **argv, Err *err);
int cmd_report(int argc, char **argv, Err *err);
int cmd_rules(int argc, char **argv, Err *err);
int cmd_serve(int argc, char **argv, Err *err);
int cmd_run(int argc, char **argv, Err *err);
int cmd_standings(int argc, char **argv, Err *err);
int cmd_token(int argc, char **argv, Err *err);
int cmd_web(int argc, char **argv, Err *err);
int cmd_export(int argc, char **argv, Err *err);

extern const Usage cmd_agent_usage[];
extern const Usage cmd_bot_usage[];
extern const Usage cmd_audit_usage[];
extern const Usage cmd_bundle_usage[];
extern const Usage cmd_cell_usage[];
extern const Usage cmd_contest_usage[];
extern const Usage cmd_completion_usage[];
extern const Usage cmd_help_usage[];
extern const Usage cmd_lang_usage[];
extern const Usage cmd_ledger_usage[];
extern const Usage cmd_llm_usage[];
extern const Usage cmd_log_usage[];
extern const Usage cmd_join_usage[];
extern const Usage cmd_play_usage[];
extern const Usage cmd_maw_usage[];
extern const Usage cmd_version_usage[];
extern const Usage cmd_report_usage[];
extern const Usage cmd_rules_usage[];
extern const Usage cmd_run_usage[];
extern const Usage cmd_standings_usage[];
extern const Usage cmd_serve_usage[];
extern const Usage cmd_token_usage[];
extern const Usage cmd_web_usage[];
extern const Usage cmd_export_usage[];

#endif
