/* server_file.h - server.yml: what a contest site is on this machine.
 *
 * For:    `warg contest serve`, the runner, all verbs that work in the site's folder.
 * Memory: a ServerFile owns its texts; server_file_done frees them.
 * Thread: any.
 * Source: docs/spec/contest-operations.md 3.1.
 *
 * Secrets are never in the file itself: `*_file` keys name files that hold them, or the environment
 * does. Names of files are seen from the file's folder. A key that is not known is refused with the
 * nearest one, its line and its column.
 */
#ifndef WARG_SITE_SERVER_FILE_H
#define WARG_SITE_SERVER_FILE_H

#include "base/buf.h"
#include "base/err.h"
#include "cell/cell_wish.h"
#include "disk/disk_room.h"

#define SERVER_PROXIES_MAX 16
#define SERVER_FILE_NAME   "server.yml"

/* In place of store_file, hook.url_file and hook.secret_file. */
#define SERVER_STORE_ENV       "WARG_STORE"
#define SERVER_HOOK_ENV        "WARG_HOOK_URL"
#define SERVER_HOOK_SECRET_ENV "WARG_HOOK_SECRET"

typedef enum ServerRunner {
    RUNNER_INSIDE,  /* a child of the server */
    RUNNER_OUTSIDE, /* a unit of its own */
} ServerRunner;

typedef enum ServerSignup {
    SIGNUP_OPEN,   /* everybody makes an account */
    SIGNUP_INVITE, /* who has a link */
    SIGNUP_CLOSED, /* nobody; admins make them */
} ServerSignup;

typedef struct ServerFile {
    Buf folder;                      /* of the file */
    Buf data;                        /* as seen from here */
    Buf host;                        /* to listen on */
    uint16_t port;                   /* 0 = any */
    Buf certificate, key;            /* files, both or neither: TLS */
    Buf public_url;                  /* without a slash at its end */
    Buf proxies[SERVER_PROXIES_MAX]; /* whose X-Forwarded-For is believed: addresses */
    uint32_t proxy_count;
    Buf store; /* place for site_store_open: a file in data, or a connection string, which is secret
                */
    bool postgresql;
    ServerRunner runner;
    Buf mail_command, mail_from; /* empty: no mail is sent */
    Buf hook_url, hook_secret;   /* of the organisers' webhook; secret; empty: none */
    bool any_hook;               /* webhooks of teams may lead to addresses that are not public */
    CellLevel cell_require;
    ServerSignup signup;
    uint32_t reserve_percent; /* of the disk, or ... */
    uint64_t reserve_bytes;   /* ... bytes, when not 0 */
} ServerFile;

void server_file_done(ServerFile *file); /* also for CLEANUP; a zeroed one is fine */

/* What of the disk is left alone, before the first look. */
DiskRoom server_file_room(const ServerFile *file);

/* Reads FOLDER/server.yml, and the secrets that it names; all names of files are whole then.
 * Errors: ERR_IO; ERR_SYNTAX, ERR_RULE with the file's name, line and column. */
int server_file_load(const char *folder, ServerFile *ret_file, Err *err);

/* The same of a text, as of a file in `folder`; no secret is read. */
int server_file_read(Str text, const char *folder, ServerFile *ret_file, Err *err);

/* A file with comments, for `warg contest init`. */
extern const char server_file_example[];

#endif
