/* fuzz_maw_config.c - any bytes give a table that can be played, or an error. */
#include "maw/maw_config.h"

#include <assert.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    uint8_t counts[ROLE_COUNT];
    MawConfig config;
    Err err = {0};

    maw_config_default(&config);
    if (maw_config_read((Str){(const char *)data, size}, &config, &err) == 0) {
        assert(ruleset_check(&config.rules, &err) == 0);
        assert(ruleset_roles(&config.rules, config.rules.players, counts, &err) == 0);
    } else {
        assert(err.msg[0]);
    }
    return 0;
}
