/* api.h - what the server answers to who asks how things are: JSON bodies, and metrics.
 *
 * For:    serve/server_web.c.
 * Memory: appends to the caller's Buf.
 * Thread: the hall's. Only looks: no file, no clock.
 * Source: docs/spec/nlp-division.md 1.1, "REST bodies"; docs/nlp.md: waiting, finished
 *         games, progress, "tournament complete", metrics. Keys that the reference does not have
 *         are ours; docs/nlp.md lists all.
 *
 * Functions that can miss what was asked for return the HTTP status: 200, or 404 with `error`.
 */
#ifndef WARG_SERVE_API_H
#define WARG_SERVE_API_H

#include "base/json.h"
#include "nlp/hall.h"

/* What is looked at. */
typedef struct Api {
    bool full; /* for an operator: who plays, and every role; else a running game is masked */
    bool late; /* who asks sees games later than they are played */
    const Config *config;
    const NlpHall *hall;
    int64_t now_ms; /* unix */
    int64_t began_ms;
    uint32_t http_open;    /* HTTP connections now, WebSockets included */
    uint32_t streams_open; /* event streams now */
} Api;

/* Which games. */
typedef enum ApiGames { API_RUNNING, API_FINISHED, API_ALL } ApiGames;
/* "running" or empty, "finished", "all". False for another word. */
bool api_games_of(Str word, ApiGames *ret_which);

void api_health(Buf *out);
unsigned api_ready(const Api *api, Buf *out); /* 200, or 503 while draining */
void api_ruleset(const Api *api, Buf *out);
unsigned api_teams(const Api *api, Buf *out);
unsigned api_team(const Api *api, Str name, Buf *out);
void api_games(const Api *api, ApiGames which, Buf *out);
/* One game as it stands in the list. `masked`: as far as the village knows; `game_log`, `json_log`:
 * there are links to these. */
typedef struct ApiGame {
    const NlpGame *game;
    bool masked;
    bool game_log;
    bool json_log;
} ApiGame;
void api_put_game(Json *json, const ApiGame *shown);
unsigned api_game(const Api *api, Str id, Buf *out);
/* Who is connected and waits for a game; whom the next scheduled match still lacks. */
void api_waiting(const Api *api, Buf *out);
void api_progress(const Api *api, Buf *out);
/* {"error":"..."} */
void api_error(Buf *out, const char *what);

/* Prometheus' text format, version 0.0.4. Requests and replies of a game count when it is over: a
 * number that grows in the night would tell who has something to do there. */
void api_metrics(const Api *api, Buf *out);

#endif
