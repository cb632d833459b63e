/* person_text.h - the two languages that a person at the terminal is told things in.
 *
 * For:    person.c, maw_person.c.
 * Memory: constant text; appends to the caller's Buf.
 * Thread: any; person_language reads the environment.
 * Source: POSIX: LC_ALL goes before LC_MESSAGES, that before LANG.
 */
#ifndef WARG_PERSON_PERSON_TEXT_H
#define WARG_PERSON_PERSON_TEXT_H

#include "base/buf.h"
#include "game/role.h"

/* In the order of the option "--language en|ja". */
typedef enum PersonLanguage {
    PERSON_ENGLISH,
    PERSON_JAPANESE,
    PERSON_LANGUAGES,
} PersonLanguage;

/* The environment's; English when it says neither. */
PersonLanguage person_language(void);

/* Appends `text` with the arguments in place of {0} to {9}; one that is not there stays empty. */
void person_fill(const char *text, const Str *arguments, size_t count, Buf *out);

/* "Seer", "占い師". */
const char *person_role(Role role, PersonLanguage language);
const char *person_species(Species species, PersonLanguage language);
const char *person_side(Side side, PersonLanguage language);

/* What stands behind the first blanks of a line, and the word before them. */
Str person_first_word(Str line, Str *ret_rest);

/* Which of `count` names is meant: the whole name, or the beginning of only one; ASCII letters may
 * be upper or lower case. False when it is nobody's, or that of several. */
bool person_find_name(Str typed, const Str *names, size_t count, size_t *ret_index);

#endif
