#include "maw/maw_agents.h"

#include "base/mem.h"
#include "contest/agent_spec.h"
#include "disk/folder.h"
#include "match/agent_cell.h"
#include "match/agent_command.h"
#include "maw/agent_crew.h"
#include "net/peer.h"
#include "seat/aiwolf_agent.h"
#include "seat/conn_link.h"

#include <inttypes.h>

#define HOST           "127.0.0.1"
#define EXIT_GRACE_US  ((TimeUs)2 * 1000 * 1000)
#define STOP_GRACE_MS  1000
#define CALLERS_MAX    64 /* connections to an agent's port, open at once */
#define STRANGERS_TOLD 3

typedef struct MawAgent {
    MawAgents *all;
    PlanAgent plan;
    uint32_t number;    /* from 0 */
    Listener *listener; /* open until it has come */
    AiwolfAgent *agent; /* NULL: has not connected yet */
    Child *child;
    Alarm alarm;        /* its answers */
    bool ended;         /* the process */
    uint32_t strangers; /* who came to its port and were sent away */
} MawAgent;

struct MawAgents {
    MawAgentsSetup setup;
    uint64_t output_limit;
    Patience limits;
    ConnLimits conn_limits;
    Buf scratch;
    MawAgent *agents;
    uint32_t count;
    AgentCrew *crew;
    Alarm alarm; /* of processes that must end */
    bool dismissed;
};

static void note_text(const MawAgents *all, const Buf *text)
{
    if (!buf_failed(text))
        all->setup.note(all->setup.user, buf_str(text));
}

/* ---- connections ---- */

static void watch_agent(MawAgent *agent)
{
    alarm_at(&agent->alarm, aiwolf_agent_deadline(agent->agent), false);
}

static void on_named(void *user)
{
    MawAgent *agent = user;

    alarm_stop(&agent->alarm);
    agent_crew_named(agent->all->crew, agent->number);
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

    agent_crew_failed(agent->all->crew, agent->number, fault);
}

static void on_counted(void *user, const Fault *fault)
{
    const MawAgent *agent = user;

    (void)fault; /* played as "no target" */
    agent_crew_malformed(agent->all->crew, agent->number);
}

static const AiwolfAgentEvents agent_events = {on_named, on_answered, on_failed, on_counted};

/* Somebody else has connected to this agent's port; it can still come. The first few are told of.
 */
static void send_away(MawAgent *agent, Conn *conn, const char *peer)
{
    CLEANUP(buf_done) Buf text = {0};

    if (++agent->strangers <= STRANGERS_TOLD) {
        buf_printf(
            &text,
            "a connection from %s to the port of agent %s was dropped: it does not come from "
            "the program that was started there, but from ",
            peer, agent->plan.name);
        peer_print_process(peer_process(conn), &text);
        note_text(agent->all, &text);
    }
    conn_close(conn);
}

/* Asks it for its name. */
static int meet_agent(MawAgent *agent, Conn *take_conn)
{
    MawAgents *all = agent->all;
    Link link = {0};

    if (aiwolf_agent_new(&all->limits, &agent_events, agent, &all->scratch, &agent->agent, NULL)) {
        conn_close(take_conn);
        return ERR_MEMORY;
    }
    if (conn_link_open(take_conn, &all->conn_limits, 0, &aiwolf_agent_ears, agent->agent, &link,
                       NULL)) {
        agent->agent = aiwolf_agent_free(agent->agent);
        return ERR_MEMORY;
    }
    aiwolf_agent_open(agent->agent, link, loop_now());
    return 0;
}

static void on_accepted(void *user, Conn *conn, const char *peer)
{
    MawAgent *agent = user;
    MawAgents *all = agent->all;

    if (!agent->child || peer_owner(conn, child_pid(agent->child)) == PEER_OTHER) {
        send_away(agent, conn, peer);
        return;
    }
    agent->listener = listener_close(agent->listener);
    agent_crew_connected(all->crew, agent->number);
    if (meet_agent(agent, conn))
        agent_crew_not_started(all->crew, agent->number, FAULT_DISCONNECT, STR("out of memory"));
    else
        watch_agent(agent);
}

static void on_alarm(void *user, TimeUs now)
{
    MawAgent *agent = user;

    aiwolf_agent_due(agent->agent, now);
    if (!agent_crew_has_failed(agent->all->crew, agent->number))
        watch_agent(agent);
}

static bool all_ended(const MawAgents *all)
{
    for (uint32_t i = 0; i < all->count; i++)
        if (all->agents[i].child && !all->agents[i].ended)
            return false;
    return true;
}

static void on_child_ended(void *user, ChildEnd how)
{
    MawAgent *agent = user;
    MawAgents *all = agent->all;
    CLEANUP(buf_done) Buf text = {0};

    agent->ended = true;
    if (all->dismissed) {
        if (all_ended(all)) {
            alarm_stop(&all->alarm);
            all->setup.gone(all->setup.user);
        }
        return;
    }
    if (!how.asked) {
        agent_command_add_end(agent->plan.name, agent->child, how, &text);
        if (!agent->agent)
            agent_cell_add_hint(&agent->plan, how, &text);
        note_text(all, &text);
    }
    if (agent->agent)
        aiwolf_agent_fail(agent->agent, FAULT_DISCONNECT, STR("its process has ended"), loop_now());
    else
        agent_crew_not_started(all->crew, agent->number, FAULT_DISCONNECT,
                               STR("its process has ended"));
}

/* ---- what the crew says ---- */

static void do_ask(void *user, uint32_t number, const Ask *ask, const View *view)
{
    MawAgent *agent = &((MawAgents *)user)->agents[number];

    aiwolf_agent_ask(agent->agent, ask, view, loop_now());
    watch_agent(agent);
}

static void do_tell(void *user, uint32_t number, AiwolfRequest request, const View *view)
{
    aiwolf_agent_tell(((MawAgents *)user)->agents[number].agent, request, view);
}

static void do_drop(void *user, uint32_t number, bool stop)
{
    MawAgent *agent = &((MawAgents *)user)->agents[number];

    alarm_stop(&agent->alarm);
    agent->listener = listener_close(agent->listener);
    if (stop && agent->child && !agent->ended)
        child_stop(agent->child, STOP_GRACE_MS);
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
    CLEANUP(buf_done) Buf command = {0};
    CLEANUP(buf_done) Buf path = {0};
    Err own = {0};

    alarm_init(&agent->alarm, loop_alarms(all->setup.loop), on_alarm, agent);
    int rc = tcp_listen(all->setup.loop, HOST, 0, on_accepted, agent, &agent->listener, err);
    if (rc == 0 && all->setup.out)
        rc = output_path(agent, &path, err);
    if (rc)
        return rc;
    listener_set_limit(agent->listener, CALLERS_MAX);
    agent_command_fill(&agent->plan, HOST, listener_port(agent->listener), &command);
    CLEANUP(mem_freep) const char **environment = agent_cell_own_environment(&agent->plan);
    if (buf_failed(&command) || !environment)
        return err_set(err, ERR_MEMORY, "agent %s: out of memory", agent->plan.name);
    const ChildPlan plan = {.command = buf_cstr(&command),
                            .folder = agent->plan.folder,
                            .output_path = all->setup.out ? buf_cstr(&path) : NULL,
                            .output_limit = all->output_limit,
                            .environment = environment,
                            .cell = all->setup.cell};
    rc = child_start(all->setup.loop, &plan, on_child_ended, agent, &agent->child, &own);
    if (rc)
        return err_set(err, (ErrCode)rc, "agent %s: %s", agent->plan.name, own.msg);
    return 0;
}

/* Processes have had the time to end by themselves. */
static void on_grace_over(void *user, TimeUs now)
{
    MawAgents *all = user;

    (void)now;
    for (uint32_t i = 0; i < all->count; i++)
        if (all->agents[i].child)
            child_stop(all->agents[i].child, STOP_GRACE_MS);
}

static int open_crew(MawAgents *all, const Plan *plan, Err *err)
{
    const AgentCrewSetup setup = {.alarms = loop_alarms(all->setup.loop),
                                  .now = all->setup.now,
                                  .limit = all->setup.limit,
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
    all->conn_limits = (ConnLimits){plan->limits.line_bytes, plan->limits.queue_bytes};
    alarm_init(&all->alarm, loop_alarms(setup->loop), on_grace_over, all);
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
        listener_close(agent->listener);
        aiwolf_agent_free(agent->agent);
        child_free(agent->child);
        alarm_stop(&agent->alarm);
    }
    alarm_stop(&agents->alarm);
    agent_crew_free(agents->crew);
    mem_free(agents->agents);
    buf_done(&agents->scratch);
    return mem_free(agents);
}

bool maw_agents_all_came(const MawAgents *agents)
{
    return agent_crew_all_came(agents->crew);
}

int maw_agents_seat(MawAgents *agents, MawTable *table, const Ruleset *rules, const MawPace *pace,
                    const MawChance *chance, Err *err)
{
    return agent_crew_seat(agents->crew, table, rules, pace, chance, err);
}

/* ---- the end ---- */

bool maw_agents_dismiss(MawAgents *agents, TimeUs now)
{
    agents->dismissed = true;
    agent_crew_dismiss(agents->crew);
    for (uint32_t i = 0; i < agents->count; i++) {
        MawAgent *agent = &agents->agents[i];
        alarm_stop(&agent->alarm);
        agent->listener = listener_close(agent->listener);
        agent->agent = aiwolf_agent_free(agent->agent);
    }
    if (all_ended(agents))
        return true;
    alarm_at(&agents->alarm, now + EXIT_GRACE_US, false);
    return false;
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
