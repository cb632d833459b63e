/* fuzz_manifest.c - any bytes as the manifest of a bundle, and behind a NUL what its folder has:
 * its name is found or not, and the line that differs is one of both. */
#include "audit/manifest.h"

#include <assert.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static unsigned count_lines(Str text)
{
    unsigned lines = 0;

    while (text.len) {
        str_cut(&text, '\n');
        lines++;
    }
    return lines;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    Str now = {(const char *)data, size};
    const Str told = str_cut(&now, '\0');
    AuditVerdict verdict = {0};
    ManifestForm form;
    Str contest = {0};

    if (manifest_contest(told, &form, &contest))
        assert(contest.bytes > told.bytes && contest.len < told.len);
    manifest_compare(told, now, &verdict);
    assert((verdict.state == AUDIT_CONTRADICTED) == (verdict.line > 0));
    assert(verdict.line <= count_lines(told) || verdict.line <= count_lines(now));
    if (str_eq(told, now))
        assert(verdict.state == AUDIT_NOT_REACHED);
    return 0;
}
