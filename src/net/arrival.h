/* arrival.h - when bytes came, from the kernel's time stamp, as a time of the loop.
 *
 * For:    connections whose peers are held to a time limit (net/tcp.h, conn_stamp): what came in
 *         time is in time, however late this program comes to read it.
 * Memory: nothing kept.
 * Thread: pure.
 * Source: docs/spec/contest-operations.md 6.7; socket(7), SO_TIMESTAMPNS: the stamp is one of the
 *         wall clock, which may be set while bytes wait.
 */
#ifndef WARG_NET_ARRIVAL_H
#define WARG_NET_ARRIVAL_H

#include "net/loop.h"

/* When bytes came that bear this stamp (microseconds since 1970), and that came between `after` and
 * `now`, both times of the loop. `ahead`: by how much the wall clock was ahead of the loop's at
 * `after`, and is now; with either of the two the stamp may have been made. Of two answers that are
 * possible the earlier one, which is in the peer's favour; when none is, `now`. */
TimeUs arrival_time(TimeUs stamp, const TimeUs ahead[static 2], TimeUs after, TimeUs now);

#endif
