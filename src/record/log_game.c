#include "record/log_game.h"

void log_game_done(LogGame *game)
{
    game->lines = mem_free(game->lines);
    game->raws = mem_free(game->raws);
    game->count = game->room = 0;
}

static int make_room(LogGame *game, Err *err)
{
    if (game->count < game->room)
        return 0;
    if (game->count >= LOG_LINES_MAX)
        return err_set_at(err, ERR_LIMIT, (unsigned)game->count + 1, 0,
                          "the log has more than %zu lines", LOG_LINES_MAX);
    size_t room = game->room ? 2 * game->room : 1024;
    LogLine *lines = mem_resize(game->lines, room, sizeof(*lines));
    if (lines)
        game->lines = lines;
    Str *raws = lines ? mem_resize(game->raws, room, sizeof(*raws)) : NULL;
    if (!raws)
        return err_set(err, ERR_MEMORY, "read a game log: out of memory");
    game->raws = raws;
    game->room = room;
    return 0;
}

/* The first lines tell who plays: agents 1, 2, 3, ... */
static int read_players(LogGame *game, Err *err)
{
    size_t seats = 0;

    while (seats < game->count && seats < SEAT_MAX) {
        const LogLine *line = &game->lines[seats];
        if (line->kind != LOG_STATUS || line->seat != seats + 1 || line->day != game->lines[0].day)
            break;
        seats++;
        game->roles[seats] = (Role)line->role;
        game->names[seats] = line->text;
    }
    if (seats < PLAYERS_MIN) {
        /* A line that can't be read is the better reason. */
        if (game->broken.code != 0 && game->count == seats)
            return err_set_at(err, game->broken.code, game->broken.line, game->broken.column, "%s",
                              game->broken.msg);
        return err_set_at(err, ERR_SYNTAX, (unsigned)seats + 1, 1,
                          "a game log begins with one status line for each of at least %d agents; "
                          "found %zu",
                          PLAYERS_MIN, seats);
    }
    game->seat_count = (SeatNo)seats;
    return 0;
}

static void find_form(LogGame *game)
{
    for (size_t i = 0; i < game->count; i++)
        if (game->lines[i].kind == LOG_TALK || game->lines[i].kind == LOG_WHISPER) {
            game->turnless = game->lines[i].turnless;
            return;
        }
}

int log_game_read(Str text, LogGame *ret_game, Err *err)
{
    Str rest = text, raw;

    if (text.len > LOG_TEXT_BYTES_MAX)
        return err_set(err, ERR_LIMIT, "the log has %zu bytes; at most %zu are read", text.len,
                       LOG_TEXT_BYTES_MAX);
    while (aiwolf_log_cut_line(&rest, &raw)) {
        int rc = make_room(ret_game, err);
        if (rc)
            return rc;
        if (aiwolf_log_read_line(raw, &ret_game->lines[ret_game->count], &ret_game->broken)) {
            ret_game->broken.line = (unsigned)ret_game->count + 1;
            ret_game->broken_line = raw;
            break;
        }
        ret_game->raws[ret_game->count++] = raw;
    }
    find_form(ret_game);
    return read_players(ret_game, err);
}

void log_game_role_counts(const LogGame *game, uint8_t ret_counts[static ROLE_COUNT])
{
    memset(ret_counts, 0, ROLE_COUNT);
    for (SeatNo seat = 1; seat <= game->seat_count; seat++)
        ret_counts[game->roles[seat]]++;
}
