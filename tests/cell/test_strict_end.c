#define _GNU_SOURCE /* memmem */
/* How a strict cell ends, however it is brought about, and what is said when there can be none. */
#include "strict_run.h"

#define WORD_BYTES 48

/* A word that stands in the command line of one program, and nowhere else. */
static void make_word(const StrictRun *run, char word[static WORD_BYTES])
{
    snprintf(word, WORD_BYTES, "word-of-%s", strrchr(run->folder, '-') + 1);
}

/* ./tenant stay HOW WORD, until it is ready. */
static void start_staying(StrictRun *run, const char *how, char word[static WORD_BYTES])
{
    char command[128];

    make_word(run, word);
    snprintf(command, sizeof(command), "./tenant stay %s %s", how, word);
    strict_start(run, command);
    strict_until(run, strict_is_ready);
    assert_true(strict_word_lives(word));
}

/* ---- ends ---- */

static void it_ends_as_its_program_ended(void **state)
{
    StrictRun *run = *state;

    strict_run(run, "exit 3");
    assert_int_equal(run->how.status, 3);
    assert_int_equal(run->how.signal_number, 0);
    strict_again(run);
    strict_run(run, "kill -SEGV $$");
    assert_int_equal(run->how.signal_number, SIGSEGV);
    strict_again(run);
    strict_run(run, "./nothing-of-the-kind");
    assert_int_equal(run->how.status, 127);
    assert_true(run->begun); /* the cell was made */
    assert_non_null(strstr(run->text, "nothing-of-the-kind"));
}

static void sigterm_reaches_the_program(void **state)
{
    StrictRun *run = *state;
    char word[WORD_BYTES];

    start_staying(run, "polite", word);
    child_stop(run->child, 60 * 1000);
    strict_wait(run);
    assert_int_equal(run->how.status, 6);
    assert_true(run->how.asked);
    strict_has_line(run, "heard");
    assert_true(run->used);
}

static void one_that_hears_nothing_is_killed_after_the_grace(void **state)
{
    static const char *const hows[] = {"stubborn", "stopped"};
    StrictRun *run = *state;
    char word[WORD_BYTES];

    for (size_t i = 0; i < sizeof(hows) / sizeof(hows[0]); i++) {
        start_staying(run, hows[i], word);
        child_stop(run->child, 50);
        strict_wait(run);
        assert_int_equal(run->how.signal_number, SIGKILL);
        assert_true(run->how.asked);
        strict_word_is_gone(word, PATIENCE);
        assert_true(run->used); /* its front has lived to say so, and tidied up */
        assert_false(strict_group_lives(child_pid(run->child)));
        strict_again(run);
    }
}

/* Spec 17: 20 ms; ten tries, of which the best counts, for a machine may be busy. */
static void freeing_the_child_ends_all_at_once(void **state)
{
    StrictRun *run = *state;
    char word[WORD_BYTES];
    TimeUs best = PATIENCE;

    for (int i = 0; i < 10; i++) {
        start_staying(run, i % 2 ? "stubborn" : "stopped", word);
        const int front = child_pid(run->child);
        const TimeUs begin = loop_now();
        run->child = child_free(run->child);
        while (kill(front, 0) == 0 || strict_word_lives(word)) {
            if (loop_now() - begin > PATIENCE)
                fail_msg("it lives on");
            timer_in(run->limit, 500);
            loop_run(run->loop); /* which reaps it */
        }
        const TimeUs took = loop_now() - begin;
        best = took < best ? took : best;
        strict_again(run);
    }
    assert_true(best < SECOND / 2);
}

static void a_group_whose_front_was_killed_goes_with_the_next_one(void **state)
{
    StrictRun *run = *state;
    char word[WORD_BYTES], path[GROUP_PATH + 64];
    GroupPlaces places;

    group_places_find(&places);
    if (!places.memory[0]) /* there are no groups */
        return;
    start_staying(run, "stubborn", word);
    const int front = child_pid(run->child);
    snprintf(path, sizeof(path), "%s/warg-cell-%d", places.memory, front);
    assert_int_equal(access(path, F_OK), 0);
    run->child = child_free(run->child);
    strict_word_is_gone(word, PATIENCE);
    while (kill(front, 0) == 0) {
        timer_in(run->limit, 500);
        loop_run(run->loop);
    }
    strict_again(run);
    strict_run(run, "exit 0");
    assert_int_equal(access(path, F_OK), -1);
    snprintf(path, sizeof(path), "%s/warg-cell-%d", places.memory, child_pid(run->child));
    assert_int_equal(access(path, F_OK), -1); /* its own */

    strict_again(run);
    start_staying(run, "stubborn", word);
    snprintf(path, sizeof(path), "%s/warg-cell-%d", places.memory, child_pid(run->child));
    assert_int_equal(access(path, F_OK), 0);
    run->loop = loop_free(run->loop);
    run->cell = cell_free(run->cell);
    assert_int_equal(access(path, F_OK), -1);
    buf_done(&run->findings);
    assert_int_equal(loop_new(&run->loop, NULL), 0); /* for tear_down */
}

static void killing_the_front_ends_all(void **state)
{
    StrictRun *run = *state;
    char word[WORD_BYTES];

    for (int i = 0; i < 3; i++) {
        start_staying(run, i % 2 ? "stopped" : "stubborn", word);
        const int front = child_pid(run->child);
        assert_int_equal(kill(front, SIGKILL), 0);
        strict_word_is_gone(word, PATIENCE);
        strict_wait(run);
        assert_int_equal(run->how.signal_number, SIGKILL);
        strict_again(run);
        assert_false(strict_group_lives(front));
    }
}

/* A process of its own with a loop and a program in a cell; it writes the front's number and waits
 * to be killed. */
static _Noreturn void own_a_cell(int end, const char *how)
{
    char word[WORD_BYTES];
    StrictRun run;

    strict_open(&run);
    start_staying(&run, how, word);
    const int front = child_pid(run.child);
    if (write(end, word, WORD_BYTES) != WORD_BYTES ||
        write(end, &front, sizeof(front)) != (ssize_t)sizeof(front) ||
        write(end, run.folder, sizeof(run.folder)) != (ssize_t)sizeof(run.folder) ||
        write(end, run.own, sizeof(run.own)) != (ssize_t)sizeof(run.own))
        _exit(1);
    loop_run(run.loop);
    _exit(2);
}

static void killing_whoever_started_it_ends_all(void **state)
{
    static const char *const hows[] = {"stubborn", "stopped", "polite"};
    char word[WORD_BYTES], folder[64], own[64];
    int ends[2], front = 0;

    (void)state;
    for (size_t i = 0; i < sizeof(hows) / sizeof(hows[0]); i++) {
        assert_int_equal(pipe(ends), 0);
        const pid_t owner = fork();
        if (owner == 0)
            own_a_cell(ends[1], hows[i]);
        close(ends[1]);
        assert_int_equal(read(ends[0], word, sizeof(word)), sizeof(word));
        assert_int_equal(read(ends[0], &front, sizeof(front)), sizeof(front));
        assert_int_equal(read(ends[0], folder, sizeof(folder)), sizeof(folder));
        assert_int_equal(read(ends[0], own, sizeof(own)), sizeof(own));
        close(ends[0]);
        assert_true(strict_word_lives(word));
        assert_int_equal(kill(owner, SIGKILL), 0);
        assert_int_equal(waitpid(owner, NULL, 0), owner);
        strict_word_is_gone(word, PATIENCE);
        const TimeUs until = loop_now() + PATIENCE;
        while (kill(front, 0) == 0 && loop_now() < until)
            usleep(1000);
        assert_false(strict_group_lives(front));
        strict_remove(folder);
        strict_remove(own);
    }
}

static void it_can_be_traced_back_by_nobody(void **state)
{
    StrictRun *run = *state;
    char word[WORD_BYTES], path[64], text[256];

    start_staying(run, "polite", word);
    snprintf(path, sizeof(path), "/proc/%d/comm", child_pid(run->child));
    int file = open(path, O_RDONLY | O_CLOEXEC);
    const ssize_t count = read(file, text, sizeof(text));
    close(file);
    assert_int_equal(count, (ssize_t)strlen(CHILD_FRONT_NAME) + 1);
    assert_memory_equal(text, CHILD_FRONT_NAME, strlen(CHILD_FRONT_NAME));
    if (geteuid() != 0) { /* of the same user, and closed to it */
        snprintf(path, sizeof(path), "/proc/%d/environ", child_pid(run->child));
        assert_int_equal(open(path, O_RDONLY | O_CLOEXEC), -1);
    }
}

/* ---- where there can be none ---- */

static void a_folder_that_is_not_there_is_named(void **state)
{
    StrictRun *run = *state;
    const CellTenant tenant = {.folder = "/nowhere/at/all", .port = 1, .profile = run->profile};
    CellFront front = {0};
    Err err = {0};

    strict_make_cell(run);
    assert_int_equal(cell_front_for(run->cell, &tenant, &front, &err), ERR_IO);
    assert_non_null(strstr(err.msg, "/nowhere/at/all"));
    assert_null(front.front.program);
    cell_front_done(&front);
}

static void a_folder_that_its_user_can_not_read_is_named_with_what_to_do(void **state)
{
    StrictRun *run = *state;
    const mode_t modes[] = {0700, 0711, 0744, 0000};

    for (size_t i = 0; i < sizeof(modes) / sizeof(modes[0]); i++) {
        if (geteuid() != 0 && modes[i] != 0000) /* it is the cell's user's own */
            continue;
        strict_make_cell(run);
        strict_start(run, "./tenant who"); /* which finds the folder by its name */
        strict_wait(run);
        assert_int_equal(run->how.status, 0);
        strict_again(run);
        assert_int_equal(chmod(run->folder, modes[i]), 0);
        strict_start(run, "./tenant who");
        strict_wait(run);
        assert_int_equal(run->how.status, CELL_FAILED);
        assert_false(run->begun);
        assert_non_null(strstr(run->text, run->folder));
        assert_non_null(strstr(run->text, "chmod -R a+rX"));
        assert_non_null(strstr(run->text, "the program was not started"));
        assert_null(strstr(run->text, "CapEff"));
        strict_again(run);
        assert_int_equal(chmod(run->folder, 0755), 0);
    }
}

static void a_root_or_folder_to_read_that_is_not_there_is_named(void **state)
{
    StrictRun *run = *state;

    run->wish.read[run->wish.read_count++] = "/nowhere/at/all";
    if (strict_level == CELL_FILTER)
        return; /* what isn't there needs no rule */
    strict_run(run, "./tenant who");
    assert_int_equal(run->how.status, CELL_FAILED);
    assert_false(run->begun);
    assert_non_null(strstr(run->text, "/nowhere/at/all"));
    strict_again(run);
    run->cell = cell_free(run->cell);
    run->wish.read_count = 0;
    run->wish.root = "/nowhere/at/all";
    strict_run(run, "./tenant who");
    assert_int_not_equal(run->how.status, 0); /* nothing is there to be executed */
    assert_null(strstr(run->text, "CapEff"));
}

/* This program once more, alone in a folder. */
#define ALONE "alone-of-test_strict_end"

static int be_alone(const char *level)
{
    CellWish wish = cell_wish_default();
    Cell *cell = NULL;
    Err err = {0};

    wish.level = level[0] == 'n' ? CELL_NAMESPACES : CELL_FILTER;
    const int rc = cell_new_strict(&wish, NULL, NULL, &cell, &err);
    printf("%d %s\n", rc == ERR_IO, rc ? err.msg : "there is one");
    cell_free(cell);
    return rc == ERR_IO ? 0 : 1;
}

static void without_the_program_that_makes_cells_there_is_none(void **state)
{
    StrictRun *run = *state;
    char path[128], command[256];
    Child *child = NULL;

    snprintf(path, sizeof(path), "%s/test", run->own);
    strict_copy("/proc/self/exe", path);
    snprintf(command, sizeof(command), "%s " ALONE " %s", path, cell_level_name(strict_level));
    const ChildPlan plan = {
        .command = command, .output_path = run->output, .output_limit = run->output_limit};
    assert_int_equal(child_start(run->loop, &plan, strict_on_ended, run, &child, NULL), 0);
    strict_wait(run);
    child_free(child);
    assert_int_equal(run->how.status, 0);
    assert_non_null(strstr(run->text, "strict cells need the program warg-cell"));
}

/* It was opened when the cell was made, and is that one still. */
static void it_is_not_missed_when_it_is_removed_later(void **state)
{
    StrictRun *run = *state;
    char command[PATH_MAX + 64], build[PATH_MAX], path[128];
    Child *child = NULL;

    strict_build_folder(build);
    snprintf(path, sizeof(path), "%s/test", run->own);
    strict_copy("/proc/self/exe", path);
    snprintf(path, sizeof(path), "%s/warg-cell", run->own);
    snprintf(command, sizeof(command), "%s/warg-cell", build);
    strict_copy(command, path);
    snprintf(command, sizeof(command), "%s/test " ALONE "-soon %s %s", run->own,
             cell_level_name(strict_level), path);
    const ChildPlan plan = {
        .command = command, .output_path = run->output, .output_limit = run->output_limit};
    assert_int_equal(chmod(run->own, 0755), 0);
    assert_int_equal(child_start(run->loop, &plan, strict_on_ended, run, &child, NULL), 0);
    strict_wait(run);
    child_free(child);
    if (run->how.status)
        fail_msg("it printed '%s'", run->text);
}

/* Beside a warg-cell that is removed once the cell is made. */
static int be_alone_soon(const char *level, const char *program)
{
    StrictRun run = {.wish = cell_wish_default(),
                     .profile = cell_profile(STR("native")),
                     .environment = strict_environment,
                     .folder = "/usr/bin"};

    strict_level = level[0] == 'n' ? CELL_NAMESPACES : CELL_FILTER;
    run.wish.level = strict_level;
    if (loop_new(&run.loop, NULL) || timer_new(run.loop, strict_give_up, &run, &run.limit, NULL) ||
        cell_new_strict(&run.wish, NULL, NULL, &run.cell, NULL) || unlink(program))
        return 3;
    const CellTenant tenant = {.folder = run.folder, .port = 1, .profile = run.profile};
    CLEANUP(cell_front_done) CellFront front = {0};
    if (cell_front_for(run.cell, &tenant, &front, NULL))
        return 4;
    const ChildPlan plan = {.command = "exit 42", .front = &front.front, .told = strict_on_told};
    if (child_start(run.loop, &plan, strict_on_ended, &run, &run.child, NULL))
        return 5;
    timer_at(run.limit, loop_now() + PATIENCE, false);
    loop_run(run.loop);
    Str lines = child_last_lines(run.child);
    printf("%.*s\n", STR_ARG(lines));
    const int status = run.how.status;
    listener_close(run.listener);
    loop_free(run.loop);
    cell_free(run.cell);
    buf_done(&run.findings);
    return status == 42 ? 0 : 6;
}

/* ---- O16: without namespaces, without groups ---- */

static bool put(const char *path, const char *text)
{
    int file = open(path, O_WRONLY | O_CLOEXEC);
    const bool written = file >= 0 && write(file, text, strlen(text)) > 0;

    if (file >= 0)
        close(file);
    return written;
}

/* In a namespace of users of its own, where no further one can be made. 77 = it can't be had. */
static _Noreturn void live_without_namespaces(void)
{
    char maps[2][40];
    CellWish wish = cell_wish_default();
    Cell *cell = NULL;
    Err err = {0};
    StrictRun run;

    snprintf(maps[0], sizeof(maps[0]), "0 %u 1", (unsigned)geteuid());
    snprintf(maps[1], sizeof(maps[1]), "0 %u 1", (unsigned)getegid());
    prctl(PR_SET_DUMPABLE, 1, 0, 0, 0); /* who changed its user may not write its own maps */
    if (unshare(CLONE_NEWUSER) || !put("/proc/self/setgroups", "deny") ||
        !put("/proc/self/uid_map", maps[0]) || !put("/proc/self/gid_map", maps[1]) ||
        !put("/proc/sys/user/max_user_namespaces", "0"))
        _exit(77);
    wish.level = CELL_NAMESPACES;
    if (cell_new_strict(&wish, NULL, NULL, &cell, &err) != ERR_IO ||
        !strstr(err.msg, "'namespaces'") || !strstr(err.msg, "warg cell probe"))
        _exit(11);
    wish.level = CELL_STRICT;
    if (cell_new_strict(&wish, NULL, NULL, &cell, &err))
        _exit(cell_new_strict(&wish, NULL, NULL, &cell, NULL) == ERR_IO ? 78 : 12);
    if (cell_level(cell) != CELL_FILTER)
        _exit(13);
    cell_free(cell);
    strict_level = CELL_FILTER;
    strict_open(&run);
    strict_run(&run, "./tenant files c:memo.txt r:/etc/shadow");
    if (!strstr(run.text, "c:memo.txt: EACCES") || !strstr(run.text, "r:/etc/shadow: EACCES"))
        _exit(14);
    strict_close(&run);
    _exit(0);
}

static void where_namespaces_are_none_strict_is_the_filter(void **state)
{
    int status = 0;

    (void)state;
    if (strict_level == CELL_NAMESPACES) /* once is enough */
        return;
    fflush(stdout);
    const pid_t child = fork();
    if (child == 0)
        live_without_namespaces();
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    if (WEXITSTATUS(status) >= 77) {
        print_message(WEXITSTATUS(status) == 77 ? "namespaces can't be limited here\n"
                                                : "without root the filter needs Landlock 3\n");
        skip();
    }
    assert_int_equal(WEXITSTATUS(status), 0);
}

static void a_wish_that_can_not_be_had_never_becomes_a_lighter_one(void **state)
{
    CellProbe probe = {.namespaces = {.works = false}, .filter = {.works = true}};
    CellLevel level = CELL_LIGHT;

    (void)state;
    assert_false(cell_probe_has(&probe, CELL_NAMESPACES, &level));
    assert_true(cell_probe_has(&probe, CELL_STRICT, &level));
    assert_int_equal(level, CELL_FILTER);
    probe.filter.works = false;
    assert_false(cell_probe_has(&probe, CELL_STRICT, &level));
    assert_false(cell_probe_has(&probe, CELL_FILTER, NULL));
    probe.namespaces.works = true;
    assert_true(cell_probe_has(&probe, CELL_STRICT, &level));
    assert_int_equal(level, CELL_NAMESPACES);
    assert_false(cell_probe_has(&probe, CELL_FILTER, NULL));
    assert_true(cell_probe_has(&probe, CELL_LIGHT, NULL));
}

static void ours_get_the_light_one(void **state)
{
    StrictRun *run = *state;
    const char *hidden[] = {NULL};
    Cell *light = NULL;

    assert_int_equal(cell_new(hidden, 022, NULL, &light, NULL), 0);
    assert_ptr_equal(cell_for_own(light), light);
    assert_int_equal(cell_layers(light).len, 0);
    assert_int_equal(cell_new_strict(&run->wish, NULL, light, &run->cell, NULL), 0);
    assert_ptr_equal(cell_for_own(run->cell), light); /* which it frees */
    assert_int_equal(cell_level(run->cell), strict_level);
    assert_true(cell_layers(run->cell).len > 0);
}

int main(int argc, char **argv)
{
#define CASE(name) cmocka_unit_test_setup_teardown(name, strict_set_up, strict_tear_down)
    const struct CMUnitTest tests[] = {
        CASE(it_ends_as_its_program_ended),
        CASE(sigterm_reaches_the_program),
        CASE(one_that_hears_nothing_is_killed_after_the_grace),
        CASE(freeing_the_child_ends_all_at_once),
        CASE(a_group_whose_front_was_killed_goes_with_the_next_one),
        CASE(killing_the_front_ends_all),
        CASE(killing_whoever_started_it_ends_all),
        CASE(it_can_be_traced_back_by_nobody),
        CASE(a_folder_that_is_not_there_is_named),
        CASE(a_folder_that_its_user_can_not_read_is_named_with_what_to_do),
        CASE(a_root_or_folder_to_read_that_is_not_there_is_named),
        CASE(without_the_program_that_makes_cells_there_is_none),
        CASE(it_is_not_missed_when_it_is_removed_later),
        CASE(where_namespaces_are_none_strict_is_the_filter),
        CASE(a_wish_that_can_not_be_had_never_becomes_a_lighter_one),
        CASE(ours_get_the_light_one),
    };

    if (argc == 3 && strcmp(argv[1], ALONE) == 0)
        return be_alone(argv[2]);
    if (argc == 4 && strcmp(argv[1], ALONE "-soon") == 0)
        return be_alone_soon(argv[2], argv[3]);
    return strict_run_all("ends of strict cells", tests, sizeof(tests) / sizeof(tests[0]));
}
