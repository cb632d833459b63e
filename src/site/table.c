#include "site/table.h"

#include "base/mem.h"
#include "game/role.h"
#include "store/db_row.h"

/* One row of the answer beside its standing. */
typedef struct Part {
    int64_t players;
    Tally tally;
} Part;

typedef struct Line {
    char name[AGENT_NAME_MAX + 1];
    uint64_t faults, excesses, excused;
    bool out; /* of the contest, or eliminated */
    Part parts[8];
    uint32_t part_count;
} Line;

typedef struct Lines {
    Standings standings;
    Line *items;
    size_t count;
    size_t room;
} Lines;

static void lines_done(Lines *lines)
{
    standings_done(&lines->standings);
    mem_free(lines->items);
}

/* Rows of one team come one behind the other. */
static Line *line_of(Lines *lines, Str name)
{
    if (lines->count && str_eq(str_of(lines->items[lines->count - 1].name), name))
        return &lines->items[lines->count - 1];
    if (lines->count == lines->room) {
        const size_t room = lines->room ? 2 * lines->room : 64;
        Line *items = mem_resize(lines->items, room, sizeof(*items));
        if (!items)
            return NULL;
        lines->items = items;
        lines->room = room;
    }
    Line *line = &lines->items[lines->count++];
    *line = (Line){0};
    memcpy(line->name, name.bytes, name.len < AGENT_NAME_MAX ? name.len : AGENT_NAME_MAX);
    return line;
}

static void add_part(Line *line, int64_t players, uint64_t games, uint64_t wins)
{
    uint32_t at = 0;

    while (at < line->part_count && line->parts[at].players != players)
        at++;
    if (at == sizeof(line->parts) / sizeof(line->parts[0]))
        return;
    line->part_count += at == line->part_count;
    line->parts[at].players = players;
    line->parts[at].tally.games += games;
    line->parts[at].tally.wins += wins;
}

/* What stands in a row of the table `score`, as a standing has it. */
static int add_standing(Standings *standings, const DbQuery *row, bool out, Err *err)
{
    const Str name = db_text(row, 0);
    const Role role = role_of(db_text(row, 3));
    const Conduct conduct = {.substituted = (uint64_t)db_int(row, 6),
                             .ruled_void = (uint64_t)db_int(row, 10),
                             .faults = (uint64_t)db_int(row, 7),
                             .eliminated = out};
    int rc = standings_add_conduct(standings, name, &conduct, err);

    for (uint32_t i = standings->count; rc == 0 && i > 0; i--) {
        Standing *standing = &standings->agents[i - 1];
        if (!str_eq(str_of(standing->name), name))
            continue;
        standing->all.games += (uint64_t)db_int(row, 4);
        standing->all.wins += (uint64_t)db_int(row, 5);
        standing->roles[role].games += (uint64_t)db_int(row, 4);
        standing->roles[role].wins += (uint64_t)db_int(row, 5);
        standing->conduct.eliminated |= out;
        break;
    }
    return rc;
}

static int add_row(Lines *lines, const DbQuery *row, Err *err)
{
    const bool out = db_int(row, 1) != 0;
    Line *line = line_of(lines, db_text(row, 0));

    if (!line)
        return err_set(err, ERR_MEMORY, "standings: out of memory");
    line->out |= out;
    line->faults += (uint64_t)db_int(row, 7);
    line->excesses += (uint64_t)db_int(row, 8);
    line->excused += (uint64_t)db_int(row, 9);
    add_part(line, db_int(row, 2), (uint64_t)db_int(row, 4), (uint64_t)db_int(row, 5));
    return add_standing(&lines->standings, row, out, err);
}

/* Of a stage: games are those of tables, not of seats. */
static int count_games(Db *db, int64_t contest, Str stage, uint64_t *ret_games, Err *err)
{
    CLEANUP(db_query_freep) DbQuery *query = NULL;
    int rc = db_query(db,
                      "SELECT CAST(COALESCE(SUM(counted), 0) AS BIGINT) FROM run WHERE contest = "
                      "?1 AND stage = ?2"
                      " AND (round = 0 OR stage = 'testing')",
                      &query, err);

    if (rc)
        return rc;
    db_bind_int(query, 1, contest);
    db_bind_text(query, 2, stage);
    rc = db_step(query, err);
    *ret_games = rc > 0 ? (uint64_t)db_int(query, 0) : 0;
    return rc < 0 ? rc : 0;
}

/* Out is who withdrew, and who was eliminated in this stage or before it: of several rulings on one
 * finding the last holds. */
static const char score_rows[] =
    "SELECT t.name, CASE WHEN t.state = 'WITHDRAWN' OR EXISTS(SELECT 1 FROM ruling r"
    " WHERE r.team = t.id AND r.contest = s.contest AND r.decision = 'eliminate'"
    " AND r.failed IS NULL AND r.stage <= s.number AND (r.finding IS NULL OR r.id ="
    " (SELECT MAX(x.id) FROM ruling x WHERE x.finding = r.finding AND x.failed IS NULL))) THEN 1 "
    "ELSE 0 END,"
    " s.players, s.role, s.games, s.wins, s.failed, s.faults, s.excesses, s.excused,"
    " s.ruled_void"
    " FROM score s JOIN team t ON t.id = s.team"
    " WHERE s.contest = ?1 AND s.stage = ?2 ORDER BY t.id, s.players DESC, s.role";

static int read_lines(Db *db, int64_t contest, Str stage, uint64_t min_games, Lines *lines,
                      Err *err)
{
    CLEANUP(db_query_freep) DbQuery *query = NULL;
    int rc = db_query(db, score_rows, &query, err);

    if (rc)
        return rc;
    db_bind_int(query, 1, contest);
    db_bind_text(query, 2, stage);
    while ((rc = db_step(query, err)) > 0) {
        rc = add_row(lines, query, err);
        if (rc)
            return rc;
    }
    if (rc == 0)
        rc = count_games(db, contest, stage, &lines->standings.games, err);
    standings_rank(&lines->standings, min_games);
    return rc;
}

int site_standings_read(Db *db, int64_t contest, Str stage, uint64_t min_games,
                        Standings *ret_standings, Err *err)
{
    CLEANUP(lines_done) Lines lines = {0};
    int rc = read_lines(db, contest, stage, min_games, &lines, err);

    if (rc == 0) {
        *ret_standings = lines.standings;
        lines.standings = (Standings){0};
    }
    return rc;
}

/* ---- as JSON ---- */

static void put_tally(Json *json, const Tally *tally)
{
    json_add_uint(json, "games", tally->games);
    json_add_uint(json, "wins", tally->wins);
}

static void put_details(Json *json, const Standing *standing, const Line *line)
{
    json_key(json, STR("parts"));
    json_open(json, '[');
    for (uint32_t i = line->part_count; i > 0; i--) { /* small tables first */
        json_open(json, '{');
        json_add_int(json, "players", line->parts[i - 1].players);
        put_tally(json, &line->parts[i - 1].tally);
        json_close(json);
    }
    json_close(json);
    json_key(json, STR("roles"));
    json_open(json, '[');
    for (Role role = ROLE_NONE + 1; role < ROLE_COUNT; role++) {
        if (!standing->roles[role].games)
            continue;
        json_open(json, '{');
        json_add_str(json, "role", str_of(role_name(role)));
        put_tally(json, &standing->roles[role]);
        json_close(json);
    }
    json_close(json);
}

static void put_line(Json *json, const Standing *standing, const Line *line)
{
    const Interval interval = wilson_interval(standing->all.wins, standing->all.games, Z_95);

    json_open(json, '{');
    json_key(json, STR("rank"));
    if (standing->rank)
        json_put_uint(json, standing->rank);
    else
        json_put_null(json);
    json_add_str(json, "team", str_of(standing->name));
    put_tally(json, &standing->all);
    json_add_real(json, "rate", interval.rate, 6);
    json_add_real(json, "low", interval.low, 6);
    json_add_real(json, "high", interval.high, 6);
    put_details(json, standing, line);
    json_add_uint(json, "faults", line->faults);
    json_add_uint(json, "excesses", line->excesses);
    json_add_uint(json, "excused", line->excused);
    json_add_bool(json, "eliminated", line->out);
    json_close(json);
}

static const Line *find_line(const Lines *lines, const char *name)
{
    for (size_t i = 0; i < lines->count; i++)
        if (strcmp(lines->items[i].name, name) == 0)
            return &lines->items[i];
    return NULL;
}

/* Stages that have games, in the order in which they began; the last of them but testing goes into
 * `last`. */
static int put_stages(Db *db, int64_t contest, Json *json, Buf *last, Err *err)
{
    CLEANUP(db_query_freep) DbQuery *query = NULL;
    int rc = db_query(db,
                      "SELECT stage FROM run WHERE contest = ?1 AND games > 0 GROUP BY stage"
                      " ORDER BY MIN(id)",
                      &query, err);

    if (rc)
        return rc;
    db_bind_int(query, 1, contest);
    json_key(json, STR("stages"));
    json_open(json, '[');
    while ((rc = db_step(query, err)) > 0) {
        const Str stage = db_text(query, 0);
        json_put_str(json, stage);
        if (last->len && str_eq(stage, STR("testing")))
            continue;
        buf_clear(last);
        buf_add(last, stage);
    }
    json_close(json);
    return rc;
}

/* While a stage is played nobody has played enough; testing rounds are of no stage of the plan. */
static int find_min_games(Db *db, int64_t contest, const Plan *plan, Str stage, uint64_t *ret_games,
                          Err *err)
{
    int64_t over = 0;
    int rc = db_ask(db, 0, &over, err,
                    "SELECT 1 FROM play WHERE contest = ?1 AND stage = ?2 AND round = 0"
                    " AND state = 'OVER'",
                    "it", contest, stage);

    *ret_games = 0;
    for (uint32_t i = 0; i < plan->stage_count && over; i++)
        if (str_eq(str_of(plan->stages[i].name), stage))
            *ret_games = plan_stage_min_games(&plan->stages[i]);
    return rc;
}

int site_standings(Db *db, int64_t contest, const Plan *plan, Str stage, Json *json, Err *err)
{
    CLEANUP(lines_done) Lines lines = {0};
    CLEANUP(buf_done) Buf last = {0};
    uint64_t min_games = 0;

    json_open(json, '{');
    int rc = put_stages(db, contest, json, &last, err);
    const Str of = stage.len ? stage : buf_str(&last);
    if (rc == 0)
        rc = find_min_games(db, contest, plan, of, &min_games, err);
    if (rc == 0 && of.len)
        rc = read_lines(db, contest, of, min_games, &lines, err);
    json_key(json, STR("stage"));
    if (of.len)
        json_put_str(json, of);
    else
        json_put_null(json);
    json_add_uint(json, "games", lines.standings.games);
    json_key(json, STR("rows"));
    json_open(json, '[');
    for (uint32_t i = 0; rc == 0 && i < lines.standings.count; i++) {
        const Line *line = find_line(&lines, lines.standings.agents[i].name);
        if (line)
            put_line(json, &lines.standings.agents[i], line);
    }
    json_close(json);
    json_close(json);
    if (rc == 0 && buf_failed(json->out))
        rc = err_set(err, ERR_MEMORY, "standings: out of memory");
    return rc;
}
