#include "person/person_state.h"

#include "lang/lang.h"

/* Taken off the told limit, for the way to the server: a tenth, at most so much. */
#define MARGIN_US 500000
/* Between two lines of a script in a speak-anytime session. */
#define KEPT_PAUSE_US 300000
/* So long others may need to come; who waits longer may wait for nobody. */
#define LOBBY_PATIENCE_US 10000000

/* ---- what is asked ---- */

/* Whom to name as a choice: nobody is asked about himself, where the rules would allow it too. */
static void add_choices(const Person *person, SeatSet targets, Buf *names)
{
    SeatSet others = targets & ~seat_bit(person->view->seat);

    person_add_names(person, others ? others : targets, names);
}

static void tell_turn(const Person *person)
{
    static const PersonWord turns[ASK_COUNT] = {[ASK_VOTE] = TURN_VOTE,
                                                [ASK_DIVINE] = TURN_DIVINE,
                                                [ASK_GUARD] = TURN_GUARD,
                                                [ASK_ATTACK] = TURN_ATTACK};
    CLEANUP(buf_done) Buf names = {0};

    if (ask_is_speech(person->ask.kind))
        return; /* the status line says so, every turn */
    add_choices(person, ask_targets(person->view, person->ask.kind), &names);
    person_tell(person, STYLE_ALERT, turns[person->ask.kind], buf_str(&names));
}

/* ---- answers ---- */

static void send_answer(Person *person, const Answer *answer, TimeUs now)
{
    const Ask ask = person->ask;

    if (!ask.standing)
        person->asked = false;
    person->setup.answer(person->setup.user, &ask, answer);
    if (!ask.standing)
        person_show_state(person, now);
}

static void lapse_ask(Person *person, TimeUs now)
{
    const Answer answer = {.kind = person->ask.kind, .lapse = true, .text = STR("Skip")};

    send_answer(person, &answer, now);
}

/* When no line comes any more. Where anybody may speak at any time, servers take what is no name
 * for late speech and go on waiting for a vote, so one is given: a different one every day. */
static void lapse_for_script(Person *person, TimeUs now)
{
    AskKind kind = person->ask.kind;
    SeatSet targets = ask_is_speech(kind) ? 0 : ask_targets(person->view, kind);

    if (!targets || person->view->rules->talk.duration_ms <= 0) {
        lapse_ask(person, now);
        return;
    }
    uint32_t nth = (uint32_t)(person->view->day + person->view->seat) % seat_count_of(targets);
    const Answer answer = {.kind = kind, .target = seat_nth(targets, nth)};
    person_tell(person, STYLE_MINE, TOLD_SENT, str_of(person_ask_name(person, kind)),
                person->view->names[answer.target]);
    send_answer(person, &answer, now);
}

/* Whether the table takes it as speech; if not, says why. */
static bool is_sentence(Person *person, Str text)
{
    const Sentence *sentence;
    Err err = {0};
    char column[16];

    if (!person->setup.protocol)
        return true;
    arena_clear(&person->arena);
    if (lang_parse(text, &person->arena, &sentence, &err) == 0)
        return true;
    snprintf(column, sizeof(column), "%u", err.column);
    person_tell(person, STYLE_ALERT, TOLD_NO_SENTENCE, str_of(column), str_of(err.msg));
    return false;
}

/* "3" and "Agent[3]" are Agent[03]. */
static SeatNo seat_of_number(Str typed, SeatNo seat_count)
{
    uint64_t number = 0;

    if (str_starts(typed, STR("Agent[")) && typed.bytes[typed.len - 1] == ']')
        typed = str_part(typed, 6, typed.len - 7);
    return str_to_uint(typed, seat_count, &number) ? (SeatNo)number : SEAT_NONE;
}

static bool find_target(const Person *person, AskKind kind, Str typed, SeatNo *ret_seat)
{
    CLEANUP(buf_done) Buf names = {0};
    const View *view = person->view;
    SeatSet targets = ask_targets(view, kind);
    size_t index = 0;

    if (str_starts(typed, STR("@")))
        typed = str_part(typed, 1, SIZE_MAX);
    bool found = person_find_name(typed, view->names + 1, view->seat_count, &index);
    SeatNo seat = found ? (SeatNo)(index + 1) : seat_of_number(typed, view->seat_count);
    add_choices(person, targets, &names);
    if (seat == SEAT_NONE)
        person_tell(person, STYLE_ALERT, TOLD_BAD_NAME, str_part(typed, 0, 100), buf_str(&names));
    else if (!seat_in(targets, seat))
        person_tell(person, STYLE_ALERT, TOLD_BAD_TARGET, view->names[seat], buf_str(&names));
    else
        *ret_seat = seat;
    return seat != SEAT_NONE && seat_in(targets, seat);
}

/* Answers what is asked, when the text does; else says why not. */
static bool answer_with(Person *person, Str text, TimeUs now)
{
    AskKind kind = person->ask.kind;
    Answer answer = {.kind = kind};

    if (ask_is_speech(kind)) {
        if (!is_sentence(person, text))
            return false;
        answer.text = text;
    } else {
        if (!find_target(person, kind, text, &answer.target))
            return false;
        person_tell(person, STYLE_MINE, TOLD_SENT, str_of(person_ask_name(person, kind)),
                    person->view->names[answer.target]);
    }
    send_answer(person, &answer, now);
    return true;
}

/* ---- lines ---- */

/* A line as an answer. */
typedef struct Typed {
    bool is_answer;
    AskKind kind;
    bool any_room;
    Str text;
} Typed;

static Typed read_line(const Person *person, Str line)
{
    static const struct {
        const char *command;
        AskKind kind;
    } answers[] = {{"/vote", ASK_VOTE},     {"/divine", ASK_DIVINE},   {"/guard", ASK_GUARD},
                   {"/attack", ASK_ATTACK}, {"/whisper", ASK_WHISPER}, {"/say", ASK_TALK}};
    Typed typed = {.is_answer = true, .kind = ASK_TALK, .text = line};
    Str rest, command = person_first_word(line, &rest);

    if (line.bytes[0] != '/') {
        /* At the keyboard a line is for what is asked now; of a script, for the village. */
        if (person->asked && screen_is_typed(person->setup.screen))
            typed.kind = person->ask.kind;
        return typed;
    }
    for (size_t i = 0; i < sizeof(answers) / sizeof(answers[0]); i++)
        if (str_eq(command, str_of(answers[i].command))) {
            typed.kind = answers[i].kind;
            typed.text = rest;
            return typed;
        }
    typed.any_room = true;
    if (str_eq(command, STR("/skip")))
        typed.text = STR("Skip");
    else if (str_eq(command, STR("/over")))
        typed.text = STR("Over");
    else
        typed.is_answer = false;
    return typed;
}

static bool typed_fits(const Person *person, AskKind kind, bool any_room)
{
    return person->asked &&
           (kind == person->ask.kind || (any_room && ask_is_speech(person->ask.kind)));
}

static void keep_typed(Person *person, const Typed *typed)
{
    if (person->kept_count == PERSON_KEPT_MAX) {
        person_tell(person, STYLE_ALERT, TOLD_TOO_MANY, {0});
        return;
    }
    PersonKept *kept = &person->kept[person->kept_count++];
    *kept = (PersonKept){.kind = typed->kind, .any_room = typed->any_room};
    buf_add(&kept->text, typed->text);
}

static void take_kept_at(Person *person, uint32_t i, Buf *ret_text)
{
    PersonKept *kept = &person->kept[i];

    buf_done(ret_text);
    *ret_text = kept->text;
    person->kept_count--;
    memmove(kept, kept + 1, (person->kept_count - i) * sizeof(*kept));
}

/* Takes the first kept line that answers what is asked. */
static bool take_kept(Person *person, Buf *ret_text)
{
    for (uint32_t i = 0; i < person->kept_count; i++) {
        PersonKept *kept = &person->kept[i];
        if (!typed_fits(person, kept->kind, kept->any_room))
            continue;
        take_kept_at(person, i, ret_text);
        return true;
    }
    return false;
}

/* Of a script: before the first ask there was nothing to tell. */
static void run_kept_commands(Person *person, TimeUs now)
{
    for (uint32_t i = 0; i < person->kept_count;) {
        CLEANUP(buf_done) Buf line = {0};
        if (person->kept[i].kind != ASK_COUNT) {
            i++;
            continue;
        }
        take_kept_at(person, i, &line);
        person_command(person, buf_str(&line), now);
    }
}

static bool has_kept(const Person *person)
{
    for (uint32_t i = 0; i < person->kept_count; i++)
        if (typed_fits(person, person->kept[i].kind, person->kept[i].any_room))
            return true;
    return false;
}

/* A script's answers, one after the other until one is good; then the end of its input. */
static void answer_from_script(Person *person, TimeUs now)
{
    CLEANUP(buf_done) Buf text = {0};

    if (person->asked && person->ask.standing && now < person->next_kept)
        return;
    while (person->asked && take_kept(person, &text)) {
        bool sent = answer_with(person, buf_str(&text), now);
        if (sent && person->ask.standing) {
            person->next_kept = now + KEPT_PAUSE_US;
            return;
        }
    }
    if (!person->asked || !person->input_ended)
        return;
    if (!person->ask.standing) {
        lapse_for_script(person, now);
    } else if (!person->said_over) {
        person->said_over = true;
        answer_with(person, STR("Over"), now);
    }
}

/* A line of a script: kept at least until it makes sense. */
static void entered_by_script(Person *person, Typed typed, Str command, TimeUs now)
{
    if (typed.is_answer) {
        keep_typed(person, &typed);
        answer_from_script(person, now);
    } else if (str_eq(command, STR("/quit")) || str_eq(command, STR("/bye"))) {
        person_input_ended(person, now); /* what is kept is still to be played */
    } else if (person->view || str_eq(command, STR("/help"))) {
        person_command(person, command, now);
    } else {
        keep_typed(person, &(Typed){.kind = ASK_COUNT, .text = command});
    }
}

void person_entered(Person *person, Str line, TimeUs now)
{
    Str rest, command = person_first_word(line, &rest);
    Typed typed = read_line(person, line);

    if (!screen_is_typed(person->setup.screen))
        entered_by_script(person, typed, command, now);
    else if (!typed.is_answer)
        person_command(person, command, now);
    else if (typed_fits(person, typed.kind, typed.any_room))
        answer_with(person, typed.text, now);
    else if (line.bytes[0] == '/')
        person_tell(person, STYLE_ALERT, TOLD_NOT_ASKED,
                    str_of(person_ask_name(person, typed.kind)));
    else
        person_tell(person, STYLE_ALERT, TOLD_NOT_NOW, {0});
}

void person_input_ended(Person *person, TimeUs now)
{
    person->input_ended = true;
    answer_from_script(person, now);
}

/* ---- asks ---- */

static TimeUs end_of_ask(const Person *person, const Ask *ask, TimeUs now)
{
    const Ruleset *rules = person->view->rules;
    TimeUs limit = (TimeUs)rules->contest.time_limit_told_ms * 1000;

    if (ask->standing)
        limit = (TimeUs)(ask->kind == ASK_TALK ? rules->talk : rules->whisper).duration_ms * 1000;
    if (limit <= 0)
        return TIME_US_NEVER;
    TimeUs margin = ask->standing ? 0 : limit / 10 < MARGIN_US ? limit / 10 : MARGIN_US;
    return now + limit - margin;
}

void person_ask(Person *person, const Ask *ask, const View *view, TimeUs now)
{
    person_look(person, view, now);
    if (!person->in_game || ask->kind == ASK_ROLE)
        return;
    person->asked = true;
    person->said_over = false;
    person->ask = *ask;
    person->next_kept = now;
    person->until = end_of_ask(person, ask, now);
    run_kept_commands(person, now);
    answer_from_script(person, now);
    if (!person->asked)
        return;
    person_show_state(person, now);
    tell_turn(person);
}

void person_unask(Person *person, TimeUs now)
{
    if (!person->asked)
        return;
    person->asked = false;
    person_show_state(person, now);
}

static bool is_in_lobby(const Person *person)
{
    return !person->view && person->wait_told != TIME_US_NEVER;
}

void person_wait(Person *person, TimeUs now)
{
    if (!person->view && !person->waited)
        person->wait_told = now + LOBBY_PATIENCE_US;
    person->waited = true;
}

void person_tick(Person *person, TimeUs now)
{
    if (is_in_lobby(person) && now >= person->wait_told) {
        person->wait_told = TIME_US_NEVER;
        person_tell(person, STYLE_SYSTEM, SAY_STILL_WAITING, {0});
    }
    if (!person->asked)
        return;
    if (person->ask.standing) {
        answer_from_script(person, now);
    } else if (now >= person->until) {
        person_tell(person, STYLE_ALERT, TOLD_LATE,
                    str_of(person_ask_name(person, person->ask.kind)));
        lapse_ask(person, now);
    }
}

TimeUs person_deadline(const Person *person)
{
    if (!person->asked)
        return is_in_lobby(person) ? person->wait_told : TIME_US_NEVER;
    if (!person->ask.standing)
        return person->until;
    bool more = has_kept(person) || (person->input_ended && !person->said_over);
    return more ? person->next_kept : TIME_US_NEVER;
}

/* ---- the object ---- */

int person_new(const PersonSetup *setup, Person **ret_person, Err *err)
{
    Person *person = mem_new(sizeof(*person));

    if (person)
        person->arena = arena_new(LANG_ARENA_BYTES(LANG_BYTES_MAX));
    if (!person || !person->arena.block) {
        mem_free(person);
        return err_set(err, ERR_MEMORY, "play: out of memory");
    }
    person->setup = *setup;
    person->until = person->wait_told = TIME_US_NEVER;
    person_show_state(person, 0); /* nothing is asked: no countdown */
    *ret_person = person;
    return 0;
}

Person *person_free(Person *person)
{
    if (!person)
        return NULL;
    for (uint32_t i = 0; i < person->kept_count; i++)
        buf_done(&person->kept[i].text);
    arena_done(&person->arena);
    return mem_free(person);
}

uint64_t person_games(const Person *person)
{
    return person->games;
}

uint64_t person_wins(const Person *person)
{
    return person->wins;
}
