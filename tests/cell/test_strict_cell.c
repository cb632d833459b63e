#define _GNU_SOURCE /* memmem */
/* What a program sees and may in a strict cell, and what is told of what it tries; how it ends is
 * in test_strict_end.c. */
#include "strict_run.h"

#include <sys/socket.h>
#include <sys/un.h>

static bool has_namespaces(void)
{
    return strict_level == CELL_NAMESPACES;
}

/* The value of a line "NAME VALUE..." of the output, as a number. */
static unsigned long number_of(const StrictRun *run, const char *name, int base)
{
    const char *at = strstr(run->text, name);

    if (!at)
        fail_msg("no '%s' in '%s'", name, run->text);
    return strtoul(at + strlen(name), NULL, base);
}

/* ---- who it is ---- */

static void it_is_somebody_without_rights(void **state)
{
    StrictRun *run = *state;
    const gid_t outside = 12345;
    char line[96];

    if (geteuid() == 0)
        assert_int_equal(setgroups(1, &outside), 0);
    strict_run(run, "./tenant who");
    if (geteuid() == 0)
        assert_int_equal(setgroups(0, NULL), 0);
    const unsigned long user = number_of(run, "user ", 10);
    if (geteuid() == 0)
        assert_in_range(user, 60000, 63999);
    else
        assert_int_equal(user, has_namespaces() ? 1000 : geteuid());
    assert_int_equal(number_of(run, "group ", 10), user);
    static const char *const sets[] = {"CapInh:\t", "CapPrm:\t", "CapEff:\t", "CapAmb:\t"};
    for (size_t i = 0; i < sizeof(sets) / sizeof(sets[0]); i++)
        assert_int_equal(number_of(run, sets[i], 16), 0);
    if (geteuid() == 0)
        assert_int_equal(number_of(run, "CapBnd:\t", 16), 0);
    strict_has_line(run, "NoNewPrivs:\t1");
    strict_has_line(run, "Seccomp:\t2");
    strict_has_line(run, "SigBlk:\t0000000000000000");
    strict_has_line(run, "leads 1");
    strict_has_line(run, "core 0");
    if (geteuid() == 0)
        strict_has_line(run, "others 0");
    if (has_namespaces()) {
        strict_has_line(run, "host agent");
        strict_has_line(run, "folder /agent");
    } else {
        snprintf(line, sizeof(line), "folder %s", run->folder);
        strict_has_line(run, line);
    }
    strict_has_no_finding(run);
}

static void who_keeps_it_has_no_rights_in_it_either(void **state)
{
    StrictRun *run = *state;

    if (!has_namespaces()) /* there it is outside */
        return;
    strict_run(run, "exec /bin/cat /proc/1/status");
    assert_int_equal(number_of(run, "CapPrm:\t", 16), 0);
    assert_int_equal(number_of(run, "CapEff:\t", 16), 0);
}

static void two_of_root_are_two_users(void **state)
{
    StrictRun *run = *state;
    unsigned long users[4];

    if (geteuid() != 0) /* it has only its own number to give */
        return;
    /* At once, each with its number until the other has one. */
    StrictRun other;
    strict_open(&other);
    strict_start(run, "./tenant who stay");
    strict_start(&other, "./tenant who");
    strict_wait(&other);
    strict_until(run, strict_is_ready);
    users[0] = number_of(run, "user ", 10);
    users[1] = number_of(&other, "user ", 10);
    assert_int_not_equal(users[0], users[1]);
    strict_close(&other);
}

static void no_right_comes_back(void **state)
{
    StrictRun *run = *state;

    strict_run(run, "./tenant rights");
    assert_null(strstr(run->text, ": ok"));
    strict_has_line(run, "mlock: ENOMEM");
    strict_has_finding(run, "write mknodat /tmp/device\n");
}

static void what_a_cell_forbids_is_refused_by_name(void **state)
{
    static const char *const without[] = {"io_uring_setup", "openat2", "flock", "io_setup"};
    StrictRun *run = *state;
    char line[64];
    int lines = 0;

    strict_run(run, "./tenant calls");
    for (size_t i = 0; i < sizeof(without) / sizeof(without[0]); i++) {
        snprintf(line, sizeof(line), "%s: ENOSYS", without[i]);
        strict_has_line(run, line);
    }
    for (char *rest = NULL, *one = strtok_r(run->text, "\n", &rest); one;
         one = strtok_r(NULL, "\n", &rest), lines++)
        if (!strstr(one, ": EPERM") && !strstr(one, ": ENOSYS"))
            fail_msg("%s", one);
    assert_int_equal(lines, 43);
    assert_int_equal(run->how.status, 0);
}

static void its_environment_is_exactly_what_was_given(void **state)
{
    static const char *const given[] = {"PATH=/usr/bin:/bin", "A=b c", "EMPTY=", NULL};
    StrictRun *run = *state;

    assert_int_equal(setenv("WARG_TEST_SECRET", "1", 1), 0);
    run->environment = given;
    strict_run(run, "exec ./tenant environment");
    strict_has_line(run, "PATH=/usr/bin:/bin");
    strict_has_line(run, "A=b c");
    strict_has_line(run, "EMPTY=");
    assert_null(strstr(run->text, "WARG"));
    /* The shell's own PWD besides. */
    int lines = 0;
    for (const char *at = run->text; (at = strchr(at, '\n')); at++)
        lines++;
    assert_int_equal(lines, strstr(run->text, "PWD=") ? 4 : 3);
}

static void three_descriptors_are_open_and_nothing_of_ours(void **state)
{
    StrictRun *run = *state;
    int folder = open(run->own, O_RDONLY | O_DIRECTORY); /* not closed on exec */

    assert_true(folder > 2);
    assert_int_equal(dup2(folder, 77), 77);
    strict_prints(run, "./tenant descriptors", "0 1 2\n");
    close(folder);
    close(77);
}

/* ---- files ---- */

static void the_view_is_exactly_this(void **state)
{
    StrictRun *run = *state;
    char expected[160] = "";
    struct stat info;

    if (!has_namespaces()) { /* a name that is known can be looked at, folders can't be listed */
        strict_prints(run, "./tenant list /", "EACCES\n");
        strict_again(run);
        strict_prints(run, "./tenant list /tmp", "EACCES\n");
        return;
    }
    static const char *const roots[] = {"agent", "bin",    "dev",  "etc",  "lib", "lib32",
                                        "lib64", "libx32", "proc", "sbin", "tmp", "usr"};
    for (size_t i = 0; i < sizeof(roots) / sizeof(roots[0]); i++) {
        char path[16];
        snprintf(path, sizeof(path), "/%s", roots[i]);
        if (i == 0 || stat(path, &info) == 0) {
            strncat(expected, i ? " " : "", sizeof(expected) - strlen(expected) - 1);
            strncat(expected, roots[i], sizeof(expected) - strlen(expected) - 1);
        }
    }
    strncat(expected, "\n", sizeof(expected) - strlen(expected) - 1);
    strict_prints(run, "./tenant list /", expected);
    strict_again(run);
    strict_prints(run, "./tenant list /dev", "fd null random stderr stdin stdout urandom zero\n");
    strict_again(run);
    strict_prints(run, "./tenant list /agent", "tenant\n");
    strict_again(run);
    strict_prints(run, "./tenant list /tmp", "\n");
    strict_has_no_finding(run);
}

static void settings_are_those_of_runtimes_and_one_user(void **state)
{
    static const char *const known[] = {
        "alternatives",    "group",           "hostname",    "hosts",     "java-11-openjdk",
        "java-17-openjdk", "java-21-openjdk", "ld.so.cache", "localtime", "mono",
        "nsswitch.conf",   "passwd",          "ssl"};
    StrictRun *run = *state;
    char line[80];

    if (!has_namespaces()) {
        strict_prints(run, "./tenant list /etc", "EACCES\n");
        return;
    }
    strict_run(run, "./tenant list /etc");
    run->text[strcspn(run->text, "\n")] = '\0';
    for (char *rest = NULL, *word = strtok_r(run->text, " ", &rest); word;
         word = strtok_r(NULL, " ", &rest)) {
        size_t i = 0;
        while (i < sizeof(known) / sizeof(known[0]) && strcmp(known[i], word) != 0)
            i++;
        if (i == sizeof(known) / sizeof(known[0]))
            fail_msg("/etc/%s is shown", word);
    }
    strict_again(run);
    strict_run(run, "exec /bin/cat /etc/passwd /etc/hosts /etc/hostname");
    assert_memory_equal(run->text, "agent:x:", 8);
    snprintf(line, sizeof(line), "127.0.0.1 localhost agent");
    strict_has_line(run, line);
    strict_has_line(run, "agent");
    assert_null(strstr(run->text, "root"));
}

/* What root alone reads, what others read, and what belongs to this test. */
static void nothing_of_the_host_can_be_read(void **state)
{
    StrictRun *run = *state;
    char command[1024], line[160];
    static const char *const paths[] = {"/etc/shadow",        "/etc/group-", "/root/.profile",
                                        "/proc/1/environ",    "/proc/kcore", "/sys/kernel/notes",
                                        "/etc/debian_version"};

    int secret = open(run->output, O_WRONLY | O_CREAT | O_CLOEXEC, 0644);
    assert_int_equal(write(secret, "\n", 1), 1);
    close(secret);
    assert_int_equal(chmod(run->own, 0755), 0);
    snprintf(command, sizeof(command),
             "./tenant files r:/etc/shadow r:/etc/group- r:/root/.profile r:/proc/1/environ "
             "r:/proc/kcore r:/sys/kernel/notes r:/etc/debian_version r:%s l:%s l:/proc/../home",
             run->output, run->own);
    strict_run(run, command);
    for (size_t i = 0; i < sizeof(paths) / sizeof(paths[0]); i++) {
        snprintf(line, sizeof(line), "r:%s: ok\n", paths[i]);
        assert_null(strstr(run->text, line));
    }
    snprintf(line, sizeof(line), "r:%s: %s", run->output, has_namespaces() ? "ENOENT" : "EACCES");
    strict_has_line(run, line);
    snprintf(line, sizeof(line), "l:%s: %s", run->own, has_namespaces() ? "ENOENT" : "EACCES");
    strict_has_line(run, line);
    if (has_namespaces())
        strict_has_line(run, "l:/proc/../home: ENOENT");
    strict_has_no_finding(run); /* reading is no breach */
}

static void its_own_folder_and_the_systems_files_can_be_read(void **state)
{
    StrictRun *run = *state;

    strict_run(run, "./tenant files r:tenant r:/usr/bin/env r:/bin/sh r:/dev/urandom r:/dev/zero "
                    "r:/proc/self/status l:/usr/lib l:.");
    assert_null(strstr(run->text, ": E"));
    strict_has_no_finding(run);
}

static void the_host_is_gone_and_not_only_covered(void **state)
{
    StrictRun *run = *state;
    char command[512], line[160];

    if (!has_namespaces()) /* there it is neither; see above */
        return;
    /* Ways back to a root that was left behind, and over other processes. */
    snprintf(command, sizeof(command),
             "./tenant files x:/proc/self/root%s x:/proc/1/root%s x:/..%s x:/proc/1/cwd%s "
             "r:/proc/self/mountinfo",
             run->own, run->own, run->own, run->own);
    strict_run(run, command);
    snprintf(line, sizeof(line), "x:/proc/self/root%s: ENOENT", run->own);
    strict_has_line(run, line);
    snprintf(line, sizeof(line), "x:/..%s: ENOENT", run->own);
    strict_has_line(run, line);
    strict_has_line(run, "r:/proc/self/mountinfo: ok");
    strict_again(run);
    strict_run(run, "exec /bin/cat /proc/self/mountinfo");
    /* A mount a line, at the places that are shown and no others; none of the host's. */
    for (const char *at = run->text; *at; at = strchr(at, '\n') + 1) {
        char place[PATH_MAX] = "";
        assert_int_equal(sscanf(at, "%*s %*s %*s %*s %4095s", place), 1);
        static const char *const shown[] = {"/",    "/usr", "/bin",  "/sbin", "/lib",
                                            "/etc", "/dev", "/proc", "/agent"};
        bool known = false;
        for (size_t i = 0; i < sizeof(shown) / sizeof(shown[0]); i++)
            known |= strcmp(place, shown[i]) == 0 ||
                     (i > 0 && strncmp(place, shown[i], strlen(shown[i])) == 0);
        if (!known)
            fail_msg("mounted is '%s'", place);
    }
}

static void writing_is_refused_and_found(void **state)
{
    StrictRun *run = *state;
    const char *refused = has_namespaces() ? "EROFS" : "EACCES";
    static const char *const words[] = {"c:memo.txt", "c:/tmp/memo", "w:notes", "w:/usr/bin/env"};
    char line[64], path[96];

    snprintf(path, sizeof(path), "%s/notes", run->folder); /* which anybody could write */
    int notes = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
    assert_int_equal(fchmod(notes, 0666), 0);
    close(notes);
    strict_run(run, "./tenant files c:memo.txt c:/tmp/memo w:notes w:/usr/bin/env m:folder "
                    "u:tenant k:tenant w:/dev/null w:/etc/passwd");
    for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
        snprintf(line, sizeof(line), "%s: %s", words[i], refused);
        if (i == 3 && !strstr(run->text, line)) /* what it has no right to, anyway */
            snprintf(line, sizeof(line), "%s: EACCES", words[i]);
        strict_has_line(run, line);
    }
    snprintf(line, sizeof(line), "m:folder: %s", has_namespaces() ? "EROFS" : "EPERM");
    strict_has_line(run, line);
    strict_has_line(run, "w:/dev/null: ok");
    strict_has_finding(run, "write open for writing memo.txt\n");
    strict_has_finding(run, "write open for writing /tmp/memo\n");
    strict_has_finding(run, "write open for writing notes\n");
    strict_has_finding(run, "write mkdir folder\n");
    strict_has_finding(run, "write unlink tenant\n");
    strict_has_finding(run, "write chmod tenant\n");
    assert_false(strict_found(run, "/dev/null"));
    snprintf(path, sizeof(path), "%s/memo.txt", run->folder);
    assert_int_equal(access(path, F_OK), -1);
}

static void tmp_may_be_written_up_to_its_bytes_when_that_was_wished(void **state)
{
    StrictRun *run = *state;

    run->wish.writable_bytes = MIB;
    if (!has_namespaces()) {
        Err err = {0};
        assert_int_equal(cell_new_strict(&run->wish, NULL, NULL, &run->cell, &err), ERR_USAGE);
        assert_non_null(strstr(err.msg, "'writable'"));
        assert_null(run->cell);
        return;
    }
    strict_prints(run, "./tenant fill", "1048576 bytes, then ENOSPC\n");
    strict_has_no_finding(run);
    strict_again(run); /* the next one has its own */
    strict_run(run, "./tenant files l:/tmp r:/tmp/file-0 c:/tmp/a m:/tmp/b u:/tmp/a c:memo.txt "
                    "c:/tmp/../agent/memo");
    strict_has_line(run, "r:/tmp/file-0: ENOENT");
    strict_has_line(run, "c:/tmp/a: ok");
    strict_has_line(run, "m:/tmp/b: ok");
    strict_has_line(run, "u:/tmp/a: ok");
    strict_has_line(run, "c:memo.txt: EROFS");
    strict_has_finding(run, "write open for writing memo.txt\n");
    strict_has_finding(run, "write open for writing /tmp/../agent/memo\n");
    assert_false(strict_found(run, "/tmp/a"));
}

static void a_folder_that_it_may_fill_is_filled_and_nothing_beside_it(void **state)
{
    StrictRun *run = *state;
    char fill[] = "/tmp/warg-fill-XXXXXX", words[512], path[96], line[128];
    struct stat info;

    assert_non_null(mkdtemp(fill));
    assert_int_equal(chmod(fill, 0777), 0);
    run->wish.write = fill;
    run->wish.write_bytes = 16;
    snprintf(words, sizeof(words),
             "./tenant files c:%s/a m:%s/b c:%s/b/c k:%s/b/c u:%s/a c:memo.txt c:%s/../d c:/usr/e "
             "k:tenant",
             fill, fill, fill, fill, fill, fill);
    strict_run(run, words);
    static const char *const done[] = {"c:%s/a", "m:%s/b", "c:%s/b/c", "k:%s/b/c", "u:%s/a"};
    for (size_t i = 0; i < sizeof(done) / sizeof(done[0]); i++) {
        snprintf(line, sizeof(line), "%c:%s%s: ok", done[i][0], fill, done[i] + 4);
        strict_has_line(run, line);
    }
    assert_null(strstr(run->text, "memo.txt: ok"));
    assert_null(strstr(run->text, "/d: ok"));
    assert_null(strstr(run->text, "/e: ok"));
    strict_has_finding(run, "write open for writing /usr/e\n");
    snprintf(path, sizeof(path), "%s/b/c", fill);
    assert_int_equal(stat(path, &info), 0);
    snprintf(path, sizeof(path), "%s/../d", fill);
    assert_int_equal(stat(path, &info), -1);
    snprintf(path, sizeof(path), "%s/tenant", run->folder); /* whatever it was told */
    assert_int_equal(stat(path, &info), 0);
    assert_int_not_equal(info.st_mode & 0777, 0777);
    snprintf(words, sizeof(words), "rm -rf '%s'", fill);
    assert_int_equal(system(words), 0);
}

static void a_further_folder_is_shown_when_it_was_wished(void **state)
{
    StrictRun *run = *state;
    char command[256], line[128], path[96];

    snprintf(path, sizeof(path), "%s/library", run->own);
    assert_int_equal(chmod(run->own, 0755), 0);
    close(open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0644));
    run->wish.read[run->wish.read_count++] = run->own;
    snprintf(command, sizeof(command), "./tenant files r:%s w:%s", path, path);
    strict_run(run, command);
    snprintf(line, sizeof(line), "r:%s: ok", path);
    strict_has_line(run, line);
    snprintf(line, sizeof(line), "w:%s: ok\n", path);
    assert_null(strstr(run->text, line));
}

/* ---- processes ---- */

static void it_sees_nobody_else_and_reads_nothing_of_who_keeps_it(void **state)
{
    StrictRun *run = *state;

    if (!has_namespaces()) {
        strict_run(run, "./tenant files r:/proc/1/cmdline r:/proc/1/environ l:/proc");
        strict_has_line(run, "r:/proc/1/cmdline: EACCES");
        strict_has_line(run, "r:/proc/1/environ: EACCES");
        strict_has_line(run, "l:/proc: EACCES");
        return;
    }
    strict_run(run, "./tenant letters /proc/1/cmdline");
    assert_memory_equal(run->text, "/proc/1/cmdline: 0 of ", 22);
    strict_again(run);
    strict_run(run, "./tenant list /proc");
    assert_memory_equal(run->text, "1 2 ", 4);
    assert_false(run->text[4] >= '0' && run->text[4] <= '9');
    strict_again(run);
    strict_run(run, "./tenant files r:/proc/1/environ r:/proc/1/mem r:/proc/1/maps w:/proc/1/mem");
    assert_null(strstr(run->text, ": ok"));
}

static void another_process_is_refused_and_found(void **state)
{
    static const struct {
        const char *way;
        const char *error;
        const char *finding;
    } ways[] = {{"fork", "EPERM", "process clone, refused\n"},
                {"vfork", "EPERM", "process vfork, refused\n"},
                {"clone", "EPERM", "process clone, refused\n"},
                {"clone3", "ENOSYS", NULL}, /* as if it were not there: libc then takes clone */
                {"posix_spawn", "EPERM", "process clone, refused\n"}};
    StrictRun *run = *state;
    char command[64], line[64];

    for (size_t i = 0; i < sizeof(ways) / sizeof(ways[0]); i++) {
        snprintf(command, sizeof(command), "./tenant fork %s", ways[i].way);
        strict_run(run, command);
        snprintf(line, sizeof(line), "%s: %s", ways[i].way, ways[i].error);
        strict_has_line(run, line);
        if (ways[i].finding)
            strict_has_finding(run, ways[i].finding);
        else
            strict_has_no_finding(run);
        strict_again(run);
    }
    strict_run(run, "echo a | /bin/cat"); /* a shell needs two */
    assert_int_not_equal(run->how.status, 0);
    assert_true(strict_found(run, "refused"));
}

static void signals_reach_nobody_else(void **state)
{
    StrictRun *run = *state;
    char command[128], line[64];
    const pid_t victim = fork();

    if (victim == 0) {
        pause();
        _exit(0);
    }
    snprintf(command, sizeof(command), "./tenant signal %d:9", (int)victim);
    strict_run(run, command);
    snprintf(line, sizeof(line), "%d:9: %s", (int)victim, has_namespaces() ? "ESRCH" : "EPERM");
    strict_has_line(run, line);
    assert_int_equal(waitpid(victim, NULL, WNOHANG), 0);
    if (!has_namespaces())
        strict_has_finding(run, "process kill ");
    strict_again(run);
    strict_run(run, "./tenant signal -1:9");
    assert_int_equal(waitpid(victim, NULL, WNOHANG), 0);
    kill(victim, SIGKILL);
    waitpid(victim, NULL, 0);
}

static void a_thread_is_found_where_the_runtime_has_one(void **state)
{
    StrictRun *run = *state;

    strict_prints(run, "./tenant threads 3", "3 begun, then ok\n");
    strict_has_finding(run, "thread another thread begun\n");
    strict_again(run);
    run->profile = cell_profile(STR("python"));
    strict_prints(run, "./tenant threads 1", "1 begun, then ok\n");
    strict_has_finding(run, "thread another thread begun\n");
    assert_in_range(run->use.threads, 2, 2);
}

static void of_a_runtime_with_threads_only_others_are_found(void **state)
{
    StrictRun *run = *state;
    char path[96], copy[96];

    run->profile = cell_profile(STR("java"));
    snprintf(path, sizeof(path), "%s/tenant", run->folder);
    snprintf(copy, sizeof(copy), "%s/java", run->folder); /* the name of its first thread */
    strict_copy(path, copy);
    strict_prints(run, "./java threads 2 'GC Thread#0'", "2 begun, then ok\n");
    strict_has_no_finding(run);
    strict_again(run);
    strict_prints(run, "./java threads 2 pool-1-thread-1", "2 begun, then ok\n");
    strict_has_finding(run, "thread thread pool-1-thread-1\n");
}

static void threads_are_refused_where_that_was_wished(void **state)
{
    StrictRun *run = *state;

    run->wish.forbid_threads = true;
    strict_prints(run, "./tenant threads 1", "0 begun, then EAGAIN\n");
    strict_again(run);
    run->profile = cell_profile(STR("java")); /* it can't start without */
    strict_prints(run, "./tenant threads 1", "1 begun, then ok\n");
}

/* Refused beyond the limit, or ended there. */
static void more_threads_than_allowed_are_not_had(void **state)
{
    StrictRun *run = *state;
    int begun = 0;

    run->wish.threads = 8;
    strict_run(run, "./tenant threads 100");
    if (run->how.signal_number == SIGKILL) {
        strict_has_finding(run, "thread more threads than allowed\n");
        return;
    }
    assert_int_equal(sscanf(run->text, "%d begun, then EAGAIN", &begun), 1);
    assert_int_equal(begun, 7); /* besides the first */
}

/* ---- network ---- */

static bool was_echoed(const StrictRun *run)
{
    return run->lines.len >= 12;
}

static bool has_come(const StrictRun *run)
{
    return run->conn != NULL;
}

static void it_reaches_its_game(void **state)
{
    StrictRun *run = *state;
    char command[64];

    strict_make_cell(run);
    if (!has_namespaces())
        assert_int_equal(
            tcp_listen(run->loop, "127.0.0.1", 0, strict_on_accepted, run, &run->listener, NULL),
            0);
    snprintf(command, sizeof(command), "./tenant play %u",
             has_namespaces() ? ORDER_PORT : listener_port(run->listener));
    strict_start(run, command);
    strict_until(run, has_come);
    assert_true(run->begun);
    conn_send(run->conn, STR("one\ntwo\nthree\n"));
    strict_until(run, was_echoed);
    assert_string_equal(buf_cstr(&run->lines), "one|two|three|");
    run->conn = conn_close(run->conn);
    strict_wait(run);
    assert_int_equal(run->how.status, 0);
    strict_has_no_finding(run);
    assert_true(run->used);
    assert_true(run->use.peak_kib > 0);
}

/* Of the host: a service on loopback, and one by an abstract name. */
static void nothing_else_can_be_reached(void **state)
{
    StrictRun *run = *state;
    StrictRun server = {.loop = run->loop};
    struct sockaddr_un local = {.sun_family = AF_UNIX};
    int abstract = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    Listener *service = NULL;
    char command[512], line[128], name[40];

    /* This test may run twice at once. */
    snprintf(name, sizeof(name), "warg-test-service-%d", (int)getpid());
    memcpy(local.sun_path + 1, name, strlen(name));
    const socklen_t bytes = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + strlen(name));

    assert_int_equal(bind(abstract, (const struct sockaddr *)&local, bytes), 0);
    assert_int_equal(listen(abstract, 1), 0);
    assert_int_equal(
        tcp_listen(run->loop, "127.0.0.1", 0, strict_on_accepted, &server, &service, NULL), 0);
    const unsigned port = listener_port(service);
    snprintf(command, sizeof(command),
             "./tenant addresses tcp:127.0.0.1:%u tcp:192.0.2.1:53 tcp:198.51.100.1:80 six:%u "
             "udp:192.0.2.1:53 unix:@%s unix:/run/x listen:9999 family:16 family:17 "
             "family:38 family:40",
             port, port, name);
    strict_run(run, command);
    assert_int_equal(server.conns, 0);
    static const char *const refused[] = {"tcp:192.0.2.1:53", "tcp:198.51.100.1:80",
                                          "udp:192.0.2.1:53", "unix:/run/x"};
    for (size_t i = 0; i < sizeof(refused) / sizeof(refused[0]); i++) {
        snprintf(line, sizeof(line), "%s: ok\n", refused[i]);
        assert_null(strstr(run->text, line));
    }
    snprintf(line, sizeof(line), "unix:@%s: ok\n", name);
    assert_null(strstr(run->text, line));
    snprintf(line, sizeof(line), "tcp:127.0.0.1:%u: %s", port,
             has_namespaces() ? "ECONNREFUSED" : "EACCES");
    strict_has_line(run, line);
    static const char *const families[] = {"16", "17", "38", "40"};
    for (size_t i = 0; i < sizeof(families) / sizeof(families[0]); i++) {
        snprintf(line, sizeof(line), "family:%s: %s", families[i],
                 has_namespaces() ? "EAFNOSUPPORT" : "EPERM"); /* there a datagram, too */
        strict_has_line(run, line);
    }
    strict_has_finding(run, "network connect 192.0.2.1:53\n");
    strict_has_finding(run, "network connect 198.51.100.1:80\n");
    snprintf(line, sizeof(line), "network connect 127.0.0.1:%u\n", port);
    strict_has_finding(run, line);
    if (has_namespaces()) {
        strict_has_finding(run, "network send to 192.0.2.1:53\n");
        snprintf(line, sizeof(line), "network connect unix @%s\n", name);
        strict_has_finding(run, line);
    } else {
        strict_has_line(run, "listen:9999: EPERM");
        strict_has_finding(run, "network bind 0.0.0.0:9999\n");
    }
    close(abstract);
    listener_close(service);
}

/* Where we make the connection there is one; else who holds the socket decides. */
static void a_second_connection_is_no_second_game(void **state)
{
    StrictRun *run = *state;
    char command[160], line[64];
    unsigned port = ORDER_PORT;

    if (!has_namespaces()) {
        assert_int_equal(
            tcp_listen(run->loop, "127.0.0.1", 0, strict_on_accepted, run, &run->listener, NULL),
            0);
        port = listener_port(run->listener);
    }
    snprintf(command, sizeof(command), "./tenant addresses tcp:127.0.0.1:%u tcp:127.0.0.1:%u", port,
             port);
    strict_run(run, command);
    snprintf(line, sizeof(line), "tcp:127.0.0.1:%u: ok", port);
    strict_has_line(run, line);
    snprintf(line, sizeof(line), "tcp:127.0.0.1:%u: ECONNREFUSED", port);
    if (!has_namespaces())
        strict_has_line(run, line);
}

/* Our own mistakes are nobody's fault, and a program must not be able to bring one about. */
static void a_connection_of_what_is_no_socket_is_the_programs_own_mistake(void **state)
{
    StrictRun *run = *state;
    char command[160], line[64];
    unsigned port = ORDER_PORT;

    if (!has_namespaces()) {
        assert_int_equal(
            tcp_listen(run->loop, "127.0.0.1", 0, strict_on_accepted, run, &run->listener, NULL),
            0);
        port = listener_port(run->listener);
    }
    snprintf(command, sizeof(command), "./tenant addresses closed:%u file:%u tcp:127.0.0.1:%u",
             port, port, port);
    strict_run(run, command);
    assert_int_equal(run->how.status, 0);
    snprintf(line, sizeof(line), "closed:%u: EBADF", port);
    strict_has_line(run, line);
    snprintf(line, sizeof(line), "file:%u: ENOTSOCK", port);
    strict_has_line(run, line);
    snprintf(line, sizeof(line), "tcp:127.0.0.1:%u: ok", port);
    strict_has_line(run, line);
    assert_true(run->used);
}

/* ---- limits ---- */

/* Nor may one whose first thread has ended, of which nobody can take a descriptor. */
static void a_connection_without_its_first_thread_ends_nobody_elses_run(void **state)
{
    StrictRun *run = *state;
    char command[80];

    if (!has_namespaces())
        assert_int_equal(
            tcp_listen(run->loop, "127.0.0.1", 0, strict_on_accepted, run, &run->listener, NULL),
            0);
    snprintf(command, sizeof(command), "./tenant leaderless %u",
             run->listener ? listener_port(run->listener) : ORDER_PORT);
    strict_run(run, command);
    assert_int_equal(run->how.status, 0);
    assert_non_null(strstr(run->text, "without its first thread: "));
    assert_true(run->used); /* its cell came to its end in order */
}

static void others_can_not_be_seen_or_reached_by_ways_around(void **state)
{
    static const char *const names[] = {
        "SO_BINDTODEVICE", "SO_BINDTOIFINDEX", "SO_ATTACH_FILTER",     "IP_OPTIONS",
        "IP_MINTTL",       "TCP_SYNCNT",       "TCP_FASTOPEN_CONNECT", "TCP_ULP",
        "IPV6_UNICAST_IF", "SOL_TLS"};
    StrictRun *run = *state;
    char line[64];

    strict_run(run, "./tenant others");
    strict_has_line(run, "TCP_NODELAY: ok");
    strict_has_line(run, "SO_KEEPALIVE: ok");
    strict_has_line(run, "own clock: ok");
    if (has_namespaces())
        return; /* its network and its processes are its own */
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        snprintf(line, sizeof(line), "%s: EPERM", names[i]);
        strict_has_line(run, line);
    }
    strict_has_line(run, "clock of another: EINVAL");
    strict_has_line(run, "net: EACCES");
    strict_has_line(run, "net of a thread: EACCES");
}

/* A path that goes up again is not the runtime's own. */
static void what_is_noise_is_no_cover(void **state)
{
    StrictRun *run = *state;

    strict_run(run, "./tenant files w:/proc/self/../../agent/memo w:/proc/self/cwd/memo");
    strict_has_finding(run, "write open for writing /proc/self/../../agent/memo\n");
    strict_has_finding(run, "write open for writing /proc/self/cwd/memo\n");
}

static void so_many_files_are_open_and_no_more(void **state)
{
    strict_prints(*state, "./tenant open", "256, then EMFILE\n");
}

static void memory_beyond_the_limit_ends_it(void **state)
{
    StrictRun *run = *state;
    GroupPlaces places;

    group_places_find(&places);
    run->wish.memory_bytes = 256 * MIB;
    strict_run(run, "./tenant eat shared 2048");
    if (places.memory[0]) {
        assert_int_equal(run->how.signal_number, SIGKILL);
        assert_string_equal(run->text, "ready\n");
        strict_has_finding(run, "memory killed at its limit of memory\n");
    } else { /* what is shared and not mapped any more could not be seen: it is refused */
        assert_non_null(strstr(run->text, "0 MiB, then ENOMEM"));
    }
    assert_int_equal(strncmp(cell_layers(run->cell).bytes,
                             places.memory[0] ? "memory by group" : "memory by looking", 15),
                     0);
    strict_again(run);
    strict_run(run, "./tenant eat tables 2048"); /* of which no limit of a process knows */
    assert_int_equal(run->how.signal_number, SIGKILL);
    strict_has_finding(run, places.memory[0] ? "memory killed at its limit of memory\n"
                                             : "memory ended at 256 MiB\n");
    strict_again(run);
    strict_run(run, "./tenant eat private 2048");
    if (places.memory[0]) {
        assert_int_equal(run->how.signal_number, SIGKILL);
        assert_in_range(run->use.peak_kib, 200 * 1024, 256 * 1024);
    } else {
        assert_non_null(strstr(run->text, "then ENOMEM"));
    }
    strict_again(run);
    strict_prints(run, "./tenant eat private 100", "ready\n100 MiB\n");
    strict_has_no_finding(run);
    assert_true(run->use.peak_kib > 100 * 1024);
}

static void time_of_the_processor_beyond_the_limit_ends_it(void **state)
{
    StrictRun *run = *state;

    run->wish.cpu_seconds = 1;
    strict_run(run, "./tenant spin");
    assert_int_equal(run->how.signal_number, SIGXCPU);
    assert_in_range(run->use.cpu_ms, 500, 5000);
}

static void output_beyond_the_limit_is_cut_and_told(void **state)
{
    StrictRun *run = *state;

    run->output_limit = 1000;
    strict_run(run, "./tenant print 100000");
    assert_int_equal(run->how.status, 0);
    assert_int_equal(run->cuts, 1);
    strict_has_line(run, "[output cut at 1000 bytes]");
}

/* ---- runtimes ---- */

static void write_script(const StrictRun *run, const char *text)
{
    char path[96];

    snprintf(path, sizeof(path), "%s/script.py", run->folder);
    int file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
    assert_int_equal(write(file, text, strlen(text)), strlen(text));
    close(file);
}

static void a_runtime_by_itself_is_no_finding(StrictRun *run, const char *profile,
                                              const char *command)
{
    run->profile = cell_profile(str_of(profile));
    strict_run(run, command);
    if (run->how.status || run->how.signal_number)
        fail_msg("'%s' printed '%s'", command, run->text);
    strict_has_no_finding(run);
}

static void python_by_itself_is_no_finding(void **state)
{
    if (access("/usr/bin/python3", X_OK)) {
        print_message("no python3 here\n");
        skip();
    }
    write_script(*state, "import json, random, socket, tempfile\n");
    a_runtime_by_itself_is_no_finding(*state, "python", "python3 -B -X utf8 script.py");
}

static void java_by_itself_is_no_finding(void **state)
{
    if (access("/usr/bin/java", X_OK)) {
        print_message("no java here\n");
        skip();
    }
    a_runtime_by_itself_is_no_finding(*state, "java",
                                      "java -Xmx64m -XX:+UseSerialGC -XX:-UsePerfData -version");
}

/* Python's own ways to what is forbidden. */
static void python_is_refused_what_c_is(void **state)
{
    StrictRun *run = *state;

    if (access("/usr/bin/python3", X_OK)) {
        print_message("no python3 here\n");
        skip();
    }
    run->profile = cell_profile(STR("python"));
    write_script(run, "import os, subprocess, socket\n"
                      "def attempt(name, call):\n"
                      "    try:\n"
                      "        call(); print(name, 'done', flush=True)\n"
                      "    except OSError as error:\n"
                      "        print(name, 'refused', flush=True)\n"
                      "attempt('subprocess', lambda: subprocess.run(['true']))\n"
                      "attempt('fork', os.fork)\n"
                      "attempt('open', lambda: open('memo.txt', 'w'))\n"
                      "attempt('listdir', lambda: os.listdir('/root'))\n"
                      "attempt('connect', lambda: socket.create_connection(('192.0.2.1', 53), 2))\n"
                      "attempt('lookup', lambda: socket.getaddrinfo('example.org', 80))\n");
    strict_run(run, "python3 -B script.py");
    strict_has_line(run, "subprocess refused");
    strict_has_line(run, "fork refused");
    strict_has_line(run, "open refused");
    strict_has_line(run, "listdir refused");
    strict_has_line(run, "connect refused");
    strict_has_line(run, "lookup refused");
    strict_has_finding(run, "process ");
    strict_has_finding(run, "write open for writing memo.txt\n");
    strict_has_finding(run, "network connect 192.0.2.1:53\n");
}

int main(void)
{
#define CASE(name) cmocka_unit_test_setup_teardown(name, strict_set_up, strict_tear_down)
    const struct CMUnitTest tests[] = {
        CASE(it_is_somebody_without_rights),
        CASE(who_keeps_it_has_no_rights_in_it_either),
        CASE(two_of_root_are_two_users),
        CASE(no_right_comes_back),
        CASE(what_a_cell_forbids_is_refused_by_name),
        CASE(its_environment_is_exactly_what_was_given),
        CASE(three_descriptors_are_open_and_nothing_of_ours),
        CASE(the_view_is_exactly_this),
        CASE(settings_are_those_of_runtimes_and_one_user),
        CASE(nothing_of_the_host_can_be_read),
        CASE(its_own_folder_and_the_systems_files_can_be_read),
        CASE(the_host_is_gone_and_not_only_covered),
        CASE(writing_is_refused_and_found),
        CASE(tmp_may_be_written_up_to_its_bytes_when_that_was_wished),
        CASE(a_folder_that_it_may_fill_is_filled_and_nothing_beside_it),
        CASE(a_further_folder_is_shown_when_it_was_wished),
        CASE(it_sees_nobody_else_and_reads_nothing_of_who_keeps_it),
        CASE(another_process_is_refused_and_found),
        CASE(signals_reach_nobody_else),
        CASE(a_thread_is_found_where_the_runtime_has_one),
        CASE(of_a_runtime_with_threads_only_others_are_found),
        CASE(threads_are_refused_where_that_was_wished),
        CASE(more_threads_than_allowed_are_not_had),
        CASE(it_reaches_its_game),
        CASE(nothing_else_can_be_reached),
        CASE(a_second_connection_is_no_second_game),
        CASE(a_connection_of_what_is_no_socket_is_the_programs_own_mistake),
        CASE(a_connection_without_its_first_thread_ends_nobody_elses_run),
        CASE(others_can_not_be_seen_or_reached_by_ways_around),
        CASE(what_is_noise_is_no_cover),
        CASE(so_many_files_are_open_and_no_more),
        CASE(memory_beyond_the_limit_ends_it),
        CASE(time_of_the_processor_beyond_the_limit_ends_it),
        CASE(output_beyond_the_limit_is_cut_and_told),
        CASE(python_by_itself_is_no_finding),
        CASE(java_by_itself_is_no_finding),
        CASE(python_is_refused_what_c_is),
    };

    return strict_run_all("strict cells", tests, sizeof(tests) / sizeof(tests[0]));
}
