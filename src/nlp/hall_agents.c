/* What all parts of a hall stand on: connections and the lists on which they are, what is said of
 * them, and tasks for the bench of a game. */
#include "nlp/hall_state.h"

int64_t hall_unix_ms(const NlpHall *hall, TimeUs at)
{
    return hall->setup.unix_ms_at_zero + at / 1000;
}

void hall_note(const NlpHall *hall, Str line)
{
    if (hall->setup.out.note)
        hall->setup.out.note(hall->setup.out.user, line);
}

void hall_notice(const NlpHall *hall, ConfigNotice what, Str text)
{
    if (hall->setup.out.notice)
        hall->setup.out.notice(hall->setup.out.user, what, text);
}

NlpAgent *hall_free_agent(NlpAgent *agent)
{
    mem_free(agent->name);
    mem_free(agent->token);
    mem_free(agent->address);
    return mem_free(agent);
}

void hall_lose_agent(NlpAgent *agent)
{
    char **lost = &agent->running->lost[agent->seat];

    mem_free(*lost);
    *lost = agent->address;
    agent->address = NULL;
    hall_free_agent(agent);
}

char *agent_text(Str text)
{
    char *copy = mem_new(text.len + 1);

    if (copy && text.len)
        memcpy(copy, text.bytes, text.len);
    return copy;
}

void agent_list_add(AgentList *list, NlpAgent *agent)
{
    agent->prev = list->last;
    agent->next = NULL;
    *(list->last ? &list->last->next : &list->first) = agent;
    list->last = agent;
    list->count++;
}

void agent_list_drop(AgentList *list, NlpAgent *agent)
{
    *(agent->prev ? &agent->prev->next : &list->first) = agent->next;
    *(agent->next ? &agent->next->prev : &list->last) = agent->prev;
    agent->next = agent->prev = NULL;
    list->count--;
}

void hall_unqueue(NlpHall *hall, NlpAgent *agent)
{
    agent_list_drop(&hall->waiting, agent);
}

void hall_queue(NlpHall *hall, NlpAgent *agent)
{
    const bool out = operator_acts_is_out(hall->acts, agent->team);

    agent->state = out ? AGENT_LEFT_OUT : AGENT_WAITING;
    agent_list_add(out ? &hall->left_out : &hall->waiting, agent);
}

void hall_take_off_way(NlpHall *hall, NlpAgent *agent)
{
    agent->running->returning &= ~seat_bit(agent->seat);
    agent->running = NULL;
    hall->counts.rejoined--;
}

AgentList *hall_list_of(NlpHall *hall, const NlpAgent *agent)
{
    return agent->state == AGENT_NAMING      ? &hall->naming
           : agent->state == AGENT_RETURNING ? &hall->returning
           : agent->state == AGENT_LEFT_OUT  ? &hall->left_out
                                             : &hall->waiting;
}

/* Closes the connection of an agent that has no seat; the agent is gone. */
void hall_refuse(NlpHall *hall, NlpAgent *agent, NlpClose code, const char *reason)
{
    CLEANUP(buf_done) Buf line = {0};

    buf_printf(&line, "refused%s%s address=%s code=%d: %s", agent->name ? " name=" : "",
               agent->name ? agent->name : "", agent->address, (int)code, reason);
    hall_note(hall, buf_str(&line));
    agent_list_drop(hall_list_of(hall, agent), agent);
    hall->counts.open--;
    hall->setup.out.close(agent->peer, code, reason);
    hall_free_agent(agent);
}

/* Has the bench of a game do something. */
void hall_give_task(NlpHall *hall, const Task *task, TimeUs now)
{
    if (task->running->away_at < 0)
        bench_do(hall->bench, task, now);
    else
        hall->setup.out.task(hall->setup.out.user, (unsigned)task->running->away_at, task);
}

void hall_call_moves(NlpHall *hall)
{
    if (!hall->moves_due)
        hall->setup.out.moves(hall->setup.out.user);
    hall->moves_due = true;
}

Running *running_free(Running *running)
{
    if (!running)
        return NULL;
    for (SeatNo seat = 1; seat <= running->count; seat++) {
        mem_free(running->lost[seat]);
        mem_free(running->tokens[seat]);
    }
    buf_done(&running->last);
    buf_done(&running->last_masked);
    nlp_table_free(running->table);
    return mem_free(running);
}

void hall_hand_over(NlpHall *hall, Running *running)
{
    if (!hall->setup.benches)
        return;
    running->moving = true;
    hall_call_moves(hall);
}
