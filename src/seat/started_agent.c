#include "seat/started_agent.h"

#include "base/mem.h"
#include "seat/agent_command.h"
#include "seat/agent_environment.h"
#include "seat/started.h"

struct StartedAgent {
    StartedAgentSetup setup;
    Buf output, input;
    Started started;
    void *program;         /* NULL: it could not be started */
    AiwolfAgent *arriving; /* has connected; its name is to come */
    TimeUs called_at;      /* when it was asked for that */
    Alarm alarm;
};

static const ProgramKind *kind_of(const StartedAgent *agent)
{
    return agent->setup.door.kind;
}

static void note_text(const StartedAgent *agent, StartedNote what, const Buf *text)
{
    if (!buf_failed(text))
        agent->setup.events.note(agent->setup.user, what, buf_str(text));
}

/* ---- what is to be done ---- */

static const ProgramEars program_ears;

static void close_program(StartedAgent *agent)
{
    if (agent->program)
        kind_of(agent)->free(agent->program);
    agent->program = NULL;
}

static int open_program(StartedAgent *agent, Err *err)
{
    Err own = {0};

    close_program(agent);
    int rc = kind_of(agent)->start(agent->setup.door.door, &agent->setup.plan, &program_ears, agent,
                                   &agent->program, &own);
    return rc ? err_set(err, (ErrCode)rc, "agent %s: %s", agent->setup.plan.name, own.msg) : 0;
}

static void shut_port(StartedAgent *agent)
{
    if (agent->program)
        kind_of(agent)->shut(agent->program);
    agent->arriving = aiwolf_agent_free(agent->arriving);
}

static void fail_late(StartedAgent *agent, TimeUs now)
{
    const Fault fault = {.kind = FAULT_TIMEOUT,
                         .fatal = true,
                         .request = "NAME",
                         .elapsed_us = now - agent->started.clock.sent_at,
                         .waited_us = agent->started.clock.waited,
                         .bytes = STR("it did not connect and say its name")};

    agent->setup.events.failed(agent->setup.user, &fault, now);
}

static void fail_early(StartedAgent *agent, TimeUs now)
{
    const Fault fault = {.kind = FAULT_DISCONNECT,
                         .fatal = true,
                         .request = "NAME",
                         .bytes = str_part(started_agent_last_lines(agent), 0, FAULT_BYTES_MAX)};

    agent->setup.events.failed(agent->setup.user, &fault, now);
}

static void carry_out(StartedAgent *agent, unsigned acts, TimeUs now)
{
    Err err = {0};

    if (acts & STARTED_SHUT)
        shut_port(agent);
    if (acts & STARTED_STOP && agent->program)
        kind_of(agent)->stop(agent->program);
    if (acts & STARTED_OPEN && open_program(agent, &err))
        agent->setup.events.broken(agent->setup.user, &err);
    if (acts & STARTED_LOOK)
        kind_of(agent)->watch(agent->program);
    alarm_at(&agent->alarm, started_deadline(&agent->started), false);
    if (acts & STARTED_LATE)
        fail_late(agent, now);
    if (acts & STARTED_EARLY)
        fail_early(agent, now);
}

static void on_alarm(void *user, TimeUs now)
{
    StartedAgent *agent = user;
    RunQueueLook look;
    bool seen = agent->program && agent->started.clock.looked_at &&
                kind_of(agent)->look(agent->program, &look);

    carry_out(agent, started_due(&agent->started, seen ? &look : NULL, now), now);
}

/* ---- its agent, until it has said its name ---- */

static void on_named(void *user)
{
    StartedAgent *agent = user;

    started_named(&agent->started);
    alarm_at(&agent->alarm, started_deadline(&agent->started), false);
    agent->setup.events.named(agent->setup.user, TAKE(agent->arriving));
}

static void on_answered(void *user, const Answer *answer, TimeUs at)
{
    (void)user; /* nothing was asked yet */
    (void)answer;
    (void)at;
}

static void on_failed(void *user, const Fault *fault)
{
    StartedAgent *agent = user;
    bool gone = fault->kind == FAULT_DISCONNECT;
    TimeUs now = agent->called_at + fault->elapsed_us;

    carry_out(agent, started_fail(&agent->started, gone, now), now);
    agent->setup.events.failed(agent->setup.user, fault, now);
}

static void on_counted(void *user, const Fault *fault)
{
    (void)user;
    (void)fault;
}

static const AiwolfAgentEvents arriving_events = {on_named, on_answered, on_failed, on_counted};

/* ---- its program ---- */

static void tell_stranger(const StartedAgent *agent, const ProgramCall *call)
{
    CLEANUP(buf_done) Buf text = {0};

    call->describe(call, &text);
    note_text(agent, STARTED_NOTE_STRANGER, &text);
}

static AiwolfAgent *on_called(void *user, const ProgramCall *call, TimeUs now)
{
    StartedAgent *agent = user;
    unsigned acts = started_called(&agent->started, call->ours);

    if (acts & STARTED_TELL)
        tell_stranger(agent, call);
    if (agent->started.state != STARTED_NAMING || agent->arriving)
        return NULL;
    agent->called_at = now;
    aiwolf_agent_new(agent->setup.limits, &arriving_events, agent, agent->setup.scratch,
                     &agent->arriving, NULL);
    return agent->arriving;
}

static void note_end(const StartedAgent *agent, ChildEnd how, bool hint)
{
    CLEANUP(buf_done) Buf text = {0};

    agent_command_add_end(agent->setup.plan.name, started_agent_last_lines(agent), how, &text);
    if (hint && agent->setup.strict)
        agent_environment_add_strict_hint(how, agent->setup.hinted, &text);
    else if (hint)
        agent_environment_add_hint(agent->setup.plan.env, how, agent->setup.hinted, &text);
    note_text(agent, STARTED_NOTE_END, &text);
}

static void on_ended(void *user, ChildEnd how, TimeUs now)
{
    StartedAgent *agent = user;
    const StartedAgentEvents *events = &agent->setup.events;
    unsigned acts = started_ended(&agent->started, how.asked, agent->setup.limits->startup, now);

    if (events->ended)
        events->ended(agent->setup.user, now);
    if (acts & STARTED_NOTE)
        note_end(agent, how, acts & STARTED_HINT);
    carry_out(agent, acts, now);
    if (!agent->started.runs)
        events->gone(agent->setup.user, now);
}

static void on_broken(void *user, Str why, TimeUs now)
{
    const StartedAgent *agent = user;
    Err err = {0};

    (void)now;
    if (!agent->setup.events.broken)
        return;
    err_set(&err, ERR_IO, "agent %s could not be kept in its cell: %.*s", agent->setup.plan.name,
            STR_ARG(str_trim(why)));
    agent->setup.events.broken(agent->setup.user, &err);
}

static void on_found(void *user, const Finding *finding, TimeUs now)
{
    const StartedAgent *agent = user;

    if (agent->setup.events.found)
        agent->setup.events.found(agent->setup.user, finding, now);
}

static const ProgramEars program_ears = {
    .called = on_called, .found = on_found, .broken = on_broken, .ended = on_ended};

/* ---- life ---- */

int started_agent_new(const StartedAgentSetup *setup, TimeUs now, StartedAgent **ret_agent,
                      Err *err)
{
    StartedAgent *agent = mem_new(sizeof(*agent));

    if (!agent)
        return err_set(err, ERR_MEMORY, "start agent: out of memory");
    agent->setup = *setup;
    if (setup->plan.output) {
        buf_add(&agent->output, str_of(setup->plan.output));
        agent->setup.plan.output = buf_cstr(&agent->output);
    }
    if (setup->plan.input) {
        buf_add(&agent->input, str_of(setup->plan.input));
        agent->setup.plan.input = buf_cstr(&agent->input);
    }
    alarm_init(&agent->alarm, setup->alarms, on_alarm, agent);
    started_begin(&agent->started, setup->limits->startup, now);
    int rc = buf_failed(&agent->output) || buf_failed(&agent->input)
                 ? err_set(err, ERR_MEMORY, "start agent: out of memory")
                 : open_program(agent, err);
    if (rc) {
        started_agent_free(agent);
        return rc;
    }
    alarm_at(&agent->alarm, started_deadline(&agent->started), false);
    *ret_agent = agent;
    return 0;
}

StartedAgent *started_agent_free(StartedAgent *agent)
{
    if (!agent)
        return NULL;
    alarm_stop(&agent->alarm);
    aiwolf_agent_free(agent->arriving);
    close_program(agent);
    buf_done(&agent->output);
    buf_done(&agent->input);
    return mem_free(agent);
}

void started_agent_fail(StartedAgent *agent, bool gone, TimeUs now)
{
    carry_out(agent, started_fail(&agent->started, gone, now), now);
}

void started_agent_again(StartedAgent *agent, TimeUs now)
{
    carry_out(agent, started_again(&agent->started, agent->setup.limits->startup, now), now);
}

void started_agent_dismiss(StartedAgent *agent, TimeUs now)
{
    carry_out(agent, started_dismiss(&agent->started, now), now);
}

bool started_agent_runs(const StartedAgent *agent)
{
    return agent->started.runs;
}

Str started_agent_last_lines(const StartedAgent *agent)
{
    return agent->program ? kind_of(agent)->last_lines(agent->program) : (Str){0};
}
