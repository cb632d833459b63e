#include "llm/decision_object.h"

#include "base/utf8.h"
#include "llm/wording.h"

#define DEPTH_MAX 16
#define TRIES_MAX 32 /* braces at which an object is looked for */
#define KEY_MAX   40

static const struct {
    const char *key;
    FieldName field;
} keys[] = {
    {"type", FIELD_TYPE},          {"action", FIELD_ACTION},     {"decision", FIELD_ACTION},
    {"act", FIELD_ACTION},         {"choice", FIELD_ACTION},     {"move", FIELD_ACTION},
    {"行動", FIELD_ACTION},        {"アクション", FIELD_ACTION}, {"決定", FIELD_ACTION},
    {"message", FIELD_MESSAGE},    {"speech", FIELD_MESSAGE},    {"content", FIELD_MESSAGE},
    {"text", FIELD_MESSAGE},       {"utterance", FIELD_MESSAGE}, {"line", FIELD_MESSAGE},
    {"response", FIELD_MESSAGE},   {"reply", FIELD_MESSAGE},     {"statement", FIELD_MESSAGE},
    {"メッセージ", FIELD_MESSAGE}, {"発言", FIELD_MESSAGE},      {"発話", FIELD_MESSAGE},
    {"内容", FIELD_MESSAGE},       {"target", FIELD_TARGET},     {"player", FIELD_TARGET},
    {"name", FIELD_NAME},          {"candidate", FIELD_TARGET},  {"vote_target", FIELD_TARGET},
    {"voted", FIELD_TARGET},       {"agent", FIELD_TARGET},      {"対象", FIELD_TARGET},
    {"投票先", FIELD_TARGET},      {"標的", FIELD_TARGET},       {"名前", FIELD_TARGET},
    {"reason", FIELD_REASON},      {"why", FIELD_REASON},        {"because", FIELD_REASON},
    {"explanation", FIELD_REASON}, {"理由", FIELD_REASON},       {"thought", FIELD_THOUGHT},
    {"thoughts", FIELD_THOUGHT},   {"thinking", FIELD_THOUGHT},  {"reasoning", FIELD_THOUGHT},
    {"analysis", FIELD_THOUGHT},   {"思考", FIELD_THOUGHT},      {"考え", FIELD_THOUGHT},
    {"bid", FIELD_TARGET},         {"vote", FIELD_VOTE},         {"vote_for", FIELD_VOTE},
    {"投票", FIELD_VOTE},          {"divine", FIELD_VOTE},       {"guard", FIELD_VOTE},
    {"attack", FIELD_VOTE},        {"speak", FIELD_SPEAK},       {"say", FIELD_SPEAK},
    {"talk", FIELD_SPEAK},         {"chat", FIELD_SPEAK},        {"whisper", FIELD_SPEAK},
    {"listen", FIELD_LISTEN},      {"pass", FIELD_LISTEN},       {"skip", FIELD_LISTEN},
};

FieldName field_of(Str key)
{
    for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
        if (wording_same(key, str_of(keys[i].key)))
            return keys[i].field;
    return FIELD_COUNT;
}

void object_done(Object *object)
{
    for (size_t i = 0; i < FIELD_COUNT; i++)
        buf_done(&object->fields[i].text);
}

/* ---- quotes ---- */

typedef struct Quote {
    const char *open;
    const char *close;
} Quote;

static const Quote quotes[] = {
    {"\"", "\""}, {"'", "'"}, {"`", "`"}, {"“", "”"}, {"‘", "’"}, {"„", "“"},
};

typedef struct Reader {
    Str rest;
    Object *object;
    Buf scratch; /* the text that is read */
    bool cut;    /* the input ended too early */
} Reader;

static void advance_reader(Reader *reader, size_t bytes)
{
    reader->rest = str_part(reader->rest, bytes, reader->rest.len);
}

static bool at_char(const Reader *reader, char c)
{
    return reader->rest.len > 0 && reader->rest.bytes[0] == c;
}

static const Quote *quote_at(Str rest)
{
    for (size_t i = 0; i < sizeof(quotes) / sizeof(quotes[0]); i++)
        if (str_starts(rest, str_of(quotes[i].open)))
            return &quotes[i];
    return NULL;
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

/* Blanks, and comments as some models write them. */
static void skip_blanks(Reader *reader)
{
    for (;;) {
        size_t n = 0;

        while (n < reader->rest.len && is_blank(reader->rest.bytes[n]))
            n++;
        advance_reader(reader, n);
        if (str_starts(reader->rest, STR("//"))) {
            const char *end = memchr(reader->rest.bytes, '\n', reader->rest.len);
            advance_reader(reader, end ? (size_t)(end - reader->rest.bytes) : reader->rest.len);
        } else if (str_starts(reader->rest, STR("/*"))) {
            size_t end;
            bool ends = wording_find(reader->rest, STR("*/"), 2, &end);
            advance_reader(reader, ends ? end + 2 : reader->rest.len);
        } else {
            return;
        }
    }
}

static bool bare_byte(char c)
{
    return (unsigned char)c >= 0x80 || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
           (c >= '0' && c <= '9') || c == '_' || c == '-';
}

/* Whether a key stands here, with quotes or without. */
static bool key_at(Str rest)
{
    size_t n = 0;

    if (quote_at(rest))
        return true;
    while (n < rest.len && n < KEY_MAX && bare_byte(rest.bytes[n]))
        n++;
    while (n < rest.len && n < KEY_MAX && is_blank(rest.bytes[n]))
        n++;
    return n > 0 && n < rest.len && rest.bytes[n] == ':';
}

/* Whether a quote with `rest` behind it ends its text, or stands inside: He said "no" to Bo. */
static bool ends_text(Str rest, bool is_key)
{
    bool new_line = false;
    size_t n = 0;

    for (; n < rest.len && is_blank(rest.bytes[n]); n++)
        new_line |= rest.bytes[n] == '\n';
    rest = str_part(rest, n, rest.len);
    if (!rest.len)
        return true;
    if (is_key)
        return rest.bytes[0] == ':' || rest.bytes[0] == '=';
    if (rest.bytes[0] == '}' || rest.bytes[0] == ']' || str_starts(rest, STR("//")) ||
        str_starts(rest, STR("```")))
        return true;
    if (rest.bytes[0] != ',')
        return new_line && key_at(rest);
    for (n = 1; n < rest.len && is_blank(rest.bytes[n]); n++)
        ;
    rest = str_part(rest, n, rest.len);
    return !rest.len || rest.bytes[0] == '}' || rest.bytes[0] == ']' || rest.bytes[0] == ',' ||
           rest.bytes[0] == '/' || key_at(rest);
}

/* ---- texts ---- */

static void add_code(Buf *out, uint32_t code)
{
    if (code < 0x80) {
        buf_add_char(out, (char)code);
        return;
    }
    if (code >= 0x10000)
        buf_add_char(out, (char)(0xF0 | code >> 18));
    else if (code >= 0x800)
        buf_add_char(out, (char)(0xE0 | code >> 12));
    else
        buf_add_char(out, (char)(0xC0 | code >> 6));
    if (code >= 0x10000)
        buf_add_char(out, (char)(0x80 | (code >> 12 & 0x3F)));
    if (code >= 0x800)
        buf_add_char(out, (char)(0x80 | (code >> 6 & 0x3F)));
    buf_add_char(out, (char)(0x80 | (code & 0x3F)));
}

static bool hex_at(Str text, size_t at, uint32_t *ret_code)
{
    uint32_t code = 0;

    if (at + 4 > text.len)
        return false;
    for (size_t i = at; i < at + 4; i++) {
        char c = text.bytes[i];
        uint32_t digit = c >= '0' && c <= '9'   ? (uint32_t)(c - '0')
                         : c >= 'a' && c <= 'f' ? (uint32_t)(c - 'a') + 10
                         : c >= 'A' && c <= 'F' ? (uint32_t)(c - 'A') + 10
                                                : 16;
        if (digit == 16)
            return false;
        code = code << 4 | digit;
    }
    *ret_code = code;
    return true;
}

/* The escape at the front, `\` first; takes it. An unknown one stands for its character. */
static void read_escape(Reader *reader)
{
    Str rest = reader->rest;
    uint32_t code, low;
    char c;

    if (rest.len < 2) {
        advance_reader(reader, rest.len);
        return;
    }
    c = rest.bytes[1];
    if (c == 'u' && hex_at(rest, 2, &code)) {
        size_t taken = 6;

        if (code >= 0xD800 && code < 0xDC00 && str_starts(str_part(rest, 6, 2), STR("\\u")) &&
            hex_at(rest, 8, &low) && low >= 0xDC00 && low < 0xE000) {
            code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
            taken = 12;
        }
        add_code(&reader->scratch, code >= 0xD800 && code < 0xE000 ? UTF8_REPLACEMENT : code);
        advance_reader(reader, taken);
        return;
    }
    if (c == 'n' || c == 'r')
        c = '\n';
    else if (c == 't' || c == 'b' || c == 'f')
        c = ' ';
    buf_add_char(&reader->scratch, c);
    advance_reader(reader, 2);
}

/* A text in quotes into reader->scratch. A text that the input ends in sets reader->cut. */
static void read_quoted(Reader *reader, const Quote *quote, bool is_key)
{
    Str close = str_of(quote->close);

    buf_clear(&reader->scratch);
    advance_reader(reader, strlen(quote->open));
    while (reader->rest.len) {
        if (at_char(reader, '\\')) {
            read_escape(reader);
        } else if (str_starts(reader->rest, close) &&
                   ends_text(str_part(reader->rest, close.len, reader->rest.len), is_key)) {
            advance_reader(reader, close.len);
            return;
        } else {
            buf_add_char(&reader->scratch, reader->rest.bytes[0]);
            advance_reader(reader, 1);
        }
    }
    reader->cut = true;
}

/* A value or key without quotes, up to what ends it. */
static void read_bare(Reader *reader, bool is_key)
{
    const char *ends = is_key ? ":={}[],\n" : ",}]\n";
    size_t n = 0;

    while (n < reader->rest.len && !memchr(ends, reader->rest.bytes[n], strlen(ends)))
        n++;
    buf_clear(&reader->scratch);
    buf_add(&reader->scratch, str_trim(str_part(reader->rest, 0, n)));
    advance_reader(reader, n);
    reader->cut |= !reader->rest.len;
}

/* ---- objects ---- */

static bool read_object(Reader *reader, unsigned depth);
static bool read_value(Reader *reader, FieldName name, unsigned depth);

/* Fields of an inner object count where the outer one has none; in one object the last counts, as
 * JSON readers have it. */
static Field *field_for(Reader *reader, FieldName name, unsigned depth)
{
    Field *field = name < FIELD_COUNT ? &reader->object->fields[name] : NULL;

    return field && (!field->depth || field->depth >= depth) ? field : NULL;
}

static void keep_field(Reader *reader, FieldName name, unsigned depth, bool null)
{
    Field *field = field_for(reader, name, depth);

    if (!field)
        return;
    buf_clear(&field->text);
    if (!null)
        buf_add(&field->text, str_part(buf_str(&reader->scratch), 0, FIELD_BYTES_MAX));
    field->depth = depth;
    field->cut = reader->cut;
    field->null = null;
}

/* A list: its first value counts as the value. */
static bool read_list(Reader *reader, FieldName name, unsigned depth)
{
    bool first = true;

    advance_reader(reader, 1);
    for (;;) {
        skip_blanks(reader);
        if (!reader->rest.len || at_char(reader, ']') || at_char(reader, '}'))
            break;
        if (at_char(reader, ',')) {
            advance_reader(reader, 1);
            continue;
        }
        if (!read_value(reader, first ? name : FIELD_COUNT, depth))
            return false;
        first = false;
    }
    if (first)
        keep_field(reader, name, depth, true);
    if (at_char(reader, ']'))
        advance_reader(reader, 1);
    else
        reader->cut |= !reader->rest.len;
    return true;
}

static bool is_null(Str text)
{
    return !text.len || wording_same(text, STR("null")) || wording_same(text, STR("none")) ||
           wording_same(text, STR("false")) || wording_same(text, STR("nil"));
}

static bool read_value(Reader *reader, FieldName name, unsigned depth)
{
    const Quote *quote = quote_at(reader->rest);

    if (depth >= DEPTH_MAX)
        return false;
    if (quote) {
        read_quoted(reader, quote, false);
        keep_field(reader, name, depth, false);
        return true;
    }
    if (at_char(reader, '{')) {
        /* {"vote": {"target": "Bo"}}: the key is said too. */
        if (name == FIELD_VOTE || name == FIELD_SPEAK || name == FIELD_LISTEN)
            keep_field(reader, name, depth, true);
        return read_object(reader, depth + 1);
    }
    if (at_char(reader, '['))
        return read_list(reader, name, depth + 1);
    read_bare(reader, false);
    keep_field(reader, name, depth, is_null(buf_str(&reader->scratch)));
    return true;
}

static FieldName read_key(Reader *reader)
{
    const Quote *quote = quote_at(reader->rest);

    if (quote)
        read_quoted(reader, quote, true);
    else
        read_bare(reader, true);
    return field_of(str_trim(buf_str(&reader->scratch)));
}

/* `{` is at the front. False: what is there is no object. An object without its end is one, with
 * reader->cut. */
static bool read_object(Reader *reader, unsigned depth)
{
    if (depth >= DEPTH_MAX)
        return false;
    advance_reader(reader, 1);
    for (;;) {
        skip_blanks(reader);
        if (!reader->rest.len) {
            reader->cut = true;
            return true;
        }
        if (at_char(reader, '}')) {
            advance_reader(reader, 1);
            return true;
        }
        if (at_char(reader, ',')) {
            advance_reader(reader, 1);
            continue;
        }
        FieldName name = read_key(reader);
        skip_blanks(reader);
        if (reader->cut || !reader->rest.len) {
            reader->cut = true;
            return true;
        }
        if (!at_char(reader, ':') && !at_char(reader, '='))
            return false;
        advance_reader(reader, str_starts(reader->rest, STR("=>")) ? 2 : 1);
        skip_blanks(reader);
        if (!read_value(reader, name, depth))
            return false;
    }
}

static bool any_field(const Object *object)
{
    for (size_t i = 0; i < FIELD_COUNT; i++)
        if (object->fields[i].depth)
            return true;
    return false;
}

static void forget_fields(Object *object)
{
    for (size_t i = 0; i < FIELD_COUNT; i++) {
        buf_clear(&object->fields[i].text);
        object->fields[i].depth = 0;
        object->fields[i].cut = object->fields[i].null = false;
    }
}

/* A complete object is looked for first, then one that the answer's end cuts. */
static bool read_any(Str text, bool complete, Object *object, Buf *scratch)
{
    size_t at = 0;

    for (unsigned tries = 0; tries < TRIES_MAX && at < text.len; tries++) {
        const char *brace = memchr(text.bytes + at, '{', text.len - at);
        if (!brace)
            return false;
        at = (size_t)(brace - text.bytes);
        Reader reader = {.rest = str_part(text, at, text.len), .object = object};

        reader.scratch = *scratch;
        bool good = read_object(&reader, 1);
        *scratch = reader.scratch;
        if (good && any_field(object) && (!complete || !reader.cut))
            return true;
        forget_fields(object);
        /* Behind an object that was none of ours, or at the next brace. */
        at = good && !reader.cut ? text.len - reader.rest.len : at + 1;
    }
    return false;
}

bool object_read(Str text, Object *object)
{
    CLEANUP(buf_done) Buf scratch = {0};

    text = str_part(text, 0, OBJECT_BYTES_MAX);
    forget_fields(object);
    return read_any(text, true, object, &scratch) || read_any(text, false, object, &scratch);
}
