#include "show/maw_show.h"

#include "base/suggest.h"
#include "base/utf8.h"
#include "maw/session_replay.h"
#include "person/person_text.h"
#include "show/maw_course.h"
#include "show/maw_show_words.h"
#include "wire/json_read.h"
#include "wire/maw_message.h"

#include <inttypes.h>

#define TEXT_CHARS_MAX  1000
#define NAMES_BYTES_MAX 10000
#define WORDS_MAX       5
#define BOLD            "\033[1m"
#define PLAIN           "\033[0m"

/* A player of the round that is being shown. */
typedef struct Person {
    Buf jid;
    Buf name;
    Buf role;
    bool alive;
} Person;

typedef struct Show {
    const MawShowOptions *options;
    MawRecordHead head;
    Buf *out;
    Person people[SEAT_MAX];
    size_t count;
    Person *me; /* the options' seat, while it is in the round; NULL */
    bool seen;  /* somebody has that name */
    bool night;
    Buf executed; /* by the last day, until it was told what it was */
    Buf left;     /* who left by night, until the village hears of it */
    MawCourse course;
    Buf names; /* of all who have joined, each with a line end */
} Show;

/* ---- who is who ---- */

static bool shows_everything(const Show *show)
{
    return show->options->seat.len == 0;
}

static Person *person_called(Show *show, Str name)
{
    for (size_t i = 0; i < show->count; i++)
        if (str_eq(buf_str(&show->people[i].name), name))
            return &show->people[i];
    return NULL;
}

static Person *living_at(Show *show, Str jid)
{
    CLEANUP(buf_done) Buf folded = {0};

    jid_fold(jid, &folded);
    for (size_t i = 0; i < show->count; i++)
        if (str_eq(buf_str(&show->people[i].jid), buf_str(&folded)))
            return &show->people[i];
    return NULL;
}

static bool is_wolf(const Person *person)
{
    return str_eq(buf_str(&person->role), STR("Werewolf"));
}

/* Only what is sure: a name that was shortened may mean somebody else (maw/session_votes.c). */
static Person *person_meant(Show *show, Str target)
{
    Person *person = person_called(show, target);

    return person ? person : living_at(show, target);
}

static bool sees_hideout(const Show *show)
{
    const Person *me = show->me;

    return shows_everything(show) ||
           (me &&
            (is_wolf(me) || (!me->alive && show->head.rules.secrecy.ghosts_see == GHOSTS_ALL)));
}

static bool sees_room(const Show *show, Str room)
{
    if (shows_everything(show) || str_eq(room, STR("Lobby")))
        return true;
    if (str_eq(room, STR("Village")))
        return show->me;
    if (str_eq(room, STR("Graveyard")))
        return show->me && !show->me->alive;
    return sees_hideout(show);
}

static bool is_me(const Show *show, Str name)
{
    return str_eq(show->options->seat, name);
}

/* ---- pieces ---- */

/* "12:05 " since the session began. */
static void add_time(Show *show, const json_t *event)
{
    long long seconds = (long long)json_number(event, "t_ms") / 1000;

    buf_printf(show->out, "%3lld:%02lld  ", seconds / 60, seconds % 60);
}

static void add_safe(Show *show, Str text)
{
    utf8_add_printable(text, TEXT_CHARS_MAX, show->out);
}

static bool in_japanese(const Show *show)
{
    return show->options->language == SHOW_JAPANESE;
}

/* A role, or what else the record calls somebody or something. */
static Str record_word(const Show *show, Str text)
{
    Str role = maw_course_name(text, in_japanese(show));

    return str_eq(role, text) ? maw_show_record_word(text, in_japanese(show)) : role;
}

/* A sentence with what stands in it, each made safe for a terminal. */
static void add_words(Show *show, ShowWord word, const Str *texts, size_t count)
{
    Buf safe[WORDS_MAX] = {{0}};
    Str given[WORDS_MAX] = {{0}};

    for (size_t i = 0; i < count && i < WORDS_MAX; i++) {
        utf8_add_printable(texts[i], TEXT_CHARS_MAX, &safe[i]);
        given[i] = buf_str(&safe[i]);
    }
    person_fill(maw_show_word(word, in_japanese(show)), given, count, show->out);
    for (size_t i = 0; i < WORDS_MAX; i++)
        buf_done(&safe[i]);
}

static void add_two_words(Show *show, ShowWord word, Str one, Str two)
{
    add_words(show, word, (Str[]){one, two}, 2);
}

/* A number as a text, in the caller's bytes. */
static Str number_text(int64_t number, char text[static 24])
{
    int n = snprintf(text, 24, "%" PRId64, number);

    return (Str){text, n > 0 ? (size_t)n : 0};
}

static void add_number_words(Show *show, ShowWord word, int64_t number)
{
    char text[24];

    add_two_words(show, word, number_text(number, text), (Str){0});
}

/* The time, a sentence about one or two, and the line's end. */
static void add_line(Show *show, const json_t *event, ShowWord word, Str one, Str two)
{
    add_time(show, event);
    add_two_words(show, word, one, two);
    buf_add_char(show->out, '\n');
}

static void paint_text(Show *show, const char *how)
{
    if (show->options->color)
        buf_add(show->out, str_of(how));
}

static void add_heading(Show *show, ShowWord which, int64_t number)
{
    paint_text(show, BOLD);
    add_number_words(show, which, number);
    paint_text(show, PLAIN);
    buf_add_char(show->out, '\n');
}

/* ---- a round ---- */

static void keep_text(Buf *buf, Str text)
{
    buf_clear(buf);
    buf_add(buf, text);
}

static void seat_people(Show *show, const json_t *players)
{
    show->me = NULL;
    show->count = 0;
    for (size_t i = 0; i < json_count(players) && i < SEAT_MAX; i++) {
        const json_t *player = json_at(players, i);
        Person *person = &show->people[show->count++];
        buf_clear(&person->jid);
        jid_fold(json_text(player, "jid"), &person->jid);
        keep_text(&person->name, json_text(player, "name"));
        keep_text(&person->role, json_text(player, "role"));
        person->alive = true;
    }
    if (!shows_everything(show))
        show->me = person_called(show, show->options->seat);
}

static void show_start(Show *show, const json_t *event)
{
    unsigned wolves = 0;

    seat_people(show, json_get(event, "players"));
    buf_clear(&show->executed);
    buf_clear(&show->left);
    buf_add_char(show->out, '\n');
    add_heading(show, SHOW_ROUND, json_number(event, "round"));
    add_time(show, event);
    for (size_t i = 0; i < show->count; i++) {
        const Person *person = &show->people[i];
        bool known = shows_everything(show) || person == show->me ||
                     (show->me && is_wolf(show->me) && is_wolf(person));
        wolves += is_wolf(person);
        if (i)
            add_two_words(show, SHOW_COMMA, (Str){0}, (Str){0});
        if (known && (!shows_everything(show) || !str_eq(buf_str(&person->role), STR("Villager"))))
            add_two_words(show, SHOW_WITH, buf_str(&person->name),
                          record_word(show, buf_str(&person->role)));
        else
            add_safe(show, buf_str(&person->name));
    }
    add_number_words(show, wolves == 1 ? SHOW_WOLF : SHOW_WOLVES, wolves);
    buf_add_char(show->out, '\n');
}

/* What the table tells of a role after the execution: a side, or the role itself. */
static void add_revealed(Show *show, const json_t *event, MawReveal reveal)
{
    const Person *dead = person_called(show, buf_str(&show->executed));

    if (reveal == REVEAL_NONE || !dead || shows_everything(show))
        return;
    Str side = is_wolf(dead) ? STR("Werewolf") : STR("Villager");
    add_line(show, event, SHOW_WAS, buf_str(&dead->name),
             record_word(show, reveal == REVEAL_TEAM ? side : buf_str(&dead->role)));
}

static void show_phase(Show *show, const json_t *event)
{
    show->night = str_eq(json_text(event, "phase"), STR("night"));
    add_heading(show, show->night ? SHOW_NIGHT : SHOW_DAY, json_number(event, "day"));
    if (show->night) {
        if (sees_hideout(show))
            add_revealed(show, event, show->head.options.reveal_hideout);
        return;
    }
    if (show->me) {
        add_revealed(show, event, show->head.options.reveal_village);
        buf_add(show->out, buf_str(&show->left));
    }
    buf_clear(&show->left);
    buf_clear(&show->executed);
}

static void add_course(Show *show, Str line)
{
    maw_course(&show->course, line, false, show->options->language == SHOW_JAPANESE, show->out);
}

static void show_phase_end(Show *show, const json_t *event, Str line)
{
    Str target = json_text(event, "target");
    Person *dead = person_called(show, target);

    if (shows_everything(show) || show->me)
        add_course(show, line);
    if (dead)
        dead->alive = false;
    if (!str_eq(json_text(event, "phase"), STR("night")))
        keep_text(&show->executed, target);
}

static void show_left(Show *show, const json_t *event)
{
    Str name = json_text(event, "name");
    Person *gone = person_called(show, name);
    Buf *all = show->out;

    if (gone)
        gone->alive = false;
    if (is_me(show, name) || shows_everything(show) || (show->me && !show->night) ||
        (show->me && sees_hideout(show))) {
        add_line(show, event, SHOW_LEFT, name, (Str){0});
    } else if (show->me) { /* the village hears of it in the morning */
        show->out = &show->left;
        add_line(show, event, SHOW_LEFT, name, (Str){0});
        show->out = all;
    }
    if (is_me(show, name))
        show->me = NULL; /* nothing is sent to it any more */
}

static void show_player_end(Show *show, const json_t *player)
{
    char points[24], total[24];
    const Str texts[] = {json_text(player, "name"), record_word(show, json_text(player, "role")),
                         record_word(show, json_text(player, "end")),
                         number_text(json_number(player, "points"), points),
                         number_text(json_number(player, "total"), total)};

    buf_add(show->out, STR("        "));
    add_words(show, SHOW_POINTS, texts, 5);
    buf_add_char(show->out, '\n');
}

static void show_end(Show *show, const json_t *event, Str line)
{
    const json_t *players = json_get(event, "players");

    if (shows_everything(show) || show->me) {
        add_course(show, line);
        for (size_t i = 0; i < json_count(players) && i < SEAT_MAX; i++)
            show_player_end(show, json_at(players, i));
    }
    show->me = NULL;
    show->count = 0;
}

/* ---- what was said and done ---- */

static void show_line(Show *show, const json_t *event, Str line)
{
    Str room = json_text(event, "room"), name = json_text(event, "name");

    if (!sees_room(show, room))
        return;
    if (!str_eq(room, STR("Lobby")) || name.len == 0) {
        add_course(show, line); /* which leaves out the system's: other events say the same */
        return;
    }
    add_line(show, event, SHOW_LOBBY_LINE, name, json_text(event, "text"));
}

static void show_vote(Show *show, const json_t *event, Str line)
{
    bool told = show->night ? sees_hideout(show) : show->me && show->head.rules.vote.visible;

    if (shows_everything(show) || told || is_me(show, json_text(event, "name")))
        add_course(show, line);
}

static void show_whisper(Show *show, const json_t *event, const MawMessage *message)
{
    Person *from = living_at(show, json_text(event, "from"));
    const Person *to = person_meant(show, message->to);
    bool to_me = show->me && to == show->me, from_me = show->me && from == show->me;
    bool known = show->me && to && show->head.options.whispers_public && !show->night;

    if (!from || !(shows_everything(show) || to_me || from_me || known))
        return;
    add_time(show, event);
    add_two_words(show, SHOW_WHISPER, buf_str(&from->name), to ? buf_str(&to->name) : message->to);
    if (shows_everything(show) || to_me || from_me)
        add_two_words(show, SHOW_SAYING, message->message, (Str){0});
    buf_add_char(show->out, '\n');
}

static void show_question(Show *show, const json_t *event, const MawMessage *message)
{
    const Person *seer = living_at(show, json_text(event, "from"));
    const Person *target = person_meant(show, message->target);

    if (!seer || !(shows_everything(show) || seer == show->me))
        return;
    add_time(show, event);
    add_two_words(show, SHOW_ASKS, buf_str(&seer->name),
                  target ? buf_str(&target->name) : message->target);
    if (target)
        add_two_words(show, SHOW_SAYING, record_word(show, buf_str(&target->role)), (Str){0});
    buf_add_char(show->out, '\n');
}

/* Most of what is sent comes to an event of its own. */
static void show_message(Show *show, const json_t *event)
{
    MawMessage message;
    MawRefusal why;

    if (!str_eq(json_text(event, "outcome"), STR("accepted")))
        return;
    Str type = json_text(event, "type");
    bool whisper = str_eq(type, STR("whisper"));
    if (!whisper && !str_eq(type, STR("query_role")))
        return;
    if (!maw_message_read(json_text(event, "body"), &message, &why))
        return;
    if (whisper)
        show_whisper(show, event, &message);
    else
        show_question(show, event, &message);
    maw_message_done(&message);
}

/* ---- around it ---- */

static void show_joined(Show *show, const json_t *event)
{
    Str name = json_text(event, "name");

    if (show->names.len < NAMES_BYTES_MAX) {
        buf_add(&show->names, name);
        buf_add_char(&show->names, '\n');
    }
    show->seen = show->seen || is_me(show, name);
    add_line(show, event, SHOW_JOINED, name, (Str){0});
}

static void show_left_lobby(Show *show, const json_t *event)
{
    add_line(show, event, SHOW_LEFT_LOBBY, json_text(event, "name"), (Str){0});
}

/* What no player is told. */
static void show_presence(Show *show, const json_t *event)
{
    static const struct {
        const char *event;
        ShowWord word;
    } rows[] = {{"absent", SHOW_ABSENT},
                {"back", SHOW_BACK},
                {"expired", SHOW_EXPIRED},
                {"kick", SHOW_KICKED}};
    Str kind = json_text(event, "event"), name = json_text(event, "name");

    if (str_eq(kind, STR("expired")) && is_me(show, name))
        show->me = NULL;
    for (size_t i = 0; shows_everything(show) && i < sizeof(rows) / sizeof(rows[0]); i++)
        if (str_eq(kind, str_of(rows[i].event)))
            add_line(show, event, rows[i].word, name, (Str){0});
}

static void show_operator(Show *show, const json_t *event)
{
    static const struct {
        const char *act;
        ShowWord word;
    } rows[] = {{"stop", SHOW_STOPS},
                {"end_phase", SHOW_ENDS_PHASE},
                {"pause", SHOW_PAUSES},
                {"resume", SHOW_RESUMES},
                {"extend", SHOW_EXTENDS}};
    Str act = json_text(event, "act");
    char seconds[24];
    Str more = number_text((int64_t)json_number(event, "ms") / 1000, seconds);

    for (size_t i = 0; shows_everything(show) && i < sizeof(rows) / sizeof(rows[0]); i++)
        if (str_eq(act, str_of(rows[i].act)))
            add_line(show, event, rows[i].word, more, (Str){0});
}

/* The clock went on after a pause, or has more to go. */
static void show_retime(Show *show, const json_t *event, Str line)
{
    (void)event;
    if (shows_everything(show) || show->me)
        add_course(show, line);
}

static void show_link(Show *show, const json_t *event)
{
    if (shows_everything(show))
        add_line(show, event, SHOW_LINK, record_word(show, json_text(event, "state")), (Str){0});
}

static void show_resumed(Show *show, const json_t *event)
{
    Str at = json_text(event, "at");

    if (shows_everything(show))
        add_line(show, event, at.len ? SHOW_RESUMED_AT : SHOW_RESUMED, at, (Str){0});
}

static void show_seat(Show *show, const json_t *event)
{
    const Str texts[] = {json_text(event, "name"), json_text(event, "kind"),
                         json_text(event, "model"), json_text(event, "server")};

    if (!shows_everything(show))
        return;
    add_time(show, event);
    add_words(show, json_get(event, "model") ? SHOW_MODEL : SHOW_KIND, texts, 4);
    buf_add_char(show->out, '\n');
}

static void show_dropped(Show *show, const json_t *event)
{
    char count[24];
    Str more = number_text((int64_t)json_number(event, "messages"), count);

    if (shows_everything(show))
        add_line(show, event, SHOW_DROPPED, more, json_text(event, "name"));
}

static void show_session_end(Show *show, const json_t *event)
{
    buf_add_char(show->out, '\n');
    add_time(show, event);
    add_safe(show, record_word(show, json_text(event, "why")));
    buf_add_char(show->out, '\n');
}

static const struct {
    const char *event;
    void (*show)(Show *show, const json_t *event);
    void (*by_course)(Show *show, const json_t *event, Str line); /* shown by maw_course.h */
} events[] = {
    {"start_game", show_start, NULL},    {"phase", show_phase, NULL},
    {"phase_end", NULL, show_phase_end}, {"end_game", NULL, show_end},
    {"line", NULL, show_line},           {"vote", NULL, show_vote},
    {"message", show_message, NULL},     {"joined", show_joined, NULL},
    {"left", show_left, NULL},           {"left_lobby", show_left_lobby, NULL},
    {"absent", show_presence, NULL},     {"back", show_presence, NULL},
    {"expired", show_presence, NULL},    {"kick", show_presence, NULL},
    {"operator", show_operator, NULL},   {"link", show_link, NULL},
    {"seat", show_seat, NULL},           {"session_end", show_session_end, NULL},
    {"retime", NULL, show_retime},       {"dropped", show_dropped, NULL},
    {"resumed", show_resumed, NULL},
};

/* ---- the whole ---- */

static void show_head(Show *show)
{
    char players[24], rounds[24];
    const Str texts[] = {str_of(show->head.id), number_text(show->head.options.players, players),
                         number_text(show->head.options.rounds, rounds)};

    add_heading(show, SHOW_SESSION, 0);
    buf_add(show->out, STR("  0:00  "));
    add_words(show, show->head.options.rounds == 1 ? SHOW_HEAD_ONE : SHOW_HEAD, texts, 3);
    if (shows_everything(show) &&
        show->head.chance.of != MAW_SEED_OF_SESSION) /* no player may know it */
        add_two_words(show, SHOW_SEED, str_of(show->head.chance.seed), (Str){0});
    buf_add_char(show->out, '\n');
}

static int show_event(Show *show, Str line, Err *err)
{
    json_t *event = NULL;
    int rc = json_read(line, MAW_RECORD_LINE_MAX, &event, err);

    if (rc)
        return rc;
    Str kind = json_text(event, "event");
    for (size_t i = 0; i < sizeof(events) / sizeof(events[0]); i++) {
        if (!str_eq(kind, str_of(events[i].event)))
            continue;
        if (events[i].show)
            events[i].show(show, event);
        else
            events[i].by_course(show, event, line);
    }
    json_done(event);
    return 0;
}

static int show_lines(Show *show, Str record, Err *err)
{
    bool last_has_end = record.bytes[record.len - 1] == '\n';
    unsigned number = 1;
    Str rest = record, line = str_cut(&rest, '\n');
    Err wrong = {0};
    int rc = maw_record_head(line, &show->head, &wrong);

    if (rc == 0)
        show_head(show);
    while (rc == 0 && rest.len) {
        line = str_cut(&rest, '\n');
        number++;
        rc = show_event(show, line, &wrong);
        if (rc == ERR_SYNTAX && rest.len == 0 && !last_has_end) {
            buf_add_char(show->out, '\n');
            add_number_words(show, SHOW_CUT_OFF, number);
            buf_add_char(show->out, '\n');
            rc = 0;
        }
    }
    if (rc == 0)
        return 0;
    bool packet = str_starts(str_of(wrong.msg), STR("packet: ")); /* as the reader calls all */
    return err_set_at(err, (ErrCode)rc, number, wrong.column, "%s",
                      wrong.msg + (packet ? strlen("packet: ") : 0));
}

static int nobody_played(const Show *show, Err *err)
{
    Suggest suggest = {.word = show->options->seat};

    for (Str rest = buf_str(&show->names); rest.len;)
        suggest_offer(&suggest, str_cut(&rest, '\n'));
    Str near = suggest_best(&suggest);
    if (near.len)
        return err_set(err, ERR_USAGE, "--seat '%.*s': nobody has that name; did you mean '%.*s'?",
                       STR_ARG(str_part(show->options->seat, 0, 60)), STR_ARG(near));
    return err_set(err, ERR_USAGE, "--seat '%.*s': nobody in that session has that name",
                   STR_ARG(str_part(show->options->seat, 0, 60)));
}

static void show_done(Show *show)
{
    for (size_t i = 0; i < SEAT_MAX; i++) {
        buf_done(&show->people[i].jid);
        buf_done(&show->people[i].name);
        buf_done(&show->people[i].role);
    }
    buf_done(&show->executed);
    buf_done(&show->left);
    buf_done(&show->names);
}

int maw_show(Str record, const MawShowOptions *options, Buf *out, Err *err)
{
    Show show = {.options = options, .out = out};

    if (record.len == 0 || record.len > MAW_RECORD_BYTES_MAX)
        return err_set(err, ERR_LIMIT, "a session's record has 1 to %zu bytes",
                       MAW_RECORD_BYTES_MAX);
    int rc = show_lines(&show, record, err);
    if (rc == 0 && !shows_everything(&show) && !show.seen)
        rc = nobody_played(&show, err);
    show_done(&show);
    return rc;
}
