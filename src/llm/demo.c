/* The demo model: no model at all, but phrases that fit the situation, so that a game can be shown
 * and every part around a model tried without one. It understands next to nothing. */
#include "base/rng.h"
#include "llm/decision_clean.h"
#include "llm/demo_words.h"
#include "llm/seat.h"
#include "llm/wording.h"

#define NEWS_BYTES_MAX 8192
#define URGENT_SECONDS 40
#define LISTEN_PERCENT 30
#define VOTE_PERCENT   35 /* of its turns in a room, once others vote */

/* What it made of the news, and the chance of this decision. */
typedef struct Demo {
    const LlmScene *scene;
    Rng rng;
    Str accuser;        /* of me; empty: nobody */
    Str speaker;        /* who spoke to me */
    Str blamed, blamer; /* somebody else who is accused, and by whom */
    bool urgent;
} Demo;

/* ---- hearing ---- */

static bool line_accuses(Str line)
{
    const char *const *words = demo_accusing();

    for (size_t i = 0; words[i]; i++)
        if (wording_have(line, str_of(words[i])))
            return true;
    return false;
}

static bool names_player(Str line, Str name)
{
    size_t at;

    return name.len && wording_find_word(line, name, 0, &at);
}

/* The last line of each kind counts. "Name: text" of somebody who lives; others are no players. */
static void hear_line(Demo *demo, Str line)
{
    const LlmScene *scene = demo->scene;
    Str text = line;
    const LlmSeatSeen *from = wording_seat(scene, str_trim(str_cut(&text, ':')));

    if (!from || !from->alive || str_eq(from->name, scene->me))
        return;
    if (names_player(text, scene->me)) {
        demo->speaker = from->name;
        if (line_accuses(text) && !from->mate)
            demo->accuser = from->name;
        return;
    }
    for (uint32_t i = 0; i < scene->target_count && line_accuses(text); i++)
        if (names_player(text, scene->targets[i]) && !str_eq(scene->targets[i], from->name)) {
            demo->blamed = scene->targets[i];
            demo->blamer = from->name;
        }
}

static void hear_votes(Demo *demo)
{
    const LlmScene *scene = demo->scene;

    for (uint32_t i = 0; i < scene->seat_count; i++) {
        const LlmSeatSeen *seat = &scene->seats[i];
        if (!seat->alive || !seat->votes_for.len || str_eq(seat->name, scene->me))
            continue;
        if (str_eq(seat->votes_for, scene->me) && !seat->mate)
            demo->accuser = seat->name;
        else if (!demo->blamed.len) {
            demo->blamed = seat->votes_for;
            demo->blamer = seat->name;
        }
    }
}

/* ---- choosing ---- */

static bool by_chance(Demo *demo, uint32_t percent)
{
    return rng_below(&demo->rng, 100) < percent;
}

/* Somebody living who is neither I, nor a mate, nor `not_this`; empty when there is nobody. */
static Str somebody(Demo *demo, Str not_this)
{
    const LlmScene *scene = demo->scene;
    Str candidates[LLM_SEATS_MAX];
    uint32_t count = 0;

    for (uint32_t i = 0; i < scene->seat_count; i++) {
        const LlmSeatSeen *seat = &scene->seats[i];
        if (seat->alive && !seat->mate && !str_eq(seat->name, scene->me) &&
            !str_eq(seat->name, not_this))
            candidates[count++] = seat->name;
    }
    return count ? candidates[rng_below(&demo->rng, count)] : (Str){0};
}

static Str last_dead(const LlmScene *scene, bool *ret_executed)
{
    Str name = {0};

    for (uint32_t i = 0; i < scene->seat_count; i++)
        if (!scene->seats[i].alive && scene->seats[i].cause.len) {
            bool executed = wording_same(scene->seats[i].cause, STR("executed"));
            if (name.len && executed)
                continue; /* of a murder more is said */
            name = scene->seats[i].name;
            *ret_executed = executed;
        }
    return name;
}

/* ---- speaking ---- */

static const char *pick_wording(Demo *demo, DemoLine line)
{
    bool protocol = demo->scene->speech == SPEECH_PROTOCOL;
    const char *wording[DEMO_WORDINGS_MAX];
    uint32_t count = 0;

    for (; count < DEMO_WORDINGS_MAX; count++) {
        wording[count] = protocol ? demo_sentence(line, count)
                                  : demo_wording(demo->scene->language, line, count);
        if (!wording[count])
            break;
    }
    return count ? wording[rng_below(&demo->rng, count)] : NULL;
}

/* Puts the phrase into `to`; false when there is none, or a name that it needs is missing. */
static bool phrase_line(Demo *demo, DemoLine line, Str a, Str b, char *to, size_t room)
{
    CLEANUP(buf_done) Buf text = {0};
    const char *wording = pick_wording(demo, line);
    const Slot slots[] = {{"a", a}, {"b", b}, {"me", demo->scene->me}};

    if (!wording || (!a.len && strstr(wording, "{a}")) || (!b.len && strstr(wording, "{b}")))
        return false;
    wording_fill(wording, slots, 3, &text);
    if (demo->scene->speech == SPEECH_PROTOCOL && text.len > llm_max_chars(demo->scene))
        return false;
    Str said = clean_cut(buf_str(&text), llm_max_chars(demo->scene), room - 1);
    if (!said.len)
        return false;
    memcpy(to, said.bytes, said.len);
    to[said.len] = '\0';
    return true;
}

static void say_line(Demo *demo, DemoLine line, Str a, Str b, LlmDecision *ret)
{
    if (phrase_line(demo, line, a, b, ret->message, sizeof(ret->message)))
        ret->action = LLM_SPEAK;
}

static void talk_among_wolves(Demo *demo, LlmDecision *ret)
{
    LlmDecision wanted;
    LlmScene scene = *demo->scene;

    scene.task = TASK_ATTACK;
    llm_fallback(&scene, &wanted);
    Str victim = wanted.action == LLM_VOTE ? str_of(wanted.target) : somebody(demo, (Str){0});
    for (uint32_t i = 0; i < scene.seat_count; i++)
        if (scene.seats[i].mate && !str_eq(scene.seats[i].name, scene.me) && victim.len &&
            str_eq(scene.seats[i].votes_for, victim)) {
            say_line(demo, DEMO_WOLVES_TOO, victim, scene.seats[i].name, ret);
            return;
        }
    say_line(demo, DEMO_WOLVES, victim, (Str){0}, ret);
}

static void talk_of_something(Demo *demo, LlmDecision *ret)
{
    bool executed = false;
    Str dead = last_dead(demo->scene, &executed), a = somebody(demo, (Str){0});

    switch (rng_below(&demo->rng, 5)) {
    case 0:
        if (dead.len)
            say_line(demo, executed ? DEMO_EXECUTED : DEMO_MOURN, dead, (Str){0}, ret);
        else
            say_line(demo, DEMO_HELLO, a, (Str){0}, ret);
        break;
    case 1:
        say_line(demo, DEMO_QUESTION, a, (Str){0}, ret);
        break;
    case 2:
        if (demo->blamed.len && !str_eq(demo->blamed, demo->scene->me))
            say_line(demo, by_chance(demo, 60) ? DEMO_FOLLOW : DEMO_DOUBT, demo->blamed,
                     demo->blamer, ret);
        break;
    default:
        break;
    }
    if (ret->action == LLM_LISTEN && demo->scene->day <= 1 && !dead.len && by_chance(demo, 40))
        say_line(demo, DEMO_HELLO, a, (Str){0}, ret);
    if (ret->action == LLM_LISTEN)
        say_line(demo, DEMO_SUSPECT, a, (Str){0}, ret);
}

static void demo_talk(Demo *demo, LlmDecision *ret)
{
    bool wolves =
        demo->scene->task == TASK_WHISPER || (demo->scene->night && wording_is_wolf(demo->scene));

    if (demo->accuser.len && !wolves && by_chance(demo, 85)) {
        say_line(demo, DEMO_DEFEND, demo->accuser, (Str){0}, ret);
        return;
    }
    if (demo->speaker.len && !wolves) {
        say_line(demo, DEMO_ANSWER, demo->speaker, somebody(demo, demo->speaker), ret);
        return;
    }
    if (by_chance(demo, LISTEN_PERCENT))
        return;
    if (wolves)
        talk_among_wolves(demo, ret);
    else if (demo->urgent && by_chance(demo, 50))
        say_line(demo, DEMO_URGE, somebody(demo, (Str){0}), (Str){0}, ret);
    else
        talk_of_something(demo, ret);
}

/* ---- voting ---- */

static bool wants_to_vote(Demo *demo)
{
    const LlmScene *scene = demo->scene;
    bool wolves = scene->night && wording_is_wolf(scene);

    if (wording_only_target(scene->task))
        return true;
    if (scene->task != TASK_ROOM || !scene->target_count || scene->my_vote.len)
        return false;
    return demo->urgent || wolves ||
           ((demo->blamed.len || demo->accuser.len) && by_chance(demo, VOTE_PERCENT));
}

static void demo_vote(Demo *demo, LlmDecision *ret)
{
    LlmScene scene = *demo->scene;

    if (scene.task == TASK_ROOM)
        scene.task = TASK_VOTE; /* it wants to, now */
    llm_fallback(&scene, ret);
    if (scene.task == TASK_OPINION)
        snprintf(ret->reason, sizeof(ret->reason), "%u", 30 + rng_below(&demo->rng, 51));
    else if (ret->action == LLM_VOTE && scene.task != TASK_BID && scene.speech == SPEECH_NATURAL)
        phrase_line(demo, scene.night ? DEMO_REASON_NIGHT : DEMO_REASON, str_of(ret->target),
                    (Str){0}, ret->reason, sizeof(ret->reason));
}

void llm_demo(const LlmScene *scene, Str news, LlmDecision *ret)
{
    Demo demo = {.scene = scene};
    Str last = str_part(news, news.len > NEWS_BYTES_MAX ? news.len - NEWS_BYTES_MAX : 0, news.len);

    ret->action = LLM_LISTEN;
    ret->message[0] = ret->target[0] = ret->reason[0] = ret->thought[0] = '\0';
    demo.rng = rng_new(rng_derive_text(rng_derive(scene->seed, SALT_DEMO), last));
    demo.urgent = scene->seconds_left >= 0 && scene->seconds_left <= URGENT_SECONDS;
    hear_votes(&demo);
    while (last.len)
        hear_line(&demo, str_cut(&last, '\n'));
    if (wants_to_vote(&demo))
        demo_vote(&demo, ret);
    else
        demo_talk(&demo, ret);
}
