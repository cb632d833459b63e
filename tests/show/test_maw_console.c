/* What the operator of a MAW session types, and what is answered. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "show/maw_console.h"
#include "show/maw_course.h"

typedef struct Desk {
    MawTable *table;
    MawConsole *console;
    Buf said;
    unsigned quits;
} Desk;

static void on_say(void *user, Str line)
{
    Desk *desk = user;

    buf_add(&desk->said, line);
    buf_add_char(&desk->said, '\n');
}

static void on_quit(void *user, TimeUs now)
{
    (void)now;
    ((Desk *)user)->quits++;
}

static int open_desk(void **state, uint32_t rounds)
{
    Desk *desk = mem_new(sizeof(*desk));
    Ruleset rules;
    MawTableSetup setup = {.rules = &rules,
                           .options = maw_options_default(),
                           .id = STR("t"),
                           .domain = STR("maw.test"),
                           .chance = maw_chance_of_seed(1)};
    MawConsoleSetup console = {.say = on_say, .quit = on_quit, .user = desk};

    if (!desk || ruleset_preset(STR("maw"), &rules, NULL))
        return -1;
    setup.options.players = 3;
    setup.options.rounds = rounds;
    if (maw_table_new(&setup, &desk->table, NULL))
        return -1;
    console.table = desk->table;
    *state = desk;
    return maw_console_new(NULL, 0, &console, &desk->console, NULL);
}

static int desk_setup(void **state)
{
    return open_desk(state, 1);
}

static int two_rounds_setup(void **state)
{
    return open_desk(state, 2);
}

static int desk_teardown(void **state)
{
    Desk *desk = *state;

    maw_console_free(desk->console);
    maw_table_free(desk->table);
    buf_done(&desk->said);
    mem_free(desk);
    return 0;
}

static void join(Desk *desk, const char *name)
{
    CLEANUP(buf_done) Buf body = {0}, jid = {0};

    buf_printf(&body, "{\"type\":\"join_lobby\",\"player_name\":\"%s\"}", name);
    buf_printf(&jid, "%s@example.org", name);
    MawStanza stanza = {.from = buf_str(&jid),
                        .to = STR("gm@maw.test"),
                        .id = buf_str(&jid),
                        .type = STANZA_CHAT,
                        .act = ACT_REQUEST,
                        .has_body = true,
                        .body = buf_str(&body)};
    maw_session_receive(maw_table_session(desk->table), &stanza, maw_table_now(desk->table));
}

static void begin(Desk *desk)
{
    join(desk, "Ann");
    join(desk, "Bob");
    join(desk, "Cyd");
    assert_int_equal(maw_session_state(maw_table_session(desk->table)), MAW_DAY);
}

/* What is answered to a line. */
static const char *answer(Desk *desk, const char *line)
{
    buf_clear(&desk->said);
    maw_console_entered(desk->console, str_of(line), maw_table_now(desk->table));
    return buf_cstr(&desk->said);
}

static void assert_has(const char *text, const char *part)
{
    if (!strstr(text, part))
        fail_msg("'%s' is not in '%s'", part, text);
}

static void clocks_are_stopped_and_go_on(void **state)
{
    Desk *desk = *state;
    const MawSession *session = maw_table_session(desk->table);

    begin(desk);
    assert_has(answer(desk, "/resume"), "you have not paused it");
    assert_has(answer(desk, "  /pause "), "paused: clocks stand still");
    assert_true(maw_session_paused(session));
    assert_has(answer(desk, "/pause"), "you have paused it already");
    assert_has(answer(desk, "/end"), "/end: the game is paused");
    assert_has(answer(desk, "/resume"), "the game goes on");
    assert_false(maw_session_paused(session));
    maw_session_link(maw_table_session(desk->table), false, 0);
    maw_session_tick(maw_table_session(desk->table), 10000000);
    answer(desk, "/pause");
    assert_has(answer(desk, "/resume"), "when the XMPP server is back");
}

static void a_phase_is_extended_and_ended(void **state)
{
    Desk *desk = *state;
    const MawSession *session = maw_table_session(desk->table);

    assert_has(answer(desk, "/extend 60"), "no phase is going on");
    assert_has(answer(desk, "/end"), "no phase is going on");
    begin(desk);
    assert_has(answer(desk, "/extend 60"), "360 seconds left");
    assert_has(answer(desk, "/extend 2m"), "480 seconds left");
    assert_int_equal(maw_session_left(session), 480000);
    assert_has(answer(desk, "/extend"), "/extend: expected SECONDS");
    assert_has(answer(desk, "/extend 0"), "expected seconds");
    assert_has(answer(desk, "/extend -5"), "expected seconds");
    assert_has(answer(desk, "/extend 99999999999999999999"), "expected seconds");
    assert_has(answer(desk, "/extend 48h"), "at most a day");
    assert_int_equal(maw_session_left(session), 480000);
    assert_has(answer(desk, "/end"), "the phase is ended");
    assert_int_equal(maw_session_state(session), MAW_NIGHT);
}

static void players_are_listed_and_kicked(void **state)
{
    Desk *desk = *state;

    assert_has(answer(desk, "/who"), "The lobby is open.");
    begin(desk);
    assert_has(answer(desk, "/who"), "Round 1, day, 300 seconds left.");
    assert_has(buf_cstr(&desk->said), "Werewolf");
    assert_has(buf_cstr(&desk->said), "guest");
    assert_has(answer(desk, "/kick Annn"), "nobody is called 'Annn'; did you mean Ann?");
    assert_has(answer(desk, "/kick Zacharias"), "/who lists them");
    answer(desk, "/pause");
    assert_has(answer(desk, "/kick Ann"), "Ann is removed when the game goes on");
    assert_has(answer(desk, "/kick Ann"), "Ann is gone already");
    answer(desk, "/resume");
    assert_has(answer(desk, "/who"), "dead");
}

/* With the only wolf gone the round is over: nobody has a role, and who is left is there. */
static void between_rounds_nobody_has_a_role(void **state)
{
    static const char *const commands[][2] = {
        {"/kick ann", "Ann"}, {"/kick BOB", "Bob"}, {"/kick cYD", "Cyd"}};
    Desk *desk = *state;
    MawStanding standing;
    unsigned wolf = 3;

    begin(desk);
    for (uint32_t i = 0; maw_session_standing(maw_table_session(desk->table), i, &standing); i++)
        for (unsigned c = 0; c < 3 && standing.role == ROLE_WEREWOLF; c++)
            wolf = str_eq(standing.name, str_of(commands[c][1])) ? c : wolf;
    assert_true(wolf < 3);
    assert_has(answer(desk, commands[wolf][0]), commands[wolf][1]);
    assert_has(buf_cstr(&desk->said), "is removed");
    assert_has(answer(desk, commands[wolf][0]), "is gone already");
    assert_has(answer(desk, "/who"), "The lobby is open.");
    assert_null(strstr(buf_cstr(&desk->said), "Werewolf"));
    assert_null(strstr(buf_cstr(&desk->said), "Villager"));
    assert_null(strstr(buf_cstr(&desk->said), "dead"));
    assert_has(buf_cstr(&desk->said), "gone");
    assert_has(buf_cstr(&desk->said), "there");
}

static void what_is_no_command_is_explained(void **state)
{
    Desk *desk = *state;

    assert_string_equal(answer(desk, "   "), "");
    assert_has(answer(desk, "hello all"), "'hello' is no command; /help lists them");
    assert_has(answer(desk, "/paus"), "did you mean /pause?");
    assert_has(answer(desk, "/quit now"), "/quit takes no value");
    assert_int_equal(desk->quits, 0);
    assert_has(answer(desk, "/help"), "/extend SECONDS");
    answer(desk, "/quit");
    assert_int_equal(desk->quits, 1);
    assert_null(maw_console_free(NULL));
}

/* Others than the operator hear it as lines of the lobby. */
static void who_comes_and_who_is_waited_for_is_in_the_course(void **state)
{
#define LOBBY_LINE(text)                                                                           \
    "{\"t_ms\":61000,\"event\":\"line\",\"room\":\"Lobby\",\"text\":\"" text "\"}"
    static const struct {
        const char *event;
        bool comings;
        const char *shown;
    } rows[] = {
        {LOBBY_LINE("Ann has joined: 1 of 3."), true, "  1:01  Ann has joined: 1 of 3.\n"},
        {LOBBY_LINE("Ann has joined: 1 of 3."), false, ""},
        {LOBBY_LINE("Ann が去りました (0/3人)。"), true, "  1:01  Ann has left: 0 of 3.\n"},
        {LOBBY_LINE("Waiting for players: 1 of 3 seats free."), false,
         "  1:01  Waiting for players: 1 of 3 seats free.\n"},
        {LOBBY_LINE("Nobody was executed."), true, ""},
        {LOBBY_LINE("Hello."), true, ""},
        {"{\"event\":\"line\",\"room\":\"Lobby\",\"name\":\"Ann\",\"text\":\"Bo has left: 1 of "
         "3.\"}",
         true, ""},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        CLEANUP(buf_done) Buf shown = {0};
        maw_course(NULL, str_of(rows[i].event), rows[i].comings, false, &shown);
        assert_string_equal(buf_cstr(&shown), rows[i].shown);
    }
}

#define desk_test(name) cmocka_unit_test_setup_teardown(name, desk_setup, desk_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        desk_test(clocks_are_stopped_and_go_on),
        desk_test(a_phase_is_extended_and_ended),
        desk_test(players_are_listed_and_kicked),
        cmocka_unit_test_setup_teardown(between_rounds_nobody_has_a_role, two_rounds_setup,
                                        desk_teardown),
        cmocka_unit_test(who_comes_and_who_is_waited_for_is_in_the_course),
        desk_test(what_is_no_command_is_explained),
    };

    return cmocka_run_group_tests_name("the operator's console", tests, NULL, NULL);
}
