/* contest_table.h - a table of a contest page, filled once and written as HTML, JSON or CSV.
 *
 * For:    web/contest_pages*.c.
 * Memory: a ContestTable owns its cells and texts; columns are borrowed. Memory that ran out is
 *         remembered: contest_table_failed.
 * Thread: one at a time.
 * Source: docs/spec/web.md 7 (every table sorts by link); RFC 4180 (CSV); WAI-ARIA 1.2 (aria-sort).
 *
 *     contest_table_row(&table);
 *     contest_table_text(&table, name);        each of these fills the next cell of the row
 *     contest_table_link(&table, &ask);        ... and this makes a link of the last one
 *     contest_table_rate(&table, tally);
 */
#ifndef WARG_WEB_CONTEST_TABLE_H
#define WARG_WEB_CONTEST_TABLE_H

#include "stats/standings.h"
#include "web/contest_ask.h"

#define CONTEST_COLUMNS_MAX 20
#define CONTEST_LANES_MAX   12 /* bars of groups beside each other */

typedef enum ColumnKind {
    COLUMN_NAME,     /* text, and the heading of its row */
    COLUMN_TEXT,     /* a word or two */
    COLUMN_LONG,     /* text that takes several lines */
    COLUMN_COUNT,    /* a whole number */
    COLUMN_PLACE,    /* likewise, without commas: the number of something */
    COLUMN_RATE,     /* of a tally */
    COLUMN_ROLE,     /* likewise, with its games and a drawing */
    COLUMN_SHARE,    /* a number from 0 to 1 */
    COLUMN_INTERVAL, /* of a tally: 95 %, drawn and in figures */
    COLUMN_STRENGTH, /* points and their interval */
    COLUMN_MS,       /* microseconds, shown as milliseconds */
    COLUMN_DATE,     /* milliseconds since 1970 */
    COLUMN_GROUPS,   /* from the first to the last that somebody is in, drawn as bars */
} ColumnKind;

typedef struct ContestColumn {
    const char *key;   /* in JSON, CSV and links: a word of ours */
    const char *title; /* for people */
    ColumnKind kind;
    bool unsorted;    /* no link to sort by it */
    double reference; /* COLUMN_ROLE: the rate of all; else not used */
} ContestColumn;

typedef struct ContestCell {
    Tally tally;
    int64_t number; /* also the first group */
    double value;   /* also the last group */
    double low, high;
    uint32_t text, text_len; /* in `texts`, as the next */
    uint32_t link, link_len;
    bool there;
    bool code; /* what a program wrote */
    bool warn;
    uint8_t edges; /* COLUMN_GROUPS: 1 = the first of the group before, 2 = ... */
} ContestCell;

typedef struct ContestTable {
    const ContestColumn *columns;
    size_t column_count;
    ContestCell *cells; /* row by row */
    size_t row_count, row_room;
    size_t filled; /* cells of the last row */
    Buf texts;
    unsigned lanes; /* COLUMN_GROUPS */
    bool is_part;   /* the rows are already sorted and cut: of `total`, from ask->from on */
    uint64_t total;
    bool failed;
} ContestTable;

/* `table` is zeroed before. */
void contest_table_begin(ContestTable *table, const ContestColumn *columns, size_t count);
void contest_table_done(ContestTable *table); /* also for CLEANUP */
bool contest_table_failed(const ContestTable *table);
/* Forgets the rows, keeps the columns. */
void contest_table_clear(ContestTable *table);

void contest_table_row(ContestTable *table);
void contest_table_none(ContestTable *table);
void contest_table_text(ContestTable *table, Str text);
void contest_table_count(ContestTable *table, uint64_t count);
void contest_table_rate(ContestTable *table, Tally tally); /* also ROLE and INTERVAL */
void contest_table_share(ContestTable *table, double share);
void contest_table_strength(ContestTable *table, double points, double low, double high);
void contest_table_us(ContestTable *table, uint64_t us);
void contest_table_date(ContestTable *table, int64_t ms);
/* `begins` and `ends`: the row is the first of the last group, and the last of the first one. */
void contest_table_groups(ContestTable *table, uint32_t first, uint32_t last, bool begins,
                          bool ends);

/* Of the cell that was filled last: where it leads; that it is what a program wrote, or a warning.
 */
void contest_table_link(ContestTable *table, const ContestAsk *ask);
/* The same for an address that is ready for HTML. */
void contest_table_address(ContestTable *table, Str address);
void contest_table_code(ContestTable *table);
void contest_table_warn(ContestTable *table);

/* Puts the rows into the order that `ask` wants, if it names a column. */
void contest_table_sort(ContestTable *table, const ContestAsk *ask);
/* Which rows a page shows: from `ret_first` on `ret_count`. */
void contest_table_shown(const ContestTable *table, const ContestAsk *ask, size_t *ret_first,
                         size_t *ret_count);
/* Whether there are rows behind those. */
bool contest_table_goes_on(const ContestTable *table, const ContestAsk *ask);

/* "+42", with the minus sign of typography. */
void contest_points(double points, Buf *out);

/* The rows that a page shows: <table> with `caption`, an array of objects, lines. CSV begins with
 * the names of the columns when `heading`. */
void contest_table_html(const ContestTable *table, const ContestAsk *ask, const char *id,
                        const char *caption, Buf *out);
void contest_table_json(const ContestTable *table, const ContestAsk *ask, Buf *out);
void contest_table_csv(const ContestTable *table, const ContestAsk *ask, bool heading, Buf *out);

#endif
