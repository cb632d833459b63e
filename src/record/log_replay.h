/* log_replay.h - plays a logged game through the engine again, by one ruleset.
 *
 * For:    log_check, which asks whether any ruleset explains a log, and `warg log show`, which
 *         wants the events with who may know them.
 * Memory: the log is borrowed; a replay keeps nothing.
 * Thread: pure.
 * Source: guide: design, "replaying a recorded session or checking a log is playing the same
 *         engine with a script"; docs/spec/protocol-division.md 3 and 5.
 *
 * The log gives the roles, stands in for chance (who speaks next, who of those with equally many
 * votes is executed) and gives the answers (sentences, votes, targets). What the engine then says
 * is written as a log and compared, line by line. The first line that differs is the first that
 * no game by these rules could have written.
 */
#ifndef WARG_RECORD_LOG_REPLAY_H
#define WARG_RECORD_LOG_REPLAY_H

#include "record/log_game.h"

#define LOG_REASON_MAX ERR_TEXT_MAX

/* Which sentences count as valid beside those of lang/lang.h. Bits. */
typedef enum LogLanguage {
    LOG_LANGUAGE_REQUEST = 1,   /* REQUEST(VOTE Agent[01]): 2017 and 2018 */
    LOG_LANGUAGE_INQUESTED = 2, /* INQUESTED Agent[01] HUMAN, now IDENTIFIED: 2016 */
} LogLanguage;

/* Gets every event that agrees with the log, with the lines that it wrote: lines[first] and those
 * behind it, often none. The event is borrowed for the call. */
typedef void (*LogListener)(void *user, const Event *event, size_t first, size_t count);

/* By what a log is replayed. Plain value; borrows the rules. */
typedef struct LogReplay {
    const Ruleset *rules;
    unsigned language;  /* LogLanguage bits */
    bool turn_column;   /* false: utterances are logged without a turn */
    LogListener listen; /* NULL = nobody listens */
    void *user;
} LogReplay;

/* What came of it. */
typedef struct LogFinding {
    bool ok;
    bool truncated; /* the log stops before the game is over */
    unsigned line;  /* first line that the rules do not explain; 0 when ok */
    char reason[LOG_REASON_MAX];
} LogFinding;

/* Replays the whole log. Where several divisions of a night's attack votes among its ballots are
 * possible, they are tried one after another, each from the beginning; a listener hears them all,
 * the one that is right last.
 * Errors: ERR_RULE when no game can be played by these rules with these roles, ERR_MEMORY. */
int log_replay(const LogGame *log, const LogReplay *how, LogFinding *ret, Err *err);

#endif
