/* api_turn.h - what a site's server does each second, whoever asks.
 *
 * For:    api_server.c.
 * Memory: none is kept.
 * Thread: the loop's.
 * Source: docs/spec/contest-operations.md 2, 16.1.
 *
 * Results of jobs are taken over, the clock ticks, streams are told. Each is short: what is long is
 * done in pieces, one a turn.
 */
#ifndef WARG_API_API_TURN_H
#define WARG_API_API_TURN_H

#include "api/api_site.h"

/* Goes through all of it whatever goes wrong; the first error is told. */
int api_turn(ApiSite *site, TimeUs now, Err *err);

#endif
