/* What goes through real servers: prosody and ejabberd (docs/spec/maw.md 8.5). Each test runs with
 * both; one that is not installed is skipped, and says so. */
#include "xmpp_server.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/buf.h"
#include "net/xmpp_client.h"
#include "net/xmpp_component.h"
#include "wire/json_read.h"
#include "wire/maw_stanza.h"

#define INBOX_MAX 64
#define LIMIT     ((TimeUs)30 * 1000000) /* for whatever a test waits */

/* A message that came. */
typedef struct Mail {
    Buf tree; /* see print_tree */
    Buf texts;
    MawStanza stanza; /* its texts are in `texts` */
} Mail;

/* A client or the component. */
typedef struct Peer {
    struct World *world;
    XmppClient *client;
    XmppComponent *component;
    unsigned ups, downs, refusals;
    char why[256];
    char jid[128];
    Mail inbox[INBOX_MAX];
    unsigned count;
    bool echo; /* a component that sends each message back */
} Peer;

typedef struct World {
    XmppServer *server;
    Loop *loop;
    Timer *limit;
    Peer component;
    Peer clients[4];
    uint32_t alive_ms;
    bool over_time;
} World;

/* ---- trees ---- */

static int compare_texts(const void *a, const void *b)
{
    const Buf *left = a;
    const Buf *right = b;

    return strcmp(buf_cstr(left), buf_cstr(right));
}

/* Puts texts behind each other, in alphabetical order. */
static void add_sorted(Buf *parts, size_t count, Buf *out)
{
    qsort(parts, count, sizeof(*parts), compare_texts);
    for (size_t i = 0; i < count; i++) {
        buf_add(out, buf_str(&parts[i]));
        buf_done(&parts[i]);
    }
}

/* What servers may change isn't part of a tree: the stream's namespace, the order of elements,
 * `from`, `to`, `id` and xml:lang of the stanza. */
static void print_tree(const XmlNode *node, bool is_stanza, Buf *out)
{
    Buf parts[64] = {{0}};
    size_t count = 0;

    if (!node->name.len) {
        buf_printf(out, "[%.*s]", STR_ARG(node->text));
        return;
    }
    bool stream = str_starts(node->space, STR("jabber:c")) || !node->space.len;
    buf_printf(out, "<%.*s|%.*s", stream ? 0 : (int)node->space.len, node->space.bytes,
               STR_ARG(node->name));
    for (uint32_t i = 0; i < node->attribute_count; i++) {
        const XmlAttribute *attribute = &node->attributes[i];
        bool routing = str_eq(attribute->name, STR("from")) || str_eq(attribute->name, STR("to")) ||
                       str_eq(attribute->name, STR("id")) || str_eq(attribute->name, STR("lang"));

        if (!(is_stanza && routing))
            buf_printf(&parts[count++], " %.*s='%.*s'", STR_ARG(attribute->name),
                       STR_ARG(attribute->value));
    }
    add_sorted(parts, count, out);
    buf_add(out, STR(">"));
    count = 0;
    memset(parts, 0, sizeof(parts));
    for (const XmlNode *child = node->first; child; child = child->next) {
        assert_true(count < 64);
        print_tree(child, false, &parts[count++]);
    }
    add_sorted(parts, count, out);
    buf_add(out, STR("</>"));
}

/* ---- what peers are told ---- */

static void on_message(Peer *peer, const XmlNode *message)
{
    CLEANUP(buf_done) Buf out = {0};
    Mail *mail = &peer->inbox[peer->count % INBOX_MAX];

    if (!str_eq(message->name, STR("message")))
        return;
    buf_clear(&mail->tree);
    buf_clear(&mail->texts);
    print_tree(message, true, &mail->tree);
    assert_true(maw_stanza_read(message, &mail->texts, &mail->stanza));
    peer->count++;
    if (peer->echo) {
        MawStanza back = mail->stanza;

        back.from = STR("gm@maw.localhost");
        back.to = mail->stanza.from;
        maw_stanza_write(&back, &out);
        assert_true(xmpp_component_send(peer->component, buf_str(&out)));
    }
    loop_stop(peer->world->loop);
}

static void on_stanza(void *user, const XmlNode *stanza, TimeUs at)
{
    (void)at;
    on_message(user, stanza);
}

static void on_down(Peer *peer, const char *why)
{
    peer->downs++;
    snprintf(peer->why, sizeof(peer->why), "%s", why);
}

static void on_client_state(void *user, bool up, Str jid, const char *why, TimeUs now)
{
    Peer *peer = user;

    (void)now;
    if (up) {
        peer->ups++;
        snprintf(peer->jid, sizeof(peer->jid), "%.*s", STR_ARG(jid));
    } else {
        on_down(peer, why);
    }
    loop_stop(peer->world->loop);
}

static void on_component_state(void *user, bool up, const char *why, TimeUs at)
{
    Peer *peer = user;

    (void)at;
    if (up)
        peer->ups++;
    else
        on_down(peer, why);
    loop_stop(peer->world->loop);
}

static void on_refused(void *user, const char *why, TimeUs at)
{
    Peer *peer = user;

    (void)at;
    peer->refusals++;
    snprintf(peer->why, sizeof(peer->why), "%s", why);
    loop_stop(peer->world->loop);
}

static void on_limit(void *user, TimeUs now)
{
    World *world = user;

    (void)now;
    world->over_time = true;
    loop_stop(world->loop);
}

/* ---- the world of a test ---- */

static int servers_open(void **state, XmppServerKind kind)
{
    World *world = calloc(1, sizeof(*world));
    const char *missing = xmpp_server_missing(kind);

    assert_non_null(world);
    *state = world;
    if (missing) {
        print_message("%s: its tests are skipped\n", missing);
        return 0;
    }
    world->server = calloc(1, sizeof(*world->server));
    assert_non_null(world->server);
    xmpp_server_start(world->server, kind);
    return 0;
}

static int open_prosody(void **state)
{
    return servers_open(state, XMPP_PROSODY);
}

static int open_ejabberd(void **state)
{
    return servers_open(state, XMPP_EJABBERD);
}

static int servers_close(void **state)
{
    World *world = *state;

    if (world->server)
        xmpp_server_done(world->server);
    free(world->server);
    free(world);
    return 0;
}

static void peer_done(Peer *peer)
{
    for (size_t i = 0; i < INBOX_MAX; i++) {
        buf_done(&peer->inbox[i].tree);
        buf_done(&peer->inbox[i].texts);
    }
    memset(peer, 0, sizeof(*peer));
}

static int world_open(void **state)
{
    World *world = *state;

    if (!world->server)
        return 0;
    assert_int_equal(loop_new(&world->loop, NULL), 0);
    assert_int_equal(timer_new(world->loop, on_limit, world, &world->limit, NULL), 0);
    world->over_time = false;
    world->alive_ms = 0;
    world->component.world = world;
    for (size_t i = 0; i < 4; i++)
        world->clients[i].world = world;
    return 0;
}

static int world_close(void **state)
{
    World *world = *state;

    world->loop = loop_free(world->loop);
    peer_done(&world->component);
    for (size_t i = 0; i < 4; i++)
        peer_done(&world->clients[i]);
    return 0;
}

/* The world, or the end of the test where there is no server. */
static World *world_of(void **state)
{
    World *world = *state;

    if (!world->server)
        skip();
    return world;
}

/* Runs until *counter has reached `count`. */
static void await(World *world, const unsigned *counter, unsigned count)
{
    timer_at(world->limit, loop_now() + LIMIT, false);
    while (*counter < count && !world->over_time)
        loop_run(world->loop);
    timer_stop(world->limit);
    assert_false(world->over_time);
}

static void add_component(World *world, const char *secret)
{
    const XmppComponentSetup setup = {
        .host = "127.0.0.1",
        .port = world->server->component_port,
        .domain = STR("maw.localhost"),
        .secret = str_of(secret),
        .seed = 1,
        .wait_ms = 50,
        .alive_ms = world->alive_ms,
        .events = {.state = on_component_state, .stanza = on_stanza, .refused = on_refused},
        .user = &world->component,
    };

    assert_int_equal(xmpp_component_new(world->loop, &setup, &world->component.component, NULL), 0);
}

static XmppClientSetup client_setup(World *world, const char *jid, Peer *peer)
{
    return (XmppClientSetup){
        .jid = jid,
        .password = "pw&<1>",
        .host = "127.0.0.1",
        .port = world->server->client_port,
        .tls = XMPP_TLS_OFF,
        .register_account = true,
        .seed = 1,
        .wait_ms = 50,
        .alive_ms = world->alive_ms,
        .events = {on_client_state, on_stanza, on_refused},
        .user = peer,
    };
}

static Peer *add_client(World *world, size_t i, const char *jid)
{
    Peer *peer = &world->clients[i];
    XmppClientSetup setup = client_setup(world, jid, peer);

    assert_int_equal(xmpp_client_new(world->loop, &setup, &peer->client, NULL), 0);
    return peer;
}

static void component_up(World *world)
{
    add_component(world, "mawsecret");
    await(world, &world->component.ups, 1);
}

static Peer *client_up(World *world, size_t i, const char *jid)
{
    Peer *peer = add_client(world, i, jid);

    await(world, &peer->ups, 1);
    return peer;
}

/* A message of a few words. */
static void send_words(Peer *peer, const char *from, const char *to, const char *id,
                       const char *words)
{
    CLEANUP(buf_done) Buf out = {0};
    const MawStanza stanza = {
        .from = str_of(from),
        .to = str_of(to),
        .id = str_of(id),
        .act = ACT_INFORM,
        .thread = STR("t1"),
        .has_body = true,
        .body = str_of(words),
    };

    maw_stanza_write(&stanza, &out);
    if (!(peer->client ? xmpp_client_send(peer->client, buf_str(&out))
                       : xmpp_component_send(peer->component, buf_str(&out))))
        fail_msg("%s is down: %s", peer->client ? "the client" : "the component", peer->why);
}

static Mail *last_mail(Peer *peer)
{
    assert_true(peer->count > 0);
    return &peer->inbox[(peer->count - 1) % INBOX_MAX];
}

static void assert_str(Str got, const char *want)
{
    if (!str_eq(got, str_of(want)))
        fail_msg("'%.*s' is not '%s'", STR_ARG(got), want);
}

/* There and back, to see that all is well. */
static void check_link(World *world, Peer *client)
{
    Peer *component = &world->component;
    unsigned before = component->count;
    unsigned before_back = client->count;

    send_words(client, "", "gm@maw.localhost", "there", "hello");
    await(world, &component->count, before + 1);
    assert_str(last_mail(component)->stanza.from, client->jid);
    assert_str(last_mail(component)->stanza.body, "hello");
    send_words(component, "gm@maw.localhost", client->jid, "back", "hello too");
    await(world, &client->count, before_back + 1);
    assert_str(last_mail(client)->stanza.from, "gm@maw.localhost");
    assert_str(last_mail(client)->stanza.body, "hello too");
    assert_str(last_mail(client)->stanza.id, "back");
}

/* ---- the component's link ---- */

static void a_component_with_a_wrong_secret_is_refused(void **state)
{
    World *world = world_of(state);

    add_component(world, "not the secret");
    await(world, &world->component.refusals, 1);
    assert_int_equal(world->component.ups, 0);
    assert_true(world->component.why[0]);
}

static void a_component_and_a_client_talk(void **state)
{
    World *world = world_of(state);

    component_up(world);
    check_link(world, client_up(world, 0, "ann@localhost"));
}

static void both_come_back_after_a_restart_of_the_server(void **state)
{
    World *world = world_of(state);

    component_up(world);
    Peer *client = client_up(world, 0, "ann@localhost");
    xmpp_server_stop(world->server);
    await(world, &world->component.downs, 1);
    await(world, &client->downs, 1);
    assert_false(xmpp_component_is_up(world->component.component));
    assert_false(xmpp_client_is_up(client->client));
    xmpp_server_again(world->server);
    await(world, &world->component.ups, 2);
    await(world, &client->ups, 2);
    check_link(world, client);
}

static void both_come_back_after_the_server_was_killed(void **state)
{
    World *world = world_of(state);

    component_up(world);
    Peer *client = client_up(world, 0, "ann@localhost");
    xmpp_server_kill(world->server);
    await(world, &world->component.downs, 1);
    await(world, &client->downs, 1);
    xmpp_server_again(world->server);
    await(world, &world->component.ups, 2);
    await(world, &client->ups, 2);
    check_link(world, client);
}

/* ---- TLS ---- */

static void with_tls(World *world, XmppTls tls, bool with_ca)
{
    Peer *peer = &world->clients[0];
    XmppClientSetup setup = client_setup(world, "ann@localhost", peer);
    char path[128];

    xmpp_server_path(world->server, "localhost.crt", path);
    setup.tls = tls;
    setup.ca_file = with_ca ? path : NULL;
    assert_int_equal(xmpp_client_new(world->loop, &setup, &peer->client, NULL), 0);
    component_up(world);
    await(world, &peer->ups, 1);
    check_link(world, peer);
}

static void with_tls_and_any_certificate(void **state)
{
    with_tls(world_of(state), XMPP_TLS_TRUST, false);
}

static void with_tls_and_the_certificate_that_is_trusted(void **state)
{
    with_tls(world_of(state), XMPP_TLS_REQUIRED, true);
}

static void with_tls_where_it_is_offered(void **state)
{
    with_tls(world_of(state), XMPP_TLS_OPTIONAL, false);
}

static void a_certificate_that_is_not_trusted_is_refused(void **state)
{
    World *world = world_of(state);
    Peer *peer = &world->clients[0];
    XmppClientSetup setup = client_setup(world, "ann@localhost", peer);

    for (int registered = 0; registered < 2; registered++) {
        setup.tls = XMPP_TLS_REQUIRED;
        setup.register_account = registered;
        assert_int_equal(xmpp_client_new(world->loop, &setup, &peer->client, NULL), 0);
        await(world, &peer->refusals, (unsigned)registered + 1);
        assert_non_null(strstr(peer->why, "the certificate is not accepted"));
        peer->client = xmpp_client_free(peer->client);
    }
    assert_int_equal(peer->ups, 0);
}

static void a_large_message_passes_with_tls(void **state)
{
    World *world = world_of(state);
    CLEANUP(buf_done) Buf words = {0};

    for (int i = 0; i < 6000; i++)
        buf_printf(&words, "%09d\xE7\x8B\xBC<", i);
    with_tls(world, XMPP_TLS_TRUST, false);
    Peer *client = &world->clients[0];
    for (unsigned i = 1; i <= 3; i++) {
        send_words(client, "", "gm@maw.localhost", "l", buf_cstr(&words));
        await(world, &world->component.count, i + 1);
        assert_true(str_eq(last_mail(&world->component)->stanza.body, buf_str(&words)));
        send_words(&world->component, "gm@maw.localhost", client->jid, "l", buf_cstr(&words));
        await(world, &client->count, i + 1);
        assert_true(str_eq(last_mail(client)->stanza.body, buf_str(&words)));
    }
}

/* Silence alone is no end: the server answers when it is asked. */
static void a_silent_server_that_answers_is_kept(void **state)
{
    World *world = world_of(state);

    world->alive_ms = 1500;
    component_up(world);
    Peer *client = client_up(world, 0, "ann@localhost");
    TimeUs end = loop_now() + 4 * 1500000;
    while (loop_now() < end) {
        timer_at(world->limit, end, false);
        loop_run(world->loop);
    }
    world->over_time = false;
    assert_int_equal(client->downs + world->component.downs, 0);
    assert_true(xmpp_client_is_up(client->client));
    assert_true(xmpp_component_is_up(world->component.component));
}

/* ---- MAW's messages ---- */

static void read_messages(Buf *out)
{
    char path[512];
    char block[4096];
    size_t n;

    snprintf(path, sizeof(path), "%s/maw/maw-messages.jsonl", getenv("WARG_TEST_DATA"));
    FILE *in = fopen(path, "re");
    assert_non_null(in);
    while ((n = fread(block, 1, sizeof(block), in)) > 0)
        buf_add(out, (Str){block, n});
    fclose(in);
}

/* One line of the file: as it stands, from the client to the component, which writes it anew and
 * sends it back. */
static void pass_message(World *world, const json_t *row)
{
    CLEANUP(buf_done) Buf sent = {0};
    CLEANUP(buf_done) Buf tree = {0};
    Peer *client = &world->clients[0];
    unsigned there = world->component.count;
    unsigned back = client->count;
    const XmlNode *message;
    XmlStream *stream;
    Str xml;

    assert_true(json_as_str(json_get(row, "xml"), &xml));
    assert_int_equal(xml_read(xml, &stream, &message, NULL), 0);
    print_tree(message, true, &tree);
    /* The addresses become those of the two that talk here; what is inside stays byte for byte. */
    const char *inside = memchr(xml.bytes, '>', xml.len);
    assert_non_null(inside);
    buf_add(&sent, STR("<message to='gm@maw.localhost' type='chat'"));
    buf_add(&sent, str_part(xml, (size_t)(inside - xml.bytes), SIZE_MAX));
    assert_true(xmpp_client_send(client->client, buf_str(&sent)));
    await(world, &world->component.count, there + 1);
    assert_string_equal(buf_cstr(&last_mail(&world->component)->tree), buf_cstr(&tree));
    await(world, &client->count, back + 1);
    assert_string_equal(buf_cstr(&last_mail(client)->tree), buf_cstr(&tree));
    xml_stream_free(stream);
}

static void all_messages_pass_there_and_back(void **state)
{
    World *world = world_of(state);
    CLEANUP(buf_done) Buf file = {0};
    unsigned rows = 0;

    component_up(world);
    client_up(world, 0, "ann@localhost");
    world->component.echo = true;
    read_messages(&file);
    for (Str rest = buf_str(&file); rest.len; rows++) {
        json_t *row = NULL;

        assert_int_equal(json_read(str_cut(&rest, '\n'), SIZE_MAX, &row, NULL), 0);
        pass_message(world, row);
        json_done(row);
    }
    assert_int_equal(rows, 26);
}

/* ---- accounts ---- */

static void an_account_is_made_once_and_its_password_counts(void **state)
{
    World *world = world_of(state);
    Peer *wrong = &world->clients[2];
    XmppClientSetup setup = client_setup(world, "new@localhost", wrong);

    client_up(world, 0, "new@localhost");
    client_up(world, 1, "new@localhost"); /* it is there already */
    setup.password = "wrong";
    assert_int_equal(xmpp_client_new(world->loop, &setup, &wrong->client, NULL), 0);
    await(world, &wrong->refusals, 1);
    assert_string_equal(wrong->why, "the server refuses the password");
    setup.jid = "nobody@localhost";
    setup.register_account = false;
    assert_int_equal(xmpp_client_new(world->loop, &setup, &wrong->client, NULL), 0);
    await(world, &wrong->refusals, 2);
    assert_string_equal(wrong->why, "the server refuses the password");
}

static void two_resources_of_an_account_both_get_what_goes_to_it(void **state)
{
    World *world = world_of(state);

    component_up(world);
    Peer *first = client_up(world, 0, "ann@localhost/one");
    Peer *second = client_up(world, 1, "ann@localhost/two");
    assert_string_equal(first->jid, "ann@localhost/one");
    assert_string_equal(second->jid, "ann@localhost/two");
    check_link(world, first); /* and so their presence has arrived */
    check_link(world, second);
    assert_int_equal(first->count, 1);
    assert_int_equal(second->count, 1);
    send_words(&world->component, "gm@maw.localhost", "ann@localhost", "m1", "to both");
    await(world, &first->count, 2);
    await(world, &second->count, 2);
    send_words(&world->component, "gm@maw.localhost", "ann@localhost/two", "m2", "to one");
    await(world, &second->count, 3);
    assert_int_equal(first->count, 2);
    assert_str(last_mail(second)->stanza.body, "to one");
}

/* A third login with a resource that is in use: the older one is told, and doesn't fight. */
static void a_resource_belongs_to_the_last_that_took_it(void **state)
{
    World *world = world_of(state);

    component_up(world);
    Peer *first = client_up(world, 0, "ann@localhost/one");
    Peer *second = client_up(world, 1, "ann@localhost/one");
    await(world, &first->refusals, 1);
    assert_int_equal(first->downs, 0);
    check_link(world, second);
}

/* Sends until something comes back: to a client that has just left, a server may still deliver. */
static void await_bounce(World *world, const char *to)
{
    Peer *component = &world->component;
    unsigned before = component->count;
    TimeUs end = loop_now() + LIMIT;

    for (int i = 0; component->count == before && loop_now() < end; i++) {
        char id[16];

        snprintf(id, sizeof(id), "b%d", i);
        send_words(component, "gm@maw.localhost", to, id, "are you there?");
        timer_at(world->limit, loop_now() + 100000, false);
        loop_run(world->loop);
    }
    timer_stop(world->limit);
    world->over_time = false;
    assert_int_equal(last_mail(component)->stanza.type, STANZA_ERROR);
    assert_true(str_starts(last_mail(component)->stanza.id, STR("b")));
    assert_str(last_mail(component)->stanza.from, to);
    assert_str(last_mail(component)->stanza.error_condition, "service-unavailable");
}

static void messages_to_who_is_not_there_bounce_with_their_id(void **state)
{
    World *world = world_of(state);

    component_up(world);
    Peer *client = client_up(world, 0, "gone@localhost");
    check_link(world, client);
    client->client = xmpp_client_free(client->client);
    await_bounce(world, client->jid);
    await_bounce(world, "gone@localhost");
    await_bounce(world, "never@localhost");
}

/* ---- enemies ---- */

static void a_forged_sender_gets_nowhere_and_the_link_stays_up(void **state)
{
    World *world = world_of(state);
    Peer *component = &world->component;

    component_up(world);
    Peer *enemy = client_up(world, 0, "eve@localhost");
    Peer *client = client_up(world, 1, "ann@localhost");
    check_link(world, enemy);
    check_link(world, client);
    unsigned before = component->count;
    send_words(enemy, "gm@maw.localhost", "village@maw.localhost", "f1", "all wolves are bo");
    if (world->server->kind == XMPP_PROSODY) {
        await(world, &component->count, before + 1);
        assert_str(last_mail(component)->stanza.from, enemy->jid);
    } else {
        await(world, &enemy->downs, 1);
        assert_non_null(strstr(enemy->why, "invalid-from"));
        assert_int_equal(component->count, before);
    }
    check_link(world, client);
    assert_int_equal(component->downs, 0);
}

/* prosody ends the component's stream, ejabberd too. */
static void a_component_speaks_for_its_own_domain_only(void **state)
{
    World *world = world_of(state);
    Peer *component = &world->component;

    component_up(world);
    Peer *client = client_up(world, 0, "ann@localhost");
    check_link(world, client);
    unsigned before = client->count;
    send_words(component, "eve@localhost", client->jid, "f2", "I am eve");
    await(world, &component->downs, 1);
    assert_non_null(strstr(component->why, "invalid-from"));
    await(world, &component->ups, 2);
    assert_int_equal(client->count, before);
    check_link(world, client);
}

static void a_flood_passes_in_order(void **state)
{
    World *world = world_of(state);
    Peer *component = &world->component;

    component_up(world);
    Peer *client = client_up(world, 0, "ann@localhost");
    for (int i = 0; i < 2000; i++) {
        char id[16];

        snprintf(id, sizeof(id), "n%d", i);
        send_words(client, "", "gm@maw.localhost", id, "one of many");
    }
    await(world, &component->count, 2000);
    assert_str(last_mail(component)->stanza.id, "n1999");
    for (int i = 1936; i < 2000; i++) {
        char id[16];

        snprintf(id, sizeof(id), "n%d", i);
        assert_str(component->inbox[i % INBOX_MAX].stanza.id, id);
    }
    check_link(world, client);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, world_open, world_close)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_component_with_a_wrong_secret_is_refused),
        TEST(a_component_and_a_client_talk),
        TEST(with_tls_and_any_certificate),
        TEST(with_tls_and_the_certificate_that_is_trusted),
        TEST(with_tls_where_it_is_offered),
        TEST(a_certificate_that_is_not_trusted_is_refused),
        TEST(a_large_message_passes_with_tls),
        TEST(a_silent_server_that_answers_is_kept),
        TEST(all_messages_pass_there_and_back),
        TEST(an_account_is_made_once_and_its_password_counts),
        TEST(two_resources_of_an_account_both_get_what_goes_to_it),
        TEST(a_resource_belongs_to_the_last_that_took_it),
        TEST(messages_to_who_is_not_there_bounce_with_their_id),
        TEST(a_forged_sender_gets_nowhere_and_the_link_stays_up),
        TEST(a_component_speaks_for_its_own_domain_only),
        TEST(a_flood_passes_in_order),
        TEST(both_come_back_after_a_restart_of_the_server),
        TEST(both_come_back_after_the_server_was_killed),
    };
    int failed = cmocka_run_group_tests_name("prosody", tests, open_prosody, servers_close);

    return failed + cmocka_run_group_tests_name("ejabberd", tests, open_ejabberd, servers_close);
}
