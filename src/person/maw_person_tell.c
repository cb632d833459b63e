/* maw_person_tell.c - what a MAW player knows, in words. */
#include "maw/system_line.h"
#include "person/maw_person_state.h"
#include "terminal/clean.h"

#include <inttypes.h>

#define JOINED_TOGETHER_US 700000
#define OUTCOME_MAX        4000 /* a session may have ten thousand rounds */

void maw_tell_these(const MawSeat *seat, ScreenStyle style, MawWord word,
                    const Str arguments[static 3])
{
    CLEANUP(buf_done) Buf text = {0};

    person_fill(maw_word(word, seat->setup.language), arguments, 3, &text);
    Str rest = buf_str(&text);
    while (rest.len)
        screen_line(seat->setup.screen, style, str_cut(&rest, '\n'));
}

static Str word_of(const MawSeat *seat, MawWord word)
{
    return str_of(maw_word(word, seat->setup.language));
}

/* "Werewolf" in the person's language; a role that we don't know stays as it was told. */
static Str role_name_of(const MawSeat *seat, Str role)
{
    for (int i = ROLE_NONE + 1; i < ROLE_COUNT; i++)
        if (str_eq(str_of(person_role((Role)i, PERSON_ENGLISH)), role))
            return str_of(person_role((Role)i, seat->setup.language));
    return role;
}

static Str room_name_of(const MawSeat *seat, Str room)
{
    if (str_eq(room, STR("Village")))
        return word_of(seat, MAW_ROOM_VILLAGE);
    if (str_eq(room, STR("Hideout")))
        return word_of(seat, MAW_ROOM_HIDEOUT);
    if (str_eq(room, STR("Graveyard")))
        return word_of(seat, MAW_ROOM_GRAVEYARD);
    return str_eq(room, STR("Lobby")) ? word_of(seat, MAW_ROOM_LOBBY) : room;
}

static bool is_me(const MawKnown *known, const MawKnownPlayer *player)
{
    return str_eq(player->name, known->me);
}

/* ---- the lines that are always there ---- */

static MawWord status_word(const MawSeat *seat, const MawKnown *known)
{
    if (seat->over)
        return seat->out ? MAW_STATUS_OUT : MAW_STATUS_OVER;
    if (known->state == PLAYER_AWAKE && known->phase_no == 0) /* the round begins in a moment */
        return MAW_STATUS_LOBBY;
    switch (known->state) {
    case PLAYER_JOIN_LOBBY:
        return MAW_STATUS_JOIN;
    case PLAYER_LOBBY:
        return MAW_STATUS_LOBBY;
    case PLAYER_AWAKE:
        return known->night ? MAW_STATUS_NIGHT : MAW_STATUS_DAY;
    case PLAYER_ASLEEP:
        return MAW_STATUS_ASLEEP;
    case PLAYER_DEAD:
        if (known->graveyard)
            return known->night ? MAW_STATUS_GRAVEYARD_NIGHT : MAW_STATUS_GRAVEYARD;
        return known->night ? MAW_STATUS_DEAD_NIGHT : MAW_STATUS_DEAD;
    case PLAYER_OVER:
        break;
    }
    return MAW_STATUS_OVER;
}

static void show_status(const MawSeat *seat, const MawKnown *known, TimeUs now)
{
    CLEANUP(buf_done) Buf status = {0};
    CLEANUP(buf_done) Buf vote = {0};
    CLEANUP(buf_done) Buf voted = {0};
    CLEANUP(buf_done) Buf role = {0};
    PersonLanguage language = seat->setup.language;
    char day[16];

    snprintf(day, sizeof(day), "%" PRIu32, known->day);
    person_fill(maw_word(known->my_vote.len ? MAW_MY_VOTE : MAW_MY_VOTE_NONE, language),
                &known->my_vote, 1, &vote);
    Str standing = buf_str(&vote);
    if (!screen_is_plain(seat->setup.screen)) /* in plain lines a vote was told when it was cast */
        person_fill(maw_word(MAW_STATUS_VOTE, language), &standing, 1, &voted);
    if (known->role.len && !seat->role_hidden && !seat->setup.watched) {
        Str name = role_name_of(seat, known->role);
        person_fill(maw_word(MAW_STATUS_VOTE, language), &name, 1, &role);
    }
    const Str arguments[] = {str_of(day), buf_str(&voted), buf_str(&role)};
    person_fill(maw_word(status_word(seat, known), language), arguments, 3, &status);
    Str shown = buf_str(&status);
    if (seat->setup.watched) /* what follows is for who speaks and leaves */
        shown = str_cut(&shown, '|');
    screen_status(seat->setup.screen, str_trim(shown),
                  seat->over ? TIME_US_NEVER : known->phase_ends, now);
}

/* "Anna 2 (Bob, Clara)". */
static void add_votes(const MawKnown *known, const MawKnownPlayer *target, Buf *out)
{
    const char *before = " (";

    buf_printf(out, " %" PRId32, target->votes);
    for (uint32_t i = 0; i < known->player_count; i++)
        if (str_eq(known->players[i].votes_for, target->name)) {
            buf_add(out, str_of(before));
            buf_add(out, known->players[i].name);
            before = ", ";
        }
    if (before[0] == ',')
        buf_add_char(out, ')');
}

/* More than half of the living; empty where nobody votes for an execution. */
static void write_needed(const MawKnown *known, Buf *out)
{
    uint32_t alive = 0;

    for (uint32_t i = 0; i < known->player_count; i++)
        alive += known->players[i].alive;
    if (!known->night && known->phase_no && alive)
        buf_printf(out, "%" PRIu32, alive / 2 + 1);
}

static void show_tally(const MawSeat *seat, const MawKnown *known)
{
    uint32_t count = known->player_count < MAW_LIST_MAX ? known->player_count : MAW_LIST_MAX;
    Buf lines[MAW_LIST_MAX + 1] = {0};
    Str texts[MAW_LIST_MAX + 1] = {0};
    CLEANUP(buf_done) Buf needed = {0};

    for (uint32_t i = 0; i < count; i++) {
        const MawKnownPlayer *player = &known->players[i];
        buf_add(&lines[i], player->name);
        if (is_me(known, player) && player->alive)
            buf_printf(&lines[i], " (%s)", maw_word(MAW_ME, seat->setup.language));
        if (!player->alive)
            buf_printf(&lines[i], " (%s)", maw_word(MAW_DEAD, seat->setup.language));
        if (player->votes > 0)
            add_votes(known, player, &lines[i]);
        texts[i] = buf_str(&lines[i]);
    }
    write_needed(known, &needed);
    if (needed.len && !seat->over) {
        const Str votes = buf_str(&needed);
        person_fill(maw_word(MAW_NEEDED, seat->setup.language), &votes, 1, &lines[count]);
        texts[count] = buf_str(&lines[count]);
        count++;
    }
    screen_tally(seat->setup.screen, texts, count);
    for (uint32_t i = 0; i < count; i++)
        buf_done(&lines[i]);
}

void maw_show_state(const MawSeat *seat, TimeUs now)
{
    CLEANUP(buf_done) Buf prompt = {0};
    const MawKnown *known = maw_player_known(seat->player);

    show_status(seat, known, now);
    show_tally(seat, known);
    if (known->room_open && known->room) /* so that nobody speaks in another room than he thinks */
        buf_add(&prompt, room_name_of(seat, str_of(known->room)));
    else if (known->graveyard)
        buf_add(&prompt, word_of(seat, MAW_ROOM_GRAVEYARD));
    buf_add(&prompt, STR("> "));
    screen_prompt(seat->setup.screen, buf_str(&prompt));
}

/* ---- what is asked for ---- */

void maw_tell_who(const MawSeat *seat)
{
    const MawKnown *known = maw_player_known(seat->player);

    for (uint32_t i = 0; i < known->player_count; i++) {
        const MawKnownPlayer *player = &known->players[i];
        CLEANUP(buf_done) Buf more = {0};

        if (is_me(known, player))
            buf_add(&more, word_of(seat, MAW_YOU));
        if (!player->alive && player->role.len) {
            buf_add(&more, STR(", "));
            buf_add(&more, role_name_of(seat, player->role));
        }
        maw_tell(seat, STYLE_SYSTEM, MAW_WHO_LINE, player->name,
                 word_of(seat, player->alive ? MAW_ALIVE : MAW_DEAD), buf_str(&more));
    }
    if (known->my_vote.len)
        maw_tell(seat, STYLE_SYSTEM, MAW_MY_VOTE, known->my_vote);
    else
        maw_tell(seat, STYLE_SYSTEM, MAW_MY_VOTE_NONE, {0});
}

void maw_tell_role(const MawSeat *seat)
{
    CLEANUP(buf_done) Buf mates = {0};
    const MawKnown *known = maw_player_known(seat->player);

    if (known->role.len == 0) {
        maw_tell(seat, STYLE_SYSTEM, MAW_ROLE_UNKNOWN, {0});
        return;
    }
    maw_tell(seat, STYLE_SYSTEM, MAW_ROLE_IS, role_name_of(seat, known->role));
    for (uint32_t i = 0; i < known->player_count; i++) {
        if (!known->players[i].mate || is_me(known, &known->players[i]))
            continue;
        buf_add(&mates, mates.len ? STR(", ") : STR(""));
        buf_add(&mates, known->players[i].name);
    }
    if (mates.len)
        maw_tell(seat, STYLE_SYSTEM, MAW_MATES_ARE, buf_str(&mates));
}

void maw_tell_votes(const MawSeat *seat)
{
    const MawKnown *known = maw_player_known(seat->player);
    CLEANUP(buf_done) Buf needed = {0};
    uint32_t told = 0;

    for (uint32_t i = 0; i < known->player_count; i++) {
        CLEANUP(buf_done) Buf line = {0};
        if (known->players[i].votes <= 0)
            continue;
        told++;
        buf_add(&line, known->players[i].name);
        add_votes(known, &known->players[i], &line);
        screen_line(seat->setup.screen, STYLE_SYSTEM, buf_str(&line));
    }
    if (!told)
        maw_tell(seat, STYLE_SYSTEM, MAW_NO_VOTES, {0});
    write_needed(known, &needed);
    if (needed.len)
        maw_tell(seat, STYLE_SYSTEM, MAW_NEEDED, buf_str(&needed));
    if (known->my_vote.len)
        maw_tell(seat, STYLE_SYSTEM, MAW_MY_VOTE, known->my_vote);
    else
        maw_tell(seat, STYLE_SYSTEM, MAW_MY_VOTE_NONE, {0});
}

static void write_scores(const MawSeat *seat, Buf *out)
{
    CLEANUP(buf_done) Buf list = {0};
    const MawKnown *known = maw_player_known(seat->player);

    for (uint32_t i = 0; i < known->player_count; i++) {
        buf_add(&list, i ? STR(", ") : STR(""));
        buf_add(&list, known->players[i].name);
        buf_printf(&list, " %" PRId64, known->players[i].points);
    }
    const Str points = buf_str(&list);
    person_fill(maw_word(MAW_SAY_SCORES, seat->setup.language), &points, 1, out);
}

void maw_tell_scores(const MawSeat *seat)
{
    CLEANUP(buf_done) Buf line = {0};

    write_scores(seat, &line);
    screen_line(seat->setup.screen, STYLE_SYSTEM, buf_str(&line));
}

void maw_tell_time(const MawSeat *seat, TimeUs now)
{
    const MawKnown *known = maw_player_known(seat->player);
    char seconds[32];

    if (known->phase_ends == TIME_US_NEVER) {
        maw_tell(seat, STYLE_SYSTEM, MAW_TIME_NONE, {0});
        return;
    }
    TimeUs left = known->phase_ends > now ? known->phase_ends - now : 0;
    snprintf(seconds, sizeof(seconds), "%" PRId64, left / 1000000);
    maw_tell(seat, STYLE_SYSTEM, MAW_TIME_LEFT, str_of(seconds));
}

/* ---- news ---- */

/* "1 of 3", or "1" where nobody told how many there will be. */
static void add_round(const MawSeat *seat, const MawKnown *known, Buf *out)
{
    char round[16], rounds[16];

    snprintf(round, sizeof(round), "%" PRIu32, known->round);
    snprintf(rounds, sizeof(rounds), "%" PRIu32, known->rounds);
    const Str arguments[] = {str_of(round), str_of(rounds)};
    if (known->rounds)
        person_fill(maw_word(MAW_ROUND_OF, seat->setup.language), arguments, 2, out);
    else
        buf_add(out, arguments[0]);
}

static void tell_lobby(const MawSeat *seat, const MawNews *news, const MawKnown *known)
{
    bool others = false;

    for (uint32_t i = 0; i < known->player_count; i++)
        others = others || !is_me(known, &known->players[i]);
    if (others)
        maw_tell(seat, STYLE_SYSTEM, MAW_SAY_LOBBY, news->text);
    else
        maw_tell(seat, STYLE_SYSTEM, MAW_SAY_ALONE, {0});
}

static void tell_round(const MawSeat *seat, const MawKnown *known)
{
    CLEANUP(buf_done) Buf round = {0};
    char players[16], wolves[16];

    add_round(seat, known, &round);
    snprintf(players, sizeof(players), "%" PRIu32, known->player_count);
    snprintf(wolves, sizeof(wolves), "%" PRIu32, known->wolves);
    maw_tell(seat, STYLE_ALERT, seat->setup.watched ? MAW_SAY_ROUND_ONLY : MAW_SAY_ROUND,
             buf_str(&round), str_of(players), known->wolves ? str_of(wolves) : STR("?"));
    if (seat->setup.watched)
        maw_tell_role(seat);
}

static void tell_phase(const MawSeat *seat, const MawKnown *known)
{
    CLEANUP(buf_done) Buf needed = {0};
    CLEANUP(buf_done) Buf told = {0};
    char day[16];

    snprintf(day, sizeof(day), "%" PRIu32, known->day);
    write_needed(known, &needed);
    const Str votes = needed.len ? buf_str(&needed) : STR("?");
    bool acts = known->alive && (!known->night || known->wolf);
    MawWord hint = !known->night ? MAW_HINT_DAY : acts ? MAW_HINT_NIGHT_WOLF : MAW_HINT_ASLEEP;
    person_fill(maw_word(hint, seat->setup.language), &votes, 1, &told);
    if (!screen_is_plain(seat->setup.screen))
        maw_tell(seat, known->alive ? STYLE_ALERT : STYLE_SYSTEM,
                 known->night ? MAW_SAY_NIGHT : MAW_SAY_DAY, str_of(day),
                 known->alive ? buf_str(&told) : (Str){0});
    else if (acts && !seat->setup.watched) /* which phase it is stands in the line of the state */
        screen_line(seat->setup.screen, STYLE_ALERT, buf_str(&told));
}

void maw_tell_joined(MawSeat *seat)
{
    Str all = buf_str(&seat->joined_of), taken = str_cut(&all, ' ');
    Str names = buf_str(&seat->joined);

    seat->joined_at = TIME_US_NEVER;
    if (seat->joined_count > 1) {
        maw_tell(seat, STYLE_SYSTEM, MAW_SAY_HAVE_JOINED, names, taken, all);
    } else if (seat->joined_count) {
        LlmLanguage language = seat->setup.language == PERSON_JAPANESE ? LLM_JAPANESE : LLM_ENGLISH;
        CLEANUP(buf_done) Buf text = {0};
        const Str arguments[SYSTEM_ARGUMENTS] = {names, taken, all};
        system_line_write(SYSTEM_JOINED, language, arguments, &text);
        screen_line(seat->setup.screen, STYLE_SYSTEM, buf_str(&text));
    }
    seat->joined_count = 0;
    buf_clear(&seat->joined);
    buf_clear(&seat->joined_of);
}

/* Told a moment later, with those who come at the same time: a table of bots is full at once. */
static void keep_joined(MawSeat *seat, const Str *arguments, TimeUs now)
{
    buf_add(&seat->joined, seat->joined_count++ ? STR(", ") : STR(""));
    buf_add(&seat->joined, arguments[0]);
    buf_clear(&seat->joined_of);
    buf_add(&seat->joined_of, arguments[1]);
    buf_add_char(&seat->joined_of, ' ');
    buf_add(&seat->joined_of, arguments[2]);
    if (seat->joined_at == TIME_US_NEVER)
        seat->joined_at = now + JOINED_TOGETHER_US;
}

/* A line of the system in the person's language; what the news have said is not said again. */
static void tell_system(MawSeat *seat, const MawNews *news, TimeUs now)
{
    LlmLanguage language = seat->setup.language == PERSON_JAPANESE ? LLM_JAPANESE : LLM_ENGLISH;
    CLEANUP(buf_done) Buf text = {0};
    Str arguments[SYSTEM_ARGUMENTS];
    SystemLine line;

    if (!system_line_read(news->text, &line, arguments)) {
        screen_line(seat->setup.screen, STYLE_SYSTEM, news->text);
        return;
    }
    if (news->told && line == SYSTEM_EXECUTED_AS)
        maw_tell(seat, STYLE_SYSTEM, MAW_SAY_ROLE_WAS, arguments[0],
                 role_name_of(seat, arguments[1]));
    else if (news->told && line == SYSTEM_JOINED &&
             str_eq(arguments[0], maw_player_known(seat->player)->me))
        maw_tell(seat, STYLE_SYSTEM, MAW_SAY_SEATS, arguments[1], arguments[2]);
    if (news->told)
        return;
    if (line == SYSTEM_JOINED) {
        keep_joined(seat, arguments, now);
        return;
    }
    maw_tell_joined(seat);
    system_line_write(line, language, arguments, &text);
    screen_line(seat->setup.screen, STYLE_SYSTEM, buf_str(&text));
}

static void tell_said(const MawSeat *seat, const MawNews *news)
{
    CLEANUP(buf_done) Buf line = {0};

    if (news->room.len && !str_eq(news->room, STR("Village"))) {
        Str room = room_name_of(seat, news->room);
        person_fill(maw_word(MAW_ROOM_MARK, seat->setup.language), &room, 1, &line);
    }
    buf_add(&line, news->name);
    buf_add(&line, STR(": "));
    buf_add(&line, news->text);
    screen_line(seat->setup.screen, news->mine ? STYLE_MINE : STYLE_LINE, buf_str(&line));
}

static void tell_result(const MawSeat *seat, const MawNews *news, const MawKnown *known)
{
    bool none = str_eq(news->text, STR("tie")) || str_eq(news->text, STR("none"));

    if (!none && news->name.len && str_eq(news->name, known->me))
        return; /* NEWS_DIED says so */
    if (str_eq(news->text, STR("tie")))
        maw_tell(seat, STYLE_SYSTEM, MAW_SAY_TIE, {0});
    else if (news->name.len == 0)
        maw_tell(seat, STYLE_SYSTEM, MAW_SAY_NOBODY, {0});
    else if (str_eq(news->text, STR("murdered")))
        maw_tell(seat, STYLE_SYSTEM, MAW_SAY_MURDERED, news->name);
    else if (str_eq(news->text, STR("left")))
        maw_tell(seat, STYLE_SYSTEM, MAW_SAY_LEFT, news->name);
    else
        maw_tell(seat, STYLE_SYSTEM, MAW_SAY_EXECUTED, news->name);
}

static void tell_death(const MawSeat *seat, Str cause)
{
    Str word = str_eq(cause, STR("executed"))   ? word_of(seat, MAW_CAUSE_EXECUTED)
               : str_eq(cause, STR("murdered")) ? word_of(seat, MAW_CAUSE_MURDERED)
               : str_eq(cause, STR("left"))     ? word_of(seat, MAW_CAUSE_LEFT)
                                                : cause;

    maw_tell(seat, STYLE_ALERT, MAW_SAY_I_DIED, word);
}

static void write_winner(const MawSeat *seat, Str team, const MawKnown *known, Buf *out)
{
    CLEANUP(buf_done) Buf round = {0};
    bool villagers = str_eq(team, STR("Villagers"));
    bool won = villagers || str_eq(team, STR("Werewolves"));

    add_round(seat, known, &round);
    Str side = word_of(seat, villagers ? MAW_TEAM_VILLAGERS : MAW_TEAM_WEREWOLVES);
    const Str arguments[] = {won ? side : buf_str(&round), buf_str(&round)};
    person_fill(maw_word(won ? MAW_SAY_WON : MAW_SAY_NO_WINNER, seat->setup.language), arguments, 2,
                out);
}

static void tell_winner(const MawSeat *seat, Str team, const MawKnown *known)
{
    CLEANUP(buf_done) Buf line = {0};

    write_winner(seat, team, known, &line);
    screen_line(seat->setup.screen, STYLE_ALERT, buf_str(&line));
}

/* What stays when a whole screen goes. */
static void keep_outcome(MawSeat *seat, const MawNews *news, const MawKnown *known)
{
    CLEANUP(buf_done) Buf line = {0};
    Buf *kept = news->kind == NEWS_ROUND_END ? &seat->outcome : &seat->points;

    if (news->kind == NEWS_ROUND_END)
        write_winner(seat, news->text, known, &line);
    else
        write_scores(seat, &line);
    if (kept == &seat->points || kept->len > OUTCOME_MAX)
        buf_clear(kept);
    clean_line(buf_str(&line), kept); /* names are strangers' words */
    buf_add_char(kept, '\n');
}

/* What everybody wants to know now. */
static void tell_roles(const MawSeat *seat, const MawKnown *known)
{
    CLEANUP(buf_done) Buf list = {0};

    for (uint32_t i = 0; i < known->player_count; i++) {
        if (known->players[i].role.len == 0)
            continue;
        buf_printf(&list, "%s%.*s ", list.len ? ", " : "", STR_ARG(known->players[i].name));
        buf_add(&list, role_name_of(seat, known->players[i].role));
    }
    if (list.len)
        maw_tell(seat, STYLE_SYSTEM, MAW_SAY_ROLES, buf_str(&list));
}

static void tell_over(const MawSeat *seat, const MawNews *news)
{
    if (str_eq(news->name, STR("left")))
        maw_tell(seat, STYLE_ALERT, MAW_SAY_I_LEFT, {0});
    else
        maw_tell(seat, STYLE_ALERT, seat->out ? MAW_SAY_OUT : MAW_SAY_OVER,
                 maw_said(news->name, news->text, seat->setup.language));
}

static void tell_news(MawSeat *seat, const MawNews *news, const MawKnown *known, TimeUs now)
{
    if (news->kind != NEWS_SYSTEM && news->kind != NEWS_LOBBY && news->kind != NEWS_TALLY)
        maw_tell_joined(seat);
    switch (news->kind) {
    case NEWS_JOINED:
        maw_tell(seat, STYLE_SYSTEM, MAW_SAY_JOINED, news->text.len ? news->text : known->me);
        break;
    case NEWS_LOBBY:
        tell_lobby(seat, news, known);
        break;
    case NEWS_ROUND:
        tell_round(seat, known);
        break;
    case NEWS_PHASE:
        tell_phase(seat, known);
        break;
    case NEWS_LINE:
        tell_said(seat, news);
        break;
    case NEWS_SYSTEM:
        tell_system(seat, news, now);
        break;
    case NEWS_TALLY: /* beside the log, and a system line where votes are announced */
        break;
    case NEWS_RESULT:
        tell_result(seat, news, known);
        break;
    case NEWS_DIED:
        tell_death(seat, news->text);
        break;
    case NEWS_ROUND_END:
        tell_winner(seat, news->text, known);
        tell_roles(seat, known);
        break;
    case NEWS_SCORES:
        maw_tell_scores(seat);
        break;
    case NEWS_WHISPER:
        maw_tell(seat, STYLE_ALERT, MAW_SAY_WHISPER, news->name, news->text);
        break;
    case NEWS_ROLE_ANSWER:
        maw_tell(seat, STYLE_ALERT, MAW_SAY_ROLE_ANSWER, news->name,
                 role_name_of(seat, news->text));
        break;
    case NEWS_REFUSED:
        if (str_eq(news->name, STR("no-round-yet"))) { /* an answer to /score like any other */
            screen_line(seat->setup.screen, STYLE_SYSTEM,
                        maw_said(news->name, news->text, seat->setup.language));
            break;
        }
        maw_tell(seat, STYLE_ALERT, MAW_SAY_REFUSED,
                 maw_said(news->name, news->text, seat->setup.language));
        break;
    case NEWS_ABSENT:
        maw_tell(seat, STYLE_ALERT, known->linked ? MAW_SAY_ABSENT : MAW_SAY_LINK_LOST, {0});
        break;
    case NEWS_LINKED:
        maw_tell(seat, STYLE_ALERT, MAW_SAY_LINK_BACK, {0});
        break;
    case NEWS_OVER:
        tell_over(seat, news);
        break;
    }
}

void maw_person_news(MawSeat *seat, const MawNews *news, TimeUs now)
{
    if (news->kind == NEWS_ROUND_END || news->kind == NEWS_SCORES)
        keep_outcome(seat, news, maw_player_known(seat->player));
    seat->round_ended |= news->kind == NEWS_ROUND_END;
    seat->over |= news->kind == NEWS_OVER;
    seat->out |= news->kind == NEWS_OVER && news->name.len > 0;
    if (news->kind == NEWS_PHASE && maw_player_known(seat->player)->phase_no > 1)
        seat->moved_at = now;
    if (news->kind == NEWS_PHASE) /* in plain lines: first which phase it is, then what to do */
        maw_show_state(seat, now);
    tell_news(seat, news, maw_player_known(seat->player), now);
    bool goes_on = news->kind == NEWS_DIED || news->kind == NEWS_ROUND_END;
    if (!goes_on || !screen_is_plain(seat->setup.screen)) /* else behind what follows */
        maw_show_state(seat, now);
    seat->next_line = seat->next_line > now ? seat->next_line : now; /* a script may go on */
}
