#include "lang/vectors.h"

#include "base/utf8.h"

#define COLUMNS 3

void vectors_row_done(VectorRow *row)
{
    buf_done(&row->input);
    buf_done(&row->canonical);
}

int vectors_header(Str line, unsigned line_number, VectorForm *ret_form, Err *err)
{
    char found[128];

    if (str_eq(line, STR("input\tvalid\tcanonical"))) {
        *ret_form = VECTORS_CANONICAL;
        return 0;
    }
    if (str_eq(line, STR("input\tvalid\tjava_exception"))) {
        *ret_form = VECTORS_THROW;
        return 0;
    }
    lang_escape(line, found, sizeof(found));
    return err_set_at(err, ERR_SYNTAX, line_number, 1,
                      "expected the column names input, valid and canonical (or java_exception) "
                      "with tabs between, found '%s'",
                      found);
}

/* The column of the first byte that is not UTF-8, 0 when all is. */
static unsigned malformed_column(Str line)
{
    Str rest = line;

    while (rest.len) {
        size_t left = rest.len;
        if (utf8_next(&rest) == UTF8_INVALID)
            return (unsigned)(line.len - left) + 1;
    }
    return 0;
}

/* Three fields; their places in the line are kept for columns. */
static int split_fields(Str line, unsigned line_number, Str fields[static COLUMNS], Err *err)
{
    size_t count = 1;

    for (size_t i = 0; i < line.len; i++)
        count += line.bytes[i] == '\t';
    if (count != COLUMNS)
        return err_set_at(err, ERR_SYNTAX, line_number, 1, "expected %d columns, found %zu",
                          COLUMNS, count);
    for (size_t i = 0; i < COLUMNS; i++)
        fields[i] = str_cut(&line, '\t');
    return 0;
}

static int unescape_field(Str line, Str field, unsigned line_number, Buf *out, Err *err)
{
    Err inner = {0};

    buf_clear(out);
    if (lang_unescape(field, out, &inner) == 0)
        return 0;
    return err_set_at(err, inner.code, line_number,
                      inner.column + (unsigned)(field.bytes - line.bytes), "%s", inner.msg);
}

int vectors_row(Str line, unsigned line_number, VectorForm form, VectorRow *row, Err *err)
{
    Str fields[COLUMNS] = {0};
    char found[64];
    unsigned column = malformed_column(line);

    if (column)
        return err_set_at(err, ERR_SYNTAX, line_number, column, "expected UTF-8 text");
    int status = split_fields(line, line_number, fields, err);
    if (status != 0)
        return status;
    row->valid = str_eq(fields[1], STR("1"));
    if (!row->valid && !str_eq(fields[1], STR("0"))) {
        lang_escape(fields[1], found, sizeof(found));
        return err_set_at(err, ERR_SYNTAX, line_number,
                          (unsigned)(fields[1].bytes - line.bytes) + 1,
                          "expected 0 or 1 in the column valid, found '%s'", found);
    }
    row->has_canonical = form == VECTORS_CANONICAL && row->valid;
    buf_clear(&row->canonical);
    status = unescape_field(line, fields[0], line_number, &row->input, err);
    if (status == 0 && form == VECTORS_CANONICAL)
        status = unescape_field(line, fields[2], line_number, &row->canonical, err);
    return status;
}

/* Appends "1", a tab and `text` in escaped form. */
static void add_valid(Buf *out, Str text)
{
    char escaped[6 * LANG_TEXT_MAX]; /* canonical text is ASCII, so this is ample */

    lang_escape(text, escaped, sizeof(escaped));
    buf_add(out, STR("1\t"));
    buf_add(out, str_of(escaped));
}

bool vectors_agree(const VectorRow *row, Arena *arena, Buf *got)
{
    char text[LANG_TEXT_MAX];
    const Sentence *sentence;
    Err reason = {0};

    arena_clear(arena);
    if (lang_parse(buf_str(&row->input), arena, &sentence, &reason) != 0) {
        buf_printf(got, "0\tcolumn %u: %s", reason.column, reason.msg);
        return !row->valid;
    }
    Str canonical = {text, lang_write(sentence, text, sizeof(text))};
    add_valid(got, canonical);
    return row->valid && (!row->has_canonical || str_eq(canonical, buf_str(&row->canonical)));
}

void vectors_expected(const VectorRow *row, Buf *out)
{
    if (row->has_canonical)
        add_valid(out, str_part(buf_str(&row->canonical), 0, LANG_TEXT_MAX));
    else
        buf_add(out, row->valid ? STR("1") : STR("0"));
}
