/* driver_bot.c - the built-in bots: random votes, and a talker of plain sentences. */
#include "maw/driver_own.h"

#define LINES_EACH    4  /* a talker's own lines in a phase */
#define REPLY_CHANCE  30 /* of a hundred: says more although it has voted */
#define CHANGE_CHANCE 50

/* ---- looking around ---- */

static bool is_target(const LlmScene *scene, Str name)
{
    for (uint32_t i = 0; i < scene->target_count; i++)
        if (str_eq(scene->targets[i], name))
            return true;
    return false;
}

static void choose(LlmDecision *decision, Str target)
{
    *decision = (LlmDecision){.action = LLM_LISTEN};
    if (target.len == 0 || target.len >= sizeof(decision->target))
        return;
    decision->action = LLM_VOTE;
    memcpy(decision->target, target.bytes, target.len);
}

/* What the wolves agree on: the choice of the first of them, in the order of the table, who has
 * made one. All take the same, so they need not speak. Empty: nobody has. */
static Str wolves_choice(const LlmScene *scene)
{
    for (uint32_t i = 0; i < scene->seat_count; i++) {
        const LlmSeatSeen *seat = &scene->seats[i];
        bool wolf = seat->alive && (seat->mate || str_eq(seat->name, scene->me));
        if (wolf && seat->votes_for.len && is_target(scene, seat->votes_for))
            return seat->votes_for;
    }
    return (Str){0};
}

static Str random_target(MawDriver *driver)
{
    const LlmScene *scene = &driver->scene;

    if (scene->target_count == 0)
        return (Str){0};
    return scene->targets[rng_below(&driver->rng, scene->target_count)];
}

/* By night a mate's choice, before one's own; true when there is something to do about it. */
static bool follow_mates(const LlmScene *scene, LlmDecision *decision)
{
    Str choice = scene->night ? wolves_choice(scene) : (Str){0};

    if (choice.len == 0 || str_eq(choice, scene->my_vote))
        return false;
    choose(decision, choice);
    return true;
}

/* ---- random ---- */

static void random_decide(MawDriver *driver, TimeUs now)
{
    LlmDecision decision = {.action = LLM_LISTEN};

    if (!follow_mates(&driver->scene, &decision) && driver->scene.my_vote.len == 0)
        choose(&decision, random_target(driver));
    driver_decided(driver, &decision, now);
}

/* ---- talker ---- */

static bool was_said(const MawDriver *driver, Str text)
{
    uint64_t number = rng_derive_text(0, text);

    for (size_t i = 0; i < TALKER_HEARD; i++)
        if (driver->talker.heard[i] == number)
            return true;
    return false;
}

static void note_said(MawDriver *driver, Str text)
{
    driver->talker.heard[driver->talker.heard_next++ % TALKER_HEARD] = rng_derive_text(0, text);
}

static TalkerLanguage language_of(const LlmScene *scene)
{
    Str names[SEAT_MAX + 1] = {{0}};
    SeatNo count = scene->seat_count < SEAT_MAX ? (SeatNo)scene->seat_count : SEAT_MAX;

    if (scene->language == LLM_JAPANESE)
        return TALKER_JAPANESE;
    for (SeatNo seat = 1; seat <= count; seat++)
        names[seat] = scene->seats[seat - 1].name;
    return talker_language_of(names, count);
}

/* False when nobody could say it in a way that was not heard yet. */
static bool say(MawDriver *driver, Line line, Str a, Str b, LlmDecision *decision)
{
    TalkerLanguage language = language_of(&driver->scene);
    unsigned wordings = 0;

    while (wordings < WORDINGS_MAX && talker_wording(language, line, wordings))
        wordings++;
    unsigned first = rng_below(&driver->rng, wordings);
    for (unsigned i = 0; i < wordings; i++) {
        const char *wording = talker_wording(language, line, (first + i) % wordings);
        size_t len = talker_write(wording, a, b, decision->message, sizeof(decision->message) - 1);
        decision->message[len] = '\0';
        if (len == 0 || was_said(driver, str_of(decision->message)))
            continue;
        note_said(driver, str_of(decision->message));
        decision->action = LLM_SPEAK;
        return true;
    }
    decision->message[0] = '\0';
    return false;
}

/* Whom it suspects: anybody, but rather those of whom much was heard; never a mate. */
static Str suspect(MawDriver *driver)
{
    const LlmScene *scene = &driver->scene;
    uint32_t weights[LLM_SEATS_MAX] = {0};
    uint32_t sum = 0;

    for (uint32_t i = 0; i < scene->seat_count; i++) {
        const LlmSeatSeen *seat = &scene->seats[i];
        if (!is_target(scene, seat->name) || seat->mate)
            continue;
        weights[i] = 1 + driver->talker.doubts[i] + 2 * seat->votes;
        sum += weights[i];
    }
    uint32_t drawn = rng_below(&driver->rng, sum);
    for (uint32_t i = 0; i < scene->seat_count; i++) {
        if (drawn < weights[i])
            return scene->seats[i].name;
        drawn -= weights[i];
    }
    return random_target(driver);
}

static uint32_t votes_of(const LlmScene *scene, Str name)
{
    for (uint32_t i = 0; i < scene->seat_count; i++)
        if (str_eq(scene->seats[i].name, name))
            return scene->seats[i].votes;
    return 0;
}

/* Somebody who has so many more votes than one's own choice that this one is lost. */
static Str leader(const LlmScene *scene)
{
    Str best = scene->my_vote;
    uint32_t most = votes_of(scene, scene->my_vote) + 1;

    for (uint32_t i = 0; i < scene->seat_count; i++) {
        const LlmSeatSeen *seat = &scene->seats[i];
        if (seat->votes <= most || seat->mate || !is_target(scene, seat->name))
            continue;
        most = seat->votes;
        best = seat->name;
    }
    return best;
}

/* Somebody who votes for the same one: "I agree with {b}". */
static Str supporter(const LlmScene *scene, Str target)
{
    for (uint32_t i = 0; i < scene->seat_count; i++)
        if (str_eq(scene->seats[i].votes_for, target) && !str_eq(scene->seats[i].name, scene->me))
            return scene->seats[i].name;
    return (Str){0};
}

static Str last_victim(const LlmScene *scene)
{
    Str victim = {0};

    for (uint32_t i = 0; i < scene->seat_count; i++)
        if (str_eq(scene->seats[i].cause, STR("murdered")))
            victim = scene->seats[i].name;
    return victim;
}

/* The first words of a day: a greeting, or a word about the night. */
static bool open_day(MawDriver *driver, LlmDecision *decision)
{
    Str victim = last_victim(&driver->scene);

    if (!driver->talker.greeted) {
        driver->talker.greeted = true;
        driver->talker.reacted = true;
        return say(driver, LINE_HELLO, (Str){0}, (Str){0}, decision);
    }
    if (driver->talker.reacted || driver->scene.day < 2)
        return false;
    driver->talker.reacted = true;
    return victim.len && say(driver, LINE_VICTIM, victim, (Str){0}, decision);
}

static bool speak_of(MawDriver *driver, Str target, LlmDecision *decision)
{
    const MawKnown *known = maw_player_known(driver->player);
    Str friend = supporter(&driver->scene, target);

    if (target.len == 0)
        return false;
    if (friend.len)
        return say(driver, LINE_AGREE, target, friend, decision);
    for (uint32_t i = 0; i < known->player_count; i++)
        if (str_eq(known->players[i].name, target) && known->players[i].lines == 0)
            return say(driver, LINE_SILENT, target, (Str){0}, decision);
    return say(driver, LINE_FEELING, target, (Str){0}, decision);
}

static void talk_by_day(MawDriver *driver, LlmDecision *decision)
{
    const LlmScene *scene = &driver->scene;
    bool more = driver->talker.said < LINES_EACH;

    if (open_day(driver, decision))
        return;
    if (scene->my_vote.len) {
        Str better = leader(scene);
        if (!str_eq(better, scene->my_vote) && rng_below(&driver->rng, 100) < CHANGE_CHANCE)
            choose(decision, better);
        else if (more && rng_below(&driver->rng, 100) < REPLY_CHANCE)
            speak_of(driver, scene->my_vote, decision);
        return;
    }
    if (driver->talker.said < 2 && speak_of(driver, suspect(driver), decision))
        return;
    choose(decision, suspect(driver));
}

static void talk_by_night(MawDriver *driver, LlmDecision *decision)
{
    LlmDecision wanted = {.action = LLM_LISTEN};

    if (follow_mates(&driver->scene, decision) || driver->scene.my_vote.len)
        return;
    llm_fallback(&driver->scene, &wanted);
    if (wanted.action != LLM_VOTE)
        return;
    if (driver->talker.said == 0 &&
        say(driver, LINE_ATTACK, str_of(wanted.target), (Str){0}, decision))
        return;
    *decision = wanted;
}

static void talker_decide(MawDriver *driver, TimeUs now)
{
    LlmDecision decision = {.action = LLM_LISTEN};

    if (driver->scene.task == TASK_VOTE)
        llm_fallback(&driver->scene, &decision);
    else if (driver->scene.night)
        talk_by_night(driver, &decision);
    else
        talk_by_day(driver, &decision);
    driver_decided(driver, &decision, now);
}

static void talker_news(MawDriver *driver, const MawNews *news, TimeUs now)
{
    const MawKnown *known = maw_player_known(driver->player);
    SeatNo count = known->player_count < SEAT_MAX ? (SeatNo)known->player_count : SEAT_MAX;
    Str names[SEAT_MAX + 1] = {{0}};
    Understood heard[UNDERSTOOD_MAX];

    (void)now;
    if (news->kind != NEWS_LINE || news->mine)
        return;
    note_said(driver, news->text);
    for (SeatNo seat = 1; seat <= count; seat++)
        names[seat] = known->players[seat - 1].name;
    unsigned meanings = talker_understand(news->text, names, count, heard);
    for (unsigned i = 0; i < meanings; i++)
        if (heard[i].about != SEAT_NONE &&
            (heard[i].meaning == MEANS_DOUBT || heard[i].meaning == MEANS_WOLF ||
             heard[i].meaning == MEANS_VOTE))
            driver->talker.doubts[heard[i].about - 1]++;
}

/* ---- kinds ---- */

int maw_bot_driver_new(MawBot bot, LlmLanguage language, const MawPace *pace, uint64_t seed,
                       MawDriver **ret, Err *err)
{
    static const DriverKind random_kind = {.decide = random_decide};
    static const DriverKind talker_kind = {.decide = talker_decide, .news = talker_news};

    int rc = driver_new(bot == MAW_BOT_TALKER ? &talker_kind : &random_kind, pace, seed, ret, err);
    if (rc == 0)
        (*ret)->language = language;
    return rc;
}
