#include "record/finding_text.h"

#include "base/utf8.h"

/* What it did, of which the text is an example. */
static const char *const deeds[FINDING_RULES] = {
    [FINDING_NETWORK] = "tried what is forbidden",
    [FINDING_WRITE] = "tried what is forbidden",
    [FINDING_PROCESS] = "tried what is forbidden",
    [FINDING_THREAD] = "has threads of its own",
    [FINDING_MEMORY] = "went over a limit",
    [FINDING_OUTPUT] = "went over a limit",
    [FINDING_NAME] = "said another name than its own",
};

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
    buf_printf(out, " (%s)", finding_rule_name(finding->rule));
}
