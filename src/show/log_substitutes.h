/* log_substitutes.h - on which seats of a logged game a substitute played, and from when on.
 *
 * For:    `warg log show`: a log itself says nothing of it.
 * Memory: plain values.
 * Thread: any.
 * Source: contest/out_folder.h: logs lie in logs/ of a folder with journal and faults.
 */
#ifndef WARG_SHOW_LOG_SUBSTITUTES_H
#define WARG_SHOW_LOG_SUBSTITUTES_H

#include "record/fault.h"

typedef struct Substitute {
    bool plays;       /* the agent failed in this game or before it */
    bool during;      /* in this game: what follows is known */
    FaultKind kind;   /* how the agent failed */
    uint16_t day;     /* when it was asked what it did not answer */
    char request[24]; /* "VOTE"; "" = nothing was asked */
} Substitute;

/* Fills ret[1..SEAT_MAX] from the folder that the log at `path` lies in; all zero when it lies in
 * none, or the journal does not know it. */
void log_substitutes_find(const char *path, Substitute ret[static SEAT_MAX + 1]);

/* What an agent did wrong, for people: "timeout", "時間切れ". */
const char *log_fault_word(FaultKind kind, bool japanese);

#endif
