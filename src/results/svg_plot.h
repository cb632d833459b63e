/* svg_plot.h - draws plots of rates as SVG: intervals, lines over games, a matrix of pairs.
 *
 * For:    the report; any page that puts svg_plot_css() into its style sheet. An <svg> of ours
 *         stands inside HTML, fills the width it is given, and keeps its letters at their size.
 * Memory: appends to the caller's Buf; texts are borrowed for the call.
 * Thread: pure.
 * Source: SVG 1.1; colours after M. Okabe and K. Ito, "Color Universal Design" (2008), darkened
 *         until they have a contrast of 3:1 on white (WCAG 2.1, 1.4.11), lightened for dark pages.
 *
 * The same data gives the same bytes: numbers have fixed decimals, and what is not finite is
 * drawn at 0. Nothing is told by colour alone: lines have dashes and a number, cells a figure.
 *
 * Places across are percentages, so that a plot is as wide as the page; places down are pixels.
 * Lines, which can't have percentages, lie in an inner <svg> that is stretched while the width of
 * its strokes is not.
 */
#ifndef WARG_RESULTS_SVG_PLOT_H
#define WARG_RESULTS_SVG_PLOT_H

#include "base/buf.h"
#include "stats/standings.h"

#define PLOT_SERIES_MAX 8   /* as many kinds of lines as can be told apart */
#define PLOT_POINTS_MAX 200 /* of one line; more are thinned out */
#define PLOT_HEAT_MAX   24  /* rows of a matrix whose figures can still be read */

/* What a plot is called by those who can't see it. `id` is a word of ours, once on a page. */
typedef struct PlotName {
    const char *id;
    Str title;
    Str description;
} PlotName;

/* The rules of style that all plots need, for light and dark pages and for paper. */
Str svg_plot_css(void);
/* The declarations of its colours alone, for pages that choose between light and dark themselves.
 */
const char *svg_plot_colors(bool dark);

/* ---- a rate with its interval for each name ---- */

typedef struct PlotBar {
    Str name;
    Interval rate;
} PlotBar;

typedef struct BarPlot {
    PlotName name;
    const PlotBar *bars;
    size_t count;
    double reference; /* a line across all; not drawn when negative */
    Str reference_name;
} BarPlot;

void svg_bars(const BarPlot *plot, Buf *out);

/* One interval on a scale from 0 to 1, for a cell of a table that says the figures beside it;
 * `reference` as above. */
void svg_span(Interval rate, double reference, Buf *out);

/* ---- rates over games ---- */

typedef struct PlotPoint {
    double x;
    Interval rate;
} PlotPoint;

typedef struct PlotSeries {
    Str name;
    const PlotPoint *points; /* by ascending x */
    size_t count;
} PlotSeries;

typedef struct LinePlot {
    PlotName name;
    const PlotSeries *series; /* those behind PLOT_SERIES_MAX are left out */
    size_t count;
    bool bands; /* the interval as a band around each line; for few lines */
    Str x_name;
} LinePlot;

void svg_lines(const LinePlot *plot, Buf *out);

/* The stroke of line `number` from 0, for a legend. */
void svg_line_sample(size_t number, Buf *out);

/* ---- who wins against whom ---- */

typedef struct HeatPlot {
    PlotName name;
    const Str *names;   /* of rows and columns */
    const Tally *cells; /* [row * count + column]: wins of the row's name against the column's */
    size_t count;       /* those behind PLOT_HEAT_MAX are left out */
} HeatPlot;

/* The columns carry the numbers of the rows. */
void svg_heat(const HeatPlot *plot, Buf *out);

#endif
