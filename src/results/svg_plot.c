#include "results/svg_plot.h"

#include "base/utf8.h"
#include "results/html_text.h"

#include <math.h>

#define LINE_HEIGHT 15 /* of a text, px */

/* ---- style ---- */

/* Colours are named once here and used by class, so that a page turns dark without a new plot. */
#define COLORS_LIGHT                                                                               \
    "--p0:#0072b2;--p1:#c75000;--p2:#007a5a;--p3:#b04a8b;--p4:#966500;--p5:#3d86b8;"               \
    "--p6:#4d4d4d;--p7:#7358b5;--plot-grid:#dde2e7;--plot-axis:#8b949e;--plot-mark:#0072b2;"       \
    "--plot-high:#4a97cf;--plot-low:#eb9a4b;--plot-muted:#59636e;--plot-paper:#ffffff;"
#define COLORS_DARK                                                                                \
    "--p0:#5ab4ec;--p1:#ff9155;--p2:#45cfa3;--p3:#ef9fd0;--p4:#e8b53c;--p5:#a6d8f7;"               \
    "--p6:#c9ced4;--p7:#b7a5f0;--plot-grid:#30373e;--plot-axis:#6e7781;--plot-mark:#5ab4ec;"       \
    "--plot-high:#2b7fbd;--plot-low:#b8651b;--plot-muted:#a3adb8;--plot-paper:#14181c;"

const char *svg_plot_colors(bool dark)
{
    return dark ? COLORS_DARK : COLORS_LIGHT;
}

Str svg_plot_css(void)
{
    return STR(
        ":root{" COLORS_LIGHT "}\n"
        "@media screen and (prefers-color-scheme:dark){:root{" COLORS_DARK "}}\n"
        ".plot,.span,.sample{display:block;overflow:visible}\n"
        ".plot{width:100%;fill:currentColor;font-size:13px;font-variant-numeric:tabular-nums}\n"
        ".plot .g,.span .g{stroke:var(--plot-grid);stroke-width:1}\n"
        ".plot .a{stroke:var(--plot-axis);stroke-width:1}\n"
        ".plot .r,.span .r{stroke:var(--plot-axis);stroke-width:1.5;stroke-dasharray:4 3}\n"
        ".plot .m{fill:var(--plot-muted);font-size:12px}\n"
        ".plot .i,.span .i{stroke:var(--plot-mark);stroke-width:2}\n"
        ".plot .d,.span .d{fill:var(--plot-mark)}\n"
        ".plot .h{paint-order:stroke;stroke:var(--plot-paper);stroke-width:4px;"
        "stroke-linejoin:round}\n"
        ".plot .l,.sample .l{fill:none;stroke-width:2;stroke-linejoin:round;"
        "vector-effect:non-scaling-stroke}\n"
        ".plot .b{stroke:none;opacity:.13}\n"
        ".plot .hi{fill:var(--plot-high)}.plot .lo{fill:var(--plot-low)}"
        ".plot .no{fill:var(--plot-grid)}\n"
        ".s0{stroke:var(--p0)}.f0{fill:var(--p0)}"
        ".s1{stroke:var(--p1);stroke-dasharray:7 3}.f1{fill:var(--p1)}"
        ".s2{stroke:var(--p2);stroke-dasharray:2 2}.f2{fill:var(--p2)}"
        ".s3{stroke:var(--p3);stroke-dasharray:10 3 2 3}.f3{fill:var(--p3)}\n"
        ".s4{stroke:var(--p4);stroke-dasharray:14 4}.f4{fill:var(--p4)}"
        ".s5{stroke:var(--p5);stroke-dasharray:5 2 1 2 1 2}.f5{fill:var(--p5)}"
        ".s6{stroke:var(--p6);stroke-dasharray:4 4}.f6{fill:var(--p6)}"
        ".s7{stroke:var(--p7);stroke-dasharray:1 3}.f7{fill:var(--p7)}\n");
}

/* ---- numbers ---- */

/* With `decimals` digits behind the point, never "-0.00", 0 for what is not finite. */
static void add_number(double value, int decimals, Buf *out)
{
    double unit = pow(10, decimals);

    if (!isfinite(value) || fabs(value) * unit < 0.5)
        value = 0;
    buf_printf(out, "%.*f", decimals, value);
}

/* ` name="12.34"`, with a unit behind the number. */
static void add_attribute(const char *name, double value, const char *unit, Buf *out)
{
    buf_printf(out, " %s=\"", name);
    add_number(value, 2, out);
    buf_printf(out, "%s\"", unit);
}

/* 12,345 */
static void add_grouped(uint64_t value, Buf *out)
{
    if (value >= 1000) {
        add_grouped(value / 1000, out);
        buf_printf(out, ",%03u", (unsigned)(value % 1000));
    } else {
        buf_printf(out, "%u", (unsigned)value);
    }
}

static void add_percent(double rate, int decimals, Buf *out)
{
    add_number(100 * rate, decimals, out);
    buf_add(out, STR("\xC2\xA0%")); /* no line break before the sign */
}

/* What the plots can place: finite, within 0..1. */
static double fit_rate(double rate)
{
    return isfinite(rate) ? fmin(1, fmax(0, rate)) : 0;
}

/* ---- the scale of a rate ---- */

typedef struct Scale {
    double low;
    double high;
    double step; /* between two ticks */
} Scale;

/* The nearest round scale around what is shown, with at most six steps. */
static Scale scale_around(double low, double high)
{
    static const double steps[] = {0.01, 0.02, 0.05, 0.1, 0.2, 0.25};
    Scale scale = {0, 1, 0.25};

    low = fit_rate(low);
    high = fmax(low, fit_rate(high));
    for (size_t i = 0; i < sizeof(steps) / sizeof(steps[0]); i++) {
        scale.step = steps[i];
        scale.low = floor(low / steps[i] + 1e-9) * steps[i];
        scale.high = fmin(1, ceil(high / steps[i] - 1e-9) * steps[i]);
        if (scale.high - scale.low < steps[i] / 2) /* a single value on a tick */
            scale.high = scale.low + steps[i];
        if (scale.high - scale.low < 6.5 * steps[i])
            break;
    }
    if (scale.high > 1.0001) {
        scale.high = 1;
        scale.low = 1 - scale.step;
    }
    return scale;
}

static unsigned scale_ticks(Scale scale)
{
    return (unsigned)lround((scale.high - scale.low) / scale.step) + 1;
}

static double scale_tick(Scale scale, unsigned number)
{
    return fmin(1, scale.low + number * scale.step);
}

/* Where `rate` lies on the scale, from 0 to 1; may be outside. */
static double scale_place(Scale scale, double rate)
{
    return (fit_rate(rate) - scale.low) / (scale.high - scale.low);
}

/* ---- frame ---- */

static void plot_open(const PlotName *name, double height, Buf *out)
{
    buf_printf(out,
               "<svg class=\"plot\" width=\"100%%\" height=\"%.0f\" role=\"img\""
               " aria-labelledby=\"%s-t %s-d\">\n<title id=\"%s-t\">",
               height, name->id, name->id, name->id);
    html_text(name->title, out);
    buf_printf(out, "</title><desc id=\"%s-d\">", name->id);
    html_text(name->description, out);
    buf_printf(out, "</desc>\n");
}

static void plot_close(Buf *out)
{
    buf_printf(out, "</svg>\n");
}

/* <text> at `x` percent and `y` pixels; `anchor` is start, middle or end. */
static void open_text(double x, double y, const char *anchor, const char *class, Buf *out)
{
    buf_printf(out, "<text");
    add_attribute("x", x, "%", out);
    buf_printf(out, " y=\"%.1f\"", y);
    if (strcmp(anchor, "start") != 0)
        buf_printf(out, " text-anchor=\"%s\"", anchor);
    if (class[0])
        buf_printf(out, " class=\"%s\"", class);
    buf_add_char(out, '>');
}

static void add_line(double x1, double y1, double x2, double y2, const char *class, Buf *out)
{
    buf_printf(out, "<line class=\"%s\"", class);
    add_attribute("x1", x1, "%", out);
    buf_printf(out, " y1=\"%.1f\"", y1);
    add_attribute("x2", x2, "%", out);
    buf_printf(out, " y2=\"%.1f\"/>", y2);
}

/* ---- intervals ---- */

#define BAR_HEIGHT 24
#define BAR_NAMES  24.0 /* percent of the width; the scale begins 3 % behind */
#define BAR_LEFT   27.0
#define BAR_WIDTH  70.0

static Scale scale_of_bars(const BarPlot *plot)
{
    double low = 1, high = 0;

    for (size_t i = 0; i < plot->count; i++) {
        low = fmin(low, fit_rate(plot->bars[i].rate.low));
        high = fmax(high, fit_rate(plot->bars[i].rate.high));
    }
    if (plot->count == 0)
        return scale_around(0, 1);
    if (plot->reference >= 0) {
        low = fmin(low, fit_rate(plot->reference));
        high = fmax(high, fit_rate(plot->reference));
    }
    return scale_around(low, high);
}

static double bar_x(Scale scale, double rate)
{
    return BAR_LEFT + BAR_WIDTH * scale_place(scale, rate);
}

static void draw_bar(const PlotBar *bar, Scale scale, double y, Buf *out)
{
    double low = bar_x(scale, bar->rate.low), high = bar_x(scale, bar->rate.high);

    buf_printf(out, "<g><title>");
    html_text(bar->name, out);
    buf_printf(out, ": ");
    add_percent(fit_rate(bar->rate.rate), 1, out);
    buf_printf(out, " (");
    add_percent(fit_rate(bar->rate.low), 1, out);
    buf_printf(out, " \xE2\x80\x93 ");
    add_percent(fit_rate(bar->rate.high), 1, out);
    buf_printf(out,
               ")</title><svg x=\"0\" y=\"%.1f\" width=\"%.0f%%\" height=\"%d\""
               " overflow=\"hidden\">",
               y - BAR_HEIGHT / 2.0, BAR_NAMES, BAR_HEIGHT);
    open_text(0, 16, "start", "", out);
    html_text_cut(bar->name, 32, out);
    buf_printf(out, "</text></svg>");
    add_line(low, y, high, y, "i", out);
    add_line(low, y - 4, low, y + 4, "i", out);
    add_line(high, y - 4, high, y + 4, "i", out);
    buf_printf(out, "<circle class=\"d\"");
    add_attribute("cx", bar_x(scale, bar->rate.rate), "%", out);
    buf_printf(out, " cy=\"%.1f\" r=\"4.5\"/></g>\n", y);
}

void svg_bars(const BarPlot *plot, Buf *out)
{
    Scale scale = scale_of_bars(plot);
    double top = plot->reference >= 0 ? LINE_HEIGHT + 4 : 2;
    double bottom = top + (double)plot->count * BAR_HEIGHT + 4;

    plot_open(&plot->name, bottom + LINE_HEIGHT + 4, out);
    for (unsigned i = 0; i < scale_ticks(scale); i++) {
        double x = bar_x(scale, scale_tick(scale, i));
        add_line(x, top, x, bottom, "g", out);
        open_text(x, bottom + LINE_HEIGHT, "middle", "m", out);
        add_percent(scale_tick(scale, i), 0, out);
        buf_printf(out, "</text>\n");
    }
    if (plot->reference >= 0) {
        double x = bar_x(scale, plot->reference);
        add_line(x, top - 2, x, bottom, "r", out);
        open_text(x, LINE_HEIGHT - 4, "middle", "m", out);
        html_text(plot->reference_name, out);
        buf_add_char(out, ' ');
        add_percent(fit_rate(plot->reference), 1, out);
        buf_printf(out, "</text>\n");
    }
    for (size_t i = 0; i < plot->count; i++)
        draw_bar(&plot->bars[i], scale, top + 2 + ((double)i + 0.5) * BAR_HEIGHT, out);
    plot_close(out);
}

void svg_span(Interval rate, double reference, Buf *out)
{
    buf_printf(out, "<svg class=\"span\" width=\"100%%\" height=\"9\" aria-hidden=\"true\">");
    add_line(0, 8.5, 100, 8.5, "g", out);
    if (reference >= 0)
        add_line(100 * fit_rate(reference), 0, 100 * fit_rate(reference), 8, "r", out);
    add_line(100 * fit_rate(rate.low), 4, 100 * fit_rate(rate.high), 4, "i", out);
    buf_printf(out, "<circle class=\"d\"");
    add_attribute("cx", 100 * fit_rate(rate.rate), "%", out);
    buf_printf(out, " cy=\"4\" r=\"3\"/></svg>");
}

/* ---- lines ---- */

#define LINES_TOP    16
#define LINES_HEIGHT 260
#define LINES_WIDTH  93.0   /* percent; the numbers of the lines stand behind */
#define LINES_UNIT   1000.0 /* the inner drawing is 1000 by 1000 */

/* The places across and up that the inner drawing shows. */
typedef struct Frame {
    double last; /* across, from 0 */
    Scale scale;
} Frame;

static size_t series_shown(const LinePlot *plot)
{
    return plot->count < PLOT_SERIES_MAX ? plot->count : PLOT_SERIES_MAX;
}

/* The first games swing between 0 and 1 and say little: a rate counts for the scale once its
 * interval is at most so many times as wide as that at the end. What is beyond is cut off. */
#define SETTLED 2.5

static void widen_by(const PlotSeries *series, double *low, double *high)
{
    Interval end = series->points[series->count - 1].rate;

    *low = fmin(*low, fit_rate(end.low));
    *high = fmax(*high, fit_rate(end.high));
    for (size_t i = 0; i < series->count; i++) {
        Interval rate = series->points[i].rate;
        if (rate.high - rate.low > SETTLED * (end.high - end.low))
            continue;
        *low = fmin(*low, fit_rate(rate.rate));
        *high = fmax(*high, fit_rate(rate.rate));
    }
}

/* From 0 games on. */
static Frame frame_of(const LinePlot *plot)
{
    double last = 0, low = 1, high = 0;

    for (size_t s = 0; s < series_shown(plot); s++) {
        const PlotSeries *series = &plot->series[s];
        if (series->count == 0)
            continue;
        if (isfinite(series->points[series->count - 1].x))
            last = fmax(last, series->points[series->count - 1].x);
        widen_by(series, &low, &high);
    }
    if (last <= 0)
        return (Frame){1, scale_around(0, 1)};
    return (Frame){last, scale_around(low, high)};
}

static double line_x(const Frame *frame, double x)
{
    return isfinite(x) ? fmin(1, fmax(0, x / frame->last)) : 0;
}

static void add_point(const Frame *frame, double x, double rate, Buf *out)
{
    add_number(LINES_UNIT * line_x(frame, x), 1, out);
    buf_add_char(out, ',');
    add_number(LINES_UNIT * (1 - scale_place(frame->scale, rate)), 1, out);
    buf_add_char(out, ' ');
}

/* Index of the point number `i` of those that are drawn: evenly spread, the first and the last
 * always among them. */
static size_t drawn_index(const PlotSeries *series, size_t i)
{
    if (series->count <= PLOT_POINTS_MAX)
        return i;
    return i * (series->count - 1) / (PLOT_POINTS_MAX - 1);
}

static size_t drawn_count(const PlotSeries *series)
{
    return series->count < PLOT_POINTS_MAX ? series->count : PLOT_POINTS_MAX;
}

static void draw_band(const PlotSeries *series, const Frame *frame, size_t number, Buf *out)
{
    size_t count = drawn_count(series);

    buf_printf(out, "<polygon class=\"b f%zu\" points=\"", number);
    for (size_t i = 0; i < count; i++) {
        const PlotPoint *point = &series->points[drawn_index(series, i)];
        add_point(frame, point->x, point->rate.high, out);
    }
    for (size_t i = count; i-- > 0;) {
        const PlotPoint *point = &series->points[drawn_index(series, i)];
        add_point(frame, point->x, point->rate.low, out);
    }
    buf_printf(out, "\"/>\n");
}

static void draw_series(const PlotSeries *series, const Frame *frame, size_t number, Buf *out)
{
    buf_printf(out, "<g><title>%zu ", number + 1);
    html_text(series->name, out);
    buf_printf(out, "</title><polyline class=\"l s%zu\" points=\"", number);
    for (size_t i = 0; i < drawn_count(series); i++) {
        const PlotPoint *point = &series->points[drawn_index(series, i)];
        add_point(frame, point->x, point->rate.rate, out);
    }
    buf_printf(out, "\"/></g>\n");
}

/* The number of each line stands at its end; those that would touch are moved apart. */
static void draw_ends(const LinePlot *plot, const Frame *frame, Buf *out)
{
    double at[PLOT_SERIES_MAX] = {0};
    size_t order[PLOT_SERIES_MAX] = {0}; /* from the top down */
    size_t count = 0;

    for (size_t s = 0; s < series_shown(plot); s++) {
        const PlotSeries *series = &plot->series[s];
        if (series->count == 0)
            continue;
        double rate = series->points[series->count - 1].rate.rate;
        at[s] = LINES_TOP + LINES_HEIGHT * (1 - scale_place(frame->scale, rate));
        size_t place = count++;
        for (; place > 0 && at[order[place - 1]] > at[s]; place--)
            order[place] = order[place - 1];
        order[place] = s;
    }
    double shift = 0; /* a crowd at the bottom is moved up as a whole */
    double next = LINES_TOP - 100;
    for (size_t i = 0; i < count; i++)
        next = fmax(at[order[i]], next + LINE_HEIGHT);
    if (next > LINES_TOP + LINES_HEIGHT)
        shift = next - LINES_TOP - LINES_HEIGHT;
    next = LINES_TOP - 100;
    buf_printf(out, "<svg x=\"%.0f%%\" overflow=\"visible\">\n", LINES_WIDTH);
    for (size_t i = 0; i < count; i++) {
        size_t s = order[i];
        next = fmax(at[s] - shift, next + LINE_HEIGHT);
        buf_printf(out,
                   "<circle class=\"f%zu\" cx=\"8\" cy=\"%.1f\" r=\"4\"/>"
                   "<text x=\"17\" y=\"%.1f\">%zu</text>\n",
                   s, next, next + 4.5, s + 1);
    }
    buf_printf(out, "</svg>\n");
}

static void draw_line_axes(const LinePlot *plot, const Frame *frame, Buf *out)
{
    static const char *const anchors[] = {"start", "middle", "end"};
    double bottom = LINES_TOP + LINES_HEIGHT;

    for (unsigned i = 0; i < scale_ticks(frame->scale); i++) {
        double rate = scale_tick(frame->scale, i);
        double y = bottom - LINES_HEIGHT * scale_place(frame->scale, rate);
        add_line(0, y, LINES_WIDTH, y, i == 0 ? "a" : "g", out);
        buf_add_char(out, '\n');
    }
    for (int i = 0; i <= 2; i++) {
        open_text(LINES_WIDTH * i / 2, bottom + LINE_HEIGHT + 2, anchors[i], "m", out);
        add_grouped((uint64_t)(frame->last * i / 2), out);
        buf_printf(out, "</text>");
    }
    buf_add_char(out, '\n');
    open_text(LINES_WIDTH / 2, bottom + 2 * LINE_HEIGHT + 4, "middle", "m", out);
    html_text(plot->x_name, out);
    buf_printf(out, "</text>\n");
}

/* Over the lines, with a rim in the colour of the page. */
static void draw_line_ticks(const Frame *frame, Buf *out)
{
    for (unsigned i = 0; i < scale_ticks(frame->scale); i++) {
        double rate = scale_tick(frame->scale, i);
        double y = LINES_TOP + LINES_HEIGHT * (1 - scale_place(frame->scale, rate));
        open_text(0, y - 4, "start", "m h", out);
        add_percent(rate, 0, out);
        buf_printf(out, "</text>\n");
    }
}

void svg_lines(const LinePlot *plot, Buf *out)
{
    Frame frame = frame_of(plot);

    plot_open(&plot->name, LINES_TOP + LINES_HEIGHT + 2 * LINE_HEIGHT + 10, out);
    draw_line_axes(plot, &frame, out);
    buf_printf(out,
               "<svg x=\"0\" y=\"%d\" width=\"%.0f%%\" height=\"%d\" viewBox=\"0 0 %.0f %.0f\""
               " preserveAspectRatio=\"none\" overflow=\"hidden\">\n",
               LINES_TOP, LINES_WIDTH, LINES_HEIGHT, LINES_UNIT, LINES_UNIT);
    for (size_t s = 0; plot->bands && s < series_shown(plot); s++)
        draw_band(&plot->series[s], &frame, s, out);
    for (size_t s = series_shown(plot); s-- > 0;) /* the first lies on top */
        draw_series(&plot->series[s], &frame, s, out);
    buf_printf(out, "</svg>\n");
    draw_line_ticks(&frame, out);
    draw_ends(plot, &frame, out);
    plot_close(out);
}

void svg_line_sample(size_t number, Buf *out)
{
    buf_printf(out,
               "<svg class=\"sample\" width=\"40\" height=\"10\" aria-hidden=\"true\">"
               "<line class=\"l s%zu\" x1=\"0\" y1=\"5\" x2=\"40\" y2=\"5\"/></svg>",
               number % PLOT_SERIES_MAX);
}

/* ---- matrix ---- */

#define HEAT_HEIGHT 26
#define HEAT_LEFT   26.0 /* percent, behind the names */
#define HEAT_TOP    20

static void draw_cell(const HeatPlot *plot, size_t row, size_t column, double x, double width,
                      Buf *out)
{
    Tally cell = plot->cells[row * plot->count + column];
    double y = HEAT_TOP + (double)row * HEAT_HEIGHT;
    double rate = cell.games ? fit_rate((double)cell.wins / (double)cell.games) : 0;
    bool empty = row == column || cell.games == 0;

    buf_printf(out, "<g>");
    if (!empty) {
        buf_printf(out, "<title>");
        html_text(plot->names[row], out);
        buf_printf(out, " \xE2\x80\x93 ");
        html_text(plot->names[column], out);
        buf_printf(out, ": ");
        add_percent(rate, 1, out);
        buf_printf(out, " (%llu / %llu)</title>", (unsigned long long)cell.wins,
                   (unsigned long long)cell.games);
    }
    buf_printf(out, "<rect class=\"%s\"", empty ? "no" : rate >= 0.5 ? "hi" : "lo");
    add_attribute("x", x, "%", out);
    buf_printf(out, " y=\"%.1f\"", y);
    add_attribute("width", width, "%", out);
    buf_printf(out, " height=\"%d\"", HEAT_HEIGHT - 2);
    add_attribute("fill-opacity", empty ? 0.5 : fmin(0.8, 1.6 * fabs(rate - 0.5)), "", out);
    buf_printf(out, "/>");
    if (!empty || row != column) {
        open_text(x + width / 2, y + 16.5, "middle", empty ? "m" : "", out);
        if (empty)
            buf_add(out, STR("\xC2\xB7"));
        else
            add_number(100 * rate, 0, out);
        buf_printf(out, "</text>");
    }
    buf_printf(out, "</g>");
}

void svg_heat(const HeatPlot *plot, Buf *out)
{
    size_t count = plot->count < PLOT_HEAT_MAX ? plot->count : PLOT_HEAT_MAX;
    double step = count ? fmin(8, (100 - HEAT_LEFT) / (double)count) : 0;

    plot_open(&plot->name, HEAT_TOP + (double)count * HEAT_HEIGHT, out);
    for (size_t i = 0; i < count; i++) {
        open_text(HEAT_LEFT + ((double)i + 0.47) * step, HEAT_TOP - 6, "middle", "m", out);
        buf_printf(out, "%zu</text>", i + 1);
    }
    buf_add_char(out, '\n');
    for (size_t row = 0; row < count; row++) {
        double y = HEAT_TOP + (double)row * HEAT_HEIGHT;
        buf_printf(out,
                   "<svg x=\"0\" y=\"%.1f\" width=\"%.0f%%\" height=\"%d\" overflow=\"hidden\">", y,
                   HEAT_LEFT - 2, HEAT_HEIGHT);
        buf_printf(out,
                   "<text x=\"20\" y=\"16.5\" text-anchor=\"end\" class=\"m\">%zu</text>"
                   "<text x=\"28\" y=\"16.5\">",
                   row + 1);
        html_text_cut(plot->names[row], 32, out);
        buf_printf(out, "</text></svg>");
        for (size_t column = 0; column < count; column++)
            draw_cell(plot, row, column, HEAT_LEFT + (double)column * step, step * 0.94, out);
        buf_add_char(out, '\n');
    }
    plot_close(out);
}
