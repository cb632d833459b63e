#include "site/clock_facts.h"

#include "judging/judging_store.h"
#include "site/clock_nlp.h"
#include "site/clock_play.h"
#include "site/lot.h"
#include "site/publication.h"

static int count_rows(const ClockTurn *turn, const char *sql, uint32_t *ret_count, Err *err)
{
    CLEANUP(db_query_freep) DbQuery *query = NULL;
    int rc = db_query(turn->setup->db, sql, &query, err);

    *ret_count = 0;
    if (rc)
        return rc;
    db_bind_int(query, 1, turn->contest->id);
    rc = db_step(query, err);
    if (rc == 1)
        *ret_count = (uint32_t)db_int(query, 0);
    return rc < 0 ? rc : 0;
}

/* Of finalists alone where there are some. */
static int count_ready(const ClockTurn *turn, uint32_t *ret_count, Err *err)
{
    return count_rows(turn,
                      turn->contest->state == LIFE_REVISION
                          ? "SELECT count(*) FROM team WHERE contest = ?1 AND state = 'IN' AND"
                            " finalist = 1 AND EXISTS (SELECT 1 FROM version WHERE"
                            " version.team = team.id AND version.state IN ('PASSED', 'ACTIVE'))"
                          : "SELECT count(*) FROM team WHERE contest = ?1 AND state = 'IN' AND"
                            " EXISTS (SELECT 1 FROM version WHERE version.team = team.id AND"
                            " version.state IN ('PASSED', 'ACTIVE'))",
                      ret_count, err);
}

/* Before a stage that is frozen: its lots. Those of a final behind a preliminary are closed by its
 * beginning, and it waits for them itself. */
static int look_at_lots(const ClockTurn *turn, bool *ret_settled, Err *err)
{
    LotsState lots = {0};
    int rc = 0;

    *ret_settled = true;
    if (turn->contest->state != LIFE_FROZEN || turn->rules->natural_language)
        return 0;
    rc = lots_state(turn->setup->db, turn->contest->id, clock_stage_name(turn, 0), &lots, err);
    *ret_settled = lots.settled || !lots.closed;
    return rc;
}

/* What the runner's cells are, and whether that is enough. */
static bool is_cell_enough(const ClockTurn *turn)
{
    const Str level = buf_str(&turn->runner->level);
    const bool namespaces = str_eq(level, str_of(cell_level_name(CELL_NAMESPACES)));
    const bool filter = str_eq(level, str_of(cell_level_name(CELL_FILTER)));

    return turn->setup->cell_require == CELL_NAMESPACES ? namespaces : namespaces || filter;
}

int clock_facts(const ClockTurn *turn, LifeFacts *ret_facts, Err *err)
{
    const SiteRules *rules = turn->rules;
    LifeFacts facts = {.file_good = contest_rules_check(rules, NULL) == 0 &&
                                    contest_rules_find_runtimes(rules, NULL) == 0,
                       .teams_needed = contest_rules_teams_needed(rules),
                       .runner_alive = turn->runner->alive,
                       .cell_met = rules->natural_language || is_cell_enough(turn)};
    int rc = count_ready(turn, &facts.teams_ready, err);

    if (rc == 0)
        rc = look_at_lots(turn, &facts.lots_settled, err);
    if (rc == 0 && turn->contest->state == LIFE_JUDGING)
        rc = sheets_missing(turn->setup->db, turn->contest->id, &facts.sheets_missing, err);
    if (rc == 0 && turn->contest->state == LIFE_APPEALS)
        rc = count_rows(turn,
                        "SELECT count(*) FROM appeal JOIN team ON team.id = appeal.team"
                        " WHERE team.contest = ?1 AND appeal.closed IS NULL",
                        &facts.appeals_open, err);
    if (rc == 0 && turn->contest->state == LIFE_APPEALS)
        rc = publication_proven(turn->setup->db, turn->contest->id, &facts.bundle_proven, err);
    if (rc == 0)
        rc = clock_nlp_facts(turn, &facts, err);
    if (rc == 0)
        rc = clock_play_facts(turn, &facts, err);
    if (rc == 0)
        *ret_facts = facts;
    return rc;
}
