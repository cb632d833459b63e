#include "terminal/screen.h"

#include "net/input.h"
#include "terminal/clean.h"
#include "terminal/line_edit.h"
#include "terminal/screen_full.h"
#include "terminal/screen_plain.h"

#include <signal.h>
#include <unistd.h>

#define LINES_KEPT     2000
#define LINE_BYTES_MAX 8192 /* of one that is shown */
#define TALLY_MAX      64
#define NAMES_MAX      64

struct Screen {
    Loop *loop;
    ScreenSetup setup;
    Input *input;
    Timer *tick;      /* FULL: to draw; also to tell that the output is gone */
    FullScreen *full; /* NULL: PLAIN */
    LineEdit *edit;
    PlainInput plain;
    ScreenContents contents;
    Buf status;
    Buf countdown;
    Buf prompt;
    Buf tally[TALLY_MAX];
    TimeUs until;
    bool dirty; /* it is drawn soon */
    bool asked; /* whether to leave: the next Ctrl-C does */
    bool left;
    bool input_ended;
    bool output_gone;
    bool typed_input;
    unsigned calls; /* callbacks that run: the memory must wait */
    bool freed;
};

/* ---- memory ---- */

static void release_screen(Screen *screen)
{
    for (uint32_t i = 0; screen->contents.lines && i < LINES_KEPT; i++)
        buf_done(&screen->contents.lines[i].text);
    mem_free(screen->contents.lines);
    for (uint32_t i = 0; i < TALLY_MAX; i++)
        buf_done(&screen->tally[i]);
    buf_done(&screen->status);
    buf_done(&screen->countdown);
    buf_done(&screen->prompt);
    plain_input_done(&screen->plain);
    line_edit_free(screen->edit);
    mem_free(screen);
}

Screen *screen_free(Screen *screen)
{
    if (!screen || screen->freed)
        return NULL;
    screen->freed = true;
    if (screen->loop)
        loop_signal_off(screen->loop, screen);
    input_close(screen->input);
    timer_free(screen->tick);
    screen->full = full_close(screen->full);
    if (!screen->calls)
        release_screen(screen);
    return NULL;
}

static void end_call(Screen *screen)
{
    if (--screen->calls == 0 && screen->freed)
        release_screen(screen);
}

/* ---- what is told ---- */

static void leave_screen(Screen *screen, TimeUs now)
{
    if (screen->left || screen->freed)
        return;
    screen->left = true;
    screen->setup.left(screen->setup.user, now);
}

static void enter_line(Screen *screen, Str line, TimeUs now)
{
    CLEANUP(buf_done) Buf copy = {0}; /* the callback may type, or free the screen */

    line = str_trim(line);
    if (line.len == 0 || screen->freed)
        return;
    buf_add(&copy, line);
    screen->setup.entered(screen->setup.user, buf_str(&copy), now);
}

/* The person pressed Ctrl-C, or a signal came in its place. */
static void interrupt_input(Screen *screen, TimeUs now)
{
    if (screen->asked || !screen->typed_input) {
        leave_screen(screen, now);
        return;
    }
    screen->asked = true;
    screen_line(screen, STYLE_ALERT,
                str_of(screen->setup.leave_question
                           ? screen->setup.leave_question
                           : "Leave? Ctrl-C again leaves; any other key goes on."));
}

/* ---- drawing ---- */

/* "1:05"; seconds begun count, so that 0:00 is the end. */
static void write_countdown(TimeUs left, Buf *out)
{
    int64_t seconds = left <= 0 ? 0 : (left + 999999) / 1000000;

    buf_printf(out, "%lld:%02lld", (long long)(seconds / 60), (long long)(seconds % 60));
}

static void draw_screen(Screen *screen, bool anew, TimeUs now)
{
    ScreenContents *contents = &screen->contents;

    buf_clear(&screen->countdown);
    if (screen->until != TIME_US_NEVER)
        write_countdown(screen->until - now, &screen->countdown);
    contents->status = buf_str(&screen->status);
    contents->countdown = buf_str(&screen->countdown);
    contents->prompt = buf_str(&screen->prompt);
    contents->typed = line_edit_text(screen->edit);
    contents->cursor = line_edit_cursor(screen->edit);
    if (anew)
        full_redraw(screen->full, contents);
    else
        full_draw(screen->full, contents);
    screen->dirty = false;
    if (screen->until != TIME_US_NEVER && screen->until > now) /* when the number changes */
        timer_at(screen->tick, screen->until - (screen->until - now - 1) / 1000000 * 1000000, true);
}

/* Soon: many changes at once are drawn once. */
static void touch_screen(Screen *screen)
{
    if (!screen->full || screen->freed || screen->dirty)
        return;
    screen->dirty = true;
    timer_in(screen->tick, 0);
}

static void on_tick(void *user, TimeUs now)
{
    Screen *screen = user;

    screen->calls++;
    if (screen->output_gone)
        leave_screen(screen, now);
    else if (screen->full)
        draw_screen(screen, false, now);
    end_call(screen);
}

/* With its end. */
static void write_plain(Screen *screen, Str bytes)
{
    if (screen->setup.told) {
        screen->setup.told(screen->setup.user, str_part(bytes, 0, bytes.len - 1));
        return;
    }
    if (screen->output_gone || plain_write(screen->setup.output, bytes))
        return;
    screen->output_gone = true;
    timer_in(screen->tick, 0);
}

/* ---- keys and lines that come in ---- */

static void complete_word(Screen *screen)
{
    CLEANUP(buf_done) Buf choices = {0};
    Str names[NAMES_MAX];

    if (!screen->setup.names)
        return;
    uint32_t count = screen->setup.names(screen->setup.user, names);
    if (screen->freed)
        return;
    if (line_edit_complete(screen->edit, names, count, &choices) == 0)
        full_beep(screen->full);
    if (choices.len)
        screen_line(screen, STYLE_SYSTEM, buf_str(&choices));
}

static void scroll_lines(Screen *screen, bool back)
{
    size_t page = full_page(screen->full), *scrolled = &screen->contents.scrolled;

    page = page > 2 ? page - 1 : 1;
    if (back)
        *scrolled += page;
    else
        *scrolled = *scrolled > page ? *scrolled - page : 0;
}

static void on_key(Screen *screen, LineEvent event, TimeUs now)
{
    if (event != LINE_INTERRUPT && event != LINE_END)
        screen->asked = false;
    switch (event) {
    case LINE_ENTERED:
        screen->contents.scrolled = 0;
        enter_line(screen, line_edit_entered(screen->edit), now);
        break;
    case LINE_COMPLETE:
        complete_word(screen);
        break;
    case LINE_PAGE_UP:
    case LINE_PAGE_DOWN:
        scroll_lines(screen, event == LINE_PAGE_UP);
        break;
    case LINE_REDRAW:
        draw_screen(screen, true, now);
        break;
    case LINE_INTERRUPT:
    case LINE_END:
        interrupt_input(screen, now);
        break;
    case LINE_REFUSED:
        full_beep(screen->full);
        break;
    case LINE_CHANGED:
    case LINE_MORE:
        break;
    }
}

static void take_plain(Screen *screen, bool got, Str line, bool too_long, TimeUs now)
{
    screen->asked = false;
    if (too_long)
        screen_line(screen, STYLE_ALERT, STR("That line is too long: at most 4096 bytes."));
    else if (got)
        enter_line(screen, line, now);
}

/* The key that answers the question is no part of what is being typed. Escape sequences come whole;
 * Ctrl-C and Ctrl-D are answers of their own. */
static Str answer_bytes(Screen *screen, Str bytes)
{
    size_t used = 1;

    if (!screen->asked || bytes.len == 0 || bytes.bytes[0] == 3 || bytes.bytes[0] == 4)
        return bytes;
    screen->asked = false;
    while (used < bytes.len &&
           (bytes.bytes[0] == '\033' || ((unsigned char)bytes.bytes[used] & 0xC0) == 0x80))
        used++;
    return str_part(bytes, used, SIZE_MAX);
}

static void type_bytes(Screen *screen, Str bytes, TimeUs now)
{
    CLEANUP(buf_done) Buf line = {0};
    bool too_long;

    screen->calls++;
    if (screen->full) {
        LineEvent event;
        line_edit_feed(screen->edit, answer_bytes(screen, bytes));
        while (!screen->freed && (event = line_edit_next(screen->edit)) != LINE_MORE)
            on_key(screen, event, now);
        touch_screen(screen);
    } else {
        while (!screen->freed && plain_line(&screen->plain, &bytes, &line, &too_long))
            take_plain(screen, true, buf_str(&line), too_long, now);
    }
    end_call(screen);
}

static void on_bytes(void *user, Str bytes, TimeUs at)
{
    /* The loop's buffer is one for all: a callback may read or draw. */
    CLEANUP(buf_done) Buf copy = {0};

    buf_add(&copy, bytes);
    type_bytes(user, buf_str(&copy), at);
}

static void on_ended(void *user, TimeUs at)
{
    CLEANUP(buf_done) Buf line = {0};
    Screen *screen = user;
    bool too_long;

    screen->calls++;
    if (!screen->full && plain_rest(&screen->plain, &line, &too_long))
        take_plain(screen, true, buf_str(&line), too_long, at);
    screen->input_ended = !screen->typed_input;
    leave_screen(screen, at);
    end_call(screen);
}

static void on_signal(void *user, int signal_number, TimeUs now)
{
    Screen *screen = user;

    screen->calls++;
    if (signal_number == SIGWINCH && screen->full)
        draw_screen(screen, true, now);
    else if (signal_number == SIGINT)
        interrupt_input(screen, now);
    else if (signal_number != SIGWINCH)
        leave_screen(screen, now);
    end_call(screen);
}

/* ---- what is shown ---- */

static void keep_line(Screen *screen, ScreenStyle style, Str text)
{
    ScreenContents *contents = &screen->contents;

    if (contents->count == contents->room)
        contents->first = (contents->first + 1) % contents->room;
    else
        contents->count++;
    ShownLine *line = &contents->lines[(contents->first + contents->count - 1) % contents->room];
    line->style = style;
    buf_clear(&line->text);
    buf_add(&line->text, text);
    if (contents->scrolled) /* what is looked at stays where it is */
        contents->scrolled += full_rows_of(screen->full, contents, text);
}

static Str mark_of(ScreenStyle style)
{
    switch (style) {
    case STYLE_MINE:
        return STR("> ");
    case STYLE_SYSTEM:
        return STR("* ");
    case STYLE_ALERT:
        return STR("! ");
    case STYLE_LINE:
        break;
    }
    return STR("");
}

/* Not within a character. */
static Str cut_line(Str text)
{
    if (text.len <= LINE_BYTES_MAX)
        return text;
    text.len = LINE_BYTES_MAX;
    while (text.len && ((unsigned char)text.bytes[text.len] & 0xC0) == 0x80)
        text.len--;
    return text;
}

void screen_line(Screen *screen, ScreenStyle style, Str line)
{
    CLEANUP(buf_done) Buf text = {0};

    if (screen->freed)
        return;
    buf_add(&text, mark_of(style));
    clean_line(cut_line(line), &text);
    if (screen->full) {
        if (screen->asked)
            screen->contents.scrolled = 0;
        keep_line(screen, style, buf_str(&text));
        if (style == STYLE_ALERT)
            full_beep(screen->full);
        touch_screen(screen);
        return;
    }
    if (style == STYLE_ALERT && !screen->setup.told && isatty(screen->setup.output))
        buf_add_char(&text, '\a');
    buf_add_char(&text, '\n');
    write_plain(screen, buf_str(&text));
}

static void status_plain(Screen *screen, TimeUs now)
{
    CLEANUP(buf_done) Buf text = {0};

    buf_add(&text, STR("-- "));
    buf_add(&text, buf_str(&screen->status));
    if (screen->until != TIME_US_NEVER) {
        buf_add(&text, STR(" ("));
        write_countdown(screen->until - now, &text);
        buf_add_char(&text, ')');
    }
    buf_add_char(&text, '\n');
    write_plain(screen, buf_str(&text));
}

void screen_status(Screen *screen, Str status, TimeUs until, TimeUs now)
{
    CLEANUP(buf_done) Buf text = {0};

    if (screen->freed)
        return;
    clean_line(cut_line(status), &text);
    bool other = !str_eq(buf_str(&text), buf_str(&screen->status));
    screen->until = until;
    buf_clear(&screen->status);
    buf_add(&screen->status, buf_str(&text));
    if (!screen->full && other && screen->status.len)
        status_plain(screen, now);
    touch_screen(screen);
}

void screen_tally(Screen *screen, const Str *lines, uint32_t count)
{
    if (screen->freed)
        return;
    screen->contents.tally_count = count < TALLY_MAX ? count : TALLY_MAX;
    for (uint32_t i = 0; i < screen->contents.tally_count; i++) {
        buf_clear(&screen->tally[i]);
        clean_line(str_part(lines[i], 0, 200), &screen->tally[i]);
    }
    touch_screen(screen);
}

void screen_prompt(Screen *screen, Str prompt)
{
    if (screen->freed)
        return;
    buf_clear(&screen->prompt);
    clean_line(cut_line(prompt), &screen->prompt);
    touch_screen(screen);
}

bool screen_is_plain(const Screen *screen)
{
    return !screen->full;
}

bool screen_is_typed(const Screen *screen)
{
    return screen->typed_input;
}

bool screen_input_ended(const Screen *screen)
{
    return screen->input_ended;
}

/* ---- the object ---- */

static int watch_signals(Screen *screen, Err *err)
{
    static const int signals[] = {SIGINT, SIGTERM, SIGHUP, SIGWINCH};
    int rc = 0;

    for (size_t i = 0; rc == 0 && i < sizeof(signals) / sizeof(signals[0]); i++) {
        struct sigaction now;
        if (sigaction(signals[i], NULL, &now) == 0 && now.sa_handler == SIG_IGN)
            continue; /* as nohup asks */
        rc = loop_signal(screen->loop, signals[i], on_signal, screen, err);
    }
    return rc;
}

/* FULL where it can be: a terminal of no known kind gets lines too. */
static int choose_screen(Screen *screen, Err *err)
{
    const char *term = getenv("TERM");
    int rc = watch_signals(screen, err);

    if (rc || screen->setup.plain || !term || !term[0] || str_eq(str_of(term), STR("dumb")))
        return rc;
    rc = full_open(screen->setup.input, screen->setup.output, &screen->full, NULL);
    return rc == ERR_MEMORY ? err_set(err, ERR_MEMORY, "screen: out of memory") : 0;
}

int screen_new(Loop *loop, const ScreenSetup *setup, Screen **ret_screen, Err *err)
{
    static const InputEvents events = {.bytes = on_bytes, .ended = on_ended};
    Screen *screen = mem_new(sizeof(*screen));

    if (screen && !setup->told)
        screen->contents.lines = mem_new(LINES_KEPT * sizeof(*screen->contents.lines));
    if (!screen || (!setup->told && !screen->contents.lines)) {
        mem_free(screen);
        return err_set(err, ERR_MEMORY, "screen: out of memory");
    }
    screen->loop = loop;
    screen->setup = *setup;
    screen->until = TIME_US_NEVER;
    screen->contents.room = LINES_KEPT;
    screen->contents.tally = screen->tally;
    screen->typed_input = setup->told || isatty(setup->input) == 1;
    if (setup->told) {
        *ret_screen = screen;
        return 0;
    }
    int rc = line_edit_new(&screen->edit, err);
    if (rc == 0)
        rc = timer_new(loop, on_tick, screen, &screen->tick, err);
    if (rc == 0)
        rc = choose_screen(screen, err);
    if (rc == 0 && setup->input >= 0)
        rc = input_open(loop, setup->input, &events, screen, &screen->input, err);
    if (rc) {
        screen_free(screen);
        return rc;
    }
    touch_screen(screen);
    *ret_screen = screen;
    return 0;
}
