#include "audit/audit_site_chance.h"

#include "audit/audit_entry.h"
#include "audit/audit_verdict.h"
#include "proof/ledger.h"

#include <jansson.h>

typedef struct ChanceAudit {
    const Plan *plan;
    const json_t *entries;
    bool over;
    AuditVerdict *verdict;
} ChanceAudit;

/* ---- secrets ---- */

/* A stage is committed to once, and told what was committed to. */
static void check_commit(ChanceAudit *audit, size_t at)
{
    const json_t *entry = json_array_get(audit->entries, at);
    const Str stage = str_of(audit_entry_text(entry, "stage"));

    for (size_t i = 0; i < at; i++) {
        const json_t *before = json_array_get(audit->entries, i);
        if (audit_entry_is(before, "commit") && audit_entry_says(before, "stage", stage))
            audit_contradict(audit->verdict, LEDGER_FILE, audit_entry_line(entry),
                             "stage %.*s was committed to before, in line %u", STR_ARG(stage),
                             audit_entry_line(before));
        if (audit_entry_is(before, "freeze"))
            audit_contradict(audit->verdict, LEDGER_FILE, audit_entry_line(entry),
                             "a commitment behind the programs were fixed, in line %u",
                             audit_entry_line(before));
    }
    audit->verdict->count++;
}

static void check_reveal(ChanceAudit *audit, size_t at)
{
    const json_t *entry = json_array_get(audit->entries, at);
    const Str stage = str_of(audit_entry_text(entry, "stage"));
    const json_t *commit = audit_entry_of_stage(audit->entries, "commit", stage);
    char hex[KEY_HEX_BYTES];
    Key secret;

    if (!commit || audit_entry_number(commit) > audit_entry_number(entry)) {
        audit_contradict(audit->verdict, LEDGER_FILE, audit_entry_line(entry),
                         "a secret of stage %.*s, which was not committed to", STR_ARG(stage));
        return;
    }
    if (!key_from_hex(str_of(audit_entry_text(entry, "value")), &secret)) {
        audit_contradict(audit->verdict, LEDGER_FILE, audit_entry_line(entry), "no secret");
        return;
    }
    const Key commitment =
        key_commitment(&secret, audit_entry_contest(audit->entries, audit->plan->name), stage);
    key_to_hex(&commitment, hex);
    if (!audit_entry_says(commit, "value", str_of(hex)))
        audit_contradict(audit->verdict, LEDGER_FILE, audit_entry_line(entry),
                         "the secret of stage %.*s is not the one that line %u is committed to",
                         STR_ARG(stage), audit_entry_line(commit));
    audit->verdict->count++;
}

/* The journal is played by what the site committed to, all of it. */
static void check_stage(ChanceAudit *audit, uint32_t number)
{
    const Str stage = str_of(audit->plan->stages[number].name);
    const json_t *commit = audit_entry_of_stage(audit->entries, "commit", stage);

    if (audit->plan->chance != PLAN_CHANCE_KEY)
        return;
    if (!commit)
        audit_contradict(audit->verdict, LEDGER_FILE, 1, "no commitment to stage %.*s",
                         STR_ARG(stage));
    else if (!audit_entry_says(commit, "value", str_of(audit->plan->stages[number].commitment)))
        audit_contradict(audit->verdict, LEDGER_FILE, audit_entry_line(commit),
                         "the journal was played by another secret of stage %.*s than this",
                         STR_ARG(stage));
    if (audit->over && !audit_entry_of_stage(audit->entries, "reveal", stage))
        audit_contradict(audit->verdict, LEDGER_FILE, (unsigned)json_array_size(audit->entries),
                         "the contest is over, and the secret of stage %.*s was not told",
                         STR_ARG(stage));
}

/* ---- lots ---- */

/* Where lots of a stage are closed: its programs are fixed; of judges, who judge begin. */
static const json_t *find_close(const ChanceAudit *audit, Str stage)
{
    const json_t *freeze = audit_entry_of_stage(audit->entries, "freeze", stage);

    for (size_t i = 0; !freeze && i < json_array_size(audit->entries); i++) {
        const json_t *entry = json_array_get(audit->entries, i);
        if (audit_entry_is(entry, "state") && audit_entry_says(entry, "to", STR("JUDGING")) &&
            str_eq(stage, STR("evaluation")))
            return entry;
    }
    return freeze;
}

/* What counts is what the team entered last, before. */
static const json_t *find_entered(const ChanceAudit *audit, Str stage, Str team, int64_t before)
{
    const json_t *found = NULL;

    for (size_t i = 0; i < json_array_size(audit->entries); i++) {
        const json_t *entry = json_array_get(audit->entries, i);
        if (audit_entry_number(entry) < before && audit_entry_is(entry, "lot") &&
            audit_entry_says(entry, "stage", stage) && audit_entry_says(entry, "team", team) &&
            json_object_get(entry, "entry"))
            found = entry;
    }
    return found;
}

static void check_lot(ChanceAudit *audit, const json_t *entry)
{
    const Str stage = str_of(audit_entry_text(entry, "stage")),
              team = str_of(audit_entry_text(entry, "team"));
    const json_t *close = find_close(audit, stage);
    char hex[KEY_HEX_BYTES];
    Key lot;

    audit->verdict->count++;
    if (json_object_get(entry, "entry")) {
        if (close && audit_entry_number(entry) > audit_entry_number(close))
            audit_contradict(audit->verdict, LEDGER_FILE, audit_entry_line(entry),
                             "a lot of %.*s was entered behind its stage was closed, in line %u",
                             STR_ARG(team), audit_entry_line(close));
        return;
    }
    if (!close || audit_entry_number(entry) < audit_entry_number(close)) {
        audit_contradict(audit->verdict, LEDGER_FILE, audit_entry_line(entry),
                         "the lot of %.*s was opened before the programs of stage %.*s were fixed",
                         STR_ARG(team), STR_ARG(stage));
        return;
    }
    const json_t *entered = find_entered(audit, stage, team, audit_entry_number(close));
    const bool good = key_from_hex(str_of(audit_entry_text(entry, "lot")), &lot);
    const Key digest = good ? key_of_lot_entry(team, &lot) : (Key){{0}};
    key_to_hex(&digest, hex);
    if (!good || !entered || !audit_entry_says(entered, "entry", str_of(hex)))
        audit_contradict(audit->verdict, LEDGER_FILE, audit_entry_line(entry),
                         "the lot of %.*s is not the one that was entered", STR_ARG(team));
}

/* The lot that a team opened before the list, or nothing. */
static const char *find_opened(const ChanceAudit *audit, Str stage, const char *team,
                               int64_t before)
{
    const char *found = NULL;

    for (size_t i = 0; i < json_array_size(audit->entries); i++) {
        const json_t *entry = json_array_get(audit->entries, i);
        if (audit_entry_number(entry) < before && audit_entry_is(entry, "lot") &&
            audit_entry_says(entry, "stage", stage) &&
            audit_entry_says(entry, "team", str_of(team)) && json_object_get(entry, "lot"))
            found = audit_entry_text(entry, "lot");
    }
    return found;
}

/* Everybody's who entered one: opened, or named as not opened. */
static void check_lots(ChanceAudit *audit, const json_t *list)
{
    const Str stage = str_of(audit_entry_text(list, "stage"));
    json_t *lots = json_object_get(list, "lots");
    const json_t *close = find_close(audit, stage);

    if (!close || audit_entry_number(close) > audit_entry_number(list)) {
        audit_contradict(audit->verdict, LEDGER_FILE, audit_entry_line(list),
                         "the lots of stage %.*s were told before its programs were fixed",
                         STR_ARG(stage));
        return;
    }
    for (size_t i = 0; i < json_array_size(audit->entries); i++) {
        const json_t *entry = json_array_get(audit->entries, i);
        const char *team = audit_entry_text(entry, "team");
        if (audit_entry_number(entry) > audit_entry_number(list) || !audit_entry_is(entry, "lot") ||
            !audit_entry_says(entry, "stage", stage))
            continue;
        const json_t *told = json_object_get(lots, team);
        const char *opened = find_opened(audit, stage, team, audit_entry_number(list));
        if (!told ||
            (opened ? strcmp(opened, json_is_string(told) ? json_string_value(told) : "") != 0
                    : !json_is_null(told)))
            audit_contradict(audit->verdict, LEDGER_FILE, audit_entry_line(list),
                             "the lot of %s is not as it was opened in time", team);
    }
    const char *name;
    json_t *value;
    json_object_foreach (lots, name, value) {
        if (!find_entered(audit, stage, str_of(name), audit_entry_number(list)))
            audit_contradict(audit->verdict, LEDGER_FILE, audit_entry_line(list),
                             "a lot of %s, which entered none", name);
    }
}

/* ---- the whole ---- */

void audit_site_chance_check(const json_t *entries, const Plan *plan, bool over,
                             AuditVerdict *verdict)
{
    ChanceAudit of = {plan, entries, over, verdict}, *audit = &of;

    for (size_t i = 0; i < json_array_size(audit->entries); i++) {
        const json_t *entry = json_array_get(audit->entries, i);
        if (audit_entry_is(entry, "commit"))
            check_commit(audit, i);
        else if (audit_entry_is(entry, "reveal"))
            check_reveal(audit, i);
        else if (audit_entry_is(entry, "lot"))
            check_lot(audit, entry);
        else if (audit_entry_is(entry, "lots"))
            check_lots(audit, entry);
    }
    for (uint32_t stage = 0; stage < audit->plan->stage_count; stage++)
        check_stage(audit, stage);
}
