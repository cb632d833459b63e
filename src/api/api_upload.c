#include "api/api_upload.h"

#include "base/mem.h"
#include "disk/disk_call.h"
#include "site/blob.h"

typedef struct Upload {
    WorkJob job;         /* the first member: web/work.h */
    struct Upload *next; /* of the site */
    ApiVisit *visit;
    BlobSink *blob;
    bool ending;     /* a worker names it */
    uint64_t looked; /* bytes of it, at the last look at the disk */
    uint64_t bytes;
    int rc;
} Upload;

#define LOOK_BYTES ((uint64_t)4 << 20) /* between two looks at the disk */

bool api_upload_has_room(const ApiSite *site)
{
    const ApiSettings *settings = site->settings;
    DiskRoom room = {.data = settings->data,
                     .reserve_bytes = settings->disk_reserve_bytes,
                     .reserve_permil = (uint32_t)settings->disk_reserve_permil};

    disk_room_look(&room, NULL, NULL);
    return !room.low && !site->disk.low;
}

static unsigned uploads_of(const ApiSite *site, int64_t team)
{
    unsigned count = 0;

    for (const Upload *upload = site->uploads; upload; upload = upload->next)
        count += upload->visit->team == team;
    return count;
}

static void free_upload(Upload *upload)
{
    Upload **at = &upload->visit->site->uploads;

    while (*at != upload)
        at = &(*at)->next;
    *at = upload->next;
    blob_drop(upload->blob);
    mem_free(upload);
}

/* ---- what nobody has ---- */

bool api_upload_is_ending(const ApiSite *site)
{
    for (const Upload *upload = site->uploads; upload; upload = upload->next)
        if (upload->ending)
            return true;
    return false;
}

void api_upload_drop(const ApiVisit *visit, Str digests)
{
    if (api_upload_is_ending(visit->site))
        return;
    while (digests.len) {
        CLEANUP(buf_done) Buf path = {0};
        blob_path(visit->site->settings->data, str_cut(&digests, '\n'), &path);
        disk_remove(buf_cstr(&path));
    }
}

void api_upload_refused(const ApiVisit *visit)
{
    CLEANUP(buf_done) Buf unused = {0};

    if (visit->upload.sha256[0] &&
        blob_list_unused(visit->site->db, str_of(visit->upload.sha256), &unused, NULL) == 0)
        api_upload_drop(visit, buf_str(&unused));
}

/* ---- how it ends ---- */

static int refuse_long(ApiVisit *visit, Err *err)
{
    (void)err;
    return api_refuse(visit, REFUSE_TOO_LARGE, "file", NULL);
}

static int refuse_slow(ApiVisit *visit, Err *err)
{
    (void)err;
    return api_refuse(visit, REFUSE_SLOW, "file", NULL);
}

static int refuse_bad(ApiVisit *visit, Err *err)
{
    (void)err;
    return api_refuse(visit, REFUSE_BAD_REQUEST, "file", NULL);
}

static int refuse_full(ApiVisit *visit, Err *err)
{
    (void)err;
    return api_refuse(visit, REFUSE_FULL, "file", NULL);
}

static void go_on(Upload *upload, ApiHandler *then)
{
    ApiVisit *visit = upload->visit;

    if (then)
        visit->then = then;
    free_upload(upload);
    visit->now_ms = api_site_now_ms(visit->site);
    visit->site->go_on(visit);
}

/* On a worker: the file is synced, which may take long. */
static void run_end(WorkJob *work)
{
    Upload *upload = (Upload *)work;
    BlobSink *blob = upload->blob;

    upload->blob = NULL;
    upload->rc = blob_end(blob, upload->visit->upload.sha256, &upload->visit->upload.bytes, NULL);
}

static void on_end(WorkJob *work, TimeUs now)
{
    Upload *upload = (Upload *)work;

    upload->visit->now = now;
    go_on(upload, upload->rc ? refuse_full : NULL);
}

static void drop_end(WorkJob *work)
{
    Upload *upload = (Upload *)work;
    ApiVisit *visit = upload->visit;

    free_upload(upload);
    api_visit_done(visit);
    mem_free(visit);
}

/* ---- how it comes ---- */

/* Many that are under way could take what each of them had room for. */
static bool still_has_room(Upload *upload)
{
    if (upload->bytes - upload->looked < LOOK_BYTES)
        return true;
    upload->looked = upload->bytes;
    return api_upload_has_room(upload->visit->site);
}

static bool take_piece(void *user, Str bytes)
{
    Upload *upload = user;

    upload->bytes += bytes.len;
    if (still_has_room(upload) && blob_write(upload->blob, bytes, NULL) == 0)
        return true;
    web_body_stop(upload->visit->conn);
    go_on(upload, refuse_full);
    return false;
}

static void body_done(void *user, WebConn *conn, WebBodyEnd how, uint64_t bytes)
{
    Upload *upload = user;

    (void)conn, (void)bytes;
    switch (how) {
    case WEB_BODY_WHOLE:
        if (!api_upload_has_room(upload->visit->site)) {
            go_on(upload, refuse_full);
            return;
        }
        upload->ending = true;
        work_add_chore(upload->visit->site->work, &upload->job);
        return;
    case WEB_BODY_LONG:
        go_on(upload, refuse_long);
        return;
    case WEB_BODY_SLOW:
        go_on(upload, refuse_slow);
        return;
    case WEB_BODY_BAD:
        go_on(upload, refuse_bad);
        return;
    case WEB_BODY_BROKEN:
    default:
        drop_end(&upload->job);
        return;
    }
}

int api_upload_take(ApiVisit *visit, uint64_t limit, ApiHandler *then, Err *err)
{
    CLEANUP(blob_dropp) BlobSink *blob = NULL;
    Upload *upload;

    if (!api_upload_has_room(visit->site))
        return api_refuse(visit, REFUSE_FULL, "file", NULL);
    if (uploads_of(visit->site, visit->team) >= API_UPLOADS_EACH) {
        visit->retry_s = 5;
        return api_refuse(visit, REFUSE_TOO_MANY, "file", NULL);
    }
    int rc = blob_begin(visit->site->settings->data, limit, &blob, err);
    if (rc)
        return rc;
    upload = mem_new(sizeof(*upload));
    if (upload)
        upload->visit = api_visit_keep(visit);
    if (!upload || !upload->visit) {
        mem_free(upload);
        return err_set(err, ERR_MEMORY, "upload: out of memory");
    }
    upload->job = (WorkJob){.run = run_end, .done = on_end, .drop = drop_end};
    upload->blob = TAKE(blob);
    upload->visit->then = then;
    upload->next = upload->visit->site->uploads;
    upload->visit->site->uploads = upload;
    const WebSink sink = {take_piece, body_done, upload};
    web_body_to(upload->visit->conn, &sink, limit);
    return API_LATER;
}
