/* A game document from one round of the record of a MAW session. docs/spec/maw.md 9;
 * docs/spec/web.md 4.
 *
 * The record tells what was done; who hears what follows from the rules in its first line
 * (docs/spec/maw.md G13, G17, A18, A19), as for the tables themselves. */
#include "base/date_text.h"
#include "record/aiwolf_log.h"
#include "record/game_doc_own.h"
#include "record/maw_rounds.h"
#include "record/maw_told.h"
#include "wire/maw_message.h"
#include "wire/maw_stanza.h"

#include <stdio.h>

#define PEOPLE_MAX 256 /* of whom a seat event told */

typedef enum Reveal { REVEAL_NOTHING, REVEAL_SIDE, REVEAL_ROLE } Reveal;

/* Who plays for whom, as the table has told before the round. */
typedef struct Person {
    Str name;
    Str kind;
    Str model;
} Person;

typedef struct Walk {
    Str name; /* of the file */
    uint32_t wanted;
    uint32_t rounds; /* that have begun */
    Buf strings;     /* the texts of people: they outlive their lines */
    GameDoc *doc;    /* NULL before the round */
    bool over;       /* the round is */

    Ruleset rules;
    bool has_head;
    Buf id;
    int64_t began_ms;
    Reveal village, hideout;
    bool whispers_public;
    bool japanese;
    Person people[PEOPLE_MAX];
    size_t people_count;

    /* of the round */
    Buf names[SEAT_MAX + 1], jids[SEAT_MAX + 1];
    Role roles[SEAT_MAX + 1];
    SeatNo seats;
    int64_t from_ms; /* when it began, in the session */
    uint16_t day;
    bool night;
    SeatSet alive;
    SeatSet murdered;              /* tonight */
    SeatNo executed;               /* today */
    SeatNo standing[SEAT_MAX + 1]; /* votes of the phase, or of its second ballot */
    uint32_t idx[2];
    uint32_t turns[2][SEAT_MAX + 1];
} Walk;

/* ---- words ---- */

static Role role_of_word(Str word)
{
    char capitals[16];

    if (word.len >= sizeof(capitals))
        return ROLE_NONE;
    for (size_t i = 0; i < word.len; i++) {
        char c = word.bytes[i];
        capitals[i] = (char)(c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c);
    }
    return role_of((Str){capitals, word.len});
}

static Reveal reveal_of(Str word)
{
    return str_eq(word, STR("role"))   ? REVEAL_ROLE
           : str_eq(word, STR("team")) ? REVEAL_SIDE
                                       : REVEAL_NOTHING;
}

static SeatNo seat_called(const Walk *walk, Str name)
{
    for (SeatNo seat = 1; seat <= walk->seats; seat++)
        if (name.len > 0 && str_eq(buf_str(&walk->names[seat]), name))
            return seat;
    return SEAT_NONE;
}

static SeatNo seat_living_at(const Walk *walk, Str jid)
{
    CLEANUP(buf_done) Buf folded = {0};

    jid_fold(jid, &folded);
    for (SeatNo seat = 1; seat <= walk->seats; seat++)
        if (folded.len > 0 && str_eq(buf_str(&walk->jids[seat]), buf_str(&folded)))
            return seat;
    return SEAT_NONE;
}

static SeatNo seat_meant(const Walk *walk, Str target)
{
    SeatNo seat = seat_called(walk, target);

    return seat != SEAT_NONE ? seat : seat_living_at(walk, target);
}

static TimeMs time_of(const Walk *walk, const json_t *event)
{
    int64_t passed = json_number(event, "t_ms") - walk->from_ms;

    return passed < 0 ? 0 : passed;
}

/* ---- who hears what ---- */

static SeatSet everybody(const Walk *walk)
{
    return seat_all(walk->seats);
}

static SeatSet with_role(const Walk *walk, Role role)
{
    SeatSet seats = 0;

    for (SeatNo seat = 1; seat <= walk->seats; seat++)
        if (walk->roles[seat] == role)
            seats |= seat_bit(seat);
    return seats;
}

static SeatSet dead_seats(const Walk *walk)
{
    return everybody(walk) & ~walk->alive;
}

static SeatSet hideout_ears(const Walk *walk)
{
    SeatSet ghosts = walk->rules.secrecy.ghosts_see == GHOSTS_ALL ? dead_seats(walk) : 0;

    return with_role(walk, ROLE_WEREWOLF) | ghosts;
}

static Event event_at(const Walk *walk, EventKind kind, SeatSet known_to, const json_t *event)
{
    return (Event){
        .kind = kind, .day = walk->day, .known_to = known_to, .time = time_of(walk, event)};
}

/* ---- before the round ---- */

static void keep_options(Walk *walk, const json_t *options)
{
    JsonReader reader = {0};

    walk->village = reveal_of(json_text(options, "reveal_village"));
    walk->hideout = reveal_of(json_text(options, "reveal_hideout"));
    walk->whispers_public = json_get_bool(&reader, options, "whispers_public", false);
    walk->japanese = str_eq(json_text(options, "language"), STR("ja"));
}

static int on_session(Walk *walk, const json_t *event, Err *err)
{
    int rc = ruleset_read(json_text(event, "rules"), &walk->rules, err);

    if (rc)
        return rc;
    walk->has_head = true;
    buf_clear(&walk->id);
    doc_id_of(json_text(event, "id"), &walk->id);
    if (!date_text_read(json_text(event, "began"), &walk->began_ms))
        walk->began_ms = 0;
    keep_options(walk, json_get(event, "options"));
    return 0;
}

/* Room for all of a record's seat events is made before, so that no text moves. */
static Str keep_text(Walk *walk, Str text)
{
    size_t start = walk->strings.len;

    if (walk->strings.room - start <= text.len)
        return (Str){0};
    buf_add(&walk->strings, text);
    return str_part(buf_str(&walk->strings), start, text.len);
}

static void on_seat(Walk *walk, const json_t *event)
{
    Str name = json_text(event, "name");
    size_t i = 0;

    while (i < walk->people_count && !str_eq(walk->people[i].name, name))
        i++;
    if (i == PEOPLE_MAX)
        return;
    if (i == walk->people_count)
        walk->people[walk->people_count++].name = keep_text(walk, name);
    walk->people[i].kind = keep_text(walk, json_text(event, "kind"));
    walk->people[i].model = keep_text(walk, json_text(event, "model"));
}

/* ---- the round begins ---- */

static int take_player(Walk *walk, const json_t *player, Err *err)
{
    SeatNo seat = ++walk->seats;
    Str name = json_text(player, "name");

    buf_clear(&walk->names[seat]);
    buf_clear(&walk->jids[seat]);
    buf_add(&walk->names[seat], name);
    jid_fold(json_text(player, "jid"), &walk->jids[seat]);
    walk->roles[seat] = role_of_word(json_text(player, "role"));
    if (name.len == 0 || walk->roles[seat] == ROLE_NONE)
        return err_set(err, ERR_SYNTAX, "player %u of the round has no name, or no role", seat);
    return 0;
}

static DocSeat seat_of(const Walk *walk, SeatNo seat)
{
    DocSeat who = {.name = buf_str(&walk->names[seat])};

    for (size_t i = 0; i < walk->people_count; i++)
        if (str_eq(walk->people[i].name, who.name)) {
            who.kind = walk->people[i].kind;
            who.agent = walk->people[i].model;
        }
    return who;
}

static int new_doc(Walk *walk, Err *err)
{
    CLEANUP(buf_done) Buf id = {0};
    DocSeat seats[SEAT_MAX + 1] = {0};
    Str name = walk->name;
    size_t slash;

    for (SeatNo seat = 1; seat <= walk->seats; seat++)
        seats[seat] = seat_of(walk, seat);
    if (str_find_last(name, '/', &slash))
        name = str_part(name, slash + 1, name.len);
    buf_printf(&id, "%.*s.%u", STR_ARG(str_part(buf_str(&walk->id), 0, 180)), walk->wanted + 1);
    const DocHead head = {.id = buf_str(&id),
                          .division = DOC_MAW,
                          .language = walk->japanese ? "ja" : "en",
                          .rules = &walk->rules,
                          .seat_count = walk->seats,
                          .seats = seats,
                          .began_unix_ms = walk->began_ms ? walk->began_ms + walk->from_ms : 0,
                          .form = "maw-session",
                          .source_name = name};
    int rc = game_doc_new(&head, &walk->doc, err);
    if (rc == 0)
        walk->doc->timed = true; /* in simulated time, too */
    return rc;
}

static void tell_roles(const Walk *walk, EventKind kind, const json_t *at)
{
    for (SeatNo seat = 1; seat <= walk->seats; seat++) {
        Event event = event_at(walk, kind, everybody(walk), at);
        if (kind == EVENT_ROLE)
            event.known_to = walk->roles[seat] == ROLE_WEREWOLF ? with_role(walk, ROLE_WEREWOLF)
                                                                : seat_bit(seat);
        event.seat = seat;
        event.role = walk->roles[seat];
        game_doc_heard(walk->doc, &event);
    }
}

static int on_start(Walk *walk, const json_t *event, Err *err)
{
    const json_t *players = json_get(event, "players");
    size_t count = json_count(players);
    int rc = 0;

    if (!walk->has_head)
        return err_set(err, ERR_SYNTAX, "the record does not begin with its session");
    if (count < PLAYERS_MIN || count > SEAT_MAX)
        return err_set(err, ERR_SYNTAX, "a round of %zu players; %d to %d are expected", count,
                       PLAYERS_MIN, SEAT_MAX);
    walk->seats = 0;
    for (size_t i = 0; i < count && rc == 0; i++)
        rc = take_player(walk, json_at(players, i), err);
    if (rc)
        return rc;
    walk->alive = everybody(walk);
    walk->from_ms = json_number(event, "t_ms");
    if (walk->from_ms < 0 || walk->from_ms > DATE_MAX_MS)
        walk->from_ms = 0;
    rc = new_doc(walk, err);
    if (rc == 0)
        tell_roles(walk, EVENT_ROLE, event);
    return rc;
}

/* ---- its phases ---- */

/* What the table tells of who was executed. */
static void tell_revealed(const Walk *walk, Reveal what, SeatSet to, const json_t *at)
{
    SeatNo seat = walk->executed;

    if (what == REVEAL_NOTHING || seat == SEAT_NONE)
        return;
    Event event = event_at(walk, EVENT_ROLE, to, at);
    event.seat = seat;
    event.role = what == REVEAL_ROLE ? walk->roles[seat] : ROLE_NONE;
    event.species = role_species(walk->roles[seat]);
    game_doc_heard(walk->doc, &event);
}

static void tell_deaths(Walk *walk, const json_t *at)
{
    for (SeatSet left = walk->murdered; left; left &= left - 1) {
        Event event = event_at(walk, EVENT_DEATH, everybody(walk), at);
        event.seat = seat_first(left);
        game_doc_heard(walk->doc, &event);
    }
    walk->murdered = 0;
}

static void begin_room(const Walk *walk, const json_t *at)
{
    Event event =
        event_at(walk, EVENT_PHASE, walk->night ? hideout_ears(walk) : everybody(walk), at);

    event.action = walk->night ? ACTION_HIDEOUT : ACTION_VILLAGE;
    game_doc_heard(walk->doc, &event);
}

static void on_phase(Walk *walk, const json_t *event)
{
    int64_t day = json_number(event, "day");

    memset(walk->standing, 0, sizeof(walk->standing));
    walk->night = str_eq(json_text(event, "phase"), STR("night"));
    if (!walk->night) {
        tell_deaths(walk, event);
        walk->day = day >= 0 && day <= LOG_DAY_MAX ? (uint16_t)day : walk->day;
        memset(walk->idx, 0, sizeof(walk->idx));
        memset(walk->turns, 0, sizeof(walk->turns));
    }
    const Event half =
        event_at(walk, walk->night ? EVENT_NIGHT : EVENT_DAY, everybody(walk), event);
    game_doc_heard(walk->doc, &half);
    begin_room(walk, event);
    if (walk->night) {
        tell_revealed(walk, walk->hideout, hideout_ears(walk), event);
    } else {
        tell_revealed(walk, walk->village, everybody(walk), event);
        walk->executed = SEAT_NONE;
    }
}

static SeatSet ballot_ears(const Walk *walk)
{
    if (walk->night)
        return hideout_ears(walk);
    return walk->rules.vote.visible ? everybody(walk) : 0;
}

static void tell_votes(const Walk *walk, const json_t *at)
{
    const json_t *votes = json_get(at, "votes");
    SeatNo targets[SEAT_MAX + 1] = {0};

    for (void *member = json_is_map(votes) ? json_member(votes, NULL) : NULL; member;
         member = json_member(votes, member)) {
        Str target;
        SeatNo voter = seat_called(walk, str_of(json_member_key(member)));
        if (voter != SEAT_NONE && json_as_str(json_member_value(member), &target))
            targets[voter] = seat_called(walk, target);
    }
    for (SeatNo seat = 1; seat <= walk->seats; seat++) {
        Event event =
            event_at(walk, walk->night ? EVENT_ATTACK_VOTE : EVENT_VOTE, ballot_ears(walk), at);
        event.seat = seat;
        event.target = targets[seat];
        if (targets[seat] != SEAT_NONE)
            game_doc_heard(walk->doc, &event);
    }
}

/* Who left has decided the game: nobody is executed or attacked any more. */
static bool is_decided(const Walk *walk)
{
    const SeatSet wolves = walk->alive & with_role(walk, ROLE_WEREWOLF);
    const unsigned count = seat_count_of(wolves), humans = seat_count_of(walk->alive & ~wolves);

    return count == 0 || humans <= (walk->rules.end.goal == GOAL_ELIMINATION ? 0 : count);
}

static void on_phase_end(Walk *walk, const json_t *at)
{
    SeatNo dead = seat_called(walk, json_text(at, "target"));

    tell_votes(walk, at);
    if (dead == SEAT_NONE && is_decided(walk))
        return;
    Event event = event_at(walk, walk->night ? EVENT_ATTACK : EVENT_EXECUTE,
                           walk->night ? hideout_ears(walk) : everybody(walk), at);
    if (walk->night) {
        event.target = dead;
        event.killed = dead != SEAT_NONE;
        walk->murdered |= dead != SEAT_NONE ? seat_bit(dead) : 0;
    } else {
        event.seat = walk->executed = dead;
    }
    game_doc_heard(walk->doc, &event);
    if (dead != SEAT_NONE)
        walk->alive &= ~seat_bit(dead);
}

/* ---- what is said and done ---- */

static void tell_speech(Walk *walk, SeatNo seat, bool whisper, const json_t *at)
{
    const Talk talk = {.text = json_text(at, "text"),
                       .time = time_of(walk, at),
                       .idx = walk->idx[whisper]++,
                       .turn = walk->turns[whisper][seat]++,
                       .day = walk->day,
                       .seat = seat};
    Event event = event_at(walk, whisper ? EVENT_WHISPER : EVENT_TALK,
                           whisper ? hideout_ears(walk) : everybody(walk), at);

    event.seat = seat;
    event.talk = &talk;
    game_doc_heard(walk->doc, &event);
}

static void on_line(Walk *walk, const json_t *at)
{
    SeatNo seat = seat_called(walk, json_text(at, "name"));
    Str room = json_text(at, "room");
    const DocSaid grave = {.seat = seat, .to = dead_seats(walk), .text = json_text(at, "text")};

    if (seat == SEAT_NONE) /* the system's: other events say the same */
        return;
    if (str_eq(room, STR("Village")))
        tell_speech(walk, seat, false, at);
    else if (str_eq(room, STR("Hideout")))
        tell_speech(walk, seat, true, at);
    else if (str_eq(room, STR("Graveyard")))
        game_doc_said(walk->doc, &grave, time_of(walk, at));
}

static void tell_standing(Walk *walk, SeatNo seat, SeatNo target, Str reason, const json_t *at)
{
    const Talk talk = {.text = reason, .seat = seat};
    Event event = event_at(walk, EVENT_STANDING, ballot_ears(walk), at);

    if (!walk->night && !walk->rules.vote.visible)
        event.known_to = seat_bit(seat);
    event.seat = seat;
    event.target = walk->standing[seat] = target;
    event.talk = &talk;
    game_doc_heard(walk->doc, &event);
}

/* Who votes again for the same one has said nothing new: nobody is told. */
static void on_vote(Walk *walk, const json_t *at)
{
    SeatNo seat = seat_called(walk, json_text(at, "name"));
    SeatNo target = seat_called(walk, json_text(at, "target"));

    if (seat != SEAT_NONE && walk->standing[seat] != target)
        tell_standing(walk, seat, target, json_text(at, "reason"), at);
}

/* Nobody votes for who is gone. */
static void withdraw_votes(Walk *walk, SeatNo gone, const json_t *at)
{
    walk->standing[gone] = SEAT_NONE;
    for (SeatNo voter = 1; voter <= walk->seats; voter++)
        if (walk->standing[voter] == gone)
            tell_standing(walk, voter, SEAT_NONE, STR(""), at);
}

static void on_left(Walk *walk, const json_t *at)
{
    SeatNo seat = seat_called(walk, json_text(at, "name"));
    Event event = event_at(walk, EVENT_DEATH, everybody(walk), at);

    if (!seat_in(walk->alive, seat))
        return;
    walk->alive &= ~seat_bit(seat);
    event.seat = seat;
    game_doc_heard(walk->doc, &event);
    withdraw_votes(walk, seat, at);
}

static void on_revote(Walk *walk, const json_t *at)
{
    (void)at;
    memset(walk->standing, 0, sizeof(walk->standing));
}

static void tell_whisper(const Walk *walk, SeatNo from, const MawMessage *message, const json_t *at)
{
    SeatNo to = seat_meant(walk, message->to);
    const DocSaid said = {.seat = from,
                          .target = to,
                          .to = seat_bit(from) | seat_bit(to),
                          .seen_by_all = walk->whispers_public && !walk->night,
                          .text = message->message};

    if (to != SEAT_NONE)
        game_doc_said(walk->doc, &said, time_of(walk, at));
}

static void tell_answer(const Walk *walk, SeatNo seer, const MawMessage *message, const json_t *at)
{
    SeatNo target = seat_meant(walk, message->target);
    Event event = event_at(walk, EVENT_ROLE, seat_bit(seer), at);

    event.seat = target;
    event.role = walk->roles[target];
    if (target != SEAT_NONE)
        game_doc_heard(walk->doc, &event);
}

/* Most of what is sent comes to an event of its own. */
static void on_message(Walk *walk, const json_t *at)
{
    Str type = json_text(at, "type");
    bool whisper = str_eq(type, STR("whisper"));
    SeatNo from = seat_living_at(walk, json_text(at, "from"));
    MawMessage message;
    MawRefusal why;

    if (from == SEAT_NONE || !str_eq(json_text(at, "outcome"), STR("accepted")) ||
        !(whisper || str_eq(type, STR("query_role"))) ||
        !maw_message_read(json_text(at, "body"), &message, &why))
        return;
    if (whisper)
        tell_whisper(walk, from, &message, at);
    else
        tell_answer(walk, from, &message, at);
    maw_message_done(&message);
}

/* What was noticed of somebody. It is told where it was noticed; this round's people have their
 * addresses. */
static void tell_fault(const Walk *walk, const Fault *fault, const json_t *at)
{
    Fault told = *fault;

    told.seat = seat_living_at(walk, json_text(at, "jid"));
    told.day = walk->day;
    game_doc_fault(walk->doc, &told, time_of(walk, at));
}

static void on_fault(Walk *walk, const json_t *at)
{
    Fault fault;

    if (maw_fault_of_event(at, &fault))
        tell_fault(walk, &fault, at);
}

static void on_decision(Walk *walk, const json_t *at)
{
    Fault faults[MAW_FAULTS_MAX];
    const unsigned count = maw_fault_of_decision(json_get(at, "decision"), faults);

    for (unsigned i = 0; i < count; i++)
        tell_fault(walk, &faults[i], at);
}

static void on_operator(Walk *walk, const json_t *at)
{
    const Str says = maw_told_of_act(json_text(at, "act"));

    if (says.len)
        game_doc_notice(walk->doc, says, time_of(walk, at));
}

/* ---- the round ends ---- */

static void tell_scores(const Walk *walk, const json_t *at)
{
    const json_t *players = json_get(at, "players");

    for (size_t i = 0; i < json_count(players); i++) {
        const json_t *player = json_at(players, i);
        SeatNo seat = seat_called(walk, json_text(player, "name"));
        Event event = event_at(walk, EVENT_SCORE, everybody(walk), at);
        event.seat = seat;
        int64_t points = json_number(player, "points");
        event.points = points >= INT32_MIN && points <= INT32_MAX ? (int32_t)points : 0;
        if (seat != SEAT_NONE)
            game_doc_heard(walk->doc, &event);
    }
}

static void on_end(Walk *walk, const json_t *at)
{
    SeatSet wolves = with_role(walk, ROLE_WEREWOLF);
    EndReason reason;

    tell_deaths(walk, at);
    Event event = event_at(walk, EVENT_END, everybody(walk), at);
    event.winner = side_of(json_text(at, "winner"));
    event.reason = end_reason_of(json_text(at, "reason"), &reason) ? reason : END_ABORTED;
    event.wolves = (uint8_t)seat_count_of(walk->alive & wolves);
    event.humans = (uint8_t)seat_count_of(walk->alive & ~wolves);
    game_doc_heard(walk->doc, &event);
    tell_roles(walk, EVENT_REVEAL, at);
    tell_scores(walk, at);
    game_doc_close(walk->doc, event.reason == END_ABORTED ? DOC_ABORTED : DOC_FINISHED, event.time);
    walk->over = true;
}

/* ---- lines ---- */

/* The word of the event that a line tells of. A quotation mark in a text is escaped, so that no
 * text can look like this. */
static Str event_word(Str line)
{
    const Str key = STR("\"event\":\"");

    for (size_t at = 0; at + key.len < line.len && at < 120; at++)
        if (str_starts(str_part(line, at, line.len), key)) {
            line = str_part(line, at + key.len, line.len);
            return str_cut(&line, '"');
        }
    return (Str){0};
}

static const struct {
    const char *word;
    void (*in_round)(Walk *walk, const json_t *event);
} events[] = {
    {"phase", on_phase},   {"phase_end", on_phase_end}, {"left", on_left},
    {"line", on_line},     {"vote", on_vote},           {"message", on_message},
    {"expired", on_left},  {"kick", on_left},           {"operator", on_operator},
    {"end_game", on_end},  {"fault", on_fault},         {"decision", on_decision},
    {"revote", on_revote},
};

static int on_event(Walk *walk, Str word, const json_t *event, Err *err)
{
    if (str_eq(word, STR("session")))
        return on_session(walk, event, err);
    if (str_eq(word, STR("seat"))) {
        on_seat(walk, event);
        return 0;
    }
    if (str_eq(word, STR("start_game")))
        return on_start(walk, event, err);
    for (size_t i = 0; i < sizeof(events) / sizeof(events[0]); i++)
        if (str_eq(word, str_of(events[i].word)))
            events[i].in_round(walk, event);
    return 0;
}

/* Whether this line matters: what is before the round, and what is in it. */
static bool line_wanted(Walk *walk, Str word)
{
    bool start = str_eq(word, STR("start_game"));

    if (str_eq(word, STR("session")))
        return true;
    if (start)
        return walk->rounds++ == walk->wanted;
    if (str_eq(word, STR("seat")))
        return !walk->doc;
    return walk->doc && !walk->over;
}

static int read_line(Walk *walk, Str line, unsigned number, bool last, Err *err)
{
    Str word = event_word(line);
    json_t *event = NULL;
    Err wrong = {0};

    if (word.len == 0 || !line_wanted(walk, word))
        return 0;
    int rc = json_read(line, MAW_RECORD_LINE_MAX, &event, &wrong);
    if (rc == 0)
        rc = on_event(walk, word, event, &wrong);
    json_done(event);
    if (rc == ERR_SYNTAX && last && walk->doc)
        return 0; /* cut off in mid-line */
    if (rc)
        rc = err_set_at(err, (ErrCode)rc, number, 0, "line %u: %s", number, wrong.msg);
    return rc;
}

static int read_lines(Walk *walk, Str text, Err *err)
{
    unsigned number = 0;
    int rc = 0;

    while (rc == 0 && text.len > 0) {
        Str line = str_cut(&text, '\n');
        rc = read_line(walk, line, ++number, text.len == 0, err);
    }
    return rc;
}

static void free_walk(Walk *walk)
{
    for (SeatNo seat = 0; seat <= SEAT_MAX; seat++) {
        buf_done(&walk->names[seat]);
        buf_done(&walk->jids[seat]);
    }
    buf_done(&walk->strings);
    buf_done(&walk->id);
    walk->doc = game_doc_free(walk->doc);
    mem_free(walk);
}

/* The round that was read becomes a document: of one that is not over in the record, a part. */
static int take_doc(Walk *walk, GameDoc **ret_doc, Err *err)
{
    GameDoc *doc = walk->doc;

    if (!doc)
        return err_set(err, ERR_RULE, "the record has %u rounds, there is no round %u in it",
                       walk->rounds, walk->wanted + 1);
    game_doc_close(doc, DOC_TRUNCATED, DOC_NO_TIME);
    doc->check = walk->over ? "unchecked" : "truncated";
    buf_add(&doc->session, buf_str(&walk->id));
    doc->round = walk->wanted + 1;
    doc->rounds = walk->rounds;
    if (game_doc_failed(doc) || buf_failed(&doc->session))
        return err_set(err, ERR_MEMORY, "no memory for a round of a session");
    *ret_doc = TAKE(walk->doc);
    return 0;
}

#define STRINGS_BYTES ((size_t)256 * 1024) /* of names, kinds and models of seats */

int doc_read_maw(Str text, Str name, uint32_t round, GameDoc **ret_doc, Err *err)
{
    Walk *walk = mem_new(sizeof(*walk));

    if (!walk || !buf_reserve(&walk->strings, STRINGS_BYTES)) {
        mem_free(walk);
        return err_set(err, ERR_MEMORY, "no memory for a session's record");
    }
    walk->name = name;
    walk->wanted = round;
    int rc = read_lines(walk, text, err);
    if (rc == 0)
        rc = take_doc(walk, ret_doc, err);
    free_walk(walk);
    return rc;
}

uint32_t doc_maw_rounds(Str text)
{
    uint32_t rounds = 0;

    while (text.len > 0)
        rounds += str_eq(event_word(str_cut(&text, '\n')), STR("start_game"));
    return rounds;
}
