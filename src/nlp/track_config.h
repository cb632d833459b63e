/* track_config.h - the configuration of a track's server, as an organiser has written it.
 *
 * For:    the job that runs the server; the contest site, which asks how many seats a match has.
 * Memory: as config.h.
 * Thread: any.
 * Source: docs/spec/contest-operations.md 9.
 */
#ifndef WARG_NLP_TRACK_CONFIG_H
#define WARG_NLP_TRACK_CONFIG_H

#include "nlp/config.h"

/* What it says of secrets, ports and folders does not count: no variable is asked for. Errors:
 * those of config_load. */
int track_config_load(const char *path, Config **ret_config, Err *err);

#endif
