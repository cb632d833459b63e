/* job_version.h - the jobs that make a version of what a team has handed in: unpack, build, check.
 *
 * For:    runner/job_kinds.c.
 * Memory: none that is kept.
 * Thread: main thread of a job's process.
 * Source: docs/spec/contest-operations.md 5.2, 7, 16.1.
 *
 * A job has the members of version_work_read, and "blob" for unpack. Its result has those of
 * version_work_write: what the next job gets, and what the server keeps. What the team has to
 * change is "refused", a sentence, with the report as it is then.
 */
#ifndef WARG_RUNNER_JOB_VERSION_H
#define WARG_RUNNER_JOB_VERSION_H

#include "runner/runner.h"

JobDo job_unpack; /* DATA/blobs/ab/SHA256 becomes DATA/trees/DIGEST */
JobDo job_build;
JobDo job_check;

#endif
