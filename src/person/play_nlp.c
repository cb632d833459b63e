/* play_nlp.c - a person at a table of the natural-language division: one connection, one game. */
#include "net/web_client.h"
#include "person/play.h"
#include "wire/nlp_client.h"

#define AGAIN_US     500000 /* between two calls */
#define GOING_AWAY   1001
#define NOT_A_PACKET 1007

typedef struct NlpPlay {
    Play play;
    NlpClient *client;
    WebClient *web;
    TlsTrust *trust;
    NlpRequest last; /* NLP_REQUEST_COUNT: nothing came yet */
    bool in_game;
} NlpPlay;

static void nlp_play_done(NlpPlay *table)
{
    web_client_free(table->web);
    nlp_client_free(table->client);
    play_done(&table->play);
    tls_trust_free(table->trust);
}

/* Every request gets a reply: a silent agent holds up the table. */
static void on_answer(void *user, const Ask *ask, const Answer *answer)
{
    NlpPlay *table = user;
    const View *view = nlp_client_view(table->client);
    bool speech = ask->kind == ASK_TALK || ask->kind == ASK_WHISPER;

    if (!table->web)
        return;
    if (speech)
        web_client_send(table->web,
                        answer->lapse || !answer->text.len ? STR("Skip") : answer->text);
    else if (!answer->lapse && answer->target >= 1 && answer->target <= view->seat_count)
        web_client_send(table->web, view->names[answer->target]);
    else
        web_client_send(table->web, STR("\n")); /* nobody */
}

static void follow_request(NlpPlay *table, NlpRequest request, TimeUs at)
{
    Person *person = table->play.person;
    const View *view = nlp_client_view(table->client);
    bool opens = request == NLP_TALK_PHASE_START || request == NLP_WHISPER_PHASE_START;
    bool news = request == NLP_TALK_BROADCAST || request == NLP_WHISPER_BROADCAST;
    Ask ask;

    if (request == NLP_NAME) { /* at any time: whether we are still there */
        web_client_send(table->web, str_of(table->play.plan->name));
        person_wait(person, at);
    } else if (request == NLP_INITIALIZE) {
        table->in_game = true;
        person_begin(person, view, at);
    } else if (request == NLP_FINISH) {
        person_end(person, view, nlp_client_winner(table->client), at);
    } else if (news) {
        person_look(person, view, at);
    } else if ((opens || nlp_request_has_reply(request)) && nlp_client_ask(table->client, &ask)) {
        person_ask(person, &ask, view, at);
    } else {
        person_unask(person, at);
        person_look(person, view, at);
    }
    play_watch(&table->play);
}

static void on_message(void *user, Str text, TimeUs at)
{
    NlpPlay *table = user;
    NlpRequest request;
    Err err = {0};
    int rc = nlp_client_packet(table->client, text, &request, &err);

    if (rc == 0 && request > NLP_INITIALIZE && !table->in_game)
        rc = err_set(&err, ERR_SYNTAX, "packet: %s before any INITIALIZE",
                     nlp_request_name(request));
    if (rc) {
        web_client_close(table->web, NOT_A_PACKET, "not a packet");
        play_fail(&table->play, (ErrCode)rc, err.msg);
        return;
    }
    table->last = request;
    follow_request(table, request, at);
    if (request == NLP_FINISH) {
        web_client_close(table->web, GOING_AWAY, "game over");
        play_over(&table->play);
    }
}

static void on_ended(void *user, unsigned status, uint16_t code, Str why)
{
    NlpPlay *table = user;
    const char *url = table->play.plan->url;
    Err reason = {0};

    (void)code;
    if (table->last == NLP_FINISH) {
        play_over(&table->play);
        return;
    }
    if (status == 0 && play_again(&table->play))
        return;
    if (status == 0)
        err_set(&reason, ERR_IO, "can't connect to %s: %.*s", url, STR_ARG(why));
    else if (status == 503)
        err_set(&reason, ERR_IO, "the server takes no agents now (503)");
    else if (status != 101)
        err_set(&reason, ERR_IO, "%s is refused with HTTP status %u: %.*s", url, status,
                STR_ARG(why));
    else if (!table->in_game)
        err_set(&reason, ERR_IO, "%.*s, before a game began", STR_ARG(why));
    else
        err_set(&reason, ERR_IO, "%.*s, before the game was over, behind %s", STR_ARG(why),
                nlp_request_name(table->last));
    play_fail(&table->play, ERR_IO, reason.msg);
}

static void dial_server(void *user)
{
    static const WebClientEvents events = {.message = on_message, .ended = on_ended};
    NlpPlay *table = user;
    const PlayPlan *plan = table->play.plan;
    Err err = {0};
    int rc;

    table->web = web_client_free(table->web);
    if (table->trust)
        rc = web_client_open_trusting(table->play.loop, plan->url, plan->token, table->trust,
                                      &events, table, &table->web, &err);
    else
        rc = web_client_open(table->play.loop, plan->url, plan->token, &events, table, &table->web,
                             &err);
    if (rc)
        play_fail(&table->play, (ErrCode)rc, err.msg);
}

int play_nlp(const PlayPlan *plan, Err *err)
{
    CLEANUP(nlp_play_done) NlpPlay table = {.last = NLP_REQUEST_COUNT};

    const PlaySide side = {.protocol = false,
                           .again = AGAIN_US,
                           .dial = dial_server,
                           .answer = on_answer,
                           .user = &table};
    int rc = play_open(plan, &side, &table.play, err);
    if (rc == 0)
        rc = nlp_client_new(&table.client, err);
    if (rc == 0 && plan->ca)
        rc = tls_trust_new(plan->ca, &table.trust, err);
    if (rc)
        return rc;
    return play_run(&table.play, err);
}
