#include "lang/reason.h"

#define FOUND_BYTES_MAX 24  /* of the text, shown in a message */
#define FOUND_TEXT_MAX  160 /* the same escaped: six letters for a byte at worst */

/* ERR_LIMIT and ERR_MEMORY messages stand alone; the others go on with ", found ...". */
static const char *const wants[] = {
    [WANT_SENTENCE] = "expected a sentence such as VOTE Agent[01], Skip or Over",
    [WANT_VERB] = "expected a verb such as VOTE or an operator such as AND",
    [WANT_BLANK] = "expected a blank",
    [WANT_AGENT] = "expected an agent such as Agent[01] or ANY",
    [WANT_BRACKET] = "expected ']' behind the agent's number",
    [WANT_NUMBER] = "expected a number from 0 to 2147483647",
    [WANT_ROLE] = "expected a role such as SEER or ANY",
    [WANT_SPECIES] = "expected HUMAN, WEREWOLF or ANY",
    [WANT_TALK] = "expected TALK or WHISPER",
    [WANT_TALK_DAY] = "expected 'day' and a number such as day1",
    [WANT_TALK_ID] = "expected 'ID:' and a number such as ID:3",
    [WANT_GROUP] = "expected a sentence in parentheses",
    [WANT_GROUP_OR_TARGET] = "expected an agent such as Agent[01] or a sentence in parentheses",
    [WANT_GROUP_END] = "expected ')' here, at the end of the inner sentence",
    [WANT_LAST] = "expected ')' as the last character",
    [WANT_END] = "expected the end of the sentence",
    [WANT_CONTENT] = "expected one more sentence in parentheses",
    [WANT_CLOSED] = "expected a ')' for this parenthesis, which is never closed",
    [WANT_ONE_LINE] = "expected no line break inside parentheses",
};

/* The word at `at`: up to a blank or parenthesis, but at least one character. */
static Str found_word(Str text, size_t at)
{
    static const char ends[] = " \t\n\v\f\r()";
    Str rest = str_part(text, at, FOUND_BYTES_MAX);
    size_t len = 0;

    while (len < rest.len && !memchr(ends, rest.bytes[len], sizeof(ends) - 1))
        len++;
    if (len == 0 && rest.len)
        len = 1;
    /* Never cut a character of several bytes. */
    while (at + len < text.len && len < 2 * FOUND_BYTES_MAX &&
           ((unsigned char)text.bytes[at + len] & 0xC0) == 0x80)
        len++;
    return str_part(text, at, len);
}

int reason_set(Err *err, Want want, Str text, size_t at)
{
    char found[FOUND_TEXT_MAX] = "";
    unsigned column = (unsigned)at + 1;

    if (!err)
        return want == WANT_SHALLOW || want == WANT_SHORT ? ERR_LIMIT
               : want == WANT_ROOM                        ? ERR_MEMORY
                                                          : ERR_SYNTAX;
    if (want == WANT_SHORT)
        return err_set_at(err, ERR_LIMIT, 0, LANG_BYTES_MAX + 1,
                          "expected at most %d bytes, found %zu", LANG_BYTES_MAX, text.len);
    if (want == WANT_SHALLOW)
        return err_set_at(err, ERR_LIMIT, 0, column,
                          "expected at most %d sentences inside each other", LANG_DEPTH_MAX);
    if (want == WANT_ROOM)
        return err_set_at(err, ERR_MEMORY, 0, column, "no room left for the sentence");

    Str word = found_word(text, at);
    if (word.len == 0)
        return err_set_at(err, ERR_SYNTAX, 0, column, "%s, found the end", wants[want]);
    lang_escape(word, found, sizeof(found));
    return err_set_at(err, ERR_SYNTAX, 0, column, "%s, found '%s'", wants[want], found);
}
