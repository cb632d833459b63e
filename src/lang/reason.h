/* reason.h - says in a sentence why a text is not valid; for parse.c only.
 *
 * For:    lang_parse with an Err. Kept apart so that the parser only notes a code and a place.
 * Memory: nothing kept.
 * Thread: pure.
 * Source: house rule: an error says what was expected, what came, and where.
 */
#ifndef WARG_LANG_REASON_H
#define WARG_LANG_REASON_H

#include "lang/lang.h"

/* What the parser wanted where it stopped. */
typedef enum Want {
    WANT_SENTENCE,
    WANT_VERB,
    WANT_BLANK,
    WANT_AGENT,
    WANT_BRACKET,
    WANT_NUMBER,
    WANT_ROLE,
    WANT_SPECIES,
    WANT_TALK,
    WANT_TALK_DAY,
    WANT_TALK_ID,
    WANT_GROUP, /* an operator without '(' */
    WANT_GROUP_OR_TARGET,
    WANT_GROUP_END, /* ')' behind a content */
    WANT_LAST,      /* ')' as the last character of the text */
    WANT_END,       /* nothing more */
    WANT_CONTENT,   /* one more content: too few groups */
    WANT_CLOSED,    /* a '(' that is closed: too few groups because of it */
    WANT_ONE_LINE,  /* no line break inside parentheses */
    WANT_SHALLOW,   /* no more than LANG_DEPTH_MAX levels */
    WANT_SHORT,     /* no more than LANG_BYTES_MAX bytes */
    WANT_ROOM,      /* an arena with room */
} Want;

/* Fills `err` for the text that went wrong at byte `at` (from 0) and returns its code. */
int reason_set(Err *err, Want want, Str text, size_t at);

#endif
