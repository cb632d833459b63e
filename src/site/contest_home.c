#include "site/contest_home.h"

int contest_home_path(const ContestHome *place, const char *sub, Buf *ret_path, Err *err)
{
    buf_printf(ret_path, "%s/contests/%.*s%s%s", place->data, STR_ARG(place->name), *sub ? "/" : "",
               sub);
    return buf_failed(ret_path) ? err_set(err, ERR_MEMORY, "contest: out of memory") : 0;
}
