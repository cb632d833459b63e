#include "llm/pace.h"

#include "base/mem.h"

#define MINUTE_US ((TimeUs)60 * 1000000)
#define LOG_MAX   1024 /* requests of the last minute that are known; more are not begun */
#define PAUSE_MAX 64   /* times the first pause */

/* A request of the last minute. */
typedef struct Begun {
    TimeUs at;
    uint32_t tokens;
} Begun;

struct LlmPace {
    LlmPaceSetup setup;
    LlmPaceUser *users;
    uint32_t running;
    uint32_t most;     /* at once, now */
    uint32_t good;     /* answers since `most` has changed */
    TimeUs pause;      /* between two beginnings */
    TimeUs last;       /* when the last one began */
    TimeUs held_until; /* as the server wants it */
    uint64_t slowed;   /* the first number after the last refusal */
    uint64_t first;    /* the oldest request in the log */
    uint64_t next;     /* the number of the next one */
    uint64_t tokens;   /* of those in the log */
    Begun log[LOG_MAX];
};

int llm_pace_new(const LlmPaceSetup *setup, LlmPace **ret_pace, Err *err)
{
    LlmPace *pace = mem_new(sizeof(*pace));

    if (!pace)
        return err_set(err, ERR_MEMORY, "a model's server: out of memory");
    pace->setup = *setup;
    pace->setup.parallel = setup->parallel ? setup->parallel : 2;
    pace->setup.pause_ms = setup->pause_ms ? setup->pause_ms : 250;
    pace->most = pace->setup.parallel;
    pace->last = pace->held_until = INT64_MIN;
    *ret_pace = pace;
    return 0;
}

LlmPace *llm_pace_free(LlmPace *pace)
{
    mem_free(pace);
    return NULL;
}

void llm_pace_join(LlmPace *pace, LlmPaceUser *user)
{
    user->next = pace->users;
    pace->users = user;
}

void llm_pace_leave(LlmPace *pace, LlmPaceUser *user)
{
    LlmPaceUser **place = &pace->users;

    while (*place && *place != user)
        place = &(*place)->next;
    if (*place)
        *place = user->next;
}

/* ---- the last minute ---- */

static Begun *log_at(LlmPace *pace, uint64_t number)
{
    return &pace->log[number % LOG_MAX];
}

static void log_trim(LlmPace *pace, TimeUs now)
{
    while (pace->first < pace->next && log_at(pace, pace->first)->at <= now - MINUTE_US)
        pace->tokens -= log_at(pace, pace->first++)->tokens;
}

/* When the log has at most `requests` that are younger than a minute. */
static TimeUs time_of_requests(LlmPace *pace, uint64_t requests)
{
    uint64_t count = pace->next - pace->first;

    return count <= requests ? INT64_MIN : log_at(pace, pace->next - requests - 1)->at + MINUTE_US;
}

/* When they have at most `most` tokens together. */
static TimeUs time_of_tokens(LlmPace *pace, uint64_t most)
{
    uint64_t tokens = pace->tokens;
    TimeUs when = INT64_MIN;

    for (uint64_t i = pace->first; i < pace->next && tokens > most; i++) {
        tokens -= log_at(pace, i)->tokens;
        when = log_at(pace, i)->at + MINUTE_US;
    }
    return when;
}

static TimeUs later_of(TimeUs a, TimeUs b)
{
    return a > b ? a : b;
}

TimeUs llm_pace_when(LlmPace *pace, uint32_t tokens, TimeUs now)
{
    uint32_t rpm = pace->setup.rpm && pace->setup.rpm < LOG_MAX ? pace->setup.rpm : LOG_MAX;
    uint64_t tpm = pace->setup.tpm;
    TimeUs when = later_of(now, pace->held_until);

    if (pace->running >= pace->most)
        return TIME_US_NEVER;
    if (pace->pause && pace->last != INT64_MIN)
        when = later_of(when, pace->last + pace->pause);
    log_trim(pace, now);
    when = later_of(when, time_of_requests(pace, rpm - 1));
    if (tpm) /* one that is too large by itself goes alone */
        when = later_of(when, time_of_tokens(pace, tokens < tpm ? tpm - tokens : 0));
    return when;
}

bool llm_pace_is_scarce(LlmPace *pace, TimeUs now)
{
    log_trim(pace, now);
    return pace->pause > 0 || pace->most < pace->setup.parallel ||
           (pace->setup.rpm && (pace->next - pace->first) * 2 >= pace->setup.rpm) ||
           (pace->setup.tpm && pace->tokens * 2 >= pace->setup.tpm);
}

uint64_t llm_pace_begin(LlmPace *pace, uint32_t tokens, TimeUs now)
{
    log_trim(pace, now);
    if (pace->next - pace->first == LOG_MAX) /* it was not asked when */
        pace->tokens -= log_at(pace, pace->first++)->tokens;
    *log_at(pace, pace->next) = (Begun){.at = now, .tokens = tokens};
    pace->tokens += tokens;
    pace->running++;
    pace->last = now;
    return pace->next++;
}

void llm_pace_end(LlmPace *pace, uint64_t number, uint32_t tokens)
{
    if (pace->running)
        pace->running--;
    if (tokens && number >= pace->first && number < pace->next) {
        pace->tokens = pace->tokens - log_at(pace, number)->tokens + tokens;
        log_at(pace, number)->tokens = tokens;
    }
    for (LlmPaceUser *user = pace->users; user; user = user->next)
        user->wake(user->user);
}

/* ---- what the server says ---- */

void llm_pace_refused(LlmPace *pace, uint64_t number, TimeUs wait, TimeUs now)
{
    TimeUs first = (TimeUs)pace->setup.pause_ms * 1000;

    if (wait)
        pace->held_until = later_of(pace->held_until, now + wait);
    if (number < pace->slowed)
        return;
    pace->slowed = pace->next;
    pace->good = 0;
    pace->most = pace->most > 1 ? pace->most / 2 : 1;
    pace->pause = pace->pause ? 2 * pace->pause : first;
    if (pace->pause > PAUSE_MAX * first)
        pace->pause = PAUSE_MAX * first;
}

void llm_pace_good(LlmPace *pace)
{
    if (++pace->good < pace->most)
        return;
    pace->good = 0;
    pace->pause -= pace->pause / 4;
    if (pace->pause < (TimeUs)pace->setup.pause_ms * 1000 / 4)
        pace->pause = 0;
    if (pace->most < pace->setup.parallel)
        pace->most++;
}

TimeUs llm_pace_held_until(const LlmPace *pace)
{
    return pace->held_until;
}

uint32_t llm_pace_parallel(const LlmPace *pace)
{
    return pace->most;
}
