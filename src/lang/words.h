/* words.h - the words of the language, for the other files of this folder only.
 *
 * For:    parse.c recognises them, write.c and explain.c copy them.
 * Memory: constant tables.
 * Thread: any.
 * Source: docs/spec/language.md 1 and 2.
 */
#ifndef WARG_LANG_WORDS_H
#define WARG_LANG_WORDS_H

#include "lang/lang.h"

/* A word in a fixed room, so that a writer can copy all of it at once and then go on behind
 * `len`. */
typedef struct Word {
    char text[15];
    uint8_t len;
} Word;

extern const Word words_kind[LANG_KIND_COUNT];
extern const Word words_role[ROLE_COUNT]; /* ROLE_NONE is ANY */
extern const Word words_species[SPECIES_WEREWOLF + 1];
extern const Word words_talk[LANG_WHISPER + 1];

/* First letter, length, word: these two tell all words of one list apart, so one comparison
 * decides. To add a verb: a row here, its value in LangKind, its form in parse.c, write.c and
 * explain.c, and a builder. */
#define WORDS_VERBS(X)                                                                             \
    X('E', 8, ESTIMATE)                                                                            \
    X('C', 9, COMINGOUT)                                                                           \
    X('D', 10, DIVINATION)                                                                         \
    X('G', 5, GUARD)                                                                               \
    X('V', 4, VOTE)                                                                                \
    X('A', 6, ATTACK)                                                                              \
    X('G', 7, GUARDED)                                                                             \
    X('V', 5, VOTED)                                                                               \
    X('A', 8, ATTACKED)                                                                            \
    X('D', 7, DIVINED)                                                                             \
    X('I', 10, IDENTIFIED)                                                                         \
    X('A', 5, AGREE)                                                                               \
    X('D', 8, DISAGREE)                                                                            \
    X('R', 7, REQUEST)                                                                             \
    X('I', 7, INQUIRE)                                                                             \
    X('B', 7, BECAUSE)                                                                             \
    X('D', 3, DAY)                                                                                 \
    X('N', 3, NOT)                                                                                 \
    X('A', 3, AND)                                                                                 \
    X('O', 2, OR)                                                                                  \
    X('X', 3, XOR)

#define WORDS_ROLES(X)                                                                             \
    X('B', 9, BODYGUARD)                                                                           \
    X('F', 9, FREEMASON)                                                                           \
    X('M', 6, MEDIUM)                                                                              \
    X('P', 9, POSSESSED)                                                                           \
    X('S', 4, SEER)                                                                                \
    X('V', 8, VILLAGER)                                                                            \
    X('W', 8, WEREWOLF)                                                                            \
    X('F', 3, FOX)

#endif
