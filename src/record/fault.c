#include "record/fault.h"

#include "base/utf8.h"
#include "base/words.h"

static const char *const names[] = {
    [FAULT_TIMEOUT] = "timeout",     [FAULT_DISCONNECT] = "disconnect",
    [FAULT_MALFORMED] = "malformed", [FAULT_EARLY] = "early",
    [FAULT_VIOLATION] = "violation", [FAULT_COUNT] = "",
    [FAULT_FALLBACK] = "fallback",   [FAULT_SUPPRESSED] = "suppressed",
};

const char *fault_kind_name(FaultKind kind)
{
    return kind <= FAULT_SUPPRESSED ? names[kind] : "";
}

FaultKind fault_kind_of(Str name)
{
    return (FaultKind)words_find(names, FAULT_COUNT, name);
}

void fault_print(const Fault *fault, Buf *out)
{
    buf_printf(out, "%s", fault_kind_name(fault->kind));
    if (fault->request[0])
        buf_printf(out, " at %s after %.1f ms", fault->request, (double)fault->elapsed_us / 1e3);
    if (fault->bytes.len) {
        buf_add(out, STR(", '"));
        utf8_add_printable(fault->bytes, 60, out);
        buf_add_char(out, '\'');
    }
}
