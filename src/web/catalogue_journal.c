/* Journals, and records of sessions: games that were played to their end, with who won. */
#include "web/catalogue_own.h"

#include "base/mem.h"
#include "disk/log_file.h"
#include "journal/journal_line.h"
#include "record/maw_rounds.h"
#include "results/report.h"
#include "wire/json_read.h"

#include <stdio.h>
#include <unistd.h>

#define CATALOGUE_PLAN_MAX INT64_C(100000000) /* of each number; more is no plan */
#define PIECE_BYTES        ((size_t)4 * 1024 * 1024)
#define RECORD_FILE        "session.jsonl"

/* A journal, or a record, that is read. */
typedef struct Taking {
    Catalogue *catalogue;
    uint32_t contest; /* or CATALOGUE_NONE */
    uint32_t session; /* or CATALOGUE_NONE */
    uint32_t root;
    Str folder; /* of the journal */
    Str record; /* the session's; of one that has none beside it empty */
} Taking;

/* ---- one game ---- */

static uint32_t faults_of(const GameRecord *record)
{
    uint32_t count = 0;

    for (SeatNo seat = 1; seat <= record->result.seat_count; seat++)
        for (int kind = 0; kind < FAULT_COUNT; kind++)
            count += record->seats[seat].faults[kind];
    return count;
}

static bool add_seats(Catalogue *catalogue, CatalogueGame *game, const GameRecord *record)
{
    game->seats = (uint32_t)catalogue->seat_count;
    game->seat_count = 0;
    for (SeatNo seat = 1; seat <= record->result.seat_count; seat++) {
        void *seats = catalogue->seats;
        if (!catalogue_room(catalogue, &seats, catalogue->seat_count, &catalogue->seat_room,
                            sizeof(*catalogue->seats)))
            return false;
        catalogue->seats = seats;
        catalogue->seats[catalogue->seat_count++] =
            (CatalogueSeat){.agent = catalogue_intern(catalogue, record->result.names[seat]),
                            .team = catalogue_intern(catalogue, record->seats[seat].team),
                            .points = record->result.points[seat],
                            .role = record->result.roles[seat]};
        game->seat_count++;
    }
    return true;
}

static void copy_result(Catalogue *catalogue, CatalogueGame *game, const GameRecord *record)
{
    game->told = true;
    game->is_void = record->is_void;
    game->division = record->division;
    game->winner = record->result.winner;
    game->reason = record->reason;
    game->last_day = record->result.last_day;
    game->stage = record->stage;
    game->set = record->set;
    game->game = record->game;
    game->faults = faults_of(record);
    game->ruleset = catalogue_intern(catalogue, str_of(record->ruleset));
    add_seats(catalogue, game, record);
}

/* Games that have an id of their own keep it: they had it while they were played. */
static void name_game(const Taking *taking, size_t index, const GameRecord *record)
{
    CLEANUP(buf_done) Buf id = {0};
    CLEANUP(buf_done) Buf log = {0};
    Catalogue *catalogue = taking->catalogue;
    Str contest =
        taking->contest == CATALOGUE_NONE ? STR("") : catalogue->contests[taking->contest].id;

    if (taking->session != CATALOGUE_NONE) {
        buf_printf(&id, "%.*s.%u", STR_ARG(catalogue->sessions[taking->session].id),
                   catalogue->games[index].round + 1);
        catalogue_name_game(catalogue, index, buf_str(&id), contest);
        catalogue_alias_game(catalogue, index, str_of(record->id));
        return;
    }
    report_game_stem(str_of(record->log), &log);
    if (!log.len)
        buf_printf(&log, "%u.%llu", record->stage, (unsigned long long)record->game);
    buf_printf(&id, "%.*s.%.*s", STR_ARG(contest), STR_ARG(buf_str(&log)));
    if (record->id[0]) {
        catalogue_name_game(catalogue, index, str_of(record->id), contest);
        catalogue_alias_game(catalogue, index, buf_str(&id));
    } else {
        catalogue_name_game(catalogue, index, buf_str(&id), STR(""));
    }
    catalogue_alias_game(catalogue, index, buf_str(&log));
}

static Str in_folder(const Taking *taking, Str path)
{
    CLEANUP(buf_done) Buf text = {0};

    buf_printf(&text, "%.*s%s%.*s", STR_ARG(taking->folder), taking->folder.len ? "/" : "",
               STR_ARG(path));
    return catalogue_keep(taking->catalogue, buf_str(&text));
}

/* The JSON log that a server of natural language writes beside the game log; it need not be there.
 */
static Str json_beside(const Taking *taking, const GameRecord *record)
{
    CLEANUP(buf_done) Buf text = {0};
    Str log = str_of(record->log);
    Str end = STR(".log");

    if (record->division != DIVISION_NLP || log.len <= end.len ||
        !str_eq(str_part(log, log.len - end.len, end.len), end))
        return STR("");
    buf_printf(&text, "%.*s.json", STR_ARG(str_part(log, 0, log.len - end.len)));
    return in_folder(taking, buf_str(&text));
}

static void add_record(Taking *taking, const GameRecord *record)
{
    Catalogue *catalogue = taking->catalogue;
    CatalogueGame *game = catalogue_add_game(catalogue);

    if (!game)
        return;
    size_t index = catalogue->game_count - 1;
    game->root = taking->root;
    game->contest = taking->contest;
    game->session = taking->session;
    game->at_ms = record->ended_at_ms;
    game->began_ms = record->began_at_ms;
    if (taking->session != CATALOGUE_NONE) {
        game->round = (uint32_t)record->game;
        game->has_log = true;
        game->path = taking->record;
        game->name = catalogue->sessions[taking->session].name;
        catalogue->sessions[taking->session].rounds++;
        if (record->ended_at_ms > catalogue->sessions[taking->session].at_ms)
            catalogue->sessions[taking->session].at_ms = record->ended_at_ms;
    } else if (record->log[0]) {
        Str log = str_of(record->log);
        size_t slash;
        game->has_log = true;
        game->path = in_folder(taking, log);
        game->json = json_beside(taking, record);
        bool below = str_find_last(log, '/', &slash);
        game->name = catalogue_keep(catalogue, below ? str_part(log, slash + 1, log.len) : log);
    }
    copy_result(catalogue, &catalogue->games[index], record);
    name_game(taking, index, record);
}

/* ---- journals ---- */

/* A number of a plan; 0 for what is none. */
static uint64_t plan_number(const json_t *object, const char *key)
{
    int64_t number = json_number(object, key);

    return number > 0 && number <= CATALOGUE_PLAN_MAX ? (uint64_t)number : 0;
}

/* Of a stage: what has several numbers of players has so many games for each of them. */
static uint64_t stage_games(const json_t *stage)
{
    const json_t *players = json_get(stage, "players");
    uint64_t games = plan_number(stage, "games");

    if (!games)
        games = plan_number(stage, "sets") * plan_number(stage, "games_per_set");
    return json_is_list(players) ? games * json_count(players) : games;
}

static uint64_t plan_games(const json_t *plan)
{
    const json_t *stages = json_get(plan, "stages");
    uint64_t sum = 0;

    for (size_t i = 0; i < json_count(stages); i++)
        sum += stage_games(json_at(stages, i));
    return sum ? sum : plan_number(plan, "games");
}

static int hear_plan(void *user, Str plan, Err *err)
{
    Taking *taking = user;
    CatalogueContest *contest = &taking->catalogue->contests[taking->contest];
    json_t *json = NULL;

    (void)err; /* a plan that can't be read says no name */
    if (json_read(plan, JOURNAL_LINE_MAX, &json, NULL))
        return 0;
    Str name = json_text(json, "contest");
    if (name.len == 0)
        name = json_text(json, "name");
    if (name.len)
        contest->name = catalogue_keep(taking->catalogue, name);
    contest->planned = plan_games(json);
    json_done(json);
    return 0;
}

static int hear_game(void *user, const GameRecord *record, Err *err)
{
    Taking *taking = user;
    CatalogueContest *contest = &taking->catalogue->contests[taking->contest];

    (void)err;
    contest->games += game_record_counts(record);
    contest->division = record->division;
    contest->complete = false; /* an end before it was not the last one */
    if (record->began_at_ms && (!contest->began_ms || record->began_at_ms < contest->began_ms))
        contest->began_ms = record->began_at_ms;
    if (record->ended_at_ms > contest->ended_ms)
        contest->ended_ms = record->ended_at_ms;
    add_record(taking, record);
    return 0;
}

static int hear_end(void *user, uint64_t games, Err *err)
{
    Taking *taking = user;

    (void)games, (void)err;
    taking->catalogue->contests[taking->contest].complete = true;
    return 0;
}

/* Whole lines, the first of which stands at the beginning of the journal, or behind others. */
static int hear_lines(Str lines, bool first, const JournalListener *listener, GameRecord *scratch,
                      Err *err)
{
    int rc = 0;

    for (unsigned number = first ? 1 : 2; lines.len && rc == 0; number++)
        rc = journal_line_hear(str_cut(&lines, '\n'), number, listener, scratch, err);
    return rc;
}

/* Gives whole lines of the file to the reader, from `*bytes` on, which is moved on. */
static int read_lines(int file, Taking *taking, uint64_t *bytes, Err *err)
{
    const JournalListener listener = {
        .plan = hear_plan, .game = hear_game, .end = hear_end, .user = taking};
    CLEANUP(mem_freep) GameRecord *scratch = mem_new(sizeof(*scratch));
    CLEANUP(buf_done) Buf text = {0};
    size_t end;

    while (scratch && buf_reserve(&text, PIECE_BYTES)) {
        ssize_t n =
            pread(file, text.bytes + text.len, PIECE_BYTES, (off_t)(*bytes + (uint64_t)text.len));
        if (n < 0)
            return err_set(err, ERR_IO, "the journal can't be read");
        text.len += (size_t)n;
        if (!str_find_last(buf_str(&text), '\n', &end)) {
            if (n == 0)
                return 0; /* a line that is still written */
            continue;
        }
        int rc =
            hear_lines(str_part(buf_str(&text), 0, end + 1), *bytes == 0, &listener, scratch, err);
        if (rc)
            return rc;
        *bytes += end + 1;
        memmove(text.bytes, text.bytes + end + 1, text.len - end - 1);
        text.len -= end + 1;
    }
    return err_set(err, ERR_MEMORY, "the journal: out of memory");
}

/* ---- what has not changed ---- */

/* The game as `before` has it, with its texts copied. */
static void copy_game(Taking *taking, const Catalogue *before, const CatalogueGame *old)
{
    Catalogue *catalogue = taking->catalogue;
    CatalogueGame *game = catalogue_add_game(catalogue);

    if (!game)
        return;
    size_t index = catalogue->game_count - 1;
    *game = *old;
    game->root = taking->root;
    game->contest = taking->contest;
    game->session = taking->session;
    game->name = catalogue_keep(catalogue, old->name);
    game->path = catalogue_keep(catalogue, old->path);
    game->json = catalogue_keep(catalogue, old->json);
    game->ruleset = catalogue_intern(catalogue, catalogue_text(before, old->ruleset));
    game->seats = (uint32_t)catalogue->seat_count;
    for (SeatNo seat = 1; seat <= old->seat_count; seat++) {
        CatalogueSeat own = catalogue_seat(before, old, seat);
        void *seats = catalogue->seats;
        if (!catalogue_room(catalogue, &seats, catalogue->seat_count, &catalogue->seat_room,
                            sizeof(*catalogue->seats)))
            return;
        catalogue->seats = seats;
        own.agent = catalogue_intern(catalogue, catalogue_text(before, own.agent));
        own.team = catalogue_intern(catalogue, catalogue_text(before, own.team));
        catalogue->seats[catalogue->seat_count++] = own;
    }
    catalogue_name_game(catalogue, index, old->id, STR(""));
}

/* The other names of a game are found anew with the journal; of one that is copied they are those
 * that `before` knew. */
static void copy_aliases(const Taking *taking, const Catalogue *before, const FoundGames *old,
                         size_t first)
{
    for (size_t i = 0; i < before->id_room; i++) {
        const IdSlot *slot = &before->ids[i];
        if (slot->game != CATALOGUE_NONE && slot->game >= old->first &&
            slot->game < old->first + old->count)
            catalogue_alias_game(taking->catalogue, first + (slot->game - old->first), slot->id);
    }
}

static void copy_games(Taking *taking, const Catalogue *before, const FoundGames *old)
{
    size_t first = taking->catalogue->game_count;

    for (size_t i = 0; i < old->count; i++)
        copy_game(taking, before, &before->games[old->first + i]);
    if (taking->catalogue->game_count == first + old->count)
        copy_aliases(taking, before, old, first);
}

/* What `before` has of this journal, if that has only grown. */
static const FoundGames *games_before(const Taking *taking, const Catalogue *before,
                                      const FileMark *mark, size_t *ret_index)
{
    for (size_t i = 0; before && i < before->contest_count; i++) {
        const CatalogueContest *contest = &before->contests[i];
        const FoundGames *games = &before->contest_games[i];
        if (contest->root == taking->root && str_eq(contest->folder, taking->folder) &&
            games->mark.device == mark->device && games->mark.inode == mark->inode &&
            (int64_t)games->bytes <= mark->bytes && contest->trouble.len == 0) {
            *ret_index = i;
            return games;
        }
    }
    return NULL;
}

/* ---- outside ---- */

/* The name of a folder, or of the root. */
static Str name_of_folder(const Catalogue *catalogue, uint32_t root, Str folder)
{
    Str path = folder.len ? folder : str_of(catalogue->roots[root]);
    size_t slash;

    while (path.len > 1 && path.bytes[path.len - 1] == '/')
        path.len--;
    if (str_find_last(path, '/', &slash) && slash + 1 < path.len)
        path = str_part(path, slash + 1, path.len);
    return str_eq(path, STR(".")) ? STR("here") : path;
}

static void begin_session(Taking *taking, Str path, Str name)
{
    Catalogue *catalogue = taking->catalogue;
    Str id = catalogue_session_id(catalogue, name);
    CatalogueSession *session = catalogue_add_session(catalogue);

    if (!session)
        return;
    session->id = id;
    session->name = catalogue_keep(catalogue, name);
    session->path = path;
    session->root = taking->root;
    session->contest = taking->contest;
    taking->session = (uint32_t)(catalogue->session_count - 1);
    taking->record = path;
}

static void copy_contest(const Taking *taking, const Catalogue *before, size_t index)
{
    CatalogueContest *contest = &taking->catalogue->contests[taking->contest];
    const CatalogueContest *old = &before->contests[index];
    Str id = contest->id;

    *contest = *old;
    contest->id = id;
    contest->name = catalogue_keep(taking->catalogue, old->name);
    contest->folder = taking->folder;
    contest->trouble = STR("");
    contest->root = taking->root;
}

static void read_journal(Taking *taking, const Catalogue *before, const FileMark *mark, int file)
{
    Catalogue *catalogue = taking->catalogue;
    FoundGames *found = &catalogue->contest_games[taking->contest];
    Err err = {0};
    size_t index = 0;
    const FoundGames *old = games_before(taking, before, mark, &index);

    if (old) {
        copy_contest(taking, before, index);
        copy_games(taking, before, old);
        found->bytes = old->bytes;
        if (taking->session != CATALOGUE_NONE) {
            CatalogueSession *session = &catalogue->sessions[taking->session];
            session->rounds = (uint32_t)old->count;
            session->at_ms = catalogue->contests[taking->contest].ended_ms;
        }
    }
    int rc = read_lines(file, taking, &found->bytes, &err);
    found->count = catalogue->game_count - found->first;
    found->mark = *mark;
    if (rc)
        catalogue->contests[taking->contest].trouble = catalogue_keep(catalogue, str_of(err.msg));
}

void catalogue_read_journal(Catalogue *catalogue, const Catalogue *before, uint32_t root,
                            Str folder, const FileMark *mark, bool with_record)
{
    Taking taking = {
        .catalogue = catalogue, .session = CATALOGUE_NONE, .root = root, .folder = folder};
    Str name = name_of_folder(catalogue, root, folder);
    int file = -1;

    if (catalogue_open(catalogue, root, in_folder(&taking, STR(JOURNAL_FILE)), &file, NULL))
        return;
    Str id = catalogue_contest_id(catalogue, name);
    CatalogueContest *contest = catalogue_add_contest(catalogue);
    if (contest) {
        contest->id = id;
        contest->name = catalogue_keep(catalogue, name);
        contest->folder = folder;
        contest->root = root;
        taking.contest = (uint32_t)(catalogue->contest_count - 1);
        if (with_record)
            begin_session(&taking, in_folder(&taking, STR(RECORD_FILE)), name);
        read_journal(&taking, before, mark, file);
    }
    close(file);
}

static int hear_round(void *user, const GameRecord *round, Err *err)
{
    (void)err;
    add_record(user, round);
    return 0;
}

void catalogue_read_record(Catalogue *catalogue, const Catalogue *before, uint32_t root, Str path,
                           const FileMark *mark)
{
    CLEANUP(buf_done) Buf text = {0};
    Taking taking = {
        .catalogue = catalogue, .contest = CATALOGUE_NONE, .session = CATALOGUE_NONE, .root = root};
    Str named = path.len ? path : str_of(catalogue->roots[root]);
    int file = -1;

    if (catalogue_open(catalogue, root, path, &file, NULL))
        return;
    if (log_file_read_from(file, "session.jsonl", MAW_RECORD_BYTES_MAX, &text, NULL) == 0 &&
        maw_record_is(buf_str(&text))) {
        bool of_root = str_eq(path, STR(RECORD_FILE)); /* it lies in the folder that was named */
        Str name = of_root ? name_of_folder(catalogue, root, STR("")) : catalogue_stem(named);
        begin_session(&taking, path, name);
        FoundGames own = {.first = catalogue->game_count, .mark = *mark};
        if (taking.session != CATALOGUE_NONE) {
            (void)before; /* it is read again: it has changed, or something beside it */
            (void)maw_rounds_read(buf_str(&text), hear_round, &taking, NULL);
            own.count = catalogue->game_count - own.first;
            catalogue->session_games[taking.session] = own;
        }
    }
    close(file);
}
