#include "person/maw_chats.h"

#include "base/utf8.h"
#include "person/maw_person.h"
#include "person/maw_words.h"
#include "terminal/clean.h"

#define CHATS_MAX    32
#define JID_ROOM     512
#define LINE_MAX     4096
#define LINE_EACH_US 500000 /* a person's lines: two a second ... */
#define LINES_DEBT   (20 * (TimeUs)LINE_EACH_US)
#define HELLO_EACH   1000000 /* answers to strangers, all together: one a second ... */
#define HELLO_DEBT   (10 * (TimeUs)HELLO_EACH)
#define LINGER_US    1000000 /* what is sent to who has left is heard by nobody */

/* A person at the table. */
typedef struct Chat {
    MawChats *chats; /* NULL: free */
    char jid[JID_ROOM];
    char self[JID_ROOM]; /* the address of ours that was written to */
    char last_id[32];    /* of the session's last message, for one that came back */
    MawPlayer *player;
    MawSeat *seat;
    Screen *screen;
    Buf text; /* to be sent */
    TimeUs lines_until;
    TimeUs gone_at; /* TIME_US_NEVER: at the table */
    bool away;
} Chat;

struct MawChats {
    MawChatsSetup setup;
    Chat chats[CHATS_MAX];
    Alarm alarm;
    TimeUs hello_until;
    uint64_t sent;
    Buf folded;
};

/* False: too much for now. */
static bool take_turn(TimeUs *until, TimeUs now, TimeUs each, TimeUs most)
{
    TimeUs from = *until > now ? *until : now;

    if (from + each > now + most)
        return false;
    *until = from + each;
    return true;
}

/* ---- out ---- */

static void send_words(MawChats *chats, Str from, Str to, Str body)
{
    char id[32];
    MawStanza stanza = {
        .from = from, .to = to, .type = STANZA_CHAT, .plain = true, .has_body = true, .body = body};

    snprintf(id, sizeof(id), "t%llu", (unsigned long long)chats->sent++);
    stanza.id = str_of(id);
    chats->setup.send(chats->setup.user, &stanza);
}

/* All that was told at once is one message. */
static void flush_chat(Chat *chat)
{
    if (chat->text.len && !chat->away)
        send_words(chat->chats, str_of(chat->self), str_of(chat->jid), buf_str(&chat->text));
    buf_clear(&chat->text);
}

static void on_told(void *user, Str line)
{
    Chat *chat = user;

    if (chat->text.len)
        buf_add_char(&chat->text, '\n');
    buf_add(&chat->text, line);
}

/* ---- the player ---- */

static void chat_free(Chat *chat)
{
    if (!chat->chats)
        return;
    maw_house_remove(maw_table_house(chat->chats->setup.table), str_of(chat->jid));
    maw_person_free(chat->seat);
    maw_player_free(chat->player);
    screen_free(chat->screen);
    buf_done(&chat->text);
    *chat = (Chat){0};
}

static TimeUs chat_deadline(const Chat *chat)
{
    TimeUs player, seat;

    if (chat->gone_at != TIME_US_NEVER)
        return chat->gone_at + LINGER_US;
    player = maw_player_deadline(chat->player);
    seat = maw_person_deadline(chat->seat);
    return player < seat ? player : seat;
}

static void set_alarm(MawChats *chats)
{
    TimeUs next = TIME_US_NEVER;

    for (unsigned i = 0; i < CHATS_MAX; i++)
        if (chats->chats[i].chats && chat_deadline(&chats->chats[i]) < next)
            next = chat_deadline(&chats->chats[i]);
    alarm_at(&chats->alarm, next, false);
}

static void on_alarm(void *user, TimeUs now)
{
    MawChats *chats = user;

    for (unsigned i = 0; i < CHATS_MAX; i++) {
        Chat *chat = &chats->chats[i];
        if (!chat->chats || now < chat_deadline(chat))
            continue;
        if (chat->gone_at != TIME_US_NEVER) {
            chat_free(chat);
            continue;
        }
        maw_player_tick(chat->player, now);
        maw_person_tick(chat->seat, now);
        flush_chat(chat);
    }
    set_alarm(chats);
    maw_table_stir(chats->setup.table);
}

static void on_send(void *user, const MawStanza *stanza)
{
    const Chat *chat = user;

    maw_house_post(maw_table_house(chat->chats->setup.table), stanza);
}

static void on_news(void *user, const MawNews *news, TimeUs now)
{
    Chat *chat = user;

    if (news->kind == NEWS_OVER)
        chat->gone_at = now;
    if (news->kind != NEWS_LINE || !news->mine) /* it stands in the person's own window */
        maw_person_news(chat->seat, news, now);
}

/* What the session says to the player. */
static void on_stanza(void *user, const MawStanza *stanza, TimeUs now)
{
    Chat *chat = user;

    if (chat->gone_at != TIME_US_NEVER)
        return;
    if (stanza->id.len && stanza->id.len < sizeof(chat->last_id))
        snprintf(chat->last_id, sizeof(chat->last_id), "%.*s", STR_ARG(stanza->id));
    maw_player_receive(chat->player, stanza, now);
    flush_chat(chat);
    set_alarm(chat->chats);
}

static int open_player(Chat *chat, Str name, TimeUs now)
{
    const MawChatsSetup *setup = &chat->chats->setup;
    char master[JID_ROOM];

    snprintf(master, sizeof(master), "gm@%.*s", STR_ARG(jid_domain(str_of(chat->self))));
    const ScreenSetup screen = {.plain = true, .told = on_told, .user = chat};
    int rc = screen_new(NULL, &screen, &chat->screen, NULL);
    if (rc == 0)
        rc = maw_person_new(
            &(MawPersonSetup){.screen = chat->screen, .language = setup->language, .user = chat},
            &chat->seat, NULL);
    if (rc == 0)
        rc = maw_player_new(
            &(MawPlayerSetup){.jid = str_of(chat->jid),
                              .game_master = str_of(master),
                              .name = name,
                              .client = STR("chat"),
                              .out = {.send = on_send, .news = on_news, .user = chat},
                              .now = now},
            &chat->player, NULL);
    if (rc == 0)
        rc = maw_house_add(maw_table_house(setup->table), str_of(chat->jid), on_stanza, chat, NULL);
    if (rc == 0)
        maw_person_take(chat->seat, chat->player, now);
    return rc;
}

/* ---- in ---- */

static Chat *find_chat(MawChats *chats, Str from)
{
    buf_clear(&chats->folded);
    jid_fold(from, &chats->folded);
    for (unsigned i = 0; i < CHATS_MAX; i++)
        if (chats->chats[i].chats && str_eq(buf_str(&chats->folded), str_of(chats->chats[i].jid)))
            return &chats->chats[i];
    return NULL;
}

static bool is_plain(const MawStanza *stanza)
{
    Str body = str_trim(stanza->body);

    return (stanza->type == STANZA_CHAT || stanza->type == STANZA_NORMAL) && stanza->has_body &&
           stanza->act == ACT_NONE && stanza->other_count == 0 && stanza->reply_with.len == 0 &&
           stanza->conversation_id.len == 0 && stanza->thread.len == 0 && body.len > 0 &&
           body.bytes[0] != '{' && body.bytes[0] != '[' && utf8_valid(body);
}

static void tell_stranger(MawChats *chats, const MawStanza *stanza, bool help, TimeUs now)
{
    CLEANUP(buf_done) Buf text = {0};
    PersonLanguage language = chats->setup.language;

    if (!take_turn(&chats->hello_until, now, HELLO_EACH, HELLO_DEBT))
        return;
    buf_add(&text, str_of(maw_word(MAW_CHAT_HELLO, language)));
    if (help)
        buf_printf(&text, "\n%s", maw_word(MAW_HELP, language));
    buf_clear(&chats->folded);
    jid_fold(stanza->from, &chats->folded);
    send_words(chats, jid_bare(stanza->to), buf_str(&chats->folded), buf_str(&text));
}

static void take_seat(MawChats *chats, const MawStanza *stanza, Str name, TimeUs now)
{
    Chat *chat = NULL;

    for (unsigned i = 0; i < CHATS_MAX && !chat; i++)
        if (!chats->chats[i].chats)
            chat = &chats->chats[i];
    buf_clear(&chats->folded);
    jid_fold(stanza->from, &chats->folded);
    if (!chat || chats->folded.len >= JID_ROOM || jid_bare(stanza->to).len >= JID_ROOM - 8) {
        tell_stranger(chats, stanza, false, now);
        return;
    }
    *chat = (Chat){.chats = chats, .gone_at = TIME_US_NEVER};
    snprintf(chat->jid, sizeof(chat->jid), "%s", buf_cstr(&chats->folded));
    snprintf(chat->self, sizeof(chat->self), "%.*s", STR_ARG(jid_bare(stanza->to)));
    if (open_player(chat, name.len ? name : jid_local(stanza->from), now)) {
        chat_free(chat);
        tell_stranger(chats, stanza, false, now);
        return;
    }
    maw_player_tick(chat->player, now);
}

static void hear_stranger(MawChats *chats, const MawStanza *stanza, Str line, TimeUs now)
{
    Str rest, word = person_first_word(line, &rest);

    if (str_eq(word, STR("/join")))
        take_seat(chats, stanza, rest, now);
    else
        tell_stranger(chats, stanza, str_eq(word, STR("/help")), now);
}

static void hear_player(Chat *chat, const MawStanza *stanza, Str line, TimeUs now)
{
    if (!take_turn(&chat->lines_until, now, LINE_EACH_US, LINES_DEBT))
        return;
    snprintf(chat->self, sizeof(chat->self), "%.*s", STR_ARG(jid_bare(stanza->to)));
    if (chat->away) {
        chat->away = false;
        maw_player_link(chat->player, true, now);
    }
    maw_person_entered(chat->seat, line, now);
    flush_chat(chat);
}

/* The person is not there; for the session it is the message of its own that came back. */
static void bounce_chat(Chat *chat, const MawStanza *stanza, TimeUs now)
{
    const MawChatsSetup *setup = &chat->chats->setup;

    if (chat->away || chat->gone_at != TIME_US_NEVER)
        return;
    chat->away = true;
    maw_house_post(maw_table_house(setup->table),
                   &(MawStanza){.from = str_of(chat->jid),
                                .to = jid_bare(stanza->to),
                                .id = str_of(chat->last_id),
                                .type = STANZA_ERROR,
                                .error_condition = stanza->error_condition});
    maw_player_link(chat->player, false, now);
    flush_chat(chat);
}

bool maw_chats_receive(MawChats *chats, const MawStanza *stanza, TimeUs now)
{
    CLEANUP(buf_done) Buf line = {0};

    if (!maw_session_is_address(maw_table_session(chats->setup.table), stanza->to) ||
        jid_local(stanza->from).len == 0)
        return false;
    Chat *chat = find_chat(chats, stanza->from);
    if (chat && chat->gone_at != TIME_US_NEVER) {
        chat_free(chat);
        chat = NULL;
    }
    if (chat && stanza->type == STANZA_ERROR) {
        bounce_chat(chat, stanza, now);
    } else if (!is_plain(stanza)) {
        if (chat && stanza->has_body && stanza->body.len)
            chat_free(chat); /* an agent of the account takes over */
        return false;
    } else {
        clean_line(str_part(str_trim(stanza->body), 0, LINE_MAX), &line);
        Str text = str_trim(buf_str(&line));
        if (text.len && chat)
            hear_player(chat, stanza, text, now);
        else if (text.len)
            hear_stranger(chats, stanza, text, now);
    }
    set_alarm(chats);
    maw_table_stir(chats->setup.table);
    return true;
}

/* ---- the object ---- */

int maw_chats_new(const MawChatsSetup *setup, MawChats **ret_chats, Err *err)
{
    MawChats *chats = mem_new(sizeof(*chats));

    if (!chats)
        return err_set(err, ERR_MEMORY, "chats: out of memory");
    chats->setup = *setup;
    alarm_init(&chats->alarm, setup->alarms, on_alarm, chats);
    *ret_chats = chats;
    return 0;
}

MawChats *maw_chats_free(MawChats *chats)
{
    if (!chats)
        return NULL;
    alarm_stop(&chats->alarm);
    for (unsigned i = 0; i < CHATS_MAX; i++)
        chat_free(&chats->chats[i]);
    buf_done(&chats->folded);
    return mem_free(chats);
}
