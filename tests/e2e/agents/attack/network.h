/* network.h - attacks on the network: whatever is not the agent's own game.
 *
 * For:     attack.c; see try.h.
 * Memory:  nothing is kept.
 * Thread:  the main one, and in connect-race one that changes the address.
 * Source:  docs/spec/contest-operations.md 6.3, 6.5.
 */
#ifndef ATTACK_NETWORK_H
#define ATTACK_NETWORK_H

#include "try.h"

#include <arpa/inet.h>
#include <net/if.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/un.h>

#ifndef IPPROTO_MPTCP
#    define IPPROTO_MPTCP 262
#endif
#define CONNECTX    110 /* SCTP_SOCKOPT_CONNECTX */
#define PATIENCE_MS 300

static const int socket_types[] = {SOCK_STREAM, SOCK_DGRAM, SOCK_RAW, SOCK_SEQPACKET};

static struct sockaddr_in address4(const char *host, int port)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((in_port_t)port)};

    inet_pton(AF_INET, host, &address.sin_addr);
    return address;
}

/* 0 when the socket is connected at last, else -1 and errno. */
static int finish_connect(int fd)
{
    struct pollfd waiting = {.fd = fd, .events = POLLOUT};
    int error = 0;
    socklen_t size = sizeof(error);

    if (poll(&waiting, 1, PATIENCE_MS) <= 0)
        error = ETIMEDOUT;
    else
        getsockopt(fd, SOL_SOCKET, SO_ERROR, &error, &size);
    errno = error;
    return error ? -1 : 0;
}

static int connect_soon(int fd, const void *address, size_t size)
{
    if (connect(fd, address, (socklen_t)size) == 0)
        return 0;
    return errno == EINPROGRESS ? finish_connect(fd) : -1;
}

/* Connects a socket of this kind; what it reaches is a hole. */
static void try_connect(Try *t, int family, int type, int protocol, const void *address,
                        size_t size, const char *what)
{
    int fd = socket(family, type | SOCK_NONBLOCK | SOCK_CLOEXEC, protocol);

    if (fd < 0) {
        refuse_error(t);
        return;
    }
    judge(t, connect_soon(fd, address, size), what);
    close(fd);
}

static bool has_host_port(Try *t)
{
    if (t->given->host_port == 0)
        skip(t, "no --host-port");
    return t->given->host_port != 0;
}

static bool may_go_outside(Try *t)
{
    if (!t->given->outside)
        skip(t, "no --outside");
    return t->given->outside;
}

/* The row's word is the host, its number a protocol. */
static void connect_host(Try *t)
{
    if (!has_host_port(t))
        return;
    struct sockaddr_in address = address4(t->word, t->given->host_port);

    try_connect(t, AF_INET, SOCK_STREAM, (int)t->number, &address, sizeof(address), t->word);
}

static void connect_host6(Try *t)
{
    struct sockaddr_in6 address = {.sin6_family = AF_INET6};

    if (!has_host_port(t))
        return;
    address.sin6_port = htons((in_port_t)t->given->host_port);
    inet_pton(AF_INET6, t->word, &address.sin6_addr);
    try_connect(t, AF_INET6, SOCK_STREAM, 0, &address, sizeof(address), t->word);
}

static void connect_outside(Try *t)
{
    if (!may_go_outside(t))
        return;
    struct sockaddr_in address = address4(t->word, (int)t->number);

    try_connect(t, AF_INET, SOCK_STREAM, 0, &address, sizeof(address), t->word);
}

/* A connection of the game is the only one; while there is none, the second of two. */
static void connect_own_port(Try *t)
{
    int first = -1;

    if (t->given->port == 0) {
        skip(t, "no -p");
        return;
    }
    struct sockaddr_in address = address4(t->given->host, t->given->port);
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);

    if (!t->given->game) {
        first = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
        connect_soon(first, &address, sizeof(address));
        wait_ms(100);
    }
    if (connect_soon(fd, &address, sizeof(address)) != 0) {
        refuse_error(t);
    } else {
        char byte; /* who waits behind a closed door is sent away */

        wait_ms(100);
        if (recv(fd, &byte, 1, MSG_DONTWAIT) < 0 && errno == EAGAIN)
            reach(t, "a second connection to port %d", t->given->port);
        else
            refuse(t, "closed");
    }
    close(fd);
    if (first >= 0)
        close(first);
}

static void connect_unix(Try *t, const struct sockaddr_un *address, socklen_t size)
{
    for (size_t i = 0; i < COUNT(socket_types); i++) {
        int fd = socket(AF_UNIX, socket_types[i] | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);

        if (fd < 0) {
            refuse_error(t);
            continue;
        }
        /* A socket of another type that is found is found. */
        if (connect(fd, (const struct sockaddr *)address, size) == 0 || errno == EPROTOTYPE)
            reach(t, "type %d", socket_types[i]);
        else
            refuse_error(t);
        close(fd);
    }
}

static void connect_abstract(Try *t)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    const char *name = t->given->host_abstract;

    if (!name) {
        skip(t, "no --host-abstract");
        return;
    }
    snprintf(address.sun_path + 1, sizeof(address.sun_path) - 1, "%s", name);
    connect_unix(t, &address,
                 (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + strlen(name)));
}

static void connect_socket_file(Try *t)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};

    if (!t->given->host_socket) {
        skip(t, "no --host-socket");
        return;
    }
    snprintf(address.sun_path, sizeof(address.sun_path), "%s", t->given->host_socket);
    connect_unix(t, &address, sizeof(address));
}

/* Loopback takes what is sent to nobody, and says so afterwards. */
static void udp_loopback(Try *t)
{
    if (!has_host_port(t))
        return;
    struct sockaddr_in address = address4("127.0.0.1", t->given->host_port);
    int fd = socket(AF_INET, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    struct pollfd waiting = {.fd = fd, .events = POLLIN};
    char byte;

    if (fd < 0 || sendto(fd, "x", 1, 0, (struct sockaddr *)&address, sizeof(address)) < 0 ||
        connect(fd, (struct sockaddr *)&address, sizeof(address)) != 0 || send(fd, "x", 1, 0) < 0)
        refuse_error(t);
    else if (poll(&waiting, 1, 100) > 0 && recv(fd, &byte, 1, 0) < 0)
        refuse_error(t);
    else
        reach(t, "a datagram to port %d", t->given->host_port);
    if (fd >= 0)
        close(fd);
}

static void udp_sendmmsg(Try *t)
{
    if (!has_host_port(t))
        return;
    struct sockaddr_in address = address4("127.0.0.1", t->given->host_port);
    char byte_sent = 'x';
    struct iovec bytes = {&byte_sent, 1};
    struct mmsghdr message = {.msg_hdr = {.msg_name = &address,
                                          .msg_namelen = sizeof(address),
                                          .msg_iov = &bytes,
                                          .msg_iovlen = 1}};
    int fd = socket(AF_INET, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0), on = 1;
    struct pollfd waiting = {.fd = fd, .events = POLLIN};
    char byte;

    /* What comes back to a socket that is not connected has to be asked for. */
    if (fd < 0 || setsockopt(fd, IPPROTO_IP, IP_RECVERR, &on, sizeof(on)) != 0 ||
        sendmmsg(fd, &message, 1, 0) < 0)
        refuse_error(t);
    else if (poll(&waiting, 1, 100) > 0 && recv(fd, &byte, 1, 0) < 0)
        refuse_error(t);
    else
        reach(t, "a datagram to port %d", t->given->host_port);
    if (fd >= 0)
        close(fd);
}

static void udp_outside(Try *t)
{
    if (!may_go_outside(t))
        return;
    struct sockaddr_in address = address4("8.8.8.8", 53);
    int fd = socket(AF_INET, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);

    if (fd < 0)
        refuse_error(t);
    else
        judge(t, sendto(fd, "x", 1, 0, (struct sockaddr *)&address, sizeof(address)), "8.8.8.8:53");
    if (fd >= 0)
        close(fd);
}

static void dns_lookup(Try *t)
{
    struct addrinfo *found = NULL;

    if (!may_go_outside(t))
        return;
    setenv("RES_OPTIONS", "timeout:1 attempts:1", 1);
    int error = getaddrinfo("example.org", "80", NULL, &found);

    unsetenv("RES_OPTIONS");
    if (error == 0)
        reach(t, "an address of example.org");
    else
        refuse(t, "%s", gai_strerror(error));
    if (found)
        freeaddrinfo(found);
}

/* A socket of any type; -1 and the errno of the last. */
static int socket_of(long number)
{
    int fd = -1;

    for (size_t i = 0; i < COUNT(socket_types) && fd < 0; i++)
        fd = (int)syscall(SYS_socket, number, socket_types[i] | SOCK_CLOEXEC, 0);
    return fd;
}

/* The row's number is the family. */
static void family(Try *t)
{
    int fd = socket_of(t->number);

    judge(t, fd, "a socket");
    if (fd >= 0)
        close(fd);
}

/* All others that there may be. */
static void families(Try *t)
{
    for (int number = 0; number < 64; number++) {
        if (number == AF_UNIX || number == AF_INET || number == AF_INET6 || number == AF_NETLINK ||
            number == AF_PACKET || number == AF_ALG || number == AF_VSOCK)
            continue;
        int fd = socket_of(number);

        if (fd < 0) {
            refuse_error(t);
        } else {
            reach(t, "family %d", number);
            close(fd);
        }
    }
}

/* An int in a register of 64 bits: what stands above it is not looked at by the kernel, and must
 * not change what a filter sees. The row's number is the family. */
static void family_high(Try *t)
{
    int fd = socket_of((1L << 32) | t->number);

    if (fd < 0)
        fd = socket_of(~0xffffffffL | t->number);
    judge(t, fd, "a socket");
    if (fd >= 0)
        close(fd);
}

static void raw_socket(Try *t)
{
    int fd = socket((int)t->number, SOCK_RAW | SOCK_CLOEXEC, IPPROTO_ICMP);

    judge(t, fd, "a raw socket");
    if (fd >= 0)
        close(fd);
}

static void ping_socket(Try *t)
{
    int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, IPPROTO_ICMP);

    judge(t, fd, "a socket for pings");
    if (fd >= 0)
        close(fd);
}

static int fastopen_sendto(int fd, struct sockaddr_in *address)
{
    return (int)sendto(fd, "x", 1, MSG_FASTOPEN, (struct sockaddr *)address, sizeof(*address));
}

static int fastopen_sendmsg(int fd, struct sockaddr_in *address)
{
    char byte_sent = 'x';
    struct iovec bytes = {&byte_sent, 1};
    struct msghdr message = {
        .msg_name = address, .msg_namelen = sizeof(*address), .msg_iov = &bytes, .msg_iovlen = 1};

    return (int)sendmsg(fd, &message, MSG_FASTOPEN);
}

static int fastopen_sendmmsg(int fd, struct sockaddr_in *address)
{
    char byte_sent = 'x';
    struct iovec bytes = {&byte_sent, 1};
    struct mmsghdr message = {.msg_hdr = {.msg_name = address,
                                          .msg_namelen = sizeof(*address),
                                          .msg_iov = &bytes,
                                          .msg_iovlen = 1}};

    return sendmmsg(fd, &message, 1, MSG_FASTOPEN);
}

static int fastopen_connect(int fd, struct sockaddr_in *address)
{
    int on = 1;

    setsockopt(fd, IPPROTO_TCP, TCP_FASTOPEN_CONNECT, &on, sizeof(on));
    if (connect(fd, (struct sockaddr *)address, sizeof(*address)) != 0)
        return -1;
    return (int)send(fd, "x", 1, 0);
}

/* A connection without connect(), or with one that does nothing yet. */
static void fastopen(Try *t)
{
    static int (*const ways[])(int fd, struct sockaddr_in *address) = {
        fastopen_sendto, fastopen_sendmsg, fastopen_sendmmsg, fastopen_connect};

    if (!has_host_port(t))
        return;
    struct sockaddr_in address = address4("127.0.0.1", t->given->host_port);
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);

    if (fd < 0) {
        refuse_error(t);
        return;
    }
    int sent = ways[t->number](fd, &address);

    if (sent < 0 && errno != EINPROGRESS)
        refuse_error(t);
    else if (finish_connect(fd) == 0 || errno == ECONNRESET) /* who is sent away was there */
        reach(t, "connected");
    else
        refuse_error(t);
    close(fd);
}

static void sctp_connectx(Try *t)
{
    if (!has_host_port(t))
        return;
    struct sockaddr_in address = address4("127.0.0.1", t->given->host_port);
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, IPPROTO_SCTP);

    if (fd < 0) {
        refuse_error(t);
        return;
    }
    judge_through(t, setsockopt(fd, IPPROTO_SCTP, CONNECTX, &address, sizeof(address)), "SCTP");
    close(fd);
}

typedef struct Race {
    struct sockaddr_in address;
    in_port_t ports[2];
    atomic_bool over;
} Race;

static void *flip_port(void *given)
{
    Race *race = given;
    volatile in_port_t *port = &race->address.sin_port;

    while (!atomic_load(&race->over)) {
        *port = race->ports[0];
        for (volatile int i = 0; i < 50; i++)
            ;
        *port = race->ports[1];
        for (volatile int i = 0; i < 50; i++)
            ;
    }
    return NULL;
}

/* 1 when a socket came to the port that was not allowed. */
static int race_once(Race *race, in_port_t forbidden)
{
    struct sockaddr_in peer = {0};
    socklen_t size = sizeof(peer);
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0), came = 0;

    if (fd < 0)
        return -1;
    int result = connect(fd, (struct sockaddr *)&race->address, sizeof(race->address));

    if (result != 0 && errno == EINPROGRESS)
        result = finish_connect(fd);
    if (result == 0 && getpeername(fd, (struct sockaddr *)&peer, &size) == 0)
        came = peer.sin_port == forbidden;
    close(fd);
    return result == 0 ? came : -1;
}

/* Changes the address while the call with it is being looked at. */
static void connect_race(Try *t)
{
    int tries = 0;
    sigset_t before;
    pthread_t thread;

    if (!has_host_port(t))
        return;
    Race race = {.address = address4("127.0.0.1", t->given->port ? t->given->port : 1)};

    race.ports[0] = htons((in_port_t)(t->given->port ? t->given->port : 1));
    race.ports[1] = htons((in_port_t)t->given->host_port);
    block_signals(&before);
    int error = pthread_create(&thread, NULL, flip_port, &race);

    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (error) {
        errno = error;
        refuse_error(t);
        return;
    }
    for (int64_t until = now_ms() + 1500; tries < 20000 && now_ms() < until; tries++) {
        int came = race_once(&race, race.ports[1]);

        if (came > 0) {
            reach(t, "port %d", t->given->host_port);
            break;
        }
        if (came < 0)
            refuse_error(t);
    }
    atomic_store(&race.over, true);
    pthread_join(thread, NULL);
    refuse(t, "lost all races");
}

/* Whether another network than an own loopback is seen. */
static void interfaces(Try *t)
{
    struct ifreq found[16] = {0};
    struct ifconf list = {.ifc_len = sizeof(found), .ifc_req = found};
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

    if (fd < 0 || ioctl(fd, SIOCGIFCONF, &list) != 0)
        refuse_error(t);
    else
        for (size_t i = 0; i < (size_t)list.ifc_len / sizeof(found[0]); i++)
            if (strcmp(found[i].ifr_name, "lo") != 0)
                reach(t, "%s", found[i].ifr_name);
    if (fd >= 0)
        close(fd);
    refuse(t, "loopback only");
}

/* Who listens on the host, from the kernel's list. */
static void listeners(Try *t)
{
    char line[256], wanted[16];
    FILE *file = fopen("/proc/self/net/tcp", "re");

    if (!has_host_port(t)) {
        if (file)
            fclose(file);
        return;
    }
    snprintf(wanted, sizeof(wanted), ":%04X ", (unsigned)t->given->host_port);
    if (!file)
        refuse_error(t);
    while (file && fgets(line, sizeof(line), file))
        if (strstr(line, wanted)) {
            reach(t, "the listener at port %d is listed", t->given->host_port);
            break;
        }
    if (file)
        fclose(file);
    refuse(t, "not listed");
}

static void tcp_listen(Try *t)
{
    struct sockaddr_in address = address4("127.0.0.1", 0);
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

    if (fd < 0 || bind(fd, (struct sockaddr *)&address, sizeof(address)) != 0)
        refuse_error(t);
    else
        judge(t, listen(fd, 1), "listens");
    if (fd >= 0)
        close(fd);
}

static void udp_bind(Try *t)
{
    struct sockaddr_in address = address4("127.0.0.1", 0);
    int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);

    if (fd < 0)
        refuse_error(t);
    else
        judge(t, bind(fd, (struct sockaddr *)&address, sizeof(address)), "bound");
    if (fd >= 0)
        close(fd);
}

/* A meeting place for programs that share a network. */
static void abstract_bind(Try *t)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX, .sun_path = "\0attack-meets"};
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

    if (fd < 0)
        refuse_error(t);
    else
        judge(t, bind(fd, (struct sockaddr *)&address, sizeof(sa_family_t) + 13),
              "a name for a socket");
    if (fd >= 0)
        close(fd);
}

#endif
