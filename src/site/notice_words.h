/* notice_words.h - what notices say, in English and Japanese.
 *
 * For:    site/notice.h.
 * Memory: constant tables.
 * Thread: pure.
 * Source: docs/spec/contest-operations.md 15.
 */
#ifndef WARG_SITE_NOTICE_WORDS_H
#define WARG_SITE_NOTICE_WORDS_H

#include "site/notice.h"

/* English and Japanese. {word} is filled in; a subject has none but {contest}, whose letters are
 * ours to allow. */
typedef struct NoticeWords {
    const char *name;
    const char *subject[2];
    const char *text[2];
    bool fixed;  /* can't be switched off */
    bool secret; /* holds a link that is one */
} NoticeWords;

/* `kind` is below NOTICE_KINDS. */
const NoticeWords *notice_words(NoticeKind kind);

#endif
