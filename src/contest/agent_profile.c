#include "contest/agent_profile.h"

#include "base/suggest.h"

static const char *const profiles[] = {"java", "python", "native", "mono", "dotnet"};

int agent_profile_read(PlanAgent *agent, Str word, Err *err)
{
    Suggest near = {.word = word};

    for (size_t i = 0; i < sizeof(profiles) / sizeof(profiles[0]); i++) {
        if (str_eq(word, str_of(profiles[i]))) {
            agent->profile = profiles[i];
            return 0;
        }
        suggest_offer(&near, str_of(profiles[i]));
    }
    Str best = suggest_best(&near);
    return err_set(err, ERR_USAGE,
                   "profile: '%.*s' is none of java, python, native, mono, dotnet%s%.*s%s",
                   STR_ARG(str_part(word, 0, 64)), best.len ? "; did you mean '" : "",
                   STR_ARG(best), best.len ? "'?" : "");
}

/* Neither absolute nor with a part "..". */
static bool is_inside(Str path)
{
    if (!path.len || path.bytes[0] == '/' || memchr(path.bytes, '\0', path.len))
        return false;
    while (path.len)
        if (str_eq(str_cut(&path, '/'), STR("..")))
            return false;
    return true;
}

int agent_profile_entry(Plan *plan, PlanAgent *agent, Str text, Err *err)
{
    if (!is_inside(text))
        return err_set(err, ERR_USAGE,
                       "entry: expected a file of the agent's folder, or a class of java's, found "
                       "'%.*s'",
                       STR_ARG(str_part(text, 0, 64)));
    agent->entry = plan_text(plan, text);
    return agent->entry ? 0 : err_set(err, ERR_LIMIT, "entry: longer than %d bytes", PLAN_TEXT_MAX);
}

/* The one place where a command is made of profile and entry. */
static int make_command(Plan *plan, PlanAgent *agent, Err *err)
{
    (void)plan;
    return err_set(err, ERR_USAGE,
                   "agent %s: this build makes no command of profile %s and entry %s; give the "
                   "command itself",
                   agent->name, agent->profile, agent->entry);
}

int agent_profile_finish(Plan *plan, PlanAgent *agent, Err *err)
{
    if (agent->entry && !agent->profile)
        return err_set(err, ERR_USAGE,
                       "agent %s: an entry is started by a runtime; say which with its profile: "
                       "java, python, native, mono or dotnet",
                       agent->name);
    return agent->entry && !agent->command ? make_command(plan, agent, err) : 0;
}
