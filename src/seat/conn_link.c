#include "seat/conn_link.h"

#include "base/mem.h"

typedef struct ConnLink {
    Conn *conn;      /* NULL: it has ended */
    RunQueue *queue; /* of the program behind it; NULL = not known */
    const LinkEars *ears;
    void *user;
} ConnLink;

/* ---- what it is told ---- */

static void link_conn_send(void *peer, Str bytes)
{
    conn_send(((ConnLink *)peer)->conn, bytes);
}

static void link_conn_close(void *peer)
{
    ConnLink *link = peer;

    conn_close(link->conn);
    run_queue_free(link->queue);
    mem_free(link);
}

static void link_conn_stamp(void *peer, TimeUs since, TimeUs after)
{
    conn_stamp(((ConnLink *)peer)->conn, since, after);
}

static bool link_conn_has_more(void *peer)
{
    return conn_has_more(((ConnLink *)peer)->conn);
}

static bool link_conn_has_input(void *peer)
{
    return conn_has_input(((ConnLink *)peer)->conn);
}

static uint64_t link_conn_turn(void *peer)
{
    return conn_turn(((ConnLink *)peer)->conn);
}

static void link_conn_watch(void *peer)
{
    ConnLink *link = peer;

    if (link->queue)
        run_queue_begin(link->queue);
}

static bool link_conn_look(void *peer, RunQueueLook *ret_look)
{
    ConnLink *link = peer;

    return link->queue && run_queue_since(link->queue, ret_look);
}

static const LinkKind conn_link_kind = {.send = link_conn_send,
                                        .close = link_conn_close,
                                        .stamp = link_conn_stamp,
                                        .has_more = link_conn_has_more,
                                        .has_input = link_conn_has_input,
                                        .turn = link_conn_turn,
                                        .watch = link_conn_watch,
                                        .look = link_conn_look};

/* ---- what it reports; each may close the link ---- */

static void on_line(void *user, Str line, TimeUs at, TimeUs now)
{
    const ConnLink *link = user;

    link->ears->heard(link->user, line, at, now);
}

static void on_shut(void *user, TimeUs now)
{
    const ConnLink *link = user;

    link->ears->shut(link->user, now);
}

static void on_ended(void *user, ConnEnd how, Str partial, TimeUs now)
{
    ConnLink *link = user;
    FaultKind kind = FAULT_DISCONNECT;

    link->conn = NULL; /* it is closed already */
    if (how == CONN_LONG)
        kind = FAULT_MALFORMED;
    else if (how == CONN_STUCK) {
        kind = FAULT_TIMEOUT;
        partial = STR("it does not read what it is sent");
    }
    link->ears->lost(link->user, kind, partial, now);
}

static const ConnEvents link_events = {.line = on_line, .ended = on_ended, .shut = on_shut};

int conn_link_open(Conn *take_conn, const ConnLimits *limits, int pid, const LinkEars *ears,
                   void *user, Link *ret_link, Err *err)
{
    ConnLink *link = mem_new(sizeof(*link));

    if (!link) {
        conn_close(take_conn);
        return err_set(err, ERR_MEMORY, "new connection: out of memory");
    }
    *link = (ConnLink){
        .conn = take_conn, .queue = pid ? run_queue_new(pid) : NULL, .ears = ears, .user = user};
    conn_attach(take_conn, &link_events, link, limits);
    *ret_link = (Link){&conn_link_kind, link};
    return 0;
}
