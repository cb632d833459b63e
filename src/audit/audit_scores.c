#include "audit/audit_judging_own.h"
#include "audit/audit_verdict.h"
#include "base/mem.h"
#include "judging/judging_files.h"
#include "judging/judging_store.h"

#include <stdlib.h>

/* ---- ratings ---- */

/* Takes one; what is wrong with it, or NULL. */
static const char *take_rating(JudgedSheet *sheet, const json_t *line)
{
    const int64_t seat = json_number(line, "seat"), rank = json_number(line, "rank");
    const int64_t score = json_number(line, "score");
    ScoreSheet *own = &sheet->score;

    if (!sheet->done)
        return "a rating of a sheet that was not handed in";
    if (seat != sheet->rated + 1 || seat > sheet->seat_count)
        return "its seats are not each rated once";
    if (rank < 0 || rank > sheet->seat_count || score < 0 || score > JUDGE_SCORE_MAX)
        return "a rank or score that can't be";
    for (SeatNo i = 1; i < seat && rank; i++)
        if (own->rank[i] == (uint32_t)rank)
            return "a rank is given twice";
    if (seat > 1 && (own->rank[1] != 0) != (rank != 0))
        return "ranks of some seats only";
    if (!rank && !score)
        return "neither rank nor score";
    own->rank[seat] = (uint32_t)rank;
    own->score[seat] = (uint32_t)score;
    sheet->rated++;
    return NULL;
}

int judging_check_ratings(JudgingAudit *audit, Err *err)
{
    CLEANUP(buf_done) Buf text = {0};
    size_t at = 0;
    unsigned number = 0;
    int rc = judging_read_file(audit, RATINGS_FILE, &text, err);
    Str rest = buf_str(&text);

    while (rc == 0 && rest.len && !judging_is_contradicted(audit)) {
        json_t *line = NULL;
        Err own = {0};
        number++;
        rc = json_read(str_cut(&rest, '\n'), JUDGING_LINE_BYTES, &line, &own);
        if (rc == ERR_MEMORY)
            return judging_no_memory(err);
        while (line && at < audit->sheet_count &&
               audit->sheets[at].id != json_number(line, "sheet"))
            at++;
        const char *why = rc                         ? own.msg
                          : at == audit->sheet_count ? "a rating of no sheet, or not in order"
                                                     : take_rating(&audit->sheets[at], line);
        if (why)
            audit_contradict(audit->verdict, RATINGS_FILE, number, "%s", why);
        json_done(line);
        rc = 0;
    }
    for (size_t i = 0; i < audit->sheet_count && rc == 0; i++)
        if (audit->sheets[i].done && audit->sheets[i].rated != audit->sheets[i].seat_count)
            audit_contradict(audit->verdict, SHEETS_FILE, (unsigned)i + 1,
                             "it was handed in, and seats of it have no rating");
    return rc;
}

/* ---- scores ---- */

/* What scores of a track are made of. */
typedef struct TrackScores {
    ScoreGame *games;
    uint32_t *numbers; /* of each: in JudgedTrack.games */
    ScoreRater *raters;
    char (*names)[24]; /* of people */
    ScoreSheet *sheets;
    Str *teams;
    ScoreInput input;
} TrackScores;

static void track_scores_done(TrackScores *scores)
{
    mem_free(scores->games);
    mem_free(scores->numbers);
    mem_free(scores->raters);
    mem_free(scores->names);
    mem_free(scores->sheets);
    mem_free(scores->teams);
}

static int compare_names(const void *a, const void *b)
{
    return judging_compare_names(*(const Str *)a, *(const Str *)b);
}

static uint32_t score_game(TrackScores *scores, const JudgedTrack *track, const JudgedSheet *sheet)
{
    uint32_t i = 0;

    while (i < scores->input.game_count && scores->numbers[i] != sheet->game)
        i++;
    if (i < scores->input.game_count)
        return i;
    const PickGame *seats = &track->games[sheet->game].seats;
    scores->numbers[i] = sheet->game;
    scores->games[i] =
        (ScoreGame){.seat_count = seats->seat_count, .calibration = sheet->calibration};
    for (SeatNo seat = 1; seat <= seats->seat_count; seat++)
        for (uint32_t team = 0; team < scores->input.team_count; team++)
            if (str_eq(scores->teams[team], str_of(track->teams[seats->teams[seat]])))
                scores->games[i].team[seat] = team;
    scores->input.game_count++;
    return i;
}

static uint32_t score_rater(TrackScores *scores, const JudgedSheet *sheet)
{
    char name[24];
    uint32_t i = 0;

    snprintf(name, sizeof(name), "J%u", sheet->judge);
    const Str wanted = sheet->judge ? str_of(name) : sheet->model;
    while (i < scores->input.rater_count &&
           !(scores->raters[i].model == !sheet->judge && str_eq(scores->raters[i].name, wanted)))
        i++;
    if (i < scores->input.rater_count)
        return i;
    memcpy(scores->names[i], name, sizeof(name));
    scores->raters[i] =
        (ScoreRater){sheet->judge ? str_of(scores->names[i]) : sheet->model, !sheet->judge};
    scores->input.rater_count++;
    return i;
}

static bool plays_in(const JudgedGame *game, uint32_t team)
{
    for (SeatNo seat = 1; seat <= game->seats.seat_count; seat++)
        if (game->seats.teams[seat] == team)
            return true;
    return false;
}

/* Who has a game that counts, by name: a number in this list is part of what intervals are drawn
 * by. */
static void find_teams(const JudgingAudit *audit, const JudgedTrack *track, TrackScores *scores)
{
    uint32_t count = 0;

    for (uint32_t team = 0; team < track->team_count; team++)
        for (uint32_t i = 0; i < track->game_count; i++)
            if (judged_counts(&track->games[i], audit->rated) && plays_in(&track->games[i], team)) {
                scores->teams[count++] = str_of(track->teams[team]);
                break;
            }
    if (count)
        qsort(scores->teams, count, sizeof(Str), compare_names);
    scores->input.team_count = count;
}

static int make_input(const JudgingAudit *audit, uint32_t number, TrackScores *scores, Err *err)
{
    const JudgedTrack *track = &audit->tracks[number];
    const size_t sheets = audit->sheet_count + 1;

    *scores = (TrackScores){.games = mem_new(sheets * sizeof(*scores->games)),
                            .numbers = mem_new(sheets * sizeof(*scores->numbers)),
                            .raters = mem_new(sheets * sizeof(*scores->raters)),
                            .names = mem_new(sheets * sizeof(*scores->names)),
                            .sheets = mem_new(sheets * sizeof(*scores->sheets)),
                            .teams = mem_new(((size_t)track->team_count + 1) * sizeof(Str))};
    if (!scores->games || !scores->numbers || !scores->raters || !scores->names ||
        !scores->sheets || !scores->teams)
        return judging_no_memory(err);
    find_teams(audit, track, scores);
    for (size_t i = 0; i < audit->sheet_count; i++) {
        const JudgedSheet *sheet = &audit->sheets[i];
        if (sheet->track != number)
            continue;
        const uint32_t rater = score_rater(scores, sheet);
        if (!sheet->done || !judged_counts(&track->games[sheet->game], audit->rated))
            continue;
        ScoreSheet *own = &scores->sheets[scores->input.sheet_count++];
        *own = sheet->score;
        own->rater = rater;
        own->game = score_game(scores, track, sheet);
    }
    scores->input.games = scores->games;
    scores->input.raters = scores->raters;
    scores->input.sheets = scores->sheets;
    scores->input.teams = scores->teams;
    scores->input.min_tau = audit->min_tau;
    return 0;
}

static int make_rates(const JudgingAudit *audit, const JudgedTrack *track, bool together,
                      TrackRates *rates, Err *err)
{
    int rc = 0;

    for (uint32_t i = 0; i < track->game_count; i++) {
        const JudgedGame *game = &track->games[i];
        if (!judged_counts(game, audit->rated))
            continue;
        for (SeatNo seat = 1; seat <= game->seats.seat_count && rc == 0; seat++) {
            const Role role = game->seats.roles[seat];
            rc = track_rates_add(rates, str_of(track->teams[game->seats.teams[seat]]), role,
                                 (Tally){1, role_side(role) == game->winner}, together, err);
        }
    }
    return rc ? rc : track_rates_work_out(rates, err);
}

static int check_csv(JudgingAudit *audit, const JudgedTrack *track, const TrackRates *rates,
                     const char *suffix, Err *err)
{
    CLEANUP(buf_done) Buf name = {0};
    CLEANUP(buf_done) Buf text = {0};
    CLEANUP(buf_done) Buf own = {0};

    buf_printf(&name, "judging/rates-%.*s%s.csv", STR_ARG(track->name), suffix);
    track_rates_csv(rates, &own);
    if (buf_failed(&name) || buf_failed(&own))
        return judging_no_memory(err);
    int rc = judging_read_file(audit, buf_cstr(&name), &text, err);
    if (rc == 0 && !str_eq(buf_str(&text), buf_str(&own)))
        audit_contradict(audit->verdict, buf_cstr(&name), 0,
                         "the track's games give other win rates");
    return rc;
}

static int score_track(JudgingAudit *audit, uint32_t number, Json *json, Err *err)
{
    const JudgedTrack *track = &audit->tracks[number];
    CLEANUP(track_scores_done) TrackScores scores = {.games = NULL};
    CLEANUP(track_rates_done) TrackRates rates = {NULL, 0};
    CLEANUP(track_rates_done) TrackRates together = {NULL, 0};
    int rc = make_input(audit, number, &scores, err);

    if (rc == 0)
        rc = make_rates(audit, track, false, &rates, err);
    if (rc == 0)
        rc = make_rates(audit, track, true, &together, err);
    if (rc == 0)
        rc = check_csv(audit, track, &rates, "", err);
    if (rc == 0)
        rc = check_csv(audit, track, &together, "-together", err);
    json_key(json, track->name);
    return rc ? rc : judging_track_write(&scores.input, &rates, &together, json, err);
}

int judging_check_scores(JudgingAudit *audit, Err *err)
{
    CLEANUP(buf_done) Buf text = {0};
    CLEANUP(buf_done) Buf own = {0};
    Json json = json_over(&own);
    int rc = judging_read_file(audit, SCORES_FILE, &text, err);

    json_open(&json, '{');
    json_key(&json, STR("tracks"));
    json_open(&json, '{');
    for (uint32_t i = 0; i < audit->track_count && rc == 0; i++)
        rc = score_track(audit, i, &json, err);
    json_close(&json);
    json_close(&json);
    buf_add_char(&own, '\n');
    if (rc == 0 && buf_failed(&own))
        rc = judging_no_memory(err);
    if (rc == 0 && !str_eq(buf_str(&text), buf_str(&own)))
        audit_contradict(audit->verdict, SCORES_FILE, 1, "the ratings and games give other scores");
    return rc;
}
