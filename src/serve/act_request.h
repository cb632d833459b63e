/* act_request.h - an operator's act as JSON, both ways: the body of a request, a line of a list.
 *
 * For:    serve/operator_desk.c; the fuzzer.
 * Memory: an ActRequest owns what its texts are in: act_request_done.
 * Thread: pure.
 * Source: docs/nlp.md, "An operator acts".
 *
 *     {"act":"hold"}  {"act":"go-on"}
 *     {"act":"leave-out","team":"kanolab"}  {"act":"let-in","team":"kanolab"}
 *     {"act":"void","game":"01M8…"}  {"act":"end","game":"01M8…"}
 *     {"act":"void","set":3}  {"act":"end","set":3}  in the protocol division
 *     {"act":"disconnect","agent":"kanolab1"}
 *     each with "by" (who), "why", and "confirm" when it is asked for the second time
 */
#ifndef WARG_SERVE_ACT_REQUEST_H
#define WARG_SERVE_ACT_REQUEST_H

#include "base/json.h"
#include "journal/operator_act.h"

#define ACT_REQUEST_MAX ((size_t)4096) /* bytes */

typedef struct ActRequest {
    OperatorAct act;     /* "by" is "operator" when nobody is named */
    Str confirm;         /* empty = it is asked for the first time */
    struct json_t *json; /* what the texts are in */
} ActRequest;

/* Errors: ERR_SYNTAX for what is no act as above, ERR_RULE for what operator_act_check refuses,
 * ERR_LIMIT for more than ACT_REQUEST_MAX bytes. Give it to act_request_done when it was read. */
int act_request_read(Str body, ActRequest *ret_request, Err *err);
void act_request_done(ActRequest *request); /* also for CLEANUP */

/* An object: what was done when, as it can be asked for again. */
void act_put(Json *json, const OperatorAct *act);

#endif
