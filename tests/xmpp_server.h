/* xmpp_server.h - real XMPP servers for tests: prosody and ejabberd, on loopback.
 *
 * For:    tests and benches of what goes through a server. The domain is "localhost", that of the
 *         component "maw.localhost", its secret "mawsecret". Include it before our own headers
 *         (tests/cert.h).
 * Memory: a folder under /tmp and a process, until xmpp_server_done. The process gets SIGKILL when
 *         the thread that started it ends in any way.
 * Thread: the test's.
 * Source: docs/spec/maw.md 8.2, 8.3; the configurations are in tests/data/maw/.
 */
#ifndef WARG_TESTS_XMPP_SERVER_H
#define WARG_TESTS_XMPP_SERVER_H

#include "cert.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <netinet/in.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>

#define XMPP_SERVER_READY_MS 60000 /* on a machine that is busy with other things */
#define XMPP_SERVER_STOP_MS  15000

typedef enum XmppServerKind { XMPP_PROSODY, XMPP_EJABBERD } XmppServerKind;

typedef struct XmppServer {
    XmppServerKind kind;
    char folder[48];
    uint16_t client_port;
    uint16_t component_port;
    uint16_t erlang_port; /* ejabberd: of Erlang's own protocol */
    pid_t pid;            /* 0: not running */
} XmppServer;

static inline const char *xmpp_server_name(XmppServerKind kind)
{
    return kind == XMPP_PROSODY ? "prosody" : "ejabberd";
}

static inline int64_t xmpp_server_now_ms(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static inline void xmpp_server_sleep_ms(long ms)
{
    const struct timespec pause = {.tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000};

    nanosleep(&pause, NULL);
}

/* Where Debian has ejabberd's code: the folder above "ejabberd-23.01"; false when it isn't there.
 */
static inline bool xmpp_server_erlang_folder(char path[static 256])
{
    glob_t found;
    bool there = glob("/usr/lib/*/ejabberd-*/ebin", 0, NULL, &found) == 0;

    if (there) {
        snprintf(path, 256, "%s", found.gl_pathv[0]);
        for (int i = 0; i < 2 && strrchr(path, '/'); i++)
            *strrchr(path, '/') = '\0';
    }
    globfree(&found);
    return there;
}

/* Why this server can't be tested here; NULL = it can. */
static inline const char *xmpp_server_missing(XmppServerKind kind)
{
    char path[256];

    if (kind == XMPP_PROSODY)
        return access("/usr/bin/prosody", X_OK) ? "prosody is not installed" : NULL;
    if (access("/usr/bin/erl", X_OK) || !xmpp_server_erlang_folder(path))
        return "ejabberd is not installed";
    return NULL;
}

/* ---- files ---- */

static inline void xmpp_server_path(const XmppServer *server, const char *name,
                                    char path[static 128])
{
    snprintf(path, 128, "%s/%s", server->folder, name);
}

/* All of a file, to be freed. */
static inline char *xmpp_server_read(const char *path)
{
    FILE *file = fopen(path, "r");
    char *text = calloc(1, 65536);

    if (!text)
        abort();
    if (file) {
        if (fread(text, 1, 65535, file) == 0)
            text[0] = '\0';
        fclose(file);
    }
    return text;
}

static inline void xmpp_server_write(const char *path, const char *text)
{
    FILE *file = fopen(path, "a");

    if (!file || fputs(text, file) < 0 || fclose(file))
        abort();
}

/* Appends `text` to a file, with words replaced. */
static inline void xmpp_server_write_with(const char *path, const char *text,
                                          const char *const pairs[][2])
{
    FILE *file = fopen(path, "a");

    if (!file)
        abort();
    while (*text) {
        size_t i = 0;

        while (pairs[i][0] && strncmp(text, pairs[i][0], strlen(pairs[i][0])) != 0)
            i++;
        if (pairs[i][0]) {
            fputs(pairs[i][1], file);
            text += strlen(pairs[i][0]);
        } else {
            fputc(*text++, file);
        }
    }
    if (fclose(file))
        abort();
}

/* A port that is free now. */
static inline uint16_t xmpp_server_port(void)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof(address);
    int on = 1;
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

    setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
    if (bind(fd, (struct sockaddr *)&address, sizeof(address)) ||
        getsockname(fd, (struct sockaddr *)&address, &size))
        abort();
    close(fd);
    return ntohs(address.sin_port);
}

static inline void xmpp_server_configure(const XmppServer *server)
{
    char client[8];
    char component[8];
    char source[512];
    char path[128];
    const char *data = getenv("WARG_TEST_DATA");
    const char *const pairs[][2] = {
        {"15222", client}, {"15347", component}, {"@DIR@", server->folder}, {NULL, NULL}};

    snprintf(client, sizeof(client), "%u", server->client_port);
    snprintf(component, sizeof(component), "%u", server->component_port);
    snprintf(source, sizeof(source), "%s/maw/%s", data ? data : "tests/data",
             server->kind == XMPP_PROSODY ? "prosody.cfg.lua" : "ejabberd.yml.in");
    char *text = xmpp_server_read(source);
    if (!text[0]) {
        fprintf(stderr, "%s: missing\n", source);
        abort();
    }
    xmpp_server_path(server, server->kind == XMPP_PROSODY ? "prosody.cfg.lua" : "ejabberd.yml",
                     path);
    unlink(path);
    xmpp_server_write_with(path, text, pairs);
    free(text);
}

/* The certificate and key where the server looks for them; the certificate is also in
 * FOLDER/localhost.crt. */
static inline void xmpp_server_certify(const XmppServer *server)
{
    const char *const certs[] = {"certs/localhost.crt", "localhost.crt", "localhost.pem"};
    const char *const keys[] = {"certs/localhost.key", "localhost.pem"};
    Cert cert;
    char path[128];

    cert_make(&cert);
    char *cert_text = xmpp_server_read(cert.cert_path);
    char *key_text = xmpp_server_read(cert.key_path);
    for (size_t i = 0; i < 3; i++) {
        xmpp_server_path(server, certs[i], path);
        xmpp_server_write(path, cert_text);
    }
    for (size_t i = 0; i < 2; i++) {
        xmpp_server_path(server, keys[i], path);
        xmpp_server_write(path, key_text);
    }
    free(cert_text);
    free(key_text);
    cert_done(&cert);
}

static inline void xmpp_server_remove(const XmppServer *server)
{
    pid_t pid = fork();

    if (pid == 0) {
        execlp("rm", "rm", "-rf", "--", server->folder, (char *)NULL);
        _exit(1);
    }
    waitpid(pid, NULL, 0);
}

/* What the server printed, for a failure. */
static inline void xmpp_server_print_output(const XmppServer *server)
{
    const char *const names[] = {"output.txt", "prosody.log", "logs/ejabberd.log"};
    char path[128];

    for (size_t i = 0; i < 3; i++) {
        xmpp_server_path(server, names[i], path);
        char *text = xmpp_server_read(path);
        if (text[0])
            fprintf(stderr, "---- %s ----\n%s\n", path, text);
        free(text);
    }
}

/* ---- a plain connection ---- */

/* -1 when nobody listens. */
static inline int xmpp_server_connect(uint16_t port)
{
    struct sockaddr_in address = {
        .sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

    if (fd >= 0 && connect(fd, (struct sockaddr *)&address, sizeof(address))) {
        close(fd);
        fd = -1;
    }
    return fd;
}

static inline bool xmpp_server_say(int fd, const char *text)
{
    return send(fd, text, strlen(text), MSG_NOSIGNAL) == (ssize_t)strlen(text);
}

/* Reads until one of two texts came: 1 or 2; 0 when the stream ended or after `limit_ms`. What was
 * read is in `heard`. */
static inline int xmpp_server_hear(int fd, const char *first, const char *second, int64_t limit_ms,
                                   char heard[static 8192])
{
    int64_t end = xmpp_server_now_ms() + limit_ms;
    size_t length = 0;

    heard[0] = '\0';
    while (length < 8191 && xmpp_server_now_ms() < end) {
        struct pollfd wait = {.fd = fd, .events = POLLIN};

        if (poll(&wait, 1, 50) <= 0)
            continue;
        ssize_t n = recv(fd, heard + length, 8191 - length, 0);
        if (n <= 0)
            return 0;
        length += (size_t)n;
        heard[length] = '\0';
        if (strstr(heard, first))
            return 1;
        if (second && strstr(heard, second))
            return 2;
    }
    return 0;
}

/* A stream of a client, before TLS and login; -1 when it doesn't come about. */
static inline int xmpp_server_stream(const XmppServer *server, int64_t limit_ms)
{
    char heard[8192];
    int fd = xmpp_server_connect(server->client_port);

    if (fd >= 0 &&
        xmpp_server_say(fd, "<?xml version='1.0'?><stream:stream to='localhost' version='1.0' "
                            "xmlns='jabber:client' "
                            "xmlns:stream='http://etherx.jabber.org/streams'>") &&
        xmpp_server_hear(fd, "</stream:features>", NULL, limit_ms, heard) == 1)
        return fd;
    if (fd >= 0)
        close(fd);
    return -1;
}

/* Makes an account as a client does (XEP-0077): quicker than ejabberdctl. True also when it was
 * there; false when the server says no. */
static inline bool xmpp_server_add_account(const XmppServer *server, const char *name,
                                           const char *password)
{
    char heard[8192];
    char iq[512];
    int fd = xmpp_server_stream(server, 10000);

    snprintf(iq, sizeof(iq),
             "<iq type='set' id='r' to='localhost'><query xmlns='jabber:iq:register'>"
             "<username>%s</username><password>%s</password></query></iq>",
             name, password);
    bool made = fd >= 0 && xmpp_server_say(fd, iq) &&
                xmpp_server_hear(fd, "</iq>", "/>", 10000, heard) &&
                (strstr(heard, "result") || strstr(heard, "conflict"));
    if (fd >= 0)
        close(fd);
    return made;
}

/* ---- the process ---- */

static inline _Noreturn void xmpp_server_exec(const XmppServer *server)
{
    char folder[256] = "";
    char config[128];
    char log[128];
    char pid[128];
    char spool[160];
    char node[64];
    char port[16];

    if (server->kind == XMPP_PROSODY) {
        setenv("MAW_XMPP_DIR", server->folder, 1);
        xmpp_server_path(server, "prosody.cfg.lua", config);
        execlp("prosody", "prosody", "-F", "--config", config, (char *)NULL);
        _exit(127);
    }
    xmpp_server_erlang_folder(folder);
    xmpp_server_path(server, "ejabberd.yml", config);
    xmpp_server_path(server, "logs/ejabberd.log", log);
    xmpp_server_path(server, "ejabberd.pid", pid);
    snprintf(spool, sizeof(spool), "\"%s/spool\"", server->folder);
    snprintf(node, sizeof(node), "maw%u@localhost", server->erlang_port);
    snprintf(port, sizeof(port), "%u", server->erlang_port);
    setenv("ERL_LIBS", folder, 1);
    setenv("EJABBERD_CONFIG_PATH", config, 1);
    setenv("EJABBERD_LOG_PATH", log, 1);
    setenv("EJABBERD_PID_PATH", pid, 1);
    setenv("HOME", server->folder, 1);
    execlp("erl", "erl", "-noinput", "-sname", node, "-erl_epmd_port", port, "-start_epmd", "false",
           "-kernel", "inet_dist_use_interface", "{127,0,0,1}", "-mnesia", "dir", spool, "-s",
           "ejabberd", (char *)NULL);
    _exit(127);
}

/* Whether it ended by itself. */
static inline bool xmpp_server_ended(XmppServer *server)
{
    if (server->pid && waitpid(server->pid, NULL, WNOHANG) == server->pid)
        server->pid = 0;
    return !server->pid;
}

static inline bool xmpp_server_is_ready(const XmppServer *server)
{
    char path[128];
    int component = xmpp_server_connect(server->component_port);

    if (component < 0)
        return false;
    close(component);
    xmpp_server_path(server, server->kind == XMPP_PROSODY ? "prosody.pid" : "ejabberd.pid", path);
    int client = access(path, F_OK) ? -1 : xmpp_server_stream(server, 5000);
    if (client < 0)
        return false;
    close(client);
    return true;
}

/* Starts a server that has its folder, on its ports; waits until it is ready. */
static inline bool xmpp_server_launch(XmppServer *server)
{
    int64_t end = xmpp_server_now_ms() + XMPP_SERVER_READY_MS;
    char path[128];

    xmpp_server_path(server, "prosody.pid", path);
    unlink(path);
    xmpp_server_path(server, "ejabberd.pid", path);
    unlink(path);
    xmpp_server_path(server, "output.txt", path);
    pid_t parent = getpid();
    server->pid = fork();
    if (server->pid == 0) {
        int out = open(path, O_WRONLY | O_CREAT | O_APPEND, 0600);

        prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (getppid() != parent || out < 0)
            _exit(127);
        dup2(open("/dev/null", O_RDONLY), STDIN_FILENO);
        dup2(out, STDOUT_FILENO);
        dup2(out, STDERR_FILENO);
        for (int fd = 3; fd < 256; fd++)
            close(fd);
        signal(SIGPIPE, SIG_DFL);
        setpgid(0, 0); /* a Ctrl-C is the test's: it ends the server itself */
        xmpp_server_exec(server);
    }
    while (xmpp_server_now_ms() < end && !xmpp_server_ended(server)) {
        if (xmpp_server_is_ready(server))
            return true;
        xmpp_server_sleep_ms(50);
    }
    return false;
}

static inline void xmpp_server_kill(XmppServer *server)
{
    if (server->pid) {
        kill(server->pid, SIGKILL);
        waitpid(server->pid, NULL, 0);
    }
    server->pid = 0;
}

/* In order; what takes too long is killed. */
static inline void xmpp_server_stop(XmppServer *server)
{
    int64_t end = xmpp_server_now_ms() + XMPP_SERVER_STOP_MS;

    if (server->pid)
        kill(server->pid, SIGTERM);
    while (!xmpp_server_ended(server) && xmpp_server_now_ms() < end)
        xmpp_server_sleep_ms(20);
    xmpp_server_kill(server);
}

/* Starts it again after xmpp_server_stop or xmpp_server_kill: same ports, same accounts. */
static inline void xmpp_server_again(XmppServer *server)
{
    if (!xmpp_server_launch(server)) {
        xmpp_server_print_output(server);
        xmpp_server_kill(server);
        xmpp_server_remove(server);
        abort();
    }
}

static inline void xmpp_server_done(XmppServer *server)
{
    xmpp_server_stop(server);
    xmpp_server_remove(server);
}

/* A new server, ready. A port that somebody else took meanwhile is chosen again. */
static inline void xmpp_server_start(XmppServer *server, XmppServerKind kind)
{
    const char *const folders[] = {"data", "certs", "logs", "spool"};
    char path[128];

    *server = (XmppServer){.kind = kind, .folder = "/tmp/warg-xmpp-XXXXXX"};
    if (!mkdtemp(server->folder))
        abort();
    for (size_t i = 0; i < 4; i++) {
        xmpp_server_path(server, folders[i], path);
        if (mkdir(path, 0700))
            abort();
    }
    xmpp_server_certify(server);
    for (int tries = 0; tries < 3; tries++) {
        server->client_port = xmpp_server_port();
        server->component_port = xmpp_server_port();
        server->erlang_port = xmpp_server_port();
        xmpp_server_configure(server);
        if (xmpp_server_launch(server))
            return;
        xmpp_server_kill(server);
    }
    xmpp_server_print_output(server);
    xmpp_server_remove(server);
    fprintf(stderr, "%s doesn't start\n", xmpp_server_name(kind));
    abort();
}

#endif
