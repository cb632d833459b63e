/* naive.h - section 5.1 of docs/spec/language.md word for word: slow, recursive, independent.
 *
 * For:    test_held_out.c compares src/lang with it. It shares no code with src/lang and works
 *         on code points: the forms of step 3 are data, matched by trying everything.
 *         A header with code, because each test is built from one file.
 * Memory: naive_canonical writes into the caller's Buf; the rest is freed.
 * Thread: any.
 * Source: docs/spec/language.md 4 and 5.1.
 */
#ifndef WARG_TESTS_NAIVE_H
#define WARG_TESTS_NAIVE_H

#include "base/buf.h"
#include "base/utf8.h"

#define NAIVE_NONE (-1)

typedef struct NaiveText {
    const uint32_t *at;
    size_t len;
} NaiveText;

typedef struct NaiveNode {
    char verb[16];
    long long subject;
    long long target;
    long long numbers[2];
    char word[16];
    struct NaiveNode **groups;
    size_t group_count;
} NaiveNode;

/* What a form caught. */
typedef struct NaiveMatch {
    NaiveText parts[8];
    char kinds[8];
    size_t count;
    NaiveText groups;
} NaiveMatch;

/* The forms. v = a verb of the list behind it, A = agent, s = ws, W = capitals, d = digits,
 * P = the parentheses, D = "day", I = "ID:". Every form may begin with [A ws?]. */
static const struct {
    const char *verbs;
    const char *form;
} naive_forms[] = {
    {"|AGREE|DISAGREE|", "vsWsDdsId"},
    {"|ESTIMATE|COMINGOUT|", "vsAsW"},
    {"|DIVINED|IDENTIFIED|", "vsAsW"},
    {"|ATTACK|ATTACKED|DIVINATION|GUARD|GUARDED|VOTE|VOTED|", "vsA"},
    {"|REQUEST|INQUIRE|", "vsAsP"},
    {"|BECAUSE|AND|OR|XOR|NOT|REQUEST|", "vsP"},
    {"|DAY|", "vsdsP"},
};

static inline bool naive_is_capital(uint32_t c)
{
    return c >= 'A' && c <= 'Z';
}

static inline bool naive_is_digit(uint32_t c)
{
    return c >= '0' && c <= '9';
}

static inline bool naive_is_space(uint32_t c)
{
    return c == '\t' || c == '\n' || c == '\v' || c == '\f' || c == '\r' || c == ' ';
}

static inline bool naive_is_line_end(uint32_t c)
{
    return c == '\n' || c == '\r' || c == 0x85 || c == 0x2028 || c == 0x2029;
}

static inline bool naive_has(NaiveText text, size_t at, const char *word)
{
    for (size_t i = 0; word[i]; i++)
        if (at + i >= text.len || text.at[at + i] != (unsigned char)word[i])
            return false;
    return true;
}

static inline bool naive_is(NaiveText text, const char *word)
{
    return text.len == strlen(word) && naive_has(text, 0, word);
}

/* The length of `A` at `at`, 0 when there is none. */
static inline size_t naive_agent(NaiveText text, size_t at)
{
    size_t end = at + 6;

    if (naive_has(text, at, "ANY"))
        return 3;
    if (!naive_has(text, at, "Agent["))
        return 0;
    while (end < text.len && naive_is_digit(text.at[end]))
        end++;
    return end > at + 6 && end < text.len && text.at[end] == ']' ? end + 1 - at : 0;
}

static inline void naive_catch(NaiveMatch *match, char kind, NaiveText text, size_t at, size_t len)
{
    match->kinds[match->count] = kind;
    match->parts[match->count++] = (NaiveText){text.at + at, len};
}

static inline bool naive_match(NaiveText text, size_t at, const char *form, const char *verbs,
                               NaiveMatch *match);

/* Tries every length of a run of `is` characters, longest first. */
static inline bool naive_run(NaiveText text, size_t at, const char *form, const char *verbs,
                             NaiveMatch *match, bool (*is)(uint32_t), char kind)
{
    size_t most = 0;
    size_t count = match->count;

    while (at + most < text.len && is(text.at[at + most]))
        most++;
    for (size_t len = most; len > 0; len--) {
        match->count = count;
        if (kind)
            naive_catch(match, kind, text, at, len);
        if (naive_match(text, at + len, form + 1, verbs, match))
            return true;
    }
    return false;
}

static inline bool naive_verb(NaiveText text, size_t at, const char *form, const char *verbs,
                              NaiveMatch *match)
{
    size_t count = match->count;

    for (const char *verb = verbs + 1; *verb; verb = strchr(verb, '|') + 1) {
        char name[16] = {0};
        memcpy(name, verb, (size_t)(strchr(verb, '|') - verb));
        if (!naive_has(text, at, name))
            continue;
        match->count = count;
        naive_catch(match, 'v', text, at, strlen(name));
        if (naive_match(text, at + strlen(name), form + 1, verbs, match))
            return true;
    }
    return false;
}

/* P: up to the last character; the end may be followed by one separator. */
static inline bool naive_parentheses(NaiveText text, size_t at, NaiveMatch *match)
{
    size_t end = text.len;

    if (end > at && text.at[end - 1] > 0x7F && naive_is_line_end(text.at[end - 1]))
        end--;
    if (end < at + 2 || text.at[at] != '(' || text.at[end - 1] != ')')
        return false;
    for (size_t i = at; i < end; i++)
        if (naive_is_line_end(text.at[i]))
            return false;
    match->groups = (NaiveText){text.at + at, end - at};
    return true;
}

static inline bool naive_match(NaiveText text, size_t at, const char *form, const char *verbs,
                               NaiveMatch *match)
{
    size_t agent;

    switch (*form) {
    case '\0':
        return at == text.len ||
               (at + 1 == text.len && text.at[at] > 0x7F && naive_is_line_end(text.at[at]));
    case 'v':
        return naive_verb(text, at, form, verbs, match);
    case 'A':
        agent = naive_agent(text, at);
        if (!agent)
            return false;
        naive_catch(match, 'A', text, at, agent);
        return naive_match(text, at + agent, form + 1, verbs, match);
    case 's':
        return naive_run(text, at, form, verbs, match, naive_is_space, 0);
    case 'W':
        return naive_run(text, at, form, verbs, match, naive_is_capital, 'W');
    case 'd':
        return naive_run(text, at, form, verbs, match, naive_is_digit, 'd');
    case 'D':
        return naive_has(text, at, "day") && naive_match(text, at + 3, form + 1, verbs, match);
    case 'I':
        return naive_has(text, at, "ID:") && naive_match(text, at + 3, form + 1, verbs, match);
    default:
        return naive_parentheses(text, at, match);
    }
}

/* With and without the subject, and with every number of blanks behind it. */
static inline bool naive_match_form(NaiveText text, size_t form, NaiveMatch *match, bool *subject)
{
    size_t agent = naive_agent(text, 0);

    *match = (NaiveMatch){0};
    *subject = false;
    if (naive_match(text, 0, naive_forms[form].form, naive_forms[form].verbs, match))
        return true;
    if (!agent)
        return false;
    *subject = true;
    for (size_t at = agent; at <= text.len; at++) {
        *match = (NaiveMatch){0};
        naive_catch(match, 'A', text, 0, agent);
        if (naive_match(text, at, naive_forms[form].form, naive_forms[form].verbs, match))
            return true;
        if (at == text.len || !naive_is_space(text.at[at]))
            break;
    }
    return false;
}

static inline bool naive_number(NaiveText digits, long long *ret_number)
{
    long long number = 0;

    for (size_t i = 0; i < digits.len; i++) {
        if (!naive_is_digit(digits.at[i]))
            continue; /* the letters of Agent[..] */
        number = number * 10 + (digits.at[i] - '0');
        if (number > 2147483647)
            return false;
    }
    *ret_number = number;
    return true;
}

static inline void naive_word(NaiveText text, char word[static 16])
{
    memset(word, 0, 16);
    for (size_t i = 0; i < text.len && i < 15; i++)
        word[i] = (char)text.at[i];
}

static inline bool naive_listed(const char *verb, const char *verbs)
{
    char name[32];

    snprintf(name, sizeof(name), "|%s|", verb);
    return strstr(verbs, name) != NULL;
}

static inline bool naive_one_of(NaiveText word, const char *words)
{
    char name[32] = "|";

    if (word.len > 20)
        return false;
    for (size_t i = 0; i < word.len; i++)
        name[i + 1] = (char)word.at[i];
    name[word.len + 1] = '|';
    return strstr(words, name) != NULL;
}

static inline NaiveNode *naive_free(NaiveNode *node)
{
    if (node) {
        for (size_t i = 0; i < node->group_count; i++)
            naive_free(node->groups[i]);
        mem_free(node->groups);
        mem_free(node);
    }
    return NULL;
}

static inline NaiveNode *naive_read(NaiveText text);

/* Steps 4 and 5. */
static inline bool naive_read_groups(NaiveNode *node, NaiveText text)
{
    long depth = 0;
    size_t remembered = 0;

    for (size_t i = 0; i < text.len; i++) {
        if (text.at[i] == '(') {
            if (depth == 0)
                remembered = i;
            depth++;
        } else if (text.at[i] == ')') {
            depth--;
            if (depth != 0)
                continue;
            NaiveNode *group =
                naive_read((NaiveText){text.at + remembered + 1, i - remembered - 1});
            if (!group)
                return false;
            node->groups = mem_resize(node->groups, node->group_count + 1, sizeof(*node->groups));
            node->groups[node->group_count++] = group;
        }
    }
    return true;
}

/* Fills `node` from what the form caught; false when a word or number is none. */
static inline bool naive_fill(NaiveNode *node, const NaiveMatch *match, bool subject)
{
    size_t numbers = 0;

    for (size_t i = 0; i < match->count; i++) {
        NaiveText part = match->parts[i];
        long long number = 0;

        if ((match->kinds[i] == 'A' || match->kinds[i] == 'd') && !naive_number(part, &number))
            return false;
        if (match->kinds[i] == 'v')
            naive_word(part, node->verb);
        else if (match->kinds[i] == 'A' && i == 0 && subject)
            node->subject = number;
        else if (match->kinds[i] == 'A')
            node->target = number;
        else if (match->kinds[i] == 'd')
            node->numbers[numbers++] = number;
        else if (!naive_one_of(part, naive_listed(node->verb, "|AGREE|DISAGREE|") ? "|TALK|WHISPER|"
                                     : naive_listed(node->verb, "|DIVINED|IDENTIFIED|")
                                         ? "|HUMAN|WEREWOLF|ANY|"
                                         : "|VILLAGER|SEER|MEDIUM|BODYGUARD|WEREWOLF|POSSESSED|ANY|"
                                           "FREEMASON|FOX|"))
            return false;
        else
            naive_word(part, node->word);
    }
    return true;
}

static inline size_t naive_groups_needed(const NaiveNode *node)
{
    return naive_listed(node->verb, "|NOT|DAY|REQUEST|INQUIRE|") ? 1
           : naive_listed(node->verb, "|BECAUSE|XOR|")           ? 2
                                                                 : 0;
}

static inline NaiveNode *naive_read(NaiveText text)
{
    NaiveNode *node = mem_new(sizeof(*node));
    NaiveMatch match;
    bool subject;

    node->subject = NAIVE_NONE;
    node->target = NAIVE_NONE;
    while (text.len && text.at[0] <= 0x20)
        text = (NaiveText){text.at + 1, text.len - 1};
    while (text.len && text.at[text.len - 1] <= 0x20)
        text.len--;
    if (naive_is(text, "Skip") || naive_is(text, "Over")) {
        naive_word(text, node->verb);
        return node;
    }
    for (size_t form = 0; form < sizeof(naive_forms) / sizeof(naive_forms[0]); form++) {
        if (!naive_match_form(text, form, &match, &subject))
            continue;
        if (!naive_fill(node, &match, subject) || !naive_read_groups(node, match.groups) ||
            node->group_count < naive_groups_needed(node))
            return naive_free(node);
        if (strcmp(node->verb, "REQUEST") == 0 && node->target == NAIVE_NONE)
            node->target = node->groups[0]->subject == NAIVE_NONE ? 0 : node->groups[0]->subject;
        return node;
    }
    return naive_free(node);
}

static inline void naive_write_agent(long long agent, Buf *out)
{
    if (agent == 0)
        buf_printf(out, "ANY");
    else
        buf_printf(out, "Agent[%02lld]", agent);
}

/* Section 4. */
static inline void naive_write(const NaiveNode *node, long long inherited, Buf *out)
{
    long long subject = node->subject == NAIVE_NONE ? inherited : node->subject;
    bool takes = strcmp(node->verb, "REQUEST") == 0 || strcmp(node->verb, "INQUIRE") == 0;
    bool many = strcmp(node->verb, "AND") == 0 || strcmp(node->verb, "OR") == 0;
    size_t shown = many ? node->group_count : naive_groups_needed(node);

    if (strcmp(node->verb, "Skip") == 0 || strcmp(node->verb, "Over") == 0) {
        buf_printf(out, "%s", node->verb);
        return;
    }
    if (subject != inherited) {
        naive_write_agent(subject, out);
        buf_printf(out, " ");
    }
    buf_printf(out, "%s", node->verb);
    if (node->target != NAIVE_NONE) {
        buf_printf(out, " ");
        naive_write_agent(node->target, out);
    }
    if (node->word[0])
        buf_printf(out, " %s", node->word);
    if (naive_listed(node->verb, "|AGREE|DISAGREE|"))
        buf_printf(out, " day%lld ID:%lld", node->numbers[0], node->numbers[1]);
    if (strcmp(node->verb, "DAY") == 0)
        buf_printf(out, " %lld", node->numbers[0]);
    if (many && shown == 0)
        buf_printf(out, " ");
    for (size_t i = 0; i < shown; i++) {
        buf_printf(out, " (");
        naive_write(node->groups[i], takes ? node->target : subject, out);
        buf_printf(out, ")");
    }
}

/* True when the Java library would call `text` valid; then `out` gets the canonical text. */
static inline bool naive_canonical(Str text, Buf *out)
{
    uint32_t *points = mem_new((text.len + 1) * sizeof(*points));
    NaiveText all = {points, 0};

    while (text.len) {
        uint32_t point = utf8_next(&text);
        points[all.len++] = point == UTF8_INVALID ? UTF8_REPLACEMENT : point;
    }
    NaiveNode *node = naive_read(all);
    bool valid = node != NULL;
    if (valid)
        naive_write(node, NAIVE_NONE, out);
    naive_free(node);
    mem_free(points);
    return valid;
}

#endif
