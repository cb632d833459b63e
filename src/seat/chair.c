#include "seat/chair.h"

#include <assert.h>
#include <string.h>

#define LAST_LOOK_US 1000

/* ---- packets ---- */

void chair_send(Chair *chair, Str packet)
{
    if (!chair->link.kind)
        return;
    chair->counts.sent++;
    link_send(&chair->link, packet);
}

static void chair_send_buf(Chair *chair, const Buf *packet)
{
    if (!buf_failed(packet))
        chair_send(chair, buf_str(packet));
}

void chair_tell(Chair *chair, int request, const View *view)
{
    chair->day = view->day;
    buf_clear(chair->scratch);
    chair->manner->write_tell(chair->self, request, view, chair->scratch);
    chair_send_buf(chair, chair->scratch);
}

static void send_probe(Chair *chair)
{
    buf_clear(chair->scratch);
    chair->manner->write_probe(chair->self, chair->scratch);
    chair_send_buf(chair, chair->scratch);
}

/* ---- who sits there ---- */

static void await_answer(Chair *chair, const char *what, TimeUs allowed, TimeUs now)
{
    chair->what = what;
    chair->last_look = false;
    answer_clock_begin(&chair->clock, now, chair->patience->answer, allowed);
    chair->deadline = chair->patience->forgives ? chair->clock.due : now + allowed;
    link_stamp(&chair->link, now, now + chair->patience->answer);
}

void chair_open(Chair *chair, Link take_link, TimeUs now)
{
    chair->link = take_link;
    chair->state = CHAIR_PROBED;
    send_probe(chair);
    await_answer(chair, chair->manner->probe_name, chair->patience->startup, now);
}

void chair_seat(Chair *chair, Link take_link)
{
    chair->link = take_link;
    chair->shut = false;
}

void chair_take(Chair *chair, Chair *from)
{
    const ChairCounts counts = chair->counts;
    const Durations times = chair->times;
    AnswerTimes answers[ASK_COUNT];

    memcpy(answers, chair->answers, sizeof(answers));
    *chair = *from;
    chair->counts = counts;
    chair->times = times;
    memcpy(chair->answers, answers, sizeof(answers));
    *from = (Chair){.state = CHAIR_OUT};
}

void chair_close(Chair *chair)
{
    link_close(&chair->link);
}

/* ---- games ---- */

void chair_begin_game(Chair *chair)
{
    chair->games++;
}

void chair_forget(Chair *chair)
{
    chair->counts = (ChairCounts){0};
    chair->times = (Durations){0};
    memset(chair->answers, 0, sizeof(chair->answers));
}

void chair_record(const Chair *chair, SeatRecord *ret_record)
{
    const ChairCounts *counts = &chair->counts;

    ret_record->failed = chair->state == CHAIR_OUT;
    memcpy(ret_record->faults, counts->faults, sizeof(ret_record->faults));
    ret_record->excesses = counts->excesses;
    ret_record->excused = counts->excused;
    ret_record->waited_ms = (uint32_t)((counts->waited + 999) / 1000);
    ret_record->times = chair->times;
    memcpy(ret_record->answers, chair->answers, sizeof(ret_record->answers));
}

/* ---- faults, and the end of a request ---- */

static void note_fault(Chair *chair, FaultKind kind, bool fatal, Str bytes, TimeUs now,
                       ChairReport *report)
{
    bool open = chair->state == CHAIR_ASKED || chair->state == CHAIR_PROBED;

    report->at_fault = true;
    report->fault = (Fault){.kind = kind,
                            .fatal = fatal,
                            .day = chair->day,
                            .request = open ? chair->what : "",
                            .elapsed_us = open ? now - chair->clock.sent_at : 0,
                            .waited_us = open ? chair->clock.waited : 0,
                            .bytes = str_part(bytes, 0, FAULT_BYTES_MAX)};
    chair->counts.faults[kind]++;
}

static void count_excess(Chair *chair, TimeUs elapsed)
{
    TimeUs waited = chair->clock.waited;

    chair->counts.excesses++;
    chair->counts.excused += elapsed > chair->clock.allowed;
    chair->counts.waited += waited < elapsed ? waited : elapsed;
}

static void become_idle(Chair *chair)
{
    chair->state = CHAIR_IDLE;
    chair->asked = false;
}

static void take_answer(Chair *chair, TimeUs elapsed)
{
    durations_add(&chair->times, (uint64_t)elapsed);
    if (chair->asked)
        answer_times_add(&chair->answers[chair->kind], (uint64_t)elapsed);
    if (elapsed > chair->patience->answer)
        count_excess(chair, elapsed);
    chair->counts.answers++;
    chair->awake = true;
    become_idle(chair);
}

/* The request that is open comes to nothing. */
static void give_up_request(Chair *chair, TimeUs now, ChairReport *report)
{
    report->asked = chair->asked;
    report->answer = (Answer){.kind = chair->kind, .lapse = true};
    if (!chair->asked)
        return;
    chair->counts.failures++;
    if (chair->manner->probes && now - chair->clock.sent_at > chair->patience->answer)
        chair->counts.excesses++;
    chair->asked = false;
}

/* Nobody is there any more; for a while the seat is kept. */
static ChairCame leave(Chair *chair, FaultKind kind, Str bytes, TimeUs now, ChairReport *report)
{
    const Patience *patience = chair->patience;
    bool kept = patience->back > 0 && chair->returns < patience->returns;

    note_fault(chair, kind, !kept, bytes, now, report);
    give_up_request(chair, now, report);
    /* What is borrowed from the peer must outlive its end. */
    link_close(&chair->link);
    chair->state = kept ? CHAIR_AWAY : CHAIR_OUT;
    chair->deadline = now + patience->back;
    return kept ? CAME_AWAY : CAME_OUT;
}

ChairCame chair_lose(Chair *chair, FaultKind kind, Str bytes, TimeUs now, ChairReport *ret_report)
{
    *ret_report = (ChairReport){0};
    return chair_is_gone(chair) ? CAME_NOTHING : leave(chair, kind, bytes, now, ret_report);
}

ChairCame chair_shut(Chair *chair, TimeUs now, ChairReport *ret_report)
{
    *ret_report = (ChairReport){0};
    if (chair_is_gone(chair))
        return CAME_NOTHING;
    chair->shut = true;
    if (chair->state == CHAIR_IDLE && chair->games > 0)
        return CAME_NOTHING;
    return leave(chair, FAULT_DISCONNECT, STR(""), now, ret_report);
}

void chair_give_up(Chair *chair, FaultKind kind)
{
    chair->counts.faults[kind]++;
    link_close(&chair->link);
    chair->state = CHAIR_OUT;
    chair->asked = false;
}

void chair_return(Chair *chair)
{
    if (chair->state != CHAIR_AWAY)
        return;
    become_idle(chair);
    chair->counts.returned++;
    chair->returns++;
}

/* ---- time ---- */

TimeUs chair_deadline(const Chair *chair)
{
    return chair->state == CHAIR_IDLE || chair->state == CHAIR_OUT ? TIME_US_NEVER
                                                                   : chair->deadline;
}

/* Whether what it had to wait gives it more time. */
static bool has_more_time(Chair *chair, TimeUs now)
{
    RunQueueLook look;

    if (!chair->patience->forgives)
        return false;
    bool seen = link_look(&chair->link, &look);
    if (!answer_clock_has_more(&chair->clock, now, seen ? &look : NULL))
        return false;
    chair->last_look = false;
    chair->deadline = chair->clock.due;
    return true;
}

/* No answer has come. */
static ChairCame be_late(Chair *chair, TimeUs now, ChairReport *report)
{
    if (!chair->asked || !chair->manner->probes)
        return leave(chair, FAULT_TIMEOUT, STR(""), now, report);
    chair->state = CHAIR_PROBED;
    chair->deadline = now + chair->patience->probe;
    send_probe(chair);
    return CAME_NOTHING;
}

/* An answer, or the first name, is due: but first one looks, twice, what keeps it. */
static ChairCame answer_is_due(Chair *chair, TimeUs now, ChairReport *report)
{
    if (chair->early)
        return leave(chair, FAULT_EARLY, STR(""), now, report);
    if (chair->shut)
        return leave(chair, FAULT_DISCONNECT, STR(""), now, report);
    if (chair->patience->forgives && answer_clock_first_look(&chair->clock, now)) {
        link_watch(&chair->link);
        chair->deadline = chair->clock.due;
    } else if (!chair->last_look && link_has_input(&chair->link)) {
        chair->last_look = true; /* an answer may be there: when it came decides */
        chair->deadline = now + LAST_LOOK_US;
    } else if (!has_more_time(chair, now))
        return be_late(chair, now, report);
    return CAME_NOTHING;
}

ChairCame chair_due(Chair *chair, TimeUs now, ChairReport *ret_report)
{
    *ret_report = (ChairReport){0};
    if (now < chair_deadline(chair))
        return CAME_NOTHING;
    switch (chair->state) {
    case CHAIR_ASKED:
        return answer_is_due(chair, now, ret_report);
    case CHAIR_PROBED:
        return chair->asked ? leave(chair, FAULT_TIMEOUT, STR(""), now, ret_report)
                            : answer_is_due(chair, now, ret_report);
    case CHAIR_AWAY:
        chair->state = CHAIR_OUT;
        return CAME_OUT;
    case CHAIR_IDLE:
    case CHAIR_OUT:
        break;
    }
    return CAME_NOTHING;
}

/* ---- messages ---- */

/* Whether what is read now answers nothing: nobody asked, or it was on its way before the request
 * went out, or there is more of it. */
static bool is_early(const Chair *chair)
{
    uint64_t turn = link_turn(&chair->link);

    return chair->state == CHAIR_IDLE ||
           (chair->state == CHAIR_ASKED &&
            (chair->early || (turn != 0 && turn == chair->asked_turn))) ||
           link_has_more(&chair->link);
}

/* Whether an answer is too late. For one over the limit one looks what it had to wait. */
static bool is_too_late(Chair *chair, TimeUs elapsed, TimeUs now)
{
    RunQueueLook look;

    if (!chair->patience->forgives || elapsed <= chair->patience->answer)
        return false;
    bool seen = link_look(&chair->link, &look);
    answer_clock_see(&chair->clock, now, seen ? &look : NULL);
    return answer_clock_is_over(&chair->clock, elapsed);
}

static ChairCame hear_name(Chair *chair, Str text, TimeUs now, ChairReport *report)
{
    if (!chair->manner->is_probe_answer(chair->self, text))
        return CAME_STRAY;
    if (!chair->asked) {
        become_idle(chair);
        return CAME_NAME;
    }
    note_fault(chair, FAULT_TIMEOUT, false, STR(""), now, report);
    give_up_request(chair, now, report);
    become_idle(chair);
    return CAME_LAPSE;
}

static ChairCame hear_answer(Chair *chair, Str text, TimeUs elapsed, TimeUs now,
                             ChairReport *report)
{
    Reading reading = chair->manner->read_answer(chair->self, chair->kind, text, &report->answer);

    if (reading == READ_STRAY)
        return CAME_STRAY;
    report->asked = true;
    if (reading == READ_MALFORMED)
        note_fault(chair, FAULT_MALFORMED, false, text, now, report);
    take_answer(chair, elapsed);
    return CAME_ANSWER;
}

ChairCame chair_hear(Chair *chair, Str text, TimeUs at, TimeUs now, ChairReport *ret_report)
{
    /* By the kernel's stamp it may have come before the request went out. */
    TimeUs elapsed = at > chair->clock.sent_at ? at - chair->clock.sent_at : 0;

    *ret_report = (ChairReport){0};
    if (chair_is_gone(chair))
        return CAME_NOTHING;
    chair->returns = 0;
    if (chair->manner->strays_fail && is_early(chair))
        return leave(chair, FAULT_EARLY, text, now, ret_report);
    if (chair->state == CHAIR_IDLE)
        return CAME_STRAY;
    if (is_too_late(chair, elapsed, now))
        return leave(chair, FAULT_TIMEOUT, text, now, ret_report);
    return chair->state == CHAIR_PROBED ? hear_name(chair, text, now, ret_report)
                                        : hear_answer(chair, text, elapsed, now, ret_report);
}

/* ---- requests ---- */

/* For the next answer, grace included. */
static TimeUs time_allowed(const Chair *chair)
{
    const Patience *patience = chair->patience;
    bool first = chair->games == 1 && patience->first_game_grace > patience->grace;
    TimeUs time = patience->answer + (first ? patience->first_game_grace : patience->grace);

    return !chair->awake && time < patience->startup ? patience->startup : time;
}

static void begin_request(Chair *chair, AskKind kind, uint16_t day)
{
    chair->state = CHAIR_ASKED;
    chair->asked = true;
    chair->kind = kind;
    chair->day = day;
    chair->early = chair->manner->strays_fail && link_has_more(&chair->link);
    chair->asked_turn = link_turn(&chair->link);
    chair->counts.requests++;
}

/* It was sent, unless it comes to nothing. */
static void await_request(Chair *chair, TimeUs now)
{
    await_answer(chair, chair->manner->ask_name(chair->kind), time_allowed(chair), now);
    if (chair->early || chair->shut)
        chair->deadline = now;
}

void chair_ask(Chair *chair, const Ask *ask, const View *view, TimeUs now)
{
    if (chair_is_gone(chair))
        return;
    begin_request(chair, ask->kind, view->day);
    if (!chair->early) {
        buf_clear(chair->request);
        chair->manner->write_ask(chair->self, ask, view, chair->request);
        chair_send_buf(chair, chair->request);
    }
    await_request(chair, now);
}

void chair_ask_again(Chair *chair, AskKind kind, uint16_t day, Str packet, TimeUs now)
{
    if (chair_is_gone(chair))
        return;
    begin_request(chair, kind, day);
    if (!chair->early)
        chair_send(chair, packet);
    await_request(chair, now);
}

void chair_check(const Chair *chair)
{
    assert(chair->asked || chair->state != CHAIR_ASKED);
    assert(!chair->asked || chair->state == CHAIR_ASKED || chair->state == CHAIR_PROBED);
    assert(!chair->link.kind || !chair_is_gone(chair));
    assert((chair_deadline(chair) == TIME_US_NEVER) ==
           (chair->state == CHAIR_IDLE || chair->state == CHAIR_OUT));
}
