/* What the models of a game thought: who may see it, and the files that it is made of. */
#include "web/site_own.h"

#include "base/mem.h"
#include "disk/log_file.h"
#include "web/game_file.h"
#include "web/mind_doc.h"

#include <unistd.h>

#define PROMPTS_MAX ((size_t)64 * 1024 * 1024)

typedef struct MindJob {
    WorkJob job;
    WebVisit visit; /* its request is gone */
    SharedCatalogue *shared;
    const CatalogueGame *game;
    const LlmPrices *prices;
    bool names_hidden;
    int file;
    bool is_shown;
    Buf prompts; /* of one seat */
    Buf out;
    int rc;
    Err err;
} MindJob;

static void mind_job_free(MindJob *job)
{
    close(job->file);
    shared_catalogue_leave(job->shared);
    buf_done(&job->prompts);
    buf_done(&job->out);
    mem_free(job);
}

/* ---- on a thread ---- */

/* prompts/pNN.jsonl beside the record. A player's name is the game's own: digits behind a p. */
static Str prompts_of(void *user, Str player)
{
    MindJob *job = user;
    CLEANUP(buf_done) Buf path = {0};
    Str folder = job->game->path;
    size_t slash;
    int file = -1;

    buf_clear(&job->prompts);
    for (size_t i = 0; i < player.len; i++)
        if (player.bytes[i] == '/' || player.bytes[i] == '.')
            return (Str){0};
    folder = str_find_last(folder, '/', &slash) ? str_part(folder, 0, slash + 1) : STR("");
    buf_printf(&path, "%.*sprompts/%.*s.jsonl", STR_ARG(folder), STR_ARG(player));
    if (!job->game->path.len || buf_failed(&path) ||
        catalogue_open(job->shared->catalogue, job->game->root, buf_str(&path), &file, NULL))
        return (Str){0};
    int rc = log_file_read_from(file, "prompts", PROMPTS_MAX, &job->prompts, NULL);
    close(file);
    return rc ? (Str){0} : buf_str(&job->prompts);
}

static bool is_for_operators(Str record)
{
    Str first = str_cut(&record, '\n');
    size_t at;

    return str_find(first, STR("\"minds\":\"operator\""), &at);
}

/* While a session goes on, who sits where would tell of its next rounds. */
static bool is_shown(const MindJob *job, Str record)
{
    return job->visit.is_operator ||
           (!job->names_hidden && log_peek_is_over(job->file, job->game) &&
            !is_for_operators(record));
}

static int build_mind(MindJob *job, Err *err)
{
    CLEANUP(buf_done) Buf record = {0};
    CLEANUP(buf_done) Buf document = {0};
    CLEANUP(game_doc_freep) GameDoc *doc = NULL;
    const DocView view = {.kind = DOC_VIEW_ALL};
    int rc = game_file_text(job->file, "the session's record", &record, err);

    if (rc)
        return rc;
    job->is_shown = is_shown(job, buf_str(&record));
    if (!job->is_shown)
        return 0;
    rc = game_doc_read(buf_str(&record), job->game->name, job->game->round, &doc, err);
    if (rc)
        return rc;
    game_doc_set_id(doc, job->game->id);
    rc = game_file_write(doc, &view, &document, err);
    const MindSource source = {.record = buf_str(&record),
                               .round = job->game->round,
                               .document = buf_str(&document),
                               .prices = job->prices,
                               .prompts = prompts_of,
                               .user = job};
    return rc ? rc : mind_doc_write(&source, &job->out, err);
}

static void run_mind_job(WorkJob *work_job)
{
    MindJob *job = (MindJob *)work_job;

    job->rc = build_mind(job, &job->err);
}

/* ---- on the loop ---- */

static void on_mind_done(WorkJob *work_job, TimeUs now)
{
    MindJob *job = (MindJob *)work_job;

    (void)now;
    if (job->rc)
        visit_error(&job->visit, 422, "not-a-record", job->err.msg);
    else if (!job->is_shown)
        visit_error(&job->visit, 403, "minds",
                    "What models thought is for operators, at least until the session is over.");
    else
        visit_json(&job->visit, &job->out, VISIT_NEVER);
    mind_job_free(job);
}

static void on_mind_drop(WorkJob *work_job)
{
    mind_job_free((MindJob *)work_job);
}

static void begin_mind(const WebSite *site, const WebVisit *visit, const CatalogueGame *game,
                       int take_file)
{
    MindJob *job = mem_new(sizeof(*job));

    if (!job) {
        close(take_file);
        visit_error(visit, 503, "memory", "The server has no memory for this document.");
        return;
    }
    job->job = (WorkJob){.run = run_mind_job, .done = on_mind_done, .drop = on_mind_drop};
    job->visit = *visit;
    job->visit.request = NULL;
    job->shared = shared_catalogue_use(site->shared);
    job->game = game;
    job->prices = site->setup.prices;
    job->names_hidden = site->setup.names_hidden;
    job->file = take_file;
    if (!work_add(site->work, &job->job)) {
        mind_job_free(job);
        visit_error(visit, 503, "busy",
                    "The server is busy with other documents: ask again in two seconds.");
    }
}

void site_mind(void *user, const WebVisit *visit)
{
    const WebSite *site = user;
    const CatalogueGame *game = catalogue_find(site->shared->catalogue, visit->parts[0]);
    int file = -1;

    if (!game || (site->live.delay > 0 &&
                  site_withholds(site, visit->is_operator, game, visit->request->now)))
        visit_error(visit, 404, "no-game", SITE_NO_GAME);
    else if (game->session == CATALOGUE_NONE)
        visit_error(visit, 404, "no-minds", "Only sessions of MAW keep what their models thought.");
    else if (catalogue_open(site->shared->catalogue, game->root, game->path, &file, NULL))
        visit_error(visit, 404, "gone", "The record of this game is not there (any more).");
    else
        begin_mind(site, visit, game, file);
}
