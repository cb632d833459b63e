/* Lists of live views: made again they are the same, they stay small, names come when they may;
 * what travels as a letter is told as it was. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>

#include "record/live_letter.h"
#include "web/live_script.h"
#include "web/live_tables.h"

#define S ((TimeUs)1000000)

static void hear_nothing(void *user, LiveList *list, TimeUs now)
{
    (void)user, (void)list, (void)now;
}

static LiveViews *make_views(LiveNames names, size_t list_bytes)
{
    const LiveViewsSetup setup = {
        .names = names, .list_bytes = list_bytes, .changed = hear_nothing};
    LiveViews *views = NULL;

    assert_int_equal(live_views_new(&setup, &views, NULL), 0);
    return views;
}

static LiveList *list_of(const LiveViews *views, const char *id, DocViewKind kind, SeatNo seat)
{
    LiveTable *table = live_views_find(views, str_of(id));

    return table ? live_table_list(table, kind, seat) : NULL;
}

static bool has(Str text, const char *part)
{
    size_t at;

    return str_find(text, str_of(part), &at);
}

static void nobody_is_told_who_sits_where_until_the_end(void **state)
{
    LiveViews *views = make_views(LIVE_NAMES_AT_END, 0);
    const LiveSink sink = live_views_sink(views);

    (void)state;
    script_begin(&sink, "g", DOC_NLP, 0);
    assert_false(has(live_list_doc(list_of(views, "g", DOC_VIEW_PUBLIC, 0)), "zz"));
    assert_false(has(live_list_doc(list_of(views, "g", DOC_VIEW_SEAT, 1)), "zz"));
    assert_true(has(live_list_doc(list_of(views, "g", DOC_VIEW_ALL, 0)), "zzann"));
    script_end(&sink, "g", S);
    assert_true(has(live_list_doc(list_of(views, "g", DOC_VIEW_PUBLIC, 0)), "zzann"));
    live_views_free(views);
}

static void names_are_shown_or_hidden_for_good(void **state)
{
    LiveViews *shown = make_views(LIVE_NAMES_SHOWN, 0), *hidden = make_views(LIVE_NAMES_HIDDEN, 0);
    const LiveSink to_shown = live_views_sink(shown), to_hidden = live_views_sink(hidden);

    (void)state;
    script_begin(&to_shown, "g", DOC_NLP, 0);
    script_begin(&to_hidden, "g", DOC_NLP, 0);
    assert_true(has(live_list_doc(list_of(shown, "g", DOC_VIEW_PUBLIC, 0)), "zzann"));
    assert_true(has(live_list_doc(list_of(hidden, "g", DOC_VIEW_ALL, 0)), "zzann"));
    script_end(&to_hidden, "g", S);
    assert_false(has(live_list_doc(list_of(hidden, "g", DOC_VIEW_PUBLIC, 0)), "zz"));
    assert_false(has(live_list_doc(list_of(hidden, "g", DOC_VIEW_ALL, 0)), "zz"));
    live_views_free(shown);
    live_views_free(hidden);
}

static void there_is_no_list_of_a_seat_that_is_none(void **state)
{
    LiveViews *views = make_views(LIVE_NAMES_AT_END, 0);
    const LiveSink sink = live_views_sink(views);

    (void)state;
    script_begin(&sink, "g", DOC_NLP, 0);
    assert_null(list_of(views, "g", DOC_VIEW_SEAT, 0));
    assert_null(list_of(views, "g", DOC_VIEW_SEAT, SCRIPT_SEATS + 1));
    assert_non_null(list_of(views, "g", DOC_VIEW_SEAT, SCRIPT_SEATS));
    live_views_free(views);
}

/* All frames of a list, as messages. */
static void write_all(LiveList *list, Buf *out)
{
    uint64_t count = live_list_base(list);

    buf_clear(out);
    while (count < live_list_count(list))
        buf_add(out, live_list_message(list, count, live_list_seats(list), &count));
}

static void a_list_that_was_dropped_comes_back_the_same(void **state)
{
    static char words[2000];
    LiveViews *views = make_views(LIVE_NAMES_AT_END, 40000);
    const LiveSink sink = live_views_sink(views);
    Buf first = {0}, again = {0};

    (void)state;
    memset(words, 'w', sizeof(words) - 1);
    script_begin(&sink, "g", DOC_NLP, 0);
    for (uint32_t i = 0; i < 10; i++)
        script_talk(&sink, "g", 1, i, words, S);
    write_all(list_of(views, "g", DOC_VIEW_PUBLIC, 0), &first);
    write_all(list_of(views, "g", DOC_VIEW_ALL, 0), &again); /* drops the other one */
    assert_string_not_equal(buf_cstr(&first), buf_cstr(&again));
    write_all(list_of(views, "g", DOC_VIEW_PUBLIC, 0), &again);
    assert_string_equal(buf_cstr(&first), buf_cstr(&again));
    live_views_free(views);
    buf_done(&first);
    buf_done(&again);
}

static void the_oldest_frames_go_when_there_are_too_many(void **state)
{
    static char words[2000];
    LiveViews *views = make_views(LIVE_NAMES_AT_END, 50000);
    const LiveSink sink = live_views_sink(views);
    uint64_t count = 0;

    (void)state;
    memset(words, 'w', sizeof(words) - 1);
    script_begin(&sink, "g", DOC_NLP, 0);
    LiveList *list = list_of(views, "g", DOC_VIEW_PUBLIC, 0);
    *live_list_readers(list) = views;
    for (uint32_t i = 0; i < 100; i++) {
        script_talk(&sink, "g", 1, i, words, S);
        assert_true(live_views_bytes(views) <= 50000);
        const Str text = live_list_message(list, live_list_count(list) - 1, 0, &count);
        assert_true(has(text, "wwww"));
        assert_int_equal(count, live_list_count(list));
    }
    assert_true(live_list_base(list) > 50);
    live_views_free(views);
}

static void a_message_has_no_more_than_it_may(void **state)
{
    static char words[30000], most[100000];
    LiveViews *views = make_views(LIVE_NAMES_AT_END, 0);
    const LiveSink sink = live_views_sink(views);
    uint64_t count = 0, before;

    (void)state;
    memset(words, 'w', sizeof(words) - 1);
    memset(most, 'm', sizeof(most) - 1);
    script_begin(&sink, "g", DOC_NLP, 0);
    for (uint32_t i = 0; i < 10; i++)
        script_talk(&sink, "g", 1, i, i == 5 ? most : words, S);
    LiveList *list = list_of(views, "g", DOC_VIEW_PUBLIC, 0);
    while (count < live_list_count(list)) {
        before = count;
        const Str text = live_list_message(list, count, live_list_seats(list), &count);
        assert_true(count > before);
        assert_true(count == before + 1 || text.len < 64 * 1024);
    }
    live_views_free(views);
}

static void what_is_over_goes_after_five_minutes(void **state)
{
    LiveViews *views = make_views(LIVE_NAMES_AT_END, 0);
    const LiveSink sink = live_views_sink(views);

    (void)state;
    script_begin(&sink, "g", DOC_NLP, 0);
    script_begin(&sink, "runs", DOC_NLP, 0);
    assert_int_equal(live_views_deadline(views), TIME_US_NEVER);
    script_end(&sink, "g", S);
    assert_int_equal(live_views_deadline(views), S + LIVE_STAYS_US);
    live_views_tick(views, S + LIVE_STAYS_US - 1);
    assert_non_null(live_views_find(views, STR("g")));
    live_views_tick(views, S + LIVE_STAYS_US);
    assert_null(live_views_find(views, STR("g")));
    assert_non_null(live_views_find(views, STR("runs")));
    live_views_free(views);
}

static void not_too_many_are_kept_that_are_over(void **state)
{
    LiveViews *views = make_views(LIVE_NAMES_AT_END, 0);
    const LiveSink sink = live_views_sink(views);
    unsigned kept = 0;
    char id[16];

    (void)state;
    script_begin(&sink, "g0", DOC_NLP, 0);
    *live_list_readers(list_of(views, "g0", DOC_VIEW_PUBLIC, 0)) = views;
    script_end(&sink, "g0", S);
    for (unsigned i = 1; i < 2 * LIVE_OVER_MAX; i++) {
        snprintf(id, sizeof(id), "g%u", i);
        script_begin(&sink, id, DOC_NLP, 0);
        script_end(&sink, id, S);
    }
    for (LiveTable *table = live_views_first(views); table; table = live_table_next(table))
        kept++;
    assert_int_equal(kept, LIVE_OVER_MAX);
    assert_non_null(live_views_find(views, STR("g0"))); /* somebody reads it */
    live_views_free(views);
}

static void a_letter_tells_what_was_told(void **state)
{
    LiveViews *views = make_views(LIVE_NAMES_AT_END, 0), *later = make_views(LIVE_NAMES_AT_END, 0);
    const LiveSink sink = live_views_sink(views), to_later = live_views_sink(later);
    LiveLetter letter = {0};
    const LiveSink writer = live_letter_sink(&letter);
    const LiveSink *sinks[] = {&sink, &writer};

    (void)state;
    for (size_t i = 0; i < 2; i++) {
        const LiveSink *to = sinks[i];
        script_begin(to, "g", DOC_NLP, 0);
        script_talk(to, "g", 1, 0, "hello", S);
        to->notice(to->user, STR("g"), STR("held"), S);
        to->fault(to->user, STR("g"),
                  &(Fault){.kind = FAULT_TIMEOUT, .seat = 2, .day = 1, .request = "TALK"}, S);
        script_night(to, "g", 2 * S);
        script_end(to, "g", 3 * S);
    }
    Str rest = buf_str(&letter.bytes);
    assert_true(live_letter_first(rest).begins);
    assert_int_equal(live_letter_first(rest).at, 0);
    while (live_letter_tell(&rest, &to_later, 0))
        ;
    assert_string_equal(live_list_doc(list_of(views, "g", DOC_VIEW_ALL, 0)).bytes,
                        live_list_doc(list_of(later, "g", DOC_VIEW_ALL, 0)).bytes);
    live_views_free(views);
    live_views_free(later);
    buf_done(&letter.bytes);
}

static void views_have_names(void **state)
{
    DocViewKind kind;
    SeatNo seat;

    (void)state;
    assert_true(live_view_of(STR("public"), &kind, &seat));
    assert_true(live_view_of(STR("all"), &kind, &seat));
    assert_true(live_view_of(STR("seat:30"), &kind, &seat));
    assert_int_equal(kind, DOC_VIEW_SEAT);
    assert_int_equal(seat, 30);
    assert_false(live_view_of(STR("seat:"), &kind, &seat));
    assert_false(live_view_of(STR("seat:0"), &kind, &seat));
    assert_false(live_view_of(STR("seat:300"), &kind, &seat));
    assert_false(live_view_of(STR("7"), &kind, &seat));
    assert_false(live_view_of(STR(""), &kind, &seat));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nobody_is_told_who_sits_where_until_the_end),
        cmocka_unit_test(names_are_shown_or_hidden_for_good),
        cmocka_unit_test(there_is_no_list_of_a_seat_that_is_none),
        cmocka_unit_test(a_list_that_was_dropped_comes_back_the_same),
        cmocka_unit_test(the_oldest_frames_go_when_there_are_too_many),
        cmocka_unit_test(a_message_has_no_more_than_it_may),
        cmocka_unit_test(what_is_over_goes_after_five_minutes),
        cmocka_unit_test(not_too_many_are_kept_that_are_over),
        cmocka_unit_test(a_letter_tells_what_was_told),
        cmocka_unit_test(views_have_names),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
