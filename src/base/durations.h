/* durations.h - how long things took: a histogram of microseconds of a small fixed size.
 *
 * For:    answer times of agents: quantiles of any number of them, merged from threads, written
 *         into a journal and read again.
 * Memory: plain value of less than 2 KiB; Durations d = {0} is empty.
 * Thread: one at a time. Threads keep one each and merge them at the end, in any order.
 * Source: log-linear buckets as in G. Tene's HdrHistogram: powers of two in equal parts.
 *
 * 0..31 us have a bucket each. From there every power of two is divided into 16: a bucket is 3.1 to
 * 6.3 % of its values wide, so that its middle is never more than 3.1 % off. The last one begins at
 * 69 minutes and takes all that is longer. The shortest and the longest are kept exactly.
 */
#ifndef WARG_BASE_DURATIONS_H
#define WARG_BASE_DURATIONS_H

#include "base/buf.h"
#include "base/err.h"

#define DURATIONS_BUCKETS  464
#define DURATIONS_TEXT_MAX 8192 /* bytes; what durations_print writes is never longer */

/* Open, but change it with these functions only. */
typedef struct Durations {
    uint64_t min_us; /* 0 when empty */
    uint64_t max_us;
    uint32_t counts[DURATIONS_BUCKETS]; /* each stops at UINT32_MAX */
} Durations;

/* Counts one duration. */
void durations_add(Durations *durations, uint64_t us);
/* Adds all of `other`. */
void durations_merge(Durations *durations, const Durations *other);

uint64_t durations_count(const Durations *durations);
/* The shortest and the longest, exactly; 0 when empty. */
uint64_t durations_min(const Durations *durations);
uint64_t durations_max(const Durations *durations);

/* A duration that at least `permille` of 1000 are not longer than: 500 is the median, 0 the
 * shortest, 1000 the longest. By nearest rank; within the bucket its upper edge, at most the
 * longest. 0 when empty. */
uint64_t durations_quantile(const Durations *durations, unsigned permille);

/* Appends "MIN..MAX BUCKET:COUNT BUCKET:COUNT ...", buckets ascending, none that is empty; nothing
 * for an empty histogram. */
void durations_print(const Durations *durations, Buf *buf);
/* Reads what durations_print wrote, into a histogram of its own.
 * Errors: ERR_SYNTAX with the column, ERR_LIMIT for more than DURATIONS_TEXT_MAX bytes. */
int durations_read(Str text, Durations *ret_durations, Err *err);

/* The bucket of a duration, and the longest duration in a bucket (UINT64_MAX in the last). */
unsigned durations_bucket(uint64_t us);
uint64_t durations_bucket_end(unsigned bucket);

#endif
