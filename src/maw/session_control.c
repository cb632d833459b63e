/* What stands above the game: clocks that stand still, and the operator. docs/spec/maw.md 7.1, 8.1.
 *
 *              link down for pause_after_ms, or the operator pauses
 *   RUNNING ---------------------------------------------------------> PAUSED
 *           <---------------------------------------------------------
 *              link up again and the operator resumes: neither is left
 *
 * PAUSED: nobody can act in the round (session_answer.c); who leaves leaves when it goes on. */
#include "maw/session_state.h"

/* ---- clocks ---- */

static void say_line(MawSession *session, SystemLine line)
{
    RoomNo room = room_now(session);

    if (room != ROOM_NONE)
        room_system(session, room, line, {0});
}

static void stand_still(MawSession *session, SystemLine why)
{
    if (session->paused)
        return;
    session->paused = true;
    session->paused_at = session->now;
    if (in_round(session))
        tell_phase(session, NULL);
    say_line(session, why);
}

/* In the lobby at once: nobody can come, and nobody is kept from anything. */
TimeMs control_pause_at(const MawSession *session)
{
    if (!session->down || session->down_for_long)
        return TIME_NEVER;
    return session->down_at + (in_round(session) ? session->options.pause_after_ms : 0);
}

void control_tick(MawSession *session)
{
    if (session->now < control_pause_at(session))
        return;
    session->down_for_long = true;
    record_plain(session, "link", "state", STR("paused"));
    stand_still(session, SYSTEM_OUT_OF_REACH);
}

/* As much later as the clocks stood still; what began meanwhile begins now. */
static TimeMs moved_time(const MawSession *session, TimeMs at)
{
    TimeMs stood = session->now - session->paused_at;

    return (at < session->paused_at ? at : session->paused_at) + stood;
}

/* All clocks stood still, those of the lobby and of the absent too. */
static void go_on(MawSession *session)
{
    TimeMs stood = session->now - session->paused_at;

    if (session->halted || session->down_for_long || !session->paused)
        return;
    session->paused = false;
    session->shift -= stood;
    session->next_round_at += stood;
    if (session->lobby_until != TIME_NEVER)
        session->lobby_until += stood;
    if (session->wait_told_at != TIME_NEVER)
        session->wait_told_at += stood;
    for (uint32_t m = 0; m < MEMBERS_MAX; m++) {
        session->members[m].gone_at = moved_time(session, session->members[m].gone_at);
        session->members[m].heard_at = moved_time(session, session->members[m].heard_at);
    }
    session->night_began = moved_time(session, session->night_began);
    if (in_round(session))
        round_retime(session);
    say_line(session, SYSTEM_GOES_ON);
    for (uint32_t m = 0; m < MEMBERS_MAX && in_round(session); m++)
        if (session->members[m].used && session->members[m].presence == ABSENT)
            round_away(session, &session->members[m], true);
}

void maw_session_link(MawSession *session, bool up, TimeUs now)
{
    maw_session_tick(session, now);
    if (session->state == MAW_OVER || session->down == !up)
        return;
    session->down = !up;
    record_plain(session, "link", "state", up ? STR("up") : STR("down"));
    if (!up) {
        session->down_at = session->now;
        control_tick(session);
        return;
    }
    session->down_for_long = false;
    go_on(session);
    session_advance(session);
}

/* ---- the operator ---- */

void maw_session_stop(MawSession *session, const char *why, TimeUs now)
{
    session_set_now(session, now);
    if (session->state == MAW_OVER)
        return;
    record_plain(session, "operator", "act", STR("stop"));
    session_end(session, why);
}

void maw_session_drain(MawSession *session, TimeUs now)
{
    maw_session_tick(session, now);
    if (session->state == MAW_OVER || session->drained)
        return;
    session->drained = true;
    record_plain(session, "operator", "act", STR("drain"));
    if (!in_round(session))
        session_end(session, "No further round is played.");
}

bool maw_session_pause(MawSession *session, TimeUs now)
{
    maw_session_tick(session, now);
    if (session->state == MAW_OVER || session->halted)
        return false;
    session->halted = true;
    record_plain(session, "operator", "act", STR("pause"));
    stand_still(session, SYSTEM_STOPPED);
    return true;
}

bool maw_session_resume(MawSession *session, TimeUs now)
{
    maw_session_tick(session, now);
    if (session->state == MAW_OVER || !session->halted)
        return false;
    session->halted = false;
    record_plain(session, "operator", "act", STR("resume"));
    go_on(session);
    session_advance(session);
    return true;
}

bool maw_session_extend(MawSession *session, TimeMs longer, TimeUs now)
{
    char seconds[24];

    maw_session_tick(session, now);
    if (!in_round(session) || session->held_until || longer <= 0 || longer > MAW_EXTEND_MAX ||
        game_extend(session->game, longer, NULL))
        return false;
    session->phase_until += longer;
    record_extend(session, longer);
    round_retime(session);
    snprintf(seconds, sizeof(seconds), "%lld",
             (long long)((maw_session_left(session) + 999) / 1000));
    room_system(session, session->night ? ROOM_HIDEOUT : ROOM_VILLAGE, SYSTEM_EXTENDED,
                str_of(seconds));
    return true;
}

bool maw_session_end_phase(MawSession *session, TimeUs now)
{
    maw_session_tick(session, now);
    TimeMs until = session->held_until ? session->held_until : session->phase_until;

    if (!in_round(session) || session->paused || until == TIME_NEVER)
        return false;
    record_plain(session, "operator", "act", STR("end_phase"));
    if (until > game_now(session))
        session->shift += until - game_now(session);
    session_advance(session);
    return true;
}

Str maw_session_name(const MawSession *session, Str name)
{
    for (uint32_t m = 0; m < MEMBERS_MAX; m++)
        if (session->members[m].used && name_same(member_name(&session->members[m]), name))
            return member_name(&session->members[m]);
    return (Str){0};
}

bool maw_session_kick(MawSession *session, Str name, TimeUs now)
{
    maw_session_tick(session, now);
    for (uint32_t m = 0; m < MEMBERS_MAX && session->state != MAW_OVER; m++) {
        Member *member = &session->members[m];
        if (!member->used || !str_eq(member_name(member), name))
            continue;
        if (member->banned)
            return false;
        record_member(session, "kick", member);
        member->banned = true;
        lobby_depart(session, member);
        return true;
    }
    return false;
}
