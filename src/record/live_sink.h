/* live_sink.h - who hears of games while they are played: the callbacks that tables call where they
 * call recorders.
 *
 * For:    nlp, match, maw, which tell; the room web, which hears. Neither knows the other.
 * Memory: a plain value; what calls borrow is borrowed for the call.
 * Thread: the loop of who listens; what happens elsewhere is brought there first.
 * Source: docs/spec/web.md 5, 12.
 */
#ifndef WARG_RECORD_LIVE_SINK_H
#define WARG_RECORD_LIVE_SINK_H

#include "base/time_us.h"
#include "record/game_doc.h"

/* All but `begins`, `heard` and `ends` may be NULL. `id` is DocHead.id of a game that has begun. */
typedef struct LiveSink {
    void (*begins)(void *user, const DocHead *head, TimeUs now);
    void (*heard)(void *user, Str id, const Event *event, TimeUs now);
    /* MAW: what is said outside of the rooms of the game. */
    void (*said)(void *user, Str id, const DocSaid *said, TimeUs now);
    void (*fault)(void *user, Str id, const Fault *fault, TimeUs now);
    /* A time runs until `until` (TIME_US_NEVER = none), or stands still. */
    void (*clock)(void *user, Str id, Action action, TimeUs until, bool paused, TimeUs now);
    /* Somebody is asked to speak, by day. */
    void (*asked)(void *user, Str id, SeatNo seat, TimeUs now);
    void (*notice)(void *user, Str id, Str text, TimeUs now);
    void (*ends)(void *user, Str id, bool aborted, TimeUs now);
    /* Who sat there does not any more: who watched as this seat has to show that it may. May be
     * NULL. */
    void (*left)(void *user, Str id, SeatNo seat);
    void *user;
} LiveSink;

#endif
