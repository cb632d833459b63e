/* key_file.h - keys that are drawn.
 *
 * For:    commands that play without a seed of somebody's choice.
 * Memory: none.
 * Thread: any.
 * Source: spec/contest-operations.md 11.1; getrandom(2): a key must not be guessable from the time.
 */
#ifndef WARG_RECORD_KEY_FILE_H
#define WARG_RECORD_KEY_FILE_H

#include "base/err.h"
#include "base/key.h"

/* 256 bits from the kernel. Errors: ERR_IO. */
int key_draw(Key *ret_key, Err *err);

#endif
