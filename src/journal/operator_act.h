/* operator_act.h - what an operator does to a server that runs: hold and go on, leave a team out,
 *                  void and end games, disconnect an agent.
 *
 * For:    the halls of the protocol and the natural-language division, which do it; the journal,
 *         which has a line of each; serve/operator_desk.h, which reads it from a request.
 * Memory: an OperatorAct borrows its texts; an OperatorActs owns copies.
 * Thread: pure.
 * Source: docs/nlp.md, "An operator acts".
 *
 * An act is in the journal, on disk, before it takes effect: who finds the journal after a kill
 * knows what was held, who was left out, and which games count no more.
 */
#ifndef WARG_JOURNAL_OPERATOR_ACT_H
#define WARG_JOURNAL_OPERATOR_ACT_H

#include "base/buf.h"
#include "base/date_text.h"
#include "base/err.h"

/* Bytes of `by`, of `why`, and of a team's or agent's name. */
#define ACT_BY_MAX   64
#define ACT_WHY_MAX  400
#define ACT_NAME_MAX 255
#define ACT_ID_MAX   40

/* `by` of what the runner does by itself. */
#define ACT_BY_RUNNER "warg"

/* Only so many are remembered. The journal has all. */
#define ACTS_REMEMBERED 1000

typedef enum OperatorActKind {
    ACT_HOLD,       /* no further game begins */
    ACT_GO_ON,      /* ... they do again */
    ACT_LEAVE_OUT,  /* no game begins with `team` */
    ACT_LET_IN,     /* ... they do again */
    ACT_VOID,       /* a game, or a set, that is over counts no more, and is played again */
    ACT_END,        /* one that is played ends now, counts for nobody, and is played again */
    ACT_DISCONNECT, /* the connections of `agent` are closed */
    ACT_KINDS,
} OperatorActKind;

/* What `number` is the number of. */
typedef enum ActTarget { ACT_OF_NONE, ACT_OF_GAME, ACT_OF_SET } ActTarget;

typedef struct OperatorAct {
    OperatorActKind kind;
    ActTarget target; /* of VOID and END */
    uint64_t number;  /* in the journal */
    uint32_t stage;   /* of that, by stage_number; servers have one */
    Str id;           /* of a game that has one; else empty */
    Str team;         /* LEAVE_OUT, LET_IN */
    Str agent;        /* DISCONNECT */
    Str by;           /* who, as they said; never empty in a journal */
    Str why;          /* may be empty */
    int64_t at_ms;
} OperatorAct;

/* "hold", "go-on", "leave-out", "let-in", "void", "end", "disconnect"; ACT_KINDS for any other
 * word. */
const char *operator_act_name(OperatorActKind kind);
OperatorActKind operator_act_of(Str name);

/* Whether it makes a set void that came too late, which the runner does by itself: its reason
 * stands in the journal (match/rounds.h), and nobody has ruled. */
bool operator_act_is_late(const OperatorAct *act);

/* Whether the act says what its kind needs, in texts that can be kept. ERR_RULE with a sentence. */
int operator_act_check(const OperatorAct *act, Err *err);

/* ---- what they come to ---- */

typedef struct OperatorActs OperatorActs;

/* Errors: ERR_MEMORY. */
int operator_acts_new(OperatorActs **ret_acts, Err *err);
OperatorActs *operator_acts_free(OperatorActs *acts); /* takes NULL */

/* One more, later than all before. Errors: ERR_MEMORY, and nothing has changed. */
int operator_acts_add(OperatorActs *acts, const OperatorAct *act, Err *err);

bool operator_acts_held(const OperatorActs *acts);
bool operator_acts_is_out(const OperatorActs *acts, Str team);
/* The teams that are left out, in the order in which they were; false beyond the last. */
bool operator_acts_out_at(const OperatorActs *acts, uint32_t index, Str *ret_team);
uint32_t operator_acts_out_count(const OperatorActs *acts);

/* How many were added, ever: it tells whether there is a new one. */
uint64_t operator_acts_total(const OperatorActs *acts);
/* The latest first; false beyond the last that is remembered. Borrowed until the next is added. */
bool operator_acts_at(const OperatorActs *acts, uint32_t index, OperatorAct *ret_act);

#endif
