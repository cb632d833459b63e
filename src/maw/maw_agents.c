#include "maw/maw_agents.h"

#include "base/mem.h"
#include "contest/agent_spec.h"
#include "disk/folder.h"
#include "match/agent_cell.h"
#include "match/agent_command.h"
#include "maw/driver_agent.h"
#include "net/peer.h"
#include "results/report_words.h"
#include "seat/aiwolf_agent.h"

#include <inttypes.h>

#define HOST           "127.0.0.1"
#define EXIT_GRACE_US  ((TimeUs)2 * 1000 * 1000)
#define STOP_GRACE_MS  1000
#define CALLERS_MAX    64 /* connections to an agent's port, open at once */
#define STRANGERS_TOLD 3
#define KIND_BYTES     (AGENT_NAME_MAX + 8)

typedef struct MawAgent {
    MawAgents *all;
    PlanAgent plan;
    uint32_t number;
    char kind[KIND_BYTES]; /* "agent:alice" */
    Listener *listener;    /* open until it has come */
    AiwolfAgent *agent;    /* NULL: has not connected yet */
    Child *child;
    Alarm alarm; /* start-up, then its answers */
    MawDriver *driver;
    MawPlayer *player;
    bool came; /* or failed: nobody waits for it any more */
    bool failed;
    bool ended; /* the process */
    uint32_t malformed;
    uint32_t strangers; /* who came to its port and were sent away */
    FaultKind fault_kind;
    Buf fault; /* what it did wrong */
} MawAgent;

struct MawAgents {
    MawAgentsSetup setup;
    uint64_t output_limit;
    AiwolfAgentLimits limits;
    Buf scratch;
    MawAgent *agents;
    uint32_t count;
    MawTable *table; /* NULL before they are seated */
    Alarm alarm;     /* of processes that must end */
    bool waiting;
    bool dismissed;
};

static void note(const MawAgents *all, const Buf *text)
{
    if (!buf_failed(text))
        all->setup.note(all->setup.user, buf_str(text));
}

/* ---- coming and failing ---- */

static bool all_came(const MawAgents *all)
{
    for (uint32_t i = 0; i < all->count; i++)
        if (!all->agents[i].came)
            return false;
    return true;
}

static void come(MawAgent *agent)
{
    MawAgents *all = agent->all;

    agent->came = true;
    if (all->waiting && all_came(all))
        loop_stop(all->setup.loop);
}

static void fail(MawAgent *agent, const Fault *fault)
{
    CLEANUP(buf_done) Buf text = {0};

    if (agent->failed || agent->all->dismissed)
        return;
    agent->failed = true;
    alarm_stop(&agent->alarm);
    agent->listener = listener_close(agent->listener);
    agent->fault_kind = fault->kind;
    fault_print(fault, &agent->fault);
    buf_printf(&text, "agent %s failed: %s; a rule decides in its place", agent->plan.name,
               buf_cstr(&agent->fault));
    note(agent->all, &text);
    /* Who has closed its connection is most likely ending, and how it ends is worth knowing. */
    if (agent->child && !agent->ended && fault->kind != FAULT_DISCONNECT)
        child_stop(agent->child, STOP_GRACE_MS);
    if (agent->driver) {
        maw_agent_driver_fail(agent->driver);
        maw_table_record_fault(agent->all->table, agent->player, fault_kind_name(fault->kind),
                               fault->request);
        maw_table_stir(agent->all->table);
    }
    come(agent);
}

static void fail_start(MawAgent *agent, FaultKind kind, Str why)
{
    const Fault fault = {.kind = kind,
                         .fatal = true,
                         .request = "NAME",
                         .elapsed_us = kind == FAULT_TIMEOUT ? agent->all->setup.startup : 0,
                         .bytes = why};

    fail(agent, &fault);
}

static void watch(MawAgent *agent)
{
    alarm_at(&agent->alarm, aiwolf_agent_deadline(agent->agent), false);
}

static void on_named(void *user)
{
    MawAgent *agent = user;

    alarm_stop(&agent->alarm);
    come(agent);
}

static void on_answered(void *user, const Answer *answer, TimeUs at)
{
    MawAgent *agent = user;

    alarm_stop(&agent->alarm);
    maw_agent_driver_answer(agent->driver, answer, at);
    maw_table_stir(agent->all->table);
}

static void on_failed(void *user, const Fault *fault)
{
    fail(user, fault);
}

static void on_counted(void *user, const Fault *fault)
{
    (void)fault; /* played as "no target" */
    ((MawAgent *)user)->malformed++;
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
        note(agent->all, &text);
    }
    conn_close(conn);
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
    if (aiwolf_agent_new(conn, &all->limits, &agent_events, agent, &all->scratch, &agent->agent,
                         NULL))
        fail_start(agent, FAULT_DISCONNECT, STR("out of memory"));
    else
        watch(agent);
}

static void on_alarm(void *user, TimeUs now)
{
    MawAgent *agent = user;

    if (!agent->agent) {
        fail_start(agent, FAULT_TIMEOUT, STR("it did not connect and say its name"));
        return;
    }
    aiwolf_agent_due(agent->agent, now);
    if (!agent->failed)
        watch(agent);
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
        if (all_ended(all))
            loop_stop(all->setup.loop);
        return;
    }
    if (!how.asked) {
        agent_command_add_end(agent->plan.name, agent->child, how, &text);
        if (!agent->agent)
            agent_cell_add_hint(&agent->plan, how, &text);
        note(all, &text);
    }
    if (agent->agent)
        aiwolf_agent_fail(agent->agent, FAULT_DISCONNECT, STR("its process has ended"));
    else
        fail_start(agent, FAULT_DISCONNECT, STR("its process has ended"));
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
    buf_printf(path, "-%02" PRIu32 ".txt", agent->number);
    if (rc == 0 && buf_failed(path))
        rc = err_set(err, ERR_MEMORY, "agent %s: out of memory", agent->plan.name);
    return rc;
}

static int start(MawAgent *agent, Err *err)
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
    alarm_at(&agent->alarm, all->setup.now + all->setup.startup, false);
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

int maw_agents_start(const MawAgentsSetup *setup, const Plan *plan, MawAgents **ret_agents,
                     Err *err)
{
    MawAgents *all = mem_new(sizeof(*all));

    if (!all)
        return err_set(err, ERR_MEMORY, "agents: out of memory");
    all->setup = *setup;
    all->output_limit = plan->limits.output_bytes;
    all->limits = (AiwolfAgentLimits){.answer = setup->limit,
                                      .startup = setup->startup,
                                      .conn = {plan->limits.line_bytes, plan->limits.queue_bytes}};
    int rc = 0;
    alarm_init(&all->alarm, loop_alarms(setup->loop), on_grace_over, all);
    all->agents = mem_new(plan->agent_count * sizeof(*all->agents));
    if (rc == 0 && plan->agent_count && !all->agents)
        rc = err_set(err, ERR_MEMORY, "agents: out of memory");
    for (uint32_t i = 0; i < plan->agent_count && rc == 0; i++) {
        MawAgent *agent = &all->agents[all->count++];
        *agent = (MawAgent){.all = all, .plan = plan->agents[i], .number = i + 1};
        snprintf(agent->kind, sizeof(agent->kind), "agent:%s", agent->plan.name);
        rc = start(agent, err);
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
        buf_done(&agent->fault);
    }
    alarm_stop(&agents->alarm);
    mem_free(agents->agents);
    buf_done(&agents->scratch);
    return mem_free(agents);
}

int maw_agents_wait(MawAgents *agents, Err *err)
{
    agents->waiting = true;
    if (!all_came(agents))
        loop_run(agents->setup.loop);
    agents->waiting = false;
    return all_came(agents) ? 0 : err_set(err, ERR_INTERRUPTED, "ended before all agents had come");
}

/* ---- at the table ---- */

static void on_ask(void *user, const Ask *ask, const View *view)
{
    MawAgent *agent = user;

    aiwolf_agent_ask(agent->agent, ask, view);
    watch(agent);
}

static void on_tell(void *user, AiwolfRequest request, const View *view)
{
    const MawAgent *agent = user;

    aiwolf_agent_tell(agent->agent, request, view);
}

int maw_agents_seat(MawAgents *agents, MawTable *table, const Ruleset *rules, const MawPace *pace,
                    const MawChance *chance, Err *err)
{
    MawAgentSetup setup = {
        .link = {.ask = on_ask, .tell = on_tell},
        .rules = rules,
        .limit_ms = (int32_t)(agents->setup.limit / 1000),
        .pace = *pace,
    };
    int rc = 0;

    agents->table = table;
    for (uint32_t i = 0; i < agents->count && rc == 0; i++) {
        MawAgent *agent = &agents->agents[i];
        MawDriver *driver = NULL;
        setup.link.user = agent;
        setup.seed = maw_chance_seed(chance, STR("agent"), i);
        rc = maw_agent_driver_new(&setup, &driver, err);
        if (rc)
            break;
        if (agent->failed)
            maw_agent_driver_fail(driver);
        rc = maw_table_add_driver(table, agent->kind, driver, &agent->player, err);
        agent->driver = rc ? NULL : driver;
    }
    return rc;
}

/* ---- the end ---- */

void maw_agents_dismiss(MawAgents *agents, TimeUs now)
{
    agents->dismissed = true;
    for (uint32_t i = 0; i < agents->count; i++) {
        MawAgent *agent = &agents->agents[i];
        alarm_stop(&agent->alarm);
        agent->listener = listener_close(agent->listener);
        agent->agent = aiwolf_agent_free(agent->agent);
    }
    if (all_ended(agents))
        return;
    alarm_at(&agents->alarm, now + EXIT_GRACE_US, false);
    loop_run(agents->setup.loop);
    alarm_stop(&agents->alarm);
}

/* ---- what became of them ---- */

/* "1 vote", "2 votes"; 「投票 2」. */
typedef struct Count {
    const char *one;
    const char *many;
    const char *behind; /* in English */
    const char *japanese;
} Count;

static void add_count(const Count *count, uint32_t number, bool japanese, Buf *out)
{
    if (japanese)
        buf_printf(out, "、%s %" PRIu32, count->japanese, number);
    else
        buf_printf(out, ", %" PRIu32 " %s%s", number, number == 1 ? count->one : count->many,
                   count->behind);
}

static void print_one(const MawAgent *agent, bool japanese, Buf *out)
{
    static const Count lines = {"line", "lines", "", "発言"};
    static const Count votes = {"vote", "votes", "", "投票"};
    static const Count odd[] = {
        {"vote", "votes", " given to its mates'", "仲間に合わせた票"},
        {"answer", "answers", " after the phase's end", "フェーズの後の返答"},
        {"malformed target", "malformed targets", "", "形式に合わない対象"},
        {"vote", "votes", " for somebody who was no target", "対象でない人への票"},
    };
    const MawAgentFigures figures = maw_agent_driver_figures(agent->driver);
    const uint32_t numbers[] = {figures.settled, figures.late, agent->malformed, figures.odd};

    buf_printf(out,
               japanese ? "エージェント %s (%.*s): 質問 %" PRIu32
                        : "Agent %s (%.*s): asked %" PRIu32 " times",
               agent->plan.name, STR_ARG(maw_player_known(agent->player)->me), figures.asks);
    add_count(&lines, figures.lines, japanese, out);
    add_count(&votes, figures.votes, japanese, out);
    for (size_t i = 0; i < sizeof(odd) / sizeof(odd[0]); i++)
        if (numbers[i])
            add_count(&odd[i], numbers[i], japanese, out);
    if (agent->failed && japanese)
        buf_printf(out, "。失敗: %s。規則の判断 %" PRIu32,
                   report_fault_word(agent->fault_kind, true), figures.rules);
    else if (agent->failed)
        buf_printf(out, "; failed: %s; a rule decided %" PRIu32 " time%s", buf_cstr(&agent->fault),
                   figures.rules, figures.rules == 1 ? "" : "s");
    buf_add(out, japanese ? STR("。\n") : STR(".\n"));
}

bool maw_agents_have_played(const MawAgents *agents)
{
    for (uint32_t i = 0; i < agents->count; i++) {
        const MawAgent *agent = &agents->agents[i];
        if (agent->driver && agent->failed && maw_agent_driver_figures(agent->driver).asks == 0)
            return false;
    }
    return true;
}

void maw_agents_print(const MawAgents *agents, bool japanese, Buf *out)
{
    for (uint32_t i = 0; i < agents->count; i++)
        if (agents->agents[i].driver)
            print_one(&agents->agents[i], japanese, out);
}
