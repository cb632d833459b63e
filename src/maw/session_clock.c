/* Clocks that stand still while the link is down or the operator wants it.
 * docs/spec/maw.md 7.1, 8.1.
 *
 *              link down for pause_after_ms, or the operator pauses
 *   RUNNING ---------------------------------------------------------> PAUSED
 *           <---------------------------------------------------------
 *              link up again and the operator resumes: neither is left
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

void clock_tick(MawSession *session)
{
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
