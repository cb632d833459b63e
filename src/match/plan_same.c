/* plan_same.c - the plan of a journal against the plan of now: plan_same of plan.h. */
#include "match/plan.h"

#include <jansson.h>
#include <string.h>

/* A rule with this value changes nothing. */
static bool is_off(const json_t *value)
{
    return json_is_false(value) || json_is_null(value) ||
           (json_is_integer(value) && json_integer_value(value) == 0);
}

/* The command of a language model begins with the path of this program: warg may be elsewhere now,
 * on another machine even, where somebody plays the games again. */
static Str command_anywhere(const json_t *command)
{
    const Str text = {json_string_value(command), json_string_length(command)};
    size_t at;

    return str_starts(text, STR("'")) && str_find(text, STR("' bot aiwolf --llm '"), &at)
               ? str_part(text, at, text.len)
               : text;
}

static bool same_command(const json_t *before, const json_t *now)
{
    return json_is_string(before) && json_is_string(now) &&
           str_eq(command_anywhere(before), command_anywhere(now));
}

static bool same_plan(const json_t *before, json_t *now);

/* NOLINTNEXTLINE(misc-no-recursion): as deep as plans are, and libjansson reads no deeper */
static bool same_object(const json_t *before, json_t *now)
{
    const char *key;
    json_t *value;
    size_t found = 0;

    json_object_foreach (now, key, value) {
        const json_t *old = json_object_get(before, key);
        if (old ? !same_plan(old, value) &&
                      !(strcmp(key, "command") == 0 && same_command(old, value))
                : !is_off(value))
            return false;
        found += old != NULL;
    }
    return found == json_object_size(before);
}

/* NOLINTNEXTLINE(misc-no-recursion): see above */
static bool same_plan(const json_t *before, json_t *now)
{
    if (json_is_object(before) && json_is_object(now))
        return same_object(before, now);
    if (!json_is_array(before) || !json_is_array(now))
        return json_equal(before, now);
    if (json_array_size(before) != json_array_size(now))
        return false;
    for (size_t i = 0; i < json_array_size(now); i++)
        if (!same_plan(json_array_get(before, i), json_array_get(now, i)))
            return false;
    return true;
}

bool plan_same(Str before, Str now)
{
    if (str_eq(before, now))
        return true;
    json_t *a = json_loadb(before.bytes, before.len, JSON_REJECT_DUPLICATES, NULL);
    json_t *b = json_loadb(now.bytes, now.len, JSON_REJECT_DUPLICATES, NULL);
    bool equal = a && b && same_plan(a, b);
    json_decref(a);
    json_decref(b);
    return equal;
}
