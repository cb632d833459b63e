/* decision_object.h - reads the JSON object that a model meant, however it wrote it.
 *
 * For:    decision.c. Not a JSON reader for anything else: it guesses where JSON is broken.
 * Memory: fields own their texts; object_done frees them.
 * Thread: pure.
 * Source: docs/spec/maw.md 5.7 steps 2 to 4.
 *
 * Taken besides JSON: single, typographic and missing quotes, quotes inside a text, trailing and
 * missing commas, line ends inside a text, comments, True and None, an object inside an object or
 * a list (its fields count as fields where the outer one has none), and an end that is missing
 * because the answer was cut.
 */
#ifndef WARG_LLM_DECISION_OBJECT_H
#define WARG_LLM_DECISION_OBJECT_H

#include "base/buf.h"

#define OBJECT_BYTES_MAX 65536 /* of an answer; the rest is not looked at */
#define FIELD_BYTES_MAX  8192  /* of one text */

typedef enum FieldName {
    FIELD_TYPE, /* of a wire message; says less than an action */
    FIELD_ACTION,
    FIELD_MESSAGE,
    FIELD_TARGET,
    FIELD_NAME, /* a target, or what a "tool call" calls an action */
    FIELD_REASON,
    FIELD_THOUGHT,
    FIELD_VOTE,   /* {"vote": "Bo"}: an action and its target */
    FIELD_SPEAK,  /* {"speak": "..."}: likewise */
    FIELD_LISTEN, /* {"listen": true} */
    FIELD_COUNT,
} FieldName;

typedef struct Field {
    Buf text;
    unsigned depth; /* of the object it stood in; 0: there is none */
    bool cut;       /* the answer ended inside it */
    bool null;      /* null, false, or an empty object or list */
} Field;

typedef struct Object {
    Field fields[FIELD_COUNT];
} Object;

void object_done(Object *object); /* also for CLEANUP(object_done) */

/* The first object of `text` that has a field we know; false when there is none. */
bool object_read(Str text, Object *object);

static inline bool object_has(const Object *object, FieldName name)
{
    return object->fields[name].depth > 0;
}
static inline Str object_text(const Object *object, FieldName name)
{
    return buf_str(&object->fields[name].text);
}

/* The field that a key, or the word in front of a colon, means; FIELD_COUNT: none. */
FieldName field_of(Str key);

#endif
