/* What a round came to, for who keeps results of all divisions. */
#include "maw/session_state.h"

static void result_seat(const MawSession *session, SeatNo seat, GameRecord *ret)
{
    const Member *member = &session->members[session->member_of[seat]];
    SeatRecord *own = &ret->seats[seat];

    ret->result.names[seat] = game_record_name(member_name(member));
    ret->result.roles[seat] = member->role;
    ret->result.points[seat] = session->gained[seat];
    if (!member->cause || strcmp(member->cause, "left") != 0)
        return;
    own->failed = true; /* it left before the end, or did not come back */
    own->faults[FAULT_DISCONNECT] = 1;
}

/* How everybody played the round that is over. */
static void add_play(MawSession *session)
{
    const GameResult *result = &session->result;

    for (SeatNo seat = 1; result->has_play && seat <= session->seat_count; seat++) {
        Member *member = member_at(session, seat);
        play_sums_add(&member->play, member->role, &result->play[seat]);
    }
}

void result_tell(MawSession *session)
{
    Str jids[SEAT_MAX + 1] = {0};

    add_play(session);
    if (!session->out.result)
        return;
    GameRecord *record = mem_new(sizeof(*record));
    if (!record) {
        session_note(session, "a round's result was not kept: out of memory");
        return;
    }
    *record = (GameRecord){.division = DIVISION_MAW,
                           .set = session->round - 1,
                           .game = session->round - 1,
                           .began_at_ms = session->began_unix_ms + session->round_began,
                           .ended_at_ms = session->began_unix_ms + session->now,
                           .reason = session->reason,
                           .result = session->result};
    record->result.seat_count = session->seat_count;
    memcpy(record->ruleset, session->rules.name, sizeof(record->ruleset));
    snprintf(record->id, sizeof(record->id), "%s-%u", session->id, session->round);
    for (SeatNo seat = 1; seat <= session->seat_count; seat++) {
        result_seat(session, seat, record);
        jids[seat] = str_of(member_at(session, seat)->jid);
    }
    session->out.result(session->out.user, record, jids);
    mem_free(record);
}
