#include "audit/audit_verdict.h"

#include <stdarg.h>
#include <stdio.h>

void audit_contradict(AuditVerdict *verdict, const char *file, unsigned line, const char *format,
                      ...)
{
    va_list args;

    if (verdict->state == AUDIT_CONTRADICTED)
        return;
    verdict->state = AUDIT_CONTRADICTED;
    verdict->line = line;
    snprintf(verdict->file, sizeof(verdict->file), "%s", file);
    va_start(args, format);
    vsnprintf(verdict->text, sizeof(verdict->text), format, args);
    va_end(args);
}
