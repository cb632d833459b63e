#include "base/err.h"

#include <stdarg.h>

void err_fill(Err *err, ErrCode code, unsigned line, unsigned column, const char *format, ...)
{
    va_list args;

    if (!err || err->code != ERR_OK)
        return;
    err->code = code;
    err->line = line;
    err->column = column;
    va_start(args, format);
    vsnprintf(err->msg, sizeof(err->msg), format, args);
    va_end(args);
}

int err_wrap(Err *err, const char *format, ...)
{
    char text[ERR_TEXT_MAX];
    va_list args;
    int used;

    if (!err)
        return ERR_OK;
    va_start(args, format);
    used = vsnprintf(text, sizeof(text), format, args);
    va_end(args);
    if (used >= 0 && (size_t)used < sizeof(text))
        snprintf(text + used, sizeof(text) - (size_t)used, "%s", err->msg);
    memcpy(err->msg, text, sizeof(text));
    return err->code;
}
