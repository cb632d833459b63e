/* Games into the store, once: in one piece, in pieces, twice; voids; standings are those of the
 * journal. O5. */
#include "site_places.h"

#include "contest/contest_run.h"
#include "disk/file_replace.h"
#include "disk/folder.h"
#include "disk/log_file.h"
#include "net/loop.h"
#include "results/report_data.h"
#include "results/results.h"
#include "site/import.h"
#include "site/table.h"

#include <zlib.h>

#define AGENTS 16

typedef struct Site {
    Db *db;
    char data[48];
    ContestHome home;
    Standings played; /* of the last stage */
} Site;

static void exec(Db *db, const char *sql)
{
    Err err = {0};

    if (db_exec(db, sql, &err))
        fail_msg("%s: %s", sql, err.msg);
}

static void make_plan(Plan *plan)
{
    const PlanStage stages[] = {
        {"preliminary", .players = 5, .more_players = {15}, .games_per_set = 10, .min_games = 20,
         .advance = 15, .tie = CUT_EXTRA},
        {"final", .players = 5, .games_per_set = 10, .sets = 3},
    };
    Err err = {0};

    assert_int_equal(plan_init(plan, NULL), 0);
    for (int i = 0; i < AGENTS; i++) {
        char name[8];
        PlanAgent agent = {.bot = bot_kind(STR("random"))};
        snprintf(name, sizeof(name), "t%02d", i);
        assert_int_equal(plan_agent_name(&agent, str_of(name), NULL), 0);
        assert_int_equal(plan_add_agent(plan, &agent, NULL), 0);
    }
    for (int i = 0; i < 2; i++)
        assert_int_equal(plan_add_stage(plan, &stages[i], NULL), 0);
    plan->seed = 7;
    plan->seed_given = true;
    if (plan_check(plan, &err))
        fail_msg("%s", err.msg);
}

static void keep_standings(void *user, uint32_t stage, const Standings *standings)
{
    Site *site = user;

    if (stage == 0)
        assert_int_equal(standings_merge(&site->played, standings, NULL), 0);
    if (stage == 0)
        standings_rank(&site->played, 40);
}

static void play(Site *site)
{
    CLEANUP(plan_done) Plan plan = {0};
    CLEANUP(contest_result_done) ContestResult result = {0};
    CLEANUP(buf_done) Buf out = {0};
    Err err = {0};

    make_plan(&plan);
    assert_int_equal(contest_home_path(&site->home, "play", &out, NULL), 0);
    assert_int_equal(folder_make_for(buf_cstr(&out), NULL), 0);
    const ContestRun run = {.plan = &plan,
                            .out = buf_cstr(&out),
                            .jobs = 1,
                            .date = loop_date_ms,
                            .now = loop_now,
                            .stage_over = keep_standings,
                            .user = site};
    if (contest_run(&run, &result, &err))
        fail_msg("%s", err.msg);
    assert_true(result.complete);
}

static Site open_site(void **state)
{
    Site site = {.db = site_place_open(state)};

    snprintf(site.data, sizeof(site.data), "/tmp/warg-import-XXXXXX");
    assert_non_null(mkdtemp(site.data));
    exec(site.db, "INSERT INTO contest(name, state, file, digest, changed)"
                  " VALUES('cup', 'PRELIMINARY', '', '', 0)");
    site.home = (ContestHome){site_number(site.db, "SELECT id FROM contest"), STR("cup"), NULL};
    for (int i = 0; i < AGENTS - 1; i++) { /* t15 is a bot that fills up */
        char sql[160];
        snprintf(sql, sizeof(sql),
                 "INSERT INTO team(contest, name, state, created) VALUES(%lld, 't%02d', 'IN', 1)",
                 (long long)site.home.id, i);
        exec(site.db, sql);
    }
    return site;
}

static void close_site(Site *site)
{
    standings_done(&site->played);
    folder_remove(site->data, NULL);
    db_close(site->db);
}

static void import(Site *site, uint32_t pieces)
{
    const ImportFolder folder = {.home = site->home, .folder = "play", .job = STR("J")};
    bool more = true;
    Err err = {0};

    for (int i = 0; more && i < 1000; i++)
        if (import_folder(site->db, &folder, pieces, &more, &err))
            fail_msg("%s", err.msg);
    assert_false(more);
}

/* All that there is of games, as one text. */
static void dump(Db *db, Buf *out)
{
    static const char *const sql[] = {
        "SELECT stage, part, round, folder, games, counted FROM run ORDER BY stage, part, round",
        ("SELECT r.stage, g.game, g.set_number, g.winner, g.counted, g.place FROM game g"
         " JOIN run r ON r.id = g.run ORDER BY r.stage, r.round, g.game"),
        ("SELECT r.stage, g.game, s.seat, COALESCE(t.name, ''), s.role, s.won FROM seat s"
         " JOIN game g ON g.id = s.game JOIN run r ON r.id = g.run LEFT JOIN team t"
         " ON t.id = s.team ORDER BY r.stage, r.round, g.game, s.seat"),
        ("SELECT c.stage, c.players, t.name, c.role, c.games, c.wins, c.failed, c.number,"
         " c.ruled_void FROM score c JOIN team t ON t.id = c.team"
         " WHERE c.games > 0 OR c.ruled_void <> 0"
         " ORDER BY c.stage, c.players, t.name, c.role"),
    };
    static const int columns[] = {6, 6, 6, 9};

    for (size_t i = 0; i < sizeof(sql) / sizeof(sql[0]); i++) {
        CLEANUP(db_query_freep) DbQuery *query = NULL;
        Err err = {0};
        if (db_query(db, sql[i], &query, &err))
            fail_msg("%s", err.msg);
        while (db_step(query, &err) > 0) {
            for (int column = 0; column < columns[i]; column++)
                buf_printf(out, "%.*s ", STR_ARG(db_text(query, column)));
            buf_add_char(out, '\n');
        }
    }
    assert_false(buf_failed(out));
}

static void clear(Db *db)
{
    exec(db, "DELETE FROM seat");
    exec(db, "DELETE FROM game");
    exec(db, "DELETE FROM run");
    exec(db, "DELETE FROM score");
    exec(db, "DELETE FROM imported");
    exec(db, "DELETE FROM kept_line");
}

static void in_pieces_or_at_once(void **state)
{
    Site site = open_site(state);
    CLEANUP(buf_done) Buf whole = {0};
    CLEANUP(buf_done) Buf pieces = {0};

    site.home.data = site.data;
    import(&site, 0); /* nothing is there yet */
    play(&site);
    import(&site, 0);
    dump(site.db, &whole);
    assert_true(whole.len > 20000);
    import(&site, 0); /* twice */
    dump(site.db, &pieces);
    assert_string_equal(buf_cstr(&whole), buf_cstr(&pieces));
    /* And from the beginning, as a store is that had no places yet. */
    exec(site.db, "UPDATE imported SET bytes = 0, lines = 0; UPDATE game SET place = NULL");
    import(&site, 50);
    buf_clear(&pieces);
    dump(site.db, &pieces);
    assert_string_equal(buf_cstr(&whole), buf_cstr(&pieces));
    for (uint32_t size = 1; size < 300; size *= 7) {
        clear(site.db);
        import(&site, size);
        buf_clear(&pieces);
        dump(site.db, &pieces);
        assert_string_equal(buf_cstr(&whole), buf_cstr(&pieces));
    }
    close_site(&site);
}

static void standings_are_the_journals(void **state)
{
    Site site = open_site(state);
    CLEANUP(standings_done) Standings read = {0};
    CLEANUP(buf_done) Buf text = {0};
    CLEANUP(plan_done) Plan plan = {0};
    uint32_t teams = 0;
    Json json = json_over(&text);
    Err err = {0};

    make_plan(&plan);
    site.home.data = site.data;
    play(&site);
    import(&site, 0);
    if (site_standings_read(site.db, site.home.id, STR("preliminary"), 40, &read, &err))
        fail_msg("%s", err.msg);
    assert_int_equal(read.count, AGENTS - 1);
    assert_int_equal(read.games, site.played.games);
    for (uint32_t i = 0; i < read.count; i++) {
        const Standing *one = &read.agents[i];
        const Standing *other = standings_find(&site.played, str_of(one->name));
        assert_non_null(other);
        assert_int_equal(one->all.games, other->all.games);
        assert_int_equal(one->all.wins, other->all.wins);
        for (Role role = 0; role < ROLE_COUNT; role++) {
            assert_int_equal(one->roles[role].games, other->roles[role].games);
            assert_int_equal(one->roles[role].wins, other->roles[role].wins);
        }
        teams += one->all.games > 0;
    }
    assert_int_equal(teams, AGENTS - 1);
    assert_int_equal(site_standings(site.db, site.home.id, &plan, STR("preliminary"), &json, NULL),
                     0);
    assert_non_null(strstr(buf_cstr(&text), "\"stages\":[\"preliminary\",\"final\"]"));
    assert_non_null(strstr(buf_cstr(&text), "\"parts\":[{\"players\":5,\"games\":"));
    assert_non_null(strstr(buf_cstr(&text), "{\"rank\":1,\"team\":\"t"));
    close_site(&site);
}

static void add_act(const Site *site, const OperatorAct *act)
{
    CLEANUP(buf_done) Buf out = {0};
    Journal *journal = NULL;

    assert_int_equal(contest_home_path(&site->home, "play", &out, NULL), 0);
    assert_int_equal(journal_continue(buf_cstr(&out), &journal, NULL), 0);
    assert_int_equal(journal_add_act(journal, act, NULL), 0);
    assert_int_equal(journal_close(journal, NULL), 0);
}

/* An act that comes later takes a game, and a set, out of everything. */
static void what_becomes_void(void **state)
{
    Site site = open_site(state);
    CLEANUP(buf_done) Buf later = {0};
    CLEANUP(buf_done) Buf before = {0};
    CLEANUP(buf_done) Buf out = {0};
    Journal *journal = NULL;
    const OperatorAct acts[] = {
        {.kind = ACT_VOID, .target = ACT_OF_GAME, .number = 3, .by = STR("organiser"), .at_ms = 5},
        {.kind = ACT_VOID,
         .target = ACT_OF_SET,
         .number = 1,
         .stage = 1,
         .by = STR("organiser"),
         .at_ms = 5}};

    site.home.data = site.data;
    play(&site);
    import(&site, 0);
    const int64_t games = site_number(site.db, "SELECT COUNT(*) FROM game WHERE counted = 1"),
                  sums = site_number(site.db, "SELECT CAST(SUM(games) AS BIGINT) FROM score");
    assert_int_equal(contest_home_path(&site.home, "play", &out, NULL), 0);
    assert_int_equal(journal_continue(buf_cstr(&out), &journal, NULL), 0);
    for (size_t i = 0; i < 2; i++)
        assert_int_equal(journal_add_act(journal, &acts[i], NULL), 0);
    assert_int_equal(journal_close(journal, NULL), 0);
    import(&site, 0);
    assert_int_equal(site_number(site.db, "SELECT COUNT(*) FROM game WHERE counted = 1"),
                     games - 11);
    assert_int_equal(site_number(site.db, "SELECT CAST(SUM(counted) AS BIGINT) FROM run"),
                     games - 11);
    assert_true(site_number(site.db, "SELECT CAST(SUM(games) AS BIGINT) FROM score") < sums - 40);
    import(&site, 0);
    dump(site.db, &later);
    for (uint32_t size = 1; size < 1000; size *= 13) { /* whenever it is known */
        clear(site.db);
        import(&site, size);
        buf_clear(&before);
        dump(site.db, &before);
        assert_string_equal(buf_cstr(&later), buf_cstr(&before));
    }
    close_site(&site);
}

/* As an act on a set has it that is still played: its line stands before those of games. */
static void move_acts_forward(const Site *site)
{
    static const Str act = {"{\"record\":\"act\"", 15}, game = {"{\"record\":\"game\"", 16};
    CLEANUP(buf_done) Buf path = {0};
    CLEANUP(buf_done) Buf before = {0};
    CLEANUP(buf_done) Buf acts = {0};
    CLEANUP(buf_done) Buf after = {0};
    bool moved = false;

    assert_int_equal(contest_home_path(&site->home, "play/journal.jsonl", &path, NULL), 0);
    assert_int_equal(log_file_read(buf_cstr(&path), 1 << 26, &before, NULL), 0);
    for (Str rest = buf_str(&before); rest.len;) {
        const Str line = str_cut(&rest, '\n');
        if (str_starts(line, act))
            buf_printf(&acts, "%.*s\n", STR_ARG(line));
    }
    for (Str rest = buf_str(&before); rest.len;) {
        const Str line = str_cut(&rest, '\n');
        if (!moved && str_starts(line, game))
            buf_add(&after, buf_str(&acts));
        moved |= str_starts(line, game);
        if (!str_starts(line, act))
            buf_printf(&after, "%.*s\n", STR_ARG(line));
    }
    assert_true(acts.len > 0 && moved && after.len == before.len);
    assert_int_equal(file_replace(buf_cstr(&path), buf_str(&after), true, NULL), 0);
}

static int64_t ruled_void(const Site *site)
{
    return site_number(site->db, "SELECT CAST(SUM(ruled_void) AS BIGINT) FROM score");
}

/* Wherever its line stands: what a team played to its end is its own. Unless the round came too
 * late besides: nobody rules on that. */
static void what_is_ruled_void(void **state)
{
    Site site = open_site(state);
    OperatorAct act = {.kind = ACT_VOID, .target = ACT_OF_GAME, .number = 3, .at_ms = 5};

    site.home.data = site.data;
    act.by = STR("organiser");
    play(&site);
    add_act(&site, &act);
    import(&site, 0);
    const int64_t of_game = ruled_void(&site);
    assert_true(of_game > 0);
    act = (OperatorAct){.kind = ACT_VOID, .target = ACT_OF_SET, .stage = 1, .number = 1};
    act.by = STR("organiser");
    add_act(&site, &act);
    import(&site, 0);
    const int64_t ruled = ruled_void(&site);
    assert_true(ruled > of_game + 20);
    act.by = STR(ACT_BY_RUNNER);
    for (int late = 0; late < 2; late++) {
        import(&site, 0);
        assert_true(ruled_void(&site) == (late ? of_game : ruled));
        for (uint32_t size = 1; size < 1000; size *= 13) {
            clear(site.db);
            import(&site, size);
            assert_true(ruled_void(&site) == (late ? of_game : ruled));
        }
        if (!late)
            move_acts_forward(&site);
        clear(site.db);
        import(&site, 7);
        assert_true(ruled_void(&site) == (late ? of_game : ruled));
        if (!late)
            add_act(&site, &act);
    }
    move_acts_forward(&site);
    clear(site.db);
    import(&site, 7);
    assert_true(ruled_void(&site) == of_game);
    close_site(&site);
}

/* A version of the same tree that came later is not what played. */
static void a_program_stays_the_version_that_it_was(void **state)
{
    static const char add[] = "INSERT INTO version(team, number, language, tree, state, at)"
                              " SELECT id, %d, 'c', '%s', 'READY', 1 FROM team WHERE name = 't00'";
    Site site = open_site(state);
    CLEANUP(buf_done) Buf out = {0};
    NamedKey item = {.name = STR("t00"), .there = true};
    const JournalLots lots = {.frozen = true, .items = &item, .count = 1};
    char hex[KEY_HEX_BYTES], sql[300];
    Journal *journal = NULL;

    memset(&item.key, 7, sizeof(item.key));
    key_to_hex(&item.key, hex);
    site.home.data = site.data;
    snprintf(sql, sizeof(sql), add, 1, hex);
    exec(site.db, sql);
    play(&site);
    assert_int_equal(contest_home_path(&site.home, "play", &out, NULL), 0);
    assert_int_equal(journal_continue(buf_cstr(&out), &journal, NULL), 0);
    assert_int_equal(journal_add_lots(journal, &lots, NULL), 0);
    assert_int_equal(journal_close(journal, NULL), 0);
    import(&site, 0);
    const int64_t first = site_number(site.db, "SELECT version FROM program");
    snprintf(sql, sizeof(sql), add, 2, hex);
    exec(site.db, sql);
    exec(site.db, "UPDATE imported SET bytes = 0, lines = 0");
    import(&site, 0);
    assert_true(first > 0 && site_number(site.db, "SELECT version FROM program") == first);
    /* Another tree is another version's, and one that nobody had is asked for again. */
    exec(site.db, "UPDATE program SET tree = 'x'; UPDATE imported SET bytes = 0, lines = 0");
    import(&site, 0);
    assert_true(site_number(site.db, "SELECT version FROM program") > first);
    close_site(&site);
}

/* ---- min_games ---- */

#define MIN_GAMES 40 /* of the preliminary: 20 of each size */

/* A line of a journal with a checksum of its own; `line` has that of what it was. */
static void add_line(Str line, Buf *out)
{
    size_t crc = 0;

    assert_true(str_find_last(line, ',', &crc));
    const unsigned long sum = crc32(crc32(0, NULL, 0), (const Bytef *)line.bytes, (uInt)crc);
    buf_printf(out, "%.*s,\"crc\":\"%08lx\"}\n", (int)crc, line.bytes, sum);
}

/* As if the team had failed in its first games of the preliminary, so many. */
static void fail_in_games(const Site *site, const char *team, int64_t count)
{
    CLEANUP(buf_done) Buf path = {0};
    CLEANUP(buf_done) Buf before = {0};
    CLEANUP(buf_done) Buf after = {0};
    char seat[64];
    size_t at;

    snprintf(seat, sizeof(seat), "\"agent\":\"%s\",", team);
    assert_int_equal(contest_home_path(&site->home, "play/journal.jsonl", &path, NULL), 0);
    assert_int_equal(log_file_read(buf_cstr(&path), 1 << 26, &before, NULL), 0);
    for (Str rest = buf_str(&before); rest.len;) {
        const Str line = str_cut(&rest, '\n');
        if (count > 0 && str_starts(line, STR("{\"record\":\"game\",\"stage\":0,")) &&
            str_find(line, str_of(seat), &at)) {
            CLEANUP(buf_done) Buf changed = {0};
            count--;
            at += strlen(seat);
            buf_add(&changed, str_part(line, 0, at));
            buf_add(&changed, STR("\"failed\":true,"));
            buf_add(&changed, str_part(line, at, line.len));
            add_line(buf_str(&changed), &after);
        } else {
            buf_add(&after, line);
            buf_add_char(&after, '\n');
        }
    }
    assert_int_equal(count, 0);
    assert_int_equal(file_replace(buf_cstr(&path), buf_str(&after), true, NULL), 0);
}

/* Any that it played, or failed in, and not void yet: the number of its set, or its own. */
static int64_t find_played(Site *site, const char *team, const char *what, int failed)
{
    char sql[400];

    snprintf(sql, sizeof(sql),
             "SELECT MAX(%s) FROM game JOIN seat ON seat.game = game.id JOIN team ON team.id ="
             " seat.team JOIN run ON run.id = game.run WHERE run.stage = 'preliminary' AND"
             " team.name = '%s' AND seat.failed = %d AND game.counted = 1",
             what, team, failed);
    return site_number(site->db, sql);
}

/* The rank that a contest which goes on, `warg standings`, its report and the site give. */
static bool is_ranked(Site *site, const char *team)
{
    CLEANUP(plan_done) Plan plan = {0};
    CLEANUP(contest_result_done) ContestResult result = {0};
    CLEANUP(buf_done) Buf out = {0};
    CLEANUP(standings_done) Standings of_results = {0};
    CLEANUP(report_data_done) ReportData data = {0};
    CLEANUP(mem_freep) ReportScore *scores = NULL;
    CLEANUP(buf_done) Buf table = {0};
    CLEANUP(buf_done) Buf row = {0};
    Json json = json_over(&table);
    uint32_t count = 0;
    Db *db = NULL;
    Err err = {0};

    make_plan(&plan);
    assert_int_equal(contest_home_path(&site->home, "play", &out, NULL), 0);
    standings_done(&site->played);
    site->played = (Standings){0};
    const ContestRun run = {.plan = &plan,
                            .out = buf_cstr(&out),
                            .resume = true,
                            .until = 1,
                            .jobs = 1,
                            .date = loop_date_ms,
                            .now = loop_now,
                            .stage_over = keep_standings,
                            .user = site};
    if (contest_run(&run, &result, &err) || results_open(buf_cstr(&out), &db, &err))
        fail_msg("%s", err.msg);
    const bool ranked = standings_find(&site->played, str_of(team))->rank > 0;
    assert_int_equal(results_standings(db, 0, &of_results, NULL), 0);
    standings_rank(&of_results, MIN_GAMES);
    assert_int_equal(standings_find(&of_results, str_of(team))->rank > 0, ranked);
    assert_int_equal(report_data_read(db, 0, &data, NULL), 0);
    assert_int_equal(report_scores(&data, false, &scores, &count, NULL), 0);
    for (uint32_t i = 0; i < count; i++)
        if (strcmp(data.agents[scores[i].agent].name, team) == 0)
            assert_int_equal(scores[i].rank > 0, ranked);
    db_close(db);
    import(site, 0);
    assert_int_equal(
        site_standings(site->db, site->home.id, &plan, STR("preliminary"), &json, NULL), 0);
    buf_printf(&row, "{\"rank\":null,\"team\":\"%s\"", team);
    assert_int_equal(strstr(buf_cstr(&table), buf_cstr(&row)) == NULL, ranked);
    return ranked;
}

/* Whoever played most, of the preliminary that is over. */
static void play_until_over(Site *site, char team[static 16], int64_t *ret_games)
{
    CLEANUP(db_query_freep) DbQuery *query = NULL;

    site->home.data = site->data;
    play(site);
    import(site, 0);
    assert_int_equal(db_query(site->db,
                              "SELECT t.name, CAST(SUM(s.games) AS BIGINT) FROM score s JOIN team t"
                              " ON t.id = s.team WHERE s.stage = 'preliminary' GROUP BY t.name"
                              " ORDER BY SUM(s.games) DESC, t.name LIMIT 1",
                              &query, NULL),
                     0);
    assert_int_equal(db_step(query, NULL), 1);
    snprintf(team, 16, "%.*s", STR_ARG(db_text(query, 0)));
    const int64_t games = db_int(query, 1);
    query = db_query_free(query);
    exec(site->db, "INSERT INTO play(contest, stage, round, state, began)"
                   " SELECT id, 'preliminary', 0, 'OVER', 1 FROM contest");
    assert_true(games > MIN_GAMES);
    *ret_games = games;
}

/* Who failed in a game has not played it, whatever becomes of it. */
static void a_void_game_that_it_failed_in_is_not_its_own(void **state)
{
    Site site = open_site(state);
    char team[16];
    int64_t games = 0;
    OperatorAct act = {.kind = ACT_VOID, .target = ACT_OF_GAME, .by = STR("organiser"), .at_ms = 5};

    play_until_over(&site, team, &games);
    fail_in_games(&site, team, games - MIN_GAMES + 1);
    clear(site.db);
    assert_false(is_ranked(&site, team));
    act.number = (uint64_t)find_played(&site, team, "game.game", 1);
    add_act(&site, &act);
    assert_false(is_ranked(&site, team));
    close_site(&site);
}

/* Who has just enough games of its own keeps its rank when somebody rules one of them void, and
 * loses it by a round that came too late: that never counted. */
static void nobody_loses_a_rank_by_a_ruling(void **state)
{
    Site site = open_site(state);
    char team[16];
    int64_t games = 0;
    OperatorAct act = {.kind = ACT_VOID, .target = ACT_OF_GAME, .by = STR("organiser"), .at_ms = 5};

    play_until_over(&site, team, &games);
    fail_in_games(&site, team, games - MIN_GAMES);
    clear(site.db);
    assert_true(is_ranked(&site, team));
    act.number = (uint64_t)find_played(&site, team, "game.game", 0);
    add_act(&site, &act);
    assert_true(is_ranked(&site, team));
    act.target = ACT_OF_SET;
    act.number = (uint64_t)find_played(&site, team, "game.set_number", 0);
    act.by = STR(ACT_BY_RUNNER);
    add_act(&site, &act);
    assert_false(is_ranked(&site, team));
    /* While the stage is played nobody has played enough. */
    CLEANUP(plan_done) Plan plan = {0};
    CLEANUP(buf_done) Buf table = {0};
    Json json = json_over(&table);
    make_plan(&plan);
    exec(site.db, "UPDATE play SET state = 'BEGUN'");
    assert_int_equal(site_standings(site.db, site.home.id, &plan, STR("preliminary"), &json, NULL),
                     0);
    assert_null(strstr(buf_cstr(&table), "\"rank\":null"));
    close_site(&site);
}

/* The machine stops in the middle of a piece: the next one begins with the same game. */
static void a_transaction_that_is_lost(void **state)
{
    Site site = open_site(state);
    CLEANUP(buf_done) Buf whole = {0};
    CLEANUP(buf_done) Buf again = {0};
    const ImportFolder folder = {
        .home = {site.home.id, STR("cup"), site.data}, .folder = "play", .job = STR("J")};
    bool more = true;

    site.home.data = site.data;
    play(&site);
    import(&site, 0);
    dump(site.db, &whole);
    clear(site.db);
    for (int i = 0; more && i < 1000; i++) {
        if (i % 2) { /* what fails inside leaves nothing */
            exec(site.db, "ALTER TABLE score RENAME TO gone");
            assert_true(import_folder(site.db, &folder, 40, &more, NULL) != 0);
            exec(site.db, "ALTER TABLE gone RENAME TO score");
        }
        assert_int_equal(import_folder(site.db, &folder, 40, &more, NULL), 0);
    }
    dump(site.db, &again);
    assert_string_equal(buf_cstr(&whole), buf_cstr(&again));
    close_site(&site);
}

static void a_journal_that_became_shorter(void **state)
{
    Site site = open_site(state);
    CLEANUP(buf_done) Buf path = {0};
    const ImportFolder folder = {.home = {site.home.id, STR("cup"), site.data}, .folder = "play"};
    bool more;

    site.home.data = site.data;
    play(&site);
    import(&site, 0);
    assert_int_equal(contest_home_path(&site.home, "play/journal.jsonl", &path, NULL), 0);
    assert_int_equal(truncate(buf_cstr(&path), 5000), 0);
    assert_int_equal(import_folder(site.db, &folder, 0, &more, NULL), ERR_SYNTAX);
    close_site(&site);
}

static void who_was_eliminated_is_not_ranked(void **state)
{
    Site site = open_site(state);
    CLEANUP(standings_done) Standings read = {0};
    CLEANUP(standings_done) Standings final = {0};
    char sql[300];

    site.home.data = site.data;
    play(&site);
    import(&site, 0);
    snprintf(sql, sizeof(sql),
             "INSERT INTO ruling(contest, stage, team, decision, reason, at) SELECT %lld, 1, id,"
             " 'eliminate', 'x', 1 FROM team WHERE name = 't03'",
             (long long)site.home.id);
    exec(site.db, sql);
    assert_int_equal(site_standings_read(site.db, site.home.id, STR("preliminary"), 0, &read, NULL),
                     0);
    assert_true(standings_find(&read, STR("t03"))->rank > 0);
    assert_int_equal(site_standings_read(site.db, site.home.id, STR("final"), 0, &final, NULL), 0);
    const Standing *one = standings_find(&final, STR("t03"));
    assert_true(!one || one->rank == 0);
    exec(site.db, "UPDATE ruling SET stage = 0");
    standings_done(&read);
    read = (Standings){0};
    assert_int_equal(site_standings_read(site.db, site.home.id, STR("preliminary"), 0, &read, NULL),
                     0);
    assert_int_equal(standings_find(&read, STR("t03"))->rank, 0);
    /* Nor in what is played behind it. */
    standings_done(&final);
    final = (Standings){0};
    exec(site.db, "UPDATE score SET stage = 'final', number = 1 WHERE stage = 'preliminary' AND"
                  " NOT EXISTS(SELECT 1 FROM score o WHERE o.stage = 'final' AND o.team ="
                  " score.team AND o.players = score.players AND o.role = score.role)");
    assert_int_equal(site_standings_read(site.db, site.home.id, STR("final"), 0, &final, NULL), 0);
    assert_int_equal(standings_find(&final, STR("t03"))->rank, 0);
    close_site(&site);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        ON_BOTH(in_pieces_or_at_once),
        ON_BOTH(standings_are_the_journals),
        ON_BOTH(what_becomes_void),
        ON_BOTH(what_is_ruled_void),
        ON_BOTH(a_program_stays_the_version_that_it_was),
        ON_BOTH(nobody_loses_a_rank_by_a_ruling),
        ON_SQLITE(a_void_game_that_it_failed_in_is_not_its_own),
        ON_BOTH(a_transaction_that_is_lost),
        ON_SQLITE(a_journal_that_became_shorter),
        ON_BOTH(who_was_eliminated_is_not_ranked),
    };

    return cmocka_run_group_tests(tests, site_server_set_up, site_server_tear_down);
}
