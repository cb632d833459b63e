#ifndef _GNU_SOURCE
#    define _GNU_SOURCE /* pipe2 */
#endif

#include "runner/nlp_process.h"

#include "base/address_text.h"
#include "base/mem.h"
#include "disk/disk_call.h"
#include "disk/folder.h"
#include "net/loop.h"
#include "serve/connection_room.h"
#include "serve/doors.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#define LINE_MAX_BYTES ((size_t)64 * 1024)

struct NlpProcess {
    pid_t pid;
    bool ended;
    int status;
    int said; /* its lines come here */
    int log;
    Buf part; /* of a line that is not whole */
    uint16_t port;
};

/* ---- the server ---- */

/* Texts behind the configuration, as long as the server runs. */
typedef struct NlpPaths {
    Buf logs, json, schedule;
} NlpPaths;

static void set_logger(ConfigLogger *logger, const Buf *folder)
{
    logger->enable = true;
    logger->output_dir = buf_cstr(folder);
    logger->filename = "{game_id}";
}

static void overwrite_config(const NlpProcessSetup *setup, const NlpPaths *paths)
{
    Config *config = setup->config;

    config->host = setup->host;
    config->port = setup->port;
    config->authentication = true;
    config->secret_key = setup->secret;
    config->open = false;
    config->matching.is_optimize = setup->main;
    config->matching.self_match = !setup->main;
    config->matching.infinite_loop = false;
    config->matching.output_path = buf_cstr(&paths->schedule);
    set_logger(&config->game_logger, &paths->logs);
    set_logger(&config->json_logger, &paths->json);
    config->realtime.enable = false;
    config->speech.enable = false;
    config->notifier.enable = false;
}

static void say_line(void *user, Str line)
{
    CLEANUP(buf_done) Buf whole = {0};
    const int fd = *(const int *)user;

    address_text_cut_line(line, &whole); /* the log stays: it must not say where people are */
    buf_add_char(&whole, '\n');
    disk_write(fd, buf_str(&whole)); /* a line that nobody can take is lost */
}

static int serve_doors(const NlpProcessSetup *setup, int said, Err *err)
{
    CLEANUP(doors_freep) Doors *doors = NULL;
    const NlpDoorSetup door = {.config = setup->config,
                               .operator_token = setup->operator_token,
                               .token_is_kept = true,
                               .seed = setup->key,
                               .self_per_hour = setup->self_per_hour,
                               .connections = connection_room_web(1),
                               .now = setup->now(),
                               .words = {say_line, say_line, &said}};
    int rc = doors_new(!setup->main, loop_date_ms, loop_date_of, &doors, err);

    if (rc == 0)
        rc = doors_add_nlp(doors, &door, err);
    if (rc == 0)
        rc = doors_prepare(doors, err);
    return rc ? rc : doors_run(doors, setup->now(), err);
}

static int serve_track(const NlpProcessSetup *setup, int said)
{
    NlpPaths paths = {{0}, {0}, {0}};
    Err err = {0};

    buf_printf(&paths.logs, "%s/logs", setup->folder);
    buf_printf(&paths.json, "%s/json", setup->folder);
    buf_printf(&paths.schedule, "%s/schedule.json", setup->folder);
    overwrite_config(setup, &paths);
    int status = serve_doors(setup, said, &err);
    if (status < 0)
        say_line(&said, str_of(err.msg));
    buf_done(&paths.logs);
    buf_done(&paths.json);
    buf_done(&paths.schedule);
    return status < 0 ? 1 : status;
}

/* ---- around it ---- */

static void run_child(const NlpProcessSetup *setup, int said, pid_t parent)
{
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent)
        _exit(1);
    signal(SIGPIPE, SIG_IGN);
    _exit(serve_track(setup, said));
}

static int open_log(NlpProcess *process, const char *folder, Err *err)
{
    CLEANUP(buf_done) Buf path = {0};
    int rc = folder_make(str_of(folder), err);

    buf_printf(&path, "%s/server.log", folder);
    if (rc == 0)
        process->log = disk_open(buf_cstr(&path), O_WRONLY | O_CREAT | O_APPEND, 0600);
    if (rc == 0 && process->log < 0)
        rc = err_set(err, ERR_IO, "open '%s': %s", buf_cstr(&path), strerror(errno));
    return rc;
}

static int start_child(NlpProcess *process, const NlpProcessSetup *setup, Err *err)
{
    int ends[2];
    const pid_t parent = getpid();

    if (pipe2(ends, O_CLOEXEC) != 0)
        return err_set(err, ERR_IO, "start a track's server: %s", strerror(errno));
    process->pid = fork();
    if (process->pid == 0) {
        disk_close(ends[0]);
        run_child(setup, ends[1], parent);
    }
    disk_close(ends[1]);
    process->said = ends[0];
    if (process->pid < 0)
        return err_set(err, ERR_IO, "start a track's server: %s", strerror(errno));
    fcntl(process->said, F_SETFL, O_NONBLOCK);
    return 0;
}

int nlp_process_start(const NlpProcessSetup *setup, NlpProcess **ret_process, Err *err)
{
    NlpProcess *process = mem_new(sizeof(*process));

    if (!process)
        return err_set(err, ERR_MEMORY, "start a track's server: out of memory");
    *process = (NlpProcess){.pid = -1, .said = -1, .log = -1};
    int rc = open_log(process, setup->folder, err);
    if (rc == 0)
        rc = start_child(process, setup, err);
    if (rc) {
        nlp_process_free(process);
        return rc;
    }
    *ret_process = process;
    return 0;
}

NlpProcess *nlp_process_free(NlpProcess *process)
{
    if (!process)
        return NULL;
    if (process->pid > 0 && !process->ended) {
        kill(process->pid, SIGKILL);
        waitpid(process->pid, NULL, 0);
    }
    if (process->said >= 0)
        disk_close(process->said);
    if (process->log >= 0)
        disk_close(process->log);
    buf_done(&process->part);
    return mem_free(process);
}

/* "listening on ws://127.0.0.1:8080/ws (...)" */
static void note_port(NlpProcess *process, Str line)
{
    size_t at, end;
    uint64_t port;

    if (process->port || !str_find(line, STR("listening on "), &at))
        return;
    Str address = str_part(line, at, line.len);
    if (!str_find(address, STR("/ws "), &end))
        return;
    address = str_part(address, 0, end);
    if (str_find_last(address, ':', &at) &&
        str_to_uint(str_part(address, at + 1, address.len), UINT16_MAX, &port))
        process->port = (uint16_t)port;
}

/* Hands out the whole lines of what has come. */
static void cut_lines(NlpProcess *process, void (*hear)(void *user, Str line), void *user)
{
    Str rest = buf_str(&process->part);
    size_t at;

    while (str_find(rest, STR("\n"), &at)) {
        Str line = str_part(rest, 0, at);
        say_line(&process->log, line);
        note_port(process, line);
        hear(user, line);
        rest = str_part(rest, at + 1, rest.len);
    }
    if (rest.len > LINE_MAX_BYTES)
        rest.len = 0;
    if (rest.len)
        memmove(process->part.bytes, rest.bytes, rest.len);
    buf_cut(&process->part, rest.len);
}

void nlp_process_listen(NlpProcess *process, void (*hear)(void *user, Str line), void *user)
{
    char bytes[4096];
    ssize_t n;

    while ((n = read(process->said, bytes, sizeof(bytes))) > 0) {
        buf_add(&process->part, (Str){bytes, (size_t)n});
        if (buf_failed(&process->part))
            buf_done(&process->part);
        cut_lines(process, hear, user);
    }
}

uint16_t nlp_process_port(const NlpProcess *process)
{
    return process->port;
}

bool nlp_process_ended(NlpProcess *process, int *ret_status)
{
    int status;

    if (!process->ended && waitpid(process->pid, &status, WNOHANG) == process->pid) {
        process->ended = true;
        process->status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    }
    *ret_status = process->status;
    return process->ended;
}

void nlp_process_drain(NlpProcess *process)
{
    if (!process->ended)
        kill(process->pid, SIGTERM);
}
