#include "seat/aiwolf_agent.h"

#include "base/mem.h"
#include "seat/aiwolf_manner.h"

#define NAME_BYTES_MAX 1024 /* kept of a name, as long as the agent is there */

struct AiwolfAgent {
    Chair own;    /* until it has a seat at a table */
    Chair *chair; /* on which it sits */
    AiwolfSpeaker speaker;
    AiwolfAgentEvents events;
    void *user;
    TimeUs now; /* of what was told it last */
    Str line;   /* that was heard last */
    Buf name;
};

int aiwolf_agent_new(const Patience *patience, const AiwolfAgentEvents *events, void *user,
                     Buf *scratch, AiwolfAgent **ret_agent, Err *err)
{
    AiwolfAgent *agent = mem_new(sizeof(*agent));

    if (!agent)
        return err_set(err, ERR_MEMORY, "new agent: out of memory");
    agent->chair = &agent->own;
    agent->own = (Chair){.manner = &aiwolf_manner,
                         .self = &agent->speaker,
                         .patience = patience,
                         .request = scratch,
                         .scratch = scratch};
    aiwolf_agent_attach(agent, events, user);
    *ret_agent = agent;
    return 0;
}

void aiwolf_agent_open(AiwolfAgent *agent, Link take_link, TimeUs now)
{
    chair_open(agent->chair, take_link, now);
}

AiwolfAgent *aiwolf_agent_free(AiwolfAgent *agent)
{
    if (!agent)
        return NULL;
    chair_close(agent->chair);
    aiwolf_speaker_done(&agent->speaker);
    buf_done(&agent->name);
    return mem_free(agent);
}

void aiwolf_agent_attach(AiwolfAgent *agent, const AiwolfAgentEvents *events, void *user)
{
    agent->events = *events;
    agent->user = user;
}

void aiwolf_agent_join(AiwolfAgent *agent, Chair *chair, AiwolfDayText *day_text)
{
    agent->speaker.cursor.day_text = day_text;
    chair_take(chair, agent->chair);
    agent->chair = chair;
}

/* ---- what comes of it ---- */

static void tell_came(AiwolfAgent *agent, ChairCame came, const ChairReport *report, TimeUs at)
{
    switch (came) {
    case CAME_NAME:
        agent->events.named(agent->user);
        return;
    case CAME_ANSWER:
        if (report->at_fault)
            agent->events.counted(agent->user, &report->fault);
        agent->events.answered(agent->user, &report->answer, at);
        return;
    case CAME_OUT:
        agent->events.failed(agent->user, &report->fault);
        return;
    case CAME_NOTHING:
    case CAME_STRAY: /* is a fault here, a lapse and a seat that is kept are not known */
    case CAME_LAPSE:
    case CAME_AWAY:
        return;
    }
}

static void on_heard(void *user, Str line, TimeUs at, TimeUs now)
{
    AiwolfAgent *agent = user;
    ChairReport report;

    agent->now = now;
    agent->line = line;
    ChairCame came = chair_hear(agent->chair, line, at, now, &report);

    if (came == CAME_NAME)
        buf_add(&agent->name, str_part(line, 0, NAME_BYTES_MAX));
    tell_came(agent, came, &report, at);
}

static void on_shut(void *user, TimeUs now)
{
    AiwolfAgent *agent = user;
    ChairReport report;

    agent->now = now;
    ChairCame came = chair_shut(agent->chair, now, &report);

    tell_came(agent, came, &report, now);
}

void aiwolf_agent_fail(AiwolfAgent *agent, FaultKind kind, Str bytes, TimeUs now)
{
    ChairReport report;

    agent->now = now;
    ChairCame came = chair_lose(agent->chair, kind, bytes, now, &report);

    tell_came(agent, came, &report, now);
}

static void on_lost(void *user, FaultKind kind, Str bytes, TimeUs now)
{
    aiwolf_agent_fail(user, kind, bytes, now);
}

const LinkEars aiwolf_agent_ears = {.heard = on_heard, .shut = on_shut, .lost = on_lost};

void aiwolf_agent_due(AiwolfAgent *agent, TimeUs now)
{
    ChairReport report;

    agent->now = now;
    ChairCame came = chair_due(agent->chair, now, &report);

    tell_came(agent, came, &report, now);
}

/* ---- requests ---- */

void aiwolf_agent_begin_game(AiwolfAgent *agent, int64_t told_seed)
{
    agent->speaker.cursor.told_seed = told_seed;
    chair_begin_game(agent->chair);
}

void aiwolf_agent_ask(AiwolfAgent *agent, const Ask *ask, const View *view, TimeUs now)
{
    chair_ask(agent->chair, ask, view, now);
}

void aiwolf_agent_tell(AiwolfAgent *agent, AiwolfRequest request, const View *view)
{
    if (!chair_is_gone(agent->chair))
        chair_tell(agent->chair, (int)request, view);
}

void aiwolf_agent_ask_again(AiwolfAgent *agent, AskKind kind, uint16_t day, Str packet, TimeUs now)
{
    chair_ask_again(agent->chair, kind, day, packet, now);
}

void aiwolf_agent_tell_again(AiwolfAgent *agent, Str packet)
{
    if (!chair_is_gone(agent->chair))
        chair_send(agent->chair, packet);
}

/* ---- reading ---- */

Str aiwolf_agent_name(const AiwolfAgent *agent)
{
    return buf_str(&agent->name);
}

bool aiwolf_agent_failed(const AiwolfAgent *agent)
{
    return chair_is_gone(agent->chair);
}

TimeUs aiwolf_agent_deadline(const AiwolfAgent *agent)
{
    return chair_deadline(agent->chair);
}

TimeUs aiwolf_agent_now(const AiwolfAgent *agent)
{
    return agent->now;
}

Str aiwolf_agent_line(const AiwolfAgent *agent)
{
    return agent->line;
}

const Chair *aiwolf_agent_chair(const AiwolfAgent *agent)
{
    return agent->chair;
}
