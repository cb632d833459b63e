/* game_schema.h - whether a document is what docs/spec/web/game.schema.json says. For tests and
 * fuzzing: it knows the words of JSON Schema that stand in that file, and stops at any other.
 *
 * For:    tests of this folder, fuzz/fuzz_game_doc.c.
 * Memory: the schema is loaded once and never given back.
 * Thread: the test's.
 */
#ifndef WARG_TESTS_GAME_SCHEMA_H
#define WARG_TESTS_GAME_SCHEMA_H

#include "base/buf.h"
#include "base/utf8.h"

#include <jansson.h>
#include <regex.h>
#include <stdio.h>
#include <stdlib.h>

/* What is wrong, and where. */
typedef struct SchemaError {
    char text[400];
} SchemaError;

static json_t *schema_root;
static regex_t schema_pattern; /* the only one */

static inline bool schema_fail(SchemaError *error, const char *path, const char *what,
                               const char *detail)
{
    if (!error->text[0])
        snprintf(error->text, sizeof(error->text), "%s: %s %s", path, what, detail);
    return false;
}

static inline bool schema_load(void)
{
    CLEANUP(buf_done) Buf path = {0};
    const char *source = getenv("WARG_SOURCE");

    if (schema_root)
        return true;
    buf_printf(&path, "%s/docs/spec/web/game.schema.json", source ? source : ".");
    schema_root = json_load_file(buf_cstr(&path), 0, NULL);
    return schema_root &&
           regcomp(&schema_pattern, "^[a-z0-9.]{1,40}$", REG_EXTENDED | REG_NOSUB) == 0;
}

static inline bool schema_holds(const json_t *schema, json_t *value, const char *path,
                                SchemaError *error);

static inline const json_t *schema_refers(const json_t *schema)
{
    const json_t *ref = json_object_get(schema, "$ref");

    if (!ref)
        return schema;
    return json_object_get(json_object_get(schema_root, "$defs"),
                           json_string_value(ref) + strlen("#/$defs/"));
}

static inline bool schema_type(const json_t *schema, const json_t *value)
{
    const char *type = json_string_value(json_object_get(schema, "type"));

    if (!type)
        return true;
    return (strcmp(type, "object") == 0 && json_is_object(value)) ||
           (strcmp(type, "array") == 0 && json_is_array(value)) ||
           (strcmp(type, "string") == 0 && json_is_string(value)) ||
           (strcmp(type, "integer") == 0 && json_is_integer(value)) ||
           (strcmp(type, "number") == 0 && json_is_number(value)) ||
           (strcmp(type, "boolean") == 0 && json_is_boolean(value));
}

static inline bool schema_object(const json_t *schema, json_t *value, const char *path,
                                 SchemaError *error)
{
    const json_t *properties = json_object_get(schema, "properties");
    const json_t *more = json_object_get(schema, "additionalProperties");
    const json_t *required = json_object_get(schema, "required");
    const char *key;
    json_t *child, *name;
    size_t i;

    json_array_foreach (required, i, name) {
        if (!json_object_get(value, json_string_value(name)))
            return schema_fail(error, path, "has no", json_string_value(name));
    }
    json_object_foreach ((json_t *)value, key, child) {
        char below[200];
        const json_t *rule = json_object_get(properties, key);
        snprintf(below, sizeof(below), "%.150s.%.40s", path, key);
        if (!rule && json_is_false(more))
            return schema_fail(error, path, "must not have", key);
        if (!rule)
            rule = json_is_object(more) ? more : NULL;
        if (rule && !schema_holds(rule, child, below, error))
            return false;
    }
    return true;
}

static inline bool schema_array(const json_t *schema, const json_t *value, const char *path,
                                SchemaError *error)
{
    const json_t *items = json_object_get(schema, "items");
    const json_t *least = json_object_get(schema, "minItems");
    const json_t *most = json_object_get(schema, "maxItems");
    size_t count = json_array_size(value);

    if ((least && count < (size_t)json_integer_value(least)) ||
        (most && count > (size_t)json_integer_value(most)))
        return schema_fail(error, path, "has another number of items", "");
    for (size_t i = 0; i < count && items; i++) {
        char below[200];
        snprintf(below, sizeof(below), "%.150s[%zu]", path, i);
        if (!schema_holds(items, json_array_get(value, i), below, error))
            return false;
        for (size_t k = 0; k < i && json_is_true(json_object_get(schema, "uniqueItems")); k++)
            if (json_equal(json_array_get(value, i), json_array_get(value, k)))
                return schema_fail(error, below, "is there twice", "");
    }
    return true;
}

static inline bool schema_scalar(const json_t *schema, const json_t *value, const char *path,
                                 SchemaError *error)
{
    const json_t *least = json_object_get(schema, "minimum");
    const json_t *most = json_object_get(schema, "maximum");
    const json_t *length = json_object_get(schema, "maxLength");
    double number = json_number_value(value);

    if (json_is_number(value) && ((least && number < json_number_value(least)) ||
                                  (most && number > json_number_value(most))))
        return schema_fail(error, path, "is out of range", "");
    if (!json_is_string(value))
        return true;
    const Str text = {json_string_value(value), json_string_length(value)};
    if (length && utf8_count(text) > (size_t)json_integer_value(length))
        return schema_fail(error, path, "is too long", "");
    if (json_object_get(schema, "pattern") &&
        (strcmp(json_string_value(json_object_get(schema, "pattern")), "^[a-z0-9.]{1,40}$") != 0 ||
         regexec(&schema_pattern, text.bytes, 0, NULL, 0)))
        return schema_fail(error, path, "does not have the pattern:", text.bytes);
    return true;
}

static inline bool schema_choice(const json_t *schema, const json_t *value)
{
    const json_t *list = json_object_get(schema, "enum"), *item;
    const json_t *only = json_object_get(schema, "const");
    size_t i;

    if (only)
        return json_equal(only, value);
    json_array_foreach (list, i, item) {
        if (json_equal(item, value))
            return true;
    }
    return list == NULL;
}

static inline bool schema_holds(const json_t *schema, json_t *value, const char *path,
                                SchemaError *error)
{
    schema = schema_refers(schema);
    if (!schema_type(schema, value))
        return schema_fail(error, path, "is of another type than",
                           json_string_value(json_object_get(schema, "type")));
    if (!schema_choice(schema, value))
        return schema_fail(error, path, "is none of those that may be:",
                           json_is_string(value) ? json_string_value(value) : "");
    if (json_is_object(value))
        return schema_object(schema, value, path, error);
    if (json_is_array(value))
        return schema_array(schema, value, path, error);
    return schema_scalar(schema, value, path, error);
}

/* Whether the document is valid: by the schema, and in what no schema says: events are numbered
 * from 0, their anchors are unique, phases begin where they say. Returns the document, or NULL with
 * `error`. */
static inline json_t *schema_check(Str text, SchemaError *error)
{
    json_error_t where;
    json_t *doc = json_loadb(text.bytes, text.len, JSON_ALLOW_NUL, &where), *event, *phase;
    json_t *anchors = json_object();
    size_t i, next = 0;
    bool ok = doc && schema_load() && schema_holds(schema_root, doc, "doc", error);

    error->text[0] = ok ? '\0' : error->text[0];
    if (!doc)
        schema_fail(error, "doc", "is no JSON:", where.text);
    else if (!schema_root)
        schema_fail(error, "doc", "there is no schema; WARG_SOURCE?", "");
    json_array_foreach (json_object_get(doc, "events"), i, event) {
        const char *anchor = json_string_value(json_object_get(event, "a"));
        if (json_integer_value(json_object_get(event, "n")) != (json_int_t)i)
            ok = schema_fail(error, "events", "are not numbered", anchor);
        if (ok && json_object_get(anchors, anchor))
            ok = schema_fail(error, "events", "have an anchor twice:", anchor);
        if (ok)
            json_object_set_new(anchors, anchor, json_true());
    }
    json_array_foreach (json_object_get(doc, "phases"), i, phase) {
        size_t first = (size_t)json_integer_value(json_object_get(phase, "first"));
        if (first < next || first >= json_array_size(json_object_get(doc, "events")))
            ok = schema_fail(error, "phases", "are out of order", "");
        next = first + 1;
    }
    json_decref(anchors);
    if (ok)
        return doc;
    json_decref(doc);
    return NULL;
}

#endif
