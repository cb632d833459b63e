#include "maw/player_own.h"
#include "maw/system_line.h"

#define ANSWER_US    (5 * SECOND) /* no answer for so long: asked again */
#define PUSHED_EVERY 15           /* polls that are left out while lines come unasked */
#define DEAD_EVERY   3
#define INDEX_MAX    ((int64_t)1 << 52)

/* ---- asking ---- */

void player_subscribe(MawPlayer *player, PlayerRoomNo room)
{
    MawMessage message = maw_message(MAW_SUBSCRIBE);

    message.index = player->rooms[room].next; /* what was said before comes along */
    player_send(player, player_room_jid(player, room), &message, ACT_REQUEST, (Str){0}, NULL);
}

void player_ask_lines(MawPlayer *player, PlayerRoomNo room, TimeUs now)
{
    PlayerRoom *there = &player->rooms[room];
    MawMessage message = maw_message(MAW_GET_NEW_MESSAGES);

    if (!player->known.linked || there->refused)
        return;
    message.index = there->next;
    there->asked = true;
    there->asked_index = there->next;
    there->ask_at = now + ANSWER_US;
    player_send(player, player_room_jid(player, room), &message, ACT_QUERY_REF, (Str){0},
                there->question);
}

/* The room to ask in this state; asleep and in the lobby there is none. */
static PlayerRoomNo room_to_ask(const MawPlayer *player)
{
    PlayerRoomNo room = player_room_now(player);
    bool awake = player->known.state == PLAYER_AWAKE && player->known.room_open;
    bool dead = player->known.state == PLAYER_DEAD && player->rooms[room].announced;

    if (room == ROOM_LOBBY || (!awake && !dead) || player->rooms[room].refused)
        return ROOM_NONE;
    return room;
}

TimeUs player_lines_deadline(const MawPlayer *player)
{
    PlayerRoomNo room = room_to_ask(player);

    return room == ROOM_NONE ? TIME_US_NEVER : player->rooms[room].ask_at;
}

void player_lines_tick(MawPlayer *player, TimeUs now)
{
    PlayerRoomNo room = room_to_ask(player);

    if (room != ROOM_NONE && now >= player->rooms[room].ask_at)
        player_ask_lines(player, room, now);
}

/* ---- lines ---- */

static bool is_system(const MawLine *line)
{
    return str_eq(line->kind, STR("system")) || line->name.len == 0 ||
           player_same_word(line->name, STR("System")) || player_same_word(line->name, STR("GM"));
}

/* Whether the news have said it already. What was missed on the way is told by the line alone. */
static bool is_told(MawPlayer *player, SystemLine line, const Str *arguments, bool old)
{
    const MawKnown *known = &player->known;
    const MawKnownPlayer *person = player_find(player, arguments[0]);
    bool mine = player_is_me(player, arguments[0]);

    switch (line) {
    case SYSTEM_NOBODY_EXECUTED:
        return player->result_told && player->result_name[0] == '\0';
    case SYSTEM_EXECUTED_AS:
    case SYSTEM_EXECUTED:
    case SYSTEM_MURDERED:
        return player->result_told && str_eq(arguments[0], str_of(player->result_name));
    case SYSTEM_VOTES_FOR_NOBODY: /* who votes again for the same is not told again */
        return mine || (person && person->votes_for.len == 0);
    case SYSTEM_VOTES_FOR:
        return mine || (person && str_eq(person->votes_for, arguments[1]));
    case SYSTEM_JOINED:
        return mine || (person && old); /* who was there was told */
    case SYSTEM_LEFT:                   /* who reads two rooms is told there too */
        return (mine && !known->alive) ||
               (person && !person->alive && str_eq(person->cause, STR("left")));
    case SYSTEM_WHISPERS:
        return mine || player_is_me(player, arguments[1]);
    case SYSTEM_NOBODY_WON:
    case SYSTEM_WON:
        return !player->in_round && known->winner.len > 0;
    case SYSTEM_POINTS:
        return player->scores_told;
    case SYSTEM_LEFT_LOBBY:
    case SYSTEM_WAITING:
    case SYSTEM_WAITING_BOTS:
    case SYSTEM_WAITING_END:
    case SYSTEM_WAS:
    case SYSTEM_TIE:
    case SYSTEM_SECONDS:
    case SYSTEM_OUT_OF_REACH:
    case SYSTEM_STOPPED:
    case SYSTEM_RESUMED:
    case SYSTEM_GOES_ON:
    case SYSTEM_EXTENDED:
    case SYSTEM_LINES:
        break;
    }
    return false;
}

/* What our game master's system lines say of votes and roles. Others' may say it otherwise: then
 * there is no tally, as in the document. */
static void learn_line(MawPlayer *player, PlayerRoomNo room, SystemLine line, const Str *arguments,
                       TimeUs now)
{
    MawKnownPlayer *person = player_find(player, arguments[0]);
    const MawKnownPlayer *whom = NULL;

    if (!person)
        return;
    if (line == SYSTEM_EXECUTED_AS || line == SYSTEM_WAS)
        player_set_role(player, person, arguments[1]);
    if (line == SYSTEM_LEFT && player->in_round)
        player_set_dead(player, person, STR("left"));
    if ((line != SYSTEM_VOTES_FOR && line != SYSTEM_VOTES_FOR_NOBODY) ||
        room != player_room_now(player))
        return;
    if (line == SYSTEM_VOTES_FOR && !(whom = player_find(player, arguments[1])))
        return;
    player_set_vote(player, person, whom);
    player_tell(player, NEWS_TALLY, (Str){0}, person->name, whom ? whom->name : (Str){0}, now);
}

static void hear_system(MawPlayer *player, PlayerRoomNo room, MawNews *news, bool old, TimeUs now)
{
    Str arguments[SYSTEM_ARGUMENTS] = {{0}};
    SystemLine line = SYSTEM_LINES;
    bool known = system_line_read(news->text, &line, arguments);

    news->kind = NEWS_SYSTEM;
    news->told = known && is_told(player, line, arguments, old);
    if (player->out.news)
        player->out.news(player->out.user, news, now);
    if (known)
        learn_line(player, room, line, arguments, now);
}

/* `old`: it was said before we came. */
static void hear_line(MawPlayer *player, PlayerRoomNo room, const MawLine *line, bool old,
                      TimeUs now)
{
    static const char *const shown[ROOM_COUNT] = {"Lobby", "Village", "Hideout", "Graveyard"};
    MawKnownPlayer *speaker = player_find(player, line->from);
    MawNews news = {.kind = NEWS_LINE, .room = str_of(shown[room]), .text = line->text};

    if (is_system(line)) {
        hear_system(player, room, &news, old, now);
        return;
    }
    if (!speaker)
        speaker = player_find(player, line->name);
    /* A game master that tells no names: who speaks is there. Where JIDs were told, the list is
     * complete, and a name alone would be somebody twice. */
    if (!speaker && !player->people_have_jids && player->in_round)
        speaker = player_meet(player, (Str){0}, line->name);
    if (speaker)
        speaker->lines++;
    news.name = line->name;
    news.mine =
        line->from.len ? player_is_me(player, line->from) : player_is_me(player, line->name);
    if (player->out.news)
        player->out.news(player->out.user, &news, now);
}

/* The index of the first line: told, or that of the question, or the next one. */
static int64_t first_index(const PlayerRoom *room, const MawMessage *message, bool answer)
{
    if (message->first != MAW_ABSENT)
        return message->first;
    return answer ? room->asked_index : room->next;
}

static bool is_answer(const PlayerRoom *room, const MawStanza *stanza)
{
    if (!room->asked)
        return false;
    return stanza->in_reply_to.len == 0 || str_eq(stanza->in_reply_to, str_of(room->question));
}

static TimeUs pause_of(const MawPlayer *player, const PlayerRoom *room)
{
    int64_t times = room->pushed ? PUSHED_EVERY : player->known.alive ? 1 : DEAD_EVERY;

    return player->poll_us * times;
}

void player_hear_lines(MawPlayer *player, PlayerRoomNo number, const MawStanza *stanza,
                       const MawMessage *message, TimeUs now)
{
    PlayerRoom *room = &player->rooms[number];
    bool answer = is_answer(room, stanza);
    int64_t first = first_index(room, message, answer);
    bool late = !answer && player_question(player, stanza->in_reply_to) == MAW_GET_NEW_MESSAGES;

    if (first < 0 || first > INDEX_MAX)
        return;
    if (late && message->first == MAW_ABSENT)
        return; /* to an older question, which was asked again: nobody knows where it begins */
    if (answer)
        room->asked = false;
    else if (!late && message->line_count)
        room->pushed = true;
    if (!answer && !late && first > room->next) {
        if (!room->asked) /* some were lost on the way: asked for, with these */
            player_ask_lines(player, number, now);
        return;
    }
    if (first > room->next)
        room->next = first; /* those before it are gone for good, or not for us */
    room->ask_at = now + pause_of(player, room);
    for (uint32_t i = 0; i < message->line_count; i++) {
        if (first + (int64_t)i < room->next)
            continue; /* known */
        room->next = first + (int64_t)i + 1;
        hear_line(player, number, &message->lines[i], room->next <= room->opened, now);
    }
}
