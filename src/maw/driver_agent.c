#include "maw/driver_agent.h"

#include "base/mem.h"
#include "base/utf8.h"
#include "maw/agent_view.h"
#include "maw/driver_own.h"

struct AgentNotes {
    MawAgentLink link;
    AgentView *view;
    MawAgentFigures figures;
    bool failed;
    bool in_round; /* it has been told of one that goes on */
    /* The ask that is open. */
    bool asked;
    bool stale; /* its answer is of no use any more */
    AskKind kind;
    /* The day. */
    bool dawn_due; /* it has not been told that MAW's day has begun */
    bool day_open; /* told, and not yet that talking is over */
    /* The phase. */
    bool talk_over;
    uint32_t lines;
    uint32_t skips; /* in a row, while the room was silent */
    bool heard;     /* somebody else has spoken since it was asked for words */
    bool voted;     /* or has said that it votes for nobody */
    bool stirred;   /* others have voted since, or spoken */
    bool vote_due;  /* time runs out, and another ask is open */
    uint32_t revotes;
    /* The Seer. */
    bool divine_due;
    bool asking_role;
    SeatNo divined; /* whom to ask for in the morning */
};

static const MawKnown *known_of(const MawDriver *driver)
{
    return maw_player_known(driver->player);
}

static AgentNotes *notes_of(const MawDriver *driver)
{
    return driver->agent;
}

/* ---- telling and asking ---- */

static void tell_agent(MawDriver *driver, AiwolfRequest request)
{
    AgentNotes *notes = notes_of(driver);

    if (!notes->failed && notes->in_round)
        notes->link.tell(notes->link.user, request, agent_view(notes->view));
}

static void ask_agent(MawDriver *driver, AskKind kind, bool revote, TimeUs now)
{
    AgentNotes *notes = notes_of(driver);
    const View *view = agent_view(notes->view);
    const Ask one = {
        .seat = view->seat, .kind = kind, .revote = revote, .number = ++notes->figures.asks};

    agent_view_look(notes->view, known_of(driver));
    notes->asked = true;
    notes->stale = false;
    notes->kind = kind;
    notes->link.ask(notes->link.user, &one, view, now);
}

/* The agent's morning. */
static void tell_dawn(MawDriver *driver)
{
    AgentNotes *notes = notes_of(driver);

    if (!notes->dawn_due)
        return;
    notes->dawn_due = false;
    notes->asking_role = false;
    notes->divined = SEAT_NONE;
    notes->day_open = true;
    agent_view_day(notes->view, known_of(driver));
    tell_agent(driver, AIWOLF_DAILY_INITIALIZE);
}

static void tell_dusk(MawDriver *driver)
{
    AgentNotes *notes = notes_of(driver);

    tell_dawn(driver);
    if (!notes->day_open)
        return;
    notes->day_open = false;
    agent_view_look(notes->view, known_of(driver));
    tell_agent(driver, AIWOLF_DAILY_FINISH);
}

static void ask_ballot(MawDriver *driver, TimeUs now)
{
    AgentNotes *notes = notes_of(driver);
    bool night = known_of(driver)->night;

    if (!night)
        tell_dusk(driver);
    notes->stirred = false;
    notes->vote_due = false;
    notes->revotes += notes->voted;
    ask_agent(driver, night ? ASK_ATTACK : ASK_VOTE, notes->voted, now);
}

/* ---- the Seer ---- */

static bool is_seer(const MawDriver *driver)
{
    return agent_view(notes_of(driver)->view)->role == ROLE_SEER && known_of(driver)->alive;
}

static void divine_when_free(MawDriver *driver, TimeUs now)
{
    AgentNotes *notes = notes_of(driver);

    if (!notes->divine_due || notes->asked || notes->failed || driver->follows)
        return;
    notes->divine_due = false;
    ask_agent(driver, ASK_DIVINE, false, now);
}

/* By day: what was chosen at night is asked. The day begins for the agent when that is answered. */
static void ask_role(MawDriver *driver, TimeUs now)
{
    AgentNotes *notes = notes_of(driver);
    Str name = agent_view_name(notes->view, notes->divined);

    if (notes->asking_role)
        return;
    notes->asking_role = name.len && maw_player_ask_role(driver->player, name, now);
    if (!notes->asking_role)
        tell_dawn(driver);
}

static void begin_day(MawDriver *driver, TimeUs now)
{
    AgentNotes *notes = notes_of(driver);

    notes->dawn_due = true;
    notes->asking_role = false;
    if (is_seer(driver) && notes->divined != SEAT_NONE)
        ask_role(driver, now);
    else if (!is_seer(driver) || !notes->asked || notes->kind != ASK_DIVINE)
        tell_dawn(driver);
}

/* ---- deciding ---- */

static void hear_room(MawDriver *driver, TimeUs now)
{
    const LlmDecision decision = {.action = LLM_LISTEN};

    driver_decided(driver, &decision, now);
}

static void follow_rule(MawDriver *driver, TimeUs now)
{
    LlmDecision decision = {.action = LLM_LISTEN};

    llm_fallback(&driver->scene, &decision);
    driver_decided(driver, &decision, now);
}

/* Somebody to whisper with. */
static bool has_mates(const MawKnown *known)
{
    for (uint32_t i = 0; i < known->player_count; i++)
        if (known->players[i].mate && known->players[i].alive &&
            !str_eq(known->players[i].name, known->me))
            return true;
    return false;
}

static bool mates_disagree(const MawKnown *known)
{
    for (uint32_t i = 0; i < known->player_count; i++) {
        const MawKnownPlayer *person = &known->players[i];
        if (person->mate && person->alive && person->votes_for.len &&
            !str_eq(person->votes_for, known->my_vote))
            return true;
    }
    return false;
}

/* By night as often as it takes to agree, by day once, shortly before the end: the last vote
 * counts. */
static bool wants_revote(const MawDriver *driver, TimeUs now)
{
    const AgentNotes *notes = notes_of(driver);
    const MawKnown *known = known_of(driver);

    if (known->night)
        return notes->revotes < AGENT_REVOTES_MAX && mates_disagree(known) &&
               (notes->stirred || notes->revotes == 0);
    return notes->stirred && notes->revotes < 1 && known->phase_ends != TIME_US_NEVER &&
           now >= known->phase_ends - driver->pace.last_call_us;
}

static bool is_target(const MawDriver *driver, Str name)
{
    Str targets[MAW_LIST_MAX];
    uint32_t count = maw_player_targets(driver->player, targets);

    for (uint32_t i = 0; i < count; i++)
        if (str_eq(targets[i], name))
            return true;
    return false;
}

/* Wolves who insist would never kill here. Where an AIWolf server draws one of their choices, they
 * take that of the first of them, in the order of the table. */
static void settle_round(MawDriver *driver, TimeUs now)
{
    const MawKnown *known = known_of(driver);
    LlmDecision decision = {.action = LLM_LISTEN};
    Str choice = {0};

    for (uint32_t i = 0; i < known->player_count && choice.len == 0; i++) {
        const MawKnownPlayer *person = &known->players[i];
        if (str_eq(person->name, known->me))
            choice = known->my_vote;
        else if (person->mate && person->alive && is_target(driver, person->votes_for))
            choice = person->votes_for;
    }
    if (choice.len && choice.len < sizeof(decision.target) && !str_eq(choice, known->my_vote)) {
        decision.action = LLM_VOTE;
        memcpy(decision.target, choice.bytes, choice.len);
        notes_of(driver)->figures.settled++;
    }
    driver_decided(driver, &decision, now);
}

static void decide_in_room(MawDriver *driver, TimeUs now)
{
    AgentNotes *notes = notes_of(driver);
    const MawKnown *known = known_of(driver);
    bool may_talk = !notes->talk_over && !notes->voted && notes->lines < AGENT_LINES_MAX &&
                    (!known->night || has_mates(known));

    if (may_talk) {
        notes->skips = notes->heard ? 0 : notes->skips;
        notes->heard = false;
        ask_agent(driver, known->night ? ASK_WHISPER : ASK_TALK, false, now);
    } else if (driver->scene.target_count && (!notes->voted || wants_revote(driver, now))) {
        ask_ballot(driver, now);
    } else if (known->night && notes->voted && mates_disagree(known)) {
        settle_round(driver, now);
    } else {
        hear_room(driver, now);
    }
}

static void agent_decide(MawDriver *driver, TimeUs now)
{
    AgentNotes *notes = notes_of(driver);

    if (notes->failed || !notes->in_round) {
        notes->figures.rules++;
        follow_rule(driver, now);
        return;
    }
    tell_dawn(driver);
    if (driver->scene.task != TASK_VOTE)
        decide_in_room(driver, now);
    else if (notes->asked)
        notes->vote_due = true;
    else if (notes->voted && known_of(driver)->my_vote.len == 0 && !notes->stirred)
        hear_room(driver, now); /* it wants nobody */
    else
        ask_ballot(driver, now);
}

/* ---- answers ---- */

/* At most so many characters as the room takes. */
static Str cut_text(Str text, size_t max)
{
    Str rest = text;

    for (size_t i = 0; i < max && rest.len; i++)
        utf8_next(&rest);
    return str_part(text, 0, text.len - rest.len);
}

static void take_utterance(MawDriver *driver, Str text, TimeUs now)
{
    CLEANUP(buf_done) Buf line = {0};
    AgentNotes *notes = notes_of(driver);
    const MawKnown *known = known_of(driver);
    LlmDecision decision = {.action = LLM_LISTEN};

    text = str_trim(text);
    if (str_eq(text, STR("Over"))) {
        notes->talk_over = true;
    } else if (text.len == 0 || str_eq(text, STR("Skip"))) {
        notes->talk_over = ++notes->skips > AGENT_SKIPS_MAX;
    } else {
        agent_text_out(notes->view, text, &line);
        Str said = known->max_chars ? cut_text(buf_str(&line), known->max_chars) : buf_str(&line);
        while (said.len >= sizeof(decision.message))
            said = cut_text(said, utf8_count(said) - 1);
        notes->skips = 0;
        if (!buf_failed(&line)) {
            decision.action = LLM_SPEAK;
            memcpy(decision.message, said.bytes, said.len);
            notes->lines++;
            notes->figures.lines++;
        }
    }
    driver_decided(driver, &decision, now);
}

static void take_target(MawDriver *driver, SeatNo seat, TimeUs now)
{
    AgentNotes *notes = notes_of(driver);
    Str name = agent_view_name(notes->view, seat);
    LlmDecision decision = {.action = LLM_LISTEN};

    notes->voted = true;
    if (seat != SEAT_NONE && !is_target(driver, name)) {
        notes->figures.odd++;
        maw_scene(driver->player, driver->language, now, &driver->scene);
        driver->scene.task = TASK_VOTE;
        follow_rule(driver, now);
        return;
    }
    /* Who votes for the same one again says nothing new. */
    if (seat != SEAT_NONE && !str_eq(name, known_of(driver)->my_vote) &&
        name.len < sizeof(decision.target)) {
        decision.action = LLM_VOTE;
        memcpy(decision.target, name.bytes, name.len);
        notes->figures.votes++;
    }
    driver_decided(driver, &decision, now);
}

static void take_divination(MawDriver *driver, SeatNo seat, TimeUs now)
{
    AgentNotes *notes = notes_of(driver);

    notes->divined = seat;
    if (notes->dawn_due)
        ask_role(driver, now);
}

static bool may_act(const MawKnown *known)
{
    return known->state == PLAYER_AWAKE && known->alive && known->room_open;
}

void maw_agent_driver_answer(MawDriver *driver, const Answer *answer, TimeUs now)
{
    AgentNotes *notes = notes_of(driver);
    SeatNo target = answer->lapse ? SEAT_NONE : answer->target;

    if (!notes->asked)
        return;
    notes->asked = false;
    if (notes->stale || (notes->kind != ASK_DIVINE && !may_act(known_of(driver))))
        notes->figures.late++;
    else if (notes->kind == ASK_DIVINE)
        take_divination(driver, target, now);
    else if (notes->kind == ASK_VOTE || notes->kind == ASK_ATTACK)
        take_target(driver, target, now);
    else
        take_utterance(driver, answer->lapse ? (Str){0} : answer->text, now);
    divine_when_free(driver, now);
    if (notes->vote_due && !notes->asked && may_act(known_of(driver)))
        ask_ballot(driver, now);
}

void maw_agent_driver_fail(MawDriver *driver)
{
    AgentNotes *notes = notes_of(driver);

    notes->failed = true;
    notes->asked = false;
    driver->last_calls = 0; /* those that it let pass: its seat still has a vote */
}

/* ---- news ---- */

static void begin_round(MawDriver *driver, TimeUs now)
{
    AgentNotes *notes = notes_of(driver);

    notes->stale = notes->asked;
    notes->in_round = agent_view_round(notes->view, known_of(driver));
    notes->dawn_due = notes->day_open = false;
    notes->divined = SEAT_NONE;
    tell_agent(driver, AIWOLF_INITIALIZE);
    tell_agent(driver, AIWOLF_DAILY_INITIALIZE);
    tell_agent(driver, AIWOLF_DAILY_FINISH);
    notes->divine_due = notes->in_round && is_seer(driver);
    divine_when_free(driver, now);
}

static void begin_phase(MawDriver *driver, TimeUs now)
{
    AgentNotes *notes = notes_of(driver);

    notes->talk_over = notes->heard = notes->voted = notes->stirred = notes->vote_due = false;
    notes->lines = notes->skips = notes->revotes = 0;
    if (!notes->in_round)
        return;
    if (!known_of(driver)->night) {
        begin_day(driver, now);
        return;
    }
    tell_dusk(driver); /* of a day that ended before it was asked for a vote */
    notes->divine_due = is_seer(driver);
    divine_when_free(driver, now);
}

static void end_round(MawDriver *driver)
{
    AgentNotes *notes = notes_of(driver);

    if (!notes->in_round)
        return;
    notes->divine_due = notes->dawn_due = false;
    notes->stale = notes->asked;
    agent_view_end(notes->view, known_of(driver));
    tell_agent(driver, AIWOLF_FINISH);
    notes->in_round = false;
}

static void hear_line(MawDriver *driver, const MawNews *news)
{
    AgentNotes *notes = notes_of(driver);

    tell_dawn(driver);
    agent_view_line(notes->view, news);
    notes->heard = notes->heard || !news->mine;
    notes->stirred = notes->stirred || !news->mine;
}

static void agent_news(MawDriver *driver, const MawNews *news, TimeUs now)
{
    AgentNotes *notes = notes_of(driver);

    if (news->kind == NEWS_ROUND)
        begin_round(driver, now);
    else if (news->kind == NEWS_PHASE)
        begin_phase(driver, now);
    if (!notes->in_round)
        return;
    if (news->kind == NEWS_LINE)
        hear_line(driver, news);
    else if (news->kind == NEWS_TALLY)
        notes->stirred = true;
    else if (news->kind == NEWS_RESULT) {
        tell_dusk(driver);
        agent_view_result(notes->view, known_of(driver), news);
    } else if (news->kind == NEWS_ROLE_ANSWER) {
        agent_view_divined(notes->view, news->name, news->text);
        tell_dawn(driver);
    } else if (news->kind == NEWS_REFUSED && notes->asking_role) {
        tell_dawn(driver);
    } else if (news->kind == NEWS_ROUND_END) {
        end_round(driver);
    }
}

/* ---- kind ---- */

/* Who has been asked answers: what comes too late is not acted on. The choice of a Seer, who
 * sleeps, is of use in the morning. */
static void agent_cancel(MawDriver *driver)
{
    AgentNotes *notes = notes_of(driver);

    if (notes->asked && notes->kind != ASK_DIVINE)
        notes->stale = true;
}

static bool agent_busy(const MawDriver *driver)
{
    return notes_of(driver)->asked;
}

static void agent_done(MawDriver *driver)
{
    if (driver->agent)
        agent_view_free(driver->agent->view);
    driver->agent = mem_free(driver->agent);
}

int maw_agent_driver_new(const MawAgentSetup *setup, MawDriver **ret, Err *err)
{
    static const DriverKind kind = {
        .decide = agent_decide,
        .news = agent_news,
        .cancel = agent_cancel,
        .busy = agent_busy,
        .done = agent_done,
    };
    AgentNotes *notes = mem_new(sizeof(*notes));
    int rc = notes ? agent_view_new(setup->rules, setup->limit_ms, &notes->view, err)
                   : err_set(err, ERR_MEMORY, "driver: out of memory");

    if (rc == 0)
        rc = driver_new(&kind, &setup->pace, setup->seed, ret, err);
    if (rc) {
        if (notes)
            agent_view_free(notes->view);
        mem_free(notes);
        return rc;
    }
    notes->link = setup->link;
    (*ret)->agent = notes;
    return 0;
}

MawAgentFigures maw_agent_driver_figures(const MawDriver *driver)
{
    return notes_of(driver)->figures;
}
