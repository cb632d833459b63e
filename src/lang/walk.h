/* walk.h - visits a sentence and everything in it, outside first, without recursion.
 *
 * For:    write.c, build.c, interpret.c: one place that knows how to climb a tree.
 *
 *             for (walk_start(&walk, root); walk.at; walk_next(&walk)) ... walk.at, walk.depth
 *
 * Memory: on the caller's stack: one pointer for each of LANG_DEPTH_MAX levels.
 * Thread: pure.
 * Source: docs/spec/language.md 5.4 (no recursion on input).
 */
#ifndef WARG_LANG_WALK_H
#define WARG_LANG_WALK_H

#include "lang/lang.h"

typedef struct Walk {
    const Sentence *at; /* NULL behind the last */
    unsigned depth;     /* operators around `at`; open[depth - 1] is the innermost */
    const Sentence *open[LANG_DEPTH_MAX];
} Walk;

static inline void walk_start(Walk *walk, const Sentence *root)
{
    walk->at = root; /* open[] is filled on the way */
    walk->depth = 0;
}

/* Goes on to the next sentence. Returns how many sentences end with the one before it: 0 when it
 * goes inside, 1 to a neighbour, more when operators are left. */
static inline unsigned walk_next(Walk *walk)
{
    unsigned ended = 1;

    if (walk->at->child) {
        walk->open[walk->depth++] = walk->at;
        walk->at = walk->at->child;
        return 0;
    }
    /* The root may be a content itself: its own neighbours are none of ours. */
    while (walk->depth > 0 && !walk->at->next) {
        walk->at = walk->open[--walk->depth];
        ended++;
    }
    walk->at = walk->depth > 0 ? walk->at->next : NULL;
    return ended;
}

/* What `at` inherits; LANG_UNSPEC at the root. */
static inline LangAgent walk_inherited(const Walk *walk)
{
    return walk->depth ? lang_inherited(walk->open[walk->depth - 1]) : LANG_UNSPEC;
}

#endif
