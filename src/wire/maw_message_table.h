/* maw_message_table.h - which MAW message has which fields: one table for reading and for writing.
 *
 * For:    wire/maw_message*.c and nobody else.
 * Memory: constant.
 * Thread: pure.
 * Source: docs/spec/maw.md 3.2 to 3.4; variant names: 0.2 (C1 to C4).
 */
#ifndef WARG_WIRE_MAW_MESSAGE_TABLE_H
#define WARG_WIRE_MAW_MESSAGE_TABLE_H

#include "wire/maw_message.h"

/* The JSON of a field, and where in MawMessage it is. */
typedef enum MawKind {
    KIND_TEXT,        /* a Str at `at` */
    KIND_TARGET,      /* `target`, or null with `target_null` */
    KIND_OF,          /* a Str at `at`; written as null when it is absent */
    KIND_NUMBER,      /* an int64_t at `at`, 0 or more */
    KIND_SECONDS,     /* the same; what is behind the point is dropped */
    KIND_BOOL,        /* a bool at `at`, written when the number at `with` is there */
    KIND_TRUE,        /* a bool at `at`, written when it is true */
    KIND_OBJECT,      /* raw JSON of an object in the Str at `at` */
    KIND_TEXTS,       /* `list` */
    KIND_PEOPLE,      /* `players`, as objects of jid and name */
    KIND_JIDS,        /* `players`, their JIDs */
    KIND_NAMES,       /* `players`, their names */
    KIND_THEIR_NAMES, /* names of the JIDs in front, as many as those */
    KIND_PAIRS,       /* `pairs`, an object of texts */
    KIND_SCORES,      /* `scores`, a list of objects */
    KIND_MESSAGES,    /* `lines` as "Name: text" */
    KIND_ENTRIES,     /* `lines` as objects, when they have an index */
    KIND_ROOMS,       /* an object of `lobby`, `village`, `hideout` */
} MawKind;

typedef struct MawField {
    const char *key; /* NULL behind the last one */
    MawKind kind;
    bool needed; /* the document's own: it must be there, and a list is written when it is empty */
    size_t at;
    size_t with;
} MawField;

#define MAW_FIELDS_MAX 8

typedef struct MawTypeRow {
    const char *name;
    MawAct act;
    bool masters;
    MawField fields[MAW_FIELDS_MAX];
} MawTypeRow;

/* A number 0..MAW_NUMBER_MAX is the same number in every language's JSON. */
#define MAW_NUMBER_MAX ((int64_t)1 << 53)

const MawTypeRow *maw_type_row(MawType type);

/* The type of this name, also of the document's other names; MAW_NO_TYPE. */
MawType maw_type_of(Str name);
/* The name of a type that resembles `name`; empty when none does. */
Str maw_type_like(Str name);

#endif
