#include "show/maw_show.h"

#include "base/suggest.h"
#include "base/utf8.h"
#include "maw/session_replay.h"
#include "show/maw_course.h"
#include "wire/json_read.h"
#include "wire/maw_message.h"

#include <inttypes.h>

#define TEXT_CHARS_MAX  1000
#define NAMES_BYTES_MAX 10000
#define BOLD            "\033[1m"
#define PLAIN           "\033[0m"

typedef enum Word {
    WORD_SESSION,
    WORD_ROUND,
    WORD_DAY,
    WORD_NIGHT,
    WORD_COUNT,
} Word;

static const char *const headings[WORD_COUNT][2] = {
    [WORD_SESSION] = {"Session", "セッション"},
    [WORD_ROUND] = {"Round %lld", "第%lldラウンド"},
    [WORD_DAY] = {"Day %lld", "%lld日目"},
    [WORD_NIGHT] = {"Night %lld", "%lld日目の夜"},
};

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

/* The time, and a sentence whose first words are somebody's name; NULL = what stands in `key`. */
static void add_sentence(Show *show, const json_t *event, const char *key, const char *rest)
{
    add_time(show, event);
    add_safe(show, json_text(event, key));
    buf_printf(show->out, " %s\n", rest);
}

static void paint_text(Show *show, const char *how)
{
    if (show->options->color)
        buf_add(show->out, str_of(how));
}

static void add_heading(Show *show, Word which, int64_t number)
{
    const char *text = headings[which][show->options->language == SHOW_JAPANESE];
    Str rest = str_of(text), before = str_cut(&rest, '%');

    paint_text(show, BOLD);
    buf_add(show->out, before);
    if (rest.len) { /* behind "%lld" */
        buf_add_int(show->out, number);
        buf_add(show->out, str_part(rest, 3, rest.len));
    }
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
    add_heading(show, WORD_ROUND, json_number(event, "round"));
    add_time(show, event);
    for (size_t i = 0; i < show->count; i++) {
        const Person *person = &show->people[i];
        bool known = shows_everything(show) || person == show->me ||
                     (show->me && is_wolf(show->me) && is_wolf(person));
        wolves += is_wolf(person);
        buf_add(show->out, i ? STR(", ") : STR(""));
        add_safe(show, buf_str(&person->name));
        if (known &&
            (!shows_everything(show) || !str_eq(buf_str(&person->role), STR("Villager")))) {
            buf_add(show->out, STR(" ("));
            add_safe(show, buf_str(&person->role));
            buf_add_char(show->out, ')');
        }
    }
    buf_printf(show->out, "; %u of them %s\n", wolves,
               wolves == 1 ? "is a werewolf" : "are werewolves");
}

/* What the table tells of a role after the execution: a side, or the role itself. */
static void add_revealed(Show *show, const json_t *event, MawReveal reveal)
{
    const Person *dead = person_called(show, buf_str(&show->executed));

    if (reveal == REVEAL_NONE || !dead || shows_everything(show))
        return;
    add_time(show, event);
    add_safe(show, buf_str(&dead->name));
    buf_add(show->out, STR(", who was executed, was a "));
    if (reveal == REVEAL_TEAM)
        buf_add(show->out, is_wolf(dead) ? STR("Werewolf") : STR("Villager"));
    else
        add_safe(show, buf_str(&dead->role));
    buf_add(show->out, STR(".\n"));
}

static void show_phase(Show *show, const json_t *event)
{
    show->night = str_eq(json_text(event, "phase"), STR("night"));
    add_heading(show, show->night ? WORD_NIGHT : WORD_DAY, json_number(event, "day"));
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
        add_sentence(show, event, "name", "has left the game.");
    } else if (show->me) { /* the village hears of it in the morning */
        show->out = &show->left;
        add_sentence(show, event, "name", "has left the game.");
        show->out = all;
    }
    if (is_me(show, name))
        show->me = NULL; /* nothing is sent to it any more */
}

static void show_end(Show *show, const json_t *event, Str line)
{
    const json_t *players = json_get(event, "players");

    if (shows_everything(show) || show->me) {
        add_course(show, line);
        for (size_t i = 0; i < json_count(players) && i < SEAT_MAX; i++) {
            const json_t *player = json_at(players, i);
            buf_add(show->out, STR("        "));
            add_safe(show, json_text(player, "name"));
            buf_add(show->out, STR(": "));
            add_safe(show, json_text(player, "role"));
            buf_add(show->out, STR(", "));
            add_safe(show, json_text(player, "end"));
            buf_printf(show->out, ", %lld, in all %lld\n", (long long)json_number(player, "points"),
                       (long long)json_number(player, "total"));
        }
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
    add_time(show, event);
    buf_add(show->out, STR("[Lobby] "));
    add_safe(show, name);
    buf_add(show->out, STR(": "));
    add_safe(show, json_text(event, "text"));
    buf_add_char(show->out, '\n');
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
    add_safe(show, buf_str(&from->name));
    buf_add(show->out, STR(" whispers to "));
    add_safe(show, to ? buf_str(&to->name) : message->to);
    if (shows_everything(show) || to_me || from_me) {
        buf_add(show->out, STR(": "));
        add_safe(show, message->message);
    }
    buf_add_char(show->out, '\n');
}

static void show_question(Show *show, const json_t *event, const MawMessage *message)
{
    const Person *seer = living_at(show, json_text(event, "from"));
    const Person *target = person_meant(show, message->target);

    if (!seer || !(shows_everything(show) || seer == show->me))
        return;
    add_time(show, event);
    add_safe(show, buf_str(&seer->name));
    buf_add(show->out, STR(" asks for the role of "));
    add_safe(show, target ? buf_str(&target->name) : message->target);
    if (target) {
        buf_add(show->out, STR(": "));
        add_safe(show, buf_str(&target->role));
    }
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
    add_sentence(show, event, "name", "has joined.");
}

static void show_left_lobby(Show *show, const json_t *event)
{
    add_sentence(show, event, "name", "has left the lobby.");
}

/* What no player is told. */
static void show_presence(Show *show, const json_t *event)
{
    static const struct {
        const char *event, *rest;
    } rows[] = {{"absent", "is absent."},
                {"back", "is back."},
                {"expired", "was absent for too long."},
                {"kick", "is removed by the operator."}};
    Str kind = json_text(event, "event"), name = json_text(event, "name");

    if (str_eq(kind, STR("expired")) && is_me(show, name))
        show->me = NULL;
    for (size_t i = 0; shows_everything(show) && i < sizeof(rows) / sizeof(rows[0]); i++)
        if (str_eq(kind, str_of(rows[i].event)))
            add_sentence(show, event, "name", rows[i].rest);
}

static void show_operator(Show *show, const json_t *event)
{
    static const struct {
        const char *act, *does;
    } rows[] = {{"stop", "ends the session"},
                {"end_phase", "ends the phase"},
                {"pause", "stops the clocks"},
                {"resume", "lets the game go on"}};
    Str act = json_text(event, "act");

    if (!shows_everything(show))
        return;
    add_time(show, event);
    if (str_eq(act, STR("extend")))
        buf_printf(show->out, "The operator gives the phase %lld seconds more.\n",
                   (long long)json_number(event, "ms") / 1000);
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
        if (str_eq(act, str_of(rows[i].act)))
            buf_printf(show->out, "The operator %s.\n", rows[i].does);
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
    if (!shows_everything(show))
        return;
    add_time(show, event);
    buf_add(show->out, STR("The link to the players is "));
    add_safe(show, json_text(event, "state"));
    buf_add(show->out, STR(".\n"));
}

static void show_resumed(Show *show, const json_t *event)
{
    Str at = json_text(event, "at");

    if (!shows_everything(show))
        return;
    add_time(show, event);
    buf_add(show->out, STR("The game master was gone: the session is gone on with"));
    if (at.len) {
        buf_add(show->out, STR(" at "));
        add_safe(show, at);
    }
    buf_add(show->out, STR(".\n"));
}

static void show_seat(Show *show, const json_t *event)
{
    if (!shows_everything(show))
        return;
    add_time(show, event);
    add_safe(show, json_text(event, "name"));
    buf_add(show->out, STR(" is "));
    add_safe(show, json_text(event, "kind"));
    if (json_get(event, "model")) {
        buf_add(show->out, STR(" "));
        add_safe(show, json_text(event, "model"));
        buf_add(show->out, STR(" at "));
        add_safe(show, json_text(event, "server"));
    }
    buf_add(show->out, STR(".\n"));
}

static void show_dropped(Show *show, const json_t *event)
{
    if (!shows_everything(show))
        return;
    add_time(show, event);
    buf_printf(show->out, "%lld more of ", (long long)json_number(event, "messages"));
    add_safe(show, json_text(event, "name"));
    buf_add(show->out, STR("'s messages were too many.\n"));
}

static void show_session_end(Show *show, const json_t *event)
{
    buf_add_char(show->out, '\n');
    add_time(show, event);
    add_safe(show, json_text(event, "why"));
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
    add_heading(show, WORD_SESSION, 0);
    buf_add(show->out, STR("  0:00  "));
    add_safe(show, str_of(show->head.id));
    buf_printf(show->out, ": %u players, %u %s", show->head.options.players,
               show->head.options.rounds, show->head.options.rounds == 1 ? "round" : "rounds");
    if (shows_everything(show) &&
        show->head.chance.of != MAW_SEED_OF_SESSION) /* no player may know it */
        buf_printf(show->out, ", seed %s", show->head.chance.seed);
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
            buf_printf(show->out, "\nLine %u, the last, is cut off.\n", number);
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
