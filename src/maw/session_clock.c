/* Clocks that stand still while the link is down, the operator wants it, or those who played are
 * waited for. docs/spec/maw.md 7.1, 8.1; docs/spec/models.md 4.5.
 *
 *              link down for pause_after_ms, the operator pauses, or the session is gone on with
 *   RUNNING ------------------------------------------------------------------------> PAUSED
 *           <------------------------------------------------------------------------
 *              link up again, the operator resumes, all are back or the wait is over: none is left
 *
 * PAUSED: nobody can act in the round (session_answer.c); who leaves leaves when it goes on. */
#include "maw/session_state.h"

static void say_line(MawSession *session, SystemLine line)
{
    RoomNo room = room_now(session);

    if (room != ROOM_NONE)
        room_system(session, room, line, {0});
}

void clock_stop(MawSession *session, SystemLine why)
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
TimeMs clock_pause_at(const MawSession *session)
{
    if (!session->down || session->down_for_long)
        return TIME_NEVER;
    return session->down_at + (in_round(session) ? session->options.pause_after_ms : 0);
}

/* ---- until those who played are back ---- */

/* Who is dead or has left has nothing to come back for before the next round. */
static bool is_missed(const MawSession *session, const Member *member)
{
    if (!member->used || !member->seated || member->banned || member->leaves ||
        member->presence == GONE)
        return false;
    return !in_round(session) || (member->seat != SEAT_NONE && member->alive);
}

static uint32_t awaited_count(const MawSession *session)
{
    uint32_t count = 0;

    for (uint32_t m = 0; m < MEMBERS_MAX; m++)
        count += session->members[m].used && session->members[m].awaited;
    return count;
}

/* Players of this process know by themselves. */
static void call_awaited(MawSession *session)
{
    for (uint32_t m = 0; m < MEMBERS_MAX; m++) {
        const Member *member = &session->members[m];
        if (member->used && member->awaited &&
            !str_eq(jid_domain(str_of(member->jid)), str_of(session->domain)))
            tell_to_join(session, member);
    }
}

void clock_await(MawSession *session, TimeMs wait_ms)
{
    session->awaiting = true;
    session->await_ms = wait_ms;
    session->await_until = session->down ? TIME_NEVER : session->now + wait_ms;
    for (uint32_t m = 0; m < MEMBERS_MAX; m++)
        session->members[m].awaited = is_missed(session, &session->members[m]);
    if (session->paused)
        say_line(session, SYSTEM_RESUMED);
    clock_stop(session, SYSTEM_RESUMED);
    if (!session->down)
        call_awaited(session);
}

void clock_await_link(MawSession *session)
{
    if (!session->awaiting)
        return;
    session->await_until = TIME_NEVER;
    if (session->down)
        return;
    session->await_until = session->now + session->await_ms;
    if (in_round(session))
        tell_phase(session, NULL);
    call_awaited(session);
}

/* Who sleeps had no reason to say anything. */
static void end_wait(MawSession *session)
{
    session->awaiting = false;
    for (uint32_t m = 0; m < MEMBERS_MAX; m++) {
        Member *member = &session->members[m];
        if (member->used && member->awaited && member->presence == PRESENT &&
            (in_lobby(session) || round_awake(session, member)))
            lobby_be_absent(session, member);
        member->awaited = false;
    }
    clock_go_on(session);
}

/* ---- */

void clock_tick(MawSession *session)
{
    if (session->awaiting && (session->now >= session->await_until || !awaited_count(session)))
        end_wait(session);
    if (session->now < clock_pause_at(session))
        return;
    session->down_for_long = true;
    record_plain(session, "link", "state", STR("paused"));
    clock_stop(session, SYSTEM_OUT_OF_REACH);
}

/* As much later as the clocks stood still; what began meanwhile begins now. */
static TimeMs moved_time(const MawSession *session, TimeMs at)
{
    TimeMs stood = session->now - session->paused_at;

    return (at < session->paused_at ? at : session->paused_at) + stood;
}

/* All clocks stood still, those of the lobby and of the absent too. */
void clock_go_on(MawSession *session)
{
    TimeMs stood = session->now - session->paused_at;

    if (session->halted || session->down_for_long || session->awaiting || !session->paused)
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
