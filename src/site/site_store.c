#include "site/site_store.h"

#include "base/buf.h"
#include "disk/disk_call.h"
#include "store/db_row.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Times are milliseconds since 1970. Only what is behind an id is personal, so that an account can
 * be erased: the ledger and the logs have no more than a team's name. */
static const char people_tables[] =
    "CREATE TABLE meta(key TEXT PRIMARY KEY, value TEXT) STRICT;"
    "CREATE TABLE account(id ID, login TEXT UNIQUE, name TEXT, mail TEXT, mail_ok INT NOT NULL "
    "DEFAULT 0,"
    " hash TEXT, language TEXT, created INT NOT NULL, disabled INT, erased INT) STRICT;"
    "CREATE TABLE login(token BLOB PRIMARY KEY, account INT NOT NULL REFERENCES account(id),"
    " created INT NOT NULL, seen INT NOT NULL, ends INT NOT NULL, address TEXT) STRICT;"
    "CREATE INDEX login_account ON login(account);"
    "CREATE TABLE token(hash BLOB PRIMARY KEY, account INT NOT NULL REFERENCES account(id), label "
    "TEXT,"
    " scope TEXT NOT NULL, ends INT, used INT) STRICT;"
    "CREATE TABLE once(hash BLOB PRIMARY KEY, account INT REFERENCES account(id), kind TEXT NOT "
    "NULL,"
    " data TEXT, ends INT NOT NULL, used INT) STRICT;"
    "CREATE TABLE contest(id ID, name TEXT NOT NULL UNIQUE, state TEXT NOT NULL,"
    " paused INT NOT NULL DEFAULT 0, file TEXT NOT NULL, digest TEXT NOT NULL, public_key BLOB,"
    " changed INT NOT NULL) STRICT;"
    /* contest 0: the whole server */
    "CREATE TABLE role(account INT NOT NULL REFERENCES account(id), contest INT NOT NULL,"
    " role TEXT NOT NULL, PRIMARY KEY(account, contest, role)) STRICT;"
    "CREATE TABLE team(id ID, contest INT NOT NULL REFERENCES contest(id), name TEXT NOT NULL,"
    " affiliation TEXT, consent TEXT, state TEXT NOT NULL, created INT NOT NULL,"
    " UNIQUE(contest, name)) STRICT;"
    "CREATE TABLE member(team INT NOT NULL REFERENCES team(id), account INT NOT NULL REFERENCES "
    "account(id),"
    " captain INT NOT NULL, PRIMARY KEY(team, account)) STRICT;"
    "CREATE INDEX member_account ON member(account);"
    "CREATE TABLE lot(team INT NOT NULL REFERENCES team(id), stage TEXT NOT NULL, value BLOB NOT "
    "NULL,"
    " at INT NOT NULL, PRIMARY KEY(team, stage)) STRICT;"
    "CREATE TABLE version(id ID, team INT NOT NULL REFERENCES team(id), number INT NOT NULL,"
    " language TEXT NOT NULL, entry TEXT, note TEXT, blob TEXT, bytes INT, tree TEXT, state TEXT "
    "NOT NULL,"
    " why TEXT, report TEXT, account INT REFERENCES account(id), at INT NOT NULL,"
    " UNIQUE(team, number)) STRICT;"
    "CREATE TABLE document(id ID, team INT NOT NULL REFERENCES team(id), kind TEXT NOT NULL,"
    " number INT NOT NULL, blob TEXT NOT NULL, media TEXT, licence TEXT, at INT NOT NULL,"
    " UNIQUE(team, kind, number)) STRICT;";

static const char play_tables[] =
    "CREATE TABLE job(id TEXT PRIMARY KEY, contest INT REFERENCES contest(id), kind TEXT NOT NULL,"
    " spec TEXT NOT NULL, state TEXT NOT NULL, tries INT NOT NULL DEFAULT 0, created INT NOT NULL,"
    " began INT, ended INT, result TEXT) STRICT;"
    "CREATE TABLE run(id ID, contest INT NOT NULL REFERENCES contest(id), stage TEXT NOT NULL,"
    " part INT NOT NULL, round INT NOT NULL, job TEXT, folder TEXT NOT NULL, games INT NOT NULL,"
    " counted INT NOT NULL, level TEXT, UNIQUE(contest, stage, part, round)) STRICT;"
    "CREATE TABLE game(id ID, run INT NOT NULL REFERENCES run(id), set_number INT NOT NULL,"
    " game INT NOT NULL, ended INT, winner TEXT, counted INT NOT NULL, void_by INT, log TEXT,"
    " log_digest TEXT, exchange_digest TEXT, UNIQUE(run, game)) STRICT;"
    "CREATE TABLE seat(game INT NOT NULL REFERENCES game(id), seat INT NOT NULL,"
    " team INT REFERENCES team(id), version INT REFERENCES version(id), role TEXT NOT NULL,"
    " won INT NOT NULL, failed INT NOT NULL, faults INT NOT NULL, excesses INT NOT NULL,"
    " waited_ms INT NOT NULL, PRIMARY KEY(game, seat)) STRICT;"
    "CREATE INDEX seat_team ON seat(team);"
    "CREATE TABLE finding(id ID, contest INT NOT NULL REFERENCES contest(id), team INT REFERENCES "
    "team(id),"
    " version INT REFERENCES version(id), run INT REFERENCES run(id), game INT, rule TEXT NOT NULL,"
    " at INT NOT NULL, text TEXT, evidence TEXT, state TEXT NOT NULL) STRICT;"
    "CREATE TABLE appeal(id ID, team INT NOT NULL REFERENCES team(id), about TEXT NOT NULL, object "
    "INT,"
    " text TEXT, state TEXT NOT NULL, opened INT NOT NULL, closed INT, answer TEXT) STRICT;"
    "CREATE TABLE ruling(id ID, finding INT REFERENCES finding(id), appeal INT REFERENCES "
    "appeal(id),"
    " team INT REFERENCES team(id), decision TEXT NOT NULL, reason TEXT NOT NULL,"
    " account INT REFERENCES account(id), at INT NOT NULL) STRICT;"
    "CREATE TABLE sheet(id ID, contest INT NOT NULL REFERENCES contest(id), track TEXT NOT NULL,"
    " game INT NOT NULL REFERENCES game(id), criteria TEXT NOT NULL, judge INT REFERENCES "
    "account(id),"
    " model TEXT, repeat INT NOT NULL DEFAULT 0, seats TEXT NOT NULL, state TEXT NOT NULL, at INT) "
    "STRICT;"
    "CREATE TABLE rating(sheet INT NOT NULL REFERENCES sheet(id), criterion TEXT NOT NULL,"
    " seat INT NOT NULL, rank INT, score INT, reason TEXT, PRIMARY KEY(sheet, criterion, seat)) "
    "STRICT;"
    "CREATE TABLE notice(id ID, contest INT REFERENCES contest(id), account INT REFERENCES "
    "account(id),"
    " channel TEXT NOT NULL, kind TEXT NOT NULL, body TEXT NOT NULL, due INT NOT NULL, sent INT,"
    " tries INT NOT NULL DEFAULT 0, error TEXT) STRICT;"
    "CREATE INDEX notice_due ON notice(sent, due);"
    "CREATE TABLE event(id ID, contest INT, account INT, address TEXT, verb TEXT NOT NULL, object "
    "TEXT,"
    " detail TEXT, at INT NOT NULL) STRICT;"
    "CREATE TABLE ledger(contest INT NOT NULL REFERENCES contest(id), n INT NOT NULL, leaf BLOB "
    "NOT NULL,"
    " line TEXT NOT NULL, PRIMARY KEY(contest, n)) STRICT;"
    "CREATE TABLE checkpoint(contest INT NOT NULL REFERENCES contest(id), size INT NOT NULL,"
    " root BLOB NOT NULL, note TEXT NOT NULL, at INT NOT NULL, PRIMARY KEY(contest, size)) STRICT;";

/* What is told of stages' chance, of conduct and of appeals, besides. `follow`: how much of a
 * contest's journal is in the ledger. */
static const char proof_tables[] =
    "ALTER TABLE lot ADD COLUMN opened BLOB;"
    "ALTER TABLE lot ADD COLUMN opened_at INT;"
    "CREATE TABLE lottery(contest INT NOT NULL REFERENCES contest(id), stage TEXT NOT NULL,"
    " closed INT NOT NULL, ends INT NOT NULL, awaits TEXT, beacon TEXT, settled INT,"
    " PRIMARY KEY(contest, stage)) STRICT;"
    "CREATE TABLE follow(contest INT PRIMARY KEY REFERENCES contest(id), bytes INT NOT NULL,"
    " lines INT NOT NULL) STRICT;"
    "CREATE TABLE conduct(contest INT NOT NULL REFERENCES contest(id), stage INT NOT NULL,"
    " agent TEXT NOT NULL, games INT NOT NULL, counts TEXT NOT NULL,"
    " PRIMARY KEY(contest, stage, agent)) STRICT;"
    "ALTER TABLE finding ADD COLUMN stage INT;"
    "ALTER TABLE finding ADD COLUMN count INT;"
    "ALTER TABLE finding ADD COLUMN games INT;"
    "ALTER TABLE finding ADD COLUMN answer TEXT;"
    "ALTER TABLE finding ADD COLUMN answered INT;"
    "CREATE INDEX finding_contest ON finding(contest, stage, team);"
    "ALTER TABLE appeal ADD COLUMN evidence TEXT;"
    "ALTER TABLE ruling ADD COLUMN contest INT;"
    "ALTER TABLE ruling ADD COLUMN stage INT;"
    "ALTER TABLE ruling ADD COLUMN rule TEXT;"
    "ALTER TABLE ruling ADD COLUMN game INT;"
    "ALTER TABLE ruling ADD COLUMN applied INT;";

/* Of two notices with one mark the first counts; a team's way to hear of them, and what it has
 * switched off. */
static const char notice_columns[] = "ALTER TABLE notice ADD COLUMN team INT;"
                                     "ALTER TABLE notice ADD COLUMN mark TEXT;"
                                     "CREATE UNIQUE INDEX notice_mark ON notice(mark);"
                                     "CREATE INDEX notice_team ON notice(team);"
                                     "ALTER TABLE team ADD COLUMN webhook TEXT;"
                                     "ALTER TABLE team ADD COLUMN hook_secret TEXT;"
                                     "ALTER TABLE team ADD COLUMN quiet TEXT;";

/* What games add up to, so that no page adds them up; how far a folder's journal was read; who
 * plays with what; how far stages and testing rounds are. */
static const char table_tables[] =
    "ALTER TABLE seat ADD COLUMN excused INT NOT NULL DEFAULT 0;"
    "CREATE TABLE score(contest INT NOT NULL REFERENCES contest(id), stage TEXT NOT NULL,"
    " number INT NOT NULL, players INT NOT NULL, team INT NOT NULL REFERENCES team(id),"
    " role TEXT NOT NULL, games INT NOT NULL, wins INT NOT NULL, failed INT NOT NULL,"
    " faults INT NOT NULL, excesses INT NOT NULL, excused INT NOT NULL,"
    " PRIMARY KEY(contest, stage, players, team, role)) STRICT;"
    "CREATE TABLE imported(contest INT NOT NULL REFERENCES contest(id), folder TEXT NOT NULL,"
    " bytes INT NOT NULL, lines INT NOT NULL, plan TEXT NOT NULL, PRIMARY KEY(contest, folder)) "
    "STRICT;"
    "CREATE TABLE program(contest INT NOT NULL REFERENCES contest(id), stage TEXT NOT NULL,"
    " round INT NOT NULL, team INT NOT NULL REFERENCES team(id), version INT REFERENCES "
    "version(id),"
    " tree TEXT NOT NULL, PRIMARY KEY(contest, stage, round, team)) STRICT;"
    "CREATE TABLE play(contest INT NOT NULL REFERENCES contest(id), stage TEXT NOT NULL,"
    " round INT NOT NULL, job TEXT, state TEXT NOT NULL, began INT NOT NULL, ended INT,"
    " detail TEXT, PRIMARY KEY(contest, stage, round)) STRICT;"
    "CREATE TABLE advance(contest INT NOT NULL REFERENCES contest(id), stage TEXT NOT NULL,"
    " team INT NOT NULL REFERENCES team(id), place INT NOT NULL, PRIMARY KEY(contest, stage, "
    "team)) "
    "STRICT;";

static const char track_tables[] =
    "ALTER TABLE sheet ADD COLUMN calibration INT;"
    "CREATE INDEX sheet_judge ON sheet(contest, judge);"
    "CREATE TABLE entrant(team INT NOT NULL REFERENCES team(id), track TEXT NOT NULL,"
    " state TEXT NOT NULL, away_from INT, away_to INT, at INT NOT NULL,"
    " PRIMARY KEY(team, track)) STRICT;";

static const char finalist_column[] = "ALTER TABLE team ADD COLUMN finalist INT;";

/* The stage by its name, for who reads the store. */
static const char finding_names[] = "ALTER TABLE finding ADD COLUMN stage_name TEXT;"
                                    "ALTER TABLE ruling ADD COLUMN stage_name TEXT;";

/* The bundle that was asked for last, of a ledger of so many entries. */
static const char publication_table[] =
    "CREATE TABLE publication(contest INT PRIMARY KEY REFERENCES contest(id), job TEXT NOT NULL,"
    " size INT NOT NULL, state TEXT NOT NULL, manifest TEXT, why TEXT, at INT NOT NULL) STRICT;";

/* What is looked for each second, or on a page, in tables that grow. */
static const char page_indexes[] = "DROP INDEX seat_team;"
                                   "CREATE INDEX seat_team ON seat(team, game);"
                                   "CREATE INDEX job_open ON job(created) WHERE ended IS NULL;"
                                   "CREATE INDEX job_contest ON job(contest, created);"
                                   "CREATE INDEX version_blob ON version(blob);"
                                   "CREATE INDEX event_contest ON event(contest, id);"
                                   "CREATE INDEX event_account ON event(account);"
                                   "CREATE INDEX notice_account ON notice(account, id);"
                                   "CREATE INDEX ruling_team ON ruling(team);"
                                   "CREATE INDEX ruling_finding ON ruling(finding);"
                                   "CREATE INDEX appeal_team ON appeal(team);"
                                   "CREATE INDEX token_account ON token(account);";

/* Who plays in the stages of a contest: fixed when the first one begins. */
static const char player_table[] =
    "CREATE TABLE player(contest INT NOT NULL REFERENCES contest(id),"
    " team INT NOT NULL REFERENCES team(id), PRIMARY KEY(contest, team)) STRICT;";

/* What programs of a folder run in, as its journal said last. */
static const char import_level[] = "ALTER TABLE imported ADD COLUMN level TEXT;";

/* Contest files that held before they were amended, of contests that were open. */
static const char amended_table[] =
    "CREATE TABLE amended(contest INT NOT NULL REFERENCES contest(id), digest TEXT NOT NULL,"
    " file TEXT NOT NULL, PRIMARY KEY(contest, digest)) STRICT;";

/* Where in its journal a game stands, and lines that are asked for again, so that nobody reads all
 * of it; how long the files beside a journal are. What was read before is read once more. */
static const char kept_lines[] =
    "ALTER TABLE game ADD COLUMN place INT;"
    "CREATE INDEX game_set ON game(run, set_number);"
    "CREATE TABLE kept_line(contest INT NOT NULL REFERENCES contest(id), folder TEXT NOT NULL,"
    " place INT NOT NULL, kind TEXT NOT NULL, line TEXT NOT NULL,"
    " PRIMARY KEY(contest, folder, place)) STRICT;"
    "ALTER TABLE imported ADD COLUMN faults INT NOT NULL DEFAULT 0;"
    "ALTER TABLE imported ADD COLUMN findings INT NOT NULL DEFAULT 0;"
    "ALTER TABLE imported ADD COLUMN ended INT NOT NULL DEFAULT 0;"
    "UPDATE imported SET bytes = 0, lines = 0;";

/* Games that a team played to their end itself, and that were ruled void. Those that are void
 * already (VOID_BY_DESK) by a ruling of the store become VOID_BY_RULING, which counts: whoever
 * reads their lines once more finds that there is nothing to do. */
static const char score_void[] =
    "ALTER TABLE score ADD COLUMN ruled_void INT NOT NULL DEFAULT 0;"
    "UPDATE game SET void_by = -2 WHERE void_by = -1 AND EXISTS(SELECT 1 FROM run JOIN ruling"
    " ON ruling.contest = run.contest AND ruling.stage_name = run.stage"
    " WHERE run.id = game.run AND run.folder = 'play' AND run.round = 0 AND ruling.decision = "
    "'void'"
    " AND ruling.applied IS NOT NULL AND ((ruling.rule = 'game' AND ruling.game = game.game)"
    " OR (ruling.rule = 'set' AND ruling.game = game.set_number)));"
    "UPDATE score SET ruled_void = (SELECT COUNT(*) FROM game JOIN run ON run.id = game.run"
    " JOIN seat ON seat.game = game.id WHERE game.void_by = -2 AND run.contest = score.contest"
    " AND run.stage = score.stage AND seat.team = score.team AND seat.role = score.role"
    " AND seat.failed = 0 AND score.players = (SELECT COUNT(*) FROM seat other"
    " WHERE other.game = game.id));";

/* Why a journal can't have a ruling, and what an organiser says to that. */
static const char ruling_failed[] =
    "ALTER TABLE ruling ADD COLUMN failed TEXT;"
    "ALTER TABLE ruling ADD COLUMN closed TEXT;"
    "UPDATE ruling SET failed = 'its stage was not played' WHERE applied IS NOT NULL"
    " AND decision = 'void' AND NOT EXISTS(SELECT 1 FROM run WHERE run.contest = ruling.contest"
    " AND run.stage = ruling.stage_name AND run.round = 0);";

static const DbMigration migrations[] = {
    {"people, contests and what teams hand in", people_tables},
    {"what is played, judged and proven", play_tables},
    {"lots, conduct and appeals", proof_tables},
    {"notices that are told once, and to webhooks", notice_columns},
    {"tracks and their teams, calibration of judges", track_tables},
    {"standings, stages and testing rounds", table_tables},
    {"finalists", finalist_column},
    {"names of stages in findings", finding_names},
    {"what is published", publication_table},
    {"indexes of pages", page_indexes},
    {"players of stages", player_table},
    {"cells of folders", import_level},
    {"what was amended", amended_table},
    {"where games stand in journals", kept_lines},
    {"void games in standings", score_void},
    {"rulings that were not carried out", ruling_failed},
};

#define MIGRATIONS ((int)(sizeof(migrations) / sizeof(migrations[0])))

/* As people write one; a file of such a name can be meant by ./ in front. */
bool site_store_is_server(const char *place)
{
    static const char *const starts[] = {
        "postgresql://", "postgres://", "host=", "hostaddr=", "dbname=", "service="};

    for (size_t i = 0; i < sizeof(starts) / sizeof(starts[0]); i++)
        if (str_starts(str_of(place), str_of(starts[i])))
            return true;
    return false;
}

/* Before SQLite makes it with the mode that the process leaves open. */
static int make_private_file(const char *path, Err *err)
{
    int fd = disk_open(path, O_RDWR | O_CREAT, 0600);

    if (fd < 0)
        return err_set(err, ERR_IO, "open '%s': %s", path, strerror(errno));
    disk_close(fd);
    return 0;
}

static int open_place(const char *place, Db **ret_db, Err *err)
{
    CLEANUP(db_closep) Db *db = NULL;
    int rc = 0;

    if (site_store_is_server(place))
        rc = db_open_server(place, &db, err);
    else {
        rc = make_private_file(place, err);
        if (rc == 0)
            rc = db_open(place, true, &db, err);
        /* What the ledger's file says must not be gone from the store when the power is. */
        if (rc == 0)
            rc = db_exec(db, "PRAGMA synchronous = FULL", err);
        /* What is erased is not left in free pages. */
        if (rc == 0)
            rc = db_exec(db, "PRAGMA secure_delete = ON", err);
    }
    if (rc == 0)
        *ret_db = TAKE(db);
    return rc;
}

/* A copy of the file as it is, PLACE.before-N for its N steps, unless there is one. Of PostgreSQL
 * whoever runs it makes one: docs/contest-site.md. */
static int copy_before(Db *db, const char *place, int has, Err *err)
{
    CLEANUP(buf_done) Buf copy = {0};

    buf_printf(&copy, "%s.before-%d", place, has);
    if (buf_failed(&copy))
        return err_set(err, ERR_MEMORY, "store: out of memory");
    if (access(buf_cstr(&copy), F_OK) == 0)
        return 0;
    int rc = make_private_file(buf_cstr(&copy), err); /* SQLite fills an empty one */
    return rc ? rc : db_copy_to(db, buf_cstr(&copy), err);
}

int site_store_open(const char *place, Db **ret_db, Err *err)
{
    CLEANUP(db_closep) Db *db = NULL;
    int has = 0;
    int rc = open_place(place, &db, err);

    if (rc == 0)
        rc = db_migration_count(db, &has, err);
    if (rc == 0 && has > 0 && has < MIGRATIONS && !site_store_is_server(place))
        rc = copy_before(db, place, has, err);
    if (rc == 0)
        rc = db_migrate(db, migrations, MIGRATIONS, err);
    if (rc == 0)
        *ret_db = TAKE(db);
    return rc;
}

int site_store_open_old(const char *place, int steps, Db **ret_db, Err *err)
{
    CLEANUP(db_closep) Db *db = NULL;
    int rc = open_place(place, &db, err);

    if (rc == 0)
        rc = db_migrate(db, migrations, steps < MIGRATIONS ? steps : MIGRATIONS, err);
    if (rc == 0)
        *ret_db = TAKE(db);
    return rc;
}

static uint64_t file_bytes(const char *path)
{
    struct stat about;

    return lstat(path, &about) == 0 ? (uint64_t)about.st_size : 0;
}

int site_store_bytes(Db *db, const char *place, uint64_t *ret_bytes, Err *err)
{
    CLEANUP(buf_done) Buf log = {0};
    int64_t bytes = 0;

    if (db_is_server(db)) {
        int rc = db_ask(db, 0, &bytes, err, "SELECT pg_database_size(current_database())", "");
        *ret_bytes = (uint64_t)bytes;
        return rc;
    }
    buf_printf(&log, "%s-wal", place);
    if (buf_failed(&log))
        return err_set(err, ERR_MEMORY, "store: out of memory");
    *ret_bytes = file_bytes(place) + file_bytes(buf_cstr(&log));
    return 0;
}

int site_store_check(Db *db, int *ret_has, int *ret_knows, Err *err)
{
    *ret_knows = MIGRATIONS;
    return db_migration_count(db, ret_has, err);
}
