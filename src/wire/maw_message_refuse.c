/* maw_message_refuse.c - what is wrong with a message, for both halves of reading it. */
#include "wire/maw_message_reading.h"

#include <jansson.h>

void maw_refuse_fill(MawRefusal *why, const char *code, const char *format, ...)
{
    va_list arguments;

    why->act = ACT_NOT_UNDERSTOOD;
    why->code = code;
    va_start(arguments, format);
    vsnprintf(why->text, sizeof(why->text), format, arguments);
    va_end(arguments);
}

void maw_refuse_memory_fill(MawRefusal *why)
{
    maw_refuse_fill(why, "internal", "There is no memory for this message; send it again later.");
    why->act = ACT_FAILURE;
}

const char *maw_json_kind(const json_t *json)
{
    if (!json)
        return "nothing";
    switch (json_typeof(json)) {
    case JSON_OBJECT:
        return "an object";
    case JSON_ARRAY:
        return "a list";
    case JSON_STRING:
        return "a text";
    case JSON_INTEGER:
        return "a whole number";
    case JSON_REAL:
        return "a number with a point";
    case JSON_TRUE:
        return "true";
    case JSON_FALSE:
        return "false";
    case JSON_NULL:
        return "null";
    }
    return "something else";
}
