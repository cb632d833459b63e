/* What goes out: one stanza after the other, in the order of docs/spec/maw.md A16. */
#include "maw/session_state.h"

#include <stdarg.h>

#define THREAD_MAX (ID_BYTES_MAX + 32)

/* ---- envelopes ---- */

static Str address_of(const MawSession *session, RoomNo from)
{
    return str_of(from == ROOM_NONE ? session->master : session->room_jids[from]);
}

/* The body is in session->body. */
static void send_body(MawSession *session, RoomNo from, Str to, MawAct act,
                      const MawStanza *question)
{
    char id[24], thread[THREAD_MAX];
    MawStanza stanza = {.type = STANZA_CHAT, .act = act, .to = to, .has_body = true};

    snprintf(id, sizeof(id), "m%llu", (unsigned long long)session->sent++);
    snprintf(thread, sizeof(thread), "maw-%s-%u", session->id, session->round);
    stanza.from = address_of(session, from);
    stanza.id = str_of(id);
    stanza.thread = str_of(thread);
    stanza.body = buf_str(&session->body);
    if (question) {
        stanza.conversation_id = question->conversation_id;
        stanza.in_reply_to = question->reply_with;
    }
    for (uint32_t i = 0; question && i < question->other_count; i++)
        if (str_eq(question->other[i].key, STR("protocol")) &&
            str_eq(question->other[i].value, STR("fipa-request")))
            stanza.other[stanza.other_count++] = question->other[i];
    session->out.send(session->out.user, &stanza);
}

static bool encode_message(MawSession *session, const MawMessage *message)
{
    buf_clear(&session->body);
    maw_message_write(message, &session->body);
    if (!buf_failed(&session->body))
        return true;
    session_note(session, "a message was not sent: out of memory");
    buf_done(&session->body);
    return false;
}

void tell_one(MawSession *session, RoomNo from, const Member *member, const MawMessage *message)
{
    /* A whisper is a request when it comes in, and news when it goes out. */
    MawAct act = message->type == MAW_WHISPER ? ACT_INFORM : maw_type_act(message->type);

    if (member->presence == PRESENT && encode_message(session, message))
        send_body(session, from, str_of(member->address), act, NULL);
}

void tell_spectators(MawSession *session, RoomNo from, const MawMessage *message)
{
    if (session->options.spectators == 0 || !encode_message(session, message))
        return;
    for (uint32_t i = 0; i < session->options.spectators; i++)
        if (session->spectators[i].used)
            send_body(session, from, str_of(session->spectators[i].address),
                      maw_type_act(message->type), NULL);
}

void tell_all(MawSession *session, const MawMessage *message)
{
    if (!encode_message(session, message))
        return;
    for (uint32_t m = 0; m < MEMBERS_MAX; m++) {
        const Member *member = &session->members[m];
        if (member->used && member->seated && member->presence == PRESENT)
            send_body(session, ROOM_NONE, str_of(member->address), maw_type_act(message->type),
                      NULL);
    }
    if (message->type != MAW_END_GAME)
        tell_spectators(session, ROOM_NONE, message);
}

void tell_replaced(MawSession *session, Str to)
{
    MawMessage message = maw_message(MAW_ERROR);
    char text[JID_BYTES_MAX + 100];

    snprintf(text, sizeof(text), "%.*s has lost its seat to another client of the account.",
             STR_ARG(to));
    message.code = STR("replaced");
    message.message = str_of(text);
    if (encode_message(session, &message))
        send_body(session, ROOM_NONE, to, ACT_REFUSE, NULL);
}

void tell_to_join(MawSession *session, const Member *member)
{
    MawMessage message = maw_message(MAW_ERROR);

    message.code = STR("not-joined");
    message.message = STR("The game master was gone and is back. Join again: join_lobby.");
    if (member->presence == PRESENT && encode_message(session, &message))
        send_body(session, ROOM_NONE, str_of(member->address), ACT_REFUSE, NULL);
}

static void tell_members(MawSession *session, const Member *only, const MawMessage *message)
{
    if (only)
        tell_one(session, ROOM_NONE, only, message);
    else
        tell_all(session, message);
}

/* ---- a round ---- */

void tell_start(MawSession *session, const Member *only)
{
    MawMessage message = maw_message(MAW_START_GAME);

    message.total_players = session->seat_count;
    message.round = session->round;
    message.rounds = session->options.rounds;
    message.wolves = 0;
    for (SeatNo seat = 1; seat <= session->seat_count; seat++) {
        const Member *member = member_at(session, seat);
        message.players[message.player_count++] =
            (MawPerson){str_of(member->jid), member_name(member)};
        message.wolves += member->role == ROLE_WEREWOLF;
    }
    tell_members(session, only, &message);
}

void tell_role_of(MawSession *session, const Member *member)
{
    MawMessage message = maw_message(MAW_ASSIGN_ROLE);

    message.role = str_of(tell_role(member->role));
    for (SeatNo seat = 1; seat <= session->seat_count && member->role == ROLE_WEREWOLF; seat++) {
        const Member *mate = member_at(session, seat);
        if (mate != member && mate->role == ROLE_WEREWOLF)
            message.list[message.list_count++] = str_of(mate->jid);
    }
    tell_one(session, ROOM_NONE, member, &message);
}

void tell_phase(MawSession *session, const Member *only)
{
    MawMessage message = maw_message(MAW_PHASE_CHANGE);
    TimeMs left = session->phase_until - game_now(session);
    char deadline[DATE_TEXT_ROOM];

    message.new_phase = session->night ? STR("night") : STR("day");
    message.day = game_day(session->game);
    message.phase_no = session->phase_no;
    message.seconds = left > 0 ? (left + 999) / 1000 : 0;
    message.paused = session->paused;
    if (!session->paused)
        message.deadline = tell_time(session, session->now + left, deadline);
    message.room = address_of(session, session->night ? ROOM_HIDEOUT : ROOM_VILLAGE);
    tell_members(session, only, &message);
    if (!only && session->watcher.clock)
        session->watcher.clock(session->watcher.user, session->round,
                               session->night ? ACTION_HIDEOUT : ACTION_VILLAGE,
                               session_time(session) + 1000 * (left > 0 ? left : 0),
                               session->paused, session_time(session));
}

void tell_kill(MawSession *session, const Member *member)
{
    MawMessage message = maw_message(MAW_KILL);

    message.cause = str_of(member->cause);
    tell_one(session, ROOM_NONE, member, &message);
}

void tell_result(MawSession *session, const PhaseEnd *end, const char *status)
{
    MawMessage message = maw_message(MAW_VOTE_RESULT);
    SeatNo dead = end->night ? end->murdered : end->executed;

    message.target_null = dead == SEAT_NONE;
    message.status = str_of(status);
    message.phase = end->night ? STR("night") : STR("day");
    if (dead != SEAT_NONE) {
        message.target = str_of(member_at(session, dead)->jid);
        message.name = member_name(member_at(session, dead));
    }
    if (!end->night && session->rules.vote.visible)
        for (uint8_t i = 0; i < end->votes.count; i++)
            message.pairs[message.pair_count++] =
                (MawPair){member_name(member_at(session, end->votes.items[i].voter)),
                          member_name(member_at(session, end->votes.items[i].target))};
    tell_all(session, &message);
}

Str tell_team(Side winner)
{
    if (winner == SIDE_VILLAGER)
        return STR("Villagers");
    return winner == SIDE_WEREWOLF ? STR("Werewolves") : STR("None");
}

void tell_end_game(MawSession *session, bool last)
{
    MawMessage message = maw_message(MAW_END_GAME);

    message.winning_team = tell_team(session->winner);
    for (SeatNo seat = 1; seat <= session->seat_count; seat++) {
        const Member *member = member_at(session, seat);
        message.pairs[message.pair_count++] =
            (MawPair){str_of(member->jid), str_of(tell_role(member->role))};
    }
    message.days = game_day(session->game);
    message.round = session->round;
    message.last = last;
    tell_fill_scores(session, &message);
    tell_all(session, &message);
    message.pair_count = 0;
    tell_spectators(session, ROOM_NONE, &message);
}

void tell_fill_scores(const MawSession *session, MawMessage *message)
{
    MawStanding standing;

    for (uint32_t i = 0; i < MAW_LIST_MAX && maw_session_standing(session, i, &standing); i++)
        message->scores[message->score_count++] =
            (MawScore){standing.jid, standing.name, standing.points, (int64_t)standing.rounds_won};
}

/* ---- answers ---- */

static void answer_body(const Asked *asked, MawAct act)
{
    MawSession *session = asked->session;

    if (asked->repeat) {
        Repeat *repeat = asked->repeat;
        repeat->act = act;
        repeat->from = asked->room;
        buf_clear(&repeat->answer);
        buf_add(&repeat->answer, buf_str(&session->body));
    }
    send_body(session, asked->room, asked->stanza->from, act, asked->stanza);
}

void tell_answer(const Asked *asked, const MawMessage *message, MawAct act)
{
    if (encode_message(asked->session, message))
        answer_body(asked, act);
}

void tell_refusal(const Asked *asked, MawAct act, const char *code, const Str *allowed,
                  uint32_t allowed_count, const char *format, ...)
{
    MawMessage message = maw_message(MAW_ERROR);
    char text[300];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(text, sizeof(text), format, arguments);
    va_end(arguments);
    record_message(asked, "refused", code);
    if (asked->message->type != MAW_NO_TYPE)
        message.of = str_of(maw_type_name(asked->message->type));
    message.code = str_of(code);
    message.message = str_of(text);
    for (uint32_t i = 0; i < allowed_count && i < MAW_LIST_MAX; i++)
        message.list[message.list_count++] = allowed[i];
    tell_answer(asked, &message, act);
}

void tell_repeat(const Asked *asked, const Repeat *repeat)
{
    MawSession *session = asked->session;

    if (repeat->answer.len == 0)
        return;
    buf_clear(&session->body);
    buf_add(&session->body, buf_str(&repeat->answer));
    if (!buf_failed(&session->body))
        send_body(session, repeat->from, asked->stanza->from, repeat->act, asked->stanza);
}
