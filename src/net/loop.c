#include "net/uv_loop.h"

#include <assert.h>
#include <signal.h>
#include <time.h>

struct Timer {
    uv_timer_t uv;
    Owned owned;
    Soon soon; /* for a time that has passed */
    Loop *loop;
    void (*due)(void *user, TimeUs now);
    void *user;
    TimeUs when;
    bool set;
};

typedef struct SignalWatch {
    uv_signal_t uv;
    Owned owned;
    void (*caught)(void *user, int signal_number, TimeUs now);
    void *user;
} SignalWatch;

/* How long loop_free waits for killed children. */
#define REAP_MS 1000

ErrCode uv_err(int code)
{
    return code == UV_ENOMEM ? ERR_MEMORY : ERR_IO;
}

TimeUs loop_now(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (TimeUs)now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

/* The date now, in microseconds. */
static int64_t date_us(void)
{
    struct timespec now;

    clock_gettime(CLOCK_REALTIME, &now);
    return (int64_t)now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

int64_t loop_date_ms(void)
{
    return date_us() / 1000;
}

int64_t loop_date_of(TimeUs at)
{
    return (date_us() - (loop_now() - at)) / 1000;
}

/* ---- things to be done soon ---- */

static void run_soon(uv_idle_t *idle)
{
    Loop *loop = idle->data;
    ListLink now;

    /* What these put on the list waits for the next round, so that sockets get their turn. */
    link_init(&now);
    link_add(&loop->soon, &now);
    link_drop(&loop->soon);
    while (!link_alone(&now)) {
        Soon *soon = HOLDER(now.next, Soon, link);

        link_drop(&soon->link);
        soon->run(soon);
    }
    loop->stale_clock = true;
    if (link_alone(&loop->soon))
        uv_idle_stop(idle);
}

void loop_soon(Loop *loop, Soon *soon)
{
    if (!link_alone(&soon->link))
        return;
    link_add(&loop->soon, &soon->link);
    uv_idle_start(&loop->soon_idle, run_soon);
}

/* ---- the loop ---- */

/* Before the loop sleeps. libuv reads the clock once a round, before timers; without this it would
 * sleep too long by what their callbacks took. */
static void begin_turn(uv_prepare_t *prepare)
{
    Loop *loop = prepare->data;

    if (loop->stale_clock)
        uv_update_time(&loop->uv);
    loop->stale_clock = false;
    loop->turn++;
    loop->turn_reads = 0;
}

static void on_wake(uv_async_t *async)
{
    Loop *loop = async->data;

    if (loop->woken)
        loop->woken(loop->woken_user, loop_now());
}

static void ignore_sigpipe(void)
{
    struct sigaction now;

    if (sigaction(SIGPIPE, NULL, &now) == 0 && now.sa_handler == SIG_DFL) {
        now.sa_handler = SIG_IGN;
        sigaction(SIGPIPE, &now, NULL);
    }
}

/* ---- alarms ---- */

static void on_alarms_changed(void *user, TimeUs next)
{
    const Loop *loop = user;

    timer_at(loop->alarm_timer, next, false);
}

static void on_alarm_timer(void *user, TimeUs now)
{
    Loop *loop = user;

    alarms_ring(&loop->alarms, now);
}

static int open_alarms(Loop *loop, Err *err)
{
    int rc = timer_new(loop, on_alarm_timer, loop, &loop->alarm_timer, err);

    loop->alarms = (Alarms){.changed = on_alarms_changed, .user = loop};
    return rc;
}

Alarms *loop_alarms(Loop *loop)
{
    return &loop->alarms;
}

/* ---- life ---- */

int loop_new(Loop **ret_loop, Err *err)
{
    Loop *loop = mem_new(sizeof(*loop));

    if (!loop)
        return err_set(err, ERR_MEMORY, "event loop: out of memory");
    ignore_sigpipe();
    link_init(&loop->owned);
    link_init(&loop->soon);
    link_init(&loop->lingering);
    link_init(&loop->dying);

    int code = uv_loop_init(&loop->uv);
    if (code) {
        mem_free(loop);
        return err_set(err, uv_err(code), "event loop: %s", uv_strerror(code));
    }
    code = uv_async_init(&loop->uv, &loop->wake, on_wake);
    if (code) {
        uv_loop_close(&loop->uv);
        mem_free(loop);
        return err_set(err, uv_err(code), "event loop: %s", uv_strerror(code));
    }
    uv_unref((uv_handle_t *)&loop->wake);
    uv_idle_init(&loop->uv, &loop->soon_idle);
    uv_prepare_init(&loop->uv, &loop->clock);
    uv_prepare_start(&loop->clock, begin_turn);
    uv_unref((uv_handle_t *)&loop->clock);
    uv_timer_init(&loop->uv, &loop->linger_timer);
    loop->uv.data = loop->wake.data = loop->soon_idle.data = loop->clock.data = loop;
    loop->linger_timer.data = loop;
    int rc = open_alarms(loop, err);
    if (rc) {
        loop_free(loop);
        return rc;
    }
    *ret_loop = loop;
    return 0;
}

static void give_up_reaping(uv_timer_t *timer)
{
    *(bool *)timer->data = true;
}

/* Lets the loop see the end of the children that were killed. */
static void reap_handles(Loop *loop)
{
    uv_timer_t limit;
    bool over = false;

    if (link_alone(&loop->dying))
        return;
    uv_timer_init(&loop->uv, &limit);
    limit.data = &over;
    uv_update_time(&loop->uv);
    uv_timer_start(&limit, give_up_reaping, REAP_MS, 0);
    while (!link_alone(&loop->dying) && !over)
        uv_run(&loop->uv, UV_RUN_ONCE);
    uv_close((uv_handle_t *)&limit, NULL);
    uv_run(&loop->uv, UV_RUN_NOWAIT); /* `limit` is on this stack */
}

static void close_all(ListLink *list)
{
    while (!link_alone(list)) {
        Owned *owned = HOLDER(list->next, Owned, link);

        owned->close(owned);
        assert(list->next != &owned->link);
    }
}

Loop *loop_free(Loop *loop)
{
    if (!loop)
        return NULL;
    assert(!loop->running);

    loop->woken = NULL;
    close_all(&loop->owned);
    reap_handles(loop);
    close_all(&loop->dying);
    uv_close((uv_handle_t *)&loop->wake, NULL);
    uv_close((uv_handle_t *)&loop->soon_idle, NULL);
    uv_close((uv_handle_t *)&loop->clock, NULL);
    uv_close((uv_handle_t *)&loop->linger_timer, NULL);
    do { /* a loop that was stopped before it ran returns once without having done anything */
        uv_run(&loop->uv, UV_RUN_DEFAULT);
    } while (uv_loop_alive(&loop->uv));

    int code = uv_loop_close(&loop->uv);
    assert(code == 0); /* else a handle was opened and not put on `owned` */
    (void)code;
    return mem_free(loop);
}

void loop_freep(Loop **loop)
{
    *loop = loop_free(*loop);
}

void loop_run(Loop *loop)
{
    assert(!loop->running);
    loop->running = true;
    uv_run(&loop->uv, UV_RUN_DEFAULT);
    loop->running = false;
}

void loop_stop(Loop *loop)
{
    uv_stop(&loop->uv);
}

void loop_read_buffer(uv_handle_t *handle, size_t suggested, uv_buf_t *ret_buffer)
{
    Loop *loop = handle->loop->data;

    (void)suggested;
    loop->turn_reads++;
    *ret_buffer = uv_buf_init(loop->read_buffer, sizeof(loop->read_buffer));
}

/* ---- timers ---- */

static void timer_due(Timer *timer)
{
    timer->loop->stale_clock = true;
    timer->set = false;
    timer->due(timer->user, loop_now()); /* may free the timer */
}

static void on_soon(Soon *soon)
{
    timer_due(HOLDER(soon, Timer, soon));
}

static void on_timer(uv_timer_t *uv)
{
    Timer *timer = uv->data;

    /* libuv's clock is coarse and lags; that it never runs ahead is worth a look. */
    if (loop_now() < timer->when)
        uv_timer_start(uv, on_timer, 1, 0);
    else
        timer_due(timer);
}

static void timer_close(Owned *owned)
{
    timer_free(HOLDER(owned, Timer, owned));
}

int timer_new(Loop *loop, void (*due)(void *user, TimeUs now), void *user, Timer **ret_timer,
              Err *err)
{
    Timer *timer = mem_new(sizeof(*timer));

    if (!timer)
        return err_set(err, ERR_MEMORY, "timer: out of memory");
    uv_timer_init(&loop->uv, &timer->uv);
    timer->uv.data = timer;
    timer->loop = loop;
    timer->due = due;
    timer->user = user;
    timer->soon.run = on_soon;
    link_init(&timer->soon.link);
    timer->owned.close = timer_close;
    link_add(&loop->owned, &timer->owned.link);
    *ret_timer = timer;
    return 0;
}

static void free_timer(uv_handle_t *handle)
{
    mem_free(handle->data);
}

Timer *timer_free(Timer *timer)
{
    if (!timer)
        return NULL;
    timer_stop(timer);
    link_drop(&timer->owned.link);
    uv_close((uv_handle_t *)&timer->uv, free_timer);
    return NULL;
}

void timer_at(Timer *timer, TimeUs when, bool only_earlier)
{
    if (timer->set && only_earlier && timer->when <= when)
        return;
    timer_stop(timer);
    if (when == TIME_US_NEVER)
        return;
    timer->when = when;
    timer->set = true;

    /* libuv's time is this clock in whole milliseconds, so a time of ours is one of its. Relative
     * to uv_now the time is exact even when uv_now is stale: libuv adds it back. */
    uint64_t due_ms = when <= 0 ? 0 : (uint64_t)when / 1000 + ((uint64_t)when % 1000 != 0);
    uint64_t now_ms = uv_now(&timer->loop->uv);
    if (due_ms > now_ms)
        uv_timer_start(&timer->uv, on_timer, due_ms - now_ms, 0);
    else /* uv_timer_start with 0 in a timer's callback would keep libuv in its timers for ever */
        loop_soon(timer->loop, &timer->soon);
}

void timer_in(Timer *timer, TimeUs wait)
{
    timer_at(timer, loop_now() + wait, false);
}

void timer_stop(Timer *timer)
{
    if (!timer->set)
        return;
    timer->set = false;
    uv_timer_stop(&timer->uv);
    link_drop(&timer->soon.link);
}

/* ---- signals ---- */

static void on_signal(uv_signal_t *uv, int signal_number)
{
    SignalWatch *watch = uv->data;

    watch->caught(watch->user, signal_number, loop_now());
}

static void free_signal(uv_handle_t *handle)
{
    mem_free(handle->data);
}

static void signal_close(Owned *owned)
{
    SignalWatch *watch = HOLDER(owned, SignalWatch, owned);

    link_drop(&watch->owned.link);
    uv_close((uv_handle_t *)&watch->uv, free_signal);
}

int loop_signal(Loop *loop, int signal_number,
                void (*caught)(void *user, int signal_number, TimeUs now), void *user, Err *err)
{
    SignalWatch *watch = mem_new(sizeof(*watch));

    if (!watch)
        return err_set(err, ERR_MEMORY, "signal handler: out of memory");
    watch->caught = caught;
    watch->user = user;

    int code = uv_signal_init(&loop->uv, &watch->uv);
    if (code) {
        mem_free(watch);
        return err_set(err, uv_err(code), "signal handler: %s", uv_strerror(code));
    }
    watch->uv.data = watch;
    watch->owned.close = signal_close;
    link_add(&loop->owned, &watch->owned.link);
    code = uv_signal_start(&watch->uv, on_signal, signal_number);
    if (code) {
        signal_close(&watch->owned);
        return err_set(err, uv_err(code), "handler of signal %d: %s", signal_number,
                       uv_strerror(code));
    }
    uv_unref((uv_handle_t *)&watch->uv);
    return 0;
}

void loop_signal_off(Loop *loop, const void *user)
{
    ListLink *next;

    for (ListLink *link = loop->owned.next; link != &loop->owned; link = next) {
        Owned *owned = HOLDER(link, Owned, link);

        next = link->next;
        if (owned->close == signal_close && HOLDER(owned, SignalWatch, owned)->user == user)
            signal_close(owned);
    }
}

/* ---- from other threads ---- */

void loop_on_wake(Loop *loop, void (*woken)(void *user, TimeUs now), void *user)
{
    loop->woken = woken;
    loop->woken_user = user;
    if (woken)
        uv_ref((uv_handle_t *)&loop->wake);
    else
        uv_unref((uv_handle_t *)&loop->wake);
}

void loop_wake(Loop *loop)
{
    uv_async_send(&loop->wake);
}
