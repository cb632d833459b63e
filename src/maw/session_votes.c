/* Votes, whispers, and the Seer's question: who may act, and on whom.
 * docs/spec/maw.md A8 to A14, A37, 4 (rows 15 to 18), 7.2, 7.3. */
#include "maw/session_state.h"

static uint32_t names_of(MawSession *session, SeatSet seats, Str names[static MAW_LIST_MAX])
{
    uint32_t count = 0;

    for (SeatSet left = seats; left; left &= left - 1)
        names[count++] = member_name(member_at(session, seat_first(left)));
    return count;
}

/* ---- targets: row 18 ---- */

/* By JID, exact name, name in any case, unique beginning of at least three characters. */
static Member *find_player(MawSession *session, Str target)
{
    CLEANUP(buf_done) Buf jid = {0};
    Member *same = NULL, *begins = NULL;
    uint32_t sames = 0, beginnings = 0;

    jid_fold(target, &jid);
    for (SeatNo seat = 1; seat <= session->seat_count; seat++)
        if (str_eq(buf_str(&jid), str_of(member_at(session, seat)->jid)))
            return member_at(session, seat);
    for (SeatNo seat = 1; seat <= session->seat_count; seat++) {
        Member *member = member_at(session, seat);
        if (str_eq(target, member_name(member)))
            return member;
        if (name_same(member_name(member), target)) {
            same = member;
            sames++;
        }
        if (name_prefix(member_name(member), target) >= 3) {
            begins = member;
            beginnings++;
        }
    }
    if (sames == 1)
        return same;
    return beginnings == 1 ? begins : NULL;
}

/* The member that is meant and may be it; NULL when the sender was refused. */
static Member *resolve_target(const Asked *asked, Str target, SeatSet valid, const char *what)
{
    MawSession *session = asked->session;
    Member *found = find_player(session, target);
    const char *code = NULL, *why = NULL;
    Str names[MAW_LIST_MAX];

    if (!found) {
        code = "bad-target";
        why = "is nobody here, or not only one";
    } else if (!found->alive) {
        code = "dead-target";
        why = "is dead";
    } else if (found == asked->member && !seat_in(valid, found->seat)) {
        code = "self-target";
        why = "is you";
    } else if (!seat_in(valid, found->seat) && session->night) {
        code = "wrong-team"; /* who votes by night is a wolf */
        why = "is a werewolf like you";
    } else if (!seat_in(valid, found->seat)) {
        code = "bad-target";
        why = "is not one of the tied";
    } else {
        return found;
    }
    uint32_t count = names_of(session, valid, names);
    tell_refusal(asked, ACT_REFUSE, code, names, count, "%s: '%.*s' %s. Choose one of the others.",
                 what, STR_ARG(str_part(target, 0, 96)), why);
    return NULL;
}

/* ---- votes ---- */

/* Rows 15 and 16 for a vote: true when the sender may vote now. */
static bool may_vote(const Asked *asked)
{
    const MawSession *session = asked->session;
    const Member *member = asked->member;
    bool plays = in_round(session);
    RoomNo open = session->night ? ROOM_HIDEOUT : ROOM_VILLAGE;

    if (asked->room == ROOM_HIDEOUT && !(plays && room_is_wolf(member)))
        refuse(asked, "not-member", "You are not a member of this room.");
    else if (!plays)
        refuse(asked, "no-phase", "No round is going on. Votes are taken by day and by night.");
    else if (!member->alive)
        refuse(asked, "dead", "You are dead and can't vote until the round is over.");
    else if (session->night && !room_is_wolf(member))
        refuse(asked, "asleep", "It is night and you are asleep. Vote by day.");
    else if (asked->room != ROOM_NONE && asked->room != open)
        refuse(asked, "closed", "The %s is closed. Send votes to the open room or to %s.",
               room_name(asked->room), session->master);
    else if (session->held_until)
        refuse(asked, "no-phase", "The phase is over. Wait for the next one.");
    else
        return true;
    return false;
}

void votes_take(const Asked *asked)
{
    MawSession *session = asked->session;
    Member *voter = asked->member, *target = NULL;
    MawMessage message = maw_message(MAW_VOTE_ACCEPTED);
    Answer answer = {.kind = session->night ? ASK_ATTACK : ASK_VOTE};

    if (!may_vote(asked))
        return;
    SeatSet valid = votes_targets(session, voter);
    if (!asked->message->target_null) {
        target = resolve_target(asked, asked->message->target, valid, "Vote");
        if (!target)
            return;
        answer.target = target->seat;
    }
    SeatNo previous = voter->vote;
    if (game_answer(session->game, voter->seat, &answer, NULL)) {
        tell_refusal(asked, ACT_FAILURE, "internal", NULL, 0, "The vote was not taken. Try again.");
        return;
    }
    record_message(asked, "accepted", NULL);
    record_vote(session, voter, target, asked->message->reason);
    message.target_null = !target;
    if (target)
        message.target = str_of(target->jid);
    if (previous != SEAT_NONE)
        message.previous = str_of(member_at(session, previous)->jid);
    tell_answer(asked, &message, ACT_AGREE);
    session->vote_reason = asked->message->reason;
    round_drain(session);
    session->vote_reason = STR("");
}

/* ---- whispers: 7.2 ---- */

static bool may_whisper(const Asked *asked)
{
    const MawSession *session = asked->session;
    const Member *member = asked->member;

    if (session->options.whispers == WHISPERS_OFF)
        refuse(asked, "not-authorised", "There are no whispers in this session.");
    else if (!in_round(session))
        refuse(asked, "no-phase", "No round is going on.");
    else if (!member->alive)
        refuse(asked, "dead", "You are dead and can only watch until the round is over.");
    else if (session->night && session->options.whispers == WHISPERS_DAY)
        refuse(asked, room_is_wolf(member) ? "no-phase" : "asleep", "Whispers are for the day.");
    else if (session->held_until)
        refuse(asked, "no-phase", "The phase is over. Wait for the next one.");
    else
        return true;
    return false;
}

void votes_whisper(const Asked *asked)
{
    MawSession *session = asked->session;
    Member *sender = asked->member;
    CLEANUP(buf_done) Buf line = {0};
    MawMessage message = maw_message(MAW_WHISPER);

    if (!may_whisper(asked) || !room_line_fits(asked, asked->message->message, &line))
        return;
    SeatSet valid = game_alive(session->game) & ~seat_bit(sender->seat);
    const Member *target = resolve_target(asked, asked->message->to, valid, "Whisper");
    if (!target)
        return;
    if (sender->whispered && session->now < sender->whispered_at + WHISPER_EACH_MS) {
        refuse(asked, "rate-limited", "One whisper in ten seconds. Wait a little.");
        return;
    }
    record_message(asked, "accepted", NULL);
    sender->whispered = true;
    sender->whispered_at = session->now;
    message.from = str_of(sender->jid);
    message.message = buf_str(&line);
    tell_one(session, ROOM_NONE, target, &message);
    watch_said(session, sender,
               &(DocSaid){.target = target->seat,
                          .to = seat_bit(sender->seat) | seat_bit(target->seat),
                          .seen_by_all = session->options.whispers_public && !session->night,
                          .text = buf_str(&line)});
    /* By night the room that all could read is closed: only that of the day is told. */
    if (session->options.whispers_public && !session->night)
        room_system(session, ROOM_VILLAGE, SYSTEM_WHISPERS, member_name(sender),
                    member_name(target));
}

/* ---- the Seer: 7.3 ---- */

void votes_query_role(const Asked *asked)
{
    MawSession *session = asked->session;
    Member *seer = asked->member;
    MawMessage message = maw_message(MAW_ROLE_ANSWER);

    if (!in_round(session)) {
        refuse(asked, "no-phase", "No round is going on.");
        return;
    }
    if (seer->role != ROLE_SEER) {
        refuse(asked, "not-authorised", "Only the Seer may ask for a role.");
        return;
    }
    if (!seer->alive) {
        refuse(asked, "dead", "You are dead and can only watch until the round is over.");
        return;
    }
    if (session->night) {
        refuse(asked, "asleep", "It is night and you are asleep. Ask by day.");
        return;
    }
    if (seer->asked_day == game_day(session->game)) {
        refuse(asked, "used-up", "You have asked today. One question a day.");
        return;
    }
    SeatSet valid = game_alive(session->game) & ~seat_bit(seer->seat);
    const Member *target = resolve_target(asked, asked->message->target, valid, "Question");
    if (!target)
        return;
    seer->asked_day = game_day(session->game);
    record_message(asked, "accepted", NULL);
    message.target = str_of(target->jid);
    message.role = str_of(tell_role(target->role));
    tell_answer(asked, &message, ACT_INFORM);
    watch_learnt(session, &(Event){.kind = EVENT_ROLE,
                                   .seat = target->seat,
                                   .role = target->role,
                                   .known_to = seat_bit(seer->seat)});
}
