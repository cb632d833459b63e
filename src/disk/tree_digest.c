#ifndef _GNU_SOURCE
#    define _GNU_SOURCE /* qsort_r */
#endif
#include "disk/tree_digest.h"

#include "base/buf.h"
#include "base/digest.h"
#include "base/mem.h"
#include "disk/disk_call.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#define PIECE_BYTES ((size_t)64 * 1024)
#define DEPTH_MAX   64

/* The names of all files, as offsets into one buffer. */
typedef struct TreeNames {
    Buf bytes; /* each with its NUL */
    size_t *offsets;
    size_t count;
    size_t room;
} TreeNames;

static void tree_names_done(TreeNames *names)
{
    buf_done(&names->bytes);
    names->offsets = mem_free(names->offsets);
}

static int add_name(TreeNames *names, const char *path, Err *err)
{
    if (names->count == TREE_FILES_MAX)
        return err_set(err, ERR_LIMIT, "more than %u files", TREE_FILES_MAX);
    if (names->count == names->room) {
        size_t room = names->room ? names->room * 2 : 64;
        size_t *more = mem_resize(names->offsets, room, sizeof(*more));
        if (!more)
            return err_set(err, ERR_MEMORY, "files: out of memory");
        names->offsets = more;
        names->room = room;
    }
    names->offsets[names->count++] = names->bytes.len;
    buf_add(&names->bytes, str_of(path));
    buf_add_char(&names->bytes, '\0');
    return buf_failed(&names->bytes) ? err_set(err, ERR_MEMORY, "files: out of memory") : 0;
}

static int list_folder(int folder, const char *path, unsigned depth, TreeNames *names, Err *err);

/* One entry of the folder `at`, whose path from the top is `path`. */
/* NOLINTNEXTLINE(misc-no-recursion): DEPTH_MAX deep */
static int list_entry(int at, const char *name, const char *path, unsigned depth, TreeNames *names,
                      Err *err)
{
    struct stat info;

    if (fstatat(at, name, &info, AT_SYMLINK_NOFOLLOW))
        return err_set(err, ERR_IO, "look at '%s': %s", path, strerror(errno));
    if (S_ISREG(info.st_mode) || S_ISLNK(info.st_mode))
        return add_name(names, path, err);
    if (!S_ISDIR(info.st_mode))
        return err_set(err, ERR_RULE, "'%s' is no file, folder or link", path);
    if (strcmp(name, "__pycache__") == 0)
        return 0;
    int below = openat(at, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (below < 0)
        return err_set(err, ERR_IO, "open the folder '%s': %s", path, strerror(errno));
    return list_folder(below, path, depth + 1, names, err);
}

/* Takes the descriptor. */
/* NOLINTNEXTLINE(misc-no-recursion): DEPTH_MAX deep */
static int list_folder(int take_folder, const char *path, unsigned depth, TreeNames *names,
                       Err *err)
{
    DIR *folder = depth < DEPTH_MAX ? fdopendir(take_folder) : NULL;
    const struct dirent *entry;
    int rc = 0;

    if (!folder) {
        close(take_folder);
        return err_set(err, ERR_LIMIT, "folders are nested more than %d deep", DEPTH_MAX);
    }
    while (rc == 0 && (entry = readdir(folder))) {
        CLEANUP(buf_done) Buf below = {0};
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
            continue;
        buf_printf(&below, "%s%s%s", path, *path ? "/" : "", entry->d_name);
        rc = buf_failed(&below)
                 ? err_set(err, ERR_MEMORY, "files: out of memory")
                 : list_entry(dirfd(folder), entry->d_name, buf_cstr(&below), depth, names, err);
    }
    closedir(folder);
    return rc;
}

/* ---- hashing ---- */

static int hash_bytes(int fd, const char *path, Sha256 *hash, Err *err)
{
    CLEANUP(mem_freep) char *piece = mem_new(PIECE_BYTES);
    ssize_t n = piece ? 1 : 0;

    if (!piece)
        return err_set(err, ERR_MEMORY, "files: out of memory");
    while (n > 0) {
        n = read(fd, piece, PIECE_BYTES);
        if (n > 0)
            sha256_add(hash, (Str){piece, (size_t)n});
        if (n < 0 && errno == EINTR)
            n = 1;
    }
    return n < 0 ? err_set(err, ERR_IO, "read '%s': %s", path, strerror(errno)) : 0;
}

static int hash_link(int top, const char *path, Sha256 *hash, size_t *ret_size, Err *err)
{
    char target[PATH_MAX];
    ssize_t n = readlinkat(top, path, target, sizeof(target));

    if (n < 0)
        return err_set(err, ERR_IO, "read the link '%s': %s", path, strerror(errno));
    *ret_size = (size_t)n;
    sha256_add(hash, (Str){target, (size_t)n});
    return 0;
}

static int hash_file(int top, const char *path, Sha256 *hash, struct stat *ret_info, Err *err)
{
    int fd = openat(top, path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);

    if (fd < 0 || fstat(fd, ret_info) || !S_ISREG(ret_info->st_mode)) {
        int rc = err_set(err, ERR_IO, "open '%s': %s", path, strerror(errno));
        if (fd >= 0)
            close(fd);
        return rc;
    }
    int rc = hash_bytes(fd, path, hash, err);
    close(fd);
    return rc;
}

/* What is to be known of one file. */
static int look_at_file(int top, const char *path, TreeFile *ret_file, Err *err)
{
    struct stat info;
    char hex[SHA256_HEX_BYTES];
    size_t link_bytes = 0;

    if (fstatat(top, path, &info, AT_SYMLINK_NOFOLLOW))
        return err_set(err, ERR_IO, "look at '%s': %s", path, strerror(errno));
    Sha256 *hash = sha256_new();
    if (!hash)
        return err_set(err, ERR_MEMORY, "files: out of memory");
    const bool link = S_ISLNK(info.st_mode);
    int rc = link ? hash_link(top, path, hash, &link_bytes, err)
                  : hash_file(top, path, hash, &info, err);
    sha256_end(hash, hex);
    if (rc)
        return rc;
    *ret_file = (TreeFile){.path = path,
                           .link = link,
                           .may_run = info.st_mode & 0111,
                           .bytes = link ? link_bytes : (uint64_t)info.st_size};
    key_from_hex(str_of(hex), &ret_file->sha256);
    return 0;
}

static int compare_names(const void *a, const void *b, void *user)
{
    const char *names = user;

    return strcmp(names + *(const size_t *)a, names + *(const size_t *)b);
}

static int hear_files(int top, TreeNames *names,
                      int (*hear)(void *user, const TreeFile *file, Err *err), void *user, Err *err)
{
    int rc = 0;

    if (names->count)
        qsort_r(names->offsets, names->count, sizeof(*names->offsets), compare_names,
                names->bytes.bytes);
    for (size_t i = 0; i < names->count && rc == 0; i++) {
        TreeFile file;
        rc = look_at_file(top, names->bytes.bytes + names->offsets[i], &file, err);
        if (rc == 0)
            rc = hear(user, &file, err);
    }
    return rc;
}

int tree_files(const char *folder, int (*hear)(void *user, const TreeFile *file, Err *err),
               void *user, Err *err)
{
    CLEANUP(tree_names_done) TreeNames names = {0};
    int top = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

    if (top < 0)
        return err_set(err, ERR_IO, "open the folder '%s': %s", folder, strerror(errno));
    int listing = openat(top, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    int rc = listing < 0 ? err_set(err, ERR_IO, "open the folder '%s': %s", folder, strerror(errno))
                         : list_folder(listing, "", 0, &names, err);
    if (rc == 0)
        rc = hear_files(top, &names, hear, user, err);
    close(top);
    return rc;
}

/* ---- the digest ---- */

static int add_entry(void *user, const TreeFile *file, Err *err)
{
    CLEANUP(buf_done) Buf line = {0};
    char hex[KEY_HEX_BYTES];
    const unsigned mode = file->link ? 0120000 : file->may_run ? 0555 : 0444;

    key_to_hex(&file->sha256, hex);
    buf_add(&line, str_of(file->path));
    buf_add_char(&line, '\0');
    buf_printf(&line, "%04o", mode);
    buf_add_char(&line, '\0');
    buf_add_uint(&line, file->bytes);
    buf_add_char(&line, '\0');
    buf_printf(&line, "%s\n", hex);
    if (buf_failed(&line))
        return err_set(err, ERR_MEMORY, "files: out of memory");
    sha256_add(user, buf_str(&line));
    return 0;
}

int tree_digest(const char *folder, Key *ret_digest, Err *err)
{
    char hex[SHA256_HEX_BYTES];
    Sha256 *hash = sha256_new();

    if (!hash)
        return err_set(err, ERR_MEMORY, "files: out of memory");
    int rc = tree_files(folder, add_entry, hash, err);
    sha256_end(hash, hex);
    if (rc == 0)
        key_from_hex(str_of(hex), ret_digest);
    return rc;
}
