/* uv_loop.h - the inside of a Loop, for the files of this folder.
 *
 * For:    the files of this folder, and nobody else: libuv stays behind it.
 * Memory: what is open on a loop is on its list `owned`, so that loop_free can close it.
 * Thread: the loop's.
 * Source: libuv 1.44, "uv_handle_t": a handle's memory may go only after its close callback. So an
 *         object here is closed at once and freed by the callback of its last handle.
 */
#ifndef WARG_NET_UV_LOOP_H
#define WARG_NET_UV_LOOP_H

#include "base/mem.h"
#include "net/loop.h"

#include <uv.h>

/* The struct that holds `member` at `address`. */
#define HOLDER(address, type, member) ((type *)(void *)((char *)(address)-offsetof(type, member)))

/* A place in a ring of links; alone it points at itself. */
typedef struct ListLink {
    struct ListLink *next;
    struct ListLink *prev;
} ListLink;

static inline void link_init(ListLink *link)
{
    link->next = link->prev = link;
}

static inline bool link_alone(const ListLink *link)
{
    return link->next == link;
}

/* Puts `link` at the end of the ring that starts behind `head`. */
static inline void link_add(ListLink *head, ListLink *link)
{
    link->prev = head->prev;
    link->next = head;
    head->prev->next = link;
    head->prev = link;
}

static inline void link_drop(ListLink *link)
{
    link->next->prev = link->prev;
    link->prev->next = link->next;
    link_init(link);
}

/* Something open on a loop: loop_free calls `close`, which must take it off the list. */
typedef struct Owned {
    ListLink link;
    void (*close)(struct Owned *owned);
} Owned;

/* Something to be done when the callback that runs now has returned, once. */
typedef struct Soon {
    ListLink link;
    void (*run)(struct Soon *soon);
} Soon;

/* One read takes at most so much. Also the size of libuv's own suggestion. */
#define LOOP_READ_BYTES 65536

struct Loop {
    uv_loop_t uv;
    uv_async_t wake;
    uv_idle_t soon_idle;     /* runs, and keeps the loop from sleeping, while `soon` isn't empty */
    uv_prepare_t clock;      /* reads the clock again before the loop sleeps, when it is stale */
    uv_timer_t linger_timer; /* for the first of `lingering` */
    ListLink owned;          /* Owned */
    ListLink soon;           /* Soon */
    ListLink lingering;      /* connections that send their last bytes, in order of deadline */
    ListLink dying;          /* children that were killed and whose end was not seen yet */
    Alarms alarms;
    Timer *alarm_timer; /* for the first of `alarms` */
    void (*woken)(void *user, TimeUs now);
    void *woken_user;
    uint64_t turn;       /* counts the loop's sleeps */
    uint32_t turn_reads; /* since then */
    bool stale_clock;    /* callbacks ran since libuv read the clock */
    bool running;
    char read_buffer[LOOP_READ_BYTES]; /* what one read brought, valid in its callback */
};

/* Has `soon->run` called by the loop; if it waits for that already, nothing changes. */
void loop_soon(Loop *loop, Soon *soon);

/* For uv_read_start: the loop's one buffer. */
void loop_read_buffer(uv_handle_t *handle, size_t suggested, uv_buf_t *ret_buffer);

/* An error of libuv as one of ours. */
ErrCode uv_err(int code);

#endif
