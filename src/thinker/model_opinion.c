/* model_opinion.c - what a model thinks while it waits: whom it would vote for, and how sure it is.
 * Nobody is told, and it gives way to whatever is asked of the seat.
 *
 *   a line was heard, and nothing is asked --due--> number taken, at a fixed point of the game
 *     --a moment later, when the seat is free--> asked --answered--> kept until roles are told
 *     any ask, the next game --> given up
 *
 * At a fixed point: what the number of an opinion is follows from packets and answers alone, and
 * not from how fast a server is. So the answers of another time can be given again.
 */
#include "thinker/model_state.h"

#define SECOND     ((TimeUs)1000 * 1000)
#define OPINION_US (20 * SECOND)

/* ---- what was answered ---- */

static SeatNo seat_named(const View *view, const char *name)
{
    for (SeatNo seat = 1; seat <= view->seat_count; seat++)
        if (str_eq(view->names[seat], str_of(name)))
            return seat;
    return SEAT_NONE;
}

static void keep_opinion(ModelAgent *agent, const LlmDecision *decision)
{
    ModelMind *mind = &agent->mind;
    const SeatNo target = seat_named(agent->view, decision->target);
    uint32_t percent;

    if (target == SEAT_NONE || !llm_percent(str_of(decision->reason), &percent))
        return;
    mind->opined_day = (uint32_t)agent->view->day + 1;
    if (mind->count < MODEL_OPINIONS_MAX)
        mind->opinions[mind->count++] = (ModelOpinion){target, (uint8_t)percent};
}

static void on_opined(void *user, const LlmDecision *decision, LlmSource source, TimeUs now)
{
    ModelAgent *agent = user;

    (void)now;
    agent->mind.opines = false;
    if (source != SOURCE_FALLBACK && decision->action == LLM_VOTE)
        keep_opinion(agent, decision);
    model_opinion_look(agent);
}

/* ---- asking ---- */

static bool write_scene(ModelAgent *agent, uint32_t number, TimeUs now, LlmScene *ret_scene)
{
    const Ask vote = {.kind = ASK_VOTE, .seat = agent->view->seat};

    if (!model_scene(agent, &vote, now, ret_scene))
        return false;
    ret_scene->task = TASK_OPINION;
    ret_scene->lines_said = agent->mind.lines;
    ret_scene->seed = rng_derive(agent->mind.seed, number);
    return true;
}

static void ask_opinion(ModelAgent *agent, uint32_t number, TimeUs now)
{
    LlmScene scene;

    agent->mind.due = 0;
    if (!write_scene(agent, number, now, &scene))
        return;
    agent->mind.opines = true;
    if (llm_seat_ask_opinion(agent->seat, number, &scene, now, now + OPINION_US, on_opined, agent,
                             NULL) ||
        !llm_seat_busy(agent->seat))
        agent->mind.opines = false; /* no memory; or it is answered, or never was */
}

static void on_free(void *user, TimeUs now)
{
    ModelAgent *agent = user;

    if (agent->mind.due && agent->in_game && !llm_seat_busy(agent->seat))
        ask_opinion(agent, agent->mind.due, now);
}

static bool is_wanted(const ModelAgent *agent)
{
    const ModelMind *mind = &agent->mind;
    const LlmOpinions when = agent->setup.manner.opinions;

    return when == OPINIONS_LINE ||
           (when == OPINIONS_DAY && mind->opined_day != (uint32_t)agent->view->day + 1);
}

void model_opinion_due(ModelAgent *agent)
{
    ModelMind *mind = &agent->mind;
    const View *view = agent->view;

    if (agent->setup.manner.opinions == OPINIONS_OFF || !mind->heard || !agent->in_game ||
        !seat_in(view->alive, view->seat))
        return;
    mind->heard = false;
    const uint32_t number = llm_seat_number(agent->seat);
    if (!is_wanted(agent))
        return;
    mind->due = number;
    model_opinion_look(agent);
}

/* Nobody has to be waited for. */
static bool comes_at_once(const ModelAgent *agent)
{
    return !agent->setup.endpoint || llm_answers_replays(agent->setup.take_answers);
}

void model_opinion_look(ModelAgent *agent)
{
    if (agent->mind.due && comes_at_once(agent))
        on_free(agent, agent->decided_at);
    else if (agent->mind.due)
        alarm_soon(&agent->mind.alarm);
}

bool model_opinion_stop(ModelAgent *agent)
{
    const bool opined = agent->mind.opines;

    agent->mind.due = 0;
    agent->mind.opines = false;
    alarm_stop(&agent->mind.alarm);
    if (opined)
        llm_seat_cancel(agent->seat);
    return opined;
}

/* ---- a game ---- */

void model_opinion_open(ModelAgent *agent, Alarms *alarms)
{
    alarm_init(&agent->mind.alarm, alarms, on_free, agent);
    agent->mind.seed = rng_derive(agent->setup.seed, 3);
}

void model_opinion_begin(ModelAgent *agent)
{
    ModelMind *mind = &agent->mind;

    mind->heard = false;
    mind->opined_day = mind->lines = mind->count = 0;
}

/* Who is a wolf knows who the others are. */
void model_opinion_score(ModelAgent *agent, SeatSet wolves)
{
    ModelMind *mind = &agent->mind;
    const bool knows = seat_in(wolves, agent->view->seat);

    for (uint32_t i = 0; i < mind->count && !knows; i++)
        opinion_score_add(&mind->score, mind->opinions[i].percent,
                          seat_in(wolves, mind->opinions[i].target));
    mind->count = 0;
}

void model_agent_score(ModelAgent *agent, bool (*is_wolf)(const void *user, Str name),
                       const void *user)
{
    const View *view = agent->view;
    SeatSet wolves = 0;

    for (SeatNo seat = 1; agent->in_game && seat <= view->seat_count; seat++)
        if (is_wolf(user, view->names[seat]))
            wolves |= seat_bit(seat);
    if (wolves)
        model_opinion_score(agent, wolves);
}
