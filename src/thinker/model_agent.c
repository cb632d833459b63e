/* model_agent.c - when a model is asked in the AIWolf divisions, and what its decision says there.
 */
#include "base/json.h"
#include "base/utf8.h"
#include "game/ask_targets.h"
#include "game/bid.h"
#include "thinker/model_state.h"

#include "lang/lang.h"
#include "stats/decision_sheet.h"

#include <inttypes.h>

#define SECOND         ((TimeUs)1000 * 1000)
#define HURRIED_US     (SECOND * 4 / 10) /* with less no model has answered: none is asked */
#define USUAL_PROTOCOL SECOND            /* where the server tells no limit */
#define USUAL_NATURAL  (60 * SECOND)
#define DEMO_US        (SECOND / 10) /* the demo model keeps nobody waiting */
#define QUIET_MAX_US   (20 * SECOND) /* in a silent room one may speak twice in a row */
#define MARGIN_US      (SECOND / 2)  /* a line must come so long before a session's end */
#define PAUSE_MIN_US   (2 * SECOND)
#define PAUSE_MAX_US   (8 * SECOND)

/* ---- answers ---- */

static void count_decision(ModelAgent *agent, LlmSource source)
{
    ModelCounts *counts = &agent->counts;

    counts->decisions++;
    counts->by_model += source == SOURCE_MODEL || source == SOURCE_REPAIRED;
    counts->by_demo += source == SOURCE_DEMO;
    counts->by_rule += source == SOURCE_FALLBACK;
}

static SeatNo seat_of(const View *view, const char *name)
{
    for (SeatNo seat = 1; seat <= view->seat_count; seat++)
        if (str_eq(view->names[seat], str_of(name)))
            return seat;
    return SEAT_NONE;
}

static bool is_sentence(ModelAgent *agent, Str text, Err *err)
{
    const Sentence *sentence;

    arena_clear(&agent->arena);
    return lang_parse(text, &agent->arena, &sentence, err) == 0;
}

/* LlmSeatSetup.check: what the table would not take is said to the model once. */
static int check_decision(void *user, const LlmScene *scene, const LlmDecision *decision, Err *err)
{
    ModelAgent *agent = user;
    Err wrong = {0};

    if (scene->speech != SPEECH_PROTOCOL || decision->action != LLM_SPEAK ||
        is_sentence(agent, str_of(decision->message), &wrong))
        return 0;
    return err_set(err, ERR_RULE,
                   scene->language == LLM_JAPANESE
                       ? "message はプロトコル言語の文ではありません。%u文字目: %s"
                       : "The message is no sentence of the protocol language: column %u: %s",
                   wrong.column, wrong.msg);
}

static void send_answer(ModelAgent *agent, const Answer *answer)
{
    const Ask ask = agent->ask;

    if (!ask.standing) {
        agent->asked = false;
        model_opinion_due(agent); /* asked for when the answer is gone: it waits for nothing */
    }
    agent->setup.answer(agent->setup.user, &ask, answer);
}

static bool is_deciding(const ModelAgent *agent)
{
    return llm_seat_busy(agent->seat) && !agent->mind.opines;
}

/* When it thinks again though nobody asks: models.md 1.8. */
static void plan_turn(ModelAgent *agent)
{
    TimeUs at = TIME_US_NEVER;

    if (!agent->asked || !agent->ask.standing || is_deciding(agent))
        return;
    if (agent->news)
        at = agent->addressed ? agent->decided_at + agent->setup.pause_min : agent->next;
    else if (agent->spoke_last)
        at = agent->spoke_at + QUIET_MAX_US;
    if (at == TIME_US_NEVER)
        alarm_stop(&agent->alarm);
    else
        alarm_at(&agent->alarm, at, false);
}

/* A turn is passed with Skip; the server knows when there were enough of them. */
static void answer_speech(ModelAgent *agent, const LlmDecision *decision, TimeUs now)
{
    Str text = str_of(decision->message);
    bool speaks = decision->action == LLM_SPEAK && text.len > 0 &&
                  (!agent->setup.protocol || is_sentence(agent, text, NULL));
    const Answer answer = {.kind = agent->ask.kind, .text = speaks ? text : STR("Skip")};

    if (speaks) {
        agent->spoke_last = true;
        agent->spoke_at = now;
    }
    plan_turn(agent);
    model_opinion_look(agent);
    if (agent->ask.standing && !speaks)
        return;
    send_answer(agent, &answer);
}

static void answer_target(ModelAgent *agent, const LlmDecision *decision)
{
    SeatNo seat = decision->action == LLM_VOTE ? seat_of(agent->view, decision->target) : SEAT_NONE;
    const Answer answer = {.kind = agent->ask.kind, .target = seat, .lapse = seat == SEAT_NONE};

    send_answer(agent, &answer);
}

/* The number is the target's name: model_scene.c. */
static void answer_bid(ModelAgent *agent, const LlmDecision *decision)
{
    Answer answer = {.kind = ASK_BID, .lapse = true};

    if (decision->action == LLM_VOTE)
        bid_read(str_of(decision->target), &answer);
    send_answer(agent, &answer);
}

/* ---- decisions ---- */

static TimeUs pause_of(ModelAgent *agent)
{
    TimeUs least = agent->setup.pause_min, most = agent->setup.pause_max;

    return least + (TimeUs)rng_below(&agent->rng, (uint32_t)((most - least) / 1000) + 1) * 1000;
}

static void carry_out(ModelAgent *agent, const LlmDecision *decision, LlmSource source, TimeUs now)
{
    count_decision(agent, source);
    agent->listened = decision->action == LLM_LISTEN && source != SOURCE_FALLBACK;
    if (source == SOURCE_FALLBACK)
        agent->news = true; /* nobody has read it */
    agent->decided_at = now;
    agent->next = now + pause_of(agent);
    if (ask_is_speech(agent->ask.kind))
        answer_speech(agent, decision, now); /* last: the owner may ask again */
    else if (agent->ask.kind == ASK_BID)
        answer_bid(agent, decision);
    else
        answer_target(agent, decision);
}

static void on_decided(void *user, const LlmDecision *decision, LlmSource source, TimeUs now)
{
    ModelAgent *agent = user;

    if (agent->asked)
        carry_out(agent, decision, source, now);
}

static void decide_by_rule(ModelAgent *agent, const LlmScene *scene, TimeUs now)
{
    LlmDecision decision;

    llm_fallback(scene, &decision);
    agent->counts.hurried++;
    carry_out(agent, &decision, SOURCE_FALLBACK, now);
}

/* Nothing can be said any more, or nobody chosen: that is no decision. */
static void pass_turn(ModelAgent *agent)
{
    const Answer answer = {.kind = agent->ask.kind, .lapse = true, .text = STR("Skip")};

    if (!agent->ask.standing)
        send_answer(agent, &answer);
}

/* It listened, and nothing has happened since: it would listen again. */
static bool has_nothing_to_add(const ModelAgent *agent)
{
    return ask_is_speech(agent->ask.kind) && agent->listened && !llm_seat_has_news(agent->seat) &&
           !model_must_speak(agent->view, &agent->ask);
}

static void decide_ask(ModelAgent *agent, TimeUs now)
{
    LlmScene scene;
    TimeUs deadline = agent->until;

    model_opinion_stop(agent); /* the question takes its place */

    if (has_nothing_to_add(agent)) {
        pass_turn(agent);
        return;
    }
    agent->asks++;
    agent->news = agent->addressed = false;
    if (!model_scene(agent, &agent->ask, now, &scene)) {
        pass_turn(agent);
        return;
    }
    if (agent->setup.endpoint && deadline - now < HURRIED_US && !agent->ask.standing) {
        decide_by_rule(agent, &scene, now);
        return;
    }
    if (!agent->setup.endpoint && deadline - now > DEMO_US)
        deadline = now + DEMO_US;
    if (llm_seat_ask(agent->seat, &scene, now, deadline, on_decided, agent, NULL))
        decide_by_rule(agent, &scene, now); /* no memory for a question */
}

/* ---- speaking at any time ---- */

static bool has_left(const ModelAgent *agent)
{
    const View *view = agent->view;
    const uint16_t *left = agent->ask.kind == ASK_TALK ? view->talk_left : view->whisper_left;

    return !left || left[view->seat] > 0;
}

static void think_again(ModelAgent *agent, TimeUs now)
{
    if (has_left(agent) && now < agent->until)
        decide_ask(agent, now);
}

static void think_on(ModelAgent *agent, TimeUs now)
{
    if (!agent->asked || is_deciding(agent))
        return;
    if (agent->ask.standing)
        think_again(agent, now);
    else
        decide_ask(agent, now);
}

static void on_alarm(void *user, TimeUs now)
{
    ModelAgent *agent = user;

    if (agent->setup.moves)
        agent->setup.moves(agent->setup.user, MODEL_THINKS, now);
    think_on(agent, now);
}

static void on_seat_moves(void *user, TimeUs now)
{
    const ModelAgent *agent = user;

    if (agent->setup.moves && !agent->mind.opines)
        agent->setup.moves(agent->setup.user, MODEL_DECIDES, now);
}

void model_agent_move(ModelAgent *agent, ModelMove move, TimeUs now)
{
    if (move == MODEL_DECIDES) {
        llm_seat_move(agent->seat, now);
        return;
    }
    alarm_stop(&agent->alarm);
    think_on(agent, now);
}

/* ---- Thinker ---- */

static TimeUs limit_of(const ModelAgent *agent)
{
    TimeUs told = (TimeUs)agent->view->rules->contest.time_limit_told_ms * 1000;

    if (agent->setup.limit)
        return agent->setup.limit;
    if (told > 0)
        return told;
    return agent->setup.protocol ? USUAL_PROTOCOL : USUAL_NATURAL;
}

static TimeUs end_of(const ModelAgent *agent, const Ask *ask, TimeUs now)
{
    const Ruleset *rules = agent->view->rules;
    int32_t session_ms = (ask->kind == ASK_TALK ? &rules->talk : &rules->whisper)->duration_ms;

    if (!ask->standing)
        return now + limit_of(agent) * 9 / 10;
    return session_ms > 0 ? now + (TimeUs)session_ms * 1000 - MARGIN_US : TIME_US_NEVER;
}

static void agent_unask(void *user)
{
    ModelAgent *agent = user;

    agent->asked = false;
    alarm_stop(&agent->alarm);
    if (!agent->mind.opines) /* which nothing but another question ends */
        llm_seat_cancel(agent->seat);
}

/* Also with what it was asked beside the game. */
static void stop_all(ModelAgent *agent)
{
    model_opinion_stop(agent);
    agent_unask(agent);
}

static void agent_profile(void *user, Str text)
{
    ModelAgent *agent = user;

    buf_clear(&agent->profile);
    buf_add(&agent->profile, text);
}

static bool keeps_answers(const ModelAgentSetup *setup)
{
    return setup->take_answers && !llm_answers_are_given(setup->take_answers);
}

/* What stands below in its file is of this game. */
static void agent_game(void *user, Str id)
{
    ModelAgent *agent = user;
    CLEANUP(buf_done) Buf line = {0};
    Json json = json_over(&line);

    buf_clear(&agent->game_id);
    buf_add(&agent->game_id, id);
    json_open(&json, '{');
    json_add_str(&json, "type", STR("game"));
    json_add_str(&json, "id", id);
    json_close(&json);
    if (id.len && keeps_answers(&agent->setup) && !buf_failed(&line))
        llm_answers_note(agent->setup.take_answers, buf_str(&line));
}

Str model_agent_game(const ModelAgent *agent)
{
    return buf_str(&agent->game_id);
}

static void agent_begin(void *user, const View *view)
{
    ModelAgent *agent = user;

    stop_all(agent);
    agent->view = view;
    agent->in_game = true;
    agent->language = model_language(agent, view);
    model_begin(agent);
}

static void hear_view(ModelAgent *agent, const View *view)
{
    agent->view = view;
    if (agent->in_game)
        model_look(agent);
}

static void agent_look(void *user, const View *view)
{
    ModelAgent *agent = user;

    hear_view(agent, view);
    plan_turn(agent);
    if (!agent->asked || agent->ask.standing)
        model_opinion_due(agent);
}

static void agent_ask(void *user, const Ask *ask, const View *view, TimeUs now)
{
    ModelAgent *agent = user;

    stop_all(agent);
    hear_view(agent, view);
    if (!agent->in_game)
        return;
    agent->asked = true;
    agent->ask = *ask;
    agent->until = end_of(agent, ask, now);
    agent->news = true; /* a new session is something to speak about */
    agent->spoke_last = false;
    agent->decided_at = now;
    agent->next = now + pause_of(agent) / 2;
    alarm_at(&agent->alarm, ask->standing ? agent->next : TIME_US_PAST, false);
}

static void agent_end(void *user, const View *view, Side winner)
{
    ModelAgent *agent = user;

    stop_all(agent);
    hear_view(agent, view);
    if (agent->in_game)
        model_end(agent, winner);
    agent->in_game = false;
}

const Thinker *model_agent_thinker(void)
{
    static const Thinker thinker = {.profile = agent_profile,
                                    .game = agent_game,
                                    .begin = agent_begin,
                                    .look = agent_look,
                                    .ask = agent_ask,
                                    .unask = agent_unask,
                                    .end = agent_end};

    return &thinker;
}

/* ---- the object ---- */

static void on_record(void *user, Str json, TimeUs now)
{
    const ModelAgent *agent = user;

    (void)now;
    if (llm_answers_are_given(agent->setup.take_answers))
        llm_answers_compare(agent->setup.take_answers, json);
    else
        llm_answers_note(agent->setup.take_answers, json);
}

/* What it is, for who reads its decisions; with the seed by which rules decide in its place. */
static void note_seat(const ModelAgent *agent)
{
    CLEANUP(buf_done) Buf line = {0};
    CLEANUP(buf_done) Buf seed = {0};
    Json json = json_over(&line);

    buf_add_uint(&seed, agent->setup.seed);
    json_open(&json, '{');
    json_add_str(&json, "type", STR("seat"));
    json_add_str(&json, "seed", buf_str(&seed));
    if (agent->setup.manner.opinions)
        json_add_str(&json, "opinions", str_of(llm_opinions_name(agent->setup.manner.opinions)));
    llm_seat_about(agent->seat, &json);
    json_close(&json);
    if (!buf_failed(&line))
        llm_answers_note(agent->setup.take_answers, buf_str(&line));
}

int model_agent_replayed(const ModelAgent *agent, bool over, Err *err)
{
    const LlmAnswers *answers = agent->setup.take_answers;

    if (!answers || !llm_answers_are_given(answers))
        return 0;
    return over ? llm_answers_end(answers, err) : llm_answers_failed(answers, err);
}

int model_agent_new(Alarms *alarms, const ModelAgentSetup *setup, ModelAgent **ret_agent, Err *err)
{
    ModelAgent *agent = mem_new(sizeof(*agent));

    if (agent)
        agent->arena = arena_new(LANG_ARENA_BYTES(LANG_BYTES_MAX));
    if (!agent || !agent->arena.block) {
        mem_free(agent);
        llm_answers_free(setup->take_answers);
        prompt_log_free(setup->take_prompts);
        return err_set(err, ERR_MEMORY, "a model player: out of memory");
    }
    agent->setup = *setup;
    alarm_init(&agent->alarm, alarms, on_alarm, agent);
    model_opinion_open(agent, alarms);
    if (setup->manner.ask_max_ms) {
        agent->setup.pause_min = (TimeUs)setup->manner.ask_min_ms * 1000;
        agent->setup.pause_max = (TimeUs)setup->manner.ask_max_ms * 1000;
    }
    if (!agent->setup.pause_min)
        agent->setup.pause_min = PAUSE_MIN_US;
    if (!agent->setup.pause_max)
        agent->setup.pause_max = PAUSE_MAX_US;
    if (agent->setup.pause_max < agent->setup.pause_min)
        agent->setup.pause_max = agent->setup.pause_min;
    agent->rng = rng_new(rng_derive(setup->seed, 1));
    const LlmSeatSetup seat = {.endpoint = setup->endpoint,
                               .persona = setup->persona,
                               .filters = setup->manner.filters,
                               .seed = rng_derive(setup->seed, 2),
                               .check = check_decision,
                               .check_user = agent,
                               .record = setup->take_answers ? on_record : NULL,
                               .user = agent,
                               .prompts = setup->take_prompts,
                               .answers = setup->take_answers,
                               .moves = on_seat_moves,
                               .moves_user = agent};
    int rc = llm_seat_new(alarms, &seat, &agent->seat, err);
    if (rc) {
        model_agent_free(agent);
        return rc;
    }
    if (keeps_answers(setup))
        note_seat(agent);
    *ret_agent = agent;
    return 0;
}

ModelAgent *model_agent_free(ModelAgent *agent)
{
    if (!agent)
        return NULL;
    alarm_stop(&agent->alarm);
    alarm_stop(&agent->mind.alarm);
    llm_seat_free(agent->seat);
    llm_answers_free(agent->setup.take_answers);
    prompt_log_free(agent->setup.take_prompts);
    buf_done(&agent->profile);
    buf_done(&agent->game_id);
    buf_done(&agent->notes);
    buf_done(&agent->shown);
    arena_done(&agent->arena);
    return mem_free(agent);
}

/* ---- figures ---- */

void model_agent_count(const ModelAgent *agent, ModelCounts *counts)
{
    counts->decisions += agent->counts.decisions;
    counts->by_model += agent->counts.by_model;
    counts->by_demo += agent->counts.by_demo;
    counts->by_rule += agent->counts.by_rule;
    counts->hurried += agent->counts.hurried;
    LlmFigures figures;
    llm_seat_figures(agent->seat, &figures);
    ModelFigures mine = llm_figures_of(&figures);
    opinion_score_put(&agent->mind.score, &mine);
    model_figures_add(&counts->figures, &mine);
    if (figures.trouble[0])
        memcpy(counts->trouble, figures.trouble, sizeof(counts->trouble));
    counts->endpoint = agent->setup.endpoint;
}

static DecisionSheet sheet_of(const ModelCounts *counts)
{
    DecisionSheet sheet = {.decisions = counts->decisions,
                           .own = counts->by_model + counts->by_demo,
                           .figures = counts->figures};

    if (counts->endpoint)
        decision_model_set(&sheet.model, str_of(llm_endpoint_model(counts->endpoint)),
                           str_of(llm_endpoint_url(counts->endpoint)));
    decision_sheet_set_error(&sheet, str_of(counts->trouble));
    if (!sheet.error[0] && counts->hurried)
        decision_sheet_set_error(&sheet, STR("none was asked: the time limit is too short"));
    return sheet;
}

Exit model_counts_status(const ModelCounts *counts)
{
    const DecisionSheet sheet = sheet_of(counts);

    return decisions_are_own(sheet.own, sheet.decisions) ? EXIT_OK : EXIT_NOT_OWN;
}

void model_counts_write(const ModelCounts *counts, Buf *out)
{
    buf_printf(out, "%" PRIu64 " of %" PRIu64 " decisions were the model's own", counts->by_model,
               counts->decisions);
    if (counts->by_demo)
        buf_printf(out, "; %" PRIu64 " the demo model's", counts->by_demo);
    if (counts->by_rule)
        buf_printf(out, "; %" PRIu64 " a rule's", counts->by_rule);
    if (counts->hurried)
        buf_printf(out, ", %" PRIu64 " of them because the time limit leaves none to ask",
                   counts->hurried);
    if (counts->trouble[0]) {
        buf_add(out, STR("; the last error: "));
        utf8_add_printable(str_of(counts->trouble), LLM_TROUBLE_MAX, out);
    }
    buf_add_char(out, '\n');
}

void model_counts_write_sheet(const ModelCounts *counts, Buf *out)
{
    if (counts->decisions == 0)
        return;
    const DecisionSheet sheet = sheet_of(counts);
    decision_sheet_write(&sheet, out);
    buf_add_char(out, '\n');
}

void model_counts_write_so_far(const ModelCounts *counts, Buf *out)
{
    const DecisionSheet sheet = {.decisions = counts->decisions,
                                 .own = counts->by_model + counts->by_demo,
                                 .figures = counts->figures};

    decision_sheet_write(&sheet, out);
    buf_add_char(out, '\n');
}
