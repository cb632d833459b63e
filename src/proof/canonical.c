#include "proof/canonical.h"

#include "base/utf8.h"

#include <inttypes.h>

/* ---- names and strings ---- */

/* A code point's place among UTF-16 units: those of two units begin with D800 to DBFF and so come
 * before U+E000. */
static uint32_t unit_order(uint32_t code)
{
    return code < 0xE000 || code >= 0x10000 ? code : code + 0x110000;
}

static uint32_t hex_digit(char c)
{
    return (uint32_t)(c <= '9' ? c - '0' : c - 'a' + 10);
}

/* What stands behind a backslash that the check allowed; only \u00xx takes more than one letter. */
static uint32_t escaped_code(Str *rest)
{
    char c = rest->bytes[0];
    uint32_t code = c == 'b'   ? '\b'
                    : c == 't' ? '\t'
                    : c == 'n' ? '\n'
                    : c == 'f' ? '\f'
                    : c == 'r' ? '\r'
                    : c == 'u' ? hex_digit(rest->bytes[3]) << 4 | hex_digit(rest->bytes[4])
                               : (unsigned char)c;

    *rest = str_part(*rest, c == 'u' ? 5 : 1, rest->len);
    return code;
}

/* The next character of what stands between the quotes of a checked string. */
static uint32_t next_code(Str *rest)
{
    if (rest->bytes[0] != '\\')
        return utf8_next(rest);
    *rest = str_part(*rest, 1, rest->len);
    return escaped_code(rest);
}

static Str without_quotes(Str string)
{
    return str_part(string, 1, string.len - 2);
}

/* Below 0, 0 or above: how two names with their quotes are ordered. */
static int compare_names(Str a, Str b)
{
    a = without_quotes(a);
    b = without_quotes(b);
    while (a.len && b.len) {
        uint32_t x = unit_order(next_code(&a)), y = unit_order(next_code(&b));
        if (x != y)
            return x < y ? -1 : 1;
    }
    return (a.len > 0) - (b.len > 0);
}

/* The letter behind the backslash for a character that has a short one, or 0. */
static char short_escape(unsigned char c)
{
    switch (c) {
    case '\b':
        return 'b';
    case '\t':
        return 't';
    case '\n':
        return 'n';
    case '\f':
        return 'f';
    case '\r':
        return 'r';
    case '"':
    case '\\':
        return (char)c;
    default:
        return 0;
    }
}

static void quote_text(Buf *out, Str text)
{
    buf_add_char(out, '"');
    for (size_t i = 0; i < text.len; i++) {
        unsigned char c = (unsigned char)text.bytes[i];
        char letter = short_escape(c);
        if (letter) {
            buf_add_char(out, '\\');
            buf_add_char(out, letter);
        } else if (c < 0x20) {
            buf_printf(out, "\\u%04x", c);
        } else {
            buf_add_char(out, (char)c);
        }
    }
    buf_add_char(out, '"');
}

bool canonical_text(Str value, Buf *out)
{
    if (value.len < 2 || value.bytes[0] != '"')
        return false;
    Str rest = without_quotes(value);
    while (rest.len) {
        const char *at = rest.bytes;
        bool escaped = *at == '\\';
        uint32_t code = next_code(&rest);
        if (escaped)
            buf_add_char(out, (char)code);
        else
            buf_add(out, (Str){at, (size_t)(rest.bytes - at)});
    }
    return true;
}

/* ---- reading ---- */

typedef struct Reader {
    Str rest;
    const char *start;
    unsigned depth;
    Err *err;
} Reader;

static int not_canonical(const Reader *reader, const char *at, const char *why)
{
    unsigned column = (unsigned)(at - reader->start) + 1;

    return err_set_at(reader->err, ERR_SYNTAX, 0, column, "byte %u: %s", column, why);
}

static bool has(const Reader *reader, char c)
{
    return reader->rest.len && reader->rest.bytes[0] == c;
}

static void skip(Reader *reader, size_t bytes)
{
    reader->rest = str_part(reader->rest, bytes, reader->rest.len);
}

static bool take(Reader *reader, char c)
{
    bool there = has(reader, c);

    if (there)
        skip(reader, 1);
    return there;
}

/* What stands behind a backslash. */
static int read_escape(Reader *reader, const char *at)
{
    Str rest = reader->rest;

    if (rest.len && memchr("btnfr\"\\", rest.bytes[0], 7)) {
        skip(reader, 1);
        return 0;
    }
    if (rest.len < 5 || !str_starts(rest, STR("u00")) ||
        (rest.bytes[3] != '0' && rest.bytes[3] != '1') ||
        !memchr("0123456789abcdef", rest.bytes[4], 16))
        return not_canonical(reader, at, "this escape is not the one way to write it");
    unsigned char c = (unsigned char)(hex_digit(rest.bytes[3]) << 4 | hex_digit(rest.bytes[4]));
    if (short_escape(c))
        return not_canonical(reader, at, "this character has a shorter escape");
    skip(reader, 5);
    return 0;
}

/* Letters of ASCII that stand for themselves: most of a ledger. */
static void skip_plain(Reader *reader)
{
    size_t n = 0;

    for (; n < reader->rest.len; n++) {
        unsigned char c = (unsigned char)reader->rest.bytes[n];
        if (c < 0x20 || c >= 0x80 || c == '"' || c == '\\')
            break;
    }
    skip(reader, n);
}

/* A string with its quotes. */
static int read_string(Reader *reader, Str *ret_string)
{
    const char *start = reader->rest.bytes;

    if (!take(reader, '"'))
        return not_canonical(reader, start, "expected a string");
    while (skip_plain(reader), reader->rest.len && !has(reader, '"')) {
        const char *at = reader->rest.bytes;
        int rc = 0;
        if ((unsigned char)*at < 0x20)
            return not_canonical(reader, at, "a control character must be escaped");
        if (take(reader, '\\'))
            rc = read_escape(reader, at);
        else if (utf8_next(&reader->rest) == UTF8_INVALID)
            rc = not_canonical(reader, at, "this is not UTF-8");
        if (rc)
            return rc;
    }
    if (!take(reader, '"'))
        return not_canonical(reader, reader->rest.bytes, "the string has no end");
    *ret_string = (Str){start, (size_t)(reader->rest.bytes - start)};
    return 0;
}

static int read_number(Reader *reader)
{
    const char *start = reader->rest.bytes;
    bool negative = take(reader, '-');
    uint64_t value = 0;
    size_t digits = 0;

    while (digits < reader->rest.len && reader->rest.bytes[digits] >= '0' &&
           reader->rest.bytes[digits] <= '9')
        digits++;
    Str number = str_part(reader->rest, 0, digits);
    if (digits == 0)
        return not_canonical(reader, start, "expected a value");
    if (number.bytes[0] == '0' && (digits > 1 || negative))
        return not_canonical(reader, start, "a number is written without needless zeros or signs");
    if (!str_to_uint(number, CANONICAL_NUMBER_MAX, &value))
        return not_canonical(reader, start, "whole numbers are below 2^53");
    skip(reader, digits);
    if (reader->rest.len && memchr(".eE", reader->rest.bytes[0], 3))
        return not_canonical(reader, reader->rest.bytes, "fractions are written as strings");
    return 0;
}

static bool take_word(Reader *reader)
{
    static const char *const words[] = {"true", "false", "null"};

    for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
        if (str_starts(reader->rest, str_of(words[i]))) {
            skip(reader, strlen(words[i]));
            return true;
        }
    return false;
}

static int read_value(Reader *reader);

/* A member, whose name must come behind `before` (empty for the first). */
static int read_member(Reader *reader, Str *before)
{
    const char *at = reader->rest.bytes;
    Str name;
    int rc = read_string(reader, &name);

    if (rc)
        return rc;
    int order = before->len ? compare_names(*before, name) : -1;
    if (order >= 0)
        return not_canonical(reader, at,
                             order ? "members are in the order of their names"
                                   : "this member is there twice");
    *before = name;
    if (!take(reader, ':'))
        return not_canonical(reader, reader->rest.bytes, "expected ':'");
    return read_value(reader);
}

/* An object or an array, behind its bracket. */
static int read_list(Reader *reader, bool object)
{
    const char end = object ? '}' : ']';
    Str before = {0};
    int rc = 0;

    if (take(reader, end))
        return 0;
    do
        rc = object ? read_member(reader, &before) : read_value(reader);
    while (rc == 0 && take(reader, ','));
    if (rc == 0 && !take(reader, end))
        rc = not_canonical(reader, reader->rest.bytes,
                           object ? "expected ',' or '}'" : "expected ',' or ']'");
    return rc;
}

static int read_value(Reader *reader)
{
    bool object = has(reader, '{');
    Str string;

    if (has(reader, '"'))
        return read_string(reader, &string);
    if (take_word(reader))
        return 0;
    if (!object && !has(reader, '['))
        return read_number(reader);
    if (++reader->depth > CANONICAL_DEPTH_MAX)
        return err_set(reader->err, ERR_LIMIT, "nested deeper than %d", CANONICAL_DEPTH_MAX);
    skip(reader, 1);
    int rc = read_list(reader, object);
    reader->depth--;
    return rc;
}

int canonical_check(Str line, Err *err)
{
    Reader reader = {.rest = line, .start = line.bytes, .err = err};

    if (line.len == 0 || line.bytes[0] != '{')
        return err_set_at(err, ERR_SYNTAX, 0, 1, "byte 1: expected an object");
    int rc = read_value(&reader);
    if (rc == 0 && reader.rest.len)
        rc = not_canonical(&reader, reader.rest.bytes, "expected the end of the line");
    return rc;
}

bool canonical_member(Str line, Str name, Str *ret_value)
{
    Reader reader = {.rest = line, .start = line.bytes};

    if (!take(&reader, '{') || has(&reader, '}'))
        return false;
    do {
        Str found;
        if (read_string(&reader, &found) || !take(&reader, ':'))
            return false;
        const char *start = reader.rest.bytes;
        if (read_value(&reader))
            return false;
        if (str_eq(without_quotes(found), name)) {
            *ret_value = (Str){start, (size_t)(reader.rest.bytes - start)};
            return true;
        }
    } while (take(&reader, ','));
    return false;
}

/* ---- writing ---- */

void canonical_done(Canonical *canonical)
{
    buf_done(&canonical->text);
    buf_done(&canonical->sorted);
    mem_free(canonical->members);
    *canonical = (Canonical){0};
}

void canonical_clear(Canonical *canonical)
{
    buf_clear(&canonical->text);
    buf_clear(&canonical->sorted);
    canonical->count = 0;
    canonical->depth = 0;
    canonical->err = (Err){0};
}

static bool is_wrong(const Canonical *canonical)
{
    return canonical->err.code != ERR_OK;
}

static bool in_object(const Canonical *canonical)
{
    return canonical->depth && canonical->open[canonical->depth - 1].object;
}

/* The member whose value comes next, if its name is there. */
static CanonicalMember *open_member(Canonical *canonical)
{
    CanonicalMember *last = canonical->count ? &canonical->members[canonical->count - 1] : NULL;

    return last && last->end == 0 && in_object(canonical) &&
                   canonical->count > canonical->open[canonical->depth - 1].first
               ? last
               : NULL;
}

/* Before each value: the comma of an array, or the name of a member is there. False when the value
 * can't stand here. */
static bool begin_value(Canonical *canonical)
{
    if (is_wrong(canonical))
        return false;
    if (canonical->depth == 0 ? canonical->text.len > 0
                              : in_object(canonical) && !open_member(canonical)) {
        err_set(&canonical->err, ERR_RULE, "canonical JSON: a value without a name");
        return false;
    }
    if (canonical->depth && !in_object(canonical)) {
        if (canonical->open[canonical->depth - 1].filled)
            buf_add_char(&canonical->text, ',');
        canonical->open[canonical->depth - 1].filled = true;
    }
    return true;
}

static void end_value(Canonical *canonical)
{
    CanonicalMember *member = open_member(canonical);

    if (member)
        member->end = canonical->text.len;
}

void canonical_open(Canonical *canonical, char bracket)
{
    if (!begin_value(canonical))
        return;
    if (canonical->depth == CANONICAL_DEPTH_MAX) {
        err_set(&canonical->err, ERR_LIMIT, "canonical JSON: nested deeper than %d",
                CANONICAL_DEPTH_MAX);
        return;
    }
    canonical->open[canonical->depth].start = canonical->text.len;
    canonical->open[canonical->depth].first = canonical->count;
    canonical->open[canonical->depth].object = bracket == '{';
    canonical->open[canonical->depth].filled = false;
    canonical->depth++;
    buf_add_char(&canonical->text, bracket);
}

static bool member_room(Canonical *canonical)
{
    if (canonical->count < canonical->room)
        return true;
    size_t room = canonical->room ? 2 * canonical->room : 16;
    CanonicalMember *members = mem_resize(canonical->members, room, sizeof(*members));
    if (!members) {
        err_set(&canonical->err, ERR_MEMORY, "canonical JSON: out of memory");
        return false;
    }
    canonical->members = members;
    canonical->room = room;
    return true;
}

static bool is_utf8(Canonical *canonical, Str text)
{
    bool valid = utf8_valid(text);

    if (!valid)
        err_set(&canonical->err, ERR_SYNTAX, "canonical JSON: a text is not UTF-8");
    return valid;
}

void canonical_key(Canonical *canonical, Str name)
{
    if (is_wrong(canonical) || !is_utf8(canonical, name))
        return;
    if (!in_object(canonical) || open_member(canonical)) {
        err_set(&canonical->err, ERR_RULE, "canonical JSON: '%.*s' stands where no name can",
                STR_ARG(str_part(name, 0, 100)));
        return;
    }
    if (!member_room(canonical))
        return;
    CanonicalMember *member = &canonical->members[canonical->count++];
    *member = (CanonicalMember){.start = canonical->text.len};
    quote_text(&canonical->text, name);
    member->value = canonical->text.len;
}

void canonical_put_text(Canonical *canonical, Str text)
{
    if (!is_wrong(canonical) && is_utf8(canonical, text) && begin_value(canonical)) {
        quote_text(&canonical->text, text);
        end_value(canonical);
    }
}

void canonical_put_number(Canonical *canonical, int64_t number)
{
    if (number > CANONICAL_NUMBER_MAX || number < -CANONICAL_NUMBER_MAX) {
        err_set(&canonical->err, ERR_LIMIT, "canonical JSON: %" PRId64 " is not below 2^53",
                number);
        return;
    }
    if (begin_value(canonical)) {
        buf_add_int(&canonical->text, number);
        end_value(canonical);
    }
}

static void put_word(Canonical *canonical, Str word)
{
    if (begin_value(canonical)) {
        buf_add(&canonical->text, word);
        end_value(canonical);
    }
}

void canonical_put_bool(Canonical *canonical, bool value)
{
    put_word(canonical, value ? STR("true") : STR("false"));
}

void canonical_put_null(Canonical *canonical)
{
    put_word(canonical, STR("null"));
}

static Str name_of(const Canonical *canonical, const CanonicalMember *member)
{
    return (Str){canonical->text.bytes + member->start, member->value - member->start};
}

/* Few members, mostly in order already. */
static void sort_members(Canonical *canonical, size_t first)
{
    for (size_t i = first + 1; i < canonical->count; i++) {
        CanonicalMember moved = canonical->members[i];
        size_t to = i;
        int order = 1;
        while (to > first && (order = compare_names(name_of(canonical, &canonical->members[to - 1]),
                                                    name_of(canonical, &moved))) > 0) {
            canonical->members[to] = canonical->members[to - 1];
            to--;
        }
        canonical->members[to] = moved;
        if (order == 0) {
            err_set(&canonical->err, ERR_RULE, "canonical JSON: %.*s is there twice",
                    STR_ARG(name_of(canonical, &moved)));
            return;
        }
    }
}

/* Writes the members of the innermost object in their order. */
static void write_members(Canonical *canonical, size_t start, size_t first)
{
    buf_clear(&canonical->sorted);
    for (size_t i = first; i < canonical->count; i++) {
        const CanonicalMember *member = &canonical->members[i];
        if (i > first)
            buf_add_char(&canonical->sorted, ',');
        buf_add(&canonical->sorted, name_of(canonical, member));
        buf_add_char(&canonical->sorted, ':');
        buf_add(&canonical->sorted,
                (Str){canonical->text.bytes + member->value, member->end - member->value});
    }
    buf_cut(&canonical->text, start + 1);
    buf_add(&canonical->text, buf_str(&canonical->sorted));
    if (buf_failed(&canonical->sorted))
        buf_fail(&canonical->text);
}

void canonical_close(Canonical *canonical)
{
    if (is_wrong(canonical))
        return;
    if (canonical->depth == 0 || open_member(canonical) || buf_failed(&canonical->text)) {
        err_set(&canonical->err, buf_failed(&canonical->text) ? ERR_MEMORY : ERR_RULE,
                "canonical JSON: nothing to close, or a name without a value");
        return;
    }
    unsigned level = canonical->depth - 1;
    bool object = canonical->open[level].object;
    if (object) {
        sort_members(canonical, canonical->open[level].first);
        if (!is_wrong(canonical))
            write_members(canonical, canonical->open[level].start, canonical->open[level].first);
        canonical->count = canonical->open[level].first;
    }
    buf_add_char(&canonical->text, object ? '}' : ']');
    canonical->depth = level;
    end_value(canonical);
}

int canonical_end(Canonical *canonical, Str *ret_text, Err *err)
{
    if (is_wrong(canonical))
        return err_set(err, canonical->err.code, "%s", canonical->err.msg);
    if (buf_failed(&canonical->text))
        return err_set(err, ERR_MEMORY, "canonical JSON: out of memory");
    if (canonical->depth || !str_starts(buf_str(&canonical->text), STR("{")))
        return err_set(err, ERR_RULE, "canonical JSON: the object has no end");
    *ret_text = buf_str(&canonical->text);
    return 0;
}
