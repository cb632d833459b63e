#include "cmd/ruleset_arg.h"

#include "record/log_file.h"

#include <unistd.h>

#define RULESET_BYTES_MAX ((size_t)64 * 1024)

int ruleset_arg(const char *text, Ruleset *ret_rules, Err *err)
{
    CLEANUP(buf_done) Buf file = {0};
    Err unknown = {0};

    if (ruleset_preset(str_of(text), ret_rules, &unknown) == 0)
        return 0;
    if (access(text, F_OK) != 0)
        return err_set(err, ERR_USAGE, "%s", unknown.msg);
    int rc = log_file_read(text, RULESET_BYTES_MAX, &file, err);
    if (rc)
        return rc;
    rc = ruleset_read(buf_str(&file), ret_rules, err);
    if (rc)
        err_wrap(err, "ruleset '%s': ", text);
    return rc;
}
