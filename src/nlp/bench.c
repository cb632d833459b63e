#include "nlp/hall_state.h"
#include "record/live_letter.h"

#define ON_NO_BENCH SIZE_MAX

struct Bench {
    BenchOut out;
    TableScratch scratch; /* of all tables */
    LiveLetter letter;    /* what is told next */
    int64_t unix_ms_at_zero;
    Running **heap; /* the earliest deadline first */
    size_t heap_count;
    size_t heap_room;
};

/* ---- what tables say ---- */

static bool tell_news(const Running *running, const News *news)
{
    const BenchOut *out = &running->bench->out;

    return out->tell(out->user, news);
}

static void send_text(void *peer, Str text)
{
    const NlpAgent *agent = peer;

    agent->running->bench->out.send(agent->peer, text);
}

static void drop_agent(void *peer, NlpClose code, const char *reason)
{
    NlpAgent *agent = peer;
    Running *running = agent->running;

    running->bench->out.close(agent->peer, code, reason);
    tell_news(running, &(News){.kind = NEWS_LOST, .running = running, .agent = agent});
}

static void note_line(void *user, Str line)
{
    Running *running = user;

    tell_news(running, &(News){.kind = NEWS_NOTE, .running = running, .text = line});
}

static void on_broadcast(void *user, NlpTable *table, Str packet, Str masked)
{
    Running *running = user;

    (void)table;
    tell_news(
        running,
        &(News){.kind = NEWS_BROADCAST, .running = running, .text = packet, .masked = masked});
}

static bool on_utterance(void *user, NlpTable *table, SeatNo seat, Str text)
{
    Running *running = user;

    (void)table;
    return tell_news(
        running, &(News){.kind = NEWS_UTTERANCE, .running = running, .seat = seat, .text = text});
}

static void on_fault(void *user, NlpTable *table, const Fault *fault)
{
    Running *running = user;

    (void)table;
    tell_news(running, &(News){.kind = NEWS_FAULT, .running = running, .fault = *fault});
}

/* Without memory it is missed. */
static void tell_live(Running *running, TimeUs now)
{
    LiveLetter *letter = &running->bench->letter;

    if (!buf_failed(&letter->bytes))
        tell_news(running, &(News){.kind = NEWS_LIVE,
                                   .running = running,
                                   .at = now,
                                   .text = buf_str(&letter->bytes)});
    buf_clear(&letter->bytes);
    letter->bytes.failed = false;
}

static void on_heard(void *user, const Event *event, TimeUs now)
{
    Running *running = user;
    LiveLetter *letter = &running->bench->letter;

    live_letter_sink(letter).heard(letter, str_of(running->id), event, now);
    tell_live(running, now);
}

static void on_asked(void *user, SeatNo seat, TimeUs now)
{
    Running *running = user;
    LiveLetter *letter = &running->bench->letter;

    live_letter_sink(letter).asked(letter, str_of(running->id), seat, now);
    tell_live(running, now);
}

static void on_paused(void *user, bool paused, Action action, TimeUs until, TimeUs now)
{
    Running *running = user;
    LiveLetter *letter = &running->bench->letter;

    live_letter_sink(letter).clock(letter, str_of(running->id), action, until, paused, now);
    tell_live(running, now);
}

TableOut bench_table_out(Running *running)
{
    const bool watched = running->hall->setup.live != NULL;

    return (TableOut){.send = send_text,
                      .drop = drop_agent,
                      .note = note_line,
                      .broadcast = on_broadcast,
                      .utterance = on_utterance,
                      .fault = on_fault,
                      .heard = watched ? on_heard : NULL,
                      .asked = watched ? on_asked : NULL,
                      .paused = watched ? on_paused : NULL,
                      .user = running};
}

TableScratch *bench_scratch(Bench *bench)
{
    return &bench->scratch;
}

const int64_t *bench_clock(const Bench *bench)
{
    return &bench->unix_ms_at_zero;
}

/* ---- a heap of running games, the earliest deadline first ---- */

static void heap_put(Bench *bench, size_t at, Running *running)
{
    bench->heap[at] = running;
    running->heap_at = at;
}

static void heap_sift(Bench *bench, Running *running)
{
    size_t at = running->heap_at;

    while (at > 0 && bench->heap[(at - 1) / 2]->deadline > running->deadline) {
        heap_put(bench, at, bench->heap[(at - 1) / 2]);
        at = (at - 1) / 2;
    }
    while (2 * at + 1 < bench->heap_count) {
        size_t child = 2 * at + 1;
        if (child + 1 < bench->heap_count &&
            bench->heap[child + 1]->deadline < bench->heap[child]->deadline)
            child++;
        if (bench->heap[child]->deadline >= running->deadline)
            break;
        heap_put(bench, at, bench->heap[child]);
        at = child;
    }
    heap_put(bench, at, running);
}

void bench_drop(Running *running)
{
    Bench *bench = running->bench;
    Running *last = bench->heap[--bench->heap_count];
    size_t at = running->heap_at;

    running->heap_at = ON_NO_BENCH;
    if (last == running)
        return;
    heap_put(bench, at, last);
    heap_sift(bench, last);
}

bool bench_add(Bench *bench, Running *running)
{
    if (bench->heap_count == bench->heap_room) {
        size_t room = bench->heap_room ? 2 * bench->heap_room : 16;
        Running **heap = mem_resize(bench->heap, room, sizeof(void *));
        if (!heap)
            return false;
        bench->heap = heap;
        bench->heap_room = room;
    }
    running->bench = bench;
    running->deadline = TIME_US_NEVER;
    heap_put(bench, bench->heap_count++, running);
    return true;
}

/* ---- what the hall may look at ---- */

static void show_state(Running *running)
{
    Shown *shown = &running->shown;
    SeatSet away = 0, errored = 0, alive = 0, told_alive = 0;
    NlpGame game;

    nlp_table_look(running->table, &game);
    for (SeatNo seat = 1; seat <= game.seat_count; seat++) {
        const NlpSeatStatus *status = &game.seats[seat];
        if (nlp_table_is_away(running->table, seat, status->original))
            away |= seat_bit(seat);
        errored |= status->errored ? seat_bit(seat) : 0;
        alive |= status->alive ? seat_bit(seat) : 0;
        told_alive |= status->told_alive ? seat_bit(seat) : 0;
    }
    atomic_store_explicit(&shown->away, away, memory_order_relaxed);
    atomic_store_explicit(&shown->errored, errored, memory_order_relaxed);
    atomic_store_explicit(&shown->alive, alive, memory_order_relaxed);
    atomic_store_explicit(&shown->told_alive, told_alive, memory_order_relaxed);
    atomic_store_explicit(&shown->day, game.day, memory_order_relaxed);
    atomic_store_explicit(&shown->aborted, game.aborted, memory_order_relaxed);
}

static void show_counts(Running *running)
{
    Shown *shown = &running->shown;
    uint64_t requests = 0, replies = 0, failures = 0, late = 0;

    for (SeatNo seat = 1; seat <= running->count; seat++) {
        const ChairCounts *done = &nlp_table_chair(running->table, seat)->counts;
        requests += done->sent;
        replies += done->answers;
        failures += done->failures;
        late += done->strays;
    }
    atomic_store_explicit(&shown->requests, requests, memory_order_relaxed);
    atomic_store_explicit(&shown->replies, replies, memory_order_relaxed);
    atomic_store_explicit(&shown->failures, failures, memory_order_relaxed);
    atomic_store_explicit(&shown->late, late, memory_order_relaxed);
}

/* ---- playing ---- */

/* Something happened at this table. The game may be gone behind it. */
void bench_touch(Running *running, TimeUs now)
{
    if (running->heap_at == ON_NO_BENCH) /* it is over, and on its way to the hall */
        return;
    if (nlp_table_over(running->table)) {
        bench_drop(running);
        tell_news(running, &(News){.kind = NEWS_OVER, .running = running, .at = now});
        return;
    }
    show_state(running);
    show_counts(running);
    running->deadline = nlp_table_deadline(running->table);
    heap_sift(running->bench, running);
    if (atomic_load_explicit(&running->shown.away, memory_order_relaxed))
        tell_news(running, &(News){.kind = NEWS_AWAY, .running = running, .at = now});
}

void bench_message(NlpAgent *agent, Str text, TimeUs now)
{
    Running *running = agent->running; /* the agent may be gone behind nlp_table_message */

    nlp_table_message(running->table, agent->seat, text, now);
    bench_touch(running, now);
}

void bench_lost(NlpAgent *agent, TimeUs now)
{
    Running *running = agent->running;
    SeatNo seat = agent->seat;

    tell_news(running, &(News){.kind = NEWS_LOST, .running = running, .agent = agent, .at = now});
    nlp_table_gone(running->table, seat, now);
    bench_touch(running, now);
}

void bench_tick(Bench *bench, TimeUs now)
{
    while (bench->heap_count && bench->heap[0]->deadline <= now) {
        Running *running = bench->heap[0];
        nlp_table_tick(running->table, now);
        bench_touch(running, now);
    }
}

TimeUs bench_deadline(const Bench *bench)
{
    return bench->heap_count ? bench->heap[0]->deadline : TIME_US_NEVER;
}

/* ---- what the hall wants ---- */

static bool is_here(const Bench *bench, const Running *running)
{
    for (size_t i = 0; i < bench->heap_count; i++)
        if (bench->heap[i] == running)
            return true;
    return false;
}

static void take_game(Bench *bench, Running *running, TimeUs now)
{
    running->bench = bench;
    nlp_table_settle(running->table, &bench->scratch, &bench->unix_ms_at_zero);
    if (bench_add(bench, running)) {
        bench_touch(running, now);
        return;
    }
    nlp_table_abort(running->table, now);
    tell_news(running, &(News){.kind = NEWS_OVER, .running = running, .at = now});
}

static void take_back(Bench *bench, const Task *task, TimeUs now)
{
    Running *running = task->running;
    News news = {
        .kind = NEWS_BACK, .running = running, .agent = task->agent, .seat = task->seat, .at = now};

    if (!is_here(bench, running) ||
        !nlp_table_rejoin(running->table, task->seat, task->agent, now)) {
        news.kind = NEWS_REFUSED;
        bench->out.tell(bench->out.user, &news);
        return;
    }
    tell_news(running, &news);
    bench_touch(running, now);
}

/* As if it had been lost. */
static void close_seat(Bench *bench, const Task *task, TimeUs now)
{
    NlpAgent *agent =
        is_here(bench, task->running) ? bench_seated(task->running, task->seat) : NULL;

    if (!agent)
        return;
    bench->out.close(agent->peer, CLOSE_BY_OPERATOR, "disconnected by the operator");
    bench_lost(agent, now);
}

void bench_do(Bench *bench, const Task *task, TimeUs now)
{
    switch (task->kind) {
    case TASK_TAKE:
        take_game(bench, task->running, now);
        break;
    case TASK_REJOIN:
        take_back(bench, task, now);
        break;
    case TASK_GO_ON:
        if (is_here(bench, task->running)) {
            nlp_table_go_on(task->running->table, now);
            bench_touch(task->running, now);
        }
        break;
    case TASK_ABORT:
        if (is_here(bench, task->running)) {
            nlp_table_abort(task->running->table, now);
            bench_touch(task->running, now);
        }
        break;
    case TASK_CLOSE:
        close_seat(bench, task, now);
        break;
    case TASK_CLOCK:
        bench->unix_ms_at_zero = task->unix_ms_at_zero;
        break;
    }
}

SeatNo bench_seat_count(const Running *running)
{
    return running->count;
}

NlpAgent *bench_seated(const Running *running, SeatNo seat)
{
    return nlp_table_peer(running->table, seat);
}

void *bench_peer(const NlpAgent *agent)
{
    return agent->peer;
}

/* ---- life ---- */

int bench_new(const BenchOut *out, int64_t unix_ms_at_zero, Bench **ret_bench, Err *err)
{
    Bench *bench = mem_new(sizeof(*bench));

    if (!bench)
        return err_set(err, ERR_MEMORY, "new server: out of memory");
    bench->out = *out;
    bench->unix_ms_at_zero = unix_ms_at_zero;
    *ret_bench = bench;
    return 0;
}

Bench *bench_free(Bench *bench)
{
    if (!bench)
        return NULL;
    nlp_table_scratch_done(&bench->scratch);
    buf_done(&bench->letter.bytes);
    mem_free(bench->heap);
    return mem_free(bench);
}
