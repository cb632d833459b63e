#include "disk/key_file.h"

#include "base/buf.h"
#include "disk/disk_call.h"
#include "disk/folder.h"
#include "disk/regular_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

int key_draw(Key *ret_key, Err *err)
{
    size_t have = 0;

    while (have < KEY_BYTES) {
        ssize_t n = getrandom(ret_key->bytes + have, KEY_BYTES - have, 0);
        if (n < 0 && errno != EINTR)
            return err_set(err, ERR_IO, "random bytes from the kernel: %s", strerror(errno));
        have += n > 0 ? (size_t)n : 0;
    }
    return 0;
}

/* ---- the file ---- */

static int path_of_folder(const char *dir, Buf *ret_path, Err *err)
{
    buf_printf(ret_path, "%s/" KEY_FOLDER, dir);
    return buf_failed(ret_path) ? err_set(err, ERR_MEMORY, "key: out of memory") : 0;
}

static int path_of_key(const char *dir, const char *name, Buf *ret_path, Err *err)
{
    buf_printf(ret_path, "%s/" KEY_FOLDER "/%s", dir, name);
    return buf_failed(ret_path) ? err_set(err, ERR_MEMORY, "key: out of memory") : 0;
}

static int write_and_close(int fd, const char *path, Str text, Err *err)
{
    int rc = 0;

    if (disk_write(fd, text) || disk_sync(fd))
        rc = disk_error(err, "write", path);
    return disk_close(fd) && !rc ? disk_error(err, "write", path) : rc;
}

/* Whole or not at all: under another name first. */
static int write_file(const char *path, Str text, Err *err)
{
    CLEANUP(buf_done) Buf other = {0};

    buf_printf(&other, "%s.tmp", path);
    if (buf_failed(&other))
        return err_set(err, ERR_MEMORY, "key: out of memory");
    (void)disk_remove(buf_cstr(&other));
    int fd = disk_open(buf_cstr(&other), O_WRONLY | O_CREAT | O_EXCL, 0600);
    if (fd < 0)
        return disk_error(err, "make", buf_cstr(&other));
    int rc = write_and_close(fd, buf_cstr(&other), text, err);
    if (rc == 0 && disk_rename(buf_cstr(&other), path))
        rc = disk_error(err, "make", path);
    if (rc)
        (void)disk_remove(buf_cstr(&other));
    return rc;
}

/* The folder is its owner's alone. A link is not followed: it may lead to a folder of others. */
static int make_secret(const char *path, Err *err)
{
    if (disk_make_folder(path, 0700) && errno != EEXIST)
        return disk_error(err, "make the folder", path);
    int fd = disk_open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW, 0);
    if (fd < 0 && (errno == ENOTDIR || errno == ELOOP))
        return err_set(err, ERR_IO, "'%s' is a link or a file; expected a folder for the key",
                       path);
    if (fd < 0)
        return disk_error(err, "open the folder", path);
    int rc = fchmod(fd, 0700) ? disk_error(err, "make the folder", path) : 0;
    close(fd);
    return rc;
}

int key_file_write_as(const char *dir, const char *name, const Key *key, Err *err)
{
    CLEANUP(buf_done) Buf folder = {0};
    CLEANUP(buf_done) Buf path = {0};
    char text[KEY_HEX_BYTES + 1];
    int rc = folder_make(str_of(dir), err);

    key_to_hex(key, text);
    text[KEY_HEX_BYTES - 1] = '\n';
    text[KEY_HEX_BYTES] = '\0';
    if (rc == 0)
        rc = path_of_folder(dir, &folder, err);
    if (rc == 0)
        rc = path_of_key(dir, name, &path, err);
    if (rc == 0)
        rc = make_secret(buf_cstr(&folder), err);
    if (rc == 0)
        rc = write_file(buf_cstr(&path), str_of(text), err);
    if (rc == 0)
        rc = disk_sync_path(buf_cstr(&folder), err);
    return rc ? rc : disk_sync_path(dir, err);
}

int key_file_read_as(const char *dir, const char *name, Key *ret_key, Err *err)
{
    CLEANUP(buf_done) Buf path = {0};
    char text[KEY_HEX_BYTES + 2];
    int rc = path_of_key(dir, name, &path, err);

    int fd = -1;
    if (rc == 0)
        rc = regular_file_open(buf_cstr(&path), &fd, err);
    if (rc)
        return rc;
    ssize_t n = read(fd, text, sizeof(text));
    close(fd);
    if (n < 0)
        return disk_error(err, "read the key", buf_cstr(&path));
    if (!key_from_hex(str_trim((Str){text, (size_t)n}), ret_key))
        return err_set(err, ERR_SYNTAX, "'%s' holds no key of 64 hexadecimal digits",
                       buf_cstr(&path));
    return 0;
}

/* ---- those of stages ---- */

#define STAGE_NAME_ROOM 24

static const char *name_of_stage(uint32_t stage, char room[static STAGE_NAME_ROOM])
{
    if (stage)
        snprintf(room, STAGE_NAME_ROOM, "key-%u", (unsigned)stage);
    else
        snprintf(room, STAGE_NAME_ROOM, "key");
    return room;
}

int key_file_write(const char *dir, uint32_t stage, const Key *key, Err *err)
{
    char name[STAGE_NAME_ROOM];

    return key_file_write_as(dir, name_of_stage(stage, name), key, err);
}

int key_file_read(const char *dir, uint32_t stage, Key *ret_key, Err *err)
{
    char name[STAGE_NAME_ROOM];

    return key_file_read_as(dir, name_of_stage(stage, name), ret_key, err);
}

/* ---- as bytes ---- */

static int path_of_bytes(const char *folder, const char *name, Buf *ret_path, Err *err)
{
    buf_printf(ret_path, "%s/%s", folder, name);
    return buf_failed(ret_path) ? err_set(err, ERR_MEMORY, "key: out of memory") : 0;
}

int key_bytes_write(const char *folder, const char *name, const Key *key, Err *err)
{
    CLEANUP(buf_done) Buf path = {0};
    int rc = path_of_bytes(folder, name, &path, err);

    if (rc == 0)
        rc = make_secret(folder, err);
    if (rc == 0)
        rc = write_file(buf_cstr(&path), (Str){(const char *)key->bytes, KEY_BYTES}, err);
    return rc ? rc : disk_sync_path(folder, err);
}

int key_bytes_read(const char *folder, const char *name, Key *ret_key, Err *err)
{
    CLEANUP(buf_done) Buf path = {0};
    char bytes[KEY_BYTES + 1];
    int fd = -1, rc = path_of_bytes(folder, name, &path, err);

    if (rc == 0)
        rc = regular_file_open(buf_cstr(&path), &fd, err);
    if (rc)
        return rc;
    ssize_t n = read(fd, bytes, sizeof(bytes));
    close(fd);
    if (n < 0)
        return disk_error(err, "read the key", buf_cstr(&path));
    if (n != KEY_BYTES)
        return err_set(err, ERR_SYNTAX, "'%s' holds no key of %d bytes", buf_cstr(&path),
                       KEY_BYTES);
    memcpy(ret_key->bytes, bytes, KEY_BYTES);
    return 0;
}
