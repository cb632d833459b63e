#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/xml.h"

#include "sanitized.h"

#include <malloc.h>

/* ---- a tree as text, so that it can be compared ---- */

static void show(const XmlNode *node, Buf *out)
{
    if (!node->name.len) {
        buf_printf(out, "'%.*s'", STR_ARG(node->text));
        return;
    }
    buf_printf(out, "{%.*s}%.*s", STR_ARG(node->space), STR_ARG(node->name));
    for (uint32_t i = 0; i < node->attribute_count; i++) {
        const XmlAttribute *one = &node->attributes[i];
        buf_add_char(out, i ? ',' : '[');
        if (one->space.len)
            buf_printf(out, "{%.*s}", STR_ARG(one->space));
        buf_printf(out, "%.*s=%.*s", STR_ARG(one->name), STR_ARG(one->value));
    }
    if (node->attribute_count)
        buf_add_char(out, ']');
    if (!node->first)
        return;
    buf_add_char(out, '(');
    for (const XmlNode *child = node->first; child; child = child->next)
        show(child, out);
    buf_add_char(out, ')');
}

/* What a stream tells, in lines. */
typedef struct Heard {
    Buf lines;
    XmlStream *stream;
    const char *free_at; /* the event in which it is freed; or NULL */
    int drops;
} Heard;

static void hear(Heard *heard, const char *what, const XmlNode *node)
{
    assert_non_null(heard->stream); /* nothing is told after it was freed */
    buf_printf(&heard->lines, "%s ", what);
    if (node)
        show(node, &heard->lines);
    buf_add_char(&heard->lines, '\n');
    if (heard->free_at && strcmp(heard->free_at, what) == 0)
        heard->stream = xml_stream_free(heard->stream);
}

static void on_opened(void *user, const XmlNode *root)
{
    hear(user, "opened", root);
}

static void on_element(void *user, const XmlNode *element)
{
    hear(user, "element", element);
}

static void on_closed(void *user)
{
    hear(user, "closed", NULL);
}

static void on_dropped(void *user, const XmlNode *element, const char *why)
{
    Heard *heard = user;

    assert_non_null(why);
    assert_null(element->first);
    heard->drops++;
    hear(heard, "dropped", element);
}

static int begin(Heard *heard, bool with_drops)
{
    XmlEvents events = {
        .opened = on_opened,
        .element = on_element,
        .closed = on_closed,
        .dropped = with_drops ? on_dropped : NULL,
        .user = heard,
    };

    return xml_stream_new(&events, &heard->stream, NULL);
}

/* Feeds in pieces of `step` bytes, each in memory of its own. */
static int feed(Heard *heard, Str text, size_t step, Err *err)
{
    int code = 0;

    while (text.len && code == 0 && heard->stream) {
        Str piece = str_part(text, 0, step);
        char *copy = mem_new(piece.len);

        assert_non_null(copy);
        memcpy(copy, piece.bytes, piece.len);
        code = xml_stream_feed(heard->stream, (Str){copy, piece.len}, err);
        mem_free(copy);
        text = str_part(text, piece.len, SIZE_MAX);
    }
    return code;
}

static void end(Heard *heard)
{
    heard->stream = xml_stream_free(heard->stream);
    buf_done(&heard->lines);
}

static const char session[] =
    "<?xml version='1.0'?><stream:stream xmlns='jabber:component:accept' "
    "xmlns:stream='http://etherx.jabber.org/streams' id='1&amp;2' from='maw.localhost'>"
    "<handshake/> \n"
    "<message to='a@b' xml:lang='en'><body>1 &lt; 2 &#x1F43A; \xE7\x8B\xBC<![CDATA[<&>]]></body>"
    "<x xmlns='jabber:x:data' stream:y='z'><v/> \t</x></message>"
    "<stream:error><text xmlns='urn:t'>bye</text></stream:error></stream:stream>";

static const char session_heard[] =
    "opened {http://etherx.jabber.org/streams}stream[id=1&2,from=maw.localhost]\n"
    "element {jabber:component:accept}handshake\n"
    "element {jabber:component:accept}message[to=a@b,{http://www.w3.org/XML/1998/namespace}lang=en]"
    "({jabber:component:accept}body('1 < 2 \xF0\x9F\x90\xBA \xE7\x8B\xBC<&>')"
    "{jabber:x:data}x[{http://etherx.jabber.org/streams}y=z]({jabber:x:data}v' \t'))\n"
    "element {http://etherx.jabber.org/streams}error({urn:t}text('bye'))\n"
    "closed \n";

static void a_stream_is_the_same_however_it_is_cut(void **state)
{
    (void)state;
    for (size_t step = 1; step <= sizeof(session); step++) {
        Heard heard = {0};

        assert_int_equal(begin(&heard, false), 0);
        assert_int_equal(feed(&heard, str_of(session), step, NULL), 0);
        assert_string_equal(buf_cstr(&heard.lines), session_heard);
        end(&heard);
    }
}

static void what_a_stream_must_not_have_is_refused(void **state)
{
    static const struct {
        const char *text;
        ErrCode code;
        const char *why;
    } bad[] = {
        {"<!DOCTYPE s><s/>", ERR_SYNTAX, "a DTD"},
        {"<!DOCTYPE s [<!ENTITY a 'aaaa'><!ENTITY b '&a;&a;'>]><s>&b;</s>", ERR_SYNTAX, "a DTD"},
        {"<!DOCTYPE s SYSTEM 'file:///etc/passwd'><s/>", ERR_SYNTAX, "a DTD"},
        {"<s><?php x?></s>", ERR_SYNTAX, "a processing instruction"},
        {"<s><a><!-- c --></a></s>", ERR_SYNTAX, "a comment"},
        {"<s><a>&lol;</a></s>", ERR_SYNTAX, "undefined entity"},
        {"<s><a></b></s>", ERR_SYNTAX, "mismatched tag"},
        {"<s><a x='1' x='2'/></s>", ERR_SYNTAX, "duplicate attribute"},
        {"<s><p:a/></s>", ERR_SYNTAX, "unbound prefix"},
        {"<s><a>\xFF</a></s>", ERR_SYNTAX, "not well-formed"},
        {"<s><a>\xED\xA0\x80</a></s>", ERR_SYNTAX, "not well-formed"},
        {"<s><a>\x01</a></s>", ERR_SYNTAX, "not well-formed"},
        {"<s><a>&#0;</a></s>", ERR_SYNTAX, "invalid character"},
        {"<s>hello<a/></s>", ERR_SYNTAX, "text between two elements"},
        {"GET / HTTP/1.1\r\n\r\n", ERR_SYNTAX, "syntax error"},
        {"<s></s><s/>", ERR_SYNTAX, "junk after document element"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        for (size_t step = 1; step < 100; step += 98) {
            Heard heard = {0};
            Err err = {0};

            assert_int_equal(begin(&heard, true), 0);
            assert_int_equal(feed(&heard, str_of(bad[i].text), step, &err), bad[i].code);
            if (!strstr(err.msg, bad[i].why))
                fail_msg("%s: %s", bad[i].text, err.msg);
            /* and it stays so */
            Err again = {0};
            assert_int_equal(xml_stream_feed(heard.stream, STR("</s>"), &again), bad[i].code);
            assert_string_equal(again.msg, err.msg);
            end(&heard);
        }
    }
}

/* Appends "<m a='1'>" and as much as makes it `bytes` long when it is read. */
static void add_long(Buf *out, size_t bytes)
{
    buf_add(out, STR("<m a='1'>"));
    for (size_t i = 0; i < bytes - 3; i++)
        buf_add_char(out, 'x');
    buf_add(out, STR("</m>"));
}

static void an_element_has_its_limit_in_bytes(void **state)
{
    (void)state;
    for (size_t more = 0; more < 2; more++) {
        CLEANUP(buf_done) Buf text = {0};
        Heard heard = {0};
        Err err = {0};

        buf_add(&text, STR("<s>"));
        add_long(&text, XML_ELEMENT_BYTES + more);
        assert_int_equal(begin(&heard, false), 0);
        assert_int_equal(feed(&heard, buf_str(&text), 1000, &err), more ? ERR_LIMIT : 0);
        if (more)
            assert_non_null(strstr(err.msg, "128 KiB"));
        end(&heard);
    }
}

/* Nested elements: "<m><m>...</m></m>". */
static void add_deep(Buf *out, unsigned depth)
{
    for (unsigned i = 0; i < depth; i++)
        buf_add(out, STR("<m>"));
    for (unsigned i = 0; i < depth; i++)
        buf_add(out, STR("</m>"));
}

static void an_element_has_its_limit_in_depth(void **state)
{
    (void)state;
    for (unsigned more = 0; more < 2; more++) {
        CLEANUP(buf_done) Buf text = {0};
        Heard heard = {0};

        buf_add(&text, STR("<s>"));
        add_deep(&text, XML_DEPTH_MAX + more);
        assert_int_equal(begin(&heard, false), 0);
        assert_int_equal(feed(&heard, buf_str(&text), 7, NULL), more ? ERR_LIMIT : 0);
        end(&heard);
    }
}

static void with_dropped_the_stream_goes_on_behind_what_is_too_much(void **state)
{
    CLEANUP(buf_done) Buf text = {0};
    Heard heard = {0};

    (void)state;
    buf_add(&text, STR("<s>"));
    add_long(&text, XML_ELEMENT_BYTES + 1);
    add_deep(&text, 1000);
    buf_add(&text, STR("<m a='")); /* its attributes are too much */
    for (size_t i = 0; i < XML_ELEMENT_BYTES; i++)
        buf_add_char(&text, 'y');
    buf_add(&text, STR("'>t</m><m>")); /* and many small parts */
    for (size_t i = 0; i < 50000; i++)
        buf_add(&text, STR("<n/>z"));
    buf_add(&text, STR("</m><b>fine</b></s>"));
    assert_int_equal(begin(&heard, true), 0);
    assert_int_equal(feed(&heard, buf_str(&text), 4000, NULL), 0);
    assert_string_equal(buf_cstr(&heard.lines), "opened {}s\ndropped {}m[a=1]\ndropped {}m\n"
                                                "dropped {}m\ndropped {}m\n"
                                                "element {}b('fine')\nclosed \n");
    end(&heard);
}

static void what_never_ends_is_an_error_even_when_it_is_dropped(void **state)
{
    static const char *const starts[] = {"<s><m>", "<s><m a='", "<s a='", "<s><m><![CDATA["};
    CLEANUP(buf_done) Buf block = {0};

    (void)state;
    for (size_t i = 0; i < 65536; i++)
        buf_add_char(&block, 'x');
    for (size_t i = 0; i < sizeof(starts) / sizeof(starts[0]); i++) {
        Heard heard = {0};
        size_t fed = 0;
        int code = 0;

        assert_int_equal(begin(&heard, true), 0);
        assert_int_equal(feed(&heard, str_of(starts[i]), 99, NULL), 0);
        for (; code == 0 && fed < 3 * XML_RAW_BYTES; fed += block.len)
            code = xml_stream_feed(heard.stream, buf_str(&block), NULL);
        assert_int_equal(code, ERR_LIMIT);
        assert_true(fed < XML_RAW_BYTES + 2 * block.len);
        end(&heard);
    }
}

static void a_long_stream_with_ever_new_names_goes_on(void **state)
{
    Heard heard = {0};
    size_t fed = 0;
    unsigned count = 0;

    (void)state;
    assert_int_equal(begin(&heard, false), 0);
    assert_int_equal(
        feed(&heard, STR("<?xml version='1.0'?>\n<q:s xmlns='urn:d' xmlns:q='urn:q'>"), 99, NULL),
        0);
    while (fed < ((size_t)9 << 20)) { /* the parser is renewed */
        CLEANUP(buf_done) Buf text = {0};
        for (unsigned i = 0; i < 200; i++, count++)
            buf_printf(&text, "<name-number-%u attribute-%u='1'/>", count, count);
        buf_add(&text, STR("<q:b/> \n"));
        buf_clear(&heard.lines);
        assert_int_equal(xml_stream_feed(heard.stream, buf_str(&text), NULL), 0);
        fed += text.len;
        /* the namespaces of the root's tag are still known */
        assert_true(str_starts(buf_str(&heard.lines), STR("element {urn:d}name-number-")));
        assert_non_null(strstr(buf_cstr(&heard.lines), "element {urn:q}b\n"));
    }
    buf_clear(&heard.lines);
    assert_int_equal(feed(&heard, STR("<z/></q:s>"), 3, NULL), 0);
    assert_string_equal(buf_cstr(&heard.lines), "element {urn:d}z\nclosed \n");
    end(&heard);
}

/* Else expat would take "-\0" for UTF-16 when both bytes come at once. */
static void a_nul_is_an_error_wherever_it_comes(void **state)
{
    static const char *const starts[] = {"-", "<", "<s>", "<s><a>x", "<s><a/>"};

    (void)state;
    for (size_t i = 0; i < sizeof(starts) / sizeof(starts[0]); i++)
        for (size_t piece = 1; piece < 99; piece += 97) {
            CLEANUP(buf_done) Buf text = {0};
            Heard heard = {0};

            buf_add(&text, str_of(starts[i]));
            buf_add(&text, (Str){"\0", 1});
            assert_int_equal(begin(&heard, false), 0);
            assert_int_equal(feed(&heard, buf_str(&text), piece, NULL), ERR_SYNTAX);
            end(&heard);
        }
}

/* However the peer cuts it: each piece here ends inside a tag. */
static void names_are_forgotten_also_when_no_piece_ends_with_an_element(void **state)
{
    CLEANUP(buf_done) Buf text = {0};
    Heard heard = {0};
    unsigned count = 0;
    size_t fed = 0;

    (void)state;
    assert_int_equal(begin(&heard, false), 0);
    assert_int_equal(feed(&heard, STR("<s xmlns='urn:d'><"), 99, NULL), 0);
    size_t before = mallinfo2().uordblks;
    for (; fed < ((size_t)12 << 20); fed += text.len) {
        buf_clear(&text);
        for (unsigned i = 0; i < 200; i++, count++)
            buf_printf(&text, "name-number-%u/><", count);
        buf_clear(&heard.lines);
        assert_int_equal(xml_stream_feed(heard.stream, buf_str(&text), NULL), 0);
    }
    if (!SANITIZED)
        assert_true(mallinfo2().uordblks - before < (size_t)16 << 20);
    buf_clear(&heard.lines);
    assert_int_equal(feed(&heard, STR("z/></s>"), 3, NULL), 0);
    assert_string_equal(buf_cstr(&heard.lines), "element {urn:d}z\nclosed \n");
    end(&heard);
}

static void a_callback_may_free_the_stream(void **state)
{
    static const char *const events[] = {"opened", "element", "closed", "dropped"};

    (void)state;
    for (size_t i = 0; i < sizeof(events) / sizeof(events[0]); i++) {
        CLEANUP(buf_done) Buf text = {0};
        Heard heard = {.free_at = events[i]};

        buf_add(&text, STR("<s><a/>"));
        if (strcmp(events[i], "dropped") == 0) {
            buf_clear(&text);
            buf_add(&text, STR("<s>"));
            add_deep(&text, XML_DEPTH_MAX + 1);
        }
        buf_add(&text, STR("<b/></s>"));
        assert_int_equal(begin(&heard, true), 0);
        assert_int_equal(feed(&heard, buf_str(&text), SIZE_MAX, NULL), 0);
        assert_null(heard.stream); /* `hear` has seen nothing behind it */
        assert_true(heard.lines.len > 0);
        end(&heard);
    }
}

static void a_whole_element_is_read(void **state)
{
    static const char text[] = " <a xmlns='urn:a' k='v' e=''><b>1</b>t<b xmlns='urn:b'>2</b>"
                               "<b k='3'>x<i>y</i>z</b></a>\n";
    XmlStream *stream = NULL;
    const XmlNode *root = NULL;
    CLEANUP(buf_done) Buf out = {0};

    (void)state;
    assert_int_equal(xml_read(str_of(text), &stream, &root, NULL), 0);
    show(root, &out);
    assert_string_equal(buf_cstr(&out), "{urn:a}a[k=v,e=]({urn:a}b('1')'t'{urn:b}b('2')"
                                        "{urn:a}b[k=3]('x'{urn:a}i('y')'z'))");
    assert_true(str_eq(xml_attribute(root, "k"), STR("v")));
    assert_non_null(xml_attribute(root, "e").bytes);
    assert_null(xml_attribute(root, "none").bytes);
    const XmlNode *first = xml_child(root, "urn:a", "b");
    const XmlNode *second = xml_next(first, "urn:a", "b");
    assert_ptr_equal(second, root->first->next->next->next);
    assert_null(xml_next(second, "urn:a", "b"));
    assert_null(xml_child(root, "urn:c", "b"));
    buf_clear(&out);
    xml_text(second, &out);
    assert_string_equal(buf_cstr(&out), "xz");
    xml_stream_free(stream);
}

static void what_is_no_whole_element_is_not_read(void **state)
{
    static const char *const bad[] = {"", " ", "<a>", "<a", "<a/><b/>", "<a/>x", "x", "<a></a"};

    (void)state;
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        XmlStream *stream = NULL;
        const XmlNode *root = NULL;
        Err err = {0};

        assert_int_equal(xml_read(str_of(bad[i]), &stream, &root, &err), ERR_SYNTAX);
        assert_true(err.msg[0]);
        assert_null(stream);
        assert_null(root);
    }
    CLEANUP(buf_done) Buf deep = {0};
    XmlStream *stream = NULL;
    const XmlNode *root = NULL;
    add_deep(&deep, XML_DEPTH_MAX + 1);
    assert_int_equal(xml_read(buf_str(&deep), &stream, &root, NULL), ERR_LIMIT);
}

static void quoted_text_stands_for_itself(void **state)
{
    static const char hard[] = "a&<>\"' \t\r\n]]>\xE7\x8B\xBC\xF0\x9F\x90\xBA\x7F";
    CLEANUP(buf_done) Buf text = {0};
    CLEANUP(buf_done) Buf back = {0};
    XmlStream *stream = NULL;
    const XmlNode *root = NULL;

    (void)state;
    buf_add(&text, STR("<a k='"));
    xml_quote(&text, str_of(hard));
    buf_add(&text, STR("'>"));
    xml_quote(&text, str_of(hard));
    buf_add(&text, STR("</a>"));
    assert_int_equal(xml_read(buf_str(&text), &stream, &root, NULL), 0);
    assert_true(str_eq(xml_attribute(root, "k"), str_of(hard)));
    xml_text(root, &back);
    assert_string_equal(buf_cstr(&back), hard);
    xml_stream_free(stream);
}

static void what_xml_has_no_character_for_is_left_out(void **state)
{
    static const char poison[] = "a\0b\x01\x08\x0B\x0C\x0E\x1F"
                                 "c\xEF\xBF\xBE\xEF\xBF\xBF"
                                 "d\xEF\xBF\xBD\xFF"
                                 "e\xED\xA0\x80";
    CLEANUP(buf_done) Buf out = {0};

    (void)state;
    xml_quote(&out, (Str){poison, sizeof(poison) - 1});
    assert_string_equal(buf_cstr(&out), "abcd\xEF\xBF\xBD\xEF\xBF\xBD"
                                        "e\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_stream_is_the_same_however_it_is_cut),
        cmocka_unit_test(what_a_stream_must_not_have_is_refused),
        cmocka_unit_test(an_element_has_its_limit_in_bytes),
        cmocka_unit_test(an_element_has_its_limit_in_depth),
        cmocka_unit_test(with_dropped_the_stream_goes_on_behind_what_is_too_much),
        cmocka_unit_test(what_never_ends_is_an_error_even_when_it_is_dropped),
        cmocka_unit_test(a_long_stream_with_ever_new_names_goes_on),
        cmocka_unit_test(a_nul_is_an_error_wherever_it_comes),
        cmocka_unit_test(names_are_forgotten_also_when_no_piece_ends_with_an_element),
        cmocka_unit_test(a_callback_may_free_the_stream),
        cmocka_unit_test(a_whole_element_is_read),
        cmocka_unit_test(what_is_no_whole_element_is_not_read),
        cmocka_unit_test(quoted_text_stands_for_itself),
        cmocka_unit_test(what_xml_has_no_character_for_is_left_out),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
