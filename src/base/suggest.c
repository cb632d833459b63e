#include "base/suggest.h"

enum { WORD_MAX = 40 }; /* longer words are not compared */

static unsigned smaller_of(unsigned a, unsigned b)
{
    return a < b ? a : b;
}

/* Letters to insert, drop, replace or swap with a neighbour to get from `a` to `b`. */
static unsigned distance_of(Str a, Str b)
{
    unsigned row[3][WORD_MAX + 1]; /* of the prefixes of a: the one before the last, last, this */

    for (unsigned j = 0; j <= b.len; j++)
        row[1][j] = j;
    for (unsigned i = 1; i <= a.len; i++) {
        row[2][0] = i;
        for (unsigned j = 1; j <= b.len; j++) {
            unsigned replaced = row[1][j - 1] + (a.bytes[i - 1] != b.bytes[j - 1]);
            unsigned moved = smaller_of(row[1][j], row[2][j - 1]) + 1;

            row[2][j] = smaller_of(replaced, moved);
            if (i > 1 && j > 1 && a.bytes[i - 1] == b.bytes[j - 2] &&
                a.bytes[i - 2] == b.bytes[j - 1])
                row[2][j] = smaller_of(row[2][j], row[0][j - 2] + 1);
        }
        memcpy(row[0], row[1], sizeof(row[0]));
        memcpy(row[1], row[2], sizeof(row[1]));
    }
    return row[1][b.len];
}

void suggest_offer(Suggest *suggest, Str known)
{
    Str word = suggest->word;

    if (word.len == 0 || known.len == 0 || word.len > WORD_MAX || known.len > WORD_MAX)
        return;
    unsigned distance = distance_of(word, known);
    unsigned allowed = known.len < 3 ? 1 : (unsigned)(known.len + 2) / 3;
    if (word.len >= 2 && str_starts(known, word))
        distance = smaller_of(distance, 1);
    if (distance > allowed || distance >= known.len)
        return;
    if (suggest->best.len == 0 || distance < suggest->distance) {
        suggest->best = known;
        suggest->distance = distance;
    }
}

Str suggest_best(const Suggest *suggest)
{
    return suggest->best;
}
