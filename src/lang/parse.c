/* How a sentence is read (docs/spec/language.md 5.1), in one pass and without recursion.
 *
 * Only the outermost operator can have damaged parentheses: a group is, by the way it is found,
 * balanced. So find_outer_group() counts as the Java library does, and everything inside a group
 * is read straight on. Whether a group of the outermost operator is closed at all, which makes it
 * one, shows by reading it: reading to the matching parenthesis succeeds only if there is one.
 * When reading fails, skip_unclosed() looks; that happens once in a text, for behind a parenthesis
 * that is never closed there are no more groups. The sentences being read, one in the other, are a
 * stack in Tree.
 *
 * Readers take the place to read from and return the place behind, or NULL after noting what was
 * wanted in Scan. They never read at or behind scan->end.
 */
#include "lang/reason.h"
#include "lang/words.h"

#include <endian.h>

typedef struct Scan {
    const char *end;   /* of the text without trimmed bytes and the final line separator */
    const char *where; /* of the failure */
    Want want;
} Scan;

typedef struct Tree {
    unsigned depth; /* how many operators are being read */
    Sentence *open[LANG_DEPTH_MAX + 1];
    Sentence *last[LANG_DEPTH_MAX + 1]; /* the last content of each; NULL = none yet */
    long level;                         /* counter of the outermost operator, step 4 */
    const char *unclosed;               /* its parenthesis that is never closed, or NULL */

    /* The group of the outermost operator being read, and how things were before it. */
    const char *group; /* its '('; NULL before the first */
    size_t used;       /* of the arena */
    Sentence root;
    Sentence *root_last;
} Tree;

static const Sentence skip_sentence = {
    .subject = LANG_UNSPEC, .day = -1, .talk_id = -1, .kind = LANG_SKIP};
static const Sentence over_sentence = {
    .subject = LANG_UNSPEC, .day = -1, .talk_id = -1, .kind = LANG_OVER};

const Sentence *lang_skip(void)
{
    return &skip_sentence;
}

const Sentence *lang_over(void)
{
    return &over_sentence;
}

static __attribute__((cold)) const char *fail(Scan *scan, const char *where, Want want)
{
    scan->where = where;
    scan->want = want;
    return NULL;
}

/* Points at what follows the sentence, not at the blank between. */
static __attribute__((cold)) bool fail_end(Scan *scan, const char *where)
{
    while (where < scan->end && (unsigned char)*where <= ' ')
        where++;
    fail(scan, where, WANT_END);
    return false;
}

/* ---- characters ---- */

static inline bool is_break(char c)
{
    return c == '\n' || c == '\r';
}

static inline bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* `ws` of step 3. Inside parentheses no line break is allowed, see the form P. */
static inline bool is_blank(char c, bool inside)
{
    return c == ' ' || (c >= '\t' && c <= '\r' && !(inside && is_break(c)));
}

/* What step 1 trims: up to U+0020. */
static inline bool is_trimmed(char c)
{
    return (unsigned char)c <= ' ';
}

/* U+0085, U+2028 or U+2029 at `at`: its length in bytes, else 0. In malformed UTF-8 too, a lead
 * byte starts a character anew, so looking at bytes finds what Java finds. */
static inline size_t separator_len(const char *at, const char *end)
{
    if (end - at >= 2 && at[0] == '\xC2' && at[1] == '\x85')
        return 2;
    if (end - at >= 3 && at[0] == '\xE2' && at[1] == '\x80' && (at[2] == '\xA8' || at[2] == '\xA9'))
        return 3;
    return 0;
}

/* One or more blanks. */
static inline const char *read_blanks(Scan *scan, const char *at, bool inside)
{
    if (at == scan->end || !is_blank(*at, inside))
        return fail(scan, at,
                    inside && at < scan->end && is_break(*at) ? WANT_ONE_LINE : WANT_BLANK);
    do
        at++;
    while (at < scan->end && is_blank(*at, inside));
    return at;
}

/* ---- words ---- */

/* First letter and length in one number: the index of the tables below. */
#define WORD_CODE(first, length) ((unsigned)((first) - 'A') << 4 | (unsigned)(length))
#define WORD_CODES               (26u << 4)

/* The only word of each code, plus 1; 0 = there is none. */
#define VERB(first, length, name) [WORD_CODE(first, length)] = LANG_##name + 1,
#define ROLE(first, length, name) [WORD_CODE(first, length)] = ROLE_##name + 1,
static const uint8_t verb_of_code[WORD_CODES] = {WORDS_VERBS(VERB)};
static const uint8_t role_of_code[WORD_CODES] = {
    WORDS_ROLES(ROLE)[WORD_CODE('A', 3)] = LANG_ROLE_ANY + 1,
};

/* The end of the word at `at`: of the ASCII bytes with the bit that letters have and blanks, digits
 * and parentheses have not. A word with anything but capital letters in it is none of ours, so
 * nobody needs to know where its capitals end. Eight bytes at a time, for this is where most time
 * goes. */
static inline const char *word_end(const Scan *scan, const char *at)
{
    while (scan->end - at >= 8) {
        uint64_t eight;
        memcpy(&eight, at, 8);
        eight = le64toh(eight);
        uint64_t others = (~eight | eight >> 1) & 0x4040404040404040u;
        if (others)
            return at + (__builtin_ctzll(others) >> 3);
        at += 8;
    }
    while (at < scan->end && (*at & 0xC0) == 0x40)
        at++;
    return at;
}

/* What can't be a word of ours gets 0, the code of no word. */
static inline unsigned word_code(const char *at, const char *end)
{
    if (at == end)
        return 0;
    return *at >= 'A' && *at <= 'Z' && end - at < 16 ? WORD_CODE(*at, end - at) : 0;
}

/* memcmp for words of 2 to 15 bytes: two looks that may overlap, and no call. */
static inline bool same_bytes(const char *a, const char *b, size_t len)
{
    uint64_t far[2];
    uint32_t near[2];

    if (len >= 8) {
        memcpy(&far[0], a, 8);
        memcpy(&far[1], b, 8);
        if (far[0] != far[1])
            return false;
        memcpy(&far[0], a + len - 8, 8);
        memcpy(&far[1], b + len - 8, 8);
        return far[0] == far[1];
    }
    if (len >= 4) {
        memcpy(&near[0], a, 4);
        memcpy(&near[1], b, 4);
        if (near[0] != near[1])
            return false;
        memcpy(&near[0], a + len - 4, 4);
        memcpy(&near[1], b + len - 4, 4);
        return near[0] == near[1];
    }
    return memcmp(a, b, 2) == 0 && a[len - 1] == b[len - 1];
}

static inline bool word_is(const char *at, const char *end, const Word *word)
{
    return end - at == word->len && same_bytes(at, word->text, word->len);
}

static inline LangKind verb_of(const char *at, const char *end)
{
    unsigned found = verb_of_code[word_code(at, end)];

    return found && word_is(at, end, &words_kind[found - 1]) ? (LangKind)(found - 1)
                                                             : LANG_KIND_COUNT;
}

static inline const char *read_role(Scan *scan, const char *at, Role *ret_role)
{
    const char *end = word_end(scan, at);
    unsigned found = role_of_code[word_code(at, end)];

    if (!found || !word_is(at, end, &words_role[found - 1]))
        return fail(scan, at, WANT_ROLE);
    *ret_role = (Role)(found - 1);
    return end;
}

static inline const char *read_species(Scan *scan, const char *at, Species *ret_species)
{
    const char *end = word_end(scan, at);

    for (Species species = LANG_SPECIES_ANY; species <= SPECIES_WEREWOLF; species++)
        if (word_is(at, end, &words_species[species])) {
            *ret_species = species;
            return end;
        }
    return fail(scan, at, WANT_SPECIES);
}

/* `d`: any number of digits whose value fits int32. */
static inline const char *read_number(Scan *scan, const char *at, int32_t *ret_number)
{
    const char *start = at;
    uint64_t number = 0;

    for (; at < scan->end && is_digit(*at); at++) {
        number = number * 10 + (uint64_t)(*at - '0');
        if (number > INT32_MAX)
            return fail(scan, start, WANT_NUMBER);
    }
    if (at == start)
        return fail(scan, start, WANT_NUMBER);
    *ret_number = (int32_t)number;
    return at;
}

static inline bool starts_with_any(const Scan *scan, const char *at)
{
    return scan->end - at >= 3 && memcmp(at, "ANY", 3) == 0;
}

static inline bool starts_with_agent(const Scan *scan, const char *at)
{
    return scan->end - at >= 6 && memcmp(at, "Agent[", 6) == 0;
}

/* `A`; Agent[0] is LANG_ANY by its value. */
static inline const char *read_agent(Scan *scan, const char *at, LangAgent *ret_agent)
{
    if (starts_with_agent(scan, at)) {
        if (scan->end - at >= 9 && is_digit(at[6]) && is_digit(at[7]) && at[8] == ']') {
            *ret_agent = (at[6] - '0') * 10 + (at[7] - '0'); /* nearly every agent */
            return at + 9;
        }
        at = read_number(scan, at + 6, ret_agent);
        if (!at)
            return NULL;
        return at < scan->end && *at == ']' ? at + 1 : fail(scan, at, WANT_BRACKET);
    }
    if (starts_with_any(scan, at)) {
        *ret_agent = LANG_ANY;
        return at + 3;
    }
    return fail(scan, at, WANT_AGENT);
}

/* `W ws day d ws ID: d` of AGREE and DISAGREE. */
static const char *read_reference(Scan *scan, const char *at, bool inside, Sentence *node)
{
    const char *end = word_end(scan, at);

    if (word_is(at, end, &words_talk[LANG_TALK]))
        node->talk = LANG_TALK;
    else if (word_is(at, end, &words_talk[LANG_WHISPER]))
        node->talk = LANG_WHISPER;
    else
        return fail(scan, at, WANT_TALK);
    at = read_blanks(scan, end, inside);
    if (!at)
        return NULL;
    if (scan->end - at < 3 || memcmp(at, "day", 3) != 0)
        return fail(scan, at, WANT_TALK_DAY);
    at = read_number(scan, at + 3, &node->day);
    if (at)
        at = read_blanks(scan, at, inside);
    if (!at)
        return NULL;
    if (scan->end - at < 3 || memcmp(at, "ID:", 3) != 0)
        return fail(scan, at, WANT_TALK_ID);
    return read_number(scan, at + 3, &node->talk_id);
}

/* ---- one sentence without its groups ---- */

/* `[A ws?]`: the place behind, with *ret_subject only changed when there is one. */
static inline const char *read_subject(Scan *scan, const char *at, bool inside,
                                       LangAgent *ret_subject)
{
    if (at == scan->end || *at != 'A' ||
        !(starts_with_agent(scan, at) || starts_with_any(scan, at)))
        return at;
    at = read_agent(scan, at, ret_subject);
    while (at && at < scan->end && is_blank(*at, inside))
        at++;
    return at;
}

/* The forms of step 3 up to the groups: `at` is behind the verb and its blanks. */
static const char *read_arguments(Scan *scan, const char *at, bool inside, Sentence *node)
{
    switch (node->kind) {
    case LANG_ESTIMATE:
    case LANG_COMINGOUT:
    case LANG_DIVINED:
    case LANG_IDENTIFIED:
        at = read_agent(scan, at, &node->target);
        if (at)
            at = read_blanks(scan, at, inside);
        if (!at)
            return NULL;
        if (node->kind == LANG_ESTIMATE || node->kind == LANG_COMINGOUT)
            return read_role(scan, at, &node->role);
        return read_species(scan, at, &node->species);
    case LANG_DIVINATION:
    case LANG_GUARD:
    case LANG_VOTE:
    case LANG_ATTACK:
    case LANG_GUARDED:
    case LANG_VOTED:
    case LANG_ATTACKED:
        return read_agent(scan, at, &node->target);
    case LANG_AGREE:
    case LANG_DISAGREE:
        return read_reference(scan, at, inside, node);
    case LANG_REQUEST:
        /* Without a target it is found in the first content, see add_content(). */
        if (at < scan->end && *at == '(') {
            node->target = LANG_UNSPEC;
            return at;
        }
        if (at == scan->end || *at != 'A')
            return fail(scan, at, WANT_GROUP_OR_TARGET);
        at = read_agent(scan, at, &node->target);
        return at ? read_blanks(scan, at, inside) : NULL;
    case LANG_INQUIRE:
        at = read_agent(scan, at, &node->target);
        return at ? read_blanks(scan, at, inside) : NULL;
    case LANG_DAY:
        at = read_number(scan, at, &node->day);
        return at ? read_blanks(scan, at, inside) : NULL;
    case LANG_BECAUSE:
    case LANG_NOT:
    case LANG_AND:
    case LANG_OR:
    case LANG_XOR:
        return at;
    case LANG_SKIP:
    case LANG_OVER:
    case LANG_KIND_COUNT:
        break;
    }
    return fail(scan, at, WANT_VERB);
}

/* A sentence that is not Skip or Over, up to its groups. The subject is `inherited` when none is
 * given. */
static inline const char *read_clause(Scan *scan, const char *at, bool inside, LangAgent inherited,
                                      Sentence *node)
{
    const char *start = at;

    *node = (Sentence){.subject = inherited, .target = LANG_ANY, .day = -1, .talk_id = -1};
    at = read_subject(scan, at, inside, &node->subject);
    if (!at)
        return NULL;
    const char *end = word_end(scan, at);
    node->kind = verb_of(at, end);
    if (node->kind == LANG_KIND_COUNT)
        return fail(scan, at, at == start ? WANT_SENTENCE : WANT_VERB);
    at = read_blanks(scan, end, inside);
    return at ? read_arguments(scan, at, inside, node) : NULL;
}

/* `Skip` or `Over` at `at`; step 2 compares the whole text, so the caller looks behind. */
static inline const char *read_plain(const Scan *scan, const char *at, LangAgent inherited,
                                     Sentence *node)
{
    LangKind kind = LANG_SKIP;

    if (scan->end - at < 4)
        return NULL;
    if (memcmp(at, "Over", 4) == 0)
        kind = LANG_OVER;
    else if (memcmp(at, "Skip", 4) != 0)
        return NULL;
    *node = (Sentence){.subject = inherited, .day = -1, .talk_id = -1, .kind = kind};
    return at + 4;
}

/* ---- groups ---- */

/* The next group of the outermost operator: its '(', or scan->end behind the last. Counts as
 * step 4 does; what is outside of groups is only searched for line breaks. */
static const char *find_outer_group(Scan *scan, Tree *tree, const char *at)
{
    for (; at < scan->end; at++) {
        switch (*at) {
        case '(':
            if (tree->level == 0)
                return at;
            tree->level++;
            break;
        case ')':
            tree->level--;
            break;
        case '\n':
        case '\r':
            return fail(scan, at, WANT_ONE_LINE);
        default:
            if (separator_len(at, scan->end))
                return fail(scan, at, WANT_ONE_LINE);
        }
    }
    return at;
}

/* The next group of an operator that is inside a group: its '(', or the ')' that ends the group
 * it is in. That must follow its own last group but for trimmed bytes. */
static const char *find_inner_group(Scan *scan, const char *at)
{
    const char *junk = NULL;

    for (; at < scan->end; at++) {
        switch (*at) {
        case '(':
            return at;
        case ')':
            return junk ? fail(scan, junk, WANT_GROUP_END) : at;
        case '\n':
        case '\r':
            return fail(scan, at, WANT_ONE_LINE);
        default:
            if (separator_len(at, scan->end))
                return fail(scan, at, WANT_ONE_LINE);
            if (!junk && !is_trimmed(*at))
                junk = at;
        }
    }
    return fail(scan, at, WANT_GROUP_END);
}

/* The end of a group behind a sentence without groups of its own. */
static inline const char *read_group_end(Scan *scan, const char *at)
{
    while (at < scan->end && is_trimmed(*at) && !is_break(*at))
        at++;
    if (at < scan->end && *at == ')')
        return at + 1;
    return fail(scan, at, at < scan->end && is_break(*at) ? WANT_ONE_LINE : WANT_GROUP_END);
}

/* How many contents an operator needs (step 6), and how many it keeps. */
static const uint16_t contents_min[LANG_KIND_COUNT] = {
    [LANG_REQUEST] = 1, [LANG_INQUIRE] = 1, [LANG_BECAUSE] = 2,
    [LANG_DAY] = 1,     [LANG_NOT] = 1,     [LANG_XOR] = 2,
};
static const uint16_t contents_max[LANG_KIND_COUNT] = {
    [LANG_REQUEST] = 1, [LANG_INQUIRE] = 1, [LANG_BECAUSE] = 2,      [LANG_DAY] = 1,
    [LANG_NOT] = 1,     [LANG_XOR] = 2,     [LANG_AND] = UINT16_MAX, [LANG_OR] = UINT16_MAX,
};

/* Puts `node`, read up to its groups, into the innermost open operator. */
static inline void add_content(Tree *tree, Sentence *node)
{
    Sentence *outer = tree->open[tree->depth - 1];
    Sentence *last = tree->last[tree->depth - 1];

    if (outer->kind == LANG_REQUEST && outer->target == LANG_UNSPEC) { /* step 7 */
        if (node->subject == LANG_UNSPEC)
            node->subject = LANG_ANY;
        outer->target = node->subject;
    }
    if (outer->child_count == contents_max[outer->kind]) {
        outer->surplus++;
        return;
    }
    if (last)
        last->next = node;
    else
        outer->child = node;
    tree->last[tree->depth - 1] = node;
    outer->child_count++;
}

static inline void enter_node(Tree *tree, Sentence *node)
{
    tree->open[tree->depth] = node;
    tree->last[tree->depth] = NULL;
    tree->depth++;
}

/* A content of height `height` is complete. */
static inline void raise_height(Sentence *outer, unsigned height)
{
    if (outer->height < height + 1)
        outer->height = (uint16_t)(height + 1);
}

/* ---- the whole ---- */

/* Goes on behind a complete sentence until the next group is found, leaving each operator that
 * has no more. Returns its '(', or scan->end when the outermost operator is complete. */
static inline const char *find_group(Scan *scan, Tree *tree, const char *at)
{
    while (at) {
        Sentence *outer = tree->open[tree->depth - 1];

        at = tree->depth == 1 ? find_outer_group(scan, tree, at) : find_inner_group(scan, at);
        if (!at || (at < scan->end && *at == '('))
            return at;
        if (outer->child_count < contents_min[outer->kind])
            return tree->unclosed ? fail(scan, tree->unclosed, WANT_CLOSED)
                                  : fail(scan, at, WANT_CONTENT);
        if (--tree->depth == 0)
            return at;
        raise_height(tree->open[tree->depth - 1], outer->height);
        at++;
    }
    return NULL;
}

/* The content whose '(' is at `at`: the place behind its ')', or its first '(' when it is an
 * operator, which is open then. */
static inline const char *read_content(Scan *scan, Tree *tree, const char *at, Arena *arena)
{
    Sentence *node = arena_take(arena, sizeof(*node));
    LangAgent inherited = lang_inherited(tree->open[tree->depth - 1]);

    if (!node)
        return fail(scan, at, WANT_ROOM);
    if (tree->depth > LANG_DEPTH_MAX)
        return fail(scan, at, WANT_SHALLOW);
    at++;
    while (at < scan->end && is_trimmed(*at) && !is_break(*at))
        at++;
    const char *behind = read_plain(scan, at, inherited, node);
    if (!behind)
        behind = read_clause(scan, at, true, inherited, node);
    if (!behind)
        return NULL;
    add_content(tree, node);
    if (lang_is_operator(node->kind)) {
        if (behind == scan->end || *behind != '(')
            return fail(scan, behind, WANT_GROUP);
        enter_node(tree, node);
        return behind;
    }
    raise_height(tree->open[tree->depth - 1], 0);
    return read_group_end(scan, behind);
}

/* ---- a group that turns out to be none ---- */

/* Before the group of the outermost operator at `at`. */
static inline void remember_node(Tree *tree, const char *at, const Arena *arena)
{
    tree->group = at;
    tree->used = arena->used;
    tree->root = *tree->open[0];
    tree->root_last = tree->last[0];
}

/* True when the parenthesis at `at` is closed somewhere. */
static bool is_closed(const Scan *scan, const char *at)
{
    long level = 0;

    for (; at < scan->end; at++) {
        if (*at == '(')
            level++;
        else if (*at == ')' && --level == 0)
            return true;
    }
    return false;
}

/* Reading failed. When the group of the outermost operator is not closed, it is no group and
 * never mattered: all is put back and the place behind its '(' returned. Else NULL. */
static __attribute__((cold)) const char *skip_unclosed(const Scan *scan, Tree *tree, Arena *arena)
{
    if (!tree->group || tree->unclosed || is_closed(scan, tree->group))
        return NULL;
    arena->used = tree->used;
    *tree->open[0] = tree->root;
    tree->last[0] = tree->root_last;
    if (tree->root_last)
        tree->root_last->next = NULL;
    tree->depth = 1;
    tree->unclosed = tree->group;
    tree->level = 1; /* and never 0 again */
    return tree->group + 1;
}

/* False after a failure, which scan tells. */
static bool read_sentence(Scan *scan, const char *at, Arena *arena, Sentence *root)
{
    Tree tree;

    at = read_clause(scan, at, false, LANG_UNSPEC, root);
    if (!at)
        return false;
    if (!lang_is_operator(root->kind))
        return at == scan->end || fail_end(scan, at);
    if (at == scan->end || *at != '(')
        return fail(scan, at, WANT_GROUP);
    if (scan->end[-1] != ')')
        return fail(scan, scan->end, WANT_LAST);

    tree.depth = 0;
    tree.level = 0;
    tree.unclosed = NULL;
    tree.root_last = NULL;
    tree.used = arena->used;
    tree.group = NULL;
    enter_node(&tree, root);
    for (;;) {
        at = find_group(scan, &tree, at);
        if (at && tree.depth == 0)
            return true;
        if (at && tree.depth == 1)
            remember_node(&tree, at, arena);
        if (at)
            at = read_content(scan, &tree, at, arena);
        if (!at)
            at = skip_unclosed(scan, &tree, arena);
        if (!at)
            return false;
    }
}

static int parse_text(Str text, Arena *arena, const Sentence **ret_sentence, Err *err)
{
    const char *at = text.bytes;
    Scan scan = {.end = text.bytes + text.len};

    while (at < scan.end && is_trimmed(*at))
        at++;
    while (at < scan.end && is_trimmed(scan.end[-1]))
        scan.end--;
    if (scan.end - at == 4 && memcmp(at, "Skip", 4) == 0) {
        *ret_sentence = &skip_sentence;
        return 0;
    }
    if (scan.end - at == 4 && memcmp(at, "Over", 4) == 0) {
        *ret_sentence = &over_sentence;
        return 0;
    }
    if (scan.end - at >= 2 && separator_len(scan.end - 2, scan.end) == 2)
        scan.end -= 2;
    else if (scan.end - at >= 3 && separator_len(scan.end - 3, scan.end) == 3)
        scan.end -= 3;

    Sentence *root = arena_take(arena, sizeof(*root));
    if (!root)
        return reason_set(err, WANT_ROOM, text, 0);
    if (!read_sentence(&scan, at, arena, root))
        return reason_set(err, scan.want, text, (size_t)(scan.where - text.bytes));
    *ret_sentence = root;
    return 0;
}

int lang_parse(Str text, Arena *arena, const Sentence **ret_sentence, Err *err)
{
    size_t used = arena->used;

    if (text.len == 0)
        text.bytes = "";
    if (text.len > LANG_BYTES_MAX)
        return reason_set(err, WANT_SHORT, text, LANG_BYTES_MAX);
    int status = parse_text(text, arena, ret_sentence, err);
    if (status != 0)
        arena->used = used;
    return status;
}
