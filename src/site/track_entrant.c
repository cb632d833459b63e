#include "site/track_entrant.h"

#include "base/mem.h"
#include "store/db_row.h"

/* ---- a team's will ---- */

static int check_track(const SiteRules *rules, Str track, bool open, Err *err)
{
    if (!contest_rules_track(rules, track))
        return err_set(err, ERR_RULE, "track: the contest has none called '%.*s'", STR_ARG(track));
    return open ? 0 : err_set(err, ERR_RULE, "track: teams can't change their tracks any more");
}

int track_enter(Db *db, const SiteRules *rules, int64_t team, Str track, bool open, int64_t now_ms,
                Err *err)
{
    int rc = check_track(rules, track, open, err);

    return rc ? rc
              : db_run(db, err,
                       "INSERT INTO entrant(team, track, state, at) VALUES(?1, ?2, 'IN', ?3)"
                       " ON CONFLICT(team, track) DO NOTHING",
                       "iti", team, track, now_ms);
}

int track_leave(Db *db, int64_t team, Str track, bool open, Err *err)
{
    if (!open)
        return err_set(err, ERR_RULE, "track: teams can't change their tracks any more");
    return db_run(db, err, "DELETE FROM entrant WHERE team = ?1 AND track = ?2", "it", team, track);
}

int track_set_away(Db *db, int64_t team, Str track, int64_t from_ms, int64_t to_ms, Err *err)
{
    int64_t changed = 0;

    if (from_ms >= to_ms && (from_ms || to_ms))
        return err_set(err, ERR_RULE, "away: `from` is not before `to`");
    int rc = db_ask(db, 0, &changed, err,
                    "UPDATE entrant SET away_from = ?3, away_to = ?4"
                    " WHERE team = ?1 AND track = ?2 RETURNING 1",
                    "itii", team, track, from_ms, to_ms);
    if (rc == 0 && !changed)
        rc = err_set(err, ERR_RULE, "away: the team is not in track '%.*s'", STR_ARG(track));
    return rc;
}

/* ---- who is there ---- */

void entrants_done(Entrants *entrants)
{
    entrants->list = mem_free(entrants->list);
}

static int add_entrant(Entrants *entrants, const DbQuery *query, Err *err)
{
    if (entrants->count == entrants->room) {
        size_t room = entrants->room ? 2 * entrants->room : 32;
        Entrant *more = mem_resize(entrants->list, room, sizeof(*more));
        if (!more)
            return err_set(err, ERR_MEMORY, "tracks: out of memory");
        entrants->list = more;
        entrants->room = room;
    }
    Entrant *own = &entrants->list[entrants->count++];
    Str name = str_part(db_text(query, 1), 0, TEAM_NAME_BYTES);
    *own = (Entrant){
        .team = db_int(query, 0), .away_from = db_int(query, 2), .away_to = db_int(query, 3)};
    memcpy(own->name, name.bytes, name.len);
    return 0;
}

int entrants_read(const TrackTurn *turn, Str track, Str state, Entrants *entrants, Err *err)
{
    CLEANUP(db_query_freep) DbQuery *query = NULL;
    int rc = db_query_with(
        turn->db, &query, err,
        "SELECT team.id, team.name, entrant.away_from, entrant.away_to FROM entrant"
        " JOIN team ON team.id = entrant.team WHERE team.contest = ?1"
        " AND entrant.track = ?2 AND entrant.state = ?3 AND team.state = 'IN' ORDER BY team.name",
        "itt", turn->home.id, track, state);

    while (rc == 0 && (rc = db_step(query, err)) == 1)
        rc = add_entrant(entrants, query, err);
    return rc;
}

int entrant_set_state(const TrackTurn *turn, int64_t team, Str track, Str state, Err *err)
{
    return db_run(turn->db, err,
                  "UPDATE entrant SET state = ?3, at = ?4 WHERE team = ?1 AND track = ?2", "itti",
                  team, track, state, turn->now_ms);
}

bool entrant_is_away(const Entrant *entrant, int64_t now_ms)
{
    return entrant->away_from < entrant->away_to && entrant->away_from <= now_ms &&
           now_ms < entrant->away_to;
}
