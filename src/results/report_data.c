#include "results/report_data.h"

#include "results/results.h"

void report_data_done(ReportData *data)
{
    if (data->before)
        report_data_done(data->before);
    mem_free(data->before);
    mem_free(data->stages);
    mem_free(data->agents);
    mem_free(data->games);
    mem_free(data->seats);
    mem_free(data->marks);
    mem_free(data->findings);
    mem_free(data->places);
    group_table_done(&data->models);
    group_table_done(&data->teams);
    session_table_done(&data->sessions);
    unowned_table_done(&data->unowned);
    buf_done(&data->texts);
    *data = (ReportData){0};
}

/* ---- arrays ---- */

/* What `array` of `*room` things becomes when one more than `count` must fit; NULL = no memory. */
static void *grown_array(void *array, uint32_t count, uint32_t *room, size_t each)
{
    uint32_t want = *room ? *room : 64;

    if (count < *room)
        return array;
    if (want > UINT32_MAX / 2)
        return NULL;
    want = count < want && *room == 0 ? want : want * 2;
    void *more = mem_resize(array, want, each);
    if (more)
        *room = want;
    return more;
}

/* Makes room in data->ARRAY for one more and clears that one. */
#define MAKE_ROOM(data, array, count, room)                                                        \
    __extension__({                                                                                \
        void *more =                                                                               \
            grown_array((data)->array, (data)->count, &(data)->room, sizeof(*(data)->array));      \
        if (more) {                                                                                \
            (data)->array = more;                                                                  \
            memset(&(data)->array[(data)->count], 0, sizeof(*(data)->array));                      \
        }                                                                                          \
        more != NULL;                                                                              \
    })

static int no_memory(Err *err)
{
    return err_set(err, ERR_MEMORY, "report: out of memory");
}

/* ---- names ---- */

static uint32_t place_of(const ReportData *data, Str name)
{
    uint32_t mask = data->place_count - 1;
    uint32_t place = str_hash(name) & mask;

    while (data->places[place] != 0 &&
           !str_eq(str_of(data->agents[data->places[place] - 1].name), name))
        place = (place + 1) & mask;
    return place;
}

/* The index of an agent, new or known. */
static int agent_of(ReportData *data, Str name, uint32_t *ret_agent, Err *err)
{
    if (name.len == 0 || name.len > AGENT_NAME_MAX || memchr(name.bytes, '\0', name.len))
        return err_set(err, ERR_LIMIT, "the name of an agent has %zu bytes; 1 to %d can be shown",
                       name.len, AGENT_NAME_MAX);
    if (!data->places) {
        data->places = mem_new(2 * STANDINGS_AGENTS_MAX * sizeof(*data->places));
        if (!data->places)
            return no_memory(err);
        data->place_count = 2 * STANDINGS_AGENTS_MAX;
    }
    uint32_t place = place_of(data, name);
    if (data->places[place] == 0) {
        if (data->agent_count >= STANDINGS_AGENTS_MAX)
            return err_set(err, ERR_LIMIT, "more than %d different agents", STANDINGS_AGENTS_MAX);
        if (!MAKE_ROOM(data, agents, agent_count, agent_room))
            return no_memory(err);
        memcpy(data->agents[data->agent_count].name, name.bytes, name.len);
        data->places[place] = ++data->agent_count;
    }
    *ret_agent = data->places[place] - 1;
    return 0;
}

/* ---- reading: plan and stages ---- */

static void copy_text(Str text, char ret_text[static REPORT_TEXT_MAX + 1])
{
    text = str_part(text, 0, REPORT_TEXT_MAX);
    memset(ret_text, 0, REPORT_TEXT_MAX + 1);
    if (text.len)
        memcpy(ret_text, text.bytes, text.len);
}

/* The plan as match/plan.c writes it. The seed is read as text, for SQL has no number for those
 * over 2^63. */
static const char plan_sql[] =
    "WITH plan(j) AS (SELECT value FROM meta WHERE key = 'plan' AND json_valid(value))"
    " SELECT coalesce(j ->> '$.contest', j ->> '$.name'), coalesce(j ->> '$.rules.ruleset', j ->> "
    "'$.rules'), trim(j -> '$.seed', '\"'),"
    " coalesce((SELECT sum((value ->> '$.games') * iif(json_type(value,"
    " '$.players') = 'array', json_array_length(value, '$.players'), 1)) FROM json_each(j, "
    "'$.stages')), j ->> '$.games'),"
    " coalesce(j ->> '$.commitment', (SELECT group_concat(value, ' ') FROM json_each(j, "
    "'$.commitments'))), (SELECT value FROM meta WHERE key = 'key'), j ->> '$.derivation'"
    " FROM plan";

/* SHA-256 of "warg seed S", as builds without keys printed it before a set. */
static int commit_to(Str seed, ReportPlan *plan, Err *err)
{
    CLEANUP(buf_done) Buf text = {0};

    buf_printf(&text, "warg seed %.*s", STR_ARG(seed));
    return buf_failed(&text) ? no_memory(err) : sha256_hex(buf_str(&text), plan->commitment, err);
}

/* Keys with blanks between, one for each stage. False when there is none. */
static bool copy_keys(Str text, char ret_text[static REPORT_KEYS_BYTES])
{
    size_t used = 0;

    while (text.len && used + KEY_HEX_BYTES <= REPORT_KEYS_BYTES) {
        Key key;
        if (!key_from_hex(str_cut(&text, ' '), &key))
            return false;
        if (used)
            ret_text[used - 1] = ' ';
        key_to_hex(&key, ret_text + used);
        used += KEY_HEX_BYTES;
    }
    return used > 0;
}

/* Keys are told when they are published, a seed when all was played. */
static int take_chance(const DbQuery *row, ReportPlan *plan, Err *err)
{
    Str seed = db_text(row, 2), commitment = db_text(row, 4);
    uint64_t number;

    if (copy_keys(commitment, plan->commitment)) {
        copy_keys(db_text(row, 5), plan->seed);
        return 0;
    }
    if (!str_to_uint(seed, UINT64_MAX, &number))
        return 0;
    if (plan->complete)
        copy_text(seed, plan->seed);
    plan->chosen = db_text(row, 6).len > 0;
    return plan->chosen ? 0 : commit_to(seed, plan, err);
}

static int take_plan(const DbQuery *row, ReportPlan *plan, Err *err)
{
    copy_text(db_text(row, 0), plan->contest);
    copy_text(db_text(row, 1), plan->rules);
    plan->games = db_int(row, 3) > 0 ? (uint64_t)db_int(row, 3) : 0;
    return take_chance(row, plan, err);
}

static int read_cell(Db *db, ReportPlan *plan, Err *err)
{
    CLEANUP(db_query_freep) DbQuery *query = NULL;
    int rc = db_query(db, "SELECT value FROM meta WHERE key = 'cell'", &query, err);

    if (rc == 0)
        rc = db_step(query, err);
    if (rc > 0)
        copy_text(db_text(query, 0), plan->cell);
    return rc < 0 ? rc : 0;
}

static int read_plan(Db *db, ReportPlan *plan, Err *err)
{
    CLEANUP(db_query_freep) DbQuery *complete = NULL;
    CLEANUP(db_query_freep) DbQuery *query = NULL;
    int rc = read_cell(db, plan, err);

    if (rc == 0)
        rc = db_query(db, "SELECT value FROM meta WHERE key = 'complete'", &complete, err);
    if (rc == 0)
        rc = db_query(db, plan_sql, &query, err);
    if (rc == 0)
        rc = db_step(complete, err);
    if (rc < 0)
        return rc;
    plan->complete = rc > 0 && str_eq(db_text(complete, 0), STR("1"));
    rc = db_step(query, err);
    return rc > 0 ? take_plan(query, plan, err) : rc;
}

/* Those that have games. */
static int read_stages(Db *db, int64_t wanted, ReportData *data, Err *err)
{
    ResultsStage found[STAGE_NUMBERS_MAX];
    uint32_t count = 0;
    int rc = results_stages(db, found, &count, err);

    for (uint32_t i = 0; i < count && rc == 0; i++) {
        if (!MAKE_ROOM(data, stages, stage_count, stage_room))
            return no_memory(err);
        ReportStage *stage = &data->stages[data->stage_count++];
        stage->number = found[i].number;
        stage->min_games = found[i].min_games;
        stage->games = found[i].games;
        copy_text(str_of(found[i].name), stage->name);
        data->games_of_all += stage->games;
        if (wanted < 0 || stage->number == wanted)
            data->stage = i;
    }
    return rc;
}

/* The number of the stage that is read; one that no game has when there is none. */
static int64_t number_read(const ReportData *data, int64_t wanted)
{
    if (wanted >= 0)
        return wanted;
    return data->stage_count ? data->stages[data->stage].number : -1;
}

/* ---- reading: games ---- */

static int add_game(ReportData *data, const DbQuery *row, Err *err)
{
    Str reason = str_part(db_text(row, 6), 0, sizeof(data->games[0].reason) - 1);
    Str log = db_text(row, 8);

    if (!MAKE_ROOM(data, games, game_count, game_room))
        return no_memory(err);
    ReportGame *game = &data->games[data->game_count++];
    game->id = db_int(row, 0);
    game->set = db_int(row, 2);
    game->number = db_int(row, 3);
    game->ended_ms = db_int(row, 4);
    game->winner = side_of(db_text(row, 5));
    if (reason.len)
        memcpy(game->reason, reason.bytes, reason.len);
    int64_t day = db_int(row, 7);
    game->last_day = (uint16_t)(day < 0 ? 0 : day > UINT16_MAX ? UINT16_MAX : day);
    if (log.len < 256) { /* a journal's paths have less than 64 bytes */
        game->log = (uint32_t)data->texts.len;
        game->log_bytes = (uint16_t)log.len;
        buf_add(&data->texts, log);
    }
    if (data->texts.len > UINT32_MAX - 256)
        return err_set(err, ERR_LIMIT, "report: too many games");
    return buf_failed(&data->texts) ? no_memory(err) : 0;
}

static int read_games(Db *db, int64_t stage, ReportData *data, Err *err)
{
    CLEANUP(db_query_freep) DbQuery *query = NULL;
    int rc = db_query(db,
                      "SELECT id, stage, set_number, game, ended_ms, winner, reason, last_day, log "
                      "FROM game WHERE stage = ?1 AND counts ORDER BY game",
                      &query, err);

    if (rc == 0)
        db_bind_int(query, 1, stage);
    while (rc == 0 && (rc = db_step(query, err)) > 0)
        rc = add_game(data, query, err);
    return rc;
}

/* ---- reading: seats ---- */

/* A count of a row, as the journal's numbers are. */
static uint32_t count_of(const DbQuery *row, int column)
{
    int64_t value = db_int(row, column);

    return value < 0 ? 0 : value > UINT32_MAX ? UINT32_MAX : (uint32_t)value;
}

/* In the order of the table's key, so that it is read from one end to the other. A seat of a game
 * that is not there is found with the first stage. */
static const char seat_sql[] =
    "SELECT game_id, seat, agent, role, won, outside, failed, timeout, disconnect, malformed,"
    " early, violation, excesses, times, excused, waited_ms, " RESULTS_FOUND
    " FROM seat LEFT JOIN game ON id = game_id"
    " WHERE (stage = ?1 AND counts) OR stage IS NULL ORDER BY game_id, seat";
enum {
    ID,
    SEAT,
    AGENT,
    ROLE,
    WON,
    OUTSIDE,
    FAILED,
    FAULTS,
    EXCESSES = FAULTS + FAULT_COUNT,
    TIMES,
    EXCUSED,
    WAITED_MS,
    FOUND
};

/* Games by id: seats come in that order, games in that of their numbers. */
typedef struct GameId {
    int64_t id;
    uint32_t game;
} GameId;

static int by_id(const void *left, const void *right)
{
    const GameId *a = left, *b = right;

    return (a->id > b->id) - (a->id < b->id);
}

static GameId *sorted_ids(const ReportData *data)
{
    GameId *ids = mem_new(((size_t)data->game_count + 1) * sizeof(*ids));

    for (uint32_t i = 0; ids && i < data->game_count; i++)
        ids[i] = (GameId){data->games[i].id, i};
    if (ids)
        qsort(ids, data->game_count, sizeof(*ids), by_id);
    return ids;
}

static int add_mark(ReportData *data, uint32_t game, SeatNo seat, uint16_t agent,
                    const DbQuery *row, Err *err)
{
    ReportMark mark = {game, agent, seat, db_int(row, FAILED) != 0, {0}};
    bool any = mark.failed;

    for (int kind = 0; kind < FAULT_COUNT; kind++) {
        mark.faults[kind] = count_of(row, FAULTS + kind);
        any = any || mark.faults[kind] > 0;
    }
    if (!any)
        return 0;
    if (!MAKE_ROOM(data, marks, mark_count, mark_room))
        return no_memory(err);
    ReportGame *in = &data->games[game];
    if (in->mark_count == 0)
        in->first_mark = data->mark_count;
    in->mark_count++;
    data->failed_games += mark.failed && !in->failed;
    in->failed = in->failed || mark.failed;
    data->marks[data->mark_count++] = mark;
    for (size_t kind = 0; kind < FAULT_COUNT; kind++)
        data->agents[agent].faults[kind] += mark.faults[kind];
    data->agents[agent].failed_seats += mark.failed;
    return 0;
}

static int add_times(ReportAgent *agent, Str text, Err *err)
{
    Durations times;
    int rc = durations_read(text, &times, err);

    if (rc)
        return rc;
    durations_merge(&agent->times, &times);
    return 0;
}

static int add_seat(ReportData *data, const DbQuery *row, uint32_t game, Err *err)
{
    uint32_t agent = 0;
    int64_t seat = db_int(row, SEAT);
    Role role = role_of(db_text(row, ROLE));
    ReportGame *in = &data->games[game];

    if (seat != in->seat_count + 1 || seat > SEAT_MAX)
        return err_set(err, ERR_SYNTAX, "a seat has the number %lld; expected %d of at most %d",
                       (long long)seat, in->seat_count + 1, SEAT_MAX);
    if (role == ROLE_NONE)
        return err_set(err, ERR_SYNTAX, "seat %lld has no role", (long long)seat);
    int rc = agent_of(data, db_text(row, AGENT), &agent, err);
    if (rc)
        return rc;
    if (!MAKE_ROOM(data, seats, seat_count, seat_room))
        return no_memory(err);
    if (in->seat_count++ == 0)
        in->first_seat = data->seat_count;
    data->seats[data->seat_count++] =
        (ReportSeat){(uint16_t)agent, role, role_side(role), db_int(row, WON) != 0};
    rc = add_mark(data, game, (SeatNo)seat, (uint16_t)agent, row, err);
    if (rc || db_int(row, OUTSIDE) == 0)
        return rc;
    data->agents[agent].outside = true;
    data->agents[agent].seats++;
    data->agents[agent].excesses += count_of(row, EXCESSES);
    data->agents[agent].excused += count_of(row, EXCUSED);
    data->agents[agent].waited_ms += count_of(row, WAITED_MS);
    for (int rule = 0; rule < FINDING_RULES; rule++)
        data->agents[agent].findings[rule] += count_of(row, FOUND + rule);
    return add_times(&data->agents[agent], db_text(row, TIMES), err);
}

static int read_seats(Db *db, int64_t stage, ReportData *data, Err *err)
{
    CLEANUP(db_query_freep) DbQuery *query = NULL;
    CLEANUP(mem_freep) GameId *ids = sorted_ids(data);
    uint32_t at = 0;

    if (!ids)
        return no_memory(err);
    int rc = db_query(db, seat_sql, &query, err);
    if (rc == 0)
        db_bind_int(query, 1, stage);
    while (rc == 0 && (rc = db_step(query, err)) > 0) {
        int64_t id = db_int(query, ID);
        while (at < data->game_count && ids[at].id < id)
            at++;
        if (at >= data->game_count || ids[at].id != id)
            return err_set(err, ERR_SYNTAX, "a seat is of game %lld, which is not there",
                           (long long)id);
        rc = add_seat(data, query, ids[at].game, err);
        if (rc)
            err_wrap(err, "game %lld: ", (long long)data->games[ids[at].game].number);
    }
    return rc;
}

static int add_finding(ReportData *data, const DbQuery *row, Err *err)
{
    const Str text = db_text(row, 6);
    ReportFinding finding = {.rule = finding_rule_of(db_text(row, 1)),
                             .line = db_int(row, 2),
                             .set = db_int(row, 3),
                             .game = db_int(row, 4),
                             .day = db_int(row, 5),
                             .text = (uint32_t)data->texts.len,
                             .text_bytes = (uint32_t)text.len};

    if (finding.rule == FINDING_RULES || text.len > FINDING_TEXT_MAX)
        return err_set(err, ERR_SYNTAX, "a finding that is none");
    const uint32_t agent = data->places ? data->places[place_of(data, db_text(row, 0))] : 0;
    if (agent == 0) /* of a game that is not over yet */
        return 0;
    finding.agent = agent - 1;
    if (!MAKE_ROOM(data, findings, finding_count, finding_room))
        return no_memory(err);
    data->findings[data->finding_count++] = finding;
    buf_add(&data->texts, text);
    return buf_failed(&data->texts) ? no_memory(err) : 0;
}

static int read_findings(Db *db, int64_t stage, ReportData *data, Err *err)
{
    CLEANUP(db_query_freep) DbQuery *query = NULL;
    int rc = db_query(db,
                      "SELECT agent, rule, line, set_number, coalesce(game, -1), day, text FROM"
                      " finding WHERE stage = ?1 ORDER BY agent, rule, line",
                      &query, err);

    if (rc == 0)
        db_bind_int(query, 1, stage);
    while (rc == 0 && (rc = db_step(query, err)) > 0)
        rc = add_finding(data, query, err);
    return rc;
}

static int add_eliminated(void *user, Str agent, Err *err)
{
    ReportData *data = user;

    (void)err;
    for (uint32_t i = 0; i < data->agent_count; i++)
        data->agents[i].eliminated |= str_eq(str_of(data->agents[i].name), agent);
    return 0;
}

static int add_ruled_void(void *user, Str agent, uint64_t games, Err *err)
{
    ReportData *data = user;

    (void)err;
    for (uint32_t i = 0; i < data->agent_count; i++)
        if (str_eq(str_of(data->agents[i].name), agent))
            data->agents[i].ruled_void = games;
    return 0;
}

static int add_decisions(void *user, const ResultsDecisions *decisions, Err *err)
{
    ReportData *data = user;
    const DecisionSheet *sheet = &decisions->sheet;

    (void)err;
    for (uint32_t i = 0; i < data->agent_count; i++) {
        ReportAgent *found = &data->agents[i];
        if (!str_eq(str_of(found->name), decisions->agent))
            continue;
        found->decisions = sheet->decisions;
        found->own = sheet->own;
        found->model = sheet->model;
        memcpy(found->error, sheet->error, sizeof(found->error));
    }
    return 0;
}

int report_data_read(Db *db, int64_t stage, ReportData *data, Err *err)
{
    uint32_t agent; /* one without games has its place, too */
    /* One snapshot, though a set may be going on. */
    int rc = db_exec(db, "BEGIN", err);

    if (rc == 0)
        rc = read_plan(db, &data->plan, err);
    if (rc == 0)
        rc = read_stages(db, stage, data, err);
    if (rc == 0)
        rc = read_games(db, number_read(data, stage), data, err);
    if (rc == 0)
        rc = read_seats(db, number_read(data, stage), data, err);
    if (rc == 0)
        rc = read_findings(db, number_read(data, stage), data, err);
    if (rc == 0)
        rc = results_unowned(db, number_read(data, stage), &data->unowned, err);
    for (size_t i = 0; rc == 0 && i < data->unowned.count; i++)
        rc = agent_of(data, str_of(data->unowned.agents[i].name), &agent, err);
    if (rc == 0)
        rc = results_decisions(db, number_read(data, stage), add_decisions, data, err);
    if (rc == 0)
        rc = results_eliminated(db, number_read(data, stage), add_eliminated, data, err);
    if (rc == 0)
        rc = results_ruled_void(db, number_read(data, stage), add_ruled_void, data, err);
    if (rc == 0)
        rc = results_groups(db, number_read(data, stage), GROUP_BY_MODEL, &data->models, err);
    if (rc == 0)
        rc = results_groups(db, number_read(data, stage), GROUP_BY_TEAM, &data->teams, err);
    if (rc == 0)
        rc = results_own_share(db, &data->own_share, err);
    if (rc == 0)
        rc = results_sessions(db, number_read(data, stage), &data->sessions, err);
    db_exec(db, "ROLLBACK", NULL);
    if (rc)
        return rc;
    for (uint32_t i = 0; i < data->game_count; i++) {
        SeatNo players = data->games[i].seat_count;
        if (i == 0 || players < data->players_min)
            data->players_min = players;
        if (players > data->players_max)
            data->players_max = players;
    }
    return 0;
}

int report_data_read_all(Db *db, ReportData *data, Err *err)
{
    int rc = report_data_read(db, -1, data, err);

    for (uint32_t i = data->stage; rc == 0 && i-- > 0; data = data->before) {
        data->before = mem_new(sizeof(*data->before));
        rc = data->before ? report_data_read(db, data->stages[i].number, data->before, err)
                          : no_memory(err);
    }
    return rc;
}

/* ---- scores ---- */

static void count_tally(Tally *tally, bool won)
{
    tally->games++;
    tally->wins += won;
}

/* a.wins/a.games against b.wins/b.games without rounding; the better one first. */
static int compare_rates(Tally a, Tally b)
{
    __extension__ typedef unsigned __int128 Wide;
    Wide left = (Wide)a.wins * b.games, right = (Wide)b.wins * a.games;

    return (left < right) - (left > right);
}

/* A score and the name that decides between equals. */
typedef struct Ranked {
    ReportScore score;
    const char *name;
} Ranked;

static int better_agent(const void *left, const void *right)
{
    const Ranked *a = left, *b = right;
    int order = (int)b->score.rank - (int)a->score.rank;

    if (order == 0)
        order = compare_rates(a->score.all, b->score.all);
    if (order == 0)
        order =
            (a->score.all.games < b->score.all.games) - (a->score.all.games > b->score.all.games);
    return order ? order : strcmp(a->name, b->name);
}

static void add_scores(const ReportData *data, const ReportGame *game, Ranked *ranked)
{
    for (uint32_t i = 0; i < game->seat_count; i++) {
        ReportSeat seat = data->seats[game->first_seat + i];
        ReportScore *score = &ranked[seat.agent].score;
        count_tally(&score->all, seat.won);
        count_tally(&score->roles[seat.role], seat.won);
        count_tally(&score->sides[seat.side], seat.won);
    }
}

/* 1 for those who are ranked, 0 for the others; where games with failed seats are left out, all
 * are.
 */
static uint32_t first_rank(const ReportData *data, const ReportScore *score, bool without_failed)
{
    const ReportAgent *agent = &data->agents[score->agent];
    const Conduct conduct = {.substituted = agent->failed_seats,
                             .ruled_void = agent->ruled_void,
                             .decisions = agent->decisions,
                             .own = agent->own,
                             .eliminated = agent->eliminated};
    uint64_t min_games = data->stage_count ? data->stages[data->stage].min_games : 0;

    return without_failed || conduct_ranks(&conduct, score->all.games, min_games);
}

int report_scores(const ReportData *data, bool without_failed, ReportScore **ret_scores,
                  uint32_t *ret_count, Err *err)
{
    size_t room = data->agent_count ? data->agent_count : 1;
    CLEANUP(mem_freep) Ranked *ranked = mem_new(room * sizeof(*ranked));
    CLEANUP(mem_freep) ReportScore *scores = mem_new(room * sizeof(*scores));
    uint32_t found = 0;

    if (!ranked || !scores)
        return no_memory(err);
    for (uint32_t i = 0; i < data->game_count; i++)
        if (!(without_failed && data->games[i].failed))
            add_scores(data, &data->games[i], ranked);
    for (uint32_t i = 0; i < data->agent_count; i++) {
        ranked[i].score.agent = i;
        ranked[i].score.rank = first_rank(data, &ranked[i].score, without_failed);
        ranked[i].name = data->agents[i].name;
        if (ranked[i].score.all.games > 0)
            ranked[found++] = ranked[i];
    }
    qsort(ranked, found, sizeof(*ranked), better_agent);
    for (uint32_t i = 0; i < found; i++) {
        scores[i] = ranked[i].score;
        if (i > 0 && scores[i].rank)
            scores[i].rank =
                compare_rates(scores[i - 1].all, scores[i].all) == 0 ? scores[i - 1].rank : i + 1;
    }
    *ret_scores = TAKE(scores);
    *ret_count = found;
    return 0;
}

/* ---- pairs ---- */

static void add_pairs(const ReportData *data, const ReportGame *game, const uint32_t *rows,
                      uint32_t count_of_rows, Tally *cells)
{
    const ReportSeat *seats = &data->seats[game->first_seat];

    for (uint32_t i = 0; i < game->seat_count; i++) {
        uint32_t row = rows[seats[i].agent];
        if (row == UINT32_MAX)
            continue;
        for (uint32_t j = 0; j < game->seat_count; j++) {
            uint32_t column = rows[seats[j].agent];
            if (seats[i].side != seats[j].side && column != UINT32_MAX && column != row)
                count_tally(&cells[row * count_of_rows + column], seats[i].won);
        }
    }
}

int report_versus(const ReportData *data, const uint32_t *agents, uint32_t count_of_agents,
                  Tally **ret_cells, Err *err)
{
    size_t size = count_of_agents ? (size_t)count_of_agents * count_of_agents : 1;
    size_t room = data->agent_count ? data->agent_count : 1;
    CLEANUP(mem_freep) Tally *cells = mem_new(size * sizeof(*cells));
    CLEANUP(mem_freep) uint32_t *rows = mem_new(room * sizeof(*rows)); /* by agent */

    if (!cells || !rows)
        return no_memory(err);
    memset(rows, 0xFF, room * sizeof(*rows));
    for (uint32_t i = 0; i < count_of_agents; i++)
        rows[agents[i]] = i;
    for (uint32_t i = 0; i < data->game_count; i++)
        if (data->games[i].winner != SIDE_NONE)
            add_pairs(data, &data->games[i], rows, count_of_agents, cells);
    *ret_cells = TAKE(cells);
    return 0;
}

void report_tally_add(const ReportData *data, uint32_t agent, uint32_t first, uint32_t games,
                      Tally *tally)
{
    for (uint32_t i = first; i < first + games && i < data->game_count; i++) {
        const ReportSeat *seats = &data->seats[data->games[i].first_seat];
        for (uint32_t s = 0; s < data->games[i].seat_count; s++)
            if (seats[s].agent == agent)
                count_tally(tally, seats[s].won);
    }
}

/* ---- strength ---- */

/* Games of all rounds together, so that a report takes seconds however many were played. */
#define STRENGTH_WORK 1000000u

int report_strength(const ReportData *data, Strength *strength, uint32_t *ret_rounds, Err *err)
{
    uint64_t set = 0;

    if (data->agent_count < 2 || data->agent_count > STRENGTH_AGENTS_MAX)
        return 0;
    for (uint32_t i = 0; i < data->game_count; i++) {
        const ReportGame *game = &data->games[i];
        Outcome outcome = {.seat_count = game->seat_count, .winner = game->winner};
        set += i > 0 && game[-1].set != game->set;
        outcome.set = set;
        for (SeatNo s = 1; s <= game->seat_count; s++) {
            outcome.roles[s] = data->seats[game->first_seat + s - 1].role;
            outcome.agents[s] = data->seats[game->first_seat + s - 1].agent;
        }
        /* A game with one side only tells nothing. */
        if (outcome_check(&outcome, NULL) != 0)
            continue;
        int rc = strength_add_game(strength, &outcome, NULL);
        if (rc == ERR_MEMORY)
            return no_memory(err);
        if (rc) /* more kinds of villages than can be compared */
            return 0;
    }
    if (strength->games == 0)
        return 0;
    uint64_t rounds = STRENGTH_WORK / strength->games;
    *ret_rounds = rounds > STRENGTH_ROUNDS ? STRENGTH_ROUNDS : rounds < 50 ? 0 : (uint32_t)rounds;
    int rc = strength_fit(strength, *ret_rounds, 1, err);
    return rc ? rc : 1;
}
