/* player_round.c - the state machine of a round: what the game master and the rooms' opening do.
 *
 *   LOBBY  -> AWAKE   [begin_round]        start_game, or anything of a newer round (lost start)
 *   AWAKE  -> ASLEEP  [enter_phase]        phase_change night, and no wolf
 *   ASLEEP -> AWAKE   [enter_phase]        phase_change day
 *   AWAKE, ASLEEP -> DEAD [die]            kill, or a result that names me
 *   DEAD   -> AWAKE   [begin_round]        start_game (its end_game was lost)
 *   any    -> LOBBY   [hear_end_game]      end_game
 *
 * Messages are ordered by thread (session and round) and phase_no, for senders may overtake each
 * other; where a game master has neither, by the order in which they come.
 */
#include "maw/player_own.h"

/* Nobody announced the room of a phase: after so long it is taken for open all the same. */
#define OPENS_BY_ITSELF_US SECOND
#define LAST_ROUND_US      (5 * SECOND)

/* ---- whose round ---- */

typedef enum RoundAge {
    ROUND_OLD,
    ROUND_THIS,
    ROUND_NEW,
} RoundAge;

/* "maw-<session>-<round>": the session in front of the last hyphen, the round behind it. */
static bool split_thread(Str thread, Str *ret_session, uint64_t *ret_round)
{
    size_t at;

    if (!str_find_last(thread, '-', &at))
        return false;
    *ret_session = str_part(thread, 0, at);
    return str_to_uint(str_part(thread, at + 1, SIZE_MAX), UINT32_MAX, ret_round);
}

static RoundAge age_of(const MawPlayer *player, const MawStanza *stanza, MawType type)
{
    Str mine = str_of(player->thread);
    Str my_session, its_session;
    uint64_t my_round, its_round;

    if (stanza->thread.len == 0 || stanza->thread.len >= THREAD_BYTES)
        return ROUND_THIS;
    if (mine.len == 0 || str_eq(mine, stanza->thread))
        return ROUND_THIS;
    if (split_thread(mine, &my_session, &my_round) &&
        split_thread(stanza->thread, &its_session, &its_round) && str_eq(my_session, its_session))
        return its_round > my_round ? ROUND_NEW : ROUND_OLD;
    /* Another session: its start counts, what is left of it does not. */
    return type == MAW_START_GAME || !player->in_round ? ROUND_NEW : ROUND_OLD;
}

/* ---- rooms ---- */

void player_look_at_room(MawPlayer *player, TimeUs now)
{
    static const char *const names[ROOM_COUNT] = {"Lobby", "Village", "Hideout", "Graveyard"};
    PlayerRoomNo room = player_room_now(player);
    bool by_itself = player->open_at != TIME_US_NEVER && now >= player->open_at;

    if (by_itself)
        player->open_at = TIME_US_NEVER;
    player->known.room = names[room];
    if (player->known.state != PLAYER_AWAKE || room == ROOM_LOBBY || player->known.paused) {
        player->known.room_open = false;
        player->open_at = TIME_US_NEVER;
        return;
    }
    if (by_itself)
        player->rooms[room].announced = true;
    if (player->rooms[room].announced && !player->known.room_open) {
        player->known.room_open = true;
        player->open_at = TIME_US_NEVER;
        if (!player->rooms[room].pushed)
            player->rooms[room].ask_at = now;
    }
}

/* It may be announced before the death is told: another address says it. */
static void look_at_graveyard(MawPlayer *player)
{
    player->known.graveyard =
        player->known.state == PLAYER_DEAD && player->rooms[ROOM_GRAVEYARD].announced;
}

/* ---- a round begins ---- */

static void forget_vote(MawPlayer *player)
{
    player->my_vote[0] = '\0';
    player->vote_before[0] = '\0';
    player->known.my_vote = (Str){0};
    player_clear_votes(player);
}

static void forget_role(MawPlayer *player)
{
    player->role[0] = '\0';
    player->known.role = (Str){0};
    player->known.wolf = false;
    player->mate_count = 0;
}

static void begin_round(MawPlayer *player, Str thread)
{
    MawKnown *known = &player->known;

    player_keep(player->thread, sizeof(player->thread), thread);
    if (!player->role_fresh) {
        forget_role(player);
        player_revive(player);
    }
    forget_vote(player);
    player->result_told = false;
    player->scores_told = false;
    player->in_round = true;
    player->joining = false; /* whoever starts a game with us has let us in */
    player->round_told = false;
    player->over_at = TIME_US_NEVER;
    player->open_at = TIME_US_NEVER;
    for (PlayerRoomNo room = ROOM_LOBBY; room < ROOM_COUNT; room++) {
        player->rooms[room].announced = false;
        player->rooms[room].subscribed = false;
    }
    known->round++;
    known->day = 0;
    known->phase_no = 0;
    known->night = false;
    known->paused = false;
    known->alive = true;
    known->state = PLAYER_AWAKE;
    known->room_open = false;
    known->graveyard = false;
    known->room = "Lobby";
    known->phase_ends = TIME_US_NEVER;
}

/* NEWS_ROUND once role and start are known; `force`: although the role was not told. */
static void tell_round(MawPlayer *player, bool force, TimeUs now)
{
    if (!player->in_round || player->round_told || (player->known.role.len == 0 && !force))
        return;
    player->round_told = true;
    player_tell(player, NEWS_ROUND, (Str){0}, str_of(player->me), player->known.role, now);
}

static void take_number(uint32_t *number, int64_t told)
{
    if (told != MAW_ABSENT && told >= 0 && told <= INT32_MAX)
        *number = (uint32_t)told;
}

static void set_mate(MawPlayer *player, Str jid_or_name)
{
    bool jid = memchr(jid_or_name.bytes ? jid_or_name.bytes : "", '@', jid_or_name.len) != NULL;
    MawKnownPlayer *mate = player_find(player, jid_or_name);

    if (!mate)
        mate = player_meet(player, jid ? jid_or_name : (Str){0}, jid ? (Str){0} : jid_or_name);
    if (!mate || player_is_me(player, mate->name) || player_is_me(player, mate->jid))
        return;
    mate->mate = true;
    player_set_role(player, mate, STR("Werewolf"));
}

/* Mine and my mates', on the people there are. */
static void know_roles(MawPlayer *player)
{
    MawKnownPlayer *me = player_find(player, str_of(player->bare));

    if (!me)
        me = player_find(player, str_of(player->me));
    if (me)
        player_set_role(player, me, player->known.role);
    for (uint32_t i = 0; i < player->mate_count; i++)
        set_mate(player, str_of(player->mates[i]));
}

static void hear_start_game(MawPlayer *player, const MawStanza *stanza, const MawMessage *message,
                            TimeUs now)
{
    bool same_thread = stanza->thread.len && str_eq(stanza->thread, str_of(player->thread));
    bool same_round = message->round != MAW_ABSENT && message->round == player->known.round;

    if (!player->in_round || !(same_thread || (stanza->thread.len == 0 && same_round)))
        begin_round(player, stanza->thread);
    take_number(&player->known.round, message->round);
    take_number(&player->known.rounds, message->rounds);
    take_number(&player->known.wolves, message->wolves);
    if (message->player_count && player->known.phase_no == 0) {
        player_seat_people(player, message->players, message->player_count);
        know_roles(player);
    }
    tell_round(player, false, now);
}

static void hear_assign_role(MawPlayer *player, const MawMessage *message, TimeUs now)
{
    if (!player->in_round || player->known.phase_no) {
        /* In front of its start_game: that one must not forget it again. */
        if (!player->role_fresh && !player->in_round)
            player_revive(player);
        player->role_fresh = true;
    }
    player_keep(player->role, sizeof(player->role), message->role);
    player->known.role = str_of(player->role);
    player->known.wolf = player_same_word(message->role, STR("Werewolf")) ||
                         player_same_word(message->role, STR("Wolf"));
    player->mate_count = 0;
    for (uint32_t i = 0; i < message->list_count && player->mate_count < SEAT_MAX; i++)
        if (player_keep(player->mates[player->mate_count], JID_BYTES, message->list[i]))
            player->mate_count++;
    know_roles(player);
    tell_round(player, false, now);
}

/* ---- phases ---- */

static void take_deadline(MawPlayer *player, int64_t seconds, TimeUs now)
{
    if (player->known.paused)
        player->known.phase_ends = TIME_US_NEVER;
    else if (seconds != MAW_ABSENT && seconds >= 0 && seconds <= INT32_MAX)
        player->known.phase_ends = now + seconds * SECOND;
}

static void enter_phase(MawPlayer *player, const MawMessage *message, bool night, uint32_t number,
                        TimeUs now)
{
    MawKnown *known = &player->known;
    PlayerRoomNo before = player_room_now(player);

    /* What was said last, before the room forgets it: asleep nobody asks. */
    if (before != ROOM_LOBBY && known->state != PLAYER_ASLEEP && !player->rooms[before].pushed)
        player_ask_lines(player, before, now);
    player->rooms[before].announced = false;
    forget_vote(player);
    player->role_fresh = false;
    known->phase_no = number;
    known->night = night;
    if (message->day != MAW_ABSENT)
        take_number(&known->day, message->day);
    else if (!night || known->day == 0)
        known->day++;
    known->phase_ends = TIME_US_NEVER;
    known->paused = message->paused;
    take_deadline(player, message->seconds, now);
    known->room_open = false;
    if (known->alive)
        known->state = night && !known->wolf ? PLAYER_ASLEEP : PLAYER_AWAKE;
    player_room_told(player, player_room_now(player), message->room);
    player->open_at = now + OPENS_BY_ITSELF_US;
    tell_round(player, true, now);
    player_tell(player, NEWS_PHASE, (Str){0}, (Str){0}, night ? STR("night") : STR("day"), now);
    player_look_at_room(player, now);
}

/* The phase we are in, with a new deadline: it was extended, or stands still, or goes on. */
static void hear_deadline(MawPlayer *player, const MawMessage *message, TimeUs now)
{
    bool goes_on = player->known.paused && !message->paused;

    player->known.paused = message->paused;
    take_deadline(player, message->seconds, now);
    if (goes_on)
        player->open_at = now + OPENS_BY_ITSELF_US;
    player_look_at_room(player, now);
}

static void hear_phase_change(MawPlayer *player, const MawMessage *message, TimeUs now)
{
    const MawKnown *known = &player->known;
    bool night = player_same_word(message->new_phase, STR("night"));
    bool day = player_same_word(message->new_phase, STR("day"));
    uint32_t number = known->phase_no + (known->phase_no == 0 || night != known->night ? 1 : 0);

    if (!night && !day)
        return;
    take_number(&number, message->phase_no);
    if (number < known->phase_no)
        return; /* overtaken by a newer one */
    if (number == known->phase_no)
        hear_deadline(player, message, now);
    else
        enter_phase(player, message, night, number, now);
}

/* Who is not in the list of the Village any more has died, though nobody told us. */
static void miss_absent(MawPlayer *player, const MawMessage *message)
{
    bool listed[MAW_LIST_MAX] = {false};
    uint32_t found = 0;

    for (uint32_t i = 0; i < message->player_count; i++) {
        const MawKnownPlayer *person = player_find(player, message->players[i].jid);
        if (person && !listed[person - player->people]) {
            listed[person - player->people] = true;
            found++;
        }
    }
    if (found != message->player_count)
        return; /* not all of them are known to us: the list says nothing about the others */
    for (uint32_t i = 0; i < player->known.player_count; i++)
        if (!listed[i] && player->people[i].jid.len && player->people[i].alive)
            player_set_dead(player, &player->people[i], STR("murdered"));
}

static void hear_members(MawPlayer *player, PlayerRoomNo room, const MawMessage *message)
{
    bool me_in_it = false;

    for (uint32_t i = 0; i < message->player_count; i++)
        me_in_it = me_in_it || player_is_me(player, message->players[i].jid);
    if (room == ROOM_VILLAGE && me_in_it && player->known.phase_no > 1 && player->people_have_jids)
        miss_absent(player, message);
    for (uint32_t i = 0; i < message->player_count && room != ROOM_LOBBY; i++)
        player_meet(player, message->players[i].jid, message->players[i].name);
    if (room != ROOM_HIDEOUT || !me_in_it || !player->known.alive)
        return;
    if (player->known.role.len == 0) { /* assign_role was lost: only wolves are called here */
        player_keep(player->role, sizeof(player->role), STR("Werewolf"));
        player->known.role = str_of(player->role);
        player->known.wolf = true;
    }
    for (uint32_t i = 0; i < message->player_count && player->mate_count == 0 && player->known.wolf;
         i++)
        set_mate(player, message->players[i].jid);
}

static void hear_announce_open(MawPlayer *player, const MawStanza *stanza, PlayerRoomNo room,
                               const MawMessage *message, TimeUs now)
{
    PlayerRoom *opened = room == ROOM_NONE ? NULL : &player->rooms[room];

    if (!opened)
        return;
    if (opened->jid[0] == '\0')
        player_keep(opened->jid, sizeof(opened->jid), jid_bare(stanza->from));
    opened->opened = message->index; /* MAW_ABSENT: before all */
    opened->announced = true;
    opened->refused = false;
    opened->ask_at = now;
    hear_members(player, room, message);
    if (!opened->subscribed && player->known.linked)
        player_subscribe(player, room);
    opened->subscribed = true;
    look_at_graveyard(player);
    if (room == player_room_now(player)) {
        if (player->known.alive && player->known.night && player->known.wolf)
            player->known.state = PLAYER_AWAKE;
        take_deadline(player, message->seconds, now);
        player_look_at_room(player, now);
    }
}

/* ---- deaths and ends ---- */

static void player_dies(MawPlayer *player, Str cause, TimeUs now)
{
    MawKnownPlayer *me = player_find(player, str_of(player->bare));

    if (!player->known.alive || !player->in_round)
        return;
    if (me)
        player_set_dead(player, me, cause);
    player->known.alive = false;
    player->known.state = PLAYER_DEAD;
    player->known.room_open = false;
    player->open_at = TIME_US_NEVER;
    look_at_graveyard(player);
    player_tell(player, NEWS_DIED, (Str){0}, str_of(player->me), cause, now);
}

static void hear_vote_result(MawPlayer *player, const MawMessage *message, TimeUs now)
{
    bool nobody = message->target_null || (message->target.len == 0 && message->name.len == 0);
    Str who = message->target.len ? message->target : message->name;
    MawKnownPlayer *person = nobody ? NULL : player_find(player, who);
    Str status = message->status;
    bool dies =
        !nobody && !player_same_word(status, STR("none")) && !player_same_word(status, STR("tie"));

    if (!person && !nobody)
        person = player_meet(player, message->target, message->name);
    if (dies && person)
        player_set_dead(player, person, status.len ? status : STR("executed"));
    for (uint32_t i = 0; i < message->pair_count; i++) {
        MawKnownPlayer *voter = player_find(player, message->pairs[i].key);
        if (voter)
            player_set_vote(player, voter, player_find(player, message->pairs[i].value));
    }
    player->result_told = true;
    player_keep(player->result_name, sizeof(player->result_name),
                dies && person ? person->name : (Str){0});
    player_tell(player, NEWS_RESULT, (Str){0}, person ? person->name : (Str){0}, status, now);
    if (dies && player_is_me(player, who))
        player_dies(player, status.len ? status : STR("executed"), now);
}

void player_hear_scores(MawPlayer *player, const MawMessage *message, TimeUs now)
{
    for (uint32_t i = 0; i < message->score_count; i++) {
        const MawScore *score = &message->scores[i];
        MawKnownPlayer *person = player_find(player, score->player);
        if (!person)
            person = player_find(player, score->name);
        if (person && score->points != MAW_ABSENT)
            person->points = score->points;
    }
    player->scores_told |= message->score_count > 0;
    if (message->score_count)
        player_tell(player, NEWS_SCORES, (Str){0}, (Str){0}, (Str){0}, now);
}

static void hear_end_game(MawPlayer *player, const MawMessage *message, TimeUs now)
{
    if (!player->in_round)
        return;
    for (uint32_t i = 0; i < message->pair_count; i++) {
        MawKnownPlayer *person = player_find(player, message->pairs[i].key);
        if (person)
            player_set_role(player, person, message->pairs[i].value);
    }
    player->in_round = false;
    player->role_fresh = false;
    forget_vote(player);
    player->known.state = PLAYER_LOBBY;
    player->known.room_open = false;
    player->known.graveyard = false;
    player->known.paused = false;
    player->known.room = "Lobby";
    player->known.phase_ends = TIME_US_NEVER;
    player->open_at = TIME_US_NEVER;
    player_keep(player->winner, sizeof(player->winner), message->winning_team);
    player->known.winner = str_of(player->winner);
    if (message->last)
        player->over_at = now + LAST_ROUND_US;
    player_tell(player, NEWS_ROUND_END, (Str){0}, (Str){0}, message->winning_team, now);
    player_hear_scores(player, message, now);
}

/* ---- the way in ---- */

static bool belongs_to_round(MawPlayer *player, const MawStanza *stanza, const MawMessage *message)
{
    RoundAge age = age_of(player, stanza, message->type);

    if (player->known.state == PLAYER_JOIN_LOBBY && message->type != MAW_START_GAME &&
        message->type != MAW_ASSIGN_ROLE)
        return message->type == MAW_ANNOUNCE_OPEN; /* of the lobby; the rest is not for us yet */
    if (age == ROUND_OLD)
        return false;
    if (message->type == MAW_START_GAME || message->type == MAW_ASSIGN_ROLE)
        return true;
    bool other = stanza->thread.len == 0 || !str_eq(stanza->thread, str_of(player->thread));
    bool lost_start = (age == ROUND_NEW && message->type != MAW_ANNOUNCE_OPEN) ||
                      (!player->in_round && other && message->type == MAW_PHASE_CHANGE);

    if (lost_start) /* or it is still to come */
        begin_round(player, stanza->thread);
    return player->in_round || message->type == MAW_ANNOUNCE_OPEN;
}

bool player_hear_round(MawPlayer *player, const MawStanza *stanza, PlayerRoomNo room,
                       const MawMessage *message, TimeUs now)
{
    MawType type = message->type;

    if (!belongs_to_round(player, stanza, message))
        return false;
    if (type == MAW_START_GAME)
        hear_start_game(player, stanza, message, now);
    else if (type == MAW_ASSIGN_ROLE)
        hear_assign_role(player, message, now);
    else if (type == MAW_PHASE_CHANGE)
        hear_phase_change(player, message, now);
    else if (type == MAW_ANNOUNCE_OPEN)
        hear_announce_open(player, stanza, room, message, now);
    else if (type == MAW_VOTE_RESULT)
        hear_vote_result(player, message, now);
    else if (type == MAW_KILL)
        player_dies(player, message->cause.len ? message->cause : STR("killed"), now);
    else if (type == MAW_END_GAME)
        hear_end_game(player, message, now);
    return true;
}

/* ---- the lobby ---- */

static void tell_lobby(MawPlayer *player, TimeUs now)
{
    Buf *text = &player->text;
    uint32_t others = 0;

    buf_clear(text);
    for (uint32_t i = 0; i < player->known.player_count; i++) {
        if (player_is_me(player, player->people[i].name))
            continue;
        buf_printf(text, "%s%.*s", others++ ? ", " : "", STR_ARG(player->people[i].name));
    }
    if (others == 0)
        buf_printf(text, "nobody else is here yet");
    player_tell(player, NEWS_LOBBY, (Str){0}, (Str){0}, buf_str(text), now);
}

void player_hear_join_confirmed(MawPlayer *player, const MawStanza *stanza,
                                const MawMessage *message, TimeUs now)
{
    bool first = player->known.state == PLAYER_JOIN_LOBBY;

    (void)stanza;
    player->joining = false;
    if (message->player_name.len &&
        player_keep(player->me, sizeof(player->me), message->player_name))
        player->known.me = str_of(player->me);
    player_room_told(player, ROOM_LOBBY, message->lobby);
    player_room_told(player, ROOM_VILLAGE, message->village);
    player_room_told(player, ROOM_HIDEOUT, message->hideout);
    if (!player->in_round)
        for (uint32_t i = 0; i < message->player_count; i++)
            player_meet(player, message->players[i].jid, message->players[i].name);
    if (first) {
        player->known.state = PLAYER_LOBBY;
        player_tell(player, NEWS_JOINED, (Str){0}, (Str){0}, str_of(player->me), now);
    }
    if (!player->in_round)
        tell_lobby(player, now);
}
