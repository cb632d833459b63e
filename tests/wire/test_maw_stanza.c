#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>

#include "wire/json_read.h"
#include "wire/maw_stanza.h"

/* ---- files ---- */

static void read_file(const char *name, Buf *out)
{
    char path[512];
    char block[4096];
    size_t n;

    snprintf(path, sizeof(path), "%s/maw/%s", getenv("WARG_TEST_DATA"), name);
    FILE *in = fopen(path, "re");
    if (!in)
        fail_msg("can't open %s", path);
    while ((n = fread(block, 1, sizeof(block), in)) > 0)
        buf_add(out, (Str){block, n});
    fclose(in);
}

static Str get(const json_t *json, const char *key)
{
    Str text = {NULL, 0};

    json_as_str(json_get(json, key), &text);
    return text;
}

/* Calls `row` for each object of a file, and says how many there were. */
static size_t each_row(const char *name, void (*row)(const json_t *json))
{
    CLEANUP(buf_done) Buf file = {0};
    size_t count = 0;

    read_file(name, &file);
    for (Str rest = buf_str(&file); rest.len;) {
        json_t *json = NULL;
        Str line = str_cut(&rest, '\n');
        if (!line.len)
            continue;
        assert_int_equal(json_read(line, SIZE_MAX, &json, NULL), 0);
        row(json);
        json_done(json);
        count++;
    }
    return count;
}

/* ---- trees ---- */

static bool same_attributes(const XmlNode *a, const XmlNode *b)
{
    bool same = a->attribute_count == b->attribute_count;

    for (uint32_t i = 0; i < a->attribute_count && same; i++) {
        Str value = {NULL, 0};
        for (uint32_t k = 0; k < b->attribute_count; k++)
            if (str_eq(a->attributes[i].name, b->attributes[k].name) &&
                str_eq(a->attributes[i].space, b->attributes[k].space))
                value = b->attributes[k].value;
        same = value.bytes && str_eq(a->attributes[i].value, value);
    }
    return same;
}

/* Order of elements counts, order of attributes doesn't. */
static bool same_tree(const XmlNode *a, const XmlNode *b)
{
    if (!str_eq(a->name, b->name) || !str_eq(a->space, b->space) || !str_eq(a->text, b->text) ||
        !same_attributes(a, b))
        return false;
    const XmlNode *left = a->first;
    const XmlNode *right = b->first;
    while (left && right && same_tree(left, right)) {
        left = left->next;
        right = right->next;
    }
    return !left && !right;
}

/* ---- stanzas ---- */

typedef struct Read {
    XmlStream *stream;
    Buf texts;
    MawStanza stanza;
} Read;

static void read_done(Read *read)
{
    xml_stream_free(read->stream);
    buf_done(&read->texts);
}

static bool read_stanza(Str xml, Read *read)
{
    const XmlNode *root = NULL;
    Err err = {0};

    if (xml_read(xml, &read->stream, &root, &err))
        fail_msg("%.*s: %s", STR_ARG(xml), err.msg);
    return maw_stanza_read(root, &read->texts, &read->stanza);
}

static void assert_text(Str got, Str want)
{
    if (!str_eq(got, want))
        fail_msg("'%.*s' is not '%.*s'", STR_ARG(got), STR_ARG(want));
}

/* The value that a stanza has for a key of metadata; bytes are NULL when it has none. */
static Str value_of(const MawStanza *stanza, Str key)
{
    const struct {
        const char *key;
        Str value;
    } own[] = {
        {"performative", str_of(maw_act_name(stanza->act))},
        {"conversation-id", stanza->conversation_id},
        {"reply-with", stanza->reply_with},
        {"in-reply-to", stanza->in_reply_to},
    };

    for (size_t i = 0; i < sizeof(own) / sizeof(own[0]); i++)
        if (str_eq(key, str_of(own[i].key)) && own[i].value.len)
            return own[i].value;
    for (uint32_t i = 0; i < stanza->other_count; i++)
        if (str_eq(key, stanza->other[i].key))
            return stanza->other[i].value;
    return (Str){NULL, 0};
}

static size_t metadata_count(const MawStanza *stanza)
{
    return stanza->other_count + (stanza->act != ACT_NONE) + (stanza->conversation_id.len > 0) +
           (stanza->reply_with.len > 0) + (stanza->in_reply_to.len > 0);
}

static void assert_metadata(const MawStanza *stanza, const json_t *metadata)
{
    size_t count = 0;

    for (void *at = json_member(metadata, NULL); at; at = json_member(metadata, at), count++) {
        Str key = str_of(json_member_key(at));
        Str want;
        assert_true(json_as_str(json_member_value(at), &want));
        Str got = value_of(stanza, key);
        if (!got.bytes || !str_eq(got, want))
            fail_msg("%.*s is '%.*s', not '%.*s'", STR_ARG(key), STR_ARG(got), STR_ARG(want));
    }
    assert_int_equal(metadata_count(stanza), count);
}

static void assert_same(const MawStanza *a, const MawStanza *b)
{
    assert_text(a->id, b->id);
    assert_int_equal(a->act, b->act);
    assert_text(a->conversation_id, b->conversation_id);
    assert_text(a->reply_with, b->reply_with);
    assert_text(a->in_reply_to, b->in_reply_to);
    assert_text(a->thread, b->thread);
    assert_int_equal(a->has_body, b->has_body);
    assert_text(a->body, b->body);
    assert_int_equal(a->other_count, b->other_count);
    for (uint32_t i = 0; i < a->other_count; i++)
        assert_text(value_of(b, a->other[i].key), a->other[i].value);
}

/* What SPADE asks of a stanza so that it neither drops it nor breaks (docs/spec/maw.md 3.5). */
static void assert_safe_for_spade(Str xml)
{
    XmlStream *stream = NULL;
    const XmlNode *root = NULL;
    unsigned bodies = 0;
    unsigned forms = 0;

    if (xml_read(xml, &stream, &root, NULL))
        fail_msg("not well-formed: %.*s", STR_ARG(xml));
    assert_text(xml_attribute(root, "type"), STR("chat"));
    for (const XmlNode *child = root->first; child; child = child->next) {
        bodies += str_eq(child->name, STR("body"));
        if (!str_eq(child->name, STR("x")))
            continue;
        forms++;
        assert_text(xml_attribute(child, "type"), STR("form"));
        const XmlNode *title = xml_child(child, "jabber:x:data", "title");
        assert_non_null(title);
        assert_text(title->first->text, STR("spade:x:metadata"));
        for (const XmlNode *field = xml_child(child, "jabber:x:data", "field"); field;
             field = xml_next(field, "jabber:x:data", "field")) {
            const XmlNode *value = xml_child(field, "jabber:x:data", "value");
            assert_true(xml_attribute(field, "var").len > 0);
            assert_non_null(value);
            assert_null(xml_next(value, "jabber:x:data", "value"));
            for (const XmlNode *later = xml_next(field, "jabber:x:data", "field"); later;
                 later = xml_next(later, "jabber:x:data", "field"))
                assert_false(str_eq(xml_attribute(field, "var"), xml_attribute(later, "var")));
        }
    }
    assert_int_equal(bodies, 1);
    assert_int_equal(forms, 1);
    xml_stream_free(stream);
}

/* Whatever was read: written again it is safe, and says the same. */
static void assert_written_again(const MawStanza *stanza)
{
    CLEANUP(buf_done) Buf out = {0};
    CLEANUP(read_done) Read again = {0};
    CLEANUP(read_done) Read third = {0};

    maw_stanza_write(stanza, &out);
    assert_safe_for_spade(buf_str(&out));
    assert_true(read_stanza(buf_str(&out), &again));
    assert_text(again.stanza.from, stanza->from);
    assert_text(again.stanza.to, stanza->to);
    assert_text(again.stanza.body, stanza->body);
    assert_text(again.stanza.thread, stanza->thread);
    assert_int_equal(again.stanza.act, stanza->act == ACT_OTHER ? ACT_NONE : stanza->act);
    for (uint32_t i = 0; i < stanza->other_count; i++)
        assert_text(value_of(&again.stanza, stanza->other[i].key), stanza->other[i].value);
    buf_clear(&out);
    maw_stanza_write(&again.stanza, &out);
    assert_true(read_stanza(buf_str(&out), &third));
    assert_same(&third.stanza, &again.stanza);
}

/* ---- the recorded files ---- */

/* Beside `sees`, what the row's XML says of the type. */
static MawStanzaType type_named(Str name)
{
    if (str_eq(name, STR("type_groupchat")) || str_eq(name, STR("type_headline")))
        return STANZA_OTHER;
    return str_eq(name, STR("no_type_attr")) || str_eq(name, STR("type_normal")) ? STANZA_NORMAL
                                                                                 : STANZA_CHAT;
}

static void check_vector(const json_t *row)
{
    CLEANUP(read_done) Read read = {0};
    const json_t *sees = json_get(row, "sees");

    print_message("%.*s\n", STR_ARG(get(row, "name")));
    assert_true(read_stanza(get(row, "xml"), &read));
    assert_int_equal(read.stanza.type, type_named(get(row, "name")));
    assert_written_again(&read.stanza);
    if (!sees) { /* SPADE breaks; all that is good in it is ours */
        assert_text(read.stanza.body, STR("b"));
        assert_int_equal(read.stanza.act, ACT_INFORM);
        assert_int_equal(metadata_count(&read.stanza), 1);
        return;
    }
    assert_text(read.stanza.from, get(sees, "sender"));
    assert_text(read.stanza.to, get(sees, "to"));
    assert_text(read.stanza.thread, get(sees, "thread"));
    assert_int_equal(read.stanza.has_body, get(sees, "body").bytes != NULL);
    assert_text(read.stanza.body, get(sees, "body"));
    assert_metadata(&read.stanza, json_get(sees, "metadata"));
}

static void odd_stanzas_are_read_as_spade_reads_them(void **state)
{
    (void)state;
    assert_int_equal(each_row("receive-vectors.jsonl", check_vector), 31);
}

/* The stanza of a row's fields. */
static MawStanza stanza_of(const json_t *row)
{
    const json_t *metadata = json_get(row, "metadata");
    MawStanza stanza = {
        .from = get(row, "from"),
        .to = get(row, "to"),
        .type = STANZA_CHAT,
        .act = maw_act_of(get(metadata, "performative")),
        .conversation_id = get(metadata, "conversation-id"),
        .reply_with = get(metadata, "reply-with"),
        .in_reply_to = get(metadata, "in-reply-to"),
        .thread = get(row, "thread"),
        .has_body = true,
        .body = get(row, "body"),
    };

    if (get(metadata, "protocol").len)
        stanza.other[stanza.other_count++] =
            (MawMetadata){STR("protocol"), get(metadata, "protocol")};
    return stanza;
}

static void check_message(const json_t *row)
{
    CLEANUP(read_done) Read read = {0};
    CLEANUP(buf_done) Buf out = {0};
    MawStanza stanza = stanza_of(row);
    XmlStream *streams[2] = {NULL, NULL};
    const XmlNode *roots[2] = {NULL, NULL};

    /* read */
    assert_true(read_stanza(get(row, "xml"), &read));
    assert_text(read.stanza.from, get(row, "from"));
    assert_text(read.stanza.to, get(row, "to"));
    assert_text(read.stanza.thread, get(row, "thread"));
    assert_text(read.stanza.body, get(row, "body"));
    assert_int_equal(read.stanza.type, STANZA_CHAT);
    assert_metadata(&read.stanza, json_get(row, "metadata"));

    /* written, in the namespace of a client's stream: the same tree */
    buf_add(&out, STR("<s xmlns='jabber:client'>"));
    maw_stanza_write(&stanza, &out);
    buf_add(&out, STR("</s>"));
    assert_int_equal(xml_read(buf_str(&out), &streams[0], &roots[0], NULL), 0);
    assert_int_equal(xml_read(get(row, "xml"), &streams[1], &roots[1], NULL), 0);
    if (!same_tree(roots[0]->first, roots[1]))
        fail_msg("%s", buf_cstr(&out));
    assert_written_again(&read.stanza);
    xml_stream_free(streams[0]);
    xml_stream_free(streams[1]);
}

static void all_messages_are_read_and_written_as_spade_does(void **state)
{
    (void)state;
    assert_int_equal(each_row("maw-messages.jsonl", check_message), 26);
}

/* What came over a recorded stream. */
typedef struct Recorded {
    Read stanzas[16];
    unsigned count;
    unsigned connection; /* of the stream that is read */
    unsigned connections[16];
    char side; /* 'C': sent by the client */
    char sides[16];
} Recorded;

static void on_recorded(void *user, const XmlNode *element)
{
    Recorded *all = user;

    assert_true(all->count < 16);
    Read *read = &all->stanzas[all->count];
    if (maw_stanza_read(element, &read->texts, &read->stanza)) {
        all->connections[all->count] = all->connection;
        all->sides[all->count++] = all->side;
    }
}

/* A line "[2] S>C <xml..."; what follows without such a start belongs to it. */
static bool is_head(Str line, unsigned *ret_connection, char *ret_side)
{
    uint64_t number = 0;
    Str head = str_cut(&line, ' ');

    if (head.len < 3 || head.bytes[0] != '[' ||
        !str_to_uint(str_part(head, 1, head.len - 2), 999, &number))
        return false;
    *ret_connection = (unsigned)number;
    *ret_side = line.bytes[0];
    return true;
}

/* Reads all streams of one side of one connection. */
static void read_side(Str file, unsigned connection, char side, Recorded *all)
{
    XmlEvents events = {.element = on_recorded, .user = all};
    XmlStream *stream = NULL;
    bool ours = false;

    all->connection = connection;
    all->side = side;
    while (file.len) {
        Str whole = file;
        Str line = str_cut(&file, '\n');
        unsigned number;
        char from;
        size_t skip = 0;

        if (is_head(line, &number, &from)) {
            ours = number == connection && from == side;
            skip = (size_t)((const char *)memchr(line.bytes, '<', line.len) - line.bytes);
            if (ours && str_starts(str_part(line, skip, SIZE_MAX), STR("<?xml"))) {
                stream = xml_stream_free(stream);
                assert_int_equal(xml_stream_new(&events, &stream, NULL), 0);
            }
        }
        whole = str_part(whole, skip, whole.len - file.len - skip);
        if (ours && stream && xml_stream_feed(stream, whole, NULL))
            fail_msg("%.*s", STR_ARG(whole));
    }
    xml_stream_free(stream);
}

/* A message sent by one agent is told by the server to the other as it was. */
static void check_session(const char *name)
{
    CLEANUP(buf_done) Buf file = {0};
    Recorded all = {0};
    unsigned pairs = 0;

    read_file(name, &file);
    for (unsigned connection = 1; connection < 30; connection++) {
        read_side(buf_str(&file), connection, 'C', &all);
        read_side(buf_str(&file), connection, 'S', &all);
    }
    for (unsigned i = 0; i < all.count; i++) {
        const MawStanza *sent = &all.stanzas[i].stanza;
        assert_written_again(sent);
        for (unsigned k = 0; k < all.count; k++) {
            const MawStanza *got = &all.stanzas[k].stanza;
            if (all.sides[i] != 'C' || all.sides[k] != 'S' || !str_eq(sent->id, got->id))
                continue;
            pairs++;
            assert_int_not_equal(all.connections[i], all.connections[k]);
            assert_same(sent, got);
            assert_text(jid_bare(got->from), jid_bare(sent->from));
            assert_true(got->from.len > jid_bare(got->from).len); /* the server's stamp */
            assert_int_equal(got->type, STANZA_CHAT);
        }
    }
    assert_int_equal(pairs, 7);
    for (unsigned i = 0; i < all.count; i++)
        read_done(&all.stanzas[i]);
}

static void what_prosody_delivers_is_what_was_sent(void **state)
{
    (void)state;
    check_session("session-prosody-0.12.3.txt");
}

static void what_ejabberd_delivers_is_what_was_sent(void **state)
{
    (void)state;
    check_session("session-ejabberd-23.01.txt");
}

static void newer_spade_writes_the_same_form(void **state)
{
    CLEANUP(buf_done) Buf file = {0};
    Recorded all = {0};
    XmlEvents events = {.element = on_recorded, .user = &all};
    XmlStream *stream = NULL;

    (void)state;
    read_file("spade-4.1.2-serialized.xml", &file);
    assert_int_equal(xml_stream_new(&events, &stream, NULL), 0);
    assert_int_equal(xml_stream_feed(stream, STR("<s>"), NULL), 0);
    assert_int_equal(xml_stream_feed(stream, buf_str(&file), NULL), 0);
    assert_int_equal(all.count, 4);
    const MawStanza *vote = &all.stanzas[1].stanza;
    assert_int_equal(vote->act, ACT_REQUEST);
    assert_text(vote->thread, STR("game-1"));
    assert_text(vote->conversation_id, STR("c1"));
    assert_text(vote->reply_with, STR("r1"));
    assert_text(value_of(vote, STR("protocol")), STR("fipa-request"));
    assert_text(vote->body, STR("{\"type\": \"vote\", \"target\": \"player2@localhost\"}"));
    assert_int_equal(metadata_count(&all.stanzas[2].stanza), 0);
    assert_text(all.stanzas[3].stanza.body,
                STR("escapes <b> & \"quotes\" ' \n newline \t tab \xC3\xA9 \xE7\x8B\xBC "
                    "\xF0\x9F\x90\xBA"));
    for (unsigned i = 0; i < all.count; i++) {
        assert_written_again(&all.stanzas[i].stanza);
        read_done(&all.stanzas[i]);
    }
    xml_stream_free(stream);
}

/* ---- the edges ---- */

static void what_is_no_message_is_not_read(void **state)
{
    static const char *const others[] = {
        "<iq xmlns='jabber:client'/>",
        "<presence/>",
        "<message xmlns='urn:other'/>",
        "<Message/>",
    };

    (void)state;
    for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
        CLEANUP(read_done) Read read = {0};
        assert_false(read_stanza(str_of(others[i]), &read));
    }
}

static void an_error_has_its_condition(void **state)
{
    CLEANUP(buf_done) Buf out = {0};
    CLEANUP(read_done) Read own = {0};
    CLEANUP(read_done) Read bounced = {0};

    (void)state;
    maw_stanza_write_error(STR("no@maw.d"), STR("p@d/r"), STR("<7>"), "item-not-found", &out);
    assert_true(read_stanza(buf_str(&out), &own));
    assert_int_equal(own.stanza.type, STANZA_ERROR);
    assert_text(own.stanza.error_condition, STR("item-not-found"));
    assert_text(own.stanza.from, STR("no@maw.d"));
    assert_text(own.stanza.to, STR("p@d/r"));
    assert_text(own.stanza.id, STR("<7>"));
    assert_false(own.stanza.has_body);

    assert_true(read_stanza(
        STR("<message xmlns='jabber:component:accept' type='error' id='9'><body>b</body>"
            "<error type='cancel'><text xmlns='urn:ietf:params:xml:ns:xmpp-stanzas'>gone</text>"
            "<service-unavailable xmlns='urn:ietf:params:xml:ns:xmpp-stanzas'/></error></message>"),
        &bounced));
    assert_text(bounced.stanza.error_condition, STR("service-unavailable"));
    assert_text(bounced.stanza.id, STR("9"));
}

static void metadata_over_the_limit_is_left_out(void **state)
{
    CLEANUP(buf_done) Buf xml = {0};
    CLEANUP(read_done) Read read = {0};

    (void)state;
    buf_add(&xml, STR("<message><x xmlns='jabber:x:data'><title>spade:x:metadata</title>"));
    for (int i = 0; i < 100; i++)
        buf_printf(&xml, "<field var='k%d'><value>v%d</value></field>", i, i);
    buf_add(&xml, STR("<field var='k3'><value>last</value></field>"
                      "<field var='language'><value>xml</value></field>"
                      "<field var='performative'><value>AGREE</value></field></x></message>"));
    assert_true(read_stanza(buf_str(&xml), &read));
    assert_int_equal(read.stanza.other_count, MAW_METADATA_MAX - 1); /* one is for ontology */
    assert_text(value_of(&read.stanza, STR("k13")), STR("v13"));
    assert_null(value_of(&read.stanza, STR("k14")).bytes);
    assert_text(value_of(&read.stanza, STR("language")), STR("xml"));
    assert_text(value_of(&read.stanza, STR("k3")), STR("last"));
    assert_int_equal(read.stanza.act, ACT_AGREE);
    assert_written_again(&read.stanza);
}

static void poison_is_never_written(void **state)
{
    static const char body[] = "a\0b\x01\xFF]]><&\"'\r\n\t\xEF\xBF\xBF";
    MawStanza stanza = {
        .from = STR("<'\">@d"),
        .to = STR("p@d"),
        .id = STR("&"),
        .act = ACT_INFORM,
        .thread = STR("t\x02"),
        .has_body = true,
        .body = {body, sizeof(body) - 1},
        .other = {{STR("protocol"), {NULL, 0}},     /* no value */
                  {{"", 0}, STR("no key")},         /* no key */
                  {STR("performative"), STR("x")},  /* the stanza's own */
                  {STR("_thread_node"), STR("x")},  /* too */
                  {STR("k"), STR("first")},         /* twice */
                  {STR("ontology"), STR("theirs")}, /* not twice */
                  {STR("k"), STR("last")},
                  {STR("empty"), {"", 0}}},
        .other_count = 8,
    };
    CLEANUP(buf_done) Buf out = {0};
    CLEANUP(read_done) Read read = {0};

    (void)state;
    maw_stanza_write(&stanza, &out);
    assert_safe_for_spade(buf_str(&out));
    assert_true(read_stanza(buf_str(&out), &read));
    assert_text(read.stanza.from, stanza.from);
    assert_text(read.stanza.id, stanza.id);
    assert_text(read.stanza.thread, STR("t"));
    assert_text(read.stanza.body, STR("ab\xEF\xBF\xBD]]><&\"'\r\n\t"));
    assert_int_equal(read.stanza.act, ACT_INFORM);
    assert_int_equal(read.stanza.other_count, 4);
    assert_text(value_of(&read.stanza, STR("k")), STR("last"));
    assert_text(value_of(&read.stanza, STR("ontology")), STR("theirs"));
    assert_text(value_of(&read.stanza, STR("language")), STR("json"));
    assert_non_null(value_of(&read.stanza, STR("empty")).bytes);

    MawStanza bare = {.to = STR("p@d")}; /* no body, no act: still safe */
    buf_clear(&out);
    maw_stanza_write(&bare, &out);
    assert_safe_for_spade(buf_str(&out));
}

static void acts_have_their_names(void **state)
{
    (void)state;
    for (int act = ACT_REQUEST; act < ACT_OTHER; act++)
        assert_int_equal(maw_act_of(str_of(maw_act_name((MawAct)act))), act);
    assert_string_equal(maw_act_name(ACT_NONE), "");
    assert_string_equal(maw_act_name(ACT_OTHER), "");
    assert_string_equal(maw_act_name(ACT_QUERY_REF), "query-ref");
    assert_int_equal(maw_act_of(STR("query")), ACT_QUERY_REF);
    assert_int_equal(maw_act_of(STR("query-if")), ACT_QUERY_REF);
    assert_int_equal(maw_act_of(STR("propose")), ACT_OTHER);
    assert_int_equal(maw_act_of(STR("")), ACT_NONE);
    assert_int_equal(maw_act_of(STR("Not-Understood")), ACT_NOT_UNDERSTOOD);
}

static void addresses_come_apart(void **state)
{
    static const struct {
        const char *jid;
        const char *bare;
        const char *local;
        const char *domain;
        const char *folded;
    } cases[] = {
        {"Player1@LocalHost/Res", "Player1@LocalHost", "Player1", "LocalHost", "player1@localhost"},
        {"a@b", "a@b", "a", "b", "a@b"},
        {"maw.localhost", "maw.localhost", "", "maw.localhost", "maw.localhost"},
        {"d/r@x/y", "d", "", "d", "d"},
        {"a@b/r@x/y", "a@b", "a", "b", "a@b"},
        {"", "", "", "", ""},
        {"@", "@", "", "", "@"},
        {"/", "", "", "", ""},
        {"\xC3\x84@d", "\xC3\x84@d", "\xC3\x84", "d", "\xC3\x84@d"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        CLEANUP(buf_done) Buf folded = {0};
        Str jid = str_of(cases[i].jid);

        assert_text(jid_bare(jid), str_of(cases[i].bare));
        assert_text(jid_local(jid), str_of(cases[i].local));
        assert_text(jid_domain(jid), str_of(cases[i].domain));
        jid_fold(jid, &folded);
        assert_string_equal(buf_cstr(&folded), cases[i].folded);
    }
    assert_int_equal(jid_bare((Str){NULL, 0}).len, 0);
    assert_int_equal(jid_local((Str){NULL, 0}).len, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(odd_stanzas_are_read_as_spade_reads_them),
        cmocka_unit_test(all_messages_are_read_and_written_as_spade_does),
        cmocka_unit_test(what_prosody_delivers_is_what_was_sent),
        cmocka_unit_test(what_ejabberd_delivers_is_what_was_sent),
        cmocka_unit_test(newer_spade_writes_the_same_form),
        cmocka_unit_test(what_is_no_message_is_not_read),
        cmocka_unit_test(an_error_has_its_condition),
        cmocka_unit_test(metadata_over_the_limit_is_left_out),
        cmocka_unit_test(poison_is_never_written),
        cmocka_unit_test(acts_have_their_names),
        cmocka_unit_test(addresses_come_apart),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
