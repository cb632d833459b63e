/* The link and the operator: what stands above the game. docs/spec/maw.md 7.1, 8.1. */
#include "maw/session_state.h"

/* ---- the link ---- */

void maw_session_link(MawSession *session, bool up, TimeUs now)
{
    maw_session_tick(session, now);
    if (session->state == MAW_OVER || session->down == !up)
        return;
    session->down = !up;
    record_plain(session, "link", "state", up ? STR("up") : STR("down"));
    if (!up) {
        session->down_at = session->now;
        clock_await_link(session);
        clock_tick(session);
        return;
    }
    session->down_for_long = false;
    clock_await_link(session);
    clock_go_on(session);
    session_advance(session);
}

/* ---- a game master that was gone ---- */

/* The ids of what is sent now are none that were sent before. */
#define SENT_BEFORE 1000000

void maw_session_continue(MawSession *session, int64_t unix_ms, TimeMs wait_ms, TimeUs now)
{
    maw_session_tick(session, now);
    if (session->state == MAW_OVER)
        return;
    if (unix_ms >= 0)
        session->began_unix_ms = unix_ms - session->now;
    session->sent += SENT_BEFORE;
    record_resumed(session, wait_ms);
    clock_await(session, wait_ms);
}

/* ---- the operator ---- */

void maw_session_stop(MawSession *session, const char *why, TimeUs now)
{
    session_set_now(session, now);
    if (session->state == MAW_OVER)
        return;
    record_act(session, "stop");
    session_end(session, why);
}

void maw_session_drain(MawSession *session, TimeUs now)
{
    maw_session_tick(session, now);
    if (session->state == MAW_OVER || session->drained)
        return;
    session->drained = true;
    record_act(session, "drain");
    if (!in_round(session))
        session_end(session, "No further round is played.");
}

bool maw_session_pause(MawSession *session, TimeUs now)
{
    maw_session_tick(session, now);
    if (session->state == MAW_OVER || session->halted)
        return false;
    session->halted = true;
    record_act(session, "pause");
    clock_stop(session, SYSTEM_STOPPED);
    return true;
}

bool maw_session_resume(MawSession *session, TimeUs now)
{
    maw_session_tick(session, now);
    if (session->state == MAW_OVER || !session->halted)
        return false;
    session->halted = false;
    record_act(session, "resume");
    clock_go_on(session);
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
    record_act(session, "end_phase");
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
