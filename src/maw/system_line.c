#include "maw/system_line.h"

#include "game/role.h"

#define LANGUAGES 2

typedef enum Words {
    PLAIN_WORDS,
    ROLE_WORDS, /* the last argument is a role */
    TEAM_WORDS, /* ... a team */
} Words;

/* A line that another one begins and ends like stands behind that one. */
static const struct {
    uint32_t arguments;
    Words words;
    const char *texts[LANGUAGES];
} rows[SYSTEM_LINES] = {
    [SYSTEM_JOINED] = {3, 0, {"{0} has joined: {1} of {2}.", "{0} が参加しました ({1}/{2}人)。"}},
    [SYSTEM_LEFT_LOBBY] = {3, 0, {"{0} has left: {1} of {2}.", "{0} が去りました ({1}/{2}人)。"}},
    [SYSTEM_WAITING] = {2,
                        0,
                        {"Waiting for players: {0} of {1} seats free.",
                         "参加者を待っています (空席 {0}/{1})。"}},
    [SYSTEM_WAITING_BOTS] = {3,
                             0,
                             {"Waiting for players: {0} of {1} seats free, bots take them in {2} "
                              "seconds.",
                              "参加者を待っています (空席 {0}/{1})。{2} 秒後にボットが座ります。"}},
    [SYSTEM_WAITING_END] =
        {3,
         0,
         {"Waiting for players: {0} of {1} seats free, the session is given up "
          "in {2} seconds.",
          "参加者を待っています (空席 {0}/{1})。{2} 秒後にセッションを終えます。"}},
    [SYSTEM_NOBODY_EXECUTED] = {0, 0, {"Nobody was executed.", "誰も処刑されませんでした。"}},
    [SYSTEM_EXECUTED_AS] = {2,
                            ROLE_WORDS,
                            {"{0} was executed. Role: {1}.", "{0} が処刑されました。役職: {1}。"}},
    [SYSTEM_EXECUTED] = {1, 0, {"{0} was executed.", "{0} が処刑されました。"}},
    [SYSTEM_WAS] = {2,
                    ROLE_WORDS,
                    {"{0}, who was executed, was a {1}.", "処刑された {0} は {1} でした。"}},
    [SYSTEM_MURDERED] = {1,
                         0,
                         {"{0} was murdered during the night.", "夜の間に {0} が殺されました。"}},
    [SYSTEM_LEFT] = {1, 0, {"{0} has left the game.", "{0} がゲームから去りました。"}},
    [SYSTEM_TIE] = {1,
                    0,
                    {"It is a tie. Vote again, for one of these: {0}.",
                     "同数です。次の中からもう一度投票してください: {0}。"}},
    [SYSTEM_VOTES_FOR_NOBODY] = {1, 0, {"{0} votes for nobody.", "{0} が投票を取り消しました。"}},
    [SYSTEM_VOTES_FOR] = {2, 0, {"{0} votes for {1}.", "{0} が {1} に投票しました。"}},
    [SYSTEM_WHISPERS] = {2, 0, {"{0} whispers to {1}.", "{0} が {1} に囁きました。"}},
    [SYSTEM_SECONDS] = {1, 0, {"{0} seconds left.", "残り {0} 秒です。"}},
    [SYSTEM_OUT_OF_REACH] = {0,
                             0,
                             {"The game waits: some players are out of reach.",
                              "ゲームを止めています。つながらない人がいます。"}},
    [SYSTEM_STOPPED] = {0,
                        0,
                        {"The game waits: the operator has stopped the clocks.",
                         "ゲームを止めています。運営者が時計を止めました。"}},
    [SYSTEM_RESUMED] = {0,
                        0,
                        {"The game was cut off and is taken up again. It waits for its players.",
                         "中断したゲームを再開します。参加者が戻るのを待っています。"}},
    [SYSTEM_GOES_ON] = {0, 0, {"The game goes on.", "ゲームを再開します。"}},
    [SYSTEM_EXTENDED] = {1,
                         0,
                         {"The operator gives this phase more time: {0} seconds are left.",
                          "運営者が時間を延ばしました。残り {0} 秒です。"}},
    [SYSTEM_NOBODY_WON] = {2,
                           0,
                           {"Round {0} of {1} is over: nobody has won.",
                            "第{0}ラウンド (全{1}) 終了。勝者はありません。"}},
    [SYSTEM_WON] = {3,
                    TEAM_WORDS,
                    {"Round {0} of {1} is over: the {2} have won.",
                     "第{0}ラウンド (全{1}) 終了。{2}の勝ちです。"}},
    [SYSTEM_POINTS] = {1, 0, {"Points: {0}", "得点: {0}"}},
};

static const char *const teams[][LANGUAGES] = {{"Villagers", "村人"}, {"Werewolves", "人狼"}};
#define TEAMS (sizeof(teams) / sizeof(teams[0]))

/* ---- roles and teams ---- */

/* The same word in another language; what is none of ours stays as it is. */
static Str word_in(Words words, Str word, LlmLanguage from, LlmLanguage to)
{
    for (size_t i = 0; words == TEAM_WORDS && i < TEAMS; i++)
        if (str_eq(word, str_of(teams[i][from])))
            return str_of(teams[i][to]);
    for (int i = ROLE_NONE + 1; words == ROLE_WORDS && i < ROLE_COUNT; i++)
        if (str_eq(word, str_of(role_word((Role)i, from == LLM_JAPANESE))))
            return str_of(role_word((Role)i, to == LLM_JAPANESE));
    return word;
}

/* ---- writing ---- */

/* Cuts the text in front of the next argument off; -1: there is none. */
static int next_argument(Str *rest, Str *ret_before)
{
    for (size_t at = 0; at + 2 < rest->len; at++)
        if (rest->bytes[at] == '{' && rest->bytes[at + 2] == '}') {
            int argument = rest->bytes[at + 1] - '0';
            *ret_before = str_part(*rest, 0, at);
            *rest = str_part(*rest, at + 3, SIZE_MAX);
            return argument;
        }
    *ret_before = *rest;
    *rest = (Str){0};
    return -1;
}

void system_line_write(SystemLine line, LlmLanguage language, const Str arguments[SYSTEM_ARGUMENTS],
                       Buf *out)
{
    Str rest = str_of(rows[line].texts[language]), before;
    int argument;

    do {
        argument = next_argument(&rest, &before);
        buf_add(out, before);
        if (argument >= 0 && (uint32_t)argument + 1 == rows[line].arguments)
            buf_add(out, word_in(rows[line].words, arguments[argument], LLM_ENGLISH, language));
        else if (argument >= 0)
            buf_add(out, arguments[argument]);
    } while (argument >= 0);
}

/* ---- reading ---- */

static Str without_stop(Str text)
{
    Str stop = STR("。");

    if (text.len >= stop.len && str_eq(str_part(text, text.len - stop.len, stop.len), stop))
        return str_part(text, 0, text.len - stop.len);
    if (text.len && text.bytes[text.len - 1] == '.')
        text.len--;
    return text;
}

static bool ends_with(Str text, Str end)
{
    return text.len >= end.len && str_eq(str_part(text, text.len - end.len, end.len), end);
}

/* An argument is never empty. */
static bool row_matches(Str text, Str row, Str *arguments)
{
    Str before;
    int argument = next_argument(&row, &before), next;

    if (!str_starts(text, before))
        return false;
    text = str_part(text, before.len, SIZE_MAX);
    for (; argument >= 0; argument = next) {
        size_t len = text.len;
        next = next_argument(&row, &before);
        if (next >= 0 ? !str_find(text, before, &len) : !ends_with(text, before))
            return false;
        len -= next >= 0 ? 0 : before.len;
        if (len == 0)
            return false;
        arguments[argument] = str_part(text, 0, len);
        text = str_part(text, len + before.len, SIZE_MAX);
    }
    return text.len == 0;
}

bool system_line_read(Str text, SystemLine *ret_line, Str ret_arguments[SYSTEM_ARGUMENTS])
{
    text = without_stop(text);
    for (int line = 0; line < SYSTEM_LINES; line++)
        for (int language = 0; language < LANGUAGES; language++) {
            Str arguments[SYSTEM_ARGUMENTS] = {{0}};
            uint32_t count = rows[line].arguments;
            if (!row_matches(text, without_stop(str_of(rows[line].texts[language])), arguments))
                continue;
            if (count)
                arguments[count - 1] = word_in(rows[line].words, arguments[count - 1],
                                               (LlmLanguage)language, LLM_ENGLISH);
            *ret_line = (SystemLine)line;
            memcpy(ret_arguments, arguments, sizeof(arguments));
            return true;
        }
    return false;
}
