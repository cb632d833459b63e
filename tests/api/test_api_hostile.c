/* What strangers send: bodies, cookies, paths and heads of any kind. The server answers each with a
 * refusal of its own, and goes on. */
#include "api_cup.h"

#include "base/rng.h"

#define ROUNDS 1500

static const Asker nobody = {.cookie = ""};

static const char *const paths[] = {
    "account",
    "login",
    "logout",
    "reset",
    "invite",
    "contests",
    "contests/cup",
    "contests/cup/teams",
    "contests/cup/teams/wits",
    "contests/cup/teams/wits/lots/preliminary",
    "contests/cup/teams/wits/versions",
    "contests/cup/versions/1/file",
    "contests/cup/state",
    "contests/cup/pause",
    "contests/cup/amend",
    "contests/cup/dates",
    "contests/cup/rulings",
    "contests/cup/roles",
    "contests/cup/announcements",
    "contests/cup/sheets/1",
    "contests/cup/games?cursor=x",
    "contests/cup/proof?n=1&size=2",
    "contests/cup/jobs/x/stop",
    "accounts/1",
    "contests/cup/teams/wits/members/1",
    "contests/cup/teams/wits/documents/source",
    "contests/cup/trail?cursor=-1",
    "contests/cup/standings?stage=%00",
    "contests/cup/findings/1/answer",
};

static const char *const bodies[] = {
    "{\"login\":\"ann\",\"password\":\"correct horse battery\"}",
    "{\"paused\":true,\"reason\":\"x\"}",
    "{\"to\":\"FROZEN\",\"reason\":null}",
    "{\"text\":{\"en\":\"x\"}}",
    "{\"text\":\"contest: cup\\nstages: []\\n\"}",
    "{\"role\":\"judge\",\"login\":\"ann\"}",
    "{\"entry\":\"00\",\"lot\":[]}",
    "{\"ranks\":{\"a\":{\"rank\":1e99,\"score\":-1}}}",
    "{\"finding\":\"9223372036854775808\",\"decision\":\"warn\",\"reason\":\"\\ud800\"}",
    "{\"consent\":{\"a\":{}},\"quiet\":[[]],\"webhook\":\"https://\\u0000\"}",
    "[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[",
    "{\"a\":1,\"a\":2}",
    "",
};

static void spoil(Rng *rng, Buf *text)
{
    unsigned changes = rng_below(rng, 4);

    for (unsigned i = 0; i < changes && text->len; i++)
        text->bytes[rng_below(rng, (uint32_t)text->len)] = (char)rng_below(rng, 256);
}

static const char *pick(Rng *rng, const char *const *from, size_t count)
{
    return from[rng_below(rng, (uint32_t)count)];
}

static void write_request(Rng *rng, const char *cookie, Buf *out)
{
    static const char *const methods[] = {"GET", "POST", "PUT", "PATCH", "DELETE", "HEAD"};
    static const char *const types[] = {"application/json", "application/octet-stream",
                                        "text/plain", "application/json; charset=\"x"};
    CLEANUP(buf_done) Buf body = {0};
    Asker asker = {
        .cookie = cookie,
        .csrf = rng_below(rng, 8) ? NULL : "00",
        .type = pick(rng, types, 4),
        .more = rng_below(rng, 4) ? NULL : "X-Forwarded-For: ,,,\r\nAccept-Language: ja;;,\r\n"};

    buf_add(&body, str_of(pick(rng, bodies, sizeof(bodies) / sizeof(bodies[0]))));
    spoil(rng, &body);
    host_write_head(pick(rng, methods, 6), pick(rng, paths, sizeof(paths) / sizeof(paths[0])),
                    &asker, body.len, out);
    if (rng_below(rng, 3) == 0)
        spoil(rng, out);
    buf_add(out, buf_str(&body));
}

static bool lives(const Host *host)
{
    return waitpid(host->pid, NULL, WNOHANG) == 0;
}

static void whatever_comes_is_answered_and_the_server_goes_on(void **state)
{
    Host *host = *state;
    char cookie[SECRET_TEXT_BYTES];
    uint64_t seed = (uint64_t)loop_date_ms();
    Rng rng = rng_new(seed);

    host_start(host);
    cup_begin(host);
    int64_t ann = host_account(host, "ann", cookie);
    cup_team(host, "cup", "wits", cookie);
    assert_int_equal(site_role_give(host->db, ann, ROLE_SERVER, ROLE_ADMIN, NULL), 0);
    assert_int_equal(login_begin(host->db, ann, STR("192.0.2.1"), loop_date_ms(), cookie, NULL), 0);
    for (int i = 0; i < ROUNDS; i++) {
        CLEANUP(buf_done) Buf request = {0};
        char block[4096];
        write_request(&rng, cookie, &request);
        int fd = host_dial(host, rng_below(&rng, 2));
        send(fd, request.bytes, request.len, MSG_NOSIGNAL);
        shutdown(fd, SHUT_WR);
        struct pollfd waits = {.fd = fd, .events = POLLIN};
        assert_int_equal(poll(&waits, 1, HOST_WAIT_MS), 1);
        ssize_t n = recv(fd, block, sizeof(block) - 1, 0);
        block[n > 0 ? n : 0] = '\0';
        if (!lives(host) || strstr(block, "HTTP/1.1 500"))
            fail_msg("seed %llu, request %d: %s\n-> %s", (unsigned long long)seed, i,
                     buf_cstr(&request), block);
        close(fd);
    }
    host_end(host);
}

/* Nothing that somebody writes becomes a line of an answer's head. */
static void no_text_becomes_a_header(void **state)
{
    static const char *const tries[] = {
        "contests/cup/%0d%0aX-Evil:%20yes",
        "contests/%0d%0aSet-Cookie:%20a=b",
        "contests/cup/teams/x%0d%0aX-Evil:%20yes/logs.zip",
        "contests/cup/standings?stage=%0d%0aX-Evil:%20yes",
    };
    Host *host = *state;
    CLEANUP(answer_done) Reply answer = {0};
    Asker asker = {.cookie = "", .more = "Accept-Language: ja\r\n"};

    host_start(host);
    cup_begin(host);
    for (size_t i = 0; i < sizeof(tries) / sizeof(tries[0]); i++) {
        host_ask(host, "GET", tries[i], &asker, "", &answer);
        assert_null(strstr(buf_cstr(&answer.head), "X-Evil"));
        assert_null(strstr(buf_cstr(&answer.head), "a=b"));
    }
    host_ask(host, "POST", "account", &asker,
             "{\"login\":\"ann\",\"name\":\"x\\r\\nX-Evil: yes\",\"password\":\"" HOST_PASSWORD
             "\"}",
             &answer);
    assert_int_equal(answer.status, 422);
    assert_null(strstr(buf_cstr(&answer.head), "X-Evil"));
    host_end(host);
}

/* Ends every connection to the database but the test's own. */
static void cut_connections(const Host *host)
{
    assert_true(host_number(host, "SELECT count(pg_terminate_backend(pid, 10000)) FROM"
                                  " pg_stat_activity WHERE datname = current_database() AND pid <>"
                                  " pg_backend_pid() AND backend_type = 'client backend'") > 0);
}

/* O43: what was asked meanwhile is 503, and nobody has to start the server anew. */
static void a_database_that_was_gone_is_there_again(void **state)
{
    Host *host = *state;
    CLEANUP(answer_done) Reply answer = {0};
    unsigned tries = 0;

    if (!host_is_on_database)
        return; /* a file doesn't go away */
    host_start(host);
    host_must(host, 200, "GET", "contests", &nobody, "", &answer);
    for (unsigned round = 0; round < 2; round++) {
        cut_connections(host);
        do
            host_ask(host, "GET", "contests", &nobody, "", &answer);
        while (answer.status == 503 && ++tries < 10);
        assert_int_equal(answer.status, 200);
    }
    host_must(host, 201, "POST", "account", &nobody,
              "{\"login\":\"ann\",\"password\":\"" HOST_PASSWORD "\"}", &answer);
    assert_int_equal(host_number(host, "SELECT count(*) FROM account"), 1);
    do
        host_ask(host, "GET", "ready", &nobody, "", &answer);
    while (strstr(buf_cstr(&answer.body), "\"turn\"") && usleep(100000) == 0 && ++tries < 600);
    assert_null(strstr(buf_cstr(&answer.body), "\"turn\""));
    assert_null(strstr(buf_cstr(&answer.body), "\"store\""));
    host_end(host);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(a_database_that_was_gone_is_there_again),
        CASE(whatever_comes_is_answered_and_the_server_goes_on),
        CASE(no_text_becomes_a_header),
    };

    return HOST_RUN(tests, true);
}
