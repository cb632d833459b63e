#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "maw/house.h"

#define KEPT 16

typedef struct Box {
    MawHouse *house;
    const char *answers_with; /* a body that is sent back to where a stanza came from */
    unsigned count;
    char bodies[KEPT][32];
    char from[32];
    MawStanzaType type;
    char condition[32];
    TimeUs now;
} Box;

static MawStanza letter(const char *from, const char *to, const char *body)
{
    return (MawStanza){.from = str_of(from),
                       .to = str_of(to),
                       .type = STANZA_CHAT,
                       .has_body = true,
                       .body = str_of(body)};
}

static void receive(void *user, const MawStanza *stanza, TimeUs now)
{
    Box *box = user;

    assert_true(box->count < KEPT);
    snprintf(box->bodies[box->count++], 32, "%.*s", STR_ARG(stanza->body));
    snprintf(box->from, 32, "%.*s", STR_ARG(stanza->from));
    snprintf(box->condition, 32, "%.*s", STR_ARG(stanza->error_condition));
    box->type = stanza->type;
    box->now = now;
    if (box->answers_with) {
        char to[32];
        snprintf(to, sizeof(to), "%.*s", STR_ARG(stanza->from));
        MawStanza answer = letter("b@house", to, box->answers_with);
        maw_house_post(box->house, &answer);
    }
}

static void receive_plainly(void *user, const MawStanza *stanza, TimeUs now)
{
    ((Box *)user)->answers_with = NULL;
    receive(user, stanza, now);
}

static void send_out(void *user, const MawStanza *stanza)
{
    Box *box = user;

    snprintf(box->bodies[box->count++], 32, "%.*s", STR_ARG(stanza->body));
}

static MawHouse *house_with(Box *a, Box *b)
{
    MawHouse *house = NULL;

    assert_int_equal(maw_house_new(&house, NULL), 0);
    assert_int_equal(maw_house_add(house, STR("a@house"), receive_plainly, a, NULL), 0);
    assert_int_equal(maw_house_add(house, STR("b@house"), receive_plainly, b, NULL), 0);
    a->house = house;
    b->house = house;
    return house;
}

static void letters_lie_until_they_are_delivered_in_the_order_of_sending(void **state)
{
    Box a = {0}, b = {0};
    MawHouse *house = house_with(&a, &b);
    char body[] = "first";
    MawStanza one = letter("a@house", "B@House/tab", body); /* the same account */
    MawStanza two = letter("a@house", "b@house", "second");

    (void)state;
    maw_house_post(house, &one);
    body[0] = 'w'; /* it was copied */
    maw_house_post(house, &two);
    assert_int_equal(b.count, 0);
    assert_int_equal(maw_house_deliver(house, 7), 2);
    assert_int_equal(b.count, 2);
    assert_string_equal(b.bodies[0], "first");
    assert_string_equal(b.bodies[1], "second");
    assert_string_equal(b.from, "a@house");
    assert_int_equal(b.now, 7);
    assert_int_equal(maw_house_deliver(house, 8), 0);
    maw_house_free(house);
}

static void metadata_travels_along(void **state)
{
    Box a = {0}, b = {0};
    MawHouse *house = house_with(&a, &b);
    MawStanza stanza = letter("a@house", "b@house", "");

    (void)state;
    stanza.other[0] = (MawMetadata){STR("protocol"), STR("fipa-request")};
    stanza.other_count = 1;
    stanza.body = STR("x");
    maw_house_post(house, &stanza);
    stanza.other[0].value = STR("");
    assert_int_equal(maw_house_deliver(house, 0), 1);
    assert_string_equal(b.bodies[0], "x");
    maw_house_free(house);
}

static void an_answer_waits_for_its_turn_and_is_delivered_in_the_same_go(void **state)
{
    Box a = {0}, b = {.answers_with = "pong"};
    MawHouse *house = NULL;
    MawStanza ping = letter("a@house", "b@house", "ping");

    (void)state;
    assert_int_equal(maw_house_new(&house, NULL), 0);
    assert_int_equal(maw_house_add(house, STR("a@house"), receive_plainly, &a, NULL), 0);
    assert_int_equal(maw_house_add(house, STR("b@house"), receive, &b, NULL), 0);
    b.house = house;
    maw_house_post(house, &ping);
    maw_house_deliver(house, 0);
    assert_int_equal(a.count, 1);
    assert_string_equal(a.bodies[0], "pong");
    maw_house_free(house);
}

static void what_is_to_nobody_comes_back_as_an_error_once(void **state)
{
    Box a = {0}, b = {0};
    MawHouse *house = house_with(&a, &b);
    MawStanza lost = letter("a@house", "nobody@house", "hello?");
    MawStanza twice = letter("ghost@house", "nobody@house", "hello?");

    (void)state;
    maw_house_post(house, &lost);
    assert_int_equal(maw_house_deliver(house, 0), 2);
    assert_int_equal(a.count, 1);
    assert_int_equal(a.type, STANZA_ERROR);
    assert_string_equal(a.condition, "item-not-found");
    assert_string_equal(a.from, "nobody@house");
    maw_house_post(house, &twice); /* the error has no reader either: that is the end of it */
    assert_int_equal(maw_house_deliver(house, 0), 2);
    maw_house_free(house);
}

static void with_a_link_it_goes_out_instead(void **state)
{
    Box a = {0}, b = {0}, link = {0};
    MawHouse *house = house_with(&a, &b);
    MawStanza out = letter("a@house", "far@away", "hello?");

    (void)state;
    maw_house_link(house, send_out, &link);
    maw_house_post(house, &out);
    assert_int_equal(maw_house_deliver(house, 0), 1);
    assert_int_equal(link.count, 1);
    assert_string_equal(link.bodies[0], "hello?");
    assert_int_equal(a.count, 0);
    maw_house_free(house);
}

static void who_has_moved_out_gets_nothing_and_nobody_lives_in_one_place_twice(void **state)
{
    Box a = {0}, b = {0};
    MawHouse *house = house_with(&a, &b);
    MawStanza stanza = letter("a@house", "b@house", "hello?");
    Err err = {0};

    (void)state;
    assert_int_equal(maw_house_add(house, STR("A@house/x"), receive, &b, &err), ERR_RULE);
    assert_non_null(strstr(err.msg, "already"));
    assert_int_equal(maw_house_add(house, (Str){0}, receive, &b, NULL), ERR_RULE);
    maw_house_remove(house, STR("b@house"));
    maw_house_remove(house, STR("b@house"));
    maw_house_post(house, &stanza);
    maw_house_deliver(house, 0);
    assert_int_equal(b.count, 0);
    assert_int_equal(a.count, 1);
    maw_house_post(house, &stanza); /* still on its way when the house goes */
    maw_house_free(house);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(letters_lie_until_they_are_delivered_in_the_order_of_sending),
        cmocka_unit_test(metadata_travels_along),
        cmocka_unit_test(an_answer_waits_for_its_turn_and_is_delivered_in_the_same_go),
        cmocka_unit_test(what_is_to_nobody_comes_back_as_an_error_once),
        cmocka_unit_test(with_a_link_it_goes_out_instead),
        cmocka_unit_test(who_has_moved_out_gets_nothing_and_nobody_lives_in_one_place_twice),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
