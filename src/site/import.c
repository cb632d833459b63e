#include "site/import.h"

#include "base/mem.h"
#include "game/role.h"
#include "journal/journal_more.h"
#include "match/plan_read.h"
#include "site/finding.h"
#include "site/kept_lines.h"
#include "store/db_row.h"

#define TEAMS_ROOM 64

/* What a team's seats of one role at tables of one size add up to, in this piece. */
typedef struct Sum {
    uint32_t number; /* of the stage */
    int64_t players, team;
    Role role;
    int64_t games, wins, failed, faults, excesses, excused;
    int64_t ruled_void; /* that count no more */
} Sum;

typedef struct Team {
    int64_t id;
    char name[AGENT_NAME_MAX + 1];
} Team;

/* What a team plays with in a stage. */
typedef struct Program {
    uint32_t stage;
    int64_t team, version;
} Program;

/* A run whose row is there. */
typedef struct Run {
    uint32_t number; /* stage_number */
    uint32_t part;
    int64_t id;
    int64_t games, counted; /* of this piece */
} Run;

typedef struct Import {
    Db *db;
    const ImportFolder *folder;
    uint64_t games_max;
    JournalPlace place;
    bool more;
    Plan plan;
    bool has_plan;
    Buf level; /* of cells, as the journal has it last */
    JournalVoids voids;
    bool has_voids; /* those of the store */
    Team *teams;
    size_t team_count;
    Program *programs;
    size_t program_count;
    bool programs_known; /* those of the store */
    Sum *sums;
    size_t sum_count;
    size_t sum_room;
    Run *runs;
    size_t run_count;
    size_t run_room;
    DbQuery *add_game;
    DbQuery *add_seats[SEAT_MAX + 1]; /* by how many */
} Import;

static void import_done(Import *import)
{
    db_query_free(import->add_game);
    for (size_t i = 0; i < sizeof(import->add_seats) / sizeof(import->add_seats[0]); i++)
        db_query_free(import->add_seats[i]);
    plan_done(&import->plan);
    buf_done(&import->level);
    journal_voids_done(&import->voids);
    mem_free(import->teams);
    mem_free(import->programs);
    mem_free(import->sums);
    mem_free(import->runs);
}

/* ---- who and where ---- */

static int load_teams(Import *import, Err *err)
{
    CLEANUP(db_query_freep) DbQuery *query = NULL;
    size_t room = 0;
    int rc = db_query(import->db, "SELECT id, name FROM team WHERE contest = ?1", &query, err);

    if (rc)
        return rc;
    db_bind_int(query, 1, import->folder->home.id);
    while ((rc = db_step(query, err)) > 0) {
        const Str name = db_text(query, 1);
        if (import->team_count == room) {
            room = room ? 2 * room : TEAMS_ROOM;
            Team *teams = mem_resize(import->teams, room, sizeof(*teams));
            if (!teams)
                return err_set(err, ERR_MEMORY, "import: out of memory");
            import->teams = teams;
        }
        Team *team = &import->teams[import->team_count++];
        *team = (Team){.id = db_int(query, 0)};
        memcpy(team->name, name.bytes, name.len < AGENT_NAME_MAX ? name.len : AGENT_NAME_MAX);
    }
    return rc;
}

/* 0: a bot, which belongs to nobody. */
static int64_t team_of(const Import *import, Str name)
{
    for (size_t i = 0; i < import->team_count; i++)
        if (str_eq(str_of(import->teams[i].name), name))
            return import->teams[i].id;
    return 0;
}

static uint32_t stage_named(const Import *import, Str name)
{
    uint32_t stage = 0;

    while (stage < import->plan.stage_count &&
           !str_eq(str_of(import->plan.stages[stage].name), name))
        stage++;
    return stage;
}

static int load_programs(Import *import, Err *err)
{
    CLEANUP(db_query_freep) DbQuery *query = NULL;
    size_t room = 0;
    int rc = db_query(import->db,
                      "SELECT stage, team, version FROM program WHERE contest = ?1 AND round = ?2"
                      " AND version IS NOT NULL",
                      &query, err);

    if (rc)
        return rc;
    import->programs = mem_free(import->programs);
    import->program_count = 0;
    db_bind_int(query, 1, import->folder->home.id);
    db_bind_int(query, 2, import->folder->round);
    while ((rc = db_step(query, err)) > 0) {
        if (import->program_count == room) {
            room = room ? 2 * room : TEAMS_ROOM;
            Program *more = mem_resize(import->programs, room, sizeof(*more));
            if (!more)
                return err_set(err, ERR_MEMORY, "import: out of memory");
            import->programs = more;
        }
        import->programs[import->program_count++] =
            (Program){stage_named(import, db_text(query, 0)), db_int(query, 1), db_int(query, 2)};
    }
    import->programs_known = rc == 0;
    return rc;
}

/* 0: none that is known. */
static int64_t version_of(const Import *import, uint32_t number, int64_t team)
{
    for (size_t i = 0; i < import->program_count; i++)
        if (import->programs[i].team == team &&
            import->programs[i].stage == stage_of_number(number))
            return import->programs[i].version;
    return 0;
}

static const PlanStage *stage_of(const Import *import, uint32_t number)
{
    const uint32_t stage = stage_of_number(number);

    return stage < import->plan.stage_count ? &import->plan.stages[stage] : NULL;
}

/* Sizes of a stage are each there once. */
static uint32_t part_of(const PlanStage *stage, SeatNo players)
{
    uint32_t part = 0;

    while (part + 1 < plan_stage_parts(stage) &&
           plan_stage_part(stage, part).players != (int32_t)players)
        part++;
    return part;
}

/* Extra rounds are counted by their stage, testing rounds by themselves. */
static uint32_t round_of(const Import *import, uint32_t number)
{
    return import->folder->round ? import->folder->round : round_of_number(number);
}

static int find_run(Import *import, const Run *run, Str stage, int64_t *ret_id, Err *err)
{
    CLEANUP(db_query_freep) DbQuery *query = NULL;
    int rc = db_query(import->db,
                      "INSERT INTO run(contest, stage, part, round, job, folder, games, counted,"
                      " level) VALUES(?1, ?2, ?3, ?4, ?5, ?6, 0, 0, ?7)"
                      " ON CONFLICT(contest, stage, part, round) DO UPDATE SET folder = ?6"
                      " RETURNING id",
                      &query, err);

    if (rc)
        return rc;
    db_bind_int(query, 1, import->folder->home.id);
    db_bind_text(query, 2, stage);
    db_bind_int(query, 3, run->part);
    db_bind_int(query, 4, round_of(import, run->number));
    db_bind_text(query, 5, import->folder->job);
    db_bind_text(query, 6, str_of(import->folder->folder));
    db_bind_text(query, 7, buf_str(&import->level));
    rc = db_step(query, err);
    *ret_id = rc > 0 ? db_int(query, 0) : 0;
    db_reset(query);
    return rc < 0 ? rc : 0;
}

/* NULL with an error. Borrowed until the next. */
static Run *run_of(Import *import, uint32_t number, SeatNo players, Err *err)
{
    const PlanStage *stage = stage_of(import, number);

    if (!stage) {
        err_set(err, ERR_SYNTAX, "a game of a stage that the plan does not have");
        return NULL;
    }
    Run run = {.number = number, .part = part_of(stage, players)};
    for (size_t i = 0; i < import->run_count; i++)
        if (import->runs[i].number == number && import->runs[i].part == run.part)
            return &import->runs[i];
    if (import->run_count == import->run_room) {
        const size_t room = import->run_room ? 2 * import->run_room : 8;
        Run *runs = mem_resize(import->runs, room, sizeof(*runs));
        if (!runs) {
            err_set(err, ERR_MEMORY, "import: out of memory");
            return NULL;
        }
        import->runs = runs;
        import->run_room = room;
    }
    if (find_run(import, &run, str_of(stage->name), &run.id, err))
        return NULL;
    import->runs[import->run_count] = run;
    return &import->runs[import->run_count++];
}

/* ---- sums ---- */

static int add_sum(Import *import, const Sum *sum, Err *err)
{
    size_t at = 0;

    while (at < import->sum_count &&
           (import->sums[at].team != sum->team || import->sums[at].role != sum->role ||
            import->sums[at].players != sum->players || import->sums[at].number != sum->number))
        at++;
    if (at == import->sum_room) {
        const size_t room = at ? 2 * at : 256;
        Sum *sums = mem_resize(import->sums, room, sizeof(*sums));
        if (!sums)
            return err_set(err, ERR_MEMORY, "import: out of memory");
        import->sums = sums;
        import->sum_room = room;
    }
    Sum *to = &import->sums[at];
    if (at == import->sum_count) {
        import->sum_count++;
        *to = *sum;
        return 0;
    }
    to->games += sum->games;
    to->wins += sum->wins;
    to->failed += sum->failed;
    to->faults += sum->faults;
    to->excesses += sum->excesses;
    to->excused += sum->excused;
    to->ruled_void += sum->ruled_void;
    return 0;
}

static int64_t faults_of(const SeatRecord *seat)
{
    int64_t faults = 0;

    for (unsigned kind = 0; kind < FAULT_COUNT; kind++)
        faults += seat->faults[kind];
    return faults;
}

static bool has_won(const GameResult *result, SeatNo seat)
{
    return result->winner != SIDE_NONE && role_side(result->roles[seat]) == result->winner;
}

static int sum_game(Import *import, const GameRecord *record, Err *err)
{
    const GameResult *result = &record->result;
    int rc = 0;

    if (round_of_number(record->stage)) /* extra rounds settle a tie and count for nothing else */
        return 0;
    for (SeatNo seat = 1; seat <= result->seat_count && rc == 0; seat++) {
        const SeatRecord *own = &record->seats[seat];
        const Sum sum = {.number = record->stage,
                         .players = result->seat_count,
                         .team = team_of(import, game_record_counted(record, seat)),
                         .role = result->roles[seat],
                         .games = 1,
                         .wins = has_won(result, seat),
                         .failed = own->failed,
                         .faults = faults_of(own),
                         .excesses = own->excesses,
                         .excused = own->excused};
        if (sum.team)
            rc = add_sum(import, &sum, err);
    }
    return rc;
}

static int64_t players_of(const Import *import, const Run *run)
{
    const PlanStage *stage = stage_of(import, run->number);

    return stage ? plan_stage_part(stage, run->part).players : 0;
}

/* A game that somebody ruled void, by its rows: `by` 1 into the sums, -1 out of them. Who failed in
 * it did not play it. */
static int sum_ruled_void(Import *import, int64_t game, const Run *run, int64_t by, Err *err)
{
    CLEANUP(db_query_freep) DbQuery *query = NULL;
    int rc = round_of_number(run->number)
                 ? 0
                 : db_query_with(import->db, &query, err,
                                 "SELECT team, role FROM seat WHERE game = ?1"
                                 " AND team IS NOT NULL AND failed = 0",
                                 "i", game);

    while (rc == 0 && query && (rc = db_step(query, err)) == 1) {
        const Sum sum = {.number = run->number,
                         .players = players_of(import, run),
                         .team = db_int(query, 0),
                         .role = role_of(db_text(query, 1)),
                         .ruled_void = by};
        rc = add_sum(import, &sum, err);
    }
    return rc;
}

static int write_sum(Import *import, DbQuery *query, const Sum *sum, Err *err)
{
    const PlanStage *stage = stage_of(import, sum->number);

    db_bind_int(query, 1, import->folder->home.id);
    db_bind_text(query, 2, str_of(stage ? stage->name : ""));
    db_bind_int(query, 3, sum->number);
    db_bind_int(query, 4, sum->players);
    db_bind_int(query, 5, sum->team);
    db_bind_text(query, 6, str_of(role_name(sum->role)));
    db_bind_int(query, 7, sum->games);
    db_bind_int(query, 8, sum->wins);
    db_bind_int(query, 9, sum->failed);
    db_bind_int(query, 10, sum->faults);
    db_bind_int(query, 11, sum->excesses);
    db_bind_int(query, 12, sum->excused);
    db_bind_int(query, 13, sum->ruled_void);
    return db_step(query, err);
}

static int write_sums(Import *import, Err *err)
{
    CLEANUP(db_query_freep) DbQuery *query = NULL;
    int rc = db_query(
        import->db,
        "INSERT INTO score(contest, stage, number, players, team, role, games, wins, failed,"
        " faults, excesses, excused, ruled_void)"
        " VALUES(?1,?2,?3,?4,?5,?6,?7,?8,?9,?10,?11,?12,?13)"
        " ON CONFLICT(contest, stage, players, team, role) DO UPDATE SET"
        " games = score.games + excluded.games, wins = score.wins + excluded.wins,"
        " failed = score.failed + excluded.failed, faults = score.faults + excluded.faults,"
        " excesses = score.excesses + excluded.excesses,"
        " excused = score.excused + excluded.excused,"
        " ruled_void = score.ruled_void + excluded.ruled_void",
        &query, err);

    for (size_t i = 0; i < import->sum_count && rc == 0; i++)
        rc = write_sum(import, query, &import->sums[i], err);
    return rc;
}

static int write_run(const Import *import, const Run *run, Err *err)
{
    CLEANUP(db_query_freep) DbQuery *query = NULL;
    int rc = db_query(import->db,
                      "UPDATE run SET games = games + ?2, counted = counted + ?3,"
                      " level = CASE WHEN ?4 = '' THEN level ELSE ?4 END WHERE id = ?1",
                      &query, err);

    if (rc)
        return rc;
    db_bind_int(query, 1, run->id);
    db_bind_int(query, 2, run->games);
    db_bind_int(query, 3, run->counted);
    db_bind_text(query, 4, buf_str(&import->level));
    return db_step(query, err);
}

/* ---- games ---- */

static int query_game(Import *import, Err *err)
{
    return import->add_game
               ? 0
               : db_query(import->db,
                          "INSERT INTO game(run, set_number, game, ended, winner, counted, log,"
                          " log_digest, exchange_digest, place, void_by)"
                          " VALUES(?1,?2,?3,?4,?5,?6,?7,?8,?9,?10,?11)"
                          " ON CONFLICT(run, game) DO NOTHING RETURNING id",
                          &import->add_game, err);
}

/* Also of one that was read when rows had no places. */
static int place_game(const Import *import, const Run *run, const GameRecord *record, Err *err)
{
    return db_run(import->db, err,
                  "UPDATE game SET place = ?3 WHERE run = ?1 AND game = ?2 AND place IS NULL",
                  "iii", run->id, (int64_t)record->game, (int64_t)import->place.bytes);
}

/* `ret_id` is 0 when the game is there already. An act before its line may have made it void. */
static int add_game(Import *import, const Run *run, const GameRecord *record, int64_t *ret_id,
                    Err *err)
{
    int rc = query_game(import, err);
    DbQuery *query = import->add_game;
    const bool voided = journal_voids_has_game(&import->voids, record);
    const bool ruled = journal_voids_rules_game(&import->voids, record);

    *ret_id = 0;
    if (rc)
        return rc;
    db_bind_int(query, 1, run->id);
    db_bind_int(query, 2, (int64_t)record->set);
    db_bind_int(query, 3, (int64_t)record->game);
    db_bind_int(query, 4, record->ended_at_ms);
    db_bind_text(query, 5,
                 record->result.winner == SIDE_NONE ? STR("")
                                                    : str_of(side_name(record->result.winner)));
    db_bind_int(query, 6, game_record_counts(record) && !voided);
    db_bind_text(query, 7, str_of(record->log));
    db_bind_text(query, 8, str_of(record->log_sha256));
    db_bind_text(query, 9, str_of(record->exchange_sha256));
    db_bind_int(query, 10, (int64_t)import->place.bytes);
    if (voided)
        db_bind_int(query, 11, ruled ? VOID_BY_RULING : VOID_BY_DESK);
    else
        db_bind_null(query, 11);
    rc = db_step(query, err);
    if (rc > 0)
        *ret_id = db_int(query, 0);
    db_reset(query);
    return rc ? (rc < 0 ? rc : 0) : place_game(import, run, record, err);
}

#define SEAT_COLUMNS 11 /* with a value of their own for each seat */

/* One statement for all seats: on a server each is a way there and back. */
static int query_seats(Import *import, SeatNo count, Err *err)
{
    CLEANUP(buf_done) Buf sql = {0};

    if (import->add_seats[count])
        return 0;
    buf_add(&sql, STR("INSERT INTO seat(game, seat, team, role, won, failed, faults, excesses,"
                      " waited_ms, excused, version) VALUES"));
    for (SeatNo seat = 0; seat < count; seat++) {
        buf_printf(&sql, "%s(?1", seat ? ", " : "");
        for (int column = 1; column < SEAT_COLUMNS; column++)
            buf_printf(&sql, ", ?%d", 1 + seat * (SEAT_COLUMNS - 1) + column);
        buf_add_char(&sql, ')');
    }
    return buf_failed(&sql) ? err_set(err, ERR_MEMORY, "import: out of memory")
                            : db_query(import->db, buf_cstr(&sql), &import->add_seats[count], err);
}

static void bind_seat(const Import *import, DbQuery *query, const GameRecord *record, SeatNo seat)
{
    const SeatRecord *own = &record->seats[seat];
    const int first = 1 + (seat - 1) * (SEAT_COLUMNS - 1);
    const int64_t team = team_of(import, game_record_counted(record, seat));

    db_bind_int(query, first + 1, seat);
    if (team)
        db_bind_int(query, first + 2, team);
    else
        db_bind_null(query, first + 2);
    db_bind_text(query, first + 3, str_of(role_name(record->result.roles[seat])));
    db_bind_int(query, first + 4, has_won(&record->result, seat));
    db_bind_int(query, first + 5, own->failed);
    db_bind_int(query, first + 6, faults_of(own));
    db_bind_int(query, first + 7, own->excesses);
    db_bind_int(query, first + 8, own->waited_ms);
    db_bind_int(query, first + 9, own->excused);
    const int64_t version = team ? version_of(import, record->stage, team) : 0;
    if (version)
        db_bind_int(query, first + 10, version);
    else
        db_bind_null(query, first + 10);
}

static int add_seats(Import *import, int64_t game, const GameRecord *record, Err *err)
{
    const SeatNo count = record->result.seat_count;
    int rc = import->programs_known ? 0 : load_programs(import, err);
    if (rc == 0)
        rc = query_seats(import, count, err);
    DbQuery *query = import->add_seats[count];

    if (rc)
        return rc;
    db_bind_int(query, 1, game);
    for (SeatNo seat = 1; seat <= count; seat++)
        bind_seat(import, query, record, seat);
    return db_step(query, err);
}

static int load_voids(Import *import, Err *err)
{
    if (import->has_voids)
        return 0;
    import->has_voids = true;
    return kept_lines_voids(import->db, import->folder->home.id, str_of(import->folder->folder),
                            import->place.bytes, &import->voids, err);
}

static int on_game(void *user, const GameRecord *record, Err *err)
{
    Import *import = user;
    int64_t id = 0;

    if (record->result.seat_count < 1 || record->result.seat_count > SEAT_MAX)
        return err_set(err, ERR_SYNTAX, "a game without seats");
    Run *run = run_of(import, record->stage, record->result.seat_count, err);
    if (!run)
        return err ? (int)err->code : ERR_IO;
    int rc = load_voids(import, err);
    const bool counts =
        game_record_counts(record) && !journal_voids_has_game(&import->voids, record);
    if (rc == 0)
        rc = add_game(import, run, record, &id, err);
    if (rc || !id)
        return rc;
    run->games++;
    run->counted += counts;
    rc = add_seats(import, id, record, err);
    if (rc == 0 && journal_voids_rules_game(&import->voids, record))
        rc = sum_ruled_void(import, id, run, 1, err);
    return rc || !counts ? rc : sum_game(import, record, err);
}

/* ---- what else a journal says ---- */

static int on_plan(void *user, Str text, Err *err)
{
    Import *import = user;
    int rc = import->has_plan ? 0 : plan_read(text, &import->plan, err);
    CLEANUP(db_query_freep) DbQuery *query = NULL;

    import->has_plan |= rc == 0;
    if (rc == 0)
        rc = db_query(import->db,
                      "INSERT INTO imported(contest, folder, bytes, lines, plan)"
                      " VALUES(?1, ?2, 0, 0, ?3) ON CONFLICT(contest, folder) DO NOTHING",
                      &query, err);
    if (rc)
        return rc;
    db_bind_int(query, 1, import->folder->home.id);
    db_bind_text(query, 2, str_of(import->folder->folder));
    db_bind_text(query, 3, text);
    return db_step(query, err);
}

static int on_cell(void *user, const JournalCell *cell, Err *err)
{
    Import *import = user;

    buf_clear(&import->level);
    buf_add(&import->level, cell->level);
    return buf_failed(&import->level) ? err_set(err, ERR_MEMORY, "import: out of memory") : 0;
}

/* With what a team plays: the version of this tree that was the last one then; a line that is read
 * once more does not ask again. */
static int add_program(const Import *import, Str stage, int64_t team, const Key *tree, Err *err)
{
    CLEANUP(db_query_freep) DbQuery *query = NULL;
    char hex[KEY_HEX_BYTES];
    int rc = db_query(import->db,
                      "INSERT INTO program(contest, stage, round, team, version, tree)"
                      " VALUES(?1, ?2, ?3, ?4, (SELECT MAX(id) FROM version WHERE team = ?4"
                      " AND tree = ?5 AND state <> 'REFUSED'), ?5)"
                      " ON CONFLICT(contest, stage, round, team) DO UPDATE SET"
                      " version = CASE WHEN program.tree = excluded.tree"
                      " THEN COALESCE(program.version, excluded.version)"
                      " ELSE excluded.version END, tree = excluded.tree",
                      &query, err);

    if (rc)
        return rc;
    key_to_hex(tree, hex);
    db_bind_int(query, 1, import->folder->home.id);
    db_bind_text(query, 2, stage);
    db_bind_int(query, 3, import->folder->round);
    db_bind_int(query, 4, team);
    db_bind_text(query, 5, str_of(hex));
    return db_step(query, err);
}

static int on_lots(void *user, const JournalLots *lots, Err *err)
{
    Import *import = user;
    const PlanStage *stage = stage_of(import, lots->stage);
    int rc = 0;

    import->programs_known = false;

    for (size_t i = 0; i < lots->count && lots->frozen && stage && rc == 0; i++) {
        const int64_t team = team_of(import, lots->items[i].name);
        if (team && lots->items[i].there)
            rc = add_program(import, str_of(stage->name), team, &lots->items[i].key, err);
    }
    return rc;
}

/* ---- void ---- */

/* A seat of a game that counts no more, out of the sums. */
static int take_out_seat(Import *import, const DbQuery *row, const Run *run, Err *err)
{
    const Sum sum = {.number = run->number,
                     .players = players_of(import, run),
                     .team = db_int(row, 0),
                     .role = role_of(db_text(row, 1)),
                     .games = -1,
                     .wins = -db_int(row, 2),
                     .failed = -db_int(row, 3),
                     .faults = -db_int(row, 4),
                     .excesses = -db_int(row, 5),
                     .excused = -db_int(row, 6)};

    return add_sum(import, &sum, err);
}

static int take_out_game(Import *import, int64_t game, const Run *run, Err *err)
{
    CLEANUP(db_query_freep) DbQuery *query = NULL;
    int rc = round_of_number(run->number)
                 ? 0
                 : db_query(import->db,
                            "SELECT team, role, won, failed, faults, excesses, excused FROM seat"
                            " WHERE game = ?1 AND team IS NOT NULL",
                            &query, err);

    if (rc || !query)
        return rc;
    db_bind_int(query, 1, game);
    while ((rc = db_step(query, err)) > 0) {
        rc = take_out_seat(import, query, run, err);
        if (rc)
            return rc;
    }
    return rc;
}

/* Its round came too late all the same, or its set was ended: so nobody ruled on what counted. */
static int forget_ruling(Import *import, const Run *run, const OperatorAct *act, Err *err)
{
    CLEANUP(db_query_freep) DbQuery *query = NULL;
    int rc = db_query_with(import->db, &query, err,
                           "UPDATE game SET void_by = ?3 WHERE run = ?1 AND set_number = ?2"
                           " AND void_by = ?4 RETURNING id",
                           "iiii", run->id, (int64_t)act->number, (int64_t)VOID_BY_DESK,
                           (int64_t)VOID_BY_RULING);

    while (rc == 0 && (rc = db_step(query, err)) == 1)
        rc = sum_ruled_void(import, db_int(query, 0), run, -1, err);
    return rc;
}

/* Games whose lines come behind the act's are void as they come. */
static int make_void(Import *import, Run *run, const OperatorAct *act, Err *err)
{
    CLEANUP(db_query_freep) DbQuery *query = NULL;
    const bool ruled = act->kind == ACT_VOID && !operator_act_is_late(act);
    int rc = db_query(
        import->db,
        act->target == ACT_OF_SET
            ? "UPDATE game SET counted = 0, void_by = ?3 WHERE run = ?1 AND set_number = ?2"
              " AND counted = 1 RETURNING id"
            : "UPDATE game SET counted = 0, void_by = ?3 WHERE run = ?1 AND game = ?2"
              " AND counted = 1 RETURNING id",
        &query, err);

    if (rc == 0 && !ruled)
        rc = forget_ruling(import, run, act, err);
    if (rc)
        return rc;
    db_bind_int(query, 1, run->id);
    db_bind_int(query, 2, (int64_t)act->number);
    db_bind_int(query, 3, ruled ? VOID_BY_RULING : VOID_BY_DESK);
    while ((rc = db_step(query, err)) > 0) {
        run->counted--;
        const int64_t game = db_int(query, 0);
        rc = take_out_game(import, game, run, err);
        if (rc == 0 && ruled)
            rc = sum_ruled_void(import, game, run, 1, err);
        if (rc)
            return rc;
    }
    return rc;
}

static int on_act(void *user, const OperatorAct *act, Err *err)
{
    Import *import = user;
    const PlanStage *stage = stage_of(import, act->stage);
    const bool is_void = journal_voids_by(act);
    int rc = is_void ? load_voids(import, err) : 0;

    if (rc == 0)
        rc = journal_voids_add(&import->voids, act, err);
    journal_voids_sort(&import->voids);

    for (uint32_t part = 0; is_void && stage && rc == 0 && part < plan_stage_parts(stage); part++) {
        Run *run = run_of(import, act->stage, (SeatNo)plan_stage_part(stage, part).players, err);
        rc = run ? make_void(import, run, act, err) : err ? (int)err->code : ERR_IO;
    }
    return rc;
}

/* Of a line that was followed (play_follow.h) before rulings of a journal became the store's. */
static int on_ruling(void *user, const JournalRuling *ruling, Err *err)
{
    const Import *import = user;
    const ImportFolder *folder = import->folder;
    int64_t followed = 0;
    int rc = str_eq(str_of(folder->folder), STR(STAGE_FOLDER))
                 ? db_ask(import->db, 0, &followed, err,
                          "SELECT bytes FROM follow WHERE contest = ?1", "i", folder->home.id)
                 : 0;

    return rc || (int64_t)import->place.bytes >= followed
               ? rc
               : finding_ruled(import->db, folder->home.id, ruling, ruling->at_ms, err);
}

static int on_line(void *user, Str line, Err *err)
{
    const Import *import = user;

    return kept_lines_add(import->db, import->folder->home.id, str_of(import->folder->folder),
                          import->place.bytes, line, err);
}

/* ---- a piece ---- */

static int load_place(Import *import, Err *err)
{
    CLEANUP(db_query_freep) DbQuery *query = NULL;
    int rc = import_place(import->db, import->folder, &import->place, err);

    if (rc == 0)
        rc = db_query_with(import->db, &query, err,
                           "SELECT plan, COALESCE(level, '') FROM imported"
                           " WHERE contest = ?1 AND folder = ?2",
                           "it", import->folder->home.id, str_of(import->folder->folder));
    if (rc == 0)
        rc = db_step(query, err);
    if (rc <= 0)
        return rc;
    import->has_plan = true;
    buf_add(&import->level, db_text(query, 1));
    return plan_read(db_text(query, 0), &import->plan, err);
}

static int save_place(const Import *import, Err *err)
{
    const JournalLengths *beside = &import->place.beside;

    return db_run(import->db, err,
                  "UPDATE imported SET bytes = ?3, lines = ?4, level = ?5, faults = ?6,"
                  " findings = ?7, ended = ?8 WHERE contest = ?1 AND folder = ?2",
                  "itiitiii", import->folder->home.id, str_of(import->folder->folder),
                  (int64_t)import->place.bytes, (int64_t)import->place.lines,
                  buf_str(&import->level), (int64_t)beside->faults, (int64_t)beside->findings,
                  (int64_t)beside->ended);
}

static int import_piece(Db *db, void *user, Err *err)
{
    Import *import = user;
    CLEANUP(buf_done) Buf path = {0};
    const JournalListener listener = {.plan = on_plan,
                                      .game = on_game,
                                      .lots = on_lots,
                                      .cell = on_cell,
                                      .ruling = on_ruling,
                                      .act = on_act,
                                      .line = on_line,
                                      .user = import};
    int rc = plan_init(&import->plan, err);

    import->db = db;
    if (rc == 0)
        rc = load_place(import, err);
    if (rc == 0)
        rc = load_teams(import, err);
    if (rc == 0)
        rc = contest_home_path(&import->folder->home, import->folder->folder, &path, err);
    const uint64_t before = import->place.bytes;
    if (rc == 0)
        rc = journal_read_more(buf_cstr(&path), &listener, import->games_max, &import->place,
                               &import->more, err);
    if (rc || import->place.bytes == before)
        return rc;
    rc = write_sums(import, err);
    for (size_t i = 0; i < import->run_count && rc == 0; i++)
        rc = write_run(import, &import->runs[i], err);
    return rc ? rc : save_place(import, err);
}

int import_folder(Db *db, const ImportFolder *folder, uint32_t games_max, bool *ret_more, Err *err)
{
    Import import = {.folder = folder, .games_max = games_max};
    Err own = {0};
    int rc = db_transaction(db, import_piece, &import, &own);

    *ret_more = rc == 0 && import.more;
    import_done(&import);
    return rc ? err_set_at(err, (ErrCode)rc, own.line, own.column, "%s", own.msg) : 0;
}

int import_all(Db *db, const ImportFolder *folder, Err *err)
{
    bool more = true;
    int rc = 0;

    while (rc == 0 && more)
        rc = import_folder(db, folder, IMPORT_GAMES, &more, err);
    return rc;
}
