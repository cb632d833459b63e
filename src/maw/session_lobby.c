/* Who is there: joining, leaving, absence and coming back. docs/spec/maw.md 2.4 (join game), 3.5
 * (addresses), A24, A29 to A34.
 *
 *                          a message comes back,
 *   nobody --join--> PRESENT --or silent for long--> ABSENT --rejoin_ms--> GONE
 *                       ^  ^----- anything from it ----+                    |
 *                       |                                                   |
 *                       +-------------- join (in the lobby: a seat) --------+
 *
 * GONE in a round is dead; the seat is free when the round is over. */
#include "maw/session_state.h"

Member *lobby_find(MawSession *session, Str jid)
{
    CLEANUP(buf_done) Buf folded = {0};

    jid_fold(jid, &folded);
    for (uint32_t m = 0; m < MEMBERS_MAX; m++)
        if (session->members[m].used && str_eq(buf_str(&folded), str_of(session->members[m].jid)))
            return &session->members[m];
    return NULL;
}

/* ---- the clock ---- */

static bool all_present(const MawSession *session)
{
    for (uint32_t m = 0; m < MEMBERS_MAX; m++)
        if (session->members[m].used && session->members[m].seated &&
            session->members[m].presence != PRESENT)
            return false;
    return true;
}

/* Between rounds nobody would know why the next one does not begin. */
static void say_waiting(MawSession *session)
{
    bool for_ever = session->lobby_until == TIME_NEVER;
    TimeMs left = for_ever ? 0 : session->lobby_until - session->now;
    SystemLine line = SYSTEM_WAITING;
    char missing[16], seats[16], seconds[24];

    session->wait_told_at = TIME_NEVER;
    if (!for_ever)
        line = session->options.fill == FILL_BOTS ? SYSTEM_WAITING_BOTS : SYSTEM_WAITING_END;
    snprintf(missing, sizeof(missing), "%u", session->options.players - lobby_seated(session));
    snprintf(seats, sizeof(seats), "%u", session->options.players);
    snprintf(seconds, sizeof(seconds), "%lld", (long long)(left + 999) / 1000);
    room_system(session, ROOM_LOBBY, line, str_of(missing), str_of(seats), str_of(seconds));
}

static void lobby_time_is_up(MawSession *session)
{
    uint32_t missing = session->options.players - lobby_seated(session);

    session->lobby_until = TIME_NEVER;
    if (missing == 0)
        return;
    if (session->options.fill == FILL_BOTS && session->out.fill) {
        record_plain(session, "fill", "with", STR("bots"));
        session->out.fill(session->out.user, missing);
        return;
    }
    session_end(session, "The lobby did not fill.");
}

void lobby_tick(MawSession *session)
{
    bool full = lobby_seated(session) == session->options.players;

    if (full && all_present(session) && session->now >= session->next_round_at) {
        round_start(session);
        return;
    }
    if (session->now >= session->lobby_until)
        lobby_time_is_up(session);
    else if (!full && session->now >= session->wait_told_at)
        say_waiting(session);
}

static TimeMs leaves_at(const MawSession *session, const Member *member)
{
    return member->leaves ? member->gone_at : member->gone_at + session->options.rejoin_ms;
}

/* The member whose time to come back is over first; NULL. */
static Member *first_to_leave(MawSession *session)
{
    Member *first = NULL;

    for (uint32_t m = 0; m < MEMBERS_MAX; m++) {
        Member *member = &session->members[m];
        if (!member->used || !member->seated || member->presence != ABSENT)
            continue;
        TimeMs at = leaves_at(session, member);
        if (!first || at < leaves_at(session, first) ||
            (at == leaves_at(session, first) && member->joined < first->joined))
            first = member;
    }
    return first;
}

/* When a member from outside counts as absent, as nothing is heard of it; TIME_NEVER: it need not
 * speak now. A server that keeps messages for who is not there returns none, so this is the only
 * sign. Players of this process can't be lost. */
static TimeMs silent_until(const MawSession *session, const Member *member)
{
    if (session->options.absent_after_ms == 0 || !member->used || !member->seated ||
        member->presence != PRESENT || !round_awake(session, member) ||
        str_eq(jid_domain(str_of(member->jid)), str_of(session->domain)))
        return TIME_NEVER;
    return member->heard_at + session->options.absent_after_ms;
}

void lobby_be_absent(MawSession *session, Member *member)
{
    member->presence = ABSENT;
    member->gone_at = session->now;
    record_member(session, "absent", member);
    if (in_round(session) && !session->paused) /* else when the game goes on */
        round_away(session, member, true);
}

static void look_for_silent(MawSession *session)
{
    for (uint32_t m = 0; m < MEMBERS_MAX && !session->held_until; m++)
        if (session->now >= silent_until(session, &session->members[m]))
            lobby_be_absent(session, &session->members[m]);
}

void lobby_expire(MawSession *session)
{
    Member *member;

    look_for_silent(session);
    /* What a night has come to is decided already while it is held back (A15, A40). */
    while (!session->held_until && session->state != MAW_OVER &&
           (member = first_to_leave(session)) && session->now >= leaves_at(session, member)) {
        record_member(session, "expired", member);
        lobby_depart(session, member);
    }
}

TimeMs lobby_deadline(const MawSession *session)
{
    TimeMs at = TIME_NEVER;

    for (uint32_t m = 0; m < MEMBERS_MAX && !session->held_until; m++) {
        const Member *member = &session->members[m];
        if (member->used && member->seated && member->presence == ABSENT &&
            leaves_at(session, member) < at)
            at = leaves_at(session, member);
        if (silent_until(session, member) < at)
            at = silent_until(session, member);
    }
    if (!in_lobby(session))
        return at;
    if (session->lobby_until < at)
        at = session->lobby_until;
    bool full = lobby_seated(session) == session->options.players;
    if (!full && session->wait_told_at < at)
        at = session->wait_told_at;
    if (full && all_present(session) && session->next_round_at < at)
        at = session->next_round_at;
    return at;
}

/* ---- joining ---- */

/* Confirms a join. In a round all that the player must know follows (A30). */
static void confirm_member(const Asked *asked, const Member *member)
{
    MawSession *session = asked->session;
    MawMessage message = maw_message(MAW_JOIN_CONFIRMED);

    message.player_name = member_name(member);
    for (uint32_t m = 0; m < MEMBERS_MAX; m++)
        if (session->members[m].used && session->members[m].seated)
            message.players[message.player_count++] =
                (MawPerson){str_of(session->members[m].jid), member_name(&session->members[m])};
    message.total_players = session->options.players;
    message.lobby = str_of(session->room_jids[ROOM_LOBBY]);
    message.village = str_of(session->room_jids[ROOM_VILLAGE]);
    message.hideout = str_of(session->room_jids[ROOM_HIDEOUT]);
    tell_answer(asked, &message, ACT_INFORM);
}

static bool name_is_free(const MawSession *session, Str name)
{
    for (uint32_t m = 0; m < MEMBERS_MAX; m++)
        if (session->members[m].used && name_same(member_name(&session->members[m]), name))
            return false;
    return true;
}

static Member *free_place(MawSession *session)
{
    for (uint32_t m = 0; m < MEMBERS_MAX; m++)
        if (!session->members[m].used)
            return &session->members[m];
    return NULL;
}

/* Rows 14: bad-name, name-taken, full, running, in this order. False when it was refused. */
static bool may_join(const Asked *asked, const Member *place)
{
    MawSession *session = asked->session;
    Str name = asked->message->player_name;
    const char *problem = asked->member ? NULL : maw_session_name_problem(name);

    if (problem)
        refuse(asked, "bad-name", "'%.*s' can't be your name: %s.", STR_ARG(str_part(name, 0, 96)),
               problem);
    else if (!asked->member && !name_is_free(session, name))
        refuse(asked, "name-taken", "The name %.*s is already in use. Choose another one.",
               STR_ARG(name));
    else if (asked->member && asked->member->banned)
        refuse(asked, "not-authorised", "You can't join this session any more.");
    else if (!place || (in_lobby(session) && lobby_seated(session) >= session->options.players))
        refuse(asked, "full", "All %u seats are taken.", session->options.players);
    else if (session->state == MAW_OVER)
        refuse(asked, "running", "The session is over.");
    else if (!in_lobby(session))
        refuse(asked, "running", "Round %u of %u is going on. Join when it is over.",
               session->round, session->options.rounds);
    else
        return true;
    return false;
}

/* Another life of the player may know nothing of what was answered before. */
static void forget_answers(Member *member)
{
    memset(member->told, 0, sizeof(member->told));
    memset(member->counted, 0, sizeof(member->counted));
}

static void keep_address(Member *member, Str from)
{
    if (str_eq(from, str_of(member->lost)))
        member->lost[0] = '\0';
    snprintf(member->address, sizeof(member->address), "%.*s", STR_ARG(from));
}

/* Where two clients both acted there would be one player with two minds (3.5). A server may hand
 * what goes to a client that is gone to the one that took its place: the text says who is meant. */
void lobby_heard_from(MawSession *session, Member *member, Str from)
{
    char before[JID_BYTES_MAX + 1];
    Str old = str_of(member->address);
    bool other = !str_eq(old, from) && jid_bare(old).len < old.len;

    snprintf(before, sizeof(before), "%s", member->address);
    keep_address(member, from);
    if (!other)
        return;
    snprintf(member->lost, sizeof(member->lost), "%s", before);
    tell_replaced(session, str_of(before));
}

/* Who has come or gone, and how many seats are taken now. */
static void say_seats(MawSession *session, SystemLine line, const char *name)
{
    char seated[16], seats[16];

    snprintf(seated, sizeof(seated), "%u", lobby_seated(session));
    snprintf(seats, sizeof(seats), "%u", session->options.players);
    room_system(session, ROOM_LOBBY, line, str_of(name), str_of(seated), str_of(seats));
}

static void seat_new(const Asked *asked, Member *member)
{
    MawSession *session = asked->session;

    if (!member->used) {
        CLEANUP(buf_done) Buf jid = {0};
        jid_fold(asked->stanza->from, &jid);
        *member = (Member){.used = true};
        snprintf(member->jid, sizeof(member->jid), "%s", buf_cstr(&jid));
        snprintf(member->name, sizeof(member->name), "%.*s", STR_ARG(asked->message->player_name));
        member->joined = session->joined_count++;
    }
    member->seated = true;
    member->leaves = false;
    member->presence = PRESENT;
    member->seat = SEAT_NONE;
    member->subscribed = 0;
    forget_answers(member);
    member->lost[0] = '\0';
    keep_address(member, asked->stanza->from);
    spectators_forget(session, asked->stanza->from);
    record_message(asked, "accepted", NULL);
    record_member(session, "joined", member);
    confirm_member(asked, member);
    room_announce(session, ROOM_LOBBY, member);
    say_seats(session, SYSTEM_JOINED, member->name);
    if (!session->paused)
        lobby_tick(session);
}

void lobby_join(const Asked *asked)
{
    MawSession *session = asked->session;
    Member *member = asked->member;

    if (member && member->seated && !member->banned) {
        /* Once more: nothing changes, but it may be a new life of the player. */
        forget_answers(member);
        member->leaves = false;
        member->presence = PRESENT;
        record_message(asked, "accepted", NULL);
        lobby_heard_from(session, member, asked->stanza->from);
        confirm_member(asked, member);
        if (in_round(session))
            round_resume(session, member);
        else if (in_lobby(session))
            room_announce(session, ROOM_LOBBY, member);
        return;
    }
    if (!member)
        member = free_place(session);
    if (may_join(asked, member) && member)
        seat_new(asked, member);
}

/* ---- leaving ---- */

void lobby_depart(MawSession *session, Member *member)
{
    if (!member->seated)
        return;
    member->awaited = false;
    if (in_round(session) && member->seat != SEAT_NONE) {
        bool alive = member->alive;
        member->leaves = member->leaves || member->banned;
        if (alive && (session->held_until || session->paused)) { /* after what is held back */
            member->presence = ABSENT;
            member->leaves = true;
            member->gone_at = session->now;
            return;
        }
        if (alive)
            round_remove(session, member);
        member->presence = GONE;
        member->gone_at = session->now;
        if (in_lobby(session)) { /* the round was over with it, and the lobby opened before this */
            lobby_give_up_seat(member);
            session->state = MAW_SETUP;
        }
        return;
    }
    record_member(session, "left_lobby", member);
    char name[NAME_BYTES_MAX + 1];
    snprintf(name, sizeof(name), "%s", member->name);
    if (lobby_seated(session) == session->options.players && session->options.wait_told_ms > 0)
        session->wait_told_at = session->now + session->options.wait_told_ms;
    /* The lobby's time was over while all seats were taken: it begins anew for the free one. */
    bool was_over = session->lobby_until == TIME_NEVER || session->now >= session->lobby_until;
    if (was_over && session->options.lobby_ms > 0)
        session->lobby_until = session->now + session->options.lobby_ms;
    lobby_give_up_seat(member);
    session->state = MAW_SETUP;
    say_seats(session, SYSTEM_LEFT_LOBBY, name);
}

void lobby_leave(const Asked *asked)
{
    record_message(asked, "accepted", NULL);
    asked->member->leaves = true;
    lobby_depart(asked->session, asked->member);
}

/* ---- absence ---- */

/* The number of a message of ours, "m17". */
static bool is_ours(const MawSession *session, Str id)
{
    uint64_t number;

    return str_starts(id, STR("m")) && str_to_uint(str_part(id, 1, id.len), UINT64_MAX, &number) &&
           number < session->sent;
}

void lobby_bounced(MawSession *session, const MawStanza *stanza)
{
    Member *member = lobby_find(session, stanza->from);

    if (is_ours(session, stanza->id) && session->state != MAW_OVER &&
        spectators_bounced(session, stanza))
        return;
    if (!member || !member->seated || member->presence != PRESENT || session->state == MAW_OVER ||
        !is_ours(session, stanza->id) || !str_eq(stanza->from, str_of(member->address)))
        return;
    record_bounce(session, stanza);
    Str bare = jid_bare(str_of(member->address));
    if (bare.len < strlen(member->address)) {
        /* That client is gone; another one of the same account may be there (3.5). */
        member->address[bare.len] = '\0';
        member->lost[0] = '\0';
        if (in_round(session))
            round_resume(session, member);
        return;
    }
    lobby_be_absent(session, member);
}

void lobby_back(MawSession *session, Member *member, Str from, bool resume)
{
    if (session->state == MAW_OVER || member->leaves)
        return;
    member->presence = PRESENT;
    member->messages = (Bucket){0}; /* so that what brought it back is answered, and recorded */
    member->limited = false;
    keep_address(member, from);
    record_member(session, "back", member);
    if (!in_round(session))
        return;
    round_away(session, member, false);
    if (resume)
        round_resume(session, member);
}
