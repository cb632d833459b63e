#include "prop.h"

#include "maw/chat_room.h"

#define SECOND ((TimeUs)1000 * 1000)

enum { MODEL_LINES_MAX = 6000, MODEL_PLAYERS = 5 };

static ChatRoom *new_room(void)
{
    ChatRoom *room = NULL;

    assert_int_equal(chat_room_new("Village", &room, NULL), 0);
    return room;
}

static int64_t say(ChatRoom *room, int player, const char *text)
{
    return chat_room_add(room, player, STR("p@d"), STR("Bo"), str_of(text), STR("now"));
}

/* How many lines the player gets, and the index of the first. */
static uint32_t get(ChatRoom *room, unsigned player, int64_t index, TimeUs now, int64_t *ret_first)
{
    MawLine lines[8];

    return chat_room_read(room, player, index, now, lines, 8, ret_first);
}

static void check_read(ChatRoom *room, unsigned player, int64_t index, TimeUs now, uint32_t count,
                       int64_t first)
{
    int64_t got_first = -1;

    assert_int_equal(get(room, player, index, now, &got_first), count);
    assert_int_equal(got_first, first);
}

static void a_room_is_set_up_opened_closed_and_opened_again(void **state)
{
    ChatRoom *room = new_room();

    (void)state;
    assert_string_equal(chat_room_name(room), "Village");
    assert_false(chat_room_is_open(room));
    assert_false(chat_room_close(room)); /* closed already */
    assert_true(chat_room_open(room, 0x3, 0x4, 0));
    assert_true(chat_room_is_open(room));
    assert_false(chat_room_open(room, 0x8, 0, 0)); /* open already, and nothing changes */
    assert_false(chat_room_may_write(room, 3));
    assert_true(chat_room_close(room));
    assert_false(chat_room_close(room));
    assert_false(chat_room_is_open(room));
    assert_true(chat_room_open(room, 0x1, 0, 0));
    assert_null(chat_room_free(room));
    assert_null(chat_room_free(NULL));
}

static void only_living_members_write_and_only_while_it_is_open(void **state)
{
    ChatRoom *room = new_room();

    (void)state;
    assert_int_equal(say(room, 0, "too early"), ERR_RULE);
    assert_false(chat_room_may_read(room, 0));
    chat_room_open(room, 0x3, 0x4, 0);
    assert_true(chat_room_may_write(room, 0));
    assert_true(chat_room_may_read(room, 0)); /* who writes reads */
    assert_false(chat_room_may_write(room, 2));
    assert_true(chat_room_may_read(room, 2));
    assert_false(chat_room_may_read(room, 3));
    assert_false(chat_room_may_write(room, 64));
    assert_false(chat_room_may_read(room, 64));
    assert_int_equal(say(room, 0, "hi"), 0);
    assert_int_equal(say(room, 2, "boo"), ERR_RULE);
    assert_int_equal(say(room, 3, "hello?"), ERR_RULE);
    assert_int_equal(say(room, 64, "hello?"), ERR_RULE);
    assert_int_equal(say(room, -1, "from the system"), 1);
    chat_room_close(room);
    assert_false(chat_room_may_write(room, 0));
    assert_int_equal(say(room, 0, "too late"), ERR_RULE);
    assert_int_equal(say(room, -1, "Cy is dead."), 2);
    assert_int_equal(chat_room_next(room), 3);
    chat_room_free(room);
}

static void a_line_is_copied_with_all_it_has(void **state)
{
    ChatRoom *room = new_room();
    char jid[] = "p@d", name[] = "Bo", text[] = "a\xc3\xa9", time[] = "T";
    MawLine lines[2];
    int64_t first;

    (void)state;
    chat_room_open(room, 0x1, 0, 0);
    assert_int_equal(chat_room_add(room, 0, str_of(jid), str_of(name), str_of(text), str_of(time)),
                     0);
    assert_int_equal(chat_room_add(room, -1, (Str){0}, (Str){0}, (Str){0}, (Str){0}), 1);
    memset(jid, 'x', sizeof(jid));
    memset(name, 'x', sizeof(name));
    memset(text, 'x', sizeof(text));
    memset(time, 'x', sizeof(time));
    assert_int_equal(chat_room_read(room, 0, 0, 0, lines, 2, &first), 2);
    assert_int_equal(first, 0);
    assert_int_equal(lines[0].index, 0);
    assert_true(str_eq(lines[0].from, STR("p@d")));
    assert_true(str_eq(lines[0].name, STR("Bo")));
    assert_true(str_eq(lines[0].text, STR("a\xc3\xa9")));
    assert_true(str_eq(lines[0].time, STR("T")));
    assert_true(str_eq(lines[0].kind, STR("chat")));
    assert_int_equal(lines[1].index, 1);
    assert_int_equal(lines[1].from.len, 0);
    assert_int_equal(lines[1].text.len, 0);
    assert_true(str_eq(lines[1].kind, STR("system")));
    chat_room_free(room);
}

static void readers_get_what_they_have_not_yet(void **state)
{
    ChatRoom *room = new_room();

    (void)state;
    chat_room_open(room, 0x3, 0, 0);
    check_read(room, 0, 0, 0, 0, 0);
    say(room, 0, "a");
    say(room, 1, "b");
    check_read(room, 0, 0, 0, 2, 0);
    check_read(room, 0, 1, 0, 1, 1); /* an answer may be lost: the index says what has come */
    check_read(room, 0, 2, 0, 0, 2);
    check_read(room, 0, 99, 0, 0, 2);
    check_read(room, 0, -5, 0, 2, 0);
    check_read(room, 2, 0, 0, 0, 2); /* no member */
    check_read(room, 64, 0, 0, 0, 2);
    for (unsigned i = 0; i < 10; i++)
        say(room, 0, "c");
    check_read(room, 1, 0, 0, 8, 0); /* as many as the caller has room for */
    check_read(room, 1, 8, 0, 4, 8);
    chat_room_free(room);
}

static void what_all_have_received_is_forgotten(void **state)
{
    ChatRoom *room = new_room();

    (void)state;
    chat_room_open(room, 0x3, 0, 0);
    for (unsigned i = 0; i < 4; i++)
        say(room, 0, "a");
    check_read(room, 0, 4, 0, 0, 4);
    assert_int_equal(chat_room_kept(room), 4); /* 1 has none of them */
    check_read(room, 1, 3, 0, 1, 3);
    assert_int_equal(chat_room_kept(room), 1);
    assert_int_equal(chat_room_next(room), 4);
    check_read(room, 0, 0, 0, 1, 3); /* an index from before: first > index */
    chat_room_free(room);
}

static void who_does_not_ask_for_a_minute_holds_nothing_back(void **state)
{
    ChatRoom *room = new_room();

    (void)state;
    chat_room_open(room, 0x3, 0, 0);
    say(room, 0, "a");
    say(room, 0, "b");
    check_read(room, 0, 1, ROOM_FORGETS_US - 1, 1, 1);
    assert_int_equal(chat_room_kept(room), 2); /* a writer counts from the opening */
    check_read(room, 0, 1, ROOM_FORGETS_US, 1, 1);
    assert_int_equal(chat_room_kept(room), 1);
    check_read(room, 1, 0, ROOM_FORGETS_US + SECOND, 1, 1); /* it lost one line */
    check_read(room, 0, 2, ROOM_FORGETS_US + SECOND, 0, 2);
    assert_int_equal(chat_room_kept(room), 1); /* and is waited for again */
    chat_room_free(room);
}

static void the_dead_hold_nothing_back_unless_they_watch(void **state)
{
    ChatRoom *room = new_room();

    (void)state;
    chat_room_open(room, 0x7, 0x8, 0);
    say(room, 0, "a");
    chat_room_silence(room, 1, true);
    chat_room_silence(room, 2, false);
    chat_room_silence(room, 64, false); /* nobody */
    assert_false(chat_room_may_write(room, 1));
    assert_true(chat_room_may_read(room, 1));
    assert_false(chat_room_may_read(room, 2));
    assert_int_equal(say(room, 1, "boo"), ERR_RULE);
    check_read(room, 0, 1, SECOND, 0, 1); /* 1 and 2 have died, 3 only reads and has not asked */
    assert_int_equal(chat_room_kept(room), 0);
    say(room, 0, "b");
    check_read(room, 1, 1, SECOND, 1, 1); /* 1 watches */
    check_read(room, 0, 2, SECOND, 0, 2);
    assert_int_equal(chat_room_kept(room), 1);
    check_read(room, 1, 2, SECOND, 0, 2);
    assert_int_equal(chat_room_kept(room), 0);
    chat_room_free(room);
}

static void a_closed_room_keeps_its_last_lines_until_it_opens(void **state)
{
    ChatRoom *room = new_room();

    (void)state;
    chat_room_open(room, 0x3, 0, 0);
    say(room, 0, "a");
    say(room, 1, "b");
    chat_room_close(room);
    check_read(room, 0, 2, SECOND, 0, 2);
    check_read(room, 1, 2, SECOND, 0, 2);
    assert_int_equal(chat_room_kept(room), 2);
    check_read(room, 1, 0, 5 * ROOM_FORGETS_US, 2, 0);
    assert_true(chat_room_open(room, 0x2, 0, 6 * ROOM_FORGETS_US));
    assert_int_equal(chat_room_kept(room), 0);
    assert_int_equal(chat_room_next(room), 2); /* indices go on */
    check_read(room, 0, 0, 6 * ROOM_FORGETS_US, 0, 2);
    assert_false(chat_room_may_read(room, 0)); /* it is no member any more */
    assert_int_equal(say(room, 1, "c"), 2);
    check_read(room, 1, 0, 6 * ROOM_FORGETS_US, 1, 2);
    chat_room_free(room);
}

static void at_most_2000_lines_are_kept(void **state)
{
    ChatRoom *room = new_room();
    MawLine *lines = calloc(ROOM_LINES_MAX + 1, sizeof(*lines));
    int64_t first;

    (void)state;
    assert_non_null(lines);
    chat_room_open(room, 0x1, 0, 0);
    for (unsigned i = 0; i < ROOM_LINES_MAX + 500; i++) {
        char text[16];
        snprintf(text, sizeof(text), "%u", i);
        assert_int_equal(say(room, 0, text), i);
    }
    assert_int_equal(chat_room_kept(room), ROOM_LINES_MAX);
    assert_int_equal(chat_room_read(room, 0, 0, 0, lines, ROOM_LINES_MAX + 1, &first),
                     ROOM_LINES_MAX);
    assert_int_equal(first, 500);
    assert_true(str_eq(lines[0].text, STR("500")));
    assert_true(str_eq(lines[ROOM_LINES_MAX - 1].text, STR("2499")));
    free(lines);
    chat_room_free(room);
}

/* ---- against a model that forgets nothing ---- */

typedef struct Model {
    bool open;
    bool writes[MODEL_PLAYERS];
    bool reads[MODEL_PLAYERS];
    bool asked[MODEL_PLAYERS];
    TimeUs when[MODEL_PLAYERS];
    int64_t cursor[MODEL_PLAYERS];
    unsigned said[MODEL_LINES_MAX]; /* line i is this number */
    int64_t count;
    int64_t start; /* what is before it may not be seen any more */
} Model;

static int64_t larger(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

static bool model_open(Model *model, ChatRoom *room, Rng *rng, TimeUs now)
{
    uint64_t writers = rng_below(rng, 1 << MODEL_PLAYERS);
    uint64_t readers = rng_below(rng, 1 << MODEL_PLAYERS);

    if (chat_room_open(room, writers, readers, now) == model->open)
        return false;
    if (model->open)
        return true;
    model->open = true;
    model->start = model->count;
    for (unsigned i = 0; i < MODEL_PLAYERS; i++) {
        model->writes[i] = (writers >> i) & 1;
        model->reads[i] = ((readers | writers) >> i) & 1;
        model->cursor[i] = model->count;
        if (model->writes[i]) {
            model->asked[i] = true;
            model->when[i] = now;
        }
    }
    return true;
}

static bool model_add(Model *model, ChatRoom *room, Rng *rng)
{
    int player = (int)rng_below(rng, MODEL_PLAYERS + 1) - 1;
    bool may = player < 0 || (model->open && model->writes[player]);
    unsigned number = (unsigned)rng_below(rng, 1000000);
    char text[16];

    if (model->count == MODEL_LINES_MAX)
        return true;
    snprintf(text, sizeof(text), "%u", number);
    if (say(room, player, text) != (may ? model->count : ERR_RULE))
        return false;
    if (may)
        model->said[model->count++] = number;
    model->start = larger(model->start, model->count - ROOM_LINES_MAX);
    return true;
}

static bool model_read(Model *model, ChatRoom *room, Rng *rng, TimeUs now)
{
    unsigned player = (unsigned)rng_below(rng, MODEL_PLAYERS);
    int64_t index = (int64_t)rng_below(rng, (uint32_t)model->count + 3) - 1;
    MawLine lines[50];
    uint32_t max = (uint32_t)rng_below(rng, 51);
    int64_t first = -1;

    /* mostly as players do: what is new since it asked last */
    if (rng_below(rng, 4) > 0)
        index = larger(model->count - (int64_t)rng_below(rng, 4), 0);
    uint32_t got = chat_room_read(room, player, index, now, lines, max, &first);
    if (!model->reads[player])
        return got == 0 && first == model->count;
    if (index < 0)
        index = 0;
    if (index > model->count)
        index = model->count;
    model->cursor[player] = index;
    model->asked[player] = true;
    model->when[player] = now;
    int64_t least = model->count;
    for (unsigned i = 0; i < MODEL_PLAYERS; i++)
        if (model->reads[i] && model->asked[i] && now - model->when[i] < ROOM_FORGETS_US &&
            model->cursor[i] < least)
            least = model->cursor[i];
    if (model->open)
        model->start = larger(model->start, least);
    index = larger(index, model->start);
    int64_t there = model->count - index;
    if (first != index || got != (there < max ? there : max))
        return false;
    for (uint32_t i = 0; i < got; i++) {
        uint64_t number;
        if (lines[i].index != first + i || !str_to_uint(lines[i].text, UINT32_MAX, &number) ||
            number != model->said[first + i])
            return false;
    }
    return true;
}

static bool model_step(Model *model, ChatRoom *room, Rng *rng, TimeUs now)
{
    uint64_t what = rng_below(rng, 100);

    if (what < 2)
        return model_open(model, room, rng, now);
    if (what < 3) {
        bool was_open = model->open;
        model->open = false;
        return chat_room_close(room) == was_open;
    }
    if (what < 4) {
        unsigned player = (unsigned)rng_below(rng, MODEL_PLAYERS);
        bool still = rng_below(rng, 2);
        model->writes[player] = false;
        model->reads[player] = model->reads[player] && still;
        model->asked[player] = false;
        chat_room_silence(room, player, still);
        return true;
    }
    return what < 60 ? model_add(model, room, rng) : model_read(model, room, rng, now);
}

static bool a_room_does_as_the_model(Rng *rng, unsigned size)
{
    Model *model = calloc(1, sizeof(*model));
    ChatRoom *room = new_room();
    TimeUs now = 0;
    bool same = true;

    assert_non_null(model);
    for (unsigned i = 0; i < 20 * size && same; i++) {
        now += (TimeUs)rng_below(rng, 4 * (uint32_t)SECOND);
        same = model_step(model, room, rng, now) && chat_room_next(room) == model->count &&
               chat_room_kept(room) == model->count - model->start &&
               chat_room_kept(room) <= ROOM_LINES_MAX && chat_room_is_open(room) == model->open;
        for (unsigned player = 0; player < MODEL_PLAYERS && same; player++)
            same = chat_room_may_read(room, player) == model->reads[player] &&
                   chat_room_may_write(room, player) == (model->open && model->writes[player]);
    }
    chat_room_free(room);
    free(model);
    return same;
}

static void any_order_of_acts_gives_what_a_model_that_forgets_nothing_gives(void **state)
{
    (void)state;
    prop_check(a_room_does_as_the_model, 1000, 250);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_room_is_set_up_opened_closed_and_opened_again),
        cmocka_unit_test(only_living_members_write_and_only_while_it_is_open),
        cmocka_unit_test(a_line_is_copied_with_all_it_has),
        cmocka_unit_test(readers_get_what_they_have_not_yet),
        cmocka_unit_test(what_all_have_received_is_forgotten),
        cmocka_unit_test(who_does_not_ask_for_a_minute_holds_nothing_back),
        cmocka_unit_test(the_dead_hold_nothing_back_unless_they_watch),
        cmocka_unit_test(a_closed_room_keeps_its_last_lines_until_it_opens),
        cmocka_unit_test(at_most_2000_lines_are_kept),
        cmocka_unit_test(any_order_of_acts_gives_what_a_model_that_forgets_nothing_gives),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
