#include "web/contest_table.h"

#include "base/date_text.h"
#include "base/json.h"
#include "results/html_text.h"
#include "results/report_page.h"
#include "results/svg_plot.h"
#include "web/contest_words.h"

#include <math.h>

/* ---- filling ---- */

void contest_table_begin(ContestTable *table, const ContestColumn *columns, size_t count)
{
    table->columns = columns;
    table->column_count = count < CONTEST_COLUMNS_MAX ? count : CONTEST_COLUMNS_MAX;
}

void contest_table_done(ContestTable *table)
{
    mem_free(table->cells);
    buf_done(&table->texts);
    *table = (ContestTable){0};
}

bool contest_table_failed(const ContestTable *table)
{
    return table->failed || buf_failed(&table->texts);
}

void contest_table_clear(ContestTable *table)
{
    table->row_count = 0;
    table->filled = 0;
    buf_clear(&table->texts);
}

void contest_table_row(ContestTable *table)
{
    if (table->row_count == table->row_room && !table->failed) {
        size_t room = table->row_room ? table->row_room * 2 : 64;
        ContestCell *cells =
            mem_resize(table->cells, room * table->column_count, sizeof(*table->cells));
        table->failed = cells == NULL;
        if (cells) {
            table->cells = cells;
            table->row_room = room;
        }
    }
    if (table->failed)
        return;
    memset(&table->cells[table->row_count * table->column_count], 0,
           table->column_count * sizeof(*table->cells));
    table->row_count++;
    table->filled = 0;
}

static const ContestCell *cell_at(const ContestTable *table, size_t row, size_t column)
{
    return &table->cells[row * table->column_count + column];
}

/* The next cell of the last row; NULL without memory. */
static ContestCell *next_cell(ContestTable *table)
{
    if (table->failed || table->row_count == 0 || table->filled >= table->column_count)
        return NULL;
    ContestCell *cell =
        &table->cells[(table->row_count - 1) * table->column_count + table->filled++];
    cell->there = true;
    return cell;
}

static ContestCell *last_cell(const ContestTable *table)
{
    if (table->failed || table->row_count == 0 || table->filled == 0)
        return NULL;
    return &table->cells[(table->row_count - 1) * table->column_count + table->filled - 1];
}

void contest_table_none(ContestTable *table)
{
    ContestCell *cell = next_cell(table);

    if (cell)
        cell->there = false;
}

void contest_table_text(ContestTable *table, Str text)
{
    ContestCell *cell = next_cell(table);

    if (!cell)
        return;
    cell->there = text.len > 0;
    cell->text = (uint32_t)table->texts.len;
    cell->text_len = (uint32_t)text.len;
    buf_add(&table->texts, text);
}

void contest_table_count(ContestTable *table, uint64_t count)
{
    ContestCell *cell = next_cell(table);

    if (cell)
        cell->number = count > INT64_MAX ? INT64_MAX : (int64_t)count;
}

void contest_table_rate(ContestTable *table, Tally tally)
{
    ContestCell *cell = next_cell(table);

    if (!cell)
        return;
    Interval rate = wilson_interval(tally.wins, tally.games, Z_95);
    cell->there = tally.games > 0;
    cell->tally = tally;
    cell->value = rate.rate;
    cell->low = rate.low;
    cell->high = rate.high;
}

void contest_table_share(ContestTable *table, double share)
{
    ContestCell *cell = next_cell(table);

    if (cell)
        cell->value = share;
}

void contest_table_strength(ContestTable *table, double points, double low, double high)
{
    ContestCell *cell = next_cell(table);

    if (!cell)
        return;
    cell->value = points;
    cell->low = low;
    cell->high = high;
}

void contest_table_us(ContestTable *table, uint64_t us)
{
    contest_table_count(table, us);
}

void contest_table_date(ContestTable *table, int64_t ms)
{
    ContestCell *cell = next_cell(table);

    if (!cell)
        return;
    cell->there = ms > 0 && ms <= DATE_MAX_MS;
    cell->number = ms;
}

void contest_table_groups(ContestTable *table, uint32_t first, uint32_t last, bool begins,
                          bool ends)
{
    ContestCell *cell = next_cell(table);

    if (!cell)
        return;
    cell->number = first;
    cell->value = last;
    cell->edges = (uint8_t)((begins ? 1 : 0) | (ends ? 2 : 0));
    if (last - first + 1 > table->lanes)
        table->lanes = last - first + 1;
}

void contest_table_address(ContestTable *table, Str address)
{
    ContestCell *cell = last_cell(table);

    if (!cell)
        return;
    cell->link = (uint32_t)table->texts.len;
    cell->link_len = (uint32_t)address.len;
    buf_add(&table->texts, address);
}

void contest_table_link(ContestTable *table, const ContestAsk *ask)
{
    CLEANUP(buf_done) Buf address = {0};

    contest_ask_link(ask, "&amp;", &address);
    if (buf_failed(&address))
        table->failed = true;
    contest_table_address(table, buf_str(&address));
}

void contest_table_code(ContestTable *table)
{
    ContestCell *cell = last_cell(table);

    if (cell)
        cell->code = true;
}

void contest_table_warn(ContestTable *table)
{
    ContestCell *cell = last_cell(table);

    if (cell)
        cell->warn = true;
}

static Str text_of(const ContestTable *table, const ContestCell *cell)
{
    return str_part(buf_str(&table->texts), cell->text, cell->text_len);
}

/* ---- order ---- */

/* The column that is sorted by; the number of columns when none is. */
static size_t sorted_column(const ContestTable *table, const ContestAsk *ask, bool *ret_down)
{
    Str key = str_of(ask->sort);
    size_t column = 0;

    *ret_down = str_starts(key, STR("-"));
    if (*ret_down)
        key = str_part(key, 1, key.len);
    while (column < table->column_count &&
           (table->columns[column].unsorted || !str_eq(str_of(table->columns[column].key), key)))
        column++;
    return column;
}

/* Rows while they are put into order. */
typedef struct SortedRow {
    const ContestTable *table;
    const ContestCell *cell;
    size_t row;
    ColumnKind kind;
    bool down;
} SortedRow;

static int compare_text(Str a, Str b)
{
    int order =
        memcmp(a.bytes ? a.bytes : "", b.bytes ? b.bytes : "", a.len < b.len ? a.len : b.len);

    return order ? order : (a.len > b.len) - (a.len < b.len);
}

static int compare_cells(const SortedRow *a, const SortedRow *b)
{
    switch (a->kind) {
    case COLUMN_NAME:
    case COLUMN_TEXT:
    case COLUMN_LONG:
        return compare_text(text_of(a->table, a->cell), text_of(b->table, b->cell));
    case COLUMN_RATE:
    case COLUMN_ROLE:
    case COLUMN_SHARE:
    case COLUMN_STRENGTH:
        return (a->cell->value > b->cell->value) - (a->cell->value < b->cell->value);
    case COLUMN_INTERVAL:
        return (a->cell->low > b->cell->low) - (a->cell->low < b->cell->low);
    case COLUMN_COUNT:
    case COLUMN_PLACE:
    case COLUMN_MS:
    case COLUMN_DATE:
    case COLUMN_GROUPS:
        break;
    }
    return (a->cell->number > b->cell->number) - (a->cell->number < b->cell->number);
}

/* What has no value comes last, either way; of equals the one that came first. */
static int compare_rows(const void *left, const void *right)
{
    const SortedRow *a = left, *b = right;
    int order = 0;

    if (a->cell->there != b->cell->there)
        return a->cell->there ? -1 : 1;
    if (a->cell->there)
        order = a->down ? compare_cells(b, a) : compare_cells(a, b);
    return order ? order : (a->row > b->row) - (a->row < b->row);
}

void contest_table_sort(ContestTable *table, const ContestAsk *ask)
{
    bool down = false;
    size_t column = sorted_column(table, ask, &down);
    size_t width = table->column_count;

    if (column == width || table->is_part || table->row_count < 2 || table->failed)
        return;
    CLEANUP(mem_freep) SortedRow *rows = mem_new(table->row_count * sizeof(*rows));
    CLEANUP(mem_freep) ContestCell *cells = mem_new(table->row_count * width * sizeof(*cells));
    if (!rows || !cells) {
        table->failed = true;
        return;
    }
    for (size_t i = 0; i < table->row_count; i++)
        rows[i] =
            (SortedRow){table, cell_at(table, i, column), i, table->columns[column].kind, down};
    qsort(rows, table->row_count, sizeof(*rows), compare_rows);
    for (size_t i = 0; i < table->row_count; i++)
        memcpy(&cells[i * width], &table->cells[rows[i].row * width], width * sizeof(*cells));
    memcpy(table->cells, cells, table->row_count * width * sizeof(*cells));
}

void contest_table_shown(const ContestTable *table, const ContestAsk *ask, size_t *ret_first,
                         size_t *ret_count)
{
    size_t first = table->is_part ? 0 : ask->from;

    if (first > table->row_count)
        first = table->row_count;
    *ret_first = first;
    *ret_count = table->row_count - first < CONTEST_ROWS ? table->row_count - first : CONTEST_ROWS;
}

static uint64_t count_of_all(const ContestTable *table)
{
    return table->is_part ? table->total : table->row_count;
}

bool contest_table_goes_on(const ContestTable *table, const ContestAsk *ask)
{
    return ask->from < count_of_all(table) && count_of_all(table) - ask->from > CONTEST_ROWS;
}

/* ---- HTML ---- */

static bool is_number(ColumnKind kind)
{
    return kind != COLUMN_NAME && kind != COLUMN_TEXT && kind != COLUMN_LONG &&
           kind != COLUMN_ROLE && kind != COLUMN_GROUPS && kind != COLUMN_INTERVAL;
}

/* From the lowest to the highest end of a column's intervals. */
static Interval scale_of(const ContestTable *table, size_t column, size_t first, size_t count)
{
    Interval scale = {0, 1, 0};

    for (size_t row = first; row < first + count; row++) {
        const ContestCell *cell = cell_at(table, row, column);
        if (cell->there) {
            scale.low = fmin(scale.low, cell->low);
            scale.high = fmax(scale.high, cell->high);
        }
    }
    if (scale.high <= scale.low)
        return (Interval){0, 0, 1};
    scale.low = floor(scale.low * 20) / 20;
    scale.high = ceil(scale.high * 20) / 20;
    return scale;
}

/* Sorting by a column: numbers from the top down first, texts from the beginning. */
static void write_sort_link(const ContestTable *table, size_t column, const ContestAsk *ask,
                            Buf *out)
{
    const ContestColumn *own = &table->columns[column];
    bool down = false, by_this = sorted_column(table, ask, &down) == column;
    ContestAsk other = *ask;

    bool next_down =
        by_this ? !down
                : own->kind != COLUMN_NAME && own->kind != COLUMN_TEXT && own->kind != COLUMN_LONG;
    if (own->kind == COLUMN_PLACE && !by_this)
        next_down = false;
    snprintf(other.sort, sizeof(other.sort), "%s%s", next_down ? "-" : "", own->key);
    other.from = 0;
    buf_add(out, STR("<a href=\""));
    contest_ask_link(&other, "&amp;", out);
    buf_add(out, STR("\">"));
    html_text(str_of(own->title), out);
    if (by_this)
        buf_printf(out, "<span class=\"by\" aria-hidden=\"true\">%s</span>",
                   down ? "\xE2\x96\xBC" : "\xE2\x96\xB2");
    buf_add(out, STR("</a>"));
}

static void write_scale(Interval scale, Buf *out)
{
    buf_printf(
        out, "<span class=\"scale\"><span>%.0f\xC2\xA0%%</span><span>%.0f\xC2\xA0%%</span></span>",
        100 * scale.low, 100 * scale.high);
}

static void write_heads(const ContestTable *table, const ContestAsk *ask, const Interval *scales,
                        Buf *out)
{
    bool down = false;
    size_t sorted = sorted_column(table, ask, &down);

    buf_add(out, STR("<thead><tr>"));
    for (size_t i = 0; i < table->column_count; i++) {
        const ContestColumn *column = &table->columns[i];
        buf_printf(out, "<th scope=\"col\"%s%s>", is_number(column->kind) ? " class=\"n\"" : "",
                   sorted != i ? ""
                   : down      ? " aria-sort=\"descending\""
                               : " aria-sort=\"ascending\"");
        if (column->unsorted) {
            buf_add(out, STR("<span>"));
            html_text(str_of(column->title), out);
            buf_add(out, STR("</span>"));
        } else {
            write_sort_link(table, i, ask, out);
        }
        if (column->kind == COLUMN_INTERVAL)
            write_scale(scales[i], out);
        buf_add(out, STR("</th>"));
    }
    buf_add(out, STR("</tr></thead>\n<tbody>\n"));
}

void contest_points(double points, Buf *out)
{
    long whole = lround(points);

    buf_printf(out, "%s%ld",
               whole < 0   ? "\xE2\x88\x92"
               : whole > 0 ? "+"
                           : "",
               whole < 0 ? -whole : whole);
}

static void write_strength(const ContestCell *cell, const ContestAsk *ask, Buf *out)
{
    contest_points(cell->value, out);
    buf_add(out, STR(" <small>("));
    contest_points(cell->low, out);
    buf_add(out, str_of(report_word(ask->language, WORD_TO)));
    contest_points(cell->high, out);
    buf_add(out, STR(")</small>"));
}

static double scale_place(double value, Interval scale)
{
    return (value - scale.low) / (scale.high - scale.low);
}

static void write_interval(const ContestCell *cell, Interval scale, Buf *out)
{
    const Interval drawn = {scale_place(cell->value, scale), scale_place(cell->low, scale),
                            scale_place(cell->high, scale)};

    svg_span(drawn, -1, out);
    page_interval(out, cell->tally);
}

static void write_role(const ContestCell *cell, const ContestColumn *column, const ContestAsk *ask,
                       Buf *out)
{
    page_rate(out, cell->tally);
    if (cell->link_len)
        buf_add(out, STR("</a>"));
    buf_add(out, STR(" <small>"));
    contest_say_count(ask->language, CONTEST_WORD_OF_GAMES, cell->tally.games, out);
    buf_add(out, STR("</small>"));
    svg_span((Interval){cell->value, cell->low, cell->high}, column->reference, out);
}

/* Each group has a lane: those that somebody is in are next to each other, so none meets another.
 */
static void write_groups(const ContestTable *table, const ContestCell *cell, Buf *out)
{
    unsigned first = (unsigned)cell->number, last = (unsigned)cell->value;

    buf_printf(out, table->lanes <= CONTEST_LANES_MAX ? "<span class=\"vh\">%u" : "%u", first);
    if (last != first)
        buf_printf(out, PAGE_DASH "%u", last);
    if (table->lanes > CONTEST_LANES_MAX)
        return;
    buf_add(out, STR("</span>"));
    for (unsigned group = first; group <= last; group++)
        buf_printf(out, "<span class=\"bar l%u%s%s\"></span>", group % table->lanes,
                   group == last && (cell->edges & 1) ? " bt" : "",
                   group == first && (cell->edges & 2) ? " be" : "");
}

static void write_value(const ContestTable *table, size_t column, const ContestCell *cell,
                        const ContestAsk *ask, Interval scale, Buf *out)
{
    switch (table->columns[column].kind) {
    case COLUMN_NAME:
        buf_add(out, STR("<bdi>"));
        html_text(text_of(table, cell), out);
        buf_add(out, STR("</bdi>"));
        break;
    case COLUMN_TEXT:
    case COLUMN_LONG:
        html_text(text_of(table, cell), out);
        break;
    case COLUMN_COUNT:
        page_count(out, (uint64_t)cell->number);
        break;
    case COLUMN_PLACE:
        buf_add_int(out, cell->number);
        break;
    case COLUMN_RATE:
        page_rate(out, cell->tally);
        break;
    case COLUMN_ROLE:
        write_role(cell, &table->columns[column], ask, out);
        break;
    case COLUMN_SHARE:
        page_percent(out, cell->value);
        break;
    case COLUMN_INTERVAL:
        write_interval(cell, scale, out);
        break;
    case COLUMN_STRENGTH:
        write_strength(cell, ask, out);
        break;
    case COLUMN_MS:
        page_count(out, (uint64_t)cell->number / 1000);
        buf_printf(out, ".%u", (unsigned)((uint64_t)cell->number % 1000 / 100));
        break;
    case COLUMN_DATE:
        page_time(out, cell->number);
        break;
    case COLUMN_GROUPS:
        write_groups(table, cell, out);
        break;
    }
}

static void write_cell(const ContestTable *table, size_t column, const ContestCell *cell,
                       const ContestAsk *ask, Interval scale, Buf *out)
{
    ColumnKind kind = table->columns[column].kind;
    const char *tag = kind == COLUMN_NAME ? "th" : "td";

    buf_printf(out, "<%s%s%s%s>", tag, kind == COLUMN_NAME ? " scope=\"row\"" : "",
               kind == COLUMN_GROUPS     ? " class=\"groups\""
               : kind == COLUMN_INTERVAL ? " class=\"i\""
               : kind == COLUMN_LONG     ? " class=\"long\""
               : is_number(kind)         ? " class=\"n\""
               : cell->warn              ? " class=\"t warn\""
               : kind == COLUMN_TEXT     ? " class=\"t\""
                                         : "",
               "");
    if (cell->link_len)
        buf_printf(out, "<a href=\"%.*s\">",
                   STR_ARG(str_part(buf_str(&table->texts), cell->link, cell->link_len)));
    if (cell->code)
        buf_add(out, STR("<code>"));
    if (cell->there)
        write_value(table, column, cell, ask, scale, out);
    else
        buf_add(out, STR(PAGE_DASH));
    if (cell->code)
        buf_add(out, STR("</code>"));
    if (cell->link_len && kind != COLUMN_ROLE) /* which ends it in front of its drawing */
        buf_add(out, STR("</a>"));
    buf_printf(out, "</%s>", tag);
}

static void write_step(const ContestAsk *ask, uint64_t from, ContestWord word, const char *rel,
                       Buf *out)
{
    ContestAsk other = *ask;

    other.from = (uint32_t)from;
    buf_printf(out, "<a rel=\"%s\" href=\"", rel);
    contest_ask_link(&other, "&amp;", out);
    buf_printf(out, "\">%s</a>", contest_word(ask->language, word));
}

/* "201-400 of 1,234", and the ways to the parts before and behind. */
static void write_pager(const ContestTable *table, const ContestAsk *ask, size_t count, Buf *out)
{
    uint64_t all = count_of_all(table), from = ask->from < all ? ask->from : all;
    PageNumber rooms[3];

    if (from == 0 && all <= CONTEST_ROWS)
        return;
    buf_printf(out, "<nav class=\"pager\" aria-label=\"%s\">",
               contest_word(ask->language, CONTEST_WORD_PARTS));
    if (from > 0)
        write_step(ask, from > CONTEST_ROWS ? from - CONTEST_ROWS : 0, CONTEST_WORD_BEFORE, "prev",
                   out);
    buf_add(out, STR("<span>"));
    contest_say(ask->language, CONTEST_WORD_ROWS,
                (Str[]){page_number(&rooms[0], count ? from + 1 : 0),
                        page_number(&rooms[1], from + count), page_number(&rooms[2], all)},
                3, out);
    buf_add(out, STR("</span>"));
    if (contest_table_goes_on(table, ask))
        write_step(ask, from + CONTEST_ROWS, CONTEST_WORD_NEXT, "next", out);
    buf_add(out, STR("</nav>\n"));
}

void contest_table_html(const ContestTable *table, const ContestAsk *ask, const char *id,
                        const char *caption, Buf *out)
{
    Interval scales[CONTEST_COLUMNS_MAX] = {0};
    size_t first, count;

    contest_table_shown(table, ask, &first, &count);
    for (size_t i = 0; i < table->column_count; i++)
        if (table->columns[i].kind == COLUMN_INTERVAL)
            scales[i] = scale_of(table, i, first, count);
    buf_printf(out,
               "<div class=\"scroll\" role=\"region\" tabindex=\"0\" aria-labelledby=\"%s-c\">"
               "<table class=\"%s\"><caption id=\"%s-c\">",
               id, id, id);
    html_text(str_of(caption), out);
    buf_add(out, STR("</caption>\n"));
    write_heads(table, ask, scales, out);
    for (size_t row = first; row < first + count; row++) {
        buf_add(out, STR("<tr>"));
        for (size_t i = 0; i < table->column_count; i++)
            write_cell(table, i, cell_at(table, row, i), ask, scales[i], out);
        buf_add(out, STR("</tr>\n"));
    }
    buf_add(out, STR("</tbody></table></div>\n"));
    write_pager(table, ask, count, out);
}

/* ---- JSON ---- */

static void put_rate(Json *json, double rate)
{
    json_put_real(json, rate, 5);
}

static void put_value(const ContestTable *table, ColumnKind kind, const ContestCell *cell,
                      Json *json)
{
    char room[DATE_TEXT_ROOM];

    switch (kind) {
    case COLUMN_NAME:
    case COLUMN_TEXT:
    case COLUMN_LONG:
        json_put_str(json, text_of(table, cell));
        break;
    case COLUMN_COUNT:
    case COLUMN_PLACE:
        json_put_int(json, cell->number);
        break;
    case COLUMN_RATE:
    case COLUMN_SHARE:
        put_rate(json, cell->value);
        break;
    case COLUMN_ROLE:
        json_open(json, '{');
        json_add_uint(json, "games", cell->tally.games);
        json_add_uint(json, "wins", cell->tally.wins);
        json_close(json);
        break;
    case COLUMN_INTERVAL:
        json_open(json, '[');
        put_rate(json, cell->low);
        put_rate(json, cell->high);
        json_close(json);
        break;
    case COLUMN_STRENGTH:
        json_open(json, '{');
        json_add_real(json, "points", cell->value, 1);
        json_add_real(json, "low", cell->low, 1);
        json_add_real(json, "high", cell->high, 1);
        json_close(json);
        break;
    case COLUMN_MS:
        json_put_real(json, (double)cell->number / 1000, 1);
        break;
    case COLUMN_DATE:
        json_put_str(json, date_text_write(cell->number, room));
        break;
    case COLUMN_GROUPS:
        json_open(json, '[');
        json_put_int(json, cell->number);
        json_put_int(json, (int64_t)cell->value);
        json_close(json);
        break;
    }
}

void contest_table_json(const ContestTable *table, const ContestAsk *ask, Buf *out)
{
    Json json = json_over(out);
    size_t first, count;

    contest_table_shown(table, ask, &first, &count);
    json_open(&json, '[');
    for (size_t row = first; row < first + count; row++) {
        json_open(&json, '{');
        for (size_t i = 0; i < table->column_count; i++) {
            const ContestCell *cell = cell_at(table, row, i);
            json_key(&json, str_of(table->columns[i].key));
            if (cell->there)
                put_value(table, table->columns[i].kind, cell, &json);
            else
                json_put_null(&json);
        }
        json_close(&json);
    }
    json_close(&json);
}

/* ---- CSV ---- */

/* What one column becomes in CSV: names behind its key. */
static size_t csv_parts(ColumnKind kind, const char *ret_ends[static 3])
{
    ret_ends[0] = "";
    if (kind == COLUMN_ROLE) {
        ret_ends[0] = "_games";
        ret_ends[1] = "_wins";
        return 2;
    }
    if (kind == COLUMN_INTERVAL) {
        ret_ends[0] = "_low";
        ret_ends[1] = "_high";
        return 2;
    }
    if (kind == COLUMN_STRENGTH) {
        ret_ends[1] = "_low";
        ret_ends[2] = "_high";
        return 3;
    }
    if (kind == COLUMN_GROUPS) {
        ret_ends[0] = "_first";
        ret_ends[1] = "_last";
        return 2;
    }
    return 1;
}

/* In quotes where it needs them. A spreadsheet takes what begins with = + - @ for a formula: a
 * quote of its own in front keeps it a text (OWASP, "CSV Injection"). */
static void put_csv_text(Str text, Buf *out)
{
    bool formula = text.len && memchr("=+-@\t\r", text.bytes[0], 6);

    buf_add_char(out, '"');
    if (formula)
        buf_add_char(out, '\'');
    for (size_t i = 0; i < text.len; i++) {
        if (text.bytes[i] == '"')
            buf_add_char(out, '"');
        buf_add_char(out, text.bytes[i]);
    }
    buf_add_char(out, '"');
}

static void put_csv_value(const ContestTable *table, ColumnKind kind, const ContestCell *cell,
                          Buf *out)
{
    char room[DATE_TEXT_ROOM];

    switch (kind) {
    case COLUMN_NAME:
    case COLUMN_TEXT:
    case COLUMN_LONG:
        put_csv_text(text_of(table, cell), out);
        break;
    case COLUMN_COUNT:
    case COLUMN_PLACE:
        buf_add_int(out, cell->number);
        break;
    case COLUMN_RATE:
    case COLUMN_SHARE:
        buf_printf(out, "%.5f", cell->value);
        break;
    case COLUMN_ROLE:
        buf_add_uint(out, cell->tally.games);
        buf_add_char(out, ',');
        buf_add_uint(out, cell->tally.wins);
        break;
    case COLUMN_INTERVAL:
        buf_printf(out, "%.5f,%.5f", cell->low, cell->high);
        break;
    case COLUMN_STRENGTH:
        buf_printf(out, "%.1f,%.1f,%.1f", cell->value, cell->low, cell->high);
        break;
    case COLUMN_MS:
        buf_printf(out, "%.1f", (double)cell->number / 1000);
        break;
    case COLUMN_DATE:
        buf_add(out, date_text_write(cell->number, room));
        break;
    case COLUMN_GROUPS:
        buf_printf(out, "%lld,%.0f", (long long)cell->number, cell->value);
        break;
    }
}

static void write_csv_heads(const ContestTable *table, Buf *out)
{
    for (size_t i = 0; i < table->column_count; i++) {
        const char *ends[3];
        size_t parts = csv_parts(table->columns[i].kind, ends);
        for (size_t part = 0; part < parts; part++)
            buf_printf(out, "%s%s%s", i || part ? "," : "", table->columns[i].key, ends[part]);
    }
    buf_add(out, STR("\r\n"));
}

void contest_table_csv(const ContestTable *table, const ContestAsk *ask, bool heading, Buf *out)
{
    (void)ask;
    if (heading)
        write_csv_heads(table, out);
    for (size_t row = 0; row < table->row_count; row++) {
        for (size_t i = 0; i < table->column_count; i++) {
            const char *ends[3];
            const ContestCell *cell = cell_at(table, row, i);
            size_t parts = csv_parts(table->columns[i].kind, ends);
            if (i)
                buf_add_char(out, ',');
            if (cell->there)
                put_csv_value(table, table->columns[i].kind, cell, out);
            else
                for (size_t part = 1; part < parts; part++)
                    buf_add_char(out, ',');
        }
        buf_add(out, STR("\r\n"));
    }
}
