#include "cmd/llm_key.h"

#include "llm/endpoint_text.h"

#include <errno.h>

#define KEY_LINE 4096

static int read_file(const char *path, Buf *key, Err *err)
{
    char line[KEY_LINE];
    FILE *file = fopen(path, "re");

    if (!file)
        return err_set(err, ERR_IO, "key file '%s': %s", path, strerror(errno));
    bool got = fgets(line, sizeof(line), file);
    bool bad = ferror(file);
    fclose(file);
    if (bad)
        return err_set(err, ERR_IO, "key file '%s': it can't be read", path);
    Str text = str_trim(str_of(got ? line : ""));
    if (!text.len || text.len >= KEY_LINE - 2)
        return err_set(err, ERR_SYNTAX, "key file '%s': its first line is no key", path);
    buf_add(key, text);
    explicit_bzero(line, sizeof(line));
    return 0;
}

int llm_key_find(const char *variable, const char *file, const char *url, Buf *key, Err *err)
{
    if (file)
        return read_file(file, key, err);
    const char *value = getenv(variable ? variable : LLM_KEY_VARIABLE);
    if (variable && (!value || !value[0]))
        return err_set(err, ERR_USAGE,
                       "the environment variable %s, which was to hold the key, is "
                       "not set",
                       variable);
    /* A key that nobody spoke of must not go over a wire that others can read. */
    Str where = str_of(url);
    if (value && (variable || str_starts(where, STR("https://")) || llm_url_is_local(where)))
        buf_add(key, str_of(value));
    return buf_failed(key) ? err_set(err, ERR_MEMORY, "key: out of memory") : 0;
}
