#include "cli/live_arg.h"

#include "net/web_gate.h"
#include "serve/operator_token.h"

/* What would do nothing is a mistake, as a --http that was forgotten. */
static int check_alone(const Options *given, size_t first, bool has_pages, Err *err)
{
    if (options_has(given, first + LIVE_HTTP))
        return 0;
    if (options_has(given, first + LIVE_OPERATOR_FILE) && !has_pages)
        return err_set(err, ERR_USAGE, "--operator-file goes with --web or --http");
    if (options_has(given, first + LIVE_HTTP_NAME))
        return err_set(err, ERR_USAGE, "--http-name goes with --http");
    if (options_has(given, first + LIVE_HTTP_DELAY) && !options_has(given, first + LIVE_REALTIME))
        return err_set(err, ERR_USAGE, "--http-delay goes with --http or --realtime");
    return 0;
}

/* "8080", "0.0.0.0:8080", "[::1]:8080". */
int live_arg_address(const char *option, const char *text, Buf *ret_host, uint16_t *ret_port,
                     Err *err)
{
    const char *colon = strrchr(text, ':');
    Str host = colon ? (Str){text, (size_t)(colon - text)} : STR("127.0.0.1");
    uint64_t port = 0;

    if (host.len > 2 && host.bytes[0] == '[' && host.bytes[host.len - 1] == ']')
        host = str_part(host, 1, host.len - 2);
    if (host.len == 0 || !str_to_uint(str_of(colon ? colon + 1 : text), 65535, &port))
        return err_set(err, ERR_USAGE,
                       "--%s: expected a port, or an address and a port as in 127.0.0.1:8080, "
                       "but got '%s'",
                       option, text);
    buf_add(ret_host, host);
    *ret_port = (uint16_t)port;
    return buf_failed(ret_host) ? err_set(err, ERR_MEMORY, "--%s: out of memory", option) : 0;
}

static int read_names(const Options *given, size_t which, LiveArg *arg, Err *err)
{
    const char *name;
    Err own = {0};

    for (uint32_t i = 0; (name = options_item(given, which, i)); i++) {
        if (i == LIVE_NAMES_MAX)
            return err_set(err, ERR_USAGE, "at most %d --http-name", LIVE_NAMES_MAX);
        if (web_gate_host_check(str_of(name), &own))
            return err_set(err, ERR_USAGE, "--http-name: %s", own.msg);
        arg->names[i] = str_of(name);
        arg->setup.name_count = i + 1;
    }
    arg->setup.names = arg->names;
    return 0;
}

int live_arg_read(const Options *given, size_t first, bool has_pages, LiveArg *ret, Err *err)
{
    const char *http = options_text(given, first + LIVE_HTTP);
    int rc = check_alone(given, first, has_pages, err);

    if (rc)
        return rc;
    ret->setup.delay = (TimeUs)options_number(given, first + LIVE_HTTP_DELAY) * 1000;
    ret->setup.realtime = options_text(given, first + LIVE_REALTIME);
    if (!http)
        return 0;
    rc = live_arg_address("http", http, &ret->host, &ret->setup.port, err);
    ret->setup.host = buf_cstr(&ret->host);
    if (rc == 0)
        rc = read_names(given, first + LIVE_HTTP_NAME, ret, err);
    if (rc == 0)
        rc = operator_token(options_text(given, first + LIVE_OPERATOR_FILE), &ret->token, err);
    ret->setup.operator_token = buf_str(&ret->token);
    return rc;
}

void live_arg_done(LiveArg *arg)
{
    buf_done(&arg->host);
    buf_done(&arg->token);
}
