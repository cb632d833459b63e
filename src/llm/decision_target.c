#include "llm/decision_target.h"

#include "base/utf8.h"
#include "llm/decision_clean.h"
#include "llm/wording.h"

#define NAME_CHARS_MIN 3 /* of the beginning of a name */
#define PLAIN_ROOM     128

/* A name without what models change in it: "Agent[03]", "agent 3" and "AGENT-3" are agent3. */
typedef struct Plain {
    char bytes[PLAIN_ROOM];
    size_t len;
    size_t letters; /* bytes in front of the digits at its end */
} Plain;

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static Plain plain_of(Str text)
{
    Plain plain = {.len = 0};

    for (size_t i = 0; i < text.len && plain.len < PLAIN_ROOM; i++) {
        char c = text.bytes[i];

        if (c >= 'A' && c <= 'Z')
            c = (char)(c - 'A' + 'a');
        bool leading = c == '0' && !(plain.len && is_digit(plain.bytes[plain.len - 1])) &&
                       i + 1 < text.len && is_digit(text.bytes[i + 1]);
        if (!leading && ((unsigned char)c >= 0x80 || (c >= 'a' && c <= 'z') || is_digit(c)))
            plain.bytes[plain.len++] = c;
    }
    plain.letters = plain.len;
    while (plain.letters > 0 && is_digit(plain.bytes[plain.letters - 1]))
        plain.letters--;
    return plain;
}

static bool plain_equal(const Plain *a, const Plain *b)
{
    if (!a->len || !b->len)
        return false;
    if (a->letters == 0 && b->letters < b->len) /* "3" */
        return str_eq((Str){a->bytes, a->len}, (Str){b->bytes + b->letters, b->len - b->letters});
    return str_eq((Str){a->bytes, a->len}, (Str){b->bytes, b->len});
}

typedef enum Likeness {
    LIKE_EXACT,
    LIKE_CASE,
    LIKE_PLAIN,
    LIKE_START,
    LIKE_COUNT,
} Likeness;

static bool names_alike(Str text, Str name, Likeness how)
{
    Plain a, b;

    switch (how) {
    case LIKE_EXACT:
        return str_eq(text, name);
    case LIKE_CASE:
        return wording_same(text, name);
    case LIKE_PLAIN:
        a = plain_of(text);
        b = plain_of(name);
        return plain_equal(&a, &b);
    case LIKE_START:
        return utf8_count(text) >= NAME_CHARS_MIN && wording_start(name, text);
    case LIKE_COUNT:
        break;
    }
    return false;
}

/* How many names are like it, of the targets or of all seats; *ret_name is the last. */
static unsigned count_alike(Str text, const LlmScene *scene, Likeness how, bool targets,
                            Str *ret_name)
{
    uint32_t count = targets ? scene->target_count : scene->seat_count;
    unsigned found = 0;

    for (uint32_t i = 0; i < count; i++) {
        Str name = targets ? scene->targets[i] : scene->seats[i].name;
        if (name.len && names_alike(text, name, how)) {
            *ret_name = name;
            found++;
        }
    }
    return found;
}

static bool look_up(Str text, const LlmScene *scene, Str *ret_name)
{
    for (Likeness how = LIKE_EXACT; text.len && how < LIKE_COUNT; how++) {
        if (count_alike(text, scene, how, true, ret_name) == 1)
            return true;
        if (count_alike(text, scene, how, false, ret_name) == 1)
            return true;
    }
    return false;
}

static bool without_title(Str *text)
{
    static const char *const titles[] = {"さん", "くん", "君", "ちゃん", "氏", "様", "さま"};

    for (size_t i = 0; i < sizeof(titles) / sizeof(titles[0]); i++) {
        Str title = str_of(titles[i]);
        if (text->len > title.len &&
            str_eq(str_part(*text, text->len - title.len, title.len), title)) {
            *text = str_part(*text, 0, text->len - title.len);
            return true;
        }
    }
    return false;
}

/* What stands in front of the first byte that no name should have behind it. */
static Str first_word(Str text)
{
    size_t n = 0;

    while (n < text.len && !memchr(" ,;:(@/\t\n", text.bytes[n], 9))
        n++;
    return clean_around(str_part(text, 0, n));
}

static bool find_name(Str text, const LlmScene *scene, Str *ret_name)
{
    Str around = clean_around(text);
    Str word = first_word(around);

    if (look_up(text, scene, ret_name) || look_up(around, scene, ret_name))
        return true;
    if (without_title(&around) && look_up(around, scene, ret_name))
        return true;
    return look_up(word, scene, ret_name) ||
           (without_title(&word) && look_up(word, scene, ret_name));
}

static bool is_target(const LlmScene *scene, Str name)
{
    for (uint32_t i = 0; i < scene->target_count; i++)
        if (str_eq(scene->targets[i], name))
            return true;
    return false;
}

TargetFound target_of(Str text, const LlmScene *scene, Str *ret_name)
{
    Str name;

    text = str_trim(str_part(text, 0, 1024));
    if (!find_name(text, scene, &name))
        return TARGET_UNKNOWN;
    *ret_name = name;
    const LlmSeatSeen *seat = wording_seat(scene, name);
    if (is_target(scene, name))
        return TARGET_VALID;
    if (wording_same(name, scene->me))
        return TARGET_SELF;
    if (seat && !seat->alive)
        return TARGET_DEAD;
    return seat && seat->mate ? TARGET_MATE : TARGET_NOT_NOW;
}

/* ---- names in a sentence ---- */

/* True when the name at `at` is only a part of another's: Mina in Minato. */
static bool within_longer(Str text, size_t at, Str name, const LlmScene *scene)
{
    for (uint32_t i = 0; i < scene->seat_count; i++) {
        Str other = scene->seats[i].name;
        size_t inside;

        if (other.len > name.len && wording_find(other, name, 0, &inside) && inside <= at &&
            wording_start(str_part(text, at - inside, text.len), other))
            return true;
    }
    return false;
}

static bool speaks_of(Str text, Str name, const LlmScene *scene)
{
    for (size_t at = 0; wording_find_word(text, name, at, &at); at++)
        if (!within_longer(text, at, name, scene))
            return true;
    return false;
}

bool target_in(Str sentence, const LlmScene *scene, Str *ret_name)
{
    static const char *const noes[] = {"not", "never", "nobody"};
    size_t at;
    unsigned found = 0;

    sentence = str_part(sentence, 0, 4096);
    if (wording_have(sentence, STR("n't")) || wording_have(sentence, STR("ない")) ||
        wording_have(sentence, STR("ません")))
        return false;
    for (size_t i = 0; i < sizeof(noes) / sizeof(noes[0]); i++)
        if (wording_find_word(sentence, str_of(noes[i]), 0, &at))
            return false;
    for (uint32_t i = 0; i < scene->target_count; i++)
        if (scene->targets[i].len && speaks_of(sentence, scene->targets[i], scene)) {
            *ret_name = scene->targets[i];
            found++;
        }
    return found == 1;
}
