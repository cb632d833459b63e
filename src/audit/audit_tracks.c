#include "audit/audit_tracks.h"

#include "audit/audit_closed.h"
#include "audit/audit_entry.h"
#include "audit/audit_verdict.h"
#include "journal/journal.h"
#include "proof/ledger.h"

#include <inttypes.h>
#include <jansson.h>

/* The entries, and the place in them of the track that is read. */
typedef struct TracksAudit {
    const char *dir;
    const json_t *entries;
    AuditVerdict *verdict;
    const char *track;
    size_t at; /* behind the last `act` that was met */
} TracksAudit;

static bool is_text(const json_t *entry, const char *name, const char *value)
{
    return strcmp(audit_entry_text(entry, name), value) == 0;
}

/* The first entry from `at` on that says of a game of the track that it is void; the count of all
 * when there is none. `number` NULL: any game. */
static size_t find_void(const TracksAudit *audit, size_t at, const char *type, const char *member,
                        const char *number)
{
    for (; at < json_array_size(audit->entries); at++) {
        const json_t *entry = json_array_get(audit->entries, at);
        if (is_text(entry, "type", type) && is_text(entry, member, audit->track) &&
            is_text(entry, "decision", "void") && is_text(entry, "about", "game") &&
            (!number || is_text(entry, "number", number)))
            break;
    }
    return at;
}

/* The journal's next act has the next entry. */
static int hear_act(void *user, const OperatorAct *act, Err *err)
{
    TracksAudit *audit = user;
    char number[24];

    (void)err;
    if (act->kind != ACT_VOID || act->target != ACT_OF_GAME)
        return 0;
    snprintf(number, sizeof(number), "%" PRIu64, act->number);
    const size_t at = find_void(audit, audit->at, "act", "track", NULL);
    const json_t *entry = json_array_get(audit->entries, at);
    audit->verdict->count++;
    if (!entry || !is_text(entry, "number", number) ||
        !str_eq(act->by, str_of(audit_entry_text(entry, "by"))) ||
        !str_eq(act->why, str_of(audit_entry_text(entry, "reason")))) {
        audit_contradict(audit->verdict, LEDGER_FILE, entry ? audit_entry_line(entry) : 0,
                         "game %s of track %s is void, of which the ledger has no entry", number,
                         audit->track);
        return 0;
    }
    audit->at = at + 1;
    if (str_eq(act->by, STR("organiser")) && find_void(audit, 0, "ruling", "stage", number) > at)
        audit_contradict(audit->verdict, LEDGER_FILE, audit_entry_line(entry),
                         "game %s of track %s is void by an organiser, of which the ledger has no "
                         "ruling",
                         number, audit->track);
    return 0;
}

static int check_track(TracksAudit *audit, Err *err)
{
    CLEANUP(buf_done) Buf path = {0};
    const JournalListener listener = {.act = hear_act, .user = audit};
    Err own = {0};

    audit->at = 0;
    buf_printf(&path, "%s/tracks/%s/main/logs", audit->dir, audit->track);
    int rc = buf_failed(&path) ? ERR_MEMORY : journal_read(buf_cstr(&path), &listener, NULL, &own);
    if (rc == ERR_MEMORY)
        return err_set(err, ERR_MEMORY, "audit: out of memory");
    if (rc)
        audit_contradict(audit->verdict, "tracks", own.line, "track %s: %s", audit->track, own.msg);
    const size_t more = find_void(audit, audit->at, "act", "track", NULL);
    const json_t *entry = json_array_get(audit->entries, more);
    if (entry)
        audit_contradict(audit->verdict, LEDGER_FILE, audit_entry_line(entry),
                         "game %s of track %s is said to be void, and its journal has no such act",
                         audit_entry_text(entry, "number"), audit->track);
    return 0;
}

/* Whether an entry before it names the same track. */
static bool is_checked(const json_t *entries, size_t at, const char *track)
{
    for (size_t i = 0; i < at; i++)
        if (is_text(json_array_get(entries, i), "track", track))
            return true;
    return false;
}

static void check_ruling(TracksAudit *audit, size_t at, bool over)
{
    const json_t *ruling = json_array_get(audit->entries, at);

    audit->track = audit_entry_text(ruling, "stage");
    if (find_void(audit, 0, "act", "track", audit_entry_text(ruling, "number")) ==
            json_array_size(audit->entries) &&
        !audit_closed_take(audit->entries, at) && over)
        audit_contradict(audit->verdict, LEDGER_FILE, audit_entry_line(ruling),
                         "a ruling that was not carried out: game %s of track %s is not void",
                         audit_entry_text(ruling, "number"), audit->track);
}

int audit_tracks_check(const char *dir, const json_t *entries, bool over, AuditVerdict *verdict,
                       Err *err)
{
    TracksAudit audit = {.dir = dir, .entries = entries, .verdict = verdict};
    int rc = 0;

    for (size_t i = 0; i < json_array_size(entries) && rc == 0; i++) {
        const json_t *entry = json_array_get(entries, i);
        audit.track = audit_entry_text(entry, "track");
        if ((is_text(entry, "type", "game") || is_text(entry, "type", "act")) && *audit.track &&
            !strchr(audit.track, '/') && !is_checked(entries, i, audit.track))
            rc = check_track(&audit, err);
        if (is_text(entry, "type", "ruling") && is_text(entry, "decision", "void") &&
            !audit_closed_is(entry))
            check_ruling(&audit, i, over);
    }
    audit_closed_check(entries, verdict);
    return rc;
}
