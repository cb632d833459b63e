#include "web/rooms_state.h"

#define CODE_LETTERS "23456789ABCDEFGHJKMNPQRSTUVWXYZ" /* no 0 O 1 I L */
#define CODE_COUNT   (sizeof(CODE_LETTERS) - 1)
#define CODE_TRIES   100

/* ---- rooms ---- */

int rooms_new(const RoomsSetup *setup, Rooms **ret_rooms, Err *err)
{
    Rooms *rooms = mem_new(sizeof(*rooms));

    if (!rooms)
        return err_set(err, ERR_MEMORY, "rooms: out of memory");
    rooms->setup = *setup;
    *ret_rooms = rooms;
    return 0;
}

static void free_room(Room *room)
{
    Rooms *rooms = room->rooms;
    Room **at = &rooms->first;

    while (*at != room)
        at = &(*at)->next;
    *at = room->next;
    rooms->count--;
    alarm_stop(&room->alarm);
    room->game = room->game ? rooms->setup.stage.free(room->game) : NULL;
    for (RoomSocket *socket = rooms->sockets; socket; socket = socket->next)
        if (socket->room == room)
            socket->room = NULL;
    while (room->guests)
        room_drop_guest(room, room->guests);
    mem_free(room);
}

Rooms *rooms_free(Rooms *rooms)
{
    if (!rooms)
        return NULL;
    while (rooms->first)
        free_room(rooms->first);
    while (rooms->sockets) {
        RoomSocket *socket = rooms->sockets;
        rooms->sockets = socket->next;
        mem_free(socket);
    }
    buf_done(&rooms->text);
    return mem_free(rooms);
}

uint32_t rooms_count(const Rooms *rooms)
{
    return rooms->count;
}

bool rooms_idle(const Rooms *rooms)
{
    for (const Room *room = rooms->first; room; room = room->next)
        if (room->game)
            return false;
    return true;
}

static Room *find_room(const Rooms *rooms, Str code)
{
    for (Room *room = rooms->first; room && code.len == ROOM_CODE_BYTES - 1; room = room->next) {
        size_t same = 0;
        while (same < code.len &&
               room->code[same] == (code.bytes[same] >= 'a' && code.bytes[same] <= 'z'
                                        ? (char)(code.bytes[same] - 'a' + 'A')
                                        : code.bytes[same]))
            same++;
        if (same == code.len)
            return room;
    }
    return NULL;
}

/* 64 bits of chance are many times the 30 of a code. */
static int draw_code(Rooms *rooms, char ret_code[static ROOM_CODE_BYTES], Err *err)
{
    for (int tries = 0; tries < CODE_TRIES; tries++) {
        char hex[ID_HEX_BYTES];
        int rc = id_source_hex(&rooms->setup.ids, hex, err);
        if (rc)
            return rc;
        uint64_t drawn = strtoull(hex, NULL, 16);
        for (size_t i = 0; i < ROOM_CODE_BYTES - 1; i++, drawn /= CODE_COUNT)
            ret_code[i] = CODE_LETTERS[drawn % CODE_COUNT];
        ret_code[ROOM_CODE_BYTES - 1] = '\0';
        if (!find_room(rooms, str_of(ret_code)))
            return 0;
    }
    return err_set(err, ERR_LIMIT, "no free code was found");
}

static void tell_gone(const Room *room)
{
    const Rooms *rooms = room->rooms;
    CLEANUP(buf_done) Buf text = {0};
    RoomSocket *next;

    buf_printf(&text, "{\"type\":\"room\",\"code\":\"%s\",\"gone\":\"%s\"}", room->code,
               room->closing ? "closed" : "empty");
    for (RoomSocket *socket = rooms->sockets; socket; socket = next) {
        next = socket->next;
        if (socket->room == room || room_guest_of(room, &socket->hash))
            rooms->setup.send(rooms->setup.user, socket->reader, buf_str(&text));
    }
}

static void on_alarm(void *user, TimeUs now)
{
    Room *room = user;
    const Rooms *rooms = room->rooms;

    room_settle(room, now);
    if (!room_is_gone(room, now))
        return;
    tell_gone(room);
    free_room(room);
    if (rooms->setup.changed)
        rooms->setup.changed(rooms->setup.user);
}

int rooms_make(Rooms *rooms, const RoomOptions *options, TimeUs now,
               char ret_code[static ROOM_CODE_BYTES], Err *err)
{
    RoomOptions checked = *options;
    int rc = room_options_check(&checked, err);

    if (rc == 0)
        rc = rooms->setup.stage.check(rooms->setup.stage.user, &checked, err);
    if (rc)
        return rc;
    if (rooms->count >= ROOMS_MAX || rooms->draining)
        return err_set(err, ERR_LIMIT, "no further room is made: there are %u", rooms->count);
    Room *room = mem_new(sizeof(*room));
    if (!room)
        return err_set(err, ERR_MEMORY, "room: out of memory");
    rc = draw_code(rooms, room->code, err);
    if (rc) {
        mem_free(room);
        return rc;
    }
    room->rooms = rooms;
    room->options = checked;
    room->due = room->seated_at = TIME_US_NEVER;
    room->empty_at = now;
    room->told_at = TIME_US_PAST / 2;
    room->version = 1;
    alarm_init(&room->alarm, rooms->setup.alarms, on_alarm, room);
    room->next = rooms->first;
    rooms->first = room;
    rooms->count++;
    memcpy(ret_code, room->code, ROOM_CODE_BYTES);
    room_settle(room, now);
    return 0;
}

void rooms_drain(Rooms *rooms, bool now_too, TimeUs now)
{
    rooms->draining = true;
    for (Room *room = rooms->first; room && now_too; room = room->next)
        room_stop_game(room, now);
}

/* ---- replies ---- */

void room_reply_done(RoomReply *reply)
{
    buf_done(&reply->body);
}

static void refuse(RoomReply *reply, unsigned status, const char *code, const char *text)
{
    reply->status = status;
    reply->code = code;
    snprintf(reply->text, sizeof(reply->text), "%.199s", text);
}

/* What went wrong with what the caller wants. */
static void refuse_error(RoomReply *reply, const Err *err)
{
    if (err->code == ERR_RULE || err->code == ERR_SYNTAX)
        refuse(reply, 400, "bad", err->msg);
    else
        refuse(reply, err->code == ERR_LIMIT ? 409 : 503, "full", err->msg);
}

static void reply_room(const Room *room, const CookieHash *hash, const RoomCaller *caller,
                       RoomReply *reply)
{
    Json json = json_over(&reply->body);

    reply->status = 200;
    json_open(&json, '{');
    room_write(room, room_guest_of(room, hash), caller->is_operator, caller->now, &json);
    json_close(&json);
    if (buf_failed(&reply->body))
        refuse(reply, 503, "memory", "out of memory");
}

/* The room of a code, unless the caller has tried too many that are none: then only for who is in
 * there. */
static Room *knock(Rooms *rooms, Str code, const CookieHash *hash, uint32_t address, bool trusted,
                   TimeUs now, bool *ret_limited)
{
    RoomRate *tries = room_limit_of(rooms->limits.tries, address);
    Room *room = find_room(rooms, code);
    bool inside = room && room_guest_of(room, hash);

    *ret_limited = !trusted && !inside && !room_rate_has(tries, ROOM_ADDRESS_TRIES, now);
    if (*ret_limited)
        return NULL;
    if (!room)
        room_rate_take(tries, ROOM_ADDRESS_TRIES, now);
    return room;
}

static Room *room_of_request(Rooms *rooms, Str code, const CookieHash *hash,
                             const RoomCaller *caller, RoomReply *reply)
{
    bool limited;
    Room *room = knock(rooms, code, hash, str_hash(caller->address), caller->is_operator,
                       caller->now, &limited);

    if (limited)
        refuse(reply, 429, "rate", "too many codes that are none; try again in a minute");
    else if (!room)
        refuse(reply, 404, "no-room",
               "there is no room of this code (any more): look at the letters again, or ask who "
               "made the room for a new link");
    return room;
}

void rooms_look(Rooms *rooms, Str code, const RoomCaller *caller, RoomReply *reply)
{
    const CookieHash hash = cookie_hash(caller->cookie);
    const Room *room = room_of_request(rooms, code, &hash, caller, reply);

    if (room)
        reply_room(room, &hash, caller, reply);
}

/* Of several the one with a seat, or else where it waits. */
static const Room *own_room(const Rooms *rooms, const CookieHash *hash)
{
    const Room *best = NULL;
    RoomPlace place = PLACE_NONE;

    for (const Room *room = rooms->first; room; room = room->next) {
        const RoomGuest *guest = room_guest_of(room, hash);
        if (guest && (!best || guest->place > place)) {
            best = room;
            place = guest->place;
        }
    }
    return best;
}

void rooms_look_own(Rooms *rooms, const RoomCaller *caller, RoomReply *reply)
{
    const CookieHash hash = cookie_hash(caller->cookie);
    const Room *room = own_room(rooms, &hash);

    if (room)
        reply_room(room, &hash, caller, reply);
    else
        refuse(reply, 404, "no-seat", "this browser has no seat");
}

void rooms_write_list(const Rooms *rooms, bool all, Json *json)
{
    json_open(json, '[');
    for (const Room *room = rooms->first; room; room = room->next) {
        static const char *const states[] = {"open", "ready", "playing", "over"};
        if (!all && !room->options.listed)
            continue;
        json_open(json, '{');
        json_add_str(json, "code", str_of(room->code));
        json_add_str(json, "title", str_of(room->options.title));
        json_add_str(json, "state", str_of(states[room->state]));
        json_add_str(json, "division", str_of(room_division_name(room->options.division)));
        json_add_int(json, "players", room->options.players);
        json_add_int(json, "people", room->options.people);
        json_add_uint(json, "seated", room_count_at(room, PLACE_SEAT));
        json_add_uint(json, "queue", room_count_at(room, PLACE_QUEUE));
        if (room->state == ROOM_PLAYING && room->game_id[0])
            json_add_str(json, "game", str_of(room->game_id));
        json_close(json);
    }
    json_close(json);
}

/* ---- guests' acts ---- */

static uint32_t sockets_of(const Rooms *rooms, const CookieHash *hash)
{
    uint32_t count = 0;

    for (const RoomSocket *socket = rooms->sockets; socket; socket = socket->next)
        count += cookie_hash_equal(&socket->hash, hash);
    return count;
}

static bool hash_is_known(const Rooms *rooms, const CookieHash *hash)
{
    for (const Room *room = rooms->first; room; room = room->next)
        if (room_guest_of(room, hash) || room_has_kicked(room, hash))
            return true;
    return false;
}

/* A cookie that we did not give is none: nobody can choose another's. */
static int give_cookie(Rooms *rooms, CookieHash *hash, RoomReply *reply, Err *err)
{
    char half[ID_HEX_BYTES];

    if (hash_is_known(rooms, hash))
        return 0;
    for (size_t i = 0; i < 2; i++) {
        int rc = id_source_hex(&rooms->setup.ids, half, err);
        if (rc)
            return rc;
        memcpy(reply->cookie + i * (ID_HEX_BYTES - 1), half, ID_HEX_BYTES);
    }
    *hash = cookie_hash(str_of(reply->cookie));
    return 0;
}

static Str wanted_name(const json_t *body)
{
    return body ? json_text(body, "name") : STR("");
}

static void join_room(Room *room, CookieHash *hash, const json_t *body, const RoomCaller *caller,
                      RoomReply *reply)
{
    Rooms *rooms = room->rooms;
    RoomGuest *guest = room_guest_of(room, hash);
    RoomRate *address = room_limit_of(rooms->limits.joins, str_hash(caller->address));
    Err err = {0};
    int rc = 0;

    if (room_has_kicked(room, hash)) {
        refuse(reply, 403, "kicked", "the operator does not want you in this room");
        return;
    }
    if ((guest && !room_rate_take(&guest->joins, ROOM_JOINS, caller->now)) ||
        !room_rate_take(address, ROOM_ADDRESS_JOINS, caller->now)) {
        refuse(reply, 429, "rate", "so many are not let in within a minute");
        return;
    }
    if (guest && wanted_name(body).len && guest->chair == ROOM_NO_CHAIR)
        rc = room_rename_guest(room, guest, wanted_name(body), &err);
    if (!guest)
        rc = give_cookie(rooms, hash, reply, &err);
    if (!guest && rc == 0)
        rc = room_add_guest(room, hash, wanted_name(body), caller->now, &guest, &err);
    if (rc) {
        reply->cookie[0] = '\0';
        refuse_error(reply, &err);
        return;
    }
    guest->sockets = sockets_of(rooms, hash);
    if (guest->place == PLACE_NONE)
        room_queue_guest(room, guest);
}

static void leave_room(Room *room, const CookieHash *hash, const RoomCaller *caller)
{
    RoomGuest *guest = room_guest_of(room, hash);

    if (!guest)
        return;
    room_leave_game(room, guest, caller->now);
    guest->place = PLACE_NONE;
    if (guest->sockets == 0)
        room_drop_guest(room, guest);
}

/* ---- an operator's acts ---- */

static void drop_sockets(const Rooms *rooms, const CookieHash *hash)
{
    RoomSocket *next;

    for (RoomSocket *socket = rooms->sockets; socket && rooms->setup.drop; socket = next) {
        next = socket->next;
        if (cookie_hash_equal(&socket->hash, hash))
            rooms->setup.drop(rooms->setup.user, socket->reader, "the operator has sent you away");
    }
}

static void kick_guest(Room *room, const json_t *body, const RoomCaller *caller, RoomReply *reply)
{
    int64_t id = body ? json_number(body, "id") : 0;
    RoomGuest *guest = id > 0 && id <= UINT32_MAX ? room_guest_by_id(room, (uint32_t)id) : NULL;

    if (!guest) {
        refuse(reply, 404, "no-guest", "there is no guest of this id");
        return;
    }
    const char told[] = "{\"type\":\"room\",\"gone\":\"kicked\"}";
    room_note_kicked(room, &guest->hash);
    room_leave_game(room, guest, caller->now);
    room_tell_guest(room, guest, str_of(told));
    const CookieHash hash = guest->hash;
    room_drop_guest(room, guest);
    drop_sockets(room->rooms, &hash);
}

static void operate_room(Room *room, Str act, const json_t *body, const RoomCaller *caller,
                         RoomReply *reply)
{
    if (str_eq(act, STR("kick"))) {
        kick_guest(room, body, caller, reply);
    } else if (str_eq(act, STR("hold"))) {
        JsonReader reader = {0};
        room->held = body ? json_get_bool(&reader, body, "on", true) : true;
        room->start_now &= !room->held;
    } else if (str_eq(act, STR("close"))) {
        room->closing = true;
        room_stop_game(room, caller->now);
    } else if (str_eq(act, STR("next"))) {
        room_stop_game(room, caller->now);
        room->due = room->state == ROOM_OVER ? caller->now : room->due;
    } else if (room->state == ROOM_PLAYING) {
        refuse(reply, 409, "playing", "a game is played");
    } else { /* start */
        room->held = false;
        room->start_now = true;
        room->due = room->state == ROOM_OVER ? caller->now : room->due;
    }
}

void rooms_act(Rooms *rooms, Str code, Str act, const json_t *body, const RoomCaller *caller,
               RoomReply *reply)
{
    static const char *const operators[] = {"start", "hold", "next", "kick", "close"};
    CookieHash hash = cookie_hash(caller->cookie);
    bool join = str_eq(act, STR("join")), leave = str_eq(act, STR("leave")), known = join || leave;

    for (size_t i = 0; i < sizeof(operators) / sizeof(operators[0]); i++)
        known |= str_eq(act, str_of(operators[i]));
    if (!known) {
        refuse(reply, 404, "no-act", "nothing in a room is called so");
        return;
    }
    if (!join && !leave && !caller->is_operator) {
        refuse(reply, 403, "no-right", "only an operator may do this");
        return;
    }
    Room *room = room_of_request(rooms, code, &hash, caller, reply);
    if (!room)
        return;
    if (join)
        join_room(room, &hash, body, caller, reply);
    else if (leave)
        leave_room(room, &hash, caller);
    else
        operate_room(room, act, body, caller, reply);
    room->version++;
    room_settle(room, caller->now);
    if (!reply->code)
        reply_room(room, &hash, caller, reply);
}

/* ---- sockets ---- */

int rooms_socket_opened(Rooms *rooms, void *reader, Str cookie, Str address, TimeUs now,
                        RoomSocket **ret_socket, Err *err)
{
    RoomSocket *socket = mem_new(sizeof(*socket));

    if (!socket)
        return err_set(err, ERR_MEMORY, "socket: out of memory");
    socket->reader = reader;
    socket->hash = cookie_hash(cookie);
    socket->address = str_hash(address);
    socket->next = rooms->sockets;
    socket->link = &rooms->sockets;
    if (socket->next)
        socket->next->link = &socket->next;
    rooms->sockets = socket;
    *ret_socket = socket;
    for (Room *room = rooms->first; room; room = room->next) {
        RoomGuest *guest = room_guest_of(room, &socket->hash);
        if (!guest)
            continue;
        guest->sockets++;
        room->version += guest->sockets == 1;
        room_set_away(room, guest, false, now);
        alarm_soon(&room->alarm);
    }
    return 0;
}

typedef struct Greeting {
    const Rooms *rooms;
    void *reader;
} Greeting;

static void say_greeting(void *user, Str json)
{
    const Greeting *greeting = user;

    greeting->rooms->setup.send(greeting->rooms->setup.user, greeting->reader, json);
}

void rooms_socket_greet(Rooms *rooms, RoomSocket *socket, TimeUs now)
{
    Greeting greeting = {rooms, socket->reader};

    for (Room *room = rooms->first; room; room = room->next) {
        const RoomGuest *guest = room_guest_of(room, &socket->hash);
        if (!guest)
            continue;
        room_write_frame(room, guest, now, &rooms->text);
        if (!buf_failed(&rooms->text))
            say_greeting(&greeting, buf_str(&rooms->text));
        if (guest->chair != ROOM_NO_CHAIR && room->game)
            rooms->setup.stage.greet(room->game, guest->chair, now, say_greeting, &greeting);
    }
}

static void unwatch_room(RoomSocket *socket)
{
    Room *room = socket->room;

    socket->room = NULL;
    if (!room)
        return;
    room->watchers--;
    room->version++;
    alarm_soon(&room->alarm);
}

void rooms_socket_closed(Rooms *rooms, RoomSocket *socket)
{
    if (!socket)
        return;
    unwatch_room(socket);
    *socket->link = socket->next;
    if (socket->next)
        socket->next->link = socket->link;
    for (Room *room = rooms->first; room; room = room->next) {
        RoomGuest *guest = room_guest_of(room, &socket->hash);
        if (!guest)
            continue;
        guest->sockets--;
        guest->gone_at = TIME_US_NEVER; /* that is known when the alarm rings */
        room->version += guest->sockets == 0;
        alarm_soon(&room->alarm);
    }
    mem_free(socket);
}

static void watch_room(Rooms *rooms, RoomSocket *socket, Str code, TimeUs now)
{
    bool limited;
    Room *room = knock(rooms, code, &socket->hash, socket->address, false, now, &limited);

    unwatch_room(socket);
    if (!room) {
        rooms->setup.send(rooms->setup.user, socket->reader,
                          limited ? STR("{\"type\":\"room\",\"gone\":\"rate\"}")
                                  : STR("{\"type\":\"room\",\"gone\":\"none\"}"));
        return;
    }
    socket->room = room;
    room->watchers++;
    room->version++;
    room_write_frame(room, room_guest_of(room, &socket->hash), now, &rooms->text);
    if (!buf_failed(&rooms->text))
        rooms->setup.send(rooms->setup.user, socket->reader, buf_str(&rooms->text));
    alarm_soon(&room->alarm);
}

/* The room in which this cookie has a chair in the game of this id; without an id in any. */
static Room *game_room(const Rooms *rooms, const CookieHash *hash, Str game_id,
                       RoomGuest **ret_guest)
{
    for (Room *room = rooms->first; room; room = room->next) {
        RoomGuest *guest = room->game ? room_guest_of(room, hash) : NULL;
        if (!guest || guest->chair == ROOM_NO_CHAIR)
            continue;
        if (game_id.len && !str_eq(game_id, str_of(room->game_id)))
            continue;
        *ret_guest = guest;
        return room;
    }
    return NULL;
}

static void hear_answer(Rooms *rooms, RoomSocket *socket, const json_t *frame, TimeUs now)
{
    RoomGuest *guest = NULL;
    CLEANUP(buf_done) Buf reply = {0};
    Room *room = game_room(rooms, &socket->hash, json_text(frame, "game"), &guest);
    void *reader = socket->reader;

    if (room) {
        /* It is there, whatever it says. */
        room_set_away(room, guest, false, now);
        rooms->setup.stage.hear(room->game, guest->chair, frame, now, &reply);
    } else {
        Json json = json_over(&reply);
        json_open(&json, '{');
        json_add_str(&json, "type", STR("refused"));
        json_add_int(&json, "ask", json_number(frame, "ask"));
        json_add_str(&json, "key", str_part(json_text(frame, "key"), 0, 32));
        json_add_str(&json, "code", STR("no-seat"));
        json_add_str(&json, "error", STR("this browser has no seat in this game"));
        json_close(&json);
    }
    if (reply.len && !buf_failed(&reply))
        rooms->setup.send(rooms->setup.user, reader, buf_str(&reply));
}

static void hear_here(const Rooms *rooms, const RoomSocket *socket, TimeUs now)
{
    RoomGuest *guest = NULL;
    Room *room = game_room(rooms, &socket->hash, STR(""), &guest);

    if (!room)
        return;
    room_set_away(room, guest, false, now);
    alarm_soon(&room->alarm);
}

bool rooms_socket_heard(Rooms *rooms, RoomSocket *socket, const json_t *frame, TimeUs now)
{
    Str type = json_text(frame, "type");

    if (str_eq(type, STR("answer"))) {
        hear_answer(rooms, socket, frame, now);
    } else if (str_eq(type, STR("here"))) {
        hear_here(rooms, socket, now);
    } else if (str_eq(type, STR("watch")) && json_get(frame, "room")) {
        watch_room(rooms, socket, json_text(frame, "room"), now);
    } else if (str_eq(type, STR("unwatch")) && json_get(frame, "room")) {
        unwatch_room(socket);
    } else {
        return false;
    }
    return true;
}

static bool may_see(const Rooms *rooms, const CookieHash *hash, Str game_id, SeatNo seat)
{
    RoomGuest *guest = NULL;

    return seat != SEAT_NONE && game_id.len && game_room(rooms, hash, game_id, &guest) &&
           guest->seat == seat;
}

bool rooms_socket_may_see(const Rooms *rooms, const RoomSocket *socket, Str game_id, SeatNo seat)
{
    return socket && may_see(rooms, &socket->hash, game_id, seat);
}

bool rooms_cookie_may_see(const Rooms *rooms, Str cookie, Str game_id, SeatNo seat)
{
    const CookieHash hash = cookie_hash(cookie);

    return may_see(rooms, &hash, game_id, seat);
}
