#include "results/results_groups.h"

#include "results/results_sql.h"

#include <stdlib.h>

void group_table_done(GroupTable *table)
{
    mem_free(table->groups);
    *table = (GroupTable){0};
}

/* clang-format off */

/* Which model plays in the protocol division a note tells for a set, and not the seat's record.
 * ?1: the stage. */
static const char seats_sql[] =
    "WITH told AS (SELECT stage, set_number, agent, max(model) AS model FROM decision"
    "  GROUP BY stage, set_number, agent),"
    " own AS (SELECT seat.*, game.counts, game.unowned,"
    "  iif(seat.model = '' AND division = 'aiwolf', coalesce(told.model, ''), seat.model) AS by_model"
    "  FROM game JOIN seat ON game_id = id LEFT JOIN told ON told.stage = game.stage"
    "  AND told.set_number = game.set_number AND told.agent = seat.agent"
    "  WHERE ?1 < 0 OR game.stage = ?1)"
    " SELECT %s AS who, counts, role, won, points, failed,"
    "  timeout + disconnect + malformed + early + violation,"
    "  iif(counts OR unowned, decisions, 0), iif(counts OR unowned, own, 0), times,"
    " " RESULTS_FIGURES_OF(FIGURE_NAME) ","
    "  votes, wolf_votes, mate_votes, wolf_day_votes, hits,"
    "  executions, wolf_executions, first_executions, wolf_first_executions, survived, true_claims,"
    "  false_claims FROM own WHERE who <> '' ORDER BY who";

static const char *const seat_names[GROUP_BY_COUNT] = {
    [GROUP_BY_MODEL] = "by_model",
    [GROUP_BY_TEAM] = "agent",
    [GROUP_BY_KIND] = "iif(by_model <> '', 'model', kind)",
    [GROUP_BY_AGENT] = "own.name",
};

/* What such notes say of decisions. */
static const char notes_sql[] =
    "SELECT %s AS who, sum(decisions), sum(own)," RESULTS_FIGURES_OF(FIGURE_SUM)
    " FROM decision AS d WHERE noted AND (?1 < 0 OR stage = ?1) AND EXISTS (SELECT 1 FROM game WHERE game.stage = d.stage"
    "  AND game.set_number = d.set_number AND division = 'aiwolf')"
    " GROUP BY 1 HAVING who <> '' ORDER BY 1";

static const char *const note_names[GROUP_BY_COUNT] = {
    [GROUP_BY_MODEL] = "model",
    [GROUP_BY_TEAM] = "agent",
    [GROUP_BY_KIND] = "'model'",
    [GROUP_BY_AGENT] = "agent",
};

/* clang-format on */

static int no_memory(Err *err)
{
    return err_set(err, ERR_MEMORY, "results: out of memory");
}

/* A count that must be 0 or more: a database is a file that anybody can write. */
static uint64_t take_count(const DbQuery *row, int column, bool *bad)
{
    int64_t value = db_int(row, column);

    *bad = *bad || value < 0;
    return value < 0 ? 0 : (uint64_t)value;
}

static bool name_is_good(Str name)
{
    return name.len > 0 && name.len <= MODEL_NAME_MAX && !memchr(name.bytes, '\0', name.len);
}

/* Behind the others; names come in their order. NULL without memory. */
static ResultsGroup *add_group(GroupTable *table, Str name)
{
    if (table->count == table->room) {
        size_t room = table->room ? 2 * table->room : 16;
        ResultsGroup *groups = mem_resize(table->groups, room, sizeof(*groups));
        if (!groups)
            return NULL;
        table->groups = groups;
        table->room = room;
    }
    ResultsGroup *group = &table->groups[table->count++];
    *group = (ResultsGroup){0};
    memcpy(group->name, name.bytes, name.len);
    return group;
}

static ResultsGroup *find_group(const GroupTable *table, Str name)
{
    for (size_t i = 0; i < table->count; i++)
        if (str_eq(str_of(table->groups[i].name), name))
            return &table->groups[i];
    return NULL;
}

static void count_tally(Tally *tally, bool won)
{
    tally->games++;
    tally->wins += won;
}

/* Columns of seats_sql. */
enum { NAME, COUNTS, ROLE, WON, POINTS, FAILED, FAULTS, DECISIONS, OWN, TIMES, FIGURES };
#define PLAY (FIGURES + (int)FIGURE_COUNT)

/* From `column` on, in the order of the enum. */
static void take_figures(ResultsGroup *group, const DbQuery *row, int column, bool *bad)
{
    for (ModelFigure figure = FIGURE_REQUESTS; figure < FIGURE_COUNT; figure++)
        group->figures.of[figure] += take_count(row, column + (int)figure, bad);
}

/* How it played; nothing where that was not counted. False for what no journal can hold. */
static bool add_play(ResultsGroup *group, Role role, const DbQuery *row)
{
    SeatPlay play = {0};

    if (db_is_null(row, PLAY))
        return true;
    for (PlayCount count = 0; count < PLAY_COUNTS; count++) {
        const int64_t value = db_int(row, PLAY + (int)count);
        if (value < 0 || value > PLAY_COUNT_MAX)
            return false;
        play.of[count] = (uint16_t)value;
    }
    play_sums_add(&group->play, role, &play);
    return seat_play_possible(&play);
}

/* Returns false for what no journal can hold. */
static bool add_result(ResultsGroup *group, const DbQuery *row)
{
    Role role = role_of(db_text(row, ROLE));
    bool won = db_int(row, WON) != 0, bad = role == ROLE_NONE;

    group->decisions += take_count(row, DECISIONS, &bad);
    group->own += take_count(row, OWN, &bad);
    if (bad || db_int(row, COUNTS) == 0)
        return !bad;
    count_tally(&group->all, won);
    count_tally(&group->roles[role], won);
    group->points += db_int(row, POINTS);
    group->substituted += db_int(row, FAILED) != 0;
    return !bad && add_play(group, role, row);
}

static int add_seat(GroupTable *table, const DbQuery *row, Durations *scratch, Err *err)
{
    Str name = db_text(row, NAME);
    bool same = table->count && str_eq(str_of(table->groups[table->count - 1].name), name);
    bool bad = !name_is_good(name);
    ResultsGroup *group = bad    ? NULL
                          : same ? &table->groups[table->count - 1]
                                 : add_group(table, name);

    if (!bad && !group)
        return no_memory(err);
    if (bad || !add_result(group, row) || durations_read(db_text(row, TIMES), scratch, NULL))
        return results_damaged(err);
    group->faults += take_count(row, FAULTS, &bad);
    take_figures(group, row, FIGURES, &bad);
    durations_merge(&group->times, scratch);
    return bad ? results_damaged(err) : 0;
}

static int ask_named(Db *db, const char *sql, const char *name, int64_t stage, DbQuery **ret_query,
                     Err *err)
{
    CLEANUP(buf_done) Buf text = {0};
    size_t at = 0;
    const Str all = str_of(sql);

    if (!str_find(all, STR("%s"), &at))
        return err_set(err, ERR_RULE, "a statement without a place for its names");
    buf_add(&text, str_part(all, 0, at));
    buf_add(&text, str_of(name));
    buf_add(&text, str_part(all, at + 2, all.len));
    if (buf_failed(&text))
        return no_memory(err);
    int rc = db_query(db, buf_cstr(&text), ret_query, err);
    if (rc == 0)
        db_bind_int(*ret_query, 1, stage);
    return rc;
}

static int read_seats(Db *db, int64_t stage, GroupBy by, GroupTable *table, Err *err)
{
    CLEANUP(db_query_freep) DbQuery *query = NULL;
    CLEANUP(mem_freep) Durations *scratch = mem_new(sizeof(*scratch));
    int rc =
        scratch ? ask_named(db, seats_sql, seat_names[by], stage, &query, err) : no_memory(err);

    while (rc == 0 && (rc = db_step(query, err)) > 0)
        rc = add_seat(table, query, scratch, err);
    return rc;
}

static int read_notes(Db *db, int64_t stage, GroupBy by, GroupTable *table, Err *err)
{
    CLEANUP(db_query_freep) DbQuery *query = NULL;
    bool bad = false;
    int rc = ask_named(db, notes_sql, note_names[by], stage, &query, err);

    while (rc == 0 && !bad && (rc = db_step(query, err)) > 0) {
        ResultsGroup *group = find_group(table, db_text(query, 0));
        rc = 0;
        if (!group)
            continue;
        group->decisions += take_count(query, 1, &bad);
        group->own += take_count(query, 2, &bad);
        take_figures(group, query, 3, &bad);
    }
    return rc == 0 && bad ? results_damaged(err) : rc;
}

/* a.wins/a.games against b.wins/b.games without rounding; the better one first. */
static int compare_rates(Tally a, Tally b)
{
    __extension__ typedef unsigned __int128 Wide;
    Wide left = (Wide)a.wins * b.games, right = (Wide)b.wins * a.games;

    return (left < right) - (left > right);
}

static int better_group(const void *left, const void *right)
{
    const ResultsGroup *a = left, *b = right;
    int order = compare_rates(a->all, b->all);

    if (order == 0)
        order = (a->all.games < b->all.games) - (a->all.games > b->all.games);
    return order ? order : strcmp(a->name, b->name);
}

int results_groups(Db *db, int64_t stage, GroupBy by, GroupTable *ret_table, Err *err)
{
    CLEANUP(group_table_done) GroupTable table = {0};
    int rc = read_seats(db, stage, by, &table, err);

    if (rc == 0)
        rc = read_notes(db, stage, by, &table, err);
    if (rc)
        return rc;
    if (table.count)
        qsort(table.groups, table.count, sizeof(*table.groups), better_group);
    *ret_table = table;
    table = (GroupTable){0};
    return 0;
}
