#ifndef _GNU_SOURCE
#    define _GNU_SOURCE
#endif
#include "net/input.h"

#include "net/uv_loop.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

struct Input {
    uv_poll_t poll;
    uv_idle_t idle; /* keeps the loop running for a file, which is always ready */
    Owned owned;
    Loop *loop;
    int descriptor;
    bool is_file;
    bool over;
    InputEvents events;
    void *user;
};

static void free_input(uv_handle_t *handle)
{
    mem_free(handle->data);
}

static void stop_reading(Input *input)
{
    input->over = true;
    if (input->is_file)
        uv_idle_stop(&input->idle);
    else
        uv_poll_stop(&input->poll);
}

static void read_some(Input *input)
{
    uv_handle_t *handle = input->is_file ? (uv_handle_t *)&input->idle : (void *)&input->poll;
    uv_buf_t buffer;

    loop_read_buffer(handle, LOOP_READ_BYTES, &buffer);
    ssize_t n = read(input->descriptor, buffer.base, buffer.len);
    if (n < 0 && (errno == EINTR || errno == EAGAIN))
        return;
    input->loop->stale_clock = true;
    if (n > 0) {
        input->events.bytes(input->user, (Str){buffer.base, (size_t)n}, loop_now());
        return;
    }
    stop_reading(input);
    input->events.ended(input->user, loop_now());
}

static void on_readable(uv_poll_t *poll, int status, int events)
{
    (void)status; /* what is wrong, read() says */
    (void)events;
    read_some(poll->data);
}

static void on_turn(uv_idle_t *idle)
{
    read_some(idle->data);
}

static void input_drop(Owned *owned)
{
    input_close(HOLDER(owned, Input, owned));
}

/* libuv makes the descriptor non-blocking, for all who share it; it is read only when it is ready,
 * so it may as well stay as it was. */
static int start_poll(Input *input)
{
    int flags = fcntl(input->descriptor, F_GETFL);
    int code = uv_poll_init(&input->loop->uv, &input->poll, input->descriptor);

    if (code)
        return code;
    fcntl(input->descriptor, F_SETFL, flags);
    input->poll.data = input;
    return uv_poll_start(&input->poll, UV_READABLE, on_readable);
}

static int start_reading(Input *input)
{
    if (fcntl(input->descriptor, F_GETFD) < 0)
        return UV_EBADF;
    /* A file or /dev/null: epoll takes neither. */
    input->is_file = uv_guess_handle(input->descriptor) == UV_FILE;
    if (!input->is_file)
        return start_poll(input);
    uv_idle_init(&input->loop->uv, &input->idle);
    input->idle.data = input;
    return uv_idle_start(&input->idle, on_turn);
}

int input_open(Loop *loop, int descriptor, const InputEvents *events, void *user, Input **ret_input,
               Err *err)
{
    Input *input = mem_new(sizeof(*input));

    if (!input)
        return err_set(err, ERR_MEMORY, "input: out of memory");
    input->loop = loop;
    input->descriptor = descriptor;
    input->events = *events;
    input->user = user;
    input->owned.close = input_drop;
    link_init(&input->owned.link);
    int code = start_reading(input);
    if (code) {
        mem_free(input);
        return err_set(err, uv_err(code), "input: descriptor %d: %s", descriptor,
                       uv_strerror(code));
    }
    link_add(&loop->owned, &input->owned.link);
    *ret_input = input;
    return 0;
}

Input *input_close(Input *input)
{
    if (!input)
        return NULL;
    if (!input->over)
        stop_reading(input);
    link_drop(&input->owned.link);
    if (input->is_file)
        uv_close((uv_handle_t *)&input->idle, free_input);
    else
        uv_close((uv_handle_t *)&input->poll, free_input);
    return NULL;
}
