#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "cell/witness.h"

#include "cell/cell_news.h"
#include "net/fd_socket.h"
#include "prop.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

/* ---- addresses ---- */

static void prints(const void *address, size_t bytes, const char *text)
{
    char found[256] = "not written";

    witness_print_address(address, bytes, found, sizeof(found));
    assert_string_equal(found, text);
}

static void addresses_of_the_internet_have_host_and_port(void **state)
{
    struct sockaddr_in four = {.sin_family = AF_INET, .sin_port = htons(53)};
    struct sockaddr_in6 six = {.sin6_family = AF_INET6, .sin6_port = htons(80)};

    (void)state;
    inet_pton(AF_INET, "8.8.8.8", &four.sin_addr);
    prints(&four, sizeof(four), "8.8.8.8:53");
    inet_pton(AF_INET6, "2001:db8::1", &six.sin6_addr);
    prints(&six, sizeof(six), "[2001:db8::1]:80");
    prints(&six, offsetof(struct sockaddr_in6, sin6_scope_id), "[2001:db8::1]:80");
    inet_pton(AF_INET6, "::ffff:127.0.0.1", &six.sin6_addr);
    prints(&six, sizeof(six), "[::ffff:127.0.0.1]:80");
}

static void local_sockets_have_a_path_or_an_abstract_name(void **state)
{
    struct sockaddr_un local = {.sun_family = AF_UNIX, .sun_path = "/run/x"};
    const size_t start = offsetof(struct sockaddr_un, sun_path);

    (void)state;
    prints(&local, sizeof(local), "unix /run/x");
    prints(&local, start + 4, "unix /run");
    memcpy(local.sun_path, "\0name", 5);
    prints(&local, start + 5, "unix @name");
    prints(&local, start, "unix @");
    memset(local.sun_path, 'p', sizeof(local.sun_path)); /* no NUL within */
    char longest[sizeof("unix ") + sizeof(local.sun_path)] = "unix ";
    memset(longest + 5, 'p', sizeof(local.sun_path));
    prints(&local, sizeof(local), longest);
}

static void what_is_too_short_or_of_another_family_is_named_by_its_family(void **state)
{
    const struct sockaddr_in four = {.sin_family = AF_INET};
    const struct sockaddr_in6 six = {.sin6_family = AF_INET6};
    const sa_family_t vsock = 40;

    (void)state;
    prints(&four, sizeof(four) - 1, "an address of family 2");
    prints(&six, sizeof(struct sockaddr_in), "an address of family 10");
    prints(&vsock, sizeof(vsock), "an address of family 40");
    prints(&vsock, 1, "an address of family 0");
    prints("", 0, "an address of family 0");
}

static bool any_address_is_printed_within_its_room(Rng *rng, unsigned size)
{
    _Alignas(struct sockaddr_un) unsigned char address[sizeof(struct sockaddr_un)];
    const sa_family_t family = (sa_family_t)rng_below(rng, 12);
    const size_t room = 1 + rng_below(rng, 200);
    char text[256];

    for (size_t i = 0; i < sizeof(address); i++)
        address[i] = (unsigned char)rng_below(rng, 256);
    memcpy(address, &family, sizeof(family));
    memset(text, 0x55, sizeof(text));
    witness_print_address(address, size, text, room);
    return memchr(text, '\0', room) && (room == sizeof(text) || text[room] == 0x55);
}

static void whatever_bytes_an_address_has_it_is_printed(void **state)
{
    (void)state;
    prop_check(any_address_is_printed_within_its_room, 10000, sizeof(struct sockaddr_un));
}

static void the_game_is_one_address_in_both_ways_to_write_it(void **state)
{
    struct sockaddr_in four = {.sin_family = AF_INET, .sin_port = htons(10000)};
    struct sockaddr_in6 six = {.sin6_family = AF_INET6, .sin6_port = htons(10000)};

    (void)state;
    assert_int_equal(inet_pton(AF_INET, "127.0.0.1", &four.sin_addr), 1);
    assert_int_equal(inet_pton(AF_INET6, "::ffff:127.0.0.1", &six.sin6_addr), 1);
    assert_true(witness_is_game(&four, sizeof(four), 10000));
    assert_true(witness_is_game(&six, sizeof(six), 10000));
    assert_false(witness_is_game(&four, sizeof(four), 10001));
    assert_false(witness_is_game(&six, sizeof(six), 10001));
    assert_false(witness_is_game(&four, sizeof(four) - 1, 10000));
    assert_false(witness_is_game(&six, sizeof(six) - 1, 10000));
    assert_false(witness_is_game("", 0, 10000));
    assert_int_equal(inet_pton(AF_INET, "127.0.0.2", &four.sin_addr), 1);
    assert_int_equal(inet_pton(AF_INET6, "::1", &six.sin6_addr), 1);
    assert_false(witness_is_game(&four, sizeof(four), 10000));
    assert_false(witness_is_game(&six, sizeof(six), 10000));
    assert_int_equal(inet_pton(AF_INET6, "::127.0.0.1", &six.sin6_addr), 1);
    assert_false(witness_is_game(&six, sizeof(six), 10000));
}

/* ---- lists ---- */

static bool is_listed(const char *entry, const char *text)
{
    const char *const list[] = {"something else", entry};

    return witness_is_listed(list, 2, text);
}

static void a_star_in_a_list_stands_for_anything(void **state)
{
    (void)state;
    assert_true(is_listed("connect [::1]:*", "connect [::1]:80"));
    assert_true(is_listed("connect [::1]:*", "connect [::1]:"));
    assert_false(is_listed("connect [::1]:*", "connect [::2]:80"));
    assert_false(is_listed("connect [::1]:*", "connect [::1]"));
    assert_true(is_listed("*", ""));
    assert_true(is_listed("*", "anything"));
    assert_true(is_listed("mkdir *__pycache__", "mkdir /agent/lib/__pycache__"));
    assert_false(is_listed("mkdir *__pycache__", "mkdir /agent/lib/__pycache__/x"));
    assert_true(is_listed("open *.pyc.*", "open /a/__pycache__/a.cpython-311.pyc.139"));
    assert_false(is_listed("open *.pyc.*", "open /a/memo.py"));
    assert_true(is_listed("a*b*c", "abbcbc"));
    assert_false(is_listed("a*b*c", "abbcb"));
}

static void without_a_star_the_whole_text_counts(void **state)
{
    (void)state;
    assert_true(is_listed("main", "main"));
    assert_false(is_listed("main", "main2"));
    assert_false(is_listed("main", "mai"));
    assert_false(is_listed("", "x"));
    assert_true(is_listed("", ""));
    assert_false(witness_is_listed(NULL, 0, "main"));
}

/* ---- findings ---- */

typedef struct Ears {
    Witness witness;
    StrictOrder order;
    int ends[2];
} Ears;

static void listen_to(Ears *ears)
{
    assert_true(fd_socket_pair(ears->ends));
    ears->witness = (Witness){.order = &ears->order, .asked = -1, .told = ears->ends[1]};
}

static void stop_listening(const Ears *ears)
{
    close(ears->ends[0]);
    close(ears->ends[1]);
}

/* The next message; its text is borrowed from `room`. */
static bool hear(const Ears *ears, char room[static FD_SOCKET_BYTES], CellNews *ret_news)
{
    size_t count;
    int descriptor;

    if (fd_socket_receive(ears->ends[0], room, &count, &descriptor) != FD_SOCKET_MESSAGE)
        return false;
    assert_int_equal(descriptor, -1);
    assert_true(cell_news_read((Str){room, count}, ret_news));
    return true;
}

static void a_hundred_of_a_rule_are_told_and_the_others_counted(void **state)
{
    char room[FD_SOCKET_BYTES];
    CellNews news;
    Ears ears = {0};
    int heard = 0;

    (void)state;
    listen_to(&ears);
    for (int i = 0; i < 2 * FINDINGS_KEPT + 50; i++) {
        witness_find(&ears.witness, FINDING_WRITE, "open for writing memo.txt");
        while (hear(&ears, room, &news)) {
            assert_true(str_eq(news.finding.text, STR("open for writing memo.txt")));
            assert_int_equal(news.finding.count, 1);
            heard++;
        }
    }
    assert_int_equal(heard, FINDINGS_KEPT);
    witness_find(&ears.witness, FINDING_PROCESS, "fork, refused"); /* another rule */
    assert_true(hear(&ears, room, &news));
    assert_int_equal(news.finding.rule, FINDING_PROCESS);
    witness_tell_counts(&ears.witness);
    assert_true(hear(&ears, room, &news));
    assert_int_equal(news.finding.rule, FINDING_WRITE);
    assert_int_equal(news.finding.count, FINDINGS_KEPT + 50);
    assert_int_equal(news.finding.text.len, 0);
    witness_tell_counts(&ears.witness); /* told once */
    assert_false(hear(&ears, room, &news));
    stop_listening(&ears);
}

static void a_count_beyond_what_a_message_holds_comes_in_parts(void **state)
{
    char room[FD_SOCKET_BYTES];
    uint64_t sum = 0;
    CellNews news;
    Ears ears = {0};

    (void)state;
    listen_to(&ears);
    ears.witness.silent[FINDING_NETWORK] = 3 * (uint64_t)UINT32_MAX + 5;
    witness_tell_counts(&ears.witness);
    while (hear(&ears, room, &news))
        sum += news.finding.count;
    assert_true(sum == 3 * (uint64_t)UINT32_MAX + 5);
    stop_listening(&ears);
}

static void noise_is_not_told_and_nobodys_files_are_none(void **state)
{
    static const char *const quiet[] = {
        "connect [::1]:80", "open for writing /dev/null", "open for writing /dev/tty",
        "open for writing /proc/self/coredump_filter", "connect unix /var/run/nscd/socket"};
    char room[FD_SOCKET_BYTES];
    CellNews news;
    Ears ears = {.order = {.noise = {"connect [::1]:*"}, .noise_count = 1}};

    (void)state;
    listen_to(&ears);
    for (size_t i = 0; i < sizeof(quiet) / sizeof(quiet[0]); i++)
        witness_find(&ears.witness, FINDING_WRITE, quiet[i]);
    assert_false(hear(&ears, room, &news));
    witness_find(&ears.witness, FINDING_WRITE, "open for writing /dev/nullx");
    assert_true(hear(&ears, room, &news));
    assert_int_equal(ears.witness.counts[FINDING_WRITE], 1);
    stop_listening(&ears);
}

static void nobody_who_hears_is_no_failure(void **state)
{
    Ears ears = {0};

    (void)state;
    listen_to(&ears);
    close(ears.ends[0]);
    witness_find(&ears.witness, FINDING_WRITE, "open for writing memo.txt");
    close(ears.ends[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(addresses_of_the_internet_have_host_and_port),
        cmocka_unit_test(local_sockets_have_a_path_or_an_abstract_name),
        cmocka_unit_test(what_is_too_short_or_of_another_family_is_named_by_its_family),
        cmocka_unit_test(whatever_bytes_an_address_has_it_is_printed),
        cmocka_unit_test(the_game_is_one_address_in_both_ways_to_write_it),
        cmocka_unit_test(a_star_in_a_list_stands_for_anything),
        cmocka_unit_test(without_a_star_the_whole_text_counts),
        cmocka_unit_test(a_hundred_of_a_rule_are_told_and_the_others_counted),
        cmocka_unit_test(a_count_beyond_what_a_message_holds_comes_in_parts),
        cmocka_unit_test(noise_is_not_told_and_nobodys_files_are_none),
        cmocka_unit_test(nobody_who_hears_is_no_failure),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
