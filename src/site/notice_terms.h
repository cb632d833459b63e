/* notice_terms.h - words of programs as people say them.
 *
 * For:    notices, which keep what happened as it is called in stores and ledgers.
 * Memory: constants.
 * Thread: any.
 * Source: docs/spec/contest-operations.md 15. The same words as the pages'
 * (web/src/site/words*.ts).
 */
#ifndef WARG_SITE_NOTICE_TERMS_H
#define WARG_SITE_NOTICE_TERMS_H

#include "base/str.h"

/* What a value of {key} is called, as "PRELIMINARY" of {state}; the value itself where it has no
 * other name. Borrowed from it, or constant. */
Str notice_term(Str key, Str value, bool japanese);

#endif
