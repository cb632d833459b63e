/* judging_files.h - scores of a contest out of its store, and what of judging is published.
 *
 * For:    the clock when judging is over, `warg contest scores`; bundles copy the folder.
 * Memory: none is kept.
 * Thread: the store's.
 * Source: docs/spec/contest-operations.md 10.4, 11.5.
 *
 *   contests/NAME/judging/sheets.jsonl
 * {"sheet","track","game","log","criterion","judge":"J1"|"model",
 *                                          "repeat","order","calibration","state"}
 *   contests/NAME/judging/ratings.jsonl   {"sheet","seat","rank","score","reason"}
 *   contests/NAME/judging/scores.json     {"tracks":{NAME: judge_score.h and "rates":[...],
 *                                          "together":[...]}}
 *   contests/NAME/judging/quantities.csv  what was measured (judging/quantities.h), a line a seat
 * of the games with sheets contests/NAME/judging/rates-TRACK.csv, rates-TRACK-together.csv
 *
 * People are J1, J2 ... in the order of their accounts.
 */
#ifndef WARG_JUDGING_JUDGING_FILES_H
#define WARG_JUDGING_JUDGING_FILES_H

#include "judging/judge_score.h"
#include "judging/track_rates.h"
#include "store/db.h"

typedef struct JudgingScores {
    int64_t contest;
    const Str *tracks;
    uint32_t track_count;
    bool win_rate;  /* has a place in totals */
    double min_tau; /* NAN = none */
} JudgingScores;

/* What scores.json has of a track, as a value. Pure. Errors: those of judge_score_write. */
int judging_track_write(const ScoreInput *input, const TrackRates *rates,
                        const TrackRates *together, Json *json, Err *err);

/* The value of scores.json. Errors: those of the store, of judge_score_write. */
int judging_scores_write(Db *db, const JudgingScores *scores, Json *json, Err *err);

/* All files; `home`: the contest's folder. Errors: ERR_IO besides. */
int judging_files_write(Db *db, const JudgingScores *scores, const char *home, Err *err);

#endif
