#include "nlp/notice_rule.h"

NoticeRule notice_rule_new(const ConfigNotifier *config)
{
    return (NoticeRule){
        .events = config->events ? config->events : NOTICE_ALL, /* an empty list means all */
        .min_interval = config->min_interval_ms > 0 ? config->min_interval_ms * 1000 : 0,
        .stall = config->stall_ms > 0 ? config->stall_ms * 1000 : 0,
        .every = config->milestone_every > 0 ? (uint64_t)config->milestone_every : 0,
        .idle_since = TIME_US_NEVER,
    };
}

bool notice_wanted(const NoticeRule *rule, ConfigNotice kind)
{
    return (rule->events & (unsigned)kind) != 0;
}

void notice_sent(NoticeRule *rule, TimeUs now)
{
    rule->free_at = now + rule->min_interval;
}

TimeUs notice_free_at(const NoticeRule *rule)
{
    return rule->free_at;
}

static uint64_t milestone_reached(const NoticeRule *rule, uint64_t decided)
{
    if (!rule->every || !rule->counting || decided / rule->every <= rule->decided / rule->every)
        return 0;
    return decided - decided % rule->every;
}

uint64_t notice_progress(NoticeRule *rule, uint64_t decided, uint32_t running, bool awaited,
                         TimeUs now)
{
    uint64_t milestone = milestone_reached(rule, decided);
    bool played = rule->counting && decided != rule->decided;

    if (running || !awaited || played) {
        rule->idle_since = TIME_US_NEVER;
        rule->stall_told = false;
    }
    if (!running && awaited && rule->idle_since == TIME_US_NEVER)
        rule->idle_since = now;
    rule->decided = decided;
    rule->counting = true;
    return notice_wanted(rule, NOTICE_MILESTONE) ? milestone : 0;
}

TimeUs notice_stall_at(const NoticeRule *rule)
{
    if (!rule->stall || rule->stall_told || rule->idle_since == TIME_US_NEVER ||
        !notice_wanted(rule, NOTICE_STALL))
        return TIME_US_NEVER;
    return rule->idle_since + rule->stall;
}

bool notice_stall_due(NoticeRule *rule, TimeUs now)
{
    if (now < notice_stall_at(rule))
        return false;
    rule->stall_told = true;
    return true;
}
