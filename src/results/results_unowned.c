#include "results/results_unowned.h"

void unowned_table_done(UnownedTable *table)
{
    mem_free(table->agents);
    *table = (UnownedTable){0};
}

static int add_agent(const DbQuery *row, UnownedTable *table, Err *err)
{
    const Str name = db_text(row, 0);
    DecisionSheet sheet = {0};

    if (name.len == 0 || name.len > AGENT_NAME_MAX || memchr(name.bytes, '\0', name.len) ||
        db_int(row, 1) < 1 || db_int(row, 2) < 0)
        return results_damaged(err);
    if (table->count == table->room) {
        const size_t room = table->room ? 2 * table->room : 8;
        UnownedAgent *agents = mem_resize(table->agents, room, sizeof(*agents));
        if (!agents)
            return err_set(err, ERR_MEMORY, "results: out of memory");
        table->agents = agents;
        table->room = room;
    }
    UnownedAgent *agent = &table->agents[table->count++];
    *agent = (UnownedAgent){.sets = (uint64_t)db_int(row, 1), .first = (uint64_t)db_int(row, 2)};
    memcpy(agent->name, name.bytes, name.len);
    decision_sheet_set_error(&sheet, db_text(row, 3));
    memcpy(agent->error, sheet.error, sizeof(agent->error));
    return 0;
}

int results_unowned(Db *db, int64_t stage, UnownedTable *ret_table, Err *err)
{
    CLEANUP(db_query_freep) DbQuery *query = NULL;
    CLEANUP(unowned_table_done) UnownedTable table = {0};
    int rc = db_query(db,
                      "SELECT agent, count(*), min(set_number), max(error) FROM"
                      " (SELECT agent, set_number, max(error) AS error FROM decision AS d"
                      "  WHERE (?1 < 0 OR stage = ?1) AND EXISTS (SELECT 1 FROM game WHERE unowned"
                      "   AND game.stage = d.stage AND game.set_number = d.set_number)"
                      "  GROUP BY stage, set_number, agent"
                      "  HAVING sum(decisions) > 0 AND sum(own) = 0)"
                      " GROUP BY agent ORDER BY agent",
                      &query, err);

    if (rc)
        return rc;
    db_bind_int(query, 1, stage);
    while ((rc = db_step(query, err)) > 0) {
        rc = add_agent(query, &table, err);
        if (rc)
            return rc;
    }
    if (rc == 0) {
        *ret_table = table;
        table = (UnownedTable){0};
    }
    return rc;
}
