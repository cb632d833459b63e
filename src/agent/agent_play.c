/* One agent on one blocking socket: an author's program has nothing else to wait for, so libwarg
 * needs no event loop. */
#include "agent/agent_game.h"
#include "base/localhost.h"
#include "net/line_reader.h"

#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdio.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#define CONNECT_TRIES 100 /* with AGAIN_MS between them: ten seconds */
#define AGAIN_MS      100
#define READ_BYTES    65536

typedef struct Play {
    WargGame *game;
    int fd;
    LineReader reader;
    char *bytes; /* READ_BYTES of them */
    bool heard;
} Play;

/* ---- the socket ---- */

static int dial_one(const struct addrinfo *address)
{
    int on = 1;
    int fd = socket(address->ai_family, address->ai_socktype | SOCK_CLOEXEC, address->ai_protocol);

    if (fd < 0)
        return -1;
    if (connect(fd, address->ai_addr, address->ai_addrlen) != 0) {
        int reason = errno;
        close(fd);
        errno = reason;
        return -1;
    }
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
    return fd;
}

static int dial_server(const char *host, int port, int *ret_fd, Err *err)
{
    const struct addrinfo hints = {.ai_family = AF_UNSPEC, .ai_socktype = SOCK_STREAM};
    struct addrinfo *addresses;
    char service[16];
    int fd = -1;

    snprintf(service, sizeof(service), "%d", port);
    int failed =
        getaddrinfo(localhost_names(str_of(host)) ? NULL : host, service, &hints, &addresses);
    if (failed)
        return err_set(err, ERR_IO, "can't find host '%s': %s", host, gai_strerror(failed));
    for (int try = 0; try < CONNECT_TRIES && fd < 0; try++) {
        if (try > 0)
            poll(NULL, 0, AGAIN_MS);
        for (const struct addrinfo *at = addresses; at && fd < 0; at = at->ai_next)
            fd = dial_one(at);
    }
    int reason = errno;
    freeaddrinfo(addresses);
    if (fd < 0)
        return err_set(err, ERR_IO, "can't connect to %s:%d: %s", host, port, strerror(reason));
    *ret_fd = fd;
    return 0;
}

static int send_all(int fd, Str bytes, Err *err)
{
    while (bytes.len) {
        ssize_t n = send(fd, bytes.bytes, bytes.len, MSG_NOSIGNAL);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return err_set(err, ERR_IO, "can't send an answer: %s", strerror(errno));
        bytes = str_part(bytes, (size_t)n, bytes.len);
    }
    return 0;
}

/* ---- play ---- */

static int play_lines(Play *play, Str bytes, Err *err)
{
    Str line, answer;
    int rc = 0, got;

    line_reader_feed(&play->reader, bytes);
    while (rc == 0 && (got = line_reader_next(&play->reader, &line, err)) != 0) {
        if (got < 0)
            return got;
        play->heard = true;
        rc = agent_game_line(play->game, line, &answer, err);
        if (rc == 0)
            rc = send_all(play->fd, answer, err);
    }
    return rc;
}

/* What the end of the connection means. */
static int end_of(const Play *play, Err *err)
{
    if (play->game->finished)
        return 0;
    return err_set(err, ERR_IO,
                   play->heard ? "the connection ended before the game was over"
                               : "the server ended the connection without a word");
}

static int play_on(Play *play, Err *err)
{
    while (true) {
        ssize_t n = recv(play->fd, play->bytes, READ_BYTES, 0);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return end_of(play, err);
        int rc = play_lines(play, (Str){play->bytes, (size_t)n}, err);
        if (rc)
            return rc;
    }
}

static WargResult result_of(int rc)
{
    return rc == 0 ? WARG_PLAYED : rc == ERR_MEMORY ? WARG_NO_MEMORY : WARG_LOST;
}

static WargResult play_games(const char *host, int port, const char *name, Role wish,
                             const WargAgent *agent, void *user)
{
    Play play = {.fd = -1, .bytes = mem_new(READ_BYTES)};
    Err err = {0};

    line_reader_init(&play.reader, AIWOLF_PACKET_BYTES_MAX);
    int rc = play.bytes ? agent_game_new(agent, user, name, wish, &play.game, &err)
                        : err_set(&err, ERR_MEMORY, "out of memory");
    if (rc == 0)
        rc = dial_server(host, port, &play.fd, &err);
    if (rc == 0)
        rc = play_on(&play, &err);
    if (rc)
        agent_report(agent, user, err.msg);
    if (play.fd >= 0)
        close(play.fd);
    agent_game_free(play.game);
    line_reader_done(&play.reader);
    mem_free(play.bytes);
    return result_of(rc);
}

static const char *name_of(const char *name, const WargAgent *agent)
{
    return name ? name : agent->name ? agent->name : "agent";
}

int warg_agent_play(const char *host, int port, const char *name, const WargAgent *agent,
                    void *user)
{
    return (int)play_games(host, port, name_of(name, agent), (Role)agent->wish, agent, user);
}

/* ---- the command line ---- */

static void print_usage(const char *program, FILE *to)
{
    fprintf(
        to,
        "Usage: %s [-h HOST] [-p PORT] [-n NAME] [-r ROLE]\n\n"
        "Plays on a server of the AIWolf protocol division until it ends the connection.\n\n"
        "  -h HOST  where the server is (default: 127.0.0.1)\n"
        "  -p PORT  its port (default: 10000)\n"
        "  -n NAME  what the agent calls itself\n"
        "  -r ROLE  the role to wish for, if the server asks: SEER, ...; none\n\n"
        "Exit status: 0 the games were played; 2 the command line is wrong; 3 no server, or it\n"
        "was lost before the game was over; 4 no memory.\n",
        program);
}

static WargResult usage(const char *program, const char *what, const char *word)
{
    fprintf(stderr, "%s: %s '%s'\n", program, what, word);
    print_usage(program, stderr);
    return WARG_USAGE;
}

int warg_agent_main(int argc, char **argv, const WargAgent *agent)
{
    const char *program = argc > 0 ? argv[0] : "agent";
    const char *host = "127.0.0.1", *name = NULL;
    Role wish = (Role)agent->wish;
    uint64_t port = 10000;

    for (int i = 1; i < argc; i += 2) {
        Str option = str_of(argv[i]);
        if (str_eq(option, STR("--help"))) {
            print_usage(program, stdout);
            return WARG_PLAYED;
        }
        if (option.len != 2 || option.bytes[0] != '-' || !strchr("hpnr", option.bytes[1]))
            return (int)usage(program, "no such option:", argv[i]);
        if (i + 1 == argc)
            return (int)usage(program, "a value is missing behind", argv[i]);
        Str value = str_of(argv[i + 1]);
        if (option.bytes[1] == 'h')
            host = argv[i + 1];
        else if (option.bytes[1] == 'n')
            name = argv[i + 1];
        else if (option.bytes[1] == 'r')
            wish = role_of(value);
        else if (!str_to_uint(value, 65535, &port) || port == 0)
            return (int)usage(program, "no port:", argv[i + 1]);
    }
    return (int)play_games(host, (int)port, name_of(name, agent), wish, agent, NULL);
}
