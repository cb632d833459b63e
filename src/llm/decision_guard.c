/* The guards of 5.7's end: lines that say the guide, give the speaker away, or say it again. */
#include "base/utf8.h"
#include "llm/decision.h"
#include "llm/decision_clean.h"
#include "llm/wording.h"

#define LEAK_CHARS     40   /* of the guide */
#define LINE_BYTES_MAX 4096 /* of a line that is looked at */
#define WORDS_MAX      512
#define SAME_WORDS     80 /* percent */
#define WORDS_MIN      3  /* "Yes, Bo." repeats nothing */

/* ---- the guide's own words ---- */

/* The first `chars` characters of a text; shorter when it ends before. */
static Str head(Str text, size_t chars)
{
    Str rest = text;

    for (; rest.len && chars > 0; chars--)
        utf8_next(&rest);
    return str_part(text, 0, text.len - rest.len);
}

static bool says_guide(Str line, Str guide)
{
    CLEANUP(buf_done) Buf plain_line = {0};
    CLEANUP(buf_done) Buf plain_guide = {0};

    clean_paragraph(line, &plain_line);
    clean_paragraph(guide, &plain_guide);
    for (Str rest = buf_str(&plain_line); rest.len; utf8_next(&rest)) {
        Str part = head(rest, LEAK_CHARS);
        if (utf8_count(part) < LEAK_CHARS)
            return false;
        if (wording_have(buf_str(&plain_guide), part))
            return true;
    }
    return false;
}

/* ---- a wolf that says so ---- */

/* "As a werewolf, I ..." gives away; "I see Bo as a werewolf" does not. */
static bool as_a_wolf(Str line)
{
    static const char *const phrases[] = {"as a werewolf",
                                          "as a wolf",
                                          "as the werewolf",
                                          "as one of the wolves",
                                          "as one of the werewolves",
                                          "as werewolves",
                                          "as wolves"};
    static const char *const behind[] = {", i",  ", we", ", my",  ", our", " i ",
                                         " we ", " my ", " our ", ", let"};

    for (size_t i = 0; i < sizeof(phrases) / sizeof(phrases[0]); i++) {
        Str phrase = str_of(phrases[i]);
        for (size_t at = 0; wording_find_word(line, phrase, at, &at); at++)
            for (size_t j = 0; j < sizeof(behind) / sizeof(behind[0]); j++)
                if (wording_start(str_part(line, at + phrase.len, line.len), str_of(behind[j])))
                    return true;
    }
    return false;
}

/* Somebody else's opinion, a supposition, a question: "you think I am a werewolf". */
static bool is_supposed(Str before, Str behind)
{
    static const char *const words[] = {
        "if",   "think",   "thinks", "say",     "says",    "said",    "claim",  "claims",
        "that", "believe", "why",    "suppose", "suspect", "thought", "assume", "prove"};

    before = str_trim(before);
    for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
        Str word = str_of(words[i]);
        size_t start = before.len - word.len, at;
        if (before.len >= word.len && wording_find_word(before, word, start, &at))
            return true;
    }
    for (size_t at = 0; at < behind.len; at++) {
        if (behind.bytes[at] == '?')
            return true;
        if (clean_sentence_end(str_part(behind, at, behind.len)))
            return false;
    }
    return false;
}

static bool i_am_a_wolf(Str line)
{
    static const char *const phrases[] = {
        "i am a werewolf",
        "i am the werewolf",
        "i'm a werewolf",
        "i'm the werewolf",
        "i am a wolf",
        "i am the wolf",
        "i'm a wolf",
        "i’m a werewolf",
        "i’m a wolf",
        "i'm the wolf",
        "i am one of the wolves",
        "i am one of the werewolves",
        "i'm one of the wolves",
        "i'm one of the werewolves",
        "we are the wolves",
        "we are the werewolves",
        "we wolves",
        "we werewolves",
        "us wolves",
        "us werewolves",
        "my fellow wolf",
        "my fellow wolves",
        "my fellow werewolf",
        "my fellow werewolves",
        "my wolf teammate",
        "our wolf team",
        "my role is werewolf",
    };

    for (size_t i = 0; i < sizeof(phrases) / sizeof(phrases[0]); i++) {
        Str phrase = str_of(phrases[i]);
        for (size_t at = 0; wording_find_word(line, phrase, at, &at); at++)
            if (!is_supposed(str_part(line, 0, at), str_part(line, at + phrase.len, line.len)))
                return true;
    }
    return false;
}

/* 私は人狼です, but not 私は人狼ではない, 私が人狼だと思うなら. */
static bool i_am_a_wolf_japanese(Str line)
{
    static const char *const phrases[] = {
        "私は人狼",         "私が人狼",     "僕は人狼",   "僕が人狼",     "俺は人狼",
        "俺が人狼",         "わたしは人狼", "自分は人狼", "我々人狼",     "私たち人狼",
        "俺たち人狼",       "僕たち人狼",   "私は狼",     "人狼として私", "人狼である私",
        "人狼の仲間である", "人狼仲間の",
    };
    static const char *const harmless[] = {"では", "じゃ", "でない", "なんか", "と思",   "だと",
                                           "とい", "って", "とは",   "なら",   "かも",   "を",
                                           "の",   "に",   "から",   "陣営で", "です？", "ですか"};

    for (size_t i = 0; i < sizeof(phrases) / sizeof(phrases[0]); i++) {
        Str phrase = str_of(phrases[i]);
        for (size_t at = 0; wording_find(line, phrase, at, &at); at++) {
            Str behind = str_part(line, at + phrase.len, line.len);
            bool fine = false;
            for (size_t j = 0; j < sizeof(harmless) / sizeof(harmless[0]); j++)
                fine |= str_starts(behind, str_of(harmless[j]));
            if (!fine)
                return true;
        }
    }
    return str_starts(line, STR("人狼として"));
}

/* "You are Ann, role Werewolf.": what only it was told, said again as a model that repeats what it
 * reads does. Nobody else would call the speaker so. */
static bool repeats_its_role(Str line, const LlmScene *scene)
{
    static const char *const phrases[] = {
        "you are {me}, role", "your role: werewolf", "your fellow werewolves: ",
        "あなたは{me}、役職", "あなたの役職: 人狼",  "仲間の人狼: ",
    };
    CLEANUP(buf_done) Buf phrase = {0};

    for (size_t i = 0; i < sizeof(phrases) / sizeof(phrases[0]); i++) {
        Str rest = str_of(phrases[i]);
        Str before = str_cut(&rest, '{');
        buf_clear(&phrase);
        buf_add(&phrase, before);
        if (str_starts(rest, STR("me}"))) {
            buf_add(&phrase, scene->me);
            buf_add(&phrase, str_part(rest, 3, rest.len));
        }
        if (!buf_failed(&phrase) && wording_have(line, buf_str(&phrase)))
            return true;
    }
    return false;
}

/* At night, and in whispers, only wolves hear it. */
static bool wolves_only(const LlmScene *scene)
{
    return scene->night || scene->task == TASK_WHISPER;
}

bool llm_leaks(Str line, Str guide, const LlmScene *scene)
{
    line = str_part(line, 0, LINE_BYTES_MAX);
    if (says_guide(line, guide))
        return true;
    return wording_is_wolf(scene) && !wolves_only(scene) &&
           (as_a_wolf(line) || i_am_a_wolf(line) || i_am_a_wolf_japanese(line) ||
            repeats_its_role(line, scene));
}

/* ---- repetition ---- */

/* Words of a text without case and punctuation; of Japanese, which has no blanks, each pair of
 * characters that stand together. */
typedef struct Words {
    Str word[WORDS_MAX];
    size_t count;
} Words;

static bool is_letter(uint32_t c)
{
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
           (c >= 0xC0 && c < 0x2000) || (c >= 0x3041 && c != 0x30FB && c < 0xFF00) ||
           (c >= 0xFF10 && c <= 0xFF19) || c >= 0xFF66;
}

static size_t letter_at(Str rest)
{
    Str after = rest;
    uint32_t c = utf8_next(&after);

    return c != UTF8_INVALID && is_letter(c) ? rest.len - after.len : 0;
}

static void add_word(Words *words, Str word)
{
    if (words->count < WORDS_MAX)
        words->word[words->count++] = word;
}

static void split_words(Str text, Words *ret)
{
    size_t n, pair;

    ret->count = 0;
    while (text.len) {
        n = letter_at(text);
        if (!n) {
            utf8_next(&text);
            continue;
        }
        if (n < 3) { /* scripts with blanks */
            size_t len = 0;
            while (len < text.len && (n = letter_at(str_part(text, len, text.len))) && n < 3)
                len += n;
            add_word(ret, str_part(text, 0, len));
            text = str_part(text, len, text.len);
            continue;
        }
        Str behind = str_part(text, n, text.len);
        pair = behind.len ? letter_at(behind) : 0;
        add_word(ret, str_part(text, 0, n + (pair >= 3 ? pair : 0)));
        text = behind;
    }
}

static bool same_words(const Words *a, const Words *b)
{
    if (a->count != b->count)
        return false;
    for (size_t i = 0; i < a->count; i++)
        if (!wording_same(a->word[i], b->word[i]))
            return false;
    return true;
}

static size_t words_within(const Words *line, const Words *last)
{
    size_t found = 0;

    for (size_t i = 0; i < line->count; i++)
        for (size_t j = 0; j < last->count; j++)
            if (wording_same(line->word[i], last->word[j])) {
                found++;
                break;
            }
    return found;
}

bool llm_repeats(Str line, const Str *earlier, uint32_t count)
{
    CLEANUP(mem_freep) Words *said = mem_new(sizeof(*said));
    CLEANUP(mem_freep) Words *before = mem_new(sizeof(*before));

    if (!said || !before) /* better said twice than not at all */
        return false;
    split_words(str_part(line, 0, LINE_BYTES_MAX), said);
    for (uint32_t i = 0; i < count; i++) {
        split_words(str_part(earlier[i], 0, LINE_BYTES_MAX), before);
        if (same_words(said, before) && (said->count || str_eq(line, earlier[i])))
            return true;
    }
    /* `before` holds the last one now. */
    return count && said->count >= WORDS_MIN &&
           words_within(said, before) * 100 > said->count * SAME_WORDS;
}
