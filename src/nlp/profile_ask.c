#include "nlp/profile_ask.h"

#include "base/json.h"
#include "base/utf8.h"
#include "wire/json_read.h"

/* ---- the request ---- */

static void put_property(Json *json, Str key, Str description)
{
    json_key(json, key);
    json_open(json, '{');
    json_add_str(json, "type", STR("string"));
    if (description.len)
        json_add_str(json, "description", description);
    json_close(json);
}

/* All keys are required and no others allowed: "strict" wants both. */
static void put_schema(Json *json, ProfileKeys keys)
{
    json_open(json, '{');
    json_add_str(json, "type", STR("object"));
    json_key(json, STR("properties"));
    json_open(json, '{');
    put_property(json, STR("name"), (Str){0});
    for (size_t i = 0; i < keys.count; i++)
        put_property(json, keys.pairs[i].key, keys.pairs[i].value);
    json_close(json);
    json_key(json, STR("required"));
    json_open(json, '[');
    json_put_str(json, STR("name"));
    for (size_t i = 0; i < keys.count; i++)
        json_put_str(json, keys.pairs[i].key);
    json_close(json);
    json_add_bool(json, "additionalProperties", false);
    json_close(json);
}

static void put_format(Json *json, ProfileKeys keys)
{
    json_open(json, '{');
    json_add_str(json, "type", STR("json_schema"));
    json_key(json, STR("json_schema"));
    json_open(json, '{');
    json_add_str(json, "name", STR("character"));
    json_add_bool(json, "strict", true);
    json_key(json, STR("schema"));
    put_schema(json, keys);
    json_close(json);
    json_close(json);
}

static void put_text_part(Json *json, Str text)
{
    json_open(json, '{');
    json_add_str(json, "type", STR("text"));
    json_add_str(json, "text", text);
    json_close(json);
}

static void put_taken(Json *json, ProfileNames taken)
{
    CLEANUP(buf_done) Buf text = {0};

    if (!taken.count)
        return;
    buf_add(&text, STR("These names are taken; choose another one:"));
    for (size_t i = 0; i < taken.count; i++) {
        buf_add(&text, i ? STR(", ") : STR(" "));
        buf_add(&text, taken.names[i]);
    }
    put_text_part(json, buf_str(&text));
}

static void put_message(Json *json, Str prompt, Str avatar, ProfileNames taken)
{
    json_open(json, '{');
    json_add_str(json, "role", STR("user"));
    json_key(json, STR("content"));
    json_open(json, '[');
    put_text_part(json, prompt);
    put_taken(json, taken);
    json_open(json, '{');
    json_add_str(json, "type", STR("image_url"));
    json_key(json, STR("image_url"));
    json_open(json, '{');
    json_add_str(json, "url", avatar);
    json_close(json);
    json_close(json);
    json_close(json);
    json_close(json);
}

void profile_ask_write(const ConfigDynamic *config, ProfileKeys keys, Str avatar,
                       ProfileNames taken, Buf *out)
{
    Json json = json_over(out);

    json_open(&json, '{');
    json_add_str(&json, "model", config->model);
    json_add_int(&json, "max_tokens", config->max_tokens);
    json_key(&json, STR("messages"));
    json_open(&json, '[');
    put_message(&json, config->prompt, avatar, taken);
    json_close(&json);
    json_key(&json, STR("response_format"));
    put_format(&json, keys);
    json_close(&json);
}

/* ---- the answer ---- */

/* A value as one line. */
static void add_line(Buf *out, Str value)
{
    bool blank = false;

    value = str_trim(value);
    for (size_t i = 0; i < value.len; i++) {
        unsigned char c = (unsigned char)value.bytes[i];
        bool is_blank = c <= ' ' || c == 0x7F;

        if (is_blank && !blank)
            buf_add_char(out, ' ');
        else if (!is_blank)
            buf_add_char(out, (char)c);
        blank = is_blank;
    }
}

static int take_value(const json_t *object, Str key, Str *ret_value, Err *err)
{
    CLEANUP(buf_done) Buf name = {0};
    Str value;

    buf_add(&name, key);
    if (buf_failed(&name))
        return err_set(err, ERR_MEMORY, "character: out of memory");
    if (!json_as_str(json_get(object, buf_cstr(&name)), &value))
        return err_set(err, ERR_SYNTAX, "character: no text for '%.*s'", STR_ARG(key));
    value = str_trim(value);
    if (!value.len)
        return err_set(err, ERR_SYNTAX, "character: '%.*s' is empty", STR_ARG(key));
    if (value.len > PROFILE_VALUE_MAX)
        return err_set(err, ERR_LIMIT, "character: '%.*s' has %zu bytes; at most %d are taken",
                       STR_ARG(key), value.len, PROFILE_VALUE_MAX);
    *ret_value = value;
    return 0;
}

static int read_character(const json_t *object, ProfileKeys keys, Buf *name, Buf *text, Err *err)
{
    Str value = {0};
    int rc = take_value(object, STR("name"), &value, err);

    buf_clear(name);
    buf_clear(text);
    if (!rc)
        buf_add(name, value);
    for (size_t i = 0; i < keys.count && !rc; i++) {
        rc = take_value(object, keys.pairs[i].key, &value, err);
        if (rc)
            break;
        if (i)
            buf_add_char(text, '\n');
        buf_add(text, keys.pairs[i].value);
        buf_add(text, STR(": "));
        add_line(text, value);
    }
    if (!rc && (buf_failed(name) || buf_failed(text)))
        rc = err_set(err, ERR_MEMORY, "character: out of memory");
    return rc;
}

/* The text that the model wrote: choices[0].message.content. */
static int find_content(const json_t *answer, Str *ret_content, Err *err)
{
    const json_t *choice = json_at(json_get(answer, "choices"), 0);

    if (!json_as_str(json_get(json_get(choice, "message"), "content"), ret_content))
        return err_set(err, ERR_SYNTAX, "answer of the model: no choices[0].message.content");
    return 0;
}

int profile_answer_read(Str answer, ProfileKeys keys, Buf *ret_name, Buf *ret_text, Err *err)
{
    json_t *whole = NULL;
    json_t *character = NULL;
    Str content = {0};
    Err inner = {0};
    int rc = json_read(answer, PROFILE_ANSWER_MAX, &whole, &inner);

    if (rc)
        return err_set(err, (ErrCode)rc, "answer of the model: %s", inner.msg);
    rc = find_content(whole, &content, err);
    if (!rc) {
        rc = json_read(content, PROFILE_ANSWER_MAX, &character, &inner);
        if (rc) /* also when max_tokens cut it */
            rc = err_set(err, (ErrCode)rc, "character: %s", inner.msg);
    }
    if (!rc)
        rc = read_character(character, keys, ret_name, ret_text, err);
    json_done(character);
    json_done(whole);
    return rc;
}

/* ---- names ---- */

/* Unicode 15: White_Space, and what is not seen at all. */
static bool is_blank_or_hidden(uint32_t c)
{
    return c <= 0x20 || (c >= 0x7F && c <= 0xA0) || c == 0xAD || c == 0x1680 || c == 0x180E ||
           (c >= 0x2000 && c <= 0x200F) || (c >= 0x2028 && c <= 0x202F) ||
           (c >= 0x205F && c <= 0x206F) || c == 0x3000 || c == 0xFEFF || c == UTF8_INVALID ||
           c == 0x115F || c == 0x1160 || c == 0x3164 || c == 0xFFA0 ||
           (c >= 0xFFF0 && c <= 0xFFFD) || (c >= 0xE0000 && c <= 0xE0FFF);
}

/* ASCII ones, and the Japanese forms of ',' and '@'. */
static bool is_separator(uint32_t c)
{
    return c == ',' || c == '@' || c == '/' || c == ':' || c == 0x3001 || c == 0xFF0C ||
           c == 0xFE50 || c == 0xFE51 || c == 0xFF20 || c == 0xFE6B;
}

static bool one_begins_the_other(Str a, Str b)
{
    size_t len = a.len < b.len ? a.len : b.len;

    for (size_t i = 0; i < len; i++) {
        if (str_lower_char(a.bytes[i]) != str_lower_char(b.bytes[i]))
            return false;
    }
    return true;
}

int profile_name_check(Str name, ProfileNames taken, Err *err)
{
    Str rest = name;
    size_t chars = 0;

    if (!name.len)
        return err_set(err, ERR_RULE, "name: it is empty");
    while (rest.len) {
        uint32_t c = utf8_next(&rest);

        if (is_blank_or_hidden(c) || is_separator(c))
            return err_set(err, ERR_RULE, "name: U+%04X can't be in one", c);
        if (++chars > PROFILE_NAME_MAX)
            return err_set(err, ERR_RULE, "name: more than %d characters", PROFILE_NAME_MAX);
    }
    for (size_t i = 0; i < taken.count; i++) {
        if (one_begins_the_other(name, taken.names[i]))
            return err_set(err, ERR_RULE, "name: '%.*s' clashes with '%.*s'", STR_ARG(name),
                           STR_ARG(taken.names[i]));
    }
    return 0;
}
