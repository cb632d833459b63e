#include "seat/nlp_call.h"

#include "base/rng.h"

#define GOING_AWAY   1001
#define NOT_A_PACKET 1007
#define CLOSE_WAIT   5000000 /* behind FINISH the server closes; we do when it does not */
#define PAUSE_MIN_US 10000

struct NlpCall {
    NlpCallPlan plan;
    Loop *loop;
    NlpBot *bot;
    WebClient *client;
    NlpCallState state;
    Timer *timer; /* WAITING: when to call; else when to speak or to close */
    Timer *later; /* when to send `delayed` */
    Buf delayed;
    Rng rng;    /* pauses and faults; never the game's */
    Err failed; /* OVER, and why */
};

static void dial_server(NlpCall *call);

/* ---- ends ---- */

static void end_connection(NlpCall *call)
{
    nlp_bot_lost(call->bot);
    call->client = web_client_free(call->client);
    timer_stop(call->timer);
    timer_stop(call->later);
}

static void fail_call(NlpCall *call, ErrCode code, const char *why)
{
    bool again = call->plan.reconnect && code != ERR_MEMORY && code != ERR_USAGE;

    end_connection(call);
    if (again) {
        call->state = NLP_CALL_WAITING;
        timer_in(call->timer, call->plan.again);
    } else {
        call->state = NLP_CALL_OVER;
        err_set(&call->failed, code, "%s", why);
    }
    if (call->plan.events.failed)
        call->plan.events.failed(call->plan.user, call, why, again);
}

/* The connection of a game that is over has ended, or is ended now. */
static void go_on(NlpCall *call)
{
    end_connection(call);
    if (call->plan.games && nlp_bot_games(call->bot) >= call->plan.games)
        call->state = NLP_CALL_OVER;
    else
        dial_server(call);
}

static void on_ended(void *user, unsigned status, uint16_t code, Str why)
{
    NlpCall *call = user;
    Err reason = {0};
    NlpRequest last = nlp_bot_last(call->bot);

    (void)code;
    if (last == NLP_FINISH) {
        go_on(call);
        return;
    }
    if (status == 0)
        err_set(&reason, ERR_IO, "can't connect to %s: %.*s", call->plan.url, STR_ARG(why));
    else if (status == 503)
        err_set(&reason, ERR_IO, "the server takes no agents now (503)");
    else if (status != 101)
        err_set(&reason, ERR_IO, "%s is refused with HTTP status %u: %.*s", call->plan.url, status,
                STR_ARG(why));
    else if (last == NLP_REQUEST_COUNT || last == NLP_NAME)
        err_set(&reason, ERR_IO, "%.*s, before a game began", STR_ARG(why));
    else
        err_set(&reason, ERR_IO, "%.*s, before the game was over, behind %s", STR_ARG(why),
                nlp_request_name(last));
    fail_call(call, ERR_IO, reason.msg);
}

void nlp_call_hang_up(NlpCall *call)
{
    if (call->client)
        web_client_close(call->client, GOING_AWAY, "the agent is stopped");
    end_connection(call);
    call->state = NLP_CALL_OVER;
}

/* ---- faults ---- */

static Str garbage_text(NlpCall *call)
{
    static const char *const pieces[] = {"\xff\xfe", "{\"request\":", "\n",   ",", "@",
                                         "Over ",    "\x01",          "人狼", "]", "A"};

    buf_clear(&call->delayed);
    for (unsigned i = 0; i <= rng_below(&call->rng, 200); i++)
        buf_add(&call->delayed, str_of(pieces[rng_below(&call->rng, 10)]));
    return buf_str(&call->delayed);
}

static void on_later(void *user, TimeUs now)
{
    NlpCall *call = user;

    (void)now;
    if (call->client && call->state == NLP_CALL_PLAYING)
        web_client_send(call->client, buf_str(&call->delayed));
}

static void send_reply(NlpCall *call, Str reply)
{
    bool wrong = nlp_bot_last(call->bot) != NLP_NAME &&
                 rng_below(&call->rng, 100) < call->plan.fault_percent;

    switch (wrong ? call->plan.fault : NLP_FAULT_NONE) {
    case NLP_FAULT_NONE:
        web_client_send(call->client, reply);
        return;
    case NLP_FAULT_SILENT:
        return;
    case NLP_FAULT_LATE: /* one at a time: a second one takes the first one's place */
        buf_clear(&call->delayed);
        buf_add(&call->delayed, reply);
        timer_in(call->later, call->plan.late);
        return;
    case NLP_FAULT_GARBAGE:
        web_client_send(call->client, garbage_text(call));
        return;
    case NLP_FAULT_DROP:
        fail_call(call, ERR_IO, "broke the connection off, as --fault says");
        return;
    }
}

/* ---- play ---- */

static void pause_a_while(NlpCall *call)
{
    TimeUs most = call->plan.think > PAUSE_MIN_US ? call->plan.think : PAUSE_MIN_US;
    TimeUs least = most * 3 / 10;

    timer_in(call->timer, least + rng_below(&call->rng, (uint32_t)(most - least)));
}

static void on_timer(void *user, TimeUs now)
{
    NlpCall *call = user;

    (void)now;
    if (call->state == NLP_CALL_WAITING) {
        dial_server(call);
    } else if (nlp_bot_last(call->bot) == NLP_FINISH) {
        if (call->client)
            web_client_close(call->client, GOING_AWAY, "game over");
        go_on(call);
    } else if (nlp_bot_may_speak(call->bot)) {
        Str text = nlp_bot_speak(call->bot);
        if (nlp_bot_may_speak(call->bot))
            pause_a_while(call);
        if (text.len)
            send_reply(call, text);
    }
}

static void on_message(void *user, Str text, TimeUs at)
{
    NlpCall *call = user;
    Str reply;
    Err err = {0};

    if (call->plan.events.hears)
        call->plan.events.hears(call->plan.user, call, at);
    int rc = nlp_bot_packet(call->bot, text, at, &reply, &err);

    if (rc) {
        web_client_close(call->client, NOT_A_PACKET, "not a packet");
        fail_call(call, (ErrCode)rc, err.msg);
        return;
    }
    NlpRequest last = nlp_bot_last(call->bot);
    if (last == NLP_FINISH) {
        timer_in(call->timer, CLOSE_WAIT);
        if (call->plan.events.played)
            call->plan.events.played(call->plan.user, call);
    } else if (last == NLP_TALK_PHASE_START || last == NLP_WHISPER_PHASE_START) {
        pause_a_while(call);
    } else if (reply.len) {
        send_reply(call, reply);
    }
}

void nlp_call_answer(NlpCall *call, const Ask *ask, const Answer *answer)
{
    if (call->client && call->state == NLP_CALL_PLAYING)
        send_reply(call, nlp_bot_reply(call->bot, ask, answer));
}

static void on_opened(void *user)
{
    NlpCall *call = user;

    call->state = NLP_CALL_PLAYING;
    if (call->plan.events.opened)
        call->plan.events.opened(call->plan.user, call);
}

static void dial_server(NlpCall *call)
{
    static const WebClientEvents events = {
        .opened = on_opened, .message = on_message, .ended = on_ended};
    const NlpCallPlan *plan = &call->plan;
    Err err = {0};
    int rc;

    call->state = NLP_CALL_CALLING;
    nlp_bot_connected(call->bot);
    if (plan->trust)
        rc = web_client_open_trusting(call->loop, plan->url, plan->token, plan->trust, &events,
                                      call, &call->client, &err);
    else
        rc =
            web_client_open(call->loop, plan->url, plan->token, &events, call, &call->client, &err);
    if (rc == ERR_IO)
        fail_call(call, ERR_IO, err.msg);
    else if (rc) { /* the plan is wrong, or there is no memory: calling again does not help */
        call->failed = err;
        call->state = NLP_CALL_OVER;
    }
}

/* ---- the object ---- */

int nlp_call_new(Loop *loop, const NlpCallPlan *plan, NlpCall **ret_call, Err *err)
{
    NlpCall *call = mem_new(sizeof(*call));

    if (!call)
        return err_set(err, ERR_MEMORY, "new bot: out of memory");
    call->plan = *plan;
    call->loop = loop;
    call->rng = rng_new(rng_derive(plan->bot.seed, 1));
    int rc = nlp_bot_new(&plan->bot, &call->bot, err);
    if (rc == 0)
        rc = timer_new(loop, on_timer, call, &call->timer, err);
    if (rc == 0)
        rc = timer_new(loop, on_later, call, &call->later, err);
    if (rc == 0) {
        dial_server(call);
        if (call->failed.code && call->failed.code != ERR_IO)
            rc = err_set(err, call->failed.code, "%s", call->failed.msg);
    }
    if (rc) {
        nlp_call_free(call);
        return rc;
    }
    *ret_call = call;
    return 0;
}

NlpCall *nlp_call_free(NlpCall *call)
{
    if (!call)
        return NULL;
    web_client_free(call->client);
    timer_free(call->timer);
    timer_free(call->later);
    nlp_bot_free(call->bot);
    buf_done(&call->delayed);
    return mem_free(call);
}

NlpCallState nlp_call_state(const NlpCall *call)
{
    return call->state;
}

int nlp_call_result(const NlpCall *call, Err *err)
{
    return call->failed.code ? err_set(err, call->failed.code, "%s", call->failed.msg) : 0;
}

const NlpBot *nlp_call_bot(const NlpCall *call)
{
    return call->bot;
}

const char *nlp_call_name(const NlpCall *call)
{
    return call->plan.bot.name;
}
