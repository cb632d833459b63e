/* model_news.c - what is new in a view, as lines for a model: in the words that a person is told.
 */
#include "bot/talker_words.h"
#include "person/person_words.h"
#include "thinker/model_state.h"

static const char *word_of(const ModelAgent *agent, PersonWord which)
{
    return person_word(which, model_is_japanese(agent) ? PERSON_JAPANESE : PERSON_ENGLISH);
}

/* Others' names and words are in it: the seat makes one line of whatever they hold. */
static void hear_line(ModelAgent *agent, bool fact, const Buf *line)
{
    if (!buf_failed(line) && line->len)
        llm_seat_hear(agent->seat, buf_str(line), fact);
}

static void hear_fact(ModelAgent *agent, PersonWord which, Str a, Str b)
{
    CLEANUP(buf_done) Buf line = {0};
    const Str arguments[] = {a, b};

    person_fill(word_of(agent, which), arguments, 2, &line);
    hear_line(agent, true, &line);
}

static Str name_of(const ModelAgent *agent, SeatNo seat)
{
    const View *view = agent->view;

    return seat >= 1 && seat <= view->seat_count ? view->names[seat] : STR("?");
}

/* ---- talk ---- */

/* Its own words stand in its answers already, and silence is no news. */
static void hear_talk(ModelAgent *agent, const Talk *talk, bool whisper)
{
    CLEANUP(buf_done) Buf line = {0};

    if (!whisper && !talk->skip && !talk->over)
        agent->mind.lines++;
    if (talk->seat == agent->view->seat || talk->skip || talk->over)
        return;
    agent->mind.heard = agent->mind.heard || !whisper;
    if (whisper)
        buf_add(&line, str_of(word_of(agent, SAY_WHISPER_MARK)));
    buf_add(&line, name_of(agent, talk->seat));
    buf_add(&line, STR(": "));
    buf_add(&line, talk->text);
    hear_line(agent, false, &line);
    if (talker_mentions(talk->text, name_of(agent, agent->view->seat)))
        agent->addressed = true;
    agent->news = true;
    agent->spoke_last = false;
}

static void hear_log(ModelAgent *agent, const TalkLog *log, uint32_t *told, bool whisper)
{
    if (log->count < *told)
        *told = 0;
    while (*told < log->count)
        hear_talk(agent, &log->items[(*told)++], whisper);
}

/* ---- votes ---- */

static bool same_votes(const VoteLog *a, const VoteLog *b)
{
    if (a->count != b->count)
        return false;
    for (uint8_t i = 0; i < a->count; i++)
        if (a->items[i].voter != b->items[i].voter || a->items[i].target != b->items[i].target)
            return false;
    return true;
}

static void hear_votes(ModelAgent *agent, PersonWord which, const VoteLog *votes, VoteLog *told)
{
    CLEANUP(buf_done) Buf list = {0};

    if (!votes || votes->count == 0 || same_votes(votes, told))
        return;
    *told = *votes;
    for (uint8_t i = 0; i < votes->count; i++) {
        buf_add(&list, i ? STR(", ") : STR(""));
        buf_add(&list, name_of(agent, votes->items[i].voter));
        buf_add(&list, STR(" -> "));
        buf_add(&list, name_of(agent, votes->items[i].target));
    }
    hear_fact(agent, which, buf_str(&list), (Str){0});
}

/* ---- deaths and results ---- */

static void hear_death(ModelAgent *agent, PersonWord which, const char *cause, SeatNo seat)
{
    ModelTold *told = &agent->told;

    if (seat == SEAT_NONE || seat > agent->view->seat_count || seat_in(told->dead, seat))
        return;
    told->dead |= seat_bit(seat);
    told->causes[seat] = cause;
    hear_fact(agent, which, name_of(agent, seat), (Str){0});
}

static void hear_deaths(ModelAgent *agent, bool new_day)
{
    const View *view = agent->view;

    hear_death(agent, SAY_EXECUTED, "executed", view->executed_today);
    hear_death(agent, SAY_EXECUTED, "executed", view->executed);
    for (uint8_t i = 0; i < view->last_dead_count; i++)
        hear_death(agent, SAY_KILLED, "attacked", view->last_dead[i]);
    if (new_day && view->day >= 2 && view->last_dead_count == 0)
        hear_fact(agent, SAY_PEACE, (Str){0}, (Str){0});
    for (SeatSet left = seat_all(view->seat_count) & ~view->alive & ~agent->told.dead; left;
         left &= left - 1)
        hear_death(agent, SAY_GONE, NULL, seat_first(left));
}

static void learn_result(ModelAgent *agent, PersonWord which, const Judge *judge, uint16_t *told)
{
    if (judge->target == SEAT_NONE || judge->target > agent->view->seat_count ||
        *told == judge->day + 1)
        return;
    *told = (uint16_t)(judge->day + 1);
    agent->told.species[judge->target] = judge->result;
    hear_fact(agent, which, name_of(agent, judge->target),
              str_of(person_species(judge->result,
                                    model_is_japanese(agent) ? PERSON_JAPANESE : PERSON_ENGLISH)));
}

static void learn_all(ModelAgent *agent, bool new_day)
{
    const View *view = agent->view;

    learn_result(agent, SAY_DIVINED, &view->divined, &agent->told.divined);
    learn_result(agent, SAY_IDENTIFIED, &view->identified, &agent->told.identified);
    if (new_day && view->guarded != SEAT_NONE)
        hear_fact(agent, SAY_GUARDED, name_of(agent, view->guarded), (Str){0});
    if (new_day && view->attacked != SEAT_NONE)
        hear_fact(agent, SAY_ATTACKED, name_of(agent, view->attacked), (Str){0});
}

/* ---- a game ---- */

void model_look(ModelAgent *agent)
{
    const View *view = agent->view;
    ModelTold *told = &agent->told;
    bool new_day = !told->day_known || told->day != view->day;
    char day[16];

    if (new_day) {
        told->day_known = true;
        told->day = view->day;
        told->talk = told->whisper = 0;
        snprintf(day, sizeof(day), "%u", view->day);
        llm_seat_phase(agent->seat, agent->game, view->day);
        hear_fact(agent, SAY_DAY, str_of(day), (Str){0});
    }
    hear_votes(agent, SAY_VOTES, view->latest_votes, &told->votes);
    hear_votes(agent, SAY_VOTES, view->votes, &told->votes);
    hear_votes(agent, SAY_ATTACK_VOTES, view->latest_attack_votes, &told->attack_votes);
    hear_votes(agent, SAY_ATTACK_VOTES, view->attack_votes, &told->attack_votes);
    hear_deaths(agent, new_day);
    learn_all(agent, new_day);
    hear_log(agent, view->talk, &told->talk, false);
    hear_log(agent, view->whisper, &told->whisper, true);
}

/* The natural-language division gives more room for a line that speaks to somebody. */
static void note_mentions(ModelAgent *agent)
{
    const LengthRules *length = &agent->view->rules->talk.length;

    if (agent->setup.protocol || length->mention_length <= 0)
        return;
    buf_add(&agent->notes, model_is_japanese(agent)
                               ? STR("発言の中で「@名前」と書くと、その人への呼びかけになります。")
                               : STR("Writing @ and a name in a message speaks to that player."));
}

void model_begin(ModelAgent *agent)
{
    agent->game++;
    agent->told = (ModelTold){0};
    agent->listened = false;
    model_opinion_begin(agent);
    buf_clear(&agent->notes);
    note_mentions(agent);
    model_look(agent);
}

void model_end(ModelAgent *agent, Side winner)
{
    CLEANUP(buf_done) Buf past = {0};
    bool japanese = model_is_japanese(agent);
    PersonLanguage language = japanese ? PERSON_JAPANESE : PERSON_ENGLISH;
    const char *role = person_role(agent->view->role, language);
    const char *side = winner == SIDE_NONE ? "-" : person_side(winner, language);
    SeatSet wolves = 0;

    for (SeatNo seat = 1; seat <= agent->view->seat_count; seat++)
        if (agent->view->roles[seat] == ROLE_WEREWOLF)
            wolves |= seat_bit(seat);
    model_opinion_score(agent, wolves);
    if (japanese)
        buf_printf(&past, "第%uゲーム: あなたは%s、勝者は%s。", agent->game, role, side);
    else
        buf_printf(&past, "Game %u: you were %s, winners: %s.", agent->game, role, side);
    llm_seat_new_round(agent->seat, buf_str(&past));
}
