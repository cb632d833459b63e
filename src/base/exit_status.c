#include "base/exit_status.h"

/* To add a status: a row in `texts`, a name in Exit, a line in man/warg.1.scd. A command that ends
 * with it gets its bit in `commands`. */
static const struct {
    Exit status;
    const char *word;
    const char *help;
} texts[] = {
    {EXIT_OK, "ok", NULL},
    {EXIT_NOT_OWN, "decisions-not-own",
     "less than 90 % of a model's decisions were its own; a rule took the others"},
    {EXIT_NOT_RANKED, "agent-not-ranked",
     "an agent never played, or too few games of its own to be ranked"},
    {EXIT_WAITING, "waiting",
     "a stage waits for lots, for the value of its beacon, or for rulings; --resume goes on"},
};

#define BIT(status) (1u << (status))

static const struct {
    const char *command;
    unsigned statuses;
} commands[] = {
    {"run", BIT(EXIT_NOT_OWN) | BIT(EXIT_NOT_RANKED) | BIT(EXIT_WAITING)},
    {"serve aiwolf", BIT(EXIT_NOT_OWN) | BIT(EXIT_NOT_RANKED)},
    {"serve nlp", BIT(EXIT_NOT_OWN)},
    {"serve maw", BIT(EXIT_NOT_OWN) | BIT(EXIT_NOT_RANKED)},
    {"bot aiwolf", BIT(EXIT_NOT_OWN)},
    {"bot nlp", BIT(EXIT_NOT_OWN)},
    {"maw", BIT(EXIT_NOT_OWN) | BIT(EXIT_NOT_RANKED)},
    {"join", BIT(EXIT_NOT_OWN)},
    {"standings", BIT(EXIT_NOT_OWN) | BIT(EXIT_NOT_RANKED)},
    {"report", BIT(EXIT_NOT_OWN) | BIT(EXIT_NOT_RANKED)},
};

Exit exit_status_of_both(Exit a, Exit b)
{
    return a > b ? a : b;
}

const char *exit_status_word(Exit status)
{
    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
        if (texts[i].status == status)
            return texts[i].word;
    return "";
}

static unsigned statuses_of(Str command)
{
    for (size_t i = 0; i < sizeof(commands) / sizeof(commands[0]); i++)
        if (str_eq(command, str_of(commands[i].command)))
            return commands[i].statuses;
    return 0;
}

void exit_status_help(Str command, Buf *out)
{
    unsigned statuses = statuses_of(command);

    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
        if (statuses & BIT(texts[i].status) && texts[i].help)
            buf_printf(out, "  %d  %s\n", (int)texts[i].status, texts[i].help);
}
