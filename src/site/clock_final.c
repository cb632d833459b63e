#include "site/clock_final.h"

#include "base/mem.h"
#include "site/clock_round.h"
#include "site/document.h"
#include "site/table.h"

/* ---- who they are ---- */

typedef struct Finalists {
    int64_t *teams;
    size_t count;
} Finalists;

static void finalists_done(Finalists *finalists)
{
    mem_free(finalists->teams);
}

static int read_finalists(const ClockTurn *turn, Finalists *finalists, Err *err)
{
    CLEANUP(db_query_freep) DbQuery *query = NULL;
    int rc = db_query(turn->setup->db,
                      "SELECT id FROM team WHERE contest = ?1 AND state = 'IN' AND finalist = 1"
                      " ORDER BY id",
                      &query, err);

    if (rc)
        return rc;
    db_bind_int(query, 1, turn->contest->id);
    while ((rc = db_step(query, err)) == 1) {
        int64_t *more = mem_resize(finalists->teams, finalists->count + 1, sizeof(*more));
        if (!more)
            return err_set(err, ERR_MEMORY, "finalists: out of memory");
        finalists->teams = more;
        more[finalists->count++] = db_int(query, 0);
    }
    return rc;
}

/* ---- what they hand in ---- */

/* Of the final, as site/document.h counts it: the bits are in the same order. */
static unsigned required_documents(const ClockTurn *turn)
{
    return turn->rules->natural_language ? 0
                                         : turn->rules->require[turn->rules->plan.stage_count - 1];
}

int clock_final_remind(const ClockTurn *turn, Err *err)
{
    CLEANUP(finalists_done) Finalists finalists = {0};
    const int64_t deadline_ms = turn->rules->dates[DATE_REVISION_CLOSES];
    const unsigned required = required_documents(turn);

    if (!required || deadline_ms == LIFE_NO_DATE)
        return 0;
    int rc = read_finalists(turn, &finalists, err);
    return rc ? rc
              : documents_remind(turn->setup->db, turn->contest->id, finalists.teams,
                                 finalists.count, required, deadline_ms, turn->now_ms, err);
}

int clock_final_enforce(const ClockTurn *turn, LifeState to, Err *err)
{
    CLEANUP(finalists_done) Finalists finalists = {0};
    const unsigned required = required_documents(turn);
    uint32_t out = 0;
    int rc = required ? read_finalists(turn, &finalists, err) : 0;

    (void)to;
    return rc || !required ? rc
                           : documents_enforce(turn->setup->db, turn->contest->id, finalists.teams,
                                               finalists.count, required, turn->now_ms, &out, err);
}

/* ---- the ranking ---- */

typedef struct RankingEntry {
    Str stage;
    const Standings *standings;
} RankingEntry;

static void put_number(Canonical *entry, Str key, uint64_t number)
{
    canonical_key(entry, key);
    canonical_put_number(entry, (int64_t)number);
}

static void put_ranking(void *user, Canonical *entry)
{
    const RankingEntry *ranking = user;

    canonical_key(entry, STR("stage"));
    canonical_put_text(entry, ranking->stage);
    put_number(entry, STR("games"), ranking->standings->games);
    canonical_key(entry, STR("teams"));
    canonical_open(entry, '[');
    for (uint32_t i = 0; i < standings_ranked(ranking->standings); i++) {
        const Standing *team = &ranking->standings->agents[i];
        canonical_open(entry, '{');
        canonical_key(entry, STR("team"));
        canonical_put_text(entry, str_of(team->name));
        put_number(entry, STR("rank"), team->rank);
        put_number(entry, STR("games"), team->all.games);
        put_number(entry, STR("wins"), team->all.wins);
        canonical_close(entry);
    }
    canonical_close(entry);
}

int clock_final_rank(const ClockTurn *turn, LifeState to, Err *err)
{
    CLEANUP(standings_done) Standings standings = {0};

    (void)to;
    if (turn->rules->natural_language)
        return 0;
    const PlanStage *stage = &turn->rules->plan.stages[clock_stage(turn)];
    RankingEntry ranking = {str_of(stage->name), &standings};
    int rc = site_standings_read(turn->setup->db, turn->contest->id, ranking.stage,
                                 plan_stage_min_games(stage), &standings, err);
    for (uint32_t i = 0; i < standings_ranked(&standings) && rc == 0; i++) {
        const Standing *team = &standings.agents[i];
        rc = clock_round_tell_rank(turn, ranking.stage, str_of(team->name), team->rank,
                                   team->all.games, team->all.wins, err);
    }
    if (rc == 0)
        rc = clock_round_tell_busy(turn, err);
    return rc ? rc
              : site_ledger_add(turn->setup->db, turn->contest->id, turn->now_ms, "ranking",
                                put_ranking, &ranking, err);
}
