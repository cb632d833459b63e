#include "net/peer.h"

#include "base/utf8.h"
#include "net/child.h"
#include "net/process_tree.h"

#include <arpa/inet.h>
#include <dirent.h>
#include <errno.h>
#include <linux/inet_diag.h>
#include <linux/netlink.h>
#include <linux/sock_diag.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#define TREE_MAX     4096
#define ANSWER_BYTES 4096
#define LINK_BYTES   64
#define COMM_BYTES   32

/* The socket at the other end. */
typedef struct Socket {
    uint32_t inode; /* 0 = nobody has it any more */
    uint32_t uid;
} Socket;

typedef enum Found { FOUND, NOT_HERE, NO_ANSWER } Found;

/* ---- the kernel's table of sockets ---- */

/* Port and address as sock_diag wants them. An IPv4 address in an IPv6 socket is IPv4. */
static int take_address(const struct sockaddr_storage *from, uint16_t *ret_port,
                        uint32_t ret_address[static 4])
{
    struct sockaddr_in four;
    struct sockaddr_in6 six;

    if (from->ss_family == AF_INET) {
        memcpy(&four, from, sizeof(four));
        *ret_port = four.sin_port;
        ret_address[0] = four.sin_addr.s_addr;
        return AF_INET;
    }
    memcpy(&six, from, sizeof(six));
    *ret_port = six.sin6_port;
    memcpy(ret_address, &six.sin6_addr, sizeof(six.sin6_addr));
    if (!IN6_IS_ADDR_V4MAPPED(&six.sin6_addr))
        return AF_INET6;
    ret_address[0] = ret_address[3];
    ret_address[1] = ret_address[2] = ret_address[3] = 0;
    return AF_INET;
}

typedef struct Question {
    struct nlmsghdr header;
    struct inet_diag_req_v2 request;
} Question;

/* The other end seen from its side: its address is the source. False when there is none. */
static bool make_question(int fd, Question *question)
{
    struct sockaddr_storage own = {0}, other = {0};
    socklen_t own_size = sizeof(own), other_size = sizeof(other);
    struct inet_diag_sockid *id = &question->request.id;

    if (getsockname(fd, (struct sockaddr *)&own, &own_size) ||
        getpeername(fd, (struct sockaddr *)&other, &other_size))
        return false;
    *question = (Question){
        .header = {.nlmsg_len = sizeof(*question),
                   .nlmsg_type = SOCK_DIAG_BY_FAMILY,
                   .nlmsg_flags = NLM_F_REQUEST},
        .request = {.sdiag_protocol = IPPROTO_TCP, .idiag_states = UINT32_MAX},
    };
    id->idiag_cookie[0] = id->idiag_cookie[1] = INET_DIAG_NOCOOKIE;
    question->request.sdiag_family = (uint8_t)take_address(&other, &id->idiag_sport, id->idiag_src);
    return take_address(&own, &id->idiag_dport, id->idiag_dst) == question->request.sdiag_family;
}

static Found read_answer(const char *bytes, size_t count, Socket *ret_socket)
{
    struct nlmsghdr header;
    struct inet_diag_msg found;
    struct nlmsgerr problem;

    if (count < sizeof(header))
        return NO_ANSWER;
    memcpy(&header, bytes, sizeof(header));
    bytes += NLMSG_HDRLEN;
    count -= NLMSG_HDRLEN;
    if (header.nlmsg_type == NLMSG_ERROR && count >= sizeof(problem)) {
        memcpy(&problem, bytes, sizeof(problem));
        return problem.error == -ENOENT ? NOT_HERE : NO_ANSWER;
    }
    if (header.nlmsg_type != SOCK_DIAG_BY_FAMILY || count < sizeof(found))
        return NO_ANSWER;
    memcpy(&found, bytes, sizeof(found));
    *ret_socket = (Socket){found.idiag_inode, found.idiag_uid};
    return FOUND;
}

/* The kernel answers before send() returns, so nothing is waited for. */
static Found find_socket(const Conn *conn, Socket *ret_socket)
{
    char answer[ANSWER_BYTES];
    Question question;

    if (!make_question(conn_descriptor(conn), &question))
        return NOT_HERE; /* it is gone already */
    int fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_SOCK_DIAG);
    if (fd < 0)
        return NO_ANSWER;
    ssize_t n = send(fd, &question, sizeof(question), 0);
    if (n == (ssize_t)sizeof(question))
        n = recv(fd, answer, sizeof(answer), MSG_DONTWAIT);
    close(fd);
    return n > 0 ? read_answer(answer, (size_t)n, ret_socket) : NO_ANSWER;
}

/* ---- who holds it ---- */

static uint32_t user_of(int pid)
{
    char path[LINK_BYTES], line[LINK_BYTES];
    uint64_t uid = UINT32_MAX;

    snprintf(path, sizeof(path), "/proc/%d/status", pid);
    FILE *file = fopen(path, "re");
    while (file && uid == UINT32_MAX && fgets(line, sizeof(line), file)) {
        Str rest = str_of(line);
        if (str_starts(rest, STR("Uid:\t"))) {
            rest = str_part(rest, 5, rest.len);
            str_to_uint(str_cut(&rest, '\t'), UINT32_MAX, &uid);
        }
    }
    if (file)
        fclose(file);
    return (uint32_t)uid;
}

static bool holds_socket(int pid, const char *wanted)
{
    char path[LINK_BYTES], target[LINK_BYTES];
    const struct dirent *entry;
    bool found = false;

    snprintf(path, sizeof(path), "/proc/%d/fd", pid);
    DIR *folder = opendir(path);
    while (folder && !found && (entry = readdir(folder))) {
        ssize_t n = readlinkat(dirfd(folder), entry->d_name, target, sizeof(target));
        found = n > 0 && str_eq((Str){target, (size_t)n}, str_of(wanted));
    }
    if (folder)
        closedir(folder);
    return found;
}

static bool is_closed_to_us(int pid)
{
    char path[LINK_BYTES];

    snprintf(path, sizeof(path), "/proc/%d/fd", pid);
    return access(path, R_OK) != 0 && errno == EACCES;
}

static Str read_comm(int pid, char line[static COMM_BYTES])
{
    char path[LINK_BYTES];

    snprintf(path, sizeof(path), "/proc/%d/comm", pid);
    FILE *file = fopen(path, "re");
    if (!file || !fgets(line, COMM_BYTES, file))
        line[0] = '\0';
    if (file)
        fclose(file);
    return str_trim(str_of(line));
}

/* Our own processes in front of the program (net/child.h) are closed to us, and have no
 * connection. A program that takes their name only loses what a closed one may have. */
static bool is_launcher(int pid)
{
    char comm[COMM_BYTES];

    return str_eq(read_comm(pid, comm), STR(CHILD_FRONT_NAME));
}

/* Any process that we may look into and that holds the socket of this name; 0 = none. */
static int find_holder(const char *name)
{
    const struct dirent *entry;
    uint64_t pid = 0;
    int found = 0;

    DIR *all = opendir("/proc");
    while (all && !found && (entry = readdir(all)))
        if (str_to_uint(str_of(entry->d_name), INT32_MAX, &pid) && holds_socket((int)pid, name))
            found = (int)pid;
    if (all)
        closedir(all);
    return found;
}

static PeerOwner owner_in(const int *pids, size_t count, const Socket *wanted)
{
    char name[LINK_BYTES];

    snprintf(name, sizeof(name), "socket:[%u]", wanted->inode);
    for (size_t i = 0; i < count; i++)
        if (holds_socket(pids[i], name))
            return PEER_OURS;
    for (size_t i = 0; i < count; i++)
        if (is_closed_to_us(pids[i]) && user_of(pids[i]) == wanted->uid && !is_launcher(pids[i]))
            return find_holder(name) ? PEER_OTHER : PEER_OURS;
    return PEER_OTHER;
}

PeerOwner peer_owner(const Conn *conn, int root)
{
    Socket wanted = {0};
    Found found = find_socket(conn, &wanted);

    if (found == NO_ANSWER)
        return PEER_UNKNOWN;
    if (found == NOT_HERE || !wanted.inode)
        return PEER_OTHER;
    CLEANUP(mem_freep) int *pids = mem_new(TREE_MAX * sizeof(*pids));
    if (!pids)
        return PEER_UNKNOWN;
    size_t count = process_tree_read_young(root, pids, TREE_MAX);
    if (count <= TREE_MAX && owner_in(pids, count, &wanted) == PEER_OURS)
        return PEER_OURS;
    count = process_tree_read(root, pids, TREE_MAX); /* numbers may have begun anew meanwhile */
    return count > TREE_MAX ? PEER_UNKNOWN : owner_in(pids, count, &wanted);
}

int peer_process(const Conn *conn)
{
    Socket wanted = {0};
    char name[LINK_BYTES];

    if (find_socket(conn, &wanted) != FOUND || !wanted.inode)
        return 0;
    snprintf(name, sizeof(name), "socket:[%u]", wanted.inode);
    return find_holder(name);
}

void peer_print_process(int pid, Buf *out)
{
    char comm[COMM_BYTES];

    if (!pid) {
        buf_add(out, STR("somebody who can't be seen"));
        return;
    }
    buf_printf(out, "process %d (", pid);
    utf8_add_printable(read_comm(pid, comm), COMM_BYTES, out);
    buf_add_char(out, ')');
}
