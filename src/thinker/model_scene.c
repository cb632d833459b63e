/* model_scene.c - a View and an Ask as a scene for a model. */
#include "game/ask_targets.h"
#include "thinker/model_state.h"

#define CHARS_OWN      300 /* our own seats keep their lines shorter than most rules allow */
#define SENTENCE_CHARS 400 /* of the protocol language, where a part says something else */
#define CHARS_OF_WORD  5   /* English ones, with the blank */
#define SECOND         ((TimeUs)1000 * 1000)

LlmLanguage model_language(const ModelAgent *agent, const View *view)
{
    if (agent->setup.language != MODEL_BY_NAMES)
        return agent->setup.language == MODEL_JAPANESE ? LLM_JAPANESE : LLM_ENGLISH;
    for (SeatNo seat = 1; seat <= view->seat_count; seat++)
        for (size_t i = 0; i < view->names[seat].len; i++)
            if ((unsigned char)view->names[seat].bytes[i] >= 0xE0) /* Latin letters stay below */
                return LLM_JAPANESE;
    return LLM_ENGLISH;
}

/* ---- how long a line may be ---- */

static int32_t smaller_of(int32_t a, int32_t b)
{
    return a < b ? a : b;
}

/* In characters; 0 = nothing can be said. A mention's own allowance is left out: it is only behind
 * a mention. */
static uint32_t line_chars(const ModelAgent *agent, AskKind kind)
{
    const View *view = agent->view;
    const LengthRules *rules =
        kind == ASK_TALK ? &view->rules->talk.length : &view->rules->whisper.length;
    const int32_t *lengths = kind == ASK_TALK ? view->talk_length : view->whisper_length;
    int32_t most = agent->setup.protocol ? SENTENCE_CHARS : CHARS_OWN;
    int32_t units = INT32_MAX;

    if (rules->base_length != LIMIT_NONE || rules->per_agent != LIMIT_NONE) {
        int32_t left = rules->per_agent != LIMIT_NONE && lengths ? lengths[view->seat] : 0;
        units = (rules->base_length > 0 ? rules->base_length : 0) + (left > 0 ? left : 0);
    }
    if (rules->per_talk != LIMIT_NONE)
        units = smaller_of(units, rules->per_talk);
    if (units < 0)
        units = 0;
    if (rules->count_in_word && units < most)
        units *= CHARS_OF_WORD;
    return (uint32_t)smaller_of(units, most);
}

bool model_must_speak(const View *view, const Ask *ask)
{
    const TalkRules *rules = ask->kind == ASK_TALK ? &view->rules->talk : &view->rules->whisper;
    const uint16_t *skips = ask->kind == ASK_TALK ? view->talk_skips : view->whisper_skips;

    return ask_is_speech(ask->kind) && !ask->standing && rules->skip_rule == SKIP_BUDGET && skips &&
           skips[view->seat] == 0;
}

static void show_facts(ModelAgent *agent, const Ask *ask)
{
    buf_clear(&agent->shown);
    if (!model_must_speak(agent->view, ask))
        return;
    buf_add(&agent->shown, model_is_japanese(agent)
                               ? STR("今 listen を選ぶと、今日はもう発言できません。")
                               : STR("If you listen now, you can say nothing more today."));
}

/* ---- seats ---- */

static Str known_role(const ModelAgent *agent, SeatNo seat)
{
    const View *view = agent->view;

    if (view->roles[seat] != ROLE_NONE)
        return str_of(role_name((Role)view->roles[seat]));
    if (agent->told.species[seat] != SPECIES_NONE)
        return str_of(species_name(agent->told.species[seat]));
    return (Str){0};
}

static const VoteLog *ballot_of(const View *view, AskKind kind)
{
    if (kind == ASK_VOTE)
        return view->latest_votes;
    return kind == ASK_ATTACK || kind == ASK_WHISPER ? view->latest_attack_votes : NULL;
}

static void show_votes(const View *view, AskKind kind, LlmScene *scene)
{
    const VoteLog *ballot = ballot_of(view, kind);

    for (uint8_t i = 0; ballot && i < ballot->count; i++) {
        Vote vote = ballot->items[i];
        if (vote.voter < 1 || vote.voter > view->seat_count || vote.target < 1 ||
            vote.target > view->seat_count)
            continue;
        scene->seats[vote.voter - 1].votes_for = view->names[vote.target];
        scene->seats[vote.target - 1].votes++;
    }
}

static void show_seats(const ModelAgent *agent, LlmScene *scene)
{
    const View *view = agent->view;

    for (SeatNo seat = 1; seat <= view->seat_count; seat++) {
        const char *cause = agent->told.causes[seat];
        scene->seats[scene->seat_count++] = (LlmSeatSeen){
            .name = view->names[seat],
            .alive = seat_in(view->alive, seat),
            .mate = view->role == ROLE_WEREWOLF && view->roles[seat] == ROLE_WEREWOLF,
            .cause = str_of(cause ? cause : ""),
            .role = known_role(agent, seat),
        };
    }
}

/* Some rules take votes for oneself and attacks on a mate. A model is not tempted to them. */
static SeatSet sensible_targets(const View *view, AskKind kind)
{
    SeatSet all = ask_targets(view, kind) & ~seat_bit(view->seat), humans = all;

    for (SeatNo seat = 1; kind == ASK_ATTACK && seat <= view->seat_count; seat++)
        if (view->roles[seat] == ROLE_WEREWOLF)
            humans &= ~seat_bit(seat);
    return humans ? humans : all;
}

static void show_targets(const View *view, AskKind kind, LlmScene *scene)
{
    for (SeatSet left = sensible_targets(view, kind); left; left &= left - 1)
        scene->targets[scene->target_count++] = view->names[seat_first(left)];
}

static void show_bids(LlmScene *scene)
{
    static const char numbers[BID_MAX + 1][2] = {"0", "1", "2", "3", "4"};

    for (; scene->target_count <= BID_MAX; scene->target_count++)
        scene->targets[scene->target_count] = str_of(numbers[scene->target_count]);
}

bool model_scene(ModelAgent *agent, const Ask *ask, TimeUs now, LlmScene *ret_scene)
{
    static const LlmTask tasks[ASK_COUNT] = {
        [ASK_TALK] = TASK_TALK,     [ASK_WHISPER] = TASK_WHISPER, [ASK_VOTE] = TASK_VOTE,
        [ASK_DIVINE] = TASK_DIVINE, [ASK_GUARD] = TASK_GUARD,     [ASK_ATTACK] = TASK_ATTACK,
        [ASK_BID] = TASK_BID};
    const View *view = agent->view;
    bool speech = ask_is_speech(ask->kind);
    TimeUs left = ask->standing && agent->until != TIME_US_NEVER ? agent->until - now : -SECOND;

    show_facts(agent, ask);
    *ret_scene = (LlmScene){
        .language = agent->language,
        .speech = agent->setup.protocol ? SPEECH_PROTOCOL : SPEECH_NATURAL,
        .task = tasks[ask->kind],
        .me = view->names[view->seat],
        .persona = agent->setup.persona.len ? (Str){0} : buf_str(&agent->profile),
        .role = str_of(role_name(view->role)),
        .side = role_side(view->role),
        .wolves = view->role_counts[ROLE_WEREWOLF],
        .day = view->day,
        .night = ask->kind != ASK_TALK && ask->kind != ASK_VOTE && ask->kind != ASK_BID,
        .seconds_left = (int32_t)(left / SECOND),
        .notes = buf_str(&agent->notes),
        .facts = buf_str(&agent->shown),
        .max_chars = speech ? line_chars(agent, ask->kind) : CHARS_OWN,
        .seed = rng_derive(agent->setup.seed, agent->asks),
    };
    show_seats(agent, ret_scene);
    show_votes(view, ask->kind, ret_scene);
    if (ask->kind == ASK_BID)
        show_bids(ret_scene);
    else if (!speech)
        show_targets(view, ask->kind, ret_scene);
    else if (ask->kind == ASK_WHISPER)
        show_targets(view, ASK_ATTACK, ret_scene);
    return speech ? ret_scene->max_chars > 0 : ret_scene->target_count > 0;
}
