/* Between rounds: seats are given up, the lobby opens again, or the session ends. */
#include "maw/session_state.h"

uint32_t lobby_seated(const MawSession *session)
{
    uint32_t count = 0;

    for (uint32_t m = 0; m < MEMBERS_MAX; m++)
        count += session->members[m].used && session->members[m].seated;
    return count;
}

/* Somebody who never played leaves nothing behind, not even the name. */
void lobby_give_up_seat(Member *member)
{
    member->seated = false;
    member->seat = SEAT_NONE;
    member->presence = GONE;
    if (member->rounds_played > 0 || member->banned)
        return;
    for (uint32_t r = 0; r < REPEATS_MAX; r++)
        buf_done(&member->repeats[r].answer);
    *member = (Member){0};
}

void lobby_open(MawSession *session)
{
    for (uint32_t m = 0; m < MEMBERS_MAX; m++)
        if (session->members[m].used && session->members[m].seated &&
            session->members[m].presence == GONE)
            lobby_give_up_seat(&session->members[m]);
    bool full = lobby_seated(session) == session->options.players;
    session->state = full ? MAW_END_PHASE : MAW_SETUP;
    session->lobby_until =
        session->options.lobby_ms > 0 ? session->now + session->options.lobby_ms : TIME_NEVER;
    session->next_round_at = session->round ? session->now + session->options.scores_ms : 0;
    session->wait_told_at = TIME_NEVER;
    if (session->options.wait_told_ms > 0)
        session->wait_told_at = session->now + (session->round ? 0 : session->options.wait_told_ms);
    room_open(session, ROOM_LOBBY);
}

void lobby_leaderboard(MawSession *session)
{
    CLEANUP(buf_done) Buf line = {0};
    char round[16], rounds[16];
    MawStanding standing;

    snprintf(round, sizeof(round), "%u", session->round);
    snprintf(rounds, sizeof(rounds), "%u", session->options.rounds);
    room_system(session, ROOM_LOBBY, session->winner == SIDE_NONE ? SYSTEM_NOBODY_WON : SYSTEM_WON,
                str_of(round), str_of(rounds), tell_team(session->winner));
    for (uint32_t i = 0; maw_session_standing(session, i, &standing); i++)
        buf_printf(&line, "%s%u. %.*s %lld", i ? ", " : "", standing.rank, STR_ARG(standing.name),
                   (long long)standing.points);
    room_system(session, ROOM_LOBBY, SYSTEM_POINTS, buf_str(&line));
}

void session_end(MawSession *session, const char *why)
{
    MawMessage message = maw_message(MAW_SESSION_END);

    for (uint32_t m = 0; m < MEMBERS_MAX; m++)
        record_dropped(session, &session->members[m]);
    record_plain(session, "session_end", "why", str_of(why));
    for (RoomNo room = ROOM_LOBBY; room < ROOM_COUNT; room++)
        room_close(session, room);
    session->state = MAW_OVER;
    message.message = str_of(why);
    message.round = session->rounds_done;
    tell_fill_scores(session, &message);
    tell_all(session, &message);
}
