/* Files that teams send: streamed, limited, broken off, on a full disk.
 * docs/spec/contest-operations.md O11. */
#include "api_cup.h"

#include "api/api_upload.h"
#include "site/blob.h"
#include "site/disk_state.h"

#include <sys/statvfs.h>
#include <time.h>

static void make_version(Host *host, const char *cookie, char ret_path[static 80])
{
    CLEANUP(answer_done) Reply answer = {0};
    Asker captain = {.cookie = cookie};

    host_must(host, 201, "POST", "contests/cup/teams/wits/versions", &captain,
              "{\"language\":\"python\",\"entry\":\"start.py\",\"note\":\"first\"}", &answer);
    snprintf(ret_path, 80, "contests/cup/versions/%.*s/file", STR_ARG(answer_text(&answer, "id")));
}

static void a_file_is_streamed_to_a_blob_once_and_the_limit_holds(void **state)
{
    Host *host = *state;
    CLEANUP(answer_done) Reply answer = {0};
    CLEANUP(buf_done) Buf file = {0};
    char cookie[SECRET_TEXT_BYTES], first[80], second[80], third[80];

    host_start(host);
    cup_begin_team(host, cookie);
    Asker captain = {.cookie = cookie, .type = "application/octet-stream"};
    Asker stranger = {.type = "application/octet-stream"};
    make_version(host, cookie, first);
    make_version(host, cookie, second);
    make_version(host, cookie, third);
    for (int i = 0; i < 100000; i++)
        buf_add_char(&file, (char)(i * 7));
    host_ask_with(host, "PUT", first, &stranger, buf_str(&file), &answer);
    assert_int_equal(answer.status, 401);
    host_ask_with(host, "PUT", first, &captain, buf_str(&file), &answer);
    assert_int_equal(answer.status, 200);
    assert_non_null(strstr(buf_cstr(&answer.body), "\"bytes\":100000"));
    host_ask_with(host, "PUT", first, &captain, buf_str(&file), &answer); /* it has one */
    assert_int_equal(answer.status, 409);
    host_ask_with(host, "PUT", second, &captain, buf_str(&file), &answer); /* the same bytes */
    assert_int_equal(answer.status, 200);
    assert_int_equal(count_files(host, "blobs"), 1);
    buf_add_char(&file, 'x'); /* the limit and one */
    host_ask_with(host, "PUT", third, &captain, buf_str(&file), &answer);
    assert_int_equal(answer.status, 413);
    assert_true(str_eq(answer_code(&answer), STR("too_large")));
    assert_int_equal(count_files(host, "blobs"), 1);
    wait_for_files(host, "incoming", 0);
    host_end(host);
}

static void what_is_broken_off_leaves_nothing(void **state)
{
    Host *host = *state;
    CLEANUP(buf_done) Buf request = {0};
    char cookie[SECRET_TEXT_BYTES], path[80];

    host_start(host);
    cup_begin_team(host, cookie);
    make_version(host, cookie, path);
    Asker captain = {.cookie = cookie, .type = "application/octet-stream"};
    host_write_head("PUT", path, &captain, 90000, &request);
    buf_add(&request, STR("only the beginning"));
    int fd = host_dial(host, false);
    assert_int_equal(send(fd, request.bytes, request.len, MSG_NOSIGNAL), request.len);
    wait_for_files(host, "incoming", 1);
    close(fd);
    wait_for_files(host, "incoming", 0);
    assert_int_equal(count_files(host, "blobs"), 0);
    /* A server that is killed meanwhile, too. */
    fd = host_dial(host, false);
    assert_int_equal(send(fd, request.bytes, request.len, MSG_NOSIGNAL), request.len);
    wait_for_files(host, "incoming", 1);
    kill(host->pid, SIGKILL);
    waitpid(host->pid, NULL, 0);
    close(fd);
    host_start(host);
    assert_int_equal(count_files(host, "incoming"), 0);
    host_end(host);
}

static void what_trickles_is_given_up_and_leaves_nothing(void **state)
{
    Host *host = *state;
    CLEANUP(answer_done) Reply answer = {0};
    CLEANUP(buf_done) Buf request = {0};
    char cookie[SECRET_TEXT_BYTES], path[80];

    host->setup.body_time = 200000;
    host_start(host);
    cup_begin_team(host, cookie);
    make_version(host, cookie, path);
    Asker captain = {.cookie = cookie, .type = "application/octet-stream"};
    host_write_head("PUT", path, &captain, 90000, &request);
    buf_add(&request, STR("only the beginning"));
    int fd = host_dial(host, false);
    assert_int_equal(send(fd, request.bytes, request.len, MSG_NOSIGNAL), request.len);
    host_read(fd, &answer);
    close(fd);
    assert_int_equal(answer.status, 408);
    assert_true(str_eq(answer_code(&answer), STR("slow")));
    wait_for_files(host, "incoming", 0);
    assert_int_equal(count_files(host, "blobs"), 0);
    host_end(host);
}

/* Each keeps its place on the disk for as long as it comes at all. */
static void a_team_sends_few_files_at_once(void **state)
{
    Host *host = *state;
    CLEANUP(answer_done) Reply answer = {0};
    CLEANUP(buf_done) Buf request = {0};
    char cookie[SECRET_TEXT_BYTES], path[80];
    int fds[API_UPLOADS_EACH];

    host_start(host);
    cup_begin_team(host, cookie);
    make_version(host, cookie, path);
    Asker captain = {.cookie = cookie, .type = "application/octet-stream"};
    host_write_head("PUT", path, &captain, 90000, &request);
    for (unsigned i = 0; i < API_UPLOADS_EACH; i++) {
        fds[i] = host_dial(host, false);
        assert_int_equal(send(fds[i], request.bytes, request.len, MSG_NOSIGNAL), request.len);
        wait_for_files(host, "incoming", i + 1);
    }
    host_ask(host, "PUT", path, &captain, "file", &answer);
    assert_int_equal(answer.status, 429);
    for (unsigned i = 0; i < API_UPLOADS_EACH; i++)
        close(fds[i]);
    wait_for_files(host, "incoming", 0);
    host_ask(host, "PUT", path, &captain, "file", &answer);
    assert_int_equal(answer.status, 200);
    host_end(host);
}

/* Nothing may stay open for bytes that will never come. */
static void a_file_without_bytes_is_one_too(void **state)
{
    Host *host = *state;
    CLEANUP(answer_done) Reply answer = {0};
    char cookie[SECRET_TEXT_BYTES], path[80];

    host_start(host);
    cup_begin_team(host, cookie);
    make_version(host, cookie, path);
    Asker captain = {.cookie = cookie, .type = "application/octet-stream"};
    host_must(host, 200, "PUT", path, &captain, "", &answer);
    assert_int_equal(count_files(host, "incoming"), 0);
    host_must(host, 409, "PUT", path, &captain, "", &answer);
    host_end(host);
}

/* Who may no more when the last byte comes has sent it in vain. */
static void rights_are_looked_at_again_behind_a_slow_file(void **state)
{
    static const char *const changes[] = {
        "DELETE FROM login",
        "DELETE FROM member",
        "UPDATE account SET disabled = 1",
    };
    Host *host = *state;
    CLEANUP(buf_done) Buf request = {0};
    CLEANUP(answer_done) Reply answer = {0};
    char path[80], name[8], cookie[SECRET_TEXT_BYTES];
    Err err = {0};

    host_start(host);
    cup_begin(host);
    for (unsigned i = 0; i < sizeof(changes) / sizeof(changes[0]); i++) {
        snprintf(name, sizeof(name), "ann%u", i);
        host_account(host, name, cookie);
        cup_team(host, "cup", name, cookie);
        Asker captain = {.cookie = cookie};
        snprintf(path, sizeof(path), "contests/cup/teams/%s/versions", name);
        host_must(host, 201, "POST", path, &captain, "{\"language\":\"python\",\"entry\":\"a.py\"}",
                  &answer);
        snprintf(path, sizeof(path), "contests/cup/versions/%.*s/file",
                 STR_ARG(answer_text(&answer, "id")));
        captain.type = "application/octet-stream";
        int fd = host_dial(host, false);
        buf_clear(&request);
        host_write_head("PUT", path, &captain, 5, &request);
        buf_add(&request, STR("file"));
        assert_int_equal(send(fd, request.bytes, request.len, MSG_NOSIGNAL), request.len);
        wait_for_files(host, "incoming", 1);
        if (db_exec(host->db, changes[i], &err))
            fail_msg("%s", err.msg);
        assert_int_equal(send(fd, ".", 1, MSG_NOSIGNAL), 1);
        answer_done(&answer);
        host_read(fd, &answer);
        close(fd);
        if (answer.status < 401 || answer.status > 404)
            fail_msg("%s: %u %s", changes[i], answer.status, buf_cstr(&answer.body));
    }
    assert_int_equal(host_number(host, "SELECT count(*) FROM version WHERE blob IS NOT NULL"), 0);
    wait_for_files(host, "blobs",
                   0); /* no file is left that nobody has, a moment behind the answer */
    host_end(host);
}

static bool has_blob(const Host *host, Str content)
{
    CLEANUP(buf_done) Buf path = {0};
    char digest[SHA256_HEX_BYTES];

    assert_int_equal(sha256_hex(content, digest, NULL), 0);
    blob_path(host->data, str_of(digest), &path);
    return access(buf_cstr(&path), R_OK) == 0;
}

/* A file that another one takes the place of goes behind the commit: what is rolled back has it. */
static void no_file_is_gone_whose_row_came_back(void **state)
{
    Host *host = *state;
    CLEANUP(answer_done) Reply answer = {0};
    char cookie[SECRET_TEXT_BYTES], versions[3][80], text[2] = "1";

    host_start(host);
    cup_begin_team(host, cookie);
    const Asker captain = {.cookie = cookie, .type = "application/octet-stream"};
    for (; text[0] <= '5'; text[0]++) /* DOCUMENT_KEEP */
        host_must(host, 200, "PUT", "contests/cup/teams/wits/documents/source", &captain, text,
                  &answer);
    for (int i = 0; i < 3; i++)
        make_version(host, cookie, versions[i]);
    host_must(host, 200, "PUT", versions[0], &captain, "v1", &answer);
    host_must(host, 200, "PUT", versions[1], &captain, "v2", &answer); /* keep: 2 */

    assert_int_equal(
        db_exec(host->db, "UPDATE version SET state = 'REFUSED' WHERE number = 1", NULL), 0);

    assert_int_equal(db_exec(host->db, "ALTER TABLE event RENAME TO away", NULL), 0);
    host_ask(host, "PUT", "contests/cup/teams/wits/documents/source", &captain, "6", &answer);
    assert_int_equal(answer.status, 503);
    host_ask(host, "PUT", versions[2], &captain, "v3", &answer);
    assert_int_equal(answer.status, 503);
    assert_true(has_blob(host, STR("1")) && has_blob(host, STR("v1")));
    wait_for_files(host, "blobs", 7); /* what came in vain is gone */

    assert_int_equal(db_exec(host->db, "ALTER TABLE away RENAME TO event", NULL), 0);
    host_must(host, 200, "PUT", "contests/cup/teams/wits/documents/source", &captain, "6", &answer);
    host_must(host, 200, "PUT", versions[2], &captain, "v3", &answer);
    assert_false(has_blob(host, STR("1")) || has_blob(host, STR("v1")));
    assert_int_equal(count_files(host, "blobs"), 7);
    host_end(host);
}

static void a_disk_below_its_reserve_takes_no_uploads(void **state)
{
    Host *host = *state;
    CLEANUP(answer_done) Reply answer = {0};
    char cookie[SECRET_TEXT_BYTES], path[80];

    host->setup.settings.disk_reserve_bytes = UINT64_MAX / 2;
    host_start(host);
    cup_begin_team(host, cookie);
    make_version(host, cookie, path);
    Asker captain = {.cookie = cookie, .type = "application/octet-stream"};
    host_ask(host, "PUT", path, &captain, "file", &answer);
    assert_int_equal(answer.status, 507);
    assert_true(str_eq(answer_code(&answer), STR("full")));
    host_end(host);
}

/* As a server before this one has noted it; `times` the reserve are free. */
static void start_after_low(Host *host, uint64_t times, uint64_t of)
{
    struct statvfs disk;

    assert_int_equal(statvfs(host->data, &disk), 0);
    host->setup.settings.disk_reserve_permil = 0;
    host->setup.settings.disk_reserve_bytes = (uint64_t)disk.f_bavail * disk.f_frsize / times * of;
    assert_int_equal(disk_state_note(host->db, true, NULL), 0);
    host_start(host);
}

static void a_server_that_starts_anew_goes_on_no_sooner(void **state)
{
    static const char noted[] = "SELECT count(*) FROM meta WHERE key = 'disk_low'";
    Host *host = *state;
    CLEANUP(answer_done) Reply answer = {0};
    char cookie[SECRET_TEXT_BYTES], path[80];

    if (host->skipped)
        skip();
    start_after_low(host, 3, 2);
    cup_begin_team(host, cookie);
    make_version(host, cookie, path);
    Asker captain = {.cookie = cookie, .type = "application/octet-stream"};
    host_ask(host, "PUT", path, &captain, "file", &answer);
    assert_int_equal(answer.status, 507);
    assert_int_equal(host_number(host, noted), 1);
    host_end(host);
    start_after_low(host, 4, 1);
    for (int i = 0; i < HOST_WAIT_MS / 10 && host_number(host, noted); i++)
        nanosleep(&(struct timespec){.tv_nsec = 10 * 1000000}, NULL);
    assert_int_equal(host_number(host, noted), 0);
    host_ask(host, "PUT", path, &captain, "file", &answer);
    assert_int_equal(answer.status, 200);
    host_end(host);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(a_team_sends_few_files_at_once),
        CASE(a_file_is_streamed_to_a_blob_once_and_the_limit_holds),
        CASE(what_is_broken_off_leaves_nothing),
        CASE(what_trickles_is_given_up_and_leaves_nothing),
        CASE(a_file_without_bytes_is_one_too),
        CASE(rights_are_looked_at_again_behind_a_slow_file),
        CASE(no_file_is_gone_whose_row_came_back),
        CASE(a_disk_below_its_reserve_takes_no_uploads),
        CASE(a_server_that_starts_anew_goes_on_no_sooner),
    };

    return HOST_RUN(tests, false);
}
