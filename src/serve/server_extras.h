/* server_extras.h - what a server has done outside: notices to a webhook, speech, characters made
 * up by a model. All of it may fail or hang; a game waits for none of it too long.
 *
 * For:    server.c.
 * Memory: an Extras owns its HTTP client and all that is under way; free it after the hall, whose
 *         tables borrow its characters.
 * Thread: the loop's.
 * Source: docs/spec/nlp-division.md 7.5, 9.3, 9.4.
 */
#ifndef WARG_SERVE_SERVER_EXTRAS_H
#define WARG_SERVE_SERVER_EXTRAS_H

#include "net/loop.h"
#include "nlp/hall.h"

typedef struct Server Server;
typedef struct Extras Extras;

/* Only what the configuration enables. Errors: ERR_IO (a folder), ERR_MEMORY. */
int extras_new(Server *server, Loop *loop, const Config *config, const Key *key, TimeUs now,
               Extras **ret_extras, Err *err);
Extras *extras_free(Extras *extras);

/* For NlpHallOut. */
bool extras_utterance(Extras *extras, Str game_id, const ConfigProfile *speaker, Str text,
                      TimeUs now);
bool extras_characters(Extras *extras, uint32_t number, SeatNo count);
void extras_notice(Extras *extras, ConfigNotice what, Str text, TimeUs now);
void extras_game(Extras *extras, Str game_id, bool over, TimeUs now);

/* Once a second: how it stands. */
void extras_progress(Extras *extras, TimeUs now);
/* The server has ended: what is still to be said is sent, for a few seconds at most. */
void extras_end(Extras *extras, Str text, TimeUs now);
bool extras_ended(const Extras *extras);

#endif
