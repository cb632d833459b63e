/* fuzz_profile_answer.c - any bytes as what a model's server answers when it is asked for a
 * character: a name and one line of a profile, or an error. */
#include "nlp/profile_ask.h"

#include <assert.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const ConfigPair pairs[] = {{STR("age"), STR("Age")}, {STR("gender"), STR("Gender")}};
    const ProfileKeys keys = {pairs, 2};
    const Str names[] = {STR("Anna"), STR("Bob")};
    CLEANUP(buf_done) Buf name = {0};
    CLEANUP(buf_done) Buf text = {0};
    Err err = {0};
    int rc = profile_answer_read((Str){(const char *)data, size}, keys, &name, &text, &err);

    assert(rc == 0 || (err.code == (ErrCode)rc && err.msg[0]));
    if (rc)
        return 0;
    assert(!name.len || !memchr(name.bytes, '\0', name.len));
    rc = profile_name_check(buf_str(&name), (ProfileNames){names, 2}, NULL);
    assert(rc == 0 || rc == ERR_RULE);
    if (rc == 0)
        assert(name.len > 0 && !memchr(name.bytes, ' ', name.len));
    return 0;
}
