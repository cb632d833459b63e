/* driver_talker.c - a built-in bot that talks: it hears for its talker (talker.h), and does what
 *                   that decides. docs/spec/models.md 4.9. */
#include "maw/driver_own.h"
#include "maw/talker.h"

struct TalkerSeat {
    MawBot bot;
    MawTalker talker;
};

/* ---- deciding ---- */

static void enter_talk(MawTalker *talker, const MawDriver *driver)
{
    if (talker->round == driver->round && talker->phase_no == driver->phase_no)
        return;
    if (talker->round != driver->round) {
        talker->greeted = talker->out = false;
        talker->believed = 0;
        talker->asked_day = 0;
        talker->result_count = talker->story = talker->told_day = 0;
    }
    if (talker->story && !scene_lives(&driver->scene, talker->story - 1))
        talker->story = 0;
    talker->round = driver->round;
    talker->phase_no = driver->phase_no;
    talker->said = talker->answered = talker->prey = talker->chosen = 0;
    talker->spoken = 0;
    talker->opened = talker->denied = talker->vouched = talker->asked_somebody = false;
    talker->declared = talker->planned = false;
}

static bool plays_at_random(const MawDriver *driver)
{
    MawBot bot = driver->talker->bot;
    bool wolf = scene_of_wolf(&driver->scene);

    return (bot == MAW_BOT_TALKING_WOLF && !wolf) || (bot == MAW_BOT_TALKING_VILLAGER && wolf);
}

/* The first quarter of a phase that has an end. */
static bool is_early(const MawDriver *driver, TimeUs now)
{
    const MawKnown *known = maw_player_known(driver->player);

    return known->phase_ends != TIME_US_NEVER &&
           now < driver->phase_began + (known->phase_ends - driver->phase_began) / 4;
}

static void ask_role(MawDriver *driver, TimeUs now)
{
    Str name = scene_name(&driver->scene, claims_question(&driver->talker->talker));

    if (name.len)
        maw_player_ask_role(driver->player, name, now);
}

static void talker_decide(MawDriver *driver, TimeUs now)
{
    LlmDecision decision = {.action = LLM_LISTEN};
    MawTalker *talker = &driver->talker->talker;
    bool last_call = driver->scene.task == TASK_VOTE;

    enter_talk(talker, driver);
    if (plays_at_random(driver)) {
        driver_random_decide(driver, now);
        return;
    }
    talker->scene = &driver->scene;
    talker->rng = &driver->rng;
    talker->early = is_early(driver, now);
    talker->mind.patient =
        driver->pace.vote_after_us > 0 && now < driver->phase_began + driver->pace.vote_after_us;
    ask_role(driver, now);
    if (driver->scene.night)
        (last_call ? night_vote_at_last : night_decide)(talker, &decision);
    else
        (last_call ? day_vote_at_last : day_decide)(talker, &decision);
    driver_decided(driver, &decision, now);
}

/* ---- hearing ---- */

static uint32_t known_place(const MawKnown *known, Str name)
{
    for (uint32_t i = 0; name.len && i < known->player_count && i < LLM_SEATS_MAX; i++)
        if (str_eq(known->players[i].name, name))
            return i;
    return NO_PLACE;
}

static void hear_line(MawDriver *driver, const MawNews *news)
{
    MawTalker *talker = &driver->talker->talker;
    const MawKnown *known = maw_player_known(driver->player);
    SeatNo count = known->player_count < SEAT_MAX ? (SeatNo)known->player_count : SEAT_MAX;
    uint32_t who = known_place(known, news->name);
    Str names[SEAT_MAX + 1] = {{0}};
    Understood heard[UNDERSTOOD_MAX];
    PhraseRead reading;

    for (SeatNo seat = 1; seat <= count; seat++)
        names[seat] = known->players[seat - 1].name;
    bool ours = phrase_read(news->text, names, count, &reading);
    if (!news->mine)
        voice_note(talker, news->text);
    if (ours && !news->mine)
        voice_wear(talker, reading.language, reading.wording);
    if (known->night) {
        if (ours && !news->mine)
            night_hear(talker, &reading);
        return;
    }
    unsigned meanings = ours ? 0 : talker_understand(news->text, names, count, heard);
    mind_hear(&talker->mind, who, known_place(known, known->me), ours ? &reading : NULL, heard,
              meanings);
}

static void hear_vote(MawDriver *driver, const MawNews *news)
{
    const MawKnown *known = maw_player_known(driver->player);

    if (!known->night)
        mind_note_vote(&driver->talker->talker.mind, known_place(known, news->name),
                       known_place(known, news->text));
}

static void hear_result(MawDriver *driver, const MawNews *news, TimeUs now)
{
    LlmScene scene;

    maw_scene(driver->player, driver->language, now, &scene);
    mind_note_end(&driver->talker->talker.mind, &scene, news->text,
                  scene_place(&scene, news->name));
}

static void talker_news(MawDriver *driver, const MawNews *news, TimeUs now)
{
    const MawKnown *known = maw_player_known(driver->player);
    MawTalker *talker = &driver->talker->talker;

    if (news->kind == NEWS_PHASE)
        mind_enter_phase(&talker->mind, known->round, known->day, known->night);
    else if (news->kind == NEWS_LINE)
        hear_line(driver, news);
    else if (news->kind == NEWS_TALLY)
        hear_vote(driver, news);
    else if (news->kind == NEWS_RESULT)
        hear_result(driver, news, now);
    else if (news->kind == NEWS_ROLE_ANSWER)
        claims_answer(talker, known_place(known, news->name), str_eq(news->text, STR("Werewolf")));
}

static void talker_done(MawDriver *driver)
{
    driver->talker = mem_free(driver->talker);
}

static int talker_driver_new(MawBot bot, const MawPace *pace, uint64_t seed, MawDriver **ret,
                             Err *err)
{
    static const DriverKind kind = {
        .decide = talker_decide, .news = talker_news, .done = talker_done};
    TalkerSeat *seat = mem_new(sizeof(*seat));

    if (!seat)
        return err_set(err, ERR_MEMORY, "talker: out of memory");
    int rc = driver_new(&kind, pace, seed, ret, err);
    if (rc) {
        mem_free(seat);
        return rc;
    }
    seat->bot = bot;
    seat->talker.words = rng_new(rng_derive_text(seed, STR("words")));
    seat->talker.seed = rng_derive_text(seed, STR("talker"));
    (*ret)->talker = seat;
    return 0;
}

int maw_bot_driver_new(MawBot bot, LlmLanguage language, const MawPace *pace, uint64_t seed,
                       MawDriver **ret, Err *err)
{
    int rc = bot == MAW_BOT_RANDOM ? random_driver_new(pace, seed, ret, err)
                                   : talker_driver_new(bot, pace, seed, ret, err);

    if (rc == 0)
        (*ret)->language = language;
    return rc;
}
