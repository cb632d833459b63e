/* wording.h - small tools for wordings: slots, comparing without case, order of names, roles.
 *
 * For:    the guide, the reader of answers, the fallback, the demo model. Private to this room.
 * Memory: none; texts are appended to the caller's Buf.
 * Thread: pure.
 * Source: docs/spec/maw.md 5.2 (order of names), 4.18 (names without case).
 */
#ifndef WARG_LLM_WORDING_H
#define WARG_LLM_WORDING_H

#include "llm/scene.h"

/* Characters of a line where the scene does not say. */
#define LLM_CHARS 300

static inline uint32_t llm_max_chars(const LlmScene *scene)
{
    return scene->max_chars ? scene->max_chars : LLM_CHARS;
}

/* What stands for {name} in a wording. */
typedef struct Slot {
    const char *name;
    Str value;
} Slot;

/* Appends the wording with each {name} of `slots` replaced; other braces stay. Values are not
 * searched again. */
void wording_fill(const char *wording, const Slot *slots, size_t slot_count, Buf *out);

/* Appends text of others so that it stays in its line: control characters become blanks. */
void wording_add_line(Str text, Buf *out);

/* ASCII letters are compared without case; all else as bytes. */
bool wording_same(Str a, Str b);
bool wording_start(Str text, Str start);
/* Where `what` (not empty) stands first, from `from` on. */
bool wording_find(Str text, Str what, size_t from, size_t *ret_at);
static inline bool wording_have(Str text, Str what)
{
    size_t at;

    return wording_find(text, what, 0, &at);
}
/* The same, but not inside a longer word of ASCII letters or digits: "Bo" is not in "Bob". */
bool wording_find_word(Str text, Str what, size_t from, size_t *ret_at);

/* 0..count-1 in an order drawn from `seed` and `salt`; count <= LLM_SEATS_MAX. */
void wording_shuffle(uint64_t seed, uint64_t salt, uint32_t count,
                     uint32_t order[static LLM_SEATS_MAX]);
enum { SALT_NAMES = 1, SALT_SEATS, SALT_FALLBACK, SALT_DEMO }; /* what the chance is for */

/* True for the werewolf itself, not for its human helpers. */
bool wording_is_wolf(const LlmScene *scene);
/* Whether a known role or species means a werewolf; false for an empty one. */
bool wording_means_wolf(Str role);
/* The role in the scene's language; a role without a word of its own as it is. */
Str wording_role(Str role, LlmLanguage language);
/* True when the task can only be answered by a target. */
bool wording_only_target(LlmTask task);
/* The seat of this name (exactly), or NULL. */
const LlmSeatSeen *wording_seat(const LlmScene *scene, Str name);

#endif
