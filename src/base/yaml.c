#include "base/yaml.h"

#include <yaml.h>

/* What is needed while reading one text. */
typedef struct Reader {
    yaml_parser_t parser;
    Str text;
    Arena *arena;
    Err *err;
} Reader;

static unsigned line_of(const yaml_event_t *event)
{
    return (unsigned)event->start_mark.line + 1;
}

static unsigned column_of(const yaml_event_t *event)
{
    return (unsigned)event->start_mark.column + 1;
}

static int refuse_event(Reader *reader, ErrCode code, const yaml_event_t *event, const char *why)
{
    return err_set_at(reader->err, code, line_of(event), column_of(event), "%s", why);
}

/* Whether a tab stands in the indentation of the line where libyaml gave up. It says only that no
 * token can start there, and an editor shows nothing. */
static bool stopped_at_tab(const Reader *reader)
{
    const yaml_mark_t *at = &reader->parser.problem_mark;
    Str rest = reader->text;

    for (size_t line = 0; line < at->line && rest.len; line++)
        str_cut(&rest, '\n');
    Str line = str_cut(&rest, '\n');
    for (size_t i = 0; i < line.len && (line.bytes[i] == ' ' || line.bytes[i] == '\t'); i++)
        if (line.bytes[i] == '\t')
            return true;
    return false;
}

/* What libyaml says about a text it can't read. */
static int parser_error(Reader *reader)
{
    const yaml_parser_t *parser = &reader->parser;
    const char *problem = parser->problem ? parser->problem : "can't be read";

    if (parser->error == YAML_MEMORY_ERROR)
        return err_set(reader->err, ERR_MEMORY, "YAML: out of memory");
    if (parser->error == YAML_READER_ERROR)
        return err_set(reader->err, ERR_SYNTAX, "YAML: %s at byte %zu", problem,
                       parser->problem_offset);
    unsigned line = (unsigned)parser->problem_mark.line + 1;
    if (stopped_at_tab(reader))
        return err_set_at(reader->err, ERR_SYNTAX, line, 1,
                          "YAML: the line begins with a tab; only blanks indent");
    return err_set_at(reader->err, ERR_SYNTAX, line, (unsigned)parser->problem_mark.column + 1,
                      "YAML: %s%s%s", problem, parser->context ? " " : "",
                      parser->context ? parser->context : "");
}

/* The next event; the caller deletes it. */
static int next_event(Reader *reader, yaml_event_t *ret_event)
{
    return yaml_parser_parse(&reader->parser, ret_event) ? 0 : parser_error(reader);
}

static int refuse_full(Reader *reader, const yaml_event_t *event)
{
    return refuse_event(reader, ERR_MEMORY, event, "YAML: the text is too large for its memory");
}

static int new_node(Reader *reader, const yaml_event_t *event, YamlKind kind, YamlNode **ret_node)
{
    YamlNode *node = arena_take(reader->arena, sizeof(*node));

    if (!node)
        return refuse_full(reader, event);
    *node = (YamlNode){.kind = kind, .line = line_of(event), .column = column_of(event)};
    *ret_node = node;
    return 0;
}

/* The text of a scalar event, copied into the arena. */
static int copy_text(Reader *reader, const yaml_event_t *event, Str *ret_text)
{
    size_t n = event->data.scalar.length;
    char *bytes = n ? arena_take(reader->arena, n) : NULL;

    if (n && !bytes)
        return refuse_full(reader, event);
    if (n)
        memcpy(bytes, event->data.scalar.value, n);
    *ret_text = (Str){n ? bytes : "", n};
    return 0;
}

/* Anchors and tags of any node. "!" is what libyaml gives a quoted scalar without a tag. */
static int refuse_extras(Reader *reader, const yaml_event_t *event, const yaml_char_t *anchor,
                         const yaml_char_t *tag)
{
    if (anchor)
        return refuse_event(reader, ERR_SYNTAX, event, "YAML: anchors are not used here");
    if (tag)
        return refuse_event(reader, ERR_SYNTAX, event, "YAML: tags are not used here");
    return 0;
}

static int read_node(Reader *reader, yaml_event_t *event, unsigned depth, YamlNode **ret_node);

static int read_scalar(Reader *reader, const yaml_event_t *event, YamlNode **ret_node)
{
    YamlNode *node = NULL;
    int status = refuse_extras(reader, event, event->data.scalar.anchor, event->data.scalar.tag);

    if (status == 0)
        status = new_node(reader, event, YAML_SCALAR, &node);
    if (node)
        status = copy_text(reader, event, &node->text);
    if (status != 0 || !node)
        return status;
    node->quoted = event->data.scalar.style != YAML_PLAIN_SCALAR_STYLE;
    *ret_node = node;
    return 0;
}

/* The key of a pair: a scalar that the map hasn't yet. */
static int read_key(Reader *reader, const yaml_event_t *event, const YamlNode *map, Str *ret_key)
{
    const YamlNode *same;

    if (event->type != YAML_SCALAR_EVENT)
        return refuse_event(reader, ERR_SYNTAX, event, "YAML: a key must be a plain text");
    if (map->count >= YAML_KEYS_MAX)
        return refuse_event(reader, ERR_LIMIT, event, "YAML: more than 4096 keys in one map");
    int status = refuse_extras(reader, event, event->data.scalar.anchor, event->data.scalar.tag);
    if (status == 0)
        status = copy_text(reader, event, ret_key);
    if (status != 0)
        return status;
    for (same = map->first; same; same = same->next)
        if (str_eq(same->key, *ret_key))
            return err_set_at(reader->err, ERR_SYNTAX, line_of(event), column_of(event),
                              "YAML: key '%.*s' is here twice, first in line %u", STR_ARG(*ret_key),
                              same->key_line);
    return 0;
}

/* One child of `parent`, whose first event is `event`: an element, or a key with its value. */
static int read_child(Reader *reader, yaml_event_t *event, unsigned depth, const YamlNode *parent,
                      YamlNode **ret_child)
{
    if (parent->kind == YAML_LIST)
        return read_node(reader, event, depth, ret_child);

    yaml_event_t value;
    YamlNode *child = NULL;
    Str key = {0};
    int status = read_key(reader, event, parent, &key);
    if (status == 0)
        status = next_event(reader, &value);
    if (status != 0)
        return status;
    status = read_node(reader, &value, depth, &child);
    yaml_event_delete(&value);
    if (!child)
        return status;
    child->key = key;
    child->key_line = line_of(event);
    child->key_column = column_of(event);
    *ret_child = child;
    return 0;
}

static int read_children(Reader *reader, unsigned depth, yaml_event_type_t end, YamlNode *parent)
{
    const YamlNode **link = &parent->first;

    for (;;) {
        yaml_event_t event;
        YamlNode *child = NULL;
        int status = next_event(reader, &event);
        if (status != 0)
            return status;
        bool done = event.type == end;
        if (!done)
            status = read_child(reader, &event, depth, parent, &child);
        yaml_event_delete(&event);
        if (status != 0 || done)
            return status;
        *link = child;
        link = &child->next;
        parent->count++;
    }
}

static int read_container(Reader *reader, const yaml_event_t *event, unsigned depth,
                          YamlNode **ret_node)
{
    bool map = event->type == YAML_MAPPING_START_EVENT;
    const yaml_char_t *anchor =
        map ? event->data.mapping_start.anchor : event->data.sequence_start.anchor;
    const yaml_char_t *tag = map ? event->data.mapping_start.tag : event->data.sequence_start.tag;
    YamlNode *node = NULL;

    if (depth >= YAML_DEPTH_MAX)
        return refuse_event(reader, ERR_LIMIT, event, "YAML: nested deeper than 16 levels");
    int status = refuse_extras(reader, event, anchor, tag);
    if (status == 0)
        status = new_node(reader, event, map ? YAML_MAP : YAML_LIST, &node);
    if (node)
        status = read_children(reader, depth + 1,
                               map ? YAML_MAPPING_END_EVENT : YAML_SEQUENCE_END_EVENT, node);
    if (status == 0)
        *ret_node = node;
    return status;
}

/* The node that `event` begins; the caller deletes the event. */
static int read_node(Reader *reader, yaml_event_t *event, unsigned depth, YamlNode **ret_node)
{
    if (event->type == YAML_ALIAS_EVENT)
        return refuse_event(reader, ERR_SYNTAX, event, "YAML: aliases are not used here");
    if (event->type == YAML_SCALAR_EVENT)
        return read_scalar(reader, event, ret_node);
    return read_container(reader, event, depth, ret_node);
}

/* The events around the only document: stream start, document start, node, document end. */
static int read_stream(Reader *reader, const YamlNode **ret_root)
{
    YamlNode *root = NULL;

    for (;;) {
        yaml_event_t event;
        int status = next_event(reader, &event);
        if (status != 0)
            return status;
        bool done = event.type == YAML_STREAM_END_EVENT;
        if (done && !root)
            status = new_node(reader, &event, YAML_MAP, &root);
        else if (event.type == YAML_DOCUMENT_START_EVENT && root)
            status = refuse_event(reader, ERR_SYNTAX, &event, "YAML: only one document is read");
        else if (event.type != YAML_STREAM_START_EVENT && event.type != YAML_DOCUMENT_START_EVENT &&
                 event.type != YAML_DOCUMENT_END_EVENT && !done)
            status = read_node(reader, &event, 0, &root);
        yaml_event_delete(&event);
        if (status != 0)
            return status;
        if (done)
            break;
    }
    *ret_root = root;
    return 0;
}

int yaml_read(Str text, Arena *arena, const YamlNode **ret_root, Err *err)
{
    Reader reader = {.text = text, .arena = arena, .err = err};

    if (text.len > YAML_BYTES_MAX)
        return err_set_at(err, ERR_LIMIT, 1, 1, "YAML: the text is larger than 1 MiB");
    if (!yaml_parser_initialize(&reader.parser))
        return err_set(err, ERR_MEMORY, "YAML: out of memory");
    yaml_parser_set_encoding(&reader.parser, YAML_UTF8_ENCODING);
    yaml_parser_set_input_string(&reader.parser,
                                 (const unsigned char *)(text.len ? text.bytes : ""), text.len);
    int status = read_stream(&reader, ret_root);
    yaml_parser_delete(&reader.parser);
    return status;
}

/* ---- looking things up ---- */

const YamlNode *yaml_get(const YamlNode *map, const char *key)
{
    if (!map || map->kind != YAML_MAP)
        return NULL;
    for (const YamlNode *node = map->first; node; node = node->next)
        if (str_eq(node->key, str_of(key)))
            return node;
    return NULL;
}

int yaml_mismatch(const YamlNode *node, const char *expected, Err *err)
{
    static const char *const kinds[] = {"a text", "a list", "a map"};
    bool scalar = node->kind == YAML_SCALAR;
    Str shown = scalar ? str_part(node->text, 0, 60) : str_of(kinds[node->kind]);
    const char *quote = scalar ? "'" : "";

    if (node->key.len)
        return err_set_at(err, ERR_SYNTAX, node->line, node->column,
                          "key '%.*s': expected %s, but got %s%.*s%s", STR_ARG(node->key), expected,
                          quote, STR_ARG(shown), quote);
    return err_set_at(err, ERR_SYNTAX, node->line, node->column, "expected %s, but got %s%.*s%s",
                      expected, quote, STR_ARG(shown), quote);
}

int yaml_expect(const YamlNode *node, YamlKind kind, Err *err)
{
    static const char *const kinds[] = {"a text", "a list", "a map"};

    return node->kind == kind ? 0 : yaml_mismatch(node, kinds[kind], err);
}

int yaml_bool(const YamlNode *node, bool *ret_value, Err *err)
{
    bool yes = node->kind == YAML_SCALAR && str_eq(node->text, STR("true"));
    bool no = node->kind == YAML_SCALAR && str_eq(node->text, STR("false"));

    if (node->quoted || (!yes && !no))
        return yaml_mismatch(node, "true or false", err);
    *ret_value = yes;
    return 0;
}

int yaml_int(const YamlNode *node, int64_t min, int64_t max, int64_t *ret_value, Err *err)
{
    char expected[80];

    if (node->kind == YAML_SCALAR && !node->quoted && str_to_int(node->text, min, max, ret_value))
        return 0;
    snprintf(expected, sizeof(expected), "a number from %lld to %lld", (long long)min,
             (long long)max);
    return yaml_mismatch(node, expected, err);
}

int yaml_str(const YamlNode *node, Str *ret_value, Err *err)
{
    if (node->kind != YAML_SCALAR)
        return yaml_mismatch(node, "a text", err);
    *ret_value = node->text;
    return 0;
}
