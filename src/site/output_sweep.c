#include "site/output_sweep.h"

#include "base/buf.h"
#include "disk/disk_call.h"
#include "disk/folder_empty.h"
#include "site/trail.h"
#include "store/db_row.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>

#define DAY_MS        INT64_C(86400000)
#define NAMES_AT_ONCE 256 /* of files; a turn stays short */

/* ---- whose turn it is ---- */

#define IS_NOTED "EXISTS(SELECT 1 FROM meta WHERE meta.key = 'outputs/' || contest.id)"

/* The end was ?1 or before, and nothing is under way that an end is not the end of. Whatever was
 * open when a contest was cancelled stays so. */
#define IS_OVER                                                                                    \
    "contest.state IN ('PUBLISHED', 'ARCHIVED', 'CANCELLED') AND (CASE WHEN contest.state = "      \
    "'ARCHIVED' THEN coalesce((SELECT max(event.at) FROM event WHERE event.contest = contest.id "  \
    "AND event.verb = 'move' AND event.detail LIKE 'APPEALS > PUBLISHED%'), contest.changed) "     \
    "ELSE contest.changed END) <= ?1 AND NOT EXISTS(SELECT 1 FROM job WHERE job.contest = "        \
    "contest.id AND job.ended IS NULL) AND (contest.state = 'CANCELLED' OR (NOT EXISTS(SELECT 1 "  \
    "FROM appeal JOIN team ON team.id = appeal.team WHERE team.contest = contest.id AND "          \
    "appeal.closed IS NULL) AND NOT EXISTS(SELECT 1 FROM publication WHERE publication.contest = " \
    "contest.id AND publication.state IN ('PUBLISHED', 'CLOSING'))))"

static int64_t end_before(int64_t now_ms)
{
    return now_ms - OUTPUT_KEPT_DAYS * DAY_MS;
}

int output_is_kept(Db *db, int64_t contest, int64_t now_ms, bool *ret_kept, Err *err)
{
    int64_t gone = 0;
    int rc = db_ask(db, 0, &gone, err,
                    "SELECT 1 FROM contest WHERE id = ?2 AND (" IS_NOTED " OR (" IS_OVER "))", "ii",
                    end_before(now_ms), contest);

    *ret_kept = gone == 0;
    return rc;
}

/* The next one; 0: there is none. */
static int find_contest(Db *db, int64_t now_ms, int64_t after, int64_t *ret_id, Buf *ret_name,
                        Err *err)
{
    CLEANUP(db_query_freep) DbQuery *query = NULL;
    int rc = db_query_with(db, &query, err,
                           "SELECT id, name FROM contest WHERE id > ?2 AND NOT " IS_NOTED
                           " AND " IS_OVER " ORDER BY id LIMIT 1",
                           "ii", end_before(now_ms), after);

    *ret_id = 0;
    if (rc == 0)
        rc = db_step(query, err);
    if (rc == 1) {
        *ret_id = db_int(query, 0);
        buf_add(ret_name, db_text(query, 1));
    }
    return rc < 0 ? rc : 0;
}

typedef struct Gone {
    int64_t contest, now_ms;
} Gone;

static int note_gone(Db *db, void *user, Err *err)
{
    const Gone *gone = user;
    const TrailEntry entry = {.contest = gone->contest,
                              .account = TRAIL_SERVER,
                              .verb = STR("remove-outputs"),
                              .at_ms = gone->now_ms};
    int rc = db_run(db, err,
                    "INSERT INTO meta(key, value) SELECT 'outputs/' || contest.id, ?2 FROM contest "
                    "WHERE id = ?1 ON CONFLICT(key) DO NOTHING",
                    "it", gone->contest, STR("gone"));

    return rc ? rc : trail_note(db, &entry, err);
}

/* ---- the disk ---- */

/* One contest's folder in one turn. */
typedef struct Emptying {
    int home;
    uint32_t budget;
    bool left; /* something is */
} Emptying;

/* -1 with no error: it is not there. */
static int open_folder(int home, const char *path, int *ret_fd, Err *err)
{
    *ret_fd = disk_open_beneath(home, path, O_RDONLY | O_DIRECTORY, 0);
    return *ret_fd >= 0 || errno == ENOENT ? 0 : disk_error(err, "open the folder", path);
}

/* On disk before the store says that it is gone. */
static int empty_folder(Emptying *emptying, const char *path, Err *err)
{
    const uint32_t before = emptying->budget;
    bool empty = true;
    int fd = -1, rc = open_folder(emptying->home, path, &fd, err);

    if (rc || fd < 0)
        return rc;
    rc = folder_empty(fd, &emptying->budget, &empty, err);
    if (rc == 0 && emptying->budget < before && disk_sync(fd))
        rc = disk_error(err, "write to disk", path);
    (void)disk_close(fd);
    emptying->left |= !empty;
    return rc;
}

static bool is_number(const char *name)
{
    return *name && strspn(name, "0123456789") == strlen(name) && strlen(name) < 20;
}

/* Each round of testing has a folder of its own. */
static int empty_rounds(Emptying *emptying, Err *err)
{
    const struct dirent *entry;
    char path[64];
    int fd = -1, rc = open_folder(emptying->home, "testing", &fd, err);
    DIR *rounds = fd >= 0 ? fdopendir(fd) : NULL;

    if (rc || fd < 0)
        return rc;
    if (!rounds) {
        (void)disk_close(fd);
        return disk_error(err, "list", "testing");
    }
    while (rc == 0 && !emptying->left && (entry = readdir(rounds))) {
        if (!is_number(entry->d_name))
            continue;
        snprintf(path, sizeof(path), "testing/%s/agents", entry->d_name);
        rc = empty_folder(emptying, path, err);
    }
    closedir(rounds);
    return rc;
}

static int empty_contest(const char *data, Str name, bool *ret_empty, Err *err)
{
    CLEANUP(buf_done) Buf path = {0};
    Emptying emptying = {.home = -1, .budget = NAMES_AT_ONCE};
    int root = disk_open(data, O_RDONLY | O_DIRECTORY, 0);
    int rc = root < 0 ? disk_error(err, "open the folder", data) : 0;

    buf_printf(&path, "contests/%.*s", STR_ARG(name));
    if (rc == 0 && buf_failed(&path))
        rc = err_set(err, ERR_MEMORY, "outputs: out of memory");
    if (rc == 0)
        rc = open_folder(root, buf_cstr(&path), &emptying.home, err);
    if (rc == 0 && emptying.home >= 0)
        rc = empty_folder(&emptying, "play/agents", err);
    if (rc == 0 && emptying.home >= 0 && !emptying.left)
        rc = empty_rounds(&emptying, err);
    if (emptying.home >= 0)
        (void)disk_close(emptying.home);
    if (root >= 0)
        (void)disk_close(root);
    *ret_empty = !emptying.left;
    if (rc)
        err_wrap(err, "what agents of contest '%.*s' printed: ", STR_ARG(name));
    return rc;
}

/* ---- a turn ---- */

int output_sweep(Db *db, const char *data, int64_t now_ms, OutputSweep *sweep, bool *ret_more,
                 Err *err)
{
    CLEANUP(buf_done) Buf name = {0};
    Gone gone = {.now_ms = now_ms};
    bool empty = false;
    int rc = find_contest(db, now_ms, sweep->contest, &gone.contest, &name, err);

    *ret_more = rc == 0 && gone.contest;
    if (!*ret_more) {
        sweep->contest = 0;
        return rc;
    }
    rc = empty_contest(data, buf_str(&name), &empty, err);
    if (rc || empty)
        sweep->contest = gone.contest;
    return rc || !empty ? rc : db_transaction(db, note_gone, &gone, err);
}
