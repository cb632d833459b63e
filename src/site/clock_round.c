#include "site/clock_round.h"

#include "site/notice.h"
#include "site/secret.h"
#include "site/team.h"
#include "store/db_row.h"

#define BUSY_SEATS_MIN  500 /* fewer say little */
#define ANSWERS_OF_SEAT 30  /* about, of a game of five: the store does not count them */

static int tell_team(const ClockTurn *turn, int64_t team, Str name, Str stage, int64_t round,
                     const char *text, const char *mark, Err *err)
{
    char number[24];

    snprintf(number, sizeof(number), "%lld", (long long)round);
    const NoticeWord words[] = {
        {"team", name}, {"stage", stage}, {"round", str_of(number)}, {"text", str_of(text)}};
    const Notice notice = {.kind = NOTICE_ROUND,
                           .to = TO_TEAM,
                           .id = team,
                           .contest = turn->contest->id,
                           .words = words,
                           .word_count = 4,
                           .mark = mark};
    return notice_put(turn->setup->db, &notice, turn->now_ms, err);
}

/* ---- testing rounds ---- */

/* The last round that is over, 0 = none. */
static int last_round(const ClockTurn *turn, int64_t *ret_round, Err *err)
{
    return db_ask(turn->setup->db, 0, ret_round, err,
                  "SELECT max(round) FROM play WHERE contest = ?1 AND stage = ?2"
                  " AND ended IS NOT NULL",
                  "it", turn->contest->id, STR(SECRET_TESTING));
}

static int is_told(const ClockTurn *turn, const char *mark, bool *ret_told, Err *err)
{
    char pattern[120];
    int64_t told = 0;

    snprintf(pattern, sizeof(pattern), "%lld/%s/%%", (long long)turn->contest->id, mark);
    int rc = db_ask(turn->setup->db, 0, &told, err,
                    "SELECT 1 FROM notice WHERE mark LIKE ?1 LIMIT 1", "t", str_of(pattern));
    *ret_told = told;
    return rc;
}

static int tell_round(const ClockTurn *turn, int64_t round, const char *mark, Err *err)
{
    CLEANUP(db_query_freep) DbQuery *query = NULL;
    int rc = db_query_with(
        turn->setup->db, &query, err,
        "SELECT team.id, team.name, count(*), sum(seat.won), sum(seat.failed) FROM seat"
        " JOIN game ON game.id = seat.game JOIN run ON run.id = game.run"
        " JOIN team ON team.id = seat.team WHERE run.contest = ?1 AND run.stage = ?2"
        " AND run.round = ?3 GROUP BY team.id, team.name ORDER BY team.id",
        "iti", turn->contest->id, STR(SECRET_TESTING), round);

    if (rc)
        return rc;
    while ((rc = db_step(query, err)) == 1) {
        char text[120];
        snprintf(text, sizeof(text), "%lld of %lld games won, %lld failed",
                 (long long)db_int(query, 3), (long long)db_int(query, 2),
                 (long long)db_int(query, 4));
        rc = tell_team(turn, db_int(query, 0), db_text(query, 1), STR(SECRET_TESTING), round, text,
                       mark, err);
        if (rc)
            return rc;
    }
    return rc;
}

int clock_round_tell_testing(const ClockTurn *turn, Err *err)
{
    int64_t round = 0;
    bool told = false;
    char mark[40];
    int rc = turn->rules->natural_language ? 0 : last_round(turn, &round, err);

    if (rc || !round)
        return rc;
    snprintf(mark, sizeof(mark), "testing-round/%lld", (long long)round);
    rc = is_told(turn, mark, &told, err);
    return rc || told ? rc : tell_round(turn, round, mark, err);
}

/* ---- stages ---- */

int clock_round_tell_busy(const ClockTurn *turn, Err *err)
{
    CLEANUP(db_query_freep) DbQuery *query = NULL;
    char mark[80], text[80];

    if (turn->rules->natural_language)
        return 0;
    const Str stage = clock_stage_name(turn, clock_stage(turn));
    int rc = db_query_with(
        turn->setup->db, &query, err,
        "SELECT sum(games), sum(excused) FROM score WHERE contest = ?1 AND stage = ?2", "it",
        turn->contest->id, stage);
    if (rc)
        return rc;
    rc = db_step(query, err);
    if (rc != 1)
        return rc;
    const int64_t seats = db_int(query, 0), excused = db_int(query, 1);
    if (seats < BUSY_SEATS_MIN || excused * 100 <= seats * ANSWERS_OF_SEAT)
        return 0;
    snprintf(mark, sizeof(mark), "busy/%.*s", STR_ARG(str_part(stage, 0, 64)));
    snprintf(text, sizeof(text), "%lld excused answers on %lld seats", (long long)excused,
             (long long)seats);
    const NoticeWord words[] = {{"stage", stage}, {"text", str_of(text)}};
    const Notice notice = {.kind = NOTICE_EXCUSED,
                           .to = TO_ORGANISERS,
                           .contest = turn->contest->id,
                           .words = words,
                           .word_count = 2,
                           .mark = mark};
    return notice_put(turn->setup->db, &notice, turn->now_ms, err);
}

int clock_round_tell_rank(const ClockTurn *turn, Str stage, Str team, uint32_t rank, uint64_t games,
                          uint64_t wins, Err *err)
{
    char text[120];
    int64_t id = TEAM_NONE;
    int rc = team_find(turn->setup->db, turn->contest->id, team, &id, err);

    if (rc || id == TEAM_NONE)
        return rc;
    snprintf(text, sizeof(text), "rank %u, %llu of %llu games won", (unsigned)rank,
             (unsigned long long)wins, (unsigned long long)games);
    return tell_team(turn, id, team, stage, 0, text, NULL, err);
}
