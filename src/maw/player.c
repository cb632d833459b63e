#include "maw/player_own.h"

#define NOT_UNDERSTOOD_EVERY (5 * SECOND)
#define LIFE_SHIFT           40 /* microseconds of two weeks are below */

/* ---- life ---- */

static bool keep_setup(MawPlayer *player, const MawPlayerSetup *setup)
{
    return player_keep(player->jid, sizeof(player->jid), setup->jid) &&
           player_keep(player->bare, sizeof(player->bare), jid_bare(setup->jid)) &&
           player_keep(player->master, sizeof(player->master), setup->game_master) &&
           player_keep(player->me, sizeof(player->me), setup->name) &&
           player_keep(player->client, sizeof(player->client), setup->client) && setup->jid.len &&
           setup->game_master.len;
}

static void set_times(MawPlayer *player, const MawPlayerSetup *setup)
{
    player->join_retry_us = setup->join_retry_us > 0 ? setup->join_retry_us : 5 * SECOND;
    player->join_timeout_us = setup->join_timeout_us > 0 ? setup->join_timeout_us : 60 * SECOND;
    player->poll_us = setup->poll_us > 0 ? setup->poll_us : SECOND;
    player->open_at = TIME_US_NEVER;
    player->over_at = TIME_US_NEVER;
    player->known.phase_ends = TIME_US_NEVER;
    player->joining = true;
    player->join_at = setup->now;
    player->join_give_up = setup->now + player->join_timeout_us;
}

int maw_player_new(const MawPlayerSetup *setup, MawPlayer **ret_player, Err *err)
{
    MawPlayer *player = mem_new(sizeof(*player));

    if (!player)
        return err_set(err, ERR_MEMORY, "player '%.*s': out of memory", STR_ARG(setup->name));
    if (!keep_setup(player, setup)) {
        mem_free(player);
        return err_set(err, ERR_RULE,
                       "player '%.*s': its JID and the game master's are needed, at most %d bytes "
                       "each, and a name of at most %d",
                       STR_ARG(setup->name), JID_BYTES - 1, NAME_BYTES - 1);
    }
    player->out = setup->out;
    player->reader = setup->reader ? setup->reader : &player->own_reader;
    player->other_names = setup->other_names;
    player->known.linked = true;
    player->nonce = (uint64_t)setup->now;
    set_times(player, setup);
    player->known.me = str_of(player->me);
    player->known.jid = str_of(player->bare);
    player->known.players = player->people;
    player->known.room = "Lobby";
    player->known.alive = true;
    player->known.max_chars = CHARS_DEFAULT;
    *ret_player = player;
    return 0;
}

MawPlayer *maw_player_free(MawPlayer *player)
{
    if (!player)
        return NULL;
    maw_reader_done(&player->own_reader);
    buf_done(&player->text);
    return mem_free(player);
}

const MawKnown *maw_player_known(const MawPlayer *player)
{
    return &player->known;
}

/* ---- joining ---- */

static void send_join(MawPlayer *player, TimeUs now)
{
    MawMessage message = maw_message(MAW_JOIN_LOBBY);

    message.player_name = str_of(player->me);
    message.client = str_of(player->client);
    player->join_at = now + player->join_retry_us;
    player_send(player, str_of(player->master), &message, ACT_REQUEST, (Str){0}, NULL);
}

void maw_player_link(MawPlayer *player, bool up, TimeUs now)
{
    if (player->known.state == PLAYER_OVER || player->known.linked == up)
        return;
    player->known.linked = up;
    if (up) {
        player->joining = false; /* time without a link is no time in which nobody answered */
        player_join(player, now);
        player_tell(player, NEWS_LINKED, (Str){0}, (Str){0}, (Str){0}, now);
    } else {
        player->absent_told = true;
        player_tell(player, NEWS_ABSENT, (Str){0}, (Str){0}, STR("the link is gone"), now);
    }
}

void maw_player_again(MawPlayer *player, uint64_t life, TimeUs now)
{
    if (player->known.state == PLAYER_OVER)
        return;
    player->nonce = (uint64_t)now ^ life << LIFE_SHIFT;
    player->sent = 0;
    player->joining = false;
    player_join(player, now);
}

/* ---- time ---- */

TimeUs maw_player_deadline(const MawPlayer *player)
{
    if (player->known.state == PLAYER_OVER || !player->known.linked)
        return TIME_US_NEVER;
    TimeUs next = player_lines_deadline(player);
    const TimeUs others[] = {
        player->joining ? player->join_at : TIME_US_NEVER,
        player->joining ? player->join_give_up : TIME_US_NEVER,
        player->open_at,
        player->over_at,
    };

    for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++)
        if (others[i] < next)
            next = others[i];
    return next;
}

static void tick_join(MawPlayer *player, TimeUs now)
{
    if (!player->joining)
        return;
    if (now >= player->join_give_up)
        player_over(player, STR("no-answer"), STR("The game master does not answer."), now);
    else if (now >= player->join_at)
        send_join(player, now);
}

void maw_player_tick(MawPlayer *player, TimeUs now)
{
    if (player->known.state == PLAYER_OVER || !player->known.linked)
        return;
    if (now >= player->over_at) {
        player_over(player, (Str){0}, STR("All rounds have been played."), now);
        return;
    }
    tick_join(player, now);
    if (player->known.state == PLAYER_OVER)
        return;
    if (now >= player->open_at)
        player_look_at_room(player, now);
    player_lines_tick(player, now);
}

/* ---- what comes in ---- */

static bool from_master(const MawPlayer *player, const MawStanza *stanza)
{
    return player_same_word(jid_bare(stanza->from), jid_bare(str_of(player->master)));
}

/* What bounced was sent by us: whoever is there no more is the game master or a room. */
static void hear_bounce(MawPlayer *player, bool master, TimeUs now)
{
    if (!master || player->known.state == PLAYER_OVER)
        return;
    if (!player->absent_told)
        player_tell(player, NEWS_ABSENT, (Str){0}, (Str){0}, STR("the game master is not there"),
                    now);
    player->absent_told = true;
    if (player->joining)
        return; /* the next try comes by itself */
    player_join(player, now);
    player->join_at = now + player->join_retry_us;
}

/* Section 4, rows 5 and 6, seldom: two who don't understand each other must not go on for ever. */
static void not_understood(MawPlayer *player, const MawStanza *stanza, const MawRefusal *why,
                           TimeUs now)
{
    MawMessage message = maw_message(MAW_ERROR);

    if (now < player->not_understood_at || !player->known.linked)
        return;
    player->not_understood_at = now + NOT_UNDERSTOOD_EVERY;
    message.code = str_of(why->code);
    message.message = str_of(why->text);
    player_send(player, stanza->from, &message, ACT_NOT_UNDERSTOOD, stanza->reply_with, NULL);
}

static bool is_refusal(MawAct act)
{
    return act == ACT_REFUSE || act == ACT_FAILURE || act == ACT_NOT_UNDERSTOOD;
}

static void hear_session_end(MawPlayer *player, const MawMessage *message, TimeUs now)
{
    Str why = message->message.len ? message->message : message->reason;

    player_over(player, (Str){0}, why, now);
}

static void hear_whisper(MawPlayer *player, const MawMessage *message, TimeUs now)
{
    player_tell(player, NEWS_WHISPER, (Str){0}, player_name_of(player, message->from),
                message->message, now);
}

static void hear_role_answer(MawPlayer *player, const MawMessage *message, TimeUs now)
{
    MawKnownPlayer *person = player_find(player, message->target);

    if (person)
        player_set_role(player, person, message->role);
    player_tell(player, NEWS_ROLE_ANSWER, (Str){0}, player_name_of(player, message->target),
                message->role, now);
}

static void hear_time_warning(MawPlayer *player, const MawMessage *message, TimeUs now)
{
    if (message->seconds != MAW_ABSENT && message->seconds >= 0 && player->known.phase_no)
        player->known.phase_ends = now + message->seconds * SECOND;
    if (message->message.len)
        player_tell(player, NEWS_SYSTEM, (Str){0}, (Str){0}, message->message, now);
}

/* What only the game master says. */
static bool hear_master(MawPlayer *player, const MawStanza *stanza, const MawMessage *message,
                        TimeUs now)
{
    MawType type = message->type;

    if (type == MAW_JOIN_CONFIRMED)
        player_hear_join_confirmed(player, stanza, message, now);
    else if (type == MAW_VOTE_ACCEPTED)
        player_hear_accepted(player, message, now);
    else if (type == MAW_SCORES)
        player_hear_scores(player, message, now);
    else if (type == MAW_SESSION_END)
        hear_session_end(player, message, now);
    else if (type == MAW_WHISPER)
        hear_whisper(player, message, now);
    else if (type == MAW_ROLE_ANSWER)
        hear_role_answer(player, message, now);
    else if (type == MAW_TIME_WARNING)
        hear_time_warning(player, message, now);
    else
        return false;
    return true;
}

static bool is_of_a_round(MawType type)
{
    return type == MAW_START_GAME || type == MAW_ASSIGN_ROLE || type == MAW_PHASE_CHANGE ||
           type == MAW_VOTE_RESULT || type == MAW_END_GAME || type == MAW_KILL;
}

static void pass_on(const MawPlayer *player, PlayerRoomNo room, const MawStanza *stanza,
                    const MawMessage *message, TimeUs now)
{
    MawType type = message->type == MAW_ERROR
                       ? player_refused_type(player, room, message, stanza->in_reply_to)
                       : message->type;
    bool empty = type == MAW_NEW_MESSAGES && message->line_count == 0;

    if (player->out.heard && !empty)
        player->out.heard(player->out.user, stanza, type, now);
}

static void hear_stanza(MawPlayer *player, bool master, PlayerRoomNo room, const MawStanza *stanza,
                        const MawMessage *message, TimeUs now)
{
    pass_on(player, room, stanza, message, now);
    if (message->type == MAW_ERROR)
        player_hear_refusal(player, room, message, stanza->in_reply_to, now);
    else if (room != ROOM_NONE && message->type == MAW_NEW_MESSAGES)
        player_hear_lines(player, room, stanza, message, now);
    else if (room != ROOM_NONE && message->type == MAW_SCORES)
        player_hear_scores(player, message, now);
    else if (message->type == MAW_ANNOUNCE_OPEN || (master && is_of_a_round(message->type)))
        player_hear_round(player, stanza, room, message, now);
    else if (master)
        hear_master(player, stanza, message, now);
}

/* Which room speaks: a known address, or, for who announces one, a believable one. */
static PlayerRoomNo room_that_speaks(const MawPlayer *player, const MawStanza *stanza,
                                     const MawMessage *message)
{
    PlayerRoomNo room = player_room_of(player, stanza->from);

    if (room != ROOM_NONE || message->type != MAW_ANNOUNCE_OPEN)
        return room;
    room = player_room_of_name(message->room_name);
    if (room != ROOM_NONE && player_room_believable(player, room, stanza->from))
        return room;
    return ROOM_NONE;
}

void maw_player_receive(MawPlayer *player, const MawStanza *stanza, TimeUs now)
{
    bool master = from_master(player, stanza);
    const MawMessage *message;
    MawRefusal why = {.act = ACT_NOT_UNDERSTOOD, .code = "bad-json"};

    if (player->known.state == PLAYER_OVER || stanza->type == STANZA_OTHER)
        return;
    if (stanza->type == STANZA_ERROR) {
        hear_bounce(player, master, now);
        return;
    }
    if (!stanza->has_body)
        return;
    bool read = maw_reader_read(player->reader, stanza->body, &message, &why);
    PlayerRoomNo room = room_that_speaks(player, stanza, message);

    if (master)
        player->absent_told = false;
    if (!master && room == ROOM_NONE)
        return;
    if (is_refusal(stanza->act)) /* whatever its type: a reply may have kept ours */
        player_hear_refusal(player, room, message, stanza->in_reply_to, now);
    else if (!read)
        not_understood(player, stanza, &why, now);
    else
        hear_stanza(player, master, room, stanza, message, now);
}
