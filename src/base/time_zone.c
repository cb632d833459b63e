#include "base/time_zone.h"

#include "base/date_text.h"

#define DAY           INT64_C(86400)
#define HEADER_BYTES  44
#define TYPE_BYTES    6
#define OFFSET_MAX    (26 * 3600) /* RFC 8536 3.2: -25 h to 26 h */
#define YEAR_MAX      9999
#define RULE_HOUR_MAX 167

void time_zone_done(TimeZone *zone)
{
    buf_done(&zone->bytes);
}

/* ---- the calendar ---- */

static bool is_leap(int64_t year)
{
    return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
}

static int month_days(int64_t year, int month)
{
    static const int days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};

    return month == 2 && is_leap(year) ? 29 : days[month - 1];
}

/* ---- the rule behind the last change ---- */

/* A number at the beginning of `rest`, which is cut off. */
static bool take_number(Str *rest, int max, int *ret_number)
{
    size_t digits = 0;
    uint64_t number;

    while (digits < rest->len && rest->bytes[digits] >= '0' && rest->bytes[digits] <= '9')
        digits++;
    if (!digits || !str_to_uint(str_part(*rest, 0, digits), (uint64_t)max, &number))
        return false;
    *rest = str_part(*rest, digits, rest->len);
    *ret_number = (int)number;
    return true;
}

static bool take_sign(Str *rest, char sign)
{
    if (!rest->len || rest->bytes[0] != sign)
        return false;
    *rest = str_part(*rest, 1, rest->len);
    return true;
}

/* [+-]hh[:mm[:ss]] */
static bool take_time(Str *rest, int hours_max, int32_t *ret_seconds)
{
    const bool minus = take_sign(rest, '-');
    int hours = 0, minutes = 0, seconds = 0;

    if (!minus)
        take_sign(rest, '+');
    if (!take_number(rest, hours_max, &hours))
        return false;
    if (take_sign(rest, ':') && !take_number(rest, 59, &minutes))
        return false;
    if (take_sign(rest, ':') && !take_number(rest, 59, &seconds))
        return false;
    *ret_seconds = (minus ? -1 : 1) * (hours * 3600 + minutes * 60 + seconds);
    return true;
}

/* "CET", "<+09>" */
static bool take_zone_name(Str *rest)
{
    size_t length = 0;

    if (rest->len && rest->bytes[0] == '<') {
        const char *end = memchr(rest->bytes, '>', rest->len);
        if (!end)
            return false;
        *rest = str_part(*rest, (size_t)(end - rest->bytes) + 1, rest->len);
        return true;
    }
    while (length < rest->len && ((rest->bytes[length] >= 'A' && rest->bytes[length] <= 'Z') ||
                                  (rest->bytes[length] >= 'a' && rest->bytes[length] <= 'z')))
        length++;
    *rest = str_part(*rest, length, rest->len);
    return length > 0;
}

/* ",M3.5.0/2", ",J60", ",59" */
static bool take_day(Str *rest, ZoneDay *ret_day)
{
    ZoneDay day = {.seconds = 2 * 3600};
    bool good = take_sign(rest, ',');

    if (good && take_sign(rest, 'M')) {
        good = take_number(rest, 12, &day.month) && day.month >= 1 && take_sign(rest, '.') &&
               take_number(rest, 5, &day.week) && day.week >= 1 && take_sign(rest, '.') &&
               take_number(rest, 6, &day.weekday);
    } else if (good) {
        day.kind = take_sign(rest, 'J') ? ZONE_DAY_JULIAN : ZONE_DAY_ZERO;
        good = take_number(rest, 365, &day.day) && (day.kind == ZONE_DAY_ZERO || day.day >= 1);
    }
    if (good && take_sign(rest, '/'))
        good = take_time(rest, RULE_HOUR_MAX, &day.seconds);
    *ret_day = day;
    return good;
}

/* "CET-1CEST,M3.5.0,M10.5.0/3": west is positive there. */
static bool read_rule(Str text, TimeZone *zone)
{
    int32_t west = 0;

    if (!take_zone_name(&text) || !take_time(&text, 24, &west))
        return false;
    zone->standard = -west;
    zone->has_rule = true;
    if (!text.len)
        return true;
    zone->summer = zone->standard + 3600;
    if (!take_zone_name(&text))
        return false;
    if (text.len && text.bytes[0] != ',') {
        if (!take_time(&text, 24, &west))
            return false;
        zone->summer = -west;
    }
    zone->has_summer = true;
    return take_day(&text, &zone->begins) && take_day(&text, &zone->ends) && !text.len;
}

/* The moment of such a day in a year, as the clock shows it. */
static int64_t rule_moment(const ZoneDay *day, int64_t year)
{
    const int64_t first = date_text_days(year, 1, 1);

    if (day->kind == ZONE_DAY_ZERO)
        return (first + day->day) * DAY + day->seconds;
    if (day->kind == ZONE_DAY_JULIAN)
        return (first + day->day - (is_leap(year) && day->day >= 60 ? 0 : 1)) * DAY + day->seconds;
    const int64_t month = date_text_days(year, day->month, 1);
    const int64_t weekday = ((month + 4) % 7 + 7) % 7; /* 1970-01-01 was a Thursday */
    int64_t in_month = (day->weekday - weekday + 7) % 7 + (day->week - 1) * 7;
    while (in_month >= month_days(year, day->month))
        in_month -= 7;
    return (month + in_month) * DAY + day->seconds;
}

static int32_t rule_offset(const TimeZone *zone, int64_t unix_s)
{
    int year, month, day;

    if (!zone->has_summer)
        return zone->standard;
    const int64_t local = unix_s + zone->standard;
    date_text_day(local >= 0 ? local / DAY : (local - DAY + 1) / DAY, &year, &month, &day);
    const int64_t begins = rule_moment(&zone->begins, year) - zone->standard;
    const int64_t ends = rule_moment(&zone->ends, year) - zone->summer;
    const bool summer =
        begins < ends ? unix_s >= begins && unix_s < ends : unix_s >= begins || unix_s < ends;
    return summer ? zone->summer : zone->standard;
}

/* ---- the file ---- */

static uint64_t big_endian(const char *bytes, size_t count)
{
    uint64_t value = 0;

    for (size_t i = 0; i < count; i++)
        value = value << 8 | (unsigned char)bytes[i];
    return value;
}

/* The counts of a header. */
typedef struct ZoneCounts {
    uint32_t is_utc, is_standard, leap, time, type, letter;
} ZoneCounts;

static bool read_header(Str bytes, size_t at, ZoneCounts *ret_counts)
{
    const Str head = str_part(bytes, at, HEADER_BYTES);

    if (head.len < HEADER_BYTES || !str_starts(head, STR("TZif")))
        return false;
    const char *counts = head.bytes + 20;
    *ret_counts = (ZoneCounts){
        (uint32_t)big_endian(counts, 4),      (uint32_t)big_endian(counts + 4, 4),
        (uint32_t)big_endian(counts + 8, 4),  (uint32_t)big_endian(counts + 12, 4),
        (uint32_t)big_endian(counts + 16, 4), (uint32_t)big_endian(counts + 20, 4),
    };
    return ret_counts->type > 0 && ret_counts->type <= 256;
}

/* Bytes behind a header whose times have `width` bytes; 64 bits, so that nothing wraps. */
static uint64_t block_bytes(const ZoneCounts *counts, unsigned width)
{
    return (uint64_t)counts->time * (width + 1) + (uint64_t)counts->type * TYPE_BYTES +
           counts->letter + (uint64_t)counts->leap * (width + 4) + counts->is_standard +
           counts->is_utc;
}

static int32_t type_offset(const TimeZone *zone, uint32_t type)
{
    return (int32_t)(uint32_t)big_endian(zone->bytes.bytes + zone->rows + (size_t)type * TYPE_BYTES,
                                         4);
}

static int64_t change_at(const TimeZone *zone, uint32_t number)
{
    return (int64_t)big_endian(zone->bytes.bytes + zone->times + (size_t)number * 8, 8);
}

static uint32_t type_at(const TimeZone *zone, uint32_t number)
{
    return (unsigned char)zone->bytes.bytes[zone->types + number];
}

static bool check_rows(const TimeZone *zone)
{
    for (uint32_t i = 0; i < zone->type_count; i++)
        if (type_offset(zone, i) < -OFFSET_MAX || type_offset(zone, i) > OFFSET_MAX)
            return false;
    for (uint32_t i = 0; i < zone->time_count; i++)
        if (type_at(zone, i) >= zone->type_count ||
            (i > 0 && change_at(zone, i) <= change_at(zone, i - 1)))
            return false;
    return true;
}

/* The second block, whose times have 8 bytes, and the rule behind it. */
static bool read_blocks(Str bytes, TimeZone *zone)
{
    ZoneCounts counts;

    if (!read_header(bytes, 0, &counts) || bytes.bytes[4] < '2')
        return false;
    const uint64_t second = HEADER_BYTES + block_bytes(&counts, 4);
    if (second > bytes.len || !read_header(bytes, (size_t)second, &counts))
        return false;
    const uint64_t start = second + HEADER_BYTES, end = start + block_bytes(&counts, 8);
    if (end > bytes.len)
        return false;
    zone->time_count = counts.time;
    zone->type_count = counts.type;
    zone->times = (size_t)start;
    zone->types = zone->times + (size_t)counts.time * 8;
    zone->rows = zone->types + counts.time;
    Str rule = str_part(bytes, (size_t)end, bytes.len);
    if (!take_sign(&rule, '\n') || !rule.len || rule.bytes[rule.len - 1] != '\n')
        return false;
    rule.len--;
    return !rule.len || read_rule(rule, zone);
}

int time_zone_read(Str bytes, TimeZone *ret_zone, Err *err)
{
    TimeZone zone = {0};

    if (bytes.len > TIME_ZONE_BYTES_MAX)
        return err_set(err, ERR_LIMIT, "a time zone of more than %zu bytes", TIME_ZONE_BYTES_MAX);
    buf_add(&zone.bytes, bytes);
    int rc = buf_failed(&zone.bytes) ? err_set(err, ERR_MEMORY, "time zone: out of memory") : 0;
    if (rc == 0 && (!read_blocks(buf_str(&zone.bytes), &zone) || !check_rows(&zone)))
        rc = err_set(err, ERR_SYNTAX, "no file of a time zone (RFC 8536, version 2 or later)");
    if (rc)
        time_zone_done(&zone);
    else
        *ret_zone = zone;
    return rc;
}

int32_t time_zone_offset(const TimeZone *zone, int64_t unix_s)
{
    uint32_t low = 0, high = zone->time_count; /* changes up to `low` are over */

    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (change_at(zone, middle) <= unix_s)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == zone->time_count && zone->has_rule)
        return rule_offset(zone, unix_s);
    if (!zone->type_count)
        return 0;
    return type_offset(zone, low ? type_at(zone, low - 1) : 0);
}

/* ---- texts ---- */

/* The first moment at which the clock shows `local`. */
static int64_t moment_of_local(const TimeZone *zone, int64_t local)
{
    const int32_t before = time_zone_offset(zone, local - OFFSET_MAX);
    const int32_t after = time_zone_offset(zone, local + OFFSET_MAX);

    if (time_zone_offset(zone, local - before) == before)
        return local - before;
    if (time_zone_offset(zone, local - after) == after)
        return local - after;
    return local - before; /* left out: so long behind the last that it shows */
}

/* "YYYY-MM-DD" at the beginning. */
static bool take_date(Str *rest, int64_t *ret_days)
{
    int year, month, day;

    if (rest->len < 10 || !take_number(rest, YEAR_MAX, &year) || year < 1 ||
        !take_sign(rest, '-') || !take_number(rest, 12, &month) || month < 1 ||
        !take_sign(rest, '-') || !take_number(rest, 31, &day) || day < 1 ||
        day > month_days(year, month))
        return false;
    *ret_days = date_text_days(year, month, day);
    return true;
}

/* "09:00", "09:00:30", "24:00": seconds of the day. */
static bool take_clock(Str *rest, int64_t *ret_seconds)
{
    int hours, minutes, seconds = 0;

    if (!take_number(rest, 24, &hours) || !take_sign(rest, ':') || !take_number(rest, 59, &minutes))
        return false;
    if (take_sign(rest, ':') && !take_number(rest, 59, &seconds))
        return false;
    *ret_seconds = hours * 3600 + minutes * 60 + seconds;
    return *ret_seconds <= DAY;
}

/* Milliseconds behind the seconds, which RFC 3339 allows. */
static int take_fraction(Str *rest)
{
    int ms = 0, digits = 0;

    if (!take_sign(rest, '.'))
        return 0;
    for (; rest->len && rest->bytes[0] >= '0' && rest->bytes[0] <= '9'; digits++) {
        ms = digits < 3 ? ms * 10 + (rest->bytes[0] - '0') : ms;
        *rest = str_part(*rest, 1, rest->len);
    }
    for (; digits < 3; digits++)
        ms *= 10;
    return ms;
}

/* "Z", "+09:00" */
static bool take_offset(Str *rest, int32_t *ret_offset)
{
    int hours, minutes;

    *ret_offset = 0;
    if (take_sign(rest, 'Z'))
        return true;
    const bool minus = take_sign(rest, '-');
    if ((!minus && !take_sign(rest, '+')) || !take_number(rest, 23, &hours) ||
        !take_sign(rest, ':') || !take_number(rest, 59, &minutes))
        return false;
    *ret_offset = (minus ? -1 : 1) * (hours * 3600 + minutes * 60);
    return true;
}

bool time_zone_moment(const TimeZone *zone, Str text, int64_t *ret_ms)
{
    int64_t days = 0, seconds = 0;
    int32_t offset;
    int ms = 0;

    if (!take_date(&text, &days))
        return false;
    const bool own = take_sign(&text, 'T');
    if (!own && text.len && !take_sign(&text, ' '))
        return false;
    if ((own || text.len) && !take_clock(&text, &seconds))
        return false;
    if (own) {
        ms = take_fraction(&text);
        if (!take_offset(&text, &offset) || text.len)
            return false;
        *ret_ms = (days * DAY + seconds - offset) * 1000 + ms;
        return true;
    }
    if (text.len)
        return false;
    *ret_ms = moment_of_local(zone, days * DAY + seconds) * 1000;
    return true;
}

void time_zone_print(const TimeZone *zone, int64_t unix_ms, Buf *out)
{
    const int64_t unix_s = unix_ms >= 0 ? unix_ms / 1000 : (unix_ms - 999) / 1000;
    const int64_t local = unix_s + time_zone_offset(zone, unix_s);
    const int64_t days = local >= 0 ? local / DAY : (local - DAY + 1) / DAY;
    const int64_t seconds = local - days * DAY;
    int year, month, day;

    date_text_day(days, &year, &month, &day);
    buf_printf(out, "%04d-%02d-%02d %02d:%02d", year, month, day, (int)(seconds / 3600),
               (int)(seconds / 60 % 60));
}
