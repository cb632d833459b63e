#include "audit/audit_site_file.h"

#include "audit/audit_entry.h"
#include "audit/audit_file.h"
#include "audit/audit_verdict.h"
#include "base/date_text.h"
#include "journal/journal.h"
#include "proof/ledger.h"

#include <jansson.h>
#include <unistd.h>

static bool is_file_entry(const json_t *entry)
{
    return audit_entry_is(entry, "contest") || audit_entry_is(entry, "amend");
}

int audit_site_file_check(const char *dir, const json_t *entries, AuditVerdict *verdict, Err *err)
{
    CLEANUP(buf_done) Buf path = {0};
    CLEANUP(buf_done) Buf text = {0};
    CLEANUP(buf_done) Buf name = {0};
    const json_t *last = NULL;

    for (size_t i = 0; i < json_array_size(entries); i++) {
        const json_t *entry = json_array_get(entries, i);
        if (!is_file_entry(entry) || !json_object_get(entry, "file"))
            continue;
        if (last && !audit_entry_says(entry, "before", str_of(audit_entry_text(last, "file"))))
            audit_contradict(verdict, LEDGER_FILE, audit_entry_line(entry),
                             "an amendment of another file than line %u is about",
                             audit_entry_line(last));
        last = entry;
    }
    buf_printf(&path, "%s/" BUNDLE_CONTEST, dir);
    if (buf_failed(&path))
        return err_set(err, ERR_MEMORY, "audit: out of memory");
    if (!last || access(buf_cstr(&path), F_OK))
        return 0;
    verdict->count++;
    int rc =
        audit_file_read(dir, str_of(audit_entry_text(last, "file")), &text, &name, verdict, err);
    if (rc == 0 && verdict->state != AUDIT_CONTRADICTED &&
        !str_eq(buf_str(&name), STR(BUNDLE_CONTEST)))
        audit_contradict(verdict, BUNDLE_CONTEST, 0,
                         "it is not the file that held last, by line %u of " LEDGER_FILE,
                         audit_entry_line(last));
    return rc;
}

/* When a stage stops, as such an entry says; false: it does not say. 0 = behind its min_games. */
static bool get_stop(const json_t *entry, uint32_t stage, int64_t *ret_ms)
{
    Str stops = str_of(audit_entry_text(entry, "stops")), stop = {0};

    if (!json_object_get(entry, "stops"))
        return false;
    for (uint32_t i = 0; i <= stage; i++)
        stop = str_cut(&stops, ' ');
    *ret_ms = 0;
    return str_eq(stop, STR("-")) || date_text_read(stop, ret_ms);
}

/* One that held between its freeze and that, for one who changes it meanwhile changes nothing of a
 * job that has begun. */
void audit_site_file_check_stop(const json_t *entries, const SiteStop *stop, AuditVerdict *verdict)
{
    const json_t *freeze = audit_entry_of_stage(entries, "freeze", stop->name);
    const int64_t from = freeze ? audit_entry_number(freeze) : 0;
    bool told = false, same = false;
    int64_t date = 0;

    for (size_t i = 0; i < json_array_size(entries); i++) {
        const json_t *entry = json_array_get(entries, i);
        if (!is_file_entry(entry) || audit_entry_number(entry) > stop->first_game)
            continue;
        if (audit_entry_number(entry) < from)
            same = false; /* another one held later */
        if (get_stop(entry, stop->stage, &date)) {
            told = true;
            same |= date == stop->date_ms;
        }
    }
    if (told && !same)
        audit_contradict(verdict, JOURNAL_FILE, 0,
                         "stage %.*s stopped by another date than was announced before its games",
                         STR_ARG(stop->name));
}
