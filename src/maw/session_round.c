/* A round on the engine: what its events become. docs/spec/maw.md 1, 2.3 (figure 4), A15 to A18,
 * A32.
 *
 * The events of a phase's end are collected (PhaseEnd) until the next one says that they are
 * complete; then everything happens in the one order of A16:
 *
 *   1 room closed - 2 recorded - 3 vote_result - 4 kill - 5 end_game, or
 *   6 phase_change - 7 next room opened - 8 system lines */
#include "maw/session_state.h"

static TimeMs earlier_time(TimeMs a, TimeMs b)
{
    return a < b ? a : b;
}

/* ---- the beginning ---- */

/* Seats in the order of joining: the same seed gives the same roles (G3). */
static void take_seats(MawSession *session)
{
    session->seat_count = 0;
    for (uint32_t m = 0; m < MEMBERS_MAX; m++)
        session->members[m].seat = SEAT_NONE;
    while (session->seat_count < session->options.players) {
        Member *next = NULL;
        for (uint32_t m = 0; m < MEMBERS_MAX; m++) {
            Member *member = &session->members[m];
            if (member->used && member->seated && member->seat == SEAT_NONE &&
                (!next || member->joined < next->joined))
                next = member;
        }
        if (!next)
            return;
        next->seat = ++session->seat_count;
        session->member_of[next->seat] = (uint8_t)member_no(session, next);
        next->role = ROLE_NONE;
        next->alive = true;
        next->leaves = false;
        next->cause = NULL;
        next->heard_at = session->now;
        next->away = false;
        next->vote = SEAT_NONE;
        next->asked_day = 0;
        next->whispered = false;
    }
}

static void tell_watcher(const MawSession *session, const GameSetup *setup)
{
    const MawWatcher *watcher = &session->watcher;
    Str jids[SEAT_MAX + 1] = {{0}};

    for (SeatNo seat = 1; seat <= session->seat_count; seat++)
        jids[seat] = str_of(session->members[session->member_of[seat]].jid);
    if (watcher->begins)
        watcher->begins(watcher->user, session->round, session->seat_count, jids, setup->names,
                        session_time(session));
}

void round_start(MawSession *session)
{
    GameSetup setup = {0};

    take_seats(session);
    for (SeatNo seat = 1; seat <= session->seat_count; seat++)
        setup.names[seat] = member_name(member_at(session, seat));
    session->round++;
    session->state = MAW_ASSIGN_ROLES;
    session->phase_no = 0;
    session->told_start = false;
    session->night = false;
    session->shift = 0;
    session->round_began = session->now;
    session->phase_until = TIME_NEVER;
    session->held_until = 0;
    session->end = (PhaseEnd){0};
    session->tell_executed = session->tell_murdered = SEAT_NONE;
    session->tell_left = 0;
    memset(session->gained, 0, sizeof(session->gained));
    session->result = (GameResult){.seat_count = session->seat_count};
    session->days = RESULT_DAYS_NONE;
    room_close(session, ROOM_LOBBY);
    for (RoomNo room = ROOM_VILLAGE; room < ROOM_COUNT; room++)
        session->room_since[room] = session->rooms[room] ? chat_room_next(session->rooms[room]) : 0;
    if (game_start(session->game, &setup, maw_chance_round(&session->chance, session->round),
                   NULL)) {
        session_end(session, "The round could not begin.");
        return;
    }
    tell_watcher(session, &setup);
    round_drain(session);
}

/* Roles are dealt: everybody is told before the first phase. */
static void tell_roles(MawSession *session)
{
    session->told_start = true;
    record_start(session);
    tell_start(session, NULL);
    for (SeatNo seat = 1; seat <= session->seat_count; seat++)
        tell_role_of(session, member_at(session, seat));
    if (session->rooms[ROOM_GRAVEYARD])
        room_open(session, ROOM_GRAVEYARD);
}

/* ---- a phase's end ---- */

/* By day whether several had the most votes; the wolves want one and the same or nobody. */
static const char *status_of(const PhaseEnd *end)
{
    uint32_t votes[SEAT_MAX + 1] = {0};
    uint32_t most = 0, tops = 0;

    if (end->night)
        return end->murdered != SEAT_NONE ? "murdered" : "none";
    if (end->executed != SEAT_NONE)
        return "executed";
    for (uint8_t i = 0; i < end->votes.count; i++)
        if (++votes[end->votes.items[i].target] > most)
            most = votes[end->votes.items[i].target];
    for (SeatNo seat = 1; seat <= SEAT_MAX; seat++)
        tops += most > 0 && votes[seat] == most;
    return tops > 1 ? "tie" : "none";
}

static void member_dies(MawSession *session, Member *member, const char *cause)
{
    member->alive = false;
    member->cause = cause;
    member->vote = SEAT_NONE;
    for (RoomNo room = ROOM_VILLAGE; room <= ROOM_HIDEOUT; room++)
        chat_room_silence(session->rooms[room], member_no(session, member),
                          room_readable(session, member, room));
    tell_kill(session, member);
    if (session->rooms[ROOM_GRAVEYARD])
        room_announce(session, ROOM_GRAVEYARD, member);
}

/* Steps 1 to 4; nothing when no phase has ended. */
static void finish_phase(MawSession *session)
{
    PhaseEnd end = session->end;
    SeatNo dead = end.night ? end.murdered : end.executed;
    const char *status = status_of(&end);

    if (!end.open)
        return;
    session->end = (PhaseEnd){0};
    room_close(session, end.night ? ROOM_HIDEOUT : ROOM_VILLAGE);
    record_phase_end(session, &end, status);
    tell_result(session, &end, status);
    if (dead == SEAT_NONE)
        return;
    member_dies(session, member_at(session, dead), end.night ? "murdered" : "executed");
    if (end.night)
        session->tell_murdered = dead;
    else
        session->tell_executed = dead;
}

/* An end that comes early at night is held back, when the table wants that (A15). */
static void phase_ends(MawSession *session, bool night)
{
    TimeMs least = session->phase_began + session->options.night_min_ms;

    session->end = (PhaseEnd){.open = true, .night = night};
    session->state = night ? MAW_NIGHT_COUNT : MAW_DAY_COUNT;
    if (night && game_now(session) < earlier_time(least, session->phase_until))
        session->held_until = earlier_time(least, session->phase_until);
}

/* ---- a phase's beginning: steps 6 to 8 ---- */

static const char *revealed_role(MawReveal reveal, Role role)
{
    if (reveal == REVEAL_ROLE)
        return tell_role(role);
    return role == ROLE_WEREWOLF ? "Werewolf" : "Villager";
}

/* The same for who watches. */
static void watch_revealed(MawSession *session, MawReveal reveal, SeatSet to)
{
    const SeatNo seat = session->tell_executed;

    if (seat == SEAT_NONE || reveal == REVEAL_NONE)
        return;
    const Role role = member_at(session, seat)->role;
    watch_learnt(session, &(Event){.kind = EVENT_ROLE,
                                   .seat = seat,
                                   .role = reveal == REVEAL_ROLE ? role : ROLE_NONE,
                                   .species = role_species(role),
                                   .known_to = to});
}

/* The wolves, and the dead where ghosts see all. */
static SeatSet hideout_ears(MawSession *session)
{
    SeatSet ears = 0;

    for (SeatNo seat = 1; seat <= session->seat_count; seat++)
        if (member_at(session, seat)->role == ROLE_WEREWOLF)
            ears |= seat_bit(seat);
    if (session->rules.secrecy.ghosts_see == GHOSTS_ALL)
        ears |= seat_all(session->seat_count) & ~game_alive(session->game);
    return ears;
}

static void tell_night_news(MawSession *session)
{
    const Member *dead = member_at(session, session->tell_executed);

    if (session->tell_executed == SEAT_NONE)
        room_system(session, ROOM_HIDEOUT, SYSTEM_NOBODY_EXECUTED, {0});
    else if (session->options.reveal_hideout == REVEAL_NONE)
        room_system(session, ROOM_HIDEOUT, SYSTEM_EXECUTED, member_name(dead));
    else
        room_system(session, ROOM_HIDEOUT, SYSTEM_EXECUTED_AS, member_name(dead),
                    str_of(revealed_role(session->options.reveal_hideout, dead->role)));
    watch_revealed(session, session->options.reveal_hideout, hideout_ears(session));
}

/* Who was executed is known since vote_result; what it was is told when the table says so. */
static void tell_day_news(MawSession *session)
{
    for (SeatSet left = session->tell_left; left; left &= left - 1)
        room_system(session, ROOM_VILLAGE, SYSTEM_LEFT,
                    member_name(member_at(session, seat_first(left))));
    if (session->tell_executed != SEAT_NONE && session->options.reveal_village != REVEAL_NONE) {
        const Member *dead = member_at(session, session->tell_executed);
        room_system(session, ROOM_VILLAGE, SYSTEM_WAS, member_name(dead),
                    str_of(revealed_role(session->options.reveal_village, dead->role)));
    }
    if (session->tell_murdered != SEAT_NONE)
        room_system(session, ROOM_VILLAGE, SYSTEM_MURDERED,
                    member_name(member_at(session, session->tell_murdered)));
    watch_revealed(session, session->options.reveal_village, seat_all(session->seat_count));
    session->tell_executed = session->tell_murdered = SEAT_NONE;
    session->tell_left = 0;
}

/* Those with the most votes, as they stand. */
static SeatSet top_of_votes(MawSession *session)
{
    uint32_t votes[SEAT_MAX + 1] = {0};
    uint32_t most = 1;
    SeatSet top = 0;

    for (SeatNo seat = 1; seat <= session->seat_count; seat++) {
        SeatNo target = member_at(session, seat)->alive ? member_at(session, seat)->vote : 0;
        if (target != SEAT_NONE && ++votes[target] > most)
            most = votes[target];
    }
    for (SeatNo seat = 1; seat <= session->seat_count; seat++)
        if (votes[seat] == most)
            top |= seat_bit(seat);
    return top;
}

static void start_clock(MawSession *session, const Event *event)
{
    session->phase_began = game_now(session);
    session->phase_until = event->until;
    session->warned = 0;
    for (SeatNo seat = 1; seat <= session->seat_count; seat++)
        member_at(session, seat)->vote = SEAT_NONE;
}

/* A7, `revote`: the same phase goes on for a while, with the tied as targets. */
static void vote_again(MawSession *session, const Event *event)
{
    CLEANUP(buf_done) Buf names = {0};

    session->tied = top_of_votes(session);
    start_clock(session, event);
    record_revote(session);
    tell_phase(session, NULL);
    for (uint32_t m = 0; m < MEMBERS_MAX; m++)
        if (session->members[m].used && session->members[m].seated &&
            room_readable(session, &session->members[m], ROOM_VILLAGE))
            room_announce(session, ROOM_VILLAGE, &session->members[m]);
    for (SeatSet left = session->tied; left; left &= left - 1)
        buf_printf(&names, "%s%s", names.len ? ", " : "",
                   member_at(session, seat_first(left))->name);
    room_system(session, ROOM_VILLAGE, SYSTEM_TIE, buf_str(&names));
}

/* Who slept could not be heard of. */
static void wake_up(MawSession *session)
{
    for (SeatNo seat = 1; seat <= session->seat_count; seat++)
        if (member_at(session, seat)->role != ROLE_WEREWOLF &&
            member_at(session, seat)->heard_at < session->night_began)
            member_at(session, seat)->heard_at += session->now - session->night_began;
        else if (member_at(session, seat)->role != ROLE_WEREWOLF)
            member_at(session, seat)->heard_at = session->now;
    session->night_began = 0;
}

static void begin_phase(MawSession *session, const Event *event)
{
    if (session->night && event->action != ACTION_HIDEOUT)
        wake_up(session);
    else if (!session->night && event->action == ACTION_HIDEOUT)
        session->night_began = session->now;
    session->night = event->action == ACTION_HIDEOUT;
    session->state = session->night ? MAW_NIGHT : MAW_DAY;
    session->phase_no++;
    session->tied = 0;
    start_clock(session, event);
    record_phase(session);
    tell_phase(session, NULL);
    room_open(session, session->night ? ROOM_HIDEOUT : ROOM_VILLAGE);
    if (!session->night)
        tell_day_news(session);
    else if (session->phase_no > 1)
        tell_night_news(session);
}

/* ---- in a phase ---- */

/* Whom somebody votes for is told in the room where the vote counts: G8, A12. */
static void hear_standing(MawSession *session, const Event *event)
{
    Member *voter = member_at(session, event->seat);
    bool night = event->action == ACTION_HIDEOUT;
    RoomNo room = night ? ROOM_HIDEOUT : ROOM_VILLAGE;

    voter->vote = event->target;
    if (!night && !session->rules.vote.visible)
        return;
    if (event->target == SEAT_NONE)
        room_system(session, room, SYSTEM_VOTES_FOR_NOBODY, member_name(voter));
    else
        room_system(session, room, SYSTEM_VOTES_FOR, member_name(voter),
                    member_name(member_at(session, event->target)));
}

/* Dead by departure: told at once where somebody is awake, to the village on the next day (A30). */
static void hear_departure(MawSession *session, SeatNo seat)
{
    Member *member = member_at(session, seat);

    record_member(session, "left", member);
    member_dies(session, member, "left");
    if (!session->night) {
        room_system(session, ROOM_VILLAGE, SYSTEM_LEFT, member_name(member));
        return;
    }
    session->tell_left |= seat_bit(seat);
    room_system(session, ROOM_HIDEOUT, SYSTEM_LEFT, member_name(member));
}

static void hear_line(MawSession *session, const Event *event)
{
    if (!event->talk->skip && !event->talk->over)
        room_line(session, event->kind == EVENT_TALK ? ROOM_VILLAGE : ROOM_HIDEOUT,
                  member_at(session, event->seat), event->talk->text);
}

static void add_vote(PhaseEnd *end, const Event *event)
{
    if (end->votes.count < SEAT_MAX)
        end->votes.items[end->votes.count++] = (Vote){event->seat, event->target};
}

/* A vote with the reason that came along. */
static void tell_heard(const MawSession *session, const Event *event)
{
    const MawWatcher *watcher = &session->watcher;
    const Talk reason = {.text = session->vote_reason, .seat = event->seat};
    Event told = *event;

    if (event->kind == EVENT_STANDING && reason.text.len)
        told.talk = &reason;
    watcher->heard(watcher->user, session->round, &told, session_time(session));
}

static void hear_event(MawSession *session, const Event *event)
{
    const MawWatcher *watcher = &session->watcher;
    EndReason reason = END_WIN;

    if (watcher->heard)
        tell_heard(session, event);
    game_result_hear(&session->result, &reason, &session->days, event);
    switch (event->kind) {
    case EVENT_ROLE:
        member_at(session, event->seat)->role = event->role;
        break;
    case EVENT_DAY:
        if (!session->told_start)
            tell_roles(session);
        finish_phase(session);
        break;
    case EVENT_NIGHT:
        finish_phase(session);
        break;
    case EVENT_PHASE:
        if (event->round > 0) {
            vote_again(session, event);
            break;
        }
        finish_phase(session);
        begin_phase(session, event);
        break;
    case EVENT_TALK:
    case EVENT_WHISPER:
        hear_line(session, event);
        break;
    case EVENT_STANDING:
        hear_standing(session, event);
        break;
    case EVENT_PHASE_END:
        phase_ends(session, session->night);
        break;
    case EVENT_VOTE:
    case EVENT_ATTACK_VOTE:
        add_vote(&session->end, event);
        break;
    case EVENT_EXECUTE:
        session->end.executed = event->seat;
        break;
    case EVENT_ATTACK:
        session->end.murdered = event->killed ? event->target : SEAT_NONE;
        break;
    case EVENT_DEATH:
        if (!session->end.open || event->seat != session->end.murdered)
            if (member_at(session, event->seat)->alive)
                hear_departure(session, event->seat);
        break;
    case EVENT_END:
        if (room_now(session) != ROOM_NONE)
            session->end.open = true; /* a departure ended it, not a vote */
        session->end.night = session->night;
        finish_phase(session);
        session->winner = event->winner;
        session->reason = event->reason;
        break;
    case EVENT_SCORE:
        session->gained[event->seat] = event->points;
        break;
    case EVENT_DIVINE:
    case EVENT_GUARD:
    case EVENT_IDENTIFY:
    case EVENT_REVEAL:
    case EVENT_BID:
        break;
    }
}

/* ---- the round's end: step 5 ---- */

static bool has_won(const MawSession *session, const Member *member)
{
    return session->winner == (member->role == ROLE_WEREWOLF ? SIDE_WEREWOLF : SIDE_VILLAGER);
}

static void round_over(MawSession *session)
{
    bool all_played = session->round >= session->options.rounds;
    bool last = all_played || session->drained;

    for (SeatNo seat = 1; seat <= session->seat_count; seat++) {
        Member *member = member_at(session, seat);
        if (!member->alive && !session->options.score_dead)
            session->gained[seat] = 0;
        member->points += session->gained[seat];
        member->rounds_played++;
        member->rounds_won += has_won(session, member);
    }
    session->rounds_done++;
    session->rounds_won[session->winner]++;
    record_end_game(session);
    result_tell(session);
    if (session->watcher.over)
        session->watcher.over(session->watcher.user, session->round, session_time(session));
    if (session->rooms[ROOM_GRAVEYARD])
        room_close(session, ROOM_GRAVEYARD);
    tell_end_game(session, last);
    lobby_open(session);
    lobby_leaderboard(session);
    if (last)
        session_end(session,
                    all_played ? "All rounds have been played." : "No further round is played.");
}

void round_drain(MawSession *session)
{
    Event event;

    while (!session->held_until && game_next_event(session->game, &event))
        hear_event(session, &event);
    if (!session->held_until && in_round(session) && game_over(session->game))
        round_over(session);
}

/* ---- the clock ---- */

/* When warning `w` is due, on the game's clock; TIME_NEVER when this phase has none such (A32). */
static TimeMs warning_at(const MawSession *session, uint32_t w)
{
    static const TimeMs before_ms[WARNING_COUNT] = {0, 30000, 10000};
    TimeMs length = session->phase_until - session->phase_began;
    TimeMs before = w == 0 ? length / 2 : before_ms[w];

    if (session->phase_until == TIME_NEVER || length < 4000 || (w > 0 && before * 2 >= length))
        return TIME_NEVER;
    return session->phase_until - before;
}

static void warn_members(MawSession *session)
{
    TimeMs now = game_now(session), left = session->phase_until - now;
    RoomNo room = session->night ? ROOM_HIDEOUT : ROOM_VILLAGE;
    bool due = false;

    for (uint32_t w = 0; w < WARNING_COUNT; w++) {
        TimeMs at = warning_at(session, w);
        if (at > now || at == TIME_NEVER || (session->warned >> w & 1))
            continue;
        session->warned |= 1u << w;
        due = true;
    }
    if (!due || left <= 0)
        return;
    /* Of several that a late tick has passed only one is told. */
    char seconds[24];
    snprintf(seconds, sizeof(seconds), "%lld", (long long)((left + 999) / 1000));
    room_system(session, room, SYSTEM_SECONDS, str_of(seconds));
}

void round_tick(MawSession *session)
{
    TimeMs now = game_now(session);

    if (session->held_until) {
        if (now < session->held_until)
            return;
        session->held_until = 0;
        game_tick(session->game, now);
        round_drain(session);
        return;
    }
    warn_members(session);
    game_tick(session->game, now);
    round_drain(session);
}

TimeMs round_deadline(const MawSession *session)
{
    TimeMs now = game_now(session);
    TimeMs at = session->held_until ? session->held_until : game_deadline(session->game);

    for (uint32_t w = 0; w < WARNING_COUNT && !session->held_until; w++)
        if (!(session->warned >> w & 1))
            at = earlier_time(at, warning_at(session, w));
    return at == TIME_NEVER ? at : session->now + (at > now ? at - now : 0);
}

/* ---- who is there ---- */

bool round_awake(const MawSession *session, const Member *member)
{
    return in_round(session) && session->phase_no > 0 && member->seat != SEAT_NONE &&
           member->alive && (!session->night || member->role == ROLE_WEREWOLF);
}

void round_away(MawSession *session, Member *member, bool away)
{
    AskKind ask = session->night ? ASK_ATTACK : ASK_VOTE;

    if (member->seat == SEAT_NONE || !member->alive || member->away == away)
        return;
    member->away = away;
    /* The vote of who is not there is removed (A14). */
    if (away && !session->held_until && game_is_asked(session->game, member->seat, ask))
        game_answer(session->game, member->seat, &(Answer){.kind = ask}, NULL);
    game_set_away(session->game, member->seat, away, NULL);
    round_drain(session);
}

void round_remove(MawSession *session, const Member *member)
{
    if (game_remove(session->game, member->seat, NULL) == 0)
        round_drain(session);
}

void round_resume(MawSession *session, const Member *member)
{
    RoomNo open = room_now(session);

    if (member->seat == SEAT_NONE)
        return;
    tell_start(session, member);
    tell_role_of(session, member);
    tell_phase(session, member);
    if (!member->alive)
        tell_kill(session, member);
    if (open != ROOM_NONE && room_readable(session, member, open))
        room_announce(session, open, member);
}

void round_retime(MawSession *session)
{
    for (uint32_t w = 0; w < WARNING_COUNT; w++) /* what lies ahead again is told again */
        if (warning_at(session, w) > game_now(session))
            session->warned &= ~(1u << w);
    record_retime(session);
    tell_phase(session, NULL);
}
