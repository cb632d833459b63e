#include "site/site_game.h"

#include "store/db_row.h"

void site_game_done(SiteGame *game)
{
    buf_done(&game->stage);
    buf_done(&game->folder);
    buf_done(&game->log);
    buf_done(&game->log_digest);
    buf_done(&game->exchange_digest);
}

int site_game_find(Db *db, int64_t id, SiteGame *ret_game, Err *err)
{
    CLEANUP(db_query_freep) DbQuery *query = NULL;
    int rc = db_query_with(db, &query, err,
                           "SELECT run.contest, run.stage, run.folder, game.set_number, game.game,"
                           " game.log, game.log_digest, game.exchange_digest, game.counted,"
                           " COALESCE(game.place, -1), run.round"
                           " FROM game JOIN run ON run.id = game.run WHERE game.id = ?1",
                           "i", id);

    if (rc == 0)
        rc = db_step(query, err);
    if (rc == 0)
        return err_set(err, ERR_RULE, "object: there is no such game");
    if (rc < 0)
        return rc;
    ret_game->contest = db_int(query, 0);
    buf_add(&ret_game->stage, db_text(query, 1));
    buf_add(&ret_game->folder, db_text(query, 2));
    ret_game->set = db_int(query, 3);
    ret_game->number = db_int(query, 4);
    buf_add(&ret_game->log, db_text(query, 5));
    buf_add(&ret_game->log_digest, db_text(query, 6));
    buf_add(&ret_game->exchange_digest, db_text(query, 7));
    ret_game->counts = db_int(query, 8) != 0;
    ret_game->place = db_int(query, 9);
    ret_game->round = db_int(query, 10);
    return buf_failed(&ret_game->stage) || buf_failed(&ret_game->folder) ||
                   buf_failed(&ret_game->log) || buf_failed(&ret_game->log_digest) ||
                   buf_failed(&ret_game->exchange_digest)
               ? err_set(err, ERR_MEMORY, "game: out of memory")
               : 0;
}

bool site_game_is_of_track(Str folder)
{
    size_t at;

    return str_starts(folder, STR("tracks/")) && str_find_last(folder, '/', &at) &&
           str_find(folder, STR("/main/"), &at);
}
