#include "web/search_index.h"

#include "base/mem.h"
#include "base/utf8.h"
#include "disk/disk_call.h"
#include "disk/regular_file.h"
#include "store/db.h"
#include "wire/json_read.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>

#define SEARCH_APPLICATION 0x57415253 /* "WARS"; PRAGMA application_id */

#define SQL_OF(macro)  SQL_OF2(macro)
#define SQL_OF2(value) #value

struct SearchIndex {
    Db *db;
    bool kept;
    DbQuery *game_of, *add_game, *text_of, *add_text, *add_tri, *add_pair, *add_line;
    Buf pairs;
};

/* clang-format off */

/* What was lost by a power cut is made again, so SQLite need not wait for the disk. */
static const char schema_sql[] =
    "PRAGMA application_id = " SQL_OF(SEARCH_APPLICATION) ";"
    "PRAGMA user_version = " SQL_OF(SEARCH_SCHEMA) ";"
    "BEGIN;"
    "CREATE TABLE game(id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, contest TEXT NOT NULL,"
    " at_ms INTEGER NOT NULL, mark INTEGER NOT NULL, gone INTEGER NOT NULL) STRICT;"
    "CREATE TABLE text(id INTEGER PRIMARY KEY, text TEXT NOT NULL UNIQUE) STRICT;"
    "CREATE VIRTUAL TABLE tri USING fts5(text, content='text', content_rowid='id',"
    " tokenize='trigram');"
    "CREATE VIRTUAL TABLE pair USING fts5(pairs, content='', tokenize="
    "\"unicode61 remove_diacritics 0 categories 'L* N* Co M* S* P*'\");"
    "CREATE TABLE line(text INTEGER NOT NULL, game INTEGER NOT NULL, n INTEGER NOT NULL,"
    " seat INTEGER NOT NULL, day INTEGER NOT NULL, role INTEGER NOT NULL, kind INTEGER NOT NULL,"
    " anchor TEXT NOT NULL, agent TEXT NOT NULL, name TEXT NOT NULL,"
    " PRIMARY KEY(text, game, n)) STRICT, WITHOUT ROWID;"
    "COMMIT";

/* clang-format on */

static int no_memory(Err *err)
{
    return err_set(err, ERR_MEMORY, "search: out of memory");
}

/* ---- opening ---- */

static int ask_number(Db *db, const char *sql, int64_t *ret_number, Err *err)
{
    CLEANUP(db_query_freep) DbQuery *query = NULL;
    int rc = db_query(db, sql, &query, err);

    if (rc == 0)
        rc = db_step(query, err);
    if (rc < 0)
        return rc;
    *ret_number = rc > 0 ? db_int(query, 0) : 0;
    return 0;
}

/* What is at `path`: nothing, what a process left that was killed at once, ours, ours but of
 * another schema, or somebody else's. */
typedef enum FileState { FILE_NONE, FILE_EMPTY, FILE_OURS, FILE_OLD, FILE_STRANGE } FileState;

static FileState state_of(const char *path)
{
    CLEANUP(db_closep) Db *db = NULL;
    int64_t application = 0, version = 0;

    struct stat about;

    if (lstat(path, &about) != 0)
        return FILE_NONE;
    if (S_ISREG(about.st_mode) && about.st_size == 0)
        return FILE_EMPTY;
    if (!S_ISREG(about.st_mode) || regular_file_check(path, NULL) ||
        db_open(path, false, &db, NULL) ||
        ask_number(db, "PRAGMA application_id", &application, NULL) ||
        ask_number(db, "PRAGMA user_version", &version, NULL) || application != SEARCH_APPLICATION)
        return FILE_STRANGE;
    return version == SEARCH_SCHEMA ? FILE_OURS : FILE_OLD;
}

/* A database of ours at `path`, new or known. Errors: ERR_IO when it can't be written. */
static int open_file(const char *path, Db **ret_db, Err *err)
{
    CLEANUP(db_closep) Db *db = NULL;
    FileState state = state_of(path);

    if (state == FILE_OLD && disk_remove(path) == 0) /* it is made of logs at will */
        state = FILE_NONE;
    if (state == FILE_STRANGE || state == FILE_OLD)
        return err_set(err, ERR_IO, "'%s' is none of ours", path);
    if (state == FILE_NONE) { /* for its owner alone, as all that lies beside it */
        int fd = disk_open(path, O_CREAT | O_EXCL | O_RDWR, 0600);
        if (fd < 0)
            return disk_error(err, "make", path);
        disk_close(fd);
    }
    int rc = db_open(path, true, &db, err);
    if (rc == 0 && state != FILE_OURS)
        rc = db_exec(db, schema_sql, err);
    if (rc)
        return rc;
    *ret_db = TAKE(db);
    return 0;
}

static int prepare_queries(SearchIndex *index, Err *err)
{
    const struct {
        DbQuery **query;
        const char *sql;
    } all[] = {
        {&index->game_of, "SELECT id, mark, gone FROM game WHERE name = ?1"},
        {&index->add_game, "INSERT INTO game(name, contest, at_ms, mark, gone)"
                           " VALUES(?1, ?2, ?3, ?4, 0) RETURNING id"},
        {&index->text_of, "SELECT id FROM text WHERE text = ?1"},
        {&index->add_text, "INSERT INTO text(text) VALUES(?1) RETURNING id"},
        {&index->add_tri, "INSERT INTO tri(rowid, text) VALUES(?1, ?2)"},
        {&index->add_pair, "INSERT INTO pair(rowid, pairs) VALUES(?1, ?2)"},
        {&index->add_line, "INSERT OR IGNORE INTO line VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9,"
                           " ?10)"},
    };

    for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
        int rc = db_query(index->db, all[i].sql, all[i].query, err);
        if (rc)
            return rc;
    }
    return 0;
}

int search_index_open(const char *path, SearchIndex **ret_index, Err *err)
{
    CLEANUP(search_index_freep) SearchIndex *index = mem_new(sizeof(*index));

    if (!index)
        return no_memory(err);
    index->kept = path && open_file(path, &index->db, NULL) == 0;
    int rc = 0;
    /* Little is merged while games are added: what waits in memory may be larger. */
    static const char tune_sql[] = "INSERT INTO tri(tri, rank) VALUES('hashsize', 8388608);"
                                   "INSERT INTO pair(pair, rank) VALUES('hashsize', 8388608)";
    if (!index->kept)
        rc = db_open("", true, &index->db, err);
    if (rc == 0 && !index->kept)
        rc = db_exec(index->db, schema_sql, err);
    if (rc == 0)
        rc = db_exec(index->db, tune_sql, err);
    if (rc == 0)
        rc = prepare_queries(index, err);
    if (rc)
        return rc;
    *ret_index = TAKE(index);
    return 0;
}

SearchIndex *search_index_free(SearchIndex *index)
{
    if (!index)
        return NULL;
    db_query_free(index->game_of);
    db_query_free(index->add_game);
    db_query_free(index->text_of);
    db_query_free(index->add_text);
    db_query_free(index->add_tri);
    db_query_free(index->add_pair);
    db_query_free(index->add_line);
    db_close(index->db);
    buf_done(&index->pairs);
    return mem_free(index);
}

void search_index_freep(SearchIndex **index)
{
    search_index_free(*index);
}

bool search_index_is_kept(const SearchIndex *index)
{
    return index->kept;
}

/* ---- pairs and words ---- */

/* Letters and signs that are neither ASCII nor blanks. */
static bool is_wide(uint32_t c)
{
    return c >= 0xC0 && c != UTF8_INVALID && c != 0x3000 && !(c >= 0x2000 && c <= 0x206F) &&
           c != 0xFEFF && c != UTF8_REPLACEMENT;
}

static bool is_word_char(uint32_t c)
{
    return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
}

/* Text that is cut into pairs and words. */
typedef struct Cutter {
    Buf *out;
    Str before; /* the wide character in front; empty = none */
    bool word;  /* a word is being written */
} Cutter;

static void cut_character(Cutter *cutter, Str bytes, uint32_t c)
{
    bool wide = is_wide(c), word = is_word_char(c);

    if (wide && cutter->before.len) { /* a pair */
        buf_add_char(cutter->out, ' ');
        buf_add(cutter->out, cutter->before);
        buf_add(cutter->out, bytes);
    } else if (cutter->before.len && !wide) { /* the last of its run: a term of one may find it */
        buf_add_char(cutter->out, ' ');
        buf_add(cutter->out, cutter->before);
    }
    if (word) {
        if (!cutter->word)
            buf_add_char(cutter->out, ' ');
        buf_add_char(cutter->out, str_lower_char((char)c));
    }
    cutter->before = wide ? bytes : (Str){0};
    cutter->word = word;
}

void search_pairs(Str text, Buf *out)
{
    Cutter cutter = {.out = out};

    while (text.len) {
        Str rest = text;
        uint32_t c = utf8_next(&rest);
        cut_character(&cutter, str_part(text, 0, text.len - rest.len), c);
        text = rest;
    }
    cut_character(&cutter, STR(" "), ' ');
}

/* ---- filling ---- */

/* One row that a statement gives; 0 when it gives none. The statement is ready for the next. */
static int one_id(DbQuery *query, int64_t *ret_id, Err *err)
{
    int rc = db_step(query, err);

    if (rc > 0) {
        *ret_id = db_int(query, 0);
        db_reset(query);
    }
    return rc;
}

static int run_query(DbQuery *query, Err *err)
{
    int rc = db_step(query, err);

    return rc < 0 ? rc : 0;
}

int search_index_has(SearchIndex *index, Str name, uint64_t mark, bool *ret_has, Err *err)
{
    DbQuery *query = index->game_of;

    db_bind_text(query, 1, name);
    int rc = db_step(query, err);
    if (rc < 0)
        return rc;
    *ret_has = rc > 0 && (uint64_t)db_int(query, 1) == mark && db_int(query, 2) == 0;
    if (rc > 0)
        db_reset(query);
    return 0;
}

/* Forgets the game of this name, if it is there. */
static int drop_game(SearchIndex *index, Str name, Err *err)
{
    CLEANUP(db_query_freep) DbQuery *query = NULL;
    int64_t id = 0;

    db_bind_text(index->game_of, 1, name);
    int rc = one_id(index->game_of, &id, err);
    if (rc <= 0)
        return rc;
    rc = db_query(index->db, "UPDATE game SET name = 'gone ' || id, gone = 1 WHERE id = ?1", &query,
                  err);
    if (rc)
        return rc;
    db_bind_int(query, 1, id);
    return run_query(query, err);
}

/* A row for a game, of which lines may follow. */
static int begin_game(SearchIndex *index, const SearchGame *game, int64_t *ret_id, Err *err)
{
    int rc = drop_game(index, game->name, err);

    if (rc)
        return rc;
    db_bind_text(index->add_game, 1, game->name);
    db_bind_text(index->add_game, 2, game->contest);
    db_bind_int(index->add_game, 3, game->at_ms);
    db_bind_int(index->add_game, 4, (int64_t)game->mark);
    rc = one_id(index->add_game, ret_id, err);
    return rc < 0 ? rc : 0;
}

/* The number of a text, new or known. */
static int intern_text(SearchIndex *index, Str text, int64_t *ret_id, Err *err)
{
    db_bind_text(index->text_of, 1, text);
    int rc = one_id(index->text_of, ret_id, err);
    if (rc)
        return rc < 0 ? rc : 0;
    db_bind_text(index->add_text, 1, text);
    rc = one_id(index->add_text, ret_id, err);
    if (rc < 0)
        return rc;
    db_bind_int(index->add_tri, 1, *ret_id);
    db_bind_text(index->add_tri, 2, text);
    rc = run_query(index->add_tri, err);
    if (rc)
        return rc;
    buf_clear(&index->pairs);
    search_pairs(text, &index->pairs);
    if (buf_failed(&index->pairs))
        return no_memory(err);
    db_bind_int(index->add_pair, 1, *ret_id);
    db_bind_text(index->add_pair, 2, buf_str(&index->pairs));
    return run_query(index->add_pair, err);
}

/* Who sits where, as the document tells at its end. */
typedef struct Seats {
    Str names[SEAT_MAX + 1];
    Str agents[SEAT_MAX + 1]; /* whom it counts for: the team, else the agent */
    Role roles[SEAT_MAX + 1];
} Seats;

static SeatNo seat_of(const json_t *object)
{
    int64_t seat = json_number(object, "seat");

    return seat >= 1 && seat <= SEAT_MAX ? (SeatNo)seat : SEAT_NONE;
}

static void read_seats(const json_t *document, Seats *seats)
{
    const json_t *list = json_get(document, "seats"), *events = json_get(document, "events");

    for (size_t i = 0; i < json_count(list); i++) {
        const json_t *own = json_at(list, i);
        SeatNo seat = seat_of(own);
        Str team = json_text(own, "team");
        seats->names[seat] = json_text(own, "name");
        seats->agents[seat] = team.len ? team : json_text(own, "agent");
        seats->roles[seat] = role_of(json_text(own, "role"));
    }
    for (size_t i = 0; i < json_count(events); i++) {
        const json_t *event = json_at(events, i);
        if (str_eq(json_text(event, "kind"), STR("reveal")))
            seats->roles[seat_of(event)] = role_of(json_text(event, "role"));
    }
}

/* A text of the game, said or borne by a seat. */
typedef struct Line {
    int64_t game;
    uint32_t n;
    SeatNo seat;
    int64_t day;
    SearchKind kind;
    Str anchor;
    Str text;
} Line;

static int add_line(SearchIndex *index, const Line *line, const Seats *seats, Err *err)
{
    int64_t text = 0;
    int rc = line->text.len ? intern_text(index, line->text, &text, err) : 1;

    if (rc)
        return rc < 0 ? rc : 0;
    DbQuery *query = index->add_line;
    db_bind_int(query, 1, text);
    db_bind_int(query, 2, line->game);
    db_bind_int(query, 3, line->n);
    db_bind_int(query, 4, line->seat);
    db_bind_int(query, 5, line->day);
    db_bind_int(query, 6, seats->roles[line->seat]);
    db_bind_int(query, 7, line->kind);
    db_bind_text(query, 8, line->anchor);
    db_bind_text(query, 9, seats->agents[line->seat]);
    db_bind_text(query, 10, seats->names[line->seat]);
    return run_query(query, err);
}

static int add_names(SearchIndex *index, int64_t game, const Seats *seats, Err *err)
{
    int rc = 0;

    for (SeatNo seat = 1; seat <= SEAT_MAX && rc == 0; seat++) {
        Line line = {.game = game, .n = seat, .seat = seat, .day = -1, .kind = SEARCH_NAME};
        line.text = seats->names[seat];
        rc = add_line(index, &line, seats, err);
        line.n = SEAT_MAX + seat;
        line.kind = SEARCH_AGENT;
        line.text = seats->agents[seat];
        if (rc == 0 && !str_eq(line.text, seats->names[seat]))
            rc = add_line(index, &line, seats, err);
    }
    return rc;
}

static int add_events(SearchIndex *index, int64_t game, const json_t *events, const Seats *seats,
                      Err *err)
{
    int rc = 0;

    for (size_t i = 0; i < json_count(events) && rc == 0; i++) {
        const json_t *event = json_at(events, i);
        Str kind = json_text(event, "kind");
        if (!str_eq(kind, STR("talk")) || json_get(event, "quiet"))
            continue;
        const Line line = {.game = game,
                           .n = (uint32_t)(2 * SEAT_MAX + 1 + i),
                           .seat = seat_of(event),
                           .day = json_number(event, "day"),
                           .kind = SEARCH_TALK,
                           .anchor = json_text(event, "a"),
                           .text = json_text(event, "text")};
        rc = add_line(index, &line, seats, err);
    }
    return rc;
}

static bool is_over(const json_t *document)
{
    Str status = json_text(document, "status");

    return str_eq(status, STR("finished")) || str_eq(status, STR("aborted"));
}

int search_index_add(SearchIndex *index, const SearchGame *game, Str document, Err *err)
{
    CLEANUP(mem_freep) Seats *seats = mem_new(sizeof(*seats));
    json_t *json = NULL;
    int64_t id = 0;

    if (!seats)
        return no_memory(err);
    int rc = json_read(document, document.len, &json, err);
    if (rc)
        return rc;
    if (is_over(json)) {
        read_seats(json, seats);
        rc = begin_game(index, game, &id, err);
        if (rc == 0)
            rc = add_names(index, id, seats, err);
        if (rc == 0)
            rc = add_events(index, id, json_get(json, "events"), seats, err);
    }
    json_done(json);
    return rc;
}

int search_index_skip(SearchIndex *index, const SearchGame *game, Err *err)
{
    int64_t id = 0;

    return begin_game(index, game, &id, err);
}

int search_index_begin(SearchIndex *index, Err *err)
{
    return db_exec(index->db, "BEGIN", err);
}

int search_index_commit(SearchIndex *index, Err *err)
{
    return db_exec(index->db, "COMMIT", err);
}

int search_index_keep(SearchIndex *index, bool (*keeps)(void *user, Str name), void *user, Err *err)
{
    CLEANUP(db_query_freep) DbQuery *all = NULL;
    CLEANUP(buf_done) Buf gone = {0};
    int rc = db_query(index->db, "SELECT name FROM game WHERE NOT gone", &all, err);

    while (rc == 0 && (rc = db_step(all, err)) > 0) {
        Str name = db_text(all, 0);
        if (!keeps(user, name))
            buf_printf(&gone, "%.*s\n", STR_ARG(name));
        rc = 0;
    }
    Str names = buf_str(&gone);
    while (rc == 0 && names.len)
        rc = drop_game(index, str_cut(&names, '\n'), err);
    return rc == 0 && buf_failed(&gone) ? no_memory(err) : rc;
}

int search_index_count(SearchIndex *index, uint64_t *ret_games, uint64_t *ret_lines, Err *err)
{
    int64_t games = 0, lines = 0;
    int rc = ask_number(index->db, "SELECT count(*) FROM game WHERE NOT gone", &games, err);

    if (rc == 0)
        rc = ask_number(index->db, "SELECT count(*) FROM line", &lines, err);
    if (rc)
        return rc;
    *ret_games = (uint64_t)games;
    *ret_lines = (uint64_t)lines;
    return 0;
}

/* ---- asking ---- */

void search_hits_done(SearchHits *hits)
{
    mem_free(hits->items);
    buf_done(&hits->texts);
    *hits = (SearchHits){0};
}

/* What FTS5 is asked: phrases in quotes, joined by AND. */
typedef struct Terms {
    Buf tri;
    Buf pair;
} Terms;

static void terms_done(Terms *terms)
{
    buf_done(&terms->tri);
    buf_done(&terms->pair);
}

/* A string of FTS5: in quotes, with quotes doubled. */
static void put_phrase(Str text, Buf *out)
{
    if (out->len)
        buf_add(out, STR(" AND "));
    buf_add_char(out, '"');
    for (size_t i = 0; i < text.len; i++) {
        if (text.bytes[i] == '"')
            buf_add_char(out, '"');
        buf_add_char(out, text.bytes[i]);
    }
    buf_add_char(out, '"');
}

static bool ends_with(Str text, Str end)
{
    return text.len > end.len && memcmp(text.bytes + text.len - end.len, end.bytes, end.len) == 0;
}

/* A term of one or two letters: its words and single characters begin a word or a pair, its pair is
 * one. False when it has no letter. */
static bool put_short(Str term, Buf *out)
{
    CLEANUP(buf_done) Buf pairs = {0};
    Str before = {0};

    search_pairs(term, &pairs);
    for (Str rest = str_trim(buf_str(&pairs)); rest.len;) {
        Str token = str_cut(&rest, ' ');
        /* What ends a run stands in its pair already. */
        if (before.len && ends_with(before, token))
            continue;
        put_phrase(token, out);
        if (utf8_count(token) == 1 || (unsigned char)token.bytes[0] < 0x80)
            buf_add(out, STR("*"));
        before = token;
    }
    if (buf_failed(&pairs))
        buf_fail(out);
    return before.len > 0;
}

/* What has no glyph stands for a blank: a NUL would end the question for SQLite. */
static bool is_gap(uint32_t c)
{
    return c <= ' ' || c == 0x7F || c == 0x3000 || c == UTF8_INVALID || (c >= 0x80 && c < 0xA1);
}

/* The terms of a question; false when there is none. */
static bool read_terms(Str query, Terms *terms)
{
    unsigned count = 0;

    while (query.len && count < SEARCH_TERMS) {
        size_t len = 0, letters = 0;
        while (len < query.len) {
            Str rest = str_part(query, len, query.len);
            Str before = rest;
            if (is_gap(utf8_next(&rest)))
                break;
            len += before.len - rest.len;
            letters++;
        }
        Str term = str_part(query, 0, len);
        if (letters >= 3) {
            put_phrase(term, &terms->tri);
            count++;
        } else if (letters > 0) {
            count += put_short(term, &terms->pair);
        }
        Str rest = str_part(query, len, query.len);
        if (rest.len)
            (void)utf8_next(&rest);
        query = rest;
    }
    return count > 0;
}

/* The lines that fit. ?1 trigrams, ?2 pairs, ?3 contest, ?4 team, ?5 role, ?6 day, ?7 to ?9 kinds,
 * ?10 time, ?11 how many, ?12 games behind this one. */
static void write_lines(const Terms *terms, const char *end, Buf *out)
{
    buf_add(out, STR("SELECT l.text AS text, l.game AS game, l.n AS n FROM line AS l"
                     " JOIN game AS g ON g.id = l.game WHERE l.text IN (SELECT rowid FROM "));
    if (terms->tri.len && terms->pair.len)
        buf_add(out, STR("(SELECT rowid FROM tri WHERE tri MATCH ?1 INTERSECT"
                         " SELECT rowid FROM pair WHERE pair MATCH ?2)"));
    else if (terms->tri.len)
        buf_add(out, STR("tri WHERE tri MATCH ?1 AND ?2 IS NOT 0"));
    else
        buf_add(out, STR("pair WHERE pair MATCH ?2 AND ?1 IS NOT 0"));
    buf_printf(out,
               ") AND l.game > ?12 AND NOT g.gone AND (?3 = '' OR g.contest = ?3)"
               " AND (?4 = '' OR l.agent = ?4) AND (?5 = 0 OR l.role = ?5)"
               " AND (?6 < 0 OR l.day = ?6) AND l.kind IN (?7, ?8, ?9) AND g.at_ms <= ?10 %s",
               end);
}

/* How many there are; or what they say, for those that are shown alone. */
static void write_sql(const Terms *terms, bool count, Buf *out)
{
    if (count) {
        buf_add(out, STR("SELECT count(*) FROM ("));
        write_lines(terms, "LIMIT ?11)", out);
        return;
    }
    buf_add(out,
            STR("SELECT g.at_ms, g.name, l.anchor, l.name, l.agent, t.text, l.n, l.day, l.seat,"
                " l.role, l.kind FROM ("));
    write_lines(terms, "ORDER BY l.game DESC, l.n LIMIT ?11", out);
    buf_add(out, STR(") AS f JOIN line AS l ON l.text = f.text AND l.game = f.game AND l.n = f.n"
                     " JOIN game AS g ON g.id = f.game JOIN text AS t ON t.id = f.text"
                     " ORDER BY f.game DESC, f.n"));
}

static void bind_ask(DbQuery *query, const SearchAsk *ask, const Terms *terms)
{
    db_bind_text(query, 1, buf_str(&terms->tri));
    db_bind_text(query, 2, buf_str(&terms->pair));
    db_bind_text(query, 3, ask->contest);
    db_bind_text(query, 4, ask->team);
    db_bind_int(query, 5, ask->role);
    db_bind_int(query, 6, ask->day);
    db_bind_int(query, 7, ask->talk ? SEARCH_TALK : -1);
    db_bind_int(query, 8, ask->names ? SEARCH_NAME : -1);
    db_bind_int(query, 9, ask->names && ask->agents ? SEARCH_AGENT : -1);
    db_bind_int(query, 10, ask->until_ms);
}

static uint32_t put_text(SearchHits *hits, Str text)
{
    uint32_t at = (uint32_t)hits->texts.len;

    buf_add(&hits->texts, text);
    buf_add_char(&hits->texts, '\0');
    return at;
}

static int add_hit(SearchHits *hits, const DbQuery *row, bool agents, Err *err)
{
    if (hits->count == hits->room) {
        size_t room = hits->room ? hits->room * 2 : SEARCH_HITS + 2;
        SearchHit *items = mem_resize(hits->items, room, sizeof(*items));
        if (!items)
            return no_memory(err);
        hits->items = items;
        hits->room = room;
    }
    int64_t day = db_int(row, 7), role = db_int(row, 9);
    SearchHit hit = {.at_ms = db_int(row, 0),
                     .game = put_text(hits, db_text(row, 1)),
                     .anchor = put_text(hits, db_text(row, 2)),
                     .name = put_text(hits, db_text(row, 3)),
                     .agent = put_text(hits, agents ? db_text(row, 4) : STR("")),
                     .text = put_text(hits, db_text(row, 5)),
                     .n = (uint32_t)db_int(row, 6),
                     .day = (uint16_t)(day < 0 ? 0 : day),
                     .seat = (SeatNo)db_int(row, 8),
                     .role = role > 0 && role < ROLE_COUNT ? (Role)role : ROLE_NONE,
                     .kind = (SearchKind)db_int(row, 10)};
    hits->items[hits->count++] = hit;
    return buf_failed(&hits->texts) ? no_memory(err) : 0;
}

/* The same statement for one window after the other. */
typedef struct Asking {
    SearchIndex *index;
    const SearchAsk *ask;
    const Terms *terms;
    int64_t behind; /* only games behind this one */
} Asking;

static int ask_window(const Asking *asking, bool count, int64_t limit, DbQuery **ret_query,
                      Err *err)
{
    CLEANUP(buf_done) Buf sql = {0};

    write_sql(asking->terms, count, &sql);
    if (buf_failed(&sql) || buf_failed(&asking->terms->tri) || buf_failed(&asking->terms->pair))
        return no_memory(err);
    int rc = db_query(asking->index->db, buf_cstr(&sql), ret_query, err);
    if (rc)
        return rc;
    bind_ask(*ret_query, asking->ask, asking->terms);
    db_bind_int(*ret_query, 11, limit);
    db_bind_int(*ret_query, 12, asking->behind);
    return 0;
}

static int count_hits(const Asking *asking, uint64_t *ret_count, Err *err)
{
    CLEANUP(db_query_freep) DbQuery *query = NULL;
    int rc = ask_window(asking, true, SEARCH_COUNT_MAX + 1, &query, err);

    if (rc == 0)
        rc = db_step(query, err);
    if (rc < 0)
        return rc;
    *ret_count = rc > 0 ? (uint64_t)db_int(query, 0) : 0;
    return 0;
}

static int list_hits(const Asking *asking, SearchHits *hits, Err *err)
{
    CLEANUP(db_query_freep) DbQuery *query = NULL;
    int rc = ask_window(asking, false, (int64_t)asking->ask->from + SEARCH_HITS + 1, &query, err);

    while (rc == 0 && (rc = db_step(query, err)) > 0)
        rc = add_hit(hits, query, asking->ask->agents, err);
    return rc;
}

/* In the newest games first, since a word that all games have would give millions of lines: in a
 * window of them that grows until there are enough. */
static int find_hits(Asking *asking, SearchHits *hits, Err *err)
{
    uint64_t count = 0, wanted = (uint64_t)asking->ask->from + SEARCH_HITS + 1;
    int64_t last = 0;
    int rc = ask_number(asking->index->db, "SELECT max(id) FROM game", &last, err);

    for (int64_t window = 1024; rc == 0; window *= 8) {
        asking->behind = window < last ? last - window : 0;
        rc = count_hits(asking, &count, err);
        if (rc || asking->behind == 0 || count > SEARCH_COUNT_MAX || count >= wanted)
            break;
    }
    hits->total += count;
    if (asking->behind)
        hits->is_more = true;
    return rc ? rc : list_hits(asking, hits, err);
}

int search_index_find(SearchIndex *index, const SearchAsk *ask, SearchHits *hits, Err *err)
{
    CLEANUP(terms_done) Terms terms = {0};
    Asking asking = {index, ask, &terms, 0};

    if (ask->query.len > SEARCH_QUERY_BYTES)
        return err_set(err, ERR_LIMIT, "a question may have %d bytes", SEARCH_QUERY_BYTES);
    if (!read_terms(ask->query, &terms) || (ask->team.len && !ask->agents))
        return 0;
    return find_hits(&asking, hits, err);
}
