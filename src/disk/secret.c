#include "disk/secret.h"

#include "disk/regular_file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define LINE_BYTES 4096

int secret_read(const char *path, const char *what, Buf *secret, Err *err)
{
    char line[LINE_BYTES];
    int fd = -1;
    int rc = regular_file_open(path, &fd, err);

    if (rc) {
        err_wrap(err, "%s: ", what);
        return rc;
    }
    FILE *file = fdopen(fd, "r");
    if (!file) {
        close(fd);
        return err_set(err, ERR_IO, "%s: can't open '%s': %s", what, path, strerror(errno));
    }
    bool got = fgets(line, sizeof(line), file);
    bool bad = ferror(file);
    fclose(file);
    if (bad)
        return err_set(err, ERR_IO, "%s: '%s' can't be read", what, path);
    Str text = str_trim(str_of(got ? line : ""));
    if (!text.len || text.len >= LINE_BYTES - 2)
        return err_set(err, ERR_SYNTAX, "'%s': its first line has to hold %s, and nothing else",
                       path, what);
    buf_add(secret, text);
    explicit_bzero(line, sizeof(line));
    return buf_failed(secret) ? err_set(err, ERR_MEMORY, "%s: out of memory", what) : 0;
}

int secret_find(const char *file, const char *variable, const char *what, const char *options,
                Buf *secret, Err *err)
{
    const char *value = file ? NULL : getenv(variable);

    if (file)
        return secret_read(file, what, secret, err);
    if (!value || !value[0])
        return err_set(err, ERR_USAGE, "%s is in no environment variable %s: set it, or give %s",
                       what, variable, options);
    buf_add(secret, str_of(value));
    return buf_failed(secret) ? err_set(err, ERR_MEMORY, "%s: out of memory", what) : 0;
}
