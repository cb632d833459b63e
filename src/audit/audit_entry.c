#include "audit/audit_entry.h"

#include <jansson.h>
#include <string.h>

const char *audit_entry_text(const json_t *entry, const char *name)
{
    const char *text = json_string_value(json_object_get(entry, name));

    return text ? text : "";
}

bool audit_entry_says(const json_t *entry, const char *name, Str value)
{
    return str_eq(str_of(audit_entry_text(entry, name)), value);
}

bool audit_entry_is(const json_t *entry, const char *type)
{
    return strcmp(audit_entry_text(entry, "type"), type) == 0;
}

int64_t audit_entry_number(const json_t *entry)
{
    return json_integer_value(json_object_get(entry, "n"));
}

unsigned audit_entry_line(const json_t *entry)
{
    return (unsigned)audit_entry_number(entry) + 1;
}

const json_t *audit_entry_of_stage(const json_t *entries, const char *type, Str stage)
{
    for (size_t i = 0; i < json_array_size(entries); i++) {
        const json_t *entry = json_array_get(entries, i);
        if (audit_entry_is(entry, type) && audit_entry_says(entry, "stage", stage))
            return entry;
    }
    return NULL;
}

Str audit_entry_contest(const json_t *entries, const char *name)
{
    for (size_t i = 0; i < json_array_size(entries); i++) {
        const json_t *entry = json_array_get(entries, i);
        if (audit_entry_is(entry, "contest") && *audit_entry_text(entry, "name"))
            return str_of(audit_entry_text(entry, "name"));
    }
    return str_of(name);
}
