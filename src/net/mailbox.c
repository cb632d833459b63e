#include "net/mailbox.h"

#include "net/uv_loop.h"

#include <stdatomic.h>

typedef struct Letter Letter;
struct Letter {
    Letter *before; /* the one that was put before it */
    Buf text;
};

struct Mailbox {
    uv_async_t wake;
    Owned owned;
    _Atomic(Letter *) last; /* put last, and not read yet */
    void (*read)(void *user, Str letter, TimeUs now);
    void *user;
};

static Letter *free_letter(Letter *letter)
{
    Letter *before = letter->before;

    buf_done(&letter->text);
    mem_free(letter);
    return before;
}

/* All that are there, the first one first. */
static Letter *take_letters(Mailbox *box)
{
    Letter *rest = atomic_exchange_explicit(&box->last, NULL, memory_order_acquire);
    Letter *first = NULL;

    while (rest) {
        Letter *before = rest->before;
        rest->before = first; /* from here on the next one */
        first = rest;
        rest = before;
    }
    return first;
}

void mailbox_read(Mailbox *box)
{
    Letter *letter = take_letters(box);

    while (letter) {
        box->read(box->user, buf_str(&letter->text), loop_now());
        letter = free_letter(letter);
    }
}

static void on_wake(uv_async_t *wake)
{
    Loop *loop = wake->loop->data;

    loop->stale_clock = true;
    mailbox_read(wake->data);
}

static void free_box(uv_handle_t *handle)
{
    mem_free(handle->data);
}

Mailbox *mailbox_free(Mailbox *box)
{
    if (!box)
        return NULL;
    for (Letter *letter = take_letters(box); letter;)
        letter = free_letter(letter);
    link_drop(&box->owned.link);
    uv_close((uv_handle_t *)&box->wake, free_box);
    return NULL;
}

static void box_close(Owned *owned)
{
    mailbox_free(HOLDER(owned, Mailbox, owned));
}

int mailbox_new(Loop *loop, void (*read)(void *user, Str letter, TimeUs now), void *user,
                Mailbox **ret_box, Err *err)
{
    Mailbox *box = mem_new(sizeof(*box));
    int code = box ? uv_async_init(&loop->uv, &box->wake, on_wake) : UV_ENOMEM;

    if (code) {
        mem_free(box);
        return err_set(err, uv_err(code), "mailbox: %s", uv_strerror(code));
    }
    atomic_init(&box->last, NULL);
    box->wake.data = box;
    box->read = read;
    box->user = user;
    box->owned.close = box_close;
    link_add(&loop->owned, &box->owned.link);
    *ret_box = box;
    return 0;
}

bool mailbox_put(Mailbox *box, Buf *letter)
{
    if (!letter->len)
        return true;
    Letter *put = mem_new(sizeof(*put));
    if (!put)
        return false;
    put->text = *letter;
    *letter = (Buf){0};
    Letter *before = atomic_load_explicit(&box->last, memory_order_relaxed);
    do
        put->before = before;
    while (!atomic_compare_exchange_weak_explicit(&box->last, &before, put, memory_order_release,
                                                  memory_order_relaxed));
    /* `put` may be read and freed by now. Who found others there knows that the reader was called
     * and has not come yet. */
    if (!before)
        uv_async_send(&box->wake);
    return true;
}
