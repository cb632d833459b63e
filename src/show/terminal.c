#include "show/terminal.h"

#include <sys/ioctl.h>
#include <unistd.h>

enum { PROGRESS_EVERY_MS = 100, WIDTH_UNKNOWN = 80 };

bool terminal_is(FILE *stream)
{
    return isatty(fileno(stream)) == 1;
}

bool terminal_colors(FILE *stream, ColorMode mode)
{
    const char *no_color = getenv("NO_COLOR");
    const char *term = getenv("TERM");

    if (mode != COLOR_AUTO)
        return mode == COLOR_ALWAYS;
    if (no_color && no_color[0])
        return false;
    if (!term || str_eq(str_of(term), STR("dumb")))
        return false;
    return terminal_is(stream);
}

unsigned terminal_width(FILE *stream)
{
    struct winsize size = {0};

    if (ioctl(fileno(stream), TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
        return size.ws_col;
    return WIDTH_UNKNOWN;
}

Progress progress_new(bool quiet)
{
    return (Progress){.stream = stderr, .on = !quiet && terminal_is(stderr)};
}

void progress_show(Progress *progress, int64_t now_ms, Str text)
{
    if (!progress->on || now_ms < progress->next_ms)
        return;
    /* Cut to one line: a wrapped line could not be erased. Bytes are at least as many as columns
     * for the texts we show. */
    Str line = str_part(text, 0, terminal_width(progress->stream) - 1);
    fprintf(progress->stream, "\r%.*s\033[K", STR_ARG(line));
    fflush(progress->stream);
    progress->shown = true;
    progress->next_ms = now_ms + PROGRESS_EVERY_MS;
}

void progress_end(Progress *progress)
{
    if (!progress->shown)
        return;
    fprintf(progress->stream, "\r\033[K");
    fflush(progress->stream);
    progress->shown = false;
}
