#include "contest/starter_agent.h"

#include "contest/starter_line.h"

#define FIELDS_MAX 5

/* `text` cut at commas into at most FIELDS_MAX fields without blanks around them; returns how many
 * there are. */
static uint32_t split_fields(Str text, Str fields[static FIELDS_MAX])
{
    uint32_t count = 0;
    bool more = true;

    while (more && count < FIELDS_MAX) {
        more = memchr(text.bytes, ',', text.len) != NULL;
        fields[count++] = str_trim(str_cut(&text, ','));
    }
    return more ? FIELDS_MAX + 1 : count;
}

/* One word of the shell. A '{' is followed by a seam in the quotes, so that what looks like {name}
 * in the file stays as it is. */
static void add_quoted(Str word, Buf *out)
{
    buf_add_char(out, '\'');
    for (size_t i = 0; i < word.len; i++) {
        if (word.bytes[i] == '\'')
            buf_add(out, STR("'\\''"));
        else
            buf_add_char(out, word.bytes[i]);
        if (word.bytes[i] == '{')
            buf_add(out, STR("''"));
    }
    buf_add_char(out, '\'');
}

/* Plain words stay readable. */
static void add_word(Str word, Buf *out)
{
    bool plain = word.len > 0;

    for (size_t i = 0; i < word.len && plain; i++) {
        char c = word.bytes[i];
        plain = (str_lower_char(c) >= 'a' && str_lower_char(c) <= 'z') || (c >= '0' && c <= '9') ||
                (c && strchr("./_-+:@%", c));
    }
    if (plain)
        buf_add(out, word);
    else
        add_quoted(word, out);
}

static int add_agent(const StarterPlace *place, Str name, const Buf *command, const char *folder,
                     unsigned line, Err *err)
{
    PlanAgent agent = {.folder = folder[0] ? folder : NULL};
    Err own = {0};
    int rc = plan_agent_name(&agent, name, &own);

    if (rc == 0)
        rc = starter_keep_text(place->plan, command, line, &agent.command, &own);
    if (rc == 0)
        rc = plan_add_agent(place->plan, &agent, &own);
    if (rc == ERR_USAGE)
        rc = ERR_RULE;
    return rc ? err_set_at(err, (ErrCode)rc, line, 0, "%s", own.msg) : 0;
}

/* The role's name as it is written here; empty = it is none. */
static Str role_called(Str text)
{
    for (int role = ROLE_NONE + 1; role < ROLE_COUNT; role++)
        if (starter_same_word(text, str_of(role_name((Role)role))))
            return str_of(role_name((Role)role));
    return (Str){0};
}

/* A role that an agent wishes for; empty, "none" and "any" are no wish. */
static int read_wish(Str text, unsigned line, Str *ret_role, Err *err)
{
    *ret_role = role_called(text);
    if (ret_role->len || text.len == 0 || starter_same_word(text, STR("none")) ||
        starter_same_word(text, STR("any")))
        return 0;
    return err_set_at(err, ERR_RULE, line, 0, "'%.*s' is no role", STR_ARG(str_part(text, 0, 64)));
}

static void java_command(Str class_path, Str class, Str role, Buf *out)
{
    buf_add(out, STR("java -cp "));
    add_quoted(class_path, out); /* java itself looks what jars there are */
    buf_add(out, STR(" org.aiwolf.common.bin.ClientStarter -h {host} -p {port} -c "));
    add_word(class, out);
    if (role.len)
        buf_printf(out, " %.*s", STR_ARG(role));
    buf_add(out, STR(" -n {name}"));
}

/* A program of the starter's folder must not be looked for in PATH. */
static void add_program(Str program, Buf *out)
{
    CLEANUP(buf_done) Buf path = {0};

    if (!memchr(program.bytes, '/', program.len))
        buf_add(&path, STR("./"));
    buf_add(&path, program);
    add_word(buf_str(&path), out);
    if (buf_failed(&path))
        buf_fail(out);
}

static bool text_ends(Str text, Str ending)
{
    return text.len >= ending.len &&
           starter_same_word(str_part(text, text.len - ending.len, ending.len), ending);
}

/* Python programs were started without -n, which many of those times refuse. */
static void program_command(const char *runner, Str program, Str role, Buf *out)
{
    bool python = str_starts(str_of(runner), STR("python"));

    buf_add(out, str_of(runner));
    add_program(program, out);
    buf_add(out, python ? STR(" -h {host} -p {port}") : STR(" -h {host} -p {port} -n {name}"));
    if (role.len)
        buf_printf(out, " -r %.*s", STR_ARG(role));
}

static bool is_language(Str word)
{
    return starter_same_word(word, STR("java")) || starter_same_word(word, STR("python")) ||
           starter_same_word(word, STR("c#"));
}

/* NAME,CLASS or NAME,CLASS,ROLE, from when all agents were in Java. */
static bool is_class_line(const Str *fields, uint32_t count)
{
    return count == 2 || (count == 3 && !is_language(fields[1]) && role_called(fields[2]).len);
}

int starter_agent_java(const StarterPlace *place, Str line, unsigned number, Err *err)
{
    CLEANUP(buf_done) Buf command = {0};
    Str fields[FIELDS_MAX];
    uint32_t count = split_fields(line, fields);
    const bool class = is_class_line(fields, count);
    const uint32_t at = class ? 1 : 2; /* of what to start; behind it the role */
    Str role = {0};

    if (!class && (count < 3 || count > 4 || !is_language(fields[1])))
        return err_set_at(err, ERR_RULE, number, 0,
                          "expected NAME,CLASS[,ROLE] or NAME,java|python|C#,WHAT[,ROLE], "
                          "found '%.*s'",
                          STR_ARG(str_part(line, 0, 100)));
    Str what = fields[at];
    int rc = starter_check_text(what, "what to start", number, err);
    if (rc == 0 && count > at + 1)
        rc = read_wish(fields[at + 1], number, &role, err);
    if (rc)
        return rc;
    if (class || starter_same_word(fields[1], STR("java")))
        java_command(str_of(place->class_path), what, role, &command);
    else if (starter_same_word(fields[1], STR("python")))
        program_command("python3 ", what, role, &command);
    else
        program_command(text_ends(what, STR(".dll")) ? "dotnet " : "", what, role, &command);
    return add_agent(place, fields[0], &command, place->folder, number, err);
}

/* The next word of a command line as Windows takes it apart: blanks separate, double quotes keep
 * together. `out` gets the word. */
static bool next_word(Str *rest, Buf *out)
{
    bool quoted = false;

    *rest = str_trim(*rest);
    buf_clear(out);
    if (rest->len == 0)
        return false;
    while (rest->len && (quoted || (rest->bytes[0] != ' ' && rest->bytes[0] != '\t'))) {
        if (rest->bytes[0] == '"')
            quoted = !quoted;
        else
            buf_add_char(out, rest->bytes[0]);
        *rest = str_part(*rest, 1, rest->len);
    }
    return true;
}

static bool is_interpreter(Str program)
{
    static const char *const names[] = {"dotnet", "mono", "java", "python", "python3", NULL};

    for (size_t i = 0; names[i]; i++)
        if (str_eq(program, str_of(names[i])))
            return true;
    return false;
}

/* "agent" of "bin/agent.exe". */
static Str base_name(Str path)
{
    size_t start = path.len;

    while (start > 0 && path.bytes[start - 1] != '/' && path.bytes[start - 1] != '\\')
        start--;
    Str name = str_part(path, start, path.len);
    for (size_t i = name.len; i > 1; i--)
        if (name.bytes[i - 1] == '.')
            return str_part(name, 0, i - 1);
    return name;
}

/* The arguments as words of the shell. What follows -h, -p and -n is ours to say; which of them
 * there are is told in `given` ("h", "p", "n"). `name` becomes what follows -n, and else what the
 * first word is called if that is asked for. */
static void add_arguments(Str arguments, bool name_by_first, bool given[static 3], Buf *name,
                          Buf *out)
{
    static const char *const options[] = {"-h", "-p", "-n"};
    static const char *const fillers[] = {"{host}", "{port}", "{name}"};
    CLEANUP(buf_done) Buf word = {0};
    int after = -1;

    while (next_word(&arguments, &word)) {
        buf_add_char(out, ' ');
        if (after >= 0) {
            if (after == 2) {
                buf_clear(name);
                buf_add(name, buf_str(&word));
            }
            buf_add(out, str_of(fillers[after]));
            after = -1;
            continue;
        }
        if (name_by_first && name->len == 0)
            buf_add(name, base_name(buf_str(&word)));
        for (int i = 0; i < 3; i++)
            if (str_eq(buf_str(&word), str_of(options[i])) && arguments.len) {
                after = i;
                given[i] = true;
            }
        add_word(buf_str(&word), out);
    }
    if (buf_failed(&word))
        buf_fail(out);
}

int starter_agent_dotnet(const StarterPlace *place, Str line, unsigned number, Err *err)
{
    CLEANUP(buf_done) Buf command = {0};
    CLEANUP(buf_done) Buf name = {0};
    bool given[3] = {false};
    Str arguments = line;
    Str program = str_trim(str_cut(&arguments, ','));
    const char *folder = place->folder;
    Str where = {0};
    size_t comma = arguments.len;
    int rc = starter_check_text(line, "a program", number, err);

    if (rc == 0)
        rc = starter_check_text(program, "a program", number, err);
    while (comma > 0 && arguments.bytes[comma - 1] != ',')
        comma--;
    if (comma > 0) {
        where = str_trim(str_part(arguments, comma, arguments.len));
        arguments = str_part(arguments, 0, comma - 1);
    }
    if (rc == 0 && where.len && !str_eq(where, STR(".")) && !str_eq(where, STR("./")))
        rc = starter_keep_path(place->plan, folder, where, number, &folder, err);
    if (rc)
        return rc;
    if (is_interpreter(program))
        buf_add(&command, program);
    else if (text_ends(program, STR(".dll"))) {
        buf_add(&command, STR("dotnet "));
        add_program(program, &command);
    } else {
        add_program(program, &command);
    }
    add_arguments(arguments, is_interpreter(program), given, &name, &command);
    buf_printf(&command, "%s%s%s", given[0] ? "" : " -h {host}", given[1] ? "" : " -p {port}",
               given[2] || str_starts(program, STR("python")) ? "" : " -n {name}");
    if (name.len == 0)
        buf_add(&name, base_name(program));
    if (buf_failed(&name))
        return err_set(err, ERR_MEMORY, "starter: out of memory");
    return add_agent(place, buf_str(&name), &command, folder, number, err);
}

int starter_agent_class(const StarterPlace *place, Str line, unsigned number, Err *err)
{
    CLEANUP(buf_done) Buf command = {0};
    Str wish = line, role = {0};
    Str class = str_trim(str_cut(&wish, ':'));
    size_t start = class.len;
    int rc = starter_check_text(class, "a class", number, err);

    if (rc == 0)
        rc = read_wish(str_trim(wish), number, &role, err);
    if (rc)
        return rc;
    while (start > 0 && class.bytes[start - 1] != '.')
        start--;
    java_command(str_of(place->class_path), class, role, &command);
    return add_agent(place, str_part(class, start, class.len), &command, place->folder, number,
                     err);
}

bool starter_agent_is_java(Str line)
{
    Str fields[FIELDS_MAX];
    uint32_t count = split_fields(line, fields);

    return count <= 2 || is_language(fields[1]) || is_class_line(fields, count);
}
