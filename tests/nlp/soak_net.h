/* soak_net.h - a simulated network for the soak: WebSocket bytes that take their time, in order,
 * and everything that can happen to a connection.
 *
 * For:    soak.h. The frames are real (net/websocket.h on both sides, or made by hand where they
 *         are to be wrong); TCP and the HTTP handshake are not there.
 * Memory: a connection lives until both ends and all that is under way are gone.
 * Thread: the test's. Time is simulated; all chance comes from one Rng.
 * Source: RFC 6455; net/web_socket.c and serve/server.c, in whose place this stands.
 */
#ifndef WARG_TESTS_NLP_SOAK_NET_H
#define WARG_TESTS_NLP_SOAK_NET_H

#include "base/rng.h"
#include "net/websocket.h"
#include "nlp/hall.h"
#include "wire/nlp_client.h"

#define SECOND_US ((TimeUs)1000000)
/* What the two systems keep of a connection that nobody reads. */
#define KERNEL_BYTES ((size_t)64 * 1024)

typedef struct Soak Soak;
typedef struct Client Client;
typedef struct Conn Conn;

typedef enum SoakEventKind {
    SOAK_UP,        /* bytes arrive at the server */
    SOAK_UP_FIN,    /* the server learns that the connection is gone */
    SOAK_DOWN,      /* bytes arrive at the client */
    SOAK_DOWN_FIN,  /* the client learns that the connection is gone */
    SOAK_STUCK,     /* the server has waited long enough for a client that does not read */
    SOAK_SEND,      /* a client sends a text */
    SOAK_LEAVE,     /* a client goes, somehow */
    SOAK_CONNECT,   /* a client comes */
    SOAK_TWIN,      /* a client comes, though it is there */
    SOAK_STRANGER,  /* somebody comes who does not belong here */
    SOAK_KILL,      /* the server is killed */
    SOAK_START,     /* and started again */
    SOAK_LOGS_BACK, /* logs can be written again */
    SOAK_FULL,      /* the journal can't be written any more */
    SOAK_ROOM,      /* and can be again */
} SoakEventKind;

typedef struct SoakEvent {
    TimeUs at;
    uint64_t order; /* of two at one time the one that was made first */
    SoakEventKind kind;
    Conn *conn;     /* or NULL */
    Client *client; /* or NULL */
    char *bytes;
    size_t len;
} SoakEvent;

/* What goes wrong, and how often it is tried. */
typedef enum NetTrouble {
    NET_CLOSE,       /* of a packet: the client closes, with a close frame */
    NET_DROP,        /* the client's connection is cut, and the server sees that */
    NET_HOLE,        /* it is cut, and the server does not see that */
    NET_HOLE_SEEN,   /* ... of these: the server sees it minutes later */
    NET_LATE,        /* of an ask: the reply comes after action + acceptable */
    NET_MUTE,        /* no reply, but NAME is answered */
    NET_DEAD,        /* no reply to anything any more */
    NET_DOUBLE,      /* of a reply: it comes twice */
    NET_GARBAGE,     /* something else instead */
    NET_UNASKED,     /* something more, unasked */
    NET_BINARY,      /* the frame is a binary one */
    NET_FRAGMENTED,  /* several frames, a ping between them */
    NET_BAD_UTF8,    /* with bytes that are none */
    NET_HUGE,        /* a frame over the limit */
    NET_PROTOCOL,    /* a frame against the rules */
    NET_NAMELESS,    /* of a connection: no answer to the first NAME */
    NET_BAD_TOKEN,   /* another team's token */
    NET_TWIN,        /* a second connection of the same name */
    NET_AWAY_LONG,   /* of a reconnection: after the rejoin time */
    NET_AWAY_HOURS,  /* after hours */
    NET_STRANGER,    /* not drawn: as they come */
    NET_KILL,        /* likewise */
    NET_LOG_TROUBLE, /* of a start: game logs can't be written for a while */
    NET_FULL,        /* not drawn: the journal can't be */
    NET_COUNT,
} NetTrouble;

typedef struct FaultRate {
    const char *name;
    uint32_t per_million;
} FaultRate;

static const FaultRate fault_rates[NET_COUNT] = {
    [NET_CLOSE] = {"closed", 300},
    [NET_DROP] = {"dropped", 900},
    [NET_HOLE] = {"half open", 250},
    [NET_HOLE_SEEN] = {"half open, seen late", 100000},
    [NET_LATE] = {"late replies", 3000},
    [NET_MUTE] = {"no reply", 1500},
    [NET_DEAD] = {"no reply ever again", 400},
    [NET_DOUBLE] = {"replies twice", 3000},
    [NET_GARBAGE] = {"garbage", 5000},
    [NET_UNASKED] = {"unasked", 3000},
    [NET_BINARY] = {"binary", 10000},
    [NET_FRAGMENTED] = {"fragmented", 15000},
    [NET_BAD_UTF8] = {"invalid UTF-8", 6000},
    [NET_HUGE] = {"huge frames", 250},
    [NET_PROTOCOL] = {"wrong frames", 500},
    [NET_NAMELESS] = {"no name", 4000},
    [NET_BAD_TOKEN] = {"wrong token", 10000},
    [NET_TWIN] = {"second connection", 10000},
    [NET_AWAY_LONG] = {"away for long", 60000},
    [NET_AWAY_HOURS] = {"away for hours", 8000},
    [NET_STRANGER] = {"strangers", 0},
    [NET_KILL] = {"server killed", 0},
    [NET_LOG_TROUBLE] = {"logs not writable", 100000},
    [NET_FULL] = {"journal not writable", 0},
};

/* Somebody who does not belong here, by what it does. */
typedef enum Stranger {
    STRANGER_SILENT,   /* nothing */
    STRANGER_HALF,     /* half a frame */
    STRANGER_BAD_NAME, /* a name that can't be used */
    STRANGER_NEW_TEAM, /* a team that nobody knows */
    STRANGER_NO_TOKEN, /* an empty, or wrong, token */
    STRANGER_UNMASKED, /* and so on: wrong frames */
    STRANGER_RESERVED,
    STRANGER_OPCODE,
    STRANGER_CONTINUATION,
    STRANGER_LONG_PING,
    STRANGER_BAD_CLOSE,
    STRANGER_HUGE,
    STRANGER_FLOOD, /* fragments, until they are too many */
    STRANGER_NOISE, /* random bytes */
    STRANGER_GONE,  /* it leaves at once */
    STRANGER_COUNT,
} Stranger;

/* One WebSocket connection, both ends. */
struct Conn {
    Conn *next;
    Conn *prev;
    Soak *soak;
    Client *client; /* NULL: a stranger */
    WebSocket *server;
    WebSocket *peer;
    NlpAgent *agent;
    NlpClient *reader; /* of some: it takes every packet, so that each is looked at */
    bool server_open;  /* the server's end */
    bool peer_open;    /* the client's end */
    bool hole;         /* nothing gets through, and nobody is told */
    bool stuck;
    bool dead;  /* the client answers nothing */
    bool named; /* NAME was answered once */
    bool awaits_over;
    uint16_t expected; /* the close code that must come; 0 = any */
    size_t unread;
    uint32_t pending; /* events under way */
    TimeUs up_at;     /* when the last bytes arrive, so that order is kept */
    TimeUs down_at;
    TimeUs reply_at; /* a client answers one after the other */
    unsigned name_count;
    char names[SEAT_MAX][96]; /* in the game */
};

/* ---- frames by hand ---- */

static inline void add_head(Buf *out, unsigned first, bool masked, uint64_t len)
{
    buf_add_char(out, (char)first);
    if (len < 126) {
        buf_add_char(out, (char)((masked ? 0x80u : 0) | len));
    } else if (len < 65536) {
        buf_add_char(out, (char)((masked ? 0x80u : 0) | 126));
        buf_add_char(out, (char)(len >> 8));
        buf_add_char(out, (char)(len & 255));
    } else {
        buf_add_char(out, (char)((masked ? 0x80u : 0) | 127));
        for (int shift = 56; shift >= 0; shift -= 8)
            buf_add_char(out, (char)(len >> shift & 255));
    }
    if (masked)
        buf_add(out, STR("\x01\x02\x03\x04"));
}

/* `first`: FIN 0x80, reserved bits 0x70, opcode 0x0F. */
static inline void add_frame(Buf *out, unsigned first, bool masked, Str payload)
{
    add_head(out, first, masked, payload.len);
    for (size_t i = 0; i < payload.len; i++)
        buf_add_char(out, (char)(payload.bytes[i] ^ (masked ? (char)(i % 4 + 1) : 0)));
}

/* Cut anywhere, inside a character too, and a ping where it is allowed. */
static inline void add_fragments(Buf *out, Rng *rng, Str text)
{
    unsigned opcode = 1;

    while (text.len > 1 && rng_below(rng, 4)) {
        size_t cut = rng_below(rng, (uint32_t)text.len);
        add_frame(out, opcode, true, str_part(text, 0, cut));
        if (rng_below(rng, 2))
            add_frame(out, 0x89, true, STR("still here"));
        text = str_part(text, cut, text.len);
        opcode = 0;
    }
    add_frame(out, 0x80 | opcode, true, text);
}

/* A wrong frame, and the close code that answers it. */
static inline uint16_t add_wrong(Buf *out, Stranger what)
{
    switch (what) {
    case STRANGER_UNMASKED:
        add_frame(out, 0x81, false, STR("no mask"));
        return WEBSOCKET_PROTOCOL;
    case STRANGER_RESERVED:
        add_frame(out, 0xC1, true, STR("reserved"));
        return WEBSOCKET_PROTOCOL;
    case STRANGER_OPCODE:
        add_frame(out, 0x83, true, STR("opcode"));
        return WEBSOCKET_PROTOCOL;
    case STRANGER_CONTINUATION:
        add_frame(out, 0x80, true, STR("of nothing"));
        return WEBSOCKET_PROTOCOL;
    case STRANGER_LONG_PING:
        add_head(out, 0x89, true, 126);
        return WEBSOCKET_PROTOCOL;
    case STRANGER_BAD_CLOSE:
        add_frame(out, 0x88, true, STR("\x03\xEE")); /* 1006 may not be sent */
        return WEBSOCKET_PROTOCOL;
    case STRANGER_HUGE:
        add_head(out, 0x81, true, (uint64_t)1 << 40);
        buf_add(out, STR("its first bytes"));
        return WEBSOCKET_TOO_BIG;
    case STRANGER_FLOOD:
    case STRANGER_SILENT:
    case STRANGER_HALF:
    case STRANGER_BAD_NAME:
    case STRANGER_NEW_TEAM:
    case STRANGER_NO_TOKEN:
    case STRANGER_NOISE:
    case STRANGER_GONE:
    case STRANGER_COUNT:
        break;
    }
    return 0;
}

/* ---- what happens next ---- */

typedef struct Agenda {
    SoakEvent *heap;
    size_t count;
    size_t room;
    uint64_t order;
} Agenda;

static inline bool event_before(const SoakEvent *a, const SoakEvent *b)
{
    return a->at != b->at ? a->at < b->at : a->order < b->order;
}

/* Takes `bytes` over. */
static inline void agenda_add(Agenda *agenda, SoakEvent event)
{
    if (agenda->count == agenda->room) {
        agenda->room = agenda->room ? 2 * agenda->room : 256;
        agenda->heap = mem_resize(agenda->heap, agenda->room, sizeof(*agenda->heap));
    }
    size_t at = agenda->count++;
    event.order = ++agenda->order;
    if (event.conn)
        event.conn->pending++;
    while (at > 0 && event_before(&event, &agenda->heap[(at - 1) / 2])) {
        agenda->heap[at] = agenda->heap[(at - 1) / 2];
        at = (at - 1) / 2;
    }
    agenda->heap[at] = event;
}

static inline TimeUs agenda_next(const Agenda *agenda)
{
    return agenda->count ? agenda->heap[0].at : TIME_US_NEVER;
}

static inline SoakEvent agenda_take(Agenda *agenda)
{
    SoakEvent first = agenda->heap[0];
    SoakEvent last = agenda->heap[--agenda->count];
    size_t at = 0;

    while (2 * at + 1 < agenda->count) {
        size_t child = 2 * at + 1;
        if (child + 1 < agenda->count &&
            event_before(&agenda->heap[child + 1], &agenda->heap[child]))
            child++;
        if (!event_before(&agenda->heap[child], &last))
            break;
        agenda->heap[at] = agenda->heap[child];
        at = child;
    }
    agenda->heap[at] = last;
    return first;
}

static inline char *copy_bytes(Str bytes)
{
    char *copy = mem_new(bytes.len + 1);

    if (bytes.len)
        memcpy(copy, bytes.bytes, bytes.len);
    return copy;
}

#endif
