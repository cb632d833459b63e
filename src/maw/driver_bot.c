/* driver_bot.c - the built-in bots: random votes, and a talker of plain sentences. */
#include "maw/driver_own.h"

#define LINES_EACH   4  /* a talker's own lines in a phase */
#define ACCUSED_EACH 2  /* it speaks against so many before it votes */
#define REPLY_CHANCE 30 /* of a hundred: says more although it has voted */
#define MATE_CHANCE  20 /* ... a wolf thinks of a mate when it looks for somebody to accuse */
#define SUPPORT      2  /* what a vote of another one adds to a suspicion, in quarters of it */

/* ---- looking around ---- */

static bool is_target(const LlmScene *scene, Str name)
{
    for (uint32_t i = 0; i < scene->target_count; i++)
        if (str_eq(scene->targets[i], name))
            return true;
    return false;
}

static void choose_target(LlmDecision *decision, Str target)
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
    choose_target(decision, choice);
    return true;
}

/* ---- random ---- */

static void random_decide(MawDriver *driver, TimeUs now)
{
    LlmDecision decision = {.action = LLM_LISTEN};

    if (!follow_mates(&driver->scene, &decision) && driver->scene.my_vote.len == 0)
        choose_target(&decision, random_target(driver));
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
static bool say_line(MawDriver *driver, Line line, Str a, Str b, LlmDecision *decision)
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

/* One by chance of those whose value is not below `least`. */
static Str choose_worth(MawDriver *driver, const uint64_t *values, uint64_t least)
{
    const LlmScene *scene = &driver->scene;
    uint32_t count = 0, chosen;

    for (uint32_t i = 0; i < scene->seat_count; i++)
        count += values[i] >= least;
    if (count == 0)
        return random_target(driver);
    chosen = rng_below(&driver->rng, count);
    for (uint32_t i = 0; i < scene->seat_count; i++)
        if (values[i] >= least && chosen-- == 0)
            return scene->seats[i].name;
    return (Str){0};
}

/* How much each of the others who live is suspected. A wolf sees it as a villager would who knows
 * nothing of himself. */
static void weigh_others(const MawDriver *driver, uint64_t values[LLM_SEATS_MAX])
{
    const LlmScene *scene = &driver->scene;

    suspicion_weigh(&driver->talker.suspicion, scene, scene->side != SIDE_WEREWOLF, values);
    for (uint32_t i = 0; i < scene->seat_count; i++)
        if (!scene->seats[i].alive || str_eq(scene->seats[i].name, scene->me))
            values[i] = 0;
}

/* Whom it speaks against: rather somebody new, so that there is something to think about. Now and
 * then a wolf speaks against a mate: else nobody would have to think long. */
static Str pick_suspect(MawDriver *driver)
{
    const LlmScene *scene = &driver->scene;
    uint64_t values[LLM_SEATS_MAX];
    bool others = false;

    weigh_others(driver, values);
    for (uint32_t i = 0; i < scene->seat_count; i++)
        if (scene->seats[i].mate && rng_below(&driver->rng, 100) >= MATE_CHANCE)
            values[i] = 0;
    for (uint32_t i = 0; i < scene->seat_count; i++)
        others = others || (values[i] && !(driver->talker.accused >> i & 1));
    for (uint32_t i = 0; i < scene->seat_count && others; i++)
        if (driver->talker.accused >> i & 1)
            values[i] = 0;
    return choose_worth(driver, values, 1);
}

/* A mate that nothing can help any more is voted for, by every other wolf: drawn for a phase. */
static bool gives_up_mates(const MawDriver *driver)
{
    const LlmScene *scene = &driver->scene;
    uint32_t mates = 0, others = 0;

    for (uint32_t i = 0; i < scene->seat_count; i++) {
        const LlmSeatSeen *seat = &scene->seats[i];
        uint32_t *most = seat->mate ? &mates : &others;
        *most = seat->votes > *most ? seat->votes : *most;
    }
    return mates >= others + 2 &&
           rng_derive(rng_derive_text(driver->round, scene->me), driver->phase_no) % 2;
}

/* Whom it votes for: who is suspected, and rather who will be executed anyway. It keeps its vote
 * while another one is not clearly better. */
static Str vote_by_day(MawDriver *driver)
{
    const LlmScene *scene = &driver->scene;
    bool spares = !gives_up_mates(driver);
    uint64_t values[LLM_SEATS_MAX], most = 0;

    weigh_others(driver, values);
    for (uint32_t i = 0; i < scene->seat_count; i++) {
        const LlmSeatSeen *seat = &scene->seats[i];
        bool mine = str_eq(seat->name, scene->my_vote);
        uint32_t support = seat->votes - (mine && seat->votes > 0);
        bool spared = (seat->mate && spares) || !is_target(scene, seat->name);
        values[i] = spared ? 0 : values[i] * (4 + SUPPORT * support);
        values[i] += mine ? values[i] / 4 : 0;
        most = values[i] > most ? values[i] : most;
    }
    return choose_worth(driver, values, most ? most : 1);
}

/* Somebody who votes for the same one: "I agree with {b}". */
static Str pick_supporter(const LlmScene *scene, Str target)
{
    for (uint32_t i = 0; i < scene->seat_count; i++)
        if (str_eq(scene->seats[i].votes_for, target) && !str_eq(scene->seats[i].name, scene->me))
            return scene->seats[i].name;
    return (Str){0};
}

/* The first words of a day: a greeting, or a word about the night. */
static bool open_day(MawDriver *driver, LlmDecision *decision)
{
    uint32_t victim = driver->talker.victim;

    if (!driver->talker.greeted) {
        driver->talker.greeted = true;
        driver->talker.reacted = true;
        return say_line(driver, LINE_HELLO, (Str){0}, (Str){0}, decision);
    }
    if (driver->talker.reacted || driver->scene.day < 2)
        return false;
    driver->talker.reacted = true;
    return victim && victim <= driver->scene.seat_count &&
           say_line(driver, LINE_VICTIM, driver->scene.seats[victim - 1].name, (Str){0}, decision);
}

static uint32_t place_of(const LlmScene *scene, Str name)
{
    for (uint32_t i = 0; i < scene->seat_count; i++)
        if (str_eq(scene->seats[i].name, name))
            return i;
    return LLM_SEATS_MAX;
}

static unsigned accused_count(const MawDriver *driver)
{
    unsigned count = 0;

    for (uint64_t rest = driver->talker.accused; rest; rest &= rest - 1)
        count++;
    return count;
}

static bool speak_of(MawDriver *driver, Str target, LlmDecision *decision)
{
    const MawKnown *known = maw_player_known(driver->player);
    uint32_t place = place_of(&driver->scene, target);
    Str friend = pick_supporter(&driver->scene, target);

    if (place == LLM_SEATS_MAX)
        return false;
    driver->talker.accused |= (uint64_t)1 << place;
    suspicion_note(&driver->talker.suspicion, place_of(&driver->scene, driver->scene.me), place);
    if (friend.len)
        return say_line(driver, LINE_AGREE, target, friend, decision);
    for (uint32_t i = 0; i < known->player_count; i++)
        if (str_eq(known->players[i].name, target) && known->players[i].lines == 0)
            return say_line(driver, LINE_SILENT, target, (Str){0}, decision);
    return say_line(driver, LINE_FEELING, target, (Str){0}, decision);
}

/* Whether it is too soon for a vote: not all have said whom they suspect, and there is time. */
static bool waits_for_others(const MawDriver *driver, TimeUs now)
{
    const MawKnown *known = maw_player_known(driver->player);
    TimeUs until = driver->phase_began + (known->phase_ends - driver->phase_began) / 4;

    if (known->phase_ends == TIME_US_NEVER || now >= until)
        return false;
    for (uint32_t i = 0; i < known->player_count; i++)
        if (known->players[i].alive && !str_eq(known->players[i].name, known->me) &&
            driver->talker.accusers[i] < ACCUSED_EACH)
            return true;
    return false;
}

static void talk_by_day(MawDriver *driver, LlmDecision *decision, TimeUs now)
{
    const LlmScene *scene = &driver->scene;
    bool more = driver->talker.said < LINES_EACH;

    if (open_day(driver, decision))
        return;
    if (!scene->my_vote.len && more && accused_count(driver) < ACCUSED_EACH &&
        speak_of(driver, pick_suspect(driver), decision))
        return;
    if (!scene->my_vote.len && waits_for_others(driver, now))
        return;
    Str target = vote_by_day(driver);
    if (!str_eq(target, scene->my_vote))
        choose_target(decision, target);
    else if (more && rng_below(&driver->rng, 100) < REPLY_CHANCE)
        speak_of(driver, scene->my_vote, decision);
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
        say_line(driver, LINE_ATTACK, str_of(wanted.target), (Str){0}, decision))
        return;
    *decision = wanted;
}

static void talker_decide(MawDriver *driver, TimeUs now)
{
    LlmDecision decision = {.action = LLM_LISTEN};

    if (driver->scene.task == TASK_VOTE && driver->scene.night)
        llm_fallback(&driver->scene, &decision);
    else if (driver->scene.task == TASK_VOTE)
        choose_target(&decision, vote_by_day(driver));
    else if (driver->scene.night)
        talk_by_night(driver, &decision);
    else
        talk_by_day(driver, &decision, now);
    driver_decided(driver, &decision, now);
}

static void hear_line(MawDriver *driver, const MawNews *news)
{
    const MawKnown *known = maw_player_known(driver->player);
    SeatNo count = known->player_count < SEAT_MAX ? (SeatNo)known->player_count : SEAT_MAX;
    Str names[SEAT_MAX + 1] = {{0}};
    Understood heard[UNDERSTOOD_MAX];
    uint32_t who = 0;

    note_said(driver, news->text);
    for (SeatNo seat = 1; seat <= count; seat++)
        names[seat] = known->players[seat - 1].name;
    while (who < count && !str_eq(names[who + 1], news->name))
        who++;
    uint32_t against = 0;
    unsigned meanings = who < count ? talker_understand(news->text, names, count, heard) : 0;
    for (unsigned i = 0; i < meanings; i++)
        if (heard[i].about != SEAT_NONE &&
            (heard[i].meaning == MEANS_DOUBT || heard[i].meaning == MEANS_WOLF ||
             heard[i].meaning == MEANS_VOTE)) {
            suspicion_note(&driver->talker.suspicion, who, heard[i].about - 1u);
            against++;
        }
    if (against && driver->talker.accusers[who] < UINT8_MAX)
        driver->talker.accusers[who]++;
}

/* Votes of a day say as much as words. */
static void hear_vote(MawDriver *driver, const MawNews *news)
{
    const MawKnown *known = maw_player_known(driver->player);
    uint32_t who = 0, whom = 0;

    while (who < known->player_count && !str_eq(known->players[who].name, news->name))
        who++;
    while (whom < known->player_count && !str_eq(known->players[whom].name, news->text))
        whom++;
    if (!known->night && who < known->player_count && whom < known->player_count)
        suspicion_note(&driver->talker.suspicion, who, whom);
}

/* Whom the night took: one who left, or an earlier victim, is not what a morning is about. */
static void hear_result(MawDriver *driver, const MawNews *news)
{
    const MawKnown *known = maw_player_known(driver->player);

    driver->talker.victim = 0;
    for (uint32_t i = 0; i < known->player_count && str_eq(news->text, STR("murdered")); i++)
        if (str_eq(known->players[i].name, news->name))
            driver->talker.victim = i + 1;
}

static void talker_news(MawDriver *driver, const MawNews *news, TimeUs now)
{
    (void)now;
    if (news->kind == NEWS_LINE && !news->mine)
        hear_line(driver, news);
    else if (news->kind == NEWS_TALLY)
        hear_vote(driver, news);
    else if (news->kind == NEWS_RESULT)
        hear_result(driver, news);
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
