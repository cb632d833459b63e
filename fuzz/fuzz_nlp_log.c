/* fuzz_nlp_log.c - any bytes as a log of the natural-language division, lines or JSON: reading,
 * checking, counting and showing must end, and in peace. */
#include "record/log_known.h"
#include "record/log_result.h"
#include "record/nlp_check.h"
#include "show/log_show.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void show(const LogGame *log)
{
    CLEANUP(mem_freep) SeatSet *known = mem_new((log->count + 1) * sizeof(*known));
    CLEANUP(buf_done) Buf out = {0};
    ShowOptions options = {.seat = log->seat_count, .reveal = true, .color = true};

    if (!known)
        return;
    log_known_guess(log, known);
    log_show(log, known, &options, &out);
}

static void check(const LogGame *log, const Ruleset *rules)
{
    NlpFinding finding;

    nlp_check(log, rules, &finding);
    if (!finding.ok && (finding.line == 0 || !finding.reason[0]))
        __builtin_trap();
    if (finding.ok && log->lines[log->count - 1].kind != LOG_RESULT)
        __builtin_trap();
}

static void use(const LogGame *log)
{
    static const char *const presets[] = {"nlp-turn", "nlp-anytime"};
    GameResult result;
    Ruleset rules;

    check(log, NULL);
    for (size_t i = 0; i < 2; i++)
        if (ruleset_preset(str_of(presets[i]), &rules, NULL) == 0)
            check(log, &rules);
    log_result(log, &result, NULL);
    show(log);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    Str text = {(const char *)data, size};
    CLEANUP(log_game_done) LogGame lines = {0};
    CLEANUP(log_game_done) LogGame any = {0};

    if (log_game_read_of(LOG_FORM_NLP, text, &lines, NULL) == 0)
        use(&lines);
    if (log_game_read(text, &any, NULL) == 0 && any.form == LOG_FORM_NLP)
        use(&any);
    return 0;
}
