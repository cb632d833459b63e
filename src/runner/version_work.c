#include "runner/version_work.h"

#include "base/mem.h"
#include "base/utf8.h"
#include "disk/disk_call.h"
#include "disk/folder.h"
#include "disk/tree_digest.h"
#include "runner/version_work_own.h"
#include "show/agent_check_output.h"
#include "wire/json_read.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <unistd.h>

#define LAST_LINES 10
#define LINE_CHARS 200

static void list_texts(VersionWork *work, Buf *ret_texts[static 7])
{
    Buf *const texts[] = {&work->team,  &work->language, &work->entry,  &work->tree,
                          &work->steps, &work->warnings, &work->refused};

    memcpy(ret_texts, texts, sizeof(texts));
}

void version_work_done(VersionWork *work)
{
    Buf *texts[7];

    list_texts(work, texts);
    for (size_t i = 0; i < 7; i++)
        buf_done(texts[i]);
    buf_done(&work->report);
    version_terms_done(&work->terms);
    *work = (VersionWork){0};
}

/* ---- as JSON ---- */

static const char *const text_keys[7] = {"team",  "language", "entry",  "tree",
                                         "steps", "warnings", "refused"};

int version_work_read(const json_t *job, VersionWork *ret_work, Err *err)
{
    JsonReader reader = {.err = err};
    Buf *texts[7];
    bool failed = false;

    version_work_done(ret_work);
    list_texts(ret_work, texts);
    ret_work->version = json_get_int(&reader, job, "version", 0, INT64_MAX, 0);
    ret_work->number = json_get_int(&reader, job, "number", 0, INT64_MAX, 0);
    for (size_t i = 0; i < 7; i++) {
        buf_add(texts[i], json_get_str(&reader, job, text_keys[i]));
        failed |= buf_failed(texts[i]);
    }
    version_terms_init(&ret_work->terms);
    if (reader.rc == 0 && failed)
        return err_set(err, ERR_MEMORY, "version: out of memory");
    if (reader.rc || !json_get(job, "terms"))
        return reader.rc;
    return version_terms_read(json_get(job, "terms"), &ret_work->terms, err);
}

void version_work_write(const VersionWork *work, Json *json)
{
    const Buf *const texts[] = {&work->team,  &work->language, &work->entry,  &work->tree,
                                &work->steps, &work->warnings, &work->refused};

    json_add_int(json, "version", work->version);
    json_add_int(json, "number", work->number);
    for (size_t i = 0; i < 7; i++)
        if (texts[i]->len)
            json_add_str(json, text_keys[i], buf_str(texts[i]));
    if (work->report.len)
        json_add_str(json, "report", buf_str(&work->report));
}

/* ---- places ---- */

int work_path(const char *folder, const char *name, Buf *ret_path, Err *err)
{
    buf_clear(ret_path);
    buf_printf(ret_path, "%s/%s", folder, name);
    return buf_failed(ret_path) ? err_set(err, ERR_MEMORY, "version: out of memory") : 0;
}

/* By its whole name: in a cell there is no other. */
static int make_whole(Buf *path, Err *err)
{
    char whole[PATH_MAX];

    if (!realpath(buf_cstr(path), whole))
        return disk_error(err, "find", buf_cstr(path));
    buf_clear(path);
    buf_add(path, str_of(whole));
    return buf_failed(path) ? err_set(err, ERR_MEMORY, "version: out of memory") : 0;
}

int work_folder(const char *folder, const char *name, unsigned mode, Buf *ret_path, Err *err)
{
    int rc = work_path(folder, name, ret_path, err);

    if (rc == 0)
        rc = folder_remove(buf_cstr(ret_path), err);
    if (rc)
        return rc;
    if (disk_make_folder(buf_cstr(ret_path), 0700))
        return disk_error(err, "make the folder", buf_cstr(ret_path));
    int fd = disk_open(buf_cstr(ret_path), O_RDONLY | O_DIRECTORY | O_NOFOLLOW, 0);
    if (fd < 0 || disk_set_mode(fd, mode)) /* whatever the umask is */
        rc = disk_error(err, "make the folder", buf_cstr(ret_path));
    if (fd >= 0)
        (void)disk_close(fd);
    return rc ? rc : make_whole(ret_path, err);
}

int work_tree(const WorkPlace *place, const VersionWork *work, Buf *ret_path, Err *err)
{
    Key digest;

    /* It becomes a path. */
    if (!key_from_hex(buf_str(&work->tree), &digest))
        return err_set(err, ERR_SYNTAX, "the version has no tree");
    return work_path(place->trees, buf_cstr(&work->tree), ret_path, err);
}

/* Brings a tree to disk before it gets its name. */
static int sync_tree(const char *folder, Err *err)
{
    int fd = disk_open(folder, O_RDONLY | O_DIRECTORY, 0);
    int rc = fd < 0 || disk_sync_all(fd) ? disk_error(err, "write to disk", folder) : 0;

    if (fd >= 0)
        (void)disk_close(fd);
    return rc;
}

/* One that is there already has the same files; where a disk or somebody has spoilt it, it makes
 * room. */
static int name_tree(const WorkPlace *place, const char *folder, const char *path,
                     const Key *digest, Err *err)
{
    CLEANUP(buf_done) Buf spoilt = {0};
    Key there;

    if (disk_rename(folder, path) == 0)
        return 0;
    if (errno != EEXIST && errno != ENOTEMPTY)
        return disk_error(err, "name", path);
    if (tree_digest(path, &there, NULL) == 0 && memcmp(&there, digest, sizeof(there)) == 0)
        return folder_remove(folder, err);
    int rc = work_path(place->scratch, "spoilt", &spoilt, err);
    if (rc == 0 && (disk_rename(path, buf_cstr(&spoilt)) || disk_rename(folder, path)))
        rc = disk_error(err, "name", path);
    return rc ? rc : folder_remove(buf_cstr(&spoilt), err);
}

int work_keep_tree(const WorkPlace *place, const char *folder, VersionWork *work, Err *err)
{
    CLEANUP(buf_done) Buf path = {0};
    char hex[KEY_HEX_BYTES];
    Key digest;
    int rc = tree_digest(folder, &digest, err);

    if (rc == 0)
        rc = folder_make(str_of(place->trees), err);
    if (rc == 0)
        rc = sync_tree(folder, err);
    if (rc)
        return rc;
    key_to_hex(&digest, hex);
    buf_clear(&work->tree);
    buf_add(&work->tree, str_of(hex));
    rc = work_tree(place, work, &path, err);
    if (rc)
        return rc;
    rc = name_tree(place, folder, buf_cstr(&path), &digest, err);
    return rc ? rc : disk_sync_path(place->trees, err);
}

/* ---- the report ---- */

/* The last lines, as they may be shown. */
static void put_last_lines(Json *json, Str output)
{
    size_t lines = 0, at = output.len;

    while (at > 0 && output.bytes[at - 1] == '\n')
        at--;
    output.len = at;
    while (at > 0 && (output.bytes[at - 1] != '\n' || ++lines < LAST_LINES))
        at--;
    output = str_part(output, at, output.len);
    json_key(json, STR("output"));
    json_open(json, '[');
    while (output.len) {
        CLEANUP(buf_done) Buf line = {0};
        utf8_add_printable(str_cut(&output, '\n'), LINE_CHARS, &line);
        json_put_str(json, buf_str(&line));
    }
    json_close(json);
}

static void put_advice(Json *json, Str why, bool japanese)
{
    CLEANUP(buf_done) Buf text = {0};

    if (!japanese) { /* the pages are in either */
        remark_add(json, "advice", why);
        return;
    }
    remark_say(why, true, &text);
    json_add_str(json, "advice", buf_str(&text));
}

void work_add_step(const WorkPlace *place, VersionWork *work, const char *step, TimeUs began,
                   Str figures, Str why, Str output)
{
    CLEANUP(buf_done) Buf text = {0};
    Json json = json_over(&text);

    json_open(&json, '{');
    json_add_str(&json, "step", str_of(step));
    json_add_str(&json, "verdict", why.len ? STR("fail") : STR("ok"));
    json_add_bool(&json, "ok", !why.len);
    json_add_real(&json, "ms", (double)(place->now() - began) / 1e3, 1);
    if (figures.len) {
        buf_add_char(&text, ',');
        buf_add(&text, figures);
    }
    if (why.len)
        put_advice(&json, why, work->terms.japanese);
    if (why.len && output.len)
        put_last_lines(&json, output);
    json_close(&json);
    if (work->steps.len)
        buf_add_char(&work->steps, ',');
    buf_add(&work->steps, buf_str(&text));
    if (buf_failed(&text))
        buf_fail(&work->steps);
    if (!why.len)
        return;
    buf_clear(&work->refused);
    buf_add(&work->refused, why);
}

static void put_head(Json *json, const VersionWork *work, const AgentCheck *check)
{
    const bool passed = check && check->passed;

    json_add_int(json, "version", work->number);
    json_add_str(json, "team", buf_str(&work->team));
    json_add_str(json, "language", buf_str(&work->language));
    json_add_str(json, "verdict", passed ? STR("passed") : STR("refused"));
    if (work->tree.len) {
        CLEANUP(buf_done) Buf tree = {0};
        buf_printf(&tree, "sha256:%s", buf_cstr(&work->tree));
        json_add_str(json, "tree", buf_str(&tree));
    }
    if (!check)
        return;
    json_add_str(json, "level", str_of(cell_level_name(check->level)));
    json_add_str(json, "layers", buf_str(&check->layers));
}

/* `japanese`: for the pages, which are in either language. */
static void put_warnings(Json *json, const VersionWork *work, const AgentCheck *check,
                         const char *key, bool japanese)
{
    Str rest = buf_str(&work->warnings);

    json_key(json, str_of(key));
    json_open(json, '[');
    while (rest.len) {
        CLEANUP(buf_done) Buf text = {0};
        remark_say(str_cut(&rest, '\n'), japanese, &text);
        json_put_str(json, buf_str(&text));
    }
    if (check)
        agent_check_put_warnings(json, check, japanese);
    json_close(json);
}

static void put_no_findings(Json *json)
{
    json_key(json, STR("findings"));
    json_open(json, '[');
    json_close(json);
}

int work_write_report(VersionWork *work, const AgentCheck *check, Err *err)
{
    Json json = json_over(&work->report);

    buf_clear(&work->report);
    json_open(&json, '{');
    put_head(&json, work, check);
    json_key(&json, STR("steps"));
    json_open(&json, '[');
    if (work->steps.len)
        json_put_raw(&json, buf_str(&work->steps));
    if (check)
        agent_check_put_steps(&json, check, work->terms.japanese);
    json_close(&json);
    if (check)
        agent_check_put_findings(&json, check);
    else
        put_no_findings(&json);
    put_warnings(&json, work, check, "warnings", work->terms.japanese);
    if (!work->terms.japanese)
        put_warnings(&json, work, check, "warnings_ja", true);
    json_close(&json);
    return buf_failed(&work->report) || buf_failed(&work->steps) || buf_failed(&work->warnings) ||
                   buf_failed(&work->refused)
               ? err_set(err, ERR_MEMORY, "version: out of memory")
               : 0;
}

bool work_failed(const Workshop *shop, const WorkshopEnd *end, const WorkRemarks *remarks, Buf *why)
{
    CLEANUP(buf_done) Buf how = {0};
    char mib[REMARK_NUMBER], seconds[REMARK_NUMBER];

    if (!end->late && end->how.status == 0 && end->how.signal_number == 0)
        return false;
    if (end->late) {
        const Str values[REMARK_VALUES] = {remark_number(shop->seconds, seconds)};
        remark_write(remarks->late, values, why);
    } else if (end->how.signal_number) {
        child_end_print(end->how, &how);
        const Str values[REMARK_VALUES] = {buf_str(&how),
                                           remark_number(shop->wish.memory_bytes >> 20, mib),
                                           remark_number(shop->wish.cpu_seconds, seconds)};
        remark_write(remarks->killed, values, why);
    } else
        remark_write(remarks->failed, NULL, why);
    return true;
}
