#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "cell/strict_order.h"

#include "prop.h"

#include <string.h>

#define WORDS_MAX 200
#define TEXT_MAX  65536

/* Words as main gets them. */
typedef struct Words {
    char text[TEXT_MAX];
    size_t used;
    char *words[WORDS_MAX + 1];
    size_t count;
} Words;

static void add_word(void *user, const char *text)
{
    Words *words = user;
    const size_t bytes = strlen(text) + 1;

    assert_true(words->count < WORDS_MAX && words->used + bytes <= TEXT_MAX);
    memcpy(words->text + words->used, text, bytes);
    words->words[words->count++] = words->text + words->used;
    words->used += bytes;
    words->words[words->count] = NULL;
}

static bool texts_are_equal(const char *a, const char *b)
{
    return a && b ? strcmp(a, b) == 0 : a == b;
}

static bool lists_are_equal(const char *const *a, size_t count, const char *const *b, size_t other)
{
    bool equal = count == other;

    for (size_t i = 0; i < count && equal; i++)
        equal = texts_are_equal(a[i], b[i]);
    return equal;
}

static bool orders_are_equal(const StrictOrder *a, const StrictOrder *b)
{
    return a->filter == b->filter && a->probe == b->probe &&
           texts_are_equal(a->folder, b->folder) && texts_are_equal(a->root, b->root) &&
           texts_are_equal(a->memory_group, b->memory_group) &&
           texts_are_equal(a->process_group, b->process_group) && a->one_group == b->one_group &&
           a->memory_bytes == b->memory_bytes && a->writable_bytes == b->writable_bytes &&
           a->threads == b->threads && a->files == b->files && a->cpu_seconds == b->cpu_seconds &&
           a->port == b->port && a->forbid_threads == b->forbid_threads &&
           a->one_thread == b->one_thread &&
           lists_are_equal(a->read, a->read_count, b->read, b->read_count) &&
           lists_are_equal(a->noise, a->noise_count, b->noise, b->noise_count) &&
           lists_are_equal(a->usual, a->usual_count, b->usual, b->usual_count);
}

/* Written, with a command behind it, and read again it is the same. */
static bool comes_back(const StrictOrder *order)
{
    static Words words;
    StrictOrder again;

    words.used = words.count = 0;
    strict_order_write(order, add_word, &words);
    if (!order->probe) {
        add_word(&words, "sh");
        add_word(&words, "--"); /* the program's own */
    }
    if (!strict_order_is(words.words) || !strict_order_read(words.words, &again))
        return false;
    if (order->probe)
        return orders_are_equal(order, &again) && !again.program;
    return orders_are_equal(order, &again) && texts_are_equal(again.program[0], "sh") &&
           texts_are_equal(again.program[1], "--") && !again.program[2];
}

static void an_order_comes_back_as_it_was_written(void **state)
{
    StrictOrder order = {.filter = true,
                         .folder = "/srv/agents/a=b --c",
                         .root = "/srv/root",
                         .memory_group = "/sys/fs/cgroup/memory",
                         .process_group = "/sys/fs/cgroup/pids",
                         .memory_bytes = UINT64_MAX,
                         .threads = UINT32_MAX,
                         .files = 256,
                         .port = 65535,
                         .one_thread = true,
                         .read = {"/srv/a", "/srv/b"},
                         .read_count = 2,
                         .noise = {"open for writing /tmp/*", ""},
                         .noise_count = 2};

    (void)state;
    assert_true(comes_back(&order));
    assert_true(comes_back(&(StrictOrder){.folder = "/"}));
    assert_true(comes_back(&(StrictOrder){.folder = "/usr", .probe = true, .port = ORDER_PORT}));
}

static const char *draw_text(Rng *rng, char *room, size_t bytes)
{
    static const char signs[] = "/a=-* \\\n\"\xe5";
    const size_t count = 1 + rng_below(rng, (uint32_t)bytes - 2);

    for (size_t i = 0; i < count; i++)
        room[i] = signs[rng_below(rng, sizeof(signs) - 1)];
    room[count] = '\0';
    return room;
}

#define DRAWN 40

static bool any_order_comes_back(Rng *rng, unsigned size)
{
    static char room[4 + 3 * DRAWN][64];
    StrictOrder order = {.folder = draw_text(rng, room[0], 64),
                         .filter = rng_below(rng, 2),
                         .probe = rng_below(rng, 4) == 0,
                         .one_group = rng_below(rng, 2),
                         .forbid_threads = rng_below(rng, 2),
                         .one_thread = rng_below(rng, 2),
                         .memory_bytes = rng_next(rng) >> rng_below(rng, 64),
                         .writable_bytes = rng_next(rng) >> rng_below(rng, 64),
                         .threads = (uint32_t)rng_next(rng),
                         .files = rng_below(rng, 1000),
                         .cpu_seconds = (uint32_t)rng_next(rng),
                         .port = (uint16_t)rng_next(rng)};

    order.root = rng_below(rng, 2) ? draw_text(rng, room[1], 64) : NULL;
    order.memory_group = rng_below(rng, 2) ? draw_text(rng, room[2], 64) : NULL;
    order.process_group = rng_below(rng, 2) ? draw_text(rng, room[3], 64) : NULL;
    for (unsigned i = 0; i < size && i < CELL_READ_MAX; i++)
        order.read[order.read_count++] = draw_text(rng, room[4 + i], 64);
    for (unsigned i = rng_below(rng, size); i > 0; i--)
        order.noise[order.noise_count++] = draw_text(rng, room[4 + DRAWN + i], 64);
    for (unsigned i = rng_below(rng, size); i > 0; i--)
        order.usual[order.usual_count++] = draw_text(rng, room[4 + 2 * DRAWN + i], 64);
    return comes_back(&order);
}

static void whatever_is_ordered_comes_back(void **state)
{
    (void)state;
    prop_check(any_order_comes_back, 5000, DRAWN);
}

/* ---- what is none ---- */

/* Whether the words, blanks between, are an order. */
static bool is_order(const char *text)
{
    char copy[TEXT_MAX];
    char *words[WORDS_MAX + 1] = {NULL};
    size_t count = 0;
    StrictOrder order;

    snprintf(copy, sizeof(copy), "%s", text);
    for (char *rest = NULL, *word = strtok_r(copy, " ", &rest); word;
         word = strtok_r(NULL, " ", &rest))
        words[count++] = word;
    return strict_order_read(words, &order);
}

static void what_is_no_order_is_refused(void **state)
{
    static const char *const bad[] = {
        "",
        "--",
        "--folder=/a -- sh",
        "--strict --folder=/a -- sh",
        "--strict= --folder=/a -- sh",
        "--strict=light --folder=/a -- sh",
        "--strict=strict --folder=/a -- sh",
        "--strict=filter2 --folder=/a -- sh",
        "--strict=filter -- sh",           /* no folder */
        "--strict=filter --folder= -- sh", /* an empty one */
        "--strict=filter --folder -- sh",  /* no value */
        "--strict=filter --folder=/a",     /* no program */
        "--strict=filter --folder=/a --",  /* no program */
        "--strict=filter --folder=/a --probe -- sh",
        "--strict=filter --folder=/a --probe=1",
        "--strict=filter --folder=/a --one-thread=1 -- sh",
        "--strict=filter --folder=/a --memory -- sh",
        "--strict=filter --folder=/a --memory= -- sh",
        "--strict=filter --folder=/a --memory=-1 -- sh",
        "--strict=filter --folder=/a --memory=+1 -- sh",
        "--strict=filter --folder=/a --memory=1x -- sh",
        "--strict=filter --folder=/a --memory=18446744073709551616 -- sh",
        "--strict=filter --folder=/a --threads=4294967296 -- sh",
        "--strict=filter --folder=/a --port=65536 -- sh",
        "--strict=filter --folder=/a --port -- sh",
        "--strict=filter --folder=/a --ports=1 -- sh",
        "--strict=filter --folder=/a --nothing -- sh",
        "--strict=filter --folder=/a -memory=1 -- sh",
        "--strict=filter --folder=/a sh",
    };

    (void)state;
    assert_true(is_order("--strict=filter --folder=/a -- sh"));
    assert_true(is_order("--strict=namespaces --memory=0 --folder=/a -- sh -c x"));
    assert_true(is_order("--strict=namespaces --folder=/a --probe"));
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
        if (is_order(bad[i]))
            fail_msg("'%s' was read", bad[i]);
}

static void more_in_a_list_than_there_is_room_for_is_refused(void **state)
{
    static const struct {
        const char *word;
        size_t most;
    } lists[] = {{" --read=/a", CELL_READ_MAX},
                 {" --noise=a", ORDER_LISTED_MAX},
                 {" --usual=a", ORDER_LISTED_MAX}};

    (void)state;
    for (size_t list = 0; list < 3; list++) {
        for (size_t more = 0; more < 2; more++) {
            char text[4096] = "--strict=namespaces --folder=/a";
            for (size_t i = 0; i < lists[list].most + more; i++)
                strncat(text, lists[list].word, sizeof(text) - strlen(text) - 1);
            strncat(text, " -- sh", sizeof(text) - strlen(text) - 1);
            assert_int_equal(is_order(text), !more);
        }
    }
}

static void the_words_of_a_light_cell_are_none_of_it(void **state)
{
    char mask[] = "--umask=022", strict[] = "--strict=filter", plain[] = "--strict";

    (void)state;
    assert_false(strict_order_is((char *[]){NULL}));
    assert_false(strict_order_is((char *[]){mask, NULL}));
    assert_false(strict_order_is((char *[]){plain, NULL}));
    assert_true(strict_order_is((char *[]){strict, NULL}));
}

static void no_word_is_longer_than_what_a_path_may_be(void **state)
{
    static char path[4096];
    StrictOrder order = {.folder = path};

    (void)state;
    memset(path, 'a', sizeof(path) - 1);
    path[0] = '/';
    assert_true(comes_back(&order));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_order_comes_back_as_it_was_written),
        cmocka_unit_test(whatever_is_ordered_comes_back),
        cmocka_unit_test(what_is_no_order_is_refused),
        cmocka_unit_test(more_in_a_list_than_there_is_room_for_is_refused),
        cmocka_unit_test(the_words_of_a_light_cell_are_none_of_it),
        cmocka_unit_test(no_word_is_longer_than_what_a_path_may_be),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
