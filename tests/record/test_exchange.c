/* test_exchange.c - exchange records, written and read. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "record/exchange.h"

#include <stdio.h>

static const ExchangeHeader village = {.stage = 1,
                                       .part = 0,
                                       .number = 12,
                                       .set = 3,
                                       .game = 312,
                                       .ruleset = "aiwolf-2021",
                                       .rules = "0123",
                                       .told_seed = 77,
                                       .seat_count = 3,
                                       .bots = 1u << 2,
                                       .names = {{0}, {"ann", 3}, {"bo \"x\"", 6}, {"cy", 2}}};

#define HEADER                                                                                     \
    "{\"exchange\":1,\"stage\":1,\"part\":0,\"number\":12,\"set\":3,\"game\":312,\"ruleset\":"     \
    "\"aiwolf-2021\","                                                                             \
    "\"rules\":\"0123\",\"told_seed\":77,\"agents\":[\"ann\",\"bo \\\"x\\\"\",\"cy\"],"            \
    "\"bots\":[2],\"fixed\":[]}\n"

static void ask(ExchangeWriter *writer, uint32_t number, SeatNo seat, AskKind kind)
{
    exchange_ask(writer, &(Ask){.seat = seat, .kind = kind, .number = number});
}

/* Two who are asked together, the second answers first; bytes that are no text; all lapses. */
static void write_village(ExchangeWriter *writer)
{
    ExchangeHeader header = village;
    const Fault late = {
        .kind = FAULT_TIMEOUT, .elapsed_us = 101029, .waited_us = 250, .bytes = STR("Over")};

    header.bots = seat_bit(2);
    exchange_begin(writer, &header);
    ask(writer, 17, 1, ASK_TALK);
    exchange_answer(writer, 1, STR("ESTIMATE Agent[03] \"SEER\""), 12319, 0);
    ask(writer, 18, 1, ASK_VOTE);
    ask(writer, 18, 2, ASK_VOTE);
    exchange_bot(writer, 2, &(Answer){.kind = ASK_VOTE, .target = 3});
    ask(writer, 18, 3, ASK_VOTE);
    exchange_answer(writer, 3, (Str){"\xff\x00z", 3}, 5, 0);
    exchange_answer(writer, 3, STR("nobody asks"), 5, 0);
    exchange_fault(writer, 1, &late);
    exchange_lapse(writer, 1);
    ask(writer, 19, 1, ASK_DIVINE);
    exchange_lapse(writer, 1);
    ask(writer, 20, 2, ASK_GUARD);
    exchange_bot(writer, 2, &(Answer){.kind = ASK_GUARD, .lapse = true});
    ask(writer, 21, 2, ASK_WHISPER);
    exchange_bot(writer, 2, &(Answer){.kind = ASK_WHISPER, .text = STR("")});
    ask(writer, 22, 1, ASK_ATTACK);
    ask(writer, 22, 3, ASK_ATTACK);
    exchange_fault(writer, 3, &(Fault){.kind = FAULT_DISCONNECT, .elapsed_us = 9});
    exchange_end(writer, END_ABORTED);
}

#define VILLAGE                                                                                    \
    HEADER "{\"a\":17,\"s\":1,\"k\":\"TALK\",\"t\":12.31,\"w\":0.0,\"r\":\"ESTIMATE Agent[03] "    \
           "\\\"SEER\\\"\"}\n"                                                                     \
           "{\"a\":18,\"s\":1,\"k\":\"VOTE\",\"t\":101.02,\"w\":0.2,\"l\":\"timeout\",\"r\":"      \
           "\"Over\"}\n"                                                                           \
           "{\"a\":18,\"s\":2,\"k\":\"VOTE\",\"r\":\"{\\\"agentIdx\\\":3}\"}\n"                    \
           "{\"a\":18,\"s\":3,\"k\":\"VOTE\",\"t\":0.00,\"w\":0.0,\"b\":\"/wB6\"}\n"               \
           "{\"a\":19,\"s\":1,\"k\":\"DIVINE\",\"l\":\"out\"}\n"                                   \
           "{\"a\":20,\"s\":2,\"k\":\"GUARD\",\"l\":\"none\"}\n"                                   \
           "{\"a\":21,\"s\":2,\"k\":\"WHISPER\",\"r\":\"\"}\n"                                     \
           "{\"a\":22,\"s\":1,\"k\":\"ATTACK\",\"l\":\"end\"}\n"                                   \
           "{\"a\":22,\"s\":3,\"k\":\"ATTACK\",\"t\":0.00,\"w\":0.0,\"l\":\"end\",\"f\":"          \
           "\"disconnect\"}\n"                                                                     \
           "{\"end\":\"aborted\",\"asks\":9}\n"

static void asks_stand_in_the_order_in_which_they_were_opened(void **state)
{
    ExchangeWriter writer = {0};

    (void)state;
    write_village(&writer);
    assert_string_equal(buf_cstr(&writer.out), VILLAGE);
    write_village(&writer);
    assert_string_equal(buf_cstr(&writer.out), VILLAGE); /* a writer is used again */
    exchange_done(&writer);
}

static int read_all(Str text, ExchangeReader *reader, unsigned *ret_entries, Err *err)
{
    ExchangeEntry entry;
    int rc = exchange_open(text, reader, err);

    *ret_entries = 0;
    while (rc == 0 && (rc = exchange_next(reader, &entry, err)) == 1) {
        (*ret_entries)++;
        rc = 0;
    }
    return rc;
}

static void what_is_written_is_read(void **state)
{
    ExchangeReader reader = {0};
    ExchangeEntry entry;
    Answer answer;
    CLEANUP(buf_done) Buf storage = {0};

    (void)state;
    assert_int_equal(exchange_open(STR(VILLAGE), &reader, NULL), 0);
    assert_int_equal(reader.header.game, 312);
    assert_int_equal(reader.header.bots, seat_bit(2));
    assert_true(str_eq(reader.header.names[2], STR("bo \"x\"")));
    assert_int_equal(exchange_next(&reader, &entry, NULL), 1);
    assert_true(entry.timed && entry.elapsed_us == 12310 && entry.lapse == EXCHANGE_ANSWERED);
    assert_true(str_eq(entry.text, STR("ESTIMATE Agent[03] \"SEER\"")));
    assert_int_equal(exchange_next(&reader, &entry, NULL), 1);
    assert_true(entry.lapse == EXCHANGE_FAULT && entry.fault == FAULT_TIMEOUT);
    assert_true(entry.waited_us == 200 && str_eq(entry.text, STR("Over")));
    exchange_read_answer(&entry, &storage, &answer);
    assert_true(answer.lapse && answer.kind == ASK_VOTE);
    assert_int_equal(exchange_next(&reader, &entry, NULL), 1);
    exchange_read_answer(&entry, &storage, &answer);
    assert_true(!entry.timed && answer.target == 3);
    assert_int_equal(exchange_next(&reader, &entry, NULL), 1);
    assert_memory_equal(entry.text.bytes, "\xff\x00z", 3);
    while (exchange_next(&reader, &entry, NULL) == 1)
        ;
    assert_true(reader.over && reader.reason == END_ABORTED && reader.asks == 9);
    assert_int_equal(entry.fault, FAULT_DISCONNECT);
    exchange_close(&reader);
}

/* Every byte of a record, changed or cut off: an error with its line, or a record that is written
 * just so. */
static void a_record_has_one_form(void **state)
{
    (void)state;
    for (size_t at = 0; at < sizeof(VILLAGE) - 1; at++) {
        char text[] = VILLAGE;
        unsigned entries;
        Err err = {0};
        ExchangeReader reader = {0};
        assert_true(read_all((Str){text, at}, &reader, &entries, &err) < 0);
        assert_true(err.line >= 1 && err.line <= 11);
        exchange_close(&reader);
        text[at] ^= 1;
        reader = (ExchangeReader){0};
        int rc = read_all((Str){text, sizeof(VILLAGE) - 1}, &reader, &entries, NULL);
        assert_true(rc == 0 || rc == ERR_SYNTAX);
        exchange_close(&reader);
    }
}

static void foreign_forms_are_refused_with_their_line(void **state)
{
    static const char *const lines[] = {
        "{\"a\":017,\"s\":1,\"k\":\"TALK\",\"r\":\"\"}",
        "{\"a\":17, \"s\":1,\"k\":\"TALK\",\"r\":\"\"}",
        "{\"a\":17,\"s\":4,\"k\":\"TALK\",\"r\":\"\"}",
        "{\"a\":17,\"s\":0,\"k\":\"TALK\",\"r\":\"\"}",
        "{\"a\":17,\"s\":1,\"k\":\"NAME\",\"r\":\"\"}",
        "{\"a\":17,\"s\":1,\"k\":\"TALK\"}",
        "{\"a\":17,\"s\":1,\"k\":\"TALK\",\"r\":\"\\u0041\"}",
        "{\"a\":17,\"s\":1,\"k\":\"TALK\",\"r\":\"\\/\"}",
        "{\"a\":17,\"s\":1,\"k\":\"TALK\",\"b\":\"QQ==\"}",
        "{\"a\":17,\"s\":1,\"k\":\"TALK\",\"t\":1.2,\"w\":0.0,\"r\":\"\"}",
        "{\"a\":17,\"s\":1,\"k\":\"TALK\",\"l\":\"violence\"}",
        "{\"a\":17,\"s\":1,\"k\":\"TALK\",\"r\":\"\"} ",
        "{\"end\":\"win\",\"asks\":2}",
        "{\"end\":\"won\",\"asks\":0}",
    };

    (void)state;
    for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
        CLEANUP(buf_done) Buf text = {0};
        ExchangeReader reader = {0};
        unsigned entries;
        Err err = {0};
        buf_printf(&text, HEADER "%s\n", lines[i]);
        if (read_all(buf_str(&text), &reader, &entries, &err) != ERR_SYNTAX || err.line != 2)
            fail_msg("%s: line %u: %s", lines[i], err.line, err.msg);
        exchange_close(&reader);
    }
}

static void a_record_says_which_rules_by_their_digest(void **state)
{
    char one[SHA256_HEX_BYTES], other[SHA256_HEX_BYTES];
    Ruleset rules;

    (void)state;
    assert_int_equal(ruleset_preset(STR("aiwolf-2021"), &rules, NULL), 0);
    assert_int_equal(exchange_rules_digest(&rules, one, NULL), 0);
    rules.talk.max_turns++;
    assert_int_equal(exchange_rules_digest(&rules, other, NULL), 0);
    assert_string_not_equal(one, other);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(asks_stand_in_the_order_in_which_they_were_opened),
        cmocka_unit_test(what_is_written_is_read),
        cmocka_unit_test(a_record_has_one_form),
        cmocka_unit_test(foreign_forms_are_refused_with_their_line),
        cmocka_unit_test(a_record_says_which_rules_by_their_digest),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
