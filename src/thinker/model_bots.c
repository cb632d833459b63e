#include "thinker/model_bots.h"

#include "disk/folder.h"
#include "seat/agent_command.h"

#include <fcntl.h>
#include <unistd.h>

#define LINK_BYTES 4096

int model_bots_open(Loop *loop, const char *spec, ModelBots *bots, Err *err)
{
    int rc = llm_spec_read(str_of(spec), &bots->spec, err);

    bots->loop = loop;
    if (rc == 0)
        rc = llm_models_new(loop, &bots->models, err);
    if (rc == 0 && bots->answers)
        llm_models_mute(bots->models);
    else if (rc == 0 && bots->budget)
        rc = llm_models_budget(bots->models, bots->budget, bots->prices, bots->tell,
                               bots->tell_user, err);
    if (rc == 0)
        rc = llm_models_endpoint(bots->models, &bots->spec, &bots->setup.endpoint, err);
    bots->setup.persona = str_of(bots->spec.persona);
    bots->setup.manner = bots->spec.manner;
    if (!bots->setup.manner.opinions)
        bots->setup.manner.opinions = bots->opinions;
    return rc;
}

void model_bots_done(ModelBots *bots)
{
    bots->models = llm_models_free(bots->models);
}

static bool is_descriptor(const char *folder)
{
    return strcmp(folder, "-") == 0;
}

/* FOLDER/NAME.jsonl, or FOLDER/WITHIN/NAME.jsonl. */
static int player_path(const char *folder, const char *within, const char *name, Buf *out, Err *err)
{
    buf_printf(out, "%s/%s", folder, within);
    agent_command_add_file_name(name, out);
    buf_add(out, STR(".jsonl"));
    return buf_failed(out) ? err_set(err, ERR_MEMORY, "model players: out of memory") : 0;
}

static int load_answers(const ModelBots *bots, const char *name, LlmAnswers **ret, Err *err)
{
    CLEANUP(buf_done) Buf path = {0};
    char file[LINK_BYTES];

    if (!is_descriptor(bots->answers)) {
        int rc = player_path(bots->answers, "", name, &path, err);
        return rc ? rc : llm_answers_load(buf_cstr(&path), ret, err);
    }
    const ssize_t bytes = readlink("/proc/self/fd/0", file, sizeof(file) - 1);
    file[bytes > 0 ? bytes : 0] = '\0';
    return llm_answers_load_from(STDIN_FILENO, bytes > 0 ? file : "-", ret, err);
}

static int copy_descriptor(int *ret_file, Err *err)
{
    *ret_file = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3);
    return *ret_file < 0 ? err_set(err, ERR_IO, "descriptor 0 can't be written to") : 0;
}

/* Who started us by hand, without such a file, wants nothing kept. */
static int keep_in_descriptor(const ModelBots *bots, ModelAgentSetup *setup, Err *err)
{
    const int flags = fcntl(STDIN_FILENO, F_GETFL);
    int file = -1;

    if (flags < 0 || (flags & O_ACCMODE) != O_WRONLY)
        return 0;
    int rc = copy_descriptor(&file, err);
    if (rc == 0)
        rc = llm_answers_keep_in(file, "-", &setup->take_answers, err);
    if (rc || !bots->record_prompts || !setup->endpoint)
        return rc;
    rc = copy_descriptor(&file, err);
    return rc ? rc
              : prompt_log_open_in(file, str_of(llm_endpoint_model(setup->endpoint)),
                                   &setup->take_prompts, err);
}

static int keep_answers(const ModelBots *bots, const char *name, ModelAgentSetup *setup, Err *err)
{
    CLEANUP(buf_done) Buf path = {0};
    CLEANUP(buf_done) Buf prompts = {0};

    if (is_descriptor(bots->record))
        return keep_in_descriptor(bots, setup, err);
    int rc = player_path(bots->record, "", name, &path, err);
    if (rc == 0)
        rc = folder_make_for(buf_cstr(&path), err);
    if (rc == 0)
        rc = llm_answers_keep(buf_cstr(&path), &setup->take_answers, err);
    if (rc || !bots->record_prompts || !setup->endpoint)
        return rc;
    rc = player_path(bots->record, "prompts/", name, &prompts, err);
    if (rc == 0)
        rc = folder_make_for(buf_cstr(&prompts), err);
    return rc ? rc
              : prompt_log_open(buf_cstr(&prompts), str_of(llm_endpoint_model(setup->endpoint)),
                                &setup->take_prompts, err);
}

int model_bots_add(ModelBots *bots, const char *name, uint64_t seed,
                   void (*answer)(void *user, const Ask *ask, const Answer *answer), void *user,
                   ModelAgent **ret_agent, Err *err)
{
    ModelAgentSetup setup = bots->setup;
    int rc = 0;

    setup.seed = seed;
    setup.answer = answer;
    setup.user = user;
    if (bots->answers)
        rc = load_answers(bots, name, &setup.take_answers, err);
    else if (bots->record)
        rc = keep_answers(bots, name, &setup, err);
    if (rc) {
        llm_answers_free(setup.take_answers);
        return rc;
    }
    if (bots->answers) {
        llm_answers_seed(setup.take_answers, &setup.seed);
        setup.manner.opinions = llm_answers_opinions(setup.take_answers);
    }
    return model_agent_new(bots->loop ? loop_alarms(bots->loop) : &bots->silent, &setup, ret_agent,
                           err);
}
