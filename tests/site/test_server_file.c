#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "site/server_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static void the_example_is_what_it_says(void **state)
{
    CLEANUP(server_file_done) ServerFile file = {0};
    Err err = {0};

    (void)state;
    if (server_file_read(str_of(server_file_example), "site", &file, &err))
        fail_msg("%u:%u %s", err.line, err.column, err.msg);
    assert_string_equal(buf_cstr(&file.data), "site/data");
    assert_string_equal(buf_cstr(&file.host), "127.0.0.1");
    assert_int_equal(file.port, 8088);
    assert_string_equal(buf_cstr(&file.public_url), "http://127.0.0.1:8088");
    assert_string_equal(buf_cstr(&file.store), "site/data/site.db");
    assert_int_equal(file.cell_require, CELL_NAMESPACES);
    assert_int_equal(file.reserve_percent, 5);
    assert_int_equal(file.signup, SIGNUP_OPEN);
    assert_int_equal(file.runner, RUNNER_INSIDE);
    assert_int_equal(file.mail_command.len, 0);
}

static void all_keys_are_read(void **state)
{
    static const char text[] =
        "data: /srv/contest\nlisten: \"[::1]:443\"\ntls: {certificate: a.pem, key: b.pem}\n"
        "public_url: https://contest.example.org/\ntrust_proxy: [192.0.2.1, 192.0.2.2]\n"
        "runner: outside\nmail: {command: /usr/sbin/sendmail, from: contest@example.org}\n"
        "hook: {teams: any}\ncell: {require: filter}\nsignup: closed\ndisk_reserve: 20GiB\n";
    CLEANUP(server_file_done) ServerFile file = {0};
    Err err = {0};

    (void)state;
    if (server_file_read(str_of(text), "site", &file, &err))
        fail_msg("%u:%u %s", err.line, err.column, err.msg);
    assert_string_equal(buf_cstr(&file.data), "/srv/contest");
    assert_string_equal(buf_cstr(&file.host), "::1");
    assert_string_equal(buf_cstr(&file.certificate), "site/a.pem");
    assert_string_equal(buf_cstr(&file.public_url), "https://contest.example.org");
    assert_int_equal(file.proxy_count, 2);
    assert_string_equal(buf_cstr(&file.proxies[1]), "192.0.2.2");
    assert_true(file.any_hook && file.runner == RUNNER_OUTSIDE && file.signup == SIGNUP_CLOSED);
    assert_int_equal(file.cell_require, CELL_FILTER);
    assert_true(file.reserve_bytes == UINT64_C(20) << 30);
}

static void what_is_wrong_has_its_place(void **state)
{
    static const struct {
        const char *text;
        unsigned line, column;
        const char *said;
    } wrong[] = {
        {"dat: x\n", 1, 1, "unknown key 'dat': did you mean 'data'?"},
        {"mail: {comand: x}\n", 1, 8, "unknown key 'comand': did you mean 'command'?"},
        {"listen: here\n", 1, 9,
         "key 'listen': expected an address and a port, as 127.0.0.1:8088, but got 'here'"},
        {"listen: 127.0.0.1:70000\n", 1, 9,
         "key 'listen': expected an address and a port, as 127.0.0.1:8088, but got "
         "'127.0.0.1:70000'"},
        {"public_url: ftp://x\n", 1, 13,
         "key 'public_url': expected a URL as https://contest.example.org, but got 'ftp://x'"},
        {"signup: opn\n", 1, 9,
         "key 'signup': 'opn' is none of open, invite, closed; did you mean 'open'?"},
        {"disk_reserve: 99%\n", 1, 15,
         "key 'disk_reserve': expected a part as 5%, or a size as 20GiB, but got '99%'"},
        {"mail: {command: /bin/mail, from: \"a@b, c@d\"}\n", 1, 34,
         "key 'from': expected an address as contest@example.org, but got 'a@b, c@d'"},
        {"mail: {command: /bin/mail}\n", 0, 0, "mail: needs a command and a sender, `from`"},
        {"tls: {certificate: a}\n", 0, 0, "tls: needs a certificate and a key"},
        {"hook: {url: https://x}\n", 1, 8, "unknown key 'url': did you mean 'url_file'?"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
        CLEANUP(server_file_done) ServerFile file = {0};
        Err err = {0};
        if (server_file_read(str_of(wrong[i].text), "site", &file, &err) == 0)
            fail_msg("taken: %s", wrong[i].text);
        assert_string_equal(err.msg, wrong[i].said);
        assert_int_equal(err.line, wrong[i].line);
        assert_int_equal(err.column, wrong[i].column);
    }
}

/* Secrets come from files and the environment; a file's name is told, never what is in it. */
static void secrets_come_from_elsewhere(void **state)
{
    CLEANUP(server_file_done) ServerFile file = {0};
    CLEANUP(server_file_done) ServerFile second = {0};
    char folder[] = "/tmp/warg-server-file-XXXXXX", path[80];
    Err err = {0};

    (void)state;
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof(path), "%s/server.yml", folder);
    FILE *out = fopen(path, "w");
    fputs("store: postgresql\nstore_file: place\n", out);
    fclose(out);
    assert_int_equal(server_file_load(folder, &file, &err), ERR_IO); /* no such file */
    snprintf(path, sizeof(path), "%s/place", folder);
    out = fopen(path, "w");
    fputs("host=db.example.org password=planted\n", out);
    fclose(out);
    setenv("WARG_HOOK_URL", "https://hooks.example.org/planted", 1);
    err = (Err){0};
    assert_int_equal(server_file_load(folder, &second, &err), 0);
    assert_string_equal(buf_cstr(&second.store), "host=db.example.org password=planted");
    assert_string_equal(buf_cstr(&second.hook_url), "https://hooks.example.org/planted");
    assert_true(str_starts(buf_str(&second.data), STR("/"))); /* names are whole */
    unsetenv("WARG_HOOK_URL");
    snprintf(path, sizeof(path), "rm -rf '%s'", folder);
    assert_int_equal(system(path), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_example_is_what_it_says),
        cmocka_unit_test(all_keys_are_read),
        cmocka_unit_test(what_is_wrong_has_its_place),
        cmocka_unit_test(secrets_come_from_elsewhere),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
