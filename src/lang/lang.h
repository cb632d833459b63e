/* lang.h - the AIWolf protocol language: read, write, build, explain and interpret a sentence.
 *
 * For:    what agents of the protocol division say: VOTE Agent[01], REQUEST ANY (...), Skip.
 *         Knows nothing of a running game, its seats or who is speaking; callers say so.
 * Memory: sentences live in the caller's arena and die with it. Nothing here uses the heap,
 *         except the caller's Buf in lang_explain and lang_json.
 * Thread: pure; a finished sentence may be read by any thread.
 * Source: docs/spec/language.md. Where the documents disagree, the Java library decides (section
 *         5).
 *
 * parse.c reads, reason.c words the errors, write.c writes and compares, build.c builds,
 * explain.c puts a sentence into English and JSON, explain_ja.c into Japanese, interpret.c expands
 * ANY and follows AGREE, escape.c makes any text printable. Test vectors are read by
 * lang/vectors.h.
 */
#ifndef WARG_LANG_LANG_H
#define WARG_LANG_LANG_H

#include "base/arena.h"
#include "base/buf.h"
#include "base/err.h"
#include "base/str.h"
#include "game/role.h"

/* A text longer than this, or with more groups inside each other, is not valid: ERR_LIMIT.
 * Source: docs/spec/language.md 5.4; real utterances stay under 300 bytes and 6 levels. */
#define LANG_BYTES_MAX 8192
#define LANG_DEPTH_MAX 256

/* The canonical text of a sentence that was read has at most this many bytes, NUL included. It
 * can be longer than what was read (indices are padded, a REQUEST gets its target, groups that
 * touch get a blank), but never twice as long. */
#define LANG_TEXT_MAX (2 * LANG_BYTES_MAX + 1)

/* AGREE with an AGREE with an AGREE ...: lang_referred follows at most this many. */
#define LANG_CHAIN_MAX 16

/* An agent index as it stands in the text, up to 2147483647: it may lie outside the game.
 * In the Java library ANY is agent number 0, so Agent[0] reads as ANY (section 1). */
typedef int32_t LangAgent;

#define LANG_ANY    ((LangAgent)0)
#define LANG_UNSPEC ((LangAgent)-1) /* no subject was given: the speaker */

/* ANY as role or species, and the value where a sentence has neither. */
#define LANG_ROLE_ANY    ROLE_NONE
#define LANG_SPECIES_ANY SPECIES_NONE

/* The 23 kinds of sentence, in the order of section 2. The groups are used as ranges. */
typedef enum __attribute__((packed)) LangKind {
    /* target and role */
    LANG_ESTIMATE,
    LANG_COMINGOUT,
    /* target */
    LANG_DIVINATION,
    LANG_GUARD,
    LANG_VOTE,
    LANG_ATTACK,
    LANG_GUARDED,
    LANG_VOTED,
    LANG_ATTACKED,
    /* target and species */
    LANG_DIVINED,
    LANG_IDENTIFIED,
    /* an utterance: talk, day, talk_id */
    LANG_AGREE,
    LANG_DISAGREE,
    /* alone */
    LANG_SKIP,
    LANG_OVER,
    /* operators: target and one content */
    LANG_REQUEST,
    LANG_INQUIRE,
    /* operators: contents only, and DAY with its day */
    LANG_BECAUSE,
    LANG_DAY,
    LANG_NOT,
    LANG_AND,
    LANG_OR,
    LANG_XOR,
    LANG_KIND_COUNT,
} LangKind;

/* Which list of utterances AGREE and DISAGREE refer to. */
typedef enum __attribute__((packed)) LangTalk {
    LANG_TALK_NONE,
    LANG_TALK,
    LANG_WHISPER,
} LangTalk;

/* One sentence with all that is inside it. Open, for reading; make one with lang_parse or the
 * builders only. Contents: for (const Sentence *c = s->child; c; c = c->next).
 *
 * Subjects are resolved (section 4): a content without a subject of its own holds what it
 * inherits. LANG_UNSPEC always means the speaker; a content has it only when every sentence
 * around it has it too. The subject of Skip and Over is never written. */
typedef struct Sentence {
    const struct Sentence *next;  /* the next content of the same sentence */
    const struct Sentence *child; /* the first content; NULL for verbs */
    LangAgent subject;
    LangAgent target; /* LANG_ANY where the kind has none (section 5.3) */
    Role role;        /* ESTIMATE, COMINGOUT; else LANG_ROLE_ANY */
    Species species;  /* DIVINED, IDENTIFIED; else LANG_SPECIES_ANY */
    int32_t day;      /* DAY's number, or the day of the utterance referred to; else -1 */
    int32_t talk_id;  /* AGREE, DISAGREE: number of the utterance in its day; else -1 */
    LangKind kind;
    LangTalk talk;        /* AGREE, DISAGREE; else LANG_TALK_NONE */
    uint16_t child_count; /* how many contents: 1, 2, or any number for AND and OR */
    uint16_t surplus;     /* groups that were read and valid, but one too many: left out (5.2) */
    uint16_t height; /* levels of contents that were read below: 0 for verbs, <= LANG_DEPTH_MAX */
} Sentence;

/* Arena bytes that always suffice to read a text of this length: a content takes at least
 * five bytes of text, as in "(OR )". */
#define LANG_ARENA_BYTES(text_len) (((size_t)(text_len) / 5 + 1) * sizeof(Sentence) + 16)

/* ---- words ---- */

/* "VOTE", "AND", "Skip": as written in a sentence. */
const char *lang_kind_name(LangKind kind);
/* "TALK", "WHISPER"; "NONE" for the empty value. */
const char *lang_talk_name(LangTalk talk);

/* True for the eight kinds with contents. */
static inline bool lang_is_operator(LangKind kind)
{
    return kind >= LANG_REQUEST && kind < LANG_KIND_COUNT;
}

/* What a content of `sentence` without a subject inherits (section 4). */
static inline LangAgent lang_inherited(const Sentence *sentence)
{
    return sentence->kind == LANG_REQUEST || sentence->kind == LANG_INQUIRE ? sentence->target
                                                                            : sentence->subject;
}

/* ---- reading: parse.c ---- */

/* Reads one utterance exactly as the Java library does (section 5): what it calls valid is read,
 * what it rejects or throws at is ERR_SYNTAX. Over a limit: ERR_LIMIT. In time linear in the
 * length. The text may hold any bytes; bytes that are not UTF-8 are ordinary text that no word
 * contains. It is not kept. The sentence lives in `arena` (nothing is taken on failure);
 * LANG_ARENA_BYTES(text.len) is enough, less may be ERR_MEMORY.
 * `err` gets the column (1-based byte) and what was expected there; with a NULL `err` no message
 * is made, which is much cheaper for a text that is not valid. */
int lang_parse(Str text, Arena *arena, const Sentence **ret_sentence, Err *err);

/* True when `text` is letter by letter what the library would write for the sentence read from
 * it (section 8.1, "strict"). */
bool lang_is_strict(Str text, const Sentence *sentence);

/* ---- writing and comparing: write.c ---- */

/* The canonical text (section 4), with a NUL behind it, cut to `room` bytes. Returns the length
 * of the whole text without the NUL, as snprintf does; `out` may be NULL when room is 0. */
size_t lang_write(const Sentence *sentence, char *out, size_t room);

/* Equal canonical text (section 4): the order of contents counts, ANY is not expanded, no logic
 * is applied. */
bool lang_equal(const Sentence *a, const Sentence *b);

/* ---- escapes: escape.c ----
 * Source: data/language/README.md, escapes; the form of the vector files. */

/* `text` as printable ASCII, cut at a whole character to fit `room` bytes with a NUL: \\ \t \n \r,
 * and \uXXXX (UTF-16) for everything else outside U+0020..U+007E and for a blank at the start or
 * end. Bytes that are not UTF-8 become \ufffd. Returns the length of the whole. */
size_t lang_escape(Str text, char *out, size_t room);

/* Appends the text that `escaped` stands for to `out`, as UTF-8. A half of a surrogate pair alone
 * gives its three bytes, which are not UTF-8, as Java holds it.
 * Errors: ERR_SYNTAX with the column. */
int lang_unescape(Str escaped, Buf *out, Err *err);

/* ---- building: build.c ----
 *
 * The subject is LANG_UNSPEC where nobody is named. Contents are copied, so one may be used in
 * many sentences; arena use is 48 bytes for the new sentence and each one inside it.
 * All return NULL when the arena is full, the result would be deeper than LANG_DEPTH_MAX, an
 * agent is below LANG_UNSPEC, a role is not a role, or a content is NULL: so a nested
 * expression needs one check at its end. Numbers are written as given, as the Java builders do;
 * a negative day or id makes a text that can't be read back (section 3). A target of LANG_UNSPEC
 * is ANY, but for lang_request. */
const Sentence *lang_skip(void); /* constant */
const Sentence *lang_over(void); /* constant */
const Sentence *lang_estimate(Arena *arena, LangAgent subject, LangAgent target, Role role);
const Sentence *lang_comingout(Arena *arena, LangAgent subject, LangAgent target, Role role);
const Sentence *lang_divination(Arena *arena, LangAgent subject, LangAgent target);
const Sentence *lang_guard(Arena *arena, LangAgent subject, LangAgent target);
const Sentence *lang_vote(Arena *arena, LangAgent subject, LangAgent target);
const Sentence *lang_attack(Arena *arena, LangAgent subject, LangAgent target);
const Sentence *lang_guarded(Arena *arena, LangAgent subject, LangAgent target);
const Sentence *lang_voted(Arena *arena, LangAgent subject, LangAgent target);
const Sentence *lang_attacked(Arena *arena, LangAgent subject, LangAgent target);
const Sentence *lang_divined(Arena *arena, LangAgent subject, LangAgent target, Species species);
const Sentence *lang_identified(Arena *arena, LangAgent subject, LangAgent target, Species species);
const Sentence *lang_agree(Arena *arena, LangAgent subject, LangTalk talk, int32_t day, int32_t id);
const Sentence *lang_disagree(Arena *arena, LangAgent subject, LangTalk talk, int32_t day,
                              int32_t id);
/* With a target of LANG_UNSPEC the target is the content's subject, or ANY (section 3). */
const Sentence *lang_request(Arena *arena, LangAgent subject, LangAgent target,
                             const Sentence *content);
const Sentence *lang_inquire(Arena *arena, LangAgent subject, LangAgent target,
                             const Sentence *content);
const Sentence *lang_because(Arena *arena, LangAgent subject, const Sentence *reason,
                             const Sentence *action);
const Sentence *lang_day(Arena *arena, LangAgent subject, int32_t day, const Sentence *content);
const Sentence *lang_not(Arena *arena, LangAgent subject, const Sentence *content);
/* AND and OR of no contents can be built, but their text can't be read back. */
const Sentence *lang_and(Arena *arena, LangAgent subject, size_t count,
                         const Sentence *const contents[]);
const Sentence *lang_or(Arena *arena, LangAgent subject, size_t count,
                        const Sentence *const contents[]);
const Sentence *lang_xor(Arena *arena, LangAgent subject, const Sentence *a, const Sentence *b);

/* A copy in another arena, for keeping a sentence longer than the text it came from. `speaker`
 * takes the place of every LANG_UNSPEC (section 6.5, steps 1 and 2); LANG_UNSPEC copies as is. */
const Sentence *lang_copy(Arena *arena, const Sentence *sentence, LangAgent speaker);

/* ---- explaining: explain.c ---- */

/* The whole sentence in English: "Agent[01] asks Agent[02] to vote for Agent[03]." An omitted
 * subject is `speaker`, or "the speaker" for LANG_UNSPEC. Appends to `out`. */
void lang_explain(const Sentence *sentence, LangAgent speaker, Buf *out);

/* In what language a sentence is put. */
typedef enum LangTongue {
    LANG_ENGLISH,
    LANG_JAPANESE,
} LangTongue;

/* The same to be read beside the speaker's name, without an end mark: "claims to be the seer",
 * "占い師だと名乗る". The speaker is named only where it is not the one who acts. Appends to `out`.
 */
void lang_plain(const Sentence *sentence, LangAgent speaker, LangTongue tongue, Buf *out);

/* The tree, a line for each sentence inside, two blanks deeper for each level: every subject is
 * written, inherited ones too, and an omitted one is `speaker`, or "(speaker)" for LANG_UNSPEC.
 * Appends to `out`. */
void lang_tree(const Sentence *sentence, LangAgent speaker, Buf *out);

/* The tree as one JSON object: {"kind":"VOTE","subject":1,"target":2}. Agents are numbers or
 * "ANY"; an unknown subject is null. Also role, species, talk {type, day, id}, day, contents,
 * where the kind has them. Appends to `out`. */
void lang_json(const Sentence *sentence, LangAgent speaker, Buf *out);

/* ---- meaning: interpret.c ---- */

/* True when ANY stands anywhere in the sentence as subject, target, role or species. */
bool lang_has_any(const Sentence *sentence);

/* For INQUIRE: true when its content holds an ANY of its own, so that the question is what stands
 * for it, not whether the content is true (section 6.2). An omitted subject that inherits the ANY
 * of INQUIRE ANY is no ANY of its own. */
bool lang_asks_which(const Sentence *inquire);

/* What ANY may stand for. */
typedef struct LangWorld {
    SeatSet seats;  /* the agents: seat_all(seat_count), or the living ones */
    uint32_t roles; /* bit r set: Role r is in the game */
} LangWorld;

/* The same without ANY (section 6.3): each sentence that holds one becomes the OR of itself over
 * all values, where it stands. REQUEST ANY (x) becomes an OR of requests to each agent, and an
 * omitted subject in x follows the target. The content of INQUIRE is left alone, because ANY is
 * the question there. A sentence without ANY is copied. `speaker` as in lang_copy.
 * Errors: ERR_LIMIT when the result has more than `sentence_max` sentences or is too deep, or
 * there is no value to choose from; ERR_MEMORY when the arena is full (nothing is taken then;
 * 48 bytes for each of sentence_max always suffice). */
int lang_expand(const Sentence *sentence, LangAgent speaker, const LangWorld *world, Arena *arena,
                size_t sentence_max, const Sentence **ret_sentence, Err *err);

/* A sentence and who said it. */
typedef struct LangSpoken {
    const Sentence *sentence;
    LangAgent speaker;
} LangSpoken;

/* Where the utterances of a game are found. Put it first into a struct of your own. */
typedef struct LangArchive LangArchive;
struct LangArchive {
    /* True and *ret_spoken when there is such an utterance and it could be read. */
    bool (*find)(const LangArchive *archive, LangTalk talk, int32_t day, int32_t id,
                 LangSpoken *ret_spoken);
};

/* What an AGREE or DISAGREE is about: follows it, and an AGREE or DISAGREE found there, to the
 * first sentence of another kind. *ret_agrees is false when the number of DISAGREEs on the way
 * is odd. A sentence of another kind is returned as is.
 * Errors: ERR_RULE when an utterance is not in the archive, ERR_LIMIT after LANG_CHAIN_MAX. */
int lang_referred(LangSpoken said, const LangArchive *archive, LangSpoken *ret_about,
                  bool *ret_agrees, Err *err);

#endif
