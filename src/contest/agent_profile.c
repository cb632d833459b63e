#include "contest/agent_profile.h"

#include "base/suggest.h"
#include "cell/profile.h"

int agent_profile_read(PlanAgent *agent, Str word, Err *err)
{
    CLEANUP(buf_done) Buf names = {0};
    const CellProfile *profile = cell_profile(word);
    Suggest near = {.word = word};

    if (profile) {
        agent->profile = profile->name;
        return 0;
    }
    cell_profile_names(&names);
    for (Str rest = buf_str(&names); rest.len;)
        suggest_offer(&near, str_trim(str_cut(&rest, ',')));
    Str best = suggest_best(&near);
    return err_set(err, ERR_USAGE, "profile: '%.*s' is none of %s%s%.*s%s",
                   STR_ARG(str_part(word, 0, 64)), buf_cstr(&names),
                   best.len ? "; did you mean '" : "", STR_ARG(best), best.len ? "'?" : "");
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
    CLEANUP(buf_done) Buf command = {0};

    cell_profile_command(cell_profile(str_of(agent->profile)), agent->entry, &command);
    agent->command = buf_failed(&command) ? NULL : plan_text(plan, buf_str(&command));
    return agent->command ? 0
                          : err_set(err, ERR_LIMIT, "agent %s: its command has more than %d bytes",
                                    agent->name, PLAN_TEXT_MAX);
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
