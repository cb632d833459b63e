#include "cmd/results_arg.h"

#include "base/utf8.h"
#include "results/results_all.h"

void results_arg_left_out(Str why)
{
    CLEANUP(buf_done) Buf line = {0};

    buf_add(&line, STR("left out: "));
    utf8_add_printable(why, SIZE_MAX, &line);
    fprintf(stderr, "%s\n", buf_cstr(&line));
}

static void say_left_out(void *user, Str why)
{
    (void)user;
    results_arg_left_out(why);
}

int results_arg_open(const Options *given, Db **ret_db, Exit *ret_status, Err *err)
{
    ResultsLeftOut left_out = {.hear = say_left_out};

    if (given->argument_count == 0)
        return err_set(err, ERR_USAGE, "%s: name at least one folder or database",
                       given->usage->command);
    int rc =
        results_open_all(given->arguments, (size_t)given->argument_count, &left_out, ret_db, err);
    *ret_status = left_out.count ? EXIT_DISAGREE : EXIT_OK;
    return rc;
}
