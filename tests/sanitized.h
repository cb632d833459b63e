/* sanitized.h - whether this is built for a sanitizer.
 *
 * For:    tests that play fewer games then, since each takes several times as long, and tests of
 *         what a sanitizer replaces: the allocator, what memory is in use.
 * Memory: none.
 * Thread: any.
 * Source: the manuals of gcc and clang, each of which has a way of its own to say so.
 *
 * WARG_WHOLE=1 in the environment: all games there, too.
 */
#ifndef WARG_TESTS_SANITIZED_H
#define WARG_TESTS_SANITIZED_H

#include <stdlib.h>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#    define SANITIZED 1
#elif defined(__has_feature)
#    if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) ||                     \
        __has_feature(memory_sanitizer)
#        define SANITIZED 1
#    endif
#endif
#ifndef SANITIZED
#    define SANITIZED 0
#endif

/* How many of `all` games, worlds, ... a test plays, any number: a tenth of them where it is
 * sanitized. What only happens in the others is found without a sanitizer, and memory is handled in
 * all of them alike. */
static inline unsigned sanitized_share(unsigned all)
{
    const char *whole = getenv("WARG_WHOLE");

    return SANITIZED && !(whole && *whole) ? (all + 9) / 10 : all;
}

/* How far to go to the next of many recorded things: by `few` where it is sanitized, else by 1. */
static inline unsigned sanitized_step(unsigned few)
{
    return sanitized_share(10) == 10 ? 1 : few;
}

#endif
