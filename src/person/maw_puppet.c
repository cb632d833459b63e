#include "person/maw_puppet.h"

#include "base/mem.h"

#define FOR_EVER  ((TimeUs)365 * 24 * 3600 * 1000 * 1000) /* it joins and asks by somebody else */
#define KEPT_MAX  16
#define ROOMS_MAX 4
#define TOKEN     64
#define JID       256

/* The last time that it wanted the lines of a room: what is told next is the answer. */
typedef struct Wanted {
    char room[JID];
    char token[TOKEN];
} Wanted;

struct MawPuppet {
    MawPuppetSetup setup;
    MawPlayer *player;
    Wanted wanted[ROOMS_MAX];
    uint32_t wants;     /* how often it has */
    Buf kept[KEPT_MAX]; /* bodies of acts, the first is next */
    uint32_t kept_count;
};

/* ---- acts ---- */

static void forget_acts(MawPuppet *puppet)
{
    while (puppet->kept_count)
        buf_done(&puppet->kept[--puppet->kept_count]);
}

bool maw_puppet_answer(MawPuppet *puppet)
{
    MawMessage message;
    MawRefusal why;

    if (!puppet->kept_count || !maw_interface_is_open(puppet->setup.interface))
        return false;
    Buf body = puppet->kept[0];
    puppet->kept_count--;
    memmove(puppet->kept, puppet->kept + 1, puppet->kept_count * sizeof(body));
    bool read = maw_message_read(buf_str(&body), &message, &why);
    if (read)
        maw_interface_answer(puppet->setup.interface, &message);
    maw_message_done(&message);
    buf_done(&body);
    return read;
}

static void keep_act(MawPuppet *puppet, Str body)
{
    Buf *kept = &puppet->kept[puppet->kept_count];

    if (puppet->kept_count == KEPT_MAX)
        return; /* nobody asks: who types on and on is not heard */
    *kept = (Buf){0};
    buf_add(kept, body);
    puppet->kept_count += !buf_failed(kept);
}

static void keep_wish(MawPuppet *puppet, const MawStanza *stanza)
{
    Wanted *wanted = &puppet->wanted[0];

    for (uint32_t i = 0; i < ROOMS_MAX; i++) {
        wanted = &puppet->wanted[i];
        if (!wanted->room[0] || str_eq(str_of(wanted->room), stanza->to))
            break;
    }
    snprintf(wanted->room, JID, "%.*s", STR_ARG(str_part(stanza->to, 0, JID - 1)));
    snprintf(wanted->token, TOKEN, "%.*s", STR_ARG(str_part(stanza->reply_with, 0, TOKEN - 1)));
    puppet->wants++;
}

/* What a player sends by itself somebody else sends. */
static void on_send(void *user, const MawStanza *stanza)
{
    MawPuppet *puppet = user;
    MawMessage message;
    MawRefusal why;

    if (!maw_message_read(stanza->body, &message, &why))
        return;
    if (message.type == MAW_GET_NEW_MESSAGES)
        keep_wish(puppet, stanza);
    else if (message.type == MAW_CHAT || message.type == MAW_VOTE || message.type == MAW_WHISPER ||
             message.type == MAW_QUERY_ROLE || message.type == MAW_SHOW_SCORE)
        keep_act(puppet, stanza->body);
    maw_message_done(&message);
}

/* ---- what it was told ---- */

/* What was typed for one phase must not be said in the next. */
static void on_news(void *user, const MawNews *news, TimeUs now)
{
    MawPuppet *puppet = user;

    if (news->kind == NEWS_PHASE || news->kind == NEWS_DIED || news->kind == NEWS_ROUND_END)
        forget_acts(puppet);
    puppet->setup.news(puppet->setup.user, news, now);
}

static MawType type_of(const MawStanza *stanza)
{
    MawMessage message;
    MawRefusal why;
    bool read = maw_message_read(stanza->body, &message, &why);
    MawType type = read ? message.type : MAW_NO_TYPE;

    maw_message_done(&message);
    return type;
}

/* The game master is who says what only he does. */
static bool is_of_master(MawType type)
{
    return type == MAW_JOIN_CONFIRMED || type == MAW_START_GAME || type == MAW_ASSIGN_ROLE ||
           type == MAW_PHASE_CHANGE;
}

static void be_born(MawPuppet *puppet, const MawStanza *stanza, MawType type, TimeUs at, TimeUs now)
{
    Str jid = maw_interface_player(puppet->setup.interface);
    const MawPlayerSetup setup = {
        .jid = jid,
        .game_master = stanza->from,
        .name = jid_local(jid),
        .join_retry_us = FOR_EVER,
        .join_timeout_us = FOR_EVER,
        .poll_us = FOR_EVER,
        .out = {.send = on_send, .news = on_news, .user = puppet},
        .now = at,
    };

    if (is_of_master(type) && maw_player_new(&setup, &puppet->player, NULL) == 0)
        puppet->setup.born(puppet->setup.user, puppet->player, now);
}

static Str token_of(const MawPuppet *puppet, Str room)
{
    for (uint32_t i = 0; i < ROOMS_MAX; i++)
        if (str_eq(str_of(puppet->wanted[i].room), room))
            return str_of(puppet->wanted[i].token);
    return (Str){0};
}

void maw_puppet_told(MawPuppet *puppet, const MawStanza *stanza, TimeUs at, TimeUs now)
{
    MawStanza told = *stanza;
    MawType type = type_of(stanza);
    uint32_t wants = puppet->wants;

    if (!puppet->player)
        be_born(puppet, stanza, type, at, now);
    if (!puppet->player)
        return;
    if (type == MAW_NEW_MESSAGES)
        told.in_reply_to = token_of(puppet, stanza->from);
    maw_player_receive(puppet->player, &told, at);
    if (type == MAW_NEW_MESSAGES && puppet->wants != wants) {
        /* Lines are missing, and it wants them: they are gone, and it goes on with these. */
        told.in_reply_to = token_of(puppet, stanza->from);
        maw_player_receive(puppet->player, &told, at);
    }
}

/* ---- time ---- */

void maw_puppet_tick(MawPuppet *puppet, TimeUs now)
{
    if (puppet->player)
        maw_player_tick(puppet->player, now);
}

TimeUs maw_puppet_deadline(const MawPuppet *puppet)
{
    return puppet->player ? maw_player_deadline(puppet->player) : TIME_US_NEVER;
}

/* ---- life ---- */

int maw_puppet_new(const MawPuppetSetup *setup, MawPuppet **ret_puppet, Err *err)
{
    MawPuppet *puppet = mem_new(sizeof(*puppet));

    if (!puppet)
        return err_set(err, ERR_MEMORY, "a user's interface: out of memory");
    puppet->setup = *setup;
    *ret_puppet = puppet;
    return 0;
}

MawPuppet *maw_puppet_free(MawPuppet *puppet)
{
    if (!puppet)
        return NULL;
    forget_acts(puppet);
    maw_player_free(puppet->player);
    return mem_free(puppet);
}

MawPlayer *maw_puppet_player(const MawPuppet *puppet)
{
    return puppet->player;
}
