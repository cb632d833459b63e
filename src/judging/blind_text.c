#include "judging/blind_text.h"

static bool is_word_char(char c)
{
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool starts_folded(Str text, Str name)
{
    if (text.len < name.len)
        return false;
    for (size_t i = 0; i < name.len; i++)
        if (str_lower_char(text.bytes[i]) != str_lower_char(name.bytes[i]))
            return false;
    return true;
}

static bool is_same_folded(Str a, Str b)
{
    return a.len == b.len && starts_folded(a, b);
}

/* Words of the game that a team's name does not take from it. */
static bool is_game_word(const JudgeGame *game, Str name)
{
    for (SeatNo seat = 1; seat <= game->seat_count; seat++)
        if (is_same_folded(game->name[seat], name))
            return true;
    for (unsigned role = 0; role < ROLE_COUNT; role++)
        if (is_same_folded(str_of(role_name((Role)role)), name))
            return true;
    return is_same_folded(name, STR("Skip")) || is_same_folded(name, STR("Over"));
}

/* How long the name of a team is that stands at `at`, with its number; 0: none does. */
static size_t team_length(const JudgeGame *game, Str text, size_t at)
{
    Str rest = str_part(text, at, text.len);
    size_t longest = 0;

    for (SeatNo seat = 1; seat <= game->seat_count; seat++) {
        Str name = game->team[seat];
        if (name.len <= longest || !starts_folded(rest, name) || is_game_word(game, name))
            continue;
        size_t len = name.len;
        while (len < rest.len && rest.bytes[len] >= '0' && rest.bytes[len] <= '9')
            len++;
        bool word_before =
            at > 0 && is_word_char(text.bytes[at - 1]) && is_word_char(rest.bytes[0]);
        bool word_behind =
            len < rest.len && is_word_char(rest.bytes[len - 1]) && is_word_char(rest.bytes[len]);
        if (!word_before && !word_behind)
            longest = len;
    }
    return longest;
}

void blind_text(const JudgeGame *game, Str text, Buf *out)
{
    size_t from = 0;

    for (size_t at = 0; at < text.len;) {
        size_t len = team_length(game, text, at);
        if (len) {
            buf_add(out, str_part(text, from, at - from));
            buf_add(out, STR(BLIND_MARK));
            from = at + len;
        }
        at += len ? len : 1;
    }
    buf_add(out, str_part(text, from, text.len));
}
