#ifndef _GNU_SOURCE
#    define _GNU_SOURCE /* CLONE_THREAD */
#endif
#include "cell/witness.h"

#include "base/banned.h"
#include "cell/cell_news.h"
#include "net/fd_socket.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <linux/seccomp.h>
#include <netinet/in.h>
#include <poll.h>
#include <sched.h>
#include <stdint.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <unistd.h>

#ifndef SYS_pidfd_getfd
#    define SYS_pidfd_getfd 438
#endif

#define ADDRESS_BYTES sizeof(struct sockaddr_un)
#define PATH_READ     256 /* of a path; a text has less room */
#define TEXT_BYTES    400
#define STATUS_BYTES  2048
#define PATIENCE      1000 /* findings that are answered at once */

/* What of ours is told apart by no profile: these are nobody's files. */
static const char *const anybodys[] = {"open for writing /dev/null",
                                       "open for writing /dev/zero",
                                       "open for writing /dev/tty",
                                       "open for writing /proc/self/coredump_filter",
                                       "open for writing /proc/self/comm",
                                       "open for writing /proc/self/oom_score_adj",
                                       "open for writing /proc/self/task/*/comm",
                                       "connect unix /var/run/nscd/socket",
                                       "connect unix /run/nscd/socket"};

/* One question. */
typedef struct Asked {
    const struct seccomp_notif *notice;
    const CellCall *call;
    uint64_t argument; /* the one that the call's row names */
} Asked;

/* What is answered: an error, or that the kernel goes on; what a socket got may be the result. */
typedef struct Answered {
    bool goes_on;
    int error;
} Answered;

static const Answered goes_on = {.goes_on = true};

static Answered refused(int error)
{
    return (Answered){.error = error};
}

/* ---- telling ---- */

/* A text fits when it is the entry, in which a star stands for anything. What the last star stands
 * for is made longer as long as the rest does not fit. */
static bool fits_entry(const char *entry, const char *text)
{
    const char *behind = NULL, *from = NULL;

    while (*text) {
        if (*entry == '*') {
            behind = ++entry;
            from = text;
        } else if (*entry == *text) {
            entry++;
            text++;
        } else if (behind) {
            entry = behind;
            text = ++from;
        } else {
            return false;
        }
    }
    return entry[strspn(entry, "*")] == '\0';
}

bool witness_is_listed(const char *const *list, size_t count, const char *text)
{
    for (size_t i = 0; i < count; i++)
        if (fits_entry(list[i], text))
            return true;
    return false;
}

static void tell_finding(const Witness *witness, FindingRule rule, const char *text, uint32_t count)
{
    const CellNews news = {.kind = NEWS_FOUND, .finding = {rule, str_of(text), count}};
    char line[CELL_NEWS_BYTES];

    fd_socket_send(witness->told, line, cell_news_write(&news, line), -1);
}

/* A path that goes up again is none that a list means. */
static bool is_noise(const Witness *witness, const char *text)
{
    return !strstr(text, "/..") &&
           (witness_is_listed(anybodys, sizeof(anybodys) / sizeof(anybodys[0]), text) ||
            witness_is_listed(witness->order->noise, witness->order->noise_count, text));
}

void witness_find(Witness *witness, FindingRule rule, const char *text)
{
    if (is_noise(witness, text))
        return;
    witness->found++;
    if (witness->counts[rule]++ < FINDINGS_KEPT)
        tell_finding(witness, rule, text, 1);
    else
        witness->silent[rule]++;
}

void witness_find_end(Witness *witness, FindingRule rule, const char *text)
{
    witness->counts[rule]++;
    tell_finding(witness, rule, text, 1);
}

void witness_tell_counts(Witness *witness)
{
    for (FindingRule rule = FINDING_NETWORK; rule < FINDING_RULES; rule++) {
        while (witness->silent[rule]) {
            const uint64_t count = witness->silent[rule];
            const uint32_t part = count > UINT32_MAX ? UINT32_MAX : (uint32_t)count;
            tell_finding(witness, rule, "", part);
            witness->silent[rule] -= part;
        }
    }
}

/* ---- reading its memory ---- */

/* As much of `bytes` as is there from `at` on; 0 when it can't be read. */
static size_t read_memory(pid_t thread, uint64_t at, void *ret_bytes, size_t bytes)
{
    char path[40];

    snprintf(path, sizeof(path), "/proc/%d/mem", (int)thread);
    int memory = open(path, O_RDONLY | O_CLOEXEC);
    if (memory < 0)
        return 0;
    ssize_t count = pread(memory, ret_bytes, bytes, (off_t)at);
    if (count < 0 && bytes > 64) /* it may lie at the end of what is mapped */
        count = pread(memory, ret_bytes, 64, (off_t)at);
    close(memory);
    return count > 0 ? (size_t)count : 0;
}

static void read_path(pid_t thread, uint64_t at, char ret_path[static PATH_READ])
{
    size_t count = at ? read_memory(thread, at, ret_path, PATH_READ - 1) : 0;

    ret_path[count] = '\0';
    if (!count)
        snprintf(ret_path, PATH_READ, "%s", at ? "(its path can not be read)" : "(no path)");
}

/* The thread still waits for its answer: what was read is its own. */
static bool is_valid(const Witness *witness, const struct seccomp_notif *notice)
{
    uint64_t id = notice->id;

    return ioctl(witness->asked, SECCOMP_IOCTL_NOTIF_ID_VALID, &id) == 0;
}

/* ---- what it is about ---- */

void witness_print_address(const void *address, size_t bytes, char *text, size_t room)
{
    char name[INET6_ADDRSTRLEN] = "?";
    struct sockaddr_un local;
    struct sockaddr_in four;
    struct sockaddr_in6 six;
    sa_family_t family = AF_UNSPEC;

    if (bytes >= sizeof(family))
        memcpy(&family, address, sizeof(family));
    if (family == AF_INET && bytes >= sizeof(four)) {
        memcpy(&four, address, sizeof(four));
        inet_ntop(AF_INET, &four.sin_addr, name, sizeof(name));
        snprintf(text, room, "%s:%u", name, ntohs(four.sin_port));
    } else if (family == AF_INET6 && bytes >= offsetof(struct sockaddr_in6, sin6_scope_id)) {
        memset(&six, 0, sizeof(six));
        memcpy(&six, address, bytes < sizeof(six) ? bytes : sizeof(six));
        inet_ntop(AF_INET6, &six.sin6_addr, name, sizeof(name));
        snprintf(text, room, "[%s]:%u", name, ntohs(six.sin6_port));
    } else if (family == AF_UNIX) {
        memset(&local, 0, sizeof(local));
        memcpy(&local, address, bytes < sizeof(local) ? bytes : sizeof(local));
        const bool named = local.sun_path[0] != '\0';
        const size_t start = offsetof(struct sockaddr_un, sun_path) + !named;
        const size_t most = sizeof(local.sun_path) - !named;
        const size_t count = bytes > start ? bytes - start : 0;
        snprintf(text, room, "unix %s%.*s", named ? "" : "@",
                 (int)strnlen(local.sun_path + !named, count < most ? count : most),
                 local.sun_path + !named);
    } else {
        snprintf(text, room, "an address of family %u", (unsigned)family);
    }
}

/* The address that a call names, as far as it can be read. */
static size_t read_address(const Asked *asked, unsigned length_at,
                           char ret_address[static ADDRESS_BYTES])
{
    const uint64_t length = asked->notice->data.args[length_at] & UINT32_MAX;

    return read_memory((pid_t)asked->notice->pid, asked->argument, ret_address,
                       length < ADDRESS_BYTES ? (size_t)length : ADDRESS_BYTES);
}

bool witness_is_game(const void *address, size_t bytes, uint16_t port)
{
    static const uint8_t mapped[16] = {[10] = 0xFF, [11] = 0xFF, [12] = 127, [15] = 1};
    struct sockaddr_in four;
    struct sockaddr_in6 six;
    sa_family_t family = AF_UNSPEC;

    if (bytes >= sizeof(family))
        memcpy(&family, address, sizeof(family));
    if (family == AF_INET && bytes >= sizeof(four)) {
        memcpy(&four, address, sizeof(four));
        return four.sin_addr.s_addr == htonl(INADDR_LOOPBACK) && ntohs(four.sin_port) == port;
    }
    if (family == AF_INET6 && bytes >= sizeof(six)) {
        memcpy(&six, address, sizeof(six));
        return memcmp(&six.sin6_addr, mapped, sizeof(mapped)) == 0 && ntohs(six.sin6_port) == port;
    }
    return false;
}

static void find_address(Witness *witness, const Asked *asked, const char *address, size_t bytes)
{
    char name[TEXT_BYTES / 2], text[TEXT_BYTES];

    if (asked->call->argument == CALL_NO_PATH)
        name[0] = '\0';
    else if (bytes)
        witness_print_address(address, bytes, name, sizeof(name));
    else
        snprintf(name, sizeof(name), "(its address can not be read)");
    snprintf(text, sizeof(text), "%s%s%s",
             asked->call->kind == CALL_SEND ? "send to" : asked->call->name, name[0] ? " " : "",
             name);
    witness_find(witness, FINDING_NETWORK, text);
}

/* ---- connecting ---- */

/* The process that a thread is of; 0 when that is over. */
static pid_t process_of(pid_t thread)
{
    char path[40], status[STATUS_BYTES];

    snprintf(path, sizeof(path), "/proc/%d/status", (int)thread);
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return 0;
    ssize_t count = read(file, status, sizeof(status) - 1);
    close(file);
    status[count > 0 ? count : 0] = '\0';
    const char *line = strstr(status, "\nTgid:");
    return line ? (pid_t)strtol(line + strlen("\nTgid:"), NULL, 10) : 0;
}

/* What no program can bring about: rights, the kernel's age, descriptors. */
static bool is_our_lack(int error)
{
    return error == EPERM || error == ENOSYS || error == EMFILE || error == ENFILE ||
           error == ENOMEM;
}

/* The host connects the program's own socket. It never waits there: by what is refused of options
 * (cell/cell_filter.c) nothing can hold up a connection of this machine with itself. */
static Answered connect_for(Witness *witness, const Asked *asked, const char *address, size_t bytes)
{
    const pid_t process = process_of((pid_t)asked->notice->pid);
    const int of_process = process ? (int)syscall(SYS_pidfd_open, process, 0) : -1;
    const int socket = of_process < 0 ? -1
                                      : (int)syscall(SYS_pidfd_getfd, of_process,
                                                     (int)asked->notice->data.args[0], 0);
    const int failed = socket < 0 ? errno : 0;
    Answered answered = refused(EPERM);

    if (socket >= 0 && is_valid(witness, asked->notice)) {
        int error =
            connect(socket, (const struct sockaddr *)(const void *)address, (socklen_t)bytes)
                ? errno
                : 0;
        witness->connected |= error == 0 || error == EINPROGRESS;
        answered = refused(error);
    } else if (is_our_lack(failed) && is_valid(witness, asked->notice)) {
        witness->broken = true;
    } else if (failed) { /* the program's own doing, and no way to break us: no such descriptor, or
                          * its first thread has ended */
        answered = refused(EBADF);
    }
    if (socket >= 0)
        close(socket);
    if (of_process >= 0)
        close(of_process);
    return answered;
}

static Answered answer_connect(Witness *witness, const Asked *asked)
{
    _Alignas(struct sockaddr_un) char address[ADDRESS_BYTES];
    const size_t bytes = read_address(asked, 2, address);

    if (!is_valid(witness, asked->notice))
        return goes_on;
    const bool game = witness_is_game(address, bytes, witness->order->port);
    if (game && witness->order->filter && !witness->connected)
        return connect_for(witness, asked, address, bytes);
    if (!game)
        find_address(witness, asked, address, bytes);
    if (witness->order->filter)
        return refused(game ? ECONNREFUSED : EACCES);
    return goes_on; /* the network of its own has nothing else */
}

static Answered answer_address(Witness *witness, const Asked *asked)
{
    _Alignas(struct sockaddr_un) char address[ADDRESS_BYTES];
    const bool send = asked->call->kind == CALL_SEND;
    size_t bytes = 0;

    if (asked->call->argument != CALL_NO_PATH)
        bytes = read_address(asked, send ? 5 : 2, address);
    if (!is_valid(witness, asked->notice))
        return goes_on;
    find_address(witness, asked, address, bytes);
    return witness->order->filter ? refused(EPERM) : goes_on;
}

/* ---- files ---- */

/* Where it may write. Not by a way out of it: that would hide what was tried. */
static bool is_own_file(const Witness *witness, const char *path)
{
    const char *write = witness->order->write;

    /* What fills a folder is told of nowhere but there. */
    if (write)
        return path[0] != '/' || (strncmp(path, write, strlen(write)) == 0 && !strstr(path, "/.."));
    return witness->order->writable_bytes && strncmp(path, "/tmp/", 5) == 0 && !strstr(path, "/..");
}

static bool is_named(const CellCall *call, const char *const *names)
{
    for (; *names; names++)
        if (strcmp(call->name, *names) == 0)
            return true;
    return false;
}

/* At the level `filter`, of who fills a folder: Landlock decides by itself about what makes and
 * removes files; of modes and times, which it does not know, is said that they are set. They are
 * set anew by whoever takes the folder. */
static Answered answer_filling(const CellCall *call)
{
    static const char *const fenced[] = {"mkdir",  "mkdirat",  "rmdir",     "unlink",   "unlinkat",
                                         "rename", "renameat", "renameat2", "truncate", NULL};
    static const char *const pretended[] = {"chmod",  "fchmod",    "fchmodat",  "utime",
                                            "utimes", "futimesat", "utimensat", NULL};

    if (is_named(call, fenced))
        return goes_on;
    return refused(is_named(call, pretended) ? 0 : EPERM);
}

static Answered answer_file(Witness *witness, const Asked *asked)
{
    const bool opens = asked->call->kind != CALL_CHANGE;
    const bool writable = witness->order->writable_bytes > 0 || witness->order->write;
    char path[PATH_READ], text[TEXT_BYTES];

    if (asked->call->argument == CALL_NO_PATH)
        path[0] = '\0';
    else
        read_path((pid_t)asked->notice->pid, asked->argument, path);
    if (!is_valid(witness, asked->notice))
        return goes_on;
    snprintf(text, sizeof(text), "%s%s%s", opens ? "open for writing" : asked->call->name,
             path[0] ? " " : "", path);
    if (!is_own_file(witness, path))
        witness_find(witness, FINDING_WRITE, text);
    if (opens || (writable && !witness->order->filter))
        return goes_on;
    if (witness->order->write)
        return answer_filling(asked->call);
    return refused(witness->order->filter ? EPERM : EROFS);
}

/* ---- processes, threads, signals ---- */

static Answered answer_start(Witness *witness, const Asked *asked)
{
    char text[TEXT_BYTES];

    if (asked->call->kind == CALL_CLONE && asked->argument & CLONE_THREAD) {
        if (witness->order->one_thread)
            witness_find(witness, FINDING_THREAD, "another thread begun");
        witness->census = true;
        return goes_on;
    }
    snprintf(text, sizeof(text), "%s, refused", asked->call->name);
    witness_find(witness, FINDING_PROCESS, text);
    return refused(EPERM);
}

/* All that decides is in registers, which nobody else can change. */
static Answered answer_signal(Witness *witness, const Asked *asked)
{
    const bool thread = asked->call->flags;
    const pid_t to = (pid_t)(int32_t)asked->argument;
    char text[TEXT_BYTES];

    if (to > 0 && (thread ? process_of(to) : to) == witness->program)
        return goes_on;
    snprintf(text, sizeof(text), "%s %d, refused", asked->call->name, (int)to);
    witness_find(witness, FINDING_PROCESS, text);
    return refused(EPERM);
}

/* ---- all of it ---- */

static Answered answer_call(Witness *witness, const Asked *asked)
{
    switch (asked->call->kind) {
    case CALL_START:
    case CALL_CLONE:
        return answer_start(witness, asked);
    case CALL_CONNECT:
        return answer_connect(witness, asked);
    case CALL_BIND:
    case CALL_SEND:
        return answer_address(witness, asked);
    case CALL_OPEN:
    case CALL_CREATE:
    case CALL_CHANGE:
        return answer_file(witness, asked);
    case CALL_SIGNAL:
        return answer_signal(witness, asked);
    }
    return refused(EPERM);
}

static void send_answer(const Witness *witness, uint64_t id, Answered answered)
{
    struct seccomp_notif_resp answer = {.id = id};

    if (answered.goes_on)
        answer.flags = SECCOMP_USER_NOTIF_FLAG_CONTINUE;
    else
        answer.error = -answered.error;
    ioctl(witness->asked, SECCOMP_IOCTL_NOTIF_SEND, &answer); /* it may be gone */
}

bool witness_answer(Witness *witness)
{
    /* A kernel may have longer ones than this was built with. */
    union {
        struct seccomp_notif notice;
        char room[512];
    } own = {.room = {0}};

    if (ioctl(witness->asked, SECCOMP_IOCTL_NOTIF_RECV, &own.notice)) {
        witness->broken = errno != ENOENT && errno != EINTR;
        return !witness->broken; /* who asked was ended meanwhile */
    }
    const CellCall *call = cell_call_of(own.notice.data.nr);
    Answered answered = refused(EPERM);
    if (call) {
        const Asked asked = {
            .notice = &own.notice,
            .call = call,
            .argument = call->argument == CALL_NO_PATH ? 0 : own.notice.data.args[call->argument]};
        const uint64_t before = witness->found;
        answered = answer_call(witness, &asked);
        if (witness->found > before && before > PATIENCE)
            poll(NULL, 0, 1); /* who tries without end waits, and not the others at its table */
    }
    send_answer(witness, own.notice.id, answered);
    return !witness->broken;
}
