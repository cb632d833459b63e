/* words.h - the words of an enum: which value a word means.
 *
 * For:    names of kinds, reasons and divisions as files have them.
 * Memory: none.
 * Thread: any.
 * Source: house rule: a third copy of some code becomes a function.
 */
#ifndef WARG_BASE_WORDS_H
#define WARG_BASE_WORDS_H

#include "base/str.h"

/* The place of `word` among them, byte by byte; `count` when it is none. */
static inline unsigned words_find(const char *const *words, unsigned count, Str word)
{
    unsigned at = 0;

    while (at < count && !str_eq(word, str_of(words[at])))
        at++;
    return at;
}

#endif
