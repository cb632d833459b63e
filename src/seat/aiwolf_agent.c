#include "seat/aiwolf_agent.h"

#include "base/mem.h"
#include "seat/patience.h"

#define LAST_LOOK_US   1000
#define NAME_BYTES_MAX 1024 /* kept of a name, as long as the connection is open */

typedef enum AgentState {
    AGENT_NEW,
    AGENT_READY,
    AGENT_ASKED,
    AGENT_FAILED,
} AgentState;

struct AiwolfAgent {
    Conn *conn; /* NULL once FAILED */
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
    RunQueue *queue;     /* of the program behind it; NULL = not known */

    /* ASKED (and NEW, for NAME) */
    AiwolfRequest request;
    AskKind kind;
    uint16_t day;
    Patience patience;
    TimeUs deadline; /* when aiwolf_agent_due has to be called */

    Durations times;
    AiwolfAgentExcesses excesses;
};

static const ConnEvents conn_events;

static void send_packet(AiwolfAgent *agent, AiwolfRequest request, bool revote, const View *view)
{
    buf_clear(agent->scratch);
    aiwolf_packet_write(request, revote, view, &agent->cursor, agent->scratch);
    if (!buf_failed(agent->scratch))
        conn_send(agent->conn, buf_str(agent->scratch));
}

static void wait_for_answer(AiwolfAgent *agent, AiwolfRequest request, TimeUs limit)
{
    agent->request = request;
    agent->late = false;
    patience_begin(&agent->patience, loop_now(), agent->limits.answer, limit);
    agent->deadline = agent->patience.due;
    conn_stamp(agent->conn, agent->patience.sent_at,
               agent->patience.sent_at + agent->limits.answer);
}

int aiwolf_agent_new(Conn *take_conn, const AiwolfAgentLimits *limits,
                     const AiwolfAgentEvents *events, void *user, Buf *scratch,
                     AiwolfAgent **ret_agent, Err *err)
{
    AiwolfAgent *agent = mem_new(sizeof(*agent));

    if (!agent) {
        conn_close(take_conn);
        return err_set(err, ERR_MEMORY, "new agent: out of memory");
    }
    agent->conn = take_conn;
    agent->scratch = scratch;
    agent->limits = *limits;
    aiwolf_agent_attach(agent, events, user);
    conn_attach(agent->conn, &conn_events, agent, &limits->conn);
    send_packet(agent, AIWOLF_NAME, false, NULL);
    wait_for_answer(agent, AIWOLF_NAME, limits->startup);
    *ret_agent = agent;
    return 0;
}

AiwolfAgent *aiwolf_agent_free(AiwolfAgent *agent)
{
    if (!agent)
        return NULL;
    conn_close(agent->conn);
    buf_done(&agent->name);
    buf_done(&agent->text);
    run_queue_free(agent->queue);
    return mem_free(agent);
}

void aiwolf_agent_attach(AiwolfAgent *agent, const AiwolfAgentEvents *events, void *user)
{
    agent->events = *events;
    agent->user = user;
}

void aiwolf_agent_watch(AiwolfAgent *agent, int pid)
{
    run_queue_free(agent->queue);
    agent->queue = run_queue_new(pid);
}

void aiwolf_agent_join(AiwolfAgent *agent, AiwolfDayText *day_text)
{
    agent->cursor.day_text = day_text;
}

/* ---- faults ---- */

static Fault fault_of(const AiwolfAgent *agent, FaultKind kind, bool fatal, Str bytes)
{
    bool open = agent->state == AGENT_ASKED || agent->state == AGENT_NEW;

    return (Fault){.kind = kind,
                   .fatal = fatal,
                   .day = agent->day,
                   .request = open ? aiwolf_request_name(agent->request) : "",
                   .elapsed_us = open ? loop_now() - agent->patience.sent_at : 0,
                   .waited_us = open ? agent->patience.waited : 0,
                   .bytes = str_part(bytes, 0, FAULT_BYTES_MAX)};
}

void aiwolf_agent_fail(AiwolfAgent *agent, FaultKind kind, Str bytes)
{
    if (agent->state == AGENT_FAILED)
        return;
    const Fault fault = fault_of(agent, kind, true, bytes);
    /* What is borrowed from the connection must outlive its end. */
    agent->conn = conn_close(agent->conn);
    agent->state = AGENT_FAILED;
    agent->events.failed(agent->user, &fault);
}

static void on_ended(void *user, ConnEnd how, Str partial)
{
    AiwolfAgent *agent = user;

    agent->conn = NULL; /* it is closed already */
    switch (how) {
    case CONN_LONG:
        aiwolf_agent_fail(agent, FAULT_MALFORMED, partial);
        return;
    case CONN_STUCK:
        aiwolf_agent_fail(agent, FAULT_TIMEOUT, STR("it does not read what it is sent"));
        return;
    case CONN_CLOSED:
    case CONN_RESET:
    case CONN_NO_MEMORY:
        aiwolf_agent_fail(agent, FAULT_DISCONNECT, partial);
        return;
    }
}

/* It will not answer any more. In a game that is no fault until it is asked (spec 6.2): it may have
 * given its last answer. */
static void on_shut(void *user)
{
    AiwolfAgent *agent = user;

    agent->shut = true;
    if (agent->state != AGENT_READY || agent->games == 0)
        aiwolf_agent_fail(agent, FAULT_DISCONNECT, STR(""));
}

TimeUs aiwolf_agent_deadline(const AiwolfAgent *agent)
{
    return agent->state == AGENT_NEW || agent->state == AGENT_ASKED ? agent->deadline
                                                                    : TIME_US_NEVER;
}

/* What the threads behind it did since the first look; false = that can't be seen. */
static bool look_behind(const AiwolfAgent *agent, RunQueueLook *ret_look)
{
    return agent->queue && run_queue_since(agent->queue, ret_look);
}

/* Its time is up, unless it had to wait. */
static void time_is_up(AiwolfAgent *agent, TimeUs now)
{
    RunQueueLook look;
    bool seen = look_behind(agent, &look);

    if (patience_has_more(&agent->patience, now, seen ? &look : NULL)) {
        agent->late = false;
        agent->deadline = agent->patience.due;
    } else
        aiwolf_agent_fail(agent, FAULT_TIMEOUT, STR(""));
}

void aiwolf_agent_due(AiwolfAgent *agent, TimeUs now)
{
    if (now < aiwolf_agent_deadline(agent))
        return;
    if (agent->early)
        aiwolf_agent_fail(agent, FAULT_EARLY, STR(""));
    else if (agent->shut)
        aiwolf_agent_fail(agent, FAULT_DISCONNECT, STR(""));
    else if (patience_first_look(&agent->patience, now)) {
        if (agent->queue)
            run_queue_begin(agent->queue);
        agent->deadline = agent->patience.due;
    } else if (!agent->late && conn_has_input(agent->conn)) {
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

/* An answer over the limit that is taken. */
static void count_excess(AiwolfAgent *agent, TimeUs elapsed)
{
    TimeUs waited = agent->patience.waited;

    agent->excesses.count++;
    agent->excesses.excused += elapsed > agent->patience.allowed;
    agent->excesses.waited += waited < elapsed ? waited : elapsed;
}

static void take_answer(AiwolfAgent *agent, Str line, TimeUs elapsed, TimeUs at)
{
    Answer answer;

    durations_add(&agent->times, (uint64_t)elapsed);
    if (elapsed > agent->limits.answer)
        count_excess(agent, elapsed);
    agent->answered_once = true;
    if (!aiwolf_answer_read(agent->kind, line, &agent->text, &answer)) {
        const Fault fault = fault_of(agent, FAULT_MALFORMED, false, line);
        agent->events.counted(agent->user, &fault);
    }
    agent->state = AGENT_READY;
    agent->events.answered(agent->user, &answer, at);
}

/* Whether what is read now was on its way before the request went out: it answers nothing. */
static bool came_before(const AiwolfAgent *agent)
{
    uint64_t turn = conn_turn(agent->conn);

    return agent->state == AGENT_ASKED &&
           (agent->early || (turn != 0 && turn == agent->asked_turn));
}

/* Whether an answer is too late. For one over the limit one looks what it had to wait. */
static bool is_too_late(AiwolfAgent *agent, TimeUs elapsed)
{
    RunQueueLook look;

    if (elapsed <= agent->limits.answer)
        return false;
    bool seen = look_behind(agent, &look);
    patience_see(&agent->patience, loop_now(), seen ? &look : NULL);
    return patience_is_over(&agent->patience, elapsed);
}

static void on_line(void *user, Str line, TimeUs at)
{
    AiwolfAgent *agent = user;
    TimeUs sent_at = agent->patience.sent_at;
    TimeUs elapsed = at > sent_at ? at - sent_at : 0;

    if (agent->state == AGENT_READY || came_before(agent) || conn_has_more(agent->conn))
        aiwolf_agent_fail(agent, FAULT_EARLY, line);
    else if (is_too_late(agent, elapsed))
        aiwolf_agent_fail(agent, FAULT_TIMEOUT, line);
    else if (agent->state == AGENT_NEW)
        take_name(agent, line);
    else
        take_answer(agent, line, elapsed, at);
}

static const ConnEvents conn_events = {.line = on_line, .ended = on_ended, .shut = on_shut};

/* ---- requests ---- */

/* Of the next answer, grace included. */
static TimeUs time_allowed(const AiwolfAgent *agent)
{
    const AiwolfAgentLimits *limits = &agent->limits;
    bool first = agent->games == 1 && limits->first_game_grace > limits->grace;
    TimeUs limit = limits->answer + (first ? limits->first_game_grace : limits->grace);

    return !agent->answered_once && limit < limits->startup ? limits->startup : limit;
}

void aiwolf_agent_ask(AiwolfAgent *agent, const Ask *ask, const View *view)
{
    if (agent->state == AGENT_FAILED)
        return;
    agent->state = AGENT_ASKED;
    agent->kind = ask->kind;
    agent->day = view->day;
    agent->early = conn_has_more(agent->conn);
    agent->asked_turn = conn_turn(agent->conn);
    if (!agent->early)
        send_packet(agent, aiwolf_request_of_ask(ask->kind), ask->revote, view);
    wait_for_answer(agent, aiwolf_request_of_ask(ask->kind), time_allowed(agent));
    if (agent->early || agent->shut)
        agent->deadline = agent->patience.sent_at;
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
