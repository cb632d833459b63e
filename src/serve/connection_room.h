/* connection_room.h - how many connections a server may have: as many as the system lets it open
 *                     files.
 *
 * For:    doors.
 * Memory: none.
 * Thread: the main thread: the limit is the process's, and is raised here.
 * Source: getrlimit(2); docs/spec/nlp-division.md 1.5: the server must not be exhausted by peers.
 */
#ifndef WARG_SERVE_CONNECTION_ROOM_H
#define WARG_SERVE_CONNECTION_ROOM_H

#include <stdint.h>

/* Of each of so many servers of the natural-language division; 0 = it can't be told. */
uint32_t connection_room_web(uint64_t servers);

/* Of `wanted` connections of the protocol division those that fit; *ret_files: what the system
 * allows. */
uint32_t connection_room_lines(uint32_t wanted, uint64_t *ret_files);

#endif
