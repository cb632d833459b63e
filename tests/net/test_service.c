#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/buf.h"
#include "net/service.h"

/* ---- DNS answers, as RFC 1035 and 2782 write them ---- */

static void add_u16(Buf *out, unsigned value)
{
    buf_add_char(out, (char)(value >> 8));
    buf_add_char(out, (char)value);
}

/* "a.b" as labels. */
static void add_name(Buf *out, Str name)
{
    while (name.len) {
        Str label = str_cut(&name, '.');
        buf_add_char(out, (char)label.len);
        buf_add(out, label);
    }
    buf_add_char(out, '\0');
}

static void begin_answer(Buf *out, unsigned answers)
{
    buf_clear(out);
    add_u16(out, 7);      /* id */
    add_u16(out, 0x8180); /* an answer, no error */
    add_u16(out, 1);      /* questions */
    add_u16(out, answers);
    add_u16(out, 0);
    add_u16(out, 0);
    add_name(out, STR("_xmpp-client._tcp.example.org"));
    add_u16(out, 33); /* SRV */
    add_u16(out, 1);
}

static void add_record(Buf *out, unsigned priority, unsigned weight, unsigned port, Str target)
{
    CLEANUP(buf_done) Buf name = {0};

    add_name(&name, target);
    add_u16(out, 0xC00C); /* the question's name */
    add_u16(out, 33);
    add_u16(out, 1);
    add_u16(out, 0); /* time to live */
    add_u16(out, 60);
    add_u16(out, 6 + (unsigned)name.len);
    add_u16(out, priority);
    add_u16(out, weight);
    add_u16(out, port);
    buf_add(out, buf_str(&name));
}

static void records_are_tried_by_priority_and_weight(void **state)
{
    CLEANUP(buf_done) Buf answer = {0};
    ServiceRecord records[SERVICE_RECORDS_MAX];

    (void)state;
    begin_answer(&answer, 5);
    add_record(&answer, 20, 0, 5222, STR("last.example.org"));
    add_record(&answer, 10, 1, 5223, STR("light.example.org"));
    add_record(&answer, 10, 9, 5224, STR("heavy.example.org"));
    add_record(&answer, 5, 0, 5222, STR(""));                 /* "not here" */
    add_record(&answer, 5, 0, 0, STR("no-port.example.org")); /* nobody listens on 0 */
    assert_int_equal(service_read_answer(buf_str(&answer), records), 3);
    assert_string_equal(records[0].host, "heavy.example.org");
    assert_int_equal(records[0].port, 5224);
    assert_string_equal(records[1].host, "light.example.org");
    assert_string_equal(records[2].host, "last.example.org");
}

static void a_cut_answer_gives_what_is_whole_or_nothing(void **state)
{
    CLEANUP(buf_done) Buf answer = {0};
    ServiceRecord records[SERVICE_RECORDS_MAX];

    (void)state;
    begin_answer(&answer, 1);
    add_record(&answer, 1, 1, 5222, STR("a.example.org"));
    for (size_t n = 0; n < answer.len; n++)
        assert_int_equal(service_read_answer(str_part(buf_str(&answer), 0, n), records), 0);
    assert_int_equal(service_read_answer(buf_str(&answer), records), 1);
}

static void no_more_records_than_there_is_room_for(void **state)
{
    CLEANUP(buf_done) Buf answer = {0};
    ServiceRecord records[SERVICE_RECORDS_MAX];

    (void)state;
    begin_answer(&answer, 40);
    for (unsigned i = 0; i < 40; i++)
        add_record(&answer, i, 0, 5222, STR("a.example.org"));
    assert_int_equal(service_read_answer(buf_str(&answer), records), SERVICE_RECORDS_MAX);
}

/* ---- looking up ---- */

typedef struct Found {
    Loop *loop;
    ServiceAddress first;
    unsigned count, calls;
    char why[256];
} Found;

static void on_found(void *user, const ServiceAddress *addresses, unsigned count, const char *why)
{
    Found *found = user;

    found->calls++;
    found->count = count;
    if (count)
        found->first = addresses[0];
    snprintf(found->why, sizeof(found->why), "%s", why);
}

static Found look_up(const char *host, uint16_t port, bool forget)
{
    const ServiceWanted wanted = {"_xmpp-client._tcp", "localhost", host, port, 5222};
    ServiceLookup *lookup = NULL;
    Found found = {0};

    assert_int_equal(loop_new(&found.loop, NULL), 0);
    assert_int_equal(service_find(found.loop, &wanted, on_found, &found, &lookup, NULL), 0);
    if (forget)
        service_forget(lookup);
    loop_run(found.loop);
    loop_free(found.loop);
    return found;
}

static void a_host_gives_its_address(void **state)
{
    (void)state;
    Found found = look_up("127.0.0.1", 5333, false);
    assert_int_equal(found.calls, 1);
    assert_int_equal(found.count, 1);
    assert_string_equal(found.first.host, "127.0.0.1");
    assert_int_equal(found.first.port, 5333);
}

static void a_name_that_does_not_exist_says_so(void **state)
{
    (void)state;
    Found found = look_up("nobody.invalid", 5333, false);
    assert_int_equal(found.calls, 1);
    assert_int_equal(found.count, 0);
    assert_non_null(strstr(found.why, "nobody.invalid: "));
}

static void what_is_forgotten_is_not_told(void **state)
{
    (void)state;
    assert_int_equal(look_up("127.0.0.1", 5333, true).calls, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(records_are_tried_by_priority_and_weight),
        cmocka_unit_test(a_cut_answer_gives_what_is_whole_or_nothing),
        cmocka_unit_test(no_more_records_than_there_is_room_for),
        cmocka_unit_test(a_host_gives_its_address),
        cmocka_unit_test(a_name_that_does_not_exist_says_so),
        cmocka_unit_test(what_is_forgotten_is_not_told),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
