/* notice_rule.h - decides which notices go out, and when: kinds, rate, stalls, milestones.
 *
 * For:    nlp/notifier.c. Pure: time and counts come in.
 * Memory: a plain value.
 * Thread: one at a time.
 * Source: docs/spec/nlp-division.md 7.5, "Slack notices".
 */
#ifndef WARG_NLP_NOTICE_RULE_H
#define WARG_NLP_NOTICE_RULE_H

#include "net/loop.h"
#include "nlp/config.h"

/* Open, so that it lives in its owner. Touch it through functions. */
typedef struct NoticeRule {
    unsigned events;     /* ConfigNotice bits */
    TimeUs min_interval; /* between two notices */
    TimeUs stall;        /* 0 = off */
    uint64_t every;      /* decided games; 0 = off */
    TimeUs free_at;      /* no notice goes out before */
    TimeUs idle_since;   /* TIME_US_NEVER: games run, or none is awaited */
    bool stall_told;
    bool counting; /* the first count has come */
    uint64_t decided;
} NoticeRule;

NoticeRule notice_rule_new(const ConfigNotifier *config);

bool notice_wanted(const NoticeRule *rule, ConfigNotice kind);

/* One goes out now: the next may when min_interval has passed. */
void notice_sent(NoticeRule *rule, TimeUs now);
TimeUs notice_free_at(const NoticeRule *rule);

/* How it stands: `decided` games since ever (the first call says where counting starts), `running`
 * ones, and whether a game is `awaited` at all. Returns the milestone that was reached with this
 * call, a multiple of milestone_every; 0 = none. */
uint64_t notice_progress(NoticeRule *rule, uint64_t decided, uint32_t running, bool awaited,
                         TimeUs now);

/* When a stall is to be told if nothing happens before; TIME_US_NEVER = it is not. */
TimeUs notice_stall_at(const NoticeRule *rule);
/* Whether one is to be told now; once for each stall. A stall ends when a game runs or has run. */
bool notice_stall_due(NoticeRule *rule, TimeUs now);

#endif
