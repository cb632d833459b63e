/* What benches tell the hall, and games that go to another bench and come home. */
#include "nlp/hall_state.h"
#include "record/live_letter.h"

static void keep_last(Buf *last, Str packet)
{
    buf_clear(last);
    buf_add(last, packet);
}

static void hear_broadcast(NlpHall *hall, Running *running, Str packet, Str masked)
{
    const NlpHallOut *out = &hall->setup.out;

    if (!out->broadcast)
        return;
    out->broadcast(out->user, str_of(running->id), packet, masked);
    if (packet.len)
        keep_last(&running->last, packet);
    if (masked.len)
        keep_last(&running->last_masked, masked);
}

static bool hear_utterance(const NlpHall *hall, const News *news)
{
    const Running *running = news->running;
    const NlpHallOut *out = &hall->setup.out;

    return out->utterance &&
           out->utterance(out->user, str_of(running->id),
                          nlp_table_profile(running->table, news->seat), news->text);
}

static void hear_live(const NlpHall *hall, Str letter)
{
    while (hall->setup.live && live_letter_tell(&letter, hall->setup.live, 0))
        ;
}

static void hear_fault(NlpHall *hall, const Running *running, const Fault *fault, TimeUs now)
{
    const LiveSink *live = hall->setup.live;
    Fault told = *fault;

    if (running->away_at >= 0) /* what came was on another loop, and is gone */
        told.bytes = STR("");
    if (live && live->fault)
        live->fault(live->user, str_of(running->id), &told, now);
    if (hall->setup.results)
        result_journal_fault(hall->setup.results, running->result,
                             running->look.seats[fault->seat].original, fault);
}

/* From the hall's own bench, or from another one. For an utterance: whether the game has to wait.
 */
static bool hear_news(NlpHall *hall, const News *news, TimeUs now)
{
    Running *running = news->running;

    switch (news->kind) {
    case NEWS_NOTE:
        hall_note(hall, news->text);
        break;
    case NEWS_BROADCAST:
        hear_broadcast(hall, running, news->text, news->masked);
        break;
    case NEWS_UTTERANCE:
        return hear_utterance(hall, news);
    case NEWS_FAULT:
        hear_fault(hall, running, &news->fault, now);
        break;
    case NEWS_LIVE:
        hear_live(hall, news->text);
        break;
    case NEWS_LOST:
        hall->counts.open--;
        hall_lose_agent(news->agent);
        break;
    case NEWS_AWAY:
        hall_take_back(hall, running, now);
        break;
    case NEWS_BACK:
        running->returning &= ~seat_bit(news->seat);
        break;
    case NEWS_REFUSED:
        hall_readmit(hall, news->agent, now);
        break;
    case NEWS_OVER:
        hall_end_game(hall, running, now);
        break;
    }
    return false;
}

/* The hall's own bench: what it tells is heard at once. */
bool hall_hear_own(void *user, const News *news)
{
    return hear_news(user, news, news->at);
}

static bool is_running(const NlpHall *hall, const Running *running)
{
    const Running *at = hall->running;

    while (at && at != running)
        at = at->next;
    return at != NULL;
}

/* The game is the hall's again. */
static void take_home(NlpHall *hall, Running *running)
{
    hall->bench_seats[running->away_at] -= running->count;
    running->away_at = -1;
    running->bench = hall->bench;
    nlp_table_settle(running->table, bench_scratch(hall->bench), bench_clock(hall->bench));
}

void nlp_hall_hear(NlpHall *hall, const News *news, TimeUs now)
{
    if (news->kind == NEWS_OVER)
        take_home(hall, news->running);
    else if (news->kind == NEWS_REFUSED && is_running(hall, news->running))
        news->running->returning &= ~seat_bit(news->seat);
    if (!hear_news(hall, news, now) && news->kind == NEWS_UTTERANCE)
        hall_give_task(hall, &(Task){.kind = TASK_GO_ON, .running = news->running}, now);
}

/* The one with the fewest seats; of several the one that had the fewest so far. */
static unsigned choose_bench(const NlpHall *hall)
{
    unsigned best = 0;

    for (unsigned i = 1; i < hall->setup.benches; i++)
        if (hall->bench_seats[i] < hall->bench_seats[best] ||
            (hall->bench_seats[i] == hall->bench_seats[best] &&
             hall->bench_all[i] < hall->bench_all[best]))
            best = i;
    return best;
}

static void move_game(NlpHall *hall, Running *running, TimeUs now)
{
    unsigned to = choose_bench(hall);

    hall->bench_seats[to] += running->count;
    hall->bench_all[to] += running->count;
    running->moving = false;
    bench_drop(running);
    running->away_at = (int)to;
    hall_give_task(hall, &(Task){.kind = TASK_TAKE, .running = running}, now);
}

void nlp_hall_move(NlpHall *hall, TimeUs now)
{
    hall->moves_due = false;
    for (Running *running = hall->running; running; running = running->next)
        if (running->moving)
            move_game(hall, running, now);
    while (hall->returning.first) {
        NlpAgent *agent = hall->returning.first;
        agent_list_drop(&hall->returning, agent);
        hall_send_back(hall, agent, now);
    }
}
