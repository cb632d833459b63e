#include "cli/options.h"

#include "base/duration_text.h"
#include "base/exit_status.h"
#include "base/suggest.h"

#include <assert.h>
#include <getopt.h>

enum {
    OPTION_COUNT_MAX = 56, /* of one table */
    OTHER_NAMES_MAX = 2,   /* options of one table that go by two names */
    LONG_BASE = 256,       /* getopt's value of an option is LONG_BASE + its index */
    HELP_VALUE = 255,
    HELP_COLUMN = 26, /* where the second column of --help starts */
    HELP_WIDTH = 90,  /* and where it is wrapped */
};

/* One option of the command line, in order. */
struct OptionGiven {
    size_t which;
    const char *text; /* NULL for a flag */
    uint64_t number;
};

/* ---- values ---- */

static uint64_t upper_bound(const Option *option)
{
    return option->max ? option->max : UINT64_MAX;
}

/* The range of a number in words. */
static void range_text(const Option *option, const char *what, const char *unit, char *text,
                       size_t room)
{
    unsigned long long min = option->min;
    unsigned long long max = upper_bound(option);

    if (max == UINT64_MAX)
        snprintf(text, room, "a %s from %llu%s on", what, min, unit);
    else
        snprintf(text, room, "a %s from %llu%s to %llu%s", what, min, unit, max, unit);
}

static int bad_value(const Option *option, const char *text, const char *expected, Err *err)
{
    return err_set(err, ERR_USAGE, "option '--%s' takes %s, not '%s'", option->name, expected,
                   text);
}

static int read_uint(const Option *option, const char *text, uint64_t *ret_number, Err *err)
{
    char expected[96];

    if (str_to_uint(str_of(text), upper_bound(option), ret_number) && *ret_number >= option->min)
        return 0;
    range_text(option, "number", "", expected, sizeof(expected));
    return bad_value(option, text, expected, err);
}

static int read_duration(const Option *option, const char *text, uint64_t *ret_number, Err *err)
{
    char expected[128];

    if (!duration_text_read(str_of(text), ret_number))
        return bad_value(option, text, "a duration such as 500ms, 10s, 2m or 1h", err);
    if (*ret_number >= option->min && *ret_number <= upper_bound(option))
        return 0;
    range_text(option, "duration", "ms", expected, sizeof(expected));
    return bad_value(option, text, expected, err);
}

static int read_choice(const Option *option, const char *text, uint64_t *ret_number, Err *err)
{
    Str words = str_of(option->value_name);
    Suggest near = {.word = str_of(text)};

    for (uint64_t i = 0; words.len; i++) {
        Str word = str_cut(&words, '|');
        if (str_eq(word, str_of(text))) {
            *ret_number = i;
            return 0;
        }
        suggest_offer(&near, word);
    }
    Str best = suggest_best(&near);
    return err_set(err, ERR_USAGE, "option '--%s' takes one of %s, not '%s'%s%.*s%s", option->name,
                   option->value_name, text, best.len ? ": did you mean '" : "", STR_ARG(best),
                   best.len ? "'?" : "");
}

static int read_value(const Option *option, const char *text, uint64_t *ret_number, Err *err)
{
    *ret_number = 0;
    switch (option->kind) {
    case OPTION_FLAG:
        *ret_number = 1;
        return 0;
    case OPTION_UINT:
        return read_uint(option, text, ret_number, err);
    case OPTION_CHOICE:
        return read_choice(option, text, ret_number, err);
    case OPTION_DURATION:
        return read_duration(option, text, ret_number, err);
    case OPTION_TEXT:
    case OPTION_LIST:
        if (text[0] == '\0')
            return err_set(err, ERR_USAGE, "option '--%s' takes %s, not an empty text",
                           option->name, option->value_name);
        return 0;
    }
    return 0;
}

/* ---- parsing ---- */

static int keep_option(Options *given, size_t which, const char *text, uint64_t number, Err *err)
{
    struct OptionGiven *more =
        mem_resize(given->given, given->given_count + 1, sizeof(given->given[0]));

    if (!more)
        return err_set(err, ERR_MEMORY, "command line: out of memory");
    given->given = more;
    more[given->given_count++] = (struct OptionGiven){which, text, number};
    return 0;
}

/* -h is help, but for a command that needs the letter for an option of its own. */
static bool h_is_help(const Usage *usage)
{
    for (size_t i = 0; i < usage->option_count; i++)
        if (usage->options[i].letter == 'h')
            return false;
    return true;
}

/* The other name of an option that goes by two, whichever of them its table has; else NULL. People
 * know one of them from one command and use it with the next. */
static const char *other_name(const Option *option)
{
    static const char *const same[][2] = {{"lang", "language"}};

    for (size_t i = 0; i < sizeof(same) / sizeof(same[0]); i++)
        for (size_t side = 0; side < 2; side++)
            if (strcmp(option->name, same[i][side]) == 0)
                return same[i][!side];
    return NULL;
}

/* getopt's two tables for ours. `letters` starts with ':' so that a missing value is told apart. */
static void fill_getopt(const Usage *usage, struct option *longs, char *letters)
{
    size_t count = 0;

    *letters++ = ':';
    for (size_t i = 0; i < usage->option_count; i++) {
        const Option *option = &usage->options[i];
        int takes = option->kind == OPTION_FLAG ? no_argument : required_argument;

        longs[count++] = (struct option){option->name, takes, NULL, LONG_BASE + (int)i};
        const char *other = other_name(option);
        if (other)
            longs[count++] = (struct option){other, takes, NULL, LONG_BASE + (int)i};
        if (option->letter) {
            *letters++ = option->letter;
            if (takes == required_argument)
                *letters++ = ':';
        }
    }
    longs[count] = (struct option){"help", no_argument, NULL, HELP_VALUE};
    longs[count + 1] = (struct option){0};
    if (h_is_help(usage))
        *letters++ = 'h';
    *letters = '\0';
}

/* The index of the option getopt means by `value`; option_count when there is none. */
static size_t which_of(const Usage *usage, int value)
{
    if (value >= LONG_BASE)
        return (size_t)(value - LONG_BASE);
    for (size_t i = 0; i < usage->option_count; i++)
        if (value && usage->options[i].letter == (char)value)
            return i;
    return usage->option_count;
}

/* `value` is getopt's optopt, `typed` the argument it stumbled over. */
static int unknown_option(const Usage *usage, int value, const char *typed, Err *err)
{
    if (value >= LONG_BASE || value == HELP_VALUE)
        return err_set(err, ERR_USAGE, "option '--%s' takes no value",
                       value == HELP_VALUE ? "help" : usage->options[value - LONG_BASE].name);
    if (value)
        return err_set(err, ERR_USAGE, "'%s' has no option '-%c'", usage->command, value);

    Str name = str_part(str_of(typed), 2, SIZE_MAX);
    Suggest near = {.word = str_cut(&name, '=')};
    for (size_t i = 0; i < usage->option_count; i++)
        suggest_offer(&near, str_of(usage->options[i].name));
    suggest_offer(&near, STR("help"));
    Str best = suggest_best(&near);
    return err_set(err, ERR_USAGE, "'%s' has no option '--%.*s'%s%.*s%s", usage->command,
                   STR_ARG(near.word), best.len ? ": did you mean '--" : "", STR_ARG(best),
                   best.len ? "'?" : "");
}

static int print_help(const Usage *usage)
{
    CLEANUP(buf_done) Buf text = {0};

    options_help(usage, &text);
    fwrite(text.bytes, 1, text.len, stdout);
    return 0;
}

static int parse_options(const Usage *usage, int argc, char **argv, Options *given, Err *err)
{
    struct option longs[OPTION_COUNT_MAX + OTHER_NAMES_MAX + 2];
    char letters[2 * OPTION_COUNT_MAX + 3];
    uint64_t number;
    int value;

    assert(usage->option_count <= OPTION_COUNT_MAX);
    fill_getopt(usage, longs, letters);
    opterr = 0;
    optind = 0; /* glibc: start anew, also after another table */
    while ((value = getopt_long(argc, argv, letters, longs, NULL)) != -1) {
        if (value == HELP_VALUE || (value == 'h' && h_is_help(usage)))
            return print_help(usage);
        if (value == '?')
            return unknown_option(usage, optopt, argv[optind - 1], err);
        size_t which = which_of(usage, value == ':' ? optopt : value);
        const Option *option = &usage->options[which];
        if (value == ':')
            return err_set(err, ERR_USAGE, "option '--%s' needs a value: --%s %s", option->name,
                           option->name, option->value_name);
        int status = read_value(option, optarg, &number, err);
        if (status == 0)
            status = keep_option(given, which, optarg, number, err);
        if (status != 0)
            return status;
    }
    given->arguments = argv + optind;
    given->argument_count = argc - optind;
    if (given->argument_count && usage->arguments[0] == '\0')
        return err_set(err, ERR_USAGE, "'%s' takes no argument, but got '%s'", usage->command,
                       argv[optind]);
    return 1;
}

int options_parse(const Usage *usage, int argc, char **argv, Options *ret_given, Err *err)
{
    Options given = {.usage = usage};
    int status = parse_options(usage, argc, argv, &given, err);

    if (status > 0)
        *ret_given = given;
    else
        options_done(&given);
    return status;
}

void options_done(Options *given)
{
    mem_free(given->given);
    *given = (Options){0};
}

/* ---- reading ---- */

static const struct OptionGiven *last_given(const Options *given, size_t which)
{
    assert(which < given->usage->option_count);
    for (size_t i = given->given_count; i-- > 0;)
        if (given->given[i].which == which)
            return &given->given[i];
    return NULL;
}

uint64_t options_number(const Options *given, size_t which)
{
    const struct OptionGiven *found = last_given(given, which);
    const Option *option = &given->usage->options[which];
    uint64_t number = 0;

    if (found)
        return found->number;
    if (option->fallback) {
        int status = read_value(option, option->fallback, &number, NULL);
        assert(status == 0); /* the fallback of an option is a value of it */
        (void)status;
    }
    return number;
}

const char *options_text(const Options *given, size_t which)
{
    const struct OptionGiven *found = last_given(given, which);

    return found ? found->text : given->usage->options[which].fallback;
}

const char *options_item(const Options *given, size_t which, size_t number)
{
    for (size_t i = 0; i < given->given_count; i++)
        if (given->given[i].which == which && number-- == 0)
            return given->given[i].text;
    return NULL;
}

bool options_has(const Options *given, size_t which)
{
    return last_given(given, which) != NULL;
}

/* Each line of `text` with `spaces` in front. */
static void add_indented(Str text, int spaces, Buf *out)
{
    while (text.len) {
        Str line = str_cut(&text, '\n');
        buf_printf(out, "%*s%.*s\n", spaces, "", STR_ARG(line));
    }
}

/* ---- verbs ---- */

static void verbs_help(const char *name, const Usage *usages, Buf *out)
{
    buf_printf(out, "Usage:\n");
    for (const Usage *usage = usages; usage->command; usage++) {
        buf_printf(out, "  warg %s [OPTION...]%s%s\n", usage->command,
                   usage->arguments[0] ? " " : "", usage->arguments);
        add_indented(str_of(usage->summary), 6, out);
    }
    buf_printf(out, "\n'warg %s VERB --help' lists the options of a verb.\n", name);
}

/* "check" of "lang check". */
static Str verb_of(const Usage *usage)
{
    Str rest = str_of(usage->command);

    str_cut(&rest, ' ');
    return rest;
}

const Usage *options_usage(const Usage *usages, const char *verb)
{
    const Usage *usage = usages;

    while (usage->command && !str_eq(verb_of(usage), str_of(verb)))
        usage++;
    assert(usage->command);
    return usage;
}

int options_run_verb(const char *name, const Usage *usages, int argc, char **argv, Err *err)
{
    const char *verb = argc > 1 ? argv[1] : "";
    Suggest near = {.word = str_of(verb)};

    if (str_eq(near.word, STR("--help")) || str_eq(near.word, STR("-h"))) {
        CLEANUP(buf_done) Buf text = {0};
        verbs_help(name, usages, &text);
        fwrite(text.bytes, 1, text.len, stdout);
        return 0;
    }
    for (const Usage *usage = usages; usage->command; usage++) {
        if (str_eq(near.word, verb_of(usage)))
            return usage->run(argc - 1, argv + 1, err);
        suggest_offer(&near, verb_of(usage));
    }

    CLEANUP(buf_done) Buf verbs = {0};
    for (const Usage *usage = usages; usage->command; usage++)
        buf_printf(&verbs, "%s%.*s", usage == usages ? "" : ", ", STR_ARG(verb_of(usage)));
    Str best = suggest_best(&near);
    if (best.len)
        return err_set(err, ERR_USAGE, "'%s' has no verb '%s': did you mean '%.*s'?", name, verb,
                       STR_ARG(best));
    if (verb[0])
        return err_set(err, ERR_USAGE, "'%s' has no verb '%s', only: %s", name, verb,
                       buf_cstr(&verbs));
    return err_set(err, ERR_USAGE, "'%s' needs a verb: %s", name, buf_cstr(&verbs));
}

/* ---- help ---- */

/* The words of `text` from HELP_COLUMN on, in as many lines as it takes; ends the last line. */
static void add_wrapped(Str text, Buf *out)
{
    size_t column = HELP_COLUMN;

    while (text.len) {
        Str word = str_cut(&text, ' ');
        if (column > HELP_COLUMN && column + 1 + word.len > HELP_WIDTH) {
            buf_printf(out, "\n%*s", HELP_COLUMN, "");
            column = HELP_COLUMN;
        } else if (column > HELP_COLUMN) {
            buf_add_char(out, ' ');
            column++;
        }
        buf_add(out, word);
        column += word.len;
    }
    buf_add_char(out, '\n');
}

static void help_row(const Option *option, Buf *out)
{
    CLEANUP(buf_done) Buf text = {0};
    size_t start = out->len;

    if (option->letter)
        buf_printf(out, "  -%c, ", option->letter);
    else
        buf_printf(out, "      ");
    buf_printf(out, "--%s", option->name);
    if (option->value_name)
        buf_printf(out, " %s", option->value_name);
    if (out->len - start + 2 > HELP_COLUMN)
        buf_printf(out, "\n%*s", HELP_COLUMN, "");
    else
        buf_printf(out, "%*s", (int)(HELP_COLUMN - (out->len - start)), "");

    buf_add(&text, str_of(option->help));
    if (option->kind == OPTION_LIST)
        buf_add(&text, STR(" (may be given again)"));
    if (option->fallback)
        buf_printf(&text, " (default: %s)", option->fallback);
    add_wrapped(buf_str(&text), out);
}

void options_help(const Usage *usage, Buf *out)
{
    const Option help = {.name = "help",
                         .letter = h_is_help(usage) ? 'h' : '\0',
                         .kind = OPTION_FLAG,
                         .help = "print this help"};

    buf_printf(out, "Usage: warg %s [OPTION...]%s%s\n\n%s\n\nOptions:\n", usage->command,
               usage->arguments[0] ? " " : "", usage->arguments, usage->summary);
    for (size_t i = 0; i < usage->option_count; i++)
        help_row(&usage->options[i], out);
    help_row(&help, out);
    if (usage->examples) {
        buf_printf(out, "\nExamples:\n");
        add_indented(str_of(usage->examples), 2, out);
    }
    buf_printf(out, "\nExit status:\n  0  success\n");
    if (usage->exits)
        buf_printf(out, "  1  %s\n", usage->exits);
    buf_printf(out, "  2  the command line is wrong\n"
                    "  3  an input can't be read or an output can't be written\n"
                    "  4  no memory, or a mistake of warg\n");
    exit_status_help(str_of(usage->command), out);
}
