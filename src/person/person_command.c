/* person_command.c - what a person may ask for at any time: /who, /role, /votes and their kin. */
#include "base/suggest.h"
#include "person/person_state.h"

static void tell_who(Person *person, TimeUs now)
{
    const View *view = person->view;
    PersonLanguage language = person->setup.language;

    (void)now;
    for (SeatNo seat = 1; seat <= view->seat_count; seat++) {
        CLEANUP(buf_done) Buf more = {0};
        bool me = seat == view->seat;

        buf_add(&more, me ? str_of(person_word(WORD_YOU, language)) : STR(""));
        if (view->roles[seat] != ROLE_NONE && (!me || view->over))
            buf_printf(&more, ", %s", person_role((Role)view->roles[seat], language));
        person_tell(
            person, STYLE_SYSTEM, LIST_WHO, view->names[seat],
            str_of(person_word(seat_in(view->alive, seat) ? WORD_ALIVE : WORD_DEAD, language)),
            buf_str(&more));
    }
}

static void tell_role(Person *person, TimeUs now)
{
    CLEANUP(buf_done) Buf names = {0};
    const View *view = person->view;
    SeatSet with_me = 0;

    (void)now;
    person_tell(person, STYLE_SYSTEM, SAY_ROLE,
                str_of(person_role(view->role, person->setup.language)));
    for (SeatNo seat = 1; seat <= view->seat_count; seat++)
        if (seat != view->seat && view->roles[seat] == view->role)
            with_me |= seat_bit(seat);
    person_add_names(person, with_me, &names);
    if (names.len)
        person_tell(person, STYLE_SYSTEM, SAY_MATES, buf_str(&names));
}

static void tell_votes(Person *person, TimeUs now)
{
    (void)now;
    if (!person_tell_votes(person, SAY_VOTES, &person->told.votes))
        person_tell(person, STYLE_SYSTEM, NO_VOTES, {0});
    person_tell_votes(person, SAY_ATTACK_VOTES, &person->told.attack_votes);
}

static void tell_time(Person *person, TimeUs now)
{
    char seconds[32];

    if (!person->asked || person->until == TIME_US_NEVER) {
        person_tell(person, STYLE_SYSTEM, TIME_NONE, {0});
        return;
    }
    TimeUs left = person->until > now ? person->until - now : 0;
    snprintf(seconds, sizeof(seconds), "%lld", (long long)(left / 1000000));
    person_tell(person, STYLE_SYSTEM, TIME_LEFT, str_of(seconds));
}

static void tell_score(Person *person, TimeUs now)
{
    char games[32], wins[32];

    (void)now;
    snprintf(games, sizeof(games), "%llu", (unsigned long long)person->games);
    snprintf(wins, sizeof(wins), "%llu", (unsigned long long)person->wins);
    person_tell(person, STYLE_SYSTEM, SCORE_LINE, str_of(games), str_of(wins));
}

static void tell_help(Person *person, TimeUs now)
{
    (void)now;
    person_tell(person, STYLE_SYSTEM, HELP, {0});
    person_tell(person, STYLE_SYSTEM, person->setup.protocol ? HELP_PROTOCOL : HELP_NLP, {0});
}

static void quit_game(Person *person, TimeUs now)
{
    (void)now;
    person->setup.quit(person->setup.user);
}

/* To add a command: a row here, a word of it in HELP and in man/warg-play.1.scd. The first five
 * need a game. Those that answer asks are in person.c. */
static const struct Command {
    const char *name;
    bool needs_game;
    void (*run)(Person *person, TimeUs now);
} commands[] = {
    {"/who", true, tell_who},     {"/players", true, tell_who}, {"/role", true, tell_role},
    {"/votes", true, tell_votes}, {"/time", true, tell_time},   {"/score", false, tell_score},
    {"/help", false, tell_help},  {"/quit", false, quit_game},  {"/bye", false, quit_game},
};

static const char *const answers[] = {"/vote", "/divine", "/guard",   "/attack",
                                      "/skip", "/over",   "/whisper", "/say"};

#define COMMAND_COUNT (sizeof(commands) / sizeof(commands[0]))
#define ANSWER_COUNT  (sizeof(answers) / sizeof(answers[0]))

static void tell_unknown(const Person *person, Str command)
{
    CLEANUP(buf_done) Buf hint = {0};
    Suggest suggest = {.word = command};

    for (size_t i = 0; i < COMMAND_COUNT; i++)
        suggest_offer(&suggest, str_of(commands[i].name));
    for (size_t i = 0; i < ANSWER_COUNT; i++)
        suggest_offer(&suggest, str_of(answers[i]));
    Str best = suggest_best(&suggest);
    if (best.len)
        buf_printf(&hint, " %.*s?", STR_ARG(best));
    person_tell(person, STYLE_ALERT, TOLD_UNKNOWN, str_part(command, 0, 40), buf_str(&hint));
}

void person_command(Person *person, Str command, TimeUs now)
{
    for (size_t i = 0; i < COMMAND_COUNT; i++) {
        if (!str_eq(str_of(commands[i].name), command))
            continue;
        if (commands[i].needs_game && !person->view)
            person_tell(person, STYLE_SYSTEM, TOLD_NO_GAME, {0});
        else
            commands[i].run(person, now);
        return;
    }
    tell_unknown(person, command);
}

uint32_t person_names(const Person *person, Str *ret)
{
    uint32_t count = 0;

    for (SeatNo seat = 1; person->view && seat <= person->view->seat_count; seat++)
        ret[count++] = person->view->names[seat];
    for (size_t i = 0; i < COMMAND_COUNT; i++)
        ret[count++] = str_of(commands[i].name);
    for (size_t i = 0; i < ANSWER_COUNT; i++)
        ret[count++] = str_of(answers[i]);
    return count;
}
