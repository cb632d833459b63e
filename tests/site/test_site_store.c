#include "site_places.h"

#include "base/buf.h"
#include "store/db_row.h"

/* One line of the specification's tables: "name(column TYPE ..., ...)". */
static void assert_table(Db *db, Str line)
{
    CLEANUP(buf_done) Buf sql = {0};
    CLEANUP(db_query_freep) DbQuery *query = NULL;
    Str rest = line, name = str_cut(&rest, '(');
    unsigned columns = 0;
    int depth = 0;
    Err err = {0};

    buf_add(&sql, STR("SELECT "));
    for (size_t at = 0, begin = 0; at < rest.len; at++) {
        char c = rest.bytes[at];
        bool ends = depth == 0 && (c == ',' || c == ')');
        depth += (c == '(') - (c == ')' && depth > 0);
        if (!ends)
            continue;
        Str column = str_trim(str_part(rest, begin, at - begin)), word = str_cut(&column, ' ');
        begin = at + 1;
        if (!str_starts(word, STR("PRIMARY")) && !str_starts(word, STR("UNIQUE")) && word.len)
            buf_printf(&sql, "%s%.*s", columns++ ? ", " : "", STR_ARG(word));
        if (c == ')')
            break;
    }
    buf_printf(&sql, " FROM %.*s", STR_ARG(name));
    if (db_query(db, buf_cstr(&sql), &query, &err))
        fail_msg("%s: %s", buf_cstr(&sql), err.msg);
    assert_true(columns >= 2);
    assert_int_equal(db_step(query, &err), 0);
}

static void all_tables_of_the_specification_are_there(void **state)
{
    CLEANUP(db_closep) Db *db = site_place_open(state);
    const char *source = getenv("WARG_SOURCE");
    char path[512], line[2000];
    unsigned tables = 0;
    bool inside = false;

    snprintf(path, sizeof(path), "%s/docs/spec/contest-operations.md", source ? source : ".");
    FILE *file = fopen(path, "r");
    if (!file) {
        fail_msg("%s can't be read", path);
        return;
    }
    while (fgets(line, sizeof(line), file)) {
        if (inside && strncmp(line, "```", 3) == 0)
            break;
        inside |= strncmp(line, "```sql", 6) == 0;
        if (!inside || line[0] == '`')
            continue;
        assert_table(db, str_of(line));
        tables++;
    }
    fclose(file);
    assert_true(tables >= 28); /* the reader finds them */
}

static void it_is_opened_again_as_it_was(void **state)
{
    Db *db = site_place_open(state);
    int has, knows;

    assert_int_equal(db_exec(db, "INSERT INTO account(login, created) VALUES('ann', 1)", NULL), 0);
    db_close(db);
    db = site_place_open(state);
    assert_int_equal(db_exec(db, "INSERT INTO account(login, created) VALUES('ann', 2)", NULL),
                     ERR_RULE);
    assert_int_equal(site_store_check(db, &has, &knows, NULL), 0);
    assert_int_equal(has, knows);
    assert_true(has > 0);
    db_close(db);
}

/* What belongs to something that is not there is refused, so that nothing is left behind. */
static void rows_hang_together(void **state)
{
    CLEANUP(db_closep) Db *db = site_place_open(state);
    const char *const orphans[] = {
        "INSERT INTO team(contest, name, state, created) VALUES(7, 'x', 'IN', 1)",
        "INSERT INTO member(team, account, captain) VALUES(7, 7, 1)",
        "INSERT INTO login(token, account, created, seen, ends) VALUES('', 7, 1, 1, 1)",
        ("INSERT INTO seat(game, seat, role, won, failed, faults, excesses, waited_ms) "
         "VALUES(7,1,'SEER',0,0,0,0,0)"),
        "INSERT INTO rating(sheet, criterion, seat) VALUES(7, 'A', 1)",
    };

    for (size_t i = 0; i < sizeof(orphans) / sizeof(orphans[0]); i++) {
        Err err = {0};
        int rc = db_exec(db, orphans[i], &err);
        if (i == 2 && rc == ERR_IO)
            continue; /* SQLite wants a blob there, and says so first */
        assert_int_equal(rc, ERR_RULE);
    }
}

static void others_can_not_read_the_file(void **state)
{
    SitePlace *place = *state;
    Db *db;
    struct stat about;

    umask(0);
    db = site_place_open(state);
    assert_int_equal(stat(place->path, &about), 0);
    assert_int_equal(about.st_mode & 0777, 0600);
    db_close(db);
}

/* O41: from each schema to this one, and nothing is lost; a copy of what was there is kept. */
static void a_store_of_each_earlier_program_is_brought_up_to_date(void **state)
{
    SitePlace *place = *state;
    CLEANUP(buf_done) Buf copy = {0};
    struct stat about;
    int has = 0, knows = 0;
    Db *db = site_place_open(state);

    assert_int_equal(site_store_check(db, &has, &knows, NULL), 0);
    db_close(db);
    for (int steps = 1; steps < knows; steps++) {
        Err err = {0};
        assert_int_equal(site_place_tear_down(state), 0);
        assert_int_equal(site_place_set_up(state), 0);
        assert_int_equal(site_store_open_old(place->path, steps, &db, &err), 0);
        assert_int_equal(db_exec(db, "INSERT INTO account(login, created) VALUES('ann', 7)", NULL),
                         0);
        assert_int_equal(site_store_check(db, &has, &knows, NULL), 0);
        assert_int_equal(has, steps);
        db_close(db);
        if (site_store_open(place->path, &db, &err))
            fail_msg("from step %d: %s", steps, err.msg);
        CLEANUP(db_query_freep) DbQuery *query = NULL;
        assert_int_equal(db_query(db, "SELECT created FROM account", &query, NULL), 0);
        assert_int_equal(db_step(query, NULL), 1);
        assert_true(db_int(query, 0) == 7);
        query = db_query_free(query);
        assert_int_equal(site_store_check(db, &has, &knows, NULL), 0);
        assert_int_equal(has, knows);
        db_close(db);
        buf_clear(&copy);
        buf_printf(&copy, "%s.before-%d", place->path, steps);
        if (place->server)
            continue;
        assert_int_equal(stat(buf_cstr(&copy), &about), 0);
        assert_int_equal(about.st_mode & 0777, 0600);
        assert_int_equal(db_open(buf_cstr(&copy), false, &db, NULL), 0);
        assert_int_equal(site_store_check(db, &has, &knows, NULL), 0);
        assert_int_equal(has, steps);
        db_close(db);
    }
}

/* One of before there were games that are ruled void, or rulings that fail. */
static Db *open_before(void **state, const char *migration)
{
    SitePlace *place = *state;
    CLEANUP(db_query_freep) DbQuery *query = NULL;
    Db *db = site_place_open(state);
    Err err = {0};

    assert_int_equal(db_query_with(db, &query, &err, "SELECT number FROM migration WHERE name = ?1",
                                   "t", str_of(migration)),
                     0);
    assert_int_equal(db_step(query, &err), 1);
    const int number = (int)db_int(query, 0);
    query = db_query_free(query);
    db_close(db);
    assert_int_equal(site_place_tear_down(state), 0);
    assert_int_equal(site_place_set_up(state), 0);
    if (site_store_open_old(place->path, number - 1, &db, &err))
        fail_msg("%s", err.msg);
    return db;
}

/* Games 1 (ruled void), 2 (counts), 3 (void, ruled by nobody), 4 and 5 (of the set that is void;
 * the last is not of the stage), 7 (of a track). The second team failed in game 1. */
static const char void_games[] =
    "INSERT INTO contest(id, name, state, file, digest, changed) VALUES(1, 'cup', 'RUN', '', '', "
    "0);"
    "INSERT INTO team(id, contest, name, state, created)"
    " VALUES(1, 1, 'a', 'IN', 1), (2, 1, 'b', 'IN', 1);"
    "INSERT INTO run(id, contest, stage, part, round, folder, games, counted) VALUES"
    "(1, 1, 'main', 0, 0, 'play', 4, 1), (2, 1, 'main', 0, 1, 'play', 1, 0),"
    "(3, 1, 'x', 0, 0, 'tracks/x/main/1', 1, 0);"
    "INSERT INTO game(id, run, set_number, game, counted, void_by) VALUES"
    "(1, 1, 0, 1, 0, -1), (2, 1, 0, 2, 1, NULL), (3, 1, 0, 3, 0, -1), (4, 1, 9, 90, 0, -1),"
    "(5, 2, 9, 90, 0, -1), (7, 3, 0, 7, 0, -1);"
    "INSERT INTO seat(game, seat, team, role, won, failed, faults, excesses, waited_ms)"
    " SELECT id, 1, 1, 'SEER', 0, 0, 0, 0, 0 FROM game;"
    "INSERT INTO seat(game, seat, team, role, won, failed, faults, excesses, waited_ms)"
    " SELECT id, 2, 2, 'WEREWOLF', 0, CASE WHEN id = 1 THEN 1 ELSE 0 END, 0, 0, 0 FROM game;"
    "INSERT INTO score(contest, stage, number, players, team, role, games, wins, failed, faults,"
    " excesses, excused) VALUES(1, 'main', 0, 2, 1, 'SEER', 1, 0, 0, 0, 0, 0),"
    "(1, 'main', 0, 3, 1, 'SEER', 1, 0, 0, 0, 0, 0),"
    "(1, 'main', 0, 2, 2, 'WEREWOLF', 1, 0, 0, 0, 0, 0);"
    "INSERT INTO ruling(id, contest, team, decision, reason, at, stage_name, rule, game, applied)"
    " VALUES(1, 1, 1, 'void', 'x', 1, 'main', 'game', 1, 1),"
    "(2, 1, 1, 'void', 'x', 1, 'main', 'set', 9, 1), (3, 1, 1, 'void', 'x', 1, 'main', 'game', 3,"
    " NULL), (4, 1, 1, 'void', 'x', 1, 'gone', 'game', 1, 1), (5, 1, 1, 'void', 'x', 1, 'gone',"
    " 'game', 1, NULL), (6, 1, 1, 'eliminate', 'x', 1, 'gone', 'late', NULL, 1),"
    "(7, 1, 1, 'void', 'x', 1, 'x', 'game', 7, 1)";

/* Nobody reads them again: what rulings of the older program made void is a team's own game. */
static void void_games_of_an_earlier_program_are_their_teams(void **state)
{
    Db *db = open_before(state, "void games in standings");
    Err err = {0};

    if (db_exec(db, void_games, &err))
        fail_msg("%s", err.msg);
    db_close(db);
    db = site_place_open(state);
    assert_int_equal(site_number(db, "SELECT ruled_void FROM score WHERE team = 1 AND players = 2"),
                     2);
    assert_int_equal(site_number(db, "SELECT ruled_void FROM score WHERE team = 1 AND players = 3"),
                     0);
    assert_int_equal(site_number(db, "SELECT ruled_void FROM score WHERE team = 2"), 1);
    assert_int_equal(site_number(db, "SELECT COUNT(*) FROM game WHERE void_by = -1"), 3);
    /* What no journal had is open. */
    assert_int_equal(site_number(db, "SELECT COUNT(*) FROM ruling WHERE failed IS NOT NULL"), 1);
    assert_int_equal(site_number(db, "SELECT id FROM ruling WHERE failed IS NOT NULL"), 4);
    db_close(db);
}

static void a_store_of_a_newer_program_is_refused(void **state)
{
    SitePlace *place = *state;
    Db *db = site_place_open(state);
    Err err = {0};
    int has = 0, knows = 0;

    assert_int_equal(site_store_check(db, &has, &knows, NULL), 0);
    assert_int_equal(
        db_exec(db, "INSERT INTO migration SELECT max(number) + 1, 'of tomorrow' FROM migration",
                &err),
        0);
    db_close(db);
    assert_int_equal(site_store_open(place->path, &db, &err), ERR_RULE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        ON_BOTH(all_tables_of_the_specification_are_there),
        ON_BOTH(it_is_opened_again_as_it_was),
        ON_BOTH(rows_hang_together),
        ON_BOTH(a_store_of_each_earlier_program_is_brought_up_to_date),
        ON_BOTH(void_games_of_an_earlier_program_are_their_teams),
        ON_BOTH(a_store_of_a_newer_program_is_refused),
        ON_SQLITE(others_can_not_read_the_file),
    };

    return cmocka_run_group_tests(tests, site_server_set_up, site_server_tear_down);
}
