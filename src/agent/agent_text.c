/* Sentences for authors: read into flat statements, written from a few words. */
#include "agent/agent_game.h"

#include "lang/lang.h"

/* Contents are written and read back, each in here. */
#define WRITE_ARENA_BYTES (4 * LANG_ARENA_BYTES(LANG_BYTES_MAX))

bool agent_text_valid(Str text)
{
    const Sentence *sentence;
    Arena arena = arena_new(LANG_ARENA_BYTES(text.len));
    bool valid = lang_parse(text, &arena, &sentence, NULL) == 0;

    arena_done(&arena);
    return valid;
}

/* ---- reading ---- */

/* Where statements go, and what surrounds them. */
typedef struct Reading {
    WargStatement *items;
    int room;
    int count;
    int speaker;
} Reading;

typedef struct Around {
    int asked;
    int day;
} Around;

static WargTopic topic_of(LangKind kind)
{
    static const WargTopic topics[LANG_KIND_COUNT] = {
        [LANG_ESTIMATE] = WARG_ESTIMATE,
        [LANG_COMINGOUT] = WARG_COMINGOUT,
        [LANG_DIVINATION] = WARG_DIVINATION,
        [LANG_GUARD] = WARG_GUARD,
        [LANG_VOTE] = WARG_VOTE,
        [LANG_ATTACK] = WARG_ATTACK,
        [LANG_GUARDED] = WARG_GUARDED,
        [LANG_VOTED] = WARG_VOTED,
        [LANG_ATTACKED] = WARG_ATTACKED,
        [LANG_DIVINED] = WARG_DIVINED,
        [LANG_IDENTIFIED] = WARG_IDENTIFIED,
        [LANG_AGREE] = WARG_AGREE,
        [LANG_DISAGREE] = WARG_DISAGREE,
        [LANG_SKIP] = WARG_SKIP,
        [LANG_OVER] = WARG_OVER,
    };

    return topics[kind];
}

static void read_statement(Reading *reading, const Sentence *sentence, Around around)
{
    bool refers = sentence->talk != LANG_TALK_NONE;

    if (reading->count < reading->room)
        reading->items[reading->count] = (WargStatement){
            .topic = topic_of(sentence->kind),
            .subject = sentence->subject == LANG_UNSPEC ? reading->speaker : sentence->subject,
            .target = sentence->target < 0 ? WARG_NOBODY : sentence->target,
            .role = (WargRole)sentence->role,
            .result = (WargSpecies)sentence->species,
            .asked = around.asked,
            .day = refers ? sentence->day : around.day,
            .id = sentence->talk_id,
            .whisper = sentence->talk == LANG_WHISPER,
        };
    reading->count++;
}

/* As deep as the parser allows, LANG_DEPTH_MAX. */
static void read_sentence(Reading *reading, const Sentence *sentence, Around around)
{
    if (sentence->kind == LANG_REQUEST)
        around.asked = sentence->target < 0 ? WARG_NOBODY : sentence->target;
    else if (sentence->kind == LANG_DAY)
        around.day = sentence->day;
    else if (sentence->kind != LANG_AND && sentence->kind != LANG_BECAUSE) {
        read_statement(reading, sentence, around);
        return;
    }
    for (const Sentence *child = sentence->child; child; child = child->next)
        read_sentence(reading, child, around);
}

int warg_read(const char *text, int speaker, WargStatement *ret_statements, int room)
{
    Reading reading = {.items = ret_statements, .room = room, .speaker = speaker};
    Arena arena = arena_new(LANG_ARENA_BYTES(str_of(text).len));
    const Sentence *sentence;

    if (lang_parse(str_of(text), &arena, &sentence, NULL) == 0)
        read_sentence(&reading, sentence, (Around){.asked = -1, .day = -1});
    arena_done(&arena);
    return reading.count;
}

/* ---- writing ---- */

/* Room for a sentence and its contents, until finish() has written it. */
typedef struct Writing {
    Arena arena;
    char *out;
    size_t room;
} Writing;

static Writing begin_writing(char *out, size_t room)
{
    return (Writing){.arena = arena_new(WRITE_ARENA_BYTES), .out = out, .room = room};
}

/* What makes no sentence, can't be read back or does not fit is not written. */
static int finish_writing(Writing *writing, const Sentence *sentence)
{
    const Sentence *again;
    size_t len = sentence ? lang_write(sentence, NULL, 0) : 0;

    if (len >= writing->room || len > LANG_BYTES_MAX)
        len = 0;
    if (writing->room)
        writing->out[0] = '\0';
    if (len)
        lang_write(sentence, writing->out, writing->room);
    if (len && lang_parse((Str){writing->out, len}, &writing->arena, &again, NULL)) {
        writing->out[0] = '\0';
        len = 0;
    }
    arena_done(&writing->arena);
    return (int)len;
}

static const Sentence *content(Writing *writing, const char *text)
{
    const Sentence *sentence;

    return lang_parse(str_of(text), &writing->arena, &sentence, NULL) ? NULL : sentence;
}

typedef const Sentence *BuildTarget(Arena *arena, LangAgent subject, LangAgent target);
typedef const Sentence *BuildRole(Arena *arena, LangAgent subject, LangAgent target, Role role);
typedef const Sentence *BuildSpecies(Arena *arena, LangAgent subject, LangAgent target,
                                     Species species);
typedef const Sentence *BuildTalk(Arena *arena, LangAgent subject, LangTalk talk, int32_t day,
                                  int32_t id);

static int say_target(BuildTarget *build, char *out, size_t room, int target)
{
    Writing writing = begin_writing(out, room);

    return finish_writing(
        &writing, target < 0 ? NULL : build(&writing.arena, LANG_UNSPEC, (LangAgent)target));
}

static int say_role(BuildRole *build, char *out, size_t room, int target, WargRole role)
{
    Writing writing = begin_writing(out, room);
    bool known = target >= 0 && (int)role >= 0 && (int)role < ROLE_COUNT;

    return finish_writing(&writing,
                          known ? build(&writing.arena, LANG_UNSPEC, target, (Role)role) : NULL);
}

static int say_species(BuildSpecies *build, char *out, size_t room, int target, WargSpecies result)
{
    Writing writing = begin_writing(out, room);
    bool known = target >= 0 && (int)result >= 0 && result <= WARG_SPECIES_WEREWOLF;

    return finish_writing(
        &writing, known ? build(&writing.arena, LANG_UNSPEC, target, (Species)result) : NULL);
}

static int say_talk(BuildTalk *build, char *out, size_t room, const WargTalk *talk)
{
    Writing writing = begin_writing(out, room);

    return finish_writing(&writing,
                          build(&writing.arena, LANG_UNSPEC,
                                talk->whisper ? LANG_WHISPER : LANG_TALK, talk->day, talk->id));
}

int warg_say_comingout(char *out, size_t room, int target, WargRole role)
{
    return say_role(lang_comingout, out, room, target, role);
}

int warg_say_estimate(char *out, size_t room, int target, WargRole role)
{
    return say_role(lang_estimate, out, room, target, role);
}

int warg_say_divined(char *out, size_t room, int target, WargSpecies result)
{
    return say_species(lang_divined, out, room, target, result);
}

int warg_say_identified(char *out, size_t room, int target, WargSpecies result)
{
    return say_species(lang_identified, out, room, target, result);
}

int warg_say_guarded(char *out, size_t room, int target)
{
    return say_target(lang_guarded, out, room, target);
}

int warg_say_vote(char *out, size_t room, int target)
{
    return say_target(lang_vote, out, room, target);
}

int warg_say_divination(char *out, size_t room, int target)
{
    return say_target(lang_divination, out, room, target);
}

int warg_say_guard(char *out, size_t room, int target)
{
    return say_target(lang_guard, out, room, target);
}

int warg_say_attack(char *out, size_t room, int target)
{
    return say_target(lang_attack, out, room, target);
}

int warg_say_agree(char *out, size_t room, const WargTalk *talk)
{
    return say_talk(lang_agree, out, room, talk);
}

int warg_say_disagree(char *out, size_t room, const WargTalk *talk)
{
    return say_talk(lang_disagree, out, room, talk);
}

int warg_say_request(char *out, size_t room, int asked, const char *content_text)
{
    Writing writing = begin_writing(out, room);
    const Sentence *inside = content(&writing, content_text);

    return finish_writing(
        &writing, asked < 0 ? NULL : lang_request(&writing.arena, LANG_UNSPEC, asked, inside));
}

int warg_say_because(char *out, size_t room, const char *reason, const char *action)
{
    Writing writing = begin_writing(out, room);
    const Sentence *first = content(&writing, reason);
    const Sentence *second = content(&writing, action);

    return finish_writing(&writing, lang_because(&writing.arena, LANG_UNSPEC, first, second));
}

int warg_say_and(char *out, size_t room, const char *first, const char *second)
{
    Writing writing = begin_writing(out, room);
    const Sentence *contents[] = {content(&writing, first), content(&writing, second)};

    return finish_writing(&writing, lang_and(&writing.arena, LANG_UNSPEC, 2, contents));
}

int warg_say_day(char *out, size_t room, int day, const char *content_text)
{
    Writing writing = begin_writing(out, room);
    const Sentence *inside = content(&writing, content_text);

    return finish_writing(&writing,
                          day < 0 ? NULL : lang_day(&writing.arena, LANG_UNSPEC, day, inside));
}

int warg_say_not(char *out, size_t room, const char *content_text)
{
    Writing writing = begin_writing(out, room);
    const Sentence *inside = content(&writing, content_text);

    return finish_writing(&writing, lang_not(&writing.arena, LANG_UNSPEC, inside));
}
