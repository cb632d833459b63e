/* version_check.c - plays with a version in strict cells, and writes what is to be said of it. */
#include "base/mem.h"
#include "disk/disk_call.h"
#include "runner/version_work_own.h"

static CheckLimits limits_of(const VersionTerms *terms)
{
    return (CheckLimits){.memory_kib = terms->cell.memory_bytes / 1024,
                         .threads = terms->cell.threads,
                         .files = terms->cell.files,
                         .output_bytes = terms->output_bytes,
                         .answer_ms = terms->answer_ms,
                         .name_refuses = terms->name_refuses};
}

typedef struct Hearing {
    const WorkPlace *place;
} Hearing;

static bool on_progress(void *user, CheckPlay play, uint64_t done, uint64_t games, TimeUs now)
{
    const Hearing *hearing = user;
    const WorkPlace *place = hearing->place;

    return !place->progress ||
           place->progress(place->user, check_step_name(agent_check_step_of(play)), done, games,
                           now);
}

/* What is to be started, with what it sees. What the team has to change goes into `why`. */
static int find_agent(const char *tree, const VersionWork *work, const VersionPlatform *platform,
                      Plan *plan, PlanAgent *agent, Buf *why, Err *err)
{
    const VersionForm form = {.tree = tree,
                              .team = buf_str(&work->team),
                              .language = buf_str(&work->language),
                              .entry = buf_str(&work->entry),
                              .platform = platform};
    Err own = {0};
    int rc = version_form_agent(&form, plan, agent, &own);

    if (rc == ERR_RULE) {
        buf_add(why, str_of(own.msg));
        return 0;
    }
    if (rc)
        return err_set(err, (ErrCode)rc, "%s", own.msg);
    return version_form_show(platform, form.language, plan, err);
}

/* The first step that fails, in words: for lists, where the report is one click away. */
static void say_why(const AgentCheck *check, Buf *why)
{
    buf_add(why, STR("check:"));
    for (CheckStep step = 0; step < CHECK_STEPS; step++)
        if (check->results[step].verdict == CHECK_FAIL)
            buf_printf(why, " %s", check_step_name(step));
}

static int play_check(const WorkPlace *place, const PlanAgent *agent, const CellWish *wish,
                      VersionWork *work, Err *err)
{
    CLEANUP(agent_check_done) AgentCheck check = {0};
    const AgentCellSetup cell = {.own_verb = place->own_verb, .umask = place->umask};
    Hearing hearing = {place};
    const CheckRun run = {.agent = agent,
                          .games = work->terms.games,
                          .limits = limits_of(&work->terms),
                          .startup_ms = work->terms.startup_ms,
                          .cell = &cell,
                          .wish = *wish,
                          .now = place->now,
                          .date = place->date,
                          .progress = on_progress,
                          .user = &hearing};
    int rc = check_run(&run, &check, err);

    if (rc == 0 && !check.passed)
        say_why(&check, &work->refused);
    return rc ? rc : work_write_report(work, &check, err);
}

int version_work_check(const WorkPlace *place, VersionWork *work, Err *err)
{
    CLEANUP(plan_done) Plan plan = {0};
    CLEANUP(buf_done) Buf tree = {0};
    CLEANUP(buf_done) Buf why = {0};
    const VersionPlatform platform = version_terms_platform(&work->terms);
    const TimeUs began = place->now();
    PlanAgent agent = {0};
    int rc = plan_init(&plan, err);

    if (rc == 0)
        rc = work_tree(place, work, &tree, err);
    if (rc)
        return rc;
    plan.cell = work->terms.cell;
    rc = find_agent(buf_cstr(&tree), work, &platform, &plan, &agent, &why, err);
    if (rc)
        return rc;
    if (!why.len)
        return play_check(place, &agent, &plan.cell, work, err);
    work_add_step(place, work, "start", began, (Str){0}, buf_str(&why), (Str){0});
    return work_write_report(work, NULL, err);
}
