#include "wire/maw_message_reading.h"

#include "wire/json_read.h"

#include <jansson.h>
#include <math.h>

enum { PREFIX_BYTES_MAX = 128 }; /* of "Name: " in a line */

/* One element of a list or an object, for the place in a sentence: players[3].jid. */
typedef struct Place {
    const char *key;
    size_t index; /* NO_INDEX: the field itself */
    const char *member;
} Place;

#define NO_INDEX SIZE_MAX

static bool refuse_place(const MawReading *reading, Place place, const char *expected,
                         const json_t *came)
{
    const char *type = maw_type_name(reading->message->type);
    char index[32] = "";

    if (place.index != NO_INDEX)
        snprintf(index, sizeof(index), "[%zu]", place.index);
    return maw_refuse(
        reading->why, "bad-field",
        "%s: expected '%s%s%s%s' to be %s, but got %s; correct it and send the message "
        "again.",
        type, place.key, index, place.member ? "." : "", place.member ? place.member : "", expected,
        maw_json_kind(came));
}

static bool refuse_size(const MawReading *reading, const char *key, size_t max, size_t came)
{
    return maw_refuse(reading->why, "bad-field",
                      "%s: expected at most %zu elements in '%s', but got %zu; send fewer.",
                      maw_type_name(reading->message->type), max, key, came);
}

/* ---- values ---- */

static Str text_of(const json_t *json)
{
    return (Str){json_string_value(json), json_string_length(json)};
}

/* Null is like nothing, but for targets. */
static const json_t *member_of(const json_t *object, const char *key)
{
    const json_t *value = json_object_get(object, key);

    return json_is_null(value) ? NULL : value;
}

/* A text that may be absent. */
static bool take_text(const MawReading *reading, Place place, const json_t *value, Str *ret)
{
    if (value && !json_is_string(value))
        return refuse_place(reading, place, "a text", value);
    if (value)
        *ret = text_of(value);
    return true;
}

/* A number that is there. 3.0 is a whole number: some languages write it so. */
static bool take_number(const MawReading *reading, Place place, const json_t *value, int64_t min,
                        bool cut, int64_t *ret)
{
    if (json_is_integer(value)) {
        int64_t number = json_integer_value(value);
        if (number >= min && number <= MAW_NUMBER_MAX) {
            *ret = number;
            return true;
        }
    }
    if (json_is_real(value)) {
        double whole = trunc(json_real_value(value));
        bool exact = !(whole < json_real_value(value)) && !(whole > json_real_value(value));
        if (whole >= (double)min && whole <= (double)MAW_NUMBER_MAX && (cut || exact)) {
            *ret = (int64_t)whole;
            return true;
        }
    }
    return refuse_place(reading, place,
                        min < 0 ? "a whole number below 2^53" : "a whole number from 0 to 2^53",
                        value);
}

static bool take_list(const MawReading *reading, const char *key, const json_t *value, size_t max,
                      size_t *ret_count)
{
    if (!json_is_array(value))
        return refuse_place(reading, (Place){key, NO_INDEX, NULL}, "a list", value);
    *ret_count = json_array_size(value);
    return *ret_count <= max || refuse_size(reading, key, max, *ret_count);
}

static bool take_object(const MawReading *reading, Place place, const json_t *value)
{
    return json_is_object(value) || refuse_place(reading, place, "an object", value);
}

/* The text at `index` of a list. */
static bool take_element(const MawReading *reading, const char *key, const json_t *list,
                         size_t index, Str *ret)
{
    const json_t *element = json_array_get(list, index);

    if (!json_is_string(element))
        return refuse_place(reading, (Place){key, index, NULL}, "a text", element);
    *ret = text_of(element);
    return true;
}

/* ---- fields of several values ---- */

static bool read_texts(const MawReading *reading, const char *key, const json_t *value)
{
    MawMessage *message = reading->message;
    size_t count;

    if (!take_list(reading, key, value, MAW_LIST_MAX, &count))
        return false;
    for (size_t i = 0; i < count; i++)
        if (!take_element(reading, key, value, i, &message->list[i]))
            return false;
    message->list_count = (uint32_t)count;
    return true;
}

/* JIDs or names, alone. */
static bool read_persons(const MawReading *reading, const MawField *field, const json_t *value)
{
    MawMessage *message = reading->message;
    size_t count;

    if (!take_list(reading, field->key, value, MAW_LIST_MAX, &count))
        return false;
    if (field->kind == KIND_THEIR_NAMES && count != message->player_count)
        return maw_refuse(reading->why, "bad-field",
                          "%s: expected '%s' to be a list of %u texts like 'players', but got %zu; "
                          "leave it out or send one for each.",
                          maw_type_name(message->type), field->key, message->player_count, count);
    for (size_t i = 0; i < count; i++) {
        MawPerson *person = &message->players[i];
        if (field->kind != KIND_THEIR_NAMES)
            *person = (MawPerson){0};
        if (!take_element(reading, field->key, value, i,
                          field->kind == KIND_JIDS ? &person->jid : &person->name))
            return false;
    }
    message->player_count = (uint32_t)count;
    return true;
}

static bool read_people(const MawReading *reading, const char *key, const json_t *value)
{
    MawMessage *message = reading->message;
    size_t count;

    if (!take_list(reading, key, value, MAW_LIST_MAX, &count))
        return false;
    for (size_t i = 0; i < count; i++) {
        const json_t *person = json_array_get(value, i);
        const json_t *jid = member_of(person, "jid");
        if (!take_object(reading, (Place){key, i, NULL}, person))
            return false;
        message->players[i] = (MawPerson){0};
        if (!jid)
            return refuse_place(reading, (Place){key, i, "jid"}, "a text", jid);
        if (!take_text(reading, (Place){key, i, "jid"}, jid, &message->players[i].jid) ||
            !take_text(reading, (Place){key, i, "name"}, member_of(person, "name"),
                       &message->players[i].name))
            return false;
    }
    message->player_count = (uint32_t)count;
    return true;
}

static bool read_pairs(const MawReading *reading, const char *key, const json_t *value)
{
    MawMessage *message = reading->message;

    if (!take_object(reading, (Place){key, NO_INDEX, NULL}, value))
        return false;
    if (json_object_size(value) > MAW_LIST_MAX)
        return refuse_size(reading, key, MAW_LIST_MAX, json_object_size(value));
    for (void *at = json_member(value, NULL); at; at = json_member(value, at)) {
        MawPair *pair = &message->pairs[message->pair_count];
        const json_t *text = json_member_value(at);
        Place place = {key, message->pair_count, NULL};
        *pair = (MawPair){.key = str_of(json_member_key(at))};
        if (!take_text(reading, place, json_is_null(text) ? NULL : text, &pair->value))
            return false;
        message->pair_count++;
    }
    return true;
}

static bool read_score(const MawReading *reading, const char *key, size_t index,
                       const json_t *object)
{
    MawScore *score = &reading->message->scores[index];
    const json_t *won = member_of(object, "rounds_won");

    *score = (MawScore){.rounds_won = MAW_ABSENT};
    return take_object(reading, (Place){key, index, NULL}, object) &&
           take_text(reading, (Place){key, index, "player"}, member_of(object, "player"),
                     &score->player) &&
           take_text(reading, (Place){key, index, "name"}, member_of(object, "name"),
                     &score->name) &&
           take_number(reading, (Place){key, index, "points"}, json_object_get(object, "points"),
                       -MAW_NUMBER_MAX, false, &score->points) &&
           (!won || take_number(reading, (Place){key, index, "rounds_won"}, won, 0, false,
                                &score->rounds_won));
}

static bool read_scores(const MawReading *reading, const char *key, const json_t *value)
{
    size_t count;

    if (!take_list(reading, key, value, MAW_LIST_MAX, &count))
        return false;
    for (size_t i = 0; i < count; i++)
        if (!read_score(reading, key, i, json_array_get(value, i)))
            return false;
    reading->message->score_count = (uint32_t)count;
    return true;
}

static bool read_rooms(const MawReading *reading, const char *key, const json_t *value)
{
    MawMessage *message = reading->message;

    return take_object(reading, (Place){key, NO_INDEX, NULL}, value) &&
           take_text(reading, (Place){key, NO_INDEX, "lobby"}, member_of(value, "lobby"),
                     &message->lobby) &&
           take_text(reading, (Place){key, NO_INDEX, "village"}, member_of(value, "village"),
                     &message->village) &&
           take_text(reading, (Place){key, NO_INDEX, "hideout"}, member_of(value, "hideout"),
                     &message->hideout);
}

static int add_bytes(const char *bytes, size_t n, void *buf)
{
    buf_add(buf, (Str){bytes, n});
    return 0;
}

static bool read_object(const MawReading *reading, const char *key, const json_t *value, Str *ret)
{
    Buf *text = &reading->tree->completions;

    if (!take_object(reading, (Place){key, NO_INDEX, NULL}, value))
        return false;
    if (json_dump_callback(value, add_bytes, text, JSON_COMPACT) || buf_failed(text))
        return maw_refuse_memory(reading->why);
    *ret = buf_str(text);
    return true;
}

/* ---- lines ---- */

/* Room for so many lines in place of those that were read before. */
static bool make_lines(const MawReading *reading, size_t count)
{
    MawTree *tree = reading->tree;

    tree->lines = mem_free(tree->lines);
    reading->message->lines = NULL;
    reading->message->line_count = 0;
    if (count == 0)
        return true;
    tree->lines = mem_new(count * sizeof(*tree->lines));
    if (!tree->lines)
        return maw_refuse_memory(reading->why);
    reading->message->lines = tree->lines;
    reading->message->line_count = (uint32_t)count;
    return true;
}

/* "Name: text": no name has a space or a colon (A33), so what does not begin with one has none. */
static MawLine split_line(Str line)
{
    MawLine split = {.index = MAW_ABSENT, .text = line};

    for (size_t at = 0; at + 1 < line.len && at < PREFIX_BYTES_MAX; at++) {
        if (line.bytes[at] == ' ')
            break;
        if (line.bytes[at] != ':' || line.bytes[at + 1] != ' ' || at == 0)
            continue;
        Str name = str_part(line, 0, at);
        bool is_system = str_eq(name, STR("System"));
        split.text = str_part(line, at + 2, line.len);
        split.kind = is_system ? STR("system") : STR("chat");
        if (!is_system)
            split.name = name;
        break;
    }
    return split;
}

static bool read_messages(const MawReading *reading, const char *key, const json_t *value)
{
    size_t count;

    if (!take_list(reading, key, value, MAW_ENTRIES_MAX, &count) || !make_lines(reading, count))
        return false;
    for (size_t i = 0; i < count; i++) {
        Str line;
        if (!take_element(reading, key, value, i, &line))
            return false;
        reading->tree->lines[i] = split_line(line);
    }
    return true;
}

static bool read_entry(const MawReading *reading, const char *key, size_t index,
                       const json_t *object, MawLine *ret)
{
    const struct {
        const char *key;
        Str *text;
    } texts[] = {{"from", &ret->from},
                 {"name", &ret->name},
                 {"text", &ret->text},
                 {"t", &ret->time},
                 {"kind", &ret->kind}};

    if (!take_object(reading, (Place){key, index, NULL}, object) ||
        !take_number(reading, (Place){key, index, "i"}, json_object_get(object, "i"), 0, false,
                     &ret->index))
        return false;
    for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++)
        if (!take_text(reading, (Place){key, index, texts[i].key}, member_of(object, texts[i].key),
                       texts[i].text))
            return false;
    if (!ret->text.bytes)
        return refuse_place(reading, (Place){key, index, "text"}, "a text", NULL);
    return true;
}

static bool read_entries(const MawReading *reading, const char *key, const json_t *value)
{
    size_t count;

    if (!take_list(reading, key, value, MAW_ENTRIES_MAX, &count))
        return false;
    if (count == 0)
        return true; /* then `messages` say more */
    if (!make_lines(reading, count))
        return false;
    for (size_t i = 0; i < count; i++)
        if (!read_entry(reading, key, i, json_array_get(value, i), &reading->tree->lines[i]))
            return false;
    return true;
}

/* ---- one field ---- */

static bool read_target(const MawReading *reading, const char *key, const json_t *value)
{
    if (json_is_null(value)) {
        reading->message->target_null = true;
        return true;
    }
    if (!json_is_string(value))
        return refuse_place(reading, (Place){key, NO_INDEX, NULL}, "a text (JID or name) or null",
                            value);
    reading->message->target = text_of(value);
    return true;
}

static bool read_bool(const MawReading *reading, const char *key, const json_t *value, bool *ret)
{
    if (!json_is_boolean(value))
        return refuse_place(reading, (Place){key, NO_INDEX, NULL}, "true or false", value);
    *ret = json_is_true(value);
    return true;
}

static bool read_value(const MawReading *reading, const MawField *field, const json_t *value)
{
    void *at = (char *)reading->message + field->at;
    Place place = {field->key, NO_INDEX, NULL};

    switch (field->kind) {
    case KIND_TEXT:
    case KIND_OF:
        return take_text(reading, place, value, at);
    case KIND_TARGET:
        return read_target(reading, field->key, value);
    case KIND_NUMBER:
    case KIND_SECONDS:
        return take_number(reading, place, value, 0, field->kind == KIND_SECONDS, at);
    case KIND_BOOL:
    case KIND_TRUE:
        return read_bool(reading, field->key, value, at);
    case KIND_OBJECT:
        return read_object(reading, field->key, value, at);
    case KIND_TEXTS:
        return read_texts(reading, field->key, value);
    case KIND_PEOPLE:
        return read_people(reading, field->key, value);
    case KIND_JIDS:
    case KIND_NAMES:
    case KIND_THEIR_NAMES:
        return read_persons(reading, field, value);
    case KIND_PAIRS:
        return read_pairs(reading, field->key, value);
    case KIND_SCORES:
        return read_scores(reading, field->key, value);
    case KIND_MESSAGES:
        return read_messages(reading, field->key, value);
    case KIND_ENTRIES:
        return read_entries(reading, field->key, value);
    case KIND_ROOMS:
        return read_rooms(reading, field->key, value);
    }
    return true;
}

static const char *expected_of(MawKind kind)
{
    switch (kind) {
    case KIND_TEXT:
    case KIND_OF:
        return "a text";
    case KIND_TARGET:
        return "a text (JID or name) or null";
    case KIND_NUMBER:
    case KIND_SECONDS:
        return "a whole number";
    case KIND_BOOL:
    case KIND_TRUE:
        return "true or false";
    case KIND_OBJECT:
    case KIND_PAIRS:
    case KIND_ROOMS:
        return "an object";
    case KIND_TEXTS:
    case KIND_PEOPLE:
    case KIND_JIDS:
    case KIND_NAMES:
    case KIND_THEIR_NAMES:
    case KIND_SCORES:
    case KIND_MESSAGES:
    case KIND_ENTRIES:
        return "a list";
    }
    return "something";
}

bool maw_fields_read(const MawReading *reading, const json_t *object)
{
    const MawTypeRow *row = maw_type_row(reading->message->type);

    for (const MawField *field = row->fields; field->key; field++) {
        const json_t *value = json_object_get(object, field->key);
        if (json_is_null(value) && field->kind != KIND_TARGET && !field->needed)
            continue;
        if (!value && !field->needed)
            continue;
        if (!value)
            return maw_refuse(reading->why, "bad-field",
                              "%s: expected '%s' to be %s, but it is missing; add it and send the "
                              "message again.",
                              row->name, field->key, expected_of(field->kind));
        if (!read_value(reading, field, value))
            return false;
    }
    return true;
}
