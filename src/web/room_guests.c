/* Who is in a room: cookies, names, the queue. */
#include "base/utf8.h"
#include "web/rooms_state.h"

/* ---- cookies ---- */

CookieHash cookie_hash(Str cookie)
{
    const Str parts[] = {STR("warg-seat-v1"), cookie};
    CookieHash hash = {{0}};

    if (cookie.len)
        sha256_texts(parts, 2, hash.bytes);
    return hash;
}

/* What the time of this tells of a hash tells nothing of the cookie. */
bool cookie_hash_equal(const CookieHash *a, const CookieHash *b)
{
    static const CookieHash none = {{0}};

    return memcmp(a, b, sizeof(*a)) == 0 && memcmp(a, &none, sizeof(*a)) != 0;
}

RoomGuest *room_guest_of(const Room *room, const CookieHash *hash)
{
    RoomGuest *guest = room->guests;

    while (guest && !cookie_hash_equal(&guest->hash, hash))
        guest = guest->next;
    return guest;
}

bool room_has_kicked(const Room *room, const CookieHash *hash)
{
    uint32_t count = room->kicked_count < ROOM_KICKED_MAX ? room->kicked_count : ROOM_KICKED_MAX;

    for (uint32_t i = 0; i < count; i++)
        if (cookie_hash_equal(&room->kicked[i], hash))
            return true;
    return false;
}

void room_note_kicked(Room *room, const CookieHash *hash)
{
    room->kicked[room->kicked_count++ % ROOM_KICKED_MAX] = *hash;
}

/* ---- names ---- */

/* Nothing of it can be seen, or it turns the order of what can: two names could look the same. */
static bool is_invisible(uint32_t c)
{
    static const struct {
        uint32_t first, last;
    } ranges[] = {{0x00, 0x1F},      {0x7F, 0x9F},     {0xAD, 0xAD},     {0x34F, 0x34F},
                  {0x61C, 0x61C},    {0x115F, 0x1160}, {0x17B4, 0x17B5}, {0x180B, 0x180F},
                  {0x200B, 0x200F},  {0x2028, 0x202E}, {0x2060, 0x206F}, {0x3164, 0x3164},
                  {0xFE00, 0xFE0F},  {0xFEFF, 0xFEFF}, {0xFFA0, 0xFFA0}, {0xFFF0, 0xFFFB},
                  {0xE0000, 0xE0FFF}};

    for (size_t i = 0; i < sizeof(ranges) / sizeof(ranges[0]); i++)
        if (c >= ranges[i].first && c <= ranges[i].last)
            return true;
    return c == UTF8_INVALID;
}

static bool is_blank(uint32_t c)
{
    return c == ' ' || c == 0xA0 || (c >= 0x2000 && c <= 0x200A) || c == 0x202F || c == 0x205F ||
           c == 0x3000;
}

/* What can be seen of it, blanks as one and none at the ends; false when that is nothing, or too
 * much. */
static bool clean_name(Str name, char out[static ROOM_NAME_BYTES])
{
    size_t len = 0, chars = 0;
    bool blank = false;

    while (name.len) {
        Str before = name;
        uint32_t c = utf8_next(&name);
        size_t bytes = before.len - name.len;
        if (is_invisible(c))
            continue;
        if (is_blank(c)) {
            blank = len > 0;
            continue;
        }
        chars += blank ? 2 : 1;
        if (chars > ROOM_NAME_CHARS)
            return false;
        if (blank)
            out[len++] = ' ';
        blank = false;
        memcpy(out + len, before.bytes, bytes);
        len += bytes;
    }
    out[len] = '\0';
    return len > 0;
}

static bool name_is_taken(const Room *room, const RoomGuest *own, const char *name)
{
    for (const RoomGuest *guest = room->guests; guest; guest = guest->next)
        if (guest != own && strcmp(guest->name, name) == 0)
            return true;
    return false;
}

static void number_name(const Room *room, const RoomGuest *own, char out[static ROOM_NAME_BYTES])
{
    uint32_t number = 0;

    do
        snprintf(out, ROOM_NAME_BYTES, "%s %u", room->options.japanese ? "ゲスト" : "Guest",
                 ++number);
    while (name_is_taken(room, own, out));
}

static int choose_name(const Room *room, const RoomGuest *own, Str name,
                       char out[static ROOM_NAME_BYTES], Err *err)
{
    if (name.len == 0) {
        number_name(room, own, out);
        return 0;
    }
    if (!clean_name(name, out))
        return err_set(err, ERR_RULE, "a name has 1 to %d characters that can be seen",
                       ROOM_NAME_CHARS);
    if (name_is_taken(room, own, out))
        return err_set(err, ERR_RULE, "somebody here has this name already");
    return 0;
}

/* ---- guests ---- */

int room_add_guest(Room *room, const CookieHash *hash, Str name, TimeUs now, RoomGuest **ret_guest,
                   Err *err)
{
    if (room->guest_count >= ROOM_GUESTS_MAX)
        return err_set(err, ERR_LIMIT, "so many guests have no room here");
    RoomGuest *guest = mem_new(sizeof(*guest));
    if (!guest)
        return err_set(err, ERR_MEMORY, "room: out of memory");
    int rc = choose_name(room, NULL, name, guest->name, err);
    if (rc) {
        mem_free(guest);
        return rc;
    }
    guest->hash = *hash;
    guest->id = ++room->last_id;
    guest->chair = ROOM_NO_CHAIR;
    guest->here_until = TIME_US_NEVER;
    guest->gone_at = now;
    guest->next = room->guests;
    room->guests = guest;
    room->guest_count++;
    *ret_guest = guest;
    return 0;
}

int room_rename_guest(Room *room, RoomGuest *guest, Str name, Err *err)
{
    char chosen[ROOM_NAME_BYTES];
    int rc = choose_name(room, guest, name, chosen, err);

    if (rc == 0)
        memcpy(guest->name, chosen, sizeof(chosen));
    return rc;
}

void room_queue_guest(Room *room, RoomGuest *guest)
{
    guest->place = PLACE_QUEUE;
    guest->since = ++room->turns;
}

void room_drop_guest(Room *room, RoomGuest *guest)
{
    RoomGuest **at = &room->guests;

    while (*at != guest)
        at = &(*at)->next;
    *at = guest->next;
    room->guest_count--;
    mem_free(guest);
}

RoomGuest *room_guest_by_id(const Room *room, uint32_t id)
{
    RoomGuest *guest = room->guests;

    while (guest && guest->id != id)
        guest = guest->next;
    return guest;
}

RoomGuest *room_guest_at(const Room *room, uint32_t chair)
{
    RoomGuest *guest = room->guests;

    while (guest && guest->chair != chair)
        guest = guest->next;
    return guest;
}

uint32_t room_count_at(const Room *room, RoomPlace place)
{
    uint32_t count = 0;

    for (const RoomGuest *guest = room->guests; guest; guest = guest->next)
        count += guest->place == place;
    return count;
}

RoomGuest *room_first_at(const Room *room, RoomPlace place)
{
    RoomGuest *first = NULL;

    for (RoomGuest *guest = room->guests; guest; guest = guest->next)
        if (guest->place == place && (!first || guest->since < first->since))
            first = guest;
    return first;
}

uint32_t room_before(const Room *room, const RoomGuest *own)
{
    uint32_t count = 0;

    for (const RoomGuest *guest = room->guests; guest; guest = guest->next)
        count += guest->place == own->place && guest->since < own->since;
    return count;
}
