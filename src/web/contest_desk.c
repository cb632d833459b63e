#include "web/contest_desk.h"

#include "base/mem.h"
#include "web/contest_pages.h"
#include "web/contest_words.h"

/* Figures that pages are being made of; they go with the last. The loop counts. */
typedef struct SharedFigures {
    ContestFigures *figures;
    unsigned readers;
} SharedFigures;

typedef struct PageJob PageJob;

/* A folder. */
typedef struct Folder {
    struct Folder *next;
    char *dir;
    FiguresPart part;      /* what is told of it */
    SharedFigures *shared; /* NULL = not read yet */
    ContestMark mark;      /* as it was read */
    bool reading;
    bool is_wrong; /* it could not be read; `why` */
    char why[ERR_TEXT_MAX + 32];
    TimeUs read_at, took, used;
    PageJob *waiting; /* for the figures */
    unsigned waiting_count;
} Folder;

/* A folder that is read. */
typedef struct ReadJob {
    WorkJob job;
    ContestDesk *desk;
    Folder *folder;
    char *dir;
    FiguresPart part;
    TimeUs began;
    ContestMark mark;
    ContestFigures *figures;
    int rc;
    Err err;
} ReadJob;

/* A page that is made. */
struct PageJob {
    WorkJob job;
    PageJob *next;
    ContestDesk *desk;
    WebVisit visit; /* its request is gone */
    ContestAsk ask;
    SharedFigures *shared;
    ContestAnswer answer;
    int rc;
};

struct ContestDesk {
    Work *work;
    Folder *folders;
    unsigned folder_count;
    uint64_t read_count;
};

/* ---- figures ---- */

static void leave_figures(SharedFigures *shared)
{
    if (!shared || --shared->readers)
        return;
    contest_figures_free(shared->figures);
    mem_free(shared);
}

/* ---- pages ---- */

static PageJob *free_page(PageJob *page)
{
    leave_figures(page->shared);
    contest_answer_done(&page->answer);
    return mem_free(page);
}

static void send_answer(const PageJob *page)
{
    CLEANUP(buf_done) Buf seconds = {0};
    const ContestAnswer *answer = &page->answer;
    const WebHeader refresh = {STR("Refresh"), {0}};
    WebHeader headers[1] = {refresh};
    bool html = page->ask.form == CONTEST_HTML;

    buf_add_uint(&seconds, answer->refresh);
    headers[0].value = buf_str(&seconds);
    const VisitAnswer out = {
        .status = answer->status,
        .type = answer->type,
        .body = buf_str(&answer->body),
        .is_page = html,
        .file_name =
            page->ask.form == CONTEST_CSV && answer->status == 200 ? STR("contest.csv") : STR(""),
        .headers = headers,
        .header_count = answer->refresh ? 1 : 0,
        .caching = page->ask.is_operator || answer->status != 200 ? VISIT_NEVER : VISIT_ASKS};
    visit_answer(&page->visit, &out);
}

static const char no_memory[] = "The server has no memory for this page.";
static const char busy[] = "The server is busy: ask again in two seconds.";

static void run_page(WorkJob *job)
{
    PageJob *page = (PageJob *)(void *)job;
    Err err = {0};

    page->rc = contest_pages_write(page->shared->figures, &page->ask, &page->answer, &err);
}

static void on_page_done(WorkJob *job, TimeUs now)
{
    PageJob *page = (PageJob *)(void *)job;

    (void)now;
    if (page->rc)
        visit_error(&page->visit, 503, "memory", no_memory);
    else
        send_answer(page);
    free_page(page);
}

static void on_page_drop(WorkJob *job)
{
    free_page((PageJob *)(void *)job);
}

/* Hands a page to the workers; takes it. */
static void start_page(ContestDesk *desk, PageJob *take_page, SharedFigures *shared)
{
    take_page->shared = shared;
    shared->readers++;
    if (work_add(desk->work, &take_page->job))
        return;
    visit_error(&take_page->visit, 503, "busy", busy);
    free_page(take_page);
}

/* The results can't be read: a page that says why, or an error. Takes the page. */
static void refuse_page(PageJob *take_page, const char *why)
{
    CLEANUP(buf_done) Buf text = {0};
    const char *words = contest_word(take_page->ask.language, CONTEST_WORD_NOT_READ);
    const char *place = strstr(words, "{0}");

    /* Paths of this machine are for its operators. */
    buf_printf(&text, "%.*s%s%s", (int)(place - words), words,
               take_page->ask.is_operator ? why : "\xE2\x80\xA6", place + 3);
    contest_pages_refuse(&take_page->ask, 503, "unreadable", buf_str(&text), &take_page->answer);
    send_answer(take_page);
    free_page(take_page);
}

/* ---- folders ---- */

static Folder *free_folder(Folder *folder)
{
    while (folder->waiting) {
        PageJob *page = folder->waiting;
        folder->waiting = page->next;
        free_page(page);
    }
    leave_figures(folder->shared);
    mem_free(folder->dir);
    return mem_free(folder);
}

static char *copy_text(const char *text)
{
    size_t len = strlen(text);
    char *copy = mem_new(len + 1);

    if (copy)
        memcpy(copy, text, len + 1);
    return copy;
}

/* The one that was used longest ago and is not read now makes room. */
static void drop_oldest(ContestDesk *desk)
{
    Folder **oldest = NULL;

    for (Folder **at = &desk->folders; *at; at = &(*at)->next)
        if (!(*at)->reading && (!oldest || (*at)->used < (*oldest)->used))
            oldest = at;
    if (!oldest)
        return;
    Folder *folder = *oldest;
    *oldest = folder->next;
    desk->folder_count--;
    free_folder(folder);
}

/* All of a folder, or what everybody is told by now. */
static bool same_kind(const FiguresPart *a, const FiguresPart *b)
{
    return a->whole_sets == b->whole_sets &&
           (a->until_ms == INT64_MAX) == (b->until_ms == INT64_MAX);
}

/* The folder, new or known; NULL without memory. */
static Folder *find_folder(ContestDesk *desk, const char *dir, const FiguresPart *part)
{
    for (Folder *folder = desk->folders; folder; folder = folder->next)
        if (same_kind(&folder->part, part) && strcmp(folder->dir, dir) == 0)
            return folder;
    if (desk->folder_count >= CONTEST_DESK_FOLDERS)
        drop_oldest(desk);
    Folder *folder = mem_new(sizeof(*folder));
    if (!folder)
        return NULL;
    folder->dir = copy_text(dir);
    if (!folder->dir)
        return mem_free(folder);
    folder->part = *part;
    folder->next = desk->folders;
    desk->folders = folder;
    desk->folder_count++;
    return folder;
}

/* ---- reading ---- */

static ReadJob *free_read(ReadJob *read)
{
    contest_figures_free(read->figures);
    mem_free(read->dir);
    return mem_free(read);
}

static void run_read(WorkJob *job)
{
    ReadJob *read = (ReadJob *)(void *)job;

    /* The mark first: what is added while it is read makes it old. */
    read->mark = contest_mark_of(read->dir);
    read->rc = contest_figures_read(read->dir, &read->part, &read->figures, &read->err);
}

static void take_figures(Folder *folder, ReadJob *read)
{
    SharedFigures *shared = mem_new(sizeof(*shared));

    if (!shared)
        return;
    *shared = (SharedFigures){TAKE(read->figures), 1};
    leave_figures(folder->shared);
    folder->shared = shared;
    folder->is_wrong = false;
}

static void on_read_done(WorkJob *job, TimeUs now)
{
    ReadJob *read = (ReadJob *)(void *)job;
    ContestDesk *desk = read->desk;
    Folder *folder = read->folder;

    desk->read_count++;
    folder->reading = false;
    folder->read_at = now;
    folder->took = now - read->began;
    folder->mark = read->mark;
    folder->part = read->part;
    if (read->rc == 0) {
        take_figures(folder, read);
    } else {
        folder->is_wrong = true;
        leave_figures(folder->shared); /* what it said before is not borne out any more */
        folder->shared = NULL;
        snprintf(folder->why, sizeof(folder->why), "%s", read->err.msg);
    }
    PageJob *waiting = folder->waiting;
    folder->waiting = NULL;
    folder->waiting_count = 0;
    while (waiting) {
        PageJob *page = waiting;
        waiting = page->next;
        if (folder->shared && !folder->is_wrong)
            start_page(desk, page, folder->shared);
        else
            refuse_page(page, folder->why);
    }
    free_read(read);
}

static void on_read_drop(WorkJob *job)
{
    free_read((ReadJob *)(void *)job);
}

/* True when the folder is being read. */
static bool start_read(ContestDesk *desk, Folder *folder, const FiguresPart *part, TimeUs now)
{
    if (folder->reading)
        return true;
    ReadJob *read = mem_new(sizeof(*read));
    char *dir = copy_text(folder->dir);
    if (!read || !dir) {
        mem_free(read);
        mem_free(dir);
        return false;
    }
    read->job = (WorkJob){.run = run_read, .done = on_read_done, .drop = on_read_drop};
    read->desk = desk;
    read->folder = folder;
    read->dir = dir;
    read->part = *part;
    read->began = now;
    folder->reading = true;
    work_add_chore(desk->work, &read->job);
    return true;
}

/* Whether what is there is not all any more, and it may be read again. */
static bool is_due(const Folder *folder, const FiguresPart *part, TimeUs now)
{
    TimeUs wait = folder->took * 5 > CONTEST_DESK_AGAIN ? folder->took * 5 : CONTEST_DESK_AGAIN;

    if (!folder->shared && !folder->is_wrong)
        return true;
    if (now - folder->read_at < wait)
        return false;
    /* With a delay games come without a change of the journal. */
    return folder->is_wrong || part->until_ms > folder->part.until_ms ||
           !contest_mark_same(folder->mark, contest_mark_of(folder->dir));
}

/* ---- asking ---- */

static PageJob *page_new(ContestDesk *desk, const WebVisit *visit, const ContestPlace *place,
                         ContestPage page, ContestForm form, Str team)
{
    PageJob *job = mem_new(sizeof(*job));

    if (!job)
        return NULL;
    job->job = (WorkJob){.run = run_page, .done = on_page_done, .drop = on_page_drop};
    job->desk = desk;
    job->visit = *visit;
    job->visit.request = NULL;
    contest_ask_read(visit->request, &job->ask);
    job->ask.page = page;
    if (form != CONTEST_HTML)
        job->ask.form = form;
    snprintf(job->ask.id, sizeof(job->ask.id), "%.*s", STR_ARG(place->id));
    if (team.len)
        snprintf(job->ask.team, sizeof(job->ask.team), "%.*s", STR_ARG(team));
    job->ask.is_operator = visit->is_operator;
    job->ask.names_hidden = place->names_hidden;
    job->ask.seats_hidden = place->seats_hidden;
    job->ask.now_ms = place->now_ms;
    job->ask.frame = place->frame;
    job->ask.prices = place->prices;
    return job;
}

/* Puts a page behind those that wait for the folder. Takes it. */
static void wait_for_read(Folder *folder, PageJob *take_page)
{
    PageJob **last = &folder->waiting;

    if (folder->waiting_count >= CONTEST_DESK_WAITING) {
        visit_error(&take_page->visit, 503, "busy", busy);
        free_page(take_page);
        return;
    }
    while (*last)
        last = &(*last)->next;
    *last = take_page;
    folder->waiting_count++;
}

void contest_desk_answer(ContestDesk *desk, const WebVisit *visit, const ContestPlace *place,
                         ContestPage page, ContestForm form, Str team)
{
    const TimeUs now = visit->request->now;
    const bool all = visit->is_operator;
    const FiguresPart part = {.until_ms = all ? INT64_MAX : place->until_ms,
                              .whole_sets = !all && place->seats_hidden};
    Folder *folder = find_folder(desk, place->dir, &part);
    PageJob *job = folder ? page_new(desk, visit, place, page, form, team) : NULL;

    if (!job) {
        visit_error(visit, 503, "memory", no_memory);
        return;
    }
    folder->used = now;
    if (is_due(folder, &part, now) && !start_read(desk, folder, &part, now) && !folder->shared) {
        visit_error(visit, 503, "memory", no_memory);
        free_page(job);
        return;
    }
    bool waits = folder->reading && (!folder->shared || folder->took < CONTEST_DESK_WAIT);
    if (waits)
        wait_for_read(folder, job);
    else if (folder->shared)
        start_page(desk, job, folder->shared);
    else
        refuse_page(job, folder->why);
}

bool contest_desk_style(const WebVisit *visit)
{
    CLEANUP(buf_done) Buf path = {0};
    CLEANUP(buf_done) Buf css = {0};

    if (!str_starts(visit->request->path, STR(CONTEST_ASSETS_PATH "contest.")))
        return false;
    contest_pages_css_address(&path);
    if (!str_eq(buf_str(&path), visit->request->path))
        return false;
    contest_pages_css(&css);
    const VisitAnswer answer = {.status = buf_failed(&css) ? 503 : 200,
                                .type = "text/css; charset=utf-8",
                                .body = buf_str(&css),
                                .caching = VISIT_KEEPS};
    visit_answer(visit, &answer);
    return true;
}

/* ---- life ---- */

ContestDesk *contest_desk_new(Work *work)
{
    ContestDesk *desk = mem_new(sizeof(*desk));

    if (desk)
        desk->work = work;
    return desk;
}

ContestDesk *contest_desk_free(ContestDesk *desk)
{
    if (!desk)
        return NULL;
    while (desk->folders) {
        Folder *folder = desk->folders;
        desk->folders = folder->next;
        free_folder(folder);
    }
    return mem_free(desk);
}

uint64_t contest_desk_read_count(const ContestDesk *desk)
{
    return desk->read_count;
}
