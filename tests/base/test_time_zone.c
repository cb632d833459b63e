#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/date_text.h"
#include "base/time_zone.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static bool read_zone(const char *name, Buf *bytes)
{
    char path[160], piece[4096];
    size_t count;

    snprintf(path, sizeof(path), "/usr/share/zoneinfo/%s", name);
    FILE *file = fopen(path, "re");
    while (file && (count = fread(piece, 1, sizeof(piece), file)) > 0)
        buf_add(bytes, (Str){piece, count});
    if (file)
        fclose(file);
    else
        fprintf(stderr, "skipped: no time zone %s on this machine (tzdata)\n", name);
    return file != NULL;
}

static TimeZone load(const char *name)
{
    CLEANUP(buf_done) Buf bytes = {0};
    TimeZone zone = {0};
    Err err = {0};

    if (!read_zone(name, &bytes))
        skip();
    if (time_zone_read(buf_str(&bytes), &zone, &err))
        fail_msg("%s: %s", name, err.msg);
    return zone;
}

static int64_t utc(const char *text)
{
    int64_t ms = 0;

    assert_true(date_text_read(str_of(text), &ms));
    return ms;
}

static void assert_moment(const TimeZone *zone, const char *text, const char *expected)
{
    char room[DATE_TEXT_ROOM];
    int64_t ms = 0;

    assert_true(time_zone_moment(zone, str_of(text), &ms));
    date_text_write(ms, room);
    assert_string_equal(room, expected);
}

static void dates_of_a_contest_file_are_moments(void **state)
{
    TimeZone tokyo = load("Asia/Tokyo");
    const TimeZone none = {0};

    (void)state;
    assert_moment(&tokyo, "2027-04-01 09:00", "2027-04-01T00:00:00.000Z");
    assert_moment(&tokyo, "2027-07-21 24:00", "2027-07-21T15:00:00.000Z");
    assert_moment(&tokyo, "2027-07-22", "2027-07-21T15:00:00.000Z");
    assert_moment(&tokyo, "2027-12-31 24:00", "2027-12-31T15:00:00.000Z");
    assert_moment(&none, "2027-07-21 24:00", "2027-07-22T00:00:00.000Z");
    assert_moment(&none, "2027-07-21T09:00:00.250+09:00", "2027-07-21T00:00:00.250Z");
    assert_moment(&tokyo, "2027-07-21T09:00:00Z", "2027-07-21T09:00:00.000Z");
    time_zone_done(&tokyo);
}

static void what_is_no_date_is_refused(void **state)
{
    static const char *const bad[] = {
        "",
        "tomorrow",
        "2027-13-01",
        "2027-02-29",
        "2027-7-1",
        "2027-07-21 24:01",
        "2027-07-21 25:00",
        "2027-07-21 9",
        "2027-07-21x",
        "0000-01-01",
        "2027-07-21T09:00:00",
        "2027-07-21 09:00 JST",
        "2027-07-00",
        "2027-07-21 09:60",
        "27-07-21",
    };
    const TimeZone none = {0};
    int64_t ms;

    (void)state;
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
        if (time_zone_moment(&none, str_of(bad[i]), &ms))
            fail_msg("'%s' is taken", bad[i]);
}

/* A clock that is put forward leaves an hour out, and shows one twice when it is put back. */
static void summer_time_follows_the_rule_of_the_file(void **state)
{
    TimeZone berlin = load("Europe/Berlin"), sydney = load("Australia/Sydney");

    (void)state;
    assert_moment(&berlin, "2027-03-28 01:59", "2027-03-28T00:59:00.000Z");
    assert_moment(&berlin, "2027-03-28 02:30", "2027-03-28T01:30:00.000Z");
    assert_moment(&berlin, "2027-03-28 03:00", "2027-03-28T01:00:00.000Z");
    assert_moment(&berlin, "2027-10-31 02:30", "2027-10-31T00:30:00.000Z");
    assert_moment(&berlin, "2027-10-31 03:00", "2027-10-31T02:00:00.000Z");
    assert_moment(&berlin, "2999-07-01", "2999-06-30T22:00:00.000Z");
    assert_moment(&sydney, "2030-01-15 12:00", "2030-01-15T01:00:00.000Z");
    assert_moment(&sydney, "2030-07-15 12:00", "2030-07-15T02:00:00.000Z");
    time_zone_done(&berlin);
    time_zone_done(&sydney);
}

/* Against libc, in places with rules of every kind. */
static void offsets_are_those_of_libc(void **state)
{
    static const char *const names[] = {"Asia/Tokyo",          "America/New_York", "Europe/Dublin",
                                        "Africa/Casablanca",   "America/Santiago", "Asia/Kathmandu",
                                        "Australia/Lord_Howe", "Pacific/Apia",     "UTC"};

    (void)state;
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        TimeZone zone = load(names[i]);
        setenv("TZ", names[i], 1);
        tzset();
        for (int64_t at = utc("1970-01-02T00:00:00.000Z") / 1000;
             at < utc("2100-01-01T00:00:00.000Z") / 1000; at += 86400 * 5 + 4567) {
            const time_t moment = (time_t)at;
            struct tm there;
            localtime_r(&moment, &there);
            if (time_zone_offset(&zone, at) != (int32_t)there.tm_gmtoff)
                fail_msg("%s at %lld: %d, libc has %ld", names[i], (long long)at,
                         (int)time_zone_offset(&zone, at), there.tm_gmtoff);
        }
        time_zone_done(&zone);
    }
    unsetenv("TZ");
}

static void what_is_printed_is_read_again(void **state)
{
    TimeZone tokyo = load("Asia/Tokyo");
    CLEANUP(buf_done) Buf text = {0};
    int64_t ms;

    (void)state;
    time_zone_print(&tokyo, utc("2027-07-21T15:00:00.000Z"), &text);
    assert_string_equal(buf_cstr(&text), "2027-07-22 00:00");
    assert_true(time_zone_moment(&tokyo, buf_str(&text), &ms));
    assert_true(ms == utc("2027-07-21T15:00:00.000Z"));
    time_zone_done(&tokyo);
}

static void a_file_that_is_cut_anywhere_is_refused(void **state)
{
    CLEANUP(buf_done) Buf bytes = {0};
    TimeZone zone = {0};
    Err err = {0};

    (void)state;
    if (!read_zone("Europe/Berlin", &bytes))
        skip();
    for (size_t length = 0; length < bytes.len; length++) {
        err = (Err){0};
        assert_int_equal(time_zone_read(str_part(buf_str(&bytes), 0, length), &zone, &err),
                         ERR_SYNTAX);
    }
    assert_string_equal(err.msg, "no file of a time zone (RFC 8536, version 2 or later)");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(dates_of_a_contest_file_are_moments),
        cmocka_unit_test(what_is_no_date_is_refused),
        cmocka_unit_test(summer_time_follows_the_rule_of_the_file),
        cmocka_unit_test(offsets_are_those_of_libc),
        cmocka_unit_test(what_is_printed_is_read_again),
        cmocka_unit_test(a_file_that_is_cut_anywhere_is_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
