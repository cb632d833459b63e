/* fuzz_xml.c - however the bytes of a stream are cut, it tells the same; what it tells is within
 * its limits, and a text that is quoted is read as itself.
 *
 * The first byte is the seed of the cuts. Limits in bytes are looked at after each piece, so an
 * error may come at another place; errors as such must be the same.
 */
#include "base/mem.h"
#include "base/rng.h"
#include "base/utf8.h"
#include "base/xml.h"

#include <assert.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

typedef struct Heard {
    Buf out;
} Heard;

static size_t add(const XmlNode *node, unsigned depth, Buf *out)
{
    size_t bytes = node->text.len + node->name.len;

    /* A text stands below the deepest element. */
    assert(depth <= XML_DEPTH_MAX + (node->name.len == 0));
    assert(utf8_valid(node->name) && utf8_valid(node->space) && utf8_valid(node->text));
    assert(!node->name.len || !node->text.len);
    buf_printf(out, "(%.*s|%.*s|%.*s", STR_ARG(node->space), STR_ARG(node->name),
               STR_ARG(node->text));
    for (uint32_t i = 0; i < node->attribute_count; i++) {
        buf_printf(out, "|%.*s=%.*s", STR_ARG(node->attributes[i].name),
                   STR_ARG(node->attributes[i].value));
        bytes += node->attributes[i].name.len + node->attributes[i].value.len;
    }
    for (const XmlNode *child = node->first; child; child = child->next)
        bytes += add(child, depth + 1, out);
    buf_add_char(out, ')');
    return bytes;
}

static void on_opened(void *user, const XmlNode *root)
{
    Heard *heard = user;

    assert(!root->first);
    add(root, 1, &heard->out);
}

static void on_element(void *user, const XmlNode *element)
{
    Heard *heard = user;

    assert(add(element, 1, &heard->out) <= XML_ELEMENT_BYTES);
}

static void on_closed(void *user)
{
    Heard *heard = user;

    buf_add(&heard->out, STR("closed"));
}

static void on_dropped(void *user, const XmlNode *element, const char *why)
{
    Heard *heard = user;

    assert(!element->first);
    add(element, 1, &heard->out);
    buf_printf(&heard->out, "dropped: %s", why);
}

/* In pieces when there is a `rng`. */
static void read_all(Str all, Rng *rng, Heard *heard)
{
    XmlEvents events = {on_opened, on_element, on_closed, on_dropped, heard};
    XmlStream *stream = NULL;
    int code = xml_stream_new(&events, &stream, NULL);

    assert(code == 0);
    while (all.len && code == 0) {
        size_t n = rng ? 1 + rng_below(rng, rng_below(rng, 2) ? 3 : (uint32_t)all.len) : all.len;
        Str piece = str_part(all, 0, n);
        char *copy = mem_new(piece.len); /* to notice a parser that holds on to it */
        Err err = {0};

        assert(copy);
        memcpy(copy, piece.bytes, piece.len);
        code = xml_stream_feed(stream, (Str){copy, piece.len}, &err);
        assert(code == err.code && !err.msg[0] == !code);
        mem_free(copy);
        all = str_part(all, piece.len, SIZE_MAX);
    }
    buf_printf(&heard->out, "%d", code);
    xml_stream_free(stream);
}

/* What can be said in XML at all comes back as it was. */
static void check_quoted(Str text)
{
    CLEANUP(buf_done) Buf xml = {0};
    CLEANUP(buf_done) Buf back = {0};
    CLEANUP(buf_done) Buf again = {0};
    XmlStream *stream = NULL;
    const XmlNode *root = NULL;

    buf_add(&xml, STR("<a b=\""));
    xml_quote(&xml, text);
    buf_add(&xml, STR("\">"));
    xml_quote(&xml, text);
    buf_add(&xml, STR("</a>"));
    int code = xml_read(buf_str(&xml), &stream, &root, NULL);
    assert(code == 0 || (code == ERR_LIMIT && text.len > XML_ELEMENT_BYTES / 8));
    if (code)
        return;
    xml_text(root, &back);
    assert(str_eq(buf_str(&back), xml_attribute(root, "b")));
    xml_quote(&again, buf_str(&back));
    xml_quote(&again, (Str){"", 0});
    assert(str_eq(buf_str(&again), str_part(buf_str(&xml), 6, again.len)));
    xml_stream_free(stream);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 1)
        return 0;
    Heard want = {0};
    Heard got = {0};
    Str all = {(const char *)data + 1, size - 1};
    Rng rng = rng_new(data[0]);
    XmlStream *stream = NULL;
    const XmlNode *root = NULL;

    read_all(all, NULL, &want);
    read_all(all, &rng, &got);
    assert(str_eq(buf_str(&want.out), buf_str(&got.out)));
    buf_done(&want.out);
    buf_done(&got.out);
    if (xml_read(all, &stream, &root, NULL) == 0)
        xml_stream_free(stream);
    check_quoted(all);
    return 0;
}
