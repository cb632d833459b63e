#include "contest/rulings.h"

#include "base/date_text.h"
#include "base/json.h"
#include "match/plan_read.h"

#include <inttypes.h>

static int on_plan(void *user, Str plan, Err *err)
{
    RulingFolder *folder = user;

    return plan_read(plan, &folder->plan, err);
}

static int on_game(void *user, const GameRecord *record, Err *err)
{
    RulingFolder *folder = user;

    return conducts_add_game(&folder->conducts, record, err);
}

static int on_ruling(void *user, const JournalRuling *ruling, Err *err)
{
    RulingFolder *folder = user;

    return conducts_add_ruling(&folder->conducts, ruling, err);
}

int ruling_folder_open(RulingFolder *folder, const char *dir, Err *err)
{
    const JournalListener listener = {
        .plan = on_plan, .game = on_game, .ruling = on_ruling, .user = folder};
    int rc = plan_init(&folder->plan, err);

    folder->dir = dir;
    if (rc == 0)
        rc = journal_read(dir, &listener, NULL, err);
    if (rc == 0 && !folder->plan.conduct.given)
        rc = err_set(err, ERR_USAGE,
                     "the contest in '%s' has no rules of conduct (key 'conduct' of the contest "
                     "file), so there is nothing to rule on",
                     dir);
    return rc ? rc : finding_firsts_read(dir, &folder->evidence, err);
}

void ruling_folder_done(RulingFolder *folder)
{
    plan_done(&folder->plan);
    conducts_done(&folder->conducts);
    finding_firsts_done(&folder->evidence);
}

static const char *state_of(const ConductFinding *finding)
{
    if (finding->ruled != RULING_COUNT)
        return ruling_name(finding->ruled);
    return finding->action == CONDUCT_ELIMINATE ? "proposed: eliminate"
                                                : conduct_action_name(finding->action);
}

/* NULL where a rule is about no findings of cells, or there is none. */
static const FindingFirst *first_evidence(const RulingFolder *folder, const ConductFinding *finding)
{
    const FindingRule rule = conduct_finding_rule(finding->rule);

    return rule == FINDING_RULES ? NULL
                                 : finding_firsts_of(&folder->evidence, finding->conduct->stage,
                                                     str_of(finding->conduct->agent), rule);
}

static void put_evidence(const RulingFolder *folder, const ConductFinding *finding, Json *json)
{
    const FindingFirst *first = first_evidence(folder, finding);
    char time[DATE_TEXT_ROOM];

    if (conduct_finding_rule(finding->rule) == FINDING_RULES)
        return;
    json_key(json, STR("evidence"));
    json_open(json, '[');
    for (; first; first = finding_firsts_next(&folder->evidence, first)) {
        json_open(json, '{');
        json_add_str(json, "file", STR(FINDINGS_FILE));
        json_add_uint(json, "line", first->line);
        json_add_str(json, "at", date_text_write(first->at_ms, time));
        json_add_uint(json, "set", first->set);
        if (first->in_game) {
            json_add_uint(json, "game", first->game);
            json_add_uint(json, "day", first->day);
        }
        json_add_str(json, "text", str_of(first->text));
        json_close(json);
    }
    json_close(json);
}

static void write_evidence(const RulingFolder *folder, const ConductFinding *finding, Buf *out)
{
    const FindingFirst *first = first_evidence(folder, finding);
    char time[DATE_TEXT_ROOM];

    for (; first; first = finding_firsts_next(&folder->evidence, first)) {
        buf_printf(out, "       " FINDINGS_FILE ":%u  %.*s  set %" PRIu64, first->line,
                   STR_ARG(date_text_write(first->at_ms, time)), first->set);
        if (first->in_game)
            buf_printf(out, ", game %" PRIu64 ", day %u", first->game, (unsigned)first->day);
        buf_printf(out, ": %s\n", first->text);
    }
}

static void put_finding(const RulingFolder *folder, const ConductFinding *finding, uint32_t number,
                        Json *json)
{
    json_open(json, '{');
    json_add_uint(json, "number", number);
    json_add_str(json, "stage", str_of(folder->plan.stages[finding->conduct->stage].name));
    json_add_str(json, "agent", str_of(finding->conduct->agent));
    json_add_str(json, "rule", str_of(conduct_rule_name(finding->rule)));
    json_add_uint(json, "count", finding->count);
    json_add_uint(json, "games", finding->conduct->games);
    json_add_str(json, "action", str_of(conduct_action_name(finding->action)));
    json_key(json, STR("ruled"));
    if (finding->ruled == RULING_COUNT)
        json_put_null(json);
    else
        json_put_str(json, str_of(ruling_name(finding->ruled)));
    put_evidence(folder, finding, json);
    json_close(json);
}

void ruling_folder_write(RulingFolder *folder, bool as_json, Buf *out)
{
    ConductFinding finding;
    Json json = json_over(out);

    if (as_json)
        json_open(&json, '[');
    for (uint32_t number = 0;
         conducts_finding(&folder->conducts, &folder->plan.conduct, number, &finding); number++) {
        if (as_json) {
            put_finding(folder, &finding, number, &json);
            continue;
        }
        buf_printf(out, "%3" PRIu32 "  %-12s %-20s %-9s %6" PRIu64 " in %" PRIu64 " games  %s\n",
                   number, folder->plan.stages[finding.conduct->stage].name, finding.conduct->agent,
                   conduct_rule_name(finding.rule), finding.count, finding.conduct->games,
                   state_of(&finding));
        write_evidence(folder, &finding, out);
    }
    if (as_json) {
        json_close(&json);
        buf_add_char(out, '\n');
    }
}

int ruling_folder_rule(RulingFolder *folder, uint32_t number, RulingDecision decision, Str reason,
                       int64_t at_ms, Err *err)
{
    ConductFinding finding;
    Journal *journal = NULL;

    if (!conducts_finding(&folder->conducts, &folder->plan.conduct, number, &finding))
        return err_set(err, ERR_USAGE, "there is no finding %" PRIu32 ": warg contest findings %s",
                       number, folder->dir);
    int rc = journal_continue(folder->dir, &journal, err);
    if (rc)
        return rc;
    rc = journal_add_ruling(journal,
                            &(JournalRuling){.stage = finding.conduct->stage,
                                             .agent = str_of(finding.conduct->agent),
                                             .rule = str_of(conduct_rule_name(finding.rule)),
                                             .decision = decision,
                                             .reason = reason,
                                             .at_ms = at_ms},
                            err);
    int closed = journal_close(journal, rc ? NULL : err);
    return rc ? rc : closed;
}
