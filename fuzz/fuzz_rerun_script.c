/* fuzz_rerun_script.c - any bytes as an exchange record, of which each seat is to be asked again: a
 * script of whole packets, or a finding with its line. The first byte is the seat. */
#include "audit/rerun_script.h"

#include <assert.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const GameKey key = {.key = key_of_seed(7)};
    const Str text = {(const char *)data + 1, size - 1};
    CLEANUP(rerun_script_done) RerunScript script = {0};
    ExchangeFinding finding = {0};
    const RerunStep *step;
    Ruleset rules;
    bool asked = false;

    if (size == 0)
        return 0;
    assert(ruleset_preset(STR("aiwolf-2021"), &rules, NULL) == 0);
    assert(rerun_script_make(&script, text, &rules, &key, (SeatNo)(data[0] % (SEAT_MAX + 1)),
                             &finding, NULL) == 0);
    assert(finding.ok || (finding.line > 0 && finding.reason[0]));
    for (size_t i = 0; finding.ok && (step = rerun_script_step(&script, i)); i++) {
        const Str packet = rerun_script_packet(&script, step);
        assert(packet.len > 2 && packet.bytes[0] == '{' && packet.bytes[packet.len - 1] == '\n');
        assert(rerun_script_answer(&script, step).len == step->answer_bytes);
        assert(step->asks ? step->line > 1 : step->answer_bytes == 0);
        asked |= step->asks;
    }
    if (finding.ok)
        assert(!script.absent || !asked);
    return 0;
}
