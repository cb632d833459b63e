/* api_environment.h - where versions run: kernel, processor, runtimes, limits; as everybody may
 * know.
 *
 * For:    GET contests/C/environment.
 * Memory: an ApiRuntimes owns what it has heard.
 * Thread: the loop's.
 * Source: docs/spec/contest-operations.md 5.4: an agent was lost to another version of a library.
 */
#ifndef WARG_API_API_ENVIRONMENT_H
#define WARG_API_API_ENVIRONMENT_H

#include "api/api_site.h"

/* Asks the programs that start versions for their own version; what is not installed is left out.
 * Errors: ERR_MEMORY. */
int api_runtimes_ask(Loop *loop, ApiRuntimes **ret_runtimes, Err *err);
ApiRuntimes *api_runtimes_free(ApiRuntimes *runtimes); /* takes NULL, returns NULL */

/* [{"program":"python3","version":"Python 3.11.2"}], as far as they have answered. */
void api_runtimes_put(const ApiRuntimes *runtimes, Json *json);

#endif
