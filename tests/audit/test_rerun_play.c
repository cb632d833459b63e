/* test_rerun_play.c - a program that is given scripts, in simulated time: what it is sent when, and
 * what is said of one that answers otherwise, late, not at all, or too much. tests/e2e/rerun.sh
 * does it with real programs. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "audit/rerun_play.h"

#include <string.h>

#define SECOND ((TimeUs)1000 * 1000)

typedef struct Fake {
    Alarms alarms;
    TimeUs now;
    const ProgramEars *ears;
    void *listener;
    AiwolfAgent *agent;
    Alarm comes, says, ends;
    bool never_comes;
    bool silent; /* from the second request on */
    bool chatty; /* one more line comes with its first answer */
    const char *answer;
    unsigned requests;
    bool runs;
    Buf sent; /* first letters of what it was sent; '.' where an answer of it came */
    RerunScript scripts[2];
    unsigned given;
    unsigned games;
    bool over;
    RerunPlay *play;
} Fake;

/* ---- its program ---- */

static void link_send_bytes(void *peer, Str bytes)
{
    Fake *fake = peer;

    buf_add_char(&fake->sent, bytes.bytes[0]);
    if (bytes.bytes[0] == '{') /* NAME, which is the wire's own */
        alarm_at(&fake->says, fake->now + 1, false);
    if (bytes.bytes[0] != 'a')
        return;
    fake->requests++;
    if (!fake->silent || fake->requests < 2)
        alarm_at(&fake->says, fake->now + 2 * SECOND, false);
}

static void link_is_closed(void *peer)
{
    Fake *fake = peer;

    fake->agent = NULL;
    alarm_stop(&fake->says);
    alarm_at(&fake->ends, fake->now + SECOND, false);
}

static bool link_has_another_line(void *peer)
{
    const Fake *fake = peer;

    return fake->chatty && fake->requests == 1;
}

static const LinkKind fake_link = {
    .send = link_send_bytes, .close = link_is_closed, .has_more = link_has_another_line};

static void fake_describes(const ProgramCall *call, Buf *out)
{
    (void)call;
    (void)out;
}

static void fake_comes(void *user, TimeUs now)
{
    Fake *fake = user;
    const ProgramCall call = {true, fake_describes};

    fake->now = now;
    fake->agent = fake->ears->called(fake->listener, &call, now);
    assert_non_null(fake->agent);
    aiwolf_agent_open(fake->agent, (Link){&fake_link, fake}, now);
}

static void fake_says(void *user, TimeUs now)
{
    Fake *fake = user;

    fake->now = now;
    buf_add_char(&fake->sent, '.');
    aiwolf_agent_ears.heard(fake->agent, str_of(fake->requests ? fake->answer : "ann"), now, now);
}

static void fake_ends(void *user, TimeUs now)
{
    Fake *fake = user;
    const ChildEnd how = {.status = 3, .asked = fake->never_comes};

    fake->now = now;
    fake->runs = false;
    fake->ears->ended(fake->listener, how, now);
}

static int program_start(void *door, const ProgramPlan *plan, const ProgramEars *ears, void *user,
                         void **ret_program, Err *err)
{
    Fake *fake = door;

    (void)err;
    assert_string_equal(plan->command, "a command");
    fake->ears = ears;
    fake->listener = user;
    fake->runs = true;
    alarm_init(&fake->comes, &fake->alarms, fake_comes, fake);
    alarm_init(&fake->says, &fake->alarms, fake_says, fake);
    alarm_init(&fake->ends, &fake->alarms, fake_ends, fake);
    if (!fake->never_comes)
        alarm_at(&fake->comes, fake->now + SECOND, false);
    *ret_program = fake;
    return 0;
}

static void program_nothing(void *program)
{
    (void)program;
}

static void program_stop(void *program)
{
    Fake *fake = program;

    alarm_at(&fake->ends, fake->now + SECOND, false);
}

static bool program_look(void *program, RunQueueLook *ret_look)
{
    (void)program;
    (void)ret_look;
    return false;
}

static Str program_last_lines(const void *program)
{
    (void)program;
    return STR("its last line");
}

static const ProgramKind fake_programs = {program_start,   program_nothing, program_stop,
                                          program_nothing, program_look,    program_last_lines,
                                          program_nothing};

/* ---- scripts ---- */

static void add_step(RerunScript *script, const char *packet, bool compared, const char *answer)
{
    const RerunStep step = {.at = script->texts.len,
                            .bytes = strlen(packet),
                            .answer_bytes = strlen(answer),
                            .asks = packet[0] == 'a',
                            .compared = compared,
                            .kind = ASK_TALK,
                            .day = 1,
                            .line = 2 + (unsigned)(script->steps.len / sizeof(RerunStep))};

    buf_add(&script->texts, str_of(packet));
    buf_add(&script->texts, str_of(answer));
    buf_add(&script->steps, (Str){(const char *)&step, sizeof(step)});
}

/* INITIALIZE, two requests, FINISH. */
static void fill_game(RerunScript *script)
{
    add_step(script, "i\n", false, "");
    add_step(script, "a\n", true, "Skip");
    add_step(script, "a\n", true, "Skip");
    add_step(script, "f\n", false, "");
}

static bool give_game(void *user, RerunScript *script)
{
    Fake *fake = user;

    if (fake->given == fake->games)
        return false;
    const RerunScript spare = *script;
    *script = fake->scripts[fake->given];
    fake->scripts[fake->given++] = spare;
    return true;
}

static void be_over(void *user)
{
    ((Fake *)user)->over = true;
}

/* Plays to the end, and says what differed. */
static RerunDifference play_to_end(Fake *fake)
{
    const RerunPlaySetup setup = {.door = {&fake_programs, fake},
                                  .alarms = &fake->alarms,
                                  .plan = {.name = "ann", .command = "a command"},
                                  .next_game = give_game,
                                  .over = be_over,
                                  .user = fake};

    assert_int_equal(rerun_play_new(&setup, fake->now, &fake->play, NULL), 0);
    while (!fake->over)
        assert_true(alarms_play(&fake->alarms, &fake->now));
    assert_false(fake->runs);
    return *rerun_play_difference(fake->play);
}

static void fake_done(Fake *fake)
{
    rerun_play_free(fake->play);
    assert_int_equal(alarms_next(&fake->alarms), TIME_US_NEVER);
    rerun_script_done(&fake->scripts[0]);
    rerun_script_done(&fake->scripts[1]);
    buf_done(&fake->sent);
}

/* ---- tests ---- */

static void the_same_answers_are_counted(void **state)
{
    Fake fake = {.answer = "Skip", .games = 2};

    (void)state;
    fill_game(&fake.scripts[0]);
    fill_game(&fake.scripts[1]);
    assert_false(play_to_end(&fake).found);
    assert_int_equal(rerun_play_answers(fake.play), 4);
    assert_string_equal(buf_cstr(&fake.sent), "{.ia.a.fia.a.f");
    fake_done(&fake);
}

static void another_answer_is_shown_with_its_line(void **state)
{
    Fake fake = {.answer = "Over", .games = 1};

    (void)state;
    fill_game(&fake.scripts[0]);
    const RerunDifference found = play_to_end(&fake);
    assert_true(found.found && found.came && !found.lapse);
    assert_int_equal(found.line, 3);
    assert_string_equal(found.recorded, "Skip");
    assert_string_equal(found.given, "Over");
    assert_string_equal(buf_cstr(&fake.sent), "{.ia.");
    fake_done(&fake);
}

static void no_answer_within_the_limit_is_a_difference(void **state)
{
    Fake fake = {.answer = "Skip", .games = 1, .silent = true};

    (void)state;
    fill_game(&fake.scripts[0]);
    const RerunDifference found = play_to_end(&fake);
    assert_true(found.found && found.came && found.lapse);
    assert_int_equal(found.line, 4);
    assert_string_equal(found.given, "no answer within 60 s");
    assert_int_equal(rerun_play_answers(fake.play), 1);
    assert_in_range(fake.now, 60 * SECOND, 70 * SECOND);
    fake_done(&fake);
}

static void a_program_that_does_not_come_is_told_of(void **state)
{
    Fake fake = {.games = 1, .never_comes = true};

    (void)state;
    fill_game(&fake.scripts[0]);
    const RerunDifference found = play_to_end(&fake);
    assert_true(found.found && !found.came);
    assert_string_equal(found.given, "it did not connect and say its name within 60 s");
    fake_done(&fake);
}

static void a_line_too_many_is_a_difference(void **state)
{
    Fake fake = {.answer = "Skip", .games = 1, .chatty = true};

    (void)state;
    fill_game(&fake.scripts[0]);
    const RerunDifference found = play_to_end(&fake);
    assert_true(found.found && found.lapse);
    assert_int_equal(found.line, 3);
    assert_string_equal(found.given, "a line too early, or one too many: Skip");
    fake_done(&fake);
}

static void what_the_end_of_a_game_cut_off_is_not_compared_but_waited_for(void **state)
{
    Fake fake = {.answer = "Skip", .games = 2};

    (void)state;
    add_step(&fake.scripts[0], "a\n", false, "");
    add_step(&fake.scripts[0], "f\n", false, "");
    fill_game(&fake.scripts[1]);
    assert_false(play_to_end(&fake).found);
    assert_int_equal(rerun_play_answers(fake.play), 2);
    assert_string_equal(buf_cstr(&fake.sent), "{.af.ia.a.f");
    fake_done(&fake);
}

static void behind_a_failure_nothing_is_sent(void **state)
{
    Fake fake = {.answer = "Skip", .games = 2};

    (void)state;
    add_step(&fake.scripts[0], "i\n", false, "");
    add_step(&fake.scripts[0], "a\n", true, "Skip");
    fake.scripts[0].breaks = true;
    fill_game(&fake.scripts[1]);
    assert_false(play_to_end(&fake).found);
    assert_string_equal(buf_cstr(&fake.sent), "{.ia.");
    assert_int_equal(fake.given, 1);
    fake_done(&fake);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_same_answers_are_counted),
        cmocka_unit_test(another_answer_is_shown_with_its_line),
        cmocka_unit_test(no_answer_within_the_limit_is_a_difference),
        cmocka_unit_test(a_program_that_does_not_come_is_told_of),
        cmocka_unit_test(a_line_too_many_is_a_difference),
        cmocka_unit_test(what_the_end_of_a_game_cut_off_is_not_compared_but_waited_for),
        cmocka_unit_test(behind_a_failure_nothing_is_sent),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
