#include "audit/rerun_play.h"

#include "base/mem.h"
#include "base/utf8.h"

#include <stdio.h>

#define LIMIT_US ((TimeUs)RERUN_LIMIT_S * 1000 * 1000)

static const Patience patience = {.answer = LIMIT_US, .startup = LIMIT_US};

struct RerunPlay {
    RerunPlaySetup setup;
    StartedAgent *started;
    AiwolfAgent *agent; /* NULL: it has not come, or is gone */
    Alarm alarm;        /* its deadline */
    Alarm last;         /* nothing is to be waited for any more */
    RerunScript script;
    size_t step;    /* the next */
    bool begun;     /* a game has */
    bool awaits;    /* an answer, to `awaited` */
    bool ends;      /* nothing is sent any more */
    size_t awaited; /* step */
    uint64_t answers;
    bool hinted;
    Buf scratch;
    char why[ERR_TEXT_MAX]; /* it is gone */
    RerunDifference difference;
};

static void put_shown(Str text, char *ret_text, size_t room)
{
    CLEANUP(buf_done) Buf shown = {0};

    utf8_add_printable(text, RERUN_SHOWN_MAX, &shown);
    snprintf(ret_text, room, "%s", buf_failed(&shown) ? "" : buf_cstr(&shown));
}

/* ---- the end ---- */

static void end_play(RerunPlay *play, TimeUs now)
{
    play->ends = true;
    alarm_stop(&play->alarm);
    play->agent = aiwolf_agent_free(play->agent);
    if (started_agent_runs(play->started))
        started_agent_dismiss(play->started, now);
    else
        alarm_soon(&play->last);
}

static void on_last(void *user, TimeUs now)
{
    const RerunPlay *play = user;

    (void)now;
    play->setup.over(play->setup.user);
}

/* ---- differences ---- */

static void differ(RerunPlay *play, const RerunStep *step, Str given, bool lapse, TimeUs now)
{
    RerunDifference *difference = &play->difference;

    difference->found = difference->came = true;
    difference->line = step->line;
    difference->day = step->day;
    difference->kind = step->kind;
    difference->lapse = lapse;
    put_shown(rerun_script_answer(&play->script, step), difference->recorded,
              sizeof(difference->recorded));
    put_shown(given, difference->given, sizeof(difference->given));
    end_play(play, now);
}

/* What came too late was kept up to a limit. */
static bool is_answer(const RerunPlay *play, const RerunStep *step, Str line)
{
    const Str recorded = rerun_script_answer(&play->script, step);

    return str_eq(recorded, line) ||
           (play->script.breaks && recorded.len == FAULT_BYTES_MAX && str_starts(line, recorded) &&
            !rerun_script_step(&play->script, play->awaited + 1));
}

/* ---- packets ---- */

static void await_answer(RerunPlay *play, const RerunStep *step, TimeUs now)
{
    play->awaits = true;
    play->awaited = play->step;
    aiwolf_agent_ask_again(play->agent, step->kind, step->day,
                           rerun_script_packet(&play->script, step), now);
    alarm_at(&play->alarm, aiwolf_agent_deadline(play->agent), false);
}

/* True when one has to wait for it. */
static bool give_step(RerunPlay *play, const RerunStep *step, TimeUs now)
{
    if (!step->asks) {
        if (play->agent)
            aiwolf_agent_tell_again(play->agent, rerun_script_packet(&play->script, step));
        play->step++;
        return false;
    }
    if (play->agent)
        await_answer(play, step, now);
    else if (step->compared)
        differ(play, step, str_of(play->why), true, now);
    play->step++;
    return play->agent && step->compared;
}

/* The next game, once nobody is owed an answer; false when there is none. */
static bool begin_game(RerunPlay *play)
{
    if (play->begun && play->script.breaks)
        return false;
    play->step = 0;
    play->begun = true;
    if (!play->setup.next_game(play->setup.user, &play->script))
        return false;
    if (play->agent)
        aiwolf_agent_begin_game(play->agent, 0);
    return true;
}

/* Sends until an answer has to come. What was cut off by the end of a game is answered before the
 * next request: match/table.c waits as well. */
static void go_on(RerunPlay *play, TimeUs now)
{
    while (!play->ends) {
        const RerunStep *step = rerun_script_step(&play->script, play->step);
        if (play->awaits && (!step || step->asks))
            return;
        if (!step && !begin_game(play))
            end_play(play, now);
        else if (step && give_step(play, step, now))
            return;
    }
}

/* ---- what the agent reports ---- */

static void on_named(void *user)
{
    (void)user; /* the StartedAgent has seen to it */
}

static void on_answered(void *user, const Answer *answer, TimeUs at)
{
    RerunPlay *play = user;
    const RerunStep *step = rerun_script_step(&play->script, play->awaited);
    const Str line = aiwolf_agent_line(play->agent);
    const TimeUs now = aiwolf_agent_now(play->agent);

    (void)answer;
    (void)at;
    play->awaits = false;
    if (step && step->compared && !is_answer(play, step, line)) {
        differ(play, step, line, false, now);
        return;
    }
    play->answers += step && step->compared;
    go_on(play, now);
}

static void put_fault(RerunPlay *play, const Fault *fault)
{
    CLEANUP(buf_done) Buf why = {0};

    switch (fault->kind) {
    case FAULT_TIMEOUT:
        buf_printf(&why, "no answer within %d s", RERUN_LIMIT_S);
        break;
    case FAULT_DISCONNECT:
        buf_add(&why, STR("its connection ended"));
        break;
    case FAULT_EARLY:
        buf_add(&why, STR("a line too early, or one too many: "));
        utf8_add_printable(fault->bytes, RERUN_SHOWN_MAX / 2, &why);
        break;
    case FAULT_MALFORMED:
    case FAULT_VIOLATION:
    case FAULT_COUNT:
    case FAULT_FALLBACK:
    case FAULT_SUPPRESSED:
        buf_add(&why, STR("a line that is too long"));
        break;
    }
    snprintf(play->why, sizeof(play->why), "%s", buf_failed(&why) ? "" : buf_cstr(&why));
}

static void on_failed(void *user, const Fault *fault)
{
    RerunPlay *play = user;
    const TimeUs now = aiwolf_agent_now(play->agent);
    const RerunStep *step = play->awaits ? rerun_script_step(&play->script, play->awaited) : NULL;

    put_fault(play, fault);
    play->awaits = false;
    alarm_stop(&play->alarm);
    play->agent = aiwolf_agent_free(play->agent);
    started_agent_fail(play->started, fault->kind == FAULT_DISCONNECT, now);
    if (step && step->compared)
        differ(play, step, str_of(play->why), true, now);
    else
        go_on(play, now);
}

static void on_counted(void *user, const Fault *fault)
{
    (void)user; /* its answer comes with it */
    (void)fault;
}

static const AiwolfAgentEvents agent_events = {on_named, on_answered, on_failed, on_counted};

static void on_alarm(void *user, TimeUs now)
{
    RerunPlay *play = user;

    if (!play->agent)
        return;
    aiwolf_agent_due(play->agent, now);
    if (play->agent && play->awaits)
        alarm_at(&play->alarm, aiwolf_agent_deadline(play->agent), false);
}

/* ---- what its program does ---- */

static void on_came(void *user, AiwolfAgent *take_agent)
{
    RerunPlay *play = user;

    play->agent = take_agent;
    aiwolf_agent_attach(play->agent, &agent_events, play);
    go_on(play, aiwolf_agent_now(take_agent));
}

static void on_not_come(void *user, const Fault *fault, TimeUs now)
{
    RerunPlay *play = user;
    RerunDifference *difference = &play->difference;

    (void)now;
    difference->found = true;
    if (fault->kind == FAULT_TIMEOUT)
        snprintf(difference->given, sizeof(difference->given),
                 "it did not connect and say its name within %d s", RERUN_LIMIT_S);
    else
        snprintf(difference->given, sizeof(difference->given),
                 "it did not connect and say its name");
    play->ends = true;
}

static void on_gone(void *user, TimeUs now)
{
    RerunPlay *play = user;

    (void)now;
    if (play->ends)
        alarm_soon(&play->last);
}

static void on_note(void *user, StartedNote what, Str text)
{
    RerunPlay *play = user;

    if (what == STARTED_NOTE_END)
        snprintf(play->difference.end, sizeof(play->difference.end), "%.*s", STR_ARG(text));
}

static const StartedAgentEvents started_events = {
    .named = on_came, .failed = on_not_come, .gone = on_gone, .note = on_note};

/* ---- public ---- */

int rerun_play_new(const RerunPlaySetup *setup, TimeUs now, RerunPlay **ret_play, Err *err)
{
    RerunPlay *play = mem_new(sizeof(*play));

    if (!play)
        return err_set(err, ERR_MEMORY, "audit: out of memory");
    play->setup = *setup;
    alarm_init(&play->alarm, setup->alarms, on_alarm, play);
    alarm_init(&play->last, setup->alarms, on_last, play);
    const StartedAgentSetup agent = {.door = setup->door,
                                     .alarms = setup->alarms,
                                     .limits = &patience,
                                     .scratch = &play->scratch,
                                     .plan = setup->plan,
                                     .events = started_events,
                                     .user = play,
                                     .hinted = &play->hinted};
    int rc = started_agent_new(&agent, now, &play->started, err);
    if (rc) {
        rerun_play_free(play);
        return rc;
    }
    *ret_play = play;
    return 0;
}

RerunPlay *rerun_play_free(RerunPlay *play)
{
    if (!play)
        return NULL;
    alarm_stop(&play->alarm);
    alarm_stop(&play->last);
    aiwolf_agent_free(play->agent);
    started_agent_free(play->started);
    rerun_script_done(&play->script);
    buf_done(&play->scratch);
    return mem_free(play);
}

const RerunDifference *rerun_play_difference(const RerunPlay *play)
{
    return &play->difference;
}

uint64_t rerun_play_answers(const RerunPlay *play)
{
    return play->answers;
}
