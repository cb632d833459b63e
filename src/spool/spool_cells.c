#include "spool/spool_cells.h"

#include "disk/disk_call.h"
#include "disk/file_replace.h"
#include "disk/log_file.h"
#include "spool/spool_folder.h"
#include "wire/json_read.h"

#define CELLS_FILE "cells"
#define CELLS_MAX  1024               /* bytes of the file */
#define COUNT_MAX  (INT64_C(1) << 48) /* of all jobs */
#define JOB_MAX    UINT32_MAX         /* of one, so that a sum of thousands is still read */

void spool_cells_put(const SpoolCells *cells, Json *json)
{
    json_open(json, '{');
    json_add_uint(json, "started", cells->started);
    json_add_uint(json, "ended", cells->ended);
    json_add_uint(json, "not_made", cells->not_made);
    json_add_uint(json, "killed", cells->killed);
    json_add_uint(json, "failed", cells->failed);
    json_close(json);
}

static uint64_t read_count(JsonReader *reader, const json_t *object, const char *key)
{
    return (uint64_t)json_get_int(reader, object, key, 0, COUNT_MAX, 0);
}

int spool_cells_read(const json_t *object, SpoolCells *ret_cells, Err *err)
{
    JsonReader reader = {.err = err};

    *ret_cells = (SpoolCells){0};
    if (!object)
        return 0;
    if (!json_is_map(object))
        return err_set(err, ERR_SYNTAX, "cells: it is no object");
    const SpoolCells cells = {.started = read_count(&reader, object, "started"),
                              .ended = read_count(&reader, object, "ended"),
                              .not_made = read_count(&reader, object, "not_made"),
                              .killed = read_count(&reader, object, "killed"),
                              .failed = read_count(&reader, object, "failed")};
    if (reader.rc == 0 &&
        (cells.ended > cells.started || cells.not_made + cells.killed + cells.failed > cells.ended))
        return err_set(err, ERR_SYNTAX, "cells: more have ended than were started");
    if (reader.rc == 0)
        *ret_cells = cells;
    return reader.rc;
}

int spool_cells_tell(const char *folder, const SpoolCells *cells, Err *err)
{
    CLEANUP(buf_done) Buf path = {0};
    CLEANUP(buf_done) Buf text = {0};
    Json json = json_over(&text);

    spool_cells_put(cells, &json);
    if (buf_failed(&text))
        return err_set(err, ERR_MEMORY, "spool: out of memory");
    int rc = path_join(&path, folder, CELLS_FILE, NULL, err);
    return rc ? rc : file_replace(buf_cstr(&path), buf_str(&text), false, err);
}

int spool_cells_look(const char *folder, SpoolCells *ret_cells, Err *err)
{
    CLEANUP(buf_done) Buf path = {0};
    CLEANUP(buf_done) Buf text = {0};
    json_t *object = NULL;

    *ret_cells = (SpoolCells){0};
    int rc = path_join(&path, folder, CELLS_FILE, NULL, err);
    if (rc == 0)
        rc = log_file_read(buf_cstr(&path), CELLS_MAX, &text, err);
    if (rc == 0)
        rc = json_read(buf_str(&text), CELLS_MAX, &object, err);
    if (rc == 0)
        rc = spool_cells_read(object, ret_cells, err);
    if (rc == 0 && ret_cells->started > JOB_MAX) {
        *ret_cells = (SpoolCells){0};
        rc = err_set(err, ERR_LIMIT, "cells: no job has so many");
    }
    json_done(object);
    return rc;
}

void spool_cells_forget(const char *folder)
{
    CLEANUP(buf_done) Buf path = {0};

    if (path_join(&path, folder, CELLS_FILE, NULL, NULL) == 0)
        (void)disk_remove(buf_cstr(&path));
}

void spool_cells_add(SpoolCells *sum, const SpoolCells *more)
{
    sum->started += more->started;
    sum->ended += more->ended;
    sum->not_made += more->not_made;
    sum->killed += more->killed;
    sum->failed += more->failed;
}
