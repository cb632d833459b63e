#include "site/tree_sweep.h"

#include "base/buf.h"
#include "base/key.h"
#include "disk/disk_call.h"
#include "disk/folder.h"
#include "store/db_row.h"

#include <dirent.h>
#include <errno.h>

static int is_worked_on(Db *db, bool *ret_open, Err *err)
{
    int64_t open = 0;
    int rc = db_ask(db, 0, &open, err,
                    "SELECT 1 FROM job WHERE state IN ('NEW', 'PUT') AND kind IN ('unpack', "
                    "'build', 'check') LIMIT 1",
                    "");

    *ret_open = open != 0;
    return rc;
}

/* A round that was put, and stopped before its journal says what plays, goes on by what its job
 * has. A version whose file is gone is one that `keep` let go; the last that passed may become the
 * one that plays, all the same: version_freeze. */
static int is_needed(Db *db, Str digest, bool *ret_needed, Err *err)
{
    int64_t needed = 0;
    int rc = db_ask(db, 0, &needed, err,
                    "SELECT 1 WHERE EXISTS(SELECT 1 FROM version WHERE tree = ?1 AND state <> "
                    "'REFUSED' AND (state <> 'RETIRED' OR blob IS NOT NULL OR id = (SELECT "
                    "max(last.id) FROM version last WHERE last.team = version.team AND last.state "
                    "IN ('PASSED', 'RETIRED')))) OR EXISTS(SELECT 1 FROM program WHERE tree = ?1)"
                    " OR EXISTS(SELECT 1 FROM play JOIN job ON job.id = play.job"
                    " WHERE play.state <> 'OVER' AND job.spec LIKE '%' || ?1 || '%')",
                    "t", digest);

    *ret_needed = needed != 0;
    return rc;
}

/* Under another name first: half a tree must not have that of a whole one. */
static int remove_tree(const char *trees, const char *name, Err *err)
{
    CLEANUP(buf_done) Buf path = {0};
    CLEANUP(buf_done) Buf gone = {0};

    buf_printf(&path, "%s/%s", trees, name);
    buf_printf(&gone, "%s/gone", trees);
    if (buf_failed(&path) || buf_failed(&gone))
        return err_set(err, ERR_MEMORY, "trees: out of memory");
    int rc = folder_remove(buf_cstr(&gone), err); /* of one who was killed meanwhile */
    if (rc == 0 && disk_rename(buf_cstr(&path), buf_cstr(&gone)))
        rc = disk_error(err, "remove", buf_cstr(&path));
    return rc ? rc : folder_remove(buf_cstr(&gone), err);
}

/* The first one that nothing needs; `name` is empty when there is none. */
static int find_unneeded(Db *db, DIR *folder, Buf *name, Err *err)
{
    const struct dirent *entry;
    bool needed = true;
    Key digest;
    int rc = 0;

    while (rc == 0 && needed && (entry = readdir(folder))) {
        if (!key_from_hex(str_of(entry->d_name), &digest))
            continue;
        rc = is_needed(db, str_of(entry->d_name), &needed, err);
        if (rc == 0 && !needed)
            buf_add(name, str_of(entry->d_name));
    }
    return rc;
}

int tree_sweep(Db *db, const char *data, bool *ret_more, Err *err)
{
    CLEANUP(buf_done) Buf trees = {0};
    CLEANUP(buf_done) Buf name = {0};
    bool open = false;
    int rc = is_worked_on(db, &open, err);

    *ret_more = false;
    buf_printf(&trees, "%s/trees", data);
    if (rc || open || buf_failed(&trees))
        return rc;
    DIR *folder = opendir(buf_cstr(&trees));
    if (!folder)
        return errno == ENOENT ? 0 : disk_error(err, "open the folder", buf_cstr(&trees));
    rc = find_unneeded(db, folder, &name, err);
    closedir(folder);
    if (rc || !name.len)
        return rc;
    *ret_more = true;
    return remove_tree(buf_cstr(&trees), buf_cstr(&name), err);
}
