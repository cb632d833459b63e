#include "audit/audit_judging.h"

#include "audit/audit_file.h"
#include "audit/audit_judging_own.h"
#include "audit/audit_verdict.h"
#include "base/digest.h"
#include "base/mem.h"
#include "base/yaml.h"
#include "proof/ledger.h"

#include <math.h>
#include <stdlib.h>

#define CONFIG_ARENA ((size_t)8 * 1024 * 1024)
#define ENTRY_BYTES  ((size_t)256 * 1024 * 1024)
#define EVALUATION   "evaluation"

static void judging_done(JudgingAudit *audit)
{
    for (size_t i = 0; i < audit->entry_count; i++)
        json_done(audit->entries[i]);
    mem_free(audit->entries);
    for (uint32_t i = 0; i < audit->track_count; i++) {
        mem_free(audit->tracks[i].games);
        mem_free(audit->tracks[i].picks);
        mem_free(audit->tracks[i].picked);
        mem_free(audit->tracks[i].teams);
    }
    arena_done(&audit->arena);
    buf_done(&audit->rules);
    mem_free(audit->sheets);
    mem_free(audit->people);
    buf_done(&audit->text);
}

/* ---- the ledger ---- */

static int hear_entry(void *user, const LedgerEntry *entry, Err *err)
{
    JudgingAudit *audit = user;
    json_t *json = NULL;
    int rc = json_read(entry->line, ENTRY_BYTES, &json, err);

    if (rc)
        return rc;
    json_t **more = (audit->entry_count & (audit->entry_count + 1)) == 0
                        ? mem_resize(audit->entries, 2 * audit->entry_count + 2, sizeof(json_t *))
                        : audit->entries;
    if (!more) {
        json_done(json);
        return judging_no_memory(err);
    }
    audit->entries = more;
    more[audit->entry_count++] = json;
    return 0;
}

/* ---- the key ---- */

static int compare_lots(const void *a, const void *b)
{
    return judging_compare_names(((const NamedKey *)a)->name, ((const NamedKey *)b)->name);
}

static int lots_key(const json_t *list, Key *ret_key, Err *err)
{
    /* The iterator takes no const. */
    const union {
        const json_t *read;
        json_t *walk;
    } found = {.read = json_get(list, "lots")};
    json_t *const lots = found.walk;
    size_t count = 0;

    for (void *m = json_member(lots, NULL); m; m = json_member(lots, m))
        count++;
    CLEANUP(mem_freep) NamedKey *items = mem_new((count + 1) * sizeof(*items));
    if (!items)
        return judging_no_memory(err);
    count = 0;
    for (void *m = json_member(lots, NULL); m; m = json_member(lots, m)) {
        NamedKey *item = &items[count++];
        Str hex;
        item->name = str_of(json_member_key(m));
        item->there = json_as_str(json_member_value(m), &hex) && key_from_hex(hex, &item->key);
    }
    if (count)
        qsort(items, count, sizeof(*items), compare_lots);
    *ret_key = key_of_lots(items, count);
    return 0;
}

/* Whether secret and lots are those that were committed to is the step `site`. */
static int find_key(JudgingAudit *audit, Err *err)
{
    const json_t *reveal = judging_last_entry(audit, "reveal", "stage", STR(EVALUATION));
    const json_t *lots = judging_last_entry(audit, "lots", "stage", STR(EVALUATION));
    const json_t *beacon = judging_last_entry(audit, "beacon", "stage", STR(EVALUATION));
    const json_t *contest = judging_last_entry(audit, "contest", NULL, STR(""));
    Key secret, all;

    if (!reveal || !key_from_hex(json_text(reveal, "value"), &secret)) {
        audit_contradict(audit->verdict, LEDGER_FILE, reveal ? judging_entry_line(reveal) : 0,
                         "sheets were rated, and the secret of stage " EVALUATION " was not told");
        return 0;
    }
    int rc = lots_key(lots, &all, err);
    if (rc == 0)
        audit->key = key_of_stage_with(&secret, json_text(contest, "name"), STR(EVALUATION), &all,
                                       json_text(beacon, "value"));
    audit->plan.evaluation = &audit->key;
    return rc;
}

/* ---- the contest's file ---- */

static void read_number(const YamlNode *map, const char *key, uint32_t *number)
{
    const YamlNode *node = yaml_get(map, key);
    int64_t value = 0;

    if (node && yaml_int(node, 0, UINT32_MAX, &value, NULL) == 0)
        *number = (uint32_t)value;
}

static void read_evaluation(JudgingAudit *audit, const YamlNode *map)
{
    const YamlNode *llm = yaml_get(map, "llm"), *list = yaml_get(map, "criteria");
    const YamlNode *models = yaml_get(llm, "models");
    SheetsPlan *plan = &audit->plan;
    Criterion criterion;

    for (const YamlNode *node = list ? list->first : NULL; node; node = node->next)
        if (criterion_of(node->text, &criterion))
            plan->criteria |= 1u << criterion;
    plan->sheets = SHEETS_GAMES_DEFAULT;
    plan->raters = SHEETS_RATERS_DEFAULT;
    plan->repeats = SHEETS_REPEATS_DEFAULT;
    read_number(map, "sheets", &plan->sheets);
    read_number(map, "raters", &plan->raters);
    read_number(llm, "repeats", &plan->repeats);
    for (const YamlNode *node = models ? models->first : NULL;
         node && plan->model_count < SHEETS_MODELS_MAX; node = node->next)
        audit->models[plan->model_count++] = node->text;
    plan->models = audit->models;
}

/* As a track of the file's is taken. */
static int read_tracks(JudgingAudit *audit, const YamlNode *tracks, const char *name)
{
    for (const YamlNode *node = tracks ? tracks->first : NULL; node; node = node->next) {
        const YamlNode *track = yaml_get(node, "name");
        if (audit->track_count == TRACKS_MAX || !track) {
            audit_contradict(audit->verdict, name, node->line, "a track that can't be");
            return 0;
        }
        audit->tracks[audit->track_count++].name = track->text;
    }
    return 0;
}

/* The entry of the contest file that held before this one. */
static const json_t *find_file_entry(const JudgingAudit *audit, uint64_t before)
{
    for (size_t i = audit->entry_count; i > 0; i--) {
        const json_t *entry = audit->entries[i - 1];
        const Str type = json_text(entry, "type");
        if (judging_entry_number(entry) < before &&
            (str_eq(type, STR("contest")) || str_eq(type, STR("amend"))))
            return entry;
    }
    return NULL;
}

/* The contest file as it held before entry `before`; NULL when there is none, which is a
 * contradiction. */
static int read_file_before(JudgingAudit *audit, uint64_t before, Buf *text, Buf *name,
                            const YamlNode **ret_root, Err *err)
{
    const json_t *entry = find_file_entry(audit, before);
    Err own = {0};

    *ret_root = NULL;
    if (!entry) {
        audit_contradict(audit->verdict, LEDGER_FILE, 1, "it does not say which file held");
        return 0;
    }
    int rc = audit_file_read(audit->dir, json_text(entry, "file"), text, name, audit->verdict, err);
    if (rc || judging_is_contradicted(audit))
        return rc;
    rc = yaml_read(buf_str(text), &audit->arena, ret_root, &own);
    if (rc)
        audit_contradict(audit->verdict, buf_cstr(name), own.line, "%s", own.msg);
    return 0;
}

/* What sheets were drawn by. */
static int read_rules(JudgingAudit *audit, Err *err)
{
    CLEANUP(buf_done) Buf name = {0};
    const YamlNode *root = NULL;
    const json_t *drawn = judging_first_entry(audit, "sheets", NULL, STR(""));
    int rc = read_file_before(audit, drawn ? judging_entry_number(drawn) : JUDGING_NEVER,
                              &audit->rules, &name, &root, err);

    if (rc || !root)
        return rc;
    read_evaluation(audit, yaml_get(root, "evaluation"));
    return read_tracks(audit, yaml_get(root, "tracks"), buf_cstr(&name));
}

/* What scores were worked out by. */
static int read_min_tau(JudgingAudit *audit, Err *err)
{
    CLEANUP(buf_done) Buf name = {0};
    CLEANUP(buf_done) Buf text = {0};
    const YamlNode *root = NULL;
    int rc = read_file_before(audit, audit->rated, &text, &name, &root, err);
    const YamlNode *tau =
        root ? yaml_get(yaml_get(yaml_get(root, "evaluation"), "llm"), "min_tau") : NULL;

    audit->min_tau = (double)NAN;
    if (tau && tau->text.len && tau->text.len < 8) {
        char number[8] = "";
        memcpy(number, tau->text.bytes, tau->text.len);
        audit->min_tau = strtod(number, NULL);
    }
    return rc;
}

/* ---- digests ---- */

static int check_digest(JudgingAudit *audit, const json_t *entry, const char *member,
                        const char *name, Err *err)
{
    CLEANUP(buf_done) Buf text = {0};
    char hex[SHA256_HEX_BYTES];
    int rc = judging_read_file(audit, name, &text, err);

    if (rc == 0)
        rc = sha256_hex(buf_str(&text), hex, err);
    if (rc == 0 && !str_eq(json_text(entry, member), str_of(hex)))
        audit_contradict(audit->verdict, LEDGER_FILE, judging_entry_line(entry),
                         "%s is not the file whose digest this entry has", name);
    return rc;
}

static int check_digests(JudgingAudit *audit, const json_t *entry, Err *err)
{
    int rc = check_digest(audit, entry, "sheets", SHEETS_FILE, err);

    if (rc == 0)
        rc = check_digest(audit, entry, "ratings", RATINGS_FILE, err);
    return rc ? rc : check_digest(audit, entry, "scores", SCORES_FILE, err);
}

/* ---- all of it ---- */

static int check_all(JudgingAudit *audit, const json_t *rating, Err *err)
{
    static int (*const checks[])(JudgingAudit * audit, Err * err) = {
        find_key,     read_rules,          judging_check_sheets, judging_check_ratings,
        read_min_tau, judging_check_scores};
    int rc = 0;

    for (size_t i = 0;
         i < sizeof(checks) / sizeof(*checks) && rc == 0 && !judging_is_contradicted(audit); i++)
        rc = checks[i](audit, err);
    audit->verdict->count = audit->sheet_count;
    return rc ? rc : check_digests(audit, rating, err);
}

int audit_judging_check(const char *dir, AuditVerdict *verdict, Err *err)
{
    CLEANUP(judging_done) JudgingAudit audit = {.dir = dir, .verdict = verdict};
    CLEANUP(ledger_look_done)
    LedgerLook look = {.reader = {.hear = hear_entry, .user = &audit}};
    int rc = ledger_look(dir, &look, NULL); /* what is wrong with it is told by its own step */

    audit.arena = arena_new(CONFIG_ARENA);
    if (rc == ERR_MEMORY)
        return judging_no_memory(err);
    const json_t *rating = rc ? NULL : judging_last_entry(&audit, "rating", NULL, STR(""));
    audit.rated = rating ? judging_entry_number(rating) : JUDGING_NEVER;
    if (rating)
        return check_all(&audit, rating, err);
    verdict->state = AUDIT_ABSENT;
    snprintf(verdict->text, sizeof(verdict->text), "%s", "no ratings were published");
    return 0;
}
