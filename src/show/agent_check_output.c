#include "show/agent_check_output.h"

#include "base/utf8.h"
#include "show/agent_check_words.h"

#include <inttypes.h>

#define VALUES_MAX  8
#define LINE_CHARS  200
#define STEP_WIDTH  11
#define ANY_VERDICT 9

/* Values of a sentence, as text. */
typedef struct Values {
    Buf texts[VALUES_MAX];
    Str list[VALUES_MAX];
    size_t count;
} Values;

static void values_done(Values *values)
{
    for (size_t i = 0; i < VALUES_MAX; i++)
        buf_done(&values->texts[i]);
}

static Buf *next_value(Values *values)
{
    return &values->texts[values->count++];
}

static void add_number(Values *values, uint64_t number)
{
    buf_add_uint(next_value(values), number);
}

static void add_ms(Values *values, uint64_t us)
{
    buf_printf(next_value(values), "%.1f", (double)us / 1e3);
}

static void say_values(bool japanese, CheckWord word, Values *values, Buf *out)
{
    for (size_t i = 0; i < values->count; i++)
        values->list[i] = buf_str(&values->texts[i]);
    agent_check_say(japanese, word, values->list, out);
}

/* ---- what each step came to ---- */

static uint64_t games_of(const AgentCheck *check, CheckPlay from, CheckPlay to)
{
    uint64_t games = 0;

    for (CheckPlay play = from; play <= to; play++)
        games += check->plays[play].games;
    return games;
}

static void say_start(const AgentCheck *check, bool japanese, Buf *out)
{
    CLEANUP(values_done) Values values = {0};

    if (!check->named)
        return;
    add_ms(&values, (uint64_t)check->connect_us);
    say_values(japanese, CHECK_SAY_START, &values, out);
}

static void say_name(const AgentCheck *check, bool japanese, Buf *out)
{
    CLEANUP(values_done) Values values = {0};

    utf8_add_printable(buf_str(&check->said), LINE_CHARS, next_value(&values));
    say_values(japanese, CHECK_SAY_NAME, &values, out);
    if (check->player_class[0])
        buf_printf(out, ", -c %s", check->player_class);
}

static void say_dialogue(const AgentCheck *check, bool japanese, Buf *out)
{
    const CheckCourse *five = &check->plays[PLAY_DIALOGUE_5];
    const CheckCourse *fifteen = &check->plays[PLAY_DIALOGUE_15];
    const uint64_t votes = (uint64_t)five->asked[ASK_VOTE] + fifteen->asked[ASK_VOTE];
    const uint64_t revotes = (uint64_t)five->revotes + fifteen->revotes;
    CLEANUP(values_done) Values values = {0};

    add_number(&values, games_of(check, PLAY_DIALOGUE_5, PLAY_DIALOGUE_15));
    add_number(&values, (uint64_t)five->asked[ASK_TALK] + fifteen->asked[ASK_TALK]);
    add_number(&values, (uint64_t)five->asked[ASK_WHISPER] + fifteen->asked[ASK_WHISPER]);
    add_number(&values, votes);
    add_number(&values, revotes < votes ? revotes : votes); /* a substitute may have had some */
    say_values(japanese, CHECK_SAY_DIALOGUE, &values, out);
}

static void say_games(const AgentCheck *check, bool japanese, CheckWord word, CheckPlay from,
                      CheckPlay to, Buf *out)
{
    CLEANUP(values_done) Values values = {0};

    add_number(&values, games_of(check, from, to));
    say_values(japanese, word, &values, out);
}

static void say_time(const AgentCheck *check, bool japanese, Buf *out)
{
    CLEANUP(values_done) Values values = {0};
    CLEANUP(values_done) Values late = {0};

    add_ms(&values, durations_quantile(&check->times, 500));
    add_ms(&values, durations_quantile(&check->times, 990));
    add_ms(&values, durations_max(&check->times));
    add_ms(&values, check->waited_ms * 1000);
    add_number(&values, check->limits.answer_ms);
    say_values(japanese, CHECK_SAY_TIME, &values, out);
    if (!check->excesses && !check->timeouts)
        return;
    add_number(&late, check->excesses + check->timeouts);
    say_values(japanese, CHECK_SAY_LATE, &late, out);
}

static uint64_t count_findings(const AgentCheck *check)
{
    uint64_t count = 0;

    for (CheckRule rule = 0; rule < CHECK_RULES; rule++)
        count += check->found[rule];
    return count;
}

static void say_conduct(const AgentCheck *check, bool japanese, Buf *out)
{
    CLEANUP(values_done) Values values = {0};

    add_number(&values, count_findings(check));
    say_values(japanese, check->finding_count ? CHECK_SAY_FINDINGS : CHECK_SAY_NOTHING, &values,
               out);
}

static void say_resources(const AgentCheck *check, bool japanese, Buf *out)
{
    CLEANUP(values_done) Values values = {0};
    const CheckLimits *limits = &check->limits;

    add_number(&values, (check->peak_kib + 1023) / 1024);
    add_number(&values, limits->memory_kib / 1024);
    add_number(&values, check->peak_threads);
    add_number(&values, limits->threads);
    add_number(&values, check->peak_files);
    add_number(&values, limits->files);
    add_number(&values, (check->peak_output + 1023) / 1024);
    add_number(&values, limits->output_bytes / 1024);
    say_values(japanese, CHECK_SAY_RESOURCES, &values, out);
}

static void say_step(const AgentCheck *check, CheckStep step, bool japanese, Buf *out)
{
    if (check->results[step].verdict == CHECK_SKIPPED) {
        agent_check_say(japanese, CHECK_SAY_SKIPPED, NULL, out);
        return;
    }
    switch (step) {
    case CHECK_START:
        say_start(check, japanese, out);
        break;
    case CHECK_NAME:
        say_name(check, japanese, out);
        break;
    case CHECK_DIALOGUE:
        say_dialogue(check, japanese, out);
        break;
    case CHECK_SET:
        say_games(check, japanese, CHECK_SAY_SET, PLAY_SET_5, PLAY_SET_15, out);
        break;
    case CHECK_TIME:
        say_time(check, japanese, out);
        break;
    case CHECK_CONDUCT:
        say_conduct(check, japanese, out);
        break;
    case CHECK_RESOURCES:
        say_resources(check, japanese, out);
        break;
    case CHECK_REPEAT:
        say_games(check, japanese, CHECK_SAY_REPEAT, PLAY_REPEAT, PLAY_REPEAT, out);
        break;
    case CHECK_STEPS:
        break;
    }
}

/* ---- as text ---- */

static void add_padded(const char *word, size_t width, Buf *out)
{
    buf_add(out, str_of(word));
    for (size_t used = utf8_width(str_of(word)); used < width; used++)
        buf_add_char(out, ' ');
}

/* Lines of others, each a little in and printable. */
static void add_lines(Str lines, const char *indent, Buf *out)
{
    while (lines.len) {
        buf_add(out, str_of(indent));
        utf8_add_printable(str_cut(&lines, '\n'), LINE_CHARS, out);
        buf_add_char(out, '\n');
    }
}

static void add_findings(const AgentCheck *check, Buf *out)
{
    for (uint32_t i = 0; i < check->finding_count; i++)
        buf_printf(out, "    %s: %s\n", check_rule_name(check->findings[i].rule),
                   check->findings[i].text);
}

static void add_step(const AgentCheck *check, CheckStep step, bool japanese, Buf *out)
{
    const CheckResult *result = &check->results[step];
    const CheckMark *mark = &check->marks[step];

    add_padded(agent_check_step_word(japanese, step), STEP_WIDTH, out);
    add_padded(agent_check_verdict_word(japanese, result->verdict), ANY_VERDICT, out);
    say_step(check, step, japanese, out);
    while (out->len && out->bytes[out->len - 1] == ' ')
        buf_cut(out, out->len - 1);
    buf_add_char(out, '\n');
    add_lines(buf_str(&mark->evidence), "    ", out);
    if (step == CHECK_CONDUCT)
        add_findings(check, out);
    if (result->advice != ADVICE_NONE) {
        buf_add(out, STR("  "));
        agent_check_say(japanese, CHECK_SAY_CHANGE, NULL, out);
        buf_printf(out, "%s\n", agent_check_advice(japanese, result->advice));
    }
    if (result->verdict != CHECK_FAIL || !mark->output.len)
        return;
    buf_add(out, STR("  "));
    agent_check_say(japanese, CHECK_SAY_LAST_LINES, NULL, out);
    buf_add_char(out, '\n');
    add_lines(buf_str(&mark->output), "    ", out);
}

void agent_check_write_text(const AgentCheck *check, bool japanese, Buf *out)
{
    const Str name = buf_str(&check->name), lack = buf_str(&check->lack);

    agent_check_say(japanese, check->passed ? CHECK_SAY_PASSED : CHECK_SAY_REFUSED, &name, out);
    buf_add_char(out, '\n');
    for (CheckStep step = 0; step < CHECK_STEPS; step++)
        add_step(check, step, japanese, out);
    if (check->strict)
        return;
    agent_check_say(japanese, lack.len ? CHECK_SAY_NONE : CHECK_SAY_LIGHT, &lack, out);
    buf_add_char(out, '\n');
}

/* ---- as JSON ---- */

static void put_ms(Json *json, const char *key, uint64_t us)
{
    json_key(json, str_of(key));
    json_put_real(json, (double)us / 1e3, 1);
}

static void put_lines(Json *json, const char *key, Str lines)
{
    if (!lines.len)
        return;
    json_key(json, str_of(key));
    json_open(json, '[');
    while (lines.len)
        json_put_str(json, str_cut(&lines, '\n'));
    json_close(json);
}

static void put_figures(Json *json, const AgentCheck *check, CheckStep step)
{
    switch (step) {
    case CHECK_NAME:
        json_add_str(json, "said", buf_str(&check->said));
        break;
    case CHECK_DIALOGUE:
        json_add_uint(json, "games", games_of(check, PLAY_DIALOGUE_5, PLAY_DIALOGUE_15));
        break;
    case CHECK_SET:
        json_add_uint(json, "games", games_of(check, PLAY_SET_5, PLAY_SET_15));
        break;
    case CHECK_REPEAT:
        json_add_uint(json, "games", check->plays[PLAY_REPEAT].games);
        break;
    case CHECK_TIME:
        put_ms(json, "p50_ms", durations_quantile(&check->times, 500));
        put_ms(json, "p99_ms", durations_quantile(&check->times, 990));
        put_ms(json, "max_ms", durations_max(&check->times));
        put_ms(json, "waited_ms", check->waited_ms * 1000);
        json_add_uint(json, "limit_ms", check->limits.answer_ms);
        json_add_uint(json, "late", check->excesses + check->timeouts);
        json_add_uint(json, "excused", check->excused);
        break;
    case CHECK_RESOURCES:
        json_add_uint(json, "memory_kib", check->peak_kib);
        json_add_uint(json, "memory_limit_kib", check->limits.memory_kib);
        json_add_uint(json, "threads", check->peak_threads);
        json_add_uint(json, "threads_limit", check->limits.threads);
        json_add_uint(json, "files", check->peak_files);
        json_add_uint(json, "files_limit", check->limits.files);
        json_add_uint(json, "output_bytes", check->peak_output);
        json_add_uint(json, "output_limit_bytes", check->limits.output_bytes);
        break;
    case CHECK_START:
    case CHECK_CONDUCT:
    case CHECK_STEPS:
        break;
    }
}

static void put_step(Json *json, const AgentCheck *check, CheckStep step, bool japanese)
{
    const CheckResult *result = &check->results[step];
    const CheckMark *mark = &check->marks[step];

    json_open(json, '{');
    json_add_str(json, "step", str_of(check_step_name(step)));
    json_add_str(json, "verdict", str_of(check_verdict_name(result->verdict)));
    json_add_bool(json, "ok", result->verdict == CHECK_OK || result->verdict == CHECK_WARN);
    put_ms(json, "ms", (uint64_t)result->took_us);
    if (result->verdict != CHECK_SKIPPED)
        put_figures(json, check, step);
    if (result->advice != ADVICE_NONE)
        json_add_str(json, "advice", str_of(agent_check_advice(japanese, result->advice)));
    if (result->advice != ADVICE_NONE && !japanese) /* the pages are in either */
        json_add_str(json, "advice_ja", str_of(agent_check_advice(true, result->advice)));
    put_lines(json, "evidence", buf_str(&mark->evidence));
    if (result->verdict == CHECK_FAIL)
        put_lines(json, "output", buf_str(&mark->output));
    json_close(json);
}

void agent_check_put_findings(Json *json, const AgentCheck *check)
{
    json_key(json, STR("findings"));
    json_open(json, '[');
    for (uint32_t i = 0; i < check->finding_count; i++) {
        const CheckFinding *finding = &check->findings[i];
        json_open(json, '{');
        json_add_str(json, "rule", str_of(check_rule_name(finding->rule)));
        json_add_str(json, "text", str_of(finding->text));
        json_add_str(json, "step", str_of(check_step_name(agent_check_step_of(finding->play))));
        json_add_uint(json, "game", finding->game);
        json_add_uint(json, "day", finding->day);
        json_close(json);
    }
    json_close(json);
}

void agent_check_put_steps(Json *json, const AgentCheck *check, bool japanese)
{
    for (CheckStep step = 0; step < CHECK_STEPS; step++)
        put_step(json, check, step, japanese);
}

/* What was no more than a warning, in words. */
void agent_check_put_warnings(Json *json, const AgentCheck *check, bool japanese)
{
    for (CheckStep step = 0; step < CHECK_STEPS; step++) {
        CLEANUP(buf_done) Buf text = {0};
        if (check->results[step].verdict != CHECK_WARN)
            continue;
        buf_printf(&text, "%s: ", check_step_name(step));
        say_step(check, step, japanese, &text);
        json_put_str(json, buf_str(&text));
    }
}

static const char *level_of(const AgentCheck *check)
{
    if (check->strict)
        return "strict";
    return check->lack.len ? "none" : "light";
}

void agent_check_write_json(const AgentCheck *check, bool japanese, Buf *out)
{
    Json json = json_over(out);

    json_open(&json, '{');
    json_add_str(&json, "agent", buf_str(&check->name));
    json_add_str(&json, "verdict", check->passed ? STR("passed") : STR("refused"));
    json_add_str(&json, "level", str_of(level_of(check)));
    json_key(&json, STR("steps"));
    json_open(&json, '[');
    agent_check_put_steps(&json, check, japanese);
    json_close(&json);
    agent_check_put_findings(&json, check);
    json_key(&json, STR("warnings"));
    json_open(&json, '[');
    agent_check_put_warnings(&json, check, japanese);
    json_close(&json);
    json_close(&json);
    buf_add_char(out, '\n');
}
