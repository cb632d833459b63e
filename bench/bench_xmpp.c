/* bench_xmpp.c - MAW through real XMPP servers, beside a bare ping-pong of the same bytes.
 *
 * Usage: bench_xmpp [prosody|ejabberd]   without: both, where they are installed
 * Method: the server of tests/xmpp_server.h on loopback; a process with the game master (a
 * component and a session in its first day), and this one with six clients on one loop. A question
 * is get_new_messages; its answer has one line, as in a game, where a client asks for what is new,
 * or five. One question is on its way at a time, or one of each of five clients. The bare ping-pong
 * is the same two stanzas, as many at a time, between a component and a client that know nothing:
 * two processes, blocking reads and writes, no XML is read. No TLS. A line is chat from one client
 * until the last of the five others, who subscribed, has it. Wall time, and processor time of our
 * two processes; paired rounds, medians, and the median of the ratios.
 */
#include "../tests/xmpp_server.h"

#include "../tests/maw/xmpp_master.h"
#include "net/xmpp_client.h"
#include "wire/maw_message.h"

#include <openssl/sha.h>

#define CLIENTS 6
#define ROUNDS  11
#define QUESTIONS                                                                                  \
    250 /* in a round: the game master lets each client send 60 at once, then 20/s                 \
         */
#define LINES 100

typedef struct Client {
    struct Bench *bench;
    XmppClient *xmpp;
    Buf texts;
    bool up;
    unsigned answers; /* new_messages */
} Client;

typedef struct Bench {
    XmppServer server;
    Loop *loop;
    Timer *timer;
    Client clients[CLIENTS];
    unsigned ups, days, answered;
    size_t lines;   /* in the last answer */
    int64_t wanted; /* from this line on */
    Buf question;   /* as it is sent */
    Buf answer;     /* the last one */
    bool resting;
} Bench;

static double seconds(void)
{
    return (double)loop_now() / 1e6;
}

static _Noreturn void die(const char *what)
{
    fprintf(stderr, "bench_xmpp: %s\n", what);
    exit(1);
}

/* Processor time that a process has used, in seconds. */
static double used_by(pid_t process)
{
    struct timespec used = {0};
    clockid_t clock;

    if (clock_getcpuclockid(process, &clock) || clock_gettime(clock, &used))
        return 0;
    return (double)used.tv_sec + (double)used.tv_nsec / 1e9;
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

static double median(double *values, size_t n)
{
    qsort(values, n, sizeof(values[0]), compare);
    return values[n / 2];
}

/* ---- the bare ping-pong ---- */

static void hear(int fd, const char *word, char *heard)
{
    if (xmpp_server_hear(fd, word, NULL, 10000, heard) != 1)
        die("the server doesn't answer the bare ping-pong");
}

static int bare_client(const Bench *bench)
{
    static const char account[] = "\0bare\0secret";
    char text[256];
    char token[64];
    char heard[8192];

    if (!xmpp_server_add_account(&bench->server, "bare", "secret"))
        die("no account");
    int fd = xmpp_server_stream(&bench->server, 10000);
    if (fd < 0)
        die("no stream");
    EVP_EncodeBlock((unsigned char *)token, (const unsigned char *)account, sizeof(account) - 1);
    snprintf(text, sizeof(text),
             "<auth xmlns='urn:ietf:params:xml:ns:xmpp-sasl' mechanism='PLAIN'>%s</auth>", token);
    xmpp_server_say(fd, text);
    hear(fd, "<success", heard);
    xmpp_server_say(fd, "<stream:stream to='localhost' version='1.0' xmlns='jabber:client' "
                        "xmlns:stream='http://etherx.jabber.org/streams'>");
    hear(fd, "</stream:features>", heard);
    xmpp_server_say(fd, "<iq type='set' id='b'><bind xmlns='urn:ietf:params:xml:ns:xmpp-bind'>"
                        "<resource>r</resource></bind></iq>");
    hear(fd, "</iq>", heard);
    xmpp_server_say(fd, "<presence/>");
    hear(fd, "<presence", heard);
    return fd;
}

static int bare_component(const Bench *bench)
{
    unsigned char digest[SHA_DIGEST_LENGTH];
    char text[256];
    char heard[8192];
    int fd = xmpp_server_connect(bench->server.component_port);

    xmpp_server_say(fd, "<stream:stream to='maw.localhost' xmlns='jabber:component:accept' "
                        "xmlns:stream='http://etherx.jabber.org/streams'>");
    hear(fd, "id=", heard);
    const char *id = strstr(heard, " id=") + 5;
    int n = snprintf(text, sizeof(text), "%.*smawsecret", (int)strcspn(id, "'\""), id);
    SHA1((const unsigned char *)text, (size_t)n, digest);
    n = snprintf(text, sizeof(text), "<handshake>");
    for (size_t i = 0; i < sizeof(digest); i++)
        n += snprintf(text + n, sizeof(text) - (size_t)n, "%02x", digest[i]);
    snprintf(text + n, sizeof(text) - (size_t)n, "</handshake>");
    xmpp_server_say(fd, text);
    hear(fd, "<handshake", heard);
    return fd;
}

/* Reads what there is, at least a byte: how many messages end in it. */
static unsigned read_messages(int fd, size_t *matched)
{
    static const char end[] = "</message>";
    char bytes[16384];
    unsigned count = 0;
    ssize_t n = read(fd, bytes, sizeof(bytes));

    if (n <= 0)
        die("the bare ping-pong ended");
    for (ssize_t i = 0; i < n; i++) {
        *matched = bytes[i] == end[*matched] ? *matched + 1 : bytes[i] == end[0];
        if (*matched == sizeof(end) - 1) {
            count++;
            *matched = 0;
        }
    }
    return count;
}

static void write_whole(int fd, Str text)
{
    if (send(fd, text.bytes, text.len, MSG_NOSIGNAL) != (ssize_t)text.len)
        die("write");
}

static _Noreturn void answer_bare(int component, const Bench *bench)
{
    size_t matched = 0;
    unsigned left = QUESTIONS;
    char byte;

    prctl(PR_SET_PDEATHSIG, SIGKILL);
    while (left > 0)
        for (unsigned n = read_messages(component, &matched); n > 0; n--, left--)
            write_whole(component, buf_str(&bench->answer));
    _exit(read(component, &byte, 1) != 0); /* until it is killed */
}

/* What a question costs, in seconds: until it is answered, and of the processor in the process that
 * asks and in the one that answers. */
typedef struct Cost {
    double wall, asking, answering;
} Cost;

static Cost cost_since(const Cost *before, pid_t answerer)
{
    return (Cost){(seconds() - before->wall) / QUESTIONS,
                  (used_by(getpid()) - before->asking) / QUESTIONS,
                  (used_by(answerer) - before->answering) / QUESTIONS};
}

static Cost cost_now(pid_t answerer)
{
    return (Cost){seconds(), used_by(getpid()), used_by(answerer)};
}

/* With so many on their way at a time. */
static Cost bare_ping_pong(Bench *bench, unsigned window)
{
    int on = 1;
    int component = bare_component(bench);
    unsigned sent = 0, got = 0;
    size_t matched = 0;

    setsockopt(component, IPPROTO_TCP, 1 /* TCP_NODELAY */, &on, sizeof(on));
    pid_t child = fork();
    if (child == 0)
        answer_bare(component, bench);
    close(component);
    int fd = bare_client(bench);
    setsockopt(fd, IPPROTO_TCP, 1, &on, sizeof(on));
    Cost before = cost_now(child);
    while (got < QUESTIONS) {
        for (; sent < QUESTIONS && sent < got + window; sent++)
            write_whole(fd, buf_str(&bench->question));
        got += read_messages(fd, &matched);
    }
    Cost cost = cost_since(&before, child);
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
    close(fd);
    return cost;
}

/* ---- the game master ---- */

static _Noreturn void be_master(uint16_t port)
{
    MawOptions options = maw_options_default();
    Ruleset rules;
    Master master;
    Loop *loop;

    prctl(PR_SET_PDEATHSIG, SIGKILL);
    options.line_rate_ms = 1;
    options.line_burst = 1000;
    if (ruleset_preset(STR("maw"), &rules, NULL) || loop_new(&loop, NULL))
        exit(1);
    master_open(&master, loop, port, &rules, &options);
    loop_run(loop);
    exit(0);
}

/* ---- the clients ---- */

/* Without an id: the same one twice would be one message (section 4, row 12). */
static void tell(Client *client, const char *to, const char *body)
{
    Bench *bench = client->bench;
    const MawStanza stanza = {
        .to = str_of(to), .act = ACT_QUERY_REF, .has_body = true, .body = str_of(body)};

    buf_clear(&bench->question);
    maw_stanza_write(&stanza, &bench->question);
    xmpp_client_send(client->xmpp, buf_str(&bench->question));
}

static void on_state(void *user, bool up, Str jid, const char *why, TimeUs now)
{
    Client *client = user;

    (void)now;
    (void)jid;
    (void)why;
    client->bench->ups += up;
    loop_stop(client->bench->loop);
}

static void on_refused(void *user, const char *why, TimeUs at)
{
    (void)at;
    (void)user;
    die(why);
}

/* For the bare ping-pong; once in a game, as no client writes what it reads. */
static void keep_answer(Bench *bench, MawStanza stanza)
{
    if (bench->answer.len)
        return;
    stanza.from = STR("village@maw.localhost");
    stanza.to = STR("bare@localhost/r");
    maw_stanza_write(&stanza, &bench->answer);
}

/* As much of a client's work as there is in a game: the stanza and its body are read. */
static void on_stanza(void *user, const XmlNode *message, TimeUs at)
{
    Client *client = user;
    Bench *bench = client->bench;
    MawRefusal refusal;
    MawMessage body;
    MawStanza stanza;

    (void)at;
    buf_clear(&client->texts);
    if (!maw_stanza_read(message, &client->texts, &stanza) ||
        !maw_message_read(stanza.body, &body, &refusal))
        return;
    if (body.type == MAW_NEW_MESSAGES) {
        client->answers++;
        bench->answered++;
        bench->lines = body.line_count;
        keep_answer(bench, stanza);
    } else if (body.type == MAW_ERROR) {
        die(buf_cstr(&client->texts));
    }
    bench->days += body.type == MAW_PHASE_CHANGE;
    maw_message_done(&body);
    loop_stop(bench->loop);
}

static void on_timer(void *user, TimeUs now)
{
    Bench *bench = user;

    (void)now;
    bench->resting = false;
    loop_stop(bench->loop);
}

static void rest(Bench *bench, TimeUs ms)
{
    bench->resting = true;
    timer_at(bench->timer, loop_now() + ms * 1000, false);
    while (bench->resting)
        loop_run(bench->loop);
}

static void await(Bench *bench, const unsigned *counter, unsigned count)
{
    TimeUs end = loop_now() + 30 * 1000000;

    while (*counter < count && loop_now() < end)
        loop_run(bench->loop);
    if (*counter < count)
        die("no answer");
}

static void join(Bench *bench)
{
    for (int i = 0; i < CLIENTS; i++) {
        Client *client = &bench->clients[i];
        char jid[32];
        const XmppClientSetup setup = {.jid = jid,
                                       .password = "secret",
                                       .host = "127.0.0.1",
                                       .port = bench->server.client_port,
                                       .tls = XMPP_TLS_OFF,
                                       .register_account = true,
                                       .events = {on_state, on_stanza, on_refused},
                                       .user = client};

        client->bench = bench;
        snprintf(jid, sizeof(jid), "c%d@localhost", i);
        if (xmpp_client_new(bench->loop, &setup, &client->xmpp, NULL))
            die("no client");
    }
    await(bench, &bench->ups, CLIENTS);
    rest(bench, 500); /* the game master is there too */
    for (int i = 0; i < CLIENTS; i++) {
        char body[64];
        snprintf(body, sizeof(body), "{\"type\":\"join_lobby\",\"player_name\":\"Pat%d\"}", i);
        tell(&bench->clients[i], "gm@maw.localhost", body);
    }
    await(bench, &bench->days, CLIENTS);
}

static void ask(Client *client)
{
    char body[64];

    snprintf(body, sizeof(body), "{\"type\":\"get_new_messages\",\"index\":%lld}",
             (long long)client->bench->wanted);
    tell(client, "village@maw.localhost", body);
}

/* From now on answers have so many lines. */
static void want_lines(Bench *bench, size_t lines)
{
    bench->wanted = 0;
    ask(&bench->clients[0]);
    await(bench, &bench->answered, bench->answered + 1);
    bench->wanted = (int64_t)(bench->lines - lines);
    buf_clear(&bench->answer);
    ask(&bench->clients[0]);
    await(bench, &bench->answered, bench->answered + 1);
    if (bench->lines != lines)
        die("an answer has another number of lines");
}

/* `window` clients have one on its way at any time; the last client never asks, so that the lines
 * stay. */
static Cost questions(Bench *bench, unsigned window, pid_t master)
{
    Cost before = cost_now(master);
    unsigned begun = bench->answered, asked = 0;

    while (bench->answered - begun < QUESTIONS) {
        for (; asked < QUESTIONS && asked < bench->answered - begun + window; asked++)
            ask(&bench->clients[asked % (CLIENTS - 1)]);
        await(bench, &bench->answered, bench->answered + 1);
    }
    return cost_since(&before, master);
}

static void line(Bench *bench, double *ret_ms)
{
    unsigned before[CLIENTS];

    for (int i = 1; i < CLIENTS; i++)
        before[i] = bench->clients[i].answers;
    double start = seconds();
    tell(&bench->clients[0], "village@maw.localhost",
         "{\"type\":\"chat\",\"message\":\"I was looking at the well all night.\"}");
    for (int i = 1; i < CLIENTS; i++)
        await(bench, &bench->clients[i].answers, before[i] + 1);
    *ret_ms = (seconds() - start) * 1000;
}

static void measure_lines(Bench *bench, const char *server)
{
    double ms[LINES];

    for (int i = 1; i < CLIENTS; i++)
        tell(&bench->clients[i], "village@maw.localhost", "{\"type\":\"subscribe\"}");
    rest(bench, 300);
    for (int i = 0; i < LINES; i++) {
        line(bench, &ms[i]);
        rest(bench, 60);
    }
    double middle = median(ms, LINES);
    printf("  %-8s one line to five others   median %.2f ms, 95 of 100 within %.2f ms\n", server,
           middle, ms[LINES * 95 / 100]);
}

/* ---- figures ---- */

static pid_t start_master(const Bench *bench)
{
    pid_t child = fork();

    if (child == 0)
        be_master(bench->server.component_port);
    return child;
}

static void begin_game(Bench *bench, pid_t *ret_master)
{
    *ret_master = start_master(bench);
    buf_clear(&bench->answer);
    if (loop_new(&bench->loop, NULL) ||
        timer_new(bench->loop, on_timer, bench, &bench->timer, NULL))
        die("no loop");
    join(bench);
    for (int i = 0; i < 5; i++)
        tell(&bench->clients[1], "village@maw.localhost",
             "{\"type\":\"chat\",\"message\":\"I was looking at the well all night.\"}");
    rest(bench, 300);
}

static void end_game(Bench *bench, pid_t master)
{
    kill(master, SIGKILL);
    waitpid(master, NULL, 0);
    loop_free(bench->loop);
    for (int i = 0; i < CLIENTS; i++)
        buf_done(&bench->clients[i].texts);
    memset(bench->clients, 0, sizeof(bench->clients));
    bench->ups = bench->days = 0;
}

typedef struct Pairs {
    Cost maw[ROUNDS], bare[ROUNDS];
} Pairs;

/* The median of one number of each round: at this place of a Cost. */
static double median_of(const Cost *costs, size_t offset)
{
    double values[ROUNDS];

    for (int i = 0; i < ROUNDS; i++)
        memcpy(&values[i], (const char *)&costs[i] + offset, sizeof(values[i]));
    return median(values, ROUNDS);
}

/* What is measured. */
typedef struct Load {
    const char *name;
    size_t lines;    /* in an answer */
    unsigned window; /* questions on their way */
} Load;

static const Load loads[] = {
    {"1 line, one at a time", 1, 1},
    {"1 line, five at a time", 1, CLIENTS - 1},
    {"1 line, 60 at a time", 1, 60},
    {"5 lines, 60 at a time", 5, 60},
};
#define LOADS (sizeof(loads) / sizeof(loads[0]))

static void print_pairs(const char *server, const Load *load, const Pairs *pairs)
{
    double maw = median_of(pairs->maw, offsetof(Cost, wall));
    double bare = median_of(pairs->bare, offsetof(Cost, wall));
    double ratios[ROUNDS];

    for (int i = 0; i < ROUNDS; i++)
        ratios[i] = pairs->bare[i].wall / pairs->maw[i].wall;
    printf("  %-8s %-23s  %5.0f questions/s, bare ping-pong %5.0f; %.2f of it (processor: %.0f and "
           "%.0f us, bare %.0f and %.0f)\n",
           server, load->name, 1 / maw, 1 / bare, median(ratios, ROUNDS),
           median_of(pairs->maw, offsetof(Cost, asking)) * 1e6,
           median_of(pairs->maw, offsetof(Cost, answering)) * 1e6,
           median_of(pairs->bare, offsetof(Cost, asking)) * 1e6,
           median_of(pairs->bare, offsetof(Cost, answering)) * 1e6);
}

static void measure_questions(Bench *bench, const char *server, const Load *load)
{
    Pairs pairs;
    pid_t master;

    for (int round = 0; round < ROUNDS; round++) {
        begin_game(bench, &master); /* a new one: the game master lets nobody ask for ever */
        want_lines(bench, load->lines);
        pairs.maw[round] = questions(bench, load->window, master);
        end_game(bench, master);
        pairs.bare[round] = bare_ping_pong(bench, load->window);
    }
    print_pairs(server, load, &pairs);
}

static void measure(XmppServerKind kind)
{
    const char *server = xmpp_server_name(kind);
    Bench bench = {0};
    pid_t master;

    xmpp_server_start(&bench.server, kind);
    for (size_t i = 0; i < LOADS; i++)
        measure_questions(&bench, server, &loads[i]);
    begin_game(&bench, &master);
    measure_lines(&bench, server);
    end_game(&bench, master);
    buf_done(&bench.question);
    buf_done(&bench.answer);
    xmpp_server_done(&bench.server);
}

int main(int argc, char **argv)
{
    setvbuf(stdout, NULL, _IONBF, 0);
    printf("MAW through XMPP servers on loopback, a game master's process and the clients'\n");
    for (int kind = XMPP_PROSODY; kind <= XMPP_EJABBERD; kind++) {
        const char *missing = xmpp_server_missing((XmppServerKind)kind);

        if (argc > 1 && strcmp(argv[1], xmpp_server_name((XmppServerKind)kind)) != 0)
            continue;
        if (missing)
            printf("  %s: not measured\n", missing);
        else
            measure((XmppServerKind)kind);
    }
    return 0;
}
