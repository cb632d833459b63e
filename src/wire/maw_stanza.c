#include "wire/maw_stanza.h"

#define FORM_SPACE   "jabber:x:data"
#define FORM_TITLE   "spade:x:metadata"
#define ERROR_SPACE  "urn:ietf:params:xml:ns:xmpp-stanzas"
#define LANG_SPACE   "http://www.w3.org/XML/1998/namespace"
#define THREAD_FIELD "_thread_node"

/* ---- acts ---- */

/* The names that are sent, and behind them those that are only read. FIPA SC00037; `query` is of
 * MAW 0.1 (docs/spec/maw.md 0.1), as an act it is none. */
static const struct {
    const char *name;
    MawAct act;
} acts[] = {
    {"request", ACT_REQUEST},
    {"query-ref", ACT_QUERY_REF},
    {"inform", ACT_INFORM},
    {"agree", ACT_AGREE},
    {"refuse", ACT_REFUSE},
    {"failure", ACT_FAILURE},
    {"not-understood", ACT_NOT_UNDERSTOOD},
    {"query", ACT_QUERY_REF},
    {"query-if", ACT_QUERY_REF},
};

const char *maw_act_name(MawAct act)
{
    for (size_t i = 0; i < sizeof(acts) / sizeof(acts[0]); i++)
        if (acts[i].act == act)
            return acts[i].name;
    return "";
}

static bool same_but_case(Str a, Str b)
{
    bool same = a.len == b.len;

    for (size_t i = 0; same && i < a.len; i++)
        same = str_lower_char(a.bytes[i]) == str_lower_char(b.bytes[i]);
    return same;
}

/* FIPA's acts are the same in upper case, and some agents write them so. */
MawAct maw_act_of(Str name)
{
    if (!name.len)
        return ACT_NONE;
    for (size_t i = 0; i < sizeof(acts) / sizeof(acts[0]); i++)
        if (same_but_case(name, str_of(acts[i].name)))
            return acts[i].act;
    return ACT_OTHER;
}

/* ---- reading ---- */

/* At least as much as all texts of the tree together. */
static size_t text_bytes(const XmlNode *node)
{
    size_t n = node->text.len + node->name.len;

    for (uint32_t i = 0; i < node->attribute_count; i++)
        n += node->attributes[i].value.len;
    for (const XmlNode *child = node->first; child; child = child->next)
        n += text_bytes(child); /* at most XML_DEPTH_MAX deep */
    return n;
}

/* Copies into what was reserved: nothing moves. */
static Str keep_string(Buf *texts, Str text)
{
    size_t at = texts->len;

    buf_add(texts, text);
    return str_part(buf_str(texts), at, text.len);
}

static Str keep_text(Buf *texts, const XmlNode *node)
{
    size_t at = texts->len;

    xml_text(node, texts);
    return str_part(buf_str(texts), at, SIZE_MAX);
}

static bool has_text(const XmlNode *node, Str text)
{
    for (const XmlNode *child = node->first; child; child = child->next) {
        if (child->name.len)
            continue;
        if (!str_starts(text, child->text))
            return false;
        text = str_part(text, child->text.len, SIZE_MAX);
    }
    return text.len == 0;
}

/* RFC 6121 5.2.2: one that is not known is `normal`. */
static MawStanzaType type_of(Str type)
{
    if (str_eq(type, STR("chat")))
        return STANZA_CHAT;
    if (str_eq(type, STR("error")))
        return STANZA_ERROR;
    if (str_eq(type, STR("groupchat")) || str_eq(type, STR("headline")))
        return STANZA_OTHER;
    return STANZA_NORMAL;
}

static bool has_language(const XmlNode *node)
{
    for (uint32_t i = 0; i < node->attribute_count; i++)
        if (str_eq(node->attributes[i].space, STR(LANG_SPACE)) &&
            str_eq(node->attributes[i].name, STR("lang")) && node->attributes[i].value.len)
            return true;
    return false;
}

/* Of several bodies one without language, own or inherited; else the first (docs/spec/maw.md 3.5).
 */
static const XmlNode *pick_body(const XmlNode *message)
{
    const XmlNode *first = NULL;
    bool inherited = has_language(message);

    for (const XmlNode *child = message->first; child; child = child->next) {
        if (!str_eq(child->name, STR("body")) || !str_eq(child->space, message->space))
            continue;
        if (!inherited && !has_language(child))
            return child;
        if (!first)
            first = child;
    }
    return first;
}

/* The keys that every stanza of ours has, and that are no members of MawStanza. */
static bool is_standing(Str key)
{
    return str_eq(key, STR("ontology")) || str_eq(key, STR("language"));
}

/* The last of each key counts; what is over the limit is left out. Two places are kept for the
 * standing keys, so that what is written again is read as the same. */
static void put_other(MawStanza *stanza, Str key, Str value, Buf *texts)
{
    MawMetadata *entry = NULL;
    uint32_t standing = 0;

    for (uint32_t i = 0; i < stanza->other_count && !entry; i++) {
        if (str_eq(stanza->other[i].key, key))
            entry = &stanza->other[i];
        standing += is_standing(stanza->other[i].key);
    }
    if (!entry && (is_standing(key) || stanza->other_count - standing < MAW_METADATA_MAX - 2)) {
        entry = &stanza->other[stanza->other_count++];
        entry->key = keep_string(texts, key);
    }
    if (entry)
        entry->value = value;
}

/* A field without key or value is none to us; SPADE breaks on it. */
static void read_field(const XmlNode *field, Buf *texts, MawStanza *stanza)
{
    Str key = xml_attribute(field, "var");
    const XmlNode *first = xml_child(field, FORM_SPACE, "value");

    if (!key.len || !first)
        return;
    Str value = keep_text(texts, first);
    if (str_eq(key, STR("performative")))
        stanza->act = maw_act_of(value);
    else if (str_eq(key, STR(THREAD_FIELD)))
        stanza->thread = value;
    else if (str_eq(key, STR("conversation-id")))
        stanza->conversation_id = value;
    else if (str_eq(key, STR("reply-with")))
        stanza->reply_with = value;
    else if (str_eq(key, STR("in-reply-to")))
        stanza->in_reply_to = value;
    else
        put_other(stanza, key, value, texts);
}

static void read_forms(const XmlNode *message, Buf *texts, MawStanza *stanza)
{
    for (const XmlNode *form = xml_child(message, FORM_SPACE, "x"); form;
         form = xml_next(form, FORM_SPACE, "x")) {
        const XmlNode *title = xml_child(form, FORM_SPACE, "title");
        if (!title || !has_text(title, STR(FORM_TITLE)))
            continue;
        for (const XmlNode *field = xml_child(form, FORM_SPACE, "field"); field;
             field = xml_next(field, FORM_SPACE, "field"))
            read_field(field, texts, stanza);
    }
}

/* RFC 6120 8.3.2: the condition is a child of its namespace, `text` beside it no condition. */
static Str read_condition(const XmlNode *message, Buf *texts)
{
    for (const XmlNode *error = message->first; error; error = error->next) {
        if (!str_eq(error->name, STR("error")) || !str_eq(error->space, message->space))
            continue;
        for (const XmlNode *child = error->first; child; child = child->next)
            if (str_eq(child->space, STR(ERROR_SPACE)) && child->name.len &&
                !str_eq(child->name, STR("text")))
                return keep_string(texts, child->name);
    }
    return (Str){"", 0};
}

/* None: a message that stands alone, outside any stream. */
static bool is_message(const XmlNode *element)
{
    return str_eq(element->name, STR("message")) &&
           (!element->space.len || str_eq(element->space, STR("jabber:client")) ||
            str_eq(element->space, STR("jabber:component:accept")) ||
            str_eq(element->space, STR("jabber:server")));
}

bool maw_stanza_read(const XmlNode *message, Buf *texts, MawStanza *ret_stanza)
{
    if (!is_message(message) || !buf_reserve(texts, text_bytes(message)))
        return false;
    *ret_stanza = (MawStanza){
        .from = keep_string(texts, xml_attribute(message, "from")),
        .to = keep_string(texts, xml_attribute(message, "to")),
        .id = keep_string(texts, xml_attribute(message, "id")),
        .type = type_of(xml_attribute(message, "type")),
    };
    const XmlNode *body = pick_body(message);
    if (body)
        ret_stanza->body = keep_text(texts, body);
    ret_stanza->has_body = ret_stanza->body.len > 0; /* SPADE's <body/> stands for none */
    if (ret_stanza->type == STANZA_ERROR)
        ret_stanza->error_condition = read_condition(message, texts);
    read_forms(message, texts, ret_stanza);
    return true;
}

/* ---- writing ---- */

static void write_attribute(Buf *out, const char *name, Str value)
{
    if (!value.len)
        return;
    buf_add_char(out, ' ');
    buf_add(out, str_of(name));
    buf_add(out, STR("=\""));
    xml_quote(out, value);
    buf_add_char(out, '"');
}

static void write_tag(Buf *out, Str open, const char *name, Str close)
{
    buf_add(out, open);
    buf_add(out, str_of(name));
    buf_add(out, close);
}

static void write_text(Buf *out, const char *name, Str text)
{
    if (!text.len) {
        write_tag(out, STR("<"), name, STR("/>"));
        return;
    }
    write_tag(out, STR("<"), name, STR(">"));
    xml_quote(out, text);
    write_tag(out, STR("</"), name, STR(">"));
}

static void write_field(Buf *out, Str key, Str value)
{
    buf_add(out, STR("<field"));
    write_attribute(out, "var", key);
    buf_add(out, STR(" type=\"text-single\">"));
    write_text(out, "value", value);
    buf_add(out, STR("</field>"));
}

static void write_given(Buf *out, const char *key, Str value)
{
    if (value.len)
        write_field(out, str_of(key), value);
}

/* Whether the stanza's own members say it. */
static bool is_own_key(Str key)
{
    static const char *const keys[] = {
        "performative", THREAD_FIELD, "conversation-id", "reply-with", "in-reply-to",
    };

    for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
        if (str_eq(key, str_of(keys[i])))
            return true;
    return false;
}

/* The value of a key of `other`, the last one's; `standard` when there is none. */
static Str other_value(const MawStanza *stanza, Str key, Str standard)
{
    for (uint32_t i = stanza->other_count; i > 0; i--)
        if (str_eq(stanza->other[i - 1].key, key) && stanza->other[i - 1].value.bytes)
            return stanza->other[i - 1].value;
    return standard;
}

/* Whether an entry of `other` is to be written: the first of its key, which has the last's value.
 */
static bool is_written(const MawStanza *stanza, uint32_t at)
{
    const MawMetadata *entry = &stanza->other[at];

    if (!entry->key.len || is_own_key(entry->key) || is_standing(entry->key))
        return false;
    for (uint32_t i = 0; i < at; i++)
        if (str_eq(stanza->other[i].key, entry->key) && stanza->other[i].value.bytes)
            return false;
    return entry->value.bytes != NULL;
}

/* Title last and the fields in this order, as SPADE writes them. */
static void write_form(const MawStanza *stanza, Buf *out)
{
    buf_add(out, STR("<x xmlns=\"" FORM_SPACE "\" type=\"form\">"));
    write_given(out, "performative", str_of(maw_act_name(stanza->act)));
    write_field(out, STR("ontology"), other_value(stanza, STR("ontology"), STR("maw")));
    write_field(out, STR("language"), other_value(stanza, STR("language"), STR("json")));
    for (uint32_t i = 0; i < stanza->other_count; i++)
        if (is_written(stanza, i))
            write_field(out, stanza->other[i].key,
                        other_value(stanza, stanza->other[i].key, (Str){"", 0}));
    write_given(out, "conversation-id", stanza->conversation_id);
    write_given(out, "reply-with", stanza->reply_with);
    write_given(out, "in-reply-to", stanza->in_reply_to);
    write_given(out, THREAD_FIELD, stanza->thread);
    buf_add(out, STR("<title>" FORM_TITLE "</title></x>"));
}

void maw_stanza_write(const MawStanza *stanza, Buf *out)
{
    buf_add(out, STR("<message"));
    write_attribute(out, "from", stanza->from);
    write_attribute(out, "to", stanza->to);
    buf_add(out, STR(" type=\"chat\""));
    write_attribute(out, "id", stanza->id);
    buf_add_char(out, '>');
    write_text(out, "body", stanza->has_body ? stanza->body : (Str){"", 0});
    if (!stanza->plain)
        write_form(stanza, out);
    buf_add(out, STR("</message>"));
}

void maw_stanza_write_error(Str from, Str to, Str id, const char *condition, Buf *out)
{
    buf_add(out, STR("<message"));
    write_attribute(out, "from", from);
    write_attribute(out, "to", to);
    buf_add(out, STR(" type=\"error\""));
    write_attribute(out, "id", id);
    buf_add(out, STR("><error type=\"cancel\">"));
    buf_printf(out, "<%s xmlns=\"" ERROR_SPACE "\"/></error></message>", condition);
}

/* ---- addresses ---- */

/* RFC 7622 3.1: the first / ends the domain, and only in front of it an @ ends the node. */
Str jid_bare(Str jid)
{
    return str_cut(&jid, '/');
}

Str jid_local(Str jid)
{
    Str bare = jid_bare(jid);
    const char *at = bare.len ? memchr(bare.bytes, '@', bare.len) : NULL;

    return at ? str_part(bare, 0, (size_t)(at - bare.bytes)) : (Str){"", 0};
}

Str jid_domain(Str jid)
{
    Str bare = jid_bare(jid);
    const char *at = bare.len ? memchr(bare.bytes, '@', bare.len) : NULL;

    return at ? str_part(bare, (size_t)(at - bare.bytes) + 1, SIZE_MAX) : bare;
}

void jid_fold(Str jid, Buf *out)
{
    Str bare = jid_bare(jid);

    for (size_t i = 0; i < bare.len; i++)
        buf_add_char(out, str_lower_char(bare.bytes[i]));
}
