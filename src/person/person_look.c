/* person_look.c - what is new in a view, said in words. */
#include "person/person_state.h"

#include "lang/lang.h"

#define MEANING_BYTES_MAX 90

void person_tell_these(const Person *person, ScreenStyle style, PersonWord word,
                       const Str arguments[static 3])
{
    CLEANUP(buf_done) Buf text = {0};

    person_fill(person_word(word, person->setup.language), arguments, 3, &text);
    Str rest = buf_str(&text);
    while (rest.len)
        screen_line(person->setup.screen, style, str_cut(&rest, '\n'));
}

static Str name_of(const Person *person, SeatNo seat)
{
    const View *view = person->view;

    return seat >= 1 && seat <= view->seat_count ? view->names[seat] : STR("?");
}

void person_add_names(const Person *person, SeatSet seats, Buf *out)
{
    const char *comma = "";

    for (SeatSet left = seats; left; left &= left - 1) {
        buf_add(out, str_of(comma));
        buf_add(out, name_of(person, seat_first(left)));
        comma = ", ";
    }
}

const char *person_ask_name(const Person *person, AskKind kind)
{
    return person_word((PersonWord)(NAME_OF_ASK + (int)kind), person->setup.language);
}

void person_show_state(const Person *person, TimeUs now)
{
    CLEANUP(buf_done) Buf status = {0};
    CLEANUP(buf_done) Buf prompt = {0};
    char day[16] = "";

    if (person->view)
        snprintf(day, sizeof(day), "%u", person->view->day);
    bool asked = person->asked && person->in_game;
    PersonWord word = asked                                               ? ASK_STATUS
                      : person->in_game                                   ? WAIT_STATUS
                      : person->view && person->view->winner != SIDE_NONE ? OVER_STATUS
                                                                          : LOBBY_STATUS;
    const Str arguments[] = {str_of(day),
                             str_of(asked ? person_ask_name(person, person->ask.kind) : "")};
    person_fill(person_word(word, person->setup.language), arguments, 2, &status);
    if (asked)
        buf_add(&prompt, arguments[1]);
    buf_add(&prompt, STR("> "));
    screen_status(person->setup.screen, buf_str(&status), asked ? person->until : TIME_US_NEVER,
                  now);
    screen_prompt(person->setup.screen, buf_str(&prompt));
}

/* ---- talk ---- */

/* What a sentence of the protocol language means, behind it; of a long one one would see less. */
static void add_meaning(const Person *person, const Talk *talk, Buf *line)
{
    CLEANUP(buf_done) Buf meaning = {0};

    if (!talk->sentence || person->setup.language != PERSON_ENGLISH)
        return;
    lang_explain(talk->sentence, talk->seat, &meaning);
    Str text = buf_str(&meaning);
    if (text.len > MEANING_BYTES_MAX)
        return;
    buf_add(line, STR("   ("));
    buf_add(line, str_part(text, 0, text.len - (text.len && text.bytes[text.len - 1] == '.')));
    buf_add_char(line, ')');
}

static bool is_silence(const Talk *talk)
{
    return talk->skip || talk->over || str_eq(talk->text, STR("Skip")) ||
           str_eq(talk->text, STR("Over"));
}

static void tell_talk(const Person *person, const Talk *talk, bool whisper)
{
    CLEANUP(buf_done) Buf line = {0};

    if (is_silence(talk)) /* of ten lines nine would be these */
        return;
    if (whisper)
        buf_add(&line, str_of(person_word(SAY_WHISPER_MARK, person->setup.language)));
    buf_add(&line, name_of(person, talk->seat));
    buf_add(&line, STR(": "));
    buf_add(&line, talk->text);
    add_meaning(person, talk, &line);
    screen_line(person->setup.screen, talk->seat == person->view->seat ? STYLE_MINE : STYLE_LINE,
                buf_str(&line));
}

static void tell_log(const Person *person, const TalkLog *log, uint32_t *told, bool whisper)
{
    if (log->count < *told)
        *told = 0;
    while (*told < log->count)
        tell_talk(person, &log->items[(*told)++], whisper);
}

/* ---- votes ---- */

bool person_tell_votes(const Person *person, PersonWord word, const VoteLog *votes)
{
    CLEANUP(buf_done) Buf list = {0};

    for (uint8_t i = 0; i < votes->count; i++) {
        buf_add(&list, i ? STR(", ") : STR(""));
        buf_add(&list, name_of(person, votes->items[i].voter));
        buf_add(&list, STR(" -> "));
        buf_add(&list, name_of(person, votes->items[i].target));
    }
    if (votes->count)
        person_tell(person, STYLE_SYSTEM, word, buf_str(&list));
    return votes->count > 0;
}

static bool same_votes(const VoteLog *a, const VoteLog *b)
{
    if (a->count != b->count)
        return false;
    for (uint8_t i = 0; i < a->count; i++)
        if (a->items[i].voter != b->items[i].voter || a->items[i].target != b->items[i].target)
            return false;
    return true;
}

static void tell_new_votes(const Person *person, PersonWord word, const VoteLog *votes,
                           VoteLog *told)
{
    if (!votes || votes->count == 0 || same_votes(votes, told))
        return;
    *told = *votes;
    person_tell_votes(person, word, votes);
}

/* Beside the log: who lives, and how many votes each had in the last ballot. */
static void show_players(const Person *person)
{
    Buf lines[SEAT_MAX] = {0};
    Str texts[SEAT_MAX];
    const View *view = person->view;
    PersonLanguage language = person->setup.language;

    for (SeatNo seat = 1; seat <= view->seat_count; seat++) {
        Buf *line = &lines[seat - 1];
        unsigned votes = 0;
        for (uint8_t i = 0; i < person->told.votes.count; i++)
            votes += person->told.votes.items[i].target == seat;
        buf_add(line, view->names[seat]);
        if (!seat_in(view->alive, seat))
            buf_printf(line, " (%s)", person_word(WORD_DEAD, language));
        if (votes)
            buf_printf(line, " %u", votes);
        texts[seat - 1] = buf_str(line);
    }
    screen_tally(person->setup.screen, texts, view->seat_count);
    for (SeatNo seat = 1; seat <= view->seat_count; seat++)
        buf_done(&lines[seat - 1]);
}

/* ---- deaths and results ---- */

static void tell_death(Person *person, PersonWord word, SeatNo seat)
{
    if (seat == SEAT_NONE || seat > person->view->seat_count || seat_in(person->told.dead, seat))
        return;
    person->told.dead |= seat_bit(seat);
    person_tell(person, STYLE_SYSTEM, word, name_of(person, seat));
}

static void tell_deaths(Person *person, bool new_day)
{
    const View *view = person->view;

    tell_death(person, SAY_EXECUTED, view->executed_today);
    tell_death(person, SAY_EXECUTED, view->executed);
    if (new_day && view->day >= 2 && view->executed == SEAT_NONE)
        person_tell(person, STYLE_SYSTEM, SAY_NOT_EXECUTED, {0});
    for (uint8_t i = 0; i < view->last_dead_count; i++)
        tell_death(person, SAY_KILLED, view->last_dead[i]);
    if (new_day && view->day >= 2 && view->last_dead_count == 0)
        person_tell(person, STYLE_SYSTEM, SAY_PEACE, {0});
    for (SeatSet left = seat_all(view->seat_count) & ~view->alive & ~person->told.dead; left;
         left &= left - 1)
        tell_death(person, SAY_GONE, seat_first(left));
    if (!seat_in(view->alive, view->seat) && !person->told.my_death) {
        person->told.my_death = true;
        person_tell(person, STYLE_ALERT, SAY_I_DIED, {0});
    }
}

static void tell_judge(const Person *person, PersonWord word, const Judge *judge, uint16_t *told)
{
    if (judge->target == SEAT_NONE || *told == judge->day + 1)
        return;
    *told = (uint16_t)(judge->day + 1);
    person_tell(person, STYLE_ALERT, word, name_of(person, judge->target),
                str_of(person_species(judge->result, person->setup.language)));
}

static void tell_results(Person *person, bool new_day)
{
    const View *view = person->view;

    tell_judge(person, SAY_DIVINED, &view->divined, &person->told.divined);
    tell_judge(person, SAY_IDENTIFIED, &view->identified, &person->told.identified);
    if (new_day && view->guarded != SEAT_NONE)
        person_tell(person, STYLE_SYSTEM, SAY_GUARDED, name_of(person, view->guarded));
    if (new_day && view->attacked != SEAT_NONE)
        person_tell(person, STYLE_SYSTEM, SAY_ATTACKED, name_of(person, view->attacked));
}

void person_look(Person *person, const View *view, TimeUs now)
{
    PersonTold *told = &person->told;
    bool new_day = !told->day_known || told->day != view->day;
    char day[16];

    person->view = view;
    if (!person->in_game)
        return;
    if (new_day) {
        told->day_known = true;
        told->day = view->day;
        told->talk = told->whisper = 0;
        snprintf(day, sizeof(day), "%u", view->day);
        person_tell(person, STYLE_SYSTEM, SAY_DAY, str_of(day));
    }
    tell_log(person, view->talk, &told->talk, false);
    tell_log(person, view->whisper, &told->whisper, true);
    tell_new_votes(person, SAY_VOTES, view->latest_votes, &told->votes);
    tell_new_votes(person, SAY_VOTES, view->votes, &told->votes);
    tell_new_votes(person, SAY_ATTACK_VOTES, view->latest_attack_votes, &told->attack_votes);
    tell_new_votes(person, SAY_ATTACK_VOTES, view->attack_votes, &told->attack_votes);
    tell_deaths(person, new_day);
    tell_results(person, new_day);
    show_players(person);
    if (new_day)
        person_show_state(person, now);
}

/* ---- begin and end ---- */

static SeatSet mates(const View *view)
{
    SeatSet set = 0;

    for (SeatNo seat = 1; seat <= view->seat_count; seat++)
        if (seat != view->seat && view->roles[seat] != ROLE_NONE && view->roles[seat] == view->role)
            set |= seat_bit(seat);
    return set;
}

void person_begin(Person *person, const View *view, TimeUs now)
{
    CLEANUP(buf_done) Buf names = {0};
    int32_t limit = view->rules->contest.time_limit_told_ms;
    char number[16];

    person->told = (PersonTold){0};
    person->view = view;
    person->in_game = true;
    person->asked = false;
    snprintf(number, sizeof(number), "%u", view->seat_count);
    person_tell(person, STYLE_ALERT, SAY_GAME, name_of(person, view->seat), str_of(number));
    person_tell(person, STYLE_SYSTEM, SAY_ROLE,
                str_of(person_role(view->role, person->setup.language)));
    person_add_names(person, mates(view), &names);
    if (names.len)
        person_tell(person, STYLE_SYSTEM, SAY_MATES, buf_str(&names));
    if (limit > 0 && limit < 5000) {
        snprintf(number, sizeof(number), "%d", limit);
        person_tell(person, STYLE_SYSTEM, SAY_SHORT_LIMIT, str_of(number));
    }
    person_look(person, view, now);
}

void person_end(Person *person, const View *view, Side winner, TimeUs now)
{
    CLEANUP(buf_done) Buf roles = {0};
    PersonLanguage language = person->setup.language;
    bool won = winner != SIDE_NONE && winner == role_side(view->role);

    person->asked = false;
    person_look(person, view, now);
    if (!person->in_game)
        return;
    person->in_game = false;
    person->games++;
    person->wins += won;
    if (winner == SIDE_NONE)
        person_tell(person, STYLE_ALERT, SAY_DRAW, {0});
    else
        person_tell(person, STYLE_ALERT, SAY_WON, str_of(person_side(winner, language)));
    for (SeatNo seat = 1; seat <= view->seat_count; seat++) {
        buf_add(&roles, seat > 1 ? STR(", ") : STR(""));
        buf_add(&roles, name_of(person, seat));
        buf_add_char(&roles, ' ');
        buf_add(&roles, str_of(person_role((Role)view->roles[seat], language)));
    }
    person_tell(person, STYLE_SYSTEM, SAY_ROLES, buf_str(&roles));
    if (winner != SIDE_NONE)
        person_tell(person, STYLE_SYSTEM, won ? SAY_MY_END_WON : SAY_MY_END_LOST, {0});
    person_show_state(person, now);
}
