#include "judging/blind_text.h"

#include "base/utf8.h"
#include "judging/track_rates.h"

#define UNSEEN 0 /* in place of a letter */

/* ---- letters ---- */

/* Zero-width signs, and the soft hyphen. */
static bool is_unseen(uint32_t letter)
{
    return letter == 0xad || (letter >= 0x200b && letter <= 0x200f) ||
           (letter >= 0x2060 && letter <= 0x2064) || letter == 0xfeff;
}

static bool is_hyphen(uint32_t letter)
{
    return letter == '_' || (letter >= 0x2010 && letter <= 0x2015) || letter == 0x2212;
}

/* The next letter, of the forms that are read alike the same one; UNSEEN for one that nobody sees.
 */
static uint32_t next_letter(Str *rest)
{
    uint32_t letter = utf8_next(rest);

    if (letter >= 0xff01 && letter <= 0xff5e) /* of full width */
        letter -= 0xfee0;
    if (is_unseen(letter))
        return UNSEEN;
    if (is_hyphen(letter))
        return '-';
    return letter < 0x80 ? (uint32_t)(unsigned char)str_lower_char((char)letter) : letter;
}

static bool is_digit(uint32_t letter)
{
    return letter >= '0' && letter <= '9';
}

static bool is_word_letter(uint32_t letter)
{
    return is_digit(letter) || (letter >= 'a' && letter <= 'z');
}

static bool is_same_folded(Str a, Str b)
{
    while (a.len && b.len)
        if (next_letter(&a) != next_letter(&b))
            return false;
    return a.len == b.len;
}

/* ---- names ---- */

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

/* Takes digits, and what nobody sees between them, off the front of a text. */
static bool skip_number(Str *rest)
{
    bool found = false;

    for (Str ahead = *rest; ahead.len;) {
        const uint32_t letter = next_letter(&ahead);
        if (is_digit(letter)) {
            *rest = ahead;
            found = true;
        } else if (letter != UNSEEN)
            break;
    }
    return found;
}

static bool begins_word(Str text)
{
    return text.len && is_word_letter(next_letter(&text));
}

/* Takes a name and the number behind it off the front of a text. */
static bool skip_name(Str name, Str *rest)
{
    uint32_t last = UNSEEN;

    while (name.len) {
        const uint32_t wanted = next_letter(&name);
        for (last = UNSEEN; last == UNSEEN && rest->len;)
            last = next_letter(rest);
        if (last != wanted)
            return false;
    }
    const bool numbered = skip_number(rest);
    return !((numbered || is_word_letter(last)) && begins_word(*rest));
}

/* How long the name of a team is that a text begins with, with its number; 0: it does with none.
 * `in_word`: a letter of a word stands before it. */
static size_t name_length(const JudgeGame *game, Str text, bool in_word)
{
    size_t longest = 0;

    for (SeatNo seat = 1; seat <= game->seat_count; seat++) {
        const Str names[] = {game->team[seat], track_rates_family(game->team[seat])};
        const size_t count = str_eq(names[0], names[1]) ? 1 : 2;
        for (size_t i = 0; i < count; i++) {
            Str rest = text;
            if (names[i].len && !(in_word && begins_word(names[i])) &&
                !is_game_word(game, names[i]) && skip_name(names[i], &rest) &&
                text.len - rest.len > longest)
                longest = text.len - rest.len;
        }
    }
    return longest;
}

void blind_text(const JudgeGame *game, Str text, Buf *out)
{
    bool in_word = false;

    for (Str rest = text; rest.len;) {
        Str behind = rest;
        const uint32_t letter = next_letter(&behind);
        /* None begins with what nobody sees: else a line of such letters would be read so often. */
        const size_t len = letter == UNSEEN ? 0 : name_length(game, rest, in_word);
        if (len)
            behind = str_part(rest, len, rest.len);
        buf_add(out, len ? STR(BLIND_MARK) : str_part(rest, 0, rest.len - behind.len));
        in_word = !len && (letter == UNSEEN ? in_word : is_word_letter(letter));
        rest = behind;
    }
}
