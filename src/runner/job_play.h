/* job_play.h - the job that plays: one stage of a contest, as far as it gets, or a testing round.
 *
 * For:    runner/job_kinds.c.
 * Memory: none that is kept.
 * Thread: main thread of a job's process.
 * Source: docs/spec/contest-operations.md 8.1 to 8.4, 16.1. site/stage.h writes such jobs.
 *
 *     {"job","kind":"play","contest":"cup","stage":"preliminary","number":0,"folder":"play",
 *      "base":"...","stop_at":1786000000000,"terms":{...},"beacon":"...",
 *      "lots":[{"team":"alice","entry":"64 hex","lot":"64 hex"|null}],
 *      "agents":[{"team":"alice","language":"python","entry":"start.py","tree":"64 hex"},
 *                {"team":"bob","gone":"withdrawn"}, {"team":"carol"}]}
 *     {..."stage":"testing","round":7,"folder":"testing/000007","parts":[5,15],
 *      "sets_each":[2,1],...}
 *
 *   `base` is the folder from which contest.yml names files. Who has no tree does not play, or a
 * bot plays in its place; who is `gone` is not ranked, and the journal says why. Secrets are read
 * from DATA/secrets/CONTEST/STAGE; no job has them.
 *
 *     {"over":bool,"waiting":bool,"why":"...","games":N,"rounds":N,"advanced":["alice",...],
 *      "trouble":[{"team","rule","text","game","log"}]}
 *
 *   over: the stage has reached its end, and who goes on is known. waiting: for a ruling, or for
 * lots. trouble: of a testing round, whose versions crashed, failed, or did what is more than
 * noted.
 */
#ifndef WARG_RUNNER_JOB_PLAY_H
#define WARG_RUNNER_JOB_PLAY_H

#include "runner/runner.h"

JobDo job_play;

#endif
