#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/mem.h"
#include "net/websocket.h"

#define MESSAGE_BYTES 100000

/* ---- frames made by hand ---- */

/* Appends a frame. `head` is the first byte: 0x80 for the last frame, reserved bits, opcode. */
static void add_frame(Buf *out, unsigned head, bool mask, Str payload)
{
    static const unsigned char key[4] = {0x37, 0xfa, 0x21, 0x3d};
    unsigned flag = mask ? 0x80 : 0;

    buf_add_char(out, (char)head);
    if (payload.len < 126) {
        buf_add_char(out, (char)(flag | payload.len));
    } else if (payload.len < 65536) {
        buf_add_char(out, (char)(flag | 126));
        buf_add_char(out, (char)(payload.len >> 8));
        buf_add_char(out, (char)(payload.len & 0xFF));
    } else {
        buf_add_char(out, (char)(flag | 127));
        for (int shift = 56; shift >= 0; shift -= 8)
            buf_add_char(out, (char)((uint64_t)payload.len >> shift & 0xFF));
    }
    if (mask)
        buf_add(out, (Str){(const char *)key, 4});
    for (size_t i = 0; i < payload.len; i++)
        buf_add_char(out, mask ? (char)(payload.bytes[i] ^ (char)key[i % 4]) : payload.bytes[i]);
}

/* From a client. */
static void add(Buf *out, unsigned head, Str payload)
{
    add_frame(out, head, true, payload);
}

/* What a server makes of it: "[message]" each, then 'C' or 'B' with the code. What it sends is in
 * `sent`. */
static void read_in_pieces(bool is_client, Str all, size_t first, size_t step, Buf *got, Buf *sent)
{
    WebSocket *socket = websocket_new(is_client, MESSAGE_BYTES);
    size_t n = first;

    assert_non_null(socket);
    while (all.len) {
        Str piece = str_part(all, 0, n);
        char *copy = mem_new(piece.len + 1);
        WebSocketEvent event;
        Str message;

        memcpy(copy, piece.bytes, piece.len);
        websocket_feed(socket, (Str){copy, piece.len});
        while ((event = websocket_next(socket, &message, sent)) == WEBSOCKET_MESSAGE) {
            buf_add_char(got, '[');
            buf_add(got, message);
            buf_add_char(got, ']');
        }
        mem_free(copy);
        if (event != WEBSOCKET_MORE) {
            buf_printf(got, "%c%u", event == WEBSOCKET_CLOSED ? 'C' : 'B', websocket_code(socket));
            assert_int_equal(websocket_next(socket, &message, sent), WEBSOCKET_MORE);
        }
        all = str_part(all, piece.len, SIZE_MAX);
        n = step;
    }
    websocket_free(socket);
}

static void check_role(bool is_client, const Buf *bytes, const char *want, Str want_sent)
{
    Str all = buf_str(bytes);
    size_t cuts = all.len < 200 ? all.len : 200;

    for (size_t cut = 0; cut <= cuts; cut++) { /* 0 = byte by byte */
        CLEANUP(buf_done) Buf got = {0};
        CLEANUP(buf_done) Buf sent = {0};
        read_in_pieces(is_client, all, cut ? cut : 1, cut ? all.len : 1, &got, &sent);
        assert_string_equal(buf_cstr(&got), want);
        if (!is_client && want_sent.bytes) {
            assert_int_equal(sent.len, want_sent.len);
            assert_memory_equal(buf_cstr(&sent), want_sent.bytes, want_sent.len);
        }
    }
}

/* Checks the bytes cut at every place, and that exactly `want_sent` is answered (NULL = any). */
static void check(Buf *bytes, const char *want, Str want_sent)
{
    check_role(false, bytes, want, want_sent);
    buf_clear(bytes);
}

#define NOTHING  STR("")
#define ANYTHING ((Str){0})

/* ---- reading ---- */

static void the_examples_of_the_rfc_are_read(void **state)
{
    CLEANUP(buf_done) Buf in = {0};

    (void)state; /* RFC 6455 5.7 */
    buf_add(&in, STR("\x81\x85\x37\xfa\x21\x3d\x7f\x9f\x4d\x51\x58"));
    check(&in, "[Hello]", NOTHING);
    buf_add(&in, STR("\x81\x05\x48\x65\x6c\x6c\x6f"));
    check_role(true, &in, "[Hello]", ANYTHING);
    buf_clear(&in);
    buf_add(&in, STR("\x01\x03\x48\x65\x6c\x80\x02\x6c\x6f"));
    check_role(true, &in, "[Hello]", ANYTHING);
    buf_clear(&in);
    buf_add(&in, STR("\x89\x85\x37\xfa\x21\x3d\x7f\x9f\x4d\x51\x58"));
    check(&in, "", STR("\x8a\x05\x48\x65\x6c\x6c\x6f"));
}

static void messages_of_all_lengths_are_read(void **state)
{
    static const size_t lengths[] = {0,    1,    124,  125,   126,   127,   4081,         4090,
                                     4096, 4097, 8192, 65535, 65536, 99999, MESSAGE_BYTES};
    char *text = mem_new(MESSAGE_BYTES);

    (void)state;
    memset(text, 'x', MESSAGE_BYTES);
    for (size_t i = 0; i < sizeof(lengths) / sizeof(*lengths); i++) {
        CLEANUP(buf_done) Buf in = {0};
        CLEANUP(buf_done) Buf got = {0};
        CLEANUP(buf_done) Buf sent = {0};
        add(&in, 0x81, (Str){text, lengths[i]});
        add(&in, 0x82, STR("binary too"));
        read_in_pieces(false, buf_str(&in), 5000, 333, &got, &sent);
        assert_int_equal(got.len, lengths[i] + 14);
        assert_string_equal(buf_cstr(&got) + lengths[i] + 2, "[binary too]");
        assert_int_equal(sent.len, 0);
    }
    mem_free(text);
}

static void a_message_over_the_limit_is_told_so(void **state)
{
    CLEANUP(buf_done) Buf in = {0};
    CLEANUP(buf_done) Buf got = {0};
    CLEANUP(buf_done) Buf sent = {0};
    char *text = mem_new(MESSAGE_BYTES + 1);

    (void)state;
    memset(text, 'x', MESSAGE_BYTES + 1);
    add(&in, 0x81, (Str){text, MESSAGE_BYTES + 1});
    read_in_pieces(false, buf_str(&in), 100, 5000, &got, &sent);
    assert_string_equal(buf_cstr(&got), "B1009");
    assert_memory_equal(buf_cstr(&sent), "\x88\x19\x03\xf1the message", 15);
    buf_clear(&in);
    buf_clear(&got);
    add(&in, 0x01, (Str){text, MESSAGE_BYTES});
    add(&in, 0x00, STR(""));
    add(&in, 0x80, STR("x"));
    read_in_pieces(false, buf_str(&in), in.len, 1, &got, &sent);
    assert_string_equal(buf_cstr(&got), "B1009");
    /* 2^63 - 1 bytes are promised: they are not waited for. */
    buf_clear(&in);
    buf_add(&in, STR("\x81\xff\x7f\xff\xff\xff\xff\xff\xff\xff\x01\x02\x03\x04x"));
    check(&in, "B1009", ANYTHING);
    mem_free(text);
}

#define FFFD "\xEF\xBF\xBD"

/* Nothing of the payload has come: not even the key that it is masked with. */
static void a_head_that_promises_too_much_is_refused_before_its_payload(void **state)
{
    CLEANUP(buf_done) Buf in = {0};
    char *text = mem_new(MESSAGE_BYTES);

    (void)state;
    memset(text, 'x', MESSAGE_BYTES);
    buf_add(&in, STR("\x81\xff\x00\x00\x00\x00\x00\x01\x86\xa1")); /* 100001 bytes */
    check(&in, "B1009", ANYTHING);
    buf_add(&in, STR("\x01\xff\x00\x00\x00\x00\x00\x01\x86\xa1")); /* a first part of many */
    check(&in, "B1009", ANYTHING);
    buf_add(&in, STR("\x81\x7f\x00\x00\x00\x00\x00\x01\x86\xa1"));
    check_role(true, &in, "B1009", ANYTHING);
    buf_clear(&in);
    /* As much as fits is waited for, */
    buf_add(&in, STR("\x81\xff\x00\x00\x00\x00\x00\x01\x86\xa0"));
    check(&in, "", NOTHING);
    /* what came whole before is given, and no byte of a payload is taken for a head. */
    add(&in, 0x81, STR("\x81\xff\x7f\xff\xff\xff\xff\xff\xff\xff"));
    add(&in, 0x89, STR("p"));
    buf_add(&in, STR("\x82\xff\x00\x00\x00\x00\x00\x01\x86\xa1"));
    check(&in, "[" FFFD FFFD "\x7f" FFFD FFFD FFFD FFFD FFFD FFFD FFFD "]B1009", ANYTHING);
    mem_free(text);
}

/* The parts of a message count together. */
static void a_part_that_makes_a_message_too_long_is_refused_by_its_head(void **state)
{
    CLEANUP(buf_done) Buf in = {0};
    CLEANUP(buf_done) Buf got = {0};
    CLEANUP(buf_done) Buf sent = {0};
    char *text = mem_new(MESSAGE_BYTES);

    (void)state;
    memset(text, 'x', MESSAGE_BYTES);
    add(&in, 0x01, (Str){text, MESSAGE_BYTES});
    buf_add(&in, STR("\x80\x81"));
    read_in_pieces(false, buf_str(&in), in.len, 1, &got, &sent);
    assert_string_equal(buf_cstr(&got), "B1009");
    mem_free(text);
}

static void fragments_are_joined_with_control_frames_between_them(void **state)
{
    CLEANUP(buf_done) Buf in = {0};

    (void)state;
    add(&in, 0x01, STR("one "));
    add(&in, 0x89, STR("p1"));
    add(&in, 0x00, STR(""));
    add(&in, 0x8A, STR("a pong nobody asked for"));
    add(&in, 0x00, STR("two "));
    add(&in, 0x89, STR(""));
    add(&in, 0x80, STR("three"));
    add(&in, 0x81, STR("next"));
    check(&in, "[one two three][next]", STR("\x8a\x02p1\x8a\x00"));
}

static void invalid_utf8_is_replaced_and_characters_may_be_cut_by_fragments(void **state)
{
    CLEANUP(buf_done) Buf in = {0};

    (void)state;
    add(&in, 0x01, STR("\xE3\x81"));
    add(&in, 0x80, STR("\x82"));
    check(&in, "[\xE3\x81\x82]", NOTHING);
    add(&in, 0x81, STR("a\xC0\xAFz\xE3\x81"));
    check(&in, "[a\xEF\xBF\xBD\xEF\xBF\xBDz\xEF\xBF\xBD]", NOTHING);
    add(&in, 0x82, STR("\xED\xA0\x80")); /* binary is text too */
    check(&in, "[\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD]", NOTHING);
    add(&in, 0x81, STR("a\xC0")); /* each is cleaned by itself */
    add(&in, 0x81, STR("b\xC0"));
    check(&in, "[a\xEF\xBF\xBD][b\xEF\xBF\xBD]", NOTHING);
}

static void frames_against_the_rules_end_it(void **state)
{
    CLEANUP(buf_done) Buf in = {0};
    static const unsigned heads[] = {
        0xC1, 0xA1, 0x91, 0xF1, 0xC9, /* reserved bits */
        0x83, 0x87, 0x8B, 0x8F, 0x03, /* opcodes that there are not */
        0x09, 0x08, 0x0A,             /* control frames in fragments */
        0x80, 0x00,                   /* a continuation of nothing */
    };

    (void)state;
    for (size_t i = 0; i < sizeof(heads) / sizeof(*heads); i++) {
        add(&in, 0x81, STR("before"));
        add(&in, heads[i], STR("x"));
        add(&in, 0x81, STR("behind"));
        check(&in, "[before]B1002", ANYTHING);
    }
    add(&in, 0x01, STR("begun"));
    add(&in, 0x81, STR("a new one"));
    check(&in, "B1002", ANYTHING);
    add_frame(&in, 0x81, false, STR("no mask"));
    check(&in, "B1002",
          STR("\x88\x28\x03\xea"
              "a frame from the client without a mask"));
    add(&in, 0x81, STR("a mask"));
    check_role(true, &in, "B1002", ANYTHING);
    buf_clear(&in);
    buf_add(&in, STR("\x89\xfe\x00\x7e")); /* a ping of 126 bytes */
    check(&in, "B1002", ANYTHING);
    buf_add(&in, STR("\x81\xfe\x00\x05")); /* a length that is written too long */
    check(&in, "B1002", ANYTHING);
    buf_add(&in, STR("\x81\xff\x80\x00\x00\x00\x00\x00\x00\x00")); /* 2^63 bytes */
    check(&in, "B1002", ANYTHING);
}

/* ---- closing ---- */

static void a_close_is_answered_with_its_code(void **state)
{
    CLEANUP(buf_done) Buf in = {0};

    (void)state;
    add(&in, 0x81, STR("x"));
    add(&in, 0x88,
        STR("\x03\xe8"
            "bye"));
    add(&in, 0x81, STR("behind"));
    check(&in, "[x]C1000", STR("\x88\x02\x03\xe8"));
    add(&in, 0x88, STR(""));
    check(&in, "C1005", STR("\x88\x00"));
    add(&in, 0x01, STR("in the middle"));
    add(&in, 0x88, STR("\x0f\xa0"));
    check(&in, "C4000", STR("\x88\x02\x0f\xa0"));
}

static void close_codes_are_checked(void **state)
{
    static const unsigned right[] = {1000, 1001, 1002, 1003, 1007, 1011, 1012, 1014, 3000, 4999};
    static const unsigned wrong[] = {0, 999, 1004, 1005, 1006, 1015, 1016, 2999, 5000, 65535};
    CLEANUP(buf_done) Buf in = {0};
    char want[16];

    (void)state;
    for (size_t i = 0; i < 10; i++) {
        char code[] = {(char)(right[i] >> 8), (char)(right[i] & 0xFF)};
        snprintf(want, sizeof(want), "C%u", right[i]);
        add(&in, 0x88, (Str){code, 2});
        check(&in, want, ANYTHING);
    }
    for (size_t i = 0; i < 10; i++) {
        char code[] = {(char)(wrong[i] >> 8), (char)(wrong[i] & 0xFF)};
        add(&in, 0x88, (Str){code, 2});
        check(&in, "B1002", ANYTHING);
    }
    add(&in, 0x88, STR("\x03"));
    check(&in, "B1002", ANYTHING);
}

static void after_our_close_only_the_peers_is_waited_for(void **state)
{
    CLEANUP(buf_done) Buf in = {0};
    CLEANUP(buf_done) Buf out = {0};
    WebSocket *socket = websocket_new(false, MESSAGE_BYTES);
    Str message;

    (void)state;
    websocket_close(socket, 1000, STR("bye"), &out);
    assert_true(str_eq(buf_str(&out), STR("\x88\x05\x03\xe8"
                                          "bye")));
    buf_clear(&out);
    websocket_close(socket, 1001, STR("again"), &out);
    websocket_send(socket, STR("too late"), &out);
    websocket_ping(socket, &out);
    add(&in, 0x81, STR("dropped"));
    add(&in, 0x89, STR("not answered"));
    websocket_feed(socket, buf_str(&in));
    assert_int_equal(websocket_next(socket, &message, &out), WEBSOCKET_MORE);
    buf_clear(&in);
    add(&in, 0x88,
        STR("\x03\xe8"
            "ok"));
    websocket_feed(socket, buf_str(&in));
    assert_int_equal(websocket_next(socket, &message, &out), WEBSOCKET_CLOSED);
    assert_int_equal(out.len, 0);
    assert_int_equal(websocket_code(socket), 1000);
    assert_true(str_eq(websocket_reason(socket), STR("ok")));
    websocket_free(socket);
}

static void a_long_reason_is_cut_at_a_character(void **state)
{
    CLEANUP(buf_done) Buf reason = {0};
    CLEANUP(buf_done) Buf out = {0};
    WebSocket *socket = websocket_new(false, MESSAGE_BYTES);

    (void)state;
    buf_add(&reason, STR("xx"));
    for (int i = 0; i < 50; i++)
        buf_add(&reason, STR("\xE3\x81\x82"));
    websocket_close(socket, 1000, buf_str(&reason), &out);
    assert_int_equal(out.len, 2 + 2 + 2 + 40 * 3); /* of 123 one would be half a character */
    websocket_free(socket);
}

/* ---- both sides ---- */

static void what_one_side_sends_the_other_reads(void **state)
{
    static const size_t lengths[] = {0, 5, 125, 126, 5000, 65535, 65536, MESSAGE_BYTES};
    char *text = mem_new(MESSAGE_BYTES);

    (void)state;
    memset(text, 'y', MESSAGE_BYTES);
    for (int from_client = 0; from_client < 2; from_client++) {
        WebSocket *from = websocket_new(from_client, MESSAGE_BYTES);
        WebSocket *to = websocket_new(!from_client, MESSAGE_BYTES);
        for (size_t i = 0; i < sizeof(lengths) / sizeof(*lengths); i++) {
            CLEANUP(buf_done) Buf wire = {0};
            CLEANUP(buf_done) Buf answer = {0};
            Str message;
            websocket_ping(from, &wire);
            websocket_send(from, (Str){text, lengths[i]}, &wire);
            websocket_feed(to, buf_str(&wire));
            assert_int_equal(websocket_next(to, &message, &answer), WEBSOCKET_MESSAGE);
            assert_true(str_eq(message, (Str){text, lengths[i]}));
            assert_int_equal(websocket_next(to, &message, &answer), WEBSOCKET_MORE);
            assert_int_equal(answer.len, from_client ? 2 : 6); /* the pong */
            websocket_feed(from, buf_str(&answer));
            assert_int_equal(websocket_next(from, &message, &answer), WEBSOCKET_MORE);
        }
        websocket_free(from);
        websocket_free(to);
    }
    mem_free(text);
}

static void a_server_frame_is_head_and_text(void **state)
{
    CLEANUP(buf_done) Buf out = {0};
    WebSocket *socket = websocket_new(false, MESSAGE_BYTES);

    (void)state;
    websocket_send(socket, STR("Hello"), &out);
    assert_true(str_eq(buf_str(&out), STR("\x81\x05Hello")));
    websocket_free(socket);
}

/* ---- the handshake ---- */

static void urls_are_read(void **state)
{
    WebSocketUrl url;

    (void)state;
    assert_int_equal(websocket_url("ws://example.org", &url, NULL), 0);
    assert_string_equal(url.host, "example.org");
    assert_int_equal(url.port, 80);
    assert_false(url.tls);
    assert_int_equal(url.target.len, 0);
    assert_int_equal(websocket_url("WSS://h:8080/a/b?token=x#part", &url, NULL), 0);
    assert_int_equal(url.port, 8080);
    assert_true(url.tls);
    assert_true(str_eq(url.target, STR("/a/b?token=x")));
    assert_int_equal(websocket_url("wss://[::1]?q", &url, NULL), 0);
    assert_string_equal(url.host, "::1");
    assert_int_equal(url.port, 443);
    assert_true(str_eq(url.target, STR("?q")));
}

static void the_client_asks_and_reads_the_answer(void **state)
{
    static const char right[] =
        "HTTP/1.1 101 Switching Protocols\r\nupgrade: WebSocket\r\nConnection: Upgrade\r\n"
        "Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n\r\n\x81";
    static const char key[] = "dGhlIHNhbXBsZSBub25jZQ==";
    CLEANUP(buf_done) Buf out = {0};
    WebSocketUrl url;
    unsigned status;
    size_t used;

    (void)state;
    assert_int_equal(websocket_url("ws://[::1]:80?q", &url, NULL), 0);
    websocket_ask(&url, key, "t.o.k", &out);
    assert_memory_equal(buf_cstr(&out), "GET /?q HTTP/1.1\r\nHost: [::1]:80\r\n", 34);
    assert_non_null(strstr(buf_cstr(&out), "\r\nAuthorization: Bearer t.o.k\r\n"));
    for (size_t n = 0; n < sizeof(right) - 2; n++)
        assert_int_equal(websocket_answer((Str){right, n}, key, &used, &status, NULL), 0);
    assert_int_equal(websocket_answer(str_of(right), key, &used, &status, NULL), 1);
    assert_int_equal(used, sizeof(right) - 2);
    assert_int_equal(status, 101);
}

static void answers_that_are_no_handshake_are_refused(void **state)
{
    static const char key[] = "dGhlIHNhbXBsZSBub25jZQ==";
    CLEANUP(buf_done) Buf out = {0};
    unsigned status;
    size_t used;

    (void)state;
    assert_int_equal(websocket_answer(STR("SSH-2.0"), key, &used, &status, NULL), ERR_SYNTAX);
    assert_int_equal(websocket_answer(STR("HTTP/1.1 x\r\n\r\n"), key, &used, &status, NULL),
                     ERR_SYNTAX);
    assert_int_equal(websocket_answer(STR("HTTP/1.1 503 No\r\n\r\n"), key, &used, &status, NULL),
                     ERR_RULE);
    assert_int_equal(status, 503);
    assert_int_equal(websocket_answer(STR("HTTP/1.1 101 X\r\nUpgrade: websocket\r\nConnection: "
                                          "upgrade\r\nSec-WebSocket-Accept: wrong\r\n\r\n"),
                                      key, &used, &status, NULL),
                     ERR_RULE);
    buf_add(&out, STR("HTTP/1.1 101 X\r\n"));
    for (int i = 0; i < 2000; i++)
        buf_add(&out, STR("abcdefgh: x\r\n"));
    assert_int_equal(websocket_answer(buf_str(&out), key, &used, &status, NULL), ERR_LIMIT);
}

static void keys_are_new_each_time(void **state)
{
    char one[WEBSOCKET_KEY_BYTES];
    char two[WEBSOCKET_KEY_BYTES];

    (void)state;
    assert_int_equal(websocket_key(one, NULL), 0);
    assert_int_equal(websocket_key(two, NULL), 0);
    assert_int_equal(strlen(one), 24);
    assert_string_not_equal(one, two);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_examples_of_the_rfc_are_read),
        cmocka_unit_test(messages_of_all_lengths_are_read),
        cmocka_unit_test(a_message_over_the_limit_is_told_so),
        cmocka_unit_test(a_head_that_promises_too_much_is_refused_before_its_payload),
        cmocka_unit_test(a_part_that_makes_a_message_too_long_is_refused_by_its_head),
        cmocka_unit_test(fragments_are_joined_with_control_frames_between_them),
        cmocka_unit_test(invalid_utf8_is_replaced_and_characters_may_be_cut_by_fragments),
        cmocka_unit_test(frames_against_the_rules_end_it),
        cmocka_unit_test(a_close_is_answered_with_its_code),
        cmocka_unit_test(close_codes_are_checked),
        cmocka_unit_test(after_our_close_only_the_peers_is_waited_for),
        cmocka_unit_test(a_long_reason_is_cut_at_a_character),
        cmocka_unit_test(what_one_side_sends_the_other_reads),
        cmocka_unit_test(a_server_frame_is_head_and_text),
        cmocka_unit_test(urls_are_read),
        cmocka_unit_test(the_client_asks_and_reads_the_answer),
        cmocka_unit_test(answers_that_are_no_handshake_are_refused),
        cmocka_unit_test(keys_are_new_each_time),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
