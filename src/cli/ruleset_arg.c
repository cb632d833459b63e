#include "cli/ruleset_arg.h"

#include "disk/log_file.h"

#include <unistd.h>

#define RULESET_BYTES_MAX ((size_t)64 * 1024)

int ruleset_arg(const char *text, Ruleset *ret_rules, Err *err)
{
    CLEANUP(buf_done) Buf file = {0};
    Err unknown = {0};

    if (ruleset_preset(str_of(text), ret_rules, &unknown) == 0)
        return 0;
    bool path = strchr(text, '/') || strchr(text, '.');
    if (!path && access(text, F_OK) != 0)
        return err_set(err, ERR_USAGE, "%s", unknown.msg);
    int rc = log_file_read(text, RULESET_BYTES_MAX, &file, err);
    if (rc)
        return rc;
    rc = ruleset_read(buf_str(&file), ret_rules, err);
    if (rc == 0)
        return 0;
    err_wrap(err, "ruleset '%s': ", text);
    return rc == ERR_MEMORY ? rc : ERR_RULE; /* it was read; what it says is what is wrong */
}
