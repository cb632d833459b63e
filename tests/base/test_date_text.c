#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/date_text.h"
#include "prop.h"

#include <stdio.h>
#include <time.h>

static void a_moment_is_its_date_in_utc_with_milliseconds(void **state)
{
    static const struct {
        int64_t ms;
        const char *text;
    } known[] = {{0, "1970-01-01T00:00:00.000Z"},
                 {951782400000, "2000-02-29T00:00:00.000Z"},  /* a leap year of a century */
                 {4107542400000, "2100-03-01T00:00:00.000Z"}, /* a century without a leap day */
                 {1785587696789, "2026-08-01T12:34:56.789Z"},
                 {DATE_MAX_MS, "9999-12-31T23:59:59.999Z"}};
    char room[DATE_TEXT_ROOM];
    (void)state;

    for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
        int64_t ms = -1;
        assert_true(str_eq(date_text_write(known[i].ms, room), str_of(known[i].text)));
        assert_true(date_text_read(str_of(known[i].text), &ms));
        assert_true(ms == known[i].ms);
    }
}

/* The C library as a second opinion. */
static bool a_random_moment_is_that_of_the_calendar(Rng *rng, unsigned size)
{
    int64_t ms = (int64_t)(rng_next(rng) % ((uint64_t)DATE_MAX_MS + 1)), back = -1;
    time_t seconds = (time_t)(ms / 1000);
    struct tm date;
    char room[DATE_TEXT_ROOM], want[DATE_TEXT_ROOM], rest[DATE_TEXT_ROOM];
    (void)size;

    if (!gmtime_r(&seconds, &date) ||
        strftime(want, sizeof(want), "%Y-%m-%dT%H:%M:%S", &date) != 19)
        return false;
    snprintf(rest, sizeof(rest), ".%03dZ", (int)(ms % 1000));
    Str text = date_text_write(ms, room);
    return str_eq(str_part(text, 0, 19), str_of(want)) &&
           str_eq(str_part(text, 19, SIZE_MAX), str_of(rest)) && date_text_read(text, &back) &&
           back == ms;
}

static void random_moments_are_those_of_the_calendar(void **state)
{
    (void)state;

    prop_check(a_random_moment_is_that_of_the_calendar, 2000, 1);
}

static void what_is_written_otherwise_is_no_date(void **state)
{
    static const char *const bad[] = {
        "",
        "2026-08-01",
        "2026-08-01T12:34:56Z",
        "2026-08-01T12:34:56.789",
        "2026-08-01T12:34:56.789+00:00",
        "2026-08-01t12:34:56.789Z",
        "2026-13-01T12:34:56.789Z",
        "2026-00-01T12:34:56.789Z",
        "2026-02-29T12:34:56.789Z",
        "2026-08-32T12:34:56.789Z",
        "2026-08-01T24:00:00.000Z",
        "2026-08-01T12:60:00.000Z",
        "1969-12-31T23:59:59.999Z",
        "2026-08-01T12:34:56.789Z ",
    };
    int64_t ms;
    (void)state;

    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
        assert_false(date_text_read(str_of(bad[i]), &ms));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_moment_is_its_date_in_utc_with_milliseconds),
        cmocka_unit_test(random_moments_are_those_of_the_calendar),
        cmocka_unit_test(what_is_written_otherwise_is_no_date),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
