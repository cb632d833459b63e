/* Folders: what lies in them, two levels deep. */
#include "web/catalogue_own.h"

#include "base/mem.h"
#include "disk/file_inside.h"
#include "journal/journal.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#define LEVELS     2             /* of folders below one that was named */
#define UNSURE_MS  INT64_C(2000) /* a change so short before may not be the last one */
#define CLOSE_MS   1000          /* games that end so close together ended at once */
#define HEAD_BYTES 512           /* of a file tell whether it is a log */
#define SESSION    "session.jsonl"

/* One look through all. */
typedef struct Scan {
    const CatalogueSetup *setup;
    const Catalogue *before;
    Catalogue *catalogue;
    uint32_t root;
    int64_t now_ms;
} Scan;

/* A name in a folder. */
typedef struct Entry {
    Str name;
    bool is_folder;
    struct stat about;
} Entry;

typedef struct EntryList {
    Entry *items;
    size_t count, room;
} EntryList;

static int64_t changed_ns(const struct stat *about)
{
    return (int64_t)about->st_mtim.tv_sec * 1000000000 + about->st_mtim.tv_nsec;
}

static FileMark mark_of(const struct stat *about, int64_t now_ms)
{
    return (FileMark){.device = about->st_dev,
                      .inode = about->st_ino,
                      .changed_ns = changed_ns(about),
                      .bytes = about->st_size,
                      .unsure = changed_ns(about) / 1000000 > now_ms - UNSURE_MS};
}

/* ---- names ---- */

static bool str_ends(Str name, const char *ending)
{
    Str end = str_of(ending);

    return name.len > end.len && str_eq(str_part(name, name.len - end.len, end.len), end);
}

static bool is_log_name(Str name)
{
    return str_ends(name, ".log") || str_ends(name, ".log.gz");
}

static bool is_json_name(Str name)
{
    return str_ends(name, ".json") || str_ends(name, ".json.gz");
}

/* Whether the first bytes can be those of a log: others have such names, too. What is packed is
 * taken at its name's word. */
static bool head_is_log(int folder, const char *name, bool json)
{
    char head[HEAD_BYTES];
    int file = openat(folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    size_t at;

    if (file < 0)
        return false;
    ssize_t n = read(file, head, sizeof(head));
    close(file);
    Str text = {head, n > 0 ? (size_t)n : 0};
    return json ? str_find(text, STR("\"agents\""), &at) : str_find(text, STR(",status,"), &at);
}

static int by_name(const void *a, const void *b)
{
    const Entry *one = a, *other = b;

    return strcmp(one->name.bytes, other->name.bytes);
}

static void add_entry(Scan *scan, EntryList *list, int folder, const char *name)
{
    Entry entry = {0};
    void *items = list->items;

    if (name[0] == '.' || fstatat(folder, name, &entry.about, AT_SYMLINK_NOFOLLOW) ||
        !(S_ISDIR(entry.about.st_mode) || S_ISREG(entry.about.st_mode)))
        return;
    if (!catalogue_room(scan->catalogue, &items, list->count, &list->room, sizeof(entry)))
        return;
    list->items = items;
    entry.is_folder = S_ISDIR(entry.about.st_mode);
    entry.name = catalogue_keep(scan->catalogue, str_of(name));
    if (entry.name.len)
        list->items[list->count++] = entry;
}

/* Files and folders of a folder, by their names' bytes. */
static void list_entries(Scan *scan, int folder, EntryList *list)
{
    int own = fcntl(folder, F_DUPFD_CLOEXEC, 0);
    DIR *dir = own < 0 ? NULL : fdopendir(own);
    const struct dirent *found;

    if (!dir) {
        if (own >= 0)
            close(own);
        return;
    }
    while ((found = readdir(dir)))
        add_entry(scan, list, folder, found->d_name);
    closedir(dir);
    if (list->count)
        qsort(list->items, list->count, sizeof(*list->items), by_name);
}

static const Entry *entry_named(const EntryList *list, const char *name)
{
    for (size_t i = 0; i < list->count; i++)
        if (!list->items[i].is_folder && str_eq(list->items[i].name, str_of(name)))
            return &list->items[i];
    return NULL;
}

/* ---- logs ---- */

static Str path_below(Scan *scan, Str folder, Str name)
{
    CLEANUP(buf_done) Buf path = {0};

    buf_add(&path, folder);
    if (folder.len)
        buf_add_char(&path, '/');
    buf_add(&path, name);
    scan->catalogue->no_memory |= buf_failed(&path);
    return catalogue_keep(scan->catalogue, buf_str(&path));
}

/* The name of a folder, for IDs: its own, or that of the root. */
static Str folder_name(const Scan *scan, Str folder)
{
    Str path = folder.len ? folder : str_of(scan->catalogue->roots[scan->root]);
    size_t slash;

    while (path.len > 1 && path.bytes[path.len - 1] == '/')
        path.len--;
    return str_find_last(path, '/', &slash) ? str_part(path, slash + 1, path.len) : path;
}

/* A log of a game: its ID is the stem of its name. */
static void add_log(Scan *scan, Str folder, const Entry *entry)
{
    Catalogue *catalogue = scan->catalogue;

    if (++catalogue->files > CATALOGUE_FILES_MAX) {
        catalogue->left_out++;
        return;
    }
    CatalogueGame *game = catalogue_add_game(catalogue);
    if (!game)
        return;
    game->root = scan->root;
    game->has_log = true;
    game->name = entry->name;
    game->path = path_below(scan, folder, entry->name);
    game->at_ms = changed_ns(&entry->about) / 1000000;
    catalogue_name_game(catalogue, catalogue->game_count - 1, catalogue_stem(entry->name),
                        folder_name(scan, folder));
}

/* A game that this root has under the same stem already: its log and its JSON log are one game. */
static CatalogueGame *game_of_stem(const Scan *scan, size_t first, Str stem)
{
    CLEANUP(buf_done) Buf id = {0};

    catalogue_id_encode(stem, &id);
    if (buf_failed(&id))
        return NULL;
    const CatalogueGame *found = catalogue_find(scan->catalogue, buf_str(&id));
    if (!found || found->root != scan->root || found->told || found->json.len)
        return NULL;
    size_t index = (size_t)(found - scan->catalogue->games);
    return index >= first && is_log_name(found->name) ? &scan->catalogue->games[index] : NULL;
}

static void add_json(Scan *scan, int at, Str folder, const Entry *entry, size_t first)
{
    CatalogueGame *game = game_of_stem(scan, first, catalogue_stem(entry->name));

    if (!str_ends(entry->name, ".gz") && !head_is_log(at, entry->name.bytes, true))
        return;
    if (game)
        game->json = path_below(scan, folder, entry->name);
    else
        add_log(scan, folder, entry);
}

/* ---- folders ---- */

static void scan_folder(Scan *scan, Str folder, unsigned level, bool json, size_t first);

static void watch_folder(Scan *scan, Str folder, int at)
{
    struct stat about;

    if (fstat(at, &about) == 0) {
        FileMark mark = mark_of(&about, scan->now_ms);
        catalogue_watch(scan->catalogue, scan->root, folder, &mark);
    }
}

/* True for a folder whose games a journal, or a session's record, tells: nothing else is taken. */
static bool take_results(Scan *scan, Str folder, const EntryList *list)
{
    const Entry *journal = entry_named(list, JOURNAL_FILE);
    const Entry *record = entry_named(list, SESSION);
    const Entry *told = journal ? journal : record;

    if (!told)
        return false;
    FileMark mark = mark_of(&told->about, scan->now_ms);
    Str path = path_below(scan, folder, told->name);
    catalogue_watch(scan->catalogue, scan->root, path, &mark);
    if (journal)
        catalogue_read_journal(scan->catalogue, scan->before, scan->root, folder, &mark,
                               record != NULL);
    else
        catalogue_read_record(scan->catalogue, scan->before, scan->root, path, &mark);
    return true;
}

static void scan_entries(Scan *scan, int at, Str folder, unsigned level, bool json, size_t first,
                         const EntryList *list)
{
    for (size_t i = 0; i < list->count; i++) {
        const Entry *entry = &list->items[i];
        if (entry->is_folder) {
            if (level < LEVELS)
                scan_folder(scan, path_below(scan, folder, entry->name), level + 1, json, first);
        } else if (json && is_json_name(entry->name)) {
            add_json(scan, at, folder, entry, first);
        } else if (!json && is_log_name(entry->name) &&
                   (str_ends(entry->name, ".gz") || head_is_log(at, entry->name.bytes, false))) {
            add_log(scan, folder, entry);
        }
    }
}

/* Game logs, or with `json` JSON logs: those come second, since most are of games that have a game
 * log somewhere. `first`: the root's first game. */
static void scan_folder(Scan *scan, Str folder, unsigned level, bool json, size_t first)
{
    EntryList list = {0};
    int at = -1;

    if (folder_inside_open(scan->catalogue->roots[scan->root], folder.len ? folder.bytes : "", &at,
                           NULL))
        return;
    list_entries(scan, at, &list);
    if (!json)
        watch_folder(scan, folder, at);
    bool results = entry_named(&list, JOURNAL_FILE) || entry_named(&list, SESSION);
    if (results && !json)
        take_results(scan, folder, &list);
    else if (!results)
        scan_entries(scan, at, folder, level, json, first, &list);
    mem_free(list.items);
    close(at);
}

static void scan_file(Scan *scan, const struct stat *about)
{
    Catalogue *catalogue = scan->catalogue;
    Str path = str_of(catalogue->roots[scan->root]);
    Entry entry = {.name = folder_name(scan, path), .about = *about};
    FileMark mark = mark_of(about, scan->now_ms);

    catalogue_watch(catalogue, scan->root, STR(""), &mark);
    if (str_ends(entry.name, ".jsonl") || str_ends(entry.name, ".jsonl.gz")) {
        size_t before = catalogue->session_count;
        catalogue_read_record(catalogue, scan->before, scan->root, STR(""), &mark);
        if (catalogue->session_count > before)
            return;
    }
    CatalogueGame *game = catalogue_add_game(catalogue);
    if (!game)
        return;
    game->root = scan->root;
    game->has_log = true;
    game->name = catalogue_keep(catalogue, entry.name);
    game->at_ms = mark.changed_ns / 1000000;
    catalogue_name_game(catalogue, catalogue->game_count - 1, catalogue_stem(entry.name), STR(""));
}

static void scan_root(Scan *scan)
{
    size_t first = scan->catalogue->game_count;
    struct stat about;

    if (stat(scan->catalogue->roots[scan->root], &about))
        return;
    if (S_ISDIR(about.st_mode)) {
        scan_folder(scan, STR(""), 0, false, first);
        scan_folder(scan, STR(""), 0, true, first);
    } else if (S_ISREG(about.st_mode)) {
        scan_file(scan, &about);
    }
}

/* ---- all ---- */

/* The file or folder as it is now. */
static bool look_at(const Catalogue *catalogue, const Watched *watched, int64_t now_ms,
                    FileMark *ret_mark)
{
    CLEANUP(buf_done) Buf path = {0};
    struct stat about;

    buf_printf(&path, "%s%s%.*s", catalogue->roots[watched->root], watched->path.len ? "/" : "",
               STR_ARG(watched->path));
    if (buf_failed(&path) || stat(buf_cstr(&path), &about))
        return false;
    *ret_mark = mark_of(&about, now_ms);
    return true;
}

static bool nothing_changed(const Catalogue *before, int64_t now_ms)
{
    FileMark now;

    for (size_t i = 0; i < before->watched_count; i++)
        if (!look_at(before, &before->watched[i], now_ms, &now) ||
            !file_mark_same(&now, &before->watched[i].mark))
            return false;
    return before->watched_count > 0;
}

static bool keep_roots(Catalogue *catalogue, const CatalogueSetup *setup)
{
    catalogue->roots = mem_new((setup->count + 1) * sizeof(*catalogue->roots));
    for (size_t i = 0; catalogue->roots && i < setup->count; i++) {
        size_t bytes = strlen(setup->paths[i]) + 1;
        char *copy = mem_new(bytes);
        if (!copy)
            return false;
        memcpy(copy, setup->paths[i], bytes);
        catalogue->roots[catalogue->root_count++] = copy;
    }
    return catalogue->roots != NULL;
}

typedef struct Placed {
    int64_t at_ms;
    uint32_t index;
    uint32_t contest;
    uint32_t stage;
    uint64_t game;
} Placed;

static Placed place_of(const CatalogueGame *game, size_t index)
{
    bool numbered = game->told && game->session == CATALOGUE_NONE;

    return (Placed){.at_ms = game->at_ms,
                    .index = (uint32_t)index,
                    .contest = numbered ? game->contest : CATALOGUE_NONE,
                    .stage = game->stage,
                    .game = game->game};
}

/* Newest first; of the same time the one that was found last. */
static int by_time(const void *a, const void *b)
{
    const Placed *one = a, *other = b;

    if (one->at_ms != other->at_ms)
        return one->at_ms < other->at_ms ? 1 : -1;
    return one->index < other->index ? 1 : -1;
}

/* The last one first; of the same number as by_time. */
static int by_number(const void *a, const void *b)
{
    const Placed *one = a, *other = b;

    if (one->stage != other->stage)
        return one->stage < other->stage ? 1 : -1;
    if (one->game != other->game)
        return one->game < other->game ? 1 : -1;
    return by_time(a, b);
}

/* Games of one contest that ended one close behind the other, as several at once do, are ordered by
 * their numbers. */
static void order_numbers(Placed *placed, size_t count)
{
    size_t end;

    for (size_t begin = 0; begin < count; begin = end) {
        end = begin + 1;
        if (placed[begin].contest == CATALOGUE_NONE)
            continue;
        while (end < count && placed[end].contest == placed[begin].contest &&
               placed[end - 1].at_ms - placed[end].at_ms <= CLOSE_MS)
            end++;
        qsort(placed + begin, end - begin, sizeof(*placed), by_number);
    }
}

static bool put_in_order(Catalogue *catalogue)
{
    Placed *placed = mem_new((catalogue->game_count + 1) * sizeof(*placed));

    catalogue->order = mem_new((catalogue->game_count + 1) * sizeof(*catalogue->order));
    if (!placed || !catalogue->order) {
        mem_free(placed);
        return false;
    }
    for (size_t i = 0; i < catalogue->game_count; i++)
        placed[i] = place_of(&catalogue->games[i], i);
    qsort(placed, catalogue->game_count, sizeof(*placed), by_time);
    order_numbers(placed, catalogue->game_count);
    for (size_t i = 0; i < catalogue->game_count; i++)
        catalogue->order[i] = placed[i].index;
    mem_free(placed);
    return true;
}

#define PACE_GAMES 500 /* whose ends say how fast a contest goes */

/* Behind put_in_order: the newest ones first. */
static void find_paces(Catalogue *catalogue)
{
    for (size_t i = 0; i < catalogue->contest_count; i++)
        catalogue->contests[i].pace_games = 0;
    for (size_t i = 0; i < catalogue->game_count; i++) {
        const CatalogueGame *game = &catalogue->games[catalogue->order[i]];
        if (game->contest == CATALOGUE_NONE)
            continue;
        CatalogueContest *contest = &catalogue->contests[game->contest];
        if (contest->pace_games == PACE_GAMES)
            continue;
        contest->pace_games++;
        contest->pace_from_ms = game->at_ms;
    }
}

int catalogue_scan(const CatalogueSetup *setup, const Catalogue *before, int64_t now_ms,
                   Catalogue **ret_catalogue, Err *err)
{
    Scan scan = {.setup = setup, .before = before, .now_ms = now_ms};

    *ret_catalogue = NULL;
    if (before && nothing_changed(before, now_ms))
        return 0;
    scan.catalogue = mem_new(sizeof(*scan.catalogue));
    if (!scan.catalogue || !keep_roots(scan.catalogue, setup)) {
        catalogue_free(scan.catalogue);
        return err_set(err, ERR_MEMORY, "the list of games: out of memory");
    }
    for (; scan.root < scan.catalogue->root_count; scan.root++)
        scan_root(&scan);
    if (!put_in_order(scan.catalogue) || scan.catalogue->no_memory) {
        catalogue_free(scan.catalogue);
        return err_set(err, ERR_MEMORY, "the list of games: out of memory");
    }
    find_paces(scan.catalogue);
    *ret_catalogue = scan.catalogue;
    return 0;
}

int catalogue_check(const CatalogueSetup *setup, Err *err)
{
    struct stat about;

    for (size_t i = 0; i < setup->count; i++) {
        if (stat(setup->paths[i], &about))
            return err_set(err, ERR_IO, "'%s': %s", setup->paths[i], strerror(errno));
        if (!S_ISDIR(about.st_mode) && !S_ISREG(about.st_mode))
            return err_set(err, ERR_IO, "'%s' is neither a file nor a folder", setup->paths[i]);
    }
    return 0;
}
