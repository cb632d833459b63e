#include "contest/agent_model.h"

#include "llm/llm_arg.h"
#include "llm/llm_key.h"

#include <limits.h>
#include <unistd.h>

#define OPINIONS_WORD " -n {name} --opinions " /* the end of a command of ours */

/* One word of the shell. What looks like {host} there must not be filled in. */
static void add_word(Str text, Buf *out)
{
    buf_add_char(out, '\'');
    for (size_t i = 0; i < text.len; i++) {
        if (text.bytes[i] == '\'')
            buf_add(out, STR("'\\''"));
        else
            buf_add_char(out, text.bytes[i]);
        if (text.bytes[i] == '{')
            buf_add(out, STR("''"));
    }
    buf_add_char(out, '\'');
}

/* The program that runs now plays, as an agent of its own. */
static int model_command(Str spec, Buf *out, Err *err)
{
    char path[PATH_MAX];
    ssize_t bytes = readlink("/proc/self/exe", path, sizeof(path));

    if (bytes <= 0 || bytes == (ssize_t)sizeof(path))
        return err_set(err, ERR_IO, "llm: can't find out where this program is");
    add_word((Str){path, (size_t)bytes}, out);
    buf_add(out, STR(" bot aiwolf --llm "));
    add_word(spec, out);
    buf_add(out, STR(" --tell -h {host} -p {port} -n {name}"));
    return buf_failed(out) ? err_set(err, ERR_MEMORY, "llm: out of memory") : 0;
}

/* It is our own program, and gets its keys and what libcurl needs to find its server. */
static void model_variables(const LlmSpec *model, Buf *out)
{
    buf_add(out, STR("http_proxy https_proxy HTTPS_PROXY all_proxy ALL_PROXY no_proxy NO_PROXY "
                     "SSL_CERT_FILE SSL_CERT_DIR CURL_CA_BUNDLE " LLM_KEY_VARIABLE));
    if (model->key_env[0])
        buf_printf(out, " %s", model->key_env);
    for (uint32_t i = 0; i < model->header_count; i++)
        if (model->headers[i].from == HEADER_ENV)
            buf_printf(out, " %s", model->headers[i].value);
}

int agent_model_fill(Plan *plan, Str spec, PlanAgent *agent, Err *err)
{
    CLEANUP(buf_done) Buf command = {0};
    CLEANUP(buf_done) Buf env = {0};
    LlmSpec model;
    int rc = llm_spec_read(spec, &model, err);

    if (rc == 0 && !agent->name[0]) {
        rc = plan_agent_name(agent, model.demo ? STR("demo") : str_of(model.model), NULL);
        if (rc) /* the model's name is none for a table */
            rc = plan_agent_name(agent, STR("llm"), err);
    }
    if (rc == 0)
        rc = model_command(spec, &command, err);
    if (rc)
        return rc;
    agent->model = !model.demo;
    agent->model_name = plan_text(plan, model.demo ? STR("demo") : str_of(model.model));
    model_variables(&model, &env);
    agent->env = plan_text(plan, buf_str(&env));
    agent->tells = true;
    agent->command = plan_text(plan, buf_str(&command));
    return agent->command && agent->env
               ? 0
               : err_set(err, ERR_LIMIT, "llm: its command has more than %d bytes", PLAN_TEXT_MAX);
}

/* A command of ours without what was said of opinions before. */
static Str command_without(Str command)
{
    size_t at;

    return str_find(command, STR(OPINIONS_WORD), &at) ? str_part(command, 0, at) : command;
}

int agent_model_opinions(Plan *plan, LlmOpinions opinions, Err *err)
{
    uint32_t models = 0;

    for (uint32_t i = 0; i < plan->agent_count; i++) {
        PlanAgent *agent = &plan->agents[i];
        CLEANUP(buf_done) Buf command = {0};
        if (!agent->tells)
            continue;
        models++;
        buf_add(&command, command_without(str_of(agent->command)));
        if (opinions)
            buf_printf(&command, OPINIONS_WORD "%s", llm_opinions_name(opinions));
        agent->command = buf_failed(&command) ? NULL : plan_text(plan, buf_str(&command));
        if (!agent->command)
            return err_set(err, ERR_LIMIT, "llm: its command has more than %d bytes",
                           PLAN_TEXT_MAX);
    }
    return models || !opinions
               ? 0
               : err_set(err, ERR_USAGE, "opinions: no agent is a language model that warg starts");
}

/* ---- of a contest file ---- */

/* "max_tokens" is max-tokens: keys of contest files have no hyphens. */
static void add_key(Str key, Buf *out)
{
    for (size_t i = 0; i < key.len; i++)
        buf_add_char(out, key.bytes[i] == '_' ? '-' : key.bytes[i]);
}

/* One part of the text; only a persona, which is the last, may hold a comma. */
static int add_part(Str key, const YamlNode *value, Buf *out, Err *err)
{
    Str text;
    int rc = yaml_str(value, &text, err);

    if (rc)
        return rc;
    if (!text.len)
        return err_set_at(err, ERR_SYNTAX, value->line, value->column, "key '%.*s': is empty",
                          STR_ARG(key));
    if (!str_eq(key, STR("persona")) && memchr(text.bytes, ',', text.len))
        return err_set_at(err, ERR_SYNTAX, value->line, value->column,
                          "key '%.*s': a comma can't stand here", STR_ARG(key));
    if (!str_eq(key, STR("url"))) {
        buf_add_char(out, ',');
        add_key(key, out);
        buf_add_char(out, '=');
    }
    buf_add(out, text);
    return 0;
}

/* What may stand several times is a list. */
static int add_parts(const YamlNode *node, Buf *out, Err *err)
{
    int rc = 0;

    if (node->kind != YAML_LIST)
        return add_part(node->key, node, out, err);
    for (const YamlNode *one = node->first; one && rc == 0; one = one->next)
        rc = add_part(node->key, one, out, err);
    return rc;
}

void agent_model_needs_own(Plan *plan, bool trial)
{
    for (uint32_t i = 0; i < plan->agent_count; i++)
        plan->own_sets |= plan->agents[i].model && !trial;
}

int agent_model_text(const YamlNode *node, Buf *out, Err *err)
{
    const YamlNode *url = yaml_get(node, "url"), *persona = yaml_get(node, "persona");
    Str text;
    int rc = 0;

    if (node->kind == YAML_SCALAR) {
        rc = yaml_str(node, &text, err);
        buf_add(out, rc ? STR("") : text);
        return rc;
    }
    rc = yaml_expect(node, YAML_MAP, err);
    if (rc == 0 && !url)
        rc = err_set_at(err, ERR_SYNTAX, node->line, node->column,
                        "llm: expected the 'url' of a server, as in {url: "
                        "http://localhost:11434/v1, model: llama3.1}");
    if (rc == 0)
        rc = add_parts(url, out, err);
    for (const YamlNode *key = node->first; key && rc == 0; key = key->next)
        if (key != url && key != persona)
            rc = add_parts(key, out, err);
    if (rc == 0 && persona)
        rc = add_parts(persona, out, err);
    return rc == 0 && buf_failed(out) ? err_set(err, ERR_MEMORY, "llm: out of memory") : rc;
}
