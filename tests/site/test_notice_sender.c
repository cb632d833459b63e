#include "http_stub.h"
#include "site_places.h"

#include "base/date_text.h"
#include "base/digest.h"
#include "disk/log_file.h"
#include "site/notice_mail.h"
#include "site/notice_sender.h"

#include <sys/stat.h>

#define NOW    ((int64_t)1800000000000) /* 2027-01-15T08:00:00Z */
#define MINUTE INT64_C(60000)
#define HOUR   (60 * MINUTE)

/* ---- a site that sends ---- */

typedef struct Post {
    const SitePlace *place;
    Db *db;
    Loop *loop;
    HttpClient *http;
    NoticeSender *sender;
    Timer *limit;
    bool timed_out;
    char command[128];
    Stub stub;
} Post;

/* Keeps what it is given in mail.0, mail.1 ...; `way`: what it does before. */
static void write_command(Post *post, const char *way)
{
    FILE *file;

    snprintf(post->command, sizeof(post->command), "%s/sendmail", post->place->folder);
    file = fopen(post->command, "w");
    assert_non_null(file);
    fprintf(
        file,
        "#!/bin/sh\n[ \"$*\" = '-t -i' ] || exit 9\n%s\nn=0\n"
        "while [ -e '%s/mail.'$n ]; do n=$((n + 1)); done\ncat > '%s/mail.'$n\nenv > '%s/env'\n",
        way, post->place->folder, post->place->folder, post->place->folder);
    fclose(file);
    assert_int_equal(chmod(post->command, 0700), 0);
}

static void on_limit(void *user, TimeUs now)
{
    Post *post = user;

    (void)now;
    post->timed_out = true;
    loop_stop(post->loop);
}

static void answer_hook(void *user, const StubAsk *ask, StubAnswer *ret)
{
    (void)user;
    ret->status = str_starts(ask->target, STR("/bad")) ? 500 : 200;
    ret->hang = str_starts(ask->target, STR("/hang"));
    if (str_starts(ask->target, STR("/away"))) {
        ret->status = 0;
        buf_add(&ret->body, STR("HTTP/1.1 307 Away\r\nLocation: /good\r\nContent-Length: 0\r\n"
                                "Connection: close\r\n\r\n"));
    }
    if (str_starts(ask->target, STR("/huge"))) { /* more would come, and does not */
        ret->status = 0;
        buf_add(&ret->body, STR("HTTP/1.1 200 OK\r\nContent-Length: 1000000000\r\n\r\n"));
        for (int i = 0; i < 100000; i++)
            buf_add(&ret->body, STR("0123456789"));
    }
}

static void open_post(Post *post, void **state, const char *way, bool any_hook)
{
    Err err = {0};

    post->place = *state;
    post->db = site_place_open(state);
    write_command(post, way ? way : "");
    stub_no_proxy();
    stub_begin(&post->stub, answer_hook, post);
    assert_int_equal(loop_new(&post->loop, NULL), 0);
    assert_int_equal(http_client_new(post->loop, &post->http, NULL), 0);
    assert_int_equal(timer_new(post->loop, on_limit, post, &post->limit, NULL), 0);
    const NoticeSenderSetup setup = {.db = post->db,
                                     .loop = post->loop,
                                     .http = post->http,
                                     .data = post->place->folder,
                                     .host = STR("contest.example.org"),
                                     .mail_command = way ? post->command : "",
                                     .mail_from = "contest@example.org",
                                     .hook_url = "",
                                     .hook_secret = "",
                                     .any_hook = any_hook,
                                     .mail_ms = 20000,
                                     .hook_ms = 20000};
    if (notice_sender_new(&setup, &post->sender, &err))
        fail_msg("%s", err.msg);
}

static void close_post(Post *post)
{
    notice_sender_free(post->sender);
    http_client_free(post->http);
    loop_free(post->loop);
    stub_end(&post->stub);
    db_close(post->db);
}

/* A tick, and the loop until at most `left` deliveries are under way. */
static void on_poll(void *user, TimeUs now)
{
    Post *post = user;

    (void)now;
    loop_stop(post->loop);
}

static void deliver(Post *post, int64_t now_ms, uint32_t left)
{
    Timer *poll = NULL;
    Err err = {0};

    if (notice_sender_tick(post->sender, now_ms, &err))
        fail_msg("%s", err.msg);
    assert_int_equal(timer_new(post->loop, on_poll, post, &poll, NULL), 0);
    post->timed_out = false;
    timer_in(post->limit, (TimeUs)30 * 1000000);
    while (notice_sender_counts(post->sender).under_way > left && !post->timed_out) {
        timer_in(poll, 2000);
        loop_run(post->loop);
    }
    assert_false(post->timed_out);
    timer_stop(post->limit);
    timer_free(poll);
}

static int64_t count_of(Db *db, const char *sql)
{
    CLEANUP(db_query_freep) DbQuery *query = NULL;
    Err err = {0};

    if (db_query(db, sql, &query, &err) || db_step(query, &err) != 1)
        fail_msg("%s: %s", sql, err.msg);
    return db_int(query, 0);
}

static void run_sql(Db *db, const char *sql)
{
    Err err = {0};

    if (db_exec(db, sql, &err))
        fail_msg("%s: %s", sql, err.msg);
}

static int64_t mails(const Post *post)
{
    int64_t count = 0;

    for (;; count++) {
        char path[160];
        struct stat about;
        snprintf(path, sizeof(path), "%s/mail.%d", post->place->folder, (int)count);
        if (stat(path, &about))
            return count;
    }
}

/* A mail as it was sent, its text unpacked behind it. */
static void read_mail(const Post *post, int number, Buf *head, Buf *text)
{
    CLEANUP(buf_done) Buf path = {0};
    CLEANUP(buf_done) Buf all = {0};
    CLEANUP(buf_done) Buf packed = {0};
    size_t end = 0;

    buf_printf(&path, "%s/mail.%d", post->place->folder, number);
    assert_int_equal(log_file_read(buf_cstr(&path), 1000000, &all, NULL), 0);
    assert_true(str_find(buf_str(&all), STR("\n\n"), &end));
    buf_add(head, str_part(buf_str(&all), 0, end + 1));
    for (Str rest = str_part(buf_str(&all), end + 2, all.len); rest.len;)
        buf_add(&packed, str_cut(&rest, '\n'));
    assert_int_equal(base64_decode(buf_str(&packed), false, text, NULL), 0);
}

static void add_people(Db *db)
{
    run_sql(db, "INSERT INTO account(login, mail, language, created)"
                " VALUES('ann', 'ann@example.org', 'en', 1), ('bo', 'bo@example.org', 'ja', 1);"
                "INSERT INTO contest(name, state, file, digest, changed)"
                " VALUES('cup', 'OPEN', '', '', 1);"
                "INSERT INTO team(contest, name, state, created)"
                " VALUES(1, 'wits', 'IN', 1), (1, 'owls', 'IN', 1);"
                "INSERT INTO member(team, account, captain) VALUES(1, 1, 1), (2, 2, 1)");
}

static void put(Post *post, NoticeKind kind, NoticeTo to, int64_t id, const char *text)
{
    const NoticeWord words[] = {{"team", STR("wits")}, {"text", str_of(text)}};
    const Notice notice = {
        .kind = kind, .to = to, .id = id, .contest = 1, .words = words, .word_count = 2};

    assert_int_equal(notice_put(post->db, &notice, NOW, NULL), 0);
}

/* ---- mail ---- */

static bool has(Str text, const char *part)
{
    size_t at;

    return str_find(text, str_of(part), &at);
}

static void a_notice_is_mailed_in_the_readers_language(void **state)
{
    CLEANUP(buf_done) Buf head = {0};
    CLEANUP(buf_done) Buf text = {0};
    CLEANUP(buf_done) Buf heads = {0};
    CLEANUP(buf_done) Buf japanese = {0};
    Post post = {0};

    open_post(&post, state, "", false);
    add_people(post.db);
    put(&post, NOTICE_ANNOUNCEMENT, TO_TEAM, 1, "the hall is open");
    deliver(&post, NOW, 0);
    put(&post, NOTICE_FINALIST, TO_TEAM, 2, "");
    deliver(&post, NOW, 0);
    assert_int_equal(mails(&post), 2);
    read_mail(&post, 0, &head, &text);
    assert_true(has(buf_str(&head), "From: contest@example.org\nTo: ann@example.org\n"
                                    "Subject: cup: an announcement\n"
                                    "Date: Fri, 15 Jan 2027 08:00:00 +0000\n"
                                    "Message-ID: <warg-notice-"));
    assert_true(has(buf_str(&text), "the hall is open"));
    read_mail(&post, 1, &heads, &japanese);
    assert_true(has(buf_str(&heads), "Subject: =?UTF-8?B?"));
    assert_true(has(buf_str(&japanese), "決勝"));
    assert_int_equal(
        count_of(post.db, "SELECT count(*) FROM notice WHERE channel = 'mail' AND sent IS NULL"),
        0);
    deliver(&post, NOW + MINUTE, 0);
    assert_int_equal(mails(&post), 2);
    close_post(&post);
}

/* What somebody wrote comes into no header, and no address is two. */
static void nobody_writes_a_header(void **state)
{
    CLEANUP(buf_done) Buf head = {0};
    CLEANUP(buf_done) Buf text = {0};
    const char *const evil = "x\r\nBcc: victim@example.com\r\n\r\n.\r\nFrom: you";
    Post post = {0};

    open_post(&post, state, "", false);
    add_people(post.db);
    put(&post, NOTICE_ANNOUNCEMENT, TO_TEAM, 1, evil);
    deliver(&post, NOW, 0);
    read_mail(&post, 0, &head, &text);
    assert_false(has(buf_str(&head), "victim"));
    assert_true(has(buf_str(&text), evil));
    run_sql(post.db, "UPDATE account SET mail = 'a@b.example, victim@example.com' WHERE id = 1");
    put(&post, NOTICE_ANNOUNCEMENT, TO_TEAM, 1, "x");
    deliver(&post, NOW, 0);
    run_sql(post.db,
            "UPDATE account SET mail = 'a@b.example\nBcc: victim@example.com' WHERE id = 2");
    put(&post, NOTICE_ANNOUNCEMENT, TO_TEAM, 2, "x");
    deliver(&post, NOW, 0);
    assert_int_equal(mails(&post), 1);
    close_post(&post);
}

static void addresses_are_exactly_one(void **state)
{
    static const char *const bad[] = {"",         "a",     "@b",      "a@",     "a@b,c@d",
                                      "a@b\nc",   "a@b c", "<a@b>",   "a@b@c",  "-oQ/tmp@b",
                                      "a@b\tc@d", "a;b@c", "\"a\"@b", "a(b)@c", "a@b\r"};

    (void)state;
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
        if (notice_mail_is_address(str_of(bad[i])))
            fail_msg("'%s' is taken", bad[i]);
    assert_true(notice_mail_is_address(STR("ann.b+c@mail.example.org")));
}

/* The command gets no variable of ours. */
static void the_command_sees_no_secret(void **state)
{
    CLEANUP(buf_done) Buf path = {0};
    CLEANUP(buf_done) Buf all = {0};
    Post post = {0};

    setenv("WARG_STORE", "planted-secret", 1);
    open_post(&post, state, "", false);
    add_people(post.db);
    put(&post, NOTICE_ANNOUNCEMENT, TO_TEAM, 1, "x");
    deliver(&post, NOW, 0);
    buf_printf(&path, "%s/env", post.place->folder);
    assert_int_equal(log_file_read(buf_cstr(&path), 100000, &all, NULL), 0);
    assert_false(has(buf_str(&all), "planted-secret"));
    close_post(&post);
    unsetenv("WARG_STORE");
}

static void twenty_mails_an_hour_and_then_one_of_the_rest(void **state)
{
    CLEANUP(buf_done) Buf head = {0};
    CLEANUP(buf_done) Buf text = {0};
    Post post = {0};

    open_post(&post, state, "", false);
    add_people(post.db);
    for (int i = 0; i < 30; i++) {
        char word[24];
        snprintf(word, sizeof(word), "number %d.", i);
        put(&post, NOTICE_ANNOUNCEMENT, TO_TEAM, 1, word);
    }
    for (int i = 0; i < 25; i++)
        deliver(&post, NOW + i, 0);
    assert_int_equal(mails(&post), NOTICE_MAILS_PER_HOUR);
    read_mail(&post, NOTICE_MAILS_PER_HOUR - 1, &head, &text);
    assert_true(has(buf_str(&head), "Subject: Notices of the contest site\n"));
    assert_true(has(buf_str(&text), "number 19.") && has(buf_str(&text), "number 29."));
    put(&post, NOTICE_ANNOUNCEMENT, TO_TEAM, 1, "late 1");
    put(&post, NOTICE_ANNOUNCEMENT, TO_TEAM, 1, "late 2");
    deliver(&post, NOW + 30 * MINUTE, 0);
    assert_int_equal(mails(&post), NOTICE_MAILS_PER_HOUR);
    deliver(&post, NOW + 61 * MINUTE, 0);
    deliver(&post, NOW + 61 * MINUTE + 1, 0);
    assert_int_equal(mails(&post), NOTICE_MAILS_PER_HOUR + 2);
    close_post(&post);
}

static void a_mail_is_tried_eight_times_within_a_day(void **state)
{
    Post post = {0};
    int64_t tries = 0, last = NOW;

    open_post(&post, state, "exit 1", false);
    add_people(post.db);
    put(&post, NOTICE_ANNOUNCEMENT, TO_TEAM, 1, "x");
    for (int64_t now = NOW; now < NOW + 48 * HOUR; now += MINUTE) {
        deliver(&post, now, 0);
        const int64_t had = count_of(post.db, "SELECT max(tries) FROM notice");
        last = had > tries ? now : last;
        tries = had;
    }
    assert_int_equal(tries, NOTICE_TRIES);
    assert_true(last > NOW + 20 * HOUR && last <= NOW + 24 * HOUR);
    assert_int_equal(count_of(post.db,
                              "SELECT count(*) FROM notice WHERE channel = 'mail' AND error ="
                              " 'mail command: exit status 1' AND sent IS NULL"),
                     1);
    close_post(&post);
}

static void a_secret_is_gone_once_it_is_sent(void **state)
{
    const NoticeWord words[] = {{"link", STR("https://contest.example.org/reset/5ecret")}};
    const Notice notice = {
        .kind = NOTICE_RESET, .to = TO_ACCOUNT, .id = 1, .words = words, .word_count = 1};
    CLEANUP(buf_done) Buf head = {0};
    CLEANUP(buf_done) Buf text = {0};
    Post post = {0};

    open_post(&post, state, "", false);
    add_people(post.db);
    assert_int_equal(notice_put(post.db, &notice, NOW, NULL), 0);
    assert_int_equal(count_of(post.db, "SELECT count(*) FROM notice"), 1); /* none in the site */
    deliver(&post, NOW, 0);
    read_mail(&post, 0, &head, &text);
    assert_true(has(buf_str(&text), "/reset/5ecret"));
    assert_int_equal(count_of(post.db, "SELECT count(*) FROM notice WHERE body LIKE '%5ecret%'"),
                     0);
    close_post(&post);
}

/* ---- webhooks ---- */

static void set_hook(Post *post, int team, const char *host, const char *path)
{
    CLEANUP(buf_done) Buf sql = {0};

    buf_printf(&sql,
               "UPDATE team SET webhook = 'http://%s:%u%s', hook_secret = 'k%d' WHERE id = %d",
               host, post->stub.port, path, team, team);
    run_sql(post->db, buf_cstr(&sql));
}

static void a_webhook_is_signed(void **state)
{
    char expected[NOTICE_SIGNATURE_BYTES];
    Post post = {0};

    open_post(&post, state, "", true);
    add_people(post.db);
    set_hook(&post, 1, "127.0.0.1", "/x");
    put(&post, NOTICE_ANNOUNCEMENT, TO_TEAM, 1, "the hall");
    deliver(&post, NOW, 0);
    assert_int_equal(stub_count(&post.stub), 1);
    const StubAsk *ask = stub_asked(&post.stub, 0);
    assert_true(has(ask->body, "\"kind\":\"announcement\",\"contest\":\"cup\""));
    assert_true(has(ask->body, "the hall"));
    assert_int_equal(notice_hook_sign(STR("k1"), ask->body, expected, NULL), 0);
    assert_true(str_eq(stub_header(ask, "X-Warg-Signature:"),
                       str_of(expected + strlen("X-Warg-Signature: "))));
    close_post(&post);
}

/* One that never answers, and one that says no. */
static void a_webhook_that_hangs_delays_nobody(void **state)
{
    Post post = {0};

    open_post(&post, state, "", true);
    add_people(post.db);
    set_hook(&post, 1, "127.0.0.1", "/hang");
    set_hook(&post, 2, "127.0.0.1", "/good");
    for (int i = 0; i < 5; i++)
        put(&post, NOTICE_ANNOUNCEMENT, TO_TEAMS, 0, "x");
    for (int i = 0; i < 5; i++)
        deliver(&post, NOW + i, 1); /* the one that hangs */
    assert_int_equal(count_of(post.db,
                              "SELECT count(*) FROM notice WHERE channel = 'hook' AND team ="
                              " 2 AND sent IS NOT NULL"),
                     5);
    assert_int_equal(
        count_of(post.db, "SELECT count(*) FROM notice WHERE channel = 'mail' AND sent IS NULL"),
        0);
    assert_int_equal(mails(&post), 10);
    assert_int_equal(notice_sender_counts(post.sender).under_way, 1);
    close_post(&post);
}

/* A redirect is not followed, with its signature least of all; an answer without end is read as far
 * as anybody needs it. Neither is tried at once again, and the error has no word of the URL. */
static void a_webhook_that_plays_tricks_has_failed(void **state)
{
    Post post = {0};

    open_post(&post, state, "", true);
    add_people(post.db);
    set_hook(&post, 1, "127.0.0.1", "/away/5ecret");
    set_hook(&post, 2, "127.0.0.1", "/huge/5ecret");
    put(&post, NOTICE_ANNOUNCEMENT, TO_TEAMS, 0, "x");
    deliver(&post, NOW, 0);
    deliver(&post, NOW + 1, 0);
    assert_int_equal(stub_count(&post.stub), 2);
    assert_int_equal(count_of(post.db, "SELECT count(*) FROM notice WHERE channel = 'hook' AND"
                                       " sent IS NULL AND tries = 1"),
                     2);
    assert_int_equal(count_of(post.db, "SELECT count(*) FROM notice WHERE team = 1 AND error ="
                                       " 'webhook: status 307'"),
                     1);
    assert_int_equal(count_of(post.db, "SELECT count(*) FROM notice WHERE team = 2 AND error ="
                                       " 'webhook: the answer is longer than 65536 bytes'"),
                     1);
    assert_int_equal(count_of(post.db, "SELECT count(*) FROM notice WHERE error LIKE '%5ecret%'"),
                     0);
    close_post(&post);
}

/* What a team's webhook must not do: ask services of this machine in our name. */
static void a_teams_webhook_leads_to_no_own_address(void **state)
{
    static const char *const hosts[] = {"127.0.0.1", "localhost", "[::ffff:127.0.0.1]", "0.0.0.0",
                                        "2130706433"};
    Post post = {0};

    open_post(&post, state, "", false);
    add_people(post.db);
    for (size_t i = 0; i < sizeof(hosts) / sizeof(hosts[0]); i++) {
        set_hook(&post, 1, hosts[i], "/admin");
        put(&post, NOTICE_ANNOUNCEMENT, TO_TEAM, 1, "x");
        deliver(&post, NOW + (int64_t)i * 2 * MINUTE, 0);
    }
    assert_int_equal(stub_count(&post.stub), 0);
    assert_int_equal(
        count_of(post.db,
                 "SELECT count(*) FROM notice WHERE channel = 'hook' AND sent IS NOT NULL"),
        0);
    close_post(&post);
}

static void urls_of_webhooks_are_plain(void **state)
{
    static const char *const bad[] = {"",
                                      "ftp://h.example/x",
                                      "https://",
                                      "https:///x",
                                      "http://user:word@h.example/",
                                      "https://h.example/a b",
                                      "https://h.example/\r\nX: y",
                                      "https://user@h.example/x",
                                      "https://h.example?x@127.0.0.1/",
                                      "https://h.example#@127.0.0.1/",
                                      "https://h.example\\@127.0.0.1/",
                                      "https://h.ex\xc3\xa4mple/",
                                      "gopher://h.example/x",
                                      "HTTPS://h.example/x",
                                      "file:///etc/passwd"};

    (void)state;
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
        assert_int_equal(notice_hook_judge(str_of(bad[i]), NULL), ERR_RULE);
    assert_int_equal(notice_hook_judge(STR("https://hooks.example.org/services/T0/x?y=z"), NULL),
                     0);
}

/* O44 */
static void without_mail_nothing_waits(void **state)
{
    Post post = {0};

    open_post(&post, state, NULL, false);
    add_people(post.db);
    put(&post, NOTICE_ANNOUNCEMENT, TO_TEAMS, 0, "x");
    deliver(&post, NOW, 0);
    assert_int_equal(
        count_of(post.db, "SELECT count(*) FROM notice WHERE sent IS NULL AND tries < 8"), 0);
    assert_int_equal(
        count_of(post.db, "SELECT count(*) FROM notice WHERE channel = 'site' AND sent > 0"), 2);
    close_post(&post);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        ON_SQLITE(a_notice_is_mailed_in_the_readers_language),
        ON_SQLITE(nobody_writes_a_header),
        cmocka_unit_test(addresses_are_exactly_one),
        ON_SQLITE(the_command_sees_no_secret),
        ON_SQLITE(twenty_mails_an_hour_and_then_one_of_the_rest),
        ON_SQLITE(a_mail_is_tried_eight_times_within_a_day),
        ON_SQLITE(a_secret_is_gone_once_it_is_sent),
        ON_SQLITE(a_webhook_is_signed),
        ON_SQLITE(a_webhook_that_hangs_delays_nobody),
        ON_SQLITE(a_webhook_that_plays_tricks_has_failed),
        ON_SQLITE(a_teams_webhook_leads_to_no_own_address),
        cmocka_unit_test(urls_of_webhooks_are_plain),
        ON_SQLITE(without_mail_nothing_waits),
    };

    return cmocka_run_group_tests(tests, site_server_set_up, site_server_tear_down);
}
