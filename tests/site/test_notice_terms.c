/* Notices say what happened as people say it, in both languages. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "contest/conducts.h"
#include "site/contest_rules.h"
#include "site/life.h"
#include "site/notice.h"
#include "site/notice_terms.h"

static void assert_text(const char *kind, const char *body, bool japanese, const char *expected)
{
    CLEANUP(buf_done) Buf subject = {0};
    CLEANUP(buf_done) Buf text = {0};

    assert_int_equal(notice_text(str_of(kind), str_of(body), japanese, &subject, &text, NULL), 0);
    assert_string_equal(buf_cstr(&text), expected);
}

static void no_notice_has_a_word_of_programs(void **state)
{
    (void)state;
    assert_text("state", "{\"contest\":\"cup\",\"state\":\"PRELIMINARY\",\"text\":\"\"}", false,
                "cup: now preliminary. \n");
    assert_text("state", "{\"contest\":\"cup\",\"state\":\"PRELIMINARY\",\"text\":\"\"}", true,
                "cup: 「予選」になりました。\n");
    assert_text("moved", "{\"contest\":\"cup\",\"from\":\"OPEN\",\"to\":\"FROZEN\"}", false,
                "cup: from \"open for entries\" to \"entries closed\".\n");
    assert_text("ruling", "{\"team\":\"wits\",\"decision\":\"warn\",\"reason\":\"once\"}", true,
                "wits: 警告。理由: once\n");
    assert_text(
        "deadline",
        "{\"contest\":\"cup\",\"what\":\"submission_closes\",\"rest\":\"1 h\",\"date\":\"D\"}",
        false, "cup: the end of submissions is in 1 hour: D.\n");
    assert_text(
        "deadline",
        "{\"contest\":\"cup\",\"what\":\"source, description\",\"rest\":\"7 d\",\"date\":\"D\"}",
        true, "cup: ソースコードと解説の提出締切まであと 7 日です: D\n");
    /* What was not in a table has its own Japanese words beside it. */
    assert_text("deadline",
                "{\"contest\":\"cup\",\"what\":\"submission_closes\",\"rest\":\"5 h\","
                "\"rest_ja\":\"5 時間\",\"date\":\"D\"}",
                true, "cup: 提出締切まであと 5 時間です: D\n");
    assert_text("version-refused",
                "{\"contest\":\"cup\",\"team\":\"wits\",\"version\":\"2\",\"why\":\"no\"}", true,
                "wits: 第 2 版は不合格です: no\n");
    /* What somebody wrote stays as it is. */
    assert_text("announcement", "{\"text\":\"PRELIMINARY\"}", false, "PRELIMINARY\n");
    assert_text("state", "{\"contest\":\"OPEN\",\"state\":\"FINAL\",\"text\":\"FROZEN\"}", false,
                "OPEN: now final. FROZEN\n");
}

static void every_state_rule_and_date_has_words(void **state)
{
    (void)state;
    for (LifeState each = LIFE_DRAFT; each < LIFE_STATES; each++)
        for (int japanese = 0; japanese < 2; japanese++)
            assert_false(str_eq(notice_term(STR("state"), str_of(life_state_name(each)), japanese),
                                str_of(life_state_name(each))));
    for (ConductRule rule = CONDUCT_LATE; rule < CONDUCT_RULES; rule++)
        assert_false(str_eq(notice_term(STR("rule"), str_of(conduct_rule_name(rule)), true),
                            str_of(conduct_rule_name(rule))));
    for (size_t i = 0; i < LIFE_DATES; i++)
        if (strcmp(contest_date_keys[i], "retention_ends") != 0) /* nobody is reminded of it */
            assert_false(str_eq(notice_term(STR("what"), str_of(contest_date_keys[i]), true),
                                str_of(contest_date_keys[i])));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_notice_has_a_word_of_programs),
        cmocka_unit_test(every_state_rule_and_date_has_words),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
