#include "record/finding.h"

#include "base/utf8.h"

static const char *const names[FINDING_RULES] = {
    [FINDING_NETWORK] = "network", [FINDING_WRITE] = "write",   [FINDING_PROCESS] = "process",
    [FINDING_THREAD] = "thread",   [FINDING_MEMORY] = "memory", [FINDING_OUTPUT] = "output",
    [FINDING_NAME] = "name"};

/* What it did, of which the text is an example. */
static const char *const deeds[FINDING_RULES] = {
    [FINDING_NETWORK] = "tried what is forbidden",
    [FINDING_WRITE] = "tried what is forbidden",
    [FINDING_PROCESS] = "tried what is forbidden",
    [FINDING_THREAD] = "has threads that its runtime does not have by itself",
    [FINDING_MEMORY] = "was ended at its limit",
    [FINDING_OUTPUT] = "printed more than is kept",
    [FINDING_NAME] = "said another name than its own",
};

const char *finding_rule_name(FindingRule rule)
{
    return names[rule];
}

FindingRule finding_rule_of(Str name)
{
    FindingRule rule = FINDING_NETWORK;

    while (rule < FINDING_RULES && !str_eq(name, str_of(names[rule])))
        rule++;
    return rule;
}

void finding_add_text(Str text, Buf *out)
{
    CLEANUP(buf_done) Buf whole = {0};
    size_t len = FINDING_TEXT_MAX;

    utf8_add_printable(text, FINDING_TEXT_MAX, &whole);
    if (buf_failed(&whole)) {
        buf_fail(out);
        return;
    }
    len = whole.len < len ? whole.len : len;
    while (len > 0 && len < whole.len && ((unsigned char)whole.bytes[len] & 0xC0) == 0x80)
        len--;
    buf_add(out, str_part(buf_str(&whole), 0, len));
}

void finding_print(Str agent, const Finding *finding, Buf *out)
{
    buf_printf(out, "agent %.*s %s", STR_ARG(agent), deeds[finding->rule]);
    if (finding->text.len)
        buf_add(out, STR(": "));
    finding_add_text(finding->text, out);
    buf_printf(out, " (%s)", names[finding->rule]);
}
