#include "audit/audit_closed.h"

#include "audit/audit_entry.h"
#include "audit/audit_verdict.h"
#include "proof/ledger.h"

#include <jansson.h>
#include <stdio.h>
#include <string.h>

#define MET " met" /* canonical entries have no such member */

bool audit_closed_is(const json_t *entry)
{
    return audit_entry_is(entry, "ruling") && audit_entry_says(entry, "about", STR("ruling"));
}

static bool is_about(const json_t *closing, const json_t *ruling)
{
    static const char *const members[] = {"team", "stage", "rule", "number", "decision"};
    bool same = strcmp(audit_entry_text(closing, "of"), audit_entry_text(ruling, "about")) == 0;

    for (size_t i = 0; i < sizeof(members) / sizeof(members[0]); i++)
        same &= strcmp(audit_entry_text(closing, members[i]),
                       audit_entry_text(ruling, members[i])) == 0;
    return same;
}

bool audit_closed_take(const json_t *entries, size_t at)
{
    const json_t *ruling = json_array_get(entries, at);

    for (size_t i = at + 1; i < json_array_size(entries); i++) {
        json_t *closing = json_array_get(entries, i);
        if (!audit_closed_is(closing) || json_object_get(closing, MET) ||
            !is_about(closing, ruling))
            continue;
        json_object_set_new(closing, MET, json_true());
        return true;
    }
    return false;
}

void audit_closed_check(const json_t *entries, AuditVerdict *verdict)
{
    unsigned count = 0, line = 0;

    for (size_t i = 0; i < json_array_size(entries); i++) {
        const json_t *entry = json_array_get(entries, i);
        if (!audit_closed_is(entry))
            continue;
        verdict->count++;
        count++;
        line = line ? line : audit_entry_line(entry);
        if (!json_object_get(entry, MET))
            audit_contradict(verdict, LEDGER_FILE, audit_entry_line(entry),
                             "a ruling is closed that was carried out, or is none");
    }
    if (count && verdict->state != AUDIT_CONTRADICTED)
        snprintf(verdict->text, sizeof(verdict->text),
                 "%u ruling%s not carried out, and closed: line %u of " LEDGER_FILE "%s", count,
                 count > 1 ? "s were" : " was", line, count > 1 ? " and others" : "");
}
