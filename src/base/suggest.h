/* suggest.h - the known word that is nearest to a mistyped one.
 *
 * For:    "did you mean ...?" behind an unknown command, option, key or name. Offer every known
 *         word, then ask for the best.
 * Memory: plain value; borrows the words until suggest_best was used.
 * Thread: any.
 * Source: distance of Damerau and Levenshtein, neighbours swapped at most once.
 */
#ifndef WARG_BASE_SUGGEST_H
#define WARG_BASE_SUGGEST_H

#include "base/str.h"

typedef struct Suggest {
    Str word; /* what was typed; set this, zero the rest */
    Str best;
    unsigned distance;
} Suggest;

/* One known word. Of equally near words the first one offered wins. */
void suggest_offer(Suggest *suggest, Str known);

/* The nearest word, empty when none is near enough to be meant: a third of its letters may be
 * wrong, or the typed word is the beginning of it. */
Str suggest_best(const Suggest *suggest);

#endif
