#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "prop.h"
#include "site/life.h"

#define DAY ((int64_t)86400 * 1000)

/* A contest with everything, whose dates are days 1, 2, 3 ... */
static LifePlan whole_plan(void)
{
    LifePlan plan = {.preliminary = true, .judges = true};

    for (LifeDate date = 0; date < LIFE_DATES; date++)
        plan.dates[date] = (date + 1) * DAY;
    return plan;
}

/* Nothing is missing. */
static LifeFacts good_facts(void)
{
    return (LifeFacts){.file_good = true,
                       .teams_ready = 16,
                       .teams_needed = 15,
                       .lots_settled = true,
                       .runner_alive = true,
                       .cell_met = true,
                       .stage_over = true,
                       .bundle_proven = true};
}

static const LifeState course[] = {LIFE_DRAFT,     LIFE_OPEN,    LIFE_FROZEN,  LIFE_PRELIMINARY,
                                   LIFE_REVISION,  LIFE_FINAL,   LIFE_JUDGING, LIFE_APPEALS,
                                   LIFE_PUBLISHED, LIFE_ARCHIVED};
#define COURSE (sizeof(course) / sizeof(course[0]))

static void a_contest_goes_through_all_states_in_order(void **state)
{
    (void)state;
    for (int shape = 0; shape < 4; shape++) {
        LifePlan plan = whole_plan();
        LifeFacts facts = good_facts();
        LifeState now = LIFE_DRAFT;
        LifeStep step;
        size_t at = 0;

        plan.preliminary = shape & 1;
        plan.judges = shape & 2;
        while ((step = life_step(now, &plan, &facts, 100 * DAY)).why == LIFE_GOES) {
            do /* the next one that this contest has */
                at++;
            while ((!plan.preliminary &&
                    (course[at] == LIFE_PRELIMINARY || course[at] == LIFE_REVISION)) ||
                   (!plan.judges && course[at] == LIFE_JUDGING));
            assert_int_equal(step.from, now);
            assert_int_equal(step.to, course[at]);
            now = step.to;
        }
        assert_int_equal(now, LIFE_ARCHIVED);
        assert_int_equal(step.why, LIFE_ENDED);
    }
}

static void dates_are_waited_for_to_the_millisecond(void **state)
{
    const LifePlan plan = whole_plan();
    const LifeFacts facts = good_facts();
    const struct {
        LifeState from;
        LifeDate date;
    } dated[] = {{LIFE_DRAFT, DATE_OPENS},           {LIFE_OPEN, DATE_SUBMISSION_CLOSES},
                 {LIFE_FROZEN, DATE_PRELIMINARY},    {LIFE_REVISION, DATE_REVISION_CLOSES},
                 {LIFE_APPEALS, DATE_APPEALS_CLOSE}, {LIFE_PUBLISHED, DATE_RETENTION_ENDS}};

    (void)state;
    for (size_t i = 0; i < sizeof(dated) / sizeof(dated[0]); i++) {
        int64_t date = plan.dates[dated[i].date];
        LifeStep early = life_step(dated[i].from, &plan, &facts, date - 1);
        assert_int_equal(early.why, LIFE_WAITS);
        assert_int_equal(early.date, date);
        assert_int_equal(life_step(dated[i].from, &plan, &facts, date).why, LIFE_GOES);
        LifeFacts asked = facts; /* an organiser need not wait */
        asked.asked = true;
        assert_int_equal(life_step(dated[i].from, &plan, &asked, date - 1).why, LIFE_GOES);
        LifePlan undated = plan;
        undated.dates[dated[i].date] = LIFE_NO_DATE;
        assert_int_equal(life_step(dated[i].from, &undated, &facts, 100 * DAY).why, LIFE_ASKED);
        assert_int_equal(life_step(dated[i].from, &undated, &asked, 100 * DAY).why, LIFE_GOES);
    }
}

static void each_guard_holds_its_states(void **state)
{
    const LifePlan plan = whole_plan();
    const struct {
        size_t offset;
        bool number; /* a count that must be 0; else a flag that must be true */
        LifeWhy why;
        uint32_t states; /* that it holds */
    } guards[] = {
        {offsetof(LifeFacts, file_good), false, LIFE_BAD_FILE, 1U << LIFE_DRAFT},
        {offsetof(LifeFacts, lots_settled), false, LIFE_LOTS,
         1U << LIFE_FROZEN | 1U << LIFE_REVISION},
        {offsetof(LifeFacts, runner_alive), false, LIFE_NO_RUNNER,
         1U << LIFE_FROZEN | 1U << LIFE_REVISION},
        {offsetof(LifeFacts, cell_met), false, LIFE_WEAK_CELL,
         1U << LIFE_FROZEN | 1U << LIFE_REVISION},
        {offsetof(LifeFacts, stage_over), false, LIFE_PLAYS,
         1U << LIFE_PRELIMINARY | 1U << LIFE_FINAL},
        {offsetof(LifeFacts, appeals_open), true, LIFE_APPEALED, 1U << LIFE_APPEALS},
        {offsetof(LifeFacts, bundle_proven), false, LIFE_UNPROVEN, 1U << LIFE_APPEALS},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(guards) / sizeof(guards[0]); i++)
        for (LifeState from = LIFE_DRAFT; from < LIFE_ARCHIVED; from++)
            for (int asked = 0; asked < 2; asked++) { /* no organiser gets past one */
                LifeFacts facts = good_facts();
                char *field = (char *)&facts + guards[i].offset;
                facts.asked = asked;
                if (guards[i].number)
                    memcpy(field, &(uint32_t){3}, sizeof(uint32_t));
                else
                    memcpy(field, &(bool){false}, sizeof(bool));
                LifeStep step = life_step(from, &plan, &facts, 100 * DAY);
                bool held = guards[i].states & 1U << from;
                assert_int_equal(step.why, held ? guards[i].why : LIFE_GOES);
                if (held)
                    assert_int_equal(step.count, guards[i].number ? 3 : 0);
            }
    LifeFacts facts = good_facts();
    facts.teams_ready = 11;
    LifeStep few = life_step(LIFE_FROZEN, &plan, &facts, 100 * DAY);
    assert_int_equal(few.why, LIFE_FEW_TEAMS);
    assert_int_equal(few.count, 4);
    facts = good_facts();
    facts.cut_is_tied = true;
    assert_int_equal(life_step(LIFE_PRELIMINARY, &plan, &facts, 0).why, LIFE_TIED);
    assert_int_equal(life_step(LIFE_FINAL, &plan, &facts, 0).why,
                     LIFE_GOES); /* nobody is cut there */
}

static void judging_ends_by_the_last_sheet_or_by_the_date(void **state)
{
    const LifePlan plan = whole_plan();
    LifeFacts facts = good_facts();
    int64_t date = plan.dates[DATE_JUDGING_CLOSES];

    (void)state;
    assert_int_equal(life_step(LIFE_JUDGING, &plan, &facts, 0).why, LIFE_GOES);
    facts.sheets_missing = 2;
    assert_int_equal(life_step(LIFE_JUDGING, &plan, &facts, date - 1).why, LIFE_SHEETS);
    assert_int_equal(life_step(LIFE_JUDGING, &plan, &facts, date - 1).count, 2);
    assert_int_equal(life_step(LIFE_JUDGING, &plan, &facts, date).why, LIFE_GOES);
}

static void a_paused_contest_goes_nowhere(void **state)
{
    const LifePlan plan = whole_plan();

    (void)state;
    for (LifeState from = LIFE_DRAFT; from < LIFE_STATES; from++) {
        LifeFacts facts = good_facts();
        facts.paused = facts.asked = true;
        LifeStep step = life_step(from, &plan, &facts, 100 * DAY);
        bool may = from >= LIFE_OPEN && from <= LIFE_JUDGING;
        assert_int_equal(life_may_pause(from), may);
        assert_int_equal(step.why == LIFE_PAUSED || step.why == LIFE_HELD, may);
        assert_int_equal(life_may_cancel(from), from < LIFE_PUBLISHED);
    }
}

static void back_is_where_it_came_from(void **state)
{
    (void)state;
    for (int shape = 0; shape < 4; shape++) {
        LifePlan plan = whole_plan();
        LifeFacts facts = good_facts();
        LifeState now = LIFE_DRAFT, back;

        plan.preliminary = shape & 1;
        plan.judges = shape & 2;
        while (now != LIFE_ARCHIVED) {
            LifeState next = life_step(now, &plan, &facts, 100 * DAY).to;
            bool may = next > LIFE_OPEN && next < LIFE_PUBLISHED;
            assert_int_equal(life_back(next, &plan, &back), may);
            if (may)
                assert_int_equal(back, now);
            now = next;
        }
        assert_false(life_back(LIFE_CANCELLED, &plan, &back));
    }
}

/* Whatever is so: one step, to the state that follows, and never past a guard. */
static void random_facts_never_skip(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 20000; seed++) {
        Rng rng = rng_new(seed);
        LifePlan plan = {.preliminary = rng_below(&rng, 2), .judges = rng_below(&rng, 2)};
        LifeFacts facts = {.paused = rng_below(&rng, 4) == 0,
                           .asked = rng_below(&rng, 2),
                           .file_good = rng_below(&rng, 2),
                           .teams_ready = rng_below(&rng, 4),
                           .teams_needed = rng_below(&rng, 4),
                           .lots_settled = rng_below(&rng, 2),
                           .runner_alive = rng_below(&rng, 2),
                           .cell_met = rng_below(&rng, 2),
                           .stage_over = rng_below(&rng, 2),
                           .cut_is_tied = rng_below(&rng, 2),
                           .sheets_missing = rng_below(&rng, 2),
                           .appeals_open = rng_below(&rng, 2),
                           .bundle_proven = rng_below(&rng, 2)};
        for (LifeDate date = 0; date < LIFE_DATES; date++)
            plan.dates[date] = rng_below(&rng, 3) ? (int64_t)rng_below(&rng, 10) : LIFE_NO_DATE;
        LifeState from = (LifeState)rng_below(&rng, LIFE_STATES);
        LifeStep step = life_step(from, &plan, &facts, 5);
        CLEANUP(buf_done) Buf text = {0};
        if (step.why == LIFE_GOES) {
            assert_true(step.to > from && step.to < LIFE_CANCELLED);
            assert_true(from != LIFE_APPEALS || (facts.bundle_proven && !facts.appeals_open));
            assert_true(from != LIFE_PRELIMINARY || facts.stage_over);
            assert_true(step.to != LIFE_PRELIMINARY || facts.runner_alive);
        }
        for (int japanese = 0; japanese < 2; japanese++) {
            buf_clear(&text);
            life_sentence(&step, 5, japanese, &text);
            assert_true(text.len > 5);
            assert_null(strchr(buf_cstr(&text), '%'));
        }
    }
}

static void assert_sentence(const LifeStep *step, int64_t now, bool japanese, const char *expected)
{
    CLEANUP(buf_done) Buf text = {0};

    life_sentence(step, now, japanese, &text);
    assert_string_equal(buf_cstr(&text), expected);
}

static void sentences_can_be_read_at_night(void **state)
{
    const LifePlan plan = whole_plan();
    LifeFacts facts = good_facts();

    (void)state;
    LifeStep step = life_step(LIFE_OPEN, &plan, &facts, DAY);
    assert_sentence(&step, 2 * DAY - 4 * 3600000 - 30000, false, "submissions close in 4 h");
    assert_sentence(&step, 2 * DAY - 3 * DAY - 4 * 3600000, false, "submissions close in 3 d 4 h");
    assert_sentence(&step, 2 * DAY - 65000, false, "submissions close in 1 min 5 s");
    assert_sentence(&step, 2 * DAY, false, "submissions close in 0 s");
    assert_sentence(&step, 2 * DAY - 3 * DAY - 4 * 3600000, true, "3日4時間後に提出締切");
    facts.appeals_open = 2;
    step = life_step(LIFE_APPEALS, &plan, &facts, 100 * DAY);
    assert_sentence(&step, 0, false, "2 appeals are open");
    assert_sentence(&step, 0, true, "未処理の異議が 2 件あります");
}

static void names_are_read_as_they_are_written(void **state)
{
    LifeState read;

    (void)state;
    for (LifeState each = 0; each < LIFE_STATES; each++) {
        assert_true(life_state_of(str_of(life_state_name(each)), &read));
        assert_int_equal(read, each);
    }
    assert_string_equal(life_state_name(LIFE_STATES), "");
    assert_false(life_state_of(STR("open"), &read));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_contest_goes_through_all_states_in_order),
        cmocka_unit_test(dates_are_waited_for_to_the_millisecond),
        cmocka_unit_test(each_guard_holds_its_states),
        cmocka_unit_test(judging_ends_by_the_last_sheet_or_by_the_date),
        cmocka_unit_test(a_paused_contest_goes_nowhere),
        cmocka_unit_test(back_is_where_it_came_from),
        cmocka_unit_test(random_facts_never_skip),
        cmocka_unit_test(sentences_can_be_read_at_night),
        cmocka_unit_test(names_are_read_as_they_are_written),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
