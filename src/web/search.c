#include "web/search.h"

#include "base/json.h"
#include "base/mem.h"
#include "web/game_file.h"
#include "web/search_index.h"

#include <pthread.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

/* The index of a path that is served. Workers take turns. */
typedef struct Shelf {
    char *root;
    pthread_mutex_t mutex;
    SearchIndex *index; /* NULL = not opened yet, or it can't be */
    bool opened;
} Shelf;

typedef struct FindJob FindJob;

/* Games that are being added. */
typedef struct FillJob {
    WorkJob job;
    Search *search;
    SharedCatalogue *shared;
    bool begun;
    uint32_t *todo; /* games of the catalogue that the indexes lack, oldest first */
    size_t todo_count, at;
} FillJob;

/* A question. */
struct FindJob {
    WorkJob job;
    FindJob *next; /* of those that wait for games */
    Search *search;
    WebVisit visit; /* its request is gone */
    SearchAsk ask;
    Buf words; /* what `ask` points into */
    size_t query, contest, team;
    size_t query_len, contest_len, team_len;
    bool building;
    SearchHits hits;
    bool (*is_hidden)(void *user, Str id);
    void *user;
    int rc;
    Err err;
};

struct Search {
    Work *work;
    Shelf *shelves;
    uint32_t shelf_count;
    FillJob *filling;      /* NULL = nothing is added now */
    size_t left;           /* games that are still to be added */
    const void *filled_of; /* what was filled last: a catalogue, by its games */
    size_t filled_count;
    int64_t filled_at_ms;
    FindJob *waiting;
    unsigned finding; /* questions that are not answered */
    uint64_t added;
};

/* ---- shelves ---- */

static void free_shelves(Search *search)
{
    for (uint32_t i = 0; i < search->shelf_count; i++) {
        search_index_free(search->shelves[i].index);
        mem_free(search->shelves[i].root);
        pthread_mutex_destroy(&search->shelves[i].mutex);
    }
    search->shelves = mem_free(search->shelves);
    search->shelf_count = 0;
}

/* One for each path: they stay the same for the life of a site. False without memory. */
static bool make_shelves(Search *search, const CatalogueSetup *paths)
{
    if (search->shelves)
        return true;
    search->shelves = mem_new((paths->count + 1) * sizeof(*search->shelves));
    if (!search->shelves)
        return false;
    for (; search->shelf_count < paths->count; search->shelf_count++) {
        Shelf *shelf = &search->shelves[search->shelf_count];
        const char *root = paths->paths[search->shelf_count];
        shelf->root = mem_new(strlen(root) + 1);
        pthread_mutex_init(&shelf->mutex, NULL);
        if (shelf->root)
            memcpy(shelf->root, root, strlen(root) + 1);
    }
    return true;
}

/* Opens the index when that was not tried. The mutex is held. */
static SearchIndex *index_of(Shelf *shelf)
{
    CLEANUP(buf_done) Buf path = {0};
    struct stat about;

    if (shelf->opened)
        return shelf->index;
    shelf->opened = true;
    bool folder = shelf->root && stat(shelf->root, &about) == 0 && S_ISDIR(about.st_mode);
    if (folder)
        buf_printf(&path, "%s/" SEARCH_FILE, shelf->root);
    if (search_index_open(folder && !buf_failed(&path) ? buf_cstr(&path) : NULL, &shelf->index,
                          NULL))
        shelf->index = NULL;
    return shelf->index;
}

static void take_shelf(Shelf *shelf)
{
    pthread_mutex_lock(&shelf->mutex);
}

static void leave_shelf(Shelf *shelf)
{
    pthread_mutex_unlock(&shelf->mutex);
}

/* ---- filling ---- */

/* Changes when the game's log is another one. */
static uint64_t mark_of(const CatalogueGame *game)
{
    return ((uint64_t)str_hash(game->path) << 32) ^ (uint64_t)game->at_ms ^
           ((uint64_t)game->is_void << 63);
}

static SearchGame game_of(const Catalogue *catalogue, const CatalogueGame *game)
{
    SearchGame own = {.name = game->id, .at_ms = game->at_ms, .mark = mark_of(game)};

    if (game->contest != CATALOGUE_NONE)
        own.contest = catalogue_contest(catalogue, game->contest)->id;
    return own;
}

static bool keeps_game(void *user, Str name)
{
    return catalogue_find(user, name) != NULL;
}

static bool is_missing(Search *search, const CatalogueGame *game)
{
    bool has = true;

    if (!game->has_log || game->is_void || game->root >= search->shelf_count)
        return false;
    SearchIndex *index = index_of(&search->shelves[game->root]);
    return index && search_index_has(index, game->id, mark_of(game), &has, NULL) == 0 && !has;
}

/* Which games are missing: of each path the newest ones. */
static void find_missing(FillJob *fill)
{
    Search *search = fill->search;
    Catalogue *catalogue = fill->shared->catalogue;
    size_t count = catalogue_count(catalogue);
    size_t most = SEARCH_GAMES_MAX;

    fill->todo = mem_new((count + 1) * sizeof(*fill->todo));
    for (uint32_t i = 0; i < search->shelf_count; i++)
        take_shelf(&search->shelves[i]);
    for (uint32_t i = 0; i < search->shelf_count && fill->todo; i++)
        if (index_of(&search->shelves[i]))
            (void)search_index_keep(search->shelves[i].index, keeps_game, catalogue, NULL);
    for (size_t i = 0; fill->todo && i < count && i < most; i++)
        if (is_missing(search, catalogue_game(catalogue, i)))
            fill->todo[fill->todo_count++] = (uint32_t)i;
    for (uint32_t i = 0; i < search->shelf_count; i++)
        leave_shelf(&search->shelves[i]);
    for (size_t i = 0; fill->todo && i < fill->todo_count / 2; i++) {
        uint32_t other = fill->todo[i];
        fill->todo[i] = fill->todo[fill->todo_count - 1 - i];
        fill->todo[fill->todo_count - 1 - i] = other;
    }
}

/* What everybody may see of a game; false when it can't be read. */
static bool read_document(const Catalogue *catalogue, const CatalogueGame *game, Buf *out)
{
    const DocView view = {.kind = DOC_VIEW_PUBLIC, .names = true};
    CLEANUP(game_doc_freep) GameDoc *doc = NULL;
    int file = -1;

    if (catalogue_open(catalogue, game->root, game->path, &file, NULL))
        return false;
    int rc = game_file_read(catalogue, game, file, &doc, NULL);
    close(file);
    return rc == 0 && game_file_write(doc, &view, out, NULL) == 0;
}

static void add_game(Search *search, const Catalogue *catalogue, const CatalogueGame *game)
{
    CLEANUP(buf_done) Buf document = {0};
    Shelf *shelf = &search->shelves[game->root];
    const SearchGame own = game_of(catalogue, game);
    bool read = read_document(catalogue, game, &document);

    take_shelf(shelf);
    SearchIndex *index = index_of(shelf);
    /* One that can't be read is not read again until it changes. */
    if (index && (!read || search_index_add(index, &own, buf_str(&document), NULL) == ERR_SYNTAX))
        (void)search_index_skip(index, &own, NULL);
    leave_shelf(shelf);
}

/* Begins or ends what comes to disk at once. Who asks between two games sees what is there. */
static void bracket_all(Search *search, int (*bracket)(SearchIndex *index, Err *err))
{
    for (uint32_t i = 0; i < search->shelf_count; i++) {
        take_shelf(&search->shelves[i]);
        if (index_of(&search->shelves[i]))
            (void)bracket(search->shelves[i].index, NULL);
        leave_shelf(&search->shelves[i]);
    }
}

static void run_fill(WorkJob *job)
{
    FillJob *fill = (FillJob *)(void *)job;
    const Catalogue *catalogue = fill->shared->catalogue;

    if (!fill->begun)
        find_missing(fill);
    fill->begun = true;
    bracket_all(fill->search, search_index_begin);
    for (size_t i = 0; i < SEARCH_BATCH && fill->at < fill->todo_count; i++, fill->at++)
        add_game(fill->search, catalogue, catalogue_game(catalogue, fill->todo[fill->at]));
    bracket_all(fill->search, search_index_commit);
}

static void free_fill(FillJob *fill)
{
    shared_catalogue_leave(fill->shared);
    mem_free(fill->todo);
    mem_free(fill);
}

static void on_fill_drop(WorkJob *job)
{
    FillJob *fill = (FillJob *)(void *)job;

    fill->search->filling = NULL;
    free_fill(fill);
}

static void start_find(Search *search, FindJob *take_find, bool building);

/* Those who have waited long enough are answered with what is there. */
static void wake_waiting(Search *search)
{
    FindJob *waiting = search->waiting;

    search->waiting = NULL;
    while (waiting) {
        FindJob *find = waiting;
        waiting = find->next;
        start_find(search, find, search->filling != NULL);
    }
}

static void on_fill_done(WorkJob *job, TimeUs now)
{
    FillJob *fill = (FillJob *)(void *)job;
    Search *search = fill->search;

    (void)now;
    search->left = fill->todo_count - fill->at;
    if (search->left) {
        search->added += SEARCH_BATCH;
        work_add_chore(search->work, &fill->job);
        if (search->left > SEARCH_PATIENT)
            wake_waiting(search);
        return;
    }
    search->added += fill->todo_count % SEARCH_BATCH;
    search->filling = NULL;
    free_fill(fill);
    wake_waiting(search);
}

/* Whether the indexes were filled from this catalogue. */
static bool is_filled(const Search *search, const Catalogue *catalogue)
{
    size_t count = catalogue_count(catalogue);
    int64_t at_ms = count ? catalogue_game(catalogue, 0)->at_ms : 0;

    return search->filled_of == catalogue && search->filled_count == count &&
           search->filled_at_ms == at_ms;
}

static void start_fill(Search *search, SharedCatalogue *shared)
{
    const Catalogue *catalogue = shared->catalogue;

    if (search->filling || is_filled(search, catalogue))
        return;
    FillJob *fill = mem_new(sizeof(*fill));
    if (!fill)
        return;
    fill->job = (WorkJob){.run = run_fill, .done = on_fill_done, .drop = on_fill_drop};
    fill->search = search;
    fill->shared = shared_catalogue_use(shared);
    search->filling = fill;
    search->left = 0;
    search->filled_of = catalogue;
    search->filled_count = catalogue_count(catalogue);
    search->filled_at_ms = search->filled_count ? catalogue_game(catalogue, 0)->at_ms : 0;
    work_add_chore(search->work, &fill->job);
}

/* ---- finding ---- */

static void free_find(FindJob *find)
{
    find->search->finding--;
    search_hits_done(&find->hits);
    buf_done(&find->words);
    mem_free(find);
}

static int newer_hit(const void *left, const void *right)
{
    const SearchHit *a = left, *b = right;

    if (a->at_ms != b->at_ms)
        return a->at_ms > b->at_ms ? -1 : 1;
    if (a->game != b->game)
        return a->game < b->game ? -1 : 1;
    return (a->n > b->n) - (a->n < b->n);
}

static void run_find(WorkJob *job)
{
    FindJob *find = (FindJob *)(void *)job;
    Search *search = find->search;

    find->ask.query = str_part(buf_str(&find->words), find->query, find->query_len);
    find->ask.contest = str_part(buf_str(&find->words), find->contest, find->contest_len);
    find->ask.team = str_part(buf_str(&find->words), find->team, find->team_len);
    for (uint32_t i = 0; i < search->shelf_count && find->rc == 0; i++) {
        Shelf *shelf = &search->shelves[i];
        take_shelf(shelf);
        SearchIndex *index = index_of(shelf);
        if (index)
            find->rc = search_index_find(index, &find->ask, &find->hits, &find->err);
        leave_shelf(shelf);
    }
}

static Str text_at(const FindJob *find, uint32_t at)
{
    return str_of(find->hits.texts.bytes + at);
}

static void put_hit(const FindJob *find, const SearchHit *hit, Json *json)
{
    static const char *const kinds[] = {"talk", "name", "agent"};
    Str anchor = text_at(find, hit->anchor), agent = text_at(find, hit->agent);

    json_open(json, '{');
    json_add_str(json, "game", text_at(find, hit->game));
    if (anchor.len)
        json_add_str(json, "a", anchor);
    if (hit->kind == SEARCH_TALK)
        json_add_uint(json, "day", hit->day);
    json_add_uint(json, "seat", hit->seat);
    json_add_str(json, "name", text_at(find, hit->name));
    if (agent.len)
        json_add_str(json, "agent", agent);
    json_add_str(json, "kind", str_of(kinds[hit->kind]));
    json_add_str(json, "text", text_at(find, hit->text));
    json_close(json);
}

static void write_answer(FindJob *find, Buf *out)
{
    Json json = json_over(out);
    SearchHits *hits = &find->hits;
    size_t at = find->ask.from < hits->count ? find->ask.from : hits->count;
    size_t end = hits->count - at < SEARCH_HITS ? hits->count : at + SEARCH_HITS;

    if (find->search->shelf_count > 1 && hits->count)
        qsort(hits->items, hits->count, sizeof(*hits->items), newer_hit);
    json_open(&json, '{');
    json_key(&json, STR("hits"));
    json_open(&json, '[');
    for (size_t i = at; i < end; i++)
        if (!find->is_hidden || find->visit.is_operator ||
            !find->is_hidden(find->user, text_at(find, hits->items[i].game)))
            put_hit(find, &hits->items[i], &json);
    json_close(&json);
    if (hits->count > end) {
        CLEANUP(buf_done) Buf next = {0};
        buf_add_uint(&next, end);
        json_add_str(&json, "next", buf_str(&next));
    }
    json_add_uint(&json, "total", hits->total);
    if (hits->is_more || hits->total > SEARCH_COUNT_MAX)
        json_add_bool(&json, "more", true);
    json_add_bool(&json, "building", find->building);
    json_close(&json);
}

static void on_find_done(WorkJob *job, TimeUs now)
{
    FindJob *find = (FindJob *)(void *)job;
    CLEANUP(buf_done) Buf body = {0};

    (void)now;
    if (find->rc == ERR_LIMIT) {
        visit_error(&find->visit, 400, "query", find->err.msg);
    } else if (find->rc) {
        visit_error(&find->visit, 503, "search", "The index can't be asked now.");
    } else {
        write_answer(find, &body);
        visit_json(&find->visit, &body, VISIT_NEVER);
    }
    free_find(find);
}

static void on_find_drop(WorkJob *job)
{
    free_find((FindJob *)(void *)job);
}

static const char busy[] = "The server is busy: ask again in two seconds.";

static void start_find(Search *search, FindJob *take_find, bool building)
{
    take_find->building = building;
    if (work_add(search->work, &take_find->job))
        return;
    visit_error(&take_find->visit, 503, "busy", busy);
    free_find(take_find);
}

/* ---- asking ---- */

static size_t keep_word(FindJob *find, Str word, size_t *ret_len)
{
    size_t at = find->words.len;

    buf_add(&find->words, word);
    *ret_len = word.len;
    return at;
}

static void read_in(const WebRequest *request, FindJob *find, Buf *room)
{
    Str in = web_query(request, "in", room);

    find->ask.talk = !str_eq(in, STR("names"));
    find->ask.names = !str_eq(in, STR("talk"));
    if (in.len && find->ask.talk && find->ask.names)
        find->contest = keep_word(find, in, &find->contest_len);
}

static FindJob *find_new(Search *search, const WebVisit *visit, const SearchPlace *place)
{
    CLEANUP(buf_done) Buf room = {0};
    FindJob *find = mem_new(sizeof(*find));
    const WebRequest *request = visit->request;

    if (!find)
        return NULL;
    search->finding++;
    find->job = (WorkJob){.run = run_find, .done = on_find_done, .drop = on_find_drop};
    find->search = search;
    find->visit = *visit;
    find->visit.request = NULL;
    find->is_hidden = place->is_hidden;
    find->user = place->user;
    find->query = keep_word(find, web_query(request, "q", &room), &find->query_len);
    read_in(request, find, &room);
    Str contest = web_query(request, "contest", &room);
    if (contest.len)
        find->contest = keep_word(find, contest, &find->contest_len);
    find->team = keep_word(find, web_query(request, "team", &room), &find->team_len);
    find->ask.role = role_of(web_query(request, "role", &room));
    find->ask.day = (int32_t)visit_number(visit, "day", UINT16_MAX, UINT32_MAX);
    find->ask.from = (uint32_t)visit_number(visit, "after", SEARCH_COUNT_MAX, 0);
    find->ask.agents = visit->is_operator || !place->names_hidden;
    find->ask.until_ms = visit->is_operator ? INT64_MAX : place->until_ms;
    return find;
}

void search_answer(Search *search, const WebVisit *visit, const SearchPlace *place)
{
    if (search->finding >= SEARCH_WAITING) {
        visit_error(visit, 503, "busy", busy);
        return;
    }
    FindJob *find = make_shelves(search, place->paths) ? find_new(search, visit, place) : NULL;
    if (!find) {
        visit_error(visit, 503, "memory", "The server has no memory for this question.");
        return;
    }
    start_fill(search, place->shared);
    if (search->filling && search->left <= SEARCH_PATIENT) {
        find->next = search->waiting;
        search->waiting = find;
    } else {
        start_find(search, find, search->filling != NULL);
    }
}

/* ---- life ---- */

Search *search_new(Work *work)
{
    Search *search = mem_new(sizeof(*search));

    if (search)
        search->work = work;
    return search;
}

Search *search_free(Search *search)
{
    if (!search)
        return NULL;
    while (search->waiting) {
        FindJob *find = search->waiting;
        search->waiting = find->next;
        free_find(find);
    }
    free_shelves(search);
    return mem_free(search);
}

uint64_t search_added(const Search *search)
{
    return search->added;
}
