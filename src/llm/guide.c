#include "llm/guide.h"

#include "llm/guide_words.h"
#include "llm/wording.h"

#define LISTED_BYTES_MAX 4096 /* of facts; the rest is not told */

/* What the blocks share. */
typedef struct Guide {
    const LlmScene *scene;
    const GuideWords *words;
    Buf *out;
    bool wolf;
    uint32_t order[LLM_SEATS_MAX]; /* of the seats: late places draw votes, so it changes */
} Guide;

/* A wording with one mark, as a line of its own. */
static void say_wording(Guide *guide, const char *wording, const char *name, Str value)
{
    const Slot slot = {name, value};

    wording_fill(wording, &slot, 1, guide->out);
    buf_add_char(guide->out, '\n');
}

static void say_plain(Guide *guide, const char *wording)
{
    say_wording(guide, wording, "", (Str){0});
}

static void say_number(Guide *guide, const char *wording, const char *name, uint64_t value)
{
    CLEANUP(buf_done) Buf number = {0};

    buf_add_uint(&number, value);
    say_wording(guide, wording, name, buf_str(&number));
}

static void next_block(Guide *guide)
{
    buf_add_char(guide->out, '\n');
}

static void add_between(const Guide *guide, Buf *list)
{
    if (list->len)
        buf_add(list, str_of(guide->words->between));
}

static const LlmSeatSeen *seat_at(const Guide *guide, uint32_t place)
{
    return &guide->scene->seats[guide->order[place]];
}

/* ---- who you are ---- */

static void tell_mates(Guide *guide)
{
    CLEANUP(buf_done) Buf names = {0};

    for (uint32_t i = 0; i < guide->scene->seat_count; i++) {
        const LlmSeatSeen *seat = &guide->scene->seats[i]; /* not shuffled: they stay */
        if (!seat->mate || str_eq(seat->name, guide->scene->me))
            continue;
        add_between(guide, &names);
        wording_add_line(seat->name, &names);
    }
    if (names.len)
        say_wording(guide, guide->words->mates, "names", buf_str(&names));
    else if (guide->scene->wolves == 1)
        say_plain(guide, guide->words->alone);
}

/* ---- the rules ---- */

static void tell_rules(Guide *guide)
{
    say_plain(guide, guide->scene->maw ? guide->words->rules_maw : guide->words->rules_aiwolf);
    if (guide->scene->wolves)
        say_number(guide, guide->words->wolves, "wolves", guide->scene->wolves);
    if (!guide->scene->maw)
        say_plain(guide, guide->words->roles_aiwolf);
    say_plain(guide, guide->words->rules_dead);
}

/* ---- the state ---- */

/* A remark behind a name: in brackets, separated by commas. */
static void remark_rule(const Guide *guide, Str text, bool *first, Buf *out)
{
    buf_add(out, *first ? STR(" (") : str_of(guide->words->between));
    wording_add_line(text, out);
    *first = false;
}

static void add_seat(const Guide *guide, const LlmSeatSeen *seat, Buf *out)
{
    CLEANUP(buf_done) Buf role = {0};
    LlmLanguage language = guide->scene->language;
    bool first = true, me = str_eq(seat->name, guide->scene->me);

    add_between(guide, out);
    wording_add_line(seat->name, out);
    if (me)
        remark_rule(guide, str_of(guide->words->you), &first, out);
    if (!seat->alive) {
        Str cause = seat->cause.len ? guide_cause(seat->cause, language)
                                    : str_of(guide->words->unknown_cause);
        remark_rule(guide, cause, &first, out);
    }
    if (guide->wolf && seat->mate && !me)
        remark_rule(guide, str_of(guide->words->mate), &first, out);
    else if (seat->role.len && !me) {
        const Slot slot = {"role", wording_role(seat->role, language)};
        wording_fill(guide->words->known, &slot, 1, &role);
        remark_rule(guide, buf_str(&role), &first, out);
    }
    if (!first)
        buf_add_char(out, ')');
}

static void tell_players(Guide *guide, bool alive)
{
    CLEANUP(buf_done) Buf names = {0};

    for (uint32_t i = 0; i < guide->scene->seat_count; i++)
        if (seat_at(guide, i)->alive == alive)
            add_seat(guide, seat_at(guide, i), &names);
    if (names.len)
        say_wording(guide, alive ? guide->words->alive : guide->words->dead, "names",
                    buf_str(&names));
}

static void add_voters(const Guide *guide, Str target, Buf *out)
{
    CLEANUP(buf_done) Buf names = {0};

    for (uint32_t i = 0; i < guide->scene->seat_count; i++) {
        const LlmSeatSeen *seat = seat_at(guide, i);
        if (!str_eq(seat->votes_for, target))
            continue;
        add_between(guide, &names);
        wording_add_line(seat->name, &names);
    }
    if (!names.len)
        return;
    const Slot slot = {"names", buf_str(&names)};
    buf_add(out, STR(" ("));
    wording_fill(guide->words->from, &slot, 1, out);
    buf_add_char(out, ')');
}

static void tell_votes(Guide *guide)
{
    CLEANUP(buf_done) Buf votes = {0};
    CLEANUP(buf_done) Buf mine = {0};

    for (uint32_t i = 0; i < guide->scene->seat_count; i++) {
        const LlmSeatSeen *seat = seat_at(guide, i);
        if (!seat->votes)
            continue;
        add_between(guide, &votes);
        wording_add_line(seat->name, &votes);
        buf_add_char(&votes, ' ');
        buf_add_uint(&votes, seat->votes);
        add_voters(guide, seat->name, &votes);
    }
    if (votes.len)
        say_wording(guide, guide->words->tally, "votes", buf_str(&votes));
    else
        say_plain(guide, guide->words->no_votes);
    wording_add_line(guide->scene->my_vote, &mine);
    if (mine.len)
        say_wording(guide, guide->words->my_vote, "vote", buf_str(&mine));
    else
        say_plain(guide, guide->words->no_vote_of_mine);
}

static bool talks_only(const LlmScene *scene)
{
    return scene->task == TASK_TALK || scene->task == TASK_WHISPER;
}

/* Whether they are all that live but oneself: then the list stands there already. */
static bool are_the_others(const LlmScene *scene)
{
    uint32_t others = 0;

    for (uint32_t i = 0; i < scene->seat_count; i++)
        others += scene->seats[i].alive && !str_eq(scene->seats[i].name, scene->me);
    for (uint32_t i = 0; i < scene->target_count; i++) {
        const LlmSeatSeen *seat = wording_seat(scene, scene->targets[i]);
        if (!seat || !seat->alive)
            return false;
    }
    return others == scene->target_count;
}

static void list_targets(Guide *guide, const char *wording)
{
    CLEANUP(buf_done) Buf names = {0};
    const LlmScene *scene = guide->scene;
    uint32_t order[LLM_SEATS_MAX];

    wording_shuffle(scene->seed, SALT_NAMES, scene->target_count, order);
    for (uint32_t i = 0; i < scene->target_count; i++) {
        add_between(guide, &names);
        wording_add_line(scene->targets[order[i]], &names);
    }
    say_wording(guide, wording, "names", buf_str(&names));
}

static void tell_targets(Guide *guide)
{
    const LlmScene *scene = guide->scene;

    if (scene->task == TASK_BID) /* numbers, which the task names */
        return;
    if (!scene->target_count)
        say_plain(guide, guide->words->no_targets);
    else if (talks_only(scene))
        list_targets(guide, guide->words->targets_later);
    else if (are_the_others(scene))
        say_plain(guide, guide->words->targets_others);
    else
        list_targets(guide, guide->words->targets);
}

static void tell_state(Guide *guide)
{
    CLEANUP(buf_done) Buf day = {0};
    const LlmScene *scene = guide->scene;

    buf_add_uint(&day, scene->day);
    const Slot slots[] = {
        {"day", buf_str(&day)},
        {"phase", str_of(scene->night ? guide->words->night : guide->words->day)},
    };
    wording_fill(guide->words->state, slots, 2, guide->out);
    buf_add_char(guide->out, '\n');
    if (scene->seconds_left >= 0)
        say_number(guide, guide->words->seconds, "seconds", (uint64_t)scene->seconds_left);
    tell_players(guide, true);
    tell_players(guide, false);
    if (scene->task == TASK_ROOM || scene->task == TASK_VOTE || scene->task == TASK_OPINION)
        tell_votes(guide);
    tell_targets(guide);
    if (scene->facts.len)
        say_wording(guide, guide->words->facts, "facts",
                    str_trim(str_part(scene->facts, 0, LISTED_BYTES_MAX)));
}

/* ---- the task ---- */

static void tell_task(Guide *guide)
{
    const LlmScene *scene = guide->scene;
    const char *task = guide->words->task[scene->task];

    if (scene->task == TASK_ROOM && !scene->target_count)
        task = guide->words->task_quiet;
    else if (scene->task == TASK_ROOM && scene->night)
        task = guide->words->task_night;
    else if (scene->task == TASK_VOTE && scene->maw && scene->night)
        task = guide->words->task_vote_night;
    say_plain(guide, task);
    if (scene->maw && scene->task == TASK_VOTE)
        say_plain(guide, guide->words->task_vote_now);
    if (!wording_only_target(scene->task) && !scene->maw)
        say_number(guide, guide->words->chars, "chars", llm_max_chars(scene));
}

/* ---- decisions and their form ---- */

static void tell_language(Guide *guide)
{
    const char *const *examples = guide_protocol_examples();

    say_plain(guide, guide->words->protocol);
    if (guide->wolf)
        say_plain(guide, guide->words->protocol_whisper);
    say_plain(guide, guide->words->protocol_example);
    for (size_t i = 0; examples[i]; i++) {
        buf_add(guide->out, str_of(examples[i]));
        buf_add_char(guide->out, '\n');
    }
}

static void tell_form(Guide *guide)
{
    say_plain(guide, guide->words->form);
    say_plain(guide, guide->words->form_speak);
    say_plain(guide, guide->words->form_vote);
    say_plain(guide, guide->words->form_listen);
    if (guide->scene->speech == SPEECH_PROTOCOL)
        tell_language(guide);
}

/* ---- limits and style ---- */

static void tell_limits(Guide *guide)
{
    bool natural = guide->scene->speech == SPEECH_NATURAL;

    say_plain(guide, natural ? guide->words->limits : guide->words->limits_protocol);
    if (guide->scene->maw)
        say_number(guide, guide->words->chars, "chars", llm_max_chars(guide->scene));
    say_plain(guide, guide->words->limits_vote);
    if (natural)
        say_plain(guide, guide->words->style);
    say_plain(guide, guide->words->data);
}

/* ---- who you are ---- */

static const char *advice(const Guide *guide)
{
    const GuideWords *words = guide->words;
    Str role = guide->scene->role;

    if (guide->wolf)
        return words->advice_wolf;
    if (wording_same(role, STR("seer")))
        return words->advice_seer;
    if (wording_same(role, STR("medium")))
        return words->advice_medium;
    if (wording_same(role, STR("bodyguard")))
        return words->advice_bodyguard;
    if (wording_same(role, STR("possessed")))
        return words->advice_possessed;
    return words->advice_village;
}

static void tell_who(Guide *guide)
{
    CLEANUP(buf_done) Buf line = {0};

    wording_add_line(guide->scene->me, &line);
    say_wording(guide, guide->words->who, "me", buf_str(&line));
    buf_clear(&line);
    wording_add_line(guide->scene->persona, &line);
    if (line.len)
        say_wording(guide, guide->words->persona, "persona", buf_str(&line));
    if (guide->scene->role.len)
        say_wording(guide, guide->words->role, "role",
                    wording_role(guide->scene->role, guide->scene->language));
    if (guide->wolf)
        tell_mates(guide);
    say_plain(guide, advice(guide));
    if (guide->wolf) {
        say_plain(guide, guide->words->advice_wolf_night);
        say_plain(guide, guide->scene->maw ? guide->words->hideout : guide->words->whisper);
    }
    if (guide->scene->notes.len) {
        buf_add(guide->out, str_trim(str_part(guide->scene->notes, 0, LISTED_BYTES_MAX)));
        buf_add_char(guide->out, '\n');
    }
}

/* ---- both parts ---- */

static Guide guide_over(const LlmScene *scene, Buf *out)
{
    Guide guide = {.scene = scene, .words = guide_words(scene->language), .out = out};

    guide.wolf = wording_is_wolf(scene);
    wording_shuffle(scene->seed, SALT_SEATS, scene->seat_count, guide.order);
    return guide;
}

void llm_guide_write(const LlmScene *scene, Buf *out)
{
    Guide guide = guide_over(scene, out);

    tell_rules(&guide);
    next_block(&guide);
    tell_form(&guide);
    next_block(&guide);
    tell_limits(&guide);
    next_block(&guide);
    tell_who(&guide);
}

void llm_guide_now(const LlmScene *scene, Buf *out)
{
    Guide guide = guide_over(scene, out);

    tell_state(&guide);
    tell_task(&guide);
}

Str llm_guide_asked(const LlmScene *scene)
{
    return str_of(guide_words(scene->language)->asked[scene->task]);
}

Str llm_guide_held_back(const LlmScene *scene, bool is_line, Str found)
{
    const GuideWords *words = guide_words(scene->language);

    if (!is_line)
        return str_of(words->left_out);
    return str_of(str_eq(found, STR("leak")) ? words->held_back_leak : words->held_back_repeat);
}
