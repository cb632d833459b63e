#include "site/appeal.h"

#include "base/date_text.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "contest/exchange_folder.h"
#include "record/stage_number.h"
#include "site/finding.h"
#include "site/import_place.h"
#include "site/kept_lines.h"
#include "site/notice.h"
#include "site/ruling.h"
#include "site/site_game.h"
#include "site/site_ledger.h"
#include "store/db_row.h"

#include <inttypes.h>

static const char *const about_names[APPEAL_ABOUTS] = {
    [APPEAL_FINDING] = "finding", [APPEAL_GAME] = "game", [APPEAL_RANK] = "rank"};

AppealAbout appeal_about_of(Str word)
{
    AppealAbout about = APPEAL_FINDING;

    while (about < APPEAL_ABOUTS && !str_eq(word, str_of(about_names[about])))
        about++;
    return about;
}

static int no_memory(Err *err)
{
    return err_set(err, ERR_MEMORY, "appeal: out of memory");
}

/* ---- one appeal ---- */

typedef struct AppealRow {
    int64_t id, contest, team, object;
    Buf team_name;
    AppealAbout about;
    bool open;
} AppealRow;

static void row_done(AppealRow *row)
{
    buf_done(&row->team_name);
}

static int find_row(Db *db, int64_t id, AppealRow *ret, Err *err)
{
    CLEANUP(db_query_freep) DbQuery *query = NULL;
    int rc = db_query_with(db, &query, err,
                           "SELECT team.contest, appeal.team, appeal.object, team.name,"
                           " appeal.about, appeal.state FROM appeal JOIN team"
                           " ON team.id = appeal.team WHERE appeal.id = ?1",
                           "i", id);

    if (rc == 0)
        rc = db_step(query, err);
    if (rc == 0)
        return err_set(err, ERR_RULE, "appeal: there is none of this number");
    if (rc < 0)
        return rc;
    ret->id = id;
    ret->contest = db_int(query, 0);
    ret->team = db_int(query, 1);
    ret->object = db_int(query, 2);
    buf_add(&ret->team_name, db_text(query, 3));
    ret->about = appeal_about_of(db_text(query, 4));
    if (ret->about >= APPEAL_ABOUTS)
        return err_set(err, ERR_IO, "appeal: the store has one that is about nothing known");
    ret->open = str_eq(db_text(query, 5), STR("OPEN"));
    return buf_failed(&ret->team_name) ? no_memory(err) : 0;
}

int appeal_owner(Db *db, int64_t appeal, int64_t *ret_contest, int64_t *ret_team, Err *err)
{
    int rc = db_ask(db, 0, ret_team, err, "SELECT team FROM appeal WHERE id = ?1", "i", appeal);

    return rc ? rc
              : db_ask(db, 0, ret_contest, err, "SELECT contest FROM team WHERE id = ?1", "i",
                       *ret_team);
}

/* ---- made ---- */

static int check_object(Db *db, int64_t team, AppealAbout about, int64_t object, Err *err)
{
    int64_t own = 0;
    int rc = 0;

    if (about == APPEAL_FINDING)
        rc = db_ask(db, 0, &own, err, "SELECT 1 FROM finding WHERE id = ?1 AND team = ?2", "ii",
                    object, team);
    else if (about == APPEAL_GAME)
        rc = db_ask(db, 0, &own, err, "SELECT 1 FROM seat WHERE game = ?1 AND team = ?2", "ii",
                    object, team);
    else
        own = 1;
    if (rc == 0 && !own)
        rc = err_set(err, ERR_RULE, "object: it is not about this team");
    return rc;
}

static int check_first(Db *db, int64_t team, AppealAbout about, int64_t object, Err *err)
{
    int64_t there = 0;
    int rc = db_ask(db, 0, &there, err,
                    "SELECT 1 FROM appeal WHERE team = ?1 AND about = ?2 AND object = ?3"
                    " AND state = 'OPEN'",
                    "iti", team, str_of(about_names[about]), object);

    if (rc == 0 && there)
        rc = err_set(err, ERR_RULE, "object: an appeal about it is open");
    return rc;
}

static int tell(Db *db, const AppealRow *row, NoticeKind kind, const NoticeWord *words,
                size_t count, int64_t now_ms, Err *err)
{
    const Notice notice = {.kind = kind,
                           .to = kind == NOTICE_APPEAL ? TO_ORGANISERS : TO_TEAM,
                           .id = kind == NOTICE_APPEAL ? 0 : row->team,
                           .contest = row->contest,
                           .words = words,
                           .word_count = count};

    return notice_put(db, &notice, now_ms, err);
}

static int tell_made(Db *db, const AppealRow *row, Str text, int64_t now_ms, Err *err)
{
    const NoticeWord words[] = {{"team", buf_str(&row->team_name)},
                                {"about", str_of(about_names[row->about])},
                                {"text", text}};

    return tell(db, row, NOTICE_APPEAL, words, sizeof(words) / sizeof(words[0]), now_ms, err);
}

static int tell_closed(Db *db, const AppealRow *row, bool grant, Str answer, int64_t now_ms,
                       Err *err)
{
    const NoticeWord words[] = {{"team", buf_str(&row->team_name)},
                                {"decision", grant ? STR("grant") : STR("refuse")},
                                {"answer", answer}};

    return tell(db, row, NOTICE_APPEAL_CLOSED, words, sizeof(words) / sizeof(words[0]), now_ms,
                err);
}

int appeal_make(Db *db, int64_t team, AppealAbout about, int64_t object, Str text, int64_t now_ms,
                int64_t *ret_id, Err *err)
{
    CLEANUP(row_done) AppealRow row = {.id = 0};
    char hex[SHA256_HEX_BYTES];
    int rc = 0;

    if (about >= APPEAL_ABOUTS)
        return err_set(err, ERR_RULE, "about: expected finding, game or rank");
    if (!str_trim(text).len || text.len > APPEAL_TEXT_MAX || !utf8_valid(text) ||
        memchr(text.bytes, '\0', text.len))
        return err_set(err, ERR_RULE, "text: 1 to %d bytes of text", APPEAL_TEXT_MAX);
    if (about == APPEAL_RANK)
        object = 0;
    rc = check_object(db, team, about, object, err);
    if (rc == 0)
        rc = check_first(db, team, about, object, err);
    if (rc == 0)
        rc = db_ask(db, 0, ret_id, err,
                    "INSERT INTO appeal(team, about, object, text, state, opened)"
                    " VALUES(?1, ?2, ?3, ?4, 'OPEN', ?5) RETURNING id",
                    "ititi", team, str_of(about_names[about]), object, text, now_ms);
    if (rc == 0)
        rc = find_row(db, *ret_id, &row, err);
    if (rc == 0)
        rc = tell_made(db, &row, text, now_ms, err);
    if (rc == 0)
        rc = sha256_hex(text, hex, err);
    /* The words are the team's; the public list has that there is one, and their digest. */
    return rc ? rc
              : site_ledger_add_texts(db, row.contest, now_ms, "appeal", err, "team",
                                      buf_str(&row.team_name), "about", str_of(about_names[about]),
                                      "text", str_of(hex), NULL);
}

/* ---- what the server has ---- */

static int put_seats(Db *db, int64_t game, int64_t team, Json *json, Err *err)
{
    CLEANUP(db_query_freep) DbQuery *query = NULL;
    int rc = db_query_with(db, &query, err,
                           "SELECT seat, role, won, failed, faults, excesses, waited_ms FROM seat"
                           " WHERE game = ?1 AND team = ?2 ORDER BY seat",
                           "ii", game, team);

    json_key(json, STR("seats"));
    json_open(json, '[');
    while (rc == 0 && (rc = db_step(query, err)) == 1) {
        json_open(json, '{');
        json_add_int(json, "seat", db_int(query, 0));
        json_add_str(json, "role", db_text(query, 1));
        json_add_bool(json, "won", db_int(query, 2) != 0);
        json_add_bool(json, "failed", db_int(query, 3) != 0);
        json_add_int(json, "faults", db_int(query, 4));
        json_add_int(json, "excesses", db_int(query, 5));
        json_add_int(json, "waited_ms", db_int(query, 6));
        json_close(json);
        rc = 0;
    }
    json_close(json);
    return rc;
}

/* One game is played again, by its line of the journal. */
typedef struct Replay {
    ExchangeFolder folder;
    const SiteGame *game;
    GameRecord *scratch;
    Buf verdict;
} Replay;

static void replay_done(Replay *replay)
{
    exchange_folder_done(&replay->folder);
    mem_free(replay->scratch);
    buf_done(&replay->verdict);
}

/* Its line is that of the row. */
static bool is_same_game(const Replay *replay, const GameRecord *record)
{
    const Plan *plan = &replay->folder.plan;
    const uint32_t stage = stage_of_number(record->stage);

    return record->game == (uint64_t)replay->game->number && stage < plan->stage_count &&
           str_eq(str_of(plan->stages[stage].name), buf_str(&replay->game->stage)) &&
           str_eq(str_of(record->exchange_sha256), buf_str(&replay->game->exchange_digest));
}

static int replay_game(void *user, const GameRecord *record, Err *err)
{
    Replay *replay = user;
    char path[GAME_LOG_MAX + 1];
    ExchangeFinding found;
    bool secret = false;

    if (!is_same_game(replay, record)) {
        buf_add(&replay->verdict, STR("not replayed: the journal has another game in its place"));
        return 0;
    }
    int rc = exchange_folder_check_game(&replay->folder, record, path, &found, &secret, err);
    if (rc)
        return rc;
    if (secret)
        buf_add(&replay->verdict, STR("not replayed: its key is not published yet"));
    else if (!found.ok)
        buf_printf(&replay->verdict, "%s:%u: %s", path, found.line, found.reason);
    else
        buf_add(&replay->verdict, STR("the exchange record gives the log, byte for byte"));
    return 0;
}

/* What the journal says of how it was played, and its line. */
static int read_game(Db *db, const ContestHome *home, const char *dir, Replay *replay, Err *err)
{
    CLEANUP(buf_done) Buf lines = {0};
    const JournalListener listener = {.game = replay_game, .user = replay};
    const SiteGame *game = replay->game;
    int rc = kept_lines_read(db, home->id, buf_str(&game->folder), NULL, INT64_MAX, &lines, err);

    if (rc == 0)
        rc = exchange_folder_open_lines(&replay->folder, dir, buf_str(&lines), err);
    if (rc || !replay->folder.has_plan)
        return rc;
    replay->scratch = mem_new(sizeof(*replay->scratch));
    return replay->scratch
               ? kept_lines_hear_game(home, buf_str(&game->folder), (uint64_t)game->place,
                                      &listener, replay->scratch, err)
               : no_memory(err);
}

static int replay(Db *db, const ContestHome *home, const SiteGame *game, Replay *ret, Err *err)
{
    CLEANUP(buf_done) Buf dir = {0};
    Err own = {0};
    int rc = contest_home_path(home, buf_cstr(&game->folder), &dir, err);

    if (rc)
        return rc;
    ret->game = game;
    if (game->exchange_digest.len && game->place >= 0)
        rc = read_game(db, home, buf_cstr(&dir), ret, &own);
    if (rc == ERR_MEMORY)
        return no_memory(err);
    if (rc)
        buf_printf(&ret->verdict, "not replayed: %s", own.msg);
    if (!ret->verdict.len)
        buf_add(&ret->verdict, STR("not replayed: the game has no exchange record"));
    return buf_failed(&ret->verdict) ? no_memory(err) : 0;
}

static int put_game(Db *db, const ContestHome *home, const AppealRow *row, Json *json, Err *err)
{
    CLEANUP(site_game_done) SiteGame game = {.contest = 0};
    CLEANUP(replay_done) Replay again = {.game = NULL};
    int rc = site_game_find(db, row->object, &game, err);

    if (rc == 0)
        rc = replay(db, home, &game, &again, err);
    if (rc)
        return rc;
    json_add_str(json, "stage", buf_str(&game.stage));
    json_add_int(json, "set", game.set);
    json_add_int(json, "game", game.number);
    json_add_str(json, "log", buf_str(&game.log));
    json_add_str(json, "log_sha256", buf_str(&game.log_digest));
    json_add_str(json, "exchange_sha256", buf_str(&game.exchange_digest));
    json_add_str(json, "replay", buf_str(&again.verdict));
    return put_seats(db, row->object, row->team, json, err);
}

static int put_finding(Db *db, const AppealRow *row, Json *json, Err *err)
{
    CLEANUP(buf_done) Buf evidence = {0};
    int rc = db_ask_text(db, &evidence, NULL, err, "SELECT evidence FROM finding WHERE id = ?1",
                         "i", row->object);

    json_key(json, STR("evidence"));
    json_put_raw(json, evidence.len ? buf_str(&evidence) : STR("[]"));
    return rc;
}

/* The checkpoint says what the ranking of that moment follows from. */
static int put_rank(Db *db, const AppealRow *row, Json *json, Err *err)
{
    uint64_t size = 0;
    int rc = site_ledger_size(db, row->contest, &size, err);

    json_add_uint(json, "ledger", size);
    return rc;
}

/* A store that reads its journal once more (site_store.c) will know where the game stands. */
static int has_to_wait(Db *db, const ContestHome *home, const AppealRow *row, bool *ret_waits,
                       Err *err)
{
    const ImportFolder folder = {.home = *home, .folder = STAGE_FOLDER};
    CLEANUP(site_game_done) SiteGame game = {.contest = 0};
    bool whole = true;
    int rc = row->about == APPEAL_GAME ? site_game_find(db, row->object, &game, err) : 0;

    if (rc == 0 && game.place < 0 && str_eq(buf_str(&game.folder), STR(STAGE_FOLDER)))
        rc = import_is_whole(db, &folder, &whole, err);
    *ret_waits = !whole;
    return rc;
}

int appeal_gather(Db *db, const ContestHome *home, int64_t appeal, Err *err)
{
    CLEANUP(row_done) AppealRow row = {.id = 0};
    CLEANUP(buf_done) Buf text = {0};
    Json json = json_over(&text);
    bool waits = false;
    int rc = find_row(db, appeal, &row, err);

    if (rc == 0)
        rc = has_to_wait(db, home, &row, &waits, err);
    if (rc || waits)
        return rc;
    json_open(&json, '{');
    if (row.about == APPEAL_GAME)
        rc = put_game(db, home, &row, &json, err);
    else if (row.about == APPEAL_FINDING)
        rc = put_finding(db, &row, &json, err);
    else
        rc = put_rank(db, &row, &json, err);
    json_close(&json);
    if (rc == 0 && buf_failed(&text))
        rc = no_memory(err);
    return rc ? rc
              : db_run(db, err, "UPDATE appeal SET evidence = ?2 WHERE id = ?1", "it", appeal,
                       buf_str(&text));
}

int appeal_next_to_gather(Db *db, int64_t contest, int64_t *ret_appeal, Err *err)
{
    return db_ask(db, 0, ret_appeal, err,
                  "SELECT appeal.id FROM appeal JOIN team ON team.id = appeal.team"
                  " WHERE team.contest = ?1 AND appeal.evidence IS NULL ORDER BY appeal.id LIMIT 1",
                  "i", contest);
}

/* ---- closed ---- */

/* A game of a stage from which it followed who plays the next can't be taken back. */
static int check_last_stage(Db *db, const SiteGame *game, Err *err)
{
    int64_t later = 0;

    if (site_game_is_of_track(buf_str(&game->folder))) /* from a track it follows of no other */
        return 0;
    int rc = db_ask(db, 0, &later, err,
                    "SELECT 1 FROM run WHERE contest = ?1 AND stage <> ?2 AND stage <> 'testing'"
                    " AND id > (SELECT MAX(id) FROM run WHERE contest = ?1 AND stage = ?2)",
                    "it", game->contest, buf_str(&game->stage));

    if (rc == 0 && later)
        rc =
            err_set(err, ERR_RULE,
                    "decision: the stage behind %s has begun: who plays it followed from this one, "
                    "and stays",
                    buf_cstr(&game->stage));
    return rc;
}

/* What an appeal of another team has brought about already, whether or not it is carried out. */
static int find_void(Db *db, int64_t contest, Str stage, Str what, int64_t number, int64_t *ret_id,
                     Err *err)
{
    return db_ask(db, 0, ret_id, err,
                  "SELECT MIN(id) FROM ruling WHERE contest = ?1 AND stage_name = ?2 AND rule = ?3"
                  " AND game = ?4 AND decision = 'void' AND failed IS NULL",
                  "itti", contest, stage, what, number);
}

static int make_void(Db *db, const AppealRow *row, bool whole_set, Str answer, int64_t account,
                     int64_t now_ms, Err *err)
{
    CLEANUP(site_game_done) SiteGame game = {.contest = 0};
    char number[24];
    int64_t there = 0;
    int rc = site_game_find(db, row->object, &game, err);

    if (rc == 0 && game.round)
        rc = err_set(err, ERR_RULE,
                     "object: a game of a testing round, or of one more among who is tied, is in "
                     "no ranking");
    if (rc == 0 && !game.counts)
        rc = err_set(err, ERR_RULE, "object: the game counts for nobody as it is");
    if (rc == 0)
        rc = check_last_stage(db, &game, err);
    if (rc)
        return rc;
    whole_set &= !site_game_is_of_track(buf_str(&game.folder)); /* a game there is its own set */
    const int64_t target = whole_set ? game.set : game.number;
    const Str what = whole_set ? STR("set") : STR("game");
    snprintf(number, sizeof(number), "%" PRId64, target);
    rc = find_void(db, row->contest, buf_str(&game.stage), what, target, &there, err);
    if (rc || there)
        return rc;
    rc = db_run(db, err,
                "INSERT INTO ruling(appeal, team, decision, reason, account, at, contest,"
                " stage_name, rule, game)"
                " VALUES(?1, ?2, 'void', ?3, NULLIF(?4, 0), ?5, ?6, ?7, ?8, ?9)",
                "iitiiitti", row->id, row->team, answer, account, now_ms, row->contest,
                buf_str(&game.stage), what, target);
    return rc ? rc
              : site_ledger_add_texts(db, row->contest, now_ms, "ruling", err, "about", what,
                                      "stage", buf_str(&game.stage), "number", str_of(number),
                                      "decision", STR("void"), "reason", answer, NULL);
}

static int grant_appeal(Db *db, const AppealRow *row, bool whole_set, Str answer, int64_t account,
                        int64_t now_ms, Err *err)
{
    switch (row->about) {
    case APPEAL_FINDING:
        return finding_rule(db, row->object, row->id, RULING_DISMISS, answer, account, now_ms, err);
    case APPEAL_GAME:
        return make_void(db, row, whole_set, answer, account, now_ms, err);
    case APPEAL_RANK:
    case APPEAL_ABOUTS:
        break;
    }
    /* Of a rank there is nothing to change: it follows from games and rulings. */
    return 0;
}

int appeal_close(Db *db, int64_t appeal, bool grant, bool whole_set, Str answer, int64_t account,
                 int64_t now_ms, Err *err)
{
    CLEANUP(row_done) AppealRow row = {.id = 0};
    const Str state = grant ? STR("GRANTED") : STR("REFUSED");
    int rc = find_row(db, appeal, &row, err);

    if (rc == 0 && !row.open)
        rc = err_set(err, ERR_RULE, "appeal: it is closed");
    if (rc == 0)
        rc = ruling_reason_check(answer, err);
    if (rc == 0 && grant)
        rc = grant_appeal(db, &row, whole_set, answer, account, now_ms, err);
    if (rc == 0)
        rc = db_run(db, err, "UPDATE appeal SET state = ?2, closed = ?3, answer = ?4 WHERE id = ?1",
                    "itit", appeal, state, now_ms, answer);
    if (rc == 0)
        rc = tell_closed(db, &row, grant, answer, now_ms, err);
    return rc ? rc
              : site_ledger_add_texts(db, row.contest, now_ms, "appeal", err, "team",
                                      buf_str(&row.team_name), "about",
                                      str_of(about_names[row.about]), "decision",
                                      grant ? STR("grant") : STR("refuse"), "reason", answer, NULL);
}

/* ---- shown ---- */

int appeals_open(Db *db, int64_t contest, uint32_t *ret_count, Err *err)
{
    int64_t count = 0;
    int rc = db_ask(db, 0, &count, err,
                    "SELECT COUNT(*) FROM appeal JOIN team ON team.id = appeal.team"
                    " WHERE team.contest = ?1 AND appeal.state = 'OPEN'",
                    "i", contest);

    *ret_count = (uint32_t)count;
    return rc;
}

static void add_id(Json *json, const char *key, int64_t id)
{
    char text[24];

    snprintf(text, sizeof(text), "%" PRId64, id);
    json_add_str(json, key, str_of(text));
}

static void add_date(Json *json, const char *key, int64_t ms)
{
    char room[DATE_TEXT_ROOM];

    json_add_str(json, key, date_text_write(ms < 0 ? 0 : ms, room));
}

static void put_appeal(const DbQuery *query, Json *json)
{
    json_open(json, '{');
    add_id(json, "id", db_int(query, 0));
    json_add_str(json, "team", db_text(query, 1));
    json_add_str(json, "about", db_text(query, 2));
    add_id(json, "object", db_int(query, 3));
    json_add_str(json, "text", db_text(query, 4));
    json_add_str(json, "state", db_text(query, 5));
    add_date(json, "opened", db_int(query, 6));
    if (!db_is_null(query, 7))
        add_date(json, "closed", db_int(query, 7));
    if (!db_is_null(query, 8))
        json_add_str(json, "answer", db_text(query, 8));
    if (!db_is_null(query, 9)) {
        json_key(json, STR("evidence"));
        json_put_raw(json, db_text(query, 9));
    }
    json_close(json);
}

int appeals_write(Db *db, int64_t contest, int64_t team, Json *json, Err *err)
{
    CLEANUP(db_query_freep) DbQuery *query = NULL;
    int rc = db_query_with(db, &query, err,
                           "SELECT appeal.id, team.name, appeal.about, appeal.object, appeal.text,"
                           " appeal.state, appeal.opened, appeal.closed, appeal.answer,"
                           " appeal.evidence FROM appeal JOIN team ON team.id = appeal.team"
                           " WHERE team.contest = ?1 AND (?2 = 0 OR appeal.team = ?2)"
                           " ORDER BY appeal.id",
                           "ii", contest, team);

    json_open(json, '[');
    while (rc == 0 && (rc = db_step(query, err)) == 1) {
        put_appeal(query, json);
        rc = 0;
    }
    json_close(json);
    return rc;
}
