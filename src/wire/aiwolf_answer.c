#include "wire/aiwolf_answer.h"

#include "base/utf8.h"
#include "game/bid.h"

/* ---- reading ---- */

/* The text itself, or a copy in which every byte sequence that is not UTF-8 is U+FFFD. */
static Str as_utf8(Str text, Buf *storage)
{
    if (utf8_valid(text))
        return text;
    while (text.len) {
        Str before = text;
        if (utf8_next(&text) == UTF8_INVALID)
            buf_add(storage, STR("\xEF\xBF\xBD"));
        else
            buf_add(storage, str_part(before, 0, before.len - text.len));
    }
    return buf_str(storage);
}

static void pass_blanks(Str *rest)
{
    while (rest->len && (rest->bytes[0] == ' ' || rest->bytes[0] == '\t'))
        *rest = str_part(*rest, 1, rest->len);
}

/* White space, then exactly this. */
static bool pass_word(Str *rest, Str word)
{
    pass_blanks(rest);
    if (!str_starts(*rest, word))
        return false;
    *rest = str_part(*rest, word.len, rest->len);
    return true;
}

/* At least one digit. A number that is no seat of any table is nobody, however long it is. */
static bool pass_number(Str *rest, SeatNo *ret_seat)
{
    unsigned number = 0;

    pass_blanks(rest);
    size_t digits = 0;
    for (; digits < rest->len && rest->bytes[digits] >= '0' && rest->bytes[digits] <= '9'; digits++)
        if (number <= SEAT_MAX)
            number = number * 10 + (unsigned)(rest->bytes[digits] - '0');
    *rest = str_part(*rest, digits, rest->len);
    *ret_seat = number <= SEAT_MAX ? (SeatNo)number : SEAT_NONE;
    return digits > 0;
}

/* Looks for the first {"agentIdx":N}. Every try ends before the next brace, so that the whole
 * takes time linear in the line's length. */
static bool find_target(Str line, SeatNo *ret_target)
{
    SeatNo seat;

    while (line.len) {
        str_cut(&line, '{');
        Str rest = line;
        if (pass_word(&rest, STR("\"agentIdx\"")) && pass_word(&rest, STR(":")) &&
            pass_number(&rest, &seat) && pass_word(&rest, STR("}"))) {
            *ret_target = seat;
            return true;
        }
    }
    return false;
}

bool aiwolf_answer_read(AskKind kind, Str line, Buf *storage, Answer *ret_answer)
{
    *ret_answer = (Answer){.kind = kind};
    buf_clear(storage);
    line = str_cut(&line, '\r');
    switch (kind) {
    case ASK_TALK:
    case ASK_WHISPER:
        ret_answer->text = as_utf8(line, storage);
        return true;
    case ASK_ROLE:
        ret_answer->wish = role_of(line);
        return true;
    case ASK_VOTE:
    case ASK_DIVINE:
    case ASK_GUARD:
    case ASK_ATTACK:
        return find_target(line, &ret_answer->target) || line.len == 0;
    case ASK_BID:
        return bid_read(line, ret_answer);
    case ASK_COUNT:
        break;
    }
    return true;
}

/* ---- writing ---- */

/* A line end inside would be a second line, which answers the next request. */
static void write_text(Str text, Buf *out)
{
    while (text.len) {
        size_t plain = 0;
        while (plain < text.len && text.bytes[plain] != '\n' && text.bytes[plain] != '\r')
            plain++;
        buf_add(out, str_part(text, 0, plain));
        if (plain < text.len)
            buf_add_char(out, ' ');
        text = str_part(text, plain + 1, text.len);
    }
}

void aiwolf_answer_write(const Answer *answer, Buf *out)
{
    switch (answer->kind) {
    case ASK_TALK:
    case ASK_WHISPER:
        write_text(answer->lapse || !answer->text.len ? STR("Skip") : answer->text, out);
        break;
    case ASK_ROLE:
        buf_add(out, answer->lapse || answer->wish == ROLE_NONE ? STR("none")
                                                                : str_of(role_name(answer->wish)));
        break;
    case ASK_VOTE:
    case ASK_DIVINE:
    case ASK_GUARD:
    case ASK_ATTACK:
        buf_add(out, STR("{\"agentIdx\":"));
        buf_add_uint(out, answer->lapse ? SEAT_NONE : answer->target);
        buf_add_char(out, '}');
        break;
    case ASK_BID:
        buf_add_uint(out, bid_of(answer));
        break;
    case ASK_COUNT:
        break;
    }
    buf_add_char(out, '\n');
}
