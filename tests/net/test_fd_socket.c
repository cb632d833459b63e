#define _GNU_SOURCE /* pipe2 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "net/fd_socket.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#define MANY 100

typedef struct Pair {
    int ends[2];
    int open_before; /* descriptors of this process */
} Pair;

static int count_open(void)
{
    DIR *folder = opendir("/proc/self/fd");
    int count = 0;

    assert_non_null(folder);
    while (readdir(folder))
        count++;
    closedir(folder);
    return count;
}

static void open_pair(Pair *pair)
{
    pair->open_before = count_open();
    assert_true(fd_socket_pair(pair->ends));
}

/* Closes what is open of it; then as many descriptors are open as before. */
static void close_pair(Pair *pair)
{
    for (int i = 0; i < 2; i++)
        if (pair->ends[i] >= 0)
            close(pair->ends[i]);
    assert_int_equal(count_open(), pair->open_before);
}

static void receives(int end, const char *text, int *ret_descriptor)
{
    char bytes[FD_SOCKET_BYTES];
    size_t count = 0;

    assert_int_equal(fd_socket_receive(end, bytes, &count, ret_descriptor), FD_SOCKET_MESSAGE);
    assert_int_equal(count, strlen(text));
    assert_memory_equal(bytes, text, count);
}

static FdSocketState state_of(int end)
{
    char bytes[FD_SOCKET_BYTES];
    size_t count;
    int descriptor;

    return fd_socket_receive(end, bytes, &count, &descriptor);
}

static void messages_stay_apart_and_in_order(void **state)
{
    Pair pair;
    int descriptor = 0;

    (void)state;
    open_pair(&pair);
    assert_true(fd_socket_send(pair.ends[1], "one", 3, -1));
    assert_true(fd_socket_send(pair.ends[1], "tw", 2, -1));
    assert_true(fd_socket_send(pair.ends[0], "back", 4, -1));
    receives(pair.ends[0], "one", &descriptor);
    assert_int_equal(descriptor, -1);
    receives(pair.ends[0], "tw", &descriptor);
    receives(pair.ends[1], "back", &descriptor);
    close_pair(&pair);
}

static void the_first_end_does_not_block_and_both_are_closed_on_exec(void **state)
{
    Pair pair;

    (void)state;
    open_pair(&pair);
    assert_int_equal(state_of(pair.ends[0]), FD_SOCKET_NOTHING);
    assert_int_equal(fcntl(pair.ends[1], F_GETFL) & O_NONBLOCK, 0);
    for (int i = 0; i < 2; i++)
        assert_int_equal(fcntl(pair.ends[i], F_GETFD), FD_CLOEXEC);
    close_pair(&pair);
}

static void a_descriptor_comes_with_its_message_and_is_closed_on_exec(void **state)
{
    Pair pair;
    int pipe_ends[2], descriptor = -1, none = 0;
    char byte = 0;

    (void)state;
    open_pair(&pair);
    assert_int_equal(pipe2(pipe_ends, 0), 0);
    assert_true(fd_socket_send(pair.ends[1], "plain", 5, -1));
    assert_true(fd_socket_send(pair.ends[1], "with", 4, pipe_ends[1]));
    close(pipe_ends[1]);
    receives(pair.ends[0], "plain", &none);
    assert_int_equal(none, -1);
    receives(pair.ends[0], "with", &descriptor);
    assert_int_equal(fcntl(descriptor, F_GETFD), FD_CLOEXEC);
    assert_int_equal(write(descriptor, "x", 1), 1);
    assert_int_equal(read(pipe_ends[0], &byte, 1), 1);
    assert_int_equal(byte, 'x');
    close(descriptor);
    close(pipe_ends[0]);
    close_pair(&pair);
}

static void descriptors_of_messages_that_nobody_took_are_closed(void **state)
{
    Pair pair;
    int pipe_ends[2];
    char byte;

    (void)state;
    open_pair(&pair);
    assert_int_equal(pipe2(pipe_ends, 0), 0);
    assert_true(fd_socket_send(pair.ends[1], "lost", 4, pipe_ends[1]));
    close(pipe_ends[1]);
    close(pair.ends[0]);
    pair.ends[0] = -1;
    assert_int_equal(read(pipe_ends[0], &byte, 1), 0); /* nobody holds the other end */
    close(pipe_ends[0]);
    close_pair(&pair);
}

static void the_longest_message_comes_whole_and_a_longer_one_is_none(void **state)
{
    char text[FD_SOCKET_BYTES + 1], bytes[FD_SOCKET_BYTES];
    size_t count = 0;
    int descriptor = 0;
    Pair pair;

    (void)state;
    open_pair(&pair);
    memset(text, 'a', sizeof(text));
    assert_true(fd_socket_send(pair.ends[1], text, FD_SOCKET_BYTES, -1));
    assert_int_equal(fd_socket_receive(pair.ends[0], bytes, &count, &descriptor),
                     FD_SOCKET_MESSAGE);
    assert_int_equal(count, FD_SOCKET_BYTES);
    assert_memory_equal(bytes, text, count);
    assert_true(fd_socket_send(pair.ends[1], text, FD_SOCKET_BYTES + 1, STDIN_FILENO));
    assert_int_equal(state_of(pair.ends[0]), FD_SOCKET_OVER);
    close_pair(&pair); /* what came with it was closed */
}

/* As nobody who uses this module sends them. */
static void send_two(int end, int one, int two)
{
    union {
        char bytes[CMSG_SPACE(2 * sizeof(int))];
        struct cmsghdr align;
    } room = {{0}};
    char byte = 'x';
    struct iovec part = {.iov_base = &byte, .iov_len = 1};
    struct msghdr message = {.msg_iov = &part,
                             .msg_iovlen = 1,
                             .msg_control = room.bytes,
                             .msg_controllen = sizeof(room.bytes)};
    struct cmsghdr *header = CMSG_FIRSTHDR(&message);
    const int both[] = {one, two};

    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(sizeof(both));
    memcpy(CMSG_DATA(header), both, sizeof(both));
    assert_int_equal(sendmsg(end, &message, 0), 1);
}

static void two_descriptors_are_no_message_and_none_of_them_stays(void **state)
{
    Pair pair;

    (void)state;
    open_pair(&pair);
    send_two(pair.ends[1], STDIN_FILENO, STDERR_FILENO);
    assert_int_equal(state_of(pair.ends[0]), FD_SOCKET_OVER);
    close_pair(&pair);
}

static void a_closed_end_is_told_behind_what_was_sent(void **state)
{
    Pair pair;
    int descriptor;

    (void)state;
    open_pair(&pair);
    assert_true(fd_socket_send(pair.ends[1], "last", 4, -1));
    close(pair.ends[1]);
    pair.ends[1] = -1;
    receives(pair.ends[0], "last", &descriptor);
    assert_int_equal(state_of(pair.ends[0]), FD_SOCKET_OVER);
    assert_int_equal(state_of(pair.ends[0]), FD_SOCKET_OVER);
    close_pair(&pair);
}

static void sending_to_nobody_fails_without_a_signal(void **state)
{
    Pair pair;

    (void)state;
    open_pair(&pair);
    signal(SIGPIPE, SIG_DFL);
    close(pair.ends[0]);
    pair.ends[0] = -1;
    assert_false(fd_socket_send(pair.ends[1], "x", 1, -1));
    assert_int_equal(errno, EPIPE);
    close_pair(&pair);
}

static void an_end_that_does_not_block_fails_when_it_is_full(void **state)
{
    char block[FD_SOCKET_BYTES] = "x";
    Pair pair;
    int sent = 0, descriptor;
    size_t count;

    (void)state;
    open_pair(&pair);
    while (fd_socket_send(pair.ends[0], block, sizeof(block), -1))
        sent++;
    assert_int_equal(errno, EAGAIN);
    assert_in_range(sent, 1, 100000);
    assert_int_equal(fd_socket_receive(pair.ends[1], block, &count, &descriptor),
                     FD_SOCKET_MESSAGE);
    close_pair(&pair);
}

/* Sends numbered messages, each with the read end of a pipe that holds the number. */
static void send_numbers(int end)
{
    for (unsigned char i = 0; i < MANY; i++) {
        int ends[2];
        if (pipe2(ends, O_CLOEXEC) || write(ends[1], &i, 1) != 1 ||
            !fd_socket_send(end, &i, 1, ends[0]))
            _exit(1);
        close(ends[0]);
        close(ends[1]);
    }
    _exit(0);
}

static void another_process_hands_over_many_one_by_one(void **state)
{
    Pair pair;
    int status = 1;

    (void)state;
    open_pair(&pair);
    int child = fork();
    if (child == 0) {
        close(pair.ends[0]);
        send_numbers(pair.ends[1]);
    }
    close(pair.ends[1]);
    pair.ends[1] = -1;
    assert_int_equal(fcntl(pair.ends[0], F_SETFL, 0), 0);
    for (unsigned char i = 0; i < MANY; i++) {
        char bytes[FD_SOCKET_BYTES];
        unsigned char number = 255;
        size_t count;
        int descriptor;

        assert_int_equal(fd_socket_receive(pair.ends[0], bytes, &count, &descriptor),
                         FD_SOCKET_MESSAGE);
        assert_int_equal((unsigned char)bytes[0], i);
        assert_int_equal(read(descriptor, &number, 1), 1);
        assert_int_equal(number, i);
        close(descriptor);
    }
    assert_int_equal(state_of(pair.ends[0]), FD_SOCKET_OVER);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    close_pair(&pair);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(messages_stay_apart_and_in_order),
        cmocka_unit_test(the_first_end_does_not_block_and_both_are_closed_on_exec),
        cmocka_unit_test(a_descriptor_comes_with_its_message_and_is_closed_on_exec),
        cmocka_unit_test(descriptors_of_messages_that_nobody_took_are_closed),
        cmocka_unit_test(the_longest_message_comes_whole_and_a_longer_one_is_none),
        cmocka_unit_test(two_descriptors_are_no_message_and_none_of_them_stays),
        cmocka_unit_test(a_closed_end_is_told_behind_what_was_sent),
        cmocka_unit_test(sending_to_nobody_fails_without_a_signal),
        cmocka_unit_test(an_end_that_does_not_block_fails_when_it_is_full),
        cmocka_unit_test(another_process_hands_over_many_one_by_one),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
