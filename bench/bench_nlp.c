#define _GNU_SOURCE /* memmem, nftw */
/* bench_nlp.c - the natural-language division's server under load: many WebSocket agents that
 * answer at once, all loggers on.
 *
 * Usage: bench_nlp WARG CONFIG                       all figures, for people
 *        bench_nlp WARG CONFIG CONNECTIONS SECONDS   one measurement
 *        bench_nlp WARG CONFIG without QUIET         what logs cost; QUIET: CONFIG with no logger
 *        bench_nlp WARG CONFIG loops CONNECTIONS SECONDS PAIRS
 *                                                    what a second loop costs; exit status 1 when
 *                                                    that is too much (LOOPS_RATIO, LOOPS_SHARE)
 * Method: `WARG serve nlp -c CONFIG --port 0` in a new folder of $TMPDIR (else /var/tmp: a disk),
 * so that the configuration's relative folders of logs are made there; it has to be one of self
 * match with five seats. This process is all the agents: teams of five, one epoll loop, replies
 * without thought, each agent connects again when its game is over. Both share the machine's
 * processors.
 *
 *   packets/s   all that the server sent, each with "request" in it; requests/s: those of them that
 *               want a reply, and got it.
 *   delay       of a game: from when the client wrote the last reply that was needed until the
 *               kernel had received the game's next packet (SO_TIMESTAMPNS, on the client's
 *               socket): the server with its queue of other games, and the loopback, but not the
 *               time until this process gets to read it. A closed loop at full load: the mean delay
 *               is near (games at once / requests a second), whatever the server does.
 *   KiB each    (resident memory of the server - the same before anybody came) / connections: when
 *               all are connected and none has a name yet; and the peak (VmHWM), at the end, with
 *               games, logs and broadcasts in it.
 *   lost        games that began and whose log has no result, and connections that broke off.
 *
 *   time        of a processor, user and system, that the server process had for a request: it is
 *               one thread, so at full load requests/s are one divided by it, and unlike them it
 *               hardly changes when others use the machine. What logs cost is the median of the
 *               ratios of pairs: each pair is a run with logs, one without and one of the echo,
 * one after the other.
 *
 *               What a second loop costs is the median of such ratios, too: all threads' time for a
 *               request with --loops 2, by that with one; twice of what may be is allowed, since
 *               others use the machine. Shares: messages of each loop, by the server's own log.
 *
 * What this is compared with, the echo: a server of web.h that sends the same bytes and does
 * nothing else. GAMES games with the server are kept beforehand: which packets each reply brought,
 * to whom. The echo plays them again, one after the other to each five agents that come, and closes
 * the connections when a game is over. So the client is the same, and so are the frames, the
 * requests that wait for a reply at a time, and the connections for a game. */
#include "net/web.h"

#include <arpa/inet.h>
#include <dirent.h>
#include <fcntl.h>
#include <ftw.h>
#include <linux/fs.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define SEATS        5
#define PEERS_MAX    8000
#define INPUT_BYTES  ((size_t)1 << 20)
#define WARM_UP      2.0
#define ROUNDS       3
#define GAMES        20 /* that the echo plays */
#define BUCKETS      1024
#define GIVE_UP_TIME 60.0

static _Noreturn void die(const char *what)
{
    perror(what);
    exit(1);
}

/* The clock of SO_TIMESTAMPNS. */
static double seconds(void)
{
    struct timespec now;

    clock_gettime(CLOCK_REALTIME, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

/* ---- delays: 16 buckets to each doubling of a microsecond ---- */

typedef struct Delays {
    uint64_t buckets[BUCKETS];
    uint64_t count;
    double longest;
} Delays;

static void delays_add(Delays *delays, double delay)
{
    uint64_t us = delay > 0 ? (uint64_t)(delay * 1e6) : 0;
    unsigned doublings = 0;

    while (us >> doublings >= 32)
        doublings++;
    delays->buckets[16 * doublings + (us >> doublings)]++;
    delays->count++;
    if (delay > delays->longest)
        delays->longest = delay;
}

/* In milliseconds; the upper end of its bucket. */
static double delays_at(const Delays *delays, double part)
{
    uint64_t left = (uint64_t)(part * (double)delays->count);
    unsigned at = 0;

    for (; at < BUCKETS - 1 && left >= delays->buckets[at]; at++)
        left -= delays->buckets[at];
    unsigned doublings = at < 32 ? 0 : at / 16 - 1;
    return (double)((uint64_t)(at - 16 * doublings + 1) << doublings) / 1000;
}

/* ---- games that are kept ---- */

/* A packet that the server sent behind so many replies. */
typedef struct Line {
    uint32_t replies;
    uint32_t agent; /* 0 to SEATS - 1 */
    size_t bytes;   /* of Kept.text, in order */
} Line;

typedef struct Kept {
    Buf text;
    Line *lines;
    size_t count;
} Kept;

static void keep_line(Kept *kept, uint32_t replies, uint32_t agent, Str packet)
{
    Line *grown = realloc(kept->lines, (kept->count + 1) * sizeof(*grown));

    if (!grown)
        die("memory");
    kept->lines = grown;
    kept->lines[kept->count++] = (Line){replies, agent, packet.len};
    buf_add(&kept->text, packet);
}

static void forget_games(Kept *kept)
{
    for (size_t i = 0; i < GAMES; i++) {
        buf_done(&kept[i].text);
        free(kept[i].lines);
    }
}

/* ---- the client ---- */

typedef struct Peer {
    int fd; /* -1 = not connected */
    uint32_t number;
    uint32_t asked;
    bool upgraded;
    char *carry; /* the part of a frame that came */
    size_t carried;
} Peer;

/* A game that is being kept: its replies go out one by one, each with a ping, and the next one when
 * the pong has come. So all that comes in between is what that reply brought. */
typedef struct Keeping {
    Kept *kept;
    uint32_t replies;
    uint32_t pongs; /* that are still to come */
    uint32_t count; /* replies that wait */
    struct {
        const Peer *peer;
        char text[256];
        size_t bytes;
    } waiting[SEATS];
} Keeping;

typedef struct Load {
    uint16_t port;
    uint32_t count;
    int poll;
    Peer *peers;
    double *replied; /* of each game: when its last reply was written; 0 = its answer has come */
    char *input;
    Keeping *keeping; /* of each game, or NULL */
    bool hold;        /* NAME is not answered yet */
    bool closing;     /* nobody connects again */
    uint32_t open;
    uint32_t named; /* got the request NAME */
    uint64_t packets;
    uint64_t requests;
    uint64_t bytes;
    uint64_t games; /* FINISH packets */
    uint64_t broken;
    Delays delays;
} Load;

static void send_frame(const Peer *peer, int opcode, const char *text, size_t n)
{
    char frame[512] = {(char)(0x80 | opcode), (char)(0x80 | (n < 126 ? n : 126))};
    size_t head = 2;

    if (n >= 126) {
        frame[2] = (char)(n >> 8);
        frame[3] = (char)n;
        head = 4;
    }
    head += 4; /* a mask of zeros: RFC 6455 5.3 */
    if (n)
        memcpy(frame + head, text, n);
    if (write(peer->fd, frame, head + n) < 0)
        return; /* the end is read */
}

static void connect_peer(Load *load, Peer *peer)
{
    static const char ask[] = "GET /ws HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\n"
                              "Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
                              "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n";
    struct sockaddr_in address = {.sin_family = AF_INET,
                                  .sin_port = htons(load->port),
                                  .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    struct epoll_event event = {.events = EPOLLIN, .data.ptr = peer};
    int on = 1;

    peer->fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (peer->fd < 0 || connect(peer->fd, (struct sockaddr *)&address, sizeof(address)))
        die("connect");
    setsockopt(peer->fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
    setsockopt(peer->fd, SOL_SOCKET, SO_TIMESTAMPNS, &on, sizeof(on));
    if (write(peer->fd, ask, sizeof(ask) - 1) != (ssize_t)sizeof(ask) - 1)
        die("write");
    epoll_ctl(load->poll, EPOLL_CTL_ADD, peer->fd, &event);
    peer->upgraded = false;
    peer->carried = 0;
    load->open++;
}

static void hang_up(Load *load, Peer *peer)
{
    close(peer->fd);
    free(peer->carry);
    peer->fd = -1;
    peer->carry = NULL;
    load->open--;
}

static void say_name(const Load *load, const Peer *peer)
{
    char name[32];
    int n =
        snprintf(name, sizeof(name), "load%u-%u", peer->number / SEATS, peer->number % SEATS + 1);

    /* A team is the name without the digits at its end. */
    send_frame(peer, 1, name, (size_t)n);
    if (!load->keeping)
        return;
    load->keeping[peer->number / SEATS].pongs++;
    send_frame(peer, 9, "ok", 2);
}

static void keep_reply(Keeping *keeping, const Peer *peer, Str answer)
{
    if (keeping->count == SEATS || answer.len > sizeof(keeping->waiting[0].text))
        die("a game that can't be kept");
    memcpy(keeping->waiting[keeping->count].text, answer.bytes, answer.len);
    keeping->waiting[keeping->count].bytes = answer.len;
    keeping->waiting[keeping->count++].peer = peer;
}

static void send_kept(Keeping *keeping)
{
    const Peer *peer = keeping->waiting[0].peer;

    if (!keeping->count || keeping->pongs)
        return;
    keeping->replies++;
    keeping->pongs++;
    send_frame(peer, 1, keeping->waiting[0].text, keeping->waiting[0].bytes);
    send_frame(peer, 9, "ok", 2);
    keeping->count--;
    memmove(&keeping->waiting[0], &keeping->waiting[1],
            keeping->count * sizeof(keeping->waiting[0]));
}

/* The name of one who lives, of the packet's status_map. */
static Str pick_target(Str packet, uint32_t chance)
{
    static const char key[] = "\"status_map\":{";
    const char *at = memmem(packet.bytes, packet.len, key, sizeof(key) - 1);
    Str names[SEATS] = {{"nobody", 6}};
    uint32_t count = 0;

    for (at = at ? at + sizeof(key) - 1 : NULL; at && *at == '"' && count < SEATS;) {
        const char *end = strchr(at + 1, '"');
        names[count] = (Str){at + 1, (size_t)(end - at - 1)};
        count += end[3] == 'A';             /* "ALIVE", not "DEAD" */
        at = end + (end[3] == 'A' ? 9 : 8); /* behind the value */
        at += *at == ',';
    }
    return names[count ? chance % count : 0];
}

static Str pick_words(uint32_t chance)
{
    static const char *const words[] = {
        "私は村人です。まだ手掛かりが少ないので、皆さんの話を聞いてから考えたいと思います。",
        "昨日の投票が気になります。どうしてあの人に入れたのか、理由を教えてもらえますか?",
        "占い師は名乗り出てください。結果を聞いてから、今日誰に投票するかを決めましょう。",
        "Over",
    };

    return str_of(words[chance % 4]);
}

static void take_packet(Load *load, Peer *peer, Str packet, double arrived)
{
    static const char key[] = "\"request\":\"";
    const char *at = memmem(packet.bytes, packet.len, key, sizeof(key) - 1);
    double *replied = &load->replied[peer->number / SEATS];
    Str answer;

    load->packets++;
    load->bytes += packet.len;
    if (*replied > 0 && arrived >= *replied) {
        delays_add(&load->delays, arrived - *replied);
        *replied = 0;
    }
    at = at ? at + sizeof(key) - 1 : "";
    if (strncmp(at, "NAME", 4) == 0) {
        load->named++;
        if (!load->hold)
            say_name(load, peer);
        return;
    }
    Keeping *keeping = load->keeping ? &load->keeping[peer->number / SEATS] : NULL;
    if (keeping)
        keep_line(keeping->kept, keeping->replies, peer->number % SEATS, packet);
    if (strncmp(at, "TALK", 4) == 0 || strncmp(at, "WHISPER", 7) == 0)
        answer = pick_words(peer->asked++);
    else if (strncmp(at, "VOTE", 4) == 0 || strncmp(at, "DIVINE", 6) == 0 ||
             strncmp(at, "GUARD", 5) == 0 || strncmp(at, "ATTACK", 6) == 0)
        answer = pick_target(packet, peer->asked++ * 7 + peer->number);
    else {
        load->games += strncmp(at, "FINISH", 6) == 0;
        return;
    }
    load->requests++;
    if (keeping) {
        keep_reply(keeping, peer, answer);
        return;
    }
    *replied = seconds();
    send_frame(peer, 1, answer.bytes, answer.len);
}

/* Takes what is whole; returns how many bytes that was. `peer->fd` is -1 when that was the end. */
static size_t take_frames(Load *load, Peer *peer, char *bytes, size_t n, double arrived)
{
    size_t at = 0;

    if (!peer->upgraded) {
        const char *end = memmem(bytes, n, "\r\n\r\n", 4);
        if (!end)
            return 0;
        if (strncmp(bytes, "HTTP/1.1 101", 12) != 0) {
            load->broken += !load->closing;
            hang_up(load, peer);
            return n;
        }
        peer->upgraded = true;
        at = (size_t)(end + 4 - bytes);
    }
    while (n - at >= 4) {
        const unsigned char *frame = (unsigned char *)bytes + at;
        size_t head = 2, size = frame[1];
        if (size == 126) {
            size = (size_t)frame[2] << 8 | frame[3];
            head = 4;
        } else if (size == 127) {
            if (n - at < 10)
                break;
            size =
                (size_t)frame[6] << 24 | (size_t)frame[7] << 16 | (size_t)frame[8] << 8 | frame[9];
            head = 10;
        }
        if (n - at < head + size)
            break;
        if ((frame[0] & 15) == 8) {
            send_frame(peer, 8, (const char *)frame + head, 2);
            hang_up(load, peer);
            if (!load->closing)
                connect_peer(load, peer);
            return n;
        }
        if ((frame[0] & 15) == 10 && load->keeping)
            load->keeping[peer->number / SEATS].pongs--;
        if ((frame[0] & 15) == 1)
            take_packet(load, peer, (Str){(const char *)frame + head, size}, arrived);
        at += head + size;
    }
    return at;
}

static void read_peer(Load *load, Peer *peer)
{
    union {
        struct cmsghdr head;
        char room[CMSG_SPACE(sizeof(struct timespec))];
    } control;
    struct iovec to = {load->input + peer->carried, INPUT_BYTES - 1 - peer->carried};
    struct msghdr message = {.msg_iov = &to,
                             .msg_iovlen = 1,
                             .msg_control = &control,
                             .msg_controllen = sizeof(control)};
    double arrived = seconds();

    if (peer->carried)
        memcpy(load->input, peer->carry, peer->carried);
    ssize_t got = recvmsg(peer->fd, &message, MSG_DONTWAIT);
    if (got <= 0) {
        load->broken += !load->closing;
        hang_up(load, peer);
        if (!load->closing)
            connect_peer(load, peer);
        return;
    }
    const struct cmsghdr *mark = CMSG_FIRSTHDR(&message);
    if (mark && mark->cmsg_level == SOL_SOCKET && mark->cmsg_type == SCM_TIMESTAMPNS) {
        struct timespec when;
        memcpy(&when, CMSG_DATA(mark), sizeof(when));
        arrived = (double)when.tv_sec + (double)when.tv_nsec / 1e9;
    }
    size_t n = peer->carried + (size_t)got;
    load->input[n] = '\0';
    int before = peer->fd;
    size_t used = take_frames(load, peer, load->input, n, arrived);
    if (peer->fd != before || !peer->upgraded) {
        if (peer->fd == before && used < n)
            die("a head of HTTP came in pieces");
        return;
    }
    peer->carried = n - used;
    if (!peer->carried)
        return;
    peer->carry = realloc(peer->carry, peer->carried);
    memcpy(peer->carry, load->input + used, peer->carried);
}

/* One turn of at most `ms`. False when nothing came. */
static bool load_wait(Load *load, int ms)
{
    struct epoll_event events[256];
    int n = epoll_wait(load->poll, events, 256, ms);

    for (int i = 0; i < n; i++)
        read_peer(load, events[i].data.ptr);
    return n > 0;
}

static void load_turn(Load *load)
{
    load_wait(load, 100);
}

static void load_run(Load *load, double time)
{
    double end = seconds() + time;

    while (seconds() < end)
        load_turn(load);
}

static void load_begin(Load *load, uint16_t port, uint32_t count)
{
    *load =
        (Load){.port = port, .count = count, .poll = epoll_create1(EPOLL_CLOEXEC), .hold = true};
    load->peers = calloc(count, sizeof(Peer));
    load->replied = calloc(count, sizeof(double));
    load->input = malloc(INPUT_BYTES);
    if (load->poll < 0 || !load->peers || !load->replied || !load->input)
        die("client");
    for (uint32_t i = 0; i < count; i++) {
        load->peers[i].number = i;
        if (i % 64 == 63)
            load_turn(load);
        connect_peer(load, &load->peers[i]);
    }
}

/* When all are connected. */
static void load_meet(Load *load)
{
    double end = seconds() + GIVE_UP_TIME;

    while (load->named < load->count && seconds() < end)
        load_turn(load);
}

/* All say their names, and games begin. */
static void load_play(Load *load)
{
    load->hold = false;
    for (uint32_t i = 0; i < load->count; i++)
        say_name(load, &load->peers[i]);
}

static void load_end(Load *load)
{
    for (uint32_t i = 0; i < load->count; i++)
        if (load->peers[i].fd >= 0)
            hang_up(load, &load->peers[i]);
    free(load->peers);
    free(load->replied);
    free(load->input);
    close(load->poll);
}

static void forget_counts(Load *load)
{
    load->packets = load->requests = load->bytes = load->games = 0;
    load->delays = (Delays){0};
}

/* ---- the server ---- */

typedef struct Rig {
    char base[256]; /* removed when all was measured: ext4 is slow to make files where thousands
                     * were deleted in the last five minutes */
    char dir[288];  /* of one server, in it */
    char warg[4096];
    char config[4096];
    const char *loops;
    pid_t pid;
} Rig;

static int remove_one(const char *path, const struct stat *about, int type, struct FTW *where)
{
    (void)about, (void)type, (void)where;
    return remove(path);
}

static uint64_t walked_bytes; /* nftw has no user pointer */

static int add_bytes(const char *path, const struct stat *about, int type, struct FTW *where)
{
    (void)path, (void)where;
    if (type == FTW_F)
        walked_bytes += (uint64_t)about->st_size;
    return 0;
}

static void read_all(const char *path, Buf *out)
{
    char block[65536];
    ssize_t n;
    int fd = open(path, O_RDONLY | O_CLOEXEC);

    buf_clear(out);
    if (fd < 0)
        return;
    while ((n = read(fd, block, sizeof(block))) > 0)
        buf_add(out, (Str){block, (size_t)n});
    close(fd);
}

static uint16_t rig_port(const Rig *rig, Buf *said)
{
    static const char words[] = "listening on ws://127.0.0.1:";
    char path[512];
    double end = seconds() + GIVE_UP_TIME;

    snprintf(path, sizeof(path), "%s/notes", rig->dir);
    while (seconds() < end) {
        read_all(path, said);
        const char *at = said->len ? memmem(said->bytes, said->len, words, strlen(words)) : NULL;
        if (at && memchr(at, '\n', said->len - (size_t)(at - said->bytes)))
            return (uint16_t)strtoul(at + strlen(words), NULL, 10);
        usleep(10000);
    }
    fprintf(stderr, "bench_nlp: the server does not listen: %s\n", buf_cstr(said));
    exit(1);
}

static void rig_start(Rig *rig)
{
    snprintf(rig->dir, sizeof(rig->dir), "%s/run.XXXXXX", rig->base);
    if (!mkdtemp(rig->dir))
        die(rig->dir);
    rig->pid = fork();
    if (rig->pid == 0) {
        int notes;
        if (chdir(rig->dir) || (notes = open("notes", O_WRONLY | O_CREAT | O_APPEND, 0666)) < 0)
            die(rig->dir);
        dup2(notes, STDOUT_FILENO);
        dup2(notes, STDERR_FILENO);
        execl(rig->warg, rig->warg, "serve", "nlp", "-c", rig->config, "--host", "127.0.0.1",
              "--port", "0", "--loops", rig->loops ? rig->loops : "1", (char *)NULL);
        die(rig->warg);
    }
}

/* KiB of a line of /proc/PID/status. */
static double rig_memory(const Rig *rig, const char *name)
{
    CLEANUP(buf_done) Buf text = {0};
    char path[64];

    snprintf(path, sizeof(path), "/proc/%d/status", (int)rig->pid);
    read_all(path, &text);
    const char *at = text.len ? strstr(buf_cstr(&text), name) : NULL;
    return at ? strtod(at + strlen(name), NULL) : 0;
}

static double processor_time(int who)
{
    struct rusage used;

    getrusage(who, &used);
    return (double)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
           (double)(used.ru_utime.tv_usec + used.ru_stime.tv_usec) / 1e6;
}

/* Of one process that runs, in seconds. */
static double process_time(pid_t pid)
{
    struct timespec used;
    clockid_t clock;

    if (clock_getcpuclockid(pid, &clock) || clock_gettime(clock, &used))
        die("the server's processor time");
    return (double)used.tv_sec + (double)used.tv_nsec / 1e9;
}

/* Games whose log has no result. */
static uint64_t count_unfinished(const Rig *rig, uint64_t *ret_games)
{
    CLEANUP(buf_done) Buf text = {0};
    char path[1024];
    uint64_t unfinished = 0;

    *ret_games = 0;
    snprintf(path, sizeof(path), "%s/log/game", rig->dir);
    DIR *dir = opendir(path);
    for (const struct dirent *entry; dir && (entry = readdir(dir));) {
        if (!strstr(entry->d_name, ".log")) /* the journal lies there, too */
            continue;
        snprintf(path, sizeof(path), "%s/log/game/%s", rig->dir, entry->d_name);
        read_all(path, &text);
        ++*ret_games;
        unfinished += !text.len || !strstr(buf_cstr(&text), ",result,");
    }
    if (dir)
        closedir(dir);
    return unfinished;
}

/* Lines of the server's notes with this word. */
static uint64_t count_notes(const Rig *rig, const char *word)
{
    CLEANUP(buf_done) Buf text = {0};
    char path[512];
    uint64_t count = 0;

    snprintf(path, sizeof(path), "%s/notes", rig->dir);
    read_all(path, &text);
    for (const char *at = text.len ? buf_cstr(&text) : NULL; at && (at = strstr(at, word)); at++)
        count++;
    return count;
}

/* What the server says of one of its loops; 0 when it says nothing. */
static double loop_messages(const Rig *rig, unsigned loop)
{
    CLEANUP(buf_done) Buf text = {0};
    char path[512];
    char word[32];

    snprintf(path, sizeof(path), "%s/notes", rig->dir);
    snprintf(word, sizeof(word), " loop=%u ", loop);
    read_all(path, &text);
    const char *at = text.len ? strstr(buf_cstr(&text), word) : NULL;
    at = at ? strstr(at, " messages=") : NULL;
    return at ? strtod(at + 10, NULL) : 0;
}

/* ---- figures ---- */

typedef struct Figures {
    double seconds;
    double requests;
    double packets;
    double games;
    double p50, p99, longest; /* ms */
    double connected, peak;   /* KiB a connection */
    double processor;         /* seconds of the server for each second */
    double request_us;        /* of a processor, for a request */
    double log_bytes;         /* of a game */
    uint64_t played;
    uint64_t lost;
    uint64_t left_out; /* notes of broadcast lines that did not fit */
} Figures;

static void rig_stop(Rig *rig, Load *load)
{
    double end = seconds() + GIVE_UP_TIME;
    int status = 1;

    load->closing = true;
    kill(rig->pid, SIGTERM);
    while (waitpid(rig->pid, &status, WNOHANG) == 0) {
        if (seconds() > end) {
            fprintf(stderr, "bench_nlp: the server does not end\n");
            kill(rig->pid, SIGKILL);
        }
        load_turn(load);
    }
    if (status)
        fprintf(stderr, "bench_nlp: the server ended with status %d\n", status);
}

static Figures measure(Rig *rig, uint32_t count, double time)
{
    CLEANUP(buf_done) Buf said = {0};
    Figures figures = {0};
    Load load;

    rig_start(rig);
    uint16_t port = rig_port(rig, &said);
    double idle = rig_memory(rig, "VmRSS:");
    load_begin(&load, port, count);
    load_meet(&load);
    figures.connected = (rig_memory(rig, "VmRSS:") - idle) / count;
    load_play(&load);
    load_run(&load, WARM_UP);
    forget_counts(&load);
    double start = seconds(), used = process_time(rig->pid);
    load_run(&load, time);
    figures.seconds = seconds() - start;
    figures.request_us = (process_time(rig->pid) - used) * 1e6 / (double)load.requests;
    figures.requests = (double)load.requests / figures.seconds;
    figures.packets = (double)load.packets / figures.seconds;
    figures.games = (double)load.games / SEATS / figures.seconds;
    figures.p50 = delays_at(&load.delays, 0.5);
    figures.p99 = delays_at(&load.delays, 0.99);
    figures.longest = load.delays.longest * 1000;
    figures.peak = (rig_memory(rig, "VmHWM:") - idle) / count;
    double before = processor_time(RUSAGE_CHILDREN);
    rig_stop(rig, &load);
    figures.processor = (processor_time(RUSAGE_CHILDREN) - before) / (seconds() - start + WARM_UP);
    figures.lost = count_unfinished(rig, &figures.played) + load.broken;
    uint64_t begun = count_notes(rig, " game-begun ");
    figures.lost += begun > figures.played ? begun - figures.played : 0;
    figures.left_out = count_notes(rig, "left out");
    walked_bytes = 0;
    nftw(rig->dir, add_bytes, 64, FTW_PHYS);
    figures.log_bytes = (double)walked_bytes / (double)(begun ? begun : 1);
    load_end(&load);
    return figures;
}

/* ---- what the echo plays ---- */

static void keep_games(Rig *rig, Kept *kept)
{
    CLEANUP(buf_done) Buf said = {0};
    Keeping keeping[GAMES] = {0};
    Load load;

    for (size_t i = 0; i < GAMES; i++)
        keeping[i].kept = &kept[i];
    rig_start(rig);
    load_begin(&load, rig_port(rig, &said), GAMES * SEATS);
    load.keeping = keeping;
    load.closing = true; /* one game each */
    load_meet(&load);
    load_play(&load);
    for (double end = seconds() + GIVE_UP_TIME; load.open;) {
        if (seconds() > end)
            die("games to be kept");
        if (load_wait(&load, 0))
            continue;
        for (size_t i = 0; i < GAMES; i++)
            send_kept(&keeping[i]);
    }
    printf("the echo's games: %.1f packets of %.0f bytes for a request\n",
           (double)load.packets / (double)load.requests, (double)load.bytes / (double)load.packets);
    rig_stop(rig, &load);
    load_end(&load);
}

/* ---- the echo ---- */

typedef struct EchoGame EchoGame;

typedef struct EchoSeat {
    WebConn *conn;
    EchoGame *game; /* NULL: it has not said its name */
    uint32_t number;
} EchoSeat;

struct EchoGame {
    EchoSeat *agents[SEATS];
    uint32_t named;
    uint32_t replies;
    const Kept *kept;
    size_t at;   /* of its lines */
    size_t from; /* of its text */
};

typedef struct Echo {
    const Kept *kept;
    uint32_t begun;
    EchoGame games[PEERS_MAX / SEATS];
} Echo;

static Echo echo;

static void echo_request(void *user, WebConn *conn, const WebRequest *request)
{
    EchoSeat *seat = calloc(1, sizeof(*seat));

    (void)user, (void)request;
    if (!seat)
        die("memory");
    seat->conn = conn;
    if (web_upgrade(conn, seat))
        web_send(conn, STR("{\"request\":\"NAME\"}"));
}

/* What this reply brings. */
static void echo_step(EchoGame *game)
{
    const Kept *kept = game->kept;

    for (; game->at < kept->count && kept->lines[game->at].replies == game->replies; game->at++) {
        const Line *line = &kept->lines[game->at];
        if (game->agents[line->agent])
            web_send(game->agents[line->agent]->conn,
                     str_part(buf_str(&kept->text), game->from, line->bytes));
        game->from += line->bytes;
    }
    if (game->at < kept->count)
        return;
    for (size_t i = 0; i < SEATS; i++) {
        if (game->agents[i])
            web_close(game->agents[i]->conn, 1000, "game over");
        free(game->agents[i]);
    }
    *game = (EchoGame){0};
}

/* "load17-3" */
static void echo_name(EchoSeat *seat, Str name)
{
    char text[32] = "";
    unsigned game = 0, number = 0;

    memcpy(text, name.bytes, name.len < sizeof(text) ? name.len : sizeof(text) - 1);
    if (sscanf(text, "load%u-%u", &game, &number) != 2 || game >= PEERS_MAX / SEATS ||
        number - 1 >= SEATS)
        die("a name");
    seat->game = &echo.games[game];
    seat->number = number - 1;
    seat->game->agents[seat->number] = seat;
    if (++seat->game->named < SEATS)
        return;
    seat->game->kept = &echo.kept[echo.begun++ % GAMES];
    echo_step(seat->game);
}

static void echo_message(void *socket, Str text, TimeUs at)
{
    EchoSeat *seat = socket;

    (void)at;
    if (!seat->game) {
        echo_name(seat, text);
    } else if (seat->game->kept) {
        seat->game->replies++;
        echo_step(seat->game);
    }
}

static void echo_closed(void *socket, WebEnd how, uint16_t code, TimeUs now)
{
    EchoSeat *seat = socket;

    (void)now;
    (void)how, (void)code;
    if (seat->game)
        seat->game->agents[seat->number] = NULL;
    free(seat);
}

static _Noreturn void echo_serve(int said)
{
    static const WebEvents events = {
        .request = echo_request, .message = echo_message, .closed = echo_closed};
    const WebSetup setup = {.host = "127.0.0.1", .events = &events};
    Loop *loop = NULL;
    WebServer *server = NULL;
    Err err = {0};

    if (loop_new(&loop, &err) || web_listen(loop, &setup, &server, &err)) {
        fprintf(stderr, "bench_nlp: %s\n", err.msg);
        _exit(1);
    }
    uint16_t port = web_port(server);
    if (write(said, &port, sizeof(port)) != sizeof(port))
        _exit(1);
    loop_run(loop);
    _exit(0);
}

/* Requests a second; processor time for a request, in microseconds. */
static double measure_echo(const Kept *kept, uint32_t count, double time, double *ret_request_us)
{
    int ends[2];
    uint16_t port;
    Load load;

    if (pipe(ends))
        die("pipe");
    echo.kept = kept;
    pid_t pid = fork();
    if (pid == 0)
        echo_serve(ends[1]);
    if (read(ends[0], &port, sizeof(port)) != sizeof(port))
        die("the echo");
    load_begin(&load, port, count);
    load_meet(&load);
    load_play(&load);
    load_run(&load, WARM_UP / 2);
    forget_counts(&load);
    double start = seconds(), used = process_time(pid);
    load_run(&load, time);
    double rate = (double)load.requests / (seconds() - start);
    *ret_request_us = (process_time(pid) - used) * 1e6 / (double)load.requests;
    load_end(&load);
    kill(pid, SIGTERM);
    waitpid(pid, NULL, 0);
    close(ends[0]);
    close(ends[1]);
    return rate;
}

/* ---- for people ---- */

static void print(uint32_t count, const Figures *figures, double echoed, double echo_us)
{
    printf("  %5u connections  %6.0f requests/s (%.2f of the echo), %6.0f packets/s, %4.0f "
           "games/s\n",
           count, figures->requests, figures->requests / echoed, figures->packets, figures->games);
    printf("                     %.1f us of a processor for a request, %.1f us in the echo\n",
           figures->request_us, echo_us);
    printf("                     delay p50 %.1f ms, p99 %.1f ms, longest %.1f ms; server uses %.2f "
           "processors\n",
           figures->p50, figures->p99, figures->longest, figures->processor);
    printf("                     %.1f KiB each connected, %.1f KiB at the peak; %.0f KiB logged a "
           "game\n",
           figures->connected, figures->peak, figures->log_bytes / 1024);
    printf("                     %llu games, %llu lost%s\n", (unsigned long long)figures->played,
           (unsigned long long)figures->lost,
           figures->left_out ? "; BROADCAST LINES WERE LEFT OUT" : "");
}

/* The round in the middle by requests/s; the worst of what must never be. */
static void measure_rounds(Rig *rig, const Kept *kept, uint32_t count, double time, int rounds)
{
    Figures all[ROUNDS], figures;
    uint64_t lost = 0, left_out = 0;
    double echo_us, echoed = measure_echo(kept, count, time / 2, &echo_us);

    for (int i = 0; i < rounds; i++) {
        all[i] = measure(rig, count, time);
        lost += all[i].lost;
        left_out += all[i].left_out;
        for (int at = i; at > 0 && all[at].requests < all[at - 1].requests; at--) {
            figures = all[at];
            all[at] = all[at - 1];
            all[at - 1] = figures;
        }
    }
    figures = all[rounds / 2];
    figures.lost = lost;
    figures.left_out = left_out;
    print(count, &figures, echoed, echo_us);
}

/* ---- what logs cost ---- */

#define PAIRS        7
#define PAIR_SECONDS 4.0

static int by_size(const void *a, const void *b)
{
    const double *x = a, *y = b;

    return (*x > *y) - (*x < *y);
}

static double median(double *values, size_t count)
{
    qsort(values, count, sizeof(values[0]), by_size);
    return values[count / 2];
}

static void measure_logs(Rig *rig, const char *quiet, const Kept *kept, uint32_t count)
{
    double with[PAIRS], without[PAIRS], echoed[PAIRS], logs[PAIRS], limit[PAIRS];
    Rig other = *rig;

    snprintf(other.config, sizeof(other.config), "%s", quiet);
    for (int i = 0; i < PAIRS; i++) {
        with[i] = measure(rig, count, PAIR_SECONDS).request_us;
        without[i] = measure(&other, count, PAIR_SECONDS).request_us;
        measure_echo(kept, count, PAIR_SECONDS / 2, &echoed[i]);
        logs[i] = with[i] / without[i];
        limit[i] = echoed[i] / with[i];
    }
    double by_logs = median(logs, PAIRS), by_limit = median(limit, PAIRS); /* now sorted */
    printf("  %5u connections  %.1f us of a processor for a request with logs, %.1f without, %.1f "
           "in the echo\n",
           count, median(with, PAIRS), median(without, PAIRS), median(echoed, PAIRS));
    printf(
        "                     with logs / without %.2f (%.2f to %.2f); requests/s by that %.2f of "
        "the echo's (%.2f to %.2f)\n",
        by_logs, logs[0], logs[PAIRS - 1], by_limit, limit[0], limit[PAIRS - 1]);
}

/* ---- what a second loop costs ---- */

#define LOOPS_RATIO     1.1 /* of processor time for a request */
#define LOOPS_SHARE     0.1 /* by which the loops' messages may differ */
#define LOOPS_PAIRS_MAX 16

static bool measure_loops(Rig *rig, uint32_t count, double time, size_t pairs)
{
    double one[LOOPS_PAIRS_MAX], two[LOOPS_PAIRS_MAX], ratio[LOOPS_PAIRS_MAX];
    double rate[2] = {0}, messages[2] = {0};
    uint64_t lost = 0;

    for (size_t i = 0; i < pairs; i++) {
        rig->loops = "1";
        Figures alone = measure(rig, count, time);
        rig->loops = "2";
        Figures both = measure(rig, count, time);
        for (unsigned loop = 0; loop < 2; loop++)
            messages[loop] += loop_messages(rig, loop + 1);
        one[i] = alone.request_us;
        two[i] = both.request_us;
        ratio[i] = two[i] / one[i];
        rate[0] += alone.requests / (double)pairs;
        rate[1] += both.requests / (double)pairs;
        lost += alone.lost + both.lost;
    }
    double by_loops = median(ratio, pairs); /* now sorted */
    double most = messages[0] > messages[1] ? messages[0] : messages[1];
    double least = messages[0] < messages[1] ? messages[0] : messages[1];
    double apart = most > 0 ? 1 - least / most : 1;
    printf("  %5u connections  %.1f us of a processor for a request with one loop, %.1f with two: "
           "%.2f (%.2f to %.2f)\n",
           count, median(one, pairs), median(two, pairs), by_loops, ratio[0], ratio[pairs - 1]);
    printf("                     the loops' messages differ by %.1f %%; %.0f requests/s with "
           "one, %.0f with two; %llu games lost\n",
           100 * apart, rate[0], rate[1], (unsigned long long)lost);
    return by_loops <= 1 + 2 * (LOOPS_RATIO - 1) && apart <= LOOPS_SHARE;
}

/* ext4 puts each folder of such a one where there is room, far from what others deleted of late:
 * looking for a file's place among thousands of those would be half of the server's time. */
static void spread_folders(const char *path)
{
    int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC), flags = 0;

    if (fd < 0)
        return;
    if (ioctl(fd, FS_IOC_GETFLAGS, &flags) == 0) {
        flags |= FS_TOPDIR_FL;
        ioctl(fd, FS_IOC_SETFLAGS, &flags); /* other file systems have no such thing */
    }
    close(fd);
}

/* A folder for all runs. */
static void rig_make(Rig *rig)
{
    const char *place = getenv("TMPDIR");

    snprintf(rig->base, sizeof(rig->base), "%s/bench_nlp.XXXXXX",
             place && *place ? place : "/var/tmp");
    if (!mkdtemp(rig->base))
        die(rig->base);
    spread_folders(rig->base);
}

static void rig_remove(const Rig *rig)
{
    if (!getenv("BENCH_KEEP"))
        nftw(rig->base, remove_one, 64, FTW_DEPTH | FTW_PHYS);
}

int main(int argc, char **argv)
{
    static const uint32_t counts[] = {50, 500, 2000};
    struct rlimit files;
    uint64_t count = 0, time = 0, pairs = 0;
    char quiet[4096];
    Kept kept[GAMES] = {0};
    bool good = true;
    Rig rig = {0};

    setvbuf(stdout, NULL, _IONBF, 0);
    bool one = argc == 5 && str_to_uint(str_of(argv[3]), PEERS_MAX, &count) &&
               str_to_uint(str_of(argv[4]), 3600, &time) && count >= SEATS && time > 0;
    bool logs = argc == 5 && strcmp(argv[3], "without") == 0 && realpath(argv[4], quiet);
    bool loops = argc == 7 && strcmp(argv[3], "loops") == 0 &&
                 str_to_uint(str_of(argv[4]), PEERS_MAX, &count) &&
                 str_to_uint(str_of(argv[5]), 3600, &time) &&
                 str_to_uint(str_of(argv[6]), LOOPS_PAIRS_MAX, &pairs) && count >= SEATS &&
                 time > 0 && pairs > 0;
    if ((argc != 3 && !one && !logs && !loops) || !realpath(argv[1], rig.warg) ||
        !realpath(argv[2], rig.config)) {
        fprintf(stderr, "usage: bench_nlp WARG CONFIG [CONNECTIONS SECONDS | without QUIET | "
                        "loops CONNECTIONS SECONDS PAIRS]\n");
        return 2;
    }
    signal(SIGPIPE, SIG_IGN);
    getrlimit(RLIMIT_NOFILE, &files);
    files.rlim_cur = files.rlim_max;
    setrlimit(RLIMIT_NOFILE, &files);
    printf("natural-language division over loopback, one server process, one client process\n");
    rig_make(&rig);
    keep_games(&rig, kept);
    if (one)
        measure_rounds(&rig, kept, (uint32_t)count - (uint32_t)count % SEATS, (double)time, 1);
    if (loops)
        good = measure_loops(&rig, (uint32_t)count - (uint32_t)count % SEATS, (double)time, pairs);
    for (size_t i = 0; logs && i < 2; i++)
        measure_logs(&rig, quiet, kept, counts[i]);
    for (size_t i = 0; argc == 3 && i < sizeof(counts) / sizeof(counts[0]); i++)
        measure_rounds(&rig, kept, counts[i], 5, ROUNDS);
    forget_games(kept);
    rig_remove(&rig);
    return good ? 0 : 1;
}
