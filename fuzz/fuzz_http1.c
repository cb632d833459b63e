/* fuzz_http1.c - however the bytes are cut, the requests are the same, and no path leads out.
 *
 * The first byte is the seed of the cuts. The status of what is none may depend on the cuts, as
 * limits and syntax are looked at side by side. With stops behind the heads, bodies come in pieces
 * or whole: the same bytes.
 */
#include "base/mem.h"
#include "base/rng.h"
#include "net/http1.h"

#include <assert.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_path(Str path)
{
    assert(path.len && !memchr(path.bytes, '\0', path.len));
    while (path.len)
        assert(!str_eq(str_cut(&path, '/'), STR("..")));
}

/* A head behind which the parser stops: every other body is streamed. */
static void pass_head(Http1 *http, Buf *streamed)
{
    static const WebRequest none;
    WebRequest request = none;

    http1_request(http, &request);
    check_path(request.path);
    assert(!request.body.len);
    buf_clear(streamed);
    http1_go_on(http, request.path.len % 2);
}

static void take_pieces(Http1 *http, Buf *streamed)
{
    while (http1_state(http) == HTTP1_HEAD)
        pass_head(http, streamed);
    buf_add(streamed, http1_piece(http));
    if (http1_piece(http).len)
        http1_take_piece(http);
}

static void take(Http1 *http, Buf *streamed, Buf *out)
{
    take_pieces(http, streamed);
    while (http1_state(http) == HTTP1_REQUEST) {
        WebRequest request;

        http1_request(http, &request);
        check_path(request.path);
        assert(request.body.len <= 256 && (!streamed->len || !request.body.len) &&
               request.header_count <= HTTP1_HEADERS_MAX);
        buf_printf(out, "%d%d%d[", http1_keeps_alive(http), http1_is_head(http),
                   request.wants_websocket);
        buf_add(out, request.method);
        buf_add(out, request.path);
        buf_add(out, request.query);
        for (uint32_t i = 0; i < request.header_count; i++) {
            buf_add(out, request.headers[i].name);
            buf_add_char(out, ':');
            buf_add(out, request.headers[i].value);
            buf_add_char(out, '\n');
        }
        CLEANUP(buf_done) Buf value = {0};
        buf_add(out, web_query(&request, "token", &value));
        buf_add(out, streamed->len ? buf_str(streamed) : request.body);
        buf_add_char(out, ']');
        buf_clear(streamed);
        http1_next_request(http);
        take_pieces(http, streamed);
    }
}

/* In pieces when there is a `rng`. */
static void read_all(Str all, Rng *rng, bool stops, Buf *out)
{
    CLEANUP(buf_done) Buf streamed = {0};
    Http1 *http = http1_new(512, 256);

    assert(http);
    if (stops)
        http1_stop_at_heads(http);
    while (all.len && http1_state(http) != HTTP1_BAD) {
        size_t n = rng ? 1 + rng_below(rng, rng_below(rng, 2) ? 3 : (uint32_t)all.len) : all.len;
        Str piece = str_part(all, 0, n);
        char *copy = mem_new(piece.len); /* to notice a parser that holds on to it */

        assert(copy);
        memcpy(copy, piece.bytes, piece.len);
        http1_feed(http, (Str){copy, piece.len});
        mem_free(copy);
        take_pieces(http, &streamed);
        if (rng && rng_below(rng, 4) == 0) /* else the answer comes later */
            take(http, &streamed, out);
        all = str_part(all, piece.len, SIZE_MAX);
    }
    take(http, &streamed, out);
    buf_add_char(out, http1_state(http) == HTTP1_BAD ? '!' : '.');
    http1_free(http);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 1)
        return 0;
    CLEANUP(buf_done) Buf want = {0};
    CLEANUP(buf_done) Buf got = {0};
    Str all = {(const char *)data + 1, size - 1};
    Rng rng = rng_new(data[0]);

    for (int stops = 0; stops < 2; stops++) {
        buf_clear(&want);
        buf_clear(&got);
        read_all(all, NULL, stops, &want);
        read_all(all, &rng, stops, &got);
        assert(str_eq(buf_str(&want), buf_str(&got)));
    }
    return 0;
}
