#include "cli/contest_serve.h"

#include "api/api_server.h"
#include "base/mem.h"
#include "cli/rehearsal.h"
#include "cli/runner_child.h"
#include "disk/folder.h"
#include "site/server_file.h"

#include <signal.h>
#include <stdio.h>

#define STOP_US ((TimeUs)2 * 1000000) /* for answers under way */

/* A date that only goes on, out of a file that somebody writes. */
typedef struct Rehearsal {
    const char *path; /* NULL: it is `date` */
    DateMs *date;
    DateOf *date_of;
    int64_t now_ms;
} Rehearsal;

static int64_t rehearsal_now(void *user)
{
    Rehearsal *rehearsal = user;
    int64_t now_ms;

    if (!rehearsal->path)
        return rehearsal->date();
    if (rehearsal_read(rehearsal->path, &now_ms) && now_ms > rehearsal->now_ms)
        rehearsal->now_ms = now_ms;
    return rehearsal->now_ms;
}

typedef struct Serving {
    Loop *loop;
    ApiServer *server;
    RunnerChild *runner; /* NULL: it is a unit of its own */
    Timer *end;
    bool stopping;
} Serving;

/* Answers under way have had the time by then, or get it. */
static void on_runner_gone(void *user)
{
    Serving *serving = user;

    timer_in(serving->end, STOP_US / 10);
}

static void on_signal(void *user, int number, TimeUs now)
{
    Serving *serving = user;

    (void)number;
    if (serving->stopping) { /* whoever asks twice does not want to wait */
        loop_stop(serving->loop);
        return;
    }
    serving->stopping = true;
    api_server_stop(serving->server);
    if (serving->runner)
        runner_child_stop(serving->runner, on_runner_gone, serving);
    else
        timer_at(serving->end, now + STOP_US, false);
}

static void on_end(void *user, TimeUs now)
{
    (void)now;
    loop_stop(user);
}

static ApiSettings settings_of(const ServerFile *file, Str proxies[static SERVER_PROXIES_MAX],
                               Rehearsal *rehearsal)
{
    for (uint32_t i = 0; i < file->proxy_count; i++)
        proxies[i] = buf_str(&file->proxies[i]);
    return (ApiSettings){
        .folder = buf_cstr(&file->folder),
        .data = buf_cstr(&file->data),
        .public_url = buf_str(&file->public_url),
        .proxies = proxies,
        .proxy_count = file->proxy_count,
        .signup = file->signup == SIGNUP_OPEN     ? API_SIGNUP_OPEN
                  : file->signup == SIGNUP_INVITE ? API_SIGNUP_INVITE
                                                  : API_SIGNUP_CLOSED,
        .listen_host = buf_str(&file->host),
        .listen_port = file->port,
        .cell_require = file->cell_require,
        .disk_reserve_permil = (uint64_t)file->reserve_percent * 10,
        .disk_reserve_bytes = file->reserve_bytes,
        .now_ms = rehearsal_now,
        .now_user = rehearsal,
    };
}

static int open_tls(const ServerFile *file, TlsServer **ret_tls, Err *err)
{
    if (!file->certificate.len)
        return 0;
    return tls_server_new(buf_cstr(&file->certificate), buf_cstr(&file->key), ret_tls, err);
}

static int run_loop(Serving *serving, const ServerFile *file, Err *err)
{
    static const int signals[] = {SIGINT, SIGTERM};
    int rc = timer_new(serving->loop, on_end, serving->loop, &serving->end, err);

    for (size_t i = 0; rc == 0 && i < 2; i++)
        rc = loop_signal(serving->loop, signals[i], on_signal, serving, err);
    if (rc)
        return rc;
    printf("contest site %s, listening on %s port %u\n", buf_cstr(&file->public_url),
           buf_cstr(&file->host), api_server_port(serving->server));
    fflush(stdout);
    loop_run(serving->loop);
    return 0;
}

static int serve_file(const ServerFile *file, Rehearsal *rehearsal, Err *err)
{
    Str proxies[SERVER_PROXIES_MAX];
    TlsServer *tls = NULL;
    Serving serving = {0};
    int rc = folder_make_private(buf_cstr(&file->data), err);

    if (rc == 0)
        rc = open_tls(file, &tls, err);
    const ApiServerSetup setup = {.settings = settings_of(file, proxies, rehearsal),
                                  .store = buf_cstr(&file->store),
                                  .host = buf_cstr(&file->host),
                                  .port = file->port,
                                  .mail_command = buf_cstr(&file->mail_command),
                                  .mail_from = buf_cstr(&file->mail_from),
                                  .hook_url = buf_cstr(&file->hook_url),
                                  .hook_secret = buf_cstr(&file->hook_secret),
                                  .any_hook = file->any_hook,
                                  .date_of = rehearsal->date_of,
                                  .tls = tls};
    if (rc == 0)
        rc = loop_new(&serving.loop, err);
    if (rc == 0)
        rc = api_server_open(serving.loop, &setup, &serving.server, err);
    if (rc == 0 && file->runner == RUNNER_INSIDE)
        rc = runner_child_start(serving.loop, buf_cstr(&file->folder), rehearsal->path,
                                &serving.runner, err);
    if (rc == 0)
        rc = run_loop(&serving, file, err);
    runner_child_free(serving.runner);
    api_server_free(serving.server);
    loop_free(serving.loop);
    tls_server_free(tls);
    return rc;
}

int contest_serve(const ContestServe *serve, Err *err)
{
    CLEANUP(server_file_done) ServerFile file = {0};
    Rehearsal rehearsal = {.path = serve->clock, .date = serve->date, .date_of = serve->date_of};
    int rc = server_file_load(serve->folder, &file, err);

    return rc == 0 ? serve_file(&file, &rehearsal, err) : rc;
}
