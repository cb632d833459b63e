#include "seat/agent_command.h"

#include "base/suggest.h"
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

void agent_command_fill(const char *command, const char *name, const char *host, uint16_t port,
                        Buf *out)
{
    Str rest = str_of(command);
    char number[8];
    int n = snprintf(number, sizeof(number), "%u", port);
    const struct {
        Str key;
        Str value;
    } words[] = {
        {STR("{host}"), str_of(host)},
        {STR("{port}"), {number, n > 0 ? (size_t)n : 0}},
        {STR("{name}"), str_of(name)},
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

bool agent_command_find_slip(Str command, Str *ret_word, Str *ret_near)
{
    for (size_t i = 0; i < command.len; i++) {
        if (command.bytes[i] != '{' || (i > 0 && command.bytes[i - 1] == '$'))
            continue;
        Str rest = str_part(command, i + 1, command.len);
        Suggest near = {.word = str_cut(&rest, '}')};
        suggest_offer(&near, STR("host"));
        suggest_offer(&near, STR("port"));
        suggest_offer(&near, STR("name"));
        Str best = suggest_best(&near);
        if (best.len && !str_eq(best, near.word)) {
            *ret_word = near.word;
            *ret_near = best;
            return true;
        }
    }
    return false;
}

bool agent_command_has_port(Str command)
{
    for (size_t i = 0; i < command.len; i++)
        if (str_starts(str_part(command, i, command.len), STR("{port}")))
            return true;
    return false;
}

static bool is_plain(uint32_t c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
           c == '_';
}

/* What takes room when it is shown: blanks, controls and marks that don't look like others. */
static bool is_letter_beyond_ascii(uint32_t c, Str bytes)
{
    return c > 0xA0 && c != UTF8_INVALID && utf8_width(bytes) > 0 && c != 0x3000 &&
           !(c >= 0x2000 && c <= 0x206F) && !(c >= 0xE000 && c <= 0xF8FF);
}

void agent_command_add_file_name(const char *name, Buf *out)
{
    Str rest = str_of(name);

    while (rest.len) {
        const char *at = rest.bytes;
        uint32_t c = utf8_next(&rest);
        Str bytes = {at, (size_t)(rest.bytes - at)};
        if (is_plain(c) || (c == '.' && at > name) || is_letter_beyond_ascii(c, bytes))
            buf_add(out, bytes);
        else
            for (size_t i = 0; i < bytes.len; i++)
                buf_printf(out, "%%%02X", (unsigned char)bytes.bytes[i]);
    }
}

/* Tabs are blanks: traces of Java begin with one. */
static void add_line(Str line, Buf *out)
{
    CLEANUP(buf_done) Buf text = {0};

    buf_add(&text, line);
    for (size_t i = 0; i < text.len; i++)
        if (text.bytes[i] == '\t')
            text.bytes[i] = ' ';
    utf8_add_printable(buf_str(&text), LINE_CHARS_MAX, out);
    if (buf_failed(&text))
        buf_fail(out);
}

void agent_command_add_end(const char *name, Str last_lines, ChildEnd how, Buf *out)
{
    Str lines = str_trim(last_lines);

    buf_printf(out, "agent %s: its process ended, ", name);
    child_end_print(how, out);
    if (lines.len)
        buf_add(out, STR("; its last lines:\n"));
    while (lines.len) {
        buf_add(out, STR("    "));
        add_line(str_cut(&lines, '\n'), out);
        if (lines.len)
            buf_add_char(out, '\n');
    }
}
