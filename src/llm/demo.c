/* The demo model: no model at all, but phrases that fit the situation, so that a game can be shown
 * and every part around a model tried without one. It understands next to nothing, and says nothing
 * that it does not know: whom it suspects by day is one seat, and no deed is made up for it. */
#include "base/rng.h"
#include "llm/decision_clean.h"
#include "llm/demo_words.h"
#include "llm/seat.h"
#include "llm/wording.h"

#define NEWS_BYTES_MAX       8192
#define URGENT_SECONDS       40
#define LISTEN_PERCENT_ALONE 60 /* nobody says any more */
#define LISTEN_PERCENT       30
#define VOTE_PERCENT         35 /* of its turns in a room, once others vote */

/* What it made of the news, and the chance of this decision. */
typedef struct Demo {
    const LlmScene *scene;
    Rng rng;
    Str news;
    Str accuser;                     /* of me; empty: nobody */
    Str speaker;                     /* who spoke to me */
    bool asked;                      /* and it was a question */
    Str blamed, blamer;              /* somebody else who is accused, and by whom */
    bool by_vote;                    /* it is a vote that blames */
    uint32_t claims[LLM_SEATS_MAX];  /* how often a Seer, as it said, has named this seat a wolf */
    uint32_t cleared[LLM_SEATS_MAX]; /* or human */
    Str rival;                       /* says it is the Seer, and I know better; empty: nobody */
    bool talked;                     /* somebody else has said something in this round */
    uint32_t lines;                  /* of others in the news */
    Str suspect;                     /* of this day; empty: nobody can be */
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

static bool line_asks(Str line)
{
    return wording_have(line, STR("?")) || wording_have(line, STR("？")) ||
           wording_start(line, STR("INQUIRE"));
}

static bool starts_with_any(Str text, const char *const *signs)
{
    for (size_t i = 0; signs[i]; i++)
        if (wording_start(text, str_of(signs[i])))
            return true;
    return false;
}

static bool ends_with(Str text, Str end)
{
    return text.len >= end.len && str_eq(str_part(text, text.len - end.len, end.len), end);
}

/* How a line has a name: "Ann, ...", "..., Ann." is said to her, "I suspect Ann" of her. */
typedef enum Mention {
    MENTION_NONE,
    MENTION_TO,
    MENTION_OF,
} Mention;

static Mention line_mention(Str line, Str name)
{
    static const char *const behind[] = {",", ":", ".", "?", "!", "、", "。", "？", "！", NULL};
    Mention mention = MENTION_NONE;

    for (size_t at = 0; name.len && wording_find_word(line, name, at, &at); at += name.len) {
        Str before = str_trim(str_part(line, 0, at)),
            after = str_part(line, at + name.len, line.len);
        bool begins = !before.len || ends_with(before, STR(",")) || ends_with(before, STR("、"));
        if (wording_start(after, STR("さん")))
            after = str_part(after, strlen("さん"), after.len);
        if (!begins || (after.len && !starts_with_any(after, behind)))
            return MENTION_OF;
        mention = MENTION_TO;
    }
    return mention;
}

/* The last line of each kind counts. "Name: text" of somebody who lives; others are no players. */
static void hear_line(Demo *demo, Str line)
{
    const LlmScene *scene = demo->scene;
    Str text = line;
    const LlmSeatSeen *from = wording_seat(scene, str_trim(str_cut(&text, ':')));
    bool asks = line_asks(text), accuses = !asks && line_accuses(text);

    if (!from || !from->alive || str_eq(from->name, scene->me))
        return;
    demo->lines++;
    text = str_trim(text);
    Mention mention = line_mention(text, scene->me);
    if (mention == MENTION_TO) {
        demo->speaker = from->name;
        demo->asked = asks;
    } else if (mention == MENTION_OF && accuses && !from->mate)
        demo->accuser = from->name;
    for (uint32_t i = 0; i < scene->target_count && accuses; i++)
        if (line_mention(text, scene->targets[i]) == MENTION_OF &&
            !str_eq(scene->targets[i], from->name)) {
            demo->blamed = scene->targets[i];
            demo->blamer = from->name;
            demo->by_vote = false;
        }
}

static bool is_named(Str text, Str name, Str english, Str japanese)
{
    return line_mention(text, name) == MENTION_OF &&
           (wording_have(text, english) || wording_have(text, japanese));
}

/* "Name: I am the Seer ... X is a werewolf", or human, of the living and the dead. */
static void hear_claim(Demo *demo, Str line)
{
    const LlmScene *scene = demo->scene;
    Str text = line;
    const LlmSeatSeen *from = wording_seat(scene, str_trim(str_cut(&text, ':')));

    demo->talked |= from && !str_eq(from->name, scene->me);
    bool claim = wording_have(text, STR("the Seer")) || wording_have(text, STR("占い師")) ||
                 wording_have(text, STR("DIVINED"));

    if (!from || !claim || from->mate || str_eq(from->name, scene->me))
        return;
    if (wording_same(scene->role, STR("Seer")) ||
        is_named(text, scene->me, STR("werewolf"), STR("人狼")))
        demo->rival = from->name;
    for (uint32_t i = 0; i < scene->seat_count; i++) {
        Str name = scene->seats[i].name;
        if (is_named(text, name, STR("werewolf"), STR("人狼")))
            demo->claims[i]++;
        else if (is_named(text, name, STR("human"), STR("人間")))
            demo->cleared[i]++;
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
            demo->by_vote = true;
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

/* Nobody suspects whom it knows for human; a wolf that is known comes first, then who can't be the
 * Seer that it says it is, then whom a Seer has named, then who has most votes. */
static uint64_t suspicion_of_seat(const Demo *demo, const LlmSeatSeen *seat)
{
    const LlmScene *scene = demo->scene;
    bool knows = seat->role.len && !wording_is_wolf(scene);
    bool mine = str_eq(scene->my_vote, seat->name);
    ptrdiff_t at = seat - scene->seats;

    if (knows && wording_means_wolf(seat->role))
        return UINT64_MAX;
    if (knows || (demo->cleared[at] && !demo->claims[at]))
        return 0;
    return 1 + seat->votes - (mine && seat->votes > 0) +
           (str_eq(demo->rival, seat->name) ? 2 * LLM_SEATS_MAX : 0) +
           (demo->claims[at] ? LLM_SEATS_MAX : 0);
}

/* Among equals the same all day long, and another one for each player, whatever the request. */
static Str suspect_seat(const Demo *demo)
{
    const LlmScene *scene = demo->scene;
    Str suspect = {0};
    uint64_t most = 1, first = 0;

    for (uint32_t i = 0; i < scene->seat_count; i++) {
        const LlmSeatSeen *seat = &scene->seats[i];
        if (!seat->alive || seat->mate || str_eq(seat->name, scene->me))
            continue;
        uint64_t points = suspicion_of_seat(demo, seat);
        uint64_t place = rng_derive_text(rng_derive_text(scene->day, scene->me), seat->name);
        if (points > most || (points == most && (!suspect.len || place < first))) {
            suspect = seat->name;
            most = points;
            first = place;
        }
    }
    return suspect;
}

/* Of whose death the news tell. */
static Str dead_in_news(const Demo *demo, bool *ret_executed)
{
    const LlmScene *scene = demo->scene;
    Str name = {0};

    for (uint32_t i = 0; i < scene->seat_count; i++)
        if (!scene->seats[i].alive && scene->seats[i].cause.len &&
            line_mention(demo->news, scene->seats[i].name) != MENTION_NONE) {
            bool executed = wording_same(scene->seats[i].cause, STR("executed"));
            if (name.len && executed)
                continue; /* of a murder more is said */
            name = scene->seats[i].name;
            *ret_executed = executed;
        }
    return name;
}

/* ---- speaking ---- */

static const char *line_wording(const LlmScene *scene, DemoLine line, uint32_t index)
{
    return scene->speech == SPEECH_PROTOCOL ? demo_sentence(line, index)
                                            : demo_wording(scene->language, line, index);
}

/* Fills the wording; false when a name that it needs is missing. */
static bool fill_line(const Demo *demo, const char *wording, Str a, Str b, Buf *text)
{
    const Slot slots[] = {{"a", a}, {"b", b}, {"me", demo->scene->me}};

    buf_clear(text);
    if ((!a.len && strstr(wording, "{a}")) || (!b.len && strstr(wording, "{b}")))
        return false;
    wording_fill(wording, slots, 3, text);
    return demo->scene->speech != SPEECH_PROTOCOL || text->len <= llm_max_chars(demo->scene);
}

/* Puts a phrase into `to`, one that nobody has said just now; false when there is none, or a name
 * that it needs is missing. */
static bool phrase_line(Demo *demo, DemoLine line, Str a, Str b, char *to, size_t room)
{
    CLEANUP(buf_done) Buf text = {0};
    bool protocol = demo->scene->speech == SPEECH_PROTOCOL;
    uint32_t count = 0;

    while (count < DEMO_WORDINGS_MAX && line_wording(demo->scene, line, count))
        count++;
    if (!count)
        return false;
    uint32_t first = rng_below(&demo->rng, count);
    for (uint32_t i = 0; i < count; i++) {
        if (!fill_line(demo, line_wording(demo->scene, line, (first + i) % count), a, b, &text) ||
            (!protocol && wording_have(demo->news, buf_str(&text))))
            continue;
        Str said = clean_cut(buf_str(&text), llm_max_chars(demo->scene), room - 1);
        if (!said.len)
            return false;
        memcpy(to, said.bytes, said.len);
        to[said.len] = '\0';
        return true;
    }
    return false;
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
    Str dead = dead_in_news(demo, &executed), a = somebody(demo, (Str){0});
    DemoLine follow = demo->by_vote ? DEMO_FOLLOW_VOTE : DEMO_FOLLOW;

    switch (rng_below(&demo->rng, 5)) {
    case 0:
        if (dead.len)
            say_line(demo, executed ? DEMO_EXECUTED : DEMO_MOURN, dead, (Str){0}, ret);
        break;
    case 1:
        say_line(demo, DEMO_QUESTION, a, (Str){0}, ret);
        break;
    case 2:
        if (demo->blamed.len && !str_eq(demo->blamed, demo->scene->me))
            say_line(demo, str_eq(demo->blamed, demo->suspect) ? follow : DEMO_DOUBT, demo->blamed,
                     demo->blamer, ret);
        break;
    default:
        break;
    }
    if (ret->action == LLM_LISTEN && demo->scene->day <= 1 && !demo->talked && by_chance(demo, 60))
        say_line(demo, DEMO_HELLO, a, (Str){0}, ret);
    if (ret->action == LLM_LISTEN)
        say_line(demo, DEMO_SUSPECT, demo->suspect, (Str){0}, ret);
}

/* A Seer tells of a wolf that it has found, and stands by a human who is blamed; what it has said
 * already is not said again: the seat sees to that. */
static bool tell_result(Demo *demo, LlmDecision *ret)
{
    const LlmSeatSeen *suspect = wording_seat(demo->scene, demo->suspect);
    const LlmSeatSeen *blamed = wording_seat(demo->scene, demo->blamed);

    if (!wording_same(demo->scene->role, STR("Seer")) || !by_chance(demo, 70))
        return false;
    if (suspect && suspect->role.len && wording_means_wolf(suspect->role))
        say_line(demo, DEMO_FOUND, suspect->name, (Str){0}, ret);
    else if (blamed && blamed->alive && blamed->role.len && !wording_means_wolf(blamed->role))
        say_line(demo, DEMO_CLEARED, blamed->name, (Str){0}, ret);
    return ret->action == LLM_SPEAK;
}

static void demo_talk(Demo *demo, LlmDecision *ret)
{
    bool wolves =
        demo->scene->task == TASK_WHISPER || (demo->scene->night && wording_is_wolf(demo->scene));

    if (!wolves && tell_result(demo, ret))
        return;
    if (demo->accuser.len && !wolves && by_chance(demo, 85)) {
        say_line(demo, DEMO_DEFEND, demo->accuser, (Str){0}, ret);
        return;
    }
    if (demo->speaker.len && !wolves && !str_eq(demo->speaker, demo->suspect)) {
        say_line(demo, demo->asked ? DEMO_ANSWER : DEMO_REPLY, demo->speaker, demo->suspect, ret);
        return;
    }
    if (by_chance(demo, demo->talked && !demo->lines ? LISTEN_PERCENT_ALONE : LISTEN_PERCENT))
        return;
    if (wolves)
        talk_among_wolves(demo, ret);
    else if (demo->urgent && by_chance(demo, 50))
        say_line(demo, DEMO_URGE, demo->suspect, (Str){0}, ret);
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
    if (scene->task != TASK_ROOM || !scene->target_count)
        return false;
    if (scene->my_vote.len) /* it changes with what is heard */
        return !scene->night && demo->suspect.len && !str_eq(scene->my_vote, demo->suspect) &&
               by_chance(demo, VOTE_PERCENT);
    return demo->urgent || wolves ||
           ((demo->blamed.len || demo->accuser.len) && by_chance(demo, VOTE_PERCENT));
}

/* By day, for whom it says that it suspects; else as the rule does. */
static void choose_vote(const Demo *demo, LlmDecision *ret)
{
    LlmScene scene = *demo->scene;
    bool by_day = scene.task == TASK_VOTE || scene.task == TASK_OPINION ||
                  (scene.task == TASK_ROOM && !scene.night);

    if (scene.task == TASK_ROOM)
        scene.task = TASK_VOTE; /* it wants to, now */
    llm_fallback(&scene, ret);
    for (uint32_t i = 0; by_day && demo->suspect.len && i < scene.target_count; i++)
        if (str_eq(scene.targets[i], demo->suspect) && demo->suspect.len < sizeof(ret->target)) {
            memcpy(ret->target, demo->suspect.bytes, demo->suspect.len);
            ret->target[demo->suspect.len] = '\0';
            ret->action = LLM_VOTE;
        }
}

static DemoLine reason_line(const Demo *demo, Str target)
{
    const LlmSeatSeen *seat = wording_seat(demo->scene, target);
    bool others = seat && seat->votes > str_eq(demo->scene->my_vote, target);

    if (demo->scene->night)
        return DEMO_REASON_NIGHT;
    return others ? DEMO_REASON_VOTES : DEMO_REASON;
}

static void demo_vote(Demo *demo, LlmDecision *ret)
{
    LlmTask task = demo->scene->task;

    choose_vote(demo, ret);
    if (task == TASK_OPINION)
        snprintf(ret->reason, sizeof(ret->reason), "%u", 30 + rng_below(&demo->rng, 51));
    else if (ret->action == LLM_VOTE && task != TASK_BID && demo->scene->speech == SPEECH_NATURAL)
        phrase_line(demo, reason_line(demo, str_of(ret->target)), str_of(ret->target), (Str){0},
                    ret->reason, sizeof(ret->reason));
}

void llm_demo(const LlmScene *scene, Str heard, Str news, LlmDecision *ret)
{
    Demo demo = {.scene = scene};
    Str last = str_part(news, news.len > NEWS_BYTES_MAX ? news.len - NEWS_BYTES_MAX : 0, news.len);

    ret->action = LLM_LISTEN;
    ret->message[0] = ret->target[0] = ret->reason[0] = ret->thought[0] = '\0';
    demo.news = last;
    demo.rng = rng_new(rng_derive_text(rng_derive(scene->seed, SALT_DEMO), last));
    demo.urgent = scene->seconds_left >= 0 && scene->seconds_left <= URGENT_SECONDS;
    while (heard.len)
        hear_claim(&demo, str_cut(&heard, '\n'));
    demo.suspect = suspect_seat(&demo);
    hear_votes(&demo);
    while (last.len)
        hear_line(&demo, str_cut(&last, '\n'));
    if (wants_to_vote(&demo))
        demo_vote(&demo, ret);
    else
        demo_talk(&demo, ret);
}
