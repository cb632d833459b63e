/* driver.c - Algorithm 1 as completed in docs/spec/maw.md 5.1: when a seat decides. */
#include "bot/talker_words.h"
#include "maw/driver_own.h"

#define SECOND         ((TimeUs)1000 * 1000)
#define QUIET_MAX_US   (20 * SECOND) /* in a silent room one may speak twice in a row */
#define LAST_CALLS_MAX 3             /* a vote that is refused is asked for again, not for ever */
#define OPINION_CHANCE 1
#define NO_CLOCK_US    (60 * SECOND) /* nobody told when the phase ends: asked for a vote then */

/* ---- life ---- */

MawPace maw_pace(const Ruleset *rules, bool with_people)
{
    int32_t shorter = rules->talk.duration_ms < rules->whisper.duration_ms
                          ? rules->talk.duration_ms
                          : rules->whisper.duration_ms;
    MawPace pace = {.min_us = 2 * SECOND, .max_us = 8 * SECOND, .last_call_us = 20 * SECOND};
    TimeUs phase = (TimeUs)shorter * 1000;

    if (pace.max_us > phase / 8)
        pace.max_us = phase / 8;
    if (pace.min_us > pace.max_us / 4)
        pace.min_us = pace.max_us / 4;
    if (pace.last_call_us > phase / 3)
        pace.last_call_us = phase / 3;
    if (with_people) {
        pace.min_us *= 2;
        pace.max_us *= 2;
        pace.vote_after_us = (TimeUs)rules->talk.duration_ms * 1000 / 3;
    }
    return pace;
}

MawPace maw_model_pace(const MawPace *pace, const LlmManner *manner, bool demo)
{
    MawPace own = *pace;

    if (manner->ask_max_ms) {
        own.min_us = (TimeUs)manner->ask_min_ms * 1000;
        own.max_us = (TimeUs)manner->ask_max_ms * 1000;
    } else if (!demo) {
        own.min_us *= 2;
        own.max_us *= 2;
    }
    return own;
}

int driver_new(const DriverKind *kind, const MawPace *pace, uint64_t seed, MawDriver **ret,
               Err *err)
{
    MawDriver *driver = mem_new(sizeof(*driver));

    if (!driver)
        return err_set(err, ERR_MEMORY, "driver: out of memory");
    driver->kind = kind;
    driver->pace = *pace;
    if (driver->pace.max_us < driver->pace.min_us)
        driver->pace.max_us = driver->pace.min_us;
    driver->rng = rng_new(seed);
    driver->opinion_rng = rng_new(rng_derive(seed, OPINION_CHANCE));
    *ret = driver;
    return 0;
}

/* With a decision. */
static bool is_busy(const MawDriver *driver)
{
    return !driver->opines && driver->kind->busy && driver->kind->busy(driver);
}

static void cancel_task(MawDriver *driver)
{
    driver->opines = false;
    if (driver->kind->cancel)
        driver->kind->cancel(driver);
}

MawDriver *maw_driver_free(MawDriver *driver)
{
    if (!driver)
        return NULL;
    cancel_task(driver);
    if (driver->kind->done)
        driver->kind->done(driver);
    return mem_free(driver);
}

void maw_driver_take(MawDriver *driver, MawPlayer *player)
{
    driver->player = player;
}

/* ---- when ---- */

static TimeUs uniform_delay(MawDriver *driver)
{
    TimeUs width = driver->pace.max_us - driver->pace.min_us;
    uint32_t steps = width / 1000 > UINT32_MAX - 1 ? UINT32_MAX : (uint32_t)(width / 1000) + 1;

    return driver->pace.min_us + (TimeUs)rng_below(&driver->rng, steps) * 1000;
}

static bool may_act(const MawKnown *known)
{
    return known->state == PLAYER_AWAKE && known->alive && known->room_open;
}

static bool is_new_phase(const MawDriver *driver, const MawKnown *known)
{
    return known->round != driver->round || known->phase_no != driver->phase_no;
}

static void enter_phase(MawDriver *driver, const MawKnown *known, TimeUs now)
{
    cancel_task(driver);
    driver->round = known->round;
    driver->phase_no = known->phase_no;
    driver->phase_began = now;
    driver->last_calls = 0;
    driver->opinion_due = false;
    driver->opined = false;
    driver->news = true; /* a new phase is something to speak about */
    driver->heard = HEARD_LINE;
    driver->spoke_last = false;
    driver->next = now + uniform_delay(driver);
}

/* When a seat without a vote is asked for one: before the end, but not before it has had the first
 * half of a short phase. */
static TimeUs last_call_at(const MawDriver *driver, const MawKnown *known)
{
    if (driver->last_calls >= LAST_CALLS_MAX || known->my_vote.len)
        return TIME_US_NEVER;
    if (driver->last_calls) /* refused: choose again, after a breath */
        return driver->decided_at + driver->pace.min_us;
    if (known->phase_ends == TIME_US_NEVER)
        return driver->phase_began + NO_CLOCK_US;
    TimeUs at = known->phase_ends - driver->pace.last_call_us;
    TimeUs half = driver->phase_began + (known->phase_ends - driver->phase_began) / 2;

    return at > half ? at : half;
}

/* When it decides without a call: a model that has heard nothing new has nothing to say, but for
 * who spoke last into a room that is silent since. */
static TimeUs turn_at(const MawDriver *driver)
{
    if (!driver->kind->costly)
        return driver->next;
    switch (driver->heard) {
    case HEARD_ADDRESS:
        return driver->decided_at + driver->pace.min_us;
    case HEARD_LINE:
        return driver->next;
    case HEARD_NOTHING:
        return driver->spoke_last ? driver->decided_at + QUIET_MAX_US : TIME_US_NEVER;
    }
    return TIME_US_NEVER;
}

TimeUs maw_driver_deadline(const MawDriver *driver)
{
    const MawKnown *known = driver->player ? maw_player_known(driver->player) : NULL;

    if (!known || !may_act(known))
        return TIME_US_NEVER;
    if (is_new_phase(driver, known))
        return 0;
    TimeUs call = last_call_at(driver, known);

    if (is_busy(driver))
        return call < known->phase_ends ? call : known->phase_ends;
    TimeUs turn = driver->opinion_due && !driver->opines ? 0 : turn_at(driver);
    return call < turn ? call : turn;
}

/* ---- what ---- */

static void decide_task(MawDriver *driver, LlmTask task, TimeUs now)
{
    maw_scene(driver->player, driver->language, now, &driver->scene);
    driver->opines = false;
    driver->scene.task = task;
    if (task == TASK_ROOM && !driver->scene.night &&
        now < driver->phase_began + driver->pace.vote_after_us)
        driver->scene.target_count = 0;
    driver->scene.seed = rng_next(&driver->rng);
    driver->heard = HEARD_NOTHING; /* what comes while it thinks is heard after that */
    driver->decided_at = now;
    driver->next = now + uniform_delay(driver);
    driver->kind->decide(driver, now);
}

/* ---- opinions ---- */

void maw_driver_opinions(MawDriver *driver, LlmOpinions when)
{
    driver->opinions = driver->kind->opine ? when : OPINIONS_OFF;
}

/* A line of somebody else was heard. */
static void want_opinion(MawDriver *driver, const MawNews *news)
{
    const MawKnown *known = maw_player_known(driver->player);
    bool enough = driver->opinions == OPINIONS_DAY && driver->opined;

    if (driver->opinions && !news->mine && !driver->follows && may_act(known) && !known->night &&
        !enough)
        driver->opinion_due = true;
}

static void ask_opinion(MawDriver *driver, TimeUs now)
{
    const MawKnown *known = maw_player_known(driver->player);

    driver->opinion_due = false;
    maw_scene(driver->player, driver->language, now, &driver->scene);
    if (!driver->scene.target_count)
        return;
    driver->scene.task = TASK_OPINION;
    driver->scene.seed = rng_next(&driver->opinion_rng);
    for (uint32_t i = 0; i < known->player_count; i++)
        driver->scene.lines_said += known->players[i].lines;
    driver->opines = true;
    driver->kind->opine(driver, now);
}

/* ---- acting ---- */

void driver_decided(MawDriver *driver, const LlmDecision *decision, TimeUs now)
{
    driver->news = false;
    driver->spoke_last = false;
    driver->decided_at = now;
    driver->next = now + uniform_delay(driver);
    if (!may_act(maw_player_known(driver->player)))
        return; /* the phase was over before the answer came */
    if (decision->action == LLM_SPEAK)
        driver->spoke_last = maw_player_say(driver->player, str_of(decision->message), now);
    else if (decision->action == LLM_VOTE &&
             !str_eq(str_of(decision->target), maw_player_known(driver->player)->my_vote))
        maw_player_vote(driver->player, str_of(decision->target), str_of(decision->reason), now);
}

/* After a pause the seats must not all speak at once. */
static void go_on(MawDriver *driver, TimeUs now)
{
    TimeUs stood = now - driver->waits_since;

    driver->waits = false;
    driver->phase_began += stood;
    driver->decided_at += stood;
    driver->next = now + uniform_delay(driver);
}

void maw_driver_tick(MawDriver *driver, TimeUs now)
{
    const MawKnown *known = driver->player ? maw_player_known(driver->player) : NULL;
    Str targets[MAW_LIST_MAX];

    if (known && known->paused && !driver->waits) {
        driver->waits = true;
        driver->waits_since = now;
    } else if (known && !known->paused && driver->waits) {
        go_on(driver, now);
    }
    if (!known || !may_act(known)) {
        cancel_task(driver);
        return;
    }
    if (is_new_phase(driver, known))
        enter_phase(driver, known, now);
    if (now >= known->phase_ends)
        cancel_task(driver); /* its answer is of no use any more */
    if (now >= last_call_at(driver, known)) {
        driver->last_calls++;
        if (maw_player_targets(driver->player, targets))
            decide_task(driver, TASK_VOTE, now);
        return;
    }
    if (is_busy(driver))
        return;
    if (now < turn_at(driver)) {
        if (driver->opinion_due && !driver->opines)
            ask_opinion(driver, now);
        return;
    }
    driver->next = now + uniform_delay(driver);
    if (!driver->kind->costly && !driver->news && driver->spoke_last &&
        now - driver->decided_at < QUIET_MAX_US)
        return; /* it would talk to itself */
    decide_task(driver, TASK_ROOM, now);
}

void maw_driver_follow(MawDriver *driver, bool on)
{
    driver->follows = on;
}

/* What a piece of news wants of a model. By night wolves need each other's votes. */
static DriverHeard heard_of(const MawDriver *driver, const MawNews *news)
{
    const MawKnown *known = maw_player_known(driver->player);
    bool mine = str_eq(news->name, known->me);

    switch (news->kind) {
    case NEWS_LINE:
        return news->mine                               ? HEARD_NOTHING
               : talker_mentions(news->text, known->me) ? HEARD_ADDRESS
                                                        : HEARD_LINE;
    case NEWS_TALLY:
        return !mine && (known->night || str_eq(news->text, known->me)) ? HEARD_ADDRESS
                                                                        : HEARD_NOTHING;
    case NEWS_WHISPER:
    case NEWS_ROLE_ANSWER:
    case NEWS_REFUSED:
        return HEARD_ADDRESS;
    case NEWS_JOINED:
    case NEWS_LOBBY:
    case NEWS_ROUND:
    case NEWS_PHASE:
    case NEWS_SYSTEM:
    case NEWS_RESULT:
    case NEWS_DIED:
    case NEWS_ROUND_END:
    case NEWS_SCORES:
    case NEWS_ABSENT:
    case NEWS_LINKED:
    case NEWS_OVER:
        break;
    }
    return HEARD_NOTHING;
}

void maw_driver_news(MawDriver *driver, const MawNews *news, TimeUs now)
{
    const MawKnown *known = driver->player ? maw_player_known(driver->player) : NULL;

    if (driver->follows && known && may_act(known) && is_new_phase(driver, known))
        enter_phase(driver, known, now);
    if (driver->kind->costly && heard_of(driver, news) > driver->heard)
        driver->heard = heard_of(driver, news);
    switch (news->kind) {
    case NEWS_PHASE:
    case NEWS_DIED:
    case NEWS_ROUND_END:
    case NEWS_OVER:
        cancel_task(driver);
        break;
    case NEWS_LINE:
        driver->news = driver->news || !news->mine;
        want_opinion(driver, news);
        break;
    case NEWS_TALLY:
    case NEWS_SYSTEM:
    case NEWS_WHISPER:
    case NEWS_ROLE_ANSWER:
        driver->news = true;
        break;
    case NEWS_JOINED:
    case NEWS_LOBBY:
    case NEWS_ROUND:
    case NEWS_RESULT:
    case NEWS_SCORES:
    case NEWS_REFUSED:
    case NEWS_ABSENT:
    case NEWS_LINKED:
        break;
    }
    if (driver->kind->news)
        driver->kind->news(driver, news, now);
}
