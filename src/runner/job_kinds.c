/* job_kinds.c - every kind of jobs, with what does it. To add one: a row here, its class in
 * spool/spool_head.c, and in site/job_handlers.c who takes over what came of it. */
#include "runner/job_bundle.h"
#include "runner/job_judge.h"
#include "runner/job_nlp.h"
#include "runner/job_play.h"
#include "runner/job_version.h"

const JobKind job_kinds[] = {
    {"play", job_play},     {"unpack", job_unpack}, {"build", job_build},
    {"check", job_check},   {"nlp", job_nlp},       {"judge", job_judge},
    {"bundle", job_bundle}, {"audit", job_audit},   {NULL, NULL},
};
