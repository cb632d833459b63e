/* main.c - finds the command, runs it, prints its error, and gives the exit status. */
#include "base/utf8.h"
#include "cell/cell_start.h"
#include "cmd/cmd.h"
#include "runner/unpack_inside.h"
#include "show/terminal.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

/* "warg lang check" for the hint of a usage error: as much of the line as we know. */
static void known_part(const Cmd *cmd, int argc, char **argv, Buf *out)
{
    buf_printf(out, "warg");
    if (!cmd)
        return;
    buf_printf(out, " %s", cmd->name);
    for (const Usage *usage = cmd->usages; argc > 2 && usage->command; usage++) {
        Str verb = str_of(usage->command);
        str_cut(&verb, ' ');
        if (verb.len && str_eq(verb, str_of(argv[2])))
            buf_printf(out, " %s", argv[2]);
    }
}

static void print_error(const Err *err, const Cmd *cmd, int argc, char **argv)
{
    CLEANUP(buf_done) Buf part = {0};
    bool colors = terminal_colors(stderr, COLOR_AUTO);

    CLEANUP(buf_done) Buf message = {0};
    utf8_add_printable(str_of(err->msg), ERR_TEXT_MAX, &message); /* it may quote a hostile file */
    fprintf(stderr, "%swarg:%s %s", colors ? "\033[1;31m" : "", colors ? "\033[0m" : "",
            message.len ? buf_cstr(&message) : "failed without saying why; please report this");
    if (err->line && err->column)
        fprintf(stderr, " (line %u, column %u)", err->line, err->column);
    else if (err->line)
        fprintf(stderr, " (line %u)", err->line);
    fputc('\n', stderr);
    if (err->code == ERR_USAGE) {
        known_part(cmd, argc, argv, &part);
        fprintf(stderr, "      see '%s --help'\n", buf_cstr(&part));
    }
}

/* 0 when all of stdout is out, ERR_IO when some is lost. A reader that went away wants no more:
 * that is no error. */
static int finish_stdout(Err *err)
{
    bool lost = ferror(stdout) != 0;
    int reason = 0;

    if (fflush(stdout) != 0)
        reason = errno;
    if (fclose(stdout) != 0 && reason == 0 && errno != EBADF)
        reason = errno;
    if ((!lost && reason == 0) || reason == EPIPE)
        return 0;
    return err_set(err, ERR_IO, "can't write the output: %s",
                   reason ? strerror(reason) : "some of it was lost");
}

static int run_command(const Cmd *cmd, int argc, char **argv, Err *err)
{
    char help[] = "help";
    char *overview[] = {help, NULL};
    Str first = str_of(argc > 1 ? argv[1] : "--help");

    if (cmd)
        return cmd->run(argc - 1, argv + 1, err);
    if (str_eq(first, STR("--help")) || str_eq(first, STR("-h")))
        return cmd_help(1, overview, err);
    if (str_eq(first, STR("--version")))
        return cmd_version(1, overview, err);
    return cmd_unknown(first, err);
}

/* Whoever starts us with input or output closed must not have a file or a connection of ours take
 * that number, and what we print land in it. Input is then empty; what is written fails, as it
 * would have on the closed one. */
static int occupy_standard_descriptors(void)
{
    int descriptor;

    do {
        descriptor = open("/dev/null", O_RDONLY);
    } while (descriptor >= STDIN_FILENO && descriptor <= STDERR_FILENO);
    if (descriptor < 0)
        return -1;
    close(descriptor);
    return 0;
}

int main(int argc, char **argv)
{
    const Cmd *cmd = argc > 1 ? cmd_find(str_of(argv[1])) : NULL;
    Err err = {0};

    if (argc > 1 && str_eq(str_of(argv[1]), STR(CMD_START_AGENT)))
        return cell_start(argc - 1, argv + 1);
    if (argc > 1 && str_eq(str_of(argv[1]), STR(UNPACK_VERB)))
        return unpack_inside(argc - 2, argv + 2);
    if (occupy_standard_descriptors())
        return (int)cmd_exit(ERR_IO); /* there is nowhere to say so */
    signal(SIGXFSZ, SIG_IGN);         /* a file that may not grow is a write error like any other */
    signal(SIGPIPE, SIG_DFL); /* output to a closed pipe ends us quietly, whoever started us */
    int status = run_command(cmd, argc, argv, &err);
    if (finish_stdout(status < 0 ? NULL : &err) != 0 && status >= 0)
        status = ERR_IO;
    if (status < 0)
        print_error(&err, cmd, argc, argv);
    return (int)cmd_exit(status);
}
