/* fuzz_nlp_exchange.c - any bytes as the JSON log of a natural-language game, and behind a NUL as
 * its game log: they agree, or there is a sentence and a line of the game log. */
#include "record/nlp_exchange.h"

#include <assert.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    Str log = {(const char *)data, size};
    const Str json = str_cut(&log, '\0');
    LogFinding finding = {0};

    assert(nlp_exchange_check(json, log, &finding, NULL) == 0);
    assert(finding.ok ? finding.line == 0 : finding.reason[0] != '\0');
    return 0;
}
