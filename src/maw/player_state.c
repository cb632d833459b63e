#include "maw/player_own.h"

/* A game master that was gone, and is gone on with by hand: who has a seat waits for it so long. */
#define COMES_BACK_US (15 * 60 * SECOND)

/* ---- small things ---- */

bool player_keep(char *to, size_t room, Str text)
{
    bool fits = text.len < room;

    if (fits && text.len)
        memmove(to, text.bytes, text.len); /* it may be what stands there */
    to[fits ? text.len : 0] = '\0';
    return fits;
}

bool player_same_word(Str a, Str b)
{
    if (a.len != b.len || a.len == 0)
        return false;
    for (size_t i = 0; i < a.len; i++)
        if (str_lower_char(a.bytes[i]) != str_lower_char(b.bytes[i]))
            return false;
    return true;
}

void player_tell(MawPlayer *player, MawNewsKind kind, Str room, Str name, Str text, TimeUs now)
{
    MawNews news = {.kind = kind, .room = room, .name = name, .text = text};

    if (player->out.news)
        player->out.news(player->out.user, &news, now);
}

void player_over(MawPlayer *player, Str code, Str why, TimeUs now)
{
    if (player->known.state == PLAYER_OVER)
        return;
    player->known.state = PLAYER_OVER;
    player->known.room_open = false;
    player->known.graveyard = false;
    player->joining = false;
    player_tell(player, NEWS_OVER, (Str){0}, code, why, now);
}

void player_join(MawPlayer *player, TimeUs now)
{
    if (!player->joining)
        player->join_give_up = now + (player->known.state == PLAYER_JOIN_LOBBY ||
                                              player->join_timeout_us > COMES_BACK_US
                                          ? player->join_timeout_us
                                          : COMES_BACK_US);
    player->joining = true;
    player->join_at = now;
}

/* ---- rooms and their addresses ---- */

static const char *const room_names[ROOM_COUNT] = {"lobby", "village", "hideout", "graveyard"};

PlayerRoomNo player_room_of_name(Str name)
{
    for (PlayerRoomNo room = ROOM_LOBBY; room < ROOM_COUNT; room++)
        if (player_same_word(name, str_of(room_names[room])))
            return room;
    return ROOM_NONE;
}

PlayerRoomNo player_room_of(const MawPlayer *player, Str jid)
{
    for (PlayerRoomNo room = ROOM_LOBBY; room < ROOM_COUNT; room++)
        if (player_same_word(jid_bare(jid), jid_bare(str_of(player->rooms[room].jid))))
            return room;
    return ROOM_NONE;
}

void player_room_told(MawPlayer *player, PlayerRoomNo room, Str jid)
{
    PlayerRoom *there = &player->rooms[room];

    if (jid.len == 0 || !player_keep(there->jid, sizeof(there->jid), jid))
        return;
    there->told = true;
}

Str player_room_jid(MawPlayer *player, PlayerRoomNo room)
{
    PlayerRoom *there = &player->rooms[room];
    Str domain = jid_domain(str_of(player->master));

    if (there->jid[0] == '\0' && domain.len + NAME_BYTES < sizeof(there->jid))
        snprintf(there->jid, sizeof(there->jid), "%s@%.*s", room_names[room], STR_ARG(domain));
    return str_of(there->jid);
}

bool player_room_believable(const MawPlayer *player, PlayerRoomNo room, Str from)
{
    Str node = jid_local(from);
    Str usual = str_of(room_names[room]);

    return !player->rooms[room].told &&
           player_same_word(jid_domain(from), jid_domain(str_of(player->master))) &&
           player_same_word(str_part(node, 0, usual.len), usual);
}

PlayerRoomNo player_room_now(const MawPlayer *player)
{
    return player->known.phase_no == 0 ? ROOM_LOBBY
           : player->known.night       ? ROOM_HIDEOUT
                                       : ROOM_VILLAGE;
}
