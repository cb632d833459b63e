#include "judging/sheets_make.h"

#include "base/mem.h"
#include "judging/sheet_assign.h"
#include "judging/track_rates.h"

/* A team's number in the store, and its name without -A or -B. */
typedef struct MakeTeam {
    int64_t id;
    Buf name;
} MakeTeam;

/* What the sheets of a track are made of. */
typedef struct Making {
    Db *db;
    const SheetsWish *wish;
    int64_t now_ms;
    int64_t *games; /* their numbers in the store */
    PickGame *seats;
    uint32_t game_count;
    MakeTeam *teams;
    uint32_t team_count;
    int64_t *judges; /* accounts */
    uint32_t judge_count;
    uint32_t made;
} Making;

static void making_done(Making *making)
{
    for (uint32_t i = 0; i < making->team_count; i++)
        buf_done(&making->teams[i].name);
    mem_free(making->teams);
    mem_free(making->games);
    mem_free(making->seats);
    mem_free(making->judges);
}

static int no_room(Err *err)
{
    return err_set(err, ERR_MEMORY, "make sheets: out of memory");
}

#define ROOM_AT_FIRST 16

/* A list with room for one more behind `count`: itself, or a longer one; NULL without memory. */
static void *list_with_room(void *list, uint32_t count, size_t each)
{
    if (count && (count < ROOM_AT_FIRST || (count & (count - 1))))
        return list;
    return mem_resize(list, count ? (size_t)count * 2 : ROOM_AT_FIRST, each);
}

/* ---- what there is ---- */

static int team_index(Making *making, int64_t id, Str name, uint16_t *ret_index, Err *err)
{
    uint32_t i = 0;

    while (i < making->team_count && making->teams[i].id != id)
        i++;
    if (i == PICK_TEAMS_MAX)
        return err_set(err, ERR_LIMIT, "make sheets: more than %d teams", PICK_TEAMS_MAX);
    if (i == making->team_count) {
        MakeTeam *teams = list_with_room(making->teams, i, sizeof(*teams));
        if (!teams)
            return no_room(err);
        making->teams = teams;
        making->teams[making->team_count++] = (MakeTeam){.id = id};
        buf_add(&making->teams[i].name, track_rates_family(name));
        if (buf_failed(&making->teams[i].name))
            return no_room(err);
    }
    *ret_index = (uint16_t)i;
    return 0;
}

static int take_seat(Making *making, const DbQuery *query, Err *err)
{
    const int64_t game = db_int(query, 0);
    uint32_t last = making->game_count;
    uint16_t team = 0;
    int rc = team_index(making, db_int(query, 2), db_text(query, 4), &team, err);

    if (rc)
        return rc;
    if (last == 0 || making->games[last - 1] != game) {
        int64_t *games = list_with_room(making->games, last, sizeof(*games));
        if (games)
            making->games = games;
        PickGame *more = games ? list_with_room(making->seats, last, sizeof(*more)) : NULL;
        if (!more)
            return no_room(err);
        making->seats = more;
        making->games[last] = game;
        making->seats[last] = (PickGame){0};
        last = ++making->game_count;
    }
    PickGame *seats = &making->seats[last - 1];
    const SeatNo seat = (SeatNo)(seats->seat_count + 1);
    if (seat > SEAT_MAX || db_int(query, 1) != seat)
        return err_set(err, ERR_RULE, "make sheets: game %lld lacks a seat", (long long)game);
    seats->seat_count = seat;
    seats->teams[seat] = team;
    seats->roles[seat] = role_of(db_text(query, 3));
    return 0;
}

/* Decided games of the track, in the order in which everybody has them. */
static int find_games(Making *making, Err *err)
{
    CLEANUP(db_query_freep) DbQuery *query = NULL;
    int rc = db_query(making->db,
                      "SELECT game.id, seat.seat, coalesce(seat.team, 0), seat.role,"
                      " coalesce(team.name, '') FROM run JOIN game ON game.run = run.id"
                      " JOIN seat ON seat.game = game.id LEFT JOIN team ON team.id = seat.team"
                      " WHERE run.contest = ?1 AND run.stage = ?2 AND game.counted = 1"
                      " AND game.winner IN ('VILLAGER', 'WEREWOLF')"
                      " ORDER BY run.part, run.round, game.game, seat.seat",
                      &query, err);

    if (rc)
        return rc;
    db_bind_int(query, 1, making->wish->contest);
    db_bind_text(query, 2, making->wish->plan.track);
    while ((rc = db_step(query, err)) == 1 && (rc = take_seat(making, query, err)) == 0)
        ;
    return rc;
}

static int find_judges(Making *making, Err *err)
{
    CLEANUP(db_query_freep) DbQuery *query = NULL;
    int rc = db_query(making->db,
                      "SELECT account FROM role WHERE contest = ?1 AND role = 'judge'"
                      " ORDER BY account",
                      &query, err);

    if (rc)
        return rc;
    db_bind_int(query, 1, making->wish->contest);
    while ((rc = db_step(query, err)) == 1) {
        if (making->judge_count == ASSIGN_JUDGES_MAX)
            return err_set(err, ERR_LIMIT, "make sheets: more than %d judges", ASSIGN_JUDGES_MAX);
        int64_t *judges = list_with_room(making->judges, making->judge_count, sizeof(*judges));
        if (!judges)
            return no_room(err);
        making->judges = judges;
        making->judges[making->judge_count++] = db_int(query, 0);
    }
    return rc;
}

static int has_sheets(const Making *making, bool *ret_has, Err *err)
{
    CLEANUP(db_query_freep) DbQuery *query = NULL;
    int rc = db_query(making->db, "SELECT 1 FROM sheet WHERE contest = ?1 AND track = ?2 LIMIT 1",
                      &query, err);

    if (rc)
        return rc;
    db_bind_int(query, 1, making->wish->contest);
    db_bind_text(query, 2, making->wish->plan.track);
    rc = db_step(query, err);
    *ret_has = rc == 1;
    return rc < 0 ? rc : 0;
}

/* ---- who may judge what ---- */

/* The family of the judge's own team; empty: it has none. */
static int judge_family(const Making *making, int64_t judge, Buf *family, Err *err)
{
    CLEANUP(db_query_freep) DbQuery *query = NULL;
    int rc = db_query(making->db,
                      "SELECT team.name FROM member JOIN team ON team.id = member.team"
                      " WHERE team.contest = ?1 AND member.account = ?2",
                      &query, err);

    if (rc)
        return rc;
    db_bind_int(query, 1, making->wish->contest);
    db_bind_int(query, 2, judge);
    rc = db_step(query, err);
    if (rc == 1)
        buf_add(family, track_rates_family(db_text(query, 0)));
    return rc < 0 ? rc : 0;
}

static bool sits_in(const Making *making, Str family, uint32_t game)
{
    const PickGame *seats = &making->seats[game];

    for (SeatNo seat = 1; seat <= seats->seat_count && family.len; seat++)
        if (str_eq(buf_str(&making->teams[seats->teams[seat]].name), family))
            return true;
    return false;
}

/* `barred` has a column for each game. */
static int find_bars(const Making *making, bool *barred, Err *err)
{
    const uint32_t games = making->game_count;
    int rc = 0;

    for (uint32_t judge = 0; judge < making->judge_count && rc == 0; judge++) {
        CLEANUP(buf_done) Buf family = {0};
        rc = judge_family(making, making->judges[judge], &family, err);
        for (uint32_t i = 0; i < games; i++)
            barred[(size_t)judge * games + i] = sits_in(making, buf_str(&family), i);
    }
    return rc;
}

/* ---- rows ---- */

static int insert_sheet(void *user, const PlannedSheet *sheet, Err *err)
{
    Making *making = user;
    const bool person = sheet->judge < making->judge_count;
    CLEANUP(db_query_freep) DbQuery *query = NULL;
    CLEANUP(buf_done) Buf order = {0};
    int rc = db_query(making->db,
                      "INSERT INTO sheet(contest, track, game, criteria, judge, model, repeat,"
                      " seats, state, at, calibration)"
                      " VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, 'NEW', ?9, ?10)",
                      &query, err);

    for (SeatNo i = 0; i < sheet->seat_count; i++)
        buf_printf(&order, "%s%u", i ? "," : "", sheet->order[i]);
    if (rc || buf_failed(&order))
        return rc ? rc : no_room(err);
    db_bind_int(query, 1, making->wish->contest);
    db_bind_text(query, 2, making->wish->plan.track);
    db_bind_int(query, 3, making->games[sheet->game]);
    db_bind_text(query, 4, str_of(criterion_letter(sheet->criterion)));
    if (person)
        db_bind_int(query, 5, making->judges[sheet->judge]);
    else
        db_bind_null(query, 5);
    if (person)
        db_bind_null(query, 6);
    else
        db_bind_text(query, 6, sheet->model);
    db_bind_int(query, 7, sheet->repeat);
    db_bind_text(query, 8, buf_str(&order));
    db_bind_int(query, 9, making->now_ms);
    db_bind_int(query, 10, sheet->calibration);
    rc = db_step(query, err);
    making->made += rc >= 0;
    return rc < 0 ? rc : 0;
}

/* ---- all of it ---- */

static int make_all(Making *making, Err *err)
{
    CLEANUP(mem_freep) bool *barred = NULL;
    int rc = find_games(making, err);

    if (rc == 0)
        rc = find_judges(making, err);
    if (rc)
        return rc;
    barred = mem_new((size_t)making->judge_count * making->game_count + 1);
    rc = barred ? find_bars(making, barred, err) : no_room(err);
    const SheetsPlace place = {.games = making->seats,
                               .game_count = making->game_count,
                               .team_count = making->team_count,
                               .judge_count = making->judge_count,
                               .barred = barred};
    return rc ? rc : sheets_plan(&making->wish->plan, &place, insert_sheet, making, err);
}

int sheets_make(Db *db, const SheetsWish *wish, int64_t now_ms, uint32_t *ret_made, Err *err)
{
    Making making = {.db = db, .wish = wish, .now_ms = now_ms};
    bool has = false;
    int rc = has_sheets(&making, &has, err);

    if (rc == 0 && !has)
        rc = make_all(&making, err);
    if (rc == 0)
        *ret_made = making.made;
    making_done(&making);
    return rc;
}

int sheets_judges(Db *db, int64_t contest, Buf *out, Err *err)
{
    const SheetsWish wish = {.contest = contest};
    Making making = {.db = db, .wish = &wish};
    int rc = find_judges(&making, err);

    for (uint32_t i = 0; i < making.judge_count && rc == 0; i++) {
        CLEANUP(buf_done) Buf family = {0};
        rc = judge_family(&making, making.judges[i], &family, err);
        buf_printf(out, "%s%s", i ? " " : "", family.len ? buf_cstr(&family) : SHEETS_NO_TEAM);
    }
    making_done(&making);
    return rc == 0 && buf_failed(out) ? no_room(err) : rc;
}
