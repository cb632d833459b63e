/* log_peek.h - what lists say of a game whose log no journal tells of: read once, by a worker.
 *
 * For:    site_lists.c.
 * Memory: a LogPeeks owns what it has read.
 * Thread: the loop's, but for log_peek_read.
 * Source: docs/spec/web.md 5 (`home`, `games`).
 */
#ifndef WARG_WEB_LOG_PEEK_H
#define WARG_WEB_LOG_PEEK_H

#include "web/catalogue.h"

#define LOG_PEEKS_MAX 20000 /* more, and all are forgotten */

/* Of one log. */
typedef struct LogPeek {
    bool is_log; /* else nothing else is known */
    bool is_over;
    bool nlp;
    SeatNo seat_count;
    Side winner;
    uint16_t last_day;
    uint8_t roles[SEAT_MAX + 1];
    Buf names; /* of seats 1, 2, ..., each with a newline behind it */
} LogPeek;

void log_peek_done(LogPeek *peek);

/* Reads one. What can't be read is no log. */
void log_peek_read(const Catalogue *catalogue, const CatalogueGame *game, LogPeek *ret_peek);

/* Whether an open log has its game's end, or a session's record the session's: by the last lines.
 */
bool log_peek_is_over(int file, const CatalogueGame *game);

typedef struct LogPeeks LogPeeks;
LogPeeks *log_peeks_new(void);             /* NULL without memory */
LogPeeks *log_peeks_free(LogPeeks *peeks); /* takes NULL, returns NULL */

/* Of the game's log as it was when the catalogue found it; NULL: nobody has read it. */
const LogPeek *log_peeks_find(const LogPeeks *peeks, const Catalogue *catalogue,
                              const CatalogueGame *game);
/* Takes the peek. */
void log_peeks_keep(LogPeeks *peeks, const Catalogue *catalogue, const CatalogueGame *game,
                    LogPeek *take_peek);

#endif
