/* driver_user.c - a person elsewhere decides, by a user interface: one question after the other
 * while a room is open to the player, as the document's Awake state has it. */
#include "maw/driver_own.h"

#define SECOND ((TimeUs)1000 * 1000)

/* Between an answer and the next question. */
#define NEXT_US     (SECOND / 5)
#define LISTENED_US (2 * SECOND) /* who has nothing to say is not hurried */
#define FAILED_US   (8 * SECOND)
#define SHORTEST_US SECOND /* of a phase that is worth a question */

static void act_as_said(MawDriver *driver, const MawMessage *answer, TimeUs now)
{
    MawPlayer *player = driver->player;
    MawType type = answer->type;

    if (type == MAW_CHAT)
        maw_player_say(player, answer->message, now);
    else if (type == MAW_VOTE)
        maw_player_vote(player, answer->target_null ? STR("") : answer->target, answer->reason,
                        now);
    else if (type == MAW_WHISPER)
        maw_player_whisper(player, answer->to, answer->message, now);
    else if (type == MAW_QUERY_ROLE)
        maw_player_ask_role(player, answer->target, now);
    else if (type == MAW_SHOW_SCORE)
        maw_player_ask_scores(player, now);
}

static bool says_something(const MawAnswered *answered)
{
    return answered->outcome == ASKED_ANSWERED && answered->message->type != MAW_LISTEN &&
           answered->message->type != MAW_NAME;
}

static TimeUs pause_after(const MawAnswered *answered)
{
    if (says_something(answered))
        return NEXT_US;
    return answered->outcome == ASKED_ANSWERED ? LISTENED_US : FAILED_US;
}

static void on_answered(void *user, const MawAnswered *answered, TimeUs now)
{
    MawDriver *driver = user;

    driver->spoke_last = false; /* people may speak twice in a row */
    driver->decided_at = now;
    driver->refused = answered->outcome == ASKED_REFUSED;
    driver->next = now + pause_after(answered);
    if (says_something(answered))
        act_as_said(driver, answered->message, now);
}

static void user_decide(MawDriver *driver, TimeUs now)
{
    const MawKnown *known = maw_player_known(driver->player);

    if (!maw_asked_is_open(driver->asked) && !driver->refused &&
        (known->phase_ends == TIME_US_NEVER || known->phase_ends > now + SHORTEST_US))
        maw_asked_act(driver->asked, now, on_answered, driver);
}

static void user_cancel(MawDriver *driver)
{
    maw_asked_cancel(driver->asked);
}

static bool user_busy(const MawDriver *driver)
{
    return maw_asked_is_open(driver->asked);
}

static void user_news(MawDriver *driver, const MawNews *news, TimeUs now)
{
    (void)now;
    if (news->kind == NEWS_PHASE)
        driver->refused = false;
}

int maw_user_driver_new(MawAsked *asked, uint64_t seed, MawDriver **ret, Err *err)
{
    static const DriverKind kind = {
        .decide = user_decide,
        .news = user_news,
        .cancel = user_cancel,
        .busy = user_busy,
    };
    /* Asked as soon as the room is open, and never for want of a vote: a person may abstain. */
    const MawPace pace = {.min_us = NEXT_US, .max_us = NEXT_US};
    int rc = driver_new(&kind, &pace, seed, ret, err);

    if (rc)
        return rc;
    (*ret)->asked = asked;
    return 0;
}
