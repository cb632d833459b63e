/* cmd_lang.c - `warg lang`: checks and explains sentences of the AIWolf protocol language.
 *
 * For:    authors of agents, and for comparing with the vectors of another implementation.
 * Memory: one arena for one sentence at a time; input is read line by line.
 * Thread: main thread.
 * Source: docs/spec/language.md 5 and 8; data/language/README.md for vector files.
 */
#include "base/json.h"
#include "cmd/cmd.h"
#include "disk/regular_file.h"
#include "lang/vectors.h"

#include <errno.h>
#include <stdio.h>
#include <sys/types.h>
#include <unistd.h>

enum { CHECK_VECTORS, CHECK_STRICT };
static const Option check_options[] = {
    [CHECK_VECTORS] = {"vectors", 0, OPTION_LIST, "FILE",
                       "compare with a file of test vectors instead", NULL, 0, 0},
    [CHECK_STRICT] = {"strict", 0, OPTION_FLAG, NULL,
                      "accept only what the library itself would write", NULL, 0, 0},
};

enum { EXPLAIN_SPEAKER, EXPLAIN_JSON };
static const Option explain_options[] = {
    [EXPLAIN_SPEAKER] = {"speaker", 's', OPTION_UINT, "N", "agent who says it, by number", NULL, 1,
                         INT32_MAX},
    [EXPLAIN_JSON] = {"json", 0, OPTION_FLAG, NULL, "one JSON object a line instead of English",
                      NULL, 0, 0},
};

static int check_command(int argc, char **argv, Err *err);
static int explain_command(int argc, char **argv, Err *err);

const Usage cmd_lang_usage[] = {
    {"lang check", "[FILE|SENTENCE...]",
     "Says of each line whether it is a valid sentence: 1, a tab and its canonical text, or 0, a\n"
     "tab and the reason. What is no file and has neither slash nor dot is a sentence itself.\n"
     "Reads standard input when nothing is given.",
     OPTIONS(check_options),
     "warg lang check 'REQUEST (VOTE Agent[3])'\n"
     "warg lang check < sentences.txt\n"
     "warg lang check --vectors vectors.tsv --vectors vectors-throw.tsv\n",
     "a sentence is not valid, or a row of the vectors disagrees", check_command},
    {"lang explain", "[SENTENCE...]",
     "Says each sentence in plain English, and below it the tree of what is inside, with every\n"
     "subject written. Reads lines of standard input when none is given.",
     OPTIONS(explain_options),
     "warg lang explain --speaker 1 'REQUEST Agent[02] (VOTE Agent[03])'\n",
     "a sentence is not valid", explain_command},
    {0},
};

int cmd_lang(int argc, char **argv, Err *err)
{
    return options_run_verb("lang", cmd_lang_usage, argc, argv, err);
}

/* ---- lines ---- */

/* The lines of a file or of standard input. A line is all bytes up to an LF; NULs and a CR are
 * part of it. */
typedef struct Lines {
    FILE *file;
    const char *name; /* for messages */
    char *line;
    size_t room;
    unsigned number; /* of the line read last, from 1 */
} Lines;

static int lines_open(Lines *lines, const char *path, Err *err)
{
    *lines = (Lines){.name = path ? path : "standard input"};
    if (!path) {
        lines->file = stdin;
        return 0;
    }
    int fd = -1;
    int rc = regular_file_open(path, &fd, err);
    if (rc)
        return rc;
    lines->file = fdopen(fd, "r");
    if (lines->file)
        return 0;
    close(fd);
    return err_set(err, ERR_IO, "can't open '%s': %s", lines->name, strerror(errno));
}

static void lines_close(Lines *lines)
{
    if (lines->file && lines->file != stdin)
        fclose(lines->file);
    mem_free(lines->line);
    *lines = (Lines){0};
}

/* 1 = got one, borrowed until the next; 0 = the end; negative = an error. */
static int lines_next(Lines *lines, Str *ret_line, Err *err)
{
    errno = 0;
    ssize_t len = getline(&lines->line, &lines->room, lines->file);

    if (len < 0) {
        if (feof(lines->file))
            return 0;
        if (errno == ENOMEM)
            return err_set(err, ERR_MEMORY, "'%s' line %u: no memory for the line", lines->name,
                           lines->number + 1);
        return err_set(err, ERR_IO, "can't read '%s': %s", lines->name,
                       strerror(errno ? errno : EIO));
    }
    lines->number++;
    if (len > 0 && lines->line[len - 1] == '\n')
        len--;
    *ret_line = (Str){lines->line, (size_t)len};
    return 1;
}

/* ---- check ---- */

/* Why a valid text is not what the library would write: the first byte that differs. */
static void strict_reason(Str text, Str canonical, Buf *out)
{
    size_t at = 0;

    while (at < text.len && at < canonical.len && text.bytes[at] == canonical.bytes[at])
        at++;
    buf_printf(out, "column %zu: valid, but the library would write ", at + 1);
    buf_add(out, canonical);
}

/* The answer for one line, without LF. Returns whether the line is accepted. */
static bool check_line(Str line, bool strict, Arena *arena, Buf *out)
{
    char text[LANG_TEXT_MAX];
    const Sentence *sentence;
    Err reason = {0};

    arena_clear(arena);
    if (lang_parse(line, arena, &sentence, &reason) != 0) {
        buf_printf(out, "0\tcolumn %u: %s", reason.column, reason.msg);
        return false;
    }
    Str canonical = {text, lang_write(sentence, text, sizeof(text))};
    if (strict && !lang_is_strict(line, sentence)) {
        buf_add(out, STR("0\t"));
        strict_reason(line, canonical, out);
        return false;
    }
    buf_add(out, STR("1\t"));
    buf_add(out, canonical);
    return true;
}

/* Prints what `out` holds as a line and empties it. */
static int print_line(Buf *out, Err *err)
{
    if (buf_failed(out))
        return err_set(err, ERR_MEMORY, "no memory for a line of output");
    buf_add_char(out, '\n');
    fwrite(out->bytes, 1, out->len, stdout);
    buf_clear(out);
    return 0;
}

/* 0 = every line is accepted, 1 = some are not. */
static int check_file(const char *path, bool strict, Arena *arena, Err *err)
{
    CLEANUP(lines_close) Lines lines = {0};
    CLEANUP(buf_done) Buf out = {0};
    int status = lines_open(&lines, path, err);
    int result = 0;
    Str line = {0};

    if (status != 0)
        return status;
    while ((status = lines_next(&lines, &line, err)) > 0) {
        if (!check_line(line, strict, arena, &out))
            result = 1;
        status = print_line(&out, err);
        if (status != 0)
            return status;
    }
    return status < 0 ? status : result;
}

/* A file, or else a sentence, which has neither a slash nor a dot: a file's name that was mistyped
 * is not taken for a sentence. */
static int check_argument(const char *argument, bool strict, Arena *arena, Err *err)
{
    CLEANUP(buf_done) Buf out = {0};

    if (strpbrk(argument, "/.") || access(argument, F_OK) == 0)
        return check_file(argument, strict, arena, err);
    bool accepted = check_line(str_of(argument), strict, arena, &out);
    int status = print_line(&out, err);
    return status ? status : !accepted;
}

/* Adds one file's rows to the counts; prints those that disagree. */
static int check_vectors(const char *path, Arena *arena, uint64_t *rows, uint64_t *wrong, Err *err)
{
    CLEANUP(lines_close) Lines lines = {0};
    CLEANUP(vectors_row_done) VectorRow row = {0};
    CLEANUP(buf_done) Buf out = {0};
    CLEANUP(buf_done) Buf got = {0};
    VectorForm form = VECTORS_CANONICAL;
    int status = lines_open(&lines, path, err);
    Str line = {0};

    if (status != 0)
        return status;
    status = lines_next(&lines, &line, err);
    if (status == 0)
        return err_set(err, ERR_SYNTAX, "'%s': expected column names, found an empty file", path);
    if (status > 0)
        status = vectors_header(line, 1, &form, err);
    while (status >= 0 && (status = lines_next(&lines, &line, err)) > 0) {
        status = vectors_row(line, lines.number, form, &row, err);
        if (status != 0)
            break;
        ++*rows;
        buf_clear(&got);
        if (vectors_agree(&row, arena, &got))
            continue;
        ++*wrong;
        /* The input as the file has it: it ends at the first tab. */
        buf_printf(&out, "%s: row %u: ", path, lines.number - 1);
        buf_add(&out, str_cut(&line, '\t'));
        buf_add(&out, STR("\n  expected\t"));
        vectors_expected(&row, &out);
        buf_add(&out, STR("\n  got\t"));
        buf_add(&out, buf_str(&got));
        status = print_line(&out, err);
    }
    if (status < 0)
        err_wrap(err, "'%s': ", path);
    return status;
}

static int check_all_vectors(const Options *given, Arena *arena, Err *err)
{
    uint64_t rows = 0;
    uint64_t wrong = 0;
    const char *path;

    for (size_t i = 0; (path = options_item(given, CHECK_VECTORS, i)); i++) {
        int status = check_vectors(path, arena, &rows, &wrong, err);
        if (status != 0)
            return status;
    }
    printf("%llu rows, %llu disagree\n", (unsigned long long)rows, (unsigned long long)wrong);
    return wrong ? 1 : 0;
}

static int check_command(int argc, char **argv, Err *err)
{
    CLEANUP(options_done) Options given = {0};
    CLEANUP(arena_done) Arena arena = arena_new(LANG_ARENA_BYTES(LANG_BYTES_MAX));
    int go = options_parse(&cmd_lang_usage[0], argc, argv, &given, err);
    int result = 0;

    if (go <= 0)
        return go;
    if (!arena.block)
        return err_set(err, ERR_MEMORY, "no memory for a sentence");
    bool strict = options_has(&given, CHECK_STRICT);
    if (options_has(&given, CHECK_VECTORS)) {
        if (given.argument_count || strict)
            return err_set(err, ERR_USAGE, "--vectors goes with neither --strict nor a FILE: '%s'",
                           given.argument_count ? given.arguments[0] : "--strict");
        return check_all_vectors(&given, &arena, err);
    }
    if (given.argument_count == 0)
        return check_file(NULL, strict, &arena, err);
    for (int i = 0; i < given.argument_count; i++) {
        int status = check_argument(given.arguments[i], strict, &arena, err);
        if (status < 0)
            return status;
        if (status > 0)
            result = status;
    }
    return result;
}

/* ---- explain ---- */

/* The sentence in English or JSON, or why it is not valid. Returns whether it is. */
/* In English, and below it the tree when there is something inside. */
static void explain_sentence(const Sentence *sentence, LangAgent speaker, Buf *out)
{
    CLEANUP(buf_done) Buf tree = {0};

    lang_explain(sentence, speaker, out);
    if (!sentence->child)
        return;
    lang_tree(sentence, speaker, &tree);
    Str rest = buf_str(&tree);
    while (rest.len) {
        buf_add(out, STR("\n    "));
        buf_add(out, str_cut(&rest, '\n'));
    }
}

static bool explain_line(Str line, LangAgent speaker, bool json, Arena *arena, Buf *out)
{
    const Sentence *sentence;
    Err reason = {0};

    arena_clear(arena);
    if (lang_parse(line, arena, &sentence, &reason) == 0) {
        if (json)
            lang_json(sentence, speaker, out);
        else
            explain_sentence(sentence, speaker, out);
        return true;
    }
    if (json) {
        Json object = json_over(out);
        json_open(&object, '{');
        json_add_str(&object, "error", str_of(reason.msg));
        json_add_uint(&object, "column", reason.column);
        json_close(&object);
    } else {
        buf_printf(out, "Not valid: column %u: %s", reason.column, reason.msg);
    }
    return false;
}

static int explain_arguments(const Options *given, LangAgent speaker, Arena *arena, Err *err)
{
    CLEANUP(buf_done) Buf out = {0};
    bool json = options_has(given, EXPLAIN_JSON);
    int result = 0;

    for (int i = 0; i < given->argument_count; i++) {
        if (!explain_line(str_of(given->arguments[i]), speaker, json, arena, &out))
            result = 1;
        int status = print_line(&out, err);
        if (status != 0)
            return status;
    }
    return result;
}

static int explain_input(const Options *given, LangAgent speaker, Arena *arena, Err *err)
{
    CLEANUP(lines_close) Lines lines = {0};
    CLEANUP(buf_done) Buf out = {0};
    bool json = options_has(given, EXPLAIN_JSON);
    int status = lines_open(&lines, NULL, err);
    int result = 0;
    Str line = {0};

    while (status == 0 && (status = lines_next(&lines, &line, err)) > 0) {
        if (!explain_line(line, speaker, json, arena, &out))
            result = 1;
        status = print_line(&out, err);
    }
    return status < 0 ? status : result;
}

static int explain_command(int argc, char **argv, Err *err)
{
    CLEANUP(options_done) Options given = {0};
    CLEANUP(arena_done) Arena arena = arena_new(LANG_ARENA_BYTES(LANG_BYTES_MAX));
    int go = options_parse(&cmd_lang_usage[1], argc, argv, &given, err);

    if (go <= 0)
        return go;
    if (!arena.block)
        return err_set(err, ERR_MEMORY, "no memory for a sentence");
    LangAgent speaker = options_has(&given, EXPLAIN_SPEAKER)
                            ? (LangAgent)options_number(&given, EXPLAIN_SPEAKER)
                            : LANG_UNSPEC;
    if (given.argument_count)
        return explain_arguments(&given, speaker, &arena, err);
    return explain_input(&given, speaker, &arena, err);
}
