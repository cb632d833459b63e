/* warg.hosts and warg.origins: which pages in a browser may use the server. */
#include "nlp/config_draft.h"

#include "net/web_gate.h"

static int read_list(ConfigDraft *draft, const char *path, int (*check)(Str text, Err *err),
                     const Str **ret_texts, uint32_t *ret_count, Err *err)
{
    const YamlNode *list = config_node(draft, path);
    const YamlNode *item = list ? list->first : NULL;
    Err why = {0};

    if (!list)
        return 0;
    int rc = config_texts(draft, list, path, ret_texts, ret_count, err);
    for (uint32_t i = 0; rc == 0 && i < *ret_count; i++, item = item->next)
        if (check((*ret_texts)[i], &why))
            return err_set_at(err, ERR_SYNTAX, item->line, item->column, "%s: %s", path, why.msg);
    return rc;
}

int config_web(ConfigDraft *draft, Err *err)
{
    Config *config = &draft->config;
    int rc = read_list(draft, "warg.hosts", web_gate_host_check, &config->hosts,
                       &config->host_count, err);

    if (rc == 0)
        rc = read_list(draft, "warg.origins", web_gate_origin_check, &config->origins,
                       &config->origin_count, err);
    return rc;
}
