#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "proof/signed_note.h"

#define ORIGIN "example.org/warg/cup2027"
#define TEXT   ORIGIN "\n3\nNmQuc8JUCrEh46a/lUWwokmCzYMOsT080Z3jzmwCHsE=\n"
#define LINE                                                                                       \
    "\xe2\x80\x94 " ORIGIN                                                                         \
    " YNnErNM6A3Gdk8bcktwqhnT+DvHHKzfKLD88Z8GD/xRHlR/bnQR2eZklopSUuAVdjORSW2ruBZ8/gF32zJu4czIdqwM" \
    "=\n"
#define VERIFIER ORIGIN "+60d9c4ac+AQOhB7/zzhC+HXDdGOdLwJln5NYwm6UNXx3chmQSVTG4"

static Key seed;
static NoteVerifier verifier;

static int make_key(void **state)
{
    (void)state;
    for (unsigned char i = 0; i < KEY_BYTES; i++)
        seed.bytes[i] = i;
    return note_verifier_make(STR(ORIGIN), &seed, &verifier, NULL);
}

static void the_checkpoint_is_that_of_the_appendix_byte_for_byte(void **state)
{
    MerkleHash leaves[] = {merkle_leaf(STR("a")), merkle_leaf(STR("b")), merkle_leaf(STR("c"))};
    MerkleHash root = merkle_root_of(leaves, 3);
    CLEANUP(buf_done) Buf text = {0};
    CLEANUP(buf_done) Buf note = {0};
    CLEANUP(buf_done) Buf key = {0};

    (void)state;
    checkpoint_write(STR(ORIGIN), 3, &root, &text);
    assert_int_equal(note_sign(buf_str(&text), &verifier, &seed, &note, NULL), 0);
    assert_string_equal(buf_cstr(&note), TEXT "\n" LINE);
    note_verifier_write(&verifier, &key);
    assert_string_equal(buf_cstr(&key), VERIFIER);
}

static void a_checkpoint_is_read_and_verified_by_its_key(void **state)
{
    NoteVerifier read;
    SignedNote note;
    Checkpoint checkpoint;

    (void)state;
    assert_int_equal(note_verifier_read(STR(VERIFIER), &read, NULL), 0);
    assert_memory_equal(&read, &verifier, sizeof(read));
    assert_int_equal(note_read(STR(TEXT "\n" LINE), &note, NULL), 0);
    assert_int_equal(note.count, 1);
    assert_int_equal(note_verify(&note, &read, NULL), 0);
    assert_int_equal(checkpoint_read(note.text, &checkpoint, NULL), 0);
    assert_true(str_eq(checkpoint.origin, STR(ORIGIN)));
    assert_int_equal(checkpoint.size, 3);
    assert_int_equal(checkpoint.root.bytes[0], 0x36);
    assert_int_equal(checkpoint.more.len, 0);
}

static void signatures_of_others_are_kept_and_say_nothing(void **state)
{
    SignedNote note;
    Checkpoint checkpoint;

    (void)state;
    assert_int_equal(note_read(STR(TEXT "\n\xe2\x80\x94 witness AAAAAAA=\n" LINE
                                        "\xe2\x80\x94 w2 AAAAAAAAAAAA\n"),
                               &note, NULL),
                     0);
    assert_int_equal(note.count, 3);
    assert_int_equal(note_verify(&note, &verifier, NULL), 0);
    assert_int_equal(note_read(STR(TEXT "\n\xe2\x80\x94 witness AAAAAAA=\n"), &note, NULL), 0);
    assert_int_equal(note_verify(&note, &verifier, NULL), ERR_RULE);
    assert_int_equal(checkpoint_read(STR(TEXT "more\nlines\n"), &checkpoint, NULL), 0);
    assert_true(str_eq(checkpoint.more, STR("more\nlines\n")));
}

/* In the text, in the name, in the signature: no byte can be another. */
static void each_byte_of_a_signed_note_counts(void **state)
{
    char text[] = TEXT "\n" LINE;

    (void)state;
    for (size_t i = 0; i + 1 < sizeof(text); i++)
        for (unsigned bit = 0; bit < 7; bit++) {
            SignedNote note;
            text[i] ^= (char)(1 << bit);
            if (note_read((Str){text, sizeof(text) - 1}, &note, NULL) == 0)
                assert_int_not_equal(note_verify(&note, &verifier, NULL), 0);
            text[i] ^= (char)(1 << bit);
        }
}

/* A line of our key that doesn't hold is no witness's: one beside it that does makes it no better.
 */
static void a_wrong_signature_beside_the_right_one_is_refused(void **state)
{
    CLEANUP(buf_done) Buf other = {0};
    CLEANUP(buf_done) Buf both = {0};
    SignedNote note, wrong;

    (void)state;
    assert_int_equal(note_sign(STR("other\n"), &verifier, &seed, &other, NULL), 0);
    assert_int_equal(note_read(buf_str(&other), &wrong, NULL), 0);
    buf_add(&both, STR(TEXT "\n" LINE));
    buf_add(&both, wrong.signatures);
    assert_int_equal(note_read(buf_str(&both), &note, NULL), 0);
    assert_int_equal(note_verify(&note, &verifier, NULL), ERR_RULE);
}

static void what_is_no_note_is_refused(void **state)
{
    static const char *const texts[] = {"",
                                        "\n",
                                        "\n\n",
                                        TEXT,
                                        TEXT "\n",
                                        TEXT LINE,
                                        TEXT "\n" LINE "x",
                                        TEXT "\n- a AAAAAAA=\n",
                                        TEXT "\n\xe2\x80\x94 a\n",
                                        TEXT "\n\xe2\x80\x94 a AAAA\n",
                                        TEXT "\n\xe2\x80\x94 a+b AAAAAAA=\n",
                                        TEXT "\n\xe2\x80\x94  AAAAAAA=\n",
                                        "a\r\n\n" LINE,
                                        "\xff\n\n" LINE};
    CLEANUP(buf_done) Buf many = {0};
    SignedNote note;

    (void)state;
    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
        if (note_read(str_of(texts[i]), &note, NULL) != ERR_SYNTAX)
            fail_msg("was read: %s", texts[i]);
    buf_add(&many, STR(TEXT "\n"));
    for (int i = 0; i <= NOTE_SIGNATURES_MAX; i++)
        buf_add(&many, STR("\xe2\x80\x94 w AAAAAAA=\n"));
    assert_int_equal(note_read(buf_str(&many), &note, NULL), ERR_LIMIT);
    while (many.len <= NOTE_BYTES_MAX)
        buf_add(&many, STR("\xe2\x80\x94 w AAAAAAA=\n"));
    assert_int_equal(note_read(buf_str(&many), &note, NULL), ERR_LIMIT);
}

static void what_is_no_checkpoint_is_refused(void **state)
{
    static const char *const texts[] = {
        "",
        "o\n",
        "o\n3\n",
        "\n3\nNmQuc8JUCrEh46a/lUWwokmCzYMOsT080Z3jzmwCHsE=\n",
        "o\n03\nNmQuc8JUCrEh46a/lUWwokmCzYMOsT080Z3jzmwCHsE=\n",
        "o\n-3\nNmQuc8JUCrEh46a/lUWwokmCzYMOsT080Z3jzmwCHsE=\n",
        "o\n3\nNmQuc8JUCrEh\n",
        "o\n3\nNmQuc8JUCrEh46a/lUWwokmCzYMOsT080Z3jzmwCHsE=\n\nx\n"};
    Checkpoint checkpoint;

    (void)state;
    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
        if (checkpoint_read(str_of(texts[i]), &checkpoint, NULL) != ERR_SYNTAX)
            fail_msg("was read: %s", texts[i]);
}

static void what_is_no_key_is_refused(void **state)
{
    static const char *const texts[] = {
        "",
        "a",
        "a+b",
        ORIGIN "+60d9c4ad+AQOhB7/zzhC+HXDdGOdLwJln5NYwm6UNXx3chmQSVTG4",
        ORIGIN "+60D9C4AC+AQOhB7/zzhC+HXDdGOdLwJln5NYwm6UNXx3chmQSVTG4",
        ORIGIN "+60d9c4ac+AgOhB7/zzhC+HXDdGOdLwJln5NYwm6UNXx3chmQSVTG4",
        ORIGIN "+60d9c4ac+AQOhB7/zzhC+HXDdGOdLwJln5NYwm6UNXx3chmQS",
        "+60d9c4ac+AQOhB7/zzhC+HXDdGOdLwJln5NYwm6UNXx3chmQSVTG4"};
    NoteVerifier read;

    (void)state;
    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
        assert_int_equal(note_verifier_read(str_of(texts[i]), &read, NULL), ERR_SYNTAX);
    assert_int_equal(note_verifier_make(STR("a b"), &seed, &read, NULL), ERR_RULE);
    assert_int_equal(note_verifier_make(STR(""), &seed, &read, NULL), ERR_RULE);
    assert_int_equal(note_verifier_make(STR("a\xe3\x80\x80"), &seed, &read, NULL), ERR_RULE);
}

static void what_is_no_text_is_not_signed(void **state)
{
    CLEANUP(buf_done) Buf out = {0};

    (void)state;
    assert_int_equal(note_sign(STR("a"), &verifier, &seed, &out, NULL), ERR_RULE);
    assert_int_equal(note_sign(STR("a\t\n"), &verifier, &seed, &out, NULL), ERR_RULE);
    assert_int_equal(out.len, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_checkpoint_is_that_of_the_appendix_byte_for_byte),
        cmocka_unit_test(a_checkpoint_is_read_and_verified_by_its_key),
        cmocka_unit_test(signatures_of_others_are_kept_and_say_nothing),
        cmocka_unit_test(each_byte_of_a_signed_note_counts),
        cmocka_unit_test(a_wrong_signature_beside_the_right_one_is_refused),
        cmocka_unit_test(what_is_no_note_is_refused),
        cmocka_unit_test(what_is_no_checkpoint_is_refused),
        cmocka_unit_test(what_is_no_key_is_refused),
        cmocka_unit_test(what_is_no_text_is_not_signed),
    };

    return cmocka_run_group_tests(tests, make_key, NULL);
}
