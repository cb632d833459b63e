/* claim_words.h - who says in natural language which role it has: only in so many words.
 *
 * For:    record/play_meter.h.
 * Memory: none.
 * Thread: pure.
 * Source: docs/statistics.md, "Measures of play".
 *
 * A claim is a whole sentence of one of a few forms: "I am the Seer.", 「私は占い師です。」 What is
 * said otherwise, or with more words, is not heard: better to miss claims than to invent them.
 */
#ifndef WARG_RECORD_CLAIM_WORDS_H
#define WARG_RECORD_CLAIM_WORDS_H

#include "base/str.h"
#include "game/role.h"

/* Roles, a bit 1 << Role each. */
typedef uint32_t RoleSet;

/* The roles that the speaker claims to have. Any bytes; a question claims nothing. */
RoleSet claim_words_roles(Str text);

#endif
