/* What members do in rooms: say a line, fetch what is new, subscribe to it. docs/spec/maw.md 2.3
 * (ChatRoom), 4 (rows 15 to 17), A19 to A23, A35; C5. */
#include "base/utf8.h"
#include "maw/session_state.h"

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
        if (room == ROOM_GRAVEYARD)
            watch_said(session, asked->member,
                       &(DocSaid){.to = seat_all(session->seat_count) & ~game_alive(session->game),
                                  .text = buf_str(&line)});
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

    room_fill_lines(asked->session, room, member, index_meant(asked, room), &message, lines);
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
