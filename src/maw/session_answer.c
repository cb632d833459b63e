/* What comes in, in the order of docs/spec/maw.md 4: the first check that fails answers and stops.
 * The rows 14 to 18 are in the files of what is asked for. */
#include "maw/session_state.h"

#include "base/utf8.h"

static uint64_t hash_of(Str text)
{
    uint64_t hash = text.len ? rng_derive_text(1, text) : 0;

    return text.len && !hash ? 1 : hash; /* 0 is none */
}

/* ---- row 13: floods ---- */

/* Of somebody who has no seat: the one who was not heard of for the longest time is forgotten. */
static Stranger *stranger_at(MawSession *session, Str from)
{
    uint64_t jid = hash_of(from);
    Stranger *oldest = &session->strangers[0];

    for (uint32_t i = 0; i < STRANGERS_MAX; i++) {
        Stranger *at = &session->strangers[i];
        if (at->jid == jid)
            return at;
        if (at->jid == 0 || (oldest->jid && at->seen < oldest->seen))
            oldest = at;
    }
    *oldest = (Stranger){.jid = jid};
    return oldest;
}

static Stranger *stranger_of(MawSession *session, Str from)
{
    CLEANUP(buf_done) Buf jid = {0};

    jid_fold(from, &jid);
    Stranger *found = stranger_at(session, buf_str(&jid));
    found->seen = session->now;
    return found;
}

static bool is_refusal(const Asked *asked)
{
    MawAct act = asked->stanza->act;

    return act == ACT_REFUSE || act == ACT_FAILURE || act == ACT_NOT_UNDERSTOOD ||
           asked->message->type == MAW_ERROR;
}

/* Whether the sender is to be told that this is too much. If not the message leaves no trace but in
 * a number, so a record without it replays exactly. */
static bool tells_limit(const Asked *asked)
{
    MawSession *session = asked->session;
    Member *member = asked->member;

    if (is_refusal(asked) || /* an answer to it would go round for ever */
        (member->limited && session->now < member->limited_at + LIMITED_EACH_MS)) {
        member->dropped++;
        return false;
    }
    member->limited = true;
    member->limited_at = session->now;
    return true;
}

/* Messages of all kinds, good and bad ones; they are paid for when they are recorded. False: too
 * many. Looked at before rows 5 to 12, for what those refuse is recorded too. */
static bool in_time(const Asked *asked)
{
    if (bucket_has_room(&asked->member->messages, asked->session->now, MESSAGE_RATE_MS,
                        MESSAGE_BURST))
        return true;
    if (tells_limit(asked))
        refuse(asked, "rate-limited", "Too many messages. Wait a little.");
    return false;
}

/* A36: lines and whispers. */
static bool line_in_time(const Asked *asked)
{
    const MawOptions *options = &asked->session->options;
    Bucket *lines = &asked->member->lines;
    MawType type = asked->message->type;

    if (type != MAW_CHAT && type != MAW_WHISPER)
        return true;
    if (bucket_has_room(lines, asked->session->now, options->line_rate_ms, options->line_burst)) {
        bucket_put(lines, asked->session->now, options->line_rate_ms);
        return true;
    }
    if (tells_limit(asked))
        refuse(asked, "rate-limited", "One line in %u ms, and %u at once. Wait a little.",
               options->line_rate_ms, options->line_burst);
    return false;
}

/* ---- row 11: threads ---- */

/* "maw-<session>-<round>" of another session or round. An agent's own thread, whatever it is, is
 * taken as it comes: the document knows none. */
static bool is_stale(const MawSession *session, Str thread)
{
    uint64_t round;
    size_t at;

    if (!str_starts(thread, STR("maw-")) || !str_find_last(thread, '-', &at) || at <= 4)
        return false;
    Str id = str_part(thread, 4, at - 4);
    if (!str_to_uint(str_part(thread, at + 1, thread.len), UINT32_MAX, &round))
        return false;
    return !str_eq(id, str_of(session->id)) || round != session->round;
}

/* ---- row 12: repeats ---- */

static const Repeat *find_repeat(const Asked *asked)
{
    uint64_t id = hash_of(asked->stanza->id);
    uint64_t reply_with = hash_of(asked->stanza->reply_with);

    for (uint32_t i = 0; i < REPEATS_MAX; i++) {
        const Repeat *repeat = &asked->member->repeats[i];
        if ((id && repeat->id == id) || (reply_with && repeat->reply_with == reply_with))
            return repeat;
    }
    return NULL;
}

/* Reading twice does no harm, and lines are long: those answers are made anew. */
static bool is_reading(MawType type)
{
    return type == MAW_GET_NEW_MESSAGES || type == MAW_SHOW_SCORE || type == MAW_SUBSCRIBE ||
           type == MAW_UNSUBSCRIBE;
}

static void remember_answer(Asked *asked)
{
    Member *member = asked->member;
    uint64_t id = hash_of(asked->stanza->id);
    uint64_t reply_with = hash_of(asked->stanza->reply_with);

    if ((!id && !reply_with) || is_reading(asked->message->type))
        return;
    Repeat *repeat = &member->repeats[member->repeat_next++ % REPEATS_MAX];
    repeat->id = id;
    repeat->reply_with = reply_with;
    buf_clear(&repeat->answer);
    asked->repeat = repeat;
}

/* ---- what is asked for ---- */

static void show_score(const Asked *asked)
{
    MawMessage message = maw_message(MAW_SCORES);

    if (asked->session->rounds_done == 0) {
        refuse(asked, "no-round-yet", "No round is over yet. There are scores after the first.");
        return;
    }
    record_message(asked, "accepted", NULL);
    message.round = asked->session->rounds_done;
    tell_fill_scores(asked->session, &message);
    tell_answer(asked, &message, ACT_INFORM);
}

/* While the clocks stand still nobody can act: some of the others may be out of reach, and a phase
 * must not come to its end without them. */
static bool asked_waits(const Asked *asked)
{
    MawType type = asked->message->type;

    if (!asked->session->paused || !in_round(asked->session) ||
        (type != MAW_VOTE && type != MAW_CHAT && type != MAW_WHISPER && type != MAW_QUERY_ROLE))
        return false;
    refuse(asked, "paused", "The game waits. It goes on with the next phase_change.");
    return true;
}

static void handle_asked(const Asked *asked)
{
    if (asked_waits(asked))
        return;
    switch ((unsigned)asked->message->type) {
    case MAW_JOIN_LOBBY:
        lobby_join(asked);
        break;
    case MAW_LEAVE:
        if (!spectators_forget(asked->session, asked->stanza->from))
            lobby_leave(asked);
        else
            record_message(asked, "accepted", NULL);
        break;
    case MAW_VOTE:
        votes_take(asked);
        break;
    case MAW_CHAT:
        room_chat(asked);
        break;
    case MAW_GET_NEW_MESSAGES:
        room_fetch(asked);
        break;
    case MAW_SUBSCRIBE:
        room_subscribe(asked, true);
        break;
    case MAW_UNSUBSCRIBE:
        room_subscribe(asked, false);
        break;
    case MAW_SHOW_SCORE:
        show_score(asked);
        break;
    case MAW_WHISPER:
        votes_whisper(asked);
        break;
    case MAW_QUERY_ROLE:
        votes_query_role(asked);
        break;
    case MAW_OBSERVE:
        spectators_observe(asked);
        break;
    default: /* known, but nothing that a player says to us: get_input, name, listen ... */
        tell_refusal(asked, ACT_NOT_UNDERSTOOD, "unknown-type", NULL, 0,
                     "%s is not for the game master or a room.",
                     maw_type_name(asked->message->type));
        break;
    }
}

/* ---- the order ---- */

/* Row 8: accepted, and said once to the operator. */
static void check_act(const Asked *asked)
{
    MawAct act = asked->stanza->act;
    MawType type = asked->message->type;

    if (!asked->member || asked->member->warned_act || act == ACT_NONE || act == ACT_OTHER ||
        act == maw_type_act(type) || (act == ACT_REQUEST && maw_type_act(type) == ACT_QUERY_REF))
        return;
    asked->member->warned_act = true;
    session_note(asked->session, "%s says %s with the act %s; expected %s", asked->member->name,
                 maw_type_name(type), maw_act_name(act), maw_act_name(maw_type_act(type)));
}

/* Rows 9 to 11; false when the sender was refused. */
static bool may_say(const Asked *asked)
{
    const MawSession *session = asked->session;
    MawType type = asked->message->type;
    bool joins = type == MAW_JOIN_LOBBY;
    bool watches = type == MAW_OBSERVE || ((type == MAW_LEAVE || type == MAW_SHOW_SCORE) &&
                                           spectators_has(session, asked->stanza->from));

    if (!(asked->member && asked->member->seated) && !joins && !watches) {
        if (!str_eq(jid_domain(asked->stanza->from), str_of(session->domain))) /* row 3 */
            refuse(asked, "not-joined", "Join the lobby first: join_lobby to %s.", session->master);
        return false;
    }
    if (!joins && asked->member && asked->member->seated && asked->member->lost[0] &&
        str_eq(asked->stanza->from, str_of(asked->member->lost))) {
        refuse(asked, "replaced",
               "Another client of your account has the seat. Join to take it back.");
        return false;
    }
    if (maw_type_is_masters(type)) {
        refuse(asked, "not-authorised", "Only the game master says %s.", maw_type_name(type));
        return false;
    }
    if (!joins && is_stale(session, asked->stanza->thread)) {
        refuse(asked, "stale", "Thread '%.*s' is not of this round: expected maw-%s-%u.",
               STR_ARG(str_part(asked->stanza->thread, 0, 80)), session->id, session->round);
        return false;
    }
    return true;
}

/* Rows 9 to 18, for a message that was read. */
static void answer_asked(Asked *asked)
{
    Member *member = asked->member;

    if (member && !may_say(asked))
        return;
    if (!member) {
        if (may_say(asked))
            handle_asked(asked); /* a join, whose sender has no place for repeats yet */
        return;
    }
    const Repeat *repeat = find_repeat(asked);
    if (repeat) {
        record_message(asked, "repeated", NULL);
        tell_repeat(asked, repeat);
        return;
    }
    if (!line_in_time(asked))
        return;
    remember_answer(asked);
    if (asked->session->state == MAW_OVER && !is_reading(asked->message->type))
        refuse(asked, asked->message->type == MAW_JOIN_LOBBY ? "running" : "no-phase",
               "The session is over.");
    else
        handle_asked(asked);
}

/* Rows 5 to 8. */
static void read_and_answer(MawSession *session, const MawStanza *stanza, Member *member)
{
    MawMessage message = maw_message(MAW_NO_TYPE);
    MawRefusal why = {0};
    bool good = maw_message_read(stanza->body, &message, &why);
    Asked asked = {.session = session,
                   .stanza = stanza,
                   .message = &message,
                   .member = member,
                   .room = room_of(session, stanza->to)};

    if (member && member->seated && member->presence != PRESENT)
        lobby_back(session, member, stanza->from, message.type != MAW_JOIN_LOBBY);
    if (member && !in_time(&asked)) {
        /* was told, or is not answered */
    } else if (is_refusal(&asked)) {
        record_message(&asked, "ignored", NULL); /* an answer to it would go round for ever */
    } else if (!good) {
        tell_refusal(&asked, why.act, why.code, NULL, 0, "%s", why.text);
    } else {
        check_act(&asked);
        answer_asked(&asked);
    }
    if (good)
        maw_message_done(&message);
}

/* Row 1, as far as it is not the link's: text that is none. */
static bool is_text(MawSession *session, const MawStanza *stanza)
{
    Str from = str_part(stanza->from, 0, JID_BYTES_MAX);

    if (utf8_valid(stanza->body) && utf8_valid(stanza->id) && utf8_valid(stanza->reply_with) &&
        utf8_valid(stanza->from) && utf8_valid(stanza->thread) &&
        utf8_valid(stanza->conversation_id))
        return true;
    Stranger *sender = stranger_of(session, from);
    if (!sender->warned_text)
        session_note(session, "dropped from %.*s: not UTF-8", STR_ARG(from));
    sender->warned_text = true;
    return false;
}

void maw_session_receive(MawSession *session, const MawStanza *stanza, TimeUs now)
{
    maw_session_tick(session, now);
    if (stanza->from.len > JID_BYTES_MAX || stanza->id.len > JID_BYTES_MAX ||
        stanza->reply_with.len > JID_BYTES_MAX || stanza->conversation_id.len > JID_BYTES_MAX ||
        !is_text(session, stanza))
        return;
    if (stanza->type == STANZA_ERROR) {
        lobby_bounced(session, stanza);
        return;
    }
    if (stanza->type == STANZA_OTHER || jid_local(stanza->from).len == 0 ||
        maw_session_is_address(session, stanza->from) || !stanza->has_body || stanza->body.len == 0)
        return;
    Member *member = lobby_find(session, stanza->from);
    if (!member) {
        Bucket *messages = &stranger_of(session, stanza->from)->messages;
        if (!bucket_has_room(messages, session->now, STRANGER_RATE_MS, STRANGER_BURST))
            return;
        bucket_put(messages, session->now,
                   STRANGER_RATE_MS + (TimeMs)(stanza->body.len / BYTES_IN_MS));
    }
    read_and_answer(session, stanza, member);
    if (session->awaiting && session->state != MAW_OVER) /* it may be the last one */
        session_advance(session);
}
