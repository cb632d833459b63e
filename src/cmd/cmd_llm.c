/* cmd_llm.c - `warg llm`: language models that are to play. docs/spec/maw.md 5.4. */
#include "base/json.h"
#include "base/utf8.h"
#include "cmd/cmd.h"
#include "llm/llm_check.h"
#include "llm/llm_key.h"

#include <stdio.h>

enum { MODEL, API, KEY_ENV, KEY_FILE, MAX_TOKENS, THINK, LANGUAGE, CONTEXT, TIMEOUT, JSON_OUT };
static const Option check_options[] = {
    [MODEL] = {"model", 'm', OPTION_TEXT, "NAME", "the model, as the server calls it", NULL, 0, 0},
    [API] = {"api", 'a', OPTION_CHOICE, "openai|ollama",
             "how the server is spoken to; ollama is its own interface, /api/chat", "openai", 0, 0},
    [KEY_ENV] = {"key-env", 'k', OPTION_TEXT, "NAME",
                 "the environment variable with the key; without it " LLM_KEY_VARIABLE
                 " if it is set",
                 NULL, 0, 0},
    [KEY_FILE] = {"key-file", 0, OPTION_TEXT, "FILE", "a file with the key in its first line", NULL,
                  0, 0},
    [MAX_TOKENS] = {"max-tokens", 0, OPTION_UINT, "N",
                    "the most of an answer, without what is thought before", NULL, 1, 100000},
    [THINK] = {"think", 0, OPTION_TEXT, "off|low|medium|high|TOKENS",
               "how long a model that thinks may; without it as the server likes", NULL, 0, 0},
    [LANGUAGE] = {"language", 'l', OPTION_CHOICE, "en|ja", "the language of the scene", "en", 0, 0},
    [CONTEXT] = {"num-ctx", 0, OPTION_UINT, "TOKENS", "with --api ollama: the context to ask for",
                 "8192", 512, 10000000},
    [TIMEOUT] = {"timeout", 't', OPTION_DURATION, "TIME", "the longest for one answer", "60s", 100,
                 600000},
    [JSON_OUT] = {"json", 0, OPTION_FLAG, NULL, "print what was found as JSON", NULL, 0, 0},
};

static int llm_check(int argc, char **argv, Err *err);

const Usage cmd_llm_usage[] = {
    {"llm check", "URL",
     "Tries a language model's server: whether it answers, which ways to ask for JSON work, how\n"
     "large its context is, and how long three decisions of a game take. URL is the server's, as\n"
     "http://localhost:11434/v1. The key is that of --key-file, else of --key-env.",
     OPTIONS(check_options),
     "warg llm check http://localhost:11434 --api ollama --model llama3.1:8b\n"
     "warg llm check http://localhost:8080/v1 --model any\n"
     "warg llm check https://models.example.org/v1 --model large --key-env MODELS_KEY\n",
     "the model can't play", llm_check},
    {0},
};

/* ---- as text ---- */

static const char *const json_names[] = {
    [LLM_JSON_SCHEMA] = "schema", [LLM_JSON_OBJECT] = "object", [LLM_JSON_NONE] = "none"};
static const char *const mode_names[] = {
    [MODE_NOT_TRIED] = "not tried", [MODE_REFUSED] = "the server does not take it",
    [MODE_SILENT] = "no answer",    [MODE_USELESS] = "an answer, but no decision",
    [MODE_DECISION] = "works",
};
static const char *const source_names[] = {
    [SOURCE_MODEL] = "the model",
    [SOURCE_REPAIRED] = "the model, at the second try",
    [SOURCE_FALLBACK] = "a rule in the model's place",
    [SOURCE_DEMO] = "the demo model",
};
static const char *const action_names[] = {
    [LLM_LISTEN] = "listen", [LLM_SPEAK] = "speak", [LLM_VOTE] = "vote"};

static void print_modes(const LlmCheck *check)
{
    printf("JSON by schema    %s\n", mode_names[check->modes[LLM_JSON_SCHEMA]]);
    printf("JSON as object    %s\n", mode_names[check->modes[LLM_JSON_OBJECT]]);
    printf("no JSON mode      %s\n", mode_names[check->modes[LLM_JSON_NONE]]);
    if (check->context)
        printf("context           %u tokens\n", check->context);
    else
        printf("context           the server does not tell\n");
}

static void print_decision(const LlmCheckDecision *slot)
{
    CLEANUP(buf_done) Buf text = {0};
    const LlmDecision *decision = &slot->decision;

    if (decision->action == LLM_SPEAK)
        utf8_add_printable(str_of(decision->message), 200, &text);
    else
        utf8_add_printable(str_of(decision->target), 100, &text);
    printf("%6.2f s  %s: %s%s%s\n", (double)slot->took / 1e6, source_names[slot->source],
           action_names[decision->action], text.len ? " " : "", buf_cstr(&text));
}

/* As results come in: a model may need a minute for each. */
static void tell_text(const LlmCheck *check, void *user)
{
    (void)user;
    if (check->outcome != LLM_ANSWERED)
        return;
    if (check->decision_count)
        print_decision(&check->decisions[check->decision_count - 1]);
    else if (check->modes[LLM_JSON_SCHEMA] == MODE_NOT_TRIED)
        printf("it answers\n");
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

static void print_end(const LlmCheck *check)
{
    const char *advice = llm_check_advice(check);

    if (check->outcome != LLM_ANSWERED)
        printf("no answer: %s\n", buf_cstr(&check->why));
    else
        printf("%u of %u decisions are the model's; %.2f s each\n", check->by_model,
               check->decision_count, mean_seconds(check));
    if (advice[0])
        printf("%s: %s\n", llm_check_usable(check) ? "note" : "next step", advice);
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

static void write_json(const LlmCheck *check, Buf *out)
{
    Json json = json_over(out);

    json_open(&json, '{');
    json_add_bool(&json, "usable", llm_check_usable(check));
    json_add_str(&json, "model", str_of(check->setup.model));
    json_add_bool(&json, "answers", check->outcome == LLM_ANSWERED);
    json_add_str(&json, "error", buf_str(&check->why));
    json_add_str(&json, "advice", str_of(llm_check_advice(check)));
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

/* ---- the command ---- */

static int make_check(const Options *given, const Buf *key, LlmCheck *check, Err *err)
{
    if (given->argument_count != 1)
        return err_set(err, ERR_USAGE, "expected one URL, found %d", given->argument_count);
    if (!options_has(given, MODEL))
        return err_set(err, ERR_USAGE, "llm check: expected --model NAME");
    check->setup = (LlmEndpointSetup){
        .url = given->arguments[0],
        .model = options_text(given, MODEL),
        .key = key->len ? buf_cstr(key) : NULL,
        .api = options_number(given, API) ? LLM_OLLAMA : LLM_OPENAI,
        .num_ctx = (uint32_t)options_number(given, CONTEXT),
        .max_answer_tokens =
            options_has(given, MAX_TOKENS) ? (uint32_t)options_number(given, MAX_TOKENS) : 0,
        .temperature = -1,
        .seed = 1,
    };
    const char *think = options_text(given, THINK);
    if (think && !llm_think_read(str_of(think), &check->setup.think))
        return err_set(err, ERR_USAGE,
                       "--think: expected off, low, medium, high or a number of tokens, found '%s'",
                       think);
    check->language = options_number(given, LANGUAGE) ? LLM_JAPANESE : LLM_ENGLISH;
    check->limit_ms = (uint32_t)options_number(given, TIMEOUT);
    check->tell = options_has(given, JSON_OUT) ? NULL : tell_text;
    return 0;
}

static int llm_check(int argc, char **argv, Err *err)
{
    CLEANUP(options_done) Options given = {0};
    CLEANUP(buf_done) Buf key = {0};
    CLEANUP(buf_done) Buf out = {0};
    CLEANUP(llm_check_done) LlmCheck check = {0};
    int go = options_parse(&cmd_llm_usage[0], argc, argv, &given, err);

    if (go <= 0)
        return go;
    int rc = llm_key_find(options_text(&given, KEY_ENV), options_text(&given, KEY_FILE),
                          given.argument_count ? given.arguments[0] : "", &key, err);
    if (rc == 0)
        rc = make_check(&given, &key, &check, err);
    if (rc == 0)
        rc = llm_check_run(&check, loop_now(), err);
    if (rc)
        return rc;
    if (options_has(&given, JSON_OUT)) {
        write_json(&check, &out);
        if (buf_failed(&out))
            return err_set(err, ERR_MEMORY, "llm check: out of memory");
        fputs(buf_cstr(&out), stdout);
    } else {
        print_end(&check);
    }
    return llm_check_usable(&check) ? 0 : EXIT_DISAGREE;
}

int cmd_llm(int argc, char **argv, Err *err)
{
    return options_run_verb("llm", cmd_llm_usage, argc, argv, err);
}
