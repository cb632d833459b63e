/* Accounts over the API: made, logged in, changed, erased; rates; what nobody learns. */
#include "api_host.h"

#include "site/password.h"

#include <crypt.h>

static const Asker nobody = {.cookie = ""};

static void an_account_is_made_logs_in_changes_and_goes(void **state)
{
    Host *host = *state;
    CLEANUP(answer_done) Reply answer = {0};

    host_start(host);
    host_must(host, 401, "GET", "account", &nobody, "", &answer);
    assert_true(str_eq(answer_code(&answer), STR("login")));
    host_must(host, 201, "POST", "account", &nobody,
              "{\"login\":\"Ann\",\"name\":\"Ann\",\"mail\":\"ann@example.org\","
              "\"password\":\"" HOST_PASSWORD "\"}",
              &answer);
    assert_true(str_eq(answer_text(&answer, "login"), STR("ann")));
    assert_true(strlen(answer.cookie) == 64);
    assert_non_null(strstr(buf_cstr(&answer.head), "HttpOnly"));
    assert_non_null(strstr(buf_cstr(&answer.head), "Secure"));
    assert_non_null(strstr(buf_cstr(&answer.head), "SameSite=Lax"));
    char first[SECRET_TEXT_BYTES];
    memcpy(first, answer.cookie, sizeof(first));
    Asker ann = {.cookie = first};
    host_must(host, 200, "GET", "account", &ann, "", &answer);
    char csrf[CSRF_TEXT_BYTES];
    login_csrf(str_of(first), csrf);
    assert_true(str_eq(answer_text(&answer, "csrf"), str_of(csrf)));

    host_must(host, 401, "POST", "login", &nobody,
              "{\"login\":\"ann\",\"password\":\"not the right one\"}", &answer);
    assert_string_equal(answer.cookie, "");
    host_must(host, 200, "POST", "login", &nobody,
              "{\"login\":\"ANN\",\"password\":\"" HOST_PASSWORD "\"}", &answer);
    char second[SECRET_TEXT_BYTES];
    memcpy(second, answer.cookie, sizeof(second));
    assert_true(strcmp(first, second) != 0);

    host_must(host, 401, "PATCH", "account", &ann,
              "{\"password\":\"another long password\",\"old\":\"wrong wrong wrong\"}", &answer);
    host_must(host, 200, "PATCH", "account", &ann,
              "{\"name\":\"Ann B.\",\"language\":\"ja\",\"password\":\"another long password\","
              "\"old\":\"" HOST_PASSWORD "\"}",
              &answer);
    assert_true(str_eq(answer_text(&answer, "name"), STR("Ann B.")));
    Asker other = {.cookie = second}; /* a new password ends all other logins */
    host_must(host, 401, "GET", "account", &other, "", &answer);
    host_must(host, 200, "GET", "account", &ann, "", &answer);

    host_must(host, 200, "GET", "account/all", &ann, "", &answer);
    assert_non_null(strstr(buf_cstr(&answer.head), "Content-Disposition: attachment"));
    assert_null(strstr(buf_cstr(&answer.body), "$y$"));
    host_must(host, 200, "DELETE", "account", &ann, "{\"password\":\"another long password\"}",
              &answer);
    host_must(host, 401, "GET", "account", &ann, "", &answer);
    assert_int_equal(host_number(host, "SELECT count(*) FROM account WHERE login IS NOT NULL"), 0);
    host_end(host);
}

static void tokens_and_logins_are_listed_without_their_secrets_and_ended(void **state)
{
    Host *host = *state;
    CLEANUP(answer_done) Reply answer = {0};
    char cookie[SECRET_TEXT_BYTES];

    host_start(host);
    host_account(host, "ann", cookie);
    Asker ann = {.cookie = cookie};
    host_must(host, 422, "POST", "account/tokens", &ann,
              "{\"label\":\"ci\",\"scopes\":[\"everything\"],\"days\":3}", &answer);
    host_must(host, 201, "POST", "account/tokens", &ann,
              "{\"label\":\"ci\",\"scopes\":[\"read\"],\"days\":3}", &answer);
    char token[SECRET_TEXT_BYTES];
    snprintf(token, sizeof(token), "%.*s", STR_ARG(answer_text(&answer, "token")));
    assert_true(str_starts(str_of(token), STR("wgt_")));
    Asker script = {.token = token, .origin = ""};
    host_must(host, 200, "GET", "account", &script, "", &answer);
    host_must(host, 403, "POST", "account/tokens", &script,
              "{\"label\":\"more\",\"scopes\":[\"read\"],\"days\":3}", &answer);
    host_must(host, 200, "GET", "account/tokens", &ann, "", &answer);
    assert_null(strstr(buf_cstr(&answer.body), token));
    assert_null(strstr(buf_cstr(&answer.body), token + 4));
    const json_t *items = json_get(answer.json, "items");
    assert_int_equal(json_count(items), 1);
    char path[64];
    snprintf(path, sizeof(path), "account/tokens/%.*s",
             STR_ARG(json_text(json_at(items, 0), "id")));
    host_must(host, 404, "DELETE", "account/tokens/0011223344556677", &ann, "", &answer);
    host_must(host, 200, "DELETE", path, &ann, "", &answer);
    host_must(host, 401, "GET", "account", &script, "", &answer);

    host_must(host, 200, "GET", "account/logins", &ann, "", &answer);
    assert_null(strstr(buf_cstr(&answer.body), cookie));
    snprintf(path, sizeof(path), "account/logins/%.*s",
             STR_ARG(json_text(json_at(json_get(answer.json, "items"), 0), "id")));
    host_must(host, 200, "DELETE", path, &ann, "", &answer);
    host_must(host, 401, "GET", "account", &ann, "", &answer);
    host_end(host);
}

static void a_reset_link_works_once_and_nobody_learns_who_has_an_account(void **state)
{
    Host *host = *state;
    CLEANUP(answer_done) Reply known = {0};
    CLEANUP(answer_done) Reply unknown = {0};
    char cookie[SECRET_TEXT_BYTES], secret[SECRET_TEXT_BYTES], body[256];
    Err err = {0};

    host_start(host);
    int64_t ann = host_account(host, "ann", cookie);
    host_must(host, 200, "POST", "reset", &nobody, "{\"login\":\"ann\"}", &known);
    host_must(host, 200, "POST", "reset", &nobody, "{\"login\":\"zoe\"}", &unknown);
    assert_string_equal(buf_cstr(&known.body), buf_cstr(&unknown.body));
    assert_int_equal(host_number(host, "SELECT count(*) FROM notice WHERE kind = 'reset'"), 1);
    if (once_make(host->db, ONCE_RESET, ann, STR(""), loop_date_ms(), secret, &err))
        fail_msg("%s", err.msg);
    snprintf(body, sizeof(body), "{\"secret\":\"%s\",\"password\":\"" HOST_PASSWORD "\"}", secret);
    host_must(host, 200, "POST", "reset", &nobody, body, &known);
    assert_true(strlen(known.cookie) == 64);
    host_must(host, 409, "POST", "reset", &nobody, body, &unknown);
    Asker before = {.cookie = cookie};
    host_must(host, 401, "GET", "account", &before, "", &unknown);
    host_end(host);
}

static void give_password(const Host *host, int64_t account)
{
    char hash[PASSWORD_HASH_BYTES];
    Err err = {0};

    assert_int_equal(password_hash(STR(HOST_PASSWORD), hash, &err), 0);
    assert_int_equal(db_run(host->db, &err, "UPDATE account SET hash = ?1 WHERE id = ?2", "ti",
                            str_of(hash), account),
                     0);
}

/* A login under way with the old password is none; scripts with their tokens are out, too. */
static void a_new_password_ends_what_the_old_one_began(void **state)
{
    Host *host = *state;
    CLEANUP(answer_done) Reply answer = {0};
    char cookie[SECRET_TEXT_BYTES], token[SECRET_TEXT_BYTES];
    char secret[SECRET_TEXT_BYTES], body[256];
    Err err = {0};

    host_start(host);
    int64_t ann = host_account(host, "ann", cookie);
    give_password(host, ann);
    assert_int_equal(api_token_make(host->db,
                                    &(ApiTokenSetup){ann, STR("t"), SCOPE_READ, 0, INT64_MAX},
                                    token, &err),
                     0);
    assert_int_equal(once_make(host->db, ONCE_RESET, ann, STR(""), loop_date_ms(), secret, &err),
                     0);
    Asker script = {.token = token};
    host_must(host, 200, "GET", "account", &script, "", &answer);
    Asker page = {.cookie = cookie};
    host_must(host, 200, "PATCH", "account", &page,
              "{\"old\":\"" HOST_PASSWORD "\",\"password\":\"quite another sentence\"}", &answer);
    host_must(host, 401, "GET", "account", &script, "", &answer);
    host_must(host, 200, "GET", "account", &page, "", &answer);
    snprintf(body, sizeof(body), "{\"secret\":\"%s\",\"password\":\"%s\"}", secret,
             "a third and long one");
    host_must(host, 409, "POST", "reset", &nobody, body, &answer);
    host_end(host);
}

static long hashes_made(const Host *host)
{
    CLEANUP(answer_done) Reply answer = {0};
    Asker local = {.local = true};

    host_must(host, 200, "GET", "metrics", &local, "", &answer);
    const char *line = strstr(buf_cstr(&answer.body), "\nwarg_passwords_hashed_total ");
    assert_non_null(line);
    return strtol(line + sizeof("\nwarg_passwords_hashed_total ") - 1, NULL, 10);
}

/* A hash that takes a second or more to be made again. */
static void make_dear_hash(char ret_hash[static PASSWORD_HASH_BYTES])
{
    char setting[CRYPT_GENSALT_OUTPUT_SIZE], salt[16] = "salt";
    struct crypt_data *data = mem_new(sizeof(*data));

    assert_non_null(data);
    assert_non_null(crypt_gensalt_rn("$y$", 10, salt, sizeof(salt), setting, sizeof(setting)));
    snprintf(ret_hash, PASSWORD_HASH_BYTES, "%s",
             crypt_rn(HOST_PASSWORD, setting, data, sizeof(*data)));
    mem_free(data);
}

/* What changes an account is asked for with its password, which takes long; meanwhile `sql` is done
 * to the account ?1. */
static void ask_meanwhile(const Host *host, int64_t account, const char *method, const char *path,
                          const Asker *asker, const char *body, const char *sql, unsigned status)
{
    CLEANUP(buf_done) Buf request = {0};
    CLEANUP(answer_done) Reply answer = {0};
    int fd = host_dial(host, false);
    long before = hashes_made(host);
    Err err = {0};

    host_write_head(method, path, asker, strlen(body), &request);
    buf_add(&request, str_of(body));
    assert_int_equal(send(fd, request.bytes, request.len, MSG_NOSIGNAL), request.len);
    for (int i = 0; i < 3000 && hashes_made(host) == before; i++)
        usleep(10000);
    if (db_run(host->db, &err, sql, "i", account))
        fail_msg("%s", err.msg);
    host_read(fd, &answer);
    close(fd);
    if (answer.status != status)
        fail_msg("%s %s, %s: %u in place of %u: %s", method, path, sql, answer.status, status,
                 buf_cstr(&answer.body));
}

static void what_is_under_way_with_an_old_password_is_refused(void **state)
{
    static const char login[] = "{\"login\":\"ann\",\"password\":\"" HOST_PASSWORD "\"}";
    static const char change[] =
        "{\"old\":\"" HOST_PASSWORD "\",\"password\":\"quite another sentence\"}";
    static const char another[] = "UPDATE account SET hash = 'another' WHERE id = ?1";
    static const char no_login[] = "DELETE FROM login WHERE account = ?1";
    Host *host = *state;
    char cookie[SECRET_TEXT_BYTES], hash[PASSWORD_HASH_BYTES];
    Err err = {0};

    host_start(host);
    int64_t ann = host_account(host, "ann", cookie);
    const Asker page = {.cookie = cookie};
    make_dear_hash(hash);
    const struct {
        const char *method, *path, *body, *sql;
        const Asker *asker;
        unsigned status;
    } cases[] = {
        {"POST", "login", login, another, &nobody, 401},
        {"PATCH", "account", change, another, &page, 401},
        {"DELETE", "account", login, another, &page, 401},
        {"PATCH", "account", change, no_login, &page, 401},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        assert_int_equal(db_run(host->db, &err, "UPDATE account SET hash = ?1 WHERE id = ?2", "ti",
                                str_of(hash), ann),
                         0);
        ask_meanwhile(host, ann, cases[i].method, cases[i].path, cases[i].asker, cases[i].body,
                      cases[i].sql, cases[i].status);
    }
    assert_int_equal(host_number(host, "SELECT count(*) FROM account WHERE erased IS NULL"), 1);
    assert_int_equal(host_number(host, "SELECT count(*) FROM login"), 0);
    host_end(host);
}

/* O9 */
static void who_guesses_waits_and_another_address_gets_in(void **state)
{
    static const Str proxies[] = {{"127.0.0.1", 9}};
    Host *host = *state;
    CLEANUP(answer_done) Reply answer = {0};
    Asker bad = {.more = "X-Forwarded-For: 198.51.100.7\r\n"};
    Asker good = {.more = "X-Forwarded-For: 198.51.100.7, 203.0.113.9\r\n"};
    Asker forged = {.more = "X-Forwarded-For: 203.0.113.9, 198.51.100.7\r\n"};
    /* as a proxy sends it that adds a line of its own */
    Asker forged_line = {.more =
                             "X-Forwarded-For: 203.0.113.9\r\nX-Forwarded-For: 198.51.100.7\r\n"};
    unsigned refused = 0;

    host->setup.settings.proxies = proxies;
    host->setup.settings.proxy_count = 1;
    host_start(host);
    host_must(host, 201, "POST", "account", &nobody,
              "{\"login\":\"ann\",\"password\":\"" HOST_PASSWORD "\"}", &answer);
    for (int i = 0; i < 20; i++) {
        host_ask(host, "POST", "login", &bad,
                 "{\"login\":\"ann\",\"password\":\"not the right one\"}", &answer);
        assert_true(answer.status == 401 || answer.status == 429);
        refused += answer.status == 429;
    }
    assert_true(refused >= 14);
    assert_int_equal(answer.status, 429);
    assert_non_null(strstr(buf_cstr(&answer.head), "Retry-After: "));
    host_must(host, 429, "POST", "login", &bad,
              "{\"login\":\"ann\",\"password\":\"" HOST_PASSWORD "\"}", &answer);
    host_must(host, 429, "POST", "login", &forged,
              "{\"login\":\"ann\",\"password\":\"" HOST_PASSWORD "\"}", &answer);
    host_must(host, 429, "POST", "login", &forged_line,
              "{\"login\":\"ann\",\"password\":\"" HOST_PASSWORD "\"}", &answer);
    host_must(host, 200, "POST", "login", &good,
              "{\"login\":\"ann\",\"password\":\"" HOST_PASSWORD "\"}", &answer);
    host_end(host);
}

/* Anybody can write the line; a proxy of ours alone is believed. */
static void who_is_no_proxy_has_its_own_address(void **state)
{
    static const Str proxies[] = {{"192.0.2.1", 9}};
    Host *host = *state;
    CLEANUP(answer_done) Reply answer = {0};
    char more[60], body[80];
    unsigned refused = 0;

    host->setup.settings.proxies = proxies;
    host->setup.settings.proxy_count = 1;
    host_start(host);
    for (int i = 0; i < 12; i++) {
        snprintf(more, sizeof(more), "X-Forwarded-For: 198.51.100.%d\r\n", i);
        snprintf(body, sizeof(body), "{\"login\":\"ann%d\",\"password\":\"" HOST_PASSWORD "\"}", i);
        const Asker forger = {.more = more};
        host_ask(host, "POST", "login", &forger, body, &answer);
        refused += answer.status == 429;
    }
    assert_true(refused >= 5);
    host_end(host);
}

static void a_link_of_somebody_is_nobody_elses(void **state)
{
    Host *host = *state;
    CLEANUP(answer_done) Reply answer = {0};
    char ann_cookie[SECRET_TEXT_BYTES], bob_cookie[SECRET_TEXT_BYTES], secret[SECRET_TEXT_BYTES];
    char body[120], data[40];
    Err err = {0};

    host_start(host);
    int64_t ann = host_account(host, "ann", ann_cookie);
    host_account(host, "bob", bob_cookie);
    const Asker bob_asks = {.cookie = bob_cookie}, ann_asks = {.cookie = ann_cookie};
    assert_int_equal(db_exec(host->db,
                             "INSERT INTO contest(name, state, file, digest, changed) VALUES('cup',"
                             " 'OPEN', '', '', 1)",
                             &err),
                     0);
    snprintf(data, sizeof(data), "judge %lld",
             (long long)host_number(host, "SELECT max(id) FROM contest"));
    if (once_make(host->db, ONCE_INVITE, ann, str_of(data), loop_date_ms(), secret, &err))
        fail_msg("%s", err.msg);
    snprintf(body, sizeof(body), "{\"secret\":\"%s\"}", secret);
    host_must(host, 409, "POST", "invite", &bob_asks, body, &answer);
    assert_int_equal(host_number(host, "SELECT count(*) FROM role"), 0);
    host_must(host, 200, "POST", "invite", &ann_asks, body, &answer);
    assert_int_equal(host_number(host, "SELECT count(*) FROM role"), 1);
    host_end(host);
}

static void calls_and_new_accounts_have_rates(void **state)
{
    Host *host = *state;
    CLEANUP(answer_done) Reply answer = {0};
    char body[128];

    host->setup.settings.calls_a_minute = 20;
    host_start(host);
    for (int i = 0; i < 5; i++) {
        snprintf(body, sizeof(body), "{\"login\":\"ann%d\",\"password\":\"" HOST_PASSWORD "\"}", i);
        host_must(host, 201, "POST", "account", &nobody, body, &answer);
    }
    host_must(host, 429, "POST", "account", &nobody,
              "{\"login\":\"ann9\",\"password\":\"" HOST_PASSWORD "\"}", &answer);
    for (int i = 0; i < 40 && answer.status != 429 + 1; i++)
        host_ask(host, "GET", "account", &nobody, "", &answer);
    assert_int_equal(answer.status, 429);
    Asker local = {.local = true};
    host_must(host, 200, "GET", "accounts", &local, "", &answer);
    host_end(host);
}

/* ---- O7 ---- */

static void who_has_no_account_costs_one_hash_too(void **state)
{
    static const struct {
        const char *path, *body;
        unsigned status;
        int hashes;
    } cases[] = {
        {"login", "{\"login\":\"ann\",\"password\":\"" HOST_PASSWORD "\"}", 200, 1},
        {"login", "{\"login\":\"ann\",\"password\":\"not the right one\"}", 401, 1},
        {"login", "{\"login\":\"zoe\",\"password\":\"not the right one\"}", 401, 1},
        {"login", "{\"login\":\"no login!\",\"password\":\"not the right one\"}", 401, 1},
        {"account", "{\"login\":\"ann\",\"password\":\"" HOST_PASSWORD "\"}", 422,
         1}, /* is taken */
        {"account", "{\"login\":\"bob\",\"password\":\"" HOST_PASSWORD "\"}", 201, 1},
        {"reset", "{\"login\":\"ann\"}", 200, 0},
        {"reset", "{\"login\":\"zoe\"}", 200, 0},
    };
    Host *host = *state;
    CLEANUP(answer_done) Reply answer = {0};

    host_start(host);
    host_must(host, 201, "POST", "account", &nobody,
              "{\"login\":\"ann\",\"password\":\"" HOST_PASSWORD "\"}", &answer);
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        long before = hashes_made(host);
        host_must(host, cases[i].status, "POST", cases[i].path, &nobody, cases[i].body, &answer);
        if (hashes_made(host) - before != cases[i].hashes)
            fail_msg("%s %s: %ld hashes", cases[i].path, cases[i].body, hashes_made(host) - before);
    }
    host_end(host);
}

#define LOGINS 31

static double cpu_seconds(clockid_t clock)
{
    struct timespec used;

    assert_int_equal(clock_gettime(clock, &used), 0);
    return (double)used.tv_sec + (double)used.tv_nsec / 1e9;
}

static int compare_seconds(const void *a, const void *b)
{
    const double one = *(const double *)a, other = *(const double *)b;

    return (one > other) - (one < other);
}

/* What a login with a wrong password costs the server in processor time, all its threads. Each
 * comes from an address of its own, that none has to wait. */
static double login_cost(const Host *host, clockid_t clock, const char *login, unsigned number)
{
    CLEANUP(answer_done) Reply answer = {0};
    char body[100], address[60];
    Asker asker = {.more = address};

    snprintf(address, sizeof(address), "X-Forwarded-For: 198.51.100.%u\r\n", number);
    snprintf(body, sizeof(body), "{\"login\":\"%s\",\"password\":\"not the right one\"}", login);
    const double before = cpu_seconds(clock);
    host_must(host, 401, "POST", "login", &asker, body, &answer);
    return cpu_seconds(clock) - before;
}

/* Nobody learns by how long it takes whether there is such an account. */
static void a_login_of_nobody_takes_as_long(void **state)
{
    static const Str proxies[] = {{"127.0.0.1", 9}};
    Host *host = *state;
    CLEANUP(answer_done) Reply answer = {0};
    double known[LOGINS], unknown[LOGINS];
    clockid_t clock;

    host->setup.settings.proxies = proxies;
    host->setup.settings.proxy_count = 1;
    host_start(host);
    host_must(host, 201, "POST", "account", &nobody,
              "{\"login\":\"ann\",\"password\":\"" HOST_PASSWORD "\"}", &answer);
    assert_int_equal(clock_getcpuclockid(host->pid, &clock), 0);
    for (unsigned i = 0; i < LOGINS; i++) {
        known[i] = login_cost(host, clock, "ann", 2 * i);
        unknown[i] = login_cost(host, clock, "zoe", 2 * i + 1);
    }
    qsort(known, LOGINS, sizeof(known[0]), compare_seconds);
    qsort(unknown, LOGINS, sizeof(unknown[0]), compare_seconds);
    const double ratio = known[LOGINS / 2] / unknown[LOGINS / 2];
    printf(
        "a wrong password: %.2f ms of processor time with an account, %.2f without, ratio %.3f\n",
        known[LOGINS / 2] * 1e3, unknown[LOGINS / 2] * 1e3, ratio);
    assert_true(unknown[LOGINS / 2] > 0.001); /* the hash is in it */
    assert_true(ratio > 0.8 && ratio < 1.25);
    host_end(host);
}

static void what_is_not_json_or_no_field_is_refused_by_name(void **state)
{
    static const struct {
        const char *body;
        unsigned status;
        const char *field;
    } cases[] = {
        {"[]", 400, ""},
        {"{", 400, ""},
        {"{\"login\":5,\"password\":\"" HOST_PASSWORD "\"}", 422, "login"},
        {"{\"password\":\"" HOST_PASSWORD "\"}", 422, "login"},
        {"{\"login\":\"ann\"}", 422, "password"},
        {"{\"login\":\"ann\",\"password\":\"short\"}", 422, "password"},
        {"{\"login\":\"a b\",\"password\":\"" HOST_PASSWORD "\"}", 422, "login"},
        {"{\"login\":\"ann\",\"mail\":\"a@b\\nBcc: x@y\",\"password\":\"" HOST_PASSWORD "\"}", 422,
         "mail"},
        {"{\"login\":\"ann\\u0000x\",\"password\":\"" HOST_PASSWORD "\"}", 422, "login"},
    };
    Host *host = *state;
    CLEANUP(answer_done) Reply answer = {0};

    host_start(host);
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        host_ask(host, "POST", "account", &nobody, cases[i].body, &answer);
        if (answer.status == 429) /* five an hour: those that were judged to be good */
            break;
        Str field = answer.json ? json_text(json_get(answer.json, "error"), "field") : STR("?");
        if (answer.status != cases[i].status || !str_eq(field, str_of(cases[i].field)))
            fail_msg("%s: %u, '%.*s'", cases[i].body, answer.status, STR_ARG(field));
    }
    host_end(host);
}

static void errors_are_in_the_readers_language(void **state)
{
    Host *host = *state;
    CLEANUP(answer_done) Reply answer = {0};
    Asker japanese = {.more = "Accept-Language: ja,en;q=0.5\r\n"};

    host_start(host);
    host_must(host, 404, "GET", "nothing/here", &japanese, "", &answer);
    assert_non_null(strstr(buf_cstr(&answer.body), "ここには何もありません"));
    host_must(host, 405, "GET", "login", &nobody, "", &answer);
    assert_non_null(strstr(buf_cstr(&answer.head), "Allow: POST\r\n"));
    host_end(host);
}

static void signup_by_invitation_takes_links_alone_and_the_first_is_admin(void **state)
{
    Host *host = *state;
    CLEANUP(answer_done) Reply answer = {0};
    char secret[SECRET_TEXT_BYTES], body[256];
    Err err = {0};

    host->setup.settings.signup = API_SIGNUP_INVITE;
    host_start(host);
    host_must(host, 403, "POST", "account", &nobody,
              "{\"login\":\"ann\",\"password\":\"" HOST_PASSWORD "\"}", &answer);
    if (once_make(host->db, ONCE_ADMIN, ACCOUNT_NONE, STR(""), loop_date_ms(), secret, &err))
        fail_msg("%s", err.msg);
    snprintf(body, sizeof(body),
             "{\"login\":\"ann\",\"password\":\"" HOST_PASSWORD "\",\"invite\":\"%s\"}", secret);
    host_must(host, 201, "POST", "account", &nobody, body, &answer);
    assert_non_null(strstr(buf_cstr(&answer.body), "\"admin\":true"));
    body[11] = 'b';
    host_must(host, 409, "POST", "account", &nobody, body, &answer); /* used */
    assert_int_equal(host_number(host, "SELECT count(*) FROM account"), 1);
    host_end(host);
}

static void an_admin_makes_accounts_and_backups(void **state)
{
    Host *host = *state;
    CLEANUP(answer_done) Reply answer = {0};
    Asker local = {.local = true};
    char body[200], command[200];
    size_t slash = 0;

    host->setup.settings.signup = API_SIGNUP_CLOSED;
    host_start(host);
    host_must(host, 201, "POST", "accounts", &local, "{\"login\":\"ann\"}", &answer);
    Str link = answer_text(&answer, "link");
    assert_true(str_find_last(link, '/', &slash));
    snprintf(body, sizeof(body), "{\"secret\":\"%.*s\",\"password\":\"" HOST_PASSWORD "\"}",
             STR_ARG(str_part(link, slash + 1, SIZE_MAX)));
    host_must(host, 200, "POST", "reset", &nobody, body, &answer);
    Asker ann = {.cookie = answer.cookie};
    char cookie[SECRET_TEXT_BYTES];
    memcpy(cookie, answer.cookie, sizeof(cookie));
    ann.cookie = cookie;
    host_must(host, 403, "POST", "accounts", &ann, "{\"login\":\"bob\"}", &answer);
    host_must(host, 403, "POST", "backup", &ann, "{}", &answer);
    host_must(host, 403, "POST", "accounts/1/reset", &ann, "{}", &answer);
    host_must(host, 404, "POST", "accounts/99/reset", &local, "{}", &answer);
    host_must(host, 201, "POST", "accounts/1/reset", &local, "{}", &answer);
    link = answer_text(&answer, "link");
    assert_true(str_find_last(link, '/', &slash));
    snprintf(body, sizeof(body), "{\"secret\":\"%.*s\",\"password\":\"another " HOST_PASSWORD "\"}",
             STR_ARG(str_part(link, slash + 1, SIZE_MAX)));
    host_must(host, 200, "POST", "reset", &nobody, body, &answer);
    host_must(host, 401, "GET", "account", &ann, "", &answer); /* its logins have ended */
    host_must(host, 201, "POST", "backup", &local, "{}", &answer);
    snprintf(command, sizeof(command), "test -s '%.*s/manifest.json'",
             STR_ARG(answer_text(&answer, "folder")));
    assert_int_equal(system(command), 0);
    host_end(host);
}

/* The link of the newest mail that confirms an address, as JSON for POST /invite. */
static void mail_link(const Host *host, char body[static 120])
{
    CLEANUP(db_query_freep) DbQuery *query = NULL;

    assert_int_equal(db_query(host->db,
                              "SELECT body FROM notice WHERE kind = 'mail'"
                              " ORDER BY id DESC LIMIT 1",
                              &query, NULL),
                     0);
    assert_int_equal(db_step(query, NULL), 1);
    Str text = db_text(query, 0), start = STR("/invite/");
    size_t at = 0;
    assert_true(str_find(text, start, &at));
    snprintf(body, 120, "{\"secret\":\"%.*s\"}", 64, text.bytes + at + start.len);
}

static void an_address_is_confirmed_by_who_reads_its_mail(void **state)
{
    Host *host = *state;
    CLEANUP(answer_done) Reply answer = {0};
    char ann_is[SECRET_TEXT_BYTES], bob_is[SECRET_TEXT_BYTES], old[120], link[120];
    static const char sql[] = "SELECT mail_ok FROM account WHERE login = 'ann'";

    host_start(host);
    give_password(host, host_account(host, "ann", ann_is));
    host_account(host, "bob", bob_is);
    Asker ann = {.cookie = ann_is}, bob = {.cookie = bob_is};
    host_must(host, 200, "PATCH", "account", &ann,
              "{\"old\":\"" HOST_PASSWORD "\",\"mail\":\"ann@example.org\"}", &answer);
    mail_link(host, old);
    host_must(host, 200, "PATCH", "account", &ann,
              "{\"name\":\"Ann\",\"mail\":\"ann@example.org\"}", &answer);
    mail_link(host, link);
    assert_string_equal(old, link); /* the address is the same, and the link holds */
    assert_int_equal(host_number(host, "SELECT count(*) FROM notice WHERE kind = 'mail'"), 1);
    assert_int_equal(host_number(host, "SELECT count(*) FROM notice WHERE kind = 'mail' AND body "
                                       "LIKE '%/invite/%?confirm%'"),
                     1);
    host_must(host, 200, "PATCH", "account", &ann,
              "{\"old\":\"" HOST_PASSWORD "\",\"mail\":\"ann@example.net\"}", &answer);
    mail_link(host, link);
    assert_string_not_equal(old, link);
    host_must(host, 409, "POST", "invite", &ann, old, &answer); /* of the address before */
    host_must(host, 409, "POST", "invite", &bob, link, &answer);
    assert_int_equal(host_number(host, sql), 0);
    host_must(host, 200, "POST", "invite", &ann, link, &answer); /* bob has not used it up */
    assert_non_null(strstr(buf_cstr(&answer.body), "\"mail_ok\":true"));
    assert_int_equal(host_number(host, sql), 1);
    memcpy(ann_is, answer.cookie, sizeof(ann_is));
    const int64_t sent = host_number(host, "SELECT count(*) FROM notice WHERE kind = 'mail'");
    host_must(host, 409, "POST", "invite", &ann, link, &answer);
    host_must(host, 200, "PATCH", "account", &ann, "{\"mail\":\"ann@example.net\"}", &answer);
    assert_int_equal(host_number(host, sql), 1);
    assert_int_equal(host_number(host, "SELECT count(*) FROM notice WHERE kind = 'mail'"), sent);
    host_must(host, 200, "PATCH", "account", &ann, "{\"old\":\"" HOST_PASSWORD "\",\"mail\":\"\"}",
              &answer);
    assert_int_equal(host_number(host, "SELECT count(*) FROM notice WHERE kind = 'mail'"), sent);
    host_end(host);
}

static void another_address_needs_the_password(void **state)
{
    Host *host = *state;
    CLEANUP(answer_done) Reply answer = {0};
    char ann_is[SECRET_TEXT_BYTES];
    static const char sql[] = "SELECT count(*) FROM account WHERE mail = 'evil@example.org'";

    host_start(host);
    give_password(host, host_account(host, "ann", ann_is));
    Asker ann = {.cookie = ann_is};
    host_must(host, 422, "PATCH", "account", &ann, "{\"mail\":\"evil@example.org\"}", &answer);
    host_must(host, 401, "PATCH", "account", &ann,
              "{\"mail\":\"evil@example.org\",\"old\":\"a guess of mine, long\"}", &answer);
    assert_int_equal(host_number(host, sql), 0);
    assert_int_equal(host_number(host, "SELECT count(*) FROM notice WHERE kind = 'mail'"), 0);
    host_must(host, 200, "PATCH", "account", &ann, "{\"name\":\"Ann\"}", &answer);
    host_must(host, 200, "PATCH", "account", &ann,
              "{\"mail\":\"evil@example.org\",\"old\":\"" HOST_PASSWORD "\"}", &answer);
    assert_int_equal(host_number(host, sql), 1);
    host_end(host);
}

static void an_answer_that_is_had_already_is_304(void **state)
{
    Host *host = *state;
    CLEANUP(answer_done) Reply answer = {0};
    char etag[100] = "", more[160];

    host_start(host);
    host_must(host, 200, "GET", "contests", &nobody, "", &answer);
    const char *line = strstr(buf_cstr(&answer.head), "ETag: ");
    assert_non_null(line);
    assert_int_equal(sscanf(line, "ETag: %99[^\r]", etag), 1);
    snprintf(more, sizeof(more), "If-None-Match: %s\r\n", etag);
    Asker again = {.cookie = "", .more = more};
    host_must(host, 304, "GET", "contests", &again, "", &answer);
    host_end(host);
}

static void pages_have_a_strict_policy_and_health_is_at_the_top(void **state)
{
    Host *host = *state;
    CLEANUP(answer_done) Reply answer = {0};

    host_start(host);
    host_must(host, 200, "GET", "/", &nobody, "", &answer);
    assert_non_null(strstr(buf_cstr(&answer.body), "<div id=\"site\">"));
    assert_non_null(strstr(buf_cstr(&answer.head), "script-src 'self'"));
    assert_non_null(strstr(buf_cstr(&answer.head), "frame-ancestors 'none'"));
    assert_non_null(
        strstr(buf_cstr(&answer.head), "require-trusted-types-for 'script'; trusted-types 'none'"));
    assert_non_null(strstr(buf_cstr(&answer.head), "nosniff"));
    assert_non_null(strstr(buf_cstr(&answer.head), "Strict-Transport-Security"));
    assert_null(strstr(buf_cstr(&answer.head), "unsafe"));
    const char *script = strstr(buf_cstr(&answer.body), "/web/assets/site.");
    assert_non_null(script);
    host_must(host, 200, "GET", "/cup/games/1/watch", &nobody, "", &answer);
    assert_non_null(strstr(buf_cstr(&answer.body), "<div id=\"app\">"));
    assert_non_null(strstr(buf_cstr(&answer.head), "script-src 'self'"));
    host_must(host, 404, "GET", "/cup/teams/1/watch", &nobody, "", &answer);
    host_must(host, 404, "GET", "/cup/games/1/watch/2", &nobody, "", &answer);
    host_must(host, 200, "GET", "/health", &nobody, "", &answer);
    host_must(host, 503, "GET", "/ready", &nobody, "", &answer);
    assert_string_equal(buf_cstr(&answer.body), "{\"ready\":false,\"reasons\":[\"runner\"]}");
    host_must(host, 401, "GET", "/metrics", &nobody, "", &answer);
    Asker local = {.local = true};
    host_must(host, 200, "GET", "/metrics", &local, "", &answer);
    assert_non_null(strstr(buf_cstr(&answer.body), "warg_accounts 0"));
    host_must(host, 400, "GET", "/..%2fsite.db", &nobody, "", &answer);
    host_must(host, 400, "GET", "/web/assets/../../site.db", &nobody, "", &answer);
    host_end(host);
}

/* Each secret costs a hash before it is looked for: one address must not keep all others waiting.
 */
static void secrets_are_guessed_as_slowly_as_passwords(void **state)
{
    Host *host = *state;
    CLEANUP(answer_done) Reply answer = {0};
    unsigned refused = 0;

    host_start(host);
    for (int i = 0; i < 12; i++) {
        host_ask(host, "POST", "reset", &nobody,
                 "{\"secret\":\"00\",\"password\":\"" HOST_PASSWORD "\"}", &answer);
        refused += answer.status == 429;
    }
    assert_true(refused > 0);
    host_end(host);
}

/* Told as a wrong password is, so that nobody learns of it, and no login is made. */
static void who_is_disabled_does_not_get_in(void **state)
{
    Host *host = *state;
    CLEANUP(answer_done) Reply answer = {0};
    Err err = {0};

    host_start(host);
    host_must(host, 201, "POST", "account", &nobody,
              "{\"login\":\"ann\",\"password\":\"" HOST_PASSWORD "\"}", &answer);
    if (db_exec(host->db, "UPDATE account SET disabled = 1", &err))
        fail_msg("%s", err.msg);
    host_must(host, 401, "POST", "login", &nobody,
              "{\"login\":\"ann\",\"password\":\"" HOST_PASSWORD "\"}", &answer);
    assert_true(str_eq(answer_code(&answer), STR("password")));
    host_end(host);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(an_account_is_made_logs_in_changes_and_goes),
        CASE(tokens_and_logins_are_listed_without_their_secrets_and_ended),
        CASE(who_is_disabled_does_not_get_in),
        CASE(secrets_are_guessed_as_slowly_as_passwords),
        CASE(another_address_needs_the_password),
        CASE(an_address_is_confirmed_by_who_reads_its_mail),
        CASE(a_reset_link_works_once_and_nobody_learns_who_has_an_account),
        CASE(a_new_password_ends_what_the_old_one_began),
        CASE(what_is_under_way_with_an_old_password_is_refused),
        CASE(who_guesses_waits_and_another_address_gets_in),
        CASE(who_is_no_proxy_has_its_own_address),
        CASE(a_link_of_somebody_is_nobody_elses),
        CASE(calls_and_new_accounts_have_rates),
        CASE(who_has_no_account_costs_one_hash_too),
        CASE(a_login_of_nobody_takes_as_long),
        CASE(what_is_not_json_or_no_field_is_refused_by_name),
        CASE(errors_are_in_the_readers_language),
        CASE(signup_by_invitation_takes_links_alone_and_the_first_is_admin),
        CASE(an_admin_makes_accounts_and_backups),
        CASE(an_answer_that_is_had_already_is_304),
        CASE(pages_have_a_strict_policy_and_health_is_at_the_top),
    };

    return HOST_RUN(tests, false);
}
