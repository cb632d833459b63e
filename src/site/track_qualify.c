#include "site/track_qualify.h"

#include "site/track_entrant.h"
#include "site/track_import.h"
#include "site/track_notice.h"
#include "store/db_row.h"

int track_self_matches(const TrackTurn *turn, int64_t team, Str track, int64_t *ret_count, Err *err)
{
    return db_ask(turn->db, 0, ret_count, err,
                  "SELECT count(*) FROM run JOIN game ON game.run = run.id"
                  " WHERE run.contest = ?1 AND run.stage = ?2 AND run.part = 0"
                  " AND game.winner IN ('VILLAGER', 'WEREWOLF') AND game.void_by IS NULL"
                  " AND EXISTS (SELECT 1 FROM seat WHERE seat.game = game.id)"
                  " AND NOT EXISTS (SELECT 1 FROM seat WHERE seat.game = game.id AND"
                  " (seat.team IS NULL OR seat.team <> ?3 OR seat.failed <> 0))",
                  "iti", turn->home.id, track, team);
}

static int qualify_track(const TrackTurn *turn, const RulesTrack *track, Err *err)
{
    CLEANUP(entrants_done) Entrants entrants = {NULL, 0, 0};
    const Str name = str_of(track->name);
    bool more = true;
    int rc = 0;

    while (rc == 0 && more) /* all that was played counts */
        rc = track_import(turn->db, &turn->home, name, TRACK_CHECK, turn->now_ms, &more, err);
    if (rc == 0)
        rc = entrants_read(turn, name, STR("IN"), &entrants, err);
    for (size_t i = 0; i < entrants.count && rc == 0; i++) {
        int64_t played = 0;
        rc = track_self_matches(turn, entrants.list[i].team, name, &played, err);
        const bool in = played >= track->self_matches;
        if (rc == 0)
            rc = entrant_set_state(turn, entrants.list[i].team, name,
                                   in ? STR("QUALIFIED") : STR("OUT"), err);
        if (rc == 0 && !in)
            rc = track_tell_out(turn, &entrants.list[i], track, played, err);
    }
    return rc;
}

int track_qualify(const TrackTurn *turn, Err *err)
{
    int rc = 0;

    for (uint32_t i = 0; i < turn->rules->track_count && rc == 0; i++)
        rc = qualify_track(turn, &turn->rules->tracks[i], err);
    return rc;
}

static int count_ready(const TrackTurn *turn, const RulesTrack *track, uint32_t *ret_count,
                       Err *err)
{
    CLEANUP(entrants_done) Entrants entrants = {NULL, 0, 0};
    int rc = entrants_read(turn, str_of(track->name), STR("QUALIFIED"), &entrants, err);

    *ret_count = (uint32_t)entrants.count;
    if (rc || turn->state > LIFE_OPEN)
        return rc;
    rc = entrants_read(turn, str_of(track->name), STR("IN"), &entrants, err);
    for (size_t i = *ret_count; i < entrants.count && rc == 0; i++) {
        int64_t played = 0;
        rc = track_self_matches(turn, entrants.list[i].team, str_of(track->name), &played, err);
        *ret_count += played >= track->self_matches;
    }
    return rc;
}

/* The track with the fewest decides: each has to be played. */
int track_ready(const TrackTurn *turn, uint32_t *ret_teams, Err *err)
{
    uint32_t least = turn->rules->track_count ? UINT32_MAX : 0;
    int rc = 0;

    for (uint32_t i = 0; i < turn->rules->track_count && rc == 0; i++) {
        uint32_t count = 0;
        rc = count_ready(turn, &turn->rules->tracks[i], &count, err);
        least = count < least ? count : least;
    }
    *ret_teams = least;
    return rc;
}
