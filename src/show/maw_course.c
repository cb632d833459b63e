#include "show/maw_course.h"

#include "base/rng.h"
#include "base/utf8.h"
#include "maw/system_line.h"
#include "person/person_text.h"
#include "wire/json_read.h"

#define EVENT_BYTES_MAX ((size_t)1024 * 1024)
#define TEXT_CHARS_MAX  1000

/* ---- words ---- */

typedef enum CourseWord {
    COURSE_ROUND,   /* number */
    COURSE_WITH,    /* name, role: of who is no villager */
    COURSE_COMMA,   /* between two names */
    COURSE_DAY,     /* number */
    COURSE_DAY_OF,  /* number, votes that execute */
    COURSE_NIGHT,   /* number */
    COURSE_RETIMED, /* seconds */
    COURSE_TIE,
    COURSE_NOBODY_DIES,
    COURSE_EXECUTED, /* name, as all of these */
    COURSE_MURDERED,
    COURSE_DEAD,  /* by a cause that has no word here */
    COURSE_VOTES, /* voter, target */
    COURSE_VOTES_NOBODY,
    COURSE_VILLAGERS_WIN,
    COURSE_WEREWOLVES_WIN,
    COURSE_NOBODY_WINS,
    COURSE_ABSENT,
    COURSE_BACK,
    COURSE_LEFT,
    COURSE_WORDS,
} CourseWord;

static const char *const words[COURSE_WORDS][2] = {
    [COURSE_ROUND] = {"Round {0}", "ラウンド {0}"},
    [COURSE_WITH] = {"{0} ({1})", "{0} ({1})"},
    [COURSE_COMMA] = {", ", "、"},
    [COURSE_DAY] = {"-- Day {0} --", "-- {0}日目 昼 --"},
    [COURSE_DAY_OF] = {"-- Day {0}: {1} votes execute at once --",
                       "-- {0}日目 昼: {1}票で即処刑 --"},
    [COURSE_NIGHT] = {"-- Night {0} --", "-- {0}日目 夜 --"},
    [COURSE_RETIMED] = {"-- {0} seconds are left --", "-- 残り {0} 秒 --"},
    [COURSE_TIE] = {"A tie: nobody dies.", "同数のため、誰も死にませんでした。"},
    [COURSE_NOBODY_DIES] = {"Nobody dies.", "誰も死にませんでした。"},
    [COURSE_EXECUTED] = {"{0} is executed.", "{0} が処刑されました。"},
    [COURSE_MURDERED] = {"{0} is murdered.", "{0} が殺されました。"},
    [COURSE_DEAD] = {"{0} is dead.", "{0} が死にました。"},
    [COURSE_VOTES] = {"{0} votes for {1}", "{0} → {1} に投票"},
    [COURSE_VOTES_NOBODY] = {"{0} votes for nobody", "{0} が票を取り消し"},
    [COURSE_VILLAGERS_WIN] = {"The villagers win.", "村人の勝ちです。"},
    [COURSE_WEREWOLVES_WIN] = {"The werewolves win.", "人狼の勝ちです。"},
    [COURSE_NOBODY_WINS] = {"Nobody wins.", "勝者はありません。"},
    [COURSE_ABSENT] = {"{0} can't be reached.", "{0} と連絡がつきません。"},
    [COURSE_BACK] = {"{0} is back.", "{0} が戻りました。"},
    [COURSE_LEFT] = {"{0} has left the game.", "{0} がゲームから抜けました。"},
};

/* What the record calls things, for people. */
static const struct {
    const char *name;
    const char *japanese;
} names[] = {
    {"Werewolf", "人狼"}, {"Seer", "占い師"},    {"Villager", "村人"},
    {"Village", "村"},    {"Hideout", "アジト"}, {"Graveyard", "墓場"},
};

/* One event that is being told. */
typedef struct Telling {
    const json_t *event;
    MawCourse *told; /* what was */
    bool japanese;
    Buf *out;
} Telling;

/* ---- pieces ---- */

/* "12:05 " since the session began. */
static void add_time(const Telling *course)
{
    long long seconds = (long long)json_number(course->event, "t_ms") / 1000;

    buf_printf(course->out, "%3lld:%02lld  ", seconds / 60, seconds % 60);
}

static void add_text(const Telling *course, const char *key)
{
    utf8_add_printable(json_text(course->event, key), TEXT_CHARS_MAX, course->out);
}

Str maw_course_name(Str name, bool japanese)
{
    for (size_t i = 0; japanese && i < sizeof(names) / sizeof(names[0]); i++)
        if (str_eq(name, str_of(names[i].name)))
            return str_of(names[i].japanese);
    return name;
}

/* A word with what stands in it, made safe for a terminal. */
static void add_word(const Telling *course, CourseWord word, Str one, Str two)
{
    CLEANUP(buf_done) Buf first = {0};
    CLEANUP(buf_done) Buf second = {0};

    utf8_add_printable(one, TEXT_CHARS_MAX, &first);
    utf8_add_printable(two, TEXT_CHARS_MAX, &second);
    person_fill(words[word][course->japanese], (Str[]){buf_str(&first), buf_str(&second)}, 2,
                course->out);
}

/* The same as a line with its time. */
static void add_line(const Telling *course, CourseWord word, Str one, Str two)
{
    add_time(course);
    add_word(course, word, one, two);
    buf_add_char(course->out, '\n');
}

static void add_number_line(const Telling *course, CourseWord word, long long number)
{
    char text[24];
    int n = snprintf(text, sizeof(text), "%lld", number);

    add_line(course, word, (Str){text, n > 0 ? (size_t)n : 0}, STR(""));
}

/* ---- events ---- */

static void show_start(const Telling *course)
{
    const json_t *players = json_get(course->event, "players");
    char round[24];

    snprintf(round, sizeof(round), "%lld", (long long)json_number(course->event, "round"));
    buf_add_char(course->out, '\n');
    add_word(course, COURSE_ROUND, str_of(round), STR(""));
    buf_add_char(course->out, '\n');
    add_time(course);
    for (size_t i = 0; i < json_count(players); i++) {
        const json_t *player = json_at(players, i);
        Str name = json_text(player, "name"), role = json_text(player, "role");
        if (i)
            add_word(course, COURSE_COMMA, STR(""), STR(""));
        if (str_eq(role, STR("Villager")))
            utf8_add_printable(name, TEXT_CHARS_MAX, course->out);
        else
            add_word(course, COURSE_WITH, name, maw_course_name(role, course->japanese));
    }
    buf_add_char(course->out, '\n');
    course->told->alive = (uint32_t)json_count(players);
}

static void lose_player(const Telling *course)
{
    course->told->alive -= course->told->alive > 0;
}

static void show_phase(const Telling *course)
{
    bool night = str_eq(json_text(course->event, "phase"), STR("night"));

    char day[24], votes[24];

    course->told->vote_count = 0;
    if (night || course->told->alive == 0) {
        add_number_line(course, night ? COURSE_NIGHT : COURSE_DAY,
                        (long long)json_number(course->event, "day"));
        return;
    }
    snprintf(day, sizeof(day), "%lld", (long long)json_number(course->event, "day"));
    snprintf(votes, sizeof(votes), "%u", course->told->alive / 2 + 1);
    add_line(course, COURSE_DAY_OF, str_of(day), str_of(votes));
}

static void show_retime(const Telling *course)
{
    long long left =
        (long long)(json_number(course->event, "until_ms") - json_number(course->event, "t_ms"));

    add_number_line(course, COURSE_RETIMED, left > 0 ? (left + 999) / 1000 : 0);
}

static void show_phase_end(const Telling *course)
{
    Str target = json_text(course->event, "target"), status = json_text(course->event, "status");
    CourseWord word = str_eq(status, STR("executed"))   ? COURSE_EXECUTED
                      : str_eq(status, STR("murdered")) ? COURSE_MURDERED
                                                        : COURSE_DEAD;

    if (target.len == 0)
        word = str_eq(status, STR("tie")) ? COURSE_TIE : COURSE_NOBODY_DIES;
    else
        lose_player(course);
    add_line(course, word, target, STR(""));
}

static void show_line(const Telling *course)
{
    Str room = json_text(course->event, "room");

    if (json_text(course->event, "name").len == 0 || str_eq(room, STR("Lobby")))
        return; /* the system's lines say what other events say */
    add_time(course);
    if (!str_eq(room, STR("Village"))) {
        buf_add_char(course->out, '[');
        utf8_add_printable(maw_course_name(room, course->japanese), TEXT_CHARS_MAX, course->out);
        buf_add(course->out, STR("] "));
    }
    add_text(course, "name");
    buf_add(course->out, STR(": "));
    add_text(course, "text");
    buf_add_char(course->out, '\n');
}

/* Of the lobby's lines those of the system that no other event says. */
static void show_lobby(const Telling *course, bool comings)
{
    Str arguments[SYSTEM_ARGUMENTS];
    SystemLine line = SYSTEM_LINES;

    if (json_text(course->event, "name").len ||
        !system_line_read(json_text(course->event, "text"), &line, arguments))
        return;
    bool coming = line == SYSTEM_JOINED || line == SYSTEM_LEFT_LOBBY;
    if (line != SYSTEM_WAITING && line != SYSTEM_WAITING_BOTS && line != SYSTEM_WAITING_END &&
        !(coming && comings))
        return;
    CLEANUP(buf_done) Buf text = {0};
    system_line_write(line, course->japanese ? LLM_JAPANESE : LLM_ENGLISH, arguments, &text);
    add_time(course);
    utf8_add_printable(buf_str(&text), TEXT_CHARS_MAX, course->out);
    buf_add_char(course->out, '\n');
}

/* Whether this was its vote already. */
static bool votes_again(MawCourse *told, Str voter, Str target)
{
    uint64_t who = rng_derive_text(0, voter), whom = target.len ? rng_derive_text(0, target) : 0;
    uint32_t at = 0;

    while (at < told->vote_count && told->votes[at].voter != who)
        at++;
    if (at == sizeof(told->votes) / sizeof(told->votes[0]))
        return false;
    bool again = at < told->vote_count && told->votes[at].target == whom;
    told->vote_count += at == told->vote_count;
    told->votes[at].voter = who;
    told->votes[at].target = whom;
    return again;
}

static void show_vote(const Telling *course)
{
    Str target = json_text(course->event, "target");

    if (votes_again(course->told, json_text(course->event, "name"), target))
        return;

    add_line(course, target.len ? COURSE_VOTES : COURSE_VOTES_NOBODY,
             json_text(course->event, "name"), target);
}

static void show_end(const Telling *course)
{
    Str winner = json_text(course->event, "winner");

    add_line(course,
             str_eq(winner, STR("VILLAGER"))   ? COURSE_VILLAGERS_WIN
             : str_eq(winner, STR("WEREWOLF")) ? COURSE_WEREWOLVES_WIN
                                               : COURSE_NOBODY_WINS,
             STR(""), STR(""));
}

static void show_absent(const Telling *course)
{
    add_line(course, COURSE_ABSENT, json_text(course->event, "name"), STR(""));
}

static void show_back(const Telling *course)
{
    add_line(course, COURSE_BACK, json_text(course->event, "name"), STR(""));
}

static void show_left(const Telling *course)
{
    lose_player(course);
    add_line(course, COURSE_LEFT, json_text(course->event, "name"), STR(""));
}

static const struct {
    const char *event;
    void (*show)(const Telling *course);
} events[] = {
    {"start_game", show_start}, {"phase", show_phase}, {"phase_end", show_phase_end},
    {"line", show_line},        {"vote", show_vote},   {"end_game", show_end},
    {"absent", show_absent},    {"back", show_back},   {"left", show_left},
    {"retime", show_retime},
};

void maw_course(MawCourse *told, Str event, bool comings, bool japanese, Buf *out)
{
    MawCourse nothing = {0};
    json_t *json = NULL;

    if (json_read(event, EVENT_BYTES_MAX, &json, NULL))
        return;
    const Telling course = {json, told ? told : &nothing, japanese, out};
    Str kind = json_text(json, "event");
    if (str_eq(json_text(json, "room"), STR("Lobby")))
        show_lobby(&course, comings);
    for (size_t i = 0; i < sizeof(events) / sizeof(events[0]); i++)
        if (str_eq(kind, str_of(events[i].event)))
            events[i].show(&course);
    json_done(json);
}
