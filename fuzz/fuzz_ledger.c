/* fuzz_ledger.c - any bytes as a ledger: whole and byte by byte they are read alike, and the tree
 * is that of the lines. */
#include "proof/ledger_read.h"

#include <assert.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int count_entry(void *user, const LedgerEntry *entry, Err *err)
{
    uint64_t *count = user;

    (void)err;
    assert(entry->n == (*count)++);
    return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    uint64_t heard = 0;
    CLEANUP(ledger_reader_done) LedgerReader whole = {count_entry, &heard, .mark = 1};
    CLEANUP(ledger_reader_done) LedgerReader bytes = {.mark = 1};
    Str text = {(const char *)data, size};
    Err err = {0};
    int rc = ledger_reader_feed(&whole, text, &err), other = 0;

    for (size_t i = 0; i < size && other == 0; i++)
        other = ledger_reader_feed(&bytes, str_part(text, i, 1), NULL);
    assert(rc == other && whole.tree.size == bytes.tree.size && whole.bytes == bytes.bytes);
    assert(heard == whole.tree.size);
    assert(rc == 0 || err.line == whole.tree.size + 1);
    if (rc == 0)
        assert(whole.bytes + whole.part.len == size);
    Checkpoint checkpoint = {.size = whole.tree.size};
    checkpoint.root = merkle_root(&whole.tree);
    if (whole.tree.size == 1)
        assert(ledger_reader_compare(&whole, &checkpoint, NULL) == 0);
    checkpoint.size++;
    assert(ledger_reader_compare(&whole, &checkpoint, NULL) == ERR_RULE);
    return 0;
}
