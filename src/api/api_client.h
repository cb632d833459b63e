/* api_client.h - asks a contest site: by its socket on this machine, or by its URL with a token.
 *
 * For:    the verbs of `warg contest` (src/cli/contest_*.c): what a page can do they do, by the
 *         same API.
 * Memory: an ApiClient owns its loop; answers are the caller's.
 * Thread: one at a time; a call waits for its answer.
 * Source: docs/contest-api.md; docs/spec/contest-operations.md 13, 14.
 *
 *     CLEANUP(api_client_freep) ApiClient *client = NULL;
 *     CLEANUP(api_reply_done) ApiReply reply = {0};
 *     rc = api_client_open_folder("site", &client, &there, err);
 *     if (rc == 0 && there)
 *         rc = api_ask(client, "POST", "contests/cup/pause", STR("{\"paused\":true}"), &reply,
 * err);
 */
#ifndef WARG_API_API_CLIENT_H
#define WARG_API_API_CLIENT_H

#include "base/buf.h"
#include "wire/json_read.h"

typedef struct ApiClient ApiClient;

typedef struct ApiClientSetup {
    const char *socket;   /* data/admin.sock of a server: who asks is its admin; or NULL */
    const char *url;      /* "https://contest.example.org", with a path or without; or NULL */
    const char *token;    /* wgt_...; NULL = nobody's */
    const char *language; /* of errors: "en" or "ja"; NULL = en */
} ApiClientSetup;

/* An answer that was no error. */
typedef struct ApiReply {
    unsigned status;
    Buf body;
    json_t *json; /* NULL where the body is none */
} ApiReply;

void api_reply_done(ApiReply *reply); /* for CLEANUP; frees what it holds */

/* Errors: ERR_USAGE for a URL that is none, ERR_MEMORY, ERR_IO. Nobody is asked yet. */
int api_client_open(const ApiClientSetup *setup, ApiClient **ret_client, Err *err);
/* The server that runs over a data folder (`data:` of server.yml); `ret_there` is false, and no
 * client is made, when none does. Errors: as above. */
int api_client_open_folder(const char *data_folder, ApiClient **ret_client, bool *ret_there,
                           Err *err);
ApiClient *api_client_free(ApiClient *client); /* takes NULL, returns NULL */
void api_client_freep(ApiClient **client);

/* One call: `path` is what follows /api/v1/ ("contests/cup/state"), `body` JSON or empty. What the
 * server refuses is ERR_RULE with its sentence (ERR_LIMIT for 413), who is not let in ERR_RULE
 * too, no answer ERR_IO. `reply` is emptied first. */
int api_ask(ApiClient *client, const char *method, const char *path, Str body, ApiReply *reply,
            Err *err);
/* Logs in, for calls that no token may make; the login ends with api_client_free. Errors: as
 * api_ask. */
int api_log_in_as(ApiClient *client, Str login, Str password, Err *err);

/* PUT of a file, streamed. Errors: as above, and ERR_IO for the file. */
int api_put_file(ApiClient *client, const char *path, const char *file, ApiReply *reply, Err *err);

#endif
