#include "wire/maw_message_table.h"

#include "base/suggest.h"

#include <assert.h>

#define FIELD(key, kind, member)                                                                   \
    {                                                                                              \
        key, kind, false, offsetof(MawMessage, member), 0                                          \
    }
#define NEEDED(key, kind, member)                                                                  \
    {                                                                                              \
        key, kind, true, offsetof(MawMessage, member), 0                                           \
    }
#define BOOL_WITH(key, member, number)                                                             \
    {                                                                                              \
        key, KIND_BOOL, false, offsetof(MawMessage, member), offsetof(MawMessage, number)          \
    }

/* To add a message: a MawType, a row here, its fields in the order in which they are to be written,
 * an example in docs/maw.md. A field of a new kind also needs a case in maw_message_read.c and
 * maw_message_write.c. Needed is what the document has, and what a message makes no sense without.
 */
static const MawTypeRow rows[MAW_TYPE_COUNT] = {
    [MAW_JOIN_LOBBY] = {"join_lobby",
                        ACT_REQUEST,
                        false,
                        {NEEDED("player_name", KIND_TEXT, player_name),
                         FIELD("client", KIND_TEXT, client)}},
    [MAW_GET_INPUT] = {"get_input",
                       ACT_REQUEST,
                       false,
                       {FIELD("completions", KIND_OBJECT, completions),
                        FIELD("purpose", KIND_TEXT, purpose), FIELD("targets", KIND_TEXTS, list),
                        FIELD("phase", KIND_TEXT, phase), FIELD("seconds", KIND_SECONDS, seconds),
                        FIELD("deadline", KIND_TEXT, deadline)}},
    [MAW_NAME] = {"name", ACT_INFORM, false, {NEEDED("name", KIND_TEXT, player_name)}},
    [MAW_VOTE] = {"vote",
                  ACT_REQUEST,
                  false,
                  {NEEDED("target", KIND_TARGET, target), FIELD("reason", KIND_TEXT, reason)}},
    [MAW_CHAT] = {"chat", ACT_REQUEST, false, {NEEDED("message", KIND_TEXT, message)}},
    [MAW_LISTEN] = {"listen", ACT_INFORM, false, {{0}}},
    [MAW_START_GAME] = {"start_game",
                        ACT_INFORM,
                        true,
                        {NEEDED("total_players", KIND_NUMBER, total_players),
                         FIELD("round", KIND_NUMBER, round), FIELD("rounds", KIND_NUMBER, rounds),
                         FIELD("wolves", KIND_NUMBER, wolves),
                         FIELD("players", KIND_PEOPLE, players)}},
    [MAW_ASSIGN_ROLE] = {"assign_role",
                         ACT_INFORM,
                         true,
                         {NEEDED("role", KIND_TEXT, role), FIELD("teammates", KIND_TEXTS, list)}},
    [MAW_PHASE_CHANGE] = {"phase_change",
                          ACT_INFORM,
                          true,
                          {NEEDED("new_phase", KIND_TEXT, new_phase),
                           FIELD("day", KIND_NUMBER, day), FIELD("phase_no", KIND_NUMBER, phase_no),
                           FIELD("seconds", KIND_SECONDS, seconds),
                           FIELD("deadline", KIND_TEXT, deadline), FIELD("room", KIND_TEXT, room),
                           FIELD("paused", KIND_TRUE, paused)}},
    [MAW_VOTE_RESULT] = {"vote_result",
                         ACT_INFORM,
                         true,
                         {NEEDED("target", KIND_TARGET, target),
                          NEEDED("status", KIND_TEXT, status), FIELD("name", KIND_TEXT, name),
                          FIELD("phase", KIND_TEXT, phase), FIELD("votes", KIND_PAIRS, pairs)}},
    [MAW_END_GAME] = {"end_game",
                      ACT_INFORM,
                      true,
                      {NEEDED("winning_team", KIND_TEXT, winning_team),
                       FIELD("roles", KIND_PAIRS, pairs), FIELD("scores", KIND_SCORES, scores),
                       FIELD("days", KIND_NUMBER, days), FIELD("round", KIND_NUMBER, round),
                       BOOL_WITH("last", last, round)}},
    [MAW_ANNOUNCE_OPEN] = {"announce_open",
                           ACT_INFORM,
                           true,
                           {NEEDED("room_name", KIND_TEXT, room_name),
                            NEEDED("players", KIND_JIDS, players), FIELD("room", KIND_TEXT, room),
                            FIELD("index", KIND_NUMBER, index),
                            FIELD("seconds", KIND_SECONDS, seconds),
                            FIELD("targets", KIND_TEXTS, list),
                            FIELD("names", KIND_THEIR_NAMES, players)}},
    [MAW_NEW_MESSAGES] = {"new_messages",
                          ACT_INFORM,
                          true,
                          {NEEDED("messages", KIND_MESSAGES, lines),
                           FIELD("first", KIND_NUMBER, first), FIELD("next", KIND_NUMBER, next),
                           FIELD("entries", KIND_ENTRIES, lines), BOOL_WITH("open", open, next)}},
    [MAW_JOIN_CONFIRMED] = {"join_confirmed",
                            ACT_INFORM,
                            true,
                            {FIELD("player_name", KIND_TEXT, player_name),
                             FIELD("players", KIND_NAMES, players),
                             FIELD("total_players", KIND_NUMBER, total_players),
                             FIELD("rooms", KIND_ROOMS, lobby)}},
    [MAW_GET_NEW_MESSAGES] = {"get_new_messages",
                              ACT_QUERY_REF,
                              false,
                              {FIELD("index", KIND_NUMBER, index)}},
    [MAW_KILL] = {"kill", ACT_INFORM, true, {FIELD("cause", KIND_TEXT, cause)}},
    [MAW_VOTE_ACCEPTED] = {"vote_accepted",
                           ACT_AGREE,
                           true,
                           {FIELD("target", KIND_TARGET, target),
                            FIELD("previous", KIND_TEXT, previous)}},
    [MAW_SHOW_SCORE] = {"show_score", ACT_QUERY_REF, false, {{0}}},
    [MAW_SCORES] = {"scores",
                    ACT_INFORM,
                    true,
                    {FIELD("round", KIND_NUMBER, round), NEEDED("scores", KIND_SCORES, scores)}},
    [MAW_ERROR] = {"error",
                   ACT_REFUSE,
                   false,
                   {FIELD("of", KIND_OF, of), FIELD("code", KIND_TEXT, code),
                    FIELD("text", KIND_TEXT, message), FIELD("allowed", KIND_TEXTS, list)}},
    [MAW_OPEN_ROOM] = {"open_room",
                       ACT_REQUEST,
                       true,
                       {FIELD("room_name", KIND_TEXT, room_name),
                        NEEDED("players", KIND_JIDS, players), FIELD("round", KIND_NUMBER, round),
                        FIELD("phase_no", KIND_NUMBER, phase_no)}},
    [MAW_CLOSE_ROOM] = {"close_room",
                        ACT_REQUEST,
                        true,
                        {FIELD("room_name", KIND_TEXT, room_name)}},
    [MAW_ROOM_OPENED] = {"room_opened",
                         ACT_INFORM,
                         true,
                         {FIELD("room_name", KIND_TEXT, room_name),
                          FIELD("index", KIND_NUMBER, index)}},
    [MAW_ROOM_CLOSED] = {"room_closed",
                         ACT_INFORM,
                         true,
                         {FIELD("room_name", KIND_TEXT, room_name),
                          FIELD("index", KIND_NUMBER, index)}},
    [MAW_SUBSCRIBE] = {"subscribe", ACT_REQUEST, false, {FIELD("index", KIND_NUMBER, index)}},
    [MAW_UNSUBSCRIBE] = {"unsubscribe", ACT_REQUEST, false, {{0}}},
    [MAW_LEAVE] = {"leave", ACT_REQUEST, false, {{0}}},
    [MAW_WHISPER] = {"whisper",
                     ACT_REQUEST,
                     false,
                     {FIELD("to", KIND_TEXT, to), FIELD("from", KIND_TEXT, from),
                      NEEDED("text", KIND_TEXT, message)}},
    [MAW_QUERY_ROLE] = {"query_role", ACT_QUERY_REF, false, {NEEDED("target", KIND_TEXT, target)}},
    [MAW_ROLE_ANSWER] = {"role_answer",
                         ACT_INFORM,
                         true,
                         {NEEDED("target", KIND_TEXT, target), NEEDED("role", KIND_TEXT, role)}},
    [MAW_OBSERVE] = {"observe",
                     ACT_REQUEST,
                     false,
                     {FIELD("player_name", KIND_TEXT, player_name),
                      FIELD("client", KIND_TEXT, client)}},
    [MAW_SESSION_END] = {"session_end",
                         ACT_INFORM,
                         true,
                         {FIELD("text", KIND_TEXT, message), FIELD("round", KIND_NUMBER, round),
                          FIELD("scores", KIND_SCORES, scores)}},
    [MAW_TIME_WARNING] = {"time_warning",
                          ACT_INFORM,
                          true,
                          {FIELD("text", KIND_TEXT, message),
                           FIELD("seconds", KIND_SECONDS, seconds),
                           FIELD("phase_no", KIND_NUMBER, phase_no),
                           FIELD("deadline", KIND_TEXT, deadline)}},
    [MAW_TOLD] = {"told",
                  ACT_INFORM,
                  false,
                  {NEEDED("index", KIND_NUMBER, index), FIELD("first", KIND_NUMBER, first),
                   NEEDED("from", KIND_TEXT, from), FIELD("act", KIND_TEXT, act),
                   FIELD("thread", KIND_TEXT, thread), FIELD("ago", KIND_SECONDS, seconds),
                   NEEDED("body", KIND_OBJECT, completions)}},
};

/* The document's other names (C1 to C3). `player_action` (C4) is no type but a family. */
static const struct {
    const char *name;
    MawType type;
} variants[] = {
    {"join_game", MAW_JOIN_LOBBY},
    {"get_action", MAW_GET_INPUT},
    {"start_round", MAW_START_GAME},
    {"end_round", MAW_END_GAME},
};

void maw_message_begin(MawMessage *message, MawType type)
{
    memset(message, 0, offsetof(MawMessage, players));
    message->type = type;
    message->total_players = message->round = message->rounds = message->wolves = MAW_ABSENT;
    message->day = message->days = message->phase_no = message->seconds = MAW_ABSENT;
    message->index = message->first = message->next = MAW_ABSENT;
}

MawMessage maw_message(MawType type)
{
    MawMessage message;

    maw_message_begin(&message, type);
    return message;
}

const MawTypeRow *maw_type_row(MawType type)
{
    assert(type > MAW_NO_TYPE && type < MAW_TYPE_COUNT);
    return &rows[type];
}

const char *maw_type_name(MawType type)
{
    return type > MAW_NO_TYPE && type < MAW_TYPE_COUNT ? rows[type].name : "";
}

MawAct maw_type_act(MawType type)
{
    return type > MAW_NO_TYPE && type < MAW_TYPE_COUNT ? rows[type].act : ACT_NONE;
}

bool maw_type_is_masters(MawType type)
{
    return type > MAW_NO_TYPE && type < MAW_TYPE_COUNT && rows[type].masters;
}

MawType maw_type_of(Str name)
{
    for (unsigned type = MAW_NO_TYPE + 1; type < MAW_TYPE_COUNT; type++)
        if (str_eq(name, str_of(rows[type].name)))
            return (MawType)type;
    for (size_t i = 0; i < sizeof(variants) / sizeof(*variants); i++)
        if (str_eq(name, str_of(variants[i].name)))
            return variants[i].type;
    return MAW_NO_TYPE;
}

Str maw_type_like(Str name)
{
    Suggest suggest = {.word = name};

    for (unsigned type = MAW_NO_TYPE + 1; type < MAW_TYPE_COUNT; type++)
        suggest_offer(&suggest, str_of(rows[type].name));
    return suggest_best(&suggest);
}
