#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "record/log_check.h"
#include "record/log_known.h"
#include "record/logs.h"

typedef struct Known {
    LogGame log;
    SeatSet *guess;
    SeatSet *replay;
} Known;

static void know(Str text, Known *known)
{
    Err err = {0};

    if (log_game_read(text, &known->log, &err))
        fail_msg("%s", err.msg);
    known->guess = mem_new((known->log.count + 1) * sizeof(SeatSet));
    known->replay = mem_new((known->log.count + 1) * sizeof(SeatSet));
    log_known_guess(&known->log, known->guess);
    assert_int_equal(log_known(text, &known->log, known->replay, NULL), 0);
}

static void known_done(Known *known)
{
    log_game_done(&known->log);
    known->guess = mem_free(known->guess);
    known->replay = mem_free(known->replay);
}

/* What is known by role alone is what the game tells, but of executions: of them only actors that
 * still live are told at once; where the executed live until the morning, that one too. */
static void guesses_are_what_replays_tell(void **state)
{
    CLEANUP(log_list_done) LogList list = {0};
    CLEANUP(buf_done) Buf text = {0};
    size_t lines = 0;

    (void)state;
    assert_int_equal(logs_list(&list, "aiwolf-logs", NULL), 0);
    for (size_t i = 0; i < list.count; i++) {
        LogVerdict verdict;
        Known known = {0};
        buf_clear(&text);
        assert_int_equal(log_file_read(list.paths[i], LOG_TEXT_BYTES_MAX, &text, NULL), 0);
        assert_int_equal(log_check(buf_str(&text), NULL, &verdict, NULL), 0);
        know(buf_str(&text), &known);
        for (size_t k = 0; k < known.log.count && verdict.ok; k++) {
            const LogLine *line = &known.log.lines[k];
            bool execution = line->kind == LOG_EXECUTE;
            if (execution ? (known.replay[k] & ~(known.guess[k] | seat_bit(line->seat))) != 0
                          : known.replay[k] != known.guess[k])
                fail_msg("%s: line %zu: guess %x, replay %x", list.paths[i], k + 1, known.guess[k],
                         known.replay[k]);
            lines++;
        }
        known_done(&known);
    }
    assert_true(lines > 50000);
}

static const char five[] = "0,status,1,VILLAGER,ALIVE,a\n0,status,2,SEER,ALIVE,b\n"
                           "0,status,3,WEREWOLF,ALIVE,c\n0,status,4,POSSESSED,ALIVE,d\n"
                           "0,status,5,VILLAGER,ALIVE,e\n"
                           "0,divine,2,3,WEREWOLF\n0,divine,2,4,HUMAN\n" /* twice: no game does */
                           "0,whisper,0,0,3,Over\n1,execute,2,SEER\n1,attack,1,true\n";

static void of_a_log_that_no_game_wrote_roles_decide(void **state)
{
    static const SeatSet wanted[] = {0x3e, 0x3e, 0x3e, 0x3e, 0x3e, 0x04, 0x04, 0x08, 0x08, 0x08};
    Known known = {0};

    (void)state;
    know(str_of(five), &known);
    assert_int_equal(known.log.count, 10);
    for (size_t i = 0; i < known.log.count; i++)
        assert_int_equal(known.replay[i], wanted[i]);
    assert_int_equal(log_with_role(&known.log, ROLE_VILLAGER), 0x22);
    known_done(&known);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(guesses_are_what_replays_tell),
        cmocka_unit_test(of_a_log_that_no_game_wrote_roles_decide),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
