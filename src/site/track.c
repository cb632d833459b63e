#include "site/track.h"

#include "site/job.h"
#include "site/track_import.h"
#include "site/track_notice.h"
#include "site/track_server.h"
#include "site/track_window.h"

static int tell_status(const TrackTurn *turn, const RulesTrack *track, const RulesWindow *window,
                       Err *err)
{
    json_t *status = track_server_status(turn, str_of(track->name), true);
    int rc = track_tell_awaited(turn, track, window, status, err);

    if (rc == 0)
        rc = track_tell_quarantined(turn, track, status, err);
    json_done(status);
    return rc;
}

/* Whether a job is put now: not while one is open, or has just failed; not when all is played, nor
 * when the last one ended since nobody but those who are away has matches left. */
static bool is_due(const TrackTurn *turn, const TrackJobRow *last, bool main, bool anybody_away)
{
    if (!last->there || last->main != main)
        return true;
    if (last->open || (last->failed && retry_waits(turn->waits, buf_str(&last->id), RETRY_MINUTE)))
        return false;
    if (!main || last->failed || last->stopped)
        return true;
    return !last->complete && !anybody_away;
}

/* Main matches begin when there are teams for one. */
static int begin_server(const TrackTurn *turn, uint32_t number, bool main, Err *err)
{
    const RulesTrack *track = &turn->rules->tracks[number];
    TrackLack lack = {0};
    int rc = main ? track_server_lacks(turn, track, &lack, err) : 0;

    if (rc)
        return rc;
    return lack.seats ? track_tell_lack(turn, track, &lack, err)
                      : track_job_put(turn, number, main, err);
}

static int follow_track(const TrackTurn *turn, uint32_t number, Err *err)
{
    CLEANUP(track_job_done) TrackJobRow last = {0};
    const RulesTrack *track = &turn->rules->tracks[number];
    const RulesWindow *window = turn->state == LIFE_FINAL ? track_window_open(turn, number) : NULL;
    const bool wanted = !turn->paused && (turn->state == LIFE_OPEN || window);
    bool anybody_away = false, more = false;
    int rc = track_server_tell_away(turn, track, &anybody_away, err);

    for (int part = TRACK_CHECK; part <= TRACK_MAIN && rc == 0; part++)
        rc = track_import(turn->db, &turn->home, str_of(track->name), part, turn->now_ms, &more,
                          err);
    if (rc == 0)
        rc = track_job_last(turn, str_of(track->name), &last, err);
    if (rc == 0 && last.open && (!wanted || last.main != (window != NULL)) && turn->spool)
        rc = job_stop(turn->db, turn->spool, buf_str(&last.id), err);
    if (rc == 0 && wanted && !last.open && is_due(turn, &last, window != NULL, anybody_away))
        rc = begin_server(turn, number, window != NULL, err);
    if (rc == 0 && window)
        rc = track_tell_window(turn, track, window, true, err);
    if (rc == 0 && window)
        rc = tell_status(turn, track, window, err);
    return rc == 0 && turn->state == LIFE_FINAL ? track_window_tell_closed(turn, number, err) : rc;
}

static int follow_all(Db *db, void *user, Err *err)
{
    const TrackTurn *turn = user;
    int rc = 0;

    (void)db;
    for (uint32_t i = 0; i < turn->rules->track_count && rc == 0; i++)
        rc = follow_track(turn, i, err);
    return rc;
}

int track_follow(const TrackTurn *turn, Err *err)
{
    TrackTurn copy = *turn;

    return db_transaction(turn->db, follow_all, &copy, err);
}

int track_over(const TrackTurn *turn, bool *ret_over, Err *err)
{
    bool over = true;
    int rc = 0;

    for (uint32_t i = 0; i < turn->rules->track_count && rc == 0; i++) {
        CLEANUP(track_job_done) TrackJobRow last = {0};
        rc = track_job_last(turn, str_of(turn->rules->tracks[i].name), &last, err);
        over = over && !last.open &&
               ((last.there && last.main && last.complete) || !track_window_left(turn, i));
    }
    *ret_over = over;
    return rc;
}
