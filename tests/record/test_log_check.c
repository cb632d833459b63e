#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/rng.h"
#include "record/log_check.h"
#include "record/logs.h"
#include "sanitized.h"

#define ALL_PRESETS 7u /* aiwolf-2019, aiwolf-2021, aiwolf-server */

static LogVerdict judge(Str text, const Ruleset *rules)
{
    LogVerdict verdict;
    Err err = {0};
    LogCheckOptions options = {.rules = rules};

    if (log_check(text, &options, &verdict, &err))
        fail_msg("%s", err.msg);
    return verdict;
}

static void fail_with(const char *path, const LogVerdict *verdict)
{
    CLEANUP(buf_done) Buf text = {0};

    log_verdict_print(verdict, &text);
    fail_msg("%s: %s", path, buf_cstr(&text));
}

/* ---- logs that are legal ---- */

static void every_log_of_the_java_server_is_ok_by_all_three_presets(void **state)
{
    CLEANUP(log_list_done) LogList list = {0};
    CLEANUP(buf_done) Buf text = {0};
    (void)state;

    assert_int_equal(logs_list(&list, "aiwolf-logs/java-server", NULL), 0);
    assert_int_equal(list.count, 20);
    for (size_t i = 0; i < list.count; i++) {
        buf_clear(&text);
        assert_int_equal(log_file_read(list.paths[i], LOG_TEXT_BYTES_MAX, &text, NULL), 0);
        LogVerdict verdict = judge(buf_str(&text), NULL);
        if (!verdict.ok || verdict.presets != ALL_PRESETS || verdict.differences)
            fail_with(list.paths[i], &verdict);
    }
}

/* Contest, and the differences that its logs may need. */
static const struct {
    const char *contest;
    unsigned differences;
} contests[] = {
    {"anac2019", 0},
    {"anac2020", 0},
    {"cedec2017", LOG_DIFF_REQUEST},
    {"cedec2018", LOG_DIFF_REQUEST},
    {"gat2018", LOG_DIFF_REQUEST},
    {"gat2017", LOG_DIFF_REQUEST | LOG_DIFF_DAWN | LOG_DIFF_TEN_WHISPERS},
    {"gat2016", LOG_DIFF_INQUESTED | LOG_DIFF_NO_TURN | LOG_DIFF_LAST | LOG_DIFF_FIRST_TALK |
                    LOG_DIFF_WHISPERS | LOG_DIFF_OVER_ENDS | LOG_DIFF_SKIPS | LOG_DIFF_TEN_TURNS |
                    LOG_DIFF_NO_REVOTE},
};

static void every_contest_log_is_ok_with_the_differences_of_its_year(void **state)
{
    CLEANUP(log_list_done) LogList list = {0};
    CLEANUP(buf_done) Buf text = {0};
    size_t checked = 0;
    (void)state;

    assert_int_equal(logs_list(&list, "aiwolf-logs/contests", NULL), 0);
    for (size_t i = 0; i < list.count; i++)
        for (size_t c = 0; c < sizeof(contests) / sizeof(contests[0]); c++) {
            if (!strstr(list.paths[i], contests[c].contest))
                continue;
            buf_clear(&text);
            assert_int_equal(log_file_read(list.paths[i], LOG_TEXT_BYTES_MAX, &text, NULL), 0);
            LogVerdict verdict = judge(buf_str(&text), NULL);
            if (!verdict.ok || (verdict.differences & ~contests[c].differences))
                fail_with(list.paths[i], &verdict);
            checked++;
        }
    assert_int_equal(checked, 65);
}

static void server_settings_are_checked_by_a_ruleset_of_their_own(void **state)
{
    static const char *const settings[] = {"options-a", "options-b"};
    CLEANUP(buf_done) Buf text = {0};
    CLEANUP(buf_done) Buf file = {0};
    CLEANUP(buf_done) Buf name = {0};
    Ruleset rules[2];
    (void)state;

    for (int i = 0; i < 2; i++) {
        Err err = {0};
        buf_clear(&name);
        buf_printf(&name, "rules/%s.yml", settings[i]);
        assert_int_equal(logs_read(buf_cstr(&name), &file, &err), 0);
        assert_int_equal(ruleset_read(buf_str(&file), &rules[i], &err), 0);
    }
    for (int i = 0; i < 2; i++) {
        buf_clear(&name);
        buf_printf(&name, "aiwolf-logs/wire/%s-15p.log.gz", settings[i]);
        assert_int_equal(logs_read(buf_cstr(&name), &text, NULL), 0);
        LogVerdict verdict = judge(buf_str(&text), &rules[i]);
        if (!verdict.ok)
            fail_with(settings[i], &verdict);
        assert_false(judge(buf_str(&text), &rules[1 - i]).ok);
    }
}

static void every_log_of_the_wire_recordings_is_ok(void **state)
{
    CLEANUP(log_list_done) LogList list = {0};
    CLEANUP(buf_done) Buf text = {0};
    (void)state;

    assert_int_equal(logs_list(&list, "aiwolf-logs/wire", NULL), 0);
    assert_int_equal(list.count, 14);
    for (size_t i = 0; i < list.count; i++) {
        if (strstr(list.paths[i], "options-"))
            continue;
        buf_clear(&text);
        assert_int_equal(log_file_read(list.paths[i], LOG_TEXT_BYTES_MAX, &text, NULL), 0);
        LogVerdict verdict = judge(buf_str(&text), NULL);
        if (!verdict.ok || verdict.presets != ALL_PRESETS)
            fail_with(list.paths[i], &verdict);
    }
}

static void windows_line_ends_change_nothing(void **state)
{
    CLEANUP(buf_done) Buf text = {0};
    CLEANUP(buf_done) Buf crlf = {0};
    (void)state;

    assert_int_equal(logs_read("aiwolf-logs/java-server/5p-game0001.log.gz", &text, NULL), 0);
    Str rest = buf_str(&text), line;
    while (aiwolf_log_cut_line(&rest, &line)) {
        buf_add(&crlf, line);
        buf_add(&crlf, STR("\r\n"));
    }
    crlf.len -= 2; /* nor does a missing last one */
    assert_true(judge(buf_str(&crlf), NULL).ok);
}

/* ---- prefixes ---- */

static void check_prefixes(const char *name, size_t step, const Ruleset *rules)
{
    CLEANUP(buf_done) Buf text = {0};
    CLEANUP(buf_done) Buf part = {0};

    assert_int_equal(logs_read(name, &text, NULL), 0);
    CLEANUP(lines_done) Lines lines = lines_of(buf_str(&text));
    step *= sanitized_step(4);
    for (size_t count = 0; count < lines.count; count += step) {
        lines_join(&lines, count, &part);
        LogVerdict verdict = judge(buf_str(&part), rules);
        if (verdict.ok || (count > 15 && !verdict.truncated))
            fail_with(name, &verdict);
    }
}

static void no_beginning_of_a_log_is_ok(void **state)
{
    Ruleset rules;
    (void)state;

    assert_int_equal(ruleset_preset(STR("aiwolf-2021"), &rules, NULL), 0);
    check_prefixes("aiwolf-logs/java-server/5p-game0001.log.gz", 1, NULL);
    check_prefixes("aiwolf-logs/java-server/5p-game0300.log.gz", 1, NULL);
    check_prefixes("aiwolf-logs/java-server/15p-game0001.log.gz", 1, &rules);
    check_prefixes("aiwolf-logs/contests/anac2020_5p_0030.log.gz", 1, NULL);
    check_prefixes("aiwolf-logs/contests/anac2019_15p_0004.log.gz", 1, &rules);
    check_prefixes("aiwolf-logs/contests/cedec2017_15p_0336.log.gz", 7, NULL);
}

static void a_log_that_stops_is_called_truncated(void **state)
{
    CLEANUP(buf_done) Buf text = {0};
    CLEANUP(buf_done) Buf part = {0};
    CLEANUP(buf_done) Buf printed = {0};
    (void)state;

    assert_int_equal(logs_read("aiwolf-logs/java-server/5p-game0001.log.gz", &text, NULL), 0);
    CLEANUP(lines_done) Lines lines = lines_of(buf_str(&text));
    lines_join(&lines, 20, &part);
    LogVerdict verdict = judge(buf_str(&part), NULL);
    log_verdict_print(&verdict, &printed);
    assert_string_equal(buf_cstr(&printed), "truncated: the log stops on day 1 in the talk phase, "
                                            "without a result line");
}

/* ---- single changes ---- */

/* A short game of five: 1 is the wolf, 2 the possessed, 3 the seer. */
static const char *const short_game[] = {"0,status,1,WEREWOLF,ALIVE,a",
                                         "0,status,2,POSSESSED,ALIVE,b",
                                         "0,status,3,SEER,ALIVE,c",
                                         "0,status,4,VILLAGER,ALIVE,d",
                                         "0,status,5,VILLAGER,ALIVE,e",
                                         "0,divine,3,1,WEREWOLF",
                                         "1,status,1,WEREWOLF,ALIVE,a",
                                         "1,status,2,POSSESSED,ALIVE,b",
                                         "1,status,3,SEER,ALIVE,c",
                                         "1,status,4,VILLAGER,ALIVE,d",
                                         "1,status,5,VILLAGER,ALIVE,e", /* 11 */
                                         "1,talk,0,0,3,DIVINED Agent[01] WEREWOLF",
                                         "1,talk,1,0,1,Skip",
                                         "1,talk,2,0,2,Skip",
                                         "1,talk,3,0,4,Skip",
                                         "1,talk,4,0,5,Skip", /* 16 */
                                         "1,talk,5,1,3,Over",
                                         "1,talk,6,1,1,Skip",
                                         "1,talk,7,1,2,Skip",
                                         "1,talk,8,1,4,Skip",
                                         "1,talk,9,1,5,Skip", /* 21 */
                                         "1,talk,10,2,3,Over",
                                         "1,talk,11,2,1,Over",
                                         "1,talk,12,2,2,Over",
                                         "1,talk,13,2,4,Over",
                                         "1,talk,14,2,5,Over", /* 26 */
                                         "1,vote,1,3",
                                         "1,vote,2,3",
                                         "1,vote,3,1",
                                         "1,vote,4,3",
                                         "1,vote,5,1", /* 31 */
                                         "1,execute,3,SEER",
                                         "1,attackVote,1,4",
                                         "1,attack,4,true", /* 34 */
                                         "2,status,1,WEREWOLF,ALIVE,a",
                                         "2,status,2,POSSESSED,ALIVE,b",
                                         "2,status,3,SEER,DEAD,c",
                                         "2,status,4,VILLAGER,DEAD,d",
                                         "2,status,5,VILLAGER,ALIVE,e", /* 39 */
                                         "2,talk,0,0,1,Over",
                                         "2,talk,1,0,2,Over",
                                         "2,talk,2,0,5,Over", /* 42 */
                                         "2,vote,1,5",
                                         "2,vote,2,5",
                                         "2,vote,5,1",
                                         "2,execute,5,VILLAGER", /* 46 */
                                         "2,attackVote,1,2",
                                         "2,attack,2,true", /* 48 */
                                         "3,status,1,WEREWOLF,ALIVE,a",
                                         "3,status,2,POSSESSED,DEAD,b",
                                         "3,status,3,SEER,DEAD,c",
                                         "3,status,4,VILLAGER,DEAD,d",
                                         "3,status,5,VILLAGER,DEAD,e",
                                         "3,result,0,1,WEREWOLF"};

#define SHORT_LINES (sizeof(short_game) / sizeof(short_game[0]))

/* The short game with line number `line` replaced; "" drops it. */
static LogVerdict judge_changed(size_t line, const char *text, const Ruleset *rules)
{
    CLEANUP(buf_done) Buf log = {0};

    for (size_t i = 0; i < SHORT_LINES; i++) {
        const char *here = i + 1 == line ? text : short_game[i];
        if (here[0])
            buf_printf(&log, "%s\n", here);
    }
    return judge(buf_str(&log), rules);
}

static void the_short_game_is_ok(void **state)
{
    (void)state;
    LogVerdict verdict = judge_changed(0, "", NULL);

    if (!verdict.ok)
        fail_with("short game", &verdict);
    assert_int_equal(verdict.presets, ALL_PRESETS);
    assert_int_equal(verdict.seat_count, 5);
    assert_int_equal(verdict.last_day, 3);
    assert_int_equal(verdict.winner, SIDE_WEREWOLF);
}

static void the_reason_says_what_no_legal_game_could_write(void **state)
{
    static const struct {
        size_t line;
        const char *text;
        const char *said;
    } cases[] = {
        {7, "1,status,1,SEER,ALIVE,a",
         "line 7: seat 1 is listed as SEER, but its role is WEREWOLF"},
        {6, "0,divine,3,1,HUMAN", "line 6: seat 1 is divined as HUMAN, but its role is WEREWOLF"},
        {6, "0,divine,4,1,WEREWOLF", "line 6: seat 4 divines, but it is a VILLAGER"},
        {12, "1,talk,0,0,3,I am the seer",
         "line 12: sentence outside the language: 'I am the seer': "},
        {13, "1,talk,1,0,3,Skip",
         "line 13: seat 3 talks, but it has already had its place in turn 0"},
        {15, "1,talk,4,0,4,Skip", "line 15: talk number 3 is expected, found number 4"},
        {18, "1,talk,6,2,1,Skip", "line 18: turn 1 is expected, found turn 2"},
        {23, "1,talk,11,2,1,Skip",
         "line 23: Skip number 3 in a row of seat 1 would have been recorded as Over"},
        {27, "1,vote,1,1", "line 27: seat 1 votes for seat 1, but nobody may vote for itself"},
        {28, "1,vote,4,3", "line 28: the vote of seat 2 is expected, found '1,vote,4,3'"},
        {32, "1,execute,1,WEREWOLF",
         "line 32: seat 1 is executed, but does not have the most votes"},
        {32, "1,execute,3,MEDIUM", "line 32: seat 3 is executed as MEDIUM, but its role is SEER"},
        {33, "1,divine,3,4,HUMAN", "line 33: seat 3 divines after it was executed on day 1"},
        {33, "1,attackVote,1,3",
         "line 33: seat 1 votes for an attack on seat 3, but it was executed on day 1"},
        {34, "1,attack,4,false", "line 34: seat 4 survives the attack, but nobody guarded it"},
        {34, "1,attack,5,true",
         "line 34: seat 5 is attacked, but does not have the most attack votes"},
        {37, "2,status,3,SEER,ALIVE,c",
         "line 37: seat 3 is listed as ALIVE, but it was executed on day 1"},
        {38, "2,status,4,VILLAGER,ALIVE,d",
         "line 38: seat 4 is listed as ALIVE, but it died in the night of day 1"},
        {39, "2,status,5,VILLAGER,DEAD,e",
         "line 39: seat 5 is listed as DEAD, but nothing has killed it"},
        {40, "2,talk,0,0,3,Over", "line 40: seat 3 talks after it was executed on day 1"},
        {43, "2,vote,1,4", "line 43: seat 1 votes for seat 4, but it died in the night of day 1"},
        {54, "3,result,0,1,VILLAGER", "line 54: the winner is WEREWOLF, found VILLAGER"},
        {54, "3,result,1,1,WEREWOLF",
         "line 54: the result counts humans and wolves as 1 and 1, but 0 and 1 are alive"},
        {54, "", "truncated: the log stops on day 3 before the result, without a result line"},
        {54, "3,result,0,1,WEREWOLF\n3,result,0,1,WEREWOLF",
         "line 55: the game is over with the line before, found '3,result,0,1,WEREWOLF'"},
        {54, "3,result,0,1,WERE", "line 54: column 14: VILLAGER, WEREWOLF or OTHERS expected, "},
        {29, "1,vote,3", "line 29: column 9: the line ends where "},
    };
    CLEANUP(buf_done) Buf printed = {0};
    Ruleset rules; /* just one: what is wrong by it may be right by an older server's */
    (void)state;

    assert_int_equal(ruleset_preset(STR("aiwolf-2021"), &rules, NULL), 0);
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        LogVerdict verdict = judge_changed(cases[i].line, cases[i].text, &rules);
        buf_clear(&printed);
        log_verdict_print(&verdict, &printed);
        if (verdict.ok || !str_starts(buf_str(&printed), str_of(cases[i].said)))
            fail_msg("line %zu '%s': %s", cases[i].line, cases[i].text, buf_cstr(&printed));
    }
}

static void what_an_agent_may_leave_out_is_not_missed(void **state)
{
    (void)state;
    /* the seer named nobody valid; so did the wolf: any human may be attacked then */
    assert_true(judge_changed(6, "", NULL).ok);
    assert_true(judge_changed(33, "", NULL).ok);
}

/* ---- many changes ---- */

typedef enum Change {
    CHANGE_ROLE,    /* of one status line */
    CHANGE_ALIVE,   /* of one status line */
    CHANGE_NUMBER,  /* of an utterance */
    CHANGE_TEXT,    /* to no sentence */
    CHANGE_SPECIES, /* that was divined */
    CHANGE_KILLED,
    CHANGE_WINNER,
    CHANGE_SELF_VOTE,
    DELETE_CERTAIN, /* a line that every game has */
    DOUBLE_CERTAIN, /* a line that no game has twice */
    CHANGE_VOTE,    /* to another seat: may well be legal */
    DELETE_ANY,
    DOUBLE_ANY,
    SWAP_LINES, /* two that follow each other */
    CHANGE_COUNT,
} Change;

#define FIRST_UNCERTAIN CHANGE_VOTE

static const char *const change_names[CHANGE_COUNT] = {
    "role swapped",     "alive or dead swapped", "utterance renumbered", "sentence made nonsense",
    "species swapped",  "killed or not swapped", "winner changed",       "vote for oneself",
    "line deleted",     "line doubled",          "vote altered",         "any line deleted",
    "any line doubled", "two lines swapped"};

static bool is_kind(Change change, const LogLine *line)
{
    bool speech = line->kind == LOG_TALK || line->kind == LOG_WHISPER;

    switch (change) {
    case CHANGE_ROLE:
    case CHANGE_ALIVE:
        return line->kind == LOG_STATUS;
    case CHANGE_NUMBER:
    case CHANGE_TEXT:
        return speech;
    case CHANGE_SPECIES:
        return line->kind == LOG_DIVINE;
    case CHANGE_KILLED:
        return line->kind == LOG_ATTACK;
    case CHANGE_WINNER:
        return line->kind == LOG_RESULT;
    case CHANGE_VOTE:
    case CHANGE_SELF_VOTE:
        return line->kind == LOG_VOTE;
    case DELETE_CERTAIN:
        return line->kind == LOG_STATUS || speech || line->kind == LOG_VOTE ||
               line->kind == LOG_EXECUTE || line->kind == LOG_ATTACK || line->kind == LOG_RESULT;
    case DOUBLE_CERTAIN:
        return line->kind != LOG_ATTACK_VOTE;
    case DELETE_ANY:
    case DOUBLE_ANY:
    case SWAP_LINES:
    case CHANGE_COUNT:
        break;
    }
    return true;
}

static void add_changed(Change change, const LogLine *line, Str raw, Rng *rng, Buf *out)
{
    switch (change) {
    case CHANGE_ROLE:
        buf_printf(out, "%u,status,%u,%s,%s,%.*s\n", line->day, line->seat,
                   line->role == ROLE_SEER ? "WEREWOLF" : "SEER", line->alive ? "ALIVE" : "DEAD",
                   STR_ARG(line->text));
        return;
    case CHANGE_ALIVE:
        buf_printf(out, "%u,status,%u,%s,%s,%.*s\n", line->day, line->seat,
                   role_name((Role)line->role), line->alive ? "DEAD" : "ALIVE",
                   STR_ARG(line->text));
        return;
    case CHANGE_NUMBER:
        buf_printf(out, "%u,%s,%u,%u,%u,%.*s\n", line->day,
                   aiwolf_log_kind_name((LogLineKind)line->kind), line->idx + 1, line->turn,
                   line->seat, STR_ARG(line->text));
        return;
    case CHANGE_TEXT:
        buf_printf(out, "%u,%s,%u,%u,%u,VOTE Agent\n", line->day,
                   aiwolf_log_kind_name((LogLineKind)line->kind), line->idx, line->turn,
                   line->seat);
        return;
    case CHANGE_SPECIES:
        buf_printf(out, "%u,divine,%u,%u,%s\n", line->day, line->seat, line->target,
                   line->species == SPECIES_HUMAN ? "WEREWOLF" : "HUMAN");
        return;
    case CHANGE_KILLED:
        buf_printf(out, "%u,attack,%u,%s\n", line->day, line->target,
                   line->killed ? "false" : "true");
        return;
    case CHANGE_WINNER:
        buf_printf(out, "%u,result,%u,%u,%s\n", line->day, line->humans, line->wolves,
                   line->winner == SIDE_VILLAGER ? "WEREWOLF" : "VILLAGER");
        return;
    case CHANGE_VOTE:
    case CHANGE_SELF_VOTE: {
        uint32_t target = change == CHANGE_VOTE ? 1 + rng_below(rng, 15) : line->seat;
        buf_printf(out, "%u,vote,%u,%u\n", line->day, line->seat, (unsigned)target);
        return;
    }
    case DOUBLE_CERTAIN:
    case DOUBLE_ANY:
        buf_printf(out, "%.*s\n%.*s\n", STR_ARG(raw), STR_ARG(raw));
        return;
    case DELETE_CERTAIN:
    case DELETE_ANY:
    case SWAP_LINES:
    case CHANGE_COUNT:
        return;
    }
}

/* Writes the log with one change of this kind. Returns whether anything is different. */
static bool change_log(const Lines *lines, Change change, Rng *rng, Buf *out)
{
    size_t at = rng_below(rng, (uint32_t)lines->count);
    LogLine line = {0};

    for (size_t tries = 0; tries <= lines->count; tries++, at = (at + 1) % lines->count) {
        assert_int_equal(aiwolf_log_read_line(lines->items[at], &line, NULL), 0);
        if (is_kind(change, &line) && (change != SWAP_LINES || at + 1 < lines->count))
            break;
        if (tries == lines->count)
            return false;
    }
    buf_clear(out);
    for (size_t i = 0; i < lines->count; i++) {
        size_t from = change != SWAP_LINES ? i : i == at ? at + 1 : i == at + 1 ? at : i;
        if (i == at && change != SWAP_LINES)
            add_changed(change, &line, lines->items[i], rng, out);
        else
            buf_printf(out, "%.*s\n", STR_ARG(lines->items[from]));
    }
    return true;
}

static bool same_text(const Lines *lines, const Buf *changed)
{
    CLEANUP(buf_done) Buf text = {0};

    lines_join(lines, lines->count, &text);
    return str_eq(buf_str(&text), buf_str(changed));
}

/* Every change, `rounds` times, to one log. */
static void change_often(const char *path, const Ruleset *rules, unsigned rounds, Rng *rng,
                         unsigned made[CHANGE_COUNT], unsigned found[CHANGE_COUNT])
{
    CLEANUP(buf_done) Buf text = {0};
    CLEANUP(buf_done) Buf changed = {0};

    assert_int_equal(log_file_read(path, LOG_TEXT_BYTES_MAX, &text, NULL), 0);
    CLEANUP(lines_done) Lines lines = lines_of(buf_str(&text));
    for (unsigned i = 0; i < rounds; i++)
        for (Change change = 0; change < CHANGE_COUNT; change++) {
            if (!change_log(&lines, change, rng, &changed) || same_text(&lines, &changed))
                continue;
            LogVerdict verdict = judge(buf_str(&changed), rules);
            made[change]++;
            found[change] += !verdict.ok;
            if (verdict.ok && change < FIRST_UNCERTAIN)
                fail_msg("%s: %s is not found:\n%s", path, change_names[change],
                         buf_cstr(&changed));
        }
}

static void every_change_that_is_certainly_illegal_is_found(void **state)
{
    CLEANUP(log_list_done) LogList list = {0};
    unsigned made[CHANGE_COUNT] = {0}, found[CHANGE_COUNT] = {0};
    Rng rng = rng_new(20);
    Ruleset rules;
    (void)state;

    assert_int_equal(ruleset_preset(STR("aiwolf-2021"), &rules, NULL), 0);
    assert_int_equal(logs_list(&list, "aiwolf-logs/java-server", NULL), 0);
    for (size_t i = 0; i < list.count; i++)
        change_often(list.paths[i], i % 2 ? &rules : NULL, 6 / sanitized_step(3), &rng, made,
                     found);
    for (Change change = 0; change < CHANGE_COUNT; change++)
        print_message("%-24s %4u of %4u found (%.1f %%)\n", change_names[change], found[change],
                      made[change], made[change] ? 100.0 * found[change] / made[change] : 0.0);
    for (Change change = 0; change < FIRST_UNCERTAIN; change++) {
        assert_true(made[change] > 0);
        assert_int_equal(found[change], made[change]);
    }
}

/* ---- odd input ---- */

static void what_is_no_log_is_not_ok(void **state)
{
    static const char *const texts[] = {
        "",
        "\n",
        "hello\n",
        "0,status,1,SEER,ALIVE,a\n",
        "0,status,1,SEER,ALIVE,a\n0,status,2,SEER,ALIVE,a\n0,status,3,SEER,ALIVE,a\n",
        "0,status,1,WEREWOLF,ALIVE,a\n0,status,2,WEREWOLF,ALIVE,a\n0,status,3,FOX,ALIVE,a\n",
        "5,status,1,SEER,ALIVE,a\n5,status,2,WEREWOLF,ALIVE,a\n5,status,3,VILLAGER,ALIVE,a\n",
        "0,status,1,SEER,DEAD,a\n0,status,2,WEREWOLF,ALIVE,a\n0,status,3,VILLAGER,ALIVE,a\n",
    };
    (void)state;

    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
        LogVerdict verdict = judge(str_of(texts[i]), NULL);
        assert_false(verdict.ok);
        assert_true(verdict.line > 0);
        assert_true(verdict.reason[0] != '\0');
    }
}

static void a_game_that_is_decided_when_it_is_dealt_is_ok(void **state)
{
    (void)state;
    /* No wolf: VILLAGER has won before day 0. The table has no such roles, and the verdict says so.
     */
    LogVerdict verdict = judge(STR("0,status,1,SEER,ALIVE,a\n0,status,2,SEER,ALIVE,b\n"
                                   "0,status,3,SEER,ALIVE,c\n0,result,3,0,VILLAGER\n"),
                               NULL);
    assert_true(verdict.ok);
    assert_int_equal(verdict.differences, LOG_DIFF_ROLES);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_log_of_the_java_server_is_ok_by_all_three_presets),
        cmocka_unit_test(every_contest_log_is_ok_with_the_differences_of_its_year),
        cmocka_unit_test(server_settings_are_checked_by_a_ruleset_of_their_own),
        cmocka_unit_test(every_log_of_the_wire_recordings_is_ok),
        cmocka_unit_test(windows_line_ends_change_nothing),
        cmocka_unit_test(no_beginning_of_a_log_is_ok),
        cmocka_unit_test(a_log_that_stops_is_called_truncated),
        cmocka_unit_test(the_short_game_is_ok),
        cmocka_unit_test(the_reason_says_what_no_legal_game_could_write),
        cmocka_unit_test(what_an_agent_may_leave_out_is_not_missed),
        cmocka_unit_test(every_change_that_is_certainly_illegal_is_found),
        cmocka_unit_test(what_is_no_log_is_not_ok),
        cmocka_unit_test(a_game_that_is_decided_when_it_is_dealt_is_ok),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
