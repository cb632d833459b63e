/* What talkers at a MAW table can say: enough of it, no two alike, each read back as it was meant.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/utf8.h"
#include "bot/phrases.h"

#define SEATS     4
#define TEXTS_MAX 8000

static Str names[TALKER_LANGUAGES][SEATS + 1];

static int name_seats(void **state)
{
    static const char *const texts[TALKER_LANGUAGES][SEATS + 1] = {
        {"", "Ann", "Anna", "Bo", "Ed-2"}, {"", "花子", "花", "ミナト", "Bo"}};

    (void)state;
    for (int language = 0; language < TALKER_LANGUAGES; language++)
        for (int seat = 0; seat <= SEATS; seat++)
            names[language][seat] = str_of(texts[language][seat]);
    return 0;
}

static Str write_wording(TalkerLanguage language, Wording wording, SeatNo a, SeatNo b, char *text,
                         size_t room)
{
    size_t len =
        phrase_write(language, wording, names[language][a], names[language][b], text, room);

    return (Str){text, len};
}

static void each_kind_has_forty_wordings(void **state)
{
    (void)state;
    for (int language = 0; language < TALKER_LANGUAGES; language++)
        for (int phrase = 0; phrase < PHRASE_COUNT; phrase++) {
            unsigned heads = phrase_heads((TalkerLanguage)language, (Phrase)phrase);
            unsigned tails = phrase_tails((TalkerLanguage)language, (Phrase)phrase);
            assert_in_range(heads, 7, 16);
            assert_in_range(tails, 6, 16);
            assert_true(heads * tails >= 40);
        }
}

static void no_two_wordings_are_alike(void **state)
{
    static uint32_t hashes[TEXTS_MAX];
    char text[400];

    (void)state;
    for (int language = 0; language < TALKER_LANGUAGES; language++) {
        unsigned count = 0;
        for (int phrase = 0; phrase < PHRASE_COUNT; phrase++)
            for (unsigned head = 0; head < phrase_heads((TalkerLanguage)language, (Phrase)phrase);
                 head++)
                for (unsigned tail = 0;
                     tail < phrase_tails((TalkerLanguage)language, (Phrase)phrase); tail++) {
                    Wording wording = {(Phrase)phrase, head, tail};
                    Str said =
                        write_wording((TalkerLanguage)language, wording, 1, 3, text, sizeof(text));
                    uint32_t hash = str_hash(said);
                    for (unsigned i = 0; i < count; i++)
                        assert_int_not_equal(hashes[i], hash);
                    assert_true(count < TEXTS_MAX);
                    hashes[count++] = hash;
                }
        print_message("language %d: %u wordings\n", language, count);
    }
}

static void check_reading(TalkerLanguage language, Wording wording, SeatNo a, SeatNo b)
{
    char text[400];
    PhraseRead read = {0};
    Str said = write_wording(language, wording, a, b, text, sizeof(text));

    assert_in_range(utf8_count(said), 4, 200);
    assert_true(utf8_valid(said));
    assert_true(phrase_read(said, names[language], SEATS, &read));
    assert_int_equal(read.language, language);
    assert_int_equal(read.wording.phrase, wording.phrase);
    assert_int_equal(read.wording.head, wording.head);
    assert_int_equal(read.wording.tail, wording.tail);
    assert_true(read.a == a || read.a == SEAT_NONE);
    assert_true(read.b == b || read.b == SEAT_NONE);
    if (phrase_accuses(wording.phrase))
        assert_int_equal(read.a, a);
}

static void each_wording_is_read_back(void **state)
{
    (void)state;
    for (int language = 0; language < TALKER_LANGUAGES; language++)
        for (int phrase = 0; phrase < PHRASE_COUNT; phrase++)
            for (unsigned head = 0; head < phrase_heads((TalkerLanguage)language, (Phrase)phrase);
                 head++)
                for (unsigned tail = 0;
                     tail < phrase_tails((TalkerLanguage)language, (Phrase)phrase); tail++)
                    for (SeatNo a = 1; a <= SEATS; a++)
                        check_reading((TalkerLanguage)language,
                                      (Wording){(Phrase)phrase, head, tail}, a,
                                      (SeatNo)(a % SEATS + 1));
}

static void other_words_are_none_of_them(void **state)
{
    static const char *const texts[] = {"",
                                        "Hello.",
                                        "I suspect Ann.",
                                        "Ann",
                                        "{a}",
                                        "Ann voted for Bo, and Ann was murdered.",
                                        "Hello everyone. Let's find the wolves. Really."};
    PhraseRead read;

    (void)state;
    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
        assert_false(phrase_read(str_of(texts[i]), names[0], SEATS, &read));
}

static void what_does_not_fit_is_not_written(void **state)
{
    const Wording wording = {PHRASE_VOTED_VICTIM, 0, 0};
    char text[400];
    size_t whole = phrase_write(TALKER_ENGLISH, wording, names[0][1], names[0][2], text, 400);

    (void)state;
    assert_true(whole > 10);
    for (size_t room = 0; room < whole; room++)
        assert_int_equal(
            phrase_write(TALKER_ENGLISH, wording, names[0][1], names[0][2], text, room), 0);
    assert_int_equal(phrase_write(TALKER_ENGLISH, wording, names[0][1], names[0][2], text, whole),
                     whole);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_kind_has_forty_wordings),
        cmocka_unit_test(no_two_wordings_are_alike),
        cmocka_unit_test(each_wording_is_read_back),
        cmocka_unit_test(other_words_are_none_of_them),
        cmocka_unit_test(what_does_not_fit_is_not_written),
    };

    return cmocka_run_group_tests(tests, name_seats, NULL);
}
