#include "net/web_room.h"

#include "base/mem.h"

#include <assert.h>

struct WebRoomPlace {
    WebRoomPlace *next;
    size_t used;
    char address[80];
};

Str web_room_address(const char *peer)
{
    Str address = str_of(peer);
    size_t colon;

    return str_find_last(address, ':', &colon) ? str_part(address, 0, colon) : address;
}

static WebRoomPlace **place_of(WebRoom *room, Str address)
{
    WebRoomPlace **at = &room->lists[str_hash(address) % WEB_ROOM_LISTS];

    while (*at && !str_eq(str_of((*at)->address), address))
        at = &(*at)->next;
    return at;
}

bool web_room_take(WebRoom *room, Str address, size_t bytes)
{
    WebRoomPlace **at = place_of(room, address);
    WebRoomPlace *place = *at;
    size_t used = place ? place->used : 0;

    if (bytes > room->all - room->used || used > room->each || bytes > room->each - used ||
        address.len >= sizeof(place->address))
        return false;
    if (bytes == 0)
        return true;
    if (!place) {
        place = mem_new(sizeof(*place));
        if (!place)
            return false;
        memcpy(place->address, address.bytes, address.len);
        *at = place;
    }
    place->used += bytes;
    room->used += bytes;
    return true;
}

void web_room_give(WebRoom *room, Str address, size_t bytes)
{
    WebRoomPlace **at = place_of(room, address);
    WebRoomPlace *place = *at;

    if (bytes == 0)
        return;
    assert(place && place->used >= bytes && room->used >= bytes);
    place->used -= bytes;
    room->used -= bytes;
    if (place->used)
        return;
    *at = place->next;
    mem_free(place);
}

void web_room_done(WebRoom *room)
{
    for (size_t i = 0; i < WEB_ROOM_LISTS; i++)
        while (room->lists[i]) {
            WebRoomPlace *place = room->lists[i];
            room->lists[i] = place->next;
            mem_free(place);
        }
}
