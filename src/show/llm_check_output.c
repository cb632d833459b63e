#include "show/llm_check_output.h"

#include "base/json.h"
#include "base/utf8.h"
#include "llm/llm_trouble.h"

#include <stdio.h>

#define NAMES_CHARS 400 /* of a list of models */

/* ---- as text ---- */

static const char *const json_names[] = {
    [LLM_JSON_SCHEMA] = "schema", [LLM_JSON_OBJECT] = "object", [LLM_JSON_NONE] = "none"};
static const char *const action_names[] = {
    [LLM_LISTEN] = "listen", [LLM_SPEAK] = "speak", [LLM_VOTE] = "vote"};

/* In English and in Japanese. */
static const char *const mode_words[][2] = {
    [MODE_NOT_TRIED] = {"not tried", "試していない"},
    [MODE_REFUSED] = {"the server does not take it", "サーバーが受け付けない"},
    [MODE_SILENT] = {"no answer", "回答がない"},
    [MODE_USELESS] = {"an answer, but no decision", "回答はあるが、決定ではない"},
    [MODE_DECISION] = {"works", "使える"},
};
static const char *const source_words[][2] = {
    [SOURCE_MODEL] = {"the model", "モデル"},
    [SOURCE_REPAIRED] = {"the model, at the second try", "モデル（二度目で）"},
    [SOURCE_FALLBACK] = {"a rule in the model's place", "モデルの代わりの規則"},
    [SOURCE_DEMO] = {"the demo model", "デモのモデル"},
};
static const char *const action_words[][2] = {[LLM_LISTEN] = {"listen", "聞く"},
                                              [LLM_SPEAK] = {"speak", "話す"},
                                              [LLM_VOTE] = {"vote", "投票"}};
static const char *const row_words[][2] = {
    {"JSON by schema    ", "JSON (スキーマ)   "},
    {"JSON as object    ", "JSON (形だけ)     "},
    {"no JSON mode      ", "JSONの指定なし    "},
    {"context           ", "文脈の長さ        "},
};

static int language_of(const LlmCheck *check)
{
    return check->language == LLM_JAPANESE;
}

static void print_modes(const LlmCheck *check)
{
    const int language = language_of(check);

    for (LlmJson mode = LLM_JSON_SCHEMA; mode <= LLM_JSON_NONE; mode++)
        printf("%s%s\n", row_words[mode - LLM_JSON_SCHEMA][language],
               mode_words[check->modes[mode]][language]);
    printf("%s", row_words[3][language]);
    if (check->context)
        printf(language ? "%uトークン\n" : "%u tokens\n", check->context);
    else
        printf("%s\n", language ? "サーバーは知らせない" : "the server does not tell");
}

static void print_decision(const LlmCheckDecision *slot, int language)
{
    CLEANUP(buf_done) Buf text = {0};
    const LlmDecision *decision = &slot->decision;

    if (decision->action == LLM_SPEAK)
        utf8_add_printable(str_of(decision->message), 200, &text);
    else
        utf8_add_printable(str_of(decision->target), 100, &text);
    printf(language ? "%6.2f 秒  %s: %s%s%s\n" : "%6.2f s  %s: %s%s%s\n", (double)slot->took / 1e6,
           source_words[slot->source][language], action_words[decision->action][language],
           text.len ? " " : "", buf_cstr(&text));
}

void llm_check_tell_text(const LlmCheck *check, void *user)
{
    (void)user;
    if (check->outcome != LLM_ANSWERED)
        return;
    if (check->decision_count)
        print_decision(&check->decisions[check->decision_count - 1], language_of(check));
    else if (check->modes[LLM_JSON_SCHEMA] == MODE_NOT_TRIED)
        printf("%s\n", language_of(check) ? "回答がある" : "it answers");
    else
        print_modes(check);
    fflush(stdout);
}

static double mean_seconds(const LlmCheck *check)
{
    TimeUs sum = 0;

    for (uint32_t i = 0; i < check->decision_count; i++)
        sum += check->decisions[i].took;
    return check->decision_count ? (double)sum / 1e6 / check->decision_count : 0;
}

static void print_names(const LlmCheck *check)
{
    CLEANUP(buf_done) Buf text = {0};

    utf8_add_printable(buf_str(&check->names), NAMES_CHARS, &text);
    printf("%s: %s\n", check->language == LLM_JAPANESE ? "サーバーにあるモデル" : "its models",
           buf_cstr(&text));
}

void llm_check_print_end(const LlmCheck *check)
{
    const char *advice = llm_check_advice(check);
    bool japanese = check->language == LLM_JAPANESE;

    if (check->outcome != LLM_ANSWERED)
        printf("%s: %s\n", japanese ? "回答がない" : "no answer", buf_cstr(&check->why));
    else if (japanese)
        printf("%u件の決定のうち%u件がモデルのもの。一件 %.2f 秒\n", check->decision_count,
               check->by_model, mean_seconds(check));
    else
        printf("%u of %u decisions are the model's; %.2f s each\n", check->by_model,
               check->decision_count, mean_seconds(check));
    for (uint32_t i = 0; i < check->habit_count; i++)
        printf("%s: %s\n", japanese ? "このサーバー" : "this server", check->habits[i]);
    if (check->trouble == TROUBLE_NO_MODEL && check->names.len)
        print_names(check);
    if (check->trouble != TROUBLE_NONE)
        printf("%s: %s\n", japanese ? "問題" : "trouble",
               llm_trouble_name(check->trouble, japanese));
    if (advice[0] && llm_check_usable(check))
        printf("%s: %s\n", japanese ? "注意" : "note", advice);
    else if (advice[0])
        printf("%s: %s\n", japanese ? "次の手順" : "next step", advice);
}

/* ---- as JSON ---- */

static void put_decisions(Json *json, const LlmCheck *check)
{
    static const char *const sources[] = {"model", "repaired", "fallback", "demo"};

    json_key(json, STR("decisions"));
    json_open(json, '[');
    for (uint32_t i = 0; i < check->decision_count; i++) {
        const LlmCheckDecision *slot = &check->decisions[i];
        json_open(json, '{');
        json_add_str(json, "source", str_of(sources[slot->source]));
        json_key(json, STR("seconds"));
        json_put_real(json, (double)slot->took / 1e6, 3);
        json_add_str(json, "action", str_of(action_names[slot->decision.action]));
        json_add_str(json, "message", str_of(slot->decision.message));
        json_add_str(json, "target", str_of(slot->decision.target));
        json_close(json);
    }
    json_close(json);
    json_key(json, STR("seconds"));
    json_put_real(json, mean_seconds(check), 3);
    json_add_uint(json, "prompt_tokens", check->figures.prompt_tokens);
    json_add_uint(json, "answer_tokens", check->figures.answer_tokens);
}

void llm_check_write_json(const LlmCheck *check, Buf *out)
{
    Json json = json_over(out);

    json_open(&json, '{');
    json_add_bool(&json, "usable", llm_check_usable(check));
    json_add_str(&json, "model", str_of(check->spec.model));
    json_add_bool(&json, "answers", check->outcome == LLM_ANSWERED);
    json_add_str(&json, "error", buf_str(&check->why));
    json_add_str(&json, "trouble", str_of(llm_trouble_key(check->trouble)));
    json_add_str(&json, "advice", str_of(llm_check_advice(check)));
    json_add_str(&json, "served_model", buf_str(&check->served));
    json_key(&json, STR("habits"));
    json_open(&json, '[');
    for (uint32_t i = 0; i < check->habit_count; i++)
        json_put_str(&json, str_of(check->habits[i]));
    json_close(&json);
    json_key(&json, STR("modes"));
    json_open(&json, '{');
    for (LlmJson mode = LLM_JSON_SCHEMA; mode <= LLM_JSON_NONE; mode++) {
        json_key(&json, str_of(json_names[mode]));
        json_put_bool(&json, check->modes[mode] == MODE_DECISION);
    }
    json_close(&json);
    json_key(&json, STR("best"));
    if (check->outcome == LLM_ANSWERED)
        json_put_str(&json, str_of(json_names[check->best]));
    else
        json_put_null(&json);
    json_key(&json, STR("context"));
    if (check->context)
        json_put_uint(&json, check->context);
    else
        json_put_null(&json);
    put_decisions(&json, check);
    json_close(&json);
    buf_add_char(out, '\n');
}
