#include "wire/json_read.h"

#include <jansson.h>

static int read_with(Str text, size_t max, size_t flags, json_t **ret_json, Err *err)
{
    json_error_t error;

    if (text.len > max)
        return err_set(err, ERR_LIMIT, "packet: %zu bytes; at most %zu are read", text.len, max);
    json_t *json = json_loadb(text.bytes ? text.bytes : "", text.len, flags, &error);
    if (!json && json_error_code(&error) == json_error_out_of_memory)
        return err_set(err, ERR_MEMORY, "packet: out of memory");
    if (!json)
        return err_set_at(err, ERR_SYNTAX, 1, (unsigned)error.position, "packet: not JSON: %s",
                          error.text);
    *ret_json = json;
    return 0;
}

int json_read(Str text, size_t max, json_t **ret_json, Err *err)
{
    return read_with(text, max, JSON_ALLOW_NUL, ret_json, err);
}

int json_read_once(Str text, size_t max, json_t **ret_json, Err *err)
{
    return read_with(text, max, JSON_ALLOW_NUL | JSON_REJECT_DUPLICATES, ret_json, err);
}

const json_t *json_get(const json_t *object, const char *key)
{
    const json_t *value = json_object_get(object, key);

    return json_is_null(value) ? NULL : value;
}

void json_refuse(JsonReader *reader, const char *key, const char *expected)
{
    if (!reader->rc)
        reader->rc = err_set(reader->err, ERR_SYNTAX, "packet: '%s' is not %s", key, expected);
}

int64_t json_get_int(JsonReader *reader, const json_t *object, const char *key, int64_t min,
                     int64_t max, int64_t otherwise)
{
    const json_t *value = json_get(object, key);

    if (!value)
        return otherwise;
    if (!json_is_integer(value)) {
        json_refuse(reader, key, "a whole number");
        return otherwise;
    }
    int64_t number = json_integer_value(value);
    if (number >= min && number <= max)
        return number;
    if (!reader->rc)
        reader->rc = err_set(reader->err, ERR_LIMIT, "packet: '%s' is %lld; expected %lld to %lld",
                             key, (long long)number, (long long)min, (long long)max);
    return otherwise;
}

int32_t json_get_amount(JsonReader *reader, const json_t *object, const char *key,
                        int32_t otherwise)
{
    int64_t number = json_get_int(reader, object, key, INT64_MIN, INT64_MAX, otherwise);

    return (int32_t)(number < 0 ? 0 : number > UINT16_MAX ? UINT16_MAX : number);
}

bool json_get_bool(JsonReader *reader, const json_t *object, const char *key, bool otherwise)
{
    const json_t *value = json_get(object, key);

    if (value && !json_is_boolean(value))
        json_refuse(reader, key, "true or false");
    return json_is_boolean(value) ? json_is_true(value) : otherwise;
}

SeatNo json_get_seat(JsonReader *reader, const json_t *object, const char *key, SeatNo otherwise)
{
    int64_t seat = json_get_int(reader, object, key, -1, reader->seat_count, otherwise);

    return seat > 0 ? (SeatNo)seat : SEAT_NONE;
}

Str json_get_str(JsonReader *reader, const json_t *object, const char *key)
{
    const json_t *value = json_get(object, key);

    if (value && !json_is_string(value))
        json_refuse(reader, key, "a text");
    return (Str){json_is_string(value) ? json_string_value(value) : "", json_string_length(value)};
}

const json_t *json_get_list(JsonReader *reader, const json_t *object, const char *key)
{
    const json_t *value = json_get(object, key);

    if (value && !json_is_array(value))
        json_refuse(reader, key, "a list");
    return json_is_array(value) ? value : NULL;
}

json_t *json_get_object(JsonReader *reader, const json_t *object, const char *key)
{
    json_t *value = json_object_get(object, key);

    if (value && !json_is_null(value) && !json_is_object(value))
        json_refuse(reader, key, "an object");
    return json_is_object(value) ? value : NULL;
}

SeatNo json_key_seat(JsonReader *reader, const char *key)
{
    uint64_t seat;

    if (str_to_uint(str_of(key), reader->seat_count, &seat) && seat > 0)
        return (SeatNo)seat;
    if (!reader->rc)
        reader->rc = err_set(reader->err, ERR_LIMIT, "packet: '%.20s' is no agent of 1 to %u", key,
                             reader->seat_count);
    return SEAT_NONE;
}

void json_done(json_t *json)
{
    json_decref(json);
}

size_t json_count(const json_t *list)
{
    return json_array_size(list);
}

const json_t *json_at(const json_t *list, size_t index)
{
    return json_array_get(list, index);
}

/* jansson's iterators want an object that may be changed; ours is not. */
static json_t *unconst_json(const json_t *json)
{
    const union {
        const json_t *constant;
        json_t *json;
    } same = {.constant = json};

    return same.json;
}

void *json_member(const json_t *object, void *before)
{
    json_t *map = unconst_json(object);

    return before ? json_object_iter_next(map, before) : json_object_iter(map);
}

const char *json_member_key(void *member)
{
    return json_object_iter_key(member);
}

const json_t *json_member_value(void *member)
{
    return json_object_iter_value(member);
}

bool json_is_map(const json_t *json)
{
    return json_is_object(json);
}

bool json_is_list(const json_t *json)
{
    return json_is_array(json);
}

bool json_as_str(const json_t *json, Str *ret_text)
{
    if (!json_is_string(json))
        return false;
    *ret_text = (Str){json_string_value(json), json_string_length(json)};
    return true;
}

bool json_as_int(const json_t *json, int64_t *ret_value)
{
    if (!json_is_integer(json))
        return false;
    *ret_value = json_integer_value(json);
    return true;
}

bool json_as_real(const json_t *json, double *ret_value)
{
    if (!json_is_number(json))
        return false;
    *ret_value = json_number_value(json);
    return true;
}

bool json_as_bool(const json_t *json, bool *ret_value)
{
    if (!json_is_boolean(json))
        return false;
    *ret_value = json_is_true(json);
    return true;
}

Str json_text(const json_t *object, const char *key)
{
    Str text = {"", 0};

    json_as_str(json_get(object, key), &text);
    return text;
}

int64_t json_number(const json_t *object, const char *key)
{
    int64_t number = 0;

    json_as_int(json_get(object, key), &number);
    return number;
}
