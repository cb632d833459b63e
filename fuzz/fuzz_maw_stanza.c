/* fuzz_maw_stanza.c - what is read can be written, and is read again as the same; what is written
 * is well-formed and has nothing on which SPADE breaks, whatever its texts are.
 *
 * Input: a stanza; or, behind a NUL, texts with NULs between them for the members of one.
 */
#include "wire/maw_stanza.h"

#include "base/mem.h"

#include <assert.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static Str other_of(const MawStanza *stanza, Str key)
{
    for (uint32_t i = 0; i < stanza->other_count; i++)
        if (str_eq(stanza->other[i].key, key))
            return stanza->other[i].value;
    return (Str){NULL, 0};
}

static void check_same(const MawStanza *a, const MawStanza *b)
{
    assert(str_eq(a->from, b->from) && str_eq(a->to, b->to) && str_eq(a->id, b->id));
    assert(a->act == b->act || (a->act == ACT_OTHER && b->act == ACT_NONE));
    assert(str_eq(a->conversation_id, b->conversation_id) && str_eq(a->reply_with, b->reply_with));
    assert(str_eq(a->in_reply_to, b->in_reply_to) && str_eq(a->thread, b->thread));
    assert(a->has_body == b->has_body && str_eq(a->body, b->body));
    for (uint32_t i = 0; i < a->other_count; i++) {
        Str value = other_of(b, a->other[i].key);
        assert(value.bytes && str_eq(value, a->other[i].value));
    }
}

static void check_fields(const XmlNode *form)
{
    const XmlNode *title = xml_child(form, "jabber:x:data", "title");

    assert(title && str_eq(title->first->text, STR("spade:x:metadata")));
    for (const XmlNode *field = xml_child(form, "jabber:x:data", "field"); field;
         field = xml_next(field, "jabber:x:data", "field")) {
        const XmlNode *value = xml_child(field, "jabber:x:data", "value");
        assert(xml_attribute(field, "var").bytes);
        assert(value && !xml_next(value, "jabber:x:data", "value"));
    }
}

/* Writes, reads and returns whether it could be read; it may have grown over the limit. */
static bool check_written(const MawStanza *stanza, Buf *texts, MawStanza *ret_again)
{
    CLEANUP(buf_done) Buf out = {0};
    XmlStream *stream = NULL;
    const XmlNode *root = NULL;

    maw_stanza_write(stanza, &out);
    int code = xml_read(buf_str(&out), &stream, &root, NULL);
    assert(code == 0 || (code == ERR_LIMIT && out.len > XML_ELEMENT_BYTES));
    if (code)
        return false;
    assert(str_eq(xml_attribute(root, "type"), STR("chat")));
    check_fields(xml_child(root, "jabber:x:data", "x"));
    assert(maw_stanza_read(root, texts, ret_again));
    xml_stream_free(stream);
    return true;
}

static void check_read(Str xml)
{
    CLEANUP(buf_done) Buf texts = {0};
    CLEANUP(buf_done) Buf more = {0};
    CLEANUP(buf_done) Buf folded = {0};
    XmlStream *stream = NULL;
    const XmlNode *root = NULL;
    MawStanza stanza;
    MawStanza again;

    if (xml_read(xml, &stream, &root, NULL))
        return;
    bool read = maw_stanza_read(root, &texts, &stanza);
    xml_stream_free(stream);
    if (!read)
        return;
    assert(stanza.other_count <= MAW_METADATA_MAX);
    if (check_written(&stanza, &more, &again))
        check_same(&stanza, &again);
    jid_fold(stanza.from, &folded);
    assert(folded.len == jid_bare(stanza.from).len);
    assert(jid_local(stanza.from).len + jid_domain(stanza.from).len <= folded.len);
}

static void check_texts(Str rest)
{
    CLEANUP(buf_done) Buf texts = {0};
    MawStanza again;
    MawStanza stanza = {
        .from = str_cut(&rest, '\0'),
        .to = str_cut(&rest, '\0'),
        .id = str_cut(&rest, '\0'),
        .act = maw_act_of(str_cut(&rest, '\0')),
        .conversation_id = str_cut(&rest, '\0'),
        .reply_with = str_cut(&rest, '\0'),
        .in_reply_to = str_cut(&rest, '\0'),
        .thread = str_cut(&rest, '\0'),
        .has_body = true,
        .body = str_cut(&rest, '\0'),
    };

    while (rest.len && stanza.other_count < MAW_METADATA_MAX) {
        Str key = str_cut(&rest, '\0');
        stanza.other[stanza.other_count++] = (MawMetadata){key, str_cut(&rest, '\0')};
    }
    check_written(&stanza, &texts, &again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    Str all = {(const char *)data, size};

    if (size && !data[0])
        check_texts(str_part(all, 1, SIZE_MAX));
    else
        check_read(all);
    return 0;
}
