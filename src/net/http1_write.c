/* Answers' heads, and the small notations of HTTP that are read outside the parser. */
#include "net/http1.h"

#include <strings.h>
#include <time.h>

/* RFC 9110 15, those that we send. */
static const struct {
    unsigned status;
    const char *reason;
} reasons[] = {
    {101, "Switching Protocols"},
    {200, "OK"},
    {201, "Created"},
    {202, "Accepted"},
    {204, "No Content"},
    {301, "Moved Permanently"},
    {302, "Found"},
    {304, "Not Modified"},
    {400, "Bad Request"},
    {401, "Unauthorized"},
    {403, "Forbidden"},
    {404, "Not Found"},
    {405, "Method Not Allowed"},
    {408, "Request Timeout"},
    {409, "Conflict"},
    {410, "Gone"},
    {413, "Content Too Large"},
    {414, "URI Too Long"},
    {415, "Unsupported Media Type"},
    {421, "Misdirected Request"},
    {422, "Unprocessable Content"},
    {426, "Upgrade Required"},
    {429, "Too Many Requests"},
    {431, "Request Header Fields Too Large"},
    {500, "Internal Server Error"},
    {501, "Not Implemented"},
    {502, "Bad Gateway"},
    {503, "Service Unavailable"},
    {504, "Gateway Timeout"},
};

static const char *reason_of(unsigned status)
{
    for (size_t i = 0; i < sizeof(reasons) / sizeof(*reasons); i++) {
        if (reasons[i].status == status)
            return reasons[i].reason;
    }
    return "Unknown";
}

static void write_date(int64_t unix_time, Buf *out)
{
    static const char *const days[] = {"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"};
    static const char *const months[] = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                         "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
    time_t seconds = (time_t)unix_time;
    struct tm t;

    if (!gmtime_r(&seconds, &t))
        return;
    buf_printf(out, "Date: %s, %02d %s %04d %02d:%02d:%02d GMT\r\n", days[t.tm_wday], t.tm_mday,
               months[t.tm_mon], t.tm_year + 1900, t.tm_hour, t.tm_min, t.tm_sec);
}

void http1_write_head(const Http1Head *head, Buf *out)
{
    /* RFC 9110 8.6: no length with these; they never have a body. */
    bool no_body = head->status < 200 || head->status == 204 || head->status == 304;

    buf_printf(out, "HTTP/1.1 %u %s\r\n", head->status, reason_of(head->status));
    write_date(head->unix_time, out);
    if (head->type)
        buf_printf(out, "Content-Type: %s\r\n", head->type);
    if (!no_body && head->length != HTTP1_LENGTH_OPEN)
        buf_printf(out, "Content-Length: %zu\r\n", head->length);
    if (!head->keeps_alive)
        buf_add(out, STR("Connection: close\r\n"));
    for (uint32_t i = 0; i < head->header_count; i++)
        buf_printf(out, "%.*s: %.*s\r\n", STR_ARG(head->headers[i].name),
                   STR_ARG(head->headers[i].value));
    if (head->more)
        buf_add(out, str_of(head->more));
    buf_add(out, STR("\r\n"));
}

static int hex_digit(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    c = (char)(c | 0x20);
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

bool http1_decode(Str text, bool form, Buf *out)
{
    bool right = true;

    for (size_t i = 0; i < text.len; i++) {
        char c = text.bytes[i];

        if (c == '+' && form) {
            c = ' ';
        } else if (c == '%') {
            int high = i + 2 < text.len ? hex_digit(text.bytes[i + 1]) : -1;
            int low = i + 2 < text.len ? hex_digit(text.bytes[i + 2]) : -1;
            if (high >= 0 && low >= 0) {
                c = (char)(high * 16 + low);
                i += 2;
            } else {
                right = false;
            }
        }
        buf_add_char(out, c);
    }
    return right;
}

bool http1_list_has(Str list, const char *word)
{
    while (list.len) {
        Str item = str_trim(str_cut(&list, ','));
        if (item.len == strlen(word) && strncasecmp(item.bytes, word, item.len) == 0)
            return true;
    }
    return false;
}

bool web_takes_gzip(const WebRequest *request)
{
    Str list = web_header(request, "Accept-Encoding");

    while (list.len) {
        Str weight = str_trim(str_cut(&list, ','));
        Str coding = str_trim(str_cut(&weight, ';'));
        bool is_gzip = coding.len == 4 && strncasecmp(coding.bytes, "gzip", 4) == 0;
        if (is_gzip || str_eq(coding, STR("*"))) {
            weight = str_trim(weight); /* "q=0.5"; all zeros refuse it: RFC 9110 12.4.2 */
            bool refused = weight.len > 2 && strncasecmp(weight.bytes, "q=", 2) == 0;
            for (size_t i = 2; refused && i < weight.len; i++)
                refused = weight.bytes[i] == '0' || weight.bytes[i] == '.';
            return !refused;
        }
    }
    return false;
}

static bool is_header(const WebHeader *header, const char *name)
{
    return header->name.len == strlen(name) &&
           strncasecmp(header->name.bytes, name, header->name.len) == 0;
}

Str web_header(const WebRequest *request, const char *name)
{
    for (uint32_t i = 0; i < request->header_count; i++)
        if (is_header(&request->headers[i], name))
            return request->headers[i].value;
    return (Str){"", 0};
}

Str web_header_last(const WebRequest *request, const char *name)
{
    for (uint32_t i = request->header_count; i > 0; i--)
        if (is_header(&request->headers[i - 1], name))
            return request->headers[i - 1].value;
    return (Str){"", 0};
}

/* RFC 6265 4.2.1: NAME=VALUE, with "; " between two. */
Str web_cookie(const WebRequest *request, const char *name)
{
    Str found = {"", 0};
    unsigned count = 0;

    for (uint32_t i = 0; i < request->header_count; i++) {
        Str value = request->headers[i].value;
        Str header = request->headers[i].name;
        bool is_cookie = header.len == 6 && strncasecmp(header.bytes, "cookie", 6) == 0;
        while (is_cookie && value.len) {
            Str cookie = str_trim(str_cut(&value, ';'));
            if (str_eq(str_cut(&cookie, '='), str_of(name))) {
                found = cookie;
                count++;
            }
        }
    }
    return count == 1 ? found : (Str){"", 0};
}

Str web_query(const WebRequest *request, const char *name, Buf *out)
{
    Str rest = request->query;

    buf_clear(out);
    while (rest.len) {
        Str value = str_cut(&rest, '&');
        Str key = str_cut(&value, '=');
        http1_decode(key, true, out);
        bool found = str_eq(buf_str(out), str_of(name));
        buf_clear(out);
        if (found) {
            http1_decode(value, true, out);
            break;
        }
    }
    return buf_str(out);
}
