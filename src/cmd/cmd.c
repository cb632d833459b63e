#include "cmd/cmd.h"

#include "base/suggest.h"

/* To add a command: see the recipe in cmd/cmd.h. Rows are in the order of `warg help`. */
static const Cmd cmds[] = {
    {"run", cmd_run, "play games and contests, and say who won", cmd_run_usage},
    {"serve", cmd_serve, "wait for agents on the network and play sets with them", cmd_serve_usage},
    {"standings", cmd_standings, "say who won how often in a contest that was kept",
     cmd_standings_usage},
    {"report", cmd_report, "write the results of a folder as one HTML page", cmd_report_usage},
    {"web", cmd_web, "serve pages of games, contests and sessions for a browser", cmd_web_usage},
    {"export", cmd_export, "write games as HTML files that need nothing beside them",
     cmd_export_usage},
    {"audit", cmd_audit, "check that a contest's results follow from its keys and answers",
     cmd_audit_usage},
    {"bundle", cmd_bundle, "make what can be published of a contest", cmd_bundle_usage},
    {"contest", cmd_contest, "what an organiser does beside playing: lots, findings, rulings",
     cmd_contest_usage},
    {"agent", cmd_agent, "try an agent as an organiser does before a contest", cmd_agent_usage},
    {"cell", cmd_cell, "say what this machine has for programs of strangers", cmd_cell_usage},
    {"ledger", cmd_ledger, "check the ledger of a contest, and prove what is in it",
     cmd_ledger_usage},
    {"bot", cmd_bot, "play on a server with built-in bots", cmd_bot_usage},
    {"play", cmd_play, "play yourself, at the terminal", cmd_play_usage},
    {"maw", cmd_maw, "play MAW: open rooms, with bots, language models, people", cmd_maw_usage},
    {"join", cmd_join, "play MAW in somebody else's game, over XMPP", cmd_join_usage},
    {"token", cmd_token, "make and check tokens for players and viewers", cmd_token_usage},
    {"llm", cmd_llm, "try the servers of language models", cmd_llm_usage},
    {"lang", cmd_lang, "check and explain sentences of the protocol language", cmd_lang_usage},
    {"log", cmd_log, "check, count and show logs of games", cmd_log_usage},
    {"rules", cmd_rules, "list rulesets and print them as files", cmd_rules_usage},
    {"completion", cmd_completion, "print the completion script of a shell", cmd_completion_usage},
    {"version", cmd_version, "print the version", cmd_version_usage},
    {"help", cmd_help, "explain warg or one of its commands", cmd_help_usage},
    {NULL, NULL, NULL, NULL},
};

const Cmd *cmd_all(void)
{
    return cmds;
}

const Cmd *cmd_find(Str name)
{
    for (const Cmd *cmd = cmds; cmd->name; cmd++)
        if (str_eq(str_of(cmd->name), name))
            return cmd;
    return NULL;
}

int cmd_unknown(Str name, Err *err)
{
    Suggest near = {.word = name};

    for (const Cmd *cmd = cmds; cmd->name; cmd++)
        suggest_offer(&near, str_of(cmd->name));
    Str best = suggest_best(&near);
    return err_set(err, ERR_USAGE, "warg has no %s '%.*s'%s%.*s%s",
                   str_starts(name, STR("-")) ? "option" : "command", STR_ARG(name),
                   best.len ? ": did you mean '" : "", STR_ARG(best), best.len ? "'?" : "");
}

Exit cmd_exit(int returned)
{
    if (returned == EXIT_NOT_OWN || returned == EXIT_NOT_RANKED || returned == EXIT_WAITING)
        return (Exit)returned;
    if (returned > 0)
        return EXIT_DISAGREE;
    switch ((ErrCode)returned) {
    case ERR_OK:
        return EXIT_OK;
    case ERR_USAGE:
    case ERR_RULE:
        return EXIT_USAGE;
    case ERR_IO:
    case ERR_SYNTAX:
    case ERR_LIMIT:
        return EXIT_INPUT;
    case ERR_INTERRUPTED:
        return EXIT_INTERRUPTED;
    case ERR_MEMORY:
        break;
    }
    return EXIT_INTERNAL;
}
