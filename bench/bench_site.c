/* bench_site.c - what pages cost a server: looking through folders, documents, what is kept.
 *
 * Usage: bench_site PATH...
 * Method: the server of `warg web` over the paths runs in a child; this process asks over one
 * connection of the loopback, one question behind the other, so figures are of one processor with
 * the kernel's part. First each game's document once ("built"), by IDs of /web/api/games, at most
 * GAMES of them; then again ("kept"), and once more with the ETag ("304"); then home.
 */
#include "base/mem.h"
#include "serve/web_door.h"
#include "wire/json_read.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#define GAMES 500
#define HOMES 200

static void die(const char *why)
{
    fprintf(stderr, "bench_site: %s\n", why);
    exit(1);
}

/* ---- the server ---- */

static void serve(char **paths, size_t count, int out)
{
    Loop *loop = NULL;
    WebDoor *door = NULL;
    CLEANUP(buf_done) Buf words = {0};
    Err err = {0};

    if (loop_new(&loop, &err))
        die(err.msg);
    const WebDoorSetup setup = {.site = {.loop = loop,
                                         .paths = {(const char *const *)paths, count},
                                         .host = "127.0.0.1",
                                         .date_of = loop_date_of,
                                         .now = loop_now()}};
    TimeUs begin = loop_now();
    if (web_door_open(&setup, &door, &err))
        die(err.msg);
    web_door_write_address(door, &words);
    dprintf(out, "%lld %zu %s\n", (long long)(loop_now() - begin),
            catalogue_count(web_site_catalogue(web_door_site(door))->catalogue), buf_cstr(&words));
    web_door_run(door, &err);
    exit(0);
}

/* ---- questions ---- */

typedef struct Asker {
    int fd;
    Buf in;
} Asker;

static void ask(Asker *asker, const char *path, const char *etag)
{
    char text[600];
    int n = snprintf(text, sizeof(text),
                     "GET %s HTTP/1.1\r\nHost: localhost\r\nAccept-Encoding: gzip\r\n%s%s%s\r\n",
                     path, etag ? "If-None-Match: " : "", etag ? etag : "", etag ? "\r\n" : "");

    if (n <= 0 || send(asker->fd, text, (size_t)n, 0) != n)
        die("the server is gone");
    buf_clear(&asker->in);
    size_t whole = 0;
    while (!whole || asker->in.len < whole) {
        char block[65536];
        ssize_t got = recv(asker->fd, block, sizeof(block), 0);
        if (got <= 0)
            die("the server is gone");
        buf_add(&asker->in, (Str){block, (size_t)got});
        size_t end;
        if (!whole && str_find(buf_str(&asker->in), STR("\r\n\r\n"), &end)) {
            const char *length = strstr(buf_cstr(&asker->in), "Content-Length: ");
            whole = end + 4 + (length ? strtoul(length + 16, NULL, 10) : 0);
        }
    }
}

static Asker dial(unsigned port)
{
    struct sockaddr_in address = {.sin_family = AF_INET,
                                  .sin_port = htons((uint16_t)port),
                                  .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    Asker asker = {.fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)};

    if (asker.fd < 0 || connect(asker.fd, (struct sockaddr *)&address, sizeof(address)))
        die("the server does not answer");
    return asker;
}

static void tell(const char *what, size_t count, TimeUs took, size_t bytes)
{
    printf("%-8s %6zu answers  %9.0f a second  %8.3f ms each  %8.1f kB each\n", what, count,
           (double)count * 1e6 / (double)took, (double)took / 1e3 / (double)count,
           (double)bytes / 1e3 / (double)count);
}

static size_t list_games(unsigned port, char ids[GAMES][CATALOGUE_ID_MAX + 1])
{
    Asker asker = dial(port);
    json_t *json = NULL;
    size_t at, count = 0;
    static const char question[] = "GET /web/api/games?limit=500 HTTP/1.0\r\n\r\n";

    if (send(asker.fd, question, sizeof(question) - 1, 0) < 0)
        die("the server is gone");
    char block[65536];
    ssize_t got;
    while ((got = recv(asker.fd, block, sizeof(block), 0)) > 0)
        buf_add(&asker.in, (Str){block, (size_t)got});
    Str text = buf_str(&asker.in);
    if (!str_find(text, STR("\r\n\r\n"), &at) ||
        json_read(str_part(text, at + 4, text.len), text.len, &json, NULL))
        die("no list of games");
    const json_t *games = json_get(json, "games");
    for (size_t i = 0; i < json_count(games) && count < GAMES; i++)
        snprintf(ids[count++], CATALOGUE_ID_MAX + 1, "%.*s",
                 STR_ARG(json_text(json_at(games, i), "id")));
    json_done(json);
    close(asker.fd);
    buf_done(&asker.in);
    return count;
}

static void measure_docs(Asker *asker, char ids[GAMES][CATALOGUE_ID_MAX + 1], size_t count)
{
    static char etags[GAMES][32];
    static const char *const rounds[] = {"built", "kept", "304"};

    for (int round = 0; round < 3; round++) {
        TimeUs begin = loop_now();
        size_t bytes = 0;
        for (size_t i = 0; i < count; i++) {
            char path[CATALOGUE_ID_MAX + 60];
            snprintf(path, sizeof(path), "/web/api/games/%.200s/doc?view=all", ids[i]);
            ask(asker, path, round == 2 ? etags[i] : NULL);
            bytes += asker->in.len;
            const char *etag = strstr(buf_cstr(&asker->in), "ETag: ");
            if (etag)
                snprintf(etags[i], sizeof(etags[i]), "%.18s", etag + 6);
        }
        tell(rounds[round], count, loop_now() - begin, bytes);
    }
}

int main(int argc, char **argv)
{
    static char ids[GAMES][CATALOGUE_ID_MAX + 1];
    int ends[2];
    char line[200] = "";
    long long took = 0;
    size_t games = 0;
    unsigned port = 0;

    if (argc < 2 || pipe(ends))
        die("name a path");
    fflush(stdout);
    pid_t child = fork();
    if (child == 0)
        serve(argv + 1, (size_t)argc - 1, ends[1]);
    ssize_t n = read(ends[0], line, sizeof(line) - 1);
    if (n <= 0 || sscanf(line, "%lld %zu http://127.0.0.1:%u", &took, &games, &port) != 3)
        die("the server did not begin");
    printf("start    %6zu games    %9.3f s\n", games, (double)took / 1e6);
    Asker asker = dial(port);
    size_t count = list_games(port, ids);
    measure_docs(&asker, ids, count);
    TimeUs begin = loop_now();
    size_t bytes = 0;
    for (int i = 0; i < HOMES; i++) {
        ask(&asker, "/web/api/home", NULL);
        bytes += asker.in.len;
    }
    tell("home", HOMES, loop_now() - begin, bytes);
    kill(child, SIGTERM);
    waitpid(child, NULL, 0);
    return 0;
}
