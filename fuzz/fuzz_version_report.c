/* fuzz_version_report.c - any bytes are a report of a check that is shown in lines that a terminal
 * obeys in nothing, or none; and who is read as terms of a contest can be written and read again.
 */
#include "base/mem.h"
#include "contest/version_terms.h"
#include "show/version_report.h"
#include "wire/json_read.h"

#include <assert.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void json_freep(json_t **json)
{
    json_done(*json);
}

static void check_terms(Str input)
{
    CLEANUP(json_freep) json_t *json = NULL;
    CLEANUP(json_freep) json_t *again = NULL;
    CLEANUP(version_terms_done) VersionTerms terms = {0};
    CLEANUP(version_terms_done) VersionTerms other = {0};
    CLEANUP(buf_done) Buf text = {0};
    Json out = json_over(&text);
    Err err = {0};

    if (json_read(input, 1 << 20, &json, NULL))
        return;
    const int rc = version_terms_read(json, &terms, &err);
    assert(err.code == (ErrCode)rc && (rc == 0 || err.msg[0]));
    if (rc)
        return;
    assert(cell_level_is_strict(terms.cell.level));
    version_terms_write(&terms, &out);
    assert(json_read(buf_str(&text), 1 << 20, &again, NULL) == 0);
    assert(version_terms_read(again, &other, NULL) == 0);
    assert(other.tree_bytes == terms.tree_bytes && other.games == terms.games &&
           other.cell.memory_bytes == terms.cell.memory_bytes);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    CLEANUP(buf_done) Buf text = {0};
    const Str input = {(const char *)data, size};
    Err err = {0};

    const int rc = version_report_write_text(input, &text, &err);
    assert(err.code == (ErrCode)rc && (rc == 0 || err.msg[0]));
    for (size_t i = 0; rc == 0 && i < text.len; i++)
        assert((unsigned char)text.bytes[i] >= 0x20 || text.bytes[i] == '\n');
    (void)version_report_passed(input);
    check_terms(input);
    return 0;
}
