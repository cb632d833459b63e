#include "api/api_shared.h"

#include "base/mem.h"

int api_refuse_text(ApiVisit *visit, const Err *err)
{
    CLEANUP(buf_done) Buf text = {0};

    if (err->code != ERR_SYNTAX && err->code != ERR_RULE && err->code != ERR_LIMIT)
        return err->code;
    if (err->line)
        buf_printf(&text, "line %u, column %u: ", err->line, err->column);
    buf_add(&text, str_of(err->msg));
    return api_refuse(visit, REFUSE_FIELD, "text", buf_cstr(&text));
}

ContestActor api_actor(const ApiVisit *visit, Str reason)
{
    return (ContestActor){.account = visit->account,
                          .address = str_of(visit->address),
                          .reason = reason,
                          .now_ms = visit->now_ms};
}
