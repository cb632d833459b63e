/* The record: one JSON object an event, told before anybody is told. docs/spec/maw.md 9.
 *
 * It replays exactly: feed "message" and "bounce" to maw_session_receive at their t_ms, do what
 * "operator", "kick", "link" and "resumed" say, and call maw_session_tick at the t_ms of all
 * others. What is not in it (floods that were dropped, which are counted only) changed nothing. It
 * has all lines
 * ("line") and points. */
#include "maw/session_state.h"

#define BODY_KEPT ((size_t)8 * 1024) /* of a body that was refused for its length alone */

bool record_begin(MawSession *session, Json *json, const char *event)
{
    if (!session->out.record)
        return false;
    buf_clear(&session->record);
    *json = json_over(&session->record);
    json_open(json, '{');
    json_add_int(json, "seq", (int64_t)session->seq++);
    json_add_int(json, "t_ms", session->now);
    json_add_int(json, "round", session->round);
    json_add_int(json, "phase_no", in_round(session) ? session->phase_no : 0);
    json_add_str(json, "event", str_of(event));
    return true;
}

void record_end(MawSession *session, Json *json)
{
    json_close(json);
    if (buf_failed(&session->record)) {
        session_note(session, "an event was not recorded: out of memory");
        buf_done(&session->record);
        return;
    }
    session->out.record(session->out.user, buf_str(&session->record));
}

static void put_options(Json *json, const MawOptions *options)
{
    static const char *const reveals[] = {"none", "team", "role"};
    static const char *const whispers[] = {"off", "day", "always"};

    json_key(json, STR("options"));
    json_open(json, '{');
    json_add_int(json, "players", options->players);
    json_add_int(json, "rounds", options->rounds);
    json_add_int(json, "lobby_ms", options->lobby_ms);
    if (options->wait_told_ms) /* not there: never, as in the records before it */
        json_add_int(json, "wait_told_ms", options->wait_told_ms);
    json_add_int(json, "scores_ms", options->scores_ms);
    json_add_int(json, "night_min_ms", options->night_min_ms);
    json_add_int(json, "rejoin_ms", options->rejoin_ms);
    json_add_int(json, "absent_after_ms", options->absent_after_ms);
    json_add_int(json, "pause_after_ms", options->pause_after_ms);
    json_add_str(json, "fill", options->fill == FILL_BOTS ? STR("bots") : STR("none"));
    json_add_str(json, "reveal_village", str_of(reveals[options->reveal_village]));
    json_add_str(json, "reveal_hideout", str_of(reveals[options->reveal_hideout]));
    json_add_str(json, "whispers", str_of(whispers[options->whispers]));
    json_add_bool(json, "whispers_public", options->whispers_public);
    json_add_bool(json, "score_dead", options->score_dead);
    json_add_bool(json, "push", options->push);
    json_add_bool(json, "graveyard", options->graveyard);
    json_add_int(json, "spectators", options->spectators);
    json_add_int(json, "line_rate_ms", options->line_rate_ms);
    json_add_int(json, "line_burst", options->line_burst);
    if (options->language == LLM_JAPANESE) /* not there: English, as in the records before it */
        json_add_str(json, "language", STR("ja"));
    if (options->minds == MINDS_OPERATOR) /* not there: everybody, at the end */
        json_add_str(json, "minds", STR("operator"));
    if (options->opinions) /* not there: off */
        json_add_str(json, "opinions",
                     options->opinions == OPINIONS_DAY ? STR("day") : STR("line"));
    json_close(json);
}

void record_session(MawSession *session)
{
    CLEANUP(buf_done) Buf rules = {0};
    char at[DATE_TEXT_ROOM];
    Json json;

    if (!record_begin(session, &json, "session"))
        return;
    ruleset_print(&session->rules, &rules);
    json_add_str(&json, "program", STR("warg " WARG_VERSION));
    json_add_str(&json, "id", str_of(session->id));
    json_add_str(&json, "master", str_of(session->master));
    json_add_str(&json, "began", tell_time(session, 0, at));
    json_add_str(&json, "seed", str_of(session->chance.seed)); /* longer than a JSON number */
    if (session->chance.of != MAW_SEED_OF_SESSION)
        json_add_str(&json, "seed_of",
                     session->chance.of == MAW_SEED_OF_KEY ? STR("key") : STR("table"));
    put_options(&json, &session->options);
    json_add_str(&json, "rules", buf_str(&rules));
    record_end(session, &json);
}

/* All of a body that was read: what became of it can follow from its last byte. */
static Str kept_body(Str body)
{
    size_t len = BODY_KEPT;

    if (body.len <= MAW_BODY_BYTES_MAX)
        return body;
    while (len > 0 && ((unsigned char)body.bytes[len] & 0xC0) == 0x80) /* inside a character */
        len--;
    return str_part(body, 0, len);
}

/* A sign of life. What is recorded counts for the sender's flood (row 13), so that no record can be
 * blown up. */
static void pay_budget(const Asked *asked, bool refused)
{
    TimeMs cost = MESSAGE_RATE_MS + (refused ? REFUSED_EXTRA_MS : 0) +
                  (TimeMs)(asked->stanza->body.len / BYTES_IN_MS);

    if (!asked->member)
        return;
    bucket_put(&asked->member->messages, asked->session->now, cost);
    asked->member->heard_at = asked->session->now; /* of what is recorded, so that it replays */
    asked->member->awaited = false;
}

void record_dropped(MawSession *session, Member *member)
{
    Json json;

    if (member->dropped == 0)
        return;
    if (session->out.record) {
        buf_clear(&session->record);
        json = json_over(&session->record);
        json_open(&json, '{');
        json_add_int(&json, "t_ms", session->now);
        json_add_str(&json, "event", STR("dropped"));
        json_add_str(&json, "jid", str_of(member->jid));
        json_add_str(&json, "name", member_name(member));
        json_add_int(&json, "messages", member->dropped);
        record_end(session, &json);
    }
    member->dropped = 0;
}

void record_message(const Asked *asked, const char *outcome, const char *code)
{
    const MawStanza *stanza = asked->stanza;
    Json json;

    pay_budget(asked, strcmp(outcome, "refused") == 0);
    if (asked->member)
        record_dropped(asked->session, asked->member);

    if (!record_begin(asked->session, &json, "message"))
        return;
    json_add_str(&json, "outcome", str_of(outcome));
    if (code)
        json_add_str(&json, "code", str_of(code));
    json_add_str(&json, "type", str_of(maw_type_name(asked->message->type)));
    json_add_str(&json, "from", stanza->from);
    json_add_str(&json, "to", stanza->to);
    if (stanza->id.len)
        json_add_str(&json, "id", stanza->id);
    json_add_str(&json, "act", str_of(maw_act_name(stanza->act)));
    if (stanza->reply_with.len)
        json_add_str(&json, "reply_with", stanza->reply_with);
    if (stanza->conversation_id.len)
        json_add_str(&json, "conversation_id", stanza->conversation_id);
    if (stanza->thread.len)
        json_add_str(&json, "thread", stanza->thread);
    for (uint32_t i = 0; i < stanza->other_count; i++)
        if (str_eq(stanza->other[i].key, STR("protocol"))) /* it is echoed */
            json_add_str(&json, "protocol", stanza->other[i].value);
    json_add_str(&json, "body", kept_body(stanza->body));
    if (stanza->body.len > MAW_BODY_BYTES_MAX)
        json_add_int(&json, "body_bytes", (int64_t)stanza->body.len);
    record_end(asked->session, &json);
}

void record_bounce(MawSession *session, const MawStanza *stanza)
{
    Json json;

    if (!record_begin(session, &json, "bounce"))
        return;
    json_add_str(&json, "from", stanza->from);
    json_add_str(&json, "to", stanza->to);
    json_add_str(&json, "id", stanza->id);
    json_add_str(&json, "condition", stanza->error_condition);
    record_end(session, &json);
}

void record_member(MawSession *session, const char *event, const Member *member)
{
    Json json;

    if (!record_begin(session, &json, event))
        return;
    json_add_str(&json, "jid", str_of(member->jid));
    json_add_str(&json, "name", member_name(member));
    record_end(session, &json);
}

void record_start(MawSession *session)
{
    Json json;

    if (!record_begin(session, &json, "start_game"))
        return;
    json_key(&json, STR("players"));
    json_open(&json, '[');
    for (SeatNo seat = 1; seat <= session->seat_count; seat++) {
        const Member *member = member_at(session, seat);
        json_open(&json, '{');
        json_add_int(&json, "seat", seat);
        json_add_str(&json, "jid", str_of(member->jid));
        json_add_str(&json, "name", member_name(member));
        json_add_str(&json, "role", str_of(tell_role(member->role)));
        json_close(&json);
    }
    json_close(&json);
    record_end(session, &json);
}

/* When the phase ends, on the session's own clock, which runs on while the game's stands still. */
static void add_until(const MawSession *session, Json *json)
{
    json_add_int(json, "until_ms", session->now + session->phase_until - game_now(session));
}

void record_phase(MawSession *session)
{
    Json json;

    if (!record_begin(session, &json, "phase"))
        return;
    json_add_str(&json, "phase", session->night ? STR("night") : STR("day"));
    json_add_int(&json, "day", game_day(session->game));
    add_until(session, &json);
    record_end(session, &json);
}

void record_extend(MawSession *session, TimeMs longer)
{
    Json json;

    if (record_begin(session, &json, "operator")) {
        json_add_str(&json, "act", STR("extend"));
        json_add_int(&json, "ms", longer);
        record_end(session, &json);
    }
    watch_act(session, "extend");
}

void record_retime(MawSession *session)
{
    Json json;

    if (!record_begin(session, &json, "retime"))
        return;
    add_until(session, &json);
    record_end(session, &json);
}

void record_resumed(MawSession *session, TimeMs wait_ms)
{
    char at[DATE_TEXT_ROOM];
    Json json;

    if (!record_begin(session, &json, "resumed"))
        return;
    json_add_str(&json, "at", tell_time(session, session->now, at));
    json_add_int(&json, "wait_ms", wait_ms);
    record_end(session, &json);
}

void record_revote(MawSession *session)
{
    Json json;

    if (!record_begin(session, &json, "revote"))
        return;
    add_until(session, &json);
    json_key(&json, STR("tied"));
    json_open(&json, '[');
    for (SeatSet left = session->tied; left; left &= left - 1)
        json_put_str(&json, member_name(member_at(session, seat_first(left))));
    json_close(&json);
    record_end(session, &json);
}

void record_phase_end(MawSession *session, const PhaseEnd *end, const char *status)
{
    SeatNo dead = end->night ? end->murdered : end->executed;
    Json json;

    if (!record_begin(session, &json, "phase_end"))
        return;
    json_add_str(&json, "phase", end->night ? STR("night") : STR("day"));
    json_add_str(&json, "status", str_of(status));
    if (dead != SEAT_NONE)
        json_add_str(&json, "target", member_name(member_at(session, dead)));
    json_key(&json, STR("votes"));
    json_open(&json, '{');
    for (uint8_t i = 0; i < end->votes.count; i++)
        json_add_str(&json, member_at(session, end->votes.items[i].voter)->name,
                     member_name(member_at(session, end->votes.items[i].target)));
    json_close(&json);
    record_end(session, &json);
}

void record_end_game(MawSession *session)
{
    static const char *const reasons[] = {"win", "max_day", "idle", "aborted"};
    Json json;

    if (!record_begin(session, &json, "end_game"))
        return;
    json_add_str(&json, "winner", str_of(side_name(session->winner)));
    json_add_str(&json, "reason", str_of(reasons[session->reason]));
    json_add_int(&json, "days", game_day(session->game));
    json_key(&json, STR("players"));
    json_open(&json, '[');
    for (SeatNo seat = 1; seat <= session->seat_count; seat++) {
        const Member *member = member_at(session, seat);
        json_open(&json, '{');
        json_add_str(&json, "name", member_name(member));
        json_add_str(&json, "role", str_of(tell_role(member->role)));
        json_add_str(&json, "end", str_of(member->cause ? member->cause : "alive"));
        json_add_int(&json, "points", session->gained[seat]);
        json_add_int(&json, "total", member->points);
        json_close(&json);
    }
    json_close(&json);
    record_end(session, &json);
}

void record_line(MawSession *session, RoomNo room, const Member *member, int64_t index, Str text)
{
    Json json;

    if (!record_begin(session, &json, "line"))
        return;
    json_add_str(&json, "room", str_of(room_name(room)));
    json_add_int(&json, "index", index);
    if (member)
        json_add_str(&json, "name", member_name(member));
    json_add_str(&json, "text", text);
    record_end(session, &json);
}

void record_vote(MawSession *session, const Member *voter, const Member *target, Str reason)
{
    Json json;

    if (!record_begin(session, &json, "vote"))
        return;
    json_add_str(&json, "name", member_name(voter));
    json_key(&json, STR("target"));
    if (target)
        json_put_str(&json, member_name(target));
    else
        json_put_null(&json);
    if (reason.len)
        json_add_str(&json, "reason", reason);
    record_end(session, &json);
}

void record_plain(MawSession *session, const char *event, const char *key, Str text)
{
    Json json;

    if (!record_begin(session, &json, event))
        return;
    json_add_str(&json, key, text);
    record_end(session, &json);
}

void record_act(MawSession *session, const char *act)
{
    record_plain(session, "operator", "act", str_of(act));
    watch_act(session, act);
}
