#include "game/length.h"

#include "base/utf8.h"

bool length_is_limited(const LengthRules *rules)
{
    return rules->per_talk != LIMIT_NONE || rules->per_agent != LIMIT_NONE ||
           rules->base_length != LIMIT_NONE;
}

/* The Unicode White_Space set. */
static bool is_space(uint32_t c)
{
    return (c >= 0x09 && c <= 0x0D) || c == 0x20 || c == 0x85 || c == 0xA0 || c == 0x1680 ||
           (c >= 0x2000 && c <= 0x200A) || c == 0x2028 || c == 0x2029 || c == 0x202F ||
           c == 0x205F || c == 0x3000;
}

Str length_strip(Str text)
{
    Str rest = text;
    size_t start = SIZE_MAX;
    size_t end = 0;

    while (rest.len) {
        size_t at = text.len - rest.len;
        if (is_space(utf8_next(&rest)))
            continue;
        start = at < start ? at : start;
        end = text.len - rest.len;
    }
    return str_part(text, end ? start : 0, end ? end - start : 0);
}

/* Walks over the text counting units, and stops before the one that exceeds `max` (INT32_MAX:
 * never). Returns the units counted; *ret_bytes is where it stopped. */
static int32_t walk_text(const LengthRules *rules, Str text, int32_t max, size_t *ret_bytes)
{
    int32_t units = 0;
    bool in_word = false;
    Str rest = text;

    while (rest.len) {
        Str before = rest;
        bool space = is_space(utf8_next(&rest));
        bool is_unit = rules->count_in_word ? !space && !in_word : rules->count_spaces || !space;
        in_word = !space;
        if (is_unit && units == max) {
            *ret_bytes = text.len - before.len;
            return units;
        }
        units += is_unit;
    }
    *ret_bytes = text.len;
    return units;
}

int32_t length_count(const LengthRules *rules, Str text)
{
    size_t bytes;

    return walk_text(rules, text, INT32_MAX, &bytes);
}

/* Bytes appended to a fixed room; what does not fit is cut at a character. */
typedef struct Out {
    char *bytes;
    size_t len;
    size_t room;
} Out;

static void put_text(Out *out, Str text)
{
    size_t n = text.len;

    if (n > out->room - out->len) {
        n = out->room - out->len;
        while (n > 0 && ((unsigned char)text.bytes[n] & 0xC0) == 0x80)
            n--;
    }
    if (n)
        memcpy(out->bytes + out->len, text.bytes, n);
    out->len += n;
}

/* The first `max` words joined by single blanks. */
static void put_words(Out *out, Str text, int32_t max)
{
    Str rest = text;
    Str word = {rest.bytes, 0};
    bool first = true;

    while (max > 0) {
        bool space = true;
        if (rest.len) {
            Str before = rest;
            space = is_space(utf8_next(&rest));
            if (!space) {
                if (word.len == 0)
                    word.bytes = before.bytes;
                word.len += before.len - rest.len;
            }
        }
        if (space && word.len) {
            if (!first)
                put_text(out, STR(" "));
            put_text(out, word);
            first = false;
            max--;
            word.len = 0;
        }
        if (!rest.len && !word.len)
            return;
    }
}

/* trim(text, max) of the specification; a max below zero is zero. Returns the units kept. */
static int32_t put_trimmed(Out *out, const LengthRules *rules, Str text, int32_t max)
{
    size_t bytes;

    if (max < 0)
        max = 0;
    int32_t count = walk_text(rules, text, INT32_MAX, &bytes);
    if (count <= max) {
        put_text(out, text);
        return count;
    }
    if (rules->count_in_word) {
        put_words(out, text, max);
        return max;
    }
    walk_text(rules, text, max, &bytes);
    /* White space is free where it is not counted, but the cut is just behind the last letter. */
    while (!rules->count_spaces && bytes > 0) {
        size_t at = bytes - 1;
        while (at > 0 && ((unsigned char)text.bytes[at] & 0xC0) == 0x80)
            at--;
        Str last = str_part(text, at, bytes - at);
        if (!is_space(utf8_next(&last)))
            break;
        bytes = at;
    }
    put_text(out, str_part(text, 0, max > 0 ? bytes : 0));
    return max;
}

static size_t find_name(Str text, Str name)
{
    for (size_t i = 0; i + name.len < text.len; i++)
        if (text.bytes[i] == '@' && str_eq(str_part(text, i + 1, name.len), name))
            return i;
    return SIZE_MAX;
}

/* Whether a mention at `at` counts rather than one at `best`, which is that of a lower seat. */
static bool is_better(const LengthRules *rules, size_t at, Str name, size_t best, Str best_name)
{
    if (best == SIZE_MAX)
        return true;
    switch ((Mention)rules->mention) {
    case MENTION_LONGEST:
        return at < best || (at == best && name.len > best_name.len);
    case MENTION_SEAT:
        return at < best;
    case MENTION_LOWEST:
        return false;
    }
    return false;
}

/* The mention of another agent that counts; SIZE_MAX when there is none. */
static size_t find_mention(const LengthRules *rules, Str text, const Str *names, SeatNo seat_count,
                           SeatNo speaker, Str *ret_name)
{
    size_t best = SIZE_MAX;

    for (SeatNo seat = 1; seat <= seat_count; seat++) {
        if (seat == speaker || names[seat].len == 0)
            continue;
        size_t at = find_name(text, names[seat]);
        if (at != SIZE_MAX && is_better(rules, at, names[seat], best, *ret_name)) {
            best = at;
            *ret_name = names[seat];
        }
    }
    return best;
}

/* Charges what goes beyond `allowed` to the speaker's allowance. */
static void charge_length(const LengthRules *rules, int32_t count, int32_t allowed,
                          int32_t *length_left)
{
    int32_t cost = count - allowed;

    if (rules->per_agent != LIMIT_NONE && cost > 0)
        *length_left -= cost;
}

/* A limit and an allowance, which may be overdrawn: what there is room for, 0 or more. */
static int32_t plus_limit(int32_t limit, int32_t more)
{
    int64_t sum = (int64_t)limit + more;

    return sum < 0 ? 0 : sum > INT32_MAX ? INT32_MAX : (int32_t)sum;
}

/* What is left of the session's allowance; the mention's part may find it overdrawn. */
static int32_t allowance(const LengthRules *rules, int32_t length_left)
{
    return rules->per_agent != LIMIT_NONE ? length_left : 0;
}

size_t length_limit(const LengthRules *rules, Str text, const Str *names, SeatNo seat_count,
                    SeatNo speaker, int32_t *length_left, char *out_bytes, size_t room)
{
    Out out = {out_bytes, 0, room};
    Str name = {"", 0};
    Str tail = {"", 0};
    size_t mention = SIZE_MAX;
    int32_t common_max = INT32_MAX;
    int32_t tail_max = INT32_MAX;
    Str common = text;

    if (rules->per_agent != LIMIT_NONE || rules->base_length != LIMIT_NONE) {
        int32_t base = rules->base_length != LIMIT_NONE ? rules->base_length : 0;
        /* A mention allowance without limit still opens a tail: target of 5.3. */
        mention = find_mention(rules, text, names, seat_count, speaker, &name);
        if (mention != SIZE_MAX) {
            common = str_part(text, 0, mention);
            tail = str_part(text, mention + 1 + name.len, text.len);
        }
        common_max = plus_limit(base, allowance(rules, *length_left));
        charge_length(rules, length_count(rules, common), base, length_left);
        if (mention != SIZE_MAX && rules->mention_length != LIMIT_NONE) {
            tail_max = plus_limit(rules->mention_length, allowance(rules, *length_left));
            /* Only what is kept of the tail is paid for; of the rest above, all of it. */
            int32_t kept = length_count(rules, tail);
            charge_length(rules, kept < tail_max ? kept : tail_max, rules->mention_length,
                          length_left);
        }
    }

    int32_t talk_max = rules->per_talk != LIMIT_NONE ? rules->per_talk : INT32_MAX;
    bool drop_tail = false;
    if (talk_max != INT32_MAX) {
        size_t bytes;
        int32_t common_count = walk_text(rules, common, common_max, &bytes);
        int32_t tail_count = walk_text(rules, tail, tail_max, &bytes);
        if (common_count > talk_max) {
            common_max = talk_max;
            drop_tail = true;
        } else if (tail_count > talk_max - common_count) {
            tail_max = talk_max - common_count;
        }
    }
    put_trimmed(&out, rules, common, common_max);
    if (mention != SIZE_MAX && !drop_tail) {
        put_text(&out, STR(" @"));
        put_text(&out, name);
        put_text(&out, STR(" "));
        put_trimmed(&out, rules, tail, tail_max);
    }
    return out.len;
}
