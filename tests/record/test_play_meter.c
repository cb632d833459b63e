/* test_play_meter.c - how seats play: counted by hand, and in logs of contests. That a game's
 * events and its log give the same: tests/referee, tests/maw. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "record/claim_words.h"
#include "record/game_recorder.h"
#include "record/log_result.h"
#include "record/logs.h"

#define MUST_BE(play, ...)                                                                         \
    assert_memory_equal(&(play), (&(SeatPlay){.of = {__VA_ARGS__}}), sizeof(SeatPlay))

static GameResult result_of(Str text)
{
    CLEANUP(log_game_done) LogGame log = {0};
    GameResult result = {0};
    Err err = {0};

    if (log_game_read(text, &log, &err) || log_result(&log, &result, &err))
        fail_msg("%s", err.msg);
    return result;
}

/* ---- by hand ---- */

/* Day 1: 1, 2 and 6 vote for the wolf 5; it votes for the seer 3, who claims in vain; 4, its mate,
 * votes for 5 and is the only wolf from then on. Day 2: a first ballot ends in a tie; by the second
 * one 2 is executed. The wolf 4 has 3, whom it attacked, claims to be the seer, and votes for
 * itself, by rules that allow it. Day 3: 1 and 4 vote for each other, nobody is executed, and 1
 * dies by night. */
static const char by_hand[] = "0,status,1,VILLAGER,ALIVE,a\n0,status,2,MEDIUM,ALIVE,b\n"
                              "0,status,3,SEER,ALIVE,c\n0,status,4,WEREWOLF,ALIVE,d\n"
                              "0,status,5,WEREWOLF,ALIVE,e\n0,status,6,POSSESSED,ALIVE,f\n"
                              "1,status,1,VILLAGER,ALIVE,a\n1,status,2,MEDIUM,ALIVE,b\n"
                              "1,status,3,SEER,ALIVE,c\n1,status,4,WEREWOLF,ALIVE,d\n"
                              "1,status,5,WEREWOLF,ALIVE,e\n1,status,6,POSSESSED,ALIVE,f\n"
                              "1,talk,0,0,3,COMINGOUT Agent[03] SEER\n"
                              "1,talk,1,0,6,AND (COMINGOUT Agent[06] SEER) (VOTE Agent[03])\n"
                              "1,talk,2,0,1,COMINGOUT Agent[03] SEER\n"
                              "1,talk,3,0,2,NOT (COMINGOUT Agent[02] MEDIUM)\n"
                              "1,whisper,0,0,4,COMINGOUT Agent[04] VILLAGER\n"
                              "1,vote,1,5\n1,vote,2,5\n1,vote,3,6\n1,vote,4,5\n1,vote,5,3\n"
                              "1,vote,6,5\n1,execute,5,WEREWOLF\n1,attackVote,4,3\n"
                              "1,attack,3,true\n"
                              "2,status,1,VILLAGER,ALIVE,a\n2,status,2,MEDIUM,ALIVE,b\n"
                              "2,status,3,SEER,DEAD,c\n2,status,4,WEREWOLF,ALIVE,d\n"
                              "2,status,5,WEREWOLF,DEAD,e\n2,status,6,POSSESSED,ALIVE,f\n"
                              "2,talk,0,0,4,COMINGOUT Agent[04] SEER\n"
                              "2,talk,1,0,4,COMINGOUT Agent[04] WEREWOLF\n"
                              "2,vote,1,4\n2,vote,2,4\n2,vote,4,2\n2,vote,6,2\n"
                              "2,vote,1,2\n2,vote,2,4\n2,vote,4,4\n2,vote,6,2\n"
                              "2,execute,2,MEDIUM\n2,attackVote,4,1\n2,attack,1,false\n"
                              "3,status,1,VILLAGER,ALIVE,a\n3,status,2,MEDIUM,DEAD,b\n"
                              "3,status,3,SEER,DEAD,c\n3,status,4,WEREWOLF,ALIVE,d\n"
                              "3,status,5,WEREWOLF,DEAD,e\n3,status,6,POSSESSED,ALIVE,f\n"
                              "3,vote,1,4\n3,vote,4,1\n3,attackVote,4,1\n3,attack,1,true\n"
                              "4,status,1,VILLAGER,DEAD,a\n4,status,2,MEDIUM,DEAD,b\n"
                              "4,status,3,SEER,DEAD,c\n4,status,4,WEREWOLF,ALIVE,d\n"
                              "4,status,5,WEREWOLF,DEAD,e\n4,status,6,POSSESSED,ALIVE,f\n";

static void a_game_is_counted_as_by_hand(void **state)
{
    CLEANUP(buf_done) Buf text = {0};

    (void)state;
    buf_printf(&text, "%s4,result,1,1,WEREWOLF\n", by_hand);
    const GameResult result = result_of(buf_str(&text));
    assert_true(result.has_play);
    /* votes, for wolves, with a mate, on wolves' days, hits, executions, wolves', first, first
     * wolf's, survived, true and false claims */
    MUST_BE(result.play[1], 3, 2, 0, 1, 1, 2, 1, 1, 1, 0, 0, 0);
    MUST_BE(result.play[2], 2, 2, 0, 1, 1, 2, 1, 1, 1, 0, 0, 0);
    MUST_BE(result.play[3], 1, 0, 0, 1, 0, 1, 1, 1, 1, 0, 1, 0);
    MUST_BE(result.play[4], 3, 1, 1, 1, 1, 2, 1, 1, 1, 1, 1, 1);
    MUST_BE(result.play[5], 1, 0, 1, 1, 0, 1, 1, 1, 1, 0, 0, 0);
    MUST_BE(result.play[6], 2, 1, 0, 1, 1, 2, 1, 1, 1, 1, 0, 1);
}

static void a_game_without_a_winner_has_no_measures(void **state)
{
    CLEANUP(buf_done) Buf text = {0};

    (void)state;
    buf_printf(&text, "%s4,result,1,1,NONE\n", by_hand);
    assert_false(result_of(buf_str(&text)).has_play);
}

static void nothing_is_told_before_the_end(void **state)
{
    CLEANUP(game_recorder_done) GameRecorder recorder = {0};
    const Recorder listener = game_recorder_listener(&recorder);
    const SeatPlay none = {0};
    const GameResult *result = &recorder.record.result;
    const Event events[] = {{.kind = EVENT_ROLE, .seat = 1, .role = ROLE_VILLAGER},
                            {.kind = EVENT_ROLE, .seat = 2, .role = ROLE_WEREWOLF},
                            {.kind = EVENT_VOTE, .day = 1, .seat = 1, .target = 2},
                            {.kind = EVENT_EXECUTE, .day = 1, .seat = 2}};
    const Event end = {.kind = EVENT_END, .day = 2, .winner = SIDE_VILLAGER, .reason = END_WIN};

    (void)state;
    game_recorder_begin(&recorder, 2, false);
    for (size_t i = 0; i < sizeof(events) / sizeof(events[0]); i++) {
        listener.event(listener.user, &events[i]);
        assert_false(result->has_play);
        assert_memory_equal(&result->play[1], &none, sizeof(none));
    }
    listener.event(listener.user, &end);
    assert_true(result->has_play);
    MUST_BE(result->play[1], 1, 1, 0, 1, 1, 1, 1, 1, 1, 1, 0, 0);
    game_recorder_begin(&recorder, 2, false);
    assert_false(result->has_play);
}

/* ---- claims in words ---- */

#define A(role) ((RoleSet)1 << (role))

static void claims_are_heard_in_so_many_words(void **state)
{
    static const struct {
        const char *text;
        RoleSet roles;
    } cases[] = {
        {"I am the Seer.", A(ROLE_SEER)},
        {"i'm a villager", A(ROLE_VILLAGER)},
        {"Good morning. I’m the MEDIUM! I looked at Bob.", A(ROLE_MEDIUM)},
        {"My role is bodyguard.", A(ROLE_BODYGUARD)},
        {"I am the Seer: Bob is a werewolf.", A(ROLE_SEER)},
        {"I am a villager. I am the seer.", A(ROLE_VILLAGER) | A(ROLE_SEER)},
        {"私は占い師です。", A(ROLE_SEER)},
        {"おはよう！僕は村人だよ。", A(ROLE_VILLAGER)},
        {"私の役職は霊媒師です", A(ROLE_MEDIUM)},
        {"占い師COします。", A(ROLE_SEER)},
        {"騎士CO", A(ROLE_BODYGUARD)},
        {"", 0},
        {"I am the Seer?", 0},
        {"I am not the Seer.", 0},
        {"No, I am the Seer.", 0},
        {"If I am the Seer, Bob is a wolf.", 0},
        {"Bob said: I am the Seer.", 0},
        {"I am the Seer and Bob is a wolf.", 0}, /* missed, and not invented */
        {"I am seeing wolves.", 0},
        {"You are the Seer.", 0},
        {"占い師です。", 0}, /* who? */
        {"ボブは占い師です。", 0},
        {"私は占い師ですか？", 0},
        {"私は占い師ではありません。", 0},
        {"私は占い師が本物だと思う。", 0},
        {"\xE3\x80", 0},
        {"...!?", 0},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
        if (claim_words_roles(str_of(cases[i].text)) != cases[i].roles)
            fail_msg("'%s' claims %x", cases[i].text, claim_words_roles(str_of(cases[i].text)));
}

/* ---- logs of contests ---- */

/* Counted in another way than by the meter: the last ballots of each day, line by line. */
static void count_ballots(const LogGame *log, unsigned *ret_votes, unsigned *ret_executions)
{
    SeatSet voted = 0;

    *ret_votes = *ret_executions = 0;
    for (size_t i = 0; i < log->count; i++) {
        const LogLine *line = &log->lines[i];
        if (line->kind == LOG_STATUS)
            voted = 0;
        if (line->kind == LOG_VOTE && line->target != SEAT_NONE && !seat_in(voted, line->seat)) {
            ++*ret_votes;
            voted |= seat_bit(line->seat);
        }
        *ret_executions += line->kind == LOG_EXECUTE;
    }
}

static void check_contest_log(const char *path)
{
    CLEANUP(buf_done) Buf text = {0};
    CLEANUP(log_game_done) LogGame log = {0};
    GameResult result = {0};
    unsigned votes, executions, sum = 0, most = 0, alive = 0, survived = 0;

    assert_int_equal(log_file_read(path, LOG_TEXT_BYTES_MAX, &text, NULL), 0);
    if (log_game_read(buf_str(&text), &log, NULL) || log_result(&log, &result, NULL))
        return; /* other tests say which can be read */
    if (!result.has_play)
        return;
    count_ballots(&log, &votes, &executions);
    for (SeatNo seat = 1; seat <= log.seat_count; seat++) {
        const uint16_t *of = result.play[seat].of;
        assert_true(seat_play_possible(&result.play[seat]));
        sum += of[PLAY_VOTES];
        most = of[PLAY_EXECUTIONS] > most ? of[PLAY_EXECUTIONS] : most;
        survived += of[PLAY_SURVIVED];
    }
    for (size_t i = log.count; i-- > 0 && alive == 0;)
        if (log.lines[i].kind == LOG_STATUS)
            for (SeatNo seat = 0; seat < log.seat_count && i >= seat; seat++)
                alive += log.lines[i - seat].kind == LOG_STATUS && log.lines[i - seat].alive;
    if (sum != votes || most != executions || survived != alive)
        fail_msg("%s: %u votes, %u executions, %u alive; counted %u, %u, %u", path, votes,
                 executions, alive, sum, most, survived);
}

static void logs_of_contests_add_up(void **state)
{
    static const char *const folders[] = {"aiwolf-logs", "nlp-logs"};

    (void)state;
    for (size_t f = 0; f < 2; f++) {
        CLEANUP(log_list_done) LogList list = {0};
        assert_int_equal(logs_list(&list, folders[f], NULL), 0);
        assert_true(list.count > 5);
        for (size_t i = 0; i < list.count; i++)
            check_contest_log(list.paths[i]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_game_is_counted_as_by_hand),
        cmocka_unit_test(a_game_without_a_winner_has_no_measures),
        cmocka_unit_test(nothing_is_told_before_the_end),
        cmocka_unit_test(claims_are_heard_in_so_many_words),
        cmocka_unit_test(logs_of_contests_add_up),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
