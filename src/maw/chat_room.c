#include "maw/chat_room.h"

#define NOT_ASKED INT64_MIN

typedef enum RoomState {
    ROOM_SETUP, /* never opened: nobody is a member */
    ROOM_OPEN,
    ROOM_CLOSED,
} RoomState;

typedef struct Reader {
    int64_t cursor; /* it has received all lines before this one: the index it asked for last */
    TimeUs asked;   /* when it asked last, a writer at the latest at the opening; NOT_ASKED */
} Reader;

/* A line and its texts in one block. */
typedef struct StoredLine {
    MawLine line;
    char texts[];
} StoredLine;

struct ChatRoom {
    char *name;
    RoomState state;
    uint64_t writers; /* the living members; also while it is closed */
    uint64_t readers; /* all members */
    Reader reader[ROOM_READERS_MAX];
    /* The lines first..next-1, each at its index modulo `slots`, which is a power of two. */
    StoredLine **lines;
    uint32_t slots;
    int64_t first;
    int64_t next;
};

int chat_room_new(const char *name, ChatRoom **ret_room, Err *err)
{
    CLEANUP(mem_freep) ChatRoom *room = mem_new(sizeof(*room));
    size_t bytes = strlen(name) + 1;

    if (!room || !(room->name = mem_new(bytes)))
        return err_set(err, ERR_MEMORY, "room '%s': out of memory", name);
    memcpy(room->name, name, bytes);
    for (unsigned player = 0; player < ROOM_READERS_MAX; player++)
        room->reader[player].asked = NOT_ASKED;
    *ret_room = TAKE(room);
    return 0;
}

static StoredLine **slot_of(const ChatRoom *room, int64_t index)
{
    return &room->lines[(uint64_t)index & (room->slots - 1)];
}

/* Forgets the lines before `index`. */
static void drop_before(ChatRoom *room, int64_t index)
{
    for (; room->first < index; room->first++) {
        StoredLine **slot = slot_of(room, room->first);
        *slot = mem_free(*slot);
    }
}

ChatRoom *chat_room_free(ChatRoom *room)
{
    if (!room)
        return NULL;
    drop_before(room, room->next);
    mem_free(room->lines);
    mem_free(room->name);
    return mem_free(room);
}

const char *chat_room_name(const ChatRoom *room)
{
    return room->name;
}

bool chat_room_is_open(const ChatRoom *room)
{
    return room->state == ROOM_OPEN;
}

bool chat_room_open(ChatRoom *room, uint64_t writers, uint64_t readers, TimeUs now)
{
    if (room->state == ROOM_OPEN)
        return false;
    room->state = ROOM_OPEN;
    room->writers = writers;
    room->readers = readers | writers;
    drop_before(room, room->next);
    for (unsigned player = 0; player < ROOM_READERS_MAX; player++) {
        room->reader[player].cursor = room->next;
        if ((writers >> player) & 1)
            room->reader[player].asked = now;
    }
    return true;
}

bool chat_room_close(ChatRoom *room)
{
    if (room->state != ROOM_OPEN)
        return false;
    room->state = ROOM_CLOSED;
    return true;
}

static bool is_in(uint64_t players, unsigned player)
{
    return player < ROOM_READERS_MAX && ((players >> player) & 1);
}

void chat_room_silence(ChatRoom *room, unsigned player, bool still_reads)
{
    if (player >= ROOM_READERS_MAX)
        return;
    room->writers &= ~((uint64_t)1 << player);
    if (!still_reads)
        room->readers &= ~((uint64_t)1 << player);
    room->reader[player].asked = NOT_ASKED;
}

bool chat_room_may_write(const ChatRoom *room, unsigned player)
{
    return room->state == ROOM_OPEN && is_in(room->writers, player);
}

bool chat_room_may_read(const ChatRoom *room, unsigned player)
{
    return is_in(room->readers, player);
}

/* A slot for one more line: twice as many when they are all used. */
static bool make_room(ChatRoom *room)
{
    if (room->next - room->first < room->slots)
        return true;
    uint32_t slots = room->slots ? 2 * room->slots : 16;
    StoredLine **lines = mem_new(slots * sizeof(StoredLine *));
    if (!lines)
        return false;
    for (int64_t index = room->first; index < room->next; index++)
        lines[(uint64_t)index & (slots - 1)] = *slot_of(room, index);
    mem_free(room->lines);
    room->lines = lines;
    room->slots = slots;
    return true;
}

/* Copies `text` to `*at`, which moves behind it. */
static Str keep_text(char **at, Str text)
{
    Str kept = {*at, text.len};

    if (text.len)
        memcpy(*at, text.bytes, text.len);
    *at += text.len;
    return kept;
}

int64_t chat_room_add(ChatRoom *room, int player, Str jid, Str name, Str text, Str time)
{
    if (player >= 0 && !chat_room_may_write(room, (unsigned)player))
        return ERR_RULE;
    if (!make_room(room))
        return ERR_MEMORY;
    StoredLine *stored = mem_new(sizeof(*stored) + jid.len + name.len + text.len + time.len + 1);
    if (!stored)
        return ERR_MEMORY;
    char *at = stored->texts;
    stored->line = (MawLine){
        .index = room->next,
        .from = keep_text(&at, jid),
        .name = keep_text(&at, name),
        .text = keep_text(&at, text),
        .time = keep_text(&at, time),
        .kind = player < 0 ? STR("system") : STR("chat"),
    };
    *slot_of(room, room->next) = stored;
    room->next++;
    if (room->next - room->first > ROOM_LINES_MAX)
        drop_before(room, room->next - ROOM_LINES_MAX);
    return stored->line.index;
}

/* Who is waited for: who asked a short time ago. So the dead and the departed are not, unless they
 * watch: then they get all lines like everybody (A19, A22). */
static bool holds_back(const ChatRoom *room, unsigned player, TimeUs now)
{
    TimeUs asked = room->reader[player].asked;

    return is_in(room->readers, player) && asked != NOT_ASKED && now - asked < ROOM_FORGETS_US;
}

/* Drops what all have received. A closed room keeps its last lines for those who come late. */
static void purge_lines(ChatRoom *room, TimeUs now)
{
    int64_t received = room->next;

    if (room->state != ROOM_OPEN)
        return;
    for (unsigned player = 0; player < ROOM_READERS_MAX; player++)
        if (holds_back(room, player, now) && room->reader[player].cursor < received)
            received = room->reader[player].cursor;
    drop_before(room, received);
}

uint32_t chat_room_read(ChatRoom *room, unsigned player, int64_t index, TimeUs now,
                        MawLine *ret_lines, uint32_t max, int64_t *ret_first)
{
    uint32_t count = 0;

    *ret_first = room->next;
    if (!chat_room_may_read(room, player))
        return 0;
    if (index < 0)
        index = 0;
    if (index > room->next)
        index = room->next;
    room->reader[player] = (Reader){.cursor = index, .asked = now};
    purge_lines(room, now);
    if (index < room->first)
        index = room->first;
    *ret_first = index;
    for (; count < max && index < room->next; count++, index++)
        ret_lines[count] = (*slot_of(room, index))->line;
    return count;
}

int64_t chat_room_next(const ChatRoom *room)
{
    return room->next;
}

uint32_t chat_room_kept(const ChatRoom *room)
{
    return (uint32_t)(room->next - room->first);
}
