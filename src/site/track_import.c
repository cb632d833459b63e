#include "site/track_import.h"

#include "base/digest.h"
#include "disk/log_file.h"
#include "journal/journal_more.h"
#include "site/site_ledger.h"
#include "site/track_notice.h"
#include "store/db_row.h"

#include <sys/stat.h>

#define LOG_BYTES     ((size_t)256 * 1024 * 1024)
#define GAMES_AT_ONCE 50 /* in one turn of the server's loop */
#define HOUR_MS       ((int64_t)3600 * 1000)

typedef struct TrackImport {
    Db *db;
    const ContestHome *home;
    Str track;
    int part;
    int64_t now_ms;
    Buf logs, json; /* folders */
    int64_t run;
    int64_t games, counted; /* more than before */
} TrackImport;

/* ---- how far it was read ---- */

static void mark_of(const TrackImport *import, Buf *key)
{
    buf_printf(key, "nlp:%lld:%.*s:%d", (long long)import->home->id, STR_ARG(import->track),
               import->part);
}

static int read_mark(const TrackImport *import, JournalPlace *ret_place, Err *err)
{
    CLEANUP(db_query_freep) DbQuery *query = NULL;
    CLEANUP(buf_done) Buf key = {0};
    int rc = db_query(import->db, "SELECT value FROM meta WHERE key = ?1", &query, err);

    mark_of(import, &key);
    *ret_place = (JournalPlace){.bytes = 0};
    if (rc)
        return rc;
    db_bind_text(query, 1, buf_str(&key));
    rc = db_step(query, err);
    if (rc == 1) {
        Str rest = db_text(query, 0), bytes = str_cut(&rest, ' ');
        if (!str_to_uint(bytes, UINT64_MAX, &ret_place->bytes) ||
            !str_to_uint(rest, UINT64_MAX, &ret_place->lines))
            return err_set(err, ERR_RULE, "the store does not say how far track '%.*s' was read",
                           STR_ARG(import->track));
    }
    return rc < 0 ? rc : 0;
}

static int write_mark(const TrackImport *import, const JournalPlace *place, Err *err)
{
    CLEANUP(db_query_freep) DbQuery *query = NULL;
    CLEANUP(buf_done) Buf key = {0};
    CLEANUP(buf_done) Buf value = {0};
    int rc = db_query(import->db,
                      "INSERT INTO meta(key, value) VALUES(?1, ?2)"
                      " ON CONFLICT(key) DO UPDATE SET value = excluded.value",
                      &query, err);

    mark_of(import, &key);
    buf_printf(&value, "%llu %llu", (unsigned long long)place->bytes,
               (unsigned long long)place->lines);
    if (rc)
        return rc;
    db_bind_text(query, 1, buf_str(&key));
    db_bind_text(query, 2, buf_str(&value));
    rc = db_step(query, err);
    return rc < 0 ? rc : 0;
}

/* ---- rows ---- */

static int make_run(TrackImport *import, Err *err)
{
    CLEANUP(db_query_freep) DbQuery *query = NULL;
    CLEANUP(buf_done) Buf folder = {0};
    int rc = db_query(import->db,
                      "INSERT INTO run(contest, stage, part, round, folder, games, counted)"
                      " VALUES(?1, ?2, ?3, 0, ?4, 0, 0) ON CONFLICT(contest, stage, part, round)"
                      " DO UPDATE SET folder = excluded.folder RETURNING id",
                      &query, err);

    buf_printf(&folder, "tracks/%.*s/%s/logs", STR_ARG(import->track),
               import->part == TRACK_MAIN ? "main" : "check");
    if (rc)
        return rc;
    db_bind_int(query, 1, import->home->id);
    db_bind_text(query, 2, import->track);
    db_bind_int(query, 3, import->part);
    db_bind_text(query, 4, buf_str(&folder));
    rc = db_step(query, err);
    if (rc == 1)
        import->run = db_int(query, 0);
    return rc < 0 ? rc : 0;
}

/* An agent that stalls in a main match: it has a minute for each answer, so one without is enough.
 */
static bool is_failing(const SeatRecord *seat)
{
    return seat->failed || seat->faults[FAULT_TIMEOUT];
}

/* Its makers have to hear of it while there are others to play. Once an hour. */
static int tell_failed(const TrackImport *import, const GameRecord *record, SeatNo seat,
                       int64_t team, Err *err)
{
    CLEANUP(buf_done) Buf text = {0};
    CLEANUP(buf_done) Buf japanese = {0};
    CLEANUP(buf_done) Buf mark = {0};
    const Str name = game_record_counted(record, seat);
    const bool failed = record->seats[seat].failed;

    buf_printf(&text, "track %.*s: an agent of %.*s %s in match %llu; see the log of the match",
               STR_ARG(import->track), STR_ARG(name),
               failed ? "stopped answering" : "gave no answer in time",
               (unsigned long long)record->game);
    buf_printf(&japanese,
               "トラック%.*s: 対戦%lluで%.*sのエージェントが%s。対戦のログを見てください。",
               STR_ARG(import->track), (unsigned long long)record->game, STR_ARG(name),
               failed ? "応答しなくなりました" : "時間内に答えませんでした");
    buf_printf(&mark, "failed:%lld:%.*s:%.*s:%lld", (long long)import->home->id,
               STR_ARG(import->track), STR_ARG(name), (long long)(import->now_ms / HOUR_MS));
    const TrackWord word = {NOTICE_FAILING,     team,          name, buf_str(&text),
                            buf_str(&japanese), buf_str(&mark)};
    return track_tell(import->db, import->home, &word, import->now_ms, err);
}

static int put_seat(const TrackImport *import, int64_t game, const GameRecord *record, SeatNo seat,
                    Err *err)
{
    CLEANUP(db_query_freep) DbQuery *query = NULL;
    const SeatRecord *own = &record->seats[seat];
    int64_t team = 0, faults = 0;
    int rc = db_query(import->db,
                      "INSERT INTO seat(game, seat, team, role, won, failed, faults, excesses,"
                      " waited_ms) VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)",
                      &query, err);

    if (rc == 0)
        rc = team_find(import->db, import->home->id, game_record_counted(record, seat), &team, err);
    if (rc)
        return rc;
    for (unsigned kind = 0; kind < FAULT_COUNT; kind++)
        faults += own->faults[kind];
    db_bind_int(query, 1, game);
    db_bind_int(query, 2, seat);
    if (team)
        db_bind_int(query, 3, team);
    else
        db_bind_null(query, 3);
    db_bind_text(query, 4, str_of(role_name(record->result.roles[seat])));
    db_bind_int(query, 5,
                record->result.winner != SIDE_NONE &&
                    role_side(record->result.roles[seat]) == record->result.winner);
    db_bind_int(query, 6, own->failed);
    db_bind_int(query, 7, faults);
    db_bind_int(query, 8, own->excesses);
    db_bind_int(query, 9, own->waited_ms);
    rc = db_step(query, err);
    if (rc < 0)
        return rc;
    return is_failing(own) && team && import->part == TRACK_MAIN
               ? tell_failed(import, record, seat, team, err)
               : 0;
}

static const char *winner_text(const GameRecord *record)
{
    return record->result.winner != SIDE_NONE ? side_name(record->result.winner)
           : record->reason == END_ABORTED    ? GAME_ABORTED
                                              : side_name(SIDE_NONE);
}

/* The digest of a file; empty when it is not there any more. */
static void digest_file(const char *path, char ret_hex[static SHA256_HEX_BYTES])
{
    CLEANUP(buf_done) Buf text = {0};

    ret_hex[0] = '\0';
    if (log_file_read(path, LOG_BYTES, &text, NULL) == 0)
        sha256_hex(buf_str(&text), ret_hex, NULL);
}

/* Of the game log and of the JSON log, in which its requests and replies are. */
typedef struct GameDigests {
    char log[SHA256_HEX_BYTES], json[SHA256_HEX_BYTES];
} GameDigests;

static void digest_game(const TrackImport *import, const GameRecord *record, GameDigests *ret)
{
    CLEANUP(buf_done) Buf log = {0};
    CLEANUP(buf_done) Buf json = {0};
    Str stem = str_of(record->log);
    size_t dot;

    if (str_find_last(stem, '.', &dot))
        stem = str_part(stem, 0, dot);
    buf_printf(&log, "%s/%s", buf_cstr(&import->logs), record->log);
    buf_printf(&json, "%s/%.*s.json", buf_cstr(&import->json), STR_ARG(stem));
    digest_file(buf_cstr(&log), ret->log);
    digest_file(buf_cstr(&json), ret->json);
}

/* *ret_new is false for a game that is there: what may have changed of it is whether it counts. */
static int put_game(const TrackImport *import, const GameRecord *record, bool counts,
                    const GameDigests *digests, int64_t *ret_game, bool *ret_new, Err *err)
{
    CLEANUP(db_query_freep) DbQuery *query = NULL;
    int rc = db_query(import->db,
                      "INSERT INTO game(run, set_number, game, ended, winner, counted, void_by,"
                      " log, log_digest, exchange_digest)"
                      " VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)"
                      " ON CONFLICT(run, game) DO NOTHING RETURNING id",
                      &query, err);

    if (rc)
        return rc;
    db_bind_int(query, 1, import->run);
    db_bind_int(query, 2, (int64_t)record->set);
    db_bind_int(query, 3, (int64_t)record->game);
    db_bind_int(query, 4, record->ended_at_ms);
    db_bind_text(query, 5, str_of(winner_text(record)));
    db_bind_int(query, 6, counts);
    db_bind_null(query, 7);
    db_bind_text(query, 8, str_of(record->log));
    db_bind_text(query, 9, str_of(digests->log));
    db_bind_text(query, 10, str_of(digests->json));
    rc = db_step(query, err);
    *ret_new = rc == 1;
    if (rc == 1)
        *ret_game = db_int(query, 0);
    return rc < 0 ? rc : 0;
}

/* 1: entries tell of it. */
static int main_has_ledger(const TrackImport *import, Err *err)
{
    return import->part == TRACK_MAIN ? site_ledger_begun(import->db, import->home->id, err) : 0;
}

/* Who plays, and judges, next follows from what counted when it was drawn: so from this entry on
 * the game does not. */
static int tell_void(const TrackImport *import, const OperatorAct *act, Err *err)
{
    char number[24];
    int rc = main_has_ledger(import, err);

    if (rc <= 0)
        return rc;
    snprintf(number, sizeof(number), "%llu", (unsigned long long)act->number);
    return site_ledger_add_texts(import->db, import->home->id, import->now_ms, "act", err, "track",
                                 import->track, "about", STR("game"), "number", str_of(number),
                                 "decision", STR("void"), "by", act->by, "reason", act->why, NULL);
}

/* An operator's act behind it. */
static int void_game(TrackImport *import, uint64_t number, Err *err)
{
    CLEANUP(db_query_freep) DbQuery *query = NULL;
    int rc = db_query(import->db,
                      "UPDATE game SET counted = 0, void_by = ?3 WHERE run = ?1 AND game = ?2"
                      " AND void_by IS NULL AND counted = 1",
                      &query, err);

    if (rc)
        return rc;
    db_bind_int(query, 1, import->run);
    db_bind_int(query, 2, (int64_t)number);
    db_bind_int(query, 3, VOID_BY_DESK);
    rc = db_step(query, err);
    import->counted -= rc >= 0 ? db_changes(import->db) : 0;
    return rc < 0 ? rc : 0;
}

static int hear_act(void *user, const OperatorAct *act, Err *err)
{
    TrackImport *import = user;

    if (act->kind != ACT_VOID || act->target != ACT_OF_GAME)
        return 0;
    int rc = void_game(import, act->number, err);
    return rc ? rc : tell_void(import, act, err);
}

/* 1: it is. */
static int is_known(const TrackImport *import, const GameRecord *record, Err *err)
{
    int64_t known = 0;
    int rc = db_ask(import->db, 0, &known, err, "SELECT 1 FROM game WHERE run = ?1 AND game = ?2",
                    "ii", import->run, (int64_t)record->game);

    return rc ? rc : known != 0;
}

/* Main matches are in the contest's ledger. */
static int tell_ledger(const TrackImport *import, const GameRecord *record,
                       const GameDigests *digests, Err *err)
{
    CLEANUP(buf_done) Buf number = {0};
    CLEANUP(buf_done) Buf teams = {0};
    int rc = main_has_ledger(import, err);

    if (rc <= 0)
        return rc;
    buf_add_uint(&number, record->game);
    for (SeatNo seat = 1; seat <= record->result.seat_count; seat++)
        buf_printf(&teams, "%s%.*s", seat > 1 ? " " : "",
                   STR_ARG(game_record_counted(record, seat)));
    return site_ledger_add_texts(import->db, import->home->id, import->now_ms, "game", err, "track",
                                 import->track, "number", buf_str(&number), "id",
                                 str_of(record->id), "teams", buf_str(&teams), "winner",
                                 str_of(winner_text(record)), "log", str_of(digests->log),
                                 "exchange", str_of(digests->json), NULL);
}

static int hear_game(void *user, const GameRecord *record, Err *err)
{
    TrackImport *import = user;
    const bool counts = import->part == TRACK_MAIN && game_record_counts(record);
    GameDigests digests;
    int64_t game = 0;
    bool is_new = false;

    int rc = is_known(import, record, err);
    if (rc)
        return rc < 0 ? rc : 0;
    import->games++;
    import->counted += counts;
    digest_game(import, record, &digests);
    rc = put_game(import, record, counts, &digests, &game, &is_new, err);
    for (SeatNo seat = 1; seat <= record->result.seat_count && rc == 0 && is_new; seat++)
        rc = put_seat(import, game, record, seat, err);
    return rc == 0 && is_new ? tell_ledger(import, record, &digests, err) : rc;
}

static int end_run(const TrackImport *import, Err *err)
{
    CLEANUP(db_query_freep) DbQuery *query = NULL;
    int rc = db_query(import->db,
                      "UPDATE run SET games = games + ?2, counted = counted + ?3 WHERE id = ?1",
                      &query, err);

    if (rc)
        return rc;
    db_bind_int(query, 1, import->run);
    db_bind_int(query, 2, import->games);
    db_bind_int(query, 3, import->counted);
    rc = db_step(query, err);
    return rc < 0 ? rc : 0;
}

static int read_games(TrackImport *import, JournalPlace *place, bool *ret_more, Err *err)
{
    const JournalListener listener = {.game = hear_game, .act = hear_act, .user = import};
    int rc = make_run(import, err);

    if (rc == 0)
        rc = journal_read_more(buf_cstr(&import->logs), &listener, GAMES_AT_ONCE, place, ret_more,
                               err);
    if (rc == 0)
        rc = end_run(import, err);
    return rc == 0 ? write_mark(import, place, err) : rc;
}

static int find_folders(TrackImport *import, Err *err)
{
    CLEANUP(buf_done) Buf sub = {0};

    buf_printf(&sub, "tracks/%.*s/%s", STR_ARG(import->track),
               import->part == TRACK_MAIN ? "main" : "check");
    int rc = contest_home_path(import->home, buf_cstr(&sub), &import->logs, err);
    buf_add(&import->json, buf_str(&import->logs));
    buf_printf(&import->logs, "/logs");
    buf_printf(&import->json, "/json");
    return rc;
}

int track_import(Db *db, const ContestHome *home, Str track, int part, int64_t now_ms,
                 bool *ret_more, Err *err)
{
    TrackImport import = {.db = db, .home = home, .track = track, .part = part, .now_ms = now_ms};
    CLEANUP(buf_done) Buf journal = {0};
    JournalPlace place = {.bytes = 0};
    struct stat info;
    int rc = find_folders(&import, err);

    *ret_more = false;
    buf_printf(&journal, "%s/" JOURNAL_FILE, buf_cstr(&import.logs));
    if (rc == 0 && stat(buf_cstr(&journal), &info) == 0) {
        rc = read_mark(&import, &place, err);
        if (rc == 0 && (uint64_t)info.st_size != place.bytes)
            rc = read_games(&import, &place, ret_more, err);
    }
    buf_done(&import.logs);
    buf_done(&import.json);
    return rc;
}
