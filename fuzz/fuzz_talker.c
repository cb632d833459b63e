/* fuzz_talker.c - any bytes as an utterance that talkers hear: names of a game on the first line,
 * separated by tabs, the utterance behind it.
 *
 * What must hold: at most UNDERSTOOD_MAX meanings, each about a seat of the game where it is about
 * somebody; a name that is mentioned is in the text; the language is one of those there are.
 */
#include "bot/talker_words.h"

#include <assert.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static bool is_about_somebody(Meaning meaning)
{
    return meaning != MEANS_SEER && meaning != MEANS_MEDIUM;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    Str text = {(const char *)bytes, size};
    Str line = str_cut(&text, '\n');
    Str names[SEAT_MAX + 1] = {{0}};
    Understood what[UNDERSTOOD_MAX];
    SeatNo count = 0;

    while (line.len && count < SEAT_MAX)
        names[++count] = str_cut(&line, '\t');
    unsigned understood = talker_understand(text, names, count, what);
    assert(understood <= UNDERSTOOD_MAX);
    for (unsigned i = 0; i < understood; i++) {
        assert(what[i].meaning != MEANS_NOTHING);
        if (is_about_somebody(what[i].meaning))
            assert(what[i].about >= 1 && what[i].about <= count);
    }
    for (SeatNo seat = 1; seat <= count; seat++)
        if (talker_mentions(text, names[seat]))
            assert(names[seat].len && names[seat].len < text.len);
    assert(talker_language_of(names, count) < TALKER_LANGUAGES);
    return 0;
}
