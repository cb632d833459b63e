/* talker_voice.c - how a talker says it: of all wordings one that nobody has said in the session,
 * of the parts that were heard least. */
#include "maw/talker.h"

#define SAID_MAX     12000
#define PLAIN_OFTEN  6u /* so much oftener than another tail */
#define ROUNDS_APART 6  /* wolves don't hear what other wolves said in the rounds before */

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

void voice_wear(MawTalker *talker, TalkerLanguage language, Wording wording)
{
    Phrase list = phrase_tail_list(language, wording.phrase);
    uint16_t *head = &talker->heads[wording.phrase][wording.head % TALKER_PARTS_MAX];
    uint16_t *tail = &talker->tails[list][wording.tail % TALKER_PARTS_MAX];

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

/* The wordings of a kind, and how worn their parts are: the more so the more often they were heard.
 * Saying no more than there is to say wears less. */
typedef struct Choice {
    TalkerLanguage language;
    Phrase phrase;
    unsigned heads, tails;
    uint32_t head_wear[TALKER_PARTS_MAX];
    uint32_t tail_wear[TALKER_PARTS_MAX];
    uint32_t said[TALKER_PARTS_MAX]; /* by head: tails that were said with these names */
} Choice;

static unsigned count_parts(unsigned parts)
{
    return parts < 1 ? 1 : parts < TALKER_PARTS_MAX ? parts : TALKER_PARTS_MAX;
}

static Choice begin_choice(const MawTalker *talker, TalkerLanguage language, Phrase phrase)
{
    Choice choice = {.language = language,
                     .phrase = phrase,
                     .heads = count_parts(phrase_heads(language, phrase)),
                     .tails = count_parts(phrase_tails(language, phrase))};
    Phrase list = phrase_tail_list(language, phrase);

    for (unsigned head = 0; head < choice.heads; head++)
        choice.head_wear[head] = 4u * talker->heads[phrase][head];
    for (unsigned tail = 0; tail < choice.tails; tail++) {
        bool plain = phrase_ends_early(language, (Wording){phrase, 0, tail});
        choice.tail_wear[tail] = talker->tails[list][tail] / (plain ? PLAIN_OFTEN : 1u);
    }
    return choice;
}

/* One by chance of the least worn ones that are left. False: none is. */
static bool take_wording(MawTalker *talker, const Choice *choice, Wording *ret)
{
    uint32_t least = UINT32_MAX, alike = 0;

    for (unsigned head = 0; head < choice->heads; head++)
        for (unsigned tail = 0; tail < choice->tails; tail++) {
            Wording wording = {choice->phrase, head, tail};
            uint32_t wear = choice->head_wear[head] + choice->tail_wear[tail];
            if (wear > least || choice->said[head] >> tail & 1 ||
                !is_of_round(talker, wording, choice->heads))
                continue;
            alike = wear < least ? 1 : alike + 1;
            least = wear;
            if (alike == 1 || rng_below(&talker->words, alike) == 0)
                *ret = wording;
        }
    return alike > 0;
}

bool voice_say(MawTalker *talker, Phrase phrase, uint32_t a, uint32_t b, LlmDecision *decision)
{
    const LlmScene *scene = talker->scene;
    Choice choice = begin_choice(talker, language_of(scene), phrase);
    Wording wording;

    while (take_wording(talker, &choice, &wording)) {
        size_t len =
            phrase_write(choice.language, wording, scene_name(scene, a), scene_name(scene, b),
                         decision->message, sizeof(decision->message) - 1);
        choice.said[wording.head] |= 1u << wording.tail;
        decision->message[len] = '\0';
        if (len == 0 || was_said(talker, (Str){decision->message, len}))
            continue;
        voice_note(talker, (Str){decision->message, len});
        voice_wear(talker, choice.language, wording);
        decision->action = LLM_SPEAK;
        talker->said++;
        if (phrase_accuses(phrase))
            talker->spoken |= place_bit(a);
        return true;
    }
    decision->message[0] = '\0';
    return false;
}
