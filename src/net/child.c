/*   RUNNING --> LEFT --> OVER
 *
 *   RUNNING -> LEFT  [on_exit]  the process has ended
 *   LEFT    -> OVER  [finish]   its output was read to the end, or was waited for long enough
 *
 * RUNNING: the process is ours to wait for, so its number is its own.
 * LEFT:    other processes of the group may live on; as long as they do its number stays taken,
 *          afterwards it is not used (`group_gone`).
 * OVER:    the group was killed; its number may be somebody else's soon and is not used again.
 *
 * child_free may come in each of them. A process that still runs is killed and the Child stays on
 * the loop's list `dying` until it was waited for.
 */
#ifndef _GNU_SOURCE
#    define _GNU_SOURCE /* sigdescr_np, environ, pipe2 */
#endif
#include "net/child.h"

#include "disk/disk_call.h"
#include "net/fd_socket.h"
#include "net/uv_loop.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#define LEFT_MS        200  /* for output that somebody else holds open */
#define TICK_MS        10   /* how often one looks whether a group is gone */
#define FRONT_MS       1000 /* for a front to end what is behind it */
#define FLOOD_PAUSE_MS 10
#define LAST_LINES     10
#define LAST_BYTES     2000
#define SHELL_WORDS    3

#define HEARD_A_TURN 64   /* messages of a front, in one turn of the loop */
#define HEARD_AT_END 4096 /* more than a socket holds */

typedef enum ChildState { RUNNING, LEFT, OVER } ChildState;

struct Child {
    uv_process_t process;
    uv_pipe_t pipe;
    uv_timer_t timer; /* RUNNING: SIGKILL after child_stop; LEFT: look again */
    uv_timer_t
        pause; /* behind the limit its output is read so seldom that it costs others nothing */
    Owned owned;
    Loop *loop;
    void (*ended)(void *user, ChildEnd how, TimeUs now);
    void *user;
    int pid;
    ChildState state;
    ChildEnd how;
    TimeUs kill_at;  /* after child_stop, else TIME_US_NEVER */
    TimeUs leave_at; /* in LEFT: when waiting for the output ends */
    bool output_over;
    bool dismissed;   /* its front was told that its time is over */
    bool group_gone;  /* nobody is in the group, so its number may be somebody else's */
    bool freed;       /* the owner has no pointer any more */
    unsigned handles; /* of libuv that are not closed yet */
    int lifeline;     /* of its front, which ends when this is closed; -1 = none */
    uv_poll_t talk;   /* that the front may say something by it */
    void (*told)(void *user, Str message, int take_descriptor, TimeUs now);
    void (*cut_seen)(void *user, TimeUs now);
    int file;  /* -1 = none */
    int input; /* until it is started; -1 = none */
    uint64_t file_room;
    uint64_t file_limit;
    uint64_t printed;
    bool cut;                  /* the file says so */
    char last_written;         /* to the file */
    char before_tail;          /* the byte that came before `tail` */
    size_t tail_bytes;         /* used of `tail` */
    char tail[2 * LAST_BYTES]; /* what it printed last */
};

/* ---- memory ---- */

static void close_file(Child *child)
{
    if (child->file >= 0)
        close(child->file);
    child->file = -1;
}

static void close_input(Child *child)
{
    if (child->input >= 0)
        close(child->input);
    child->input = -1;
}

static void free_when_closed(Child *child)
{
    if (!child->freed || child->handles)
        return;
    close_file(child);
    mem_free(child);
}

static void on_closed(uv_handle_t *handle)
{
    Child *child = handle->data;

    child->handles--;
    free_when_closed(child);
}

static void close_handle(void *handle)
{
    uv_handle_t *uv = handle;

    if (uv->data && !uv_is_closing(uv)) /* without data it was never opened */
        uv_close(uv, on_closed);
}

static void handle_opened(Child *child, void *handle)
{
    uv_handle_t *uv = handle;

    uv->data = child;
    child->handles++;
}

/* What is left behind its front is ended. */
static void let_go(Child *child)
{
    close_handle(&child->talk); /* which stops it */
    if (child->lifeline >= 0)
        close(child->lifeline);
    child->lifeline = -1;
}

/* ---- what its front says ---- */

/* At most `most` messages: one that never stops must not hold the loop. */
static void hear_front(Child *child, int most)
{
    char bytes[FD_SOCKET_BYTES];
    size_t count;
    int descriptor;

    for (; most > 0 && !child->freed && child->lifeline >= 0; most--) {
        if (fd_socket_receive(child->lifeline, bytes, &count, &descriptor) != FD_SOCKET_MESSAGE)
            return;
        if (child->told)
            child->told(child->user, (Str){bytes, count}, descriptor, loop_now());
        else if (descriptor >= 0)
            close(descriptor);
    }
}

static void on_talk(uv_poll_t *talk, int status, int events)
{
    Child *child = talk->data;

    if (status < 0 || events & UV_DISCONNECT)
        uv_poll_stop(talk); /* how it ended is known by its exit; what it said is heard before */
    hear_front(child, HEARD_A_TURN);
}

/* ---- its output ---- */

/* Writes to the file. When that fails (a full disk) the file is given up and the child goes on. */
static void write_file(Child *child, Str bytes)
{
    if (!bytes.len || child->file < 0)
        return;
    if (disk_write(child->file, bytes))
        close_file(child);
    else
        child->last_written = bytes.bytes[bytes.len - 1];
}

static void keep_in_file(Child *child, Str bytes)
{
    Str fits = str_part(bytes, 0, child->file_room);

    if (child->cut || child->file < 0)
        return;
    write_file(child, fits);
    child->file_room -= fits.len;
    if (fits.len == bytes.len)
        return;

    char line[64];
    snprintf(line, sizeof(line), "%s[output cut at %llu bytes]\n",
             child->last_written == '\n' ? "" : "\n", (unsigned long long)child->file_limit);
    write_file(child, str_of(line));
    child->cut = true;
    if (child->cut_seen)
        child->cut_seen(child->user, loop_now());
}

static void keep_in_tail(Child *child, Str bytes)
{
    if (bytes.len > LAST_BYTES) {
        child->before_tail = bytes.bytes[bytes.len - LAST_BYTES - 1];
        bytes = str_part(bytes, bytes.len - LAST_BYTES, LAST_BYTES);
        child->tail_bytes = 0;
    }
    if (bytes.len > sizeof(child->tail) - child->tail_bytes) {
        /* There are more than LAST_BYTES then; those are enough. */
        size_t drop = child->tail_bytes - LAST_BYTES;
        child->before_tail = drop ? child->tail[drop - 1] : child->before_tail;
        memmove(child->tail, child->tail + drop, LAST_BYTES);
        child->tail_bytes = LAST_BYTES;
    }
    memcpy(child->tail + child->tail_bytes, bytes.bytes, bytes.len);
    child->tail_bytes += bytes.len;
}

/* Where the line of tail[at] starts that is whole: at `at` or behind it. */
static size_t line_start(const Child *child, size_t at, size_t end)
{
    char before = at ? child->tail[at - 1] : child->before_tail;

    if (before == '\n')
        return at;
    const char *next = memchr(child->tail + at, '\n', end - at);
    if (next)
        return (size_t)(next - child->tail) + 1;
    while (at < end && ((unsigned char)child->tail[at] & 0xC0) == 0x80)
        at++; /* one long line: not from the middle of a character */
    return at;
}

Str child_last_lines(const Child *child)
{
    size_t end = child->tail_bytes;

    while (end && (child->tail[end - 1] == '\n' || child->tail[end - 1] == '\r'))
        end--;

    size_t start = line_start(child, end > LAST_BYTES ? end - LAST_BYTES : 0, end);
    size_t lines = 0;
    for (size_t at = end; at > start; at--) {
        if (child->tail[at - 1] == '\n' && ++lines == LAST_LINES) {
            start = at;
            break;
        }
    }
    return (Str){child->tail + start, end - start};
}

static void look_at_child(Child *child);
static void on_output(uv_stream_t *stream, ssize_t n, const uv_buf_t *buffer);

static void read_on(uv_timer_t *timer)
{
    Child *child = timer->data;

    if (!uv_is_closing((uv_handle_t *)&child->pipe))
        uv_read_start((uv_stream_t *)&child->pipe, loop_read_buffer, on_output);
}

/* Who floods waits for its own pipe. */
static void pause_output(Child *child)
{
    uv_read_stop((uv_stream_t *)&child->pipe);
    uv_timer_start(&child->pause, read_on, FLOOD_PAUSE_MS, 0);
}

static void on_output(uv_stream_t *stream, ssize_t n, const uv_buf_t *buffer)
{
    Child *child = stream->data;

    if (n > 0) {
        Str bytes = {buffer->base, (size_t)n};

        keep_in_file(child, bytes);
        keep_in_tail(child, bytes);
        child->printed += bytes.len;
        if (child->printed > child->file_limit && child->file_limit && child->state == RUNNING)
            pause_output(child);
    } else if (n < 0) {
        child->output_over = true;
        close_handle(&child->pipe);
        if (child->state == LEFT)
            look_at_child(child);
    }
}

/* Of libuv's own pipe, which does not block. */
void child_hear(Child *child)
{
    char bytes[4096];
    uv_os_fd_t fd = -1;
    ssize_t count = 0;

    if (child->output_over || uv_is_closing((uv_handle_t *)&child->pipe) ||
        uv_fileno((uv_handle_t *)&child->pipe, &fd))
        return;
    for (int turns = 0; turns < HEARD_A_TURN && (count = read(fd, bytes, sizeof(bytes))) > 0;
         turns++) {
        keep_in_file(child, (Str){bytes, (size_t)count});
        keep_in_tail(child, (Str){bytes, (size_t)count});
        child->printed += (uint64_t)count;
    }
}

/* ---- its end ---- */

static void signal_group(const Child *child, int signal_number)
{
    /* setsid in the child made its number that of the group, before uv_spawn returned. */
    if (!child->group_gone)
        kill(-child->pid, signal_number);
}

/* In LEFT, when only others can hold the number. */
static bool group_lives(Child *child)
{
    if (!child->group_gone && kill(-child->pid, 0) && errno == ESRCH)
        child->group_gone = true;
    return !child->group_gone;
}

/* LEFT -> OVER: nobody of the group is left, the owner is told. */
static void finish_child(Child *child)
{
    hear_front(child, HEARD_AT_END);
    if (child->freed) /* in what it was told */
        return;
    signal_group(child, SIGKILL);
    let_go(child);
    child->state = OVER;
    close_handle(&child->pipe);
    close_handle(&child->timer);
    close_handle(&child->pause);
    close_file(child);
    child->ended(child->user, child->how, loop_now()); /* may free the child */
}

/* A front that talks hears that its time is over by the end of what we say: it ends what is behind
 * it, and tidies up. */
static bool dismiss_front(Child *child)
{
    if (!child->told || child->lifeline < 0 || child->dismissed)
        return false;
    child->dismissed = true;
    return shutdown(child->lifeline, SHUT_WR) == 0;
}

static void on_timer(uv_timer_t *timer)
{
    Child *child = timer->data;

    if (child->state != RUNNING)
        look_at_child(child);
    else if (dismiss_front(child))
        uv_timer_start(timer, on_timer, FRONT_MS, 0);
    else
        signal_group(child, SIGKILL);
}

/* In LEFT: whether the waiting is over. After child_stop the group has its grace. */
static void look_at_child(Child *child)
{
    bool stopping = child->kill_at != TIME_US_NEVER;
    TimeUs until = stopping && child->kill_at > child->leave_at ? child->kill_at : child->leave_at;
    bool others = group_lives(child);

    if (loop_now() >= until || (child->output_over && !(stopping && others)))
        finish_child(child);
}

static void on_exit_seen(uv_process_t *process, int64_t status, int signal_number)
{
    Child *child = process->data;

    close_handle(process);
    if (child->freed) {
        link_drop(&child->owned.link); /* from `dying` */
        child->state = OVER;
        return;
    }
    child->state = LEFT;
    if (uv_is_active((uv_handle_t *)&child->pause)) { /* the rest is read without pauses */
        uv_timer_stop(&child->pause);
        read_on(&child->pause);
    }
    child->how.status = signal_number ? 0 : (int)status;
    child->how.signal_number = signal_number;
    child->leave_at = loop_now() + LEFT_MS * 1000;
    uv_timer_start(&child->timer, on_timer, TICK_MS, TICK_MS);
    look_at_child(child);
}

void child_stop(Child *child, uint32_t grace_ms)
{
    TimeUs kill_at = loop_now() + (TimeUs)grace_ms * 1000;

    if (child->state == OVER)
        return;
    signal_group(child, SIGTERM);
    if (child->kill_at > kill_at)
        child->kill_at = kill_at;
    else
        return;
    if (child->state == RUNNING) {
        child->how.asked = true;
        uv_update_time(&child->loop->uv);
        uv_timer_start(&child->timer, on_timer, grace_ms, 0);
    }
}

/* loop_free has waited for a killed child in vain: then it has to go without that. */
static void give_up(Owned *owned)
{
    Child *child = HOLDER(owned, Child, owned);

    signal_group(child, SIGKILL);
    link_drop(&child->owned.link);
    close_handle(&child->process);
}

Child *child_free(Child *child)
{
    if (!child)
        return NULL;
    assert(!child->freed);
    child->freed = true;
    link_drop(&child->owned.link);
    /* A front that talks ends by itself when nobody hears it any more. */
    if (child->state != OVER && !(child->told && child->state == RUNNING && child->lifeline >= 0))
        signal_group(child, SIGKILL);
    let_go(child);
    if (child->state == RUNNING) {
        child->owned.close = give_up;
        link_add(&child->loop->dying, &child->owned.link);
    }
    close_handle(&child->pipe);
    close_handle(&child->timer);
    close_handle(&child->pause);
    close_file(child);
    free_when_closed(child);
    return NULL;
}

static void child_drop(Owned *owned)
{
    child_free(HOLDER(owned, Child, owned));
}

bool child_running(const Child *child)
{
    return child->state == RUNNING;
}

int child_pid(const Child *child)
{
    return child->pid;
}

void child_end_print(ChildEnd how, Buf *out)
{
    int number = how.signal_number ? how.signal_number : how.status - 128;
    const char *name = number > 0 ? sigdescr_np(number) : NULL;

    if (how.signal_number)
        buf_printf(out, "killed by signal %d (%s)", number, name ? name : "unknown");
    else if (name)
        buf_printf(out, "exit status %d (as after signal %d, %s)", how.status, number, name);
    else
        buf_printf(out, "exit status %d", how.status);
}

/* ---- its start ---- */

/* Whether the first word of a command is a program: a path, or a name found in PATH. A builtin of
 * the shell, a keyword and an assignment are none. */
static bool starts_with_program(const char *command)
{
    Str word = {command, strcspn(command, " \t")};
    Str path = str_of(getenv("PATH"));
    char file[4096];

    if (!word.len || memchr(word.bytes, '=', word.len))
        return false;
    if (memchr(word.bytes, '/', word.len))
        return true;
    while (path.len) {
        Str folder = str_cut(&path, ':');
        int bytes = snprintf(file, sizeof(file), "%.*s/%.*s", STR_ARG(folder), STR_ARG(word));
        if (folder.len && bytes > 0 && (size_t)bytes < sizeof(file) && access(file, X_OK) == 0)
            return true;
    }
    return false;
}

/* The text for sh -c. Not every shell replaces itself with the last command (dash doesn't), and one
 * that stays turns a signal into an exit status. */
static void shell_text(const char *command, Buf *out)
{
    command += strspn(command, " \t");
    const bool whole = !strpbrk(command, ";&|()`\n") && starts_with_program(command);
    buf_printf(out, "%s%s", whole ? "exec " : "", command);
}

/* Our environment with PYTHONUNBUFFERED=1 unless it is set; one block on the heap, the
 * other texts are borrowed. Without it the last words of a Python agent that crashes are lost. */
static char **child_environment(void)
{
    static const char unbuffered[] = "PYTHONUNBUFFERED=1";
    size_t count = 0;

    while (environ[count])
        count++;
    char **list = mem_new((count + 2) * sizeof(*list) + sizeof(unbuffered));
    if (!list)
        return NULL;
    memcpy(list, environ, count * sizeof(*list));
    if (!getenv("PYTHONUNBUFFERED"))
        list[count] = memcpy(list + count + 2, unbuffered, sizeof(unbuffered));
    return list;
}

static int check_folder(const char *folder, Err *err)
{
    struct stat info;

    if (folder && stat(folder, &info))
        return err_set(err, ERR_IO, "folder '%s': %s", folder, strerror(errno));
    if (folder && !S_ISDIR(info.st_mode))
        return err_set(err, ERR_IO, "folder '%s': not a folder", folder);
    return 0;
}

static int open_output(Child *child, const ChildPlan *plan, Err *err)
{
    child->file_room = child->file_limit = plan->output_limit;
    child->cut_seen = plan->cut;
    if (!plan->output_path)
        return 0;
    /* O_NONBLOCK: a pipe that nobody reads must not hold the loop. */
    child->file =
        disk_open(plan->output_path, O_WRONLY | O_APPEND | O_CREAT | O_NOCTTY | O_NONBLOCK, 0666);
    if (child->file < 0)
        return disk_error(err, "output file", plan->output_path);
    return 0;
}

static int open_input(Child *child, const ChildPlan *plan, Err *err)
{
    const int flags = plan->input_written ? O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW : O_RDONLY;

    if (!plan->input_path)
        return 0;
    child->input = disk_open(plan->input_path, flags | O_NOCTTY, 0600);
    return child->input < 0 ? disk_error(err, "file", plan->input_path) : 0;
}

static size_t count_words(const char *const *words)
{
    size_t count = 0;

    while (words[count])
        count++;
    return count;
}

/* What to execute: the words of the front, if there is one, and the shell with `text`. On the heap;
 * NULL without memory. */
static const char **choose_words(const ChildFront *front,
                                 const char *const text[static SHELL_WORDS])
{
    const size_t count = front ? count_words(front->words) : 0;
    const char **words = mem_new((count + SHELL_WORDS + 1) * sizeof(*words));

    if (!words)
        return NULL;
    for (size_t i = 0; i < count; i++)
        words[i] = front->words[i];
    for (size_t i = 0; i < SHELL_WORDS; i++)
        words[count + i] = text[i];
    return words;
}

/* Starts what stands in `words`, with its output into ends[0] and its front's lifeline at ends[1]
 * (-1 = none). 0 or a negative code of libuv. */
static int spawn_words(Child *child, const ChildPlan *plan, const char *program, char **words,
                       char **environment, const int ends[static 2])
{
    const int out = ends[0], life = ends[1];
    const int file = plan->front && plan->front->talks ? plan->front->file : -1;
    uv_stdio_container_t streams[] = {
        {.flags = child->input < 0 ? UV_IGNORE : UV_INHERIT_FD, .data.fd = child->input},
        {.flags = UV_INHERIT_FD, .data.fd = out},
        {.flags = UV_INHERIT_FD, .data.fd = out},
        [CHILD_LIFELINE] = {.flags = life < 0 ? UV_IGNORE : UV_INHERIT_FD, .data.fd = life},
        [CHILD_FILE] = {.flags = file < 0 ? UV_IGNORE : UV_INHERIT_FD, .data.fd = file},
    };
    uv_process_options_t options = {
        .exit_cb = on_exit_seen,
        .file = program,
        .args = words,
        .env = environment,
        .cwd = plan->folder,
        .flags = UV_PROCESS_DETACHED, /* setsid */
        .stdio_count = life < 0   ? CHILD_LIFELINE
                       : file < 0 ? CHILD_FILE
                                  : CHILD_FILE + 1,
        .stdio = streams,
    };
    handle_opened(child, &child->process); /* also when it fails */
    return uv_spawn(&child->loop->uv, &child->process, &options);
}

/* Starts the shell, or the program; `ends` as above. */
static int spawn_process(Child *child, const ChildPlan *plan, const int ends[static 2])
{
    CLEANUP(buf_done) Buf text = {0};
    CLEANUP(mem_freep) char **with_ours = plan->environment ? NULL : child_environment();
    CLEANUP(mem_freep) const char **room = NULL;
    union {
        const char *const *ours;
        char **uv; /* takes them without const, as execvp does, and changes nothing */
    } arguments = {.ours = plan->arguments}, environment = {.ours = plan->environment}, words;

    if (!plan->environment)
        environment.uv = with_ours;
    if (!environment.uv)
        return UV_ENOMEM;
    if (plan->arguments)
        return spawn_words(child, plan, plan->arguments[0], arguments.uv, environment.uv, ends);
    shell_text(plan->command, &text);
    if (buf_failed(&text))
        return UV_ENOMEM;
    room = choose_words(plan->front, (const char *const[]){"/bin/sh", "-c", buf_cstr(&text)});
    if (!room)
        return UV_ENOMEM;
    words.ours = room;
    return spawn_words(child, plan, plan->front ? plan->front->program : room[0], words.uv,
                       environment.uv, ends);
}

/* Where what the front says is heard. 0 or a negative code of libuv. */
static int begin_talk(Child *child, const ChildPlan *plan)
{
    child->told = plan->told;
    int code = uv_poll_init(&child->loop->uv, &child->talk, child->lifeline);
    if (code)
        return code;
    handle_opened(child, &child->talk);
    return uv_poll_start(&child->talk, UV_READABLE | UV_DISCONNECT, on_talk);
}

/* With a lifeline when it gets a front. */
static int spawn_behind_front(Child *child, const ChildPlan *plan, int out)
{
    int ends[2];

    if (!plan->front)
        return spawn_process(child, plan, (int[]){out, -1});
    if (plan->front->talks ? !fd_socket_pair(ends) : pipe2(ends, O_CLOEXEC))
        return uv_translate_sys_error(errno);
    /* Of a pipe the end that is held open is the one to write. */
    child->lifeline = ends[plan->front->talks ? 0 : 1];
    const int theirs = ends[plan->front->talks ? 1 : 0];
    int code = plan->front->talks ? begin_talk(child, plan) : 0;
    if (!code)
        code = spawn_process(child, plan, (int[]){out, theirs});
    close(theirs);
    return code;
}

/* A pipe and not what libuv makes by itself: that is a socket, and opening /dev/stdout, as tee and
 * many scripts do, fails on a socket. */
static int start_child(Child *child, const ChildPlan *plan)
{
    uv_file ends[2];
    int code = uv_pipe(ends, UV_NONBLOCK_PIPE, 0);

    if (code)
        return code;
    handle_opened(child, &child->pipe);
    uv_pipe_init(&child->loop->uv, &child->pipe, 0);
    code = uv_pipe_open(&child->pipe, ends[0]);
    if (code)
        close(ends[0]);
    else
        code = spawn_behind_front(child, plan, ends[1]);
    close(ends[1]);
    if (!code)
        code = uv_read_start((uv_stream_t *)&child->pipe, loop_read_buffer, on_output);
    return code;
}

int child_start(Loop *loop, const ChildPlan *plan,
                void (*ended)(void *user, ChildEnd how, TimeUs now), void *user, Child **ret_child,
                Err *err)
{
    int code = check_folder(plan->folder, err);
    if (code)
        return code;

    Child *child = mem_new(sizeof(*child));
    if (!child)
        return err_set(err, ERR_MEMORY, "child process: out of memory");
    child->loop = loop;
    child->ended = ended;
    child->user = user;
    child->kill_at = TIME_US_NEVER;
    child->before_tail = child->last_written = '\n';
    child->file = child->input = child->lifeline = -1;
    child->owned.close = child_drop;
    link_add(&loop->owned, &child->owned.link);
    handle_opened(child, &child->timer);
    uv_timer_init(&loop->uv, &child->timer);
    handle_opened(child, &child->pause);
    uv_timer_init(&loop->uv, &child->pause);

    code = open_output(child, plan, err);
    if (!code)
        code = open_input(child, plan, err);
    if (!code) {
        code = start_child(child, plan);
        if (code)
            code = err_set(err, uv_err(code), "start of '%s': %s",
                           plan->arguments ? plan->arguments[0] : plan->command, uv_strerror(code));
    }
    close_input(child);
    child->pid = child->process.pid;
    if (code) {
        if (child->pid <= 0) {
            child->state = OVER; /* there is nothing to kill */
            close_handle(&child->process);
        }
        child_free(child);
        return code;
    }
    *ret_child = child;
    return 0;
}
