#include "judging/judge_game.h"

#include "disk/log_file.h"
#include "wire/json_read.h"
#include "wire/nlp_packet.h"

#include <unistd.h>

void judge_game_done(JudgeGame *game)
{
    log_game_done(&game->log);
    buf_done(&game->text);
    buf_done(&game->profiles);
}

SeatNo judge_game_seat(const JudgeGame *game, Str name)
{
    for (SeatNo seat = 1; seat <= game->seat_count; seat++)
        if (str_eq(game->name[seat], name))
            return seat;
    return SEAT_NONE;
}

bool judge_line_is_pass(Str text)
{
    Str bare = str_trim(text);

    return str_eq(bare, STR("Skip")) || str_eq(bare, STR("Over"));
}

/* ---- the JSON log ---- */

/* Where the profiles of seats stand in `profiles`, which grows and moves. */
typedef struct ProfilePlaces {
    size_t at[SEAT_MAX + 1];
    size_t len[SEAT_MAX + 1];
    uint32_t asked[SEAT_MAX + 1]; /* requests to talk, so far */
} ProfilePlaces;

static size_t letters_of(Str text)
{
    size_t count = 0;

    for (size_t i = 0; i < text.len; i++)
        count += (unsigned char)text.bytes[i] > ' ';
    return count;
}

/* The line of talk number `number` of a seat, from 0; NULL. */
static const LogLine *talk_line(const JudgeGame *game, SeatNo seat, uint32_t number)
{
    for (size_t i = 0; i < game->log.count; i++) {
        const LogLine *line = &game->log.lines[i];
        if (line->kind == LOG_TALK && line->seat == seat && number-- == 0)
            return line;
    }
    return NULL;
}

/* Each request to talk leaves a line, whatever was answered; what was cut has fewer letters. */
static void note_talk(JudgeGame *game, SeatNo seat, const json_t *entry, ProfilePlaces *places)
{
    Str response = json_text(entry, "response");
    const LogLine *line = talk_line(game, seat, places->asked[seat]++);

    if (line && response.len && !judge_line_is_pass(line->text) &&
        letters_of(line->text) < letters_of(response))
        game->cut[seat]++;
}

static int note_entry(JudgeGame *game, const json_t *entry, ProfilePlaces *places, Err *err)
{
    SeatNo seat = judge_game_seat(game, json_text(entry, "agent"));
    Str request = json_text(entry, "request");
    json_t *packet = NULL;
    int rc = 0;

    if (seat == SEAT_NONE || !str_starts(request, STR("{")))
        return 0;
    rc = json_read(request, JUDGE_JSON_BYTES_MAX, &packet, err);
    if (rc)
        return rc;
    Str kind = json_text(packet, "request");
    if (str_eq(kind, STR("INITIALIZE")) && places->len[seat] == 0) {
        Str profile = json_text(json_get(packet, "info"), "profile");
        places->at[seat] = game->profiles.len;
        places->len[seat] = profile.len;
        buf_add(&game->profiles, profile);
    } else if (str_eq(kind, STR("TALK")))
        note_talk(game, seat, entry, places);
    json_done(packet);
    return 0;
}

static int read_json(Str text, JudgeGame *game, Err *err)
{
    ProfilePlaces places = {{0}, {0}, {0}};
    json_t *json = NULL;
    int rc = json_read(text, JUDGE_JSON_BYTES_MAX, &json, err);

    if (rc)
        return rc;
    const json_t *entries = json_get(json, "entries");
    for (size_t i = 0; i < json_count(entries) && rc == 0; i++)
        rc = note_entry(game, json_at(entries, i), &places, err);
    for (SeatNo seat = 1; seat <= game->seat_count; seat++)
        game->profile[seat] = str_part(buf_str(&game->profiles), places.at[seat], places.len[seat]);
    json_done(json);
    return rc;
}

/* ---- both ---- */

static int take_log(JudgeGame *game, Err *err)
{
    int rc = log_game_read(buf_str(&game->text), &game->log, err);

    if (rc == 0 && game->log.form != LOG_FORM_NLP)
        rc = err_set(err, ERR_RULE, "this is no game of the natural-language division");
    if (rc)
        return rc;
    game->seat_count = game->log.seat_count;
    for (SeatNo seat = 1; seat <= game->seat_count; seat++) {
        game->name[seat] = game->log.in_game[seat];
        game->team[seat] = nlp_team_of(game->log.names[seat]);
        game->role[seat] = game->log.roles[seat];
    }
    const LogLine *last = &game->log.lines[game->log.count - 1];
    game->winner = last->kind == LOG_RESULT ? (Side)last->winner : SIDE_NONE;
    return 0;
}

static int take_texts(Str json, JudgeGame *game, Err *err)
{
    int rc = buf_failed(&game->text) ? err_set(err, ERR_MEMORY, "read a game: out of memory") : 0;

    if (rc == 0)
        rc = take_log(game, err);
    if (rc == 0 && json.len)
        rc = read_json(json, game, err);
    if (rc == 0 && buf_failed(&game->profiles))
        rc = err_set(err, ERR_MEMORY, "read a game: out of memory");
    return rc;
}

int judge_game_read(Str log, Str json, JudgeGame *ret_game, Err *err)
{
    buf_add(&ret_game->text, log);
    return take_texts(json, ret_game, err);
}

int judge_game_load(const char *log_path, const char *json_path, JudgeGame *ret_game, Err *err)
{
    CLEANUP(buf_done) Buf json = {0};
    int rc = log_file_read(log_path, LOG_TEXT_BYTES_MAX, &ret_game->text, err);

    if (rc == 0 && json_path && access(json_path, F_OK) == 0)
        rc = log_file_read(json_path, JUDGE_JSON_BYTES_MAX, &json, err);
    return rc ? rc : take_texts(buf_str(&json), ret_game, err);
}
