/* audit_entry.h - members of an entry of a site's ledger, for who compares entries.
 *
 * For:    the files of this room.
 * Memory: texts are borrowed from the entry.
 * Thread: any.
 * Source: docs/spec/contest-operations.md 11.3.
 *
 * Entries are those that are about no line of a journal: objects in an array, in their order.
 */
#ifndef WARG_AUDIT_AUDIT_ENTRY_H
#define WARG_AUDIT_AUDIT_ENTRY_H

#include "base/str.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct json_t json_t;

/* A member that is a text; "" when there is none. */
const char *audit_entry_text(const json_t *entry, const char *name);
/* Whether that is this text; one that is not there is empty. */
bool audit_entry_says(const json_t *entry, const char *name, Str value);
/* Whether it is of this type. */
bool audit_entry_is(const json_t *entry, const char *type);
/* Its number, from 0, and its line in the file, from 1. */
int64_t audit_entry_number(const json_t *entry);
unsigned audit_entry_line(const json_t *entry);

/* The first entry of this type that is about this stage; NULL = none. */
const json_t *audit_entry_of_stage(const json_t *entries, const char *type, Str stage);
/* The contest's name, as its first entry says; else `name`: what is played has the same. */
Str audit_entry_contest(const json_t *entries, const char *name);

#endif
