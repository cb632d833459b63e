#include "spool/spool_status.h"

#include "base/json.h"
#include "disk/file_replace.h"
#include "disk/log_file.h"
#include "spool/spool_folder.h"
#include "wire/json_read.h"

#define STATUS_MAX  ((size_t)256 * 1024)
#define STATUS_FILE "runner.json"
#define LOCK_FILE   "runner.lock"
#define NEXT_FILE   "runner.next" /* locked by who waits for the other lock */

void spool_runner_done(SpoolRunner *runner)
{
    buf_done(&runner->level);
    buf_done(&runner->layers);
    buf_done(&runner->jobs);
}

/* A job in the list, as it was written: words alone, so that nothing else is handed on. */
static void copy_job(const json_t *job, Json *out)
{
    static const char *const words[] = {"job", "kind", "contest", "stage"};

    json_open(out, '{');
    for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
        json_add_str(out, words[i], json_text(job, words[i]));
    json_add_int(out, "since", json_number(job, "since"));
    json_close(out);
}

static int take_status(const json_t *json, SpoolRunner *runner, Err *err)
{
    JsonReader reader = {.err = err};
    const json_t *jobs = json_get_list(&reader, json, "jobs");
    Json out = json_over(&runner->jobs);

    runner->beat = (uint64_t)json_get_int(&reader, json, "beat", 0, INT64_MAX, 0);
    runner->told_ms = json_get_int(&reader, json, "at", 0, INT64_MAX, 0);
    runner->tables = (uint32_t)json_get_int(&reader, json, "tables", 0, UINT32_MAX, 0);
    buf_add(&runner->level, json_get_str(&reader, json, "level"));
    buf_add(&runner->layers, json_get_str(&reader, json, "layers"));
    json_open(&out, '[');
    for (size_t i = 0; i < json_count(jobs); i++)
        copy_job(json_at(jobs, i), &out);
    json_close(&out);
    if (buf_failed(&runner->level) || buf_failed(&runner->layers) || buf_failed(&runner->jobs))
        return err_set(err, ERR_MEMORY, "spool: out of memory");
    return reader.rc ? reader.rc : spool_cells_read(json_get(json, "cells"), &runner->cells, err);
}

int spool_runner_read(Str json, SpoolRunner *ret_runner, Err *err)
{
    json_t *tree = NULL;

    *ret_runner = (SpoolRunner){0};
    int rc = json_read(json, STATUS_MAX, &tree, err);
    if (rc == 0 && !json_is_map(tree))
        rc = err_set(err, ERR_SYNTAX, "runner: it is no object");
    if (rc == 0)
        rc = take_status(tree, ret_runner, err);
    json_done(tree);
    if (rc)
        spool_runner_done(ret_runner);
    return rc;
}

static int status_path(const char *data_dir, const char *name, Buf *ret_path, Err *err)
{
    return path_join(ret_path, data_dir, "spool", name, err);
}

int spool_runner_look(SpoolWatch *watch, const char *data_dir, int64_t now_ms,
                      SpoolRunner *ret_runner, Err *err)
{
    CLEANUP(buf_done) Buf path = {0};
    CLEANUP(buf_done) Buf text = {0};
    Err why = {0};

    *ret_runner = (SpoolRunner){0};
    int rc = status_path(data_dir, LOCK_FILE, &path, err);
    const bool locked = rc == 0 && lock_is_taken(buf_cstr(&path));
    if (rc == 0)
        rc = status_path(data_dir, STATUS_FILE, &path, err);
    if (rc)
        return rc;
    if (log_file_read(buf_cstr(&path), STATUS_MAX, &text, &why) != 0 ||
        spool_runner_read(buf_str(&text), ret_runner, &why) != 0)
        return why.code == ERR_MEMORY ? err_set(err, ERR_MEMORY, "spool: out of memory") : 0;
    if (!watch->heard || watch->beat != ret_runner->beat || now_ms < watch->heard_ms)
        *watch = (SpoolWatch){.beat = ret_runner->beat, .heard_ms = now_ms, .heard = true};
    ret_runner->seen_ms = now_ms - watch->heard_ms;
    ret_runner->alive = locked && ret_runner->seen_ms < SPOOL_SILENT_MS;
    return 0;
}

int spool_become_runner(const char *data_dir, int *ret_lock, Err *err)
{
    CLEANUP(buf_done) Buf path = {0};
    int rc = status_path(data_dir, LOCK_FILE, &path, err);

    if (rc == 0)
        rc = lock_take(buf_cstr(&path), ret_lock, err);
    if (rc == 0 && *ret_lock < 0)
        rc = err_set(err, ERR_USAGE, "another runner works in '%s'", data_dir);
    return rc;
}

int spool_ask_for_place(const char *data_dir, int *ret_lock, Err *err)
{
    CLEANUP(buf_done) Buf path = {0};
    int rc = status_path(data_dir, NEXT_FILE, &path, err);

    *ret_lock = -1;
    return rc ? rc : lock_take(buf_cstr(&path), ret_lock, err);
}

bool spool_is_asked_for_place(const char *data_dir)
{
    CLEANUP(buf_done) Buf path = {0};

    return status_path(data_dir, NEXT_FILE, &path, NULL) == 0 && lock_is_taken(buf_cstr(&path));
}

int spool_runner_tell(const char *data_dir, const SpoolRunner *runner, int64_t at_ms, Err *err)
{
    CLEANUP(buf_done) Buf path = {0};
    CLEANUP(buf_done) Buf text = {0};
    Json json = json_over(&text);

    json_open(&json, '{');
    json_add_uint(&json, "beat", runner->beat);
    json_add_int(&json, "at", at_ms);
    json_add_uint(&json, "tables", runner->tables);
    json_add_str(&json, "level", buf_str(&runner->level));
    json_add_str(&json, "layers", buf_str(&runner->layers));
    json_key(&json, STR("cells"));
    spool_cells_put(&runner->cells, &json);
    json_key(&json, STR("jobs"));
    json_put_raw(&json, runner->jobs.len ? buf_str(&runner->jobs) : STR("[]"));
    json_close(&json);
    if (buf_failed(&text))
        return err_set(err, ERR_MEMORY, "spool: out of memory");
    int rc = status_path(data_dir, STATUS_FILE, &path, err);
    return rc ? rc : file_replace(buf_cstr(&path), buf_str(&text), false, err);
}
