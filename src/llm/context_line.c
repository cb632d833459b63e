#include "llm/context_line.h"

#include "base/json.h"

#include <jansson.h>

static const char *const role_names[] = {
    [LLM_SYSTEM] = "system",
    [LLM_USER] = "user",
    [LLM_ASSISTANT] = "assistant",
};

const char *entry_role_name(LlmRole role)
{
    return role_names[role];
}

static Str kind_name(const Entry *entry)
{
    if (entry->mark == MARK_ROUND)
        return STR("round");
    return entry->kind == ENTRY_FACT ? STR("fact") : STR("talk");
}

void entry_write(const Entry *entry, Buf *out)
{
    Json json = json_over(out);

    json_open(&json, '{');
    json_add_str(&json, "role", str_of(role_names[entry->role]));
    json_add_str(&json, "kind", kind_name(entry));
    json_add_str(&json, "content", (Str){entry->content, entry->len});
    json_add_uint(&json, "round", entry->round);
    json_add_uint(&json, "phase_no", entry->phase_no);
    json_add_int(&json, "t", entry->unix_ms);
    json_close(&json);
    buf_add_char(out, '\n');
}

static bool read_role(const json_t *object, Entry *entry)
{
    const char *name = json_string_value(json_object_get(object, "role"));

    for (size_t i = 0; name && i < sizeof(role_names) / sizeof(role_names[0]); i++)
        if (strcmp(name, role_names[i]) == 0) {
            entry->role = (LlmRole)i;
            return true;
        }
    return false;
}

static bool read_kind(const json_t *object, Entry *entry)
{
    Str name = str_of(json_string_value(json_object_get(object, "kind")));

    entry->mark = str_eq(name, STR("round")) ? MARK_ROUND : MARK_NONE;
    entry->kind = str_eq(name, STR("talk")) ? ENTRY_TALK : ENTRY_FACT;
    return entry->mark == MARK_ROUND || entry->kind == ENTRY_TALK || str_eq(name, STR("fact"));
}

static bool read_number(const json_t *object, const char *key, int64_t min, int64_t max,
                        int64_t *ret_value)
{
    const json_t *value = json_object_get(object, key);

    if (!json_is_integer(value) || json_integer_value(value) < min ||
        json_integer_value(value) > max)
        return false;
    *ret_value = json_integer_value(value);
    return true;
}

static int read_content(const json_t *object, Entry *entry, Err *err)
{
    const json_t *content = json_object_get(object, "content");

    if (!json_is_string(content))
        return err_set(err, ERR_SYNTAX, "'content' is missing or not a text");
    entry->len = json_string_length(content);
    if (entry->len > CONTENT_BYTES_MAX)
        return err_set(err, ERR_LIMIT, "'content' has %zu bytes; at most %zu are read", entry->len,
                       CONTENT_BYTES_MAX);
    entry->content = mem_new(entry->len + 1);
    if (!entry->content)
        return err_set(err, ERR_MEMORY, "out of memory");
    memcpy(entry->content, json_string_value(content), entry->len);
    return 0;
}

static int read_fields(const json_t *object, Entry *ret_entry, Err *err)
{
    Entry entry = {.role = LLM_USER};
    int64_t round, phase_no;

    if (!json_is_object(object))
        return err_set(err, ERR_SYNTAX, "not a JSON object");
    if (!read_role(object, &entry))
        return err_set(err, ERR_SYNTAX, "'role' is not system, user or assistant");
    if (!read_kind(object, &entry))
        return err_set(err, ERR_SYNTAX, "'kind' is not talk, fact or round");
    if (!read_number(object, "round", 0, UINT32_MAX, &round) ||
        !read_number(object, "phase_no", 0, UINT32_MAX, &phase_no) ||
        !read_number(object, "t", INT64_MIN, INT64_MAX, &entry.unix_ms))
        return err_set(err, ERR_SYNTAX, "'round', 'phase_no' or 't' is not a number");
    entry.round = (uint32_t)round;
    entry.phase_no = (uint32_t)phase_no;
    int rc = read_content(object, &entry, err);
    if (rc)
        return rc;
    *ret_entry = entry;
    return 0;
}

int entry_read(Str line, Entry *ret_entry, Err *err)
{
    json_error_t error;

    if (line.len > LINE_BYTES_MAX)
        return err_set(err, ERR_LIMIT, "a line of %zu bytes; at most %zu are read", line.len,
                       LINE_BYTES_MAX);
    json_t *object = json_loadb(line.bytes ? line.bytes : "", line.len,
                                JSON_ALLOW_NUL | JSON_REJECT_DUPLICATES, &error);
    if (!object)
        return err_set(err, ERR_SYNTAX, "not JSON: %s", error.text);
    int rc = read_fields(object, ret_entry, err);
    json_decref(object);
    return rc;
}
