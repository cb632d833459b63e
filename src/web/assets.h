/* assets.h - script, style and signs of the pages: out of the program, or from a folder.
 *
 * For:    site.c, export.c.
 * Memory: an Assets owns all that it hands out, until assets_look or assets_free.
 * Thread: assets_open, assets_look and assets_free one at a time; the rest any.
 * Source: docs/spec/web.md 11.3, 12: files of web/dist, whose names in URLs carry eight digits of
 *         their SHA-256, so that browsers may keep them for ever.
 */
#ifndef WARG_WEB_ASSETS_H
#define WARG_WEB_ASSETS_H

#include "base/buf.h"
#include "base/err.h"

#define ASSETS_FILES_MAX 64
#define ASSETS_BYTES_MAX ((size_t)16 * 1024 * 1024) /* of one file */

typedef struct Assets Assets;

/* Borrowed from an Assets. */
typedef struct Asset {
    Str file;         /* "app.js" */
    Str name;         /* in URLs: "app.1f2e3d4c.js" */
    const char *type; /* "text/javascript; charset=utf-8" */
    Str plain;
    Str packed;   /* the same as gzip; empty = not there */
    Str digest;   /* SHA-256, 64 hex digits */
    bool is_sent; /* script, style or sign; else it is for `warg export` alone */
} Asset;

/* Those in the program, or with `dir` the files of that folder. Errors: ERR_IO, ERR_LIMIT,
 * ERR_MEMORY; ERR_SYNTAX for a program that was damaged. */
int assets_open(const char *dir, Assets **ret_assets, Err *err);
Assets *assets_free(Assets *assets); /* takes NULL, returns NULL */
void assets_freep(Assets **assets);

/* Reads a folder's files again; those that are in the program stay as they are. Errors: as above;
 * what was there stays. */
int assets_look(Assets *assets, Err *err);
/* Whether they are a folder's, and may be others the next time. */
bool assets_may_change(const Assets *assets);

/* By the name in a URL; only what is sent. False when there is none. */
bool assets_find(const Assets *assets, Str name, Asset *ret_asset);
/* By the file's name in web/dist. */
bool assets_file(const Assets *assets, Str file, Asset *ret_asset);

/* The page that all pages with script are: `language` is "en" or "ja". Without app.js it says so.
 */
void assets_write_page(const Assets *assets, const char *language, Buf *out);

#endif
