#include "web/doc_shelf.h"

#include "base/digest.h"
#include "base/mem.h"
#include "disk/gzip.h"
#include "web/game_file.h"

#include <sys/stat.h>
#include <unistd.h>

#define KEPT_MAX 4096 /* documents */
#define WAIT_MAX 1000 /* who waits for one */

#define NOT_OVER                                                                                   \
    "The log of this game has no end: it may still be played, and only what everybody was told "   \
    "can be seen. The operator's link, which the server printed, opens the rest."

/* Which file it was read from, as it was. */
typedef struct DocSource {
    uint64_t device, inode;
    int64_t changed_ns, bytes;
} DocSource;

/* A document that was built, or why it could not be. */
typedef struct Built {
    int rc;
    ErrCode code;
    char why[ERR_TEXT_MAX + 32];
    bool is_over; /* the game is; of what a maker made: it is shown to who asked */
    Buf packed;   /* gzip */
    Buf plain;    /* until it was answered; not kept */
    char etag[24];
    DocSource source;
} Built;

typedef struct Kept {
    struct Kept *next; /* of all, the one that was used last in front */
    Buf key;
    Built built;
} Kept;

/* Who waits for a document. */
typedef struct Waiter {
    struct Waiter *next;
    WebVisit visit; /* its request is gone */
    bool saved;
} Waiter;

typedef struct DocJob {
    WorkJob job;
    struct DocJob *next; /* of those that are being built */
    DocShelf *shelf;
    SharedCatalogue *shared;
    const CatalogueGame *game;
    DocView view;
    const DocMaker *maker; /* NULL: the game's document */
    bool is_operator;      /* for whom it is made */
    Buf key;
    int file;
    Waiter *waiters;
    unsigned waiter_count;
    Built built;
} DocJob;

struct DocShelf {
    Work *work;
    Kept *kept;
    size_t kept_count;
    size_t bytes;
    uint64_t built;
    DocJob *jobs;
};

/* ---- catalogues ---- */

SharedCatalogue *shared_catalogue_new(Catalogue *take_catalogue)
{
    SharedCatalogue *shared = mem_new(sizeof(*shared));

    if (!shared) {
        catalogue_free(take_catalogue);
        return NULL;
    }
    *shared = (SharedCatalogue){.catalogue = take_catalogue, .readers = 1};
    return shared;
}

SharedCatalogue *shared_catalogue_use(SharedCatalogue *shared)
{
    shared->readers++;
    return shared;
}

void shared_catalogue_leave(SharedCatalogue *shared)
{
    if (!shared || --shared->readers)
        return;
    catalogue_free(shared->catalogue);
    mem_free(shared);
}

/* ---- what is kept ---- */

static void built_done(Built *built)
{
    buf_done(&built->packed);
    buf_done(&built->plain);
}

static Kept *kept_free(Kept *kept)
{
    buf_done(&kept->key);
    built_done(&kept->built);
    return mem_free(kept);
}

static void shelf_drop(DocShelf *shelf, Kept **at)
{
    Kept *kept = *at;

    *at = kept->next;
    shelf->bytes -= kept->built.packed.len;
    shelf->kept_count--;
    kept_free(kept);
}

/* The last ones go until all fit. */
static void shelf_make_room(DocShelf *shelf)
{
    while (shelf->kept && (shelf->bytes > DOC_SHELF_BYTES || shelf->kept_count > KEPT_MAX)) {
        Kept **last = &shelf->kept;
        while ((*last)->next)
            last = &(*last)->next;
        shelf_drop(shelf, last);
    }
}

/* What is kept under the key and was built from this file; older ones go. It comes in front. */
static const Built *shelf_find(DocShelf *shelf, Str key, const DocSource *source)
{
    for (Kept **at = &shelf->kept; *at; at = &(*at)->next) {
        Kept *kept = *at;
        if (!str_eq(buf_str(&kept->key), key))
            continue;
        if (memcmp(&kept->built.source, source, sizeof(*source)) != 0) {
            shelf_drop(shelf, at);
            return NULL;
        }
        *at = kept->next;
        kept->next = shelf->kept;
        shelf->kept = kept;
        return &kept->built;
    }
    return NULL;
}

/* Takes what the job has built. */
static void shelf_keep(DocShelf *shelf, DocJob *job)
{
    Kept *kept = mem_new(sizeof(*kept));

    if (!kept)
        return;
    buf_done(&job->built.plain);
    kept->key = job->key;
    kept->built = job->built;
    job->key = job->built.packed = (Buf){0};
    kept->next = shelf->kept;
    shelf->kept = kept;
    shelf->bytes += kept->built.packed.len;
    shelf->kept_count++;
    shelf_make_room(shelf);
}

/* ---- on a worker ---- */

static int write_doc(DocJob *job, Err *err)
{
    CLEANUP(game_doc_freep) GameDoc *doc = NULL;
    Built *built = &job->built;
    int rc = game_file_read(job->shared->catalogue, job->game, job->file, &doc, err);

    if (rc)
        return rc;
    DocStatus status = game_doc_status(doc);
    DocView view = job->view;
    built->is_over = status == DOC_FINISHED || status == DOC_ABORTED || job->game->told;
    if (!built->is_over && view.kind != DOC_VIEW_ALL)
        view.names = false;
    return game_file_write(doc, &view, &built->plain, err);
}

static void build_doc(DocJob *job, Err *err)
{
    const DocMaker *maker = job->maker;
    Built *built = &job->built;
    char hex[SHA256_HEX_BYTES];

    built->rc = maker ? maker->make(maker->user, job->shared->catalogue, job->game, job->file,
                                    job->is_operator, &built->plain, &built->is_over, err)
                      : write_doc(job, err);
    if (built->rc == 0)
        built->rc = sha256_hex(buf_str(&built->plain), hex, err);
    if (built->rc == 0)
        built->rc = gzip_pack(buf_str(&built->plain), GZIP_USUAL, &built->packed, err);
    if (built->rc == 0)
        snprintf(built->etag, sizeof(built->etag), "\"%.16s\"", hex);
}

static void run_doc_job(WorkJob *work_job)
{
    DocJob *job = (DocJob *)work_job;
    Err err = {0};

    build_doc(job, &err);
    if (!job->built.rc)
        return;
    job->built.code = err.code;
    if (err.line && !strstr(err.msg, "line "))
        snprintf(job->built.why, sizeof(job->built.why), "line %u: %s", err.line, err.msg);
    else
        snprintf(job->built.why, sizeof(job->built.why), "%s", err.msg);
}

/* ---- answers ---- */

static void answer_trouble(const WebVisit *visit, const Built *built, const DocMaker *maker)
{
    switch (built->code) {
    case ERR_LIMIT:
        visit_error(visit, 413, "too-large", built->why);
        break;
    case ERR_IO:
        visit_error(visit, 404, "gone", built->why);
        break;
    case ERR_MEMORY:
        visit_error(visit, 503, "memory", built->why);
        break;
    case ERR_SYNTAX:
    case ERR_RULE:
    case ERR_USAGE:
    case ERR_INTERRUPTED:
    case ERR_OK:
    default:
        visit_error(visit, 422, maker ? maker->trouble : "not-a-log", built->why);
        break;
    }
}

/* What of a document that was built is asked for. */
typedef struct DocAsk {
    DocView view;
    const DocMaker *maker; /* NULL: the game's document */
    bool saved;            /* as a file */
} DocAsk;

/* False, and it is answered, for who may not have it. */
static bool may_have(const WebVisit *visit, const Built *built, const DocAsk *ask)
{
    if (built->rc)
        answer_trouble(visit, built, ask->maker);
    else if (ask->maker && !built->is_over)
        visit_error(visit, 403, ask->maker->hidden, ask->maker->hidden_text);
    else if (!built->is_over && ask->view.kind != DOC_VIEW_PUBLIC && !visit->is_operator)
        visit_error(visit, 403, "not-over", NOT_OVER);
    else
        return true;
    return false;
}

static void answer_built(const WebVisit *visit, const Built *built, const DocAsk *ask, Str name)
{
    CLEANUP(buf_done) Buf file_name = {0};
    CLEANUP(buf_done) Buf plain = {0};
    Str body = buf_str(&built->plain);

    if (!may_have(visit, built, ask))
        return;
    if (!body.len && !visit->takes_gzip) {
        if (gunzip_text(buf_str(&built->packed), "a document", GAME_DOC_BYTES_MAX, &plain, NULL)) {
            visit_error(visit, 503, "memory", "The server has no memory for this document.");
            return;
        }
        body = buf_str(&plain);
    }
    if (ask->saved)
        buf_printf(&file_name, "%.*s.warg-game.json", STR_ARG(name));
    const VisitAnswer answer = {.status = 200,
                                .type = "application/json",
                                .body = body,
                                .packed = buf_str(&built->packed),
                                .etag = str_of(built->etag),
                                .file_name = buf_str(&file_name),
                                .caching =
                                    built->is_over && !ask->maker ? VISIT_ASKS : VISIT_NEVER};
    visit_answer(visit, &answer);
}

static void job_free(DocJob *job)
{
    while (job->waiters) {
        Waiter *waiter = job->waiters;
        job->waiters = waiter->next;
        mem_free(waiter);
    }
    for (DocJob **at = &job->shelf->jobs; *at; at = &(*at)->next)
        if (*at == job) {
            *at = job->next;
            break;
        }
    if (job->file >= 0)
        close(job->file);
    shared_catalogue_leave(job->shared);
    buf_done(&job->key);
    built_done(&job->built);
    mem_free(job);
}

static void on_doc_done(WorkJob *work_job, TimeUs now)
{
    DocJob *job = (DocJob *)work_job;
    DocShelf *shelf = job->shelf;

    (void)now;
    shelf->built++;
    for (Waiter *waiter = job->waiters; waiter; waiter = waiter->next) {
        const DocAsk ask = {job->view, job->maker, waiter->saved};
        answer_built(&waiter->visit, &job->built, &ask, job->game->id);
    }
    if (job->built.rc == 0)
        shelf_keep(shelf, job);
    job_free(job);
}

static void on_doc_drop(WorkJob *work_job)
{
    job_free((DocJob *)work_job);
}

/* ---- questions ---- */

static bool job_add_waiter(DocJob *job, const WebVisit *visit, bool saved)
{
    Waiter *waiter = job->waiter_count < WAIT_MAX ? mem_new(sizeof(*waiter)) : NULL;

    if (!waiter)
        return false;
    waiter->visit = *visit;
    waiter->visit.request = NULL;
    waiter->saved = saved;
    waiter->next = job->waiters;
    job->waiters = waiter;
    job->waiter_count++;
    return true;
}

static DocJob *job_new(DocShelf *shelf, SharedCatalogue *shared, const CatalogueGame *game,
                       const DocAsk *ask, Str key)
{
    DocJob *job = mem_new(sizeof(*job));

    if (!job)
        return NULL;
    job->job = (WorkJob){.run = run_doc_job, .done = on_doc_done, .drop = on_doc_drop};
    job->shelf = shelf;
    job->shared = shared_catalogue_use(shared);
    job->game = game;
    job->view = ask->view;
    job->maker = ask->maker;
    job->file = -1;
    buf_add(&job->key, key);
    job->next = shelf->jobs;
    shelf->jobs = job;
    return job;
}

static const char busy[] = "The server is busy with other documents: ask again in two seconds.";

/* Takes the open file. */
static void begin_job(DocShelf *shelf, const WebVisit *visit, SharedCatalogue *shared,
                      const CatalogueGame *game, const DocAsk *ask, Str key, int take_file,
                      const DocSource *source)
{
    DocJob *job = job_new(shelf, shared, game, ask, key);

    if (!job) {
        close(take_file);
        visit_error(visit, 503, "memory", "The server has no memory for this document.");
        return;
    }
    job->file = take_file;
    job->is_operator = visit->is_operator;
    job->built.source = *source;
    if (buf_failed(&job->key) || !job_add_waiter(job, visit, ask->saved) ||
        !work_add(shelf->work, &job->job)) {
        job_free(job);
        visit_error(visit, 503, "busy", busy);
    }
}

/* One that is being built from this file. */
static DocJob *job_of(const DocShelf *shelf, Str key, const DocSource *source)
{
    for (DocJob *job = shelf->jobs; job; job = job->next)
        if (str_eq(buf_str(&job->key), key) &&
            memcmp(&job->built.source, source, sizeof(*source)) == 0)
            return job;
    return NULL;
}

static bool source_of(int file, DocSource *ret_source)
{
    struct stat about;

    if (fstat(file, &about))
        return false;
    memset(ret_source, 0, sizeof(*ret_source)); /* it is compared by its bytes */
    ret_source->device = about.st_dev;
    ret_source->inode = about.st_ino;
    ret_source->changed_ns = (int64_t)about.st_mtim.tv_sec * 1000000000 + about.st_mtim.tv_nsec;
    ret_source->bytes = about.st_size;
    return true;
}

/* Names of games are of a session's rounds, too: the round is in the key by the ID. What makers
 * make is for operators, or for all: each of both is kept. */
static void write_key(const WebVisit *visit, const CatalogueGame *game, const DocAsk *ask, Buf *out)
{
    if (ask->maker)
        buf_printf(out, "%.*s %s %d", STR_ARG(game->id), ask->maker->hidden, visit->is_operator);
    else
        buf_printf(out, "%.*s %d.%u %d%d", STR_ARG(game->id), (int)ask->view.kind, ask->view.seat,
                   ask->view.names, ask->view.sealed);
}

static void answer_ask(DocShelf *shelf, const WebVisit *visit, SharedCatalogue *shared,
                       const CatalogueGame *game, const DocAsk *ask)
{
    CLEANUP(buf_done) Buf key = {0};
    DocSource source;
    int file = -1;

    if (!game->has_log || catalogue_open(shared->catalogue, game->root, game->path, &file, NULL) ||
        !source_of(file, &source)) {
        if (file >= 0)
            close(file);
        visit_error(visit, 404, "gone", "The log of this game is not there (any more).");
        return;
    }
    write_key(visit, game, ask, &key);
    const Built *built = shelf_find(shelf, buf_str(&key), &source);
    DocJob *job = built ? NULL : job_of(shelf, buf_str(&key), &source);
    if (built) {
        answer_built(visit, built, ask, game->id);
    } else if (!job) {
        begin_job(shelf, visit, shared, game, ask, buf_str(&key), file, &source);
        return; /* the file is the job's */
    } else if (!job_add_waiter(job, visit, ask->saved)) {
        visit_error(visit, 503, "busy", busy);
    }
    close(file);
}

void doc_shelf_answer(DocShelf *shelf, const WebVisit *visit, SharedCatalogue *shared,
                      const CatalogueGame *game, const DocView *view, bool saved)
{
    answer_ask(shelf, visit, shared, game, &(DocAsk){.view = *view, .saved = saved});
}

void doc_shelf_answer_made(DocShelf *shelf, const WebVisit *visit, SharedCatalogue *shared,
                           const CatalogueGame *game, const DocMaker *maker)
{
    answer_ask(shelf, visit, shared, game, &(DocAsk){.maker = maker});
}

/* ---- life ---- */

DocShelf *doc_shelf_new(Work *work)
{
    DocShelf *shelf = mem_new(sizeof(*shelf));

    if (shelf)
        shelf->work = work;
    return shelf;
}

DocShelf *doc_shelf_free(DocShelf *shelf)
{
    if (!shelf)
        return NULL;
    while (shelf->kept)
        shelf_drop(shelf, &shelf->kept);
    return mem_free(shelf);
}

size_t doc_shelf_bytes(const DocShelf *shelf)
{
    return shelf->bytes;
}

uint64_t doc_shelf_built(const DocShelf *shelf)
{
    return shelf->built;
}
