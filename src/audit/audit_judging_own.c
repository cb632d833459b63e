#include "audit/audit_judging_own.h"

#include "audit/audit_verdict.h"
#include "disk/log_file.h"

#define FILE_BYTES_MAX ((size_t)256 * 1024 * 1024)

int judging_no_memory(Err *err)
{
    return err_set(err, ERR_MEMORY, "audit: out of memory");
}

int judging_compare_names(Str a, Str b)
{
    const int order = memcmp(a.bytes, b.bytes, a.len < b.len ? a.len : b.len);

    return order ? order : (a.len > b.len) - (a.len < b.len);
}

bool judging_is_contradicted(const JudgingAudit *audit)
{
    return audit->verdict->state == AUDIT_CONTRADICTED;
}

int judging_read_file(JudgingAudit *audit, const char *name, Buf *text, Err *err)
{
    CLEANUP(buf_done) Buf path = {0};
    Err own = {0};

    buf_printf(&path, "%s/%s", audit->dir, name);
    int rc =
        buf_failed(&path) ? ERR_MEMORY : log_file_read(buf_cstr(&path), FILE_BYTES_MAX, text, &own);
    if (rc == ERR_MEMORY)
        return judging_no_memory(err);
    if (rc)
        audit_contradict(audit->verdict, name, 0, "it is needed, and can't be read");
    return 0;
}

static bool entry_says(const json_t *entry, const char *type, const char *member, Str value)
{
    return str_eq(json_text(entry, "type"), str_of(type)) &&
           (!member || str_eq(json_text(entry, member), value));
}

const json_t *judging_first_entry(const JudgingAudit *audit, const char *type, const char *member,
                                  Str value)
{
    for (size_t i = 0; i < audit->entry_count; i++)
        if (entry_says(audit->entries[i], type, member, value))
            return audit->entries[i];
    return NULL;
}

const json_t *judging_last_entry(const JudgingAudit *audit, const char *type, const char *member,
                                 Str value)
{
    for (size_t i = audit->entry_count; i > 0; i--)
        if (entry_says(audit->entries[i - 1], type, member, value))
            return audit->entries[i - 1];
    return NULL;
}

uint64_t judging_entry_number(const json_t *entry)
{
    return (uint64_t)json_number(entry, "n");
}

unsigned judging_entry_line(const json_t *entry)
{
    return (unsigned)judging_entry_number(entry) + 1;
}
