#include "llm/wording.h"

#include "base/rng.h"

/* ---- slots ---- */

static const Slot *slot_at(Str rest, const Slot *slots, size_t slot_count, size_t *ret_len)
{
    for (size_t i = 0; i < slot_count; i++) {
        Str name = str_of(slots[i].name);

        if (rest.len >= name.len + 2 && rest.bytes[name.len + 1] == '}' &&
            str_eq(str_part(rest, 1, name.len), name)) {
            *ret_len = name.len + 2;
            return &slots[i];
        }
    }
    return NULL;
}

void wording_fill(const char *wording, const Slot *slots, size_t slot_count, Buf *out)
{
    Str rest = str_of(wording);

    while (rest.len) {
        const char *brace = memchr(rest.bytes, '{', rest.len);
        size_t plain = brace ? (size_t)(brace - rest.bytes) : rest.len, len = 1;

        buf_add(out, str_part(rest, 0, plain));
        rest = str_part(rest, plain, rest.len);
        if (!rest.len)
            break;
        const Slot *slot = slot_at(rest, slots, slot_count, &len);
        buf_add(out, slot ? slot->value : STR("{"));
        rest = str_part(rest, len, rest.len);
    }
}

void wording_add_line(Str text, Buf *out)
{
    text = str_trim(text);
    for (size_t i = 0; i < text.len; i++)
        buf_add_char(out, (unsigned char)text.bytes[i] < 0x20 ? ' ' : text.bytes[i]);
}

/* ---- comparing ---- */

bool wording_same(Str a, Str b)
{
    return a.len == b.len && wording_start(a, b);
}

bool wording_start(Str text, Str start)
{
    if (text.len < start.len)
        return false;
    for (size_t i = 0; i < start.len; i++)
        if (str_lower_char(text.bytes[i]) != str_lower_char(start.bytes[i]))
            return false;
    return true;
}

bool wording_find(Str text, Str what, size_t from, size_t *ret_at)
{
    if (!what.len || what.len > text.len)
        return false;
    char first = str_lower_char(what.bytes[0]);
    for (size_t at = from; at <= text.len - what.len; at++)
        if (str_lower_char(text.bytes[at]) == first &&
            wording_start(str_part(text, at, what.len), what)) {
            *ret_at = at;
            return true;
        }
    return false;
}

static bool word_byte(char c)
{
    return (c >= '0' && c <= '9') || (str_lower_char(c) >= 'a' && str_lower_char(c) <= 'z') ||
           c == '_';
}

/* A border is needed only where the word itself begins or ends with such a byte: Japanese has no
 * blanks, and "Agent[01]" ends with a bracket. */
static bool cuts_word(Str text, size_t at)
{
    return at > 0 && at < text.len && word_byte(text.bytes[at - 1]) && word_byte(text.bytes[at]);
}

bool wording_find_word(Str text, Str what, size_t from, size_t *ret_at)
{
    size_t at = from;

    for (; wording_find(text, what, at, &at); at++)
        if (!cuts_word(text, at) && !cuts_word(text, at + what.len)) {
            *ret_at = at;
            return true;
        }
    return false;
}

/* ---- order and roles ---- */

void wording_shuffle(uint64_t seed, uint64_t salt, uint32_t count,
                     uint32_t order[static LLM_SEATS_MAX])
{
    Rng rng = rng_new(rng_derive(seed, salt));

    for (uint32_t i = 0; i < count; i++) {
        uint32_t place = rng_below(&rng, i + 1);

        order[i] = order[place];
        order[place] = i;
    }
}

bool wording_means_wolf(Str role)
{
    return wording_same(role, STR("werewolf")) || wording_same(role, STR("wolf")) ||
           str_eq(role, STR("人狼"));
}

bool wording_is_wolf(const LlmScene *scene)
{
    return wording_means_wolf(scene->role) || (!scene->role.len && scene->side == SIDE_WEREWOLF);
}

Str wording_role(Str role, LlmLanguage language)
{
    bool japanese = language == LLM_JAPANESE;

    if (wording_same(role, STR("human")))
        return japanese ? STR("人間") : STR("human");
    for (Role known = (Role)(ROLE_NONE + 1); known < ROLE_COUNT; known++)
        if (wording_same(role, str_of(role_name(known))))
            return str_of(role_word(known, japanese));
    return role;
}

bool wording_only_target(LlmTask task)
{
    return task != TASK_ROOM && task != TASK_TALK && task != TASK_WHISPER;
}

const LlmSeatSeen *wording_seat(const LlmScene *scene, Str name)
{
    for (uint32_t i = 0; i < scene->seat_count; i++)
        if (str_eq(scene->seats[i].name, name))
            return &scene->seats[i];
    return NULL;
}
