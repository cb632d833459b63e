/* What was found out about a server, for people. */
#include "llm/endpoint_text.h"

typedef struct Habit {
    size_t flag; /* offset in LlmDialect */
    const char *english;
    const char *japanese;
} Habit;

size_t llm_dialect_habits(const LlmDialect *dialect, bool japanese, const char **ret_texts,
                          size_t count)
{
    static const Habit habits[] = {
        {offsetof(LlmDialect, no_system), "takes no system message: it goes into the first user's",
         "システムメッセージを受け付けない。最初のユーザーのメッセージに入れて送る"},
        {offsetof(LlmDialect, new_limit), "wants max_completion_tokens in place of max_tokens",
         "max_tokensの代わりにmax_completion_tokensを求める"},
        {offsetof(LlmDialect, no_temperature), "takes no temperature", "temperatureを受け付けない"},
        {offsetof(LlmDialect, no_top_p), "takes no top_p", "top_pを受け付けない"},
        {offsetof(LlmDialect, no_seed), "takes no seed", "seedを受け付けない"},
        {offsetof(LlmDialect, no_stop), "takes no stop texts", "stopを受け付けない"},
        {offsetof(LlmDialect, no_think), "can't be told how long to think (think=)",
         "思考の長さ（think=）を指定できない"},
        {offsetof(LlmDialect, adaptive), "decides itself how long it thinks; think= is an effort",
         "思考の長さを自分で決める。think=は努力の度合いになる"},
        {offsetof(LlmDialect, raised),
         "needed more tokens than its answer may have, and has got them",
         "回答の上限より多くのトークンが必要だったので、増やした"},
        {offsetof(LlmDialect, streams), "answers in pieces (events), though that was not asked for",
         "頼んでいないのに分割（イベント）で答える"},
        {offsetof(LlmDialect, calls), "answers with the call of a tool",
         "ツールの呼び出しで答える"},
    };
    size_t found = 0;

    for (size_t i = 0; i < sizeof(habits) / sizeof(habits[0]); i++) {
        if (!*(const bool *)((const char *)dialect + habits[i].flag))
            continue;
        if (found < count)
            ret_texts[found] = japanese ? habits[i].japanese : habits[i].english;
        found++;
    }
    return found;
}
