/* text_table.h - rows of text and numbers, printed as an aligned table, as JSON or as CSV.
 *
 * For:    results on the terminal and `--format table|json|csv`.
 * Memory: the caller's struct; text_table_done frees. Texts are copied.
 * Thread: one at a time.
 * Source: RFC 4180 for CSV; widths of East Asian characters from base/utf8.
 *
 *     static const char *const columns[] = {"agent", "wins", NULL};
 *     CLEANUP(text_table_done) TextTable table = {.columns = columns};
 *     text_table_text(&table, STR("alice"));       // cells from left to right, row by row
 *     text_table_uint(&table, 42);
 *     text_table_write(&table, TABLE_ALIGNED, &out);
 */
#ifndef WARG_SHOW_TEXT_TABLE_H
#define WARG_SHOW_TEXT_TABLE_H

#include "base/buf.h"

/* In the order of the words of "table|json|csv". */
typedef enum TableForm {
    TABLE_ALIGNED,
    TABLE_JSON, /* a list of objects, one line each; columns are the keys */
    TABLE_CSV,
} TableForm;

/* One cell; its text is a part of `texts`. */
typedef struct TableCell {
    size_t start;
    size_t len;
    bool number; /* right-aligned, and without quotes in JSON */
} TableCell;

typedef struct TextTable {
    const char *const *columns; /* names, ended by NULL; the caller sets this, the rest is zero */
    TableCell *cells;
    size_t cell_count;
    Buf texts;
    bool failed;
} TextTable;

void text_table_done(TextTable *table);

void text_table_text(TextTable *table, Str text);
void text_table_uint(TextTable *table, uint64_t value);
void text_table_int(TextTable *table, int64_t value);
void text_table_real(TextTable *table, double value, int decimals);
/* A value of JSON, as it is; for tables that are JSON. */
void text_table_json(TextTable *table, Str value);
/* A number that there is none of: "-", null in JSON, nothing in CSV. */
void text_table_none(TextTable *table);

/* Appends the whole table. Every row must be complete. `out` fails (buf_failed) when the table or
 * it ran out of memory. */
void text_table_write(const TextTable *table, TableForm form, Buf *out);

#endif
