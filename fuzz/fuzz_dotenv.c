/* fuzz_dotenv.c - any bytes as a file of environment variables: read, or an error with its line
 * that shows no value. */
#include "nlp/config.h"

#include <assert.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    DotEnv *env = NULL;
    Err err = {0};
    int rc = dotenv_read((Str){(const char *)data, size}, &env, &err);

    assert((rc == 0) == (env != NULL));
    assert(rc == 0 || (err.code == (ErrCode)rc && err.msg[0]));
    if (env)
        dotenv_get(env, "WARG_FUZZ_VARIABLE");
    dotenv_free(env);
    return 0;
}
