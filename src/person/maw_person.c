#include "person/maw_person_state.h"

#include "base/suggest.h"
#include "base/utf8.h"

/* The answer to a vote comes without news of its own. */
#define SHOW_AGAIN_US 300000
#define MOVED_US      ((TimeUs)3 * 1000 * 1000)

/* ---- acts ---- */

static void add_list(const Str *names, uint32_t count, Buf *out)
{
    for (uint32_t i = 0; i < count; i++) {
        buf_add(out, i ? STR(", ") : STR(""));
        buf_add(out, names[i]);
    }
}

/* Why nothing can be said or voted now. */
static void tell_why_not(const MawSeat *seat, const MawKnown *known)
{
    MawWord word = MAW_TOLD_CLOSED;

    if (seat->over || known->state == PLAYER_OVER)
        word = MAW_TOLD_OVER;
    else if (!known->linked)
        word = MAW_TOLD_NO_LINK;
    else if (known->paused)
        word = MAW_TOLD_PAUSED;
    else if (known->state == PLAYER_JOIN_LOBBY || known->state == PLAYER_LOBBY)
        word = MAW_TOLD_NO_ROUND;
    else if (known->state == PLAYER_DEAD || !known->alive)
        word = MAW_TOLD_DEAD;
    else if (known->state == PLAYER_ASLEEP)
        word = MAW_TOLD_ASLEEP;
    maw_tell(seat, STYLE_ALERT, word, {0});
}

/* A wolf's line that was begun in the other room: it would say to all what was meant for wolves. It
 * is asked for once more. */
static bool is_for_other_room(MawSeat *seat, const MawKnown *known, TimeUs now)
{
    bool moved = known->wolf && known->room_open && seat->moved_at &&
                 now < seat->moved_at + MOVED_US && screen_is_typed(seat->setup.screen);

    if (moved)
        seat->moved_at = 0;
    return moved;
}

/* `where`: the room is named, so that it can't be the wrong one. */
static void say_text_in(MawSeat *seat, Str text, bool where, TimeUs now)
{
    const MawKnown *known = maw_player_known(seat->player);
    size_t characters = utf8_count(text);
    char length[24], most[24];

    if (known->max_chars && characters > known->max_chars) {
        snprintf(length, sizeof(length), "%zu", characters);
        snprintf(most, sizeof(most), "%u", known->max_chars);
        maw_tell(seat, STYLE_ALERT, MAW_TOLD_TOO_LONG, str_of(length), str_of(most));
    } else if (!where && is_for_other_room(seat, known, now)) {
        maw_tell(seat, STYLE_ALERT, MAW_TOLD_MOVED, {0});
    } else if (!maw_player_say(seat->player, text, now)) {
        tell_why_not(seat, known);
    }
}

static void say_text(MawSeat *seat, Str text, TimeUs now)
{
    say_text_in(seat, text, false, now);
}

static void take_vote_back(MawSeat *seat, Str rest, TimeUs now)
{
    bool voted = maw_player_known(seat->player)->my_vote.len > 0;

    (void)rest;
    if (!maw_player_vote(seat->player, STR(""), STR(""), now)) {
        tell_why_not(seat, maw_player_known(seat->player));
        return;
    }
    maw_tell(seat, STYLE_MINE, voted ? MAW_VOTE_TAKEN_BACK : MAW_MY_VOTE_NONE, {0});
    seat->show_at = now + SHOW_AGAIN_US;
}

/* In the hideout, where no word may come into the village by mistake. */
static void tell_wolves(MawSeat *seat, Str rest, TimeUs now)
{
    const MawKnown *known = maw_player_known(seat->player);

    if (rest.len == 0)
        maw_tell(seat, STYLE_ALERT, MAW_TOLD_NOT_NOW, STR("/wolves"));
    else if (known->role.len && !known->wolf)
        maw_tell(seat, STYLE_ALERT, MAW_TOLD_NO_WOLF, {0});
    else if (known->alive && known->state == PLAYER_AWAKE && !known->night)
        maw_tell(seat, STYLE_ALERT, MAW_TOLD_NO_HIDEOUT, {0});
    else
        say_text_in(seat, rest, true, now);
}

/* Which of these names is meant; says so when none is. */
static bool find_name(const MawSeat *seat, Str command, Str typed, const Str *names, uint32_t count,
                      Str *ret_name)
{
    CLEANUP(buf_done) Buf list = {0};
    size_t index = 0;

    if (person_find_name(typed, names, count, &index)) {
        *ret_name = names[index];
        return true;
    }
    add_list(names, count, &list);
    if (typed.len)
        maw_tell(seat, STYLE_ALERT,
                 str_eq(command, STR("/vote")) ? MAW_TOLD_BAD_VOTE : MAW_TOLD_BAD_NAME,
                 str_part(typed, 0, 100), buf_str(&list));
    else
        maw_tell(seat, STYLE_ALERT, MAW_TOLD_NO_NAME, command, buf_str(&list));
    return false;
}

static void give_vote(MawSeat *seat, Str rest, TimeUs now)
{
    const MawKnown *known = maw_player_known(seat->player);
    Str names[MAW_LIST_MAX], name;

    if (str_eq(rest, STR("none")) || str_eq(rest, STR("なし"))) {
        take_vote_back(seat, rest, now);
        return;
    }
    uint32_t count = maw_player_targets(seat->player, names);
    if (count == 0) {
        tell_why_not(seat, known);
        return;
    }
    if (!find_name(seat, STR("/vote"), rest, names, count, &name))
        return;
    if (!maw_player_vote(seat->player, name, STR(""), now)) {
        tell_why_not(seat, known);
        return;
    }
    maw_tell(seat, STYLE_MINE, MAW_VOTE_SENT, name);
    seat->show_at = now + SHOW_AGAIN_US;
}

/* The others who live. */
static uint32_t other_players(const MawSeat *seat, Str *ret)
{
    const MawKnown *known = maw_player_known(seat->player);
    uint32_t count = 0;

    for (uint32_t i = 0; i < known->player_count && count < MAW_LIST_MAX; i++)
        if (known->players[i].alive && !str_eq(known->players[i].name, known->me))
            ret[count++] = known->players[i].name;
    return count;
}

static void whisper_text(MawSeat *seat, Str rest, TimeUs now)
{
    Str names[MAW_LIST_MAX], name, text, typed = person_first_word(rest, &text);

    if (!find_name(seat, STR("/whisper"), typed, names, other_players(seat, names), &name))
        return;
    if (text.len && maw_player_whisper(seat->player, name, text, now))
        maw_tell(seat, STYLE_MINE, MAW_WHISPER_SENT, name, text);
    else if (!maw_player_known(seat->player)->linked)
        tell_why_not(seat, maw_player_known(seat->player));
    else
        maw_tell(seat, STYLE_ALERT, MAW_TOLD_NOT_NOW, STR("/whisper"));
}

static void ask_role(MawSeat *seat, Str rest, TimeUs now)
{
    Str names[MAW_LIST_MAX], name, mine = maw_player_known(seat->player)->role;

    if (mine.len && !str_eq(mine, STR("Seer")))
        maw_tell(seat, STYLE_ALERT, MAW_TOLD_NO_SEER, {0});
    else if (find_name(seat, STR("/ask"), rest, names, other_players(seat, names), &name) &&
             !maw_player_ask_role(seat->player, name, now))
        maw_tell(seat, STYLE_ALERT, MAW_TOLD_NOT_NOW, STR("/ask"));
}

/* ---- questions ---- */

static void show_players(MawSeat *seat, Str rest, TimeUs now)
{
    (void)rest;
    (void)now;
    maw_tell_who(seat);
}

static void show_role(MawSeat *seat, Str rest, TimeUs now)
{
    bool hide = str_eq(rest, STR("hide")), show = str_eq(rest, STR("show"));

    if (!hide && !show) {
        maw_tell_role(seat);
        return;
    }
    seat->role_hidden = hide;
    maw_tell(seat, STYLE_SYSTEM, hide ? MAW_ROLE_HIDDEN : MAW_ROLE_SHOWN, {0});
    maw_show_state(seat, now);
}

static void show_votes(MawSeat *seat, Str rest, TimeUs now)
{
    (void)rest;
    (void)now;
    maw_tell_votes(seat);
}

static void tell_time(MawSeat *seat, Str rest, TimeUs now)
{
    (void)rest;
    maw_tell_time(seat, now);
}

/* The game master's answer comes as news; before it knows any, ours. */
static void show_score(MawSeat *seat, Str rest, TimeUs now)
{
    (void)rest;
    if (!maw_player_ask_scores(seat->player, now))
        maw_tell_scores(seat);
}

static void show_help(MawSeat *seat, Str rest, TimeUs now)
{
    (void)rest;
    (void)now;
    maw_tell(seat, STYLE_SYSTEM, MAW_HELP, {0});
}

static void quit_table(MawSeat *seat, Str rest, TimeUs now)
{
    (void)rest;
    if (!screen_is_typed(seat->setup.screen)) {
        seat->script_over = true;
        return;
    }
    maw_player_leave(seat->player, now);
    if (seat->setup.quit)
        seat->setup.quit(seat->setup.user, now);
}

static void wait_for_phase(MawSeat *seat, Str rest, TimeUs now)
{
    const MawKnown *known = maw_player_known(seat->player);

    (void)rest;
    (void)now;
    seat->waiting = !screen_is_typed(seat->setup.screen);
    seat->wait_round = known->round;
    seat->wait_phase = known->phase_no;
}

/* When a line of a script is done. */
typedef enum LineTime {
    AT_ONCE,
    IN_A_ROUND, /* roles, players and phases are known */
    IN_A_ROOM,  /* an open one, alive */
    WHEN_HEARD, /* also by the dead in the graveyard */
} LineTime;

/* To add a command: a row here, a word of it in MAW_HELP and on the pages of `warg maw` and
 * `warg join`. */
static const struct Command {
    const char *name;
    LineTime when;
    void (*run)(MawSeat *seat, Str rest, TimeUs now);
} commands[] = {
    {"/vote", IN_A_ROOM, give_vote},        {"/unvote", IN_A_ROOM, take_vote_back},
    {"/votes", IN_A_ROUND, show_votes},     {"/who", IN_A_ROUND, show_players},
    {"/players", IN_A_ROUND, show_players}, {"/role", IN_A_ROUND, show_role},
    {"/time", IN_A_ROUND, tell_time},       {"/score", IN_A_ROUND, show_score},
    {"/help", AT_ONCE, show_help},          {"/whisper", IN_A_ROOM, whisper_text},
    {"/wolves", IN_A_ROOM, tell_wolves},    {"/ask", IN_A_ROOM, ask_role},
    {"/quit", AT_ONCE, quit_table},         {"/bye", AT_ONCE, quit_table},
    {"/wait", IN_A_ROUND, wait_for_phase},
};
#define COMMAND_COUNT (sizeof(commands) / sizeof(commands[0]))

static const struct Command *command_of(Str word)
{
    for (size_t i = 0; i < COMMAND_COUNT; i++)
        if (str_eq(str_of(commands[i].name), word))
            return &commands[i];
    return NULL;
}

static void tell_unknown(const MawSeat *seat, Str word)
{
    CLEANUP(buf_done) Buf hint = {0};
    Suggest suggest = {.word = str_part(word, 1, SIZE_MAX)}; /* all begin with the same letter */

    for (size_t i = 0; i < COMMAND_COUNT; i++)
        suggest_offer(&suggest, str_of(commands[i].name + 1));
    Str best = suggest_best(&suggest);
    if (best.len)
        buf_printf(&hint, " /%.*s?", STR_ARG(best));
    maw_tell(seat, STYLE_ALERT, MAW_TOLD_UNKNOWN, str_part(word, 0, 40), buf_str(&hint));
}

static void run_line(MawSeat *seat, Str line, TimeUs now)
{
    Str rest, word = person_first_word(line, &rest);
    const struct Command *command = command_of(word);

    if (line.bytes[0] != '/')
        say_text(seat, line, now);
    else if (command)
        command->run(seat, rest, now);
    else
        tell_unknown(seat, word);
}

/* ---- scripts ---- */

static LineTime time_of_line(Str line)
{
    Str rest, word = person_first_word(line, &rest);
    const struct Command *command = command_of(word);

    if (line.bytes[0] != '/')
        return WHEN_HEARD;
    return command ? command->when : AT_ONCE;
}

static bool is_time(const MawKnown *known, LineTime when)
{
    switch (when) {
    case AT_ONCE:
        return true;
    case IN_A_ROUND:
        return known->phase_no > 0;
    case WHEN_HEARD:
        return (known->room_open && known->alive) || known->graveyard;
    case IN_A_ROOM:
        break;
    }
    return known->room_open && known->alive;
}

static bool can_be_done(MawSeat *seat, LineTime when)
{
    const MawKnown *known = maw_player_known(seat->player);

    if (seat->waiting && known->round == seat->wait_round && known->phase_no == seat->wait_phase)
        return false;
    seat->waiting = false;
    return is_time(known, when);
}

/* What can be done now. */
static void go_on(MawSeat *seat, TimeUs now)
{
    while (seat->kept_count && !seat->script_over && now >= seat->next_line) {
        LineTime when = time_of_line(buf_str(&seat->kept[0]));
        if (!can_be_done(seat, when))
            return;
        Buf line = seat->kept[0];
        seat->kept_count--;
        memmove(seat->kept, seat->kept + 1, seat->kept_count * sizeof(line));
        if (when == IN_A_ROOM || when == WHEN_HEARD)
            seat->next_line = now + seat->setup.line_pause;
        run_line(seat, buf_str(&line), now);
        buf_done(&line);
    }
}

void maw_person_entered(MawSeat *seat, Str line, TimeUs now)
{
    if (line.len == 0)
        return;
    if (screen_is_typed(seat->setup.screen)) {
        run_line(seat, line, now);
    } else if (seat->kept_count == MAW_KEPT_MAX) {
        maw_tell(seat, STYLE_ALERT, MAW_TOLD_TOO_MANY, {0});
    } else {
        Buf *kept = &seat->kept[seat->kept_count++];
        *kept = (Buf){0};
        buf_add(kept, line);
        go_on(seat, now);
    }
}

void maw_person_input_ended(MawSeat *seat, TimeUs now)
{
    go_on(seat, now);
}

void maw_person_tick(MawSeat *seat, TimeUs now)
{
    if (now >= seat->joined_at)
        maw_tell_joined(seat);
    if (now >= seat->show_at) {
        seat->show_at = TIME_US_NEVER;
        maw_show_state(seat, now);
    }
    go_on(seat, now);
}

TimeUs maw_person_deadline(const MawSeat *seat)
{
    const MawKnown *known = maw_player_known(seat->player);
    bool waits =
        seat->waiting && known->round == seat->wait_round && known->phase_no == seat->wait_phase;
    TimeUs due = seat->show_at < seat->joined_at ? seat->show_at : seat->joined_at;

    if (!seat->kept_count || seat->script_over || waits || seat->next_line >= due)
        return due;
    return is_time(known, time_of_line(buf_str(&seat->kept[0]))) ? seat->next_line : due;
}

/* ---- the object ---- */

uint32_t maw_person_names(const MawSeat *seat, Str *ret)
{
    const MawKnown *known = maw_player_known(seat->player);
    uint32_t count = 0;

    for (size_t i = 0; i < COMMAND_COUNT; i++)
        ret[count++] = str_of(commands[i].name);
    for (uint32_t i = 0; i < known->player_count && count < 64; i++)
        ret[count++] = known->players[i].name;
    return count;
}

int maw_person_new(const MawPersonSetup *setup, MawSeat **ret_seat, Err *err)
{
    MawSeat *seat = mem_new(sizeof(*seat));

    if (!seat)
        return err_set(err, ERR_MEMORY, "seat of a person: out of memory");
    seat->setup = *setup;
    seat->show_at = seat->joined_at = TIME_US_NEVER;
    *ret_seat = seat;
    return 0;
}

MawSeat *maw_person_free(MawSeat *seat)
{
    if (!seat)
        return NULL;
    for (uint32_t i = 0; i < seat->kept_count; i++)
        buf_done(&seat->kept[i]);
    buf_done(&seat->joined);
    buf_done(&seat->joined_of);
    buf_done(&seat->outcome);
    buf_done(&seat->points);
    return mem_free(seat);
}

void maw_person_take(MawSeat *seat, MawPlayer *player, TimeUs now)
{
    seat->player = player;
    maw_show_state(seat, now);
}

Str maw_person_outcome(MawSeat *seat)
{
    buf_add(&seat->outcome, buf_str(&seat->points));
    buf_clear(&seat->points);
    return buf_str(&seat->outcome);
}

bool maw_person_round_ended(const MawSeat *seat)
{
    return seat->round_ended;
}

bool maw_person_over(const MawSeat *seat)
{
    return seat->over;
}
