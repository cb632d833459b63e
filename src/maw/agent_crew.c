#include "maw/agent_crew.h"

#include "base/mem.h"
#include "maw/driver_agent.h"
#include "results/report_words.h"

#include <inttypes.h>

#define KIND_BYTES (AGENT_NAME_MAX + 8)

typedef struct Member {
    AgentCrew *crew;
    uint32_t number;
    char name[AGENT_NAME_MAX + 1];
    char kind[KIND_BYTES]; /* "agent:alice" */
    MawDriver *driver;
    MawPlayer *player;
    bool came; /* or failed: nobody waits for it any more */
    bool failed;
    uint32_t malformed;
    FaultKind fault_kind;
    Buf fault; /* what it did wrong */
} Member;

struct AgentCrew {
    AgentCrewSetup setup;
    Member *members;
    uint32_t count;
    uint32_t seated;
    MawTable *table; /* NULL before they are seated */
    bool dismissed;
};

/* ---- coming and failing ---- */

bool agent_crew_all_came(const AgentCrew *crew)
{
    for (uint32_t i = 0; i < crew->count; i++)
        if (!crew->members[i].came)
            return false;
    return true;
}

bool agent_crew_has_failed(const AgentCrew *crew, uint32_t agent)
{
    return crew->members[agent].failed;
}

static void come(Member *member)
{
    const AgentCrew *crew = member->crew;

    if (member->came)
        return;
    member->came = true;
    if (agent_crew_all_came(crew))
        crew->setup.out.all_came(crew->setup.out.user);
}

/* At the table a rule takes its seat, and its record says so. */
static void leave_table(Member *member, const Fault *fault)
{
    if (!member->driver)
        return;
    maw_agent_driver_fail(member->driver);
    maw_table_record_fault(member->crew->table, member->player, fault_kind_name(fault->kind),
                           fault->request);
}

void agent_crew_failed(AgentCrew *crew, uint32_t agent, const Fault *fault, TimeUs now)
{
    const AgentCrewOut *out = &crew->setup.out;
    Member *member = &crew->members[agent];
    CLEANUP(buf_done) Buf text = {0};

    if (member->failed || crew->dismissed)
        return;
    member->failed = true;
    member->fault_kind = fault->kind;
    fault_print(fault, &member->fault);
    buf_printf(&text, "agent %s failed: %s; a rule decides in its place", member->name,
               buf_cstr(&member->fault));
    if (!buf_failed(&text))
        out->note(out->user, buf_str(&text));
    /* Who has closed its connection is most likely ending, and how it ends is worth knowing. */
    out->drop(out->user, agent, fault->kind != FAULT_DISCONNECT, now);
    leave_table(member, fault);
    come(member);
}

void agent_crew_not_started(AgentCrew *crew, uint32_t agent, FaultKind kind, Str why, TimeUs now)
{
    const Fault fault = {.kind = kind,
                         .fatal = true,
                         .request = "NAME",
                         .elapsed_us = kind == FAULT_TIMEOUT ? crew->setup.startup : 0,
                         .bytes = why};

    agent_crew_failed(crew, agent, &fault, now);
}

void agent_crew_named(AgentCrew *crew, uint32_t agent)
{
    come(&crew->members[agent]);
}

void agent_crew_answered(AgentCrew *crew, uint32_t agent, const Answer *answer, TimeUs at)
{
    const Member *member = &crew->members[agent];

    if (member->failed || !member->driver)
        return;
    maw_agent_driver_answer(member->driver, answer, at);
    maw_table_stir(crew->table);
}

void agent_crew_malformed(AgentCrew *crew, uint32_t agent)
{
    crew->members[agent].malformed++;
}

void agent_crew_dismiss(AgentCrew *crew)
{
    crew->dismissed = true;
}

/* ---- life ---- */

static void begin(AgentCrew *crew, uint32_t number, const char *name)
{
    Member *member = &crew->members[number];

    *member = (Member){.crew = crew, .number = number};
    snprintf(member->name, sizeof(member->name), "%s", name);
    snprintf(member->kind, sizeof(member->kind), "agent:%s", name);
}

int agent_crew_new(const AgentCrewSetup *setup, const Plan *plan, AgentCrew **ret_crew, Err *err)
{
    AgentCrew *crew = mem_new(sizeof(*crew));

    if (!crew)
        return err_set(err, ERR_MEMORY, "agents: out of memory");
    crew->setup = *setup;
    crew->members = mem_new(plan->agent_count * sizeof(*crew->members));
    if (plan->agent_count && !crew->members) {
        agent_crew_free(crew);
        return err_set(err, ERR_MEMORY, "agents: out of memory");
    }
    for (crew->count = 0; crew->count < plan->agent_count; crew->count++)
        begin(crew, crew->count, plan->agents[crew->count].name);
    *ret_crew = crew;
    return 0;
}

AgentCrew *agent_crew_free(AgentCrew *crew)
{
    if (!crew)
        return NULL;
    for (uint32_t i = 0; i < crew->count; i++)
        buf_done(&crew->members[i].fault);
    mem_free(crew->members);
    return mem_free(crew);
}

/* ---- at the table ---- */

static void on_ask(void *user, const Ask *ask, const View *view, TimeUs now)
{
    const Member *member = user;
    const AgentCrewOut *out = &member->crew->setup.out;

    out->ask(out->user, member->number, ask, view, now);
}

static void on_tell(void *user, AiwolfRequest request, const View *view)
{
    const Member *member = user;
    const AgentCrewOut *out = &member->crew->setup.out;

    out->tell(out->user, member->number, request, view);
}

int agent_crew_seat(AgentCrew *crew, MawTable *table, const Ruleset *rules, const MawPace *pace,
                    const MawChance *chance, uint32_t most, Err *err)
{
    MawAgentSetup setup = {
        .link = {.ask = on_ask, .tell = on_tell},
        .rules = rules,
        .limit_ms = (int32_t)(crew->setup.limit / 1000),
        .pace = *pace,
    };
    int rc = 0;

    crew->table = table;
    for (; most > 0 && crew->seated < crew->count && rc == 0; most--) {
        const uint32_t i = crew->seated++;
        Member *member = &crew->members[i];
        MawDriver *driver = NULL;
        setup.link.user = member;
        setup.seed = maw_chance_seed(chance, STR("agent"), i);
        rc = maw_agent_driver_new(&setup, &driver, err);
        if (rc)
            break;
        if (member->failed)
            maw_agent_driver_fail(driver);
        rc = maw_table_add_driver(table, member->kind, driver, &member->player, err);
        member->driver = rc ? NULL : driver;
    }
    return rc;
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

static void print_one(const Member *agent, bool japanese, Buf *out)
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
               agent->name, STR_ARG(maw_player_known(agent->player)->me), figures.asks);
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

bool agent_crew_has_played(const AgentCrew *crew)
{
    for (uint32_t i = 0; i < crew->count; i++) {
        const Member *member = &crew->members[i];
        if (member->driver && member->failed && maw_agent_driver_figures(member->driver).asks == 0)
            return false;
    }
    return true;
}

void agent_crew_print(const AgentCrew *crew, bool japanese, Buf *out)
{
    for (uint32_t i = 0; i < crew->count; i++)
        if (crew->members[i].driver)
            print_one(&crew->members[i], japanese, out);
}
