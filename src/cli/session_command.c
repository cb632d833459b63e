#include "cli/session_command.h"

#include "base/json.h"
#include "base/mem.h"
#include "disk/log_file.h"
#include "wire/json_read.h"

#include <unistd.h>

#define COMMAND_BYTES_MAX ((size_t)1024 * 1024)

void session_command_write(int argc, char **argv, Buf *out)
{
    Json json = json_over(out);

    json_open(&json, '{');
    json_key(&json, STR("command"));
    json_open(&json, '[');
    for (int i = 1; i < argc; i++)
        json_put_str(&json, str_of(argv[i]));
    json_close(&json);
    json_close(&json);
    buf_add_char(out, '\n');
}

static int read_kept(const char *dir, json_t **ret_kept, Err *err)
{
    CLEANUP(buf_done) Buf path = {0};
    CLEANUP(buf_done) Buf text = {0};

    buf_printf(&path, "%s/command.json", dir);
    if (buf_failed(&path))
        return err_set(err, ERR_MEMORY, "session: out of memory");
    if (access(buf_cstr(&path), F_OK))
        return err_set(err, ERR_USAGE,
                       "--resume '%s': expected the --out folder of a session, with command.json "
                       "in it",
                       dir);
    int rc = log_file_read(buf_cstr(&path), COMMAND_BYTES_MAX, &text, err);
    if (rc == 0)
        rc = json_read(str_trim(buf_str(&text)), COMMAND_BYTES_MAX, ret_kept, err);
    if (rc)
        err_wrap(err, "%s: ", buf_cstr(&path));
    return rc;
}

/* The record's first line; `began` stays false when it is not whole. */
static int read_first(const char *dir, SessionCommand *command, Err *err)
{
    CLEANUP(buf_done) Buf path = {0};
    CLEANUP(buf_done) Buf text = {0};
    size_t end;

    buf_printf(&path, "%s/session.jsonl", dir);
    if (buf_failed(&path))
        return err_set(err, ERR_MEMORY, "session: out of memory");
    if (access(buf_cstr(&path), F_OK))
        return 0;
    int rc = log_file_read(buf_cstr(&path), MAW_RECORD_BYTES_MAX, &text, err);
    if (rc || !str_find(buf_str(&text), STR("\n"), &end))
        return rc;
    rc = maw_record_head(str_part(buf_str(&text), 0, end), &command->head, err);
    if (rc)
        err_wrap(err, "%s, line 1: ", buf_cstr(&path));
    command->began = rc == 0;
    return rc;
}

/* What was said the first time, and where --out is now. */
static int keep_words(const json_t *words, const char *dir, Buf *out, Err *err)
{
    for (size_t i = 0; i < json_count(words); i++) {
        Str word;
        if (!json_as_str(json_at(words, i), &word) || memchr(word.bytes, '\0', word.len))
            return err_set(err, ERR_SYNTAX, "%s/command.json: expected a list of texts", dir);
        buf_add(out, word);
        buf_add_char(out, '\0');
    }
    buf_add(out, STR("--out"));
    buf_add_char(out, '\0');
    buf_add(out, str_of(dir));
    buf_add_char(out, '\0');
    return buf_failed(out) ? err_set(err, ERR_MEMORY, "session: out of memory") : 0;
}

static int join_words(size_t count, int argc, char **argv, SessionCommand *ret, Err *err)
{
    char *word = ret->words.bytes;

    ret->argv = mem_resize(NULL, count + (size_t)argc + 1, sizeof(*ret->argv));
    if (!ret->argv)
        return err_set(err, ERR_MEMORY, "session: out of memory");
    ret->argv[ret->argc++] = argv[0];
    for (size_t i = 0; i < count; i++) {
        ret->argv[ret->argc++] = word;
        word += strlen(word) + 1;
    }
    for (int i = 1; i < argc; i++)
        ret->argv[ret->argc++] = argv[i];
    ret->argv[ret->argc] = NULL;
    return 0;
}

int session_command_read(const char *dir, int argc, char **argv, SessionCommand *ret, Err *err)
{
    json_t *kept = NULL;
    int rc = read_kept(dir, &kept, err);
    const json_t *words = rc ? NULL : json_get(kept, "command");
    const size_t count = json_count(words);

    if (rc == 0 && !json_is_list(words))
        rc = err_set(err, ERR_SYNTAX, "%s/command.json: expected 'command', a list", dir);
    if (rc == 0)
        rc = keep_words(words, dir, &ret->words, err);
    json_done(kept);
    if (rc == 0)
        rc = read_first(dir, ret, err);
    return rc ? rc : join_words(count + 2, argc, argv, ret, err);
}

void session_command_done(SessionCommand *command)
{
    command->argv = mem_free(command->argv);
    buf_done(&command->words);
}
