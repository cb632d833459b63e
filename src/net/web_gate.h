/* web_gate.h - which pages in somebody's browser may use a web server: its Host and Origin.
 *
 * For:    net/web.c, which asks for each request; who listens, for the lists.
 * Memory: a WebGate is plain; its texts are borrowed for the server's life.
 * Thread: pure.
 * Source: RFC 6454 (origins), RFC 9110 7.2 and 15.5.20 (Host, 421), Fetch standard 3.2 (CORS);
 *         docs/spec/web.md 11.1.
 *
 * Browsers send a page's origin and the name that was typed; nobody else has to. A page of anywhere
 * may open a WebSocket to this machine, so foreign origins get 403 there. A page whose name is made
 * to lead to this machine later (DNS rebinding) has an origin of its own, so foreign names get 421.
 * Nobody can make an IP address, `localhost` or this machine's name lead elsewhere: they pass. The
 * body of a 403 or 421 says what to add where.
 */
#ifndef WARG_NET_WEB_GATE_H
#define WARG_NET_WEB_GATE_H

#include "net/web.h"

struct WebGate {
    const Str *hosts; /* further names of this server: "contest.example.org" */
    uint32_t host_count;
    const Str *origins; /* of pages that may read and join: "https://viewer.example.org" */
    uint32_t origin_count;
    Str names[2];          /* this machine's, and where it listens; may be empty */
    const char *hosts_key; /* where `hosts` and `origins` are written: "warg.hosts" */
    const char *origins_key;
    /* User-Agent of programs that send as Origin the address which they connect to, by any name, as
     * those may that send no User-Agent at all; no page can do either with a WebSocket. May be
     * NULL. */
    const char *program;
};

typedef enum WebGateSays {
    WEB_GATE_PASS,
    WEB_GATE_HOST,
    WEB_GATE_ORIGIN,
    WEB_GATE_UNREAD, /* it is answered, but its browser will not let the page read that */
} WebGateSays;

WebGateSays web_gate_judge(const WebGate *gate, const WebRequest *request);

/* Whether pages of this origin may read answers (CORS). */
bool web_gate_shares(const WebGate *gate, Str origin);

/* Whether a request that changes something may come in: it is of no page, or of one of this server
 * or of the gate's list. Browsers say with every POST which page it is of. */
bool web_gate_may_post(const WebGate *gate, const WebRequest *request);

/* Appends a sentence on what was refused, with key and value to add. */
void web_gate_explain(const WebGate *gate, WebGateSays says, const WebRequest *request, Buf *out);

/* Whether a text can stand in `hosts` (a name or an address, without a port) or in `origins`
 * (scheme, host, perhaps a port; neither "null" nor "*", which any page can have). Errors:
 * ERR_SYNTAX. */
int web_gate_host_check(Str host, Err *err);
int web_gate_origin_check(Str origin, Err *err);

#endif
