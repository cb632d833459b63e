#include "record/claim_words.h"

typedef struct RoleWord {
    Role role;
    const char *word;
} RoleWord;

/* Small letters. */
static const RoleWord english[] = {
    {ROLE_VILLAGER, "villager"},   {ROLE_SEER, "seer"},
    {ROLE_MEDIUM, "medium"},       {ROLE_BODYGUARD, "bodyguard"},
    {ROLE_FREEMASON, "freemason"}, {ROLE_POSSESSED, "possessed"},
    {ROLE_WEREWOLF, "werewolf"},   {ROLE_FOX, "fox"},
};
static const RoleWord japanese[] = {
    {ROLE_VILLAGER, "村人"},  {ROLE_SEER, "占い師"},    {ROLE_MEDIUM, "霊媒師"},
    {ROLE_BODYGUARD, "狩人"}, {ROLE_BODYGUARD, "騎士"}, {ROLE_FREEMASON, "共有者"},
    {ROLE_POSSESSED, "狂人"}, {ROLE_WEREWOLF, "人狼"},  {ROLE_FOX, "妖狐"},
};
static const char *const english_heads[] = {"i am ", "i'm ", "i’m ", "my role is ", NULL};
static const char *const articles[] = {"the ", "a ", "", NULL};
static const char *const japanese_heads[] = {
    "私は",   "わたしは", "あたしは", "僕は",       "ぼくは",     "ボクは",     "俺は",
    "おれは", "オレは",   "自分は",   "私の役職は", "僕の役職は", "俺の役職は", NULL};
static const char *const japanese_tails[] = {"です", "だ", "だよ", "ですよ", "", NULL};
static const char *const outing_tails[] = {"co", "coします", "coする", NULL};

/* Whether a text begins so, letters of ASCII in any case; takes that off. */
static bool take_begin(Str *text, const char *begin)
{
    const Str wanted = str_of(begin);

    if (text->len < wanted.len)
        return false;
    for (size_t i = 0; i < wanted.len; i++)
        if (str_lower_char(text->bytes[i]) != wanted.bytes[i])
            return false;
    *text = str_part(*text, wanted.len, text->len);
    return true;
}

static bool take_any(Str *text, const char *const *begins)
{
    for (; *begins; begins++)
        if (take_begin(text, *begins))
            return true;
    return false;
}

static bool is_one(Str text, const char *const *wholes)
{
    for (; *wholes; wholes++) {
        Str rest = text;
        if (take_begin(&rest, *wholes) && rest.len == 0)
            return true;
    }
    return false;
}

static RoleSet claim_english(Str text)
{
    if (!take_any(&text, english_heads))
        return 0;
    take_any(&text, articles);
    for (size_t i = 0; i < sizeof(english) / sizeof(english[0]); i++) {
        Str rest = text;
        if (take_begin(&rest, english[i].word) && rest.len == 0)
            return (RoleSet)1 << english[i].role;
    }
    return 0;
}

/* With a subject; or without, where one comes out: the role alone may be another's. */
static RoleSet claim_japanese(Str text)
{
    const bool subject = take_any(&text, japanese_heads);

    for (size_t i = 0; i < sizeof(japanese) / sizeof(japanese[0]); i++) {
        Str rest = text;
        if (take_begin(&rest, japanese[i].word) &&
            ((subject && is_one(rest, japanese_tails)) || is_one(rest, outing_tails)))
            return (RoleSet)1 << japanese[i].role;
    }
    return 0;
}

/* What ends a sentence; the last two ask. */
static const char *const marks[] = {".", "!", "\n", "。", "！", "?", "？"};
#define MARK_COUNT (sizeof(marks) / sizeof(marks[0]))
#define ASKING     (MARK_COUNT - 2)

/* The mark that stands at the beginning; MARK_COUNT: none. */
static size_t mark_at(Str text)
{
    size_t mark = 0;

    while (mark < MARK_COUNT && !str_starts(text, str_of(marks[mark])))
        mark++;
    return mark;
}

static bool may_be_mark(char c)
{
    return c == '.' || c == '!' || c == '?' || c == '\n' || c == '\xE3' || c == '\xEF';
}

/* Cuts the next sentence off; *ret_mark is what it ends with, MARK_COUNT at the text's end. */
static Str next_sentence(Str *text, size_t *ret_mark)
{
    const Str all = *text;

    *ret_mark = MARK_COUNT;
    for (size_t at = 0; at < all.len; at++) {
        *text = str_part(all, at, all.len);
        *ret_mark = may_be_mark(all.bytes[at]) ? mark_at(*text) : MARK_COUNT;
        if (*ret_mark == MARK_COUNT)
            continue;
        *text = str_part(all, at + strlen(marks[*ret_mark]), all.len);
        return str_part(all, 0, at);
    }
    *text = (Str){0};
    return all;
}

/* What stands before a colon, where one says what follows from the role. */
static Str before_colon(Str sentence)
{
    size_t at;

    if (str_find(sentence, STR(":"), &at) || str_find(sentence, STR("："), &at))
        return str_part(sentence, 0, at);
    return sentence;
}

/* No claim begins otherwise, and most that is said does. */
static bool may_claim(Str sentence)
{
    const char first = sentence.len ? str_lower_char(sentence.bytes[0]) : '\0';

    return first == 'i' || first == 'm' || (unsigned char)first >= 0x80;
}

RoleSet claim_words_roles(Str text)
{
    RoleSet roles = 0;
    size_t mark;

    while (text.len) {
        Str sentence = str_trim(next_sentence(&text, &mark));
        if (!may_claim(sentence) || (mark >= ASKING && mark < MARK_COUNT))
            continue;
        sentence = str_trim(before_colon(sentence));
        roles |= claim_english(sentence) | claim_japanese(sentence);
    }
    return roles;
}
