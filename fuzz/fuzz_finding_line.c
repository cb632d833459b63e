/* fuzz_finding_line.c - any bytes as a line of findings.jsonl: an error with its line, or a finding
 * that is written as a line which is read as the same one. */
#include "journal/finding_line.h"

#include <assert.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void write_line(const FindingLine *line, Buf *out)
{
    const FindingTotal total = {line->note.finding.rule, line->note.agent, line->total};

    if (line->total)
        finding_line_write_total(line->at_ms, line->note.stage, line->note.set, &total, out);
    else
        finding_line_write(line->at_ms, &line->note, out);
}

static int hear(void *user, const FindingLine *line, Err *err)
{
    (void)err;
    write_line(line, user);
    return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    CLEANUP(buf_done) Buf once = {0};
    CLEANUP(buf_done) Buf twice = {0};
    Err err = {0};
    int rc = finding_line_hear((Str){(const char *)data, size}, 7, hear, &once, &err);

    if (rc) {
        assert(err.code == (ErrCode)rc && err.line == 7 && err.msg[0]);
        return 0;
    }
    assert(once.len > 1 && once.bytes[once.len - 1] == '\n');
    const Str line = str_part(buf_str(&once), 0, once.len - 1);
    assert(memchr(line.bytes, '\n', line.len) == NULL);
    assert(finding_line_hear(line, 8, hear, &twice, NULL) == 0);
    assert(str_eq(buf_str(&once), buf_str(&twice)));
    return 0;
}
