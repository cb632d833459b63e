/* person_io.h - a plain screen for tests of what a person is told: lines go into a Buf. Typed lines
 * come by the test's own calls; `keyboard` has the screen believe in a terminal. */
#ifndef WARG_TESTS_CMD_PERSON_IO_H
#define WARG_TESTS_CMD_PERSON_IO_H

#include "terminal/screen.h"

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

typedef struct PersonIo {
    Loop *loop;
    Screen *screen;
    int in[2];
    int out[2];
    Buf told;
} PersonIo;

static void person_io_entered(void *user, Str line, TimeUs now)
{
    (void)user;
    (void)line;
    (void)now;
}

static void person_io_left(void *user, TimeUs now)
{
    (void)user;
    (void)now;
}

static void person_io_open(PersonIo *io, bool keyboard)
{
    assert_int_equal(loop_new(&io->loop, NULL), 0);
    assert_int_equal(pipe(io->out), 0);
    fcntl(io->out[0], F_SETFL, O_NONBLOCK);
    if (keyboard) {
        io->in[1] = posix_openpt(O_RDWR | O_NOCTTY);
        assert_true(io->in[1] >= 0 && grantpt(io->in[1]) == 0 && unlockpt(io->in[1]) == 0);
        io->in[0] = open(ptsname(io->in[1]), O_RDWR | O_NOCTTY);
    } else {
        assert_int_equal(pipe(io->in), 0);
    }
    const ScreenSetup setup = {.plain = true,
                               .input = io->in[0],
                               .output = io->out[1],
                               .entered = person_io_entered,
                               .left = person_io_left};
    assert_int_equal(screen_new(io->loop, &setup, &io->screen, NULL), 0);
    assert_int_equal(screen_is_typed(io->screen), keyboard);
}

static void person_io_close(PersonIo *io)
{
    screen_free(io->screen);
    loop_free(io->loop);
    for (int i = 0; i < 2; i++) {
        close(io->in[i]);
        close(io->out[i]);
    }
    buf_done(&io->told);
}

/* What was told since the last call. */
static const char *person_io_told(PersonIo *io)
{
    char bytes[4096];
    ssize_t n;

    buf_clear(&io->told);
    while ((n = read(io->out[0], bytes, sizeof(bytes))) > 0)
        buf_add(&io->told, (Str){bytes, (size_t)n});
    return buf_cstr(&io->told);
}

#define assert_told(io, text)                                                                      \
    do {                                                                                           \
        const char *assert_told_all = person_io_told(io);                                          \
        if (!strstr(assert_told_all, (text)))                                                      \
            fail_msg("expected '%s' in: %s", (text), assert_told_all);                             \
    } while (false)

#endif
