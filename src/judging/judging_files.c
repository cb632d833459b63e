#include "judging/judging_files.h"

#include "base/mem.h"
#include "disk/file_replace.h"
#include "disk/folder.h"
#include "judging/judging_store.h"
#include "judging/quantities.h"
#include "judging/track_rates.h"

#define NOBODY    UINT32_MAX
#define NAME_ROOM 160

/* What the scores of a track are made of. */
typedef struct ScoreData {
    Db *db;
    int64_t contest;
    Str track;
    int64_t *game_ids;
    ScoreGame *games;
    uint32_t game_count;
    int64_t *judges; /* account; JUDGE_NONE: a model */
    char (*names)[NAME_ROOM];
    ScoreRater *raters;
    uint32_t rater_count;
    ScoreSheet *sheets;
    uint32_t sheet_count;
    int64_t *team_ids;
    char (*team_names)[NAME_ROOM];
    Str *teams;
    double *rates;
    uint32_t team_count;
} ScoreData;

static void data_done(ScoreData *data)
{
    mem_free(data->game_ids);
    mem_free(data->games);
    mem_free(data->judges);
    mem_free(data->names);
    mem_free(data->raters);
    mem_free(data->sheets);
    mem_free(data->team_ids);
    mem_free(data->team_names);
    mem_free(data->teams);
    mem_free(data->rates);
}

static int no_room(Err *err)
{
    return err_set(err, ERR_MEMORY, "scores: out of memory");
}

static void copy_name(char to[static NAME_ROOM], Str name)
{
    name = str_part(name, 0, NAME_ROOM - 1);
    memcpy(to, name.bytes, name.len);
    to[name.len] = '\0';
}

/* ---- teams ---- */

/* By the bytes of their names, however a store sorts. */
static void move_team(ScoreData *data)
{
    for (uint32_t i = data->team_count - 1;
         i > 0 && strcmp(data->team_names[i - 1], data->team_names[i]) > 0; i--) {
        const int64_t id = data->team_ids[i];
        char name[NAME_ROOM];
        memcpy(name, data->team_names[i], NAME_ROOM);
        memcpy(data->team_names[i], data->team_names[i - 1], NAME_ROOM);
        memcpy(data->team_names[i - 1], name, NAME_ROOM);
        data->team_ids[i] = data->team_ids[i - 1];
        data->team_ids[i - 1] = id;
    }
}

static int add_team(ScoreData *data, const DbQuery *query, Err *err)
{
    const size_t count = (size_t)data->team_count + 1;
    int64_t *ids = mem_resize(data->team_ids, count, sizeof(*ids));

    if (ids)
        data->team_ids = ids;
    char(*names)[NAME_ROOM] = ids ? mem_resize(data->team_names, count, sizeof(*names)) : NULL;
    if (!names)
        return no_room(err);
    data->team_names = names;
    data->team_ids[data->team_count] = db_int(query, 0);
    copy_name(names[data->team_count++], db_text(query, 1));
    move_team(data);
    return 0;
}

/* Those that have played: a number in this list is part of what intervals are drawn by. */
static int find_teams(ScoreData *data, Err *err)
{
    CLEANUP(db_query_freep) DbQuery *query = NULL;
    int rc = db_query(data->db,
                      "SELECT DISTINCT team.id, team.name FROM run JOIN game ON game.run = run.id"
                      " JOIN seat ON seat.game = game.id JOIN team ON team.id = seat.team"
                      " WHERE run.contest = ?1 AND run.stage = ?2 AND game.counted = 1"
                      " AND game.winner IN ('VILLAGER', 'WEREWOLF')",
                      &query, err);

    if (rc)
        return rc;
    db_bind_int(query, 1, data->contest);
    db_bind_text(query, 2, data->track);
    while ((rc = db_step(query, err)) == 1 && (rc = add_team(data, query, err)) == 0)
        ;
    data->teams = mem_new(((size_t)data->team_count + 1) * sizeof(*data->teams));
    data->rates = mem_new(((size_t)data->team_count + 1) * sizeof(*data->rates));
    if (rc || !data->teams || !data->rates)
        return rc ? rc : no_room(err);
    for (uint32_t i = 0; i < data->team_count; i++)
        data->teams[i] = str_of(data->team_names[i]);
    return 0;
}

static int find_rates(ScoreData *data, Err *err)
{
    CLEANUP(track_rates_done) TrackRates rates = {NULL, 0};
    int rc = track_rates_read(data->db, data->contest, data->track, false, &rates, err);

    for (uint32_t i = 0; i < data->team_count; i++) {
        data->rates[i] = SCORE_NO_RATE;
        for (uint32_t k = 0; k < rates.count; k++)
            if (str_eq(str_of(rates.rows[k].name), data->teams[i]))
                data->rates[i] = rates.rows[k].rates.overall;
    }
    return rc;
}

static uint32_t team_index(const ScoreData *data, int64_t id)
{
    for (uint32_t i = 0; i < data->team_count; i++)
        if (data->team_ids[i] == id)
            return i;
    return NOBODY;
}

/* ---- games ---- */

static int read_seats(ScoreData *data, int64_t id, ScoreGame *game, Err *err)
{
    CLEANUP(db_query_freep) DbQuery *query = NULL;
    int rc =
        db_query(data->db, "SELECT seat, coalesce(team, 0) FROM seat WHERE game = ?1 ORDER BY seat",
                 &query, err);

    if (rc)
        return rc;
    db_bind_int(query, 1, id);
    while ((rc = db_step(query, err)) == 1) {
        const int64_t seat = db_int(query, 0);
        if (seat < 1 || seat > SEAT_MAX)
            return err_set(err, ERR_RULE, "game %lld has a seat %lld", (long long)id,
                           (long long)seat);
        game->team[seat] = team_index(data, db_int(query, 1));
        game->seat_count = (SeatNo)seat;
    }
    return rc;
}

static int game_index(ScoreData *data, const SheetRow *row, uint32_t *ret_index, Err *err)
{
    uint32_t i = 0;

    while (i < data->game_count && data->game_ids[i] != row->game)
        i++;
    *ret_index = i;
    if (i < data->game_count)
        return 0;
    int64_t *ids = mem_resize(data->game_ids, (size_t)i + 1, sizeof(*ids));
    if (ids)
        data->game_ids = ids;
    ScoreGame *games = ids ? mem_resize(data->games, (size_t)i + 1, sizeof(*games)) : NULL;
    if (!games)
        return no_room(err);
    data->games = games;
    data->game_count++;
    ids[i] = row->game;
    games[i] = (ScoreGame){.calibration = row->calibration};
    return read_seats(data, row->game, &games[i], err);
}

/* ---- raters ---- */

static int rater_index(ScoreData *data, const SheetRow *row, uint32_t *ret_index, Err *err)
{
    const Str model = row->judge == JUDGE_NONE ? buf_str(&row->model) : STR("");
    uint32_t i = 0, people = 0;

    for (; i < data->rater_count; i++) {
        people += data->judges[i] != JUDGE_NONE;
        if (data->judges[i] == row->judge &&
            (row->judge != JUDGE_NONE || str_eq(str_of(data->names[i]), model)))
            break;
    }
    *ret_index = i;
    if (i < data->rater_count)
        return 0;
    int64_t *judges = mem_resize(data->judges, (size_t)i + 1, sizeof(*judges));
    if (judges)
        data->judges = judges;
    char(*names)[NAME_ROOM] =
        judges ? mem_resize(data->names, (size_t)i + 1, sizeof(*names)) : NULL;
    if (!names)
        return no_room(err);
    data->names = names;
    judges[i] = row->judge;
    if (row->judge == JUDGE_NONE)
        copy_name(names[i], model);
    else
        snprintf(names[i], NAME_ROOM, "J%u", people + 1);
    data->rater_count++;
    return 0;
}

/* ---- sheets ---- */

static int take_rating(void *user, const SheetRating *rating, Err *err)
{
    ScoreSheet *sheet = user;

    if (rating->seat < 1 || rating->seat > SEAT_MAX)
        return err_set(err, ERR_RULE, "a rating is of seat %u", rating->seat);
    sheet->rank[rating->seat] = rating->rank;
    sheet->score[rating->seat] = rating->score;
    return 0;
}

static int take_sheet(void *user, const SheetRow *row, Err *err)
{
    ScoreData *data = user;
    ScoreSheet sheet = {.criterion = row->criterion, .repeat = row->repeat};
    int rc;

    if (!str_eq(buf_str(&row->track), data->track))
        return 0;
    rc = rater_index(data, row, &sheet.rater, err);     /* J2 is J2, whoever has handed in */
    if (rc || row->state != SHEET_DONE || !row->counts) /* a void game counts for nobody */
        return rc;
    rc = game_index(data, row, &sheet.game, err);
    if (rc == 0)
        rc = sheet_ratings(data->db, row->id, take_rating, &sheet, err);
    for (SeatNo i = 0; i < row->seat_count; i++)
        sheet.order[i] = row->order[i];
    ScoreSheet *sheets =
        rc == 0 ? mem_resize(data->sheets, (size_t)data->sheet_count + 1, sizeof(*sheets)) : NULL;
    if (!sheets)
        return rc ? rc : no_room(err);
    data->sheets = sheets;
    sheets[data->sheet_count++] = sheet;
    return 0;
}

static int name_raters(ScoreData *data, Err *err)
{
    data->raters = mem_new(((size_t)data->rater_count + 1) * sizeof(*data->raters));
    if (!data->raters)
        return no_room(err);
    for (uint32_t i = 0; i < data->rater_count; i++)
        data->raters[i] = (ScoreRater){str_of(data->names[i]), data->judges[i] == JUDGE_NONE};
    return 0;
}

static int read_data(ScoreData *data, Err *err)
{
    int rc = find_teams(data, err);

    if (rc == 0)
        rc = find_rates(data, err);
    if (rc == 0)
        rc = sheet_each(data->db, data->contest, JUDGE_NONE, take_sheet, data, err);
    return rc ? rc : name_raters(data, err);
}

/* ---- scores ---- */

static void write_rates(const TrackRates *rates, const char *key, Json *json)
{
    json_key(json, str_of(key));
    json_open(json, '[');
    track_rates_write(rates, json);
    json_close(json);
}

int judging_track_write(const ScoreInput *input, const TrackRates *rates,
                        const TrackRates *together, Json *json, Err *err)
{
    json_open(json, '{');
    int rc = judge_score_write(input, json, err);
    if (rc == 0) {
        write_rates(rates, "rates", json);
        write_rates(together, "together", json);
    }
    json_close(json);
    return rc;
}

static int write_track(Db *db, const JudgingScores *scores, Str track, Json *json, Err *err)
{
    ScoreData data = {.db = db, .contest = scores->contest, .track = track};
    int rc = read_data(&data, err);
    const ScoreInput input = {.games = data.games,
                              .game_count = data.game_count,
                              .raters = data.raters,
                              .rater_count = data.rater_count,
                              .sheets = data.sheets,
                              .sheet_count = data.sheet_count,
                              .teams = data.teams,
                              .win_rates = scores->win_rate ? data.rates : NULL,
                              .team_count = data.team_count,
                              .min_tau = scores->min_tau};

    CLEANUP(track_rates_done) TrackRates rates = {NULL, 0};
    CLEANUP(track_rates_done) TrackRates together = {NULL, 0};

    if (rc == 0)
        rc = track_rates_read(db, scores->contest, track, false, &rates, err);
    if (rc == 0)
        rc = track_rates_read(db, scores->contest, track, true, &together, err);
    if (rc == 0)
        rc = judging_track_write(&input, &rates, &together, json, err);
    else
        json_put_null(json);
    data_done(&data);
    return rc;
}

int judging_scores_write(Db *db, const JudgingScores *scores, Json *json, Err *err)
{
    int rc = 0;

    json_open(json, '{');
    json_key(json, STR("tracks"));
    json_open(json, '{');
    for (uint32_t i = 0; i < scores->track_count && rc == 0; i++) {
        json_key(json, scores->tracks[i]);
        rc = write_track(db, scores, scores->tracks[i], json, err);
    }
    json_close(json);
    json_close(json);
    return rc;
}

/* ---- files ---- */

typedef struct FilesWriter {
    ScoreData data; /* for the names of judges, and games that were seen */
    const char *home;
    Buf sheets, ratings, quantities;
    int64_t sheet;
} FilesWriter;

static int add_rating(void *user, const SheetRating *rating, Err *err)
{
    FilesWriter *writer = user;
    Json json = json_over(&writer->ratings);

    (void)err;
    json_open(&json, '{');
    json_add_int(&json, "sheet", writer->sheet);
    json_add_uint(&json, "seat", rating->seat);
    json_add_uint(&json, "rank", rating->rank);
    json_add_uint(&json, "score", rating->score);
    json_add_str(&json, "reason", rating->reason);
    json_close(&json);
    buf_add_char(&writer->ratings, '\n');
    return 0;
}

static const char quantities_head[] =
    "track,log,seat,name,team,role,utterances,passes,repeated,unknown,cut,mentioned,answered,"
    "grams_1,distinct_1,grams_2,distinct_2,votes,suspects\n";

static void put_quantities(const JudgeGame *game, const SheetRow *row,
                           const SeatQuantities all[static SEAT_MAX + 1], Buf *out)
{
    for (SeatNo seat = 1; seat <= game->seat_count; seat++) {
        const SeatQuantities *own = &all[seat];
        buf_printf(out, "%s,%s,%u,%.*s,%.*s,%s,%u,%u,%u,%u,%u,%u,%u,%u,%u,%u,%u,%u,%u\n",
                   buf_cstr(&row->track), buf_cstr(&row->log), seat, STR_ARG(game->name[seat]),
                   STR_ARG(game->team[seat]), role_name(game->role[seat]), own->utterances,
                   own->passes, own->repeated, own->unknown, own->cut, own->mentioned,
                   own->answered, own->grams[0], own->distinct[0], own->grams[1], own->distinct[1],
                   own->votes, own->suspects);
    }
}

/* Of each game once. */
static int add_quantities(FilesWriter *writer, const SheetRow *row, Err *err)
{
    CLEANUP(judge_game_done) JudgeGame game = {.winner = SIDE_NONE};
    CLEANUP(buf_done) Buf log = {0};
    CLEANUP(buf_done) Buf json = {0};
    SeatQuantities all[SEAT_MAX + 1];
    const uint32_t before = writer->data.game_count;
    uint32_t index = 0;
    int rc = game_index(&writer->data, row, &index, err);

    if (rc || writer->data.game_count == before)
        return rc;
    sheet_paths(row, writer->home, &log, &json);
    rc = judge_game_load(buf_cstr(&log), buf_cstr(&json), &game, err);
    if (rc == 0)
        rc = quantities_measure(&game, all, err);
    if (rc == 0)
        put_quantities(&game, row, all, &writer->quantities);
    return rc;
}

static int add_sheet(void *user, const SheetRow *row, Err *err)
{
    FilesWriter *writer = user;
    Json json = json_over(&writer->sheets);
    uint32_t rater = 0;
    int rc = rater_index(&writer->data, row, &rater, err);

    if (rc == 0)
        rc = add_quantities(writer, row, err);
    if (rc)
        return rc;
    json_open(&json, '{');
    json_add_int(&json, "sheet", row->id);
    json_add_str(&json, "track", buf_str(&row->track));
    json_add_int(&json, "game", row->game);
    json_add_str(&json, "log", buf_str(&row->log));
    json_add_str(&json, "criterion", str_of(criterion_letter(row->criterion)));
    json_add_str(&json, "judge", str_of(writer->data.names[rater]));
    json_add_uint(&json, "repeat", row->repeat);
    json_add_bool(&json, "calibration", row->calibration);
    json_add_str(&json, "state", str_of(sheet_state_name(row->state)));
    json_key(&json, STR("order"));
    json_open(&json, '[');
    for (SeatNo i = 0; i < row->seat_count; i++)
        json_put_uint(&json, row->order[i]);
    json_close(&json);
    json_close(&json);
    buf_add_char(&writer->sheets, '\n');
    writer->sheet = row->id;
    return row->state == SHEET_DONE
               ? sheet_ratings(writer->data.db, row->id, add_rating, writer, err)
               : 0;
}

static int put_file(const char *folder, const char *name, const Buf *text, Err *err)
{
    CLEANUP(buf_done) Buf path = {0};

    buf_printf(&path, "%s/%s", folder, name);
    return buf_failed(text) || buf_failed(&path)
               ? no_room(err)
               : file_replace(buf_cstr(&path), buf_str(text), true, err);
}

static int put_lists(Db *db, const JudgingScores *scores, const char *home, const char *folder,
                     Err *err)
{
    FilesWriter writer = {.data = {.db = db, .contest = scores->contest}, .home = home};

    buf_add(&writer.quantities, str_of(quantities_head));
    int rc = sheet_each(db, scores->contest, JUDGE_NONE, add_sheet, &writer, err);

    if (rc == 0)
        rc = put_file(folder, "sheets.jsonl", &writer.sheets, err);
    if (rc == 0)
        rc = put_file(folder, "ratings.jsonl", &writer.ratings, err);
    if (rc == 0)
        rc = put_file(folder, "quantities.csv", &writer.quantities, err);
    buf_done(&writer.quantities);
    data_done(&writer.data);
    buf_done(&writer.sheets);
    buf_done(&writer.ratings);
    return rc;
}

static int put_rates(Db *db, int64_t contest, Str track, bool together, const char *folder,
                     Err *err)
{
    CLEANUP(track_rates_done) TrackRates rates = {NULL, 0};
    CLEANUP(buf_done) Buf text = {0};
    CLEANUP(buf_done) Buf name = {0};
    int rc = track_rates_read(db, contest, track, together, &rates, err);

    track_rates_csv(&rates, &text);
    buf_printf(&name, "rates-%.*s%s.csv", STR_ARG(track), together ? "-together" : "");
    return rc ? rc : put_file(folder, buf_cstr(&name), &text, err);
}

int judging_files_write(Db *db, const JudgingScores *scores, const char *home, Err *err)
{
    CLEANUP(buf_done) Buf folder = {0};
    CLEANUP(buf_done) Buf text = {0};
    Json json = json_over(&text);

    buf_printf(&folder, "%s/judging", home);
    int rc = folder_make(buf_str(&folder), err);
    if (rc == 0)
        rc = put_lists(db, scores, home, buf_cstr(&folder), err);
    if (rc == 0)
        rc = judging_scores_write(db, scores, &json, err);
    buf_add_char(&text, '\n');
    if (rc == 0)
        rc = put_file(buf_cstr(&folder), "scores.json", &text, err);
    for (uint32_t i = 0; i < scores->track_count && rc == 0; i++) {
        rc = put_rates(db, scores->contest, scores->tracks[i], false, buf_cstr(&folder), err);
        if (rc == 0)
            rc = put_rates(db, scores->contest, scores->tracks[i], true, buf_cstr(&folder), err);
    }
    return rc;
}
