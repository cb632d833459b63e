/* fuzz_act_request.c - any bytes as an operator's act: what is read can be written into a journal
 * and asked for again. */
#include "journal/journal_line.h"
#include "serve/act_request.h"

#include <assert.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void ask_again(const ActRequest *request)
{
    CLEANUP(act_request_done) ActRequest again = {0};
    CLEANUP(buf_done) Buf text = {0};
    Json json = json_over(&text);

    act_put(&json, &request->act);
    assert(act_request_read(buf_str(&text), &again, NULL) == 0);
    assert(again.act.kind == request->act.kind && again.act.target == request->act.target &&
           again.act.number == request->act.number && str_eq(again.act.id, request->act.id) &&
           str_eq(again.act.team, request->act.team) && str_eq(again.act.why, request->act.why));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    CLEANUP(act_request_done) ActRequest request = {0};
    CLEANUP(buf_done) Buf line = {0};
    Err err = {0};
    int rc = act_request_read((Str){(const char *)data, size}, &request, &err);

    if (rc) {
        assert(err.code == (ErrCode)rc && err.msg[0]);
        return 0;
    }
    assert(operator_act_check(&request.act, NULL) == 0);
    assert(journal_line_act(&request.act, &line, NULL) == 0);
    ask_again(&request);
    return 0;
}
