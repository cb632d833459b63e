#include "serve/server_loops.h"

#include "base/mem.h"
#include "net/mailbox.h"
#include "net/thread_cpu.h"
#include "serve/server_state.h"

#include <assert.h>
#include <inttypes.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>

/* What nobody waits for (packets for viewers, lines of the log) is told so much later at most: a
 * letter for each message would cost as much as the message. */
#define TELL_US   ((TimeUs)10 * 1000)
#define CHORES_US ((TimeUs)1000 * 1000)

struct ServerLoop {
    Server *server;
    ServerLoops *loops;
    Loop *loop;
    WebServer *web;
    Bench *bench;
    Mailbox *orders;
    Timer *timer;   /* for the deadlines of the bench */
    Timer *chores;  /* once a second */
    Timer *telling; /* for what can wait */
    Timer *leaving; /* games that are over go to the hall, outside of any connection's event */
    GuestList guests;
    TimeUs now;  /* the latest time that the bench was told */
    Buf news;    /* to be told */
    bool urgent; /* somebody waits for it */
    Buf over;    /* News of the games that are about to leave */
    pthread_t thread;
    bool runs;
    _Atomic uint64_t games;
    _Atomic uint64_t messages;

    Buf letter; /* the main loop's: orders that are not sent yet */
};

struct ServerLoops {
    ServerLoopsSetup setup;
    Server *server;
    Mailbox *news;
    Timer *moving;
    unsigned count;
    bool ending;
    ServerLoop all[];
};

/* What the main loop writes to another one. */
typedef struct LoopOrder {
    Task task;
    bool stop; /* the loop */
} LoopOrder;

/* ---- letters: structs of this program, one behind the other, each with its texts ---- */

static void write_bytes(Buf *letter, const void *bytes, size_t n)
{
    buf_add(letter, (Str){bytes, n});
    assert(!buf_failed(letter)); /* an agent or a game would be lost with it */
}

static bool read_bytes(Str *rest, void *bytes, size_t n)
{
    if (!rest->len)
        return false;
    memcpy(bytes, rest->bytes, n);
    *rest = str_part(*rest, n, rest->len);
    return true;
}

static Str read_text(Str *rest, size_t n)
{
    Str text = str_part(*rest, 0, n);

    *rest = str_part(*rest, n, rest->len);
    return text;
}

/* ---- on the other loop: telling ---- */

static TimeUs loop_time(ServerLoop *loop, TimeUs at)
{
    if (at > loop->now)
        loop->now = at;
    return loop->now;
}

static void send_news(ServerLoop *loop)
{
    loop->urgent = !mailbox_put(loop->loops->news, &loop->news);
}

static void on_telling(void *user, TimeUs now)
{
    (void)now;
    send_news(user);
}

static void write_news(ServerLoop *loop, const News *news, bool urgent)
{
    News stamped = *news;

    stamped.at = loop->now;
    write_bytes(&loop->news, &stamped, sizeof(stamped));
    buf_add(&loop->news, news->text);
    buf_add(&loop->news, news->masked);
    assert(!buf_failed(&loop->news));
    loop->urgent |= urgent;
}

/* A guest leaves this loop; not in an event of its connection. */
static void let_go(ServedGuest *guest)
{
    guest_unlink(guest);
    guest->list = NULL;
    web_take(guest->conn);
}

static bool on_news(void *user, const News *news)
{
    ServerLoop *loop = user;

    switch (news->kind) {
    case NEWS_OVER:
        write_bytes(&loop->over, news, sizeof(*news));
        timer_at(loop->leaving, 0, false);
        return false;
    case NEWS_UTTERANCE:
        if (!loop->server->setup.config->speech.enable)
            return false;
        write_news(loop, news, true);
        return true;
    case NEWS_REFUSED: /* told behind a letter, not in its connection's event */
        let_go(bench_peer(news->agent));
        write_news(loop, news, true);
        return false;
    case NEWS_LOST:
    case NEWS_BACK:
        write_news(loop, news, true);
        return false;
    case NEWS_AWAY:
    case NEWS_NOTE:
    case NEWS_BROADCAST:
    case NEWS_FAULT:
    case NEWS_LIVE:
    default:
        write_news(loop, news, false);
        return false;
    }
}

/* Behind every call of the bench. */
static void loop_heard(ServerLoop *loop)
{
    TimeUs due = bench_deadline(loop->bench);

    guests_free_gone(&loop->guests);
    if (due != TIME_US_NEVER)
        timer_at(loop->timer, due, true);
    if (loop->urgent)
        send_news(loop);
    if (loop->news.len)
        timer_at(loop->telling, loop->now + TELL_US, true);
}

static void on_leaving(void *user, TimeUs now)
{
    ServerLoop *loop = user;
    Str rest = buf_str(&loop->over);
    News news;

    (void)now;
    while (read_bytes(&rest, &news, sizeof(news))) {
        for (SeatNo seat = 1; seat <= bench_seat_count(news.running); seat++)
            if (bench_seated(news.running, seat))
                let_go(bench_peer(bench_seated(news.running, seat)));
        write_news(loop, &news, true);
    }
    buf_clear(&loop->over);
    loop_heard(loop);
}

/* ---- on the other loop: agents ---- */

static void on_message(void *socket, Str text, TimeUs at)
{
    const ServedGuest *guest = socket;
    ServerLoop *loop = guest->place;

    if (!guest->agent)
        return;
    atomic_fetch_add_explicit(&loop->messages, 1, memory_order_relaxed);
    bench_message(guest->agent, text, loop_time(loop, at));
    loop_heard(loop);
}

static void on_closed(void *socket, WebEnd how, uint16_t code, TimeUs now)
{
    ServedGuest *guest = socket;
    ServerLoop *loop = guest->place;
    NlpAgent *agent = guest->agent;

    (void)how, (void)code;
    guest_free(guest);
    bench_lost(agent, loop_time(loop, now));
    loop_heard(loop);
}

static void on_timer(void *user, TimeUs now)
{
    ServerLoop *loop = user;

    bench_tick(loop->bench, loop_time(loop, now));
    loop_heard(loop);
}

static void agent_is_lost(void *user, uint32_t number, NlpAgent *agent)
{
    ServerLoop *loop = user;
    char line[64];

    (void)number;
    snprintf(line, sizeof(line), "closed: an agent has not read for %d ms",
             (int)loop->server->setup.config->action_ms);
    write_news(loop, &(News){.kind = NEWS_NOTE, .text = str_of(line)}, false);
    bench_lost(agent, loop->now);
}

static void on_chores(void *user, TimeUs now)
{
    ServerLoop *loop = user;

    guests_look_after(&loop->guests, loop_time(loop, now), agent_is_lost, loop);
    timer_at(loop->chores, loop->now + CHORES_US, false);
    loop_heard(loop);
}

/* ---- on the other loop: orders ---- */

static void take_in(ServerLoop *loop, NlpAgent *agent)
{
    ServedGuest *guest = bench_peer(agent);

    guest->place = loop;
    guest_link(guest, &loop->guests);
    web_put(loop->web, guest->conn);
}

static void follow_order(ServerLoop *loop, const LoopOrder *order, TimeUs now)
{
    const Task *task = &order->task;

    if (order->stop) {
        loop_stop(loop->loop);
        return;
    }
    if (task->kind == TASK_REJOIN)
        take_in(loop, task->agent);
    if (task->kind == TASK_TAKE) {
        atomic_fetch_add_explicit(&loop->games, 1, memory_order_relaxed);
        for (SeatNo seat = 1; seat <= bench_seat_count(task->running); seat++)
            if (bench_seated(task->running, seat))
                take_in(loop, bench_seated(task->running, seat));
    }
    bench_do(loop->bench, task, loop_time(loop, now));
}

static void read_orders(void *user, Str letter, TimeUs now)
{
    ServerLoop *loop = user;
    LoopOrder order;

    while (read_bytes(&letter, &order, sizeof(order)))
        follow_order(loop, &order, now);
    loop_heard(loop);
}

static void *run_loop(void *user)
{
    ServerLoop *loop = user;

    loop_run(loop->loop);
    return NULL;
}

/* ---- on the main loop ---- */

static void come_home(Server *server, const NlpAgent *agent)
{
    ServedGuest *guest = bench_peer(agent);

    guest->place = NULL;
    guest_link(guest, &server->guests);
    web_put(server->web, guest->conn);
}

/* The connections come first: the hall may close them. */
static void take_guests(Server *server, const News *news)
{
    if (news->kind == NEWS_LOST)
        web_forget(server->web);
    if (news->kind == NEWS_REFUSED)
        come_home(server, news->agent);
    for (SeatNo seat = 1; news->kind == NEWS_OVER && seat <= bench_seat_count(news->running);
         seat++)
        if (bench_seated(news->running, seat))
            come_home(server, bench_seated(news->running, seat));
}

static void read_news(void *user, Str letter, TimeUs now)
{
    ServerLoops *loops = user;
    News news;

    (void)now; /* each says when it happened */
    while (read_bytes(&letter, &news, sizeof(news))) {
        news.text = read_text(&letter, news.text.len);
        news.masked = read_text(&letter, news.masked.len);
        take_guests(loops->server, &news);
        loops->setup.hear(loops->server, &news);
    }
    if (!loops->ending)
        loops->setup.heard(loops->server);
}

void server_loops_moves(void *user)
{
    const Server *server = user;

    timer_at(server->loops->moving, 0, false);
}

static void on_moving(void *user, TimeUs now)
{
    const ServerLoops *loops = user;

    (void)now;
    loops->setup.move(loops->server);
    loops->setup.heard(loops->server);
}

void server_loops_task(void *user, unsigned bench, const Task *task)
{
    const Server *server = user;
    ServerLoop *loop = &server->loops->all[bench];
    LoopOrder order = {.task = *task};

    if (task->kind == TASK_REJOIN)
        let_go(bench_peer(task->agent));
    if (task->kind == TASK_TAKE)
        for (SeatNo seat = 1; seat <= bench_seat_count(task->running); seat++)
            if (bench_seated(task->running, seat))
                let_go(bench_peer(bench_seated(task->running, seat)));
    write_bytes(&loop->letter, &order, sizeof(order));
}

void server_loops_send(ServerLoops *loops)
{
    for (unsigned i = 0; loops && i < loops->count; i++)
        mailbox_put(loops->all[i].orders, &loops->all[i].letter);
}

/* ---- life ---- */

static int open_timers(ServerLoop *loop, Err *err)
{
    int rc = timer_new(loop->loop, on_timer, loop, &loop->timer, err);

    if (rc == 0)
        rc = timer_new(loop->loop, on_chores, loop, &loop->chores, err);
    if (rc == 0)
        rc = timer_new(loop->loop, on_telling, loop, &loop->telling, err);
    if (rc == 0)
        rc = timer_new(loop->loop, on_leaving, loop, &loop->leaving, err);
    return rc;
}

/* Signals are the main thread's. */
static int start_thread(ServerLoop *loop, Err *err)
{
    sigset_t all, before;

    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    int code = pthread_create(&loop->thread, NULL, run_loop, loop);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (code)
        return err_set(err, ERR_IO, "a thread for games: %s", strerror(code));
    loop->runs = true;
    return 0;
}

static int open_loop(ServerLoop *loop, const WebLimits *limits, Err *err)
{
    static const WebEvents events = {.message = on_message, .closed = on_closed};
    const WebSetup web = {.limits = limits, .events = &events, .user = loop};
    const BenchOut out = {.send = guest_send, .close = guest_close, .tell = on_news, .user = loop};
    int rc = loop_new(&loop->loop, err);

    if (rc == 0)
        rc = web_open(loop->loop, &web, &loop->web, err);
    if (rc == 0)
        rc = bench_new(&out, loop->server->zero_ms, &loop->bench, err);
    if (rc == 0)
        rc = mailbox_new(loop->loop, read_orders, loop, &loop->orders, err);
    if (rc == 0)
        rc = open_timers(loop, err);
    if (rc)
        return rc;
    loop->now = loop->server->now;
    timer_at(loop->chores, loop->now + CHORES_US, false);
    return start_thread(loop, err);
}

int server_loops_open(const ServerLoopsSetup *setup, ServerLoops **ret_loops, Err *err)
{
    Server *server = setup->server;
    ServerLoops *loops = mem_new(sizeof(*loops) + setup->count * sizeof(loops->all[0]));

    if (!loops)
        return err_set(err, ERR_MEMORY, "server: out of memory");
    assert(setup->count <= HALL_BENCHES_MAX);
    loops->setup = *setup;
    loops->server = server;
    int rc = mailbox_new(server->loop, read_news, loops, &loops->news, err);
    if (rc == 0)
        rc = timer_new(server->loop, on_moving, loops, &loops->moving, err);
    for (; rc == 0 && loops->count < setup->count; loops->count++) {
        ServerLoop *loop = &loops->all[loops->count];
        loop->server = server;
        loop->loops = loops;
        rc = open_loop(loop, setup->limits, err);
    }
    if (rc) {
        server_loops_free(loops);
        return rc;
    }
    *ret_loops = loops;
    return 0;
}

static void stop_loop(ServerLoop *loop)
{
    const LoopOrder order = {.stop = true};

    if (!loop->runs)
        return;
    write_bytes(&loop->letter, &order, sizeof(order));
    mailbox_put(loop->orders, &loop->letter);
    pthread_join(loop->thread, NULL);
    loop->runs = false;
    send_news(loop);
}

static void close_loop(ServerLoop *loop)
{
    web_free(loop->web);
    guests_free_gone(&loop->guests);
    while (loop->guests.first)
        guest_free(loop->guests.first);
    mailbox_free(loop->orders);
    bench_free(loop->bench);
    loop_free(loop->loop);
    buf_done(&loop->news);
    buf_done(&loop->over);
    buf_done(&loop->letter);
}

ServerLoops *server_loops_free(ServerLoops *loops)
{
    if (!loops)
        return NULL;
    loops->ending = true;
    for (unsigned i = 0; i < loops->count; i++)
        stop_loop(&loops->all[i]);
    mailbox_read(loops->news);
    for (unsigned i = 0; i < loops->count; i++)
        close_loop(&loops->all[i]);
    mailbox_free(loops->news);
    timer_free(loops->moving);
    return mem_free(loops);
}

void server_loops_say(const ServerLoops *loops)
{
    char line[160];

    for (unsigned i = 0; loops && i < loops->count; i++) {
        const ServerLoop *loop = &loops->all[i];
        snprintf(line, sizeof(line), "loop=%u games=%" PRIu64 " messages=%" PRIu64 " cpu_ms=%lld",
                 i + 1, atomic_load_explicit(&loop->games, memory_order_relaxed),
                 atomic_load_explicit(&loop->messages, memory_order_relaxed),
                 (long long)(thread_cpu(loop->thread) / 1000));
        loops->setup.note(loops->server, str_of(line));
    }
}
