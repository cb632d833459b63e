#include "site/clock_proof.h"

#include "site/appeal.h"
#include "site/clock_nlp.h"
#include "site/finding.h"
#include "site/job.h"
#include "site/play_follow.h"
#include "site/publication.h"
#include "site/ruling.h"
#include "store/db_row.h"

/* The job that plays in a folder whose journal is to be written; empty = none. */
static int find_playing(const ClockTurn *turn, Buf *ret_job, Err *err)
{
    return db_ask_text(turn->setup->db, ret_job, NULL, err,
                       "SELECT id FROM job WHERE contest = ?1 AND state IN ('NEW', 'PUT')"
                       " AND (kind = 'nlp' OR"
                       " (kind = 'play' AND spec LIKE '%\"folder\":\"play\"%'))",
                       "i", turn->contest->id);
}

/* Scores that were published follow from games that count. */
static int publish_anew(const ClockTurn *turn, Err *err)
{
    return turn->contest->state == LIFE_APPEALS ? clock_nlp_publish(turn, LIFE_APPEALS, err) : 0;
}

/* Nobody writes a journal in which somebody plays: its job is asked to end, and goes on behind. A
 * window of natural language is waited for. */
static int apply_rulings(const ClockTurn *turn, Err *err)
{
    CLEANUP(buf_done) Buf job = {0};
    const ContestHome home = clock_home(turn);
    uint32_t waiting = 0;
    int rc = rulings_waiting(turn->setup->db, home.id, &waiting, err);

    if (rc || !waiting)
        return rc;
    rc = find_playing(turn, &job, err);
    if (rc)
        return rc;
    if (job.len)
        return turn->setup->spool && !turn->rules->natural_language
                   ? job_stop(turn->setup->db, turn->setup->spool, buf_str(&job), err)
                   : 0;
    rc = rulings_apply(turn->setup->db, &home, turn->now_ms, err);
    return rc ? rc : publish_anew(turn, err);
}

static int gather_appeals(const ClockTurn *turn, Err *err)
{
    const ContestHome home = clock_home(turn);
    int64_t appeal = 0;
    int rc = appeal_next_to_gather(turn->setup->db, home.id, &appeal, err);

    return rc || !appeal ? rc : appeal_gather(turn->setup->db, &home, appeal, err);
}

int clock_proof_follow(const ClockTurn *turn, Err *err)
{
    const ContestHome home = clock_home(turn);
    bool more = false;
    int rc = turn->rules->natural_language
                 ? 0
                 : play_follow(turn->setup->db, &home, &turn->rules->plan, CLOCK_PROOF_LINES,
                               turn->now_ms, &more, err);

    if (rc == 0)
        rc = apply_rulings(turn, err);
    return rc ? rc : gather_appeals(turn, err);
}

/* Whether the journal has been told to its end, and nothing waits to be said in it. */
static int is_all_said(const ClockTurn *turn, bool *ret_all, Err *err)
{
    const ContestHome home = clock_home(turn);
    uint32_t waiting = 0, open = 0;
    bool more = false;
    int rc = rulings_waiting(turn->setup->db, home.id, &waiting, err);

    if (rc == 0)
        rc = appeals_open(turn->setup->db, home.id, &open, err);
    if (rc == 0 && !turn->rules->natural_language)
        rc = play_follow(turn->setup->db, &home, &turn->rules->plan, CLOCK_PROOF_LINES,
                         turn->now_ms, &more, err);
    *ret_all = rc == 0 && !waiting && !open && !more;
    return rc;
}

int clock_proof_publish(const ClockTurn *turn, Err *err)
{
    const ContestHome home = clock_home(turn);
    const int64_t date = turn->rules->dates[DATE_APPEALS_CLOSE];
    bool asked = false, all = false;
    int rc = contest_asked(turn->setup->db, home.id, LIFE_APPEALS, &asked, err);

    if (rc || (!asked && (date == LIFE_NO_DATE || turn->now_ms < date)))
        return rc;
    rc = is_all_said(turn, &all, err);
    if (rc || !all)
        return rc;
    /* What the job reads is the file. */
    if (turn->setup->ledger)
        rc = site_ledger_is_flushed(turn->setup->ledger, turn->setup->db, home.id, &all, err);
    return rc || !all ? rc
                      : publication_ask(turn->setup->db, &home, turn->rules, turn->waits,
                                        turn->now_ms, err);
}

int clock_proof_close(const ClockTurn *turn, Err *err)
{
    bool flushed = true;
    int rc = turn->setup->ledger ? site_ledger_is_flushed(turn->setup->ledger, turn->setup->db,
                                                          turn->contest->id, &flushed, err)
                                 : 0;

    return rc || !flushed ? rc
                          : publication_close(turn->setup->db, turn->contest->id, turn->waits,
                                              turn->now_ms, err);
}
