/* maw_config.h - a MAW table as a file: the keys of the design document and of its resolutions.
 *
 * For:    `warg maw --rules FILE`.
 * Memory: MawConfig is a plain value.
 * Thread: pure but for maw_config_load.
 * Source: docs/spec/maw.md 1.1, 1.2, 9; seed 002.
 */
#ifndef WARG_MAW_MAW_CONFIG_H
#define WARG_MAW_MAW_CONFIG_H

#include "maw/asker.h"
#include "maw/maw_setup.h"

#define MAW_ASKED_SEATS 16
#define MAW_ASKED_BYTES 256

/* A seat here whose decisions an interface agent elsewhere makes. */
typedef struct MawAskedSeat {
    MawAsks kind;
    char interface[MAW_ASKED_BYTES];
} MawAskedSeat;

typedef struct MawConfig {
    Ruleset rules;
    MawOptions options;
    MawAskedSeat asked[MAW_ASKED_SEATS];
    uint32_t asked_count;
} MawConfig;

/* The document's table: ruleset `maw`, six players, one round. */
void maw_config_default(MawConfig *ret_config);

/* Reads a file over what *config holds; a key that is not there changes nothing. Times are in
 * seconds, as in the spec. Errors: ERR_SYNTAX with line and column (an unknown key names the
 * nearest known one), ERR_RULE, ERR_MEMORY. */
int maw_config_read(Str text, MawConfig *config, Err *err);
int maw_config_load(const char *path, MawConfig *config, Err *err); /* also ERR_IO */

/* After changes by hand: the numbers fit each other. Sets what follows from them (roles). */
int maw_config_check(MawConfig *config, Err *err);

#endif
