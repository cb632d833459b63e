/* What a room looks like, for pages. Nothing here says who has which seat in a game. */
#include "web/rooms_state.h"

static const char *const states[] = {"open", "ready", "playing", "over"};
static const char *const starts[] = {"full", "after", "hand"};
static const char *const places[] = {"none", "queue", "seat"};

/* During a game nobody is told who is there: it could be compared with who speaks. */
static void write_guest(const Room *room, const RoomGuest *guest, bool is_operator, Json *json)
{
    json_open(json, '{');
    json_add_uint(json, "id", guest->id);
    json_add_str(json, "name", str_of(guest->name));
    if (is_operator || room->state != ROOM_PLAYING)
        json_add_bool(json, "here", guest->sockets > 0);
    json_close(json);
}

/* In the order in which they came; there are few. */
static void write_guests(const Room *room, RoomPlace place, const char *key, bool is_operator,
                         Json *json)
{
    uint32_t count = room_count_at(room, place);

    json_key(json, str_of(key));
    json_open(json, '[');
    for (uint32_t i = 0; i < count; i++)
        for (const RoomGuest *guest = room->guests; guest; guest = guest->next)
            if (guest->place == place && room_before(room, guest) == i) {
                write_guest(room, guest, is_operator, json);
                break;
            }
    json_close(json);
}

static void write_you(const Room *room, const RoomGuest *you, Json *json)
{
    json_key(json, STR("you"));
    json_open(json, '{');
    json_add_uint(json, "id", you->id);
    json_add_str(json, "name", str_of(you->name));
    json_add_str(json, "place", str_of(places[you->place]));
    if (you->place == PLACE_QUEUE)
        json_add_uint(json, "before", room_before(room, you));
    json_add_bool(json, "playing", you->chair != ROOM_NO_CHAIR);
    if (you->seat != SEAT_NONE)
        json_add_uint(json, "seat", you->seat);
    json_add_bool(json, "away", you->away);
    json_close(json);
}

static void write_options(const RoomOptions *options, Json *json)
{
    json_add_str(json, "title", str_of(options->title));
    json_add_str(json, "division", str_of(room_division_name(options->division)));
    json_add_str(json, "rules", str_of(options->rules));
    json_add_int(json, "players", options->players);
    json_add_int(json, "people", options->people);
    json_add_str(json, "language", options->japanese ? STR("ja") : STR("en"));
    json_add_str(json, "fill",
                 str_starts(str_of(options->fill), STR("bot:")) ? STR("bot") : STR("model"));
    json_add_str(json, "start", str_of(starts[options->start]));
    if (options->start == ROOM_START_AFTER)
        json_add_int(json, "start_after_ms", options->start_after_ms);
    json_add_bool(json, "names_hidden", options->names_hidden);
}

static void write_time(const char *key, TimeUs until, TimeUs now, Json *json)
{
    json_add_int(json, key, until > now ? (until - now) / 1000 : 0);
}

void room_write(const Room *room, const RoomGuest *you, bool is_operator, TimeUs now, Json *json)
{
    json_add_str(json, "code", str_of(room->code));
    json_add_str(json, "state", str_of(states[room->state]));
    write_options(&room->options, json);
    json_add_bool(json, "held", room->held);
    write_guests(room, PLACE_SEAT, "seats", is_operator, json);
    write_guests(room, PLACE_QUEUE, "queue", is_operator, json);
    if (room->state == ROOM_READY)
        write_time("starts_ms", room->due, now, json);
    else if (room->state == ROOM_OPEN && room->options.start == ROOM_START_AFTER &&
             room->seated_at != TIME_US_NEVER)
        write_time("starts_ms", room->seated_at + room->options.start_after_ms * 1000, now, json);
    if (room->state == ROOM_OVER)
        write_time("opens_ms", room->due, now, json);
    if (room->state >= ROOM_PLAYING && room->game_id[0])
        json_add_str(json, "game", str_of(room->game_id));
    json_add_uint(json, "games", room->games);
    json_add_uint(json, "watching", room->watchers);
    if (room->trouble[0])
        json_add_str(json, "trouble", str_of(room->trouble));
    if (you)
        write_you(room, you, json);
}

void room_write_frame(const Room *room, const RoomGuest *you, TimeUs now, Buf *out)
{
    buf_clear(out);
    Json json = json_over(out);
    json_open(&json, '{');
    json_add_str(&json, "type", STR("room"));
    room_write(room, you, false, now, &json);
    json_close(&json);
}
