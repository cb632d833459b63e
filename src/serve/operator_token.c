#include "serve/operator_token.h"

#include "disk/disk_call.h"
#include "disk/secret.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#define TOKEN_BYTES 32

static int token_draw(Buf *token, Err *err)
{
    unsigned char bytes[TOKEN_BYTES];

    if (getrandom(bytes, sizeof(bytes), 0) != (ssize_t)sizeof(bytes))
        return err_set(err, ERR_IO, "the operator's token: getrandom: %s", strerror(errno));
    for (size_t i = 0; i < sizeof(bytes); i++)
        buf_printf(token, "%02x", bytes[i]);
    return buf_failed(token) ? err_set(err, ERR_MEMORY, "the operator's token: out of memory") : 0;
}

static int token_write(int file, const char *path, Str token, Err *err)
{
    CLEANUP(buf_done) Buf line = {0};

    buf_add(&line, token);
    buf_add_char(&line, '\n');
    bool good = !buf_failed(&line) && disk_write(file, buf_str(&line)) == 0 && disk_sync(file) == 0;
    int why = errno;
    if (good)
        return 0;
    (void)disk_remove(path);
    return err_set(err, ERR_IO, "the operator's token: can't write '%s': %s", path, strerror(why));
}

static int token_read(const char *path, Buf *token, Err *err)
{
    struct stat info;

    if (stat(path, &info))
        return err_set(err, ERR_IO, "the operator's token: '%s': %s", path, strerror(errno));
    if (!S_ISREG(info.st_mode))
        return err_set(err, ERR_IO, "the operator's token: '%s' is no regular file", path);
    if (info.st_mode & (S_IRWXG | S_IRWXO))
        return err_set(err, ERR_RULE,
                       "the operator's token: others may read or write '%s', participants' "
                       "programs too: chmod 600 '%s'",
                       path, path);
    int rc = secret_read(path, "the operator's token", token, err);
    if (rc == 0 && token->len < OPERATOR_TOKEN_MIN)
        return err_set(err, ERR_RULE,
                       "the operator's token in '%s' has %zu characters, at least %d are needed; "
                       "remove the file, and a good one is made",
                       path, token->len, OPERATOR_TOKEN_MIN);
    return rc;
}

int operator_token(const char *path, Buf *token, Err *err)
{
    if (!path)
        return token_draw(token, err);
    int file = disk_open(path, O_WRONLY | O_CREAT | O_EXCL, S_IRUSR | S_IWUSR);
    if (file < 0 && errno == EEXIST)
        return token_read(path, token, err);
    if (file < 0)
        return err_set(err, ERR_IO, "the operator's token: can't make '%s': %s", path,
                       strerror(errno));
    int rc = token_draw(token, err);
    if (rc == 0)
        rc = token_write(file, path, buf_str(token), err);
    close(file);
    return rc;
}
