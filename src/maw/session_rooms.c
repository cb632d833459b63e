/* Rooms: who may write where, lines, and how they reach their readers.
 * docs/spec/maw.md 2.3 (ChatRoom), 2.4, A19 to A23, A32, A35; C5. */
#include "maw/session_state.h"

#define EVERYBODY UINT64_MAX

/* ---- open and closed ---- */

/* The lobby and the graveyard take in people while they are open, so the room lets everybody and
 * the session says who (room_readable). */
static void members_of(const MawSession *session, RoomNo room, uint64_t *ret_writers,
                       uint64_t *ret_readers)
{
    bool everybody = room == ROOM_LOBBY || room == ROOM_GRAVEYARD;

    *ret_writers = *ret_readers = everybody ? EVERYBODY : 0;
    for (SeatNo seat = 1; !everybody && seat <= session->seat_count; seat++) {
        const Member *member = &session->members[session->member_of[seat]];
        uint64_t bit = (uint64_t)1 << session->member_of[seat];
        if (room_readable(session, member, room))
            *ret_readers |= bit;
        if (member->alive && (room == ROOM_VILLAGE || room_is_wolf(member)))
            *ret_writers |= bit;
    }
}

void room_open(MawSession *session, RoomNo room)
{
    uint64_t writers, readers;

    members_of(session, room, &writers, &readers);
    if (!chat_room_open(session->rooms[room], writers, readers, session_time(session)))
        session_note(session, "the room %s was open already", room_name(room));
    for (uint32_t m = 0; m < MEMBERS_MAX; m++)
        if (session->members[m].used && session->members[m].seated &&
            room_readable(session, &session->members[m], room))
            room_announce(session, room, &session->members[m]);
}

void room_close(MawSession *session, RoomNo room)
{
    if (session->rooms[room] && chat_room_is_open(session->rooms[room]))
        chat_room_close(session->rooms[room]);
    if (room == ROOM_VILLAGE)
        spectators_release(session);
}

/* Those who may write there now. */
static void list_people(MawSession *session, RoomNo room, MawMessage *message)
{
    for (uint32_t m = 0; m < MEMBERS_MAX; m++) {
        const Member *member = &session->members[m];
        bool listed = member->used && member->seated;

        if (room == ROOM_GRAVEYARD)
            listed = listed && room_readable(session, member, room);
        else if (room != ROOM_LOBBY)
            listed = listed && member->alive && chat_room_may_write(session->rooms[room], m);
        if (listed)
            message->players[message->player_count++] =
                (MawPerson){str_of(member->jid), member_name(member)};
    }
}

void room_announce(MawSession *session, RoomNo room, const Member *member)
{
    MawMessage message = maw_message(MAW_ANNOUNCE_OPEN);

    message.room_name = str_of(room_name(room));
    message.room = str_of(session->room_jids[room]);
    message.index = chat_room_next(session->rooms[room]);
    list_people(session, room, &message);
    if (room == ROOM_VILLAGE || room == ROOM_HIDEOUT) {
        TimeMs left = session->phase_until - game_now(session);
        message.seconds = left > 0 ? (left + 999) / 1000 : 0;
        for (SeatSet targets = votes_targets(session, member); targets; targets &= targets - 1)
            message.list[message.list_count++] =
                member_name(member_at(session, seat_first(targets)));
    }
    tell_one(session, room, member, &message);
}

/* ---- lines ---- */

/* What a member is answered or sent. */
void room_fill_lines(MawSession *session, RoomNo room, const Member *member, int64_t index,
                     MawMessage *message, MawLine lines[static LINES_MAX])
{
    if (index < session->room_since[room])
        index = session->room_since[room];
    room_take(session->rooms[room], member_no(session, member), index, session_time(session),
              message, lines);
    message->open = chat_room_is_open(session->rooms[room]);
}

/* What is new to a subscriber (A23). */
static void push_member(MawSession *session, RoomNo room, Member *member)
{
    MawMessage message = maw_message(MAW_NEW_MESSAGES);
    MawLine lines[LINES_MAX];

    room_fill_lines(session, room, member, member->pushed[room], &message, lines);
    if (message.line_count == 0)
        return;
    member->pushed[room] = message.next;
    tell_one(session, room, member, &message);
}

void room_line(MawSession *session, RoomNo room, const Member *member, Str text)
{
    char at[DATE_TEXT_ROOM];
    Str name = member ? member_name(member) : STR("");
    Str jid = member ? str_of(member->jid) : STR("");
    Str time = tell_time(session, session->now, at);
    int64_t index = chat_room_add(
        session->rooms[room], member ? (int)member_no(session, member) : -1, jid, name, text, time);

    if (index < 0) {
        session_note(session, "a line was lost: out of memory");
        return;
    }
    record_line(session, room, member, index, text);
    if (room == ROOM_VILLAGE)
        spectators_keep(session, member, text, time);
    if (session->out.room_line)
        session->out.room_line(session->out.user, room_name(room), session->round,
                               in_round(session) ? session->phase_no : 0, name, text);
    for (uint32_t m = 0; m < MEMBERS_MAX; m++) {
        Member *reader = &session->members[m];
        if (reader->used && reader->seated && reader->presence == PRESENT &&
            (reader->subscribed >> room & 1) && room_readable(session, reader, room))
            push_member(session, room, reader);
    }
}

void room_system_line(MawSession *session, RoomNo room, SystemLine line,
                      const Str arguments[static SYSTEM_ARGUMENTS])
{
    CLEANUP(buf_done) Buf text = {0};

    system_line_write(line, session->options.language, arguments, &text);
    room_line(session, room, NULL, buf_str(&text));
}
