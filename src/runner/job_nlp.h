/* job_nlp.h - jobs of the kind `nlp`: the server of one natural-language track, as long as its
 *             connection check or its window is open.
 *
 * For:    runner/job_kinds.c; site/track_server.c reads what a server says.
 * Memory: none is kept.
 * Thread: the job's process.
 * Source: docs/spec/contest-operations.md 9.
 *
 *   {"kind":"nlp","contest":"cup","track":"turn5","main":true,"config":"nlp/turn5.yml",
 *    "host":"127.0.0.1","port":8089,"self_per_hour":20,"teams":["ann","bo"],"matches":[12,18]}
 *
 *   contests/NAME/secret/tokens             the key of all tracks' keys; nlp/track_key.h
 *   contests/NAME/tracks/TRACK/operator     the operator's token of its servers, 0600
 *   contests/NAME/tracks/TRACK/away.json    ["ann"]: teams that no game is to begin with now
 *   contests/NAME/tracks/TRACK/check/       of the connection check: runner/nlp_process.h
 *   contests/NAME/tracks/TRACK/main/        of the main matches, of all windows
 *   .../status.json                         each second while it runs:
 *     {"at":"...Z","port":8089,"running":1,"waiting":[{"name":"ann1","team":"ann","since":...}],
 *      "awaited":["bo"],"quarantined":[{"team":"bo","until":1800000000}],"progress":{...},
 *      "closed":[{"team":"bo","code":1008,"why":"token: ...","at":"...Z"}]}
 *
 * What came of it: {"complete":true} when all matches of the schedule are played, or skipped.
 */
#ifndef WARG_RUNNER_JOB_NLP_H
#define WARG_RUNNER_JOB_NLP_H

#include "runner/runner.h"

int job_nlp(const JobPlace *place, const json_t *job, Json *result, Err *err);

#endif
