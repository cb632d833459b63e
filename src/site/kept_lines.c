#include "site/kept_lines.h"

#include "journal/journal_line.h"
#include "journal/journal_more.h"
#include "store/db_row.h"

#define HEAD STR("{\"record\":\"")

static int no_memory(Err *err)
{
    return err_set(err, ERR_MEMORY, "journal: out of memory");
}

static Str kind_of(Str line)
{
    Str rest = str_part(line, HEAD.len, line.len);

    return str_starts(line, HEAD) ? str_cut(&rest, '"') : STR("");
}

static bool is_kept(Str kind)
{
    static const char *const kinds[] = {"plan", "freeze", "lots", "key", "act", "ruling"};
    bool kept = false;

    for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
        kept |= str_eq(kind, str_of(kinds[i]));
    return kept;
}

int kept_lines_add(Db *db, int64_t contest, Str folder, uint64_t at, Str line, Err *err)
{
    const Str kind = kind_of(line);

    if (!is_kept(kind))
        return 0;
    return db_run(db, err,
                  "INSERT INTO kept_line(contest, folder, place, kind, line)"
                  " VALUES(?1, ?2, ?3, ?4, ?5) ON CONFLICT(contest, folder, place) DO NOTHING",
                  "ititt", contest, folder, (int64_t)at, kind, line);
}

int kept_lines_read(Db *db, int64_t contest, Str folder, const char *kind, uint64_t before,
                    Buf *lines, Err *err)
{
    CLEANUP(db_query_freep) DbQuery *query = NULL;
    int rc = db_query_with(db, &query, err,
                           "SELECT line FROM kept_line WHERE contest = ?1 AND folder = ?2"
                           " AND place < ?3 AND (?4 = '' OR kind = ?4) ORDER BY place",
                           "itit", contest, folder, (int64_t)before, str_of(kind ? kind : ""));

    while (rc == 0 && (rc = db_step(query, err)) == 1) {
        buf_add(lines, db_text(query, 0));
        buf_add_char(lines, '\n');
        rc = buf_failed(lines) ? no_memory(err) : 0;
    }
    return rc;
}

static int note_void(void *user, const OperatorAct *act, Err *err)
{
    return journal_voids_add(user, act, err);
}

int kept_lines_voids(Db *db, int64_t contest, Str folder, uint64_t before, JournalVoids *voids,
                     Err *err)
{
    CLEANUP(buf_done) Buf lines = {0};
    const JournalListener listener = {.act = note_void, .user = voids};
    int rc = kept_lines_read(db, contest, folder, "act", before, &lines, err);

    for (Str rest = buf_str(&lines); rest.len && rc == 0;)
        rc = journal_line_hear(str_cut(&rest, '\n'), UINT32_MAX, &listener, NULL, err);
    journal_voids_sort(voids);
    return rc;
}

int kept_lines_hear_game(const ContestHome *home, Str folder, uint64_t at,
                         const JournalListener *listener, GameRecord *scratch, Err *err)
{
    CLEANUP(buf_done) Buf sub = {0};
    CLEANUP(buf_done) Buf dir = {0};
    CLEANUP(buf_done) Buf line = {0};

    buf_add(&sub, folder);
    int rc = buf_failed(&sub) ? no_memory(err) : contest_home_path(home, buf_cstr(&sub), &dir, err);
    if (rc == 0)
        rc = journal_read_at(buf_cstr(&dir), at, &line, err);
    if (rc == 0 && !str_eq(kind_of(buf_str(&line)), STR("game")))
        rc = err_set(err, ERR_SYNTAX, "journal '%s': no game stands at byte %llu", buf_cstr(&dir),
                     (unsigned long long)at);
    return rc ? rc : journal_line_hear(buf_str(&line), UINT32_MAX, listener, scratch, err);
}
