#include "record/maw_told.h"

unsigned maw_fault_of_decision(const json_t *decision, Fault ret_faults[static MAW_FAULTS_MAX])
{
    const Str outcome = json_text(decision, "outcome");
    const Str suppressed = json_text(decision, "suppressed");
    unsigned count = 0;

    if (str_eq(json_text(decision, "source"), STR("fallback")))
        ret_faults[count++] =
            (Fault){.kind = FAULT_FALLBACK,
                    .request = "",
                    .bytes = str_eq(outcome, STR("answered")) ? STR("no usable answer") : outcome};
    if (suppressed.len)
        ret_faults[count++] = (Fault){.kind = FAULT_SUPPRESSED, .request = "", .bytes = suppressed};
    return count;
}

bool maw_fault_of_event(const json_t *event, Fault *ret_fault)
{
    *ret_fault = (Fault){.kind = fault_kind_of(json_text(event, "fault")),
                         .request = json_text(event, "request").bytes};
    return ret_fault->kind != FAULT_COUNT;
}

Str maw_told_of_act(Str act)
{
    static const struct {
        const char *act, *says;
    } acts[] = {{"stop", "The operator ends the session."},
                {"end_phase", "The operator ends the phase."},
                {"pause", "The operator stops the clocks."},
                {"resume", "The operator lets the game go on."},
                {"extend", "The operator gives the phase more time."}};

    for (size_t i = 0; i < sizeof(acts) / sizeof(acts[0]); i++)
        if (str_eq(act, str_of(acts[i].act)))
            return str_of(acts[i].says);
    return STR("");
}
