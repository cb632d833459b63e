/* The HTTP side of a WebSocket: RFC 6455 4. */
#include "base/digest.h"
#include "base/mem.h"
#include "net/http1.h"
#include "net/websocket.h"

#include <strings.h>
#include <sys/random.h>

#define KEY_BYTES  16
#define ANSWER_MAX 16384

/* ---- the server ---- */

static bool key_is_right(Str key)
{
    CLEANUP(buf_done) Buf bytes = {0};

    return base64_decode(key, false, &bytes, NULL) == 0 && bytes.len == KEY_BYTES;
}

bool websocket_is_asked(const WebRequest *request)
{
    return str_eq(request->method, STR("GET")) && !request->body.len &&
           http1_list_has(web_header(request, "upgrade"), "websocket") &&
           http1_list_has(web_header(request, "connection"), "upgrade") &&
           str_eq(web_header(request, "sec-websocket-version"), STR("13")) &&
           key_is_right(web_header(request, "sec-websocket-key"));
}

bool websocket_is_other(const WebRequest *request)
{
    Str version = web_header(request, "sec-websocket-version");

    return str_eq(request->method, STR("GET")) &&
           http1_list_has(web_header(request, "upgrade"), "websocket") && version.len &&
           !str_eq(version, STR("13"));
}

/* RFC 6455 4.2.2, 5.4. */
static int write_accept(Str key, Buf *out, Err *err)
{
    CLEANUP(buf_done) Buf text = {0};
    unsigned char digest[SHA1_BYTES];

    buf_printf(&text, "%.*s258EAFA5-E914-47DA-95CA-C5AB0DC85B11", STR_ARG(key));
    if (buf_failed(&text))
        return err_set(err, ERR_MEMORY, "handshake: out of memory");
    int code = sha1(buf_str(&text), digest, err);
    if (!code)
        base64_encode((Str){(const char *)digest, sizeof(digest)}, false, out);
    return code;
}

int websocket_accept(const WebRequest *request, Buf *out, Err *err)
{
    buf_add(out, STR("Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: "));
    int code = write_accept(web_header(request, "sec-websocket-key"), out, err);
    buf_add(out, STR("\r\n"));
    return code;
}

/* ---- the client ---- */

/* "host:port", "[::1]:port"; the port may be missing. */
static bool split_authority(Str authority, Str *ret_host, Str *ret_port)
{
    if (authority.len && authority.bytes[0] == '[') {
        *ret_host = str_part(str_cut(&authority, ']'), 1, SIZE_MAX);
        *ret_port = str_part(authority, 1, SIZE_MAX);
        return !authority.len || authority.bytes[0] == ':';
    }
    *ret_host = str_cut(&authority, ':');
    *ret_port = authority;
    return true;
}

static bool has_blanks(Str text)
{
    for (size_t i = 0; i < text.len; i++) {
        if ((unsigned char)text.bytes[i] <= ' ' || text.bytes[i] == 0x7F)
            return true;
    }
    return false;
}

int websocket_url(const char *url, WebSocketUrl *ret_url, Err *err)
{
    WebSocketUrl to = {.port = 80};
    Str all = str_of(url);
    size_t scheme_bytes = 5;

    if (strncasecmp(url, "wss://", 6) == 0) {
        to.tls = true;
        to.port = 443;
        scheme_bytes = 6;
    } else if (strncasecmp(url, "ws://", 5) != 0) {
        return err_set(err, ERR_USAGE, "'%s': expected ws://host:port/path or wss://...", url);
    }
    if (has_blanks(all))
        return err_set(err, ERR_USAGE, "'%s': a URL has no blanks", url);

    Str rest = str_part(str_cut(&all, '#'), scheme_bytes, SIZE_MAX);
    size_t authority_bytes = 0;
    while (authority_bytes < rest.len && !strchr("/?", rest.bytes[authority_bytes]))
        authority_bytes++;
    to.target = str_part(rest, authority_bytes, SIZE_MAX);

    Str host;
    Str port_text;
    uint64_t port;
    if (!split_authority(str_part(rest, 0, authority_bytes), &host, &port_text) || !host.len ||
        host.len >= sizeof(to.host) || memchr(host.bytes, '@', host.len))
        return err_set(err, ERR_USAGE, "'%s': no host that can be used", url);
    if (port_text.len) {
        if (!str_to_uint(port_text, UINT16_MAX, &port) || !port)
            return err_set(err, ERR_USAGE, "'%s': the port is no number up to 65535", url);
        to.port = (uint16_t)port;
    }
    memcpy(to.host, host.bytes, host.len);
    *ret_url = to;
    return 0;
}

int websocket_key(char ret_key[static WEBSOCKET_KEY_BYTES], Err *err)
{
    char bytes[KEY_BYTES];
    CLEANUP(buf_done) Buf text = {0};

    if (getrandom(bytes, sizeof(bytes), 0) != sizeof(bytes))
        return err_set(err, ERR_IO, "no random bytes");
    base64_encode((Str){bytes, sizeof(bytes)}, false, &text);
    if (buf_failed(&text) || text.len + 1 != WEBSOCKET_KEY_BYTES)
        return err_set(err, ERR_MEMORY, "handshake: out of memory");
    memcpy(ret_key, text.bytes, WEBSOCKET_KEY_BYTES);
    return 0;
}

void websocket_ask(const WebSocketUrl *url, const char *key, const char *token, Buf *out)
{
    bool six = strchr(url->host, ':') != NULL;
    bool rooted = url->target.len && url->target.bytes[0] == '/';

    buf_printf(out, "GET %s%.*s HTTP/1.1\r\n", rooted ? "" : "/", STR_ARG(url->target));
    buf_printf(out, "Host: %s%s%s:%u\r\n", six ? "[" : "", url->host, six ? "]" : "", url->port);
    buf_add(out, STR("Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"));
    buf_printf(out, "Sec-WebSocket-Key: %s\r\n", key);
    buf_add(out, STR("User-Agent: warg/" WARG_VERSION "\r\n"));
    if (token)
        buf_printf(out, "Authorization: Bearer %s\r\n", token);
    buf_add(out, STR("\r\n"));
}

/* The value of the first header of this name in a head's lines behind the first one. */
static Str answer_header(Str lines, const char *name)
{
    while (lines.len) {
        Str value = str_cut(&lines, '\n');
        Str have = str_cut(&value, ':');
        if (have.len == strlen(name) && strncasecmp(have.bytes, name, have.len) == 0)
            return str_trim(value);
    }
    return (Str){"", 0};
}

/* "HTTP/1.1 101 Switching Protocols"; 0 when it is none. */
static unsigned answer_status(Str line)
{
    uint64_t status;
    Str rest = str_trim(line);
    Str version = str_cut(&rest, ' ');

    if (!str_starts(version, STR("HTTP/1.")) || !str_to_uint(str_cut(&rest, ' '), 999, &status))
        return 0;
    return (unsigned)status;
}

/* Where the empty line behind a head ends; 0 = it isn't there. */
static size_t head_end(Str bytes)
{
    for (size_t i = 0; i + 1 < bytes.len; i++) {
        if (bytes.bytes[i] != '\n')
            continue;
        if (bytes.bytes[i + 1] == '\n')
            return i + 2;
        if (i + 2 < bytes.len && bytes.bytes[i + 1] == '\r' && bytes.bytes[i + 2] == '\n')
            return i + 3;
    }
    return 0;
}

int websocket_answer(Str bytes, const char *key, size_t *ret_used, unsigned *ret_status, Err *err)
{
    size_t used = head_end(str_part(bytes, 0, ANSWER_MAX));
    Str lines = str_part(bytes, 0, used);
    CLEANUP(buf_done) Buf accept = {0};

    *ret_status = 0;
    if (!used && bytes.len >= ANSWER_MAX)
        return err_set(err, ERR_LIMIT, "the server's answer is too long");
    if (!str_starts(STR("HTTP/1."), str_part(bytes, 0, 7)))
        return err_set(err, ERR_SYNTAX, "the server does not speak HTTP");
    if (!used)
        return 0;
    unsigned status = answer_status(str_cut(&lines, '\n'));
    if (!status)
        return err_set(err, ERR_SYNTAX, "the server does not speak HTTP");
    *ret_status = status;
    if (status != 101)
        return err_set(err, ERR_RULE, "the server answers %u", status);
    if (write_accept(str_of(key), &accept, err))
        return ERR_MEMORY;
    if (!http1_list_has(answer_header(lines, "upgrade"), "websocket") ||
        !http1_list_has(answer_header(lines, "connection"), "upgrade") ||
        !str_eq(answer_header(lines, "sec-websocket-accept"), buf_str(&accept)))
        return err_set(err, ERR_RULE, "the server's answer is no WebSocket handshake");
    *ret_used = used;
    return 1;
}
