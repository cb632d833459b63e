#include "person/maw_terminal.h"

#include "person/maw_words.h"

#include <stdio.h>
#include <unistd.h>

struct MawTerminal {
    MawTerminalSetup setup;
    Screen *screen;
    MawSeat *seat;
    MawPlayer *player;
    bool gone;
};

static void leave_terminal(MawTerminal *terminal, TimeUs now)
{
    if (terminal->gone)
        return;
    terminal->gone = true;
    terminal->setup.left(terminal->setup.user, now);
}

static void on_entered(void *user, Str line, TimeUs now)
{
    MawTerminal *terminal = user;
    bool taken = terminal->setup.typed && terminal->setup.typed(terminal->setup.user, line, now);

    if (!taken)
        maw_terminal_enter(terminal, line, now);
}

/* The end of a script's lines is not the person's leaving. */
static void on_left(void *user, TimeUs now)
{
    MawTerminal *terminal = user;

    if (screen_input_ended(terminal->screen)) {
        if (terminal->player)
            maw_person_input_ended(terminal->seat, now);
        terminal->setup.acted(terminal->setup.user);
        return;
    }
    if (terminal->player)
        maw_player_leave(terminal->player, now);
    leave_terminal(terminal, now);
}

static void on_quit(void *user, TimeUs now)
{
    leave_terminal(user, now);
}

static uint32_t on_names(void *user, Str *ret)
{
    const MawTerminal *terminal = user;

    return terminal->player ? maw_person_names(terminal->seat, ret) : 0;
}

int maw_terminal_new(Loop *loop, const MawTerminalSetup *setup, MawTerminal **ret, Err *err)
{
    MawTerminal *terminal = mem_new(sizeof(*terminal));
    ScreenSetup screen = {.plain = setup->plain || setup->watched,
                          .input = setup->watched ? -1 : STDIN_FILENO,
                          .output = STDOUT_FILENO,
                          .entered = on_entered,
                          .left = on_left,
                          .names = on_names,
                          .leave_question = maw_word(MAW_LEAVE_QUESTION, setup->language),
                          .user = terminal};

    if (!terminal)
        return err_set(err, ERR_MEMORY, "terminal: out of memory");
    terminal->setup = *setup;
    int rc = screen_new(loop, &screen, &terminal->screen, err);
    if (rc == 0)
        rc = maw_person_new(&(MawPersonSetup){.screen = terminal->screen,
                                              .language = setup->language,
                                              .watched = setup->watched,
                                              .line_pause = 1100000,
                                              .quit = on_quit,
                                              .user = terminal},
                            &terminal->seat, err);
    if (rc) {
        maw_terminal_free(terminal);
        return rc;
    }
    *ret = terminal;
    return 0;
}

MawTerminal *maw_terminal_free(MawTerminal *terminal)
{
    if (!terminal)
        return NULL;
    bool full = terminal->screen && maw_terminal_is_full(terminal);
    screen_free(terminal->screen);
    if (full && terminal->seat) {
        Str outcome = maw_person_outcome(terminal->seat);
        fwrite(outcome.bytes ? outcome.bytes : "", 1, outcome.len, stdout);
    }
    maw_person_free(terminal->seat);
    return mem_free(terminal);
}

void maw_terminal_take(MawTerminal *terminal, MawPlayer *player, TimeUs now)
{
    terminal->player = player;
    maw_person_take(terminal->seat, player, now);
}

void maw_terminal_news(MawTerminal *terminal, const MawNews *news, TimeUs now)
{
    maw_person_news(terminal->seat, news, now);
}

void maw_terminal_tick(MawTerminal *terminal, TimeUs now)
{
    maw_person_tick(terminal->seat, now);
}

TimeUs maw_terminal_deadline(const MawTerminal *terminal)
{
    return terminal->player ? maw_person_deadline(terminal->seat) : TIME_US_NEVER;
}

bool maw_terminal_is_full(const MawTerminal *terminal)
{
    return !screen_is_plain(terminal->screen);
}

void maw_terminal_enter(MawTerminal *terminal, Str line, TimeUs now)
{
    maw_person_entered(terminal->seat, line, now);
    terminal->setup.acted(terminal->setup.user);
}

void maw_terminal_note(MawTerminal *terminal, Str line)
{
    screen_line(terminal->screen, STYLE_SYSTEM, line);
}
