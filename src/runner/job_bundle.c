#include "runner/job_bundle.h"

#include "audit/audit.h"
#include "audit/bundle.h"
#include "audit/manifest.h"
#include "base/digest.h"
#include "disk/disk_call.h"
#include "disk/folder.h"
#include "disk/key_file.h"
#include "disk/log_file.h"
#include "disk/regular_file.h"

#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <unistd.h>

#define PIECE_BYTES ((size_t)64 * 1024)

/* A contest's folder and what is made in it. */
typedef struct BundlePaths {
    Buf site, play, bundle, made, archive, made_archive, manifest;
} BundlePaths;

static void paths_done(BundlePaths *paths)
{
    buf_done(&paths->site);
    buf_done(&paths->play);
    buf_done(&paths->bundle);
    buf_done(&paths->made);
    buf_done(&paths->archive);
    buf_done(&paths->made_archive);
    buf_done(&paths->manifest);
}

static int no_memory(Err *err)
{
    return err_set(err, ERR_MEMORY, "bundle: out of memory");
}

/* The name is the server's; what is no folder's name leads nowhere. */
static int find_paths(const JobPlace *place, const json_t *job, BundlePaths *ret, Err *err)
{
    const char *name = json_string_value(json_object_get(job, "contest"));

    if (!name || !*name || *name == '.' || strchr(name, '/'))
        return err_set(err, ERR_SYNTAX, "the job names no contest");
    buf_printf(&ret->site, "%s/contests/%s", place->data, name);
    const char *site = buf_cstr(&ret->site);
    buf_printf(&ret->play, "%s/play", site);
    buf_printf(&ret->bundle, "%s/bundle", site);
    buf_printf(&ret->archive, "%s/bundle.tar.gz", site);
    /* What lies in the archive is in a folder of the contest's name. */
    buf_printf(&ret->made, "%s/making/%s", site, name);
    buf_printf(&ret->made_archive, "%s/making/%s.tar.gz", site, name);
    buf_printf(&ret->manifest, "%s/bundle/" MANIFEST_FILE, site);
    return buf_failed(&ret->site) || buf_failed(&ret->play) || buf_failed(&ret->bundle) ||
                   buf_failed(&ret->archive) || buf_failed(&ret->made) ||
                   buf_failed(&ret->made_archive) || buf_failed(&ret->manifest)
               ? no_memory(err)
               : 0;
}

/* ---- digests ---- */

static int digest_file(const char *path, char ret_hex[static SHA256_HEX_BYTES], Err *err)
{
    CLEANUP(mem_freep) char *piece = mem_new(PIECE_BYTES);
    int fd = -1, rc = regular_file_open(path, &fd, err);
    Sha256 *hash = rc ? NULL : sha256_new();
    ssize_t n = 1;

    if (rc)
        return rc;
    while (piece && hash && n > 0) {
        n = read(fd, piece, PIECE_BYTES);
        if (n > 0)
            sha256_add(hash, (Str){piece, (size_t)n});
        else if (n < 0 && errno == EINTR)
            n = 1;
    }
    close(fd);
    if (!piece || !hash)
        rc = no_memory(err);
    else if (n < 0)
        rc = disk_error(err, "read", path);
    if (hash)
        sha256_end(hash, ret_hex);
    return rc;
}

static int add_digest(Json *result, const char *key, const char *path, Err *err)
{
    char hex[SHA256_HEX_BYTES];
    int rc = digest_file(path, hex, err);

    if (rc == 0)
        json_add_str(result, key, str_of(hex));
    return rc;
}

/* ---- audited ---- */

static bool go_on(void *user, uint64_t done, uint64_t games)
{
    (void)games;
    if (done % 256 == 0)
        job_place_got_on(user);
    return !job_place_stopped(user);
}

static void add_why(const AuditReport *report, Json *result)
{
    for (AuditStep step = AUDIT_FILES; step < AUDIT_STEPS; step++) {
        CLEANUP(buf_done) Buf why = {0};
        const AuditVerdict *verdict = &report->steps[step];
        if (verdict->state != AUDIT_CONTRADICTED)
            continue;
        buf_printf(&why, "%s: %s:%u: %s", audit_step_name(step), verdict->file, verdict->line,
                   verdict->text);
        json_add_str(result, "why", buf_str(&why));
        return;
    }
}

static int audit_to(const JobPlace *place, const char *dir, Json *result, Err *err)
{
    AuditReport report;
    Key pick;
    JobPlace copy = *place;
    const AuditSetup setup = {.dir = dir, .pick = &pick, .progress = go_on, .user = &copy};
    Err own = {0};
    int rc = key_draw(&pick, err);

    if (rc)
        return rc;
    rc = audit_run(&setup, &report, &own);
    if (rc == ERR_INTERRUPTED) {
        json_add_bool(result, "stopped", true);
        return 0;
    }
    if (rc)
        return err_set(err, (ErrCode)rc, "%s", own.msg);
    json_add_bool(result, "holds", audit_holds(&report));
    json_add_uint(result, "games", report.games);
    add_why(&report, result);
    return 0;
}

/* ---- the jobs ---- */

/* Under another name first; who reads the one before meanwhile reads it to its end. */
static int make_bundle(const BundlePaths *paths, Err *err)
{
    CLEANUP(buf_done) Buf journal = {0};
    CLEANUP(buf_done) Buf making = {0};

    buf_printf(&journal, "%s/journal.jsonl", buf_cstr(&paths->play));
    buf_printf(&making, "%s/making", buf_cstr(&paths->site));
    if (buf_failed(&journal) || buf_failed(&making))
        return no_memory(err);
    const bool played = access(buf_cstr(&journal), F_OK) == 0;
    const BundleSetup setup = {.dir = played ? buf_cstr(&paths->play) : NULL,
                               .site = buf_cstr(&paths->site),
                               .out = buf_cstr(&paths->made)};
    int rc = folder_remove(buf_cstr(&making), err);
    if (rc == 0)
        rc = folder_make(buf_str(&making), err);
    if (rc == 0)
        rc = bundle_write(&setup, err);
    if (rc == 0)
        rc = folder_remove(buf_cstr(&paths->bundle), err);
    if (rc == 0 && (disk_rename(buf_cstr(&paths->made), buf_cstr(&paths->bundle)) ||
                    disk_rename(buf_cstr(&paths->made_archive), buf_cstr(&paths->archive))))
        rc = disk_error(err, "make", buf_cstr(&paths->bundle));
    if (rc == 0)
        rc = disk_sync_path(buf_cstr(&paths->site), err);
    return rc ? rc : folder_remove(buf_cstr(&making), err);
}

int job_bundle(const JobPlace *place, const json_t *job, Json *result, Err *err)
{
    CLEANUP(paths_done) BundlePaths paths = {.site = {0}};
    int rc = find_paths(place, job, &paths, err);

    if (rc == 0)
        rc = make_bundle(&paths, err);
    if (rc == 0)
        rc = add_digest(result, "manifest", buf_cstr(&paths.manifest), err);
    if (rc == 0)
        rc = add_digest(result, "archive", buf_cstr(&paths.archive), err);
    return rc ? rc : audit_to(place, buf_cstr(&paths.bundle), result, err);
}

int job_audit(const JobPlace *place, const json_t *job, Json *result, Err *err)
{
    CLEANUP(paths_done) BundlePaths paths = {.site = {0}};
    int rc = find_paths(place, job, &paths, err);

    if (rc)
        return rc;
    return audit_to(place,
                    access(buf_cstr(&paths.bundle), F_OK) == 0 ? buf_cstr(&paths.bundle)
                                                               : buf_cstr(&paths.play),
                    result, err);
}
