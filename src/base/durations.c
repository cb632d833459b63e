#include "base/durations.h"

enum {
    PART_BITS = 4, /* a power of two has 2^4 buckets */
    PARTS = 1 << PART_BITS,
    SHIFT_MAX = DURATIONS_BUCKETS / PARTS - 2,
};

_Static_assert(sizeof(Durations) <= 2048, "a histogram is small");

/* From 2 * PARTS on, the leading one and the PART_BITS behind it say which bucket: with `shift`
 * bits left of those, us >> shift is in PARTS..2 * PARTS - 1. */
unsigned durations_bucket(uint64_t us)
{
    if (us < 2 * PARTS)
        return (unsigned)us;
    unsigned shift = 63 - PART_BITS - (unsigned)__builtin_clzll(us);
    if (shift > SHIFT_MAX)
        return DURATIONS_BUCKETS - 1;
    return shift * PARTS + (unsigned)(us >> shift);
}

uint64_t durations_bucket_end(unsigned bucket)
{
    if (bucket < 2 * PARTS)
        return bucket;
    if (bucket >= DURATIONS_BUCKETS - 1)
        return UINT64_MAX;
    unsigned shift = bucket / PARTS - 1;
    return ((uint64_t)(bucket % PARTS + PARTS + 1) << shift) - 1;
}

static uint32_t added_counts(uint32_t a, uint32_t b)
{
    return b > UINT32_MAX - a ? UINT32_MAX : a + b;
}

static bool is_empty(const Durations *durations)
{
    /* The bucket of the longest holds at least that one. */
    return durations->counts[durations_bucket(durations->max_us)] == 0;
}

static void widen_range(Durations *durations, uint64_t min_us, uint64_t max_us)
{
    bool empty = is_empty(durations);

    if (empty || min_us < durations->min_us)
        durations->min_us = min_us;
    if (empty || max_us > durations->max_us)
        durations->max_us = max_us;
}

void durations_add(Durations *durations, uint64_t us)
{
    unsigned bucket = durations_bucket(us);

    widen_range(durations, us, us);
    durations->counts[bucket] = added_counts(durations->counts[bucket], 1);
}

void durations_merge(Durations *durations, const Durations *other)
{
    if (is_empty(other))
        return;
    widen_range(durations, other->min_us, other->max_us);
    for (unsigned i = 0; i < DURATIONS_BUCKETS; i++)
        durations->counts[i] = added_counts(durations->counts[i], other->counts[i]);
}

uint64_t durations_count(const Durations *durations)
{
    uint64_t count = 0;

    for (unsigned i = 0; i < DURATIONS_BUCKETS; i++)
        count += durations->counts[i];
    return count;
}

uint64_t durations_min(const Durations *durations)
{
    return durations->min_us;
}

uint64_t durations_max(const Durations *durations)
{
    return durations->max_us;
}

uint64_t durations_quantile(const Durations *durations, unsigned permille)
{
    uint64_t count = durations_count(durations), seen = 0;
    uint64_t rank = (count * (permille < 1000 ? permille : 1000) + 999) / 1000;

    if (rank == 0)
        return durations->min_us;
    for (unsigned i = 0; i < DURATIONS_BUCKETS; i++) {
        seen += durations->counts[i];
        if (seen >= rank) {
            uint64_t end = durations_bucket_end(i);
            return end < durations->max_us ? end : durations->max_us;
        }
    }
    return durations->max_us;
}

/* ---- text ---- */

void durations_print(const Durations *durations, Buf *buf)
{
    if (is_empty(durations))
        return;
    buf_add_uint(buf, durations->min_us);
    buf_add(buf, STR(".."));
    buf_add_uint(buf, durations->max_us);
    for (unsigned i = 0; i < DURATIONS_BUCKETS; i++) {
        if (durations->counts[i] == 0)
            continue;
        buf_add_char(buf, ' ');
        buf_add_uint(buf, i);
        buf_add_char(buf, ':');
        buf_add_uint(buf, durations->counts[i]);
    }
}

/* Where `part` begins in `text`, 1-based. */
static unsigned column_of(Str text, Str part)
{
    return (unsigned)(part.bytes - text.bytes) + 1;
}

/* "MIN..MAX" */
static bool read_range(Str range, Durations *durations)
{
    Str rest = range;
    Str min = str_cut(&rest, '.');

    return str_starts(rest, STR(".")) && str_to_uint(min, UINT64_MAX, &durations->min_us) &&
           str_to_uint(str_part(rest, 1, rest.len), UINT64_MAX, &durations->max_us) &&
           durations->min_us <= durations->max_us;
}

/* "BUCKET:COUNT", with a bucket of at least *next. */
static bool read_bucket(Str item, unsigned *next, Durations *durations)
{
    Str rest = item;
    Str bucket_text = str_cut(&rest, ':');
    uint64_t bucket, count;

    if (!str_to_uint(bucket_text, DURATIONS_BUCKETS - 1, &bucket) || bucket < *next ||
        !str_to_uint(rest, UINT32_MAX, &count) || count == 0)
        return false;
    durations->counts[bucket] = (uint32_t)count;
    *next = (unsigned)bucket + 1;
    return true;
}

/* Whether shortest and longest are in the first and the last bucket, and are two if they differ. */
static bool range_fits(const Durations *durations, unsigned end)
{
    unsigned first = durations_bucket(durations->min_us);

    for (unsigned i = 0; i < first; i++)
        if (durations->counts[i] != 0)
            return false;
    return durations->counts[first] != 0 && durations_bucket(durations->max_us) + 1 == end &&
           (durations->min_us == durations->max_us || durations_count(durations) > 1);
}

int durations_read(Str text, Durations *ret_durations, Err *err)
{
    Durations durations = {0};
    Str rest = text;
    unsigned end = 0;

    if (text.len > DURATIONS_TEXT_MAX)
        return err_set(err, ERR_LIMIT, "durations of %zu bytes; at most %d are read", text.len,
                       DURATIONS_TEXT_MAX);
    if (text.len == 0) {
        *ret_durations = durations;
        return 0;
    }
    if (!read_range(str_cut(&rest, ' '), &durations))
        return err_set_at(err, ERR_SYNTAX, 0, 1, "durations begin with MIN..MAX in microseconds");
    while (rest.len) {
        Str item = str_cut(&rest, ' ');
        if (!read_bucket(item, &end, &durations))
            return err_set_at(err, ERR_SYNTAX, 0, column_of(text, item),
                              "expected BUCKET:COUNT with a bucket of %u to %d and a count over 0",
                              end, DURATIONS_BUCKETS - 1);
    }
    if (text.bytes[text.len - 1] == ' ')
        return err_set_at(err, ERR_SYNTAX, 0, (unsigned)text.len, "a blank behind the last bucket");
    if (!range_fits(&durations, end))
        return err_set_at(err, ERR_SYNTAX, 0, 1,
                          "the shortest and the longest duration are not in the first and the "
                          "last bucket");
    *ret_durations = durations;
    return 0;
}
