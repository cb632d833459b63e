/* The record: one JSON object an event, told before anybody is told. spec/maw.md 9.
 *
 * It replays exactly: feed "message" and "bounce" to maw_session_receive at their t_ms, do what
 * "operator", "kick" and "link" say, and call maw_session_tick at the t_ms of all others. What is
 * not in it (floods that were dropped) changed nothing. It has all lines ("line") and points. */
#include "maw/session_state.h"

#define BODY_KEPT ((size_t)8 * 1024) /* of a body that was refused for its length alone */

bool record_begin(MawSession *session, Json *json, const char *event)
{
    if (!session->out.record)
        return false;
    buf_clear(&session->record);
    *json = json_over(&session->record);
    json_open(json, '{');
    record_int(json, "seq", (int64_t)session->seq++);
    record_int(json, "t_ms", session->now);
    record_int(json, "round", session->round);
    record_int(json, "phase_no", in_round(session) ? session->phase_no : 0);
    record_text(json, "event", str_of(event));
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

void record_text(Json *json, const char *key, Str value)
{
    json_key(json, str_of(key));
    json_put_str(json, value);
}

void record_int(Json *json, const char *key, int64_t value)
{
    json_key(json, str_of(key));
    json_put_int(json, value);
}

static void record_bool(Json *json, const char *key, bool value)
{
    json_key(json, str_of(key));
    json_put_bool(json, value);
}

static void put_options(Json *json, const MawOptions *options)
{
    static const char *const reveals[] = {"none", "team", "role"};
    static const char *const whispers[] = {"off", "day", "always"};

    json_key(json, STR("options"));
    json_open(json, '{');
    record_int(json, "players", options->players);
    record_int(json, "rounds", options->rounds);
    record_int(json, "lobby_ms", options->lobby_ms);
    record_int(json, "scores_ms", options->scores_ms);
    record_int(json, "night_min_ms", options->night_min_ms);
    record_int(json, "rejoin_ms", options->rejoin_ms);
    record_int(json, "pause_after_ms", options->pause_after_ms);
    record_text(json, "fill", options->fill == FILL_BOTS ? STR("bots") : STR("none"));
    record_text(json, "reveal_village", str_of(reveals[options->reveal_village]));
    record_text(json, "reveal_hideout", str_of(reveals[options->reveal_hideout]));
    record_text(json, "whispers", str_of(whispers[options->whispers]));
    record_bool(json, "whispers_public", options->whispers_public);
    record_bool(json, "score_dead", options->score_dead);
    record_bool(json, "push", options->push);
    record_bool(json, "graveyard", options->graveyard);
    record_int(json, "line_rate_ms", options->line_rate_ms);
    record_int(json, "line_burst", options->line_burst);
    json_close(json);
}

void record_session(MawSession *session)
{
    CLEANUP(buf_done) Buf rules = {0};
    char at[32], seed[24];
    Json json;

    if (!record_begin(session, &json, "session"))
        return;
    snprintf(seed, sizeof(seed), "%llu", (unsigned long long)session->seed);
    ruleset_print(&session->rules, &rules);
    record_text(&json, "program", STR("warg " WARG_VERSION));
    record_text(&json, "id", str_of(session->id));
    record_text(&json, "master", str_of(session->master));
    record_text(&json, "began", tell_time(session, 0, at));
    record_text(&json, "seed", str_of(seed)); /* a number of 64 bits is no JSON number */
    put_options(&json, &session->options);
    record_text(&json, "rules", buf_str(&rules));
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

void record_message(const Asked *asked, const char *outcome, const char *code)
{
    const MawStanza *stanza = asked->stanza;
    Json json;

    if (!record_begin(asked->session, &json, "message"))
        return;
    record_text(&json, "outcome", str_of(outcome));
    if (code)
        record_text(&json, "code", str_of(code));
    record_text(&json, "type", str_of(maw_type_name(asked->message->type)));
    record_text(&json, "from", stanza->from);
    record_text(&json, "to", stanza->to);
    if (stanza->id.len)
        record_text(&json, "id", stanza->id);
    record_text(&json, "act", str_of(maw_act_name(stanza->act)));
    if (stanza->reply_with.len)
        record_text(&json, "reply_with", stanza->reply_with);
    if (stanza->conversation_id.len)
        record_text(&json, "conversation_id", stanza->conversation_id);
    if (stanza->thread.len)
        record_text(&json, "thread", stanza->thread);
    for (uint32_t i = 0; i < stanza->other_count; i++)
        if (str_eq(stanza->other[i].key, STR("protocol"))) /* it is echoed */
            record_text(&json, "protocol", stanza->other[i].value);
    record_text(&json, "body", kept_body(stanza->body));
    if (stanza->body.len > MAW_BODY_BYTES_MAX)
        record_int(&json, "body_bytes", (int64_t)stanza->body.len);
    record_end(asked->session, &json);
}

void record_bounce(MawSession *session, const MawStanza *stanza)
{
    Json json;

    if (!record_begin(session, &json, "bounce"))
        return;
    record_text(&json, "from", stanza->from);
    record_text(&json, "to", stanza->to);
    record_text(&json, "id", stanza->id);
    record_text(&json, "condition", stanza->error_condition);
    record_end(session, &json);
}

void record_member(MawSession *session, const char *event, const Member *member)
{
    Json json;

    if (!record_begin(session, &json, event))
        return;
    record_text(&json, "jid", str_of(member->jid));
    record_text(&json, "name", member_name(member));
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
        record_int(&json, "seat", seat);
        record_text(&json, "jid", str_of(member->jid));
        record_text(&json, "name", member_name(member));
        record_text(&json, "role", str_of(tell_role(member->role)));
        json_close(&json);
    }
    json_close(&json);
    record_end(session, &json);
}

void record_phase(MawSession *session)
{
    Json json;

    if (!record_begin(session, &json, "phase"))
        return;
    record_text(&json, "phase", session->night ? STR("night") : STR("day"));
    record_int(&json, "day", game_day(session->game));
    record_int(&json, "until_ms", session->now + session->phase_until - game_now(session));
    record_end(session, &json);
}

void record_revote(MawSession *session)
{
    Json json;

    if (!record_begin(session, &json, "revote"))
        return;
    record_int(&json, "until_ms", session->now + session->phase_until - game_now(session));
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
    record_text(&json, "phase", end->night ? STR("night") : STR("day"));
    record_text(&json, "status", str_of(status));
    if (dead != SEAT_NONE)
        record_text(&json, "target", member_name(member_at(session, dead)));
    json_key(&json, STR("votes"));
    json_open(&json, '{');
    for (uint8_t i = 0; i < end->votes.count; i++)
        record_text(&json, member_at(session, end->votes.items[i].voter)->name,
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
    record_text(&json, "winner", str_of(side_name(session->winner)));
    record_text(&json, "reason", str_of(reasons[session->reason]));
    record_int(&json, "days", game_day(session->game));
    json_key(&json, STR("players"));
    json_open(&json, '[');
    for (SeatNo seat = 1; seat <= session->seat_count; seat++) {
        const Member *member = member_at(session, seat);
        json_open(&json, '{');
        record_text(&json, "name", member_name(member));
        record_text(&json, "role", str_of(tell_role(member->role)));
        record_text(&json, "end", str_of(member->cause ? member->cause : "alive"));
        record_int(&json, "points", session->gained[seat]);
        record_int(&json, "total", member->points);
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
    record_text(&json, "room", str_of(room_name(room)));
    record_int(&json, "index", index);
    if (member)
        record_text(&json, "name", member_name(member));
    record_text(&json, "text", text);
    record_end(session, &json);
}

void record_vote(MawSession *session, const Member *voter, const Member *target, Str reason)
{
    Json json;

    if (!record_begin(session, &json, "vote"))
        return;
    record_text(&json, "name", member_name(voter));
    json_key(&json, STR("target"));
    if (target)
        json_put_str(&json, member_name(target));
    else
        json_put_null(&json);
    if (reason.len)
        record_text(&json, "reason", reason);
    record_end(session, &json);
}

void record_plain(MawSession *session, const char *event, const char *key, Str text)
{
    Json json;

    if (!record_begin(session, &json, event))
        return;
    record_text(&json, key, text);
    record_end(session, &json);
}
