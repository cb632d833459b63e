/* How a sentence is put into Japanese.
 *
 * Each sentence is a clause that ends in a verb ("Agent[01]はAgent[02]に投票する"), so that it may
 * stand in front of ので, ということはない, よう求める and かどうか尋ねる as it is. These functions
 * call each other once per level of contents, as those of explain.c.
 */
#include "lang/explain.h"

typedef struct Voice {
    Buf *out;
    LangAgent speaker;
    bool question; /* inside an INQUIRE that asks what ANY stands for */
} Voice;

static void say_clause(const Voice *voice, const Sentence *node, LangAgent inherited, bool subject);

static void say_text(const Voice *voice, const char *text)
{
    buf_add(voice->out, str_of(text));
}

static LangAgent named_agent(const Voice *voice, LangAgent agent)
{
    return agent == LANG_UNSPEC ? voice->speaker : agent;
}

static void say_agent(const Voice *voice, LangAgent agent)
{
    agent = named_agent(voice, agent);
    if (agent == LANG_UNSPEC)
        say_text(voice, "発言者");
    else if (agent == LANG_ANY)
        say_text(voice, voice->question ? "ANY" : "誰か");
    else
        buf_printf(voice->out, "Agent[%02d]", (int)agent);
}

static void say_role(const Voice *voice, Role role)
{
    if (role == LANG_ROLE_ANY)
        say_text(voice, voice->question ? "ANY" : "何らかの役職");
    else
        say_text(voice, role_word(role, true));
}

/* "占いでAgent[02]を人狼と判定した" */
static void say_result(const Voice *voice, const Sentence *node)
{
    say_text(voice, node->kind == LANG_DIVINED ? "占いで" : "霊媒で");
    say_agent(voice, node->target);
    if (node->species == LANG_SPECIES_ANY && !voice->question) {
        say_text(voice, "の結果を得た");
        return;
    }
    say_text(voice, "を");
    say_text(voice, node->species == SPECIES_HUMAN      ? "人間"
                    : node->species == SPECIES_WEREWOLF ? "人狼"
                                                        : "ANY");
    say_text(voice, "と判定した");
}

static void say_target(const Voice *voice, const Sentence *node, const char *verb)
{
    say_agent(voice, node->target);
    say_text(voice, verb);
}

static void say_content(const Voice *voice, const Sentence *content, LangAgent inherited,
                        bool parentheses)
{
    if (parentheses)
        say_text(voice, "（");
    say_clause(voice, content, inherited, true);
    if (parentheses)
        say_text(voice, "）");
}

static bool is_deed_of(const Sentence *node, LangAgent agent)
{
    return node->kind <= LANG_INQUIRE && node->subject == agent;
}

/* "Agent[02]にAgent[03]に投票するよう求める": whom it is asked comes with a comma. */
static void say_request(const Voice *voice, const Sentence *node)
{
    const Sentence *content = node->child;

    say_target(voice, node, "に、");
    if (is_deed_of(content, node->target)) {
        say_clause(voice, content, node->target, false);
        say_text(voice, "よう求める");
    } else if (content->kind == LANG_NOT && content->subject == node->target &&
               is_deed_of(content->child, node->target)) {
        say_clause(voice, content->child, node->target, false);
        say_text(voice, "ことのないよう求める");
    } else {
        say_content(voice, content, node->target, explain_has_parts(content->kind));
        say_text(voice, "ようにしてほしいと求める");
    }
}

static void say_inquiry(const Voice *voice, const Sentence *node)
{
    Voice inner = *voice;

    say_target(voice, node, "に、");
    inner.question = lang_asks_which(node);
    say_text(voice, inner.question ? "「" : "");
    say_content(&inner, node->child, node->target,
                !inner.question && explain_has_parts(node->child->kind));
    say_text(voice, inner.question ? "」のANYに何が入るか尋ねる" : "かどうか尋ねる");
}

/* Of a verb, and of REQUEST and INQUIRE, what comes behind the subject. */
static void say_predicate(const Voice *voice, const Sentence *node)
{
    bool self = node->target != LANG_ANY && node->target == named_agent(voice, node->subject);

    switch (node->kind) {
    case LANG_ESTIMATE:
    case LANG_COMINGOUT:
        if (node->kind == LANG_ESTIMATE || !self)
            say_target(voice, node, node->kind == LANG_ESTIMATE ? "を" : "が");
        say_role(voice, node->role);
        say_text(voice, node->kind == LANG_ESTIMATE ? "だと考える"
                        : self                      ? "だと名乗る"
                                                    : "だと告げる");
        break;
    case LANG_DIVINATION:
        say_target(voice, node, "を占う");
        break;
    case LANG_GUARD:
        say_target(voice, node, "を護衛する");
        break;
    case LANG_VOTE:
        say_target(voice, node, "に投票する");
        break;
    case LANG_ATTACK:
        say_target(voice, node, "を襲撃する");
        break;
    case LANG_GUARDED:
        say_target(voice, node, "を護衛した");
        break;
    case LANG_VOTED:
        say_target(voice, node, "に投票した");
        break;
    case LANG_ATTACKED:
        say_target(voice, node, "を襲撃した");
        break;
    case LANG_DIVINED:
    case LANG_IDENTIFIED:
        say_result(voice, node);
        break;
    case LANG_AGREE:
    case LANG_DISAGREE:
        buf_printf(voice->out, "%d日目の%s%dに%s", (int)node->day,
                   node->talk == LANG_WHISPER ? "囁き" : "発言", (int)node->talk_id,
                   node->kind == LANG_AGREE ? "賛成する" : "反対する");
        break;
    case LANG_SKIP:
        say_text(voice, "今は何も言わない");
        break;
    case LANG_OVER:
        say_text(voice, "もう何も言わない");
        break;
    case LANG_REQUEST:
        say_request(voice, node);
        break;
    case LANG_INQUIRE:
        say_inquiry(voice, node);
        break;
    case LANG_BECAUSE:
    case LANG_DAY:
    case LANG_NOT:
    case LANG_AND:
    case LANG_OR:
    case LANG_XOR:
    case LANG_KIND_COUNT:
        break;
    }
}

static void say_list(const Voice *voice, const Sentence *node, const char *joint)
{
    if (!node->child)
        say_text(voice, "何も言わない");
    for (const Sentence *content = node->child; content; content = content->next) {
        say_content(voice, content, node->subject,
                    node->child_count > 1 && lang_is_operator(content->kind));
        if (content->next)
            say_text(voice, joint);
    }
}

/* BECAUSE, DAY, NOT, AND, OR, XOR. */
static void say_operator(const Voice *voice, const Sentence *node)
{
    const Sentence *first = node->child;

    switch (node->kind) {
    case LANG_BECAUSE:
        say_content(voice, first, node->subject, lang_is_operator(first->kind));
        say_text(voice, "ので、");
        say_content(voice, first->next, node->subject, explain_has_parts(first->next->kind));
        break;
    case LANG_DAY:
        buf_printf(voice->out, "%d日目に", (int)node->day);
        say_content(voice, first, node->subject, explain_has_parts(first->kind));
        break;
    case LANG_NOT:
        say_content(voice, first, node->subject, explain_has_parts(first->kind));
        say_text(voice, "ということはない");
        break;
    case LANG_AND:
        say_list(voice, node, "、かつ");
        break;
    case LANG_OR:
        say_list(voice, node, "、または");
        break;
    case LANG_XOR:
        say_list(voice, node, "か、");
        say_text(voice, "かのどちらか一方だけが成り立つ");
        break;
    case LANG_ESTIMATE: /* predicates, see above */
    case LANG_COMINGOUT:
    case LANG_DIVINATION:
    case LANG_GUARD:
    case LANG_VOTE:
    case LANG_ATTACK:
    case LANG_GUARDED:
    case LANG_VOTED:
    case LANG_ATTACKED:
    case LANG_DIVINED:
    case LANG_IDENTIFIED:
    case LANG_AGREE:
    case LANG_DISAGREE:
    case LANG_SKIP:
    case LANG_OVER:
    case LANG_REQUEST:
    case LANG_INQUIRE:
    case LANG_KIND_COUNT:
        break;
    }
}

/* Without its subject where the one who says it is known, and says it of itself. */
static void say_clause(const Voice *voice, const Sentence *node, LangAgent inherited, bool subject)
{
    bool same = named_agent(voice, node->subject) == named_agent(voice, inherited);

    if (node->kind > LANG_INQUIRE) {
        if (!same) {
            say_agent(voice, node->subject);
            say_text(voice, "によれば、");
        }
        say_operator(voice, node);
        return;
    }
    if (subject && !(same && named_agent(voice, node->subject) == voice->speaker)) {
        if (node->subject == LANG_ANY && inherited == LANG_ANY)
            say_text(voice, "そのエージェント");
        else
            say_agent(voice, node->subject);
        say_text(voice, "は");
    }
    say_predicate(voice, node);
}

void explain_japanese(const Sentence *sentence, LangAgent speaker, Buf *out)
{
    const Voice voice = {.out = out, .speaker = speaker};

    say_clause(&voice, sentence, LANG_UNSPEC, true);
}
