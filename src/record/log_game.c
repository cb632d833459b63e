#include "record/log_game.h"

#include "record/log_text.h"
#include "record/nlp_json.h"
#include "record/nlp_realtime.h"

#define UTTERANCES_JUDGED 1000

void log_game_done(LogGame *game)
{
    game->lines = mem_free(game->lines);
    game->raws = mem_free(game->raws);
    game->count = game->room = 0;
    buf_done(&game->converted);
    buf_done(&game->spoken);
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
        game->in_game[seats] = line->in_game.len > 0 ? line->in_game : line->text;
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

/* ---- the natural-language division ---- */

/* Words that no sentence of the protocol language has: small letters but those of Agent[05], day1,
 * Skip and Over, marks, anything that is not ASCII. */
static bool is_natural(Str text)
{
    for (size_t i = 0; i < text.len; i++) {
        Str rest = str_part(text, i, text.len);
        unsigned char c = (unsigned char)text.bytes[i];
        if (str_starts(rest, STR("Agent[")))
            i += strlen("Agent");
        else if (str_starts(rest, STR("day")))
            i += strlen("day") - 1;
        else if (str_starts(rest, STR("Skip")) || str_starts(rest, STR("Over")))
            i += strlen("Skip") - 1;
        else if (c >= 0x80 || (c >= 'a' && c <= 'z') || c == '.' || c == '!' || c == '?')
            return true;
    }
    return false;
}

/* Every seat has a name in the game, and no two the same: 8.2. */
static bool names_in_game(const LogLine *lines, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (lines[i].in_game.len == 0)
            return false;
        for (size_t k = 0; k < i; k++)
            if (str_eq(lines[i].in_game, lines[k].in_game))
                return false;
    }
    return count > 0;
}

LogForm log_form_of(Str text)
{
    LogLine seats[SEAT_MAX], line;
    size_t seat_count = 0;
    unsigned natural = 0, others = 0;
    bool at_head = true;
    Str raw;

    while (natural + others < UTTERANCES_JUDGED && aiwolf_log_cut_line(&text, &raw)) {
        if (aiwolf_log_read_line_of(LOG_FORM_NLP, raw, &line, NULL))
            continue;
        at_head = at_head && line.kind == LOG_STATUS && seat_count < SEAT_MAX &&
                  line.seat == seat_count + 1;
        if (at_head)
            seats[seat_count++] = line;
        else if (names_in_game(seats, seat_count))
            return LOG_FORM_NLP;
        if (line.kind == LOG_TALK && is_natural(line.text))
            natural++;
        else if (line.kind == LOG_TALK)
            others += !str_eq(line.text, STR("Skip")) && !str_eq(line.text, STR("Over"));
    }
    return natural > others || names_in_game(seats, seat_count) ? LOG_FORM_NLP : LOG_FORM_PROTOCOL;
}

/* A line of the utterance that was read last: it grows, since all is one text. */
static bool line_continues(const LogGame *game, Str raw)
{
    if (game->form != LOG_FORM_NLP || game->count == 0 || aiwolf_log_begins_record(raw))
        return false;
    LogLine *last = &game->lines[game->count - 1];
    if (last->kind != LOG_TALK && last->kind != LOG_WHISPER)
        return false;
    last->text.len = (size_t)(raw.bytes + raw.len - last->text.bytes);
    Str *whole = &game->raws[game->count - 1];
    whole->len = (size_t)(raw.bytes + raw.len - whole->bytes);
    return true;
}

/* "TEXT,1778646866": where the time is, if there is one. */
static bool find_time(Str text, Str *ret_text, int64_t *ret_unix_s)
{
    uint64_t time;
    size_t comma;

    if (!str_find_last(text, ',', &comma))
        return false;
    Str digits = str_part(text, comma + 1, text.len);
    if (digits.len < 9 || digits.len > 13 || !str_to_uint(digits, INT64_MAX, &time))
        return false;
    *ret_text = str_part(text, 0, comma);
    *ret_unix_s = (int64_t)(digits.len > 11 ? time / 1000 : time);
    return true;
}

/* Times are taken off when all utterances of a kind have one: then it is the log's doing. */
static void take_times(LogGame *game, LogLineKind kind)
{
    int64_t time;
    Str text;

    for (size_t i = 0; i < game->count; i++)
        if (game->lines[i].kind == kind && !find_time(game->lines[i].text, &text, &time))
            return;
    for (size_t i = 0; i < game->count; i++) {
        LogLine *line = &game->lines[i];
        if (line->kind == kind)
            find_time(line->text, &line->text, &line->unix_s);
    }
}

/* log_text.h; the room is made before, so that no text moves. */
static int read_escapes(LogGame *game, Err *err)
{
    size_t bytes = 0;

    for (size_t i = 0; i < game->count; i++)
        if (log_text_is_escaped(game->lines[i].text))
            bytes += game->lines[i].text.len;
    if (bytes == 0)
        return 0;
    if (!buf_reserve(&game->spoken, bytes + 1))
        return err_set(err, ERR_MEMORY, "read log: out of memory");
    for (size_t i = 0; i < game->count; i++) {
        LogLine *line = &game->lines[i];
        size_t start = game->spoken.len;
        bool speech = line->kind == LOG_TALK || line->kind == LOG_WHISPER;

        if (!speech || !log_text_is_escaped(line->text))
            continue;
        log_text_read(&game->spoken, line->text);
        line->text = str_part(buf_str(&game->spoken), start, SIZE_MAX);
    }
    return 0;
}

/* An errored seat's status tells nothing of its life; the deaths do. */
static void find_errored_alive(LogGame *game)
{
    SeatSet dead = 0;

    for (size_t i = 0; i < game->count; i++) {
        LogLine *line = &game->lines[i];
        if (line->kind == LOG_EXECUTE)
            dead |= seat_bit(line->seat);
        else if (line->kind == LOG_ATTACK && line->killed)
            dead |= seat_bit(line->target);
        else if (line->errored)
            line->alive = !seat_in(dead, line->seat);
    }
}

/* Turns of a session in turns never fall, but to 0 for another session, and never leap. */
static void find_anytime(LogGame *game)
{
    for (size_t i = 1; i < game->count && !game->anytime; i++) {
        const LogLine *line = &game->lines[i], *before = &game->lines[i - 1];
        bool speech = line->kind == LOG_TALK || line->kind == LOG_WHISPER;
        if (!speech || line->kind != before->kind || line->day != before->day)
            continue;
        game->anytime =
            line->turn > 0 && (line->turn < before->turn || line->turn > before->turn + 1);
    }
}

/* ---- whole logs ---- */

static void note_broken(LogGame *game, Str raw, unsigned number, const Err *why)
{
    game->broken = *why;
    game->broken.line = number;
    game->broken_line = raw;
}

int log_game_read_of(LogForm form, Str text, LogGame *ret_game, Err *err)
{
    Str rest = text, raw;
    unsigned number = 0;

    if (text.len > LOG_TEXT_BYTES_MAX)
        return err_set(err, ERR_LIMIT, "the log has %zu bytes; at most %zu are read", text.len,
                       LOG_TEXT_BYTES_MAX);
    ret_game->form = form;
    while (aiwolf_log_cut_line(&rest, &raw)) {
        Err why = {0};
        number++;
        if (form == LOG_FORM_NLP && raw.len == 0 && str_trim(rest).len == 0)
            break; /* blank lines at the end */
        if (line_continues(ret_game, raw))
            continue;
        int rc = make_room(ret_game, err);
        if (rc)
            return rc;
        LogLine *line = &ret_game->lines[ret_game->count];
        if (aiwolf_log_read_line_of(form, raw, line, &why)) {
            note_broken(ret_game, raw, number, &why);
            break;
        }
        line->number = number;
        ret_game->raws[ret_game->count++] = raw;
    }
    if (form == LOG_FORM_NLP) {
        take_times(ret_game, LOG_TALK);
        take_times(ret_game, LOG_WHISPER);
        int rc = read_escapes(ret_game, err);
        if (rc)
            return rc;
        find_errored_alive(ret_game);
        find_anytime(ret_game);
    }
    find_form(ret_game);
    return read_players(ret_game, err);
}

int log_game_read(Str text, LogGame *ret_game, Err *err)
{
    if (!nlp_json_is(text))
        return log_game_read_of(log_form_of(text), text, ret_game, err);
    int rc = nlp_realtime_is(text) ? nlp_realtime_to_log(text, &ret_game->converted, err)
                                   : nlp_json_to_log(text, &ret_game->converted, err);
    return rc ? rc : log_game_read_of(LOG_FORM_NLP, buf_str(&ret_game->converted), ret_game, err);
}

void log_game_role_counts(const LogGame *game, uint8_t ret_counts[static ROLE_COUNT])
{
    memset(ret_counts, 0, ROLE_COUNT);
    for (SeatNo seat = 1; seat <= game->seat_count; seat++)
        ret_counts[game->roles[seat]]++;
}
