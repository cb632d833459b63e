/* password.h - passwords: which are taken, their hashes, whether one is right. libcrypt is behind
 * it.
 *
 * For:    accounts of a contest site.
 * Memory: none is kept; what hashing needs (16 MiB) is freed and overwritten at once.
 * Thread: any; a hash takes some 30 ms of a processor: on a worker (net), never on a loop.
 * Source: docs/spec/contest-operations.md 4; yescrypt, cost 5, as crypt(5) has it.
 *
 * Whoever asks for an account that does not exist waits as long as for one that does: a check
 * without a hash is made with one that no password has.
 */
#ifndef WARG_SITE_PASSWORD_H
#define WARG_SITE_PASSWORD_H

#include "base/err.h"

#define PASSWORD_BYTES_MIN  12
#define PASSWORD_BYTES_MAX  256
#define PASSWORD_HASH_BYTES 128

/* Whether it may be somebody's: its length, and that it is none of the names that others know
 * (login, team; an empty one is not looked at; letters may be of either case). Errors: ERR_RULE
 * with what is wrong, never with the password. */
int password_judge(Str password, const Str *names, size_t count, Err *err);

/* A new hash, with a salt of the kernel's. Errors: ERR_IO, ERR_MEMORY, ERR_LIMIT for one that
 * password_judge would not take for its length or a NUL. */
int password_hash(Str password, char ret_hash[static PASSWORD_HASH_BYTES], Err *err);

/* Whether it is the one of this hash. Empty `hash`: the account does not exist; it costs the same,
 * and is false. False too when there is no memory. */
bool password_matches(Str password, Str hash);

/* How often this process has hashed, for the test that both paths cost the same. */
uint64_t password_hash_count(void);

#endif
