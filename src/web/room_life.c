/* A room from its first guest to its last game: its states, its game, what watchers are told. */
#include "web/rooms_state.h"

#define TELL_US ((TimeUs)1000000) /* between two frames of a room */

static void room_changed(Room *room)
{
    room->version++;
}

/* ---- what is told ---- */

static void send_to(const Room *room, RoomSocket *socket, Str json)
{
    room->rooms->setup.send(room->rooms->setup.user, socket->reader, json);
}

void room_tell_guest(const Room *room, const RoomGuest *guest, Str json)
{
    RoomSocket *next;

    for (RoomSocket *socket = room->rooms->sockets; socket; socket = next) {
        next = socket->next;
        if (cookie_hash_equal(&socket->hash, &guest->hash))
            send_to(room, socket, json);
    }
}

static void tell_watchers(Room *room, TimeUs now)
{
    Buf *text = &room->rooms->text;
    RoomSocket *next;

    if (room->told == room->version || now - room->told_at < TELL_US)
        return;
    room->told = room->version;
    room->told_at = now;
    for (RoomSocket *socket = room->rooms->sockets; socket; socket = next) {
        next = socket->next;
        const RoomGuest *you = room_guest_of(room, &socket->hash);
        if (socket->room != room && !you)
            continue;
        room_write_frame(room, you, now, text);
        if (!buf_failed(text))
            send_to(room, socket, buf_str(text));
    }
    if (room->rooms->setup.changed)
        room->rooms->setup.changed(room->rooms->setup.user);
}

static void note_room(const Room *room, const char *what)
{
    char line[400];

    if (!room->rooms->setup.note)
        return;
    snprintf(line, sizeof(line), "room %s: %s", room->code, what);
    room->rooms->setup.note(room->rooms->setup.user, str_of(line));
}

/* ---- guests in a game ---- */

void room_set_away(Room *room, RoomGuest *guest, bool away, TimeUs now)
{
    guest->here_until = TIME_US_NEVER;
    if (guest->away == away || guest->chair == ROOM_NO_CHAIR)
        return;
    guest->away = away;
    room->rooms->setup.stage.set_away(room->game, guest->chair, away, now);
    room_changed(room);
}

void room_leave_game(Room *room, RoomGuest *guest, TimeUs now)
{
    const RoomsSetup *setup = &room->rooms->setup;
    const SeatNo seat = guest->seat;

    if (guest->chair == ROOM_NO_CHAIR)
        return;
    room_set_away(room, guest, true, now);
    guest->away = false; /* of a chair that is no longer its own */
    guest->chair = ROOM_NO_CHAIR;
    guest->seat = SEAT_NONE;
    guest->place = PLACE_NONE;
    if (seat != SEAT_NONE && setup->left)
        setup->left(setup->user, str_of(room->game_id), seat);
}

static bool is_gone(const RoomGuest *guest, TimeUs now)
{
    return guest->sockets == 0 && guest->gone_at != TIME_US_NEVER &&
           now - guest->gone_at >= ROOM_GONE_US;
}

static void look_after_guests(Room *room, TimeUs now)
{
    RoomGuest *next;

    for (RoomGuest *guest = room->guests; guest; guest = next) {
        next = guest->next;
        if (guest->sockets == 0 && guest->gone_at == TIME_US_NEVER)
            guest->gone_at = now;
        if (guest->chair == ROOM_NO_CHAIR && is_gone(guest, now)) {
            room_drop_guest(room, guest);
            room_changed(room);
        } else if (guest->chair != ROOM_NO_CHAIR &&
                   (is_gone(guest, now) || now >= guest->here_until)) {
            room_set_away(room, guest, true, now);
        }
    }
}

/* ---- before a game ---- */

static void give_seats(Room *room, TimeUs now)
{
    uint32_t seated = room_count_at(room, PLACE_SEAT);

    for (; seated < (uint32_t)room->options.people; seated++) {
        RoomGuest *next = room_first_at(room, PLACE_QUEUE);
        if (!next)
            break;
        next->place = PLACE_SEAT;
        room_changed(room);
    }
    if (seated == 0)
        room->seated_at = TIME_US_NEVER;
    else if (room->seated_at == TIME_US_NEVER)
        room->seated_at = now;
}

static bool can_start(const Room *room, TimeUs now)
{
    uint32_t seated = room_count_at(room, PLACE_SEAT);

    if (room->held || room->closing || room->rooms->draining)
        return false;
    if (room->start_now)
        return true;
    if (seated == 0 || room->options.start == ROOM_START_HAND)
        return false;
    return seated == (uint32_t)room->options.people ||
           (room->options.start == ROOM_START_AFTER &&
            now >= room->seated_at + room->options.start_after_ms * 1000);
}

static void enter_state(Room *room, RoomState state, TimeUs due)
{
    room->state = state;
    room->due = due;
    room_changed(room);
}

/* ---- what the game tells ---- */

static void on_begun(void *user, Str game_id, TimeUs now)
{
    Room *room = user;

    (void)now;
    snprintf(room->game_id, sizeof(room->game_id), "%.*s", STR_ARG(game_id));
    for (RoomGuest *guest = room->guests; guest; guest = guest->next)
        guest->seat = SEAT_NONE;
    room_changed(room);
    alarm_soon(&room->alarm);
}

static void on_seated(void *user, uint32_t chair, SeatNo seat)
{
    Room *room = user;
    RoomGuest *guest = room_guest_at(room, chair);

    if (!guest)
        return;
    guest->seat = seat;
    room_changed(room);
    alarm_soon(&room->alarm);
}

static void on_tell(void *user, uint32_t chair, Str json)
{
    Room *room = user;
    const RoomGuest *guest = room_guest_at(room, chair);

    if (guest)
        room_tell_guest(room, guest, json);
}

static void on_silent(void *user, uint32_t chair, TimeUs now)
{
    Room *room = user;
    RoomGuest *guest = room_guest_at(room, chair);
    CLEANUP(buf_done) Buf text = {0};

    if (!guest || guest->away)
        return;
    guest->here_until = now + ROOM_HERE_US;
    buf_printf(&text, "{\"type\":\"here?\",\"room\":\"%s\",\"left_ms\":%lld}", room->code,
               (long long)(ROOM_HERE_US / 1000));
    room_tell_guest(room, guest, buf_str(&text));
    alarm_soon(&room->alarm);
}

/* Who has played may take a seat again; who waits comes first. */
static void on_over(void *user, Str why, TimeUs now)
{
    Room *room = user;

    room->game = room->rooms->setup.stage.free(room->game);
    for (RoomGuest *guest = room->guests; guest; guest = guest->next) {
        if (guest->chair == ROOM_NO_CHAIR)
            continue;
        guest->chair = ROOM_NO_CHAIR;
        guest->place = PLACE_NONE;
        guest->away = false;
        guest->here_until = TIME_US_NEVER;
        if (guest->sockets == 0)
            guest->gone_at = now;
    }
    room->seated_at = TIME_US_NEVER;
    snprintf(room->trouble, sizeof(room->trouble), "%.*s", STR_ARG(str_part(why, 0, 190)));
    note_room(room, why.len ? room->trouble : "the game is over");
    enter_state(room, ROOM_OVER, now + ROOM_OVER_US);
    room->empty_at = now;
    alarm_soon(&room->alarm); /* not from here: the game has called */
}

/* ---- the game ---- */

static uint32_t give_chairs(Room *room, Str names[static ROOM_PLAYERS_MAX])
{
    uint32_t count = room_count_at(room, PLACE_SEAT);

    for (RoomGuest *guest = room->guests; guest; guest = guest->next) {
        if (guest->place != PLACE_SEAT)
            continue;
        guest->chair = room_before(room, guest);
        guest->seat = SEAT_NONE;
        guest->away = false;
        guest->here_until = TIME_US_NEVER;
        names[guest->chair] = str_of(guest->name);
    }
    return count;
}

static void take_chairs(Room *room)
{
    for (RoomGuest *guest = room->guests; guest; guest = guest->next)
        guest->chair = ROOM_NO_CHAIR;
}

static void begin_game(Room *room, TimeUs now)
{
    const RoomStage *stage = &room->rooms->setup.stage;
    Str names[ROOM_PLAYERS_MAX];
    Err err = {0};

    room->trouble[0] = '\0';
    room->game_id[0] = '\0';
    room->start_now = false;
    room->chairs = give_chairs(room, names);
    const RoomGamePlan plan = {.options = &room->options,
                               .code = room->code,
                               .number = room->games + 1,
                               .people = room->chairs,
                               .names = names,
                               .events = {on_begun, on_seated, on_tell, on_silent, on_over, room}};
    enter_state(room, ROOM_PLAYING, TIME_US_NEVER);
    if (stage->begin(stage->user, &plan, now, &room->game, &err)) {
        take_chairs(room);
        room->held = true;
        snprintf(room->trouble, sizeof(room->trouble), "%.190s", err.msg);
        note_room(room, room->trouble);
        enter_state(room, ROOM_OPEN, TIME_US_NEVER);
        return;
    }
    room->games++;
    note_room(room, "a game begins");
}

void room_stop_game(Room *room, TimeUs now)
{
    if (room->game)
        room->rooms->setup.stage.stop(room->game, now);
}

/* ---- states ---- */

/* One step; true when there may be another. */
static bool step_room(Room *room, TimeUs now)
{
    switch (room->state) {
    case ROOM_OPEN:
        give_seats(room, now);
        if (!can_start(room, now))
            return false;
        enter_state(room, ROOM_READY, now + ROOM_READY_US);
        return true;
    case ROOM_READY:
        give_seats(room, now);
        if (!can_start(room, now)) {
            enter_state(room, ROOM_OPEN, TIME_US_NEVER);
            return true;
        }
        if (now < room->due)
            return false;
        begin_game(room, now);
        return true;
    case ROOM_PLAYING:
        return false;
    case ROOM_OVER:
        if (now < room->due)
            return false;
        enter_state(room, ROOM_OPEN, TIME_US_NEVER);
        return true;
    }
    return false;
}

bool room_is_gone(const Room *room, TimeUs now)
{
    if (room->game)
        return false;
    return room->closing || (!room->options.kept && room->guest_count == 0 && room->watchers == 0 &&
                             now - room->empty_at >= ROOM_EMPTY_US);
}

static TimeUs earlier(TimeUs a, TimeUs b)
{
    return a < b ? a : b;
}

static TimeUs guest_deadline(const RoomGuest *guest)
{
    TimeUs next = guest->here_until;

    if (guest->sockets == 0 && !guest->away)
        next = earlier(next, guest->gone_at + ROOM_GONE_US);
    return next;
}

static TimeUs room_deadline(const Room *room)
{
    TimeUs next = room->due;

    for (const RoomGuest *guest = room->guests; guest; guest = guest->next)
        next = earlier(next, guest_deadline(guest));
    if (room->state == ROOM_OPEN && room->options.start == ROOM_START_AFTER && !room->held &&
        !room->closing && !room->rooms->draining && room->seated_at != TIME_US_NEVER)
        next = earlier(next, room->seated_at + room->options.start_after_ms * 1000);
    if (room->told != room->version)
        next = earlier(next, room->told_at + TELL_US);
    if (!room->game && !room->options.kept && room->guest_count == 0 && room->watchers == 0)
        next = earlier(next, room->empty_at + ROOM_EMPTY_US);
    return room->closing && !room->game ? TIME_US_PAST : next;
}

void room_settle(Room *room, TimeUs now)
{
    if (room->guest_count > 0 || room->watchers > 0)
        room->empty_at = now;
    look_after_guests(room, now);
    while (step_room(room, now))
        ;
    tell_watchers(room, now);
    TimeUs next = room_deadline(room);
    if (next == TIME_US_PAST || next <= now)
        alarm_soon(&room->alarm);
    else
        alarm_at(&room->alarm, next, false);
}
