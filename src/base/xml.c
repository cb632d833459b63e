/* An element below the root is built as a tree in the arena, which is cleared when the next one
 * begins. So an element costs no allocation, and one that would need too much can't have it.
 *
 * Expat keeps every name of an element or attribute it has ever seen until the parser is freed. On
 * a stream that stays open for days a peer could fill the memory with names, so the parser is
 * renewed between two elements after some bytes: it is stopped at the end of one, and the new one
 * is given the root's tag and what is left.
 */
#include "base/xml.h"

#include "base/arena.h"
#include "base/utf8.h"

#include <assert.h>
#include <expat.h>
#include <stdarg.h>

/* Declared here too, and weakly: an expat from before the repair that brought it has it not.
 * NOLINTNEXTLINE(readability-redundant-declaration): not where the header is as old */
XML_Bool XML_SetReparseDeferralEnabled(XML_Parser parser, XML_Bool enabled) __attribute__((weak));

/* Expat puts it between namespace and name. No name has one in it. */
#define SEPARATOR   '\n'
#define ARENA_BYTES (8 * XML_ELEMENT_BYTES) /* nodes take more than their texts */
#ifdef FUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION
#    define RENEW_BYTES ((uint64_t)64) /* so that fuzz_xml sees it */
#else
#    define RENEW_BYTES ((uint64_t)1 << 20)
#endif

struct XmlStream {
    XML_Parser parser;
    XmlEvents events;
    Arena arena;
    Buf text;     /* characters since the last tag */
    Buf root_tag; /* as it came, for the next parser */
    XmlNode *open[XML_DEPTH_MAX];
    XmlNode *last[XML_DEPTH_MAX]; /* child of `open` */
    uint32_t depth;               /* tags that are open, the root's too */
    uint32_t base;                /* depth at which a tree begins: 1, or 0 for xml_read */
    size_t used;                  /* bytes of this element's names and texts */
    uint64_t fed;                 /* to this parser */
    uint64_t begin;               /* byte at which this element began, or the last one ended */
    const char *dropping;         /* why this element is none of ours; or NULL */
    bool whole;                   /* of xml_read: it has been closed */
    bool busy;                    /* inside the parser */
    bool freed;                   /* as soon as it is not */
    Err err;                      /* what it broke on */
};

/* ---- failing ---- */

__attribute__((format(printf, 3, 4))) static void fail_stream(XmlStream *stream, ErrCode code,
                                                              const char *format, ...)
{
    char text[ERR_TEXT_MAX];
    va_list args;

    va_start(args, format);
    vsnprintf(text, sizeof(text), format, args);
    va_end(args);
    err_fill(&stream->err, code, (unsigned)XML_GetCurrentLineNumber(stream->parser),
             (unsigned)XML_GetCurrentColumnNumber(stream->parser) + 1, "XML: %s", text);
    if (stream->busy)
        XML_StopParser(stream->parser, XML_FALSE);
}

/* Expat still calls some handlers after it was stopped. */
static bool is_over(const XmlStream *stream)
{
    return stream->freed || stream->err.code != ERR_OK;
}

static void drop_element(XmlStream *stream, const char *why)
{
    if (stream->events.dropped)
        stream->dropping = why;
    else
        fail_stream(stream, ERR_LIMIT, "%s", why);
}

/* ---- the tree ---- */

static void *take_bytes(XmlStream *stream, size_t bytes)
{
    return arena_take(&stream->arena, bytes);
}

/* False when it would be too much. */
static bool count_bytes(XmlStream *stream, size_t bytes)
{
    if (bytes > XML_ELEMENT_BYTES - stream->used)
        return false;
    stream->used += bytes;
    return true;
}

static bool copy_text(XmlStream *stream, Str text, Str *ret_copy)
{
    char *bytes = count_bytes(stream, text.len) ? take_bytes(stream, text.len) : NULL;

    if (!bytes)
        return false;
    if (text.len)
        memcpy(bytes, text.bytes, text.len);
    *ret_copy = (Str){bytes, text.len};
    return true;
}

/* Copies the two parts of a name of expat's; the namespace only if it is not `inherited`. */
static bool copy_name(XmlStream *stream, const char *full, Str inherited, Str *ret_space,
                      Str *ret_name)
{
    Str name = str_of(full);
    Str space = {"", 0};
    size_t at;

    if (str_find_last(name, SEPARATOR, &at)) {
        space = str_part(name, 0, at);
        name = str_part(name, at + 1, SIZE_MAX);
    }
    *ret_space = inherited;
    return (str_eq(space, inherited) || copy_text(stream, space, ret_space)) &&
           copy_text(stream, name, ret_name);
}

static bool copy_attributes(XmlStream *stream, const char **pairs, XmlNode *node)
{
    uint32_t n = 0;

    while (pairs[2 * (size_t)n])
        n++;
    XmlAttribute *list = take_bytes(stream, n * sizeof(*list));
    if (!list)
        return false;
    for (uint32_t i = 0; i < n; i++)
        if (!copy_name(stream, pairs[2 * i], (Str){"", 0}, &list[i].space, &list[i].name) ||
            !copy_text(stream, str_of(pairs[2 * i + 1]), &list[i].value))
            return false;
    node->attributes = list;
    node->attribute_count = n;
    return true;
}

/* NULL when there is no room for it. One whose attributes have none is told apart by `ret_all`. */
static XmlNode *node_new(XmlStream *stream, const char *name, const char **attributes,
                         Str inherited, bool *ret_all)
{
    XmlNode *node = take_bytes(stream, sizeof(*node));

    if (!node)
        return NULL;
    *node = (XmlNode){0};
    if (!copy_name(stream, name, inherited, &node->space, &node->name))
        return NULL;
    *ret_all = copy_attributes(stream, attributes, node);
    return node;
}

static void append_node(XmlStream *stream, uint32_t level, XmlNode *node)
{
    if (stream->last[level])
        stream->last[level]->next = node;
    else
        stream->open[level]->first = node;
    stream->last[level] = node;
}

/* Makes a node of the characters that came directly below open[level]. */
static void end_text(XmlStream *stream, uint32_t level)
{
    if (!stream->text.len)
        return;
    XmlNode *node = take_bytes(stream, sizeof(*node));
    char *bytes = node ? take_bytes(stream, stream->text.len) : NULL;
    if (!bytes) {
        drop_element(stream, "an element has too many parts");
        return;
    }
    memcpy(bytes, stream->text.bytes, stream->text.len); /* was counted as it came */
    *node = (XmlNode){.text = {bytes, stream->text.len}};
    append_node(stream, level, node);
    buf_clear(&stream->text);
}

/* ---- what the parser tells ---- */

static uint64_t event_end(const XmlStream *stream)
{
    return (uint64_t)XML_GetCurrentByteIndex(stream->parser) +
           (uint64_t)XML_GetCurrentByteCount(stream->parser);
}

static void keep_root_tag(XmlStream *stream)
{
    int offset = 0;
    int size = 0;
    const char *input = XML_GetInputContext(stream->parser, &offset, &size);
    int n = XML_GetCurrentByteCount(stream->parser);

    if (!input || n <= 0 || n > size - offset)
        return; /* an expat without it: then it is never renewed */
    buf_add(&stream->root_tag, (Str){input + offset, (size_t)n});
    if (buf_failed(&stream->root_tag))
        fail_stream(stream, ERR_MEMORY, "out of memory");
}

static void begin_tree(XmlStream *stream)
{
    arena_clear(&stream->arena);
    buf_clear(&stream->text);
    stream->used = 0;
    stream->dropping = NULL;
    stream->begin = (uint64_t)XML_GetCurrentByteIndex(stream->parser);
    memset(stream->open, 0, sizeof(stream->open));
}

static void open_root(XmlStream *stream, const char *name, const char **attributes)
{
    bool all = false;

    begin_tree(stream);
    stream->begin = event_end(stream);
    keep_root_tag(stream);
    XmlNode *root = node_new(stream, name, attributes, (Str){"", 0}, &all);
    if (!all)
        fail_stream(stream, ERR_LIMIT, "the stream's first tag is longer than %zu bytes",
                    XML_ELEMENT_BYTES);
    else if (!is_over(stream) && stream->events.opened)
        stream->events.opened(stream->events.user, root);
}

static void XMLCALL on_start(void *user, const char *name, const char **attributes)
{
    XmlStream *stream = user;

    if (is_over(stream))
        return;
    uint32_t depth = stream->depth++;
    if (depth < stream->base) {
        open_root(stream, name, attributes);
        return;
    }
    uint32_t level = depth - stream->base;
    if (level == XML_DEPTH_DROPPED) {
        fail_stream(stream, ERR_LIMIT, "an element has elements within elements more than %d deep",
                    XML_DEPTH_DROPPED);
        return;
    }
    if (level == 0)
        begin_tree(stream);
    else if (!stream->dropping && level <= XML_DEPTH_MAX)
        end_text(stream, level - 1);
    if (stream->dropping || is_over(stream))
        return;
    if (level >= XML_DEPTH_MAX) {
        drop_element(stream, "an element has elements within elements more than 32 deep");
        return;
    }
    bool all = false;
    XmlNode *node = node_new(stream, name, attributes,
                             level ? stream->open[level - 1]->space : (Str){"", 0}, &all);
    if (node && level)
        append_node(stream, level - 1, node);
    stream->open[level] = node;
    stream->last[level] = NULL;
    if (!all)
        drop_element(stream, "an element is longer than 128 KiB");
}

static void tell_element(XmlStream *stream)
{
    static const XmlNode nameless = {0};
    XmlNode *top = stream->open[0];

    if (!stream->dropping) {
        if (stream->events.element)
            stream->events.element(stream->events.user, top);
        return;
    }
    if (top)
        top->first = NULL;
    stream->events.dropped(stream->events.user, top ? top : &nameless, stream->dropping);
}

static void XMLCALL on_end(void *user, const char *name)
{
    XmlStream *stream = user;

    (void)name;
    if (is_over(stream))
        return;
    if (--stream->depth < stream->base) {
        if (stream->events.closed)
            stream->events.closed(stream->events.user);
        return;
    }
    uint32_t level = stream->depth - stream->base;
    if (!stream->dropping)
        end_text(stream, level);
    if (level > 0 || is_over(stream))
        return;
    stream->begin = event_end(stream);
    if (stream->base == 0) {
        stream->whole = true;
        return;
    }
    tell_element(stream);
    if (!is_over(stream) && stream->begin > RENEW_BYTES && stream->root_tag.len)
        XML_StopParser(stream->parser, XML_TRUE);
}

static void XMLCALL on_text(void *user, const char *bytes, int len)
{
    XmlStream *stream = user;
    Str text = {bytes, (size_t)len};

    if (is_over(stream) || (stream->dropping && stream->depth > stream->base))
        return;
    if (stream->depth <= stream->base) {
        stream->begin = event_end(stream);
        if (str_trim(text).len)
            fail_stream(stream, ERR_SYNTAX, "text between two elements of the stream");
        return;
    }
    if (!count_bytes(stream, text.len)) {
        drop_element(stream, "an element is longer than 128 KiB");
        return;
    }
    buf_add(&stream->text, text);
    if (buf_failed(&stream->text))
        fail_stream(stream, ERR_MEMORY, "out of memory");
}

static void refuse_construct(XmlStream *stream, const char *what)
{
    if (!is_over(stream))
        fail_stream(stream, ERR_SYNTAX, "%s, which a stream must not have (RFC 6120, 11.1)", what);
}

static void XMLCALL on_doctype(void *user, const char *name, const char *system_id,
                               const char *public_id, int has_internal)
{
    (void)name;
    (void)system_id;
    (void)public_id;
    (void)has_internal;
    refuse_construct(user, "a DTD");
}

static void XMLCALL on_instruction(void *user, const char *target, const char *data)
{
    (void)target;
    (void)data;
    refuse_construct(user, "a processing instruction");
}

static void XMLCALL on_comment(void *user, const char *text)
{
    (void)text;
    refuse_construct(user, "a comment");
}

/* ---- streams ---- */

/* Tokens are looked for whenever bytes come. By default a new expat waits until there are many more
 * of them, and what the peer has said whole stays unheard until it says something else. */
static XML_Parser parser_new(void)
{
    XML_Parser parser = XML_ParserCreateNS("UTF-8", SEPARATOR);

    if (parser && XML_SetReparseDeferralEnabled)
        XML_SetReparseDeferralEnabled(parser, XML_FALSE);
    return parser;
}

static void attach_parser(XmlStream *stream)
{
    XML_SetUserData(stream->parser, stream);
    XML_SetParamEntityParsing(stream->parser, XML_PARAM_ENTITY_PARSING_NEVER);
    XML_SetElementHandler(stream->parser, on_start, on_end);
    XML_SetCharacterDataHandler(stream->parser, on_text);
    XML_SetStartDoctypeDeclHandler(stream->parser, on_doctype);
    XML_SetProcessingInstructionHandler(stream->parser, on_instruction);
    XML_SetCommentHandler(stream->parser, on_comment);
}

int xml_stream_new(const XmlEvents *events, XmlStream **ret_stream, Err *err)
{
    CLEANUP(xml_stream_freep) XmlStream *stream = mem_new(sizeof(*stream));

    if (!stream)
        return err_set(err, ERR_MEMORY, "XML: out of memory");
    stream->arena = arena_new(ARENA_BYTES);
    stream->parser = parser_new();
    if (!stream->parser || !stream->arena.block)
        return err_set(err, ERR_MEMORY, "XML: out of memory");
    stream->events = *events;
    stream->base = 1;
    attach_parser(stream);
    *ret_stream = TAKE(stream);
    return 0;
}

XmlStream *xml_stream_free(XmlStream *stream)
{
    if (!stream)
        return NULL;
    if (stream->busy) {
        if (!stream->freed)
            XML_StopParser(stream->parser, XML_FALSE);
        stream->freed = true;
        return NULL;
    }
    if (stream->parser)
        XML_ParserFree(stream->parser);
    arena_done(&stream->arena);
    buf_done(&stream->text);
    buf_done(&stream->root_tag);
    return mem_free(stream);
}

void xml_stream_freep(XmlStream **stream)
{
    *stream = xml_stream_free(*stream);
}

/* What expat found wrong, as an error of ours. */
static void fail_parse(XmlStream *stream)
{
    enum XML_Error code = XML_GetErrorCode(stream->parser);

    if (code == XML_ERROR_NO_MEMORY)
        fail_stream(stream, ERR_MEMORY, "out of memory");
    else
        fail_stream(stream, ERR_SYNTAX, "%s", XML_ErrorString(code));
}

/* Between two elements: goes on with another parser. */
static void renew_parser(XmlStream *stream)
{
    Str tag = buf_str(&stream->root_tag);
    XML_Parser parser = parser_new();

    if (!parser || XML_Parse(parser, tag.bytes, (int)tag.len, XML_FALSE) != XML_STATUS_OK) {
        fail_stream(stream, ERR_MEMORY, "out of memory");
        if (parser)
            XML_ParserFree(parser);
        return;
    }
    XML_ParserFree(stream->parser);
    stream->parser = parser;
    stream->fed = stream->begin = tag.len;
    attach_parser(stream);
}

/* How many of the bytes were read: less than all when the parser was renewed. */
static size_t parse_bytes(XmlStream *stream, Str bytes)
{
    uint64_t before = stream->fed;

    stream->busy = true;
    enum XML_Status status = XML_Parse(stream->parser, bytes.bytes, (int)bytes.len, XML_FALSE);
    stream->busy = false;
    stream->fed += bytes.len;
    if (is_over(stream))
        return bytes.len;
    if (status == XML_STATUS_SUSPENDED) {
        size_t read = (size_t)(stream->begin - before);
        renew_parser(stream);
        return read;
    }
    if (status != XML_STATUS_OK)
        fail_parse(stream);
    else if (stream->fed - stream->begin > XML_RAW_BYTES)
        fail_stream(stream, ERR_LIMIT, "an element is written with more than %zu bytes",
                    XML_RAW_BYTES);
    return bytes.len;
}

int xml_stream_feed(XmlStream *stream, Str bytes, Err *err)
{
    assert(!stream->busy && "fed from its own callback");
    /* From a NUL expat would conclude that it is UTF-16, if it sees it early enough. */
    const char *nul = bytes.len ? memchr(bytes.bytes, '\0', bytes.len) : NULL;
    if (nul)
        bytes.len = (size_t)(nul - bytes.bytes);
    while (bytes.len && !is_over(stream)) {
        size_t read = parse_bytes(stream, str_part(bytes, 0, XML_RAW_BYTES / 2));

        bytes = str_part(bytes, read, SIZE_MAX);
    }
    if (nul && !is_over(stream))
        fail_stream(stream, ERR_SYNTAX, "a NUL byte");
    if (stream->freed) {
        xml_stream_free(stream);
        return 0;
    }
    if (stream->err.code == ERR_OK)
        return 0;
    return err_set_at(err, stream->err.code, stream->err.line, stream->err.column, "%s",
                      stream->err.msg);
}

int xml_read(Str text, XmlStream **ret_stream, const XmlNode **ret_root, Err *err)
{
    static const XmlEvents none = {0};
    CLEANUP(xml_stream_freep) XmlStream *stream = NULL;
    int code = xml_stream_new(&none, &stream, err);

    if (code)
        return code;
    stream->base = 0;
    code = xml_stream_feed(stream, text, err);
    if (code)
        return code;
    if (!stream->whole)
        return err_set(err, ERR_SYNTAX, "XML: the text ends inside an element, or has none");
    if (XML_Parse(stream->parser, "", 0, XML_TRUE) != XML_STATUS_OK) {
        fail_parse(stream);
        return err_set_at(err, stream->err.code, stream->err.line, stream->err.column, "%s",
                          stream->err.msg);
    }
    *ret_root = stream->open[0];
    *ret_stream = TAKE(stream);
    return 0;
}

/* ---- looking at a tree ---- */

Str xml_attribute(const XmlNode *node, const char *name)
{
    for (uint32_t i = 0; i < node->attribute_count; i++)
        if (!node->attributes[i].space.len && str_eq(node->attributes[i].name, str_of(name)))
            return node->attributes[i].value;
    return (Str){NULL, 0};
}

static const XmlNode *find_node(const XmlNode *node, const char *space, const char *name)
{
    while (node && !(str_eq(node->name, str_of(name)) && str_eq(node->space, str_of(space))))
        node = node->next;
    return node;
}

const XmlNode *xml_child(const XmlNode *node, const char *space, const char *name)
{
    return find_node(node->first, space, name);
}

const XmlNode *xml_next(const XmlNode *node, const char *space, const char *name)
{
    return find_node(node->next, space, name);
}

void xml_text(const XmlNode *node, Buf *out)
{
    for (const XmlNode *child = node->first; child; child = child->next)
        if (!child->name.len)
            buf_add(out, child->text);
}

/* ---- writing ---- */

/* What stands for a byte that can't stand for itself: in attributes white space would become
 * blanks, and CR a LF anywhere. */
static const char *escape_of(unsigned char byte)
{
    switch (byte) {
    case '&':
        return "&amp;";
    case '<':
        return "&lt;";
    case '>':
        return "&gt;";
    case '"':
        return "&quot;";
    case '\'':
        return "&apos;";
    case '\t':
        return "&#9;";
    case '\n':
        return "&#10;";
    case '\r':
        return "&#13;";
    default:
        return ""; /* XML has nothing for it */
    }
}

/* Whether a byte stands for itself, of ASCII. */
static bool is_plain(unsigned char byte)
{
    static const bool marked[0x80] = {
        ['&'] = true, ['<'] = true, ['>'] = true, ['"'] = true, ['\''] = true,
    };

    return byte >= ' ' && byte < 0x80 && !marked[byte];
}

static void quote_character(Buf *out, Str *rest)
{
    Str before = *rest;
    uint32_t character = utf8_next(rest);

    if (character == UTF8_INVALID)
        buf_add(out, STR("\xEF\xBF\xBD"));
    else if (character != 0xFFFE && character != 0xFFFF)
        buf_add(out, str_part(before, 0, before.len - rest->len));
}

void xml_quote(Buf *out, Str text)
{
    while (text.len) {
        size_t plain = 0;

        while (plain < text.len && is_plain((unsigned char)text.bytes[plain]))
            plain++;
        buf_add(out, str_part(text, 0, plain));
        text = str_part(text, plain, SIZE_MAX);
        if (!text.len)
            return;
        if ((unsigned char)text.bytes[0] >= 0x80) {
            quote_character(out, &text);
        } else {
            buf_add(out, str_of(escape_of((unsigned char)text.bytes[0])));
            text = str_part(text, 1, SIZE_MAX);
        }
    }
}
