#include "llm/prompt_log.h"

#include "base/json.h"
#include "disk/disk_call.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

struct PromptLog {
    int file;    /* -1: given up */
    bool shared; /* other lines stand there, too */
    int64_t next;
    int64_t before; /* number of the request that `last` is of */
    Buf model;
    Buf last; /* its messages */
};

/* ---- messages of a request, as bytes ---- */

/* The length of the JSON value at the start of `text`, up to the comma or bracket behind it. */
static size_t value_length(Str text)
{
    unsigned depth = 0;
    bool quoted = false;

    for (size_t i = 0; i < text.len; i++) {
        const char byte = text.bytes[i];
        if (quoted) {
            i += byte == '\\';
            quoted = byte != '"';
        } else if (byte == '"') {
            quoted = true;
        } else if (byte == '{' || byte == '[') {
            depth++;
        } else if (byte == '}' || byte == ']') {
            if (depth == 0)
                return i;
            depth--;
        } else if (byte == ',' && depth == 0) {
            return i;
        }
    }
    return text.len;
}

/* Cuts the next message off an array whose '[' is gone. False at its end. */
static bool cut_message(Str *rest, Str *ret_message)
{
    size_t len = value_length(*rest);

    if (len == 0)
        return false;
    *ret_message = str_part(*rest, 0, len);
    *rest = str_part(*rest, len + (len < rest->len && rest->bytes[len] == ','), rest->len);
    return true;
}

static Str without_bracket(Str array)
{
    return array.len && array.bytes[0] == '[' ? str_part(array, 1, array.len - 1) : array;
}

/* How many messages both begin with; the rest of the second into `ret_rest`, with its ']'. */
static uint32_t same_messages(Str before, Str now, Str *ret_rest)
{
    Str old = without_bracket(before), new = without_bracket(now), was, is;
    uint32_t same = 0;

    *ret_rest = new;
    while (cut_message(&old, &was) && cut_message(&new, &is) && str_eq(was, is)) {
        same++;
        *ret_rest = new;
    }
    return same;
}

/* ---- the file ---- */

/* How many whole lines it has; a damaged last one is cut off. */
static int count_lines(PromptLog *log, const char *path, Err *err)
{
    char block[65536];
    off_t at = 0, whole = 0;
    ssize_t got;

    while ((got = pread(log->file, block, sizeof(block), at)) > 0) {
        for (ssize_t i = 0; i < got; i++)
            if (block[i] == '\n') {
                log->next++;
                whole = at + i + 1;
            }
        at += got;
    }
    if (got < 0 || (whole < at && disk_cut(log->file, whole)))
        return disk_error(err, "read or mend", path);
    return 0;
}

int prompt_log_open_in(int take_file, Str model, PromptLog **ret_log, Err *err)
{
    PromptLog *log = mem_new(sizeof(*log));

    if (!log) {
        close(take_file);
        return err_set(err, ERR_MEMORY, "prompts: out of memory");
    }
    log->file = take_file;
    log->shared = true;
    log->before = PROMPT_NONE;
    buf_add(&log->model, model);
    if (buf_failed(&log->model)) {
        prompt_log_free(log);
        return err_set(err, ERR_MEMORY, "prompts: out of memory");
    }
    *ret_log = log;
    return 0;
}

int prompt_log_open(const char *path, Str model, PromptLog **ret_log, Err *err)
{
    const int file = disk_open(path, O_RDWR | O_CREAT | O_APPEND | O_NOFOLLOW | O_CLOEXEC, 0600);
    PromptLog *log = NULL;

    if (file < 0)
        return disk_error(err, "open", path);
    int rc = prompt_log_open_in(file, model, &log, err);
    if (rc)
        return rc;
    log->shared = false;
    rc = count_lines(log, path, err);
    if (rc)
        prompt_log_free(log);
    else
        *ret_log = log;
    return rc;
}

PromptLog *prompt_log_free(PromptLog *log)
{
    if (!log)
        return NULL;
    if (log->file >= 0)
        close(log->file);
    buf_done(&log->model);
    buf_done(&log->last);
    return mem_free(log);
}

static void write_prompt(const PromptLog *log, Str messages, int64_t unix_ms, Buf *line)
{
    Json json = json_over(line);
    Str rest;
    uint32_t same = same_messages(buf_str(&log->last), messages, &rest);
    CLEANUP(buf_done) Buf array = {0};

    buf_printf(&array, "[%.*s", STR_ARG(rest));
    json_open(&json, '{');
    if (log->shared)
        json_add_str(&json, "type", STR("prompt"));
    json_add_int(&json, "prompt", log->next);
    json_add_int(&json, "t_ms", unix_ms);
    json_add_str(&json, "model", buf_str(&log->model));
    if (same) {
        json_add_int(&json, "as", log->before);
        json_add_uint(&json, "same", same);
    }
    json_key(&json, STR("messages"));
    json_put_raw(&json, buf_str(&array));
    json_close(&json);
    buf_add_char(line, '\n');
    line->failed |= buf_failed(&array);
}

int64_t prompt_log_add(PromptLog *log, Str messages, int64_t unix_ms)
{
    CLEANUP(buf_done) Buf line = {0};

    if (log->file < 0)
        return PROMPT_NONE;
    write_prompt(log, messages, unix_ms, &line);
    const off_t before = lseek(log->file, 0, SEEK_END); /* -1 for a pipe, which has no end */
    buf_clear(&log->last);
    buf_add(&log->last, messages);
    if (buf_failed(&line) || buf_failed(&log->last) || disk_write(log->file, buf_str(&line))) {
        if (before >= 0)
            disk_cut(log->file, before);
        close(log->file);
        log->file = -1;
        return PROMPT_NONE;
    }
    log->before = log->next;
    return log->next++;
}
