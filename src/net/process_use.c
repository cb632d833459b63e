#include "net/process_use.h"

#include "base/buf.h"
#include "net/child.h"
#include "net/process_tree.h"

#include <arpa/inet.h>
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#define TREE_MAX      4096
#define SOCKETS_MAX   256 /* of one process that are looked up */
#define FRONT_MAX     2   /* processes of a cell in front of a program */
#define PATH_BYTES    64
#define LINK_BYTES    512
#define WITNESSED_MAX 32 /* sights of a kind in one look */

/* A look. */
typedef struct Look {
    const ProcessWitness *witness;
    ProcessUse use;
    uint16_t own_port;
    uint32_t told[SIGHT_NETWORK + 1];
} Look;

static void tell_sight(Look *look, ProcessSight what, Str text)
{
    if (look->witness && look->told[what]++ < WITNESSED_MAX)
        look->witness->seen(look->witness->user, what, text);
}

/* ---- files of /proc ---- */

/* The first bytes of a file; 0 when it can't be read. */
static size_t read_start(const char *path, char *bytes, size_t room)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t count = fd < 0 ? -1 : read(fd, bytes, room);

    if (fd >= 0)
        close(fd);
    return count > 0 ? (size_t)count : 0;
}

/* "Key:   123 kB": the number behind a key at the beginning of a line; 0 when it isn't there. */
static uint64_t number_of_key(Str text, Str key)
{
    while (text.len) {
        Str line = str_cut(&text, '\n');
        uint64_t value = 0;
        if (!str_starts(line, key))
            continue;
        Str rest = str_trim(str_part(line, key.len, line.len));
        return str_to_uint(str_cut(&rest, ' '), UINT64_MAX, &value) ? value : 0;
    }
    return 0;
}

static void read_comm(int pid, char ret_comm[static PATH_BYTES])
{
    char path[PATH_BYTES];

    snprintf(path, sizeof(path), "/proc/%d/comm", pid);
    size_t count = read_start(path, ret_comm, PATH_BYTES - 1);
    ret_comm[count && ret_comm[count - 1] == '\n' ? count - 1 : count] = '\0';
}

static bool is_shell(const char *comm)
{
    return strcmp(comm, "sh") == 0 || strcmp(comm, "dash") == 0 || strcmp(comm, "bash") == 0;
}

/* How many processes of the tree stand in front of the program's own. A shell does only when there
 * is something behind it. One that has gone since the tree was read is nobody. */
static size_t front_of(const int *pids, size_t count)
{
    char comm[PATH_BYTES];
    size_t front = 0;

    for (; front < count; front++) {
        read_comm(pids[front], comm);
        const bool cell = !comm[0] || (front < FRONT_MAX && strcmp(comm, CHILD_FRONT_NAME) == 0);
        if (!cell && !(is_shell(comm) && front + 1 < count))
            break;
    }
    return front;
}

/* ---- sockets ---- */

/* "0100007F:1F90" of a line of /proc/net: the bytes of an address as the machine keeps them, and a
 * port. */
static bool read_end(Str word, uint8_t ret_address[static 16], size_t *ret_bytes,
                     uint16_t *ret_port)
{
    char digits[9] = {0};
    Str hex = str_cut(&word, ':');
    char *end = digits;

    if ((hex.len != 8 && hex.len != 32) || word.len != 4)
        return false;
    for (size_t at = 0; at < hex.len; at += 8) {
        memcpy(digits, hex.bytes + at, 8);
        const uint32_t part = (uint32_t)strtoul(digits, &end, 16);
        if (*end)
            return false;
        memcpy(ret_address + at / 2, &part, sizeof(part));
    }
    memcpy(digits, word.bytes, 4);
    digits[4] = '\0';
    *ret_port = (uint16_t)strtoul(digits, &end, 16);
    *ret_bytes = hex.len / 2;
    return *end == '\0';
}

bool process_use_socket_line(const char *protocol, Str line, SocketLine *ret_line)
{
    uint8_t own[16], other[16];
    size_t bytes = 0;
    uint16_t own_port = 0, other_port = 0;
    uint64_t inode = 0;
    char address[INET6_ADDRSTRLEN] = "";
    Str words[10] = {{0}};
    size_t count = 0;

    while (count < 10 && (line = str_trim(line)).len)
        words[count++] = str_cut(&line, ' ');
    if (count < 10 || !read_end(words[1], own, &bytes, &own_port) ||
        !read_end(words[2], other, &bytes, &other_port) ||
        !str_to_uint(words[9], UINT64_MAX, &inode))
        return false;
    ret_line->inode = inode;
    ret_line->port = other_port;
    inet_ntop(bytes == 4 ? AF_INET : AF_INET6, other, address, sizeof(address));
    if (other_port)
        snprintf(ret_line->text, sizeof(ret_line->text), "%s %s:%u", protocol, address, other_port);
    else
        snprintf(ret_line->text, sizeof(ret_line->text), "%s port %u, open for others", protocol,
                 own_port);
    return true;
}

/* The sockets of one process. */
typedef struct Sockets {
    uint64_t inodes[SOCKETS_MAX];
    size_t count;
} Sockets;

static bool has_inode(const Sockets *sockets, uint64_t inode)
{
    for (size_t i = 0; i < sockets->count; i++)
        if (sockets->inodes[i] == inode)
            return true;
    return false;
}

static void look_at_table(Look *look, int pid, const char *protocol, const Sockets *sockets)
{
    char path[PATH_BYTES], text[512];
    SocketLine line;

    snprintf(path, sizeof(path), "/proc/%d/net/%s", pid, protocol);
    FILE *file = fopen(path, "re");
    while (file && fgets(text, sizeof(text), file))
        if (process_use_socket_line(protocol, str_of(text), &line) && line.port != look->own_port &&
            has_inode(sockets, line.inode))
            tell_sight(look, SIGHT_NETWORK, str_of(line.text));
    if (file)
        fclose(file);
}

static void look_at_sockets(Look *look, int pid, const Sockets *sockets)
{
    static const char *const protocols[] = {"tcp", "tcp6", "udp", "udp6"};

    for (size_t i = 0; i < 4 && sockets->count > 0 && look->witness; i++)
        look_at_table(look, pid, protocols[i], sockets);
}

/* ---- descriptors ---- */

/* Whether descriptor `name` is open for writing, as its fdinfo says. */
static bool is_written(int pid, const char *name)
{
    char path[PATH_BYTES + 256], text[1024];

    snprintf(path, sizeof(path), "/proc/%d/fdinfo/%s", pid, name);
    Str rest = {text, read_start(path, text, sizeof(text))};
    while (rest.len) {
        Str line = str_cut(&rest, '\n');
        if (!str_starts(line, STR("flags:")))
            continue;
        char digits[32] = {0};
        Str value = str_trim(str_part(line, strlen("flags:"), sizeof(digits) - 1));
        memcpy(digits, value.bytes, value.len);
        return (strtoul(digits, NULL, 8) & O_ACCMODE) != O_RDONLY;
    }
    return false;
}

static void look_at_descriptor(Look *look, int pid, const char *name, Sockets *sockets)
{
    char path[PATH_BYTES + 256], target[LINK_BYTES];
    struct stat status;

    snprintf(path, sizeof(path), "/proc/%d/fd/%s", pid, name);
    ssize_t bytes = readlink(path, target, sizeof(target));
    if (bytes <= 0)
        return;
    Str link = {target, (size_t)bytes};
    if (str_starts(link, STR("socket:["))) {
        Str number = str_part(link, strlen("socket:["), link.len);
        uint64_t inode = 0;
        if (sockets->count < SOCKETS_MAX && str_to_uint(str_cut(&number, ']'), UINT64_MAX, &inode))
            sockets->inodes[sockets->count++] = inode;
    } else if (link.bytes[0] == '/' && !str_starts(link, STR("/memfd:")) &&
               stat(path, &status) == 0 && S_ISREG(status.st_mode) && is_written(pid, name)) {
        tell_sight(look, SIGHT_WRITES, link);
    }
}

static void look_at_descriptors(Look *look, int pid)
{
    char path[PATH_BYTES];
    Sockets sockets = {.count = 0};
    const struct dirent *entry;
    uint32_t count = 0;

    snprintf(path, sizeof(path), "/proc/%d/fd", pid);
    DIR *folder = opendir(path);
    while (folder && (entry = readdir(folder))) {
        if (entry->d_name[0] == '.')
            continue;
        count++;
        if (look->witness)
            look_at_descriptor(look, pid, entry->d_name, &sockets);
    }
    if (folder)
        closedir(folder);
    if (count > look->use.files)
        look->use.files = count;
    look_at_sockets(look, pid, &sockets);
}

/* ---- the whole ---- */

static void look_at_threads(Look *look, int pid)
{
    char path[PATH_BYTES + 256], name[PATH_BYTES];
    const struct dirent *entry;
    uint64_t number;

    snprintf(path, sizeof(path), "/proc/%d/task", pid);
    DIR *folder = look->witness ? opendir(path) : NULL;
    while (folder && (entry = readdir(folder))) {
        if (!str_to_uint(str_of(entry->d_name), INT32_MAX, &number) || (int)number == pid)
            continue;
        snprintf(path, sizeof(path), "/proc/%d/task/%s/comm", pid, entry->d_name);
        tell_sight(look, SIGHT_THREAD, str_trim((Str){name, read_start(path, name, sizeof(name))}));
    }
    if (folder)
        closedir(folder);
}

static void look_at_process(Look *look, int pid)
{
    char path[PATH_BYTES], comm[PATH_BYTES], text[4096], process[2 * PATH_BYTES];

    snprintf(path, sizeof(path), "/proc/%d/status", pid);
    const Str status = {text, read_start(path, text, sizeof(text))};
    read_comm(pid, comm);
    if (!status.len || !comm[0])
        return;
    look->use.peak_kib += number_of_key(status, STR("VmHWM:"));
    look->use.threads += (uint32_t)number_of_key(status, STR("Threads:"));
    if (look->use.processes++ == 0) {
        look->use.pid = pid;
    } else {
        snprintf(process, sizeof(process), "%s (%d)", comm, pid);
        tell_sight(look, SIGHT_PROCESS, str_of(process));
    }
    look_at_threads(look, pid);
    look_at_descriptors(look, pid);
}

bool process_use_read(int root, uint16_t own_port, const ProcessWitness *witness,
                      ProcessUse *ret_use)
{
    int pids[TREE_MAX];
    Look look = {.witness = witness, .own_port = own_port};
    size_t count = root > 0 ? process_tree_read(root, pids, TREE_MAX) : 0;

    if (count > TREE_MAX)
        count = TREE_MAX;
    for (size_t i = front_of(pids, count); i < count; i++)
        look_at_process(&look, pids[i]);
    if (!look.use.pid)
        return false;
    *ret_use = look.use;
    return true;
}
