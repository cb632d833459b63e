/* test_audit_conduct.c - rulings need a moment at which their rule was broken, and no other.
 *
 * Source: docs/spec/contest-operations.md 8.5, 11.5 (6). */
#include "audit/audit_conduct.h"
#include "base/mem.h"
#include "contest/contest_file.h"
#include "disk/folder.h"
#include "journal/journal.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
/* clang-format off */
#include <cmocka.h>
/* clang-format on */

#define TEXT_WITH(confirm)                                                                         \
    "contest: cup\n"                                                                               \
    "agents: [{bot: sample, name: ann, copies: 1}, {bot: sample, name: bob, copies: 4}]\n"         \
    "conduct: {strikes: 6, confirm: " confirm                                                      \
    ", late: {after: 20, action: strike}, crash: note}\n"                                          \
    "stages: [{name: main, players: 5, games_per_set: 1, sets: 50}]\n"

#define TEXT TEXT_WITH("true")

typedef struct Case {
    const char *what;
    const char *late;    /* a letter for each game: how often ann was late in it, '-' not at all */
    const char *is_void; /* 'v': the game is void in the end */
    const char *agent, *rule;
    bool holds;
} Case;

#define CLEAN "----------------------------------------"

static const Case cases[] = {
    {"as it is", "3", "", "ann", "late", true},
    {"clean games follow", "3" CLEAN, "", "ann", "late", true},
    {"clean games came before", CLEAN "3", "", "ann", "late", false},
    {"never as often as the rule says", "-----1-----1", "", "ann", "late", false},
    {"its game became void", "3---------", "v", "ann", "late", true},
    {"games became void, and it is broken by the others", CLEAN "3",
     "vvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvv", "ann", "late", true},
    {"what void games show alone", CLEAN "1", "                                        v", "ann",
     "late", false},
    {"somebody else", "3", "", "bob1", "late", false},
    {"another rule", "3", "", "ann", "sentence", false},
    {"a rule that only notes", "3", "", "ann", "crash", false},
    {"somebody's word", CLEAN, "", "ann", "other", true},
};

static void add_games(Journal *journal, const Case *of)
{
    static const char *const names[] = {"", "ann", "bob1", "bob2", "bob3", "bob4"};
    static const Role roles[] = {ROLE_NONE,     ROLE_SEER,      ROLE_VILLAGER,
                                 ROLE_VILLAGER, ROLE_POSSESSED, ROLE_WEREWOLF};

    for (size_t number = 0; of->late[number]; number++) {
        CLEANUP(mem_freep) GameRecord *game = mem_new(sizeof(*game));
        game->set = game->game = number;
        game->reason = END_WIN;
        game->result.winner = SIDE_VILLAGER;
        game->result.seat_count = 5;
        for (SeatNo seat = 1; seat <= 5; seat++) {
            game->result.names[seat] = str_of(names[seat]);
            game->result.roles[seat] = roles[seat];
            game->seats[seat].outside = true;
        }
        if (of->late[number] != '-')
            game->seats[1].faults[FAULT_TIMEOUT] = (uint32_t)(of->late[number] - '0');
        game->seats[1].faults[FAULT_DISCONNECT] = game->seats[1].faults[FAULT_TIMEOUT];
        assert_int_equal(journal_add_game(journal, game, STR(""), NULL), 0);
    }
    for (size_t number = 0; of->is_void[number]; number++) {
        const OperatorAct act = {.kind = ACT_VOID,
                                 .target = ACT_OF_GAME,
                                 .number = number,
                                 .by = STR("organiser"),
                                 .at_ms = 1};
        if (of->is_void[number] == 'v')
            assert_int_equal(journal_add_act(journal, &act, NULL), 0);
    }
}

/* `over`: the contest has ended. A case without a rule has no ruling. */
static void write_journal(const char *dir, const Plan *plan, const Case *of, bool over)
{
    CLEANUP(buf_done) Buf json = {0};
    Journal *journal = NULL;
    const JournalRuling ruling = {.agent = str_of(of->agent),
                                  .rule = str_of(of->rule),
                                  .decision = RULING_WARN,
                                  .reason = STR("seen"),
                                  .at_ms = 1};
    Err err = {0};

    plan_json(plan, &json);
    if (journal_begin(dir, buf_str(&json), &journal, &err))
        fail_msg("%s", err.msg);
    add_games(journal, of);
    if (of->rule)
        assert_int_equal(journal_add_ruling(journal, &ruling, NULL), 0);
    if (over)
        assert_int_equal(journal_add_end(journal, strlen(of->late), NULL), 0);
    assert_int_equal(journal_close(journal, NULL), 0);
}

static void a_ruling_needs_a_moment(void **state)
{
    CLEANUP(plan_done) Plan plan;
    Err err = {0};

    (void)state;
    assert_int_equal(plan_init(&plan, NULL), 0);
    if (contest_text_load(STR(TEXT), ".", &plan, &err))
        fail_msg("%s", err.msg);
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        char dir[] = "/tmp/warg-audit-conduct-XXXXXX";
        CLEANUP(mem_freep) AuditIndex *index = mem_new(sizeof(*index));
        AuditVerdict verdict = {.count = 0};
        assert_non_null(mkdtemp(dir));
        write_journal(dir, &plan, &cases[i], false);
        assert_int_equal(audit_index_read(dir, index, &err), 0);
        assert_int_equal(audit_conduct_check(dir, &plan, index, false, &verdict, &err), 0);
        audit_index_done(index);
        assert_int_equal(verdict.count, 1);
        if ((verdict.state != AUDIT_CONTRADICTED) != cases[i].holds)
            fail_msg("%s: %s", cases[i].what, verdict.text);
        assert_int_equal(folder_remove(dir, NULL), 0);
    }
}

/* "holds": nobody was spared. */
static const Case ends[] = {
    {"nothing happened", CLEAN, "", "ann", NULL, true},
    {"strikes, and few", "22", "", "ann", NULL, true},
    {"so many strikes, and nobody ruled", "33", "", "ann", NULL, false},
    {"one less than so many", "23", "", "ann", NULL, true},
    {"so many strikes, and ruled", "33", "", "ann", "late", true},
    {"so many strikes, and somebody else was ruled on", "33", "", "bob1", "late", false},
    {"they may have been void by then", "33", "v", "ann", NULL, true},
    {"void games that change nothing of it", "33-", "  v", "ann", NULL, false},
};

static void rules_that_carry_themselves_out_spare_nobody(void **state)
{
    (void)state;
    for (int confirm = 0; confirm < 2; confirm++)
        for (size_t i = 0; i < 2 * sizeof(ends) / sizeof(ends[0]); i++) {
            const Case *of = &ends[i / 2];
            const bool over = i % 2;
            char dir[] = "/tmp/warg-audit-conduct-XXXXXX";
            CLEANUP(plan_done) Plan plan;
            CLEANUP(mem_freep) AuditIndex *index = mem_new(sizeof(*index));
            AuditVerdict verdict = {.count = 0};
            Err err = {0};
            assert_int_equal(plan_init(&plan, NULL), 0);
            if (contest_text_load(confirm ? STR(TEXT) : STR(TEXT_WITH("false")), ".", &plan, &err))
                fail_msg("%s", err.msg);
            assert_non_null(mkdtemp(dir));
            write_journal(dir, &plan, of, over);
            assert_int_equal(audit_index_read(dir, index, &err), 0);
            assert_int_equal(audit_conduct_check(dir, &plan, index, false, &verdict, &err), 0);
            const bool holds = of->holds || confirm || !over;
            /* A ruling on who did nothing is a contradiction of its own. */
            if (!of->rule || strcmp(of->agent, "ann") == 0)
                assert_int_equal(verdict.state != AUDIT_CONTRADICTED, holds);
            if (!holds && of->rule == NULL && !strstr(verdict.text, "the rules eliminate ann"))
                fail_msg("%s: '%s'", of->what, verdict.text);
            audit_index_done(index);
            assert_int_equal(folder_remove(dir, NULL), 0);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_ruling_needs_a_moment),
        cmocka_unit_test(rules_that_carry_themselves_out_spare_nobody),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
