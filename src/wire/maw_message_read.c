#include "wire/maw_message_reading.h"

#include "base/utf8.h"

#include <jansson.h>

enum {
    DEPTH_MAX = 16,
    SHOWN_CHARS = 24, /* of a stranger's word in an answer to it */
};

static MawTree *tree_free(MawTree *tree)
{
    if (!tree)
        return NULL;
    json_decref(tree->json);
    mem_free(tree->lines);
    buf_done(&tree->completions);
    return mem_free(tree);
}

void maw_message_done(MawMessage *message)
{
    if (!message->tree)
        return;
    tree_free(message->tree);
    maw_message_begin(message, MAW_NO_TYPE);
}

/* ---- the type ---- */

static Str text_of(const json_t *json)
{
    return (Str){json_string_value(json), json_string_length(json)};
}

static bool refuse_type(Str name, MawRefusal *why)
{
    CLEANUP(buf_done) Buf shown = {0};
    Str like = maw_type_like(name);

    utf8_add_printable(name, SHOWN_CHARS, &shown);
    if (like.len)
        return maw_refuse(why, "unknown-type", "'%s' is no type of message; did you mean '%.*s'?",
                          buf_cstr(&shown), STR_ARG(like));
    return maw_refuse(
        why, "unknown-type",
        "'%s' is no type of message; expected one like 'join_lobby', 'vote', 'chat' or "
        "'get_new_messages'.",
        buf_cstr(&shown));
}

/* `player_action` names a family (C4): {"type":"player_action","action":"vote","target":...}, or
 * its action is the message itself. */
static bool read_action(const json_t **object, MawMessage *message, MawRefusal *why)
{
    static const struct {
        const char *name;
        MawType type;
    } actions[] = {{"vote", MAW_VOTE},
                   {"chat", MAW_CHAT},
                   {"speak", MAW_CHAT},
                   {"listen", MAW_LISTEN},
                   {"name", MAW_NAME}};
    const json_t *action = json_object_get(*object, "action");

    if (json_is_object(action)) {
        *object = action;
        action = json_object_get(action, "type");
    }
    for (size_t i = 0; i < sizeof(actions) / sizeof(*actions); i++)
        if (json_is_string(action) && str_eq(text_of(action), str_of(actions[i].name))) {
            maw_message_begin(message, actions[i].type);
            return true;
        }
    return maw_refuse(
        why, "bad-field",
        "player_action: expected 'action' to be \"vote\", \"chat\" or \"listen\", but "
        "got %s; correct it and send the message again.",
        json_is_string(action) ? "another text" : maw_json_kind(action));
}

/* Finds the type; `*object` becomes what holds its fields. */
static bool read_type(const json_t **object, MawMessage *message, MawRefusal *why)
{
    const json_t *type = json_object_get(*object, "type");

    if (!json_is_string(type))
        return maw_refuse(
            why, "no-type",
            "Expected a 'type' that is a text, but got %s; name the message, for example "
            "{\"type\": \"vote\", \"target\": \"Bo\"}.",
            maw_json_kind(type));
    if (str_eq(text_of(type), STR("player_action")))
        return read_action(object, message, why);
    MawType known = maw_type_of(text_of(type));
    if (known == MAW_NO_TYPE)
        return refuse_type(text_of(type), why);
    maw_message_begin(message, known);
    message->open = known == MAW_NEW_MESSAGES; /* a room that does not say is */
    return true;
}

/* ---- the body ---- */

/* How deep the brackets are, without those in texts; more than DEPTH_MAX is all the same. Before
 * the parser, so that it never goes deep. */
static unsigned depth_of(Str body)
{
    unsigned depth = 0, deepest = 0;
    bool in_text = false;

    for (size_t i = 0; i < body.len && deepest <= DEPTH_MAX; i++) {
        char c = body.bytes[i];
        if (in_text && c == '\\')
            i++;
        else if (c == '"')
            in_text = !in_text;
        else if (!in_text && (c == '{' || c == '['))
            depth++;
        else if (!in_text && (c == '}' || c == ']') && depth > 0)
            depth--;
        if (depth > deepest)
            deepest = depth;
    }
    return deepest;
}

/* Not jansson's own sentence: that quotes bytes of the body. */
static const char *mistake_of(const json_error_t *error)
{
    switch (json_error_code(error)) {
    case json_error_duplicate_key:
        return "a key stands twice in an object";
    case json_error_null_character:
    case json_error_null_byte_in_key:
        return "\\u0000 is not allowed";
    case json_error_invalid_utf8:
        return "it is not UTF-8";
    case json_error_premature_end_of_input:
        return "it ends too early";
    case json_error_end_of_input_expected:
        return "something follows the object";
    case json_error_numeric_overflow:
        return "a number is too large";
    case json_error_unknown:
    case json_error_out_of_memory:
    case json_error_stack_overflow:
    case json_error_cannot_open_file:
    case json_error_invalid_argument:
    case json_error_invalid_syntax:
    case json_error_invalid_format:
    case json_error_wrong_type:
    case json_error_null_value:
    case json_error_item_not_found:
    case json_error_index_out_of_range:
        break;
    }
    return "its form is wrong";
}

static bool parse_body(Str body, json_t **ret_json, MawRefusal *why)
{
    json_error_t error;

    if (body.len > MAW_BODY_BYTES_MAX)
        return maw_refuse(
            why, "bad-json",
            "Expected a body of at most %zu bytes, but got %zu; send a shorter message.",
            MAW_BODY_BYTES_MAX, body.len);
    if (depth_of(body) > DEPTH_MAX)
        return maw_refuse(
            why, "bad-json",
            "Expected JSON of depth %d or less, but the body is deeper; send the fields "
            "flat.",
            DEPTH_MAX);
    json_t *json = json_loadb(body.bytes ? body.bytes : "", body.len,
                              JSON_REJECT_DUPLICATES | JSON_DECODE_ANY, &error);
    if (!json && json_error_code(&error) == json_error_out_of_memory)
        return maw_refuse_memory(why);
    if (!json)
        return maw_refuse(
            why, "bad-json",
            "Expected one JSON object, but the body is not JSON at byte %d: %s; correct "
            "it and send it again.",
            error.position, mistake_of(&error));
    *ret_json = json;
    return true;
}

/* A number alone, as version 0.1 of the document's program asked for lines. */
static bool read_index(const MawReading *reading)
{
    json_t *object = json_object();

    maw_message_begin(reading->message, MAW_GET_NEW_MESSAGES);
    if (!object || json_object_set(object, "index", reading->tree->json)) {
        json_decref(object);
        return maw_refuse_memory(reading->why);
    }
    json_decref(reading->tree->json);
    reading->tree->json = object;
    return maw_fields_read(reading, object);
}

static bool read_body(const MawReading *reading)
{
    const json_t *object = reading->tree->json;

    if (json_is_integer(object))
        return read_index(reading);
    if (!json_is_object(object))
        return maw_refuse(reading->why, "bad-json",
                          "Expected one JSON object, but the body is %s; send {\"type\": ...}.",
                          maw_json_kind(object));
    return read_type(&object, reading->message, reading->why) && maw_fields_read(reading, object);
}

bool maw_message_read(Str body, MawMessage *ret_message, MawRefusal *ret_why)
{
    json_t *json = NULL;

    maw_message_begin(ret_message, MAW_NO_TYPE);
    if (!parse_body(body, &json, ret_why))
        return false;
    MawTree *tree = mem_new(sizeof(*tree));
    if (!tree) {
        json_decref(json);
        return maw_refuse_memory(ret_why);
    }
    tree->json = json;
    MawReading reading = {ret_message, tree, ret_why};
    if (!read_body(&reading)) {
        maw_message_begin(ret_message, ret_message->type);
        tree_free(tree);
        return false;
    }
    ret_message->tree = tree;
    return true;
}

bool maw_reader_read(MawReader *reader, Str body, const MawMessage **ret_message,
                     MawRefusal *ret_why)
{
    *ret_message = &reader->message;
    if (reader->message.tree && str_eq(body, buf_str(&reader->body)))
        return true;
    maw_message_done(&reader->message);
    buf_clear(&reader->body);
    if (!maw_message_read(body, &reader->message, ret_why))
        return false;
    buf_add(&reader->body, body);
    if (!buf_failed(&reader->body))
        return true;
    maw_message_done(&reader->message);
    return maw_refuse_memory(ret_why);
}

void maw_reader_done(MawReader *reader)
{
    maw_message_done(&reader->message);
    buf_done(&reader->body);
}
