#define _GNU_SOURCE /* memmem */
#include "serve/realtime.h"

#include "base/date_text.h"
#include "base/json.h"
#include "disk/folder.h"
#include "disk/log_file.h"
#include "nlp/queue_file.h"
#include "record/nlp_files.h"

#include <assert.h>

/* The two streams. */
typedef enum Stream { FULL, MASKED, STREAM_COUNT } Stream;

/* About as many as are read back at once. */
#define BLOCK_PACKETS 250

/* What a game shows in one stream. */
typedef struct Shown {
    LineFile *file; /* NULL: not this stream, all lines are there, or writing failed */
    bool listed;
    Buf spooled;        /* the list of agents that was put into the queue last */
    Buf agents;         /* and the one that was taken out last */
    int64_t updated_ms; /* of its last line */
    int64_t told_ms;    /* what `told` says */
    Str told;           /* in `told_room` */
    char told_room[DATE_TEXT_ROOM];
} Shown;

struct RealtimeGame {
    Buf entry[STREAM_COUNT]; /* {"id":"...","filename":"...","updated_at":" */
    Shown shown[STREAM_COUNT];
    uint64_t waiting; /* lines in the queue */
    bool over;
    TimeUs gone_at; /* LEAVING: when it is taken from the lists */
    RealtimeGame *before;
    RealtimeGame *after;       /* all games, in the order in which they began */
    RealtimeGame *leaving;     /* the next one that leaves */
    struct Waiting *due_first; /* its packets in a batch */
    struct Waiting *due_last;
    RealtimeGame *due_next; /* the next one with packets in it */
};

/* What the queue has of a line. Nine tenths of most are the list of agents, which changes when
 * somebody dies: only the first line that has it brings it along. */
typedef struct Kept {
    uint32_t head;   /* bytes in front of the list; 0 = all is in `rest` */
    uint32_t agents; /* of the list; 0 = it is that of the line before */
    uint32_t rest;   /* behind it, with the line's end; 0 = no line */
} Kept;

/* A packet that waits for the delay. Its two forms are in the queue. */
typedef struct Waiting {
    RealtimeGame *game;
    TimeUs due;
    Kept lines[STREAM_COUNT];
    size_t at;            /* of its lines in the batch */
    struct Waiting *next; /* of its game in the batch */
} Waiting;

/* A part of the queue: thousands of packets wait, and a block goes when its last one has gone. */
typedef struct QueueBlock {
    struct QueueBlock *next;
    uint32_t first; /* of those that still wait */
    uint32_t end;
    Waiting packets[BLOCK_PACKETS];
} QueueBlock;

struct Realtime {
    TimeUs delay;
    Buf dirs[STREAM_COUNT];
    Stream streams; /* how many there are: 1, or 2 with the masked one */
    RealtimeGame *first;
    RealtimeGame *last;
    RealtimeGame *leaving_first; /* in the order of gone_at */
    RealtimeGame *leaving_last;
    uint32_t leaving_count;
    QueueFile *queue;        /* NULL: no delay */
    QueueBlock *queue_first; /* in the order of `due`: the delay is the same for all */
    QueueBlock *queue_last;
    size_t queue_bytes;
    size_t queue_limit;
    bool changed; /* the lists on disk are old */
    TimeUs lists_at;
    size_t listed;           /* games in the lists that were written last */
    Buf batch;               /* what was read back of packets that are due */
    RealtimeGame *due_first; /* games that have packets in it */
    Buf lines;               /* of one game, as they are written */
    TimeUs took_at;          /* when lines appeared last */
    size_t took_games;       /* of how many games */
    Buf list;
    Err trouble;
};

/* ---- the lists ---- */

/* With milliseconds (RFC 3339 5.6): the viewer fetches a game whose time has changed. */
static void tell_time(Shown *shown)
{
    if (shown->told.len && shown->told_ms == shown->updated_ms)
        return;
    shown->told_ms = shown->updated_ms;
    shown->told = date_text_write(shown->updated_ms, shown->told_room);
}

/* Entries were made when their games began: of thousands only the times of some have changed. */
static size_t list_write(Realtime *realtime, Stream stream, RealtimeGame *first, Err *err)
{
    CLEANUP(buf_done) Buf path = {0};
    Buf *list = &realtime->list;
    size_t count = 0;

    buf_clear(list);
    buf_add_char(list, '[');
    for (RealtimeGame *game = first; game; game = game->after) {
        Shown *shown = &game->shown[stream];
        if (!shown->listed)
            continue;
        tell_time(shown);
        if (count++ > 0)
            buf_add_char(list, ',');
        buf_add(list, buf_str(&game->entry[stream]));
        buf_add(list, shown->told);
        buf_add(list, STR("\"}"));
    }
    buf_add_char(list, ']');
    buf_printf(&path, "%s/games.json", buf_cstr(&realtime->dirs[stream]));
    if (buf_failed(list) || buf_failed(&path))
        err_set(err, ERR_MEMORY, "realtime list: out of memory");
    else
        log_file_write(buf_cstr(&path), buf_str(list), err);
    return count;
}

static void make_entry(Buf *entry, Str id, Str stem)
{
    buf_add(entry, STR("{\"id\":"));
    json_quote(entry, id, false);
    buf_add(entry, STR(",\"filename\":"));
    json_quote(entry, stem, false);
    buf_add(entry, STR(",\"updated_at\":\""));
}

static void lists_write(Realtime *realtime, TimeUs now)
{
    realtime->listed = 0;
    for (Stream stream = FULL; stream < realtime->streams; stream++)
        realtime->listed += list_write(realtime, stream, realtime->first, &realtime->trouble);
    realtime->changed = false;
    realtime->lists_at = now;
}

/* When the lists may be written again. */
static TimeUs lists_due(const Realtime *realtime)
{
    TimeUs more = realtime->listed > 100 ? (TimeUs)realtime->listed * REALTIME_LIST_GAME_US : 0;

    return realtime->lists_at + REALTIME_LIST_US + more;
}

/* ---- games ---- */

static void close_game(Realtime *realtime, RealtimeGame *game)
{
    for (Stream stream = FULL; stream < STREAM_COUNT; stream++) {
        line_file_close(game->shown[stream].file, false, &realtime->trouble);
        game->shown[stream].file = NULL;
        buf_done(&game->shown[stream].spooled);
        buf_done(&game->shown[stream].agents);
    }
}

static RealtimeGame *free_game(Realtime *realtime, RealtimeGame *game)
{
    close_game(realtime, game);
    for (Stream stream = FULL; stream < STREAM_COUNT; stream++)
        buf_done(&game->entry[stream]);
    return mem_free(game);
}

/* Its last line is there: it leaves a while later. */
static void game_leaves(Realtime *realtime, RealtimeGame *game, TimeUs now)
{
    close_game(realtime, game);
    game->gone_at = now + REALTIME_LEAVING_US;
    if (realtime->leaving_last)
        realtime->leaving_last->leaving = game;
    else
        realtime->leaving_first = game;
    realtime->leaving_last = game;
    realtime->leaving_count++;
}

static void remove_first_leaving(Realtime *realtime)
{
    RealtimeGame *game = realtime->leaving_first;

    realtime->leaving_first = game->leaving;
    if (!game->leaving)
        realtime->leaving_last = NULL;
    *(game->before ? &game->before->after : &realtime->first) = game->after;
    *(game->after ? &game->after->before : &realtime->last) = game->before;
    realtime->leaving_count--;
    realtime->changed = true;
    free_game(realtime, game);
}

/* What is in `lines` appears in one stream of a game. */
static void lines_appear(Realtime *realtime, Shown *shown, int64_t unix_ms)
{
    Buf *lines = &realtime->lines;
    int rc = 0;

    if (!shown->file || (lines->len == 0 && !buf_failed(lines)))
        return;
    if (buf_failed(lines))
        rc = err_set(&realtime->trouble, ERR_MEMORY, "write '%s': out of memory",
                     line_file_path(shown->file));
    else
        rc = line_file_add(shown->file, buf_str(lines), &realtime->trouble);
    buf_clear(lines);
    if (rc) {
        line_file_close(shown->file, false, NULL);
        shown->file = NULL;
        return;
    }
    shown->listed = true;
    shown->updated_ms = unix_ms;
    realtime->changed = true;
}

/* ---- the queue ---- */

/* Where the next packet goes; NULL without memory. */
static Waiting *queue_place(Realtime *realtime)
{
    QueueBlock *last = realtime->queue_last;

    if (last && last->end < BLOCK_PACKETS)
        return &last->packets[last->end];
    QueueBlock *block = mem_new(sizeof(*block));
    if (!block)
        return NULL;
    *(last ? &last->next : &realtime->queue_first) = block;
    realtime->queue_last = block;
    return &block->packets[0];
}

/* What waits longest; NULL = nothing does. A block is empty when the packet that it was made for
 * could not be kept. */
static Waiting *queue_head(const Realtime *realtime)
{
    QueueBlock *block = realtime->queue_first;

    return block && block->first < block->end ? &block->packets[block->first] : NULL;
}

static void queue_drop_first(Realtime *realtime)
{
    QueueBlock *block = realtime->queue_first;

    realtime->queue_first = block->next;
    if (!block->next)
        realtime->queue_last = NULL;
    mem_free(block);
}

static size_t kept_bytes(const Waiting *waiting)
{
    const Kept *full = &waiting->lines[FULL], *masked = &waiting->lines[MASKED];

    return (size_t)full->head + full->agents + full->rest + masked->head + masked->agents +
           masked->rest;
}

/* The list of agents in a packet, which mostly is `last`; empty where there is none. What is looked
 * for can't stand in a string: its quotes would be escaped. */
static Str agents_in(Str packet, Str last)
{
    static const char begin[] = "\"agents\":[", end[] = "],\"event\":";
    const char *from = memmem(packet.bytes, packet.len, begin, sizeof(begin) - 1);

    if (!from)
        return (Str){packet.bytes, 0};
    from += sizeof(begin) - 1;
    size_t left = packet.len - (size_t)(from - packet.bytes);
    Str list = {from, left < last.len ? 0 : last.len};
    if (str_eq(list, last) &&
        str_starts(str_part((Str){from, left}, last.len, left), (Str){end, sizeof(end) - 1}))
        return list;
    const char *to = memmem(from, left, end, sizeof(end) - 1);
    return (Str){from, to ? (size_t)(to - from) : 0};
}

#define PARTS 4

/* What of a packet goes into the queue. */
static Kept split_line(const Shown *shown, Str packet, Str *parts)
{
    Str spooled = buf_str(&shown->spooled);
    Str agents = agents_in(packet, spooled);

    if (agents.len == 0)
        agents.bytes = packet.bytes;
    size_t head = (size_t)(agents.bytes - packet.bytes);
    Str rest = str_part(packet, head + agents.len, packet.len);
    Str end = packet.len ? STR("\n") : STR("");
    if (str_eq(agents, spooled))
        agents.len = 0;
    parts[0] = str_part(packet, 0, head);
    parts[1] = agents;
    parts[2] = rest;
    parts[3] = end;
    return (Kept){(uint32_t)head, (uint32_t)agents.len, (uint32_t)(rest.len + end.len)};
}

static void queue_add(Realtime *realtime, RealtimeGame *game, const Str *forms, TimeUs due)
{
    Waiting made = {.game = game, .due = due};
    Str parts[STREAM_COUNT * PARTS];

    for (Stream stream = FULL; stream < STREAM_COUNT; stream++)
        made.lines[stream] =
            split_line(&game->shown[stream], forms[stream], parts + PARTS * stream);
    if (kept_bytes(&made) > realtime->queue_limit - realtime->queue_bytes) {
        err_set(&realtime->trouble, ERR_LIMIT,
                "realtime: more than %zu MiB wait for the delay; lines are left out",
                realtime->queue_limit >> 20);
        return;
    }
    Waiting *place = queue_place(realtime);
    if (!place) {
        err_set(&realtime->trouble, ERR_MEMORY, "realtime: out of memory; a line is left out");
        return;
    }
    if (queue_file_add(realtime->queue, parts, STREAM_COUNT * PARTS, &realtime->trouble) != 0)
        return;
    for (Stream stream = FULL; stream < STREAM_COUNT; stream++) {
        if (made.lines[stream].agents == 0)
            continue;
        buf_clear(&game->shown[stream].spooled);
        buf_add(&game->shown[stream].spooled, parts[PARTS * stream + 1]);
    }
    *place = made;
    realtime->queue_last->end++;
    game->waiting++;
    realtime->queue_bytes += kept_bytes(&made);
}

/* What is read back at once; and what is written at once, from one buffer for all games, which
 * stays in the processor's cache. */
#define BATCH_BYTES ((size_t)1024 * 1024)
#define WRITE_BYTES ((size_t)256 * 1024)

/* Takes `bytes` off the front. */
static Str take_part(Str *text, size_t bytes)
{
    Str part = str_part(*text, 0, bytes);

    *text = str_part(*text, bytes, text->len);
    return part;
}

/* Makes the line whole again, behind those of `lines`. Without its list of agents, which could not
 * be read back, it is left out. */
static void add_line(Realtime *realtime, Shown *shown, Kept kept, size_t at)
{
    Str line = str_part(buf_str(&realtime->batch), at, SIZE_MAX);
    Str head = take_part(&line, kept.head), list = take_part(&line, kept.agents);
    Str rest = take_part(&line, kept.rest);

    if (list.len > 0) {
        buf_clear(&shown->agents);
        buf_add(&shown->agents, list);
    }
    if (kept.head > 0 && (shown->agents.len == 0 || buf_failed(&shown->agents)))
        return;
    buf_add(&realtime->lines, head);
    if (kept.head > 0)
        buf_add(&realtime->lines, buf_str(&shown->agents));
    buf_add(&realtime->lines, rest);
}

/* Its lines are lost, and with them perhaps the list of agents. */
static void forget_agents(RealtimeGame *game)
{
    for (Stream stream = FULL; stream < STREAM_COUNT; stream++) {
        buf_done(&game->shown[stream].spooled);
        buf_done(&game->shown[stream].agents);
    }
}

/* The packets of a game that are in the batch appear. */
static void game_appears(Realtime *realtime, RealtimeGame *game, int64_t unix_ms)
{
    for (Stream stream = FULL; stream < realtime->streams; stream++) {
        Shown *shown = &game->shown[stream];
        for (const Waiting *one = game->due_first; one && shown->file; one = one->next) {
            const Kept *full = &one->lines[FULL];
            size_t before = stream == FULL ? 0 : (size_t)full->head + full->agents + full->rest;
            add_line(realtime, shown, one->lines[stream], one->at + before);
            if (realtime->lines.len >= WRITE_BYTES)
                lines_appear(realtime, shown, unix_ms);
        }
        lines_appear(realtime, shown, unix_ms);
    }
}

static void batch_add(Realtime *realtime, Waiting *packet, size_t at)
{
    RealtimeGame *game = packet->game;

    packet->at = at;
    if (game->due_first) {
        game->due_last->next = packet;
    } else {
        game->due_first = packet;
        game->due_next = realtime->due_first;
        realtime->due_first = game;
        realtime->took_games++;
    }
    game->due_last = packet;
    game->waiting--;
}

/* Puts what is due into a batch, as much as is read back at once. How many bytes that is. */
static size_t batch_collect(Realtime *realtime, TimeUs now)
{
    size_t bytes = 0;

    for (QueueBlock *block = realtime->queue_first; block; block = block->next)
        for (uint32_t i = block->first; i < block->end; i++) {
            Waiting *packet = &block->packets[i];
            if (packet->due > now || bytes >= BATCH_BYTES)
                return bytes;
            batch_add(realtime, packet, bytes);
            bytes += kept_bytes(packet);
        }
    return bytes;
}

/* The batch leaves the queue: it was `bytes`. */
static void batch_drop(Realtime *realtime, size_t bytes)
{
    realtime->queue_bytes -= bytes;
    for (QueueBlock *block = realtime->queue_first; bytes > 0; block = realtime->queue_first) {
        while (bytes > 0 && block->first < block->end)
            bytes -= kept_bytes(&block->packets[block->first++]);
        if (block->first == block->end)
            queue_drop_first(realtime);
    }
}

/* A batch appears: the lines of a game that came one by one are one write. */
static void batch_appears(Realtime *realtime, TimeUs now, int64_t unix_ms)
{
    size_t bytes = batch_collect(realtime, now);
    bool lost = queue_file_take(realtime->queue, bytes, &realtime->batch, &realtime->trouble) != 0;

    for (RealtimeGame *game = realtime->due_first; game; game = realtime->due_first) {
        realtime->due_first = game->due_next;
        if (lost)
            forget_agents(game);
        else
            game_appears(realtime, game, unix_ms);
        game->due_first = game->due_last = NULL;
        if (game->over && game->waiting == 0)
            game_leaves(realtime, game, now);
    }
    batch_drop(realtime, bytes);
}

/* All that is due appears. */
static void queue_appears(Realtime *realtime, TimeUs now, int64_t unix_ms)
{
    const Waiting *head = queue_head(realtime);

    if (head && head->due <= now) {
        realtime->took_games = 0;
        realtime->took_at = now;
    }
    for (; head && head->due <= now; head = queue_head(realtime))
        batch_appears(realtime, now, unix_ms);
}

/* When lines may appear again. */
static TimeUs take_due(const Realtime *realtime)
{
    TimeUs wait = REALTIME_TAKE_US + (TimeUs)realtime->took_games * REALTIME_TAKE_GAME_US;

    return realtime->took_at + (wait < REALTIME_TAKE_MAX_US ? wait : REALTIME_TAKE_MAX_US);
}

/* ---- interface ---- */

int realtime_open(const RealtimeSetup *setup, Realtime **ret_realtime, Err *err)
{
    Realtime *realtime = mem_new(sizeof(*realtime));
    const char *dir = setup->dir;
    Err problem = {0};

    if (!realtime)
        return err_set(err, ERR_MEMORY, "realtime: out of memory");
    realtime->delay = setup->delay;
    realtime->streams = setup->masked ? STREAM_COUNT : MASKED;
    realtime->lists_at = -REALTIME_LIST_US;
    realtime->took_at = -REALTIME_TAKE_MAX_US;
    realtime->queue_limit = REALTIME_QUEUE_BYTES;
    buf_add(&realtime->dirs[FULL], str_of(dir && dir[0] ? dir : "."));
    buf_printf(&realtime->dirs[MASKED], "%s/masked", buf_cstr(&realtime->dirs[FULL]));
    for (Stream stream = FULL; stream < realtime->streams && !problem.code; stream++) {
        if (buf_failed(&realtime->dirs[stream]))
            err_set(&problem, ERR_MEMORY, "realtime: out of memory");
        else if (folder_make(buf_str(&realtime->dirs[stream]), &problem) == 0)
            list_write(realtime, stream, NULL, &problem);
    }
    if (!problem.code && realtime->delay > 0)
        queue_file_new(buf_cstr(&realtime->dirs[FULL]), &realtime->queue, &problem);
    if (problem.code) {
        realtime_free(realtime);
        return err_set(err, problem.code, "%s", problem.msg);
    }
    *ret_realtime = realtime;
    return 0;
}

int realtime_new(const Config *config, Realtime **ret_realtime, Err *err)
{
    const RealtimeSetup setup = {.dir = config->realtime.output_dir,
                                 .delay = config->realtime_delay_ms * 1000,
                                 .masked = config->realtime_masked};

    return realtime_open(&setup, ret_realtime, err);
}

Realtime *realtime_free(Realtime *realtime)
{
    bool begun = realtime && realtime->first;

    if (!realtime)
        return NULL;
    queue_appears(realtime, TIME_US_NEVER - REALTIME_LEAVING_US, 0);
    queue_file_free(realtime->queue);
    mem_free(realtime->queue_first);
    for (RealtimeGame *game = realtime->first; game; game = realtime->first) {
        realtime->first = game->after;
        free_game(realtime, game);
    }
    for (Stream stream = FULL; begun && stream < realtime->streams; stream++)
        list_write(realtime, stream, NULL, NULL);
    for (Stream stream = FULL; stream < STREAM_COUNT; stream++)
        buf_done(&realtime->dirs[stream]);
    buf_done(&realtime->batch);
    buf_done(&realtime->lines);
    buf_done(&realtime->list);
    return mem_free(realtime);
}

int realtime_begin(Realtime *realtime, Str id, Str stem, RealtimeGame **ret_game, Err *err)
{
    RealtimeGame *game = mem_new(sizeof(*game));
    int rc = 0;

    if (!game)
        return err_set(err, ERR_MEMORY, "realtime: out of memory");
    for (Stream stream = FULL; stream < realtime->streams && rc == 0; stream++) {
        CLEANUP(buf_done) Buf name = {0};
        /* A stem may have the teams in it: who may not know them finds the game by its id. */
        buf_add(&name, stream == MASKED ? id : stem);
        make_entry(&game->entry[stream], id, buf_str(&name));
        rc = buf_failed(&game->entry[stream]) || buf_failed(&name)
                 ? err_set(err, ERR_MEMORY, "realtime: out of memory")
                 : line_file_open(buf_cstr(&realtime->dirs[stream]), buf_cstr(&name), ".jsonl",
                                  &game->shown[stream].file, err);
    }
    if (rc) {
        free_game(realtime, game);
        return rc;
    }
    game->before = realtime->last;
    *(realtime->last ? &realtime->last->after : &realtime->first) = game;
    realtime->last = game;
    *ret_game = game;
    return 0;
}

void realtime_add(Realtime *realtime, RealtimeGame *game, Str packet, Str masked, TimeUs now,
                  int64_t unix_ms)
{
    const Str forms[STREAM_COUNT] = {packet, realtime->streams == MASKED ? STR("") : masked};

    assert(!game->over);
    if (forms[FULL].len + forms[MASKED].len == 0)
        return;
    if (realtime->delay > 0) {
        queue_add(realtime, game, forms, now + realtime->delay);
        return;
    }
    for (Stream stream = FULL; stream < STREAM_COUNT && stream < realtime->streams; stream++) {
        if (forms[stream].len == 0 || !game->shown[stream].file)
            continue;
        buf_add(&realtime->lines, forms[stream]);
        buf_add_char(&realtime->lines, '\n');
        lines_appear(realtime, &game->shown[stream], unix_ms);
    }
    if (realtime->changed && now >= lists_due(realtime))
        lists_write(realtime, now);
}

void realtime_end(Realtime *realtime, RealtimeGame *game, TimeUs now)
{
    assert(!game->over);
    game->over = true;
    if (game->waiting == 0)
        game_leaves(realtime, game, now);
}

void realtime_tick(Realtime *realtime, TimeUs now, int64_t unix_ms)
{
    if (now >= take_due(realtime)) /* the caller's timer has other reasons to run, too */
        queue_appears(realtime, now, unix_ms);
    while (realtime->leaving_first && (realtime->leaving_first->gone_at <= now ||
                                       realtime->leaving_count > REALTIME_LEAVING_MAX))
        remove_first_leaving(realtime);
    if (realtime->changed && now >= lists_due(realtime))
        lists_write(realtime, now);
}

TimeUs realtime_deadline(const Realtime *realtime)
{
    TimeUs when = TIME_US_NEVER;

    const Waiting *head = queue_head(realtime);
    if (head)
        when = head->due > take_due(realtime) ? head->due : take_due(realtime);
    if (realtime->leaving_first && realtime->leaving_first->gone_at < when)
        when = realtime->leaving_first->gone_at;
    if (realtime->changed && lists_due(realtime) < when)
        when = lists_due(realtime);
    return when;
}

void realtime_limit_queue(Realtime *realtime, size_t bytes)
{
    realtime->queue_limit = bytes;
}

bool realtime_trouble(Realtime *realtime, Err *ret_err)
{
    if (!realtime->trouble.code)
        return false;
    *ret_err = realtime->trouble;
    realtime->trouble = (Err){0};
    return true;
}
