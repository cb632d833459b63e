/* driver_talker.c - a built-in bot that talks: it greets, asks and answers, says whom it suspects
 *                   and why, and votes as it said. docs/spec/models.md 4.9.
 *
 * By day a vote goes only to somebody it has spoken against today, with a reason that is true
 * (talker_mind.h); another one only when that other one looks clearly worse, and after a new
 * reason. No wording is used twice in a session, by whomever it was said. */
#include "maw/driver_own.h"
#include "maw/talker_mind.h"

#define LINES_EACH    6 /* a talker's own lines in a phase; a few more, where its vote needs words */
#define LINES_MOST    9
#define GREETING      60 /* of a hundred: greets in a later round */
#define REPLY_CHANCE  25 /* ... says more although it has voted */
#define DECLARE       45 /* ... says that it votes, before it does */
#define ASK_CHANCE    30
#define MATE_CHANCE   20 /* ... a wolf thinks of a mate when it looks for somebody to accuse */
#define STORY_CHANCE  65
#define DISTANCE      20 /* ... a wolf does not spare its mates in a day's vote */
#define STUBBORN      4  /* ... a wolf insists on its own victim */
#define STUBBORN_FEW  20
#define SACRIFICE     24 /* likewise of a mate that is given up */
#define TOGETHER      65 /* ... wolves vote with others at a table of eight */
#define SMALL_TABLE   6
#define MEDIUM_TABLE  8
#define ACCUSED_EACH  2 /* it speaks against so many before it votes */
#define BOLD          5 /* of a hundred: a Seer that has found a wolf says so at once */
#define SUPPORT       2 /* what a vote of another one adds to a suspicion, in quarters of it */
#define SEER_PATIENCE 9 /* results without a wolf before a Seer comes out */
#define SAID_SLOTS    16384
#define SAID_MAX      12000
#define LINE_BYTES    400
#define ROUNDS_APART  6 /* wolves don't hear what other wolves said in the rounds before */
#define PARTS_MAX     16

typedef struct TalkerResult {
    uint32_t about;
    bool wolf;
    bool told;
} TalkerResult;

struct MawTalker {
    MawBot bot;
    TalkerMind mind;
    uint64_t seed;
    /* This phase. */
    uint32_t round, phase_no;
    uint32_t said;
    uint64_t spoken; /* whom it spoke against */
    bool opened, denied, asked_somebody, declared, planned;
    uint32_t chosen;   /* whom it has said that it votes for, one more than the place */
    uint32_t answered; /* how many */
    /* This round. */
    bool greeted;
    uint64_t believed; /* claimants */
    bool out;          /* it has claimed to be the Seer */
    uint16_t asked_day;
    uint32_t result_count;
    TalkerResult results[LLM_SEATS_MAX];
    uint32_t story; /* whom the wolves want to blame, one more than the place */
    uint32_t prey;  /* whom a mate wants to attack, likewise */
    /* The session: wordings are chosen so that all come up. */
    uint16_t heads[PHRASE_COUNT][PARTS_MAX];
    uint16_t tails[PHRASE_COUNT][PARTS_MAX];
    uint32_t slots[SAID_SLOTS]; /* numbers of the lines that were heard; 0: free */
    uint32_t slot_count;
};

/* ---- the table, by place ---- */

static uint32_t place_of(const LlmScene *scene, Str name)
{
    for (uint32_t i = 0; name.len && i < scene->seat_count; i++)
        if (str_eq(scene->seats[i].name, name))
            return i;
    return NO_PLACE;
}

static uint32_t known_place(const MawKnown *known, Str name)
{
    for (uint32_t i = 0; name.len && i < known->player_count && i < LLM_SEATS_MAX; i++)
        if (str_eq(known->players[i].name, name))
            return i;
    return NO_PLACE;
}

static Str name_at(const LlmScene *scene, uint32_t place)
{
    return place < scene->seat_count ? scene->seats[place].name : (Str){0};
}

static bool is_alive(const LlmScene *scene, uint32_t place)
{
    return place < scene->seat_count && scene->seats[place].alive;
}

static bool is_target(const LlmScene *scene, uint32_t place)
{
    for (uint32_t i = 0; place < scene->seat_count && i < scene->target_count; i++)
        if (str_eq(scene->targets[i], scene->seats[place].name))
            return true;
    return false;
}

static uint32_t my_place(const LlmScene *scene)
{
    return place_of(scene, scene->me);
}

static bool is_wolf_side(const LlmScene *scene)
{
    return scene->side == SIDE_WEREWOLF;
}

static uint64_t wolves_of(const LlmScene *scene)
{
    uint64_t wolves = is_wolf_side(scene) ? place_bit(my_place(scene)) : 0;

    for (uint32_t i = 0; i < scene->seat_count; i++)
        wolves |= scene->seats[i].mate ? place_bit(i) : 0;
    return wolves;
}

static bool draws(MawDriver *driver, uint32_t of_hundred)
{
    return rng_below(&driver->rng, 100) < of_hundred;
}

/* The same answer all the round long. */
static bool drawn_for_round(const MawDriver *driver, const char *what, uint32_t of_hundred)
{
    const MawTalker *talker = driver->talker;

    return rng_derive(rng_derive_text(talker->seed, str_of(what)), talker->mind.round) % 100 <
           of_hundred;
}

/* ---- wordings ---- */

static uint32_t number_of(Str text)
{
    uint32_t number = (uint32_t)rng_derive_text(0, text);

    return number ? number : 1;
}

static bool was_said(const MawTalker *talker, Str text)
{
    uint32_t number = number_of(text);

    for (uint32_t at = number; talker->slots[at % SAID_SLOTS]; at++)
        if (talker->slots[at % SAID_SLOTS] == number)
            return true;
    return false;
}

static void note_said(MawTalker *talker, Str text)
{
    uint32_t at = number_of(text);

    if (was_said(talker, text))
        return;
    if (talker->slot_count == SAID_MAX) { /* hundreds of rounds later nobody remembers */
        memset(talker->slots, 0, sizeof(talker->slots));
        talker->slot_count = 0;
    }
    while (talker->slots[at % SAID_SLOTS])
        at++;
    talker->slots[at % SAID_SLOTS] = number_of(text);
    talker->slot_count++;
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

/* How worn a wording is: the more so the more often its parts were heard. */
static uint32_t wear_of(const MawTalker *talker, Wording wording)
{
    return 4u * talker->heads[wording.phrase][wording.head % PARTS_MAX] +
           talker->tails[wording.phrase][wording.tail % PARTS_MAX];
}

static void wear_wording(MawTalker *talker, Wording wording)
{
    uint16_t *head = &talker->heads[wording.phrase][wording.head % PARTS_MAX];
    uint16_t *tail = &talker->tails[wording.phrase][wording.tail % PARTS_MAX];

    *head = (uint16_t)(*head + (*head < UINT16_MAX));
    *tail = (uint16_t)(*tail + (*tail < UINT16_MAX));
}

/* In the hideout each of six rounds has wordings of its own. */
static bool is_of_round(const MawTalker *talker, Wording wording, unsigned heads)
{
    return wording.phrase < PHRASE_WOLF_HELLO ||
           (wording.head + wording.tail * heads) % ROUNDS_APART ==
               talker->mind.round % ROUNDS_APART;
}

typedef struct Choice {
    Wording wording;
    uint32_t wear;
    uint32_t alike; /* as good ones so far */
    bool found;
} Choice;

static void consider_wording(MawDriver *driver, TalkerLanguage language, Wording wording, Str a,
                             Str b, Choice *choice)
{
    char line[LINE_BYTES];
    uint32_t wear = wear_of(driver->talker, wording);

    if (choice->found && wear > choice->wear)
        return;
    size_t len = phrase_write(language, wording, a, b, line, sizeof(line));
    if (len == 0 || was_said(driver->talker, (Str){line, len}))
        return;
    choice->alike = choice->found && wear == choice->wear ? choice->alike + 1 : 1;
    if (choice->alike > 1 && rng_below(&driver->rng, choice->alike) != 0)
        return;
    *choice = (Choice){wording, wear, choice->alike, true};
}

/* False when nobody could say it in a way that was not heard yet. */
static bool say_phrase(MawDriver *driver, Phrase phrase, uint32_t a, uint32_t b,
                       LlmDecision *decision)
{
    const LlmScene *scene = &driver->scene;
    TalkerLanguage language = language_of(scene);
    unsigned heads = phrase_heads(language, phrase), tails = phrase_tails(language, phrase);
    Choice choice = {0};

    for (unsigned head = 0; head < heads; head++)
        for (unsigned tail = 0; tail < (tails ? tails : 1); tail++) {
            Wording wording = {phrase, head, tail};
            if (is_of_round(driver->talker, wording, heads))
                consider_wording(driver, language, wording, name_at(scene, a), name_at(scene, b),
                                 &choice);
        }
    if (!choice.found)
        return false;
    size_t len = phrase_write(language, choice.wording, name_at(scene, a), name_at(scene, b),
                              decision->message, sizeof(decision->message) - 1);
    decision->message[len] = '\0';
    if (len == 0)
        return false;
    note_said(driver->talker, (Str){decision->message, len});
    wear_wording(driver->talker, choice.wording);
    decision->action = LLM_SPEAK;
    driver->talker->said++;
    if (phrase_accuses(phrase))
        driver->talker->spoken |= place_bit(a);
    return true;
}

/* ---- whom ---- */

static void choose_target(const LlmScene *scene, uint32_t place, LlmDecision *decision)
{
    Str name = name_at(scene, place);

    if (name.len == 0 || name.len >= sizeof(decision->target) || !is_target(scene, place) ||
        (scene->task == TASK_ROOM && str_eq(name, scene->my_vote)))
        return;
    decision->action = LLM_VOTE;
    memcpy(decision->target, name.bytes, name.len);
    decision->target[name.len] = '\0';
}

/* One by chance of those whose value is not below `least`; NO_PLACE: there is none. */
static uint32_t choose_worth(MawDriver *driver, const uint64_t *values, uint64_t least)
{
    uint32_t count = 0, seats = driver->scene.seat_count;

    for (uint32_t i = 0; i < seats; i++)
        count += values[i] >= least;
    if (count == 0)
        return NO_PLACE;
    uint32_t chosen = rng_below(&driver->rng, count);
    for (uint32_t i = 0; i < seats; i++)
        if (values[i] >= least && chosen-- == 0)
            return i;
    return NO_PLACE;
}

static uint32_t choose_most(MawDriver *driver, const uint64_t *values)
{
    uint64_t most = 1;

    for (uint32_t i = 0; i < driver->scene.seat_count; i++)
        most = values[i] > most ? values[i] : most;
    return choose_worth(driver, values, most);
}

/* A wolf sees it as a villager would who knows nothing of himself, and has a story to tell. */
static void weigh_others(const MawDriver *driver, uint64_t values[LLM_SEATS_MAX])
{
    const LlmScene *scene = &driver->scene;
    const MawTalker *talker = driver->talker;
    bool wolf = is_wolf_side(scene);

    mind_weigh(&talker->mind, scene, my_place(scene), !wolf, talker->seed, values);
    if (wolf && talker->story)
        values[talker->story - 1] *= 2;
    for (uint32_t i = 0; i < scene->seat_count && talker->out; i++)
        if (i != my_place(scene) && scene->seats[i].alive &&
            has_place(talker->mind.suspicion.seers, i))
            values[i] *= 16; /* there is one Seer, and I say that it is me */
}

/* Whom it speaks against. Now and then a wolf speaks against a mate: else nobody would have to
 * think long. */
static uint32_t pick_suspect(MawDriver *driver, const uint64_t *values)
{
    const LlmScene *scene = &driver->scene;
    uint64_t left[LLM_SEATS_MAX], most = 0;

    for (uint32_t i = 0; i < scene->seat_count; i++) {
        bool spared = scene->seats[i].mate &&
                      !(scene->seat_count > SMALL_TABLE && draws(driver, MATE_CHANCE));
        left[i] = spared || has_place(driver->talker->spoken, i) ? 0 : values[i];
        most = left[i] > most ? left[i] : most;
    }
    return choose_worth(driver, left, most > 20 ? most / 20 : 1);
}

/* A mate that nothing can help any more is voted for, by every other wolf: drawn for a phase. At a
 * small table, where two wolves are all there are, they never do. */
static bool gives_up_mates(const MawDriver *driver)
{
    const LlmScene *scene = &driver->scene;
    uint32_t mates = 0, others = 0;

    for (uint32_t i = 0; i < scene->seat_count; i++) {
        const LlmSeatSeen *seat = &scene->seats[i];
        uint32_t *most = seat->mate ? &mates : &others;
        *most = seat->votes > *most ? seat->votes : *most;
    }
    return scene->seat_count > SMALL_TABLE && mates >= others + 2 &&
           rng_derive(rng_derive_text(driver->round, scene->me), driver->phase_no) % 2;
}

/* A wolf that wants to look like a villager spares nobody: drawn for a phase. */
static bool distances_itself(const MawDriver *driver)
{
    return driver->scene.seat_count > SMALL_TABLE &&
           rng_derive(rng_derive(driver->talker->seed, driver->round), driver->phase_no) % 100 <
               DISTANCE;
}

/* What votes of others count. Wolves rather keep to their own choice, the more so the smaller the
 * table is: those who vote together are soon seen there. */
static uint32_t weight_of_support(const MawDriver *driver)
{
    uint32_t seats = driver->scene.seat_count;

    if (!is_wolf_side(&driver->scene))
        return SUPPORT;
    if (seats == MEDIUM_TABLE)
        return drawn_for_round(driver, "together", TOGETHER);
    return seats > MEDIUM_TABLE;
}

/* Whom it wants executed: who is suspected, and rather who will be executed anyway. It keeps to its
 * vote while another one is not clearly worse. */
static uint32_t pick_condemned(MawDriver *driver, const uint64_t *suspected, bool spoken_only)
{
    const LlmScene *scene = &driver->scene;
    bool gives_up = gives_up_mates(driver), spares = !gives_up && !distances_itself(driver);
    uint64_t values[LLM_SEATS_MAX];
    uint32_t weight = weight_of_support(driver);

    for (uint32_t i = 0; i < scene->seat_count && i < LLM_SEATS_MAX; i++) {
        const LlmSeatSeen *seat = &scene->seats[i];
        bool voted = str_eq(seat->name, scene->my_vote);
        bool mine = voted || driver->talker->chosen == i + 1;
        bool spoken = has_place(driver->talker->spoken, i);
        uint32_t support = seat->votes - (voted && seat->votes > 0);
        bool spared = (seat->mate && spares) || !is_target(scene, i) || (spoken_only && !spoken);
        uint32_t each =
            seat->mate && gives_up && scene->seat_count <= MEDIUM_TABLE ? SACRIFICE : weight;
        values[i] = spared ? 0 : suspected[i] / 4 * (4 + each * support);
        values[i] += mine ? values[i] / 2 : spoken ? values[i] / 4 : 0;
    }
    return choose_most(driver, values);
}

/* ---- what is said by day ---- */

static bool say_reason(MawDriver *driver, uint32_t whom, const uint64_t *values,
                       LlmDecision *decision)
{
    MawTalker *talker = driver->talker;
    uint32_t me = my_place(&driver->scene);
    TalkerReason reason;

    if (!mind_find_reason(&talker->mind, &driver->scene, me, whom, values, &driver->rng, &reason) ||
        !say_phrase(driver, reason.why, whom, reason.b, decision))
        return false;
    mind_note_given(&talker->mind, reason.why, whom, reason.b);
    return true;
}

/* The first words of a day: a greeting, or a word about the night; not by everybody. */
static bool open_day(MawDriver *driver, LlmDecision *decision)
{
    MawTalker *talker = driver->talker;
    const TalkerMind *mind = &talker->mind;
    bool first = mind->round <= 1;

    if (talker->opened)
        return false;
    talker->opened = true;
    if (!talker->greeted && mind->day <= 1) {
        talker->greeted = true;
        return (first || draws(driver, GREETING)) &&
               say_phrase(driver, first ? PHRASE_HELLO : PHRASE_AGAIN, NO_PLACE, NO_PLACE,
                          decision);
    }
    talker->greeted = true;
    if (mind->victim && mind->told[PHRASE_VICTIM] < 2)
        return say_phrase(driver, PHRASE_VICTIM, mind->victim - 1, NO_PLACE, decision);
    if (!mind->victim && mind->day > 1 && mind->told[PHRASE_QUIET_NIGHT] < 1)
        return say_phrase(driver, PHRASE_QUIET_NIGHT, NO_PLACE, NO_PLACE, decision);
    return mind->executed && mind->told[PHRASE_EXECUTED] < 1 && draws(driver, 50) &&
           say_phrase(driver, PHRASE_EXECUTED, mind->executed - 1, NO_PLACE, decision);
}

static uint32_t votes_against_me(const LlmScene *scene)
{
    uint32_t me = my_place(scene);

    return me == NO_PLACE ? 0 : scene->seats[me].votes;
}

/* Of somebody who lives. */
static uint32_t untold_result(const MawTalker *talker, const LlmScene *scene, bool wolf)
{
    for (uint32_t i = 0; i < talker->result_count; i++)
        if (!talker->results[i].told && talker->results[i].wolf == wolf &&
            is_alive(scene, talker->results[i].about))
            return i;
    return NO_PLACE;
}

static bool tell_result(MawDriver *driver, uint32_t number, LlmDecision *decision)
{
    MawTalker *talker = driver->talker;
    TalkerResult *result = &talker->results[number];

    result->told = true;
    talker->out = true;
    return say_phrase(driver, result->wolf ? PHRASE_SEER_WOLF : PHRASE_SEER_HUMAN, result->about,
                      NO_PLACE, decision);
}

/* Comes out with a wolf at once if it is bold, else on the third day; without one when it has seen
 * a few, when it is about to be executed, or when somebody else claims the same. */
static bool speak_as_seer(MawDriver *driver, LlmDecision *decision)
{
    MawTalker *talker = driver->talker;
    const LlmScene *scene = &driver->scene;
    uint32_t wolf = untold_result(talker, scene, true), human = untold_result(talker, scene, false);
    uint32_t me = my_place(scene);

    bool urgent = votes_against_me(scene) >= 2 ||
                  (talker->mind.suspicion.seers & ~place_bit(me)) != 0 || talker->out ||
                  talker->result_count > SEER_PATIENCE;
    if (wolf != NO_PLACE &&
        (urgent || talker->mind.day > 2 || drawn_for_round(driver, "bold", BOLD)))
        return tell_result(driver, wolf, decision);
    return human != NO_PLACE && urgent && tell_result(driver, human, decision);
}

/* A wolf that is called one claims to be the Seer itself: the other one is the wolf. */
static bool counter_claim(MawDriver *driver, LlmDecision *decision)
{
    MawTalker *talker = driver->talker;
    const LlmScene *scene = &driver->scene;
    const Suspicion *suspicion = &talker->mind.suspicion;
    uint32_t me = my_place(scene);

    if (talker->out || (suspicion->seers & wolves_of(scene)))
        return false;
    for (uint64_t rest = suspicion->seers; rest; rest &= rest - 1) {
        uint32_t seer = (uint32_t)__builtin_ctzll(rest);
        if (!has_place(suspicion->wolf_by[seer], me) || !is_alive(scene, seer))
            continue;
        talker->out = true;
        return say_phrase(driver, PHRASE_SEER_WOLF, seer, NO_PLACE, decision);
    }
    return false;
}

static bool answer_question(MawDriver *driver, LlmDecision *decision)
{
    MawTalker *talker = driver->talker;
    const LlmScene *scene = &driver->scene;
    uint32_t whom = NO_PLACE;

    if (!talker->mind.asked)
        return false;
    uint32_t by = (uint32_t)__builtin_ctzll(talker->mind.asked);
    for (uint64_t rest = talker->spoken; rest; rest &= rest - 1)
        whom = (uint32_t)__builtin_ctzll(rest);
    uint32_t vote = place_of(scene, scene->my_vote);
    whom = vote != NO_PLACE && has_place(talker->spoken, vote) ? vote : whom;
    talker->mind.asked &= ~place_bit(by);
    if (!is_alive(scene, by) || whom == by || talker->answered++ >= 2)
        return false;
    return whom == NO_PLACE ? say_phrase(driver, PHRASE_ANSWER_NONE, NO_PLACE, by, decision)
                            : say_phrase(driver, PHRASE_ANSWER, whom, by, decision);
}

static bool deny_accusation(MawDriver *driver, LlmDecision *decision)
{
    MawTalker *talker = driver->talker;
    const LlmScene *scene = &driver->scene;
    uint32_t me = my_place(scene), by = NO_PLACE;

    if (talker->denied)
        return false;
    for (uint32_t i = 0; i < scene->seat_count; i++)
        if (i != me && is_alive(scene, i) && has_place(talker->mind.today[i], me))
            by = i;
    if (by == NO_PLACE)
        return false;
    talker->denied = true;
    return draws(driver, 65) && say_phrase(driver, PHRASE_DENY, NO_PLACE, by, decision);
}

/* What it thinks of a claim, once. */
static bool judge_claim(MawDriver *driver, const uint64_t *values, LlmDecision *decision)
{
    MawTalker *talker = driver->talker;
    const LlmScene *scene = &driver->scene;
    uint64_t seers = talker->mind.suspicion.seers & ~place_bit(my_place(scene));

    for (uint64_t rest = seers & ~talker->believed; rest; rest &= rest - 1) {
        uint32_t seer = (uint32_t)__builtin_ctzll(rest);
        uint32_t wolf = NO_PLACE, me = my_place(scene);
        if (talker->mind.suspicion.wolf_by[seer])
            wolf = (uint32_t)__builtin_ctzll(talker->mind.suspicion.wolf_by[seer]);
        bool believes = wolf != NO_PLACE && wolf < scene->seat_count && wolf != me &&
                        values[seer] < values[wolf] && !talker->out;
        talker->believed |= place_bit(seer);
        if (believes && is_alive(scene, seer) && talker->mind.told[PHRASE_BELIEVE] < 2)
            return say_phrase(driver, PHRASE_BELIEVE, seer, NO_PLACE, decision);
    }
    return false;
}

static bool ask_somebody(MawDriver *driver, LlmDecision *decision)
{
    MawTalker *talker = driver->talker;
    const LlmScene *scene = &driver->scene;
    uint64_t quiet[LLM_SEATS_MAX] = {0};
    uint32_t me = my_place(scene);

    if (talker->asked_somebody || talker->mind.told[PHRASE_ASK] >= 2 || !draws(driver, ASK_CHANCE))
        return false;
    talker->asked_somebody = true;
    for (uint32_t i = 0; i < scene->seat_count; i++)
        quiet[i] = i != me && is_alive(scene, i) && talker->mind.today[i] == 0;
    uint32_t whom = choose_worth(driver, quiet, 1);
    return whom != NO_PLACE && say_phrase(driver, PHRASE_ASK, NO_PLACE, whom, decision);
}

static bool speak_of_quarrel(MawDriver *driver, LlmDecision *decision)
{
    MawTalker *talker = driver->talker;
    uint32_t a, b;

    if (talker->mind.day < 2 || talker->mind.told[PHRASE_TRUST] >= 1 || !draws(driver, 20) ||
        !mind_find_quarrel(&talker->mind, &driver->scene, my_place(&driver->scene), &a, &b))
        return false;
    mind_note_given(&talker->mind, PHRASE_TRUST, a, b);
    return say_phrase(driver, PHRASE_TRUST, a, b, decision);
}

static bool speak_of_suspect(MawDriver *driver, const uint64_t *values, LlmDecision *decision)
{
    for (unsigned tries = 0; tries < 3; tries++) {
        uint32_t whom = pick_suspect(driver, values);
        if (whom != NO_PLACE && say_reason(driver, whom, values, decision))
            return true;
    }
    return false;
}

/* What others wait for, before anything of its own. */
static bool respond_to_others(MawDriver *driver, const uint64_t *values, LlmDecision *decision)
{
    const LlmScene *scene = &driver->scene;

    if (str_eq(scene->role, STR("Seer")) && speak_as_seer(driver, decision))
        return true;
    if (is_wolf_side(scene) && counter_claim(driver, decision))
        return true;
    return driver->talker->said < LINES_EACH &&
           (open_day(driver, decision) || answer_question(driver, decision) ||
            deny_accusation(driver, decision) || judge_claim(driver, values, decision));
}

/* Whether it is too soon for a vote: not all have said whom they suspect, and there is time. */
static bool waits_for_others(const MawDriver *driver, TimeUs now)
{
    const MawKnown *known = maw_player_known(driver->player);
    const LlmScene *scene = &driver->scene;
    TimeUs until = driver->phase_began + (known->phase_ends - driver->phase_began) / 4;

    if (known->phase_ends == TIME_US_NEVER || now >= until)
        return false;
    for (uint32_t i = 0; i < scene->seat_count; i++)
        if (is_alive(scene, i) && i != my_place(scene) &&
            driver->talker->mind.accusations[i] < ACCUSED_EACH)
            return true;
    return false;
}

/* The vote, or first the words for it: whom it was not spoken against gets no vote. */
static bool vote_as_said(MawDriver *driver, const uint64_t *values, LlmDecision *decision)
{
    MawTalker *talker = driver->talker;
    const LlmScene *scene = &driver->scene;
    uint32_t mine = place_of(scene, scene->my_vote);
    uint32_t target = pick_condemned(driver, values, false);

    if (target == NO_PLACE || target == mine)
        return false;
    if (!has_place(talker->spoken, target) && talker->said < LINES_MOST &&
        say_reason(driver, target, values, decision))
        return true;
    if (!has_place(talker->spoken, target))
        target = pick_condemned(driver, values, true);
    if (target == NO_PLACE || target == mine)
        return false;
    if (!talker->declared && talker->said < LINES_MOST && draws(driver, DECLARE)) {
        talker->declared = true;
        talker->chosen = target + 1;
        return mine == NO_PLACE ? say_phrase(driver, PHRASE_VOTE, target, NO_PLACE, decision)
                                : say_phrase(driver, PHRASE_CHANGE, target, mine, decision);
    }
    talker->declared = false;
    choose_target(scene, target, decision);
    return true;
}

static void talk_by_day(MawDriver *driver, LlmDecision *decision, TimeUs now)
{
    MawTalker *talker = driver->talker;
    const LlmScene *scene = &driver->scene;
    bool more = talker->said < LINES_EACH;
    uint64_t values[LLM_SEATS_MAX];

    weigh_others(driver, values);
    if (respond_to_others(driver, values, decision))
        return;
    if (!scene->my_vote.len && more &&
        (uint32_t)__builtin_popcountll(talker->spoken) < ACCUSED_EACH &&
        (ask_somebody(driver, decision) || speak_of_suspect(driver, values, decision)))
        return;
    if (!scene->my_vote.len && waits_for_others(driver, now))
        return;
    if (vote_as_said(driver, values, decision) || !more || !draws(driver, REPLY_CHANCE))
        return;
    if (!speak_of_quarrel(driver, decision) && scene->my_vote.len)
        say_reason(driver, place_of(scene, scene->my_vote), values, decision);
}

/* Asked for a vote because time runs out. Who has no reason against anybody does not vote. */
static void vote_at_last(MawDriver *driver, LlmDecision *decision)
{
    uint64_t values[LLM_SEATS_MAX];

    weigh_others(driver, values);
    uint32_t target = pick_condemned(driver, values, true);
    if (target != NO_PLACE) {
        choose_target(&driver->scene, target, decision);
        return;
    }
    target = pick_condemned(driver, values, false); /* its words; it is asked once more */
    if (say_reason(driver, target, values, decision))
        return;
    driver->talker->mind.given_count = 0; /* an old reason is better than none */
    say_reason(driver, target, values, decision);
}

/* ---- the Seer's question ---- */

static void ask_role(MawDriver *driver, TimeUs now)
{
    MawTalker *talker = driver->talker;
    const LlmScene *scene = &driver->scene;
    uint64_t values[LLM_SEATS_MAX];

    if (!str_eq(scene->role, STR("Seer")) || scene->night || talker->asked_day == scene->day)
        return;
    weigh_others(driver, values);
    for (uint32_t i = 0; i < scene->seat_count; i++)
        if (scene->seats[i].role.len)
            values[i] = 0;
    uint32_t whom = choose_worth(driver, values, 1);
    talker->asked_day = (uint16_t)scene->day;
    if (whom != NO_PLACE)
        maw_player_ask_role(driver->player, name_at(scene, whom), now);
}

static void hear_role(MawDriver *driver, const MawNews *news)
{
    MawTalker *talker = driver->talker;
    uint32_t about = known_place(maw_player_known(driver->player), news->name);

    if (about == NO_PLACE || talker->result_count == LLM_SEATS_MAX)
        return;
    talker->results[talker->result_count++] =
        (TalkerResult){.about = about, .wolf = str_eq(news->text, STR("Werewolf"))};
}

/* ---- the night ---- */

/* Whom the wolves had better be rid of: a Seer who is believed, who speaks against wolves; not whom
 * the village will execute for them. */
static uint32_t pick_prey(MawDriver *driver)
{
    const MawTalker *talker = driver->talker;
    const TalkerMind *mind = &talker->mind;
    const LlmScene *scene = &driver->scene;
    uint64_t wolves = wolves_of(scene), worth[LLM_SEATS_MAX] = {0}, sum = 0;
    bool countered = (mind->suspicion.seers & wolves) != 0;

    for (uint32_t i = 0; i < scene->seat_count; i++) {
        if (!is_target(scene, i) || has_place(wolves, i))
            continue;
        worth[i] = 4 + (uint64_t)__builtin_popcountll(mind->suspicion.against[i] & wolves);
        if (has_place(mind->suspicion.seers, i))
            worth[i] = countered ? 1 : 60;
        sum += worth[i];
    }
    if (!sum)
        return NO_PLACE;
    uint32_t drawn = rng_below(&driver->rng, (uint32_t)sum);
    for (uint32_t i = 0; i < scene->seat_count; i++) {
        if (drawn < worth[i])
            return i;
        drawn -= (uint32_t)worth[i];
    }
    return NO_PLACE;
}

/* Somebody to blame tomorrow: who is suspected anyway. */
static bool plan_story(MawDriver *driver, LlmDecision *decision)
{
    MawTalker *talker = driver->talker;
    const LlmScene *scene = &driver->scene;
    uint64_t values[LLM_SEATS_MAX], wolves = wolves_of(scene);

    if (talker->planned || talker->story)
        return false;
    talker->planned = true;
    if (!draws(driver, STORY_CHANCE))
        return false;
    weigh_others(driver, values);
    for (uint32_t i = 0; i < scene->seat_count; i++)
        if (has_place(wolves, i) || i + 1 == talker->prey)
            values[i] = 0;
    uint32_t whom = choose_most(driver, values);
    if (whom == NO_PLACE || !say_phrase(driver, PHRASE_STORY, whom, NO_PLACE, decision))
        return false;
    talker->story = whom + 1;
    return true;
}

/* A wolf that insists on whom it wants: then nobody may die in that night. At a small table, where
 * a night decides, it happens more often. Drawn for a phase. */
static bool is_stubborn(const MawDriver *driver)
{
    uint64_t drawn = rng_derive(rng_derive(driver->talker->seed, driver->round), driver->phase_no);

    return drawn / 128 % 100 < (driver->scene.seat_count <= SMALL_TABLE ? STUBBORN_FEW : STUBBORN);
}

static void talk_by_night(MawDriver *driver, LlmDecision *decision)
{
    MawTalker *talker = driver->talker;
    const LlmScene *scene = &driver->scene;
    bool mates = (wolves_of(scene) & ~place_bit(my_place(scene))) != 0;

    bool company = false;
    for (uint32_t i = 0; i < scene->seat_count; i++)
        company = company || (mates && scene->seats[i].mate && scene->seats[i].alive);
    bool stubborn = company && is_stubborn(driver);
    if ((!stubborn && driver_follow_mates(scene, decision)) || scene->my_vote.len)
        return;
    bool proposed = !stubborn && talker->prey && is_target(scene, talker->prey - 1);
    if (company && !talker->opened) {
        talker->opened = true;
        if (scene->day <= 1 && talker->mind.told[PHRASE_WOLF_HELLO] == 0 &&
            say_phrase(driver, PHRASE_WOLF_HELLO, NO_PLACE, NO_PLACE, decision))
            return;
    }
    if (company && proposed && !talker->declared) {
        talker->declared = true;
        if (say_phrase(driver, PHRASE_ATTACK_TOO, talker->prey - 1, NO_PLACE, decision))
            return;
    }
    if (!proposed) {
        uint32_t prey = talker->declared ? talker->prey - 1 : pick_prey(driver);
        if (prey == NO_PLACE)
            return;
        talker->prey = prey + 1;
        if (talker->declared) {
            choose_target(scene, prey, decision);
            return;
        }
        talker->declared = true;
        if (company && say_phrase(driver, PHRASE_ATTACK, prey, NO_PLACE, decision))
            return;
    }
    if (company && plan_story(driver, decision))
        return;
    choose_target(scene, talker->prey - 1, decision);
}

/* Asked for a vote because the night is nearly over. */
static void vote_for_prey(MawDriver *driver, LlmDecision *decision)
{
    const LlmScene *scene = &driver->scene;
    uint32_t prey = driver->talker->prey ? driver->talker->prey - 1 : NO_PLACE;

    if (!is_stubborn(driver) && driver_follow_mates(scene, decision))
        return;
    choose_target(scene, is_target(scene, prey) ? prey : pick_prey(driver), decision);
}

/* ---- deciding ---- */

static void enter_talk(MawTalker *talker, const MawDriver *driver)
{
    if (talker->round == driver->round && talker->phase_no == driver->phase_no)
        return;
    if (talker->round != driver->round) {
        talker->greeted = talker->out = false;
        talker->believed = 0;
        talker->asked_day = 0;
        talker->result_count = talker->story = 0;
    }
    if (talker->story && !is_alive(&driver->scene, talker->story - 1))
        talker->story = 0;
    talker->round = driver->round;
    talker->phase_no = driver->phase_no;
    talker->said = talker->answered = talker->prey = talker->chosen = 0;
    talker->spoken = 0;
    talker->opened = talker->denied = talker->asked_somebody = false;
    talker->declared = talker->planned = false;
}

static bool plays_at_random(const MawDriver *driver)
{
    MawBot bot = driver->talker->bot;
    bool wolf = is_wolf_side(&driver->scene);

    return (bot == MAW_BOT_TALKING_WOLF && !wolf) || (bot == MAW_BOT_TALKING_VILLAGER && wolf);
}

static void talker_decide(MawDriver *driver, TimeUs now)
{
    LlmDecision decision = {.action = LLM_LISTEN};

    enter_talk(driver->talker, driver);
    if (plays_at_random(driver)) {
        driver_random_decide(driver, now);
        return;
    }
    ask_role(driver, now);
    if (driver->scene.task == TASK_VOTE && driver->scene.night)
        vote_for_prey(driver, &decision);
    else if (driver->scene.task == TASK_VOTE)
        vote_at_last(driver, &decision);
    else if (driver->scene.night)
        talk_by_night(driver, &decision);
    else
        talk_by_day(driver, &decision, now);
    driver_decided(driver, &decision, now);
}

/* ---- hearing ---- */

static void hear_hideout(MawTalker *talker, const PhraseRead *reading, bool mine)
{
    Phrase phrase = reading->wording.phrase;

    if (mine)
        return;
    if (talker->mind.told[phrase] < UINT8_MAX)
        talker->mind.told[phrase]++;
    if ((phrase == PHRASE_ATTACK || phrase == PHRASE_ATTACK_TOO) && talker->prey == 0)
        talker->prey = reading->a;
    if (phrase == PHRASE_STORY)
        talker->story = reading->a;
}

static void hear_line(MawDriver *driver, const MawNews *news)
{
    MawTalker *talker = driver->talker;
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
        note_said(talker, news->text);
    if (ours && !news->mine)
        wear_wording(talker, reading.wording);
    if (known->night) {
        if (ours)
            hear_hideout(talker, &reading, news->mine);
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
        mind_note_vote(&driver->talker->mind, known_place(known, news->name),
                       known_place(known, news->text));
}

static void hear_result(MawDriver *driver, const MawNews *news, TimeUs now)
{
    LlmScene scene;

    maw_scene(driver->player, driver->language, now, &scene);
    mind_note_end(&driver->talker->mind, &scene, news->text, place_of(&scene, news->name));
}

static void talker_news(MawDriver *driver, const MawNews *news, TimeUs now)
{
    const MawKnown *known = maw_player_known(driver->player);

    if (news->kind == NEWS_PHASE)
        mind_enter_phase(&driver->talker->mind, known->round, known->day, known->night);
    else if (news->kind == NEWS_LINE)
        hear_line(driver, news);
    else if (news->kind == NEWS_TALLY)
        hear_vote(driver, news);
    else if (news->kind == NEWS_RESULT)
        hear_result(driver, news, now);
    else if (news->kind == NEWS_ROLE_ANSWER)
        hear_role(driver, news);
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
    MawTalker *talker = mem_new(sizeof(*talker));

    if (!talker)
        return err_set(err, ERR_MEMORY, "talker: out of memory");
    int rc = driver_new(&kind, pace, seed, ret, err);
    if (rc) {
        mem_free(talker);
        return rc;
    }
    talker->bot = bot;
    talker->seed = rng_derive_text(seed, STR("talker"));
    (*ret)->talker = talker;
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
