#include "maw/talker_mind.h"

#include "base/rng.h"

static uint32_t place_of_one_more(uint32_t number)
{
    return number ? number - 1 : NO_PLACE;
}

/* ---- what happens ---- */

void mind_enter_phase(TalkerMind *mind, uint32_t round, uint32_t day, bool night)
{
    if (round != mind->round)
        *mind = (TalkerMind){.round = round};
    mind->night = night;
    if (night || day == mind->day)
        return;
    mind->had_day = mind->day > 0;
    mind->day = day;
    memcpy(mind->before, mind->today, sizeof(mind->before));
    memcpy(mind->vote_before, mind->vote, sizeof(mind->vote_before));
    memset(mind->today, 0, sizeof(mind->today));
    memset(mind->left, 0, sizeof(mind->left));
    memset(mind->vote, 0, sizeof(mind->vote));
    memset(mind->lines, 0, sizeof(mind->lines));
    memset(mind->accusations, 0, sizeof(mind->accusations));
    memset(mind->told, 0, sizeof(mind->told));
    mind->first = 0;
    mind->asked = 0;
}

/* `own`: not only what somebody else has said already. */
static void note_accusation(TalkerMind *mind, uint32_t who, uint32_t whom, bool own)
{
    if (whom >= LLM_SEATS_MAX || who == whom)
        return;
    if (own)
        suspicion_note(&mind->suspicion, who, whom);
    mind->turned[who] |= mind->vouched[who] & place_bit(whom);
    mind->accused[who] |= place_bit(whom);
    mind->today[who] |= place_bit(whom);
    if (mind->first == 0)
        mind->first = who + 1;
}

static void hear_phrase(TalkerMind *mind, uint32_t who, uint32_t me, const PhraseRead *reading)
{
    Phrase phrase = reading->wording.phrase;
    uint32_t a = place_of_one_more(reading->a), b = place_of_one_more(reading->b);

    if (mind->told[phrase] < UINT8_MAX && who != me)
        mind->told[phrase]++;
    if (phrase == PHRASE_SEER_WOLF || phrase == PHRASE_SEER_HUMAN)
        suspicion_note_result(&mind->suspicion, who, a, phrase == PHRASE_SEER_WOLF);
    if (phrase_vouches(phrase))
        mind->vouched[who] |= place_bit(a);
    if (phrase_accuses(phrase))
        note_accusation(mind, who, a, !phrase_repeats(phrase));
    if (phrase == PHRASE_ASK && b == me && who != me)
        mind->asked |= place_bit(who);
}

static void hear_words(TalkerMind *mind, uint32_t who, const Understood *heard, unsigned count)
{
    bool seer = has_place(mind->suspicion.seers, who);

    for (unsigned i = 0; i < count; i++)
        if (heard[i].meaning == MEANS_SEER)
            seer = true;
    if (seer)
        suspicion_note_result(&mind->suspicion, who, NO_PLACE, false);
    for (unsigned i = 0; i < count; i++) {
        uint32_t about = place_of_one_more(heard[i].about);
        bool wolf = heard[i].meaning == MEANS_WOLF;
        if (about == NO_PLACE)
            continue;
        if (heard[i].meaning == MEANS_HUMAN && about != who)
            mind->vouched[who] |= place_bit(about);
        if (seer && (wolf || heard[i].meaning == MEANS_HUMAN))
            suspicion_note_result(&mind->suspicion, who, about, wolf);
        if (wolf || heard[i].meaning == MEANS_DOUBT || heard[i].meaning == MEANS_VOTE)
            note_accusation(mind, who, about, true);
    }
}

void mind_hear(TalkerMind *mind, uint32_t who, uint32_t me, const PhraseRead *reading,
               const Understood *heard, unsigned count)
{
    if (who >= LLM_SEATS_MAX)
        return;
    uint64_t before = mind->today[who];

    mind->lines[who]++;
    if (reading)
        hear_phrase(mind, who, me, reading);
    else
        hear_words(mind, who, heard, count);
    mind->accusations[who] += mind->today[who] != before;
}

void mind_note_vote(TalkerMind *mind, uint32_t who, uint32_t whom)
{
    if (who >= LLM_SEATS_MAX)
        return;
    uint32_t before = place_of_one_more(mind->vote[who]);

    if (before != NO_PLACE && before != whom)
        mind->left[who] |= place_bit(before);
    mind->vote[who] = whom < LLM_SEATS_MAX ? whom + 1 : 0;
    mind->left[who] &= ~place_bit(whom); /* it came back */
    mind->voted[who] |= place_bit(whom);
    suspicion_note(&mind->suspicion, who, whom);
}

/* Whose words of today and whose vote did not go together. */
static void catch_contradictions(TalkerMind *mind)
{
    for (uint32_t who = 0; who < LLM_SEATS_MAX; who++) {
        uint32_t whom = place_of_one_more(mind->vote[who]);
        bool as_said = whom == NO_PLACE || has_place(mind->today[who], whom);
        mind->caught[who] = as_said ? 0 : mind->today[who];
    }
}

void mind_note_end(TalkerMind *mind, const LlmScene *scene, Str status, uint32_t whom)
{
    bool executed = str_eq(status, STR("executed")), murdered = str_eq(status, STR("murdered"));

    if (!mind->night) {
        mind->alive_before = executed ? place_bit(whom) : 0;
        for (uint32_t i = 0; i < scene->seat_count; i++)
            if (scene->seats[i].alive)
                mind->alive_before |= place_bit(i);
        mind->executed = executed ? whom + 1 : 0;
        catch_contradictions(mind);
        return;
    }
    mind->victim = 0;
    if (!murdered || whom >= LLM_SEATS_MAX)
        return;
    mind->victim = whom + 1;
    mind->murdered |= place_bit(whom);
    mind->condemned[whom] =
        mind->today[whom] | place_bit(place_of_one_more(mind->vote[whom])); /* of the day before */
}

/* ---- weighing ---- */

static uint64_t victims_against(const TalkerMind *mind, uint32_t whom)
{
    uint64_t found = 0;

    for (uint64_t rest = mind->murdered; rest; rest &= rest - 1) {
        uint32_t victim = (uint32_t)__builtin_ctzll(rest);
        if (has_place(mind->condemned[victim], whom))
            found |= place_bit(victim);
    }
    return found;
}

static uint32_t lines_of_others(const TalkerMind *mind, const LlmScene *scene, uint32_t whom)
{
    uint32_t speakers = 0;

    for (uint32_t i = 0; i < scene->seat_count; i++)
        speakers += i != whom && mind->lines[i] > 0;
    return speakers;
}

static bool is_silent(const TalkerMind *mind, const LlmScene *scene, uint32_t whom)
{
    uint32_t alive = 0;

    for (uint32_t i = 0; i < scene->seat_count; i++)
        alive += scene->seats[i].alive;
    return !mind->patient && mind->lines[whom] == 0 &&
           2 * lines_of_others(mind, scene, whom) >= alive;
}

static bool kept_out(const TalkerMind *mind, uint32_t whom)
{
    return mind->had_day && has_place(mind->alive_before, whom) && mind->vote_before[whom] == 0;
}

/* Each thing that is held against somebody, in quarters. */
static uint64_t weigh_conduct(const TalkerMind *mind, const LlmScene *scene, uint32_t me,
                              uint32_t whom, uint64_t value)
{
    for (uint64_t rest = victims_against(mind, whom); rest; rest &= rest - 1)
        value += value / 2;
    value += mind->caught[whom] ? value / 2 : 0;
    value += mind->turned[whom] ? value / 4 : 0;
    value += mind->left[whom] ? value / 8 : 0;
    value += kept_out(mind, whom) ? value / 4 : 0;
    value += is_silent(mind, scene, whom) ? value / 2 : 0;
    value += has_place(mind->voted[whom] | mind->accused[whom], me) ? value / 8 : 0;
    return value;
}

void mind_weigh(const TalkerMind *mind, const LlmScene *scene, uint32_t me, bool inside,
                uint64_t seed, uint64_t ret[LLM_SEATS_MAX])
{
    suspicion_weigh(&mind->suspicion, scene, inside, ret);
    for (uint32_t i = 0; i < scene->seat_count; i++) {
        if (!scene->seats[i].alive || i == me) {
            ret[i] = 0;
            continue;
        }
        if (ret[i])
            ret[i] = weigh_conduct(mind, scene, me, i, ret[i] * 16);
        ret[i] += ret[i] / 64 * (rng_derive(rng_derive(seed, mind->round), i) % 16);
    }
}

/* ---- reasons ---- */

typedef struct Finding {
    TalkerReason reason;
    uint32_t weight;
} Finding;

typedef struct Findings {
    const TalkerMind *mind;
    uint32_t whom;
    Rng *rng;
    Finding best;
} Findings;

static bool was_given(const TalkerMind *mind, Phrase why, uint32_t a, uint32_t b)
{
    for (uint32_t i = 0; i < mind->given_count && i < REASON_MAX; i++)
        if (mind->given[i].why == why && mind->given[i].a == a && mind->given[i].b == b)
            return true;
    return false;
}

void mind_note_given(TalkerMind *mind, Phrase why, uint32_t a, uint32_t b)
{
    uint32_t next = mind->given_count++ % REASON_MAX;

    mind->given[next].why = why;
    mind->given[next].a = a;
    mind->given[next].b = b;
}

/* The weight says how much it proves; chance makes people differ in what they look at. What many
 * have said today is said less. */
static void offer(Findings *findings, bool holds, Phrase why, uint32_t b, uint32_t weight)
{
    if (!holds || was_given(findings->mind, why, findings->whom, b))
        return;
    weight += rng_below(findings->rng, 25);
    uint32_t heard = 8u * findings->mind->told[why];
    weight = weight > heard ? weight - heard : 1;
    if (weight > findings->best.weight)
        findings->best = (Finding){{why, b}, weight};
}

/* The first of a set who lives in `scene`, or may be dead where `dead`; NO_PLACE: none. */
static uint32_t one_of(uint64_t set, uint32_t without)
{
    set &= ~place_bit(without);
    return set ? (uint32_t)__builtin_ctzll(set) : NO_PLACE;
}

static uint64_t who_is_against(const TalkerMind *mind, const LlmScene *scene, uint32_t whom)
{
    uint64_t found = 0;

    for (uint32_t i = 0; i < scene->seat_count; i++)
        if (scene->seats[i].alive && has_place(mind->today[i], whom))
            found |= place_bit(i);
    return found;
}

/* Whom it never was against nor the other way: of those the most suspected. */
static uint32_t pick_spared(const TalkerMind *mind, const LlmScene *scene, uint32_t me,
                            uint32_t whom, const uint64_t *values)
{
    uint32_t found = NO_PLACE;

    for (uint32_t i = 0; i < scene->seat_count; i++)
        if (i != whom && i != me && scene->seats[i].alive && values[i] &&
            !has_place(mind->accused[i] | mind->voted[i], whom) &&
            !has_place(mind->accused[whom] | mind->voted[whom], i) &&
            (found == NO_PLACE || values[i] > values[found]))
            found = i;
    return found;
}

static uint32_t pick_alike(const TalkerMind *mind, const LlmScene *scene, uint32_t me,
                           uint32_t whom, const uint64_t *values)
{
    uint32_t found = NO_PLACE;

    for (uint32_t i = 0; i < scene->seat_count && mind->had_day && mind->vote_before[whom]; i++)
        if (i != whom && i != me && scene->seats[i].alive &&
            mind->vote_before[i] == mind->vote_before[whom] &&
            (found == NO_PLACE || values[i] > values[found]))
            found = i;
    return found;
}

/* As Seers they say opposite things of somebody. */
static bool results_clash(const TalkerMind *mind, uint32_t a, uint32_t b)
{
    const Suspicion *suspicion = &mind->suspicion;

    return (suspicion->wolf_by[a] & suspicion->human_by[b]) ||
           (suspicion->human_by[a] & suspicion->wolf_by[b]);
}

static void offer_claims(Findings *findings, const LlmScene *scene, uint32_t me,
                         const uint64_t *values)
{
    const Suspicion *suspicion = &findings->mind->suspicion;
    uint32_t whom = findings->whom;

    for (uint64_t rest = suspicion->seers & ~place_bit(me) & ~place_bit(whom); rest;
         rest &= rest - 1) {
        uint32_t seer = (uint32_t)__builtin_ctzll(rest);
        bool proven = has_place(findings->mind->murdered, seer);
        bool believed = proven || (seer < scene->seat_count && scene->seats[seer].alive &&
                                   values[seer] < values[whom]);
        offer(findings, believed && has_place(suspicion->wolf_by[seer], whom), PHRASE_SEER_SAYS,
              seer, 100);
        offer(findings, believed && has_place(suspicion->seers, whom), PHRASE_RIVALS, seer, 80);
        offer(findings, believed && results_clash(findings->mind, seer, whom), PHRASE_CLASH, seer,
              90);
    }
    uint32_t proof = one_of(suspicion->wolf_by[whom] & findings->mind->murdered, me);
    offer(findings, proof != NO_PLACE, PHRASE_REFUTED, proof, 110);
}

static void offer_contradictions(Findings *findings, uint32_t me)
{
    const TalkerMind *mind = findings->mind;
    uint32_t whom = findings->whom;
    uint32_t spared = one_of(mind->caught[whom], me), turned = one_of(mind->turned[whom], me);

    offer(findings, spared != NO_PLACE, PHRASE_CONTRADICTS, spared, 60);
    offer(findings, turned != NO_PLACE, PHRASE_TURNED, turned, 55);
}

static void offer_yesterday(Findings *findings, const LlmScene *scene, uint32_t me,
                            const uint64_t *values)
{
    const TalkerMind *mind = findings->mind;
    uint32_t whom = findings->whom;
    uint32_t condemner = one_of(victims_against(mind, whom), me);
    uint32_t victim = one_of(mind->voted[whom] & mind->murdered, me);
    uint32_t pair = pick_spared(mind, scene, me, whom, values);
    uint32_t alike = pick_alike(mind, scene, me, whom, values);

    offer(findings, condemner != NO_PLACE, PHRASE_VICTIM_ACCUSED, condemner, 50);
    offer(findings, victim != NO_PLACE, PHRASE_VOTED_VICTIM, victim, 42);
    offer(findings, kept_out(mind, whom), PHRASE_NO_VOTE, NO_PLACE, 45);
    offer(findings, mind->day > 1 && pair != NO_PLACE, PHRASE_SPARED, pair, 25);
    offer(findings, alike != NO_PLACE, PHRASE_ALIKE, alike, 15);
}

static void offer_today(Findings *findings, const LlmScene *scene, uint32_t me)
{
    const TalkerMind *mind = findings->mind;
    uint32_t whom = findings->whom;
    uint32_t let_off = one_of(mind->left[whom], me);
    uint32_t friend = one_of(who_is_against(mind, scene, whom), me);
    bool spoke = mind->lines[whom] > 0;

    offer(findings, let_off != NO_PLACE, PHRASE_CHANGED, let_off, 35);
    offer(findings, is_silent(mind, scene, whom), PHRASE_SILENT, NO_PLACE, 40);
    offer(findings, has_place(mind->voted[whom], me), PHRASE_VOTED_ME, NO_PLACE, 28);
    offer(findings, has_place(mind->today[whom], me), PHRASE_ACCUSED_ME, NO_PLACE, 25);
    offer(findings, __builtin_popcountll(mind->today[whom]) > 2, PHRASE_SCATTERS, NO_PLACE, 18);
    offer(findings, friend != NO_PLACE, PHRASE_AGREE, friend, 18);
    offer(findings, spoke && !mind->today[whom] && mind->first, PHRASE_NO_NAME, NO_PLACE, 14);
    offer(findings, mind->first == whom + 1, PHRASE_FIRST, NO_PLACE, 12);
    offer(findings, mind->day == 1 && mind->first == 0, PHRASE_TEST, NO_PLACE, 1);
}

bool mind_find_reason(const TalkerMind *mind, const LlmScene *scene, uint32_t me, uint32_t whom,
                      const uint64_t values[LLM_SEATS_MAX], Rng *rng, TalkerReason *ret)
{
    Findings findings = {.mind = mind, .whom = whom, .rng = rng};

    if (whom >= scene->seat_count || whom == me)
        return false;
    offer_claims(&findings, scene, me, values);
    offer_contradictions(&findings, me);
    offer_yesterday(&findings, scene, me, values);
    offer_today(&findings, scene, me);
    *ret = findings.best.reason;
    return findings.best.weight > 0;
}

bool mind_find_quarrel(const TalkerMind *mind, const LlmScene *scene, uint32_t me, uint32_t *ret_a,
                       uint32_t *ret_b)
{
    for (uint32_t a = 0; a < scene->seat_count; a++)
        for (uint32_t b = a + 1; b < scene->seat_count; b++)
            if (a != me && b != me && scene->seats[a].alive && scene->seats[b].alive &&
                has_place(mind->accused[a], b) && has_place(mind->accused[b], a) &&
                !was_given(mind, PHRASE_TRUST, a, b)) {
                *ret_a = a;
                *ret_b = b;
                return true;
            }
    return false;
}
