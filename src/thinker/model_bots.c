#include "thinker/model_bots.h"

int model_bots_open(Loop *loop, const char *spec, ModelBots *bots, Err *err)
{
    int rc = llm_spec_read(str_of(spec), &bots->spec, err);

    bots->loop = loop;
    if (rc == 0)
        rc = llm_models_new(loop, &bots->models, err);
    if (rc == 0)
        rc = llm_models_endpoint(bots->models, &bots->spec, &bots->setup.endpoint, err);
    bots->setup.persona = str_of(bots->spec.persona);
    bots->setup.manner = bots->spec.manner;
    return rc;
}

void model_bots_done(ModelBots *bots)
{
    bots->models = llm_models_free(bots->models);
}

int model_bots_add(const ModelBots *bots, uint64_t seed,
                   void (*answer)(void *user, const Ask *ask, const Answer *answer), void *user,
                   ModelAgent **ret_agent, Err *err)
{
    ModelAgentSetup setup = bots->setup;

    setup.seed = seed;
    setup.answer = answer;
    setup.user = user;
    return model_agent_new(loop_alarms(bots->loop), &setup, ret_agent, err);
}
