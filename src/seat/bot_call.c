#include "seat/bot_call.h"

#include "wire/aiwolf_answer.h"

#define AGAIN_US     100000     /* between two calls */
#define QUEUED_BYTES (1u << 20) /* answers are short; a server that reads none of them is lost */

struct BotCall {
    BotCallPlan plan;
    Loop *loop;
    AiwolfBot *bot;
    Conn *conn;
    Timer *again;
    TimeUs give_up; /* CALLING ends then */
    Buf answer;     /* a thinker's */
    bool opened;    /* this connection */
    bool told;      /* that it waits */
    bool heard;     /* a packet came on it */
    bool played;    /* a game began on some connection */
    Err lost;       /* how the last connection ended, when it was not in order */
    Err failed;     /* OVER, and why */
};

static void dial_server(BotCall *call);

/* ---- ends ---- */

/* The connection is gone; nothing when that was in order. */
static Err reason_of(const BotCall *call, ConnEnd how)
{
    const BotCallPlan *plan = &call->plan;
    Err reason = {0};

    if (how == CONN_LONG)
        err_set(&reason, ERR_LIMIT, "a packet of more than %u bytes", AIWOLF_PACKET_BYTES_MAX);
    else if (how == CONN_STUCK)
        err_set(&reason, ERR_IO, "the server does not read the answers");
    else if (how == CONN_NO_MEMORY)
        err_set(&reason, ERR_MEMORY, "out of memory");
    else if (!call->heard)
        err_set(&reason, ERR_IO, "%s:%u ended the connection without a word: are all seats taken?",
                plan->host, plan->port);
    else if (!aiwolf_bot_finished(call->bot))
        err_set(&reason, ERR_IO, "the connection %s before the game was over, behind %s",
                how == CONN_CLOSED ? "was closed" : "broke off",
                aiwolf_request_name(aiwolf_bot_last(call->bot)));
    return reason;
}

static void end_playing(BotCall *call, ConnEnd how, TimeUs now)
{
    const Err reason = reason_of(call, how);
    bool in_a_game = call->heard && aiwolf_bot_last(call->bot) != AIWOLF_NAME;

    if (!call->plan.repeat || (how != CONN_CLOSED && how != CONN_RESET)) {
        call->failed = reason;
        return;
    }
    /* A server that ends takes our name for the next set, and goes: the set before counts. */
    if (in_a_game || !call->played)
        call->lost = reason;
    call->played = call->played || in_a_game;
    if (call->heard)
        call->give_up = now + call->plan.wait;
    timer_at(call->again, now + AGAIN_US, false);
}

/* Nobody was there for long enough. */
static void give_up(BotCall *call)
{
    call->failed = call->lost;
    if (!call->played)
        err_set(&call->failed, ERR_IO, "can't connect to %s:%u: is the server running?",
                call->plan.host, call->plan.port);
}

static void call_again(BotCall *call, TimeUs now)
{
    if (!call->told && call->plan.waiting)
        call->plan.waiting(call->plan.user);
    call->told = true;
    timer_at(call->again, now + AGAIN_US, false);
}

static void on_ended(void *user, ConnEnd how, Str partial, TimeUs now)
{
    BotCall *call = user;

    (void)partial;
    call->conn = NULL; /* it is closed already */
    aiwolf_bot_lost(call->bot);
    if (call->opened)
        end_playing(call, how, now);
    else if (now >= call->give_up)
        give_up(call);
    else
        call_again(call, now);
}

static void on_again(void *user, TimeUs now)
{
    BotCall *call = user;

    if (now < call->give_up)
        dial_server(call);
    else
        give_up(call);
}

/* ---- play ---- */

static void on_opened(void *user, TimeUs now)
{
    BotCall *call = user;

    (void)now;
    call->opened = true;
}

static void on_line(void *user, Str line, TimeUs at, TimeUs now)
{
    BotCall *call = user;
    Str answer;

    (void)now;
    call->heard = true;
    if (aiwolf_bot_line(call->bot, line, at, &answer, &call->failed)) {
        call->conn = conn_close(call->conn);
        aiwolf_bot_lost(call->bot);
        return;
    }
    if (answer.len && call->conn)
        conn_send(call->conn, answer);
}

void bot_call_answer(BotCall *call, const Answer *answer)
{
    if (!call->conn)
        return;
    buf_clear(&call->answer);
    aiwolf_answer_write(answer, &call->answer);
    if (buf_failed(&call->answer)) {
        err_set(&call->failed, ERR_MEMORY, "answer: out of memory");
        call->conn = conn_close(call->conn);
        return;
    }
    conn_send(call->conn, buf_str(&call->answer));
}

static void dial_server(BotCall *call)
{
    static const ConnEvents events = {.line = on_line, .ended = on_ended, .opened = on_opened};
    const ConnLimits limits = {.line_bytes = AIWOLF_PACKET_BYTES_MAX, .queued_bytes = QUEUED_BYTES};

    call->opened = call->heard = false;
    tcp_connect(call->loop, call->plan.host, call->plan.port, &events, call, &limits, &call->conn,
                &call->failed);
}

/* ---- the object ---- */

int bot_call_new(Loop *loop, const BotCallPlan *plan, TimeUs now, BotCall **ret_call, Err *err)
{
    BotCall *call = mem_new(sizeof(*call));

    if (!call)
        return err_set(err, ERR_MEMORY, "new bot: out of memory");
    call->plan = *plan;
    call->loop = loop;
    call->give_up = now + plan->wait;
    int rc = aiwolf_bot_new(&plan->bot, &call->bot, err);
    if (rc == 0)
        rc = timer_new(loop, on_again, call, &call->again, err);
    if (rc == 0) {
        dial_server(call);
        if (call->failed.code)
            rc = err_set(err, call->failed.code, "%s", call->failed.msg);
    }
    if (rc) {
        bot_call_free(call);
        return rc;
    }
    *ret_call = call;
    return 0;
}

BotCall *bot_call_free(BotCall *call)
{
    if (!call)
        return NULL;
    conn_close(call->conn);
    timer_free(call->again);
    aiwolf_bot_free(call->bot);
    buf_done(&call->answer);
    return mem_free(call);
}

int bot_call_result(const BotCall *call, Err *err)
{
    const Err *failed = &call->failed;

    return failed->code
               ? err_set_at(err, failed->code, failed->line, failed->column, "%s", failed->msg)
               : 0;
}

const AiwolfBot *bot_call_bot(const BotCall *call)
{
    return call->bot;
}
