#include "audit/audit_output.h"

#include "audit/rerun_output.h"

#include <inttypes.h>

/* What a step looked at: a number of things, and what holds of them. */
static const struct {
    const char *title[2];
    const char *thing[2];
    const char *holds[2];
} words[AUDIT_STEPS] = {
    [AUDIT_FILES] = {{"files", "ファイル"}, {"file", "ファイル"}, {"as published", "公開時のまま"}},
    [AUDIT_LEDGER] = {{"ledger", "台帳"},
                      {"line", "行"},
                      {"of the journal in a signed list", "署名された台帳にある"}},
    [AUDIT_JOURNAL] = {{"journal", "記録"},
                       {"line", "行"},
                       {"in an order that can be", "順序に矛盾なし"}},
    [AUDIT_CHANCE] = {{"chance", "偶然"},
                      {"key", "個の鍵"},
                      {"as committed to before", "コミットメントと一致"}},
    [AUDIT_SEATS] = {{"seats", "席"}, {"set", "セット"}, {"seated as the keys draw", "鍵のとおり"}},
    [AUDIT_GAMES] = {{"games", "ゲーム"},
                     {"game", "ゲーム"},
                     {"played again: logs and results are those", "再現がログと結果に一致"}},
    [AUDIT_FAULTS] = {{"faults", "違反"}, {"fault", "件"}, {"listed as counted", "集計と一致"}},
    [AUDIT_FINDINGS] = {{"findings", "発見"},
                        {"finding", "件"},
                        {"listed as counted", "集計と一致"}},
    [AUDIT_CONDUCT] = {{"conduct", "行い"},
                       {"ruling", "件の裁定"},
                       {"about what the games show", "ゲームの示すもの"}},
    [AUDIT_RANKING] = {{"ranking", "順位"},
                       {"agent", "エージェント"},
                       {"ranked as the games say", "ゲームのとおり"}},
    [AUDIT_SITE] = {{"site", "サイト"},
                    {"entry", "件"},
                    {"in the order that proves something", "証明になる順序"}},
    [AUDIT_JUDGING] = {{"judging", "評価"},
                       {"sheet", "枚"},
                       {"as the key draws them; scores as they were rated",
                        "鍵のとおり、得点は評価のとおり"}},
};

static void write_holds(AuditStep step, uint64_t count, bool japanese, Buf *out)
{
    const char *thing = words[step].thing[0];

    if (japanese)
        buf_printf(out, "%" PRIu64 " %s: %s", count, words[step].thing[1], words[step].holds[1]);
    else if (count != 1 && step == AUDIT_SITE)
        buf_printf(out, "%" PRIu64 " entries, %s", count, words[step].holds[0]);
    else
        buf_printf(out, "%" PRIu64 " %s%s, %s", count, thing, count == 1 ? "" : "s",
                   words[step].holds[0]);
}

static void write_verdict(AuditStep step, const AuditVerdict *verdict, bool japanese, Buf *out)
{
    const char *title = words[step].title[japanese];

    buf_printf(out, "%s%*s", title, japanese ? 2 : 10 - (int)strlen(title), "");
    switch (verdict->state) {
    case AUDIT_HOLDS:
        write_holds(step, verdict->count, japanese, out);
        if (verdict->text[0])
            buf_printf(out, "; %s", verdict->text);
        break;
    case AUDIT_CONTRADICTED:
        buf_add(out, japanese ? STR("矛盾: ") : STR("CONTRADICTION: "));
        if (verdict->file[0])
            buf_add(out, str_of(verdict->file));
        if (verdict->line)
            buf_printf(out, ":%u", verdict->line);
        if (verdict->file[0])
            buf_add(out, STR(": "));
        buf_add(out, str_of(verdict->text));
        break;
    case AUDIT_ABSENT:
        buf_printf(out, "- %s", verdict->text);
        break;
    case AUDIT_NOT_REACHED:
        buf_add(out, japanese ? STR("- 未検査: 前の矛盾のため")
                              : STR("- not looked at, because of what is above"));
        break;
    }
    buf_add_char(out, '\n');
}

/* Steps that found nothing to look at: what then does not follow. */
static bool is_whole(const AuditReport *report)
{
    for (unsigned step = AUDIT_CHANCE; step < AUDIT_STEPS; step++)
        if (report->steps[step].state != AUDIT_HOLDS && step != AUDIT_CONDUCT &&
            step != AUDIT_SITE && step != AUDIT_JUDGING)
            return false;
    return report->steps[AUDIT_GAMES].count == report->games && report->over && !report->late_test;
}

static void write_sentence(const AuditReport *report, bool japanese, Buf *out)
{
    if (!audit_holds(report))
        buf_add(out, japanese ? STR("検査: 記録は自分自身と矛盾しています\n")
                              : STR("audit: what is told contradicts itself\n"));
    else if (is_whole(report))
        buf_printf(out,
                   japanese ? "検査: %" PRIu64 " ゲーム、%" PRIu32
                              " エージェント: すべてがコミットメントから従います\n"
                            : "audit: %" PRIu64 " games, %" PRIu32
                              " agents: everything follows from the commitment\n",
                   report->games, report->agents);
    else
        buf_add(out, japanese ? STR("検査: 調べた範囲に矛盾はありません\n")
                              : STR("audit: nothing contradicts what was looked at\n"));
}

void audit_write(const AuditReport *report, bool japanese, Buf *out)
{
    for (AuditStep step = AUDIT_FILES; step < AUDIT_STEPS; step++)
        if (step != AUDIT_JUDGING || report->steps[step].state != AUDIT_ABSENT)
            write_verdict(step, &report->steps[step], japanese, out);
    write_sentence(report, japanese, out);
}

void audit_write_json(const AuditReport *report, const RerunVerdict reruns[], uint32_t rerun_count,
                      Buf *out)
{
    static const char *const states[] = {[AUDIT_NOT_REACHED] = "not_reached",
                                         [AUDIT_ABSENT] = "absent",
                                         [AUDIT_HOLDS] = "holds",
                                         [AUDIT_CONTRADICTED] = "contradicted"};
    Json json = json_over(out);

    json_open(&json, '{');
    json_add_str(&json, "verdict",
                 !audit_holds(report) ? STR("contradicted")
                                      : (is_whole(report) ? STR("holds") : STR("incomplete")));
    json_add_uint(&json, "games", report->games);
    json_add_uint(&json, "agents", report->agents);
    json_key(&json, STR("steps"));
    json_open(&json, '[');
    for (AuditStep step = AUDIT_FILES; step < AUDIT_STEPS; step++) {
        const AuditVerdict *verdict = &report->steps[step];
        json_open(&json, '{');
        json_add_str(&json, "step", str_of(audit_step_name(step)));
        json_add_str(&json, "state", str_of(states[verdict->state]));
        json_add_uint(&json, "count", verdict->count);
        if (verdict->file[0])
            json_add_str(&json, "file", str_of(verdict->file));
        if (verdict->line)
            json_add_uint(&json, "line", verdict->line);
        if (verdict->text[0])
            json_add_str(&json, "text", str_of(verdict->text));
        json_close(&json);
    }
    json_close(&json);
    if (rerun_count) {
        json_key(&json, STR("rerun"));
        rerun_write_json(reruns, rerun_count, &json);
    }
    json_close(&json);
    buf_add_char(out, '\n');
}
