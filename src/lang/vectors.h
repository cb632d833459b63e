/* vectors.h - reads files of test vectors for the language, line by line.
 *
 * For:    `warg lang check --vectors` and the tests. Each row says for an input whether it is
 *         valid and, but for vectors-throw.tsv, its canonical text.
 * Memory: a VectorRow owns its texts; the caller gives the lines and keeps them.
 * Thread: pure.
 * Source: data/language/README.md.
 */
#ifndef WARG_LANG_VECTORS_H
#define WARG_LANG_VECTORS_H

#include "lang/lang.h"

/* What the columns of a file are; its first line says so. */
typedef enum VectorForm {
    VECTORS_CANONICAL, /* input, valid, canonical */
    VECTORS_THROW,     /* input, valid, java_exception: only `valid` is a requirement */
} VectorForm;

/* One row with its escapes taken away. Open; {0} is an empty one to read into, again and again. */
typedef struct VectorRow {
    Buf input;
    Buf canonical;
    bool valid;
    bool has_canonical; /* the canonical text is a requirement */
} VectorRow;

void vectors_row_done(VectorRow *row); /* also for CLEANUP */

/* The first line of a file, without its LF. Errors: ERR_SYNTAX. Here and below err->line is
 * `line_number` and err->column a byte of the line. */
int vectors_header(Str line, unsigned line_number, VectorForm *ret_form, Err *err);

/* Any other line. Errors: ERR_SYNTAX for malformed UTF-8, a wrong number of columns, a `valid`
 * that is not 0 or 1, a bad escape; ERR_MEMORY. `row` is undefined then. */
int vectors_row(Str line, unsigned line_number, VectorForm form, VectorRow *row, Err *err);

/* True when our parser says of the row's input what the row says. `got` gets what it says, in
 * the form of the file: "1", TAB and the canonical text, or "0", TAB and the reason. `arena`
 * is cleared; LANG_ARENA_BYTES(LANG_BYTES_MAX) is enough. */
bool vectors_agree(const VectorRow *row, Arena *arena, Buf *got);

/* The same two fields as the row has them. */
void vectors_expected(const VectorRow *row, Buf *out);

#endif
