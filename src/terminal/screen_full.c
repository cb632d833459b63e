/* screen_full.c - the terminal is the process's, so what puts it right again after a crash is a
 * global: `taken`, the one in this file.
 *
 *     log .......................... | tally
 *     log .......................... | tally
 *     status (reversed) ............... 1:23
 *     prompt> what is typed
 */
#ifndef _GNU_SOURCE
#    define _GNU_SOURCE /* newlocale */
#endif
#ifndef NCURSES_WIDECHAR
#    define NCURSES_WIDECHAR 1
#endif
#include "terminal/screen_full.h"

#include "base/utf8.h"
#include "terminal/clean.h"

#include <errno.h>
#include <locale.h>
#include <ncurses.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <termcap.h>
#include <termios.h>
#include <unistd.h>
#include <wchar.h>

#define TALLY_FROM_COLUMNS 72 /* beside the log when the terminal is at least so wide */
#define TALLY_COLUMNS_MAX  32
#define INDENT             2 /* of the further rows of a line */
#define PASTE_ON           "\033[?2004h"
#define PASTE_OFF          "\033[?2004l"

enum { PAIR_MINE = 1, PAIR_SYSTEM, PAIR_ALERT };

struct FullScreen {
    SCREEN *curses;
    FILE *in;
    FILE *out;
    int output;
    locale_t locale; /* LC_CTYPE of UTF-8, while ncurses draws: the program has none */
    bool colors;
};

/* ---- the way out of a crash ---- */

static struct Taken {
    volatile sig_atomic_t on;
    bool registered;
    int input;
    int output;
    struct termios modes;
    char bytes[256]; /* what makes the terminal normal */
    size_t byte_count;
} taken;

static const int crashes[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGQUIT};

/* Safe in a signal handler. */
static void give_back(void)
{
    if (!taken.on)
        return;
    taken.on = 0;
    for (size_t at = 0; at < taken.byte_count;) {
        ssize_t n = write(taken.output, taken.bytes + at, taken.byte_count - at);
        if (n <= 0)
            break;
        at += (size_t)n;
    }
    tcsetattr(taken.input, TCSANOW, &taken.modes);
}

static void on_crash(int signal_number)
{
    give_back();
    raise(signal_number); /* its handler is the default again: SA_RESETHAND */
}

static void watch_crashes(bool on)
{
    for (size_t i = 0; i < sizeof(crashes) / sizeof(crashes[0]); i++) {
        struct sigaction now, mine = {.sa_flags = (int)SA_RESETHAND};

        if (sigaction(crashes[i], NULL, &now))
            continue;
        mine.sa_handler = on ? on_crash : SIG_DFL;
        if (now.sa_handler == (on ? SIG_DFL : on_crash)) /* else somebody else's, a sanitizer's */
            sigaction(crashes[i], &mine, NULL);
    }
}

static void add_capability(const char *name)
{
    char query[16];

    snprintf(query, sizeof(query), "%s", name); /* tigetstr takes no const in all versions */
    const char *text = tigetstr(query);
    /* -1 for what is no capability of texts: these three are. */
    if (!text || (intptr_t)text == -1 || strlen(text) > 60)
        return;
    memcpy(taken.bytes + taken.byte_count, text, strlen(text));
    taken.byte_count += strlen(text);
}

static void take_terminal(int input, int output, const struct termios *modes)
{
    taken.input = input;
    taken.output = output;
    taken.modes = *modes;
    memcpy(taken.bytes, PASTE_OFF, sizeof(PASTE_OFF) - 1);
    taken.byte_count = sizeof(PASTE_OFF) - 1;
    add_capability("sgr0");
    add_capability("cnorm");
    add_capability("rmcup");
    if (!taken.registered)
        taken.registered = atexit(give_back) == 0;
    watch_crashes(true);
    taken.on = 1;
}

/* ---- open and close ---- */

static void put_bytes(const FullScreen *full, const char *bytes)
{
    fputs(bytes, full->out);
    fflush(full->out);
}

static void begin_colors(FullScreen *full)
{
    const char *no_color = getenv("NO_COLOR");

    if ((no_color && no_color[0]) || !has_colors() || start_color() == ERR)
        return;
    use_default_colors();
    init_pair(PAIR_MINE, COLOR_CYAN, -1);
    init_pair(PAIR_SYSTEM, COLOR_YELLOW, -1);
    init_pair(PAIR_ALERT, COLOR_RED, -1);
    full->colors = true;
}

static void release_screen(FullScreen *full)
{
    if (full->locale)
        freelocale(full->locale);
    if (full->in)
        fclose(full->in);
    if (full->out)
        fclose(full->out);
    mem_free(full);
}

static FILE *stream_of(int descriptor, const char *mode)
{
    int copy = dup(descriptor);
    FILE *stream = copy < 0 ? NULL : fdopen(copy, mode);

    if (!stream && copy >= 0)
        close(copy);
    return stream;
}

static bool start_curses(FullScreen *full)
{
    const char *term = getenv("TERM");

    if (!term || tgetent(NULL, term) != 1) /* asked first, since newterm leaks when it fails */
        return false;
    locale_t before = uselocale(full->locale);
    full->curses = newterm(NULL, full->out, full->in);
    if (full->curses) {
        raw(); /* Ctrl-C is a key here; it is asked about */
        noecho();
        nonl();
        leaveok(stdscr, FALSE);
        begin_colors(full);
    }
    uselocale(before);
    return full->curses != NULL;
}

int full_open(int input, int output, FullScreen **ret_full, Err *err)
{
    struct termios modes;

    if (!isatty(input) || !isatty(output) || tcgetattr(input, &modes))
        return err_set(err, ERR_IO, "screen: no terminal");
    FullScreen *full = mem_new(sizeof(*full));
    if (!full)
        return err_set(err, ERR_MEMORY, "screen: out of memory");
    full->output = output;
    full->locale = newlocale(LC_CTYPE_MASK, "C.UTF-8", (locale_t)0);
    full->in = stream_of(input, "r");
    full->out = stream_of(output, "w");
    if (!full->locale || !full->in || !full->out || !start_curses(full)) {
        release_screen(full);
        return err_set(err, ERR_IO, "screen: this terminal is of no known kind: TERM=%s",
                       getenv("TERM") ? getenv("TERM") : "");
    }
    take_terminal(input, output, &modes);
    put_bytes(full, PASTE_ON);
    *ret_full = full;
    return 0;
}

FullScreen *full_close(FullScreen *full)
{
    if (!full)
        return NULL;
    put_bytes(full, PASTE_OFF);
    endwin();
    delscreen(full->curses);
    watch_crashes(false);
    if (taken.on)
        tcsetattr(taken.input, TCSADRAIN, &taken.modes);
    taken.on = 0;
    release_screen(full);
    return NULL;
}

/* ---- sizes ---- */

static size_t screen_rows(void)
{
    return LINES > 0 ? (size_t)LINES : 1;
}

static size_t screen_columns(void)
{
    return COLS > 0 ? (size_t)COLS : 1;
}

size_t full_page(const FullScreen *full)
{
    (void)full;
    return screen_rows() > 3 ? screen_rows() - 2 : 1;
}

/* 0 = not shown. As wide from the beginning as it may be: else a vote would fold the log anew.
 * Lines that are longer are folded. */
static size_t tally_columns(const ScreenContents *contents)
{
    size_t most = screen_columns() * 3 / 10;

    if (screen_columns() < TALLY_FROM_COLUMNS || contents->tally_count == 0)
        return 0;
    return most > TALLY_COLUMNS_MAX ? TALLY_COLUMNS_MAX : most;
}

static size_t log_columns(const ScreenContents *contents)
{
    size_t tally = tally_columns(contents);

    return tally ? screen_columns() - tally - 3 : screen_columns();
}

/* Takes the next row of a line off `*rest`. */
static Str next_row(Str *rest, size_t width, bool first)
{
    size_t room = first || width <= 4 * INDENT ? width : width - INDENT;
    size_t bytes = clean_fold(*rest, room);
    Str row = str_part(*rest, 0, bytes);

    *rest = str_part(*rest, bytes, SIZE_MAX);
    while (rest->len && rest->bytes[0] == ' ')
        *rest = str_part(*rest, 1, SIZE_MAX);
    return row;
}

static size_t row_count(Str text, size_t width)
{
    size_t count = 0;

    do {
        next_row(&text, width, count == 0);
        count++;
    } while (text.len);
    return count;
}

size_t full_rows_of(const FullScreen *full, const ScreenContents *contents, Str text)
{
    (void)full;
    return row_count(text, log_columns(contents));
}

/* ---- drawing ---- */

/* Draws as much of `text` as fits into the columns from..to. Where ncurses counts a character wider
 * than we do, it stops earlier: nothing may run into what is beside it. */
static void draw_text(size_t row, size_t from, size_t to, Str text)
{
    size_t width = from;

    if (row >= screen_rows() || move((int)row, (int)from) == ERR)
        return;
    while (text.len) {
        Str character = text;
        wchar_t wide[2] = {(wchar_t)utf8_next(&text), L'\0'};

        character.len -= text.len;
        width += utf8_width(character);
        size_t at = (size_t)getcurx(stdscr);
        int own = wcwidth(wide[0]);
        if (own < 0) {
            wide[0] = (wchar_t)UTF8_REPLACEMENT;
            own = 1;
        }
        if (width > to || at + (size_t)own > to || (size_t)getcury(stdscr) != row)
            return;
        addnwstr(wide, 1);
        if (at + (size_t)own >= screen_columns())
            return; /* the last column: the cursor is on the next row now */
    }
}

static int look_of(const FullScreen *full, ScreenStyle style)
{
    static const int pairs[] = {[STYLE_LINE] = 0,
                                [STYLE_MINE] = PAIR_MINE,
                                [STYLE_SYSTEM] = PAIR_SYSTEM,
                                [STYLE_ALERT] = PAIR_ALERT};
    int look = full->colors ? COLOR_PAIR(pairs[style]) : 0;

    return style == STYLE_ALERT ? look | (int)A_BOLD : look;
}

/* One line from row `start` on, which may lie above or below what is shown. */
static void draw_line(const FullScreen *full, const ShownLine *line, size_t width, int64_t start,
                      int64_t height)
{
    Str rest = buf_str(&line->text);
    bool first = true;

    attrset(look_of(full, line->style));
    for (int64_t row = start; (first || rest.len) && row < height; row++) {
        Str part = next_row(&rest, width, first);
        if (row >= 0)
            draw_text((size_t)row, first || width <= 4 * INDENT ? 0 : INDENT, width, part);
        first = false;
    }
    attrset(A_NORMAL);
}

static void draw_log(const FullScreen *full, ScreenContents *contents, size_t height)
{
    size_t width = log_columns(contents), all = 0;

    if (contents->scrolled) { /* not beyond the oldest line */
        for (uint32_t i = 0; i < contents->count; i++)
            all += row_count(buf_str(&contents->lines[(contents->first + i) % contents->room].text),
                             width);
        size_t most = all > height ? all - height : 0;
        contents->scrolled = contents->scrolled > most ? most : contents->scrolled;
    }
    int64_t end = (int64_t)height + (int64_t)contents->scrolled;
    for (uint32_t back = 1; back <= contents->count && end > 0; back++) {
        const ShownLine *line =
            &contents->lines[(contents->first + contents->count - back) % contents->room];
        int64_t start = end - (int64_t)row_count(buf_str(&line->text), width);
        draw_line(full, line, width, start, (int64_t)height);
        end = start;
    }
}

static void draw_tally(const ScreenContents *contents, size_t height)
{
    size_t from = log_columns(contents) + 1, width = tally_columns(contents), row = 0;

    if (!width)
        return;
    mvvline(0, (int)from, '|', (int)height);
    for (uint32_t i = 0; i < contents->tally_count; i++) {
        Str rest = buf_str(&contents->tally[i]);
        bool first = true;
        for (; row < height && (first || rest.len); row++) {
            Str part = next_row(&rest, width, first);
            draw_text(row, from + 2 + (first ? 0 : INDENT), screen_columns(), part);
            first = false;
        }
    }
}

static void draw_status(const ScreenContents *contents, size_t row)
{
    static const Str scrolled = {"[PgDn: newer lines]", sizeof("[PgDn: newer lines]") - 1};
    size_t end = screen_columns();

    attrset(A_REVERSE);
    mvhline((int)row, 0, ' ', (int)screen_columns());
    if (contents->countdown.len && utf8_width(contents->countdown) + 1 < end) {
        end -= utf8_width(contents->countdown) + 1;
        draw_text(row, end, screen_columns(), contents->countdown);
    }
    if (contents->scrolled && scrolled.len + 2 < end) {
        end -= scrolled.len + 1;
        draw_text(row, end, screen_columns(), scrolled);
    }
    draw_text(row, 0, end > 1 ? end - 1 : end, contents->status);
    attrset(A_NORMAL);
}

/* The prompt, and of the line the part around the cursor. */
static void draw_prompt(const ScreenContents *contents, size_t row)
{
    size_t all = screen_columns(), start = utf8_width(contents->prompt);
    Str typed = contents->typed;
    size_t before = contents->cursor;

    if (start + 10 > all)
        start = 0;
    else
        draw_text(row, 0, start, contents->prompt);
    size_t room = all > start + 1 ? all - start - 1 : 1;
    while (utf8_width(str_part(typed, 0, before)) > room) { /* cut from the front */
        Str rest = typed;
        utf8_next(&rest);
        before -= typed.len - rest.len;
        typed = rest;
    }
    draw_text(row, start, all, typed);
    move((int)row, (int)(start + utf8_width(str_part(typed, 0, before))));
}

void full_draw(FullScreen *full, ScreenContents *contents)
{
    locale_t before = uselocale(full->locale);
    size_t height = screen_rows() > 2 ? screen_rows() - 2 : 0;

    erase();
    draw_log(full, contents, height);
    draw_tally(contents, height);
    if (screen_rows() > 1)
        draw_status(contents, screen_rows() - 2);
    draw_prompt(contents, screen_rows() - 1);
    refresh();
    uselocale(before);
}

void full_redraw(FullScreen *full, ScreenContents *contents)
{
    struct winsize size;
    locale_t before = uselocale(full->locale);

    if (ioctl(full->output, TIOCGWINSZ, &size) == 0 && size.ws_row > 0 && size.ws_col > 0)
        resizeterm(size.ws_row, size.ws_col);
    clearok(curscr, TRUE);
    uselocale(before);
    full_draw(full, contents);
}

void full_beep(FullScreen *full)
{
    (void)full;
    beep();
}
