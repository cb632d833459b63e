#include "maw/session.h"

#include "maw/session_state.h"

#include <assert.h>

/* ---- making ---- */

static uint32_t rooms_in(const Section *section, Action room, uint32_t *ret_others)
{
    uint32_t count = 0;

    for (uint32_t p = 0; p < section->count; p++)
        for (uint32_t a = 0; a < section->phases[p].action_count; a++)
            if (section->phases[p].actions[a] == room)
                count++;
            else
                (*ret_others)++;
    return count;
}

/* A village by day and a hideout by night, and no roles that MAW has no words for. */
static int check_rules(const Ruleset *rules, const MawOptions *options, Err *err)
{
    uint8_t counts[ROLE_COUNT];
    uint32_t others = 0;
    uint32_t days = rooms_in(&rules->day, ACTION_VILLAGE, &others);
    uint32_t nights = rooms_in(&rules->night, ACTION_HIDEOUT, &others);

    if (days != 1 || nights != 1 || others > 0)
        return err_set(err, ERR_RULE,
                       "ruleset '%s' is not for MAW: expected one village by day and one hideout "
                       "by night",
                       rules->name);
    int rc = ruleset_roles(rules, (int32_t)options->players, counts, err);
    if (rc)
        return rc;
    for (Role role = ROLE_NONE; role < ROLE_COUNT; role++)
        if (counts[role] && role != ROLE_VILLAGER && role != ROLE_WEREWOLF && role != ROLE_SEER)
            return err_set(err, ERR_RULE, "ruleset '%s': MAW has no role %s", rules->name,
                           role_name(role));
    if (options->rounds == 0)
        return err_set(err, ERR_RULE, "a session of 0 rounds: expected at least 1");
    return 0;
}

static void make_addresses(MawSession *session, const MawSessionSetup *setup)
{
    static const char *const nodes[ROOM_COUNT] = {"lobby", "village", "hideout", "graveyard"};

    snprintf(session->id, sizeof(session->id), "%.*s", STR_ARG(setup->id));
    snprintf(session->domain, sizeof(session->domain), "%.*s", STR_ARG(setup->domain));
    snprintf(session->master, sizeof(session->master), "gm%.*s@%.*s", STR_ARG(setup->suffix),
             STR_ARG(setup->domain));
    for (RoomNo room = ROOM_LOBBY; room < ROOM_COUNT; room++)
        snprintf(session->room_jids[room], sizeof(session->room_jids[room]), "%s%.*s@%.*s",
                 nodes[room], STR_ARG(setup->suffix), STR_ARG(setup->domain));
}

static int make_rooms(MawSession *session, Err *err)
{
    if (session->options.spectators) {
        int rc = chat_room_new("Gallery", &session->gallery, err);
        if (rc)
            return rc;
        chat_room_open(session->gallery, UINT64_MAX, UINT64_MAX, session->began);
    }
    for (RoomNo room = ROOM_LOBBY; room < ROOM_COUNT; room++) {
        if (room == ROOM_GRAVEYARD && !session->options.graveyard)
            continue;
        int rc = chat_room_new(room_name(room), &session->rooms[room], err);
        if (rc)
            return rc;
    }
    return 0;
}

int maw_session_new(const MawSessionSetup *setup, MawSession **ret_session, Err *err)
{
    int rc = check_rules(setup->rules, &setup->options, err);

    if (rc) {
        err_wrap(err, "new session: ");
        return rc;
    }
    if (setup->id.len > ID_BYTES_MAX || setup->id.len == 0 ||
        setup->domain.len + setup->suffix.len + sizeof("graveyard@") > ADDRESS_MAX)
        return err_set(err, ERR_LIMIT,
                       "new session: its name must have 1 to %d bytes and its "
                       "domain at most %d",
                       ID_BYTES_MAX, ADDRESS_MAX - 16);
    MawSession *session = mem_new(sizeof(*session));
    if (!session)
        return err_set(err, ERR_MEMORY, "new session: out of memory");
    session->rules = *setup->rules;
    session->options = setup->options;
    session->out = setup->out;
    session->watcher = setup->watcher;
    session->chance = setup->chance;
    session->began = setup->now;
    session->began_unix_ms = setup->unix_ms;
    make_addresses(session, setup);
    rc = make_rooms(session, err);
    if (rc == 0)
        rc = game_new(setup->rules, (int32_t)setup->options.players, &session->game, err);
    if (rc) {
        maw_session_free(session);
        return rc;
    }
    record_session(session);
    lobby_open(session);
    *ret_session = session;
    return 0;
}

MawSession *maw_session_free(MawSession *session)
{
    if (!session)
        return NULL;
    for (RoomNo room = ROOM_LOBBY; room < ROOM_COUNT; room++)
        chat_room_free(session->rooms[room]);
    chat_room_free(session->gallery);
    for (uint32_t m = 0; m < MEMBERS_MAX; m++)
        for (uint32_t r = 0; r < REPEATS_MAX; r++)
            buf_done(&session->members[m].repeats[r].answer);
    game_free(session->game);
    buf_done(&session->record);
    buf_done(&session->body);
    return mem_free(session);
}

/* ---- time ---- */

void session_advance(MawSession *session)
{
    clock_tick(session);
    if (session->paused)
        return;
    if (session->held_until) /* who leaves waits for it */
        round_tick(session);
    lobby_expire(session);
    if (in_round(session))
        round_tick(session);
    if (in_lobby(session))
        lobby_tick(session);
}

void maw_session_tick(MawSession *session, TimeUs now)
{
    session_set_now(session, now);
    if (session->state != MAW_OVER)
        session_advance(session);
}

static TimeMs earlier_time(TimeMs a, TimeMs b)
{
    return a < b ? a : b;
}

TimeUs maw_session_deadline(const MawSession *session)
{
    TimeMs back = session->awaiting ? session->await_until : TIME_NEVER;

    if (session->state == MAW_OVER)
        return TIME_US_NEVER;
    if (session->paused)
        return back == TIME_NEVER ? TIME_US_NEVER : session->began + back * 1000;
    TimeMs at = lobby_deadline(session);
    if (in_round(session))
        at = earlier_time(at, round_deadline(session));
    at = earlier_time(at, clock_pause_at(session));
    return at == TIME_NEVER ? TIME_US_NEVER : session->began + at * 1000;
}

/* ---- looking ---- */

void maw_session_check(const MawSession *session)
{
    uint32_t open = 0;

    for (RoomNo room = ROOM_LOBBY; room <= ROOM_HIDEOUT; room++)
        open += chat_room_is_open(session->rooms[room]);
    assert(open == (session->state == MAW_OVER ? 0 : 1));
    assert(lobby_seated(session) <= session->options.players);
    assert(chat_room_is_open(session->rooms[ROOM_LOBBY]) == in_lobby(session));
    if (!in_round(session))
        return;
    assert(chat_room_is_open(session->rooms[ROOM_HIDEOUT]) == session->night);
    game_check(session->game);
    for (SeatNo seat = 1; seat <= session->seat_count; seat++) {
        const Member *member = &session->members[session->member_of[seat]];
        assert(member->used && member->seated && member->seat == seat);
        assert(member->role == game_role(session->game, seat));
        assert(session->held_until || member->alive == seat_in(game_alive(session->game), seat));
        if (member->alive && member->role != ROLE_WEREWOLF)
            assert(!room_readable(session, member, ROOM_HIDEOUT));
    }
    /* No phase goes on after its time. */
    TimeMs until = session->held_until ? session->held_until : session->phase_until;
    assert(session->paused || game_now(session) < until);
}

bool maw_session_over(const MawSession *session)
{
    return session->state == MAW_OVER;
}

MawState maw_session_state(const MawSession *session)
{
    return session->state;
}

bool maw_session_paused(const MawSession *session)
{
    return session->paused;
}

bool maw_session_is_address(const MawSession *session, Str jid)
{
    CLEANUP(buf_done) Buf folded = {0};

    jid_fold(jid, &folded);
    return str_eq(buf_str(&folded), str_of(session->master)) || room_of(session, jid) != ROOM_NONE;
}

uint32_t maw_session_round(const MawSession *session)
{
    return session->round;
}

uint32_t maw_session_rounds_won(const MawSession *session, Side side)
{
    return side <= SIDE_WEREWOLF ? session->rounds_won[side] : 0;
}
