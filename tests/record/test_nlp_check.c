#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/rng.h"
#include "record/log_check.h"
#include "record/logs.h"
#include "record/nlp_json.h"
#include "record/nlp_log.h"

static LogVerdict judge_by(Str text, const Ruleset *rules)
{
    LogCheckOptions options = {.rules = rules};
    LogVerdict verdict;
    Err err = {0};

    if (log_check(text, &options, &verdict, &err))
        fail_msg("%s", err.msg);
    return verdict;
}

static LogVerdict judge(Str text)
{
    return judge_by(text, NULL);
}

static void assert_judged(Str text, const char *expected)
{
    LogVerdict verdict = judge(text);
    CLEANUP(buf_done) Buf printed = {0};

    log_verdict_print(&verdict, &printed);
    assert_string_equal(buf_cstr(&printed), expected);
}

/* ---- logs that others wrote ---- */

/* How many logs of a folder are ok, in turns and at any time; fails on one that is not. */
static void count_ok(const char *folder, size_t *ret_turns, size_t *ret_anytime)
{
    CLEANUP(log_list_done) LogList list = {0};
    CLEANUP(buf_done) Buf text = {0};

    *ret_turns = *ret_anytime = 0;
    assert_int_equal(logs_list(&list, folder, NULL), 0);
    for (size_t i = 0; i < list.count; i++) {
        buf_clear(&text);
        assert_int_equal(log_file_read(list.paths[i], LOG_TEXT_BYTES_MAX, &text, NULL), 0);
        LogVerdict verdict = judge(buf_str(&text));
        if (!verdict.ok || verdict.form != LOG_FORM_NLP)
            fail_msg("%s: line %u: %s", list.paths[i], verdict.line, verdict.reason);
        ++*(verdict.anytime ? ret_anytime : ret_turns);
    }
}

static void every_published_contest_log_is_ok(void **state)
{
    size_t turns, anytime;

    (void)state;
    count_ok("nlp-logs", &turns, &anytime);
    assert_int_equal(turns, 30);
    assert_int_equal(anytime, 3);
}

static void every_recorded_game_of_the_reference_is_ok(void **state)
{
    size_t turns, anytime;

    (void)state;
    count_ok("nlp-wire", &turns, &anytime);
    assert_int_equal(turns, 53);
    assert_int_equal(anytime, 11);
}

/* The log as the server of 2024 wrote it when no wolf named anybody: the attack stands alone. */
static void without_attack_votes(const char *name, Buf *out)
{
    CLEANUP(buf_done) Buf path = {0};
    CLEANUP(buf_done) Buf text = {0};

    buf_printf(&path, "%s/nlp-logs/%s", getenv("WARG_TEST_DATA"), name);
    assert_int_equal(log_file_read(buf_cstr(&path), LOG_TEXT_BYTES_MAX, &text, NULL), 0);
    for (Str rest = buf_str(&text); rest.len;) {
        Str line = str_cut(&rest, '\n');
        Str fields = line;

        str_cut(&fields, ',');
        if (str_starts(fields, STR("attackVote,")))
            continue;
        buf_add(out, line);
        buf_add_char(out, '\n');
    }
    assert_true(out->len < text.len);
}

static void an_attack_of_the_server_of_2024_needs_no_attack_votes(void **state)
{
    CLEANUP(buf_done) Buf old = {0};
    CLEANUP(buf_done) Buf later = {0};
    Ruleset rules;

    (void)state;
    without_attack_votes("nlp2025_1734125235.log", &old);
    assert_judged(buf_str(&old), "ok (natural-language, turn-based; server of 2024: attacks "
                                 "without attackVote lines)");
    assert_int_equal(judge(buf_str(&old)).differences, LOG_DIFF_NO_ATTACK_VOTES);
    /* Where rules are asked for, and for later servers, it is what it was. */
    assert_int_equal(ruleset_preset(STR("nlp-turn"), &rules, NULL), 0);
    assert_false(judge_by(buf_str(&old), &rules).ok);
    without_attack_votes("jsai2025_truck5_1746438728.log", &later);
    LogVerdict verdict = judge(buf_str(&later));
    assert_false(verdict.ok);
    assert_non_null(strstr(verdict.reason, "is attacked"));
}

/* A short session may be numbered in either way; in turns the order of speakers is drawn once. */
static void a_speak_anytime_game_is_named_so_although_its_turns_look_like_rounds(void **state)
{
    static const char head[] = "0,status,1,SEER,ALIVE,a1,A\n0,status,2,WEREWOLF,ALIVE,b1,B\n"
                               "0,status,3,VILLAGER,ALIVE,c1,C\n"
                               "0,talk,0,0,1,hello,1778646866\n0,talk,1,0,2,hi,1778646867\n"
                               "0,talk,2,0,3,hey,1778646868\n";
    static const char tail[] =
        "1,status,1,SEER,ALIVE,a1,A\n1,status,2,WEREWOLF,ALIVE,b1,B\n"
        "1,status,3,VILLAGER,ALIVE,c1,C\n1,vote,1,2\n1,vote,3,2\n1,execute,2,WEREWOLF\n"
        "2,status,1,SEER,ALIVE,a1,A\n2,status,2,WEREWOLF,DEAD,b1,B\n"
        "2,status,3,VILLAGER,ALIVE,c1,C\n2,result,2,0,VILLAGER\n";
    CLEANUP(buf_done) Buf turns = {0};
    CLEANUP(buf_done) Buf anytime = {0};

    (void)state;
    buf_printf(&turns,
               "%s0,talk,3,1,1,Over,1778646869\n0,talk,4,1,2,Over,1778646870\n"
               "0,talk,5,1,3,Over,1778646871\n%s",
               head, tail);
    buf_printf(&anytime,
               "%s0,talk,3,1,3,Over,1778646869\n0,talk,4,1,1,Over,1778646870\n"
               "0,talk,5,1,2,Over,1778646871\n%s",
               head, tail);
    assert_judged(buf_str(&turns), "ok (natural-language, turn-based)");
    assert_judged(buf_str(&anytime), "ok (natural-language, speak-anytime)");
}

/* ---- single changes of all those logs ---- */

/* A log, and the text of a changed one that is built anew for each change. */
typedef struct Mutant {
    LogGame log;
    Buf text;
    Buf changed;
    unsigned changes;
    const char *path;
} Mutant;

static void assert_noticed(Mutant *mutant, size_t at, const char *what)
{
    LogVerdict verdict = judge(buf_str(&mutant->changed));

    mutant->changes++;
    if (verdict.ok && !verdict.differences) /* a difference of an old server is told */
        fail_msg("%s: record %zu: %s is not noticed", mutant->path, at, what);
}

/* All records but the `count` from `at` on; in their place `instead`, when it is not empty. */
static void replace(Mutant *mutant, size_t at, size_t count, const char *instead)
{
    buf_clear(&mutant->changed);
    for (size_t i = 0; i < mutant->log.count; i++) {
        if (i == at && *instead)
            buf_printf(&mutant->changed, "%s\n", instead);
        if (i >= at && i < at + count)
            continue;
        buf_add(&mutant->changed, mutant->log.raws[i]);
        buf_add_char(&mutant->changed, '\n');
    }
}

/* Seats without a vote among those of the day, that live. */
static SeatNo unvoted(const LogGame *log, size_t execute, SeatSet alive)
{
    SeatSet voted = 0;

    for (size_t i = execute; i-- > 0 && log->lines[i].kind == LOG_VOTE;)
        voted |= seat_bit(log->lines[i].target);
    return alive & ~voted ? seat_first(alive & ~voted) : SEAT_NONE;
}

static void change_execution(Mutant *mutant, size_t at, SeatSet alive)
{
    const LogLine *line = &mutant->log.lines[at];
    SeatNo other = unvoted(&mutant->log, at, alive);
    char changed[64];

    if (other != SEAT_NONE) {
        snprintf(changed, sizeof(changed), "%u,execute,%u,%s", line->day, other,
                 role_name(mutant->log.roles[other]));
        replace(mutant, at, 1, changed);
        assert_noticed(mutant, at, "another executed");
    }
    replace(mutant, at, 1, "");
    assert_noticed(mutant, at, "an execution taken out");
}

static void change_vote(Mutant *mutant, size_t at, SeatSet alive)
{
    const LogLine *line = &mutant->log.lines[at];
    SeatSet dead = seat_all(mutant->log.seat_count) & ~alive;
    char changed[64];

    snprintf(changed, sizeof(changed), "%u,vote,%u,%u", line->day,
             dead ? seat_first(dead) : mutant->log.seat_count + 1u, line->target);
    replace(mutant, at, 1, changed);
    assert_noticed(mutant, at, "a vote by nobody alive");
}

static void change_attack(Mutant *mutant, size_t at)
{
    const LogLine *line = &mutant->log.lines[at];
    char changed[64];

    replace(mutant, at, 1, "");
    assert_noticed(mutant, at, "an attack taken out");
    if (line->target == SEAT_NONE)
        return;
    snprintf(changed, sizeof(changed), "%u,attack,%u,%s", line->day, line->target,
             line->killed ? "false" : "true");
    replace(mutant, at, 1, changed);
    assert_noticed(mutant, at, "an attack the other way");
}

static void change_result(Mutant *mutant, size_t at)
{
    const LogLine *line = &mutant->log.lines[at];
    Side other = line->winner == SIDE_VILLAGER ? SIDE_WEREWOLF : SIDE_VILLAGER;
    char changed[64];

    snprintf(changed, sizeof(changed), "%u,result,%u,%u,%s", line->day, line->humans + 1u,
             line->wolves, side_name((Side)line->winner));
    replace(mutant, at, 1, changed);
    assert_noticed(mutant, at, "one human more");
    snprintf(changed, sizeof(changed), "%u,result,%u,%u,%s", line->day, line->humans, line->wolves,
             side_name(other));
    replace(mutant, at, 1, changed);
    assert_noticed(mutant, at, "another winner");
    replace(mutant, at, 1, "");
    assert_noticed(mutant, at, "the result taken out");
}

static void change_divination(Mutant *mutant, size_t at)
{
    const LogLine *line = &mutant->log.lines[at];
    char changed[64];

    snprintf(changed, sizeof(changed), "%u,divine,%u,%u,%s", line->day, line->seat, line->target,
             line->species == SPECIES_HUMAN ? "WEREWOLF" : "HUMAN");
    replace(mutant, at, 1, changed);
    assert_noticed(mutant, at, "a false divination");
}

static void change_talk(Mutant *mutant, size_t at)
{
    const LogLine *next = &mutant->log.lines[at + 1];

    if (next->kind != mutant->log.lines[at].kind)
        return;
    replace(mutant, at, 1, "");
    assert_noticed(mutant, at, "an utterance taken out");
}

static void change_day(Mutant *mutant, size_t at)
{
    const LogLine *lines = mutant->log.lines;
    size_t count = 0;

    while (at + count < mutant->log.count && lines[at + count].day == lines[at].day)
        count++;
    replace(mutant, at, count, "");
    assert_noticed(mutant, at, "a day taken out");
    replace(mutant, at, 1, "");
    assert_noticed(mutant, at, "a status taken out");
}

static void change_all(Mutant *mutant)
{
    SeatSet alive = seat_all(mutant->log.seat_count);

    for (size_t i = 0; i < mutant->log.count; i++) {
        const LogLine *line = &mutant->log.lines[i];
        switch ((LogLineKind)line->kind) {
        case LOG_STATUS:
            alive = line->alive ? alive | seat_bit(line->seat) : alive & ~seat_bit(line->seat);
            if (line->seat == 1)
                change_day(mutant, i);
            break;
        case LOG_TALK:
        case LOG_WHISPER:
            change_talk(mutant, i);
            break;
        case LOG_VOTE:
            change_vote(mutant, i, alive);
            break;
        case LOG_EXECUTE:
            change_execution(mutant, i, alive);
            break;
        case LOG_DIVINE:
            change_divination(mutant, i);
            break;
        case LOG_ATTACK:
            change_attack(mutant, i);
            break;
        case LOG_RESULT:
            change_result(mutant, i);
            break;
        case LOG_GUARD:
        case LOG_ATTACK_VOTE:
        case LOG_KIND_COUNT:
            break;
        }
    }
}

static void changes_of_the_contest_logs_are_noticed(void **state)
{
    CLEANUP(log_list_done) LogList list = {0};
    unsigned changes = 0;

    (void)state;
    assert_int_equal(logs_list(&list, "nlp-logs", NULL), 0);
    for (size_t i = 0; i < list.count; i++) {
        Mutant mutant = {.path = list.paths[i]};
        assert_int_equal(log_file_read(list.paths[i], LOG_TEXT_BYTES_MAX, &mutant.text, NULL), 0);
        assert_int_equal(log_game_read(buf_str(&mutant.text), &mutant.log, NULL), 0);
        change_all(&mutant);
        changes += mutant.changes;
        log_game_done(&mutant.log);
        buf_done(&mutant.text);
        buf_done(&mutant.changed);
    }
    assert_true(changes > 4000);
}

/* ---- a short game ---- */

#define SEATS(day, third, fourth)                                                                  \
    day ",status,1,WEREWOLF,ALIVE,a1,Mio\n" day ",status,2,POSSESSED,ALIVE,b1,May\n" day           \
        ",status,3,SEER," third ",c1,Ken\n" day ",status,4,VILLAGER," fourth ",d1,Leo\n" day       \
        ",status,5,VILLAGER,ALIVE,e1,Ann\n"
#define DAY_0                                                                                      \
    SEATS("0", "ALIVE", "ALIVE")                                                                   \
    "0,talk,0,0,3,Hi, \"all\",1700000000\n0,talk,1,0,1,Over,1700000001\n0,divine,3,1,WEREWOLF\n"
#define DAY_1      SEATS("1", "ALIVE", "ALIVE")
#define VOTES      "1,vote,1,3\n1,vote,2,3\n1,vote,3,1\n1,vote,4,3\n1,vote,5,1\n1,execute,3,SEER\n"
#define NIGHT      "1,attackVote,1,4\n1,attack,4,true\n"
#define DAY_2      SEATS("2", "DEAD", "DEAD")
#define RESULT     "2,result,2,1,NONE\n"
#define OK_IN_TURN "ok (natural-language, turn-based)"

static void a_legal_game_is_ok(void **state)
{
    (void)state;
    assert_judged(STR(DAY_0 DAY_1 VOTES NIGHT DAY_2 RESULT), OK_IN_TURN); /* the last day allowed */
    assert_judged(STR(DAY_0 DAY_1 VOTES SEATS("2", "DEAD", "ALIVE") "2,result,3,1,NONE\n"),
                  OK_IN_TURN); /* aborted in the night */
    assert_judged(STR(DAY_0 DAY_1 "1,vote,1,3\n" SEATS("2", "ALIVE", "ALIVE") "2,result,4,1,NONE"),
                  OK_IN_TURN); /* aborted during the vote */
    assert_judged(STR(DAY_0 DAY_1
                      "1,vote,3,1\n1,vote,4,1\n1,execute,1,WEREWOLF\n"
                      "2,status,1,WEREWOLF,DEAD,a1,Mio\n2,status,2,POSSESSED,ALIVE,b1,May\n"
                      "2,status,3,SEER,ALIVE,c1,Ken\n2,status,4,VILLAGER,ALIVE,d1,Leo\n"
                      "2,status,5,VILLAGER,ALIVE,e1,Ann\n2,result,4,0,NONE\n"),
                  OK_IN_TURN); /* aborted by the execution that decided it: 4.4 */
    assert_judged(STR(DAY_0 DAY_1 "1,vote,5,1\n1,execute,1,WEREWOLF\n"
                                  "2,status,1,WEREWOLF,DEAD,a1,Mio\n"
                                  "2,status,2,POSSESSED,ALIVE,b1,May\n"
                                  "2,status,3,SEER,ALIVE,c1,Ken\n2,status,4,VILLAGER,ALIVE,d1,Leo\n"
                                  "2,status,5,VILLAGER,ALIVE,e1,Ann\n2,result,4,0,VILLAGER\n\n\n"),
                  OK_IN_TURN);
}

static void what_is_wrong_is_said_with_its_line(void **state)
{
    static const struct {
        const char *log;
        const char *expected;
    } cases[] = {
        {DAY_0 DAY_1 "1,talk,0,1,3,x,1700000009\n", "line 14: turn 1 follows turn 0"},
        {DAY_0 DAY_1 "1,talk,1,0,3,x,1700000009\n", "line 14: idx 1 instead of 0"},
        {DAY_0 DAY_1 "1,talk,0,0,6,x,1700000009\n", "line 14: there is no seat 6"},
        {DAY_0 DAY_1 "1,whisper,0,0,1,x,1700000009\n", "line 14: seat 1 has nobody to talk to"},
        {DAY_0 DAY_1 "1,whisper,0,0,2,x,1700000009\n",
         "line 14: seat 2 is no werewolf and whispers"},
        {DAY_0 DAY_1 "1,vote,1,3\n1,vote,2,3\n1,execute,1,WEREWOLF\n",
         "line 16: seat 1 is executed; most votes: 3"},
        {DAY_0 DAY_1 "1,vote,1,3\n1,vote,2,3\n1,vote,1,4\n1,execute,4,VILLAGER\n",
         "line 17: seat 4 is executed; most votes: 4"}, /* decided before */
        {DAY_0 DAY_1 "1,vote,1,3\n1,vote,2,4\n1,attack,-1,true\n1,vote,1,2\n",
         "line 17: a vote line can't stand here"},
        {DAY_0 DAY_1 "1,vote,1,3\n1,divine,3,1,WEREWOLF\n",
         "line 15: nobody is executed; most votes: 3"},
        {DAY_0 DAY_1 "1,execute,3,SEER\n", "line 14: seat 3 is executed; most votes: nobody"},
        {DAY_0 DAY_1 "1,vote,1,3\n1,execute,3,VILLAGER\n", "line 15: seat 3 is no VILLAGER"},
        {DAY_0 DAY_1 VOTES "1,divine,3,2,HUMAN\n", "line 20: seat 3 is dead and divines"},
        {DAY_0 DAY_1 VOTES "1,guard,4,2,POSSESSED\n", "line 20: seat 4 is no BODYGUARD"},
        {DAY_0 DAY_1 VOTES "1,attackVote,2,4\n",
         "line 20: seat 2 is no werewolf and votes for an attack"},
        {DAY_0 DAY_1 VOTES "1,attackVote,1,4\n1,attack,5,true\n",
         "line 21: seat 5 is attacked; most votes: 4"},
        {DAY_0 DAY_1 VOTES "1,attackVote,1,4\n1,attack,-1,true\n",
         "line 21: nobody is attacked; most votes: 4"},
        {DAY_0 DAY_1 VOTES "1,attackVote,1,4\n1,attack,4,false\n",
         "line 21: seat 4 is not guarded"},
        {DAY_0 DAY_1 VOTES SEATS("2", "DEAD", "ALIVE") "2,talk,0,0,1,x,1700000009\n",
         "line 25: the night of day 1 has no attack line"},
        {DAY_0 DAY_1 VOTES NIGHT DAY_1, "line 22: a status line can't stand here"},
        {DAY_0 DAY_1 VOTES NIGHT SEATS("3", "DEAD", "DEAD"),
         "line 22: a status line of day 2 is expected"},
        {DAY_0 DAY_1 VOTES NIGHT SEATS("2", "DEAD", "ALIVE"), "line 25: seat 4 is dead"},
        {DAY_0 DAY_1 VOTES NIGHT DAY_2 "2,result,3,1,NONE\n",
         "line 27: 2 humans and 1 werewolves live"},
        {DAY_0 DAY_1 VOTES NIGHT DAY_2 "2,result,2,1,WEREWOLF\n",
         "line 27: with 2 humans and 1 werewolves the winner is NONE"},
        {DAY_0 DAY_1 VOTES NIGHT DAY_2 RESULT "2,vote,1,5\n",
         "line 28: nothing stands behind the result"},
        {DAY_0 DAY_1 VOTES NIGHT DAY_2 RESULT "2,vote,1\n",
         "line 28: the line ends where the number of the target, 1..30 is expected"},
        {DAY_0 DAY_1 VOTES NIGHT DAY_2 "2,vote,1,5\n2,vote,2,5\n2,execute,5,VILLAGER\n"
                                       "2,attack,-1,true\n",
         "line 30: the game is over after the execution; a status line is expected"},
        {DAY_1 VOTES, "line 1: the first day is day 0"},
        {DAY_0 DAY_1 "1,talk,0,0,3,x,1700000009\n1,tal", /* grows the utterance */
         "truncated: the log stops on day 1, without a result line"},
        {DAY_0 DAY_1 VOTES, "truncated: the log stops on day 1, without a result line"},
        {"{\"agents\":[]}", "line 1: a JSON log is no evidence; check the game log beside it"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
        assert_judged(str_of(cases[i].log), cases[i].expected);
}

static void a_tie_is_followed_by_another_ballot_or_by_chance(void **state)
{
    /* 1 and 2 have two each; votes of a second ballot, where only higher seats voted at first */
    (void)state;
    assert_judged(STR(DAY_0 DAY_1 "1,vote,1,3\n1,vote,2,4\n1,execute,4,VILLAGER\n"
                                  "1,attackVote,1,3\n1,attack,3,true\n" DAY_2 RESULT),
                  OK_IN_TURN);
    assert_judged(STR(DAY_0 DAY_1 "1,vote,1,3\n1,vote,2,4\n1,vote,3,4\n1,vote,5,3\n"
                                  "1,vote,4,3\n1,execute,3,SEER\n" NIGHT DAY_2 RESULT),
                  OK_IN_TURN);
    /* The first two votes may be a ballot of their own, and the next two another one. */
    assert_judged(STR(DAY_0 DAY_1 "1,vote,1,3\n1,vote,2,4\n1,vote,4,3\n1,vote,5,3\n"
                                  "1,execute,3,SEER\n" NIGHT DAY_2 RESULT),
                  OK_IN_TURN);
    assert_judged(
        STR(DAY_0 DAY_1 "1,vote,1,3\n1,vote,2,4\n1,attackVote,1,3\n1,attack,3,true\n" SEATS(
            "2", "DEAD", "ALIVE") "2,result,3,1,NONE\n"),
        OK_IN_TURN); /* nobody voted in the last one */
}

static void an_errored_seat_stays_and_may_end_the_game(void **state)
{
    static const char log[] =
        DAY_0 DAY_1 VOTES "2,status,1,WEREWOLF,,a1,Mio\n2,status,2,POSSESSED,ALIVE,b1,May\n"
                          "2,status,3,SEER,DEAD,c1,Ken\n2,status,4,VILLAGER,ALIVE,d1,Leo\n"
                          "2,status,5,VILLAGER,ALIVE,e1,Ann\n";
    CLEANUP(buf_done) Buf text = {0};

    (void)state;
    buf_printf(&text, "%s2,result,3,1,NONE\n", log);
    assert_judged(buf_str(&text), OK_IN_TURN);
    buf_clear(&text);
    buf_printf(&text, "%s2,vote,2,4\n", log); /* its attack is missing, and that is right */
    assert_judged(buf_str(&text), "truncated: the log stops on day 2, without a result line");
}

static void a_ruleset_adds_its_limits_and_may_force_the_other_form(void **state)
{
    static const char log[] = DAY_0 DAY_1
        "1,vote,1,3\n1,vote,2,4\n1,vote,1,3\n1,vote,2,4\n1,vote,1,3\n1,execute,3,SEER\n" NIGHT DAY_2
            RESULT;
    Ruleset rules;

    (void)state;
    assert_true(judge(str_of(log)).ok);
    assert_int_equal(ruleset_preset(STR("nlp-turn"), &rules, NULL), 0);
    rules.vote.rounds = 3;
    LogVerdict verdict = judge_by(str_of(log), &rules);
    CLEANUP(buf_done) Buf printed = {0};
    log_verdict_print(&verdict, &printed);
    assert_string_equal(buf_cstr(&printed), "ok (natural-language, turn-based; nlp-turn)");
    rules.vote.rounds = 2;
    assert_int_equal(judge_by(str_of(log), &rules).line, 19);
    rules.vote.rounds = 3;
    rules.end.max_day = 0;
    assert_string_equal(judge_by(str_of(log), &rules).reason, "the last day is day 0");
    rules.end.max_day = LIMIT_NONE;
    rules.talk.max_per_agent = 0;
    assert_string_equal(judge_by(str_of(log), &rules).reason, "seat 3 speaks more than 0 times");
    assert_int_equal(ruleset_preset(STR("aiwolf-2021"), &rules, NULL), 0);
    verdict = judge_by(str_of(log), &rules);
    assert_false(verdict.ok);
    assert_int_equal(verdict.form, LOG_FORM_PROTOCOL);
}

/* ---- reading ---- */

static LogGame read_game(const char *text)
{
    LogGame log = {0};
    Err err = {0};

    if (log_game_read(str_of(text), &log, &err))
        fail_msg("%s", err.msg);
    return log;
}

static void an_utterance_may_hold_commas_quotes_and_line_ends(void **state)
{
    (void)state;
    CLEANUP(log_game_done)
    LogGame log =
        read_game(SEATS("0", "ALIVE", "ALIVE") "0,talk,0,0,1,\"a\", b\r\n\r\n9,lives,1700000000\r\n"
                                               "0,talk,1,0,2,,1700000001\r\n"
                                               "0,talk,2,0,3,1,2,1700000002");
    assert_int_equal(log.form, LOG_FORM_NLP);
    assert_int_equal(log.count, 8);
    assert_true(str_eq(log.lines[5].text, STR("\"a\", b\r\n\r\n9,lives")));
    assert_int_equal(log.lines[5].unix_s, 1700000000);
    assert_int_equal(log.lines[6].number, 9);
    assert_true(str_eq(log.lines[6].text, STR("")));
    assert_true(str_eq(log.lines[7].text, STR("1,2")));
    assert_true(str_eq(log.in_game[5], STR("Ann")));
    assert_true(str_eq(log.names[5], STR("e1")));
}

static void a_number_at_the_end_is_a_time_only_when_all_have_one(void **state)
{
    (void)state;
    CLEANUP(log_game_done)
    LogGame log = read_game(SEATS("0", "ALIVE", "ALIVE") "0,talk,0,0,1,My number is,0312345678\n"
                                                         "0,talk,1,0,2,Fine.\n"
                                                         "0,whisper,0,0,1,x,1700000000123\n");
    assert_true(str_eq(log.lines[5].text, STR("My number is,0312345678")));
    assert_int_equal(log.lines[5].unix_s, 0);
    assert_int_equal(log.lines[7].unix_s, 1700000000);
}

static void logs_of_2024_have_one_name(void **state)
{
    (void)state;
    CLEANUP(log_game_done)
    LogGame log = read_game("0,status,1,SEER,ALIVE,kanolab1\n0,status,2,WEREWOLF,ALIVE,Mille1\n"
                            "0,status,3,VILLAGER,ALIVE,UEC-IL1\n0,talk,0,0,1,Good morning.\n");
    assert_int_equal(log.form, LOG_FORM_NLP);
    assert_true(str_eq(log.in_game[2], STR("Mille1")));
}

static void a_protocol_log_stays_one(void **state)
{
    (void)state;
    CLEANUP(log_game_done)
    LogGame log = read_game("0,status,1,SEER,ALIVE,a,b\n0,status,2,WEREWOLF,ALIVE,c\n"
                            "0,status,3,VILLAGER,ALIVE,d\n1,talk,0,0,1,AGREE TALK day1 ID:4\n"
                            "1,talk,0,0,1,Skip\n1,talk,0,0,1,VOTE Agent[03]\n");
    assert_int_equal(log.form, LOG_FORM_PROTOCOL);
    assert_true(str_eq(log.names[1], STR("a,b")));
}

/* ---- JSON logs ---- */

static size_t count_kind(const LogGame *log, LogLineKind kind)
{
    size_t count = 0;

    for (size_t i = 0; i < log->count; i++)
        count += log->lines[i].kind == kind;
    return count;
}

static void a_json_log_reads_as_the_game_log_beside_it(void **state)
{
    static const char *const names[] = {"05p-plain-01",     "05p-limits-01",    "09p-plain-02",
                                        "next-05p-turn-01", "next-05p-free-01", "next-09p-free-02"};
    static const LogLineKind kinds[] = {LOG_STATUS,      LOG_TALK,   LOG_VOTE,
                                        LOG_EXECUTE,     LOG_DIVINE, LOG_GUARD,
                                        LOG_ATTACK_VOTE, LOG_ATTACK, LOG_RESULT};
    CLEANUP(buf_done) Buf name = {0};
    CLEANUP(buf_done) Buf text = {0};
    CLEANUP(buf_done) Buf json = {0};

    (void)state;
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        buf_clear(&name);
        buf_printf(&name, "nlp-wire/%s.game.log.gz", names[i]);
        assert_int_equal(logs_read(buf_cstr(&name), &text, NULL), 0);
        buf_clear(&name);
        buf_printf(&name, "nlp-wire/%s.log.json.gz", names[i]);
        assert_int_equal(logs_read(buf_cstr(&name), &json, NULL), 0);
        CLEANUP(log_game_done) LogGame log = read_game(buf_cstr(&text));
        CLEANUP(log_game_done) LogGame other = read_game(buf_cstr(&json));
        for (size_t k = 0; k < sizeof(kinds) / sizeof(kinds[0]); k++)
            assert_int_equal(count_kind(&other, kinds[k]), count_kind(&log, kinds[k]));
        assert_int_equal(other.lines[other.count - 1].winner, log.lines[log.count - 1].winner);
        for (SeatNo seat = 1; seat <= log.seat_count; seat++)
            assert_true(str_eq(log.in_game[seat], other.in_game[seat]));
    }
}

static void a_json_log_of_something_else_is_refused(void **state)
{
    CLEANUP(buf_done) Buf out = {0};
    Err err = {0};

    (void)state;
    assert_int_equal(nlp_json_to_log(STR("{\"agents\":[]}"), &out, &err), ERR_SYNTAX);
    assert_string_equal(err.msg, "JSON log: 'agents' lists 0 agents; 1 to 30 are expected");
    assert_int_equal(nlp_json_to_log(STR("{"), &out, NULL), ERR_SYNTAX);
    assert_int_equal(nlp_json_to_log(STR("{\"agents\":[{\"idx\":1}]}"), &out, NULL), ERR_SYNTAX);
    assert_int_equal(nlp_json_to_log(STR("{\"agents\":[{\"idx\":1,\"role\":\"SEER\"}],\"entries\":["
                                         "{\"request\":\"{\"}]}"),
                                     &out, NULL),
                     ERR_SYNTAX);
}

/* ---- games of the engine ---- */

static Answer any_answer(const Game *game, const Ask *ask, Rng *rng)
{
    static const char *const texts[] = {"Skip", "Over", "Hello, all.", "a\nb", "", "@Mio x"};
    Answer answer = {.kind = ask->kind, .lapse = rng_below(rng, 20) == 0};

    answer.target = (SeatNo)rng_below(rng, game_seat_count(game) + 2u);
    answer.text = str_of(texts[rng_below(rng, 6)]);
    return answer;
}

static void drain(Game *game, NlpLogWriter *writer, Buf *out)
{
    Event event;

    while (game_next_event(game, &event)) {
        nlp_log_follow(writer, &event);
        nlp_log_event(writer, &event, out);
    }
}

static void play(const Ruleset *rules, SeatNo players, uint64_t seed, Buf *out)
{
    static const char *const names[] = {"",    "Mio", "May", "Ken", "Leo", "Ann", "Ida",
                                        "Eva", "Tom", "Jun", "Rei", "Sho", "Yui", "Aya"};
    NlpSeat seats[SEAT_MAX + 1] = {{.team = {"", 0}}};
    CLEANUP(game_freep) Game *game = NULL;
    CLEANUP(nlp_log_done) NlpLogWriter writer;
    Rng rng = rng_new(seed);
    TimeMs now = 0;
    Ask ask;

    for (SeatNo seat = 1; seat <= players; seat++)
        seats[seat] = (NlpSeat){.original = STR("kano1"), .name = str_of(names[seat])};
    assert_int_equal(game_new(rules, players, &game, NULL), 0);
    assert_int_equal(game_start(game, NULL, chance_from_seed(seed), NULL), 0);
    nlp_log_begin(&writer, STR("G"), seats, players, 1700000000000);
    for (unsigned step = 0; !game_over(game) || step == 0; step++) {
        drain(game, &writer, out);
        if (rng_below(&rng, 400) == 0)
            game_set_away(game, (SeatNo)(1 + rng_below(&rng, players)), rng_below(&rng, 2), NULL);
        if (seed % 8 == 0 && rng_below(&rng, 200) == 0)
            game_abort(game);
        if (!game_first_ask(game, &ask) || (ask.standing && rng_below(&rng, 30) == 0)) {
            now += 5000;
            game_tick(game, now);
        } else {
            Answer answer = any_answer(game, &ask, &rng);
            game_answer(game, ask.seat, &answer, NULL);
        }
    }
    drain(game, &writer, out);
}

static void every_game_of_the_engine_is_ok_by_its_ruleset(void **state)
{
    static const char *const presets[] = {"nlp-turn", "nlp-anytime"};
    static const SeatNo tables[] = {5, 9, 13};
    CLEANUP(buf_done) Buf text = {0};

    (void)state;
    for (uint64_t seed = 1; seed <= 300; seed++) {
        Ruleset rules;
        assert_int_equal(ruleset_preset(str_of(presets[seed % 2]), &rules, NULL), 0);
        if (seed % 3 == 0) { /* more ballots, nobody attacked at a tie, not oneself */
            rules.vote.rounds = 3;
            rules.vote.self_vote = false;
            rules.attack.rounds = 2;
            rules.attack.tie = TIE_NOBODY;
            rules.end.max_day = 4;
        }
        buf_clear(&text);
        play(&rules, tables[seed / 2 % 3], seed, &text);
        LogVerdict verdict = judge_by(buf_str(&text), &rules);
        if (!verdict.ok || verdict.anytime != (seed % 2 == 1))
            fail_msg("seed %llu: line %u: %s\n%s", (unsigned long long)seed, verdict.line,
                     verdict.reason, buf_cstr(&text));
        if (!judge(buf_str(&text)).ok)
            fail_msg("seed %llu: not ok without its rules", (unsigned long long)seed);
    }
}

static void no_beginning_of_a_game_is_ok(void **state)
{
    CLEANUP(buf_done) Buf text = {0};
    CLEANUP(buf_done) Buf part = {0};
    Ruleset rules;

    (void)state;
    assert_int_equal(ruleset_preset(STR("nlp-turn"), &rules, NULL), 0);
    play(&rules, 9, 5, &text);
    CLEANUP(lines_done) Lines lines = lines_of(buf_str(&text));
    for (size_t count = 0; count < lines.count; count++) {
        lines_join(&lines, count, &part);
        LogVerdict verdict = judge(buf_str(&part));
        if (verdict.ok || (count >= 9 && !verdict.truncated))
            fail_msg("%zu lines: %s", count, verdict.reason);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_published_contest_log_is_ok),
        cmocka_unit_test(every_recorded_game_of_the_reference_is_ok),
        cmocka_unit_test(an_attack_of_the_server_of_2024_needs_no_attack_votes),
        cmocka_unit_test(a_speak_anytime_game_is_named_so_although_its_turns_look_like_rounds),
        cmocka_unit_test(changes_of_the_contest_logs_are_noticed),
        cmocka_unit_test(a_legal_game_is_ok),
        cmocka_unit_test(what_is_wrong_is_said_with_its_line),
        cmocka_unit_test(a_tie_is_followed_by_another_ballot_or_by_chance),
        cmocka_unit_test(an_errored_seat_stays_and_may_end_the_game),
        cmocka_unit_test(a_ruleset_adds_its_limits_and_may_force_the_other_form),
        cmocka_unit_test(an_utterance_may_hold_commas_quotes_and_line_ends),
        cmocka_unit_test(a_number_at_the_end_is_a_time_only_when_all_have_one),
        cmocka_unit_test(logs_of_2024_have_one_name),
        cmocka_unit_test(a_protocol_log_stays_one),
        cmocka_unit_test(a_json_log_reads_as_the_game_log_beside_it),
        cmocka_unit_test(a_json_log_of_something_else_is_refused),
        cmocka_unit_test(every_game_of_the_engine_is_ok_by_its_ruleset),
        cmocka_unit_test(no_beginning_of_a_game_is_ok),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
