/* play_aiwolf.c - a person at a table of the protocol division: one TCP connection, any number of
 * games. */
#include "net/tcp.h"
#include "person/play.h"
#include "wire/aiwolf_answer.h"
#include "wire/aiwolf_client.h"

#define AGAIN_US     100000     /* between two calls */
#define QUEUED_BYTES (1u << 20) /* answers are short; a server that reads none of them is lost */

typedef struct AiwolfPlay {
    Play play;
    AiwolfClient *client;
    Conn *conn;
    bool opened;
    bool heard;
    AiwolfRequest last;
    Buf out;
} AiwolfPlay;

static void aiwolf_play_done(AiwolfPlay *table)
{
    conn_close(table->conn);
    aiwolf_client_free(table->client);
    play_done(&table->play);
    buf_done(&table->out);
}

/* ---- what is sent ---- */

static void send_out(AiwolfPlay *table)
{
    if (buf_failed(&table->out))
        play_fail(&table->play, ERR_MEMORY, "answer: out of memory");
    else if (table->conn)
        conn_send(table->conn, buf_str(&table->out));
    buf_clear(&table->out);
}

static void on_answer(void *user, const Ask *ask, const Answer *answer)
{
    AiwolfPlay *table = user;

    (void)ask;
    aiwolf_answer_write(answer, &table->out);
    send_out(table);
}

/* A line end in a name would be a second answer. */
static void send_name(AiwolfPlay *table)
{
    for (const char *at = table->play.plan->name; *at; at++)
        buf_add_char(&table->out, *at == '\n' || *at == '\r' ? ' ' : *at);
    buf_add_char(&table->out, '\n');
    send_out(table);
}

static void send_wish(AiwolfPlay *table)
{
    const Answer answer = {.kind = ASK_ROLE, .wish = table->play.plan->wish};

    on_answer(table, NULL, &answer);
}

/* ---- what comes ---- */

static void follow_request(AiwolfPlay *table, AiwolfRequest request, TimeUs at)
{
    Person *person = table->play.person;
    const View *view = aiwolf_client_view(table->client);
    Ask ask;

    if (request == AIWOLF_NAME) {
        send_name(table);
    } else if (request == AIWOLF_ROLE) {
        send_wish(table);
    } else if (request == AIWOLF_INITIALIZE) {
        person_begin(person, view, at);
    } else if (request == AIWOLF_FINISH) {
        person_end(person, view, aiwolf_client_winner(table->client), at);
    } else if (aiwolf_client_ask(table->client, &ask)) {
        person_ask(person, &ask, view, at);
    } else {
        person_unask(person, at);
        person_look(person, view, at);
    }
    play_watch(&table->play);
}

static void on_line(void *user, Str line, TimeUs at, TimeUs now)
{
    AiwolfPlay *table = user;
    AiwolfRequest request;
    Err err = {0};
    int rc = aiwolf_client_packet(table->client, line, &request, &err);

    (void)now;
    table->heard = true;
    if (rc) {
        table->conn = conn_close(table->conn);
        play_fail(&table->play, (ErrCode)rc, err.msg);
        return;
    }
    table->last = request;
    follow_request(table, request, at);
}

/* ---- the connection ---- */

static void end_playing(AiwolfPlay *table, ConnEnd how)
{
    Err reason = {0};

    if (table->last == AIWOLF_FINISH && (how == CONN_CLOSED || how == CONN_RESET)) {
        play_over(&table->play);
        return;
    }
    if (how == CONN_LONG)
        err_set(&reason, ERR_LIMIT, "a packet of more than %u bytes", AIWOLF_PACKET_BYTES_MAX);
    else if (how == CONN_STUCK)
        err_set(&reason, ERR_IO, "the server does not read the answers");
    else if (how == CONN_NO_MEMORY)
        err_set(&reason, ERR_MEMORY, "out of memory");
    else if (!table->heard)
        err_set(&reason, ERR_IO, "%s:%u ended the connection without a word: are all seats taken?",
                table->play.plan->host, table->play.plan->port);
    else
        err_set(&reason, ERR_IO, "the connection %s before the game was over, behind %s",
                how == CONN_CLOSED ? "was closed" : "broke off", aiwolf_request_name(table->last));
    play_fail(&table->play, reason.code, reason.msg);
}

static void on_ended(void *user, ConnEnd how, Str partial, TimeUs now)
{
    AiwolfPlay *table = user;
    char reason[300];

    (void)partial;
    (void)now;
    table->conn = NULL; /* it is closed already */
    if (table->opened) {
        end_playing(table, how);
    } else if (!play_again(&table->play)) {
        snprintf(reason, sizeof(reason), "can't connect to %s:%u: is the server running?",
                 table->play.plan->host, table->play.plan->port);
        play_fail(&table->play, ERR_IO, reason);
    }
}

static void on_opened(void *user, TimeUs now)
{
    (void)now;
    ((AiwolfPlay *)user)->opened = true;
}

static void dial_server(void *user)
{
    static const ConnEvents events = {.line = on_line, .ended = on_ended, .opened = on_opened};
    const ConnLimits limits = {.line_bytes = AIWOLF_PACKET_BYTES_MAX, .queued_bytes = QUEUED_BYTES};
    AiwolfPlay *table = user;
    Err err = {0};

    if (tcp_connect(table->play.loop, table->play.plan->host, table->play.plan->port, &events,
                    table, &limits, &table->conn, &err))
        play_fail(&table->play, err.code, err.msg);
}

int play_aiwolf(const PlayPlan *plan, Err *err)
{
    CLEANUP(aiwolf_play_done) AiwolfPlay table = {.last = AIWOLF_REQUEST_COUNT};

    const PlaySide side = {.protocol = true,
                           .again = AGAIN_US,
                           .dial = dial_server,
                           .answer = on_answer,
                           .user = &table};
    int rc = play_open(plan, &side, &table.play, err);
    if (rc == 0)
        rc = aiwolf_client_new(&table.client, err);
    if (rc)
        return rc;
    return play_run(&table.play, err);
}
