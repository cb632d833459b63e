/* err.h - an error as a value: a code, a place, and a sentence that a user can act on.
 *
 * For:    every function that can fail: it returns 0 or a negative ErrCode and fills `err`.
 * Memory: plain value on the caller's stack; `Err err = {0};`. A NULL `err` is allowed everywhere.
 * Thread: any.
 * Source: style guide, "Errors".
 */
#ifndef WARG_BASE_ERR_H
#define WARG_BASE_ERR_H

#include "base/str.h"

typedef enum ErrCode {
    ERR_OK = 0,
    ERR_MEMORY = -1,      /* no memory */
    ERR_IO = -2,          /* the operating system said no */
    ERR_SYNTAX = -3,      /* input that can't be read; line and column say where */
    ERR_LIMIT = -4,       /* larger than a stated limit */
    ERR_RULE = -5,        /* against the rules of the game, or of the call */
    ERR_USAGE = -6,       /* command line */
    ERR_INTERRUPTED = -7, /* the user ended it early; what was done is kept */
} ErrCode;

#define ERR_TEXT_MAX 512

typedef struct Err {
    ErrCode code;
    unsigned line;   /* 1-based, 0 = none */
    unsigned column; /* 1-based, in bytes, 0 = none */
    char msg[ERR_TEXT_MAX];
} Err;

/* Fills `err` unless it already holds an error (the first wins), and is the value `code`, so that
 * `return err_set(err, ERR_RULE, "seat %u is dead", seat)` works. Macros, because then analysers
 * see that what is returned is not 0. */
#define err_set(err, code, ...) err_set_at((err), (code), 0, 0, __VA_ARGS__)
/* The same with a place in an input text. */
#define err_set_at(err, code, line, column, ...)                                                   \
    __extension__({                                                                                \
        err_fill((err), (code), (line), (column), __VA_ARGS__);                                    \
        (int)(code);                                                                               \
    })

void err_fill(Err *err, ErrCode code, unsigned line, unsigned column, const char *format, ...)
    __attribute__((format(printf, 5, 6)));

/* Puts context in front of the message: "config 'five.yml': ...". Returns err's code, or
 * ERR_OK for a NULL err. */
int err_wrap(Err *err, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
