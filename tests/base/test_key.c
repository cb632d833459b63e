#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/digest.h"
#include "base/key.h"

/* The secret of appendix B: 00 01 ... 1f. */
static Key secret_of_b(void)
{
    Key key;

    for (size_t i = 0; i < KEY_BYTES; i++)
        key.bytes[i] = (unsigned char)i;
    return key;
}

static void assert_key(Key key, const char *hex)
{
    char text[KEY_HEX_BYTES];

    key_to_hex(&key, text);
    assert_string_equal(text, hex);
}

/* The lots of B.1: those of alice and bob. */
static Key lots_of_b(void)
{
    Key lots;

    assert_true(key_from_hex(
        STR("c13fa4fd0bd23b410eabd6bcecb76063f6d126f5fd4e5e8691c4840dd877f296"), &lots));
    return lots;
}

/* docs/spec/contest-operations.md B.1. */
static void lots_and_their_entries_are_those_of_the_specification(void **state)
{
    NamedKey lots[] = {{.name = STR("alice"), .there = true}, {.name = STR("bob"), .there = true}};
    const Key of_both = lots_of_b();

    (void)state;
    memset(lots[1].key.bytes, 0x11, KEY_BYTES);
    assert_key(key_of_lot_entry(lots[0].name, &lots[0].key),
               "e93e2ca2bdba43297f9d3d7fb537877d597228e4953e4aedb3dd737fb46f42d7");
    Key hashed = key_of_lots(lots, 2);
    assert_memory_equal(&hashed, &of_both, sizeof(hashed));
    lots[0].key.bytes[31] ^= 1; /* one bit of one lot */
    hashed = key_of_lots(lots, 2);
    unsigned same = 0;
    for (size_t i = 0; i < KEY_BYTES; i++)
        same += hashed.bytes[i] == of_both.bytes[i];
    assert_true(same < 6);
}

/* docs/spec/contest-operations.md B.1. */
static void commitments_and_stage_keys_are_those_of_the_specification(void **state)
{
    const Key secret = secret_of_b(), lots = lots_of_b();
    const Str contest = STR("cup2027"), stage = STR("preliminary");

    (void)state;
    assert_key(key_commitment(&secret, contest, stage),
               "90523d8e894e80a73407386095be6cda89f503894db98a9d6b8e911b38ada5e2");
    assert_key(key_of_stage_with(&secret, contest, stage, &lots, (Str){0}),
               "31e388b46c9562a80954d4a155c4db7348e6f4bc8e8ebd2776b5f8bd41c1c3ab");
    assert_key(key_of_stage_with(&secret, contest, stage, &lots, STR("2027-08-18 12345678")),
               "821754f720f806bbaa7cbc5da9d4ba2cb4388b64bcdb226067d0ceb52fded788");
    assert_key(key_of_seed(42), "1adc7b40232a7bd7911d3522303b5754f5a23f032ffd1919de7c05ad79e1839b");
}

/* docs/spec/contest-operations.md B.2. */
static void draws_and_deals_are_those_of_the_specification(void **state)
{
    const Key secret = secret_of_b(), lots = lots_of_b();
    const Key stage =
        key_of_stage_with(&secret, STR("cup2027"), STR("preliminary"), &lots, (Str){0});
    const KeyRoot root = key_root(&stage);
    const Key draw = key_derive_part(&root, STR("draw"), 0);
    const Key game = key_derive_item(&root, STR("game"), 0, 0);
    const KeyRoot of_game = key_root(&game);
    const Key deal = key_derive(&of_game, STR("deal"));
    const Rng rng = key_rng(&deal);

    (void)state;
    assert_true(key_seed(&draw) == UINT64_C(16475516833981132671));
    assert_true(key_seed(&game) == UINT64_C(5301947842732992141));
    assert_key(deal, "8aabd5f447d69f5fded0ac86ec276c533781ad1c6b8be457897e81ce656ad040");
    assert_true(rng.state[0] == UINT64_C(0x5f9fd647f4d5ab8a));
    assert_true(rng.state[3] == UINT64_C(0x40d06a65ce817e89));
    assert_key(key_derive(&of_game, STR("public")),
               "50b22d8b1ffb9fedc0baf3f643396cf5430b35cee9d4af920cb2fee1fe80a849");
    assert_key(key_derive(&of_game, STR("hidden")),
               "35c51080de943619949c2f2ba739b66fde28f8a329b372217252846b8ce175f7");
}

/* Against another implementation of HMAC, with texts of every length up to some blocks. */
static void what_is_derived_is_the_hmac_of_the_text(void **state)
{
    const Key key = secret_of_b();
    const KeyRoot root = key_root(&key);
    char text[200];

    (void)state;
    memset(text, 'x', sizeof(text));
    for (size_t len = 0; len <= sizeof(text); len++) {
        unsigned char mac[DIGEST_BYTES_MAX];
        size_t n = 0;
        Key derived = key_derive(&root, (Str){text, len});
        assert_int_equal(hmac_sha(256, (Str){(const char *)key.bytes, KEY_BYTES}, (Str){text, len},
                                  mac, &n, NULL),
                         0);
        assert_memory_equal(derived.bytes, mac, KEY_BYTES);
    }
}

static void numbers_are_big_endian_behind_the_label(void **state)
{
    const Key key = secret_of_b();
    const KeyRoot root = key_root(&key);
    const Key a = key_derive_item(&root, STR("x"), 0x01020304, UINT64_C(0x05060708090a0b0c));
    const Key b = key_derive(&root, STR("x\x01\x02\x03\x04\x05\x06\x07\x08\x09\x0a\x0b\x0c"));
    const Key c = key_derive_number(&root, STR("round"), 1);
    const Key d = key_derive(&root, STR("round\0\0\0\0\0\0\0\1"));

    (void)state;
    assert_memory_equal(&a, &b, sizeof(a));
    assert_memory_equal(&c, &d, sizeof(c));
}

static void a_stage_without_lots_has_the_lots_of_nobody(void **state)
{
    const Key secret = secret_of_b();
    Key nobody;
    char hex[SHA256_HEX_BYTES];

    (void)state;
    assert_int_equal(sha256_hex((Str){"warg-lots-v1", 13}, hex, NULL), 0);
    assert_true(key_from_hex(str_of(hex), &nobody));
    const Key a = key_of_stage(&secret, STR("run"), STR("main"));
    const Key b = key_of_stage_with(&secret, STR("run"), STR("main"), &nobody, (Str){0});
    assert_memory_equal(&a, &b, sizeof(a));
}

static void keys_as_text_come_back_and_others_are_refused(void **state)
{
    static const char *const wrong[] = {
        "", "1", "1adc7b40232a7bd7911d3522303b5754f5a23f032ffd1919de7c05ad79e1839",
        "1adc7b40232a7bd7911d3522303b5754f5a23f032ffd1919de7c05ad79e1839bb",
        "gadc7b40232a7bd7911d3522303b5754f5a23f032ffd1919de7c05ad79e1839b"};
    Key key, same;

    (void)state;
    assert_true(key_from_hex(
        STR("1ADC7B40232A7BD7911D3522303B5754F5A23F032FFD1919DE7C05AD79E1839B"), &key));
    same = key_of_seed(42);
    assert_memory_equal(&key, &same, sizeof(key));
    for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++)
        assert_false(key_from_hex(str_of(wrong[i]), &key));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lots_and_their_entries_are_those_of_the_specification),
        cmocka_unit_test(commitments_and_stage_keys_are_those_of_the_specification),
        cmocka_unit_test(draws_and_deals_are_those_of_the_specification),
        cmocka_unit_test(what_is_derived_is_the_hmac_of_the_text),
        cmocka_unit_test(numbers_are_big_endian_behind_the_label),
        cmocka_unit_test(a_stage_without_lots_has_the_lots_of_nobody),
        cmocka_unit_test(keys_as_text_come_back_and_others_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
