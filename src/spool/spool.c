#include "spool/spool.h"

#include "disk/disk_call.h"
#include "disk/file_replace.h"
#include "disk/folder.h"
#include "disk/log_file.h"
#include "spool/spool_folder.h"
#include "wire/json_read.h"

#include <errno.h>
#include <sys/stat.h>

#define JOB_FILE    "job.json"
#define RESULT_FILE "result.json"
#define ALIVE_FILE  "alive"
#define TRIES_FILE  "tries"
#define STOP_FILE   "stop"
#define OUT_FOLDER  "out"
#define JSON_END    ".json"
/* Ends of names in done/ that are on their way there, or out of it. */
#define COMING ".coming"
#define GONE   ".gone"

/* How often a contest was served, so that each gets its share. */
typedef struct Served {
    char contest[SPOOL_WORD_MAX + 1];
    uint64_t times;
} Served;

struct Spool {
    Buf fresh, run, done; /* its folders */
    Served *served;
    size_t served_count;
    size_t served_room;
};

/* ---- opening ---- */

static int make_private_folder(Buf *ret_path, const char *data_dir, const char *name, Err *err)
{
    int rc = path_join(ret_path, data_dir, "spool", name, err);

    if (rc == 0)
        rc = folder_make_for(buf_cstr(ret_path), err);
    if (rc == 0 && disk_make_folder(buf_cstr(ret_path), 0700) != 0 && errno != EEXIST)
        rc = disk_error(err, "make directory", buf_cstr(ret_path));
    return rc;
}

static bool ends_with(const char *name, const char *end)
{
    const size_t bytes = strlen(name), of_end = strlen(end);

    return bytes >= of_end && strcmp(name + bytes - of_end, end) == 0;
}

/* Goes on with what was interrupted behind its first rename. */
static int mend_done(const Spool *spool, Err *err);

int spool_open(const char *data_dir, Spool **ret_spool, Err *err)
{
    Spool *spool = mem_new(sizeof(*spool));
    int rc = spool ? 0 : err_set(err, ERR_MEMORY, "spool: out of memory");

    if (rc == 0)
        rc = make_private_folder(&spool->fresh, data_dir, "new", err);
    if (rc == 0)
        rc = make_private_folder(&spool->run, data_dir, "run", err);
    if (rc == 0)
        rc = make_private_folder(&spool->done, data_dir, "done", err);
    if (rc == 0)
        *ret_spool = TAKE(spool);
    spool_close(spool);
    return rc;
}

Spool *spool_close(Spool *spool)
{
    if (spool) {
        buf_done(&spool->fresh);
        buf_done(&spool->run);
        buf_done(&spool->done);
        mem_free(spool->served);
    }
    return mem_free(spool);
}

void spool_closep(Spool **spool)
{
    *spool = spool_close(*spool);
}

/* A rename that both folders know on disk. */
static int move_durably(const char *from, const char *to, const char *from_folder,
                        const char *to_folder, Err *err)
{
    if (disk_rename(from, to) != 0)
        return disk_error(err, "rename", from);
    int rc = disk_sync_path(to_folder, err);
    return rc ? rc : disk_sync_path(from_folder, err);
}

/* "new/JOB.json" */
static int fresh_path(const Spool *spool, const char *id, Buf *ret_path, Err *err)
{
    int rc = path_join(ret_path, buf_cstr(&spool->fresh), id, NULL, err);

    buf_add(ret_path, STR(JSON_END));
    return rc == 0 && buf_failed(ret_path) ? err_set(err, ERR_MEMORY, "spool: out of memory") : rc;
}

/* A folder of done/ with `end` behind its name. */
static int done_path(const Spool *spool, const char *id, const char *end, Buf *ret_path, Err *err)
{
    int rc = path_join(ret_path, buf_cstr(&spool->done), id, NULL, err);

    buf_add(ret_path, str_of(end));
    return rc == 0 && buf_failed(ret_path) ? err_set(err, ERR_MEMORY, "spool: out of memory") : rc;
}

/* ---- the server ---- */

/* Where a job is; in run/ what counts is its job.json. */
static int find_job(const Spool *spool, const char *id, bool *ret_there, Err *err)
{
    CLEANUP(buf_done) Buf path = {0};
    int rc = fresh_path(spool, id, &path, err);

    *ret_there = rc == 0 && path_is_there(buf_cstr(&path));
    if (rc == 0 && !*ret_there)
        rc = path_join(&path, buf_cstr(&spool->run), id, JOB_FILE, err);
    *ret_there |= rc == 0 && path_is_there(buf_cstr(&path));
    if (rc == 0 && !*ret_there)
        rc = done_path(spool, id, "", &path, err);
    *ret_there |= rc == 0 && path_is_there(buf_cstr(&path));
    if (rc == 0 && !*ret_there)
        rc = done_path(spool, id, COMING, &path, err);
    *ret_there |= rc == 0 && path_is_there(buf_cstr(&path));
    return rc;
}

int spool_put(Spool *spool, Str id, Str job_json, Err *err)
{
    CLEANUP(buf_done) Buf path = {0};
    SpoolHead head;
    bool there = false;
    int rc = spool_head_read(job_json, &head, err);

    if (rc == 0 && !str_eq(id, str_of(head.job)))
        rc = err_set(err, ERR_SYNTAX, "job: its text has another id");
    if (rc == 0)
        rc = find_job(spool, head.job, &there, err);
    if (rc || there)
        return rc;
    rc = fresh_path(spool, head.job, &path, err);
    return rc ? rc : file_replace(buf_cstr(&path), job_json, true, err);
}

/* An id as a C string. Errors: ERR_SYNTAX. */
static int take_id(Str id, char ret_id[static SPOOL_ID_MAX + 1], Err *err)
{
    if (!spool_id_is(id))
        return err_set(err, ERR_SYNTAX, "job: this is no id");
    memcpy(ret_id, id.bytes, id.len);
    ret_id[id.len] = '\0';
    return 0;
}

/* The second half of stopping a job that nobody has begun: `coming` has its job.json. */
static int finish_stopped(const Spool *spool, const char *id, Err *err)
{
    CLEANUP(buf_done) Buf coming = {0};
    CLEANUP(buf_done) Buf path = {0};
    const char *done = buf_cstr(&spool->done);
    int rc = done_path(spool, id, COMING, &coming, err);

    if (rc == 0)
        rc = spool_write_result(buf_cstr(&coming), STR("{\"ok\":true,\"stopped\":true}"), err);
    if (rc == 0)
        rc = done_path(spool, id, "", &path, err);
    return rc ? rc : move_durably(buf_cstr(&coming), buf_cstr(&path), done, done, err);
}

/* Takes a job away that nobody has begun; `ret_taken` is false when somebody has. */
static int take_away(const Spool *spool, const char *id, bool *ret_taken, Err *err)
{
    CLEANUP(buf_done) Buf from = {0};
    CLEANUP(buf_done) Buf coming = {0};
    CLEANUP(buf_done) Buf to = {0};
    int rc = fresh_path(spool, id, &from, err);

    *ret_taken = false;
    if (rc == 0)
        rc = done_path(spool, id, COMING, &coming, err);
    if (rc == 0)
        rc = path_join(&to, buf_cstr(&coming), JOB_FILE, NULL, err);
    if (rc || !path_is_there(buf_cstr(&from)))
        return rc;
    if (disk_make_folder(buf_cstr(&coming), 0700) != 0 && errno != EEXIST)
        return disk_error(err, "make directory", buf_cstr(&coming));
    *ret_taken = disk_rename(buf_cstr(&from), buf_cstr(&to)) == 0;
    if (*ret_taken) {
        rc = disk_sync_path(buf_cstr(&coming), err);
        return rc ? rc : disk_sync_path(buf_cstr(&spool->fresh), err);
    }
    if (errno != ENOENT)
        return disk_error(err, "rename", buf_cstr(&from));
    return folder_remove(buf_cstr(&coming), err);
}

/* The file `stop`; a job that has ended meanwhile needs none. */
static int ask_to_stop(const Spool *spool, const char *id, Err *err)
{
    CLEANUP(buf_done) Buf path = {0};
    Err why = {0};
    int rc = path_join(&path, buf_cstr(&spool->run), id, STOP_FILE, err);

    if (rc == 0 &&
        (path_is_there(buf_cstr(&path)) || file_replace(buf_cstr(&path), STR(""), true, &why) == 0))
        return 0;
    rc = rc ? rc : path_join(&path, buf_cstr(&spool->run), id, NULL, err);
    if (rc || !path_is_there(buf_cstr(&path)))
        return rc;
    return err_set(err, why.code, "%s", why.msg);
}

int spool_stop(Spool *spool, Str id, Err *err)
{
    CLEANUP(buf_done) Buf path = {0};
    char name[SPOOL_ID_MAX + 1];
    bool taken = false;
    int rc = take_id(id, name, err);

    if (rc == 0)
        rc = take_away(spool, name, &taken, err);
    if (rc || taken)
        return rc ? rc : finish_stopped(spool, name, err);
    rc = path_join(&path, buf_cstr(&spool->run), name, JOB_FILE, err);
    if (rc || !path_is_there(buf_cstr(&path)))
        return rc;
    return ask_to_stop(spool, name, err);
}

/* A text that is a JSON object; else why it is none, as a result of ours. */
static int check_result(Buf *result, Err *err)
{
    Err why = {0};
    json_t *json = NULL;
    const bool good =
        json_read(buf_str(result), SPOOL_RESULT_MAX, &json, &why) == 0 && json_is_map(json);

    json_done(json);
    if (why.code == ERR_MEMORY)
        return err_set(err, ERR_MEMORY, "spool: out of memory");
    if (good)
        return 0;
    buf_clear(result);
    buf_add(result, STR("{\"ok\":false,\"ours\":true,\"why\":\"its result can't be read\"}"));
    return buf_failed(result) ? err_set(err, ERR_MEMORY, "spool: out of memory") : 0;
}

static int read_result(const char *folder, Buf *ret_result, Err *err)
{
    CLEANUP(buf_done) Buf path = {0};
    Err why = {0};
    int rc = path_join(&path, folder, RESULT_FILE, NULL, err);

    if (rc == 0 && log_file_read(buf_cstr(&path), SPOOL_RESULT_MAX, ret_result, &why) != 0)
        buf_clear(ret_result);
    if (why.code == ERR_MEMORY)
        return err_set(err, ERR_MEMORY, "spool: out of memory");
    return rc ? rc : check_result(ret_result, err);
}

int spool_each_done(Spool *spool,
                    int (*hear)(void *user, Str id, Str result_json, const char *out_dir, Err *err),
                    void *user, Err *err)
{
    CLEANUP(name_list_done) NameList list = {0};
    CLEANUP(buf_done) Buf folder = {0};
    CLEANUP(buf_done) Buf out = {0};
    CLEANUP(buf_done) Buf result = {0};
    int rc = mend_done(spool, err);

    if (rc == 0)
        rc = name_list_read(&list, buf_cstr(&spool->done), err);
    for (size_t i = 0; i < list.count && rc == 0; i++) {
        if (!spool_id_is(str_of(list.names[i])))
            continue;
        buf_clear(&result);
        rc = path_join(&folder, buf_cstr(&spool->done), list.names[i], NULL, err);
        if (rc == 0)
            rc = path_join(&out, buf_cstr(&folder), OUT_FOLDER, NULL, err);
        if (rc == 0)
            rc = read_result(buf_cstr(&folder), &result, err);
        if (rc == 0)
            rc = hear(user, str_of(list.names[i]), buf_str(&result), buf_cstr(&out), err);
    }
    return rc;
}

int64_t spool_done_changed(const Spool *spool)
{
    struct stat about;

    if (stat(buf_cstr(&spool->done), &about) != 0)
        return 0;
    return (int64_t)about.st_mtim.tv_sec * 1000000000 + about.st_mtim.tv_nsec;
}

int spool_forget(Spool *spool, Str id, Err *err)
{
    CLEANUP(buf_done) Buf path = {0};
    CLEANUP(buf_done) Buf gone = {0};
    char name[SPOOL_ID_MAX + 1];
    int rc = take_id(id, name, err);

    if (rc == 0)
        rc = done_path(spool, name, "", &path, err);
    if (rc == 0)
        rc = done_path(spool, name, GONE, &gone, err);
    if (rc || !path_is_there(buf_cstr(&path)))
        return rc;
    if (disk_rename(buf_cstr(&path), buf_cstr(&gone)) != 0)
        return disk_error(err, "rename", buf_cstr(&path));
    return folder_remove(buf_cstr(&gone), err);
}

static int mend_one(const Spool *spool, const char *name, Err *err)
{
    CLEANUP(buf_done) Buf path = {0};
    char id[SPOOL_ID_MAX + 1];
    const size_t bytes = strlen(name);
    int rc = path_join(&path, buf_cstr(&spool->done), name, NULL, err);

    if (rc == 0 && ends_with(name, GONE))
        return folder_remove(buf_cstr(&path), err);
    if (rc || !ends_with(name, COMING) ||
        take_id((Str){name, bytes - strlen(COMING)}, id, NULL) != 0)
        return rc;
    rc = path_join(&path, buf_cstr(&spool->done), name, JOB_FILE, err);
    if (rc == 0 && path_is_there(buf_cstr(&path)))
        return finish_stopped(spool, id, err);
    rc = rc ? rc : path_join(&path, buf_cstr(&spool->done), name, NULL, err);
    return rc ? rc : folder_remove(buf_cstr(&path), err);
}

static int mend_done(const Spool *spool, Err *err)
{
    CLEANUP(name_list_done) NameList list = {0};
    int rc = name_list_read(&list, buf_cstr(&spool->done), err);

    for (size_t i = 0; i < list.count && rc == 0; i++)
        rc = mend_one(spool, list.names[i], err);
    return rc;
}

/* ---- whose turn it is ---- */

void spool_job_done(SpoolJob *job)
{
    buf_done(&job->text);
    buf_done(&job->folder);
    if (job->alive >= 0)
        disk_close(job->alive);
    job->alive = -1;
}

static uint64_t times_served(const Spool *spool, const char *contest)
{
    for (size_t i = 0; i < spool->served_count; i++)
        if (strcmp(spool->served[i].contest, contest) == 0)
            return spool->served[i].times;
    return 0;
}

/* A contest that comes new stands where the one stands that was served least. */
static int note_served(Spool *spool, const char *contest, Err *err)
{
    uint64_t least = UINT64_MAX;

    for (size_t i = 0; i < spool->served_count; i++) {
        if (strcmp(spool->served[i].contest, contest) == 0) {
            spool->served[i].times++;
            return 0;
        }
        least = spool->served[i].times < least ? spool->served[i].times : least;
    }
    if (spool->served_count == spool->served_room) {
        const size_t room = spool->served_room ? 2 * spool->served_room : 8;
        Served *more = mem_resize(spool->served, room, sizeof(*more));
        if (!more)
            return err_set(err, ERR_MEMORY, "spool: out of memory");
        spool->served = more;
        spool->served_room = room;
    }
    Served *served = &spool->served[spool->served_count++];
    *served = (Served){.times = least == UINT64_MAX ? 1 : least};
    memcpy(served->contest, contest, strlen(contest) + 1);
    return 0;
}

static bool comes_before(const Spool *spool, const SpoolHead *a, const SpoolHead *b)
{
    if (a->turn != b->turn)
        return a->turn < b->turn;
    const uint64_t of_a = times_served(spool, a->contest), of_b = times_served(spool, b->contest);
    return of_a != of_b ? of_a < of_b : strcmp(a->job, b->job) < 0;
}

static int read_job(const char *path, Buf *text, SpoolHead *ret_head, Err *err)
{
    buf_clear(text);
    int rc = log_file_read(path, SPOOL_JOB_MAX, text, err);
    return rc ? rc : spool_head_read(buf_str(text), ret_head, err);
}

/* The best of those that nobody has begun. What can't be read is none of ours, and is left. */
static int look_at_fresh(const Spool *spool, unsigned classes, SpoolHead *best, bool *ret_there,
                         Err *err)
{
    CLEANUP(name_list_done) NameList list = {0};
    CLEANUP(buf_done) Buf path = {0};
    CLEANUP(buf_done) Buf text = {0};
    int rc = name_list_read(&list, buf_cstr(&spool->fresh), err);

    for (size_t i = 0; i < list.count && rc == 0; i++) {
        SpoolHead head;
        if (!ends_with(list.names[i], JSON_END))
            continue;
        rc = path_join(&path, buf_cstr(&spool->fresh), list.names[i], NULL, err);
        if (rc || read_job(buf_cstr(&path), &text, &head, NULL) != 0 ||
            !(classes & 1u << head.turn) ||
            !str_eq(str_of(head.job),
                    str_part(str_of(list.names[i]), 0, strlen(list.names[i]) - strlen(JSON_END))))
            continue;
        if (!*ret_there || comes_before(spool, &head, best)) {
            *best = head;
            *ret_there = true;
        }
    }
    return rc;
}

/* ---- taking ---- */

static void read_tries(SpoolJob *job)
{
    CLEANUP(buf_done) Buf path = {0};
    CLEANUP(buf_done) Buf text = {0};
    uint64_t tries = 0;

    if (path_join(&path, buf_cstr(&job->folder), TRIES_FILE, NULL, NULL) == 0 &&
        log_file_read(buf_cstr(&path), 16, &text, NULL) == 0)
        str_to_uint(buf_str(&text), UINT32_MAX - 1, &tries);
    job->tries = (uint32_t)tries;
}

/* Counts this try, and makes an empty out/. */
static int begin_try(SpoolJob *job, Err *err)
{
    CLEANUP(buf_done) Buf path = {0};
    CLEANUP(buf_done) Buf text = {0};

    job->tries++;
    buf_add_uint(&text, job->tries);
    int rc = path_join(&path, buf_cstr(&job->folder), TRIES_FILE, NULL, err);
    if (rc == 0)
        rc = file_replace(buf_cstr(&path), buf_str(&text), true, err);
    if (rc == 0)
        rc = path_join(&path, buf_cstr(&job->folder), OUT_FOLDER, NULL, err);
    if (rc == 0)
        rc = folder_remove(buf_cstr(&path), err);
    if (rc == 0 && disk_make_folder(buf_cstr(&path), 0700) != 0)
        rc = disk_error(err, "make directory", buf_cstr(&path));
    return rc;
}

/* Opens run/ID and its lock. `job->alive` is -1 when somebody has it. */
static int lock_job(const Spool *spool, const char *id, SpoolJob *job, Err *err)
{
    CLEANUP(buf_done) Buf path = {0};
    int rc = path_join(&job->folder, buf_cstr(&spool->run), id, NULL, err);

    if (rc == 0 && disk_make_folder(buf_cstr(&job->folder), 0700) != 0 && errno != EEXIST)
        rc = disk_error(err, "make directory", buf_cstr(&job->folder));
    if (rc == 0)
        rc = path_join(&path, buf_cstr(&job->folder), ALIVE_FILE, NULL, err);
    return rc ? rc : lock_take(buf_cstr(&path), &job->alive, err);
}

static bool has_file(const SpoolJob *job, const char *name)
{
    CLEANUP(buf_done) Buf path = {0};

    return path_join(&path, buf_cstr(&job->folder), name, NULL, NULL) == 0 &&
           path_is_there(buf_cstr(&path));
}

static int load_job(SpoolJob *job, Err *err)
{
    CLEANUP(buf_done) Buf path = {0};
    int rc = path_join(&path, buf_cstr(&job->folder), JOB_FILE, NULL, err);

    if (rc == 0)
        rc = read_job(buf_cstr(&path), &job->text, &job->head, err);
    read_tries(job);
    return rc;
}

static int give_up(Spool *spool, SpoolJob *job, Err *err)
{
    CLEANUP(buf_done) Buf result = {0};

    buf_printf(&result,
               "{\"ok\":false,\"ours\":true,\"why\":\"its process has died %u times without "
               "getting on\"}",
               SPOOL_TRIES_MAX);
    return spool_finish(spool, job, buf_str(&result), err);
}

/* A folder of run/ that nobody holds: what is to become of it. `ret_best` gets its head when it may
 * be taken. */
static int look_at_left(Spool *spool, const char *id, unsigned classes, SpoolHead *best,
                        bool *ret_there, Err *err)
{
    CLEANUP(spool_job_done) SpoolJob job = SPOOL_JOB_NONE;
    int rc = lock_job(spool, id, &job, err);

    if (rc || job.alive < 0)
        return rc;
    if (!has_file(&job, JOB_FILE)) /* an interrupted step: it is in new/, or was given back */
        return folder_remove(buf_cstr(&job.folder), err);
    if (has_file(&job, RESULT_FILE))
        return spool_finish(spool, &job, (Str){0}, err);
    if (load_job(&job, NULL) != 0 || job.tries >= SPOOL_TRIES_MAX)
        return give_up(spool, &job, err);
    if (classes & 1u << job.head.turn && (!*ret_there || comes_before(spool, &job.head, best))) {
        *best = job.head;
        *ret_there = true;
    }
    return 0;
}

static int look_at_all_left(Spool *spool, unsigned classes, SpoolHead *best, bool *ret_there,
                            Err *err)
{
    CLEANUP(name_list_done) NameList list = {0};
    int rc = name_list_read(&list, buf_cstr(&spool->run), err);

    for (size_t i = 0; i < list.count && rc == 0; i++)
        if (spool_id_is(str_of(list.names[i])))
            rc = look_at_left(spool, list.names[i], classes, best, ret_there, err);
    return rc;
}

/* From new/ to run/; nothing when it is there. */
static int fetch_job(const Spool *spool, SpoolJob *job, const char *id, Err *err)
{
    CLEANUP(buf_done) Buf from = {0};
    CLEANUP(buf_done) Buf to = {0};
    int rc = fresh_path(spool, id, &from, err);

    if (rc == 0)
        rc = path_join(&to, buf_cstr(&job->folder), JOB_FILE, NULL, err);
    if (rc || path_is_there(buf_cstr(&to)))
        return rc;
    rc = disk_sync_path(buf_cstr(&spool->run), err); /* the folder has its name first */
    return rc ? rc
              : move_durably(buf_cstr(&from), buf_cstr(&to), buf_cstr(&spool->fresh),
                             buf_cstr(&job->folder), err);
}

int spool_take(Spool *spool, unsigned classes, SpoolJob *ret_job, bool *ret_there, Err *err)
{
    SpoolHead best = {0};
    bool there = false;

    *ret_job = SPOOL_JOB_NONE;
    *ret_there = false;
    int rc = look_at_all_left(spool, classes, &best, &there, err);
    if (rc == 0)
        rc = look_at_fresh(spool, classes, &best, &there, err);
    if (rc || !there)
        return rc;
    rc = lock_job(spool, best.job, ret_job, err);
    if (rc == 0 && ret_job->alive < 0)
        return 0;
    if (rc == 0)
        rc = fetch_job(spool, ret_job, best.job, err);
    if (rc == 0)
        rc = load_job(ret_job, err);
    if (rc == 0)
        rc = begin_try(ret_job, err);
    if (rc == 0)
        rc = note_served(spool, best.contest, err);
    *ret_there = rc == 0;
    if (rc)
        spool_job_done(ret_job);
    return rc;
}

/* ---- while it is done ---- */

int spool_got_on(const char *folder, Err *err)
{
    CLEANUP(buf_done) Buf path = {0};
    int rc = path_join(&path, folder, TRIES_FILE, NULL, err);

    return rc ? rc : file_replace(buf_cstr(&path), STR("0"), false, err);
}

bool spool_is_stopped(const char *folder)
{
    CLEANUP(buf_done) Buf path = {0};

    return path_join(&path, folder, STOP_FILE, NULL, NULL) == 0 && path_is_there(buf_cstr(&path));
}

int spool_write_result(const char *folder, Str result_json, Err *err)
{
    CLEANUP(buf_done) Buf path = {0};
    int rc = path_join(&path, folder, RESULT_FILE, NULL, err);

    return rc ? rc : file_replace(buf_cstr(&path), result_json, true, err);
}

int spool_finish(Spool *spool, SpoolJob *job, Str result_json, Err *err)
{
    CLEANUP(buf_done) Buf to = {0};
    const char *folder = buf_cstr(&job->folder), *slash = strrchr(folder, '/');
    int rc = 0;

    if (result_json.len)
        rc = spool_write_result(folder, result_json, err);
    if (rc == 0)
        rc = done_path(spool, slash ? slash + 1 : folder, "", &to, err);
    if (rc == 0)
        rc =
            move_durably(folder, buf_cstr(&to), buf_cstr(&spool->run), buf_cstr(&spool->done), err);
    if (rc == 0)
        spool_job_done(job);
    return rc;
}

int spool_give_back(Spool *spool, SpoolJob *job, Err *err)
{
    CLEANUP(buf_done) Buf from = {0};
    CLEANUP(buf_done) Buf to = {0};
    const char *folder = buf_cstr(&job->folder);
    int rc = path_join(&from, folder, JOB_FILE, NULL, err);

    if (rc == 0)
        rc = fresh_path(spool, job->head.job, &to, err);
    if (rc == 0)
        rc = move_durably(buf_cstr(&from), buf_cstr(&to), folder, buf_cstr(&spool->fresh), err);
    if (rc == 0)
        rc = folder_remove(folder, err);
    if (rc == 0)
        spool_job_done(job);
    return rc;
}

/* ---- counting ---- */

static int is_running(const Spool *spool, const char *id, bool *ret_running, Err *err)
{
    CLEANUP(buf_done) Buf path = {0};
    int rc = path_join(&path, buf_cstr(&spool->run), id, ALIVE_FILE, err);

    *ret_running = rc == 0 && lock_is_taken(buf_cstr(&path));
    return rc;
}

int spool_count(Spool *spool, SpoolCount *ret_count, Err *err)
{
    CLEANUP(name_list_done) NameList fresh = {0};
    CLEANUP(name_list_done) NameList run = {0};
    CLEANUP(buf_done) Buf path = {0};
    CLEANUP(buf_done) Buf text = {0};

    *ret_count = (SpoolCount){0};
    int rc = name_list_read(&fresh, buf_cstr(&spool->fresh), err);
    if (rc == 0)
        rc = name_list_read(&run, buf_cstr(&spool->run), err);
    for (size_t i = 0; i < fresh.count && rc == 0; i++) {
        SpoolHead head;
        rc = path_join(&path, buf_cstr(&spool->fresh), fresh.names[i], NULL, err);
        if (rc == 0 && ends_with(fresh.names[i], JSON_END) &&
            read_job(buf_cstr(&path), &text, &head, NULL) == 0)
            ret_count->waiting[head.turn]++;
    }
    for (size_t i = 0; i < run.count && rc == 0; i++) {
        bool running = false;
        rc = is_running(spool, run.names[i], &running, err);
        ret_count->running += running;
    }
    return rc;
}
