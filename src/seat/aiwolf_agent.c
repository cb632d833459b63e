#include "seat/aiwolf_agent.h"

#include "base/mem.h"
#include "seat/answer_clock.h"

#define LAST_LOOK_US   1000
#define NAME_BYTES_MAX 1024 /* kept of a name, as long as the connection is open */

typedef enum AgentState {
    AGENT_NEW,
    AGENT_READY,
    AGENT_ASKED,
    AGENT_FAILED,
} AgentState;

struct AiwolfAgent {
    Link link; /* leads nowhere once FAILED */
    AgentState state;
    AiwolfAgentLimits limits;
    AiwolfAgentEvents events;
    void *user;
    Buf *scratch; /* borrowed: packets are built here */
    Buf name;
    Buf text; /* of the last utterance, when its bytes had to be changed */
    AiwolfCursor cursor;
    bool answered_once;  /* the interpreter behind it is awake */
    bool early;          /* bytes came before the open request: they answer nothing */
    uint64_t asked_turn; /* of the loop, in which the request went out */
    bool late;           /* the time was up, but bytes were there: one look more */
    bool shut;           /* it has ended its side: it can't answer any more, but may read */
    uint32_t games;      /* begun */

    /* ASKED (and NEW, for NAME) */
    AiwolfRequest request;
    AskKind kind;
    uint16_t day;
    AnswerClock clock;
    TimeUs deadline; /* when aiwolf_agent_due has to be called */

    Durations times;
    AiwolfAgentExcesses excesses;
};

static void send_packet(AiwolfAgent *agent, AiwolfRequest request, bool revote, const View *view)
{
    buf_clear(agent->scratch);
    aiwolf_packet_write(request, revote, view, &agent->cursor, agent->scratch);
    if (!buf_failed(agent->scratch))
        link_send(&agent->link, buf_str(agent->scratch));
}

static void wait_for_answer(AiwolfAgent *agent, AiwolfRequest request, TimeUs limit, TimeUs now)
{
    agent->request = request;
    agent->late = false;
    answer_clock_begin(&agent->clock, now, agent->limits.answer, limit);
    agent->deadline = agent->clock.due;
    link_stamp(&agent->link, now, now + agent->limits.answer);
}

int aiwolf_agent_new(const AiwolfAgentLimits *limits, const AiwolfAgentEvents *events, void *user,
                     Buf *scratch, AiwolfAgent **ret_agent, Err *err)
{
    AiwolfAgent *agent = mem_new(sizeof(*agent));

    if (!agent)
        return err_set(err, ERR_MEMORY, "new agent: out of memory");
    agent->scratch = scratch;
    agent->limits = *limits;
    aiwolf_agent_attach(agent, events, user);
    *ret_agent = agent;
    return 0;
}

void aiwolf_agent_open(AiwolfAgent *agent, Link take_link, TimeUs now)
{
    agent->link = take_link;
    send_packet(agent, AIWOLF_NAME, false, NULL);
    wait_for_answer(agent, AIWOLF_NAME, agent->limits.startup, now);
}

AiwolfAgent *aiwolf_agent_free(AiwolfAgent *agent)
{
    if (!agent)
        return NULL;
    link_close(&agent->link);
    buf_done(&agent->name);
    buf_done(&agent->text);
    return mem_free(agent);
}

void aiwolf_agent_attach(AiwolfAgent *agent, const AiwolfAgentEvents *events, void *user)
{
    agent->events = *events;
    agent->user = user;
}

void aiwolf_agent_join(AiwolfAgent *agent, AiwolfDayText *day_text)
{
    agent->cursor.day_text = day_text;
}

/* ---- faults ---- */

static Fault fault_of(const AiwolfAgent *agent, FaultKind kind, bool fatal, Str bytes, TimeUs now)
{
    bool open = agent->state == AGENT_ASKED || agent->state == AGENT_NEW;

    return (Fault){.kind = kind,
                   .fatal = fatal,
                   .day = agent->day,
                   .request = open ? aiwolf_request_name(agent->request) : "",
                   .elapsed_us = open ? now - agent->clock.sent_at : 0,
                   .waited_us = open ? agent->clock.waited : 0,
                   .bytes = str_part(bytes, 0, FAULT_BYTES_MAX)};
}

void aiwolf_agent_fail(AiwolfAgent *agent, FaultKind kind, Str bytes, TimeUs now)
{
    if (agent->state == AGENT_FAILED)
        return;
    const Fault fault = fault_of(agent, kind, true, bytes, now);
    /* What is borrowed from the peer must outlive its end. */
    link_close(&agent->link);
    agent->state = AGENT_FAILED;
    agent->events.failed(agent->user, &fault);
}

static void on_lost(void *user, FaultKind kind, Str bytes, TimeUs now)
{
    aiwolf_agent_fail(user, kind, bytes, now);
}

/* It will not answer any more. In a game that is no fault until it is asked (spec 6.2): it may have
 * given its last answer. */
static void on_shut(void *user, TimeUs now)
{
    AiwolfAgent *agent = user;

    agent->shut = true;
    if (agent->state != AGENT_READY || agent->games == 0)
        aiwolf_agent_fail(agent, FAULT_DISCONNECT, STR(""), now);
}

TimeUs aiwolf_agent_deadline(const AiwolfAgent *agent)
{
    return agent->state == AGENT_NEW || agent->state == AGENT_ASKED ? agent->deadline
                                                                    : TIME_US_NEVER;
}

/* Its time is up, unless it had to wait. */
static void time_is_up(AiwolfAgent *agent, TimeUs now)
{
    RunQueueLook look;
    bool seen = link_look(&agent->link, &look);

    if (answer_clock_has_more(&agent->clock, now, seen ? &look : NULL)) {
        agent->late = false;
        agent->deadline = agent->clock.due;
    } else
        aiwolf_agent_fail(agent, FAULT_TIMEOUT, STR(""), now);
}

void aiwolf_agent_due(AiwolfAgent *agent, TimeUs now)
{
    if (now < aiwolf_agent_deadline(agent))
        return;
    if (agent->early)
        aiwolf_agent_fail(agent, FAULT_EARLY, STR(""), now);
    else if (agent->shut)
        aiwolf_agent_fail(agent, FAULT_DISCONNECT, STR(""), now);
    else if (answer_clock_first_look(&agent->clock, now)) {
        link_watch(&agent->link);
        agent->deadline = agent->clock.due;
    } else if (!agent->late && link_has_input(&agent->link)) {
        agent->late = true; /* an answer may be there: when it came decides */
        agent->deadline = now + LAST_LOOK_US;
    } else
        time_is_up(agent, now);
}

/* ---- answers ---- */

static void take_name(AiwolfAgent *agent, Str line)
{
    buf_add(&agent->name, str_part(line, 0, NAME_BYTES_MAX));
    agent->state = AGENT_READY;
    agent->events.named(agent->user);
}

/* The request went out. A message may have come before it, by the kernel's stamp. */
static TimeUs time_since(const AiwolfAgent *agent, TimeUs at)
{
    TimeUs sent_at = agent->clock.sent_at;

    return at > sent_at ? at - sent_at : 0;
}

/* An answer over the limit that is taken. */
static void count_excess(AiwolfAgent *agent, TimeUs elapsed)
{
    TimeUs waited = agent->clock.waited;

    agent->excesses.count++;
    agent->excesses.excused += elapsed > agent->clock.allowed;
    agent->excesses.waited += waited < elapsed ? waited : elapsed;
}

static void take_answer(AiwolfAgent *agent, Str line, TimeUs at, TimeUs now)
{
    TimeUs elapsed = time_since(agent, at);
    Answer answer;

    durations_add(&agent->times, (uint64_t)elapsed);
    if (elapsed > agent->limits.answer)
        count_excess(agent, elapsed);
    agent->answered_once = true;
    if (!aiwolf_answer_read(agent->kind, line, &agent->text, &answer)) {
        const Fault fault = fault_of(agent, FAULT_MALFORMED, false, line, now);
        agent->events.counted(agent->user, &fault);
    }
    agent->state = AGENT_READY;
    agent->events.answered(agent->user, &answer, at);
}

/* Whether what is read now was on its way before the request went out: it answers nothing. */
static bool came_before(const AiwolfAgent *agent)
{
    uint64_t turn = link_turn(&agent->link);

    return agent->state == AGENT_ASKED &&
           (agent->early || (turn != 0 && turn == agent->asked_turn));
}

/* Whether an answer is too late. For one over the limit one looks what it had to wait. */
static bool is_too_late(AiwolfAgent *agent, TimeUs elapsed, TimeUs now)
{
    RunQueueLook look;

    if (elapsed <= agent->limits.answer)
        return false;
    bool seen = link_look(&agent->link, &look);
    answer_clock_see(&agent->clock, now, seen ? &look : NULL);
    return answer_clock_is_over(&agent->clock, elapsed);
}

static void on_heard(void *user, Str line, TimeUs at, TimeUs now)
{
    AiwolfAgent *agent = user;

    if (agent->state == AGENT_READY || came_before(agent) || link_has_more(&agent->link))
        aiwolf_agent_fail(agent, FAULT_EARLY, line, now);
    else if (is_too_late(agent, time_since(agent, at), now))
        aiwolf_agent_fail(agent, FAULT_TIMEOUT, line, now);
    else if (agent->state == AGENT_NEW)
        take_name(agent, line);
    else
        take_answer(agent, line, at, now);
}

const LinkEars aiwolf_agent_ears = {.heard = on_heard, .shut = on_shut, .lost = on_lost};

/* ---- requests ---- */

/* Of the next answer, grace included. */
static TimeUs time_allowed(const AiwolfAgent *agent)
{
    const AiwolfAgentLimits *limits = &agent->limits;
    bool first = agent->games == 1 && limits->first_game_grace > limits->grace;
    TimeUs limit = limits->answer + (first ? limits->first_game_grace : limits->grace);

    return !agent->answered_once && limit < limits->startup ? limits->startup : limit;
}

void aiwolf_agent_ask(AiwolfAgent *agent, const Ask *ask, const View *view, TimeUs now)
{
    if (agent->state == AGENT_FAILED)
        return;
    agent->state = AGENT_ASKED;
    agent->kind = ask->kind;
    agent->day = view->day;
    agent->early = link_has_more(&agent->link);
    agent->asked_turn = link_turn(&agent->link);
    if (!agent->early)
        send_packet(agent, aiwolf_request_of_ask(ask->kind), ask->revote, view);
    wait_for_answer(agent, aiwolf_request_of_ask(ask->kind), time_allowed(agent), now);
    if (agent->early || agent->shut)
        agent->deadline = now;
}

void aiwolf_agent_tell(AiwolfAgent *agent, AiwolfRequest request, const View *view)
{
    if (agent->state == AGENT_FAILED)
        return;
    agent->day = view->day;
    send_packet(agent, request, false, view);
}

/* ---- reading ---- */

Str aiwolf_agent_name(const AiwolfAgent *agent)
{
    return buf_str(&agent->name);
}

bool aiwolf_agent_failed(const AiwolfAgent *agent)
{
    return agent->state == AGENT_FAILED;
}

const Durations *aiwolf_agent_times(const AiwolfAgent *agent)
{
    return &agent->times;
}

const AiwolfAgentExcesses *aiwolf_agent_excesses(const AiwolfAgent *agent)
{
    return &agent->excesses;
}

void aiwolf_agent_begin_game(AiwolfAgent *agent, int64_t told_seed)
{
    agent->cursor.told_seed = told_seed;
    agent->games++;
    agent->times = (Durations){0};
    agent->excesses = (AiwolfAgentExcesses){0};
}
