#ifndef _GNU_SOURCE
#    define _GNU_SOURCE /* scandir */
#endif
#include "contest/starter_lib.h"

#include "base/mem.h"

#include <dirent.h>
#include <stdlib.h>
#include <sys/stat.h>

#define DEPTH_MAX 16

void starter_lib_add(Str lib, Buf *out)
{
    while (lib.len > 1 && lib.bytes[lib.len - 1] == '/')
        lib.len--;
    buf_add(out, lib);
    buf_add(out, STR("/*"));
}

static int by_bytes(const struct dirent **left, const struct dirent **right)
{
    return strcmp((*left)->d_name, (*right)->d_name);
}

static int is_shown(const struct dirent *entry)
{
    return entry->d_name[0] != '.';
}

static bool is_jar(const char *name)
{
    size_t len = strlen(name);

    return len > 4 && strcmp(name + len - 4, ".jar") == 0;
}

/* A search for folders with jars. */
typedef struct Search {
    const char *folder; /* what `lib` is seen from */
    Buf *out;
} Search;

static int search_folder(const Search *search, Str lib, int depth, Err *err);

/* An entry of `lib`: a folder is searched in turn. */
static int search_entry(const Search *search, Str lib, const char *name, int depth, Err *err)
{
    CLEANUP(buf_done) Buf path = {0};
    CLEANUP(buf_done) Buf below = {0};
    struct stat about;

    buf_printf(&below, "%.*s/%s", STR_ARG(lib), name);
    if (search->folder[0] && lib.bytes[0] != '/')
        buf_printf(&path, "%s/", search->folder);
    buf_add(&path, buf_str(&below));
    if (buf_failed(&path) || buf_failed(&below))
        return err_set(err, ERR_MEMORY, "lib: out of memory");
    if (lstat(buf_cstr(&path), &about) || !S_ISDIR(about.st_mode))
        return 0;
    return search_folder(search, buf_str(&below), depth + 1, err);
}

/* The entries of `lib` that are shown, sorted; NULL and 0 when there are none to be had. */
static int list_folder(const Search *search, Str lib, struct dirent ***ret_entries)
{
    CLEANUP(buf_done) Buf path = {0};

    if (search->folder[0] && lib.bytes[0] != '/')
        buf_printf(&path, "%s/", search->folder);
    buf_add(&path, lib);
    return buf_failed(&path) ? 0 : scandir(buf_cstr(&path), ret_entries, is_shown, by_bytes);
}

static int search_folder(const Search *search, Str lib, int depth, Err *err)
{
    struct dirent **entries = NULL;
    int count = list_folder(search, lib, &entries);
    bool jars = false;
    int rc = 0;

    for (int i = 0; i < count; i++)
        jars = jars || is_jar(entries[i]->d_name);
    if (jars && depth) { /* the folder itself is there already */
        buf_add_char(search->out, ':');
        starter_lib_add(lib, search->out);
    }
    if (depth > DEPTH_MAX || search->out->len > STARTER_LIB_PATH_MAX)
        rc = err_set(err, ERR_LIMIT,
                     "lib: too many folders with jars under '%.*s'; name one of them",
                     STR_ARG(str_part(lib, 0, 100)));
    for (int i = 0; i < count; i++) {
        if (rc == 0)
            rc = search_entry(search, lib, entries[i]->d_name, depth, err);
        free(entries[i]);
    }
    free(entries);
    return rc;
}

int starter_lib_find(const char *folder, Str lib, Buf *out, Err *err)
{
    const Search search = {folder, out};

    while (lib.len > 1 && lib.bytes[lib.len - 1] == '/')
        lib.len--;
    starter_lib_add(lib, out);
    return lib.len ? search_folder(&search, lib, 0, err) : 0;
}
