#include "show/text_table.h"

#include "base/json.h"
#include "base/utf8.h"

#include <assert.h>

enum { COLUMN_MAX = 48, GAP = 2 };

void text_table_done(TextTable *table)
{
    mem_free(table->cells);
    buf_done(&table->texts);
    *table = (TextTable){0};
}

/* Makes a cell of what was appended to `texts` since `start`. */
static void add_cell(TextTable *table, size_t start, bool number)
{
    TableCell *cells = mem_resize(table->cells, table->cell_count + 1, sizeof(*cells));

    if (!cells) {
        table->failed = true;
        return;
    }
    table->cells = cells;
    cells[table->cell_count++] = (TableCell){start, table->texts.len - start, number};
}

void text_table_text(TextTable *table, Str text)
{
    size_t start = table->texts.len;

    buf_add(&table->texts, text);
    add_cell(table, start, false);
}

void text_table_uint(TextTable *table, uint64_t value)
{
    size_t start = table->texts.len;

    buf_add_uint(&table->texts, value);
    add_cell(table, start, true);
}

void text_table_int(TextTable *table, int64_t value)
{
    size_t start = table->texts.len;

    buf_add_int(&table->texts, value);
    add_cell(table, start, true);
}

void text_table_real(TextTable *table, double value, int decimals)
{
    size_t start = table->texts.len;

    buf_printf(&table->texts, "%.*f", decimals, value);
    add_cell(table, start, true);
}

void text_table_json(TextTable *table, Str value)
{
    size_t start = table->texts.len;

    buf_add(&table->texts, value);
    add_cell(table, start, true);
}

void text_table_none(TextTable *table)
{
    add_cell(table, table->texts.len, true);
}

static Str text_of(const TextTable *table, size_t cell)
{
    return str_part(buf_str(&table->texts), table->cells[cell].start, table->cells[cell].len);
}

static size_t column_count(const TextTable *table)
{
    size_t count = 0;

    while (table->columns[count])
        count++;
    assert(count > 0 && count <= COLUMN_MAX);
    return count;
}

static void add_spaces(size_t count, Buf *out)
{
    while (count--)
        buf_add_char(out, ' ');
}

/* As people read it. */
static Str shown_text_of(const TextTable *table, size_t cell)
{
    return table->cells[cell].number && table->cells[cell].len == 0 ? STR("-")
                                                                    : text_of(table, cell);
}

/* A cell padded to `width`; the last one of a row gets no blanks behind it. */
static void aligned_cell(Str text, size_t width, bool right, bool last, Buf *out)
{
    size_t missing = width - utf8_width(text);

    if (right)
        add_spaces(missing, out);
    buf_add(out, text);
    if (!right && !last)
        add_spaces(missing, out);
    if (last)
        buf_add_char(out, '\n');
    else
        add_spaces(GAP, out);
}

static void write_aligned(const TextTable *table, size_t columns, Buf *out)
{
    size_t widths[COLUMN_MAX] = {0};
    bool right[COLUMN_MAX] = {false};

    for (size_t c = 0; c < columns; c++) {
        widths[c] = utf8_width(str_of(table->columns[c]));
        right[c] = c < table->cell_count && table->cells[c].number;
        for (size_t i = c; i < table->cell_count; i += columns) {
            size_t width = utf8_width(shown_text_of(table, i));
            if (width > widths[c])
                widths[c] = width;
        }
    }
    for (size_t c = 0; c < columns; c++)
        aligned_cell(str_of(table->columns[c]), widths[c], right[c], c + 1 == columns, out);
    for (size_t i = 0; i < table->cell_count; i++)
        aligned_cell(shown_text_of(table, i), widths[i % columns], right[i % columns],
                     (i + 1) % columns == 0, out);
}

static void write_json(const TextTable *table, size_t columns, Buf *out)
{
    buf_add(out, STR("["));
    for (size_t i = 0; i < table->cell_count; i += columns) {
        Json json = json_over(out);

        buf_add(out, i ? STR(",\n ") : STR(""));
        json_open(&json, '{');
        for (size_t c = 0; c < columns; c++) {
            json_key(&json, str_of(table->columns[c]));
            if (table->cells[i + c].number && table->cells[i + c].len == 0)
                json_put_null(&json);
            else if (table->cells[i + c].number)
                json_put_raw(&json, text_of(table, i + c));
            else
                json_put_str(&json, text_of(table, i + c));
        }
        json_close(&json);
    }
    buf_add(out, STR("]\n"));
}

/* A spreadsheet takes a cell that begins so for a formula, which may read files and open addresses;
 * agents choose their names. With the ' it is shown as text (OWASP, "CSV Injection"). */
static bool is_formula(Str text)
{
    return text.len > 1 && memchr("=+-@\t\r", text.bytes[0], 6) != NULL;
}

static void csv_field(Str text, bool number, bool last, Buf *out)
{
    bool quote = false;

    for (size_t i = 0; i < text.len; i++)
        quote |= strchr(",\"\r\n", text.bytes[i]) != NULL;
    if (quote)
        buf_add_char(out, '"');
    if (!number && is_formula(text))
        buf_add_char(out, '\'');
    for (size_t i = 0; i < text.len; i++) {
        if (text.bytes[i] == '"')
            buf_add_char(out, '"');
        buf_add_char(out, text.bytes[i]);
    }
    if (quote)
        buf_add_char(out, '"');
    buf_add_char(out, last ? '\n' : ',');
}

static void write_csv(const TextTable *table, size_t columns, Buf *out)
{
    for (size_t c = 0; c < columns; c++)
        csv_field(str_of(table->columns[c]), false, c + 1 == columns, out);
    for (size_t i = 0; i < table->cell_count; i++)
        csv_field(text_of(table, i), table->cells[i].number, (i + 1) % columns == 0, out);
}

void text_table_write(const TextTable *table, TableForm form, Buf *out)
{
    size_t columns = column_count(table);

    if (table->failed || buf_failed(&table->texts)) {
        buf_fail(out);
        return;
    }
    assert(table->cell_count % columns == 0);
    switch (form) {
    case TABLE_ALIGNED:
        write_aligned(table, columns, out);
        break;
    case TABLE_JSON:
        write_json(table, columns, out);
        break;
    case TABLE_CSV:
        write_csv(table, columns, out);
        break;
    }
}
