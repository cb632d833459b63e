#include "llm/llm_key.h"

#include "disk/secret.h"
#include "llm/endpoint_text.h"

#include <stdlib.h>

int llm_key_find(LlmApi api, const char *variable, const char *file, const char *url, Buf *key,
                 Err *err)
{
    if (file || variable)
        return secret_find(file, variable, "the model server's key", "a key in a file", key, err);
    const char *value =
        getenv(api == LLM_ANTHROPIC ? LLM_KEY_VARIABLE_ANTHROPIC : LLM_KEY_VARIABLE);
    /* A key that nobody spoke of must not go over a wire that others can read. */
    Str where = str_of(url);
    if (value && (str_starts(where, STR("https://")) || llm_url_is_local(where)))
        buf_add(key, str_of(value));
    return buf_failed(key) ? err_set(err, ERR_MEMORY, "key: out of memory") : 0;
}
