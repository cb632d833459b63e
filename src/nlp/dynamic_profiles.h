/* dynamic_profiles.h - characters for one game, made up by a model behind an OpenAI-compatible
 *                      endpoint.
 *
 * For:    the hall, when dynamic_profile is enabled: it waits for `done` before it begins the game,
 *         and takes the static profiles when there was an error.
 * Memory: a DynamicProfiles owns its profiles; free it before its loop and its HttpClient.
 * Thread: the loop's.
 * Source: docs/spec/nlp-division.md 9.3. All seats are asked side by side, so that a game waits for
 *         the slowest answer and not for the sum of them.
 */
#ifndef WARG_NLP_DYNAMIC_PROFILES_H
#define WARG_NLP_DYNAMIC_PROFILES_H

#include "net/http_client.h"
#include "nlp/config.h"

/* A game never waits longer for its characters. */
#define DYNAMIC_LIMIT_MS 60000

typedef struct DynamicProfiles DynamicProfiles;

/* What to ask for; all of it borrowed until `done`. */
typedef struct DynamicPlan {
    const ConfigDynamic *config;
    const ConfigPair *encoding; /* one text each: key, and label in the profile string */
    uint32_t encoding_count;
    uint32_t agent_count; /* at most config->avatar_count */
    uint64_t seed;        /* of the shuffled avatars */
    uint32_t limit_ms;    /* for all seats; 0 = DYNAMIC_LIMIT_MS */
} DynamicPlan;

/* `profiles`: agent_count of them, without voices, that live as long as the DynamicProfiles; NULL
 * when they could not be had, and then `err` says why. `now`: the time then. */
typedef void DynamicDone(void *user, const ConfigProfile *profiles, const Err *err, TimeUs now);

/* Asks; `done` is called once, from the loop, never from inside, and may free the object. A seat is
 * asked again, `attempts` times in all, after a failure that may pass and after a name that can't
 * be used. Errors: ERR_RULE (no seats, too few avatars), ERR_USAGE (endpoint or key), ERR_MEMORY.
 */
int dynamic_profiles_begin(Loop *loop, HttpClient *http, const DynamicPlan *plan, DynamicDone *done,
                           void *user, DynamicProfiles **ret_profiles, Err *err);

/* `done` is not called any more. Takes NULL, returns NULL. */
DynamicProfiles *dynamic_profiles_free(DynamicProfiles *profiles);

#endif
