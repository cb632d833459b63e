/* fuzz_decision_sheet.c - any bytes as what a model's player has printed, and as a note of a
 * journal: what is read is written as a line that is read alike. */
#include "stats/decision_sheet.h"

#include <assert.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void read_again(const DecisionSheet *sheet)
{
    CLEANUP(buf_done) Buf line = {0};
    CLEANUP(buf_done) Buf again = {0};
    DecisionSheet read = {0};

    decision_sheet_write(sheet, &line);
    assert(decision_sheet_read(buf_str(&line), &read));
    decision_sheet_write(&read, &again);
    assert(str_eq(buf_str(&line), buf_str(&again)));
    assert(read.own == sheet->own && read.decisions == sheet->decisions);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const Str text = {(const char *)data, size};
    DecisionSheet sheet = {0};
    DecisionNote note = {0};

    if (decision_sheet_find(text, &sheet))
        read_again(&sheet);
    if (decision_note_read(text, &note)) {
        assert(note.agent.bytes >= text.bytes && note.agent.len <= text.len);
        read_again(&note.sheet);
    }
    return 0;
}
