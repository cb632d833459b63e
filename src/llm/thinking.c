#include "llm/thinking.h"

#include <string.h>

#define RAISED_TOKENS 4096 /* for who was given none */
#define MEDIUM_FROM   2048
#define HIGH_FROM     8192

static const char *const names[] = {
    [THINK_UNSAID] = "",       [THINK_OFF] = "off",   [THINK_LOW] = "low",
    [THINK_MEDIUM] = "medium", [THINK_HIGH] = "high",
};

bool llm_think_read(Str text, LlmThink *ret)
{
    uint64_t tokens;

    for (LlmThinkLevel level = THINK_OFF; level <= THINK_HIGH; level++)
        if (str_eq(text, str_of(names[level]))) {
            *ret = (LlmThink){.level = level};
            return true;
        }
    if (!str_to_uint(text, LLM_THINK_TOKENS_MAX, &tokens) || tokens == 0)
        return false;
    *ret = (LlmThink){.level = tokens < MEDIUM_FROM ? THINK_LOW
                               : tokens < HIGH_FROM ? THINK_MEDIUM
                                                    : THINK_HIGH,
                      .tokens = (uint32_t)tokens};
    return true;
}

const char *llm_think_name(LlmThinkLevel level)
{
    return names[level];
}

uint32_t llm_think_tokens(const LlmThink *think, bool raised)
{
    static const uint32_t usual[] = {[THINK_UNSAID] = 0,
                                     [THINK_OFF] = 0,
                                     [THINK_LOW] = 1024,
                                     [THINK_MEDIUM] = 4096,
                                     [THINK_HIGH] = 16384};
    uint32_t tokens = think->tokens ? think->tokens : usual[think->level];

    if (!raised)
        return tokens;
    return tokens ? 2 * tokens : RAISED_TOKENS;
}

void llm_think_write(const LlmThink *think, bool ollama, bool templates, Json *json)
{
    if (think->level == THINK_UNSAID)
        return;
    if (ollama && think->level != THINK_OFF && !think->tokens)
        json_add_str(json, "think", str_of(names[think->level]));
    else if (ollama)
        json_add_bool(json, "think", think->level != THINK_OFF);
    else
        json_add_str(json, "reasoning_effort",
                     think->level == THINK_OFF ? STR("none") : str_of(names[think->level]));
    if (ollama || !templates || think->level != THINK_OFF)
        return;
    json_key(json, STR("chat_template_kwargs"));
    json_open(json, '{');
    json_add_bool(json, "enable_thinking", false);
    json_close(json);
}

/* Templates that open the thoughts themselves show only their end; an answer that quotes it is JSON
 * and begins with a brace. */
Str llm_think_answer(Str content)
{
    Str text = str_trim(content), end = STR("</think>");

    if (text.len && text.bytes[0] == '{')
        return text;
    for (size_t at = text.len; at >= end.len; at--)
        if (memcmp(text.bytes + at - end.len, end.bytes, end.len) == 0)
            return str_trim(str_part(text, at, text.len));
    return str_starts(text, STR("<think>")) ? (Str){"", 0} : text;
}

Str llm_think_thoughts(Str content)
{
    Str text = str_trim(content), answer = llm_think_answer(content);
    Str thoughts = str_part(text, 0, text.len - answer.len);

    if (str_starts(thoughts, STR("<think>")))
        thoughts = str_part(thoughts, strlen("<think>"), SIZE_MAX);
    thoughts = str_trim(thoughts);
    size_t end = strlen("</think>");
    if (thoughts.len >= end && memcmp(thoughts.bytes + thoughts.len - end, "</think>", end) == 0)
        thoughts.len -= end;
    return str_trim(thoughts);
}
