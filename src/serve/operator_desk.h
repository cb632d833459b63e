/* operator_desk.h - where operators act: requests below /api/v1/operator/ of a server.
 *
 * For:    serve/server.c (natural language) and serve/live.c (protocol division), which have halls.
 * Memory: an OperatorDesk owns what waits to be confirmed and a parcel of logs that is being made;
 *         what the setup points to is borrowed. Free it before the web server.
 * Thread: the loop's.
 * Source: docs/nlp.md, "An operator acts"; docs/spec/web.md 5 (errors), 11.1, 11.2.
 *
 *   POST /api/v1/operator/acts           does something, when it is asked for the second time
 *   GET  /api/v1/operator/acts           what was done, what is held, who is left out
 *   GET  /api/v1/operator/logs?day=2026-11-26 | ?team=NAME   a .tar.gz
 *
 *   nothing --POST without confirm--> 409 with a token and a sentence --POST with it--> done
 *
 * Only the operator's own token opens it, in the Authorization header: neither a RECEIVER's nor
 * warg.open, which are for looking, and no query, which gets into logs. A page of another origin is
 * refused, and so is a body that is no JSON, which is all that a form can send. A token confirms
 * the act that it was given for, once, within ACT_CONFIRM_US.
 */
#ifndef WARG_SERVE_OPERATOR_DESK_H
#define WARG_SERVE_OPERATOR_DESK_H

#include "base/json.h"
#include "journal/operator_act.h"
#include "net/web_gate.h"

#define ACT_CONFIRM_US ((TimeUs)60 * 1000 * 1000)
/* Acts that wait to be confirmed; the oldest gives way. */
#define ACTS_PENDING_MAX 32

typedef struct OperatorDesk OperatorDesk;

/* What is acted on. */
typedef struct DeskHall {
    /* As nlp_hall_act_check and nlp_hall_act: ERR_USAGE for what is not there, ERR_RULE for what
     * can't be done now. */
    int (*check)(void *user, const OperatorAct *act, Buf *would, Err *err);
    int (*act)(void *user, const OperatorAct *act, TimeUs now, Err *err);
    const OperatorActs *(*acts)(void *user);
    /* Adds members on what there is to act on. May be NULL. */
    void (*list)(void *user, Json *json);
    /* The folder with the journal; NULL: none is kept. */
    const char *(*journal)(void *user);
    void *user;
} DeskHall;

typedef struct DeskSetup {
    Loop *loop;
    Str operator_token; /* empty: nobody is an operator here */
    const WebGate *gate;
    const char *json_logs; /* as LogParcelSetup.json */
    DeskHall hall;
} DeskSetup;

/* Errors: ERR_MEMORY. */
int operator_desk_new(const DeskSetup *setup, OperatorDesk **ret_desk, Err *err);
OperatorDesk *operator_desk_free(OperatorDesk *desk); /* takes NULL */

/* Answers, now or later. False: the path is none of the desk's. */
bool operator_desk_request(OperatorDesk *desk, WebConn *conn, const WebRequest *request);

/* The operator's token stands in the request's Authorization header. */
bool operator_desk_opens(Str operator_token, const WebRequest *request);

#endif
