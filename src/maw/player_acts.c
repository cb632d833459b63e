#include "maw/player_own.h"

/* ---- sending ---- */

/* The questions and acts of a player, and the letter with which their tokens begin. */
static const struct {
    MawType type;
    char letter;
} tokens[] = {
    {MAW_JOIN_LOBBY, 'j'}, {MAW_VOTE, 'v'},       {MAW_CHAT, 'c'},
    {MAW_WHISPER, 'w'},    {MAW_QUERY_ROLE, 'q'}, {MAW_GET_NEW_MESSAGES, 'l'},
    {MAW_SUBSCRIBE, 's'},  {MAW_LEAVE, 'b'},      {MAW_SHOW_SCORE, 'p'},
};
#define TOKENS (sizeof(tokens) / sizeof(tokens[0]))

static char letter_of(MawType type)
{
    for (size_t i = 0; i < TOKENS; i++)
        if (tokens[i].type == type)
            return tokens[i].letter;
    return 'm';
}

MawType player_question(const MawPlayer *player, Str in_reply_to)
{
    char middle[WORD_BYTES];
    int len = snprintf(middle, sizeof(middle), "%llx-", (unsigned long long)player->nonce);

    if (in_reply_to.len < 2 || len <= 0 ||
        !str_starts(str_part(in_reply_to, 1, SIZE_MAX), str_of(middle)))
        return MAW_NO_TYPE;
    for (size_t i = 0; i < TOKENS; i++)
        if (tokens[i].letter == in_reply_to.bytes[0])
            return tokens[i].type;
    return MAW_NO_TYPE;
}

void player_send(MawPlayer *player, Str to, const MawMessage *message, MawAct act, Str in_reply_to,
                 char *ret_token)
{
    CLEANUP(buf_done) Buf body = {0};
    char token[WORD_BYTES];

    maw_message_write(message, &body);
    if (buf_failed(&body) || !player->out.send)
        return;
    snprintf(token, sizeof(token), "%c%llx-%u", letter_of(message->type),
             (unsigned long long)player->nonce, ++player->sent);
    bool asks = act == ACT_REQUEST || act == ACT_QUERY_REF;
    MawStanza stanza = {
        .from = str_of(player->jid),
        .to = to,
        .id = str_of(token),
        .type = STANZA_CHAT,
        .act = act,
        .reply_with = asks ? str_of(token) : (Str){0},
        .in_reply_to = in_reply_to,
        /* Outside a round, and to join, there is none that could not be stale. */
        .thread =
            player->in_round && message->type != MAW_JOIN_LOBBY ? str_of(player->thread) : (Str){0},
        .has_body = true,
        .body = buf_str(&body),
    };
    player->out.send(player->out.user, &stanza);
    if (ret_token)
        player_keep(ret_token, WORD_BYTES, str_of(token));
}

static void send_master(MawPlayer *player, const MawMessage *message)
{
    player_send(player, str_of(player->master), message, maw_type_act(message->type), (Str){0},
                NULL);
}

/* ---- acts ---- */

static bool may_act(const MawPlayer *player)
{
    return player->known.state == PLAYER_AWAKE && player->known.room_open && player->known.alive &&
           player->known.linked;
}

bool maw_player_say(MawPlayer *player, Str text, TimeUs now)
{
    MawMessage message = maw_message(MAW_CHAT);

    (void)now;
    bool dead = player->known.graveyard && player->known.linked;
    bool waits = player->known.state == PLAYER_LOBBY && player->known.linked;

    if ((!may_act(player) && !dead && !waits) || str_trim(text).len == 0)
        return false;
    message.message = text;
    PlayerRoomNo room = dead ? ROOM_GRAVEYARD : waits ? ROOM_LOBBY : player_room_now(player);
    player_send(player, player_room_jid(player, room), &message, ACT_REQUEST, (Str){0}, NULL);
    return true;
}

static bool is_target(const MawPlayer *player, const MawKnownPlayer *person)
{
    if (!person->alive || player_is_me(player, person->jid) ||
        (person->jid.len == 0 && player_is_me(player, person->name)))
        return false;
    return !(player->known.night && person->mate);
}

uint32_t maw_player_targets(const MawPlayer *player, Str *ret)
{
    uint32_t count = 0;

    if (!may_act(player))
        return 0;
    for (uint32_t i = 0; i < player->known.player_count; i++)
        if (is_target(player, &player->people[i]))
            ret[count++] = player->people[i].name;
    return count;
}

/* The JID where it is known, as the document has it, else the name (section 4, row 18). */
static Str address_of(MawPlayer *player, Str name)
{
    const MawKnownPlayer *person = player_find(player, name);

    if (!person)
        return name;
    return person->jid.len ? person->jid : person->name;
}

bool maw_player_vote(MawPlayer *player, Str name, Str reason, TimeUs now)
{
    MawMessage message = maw_message(MAW_VOTE);

    (void)now;
    if (!may_act(player))
        return false;
    message.target = address_of(player, name);
    message.target_null = name.len == 0;
    message.reason = reason;
    /* Taken as accepted until the answer: an agent that forgets it is no reason to vote again. */
    player_keep(player->vote_before, sizeof(player->vote_before), str_of(player->my_vote));
    player_keep(player->my_vote, sizeof(player->my_vote),
                name.len ? player_name_of(player, name) : name);
    player->known.my_vote = str_of(player->my_vote);
    send_master(player, &message);
    return true;
}

bool maw_player_whisper(MawPlayer *player, Str name, Str text, TimeUs now)
{
    MawMessage message = maw_message(MAW_WHISPER);

    (void)now;
    if (!player->known.linked || !player->in_round || !player->known.alive ||
        str_trim(text).len == 0)
        return false;
    message.to = address_of(player, name);
    message.message = text;
    send_master(player, &message);
    return true;
}

bool maw_player_ask_role(MawPlayer *player, Str name, TimeUs now)
{
    MawMessage message = maw_message(MAW_QUERY_ROLE);

    (void)now;
    if (!player->known.linked || !player->in_round || !player->known.alive)
        return false;
    message.target = address_of(player, name);
    send_master(player, &message);
    return true;
}

bool maw_player_ask_scores(MawPlayer *player, TimeUs now)
{
    MawMessage message = maw_message(MAW_SHOW_SCORE);

    (void)now;
    if (!player->known.linked || player->known.state == PLAYER_OVER ||
        player->known.state == PLAYER_JOIN_LOBBY)
        return false;
    send_master(player, &message);
    return true;
}

void maw_player_leave(MawPlayer *player, TimeUs now)
{
    MawMessage message = maw_message(MAW_LEAVE);

    if (player->known.state == PLAYER_OVER)
        return;
    if (player->known.linked)
        send_master(player, &message);
    player_over(player, STR("left"), (Str){0}, now);
}

/* ---- what is thought of them ---- */

void player_hear_accepted(MawPlayer *player, const MawMessage *message, TimeUs now)
{
    bool null = message->target_null || message->target.len == 0;
    Str name = null ? (Str){0} : player_name_of(player, message->target);
    MawKnownPlayer *me = player_find(player, str_of(player->bare));

    (void)now;
    if (!player->in_round)
        return;
    player_keep(player->my_vote, sizeof(player->my_vote), name);
    player_keep(player->vote_before, sizeof(player->vote_before), name);
    player->known.my_vote = str_of(player->my_vote);
    if (me)
        player_set_vote(player, me, null ? NULL : player_find(player, name));
}

static void next_name(MawPlayer *player, Str code, Str text, TimeUs now)
{
    const char *next = player->other_names ? player->other_names[player->other_name] : NULL;

    while (next && !player_keep(player->me, sizeof(player->me), str_of(next)))
        next = player->other_names[++player->other_name];
    if (!next) {
        player_over(player, STR("name-taken"), text.len ? text : STR("No name is left to try."),
                    now);
        return;
    }
    if (player->other_name++ == 0) /* the first says what there is to know */
        player_tell(player, NEWS_REFUSED, (Str){0}, code, text, now);
    player->known.me = str_of(player->me);
    player->join_at = now;
}

static void join_refused(MawPlayer *player, const MawMessage *message, TimeUs now)
{
    Str code = message->code;

    if (player->known.state != PLAYER_JOIN_LOBBY || str_eq(code, STR("rate-limited")))
        return; /* a second join, of somebody who is in: what it was told stays */
    /* A game master of the document gives no codes: the name is what can be changed. */
    if (code.len == 0 || str_eq(code, STR("name-taken")) || str_eq(code, STR("bad-name")))
        next_name(player, code, message->message, now);
    else
        player_over(player, code, message->message.len ? message->message : code, now);
}

static void vote_refused(MawPlayer *player)
{
    player_keep(player->my_vote, sizeof(player->my_vote), str_of(player->vote_before));
    player->known.my_vote = str_of(player->my_vote);
}

MawType player_refused_type(const MawPlayer *player, PlayerRoomNo room, const MawMessage *message,
                            Str in_reply_to)
{
    for (MawType type = MAW_JOIN_LOBBY; type < MAW_TYPE_COUNT; type++)
        if (message->of.len && str_eq(message->of, str_of(maw_type_name(type))))
            return type;
    MawType type = player_question(player, in_reply_to);

    if (type == MAW_NO_TYPE && room != ROOM_NONE && player->rooms[room].asked)
        return MAW_GET_NEW_MESSAGES;
    if (type == MAW_NO_TYPE && player->joining && room == ROOM_NONE)
        return MAW_JOIN_LOBBY;
    return type;
}

/* Unasked: it was gone and is back. Who tries to join already goes on trying. */
static void called_to_join(MawPlayer *player, const MawMessage *message, TimeUs now)
{
    if (!player->joining)
        player_join(player, now);
    player_tell(player, NEWS_SYSTEM, (Str){0}, (Str){0}, message->message, now);
}

void player_hear_refusal(MawPlayer *player, PlayerRoomNo room, const MawMessage *message,
                         Str in_reply_to, TimeUs now)
{
    MawType type = player_refused_type(player, room, message, in_reply_to);

    if (str_eq(message->code, STR("replaced"))) {
        /* Unasked it may be meant for a client that was here before us. */
        if (player_question(player, in_reply_to) != MAW_NO_TYPE)
            player_over(player, STR("replaced"), message->message, now);
        return;
    }
    if (str_eq(message->code, STR("not-joined")) && message->of.len == 0 &&
        player_question(player, in_reply_to) == MAW_NO_TYPE) {
        called_to_join(player, message, now);
        return;
    }
    if (str_eq(message->code, STR("not-joined")) && type != MAW_JOIN_LOBBY)
        player_join(player, now); /* it has forgotten us */
    if (type == MAW_JOIN_LOBBY) {
        join_refused(player, message, now);
        return;
    }
    if (type == MAW_SUBSCRIBE)
        return; /* then we ask, as the document has it */
    if (type == MAW_GET_NEW_MESSAGES) {
        if (room != ROOM_NONE) {
            player->rooms[room].asked = false;
            player->rooms[room].refused = !str_eq(message->code, STR("rate-limited"));
        }
        return;
    }
    if (type == MAW_VOTE)
        vote_refused(player);
    player_tell(player, NEWS_REFUSED, (Str){0}, message->code, message->message, now);
}
