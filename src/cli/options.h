/* options.h - one table of options gives parsing, --help, completion and the man page check.
 *
 * For:    every command. A command names its options in an enum, describes them in a table of
 *         Option, and reads the values of the parsed line by that enum:
 *
 *             enum { GAMES, AGENT, FORMAT };
 *             static const Option options[] = {
 *                 [GAMES] = {"games", 'g', OPTION_UINT, "N", "games to play",
 *                            .fallback = "1", .min = 1, .max = 1000000},
 *                 [AGENT] = {"agent", 'a', OPTION_LIST, "SPEC", "who plays; give it again for
 * more"}, [FORMAT] = {"format", 0, OPTION_CHOICE, "table|json|csv", "form of the result", .fallback
 * = "table"},
 *             };
 *             const Usage cmd_run_usage[] = {{"run", "", "Plays games.", OPTIONS(options)}, {0}};
 *
 *             int cmd_run(int argc, char **argv, Err *err)
 *             {
 *                 CLEANUP(options_done) Options given = {0};
 *                 int go = options_parse(&cmd_run_usage[0], argc, argv, &given, err);
 *                 if (go <= 0)
 *                     return go;  // 0: --help was printed; negative: err says what is wrong
 *                 uint64_t games = options_number(&given, GAMES);
 *
 *         A fallback is parsed like a value of the command line, so the default in --help is the
 *         default in effect.
 *         --lang and --language are one option: a table has either, both are taken.
 * Memory: texts are borrowed from argv and the tables; options_done frees the rest.
 * Thread: main thread only (getopt_long keeps its place in a global).
 * Source: POSIX utility conventions and GNU long options.
 */
#ifndef WARG_CLI_OPTIONS_H
#define WARG_CLI_OPTIONS_H

#include "base/buf.h"
#include "base/err.h"

typedef enum OptionKind {
    OPTION_FLAG,     /* no value; number 1 when given */
    OPTION_UINT,     /* number, min..max */
    OPTION_TEXT,     /* text; the last one given counts */
    OPTION_LIST,     /* may be given again; every text in order */
    OPTION_CHOICE,   /* one word of value_name, "a|b|c"; number is its index from 0 */
    OPTION_DURATION, /* as duration_text_read takes it; number in milliseconds, min..max */
} OptionKind;

/* One row of a table. Plain constant data. */
typedef struct Option {
    const char *name; /* long name without the dashes */
    char letter;      /* short name, 0 = none */
    OptionKind kind;
    const char *value_name; /* "N", "NAME|FILE"; the words of a choice; NULL for a flag */
    const char *help;       /* one line, no full stop */
    const char *fallback;   /* the default as text, NULL = none */
    uint64_t min;
    uint64_t max; /* 0 = no upper bound */
} Option;

/* What a command without verbs, or one verb of a command, takes. */
typedef struct Usage {
    const char *command;   /* "run", "lang check"; NULL ends a list of usages */
    const char *arguments; /* "[FILE...]"; "" = takes none */
    const char *summary;   /* a sentence or two; lines end with \n, the last without */
    const Option *options;
    size_t option_count;
    const char *examples; /* lines of text, each ends with \n; NULL = none */
    const char *exits; /* what exit status 1 means here, "a sentence is not valid"; NULL = unused */
    int (*run)(int argc, char **argv, Err *err); /* of a verb, for options_run_verb; else NULL */
} Usage;

/* A command of the program. */
typedef struct Cmd {
    const char *name;
    int (*run)(int argc, char **argv, Err *err);
    const char *summary; /* one line for `warg help`, no full stop */
    const Usage *usages; /* one per verb, or just one; ended by a NULL command */
} Cmd;

/* The two fields `options` and `option_count` of a Usage. */
#define OPTIONS(table) (table), sizeof(table) / sizeof((table)[0])

/* A parsed command line. Zeroed before use. */
typedef struct Options {
    const Usage *usage;
    struct OptionGiven *given; /* what the line said, in order */
    size_t given_count;
    char **arguments; /* what is left after the options */
    int argument_count;
} Options;

/* Reads argv[1..]; options and arguments may be mixed, "--" ends the options. --help is known
 * to every command and prints the help to stdout; so does -h where no option has that letter.
 * Returns 1 = go on with `ret_given`, 0 = help was printed, ERR_USAGE = unknown option, missing
 * or bad value, or an argument where none is taken. */
int options_parse(const Usage *usage, int argc, char **argv, Options *ret_given, Err *err);
void options_done(Options *given); /* for CLEANUP */

/* The value of option `which` (index in the table): given, else the fallback, else 0. */
uint64_t options_number(const Options *given, size_t which);
/* The text given last, else the fallback, else NULL. */
const char *options_text(const Options *given, size_t which);
/* The text number `number` (from 0) of a repeatable option, or NULL behind the last.
 * for (size_t i = 0; (text = options_item(&given, AGENT, i)); i++) ... */
const char *options_item(const Options *given, size_t which, size_t number);
/* True for a flag that was given, and for any option that was on the line. */
bool options_has(const Options *given, size_t which);

/* Finds the verb argv[1] in `usages` (ended by a NULL command) and runs it with argv[0] being the
 * verb. `name --help` prints all of them; without a verb or with an unknown one: ERR_USAGE. */
int options_run_verb(const char *name, const Usage *usages, int argc, char **argv, Err *err);

/* The row of a verb, which must be there: for who runs by argv[0]. */
const Usage *options_usage(const Usage *usages, const char *verb);

/* The text of `warg COMMAND --help`. */
void options_help(const Usage *usage, Buf *out);

#endif
