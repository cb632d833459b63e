#include "serve/nlp_key.h"

#include "base/id_source.h"
#include "disk/disk_call.h"
#include "disk/folder.h"
#include "disk/key_file.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

int nlp_key_read(const char *text, NlpKey *key, Err *err)
{
    uint64_t number;

    if (str_to_uint(str_of(text), UINT64_MAX, &number))
        return nlp_key_of_seed(number, key, err);
    if (!key_from_hex(str_of(text), &key->key))
        return err_set(err, ERR_USAGE,
                       "--seed: expected a number from 0 to 18446744073709551615, or a key of 64 "
                       "hexadecimal digits, found '%s'",
                       text);
    key->given = true;
    buf_add(&key->shown, STR("key given"));
    return 0;
}

int nlp_key_of_seed(uint64_t number, NlpKey *key, Err *err)
{
    key->key = key_of_seed(number);
    key->given = true;
    buf_printf(&key->shown, "seed %" PRIu64 ", which can be guessed", number);
    return buf_failed(&key->shown) ? err_set(err, ERR_MEMORY, "seed: out of memory") : 0;
}

int nlp_key_draw(NlpKey *key, Err *err)
{
    return key_draw(&key->key, err);
}

void nlp_key_number(NlpKey *key, size_t number)
{
    const KeyRoot root = key_root(&key->key);

    if (key->given && number > 0)
        key->key = key_derive_number(&root, STR("server"), number);
}

/* ---- its file ---- */

static int write_file(const char *path, const Key *key, Err *err)
{
    char hex[KEY_HEX_BYTES + 1];
    int fd = disk_open(path, O_WRONLY | O_CREAT | O_EXCL, 0600);

    if (fd < 0)
        return disk_error(err, "key", path);
    key_to_hex(key, hex);
    hex[KEY_HEX_BYTES - 1] = '\n';
    int rc = disk_write(fd, (Str){hex, KEY_HEX_BYTES}) || disk_sync(fd)
                 ? disk_error(err, "key", path)
                 : 0;
    if (disk_close(fd) && rc == 0)
        rc = disk_error(err, "key", path);
    if (rc)
        (void)disk_remove(path); /* half a key is none */
    return rc;
}

/* A folder that was there already may belong to whom it likes, but nobody else reads it. */
static int make_secret_folder(const char *path, Err *err)
{
    if ((disk_make_folder(path, 0700) && errno != EEXIST) || chmod(path, 0700))
        return disk_error(err, "folder", path);
    return 0;
}

int nlp_key_keep(NlpKey *key, const char *dir, int64_t unix_ms, Err *err)
{
    CLEANUP(buf_done) Buf folder = {0};
    IdSource ids = {0};
    char id[ID_ULID_BYTES] = "";

    if (key->given || !dir)
        return 0;
    int rc = id_source_ulid(&ids, (uint64_t)unix_ms, id, err);
    buf_printf(&folder, "%s/secret", dir);
    buf_printf(&key->secret, "%s/secret/%s.key", dir, id);
    buf_printf(&key->published, "%s/%s.key", dir, id);
    if (rc == 0 && (buf_failed(&folder) || buf_failed(&key->secret) || buf_failed(&key->published)))
        rc = err_set(err, ERR_MEMORY, "key: out of memory");
    if (rc == 0)
        rc = folder_make(str_of(dir), err);
    if (rc == 0)
        rc = make_secret_folder(buf_cstr(&folder), err);
    if (rc == 0)
        rc = write_file(buf_cstr(&key->secret), &key->key, err);
    if (rc)
        buf_clear(&key->secret);
    return rc;
}

int nlp_key_publish(NlpKey *key, Err *err)
{
    if (key->secret.len == 0)
        return 0;
    if (disk_rename(buf_cstr(&key->secret), buf_cstr(&key->published)))
        return disk_error(err, "key", buf_cstr(&key->secret));
    buf_clear(&key->secret);
    return 0;
}

void nlp_key_done(NlpKey *key)
{
    buf_done(&key->shown);
    buf_done(&key->secret);
    buf_done(&key->published);
}
