/* How a sentence is written: its canonical text (docs/spec/language.md 3 and 4).
 *
 * One sentence without its contents is at most HEAD_MAX bytes. Where that much room is left it is
 * written in place without further checks, which is what makes writing fast; near the end of the
 * room it is written aside and what fits is copied.
 */
#include "lang/walk.h"
#include "lang/words.h"

/* "Agent[2147483647] " + "DIVINATION " + " WHISPER day-2147483648 ID:-2147483648", and the 16
 * bytes that put_word() touches. */
#define HEAD_MAX 96

typedef struct Out {
    char *bytes;
    size_t room;
    size_t len; /* of the whole text; may be more than room */
} Out;

static inline char *put_word(char *at, const Word *word)
{
    memcpy(at, word->text, sizeof(word->text));
    return at + word->len;
}

static inline char *put_digits(char *at, uint32_t number)
{
    char digits[10];
    size_t first = sizeof(digits);

    do {
        digits[--first] = (char)('0' + number % 10);
        number /= 10;
    } while (number);
    memcpy(at, digits + first, sizeof(digits) - first);
    return at + (sizeof(digits) - first);
}

/* Builders may be given negative days and ids, which the Java library writes as they are. */
static inline char *put_number(char *at, int32_t number)
{
    if (number < 0)
        *at++ = '-';
    return put_digits(at, number < 0 ? 0u - (uint32_t)number : (uint32_t)number);
}

static inline char *put_agent(char *at, LangAgent agent)
{
    if (agent == LANG_ANY) {
        memcpy(at, "ANY", 3);
        return at + 3;
    }
    memcpy(at, "Agent[", 6);
    at += 6;
    if (agent < 100) {
        *at++ = (char)('0' + agent / 10);
        *at++ = (char)('0' + agent % 10);
    } else {
        at = put_digits(at, (uint32_t)agent);
    }
    *at++ = ']';
    return at;
}

/* The arguments of a verb with the blank in front, of an operator with the blank behind. */
static inline char *put_arguments(char *at, const Sentence *node)
{
    *at++ = ' ';
    if (node->kind <= LANG_IDENTIFIED) {
        at = put_agent(at, node->target);
        if (node->kind <= LANG_COMINGOUT) {
            *at++ = ' ';
            at = put_word(at, &words_role[node->role]);
        } else if (node->kind >= LANG_DIVINED) {
            *at++ = ' ';
            at = put_word(at, &words_species[node->species]);
        }
    } else if (node->kind <= LANG_DISAGREE) {
        at = put_word(at, &words_talk[node->talk]);
        memcpy(at, " day", 4);
        at = put_number(at + 4, node->day);
        memcpy(at, " ID:", 4);
        at = put_number(at + 4, node->talk_id);
    } else if (node->kind <= LANG_INQUIRE) {
        at = put_agent(at, node->target);
        *at++ = ' ';
    } else if (node->kind == LANG_DAY) {
        at = put_number(at, node->day);
        *at++ = ' ';
    }
    return at;
}

/* All but the contents. The subject only where it says something new (section 4). */
static inline char *put_head(char *at, const Sentence *node, LangAgent inherited)
{
    if (node->kind == LANG_SKIP || node->kind == LANG_OVER)
        return put_word(at, &words_kind[node->kind]);
    if (node->subject != inherited) {
        at = put_agent(at, node->subject);
        *at++ = ' ';
    }
    at = put_word(at, &words_kind[node->kind]);
    return put_arguments(at, node);
}

static void add_bytes(Out *out, const char *bytes, size_t len)
{
    if (out->len < out->room) {
        size_t fits = out->room - out->len;
        memcpy(out->bytes + out->len, bytes, len < fits ? len : fits);
    }
    out->len += len;
}

static inline void add_head(Out *out, const Sentence *node, LangAgent inherited)
{
    if (out->len < out->room && out->room - out->len >= HEAD_MAX) {
        char *start = out->bytes + out->len;
        out->len += (size_t)(put_head(start, node, inherited) - start);
    } else {
        char aside[HEAD_MAX];
        add_bytes(out, aside, (size_t)(put_head(aside, node, inherited) - aside));
    }
}

static inline void add_char(Out *out, char c)
{
    if (out->len < out->room)
        out->bytes[out->len] = c;
    out->len++;
}

size_t lang_write(const Sentence *sentence, char *out_bytes, size_t room)
{
    Out out = {.bytes = out_bytes, .room = room};
    Walk walk;

    for (walk_start(&walk, sentence); walk.at;) {
        add_head(&out, walk.at, walk_inherited(&walk));
        unsigned depth = walk.depth;
        unsigned ended = walk_next(&walk);

        if (ended == 0) {
            add_char(&out, '(');
            continue;
        }
        for (unsigned i = 0; i < ended && i < depth; i++)
            add_char(&out, ')');
        if (walk.at) {
            add_char(&out, ' ');
            add_char(&out, '(');
        }
    }
    if (room)
        out_bytes[out.len < room ? out.len : room - 1] = '\0';
    return out.len;
}

bool lang_is_strict(Str text, const Sentence *sentence)
{
    char canonical[LANG_TEXT_MAX];
    size_t len = lang_write(sentence, canonical, sizeof(canonical));

    return len < sizeof(canonical) && str_eq(text, (Str){canonical, len});
}

/* Everything of one sentence that is written, but for its contents and subject. */
static bool same_head(const Sentence *a, const Sentence *b)
{
    return a->kind == b->kind && a->target == b->target && a->role == b->role &&
           a->species == b->species && a->day == b->day && a->talk_id == b->talk_id &&
           a->talk == b->talk && a->child_count == b->child_count;
}

/* Where the outer sentences have the same text, the same subject is inherited, so contents have
 * the same text when their resolved subjects are equal. Skip and Over show no subject. */
bool lang_equal(const Sentence *a, const Sentence *b)
{
    Walk left;
    Walk right;

    walk_start(&left, a);
    walk_start(&right, b);
    while (left.at && right.at) {
        bool silent = left.at->kind == LANG_SKIP || left.at->kind == LANG_OVER;

        if (!same_head(left.at, right.at) || (!silent && left.at->subject != right.at->subject))
            return false;
        walk_next(&left);
        walk_next(&right);
    }
    return !left.at && !right.at;
}
