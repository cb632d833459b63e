/* How a sentence is put into English and into JSON (docs/spec/language.md 6).
 *
 * The English follows the tree: each sentence is a clause ("Agent[01] will vote for Agent[02]")
 * or, as the content of a REQUEST to its own subject, an infinitive ("to vote for Agent[02]").
 * These functions call each other once per level of contents. That is bounded: no sentence is
 * higher than LANG_DEPTH_MAX, which parse.c and build.c see to.
 */
#include "lang/explain.h"
#include "lang/walk.h"
#include "lang/words.h"

/* How to say the agents and words of one clause. */
typedef struct Voice {
    Buf *out;
    LangAgent speaker;
    bool question; /* inside an INQUIRE that asks what ANY stands for: say "ANY" */
    bool plain;    /* beside the speaker's name: lang_plain */
} Voice;

static void say_clause(const Voice *voice, const Sentence *node, LangAgent inherited);

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
        say_text(voice, "the speaker");
    else if (agent == LANG_ANY)
        say_text(voice, voice->question ? "ANY" : "some agent");
    else
        buf_printf(voice->out, "Agent[%02d]", (int)agent);
}

static void say_role(const Voice *voice, Role role)
{
    static const char *const phrases[ROLE_COUNT] = {
        [LANG_ROLE_ANY] = "of some role",
        [ROLE_BODYGUARD] = "the bodyguard",
        [ROLE_FREEMASON] = "a freemason",
        [ROLE_MEDIUM] = "the medium",
        [ROLE_POSSESSED] = "the possessed",
        [ROLE_SEER] = "the seer",
        [ROLE_VILLAGER] = "a villager",
        [ROLE_WEREWOLF] = "a werewolf",
        [ROLE_FOX] = "the fox",
    };

    say_text(voice, role == LANG_ROLE_ANY && voice->question ? "ANY" : phrases[role]);
}

/* "Agent[02] and found a werewolf", "Agent[02] as a werewolf". */
static void say_result(const Voice *voice, const Sentence *node, const char *joint)
{
    say_agent(voice, node->target);
    if (node->species == LANG_SPECIES_ANY && !voice->question) {
        say_text(voice, " with some result");
        return;
    }
    say_text(voice, joint);
    say_text(voice, node->species == SPECIES_HUMAN      ? "a human"
                    : node->species == SPECIES_WEREWOLF ? "a werewolf"
                                                        : "ANY");
}

static void say_content(const Voice *voice, const Sentence *content, LangAgent inherited,
                        bool parentheses)
{
    if (parentheses)
        say_text(voice, "(");
    say_clause(voice, content, inherited);
    if (parentheses)
        say_text(voice, ")");
}

/* ---- what a subject does ---- */

/* COMINGOUT of the subject itself. */
static bool claims_role(const Voice *voice, const Sentence *node)
{
    return node->kind == LANG_COMINGOUT && node->target != LANG_ANY &&
           node->target == named_agent(voice, node->subject);
}

static void say_request(const Voice *voice, const Sentence *node);
static void say_inquiry(const Voice *voice, const Sentence *node);

/* Verbs and REQUEST and INQUIRE: what comes behind the subject, as in "she votes", or with
 * `infinitive` behind "to". */
static void say_predicate(const Voice *voice, const Sentence *node, bool infinitive)
{
    static const struct {
        const char *finite;
        const char *infinitive;
    } verbs[LANG_KIND_COUNT] = {
        [LANG_ESTIMATE] = {"thinks that ", "think that "},
        [LANG_COMINGOUT] = {"declares ", "declare "},
        [LANG_DIVINATION] = {"will divine ", "divine "},
        [LANG_GUARD] = {"will guard ", "guard "},
        [LANG_VOTE] = {"will vote for ", "vote for "},
        [LANG_ATTACK] = {"will attack ", "attack "},
        [LANG_GUARDED] = {"guarded ", "act as if it had guarded "},
        [LANG_VOTED] = {"voted for ", "act as if it had voted for "},
        [LANG_ATTACKED] = {"attacked ", "act as if it had attacked "},
        [LANG_DIVINED] = {"divined ", "act as if it had divined "},
        [LANG_IDENTIFIED] = {"identified ", "act as if it had identified "},
        [LANG_AGREE] = {"agrees with ", "agree with "},
        [LANG_DISAGREE] = {"disagrees with ", "disagree with "},
        [LANG_SKIP] = {"has nothing to say now", "say nothing now"},
        [LANG_OVER] = {"has nothing more to say", "say nothing more"},
        [LANG_REQUEST] = {"asks ", "ask "},
        [LANG_INQUIRE] = {"asks ", "ask "},
    };

    if (voice->plain && claims_role(voice, node)) {
        say_text(voice, infinitive ? "claim to be " : "claims to be ");
        say_role(voice, node->role);
        return;
    }
    say_text(voice, infinitive ? verbs[node->kind].infinitive : verbs[node->kind].finite);
    switch (node->kind) {
    case LANG_ESTIMATE:
        say_agent(voice, node->target);
        say_text(voice, " is ");
        say_role(voice, node->role);
        break;
    case LANG_COMINGOUT:
        if (claims_role(voice, node)) {
            say_text(voice, "itself to be ");
        } else {
            say_text(voice, "that ");
            say_agent(voice, node->target);
            say_text(voice, " is ");
        }
        say_role(voice, node->role);
        break;
    case LANG_DIVINATION:
    case LANG_GUARD:
    case LANG_VOTE:
    case LANG_ATTACK:
    case LANG_GUARDED:
    case LANG_VOTED:
    case LANG_ATTACKED:
        say_agent(voice, node->target);
        break;
    case LANG_DIVINED:
        say_result(voice, node, " and found ");
        break;
    case LANG_IDENTIFIED:
        say_result(voice, node, " as ");
        break;
    case LANG_AGREE:
    case LANG_DISAGREE:
        buf_printf(voice->out, "%s %d of day %d", node->talk == LANG_WHISPER ? "whisper" : "talk",
                   (int)node->talk_id, (int)node->day);
        break;
    case LANG_REQUEST:
        say_request(voice, node);
        break;
    case LANG_INQUIRE:
        say_inquiry(voice, node);
        break;
    case LANG_SKIP:
    case LANG_OVER:
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

/* True when `node` is something `agent` itself can do: a predicate with that subject. */
static bool is_deed_of(const Sentence *node, LangAgent agent)
{
    return node->kind <= LANG_INQUIRE && node->subject == agent;
}

/* "Agent[02] to vote for Agent[03]" (section 6.4). When the content is about somebody else, the
 * one who is asked is to bring it about. */
static void say_request(const Voice *voice, const Sentence *node)
{
    const Sentence *content = node->child;

    say_agent(voice, node->target);
    if (is_deed_of(content, node->target)) {
        say_text(voice, " to ");
        say_predicate(voice, content, true);
    } else if (content->kind == LANG_NOT && content->subject == node->target &&
               is_deed_of(content->child, node->target)) {
        say_text(voice, " not to ");
        say_predicate(voice, content->child, true);
    } else {
        say_text(voice, " to see to it that ");
        say_content(voice, content, node->target, explain_has_parts(content->kind));
    }
}

/* Without ANY the question is whether, with ANY it is what stands for it (section 6.2). */
static void say_inquiry(const Voice *voice, const Sentence *node)
{
    Voice inner = *voice;

    say_agent(voice, node->target);
    inner.question = lang_asks_which(node);
    say_text(voice, inner.question ? " what stands for ANY in: " : " whether ");
    say_content(&inner, node->child, node->target, explain_has_parts(node->child->kind));
}

/* ---- clauses ---- */

/* "a and b and c" of any number of contents. */
static void say_list(const Voice *voice, const Sentence *node, const char *joint,
                     const char *nothing)
{
    if (!node->child)
        say_text(voice, nothing);
    for (const Sentence *content = node->child; content; content = content->next) {
        say_content(voice, content, node->subject,
                    node->child_count > 1 && lang_is_operator(content->kind));
        if (content->next)
            say_text(voice, joint);
    }
}

static void say_clause(const Voice *voice, const Sentence *node, LangAgent inherited)
{
    if (node->kind <= LANG_INQUIRE) {
        if (node->subject == LANG_ANY && inherited == LANG_ANY)
            say_text(voice, "that agent"); /* the one chosen outside, not another ANY */
        else
            say_agent(voice, node->subject);
        say_text(voice, " ");
        say_predicate(voice, node, false);
        return;
    }
    /* An operator's own subject is the one who states it: say so where that is news. */
    if (named_agent(voice, node->subject) != named_agent(voice, inherited)) {
        say_text(voice, "according to ");
        say_agent(voice, node->subject);
        say_text(voice, ", ");
    }
    switch (node->kind) {
    case LANG_BECAUSE:
        say_text(voice, "because ");
        say_content(voice, node->child, node->subject, lang_is_operator(node->child->kind));
        say_text(voice, ", ");
        say_content(voice, node->child->next, node->subject,
                    explain_has_parts(node->child->next->kind));
        break;
    case LANG_DAY:
        buf_printf(voice->out, "on day %d ", (int)node->day);
        say_content(voice, node->child, node->subject, explain_has_parts(node->child->kind));
        break;
    case LANG_NOT:
        say_text(voice, "it is not true that ");
        say_content(voice, node->child, node->subject, explain_has_parts(node->child->kind));
        break;
    case LANG_AND:
        say_list(voice, node, " and ", "nothing is said");
        break;
    case LANG_OR:
        say_list(voice, node, " or ", "nothing is said");
        break;
    case LANG_XOR:
        say_text(voice, "either ");
        say_list(voice, node, " or ", "");
        say_text(voice, ", but not both");
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

void lang_explain(const Sentence *sentence, LangAgent speaker, Buf *out)
{
    Voice voice = {.out = out, .speaker = speaker};
    size_t start = out->len;

    say_clause(&voice, sentence, LANG_UNSPEC);
    buf_add_char(out, '.');
    if (!buf_failed(out) && out->bytes[start] >= 'a' && out->bytes[start] <= 'z')
        out->bytes[start] = (char)(out->bytes[start] - 'a' + 'A');
}

void lang_plain(const Sentence *sentence, LangAgent speaker, LangTongue tongue, Buf *out)
{
    const Voice voice = {.out = out, .speaker = speaker, .plain = true};

    if (tongue == LANG_JAPANESE)
        explain_japanese(sentence, speaker, out);
    else if (sentence->kind <= LANG_INQUIRE && named_agent(&voice, sentence->subject) == speaker)
        say_predicate(&voice, sentence, false);
    else
        say_clause(&voice, sentence, LANG_UNSPEC);
}

static void tree_agent(Buf *out, LangAgent agent, LangAgent speaker)
{
    if (agent == LANG_UNSPEC)
        agent = speaker;
    if (agent == LANG_UNSPEC)
        buf_add(out, STR("(speaker)"));
    else if (agent == LANG_ANY)
        buf_add(out, STR("ANY"));
    else
        buf_printf(out, "Agent[%02d]", (int)agent);
}

static bool has_target(LangKind kind)
{
    return kind <= LANG_IDENTIFIED || kind == LANG_REQUEST || kind == LANG_INQUIRE;
}

static void tree_line(Buf *out, const Sentence *node, LangAgent speaker)
{
    LangKind kind = node->kind;

    if (kind != LANG_SKIP && kind != LANG_OVER) {
        tree_agent(out, node->subject, speaker);
        buf_add_char(out, ' ');
    }
    buf_add(out, str_of(lang_kind_name(kind)));
    if (has_target(kind)) {
        buf_add_char(out, ' ');
        tree_agent(out, node->target, speaker);
    }
    if (kind == LANG_ESTIMATE || kind == LANG_COMINGOUT)
        buf_printf(out, " %s", node->role == LANG_ROLE_ANY ? "ANY" : role_name(node->role));
    if (kind == LANG_DIVINED || kind == LANG_IDENTIFIED)
        buf_printf(out, " %s",
                   node->species == LANG_SPECIES_ANY ? "ANY" : species_name(node->species));
    if (kind == LANG_AGREE || kind == LANG_DISAGREE)
        buf_printf(out, " %s day%d ID:%d", lang_talk_name(node->talk), (int)node->day,
                   (int)node->talk_id);
    if (kind == LANG_DAY)
        buf_printf(out, " %d", (int)node->day);
}

void lang_tree(const Sentence *sentence, LangAgent speaker, Buf *out)
{
    Walk walk;

    for (walk_start(&walk, sentence); walk.at; walk_next(&walk)) {
        for (unsigned i = 0; i < walk.depth; i++)
            buf_add(out, STR("  "));
        tree_line(out, walk.at, speaker);
        buf_add_char(out, '\n');
    }
}

/* ---- JSON ----
 * By hand, for base/json.h stops at 31 levels and needs no escapes here: all words are ASCII. */

static void json_agent(Buf *out, const char *name, LangAgent agent)
{
    buf_printf(out, ",\"%s\":", name);
    if (agent == LANG_UNSPEC)
        buf_add(out, STR("null"));
    else if (agent == LANG_ANY)
        buf_add(out, STR("\"ANY\""));
    else
        buf_add_int(out, agent);
}

/* One object up to its contents, without the closing brace. */
static void json_head(Buf *out, const Sentence *node, LangAgent speaker)
{
    LangKind kind = node->kind;

    buf_printf(out, "{\"kind\":\"%s\"", words_kind[kind].text);
    json_agent(out, "subject", node->subject == LANG_UNSPEC ? speaker : node->subject);
    if (kind <= LANG_IDENTIFIED || kind == LANG_REQUEST || kind == LANG_INQUIRE)
        json_agent(out, "target", node->target);
    if (kind <= LANG_COMINGOUT)
        buf_printf(out, ",\"role\":\"%s\"", words_role[node->role].text);
    if (kind == LANG_DIVINED || kind == LANG_IDENTIFIED)
        buf_printf(out, ",\"species\":\"%s\"", words_species[node->species].text);
    if (kind == LANG_AGREE || kind == LANG_DISAGREE)
        buf_printf(out, ",\"talk\":{\"type\":\"%s\",\"day\":%d,\"id\":%d}",
                   words_talk[node->talk].text, (int)node->day, (int)node->talk_id);
    if (kind == LANG_DAY)
        buf_printf(out, ",\"day\":%d", (int)node->day);
    if (lang_is_operator(kind))
        buf_add(out, STR(",\"contents\":["));
}

void lang_json(const Sentence *sentence, LangAgent speaker, Buf *out)
{
    Walk walk;

    for (walk_start(&walk, sentence); walk.at;) {
        bool empty = lang_is_operator(walk.at->kind) && !walk.at->child;
        json_head(out, walk.at, speaker);
        unsigned depth = walk.depth;
        unsigned ended = walk_next(&walk);

        if (ended == 0)
            continue;
        buf_add(out, empty ? STR("]}") : STR("}"));
        for (unsigned i = 1; i < ended && i <= depth; i++)
            buf_add(out, STR("]}"));
        if (walk.at)
            buf_add_char(out, ',');
    }
}
