/* Rooms: who may read and write where, lines, and how they reach their readers.
 * docs/spec/maw.md 2.3 (ChatRoom), 2.4, A19 to A23, A32, A35; C5. */
#include "base/utf8.h"
#include "maw/session_state.h"

#define EVERYBODY UINT64_MAX

const char *room_name(RoomNo room)
{
    static const char *const names[ROOM_COUNT] = {"Lobby", "Village", "Hideout", "Graveyard"};

    return room < ROOM_COUNT ? names[room] : "";
}

RoomNo room_of(const MawSession *session, Str jid)
{
    CLEANUP(buf_done) Buf folded = {0};

    jid_fold(jid, &folded);
    for (RoomNo room = ROOM_LOBBY; room < ROOM_COUNT; room++)
        if (session->rooms[room] && str_eq(buf_str(&folded), str_of(session->room_jids[room])))
            return room;
    return ROOM_NONE;
}

RoomNo room_now(const MawSession *session)
{
    for (RoomNo room = ROOM_LOBBY; room <= ROOM_HIDEOUT; room++)
        if (chat_room_is_open(session->rooms[room]))
            return room;
    return ROOM_NONE;
}

bool room_is_wolf(const Member *member)
{
    return member->seat != SEAT_NONE && member->role == ROLE_WEREWOLF;
}

/* Of this round; what was said in an earlier one is shown to nobody by index (room_since). */
bool room_readable(const MawSession *session, const Member *member, RoomNo room)
{
    bool ghost = member->seat != SEAT_NONE && !member->alive;

    if (!session->rooms[room])
        return false;
    switch (room) {
    case ROOM_LOBBY:
        return true;
    case ROOM_VILLAGE:
        return member->seat != SEAT_NONE;
    case ROOM_HIDEOUT:
        return room_is_wolf(member) || (ghost && session->rules.secrecy.ghosts_see == GHOSTS_ALL);
    case ROOM_GRAVEYARD:
        return ghost;
    case ROOM_COUNT:
        break;
    }
    return false;
}

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
    if (!chat_room_open(session->rooms[room], writers, readers,
                        session->began + session->now * 1000))
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

void room_take(ChatRoom *room, unsigned reader, int64_t index, TimeUs now, MawMessage *message,
               MawLine lines[static LINES_MAX])
{
    size_t size = 0;
    uint32_t count = chat_room_read(room, reader, index, now, lines, LINES_MAX, &message->first);

    message->lines = lines;
    /* A line stands in `messages` and in `entries`, and quotes take two bytes. */
    while (message->line_count < count && size < NEW_LINES_BYTES) {
        const MawLine *line = &lines[message->line_count++];
        size += 3 * (line->text.len + line->name.len) + line->from.len + 160;
    }
    message->next = message->first + message->line_count;
}

/* What a member is answered or sent. */
static void fill_lines(MawSession *session, RoomNo room, const Member *member, int64_t index,
                       MawMessage *message, MawLine lines[static LINES_MAX])
{
    if (index < session->room_since[room])
        index = session->room_since[room];
    room_take(session->rooms[room], member_no(session, member), index,
              session->began + session->now * 1000, message, lines);
    message->open = chat_room_is_open(session->rooms[room]);
}

/* What is new to a subscriber (A23). */
static void push_member(MawSession *session, RoomNo room, Member *member)
{
    MawMessage message = maw_message(MAW_NEW_MESSAGES);
    MawLine lines[LINES_MAX];

    fill_lines(session, room, member, member->pushed[room], &message, lines);
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

/* ---- what members ask for ---- */

/* Whether the sender may write there now; if not it is told why (section 4, rows 15 and 16). Who is
 * no wolf learns nothing of the hideout, not even whether it is open. */
static bool may_write(const Asked *asked, RoomNo room)
{
    const MawSession *session = asked->session;
    const Member *member = asked->member;
    bool plays = in_round(session);

    if (room == ROOM_LOBBY) {
        if (in_lobby(session))
            return true;
        refuse(asked, "closed", "The Lobby is closed during a round.");
    } else if (room == ROOM_GRAVEYARD) {
        if (plays && !member->alive)
            return true;
        refuse(asked, "not-member", "The Graveyard is for the dead.");
    } else if (room == ROOM_HIDEOUT && !(plays && room_is_wolf(member))) {
        refuse(asked, "not-member", "You are not a member of this room.");
    } else if (!plays) {
        refuse(asked, "closed", "The %s is closed: no round is going on.", room_name(room));
    } else if (!member->alive) {
        refuse(asked, "dead", "You are dead and can only watch until the round is over.");
    } else if (session->night && !room_is_wolf(member)) {
        refuse(asked, "asleep", "It is night and you are asleep. Wait for the day.");
    } else if (!chat_room_is_open(session->rooms[room]) || session->held_until) {
        refuse(asked, "closed", "The %s is closed. Wait for the next phase.", room_name(room));
    } else {
        return true;
    }
    return false;
}

static uint32_t max_chars(const MawSession *session)
{
    int32_t limit = session->rules.talk.length.per_talk;

    return limit > 0 ? (uint32_t)limit : 500;
}

bool room_line_fits(const Asked *asked, Str text, Buf *line)
{
    size_t count;

    line_clean(text, line);
    count = utf8_count(buf_str(line));
    if (buf_failed(line))
        tell_refusal(asked, ACT_FAILURE, "internal", NULL, 0, "Out of memory. Try again.");
    else if (line->len == 0)
        refuse(asked, "empty", "Expected a line with something to read in it.");
    else if (count > max_chars(asked->session))
        refuse(asked, "too-long", "A line may have %u characters; this one has %zu. Shorten it.",
               max_chars(asked->session), count);
    else
        return true;
    return false;
}

void room_chat(const Asked *asked)
{
    MawSession *session = asked->session;
    RoomNo room = asked->room;
    CLEANUP(buf_done) Buf line = {0};
    Answer answer = {.kind = session->night ? ASK_WHISPER : ASK_TALK};

    if (room == ROOM_NONE) /* to the game master: passed on (C5) */
        room = in_lobby(session) ? ROOM_LOBBY : session->night ? ROOM_HIDEOUT : ROOM_VILLAGE;
    if (asked->room == ROOM_NONE && in_round(session) && room == ROOM_HIDEOUT &&
        !room_is_wolf(asked->member))
        room = ROOM_VILLAGE; /* dead or asleep, and nothing is said of the other room */
    if (!may_write(asked, room) || !room_line_fits(asked, asked->message->message, &line))
        return;
    if (room == ROOM_LOBBY || room == ROOM_GRAVEYARD) {
        record_message(asked, "accepted", NULL);
        room_line(session, room, asked->member, buf_str(&line));
        return;
    }
    answer.text = buf_str(&line);
    int rc = game_answer(session->game, asked->member->seat, &answer, NULL);
    if (rc == ERR_LIMIT) {
        refuse(asked, "closed", "The %s has no place for more lines today.", room_name(room));
    } else if (rc) {
        tell_refusal(asked, ACT_FAILURE, "internal", NULL, 0, "The line was not taken. Try again.");
    } else {
        record_message(asked, "accepted", NULL);
        round_drain(session);
    }
}

/* The room that is meant, or ROOM_NONE when the sender was refused. */
static RoomNo readable_room(const Asked *asked)
{
    RoomNo room = asked->room == ROOM_NONE ? room_now(asked->session) : asked->room;

    /* Without an open room, or asleep: what a player saw last. */
    if (room == ROOM_NONE)
        room = ROOM_LOBBY;
    if (asked->room == ROOM_NONE && !room_readable(asked->session, asked->member, room))
        room = ROOM_VILLAGE;
    if (room_readable(asked->session, asked->member, room))
        return room;
    refuse(asked, "not-member", "You are not a member of this room.");
    return ROOM_NONE;
}

/* The document has no key for the index: without one, on from the last answer, for else a reader
 * would get the first page for ever. Nor does it have `next`: who counts the lines that came lags
 * behind by those that were dropped unread, and is taken to mean what comes next. */
static int64_t index_meant(const Asked *asked, RoomNo room)
{
    const Member *member = asked->member;
    int64_t index = asked->message->index;

    if (index == MAW_ABSENT || (index == member->counted[room] && index < member->told[room]))
        return member->told[room];
    return index;
}

static void answer_lines(const Asked *asked, RoomNo room)
{
    MawMessage message = maw_message(MAW_NEW_MESSAGES);
    MawLine lines[LINES_MAX];
    Member *member = asked->member;
    int64_t asked_for =
        asked->message->index == MAW_ABSENT ? member->counted[room] : asked->message->index;

    fill_lines(asked->session, room, member, index_meant(asked, room), &message, lines);
    member->pushed[room] = message.next;
    member->told[room] = message.next;
    member->counted[room] = (asked_for > 0 ? asked_for : 0) + message.line_count;
    if (member->counted[room] > message.next)
        member->counted[room] = message.next;
    tell_answer(asked, &message, ACT_INFORM);
}

void room_fetch(const Asked *asked)
{
    RoomNo room = readable_room(asked);

    if (room == ROOM_NONE)
        return;
    record_message(asked, "accepted", NULL);
    lobby_heard_from(asked->session, asked->member, asked->stanza->from);
    answer_lines(asked, room);
}

void room_subscribe(const Asked *asked, bool on)
{
    if (!asked->session->options.push) {
        refuse(asked, "not-authorised", "Lines are not pushed here. Ask by get_new_messages.");
        return;
    }
    RoomNo room = readable_room(asked);
    if (room == ROOM_NONE)
        return;
    record_message(asked, "accepted", NULL);
    lobby_heard_from(asked->session, asked->member, asked->stanza->from);
    if (on)
        asked->member->subscribed |= 1u << room;
    else
        asked->member->subscribed &= ~(1u << room);
    answer_lines(asked, room);
}
