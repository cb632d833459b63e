#include "bot/phrases.h"

static const PhraseRow *row_of(TalkerLanguage language, Phrase phrase)
{
    return language == TALKER_JAPANESE ? &phrases_japanese[phrase] : &phrases_english[phrase];
}

static unsigned list_length(const char *const *list)
{
    unsigned count = 0;

    while (list && list[count])
        count++;
    return count;
}

unsigned phrase_heads(TalkerLanguage language, Phrase phrase)
{
    return list_length(row_of(language, phrase)->heads);
}

unsigned phrase_tails(TalkerLanguage language, Phrase phrase)
{
    return list_length(row_of(language, phrase)->tails);
}

Phrase phrase_tail_list(TalkerLanguage language, Phrase phrase)
{
    for (int first = 0; first < (int)phrase; first++)
        if (row_of(language, (Phrase)first)->tails == row_of(language, phrase)->tails)
            return (Phrase)first;
    return phrase;
}

bool phrase_ends_early(TalkerLanguage language, Wording wording)
{
    const PhraseRow *row = row_of(language, wording.phrase);

    return !row->tails || !row->tails[wording.tail][0];
}

bool phrase_vouches(Phrase phrase)
{
    return phrase == PHRASE_SEER_HUMAN || phrase == PHRASE_BELIEVE || phrase == PHRASE_VOUCH;
}

bool phrase_is_reason(Phrase phrase)
{
    return phrase >= PHRASE_TEST && phrase <= PHRASE_RIVALS;
}

bool phrase_accuses(Phrase phrase)
{
    return phrase == PHRASE_ANSWER || phrase == PHRASE_SEER_WOLF ||
           (phrase >= PHRASE_TEST && phrase <= PHRASE_CHANGE);
}

bool phrase_repeats(Phrase phrase)
{
    return phrase == PHRASE_AGREE || phrase == PHRASE_SEER_SAYS || phrase == PHRASE_ANSWER ||
           phrase == PHRASE_VOTE || phrase == PHRASE_CHANGE;
}

/* ---- writing ---- */

static Str gap_of(TalkerLanguage language)
{
    return language == TALKER_JAPANESE ? STR("") : STR(" ");
}

size_t phrase_write(TalkerLanguage language, Wording wording, Str a, Str b, char *out, size_t room)
{
    const PhraseRow *row = row_of(language, wording.phrase);
    Str gap = gap_of(language);
    size_t used = talker_write(row->heads[wording.head], a, b, out, room);

    if (used == 0 || phrase_ends_early(language, wording))
        return used;
    if (gap.len >= room - used)
        return 0;
    memcpy(out + used, gap.bytes, gap.len);
    used += gap.len;
    size_t tail = talker_write(row->tails[wording.tail], a, b, out + used, room - used);
    return tail ? used + tail : 0;
}

/* ---- reading ---- */

typedef struct Names {
    const Str *names;
    SeatNo count;
    Str line;     /* most patterns begin with a name: it is looked for once */
    SeatNo first; /* the name in front of it */
} Names;

/* The longest name that `text` begins with: Ann, Anna. */
static SeatNo name_in_front(Str text, const Names *names)
{
    SeatNo found = SEAT_NONE;

    if (text.bytes == names->line.bytes)
        return names->first;
    for (SeatNo seat = 1; seat <= names->count; seat++)
        if (names->names[seat].len && str_starts(text, names->names[seat]) &&
            (found == SEAT_NONE || names->names[seat].len > names->names[found].len))
            found = seat;
    return found;
}

/* Takes what fits the pattern off the front of `*rest`. A slot that stands twice is the same. */
static bool take_pattern(Str *rest, const char *pattern, const Names *names, PhraseRead *found)
{
    Str left = *rest;

    for (const char *at = pattern; *at;) {
        if (at[0] == '{' && at[1] && at[2] == '}') {
            SeatNo *slot = at[1] == 'a' ? &found->a : &found->b;
            SeatNo seat = name_in_front(left, names);
            if (seat == SEAT_NONE || (*slot != SEAT_NONE && *slot != seat))
                return false;
            *slot = seat;
            left = str_part(left, names->names[seat].len, SIZE_MAX);
            at += 3;
        } else if (left.len && left.bytes[0] == *at) {
            left = str_part(left, 1, SIZE_MAX);
            at++;
        } else {
            return false;
        }
    }
    *rest = left;
    return true;
}

static bool read_tail(Str rest, const PhraseRow *row, const Names *names, PhraseRead *found)
{
    Str gap = gap_of(found->language);

    if (!row->tails)
        return rest.len == 0;
    if (rest.len && !str_starts(rest, gap))
        return false;
    rest = str_part(rest, gap.len, SIZE_MAX);
    for (unsigned tail = 0; row->tails[tail]; tail++) {
        PhraseRead with = *found;
        Str left = rest;
        if (take_pattern(&left, row->tails[tail], names, &with) && left.len == 0) {
            with.wording.tail = tail;
            *found = with;
            return true;
        }
    }
    return false;
}

static bool read_kind(Str text, TalkerLanguage language, Phrase phrase, const Names *names,
                      PhraseRead *ret)
{
    const PhraseRow *row = row_of(language, phrase);

    for (unsigned head = 0; row->heads[head]; head++) {
        PhraseRead found = {.language = language, .wording = {.phrase = phrase, .head = head}};
        Str rest = text;
        if (take_pattern(&rest, row->heads[head], names, &found) &&
            read_tail(rest, row, names, &found)) {
            *ret = found;
            return true;
        }
    }
    return false;
}

bool phrase_read(Str text, const Str *names, SeatNo seat_count, PhraseRead *ret)
{
    Names known = {.names = names, .count = seat_count};

    known.first = name_in_front(text, &known);
    known.line = text;
    for (int language = 0; language < TALKER_LANGUAGES; language++)
        for (int phrase = 0; phrase < PHRASE_COUNT; phrase++)
            if (read_kind(text, (TalkerLanguage)language, (Phrase)phrase, &known, ret))
                return true;
    return false;
}
