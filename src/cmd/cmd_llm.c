/* cmd_llm.c - `warg llm`: language models that are to play. docs/spec/maw.md 5.4. */
#include "cmd/cmd.h"
#include "llm/llm_check.h"
#include "llm/llm_key.h" /* LLM_KEY_VARIABLE */
#include "show/llm_check_output.h"

#include <stdio.h>

enum { MODEL, API, KEY_ENV, KEY_FILE, MAX_TOKENS, THINK, LANGUAGE, CONTEXT, TIMEOUT, JSON_OUT };
static const Option check_options[] = {
    [MODEL] = {"model", 'm', OPTION_TEXT, "NAME", "the model, as the server calls it", NULL, 0, 0},
    [API] = {"api", 'a', OPTION_CHOICE, "openai|ollama|anthropic",
             "how the server is spoken to; ollama is its own interface, /api/chat, anthropic is "
             "/v1/messages",
             "openai", 0, 0},
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
    [LANGUAGE] = {"language", 'l', OPTION_CHOICE, "en|ja",
                  "the language of the scene, and of what is advised", "en", 0, 0},
    [CONTEXT] =
        {"num-ctx", 0, OPTION_UINT, "TOKENS",
         "with --api ollama: the context to ask for, without it that of the model, 16384 at "
         "most",
         NULL, 512, 10000000},
    [TIMEOUT] = {"timeout", 't', OPTION_DURATION, "TIME", "the longest for one answer", "60s", 100,
                 600000},
    [JSON_OUT] = {"json", 0, OPTION_FLAG, NULL, "print what was found as JSON", NULL, 0, 0},
};

static int llm_check(int argc, char **argv, Err *err);

const Usage cmd_llm_usage[] = {
    {"llm check", "URL|SPEC",
     "Tries a language model's server: whether it answers, which ways to ask for JSON work, how\n"
     "large its context is, and how long three decisions of a game take; and names what stands in\n"
     "the way, with the next step. URL is the server's, as http://localhost:11434/v1; a SPEC, as\n"
     "where models are named to play, has more parts: URL,model=NAME,think=off. The key is that "
     "of\n"
     "--key-file, else of --key-env.",
     OPTIONS(check_options),
     "warg llm check http://localhost:11434 --api ollama --model llama3.1:8b\n"
     "warg llm check http://localhost:8080/v1 --model any\n"
     "warg llm check https://models.example.org/v1 --model large --key-env MODELS_KEY\n"
     "warg llm check "
     "https://models.example.org,model=large,api=anthropic,key-file=key.txt,rpm=50\n",
     "the model can't play", llm_check},
    {0},
};

/* ---- the command ---- */

/* The URL with its parts, and behind it what the options say. */
static int read_spec(const Options *given, LlmSpec *spec, Err *err)
{
    static const struct {
        size_t option;
        const char *part;
    } parts[] = {{MODEL, "model"},       {API, "api"},        {KEY_ENV, "key-env"},
                 {KEY_FILE, "key-file"}, {THINK, "think"},    {MAX_TOKENS, "max-tokens"},
                 {CONTEXT, "num-ctx"},   {TIMEOUT, "timeout"}};
    CLEANUP(buf_done) Buf text = {0};

    if (given->argument_count != 1)
        return err_set(err, ERR_USAGE, "expected one URL, found %d", given->argument_count);
    buf_add(&text, str_of(given->arguments[0]));
    for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++)
        if (options_has(given, parts[i].option))
            buf_printf(&text, ",%s=%s", parts[i].part, options_text(given, parts[i].option));
    if (buf_failed(&text))
        return err_set(err, ERR_MEMORY, "llm check: out of memory");
    if (!options_has(given, MODEL) && !strstr(buf_cstr(&text), ",model="))
        return err_set(err, ERR_USAGE, "llm check: expected --model NAME");
    int rc = llm_spec_read(buf_str(&text), spec, err);
    if (rc == 0 && spec->demo)
        rc = err_set(err, ERR_USAGE, "llm check: the demo model has no server; give a URL");
    return rc;
}

static int llm_check(int argc, char **argv, Err *err)
{
    CLEANUP(options_done) Options given = {0};
    CLEANUP(buf_done) Buf out = {0};
    CLEANUP(llm_check_done) LlmCheck check = {0};
    int go = options_parse(&cmd_llm_usage[0], argc, argv, &given, err);

    if (go <= 0)
        return go;
    int rc = read_spec(&given, &check.spec, err);
    check.language = options_number(&given, LANGUAGE) ? LLM_JAPANESE : LLM_ENGLISH;
    check.limit_ms = (uint32_t)options_number(&given, TIMEOUT);
    check.tell = options_has(&given, JSON_OUT) ? NULL : llm_check_tell_text;
    if (rc == 0)
        rc = llm_check_run(&check, loop_now(), err);
    if (rc)
        return rc;
    if (options_has(&given, JSON_OUT)) {
        llm_check_write_json(&check, &out);
        if (buf_failed(&out))
            return err_set(err, ERR_MEMORY, "llm check: out of memory");
        fputs(buf_cstr(&out), stdout);
    } else {
        llm_check_print_end(&check);
    }
    return llm_check_usable(&check) ? 0 : EXIT_DISAGREE;
}

int cmd_llm(int argc, char **argv, Err *err)
{
    return options_run_verb("llm", cmd_llm_usage, argc, argv, err);
}
