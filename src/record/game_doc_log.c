/* A game document from a game log: by the events of the game that explains it, else by events made
 * from its lines. docs/spec/web.md 4.2, rule 2. */
#include "base/utf8.h"
#include "record/game_doc_own.h"
#include "record/log_check.h"
#include "record/log_known.h"
#include "record/nlp_json.h"

/* ---- events that a replay tells ---- */

typedef struct Heard {
    Event event;
    Talk talk;
} Heard;

/* The events of one replay, and how many lines of the log they explain. */
typedef struct Tape {
    Heard *items;
    size_t count;
    size_t room;
    size_t lines;
    size_t last; /* events up to the one that explains the last of them */
    bool begun;  /* the deal is over */
} Tape;

typedef struct Tapes {
    const LogGame *log;
    Tape now;
    Tape best;
    bool failed;
} Tapes;

static void free_tapes(Tapes *tapes)
{
    mem_free(tapes->now.items);
    mem_free(tapes->best.items);
}

/* The replay that explains most of the log is the one to keep. */
static void end_replay(Tapes *tapes)
{
    if (tapes->now.lines > tapes->best.lines) {
        Tape worse = tapes->best;
        tapes->best = tapes->now;
        tapes->now = worse;
    }
    tapes->now = (Tape){.items = tapes->now.items, .room = tapes->now.room};
}

static bool tape_room(Tapes *tapes)
{
    Tape *tape = &tapes->now;

    if (tape->count < tape->room)
        return true;
    size_t room = tape->room ? 2 * tape->room : 2048;
    Heard *items = mem_resize(tape->items, room, sizeof(*items));
    if (!items) {
        tapes->failed = true;
        return false;
    }
    tape->items = items;
    tape->room = room;
    return true;
}

static void take_event(void *user, const Event *event, size_t first, size_t count)
{
    Tapes *tapes = user;
    Tape *tape = &tapes->now;

    if (event->kind == EVENT_ROLE && tape->begun)
        end_replay(tapes);
    if (!tape_room(tapes))
        return;
    tape->begun = tape->begun || event->kind != EVENT_ROLE;
    Heard *heard = &tape->items[tape->count++];
    *heard = (Heard){.event = *event};
    if (event->talk) {
        heard->talk = *event->talk;
        heard->talk.text = count > 0 ? tapes->log->lines[first].text : STR("");
        heard->talk.sentence = NULL;
    }
    if (count > 0) {
        tape->lines = first + count;
        tape->last = tape->count;
    }
}

static void tell_tape(GameDoc *doc, const Tape *tape, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        Event event = tape->items[i].event;
        if (event.talk)
            event.talk = &tape->items[i].talk;
        game_doc_heard(doc, &event);
    }
}

/* ---- events made from lines ---- */

typedef struct Guess {
    GameDoc *doc;
    const LogGame *log;
    const SeatSet *known; /* by line */
    SeatSet actors;       /* who is told of an execution at once */
    size_t day_from;      /* the lines of today */
    size_t day_to;
    size_t night_from; /* the first of them at night; day_to = none is */
    uint16_t day;
    bool night;
    bool executed_line; /* somebody was executed today, or nobody, and it is told */
    SeatNo executed;
    SeatSet dead;       /* tonight */
    LogLineKind ballot; /* of which kind the last vote was, and of whom */
    SeatNo voter;
    uint8_t round[2];
} Guess;

static Event event_at(const Guess *guess, EventKind kind, SeatSet known_to)
{
    return (Event){.kind = kind, .day = guess->day, .known_to = known_to, .time = DOC_NO_TIME};
}

static SeatSet everybody(const Guess *guess)
{
    return seat_all(guess->log->seat_count);
}

static void tell_roles(const Guess *guess, EventKind kind)
{
    const LogGame *log = guess->log;

    for (SeatNo seat = 1; seat <= log->seat_count; seat++) {
        Role role = log->roles[seat];
        bool mates = role == ROLE_WEREWOLF || role == ROLE_FREEMASON;
        Event event = event_at(guess, kind, everybody(guess));
        if (kind == EVENT_ROLE)
            event.known_to = mates ? log_with_role(log, role) : seat_bit(seat);
        event.seat = seat;
        event.role = role;
        game_doc_heard(guess->doc, &event);
    }
}

static bool kind_is_nightly(LogLineKind kind)
{
    return kind == LOG_WHISPER || kind == LOG_DIVINE || kind == LOG_GUARD ||
           kind == LOG_ATTACK_VOTE || kind == LOG_ATTACK;
}

/* Which lines are today's, and where its night begins: behind all that is said to the village and
 * the ballot. */
static void find_night(Guess *guess, size_t from)
{
    const LogGame *log = guess->log;
    size_t behind = from, at = from;

    for (; at < log->count && log->lines[at].kind != LOG_STATUS; at++) {
        LogLineKind kind = (LogLineKind)log->lines[at].kind;
        if (kind == LOG_TALK || kind == LOG_VOTE)
            behind = at + 1;
    }
    guess->day_from = from;
    guess->day_to = at;
    while (behind < at && !kind_is_nightly((LogLineKind)log->lines[behind].kind))
        behind++;
    guess->night_from = behind;
}

static bool has_line(const Guess *guess, LogLineKind kind)
{
    for (size_t i = guess->day_from; i < guess->day_to; i++)
        if (guess->log->lines[i].kind == kind)
            return true;
    return false;
}

/* The log is silent where nobody was executed; it is, too, where the game was broken off before. */
static bool nobody_executed(const Guess *guess)
{
    const LogLine *last = &guess->log->lines[guess->log->count - 1];
    bool broken_off = last->kind != LOG_RESULT || last->winner == SIDE_NONE;
    bool last_day = true;

    for (size_t i = guess->day_to; i < guess->log->count && last_day; i++)
        last_day =
            guess->log->lines[i].kind == LOG_STATUS || guess->log->lines[i].kind == LOG_RESULT;
    if (guess->day == 0 || guess->executed_line || has_line(guess, LOG_EXECUTE))
        return false;
    return has_line(guess, LOG_VOTE) || !(broken_off && last_day);
}

static void tell_execution(Guess *guess, SeatNo seat, SeatSet known_to)
{
    Event event = event_at(guess, EVENT_EXECUTE, known_to);

    event.seat = guess->executed = seat;
    guess->executed_line = true;
    game_doc_heard(guess->doc, &event);
}

static void tell_night(Guess *guess)
{
    Event event = event_at(guess, EVENT_NIGHT, everybody(guess));

    if (guess->night)
        return;
    guess->night = true;
    if (nobody_executed(guess))
        tell_execution(guess, SEAT_NONE,
                       guess->log->form == LOG_FORM_NLP ? everybody(guess) : guess->actors);
    game_doc_heard(guess->doc, &event);
}

/* ---- dawn ---- */

static void tell_deaths(Guess *guess)
{
    for (SeatSet left = guess->dead; left; left &= left - 1) {
        Event event = event_at(guess, EVENT_DEATH, everybody(guess));
        event.seat = seat_first(left);
        game_doc_heard(guess->doc, &event);
    }
    guess->dead = 0;
}

static void tell_media(const Guess *guess, uint16_t day)
{
    SeatNo executed = guess->executed;

    if (executed == SEAT_NONE || executed > guess->log->seat_count)
        return;
    for (SeatSet left = log_with_role(guess->log, ROLE_MEDIUM); left; left &= left - 1) {
        Event event = event_at(guess, EVENT_IDENTIFY, seat_bit(seat_first(left)));
        event.day = day;
        event.seat = seat_first(left);
        event.target = executed;
        event.species = role_species(guess->log->roles[executed]);
        game_doc_heard(guess->doc, &event);
    }
}

/* The status lines of a morning, or of the end. Returns the index behind them. */
static size_t tell_status(Guess *guess, size_t at)
{
    const LogGame *log = guess->log;
    const LogLine *first = &log->lines[at];
    bool begin = at == 0, dawn = begin || first->day != guess->day;
    size_t i = at;

    for (; i < log->count && log->lines[i].kind == LOG_STATUS && log->lines[i].day == first->day &&
           (i == at || log->lines[i].seat > log->lines[i - 1].seat);
         i++)
        if (log->lines[i].errored)
            guess->doc->errored |= seat_bit(log->lines[i].seat);
    bool end = i < log->count && log->lines[i].kind == LOG_RESULT;
    if (!begin && dawn)
        tell_night(guess);
    tell_deaths(guess);
    if (!begin && dawn)
        tell_media(guess, first->day);
    if (dawn && !(end && !begin)) {
        guess->day = first->day;
        Event event = event_at(guess, EVENT_DAY, everybody(guess));
        game_doc_heard(guess->doc, &event);
    }
    if (dawn) {
        guess->executed = guess->voter = SEAT_NONE;
        guess->executed_line = guess->night = false;
        guess->round[0] = guess->round[1] = 0;
        guess->ballot = LOG_KIND_COUNT;
    }
    find_night(guess, i);
    return i;
}

/* ---- the other lines ---- */

static TimeMs time_of(const Guess *guess, const LogLine *line)
{
    int64_t passed = line->unix_s * 1000 - guess->doc->began_unix_ms;

    if (line->unix_s <= 0)
        return DOC_NO_TIME;
    return passed < 0 ? 0 : passed;
}

static void tell_speech(Guess *guess, const LogLine *line, SeatSet known_to)
{
    const Talk talk = {.text = line->text,
                       .time = time_of(guess, line),
                       .idx = line->idx,
                       .turn = line->turnless ? DOC_NO_TURN : line->turn,
                       .day = line->day,
                       .seat = line->seat};
    Event event = event_at(guess, line->kind == LOG_TALK ? EVENT_TALK : EVENT_WHISPER, known_to);

    event.seat = line->seat;
    event.talk = &talk;
    event.time = talk.time;
    game_doc_heard(guess->doc, &event);
}

/* A ballot ends where the voters' numbers stop growing. */
static void tell_vote(Guess *guess, const LogLine *line, SeatSet known_to)
{
    bool attack = line->kind == LOG_ATTACK_VOTE;
    Event event = event_at(guess, attack ? EVENT_ATTACK_VOTE : EVENT_VOTE, known_to);

    if (guess->ballot == (LogLineKind)line->kind && line->seat <= guess->voter &&
        guess->round[attack] < UINT8_MAX)
        guess->round[attack]++;
    guess->ballot = (LogLineKind)line->kind;
    guess->voter = line->seat;
    event.seat = line->seat;
    event.target = line->target;
    event.round = guess->round[attack];
    game_doc_heard(guess->doc, &event);
}

static void tell_deed(Guess *guess, const LogLine *line, SeatSet known_to)
{
    EventKind kind = line->kind == LOG_DIVINE  ? EVENT_DIVINE
                     : line->kind == LOG_GUARD ? EVENT_GUARD
                                               : EVENT_ATTACK;
    Event event = event_at(guess, kind, known_to);
    bool fox =
        line->target <= guess->log->seat_count && guess->log->roles[line->target] == ROLE_FOX;

    event.seat = line->seat;
    event.target = line->target;
    event.species = (Species)line->species;
    event.killed = kind == EVENT_ATTACK && line->killed && line->target != SEAT_NONE;
    if (event.killed || (kind == EVENT_DIVINE && fox))
        guess->dead |= seat_bit(line->target);
    game_doc_heard(guess->doc, &event);
}

/* For what reason a game without a winner ended, no log tells. */
static void tell_result(Guess *guess, const LogLine *line)
{
    tell_deaths(guess);
    Event event = event_at(guess, EVENT_END, everybody(guess));
    event.day = line->day;
    event.winner = (Side)line->winner;
    event.reason = END_WIN;
    event.humans = line->humans;
    event.wolves = line->wolves;
    game_doc_heard(guess->doc, &event);
    tell_roles(guess, EVENT_REVEAL);
}

static void tell_line(Guess *guess, size_t at)
{
    const LogLine *line = &guess->log->lines[at];
    SeatSet known_to = guess->known[at];

    if (at == guess->night_from && at < guess->day_to)
        tell_night(guess);
    switch ((LogLineKind)line->kind) {
    case LOG_TALK:
    case LOG_WHISPER:
        tell_speech(guess, line, known_to);
        break;
    case LOG_VOTE:
    case LOG_ATTACK_VOTE:
        tell_vote(guess, line, known_to);
        break;
    case LOG_EXECUTE:
        tell_execution(guess, line->seat, known_to);
        break;
    case LOG_DIVINE:
    case LOG_GUARD:
    case LOG_ATTACK:
        tell_deed(guess, line, known_to);
        break;
    case LOG_RESULT:
        tell_result(guess, line);
        break;
    case LOG_STATUS:
    case LOG_KIND_COUNT:
        break;
    }
}

/* Seats that the log names and the game does not have are in no document. */
static bool line_fits(const LogGame *log, const LogLine *line)
{
    return line->seat <= log->seat_count && line->target <= log->seat_count;
}

static int tell_lines(GameDoc *doc, const LogGame *log, Err *err)
{
    CLEANUP(mem_freep) SeatSet *known = mem_new((log->count + 1) * sizeof(*known));
    Guess guess = {.doc = doc, .log = log, .known = known, .ballot = LOG_KIND_COUNT};

    if (!known)
        return err_set(err, ERR_MEMORY, "no memory for a game of %zu lines", log->count);
    log_known_guess(log, known);
    guess.actors = log_with_role(log, ROLE_WEREWOLF) | log_with_role(log, ROLE_SEER) |
                   log_with_role(log, ROLE_BODYGUARD);
    tell_roles(&guess, EVENT_ROLE);
    for (size_t at = 0; at < log->count && !doc->over;) {
        const LogLine *line = &log->lines[at];
        if (line->kind == LOG_STATUS)
            at = tell_status(&guess, at);
        else if (line_fits(log, line))
            tell_line(&guess, at++);
        else
            at++;
    }
    return 0;
}

/* ---- the head ---- */

static bool has_kana(Str text)
{
    while (text.len > 0) {
        uint32_t c = utf8_next(&text);
        if (c >= 0x3040 && c <= 0x30FF)
            return true;
    }
    return false;
}

/* The language of what is said: most of it, when the names don't tell. */
static const char *language_of(const LogGame *log)
{
    size_t japanese = 0, spoken = 0;

    if (log->form == LOG_FORM_PROTOCOL)
        return "aiwolf";
    for (size_t i = 0; i < log->count && spoken < 100; i++) {
        if (log->lines[i].kind != LOG_TALK)
            continue;
        spoken++;
        japanese += has_kana(log->lines[i].text);
    }
    for (SeatNo seat = 1; seat <= log->seat_count; seat++)
        if (has_kana(log->in_game[seat]))
            return "ja";
    return 2 * japanese > spoken ? "ja" : "en";
}

/* When the first word was said that everybody heard; 0 = the log does not tell. */
static int64_t beginning_of(const LogGame *log)
{
    for (size_t i = 0; i < log->count; i++)
        if (log->lines[i].kind == LOG_TALK && log->lines[i].unix_s > 0)
            return log->lines[i].unix_s * 1000;
    return 0;
}

#define USUAL_RULES 1 /* aiwolf-2021: which presets explain a log is often no question */

static int find_rules(const LogGame *log, const LogVerdict *verdict, Ruleset *ret, Err *err)
{
    size_t preset = USUAL_RULES;

    if (log->form == LOG_FORM_NLP)
        return ruleset_preset(log->anytime ? STR("nlp-anytime") : STR("nlp-turn"), ret, err);
    if (verdict->presets && !(verdict->presets & 1u << USUAL_RULES))
        preset = (size_t)__builtin_ctz(verdict->presets);
    int rc = ruleset_preset(str_of(ruleset_preset_name(preset)), ret, err);
    if (rc == 0 && verdict->server[0])
        snprintf(ret->name, sizeof(ret->name), "%.*s", RULESET_NAME_MAX - 1, verdict->server);
    return rc;
}

static void fill_seats(const LogGame *log, char agents[static SEAT_MAX + 1][12], DocSeat *seats)
{
    for (SeatNo seat = 1; seat <= log->seat_count; seat++) {
        snprintf(agents[seat], sizeof(agents[seat]), "Agent[%02u]", seat);
        seats[seat] = (DocSeat){.name = str_of(agents[seat]), .agent = log->names[seat]};
        if (log->form == LOG_FORM_NLP)
            seats[seat].name = log->in_game[seat];
        if (str_eq(seats[seat].name, seats[seat].agent))
            seats[seat].agent = (Str){0};
    }
}

static int new_doc(const LogGame *log, const LogVerdict *verdict, Str name, bool json,
                   GameDoc **ret_doc, Err *err)
{
    char agents[SEAT_MAX + 1][12];
    DocSeat seats[SEAT_MAX + 1] = {0};
    CLEANUP(buf_done) Buf id = {0};
    Ruleset rules;
    size_t slash;
    int rc = find_rules(log, verdict, &rules, err);

    if (rc)
        return rc;
    fill_seats(log, agents, seats);
    doc_id_of(name, &id);
    if (str_find_last(name, '/', &slash))
        name = str_part(name, slash + 1, name.len);
    const DocHead head = {.id = buf_str(&id),
                          .division = log->form == LOG_FORM_NLP ? DOC_NLP : DOC_PROTOCOL,
                          .language = language_of(log),
                          .rules = &rules,
                          .seat_count = log->seat_count,
                          .seats = seats,
                          .began_unix_ms = beginning_of(log),
                          .form = json                        ? "nlp-json"
                                  : log->form == LOG_FORM_NLP ? "nlp-log"
                                                              : "aiwolf-log",
                          .source_name = name};
    return game_doc_new(&head, ret_doc, err);
}

static void take_verdict(GameDoc *doc, const LogVerdict *verdict, bool json)
{
    doc->check = json                 ? "unchecked"
                 : verdict->ok        ? "ok"
                 : verdict->truncated ? "truncated"
                                      : "illegal";
    if (json || verdict->ok)
        return;
    if (!verdict->truncated)
        buf_printf(&doc->why, "line %u: ", verdict->line);
    utf8_add_printable(str_of(verdict->reason), LOG_REASON_MAX, &doc->why);
}

/* ---- reading ---- */

static int fill_doc(GameDoc *doc, const LogGame *log, const LogVerdict *verdict, const Tapes *tapes,
                    Err *err)
{
    const Tape *tape = &tapes->best;
    bool whole = tape->lines == log->count && log->broken.code == 0;
    int rc = 0;

    if (tapes->failed)
        return err_set(err, ERR_MEMORY, "no memory for a game of %zu lines", log->count);
    if (verdict->ok && log->form == LOG_FORM_PROTOCOL)
        tell_tape(doc, tape, tape->count);
    else if (verdict->truncated && whole)
        tell_tape(doc, tape, tape->last);
    else
        rc = tell_lines(doc, log, err);
    const LogLine *last = &log->lines[log->count - 1];
    bool aborted = last->kind == LOG_RESULT && last->winner == SIDE_NONE;
    doc->errored_told = doc->errored;
    game_doc_close(doc,
                   !doc->over ? DOC_TRUNCATED
                   : aborted  ? DOC_ABORTED
                              : DOC_FINISHED,
                   DOC_NO_TIME);
    if (rc == 0 && game_doc_failed(doc))
        rc = err_set(err, ERR_MEMORY, "no memory for a game of %zu lines", log->count);
    return rc;
}

int doc_read_log(Str text, Str name, GameDoc **ret_doc, Err *err)
{
    CLEANUP(log_game_done) LogGame log = {0};
    CLEANUP(game_doc_freep) GameDoc *doc = NULL;
    Tapes tapes = {.log = &log};
    const LogCheckOptions options = {.listen = take_event, .user = &tapes};
    LogVerdict verdict = {0};
    bool json = nlp_json_is(text);
    int rc = log_game_read(text, &log, err);

    if (rc == 0 && !json)
        rc = log_check(text, &options, &verdict, err);
    end_replay(&tapes);
    if (rc == 0)
        rc = new_doc(&log, &verdict, name, json, &doc, err);
    if (rc == 0) {
        take_verdict(doc, &verdict, json);
        rc = fill_doc(doc, &log, &verdict, &tapes, err);
    }
    free_tapes(&tapes);
    if (rc == 0)
        *ret_doc = TAKE(doc);
    return rc;
}
