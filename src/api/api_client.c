#include "api/api_client.h"

#include "base/json.h"
#include "base/mem.h"
#include "net/http_client.h"
#include "net/unix_socket.h"

#define ASK_MS       60000u /* a verb that changes a lot may take long */
#define UPLOAD_MS    (4u * 3600 * 1000)
#define ANSWER_BYTES ((size_t)64 << 20)

struct ApiClient {
    Loop *loop;
    HttpClient *http;
    Buf base; /* "https://contest.example.org/api/v1/" */
    Buf socket;
    Buf authorization; /* the whole header, or empty */
    Buf language;
    Buf origin;       /* the header, for changes of a login */
    Buf cookie, csrf; /* whole headers of a login; empty: none */
};

/* A call that is waited for. */
typedef struct Waiting {
    Loop *loop;
    ApiReply *reply;
    Buf why, head;
    bool answered;
} Waiting;

void api_reply_done(ApiReply *reply)
{
    buf_done(&reply->body);
    json_done(reply->json);
    *reply = (ApiReply){0};
}

static void log_out(ApiClient *client)
{
    CLEANUP(api_reply_done) ApiReply reply = {0};

    api_ask(client, "POST", "logout", STR("{}"), &reply, NULL);
}

ApiClient *api_client_free(ApiClient *client)
{
    if (!client)
        return NULL;
    if (client->cookie.len)
        log_out(client);
    loop_free(client->loop); /* and the HTTP client on it */
    buf_done(&client->base);
    buf_done(&client->socket);
    buf_done(&client->authorization);
    buf_done(&client->language);
    buf_done(&client->origin);
    buf_done(&client->cookie);
    buf_done(&client->csrf);
    return mem_free(client);
}

void api_client_freep(ApiClient **client)
{
    *client = api_client_free(*client);
}

/* A header can't hold a line's end, and a token has none. */
static int set_token(ApiClient *client, const char *token, Err *err)
{
    for (const char *c = token; *c; c++)
        if (*c <= ' ' || *c > '~')
            return err_set(err, ERR_USAGE, "token: it is wgt_ and 64 digits, without blanks");
    buf_printf(&client->authorization, "Authorization: Bearer %s", token);
    return 0;
}

static void set_base(ApiClient *client, Str url)
{
    while (url.len && url.bytes[url.len - 1] == '/')
        url.len--;
    buf_printf(&client->base, "%.*s/api/v1/", STR_ARG(url));
}

int api_client_open(const ApiClientSetup *setup, ApiClient **ret_client, Err *err)
{
    CLEANUP(api_client_freep) ApiClient *client = mem_new(sizeof(*client));
    int rc = 0;

    if (!client)
        return err_set(err, ERR_MEMORY, "site: out of memory");
    if (!setup->socket && !setup->url)
        return err_set(err, ERR_USAGE, "name the site's folder or its URL");
    set_base(client, setup->socket ? STR("http://localhost") : str_of(setup->url));
    if (setup->socket)
        buf_add(&client->socket, str_of(setup->socket));
    buf_printf(&client->language, "Accept-Language: %s", setup->language ? setup->language : "en");
    if (setup->token)
        rc = set_token(client, setup->token, err);
    if (rc == 0)
        rc = loop_new(&client->loop, err);
    if (rc == 0)
        rc = http_client_new(client->loop, &client->http, err);
    if (rc == 0 && (buf_failed(&client->base) || buf_failed(&client->socket) ||
                    buf_failed(&client->authorization) || buf_failed(&client->language)))
        rc = err_set(err, ERR_MEMORY, "site: out of memory");
    if (rc == 0)
        *ret_client = TAKE(client);
    return rc;
}

int api_client_open_folder(const char *data_folder, ApiClient **ret_client, bool *ret_there,
                           Err *err)
{
    CLEANUP(buf_done) Buf path = {0};

    buf_printf(&path, "%s/admin.sock", data_folder);
    if (buf_failed(&path))
        return err_set(err, ERR_MEMORY, "site: out of memory");
    if (!unix_answers(buf_cstr(&path))) {
        *ret_there = false;
        return 0;
    }
    const ApiClientSetup setup = {.socket = buf_cstr(&path)};
    int rc = api_client_open(&setup, ret_client, err);
    if (rc == 0)
        *ret_there = true;
    return rc;
}

/* ---- a call ---- */

static void on_answer(void *user, const HttpAnswer *answer)
{
    Waiting *waiting = user;

    waiting->answered = true;
    waiting->reply->status = answer->status;
    buf_add(&waiting->reply->body, answer->body);
    buf_add(&waiting->why, answer->why);
    buf_add(&waiting->head, answer->head);
    loop_stop(waiting->loop);
}

/* The server's sentence, or what its status says. */
static int read_refusal(const ApiReply *reply, Err *err)
{
    const json_t *error = reply->json ? json_get(reply->json, "error") : NULL;
    Str text = error ? json_text(error, "text") : STR("");
    int code = reply->status == 413 ? ERR_LIMIT : reply->status >= 500 ? ERR_IO : ERR_RULE;

    if (text.len)
        return err_set(err, code, "%.*s", STR_ARG(text));
    return err_set(err, code, "the site answers with status %u", reply->status);
}

static int read_reply(ApiReply *reply, Err *err)
{
    Str body = buf_str(&reply->body);

    if (buf_failed(&reply->body))
        return err_set(err, ERR_MEMORY, "site: out of memory");
    if (body.len && (body.bytes[0] == '{' || body.bytes[0] == '['))
        json_read(body, ANSWER_BYTES, &reply->json, NULL);
    return reply->status >= 400 ? read_refusal(reply, err) : 0;
}

static int run_call(ApiClient *client, HttpAsk *ask, const char *path, ApiReply *reply, Buf *head,
                    Err *err)
{
    CLEANUP(buf_done) Buf url = {0};
    CLEANUP(buf_done) Buf why = {0};
    const char *headers[7] = {ask->body_path ? "Content-Type: application/octet-stream"
                                             : "Content-Type: application/json"};
    const Buf *const lines[] = {&client->language, &client->authorization, &client->origin,
                                &client->cookie, &client->csrf};
    size_t count = 1;

    for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++)
        if (lines[i]->len)
            headers[count++] = buf_cstr(lines[i]);
    Waiting waiting = {.loop = client->loop, .reply = reply};
    HttpCall *call;

    api_reply_done(reply);
    buf_printf(&url, "%s%s", buf_cstr(&client->base), path);
    if (buf_failed(&url))
        return err_set(err, ERR_MEMORY, "site: out of memory");
    ask->url = buf_cstr(&url);
    ask->headers = headers;
    ask->answer_bytes = ANSWER_BYTES;
    if (client->socket.len) {
        ask->unix_socket = buf_cstr(&client->socket);
        ask->direct = true;
    }
    int rc = http_call(client->http, ask, on_answer, &waiting, &call, err);
    if (rc)
        return rc;
    while (!waiting.answered)
        loop_run(client->loop);
    buf_add(&why, buf_str(&waiting.why));
    buf_done(&waiting.why);
    if (head)
        buf_add(head, buf_str(&waiting.head));
    buf_done(&waiting.head);
    if (!reply->status)
        return err_set(err, ERR_IO, "site: %s", buf_cstr(&why));
    return read_reply(reply, err);
}

int api_ask(ApiClient *client, const char *method, const char *path, Str body, ApiReply *reply,
            Err *err)
{
    HttpAsk ask = {.method = method, .body = body, .timeout_ms = ASK_MS};

    return run_call(client, &ask, path, reply, NULL, err);
}

int api_put_file(ApiClient *client, const char *path, const char *file, ApiReply *reply, Err *err)
{
    HttpAsk ask = {.method = "PUT", .body_path = file, .timeout_ms = UPLOAD_MS};

    return run_call(client, &ask, path, reply, NULL, err);
}

/* ---- a login ---- */

/* "https://contest.example.org" of an URL below it. */
static Str origin_of(Str base)
{
    size_t start = 0;

    if (!str_find(base, STR("://"), &start))
        return base;
    Str rest = str_part(base, start + 3, SIZE_MAX);
    return str_part(base, 0, start + 3 + str_cut(&rest, '/').len);
}

static int take_login(ApiClient *client, Str head, const ApiReply *reply, Err *err)
{
    Str csrf = reply->json ? json_text(reply->json, "csrf") : STR("");
    size_t at = 0;

    if (!csrf.len || !str_find(head, STR("__Host-warg="), &at))
        return err_set(err, ERR_IO, "the site gave no login: is this the URL of a contest site?");
    Str rest = str_part(head, at, SIZE_MAX);
    Str cookie = str_cut(&rest, ';');
    buf_printf(&client->cookie, "Cookie: %.*s", STR_ARG(cookie));
    buf_printf(&client->csrf, "X-Warg-Token: %.*s", STR_ARG(csrf));
    return 0;
}

int api_log_in_as(ApiClient *client, Str login, Str password, Err *err)
{
    CLEANUP(api_reply_done) ApiReply reply = {0};
    CLEANUP(buf_done) Buf body = {0};
    CLEANUP(buf_done) Buf head = {0};
    Json json = json_over(&body);

    buf_clear(&client->origin);
    buf_printf(&client->origin, "Origin: %.*s", STR_ARG(origin_of(buf_str(&client->base))));
    json_open(&json, '{');
    json_add_str(&json, "login", login);
    json_add_str(&json, "password", password);
    json_close(&json);
    HttpAsk ask = {
        .method = "POST", .body = buf_str(&body), .timeout_ms = ASK_MS, .keeps_head = true};
    int rc = run_call(client, &ask, "login", &reply, &head, err);
    return rc ? rc : take_login(client, buf_str(&head), &reply, err);
}
