/* What the environment changes in a configuration: docs/spec/nlp-division.md 7.5. */
#include "nlp/config_draft.h"

/* An empty variable is none, as in the Go server. */
static const char *variable_of(const ConfigDraft *draft, const char *name)
{
    const char *value = draft->get ? draft->get(draft->user, name) : NULL;

    return value && value[0] ? value : NULL;
}

/* Of the two sets the longer names win: other programs know a HOST, too. */
static const char *either_variable(const ConfigDraft *draft, const char **name, const char *other)
{
    const char *value = variable_of(draft, *name);

    if (value)
        return value;
    *name = other;
    return variable_of(draft, other);
}

static int take_text(ConfigDraft *draft, const char *name, const char **ret_text, Err *err)
{
    const char *value = variable_of(draft, name);

    return value ? config_cstr(draft, NULL, name, str_of(value), ret_text, err) : 0;
}

static int take_port(ConfigDraft *draft, Err *err)
{
    const char *name = "AIWOLF_PORT";
    const char *value = either_variable(draft, &name, "PORT");
    uint64_t port;

    if (!value)
        return 0;
    if (!str_to_uint(str_of(value), 65535, &port))
        return err_set(err, ERR_SYNTAX,
                       "environment variable %s: expected a port from 0 to 65535, but got '%.60s'",
                       name, value);
    draft->config.port = (uint16_t)port;
    return 0;
}

/* The words of Go's strconv.ParseBool. */
static int take_authentication(ConfigDraft *draft, Err *err)
{
    static const char *const yes[] = {"1", "t", "T", "true", "TRUE", "True"};
    static const char *const no[] = {"0", "f", "F", "false", "FALSE", "False"};
    const char *value = variable_of(draft, "AIWOLF_AUTH_ENABLE");

    if (!value)
        return 0;
    for (size_t i = 0; i < sizeof(yes) / sizeof(yes[0]); i++)
        if (strcmp(value, yes[i]) == 0 || strcmp(value, no[i]) == 0) {
            draft->config.authentication = strcmp(value, yes[i]) == 0;
            return 0;
        }
    return err_set(err, ERR_SYNTAX,
                   "environment variable AIWOLF_AUTH_ENABLE: expected true or false, but got "
                   "'%.60s'",
                   value);
}

static int take_secret(ConfigDraft *draft, Err *err)
{
    Config *config = &draft->config;
    const char *secret = NULL;
    int rc = take_text(draft, "SECRET_KEY", &secret, err);

    config->secret_key = str_of(secret);
    if (rc)
        return rc;
    if (config->authentication && !secret)
        return config_refuse(draft, ERR_RULE, "server.authentication.enable", err,
                             "server.authentication.enable is true, but SECRET_KEY is not set; "
                             "write SECRET_KEY=... into .env, or set it to false");
    return 0;
}

int config_environment(ConfigDraft *draft, Err *err)
{
    Config *config = &draft->config;
    const char *host = "AIWOLF_HOST";
    const struct {
        const char *name;
        const char **at;
    } texts[] = {
        {either_variable(draft, &host, "HOST") ? host : "HOST", &config->host},
        {"AIWOLF_JSON_LOG_DIR", &config->json_logger.output_dir},
        {"AIWOLF_GAME_LOG_DIR", &config->game_logger.output_dir},
        {"AIWOLF_REALTIME_DIR", &config->realtime.output_dir},
        {"AIWOLF_TTS_HOST", &config->speech.host},
        {"AIWOLF_MATCH_OUTPUT", &config->matching.output_path},
        {"OPENAI_API_KEY", &config->dynamic.api_key},
        {"OPENAI_BASE_URL", &config->dynamic.endpoint},
        {"SLACK_WEBHOOK_URL", &config->notifier.webhook_url},
    };
    int rc = 0;

    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]) && rc == 0; i++)
        rc = take_text(draft, texts[i].name, texts[i].at, err);
    if (rc == 0)
        rc = take_port(draft, err);
    if (rc == 0)
        rc = take_authentication(draft, err);
    return rc ? rc : take_secret(draft, err);
}
