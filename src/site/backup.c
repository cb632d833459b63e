#include "site/backup.h"

#include "audit/manifest.h"
#include "base/date_text.h"
#include "base/mem.h"
#include "disk/disk_call.h"
#include "disk/file_replace.h"
#include "disk/folder.h"
#include "disk/log_file.h"
#include "disk/regular_file.h"
#include "journal/journal.h"
#include "site/site_ledger.h"
#include "site/site_store.h"
#include "site/store_copy.h"
#include "store/db_row.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#define PIECE_BYTES ((size_t)256 * 1024)
#define DEPTH_MAX   40

/* What of a data folder is kept. */
static const char *const kept_folders[] = {"contests", "secrets", "blobs", "trees"};

static int no_memory(Err *err)
{
    return err_set(err, ERR_MEMORY, "backup: out of memory");
}

static int join(Buf *out, const char *dir, const char *name, Err *err)
{
    buf_printf(out, "%s/%s", dir, name);
    return buf_failed(out) ? no_memory(err) : 0;
}

/* ---- files ---- */

/* A folder that is copied. */
typedef struct Copying {
    bool restoring; /* all is taken as it lies in a backup */
    unsigned depth;
    size_t skip; /* bytes of a path, up to the contest's folder or the data folder */
    char *piece;
} Copying;

static int copy_bytes(const Copying *copying, int from, int to, const char *path, Err *err)
{
    ssize_t n = 1;

    while (n > 0) {
        n = read(from, copying->piece, PIECE_BYTES);
        if (n < 0 && errno == EINTR) {
            n = 1;
            continue;
        }
        if (n < 0)
            return disk_error(err, "read", path);
        if (n > 0 && disk_write(to, (Str){copying->piece, (size_t)n}))
            return disk_error(err, "write", path);
    }
    return 0;
}

/* What may be executed stays so; else a backup is its owner's alone. */
static int copy_file(const Copying *copying, const char *from, const char *to, Err *err)
{
    struct stat about;
    int in = -1, rc = regular_file_open(from, &in, err);

    if (rc)
        return rc;
    int out = disk_open(to, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0600);
    if (out < 0)
        rc = disk_error(err, "make", to);
    if (rc == 0)
        rc = copy_bytes(copying, in, out, from, err);
    if (rc == 0 && fstat(in, &about) == 0 && (about.st_mode & 0111) &&
        disk_set_mode(out, about.st_mode & 0555))
        rc = disk_error(err, "make", to);
    close(in);
    if (out >= 0 && disk_close(out) && rc == 0)
        rc = disk_error(err, "write", to);
    return rc;
}

/* Whether nobody writes into the file any more once it has its name: then the backup is a link to
 * it. Journals, and all that a track's server writes, grow. */
static bool is_final(const Copying *copying, const char *path)
{
    static const char *const parts[] = {"/blobs/", "/trees/", "/play/logs/", "/play/exchange/",
                                        "/bundle/"};

    for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++)
        if (!strncmp(path + copying->skip, parts[i], strlen(parts[i])))
            return true;
    return false;
}

static int keep_file(const Copying *copying, const char *from, const char *to, Err *err)
{
    if (is_final(copying, from) && disk_link(from, to) == 0)
        return 0;
    return copy_file(copying, from, to, err);
}

static bool ends_with(const char *text, const char *end)
{
    const size_t len = strlen(text), of = strlen(end);

    return len >= of && strcmp(text + len - of, end) == 0;
}

/* What is on its way, or out, or written out of the copy of the store. `folder`: below the data
 * folder; `inside`: of a contest's folder itself. */
static bool is_left_out(const char *folder, const char *name, bool inside)
{
    return ends_with(name, ".tmp") || (!strcmp(folder, "/trees") && !strcmp(name, "gone")) ||
           (inside && (!strcmp(name, LEDGER_FILE) || !strcmp(name, LEDGER_CHECKPOINT_FILE) ||
                       !strcmp(name, "making") || !strcmp(name, "publish")));
}

/* Of what an agent has printed, in a contest's folder. */
static bool is_output(Str inside)
{
    if (str_starts(inside, STR("/play/agents/")))
        return true;
    if (!str_starts(inside, STR("/testing/")))
        return false;
    inside = str_part(inside, strlen("/testing/"), inside.len);
    str_cut(&inside, '/');
    return str_starts(inside, STR("agents/"));
}

/* Whether the server has taken it off the disk meanwhile: a version's file or tree, or an output,
 * which nothing that the copy of the store knows needs. */
static bool has_left(const Copying *copying, const char *path)
{
    const Str inside = str_of(path + copying->skip);
    struct stat about;

    if (copying->restoring || (!str_starts(inside, STR("/trees/")) &&
                               !str_starts(inside, STR("/blobs/")) && !is_output(inside)))
        return false;
    return lstat(path, &about) && errno == ENOENT;
}

/* ---- folders ---- */

typedef struct Names {
    char **items;
    size_t count, room;
} Names;

static void names_done(Names *names)
{
    for (size_t i = 0; i < names->count; i++)
        mem_free(names->items[i]);
    mem_free(names->items);
}

/* Journals first, so that all that their lines speak of is copied behind them. */
static int compare_names(const void *a, const void *b)
{
    const char *x = *(char *const *)a, *y = *(char *const *)b;
    const bool first = !strcmp(x, JOURNAL_FILE), second = !strcmp(y, JOURNAL_FILE);

    return first != second ? (first ? -1 : 1) : strcmp(x, y);
}

static int add_name(Names *names, const char *name, Err *err)
{
    const size_t len = strlen(name) + 1;

    if (names->count == names->room) {
        const size_t room = names->room ? names->room * 2 : 64;
        char **items = mem_resize(names->items, room, sizeof(*items));
        if (!items)
            return no_memory(err);
        names->items = items;
        names->room = room;
    }
    char *copy = mem_new(len);
    if (!copy)
        return no_memory(err);
    memcpy(copy, name, len);
    names->items[names->count++] = copy;
    return 0;
}

static int list_folder(const char *path, Names *names, Err *err)
{
    DIR *dir = opendir(path);
    struct dirent *entry;
    int rc = 0;

    if (!dir)
        return disk_error(err, "list", path);
    while (rc == 0 && (entry = readdir(dir)) != NULL)
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
            rc = add_name(names, entry->d_name, err);
    closedir(dir);
    if (rc == 0 && names->count)
        qsort(names->items, names->count, sizeof(*names->items), compare_names);
    return rc;
}

static int copy_folder(Copying *copying, const char *from, const char *to, bool contest, Err *err);

/* What leaves while it is copied is whole or not at all. Links and sockets are nobody's. */
static int copy_kind(Copying *copying, mode_t mode, const char *from, const char *to, Err *err)
{
    Err own = {0};
    int rc = 0;

    if (S_ISDIR(mode))
        rc = copy_folder(copying, from, to, false, &own);
    else if (S_ISREG(mode))
        rc = keep_file(copying, from, to, &own);
    if (has_left(copying, from))
        return S_ISDIR(mode) ? folder_remove(to, err) : 0;
    return rc ? err_set(err, (ErrCode)rc, "%s", own.msg) : 0;
}

/* `inside`: of a contest's own folder. */
static int copy_entry(Copying *copying, const char *from, const char *to, bool inside,
                      const char *name, Err *err)
{
    CLEANUP(buf_done) Buf source = {0};
    CLEANUP(buf_done) Buf target = {0};
    struct stat about;
    int rc = join(&source, from, name, err);

    if (rc == 0)
        rc = join(&target, to, name, err);
    if (rc || (!copying->restoring && is_left_out(from + copying->skip, name, inside)))
        return rc;
    if (lstat(buf_cstr(&source), &about))
        return errno == ENOENT ? 0 : disk_error(err, "read", buf_cstr(&source));
    return copy_kind(copying, about.st_mode, buf_cstr(&source), buf_cstr(&target), err);
}

static int copy_folder(Copying *copying, const char *from, const char *to, bool contest, Err *err)
{
    CLEANUP(names_done) Names names = {.items = NULL};
    int rc = list_folder(from, &names, err);

    if (rc == 0 && copying->depth >= DEPTH_MAX)
        rc = err_set(err, ERR_LIMIT, "'%s': folders in each other, more than %d", from, DEPTH_MAX);
    if (rc == 0 && disk_make_folder(to, 0700) && errno != EEXIST)
        rc = disk_error(err, "make the folder", to);
    copying->depth++;
    for (size_t i = 0; i < names.count && rc == 0; i++)
        rc = copy_entry(copying, from, to, contest, names.items[i], err);
    copying->depth--;
    return rc;
}

/* Each contest by itself, so that it is known which folder is one. */
static int copy_contests(Copying *copying, const char *from, const char *to, Err *err)
{
    CLEANUP(names_done) Names names = {.items = NULL};
    int rc = list_folder(from, &names, err);

    if (rc == 0 && disk_make_folder(to, 0700))
        rc = disk_error(err, "make the folder", to);
    for (size_t i = 0; i < names.count && rc == 0; i++) {
        CLEANUP(buf_done) Buf source = {0};
        CLEANUP(buf_done) Buf target = {0};
        rc = join(&source, from, names.items[i], err);
        if (rc == 0)
            rc = join(&target, to, names.items[i], err);
        copying->skip = source.len;
        if (rc == 0)
            rc = copy_folder(copying, buf_cstr(&source), buf_cstr(&target), true, err);
    }
    return rc;
}

static int copy_all(bool restoring, const char *from, const char *to, Err *err)
{
    CLEANUP(mem_freep) char *piece = mem_new(PIECE_BYTES);
    Copying copying = {.restoring = restoring, .piece = piece};
    int rc = piece ? 0 : no_memory(err);

    for (size_t i = 0; i < sizeof(kept_folders) / sizeof(kept_folders[0]) && rc == 0; i++) {
        CLEANUP(buf_done) Buf source = {0};
        CLEANUP(buf_done) Buf target = {0};
        rc = join(&source, from, kept_folders[i], err);
        if (rc == 0)
            rc = join(&target, to, kept_folders[i], err);
        copying.skip = strlen(from);
        if (rc || access(buf_cstr(&source), F_OK))
            continue;
        rc = i == 0 ? copy_contests(&copying, buf_cstr(&source), buf_cstr(&target), err)
                    : copy_folder(&copying, buf_cstr(&source), buf_cstr(&target), false, err);
    }
    return rc;
}

/* ---- the store ---- */

/* As one file, whatever it is. */
static int copy_store(Db *db, const char *path, Db **ret_copy, Err *err)
{
    /* Its owner's, before the database writes into it. */
    int fd = disk_open(path, O_WRONLY | O_CREAT | O_EXCL, 0600);
    int rc = fd < 0 || disk_close(fd) ? disk_error(err, "make", path) : 0;

    if (rc == 0 && !db_is_server(db))
        rc = db_copy_to(db, path, err);
    if (rc == 0)
        rc = site_store_open(path, ret_copy, err);
    if (rc == 0 && db_is_server(db))
        rc = store_copy(db, *ret_copy, err);
    return rc;
}

/* ---- ledgers ---- */

#define LINES_AT_ONCE 1000

static int write_lines(Db *copy, int64_t contest, const char *path, Err *err)
{
    uint64_t size = 0;
    int rc = site_ledger_size(copy, contest, &size, err);
    int fd = rc ? -1 : disk_open(path, O_WRONLY | O_CREAT | O_EXCL, 0600);

    if (rc == 0 && fd < 0)
        return disk_error(err, "make", path);
    for (uint64_t from = 0; from < size && rc == 0; from += LINES_AT_ONCE) {
        CLEANUP(buf_done) Buf lines = {0};
        rc = site_ledger_lines(copy, contest, from, from + LINES_AT_ONCE, SIZE_MAX, &lines, err);
        if (rc == 0 && disk_write(fd, buf_str(&lines)))
            rc = disk_error(err, "write", path);
    }
    if (fd >= 0 && disk_close(fd) && rc == 0)
        rc = disk_error(err, "write", path);
    return rc;
}

/* As the store has it: its last checkpoint is behind it, or at its end. */
static int write_ledger(Db *copy, int64_t contest, Str name, const char *folder, Json *json,
                        Err *err)
{
    CLEANUP(buf_done) Buf path = {0};
    CLEANUP(buf_done) Buf checkpoint = {0};
    CLEANUP(buf_done) Buf note = {0};
    uint64_t size = 0;

    buf_printf(&path, "%s/contests/%.*s/" LEDGER_FILE, folder, STR_ARG(name));
    buf_printf(&checkpoint, "%s/contests/%.*s/" LEDGER_CHECKPOINT_FILE, folder, STR_ARG(name));
    if (buf_failed(&path) || buf_failed(&checkpoint))
        return no_memory(err);
    int rc = folder_make_for(buf_cstr(&path), err);
    if (rc == 0)
        rc = write_lines(copy, contest, buf_cstr(&path), err);
    if (rc == 0)
        rc = site_ledger_checkpoint(copy, contest, 0, &note, err);
    if (rc == 0)
        rc = file_replace(buf_cstr(&checkpoint), buf_str(&note), false, err);
    if (rc == 0)
        rc = site_ledger_size(copy, contest, &size, err);
    json_open(json, '{');
    json_add_str(json, "name", name);
    json_add_uint(json, "entries", size);
    json_add_str(json, "checkpoint", buf_str(&note));
    json_close(json);
    return rc;
}

static int write_ledgers(Db *copy, const char *folder, Json *json, Err *err)
{
    CLEANUP(db_query_freep) DbQuery *query = NULL;
    int rc = db_query(copy, "SELECT id, name FROM contest WHERE public_key IS NOT NULL ORDER BY id",
                      &query, err);

    json_key(json, STR("ledgers"));
    json_open(json, '[');
    while (rc == 0 && (rc = db_step(query, err)) == 1)
        rc = write_ledger(copy, db_int(query, 0), db_text(query, 1), folder, json, err);
    json_close(json);
    return rc;
}

/* ---- backup ---- */

static int write_in(const char *folder, const char *name, Str text, Err *err)
{
    CLEANUP(buf_done) Buf path = {0};
    int rc = join(&path, folder, name, err);

    return rc ? rc : file_replace(buf_cstr(&path), text, true, err);
}

static int write_about(const BackupSetup *setup, Db *copy, const char *folder, Err *err)
{
    CLEANUP(buf_done) Buf text = {0};
    char room[DATE_TEXT_ROOM];
    Json json = json_over(&text);

    json_open(&json, '{');
    json_add_int(&json, "backup", 1);
    json_add_str(&json, "version", STR(WARG_VERSION));
    json_add_str(&json, "at", date_text_write(setup->now_ms, room));
    int rc = write_ledgers(copy, folder, &json, err);
    json_close(&json);
    buf_add_char(&text, '\n');
    if (rc == 0 && buf_failed(&text))
        rc = no_memory(err);
    return rc ? rc : write_in(folder, "backup.json", buf_str(&text), err);
}

static int sync_all(const char *folder, Err *err)
{
    int fd = disk_open(folder, O_RDONLY | O_DIRECTORY, 0);
    int rc = fd < 0 || disk_sync_all(fd) ? disk_error(err, "write", folder) : 0;

    if (fd >= 0)
        close(fd);
    return rc;
}

/* The copy closes before its digest is taken: no file of its log is left beside it. */
static int copy_and_describe(const BackupSetup *setup, const char *folder, Err *err)
{
    CLEANUP(db_closep) Db *db = NULL;
    CLEANUP(db_closep) Db *copy = NULL;
    CLEANUP(buf_done) Buf path = {0};
    int rc = join(&path, folder, "site.db", err);

    if (rc == 0)
        rc = site_store_open(setup->store, &db, err);
    if (rc == 0)
        rc = copy_store(db, buf_cstr(&path), &copy, err);
    if (rc == 0)
        rc = copy_all(false, setup->data, folder, err);
    if (rc == 0)
        rc = write_about(setup, copy, folder, err);
    return rc ? rc : db_exec(copy, "PRAGMA journal_mode = DELETE", err);
}

static int fill_backup(const BackupSetup *setup, const char *folder, Err *err)
{
    CLEANUP(buf_done) Buf manifest = {0};
    int rc = copy_and_describe(setup, folder, err);

    if (rc == 0)
        rc = manifest_write(folder, MANIFEST_ALL, STR("backup"), &manifest, err);
    if (rc == 0)
        rc = write_in(folder, MANIFEST_FILE, buf_str(&manifest), err);
    return rc ? rc : sync_all(folder, err);
}

/* When the last one was made, for those who look after the site: `warg contest status`. */
static int note_backup(const BackupSetup *setup, Err *err)
{
    CLEANUP(db_closep) Db *db = NULL;
    char at[24];
    int rc = site_store_open(setup->store, &db, err);

    snprintf(at, sizeof(at), "%lld", (long long)setup->now_ms);
    return rc ? rc
              : db_run(db, err,
                       "INSERT INTO meta(key, value) VALUES('backup', ?1)"
                       " ON CONFLICT(key) DO UPDATE SET value = excluded.value",
                       "t", str_of(at));
}

int site_backup(const BackupSetup *setup, Err *err)
{
    CLEANUP(buf_done) Buf making = {0};

    buf_printf(&making, "%s.tmp", setup->folder);
    if (buf_failed(&making))
        return no_memory(err);
    if (access(setup->folder, F_OK) == 0)
        return err_set(err, ERR_USAGE, "'%s' is there already; give another name", setup->folder);
    int rc = folder_remove(buf_cstr(&making), err);
    if (rc == 0 && disk_make_folder(buf_cstr(&making), 0700))
        rc = disk_error(err, "make the folder", buf_cstr(&making));
    if (rc == 0)
        rc = fill_backup(setup, buf_cstr(&making), err);
    if (rc == 0 && disk_rename(buf_cstr(&making), setup->folder))
        rc = disk_error(err, "make", setup->folder);
    if (rc)
        folder_remove(buf_cstr(&making), NULL);
    return rc ? rc : note_backup(setup, err);
}

/* ---- restore ---- */

static int check_backup(const char *folder, Err *err)
{
    AuditVerdict verdict = {.state = AUDIT_NOT_REACHED};
    int rc = manifest_check(folder, &verdict, err);

    if (rc == 0 && verdict.state == AUDIT_ABSENT)
        rc = err_set(err, ERR_USAGE, "'%s' is no backup: it has no " MANIFEST_FILE, folder);
    if (rc == 0 && verdict.state == AUDIT_CONTRADICTED)
        rc = err_set(err, ERR_RULE, "'%s/%s' is not as it was: %s", folder, verdict.file,
                     verdict.text);
    return rc;
}

static int check_place(const char *data, Err *err)
{
    CLEANUP(names_done) Names names = {.items = NULL};

    if (access(data, F_OK))
        return 0;
    int rc = list_folder(data, &names, err);
    if (rc == 0 && names.count)
        rc = err_set(err, ERR_USAGE, "'%s' is not empty: a site is restored into a new folder",
                     data);
    return rc;
}

static int restore_file_store(const BackupSetup *setup, const char *from, Db **ret_db, Err *err)
{
    CLEANUP(mem_freep) char *piece = mem_new(PIECE_BYTES);
    const Copying copying = {.piece = piece};

    if (!piece)
        return no_memory(err);
    if (access(setup->store, F_OK) == 0)
        return err_set(err, ERR_USAGE, "'%s' is there already", setup->store);
    int rc = copy_file(&copying, from, setup->store, err);
    return rc ? rc : site_store_open(setup->store, ret_db, err);
}

/* Out of a copy, which is brought up to date: the backup stays as it is. */
static int restore_server_store(const BackupSetup *setup, const char *from, Db *to, Err *err)
{
    CLEANUP(buf_done) Buf path = {0};
    BackupSetup copy = *setup;
    Db *db = NULL;
    int rc = join(&path, setup->data, "restoring.db", err);

    copy.store = buf_cstr(&path);
    if (rc == 0)
        rc = restore_file_store(&copy, from, &db, err);
    if (rc == 0)
        rc = store_copy(db, to, err);
    if (rc == 0)
        rc = db_exec(db, "PRAGMA journal_mode = DELETE", err);
    db_close(db);
    (void)disk_remove(buf_cstr(&path));
    return rc;
}

static int restore_store(const BackupSetup *setup, Db **ret_db, Err *err)
{
    CLEANUP(buf_done) Buf from = {0};
    int rc = join(&from, setup->folder, "site.db", err);

    if (rc)
        return rc;
    if (!site_store_is_server(setup->store))
        rc = restore_file_store(setup, buf_cstr(&from), ret_db, err);
    else {
        rc = site_store_open(setup->store, ret_db, err);
        if (rc == 0)
            rc = restore_server_store(setup, buf_cstr(&from), *ret_db, err);
    }
    /* Their folders of the spool are not there: they are put anew, and go on from their journals.
     */
    return rc ? rc : db_exec(*ret_db, "UPDATE job SET state = 'NEW' WHERE state = 'PUT'", err);
}

/* As at the start of a server: it would stop where this does. */
static int check_ledgers(const BackupSetup *setup, Db *db, Err *err)
{
    SiteLedger *ledger = NULL;
    int rc = site_ledger_open(db, setup->data, &ledger, err);

    return rc ? rc : site_ledger_close(ledger, db, setup->now_ms, err);
}

/* What the store has taken from a journal is in it. */
static int check_journals(const BackupSetup *setup, Db *db, Err *err)
{
    CLEANUP(db_query_freep) DbQuery *query = NULL;
    int rc = db_query(db,
                      "SELECT contest.name, follow.bytes FROM follow JOIN contest"
                      " ON contest.id = follow.contest",
                      &query, err);

    while (rc == 0 && (rc = db_step(query, err)) == 1) {
        CLEANUP(buf_done) Buf path = {0};
        struct stat about = {.st_size = 0};
        const int64_t bytes = db_int(query, 1);
        buf_printf(&path, "%s/contests/%.*s/play/" JOURNAL_FILE, setup->data,
                   STR_ARG(db_text(query, 0)));
        rc = buf_failed(&path) ? no_memory(err) : 0;
        if (rc == 0 && bytes && (stat(buf_cstr(&path), &about) || about.st_size < bytes))
            rc = err_set(err, ERR_RULE, "'%s' is shorter than what its ledger tells of",
                         buf_cstr(&path));
    }
    return rc;
}

int site_restore(const BackupSetup *setup, Err *err)
{
    CLEANUP(db_closep) Db *db = NULL;
    int rc = check_backup(setup->folder, err);

    if (rc == 0)
        rc = check_place(setup->data, err);
    if (rc)
        return rc;
    if (disk_make_folder(setup->data, 0700) && errno != EEXIST)
        return disk_error(err, "make the folder", setup->data);
    rc = copy_all(true, setup->folder, setup->data, err);
    if (rc == 0)
        rc = restore_store(setup, &db, err);
    if (rc == 0)
        rc = check_ledgers(setup, db, err);
    if (rc == 0)
        rc = check_journals(setup, db, err);
    if (rc == 0)
        rc = sync_all(setup->data, err);
    if (rc)
        folder_remove(setup->data, NULL);
    return rc;
}
