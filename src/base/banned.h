/* banned.h - stops functions that overflow, guess, hide state or depend on the locale.
 *
 * For:    every .c file, through base/mem.h. Using one of these names fails to compile.
 * Instead: buf_*, str_*, err_set, str_to_uint and str_to_int of base/str.h, Rng.
 */
#ifndef WARG_BASE_BANNED_H
#define WARG_BASE_BANNED_H

/* System headers declare these names, so they must come before the poison. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#pragma GCC poison strcpy strcat sprintf vsprintf strtok atoi atol atoll atof rand srand gets

#endif
