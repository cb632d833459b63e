#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "results/html_check.h"
#include "results/html_text.h"
#include "results/svg_plot.h"

#include <math.h>

static const PlotName name = {"plot", {"Title", 5}, {"What it shows.", 14}};

static size_t times_in(Str text, const char *part)
{
    size_t count = 0;

    for (const char *at = text.bytes; (at = strstr(at, part)) != NULL; at++)
        count++;
    return count;
}

/* Well formed, and every number is one. */
static void is_sound(const Buf *svg)
{
    assert_false(buf_failed(svg));
    assert_html_balanced(buf_str(svg));
    assert_null(strstr(buf_cstr(svg), "nan"));
    assert_null(strstr(buf_cstr(svg), "inf"));
    assert_null(strstr(buf_cstr(svg), "\"-0.00"));
}

/* As tests/golden/`file`; look at a new one in a browser before it is copied there. */
static void is_golden(const Buf *svg, const char *file)
{
    const char *source = getenv("WARG_SOURCE");
    CLEANUP(buf_done) Buf golden = {0};
    char path[4096];
    char block[4096];
    size_t n;

    if (!source)
        fail_msg("WARG_SOURCE is not set: run the test through ./dev test");
    snprintf(path, sizeof(path), "%s/tests/golden/%s", source, file);
    FILE *in = fopen(path, "r");
    if (!in)
        fail_msg("no %s; the plot is:\n%s", path, buf_cstr(svg));
    while ((n = fread(block, 1, sizeof(block), in)) > 0)
        buf_add(&golden, (Str){block, n});
    fclose(in);
    assert_string_equal(buf_cstr(svg), buf_cstr(&golden));
}

static void a_small_plot_has_just_this_text(void **state)
{
    CLEANUP(buf_done) Buf svg = {0};
    PlotBar bars[] = {{STR("alice"), {0.5, 0.4, 0.6}}, {STR("a<b"), {0.25, 0.2, 0.3}}};
    BarPlot plot = {name, bars, 2, 0.375, STR("all")};
    (void)state;

    svg_bars(&plot, &svg);
    is_sound(&svg);
    is_golden(&svg, "plot-bars.svg");
}

static void a_small_matrix_has_just_this_text(void **state)
{
    CLEANUP(buf_done) Buf svg = {0};
    Str names[] = {STR("a"), STR("b")};
    Tally cells[] = {{0, 0}, {4, 3}, {4, 1}, {0, 0}};
    (void)state;

    svg_heat(&(HeatPlot){name, names, cells, 2}, &svg);
    is_sound(&svg);
    is_golden(&svg, "plot-heat.svg");
}

static void nothing_to_show_is_a_plot_without_marks(void **state)
{
    CLEANUP(buf_done) Buf svg = {0};
    PlotSeries empty = {STR("alice"), NULL, 0};
    (void)state;

    svg_bars(&(BarPlot){name, NULL, 0, -1, STR("")}, &svg);
    svg_lines(&(LinePlot){name, NULL, 0, true, STR("games")}, &svg);
    svg_lines(&(LinePlot){name, &empty, 1, true, STR("games")}, &svg);
    svg_heat(&(HeatPlot){name, NULL, NULL, 0}, &svg);
    is_sound(&svg);
    assert_null(strstr(buf_cstr(&svg), "<circle"));
}

static void one_agent_with_one_game_fits(void **state)
{
    CLEANUP(buf_done) Buf svg = {0};
    PlotBar bar = {STR("alice"), {1, 0.2065, 1}};
    PlotPoint point = {1, {1, 0.2065, 1}};
    PlotSeries series = {STR("alice"), &point, 1};
    Tally cell = {0, 0};
    Str alice = STR("alice");
    (void)state;

    svg_bars(&(BarPlot){name, &bar, 1, 1, STR("all")}, &svg);
    svg_lines(&(LinePlot){name, &series, 1, true, STR("games")}, &svg);
    svg_heat(&(HeatPlot){name, &alice, &cell, 1}, &svg);
    is_sound(&svg);
    assert_int_equal(times_in(buf_str(&svg), "<circle"), 2);
}

static void numbers_that_are_none_are_drawn_at_zero(void **state)
{
    CLEANUP(buf_done) Buf svg = {0};
    Interval bad = {(double)NAN, -(double)INFINITY, (double)INFINITY};
    PlotBar bar = {STR("alice"), bad};
    PlotPoint points[] = {{(double)NAN, bad}, {(double)INFINITY, bad}, {2, {-0.0, -5, 7}}};
    PlotSeries series = {STR("alice"), points, 3};
    (void)state;

    svg_bars(&(BarPlot){name, &bar, 1, (double)NAN, STR("all")}, &svg);
    svg_lines(&(LinePlot){name, &series, 1, true, STR("games")}, &svg);
    svg_span(bad, (double)NAN, &svg);
    is_sound(&svg);
}

static void a_hundred_agents_are_all_drawn(void **state)
{
    CLEANUP(buf_done) Buf svg = {0};
    PlotBar bars[100];
    PlotSeries series[100];
    Str names[100];
    Tally *cells = test_calloc(100 * 100, sizeof(*cells));
    PlotPoint points[] = {{1, {0.5, 0, 1}}, {2, {0.5, 0.1, 0.9}}};
    (void)state;

    for (size_t i = 0; i < 100; i++) {
        names[i] = STR("agent");
        bars[i] = (PlotBar){names[i], {(double)i / 100, (double)i / 200, (double)(i + 100) / 200}};
        series[i] = (PlotSeries){names[i], points, 2};
    }
    svg_bars(&(BarPlot){name, bars, 100, 0.5, STR("all")}, &svg);
    is_sound(&svg);
    assert_int_equal(times_in(buf_str(&svg), "<circle"), 100);

    buf_clear(&svg);
    svg_lines(&(LinePlot){name, series, 100, false, STR("games")}, &svg);
    is_sound(&svg);
    assert_int_equal(times_in(buf_str(&svg), "<polyline"), PLOT_SERIES_MAX);

    buf_clear(&svg);
    svg_heat(&(HeatPlot){name, names, cells, 100}, &svg);
    is_sound(&svg);
    assert_int_equal(times_in(buf_str(&svg), "<rect"), PLOT_HEAT_MAX * PLOT_HEAT_MAX);
    test_free(cells);
}

static void a_long_line_is_thinned_out_and_keeps_its_ends(void **state)
{
    CLEANUP(buf_done) Buf svg = {0};
    PlotPoint *points = test_calloc(100000, sizeof(*points));
    PlotSeries series = {STR("alice"), points, 100000};
    (void)state;

    for (size_t i = 0; i < series.count; i++)
        points[i] = (PlotPoint){(double)(i + 1), {0.5, 0.4, 0.6}};
    svg_lines(&(LinePlot){name, &series, 1, false, STR("games")}, &svg);
    is_sound(&svg);
    const char *drawn = strstr(buf_cstr(&svg), "<polyline");
    assert_non_null(drawn);
    assert_int_equal(times_in((Str){drawn, strcspn(drawn, ">")}, ",500.0 ") >= PLOT_POINTS_MAX, 1);
    assert_non_null(strstr(drawn, "points=\"0.0,500.0 "));
    assert_non_null(strstr(drawn, " 1000.0,500.0 \""));
    assert_true(svg.len < 6000);
    test_free(points);
}

static void the_same_data_gives_the_same_bytes(void **state)
{
    CLEANUP(buf_done) Buf one = {0};
    CLEANUP(buf_done) Buf two = {0};
    PlotPoint points[] = {{1, {1, 0.2, 1}}, {7, {0.3, 0.1, 0.6}}};
    PlotSeries series[] = {{STR("alice"), points, 2}, {STR("bob"), points, 1}};
    (void)state;

    svg_lines(&(LinePlot){name, series, 2, true, STR("games")}, &one);
    svg_lines(&(LinePlot){name, series, 2, true, STR("games")}, &two);
    is_sound(&one);
    assert_string_equal(buf_cstr(&one), buf_cstr(&two));
}

static void names_stay_text(void **state)
{
    CLEANUP(buf_done) Buf out = {0};
    (void)state;

    html_text(STR("<script>\"a\" & 'b'</script>\n\xFF\x00z"), &out);
    assert_string_equal(buf_cstr(&out), "&lt;script&gt;&quot;a&quot; &amp; &#39;b&#39;"
                                        "&lt;/script&gt;\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBDz");
    buf_clear(&out);
    html_text(STR("ab\xE2\x80\xAE"
                  "cd \xE4\xBA\xBA\xE7\x8B\xBC"),
              &out); /* right-to-left override */
    assert_string_equal(buf_cstr(&out), "ab\xEF\xBF\xBD"
                                        "cd \xE4\xBA\xBA\xE7\x8B\xBC");
    buf_clear(&out);
    html_text_cut(STR("<<<<<<"), 4, &out);
    assert_string_equal(buf_cstr(&out), "&lt;&lt;&lt;\xE2\x80\xA6");
    buf_clear(&out);
    html_text_cut(STR("\xE4\xBA\xBA\xE7\x8B\xBC\xE4\xBA\xBA"), 5, &out);
    assert_string_equal(buf_cstr(&out), "\xE4\xBA\xBA\xE7\x8B\xBC\xE2\x80\xA6");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_small_plot_has_just_this_text),
        cmocka_unit_test(a_small_matrix_has_just_this_text),
        cmocka_unit_test(nothing_to_show_is_a_plot_without_marks),
        cmocka_unit_test(one_agent_with_one_game_fits),
        cmocka_unit_test(numbers_that_are_none_are_drawn_at_zero),
        cmocka_unit_test(a_hundred_agents_are_all_drawn),
        cmocka_unit_test(a_long_line_is_thinned_out_and_keeps_its_ends),
        cmocka_unit_test(the_same_data_gives_the_same_bytes),
        cmocka_unit_test(names_stay_text),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
