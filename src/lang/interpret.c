/* What a sentence means beyond its text: ANY as a choice (docs/spec/language.md 6.3) and the
 * utterance that AGREE and DISAGREE are about (6.1).
 *
 * Expanding: wherever a sentence has an ANY of its own, an OR of that sentence with every value
 * takes its place. An ANY that a content only inherits is not its own: it is the same agent as
 * outside, so it follows the value chosen there. expand() and expand_choices() call each other
 * once per level of contents, at most LANG_DEPTH_MAX times, and each call takes a sentence from
 * the stated budget.
 */
#include "lang/walk.h"

static bool has_subject(LangKind kind)
{
    return kind != LANG_SKIP && kind != LANG_OVER;
}

static bool has_target(LangKind kind)
{
    return kind <= LANG_IDENTIFIED || kind == LANG_REQUEST || kind == LANG_INQUIRE;
}

static bool has_role(LangKind kind)
{
    return kind <= LANG_COMINGOUT;
}

static bool has_species(LangKind kind)
{
    return kind == LANG_DIVINED || kind == LANG_IDENTIFIED;
}

/* ANY in what the sentence says itself, its subject aside. */
static bool has_any_argument(const Sentence *node)
{
    return (has_target(node->kind) && node->target == LANG_ANY) ||
           (has_role(node->kind) && node->role == LANG_ROLE_ANY) ||
           (has_species(node->kind) && node->species == LANG_SPECIES_ANY);
}

bool lang_has_any(const Sentence *sentence)
{
    Walk walk;

    for (walk_start(&walk, sentence); walk.at; walk_next(&walk))
        if (has_any_argument(walk.at) ||
            (has_subject(walk.at->kind) && walk.at->subject == LANG_ANY))
            return true;
    return false;
}

bool lang_asks_which(const Sentence *inquire)
{
    Walk walk;

    walk_start(&walk, inquire);
    walk_next(&walk);
    for (; walk.at; walk_next(&walk))
        if (has_any_argument(walk.at) ||
            (has_subject(walk.at->kind) && walk.at->subject == LANG_ANY &&
             walk_inherited(&walk) != LANG_ANY))
            return true;
    return false;
}

/* ---- expanding ANY ---- */

typedef struct Expand {
    const LangWorld *world;
    Arena *arena;
    size_t left; /* sentences that may still be made */
    int status;  /* of the first failure */
    Err *err;
} Expand;

/* What a content without a subject of its own inherits: in the source, and in the result. */
typedef struct Scope {
    LangAgent before;
    LangAgent after;
    bool question; /* inside INQUIRE: ANY stays */
} Scope;

static Sentence *expand_sentence(Expand *to, const Sentence *source, Scope scope);

static Sentence *give_up(Expand *to, ErrCode code, const char *why)
{
    if (to->status == 0)
        to->status = err_set(to->err, code, "%s", why);
    return NULL;
}

static Sentence *take_sentence(Expand *to, const Sentence *head)
{
    Sentence *node;

    if (to->left == 0)
        return give_up(to, ERR_LIMIT, "ANY stands for too many sentences");
    to->left--;
    node = arena_take(to->arena, sizeof(*node));
    if (!node)
        return give_up(to, ERR_MEMORY, "no room left for the sentences that ANY stands for");
    *node = *head;
    node->next = NULL;
    node->child = NULL;
    node->child_count = 0;
    node->surplus = 0;
    node->height = 0;
    return node;
}

/* `*last` is the last content of `outer` so far. */
static bool attach_content(Expand *to, Sentence *outer, Sentence **last, Sentence *content)
{
    if (content->height >= LANG_DEPTH_MAX || outer->child_count == UINT16_MAX) {
        give_up(to, ERR_LIMIT, "ANY stands for too many sentences");
        return false;
    }
    if (*last)
        (*last)->next = content;
    else
        outer->child = content;
    *last = content;
    outer->child_count++;
    if (outer->height <= content->height)
        outer->height = (uint16_t)(content->height + 1);
    return true;
}

/* `head` is `source` with its values chosen: a sentence of it, with the contents expanded. */
static Sentence *expand_chosen(Expand *to, const Sentence *source, const Sentence *head,
                               bool question)
{
    Sentence *node = take_sentence(to, head);
    Sentence *last = NULL;

    if (!node)
        return NULL;
    Scope inner = {.before = lang_inherited(source),
                   .after = lang_inherited(node),
                   .question = question || source->kind == LANG_INQUIRE};
    for (const Sentence *content = source->child; content; content = content->next) {
        Sentence *copy = expand_sentence(to, content, inner);
        if (!copy || !attach_content(to, node, &last, copy))
            return NULL;
    }
    return node;
}

/* Every value of one word in turn: the values of a set, or the one value that is given. */
typedef struct Values {
    uint32_t set; /* bit v: value v */
    int32_t only;
} Values;

static Values agents(const Expand *to, bool any, LangAgent agent)
{
    return any ? (Values){.set = to->world->seats & ~(uint32_t)1} : (Values){.only = agent};
}

static int32_t values_first(Values values)
{
    return values.set ? __builtin_ctz(values.set) : values.only;
}

/* False behind the last. */
static bool values_next(Values *values)
{
    values->set &= values->set - 1;
    return values->set != 0;
}

/* The OR of `source` over all values of its ANYs. `head` is `source` with its subject resolved;
 * `free_subject` says that its subject is an ANY of its own. */
static Sentence *expand_choices(Expand *to, const Sentence *source, Sentence head,
                                bool free_subject, LangAgent outside)
{
    const uint32_t all_roles = to->world->roles & (((uint32_t)1 << ROLE_COUNT) - 2);
    const uint32_t all_species = 1u << SPECIES_HUMAN | 1u << SPECIES_WEREWOLF;
    bool free_target = has_target(head.kind) && head.target == LANG_ANY;
    bool free_role = has_role(head.kind) && head.role == LANG_ROLE_ANY;
    bool free_species = has_species(head.kind) && head.species == LANG_SPECIES_ANY;
    Sentence or_head = {.kind = LANG_OR,
                        .subject = free_subject ? outside : head.subject,
                        .target = LANG_ANY,
                        .day = -1,
                        .talk_id = -1};
    Sentence *last = NULL;

    Values subjects = agents(to, free_subject, head.subject);
    if (((free_subject || free_target) && !agents(to, true, 0).set) || (free_role && !all_roles))
        return give_up(to, ERR_LIMIT, "there is nothing that ANY could stand for");
    Sentence *node = take_sentence(to, &or_head);
    if (!node)
        return NULL;
    do {
        Values targets = agents(to, free_target, head.target);
        do {
            Values roles = {.set = free_role ? all_roles : 0, .only = (int32_t)head.role};
            do {
                Values species = {.set = free_species ? all_species : 0,
                                  .only = (int32_t)head.species};
                do {
                    Sentence chosen = head;
                    chosen.subject = values_first(subjects);
                    chosen.target = values_first(targets);
                    chosen.role = (Role)values_first(roles);
                    chosen.species = (Species)values_first(species);
                    Sentence *one = expand_chosen(to, source, &chosen, false);
                    if (!one || !attach_content(to, node, &last, one))
                        return NULL;
                } while (values_next(&species));
            } while (values_next(&roles));
        } while (values_next(&targets));
    } while (values_next(&subjects));
    return node;
}

static Sentence *expand_sentence(Expand *to, const Sentence *source, Scope scope)
{
    Sentence head = *source;

    if (source->subject == scope.before)
        head.subject = scope.after;
    bool free_subject = has_subject(head.kind) && head.subject == LANG_ANY;
    if (scope.question || !(free_subject || has_any_argument(&head)))
        return expand_chosen(to, source, &head, scope.question);
    return expand_choices(to, source, head, free_subject, scope.after);
}

int lang_expand(const Sentence *sentence, LangAgent speaker, const LangWorld *world, Arena *arena,
                size_t sentence_max, const Sentence **ret_sentence, Err *err)
{
    Expand to = {.world = world, .arena = arena, .left = sentence_max, .err = err};
    size_t used = arena->used;
    Sentence *result = expand_sentence(&to, sentence, (Scope){LANG_UNSPEC, speaker, false});

    if (!result) {
        arena->used = used;
        return to.status;
    }
    *ret_sentence = result;
    return 0;
}

/* ---- following AGREE and DISAGREE ---- */

int lang_referred(LangSpoken said, const LangArchive *archive, LangSpoken *ret_about,
                  bool *ret_agrees, Err *err)
{
    bool agrees = true;

    for (unsigned steps = 0; steps <= LANG_CHAIN_MAX; steps++) {
        const Sentence *at = said.sentence;

        if (at->kind != LANG_AGREE && at->kind != LANG_DISAGREE) {
            *ret_about = said;
            *ret_agrees = agrees;
            return 0;
        }
        if (at->kind == LANG_DISAGREE)
            agrees = !agrees;
        if (!archive->find(archive, at->talk, at->day, at->talk_id, &said))
            return err_set(err, ERR_RULE, "there is no %s day%d ID:%d to agree or disagree with",
                           lang_talk_name(at->talk), (int)at->day, (int)at->talk_id);
    }
    return err_set(err, ERR_LIMIT, "expected at most %d utterances that agree with each other",
                   LANG_CHAIN_MAX);
}
