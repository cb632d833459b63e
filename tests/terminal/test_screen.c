#define _GNU_SOURCE /* memmem, posix_openpt */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "terminal/screen.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

/* A screen between two descriptors of ours, and what it told. */
typedef struct Run {
    Loop *loop;
    Screen *screen;
    Timer *limit;
    int to_screen; /* what is typed */
    int from_screen;
    Buf drawn;
    Buf entered; /* each with a '|' */
    int left;
    bool free_in_entered;
} Run;

static void on_entered(void *user, Str line, TimeUs now)
{
    Run *run = user;

    assert_true(now > 0);
    buf_add(&run->entered, line);
    buf_add_char(&run->entered, '|');
    if (run->free_in_entered)
        run->screen = screen_free(run->screen);
}

static void on_left(void *user, TimeUs now)
{
    Run *run = user;

    (void)now;
    run->left++;
    loop_stop(run->loop);
}

static uint32_t names(void *user, Str *ret)
{
    (void)user;
    ret[0] = STR("Anna");
    ret[1] = STR("花子");
    return 2;
}

static void give_up(void *user, TimeUs now)
{
    (void)now;
    loop_stop(((Run *)user)->loop);
}

/* Runs the loop for a while and reads what was drawn. */
static void run_for(Run *run, TimeUs us)
{
    char bytes[4096];
    ssize_t n;

    timer_at(run->limit, loop_now() + us, false);
    loop_run(run->loop);
    while ((n = read(run->from_screen, bytes, sizeof(bytes))) > 0)
        buf_add(&run->drawn, (Str){bytes, (size_t)n});
}

static bool drawn(const Run *run, const char *text)
{
    return run->drawn.len && memmem(run->drawn.bytes, run->drawn.len, text, strlen(text));
}

static void type(Run *run, const char *keys)
{
    assert_int_equal(write(run->to_screen, keys, strlen(keys)), (ssize_t)strlen(keys));
    run_for(run, 30000);
}

static int begin(void **state)
{
    Run *run = mem_new(sizeof(*run));

    assert_non_null(run);
    assert_int_equal(loop_new(&run->loop, NULL), 0);
    assert_int_equal(timer_new(run->loop, give_up, run, &run->limit, NULL), 0);
    *state = run;
    return 0;
}

static int end(void **state)
{
    Run *run = *state;

    screen_free(run->screen);
    timer_free(run->limit);
    loop_free(run->loop);
    buf_done(&run->drawn);
    buf_done(&run->entered);
    close(run->from_screen);
    if (run->to_screen != run->from_screen)
        close(run->to_screen);
    mem_free(run);
    return 0;
}

/* ---- plain ---- */

static void open_plain(Run *run)
{
    int in[2], out[2];

    assert_int_equal(pipe2(in, O_CLOEXEC), 0);
    assert_int_equal(pipe2(out, O_CLOEXEC), 0);
    fcntl(out[0], F_SETFL, O_NONBLOCK);
    run->to_screen = in[1];
    run->from_screen = out[0];
    const ScreenSetup setup = {.plain = true,
                               .input = in[0],
                               .output = out[1],
                               .entered = on_entered,
                               .left = on_left,
                               .names = names,
                               .user = run};
    assert_int_equal(screen_new(run->loop, &setup, &run->screen, NULL), 0);
    assert_true(screen_is_plain(run->screen));
    assert_false(screen_is_typed(run->screen));
}

static void plain_mode_is_a_line_for_each_thing(void **state)
{
    Run *run = *state;
    const Str tally[] = {STR("Anna 2")};

    open_plain(run);
    screen_line(run->screen, STYLE_LINE, STR("Anna: hello\033[2J \a\xE2\x80\xAE you"));
    screen_line(run->screen, STYLE_SYSTEM, STR("It is day."));
    screen_line(run->screen, STYLE_ALERT, STR("refused"));
    screen_line(run->screen, STYLE_MINE, STR("me: 人"));
    screen_tally(run->screen, tally, 1);
    screen_prompt(run->screen, STR("> "));
    screen_status(run->screen, STR("day 1"), TIME_US_NEVER, loop_now());
    screen_status(run->screen, STR("day 1"), TIME_US_NEVER, loop_now());
    screen_status(run->screen, STR("night 1"), loop_now() + 90500000, loop_now());
    run_for(run, 1000);
    assert_string_equal(buf_cstr(&run->drawn),
                        "Anna: hello[2J  you\n* It is day.\n! refused\n> me: 人\n"
                        "-- day 1\n-- night 1 (1:31)\n");
}

static void plain_mode_takes_a_command_a_line(void **state)
{
    Run *run = *state;

    open_plain(run);
    type(run, "/vote An");
    assert_int_equal(run->entered.len, 0);
    type(run, "na\r\n\n   \n  hi\tall\x01 \n\xFF\nend");
    assert_string_equal(buf_cstr(&run->entered), "/vote Anna|hi all|\xEF\xBF\xBD|");
    assert_int_equal(run->left, 0);
    close(run->to_screen);
    run->to_screen = run->from_screen;
    run_for(run, 1000000);
    assert_string_equal(buf_cstr(&run->entered), "/vote Anna|hi all|\xEF\xBF\xBD|end|");
    assert_int_equal(run->left, 1);
    assert_true(screen_input_ended(run->screen));
}

static void plain_mode_refuses_a_line_without_end(void **state)
{
    static char flood[40000];
    Run *run = *state;

    open_plain(run);
    memset(flood, 'x', sizeof(flood) - 1);
    type(run, flood);
    type(run, "\nnext\n");
    assert_true(drawn(run, "! That line is too long"));
    assert_string_equal(buf_cstr(&run->entered), "next|");
}

static void a_screen_may_be_freed_by_what_it_calls(void **state)
{
    Run *run = *state;

    open_plain(run);
    run->free_in_entered = true;
    type(run, "one\ntwo\n");
    assert_string_equal(buf_cstr(&run->entered), "one|");
    assert_null(run->screen);
}

static void a_reader_that_is_gone_is_the_end(void **state)
{
    Run *run = *state;

    open_plain(run);
    close(run->from_screen);
    run->from_screen = run->to_screen;
    screen_line(run->screen, STYLE_LINE, STR("is anybody there?"));
    screen_line(run->screen, STYLE_LINE, STR("no"));
    timer_at(run->limit, loop_now() + 1000000, false);
    loop_run(run->loop);
    assert_int_equal(run->left, 1);
    assert_false(screen_input_ended(run->screen));
}

static void a_signal_is_leaving(void **state)
{
    Run *run = *state;

    open_plain(run);
    kill(getpid(), SIGTERM);
    run_for(run, 1000000);
    assert_int_equal(run->left, 1);
}

static void a_file_is_an_input_too(void **state)
{
    Run *run = *state;
    char path[] = "/tmp/warg-screen-XXXXXX";
    int file = mkstemp(path);

    unlink(path);
    assert_int_equal(write(file, "one\ntwo\n", 8), 8);
    lseek(file, 0, SEEK_SET);
    const ScreenSetup setup = {.input = file,
                               .output = open("/dev/null", O_WRONLY),
                               .entered = on_entered,
                               .left = on_left,
                               .user = run};
    assert_int_equal(screen_new(run->loop, &setup, &run->screen, NULL), 0);
    assert_true(screen_is_plain(run->screen)); /* by itself */
    timer_at(run->limit, loop_now() + 1000000, false);
    loop_run(run->loop);
    assert_string_equal(buf_cstr(&run->entered), "one|two|");
    assert_int_equal(run->left, 1);
    run->screen = screen_free(run->screen);
    close(setup.output);
    run->from_screen = run->to_screen = file;

    Err err = {0};
    const ScreenSetup wrong = {.input = 900, .output = 1, .entered = on_entered, .left = on_left};
    Screen *none = NULL;
    assert_int_equal(screen_new(run->loop, &wrong, &none, &err), ERR_IO);
    assert_null(none);
}

/* ---- full ---- */

static int open_terminal(int *ret_master)
{
    struct winsize size = {.ws_row = 24, .ws_col = 80};
    int master = posix_openpt(O_RDWR | O_NOCTTY);

    assert_true(master >= 0);
    assert_int_equal(grantpt(master), 0);
    assert_int_equal(unlockpt(master), 0);
    int terminal = open(ptsname(master), O_RDWR | O_NOCTTY);
    assert_true(terminal >= 0);
    assert_int_equal(ioctl(terminal, TIOCSWINSZ, &size), 0);
    fcntl(master, F_SETFL, O_NONBLOCK);
    *ret_master = master;
    return terminal;
}

static int open_full(Run *run)
{
    int terminal = open_terminal(&run->to_screen);
    const ScreenSetup setup = {.input = terminal,
                               .output = terminal,
                               .entered = on_entered,
                               .left = on_left,
                               .names = names,
                               .user = run};

    setenv("TERM", "xterm", 1);
    run->from_screen = run->to_screen;
    assert_int_equal(screen_new(run->loop, &setup, &run->screen, NULL), 0);
    assert_false(screen_is_plain(run->screen));
    assert_true(screen_is_typed(run->screen));
    screen_prompt(run->screen, STR("you> "));
    return terminal;
}

/* What a terminal of 80x24 shows after `bytes`: only the sequences that ncurses uses for xterm. */
typedef struct Shown {
    char cells[24][80][8];
    int row, column;
    int top, bottom; /* what scrolls */
    int alarms;
} Shown;

static void clear_cells(Shown *shown, int row, int from, int to)
{
    for (int column = from; column < to; column++)
        snprintf(shown->cells[row][column], 8, " ");
}

static void next_line(Shown *shown)
{
    if (shown->row != shown->bottom) {
        shown->row++;
        return;
    }
    memmove(shown->cells[shown->top], shown->cells[shown->top + 1],
            (size_t)(shown->bottom - shown->top) * sizeof(shown->cells[0]));
    clear_cells(shown, shown->bottom, 0, 80);
}

static void obey(Shown *shown, const char *arguments, char final)
{
    int first = 0, second = 0;

    sscanf(arguments, "%d;%d", &first, &second);
    int n = first ? first : 1;
    if (final == 'H') {
        shown->row = n - 1;
        shown->column = second ? second - 1 : 0;
    } else if (final == 'r') {
        shown->top = n - 1;
        shown->bottom = second ? second - 1 : 23;
        shown->row = shown->column = 0;
    } else if (final == 'd') {
        shown->row = n - 1;
    } else if (final == 'G') {
        shown->column = n - 1;
    } else if (final == 'A') {
        shown->row -= n;
    } else if (final == 'B') {
        shown->row += n;
    } else if (final == 'C') {
        shown->column += n;
    } else if (final == 'D') {
        shown->column -= n;
    } else if (final == 'J') {
        for (int row = shown->row; row < 24; row++)
            clear_cells(shown, row, row == shown->row ? shown->column : 0, 80);
    } else if (final == 'K') {
        if (first == 1)
            clear_cells(shown, shown->row, 0, shown->column + 1);
        else
            clear_cells(shown, shown->row, shown->column, 80);
    } else if (final == 'X') {
        clear_cells(shown, shown->row, shown->column,
                    shown->column + n > 80 ? 80 : shown->column + n);
    } else if (final == 'P' || final == '@' || final == 'L' || final == 'M' || final == 'S' ||
               final == 'T') {
        fail_msg("this terminal can't do CSI %s %c", arguments, final);
    }
    assert_in_range(shown->row, 0, 23);
    assert_in_range(shown->column, 0, 80);
}

static void put_cell(Shown *shown, const char *bytes, size_t len)
{
    int wide = len == 3; /* in these tests */

    assert_in_range(shown->column + wide, 0, 79);
    snprintf(shown->cells[shown->row][shown->column], 8, "%.*s", (int)len, bytes);
    if (wide)
        shown->cells[shown->row][shown->column + 1][0] = '\0';
    shown->column += 1 + wide;
}

static void look(const Run *run, Shown *shown)
{
    Str rest = buf_str(&run->drawn);

    memset(shown, 0, sizeof(*shown));
    shown->bottom = 23;
    for (int row = 0; row < 24; row++)
        clear_cells(shown, row, 0, 80);
    while (rest.len) {
        unsigned char byte = (unsigned char)rest.bytes[0];
        size_t used = byte < 0x80 ? 1 : byte < 0xE0 ? 2 : byte < 0xF0 ? 3 : 4;

        if (byte == '\033' && rest.len > 1 && rest.bytes[1] == '[') {
            char arguments[32] = "";
            used = 2 + strspn(rest.bytes + 2, "0123456789;?");
            snprintf(arguments, sizeof(arguments), "%.*s", (int)used - 2, rest.bytes + 2);
            obey(shown, arguments, rest.bytes[used++]);
        } else if (byte == '\033') {
            used = rest.len > 1 && strchr("()", rest.bytes[1]) ? 3 : 2;
        } else if (byte == '\r') {
            shown->column = 0;
        } else if (byte == '\n') {
            next_line(shown);
        } else if (byte == '\b') {
            shown->column--;
        } else if (byte == '\a') {
            shown->alarms++;
        } else if (byte >= ' ') {
            put_cell(shown, rest.bytes, used);
        }
        rest = str_part(rest, used, SIZE_MAX);
    }
}

static const char *row_of(const Shown *shown, int row, Buf *text)
{
    buf_clear(text);
    for (int column = 0; column < 80; column++)
        buf_add(text, str_of(shown->cells[row][column]));
    while (text->len && text->bytes[text->len - 1] == ' ')
        text->bytes[--text->len] = '\0';
    return buf_cstr(text);
}

static void a_half_typed_line_survives_what_comes_in(void **state)
{
    CLEANUP(buf_done) Buf text = {0};
    const Str tally[] = {STR("Anna 2 <- Bob, 花子"), STR("Bob 0")};
    Run *run = *state;
    int terminal = open_full(run);
    Shown shown;

    screen_status(run->screen, STR("day 1"), loop_now() + 90500000, loop_now());
    type(run, "I think 人狼");
    screen_line(run->screen, STYLE_LINE, STR("Anna: it is\033[2J\033[1;1H Bob\a"));
    screen_line(run->screen, STYLE_SYSTEM, STR("one vote"));
    screen_tally(run->screen, tally, 2);
    run_for(run, 30000);
    look(run, &shown);
    assert_string_equal(row_of(&shown, 23, &text), "you> I think 人狼");
    assert_true(shown.row == 23 && shown.column == 17);
    row_of(&shown, 22, &text);
    assert_memory_equal(text.bytes, "day 1 ", 6);
    assert_string_equal(text.bytes + text.len - 4, "1:31");
    row_of(&shown, 20, &text);
    assert_memory_equal(text.bytes, "Anna: it is[2J[1;1H Bob ", 24);
    assert_memory_equal(row_of(&shown, 21, &text), "* one vote ", 11);
    row_of(&shown, 0, &text);
    assert_string_equal(text.bytes + text.len - strlen("| Anna 2 <- Bob, 花子"),
                        "| Anna 2 <- Bob, 花子");
    assert_int_equal(shown.alarms, 0);

    type(run, " is\r");
    assert_string_equal(buf_cstr(&run->entered), "I think 人狼 is|");
    screen_line(run->screen, STYLE_ALERT, STR("refused"));
    type(run, "/vote an\t");
    look(run, &shown);
    assert_string_equal(row_of(&shown, 23, &text), "you> /vote Anna");
    assert_memory_equal(row_of(&shown, 21, &text), "! refused ", 10);
    assert_int_equal(shown.alarms, 1);
    run->screen = screen_free(run->screen);
    close(terminal);
}

static size_t edge_of_tally(Run *run, int row)
{
    CLEANUP(buf_done) Buf text = {0};
    Shown shown;

    run_for(run, 30000);
    look(run, &shown);
    row_of(&shown, row, &text);
    const char *edge = strstr(buf_cstr(&text), "| Anna");
    assert_non_null(edge);
    return (size_t)(edge - buf_cstr(&text));
}

/* Votes come and go; the log beside them stays where it is. */
static void the_tally_keeps_its_width(void **state)
{
    const Str narrow[] = {STR("Anna 0"), STR("Bob 0")};
    const Str wide[] = {STR("Anna 3 <- Bob, Clara, Emil"), STR("Bob 0")};
    Run *run = *state;
    int terminal = open_full(run);

    screen_tally(run->screen, narrow, 2);
    size_t edge = edge_of_tally(run, 0);
    screen_tally(run->screen, wide, 2);
    assert_int_equal(edge_of_tally(run, 0), edge);
    screen_tally(run->screen, narrow, 2);
    assert_int_equal(edge_of_tally(run, 0), edge);
    run->screen = screen_free(run->screen);
    close(terminal);
}

static void old_lines_can_be_looked_at(void **state)
{
    CLEANUP(buf_done) Buf text = {0};
    Run *run = *state;
    int terminal = open_full(run);
    char line[120];
    Shown shown;

    for (int i = 1; i <= 3000; i++) {
        snprintf(line, sizeof(line), "line %d", i);
        screen_line(run->screen, STYLE_LINE, str_of(line));
    }
    run_for(run, 30000);
    look(run, &shown);
    assert_string_equal(row_of(&shown, 21, &text), "line 3000");
    type(run, "\033[5~");
    screen_line(run->screen, STYLE_LINE, STR("line 3001"));
    run_for(run, 30000);
    type(run, "\f"); /* this reader knows no scrolling */
    buf_clear(&run->drawn);
    type(run, "\f");
    look(run, &shown);
    assert_string_equal(row_of(&shown, 21, &text), "line 2979"); /* stays where it is */
    assert_non_null(strstr(row_of(&shown, 22, &text), "PgDn"));
    for (int i = 0; i < 200; i++)
        type(run, i == 0 ? "\033[5~" : "\033[5~\033[5~");
    buf_clear(&run->drawn);
    type(run, "\f");
    look(run, &shown);
    assert_string_equal(row_of(&shown, 0, &text), "line 1002"); /* 2000 are kept */
    run->screen = screen_free(run->screen);
    close(terminal);
}

static void long_lines_are_folded_and_a_resize_folds_them_anew(void **state)
{
    CLEANUP(buf_done) Buf text = {0};
    struct winsize size = {.ws_row = 10, .ws_col = 20};
    Run *run = *state;
    int terminal = open_full(run);
    Shown shown;

    screen_line(run->screen, STYLE_LINE, STR("Anna: 人狼人狼人狼人狼人狼 and one two three"));
    type(run, "0123456789012345678901234567890123456789");
    assert_int_equal(ioctl(terminal, TIOCSWINSZ, &size), 0);
    buf_clear(&run->drawn);
    kill(getpid(), SIGWINCH); /* the pseudo terminal is not our controlling one */
    run_for(run, 30000);
    look(run, &shown);
    assert_string_equal(row_of(&shown, 5, &text), "Anna: 人狼人狼人狼人");
    assert_string_equal(row_of(&shown, 6, &text), "  狼人狼 and one two");
    assert_string_equal(row_of(&shown, 7, &text), "  three");
    row_of(&shown, 9, &text);
    assert_string_equal(text.bytes, "you> 67890123456789");
    run->screen = screen_free(run->screen);
    close(terminal);
}

static void leaving_is_asked_about_once(void **state)
{
    Run *run = *state;
    int terminal = open_full(run);

    type(run, "\003");
    assert_int_equal(run->left, 0);
    assert_true(drawn(run, "Ctrl-C again"));
    type(run, "x");
    type(run, "still here\r");
    assert_string_equal(buf_cstr(&run->entered), "still here|"); /* any other key goes on */
    type(run, "\003");
    type(run, "\033[D");
    type(run, "\003");
    type(run, "人\003");
    assert_int_equal(run->left, 0);
    type(run, "\003");
    assert_int_equal(run->left, 1);
    assert_false(screen_input_ended(run->screen));
    type(run, "\003\003");
    assert_int_equal(run->left, 1);
    run->screen = screen_free(run->screen);
    close(terminal);
}

static void the_terminal_is_as_it_was_before(void **state)
{
    struct termios before, during, after;
    Run *run = *state;
    int master, terminal = open_terminal(&master);

    tcgetattr(terminal, &before);
    close(terminal);
    close(master);
    terminal = open_full(run);
    int flags = fcntl(terminal, F_GETFL);
    assert_false(flags & O_NONBLOCK);
    tcgetattr(terminal, &during);
    assert_false(during.c_lflag & ECHO);
    assert_false(during.c_lflag & ISIG);
    run->screen = screen_free(run->screen);
    run_for(run, 1000);
    tcgetattr(terminal, &after);
    assert_int_equal(after.c_lflag, before.c_lflag);
    assert_int_equal(after.c_iflag, before.c_iflag);
    assert_int_equal(after.c_oflag, before.c_oflag);
    assert_true(drawn(run, "\033[?1049l"));
    assert_true(drawn(run, "\033[?2004l"));
    close(terminal);
}

/* A process that ends in some way while it has the terminal. */
static void assert_restored_after(Run *run, void (*end_badly)(void))
{
    int terminal = open_terminal(&run->to_screen);
    struct termios before, after;
    int status;

    setenv("TERM", "xterm", 1);
    run->from_screen = run->to_screen;
    tcgetattr(terminal, &before);
    fflush(NULL);
    pid_t pid = fork();
    if (pid == 0) {
        Loop *loop;
        Screen *screen;
        const ScreenSetup setup = {
            .input = terminal, .output = terminal, .entered = on_entered, .left = on_left};
        signal(SIGABRT, SIG_DFL); /* what cmocka and sanitizers set */
        if (loop_new(&loop, NULL) || screen_new(loop, &setup, &screen, NULL))
            _exit(9);
        end_badly();
        _exit(8);
    }
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_false(WIFEXITED(status) && WEXITSTATUS(status) > 1);
    run_for(run, 1000);
    assert_true(drawn(run, "\033[?2004h"));
    assert_true(drawn(run, "\033[?2004l"));
    assert_true(drawn(run, "\033[?1049l"));
    tcgetattr(terminal, &after);
    assert_int_equal(after.c_lflag, before.c_lflag);
    close(terminal);
}

static void end_by_exit(void)
{
    exit(1);
}

static void end_by_abort(void)
{
    abort();
}

static void an_exit_restores_the_terminal(void **state)
{
    assert_restored_after(*state, end_by_exit);
}

static void a_crash_restores_the_terminal(void **state)
{
    assert_restored_after(*state, end_by_abort);
}

static void colours_are_left_out_where_they_are_not_wanted(void **state)
{
    Run *run = *state;

    setenv("NO_COLOR", "1", 1);
    int terminal = open_full(run);
    unsetenv("NO_COLOR");
    screen_line(run->screen, STYLE_ALERT, STR("careful"));
    run_for(run, 30000);
    assert_true(drawn(run, "! careful"));
    assert_false(drawn(run, "\033[31m"));
    run->screen = screen_free(run->screen);
    close(terminal);
    close(run->to_screen);

    buf_clear(&run->drawn);
    terminal = open_full(run);
    screen_line(run->screen, STYLE_ALERT, STR("careful"));
    run_for(run, 30000);
    assert_true(drawn(run, "\033[31m"));
    run->screen = screen_free(run->screen);
    close(terminal);
}

static void a_terminal_of_no_known_kind_gets_lines(void **state)
{
    Run *run = *state;
    int terminal = open_terminal(&run->to_screen);
    const ScreenSetup setup = {
        .input = terminal, .output = terminal, .entered = on_entered, .left = on_left, .user = run};

    run->from_screen = run->to_screen;
    setenv("TERM", "no-such-terminal", 1);
    assert_int_equal(screen_new(run->loop, &setup, &run->screen, NULL), 0);
    assert_true(screen_is_plain(run->screen));
    screen_line(run->screen, STYLE_LINE, STR("hello"));
    run_for(run, 1000);
    assert_true(drawn(run, "hello"));
    assert_false(drawn(run, "\033"));
    run->screen = screen_free(run->screen);
    close(terminal);
}

#define CASE(test) cmocka_unit_test_setup_teardown(test, begin, end)

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(plain_mode_is_a_line_for_each_thing),
        CASE(plain_mode_takes_a_command_a_line),
        CASE(plain_mode_refuses_a_line_without_end),
        CASE(a_screen_may_be_freed_by_what_it_calls),
        CASE(a_reader_that_is_gone_is_the_end),
        CASE(a_signal_is_leaving),
        CASE(a_file_is_an_input_too),
        CASE(a_half_typed_line_survives_what_comes_in),
        CASE(the_tally_keeps_its_width),
        CASE(old_lines_can_be_looked_at),
        CASE(long_lines_are_folded_and_a_resize_folds_them_anew),
        CASE(leaving_is_asked_about_once),
        CASE(the_terminal_is_as_it_was_before),
        CASE(an_exit_restores_the_terminal),
        CASE(a_crash_restores_the_terminal),
        CASE(colours_are_left_out_where_they_are_not_wanted),
        CASE(a_terminal_of_no_known_kind_gets_lines),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
