#include "net/web_gate.h"

#include <arpa/inet.h>
#include <string.h>
#include <strings.h>

#define NAME_MAX_BYTES 253 /* RFC 1035 2.3.4, as text */

/* Where something is: "example.org:8080". */
typedef struct Place {
    Str host;      /* an IPv6 address with its brackets; no dot at its end */
    uint64_t port; /* 0 = none is named */
} Place;

static bool name_has_only(Str name, const char *others)
{
    for (size_t i = 0; i < name.len; i++) {
        char c = name.bytes[i];
        bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
        if (!letter && (c == '\0' || !strchr(others, c)))
            return false;
    }
    return name.len > 0 && name.len <= NAME_MAX_BYTES;
}

static bool place_is_address(Str host)
{
    unsigned char bytes[sizeof(struct in6_addr)];
    char text[INET6_ADDRSTRLEN];
    bool six = host.len > 2 && host.bytes[0] == '[';

    if (six)
        host = str_part(host, 1, host.len - 2);
    if (host.len >= sizeof(text))
        return false;
    memcpy(text, host.bytes, host.len);
    text[host.len] = '\0';
    return inet_pton(six ? AF_INET6 : AF_INET, text, bytes) == 1;
}

static bool place_read(Str text, Place *ret)
{
    size_t end = 0;

    if (text.len && text.bytes[0] == '[') {
        const char *close = memchr(text.bytes, ']', text.len);
        end = close ? (size_t)(close - text.bytes) + 1 : 0;
        if (!end || !place_is_address(str_part(text, 0, end)))
            return false;
    } else {
        const char *colon = text.len ? memchr(text.bytes, ':', text.len) : NULL;
        end = colon ? (size_t)(colon - text.bytes) : text.len;
        if (!end || !name_has_only(str_part(text, 0, end), ".-_"))
            return false;
    }
    Str port = str_part(text, end, text.len);
    *ret = (Place){.host = str_part(text, 0, end)};
    if (ret->host.bytes[end - 1] == '.') /* "localhost." is localhost */
        ret->host.len--;
    if (port.len == 0)
        return ret->host.len > 0;
    if (port.bytes[0] != ':')
        return false;
    port = str_part(port, 1, port.len);
    return ret->host.len > 0 && (port.len == 0 || str_to_uint(port, 65535, &ret->port));
}

static bool names_equal(Str a, Str b)
{
    return a.len == b.len && strncasecmp(a.bytes, b.bytes, a.len) == 0;
}

/* ---- hosts ---- */

static bool host_is(Str host, Str known)
{
    Place place;

    return known.len && place_read(known, &place) && names_equal(host, place.host);
}

static bool host_is_known(const WebGate *gate, Str host)
{
    if (place_is_address(host) || names_equal(host, STR("localhost")))
        return true;
    for (size_t i = 0; i < sizeof(gate->names) / sizeof(gate->names[0]); i++)
        if (host_is(host, gate->names[i]))
            return true;
    for (uint32_t i = 0; i < gate->host_count; i++)
        if (host_is(host, gate->hosts[i]))
            return true;
    return false;
}

/* Only HTTP/1.0 comes without a Host; no browser speaks it. */
static bool request_host_is_known(const WebGate *gate, const WebRequest *request)
{
    bool named = false;
    Place place;

    for (uint32_t i = 0; i < request->header_count; i++)
        named = named || names_equal(request->headers[i].name, STR("Host"));
    return !named ||
           (place_read(web_header(request, "Host"), &place) && host_is_known(gate, place.host));
}

/* ---- origins ---- */

/* An origin's place, with the port that its scheme stands for left out. */
static bool origin_read(Str origin, bool *ret_tls, Place *ret)
{
    static const Str schemes[] = {{"http://", 7}, {"https://", 8}};

    for (size_t tls = 0; tls < 2; tls++) {
        Str scheme = schemes[tls];
        if (!names_equal(str_part(origin, 0, scheme.len), scheme))
            continue;
        *ret_tls = tls;
        if (!place_read(str_part(origin, scheme.len, origin.len), ret))
            return false;
        if (ret->port == (tls ? 443 : 80))
            ret->port = 0;
        return true;
    }
    return false;
}

bool web_gate_shares(const WebGate *gate, Str origin)
{
    Place asked, known;
    bool asked_tls, known_tls;

    if (!origin_read(origin, &asked_tls, &asked))
        return false;
    for (uint32_t i = 0; i < gate->origin_count; i++)
        if (origin_read(gate->origins[i], &known_tls, &known) && asked_tls == known_tls &&
            asked.port == known.port && names_equal(asked.host, known.host))
            return true;
    return false;
}

/* Of the address that was asked itself. A proxy may have taken TLS off: the scheme decides what a
 * missing port means, and no more. */
static bool origin_is_own(const WebRequest *request, Str origin)
{
    Place from, to;
    bool tls;

    if (!origin_read(origin, &tls, &from) || !place_read(web_header(request, "Host"), &to))
        return false;
    if (to.port == (tls ? 443 : 80))
        to.port = 0;
    return from.port == to.port && names_equal(from.host, to.host);
}

/* Every browser sends a User-Agent, and no page can change the one of a WebSocket. */
static bool sender_is_program(const WebGate *gate, const WebRequest *request)
{
    Str agent = web_header(request, "User-Agent");

    return agent.len == 0 || (gate->program && str_starts(agent, str_of(gate->program)));
}

WebGateSays web_gate_judge(const WebGate *gate, const WebRequest *request)
{
    Str origin = web_header(request, "Origin");

    if (origin.len && web_gate_shares(gate, origin))
        return WEB_GATE_PASS;
    if (request->wants_websocket) {
        if (!origin.len)
            return WEB_GATE_PASS;
        if (!origin_is_own(request, origin))
            return WEB_GATE_ORIGIN;
        if (sender_is_program(gate, request))
            return WEB_GATE_PASS;
    }
    if (!request_host_is_known(gate, request))
        return WEB_GATE_HOST;
    return !request->wants_websocket && origin.len && !origin_is_own(request, origin)
               ? WEB_GATE_UNREAD
               : WEB_GATE_PASS;
}

bool web_gate_may_post(const WebGate *gate, const WebRequest *request)
{
    Str origin = web_header(request, "Origin");

    return !origin.len || origin_is_own(request, origin) || web_gate_shares(gate, origin);
}

/* ---- words ---- */

void web_gate_explain(const WebGate *gate, WebGateSays says, const WebRequest *request, Buf *out)
{
    bool of_host = says == WEB_GATE_HOST;
    const char *what = says == WEB_GATE_UNREAD ? "read" : "join";
    Str value = web_header(request, of_host ? "Host" : "Origin");
    Place place;
    bool tls;

    if (of_host && place_read(value, &place))
        buf_printf(out,
                   "the host '%.*s' is none of this server's names; if it is one, add it to the "
                   "configuration: %s: [%.*s]",
                   STR_ARG(place.host), gate->hosts_key, STR_ARG(place.host));
    else if (!of_host && origin_read(value, &tls, &place))
        buf_printf(out,
                   "a page of '%.*s' may not %s here; if it should, add its origin to the "
                   "configuration: %s: [\"%.*s\"]",
                   STR_ARG(value), what, gate->origins_key, STR_ARG(value));
    else if (of_host)
        buf_printf(out,
                   "the Host header is no name and no address; names of this server stand in "
                   "%s",
                   gate->hosts_key);
    else
        buf_printf(out,
                   "a page without an address (Origin: null or none that can be read) may not %s "
                   "here; serve it by HTTP, and add its origin to %s",
                   what, gate->origins_key);
}

int web_gate_host_check(Str host, Err *err)
{
    Place place;

    if (place_read(host, &place) && !memchr(host.bytes, ':', host.len))
        return 0;
    return err_set(err, ERR_SYNTAX,
                   "expected a name such as contest.example.org, without scheme and port, but got "
                   "'%.*s'",
                   STR_ARG(str_part(host, 0, 80)));
}

int web_gate_origin_check(Str origin, Err *err)
{
    Place place;
    bool tls;

    if (origin_read(origin, &tls, &place))
        return 0;
    return err_set(err, ERR_SYNTAX,
                   "expected a page's origin such as https://viewer.example.org or "
                   "http://localhost:5173, without a path, but got '%.*s'",
                   STR_ARG(str_part(origin, 0, 80)));
}
