/* fuzz_claim_words.c - any bytes as what somebody says: roles that there are, and two utterances
 * claim together what each of them does. */
#include "base/buf.h"
#include "record/claim_words.h"

#include <assert.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const Str text = {(const char *)data, size};
    const Str first = str_part(text, 0, size / 2), second = str_part(text, size / 2, size);
    const RoleSet roles = claim_words_roles(text);
    CLEANUP(buf_done) Buf both = {0};

    assert((roles & 1u << ROLE_NONE) == 0 && roles >> ROLE_COUNT == 0);
    buf_add(&both, first);
    buf_add_char(&both, '\n');
    buf_add(&both, second);
    assert(claim_words_roles(buf_str(&both)) ==
           (claim_words_roles(first) | claim_words_roles(second)));
    return 0;
}
