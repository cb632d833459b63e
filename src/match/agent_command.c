#include "match/agent_command.h"

#include "base/utf8.h"

#define LINE_CHARS_MAX 200

/* One word for /bin/sh, whatever is in it. */
static void add_quoted(Str word, Buf *out)
{
    buf_add_char(out, '\'');
    for (size_t i = 0; i < word.len; i++)
        if (word.bytes[i] == '\'')
            buf_add(out, STR("'\\''"));
        else
            buf_add_char(out, word.bytes[i]);
    buf_add_char(out, '\'');
}

void agent_command_fill(const PlanAgent *agent, const char *host, uint16_t port, Buf *out)
{
    Str rest = str_of(agent->command);
    char number[8];
    int n = snprintf(number, sizeof(number), "%u", port);
    const struct {
        Str key;
        Str value;
    } words[] = {
        {STR("{host}"), str_of(host)},
        {STR("{port}"), {number, n > 0 ? (size_t)n : 0}},
        {STR("{name}"), str_of(agent->name)},
    };

    while (rest.len) {
        size_t i = 0;
        while (i < 3 && !str_starts(rest, words[i].key))
            i++;
        if (i < 3)
            add_quoted(words[i].value, out);
        else
            buf_add_char(out, rest.bytes[0]);
        rest = str_part(rest, i < 3 ? words[i].key.len : 1, rest.len);
    }
}

void agent_command_add_file_name(const char *name, Buf *out)
{
    for (const char *c = name; *c; c++) {
        bool plain = (*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z') ||
                     (*c >= '0' && *c <= '9') || *c == '-' || (*c == '.' && c > name);
        buf_add_char(out, plain ? *c : '_');
    }
}

void agent_command_add_end(const char *name, const Child *child, ChildEnd how, Buf *out)
{
    Str lines = str_trim(child_last_lines(child));

    buf_printf(out, "agent %s: its process ended, ", name);
    child_end_print(how, out);
    if (lines.len)
        buf_add(out, STR("; its last lines:\n"));
    while (lines.len) {
        buf_add(out, STR("    "));
        utf8_add_printable(str_cut(&lines, '\n'), LINE_CHARS_MAX, out);
        if (lines.len)
            buf_add_char(out, '\n');
    }
}
