/* The state of a session, and what follows from it alone: time, rooms, rights, standings. Calls no
 * other file of the session. */
#include "maw/session_state.h"
#include "record/maw_told.h"

#include <stdarg.h>

/* ---- time ---- */

TimeMs game_now(const MawSession *session)
{
    TimeMs at = session->paused ? session->paused_at : session->now;

    return at - session->round_began + session->shift;
}

TimeUs session_time(const MawSession *session)
{
    return session->began + session->now * 1000;
}

void watch_learnt(const MawSession *session, const Event *event)
{
    const MawWatcher *watcher = &session->watcher;
    Event told = *event;

    told.day = (uint16_t)game_day(session->game);
    told.time = game_now(session);
    if (watcher->learnt)
        watcher->learnt(watcher->user, session->round, &told, session_time(session));
}

void watch_said(const MawSession *session, const Member *member, const DocSaid *said)
{
    const MawWatcher *watcher = &session->watcher;
    DocSaid told = *said;

    told.seat = member->seat;
    if (watcher->said)
        watcher->said(watcher->user, session->round, &told, session_time(session));
}

void watch_act(const MawSession *session, const char *act)
{
    const MawWatcher *watcher = &session->watcher;
    const Str says = maw_told_of_act(str_of(act));

    if (watcher->notice && in_round(session) && says.len)
        watcher->notice(watcher->user, session->round, says, session_time(session));
}

void maw_session_fault(MawSession *session, Str jid, const Fault *fault, TimeUs now)
{
    const MawWatcher *watcher = &session->watcher;
    Fault told = *fault;

    if (!watcher->fault || !in_round(session))
        return;
    told.day = (uint16_t)game_day(session->game);
    for (SeatNo seat = 1; seat <= session->seat_count; seat++)
        if (str_eq(str_of(member_at(session, seat)->jid), jid)) {
            told.seat = seat;
            watcher->fault(watcher->user, session->round, &told, now);
            return;
        }
}

void session_set_now(MawSession *session, TimeUs now)
{
    TimeMs at = (now - session->began) / 1000;

    if (at > session->now)
        session->now = at;
}

TimeMs maw_session_left(const MawSession *session)
{
    if (!in_round(session) || session->phase_until == TIME_NEVER)
        return TIME_NEVER;
    return session->phase_until - game_now(session);
}

Str tell_time(const MawSession *session, TimeMs at, char room[static DATE_TEXT_ROOM])
{
    int64_t unix_ms = session->began_unix_ms + at;

    if (unix_ms < 0 || unix_ms > DATE_MAX_MS)
        return (Str){"", 0};
    return date_text_write(unix_ms, room);
}

/* ---- floods ---- */

bool bucket_has_room(const Bucket *bucket, TimeMs now, TimeMs each_ms, uint32_t burst)
{
    TimeMs passed = now - bucket->at;
    TimeMs debt = passed < bucket->debt ? bucket->debt - passed : 0;

    return each_ms <= 0 || debt + each_ms <= each_ms * (TimeMs)(burst ? burst : 1);
}

void bucket_put(Bucket *bucket, TimeMs now, TimeMs each_ms)
{
    TimeMs passed = now - bucket->at;

    bucket->debt = (passed < bucket->debt ? bucket->debt - passed : 0) + each_ms;
    bucket->at = now;
}

/* ---- words ---- */

void session_note(const MawSession *session, const char *format, ...)
{
    char line[512];
    va_list arguments;

    if (!session->out.note)
        return;
    va_start(arguments, format);
    vsnprintf(line, sizeof(line), format, arguments);
    va_end(arguments);
    session->out.note(session->out.user, str_of(line));
}

const char *tell_role(Role role)
{
    switch (role) {
    case ROLE_WEREWOLF:
        return "Werewolf";
    case ROLE_SEER:
        return "Seer";
    case ROLE_NONE:
    case ROLE_BODYGUARD:
    case ROLE_FREEMASON:
    case ROLE_MEDIUM:
    case ROLE_POSSESSED:
    case ROLE_VILLAGER:
    case ROLE_FOX:
    case ROLE_COUNT:
        break;
    }
    return "Villager";
}

/* ---- who may what ---- */

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

SeatSet votes_targets(const MawSession *session, const Member *member)
{
    SeatSet targets = game_alive(session->game);

    if (!in_round(session) || member->seat == SEAT_NONE || !member->alive)
        return 0;
    for (SeatNo seat = 1; session->night && seat <= session->seat_count; seat++)
        if (session->members[session->member_of[seat]].role == ROLE_WEREWOLF)
            targets &= ~seat_bit(seat);
    if (session->night && member->role != ROLE_WEREWOLF)
        return 0;
    if (!session->night && session->tied)
        targets &= session->tied;
    if (!session->rules.vote.self_vote)
        targets &= ~seat_bit(member->seat);
    return targets;
}

/* ---- standings ---- */

/* Who has more points, then more rounds won, then came first (A28). */
static bool stands_before(const Member *a, const Member *b)
{
    if (a->points != b->points)
        return a->points > b->points;
    if (a->rounds_won != b->rounds_won)
        return a->rounds_won > b->rounds_won;
    return a->joined < b->joined;
}

static bool is_listed(const Member *member)
{
    return member->used && (member->seated || member->rounds_played > 0);
}

bool maw_session_standing(const MawSession *session, uint32_t index, MawStanding *ret)
{
    for (uint32_t m = 0; m < MEMBERS_MAX; m++) {
        const Member *member = &session->members[m];
        uint32_t before = 0, better = 0;

        if (!is_listed(member))
            continue;
        for (uint32_t o = 0; o < MEMBERS_MAX; o++) {
            const Member *other = &session->members[o];
            if (other == member || !is_listed(other))
                continue;
            before += stands_before(other, member);
            better += other->points > member->points;
        }
        if (before != index)
            continue;
        *ret = (MawStanding){.jid = str_of(member->jid),
                             .name = member_name(member),
                             .points = member->points,
                             .rounds_won = member->rounds_won,
                             .play = &member->play,
                             .rank = better + 1,
                             .role = member->role,
                             .alive = member->alive,
                             .absent = member->presence != PRESENT,
                             .seated = member->seated};
        return true;
    }
    return false;
}
