/*   NAMING --name, token--> WAITING --match--> SEATED --game over--> gone
 *      |                       |                 |
 *      |                       |                 +--connection lost--> gone; the seat is kept for a
 *      |                       |                    while for who comes back with name and token
 *      +--no name, bad token---+--connection lost--> gone
 *
 * A game begins and ends here; in between it may be on another bench, which tells what happens.
 *
 * A match is tried whenever something changed that could allow one: a connection came or went, a
 * game is over, time for --fill is up (2.2, target). */
#include "nlp/hall.h"

#include "nlp/hall_state.h"
#include "wire/nlp_packet.h"

#define RETRY_US    60000000
#define NAME_PACKET "{\"request\":\"NAME\"}"

/* ---- who comes and goes ---- */

int nlp_hall_opened(NlpHall *hall, void *peer, Str token, const char *address, TimeUs now,
                    NlpAgent **ret_agent, Err *err)
{
    NlpAgent *agent = mem_new(sizeof(*agent));

    if (agent) {
        agent->token = agent_text(token);
        agent->address = agent_text(str_of(address));
    }
    if (!agent || !agent->token || !agent->address) {
        if (agent)
            hall_free_agent(agent);
        return err_set(err, ERR_MEMORY, "a connection: out of memory");
    }
    agent->hall = hall;
    agent->peer = peer;
    agent->since = now;
    agent->state = AGENT_NAMING;
    agent_list_add(&hall->naming, agent);
    hall->counts.connections++;
    hall->counts.open++;
    *ret_agent = agent;
    hall->setup.out.send(peer, STR(NAME_PACKET));
    return 0;
}

void nlp_hall_takes_bids(NlpAgent *agent)
{
    agent->bids = true;
}

void nlp_hall_message(NlpHall *hall, NlpAgent *agent, Str text, TimeUs now)
{
    switch (agent->state) {
    case AGENT_NAMING:
        hall_take_name(hall, agent, text, now);
        break;
    case AGENT_WAITING: /* nothing was asked */
    case AGENT_LEFT_OUT:
    case AGENT_MATCHED:
    case AGENT_RETURNING:
        hall->counts.late_replies++;
        break;
    case AGENT_SEATED:
        bench_message(agent, text, now);
        break;
    }
}

void nlp_hall_closed(NlpHall *hall, NlpAgent *agent, TimeUs now)
{
    if (agent->state == AGENT_SEATED) {
        bench_lost(agent, now);
    } else {
        hall->counts.open--;
        if (agent->state == AGENT_MATCHED)
            hall_unmatch(hall, agent);
        else
            agent_list_drop(hall_list_of(hall, agent), agent);
        if (agent->state == AGENT_RETURNING)
            hall_take_off_way(hall, agent);
        hall_free_agent(agent);
    }
    hall_match(hall, now);
}

/* ---- time ---- */

static TimeUs naming_deadline(const NlpHall *hall)
{
    return hall->naming.first ? hall->naming.first->since + 1000 * hall->setup.config->name_ms
                              : TIME_US_NEVER;
}

static TimeUs fill_deadline(const NlpHall *hall)
{
    if (!hall->setup.fill || !hall->waiting.first || hall->draining)
        return TIME_US_NEVER;
    return hall->waiting.first->since + hall->setup.fill_after;
}

/* A quarantine ends without anybody doing anything, and so does the hour in which a team has played
 * all its self matches. */
static TimeUs retry_deadline(const NlpHall *hall)
{
    const bool in_hours = hall->setup.config->matching.self_match && !hall->history &&
                          self_quota_most(hall->quota) > 0;
    const bool may =
        ((hall->setup.config->health.enable && hall->history) || in_hours) && hall->waiting.first;

    return may && !hall->draining ? hall->matched_at + RETRY_US : TIME_US_NEVER;
}

TimeUs nlp_hall_deadline(const NlpHall *hall)
{
    TimeUs first = naming_deadline(hall);
    TimeUs fill = fill_deadline(hall);

    if (bench_deadline(hall->bench) < first)
        first = bench_deadline(hall->bench);
    if (fill < first && fill > hall->filled_at)
        first = fill;
    if (hall->hold_until && hall->hold_until < first)
        first = hall->hold_until;
    TimeUs retry = retry_deadline(hall);
    return retry < first ? retry : first;
}

void nlp_hall_tick(NlpHall *hall, TimeUs now)
{
    bool match = false;

    while (naming_deadline(hall) <= now)
        hall_refuse(hall, hall->naming.first, CLOSE_NO_NAME, "no answer to NAME in time");
    bench_tick(hall->bench, now);
    if (hall->hold_until && hall->hold_until <= now) {
        hall->hold_until = 0;
        match = true;
        if (hall->unsaved) {
            hall_save_history(hall, now);
            hall_tell_complete(hall);
        }
    }
    if (fill_deadline(hall) <= now) {
        hall->filled_at = now;
        match = true;
    }
    if (retry_deadline(hall) <= now)
        match = hall->held_back = true; /* all who wait are looked at */
    if (match)
        hall_match(hall, now);
}

void nlp_hall_go_on(NlpHall *hall, Str game_id, TimeUs now)
{
    for (Running *running = hall->running; running; running = running->next)
        if (str_eq(str_of(running->id), game_id)) {
            hall_give_task(hall, &(Task){.kind = TASK_GO_ON, .running = running}, now);
            return;
        }
}

/* ---- the end of all ---- */

void nlp_hall_drain(NlpHall *hall, TimeUs now)
{
    if (hall->unsaved) /* the last occasion */
        hall_save_history(hall, now);
    if (!hall->draining && !nlp_hall_complete(hall))
        hall_note(hall, STR("draining: no further game begins"));
    hall->draining = true;
}

void nlp_hall_abort(NlpHall *hall, TimeUs now)
{
    nlp_hall_drain(hall, now);
    for (Running *running = hall->running, *next; running; running = next) {
        next = running->next;
        hall_give_task(hall, &(Task){.kind = TASK_ABORT, .running = running}, now);
    }
    hall_unmatch(hall, NULL);
    while (hall->waiting.first)
        hall_refuse(hall, hall->waiting.first, CLOSE_GOING_AWAY, "server is shutting down");
    while (hall->left_out.first)
        hall_refuse(hall, hall->left_out.first, CLOSE_GOING_AWAY, "server is shutting down");
    while (hall->naming.first)
        hall_refuse(hall, hall->naming.first, CLOSE_GOING_AWAY, "server is shutting down");
}

bool nlp_hall_draining(const NlpHall *hall)
{
    return hall->draining;
}

bool nlp_hall_done(const NlpHall *hall)
{
    if (hall->draining)
        return hall->counts.games == 0 || nlp_hall_complete(hall);
    return nlp_hall_complete(hall) && !operator_acts_held(hall->acts);
}

/* ---- making ---- */

/* A hold and teams that are left out are the same as before. */
static int take_acts(NlpHall *hall, Err *err)
{
    int rc = hall->setup.results ? 0 : operator_acts_new(&hall->own_acts, err);

    if (rc)
        return rc;
    hall->acts = hall->setup.results ? result_journal_acts(hall->setup.results) : hall->own_acts;
    hall->acts_seen = operator_acts_total(hall->acts);
    if (operator_acts_held(hall->acts))
        hall_note(hall, STR("held: no game begins until an operator lets it go on"));
    return 0;
}

int nlp_hall_new(const NlpHallSetup *setup, NlpHall **ret_hall, Err *err)
{
    const Config *config = setup->config;
    NlpHall *hall = mem_new(sizeof(*hall));

    if (!hall)
        return err_set(err, ERR_MEMORY, "new server: out of memory");
    hall->setup = *setup;
    hall->chance = hall_chance(&setup->key);
    hall->filled_at = -1;
    hall->history_lock = -1;
    const BenchOut bench = {
        .send = setup->out.send, .close = setup->out.close, .tell = hall_hear_own, .user = hall};
    int rc = bench_new(&bench, setup->unix_ms_at_zero, &hall->bench, err);
    if (rc == 0)
        rc = take_acts(hall, err);
    if (rc == 0)
        rc = team_health_new(&config->health, &hall->health, err);
    if (rc == 0)
        rc = self_quota_new(setup->self_per_hour, &hall->quota, err);
    if (rc == 0)
        rc = hall_open_history(hall, err);
    if (rc) {
        nlp_hall_free(hall);
        return rc;
    }
    config = hall->setup.config; /* may be with the schedule's roles now */
    nlp_setting_write(&config->rules, config->agent_count, config->role_named, config->action_ms,
                      config->response_ms, &hall->setting);
    *ret_hall = hall;
    return 0;
}

void nlp_hall_set_clock(NlpHall *hall, int64_t unix_ms_at_zero)
{
    Task task = {.kind = TASK_CLOCK, .unix_ms_at_zero = unix_ms_at_zero};

    hall->setup.unix_ms_at_zero = unix_ms_at_zero;
    bench_do(hall->bench, &task, 0);
    for (unsigned i = 0; i < hall->setup.benches; i++)
        hall->setup.out.task(hall->setup.out.user, i, &task);
}

NlpHall *nlp_hall_free(NlpHall *hall)
{
    if (!hall)
        return NULL;
    hall_unmatch(hall, NULL);
    while (hall->running) {
        Running *running = hall->running;
        hall->running = running->next;
        for (SeatNo seat = 1; seat <= running->count; seat++)
            if (nlp_table_peer(running->table, seat))
                hall_free_agent(nlp_table_peer(running->table, seat));
        running_free(running);
    }
    AgentList *lists[] = {&hall->naming, &hall->waiting, &hall->left_out, &hall->returning};
    for (size_t i = 0; i < sizeof(lists) / sizeof(lists[0]); i++)
        while (lists[i]->first) {
            NlpAgent *agent = lists[i]->first;
            agent_list_drop(lists[i], agent);
            hall_free_agent(agent);
        }
    hall_forget(hall);
    history_free(hall->history);
    history_unlock(hall->setup.config->matching.output_path, hall->history_lock);
    team_health_free(hall->health);
    self_quota_free(hall->quota);
    operator_acts_free(hall->own_acts);
    buf_done(&hall->setting);
    bench_free(hall->bench);
    return mem_free(hall);
}
