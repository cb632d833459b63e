#define _GNU_SOURCE /* posix_openpt */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "person/maw_person.h"
#include "person/person_io.h"

/* A stand-in for the player: what it knows is the test's, what it is told to do becomes a text. */
struct MawPlayer {
    MawKnown known;
    MawKnownPlayer people[6];
    Buf done;
    bool refuses;
};

const MawKnown *maw_player_known(const MawPlayer *player)
{
    return &player->known;
}

uint32_t maw_player_targets(const MawPlayer *player, Str *ret)
{
    uint32_t count = 0;

    for (uint32_t i = 0; player->known.room_open && i < player->known.player_count; i++)
        if (player->people[i].alive && !str_eq(player->people[i].name, player->known.me))
            ret[count++] = player->people[i].name;
    return count;
}

static bool done(MawPlayer *player, const char *what, Str name, Str text)
{
    bool heard = player->known.room_open || (player->known.graveyard && !strcmp(what, "say"));

    if (player->refuses || (!heard && strcmp(what, "scores")))
        return false;
    buf_printf(&player->done, "%s(%.*s|%.*s)", what, STR_ARG(name), STR_ARG(text));
    return true;
}

bool maw_player_say(MawPlayer *player, Str text, TimeUs now)
{
    (void)now;
    return done(player, "say", STR(""), text);
}

bool maw_player_vote(MawPlayer *player, Str name, Str reason, TimeUs now)
{
    (void)now;
    player->known.my_vote = name;
    return done(player, "vote", name, reason);
}

bool maw_player_whisper(MawPlayer *player, Str name, Str text, TimeUs now)
{
    (void)now;
    return done(player, "whisper", name, text);
}

bool maw_player_ask_role(MawPlayer *player, Str name, TimeUs now)
{
    (void)now;
    return done(player, "ask", name, STR(""));
}

bool maw_player_ask_scores(MawPlayer *player, TimeUs now)
{
    (void)now;
    return done(player, "scores", STR(""), STR(""));
}

void maw_player_leave(MawPlayer *player, TimeUs now)
{
    (void)now;
    buf_add(&player->done, STR("leave"));
}

typedef struct Table {
    PersonIo io;
    MawPlayer player;
    MawSeat *seat;
    int quits;
} Table;

static void on_quit(void *user, TimeUs now)
{
    (void)now;
    ((Table *)user)->quits++;
}

static Table *seat_new(bool keyboard, PersonLanguage language, bool watched)
{
    static const char *const names[] = {"Anna", "Annika", "Bob", "Clara", "花子", "Emil"};
    Table *table = mem_new(sizeof(*table));

    assert_non_null(table);
    person_io_open(&table->io, keyboard);
    table->player.known = (MawKnown){.state = PLAYER_LOBBY,
                                     .me = STR("Bob"),
                                     .alive = true,
                                     .linked = true,
                                     .phase_ends = TIME_US_NEVER,
                                     .players = table->player.people,
                                     .max_chars = 20,
                                     .room = "Lobby"};
    for (int i = 0; i < 6; i++)
        table->player.people[i] = (MawKnownPlayer){.name = str_of(names[i]), .alive = true};
    MawPersonSetup setup = {.screen = table->io.screen,
                            .language = language,
                            .watched = watched,
                            .line_pause = 1100000,
                            .quit = on_quit,
                            .user = table};
    assert_int_equal(maw_person_new(&setup, &table->seat, NULL), 0);
    maw_person_take(table->seat, &table->player, 0);
    return table;
}

static Table *table_new(bool keyboard, PersonLanguage language)
{
    return seat_new(keyboard, language, false);
}

static void table_free(Table *table)
{
    maw_person_free(table->seat);
    buf_done(&table->player.done);
    person_io_close(&table->io);
    mem_free(table);
}

static void news(Table *table, MawNewsKind kind, const char *name, const char *text, TimeUs now)
{
    const MawNews one = {.kind = kind, .name = str_of(name), .text = str_of(text)};

    maw_person_news(table->seat, &one, now);
}

static void system_line(Table *table, const char *text, bool told)
{
    const MawNews one = {.kind = NEWS_SYSTEM, .text = str_of(text), .told = told};

    maw_person_news(table->seat, &one, 5);
}

static void begin_round(Table *table, TimeUs now)
{
    MawKnown *known = &table->player.known;

    known->player_count = 6;
    known->wolves = 2;
    known->round = known->day = known->phase_no = 1;
    known->rounds = 2;
    known->role = STR("Villager");
    news(table, NEWS_ROUND, "", "", now);
    known->state = PLAYER_AWAKE;
    known->room_open = true;
    known->room = "Village";
    known->phase_ends = now + 300500000;
    news(table, NEWS_PHASE, "", "day", now);
}

static void type(Table *table, const char *line, TimeUs now)
{
    maw_person_entered(table->seat, str_of(line), now);
}

static void assert_done(Table *table, const char *expected)
{
    assert_string_equal(buf_cstr(&table->player.done), expected);
    buf_clear(&table->player.done);
}

static void lines_are_said_and_votes_are_cast(void **state)
{
    Table *table = table_new(true, PERSON_ENGLISH);

    (void)state;
    begin_round(table, 1);
    const char *lines = person_io_told(&table->io);
    assert_non_null(strstr(lines, "-- Day 1 | Villager | you speak to the village (5:01)\n"));
    assert_non_null(strstr(lines, ")\n! All who live talk in the village. /vote NAME: who is"));
    type(table, "Who is it? 人狼", 2);
    type(table, "/vote clara", 3);
    assert_done(table, "say(|Who is it? 人狼)vote(Clara|)");
    assert_told(&table->io, "You vote for Clara.");
    assert_true(maw_person_deadline(table->seat) > 3);
    maw_person_tick(table->seat, maw_person_deadline(table->seat));
    assert_string_equal(person_io_told(&table->io), ""); /* in plain lines it is not said twice */
    type(table, "/vote none", 4);
    type(table, "/unvote", 5);
    type(table, "/vote 花", 6);
    type(table, "/whisper Emil come here", 7);
    table->player.known.role = STR("Seer");
    type(table, "/ask Annika", 8);
    type(table, "/score", 9);
    assert_done(table, "vote(|)vote(|)vote(花子|)whisper(Emil|come here)ask(Annika|)scores(|)");
    type(table, "/quit", 10);
    assert_done(table, "leave");
    assert_int_equal(table->quits, 1);
    table_free(table);
}

static void what_is_wrong_is_not_sent_and_says_why(void **state)
{
    Table *table = table_new(true, PERSON_ENGLISH);

    (void)state;
    type(table, "hello", 1);
    assert_told(&table->io, "! Not sent: no round has begun.");
    begin_round(table, 2);
    type(table, "/vote Ann", 3);
    assert_told(&table->io,
                "'Ann' is not the name of one of them: Anna, Annika, Clara, 花子, Emil. /vote none "
                "takes a vote back.");
    type(table, "/vote Bob", 4); /* oneself */
    assert_told(&table->io, "! 'Bob' is not the name of one of them: Anna");
    type(table, "/vote", 5);
    assert_told(&table->io, "/vote needs a name: Anna");
    type(table, "/whisper Emil", 5);
    assert_told(&table->io, "/whisper is not possible now.");
    type(table, "/vtoe Emil", 5);
    assert_told(&table->io, "no command /vtoe. /vote?");
    type(table, "/foo", 5);
    assert_told(&table->io, "! There is no command /foo. /help lists them.");
    type(table, "/", 5);
    assert_told(&table->io, "! There is no command /. /help lists them.");
    type(table, "/ask Emil", 5);
    assert_told(&table->io, "! Only the Seer may ask.");
    news(table, NEWS_REFUSED, "no-round-yet", "No round is over yet.", 5);
    assert_told(&table->io, "* No round is over yet.");
    type(table, "more than twenty characters", 6);
    assert_told(&table->io, "27 characters, 20 are allowed");
    type(table, "人人人人人人人人人人人人人人人人人人人人", 6); /* characters, not bytes */
    assert_done(table, "say(|人人人人人人人人人人人人人人人人人人人人)");
    table->player.refuses = true;
    type(table, "well", 7);
    assert_told(&table->io, "no room is open");
    table->player.refuses = false;

    table->player.known.room_open = false;
    table->player.known.state = PLAYER_ASLEEP;
    table->player.known.night = true;
    news(table, NEWS_PHASE, "", "night", 8);
    assert_told(&table->io, "-- Night 1 | Villager | you are asleep (");
    type(table, "psst", 9);
    assert_told(&table->io, "asleep until the day begins");
    table->player.known.state = PLAYER_DEAD;
    table->player.known.alive = false;
    news(table, NEWS_DIED, "Bob", "murdered", 10);
    assert_string_equal(person_io_told(&table->io),
                        "! You are dead (murdered): until the round ends you only watch.\n");
    news(table, NEWS_PHASE, "", "night", 10);
    assert_told(&table->io, "-- Night 1 | you are dead and watch");
    assert_string_equal(person_io_told(&table->io), "");
    type(table, "/vote Anna", 11);
    assert_told(&table->io, "you are dead and watch");
    assert_done(table, "");
    table_free(table);
}

static void the_dead_talk_in_the_graveyard(void **state)
{
    const MawNews line = {
        .kind = NEWS_LINE, .room = STR("Graveyard"), .name = STR("Anna"), .text = STR("boo")};

    for (int keyboard = 0; keyboard < 2; keyboard++) {
        Table *table = table_new(keyboard, keyboard ? PERSON_ENGLISH : PERSON_JAPANESE);

        (void)state;
        begin_round(table, 1);
        table->player.known.room_open = table->player.known.alive = false;
        table->player.known.state = PLAYER_DEAD;
        table->player.known.graveyard = true;
        person_io_told(&table->io);
        maw_person_news(table->seat, &line, 2);
        assert_told(&table->io, keyboard ? "[Graveyard] Anna: boo\n-- Day 1 | you are dead and "
                                           "speak to the dead"
                                         : "[墓場] Anna: boo\n");
        type(table, "boo to you", 3);
        assert_done(table, "say(|boo to you)");
        type(table, "/vote Anna", 3000000); /* a script keeps it for the next round */
        assert_done(table, "");
        assert_int_equal(strstr(person_io_told(&table->io), "you are dead and watch") != NULL,
                         keyboard);
        table_free(table);
    }
}

static void news_become_lines(void **state)
{
    Table *table = table_new(true, PERSON_ENGLISH);
    const MawNews wolf = {
        .kind = NEWS_LINE, .room = STR("Hideout"), .name = STR("Anna"), .text = STR("him\033[2J!")};
    const MawNews mine = {.kind = NEWS_LINE,
                          .room = STR("Village"),
                          .name = STR("Bob"),
                          .text = STR("hi"),
                          .mine = true};

    (void)state;
    news(table, NEWS_JOINED, "", "Bob", 1);
    news(table, NEWS_LOBBY, "", "nobody else is here yet", 1);
    system_line(table, "Bob has joined: 1 of 6.", true);
    system_line(table, "Emil has joined: 2 of 6.", false);
    system_line(table, "Anna has joined: 3 of 6.", true); /* in the list of the lobby */
    assert_told(&table->io, "* You are in the lobby as Bob.\n* Nobody else is in the lobby yet.\n"
                            "* 1 of 6 seats are taken.\n");
    assert_int_equal(maw_person_deadline(table->seat), 700005);
    maw_person_tick(table->seat, 700005);
    assert_told(&table->io, "* Emil has joined: 2 of 6.\n");
    begin_round(table, 2);
    assert_told(&table->io, "! Round 1 of 2 begins: 6 players, 2 of them werewolves.");
    maw_person_news(table->seat, &wolf, 3);
    maw_person_news(table->seat, &mine, 3);
    assert_told(&table->io, "[Hideout] Anna: him[2J!\n> Bob: hi\n");
    system_line(table, "Anna votes for Clara.", false);
    system_line(table, "Bob votes for Anna.", true);
    system_line(table, "Anna が Emil に投票しました。", false);
    system_line(table, "Welcome!", false);
    news(table, NEWS_RESULT, "Clara", "executed", 5);
    system_line(table, "Clara was executed. Role: Werewolf.", true);
    system_line(table, "Emil was executed. Role: Villager.", false);
    assert_string_equal(person_io_told(&table->io),
                        "* Anna votes for Clara.\n* Anna votes for Emil.\n* Welcome!\n"
                        "* Clara was executed.\n* Clara was a Werewolf.\n"
                        "* Emil was executed. Role: Villager.\n");
    news(table, NEWS_RESULT, "", "tie", 5);
    news(table, NEWS_RESULT, "", "none", 5);
    news(table, NEWS_RESULT, "Emil", "murdered", 5);
    news(table, NEWS_RESULT, "Bob", "murdered", 5); /* NEWS_DIED follows */
    system_line(table, "Emil was murdered during the night.", true);
    assert_string_equal(person_io_told(&table->io),
                        "* A tie: nobody died.\n* Nobody died.\n* Emil was murdered.\n");
    news(table, NEWS_WHISPER, "Anna", "psst", 6);
    news(table, NEWS_ROLE_ANSWER, "Anna", "Werewolf", 6);
    news(table, NEWS_REFUSED, "dead-target", "Emil is dead", 6);
    news(table, NEWS_ABSENT, "", "the game master is not there", 6);
    assert_told(&table->io, "! [whisper] Anna: psst\n! Anna is: Werewolf.\n! Refused: Emil is "
                            "dead\n! The game master is away; it is asked again.\n");
    assert_false(maw_person_round_ended(table->seat));
    table->player.people[3].points = 4;
    table->player.known.state = PLAYER_LOBBY;
    news(table, NEWS_ROUND_END, "", "Werewolves", 7);
    news(table, NEWS_SCORES, "", "", 7);
    assert_told(&table->io, "! Round 1 of 2 is over: the werewolves have won.\n* Points: Anna 0, "
                            "Annika 0, Bob 0, Clara 4, 花子 0, Emil 0\n-- Lobby | waiting");
    Str kept = maw_person_outcome(table->seat);
    assert_true(str_eq(kept, STR("Round 1 of 2 is over: the werewolves have won.\nPoints: Anna 0, "
                                 "Annika 0, Bob 0, Clara 4, 花子 0, Emil 0\n")));
    system_line(table, "Round 1 of 2 is over: the Werewolves have won.", true);
    system_line(table, "Points: 1. Clara 4, 2. Bob 0", true);
    assert_string_equal(person_io_told(&table->io), "");
    assert_true(maw_person_round_ended(table->seat));
    assert_false(maw_person_over(table->seat));
    news(table, NEWS_OVER, "", "All rounds are played.", 8);
    assert_told(&table->io,
                "! The session is over. All rounds are played.\n-- The session is over");
    assert_true(maw_person_over(table->seat));
    table_free(table);
}

static void who_only_reads_is_told_roles_and_no_commands(void **state)
{
    Table *table = seat_new(false, PERSON_ENGLISH, true);
    const MawNews wolf = {
        .kind = NEWS_LINE, .room = STR("Hideout"), .name = STR("Anna"), .text = STR("him")};

    (void)state;
    begin_round(table, 1);
    maw_person_news(table->seat, &wolf, 2);
    const char *lines = person_io_told(&table->io);
    assert_non_null(strstr(lines, "! Round 1 of 2 begins: 6 players, 2 of them werewolves.\n"
                                  "* Your role: Villager.\n-- Day 1 (5:01)\n"));
    assert_non_null(strstr(lines, "[Hideout] Anna: him\n"));
    assert_null(strchr(lines, '/'));
    table_free(table);
}

static void nothing_is_sent_while_the_game_waits_or_the_link_is_gone(void **state)
{
    Table *table = table_new(true, PERSON_ENGLISH);
    MawKnown *known = &table->player.known;

    (void)state;
    begin_round(table, 1);
    known->paused = true;
    known->room_open = false;
    type(table, "hello", 2);
    assert_told(&table->io, "! Not sent: the game waits");
    type(table, "/vote Anna", 3);
    assert_told(&table->io, "! Not sent: the game waits");
    known->linked = false;
    news(table, NEWS_ABSENT, "", "the link is gone", 4);
    assert_told(&table->io, "! The connection is lost; it is tried again");
    type(table, "hello", 5);
    assert_told(&table->io, "! Not sent: the connection is lost.");
    type(table, "/whisper Anna psst", 5);
    assert_told(&table->io, "! Not sent: the connection is lost.");
    known->linked = true;
    news(table, NEWS_LINKED, "", "", 6);
    assert_told(&table->io, "! Connected again.");
    assert_done(table, "");
    table_free(table);
}

static void a_seat_may_be_lost_while_the_session_goes_on(void **state)
{
    (void)state;
    for (int left = 0; left < 2; left++) {
        Table *table = table_new(true, PERSON_ENGLISH);
        news(table, NEWS_OVER, left ? "left" : "replaced", left ? "" : "Another client has it.", 1);
        const char *lines = person_io_told(&table->io);
        assert_null(strstr(lines, "session"));
        assert_non_null(strstr(lines, left ? "! You have left.\n"
                                           : "! You have no seat. Another client has it.\n"));
        assert_true(maw_person_over(table->seat));
        table_free(table);
    }
}

static void questions_are_answered(void **state)
{
    Table *table = table_new(true, PERSON_ENGLISH);

    (void)state;
    type(table, "/role", 1);
    assert_told(&table->io, "You have no role yet.");
    type(table, "/time", 1);
    assert_told(&table->io, "No phase with an end");
    begin_round(table, 2);
    person_io_told(&table->io);
    type(table, "/role", 3); /* only when it is asked for: somebody may look on */
    assert_string_equal(person_io_told(&table->io), "* Your role: Villager.\n");
    type(table, "/votes", 3);
    assert_told(&table->io, "* No votes are known.\n* 4 votes execute\n* You have not voted.\n");
    table->player.people[0].votes = 2;
    table->player.people[1].votes_for = table->player.people[4].votes_for = STR("Anna");
    type(table, "/votes", 4);
    assert_told(&table->io, "* Anna 2 (Annika, 花子)\n");
    table->player.people[3].alive = false;
    table->player.people[3].role = STR("Werewolf");
    type(table, "/players", 5);
    assert_told(&table->io, "* Bob: alive, you\n* Clara: dead, Werewolf\n* 花子: alive\n");
    type(table, "/time", 6);
    assert_told(&table->io, "Until the phase ends: 300 s.");
    table->player.known.role = STR("Werewolf");
    table->player.people[4].mate = table->player.people[2].mate = true;
    type(table, "/role", 6);
    assert_told(&table->io, "* Your role: Werewolf.\n* With you: 花子.\n");
    type(table, "/help", 7);
    assert_told(&table->io, "/whisper NAME TEXT");
    table_free(table);
}

static void a_script_waits_for_its_time(void **state)
{
    Table *table = table_new(false, PERSON_ENGLISH);
    MawKnown *known = &table->player.known;

    (void)state;
    type(table, "/help", 1);
    assert_told(&table->io, "Commands:");
    type(table, "one", 1);
    type(table, "/vote Anna", 1);
    type(table, "/wait", 1);
    type(table, "/who", 1);
    type(table, "two", 1);
    type(table, "/quit", 1);
    type(table, "never", 1);
    maw_person_input_ended(table->seat, 1);
    assert_done(table, "");
    assert_true(maw_person_deadline(table->seat) == TIME_US_NEVER);

    begin_round(table, 1000);
    assert_int_equal(maw_person_deadline(table->seat), 1000);
    maw_person_tick(table->seat, 1000);
    assert_done(table, "say(|one)");
    assert_int_equal(maw_person_deadline(table->seat), 1101000);
    maw_person_tick(table->seat, 1100000);
    assert_done(table, "");
    maw_person_tick(table->seat, 1101000);
    assert_done(table, "vote(Anna|)");
    maw_person_tick(table->seat, 5000000);
    assert_done(table, "");
    assert_true(maw_person_deadline(table->seat) == TIME_US_NEVER);

    known->phase_no = 2;
    known->room_open = false;
    known->state = PLAYER_ASLEEP;
    person_io_told(&table->io);
    news(table, NEWS_PHASE, "", "night", 6000000);
    maw_person_tick(table->seat, maw_person_deadline(table->seat));
    assert_told(&table->io, "* Emil: alive");
    assert_done(table, "");
    known->phase_no = 3;
    known->room_open = true;
    known->state = PLAYER_AWAKE;
    news(table, NEWS_PHASE, "", "day", 7000000);
    maw_person_tick(table->seat, maw_person_deadline(table->seat));
    maw_person_tick(table->seat, 20000000);
    assert_done(table, "say(|two)"); /* and stays, without a word */
    assert_int_equal(table->quits, 0);
    table_free(table);
}

static void a_script_has_a_limit(void **state)
{
    Table *table = table_new(false, PERSON_ENGLISH);

    (void)state;
    for (int i = 0; i < 1001; i++)
        type(table, "hello", 1);
    assert_told(&table->io, "! Too many lines wait");
    table_free(table);
}

static void japanese_is_spoken_too(void **state)
{
    Table *table = table_new(true, PERSON_JAPANESE);
    Str names[64];

    (void)state;
    begin_round(table, 1);
    assert_told(&table->io, "! ラウンド 1/2 が始まります。");
    system_line(table, "Anna votes for Clara.", false);
    system_line(table, "Clara was executed. Role: Werewolf.", true);
    news(table, NEWS_REFUSED, "rate-limited", "One line in 1000 ms, and 3 at once.", 1);
    news(table, NEWS_REFUSED, "odd-code", "Something else.", 1);
    news(table, NEWS_OVER, "", "All rounds have been played.", 1);
    assert_told(&table->io, "* Anna が Clara に投票しました。\n* Clara の役職は 人狼 でした。\n"
                            "! 受け付けられませんでした: 速すぎます。少し待ってください。\n"
                            "! 受け付けられませんでした: Something else.\n"
                            "! セッション終了。すべてのラウンドが終わりました。\n");
    type(table, "/role", 2);
    assert_told(&table->io, "* あなたの役職: 村人\n");
    type(table, "/vote 誰か", 3);
    assert_told(&table->io, "! '誰か' にあたる人が1人に決まりません。");
    uint32_t count = maw_person_names(table->seat, names);
    assert_true(count > 6 && str_eq(names[count - 2], STR("花子")));
    table_free(table);
}

/* A table of bots is full at once: one line tells of all of them. */
static void who_joins_together_is_told_together(void **state)
{
    Table *table = table_new(true, PERSON_ENGLISH);
    Table *japanese = table_new(true, PERSON_JAPANESE);

    (void)state;
    for (int i = 0; i < 2; i++) {
        Table *at = i ? japanese : table;
        system_line(at, "Anna has joined: 2 of 6.", false);
        system_line(at, "Clara has joined: 3 of 6.", false);
        system_line(at, "Emil has joined: 4 of 6.", false);
    }
    assert_null(strstr(person_io_told(&table->io), "joined"));
    begin_round(table, 6); /* what comes next is told behind it */
    assert_told(&table->io, "* Anna, Clara, Emil have joined: 4 of 6.\n! Round 1 of 2 begins");
    maw_person_tick(japanese->seat, maw_person_deadline(japanese->seat));
    assert_told(&japanese->io, "* Anna, Clara, Emil が参加しました (4/6人)。\n");
    table_free(table);
    table_free(japanese);
}

static void the_role_stands_in_the_status_line_until_it_is_hidden(void **state)
{
    Table *table = table_new(true, PERSON_ENGLISH);

    (void)state;
    begin_round(table, 1);
    assert_told(&table->io, "-- Day 1 | Villager | you speak to the village");
    type(table, "/role hide", 2);
    const char *lines = person_io_told(&table->io);
    assert_non_null(strstr(lines, "* Your role is no longer in the status line."));
    assert_non_null(strstr(lines, "-- Day 1 | you speak to the village"));
    type(table, "/role", 3);
    assert_told(&table->io, "* Your role: Villager.\n"); /* who asks is told */
    type(table, "/role show", 4);
    assert_told(&table->io, "-- Day 1 | Villager | you speak to the village");
    table_free(table);
}

static void a_wolfs_line_does_not_slip_into_the_other_room(void **state)
{
    for (int wolf = 0; wolf < 2; wolf++) {
        Table *table = table_new(true, PERSON_ENGLISH);
        begin_round(table, 0);
        table->player.known.wolf = wolf;
        type(table, "first", 1000);
        assert_done(table, "say(|first)");
        table->player.known.phase_no = 2;
        news(table, NEWS_PHASE, "", "night", 20000000);
        type(table, "meant for others", 21000000);
        assert_done(table, wolf ? "" : "say(|meant for others)");
        assert_true(!wolf || strstr(person_io_told(&table->io), "Say it again"));
        type(table, "meant for others", 21500000); /* it is meant */
        assert_done(table, "say(|meant for others)");
        table->player.known.phase_no = 3;
        news(table, NEWS_PHASE, "", "day", 40000000);
        type(table, "/vote Anna", 40500000);
        type(table, "much later", 43000001);
        assert_done(table, "vote(Anna|)say(|much later)");
        table_free(table);
    }
    Table *table = table_new(false, PERSON_ENGLISH); /* a script is done line by line */
    begin_round(table, 0);
    table->player.known.wolf = true;
    table->player.known.phase_no = 2;
    news(table, NEWS_PHASE, "", "night", 20000000);
    type(table, "of a script", 20000001);
    assert_done(table, "say(|of a script)");
    table_free(table);
    (void)state;
}

static void the_votes_that_execute_are_told(void **state)
{
    Table *table = table_new(true, PERSON_ENGLISH);
    Table *japanese = table_new(true, PERSON_JAPANESE);

    (void)state;
    begin_round(table, 1);
    assert_told(&table->io, "you may change it. 4 votes execute at once.\n");
    table->player.people[0].alive = table->player.people[1].alive = false;
    type(table, "/votes", 2);
    assert_told(&table->io, "* No votes are known.\n* 3 votes execute\n");
    begin_round(japanese, 1);
    assert_told(&japanese->io, "4票で即処刑です。\n");
    table_free(table);
    table_free(japanese);
}

static void after_the_session_nobody_is_told_that_he_is_dead(void **state)
{
    Table *table = table_new(true, PERSON_ENGLISH);

    (void)state;
    begin_round(table, 1);
    table->player.known.state = PLAYER_OVER;
    table->player.known.alive = false;
    table->player.known.room_open = false;
    news(table, NEWS_OVER, "", "All rounds have been played.", 5);
    person_io_told(&table->io);
    type(table, "good game", 6);
    assert_string_equal(person_io_told(&table->io),
                        "! Not sent: the session is over. /quit leaves.\n");
    type(table, "/vote Anna", 7);
    assert_string_equal(person_io_told(&table->io),
                        "! Not sent: the session is over. /quit leaves.\n");
    table_free(table);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_are_said_and_votes_are_cast),
        cmocka_unit_test(who_joins_together_is_told_together),
        cmocka_unit_test(the_role_stands_in_the_status_line_until_it_is_hidden),
        cmocka_unit_test(a_wolfs_line_does_not_slip_into_the_other_room),
        cmocka_unit_test(the_votes_that_execute_are_told),
        cmocka_unit_test(after_the_session_nobody_is_told_that_he_is_dead),
        cmocka_unit_test(what_is_wrong_is_not_sent_and_says_why),
        cmocka_unit_test(the_dead_talk_in_the_graveyard),
        cmocka_unit_test(news_become_lines),
        cmocka_unit_test(who_only_reads_is_told_roles_and_no_commands),
        cmocka_unit_test(nothing_is_sent_while_the_game_waits_or_the_link_is_gone),
        cmocka_unit_test(a_seat_may_be_lost_while_the_session_goes_on),
        cmocka_unit_test(questions_are_answered),
        cmocka_unit_test(a_script_waits_for_its_time),
        cmocka_unit_test(a_script_has_a_limit),
        cmocka_unit_test(japanese_is_spoken_too),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
