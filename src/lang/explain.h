/* explain.h - between the files that put a sentence into words.
 *
 * For:    explain.c, explain_ja.c.
 * Memory: appends to the caller's Buf.
 * Thread: pure.
 * Source: docs/spec/language.md 6.
 */
#ifndef WARG_LANG_EXPLAIN_H
#define WARG_LANG_EXPLAIN_H

#include "lang/lang.h"

/* In Japanese, as lang_plain has it. */
void explain_japanese(const Sentence *sentence, LangAgent speaker, Buf *out);

/* AND, OR, XOR, BECAUSE: their clause has parts, so inside another clause it needs parentheses. */
static inline bool explain_has_parts(LangKind kind)
{
    return kind == LANG_AND || kind == LANG_OR || kind == LANG_XOR || kind == LANG_BECAUSE;
}

#endif
