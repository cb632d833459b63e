#include "contest/agent_check.h"

#include "base/utf8.h"
#include "game/ask_targets.h"

#include <inttypes.h>
#include <stdio.h>

#define EVIDENCE_CHARS 200
#define NEAR_PERCENT   80 /* of a limit: a warning */
#define LATE_PER_GAMES 20 /* answers over the limit in 100 games, as of a contest's `late` */
#define WAITED_SHARE   2  /* it had to wait for at least half of the time: not its own fault */

void agent_check_done(AgentCheck *check)
{
    buf_done(&check->name);
    buf_done(&check->said);
    buf_done(&check->lack);
    buf_done(&check->layers);
    buf_done(&check->ours);
    for (CheckStep step = 0; step < CHECK_STEPS; step++) {
        buf_done(&check->marks[step].evidence);
        buf_done(&check->marks[step].output);
    }
}

bool agent_check_failed(const AgentCheck *check)
{
    bool failed = buf_failed(&check->name) || buf_failed(&check->said) || buf_failed(&check->ours);

    for (CheckStep step = 0; step < CHECK_STEPS; step++)
        failed |=
            buf_failed(&check->marks[step].evidence) || buf_failed(&check->marks[step].output);
    return failed;
}

/* ---- words ---- */

const char *check_step_name(CheckStep step)
{
    static const char *const names[] = {"start", "name",    "dialogue",  "set",
                                        "time",  "conduct", "resources", "repeat"};

    return step < CHECK_STEPS ? names[step] : "";
}

const char *check_verdict_name(CheckVerdict verdict)
{
    static const char *const names[] = {"skipped", "ok", "warn", "fail"};

    return verdict < CHECK_VERDICTS ? names[verdict] : "";
}

const char *check_rule_name(CheckRule rule)
{
    static const char *const names[] = {"network", "write",  "process", "thread",
                                        "error",   "memory", "output",  "other"};

    return rule < CHECK_RULES ? names[rule] : "";
}

CheckStep agent_check_step_of(CheckPlay play)
{
    if (play == PLAY_REPEAT)
        return CHECK_REPEAT;
    return play == PLAY_SET_5 || play == PLAY_SET_15 ? CHECK_SET : CHECK_DIALOGUE;
}

/* ---- marks ---- */

/* One more line of evidence, unless there is enough, or one that says the same. `place` stands in
 * front of it. */
static void add_evidence(CheckMark *mark, Str place, Str text)
{
    size_t at;

    if (mark->lines == CHECK_EVIDENCE_MAX || str_find(buf_str(&mark->evidence), text, &at))
        return;
    if (mark->lines++)
        buf_add_char(&mark->evidence, '\n');
    buf_add(&mark->evidence, place);
    buf_add(&mark->evidence, text);
}

/* The first advice is the one that is given: later faults follow from the first. */
static void mark_bad(CheckMark *mark, CheckAdvice advice)
{
    if (mark->bad++ == 0)
        mark->advice = advice;
}

/* Where in the play it was. */
static void mark_bad_at(AgentCheck *check, CheckStep step, CheckAdvice advice, CheckPlay play,
                        uint64_t game, uint16_t day, Str text)
{
    CLEANUP(buf_done) Buf place = {0};
    const char *players = play == PLAY_DIALOGUE_15 || play == PLAY_SET_15 ? "15" : "5";

    buf_printf(&place, "game %" PRIu64 " of %s players, day %u: ", game, players, day);
    mark_bad(&check->marks[step], advice);
    add_evidence(&check->marks[step], buf_str(&place), text);
}

/* ---- what is seen ---- */

static bool is_quote(char c)
{
    return c == '\'' || c == '"';
}

/* The next word of a command, without the quotes of the shell around it. */
static Str next_word(Str *command)
{
    Str word = str_trim(str_cut(command, ' '));

    if (word.len && is_quote(word.bytes[0]))
        word = str_part(word, 1, word.len - 1);
    if (word.len && is_quote(word.bytes[word.len - 1]))
        word.len--;
    return word;
}

void agent_check_command(AgentCheck *check, Str command)
{
    while (command.len) {
        const Str word = next_word(&command);
        if (!str_eq(word, STR("-c")) && !str_eq(word, STR("--class")))
            continue;
        const Str class = next_word(&command);
        if (str_starts(class, STR("org.aiwolf.")))
            snprintf(check->player_class, sizeof(check->player_class), "%.*s", STR_ARG(class));
    }
}

void agent_check_named(AgentCheck *check, CheckPlay play, Str said, int64_t after_us)
{
    check->plays[play].begun = true;
    if (check->named)
        return;
    check->named = true;
    check->connect_us = after_us;
    while (said.len && (said.bytes[said.len - 1] == '\r' || said.bytes[said.len - 1] == '\n'))
        said.len--;
    buf_add(&check->said, said);
}

static bool is_allowed(const Answer *answer, const View *view)
{
    const bool is_seat = answer->target >= 1 && answer->target <= view->seat_count;

    if (answer->target == SEAT_NONE)
        return answer->kind != ASK_VOTE; /* to do nothing is allowed at night */
    if (answer->kind == ASK_GUARD && view->rules->ability.guard_dead)
        return is_seat && answer->target != view->seat;
    return is_seat && seat_in(ask_targets(view, answer->kind), answer->target);
}

static const char *ask_word(AskKind kind)
{
    static const char *const words[ASK_COUNT] = {"ROLE",   "TALK",  "WHISPER", "VOTE",
                                                 "DIVINE", "GUARD", "ATTACK",  "BID"};

    return kind < ASK_COUNT ? words[kind] : "";
}

static const char *why_not(const Answer *answer, const View *view)
{
    if (answer->target == SEAT_NONE)
        return "who is nobody";
    if (answer->target > view->seat_count)
        return "who is not in the game";
    if (answer->target == view->seat)
        return "who is the agent itself";
    return seat_in(view->alive, answer->target) ? "which the rules don't allow" : "who is dead";
}

void agent_check_answer(AgentCheck *check, CheckPlay play, uint64_t game, const Answer *answer,
                        const View *view)
{
    CLEANUP(buf_done) Buf text = {0};

    check->plays[play].asked[answer->kind]++;
    if (ask_is_speech(answer->kind) || answer->kind == ASK_ROLE || is_allowed(answer, view))
        return;
    buf_printf(&text, "%s names Agent[%02u], %s", ask_word(answer->kind), answer->target,
               why_not(answer, view));
    mark_bad_at(check, agent_check_step_of(play), ADVICE_ILLEGAL, play, game, view->day,
                buf_str(&text));
}

static CheckAdvice advice_of_fault(const Fault *fault, bool first)
{
    switch (fault->kind) {
    case FAULT_TIMEOUT:
        return ADVICE_LATE;
    case FAULT_DISCONNECT:
        return first ? ADVICE_ONE_GAME : ADVICE_CRASH;
    case FAULT_MALFORMED:
        return ADVICE_MALFORMED;
    case FAULT_EARLY:
        return ADVICE_EXTRA;
    case FAULT_VIOLATION:
        return ADVICE_SENTENCE;
    case FAULT_COUNT:
    case FAULT_FALLBACK:
    case FAULT_SUPPRESSED:
        break;
    }
    return ADVICE_NONE;
}

/* What happens before it has ever said its name is of the start, what is late of the time. */
static CheckStep step_of_fault(const AgentCheck *check, CheckPlay play, const Fault *fault)
{
    if (!check->named)
        return CHECK_START;
    if (fault->kind == FAULT_TIMEOUT && strcmp(fault->request, "NAME") != 0)
        return CHECK_TIME;
    return agent_check_step_of(play);
}

void agent_check_fault(AgentCheck *check, CheckPlay play, uint64_t game, const Fault *fault,
                       bool first)
{
    const CheckStep step = step_of_fault(check, play, fault);
    const bool at_start = strcmp(fault->request, "NAME") == 0;
    CLEANUP(buf_done) Buf text = {0};

    fault_print(fault, &text);
    if (fault->kind == FAULT_TIMEOUT && fault->waited_us * WAITED_SHARE >= fault->elapsed_us &&
        fault->elapsed_us > 0)
        agent_check_ours(check, STR("an answer had to wait for a processor"));
    check->timeouts += step == CHECK_TIME;
    if (!at_start) {
        mark_bad_at(check, step, advice_of_fault(fault, first), play, game, fault->day,
                    buf_str(&text));
        return;
    }
    mark_bad(&check->marks[step],
             fault->kind == FAULT_TIMEOUT ? ADVICE_CONNECT : ADVICE_DIED_EARLY);
    add_evidence(&check->marks[step], STR(""), buf_str(&text));
}

void agent_check_game(AgentCheck *check, CheckPlay play, const GameRecord *record, SeatNo seat)
{
    CheckCourse *course = &check->plays[play];
    const SeatRecord *own = &record->seats[seat];

    durations_merge(&check->times, &own->times);
    check->games++;
    check->excesses +=
        own->excesses - (own->excused < own->excesses ? own->excused : own->excesses);
    check->excused += own->excused;
    check->waited_ms += own->waited_ms;
    if (own->failed || record->reason == END_ABORTED)
        return;
    course->games++;
    course->roles |= UINT32_C(1) << record->result.roles[seat];
}

static bool is_known(const AgentCheck *check, CheckRule rule, const char *text, CheckPlay play)
{
    for (uint32_t i = 0; i < check->finding_count; i++) {
        const CheckFinding *found = &check->findings[i];
        if (found->rule == rule && found->play == play && strcmp(found->text, text) == 0)
            return true;
    }
    return false;
}

void agent_check_finding(AgentCheck *check, CheckRule rule, Str text, CheckPlay play, uint64_t game,
                         uint16_t day)
{
    CLEANUP(buf_done) Buf printable = {0};
    CheckFinding finding = {.rule = rule, .play = play, .game = game, .day = day};

    utf8_add_printable(text, EVIDENCE_CHARS, &printable);
    Str cut = str_part(buf_str(&printable), 0, sizeof(finding.text) - 1);
    while (cut.len && !utf8_valid(cut))
        cut.len--;
    memcpy(finding.text, cut.bytes, cut.len);
    if (is_known(check, rule, finding.text, play))
        return;
    check->found[rule]++;
    if (check->finding_count < CHECK_FINDINGS_MAX)
        check->findings[check->finding_count++] = finding;
}

static uint32_t max_u32(uint32_t a, uint32_t b)
{
    return a > b ? a : b;
}

void agent_check_use(AgentCheck *check, CheckPlay play, const ProcessUse *use)
{
    if (!check->plays[play].pid)
        check->plays[play].pid = use->pid;
    check->peak_threads = max_u32(check->peak_threads, use->threads);
    check->peak_files = max_u32(check->peak_files, use->files);
    if (use->peak_kib > check->peak_kib)
        check->peak_kib = use->peak_kib;
}

/* Beginnings of lines that a runtime prints when a program has made a mistake. */
static bool is_error(Str line)
{
    static const char *const begins[] = {"Traceback (most recent call last)",
                                         "Exception in thread ",
                                         "Caused by: ",
                                         "Unhandled exception",
                                         "Unhandled Exception",
                                         "terminate called ",
                                         "Segmentation fault",
                                         "*** ",
                                         "thread 'main' panicked",
                                         "panic: ",
                                         "java.lang.",
                                         "System.NullReference"};
    static const char *const parts[] = {"AddressSanitizer:", "runtime error: ", "Assertion `",
                                        "error while loading shared libraries"};
    size_t at;

    for (size_t i = 0; i < sizeof(begins) / sizeof(begins[0]); i++)
        if (str_starts(line, str_of(begins[i])))
            return true;
    for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++)
        if (str_find(line, str_of(parts[i]), &at))
            return true;
    return false;
}

/* The line with which a trace of Python ends says what it was: the first that is not indented. */
static Str end_of_trace(Str rest)
{
    Str line = {0};

    while (rest.len) {
        line = str_cut(&rest, '\n');
        if (line.len && line.bytes[0] != ' ' && line.bytes[0] != '\t')
            break;
    }
    return str_trim(line);
}

void agent_check_output(AgentCheck *check, CheckPlay play, uint64_t bytes, Str kept)
{
    uint64_t number = 0;

    if (bytes > check->peak_output)
        check->peak_output = bytes;
    while (kept.len) {
        CLEANUP(buf_done) Buf text = {0};
        Str line = str_trim(str_cut(&kept, '\n'));
        number++;
        if (!is_error(line))
            continue;
        buf_printf(&text, "line %" PRIu64 " of its output: %.*s", number, STR_ARG(line));
        if (str_starts(line, STR("Traceback")))
            buf_printf(&text, " %.*s", STR_ARG(end_of_trace(kept)));
        agent_check_finding(check, RULE_ERROR, buf_str(&text), play, 0, 0);
    }
}

void agent_check_last_lines(AgentCheck *check, CheckPlay play, Str lines)
{
    CheckMark *mark = &check->marks[check->named ? agent_check_step_of(play) : CHECK_START];

    if (!mark->output.len)
        buf_add(&mark->output, lines);
}

void agent_check_left(AgentCheck *check, Str path)
{
    CLEANUP(buf_done) Buf text = {0};

    check->left_files = true;
    buf_add(&text, STR("left in its folder: "));
    utf8_add_printable(path, EVIDENCE_CHARS, &text);
    add_evidence(&check->marks[CHECK_REPEAT], STR(""), buf_str(&text));
    agent_check_finding(check, RULE_WRITE, buf_str(&text), PLAY_REPEAT, 0, 0);
}

void agent_check_ours(AgentCheck *check, Str why)
{
    if (!check->ours.len)
        buf_add(&check->ours, why);
}

/* ---- verdicts ---- */

bool agent_check_is_near(uint64_t used, uint64_t limit)
{
    return used * 100 >= limit * NEAR_PERCENT;
}

static CheckResult judge_start(const AgentCheck *check)
{
    const CheckMark *mark = &check->marks[CHECK_START];

    if (check->named)
        return (CheckResult){.verdict = CHECK_OK, .took_us = check->connect_us};
    return (CheckResult){.verdict = CHECK_FAIL,
                         .advice = mark->advice ? mark->advice : ADVICE_CONNECT,
                         .took_us = check->plays[PLAY_DIALOGUE_5].took_us};
}

static CheckResult judge_name(AgentCheck *check)
{
    if (!str_eq(buf_str(&check->said), buf_str(&check->name))) {
        CLEANUP(buf_done) Buf text = {0};
        buf_printf(&text, "it was started as %s and says ", buf_cstr(&check->name));
        utf8_add_printable(buf_str(&check->said), EVIDENCE_CHARS, &text);
        add_evidence(&check->marks[CHECK_NAME], STR(""), buf_str(&text));
        return (CheckResult){.verdict = check->limits.name_refuses ? CHECK_FAIL : CHECK_WARN,
                             .advice = ADVICE_NAME};
    }
    if (check->player_class[0])
        return (CheckResult){.verdict = CHECK_WARN, .advice = ADVICE_PLAYER_CLASS};
    return (CheckResult){.verdict = CHECK_OK};
}

/* What it played in one step. */
static CheckResult judge_plays(const AgentCheck *check, CheckStep step, CheckPlay from,
                               CheckPlay to)
{
    const CheckMark *mark = &check->marks[step];
    CheckResult result = {.verdict = CHECK_SKIPPED};
    bool begun = false, complete = true;

    for (CheckPlay play = from; play <= to; play++) {
        begun |= check->plays[play].begun;
        complete &= check->plays[play].complete;
        result.took_us += check->plays[play].took_us;
    }
    if (mark->bad) {
        result.verdict = CHECK_FAIL;
        result.advice = mark->advice;
    } else if (begun && !complete) {
        result.verdict = CHECK_WARN;
        result.advice = ADVICE_CUT;
    } else if (begun) {
        result.verdict = CHECK_OK;
    }
    return result;
}

static CheckResult judge_time(const AgentCheck *check)
{
    CheckResult result = {.verdict = CHECK_OK};

    if (!durations_count(&check->times) && !check->timeouts)
        return (CheckResult){.verdict = CHECK_SKIPPED};
    if (check->timeouts || check->excesses * 100 > check->games * LATE_PER_GAMES)
        result.verdict = CHECK_FAIL;
    else if (check->excesses)
        result.verdict = CHECK_WARN;
    if (result.verdict != CHECK_OK)
        result.advice = ADVICE_LATE;
    return result;
}

/* As of a contest's `conduct`, where it says nothing else: a strike fails. The first that was seen
 * is what to begin with. */
static CheckResult judge_conduct(const AgentCheck *check)
{
    static const struct {
        CheckRule rule;
        CheckVerdict verdict;
        CheckAdvice advice;
    } rows[] = {
        {RULE_NETWORK, CHECK_FAIL, ADVICE_NETWORK}, {RULE_WRITE, CHECK_FAIL, ADVICE_WRITE},
        {RULE_PROCESS, CHECK_FAIL, ADVICE_PROCESS}, {RULE_MEMORY, CHECK_FAIL, ADVICE_MEMORY},
        {RULE_OUTPUT, CHECK_WARN, ADVICE_OUTPUT},   {RULE_ERROR, CHECK_WARN, ADVICE_ERROR},
        {RULE_THREAD, CHECK_WARN, ADVICE_THREAD},   {RULE_OTHER, CHECK_WARN, ADVICE_OTHER},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
        if (check->found[rows[i].rule])
            return (CheckResult){.verdict = rows[i].verdict, .advice = rows[i].advice};
    return (CheckResult){.verdict = CHECK_OK};
}

static CheckResult judge_resources(const AgentCheck *check)
{
    const CheckLimits *limits = &check->limits;
    const struct {
        uint64_t used;
        uint64_t limit;
        CheckAdvice advice;
    } rows[] = {
        {check->peak_kib, limits->memory_kib, ADVICE_MEMORY},
        {check->peak_threads, limits->threads, ADVICE_THREADS},
        {check->peak_files, limits->files, ADVICE_FILES},
        {check->peak_output, limits->output_bytes, ADVICE_OUTPUT},
    };
    CheckResult result = {.verdict = CHECK_OK};

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        if (rows[i].used > rows[i].limit)
            return (CheckResult){.verdict = CHECK_FAIL, .advice = rows[i].advice};
        if (result.verdict == CHECK_OK && agent_check_is_near(rows[i].used, rows[i].limit))
            result = (CheckResult){.verdict = CHECK_WARN, .advice = rows[i].advice};
    }
    return result;
}

static CheckResult judge_repeat(const AgentCheck *check)
{
    CheckResult result = judge_plays(check, CHECK_REPEAT, PLAY_REPEAT, PLAY_REPEAT);

    if (check->left_files && result.verdict != CHECK_FAIL) {
        result.verdict = CHECK_FAIL;
        result.advice = ADVICE_WRITE;
    }
    return result;
}

void agent_check_judge(AgentCheck *check)
{
    CheckResult *results = check->results;

    results[CHECK_START] = judge_start(check);
    if (check->named) {
        results[CHECK_NAME] = judge_name(check);
        results[CHECK_DIALOGUE] =
            judge_plays(check, CHECK_DIALOGUE, PLAY_DIALOGUE_5, PLAY_DIALOGUE_15);
        results[CHECK_SET] = judge_plays(check, CHECK_SET, PLAY_SET_5, PLAY_SET_15);
        results[CHECK_TIME] = judge_time(check);
        results[CHECK_CONDUCT] = judge_conduct(check);
        results[CHECK_RESOURCES] = judge_resources(check);
        results[CHECK_REPEAT] = judge_repeat(check);
    }
    check->passed = true;
    for (CheckStep step = 0; step < CHECK_STEPS; step++)
        check->passed &= results[step].verdict != CHECK_FAIL;
}
