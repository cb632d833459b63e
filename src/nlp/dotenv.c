/* Files of environment variables. Like the Go server's reader, but nothing is expanded: a `$` in a
 * secret is a `$`. docs/spec/nlp-division.md 7.5. */
#include "nlp/config.h"

#include "base/utf8.h"
#include "disk/log_file.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

enum { DOTENV_BYTES_MAX = 65536 };

struct DotEnv {
    Buf pairs; /* NAME NUL value NUL ... */
};

static bool is_name(Str name)
{
    for (size_t i = 0; i < name.len; i++) {
        char c = name.bytes[i];
        bool letter = (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '_' || c == '.';
        if (!letter && (i == 0 || c < '0' || c > '9'))
            return false;
    }
    return name.len > 0;
}

/* A blank or tab in front of it makes '#' a comment. */
static Str without_comment(Str text)
{
    for (size_t i = 0; i < text.len; i++)
        if (text.bytes[i] == '#' &&
            (i == 0 || text.bytes[i - 1] == ' ' || text.bytes[i - 1] == '\t'))
            return str_trim(str_part(text, 0, i));
    return text;
}

static char unescaped_char(char c)
{
    switch (c) {
    case 'n':
        return '\n';
    case 'r':
        return '\r';
    case 't':
        return '\t';
    default:
        return c;
    }
}

/* What is between the quotes; false when they don't end, or something is behind them. */
static bool add_quoted(Str text, Buf *out)
{
    char quote = text.bytes[0];

    for (size_t i = 1; i < text.len; i++) {
        char c = text.bytes[i];
        if (c == quote)
            return without_comment(str_trim(str_part(text, i + 1, text.len))).len == 0;
        if (c == '\\' && quote == '"' && i + 1 < text.len)
            c = unescaped_char(text.bytes[++i]);
        buf_add_char(out, c);
    }
    return false;
}

/* The messages show no value: it may be a secret. */
static int read_line(DotEnv *env, Str line, unsigned number, Err *err)
{
    Str value = str_trim(line);

    if (value.len == 0 || value.bytes[0] == '#')
        return 0;
    if (str_starts(value, STR("export ")) || str_starts(value, STR("export\t")))
        value = str_trim(str_part(value, 7, value.len));
    if (!memchr(value.bytes, '=', value.len))
        return err_set_at(err, ERR_SYNTAX, number, 1, "expected NAME=value");
    Str name = str_trim(str_cut(&value, '='));
    if (!is_name(name))
        return err_set_at(err, ERR_SYNTAX, number, 1,
                          "expected a name of letters, digits and _ before the =");
    value = str_trim(value);
    buf_add(&env->pairs, name);
    buf_add_char(&env->pairs, '\0');
    if (value.len && (value.bytes[0] == '"' || value.bytes[0] == '\'')) {
        if (!add_quoted(value, &env->pairs))
            return err_set_at(err, ERR_SYNTAX, number, 1,
                              "%.*s: the value's quotes must end at the end of the line",
                              STR_ARG(str_part(name, 0, 60)));
    } else {
        buf_add(&env->pairs, without_comment(value));
    }
    buf_add_char(&env->pairs, '\0');
    return 0;
}

static void dotenv_freep(DotEnv **env)
{
    *env = dotenv_free(*env);
}

int dotenv_read(Str text, DotEnv **ret_env, Err *err)
{
    CLEANUP(dotenv_freep) DotEnv *env = mem_new(sizeof(*env));
    int rc = 0;

    if (!env)
        return err_set(err, ERR_MEMORY, "out of memory");
    if (text.len > DOTENV_BYTES_MAX)
        return err_set(err, ERR_LIMIT, "more than 64 KiB of text");
    if (!utf8_valid(text) || (text.len && memchr(text.bytes, '\0', text.len)))
        return err_set(err, ERR_SYNTAX, "this is no text in UTF-8");
    if (str_starts(text, STR("\xEF\xBB\xBF")))
        text = str_part(text, 3, text.len);
    for (unsigned number = 1; text.len && rc == 0; number++)
        rc = read_line(env, str_cut(&text, '\n'), number, err);
    if (rc)
        return rc;
    if (buf_failed(&env->pairs))
        return err_set(err, ERR_MEMORY, "out of memory");
    *ret_env = TAKE(env);
    return 0;
}

int dotenv_load(const char *path, DotEnv **ret_env, Err *err)
{
    CLEANUP(buf_done) Buf text = {0};
    int rc = 0;

    /* A directory of this name, or a file that can't be read, is told by the reader. */
    if (access(path, F_OK) == 0 || errno != ENOENT)
        rc = log_file_read(path, DOTENV_BYTES_MAX, &text, err);
    if (rc == 0)
        rc = dotenv_read(buf_str(&text), ret_env, err);
    if (rc)
        err_wrap(err, "environment file '%s': ", path);
    return rc;
}

const char *dotenv_get(void *env, const char *name)
{
    const DotEnv *file = env;
    const char *found = getenv(name);

    if (found || !file || !file->pairs.bytes)
        return found;
    const char *end = file->pairs.bytes + file->pairs.len;
    for (const char *at = file->pairs.bytes; at < end;) {
        const char *value = at + strlen(at) + 1;
        if (strcmp(at, name) == 0)
            found = value; /* of several the last */
        at = value + strlen(value) + 1;
    }
    return found;
}

DotEnv *dotenv_free(DotEnv *env)
{
    if (env)
        buf_done(&env->pairs);
    return mem_free(env);
}
