/* self_quota.h - how many self matches of a team begin in an hour: who plays itself without end
 *                would keep a server busy for nobody.
 *
 * For:    nlp/matching.c, nlp/hall_names.c; the connection check of a contest site.
 * Memory: a SelfQuota is freed by self_quota_free.
 * Thread: pure.
 * Source: docs/spec/contest-operations.md 9.
 *
 * A team's hour begins with its first match that no hour of it has, and has `most` matches.
 */
#ifndef WARG_NLP_SELF_QUOTA_H
#define WARG_NLP_SELF_QUOTA_H

#include "base/err.h"
#include "base/str.h"
#include "base/time_us.h"

typedef struct SelfQuota SelfQuota;

/* `most` = 0: no end. Errors: ERR_MEMORY. */
int self_quota_new(uint32_t most, SelfQuota **ret_quota, Err *err);
SelfQuota *self_quota_free(SelfQuota *quota); /* takes NULL */

/* A match of the team begins. Without memory it counts for nothing. */
void self_quota_note(SelfQuota *quota, Str team, TimeUs now);
/* How long until one may; 0 = now. */
TimeUs self_quota_wait(const SelfQuota *quota, Str team, TimeUs now);
uint32_t self_quota_most(const SelfQuota *quota);

#endif
