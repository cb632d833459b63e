#include "site/import_place.h"

#include "journal/journal_more.h"
#include "store/db_row.h"

#include <sys/stat.h>

int import_place(Db *db, const ImportFolder *folder, JournalPlace *ret_place, Err *err)
{
    CLEANUP(db_query_freep) DbQuery *query = NULL;
    int rc = db_query_with(db, &query, err,
                           "SELECT bytes, lines, faults, findings, ended FROM imported WHERE "
                           "contest = ?1 AND folder = ?2",
                           "it", folder->home.id, str_of(folder->folder));

    *ret_place = (JournalPlace){.bytes = 0};
    if (rc == 0)
        rc = db_step(query, err);
    if (rc > 0)
        *ret_place = (JournalPlace){.bytes = (uint64_t)db_int(query, 0),
                                    .lines = (uint64_t)db_int(query, 1),
                                    .beside = {.faults = (uint64_t)db_int(query, 2),
                                               .findings = (uint64_t)db_int(query, 3),
                                               .ended = (uint64_t)db_int(query, 4)}};
    return rc < 0 ? rc : 0;
}

/* A line without its end, which a process has left that was killed, is none. */
int import_is_whole(Db *db, const ImportFolder *folder, bool *ret_whole, Err *err)
{
    CLEANUP(buf_done) Buf dir = {0};
    CLEANUP(buf_done) Buf path = {0};
    CLEANUP(buf_done) Buf line = {0};
    JournalPlace place;
    struct stat about;
    int rc = contest_home_path(&folder->home, folder->folder, &dir, err);

    buf_printf(&path, "%s/" JOURNAL_FILE, buf_cstr(&dir));
    if (rc == 0 && buf_failed(&path))
        rc = err_set(err, ERR_MEMORY, "import: out of memory");
    if (rc == 0)
        rc = import_place(db, folder, &place, err);
    if (rc)
        return rc;
    *ret_whole = stat(buf_cstr(&path), &about) != 0 || place.bytes >= (uint64_t)about.st_size;
    if (!*ret_whole)
        *ret_whole = journal_read_at(buf_cstr(&dir), place.bytes, &line, NULL) == ERR_RULE;
    return 0;
}
