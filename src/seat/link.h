/* link.h - how one participant's bytes leave, and what only a connection of this machine can tell.
 *
 * For:    whoever asks a participant: it knows no socket and no clock. seat/conn_link.h puts a TCP
 *         connection behind a link, a test an array.
 * Memory: the link of an agent is owned by it: link_close ends it. A Link is a plain value; one
 *         that leads nowhere is {0}, and takes everything.
 * Thread: that of the peer.
 * Source: docs/spec/contest-operations.md 6.7 (whose fault a late answer is).
 *
 *   What can't be told has no function: nothing has come, and no thread had to wait.
 */
#ifndef WARG_SEAT_LINK_H
#define WARG_SEAT_LINK_H

#include "base/str.h"
#include "net/run_queue.h"
#include "record/fault.h"

/* All but `send` and `close` may be NULL. None calls back. */
typedef struct LinkKind {
    void (*send)(void *peer, Str bytes); /* bytes are borrowed for the call */
    void (*close)(void *peer);           /* and frees the peer; nothing comes from it any more */
    /* What is read later than `after` is said to have come when it came (conn_stamp). */
    void (*stamp)(void *peer, TimeUs since, TimeUs after);
    bool (*has_more)(void *peer);  /* behind the message that is reported now */
    bool (*has_input)(void *peer); /* that too which is still on its way to us */
    /* What is reported in one turn had come before anything that was sent in it; 0 = unknown. */
    uint64_t (*turn)(void *peer);
    /* From now on one looks what the threads of its program do. */
    void (*watch)(void *peer);
    /* What they did since; false = that can't be seen. */
    bool (*look)(void *peer, RunQueueLook *ret_look);
} LinkKind;

typedef struct Link {
    const LinkKind *kind; /* NULL: it leads nowhere */
    void *peer;
} Link;

/* Who hears what comes over a link. Time is what the door read when it came. */
typedef struct LinkEars {
    /* A message, borrowed for the call; `at`: when it came, at most `now`. */
    void (*heard)(void *user, Str text, TimeUs at, TimeUs now);
    /* It has ended its side: nothing more will come, but it may still read. */
    void (*shut)(void *user, TimeUs now);
    /* Nothing can be sent any more either. `kind`: whose fault that is called; `bytes`: what came
     * last, or the reason; borrowed for the call. */
    void (*lost)(void *user, FaultKind kind, Str bytes, TimeUs now);
} LinkEars;

static inline void link_send(const Link *link, Str bytes)
{
    if (link->kind)
        link->kind->send(link->peer, bytes);
}

/* Leads nowhere then. */
static inline void link_close(Link *link)
{
    const Link gone = *link;

    *link = (Link){0};
    if (gone.kind)
        gone.kind->close(gone.peer);
}

static inline void link_stamp(const Link *link, TimeUs since, TimeUs after)
{
    if (link->kind && link->kind->stamp)
        link->kind->stamp(link->peer, since, after);
}

static inline bool link_has_more(const Link *link)
{
    return link->kind && link->kind->has_more && link->kind->has_more(link->peer);
}

static inline bool link_has_input(const Link *link)
{
    return link->kind && link->kind->has_input && link->kind->has_input(link->peer);
}

static inline uint64_t link_turn(const Link *link)
{
    return link->kind && link->kind->turn ? link->kind->turn(link->peer) : 0;
}

static inline void link_watch(const Link *link)
{
    if (link->kind && link->kind->watch)
        link->kind->watch(link->peer);
}

static inline bool link_look(const Link *link, RunQueueLook *ret_look)
{
    return link->kind && link->kind->look && link->kind->look(link->peer, ret_look);
}

#endif
