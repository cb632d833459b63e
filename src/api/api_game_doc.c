/* A game as pages tell it, read out of its log by a worker. docs/contest-api.md */
#include "api/api_game.h"
#include "api/api_handlers.h"
#include "api/api_rules.h"
#include "base/mem.h"
#include "disk/file_inside.h"
#include "web/game_file.h"

#include <unistd.h>

typedef struct DocTask {
    WorkJob job; /* the first member: web/work.h */
    ApiVisit *visit;
    int file; /* the log */
    DocView view;
    Buf id;
    Buf out;
    int rc;
    Err err;
} DocTask;

static void free_task(DocTask *task)
{
    if (task->file >= 0)
        close(task->file);
    buf_done(&task->id);
    buf_done(&task->out);
    mem_free(task);
}

/* ---- on a worker ---- */

static int write_document(DocTask *task, Err *err)
{
    CLEANUP(buf_done) Buf text = {0};
    CLEANUP(game_doc_freep) GameDoc *doc = NULL;
    int rc = game_file_text(task->file, "the log", &text, err);

    if (rc == 0)
        rc = game_doc_read(buf_str(&text), buf_str(&task->id), 0, &doc, err);
    if (rc)
        return rc;
    game_doc_set_id(doc, buf_str(&task->id));
    return game_file_write(doc, &task->view, &task->out, err);
}

static void run_task(WorkJob *work)
{
    DocTask *task = (DocTask *)work;

    task->rc = write_document(task, &task->err);
}

/* ---- answering ---- */

/* One whose log can't be read has a log all the same, which says why. */
static int answer_document(ApiVisit *visit, Err *err)
{
    (void)err;
    return visit->out.len ? 0 : api_refuse(visit, REFUSE_NOT_FOUND, NULL, buf_cstr(&visit->detail));
}

static void on_written(WorkJob *work, TimeUs now)
{
    DocTask *task = (DocTask *)work;
    ApiVisit *visit = task->visit;

    visit->now = now;
    if (task->rc == 0) {
        buf_done(&visit->out);
        visit->out = task->out;
        task->out = (Buf){0};
    } else {
        buf_add(&visit->detail, str_of(task->err.msg));
    }
    visit->then = answer_document;
    free_task(task);
    visit->site->go_on(visit);
}

static void drop_task(WorkJob *work)
{
    DocTask *task = (DocTask *)work;
    ApiVisit *visit = task->visit;

    free_task(task);
    api_visit_done(visit);
    mem_free(visit);
}

static int find_view(ApiVisit *visit, DocView *ret_view)
{
    CLEANUP(buf_done) Buf given = {0};
    Str name = api_query(visit, "view", &given);

    *ret_view = (DocView){.kind = DOC_VIEW_ALL};
    if (name.len && !game_doc_view_of(name, ret_view))
        return api_refuse(visit, REFUSE_BAD_REQUEST, "view", NULL);
    ret_view->names = true;
    return 0;
}

static int open_log(ApiVisit *visit, DocTask *task, Err *err)
{
    CLEANUP(buf_done) Buf folder = {0};
    CLEANUP(buf_done) Buf log = {0};
    CLEANUP(buf_done) Buf root = {0};
    const ContestHome home = api_home(visit);
    int rc = api_game_find_own_log(visit, &folder, &log, err);

    if (rc == 0)
        rc = contest_home_path(&home, "", &root, err);
    buf_printf(&folder, "/%s", buf_cstr(&log));
    buf_printf(&task->id, "%.*s-game-%lld", STR_ARG(home.name), (long long)visit->object);
    if (rc == 0 && (buf_failed(&folder) || buf_failed(&task->id)))
        rc = err_set(err, ERR_MEMORY, "a game's document: out of memory");
    if (rc == 0 && file_inside_open(buf_cstr(&root), buf_cstr(&folder), &task->file, NULL))
        rc = api_refuse(visit, REFUSE_NOT_FOUND, NULL, NULL);
    return rc;
}

int api_game_doc(ApiVisit *visit, Err *err)
{
    DocTask *task = mem_new(sizeof(*task));

    if (!task)
        return err_set(err, ERR_MEMORY, "a game's document: out of memory");
    task->job = (WorkJob){.run = run_task, .done = on_written, .drop = drop_task};
    task->file = -1;
    int rc = find_view(visit, &task->view);
    if (rc == 0)
        rc = open_log(visit, task, err);
    if (rc == 0)
        task->visit = api_visit_keep(visit);
    if (rc == 0 && !task->visit)
        rc = err_set(err, ERR_MEMORY, "a game's document: out of memory");
    if (rc == 0)
        work_add_chore(task->visit->site->work, &task->job);
    else
        free_task(task);
    return rc ? rc : API_LATER;
}
