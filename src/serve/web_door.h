/* web_door.h - a server of pages alone: `warg web`, from the first to the last request.
 *
 * For:    `warg web`, benches.
 * Memory: a WebDoor owns its site and web server; what the setup points to is borrowed.
 * Thread: the loop's.
 * Source: docs/spec/web.md 3.
 */
#ifndef WARG_SERVE_WEB_DOOR_H
#define WARG_SERVE_WEB_DOOR_H

#include "web/site.h"

typedef struct WebDoor WebDoor;

/* `site.host` is where it listens. Errors: those of web_site_open and web_listen. */
typedef struct WebDoorSetup {
    WebSiteSetup site;
    uint16_t port; /* 0 = a free one */
    /* For web_door_serve: */
    const char *operator_file; /* NULL = a secret is drawn */
    bool terminal;             /* a person sees the words */
    const char *const *rooms;  /* in which people play, as their words, made at the start; ends with
                                  NULL; NULL = no rooms (serve/rooms_door.h) */
    const char *model;         /* "llm:..." for seats of rooms; NULL = bots */
    /* What is said at the start. */
    void (*words)(void *user, Str words);
} WebDoorSetup;
int web_door_open(const WebDoorSetup *setup, WebDoor **ret_door, Err *err);
WebDoor *web_door_free(WebDoor *door); /* takes NULL, returns NULL */

WebSite *web_door_site(const WebDoor *door);
/* Appends "http://127.0.0.1:8090/web/". */
void web_door_write_address(const WebDoor *door, Buf *out);
/* Appends what is said at the start, a line each. The operator's link only for a terminal: where a
 * person sees it and no log keeps it. */
void web_door_write_words(const WebDoor *door, bool terminal, bool token_is_kept, Buf *out);

/* All of it, on a loop of its own: finds the secret, opens, says so, runs. Errors: those of
 * operator_token, web_door_open and web_door_run. */
int web_door_serve(const WebDoorSetup *setup, TimeUs now, Err *err);

/* Runs the loop until a signal (SIGINT, SIGTERM, SIGHUP). Errors: ERR_IO. */
int web_door_run(WebDoor *door, Err *err);

#endif
