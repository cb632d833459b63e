/* talker_voice.c - how a talker says it: of all wordings one that nobody has said in the session,
 * of the parts that were heard least. */
#include "maw/talker.h"

#define LINE_BYTES   400
#define SAID_MAX     12000
#define ROUNDS_APART 6 /* wolves don't hear what other wolves said in the rounds before */

static uint32_t number_of(Str text)
{
    uint32_t number = (uint32_t)rng_derive_text(0, text);

    return number ? number : 1;
}

static bool was_said(const MawTalker *talker, Str text)
{
    uint32_t number = number_of(text);

    for (uint32_t at = number; talker->slots[at % TALKER_SLOTS]; at++)
        if (talker->slots[at % TALKER_SLOTS] == number)
            return true;
    return false;
}

void voice_note(MawTalker *talker, Str text)
{
    uint32_t at = number_of(text);

    if (was_said(talker, text))
        return;
    if (talker->slot_count == SAID_MAX) { /* hundreds of rounds later nobody remembers */
        memset(talker->slots, 0, sizeof(talker->slots));
        talker->slot_count = 0;
    }
    while (talker->slots[at % TALKER_SLOTS])
        at++;
    talker->slots[at % TALKER_SLOTS] = number_of(text);
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
    return 4u * talker->heads[wording.phrase][wording.head % TALKER_PARTS_MAX] +
           talker->tails[wording.phrase][wording.tail % TALKER_PARTS_MAX];
}

void voice_wear(MawTalker *talker, Wording wording)
{
    uint16_t *head = &talker->heads[wording.phrase][wording.head % TALKER_PARTS_MAX];
    uint16_t *tail = &talker->tails[wording.phrase][wording.tail % TALKER_PARTS_MAX];

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

static void consider_wording(MawTalker *talker, TalkerLanguage language, Wording wording, Str a,
                             Str b, Choice *choice)
{
    char line[LINE_BYTES];
    uint32_t wear = wear_of(talker, wording);

    if (choice->found && wear > choice->wear)
        return;
    size_t len = phrase_write(language, wording, a, b, line, sizeof(line));
    if (len == 0 || was_said(talker, (Str){line, len}))
        return;
    choice->alike = choice->found && wear == choice->wear ? choice->alike + 1 : 1;
    if (choice->alike > 1 && rng_below(talker->rng, choice->alike) != 0)
        return;
    *choice = (Choice){wording, wear, choice->alike, true};
}

/* False when nobody could say it in a way that was not heard yet. */
bool voice_say(MawTalker *talker, Phrase phrase, uint32_t a, uint32_t b, LlmDecision *decision)
{
    const LlmScene *scene = talker->scene;
    TalkerLanguage language = language_of(scene);
    unsigned heads = phrase_heads(language, phrase), tails = phrase_tails(language, phrase);
    Choice choice = {0};

    for (unsigned head = 0; head < heads; head++)
        for (unsigned tail = 0; tail < (tails ? tails : 1); tail++) {
            Wording wording = {phrase, head, tail};
            if (is_of_round(talker, wording, heads))
                consider_wording(talker, language, wording, scene_name(scene, a),
                                 scene_name(scene, b), &choice);
        }
    if (!choice.found)
        return false;
    size_t len = phrase_write(language, choice.wording, scene_name(scene, a), scene_name(scene, b),
                              decision->message, sizeof(decision->message) - 1);
    decision->message[len] = '\0';
    if (len == 0)
        return false;
    voice_note(talker, (Str){decision->message, len});
    voice_wear(talker, choice.wording);
    decision->action = LLM_SPEAK;
    talker->said++;
    if (phrase_accuses(phrase))
        talker->spoken |= place_bit(a);
    return true;
}
