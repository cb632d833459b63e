#include "llm/seat_state.h"

#include "base/json.h"

/* Of one line of a record, which has at most a million bytes: a control character takes six. */
#define ANSWER_BYTES    65536
#define REASONING_BYTES 32768

static void keep_trouble(Str why, LlmFigures *figures)
{
    Str kept = str_part(why, 0, LLM_TROUBLE_MAX);

    memset(figures->trouble, 0, sizeof(figures->trouble));
    if (kept.len)
        memcpy(figures->trouble, kept.bytes, kept.len);
}

void llm_seat_count(LlmSeat *seat, const LlmDecision *decision, LlmSource source)
{
    LlmFigures *figures = &seat->figures;

    figures->lines += decision->action == LLM_SPEAK;
    figures->votes += decision->action == LLM_VOTE;
    figures->listens += decision->action == LLM_LISTEN;
    figures->by_model += source == SOURCE_MODEL || source == SOURCE_REPAIRED;
    figures->fallbacks += source == SOURCE_FALLBACK;
    if (source == SOURCE_FALLBACK)
        keep_trouble(buf_str(&seat->question.why), figures);
}

void llm_seat_count_tokens(LlmSeat *seat, const LlmAnswer *answer)
{
    LlmTokens *tokens = &seat->question.tokens;
    LlmFigures *figures = &seat->figures;
    const LlmTokens all = {.prompt = answer->prompt_tokens + answer->lost.prompt,
                           .cached = answer->cached_tokens + answer->lost.cached,
                           .answer = answer->answer_tokens + answer->lost.answer,
                           .reasoning = answer->reasoning_tokens + answer->lost.reasoning};

    tokens->prompt += all.prompt;
    tokens->cached += all.cached;
    tokens->answer += all.answer;
    tokens->reasoning += all.reasoning;
    figures->prompt_tokens += all.prompt;
    figures->cached_tokens += all.cached;
    figures->answer_tokens += all.answer;
    figures->reasoning_tokens += all.reasoning;
}

void llm_seat_figures(const LlmSeat *seat, LlmFigures *ret_figures)
{
    *ret_figures = seat->figures;
    ret_figures->latency_p50_ms = (uint32_t)(durations_quantile(&seat->latencies, 500) / 1000);
    ret_figures->latency_p95_ms = (uint32_t)(durations_quantile(&seat->latencies, 950) / 1000);
}

ModelFigures llm_figures_of(const LlmFigures *figures)
{
    return (ModelFigures){{[FIGURE_REQUESTS] = figures->sent,
                           [FIGURE_REPAIRED] = figures->repairs,
                           [FIGURE_REFUSED] = figures->refused,
                           [FIGURE_LEAKS] = figures->leaks,
                           [FIGURE_PROMPT] = figures->prompt_tokens,
                           [FIGURE_CACHED] = figures->cached_tokens,
                           [FIGURE_REASONING] = figures->reasoning_tokens,
                           [FIGURE_ANSWER] = figures->answer_tokens}};
}

/* ---- the record of a decision ---- */

static void put_text(Json *json, const char *key, Str text)
{
    if (!text.len)
        return;
    json_key(json, str_of(key));
    json_put_str(json, text);
}

static const char *source_name(LlmSource source)
{
    static const char *const names[] = {
        [SOURCE_MODEL] = "model",
        [SOURCE_REPAIRED] = "repaired",
        [SOURCE_FALLBACK] = "fallback",
        [SOURCE_DEMO] = "demo",
    };
    return names[source];
}

static const char *outcome_name(LlmOutcome outcome)
{
    static const char *const names[] = {
        [LLM_ANSWERED] = "answered", [LLM_UNREACHABLE] = "unreachable", [LLM_BUSY] = "busy",
        [LLM_DENIED] = "denied",     [LLM_TOO_LONG] = "too_long",       [LLM_BROKEN] = "broken",
        [LLM_SPENT] = "spent",
    };
    return names[outcome];
}

const char *llm_seat_task_name(LlmTask task)
{
    static const char *const names[] = {
        [TASK_ROOM] = "room",     [TASK_TALK] = "talk",     [TASK_WHISPER] = "whisper",
        [TASK_VOTE] = "vote",     [TASK_DIVINE] = "divine", [TASK_GUARD] = "guard",
        [TASK_ATTACK] = "attack", [TASK_BID] = "bid",       [TASK_OPINION] = "opinion",
    };
    return names[task];
}

static void put_decision(Json *json, const LlmDecision *decision)
{
    static const char *const actions[] = {"listen", "speak", "vote"};

    put_text(json, "action", str_of(actions[decision->action]));
    put_text(json, "message", str_of(decision->message));
    put_text(json, "target", str_of(decision->target));
    put_text(json, "reason", str_of(decision->reason));
    put_text(json, "thought", str_of(decision->thought));
    if (decision->cleaned && decision->message[0])
        json_add_bool(json, "cleaned", true);
}

static void put_tokens(Json *json, const LlmTokens *tokens)
{
    json_key(json, STR("tokens"));
    json_open(json, '{');
    json_add_uint(json, "prompt", tokens->prompt);
    json_add_uint(json, "cached", tokens->cached);
    json_add_uint(json, "reasoning", tokens->reasoning);
    json_add_uint(json, "answer", tokens->answer);
    json_close(json);
}

/* The answer that was asked for again. */
static void put_first(Json *json, const BadAnswer *first)
{
    if (!first->wrong.len)
        return;
    json_key(json, STR("first"));
    json_open(json, '{');
    json_add_str(json, "answer", llm_seat_cut(buf_str(&first->answer), ANSWER_BYTES / 2));
    put_text(json, "reasoning", llm_seat_cut(buf_str(&first->reasoning), REASONING_BYTES / 2));
    put_text(json, "finish", buf_str(&first->finish));
    json_add_uint(json, "latency_ms", (uint64_t)first->latency / 1000);
    json_add_str(json, "wrong", buf_str(&first->wrong));
    json_close(json);
}

/* What was said when, and how sure it is; nothing of the second when nobody answered. */
static void put_opinion(Json *json, const LlmScene *scene, const LlmDecision *decision)
{
    uint32_t percent;

    json_add_uint(json, "lines_said", scene->lines_said);
    if (decision->action == LLM_VOTE && llm_percent(str_of(decision->reason), &percent))
        json_add_uint(json, "sure", percent);
}

/* What it took to get there. */
static void put_way(Json *json, const Question *question, Str trouble, TimeUs now)
{
    json_add_uint(json, "took_ms", (uint64_t)(now - question->asked) / 1000);
    if (question->requests) {
        json_add_uint(json, "requests", question->requests);
        json_add_uint(json, "retries", question->retries);
        json_add_uint(json, "tries", (uint64_t)question->requests + question->retries);
        json_add_uint(json, "latency_ms", (uint64_t)question->latency / 1000);
        put_tokens(json, &question->tokens);
        put_text(json, "outcome", str_of(outcome_name(question->outcome)));
    }
    if (question->prompt != PROMPT_NONE)
        json_add_int(json, "prompt", question->prompt);
    put_text(json, "suppressed", str_of(question->suppressed));
    put_text(json, "flagged", str_of(question->flagged));
    put_text(json, "line", buf_str(&question->line));
    put_text(json, "why", buf_str(&question->why));
    put_text(json, "trouble", trouble);
    put_first(json, &question->first);
    put_text(json, "finish", buf_str(&question->finish));
    put_text(json, "reasoning", llm_seat_cut(buf_str(&question->reasoning), REASONING_BYTES));
    put_text(json, "answer", llm_seat_cut(buf_str(&question->raw), ANSWER_BYTES));
}

void llm_seat_record(LlmSeat *seat, const LlmDecision *decision, LlmSource source, Str trouble,
                     TimeUs now)
{
    const Question *question = &seat->question;
    CLEANUP(buf_done) Buf out = {0};
    Json json = json_over(&out);

    if (!seat->record)
        return;
    json_open(&json, '{');
    put_text(&json, "type", STR("decision"));
    json_add_uint(&json, "round", seat->round);
    json_add_uint(&json, "phase_no", seat->phase_no);
    put_text(&json, "name", question->scene.me);
    put_text(&json, "task", str_of(llm_seat_task_name(question->scene.task)));
    put_text(&json, "source", str_of(source_name(source)));
    if (question->named) /* the first time, and when it is another one */
        put_text(&json, "model", buf_str(&seat->served));
    put_decision(&json, decision);
    if (question->scene.task == TASK_OPINION)
        put_opinion(&json, &question->scene, decision);
    put_way(&json, question, trouble, now);
    json_close(&json);
    if (!buf_failed(&out))
        seat->record(seat->user, buf_str(&out), now);
}
