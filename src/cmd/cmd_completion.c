#include "cmd/cmd.h"

#include "cli/completion.h"

#include <stdio.h>

const Usage cmd_completion_usage[] = {
    {"completion", "bash|zsh|fish", "Prints a script that completes the words of warg.", NULL, 0,
     "eval \"$(warg completion bash)\"\n"
     "warg completion fish > ~/.config/fish/completions/warg.fish\n",
     NULL, NULL},
    {0},
};

int cmd_completion(int argc, char **argv, Err *err)
{
    static const struct {
        const char *name;
        void (*write)(const Cmd *cmds, Buf *out);
    } shells[] = {{"bash", completion_bash}, {"zsh", completion_zsh}, {"fish", completion_fish}};
    CLEANUP(options_done) Options given = {0};
    int go = options_parse(cmd_completion_usage, argc, argv, &given, err);

    if (go <= 0)
        return go;
    if (given.argument_count != 1)
        return err_set(err, ERR_USAGE, "'completion' takes one shell: bash, zsh or fish");
    Str shell = str_of(given.arguments[0]);
    for (size_t i = 0; i < sizeof(shells) / sizeof(shells[0]); i++) {
        if (!str_eq(shell, str_of(shells[i].name)))
            continue;
        CLEANUP(buf_done) Buf script = {0};
        shells[i].write(cmd_all(), &script);
        if (buf_failed(&script))
            return err_set(err, ERR_MEMORY, "completion: out of memory");
        fwrite(script.bytes, 1, script.len, stdout);
        return 0;
    }
    return err_set(err, ERR_USAGE, "no completion for '%.*s', only for bash, zsh and fish",
                   STR_ARG(shell));
}
