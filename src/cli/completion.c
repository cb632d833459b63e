#include "cli/completion.h"

/* What a value or an argument can be. */
typedef enum Fill {
    FILL_NONE,
    FILL_WORDS, /* a|b|c */
    FILL_DIRS,
    FILL_FILES,
} Fill;

static Fill fill_of(const char *value_name, bool choice)
{
    if (choice)
        return FILL_WORDS;
    if (value_name && strstr(value_name, "FILE"))
        return FILL_FILES;
    if (value_name && strstr(value_name, "DIR"))
        return FILL_DIRS;
    return FILL_NONE;
}

static Fill option_fill(const Option *option)
{
    return fill_of(option->value_name, option->kind == OPTION_CHOICE);
}

/* An argument is a choice when it is lower-case words with a bar: "bash|zsh|fish". */
static Fill argument_fill(const Usage *usage)
{
    const char *text = usage->arguments;
    bool lower = text[0] >= 'a' && text[0] <= 'z';

    return fill_of(text, lower && strchr(text, '|'));
}

static bool has_verbs(const Cmd *cmd)
{
    return strchr(cmd->usages[0].command, ' ') != NULL;
}

/* The last word of "lang check". */
static Str last_word(const char *command)
{
    const char *space = strchr(command, ' ');

    return str_of(space ? space + 1 : command);
}

/* "a|b" as "a b". */
static void add_words(const char *choice, Buf *out)
{
    for (Str rest = str_of(choice); rest.len;) {
        buf_add(out, str_cut(&rest, '|'));
        if (rest.len)
            buf_add_char(out, ' ');
    }
}

static void verb_words(const Cmd *cmd, Buf *out)
{
    for (const Usage *usage = cmd->usages; usage->command; usage++)
        buf_printf(out, "%s%.*s", usage == cmd->usages ? "" : " ",
                   STR_ARG(last_word(usage->command)));
}

/* `text` up to its first full stop, inside single quotes of a shell; `escaped` also get a
 * backslash. */
static void add_quoted(const char *text, const char *escaped, Buf *out)
{
    for (; *text && !(*text == '.' && (text[1] == ' ' || text[1] == '\n' || !text[1])); text++) {
        if (*text == '\n')
            buf_add_char(out, ' ');
        else if (*text == '\'')
            buf_printf(out, "'\\''");
        else if (strchr(escaped, *text))
            buf_printf(out, "\\%c", *text);
        else
            buf_add_char(out, *text);
    }
}

/* ---- bash ---- */

static void bash_fill(Fill fill, const char *choice, Buf *out)
{
    if (fill == FILL_WORDS) {
        buf_printf(out, "COMPREPLY=($(compgen -W '");
        add_words(choice, out);
        buf_printf(out, "' -- \"$current\"))");
    } else if (fill != FILL_NONE) {
        buf_printf(out, "COMPREPLY=($(compgen -%c -- \"$current\"))",
                   fill == FILL_DIRS ? 'd' : 'f');
    } else {
        buf_printf(out, ":");
    }
}

static void bash_values(const Usage *usage, Buf *out)
{
    for (size_t i = 0; i < usage->option_count; i++) {
        const Option *option = &usage->options[i];
        if (option->kind == OPTION_FLAG)
            continue;
        buf_printf(out, "    '%s --%s'", usage->command, option->name);
        if (option->letter)
            buf_printf(out, "|'%s -%c'", usage->command, option->letter);
        buf_printf(out, ") ");
        bash_fill(option_fill(option), option->value_name, out);
        buf_printf(out, "; return ;;\n");
    }
}

static void bash_words(const Usage *usage, Buf *out)
{
    buf_printf(out, "    '%s') [[ $current == -* ]] && options='", usage->command);
    for (size_t i = 0; i < usage->option_count; i++)
        buf_printf(out, "--%s ", usage->options[i].name);
    buf_printf(out, "--help' || ");
    bash_fill(argument_fill(usage), usage->arguments, out);
    buf_printf(out, " ;;\n");
}

void completion_bash(const Cmd *cmds, Buf *out)
{
    buf_printf(out, "# Completion of warg for bash, made by 'warg completion bash'.\n"
                    "_warg()\n{\n"
                    "    local current=${COMP_WORDS[COMP_CWORD]}"
                    " before=${COMP_WORDS[COMP_CWORD-1]}\n"
                    "    local command=${COMP_WORDS[1]} options=\n"
                    "    COMPREPLY=()\n"
                    "    if ((COMP_CWORD == 1)); then\n"
                    "        COMPREPLY=($(compgen -W '");
    for (const Cmd *cmd = cmds; cmd->name; cmd++)
        buf_printf(out, "%s ", cmd->name);
    buf_printf(out, "--help --version' -- \"$current\"))\n        return\n    fi\n"
                    "    case $command in\n");
    for (const Cmd *cmd = cmds; cmd->name; cmd++) {
        if (!has_verbs(cmd))
            continue;
        buf_printf(out,
                   "    %s)\n        if ((COMP_CWORD == 2)); then\n"
                   "            COMPREPLY=($(compgen -W '",
                   cmd->name);
        verb_words(cmd, out);
        buf_printf(out, "' -- \"$current\"))\n            return\n        fi\n"
                        "        command+=\" ${COMP_WORDS[2]}\" ;;\n");
    }
    buf_printf(out, "    esac\n    case \"$command $before\" in\n");
    for (const Cmd *cmd = cmds; cmd->name; cmd++)
        for (const Usage *usage = cmd->usages; usage->command; usage++)
            bash_values(usage, out);
    buf_printf(out, "    esac\n    case $command in\n");
    for (const Cmd *cmd = cmds; cmd->name; cmd++)
        for (const Usage *usage = cmd->usages; usage->command; usage++)
            bash_words(usage, out);
    buf_printf(out, "    esac\n"
                    "    [[ $options ]] && COMPREPLY=($(compgen -W \"$options\" -- \"$current\"))\n"
                    "}\ncomplete -o filenames -F _warg warg\n");
}

/* ---- zsh ---- */

static void zsh_action(Fill fill, const char *choice, Buf *out)
{
    switch (fill) {
    case FILL_WORDS:
        buf_add_char(out, '(');
        add_words(choice, out);
        buf_add_char(out, ')');
        break;
    case FILL_DIRS:
        buf_printf(out, "_files -/");
        break;
    case FILL_FILES:
        buf_printf(out, "_files");
        break;
    case FILL_NONE:
        buf_add_char(out, ' ');
        break;
    }
}

static void zsh_option(const Option *option, const char *dashes, Str name, Buf *out)
{
    buf_printf(out, " \\\n        '%s%s%.*s[", option->kind == OPTION_LIST ? "*" : "", dashes,
               STR_ARG(name));
    add_quoted(option->help, "[]:\\", out);
    buf_add_char(out, ']');
    if (option->kind != OPTION_FLAG) {
        buf_add_char(out, ':');
        add_quoted(option->value_name, ":\\", out);
        buf_add_char(out, ':');
        zsh_action(option_fill(option), option->value_name, out);
    }
    buf_add_char(out, '\'');
}

static void zsh_usage(const Usage *usage, Buf *out)
{
    buf_printf(out, "    '%s') _arguments", usage->command);
    for (size_t i = 0; i < usage->option_count; i++) {
        const Option *option = &usage->options[i];
        zsh_option(option, "--", str_of(option->name), out);
        if (option->letter)
            zsh_option(option, "-", (Str){&option->letter, 1}, out);
    }
    buf_printf(out, " \\\n        '--help[print the help]'");
    if (usage->arguments[0]) {
        buf_printf(out, " \\\n        '*:argument:");
        zsh_action(argument_fill(usage), usage->arguments, out);
        buf_add_char(out, '\'');
    }
    buf_printf(out, " ;;\n");
}

static void zsh_described(Str name, const char *help, Buf *out)
{
    buf_printf(out, " '%.*s:", STR_ARG(name));
    add_quoted(help, ":\\", out);
    buf_add_char(out, '\'');
}

void completion_zsh(const Cmd *cmds, Buf *out)
{
    buf_printf(out, "#compdef warg\n# Completion of warg for zsh, made by 'warg completion zsh'.\n"
                    "_warg()\n{\n    local command=$words[2]\n    local -a known\n"
                    "    if (( CURRENT == 2 )); then\n        known=(");
    for (const Cmd *cmd = cmds; cmd->name; cmd++)
        zsh_described(str_of(cmd->name), cmd->summary, out);
    buf_printf(out, ")\n        _describe command known\n        return\n    fi\n"
                    "    case $command in\n");
    for (const Cmd *cmd = cmds; cmd->name; cmd++) {
        if (!has_verbs(cmd))
            continue;
        buf_printf(out, "    %s)\n        if (( CURRENT == 3 )); then\n            known=(",
                   cmd->name);
        for (const Usage *usage = cmd->usages; usage->command; usage++)
            zsh_described(last_word(usage->command), usage->summary, out);
        buf_printf(out, ")\n            _describe verb known\n            return\n        fi\n"
                        "        command+=\" $words[3]\"\n"
                        "        shift words\n        (( CURRENT-- )) ;;\n");
    }
    buf_printf(out, "    esac\n    shift words\n    (( CURRENT-- ))\n    case $command in\n");
    for (const Cmd *cmd = cmds; cmd->name; cmd++)
        for (const Usage *usage = cmd->usages; usage->command; usage++)
            zsh_usage(usage, out);
    buf_printf(out,
               "    esac\n}\n"
               "if [[ $funcstack[1] == _warg ]]; then _warg \"$@\"; else compdef _warg warg; fi\n");
}

/* ---- fish ---- */

static void fish_usage(const Cmd *cmd, const Usage *usage, Buf *out)
{
    Buf when = {0};

    buf_printf(&when, "complete -c warg -n '__fish_seen_subcommand_from %s", cmd->name);
    if (has_verbs(cmd))
        buf_printf(&when, "; and __fish_seen_subcommand_from %.*s",
                   STR_ARG(last_word(usage->command)));
    buf_add_char(&when, '\'');
    for (size_t i = 0; i < usage->option_count; i++) {
        const Option *option = &usage->options[i];
        buf_printf(out, "%s -l %s", buf_cstr(&when), option->name);
        if (option->letter)
            buf_printf(out, " -s %c", option->letter);
        buf_printf(out, " -d '");
        add_quoted(option->help, "\\", out);
        buf_add_char(out, '\'');
        if (option_fill(option) == FILL_WORDS) {
            buf_printf(out, " -xa '");
            add_words(option->value_name, out);
            buf_add_char(out, '\'');
        } else if (option->kind != OPTION_FLAG) {
            buf_printf(out, option_fill(option) == FILL_NONE ? " -x" : " -rF");
        }
        buf_add_char(out, '\n');
    }
    if (argument_fill(usage) == FILL_WORDS) {
        buf_printf(out, "%s -a '", buf_cstr(&when));
        add_words(usage->arguments, out);
        buf_printf(out, "'\n");
    } else if (argument_fill(usage) != FILL_NONE) {
        buf_printf(out, "%s -F\n", buf_cstr(&when));
    }
    buf_done(&when);
}

void completion_fish(const Cmd *cmds, Buf *out)
{
    buf_printf(out, "# Completion of warg for fish, made by 'warg completion fish'.\n"
                    "complete -c warg -f\ncomplete -c warg -l help -s h -d 'print the help'\n");
    for (const Cmd *cmd = cmds; cmd->name; cmd++) {
        buf_printf(out, "complete -c warg -n __fish_use_subcommand -a %s -d '", cmd->name);
        add_quoted(cmd->summary, "\\", out);
        buf_printf(out, "'\n");
        for (const Usage *usage = cmd->usages; has_verbs(cmd) && usage->command; usage++) {
            buf_printf(out,
                       "complete -c warg -n '__fish_seen_subcommand_from %s; "
                       "and not __fish_seen_subcommand_from ",
                       cmd->name);
            verb_words(cmd, out);
            buf_printf(out, "' -a %.*s -d '", STR_ARG(last_word(usage->command)));
            add_quoted(usage->summary, "\\", out);
            buf_printf(out, "'\n");
        }
        for (const Usage *usage = cmd->usages; usage->command; usage++)
            fish_usage(cmd, usage, out);
    }
}
