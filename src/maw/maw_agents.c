#include "maw/maw_agents.h"

#include "base/mem.h"
#include "contest/agent_spec.h"
#include "disk/folder.h"
#include "maw/agent_crew.h"
#include "seat/agent_command.h"
#include "seat/child_program.h"
#include "seat/started_agent.h"

#include <inttypes.h>

#define HOST "127.0.0.1"

typedef struct MawAgent {
    MawAgents *all;
    PlanAgent plan;
    uint32_t number; /* from 0 */
    StartedAgent *started;
    AiwolfAgent *agent; /* NULL: has not said its name yet */
    Alarm alarm;        /* its answers */
} MawAgent;

struct MawAgents {
    MawAgentsSetup setup;
    uint64_t output_limit;
    Patience limits;
    ChildDoor programs;
    Buf scratch;
    MawAgent *agents;
    uint32_t count;
    AgentCrew *crew;
    bool dismissed;
    bool hinted; /* which variables agents don't get was said */
};

/* ---- connections ---- */

static void watch_agent(MawAgent *agent)
{
    alarm_at(&agent->alarm, aiwolf_agent_deadline(agent->agent), false);
}

static void on_named(void *user)
{
    (void)user; /* it came with its name */
}

static void on_answered(void *user, const Answer *answer, TimeUs at)
{
    MawAgent *agent = user;

    alarm_stop(&agent->alarm);
    agent_crew_answered(agent->all->crew, agent->number, answer, at);
}

static void on_failed(void *user, const Fault *fault)
{
    const MawAgent *agent = user;

    agent_crew_failed(agent->all->crew, agent->number, fault, aiwolf_agent_now(agent->agent));
}

static void on_counted(void *user, const Fault *fault)
{
    const MawAgent *agent = user;

    (void)fault; /* played as "no target" */
    agent_crew_malformed(agent->all->crew, agent->number);
}

static const AiwolfAgentEvents agent_events = {on_named, on_answered, on_failed, on_counted};

static void on_alarm(void *user, TimeUs now)
{
    MawAgent *agent = user;

    aiwolf_agent_due(agent->agent, now);
    if (!agent_crew_has_failed(agent->all->crew, agent->number))
        watch_agent(agent);
}

/* ---- programs ---- */

static bool all_ended(const MawAgents *all)
{
    for (uint32_t i = 0; i < all->count; i++)
        if (all->agents[i].started && started_agent_runs(all->agents[i].started))
            return false;
    return true;
}

static void on_came(void *user, AiwolfAgent *take_agent)
{
    MawAgent *agent = user;

    agent->agent = take_agent;
    aiwolf_agent_attach(take_agent, &agent_events, agent);
    agent_crew_named(agent->all->crew, agent->number);
}

/* Before it has come. */
static void on_not_come(void *user, const Fault *fault, TimeUs now)
{
    const MawAgent *agent = user;
    AgentCrew *crew = agent->all->crew;

    if (!started_agent_runs(agent->started))
        agent_crew_not_started(crew, agent->number, FAULT_DISCONNECT, STR("its process has ended"),
                               now);
    else if (fault->kind == FAULT_TIMEOUT)
        agent_crew_not_started(crew, agent->number, FAULT_TIMEOUT, fault->bytes, now);
    else
        agent_crew_failed(crew, agent->number, fault, now);
}

static void on_gone(void *user, TimeUs now)
{
    const MawAgent *agent = user;
    const MawAgents *all = agent->all;

    if (all->dismissed) {
        if (all_ended(all))
            all->setup.gone(all->setup.user);
    } else if (agent->agent) {
        aiwolf_agent_fail(agent->agent, FAULT_DISCONNECT, STR("its process has ended"), now);
    }
}

static void on_note(void *user, StartedNote what, Str text)
{
    const MawAgents *all = ((MawAgent *)user)->all;

    (void)what;
    if (!all->dismissed)
        all->setup.note(all->setup.user, text);
}

static const StartedAgentEvents program_events = {
    .named = on_came, .failed = on_not_come, .gone = on_gone, .note = on_note};

/* ---- what the crew says ---- */

static void do_ask(void *user, uint32_t number, const Ask *ask, const View *view, TimeUs now)
{
    MawAgent *agent = &((MawAgents *)user)->agents[number];

    aiwolf_agent_ask(agent->agent, ask, view, now);
    watch_agent(agent);
}

static void do_tell(void *user, uint32_t number, AiwolfRequest request, const View *view)
{
    aiwolf_agent_tell(((MawAgents *)user)->agents[number].agent, request, view);
}

static void do_drop(void *user, uint32_t number, bool stop, TimeUs now)
{
    MawAgent *agent = &((MawAgents *)user)->agents[number];

    alarm_stop(&agent->alarm);
    started_agent_fail(agent->started, !stop, now);
}

static void do_come(void *user)
{
    const MawAgents *all = user;

    all->setup.came(all->setup.user);
}

static void do_note(void *user, Str line)
{
    const MawAgents *all = user;

    all->setup.note(all->setup.user, line);
}

/* ---- starting ---- */

int maw_agents_read(Str value, Plan *plan, Err *err)
{
    int rc = agent_spec_add(plan, value, err);

    for (uint32_t i = 0; i < plan->agent_count && rc == 0; i++) {
        const PlanAgent *agent = &plan->agents[i];
        if (agent->bot)
            rc = err_set(err, ERR_USAGE,
                         "--agent is for programs: bots of this table come with --bots, an AIWolf "
                         "bot with --agent 'cmd=warg bot aiwolf -b %s -h {host} -p {port}'",
                         agent->bot->name);
        else if (!agent->command)
            rc = err_set(err, ERR_USAGE, "agent %s has no command to start it with", agent->name);
    }
    return rc;
}

static int output_path(const MawAgent *agent, Buf *path, Err *err)
{
    buf_printf(path, "%s/agents", agent->all->setup.out);
    int rc = buf_failed(path) ? 0 : folder_make(buf_str(path), err);

    buf_add_char(path, '/');
    agent_command_add_file_name(agent->plan.name, path);
    buf_printf(path, "-%02" PRIu32 ".txt", agent->number + 1);
    if (rc == 0 && buf_failed(path))
        rc = err_set(err, ERR_MEMORY, "agent %s: out of memory", agent->plan.name);
    return rc;
}

static int start_agent(MawAgent *agent, Err *err)
{
    MawAgents *all = agent->all;
    CLEANUP(buf_done) Buf path = {0};
    int rc = all->setup.out ? output_path(agent, &path, err) : 0;

    alarm_init(&agent->alarm, loop_alarms(all->setup.loop), on_alarm, agent);
    if (rc)
        return rc;
    const StartedAgentSetup setup = {.door = child_door(&all->programs),
                                     .alarms = loop_alarms(all->setup.loop),
                                     .limits = &all->limits,
                                     .scratch = &all->scratch,
                                     .plan = {.name = agent->plan.name,
                                              .command = agent->plan.command,
                                              .folder = agent->plan.folder,
                                              .env = agent->plan.env,
                                              .output = all->setup.out ? buf_cstr(&path) : NULL,
                                              .output_limit = all->output_limit},
                                     .events = program_events,
                                     .user = agent,
                                     .hinted = &all->hinted};
    return started_agent_new(&setup, all->setup.now, &agent->started, err);
}

static int open_crew(MawAgents *all, const Plan *plan, Err *err)
{
    const AgentCrewSetup setup = {.limit = all->setup.limit,
                                  .startup = all->setup.startup,
                                  .out = {.ask = do_ask,
                                          .tell = do_tell,
                                          .drop = do_drop,
                                          .all_came = do_come,
                                          .note = do_note,
                                          .user = all}};

    return agent_crew_new(&setup, plan, &all->crew, err);
}

int maw_agents_start(const MawAgentsSetup *setup, const Plan *plan, MawAgents **ret_agents,
                     Err *err)
{
    MawAgents *all = mem_new(sizeof(*all));

    if (!all)
        return err_set(err, ERR_MEMORY, "agents: out of memory");
    all->setup = *setup;
    all->output_limit = plan->limits.output_bytes;
    all->limits = (Patience){.answer = setup->limit, .startup = setup->startup, .forgives = true};
    all->programs = (ChildDoor){.loop = setup->loop,
                                .host = HOST,
                                .cell = setup->cell,
                                .limits = {plan->limits.line_bytes, plan->limits.queue_bytes}};
    int rc = open_crew(all, plan, err);
    all->agents = mem_new(plan->agent_count * sizeof(*all->agents));
    if (rc == 0 && plan->agent_count && !all->agents)
        rc = err_set(err, ERR_MEMORY, "agents: out of memory");
    for (uint32_t i = 0; i < plan->agent_count && rc == 0; i++) {
        MawAgent *agent = &all->agents[all->count++];
        *agent = (MawAgent){.all = all, .plan = plan->agents[i], .number = i};
        rc = start_agent(agent, err);
    }
    if (rc) {
        maw_agents_free(all);
        return rc;
    }
    *ret_agents = all;
    return 0;
}

MawAgents *maw_agents_free(MawAgents *agents)
{
    if (!agents)
        return NULL;
    for (uint32_t i = 0; i < agents->count; i++) {
        MawAgent *agent = &agents->agents[i];
        aiwolf_agent_free(agent->agent);
        started_agent_free(agent->started);
        alarm_stop(&agent->alarm);
    }
    agent_crew_free(agents->crew);
    mem_free(agents->agents);
    buf_done(&agents->scratch);
    return mem_free(agents);
}

int maw_agents_seat(MawAgents *agents, MawTable *table, const Ruleset *rules, const MawPace *pace,
                    const MawChance *chance, uint32_t most, Err *err)
{
    return agent_crew_seat(agents->crew, table, rules, pace, chance, most, err);
}

/* ---- the end ---- */

bool maw_agents_dismiss(MawAgents *agents, TimeUs now)
{
    agents->dismissed = true;
    agent_crew_dismiss(agents->crew);
    for (uint32_t i = 0; i < agents->count; i++) {
        MawAgent *agent = &agents->agents[i];
        alarm_stop(&agent->alarm);
        agent->agent = aiwolf_agent_free(agent->agent);
        started_agent_dismiss(agent->started, now);
    }
    return all_ended(agents);
}

/* ---- what became of them ---- */

bool maw_agents_have_played(const MawAgents *agents)
{
    return agent_crew_has_played(agents->crew);
}

void maw_agents_print(const MawAgents *agents, bool japanese, Buf *out)
{
    agent_crew_print(agents->crew, japanese, out);
}
