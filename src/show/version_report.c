#include "show/version_report.h"

#include "archive/remark.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "show/agent_check_words.h"
#include "wire/json_read.h"

#include <inttypes.h>

#define REPORT_BYTES ((size_t)4 << 20)
#define LINE_CHARS   400
#define LINES_MAX    20 /* of one list */

static void json_freep(json_t **json)
{
    json_done(*json);
}

static void add_text(Str text, Buf *out)
{
    utf8_add_printable(text, LINE_CHARS, out);
}

/* A list of texts, a line each. */
static void add_lines(const json_t *list, const char *indent, Buf *out)
{
    for (size_t i = 0; i < json_count(list) && i < LINES_MAX; i++) {
        Str line = {0};
        if (!json_as_str(json_at(list, i), &line))
            continue;
        buf_add(out, str_of(indent));
        add_text(line, out);
        buf_add_char(out, '\n');
    }
}

/* Numbers of a step that say something by themselves. */
static void add_figures(const json_t *step, Buf *out)
{
    static const char *const keys[] = {"files",   "bytes",      "games",       "p50_ms",
                                       "p99_ms",  "max_ms",     "late",        "excused",
                                       "threads", "memory_kib", "output_bytes"};
    bool first = true;

    for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
        const json_t *value = json_get(step, keys[i]);
        int64_t whole = 0;
        double real = 0;
        if (json_as_int(value, &whole))
            buf_printf(out, "%s%s %" PRId64, first ? "  " : ", ", keys[i], whole);
        else if (json_as_real(value, &real))
            buf_printf(out, "%s%s %.1f", first ? "  " : ", ", keys[i], real);
        else
            continue;
        first = false;
    }
}

static void add_step(const json_t *step, Buf *out)
{
    CLEANUP(buf_done) Buf name = {0};
    CLEANUP(buf_done) Buf verdict = {0};
    double ms = 0;

    add_text(json_text(step, "step"), &name);
    add_text(json_text(step, "verdict"), &verdict);
    json_as_real(json_get(step, "ms"), &ms);
    buf_printf(out, "%-10s %-7s %8.1f ms", buf_cstr(&name), buf_cstr(&verdict), ms);
    add_figures(step, out);
    buf_add_char(out, '\n');
    if (json_get(step, "advice")) {
        buf_add(out, STR("    "));
        add_text(json_text(step, "advice"), out);
        buf_add_char(out, '\n');
    }
    add_lines(json_get(step, "evidence"), "    - ", out);
    add_lines(json_get(step, "output"), "    | ", out);
}

static void add_findings(const json_t *findings, Buf *out)
{
    for (size_t i = 0; i < json_count(findings) && i < LINES_MAX; i++) {
        const json_t *finding = json_at(findings, i);
        buf_add(out, STR("finding: "));
        add_text(json_text(finding, "rule"), out);
        buf_add(out, STR(": "));
        add_text(json_text(finding, "text"), out);
        buf_printf(out, " (game %" PRId64 ", day %" PRId64 ")\n", json_number(finding, "game"),
                   json_number(finding, "day"));
    }
}

static void add_head(const json_t *report, Buf *out)
{
    add_text(json_text(report, "team"), out);
    if (json_number(report, "version"))
        buf_printf(out, ", version %" PRId64, json_number(report, "version"));
    buf_add(out, STR(": "));
    add_text(json_text(report, "verdict"), out);
    buf_add_char(out, '\n');
    if (json_get(report, "tree")) {
        buf_add(out, STR("tree "));
        add_text(json_text(report, "tree"), out);
        buf_add_char(out, '\n');
    }
    if (json_get(report, "level")) {
        buf_add(out, STR("cells "));
        add_text(json_text(report, "level"), out);
        buf_add(out, STR(", "));
        add_text(json_text(report, "layers"), out);
        buf_add_char(out, '\n');
    }
}

int version_report_write_text(Str report, Buf *out, Err *err)
{
    CLEANUP(json_freep) json_t *json = NULL;
    int rc = json_read(report, REPORT_BYTES, &json, err);

    if (rc)
        return rc;
    if (!json_is_list(json_get(json, "steps")))
        return err_set(err, ERR_SYNTAX, "this is no report of a check");
    add_head(json, out);
    const json_t *steps = json_get(json, "steps"), *warnings = json_get(json, "warnings");
    for (size_t i = 0; i < json_count(steps); i++)
        add_step(json_at(steps, i), out);
    add_findings(json_get(json, "findings"), out);
    add_lines(warnings, "warning: ", out);
    return buf_failed(out) ? err_set(err, ERR_MEMORY, "report: out of memory") : 0;
}

bool version_report_passed(Str report)
{
    CLEANUP(json_freep) json_t *json = NULL;

    return json_read(report, REPORT_BYTES, &json, NULL) == 0 &&
           str_eq(json_text(json, "verdict"), STR("passed"));
}

/* The name of a step as people of this language say it. */
static void add_step_word(Str name, bool japanese, Buf *out)
{
    for (CheckStep step = 0; step < CHECK_STEPS; step++)
        if (str_eq(name, str_of(check_step_name(step)))) {
            buf_add(out, str_of(agent_check_step_word(japanese, step)));
            return;
        }
    buf_add(out, name);
}

void version_report_say_why(Str why, bool japanese, Buf *out)
{
    const Str begin = STR("check: ");

    if (!japanese || !str_starts(why, begin)) {
        remark_say(why, japanese, out);
        return;
    }
    buf_add(out, STR("チェックで不合格になった項目: "));
    for (Str rest = str_part(why, begin.len, why.len); rest.len;) {
        add_step_word(str_cut(&rest, ' '), true, out);
        buf_add(out, rest.len ? STR("、") : (Str){0});
    }
}
