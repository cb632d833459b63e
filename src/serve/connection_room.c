#include "serve/connection_room.h"

#include <sys/resource.h>

/* Files that are open beside connections: journal, database, a log, what the loop needs. */
#define OTHER_FILES 64
/* Those of a server with an API. */
#define WEB_FILES 128
/* What a connection there may cost: itself, and its share of a game's four files. */
#define WEB_FILES_EACH      2
#define WEB_CONNECTIONS_MAX 20000

/* Lets the process open as many files as the system allows; returns how many. */
static uint64_t raise_limit(void)
{
    struct rlimit files = {0}; /* this limit can be asked for on every system */

    getrlimit(RLIMIT_NOFILE, &files);
    files.rlim_cur = files.rlim_max;
    setrlimit(RLIMIT_NOFILE, &files);
    getrlimit(RLIMIT_NOFILE, &files);
    return files.rlim_cur;
}

uint32_t connection_room_web(uint64_t servers)
{
    const uint64_t files = raise_limit();
    uint64_t each = files > 2 * WEB_FILES ? files - WEB_FILES : WEB_FILES;
    each /= WEB_FILES_EACH * servers;
    return each > WEB_CONNECTIONS_MAX ? WEB_CONNECTIONS_MAX : each ? (uint32_t)each : 1;
}

uint32_t connection_room_lines(uint32_t wanted, uint64_t *ret_files)
{
    const uint64_t files = raise_limit();

    if (files >= (uint64_t)wanted + OTHER_FILES)
        return wanted;
    *ret_files = files;
    return (uint32_t)(files > 2 * OTHER_FILES ? files - OTHER_FILES : files / 2);
}
