#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "base/buf.h"
#include "site/password.h"

#include <time.h>

#define GOOD STR("correct horse battery")

static Str repeated(char *to, size_t count)
{
    memset(to, 'x', count);
    return (Str){to, count};
}

static void lengths_and_names_are_judged(void **state)
{
    const Str names[] = {STR(""), STR("sUper_IL_team"), STR("someone@example.org")};
    char text[PASSWORD_BYTES_MAX + 2];
    Err err = {0};

    (void)state;
    assert_int_equal(password_judge(GOOD, names, 3, &err), 0);
    assert_int_equal(password_judge(repeated(text, PASSWORD_BYTES_MIN), names, 3, NULL), 0);
    assert_int_equal(password_judge(repeated(text, PASSWORD_BYTES_MIN - 1), names, 3, NULL),
                     ERR_RULE);
    assert_int_equal(password_judge(repeated(text, PASSWORD_BYTES_MAX), names, 3, NULL), 0);
    assert_int_equal(password_judge(repeated(text, PASSWORD_BYTES_MAX + 1), names, 3, NULL),
                     ERR_RULE);
    assert_int_equal(password_judge((Str){"twelve bytes\0and more", 21}, names, 3, NULL), ERR_RULE);
    assert_int_equal(password_judge(STR("SUPER_il_TEAM"), names, 3, &err), ERR_RULE);
    assert_null(strstr(err.msg, "SUPER"));
    assert_int_equal(password_judge(STR("someone@example.orG"), names, 3, NULL), ERR_RULE);
    assert_int_equal(password_judge(STR("someone@example.org!"), names, 3, NULL), 0);
}

static void a_hash_is_of_one_password(void **state)
{
    char hash[PASSWORD_HASH_BYTES], other[PASSWORD_HASH_BYTES];
    Err err = {0};

    (void)state;
    assert_int_equal(password_hash(GOOD, hash, &err), 0);
    assert_int_equal(password_hash(GOOD, other, &err), 0);
    assert_int_equal(strncmp(hash, "$y$", 3), 0);
    assert_string_not_equal(hash, other); /* each has a salt of its own */
    assert_true(password_matches(GOOD, str_of(hash)));
    assert_true(password_matches(GOOD, str_of(other)));
    assert_false(password_matches(STR("correct horse batterz"), str_of(hash)));
    assert_false(password_matches(STR("correct horse batter"), str_of(hash)));
    assert_false(password_matches((Str){"correct horse battery\0", 22}, str_of(hash)));
    assert_false(password_matches(STR(""), str_of(hash)));
    hash[20] = hash[20] == 'a' ? 'b' : 'a';
    assert_false(password_matches(GOOD, str_of(hash)));
    assert_false(password_matches(GOOD, STR("$y$no hash at all")));
    assert_int_equal(password_hash(STR("short"), hash, NULL), ERR_LIMIT);
}

static int64_t cpu_ns(void)
{
    struct timespec now;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

static int compare_numbers(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

    return (x > y) - (x < y);
}

/* What is asked of one who may know which accounts there are. */
typedef struct Asked {
    Str password, hash;
    int64_t costs[31];
} Asked;

/* O7: the processor's time of a check, the median of 31; the kinds take turns, so that a busy
 * machine is as slow for all. */
static void nobody_learns_which_accounts_there_are(void **state)
{
    char hash[PASSWORD_HASH_BYTES], long_text[PASSWORD_BYTES_MAX + 1];
    Err err = {0};

    (void)state;
    assert_int_equal(password_hash(GOOD, hash, &err), 0);
    Asked asked[] = {{.password = GOOD, .hash = str_of(hash)},
                     {.password = STR("another password"), .hash = str_of(hash)},
                     {.password = GOOD},
                     {.password = repeated(long_text, sizeof(long_text)), .hash = str_of(hash)}};
    for (size_t turn = 0; turn < 31; turn++)
        for (size_t i = 0; i < sizeof(asked) / sizeof(asked[0]); i++) {
            uint64_t hashes = password_hash_count();
            int64_t start = cpu_ns();
            assert_int_equal(password_matches(asked[i].password, asked[i].hash), i == 0);
            asked[i].costs[turn] = cpu_ns() - start;
            assert_int_equal(password_hash_count() - hashes, 1);
        }
    for (size_t i = 0; i < sizeof(asked) / sizeof(asked[0]); i++) {
        qsort(asked[i].costs, 31, sizeof(asked[i].costs[0]), compare_numbers);
        assert_true(asked[i].costs[15] * 5 > asked[0].costs[15] * 4);
        assert_true(asked[i].costs[15] * 4 < asked[0].costs[15] * 5);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lengths_and_names_are_judged),
        cmocka_unit_test(a_hash_is_of_one_password),
        cmocka_unit_test(nobody_learns_which_accounts_there_are),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
