/* How a sentence is built and copied (docs/spec/language.md 3 and 4).
 *
 * A content is copied into its new place, because there its omitted subjects mean what the new
 * outer sentence says, and because a sentence can be a content only once. The copy resolves
 * subjects from the outside in: an omitted one takes what its outer sentence hands down.
 */
#include "lang/walk.h"

/* An outer sentence being filled. */
typedef struct Fill {
    Sentence *outer;
    Sentence *last;
} Fill;

static void attach_content(Fill *fill, Sentence *node)
{
    if (fill->last)
        fill->last->next = node;
    else
        fill->outer->child = node;
    fill->last = node;
}

/* A copy of `source` with everything in it; `inherited` for its subject when omitted. */
static Sentence *copy_tree(Arena *arena, const Sentence *source, LangAgent inherited)
{
    Fill fills[LANG_DEPTH_MAX + 1];
    Sentence *root = NULL;
    Walk walk;

    for (walk_start(&walk, source); walk.at; walk_next(&walk)) {
        Fill *outer = walk.depth ? &fills[walk.depth - 1] : NULL;
        Sentence *node = arena_take(arena, sizeof(*node));

        if (!node)
            return NULL;
        *node = *walk.at;
        node->next = NULL;
        node->child = NULL;
        if (node->subject == LANG_UNSPEC)
            node->subject = outer ? lang_inherited(outer->outer) : inherited;
        if (outer)
            attach_content(outer, node);
        else
            root = node;
        fills[walk.depth] = (Fill){.outer = node};
    }
    return root;
}

const Sentence *lang_copy(Arena *arena, const Sentence *sentence, LangAgent speaker)
{
    size_t used = arena->used;
    Sentence *copy = sentence ? copy_tree(arena, sentence, speaker) : NULL;

    if (!copy)
        arena->used = used;
    return copy;
}

/* A sentence of `head`'s values with copies of the contents; every builder ends here. */
static const Sentence *build_sentence(Arena *arena, Sentence head, size_t count,
                                      const Sentence *const contents[])
{
    size_t used = arena->used;
    Sentence *node;

    if (head.subject < LANG_UNSPEC || head.target < LANG_UNSPEC || count > UINT16_MAX)
        return NULL;
    if (head.target == LANG_UNSPEC)
        head.target = LANG_ANY;
    for (size_t i = 0; i < count; i++) {
        if (!contents[i] || contents[i]->height >= LANG_DEPTH_MAX)
            return NULL;
        if (head.height < contents[i]->height + 1)
            head.height = (uint16_t)(contents[i]->height + 1);
    }
    head.child_count = (uint16_t)count;
    node = arena_take(arena, sizeof(*node));
    if (!node)
        return NULL;
    *node = head;
    Fill fill = {.outer = node};
    for (size_t i = 0; i < count; i++) {
        Sentence *content = copy_tree(arena, contents[i], lang_inherited(node));

        if (!content) {
            arena->used = used;
            return NULL;
        }
        attach_content(&fill, content);
    }
    return node;
}

/* The values of a sentence that has nothing but a subject and a target. */
static Sentence head_of(LangKind kind, LangAgent subject, LangAgent target)
{
    return (Sentence){.kind = kind, .subject = subject, .target = target, .day = -1, .talk_id = -1};
}

static const Sentence *build_role(Arena *arena, Sentence head, Role role)
{
    if ((unsigned)role >= ROLE_COUNT)
        return NULL;
    head.role = role;
    return build_sentence(arena, head, 0, NULL);
}

static const Sentence *build_species(Arena *arena, Sentence head, Species species)
{
    if ((unsigned)species > SPECIES_WEREWOLF)
        return NULL;
    head.species = species;
    return build_sentence(arena, head, 0, NULL);
}

static const Sentence *build_reference(Arena *arena, Sentence head, LangTalk talk, int32_t day,
                                       int32_t id)
{
    if (talk != LANG_TALK && talk != LANG_WHISPER)
        return NULL;
    head.talk = talk;
    head.day = day;
    head.talk_id = id;
    return build_sentence(arena, head, 0, NULL);
}

/* ---- verbs ---- */

const Sentence *lang_estimate(Arena *arena, LangAgent subject, LangAgent target, Role role)
{
    return build_role(arena, head_of(LANG_ESTIMATE, subject, target), role);
}

const Sentence *lang_comingout(Arena *arena, LangAgent subject, LangAgent target, Role role)
{
    return build_role(arena, head_of(LANG_COMINGOUT, subject, target), role);
}

const Sentence *lang_divination(Arena *arena, LangAgent subject, LangAgent target)
{
    return build_sentence(arena, head_of(LANG_DIVINATION, subject, target), 0, NULL);
}

const Sentence *lang_guard(Arena *arena, LangAgent subject, LangAgent target)
{
    return build_sentence(arena, head_of(LANG_GUARD, subject, target), 0, NULL);
}

const Sentence *lang_vote(Arena *arena, LangAgent subject, LangAgent target)
{
    return build_sentence(arena, head_of(LANG_VOTE, subject, target), 0, NULL);
}

const Sentence *lang_attack(Arena *arena, LangAgent subject, LangAgent target)
{
    return build_sentence(arena, head_of(LANG_ATTACK, subject, target), 0, NULL);
}

const Sentence *lang_guarded(Arena *arena, LangAgent subject, LangAgent target)
{
    return build_sentence(arena, head_of(LANG_GUARDED, subject, target), 0, NULL);
}

const Sentence *lang_voted(Arena *arena, LangAgent subject, LangAgent target)
{
    return build_sentence(arena, head_of(LANG_VOTED, subject, target), 0, NULL);
}

const Sentence *lang_attacked(Arena *arena, LangAgent subject, LangAgent target)
{
    return build_sentence(arena, head_of(LANG_ATTACKED, subject, target), 0, NULL);
}

const Sentence *lang_divined(Arena *arena, LangAgent subject, LangAgent target, Species species)
{
    return build_species(arena, head_of(LANG_DIVINED, subject, target), species);
}

const Sentence *lang_identified(Arena *arena, LangAgent subject, LangAgent target, Species species)
{
    return build_species(arena, head_of(LANG_IDENTIFIED, subject, target), species);
}

const Sentence *lang_agree(Arena *arena, LangAgent subject, LangTalk talk, int32_t day, int32_t id)
{
    return build_reference(arena, head_of(LANG_AGREE, subject, LANG_ANY), talk, day, id);
}

const Sentence *lang_disagree(Arena *arena, LangAgent subject, LangTalk talk, int32_t day,
                              int32_t id)
{
    return build_reference(arena, head_of(LANG_DISAGREE, subject, LANG_ANY), talk, day, id);
}

/* ---- operators ---- */

const Sentence *lang_request(Arena *arena, LangAgent subject, LangAgent target,
                             const Sentence *content)
{
    if (target == LANG_UNSPEC && content)
        target = content->subject; /* LANG_UNSPEC again becomes ANY */
    return build_sentence(arena, head_of(LANG_REQUEST, subject, target), 1, &content);
}

const Sentence *lang_inquire(Arena *arena, LangAgent subject, LangAgent target,
                             const Sentence *content)
{
    return build_sentence(arena, head_of(LANG_INQUIRE, subject, target), 1, &content);
}

const Sentence *lang_because(Arena *arena, LangAgent subject, const Sentence *reason,
                             const Sentence *action)
{
    const Sentence *contents[] = {reason, action};

    return build_sentence(arena, head_of(LANG_BECAUSE, subject, LANG_ANY), 2, contents);
}

const Sentence *lang_day(Arena *arena, LangAgent subject, int32_t day, const Sentence *content)
{
    Sentence head = head_of(LANG_DAY, subject, LANG_ANY);

    head.day = day;
    return build_sentence(arena, head, 1, &content);
}

const Sentence *lang_not(Arena *arena, LangAgent subject, const Sentence *content)
{
    return build_sentence(arena, head_of(LANG_NOT, subject, LANG_ANY), 1, &content);
}

const Sentence *lang_and(Arena *arena, LangAgent subject, size_t count,
                         const Sentence *const contents[])
{
    return build_sentence(arena, head_of(LANG_AND, subject, LANG_ANY), count, contents);
}

const Sentence *lang_or(Arena *arena, LangAgent subject, size_t count,
                        const Sentence *const contents[])
{
    return build_sentence(arena, head_of(LANG_OR, subject, LANG_ANY), count, contents);
}

const Sentence *lang_xor(Arena *arena, LangAgent subject, const Sentence *a, const Sentence *b)
{
    const Sentence *contents[] = {a, b};

    return build_sentence(arena, head_of(LANG_XOR, subject, LANG_ANY), 2, contents);
}
