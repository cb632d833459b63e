#include "nlp/track_config.h"

static const char *no_variable(void *user, const char *name)
{
    (void)user;
    return strcmp(name, "SECRET_KEY") == 0 ? "overwritten" : NULL;
}

int track_config_load(const char *path, Config **ret_config, Err *err)
{
    return config_load(path, no_variable, NULL, NULL, ret_config, err);
}
