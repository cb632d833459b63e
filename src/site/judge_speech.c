#include "site/judge_speech.h"

#include "judging/judge_game.h"
#include "judging/judge_prompt.h"
#include "site/finding.h"
#include "site/track_notice.h"
#include "store/db_row.h"

#include <jansson.h>

#define SAID_BYTES 200

/* A game with sheets. */
typedef struct SpeechGame {
    int64_t id;
    Buf file; /* of its log, as seen from the contest's folder */
    Buf digest;
} SpeechGame;

static void speech_game_done(SpeechGame *game)
{
    buf_done(&game->file);
    buf_done(&game->digest);
}

typedef struct Speech {
    Db *db;
    const ContestHome *home;
    uint32_t number;
    Str track;
    int64_t now_ms;
} Speech;

/* What was said, made one line. */
static void copy_said(Str text, Buf *said)
{
    buf_add(said, str_part(text, 0, SAID_BYTES));
    for (size_t i = 0; i < said->len; i++)
        if ((unsigned char)said->bytes[i] < ' ' || said->bytes[i] == 0x7F)
            said->bytes[i] = ' ';
}

static json_t *evidence_of(const SpeechGame *game)
{
    json_t *list = json_array(), *one = json_object();

    json_object_set_new(one, "file", json_string(buf_cstr(&game->file)));
    json_object_set_new(one, "sha256", json_string(buf_cstr(&game->digest)));
    json_array_append_new(list, one);
    return list;
}

static int tell_team(const Speech *speech, const SpeechGame *game, int64_t team, Str name, Str said,
                     Err *err)
{
    CLEANUP(buf_done) Buf text = {0};
    CLEANUP(buf_done) Buf japanese = {0};
    CLEANUP(buf_done) Buf mark = {0};

    buf_printf(&japanese,
               "トラック%.*s: %.*sのエージェントが審査員に話しかけているようです: 「%.*s」（%s）。"
               "記録しました。チームは回答できます。",
               STR_ARG(speech->track), STR_ARG(name), STR_ARG(said), buf_cstr(&game->file));
    buf_printf(
        &text,
        "track %.*s: an agent seems to speak to the judges of its game: \"%.*s\" (%s). It is "
        "noted; the team may answer",
        STR_ARG(speech->track), STR_ARG(said), buf_cstr(&game->file));
    buf_printf(&mark, "addressed:%lld:%.*s:%.*s", (long long)speech->home->id,
               STR_ARG(speech->track), STR_ARG(name));
    const TrackWord word = {NOTICE_ADDRESSED,   team,          name, buf_str(&text),
                            buf_str(&japanese), buf_str(&mark)};
    return track_tell(speech->db, speech->home, &word, speech->now_ms, err);
}

/* How many there are so far: one more. */
static int count_more(const Speech *speech, int64_t team, int64_t *ret_count, Err *err)
{
    *ret_count = 0;
    int rc = db_ask(speech->db, 0, ret_count, err,
                    "SELECT count FROM finding WHERE contest = ?1 AND team = ?2 AND stage = ?3"
                    " AND rule = '" FINDING_JUDGE "'",
                    "iii", speech->home->id, team, (int64_t)speech->number);
    (*ret_count)++;
    return rc;
}

static int note_seat(const Speech *speech, const SpeechGame *game, SeatNo seat, Str text, Err *err)
{
    CLEANUP(buf_done) Buf name = {0};
    CLEANUP(buf_done) Buf said = {0};
    CLEANUP(db_query_freep) DbQuery *query = NULL;
    int64_t team = 0, count = 0;
    int rc = db_query_with(speech->db, &query, err,
                           "SELECT team.id, team.name FROM seat JOIN team ON team.id = seat.team"
                           " WHERE seat.game = ?1 AND seat.seat = ?2",
                           "ii", game->id, (int64_t)seat);

    if (rc || (rc = db_step(query, err)) != 1)
        return rc;
    team = db_int(query, 0);
    buf_add(&name, db_text(query, 1));
    query = db_query_free(query);
    copy_said(text, &said);
    rc = count_more(speech, team, &count, err);
    if (rc || buf_failed(&name) || buf_failed(&said))
        return rc ? rc : err_set(err, ERR_MEMORY, "finding: out of memory");
    json_t *evidence = evidence_of(game);
    const FindingCount finding = {.contest = speech->home->id,
                                  .team = buf_str(&name),
                                  .stage = speech->number,
                                  .stage_name = speech->track,
                                  .rule = STR(FINDING_JUDGE),
                                  .action = CONDUCT_NOTE,
                                  .count = (uint64_t)count,
                                  .games = (uint64_t)count,
                                  .text = buf_str(&said),
                                  .evidence = evidence};
    rc = finding_count(speech->db, &finding, speech->now_ms, err);
    json_decref(evidence);
    return rc ? rc : tell_team(speech, game, team, buf_str(&name), buf_str(&said), err);
}

/* The first line of each seat that is one; with whispers, as a sheet of teamwork has them. */
static int note_view(const Speech *speech, const SpeechGame *game, const SheetView *view, Err *err)
{
    SeatSet seen = 0;
    int rc = 0;

    for (size_t i = 0; i < view->count && rc == 0; i++) {
        const SheetLine *line = &view->lines[i];
        const Str text = sheet_line_text(view, line);
        if (seat_in(seen, line->seat) || !judge_prompt_is_addressed(text))
            continue;
        seen |= seat_bit(line->seat);
        rc = note_seat(speech, game, line->seat, text, err);
    }
    return rc;
}

static int note_game(const Speech *speech, const SpeechGame *game, Err *err)
{
    CLEANUP(judge_game_done) JudgeGame log = {0};
    CLEANUP(sheet_view_done) SheetView view = {0};
    CLEANUP(buf_done) Buf path = {0};
    SeatNo order[SEAT_MAX];
    int rc = contest_home_path(speech->home, "", &path, err);

    buf_printf(&path, "/%s", buf_cstr(&game->file));
    if (rc)
        return rc;
    if (judge_game_load(buf_cstr(&path), NULL, &log, NULL))
        return 0;
    for (SeatNo seat = 1; seat <= log.seat_count; seat++)
        order[seat - 1] = seat;
    return sheet_view_make(&log, CRITERION_F, order, &view, NULL)
               ? 0
               : note_view(speech, game, &view, err);
}

/* The next game behind this one; `id` 0: there is none. */
static int next_game(const Speech *speech, int64_t behind, SpeechGame *game, Err *err)
{
    CLEANUP(db_query_freep) DbQuery *query = NULL;
    int rc = db_query_with(speech->db, &query, err,
                           "SELECT game.id, run.folder, game.log, coalesce(game.log_digest, '')"
                           " FROM game JOIN run ON run.id = game.run WHERE game.id > ?3 AND EXISTS"
                           " (SELECT 1 FROM sheet WHERE sheet.game = game.id AND sheet.contest = ?1"
                           " AND sheet.track = ?2) ORDER BY game.id LIMIT 1",
                           "iti", speech->home->id, speech->track, behind);

    if (rc || (rc = db_step(query, err)) != 1)
        return rc;
    game->id = db_int(query, 0);
    buf_printf(&game->file, "%.*s/%.*s", STR_ARG(db_text(query, 1)), STR_ARG(db_text(query, 2)));
    buf_add(&game->digest, db_text(query, 3));
    return buf_failed(&game->file) || buf_failed(&game->digest)
               ? err_set(err, ERR_MEMORY, "finding: out of memory")
               : 0;
}

int judge_speech_note(Db *db, const ContestHome *home, uint32_t number, Str track, int64_t now_ms,
                      Err *err)
{
    const Speech speech = {db, home, number, track, now_ms};
    int64_t behind = 0;
    int rc = 0;

    for (bool more = true; rc == 0 && more;) {
        CLEANUP(speech_game_done) SpeechGame game = {0};
        rc = next_game(&speech, behind, &game, err);
        more = game.id != 0;
        behind = game.id;
        if (rc == 0 && more)
            rc = note_game(&speech, &game, err);
    }
    return rc;
}
