/* attack.c - an agent that tries everything that an agent may not do, and says what came of it.
 *
 *     attack [-h HOST] -p PORT -n NAME [--game] [--only WHAT,...] [--but WHAT,...] [--list]
 * [OPTION...]
 *
 * One line an attack on standard output: `NAME refused WHY`, `NAME HOLE WHAT IT REACHED`, or `NAME
 * skipped WHY`; status 3 when there is a hole, else 0. Without --game that is all. With it, it
 * plays, and attacks once, when its first game begins.
 *
 * WHAT is a name of --list, or a kind: network, files, secrets, processes, kernel; `extra` (refused
 * at some levels only, see attacks.txt) and `eater` (takes all of something) are tried when they
 * are asked for.
 *
 *     --outside             it may send something to 8.8.8.8 and 169.254.169.254, and ask for a
 * name
 *     --control             it is not confined: what can't be taken back is done by a process apart
 *     --host-port N         a listener of the test's on the host, TCP and UDP, 127.0.0.1 and ::1
 *     --host-abstract NAME  an abstract socket of the test's
 *     --host-socket PATH    a socket of the test's
 *     --host-pid N          a process of the test's; may be given again, as may the next
 *     --secret PATH         a file or folder that it must not read, absolute
 *     --seconds, --mib, --count N, --mark WORD   for eaters
 *
 * It changes nothing that it does not put back: signals are 0, times and tables are asked for in
 * forms that fail behind the check of rights. victim.txt beside the program is what it tries to
 * change.
 *
 * cc -o attack attack.c -lpthread. With -shared -fPIC it is the library that Attack.java loads.
 *
 * To add an attack: a function in attack/KIND.h, a row here, and a row in attacks.txt.
 */
#define _GNU_SOURCE
#include "attack/eaters.h"
#include "attack/files.h"
#include "attack/kernel.h"
#include "attack/network.h"
#include "attack/processes.h"
#include "attack/secrets.h"
#include "attack/try.h"

#include <getopt.h>

#define HIGH (1L << 32)

static const char *const kinds[] = {"network", "files", "secrets", "processes",
                                    "kernel",  "extra", "eater"};

/* clang-format off */
static const Attack attacks[] = {
    {"host-loopback", NETWORK, connect_host, "127.0.0.1", 0},
    {"host-any", NETWORK, connect_host, "0.0.0.0", 0},
    {"loopback6", NETWORK, connect_host6, "::1", 0},
    {"loopback-mapped", NETWORK, connect_host6, "::ffff:127.0.0.1", 0},
    {"mptcp", NETWORK, connect_host, "127.0.0.1", IPPROTO_MPTCP},
    {"sctp-connectx", NETWORK, sctp_connectx, NULL, 0},
    {"fastopen-sendto", NETWORK, fastopen, NULL, 0},
    {"fastopen-sendmsg", NETWORK, fastopen, NULL, 1},
    {"fastopen-sendmmsg", NETWORK, fastopen, NULL, 2},
    {"fastopen-connect", NETWORK, fastopen, NULL, 3},
    {"connect-race", NETWORK, connect_race, NULL, 0},
    {"own-port", NETWORK, connect_own_port, NULL, 0},
    {"outside", NETWORK, connect_outside, "8.8.8.8", 53},
    {"metadata", NETWORK, connect_outside, "169.254.169.254", 80},
    {"udp-outside", NETWORK, udp_outside, NULL, 0},
    {"dns", NETWORK, dns_lookup, NULL, 0},
    {"host-abstract", NETWORK, connect_abstract, NULL, 0},
    {"host-socket", NETWORK, connect_socket_file, NULL, 0},
    {"udp-loopback", NETWORK, udp_loopback, NULL, 0},
    {"udp-sendmmsg", NETWORK, udp_sendmmsg, NULL, 0},
    {"vsock", NETWORK, family, NULL, AF_VSOCK},
    {"netlink", NETWORK, family, NULL, AF_NETLINK},
    {"packet", NETWORK, family, NULL, AF_PACKET},
    {"alg", NETWORK, family, NULL, AF_ALG},
    {"families", NETWORK, families, NULL, 0},
    {"netlink-high", NETWORK, family_high, NULL, AF_NETLINK},
    {"vsock-high", NETWORK, family_high, NULL, AF_VSOCK},
    {"raw-icmp", NETWORK, raw_socket, NULL, AF_INET},
    {"raw-icmp6", NETWORK, raw_socket, NULL, AF_INET6},
    {"ping", NETWORK, ping_socket, NULL, 0},
    {"interfaces", NETWORK, interfaces, NULL, 0},
    {"listeners", NETWORK, listeners, NULL, 0},

    {"write-own", FILES, write_own, NULL, 0},
    {"write-usr", FILES, write_place, "/usr", 0},
    {"write-tmp", FILES, write_place, "/tmp", 0},
    {"write-root", FILES, write_place, "/", 0},
    {"write-shm", FILES, write_place, "/dev/shm", 0},
    {"write-var-tmp", FILES, write_place, "/var/tmp", 0},
    {"write-etc", FILES, write_place, "/etc", 0},
    {"write-system", FILES, write_system, NULL, 0},
    {"open-creat", FILES, make, NULL, 0},
    {"open-excl", FILES, make, NULL, 1},
    {"creat", FILES, make, NULL, 2},
    {"openat2", FILES, make, NULL, 3},
    {"mkdir", FILES, make, NULL, 4},
    {"symlink", FILES, make, NULL, 5},
    {"mknod", FILES, make, NULL, 6},
    {"mknod-device", FILES, make, NULL, 7},
    {"mkfifo", FILES, make, NULL, 8},
    {"bind-socket", FILES, make, NULL, 9},
    {"tmpfile", FILES, tmpfile_flag, NULL, 0},
    {"open-write", FILES, change, "open", 0},
    {"openat2-write", FILES, change, "openat2", 0},
    {"reopen", FILES, change, "reopen", 0},
    {"open-trunc", FILES, destroy, "open", O_WRONLY},
    {"open-rdonly-trunc", FILES, destroy, "open", O_RDONLY},
    {"truncate", FILES, change, "truncate", 0},
    {"chmod", FILES, change, "chmod", 0},
    {"chown", FILES, change, "chown", 0},
    {"utimes", FILES, change, "utimes", 0},
    {"setxattr", FILES, change, "setxattr", 0},
    {"inode-flags", FILES, change, "inode-flags", 0},
    {"rename", FILES, change, "rename", 0},
    {"link", FILES, change, "link", 0},
    {"self-mem", FILES, change, "self-mem", 0},
    {"unlink", FILES, destroy, "unlink", 0},
    {"rmdir", FILES, remove_folder, NULL, 0},
    {"write-proc-sys", FILES, write_proc_sys, NULL, 0},
    {"oom-score", FILES, oom_score, NULL, 0},
    {"devices", FILES, devices, NULL, 0},
    {"shm-open", FILES, shm_file, NULL, 0},
    {"sem-open", FILES, sem_file, NULL, 0},
    {"open-by-handle", FILES, by_handle, NULL, 0},
    {"memfd-exec", FILES, memfd_exec, NULL, 0},

    {"read-shadow", SECRETS, read_paths, "/etc/shadow /etc/gshadow /etc/sudoers /etc/ssl/private", 0},
    {"read-root", SECRETS, list_paths, "/root", 0},
    {"read-home", SECRETS, list_paths, "/home", 0},
    {"read-sys", SECRETS, list_paths, "/sys", 0},
    {"read-var", SECRETS, list_paths, "/var /run /boot /srv /mnt /media", 0},
    {"read-shm", SECRETS, list_paths, "/dev/shm", 0},
    {"read-tmp", SECRETS, list_paths, "/tmp", 0},
    {"read-etc", SECRETS, read_paths,
     "/etc/resolv.conf /etc/fstab /etc/crontab /etc/ssh /etc/systemd /etc/pam.d", 0},
    {"accounts", SECRETS, accounts, NULL, 0},
    {"secret", SECRETS, read_secrets, "", 0},
    {"secret-dots", SECRETS, read_secrets, "../../../../../../../../../..", 0},
    {"secret-self-root", SECRETS, read_secrets, "/proc/self/root", 0},
    {"secret-task-root", SECRETS, read_secrets, "/proc/thread-self/root", 0},
    {"secret-other-root", SECRETS, read_secrets, "/proc/*/root", 0},
    {"secret-other-cwd", SECRETS, read_secrets, "/proc/*/cwd/../../../../../../../../..", 0},
    {"secret-beside", SECRETS, secrets_beside, NULL, 0},
    {"inotify", SECRETS, watch_secrets, NULL, 0},
    {"proc-list", SECRETS, process_list, NULL, 0},
    {"proc-cmdline", SECRETS, process_files, "cmdline", 0},
    {"proc-environ", SECRETS, process_files, "environ", 0},
    {"proc-maps", SECRETS, process_files, "maps", 0},
    {"proc-fd", SECRETS, process_files, "fd/", 0},
    {"proc-fd-open", SECRETS, process_descriptors, NULL, 0},
    {"proc-mem", SECRETS, process_memory, NULL, 0},
    {"proc-kernel", SECRETS, open_paths, "/proc/kcore /proc/kmsg /proc/kpageflags /proc/vmallocinfo", 0},
    {"descriptors", SECRETS, open_descriptors, NULL, 0},
    {"stdin", SECRETS, standard_input, NULL, 0},
    {"environment", SECRETS, environment, NULL, 0},
    {"host-name", SECRETS, host_name, NULL, 0},
    {"machine-id", SECRETS, read_paths, "/etc/machine-id /var/lib/dbus/machine-id", 0},
    {"privileges", SECRETS, privileges, NULL, 0},

    {"fork", PROCESSES, fork_libc, NULL, 0},
    {"fork-raw", PROCESSES, fork_raw, NULL, 0},
    {"vfork", PROCESSES, vfork_libc, NULL, 0},
    {"clone", PROCESSES, clone_libc, NULL, SIGCHLD},
    {"clone-vm", PROCESSES, clone_libc, NULL, CLONE_VM | CLONE_VFORK | SIGCHLD},
    {"clone-parent", PROCESSES, clone_libc, NULL, CLONE_PARENT | SIGCHLD},
    {"clone-newuser", PROCESSES, clone_libc, NULL, CLONE_NEWUSER | SIGCHLD},
    {"clone-newpid", PROCESSES, clone_libc, NULL, CLONE_NEWPID | SIGCHLD},
    {"clone-thread-newns", PROCESSES, clone_libc, NULL, CLONE_THREAD | CLONE_VM | CLONE_SIGHAND | CLONE_NEWNS},
    {"clone-raw", PROCESSES, clone_raw, NULL, SIGCHLD},
    {"clone-high", PROCESSES, clone_raw, NULL, HIGH * CLONE_THREAD | HIGH * CLONE_VM | SIGCHLD},
    {"clone3", PROCESSES, clone3_raw, NULL, 0},
    {"clone3-newuser", PROCESSES, clone3_raw, NULL, CLONE_NEWUSER},
    {"posix-spawn", PROCESSES, spawn, NULL, 0},
    {"system", PROCESSES, system_shell, NULL, 0},
    {"popen", PROCESSES, popen_shell, NULL, 0},
    {"daemonize", PROCESSES, daemonize, NULL, 0},
    {"kill-parent", PROCESSES, kill_parent, NULL, 0},
    {"kill-first", PROCESSES, kill_first, NULL, 0},
    {"kill-foreign", PROCESSES, kill_foreign, NULL, 0},
    {"kill-sweep", PROCESSES, kill_sweep, NULL, 0},
    {"kill-all", PROCESSES, kill_all, NULL, 0},
    {"kill-group", PROCESSES, kill_group, NULL, 0},
    {"kill-pidfd", PROCESSES, kill_pidfd, NULL, 0},
    {"kill-queue", PROCESSES, kill_queue, NULL, 0},
    {"kill-thread", PROCESSES, kill_thread, NULL, 0},
    {"ptrace", PROCESSES, ptrace_foreign, NULL, 0},
    {"vm-readv", PROCESSES, vm_read, NULL, 0},
    {"vm-writev", PROCESSES, vm_write, NULL, 0},
    {"pidfd-getfd", PROCESSES, pidfd_get, NULL, 0},
    {"kcmp", PROCESSES, kcmp_foreign, NULL, 0},
    {"priority-others", PROCESSES, adjust_foreign, NULL, 0},
    {"affinity-others", PROCESSES, adjust_foreign, NULL, 1},
    {"scheduler-others", PROCESSES, adjust_foreign, NULL, 2},
    {"ioprio-others", PROCESSES, adjust_foreign, NULL, 3},
    {"prlimit-others", PROCESSES, adjust_foreign, NULL, 4},
    {"nice", PROCESSES, nice_up, NULL, 0},
    {"realtime", PROCESSES, realtime, NULL, 0},
    {"limits", PROCESSES, limits_are_set, NULL, 0},
    {"raise-limits", PROCESSES, raise_limits, NULL, 0},
    {"core-dump", PROCESSES, core_dump, NULL, 0},
    {"mlock", PROCESSES, lock_memory, NULL, 0},

    {"mount", KERNEL, mount_new, NULL, 0},
    {"umount", KERNEL, umount_any, NULL, 0},
    {"remount", KERNEL, remount, NULL, 0},
    {"fsopen", KERNEL, fs_open, NULL, 0},
    {"fspick", KERNEL, fs_pick, NULL, 0},
    {"fsmount", KERNEL, fs_mount, NULL, 0},
    {"open-tree", KERNEL, open_tree_clone, NULL, 0},
    {"move-mount", KERNEL, mount_move, NULL, 0},
    {"mount-setattr", KERNEL, mount_attributes, NULL, 0},
    {"pivot-root", KERNEL, pivot, NULL, 0},
    {"unshare-user", KERNEL, unshare_flags, NULL, CLONE_NEWUSER},
    {"unshare-mount", KERNEL, unshare_flags, NULL, CLONE_NEWNS},
    {"unshare-pid", KERNEL, unshare_flags, NULL, CLONE_NEWPID},
    {"unshare-net", KERNEL, unshare_flags, NULL, CLONE_NEWNET},
    {"unshare-ipc", KERNEL, unshare_flags, NULL, CLONE_NEWIPC},
    {"unshare-uts", KERNEL, unshare_flags, NULL, CLONE_NEWUTS},
    {"unshare-cgroup", KERNEL, unshare_flags, NULL, CLONE_NEWCGROUP},
    {"unshare-time", KERNEL, unshare_flags, NULL, CLONE_NEWTIME},
    {"unshare-user-mount", KERNEL, unshare_flags, NULL, CLONE_NEWUSER | CLONE_NEWNS},
    {"unshare-files", KERNEL, unshare_flags, NULL, CLONE_FILES | CLONE_FS | CLONE_SYSVSEM},
    {"setns", KERNEL, enter_namespaces, NULL, 0},
    {"bpf", KERNEL, bpf_map, NULL, 0},
    {"perf", KERNEL, perf_event, NULL, 0},
    {"userfaultfd", KERNEL, user_fault, NULL, 0},
    {"io-uring", KERNEL, uring, NULL, 0},
    {"io-uring-enter", KERNEL, uring_others, NULL, 0},
    {"add-key", KERNEL, key_add, NULL, 0},
    {"request-key", KERNEL, key_request, NULL, 0},
    {"keyctl", KERNEL, key_control, NULL, 0},
    {"seccomp", KERNEL, filter, NULL, 0},
    {"seccomp-listener", KERNEL, filter, NULL, SECCOMP_FILTER_FLAG_NEW_LISTENER},
    {"seccomp-prctl", KERNEL, filter, NULL, -1},
    {"kexec", KERNEL, kexec, NULL, 0},
    {"init-module", KERNEL, module_init, NULL, 0},
    {"finit-module", KERNEL, module_init_fd, NULL, 0},
    {"delete-module", KERNEL, module_delete, NULL, 0},
    {"reboot", KERNEL, reboot_machine, NULL, 0},
    {"swapon", KERNEL, swap_on, NULL, 0},
    {"swapoff", KERNEL, swap_off, NULL, 0},
    {"acct", KERNEL, accounting, NULL, 0},
    {"quotactl", KERNEL, quota, NULL, 0},
    {"syslog", KERNEL, kernel_log, NULL, 0},
    {"settimeofday", KERNEL, time_of_day, NULL, 0},
    {"clock-settime", KERNEL, clock_set, NULL, 0},
    {"adjtimex", KERNEL, clock_adjust, NULL, 0},
    {"personality", KERNEL, personality_set, NULL, 0},
    {"sethostname", KERNEL, name_host, NULL, 0},
    {"iopl", KERNEL, ports, NULL, 0},
    {"shmget", KERNEL, shm_sysv, NULL, 0},
    {"msgget", KERNEL, msg_sysv, NULL, 0},
    {"semget", KERNEL, sem_sysv, NULL, 0},
    {"mq-open", KERNEL, mq_posix, NULL, 0},
    {"lock", KERNEL, lock_file, NULL, F_SETLK},
    {"lock-wait", KERNEL, lock_file, NULL, F_SETLKW},
    {"lock-ofd", KERNEL, lock_file, NULL, F_OFD_SETLK},
    {"lock-ofd-wait", KERNEL, lock_file, NULL, F_OFD_SETLKW},
    {"lock-high", KERNEL, lock_file, NULL, HIGH | F_SETLK},
    {"lease", KERNEL, lease, NULL, 0},
    {"dnotify", KERNEL, notify, NULL, 0},
    {"flock", KERNEL, lock_flock, NULL, 0},
    {"fanotify", KERNEL, fanotify, NULL, 0},
    {"numa", KERNEL, numa, NULL, 0},
    {"setuid", KERNEL, set_user, NULL, 0},
    {"setgid", KERNEL, set_group, NULL, 0},
    {"setgroups", KERNEL, set_groups, NULL, 0},
    {"capset", KERNEL, capabilities, NULL, 0},
    {"ambient", KERNEL, ambient_capability, NULL, 0},
    {"set-mm", KERNEL, memory_map, NULL, 0},
    /* Last: where there is no process apart they leave their mark on this one. */
    {"chroot", KERNEL, change_root, NULL, 0},
    {"chroot-escape", KERNEL, root_escape, NULL, 0},
    {"ptrace-me", PROCESSES, ptrace_me, NULL, 0},

    {"thread", EXTRA, start_thread, NULL, 0},
    {"thread-raw", EXTRA, clone_libc, NULL, CLONE_THREAD | CLONE_VM | CLONE_SIGHAND | CLONE_FS | CLONE_FILES},
    {"listen", EXTRA, tcp_listen, NULL, 0},
    {"udp-bind", EXTRA, udp_bind, NULL, 0},
    {"abstract-bind", EXTRA, abstract_bind, NULL, 0},
    {"memfd", EXTRA, memfd, NULL, 0},
    {"memfd-secret", EXTRA, memfd_secret_memory, NULL, 0},
    {"aio", EXTRA, aio, NULL, 0},
    {"host-paths", EXTRA, host_paths, NULL, 0},
    {"boot-id", EXTRA, read_paths, "/proc/sys/kernel/random/boot_id", 0},
    {"first-process", EXTRA, adjust_first, NULL, 0},
    {"death-signal", EXTRA, death_signal, NULL, 0},
    {"dumpable", EXTRA, dumpable, NULL, 0},
    {"subreaper", EXTRA, subreaper, NULL, 0},

    {"int80", EATER, call_32_bit, NULL, 0},
    {"x32", EATER, call_x32, NULL, 0},
    {"eat-memory", EATER, eat_memory, NULL, 0},
    {"eat-shared", EATER, eat_memory, NULL, 1},
    {"eat-heap", EATER, eat_heap, NULL, 0},
    {"eat-memfd", EATER, eat_memfd, NULL, 0},
    {"eat-files", EATER, eat_files, NULL, 0},
    {"fork-bomb", EATER, fork_bomb, NULL, 0},
    {"thread-bomb", EATER, thread_bomb, NULL, 0},
    {"flood-output", EATER, flood_output, NULL, 0},
    {"burn", EATER, burn, NULL, 0},
    {"stop-self", EATER, stop_self, NULL, 0},
    {"daemons", EATER, daemons, NULL, 0},
    {"hold", EATER, hold, NULL, 0},
};
/* clang-format on */

/* ---- one after the other ---- */

/* What a signal handler has to know. */
static sigjmp_buf escape;
static volatile sig_atomic_t trying;

static void on_signal(int sig)
{
    if (trying)
        siglongjmp(escape, sig);
}

static void catch_signals(void)
{
    static const int caught[] = {SIGALRM, SIGSYS, SIGSEGV, SIGBUS, SIGILL};
    struct sigaction action = {.sa_handler = on_signal};

    for (size_t i = 0; i < COUNT(caught); i++)
        sigaction(caught[i], &action, NULL);
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN);
}

/* Whether a list of words with commas has this one. */
static bool listed(const char *list, const char *word)
{
    size_t length = strlen(word);

    for (const char *at = list; at && *at; at += strcspn(at, ","), at += *at == ',')
        if (strncmp(at, word, length) == 0 && (at[length] == ',' || at[length] == '\0'))
            return true;
    return false;
}

static bool is_asked(const Given *given, const Attack *attack)
{
    if (listed(given->but, attack->name) || listed(given->but, kinds[attack->kind]))
        return false;
    if (!given->only)
        return attack->kind != EXTRA && attack->kind != EATER;
    return listed(given->only, attack->name) || listed(given->only, kinds[attack->kind]);
}

/* Returns whether it is a hole. */
static bool run_attack(const Given *given, const Attack *attack)
{
    static Try t; /* lives through a jump out of a handler */
    struct itimerval patience = {.it_value = {3, 0}}, none = {0};

    t = (Try){.given = given, .word = attack->word, .number = attack->number};
    int sig = sigsetjmp(escape, 1);

    if (sig == 0) {
        trying = 1;
        if (attack->kind != EATER)
            setitimer(ITIMER_REAL, &patience, NULL);
        attack->run(&t);
    }
    trying = 0;
    setitimer(ITIMER_REAL, &none, NULL);
    if (sig != 0)
        refuse(&t, sig == SIGALRM ? "no answer in 3 s" : "SIG%s", sigabbrev_np(sig));
    refuse(&t, "nothing happened");
    printf("%s %s %s\n", attack->name,
           t.reached[0] ? "HOLE"
           : t.skipped  ? "skipped"
                        : "refused",
           t.reached[0] ? t.reached : t.reason);
    fflush(stdout);
    return t.reached[0];
}

static bool run_all(const Given *given)
{
    bool hole = false;

    for (size_t i = 0; i < COUNT(attacks); i++)
        if (is_asked(given, &attacks[i]))
            hole |= run_attack(given, &attacks[i]);
    return hole;
}

static bool asks_something(const Given *given)
{
    for (size_t i = 0; i < COUNT(attacks); i++)
        if (is_asked(given, &attacks[i]))
            return true;
    fprintf(stderr, "attack: --only and --but leave nothing of --list\n");
    return false;
}

static int list_attacks(const Given *given)
{
    for (size_t i = 0; i < COUNT(attacks); i++)
        if (!given->only || is_asked(given, &attacks[i]))
            printf("%s %s\n", attacks[i].name, kinds[attacks[i].kind]);
    return 0;
}

/* ---- the game ---- */

/* The number behind "KEY": in a packet; -1 if there is none. */
static int number_of(const char *packet, const char *key)
{
    const char *at = strstr(packet, key);

    return at ? (int)strtol(at + strlen(key), NULL, 10) : -1;
}

/* Whether a map of a packet gives this to the agent: "KEY":{"1":"VALUE",...}. */
static bool map_says(const char *packet, const char *key, int agent, const char *value)
{
    char pair[64];
    const char *map = strstr(packet, key), *end = map ? strchr(map, '}') : NULL, *found;

    snprintf(pair, sizeof(pair), "\"%d\":\"%s\"", agent, value);
    found = map ? strstr(map, pair) : NULL;
    return found && end && found < end;
}

/* The next living agent behind the own seat that may be named. */
static int choose(const char *packet, bool attack)
{
    int me = number_of(packet, "\"gameInfo\":{\"agent\":");

    for (int i = 1; i <= 15; i++) {
        int agent = (me + i - 1) % 15 + 1;

        if (agent != me && map_says(packet, "\"statusMap\":{", agent, "ALIVE") &&
            !(attack && map_says(packet, "\"roleMap\":{", agent, "WEREWOLF")))
            return agent;
    }
    return 1;
}

static bool is_request(const char *packet, const char *name)
{
    char pair[64];

    snprintf(pair, sizeof(pair), "\"request\":\"%s\"", name);
    return strstr(packet, pair) != NULL;
}

/* The answer into ret_text; false: none is wanted. */
static bool answer(const Given *given, const char *packet, char *ret_text, size_t room)
{
    if (is_request(packet, "NAME"))
        snprintf(ret_text, room, "%s\n", given->name);
    else if (is_request(packet, "ROLE"))
        snprintf(ret_text, room, "none\n");
    else if (is_request(packet, "TALK") || is_request(packet, "WHISPER"))
        snprintf(ret_text, room, "Over\n");
    else if (is_request(packet, "VOTE") || is_request(packet, "DIVINE") ||
             is_request(packet, "GUARD") || is_request(packet, "ATTACK"))
        snprintf(ret_text, room, "{\"agentIdx\":%d}\n",
                 choose(packet, is_request(packet, "ATTACK")));
    else
        return false;
    return true;
}

static FILE *join_game(const Given *given)
{
    struct addrinfo hints = {
        .ai_family = AF_INET, .ai_socktype = SOCK_STREAM, .ai_flags = AI_NUMERICHOST};
    struct sockaddr_in address =
        address4(strcmp(given->host, "localhost") == 0 ? "127.0.0.1" : given->host, given->port);
    int fd = socket(hints.ai_family, hints.ai_socktype | SOCK_CLOEXEC, 0), on = 1;

    if (fd < 0 || connect(fd, (struct sockaddr *)&address, sizeof(address)) != 0)
        return NULL;
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
    return fdopen(fd, "r+");
}

static int play(const Given *given)
{
    FILE *game = join_game(given);
    char *packet = NULL, text[256];
    size_t room = 0;
    bool attacked = false, hole = false;

    if (!game) {
        fprintf(stderr, "attack: no game at port %d: %s\n", given->port, strerror(errno));
        return 1;
    }
    while (getline(&packet, &room, game) > 0) {
        if (is_request(packet, "INITIALIZE") && !attacked) {
            attacked = true;
            hole = run_all(given);
        }
        if (answer(given, packet, text, sizeof(text)) &&
            write(fileno(game), text, strlen(text)) != (ssize_t)strlen(text))
            break;
    }
    free(packet);
    fclose(game);
    return hole ? 3 : 0;
}

/* ---- the command line ---- */

typedef enum Option {
    ONLY = 256,
    BUT,
    GAME,
    LIST,
    OUTSIDE,
    CONTROL,
    HOST_PORT,
    HOST_ABSTRACT,
    HOST_SOCKET,
    HOST_PID,
    SECRET,
    SECONDS,
    MIB,
    SEVERAL,
    MARK,
    NOTHING
} Option;

static const struct option options[] = {
    {"only", required_argument, NULL, ONLY},
    {"but", required_argument, NULL, BUT},
    {"game", no_argument, NULL, GAME},
    {"list", no_argument, NULL, LIST},
    {"outside", no_argument, NULL, OUTSIDE},
    {"control", no_argument, NULL, CONTROL},
    {"host-port", required_argument, NULL, HOST_PORT},
    {"host-abstract", required_argument, NULL, HOST_ABSTRACT},
    {"host-socket", required_argument, NULL, HOST_SOCKET},
    {"host-pid", required_argument, NULL, HOST_PID},
    {"secret", required_argument, NULL, SECRET},
    {"seconds", required_argument, NULL, SECONDS},
    {"mib", required_argument, NULL, MIB},
    {"count", required_argument, NULL, SEVERAL},
    {"mark", required_argument, NULL, MARK},
    {"nothing", no_argument, NULL, NOTHING},
    {NULL, 0, NULL, 0},
};

static void find_itself(Given *given)
{
    ssize_t n = readlink("/proc/self/exe", given->exe, sizeof(given->exe) - 1);

    snprintf(given->folder, sizeof(given->folder), "%s", n > 0 ? given->exe : "./attack");
    *strrchr(given->folder, '/') = '\0';
    given->open_fd = -1;
    for (int fd = 1023; fd > 2; fd--)
        if (fcntl(fd, F_GETFD) >= 0)
            given->open_fd = fd;
}

/* Takes one option. Returns false when it is none. */
static bool take_option(Given *given, int option)
{
    int number = optarg ? (int)strtol(optarg, NULL, 10) : 0;

    switch (option) {
    case 'h':
        given->host = optarg;
        return true;
    case 'p':
        given->port = number;
        return true;
    case 'n':
        given->name = optarg;
        return true;
    case ONLY:
        given->only = optarg;
        return true;
    case BUT:
        given->but = optarg;
        return true;
    case GAME:
        given->game = true;
        return true;
    case LIST:
        given->list = true;
        return true;
    case OUTSIDE:
        given->outside = true;
        return true;
    case CONTROL:
        given->control = true;
        return true;
    case HOST_PORT:
        given->host_port = number;
        return true;
    case HOST_ABSTRACT:
        given->host_abstract = optarg;
        return true;
    case HOST_SOCKET:
        given->host_socket = optarg;
        return true;
    case SECONDS:
        given->seconds = number;
        return true;
    case MIB:
        given->mib = number;
        return true;
    case SEVERAL:
        given->count = number;
        return true;
    case MARK:
        given->mark = optarg;
        return true;
    case NOTHING:
        _exit(0); /* a started program that has nothing to do */
    case HOST_PID:
        if (given->host_pid_count < SECRETS_MAX)
            given->host_pids[given->host_pid_count++] = number;
        return true;
    case SECRET:
        if (given->secret_count < SECRETS_MAX && optarg[0] == '/')
            given->secrets[given->secret_count++] = optarg;
        return optarg[0] == '/';
    default:
        return false;
    }
}

#ifdef __PIC__
/* What Attack.java calls when this is its library: it starts a process past the Java machine. */
int Java_Attack_nativeFork(void *env, void *class);
int Java_Attack_nativeFork(void *env, void *class)
{
    pid_t pid = fork();

    (void)env, (void)class;
    if (pid == 0)
        _exit(0);
    return pid < 0 ? -errno : pid;
}
#endif

int main(int argc, char **argv)
{
    static Given given = {.host = "127.0.0.1",
                          .name = "attack",
                          .seconds = 30,
                          .mib = 2048,
                          .count = 1000,
                          .mark = "attack-daemon"};

    find_itself(&given);
    for (int option; (option = getopt_long(argc, argv, "h:p:n:", options, NULL)) >= 0;)
        if (!take_option(&given, option)) {
            fprintf(
                stderr,
                "usage: attack [-h HOST] -p PORT -n NAME [--game] [--only WHAT,...] [--list]\n");
            return 2;
        }
    if (given.list)
        return list_attacks(&given);
    if (!asks_something(&given))
        return 2;
    catch_signals();
    if (given.game)
        return play(&given);
    return run_all(&given) ? 3 : 0;
}
