/* live_arg.h - the options of live data: --http and what goes with it, --realtime.
 *
 * For:    lines of `warg serve`.
 * Memory: a LiveArg owns the texts of its setup; live_arg_done frees them.
 * Thread: main thread.
 * Source: docs/spec/web.md 4.2, 11.1.
 */
#ifndef WARG_CMD_LIVE_ARG_H
#define WARG_CMD_LIVE_ARG_H

#include "cmd/options.h"
#include "serve/live.h"

#define LIVE_NAMES_MAX 16

/* Where they stand in a command's table. */
typedef struct LiveOptions {
    size_t http, name, delay, realtime, operator_file;
} LiveOptions;

/* Zeroed before use; not to be copied. */
typedef struct LiveArg {
    LiveSetup setup; /* but for `note` and `user` */
    Buf host;
    Buf token;
    Str names[LIVE_NAMES_MAX];
} LiveArg;

/* Errors: ERR_USAGE; those of operator_token. */
int live_arg_read(const Options *given, const LiveOptions *where, LiveArg *ret, Err *err);
void live_arg_done(LiveArg *arg);

#endif
