/* session_line.h - the options of a MAW session: who plays, by which rules, where.
 *
 * For:    `warg maw`, and a line `maw OPTION...` of `warg serve`.
 * Memory: a SessionLine owns what was read; free it behind the door that was made of it.
 * Thread: main thread.
 * Source: docs/spec/maw.md 9; docs/maw.md.
 */
#ifndef WARG_CLI_SESSION_LINE_H
#define WARG_CLI_SESSION_LINE_H

#include "cli/live_arg.h"
#include "cli/pages_arg.h"
#include "serve/maw_door.h"

enum {
    SESSION_PLAYERS,
    SESSION_ROUNDS,
    SESSION_RULES,
    SESSION_BOTS,
    SESSION_BOT,
    SESSION_LLM,
    SESSION_LLM_URL,
    SESSION_LLM_MODEL,
    SESSION_LLM_API,
    SESSION_COST,
    SESSION_BUDGET,
    SESSION_PRICES,
    SESSION_AGENT,
    SESSION_TIME_LIMIT,
    SESSION_STARTUP,
    SESSION_LANGUAGE,
    SESSION_XMPP,
    SESSION_COMPONENT,
    SESSION_SECRET_ENV,
    SESSION_SECRET_FILE,
    SESSION_HOST,
    SESSION_PORT,
    SESSION_LOBBY,
    SESSION_DAY_S,
    SESSION_NIGHT_S,
    SESSION_SEED,
    SESSION_ID,
    SESSION_OUT,
    SESSION_RESUME,
    SESSION_WAIT,
    SESSION_OPEN_RESULTS,
    SESSION_EARLIER,
    SESSION_PROMPTS,
    SESSION_OPINIONS,
    SESSION_LIVE, /* the first of LIVE_OPTION_COUNT */
    SESSION_LIVE_END = SESSION_LIVE + LIVE_OPTION_COUNT - 1,
    SESSION_PAGES, /* the first of PAGES_OPTION_COUNT */
    SESSION_PAGES_END = SESSION_PAGES + PAGES_OPTION_COUNT - 1,
    SESSION_JSON,
    SESSION_QUIET,
    SESSION_SERVED_COUNT, /* what a line of `warg serve` takes; behind it what needs a terminal */
    SESSION_ME = SESSION_SERVED_COUNT,
    SESSION_PLAIN,
    SESSION_REAL_TIME,
    SESSION_OPERATOR,
    SESSION_ANSWERS,
    SESSION_OPTION_COUNT,
};

extern const Option session_line_options[SESSION_OPTION_COUNT];

typedef struct SessionLine SessionLine;

/* Reads it. Returns 1 = go on, 0 = help was printed, or an error of the line. */
int session_line_read(const Usage *usage, int argc, char **argv, SessionLine **ret_line, Err *err);
SessionLine *session_line_free(SessionLine *line); /* takes NULL, returns NULL */
void session_line_freep(SessionLine **line);

/* Appends where it can be watched, when it can. */
void session_line_write_live(const SessionLine *line, const MawDoor *door, Buf *out);
/* What the command line says. */
const Options *session_line_given(const SessionLine *line);
bool session_line_is_japanese(const SessionLine *line);

/* All but ears, `over` and the verb by which this program is started in a cell. `umask`: that its
 * agents get. Borrows from the line. */
void session_line_setup(const SessionLine *line, unsigned umask, MawDoorSetup *ret_setup);
/* Whether it can't be simulated. */
bool session_line_is_real(const SessionLine *line);

/* Appends how the session ended, as it was asked for. */
void session_line_write(const SessionLine *line, const MawDoor *door, Buf *out);
/* The line on the seed that nobody chose; none where it was. */
void session_line_write_seed(const SessionLine *line, Buf *out);

#endif
