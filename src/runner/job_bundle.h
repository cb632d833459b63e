/* job_bundle.h - the jobs that publish a contest: its bundle is made and audited, or what there is
 * is audited.
 *
 * For:    runner/job_kinds.c.
 * Memory: none that is kept.
 * Thread: main thread of a job's process.
 * Source: docs/spec/contest-operations.md 11.5, 16.1.
 *
 * A job has "contest". Its result: "holds", "games", "why" (the first contradiction, with step,
 * file and line), and of a bundle "manifest" and "archive", SHA-256 of manifest.json and of the
 * .tar.gz.
 */
#ifndef WARG_RUNNER_JOB_BUNDLE_H
#define WARG_RUNNER_JOB_BUNDLE_H

#include "runner/runner.h"

JobDo job_bundle; /* DATA/contests/NAME/bundle and bundle.tar.gz, in the place of those before */
JobDo job_audit;  /* of DATA/contests/NAME/bundle, or of play where there is none */

#endif
