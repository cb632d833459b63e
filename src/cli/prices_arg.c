#include "cli/prices_arg.h"

#include "base/yaml.h"
#include "disk/log_file.h"

int prices_arg(const char *path, LlmPrices **ret_prices, Err *err)
{
    CLEANUP(buf_done) Buf text = {0};

    if (!path)
        return 0;
    int rc = log_file_read(path, YAML_BYTES_MAX, &text, err);
    if (rc == 0 && llm_prices_read(buf_str(&text), ret_prices, err))
        rc = err_wrap(err, "prices '%s'", path);
    return rc;
}

void prices_arg_done(LlmPrices **prices)
{
    *prices = llm_prices_free(*prices);
}
