#include "site/clock_remind.h"

#include "base/mem.h"
#include "site/notice.h"

#define HOUR_MS INT64_C(3600000)
#define DAY_MS  (24 * HOUR_MS)

/* Nearest first. */
static const struct {
    int64_t before_ms;
    const char *name, *rest;
} reminders[] = {{HOUR_MS, "1h", "1 h"}, {DAY_MS, "1d", "1 d"}, {7 * DAY_MS, "7d", "7 d"}};

/* What ends a state for the teams; the end of the revision is told by what finalists lack. */
static const struct {
    LifeState state;
    LifeDate date;
} deadlines[] = {
    {LIFE_OPEN, DATE_SUBMISSION_CLOSES},
    {LIFE_APPEALS, DATE_APPEALS_CLOSE},
};

static int put_reminder(const ClockTurn *turn, LifeDate date, size_t number, Err *err)
{
    const int64_t at_ms = turn->rules->dates[date];
    const int64_t before_ms = reminders[number].before_ms;
    CLEANUP(buf_done) Buf when = {0}, rest = {0}, rest_ja = {0};
    char mark[80];

    time_zone_print(&turn->rules->zone, at_ms, &when);
    buf_printf(&when, " (%s)", turn->rules->zone_name);
    /* A contest that has just begun may be told late: then how long it is in truth. */
    if (at_ms - turn->now_ms > before_ms - before_ms / 24)
        buf_add(&rest, str_of(reminders[number].rest));
    else {
        life_rest(at_ms - turn->now_ms, false, &rest);
        life_rest(at_ms - turn->now_ms, true, &rest_ja);
    }
    if (buf_failed(&when) || buf_failed(&rest) || buf_failed(&rest_ja))
        return err_set(err, ERR_MEMORY, "reminder: out of memory");
    snprintf(mark, sizeof(mark), "deadline/%s/%lld/%s", contest_date_keys[date], (long long)at_ms,
             reminders[number].name);
    const NoticeWord words[] = {{"what", str_of(contest_date_keys[date])},
                                {"rest", buf_str(&rest)},
                                {"date", buf_str(&when)},
                                {"rest_ja", buf_str(&rest_ja)}};
    const Notice notice = {.kind = NOTICE_DEADLINE,
                           .to = TO_TEAMS,
                           .contest = turn->contest->id,
                           .words = words,
                           .word_count = rest_ja.len ? 4 : 3,
                           .mark = mark};
    return notice_put(turn->setup->db, &notice, turn->now_ms, err);
}

static int remind_of(const ClockTurn *turn, LifeDate date, Err *err)
{
    const int64_t at_ms = turn->rules->dates[date];

    if (at_ms == LIFE_NO_DATE || at_ms <= turn->now_ms)
        return 0;
    for (size_t i = 0; i < sizeof(reminders) / sizeof(reminders[0]); i++)
        if (at_ms - turn->now_ms <= reminders[i].before_ms)
            return put_reminder(turn, date, i, err);
    return 0;
}

int clock_remind(const ClockTurn *turn, Err *err)
{
    for (size_t i = 0; i < sizeof(deadlines) / sizeof(deadlines[0]); i++)
        if (deadlines[i].state == turn->contest->state)
            return remind_of(turn, deadlines[i].date, err);
    return 0;
}

/* ---- what waits ---- */

/* Waiting for these is no news: it is what the state is for, or it has not come yet. */
static bool is_usual(LifeWhy why)
{
    return why == LIFE_GOES || why == LIFE_WAITS || why == LIFE_ASKED || why == LIFE_PAUSED ||
           why == LIFE_HELD || why == LIFE_PLAYS || why == LIFE_ENDED || why == LIFE_LOTS;
}

int clock_tell_waiting(const ClockTurn *turn, const LifeStep *step, Err *err)
{
    CLEANUP(buf_done) Buf english = {0};
    CLEANUP(buf_done) Buf japanese = {0};
    char mark[80];

    if (is_usual(step->why))
        return 0;
    life_sentence(step, turn->now_ms, false, &english);
    life_sentence(step, turn->now_ms, true, &japanese);
    if (buf_failed(&english) || buf_failed(&japanese))
        return err_set(err, ERR_MEMORY, "notice: out of memory");
    snprintf(mark, sizeof(mark), "waits/%s/%lld/%d", life_state_name(step->from),
             (long long)turn->contest->changed_ms, (int)step->why);
    const NoticeWord words[] = {{"text", buf_str(&english)}, {"text_ja", buf_str(&japanese)}};
    const Notice notice = {.kind = NOTICE_WAITS,
                           .to = TO_ORGANISERS,
                           .contest = turn->contest->id,
                           .words = words,
                           .word_count = 2,
                           .mark = mark};
    return notice_put(turn->setup->db, &notice, turn->now_ms, err);
}

/* ---- tokens ---- */

static int put_token(Db *db, const DbQuery *row, int64_t now_ms, Err *err)
{
    CLEANUP(buf_done) Buf when = {0};
    char mark[80];
    const TimeZone utc = {0};

    time_zone_print(&utc, db_int(row, 2), &when);
    buf_add(&when, STR(" (UTC)"));
    snprintf(mark, sizeof(mark), "token/%lld/%lld", (long long)db_int(row, 0),
             (long long)db_int(row, 2));
    const NoticeWord words[] = {{"label", db_text(row, 1)}, {"date", buf_str(&when)}};
    const Notice notice = {.kind = NOTICE_TOKEN_ENDS,
                           .to = TO_ACCOUNT,
                           .id = db_int(row, 0),
                           .words = words,
                           .word_count = 2,
                           .mark = mark};
    if (buf_failed(&when))
        return err_set(err, ERR_MEMORY, "reminder: out of memory");
    return notice_put(db, &notice, now_ms, err);
}

int clock_remind_tokens(Db *db, int64_t now_ms, Err *err)
{
    CLEANUP(db_query_freep) DbQuery *query = NULL;
    int rc = db_query(db, "SELECT account, label, ends FROM token WHERE ends > ?1 AND ends < ?2",
                      &query, err);

    if (rc)
        return rc;
    db_bind_int(query, 1, now_ms);
    db_bind_int(query, 2, now_ms + 7 * DAY_MS);
    while ((rc = db_step(query, err)) == 1)
        if ((rc = put_token(db, query, now_ms, err)))
            return rc;
    return rc;
}
