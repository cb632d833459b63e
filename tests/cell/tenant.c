#define _GNU_SOURCE /* strerrorname_np */
/* tenant.c - a program that tries in a strict cell what a stranger's might, and prints what came of
 *            it.
 *
 * For:    tests and benches of cells, which start it there. Needs nothing but libc, so that nothing
 *         else of what it does is seen; built without a sanitizer.
 * Memory: none that matters.
 * Thread: a process of its own.
 * Source: docs/spec/contest-operations.md 6, appendix C.
 *
 *     tenant VERB [WORD]...
 */
#include <arpa/inet.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#define NAMES_MAX 4096

extern char **environ;

static const char *error_name(long rc)
{
    return rc < 0 ? strerrorname_np(errno) : "ok";
}

static void say(const char *what, long rc)
{
    printf("%s: %s\n", what, error_name(rc));
    fflush(stdout);
}

static void ready(void)
{
    puts("ready");
    fflush(stdout);
}

/* ---- who and where ---- */

static void print_line_of_status(const char *name)
{
    char line[512];
    FILE *status = fopen("/proc/self/status", "re");

    while (status && fgets(line, sizeof(line), status))
        if (strncmp(line, name, strlen(name)) == 0)
            fputs(line, stdout);
    if (status)
        fclose(status);
}

static int tell_who(bool stays)
{
    char host[65] = "", folder[4096] = "";
    uid_t real, effective, saved;
    struct rlimit core = {0};

    getresuid(&real, &effective, &saved);
    gethostname(host, sizeof(host));
    printf("user %u %u %u\ngroup %u\nothers %d\nhost %s\nfolder %s\nleads %d\n", real, effective,
           saved, getegid(), getgroups(0, NULL), host, getcwd(folder, sizeof(folder)) ? folder : "",
           getsid(0) == getpid());
    print_line_of_status("Cap");
    print_line_of_status("NoNewPrivs");
    print_line_of_status("Seccomp:");
    print_line_of_status("SigBlk");
    print_line_of_status("SigIgn");
    getrlimit(RLIMIT_CORE, &core);
    printf("core %lu\n", (unsigned long)core.rlim_max);
    if (!stays)
        return 0;
    ready();
    while (true)
        pause();
}

static int compare_names(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static int list_folder(const char *path)
{
    static char *names[NAMES_MAX];
    size_t count = 0;
    DIR *folder = opendir(path);
    const struct dirent *entry;

    if (!folder) {
        printf("%s\n", error_name(-1));
        return 0;
    }
    while ((entry = readdir(folder)) && count < NAMES_MAX)
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
            names[count++] = strdup(entry->d_name);
    closedir(folder);
    qsort(names, count, sizeof(names[0]), compare_names);
    for (size_t i = 0; i < count; i++)
        printf("%s%s", i ? " " : "", names[i]);
    puts("");
    return 0;
}

static int print_environment(void)
{
    for (char **variable = environ; *variable; variable++)
        puts(*variable);
    return 0;
}

static int print_descriptors(void)
{
    for (int fd = 0; fd < 1024; fd++)
        if (fcntl(fd, F_GETFD) >= 0)
            printf("%s%d", fd ? " " : "", fd);
    puts("");
    return 0;
}

/* How many bytes that say something a file has. */
static int count_letters(const char *path)
{
    char bytes[4096];
    const int file = open(path, O_RDONLY);
    ssize_t count = file < 0 ? -1 : read(file, bytes, sizeof(bytes)), letters = 0;

    for (ssize_t i = 0; i < count; i++)
        letters += bytes[i] != '\0';
    printf("%s: %zd of %zd\n", path, letters, count);
    return 0;
}

/* ---- files ---- */

/* MODE:PATH, of r (read), l (list), w (write), c (create), x (is it there), m (mkdir), u (unlink),
 * k (chmod). */
static void try_file(const char *word)
{
    const char *path = word + 2;
    char byte;
    long rc = -1;
    int file;

    switch (word[0]) {
    case 'r':
        file = open(path, O_RDONLY);
        rc = file < 0 ? -1 : read(file, &byte, 1);
        break;
    case 'l':
        rc = open(path, O_RDONLY | O_DIRECTORY);
        break;
    case 'w':
        rc = open(path, O_WRONLY);
        break;
    case 'c':
        file = open(path, O_WRONLY | O_CREAT, 0644);
        rc = file < 0 ? -1 : write(file, "x", 1);
        break;
    case 'x':
        rc = access(path, F_OK);
        break;
    case 'm':
        rc = mkdir(path, 0755);
        break;
    case 'u':
        rc = unlink(path);
        break;
    case 'k':
        rc = chmod(path, 0777);
        break;
    default:
        errno = EINVAL;
        break;
    }
    say(word, rc);
}

/* Writes files of one page into /tmp until there is no room. */
static int fill_tmp(void)
{
    char page[4096] = "x", path[64];
    long bytes = 0;
    ssize_t n = 0;

    for (int i = 0; n >= 0 && i < 100000; i++) {
        snprintf(path, sizeof(path), "/tmp/file-%d", i);
        const int file = open(path, O_WRONLY | O_CREAT, 0600);
        n = file < 0 ? -1 : write(file, page, sizeof(page));
        bytes += n > 0 ? n : 0;
        if (file >= 0)
            close(file);
    }
    printf("%ld bytes, then %s\n", bytes, error_name(n));
    return 0;
}

static int open_many(void)
{
    int count = 0;

    while (open("/dev/null", O_RDONLY) >= 0)
        count++;
    printf("%d, then %s\n", count + 3, error_name(-1));
    return 0;
}

/* ---- addresses ---- */

static long connect_four(const char *host, int port)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
    const int fd = socket(AF_INET, SOCK_STREAM, 0);

    inet_pton(AF_INET, host, &address.sin_addr);
    return fd < 0 || connect(fd, (const struct sockaddr *)&address, sizeof(address)) ? -1 : fd;
}

/* Of a descriptor that is no socket. */
static long connect_wrong(int fd, int port)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};

    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    return connect(fd, (const struct sockaddr *)&address, sizeof(address));
}

static long connect_six(const char *host, int port)
{
    struct sockaddr_in6 address = {.sin6_family = AF_INET6, .sin6_port = htons((uint16_t)port)};
    const int fd = socket(AF_INET6, SOCK_STREAM, 0);

    inet_pton(AF_INET6, host, &address.sin6_addr);
    return fd < 0 || connect(fd, (const struct sockaddr *)&address, sizeof(address)) ? -1 : fd;
}

/* An abstract one by a '@' in front. */
static long connect_local(const char *name)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    const int fd = socket(AF_UNIX, SOCK_STREAM, 0);
    const size_t bytes = strlen(name);

    memcpy(address.sun_path, name, bytes);
    if (name[0] == '@')
        address.sun_path[0] = '\0';
    return fd < 0 || connect(fd, (const struct sockaddr *)&address,
                             (socklen_t)(offsetof(struct sockaddr_un, sun_path) + bytes))
               ? -1
               : fd;
}

static long send_datagram(const char *host, int port)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
    const int fd = socket(AF_INET, SOCK_DGRAM, 0);

    inet_pton(AF_INET, host, &address.sin_addr);
    return fd < 0 ? -1 : sendto(fd, "x", 1, 0, (const struct sockaddr *)&address, sizeof(address));
}

static long listen_on(int port)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
    const int fd = socket(AF_INET, SOCK_STREAM, 0);

    return fd < 0 || bind(fd, (const struct sockaddr *)&address, sizeof(address)) || listen(fd, 1)
               ? -1
               : fd;
}

/* tcp:HOST:PORT, six:PORT (of ::1), udp:HOST:PORT, unix:NAME, listen:PORT, closed:PORT and
 * file:PORT (of no socket), family:NUMBER */
static void try_address(const char *word)
{
    char kind[16] = "", rest[128] = "", *port;
    long rc = -1;

    sscanf(word, "%15[^:]:%127s", kind, rest);
    port = strrchr(rest, ':');
    const int number = port ? atoi(port + 1) : atoi(rest);
    if (port)
        *port = '\0';
    if (strcmp(kind, "tcp") == 0)
        rc = connect_four(rest, number);
    else if (strcmp(kind, "six") == 0)
        rc = connect_six("::1", number);
    else if (strcmp(kind, "udp") == 0)
        rc = send_datagram(rest, number);
    else if (strcmp(kind, "unix") == 0)
        rc = connect_local(rest);
    else if (strcmp(kind, "listen") == 0)
        rc = listen_on(number);
    else if (strcmp(kind, "closed") == 0)
        rc = connect_wrong(200, number);
    else if (strcmp(kind, "file") == 0)
        rc = connect_wrong(STDIN_FILENO, number);
    else if (strcmp(kind, "family") == 0)
        rc = socket(number, SOCK_DGRAM, 0);
    else
        errno = EINVAL;
    say(word, rc);
}

/* Comes to its game and says everything back. */
static int play(const char *port)
{
    char bytes[65536];
    const long fd = connect_four("127.0.0.1", atoi(port));
    const int on = 1;
    ssize_t n;

    if (fd < 0) {
        say("connect", -1);
        return 3;
    }
    setsockopt((int)fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
    while ((n = read((int)fd, bytes, sizeof(bytes))) > 0)
        if (write((int)fd, bytes, (size_t)n) != n)
            break;
    return 0;
}

/* ---- processes and threads ---- */

static int child_of_clone(void *user)
{
    (void)user;
    _exit(0);
}

static long fork_by(const char *way)
{
    static char stack[65536];

    if (strcmp(way, "vfork") == 0) {
        const pid_t child = vfork();
        if (child == 0)
            _exit(0);
        return child;
    }
    if (strcmp(way, "clone") == 0)
        return clone(child_of_clone, stack + sizeof(stack), SIGCHLD, NULL);
    if (strcmp(way, "clone3") == 0) {
        const uint64_t arguments[8] = {[4] = SIGCHLD};
        const long child = syscall(SYS_clone3, arguments, sizeof(arguments));
        if (child == 0)
            _exit(0);
        return child;
    }
    if (strcmp(way, "posix_spawn") == 0 || strcmp(way, "system") == 0) {
        const int rc = system("exit 0");
        return rc == 0 ? 0 : -1;
    }
    const pid_t child = fork();
    if (child == 0)
        _exit(0);
    return child;
}

static void *wait_named(void *user)
{
    if (*(const char *)user)
        prctl(PR_SET_NAME, user);
    while (true)
        pause();
    return NULL;
}

/* Begins so many threads of a name, and lives on a little. */
static int begin_threads(int count, char *name)
{
    pthread_attr_t small;
    int begun = 0, rc = 0;

    pthread_attr_init(&small);
    pthread_attr_setstacksize(&small, 65536);
    for (int i = 0; i < count && rc == 0; i++) {
        pthread_t thread;
        rc = pthread_create(&thread, &small, wait_named, name);
        begun += rc == 0;
    }
    printf("%d begun, then %s\n", begun, rc ? strerrorname_np(rc) : "ok");
    fflush(stdout);
    usleep(300000);
    _exit(0);
}

/* ---- memory and time ---- */

static volatile char kept; /* what is looked at */

/* Nothing but the tables of what is mapped: a page of them for every two MiB that one looks at. */
static int eat_tables(long mib)
{
    const size_t region = (size_t)2 << 20;

    for (long i = 0; i < mib * 256; i++) {
        const char *bytes =
            mmap(NULL, region, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (bytes == MAP_FAILED) {
            printf("%ld MiB, then %s\n", i / 256, error_name(-1));
            return 4;
        }
        kept += bytes[region / 2];
    }
    return 0;
}

static int eat(const char *how, long mib)
{
    const size_t part = (size_t)1 << 20;
    const int flags = strcmp(how, "shared") == 0 ? MAP_SHARED : MAP_PRIVATE;

    ready();
    if (strcmp(how, "tables") == 0)
        return eat_tables(mib);
    for (long i = 0; i < mib; i++) {
        char *bytes = mmap(NULL, part, PROT_READ | PROT_WRITE, flags | MAP_ANONYMOUS, -1, 0);
        if (bytes == MAP_FAILED) {
            printf("%ld MiB, then %s\n", i, error_name(-1));
            return 4;
        }
        for (size_t at = 0; at < part; at += 4096)
            bytes[at] = 1;
    }
    printf("%ld MiB\n", mib);
    return 0;
}

static int spin(bool deaf)
{
    volatile unsigned long rounds = 0;

    if (deaf)
        signal(SIGXCPU, SIG_IGN);
    ready();
    while (true)
        rounds++;
    return 0;
}

static int print_bytes(long count)
{
    static const char line[] = "123456789\n";

    for (; count > 0; count -= 10)
        if (write(STDOUT_FILENO, line, 10) != 10)
            return 1;
    return 0;
}

/* ---- its end ---- */

static void hear_term(int number)
{
    (void)number;
    (void)!write(STDOUT_FILENO, "heard\n", 6);
    _exit(6);
}

/* Stays, and says so first. Of a stubborn one no signal that can be refused is an end. */
static int stay(const char *how)
{
    if (strcmp(how, "stubborn") == 0)
        for (int number = 1; number < 32; number++)
            signal(number, SIG_IGN);
    else if (strcmp(how, "polite") == 0)
        signal(SIGTERM, hear_term);
    else if (strcmp(how, "stopped") == 0) /* a signal may come before it is */
        signal(SIGTERM, SIG_IGN);
    ready();
    if (strcmp(how, "stopped") == 0)
        kill(getpid(), SIGSTOP);
    while (true)
        pause();
    return 0;
}

static long signal_other(const char *words)
{
    int process = 0, number = 0;

    sscanf(words, "%d:%d", &process, &number);
    return kill(process, number);
}

/* ---- what the kernel is asked for ---- */

#define TRY(name, ...) say(#name, syscall(SYS_##name, __VA_ARGS__))

/* Arguments that a kernel which lets it through says something else to than EPERM. */
static int try_calls(void)
{
    char buffer[64] = "";

    TRY(ptrace, 0, 0, 0, 0); /* TRACEME */
    TRY(process_vm_readv, getpid(), NULL, 0, NULL, 0, 0);
    TRY(pidfd_getfd, -1, 0, 0);
    TRY(kcmp, getpid(), getpid(), 0, 0, 0);
    TRY(mount, "none", "/tmp", "tmpfs", 0, NULL);
    TRY(umount2, "/proc", 2);
    TRY(pivot_root, ".", ".");
    TRY(chroot, ".");
    TRY(open_tree, -100, "/", 0);
    TRY(move_mount, -1, "", -1, "", 0);
    TRY(fsopen, "tmpfs", 0);
    TRY(unshare, 0);
    TRY(setns, -1, 0);
    TRY(bpf, 0, NULL, 0);
    TRY(perf_event_open, NULL, 0, -1, -1, 0);
    TRY(userfaultfd, 0);
    TRY(keyctl, 0, 0, 0, 0, 0);
    TRY(add_key, NULL, NULL, NULL, 0, 0);
    TRY(request_key, NULL, NULL, NULL, 0);
    TRY(shmget, 0, 4096, 0600);
    TRY(semget, 0, 1, 0600);
    TRY(msgget, 0, 0600);
    TRY(mq_open, "x", O_RDWR | O_CREAT, 0600, NULL);
    TRY(memfd_create, "x", 0);
    TRY(personality, 0xFFFFFFFFUL);
    TRY(seccomp, 2, 0, NULL);
    TRY(syslog, 3, buffer, sizeof(buffer));
    TRY(sethostname, "x", 1);
    TRY(settimeofday, NULL, NULL);
    TRY(fanotify_init, 0, 0);
    TRY(open_by_handle_at, -100, buffer, 0);
    TRY(mbind, NULL, 0, 0, NULL, 0, 0);
    TRY(io_uring_setup, 1, NULL);
    TRY(openat2, -100, "/", NULL, 0);
    TRY(flock, STDOUT_FILENO, 2);
    TRY(fcntl, STDIN_FILENO, F_SETLK, NULL);
    TRY(prctl, PR_SET_PDEATHSIG, 0, 0, 0, 0);
    TRY(inotify_init1, 0);
    TRY(vmsplice, STDOUT_FILENO, NULL, 0, 0);
    TRY(syncfs, STDIN_FILENO);
    TRY(io_setup, 1, NULL);
    TRY(prlimit64, 1, RLIMIT_CPU, NULL, NULL);
    TRY(fcntl, STDOUT_FILENO, F_SETPIPE_SZ, 1 << 20);
    return 0;
}

/* What reaches others where there is no network and no list of processes of one's own. */
static int try_others(void)
{
    static const struct {
        const char *name;
        int level, option;
    } options[] = {
        {"SO_BINDTODEVICE", SOL_SOCKET, SO_BINDTODEVICE},
        {"SO_BINDTOIFINDEX", SOL_SOCKET, 62},
        {"SO_ATTACH_FILTER", SOL_SOCKET, SO_ATTACH_FILTER},
        {"IP_OPTIONS", IPPROTO_IP, IP_OPTIONS},
        {"IP_MINTTL", IPPROTO_IP, 21},
        {"TCP_SYNCNT", IPPROTO_TCP, TCP_SYNCNT},
        {"TCP_FASTOPEN_CONNECT", IPPROTO_TCP, 30},
        {"TCP_ULP", IPPROTO_TCP, 31},
        {"IPV6_UNICAST_IF", IPPROTO_IPV6, 76},
        {"SOL_TLS", 282, 1},
    };
    const int game = socket(AF_INET, SOCK_STREAM, 0), one = 1;
    struct timespec time;

    for (size_t i = 0; i < sizeof(options) / sizeof(options[0]); i++)
        say(options[i].name,
            setsockopt(game, options[i].level, options[i].option, &one, sizeof(one)));
    say("TCP_NODELAY", setsockopt(game, IPPROTO_TCP, TCP_NODELAY, &one, sizeof(one)));
    say("SO_KEEPALIVE", setsockopt(game, SOL_SOCKET, SO_KEEPALIVE, &one, sizeof(one)));
    /* The processor's time of a process: its number, inverted, and which clock. */
    say("clock of another", syscall(SYS_clock_gettime, (int)((~1U << 3) | 2), &time));
    say("own clock", syscall(SYS_clock_gettime, CLOCK_PROCESS_CPUTIME_ID, &time));
    say("net", open("/proc/self/net/tcp", O_RDONLY));
    say("net of a thread", open("/proc/thread-self/net/tcp", O_RDONLY));
    return 0;
}

static void *connect_alone(void *words)
{
    usleep(100000); /* until the first thread has ended */
    const struct sockaddr_in address = {.sin_family = AF_INET,
                                        .sin_port = htons((uint16_t)atoi(words)),
                                        .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    const int game = socket(AF_INET, SOCK_STREAM, 0);

    say("without its first thread",
        connect(game, (const struct sockaddr *)&address, sizeof(address)));
    fflush(stdout);
    exit(0);
}

static int lose_first_thread(char *port)
{
    pthread_t thread;

    if (pthread_create(&thread, NULL, connect_alone, port))
        return 1;
    pthread_exit(NULL);
}

/* What comes of rights: none are left. */
static int try_rights(void)
{
    static char much[1 << 20];

    say("setuid", setuid(0));
    say("setgroups", setgroups(0, NULL));
    say("nice", setpriority(PRIO_PROCESS, 0, -5));
    say("mknod", mknod("/tmp/device", S_IFCHR | 0600, 259));
    say("sched", sched_setscheduler(0, SCHED_FIFO, &(struct sched_param){.sched_priority = 1}));
    say("limit", setrlimit(RLIMIT_NOFILE, &(struct rlimit){65536, 65536}));
    say("raw", socket(AF_INET, SOCK_RAW, IPPROTO_ICMP));
    say("mlock", mlock(much, sizeof(much)));
    return 0;
}

static int try_each(char **words, void (*attempt)(const char *word))
{
    for (; *words; words++)
        attempt(*words);
    return 0;
}

int main(int argc, char **argv)
{
    char none[] = "";
    const char *verb = argc > 1 ? argv[1] : none;
    char *word = argc > 2 ? argv[2] : none, *next = argc > 3 ? argv[3] : none;

    if (strcmp(verb, "who") == 0)
        return tell_who(*word);
    if (strcmp(verb, "list") == 0)
        return list_folder(word);
    if (strcmp(verb, "environment") == 0)
        return print_environment();
    if (strcmp(verb, "descriptors") == 0)
        return print_descriptors();
    if (strcmp(verb, "letters") == 0)
        return count_letters(word);
    if (strcmp(verb, "files") == 0)
        return try_each(argv + 2, try_file);
    if (strcmp(verb, "fill") == 0)
        return fill_tmp();
    if (strcmp(verb, "open") == 0)
        return open_many();
    if (strcmp(verb, "addresses") == 0)
        return try_each(argv + 2, try_address);
    if (strcmp(verb, "play") == 0)
        return play(word);
    if (strcmp(verb, "fork") == 0)
        return say(word, fork_by(word)), 0;
    if (strcmp(verb, "threads") == 0)
        return begin_threads(atoi(word), next);
    if (strcmp(verb, "others") == 0)
        return try_others();
    if (strcmp(verb, "leaderless") == 0)
        return lose_first_thread(word);
    if (strcmp(verb, "eat") == 0)
        return eat(word, atol(next));
    if (strcmp(verb, "spin") == 0)
        return spin(*word);
    if (strcmp(verb, "print") == 0)
        return print_bytes(atol(word));
    if (strcmp(verb, "stay") == 0)
        return stay(word);
    if (strcmp(verb, "signal") == 0)
        return say(word, signal_other(word)), 0;
    if (strcmp(verb, "calls") == 0)
        return try_calls();
    if (strcmp(verb, "rights") == 0)
        return try_rights();
    fprintf(stderr, "tenant: no verb '%s'\n", verb);
    return 2;
}
