#include "contest/agent_spec.h"

#include "base/suggest.h"
#include "contest/agent_model.h"
#include "contest/agent_profile.h"
#include "contest/contest_file.h"
#include "seat/agent_command.h"
#include "seat/agent_environment.h"

#include <errno.h>
#include <unistd.h>

#define MODEL_LIMIT_MS 1000 /* with less for an answer a warning is due */

static int unknown_bot(Str kind, Err *err)
{
    Suggest near = {.word = kind};
    char list[256] = "";
    size_t used = 0;

    for (size_t i = 0; bot_kind_at(i) && used < sizeof(list); i++) {
        used += (size_t)snprintf(list + used, sizeof(list) - used, "%sbot:%s", i ? ", " : "",
                                 bot_kind_at(i)->name);
        suggest_offer(&near, str_of(bot_kind_at(i)->name));
    }
    Str best = suggest_best(&near);
    if (best.len)
        return err_set(err, ERR_USAGE, "no bot is called '%.*s'; did you mean 'bot:%.*s'?",
                       STR_ARG(str_part(kind, 0, 64)), STR_ARG(best));
    return err_set(err, ERR_USAGE, "no bot is called '%.*s'; there are %s",
                   STR_ARG(str_part(kind, 0, 64)), list);
}

/* Takes "*14" off the end of `*text`; 1 without it. */
static int take_copies(Str *text, uint64_t *ret_copies, Err *err)
{
    size_t star = text->len;

    while (star > 0 && text->bytes[star - 1] != '*')
        star--;
    *ret_copies = 1;
    if (star == 0)
        return 0;
    Str number = str_part(*text, star, text->len);
    if (!str_to_uint(number, SEAT_MAX, ret_copies) || *ret_copies == 0)
        return err_set(err, ERR_USAGE, "expected 1 to %d copies behind '*', found '%.*s'", SEAT_MAX,
                       STR_ARG(str_part(number, 0, 32)));
    *text = str_part(*text, 0, star - 1);
    return 0;
}

static int add_copies(Plan *plan, const PlanAgent *agent, uint64_t copies, Err *err)
{
    int rc = 0;

    for (uint64_t i = 0; i < copies && rc == 0; i++)
        rc = plan_add_agent(plan, agent, err);
    return rc;
}

static int add_bot(Plan *plan, Str spec, Err *err)
{
    PlanAgent agent = {0};
    uint64_t copies = 1, more = 1;
    Str settings = spec;
    Str kind = str_cut(&settings, ',');
    Str name = {0};

    if (!str_starts(kind, STR("bot:")))
        return err_set(
            err, ERR_USAGE,
            "expected an agent such as bot:sample, bot:random*3, llm:demo, cmd=COMMAND or "
            "a file FILE.yml, found '%.*s'",
            STR_ARG(str_part(spec, 0, 64)));
    kind = str_part(kind, 4, kind.len);
    int rc = take_copies(&kind, &copies, err);
    if (rc == 0 && settings.len)
        rc = take_copies(&settings, &more, err);
    if (rc)
        return rc;
    agent.bot = bot_kind(kind);
    if (!agent.bot)
        return unknown_bot(kind, err);
    while (settings.len) {
        Str setting = str_cut(&settings, ',');
        if (!str_starts(setting, STR("name=")))
            return err_set(err, ERR_USAGE, "expected name=NAME behind '%.*s,', found '%.*s'",
                           STR_ARG(kind), STR_ARG(str_part(setting, 0, 64)));
        name = str_part(setting, 5, setting.len);
        if (!name.len)
            return err_set(err, ERR_USAGE, "name= is empty");
    }
    rc = plan_agent_name(&agent, name.len ? name : kind, err);
    return rc ? rc : add_copies(plan, &agent, copies * more, err);
}

/* "copies=3,": its value, when the text begins with the key. */
static bool take_setting(Str *text, Str key, Str *ret_value)
{
    if (!str_starts(*text, key))
        return false;
    *text = str_part(*text, key.len, text->len);
    *ret_value = str_cut(text, ',');
    return true;
}

/* All behind "cmd=". */
static int take_command(Plan *plan, Str rest, PlanAgent *agent, Err *err)
{
    Str word, near;

    rest = str_trim(str_part(rest, 4, rest.len));
    if (!rest.len)
        return err_set(err, ERR_USAGE, "cmd= has no command behind it");
    if (agent_command_find_slip(rest, &word, &near))
        return err_set(err, ERR_USAGE,
                       "agent '%s': nothing is filled in for '{%.*s}' in its command; did you mean "
                       "'{%.*s}'?",
                       agent->name, STR_ARG(word), STR_ARG(near));
    agent->command = plan_text(plan, rest);
    return agent->command
               ? 0
               : err_set(err, ERR_LIMIT, "the command has more than %d bytes", PLAN_TEXT_MAX);
}

static int add_outside(Plan *plan, Str spec, Err *err)
{
    char usual[24];
    PlanAgent agent = {0};
    CLEANUP(buf_done) Buf env = {0};
    Str rest = spec;
    Str value;
    uint64_t copies = 1;
    int n = snprintf(usual, sizeof(usual), "agent%u", plan->agent_count + 1);
    int rc = plan_agent_name(&agent, (Str){usual, n > 0 ? (size_t)n : 0}, err);

    while (rc == 0 && !str_starts(rest, STR("cmd="))) {
        if (!rest.len && agent.entry)
            break;
        if (!rest.len)
            return err_set(err, ERR_USAGE,
                           "agent '%s' has no command; behind '%.*s' say how it is started, as in "
                           "cmd='python3 agent.py -p {port}'",
                           agent.name, STR_ARG(str_part(spec, 0, 64)));
        if (take_setting(&rest, STR("name="), &value))
            rc = plan_agent_name(&agent, value, err);
        else if (take_setting(&rest, STR("folder="), &value))
            agent.own_folder = (agent.folder = plan_text(plan, value)) != NULL;
        else if (take_setting(&rest, STR("profile="), &value))
            rc = agent_profile_read(&agent, value, err);
        else if (take_setting(&rest, STR("entry="), &value))
            rc = agent_profile_entry(plan, &agent, value, err);
        else if (take_setting(&rest, STR("env="), &value))
            rc = agent_environment_add_name(value, &env, err);
        else if (!take_setting(&rest, STR("copies="), &value))
            rc = err_set(err, ERR_USAGE,
                         "expected name=NAME, copies=N, folder=DIR, env=VARIABLE, profile=RUNTIME, "
                         "entry=FILE or cmd=COMMAND, found '%.*s'",
                         STR_ARG(str_part(rest, 0, 64)));
        else if (!str_to_uint(value, PLAN_AGENTS_MAX, &copies) || copies == 0)
            rc = err_set(err, ERR_USAGE, "expected copies=1 to %d, found '%.*s'", PLAN_AGENTS_MAX,
                         STR_ARG(str_part(value, 0, 32)));
    }
    if (rc == 0 && rest.len)
        rc = take_command(plan, rest, &agent, err);
    if (rc == 0)
        rc = agent_profile_finish(plan, &agent, err);
    if (rc)
        return rc;
    agent.env = env.len ? plan_text(plan, buf_str(&env)) : NULL;
    return agent.env || !env.len
               ? add_copies(plan, &agent, copies, err)
               : err_set(err, ERR_LIMIT, "env= has more than %d bytes", PLAN_TEXT_MAX);
}

/* ---- language models ---- */

/* What stands before the persona: parts for the plan are taken out, the others go to `spec`. A star
 * may stand behind any of them. */
static int read_model(Str head, PlanAgent *agent, uint64_t *copies, Buf *spec, Err *err)
{
    int rc = 0;

    while (head.len && rc == 0) {
        uint64_t more = 1, number = 1;
        Str part = str_cut(&head, ',');
        Str value, rest = part;
        rc = take_copies(&rest, &more, err);
        *copies *= more;
        part = rest;
        if (rc)
            return rc;
        if (take_setting(&rest, STR("name="), &value)) {
            rc = plan_agent_name(agent, value, err);
        } else if (take_setting(&rest, STR("copies="), &value)) {
            if (!str_to_uint(value, PLAN_AGENTS_MAX, &number) || number == 0)
                rc = err_set(err, ERR_USAGE, "expected copies=1 to %d, found '%.*s'",
                             PLAN_AGENTS_MAX, STR_ARG(str_part(value, 0, 32)));
            *copies *= number;
        } else {
            buf_add(spec, spec->len ? STR(",") : STR(""));
            buf_add(spec, part);
        }
    }
    return rc;
}

/* Where `part` begins; the end of the text when it isn't there. */
static size_t part_start(Str text, Str part)
{
    size_t at;

    return str_find(text, part, &at) ? at : text.len;
}

static int add_model(Plan *plan, Str text, Err *err)
{
    CLEANUP(buf_done) Buf spec = {0};
    PlanAgent agent = {0};
    uint64_t copies = 1;
    size_t persona = part_start(text, STR(",persona="));
    Str head = str_part(text, strlen("llm:"), persona - strlen("llm:"));
    int rc = read_model(head, &agent, &copies, &spec, err);

    buf_add(&spec, str_part(text, persona, text.len));
    if (rc == 0)
        rc = agent_model_fill(plan, buf_str(&spec), &agent, err);
    return rc ? rc : add_copies(plan, &agent, copies, err);
}

/* The first agent of `*rest`; a persona may hold blanks, and goes to the end. */
static Str cut_agent(Str *rest)
{
    Str whole = *rest, word = str_cut(rest, ' ');

    if (!str_starts(word, STR("llm:")) || part_start(word, STR(",persona=")) == word.len)
        return word;
    *rest = (Str){0};
    return whole;
}

/* A command without cmd= in front, which is known by the port that it wants. */
static int add_bare_command(Plan *plan, Str command, Err *err)
{
    CLEANUP(buf_done) Buf spec = {0};

    buf_add(&spec, STR("cmd="));
    buf_add(&spec, command);
    return buf_failed(&spec) ? err_set(err, ERR_MEMORY, "--agent: out of memory")
                             : add_outside(plan, buf_str(&spec), err);
}

static bool is_file(Str value)
{
    return (value.len > 4 && str_eq(str_part(value, value.len - 4, 4), STR(".yml"))) ||
           (value.len > 5 && str_eq(str_part(value, value.len - 5, 5), STR(".yaml")));
}

int agent_spec_add(Plan *plan, Str value, Err *err)
{
    Str rest = str_trim(value);
    int rc = 0;

    if (!rest.len)
        return err_set(err, ERR_USAGE, "--agent is empty; expected one such as bot:sample");
    if (str_starts(rest, STR("cmd=")) || str_starts(rest, STR("name=")) ||
        str_starts(rest, STR("copies=")) || str_starts(rest, STR("folder=")) ||
        str_starts(rest, STR("env=")) || str_starts(rest, STR("profile=")) ||
        str_starts(rest, STR("entry=")))
        return add_outside(plan, rest, err);
    if (is_file(rest))
        return contest_file_agents(plan, rest, err);
    if (!str_starts(rest, STR("bot:")) && !str_starts(rest, STR("llm:")) &&
        part_start(rest, STR("{port}")) < rest.len)
        return add_bare_command(plan, rest, err);
    while (rest.len && rc == 0) {
        Str one = cut_agent(&rest);
        rc = str_starts(one, STR("llm:")) ? add_model(plan, one, err) : add_bot(plan, one, err);
        rest = str_trim(rest);
    }
    return rc;
}

void agent_spec_warn(const Plan *plan, Buf *out)
{
    int32_t limit = plan->rules.contest.time_limit_ms;

    for (uint32_t i = 0; i < plan->agent_count; i++) {
        const PlanAgent *agent = &plan->agents[i];
        if (agent->command && !agent_command_has_port(str_of(agent->command))) {
            buf_printf(out,
                       "agent %s: its command has no {port}, without which the program can't know "
                       "where to connect to",
                       agent->name);
            return;
        }
        if (agent->model && limit > 0 && limit < MODEL_LIMIT_MS) {
            buf_printf(out,
                       "agent %s: %d ms are no time for a language model, rules will decide for "
                       "it; give --time-limit 1m",
                       agent->name, (int)limit);
            return;
        }
    }
}

/* Tables print roles in small letters, so they are taken too. */
static Role any_case_role(Str name)
{
    char capitals[16];

    if (name.len >= sizeof(capitals))
        return ROLE_NONE;
    for (size_t i = 0; i < name.len; i++)
        capitals[i] = name.bytes[i] >= 'a' && name.bytes[i] <= 'z'
                          ? (char)(name.bytes[i] - 'a' + 'A')
                          : name.bytes[i];
    return role_of((Str){capitals, name.len});
}

int agent_spec_fix_role(Plan *plan, Str text, Err *err)
{
    Str role_text = text;
    Str name = str_cut(&role_text, '=');
    Role role = any_case_role(role_text);
    Suggest near = {.word = name};
    bool found = false;

    if (role == ROLE_NONE)
        return err_set(err, ERR_USAGE,
                       "expected NAME=ROLE with VILLAGER, SEER, MEDIUM, BODYGUARD, WEREWOLF, "
                       "POSSESSED, FREEMASON or FOX, found '%.*s'",
                       STR_ARG(str_part(text, 0, 64)));
    for (uint32_t i = 0; i < plan->agent_count; i++) {
        if (str_eq(name, str_of(plan->agents[i].name))) {
            plan->agents[i].fixed = role;
            found = true;
        }
        suggest_offer(&near, str_of(plan->agents[i].name));
    }
    Str best = suggest_best(&near);
    if (!found)
        return err_set(err, ERR_USAGE, "no agent is called '%.*s'%s%.*s%s",
                       STR_ARG(str_part(name, 0, 64)), best.len ? "; did you mean '" : "",
                       STR_ARG(best), best.len ? "'?" : "");
    return 0;
}

int agent_spec_check_program(const Plan *plan, const PlanAgent *agent, Err *err)
{
    if (!agent->command)
        return err_set(err, ERR_USAGE,
                       "agent %s has no command to start it with; agents that come by themselves "
                       "play on 'warg serve aiwolf'",
                       agent->name);
    if (agent->folder && access(agent->folder, X_OK) != 0)
        return err_set(err, ERR_USAGE, "agent %s: can't go to the folder '%s': %s", agent->name,
                       agent->folder, strerror(errno));
    if (ruleset_is_timed(&plan->rules))
        return err_set(err, ERR_USAGE,
                       "agent %s: rules %s have timed rooms, which programs of the protocol "
                       "division can't play",
                       agent->name, plan->rules.name);
    return 0;
}
