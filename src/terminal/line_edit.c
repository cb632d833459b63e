#include "terminal/line_edit.h"

#include "base/utf8.h"
#include "terminal/clean.h"

/*   GROUND --ESC--> ESCAPE --[--> CSI --final byte--> GROUND
 *     ^               | O--> SS3 --one byte--> GROUND      | 200~
 *     |               | other: Alt and that key            v
 *     +------------------ ESC [ 2 0 1 ~ ---------------- PASTE
 */
typedef enum KeyState { GROUND, ESCAPE, CSI, SS3, PASTE } KeyState;

#define SEQUENCE_MAX 32
static const char paste_end[] = "\033[201~";

struct LineEdit {
    Str fed;
    KeyState state;
    char sequence[SEQUENCE_MAX]; /* CSI: what came behind "ESC [" */
    uint32_t sequence_len;
    uint32_t paste_end_len; /* PASTE: how much of paste_end has come */
    char code[4];           /* a character that is not complete */
    uint32_t code_len;
    Buf text;
    Buf entered;
    size_t cursor;
    Buf history[LINE_EDIT_HISTORY_MAX]; /* a ring: history[first] is the oldest */
    uint32_t first;
    uint32_t count;
    uint32_t shown; /* lines back from the newest; 0 = the draft */
    Buf draft;
};

int line_edit_new(LineEdit **ret_edit, Err *err)
{
    LineEdit *edit = mem_new(sizeof(*edit));

    if (!edit)
        return err_set(err, ERR_MEMORY, "line editor: out of memory");
    *ret_edit = edit;
    return 0;
}

LineEdit *line_edit_free(LineEdit *edit)
{
    if (!edit)
        return NULL;
    for (uint32_t i = 0; i < LINE_EDIT_HISTORY_MAX; i++)
        buf_done(&edit->history[i]);
    buf_done(&edit->text);
    buf_done(&edit->entered);
    buf_done(&edit->draft);
    return mem_free(edit);
}

void line_edit_freep(LineEdit **edit)
{
    *edit = line_edit_free(*edit);
}

void line_edit_feed(LineEdit *edit, Str bytes)
{
    edit->fed = bytes;
}

/* ---- the text ---- */

static Str text_of(const LineEdit *edit)
{
    return buf_str(&edit->text);
}

/* Where the character begins that ends at `at`; one with no width belongs to the one before. */
static size_t char_before(const LineEdit *edit, size_t at)
{
    const char *bytes = edit->text.bytes;

    while (at > 0) {
        size_t end = at--;
        while (at > 0 && ((unsigned char)bytes[at] & 0xC0) == 0x80)
            at--;
        if (utf8_width((Str){bytes + at, end - at}) > 0)
            break;
    }
    return at;
}

/* Where the character ends that begins at `at`, with those without width behind it. */
static size_t char_behind(const LineEdit *edit, size_t at)
{
    bool first = true;

    while (at < edit->text.len) {
        size_t end = at + 1;
        while (end < edit->text.len && ((unsigned char)edit->text.bytes[end] & 0xC0) == 0x80)
            end++;
        if (!first && utf8_width((Str){edit->text.bytes + at, end - at}) > 0)
            break;
        first = false;
        at = end;
    }
    return at;
}

static size_t word_before(const LineEdit *edit, size_t at)
{
    while (at > 0 && edit->text.bytes[at - 1] == ' ')
        at--;
    while (at > 0 && edit->text.bytes[at - 1] != ' ')
        at--;
    return at;
}

static size_t word_behind(const LineEdit *edit, size_t at)
{
    while (at < edit->text.len && edit->text.bytes[at] == ' ')
        at++;
    while (at < edit->text.len && edit->text.bytes[at] != ' ')
        at++;
    return at;
}

/* Puts `with` in place of the bytes from..to, and the cursor behind it. False when it does not fit:
 * nothing has changed then. */
static bool replace_text(LineEdit *edit, size_t from, size_t to, Str with)
{
    size_t rest = edit->text.len - to;

    if (from + with.len + rest > LINE_EDIT_BYTES_MAX || !buf_reserve(&edit->text, with.len))
        return false;
    memmove(edit->text.bytes + from + with.len, edit->text.bytes + to, rest);
    if (with.len)
        memcpy(edit->text.bytes + from, with.bytes, with.len);
    edit->text.len = from + with.len + rest;
    edit->text.bytes[edit->text.len] = '\0';
    edit->cursor = from + with.len;
    return true;
}

static LineEvent cut_text(LineEdit *edit, size_t from, size_t to)
{
    if (from == to)
        return LINE_REFUSED;
    replace_text(edit, from, to, STR(""));
    return LINE_CHANGED;
}

static LineEvent move_to(LineEdit *edit, size_t at)
{
    edit->cursor = at;
    return LINE_CHANGED;
}

static void set_text(LineEdit *edit, Str text)
{
    buf_clear(&edit->text);
    buf_add(&edit->text, text);
    edit->cursor = edit->text.len;
}

/* Forgets what is typed; the history stays. */
static void clear_line(LineEdit *edit)
{
    set_text(edit, STR(""));
    edit->shown = 0;
}

/* ---- history ---- */

static Buf *remembered_line(LineEdit *edit, uint32_t back)
{
    return &edit->history[(edit->first + edit->count - back) % LINE_EDIT_HISTORY_MAX];
}

static void remember_line(LineEdit *edit, Str line)
{
    if (line.len == 0 || (edit->count && str_eq(buf_str(remembered_line(edit, 1)), line)))
        return;
    if (edit->count == LINE_EDIT_HISTORY_MAX)
        edit->first = (edit->first + 1) % LINE_EDIT_HISTORY_MAX;
    else
        edit->count++;
    Buf *place = remembered_line(edit, 1);
    buf_clear(place);
    buf_add(place, line);
}

static LineEvent look_back(LineEdit *edit)
{
    if (edit->shown == edit->count)
        return LINE_REFUSED;
    if (edit->shown == 0) {
        buf_clear(&edit->draft);
        buf_add(&edit->draft, text_of(edit));
    }
    edit->shown++;
    set_text(edit, buf_str(remembered_line(edit, edit->shown)));
    return LINE_CHANGED;
}

static LineEvent look_on(LineEdit *edit)
{
    if (edit->shown == 0)
        return LINE_REFUSED;
    edit->shown--;
    set_text(edit, buf_str(edit->shown ? remembered_line(edit, edit->shown) : &edit->draft));
    return LINE_CHANGED;
}

static LineEvent enter_line(LineEdit *edit)
{
    buf_clear(&edit->entered);
    buf_add(&edit->entered, text_of(edit));
    remember_line(edit, buf_str(&edit->entered));
    clear_line(edit);
    return LINE_ENTERED;
}

/* ---- characters ---- */

/* A byte of a character; what is no UTF-8 is dropped: it is noise on the line, not text. */
static LineEvent take_byte(LineEdit *edit, char byte)
{
    CLEANUP(buf_done) Buf clean = {0};

    if (edit->code_len && ((unsigned char)byte & 0xC0) != 0x80)
        edit->code_len = 0;
    edit->code[edit->code_len++] = byte;
    unsigned char lead = (unsigned char)edit->code[0];
    uint32_t bytes = lead < 0x80 ? 1 : lead < 0xC0 ? 0 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
    if (edit->code_len < bytes)
        return LINE_MORE;
    Str code = {edit->code, edit->code_len};
    edit->code_len = 0;
    if (bytes == 0 || !utf8_valid(code))
        return LINE_REFUSED;
    clean_line(code, &clean);
    if (clean.len == 0)
        return LINE_MORE;
    return replace_text(edit, edit->cursor, edit->cursor, buf_str(&clean)) ? LINE_CHANGED
                                                                           : LINE_REFUSED;
}

static LineEvent pasted_byte(LineEdit *edit, char byte)
{
    if (byte == paste_end[edit->paste_end_len]) {
        if (++edit->paste_end_len == sizeof(paste_end) - 1) {
            edit->paste_end_len = 0;
            edit->state = GROUND;
        }
        return LINE_MORE;
    }
    edit->paste_end_len = byte == '\033'; /* what was no end: an escape and its kin are no text */
    if (byte == '\r' || byte == '\n' || byte == '\t')
        byte = ' ';
    return (unsigned char)byte < ' ' || byte == 0x7f ? LINE_MORE : take_byte(edit, byte);
}

/* ---- keys ---- */

static LineEvent control_byte(LineEdit *edit, char byte)
{
    size_t at = edit->cursor, end = edit->text.len;

    switch (byte) {
    case '\r':
    case '\n':
        return enter_line(edit);
    case '\t':
        return LINE_COMPLETE;
    case 0x7f:
    case 'H' & 0x1f:
        return cut_text(edit, char_before(edit, at), at);
    case 'A' & 0x1f:
        return move_to(edit, 0);
    case 'B' & 0x1f:
        return move_to(edit, char_before(edit, at));
    case 'C' & 0x1f:
        return LINE_INTERRUPT;
    case 'D' & 0x1f:
        return end == 0 ? LINE_END : cut_text(edit, at, char_behind(edit, at));
    case 'E' & 0x1f:
        return move_to(edit, end);
    case 'F' & 0x1f:
        return move_to(edit, char_behind(edit, at));
    case 'K' & 0x1f:
        return replace_text(edit, at, end, STR("")) ? LINE_CHANGED : LINE_REFUSED;
    case 'L' & 0x1f:
        return LINE_REDRAW;
    case 'N' & 0x1f:
        return look_on(edit);
    case 'P' & 0x1f:
        return look_back(edit);
    case 'U' & 0x1f:
        return cut_text(edit, 0, at);
    case 'W' & 0x1f:
        return cut_text(edit, word_before(edit, at), at);
    default:
        return LINE_REFUSED;
    }
}

static LineEvent letter_key(LineEdit *edit, char letter, bool with_control)
{
    switch (letter) {
    case 'A':
        return look_back(edit);
    case 'B':
        return look_on(edit);
    case 'C':
        return move_to(edit, with_control ? word_behind(edit, edit->cursor)
                                          : char_behind(edit, edit->cursor));
    case 'D':
        return move_to(edit, with_control ? word_before(edit, edit->cursor)
                                          : char_before(edit, edit->cursor));
    case 'H':
        return move_to(edit, 0);
    case 'F':
        return move_to(edit, edit->text.len);
    default:
        return LINE_MORE; /* a key we have no use for */
    }
}

static LineEvent number_key(LineEdit *edit, uint64_t number)
{
    switch (number) {
    case 1:
    case 7:
        return move_to(edit, 0);
    case 3:
        return cut_text(edit, edit->cursor, char_behind(edit, edit->cursor));
    case 4:
    case 8:
        return move_to(edit, edit->text.len);
    case 5:
        return LINE_PAGE_UP;
    case 6:
        return LINE_PAGE_DOWN;
    case 200:
        edit->state = PASTE;
        edit->paste_end_len = 0;
        edit->code_len = 0;
        return LINE_MORE;
    default:
        return LINE_MORE;
    }
}

/* "1;5C": number, modifier (5 and more have Ctrl), final byte. */
static LineEvent csi_key(LineEdit *edit, char final)
{
    Str rest = {edit->sequence, edit->sequence_len};
    Str first = str_cut(&rest, ';');
    uint64_t number = 0, modifier = 0;

    edit->state = GROUND;
    str_to_uint(first, 999, &number);
    str_to_uint(rest, 16, &modifier);
    return final == '~' ? number_key(edit, number) : letter_key(edit, final, modifier >= 5);
}

static LineEvent in_csi(LineEdit *edit, char byte)
{
    if ((unsigned char)byte >= 0x40 && (unsigned char)byte <= 0x7e)
        return csi_key(edit, byte);
    if ((unsigned char)byte < ' ' || edit->sequence_len == SEQUENCE_MAX) {
        edit->state = GROUND; /* broken off */
        return LINE_REFUSED;
    }
    edit->sequence[edit->sequence_len++] = byte;
    return LINE_MORE;
}

static LineEvent in_escape(LineEdit *edit, char byte)
{
    edit->state = GROUND;
    switch (byte) {
    case '[':
        edit->state = CSI;
        edit->sequence_len = 0;
        return LINE_MORE;
    case 'O':
        edit->state = SS3;
        return LINE_MORE;
    case '\033':
        edit->state = ESCAPE;
        return LINE_MORE;
    case 'b':
        return letter_key(edit, 'D', true);
    case 'f':
        return letter_key(edit, 'C', true);
    case 0x7f:
        return cut_text(edit, word_before(edit, edit->cursor), edit->cursor);
    case 'C' & 0x1f: /* never swallowed */
        return LINE_INTERRUPT;
    default:
        return LINE_MORE;
    }
}

static LineEvent take_typed(LineEdit *edit, char byte)
{
    switch (edit->state) {
    case ESCAPE:
        return in_escape(edit, byte);
    case CSI:
        return in_csi(edit, byte);
    case SS3:
        edit->state = GROUND;
        return letter_key(edit, byte, false);
    case PASTE:
        return pasted_byte(edit, byte);
    case GROUND:
        break;
    }
    if (byte == '\033') {
        edit->state = ESCAPE;
        edit->code_len = 0;
        return LINE_MORE;
    }
    if (((unsigned char)byte < ' ' && byte != 0) || byte == 0x7f) {
        edit->code_len = 0;
        return control_byte(edit, byte);
    }
    return byte ? take_byte(edit, byte) : LINE_REFUSED;
}

LineEvent line_edit_next(LineEdit *edit)
{
    LineEvent event = LINE_MORE;

    while (event == LINE_MORE && edit->fed.len) {
        char byte = edit->fed.bytes[0];

        edit->fed = str_part(edit->fed, 1, SIZE_MAX);
        event = take_typed(edit, byte);
    }
    return event;
}

Str line_edit_text(const LineEdit *edit)
{
    return text_of(edit);
}

size_t line_edit_cursor(const LineEdit *edit)
{
    return edit->cursor;
}

Str line_edit_entered(const LineEdit *edit)
{
    return buf_str(&edit->entered);
}

/* ---- completion ---- */

/* How many bytes both begin with. */
static size_t shared_prefix(Str a, Str b)
{
    size_t n = 0;

    while (n < a.len && n < b.len && str_lower_char(a.bytes[n]) == str_lower_char(b.bytes[n]))
        n++;
    while (n > 0 && n < a.len && ((unsigned char)a.bytes[n] & 0xC0) == 0x80)
        n--; /* not within a character */
    return n;
}

uint32_t line_edit_complete(LineEdit *edit, const Str *names, uint32_t count, Buf *choices)
{
    size_t start = edit->cursor;
    uint32_t found = 0;
    Str common = {0};

    while (start > 0 && edit->text.bytes[start - 1] != ' ')
        start--;
    Str word = {edit->text.bytes ? edit->text.bytes + start : "", edit->cursor - start};
    for (uint32_t i = 0; i < count; i++) {
        if (names[i].len < word.len || shared_prefix(word, names[i]) < word.len)
            continue;
        common = found++ ? str_part(common, 0, shared_prefix(common, names[i])) : names[i];
    }
    for (uint32_t i = 0; i < count && found > 1; i++)
        if (names[i].len >= word.len && shared_prefix(word, names[i]) == word.len) {
            buf_add(choices, choices->len ? STR(" ") : STR(""));
            buf_add(choices, names[i]);
        }
    if (found == 0 || (found > 1 && common.len <= word.len))
        return found;
    replace_text(edit, start, edit->cursor, common);
    bool blank = str_starts(str_part(text_of(edit), edit->cursor, SIZE_MAX), STR(" "));
    if (found == 1 && !blank)
        replace_text(edit, edit->cursor, edit->cursor, STR(" "));
    return found;
}
