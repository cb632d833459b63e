#include "net/websocket.h"

#include "base/mem.h"
#include "base/utf8.h"

#include <sys/random.h>
#include <wslay/wslay.h>

typedef enum SocketState { OPEN, CLOSING, OVER } SocketState;

/* wslay gives a frame's head together with the first byte of its payload. A length over the limit
 * is refused without waiting for that byte, so the heads in what wslay takes are followed here. */
typedef struct HeadScan {
    uint8_t head[10]; /* without the mask's key */
    uint8_t have;
    uint64_t left; /* bytes of key and payload that follow a whole head */
    uint64_t said; /* the payload's length */
    bool waits;    /* the head is whole, and no byte of its payload has come */
} HeadScan;

struct WebSocket {
    wslay_frame_context_ptr frames;
    Str fed;        /* what wslay has not taken yet */
    Buf *out;       /* of the call that runs */
    Buf message;    /* the pieces that came of a message */
    Buf clean;      /* a message with its invalid bytes replaced */
    uint64_t taken; /* payload bytes of the frame that is read now */
    size_t limit;   /* of a message */
    HeadScan scan;
    uint16_t code; /* of the close frame */
    SocketState state;
    bool is_client;
    bool in_frame;   /* its head was checked */
    bool in_message; /* frames of a message came, the last one has not */
    bool given;      /* `message` was handed out */
    uint8_t control_bytes;
    char control[126]; /* payload of a control frame; after the end the reason */
};

/* ---- heads ---- */

/* How many bytes the head has whose first two are there (RFC 6455 5.2). */
static uint8_t head_bytes(const HeadScan *scan)
{
    uint8_t length = scan->head[1] & 0x7F;

    return length == 127 ? 10 : length == 126 ? 4 : 2;
}

static void end_head(HeadScan *scan)
{
    uint8_t bytes = head_bytes(scan);
    uint64_t length = bytes == 2 ? scan->head[1] & 0x7F : 0;

    for (uint8_t i = 2; i < bytes; i++)
        length = length << 8 | scan->head[i];
    scan->said = length;
    scan->left = length > UINT64_MAX / 2 ? length : length + (scan->head[1] & 0x80 ? 4 : 0);
    scan->waits = length > 0;
    scan->have = 0;
}

/* Follows bytes that wslay takes. */
static void scan_heads(HeadScan *scan, Str bytes)
{
    while (bytes.len) {
        if (scan->left) {
            size_t n = scan->left < bytes.len ? (size_t)scan->left : bytes.len;
            scan->left -= n;
            scan->waits = scan->waits && scan->left >= scan->said;
            bytes = str_part(bytes, n, SIZE_MAX);
            continue;
        }
        scan->head[scan->have++] = (uint8_t)bytes.bytes[0];
        bytes = str_part(bytes, 1, SIZE_MAX);
        if (scan->have >= 2 && scan->have == head_bytes(scan))
            end_head(scan);
    }
}

/* Whether so many bytes more are too many for the message. */
static bool is_too_long(const WebSocket *socket, uint64_t bytes)
{
    return bytes > socket->limit || socket->message.len > socket->limit - bytes;
}

/* ---- what wslay calls ---- */

static ssize_t take_fed(uint8_t *to, size_t n, int flags, void *user)
{
    WebSocket *socket = user;
    Str part = str_part(socket->fed, 0, n);

    (void)flags;
    if (!part.len)
        return -1; /* as "would block" */
    memcpy(to, part.bytes, part.len);
    scan_heads(&socket->scan, part);
    socket->fed = str_part(socket->fed, part.len, SIZE_MAX);
    return (ssize_t)part.len;
}

static ssize_t give_out(const uint8_t *bytes, size_t n, int flags, void *user)
{
    WebSocket *socket = user;

    (void)flags;
    buf_add(socket->out, (Str){(const char *)bytes, n});
    return (ssize_t)n; /* the buffer remembers a failure */
}

/* RFC 6455 10.3: not to be foreseen by who chooses the text. */
static int make_mask(uint8_t *to, size_t n, void *user)
{
    (void)user;
    return getrandom(to, n, 0) == (ssize_t)n ? 0 : -1;
}

/* ---- sending ---- */

static void send_frame(WebSocket *socket, uint8_t opcode, Str payload, Buf *out)
{
    struct wslay_frame_iocb frame = {
        .fin = 1,
        .opcode = opcode,
        .mask = socket->is_client,
        .payload_length = payload.len,
        .data = (const uint8_t *)payload.bytes,
        .data_length = payload.len,
    };

    socket->out = out;
    if (wslay_frame_send(socket->frames, &frame) < 0)
        buf_fail(out); /* no random bytes */
    socket->out = NULL;
}

void websocket_send(WebSocket *socket, Str text, Buf *out)
{
    if (socket->state == OPEN)
        send_frame(socket, WSLAY_TEXT_FRAME, text, out);
}

void websocket_ping(WebSocket *socket, Buf *out)
{
    if (socket->state == OPEN)
        send_frame(socket, WSLAY_PING, (Str){"", 0}, out);
}

/* The longest part of at most `max` bytes that ends with a whole character. */
static Str cut_text(Str text, size_t max)
{
    if (text.len <= max)
        return text;
    while (max && ((unsigned char)text.bytes[max] & 0xC0) == 0x80)
        max--;
    return str_part(text, 0, max);
}

static void send_close(WebSocket *socket, uint16_t code, Str reason, Buf *out)
{
    char payload[2 + WEBSOCKET_REASON_MAX];

    if (code == WEBSOCKET_NO_CODE) {
        send_frame(socket, WSLAY_CONNECTION_CLOSE, (Str){"", 0}, out);
        return;
    }
    reason = cut_text(reason, WEBSOCKET_REASON_MAX);
    payload[0] = (char)(code >> 8);
    payload[1] = (char)(code & 0xFF);
    if (reason.len)
        memcpy(payload + 2, reason.bytes, reason.len);
    send_frame(socket, WSLAY_CONNECTION_CLOSE, (Str){payload, 2 + reason.len}, out);
}

void websocket_close(WebSocket *socket, uint16_t code, Str reason, Buf *out)
{
    if (socket->state != OPEN)
        return;
    send_close(socket, code, reason, out);
    socket->state = CLOSING;
}

/* ---- the end ---- */

static void keep_reason(WebSocket *socket, Str reason)
{
    reason = cut_text(reason, WEBSOCKET_REASON_MAX);
    if (reason.len)
        memmove(socket->control, reason.bytes, reason.len);
    socket->control_bytes = (uint8_t)reason.len;
}

static WebSocketEvent break_off(WebSocket *socket, uint16_t code, const char *reason, Buf *out)
{
    websocket_close(socket, code, str_of(reason), out);
    socket->state = OVER;
    socket->code = code;
    keep_reason(socket, str_of(reason));
    return WEBSOCKET_BROKEN;
}

static WebSocketEvent refuse_frame(WebSocket *socket, const char *reason, Buf *out)
{
    return break_off(socket, WEBSOCKET_PROTOCOL, reason, out);
}

/* RFC 6455 7.4: those that may come in a frame; 1012 to 1014 were registered later. */
static bool code_is_right(uint16_t code)
{
    return (code >= 1000 && code <= 1003) || (code >= 1007 && code <= 1014) ||
           (code >= 3000 && code <= 4999);
}

static WebSocketEvent take_close(WebSocket *socket, Buf *out)
{
    uint16_t code = WEBSOCKET_NO_CODE;
    size_t n = socket->control_bytes;

    if (n == 1)
        return refuse_frame(socket, "half a close code", out);
    if (n >= 2) {
        code =
            (uint16_t)((unsigned char)socket->control[0] << 8 | (unsigned char)socket->control[1]);
        if (!code_is_right(code))
            return refuse_frame(socket, "a close code that may not be sent", out);
        keep_reason(socket, (Str){socket->control + 2, n - 2});
    }
    websocket_close(socket, code, (Str){"", 0}, out);
    socket->state = OVER;
    socket->code = code;
    return WEBSOCKET_CLOSED;
}

/* ---- reading ---- */

/* Looks at the head of a frame. NULL when it is right. */
static const char *head_mistake(const WebSocket *socket, const struct wslay_frame_iocb *frame)
{
    if (frame->rsv)
        return "reserved bits are set";
    if (socket->is_client && frame->mask)
        return "a masked frame from the server";
    if (!socket->is_client && !frame->mask)
        return "a frame from the client without a mask";
    switch (frame->opcode) {
    case WSLAY_TEXT_FRAME:
    case WSLAY_BINARY_FRAME:
        return socket->in_message ? "a new message inside another" : NULL;
    case WSLAY_CONTINUATION_FRAME:
        return socket->in_message ? NULL : "a continuation of nothing";
    case WSLAY_CONNECTION_CLOSE:
    case WSLAY_PING:
    case WSLAY_PONG:
        return NULL; /* wslay refuses long and fragmented ones */
    default:
        return "an unknown opcode";
    }
}

/* A frame whose payload has not begun, and whose head is right, promises too much. Everything
 * before it was taken. wslay refuses lengths with the highest bit itself. */
static bool promises_too_much(const WebSocket *socket)
{
    const HeadScan *scan = &socket->scan;
    const struct wslay_frame_iocb frame = {
        .rsv = scan->head[0] >> 4 & 7,
        .opcode = scan->head[0] & 0x0F,
        .mask = scan->head[1] >> 7,
    };

    return scan->waits && !wslay_is_ctrl_frame(frame.opcode) && scan->said <= INT64_MAX &&
           is_too_long(socket, scan->said) && !head_mistake(socket, &frame);
}

static Str cleaned_text(WebSocket *socket, Str text)
{
    if (utf8_valid(text))
        return text;
    while (text.len) {
        Str rest = text;
        bool wrong = utf8_next(&rest) == UTF8_INVALID;
        Str part = str_part(text, 0, text.len - rest.len);
        buf_add(&socket->clean, wrong ? STR("\xEF\xBF\xBD") : part);
        text = rest;
    }
    return buf_str(&socket->clean);
}

/* The payload of a control frame came whole. */
static WebSocketEvent take_control(WebSocket *socket, uint8_t opcode, Buf *out)
{
    Str payload = {socket->control, socket->control_bytes};

    if (opcode == WSLAY_CONNECTION_CLOSE)
        return take_close(socket, out);
    if (opcode == WSLAY_PING && socket->state == OPEN)
        send_frame(socket, WSLAY_PONG, payload, out);
    return WEBSOCKET_MORE;
}

/* A piece of a message. One that comes whole in one piece is given without a copy. */
static WebSocketEvent take_text(WebSocket *socket, Str piece, bool last, Str *ret_message)
{
    bool all = last && !socket->message.len;

    if (socket->state != OPEN) /* nobody wants it any more */
        return WEBSOCKET_MORE;
    if (!all)
        buf_add(&socket->message, piece);
    if (buf_failed(&socket->message))
        return WEBSOCKET_NO_MEMORY;
    if (!last)
        return WEBSOCKET_MORE;
    socket->given = true;
    *ret_message = cleaned_text(socket, all ? piece : buf_str(&socket->message));
    return buf_failed(&socket->clean) ? WEBSOCKET_NO_MEMORY : WEBSOCKET_MESSAGE;
}

/* A piece of a frame, with what wslay knows of its head. */
static WebSocketEvent take_piece(WebSocket *socket, const struct wslay_frame_iocb *frame,
                                 Str *ret_message, Buf *out)
{
    bool control = wslay_is_ctrl_frame(frame->opcode);
    Str piece = {(const char *)frame->data, frame->data_length};

    if (!socket->in_frame) {
        const char *mistake = head_mistake(socket, frame);
        if (mistake)
            return refuse_frame(socket, mistake, out);
        if (!control && is_too_long(socket, frame->payload_length))
            return break_off(socket, WEBSOCKET_TOO_BIG, "the message is too long", out);
        socket->in_frame = true;
        socket->taken = 0;
        if (control)
            socket->control_bytes = 0;
        else
            socket->in_message = true;
    }
    socket->taken += piece.len;
    bool whole = socket->taken == frame->payload_length;
    socket->in_frame = !whole;
    if (!control) {
        bool last = whole && frame->fin;
        socket->in_message = !last;
        return take_text(socket, piece, last, ret_message);
    }
    if (piece.len)
        memcpy(socket->control + socket->control_bytes, piece.bytes, piece.len);
    socket->control_bytes = (uint8_t)(socket->control_bytes + piece.len);
    return whole ? take_control(socket, frame->opcode, out) : WEBSOCKET_MORE;
}

/* An idle socket keeps no message. */
static void forget_given(WebSocket *socket)
{
    if (socket->given) {
        buf_done(&socket->message);
        buf_done(&socket->clean);
    }
    socket->given = false;
}

WebSocketEvent websocket_next(WebSocket *socket, Str *ret_message, Buf *out)
{
    WebSocketEvent event = WEBSOCKET_MORE;

    forget_given(socket);
    while (event == WEBSOCKET_MORE && socket->state != OVER) {
        struct wslay_frame_iocb frame = {0};
        ssize_t n = wslay_frame_recv(socket->frames, &frame);

        if (n == WSLAY_ERR_WANT_READ && !promises_too_much(socket))
            return WEBSOCKET_MORE;
        if (n == WSLAY_ERR_WANT_READ)
            return break_off(socket, WEBSOCKET_TOO_BIG, "the message is too long", out);
        if (n < 0)
            return refuse_frame(socket, "a frame that breaks the rules", out);
        event = take_piece(socket, &frame, ret_message, out);
    }
    return event;
}

void websocket_feed(WebSocket *socket, Str bytes)
{
    socket->fed = bytes;
}

uint16_t websocket_code(const WebSocket *socket)
{
    return socket->code;
}

Str websocket_reason(const WebSocket *socket)
{
    return (Str){socket->control, socket->state == OVER ? socket->control_bytes : 0};
}

/* ---- making one ---- */

WebSocket *websocket_new(bool is_client, size_t message_bytes)
{
    static const struct wslay_frame_callbacks callbacks = {
        .send_callback = give_out,
        .recv_callback = take_fed,
        .genmask_callback = make_mask,
    };
    WebSocket *socket = mem_new(sizeof(*socket));

    if (!socket)
        return NULL;
    socket->is_client = is_client;
    socket->limit = message_bytes;
    if (wslay_frame_context_init(&socket->frames, &callbacks, socket))
        return mem_free(socket);
    return socket;
}

void websocket_limit(WebSocket *socket, size_t message_bytes)
{
    socket->limit = message_bytes;
}

WebSocket *websocket_free(WebSocket *socket)
{
    if (!socket)
        return NULL;
    wslay_frame_context_free(socket->frames);
    buf_done(&socket->message);
    buf_done(&socket->clean);
    return mem_free(socket);
}
