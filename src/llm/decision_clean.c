#include "llm/decision_clean.h"

#include "base/utf8.h"
#include "llm/wording.h"

#define ACTION_CHARS_MAX 80 /* of a stage direction; longer ones are speech */

/* ---- the answer ---- */

static const char *const thought_words[] = {"think", "thinking", "thought", "reasoning", "reason"};

/* The text behind the thoughts it begins with; all of it when the thoughts do not end. */
static bool skip_thought(Str *text)
{
    for (size_t i = 0; i < sizeof(thought_words) / sizeof(thought_words[0]); i++) {
        Str word = str_of(thought_words[i]);
        size_t end;

        if (text->len < word.len + 2 || text->bytes[0] != '<' ||
            !wording_start(str_part(*text, 1, text->len), word) || text->bytes[word.len + 1] != '>')
            continue;
        for (size_t at = word.len; wording_find(*text, STR("</"), at, &end); at = end + 2)
            if (wording_start(str_part(*text, end + 2, text->len), word)) {
                *text = str_trim(str_part(*text, end + 3 + word.len, text->len));
                return true;
            }
        *text = (Str){0};
        return true;
    }
    return false;
}

/* Templates open the thoughts themselves: the answer then holds only their end. */
static Str skip_thought_end(Str text)
{
    Str end = STR("</think>");

    if (text.len && text.bytes[0] == '{')
        return text;
    for (size_t at = text.len; at >= end.len; at--)
        if (wording_start(str_part(text, at - end.len, end.len), end))
            return str_trim(str_part(text, at, text.len));
    return text;
}

/* Marks of a chat template that a server let through: <|eot_id|>, </s>, and what stands in front
 * of the last <|message|>. */
static Str skip_marks(Str text)
{
    static const char *const tails[] = {"</s>", "[/INST]", "<eos>", "<end_of_turn>"};
    Str message = STR("<|message|>");
    size_t at;
    bool more = true;

    for (size_t from = 0; wording_find(text, message, 0, &at) && from < 8; from++)
        text = str_trim(str_part(text, at + message.len, text.len));
    while (more) {
        more = false;
        if (str_starts(text, STR("<|")) && wording_find(text, STR("|>"), 2, &at) && at < 40) {
            text = str_trim(str_part(text, at + 2, text.len));
            more = true;
        }
        if (text.len > 2 && str_eq(str_part(text, text.len - 2, 2), STR("|>")))
            for (at = text.len - 2; at-- > 0 && text.len - at < 40;)
                if (str_starts(str_part(text, at, 2), STR("<|"))) {
                    text = str_trim(str_part(text, 0, at));
                    more = true;
                    break;
                }
        for (size_t i = 0; i < sizeof(tails) / sizeof(tails[0]); i++) {
            Str tail = str_of(tails[i]);
            if (text.len >= tail.len &&
                str_eq(str_part(text, text.len - tail.len, tail.len), tail)) {
                text = str_trim(str_part(text, 0, text.len - tail.len));
                more = true;
            }
        }
    }
    return text;
}

/* ```json ... ``` around all of it. */
static Str skip_fence(Str text)
{
    Str fence = STR("```");

    if (str_starts(text, fence)) {
        Str rest = text;
        Str first = str_cut(&rest, '\n');
        text = str_trim(first.len < 16 && rest.len ? rest : str_part(text, 3, text.len));
    }
    if (text.len >= 3 && str_eq(str_part(text, text.len - 3, 3), fence))
        text = str_trim(str_part(text, 0, text.len - 3));
    return text;
}

Str clean_answer(Str text)
{
    text = str_trim(text);
    if (str_starts(text, STR("\xEF\xBB\xBF")))
        text = str_trim(str_part(text, 3, text.len));
    text = skip_marks(skip_fence(text));
    while (skip_thought(&text))
        ;
    return skip_fence(skip_marks(skip_thought_end(text)));
}

/* ---- paragraphs ---- */

static bool is_space(uint32_t c)
{
    return c == ' ' || (c >= '\t' && c <= '\r') || c == 0x85 || c == 0xA0 || c == 0x2028 ||
           c == 0x2029 || c == 0x3000;
}

/* Control characters, marks that turn the direction of text, and what XML can't hold. */
static bool is_unwanted(uint32_t c)
{
    return c == UTF8_INVALID || c < 0x20 || (c >= 0x7F && c < 0xA0) || c == 0x200B || c == 0x200E ||
           c == 0x200F || (c >= 0x202A && c <= 0x202E) || (c >= 0x2060 && c <= 0x206F) ||
           c == 0xFEFF || c == 0xFFFE || c == 0xFFFF || (c >= 0xE0000 && c <= 0xE007F);
}

void clean_paragraph(Str text, Buf *out)
{
    size_t start = out->len;
    bool space = false;

    if (!buf_reserve(out, text.len)) /* it is never longer */
        return;
    while (text.len) {
        Str before = text;
        uint32_t c = utf8_next(&text);

        if (is_space(c)) {
            space = true;
        } else if (!is_unwanted(c)) {
            if (space && out->len > start)
                buf_add_char(out, ' ');
            buf_add(out, str_part(before, 0, before.len - text.len));
            space = false;
        }
    }
}

/* ---- what stands around a line ---- */

static const struct {
    const char *open;
    const char *close;
} around[] = {
    {"\"", "\""}, {"'", "'"},   {"`", "`"}, {"“", "”"},   {"‘", "’"},
    {"「", "」"}, {"『", "』"}, {"«", "»"}, {"**", "**"}, {"__", "__"},
};

/* Takes one pair of marks around all of the text off. `"No," said "she"` keeps its quotes. */
static bool skip_around(Str *text)
{
    for (size_t i = 0; i < sizeof(around) / sizeof(around[0]); i++) {
        Str open = str_of(around[i].open), close = str_of(around[i].close);

        if (text->len < open.len + close.len || !str_starts(*text, open) ||
            !str_eq(str_part(*text, text->len - close.len, close.len), close))
            continue;
        Str inner = str_part(*text, open.len, text->len - open.len - close.len);
        size_t at;
        if (wording_find(inner, close, 0, &at) || wording_find(inner, open, 0, &at))
            continue;
        *text = str_trim(inner);
        return true;
    }
    return false;
}

Str clean_around(Str text)
{
    static const char marks[] = " \t\r\n\"'`*_.,;:!?()[]<>{}|/#-";
    static const char *const wide[] = {"。", "、", "「", "」", "『", "』", "！", "？",
                                       "“",  "”",  "：", "（", "）", "【", "】", "　"};
    bool more = true;

    while (more && text.len) {
        more = false;
        if (memchr(marks, text.bytes[0], sizeof(marks) - 1)) {
            text = str_part(text, 1, text.len);
            more = true;
        } else if (memchr(marks, text.bytes[text.len - 1], sizeof(marks) - 1)) {
            text = str_part(text, 0, text.len - 1);
            more = true;
        }
        for (size_t i = 0; i < sizeof(wide) / sizeof(wide[0]); i++) {
            Str mark = str_of(wide[i]);
            if (str_starts(text, mark)) {
                text = str_part(text, mark.len, text.len);
                more = true;
            } else if (text.len >= mark.len &&
                       str_eq(str_part(text, text.len - mark.len, mark.len), mark)) {
                text = str_part(text, 0, text.len - mark.len);
                more = true;
            }
        }
    }
    return text;
}

/* "Ann: ", "**Ann**: ", "[Ann] ", "Ann (Villager): ", "Ann：" in front of Ann's own line. */
static bool skip_own_name(Str *text, Str me)
{
    static const char *const before[] = {"", "**", "[", "<", "(", "@", "【", "__", "\"", "*"};
    static const char *const behind[] = {":",   "：", "**:", "**：", ":**",    "]:",    "] ",
                                         ">:",  "> ", "):",  "】:",  "】：",   "】",    "__:",
                                         "\":", "*:", " :",  "：",   " says:", " said:"};

    for (size_t i = 0; me.len && i < sizeof(before) / sizeof(before[0]); i++) {
        Str open = str_of(before[i]);
        if (!str_starts(*text, open) || !wording_start(str_part(*text, open.len, text->len), me))
            continue;
        Str rest = str_part(*text, open.len + me.len, text->len);
        for (size_t j = 0; j < sizeof(behind) / sizeof(behind[0]); j++)
            if (str_starts(rest, str_of(behind[j]))) {
                *text = str_trim(str_part(rest, strlen(behind[j]), rest.len));
                return true;
            }
        size_t at; /* "Ann (Villager): " */
        if (str_starts(rest, STR(" (")) && wording_find(rest, STR("):"), 0, &at) && at < 30) {
            *text = str_trim(str_part(rest, at + 2, rest.len));
            return true;
        }
    }
    return false;
}

/* "- ", "> ", "# " of Markdown. */
static bool skip_bullet(Str *text)
{
    size_t n = 0;

    while (n < text->len && memchr("#>-", text->bytes[n], 3))
        n++;
    if (!n || n >= text->len || text->bytes[n] != ' ')
        return false;
    *text = str_trim(str_part(*text, n, text->len));
    return true;
}

/* ---- stage directions ---- */

/* "(sighs)" at the start of a line. Brackets within speech are speech. */
static bool skip_action(Str *text)
{
    static const struct {
        const char *open;
        const char *close;
    } brackets[] = {{"(", ")"}, {"（", "）"}, {"[", "]"}};

    for (size_t i = 0; i < sizeof(brackets) / sizeof(brackets[0]); i++) {
        Str open = str_of(brackets[i].open), close = str_of(brackets[i].close);
        size_t end;

        if (str_starts(*text, open) && wording_find(*text, close, open.len, &end) &&
            utf8_count(str_part(*text, 0, end)) <= ACTION_CHARS_MAX) {
            *text = str_trim(str_part(*text, end + close.len, text->len));
            return true;
        }
    }
    return false;
}

/* Where the star that closes the one at `at` stands; false when it is not of a pair. */
static bool star_pair(Str text, size_t at, size_t *ret_end)
{
    for (size_t end = at + 1; end < text.len && end - at <= ACTION_CHARS_MAX; end++)
        if (text.bytes[end] == '*') {
            *ret_end = end;
            return end > at + 1 && text.bytes[at + 1] != ' ' && text.bytes[end - 1] != ' ';
        }
    return false;
}

/* Leaves out what stands between single stars: *leans back*. Of **bold** only the stars go. */
static void drop_stars(Str text, Buf *out)
{
    size_t end;

    for (size_t at = 0; at < text.len; at++) {
        if (text.bytes[at] != '*') {
            buf_add_char(out, text.bytes[at]);
        } else if (at + 1 < text.len && text.bytes[at + 1] == '*') {
            at++;
        } else if (star_pair(text, at, &end)) {
            at = end;
        } else {
            buf_add_char(out, '*');
        }
    }
}

/* ---- length ---- */

size_t clean_sentence_end(Str rest)
{
    static const char *const ends[] = {"。", "！", "？", "…", "!", "?"};

    for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); i++)
        if (str_starts(rest, str_of(ends[i])))
            return strlen(ends[i]);
    /* A full stop: not within a number or a name. */
    if (str_starts(rest, STR(".")) && (rest.len == 1 || memchr(" \"')", rest.bytes[1], 4)))
        return 1;
    return 0;
}

Str clean_cut(Str line, size_t chars, size_t bytes)
{
    Str rest = line;
    size_t sentence = 0, word = 0, at = 0;

    for (; rest.len && chars > 0; chars--) {
        size_t end = clean_sentence_end(rest);
        if (rest.bytes[0] == ' ')
            word = at;
        utf8_next(&rest);
        if (line.len - rest.len > bytes)
            break;
        at = line.len - rest.len;
        if (end)
            sentence = at;
    }
    if (at == line.len)
        return line;
    if (sentence > at / 3)
        return str_part(line, 0, sentence);
    return str_trim(str_part(line, 0, word > at / 2 ? word : at));
}

/* ---- all of it ---- */

void clean_own_line(Str text, const LlmScene *scene, Buf *out)
{
    CLEANUP(buf_done) Buf line = {0};
    CLEANUP(buf_done) Buf plain = {0};
    bool protocol = scene->speech == SPEECH_PROTOCOL;

    clean_paragraph(text, &line);
    if (!protocol) {
        drop_stars(buf_str(&line), &plain);
        buf_clear(&line);
        clean_paragraph(buf_str(&plain), &line);
    }
    Str rest = buf_str(&line);
    while (skip_own_name(&rest, scene->me) || skip_around(&rest) ||
           (!protocol && (skip_bullet(&rest) || skip_action(&rest))))
        ;
    buf_add(out, protocol ? rest : clean_cut(rest, llm_max_chars(scene), SIZE_MAX));
}
