#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "maw/player.h"

#define SECOND ((TimeUs)1000 * 1000)
#define MASTER "gm@maw.test"
#define KEPT   64
#define TEXT   400

/* A player, and what it has sent and told. */
typedef struct Stage {
    MawPlayer *player;
    const char *thread;
    TimeUs now;
    unsigned sent;
    struct {
        char to[TEXT], body[TEXT], reply_with[TEXT], thread[TEXT];
        MawAct act;
    } letters[KEPT];
    unsigned told;
    struct {
        MawNewsKind kind;
        char room[TEXT], name[TEXT], text[TEXT];
        bool mine, told;
    } news[KEPT];
} Stage;

static void copy(char *to, Str text)
{
    snprintf(to, TEXT, "%.*s", STR_ARG(text));
}

static void on_send(void *user, const MawStanza *stanza)
{
    Stage *stage = user;

    assert_true(stage->sent < KEPT);
    assert_int_equal(stanza->type, STANZA_CHAT);
    assert_true(stanza->id.len > 0);
    copy(stage->letters[stage->sent].to, stanza->to);
    copy(stage->letters[stage->sent].body, stanza->body);
    copy(stage->letters[stage->sent].reply_with, stanza->reply_with);
    copy(stage->letters[stage->sent].thread, stanza->thread);
    stage->letters[stage->sent++].act = stanza->act;
}

static void on_news(void *user, const MawNews *news, TimeUs now)
{
    Stage *stage = user;

    assert_true(stage->told < KEPT);
    assert_int_equal(now, stage->now);
    stage->news[stage->told].kind = news->kind;
    stage->news[stage->told].mine = news->mine;
    stage->news[stage->told].told = news->told;
    copy(stage->news[stage->told].room, news->room);
    copy(stage->news[stage->told].name, news->name);
    copy(stage->news[stage->told++].text, news->text);
}

static Stage *stage_new(const char *const *other_names)
{
    Stage *stage = calloc(1, sizeof(*stage));
    MawPlayerSetup setup = {
        .jid = STR("p01@maw.test"),
        .game_master = STR(MASTER),
        .name = STR("Ann"),
        .other_names = other_names,
        .client = STR("warg test"),
        .out = {.send = on_send, .news = on_news, .user = stage},
        .now = SECOND,
    };
    Err err = {0};

    assert_non_null(stage);
    stage->now = SECOND;
    assert_int_equal(maw_player_new(&setup, &stage->player, &err), 0);
    return stage;
}

static void stage_free(Stage *stage)
{
    maw_player_free(stage->player);
    free(stage);
}

static const MawKnown *known(const Stage *stage)
{
    return maw_player_known(stage->player);
}

static void forget(Stage *stage)
{
    stage->sent = 0;
    stage->told = 0;
}

static void answer(Stage *stage, const char *from, MawAct act, const char *in_reply_to,
                   const char *body)
{
    MawStanza stanza = {
        .from = str_of(from),
        .to = STR("p01@maw.test"),
        .type = STANZA_CHAT,
        .act = act,
        .in_reply_to = str_of(in_reply_to),
        .thread = str_of(stage->thread),
        .has_body = true,
        .body = str_of(body),
    };

    maw_player_receive(stage->player, &stanza, stage->now);
}

static void hear(Stage *stage, const char *from, const char *body)
{
    answer(stage, from, ACT_INFORM, NULL, body);
}

static void pass(Stage *stage, TimeUs us)
{
    stage->now += us;
    maw_player_tick(stage->player, stage->now);
}

/* How many letters with this in the body went to this address. */
static unsigned letters(const Stage *stage, const char *to, const char *part)
{
    unsigned count = 0;

    for (unsigned i = 0; i < stage->sent; i++)
        count += strcmp(stage->letters[i].to, to) == 0 && strstr(stage->letters[i].body, part);
    return count;
}

static int find_news(const Stage *stage, MawNewsKind kind)
{
    for (unsigned i = 0; i < stage->told; i++)
        if (stage->news[i].kind == kind)
            return (int)i;
    return -1;
}

static bool told(const Stage *stage, MawNewsKind kind)
{
    return find_news(stage, kind) >= 0;
}

#define CONFIRMED                                                                                  \
    "{\"type\":\"join_confirmed\",\"player_name\":\"Ann\",\"players\":[\"Ann\",\"Bo\"],"           \
    "\"total_players\":3,\"rooms\":{\"lobby\":\"lobby@maw.test\",\"village\":\"village@maw.test\"" \
    ",\"hideout\":\"hideout@maw.test\"}}"
#define START                                                                                      \
    "{\"type\":\"start_game\",\"total_players\":4,\"round\":1,\"rounds\":2,\"wolves\":1,"          \
    "\"players\":[{\"jid\":\"p01@maw.test\",\"name\":\"Ann\"},{\"jid\":\"p02@maw.test\","          \
    "\"name\":\"Bo\"},{\"jid\":\"p03@maw.test\",\"name\":\"Cy\"},{\"jid\":\"p04@maw.test\","       \
    "\"name\":\"Di\"}]}"
#define DAY_1                                                                                      \
    "{\"type\":\"phase_change\",\"new_phase\":\"day\",\"day\":1,\"phase_no\":1,\"seconds\":300,"   \
    "\"room\":\"village@maw.test\"}"
#define NIGHT_1                                                                                    \
    "{\"type\":\"phase_change\",\"new_phase\":\"night\",\"day\":1,\"phase_no\":2,\"seconds\":120}"
#define DAY_2                                                                                      \
    "{\"type\":\"phase_change\",\"new_phase\":\"day\",\"day\":2,\"phase_no\":3,\"seconds\":300}"
#define VILLAGE                                                                                    \
    "{\"type\":\"announce_open\",\"room_name\":\"Village\",\"players\":[\"p01@maw.test\","         \
    "\"p02@maw.test\",\"p03@maw.test\",\"p04@maw.test\"]}"
#define HIDEOUT                                                                                    \
    "{\"type\":\"announce_open\",\"room_name\":\"Hideout\",\"players\":[\"p01@maw.test\","         \
    "\"p02@maw.test\"]}"
#define VILLAGER "{\"type\":\"assign_role\",\"role\":\"Villager\"}"
#define WEREWOLF "{\"type\":\"assign_role\",\"role\":\"Werewolf\",\"teammates\":[\"p02@maw.test\"]}"
#define END_GAME                                                                                   \
    "{\"type\":\"end_game\",\"winning_team\":\"Villagers\",\"roles\":{\"p01@maw.test\":"           \
    "\"Villager\",\"p03@maw.test\":\"Werewolf\"},\"scores\":[{\"player\":\"p01@maw.test\","        \
    "\"name\":\"Ann\",\"points\":3,\"rounds_won\":1}],\"round\":1}"

/* A player that has joined. */
static Stage *joined(void)
{
    Stage *stage = stage_new(NULL);

    pass(stage, 0);
    hear(stage, MASTER, CONFIRMED);
    assert_int_equal(known(stage)->state, PLAYER_LOBBY);
    forget(stage);
    return stage;
}

/* In the first day of a round; `role` is what it was told. */
static Stage *by_day(const char *role)
{
    Stage *stage = joined();

    stage->thread = "maw-x-1";
    hear(stage, MASTER, START);
    hear(stage, MASTER, role);
    hear(stage, MASTER, DAY_1);
    hear(stage, "village@maw.test", VILLAGE);
    assert_int_equal(known(stage)->state, PLAYER_AWAKE);
    assert_true(known(stage)->room_open);
    return stage;
}

/* ---- joining ---- */

static void it_asks_to_join_every_five_seconds_until_it_is_confirmed(void **state)
{
    Stage *stage = stage_new(NULL);

    (void)state;
    pass(stage, 0);
    assert_int_equal(letters(stage, MASTER, "join_lobby"), 1);
    assert_int_equal(stage->letters[0].act, ACT_REQUEST);
    assert_non_null(strstr(stage->letters[0].body, "\"player_name\": \"Ann\"")
                        ? ""
                        : strstr(stage->letters[0].body, "\"player_name\":\"Ann\""));
    pass(stage, 4 * SECOND);
    assert_int_equal(stage->sent, 1);
    assert_int_equal(maw_player_deadline(stage->player), 6 * SECOND);
    pass(stage, SECOND);
    assert_int_equal(stage->sent, 2);
    hear(stage, MASTER, CONFIRMED);
    assert_int_equal(known(stage)->state, PLAYER_LOBBY);
    assert_true(told(stage, NEWS_JOINED));
    assert_true(told(stage, NEWS_LOBBY));
    pass(stage, 30 * SECOND);
    assert_int_equal(stage->sent, 2);
    hear(stage, MASTER, CONFIRMED); /* the answer to the second try changes nothing */
    assert_int_equal(known(stage)->state, PLAYER_LOBBY);
    stage_free(stage);
}

static void nobody_answers_a_join_for_a_minute_then_it_gives_up(void **state)
{
    Stage *stage = stage_new(NULL);

    (void)state;
    for (unsigned second = 0; second < 60; second++)
        pass(stage, SECOND);
    assert_int_equal(known(stage)->state, PLAYER_OVER);
    assert_true(told(stage, NEWS_OVER));
    assert_int_equal(stage->sent, 12);
    assert_int_equal(maw_player_deadline(stage->player), TIME_US_NEVER);
    stage_free(stage);
}

static void a_name_that_is_taken_gives_way_to_the_next_one(void **state)
{
    static const char *const others[] = {"Anna", "Anja", NULL};
    const char *refusal = "{\"type\":\"error\",\"of\":\"join_lobby\",\"code\":\"name-taken\","
                          "\"text\":\"taken\"}";
    Stage *stage = stage_new(others);

    (void)state;
    pass(stage, 0);
    answer(stage, MASTER, ACT_REFUSE, stage->letters[0].reply_with, refusal);
    pass(stage, 0);
    assert_int_equal(letters(stage, MASTER, "Anna"), 1);
    assert_true(told(stage, NEWS_REFUSED));
    forget(stage);
    answer(stage, MASTER, ACT_REFUSE, NULL, refusal);
    pass(stage, 0);
    assert_int_equal(letters(stage, MASTER, "Anja"), 1);
    assert_int_equal(known(stage)->state, PLAYER_JOIN_LOBBY);
    answer(stage, MASTER, ACT_REFUSE, NULL, refusal);
    assert_int_equal(known(stage)->state, PLAYER_OVER);
    assert_false(told(stage, NEWS_REFUSED)); /* once is enough */
    assert_true(told(stage, NEWS_OVER));
    stage_free(stage);
}

static void another_refusal_of_a_join_ends_it_but_not_a_rate_limit(void **state)
{
    Stage *stage = stage_new(NULL);

    (void)state;
    pass(stage, 0);
    answer(stage, MASTER, ACT_REFUSE, NULL,
           "{\"type\":\"error\",\"of\":\"join_lobby\",\"code\":\"rate-limited\",\"text\":\"x\"}");
    assert_int_equal(known(stage)->state, PLAYER_JOIN_LOBBY);
    answer(stage, MASTER, ACT_REFUSE, NULL,
           "{\"type\":\"error\",\"of\":\"join_lobby\",\"code\":\"full\",\"text\":\"No seat.\"}");
    assert_int_equal(known(stage)->state, PLAYER_OVER);
    assert_string_equal(stage->news[find_news(stage, NEWS_OVER)].text, "No seat.");
    stage_free(stage);
}

static void a_refusal_without_a_word_of_a_join_is_the_names_fault(void **state)
{
    static const char *const others[] = {"Anna", NULL};
    Stage *stage = stage_new(others);

    (void)state;
    pass(stage, 0);
    answer(stage, MASTER, ACT_REFUSE, NULL, "no"); /* not even JSON */
    pass(stage, 0);
    assert_int_equal(letters(stage, MASTER, "Anna"), 1);
    stage_free(stage);
}

/* ---- the machine, row by row ---- */

static void a_villager_wakes_sleeps_and_wakes_again(void **state)
{
    Stage *stage = by_day(VILLAGER);

    (void)state;
    assert_true(told(stage, NEWS_ROUND));
    assert_true(told(stage, NEWS_PHASE));
    assert_int_equal(known(stage)->phase_ends, stage->now + 300 * SECOND);
    assert_int_equal(known(stage)->player_count, 4);
    assert_int_equal(known(stage)->wolves, 1);
    hear(stage, MASTER, NIGHT_1);
    assert_int_equal(known(stage)->state, PLAYER_ASLEEP);
    assert_false(known(stage)->room_open);
    forget(stage);
    pass(stage, 60 * SECOND);
    assert_false(maw_player_say(stage->player, STR("zzz"), stage->now));
    assert_false(maw_player_vote(stage->player, STR("Bo"), (Str){0}, stage->now));
    assert_int_equal(stage->sent, 0); /* asleep: neither sends nor fetches */
    assert_int_equal(maw_player_deadline(stage->player), TIME_US_NEVER);
    hear(stage, MASTER, DAY_2);
    assert_int_equal(known(stage)->state, PLAYER_AWAKE);
    assert_int_equal(known(stage)->day, 2);
    stage_free(stage);
}

static void a_player_waits_while_the_game_does(void **state)
{
    Stage *stage = by_day(VILLAGER);

    (void)state;
    assert_true(known(stage)->room_open);
    pass(stage, 100 * SECOND);
    hear(stage, MASTER,
         "{\"type\":\"phase_change\",\"new_phase\":\"day\",\"day\":1,\"phase_no\":1,"
         "\"seconds\":200,\"paused\":true}");
    assert_true(known(stage)->paused);
    assert_false(known(stage)->room_open);
    assert_int_equal(known(stage)->phase_ends, TIME_US_NEVER);
    forget(stage);
    pass(stage, 600 * SECOND);
    assert_false(maw_player_vote(stage->player, STR("Bo"), (Str){0}, stage->now));
    assert_int_equal(stage->sent, 0);
    hear(stage, MASTER,
         "{\"type\":\"phase_change\",\"new_phase\":\"day\",\"day\":1,\"phase_no\":1,"
         "\"seconds\":200}");
    assert_false(known(stage)->paused);
    assert_true(known(stage)->room_open); /* without another announce_open */
    assert_int_equal(known(stage)->phase_ends, stage->now + 200 * SECOND);
    stage_free(stage);
}

static void a_wolf_stays_awake_in_the_other_room_and_spares_its_mates(void **state)
{
    Stage *stage = by_day(WEREWOLF);
    Str targets[MAW_LIST_MAX];

    (void)state;
    assert_true(known(stage)->wolf);
    assert_int_equal(maw_player_targets(stage->player, targets), 3); /* by day all others */
    hear(stage, MASTER, NIGHT_1);
    assert_int_equal(known(stage)->state, PLAYER_AWAKE);
    assert_false(known(stage)->room_open); /* not announced yet */
    hear(stage, "hideout@maw.test", HIDEOUT);
    assert_true(known(stage)->room_open);
    assert_string_equal(known(stage)->room, "Hideout");
    assert_int_equal(maw_player_targets(stage->player, targets), 2);
    assert_true(str_eq(targets[0], STR("Cy")));
    forget(stage);
    assert_true(maw_player_say(stage->player, STR("Cy?"), stage->now));
    assert_int_equal(letters(stage, "hideout@maw.test", "Cy?"), 1);
    assert_string_equal(stage->letters[0].thread, "maw-x-1");
    stage_free(stage);
}

static void who_is_killed_sends_nothing_until_the_round_is_over(void **state)
{
    Stage *stage = by_day(VILLAGER);

    (void)state;
    hear(stage, MASTER, "{\"type\":\"kill\",\"cause\":\"executed\"}");
    assert_int_equal(known(stage)->state, PLAYER_DEAD);
    assert_string_equal(stage->news[find_news(stage, NEWS_DIED)].text, "executed");
    assert_false(maw_player_say(stage->player, STR("but"), stage->now));
    assert_false(maw_player_vote(stage->player, STR("Bo"), (Str){0}, stage->now));
    assert_false(maw_player_whisper(stage->player, STR("Bo"), STR("it was Cy"), stage->now));
    hear(stage, MASTER, DAY_2);
    assert_int_equal(known(stage)->state, PLAYER_DEAD);
    hear(stage, MASTER, END_GAME);
    assert_int_equal(known(stage)->state, PLAYER_LOBBY);
    assert_true(told(stage, NEWS_ROUND_END));
    assert_true(told(stage, NEWS_SCORES));
    assert_true(str_eq(known(stage)->winner, STR("Villagers")));
    assert_int_equal(known(stage)->players[0].points, 3);
    assert_true(str_eq(known(stage)->players[2].role, STR("Werewolf")));
    stage_free(stage);
}

static void the_dead_talk_where_a_graveyard_opens(void **state)
{
    static const char graveyard[] =
        "{\"type\":\"announce_open\",\"room_name\":\"Graveyard\",\"room\":"
        "\"graveyard@maw.test\",\"players\":[]}";
    Stage *stage = by_day(VILLAGER);

    (void)state;
    hear(stage, "graveyard@maw.test", graveyard); /* another address: it may overtake the death */
    assert_false(known(stage)->graveyard);
    hear(stage, MASTER, "{\"type\":\"kill\",\"cause\":\"executed\"}");
    assert_true(known(stage)->graveyard);
    assert_false(known(stage)->room_open);
    forget(stage);
    assert_true(maw_player_say(stage->player, STR("boo"), stage->now));
    assert_int_equal(letters(stage, "graveyard@maw.test", "boo"), 1);
    assert_false(maw_player_vote(stage->player, STR("Bo"), (Str){0}, stage->now));
    hear(stage, "graveyard@maw.test",
         "{\"type\":\"new_messages\",\"messages\":[\"Bo: hello\"],\"first\":0,\"next\":1,"
         "\"entries\":[{\"i\":0,\"from\":\"p02@maw.test\",\"name\":\"Bo\",\"text\":\"hello\","
         "\"kind\":\"chat\"}]}");
    int at = find_news(stage, NEWS_LINE);
    assert_true(at >= 0);
    assert_string_equal(stage->news[at].room, "Graveyard");
    maw_player_link(stage->player, false, stage->now);
    assert_false(maw_player_say(stage->player, STR("boo"), stage->now));
    maw_player_link(stage->player, true, stage->now);
    hear(stage, MASTER, END_GAME);
    assert_false(known(stage)->graveyard);
    forget(stage);
    assert_true(maw_player_say(stage->player, STR("boo"), stage->now)); /* in the lobby */
    assert_int_equal(letters(stage, "graveyard@maw.test", "boo"), 0);
    assert_int_equal(letters(stage, "lobby@maw.test", "boo"), 1);
    stage_free(stage);
}

static void asleep_it_can_be_killed_too(void **state)
{
    Stage *stage = by_day(VILLAGER);

    (void)state;
    hear(stage, MASTER, NIGHT_1);
    hear(stage, MASTER, "{\"type\":\"kill\",\"cause\":\"murdered\"}");
    hear(stage, MASTER, "{\"type\":\"kill\",\"cause\":\"murdered\"}"); /* once is enough */
    assert_int_equal(known(stage)->state, PLAYER_DEAD);
    assert_false(known(stage)->alive);
    stage_free(stage);
}

static void a_lost_end_game_is_made_good_by_the_next_start(void **state)
{
    Stage *stage = by_day(VILLAGER);

    (void)state;
    hear(stage, MASTER, "{\"type\":\"kill\",\"cause\":\"executed\"}");
    stage->thread = "maw-x-2";
    hear(stage, MASTER, START);
    hear(stage, MASTER, WEREWOLF);
    assert_int_equal(known(stage)->state, PLAYER_AWAKE);
    assert_true(known(stage)->alive);
    assert_true(known(stage)->wolf);
    assert_true(known(stage)->players[0].alive);
    assert_int_equal(known(stage)->phase_no, 0);
    stage_free(stage);
}

static void a_lost_start_game_is_made_good_by_the_phase(void **state)
{
    Stage *stage = joined();

    (void)state;
    stage->thread = "maw-x-1";
    hear(stage, MASTER, DAY_1);
    assert_int_equal(known(stage)->state, PLAYER_AWAKE);
    assert_true(told(stage, NEWS_ROUND));
    stage_free(stage);
}

static void the_session_ends_where_it_says_so(void **state)
{
    Stage *stage = joined();

    (void)state;
    hear(stage, "p02@maw.test", "{\"type\":\"session_end\",\"text\":\"lie\"}");
    assert_int_equal(known(stage)->state, PLAYER_LOBBY);
    hear(stage, MASTER, "{\"type\":\"session_end\",\"text\":\"done\"}");
    assert_int_equal(known(stage)->state, PLAYER_OVER);
    assert_string_equal(stage->news[find_news(stage, NEWS_OVER)].text, "done");
    stage_free(stage);
}

static void after_the_last_round_it_does_not_wait_for_ever(void **state)
{
    Stage *stage = by_day(VILLAGER);

    (void)state;
    hear(stage, MASTER,
         "{\"type\":\"end_game\",\"winning_team\":\"None\",\"round\":1,\"last\":true}");
    assert_int_equal(known(stage)->state, PLAYER_LOBBY);
    pass(stage, 5 * SECOND);
    assert_int_equal(known(stage)->state, PLAYER_OVER);
    stage_free(stage);
}

/* ---- order ---- */

static void a_phase_that_is_overtaken_is_left_out(void **state)
{
    Stage *stage = by_day(VILLAGER);

    (void)state;
    hear(stage, MASTER, DAY_2);
    assert_int_equal(known(stage)->phase_no, 3);
    hear(stage, MASTER, NIGHT_1); /* came late */
    assert_int_equal(known(stage)->phase_no, 3);
    assert_int_equal(known(stage)->state, PLAYER_AWAKE);
    forget(stage);
    hear(stage, MASTER, DAY_2); /* again: only the clock is set */
    assert_false(told(stage, NEWS_PHASE));
    assert_int_equal(known(stage)->phase_ends, stage->now + 300 * SECOND);
    stage_free(stage);
}

static void what_is_left_of_an_earlier_round_is_not_for_this_one(void **state)
{
    Stage *stage = by_day(VILLAGER);

    (void)state;
    hear(stage, MASTER, END_GAME);
    stage->thread = "maw-x-2";
    hear(stage, MASTER, START);
    hear(stage, MASTER, VILLAGER);
    hear(stage, MASTER, DAY_1);
    forget(stage);
    stage->thread = "maw-x-1";
    hear(stage, MASTER, "{\"type\":\"kill\",\"cause\":\"executed\"}");
    hear(stage, MASTER, END_GAME);
    hear(stage, MASTER, NIGHT_1);
    assert_int_equal(known(stage)->state, PLAYER_AWAKE);
    assert_true(known(stage)->alive);
    stage->thread = "other-7"; /* another session of the same game master */
    hear(stage, MASTER, "{\"type\":\"kill\",\"cause\":\"executed\"}");
    assert_true(known(stage)->alive);
    assert_int_equal(stage->told, 0);
    stage_free(stage);
}

static void a_room_may_open_before_its_phase_is_told(void **state)
{
    Stage *stage = joined();

    (void)state;
    stage->thread = "maw-x-1";
    hear(stage, MASTER, START);
    hear(stage, MASTER, VILLAGER);
    hear(stage, "village@maw.test", VILLAGE);
    assert_false(known(stage)->room_open);
    hear(stage, MASTER, DAY_1);
    assert_true(known(stage)->room_open);
    hear(stage, MASTER, NIGHT_1);
    assert_false(known(stage)->room_open);
    hear(stage, MASTER, DAY_2);
    assert_false(known(stage)->room_open); /* the old announcement is used up */
    pass(stage, SECOND);                   /* nobody announced it: it is tried all the same */
    assert_true(known(stage)->room_open);
    stage_free(stage);
}

static void a_role_may_come_before_the_start(void **state)
{
    Stage *stage = joined();

    (void)state;
    hear(stage, MASTER, WEREWOLF);
    hear(stage, MASTER, START);
    assert_true(known(stage)->wolf);
    assert_true(told(stage, NEWS_ROUND));
    assert_true(known(stage)->players[1].mate);
    stage_free(stage);
}

/* ---- lines ---- */

static void it_asks_for_lines_every_second_by_an_index_that_only_grows(void **state)
{
    Stage *stage = by_day(VILLAGER);

    (void)state;
    forget(stage);
    pass(stage, 0);
    assert_int_equal(letters(stage, "village@maw.test", "get_new_messages"), 1);
    assert_int_equal(stage->letters[0].act, ACT_QUERY_REF);
    answer(stage, "village@maw.test", ACT_INFORM, stage->letters[0].reply_with,
           "{\"type\":\"new_messages\",\"messages\":[\"Bo: hello\",\"Ann: hi\"]}");
    assert_int_equal(stage->told, 2);
    assert_string_equal(stage->news[0].name, "Bo");
    assert_string_equal(stage->news[0].text, "hello");
    assert_string_equal(stage->news[0].room, "Village");
    assert_false(stage->news[0].mine);
    assert_true(stage->news[1].mine);
    assert_int_equal(known(stage)->players[1].lines, 1);
    forget(stage);
    pass(stage, SECOND);
    assert_int_equal(stage->sent, 1);
    assert_non_null(strstr(stage->letters[0].body, "2"));
    stage_free(stage);
}

static void lines_that_come_unasked_make_asking_rare_and_are_told_once(void **state)
{
    Stage *stage = by_day(VILLAGER);
    const char *line = "{\"type\":\"new_messages\",\"messages\":[\"Bo: hello\"],\"first\":0,"
                       "\"next\":1,\"entries\":[{\"i\":0,\"from\":\"p02@maw.test\",\"name\":\"Bo\","
                       "\"text\":\"hello\",\"kind\":\"chat\"}]}";

    (void)state;
    assert_int_equal(letters(stage, "village@maw.test", "subscribe"), 1);
    forget(stage);
    hear(stage, "village@maw.test", line);
    hear(stage, "village@maw.test", line);
    assert_int_equal(stage->told, 1);
    for (unsigned second = 0; second < 10; second++)
        pass(stage, SECOND);
    assert_int_equal(stage->sent, 0);
    stage_free(stage);
}

static void a_gap_between_lines_is_asked_for(void **state)
{
    Stage *stage = by_day(VILLAGER);

    (void)state;
    forget(stage);
    hear(stage, "village@maw.test",
         "{\"type\":\"new_messages\",\"messages\":[\"Cy: third\"],\"first\":2,\"next\":3}");
    assert_int_equal(stage->told, 0);
    assert_int_equal(letters(stage, "village@maw.test", "get_new_messages"), 1);
    answer(stage, "village@maw.test", ACT_INFORM, stage->letters[0].reply_with,
           "{\"type\":\"new_messages\",\"messages\":[\"Bo: second\",\"Cy: third\"],\"first\":1,"
           "\"next\":3}"); /* the first is gone for good */
    assert_int_equal(stage->told, 2);
    assert_string_equal(stage->news[1].text, "third");
    stage_free(stage);
}

static void lines_of_strangers_are_not_heard(void **state)
{
    Stage *stage = by_day(VILLAGER);

    (void)state;
    forget(stage);
    hear(stage, "p02@maw.test", "{\"type\":\"new_messages\",\"messages\":[\"Bo: hello\"]}");
    hear(stage, "village@elsewhere.test",
         "{\"type\":\"new_messages\",\"messages\":[\"Bo: hello\"]}");
    hear(stage, "village2@maw.test", VILLAGE); /* the real one was told by the game master */
    hear(stage, "p02@maw.test", "{\"type\":\"kill\",\"cause\":\"executed\"}");
    assert_int_equal(stage->told, 0);
    assert_true(known(stage)->alive);
    assert_true(maw_player_say(stage->player, STR("hm"), stage->now));
    assert_int_equal(letters(stage, "village@maw.test", "hm"), 1);
    stage_free(stage);
}

/* A line of the system; `at` is its index in its room. Returns whether the news had told it. */
static bool system_line(Stage *stage, const char *room, int at, const char *text)
{
    char body[TEXT];

    forget(stage);
    snprintf(body, sizeof(body),
             "{\"type\":\"new_messages\",\"messages\":[\"System: %s\"],\"first\":%d,\"next\":%d,"
             "\"entries\":[{\"i\":%d,\"text\":\"%s\",\"kind\":\"system\"}]}",
             text, at, at + 1, at, text);
    hear(stage, room, body);
    assert_int_equal(stage->news[0].kind, NEWS_SYSTEM);
    assert_string_equal(stage->news[0].text, text);
    return stage->news[0].told;
}

static void system_lines_say_what_the_news_have_not_told(void **state)
{
    Stage *stage = by_day(WEREWOLF);
    const char *village = "village@maw.test", *hideout = "hideout@maw.test";

    (void)state;
    assert_false(system_line(stage, village, 0, "Bo votes for Cy."));
    assert_true(told(stage, NEWS_TALLY));
    assert_true(str_eq(known(stage)->players[1].votes_for, STR("Cy")));
    assert_true(system_line(stage, village, 1, "Ann votes for Cy."));
    assert_true(system_line(stage, village, 2, "Ann が Di に投票しました。"));
    assert_true(str_eq(known(stage)->players[0].votes_for, STR("Di")));
    assert_false(system_line(stage, village, 3, "Bo が投票を取り消しました。"));
    assert_int_equal(known(stage)->players[1].votes_for.len, 0);
    assert_true(system_line(stage, village, 4, "Bo whispers to Ann."));
    assert_false(system_line(stage, village, 5, "Bo whispers to Cy."));
    assert_false(system_line(stage, village, 6, "150 seconds left."));
    assert_false(system_line(stage, village, 7, "Welcome!"));
    assert_false(system_line(stage, village, 8, "Di has left the game."));

    hear(stage, MASTER,
         "{\"type\":\"vote_result\",\"target\":\"p03@maw.test\",\"status\":\"executed\","
         "\"name\":\"Cy\",\"phase\":\"day\"}");
    hear(stage, MASTER, NIGHT_1);
    hear(stage, hideout, HIDEOUT);
    assert_true(system_line(stage, hideout, 0, "Cy was executed. Role: Villager."));
    assert_true(str_eq(known(stage)->players[2].role, STR("Villager")));
    assert_false(system_line(stage, hideout, 1, "Di が処刑されました。役職: 村人。"));
    assert_true(str_eq(known(stage)->players[3].role, STR("Villager")));
    assert_false(system_line(stage, hideout, 2, "Nobody was executed."));
    assert_true(system_line(stage, hideout, 3, "Di has left the game.")); /* in two rooms */
    hear(stage, MASTER, "{\"type\":\"vote_result\",\"target\":null,\"status\":\"none\"}");
    hear(stage, MASTER, DAY_2);
    hear(stage, village, VILLAGE);
    assert_true(system_line(stage, village, 9, "Nobody was executed."));
    assert_false(system_line(stage, village, 10, "Di was murdered during the night.")); /* missed */
    assert_false(system_line(stage, "lobby@maw.test", 0, "Points: 1. Ann 3"));
    hear(stage, MASTER, END_GAME);
    assert_true(
        system_line(stage, "lobby@maw.test", 1, "Round 1 of 2 is over: the Villagers have won."));
    assert_true(system_line(stage, "lobby@maw.test", 2, "得点: 1. Ann 3"));
    stage_free(stage);
}

static void who_was_there_before_is_not_told_to_have_joined(void **state)
{
    Stage *stage = stage_new(NULL);
    const char *lobby = "lobby@maw.test";

    (void)state;
    pass(stage, 0);
    hear(stage, MASTER, CONFIRMED);
    hear(stage, lobby,
         "{\"type\":\"announce_open\",\"room_name\":\"Lobby\",\"players\":[],\"index\":3}");
    assert_true(system_line(stage, lobby, 0, "Bo has joined: 1 of 4."));
    assert_false(system_line(stage, lobby, 1, "Di has joined: 2 of 4.")); /* and has gone */
    assert_false(system_line(stage, lobby, 2, "Di has left: 1 of 4."));
    assert_true(system_line(stage, lobby, 3, "Ann has joined: 2 of 4."));
    assert_false(system_line(stage, lobby, 4, "Bo has joined: 3 of 4.")); /* once more */
    stage_free(stage);
}

static void before_it_is_confirmed_it_hears_the_lobby_open_and_nothing_of_a_round(void **state)
{
    Stage *stage = stage_new(NULL);

    (void)state;
    pass(stage, 0);
    hear(stage, "lobby@maw.test",
         "{\"type\":\"announce_open\",\"room_name\":\"Lobby\",\"players\":[],\"index\":3}");
    assert_int_equal(letters(stage, "lobby@maw.test", "subscribe"), 1);
    stage->thread = "maw-x-1";
    hear(stage, MASTER, DAY_1);
    assert_int_equal(known(stage)->state, PLAYER_JOIN_LOBBY);
    assert_false(told(stage, NEWS_PHASE));
    hear(stage, MASTER, START); /* who is in a round needs no confirmation */
    assert_int_not_equal(known(stage)->state, PLAYER_JOIN_LOBBY);
    stage_free(stage);
}

/* ---- votes ---- */

static void a_refused_vote_is_news_and_the_earlier_one_counts_again(void **state)
{
    Stage *stage = by_day(VILLAGER);

    (void)state;
    forget(stage);
    assert_true(maw_player_vote(stage->player, STR("Bo"), STR("quiet"), stage->now));
    assert_int_equal(letters(stage, MASTER, "p02@maw.test"), 1); /* by JID, as the document */
    answer(stage, MASTER, ACT_AGREE, stage->letters[0].reply_with,
           "{\"type\":\"vote_accepted\",\"target\":\"p02@maw.test\"}");
    assert_true(str_eq(known(stage)->my_vote, STR("Bo")));
    assert_true(maw_player_vote(stage->player, STR("Cy"), (Str){0}, stage->now));
    answer(
        stage, MASTER, ACT_REFUSE, stage->letters[1].reply_with,
        "{\"type\":\"error\",\"of\":\"vote\",\"code\":\"dead-target\",\"text\":\"Cy is dead.\"}");
    assert_true(str_eq(known(stage)->my_vote, STR("Bo")));
    int at = find_news(stage, NEWS_REFUSED);
    assert_true(at >= 0);
    assert_string_equal(stage->news[at].name, "dead-target");
    assert_string_equal(stage->news[at].text, "Cy is dead.");
    assert_true(maw_player_vote(stage->player, (Str){0}, (Str){0}, stage->now));
    assert_int_equal(letters(stage, MASTER, "null"), 1);
    assert_int_equal(known(stage)->my_vote.len, 0);
    stage_free(stage);
}

static void results_make_players_dead_and_me_too(void **state)
{
    Stage *stage = by_day(VILLAGER);
    Str targets[MAW_LIST_MAX];

    (void)state;
    hear(stage, MASTER,
         "{\"type\":\"vote_result\",\"target\":\"p02@maw.test\",\"status\":\"executed\","
         "\"name\":\"Bo\",\"phase\":\"day\",\"votes\":{\"Cy\":\"Bo\",\"Ann\":\"Bo\"}}");
    assert_false(known(stage)->players[1].alive);
    assert_true(str_eq(known(stage)->players[1].cause, STR("executed")));
    assert_true(str_eq(known(stage)->players[2].votes_for, STR("Bo")));
    assert_int_equal(known(stage)->players[1].votes, 2);
    assert_int_equal(maw_player_targets(stage->player, targets), 2);
    hear(stage, MASTER, "{\"type\":\"vote_result\",\"target\":null,\"status\":\"tie\"}");
    assert_true(known(stage)->alive);
    hear(stage, MASTER,
         "{\"type\":\"vote_result\",\"target\":\"p01@maw.test\",\"status\":\"murdered\"}");
    assert_int_equal(known(stage)->state, PLAYER_DEAD); /* although its kill was lost */
    stage_free(stage);
}

/* ---- a game master that knows the document only ---- */

static void the_documents_keys_alone_are_enough_for_a_round(void **state)
{
    Stage *stage = stage_new(NULL);
    Str targets[MAW_LIST_MAX];

    (void)state;
    pass(stage, 0);
    hear(stage, MASTER, "{\"type\":\"join_confirmed\"}");
    assert_int_equal(known(stage)->state, PLAYER_LOBBY);
    hear(stage, MASTER, "{\"type\":\"start_round\",\"total_players\":6}");
    hear(stage, MASTER, "{\"type\":\"assign_role\",\"role\":\"Werewolf\"}");
    hear(stage, MASTER, "{\"type\":\"phase_change\",\"new_phase\":\"day\"}");
    hear(stage, "village@maw.test",
         "{\"type\":\"announce_open\",\"room_name\":\"Village\",\"players\":[\"p01@maw.test\","
         "\"Bo@maw.test\",\"Cy@maw.test\"]}");
    assert_true(known(stage)->room_open);
    assert_int_equal(known(stage)->day, 1);
    assert_int_equal(known(stage)->phase_ends, TIME_US_NEVER);
    assert_int_equal(maw_player_targets(stage->player, targets), 2);
    assert_true(str_eq(targets[0], STR("Bo")));
    assert_true(maw_player_vote(stage->player, STR("Bo"), (Str){0}, stage->now));
    assert_int_equal(letters(stage, MASTER, "Bo@maw.test"), 1);
    hear(stage, MASTER,
         "{\"type\":\"vote_result\",\"target\":\"Bo@maw.test\",\"status\":\"executed\"}");
    hear(stage, MASTER, "{\"type\":\"phase_change\",\"new_phase\":\"night\"}");
    assert_true(known(stage)->night);
    assert_int_equal(known(stage)->state, PLAYER_AWAKE);
    hear(stage, "hideout@maw.test",
         "{\"type\":\"announce_open\",\"room_name\":\"Hideout\",\"players\":[\"p01@maw.test\"]}");
    assert_int_equal(maw_player_targets(stage->player, targets), 1);
    hear(stage, MASTER, "{\"type\":\"phase_change\",\"new_phase\":\"day\"}");
    assert_int_equal(known(stage)->day, 2);
    assert_int_equal(known(stage)->phase_no, 3);
    hear(stage, "village@maw.test",
         "{\"type\":\"announce_open\",\"room_name\":\"Village\",\"players\":[\"p01@maw.test\"]}");
    assert_int_equal(maw_player_targets(stage->player, targets), 0); /* Cy was murdered */
    hear(stage, MASTER, "{\"type\":\"end_round\",\"winning_team\":\"Werewolves\"}");
    assert_int_equal(known(stage)->state, PLAYER_LOBBY);
    hear(stage, MASTER, "{\"type\":\"start_game\",\"total_players\":6}");
    assert_int_equal(known(stage)->state, PLAYER_AWAKE);
    assert_int_equal(known(stage)->round, 2);
    assert_false(known(stage)->wolf);
    stage_free(stage);
}

static void names_without_addresses_are_voted_for_by_name(void **state)
{
    Stage *stage = stage_new(NULL);
    Str targets[MAW_LIST_MAX];

    (void)state;
    pass(stage, 0);
    hear(stage, MASTER, "{\"type\":\"join_confirmed\",\"players\":[\"Ann\",\"Bo\",\"Cy\"]}");
    hear(stage, MASTER, "{\"type\":\"start_game\",\"total_players\":3}");
    hear(stage, MASTER, "{\"type\":\"assign_role\",\"role\":\"Villager\"}");
    hear(stage, MASTER, "{\"type\":\"phase_change\",\"new_phase\":\"day\"}");
    pass(stage, SECOND); /* no room is announced */
    assert_true(known(stage)->room_open);
    assert_int_equal(maw_player_targets(stage->player, targets), 2);
    forget(stage);
    assert_true(maw_player_vote(stage->player, STR("Cy"), (Str){0}, stage->now));
    assert_int_equal(letters(stage, MASTER, "\"Cy\""), 1);
    assert_true(maw_player_say(stage->player, STR("hello"), stage->now));
    assert_int_equal(letters(stage, "village@maw.test", "hello"), 1);
    hear(stage, MASTER, "{\"type\":\"vote_result\",\"target\":\"Cy\",\"status\":\"executed\"}");
    assert_int_equal(maw_player_targets(stage->player, targets), 1);
    stage_free(stage);
}

/* ---- trouble ---- */

static void a_link_that_comes_back_makes_it_join_again(void **state)
{
    Stage *stage = by_day(VILLAGER);

    (void)state;
    forget(stage);
    maw_player_link(stage->player, false, stage->now);
    assert_true(told(stage, NEWS_ABSENT));
    assert_false(maw_player_say(stage->player, STR("hello?"), stage->now));
    pass(stage, 120 * SECOND);
    assert_int_equal(stage->sent, 0);
    maw_player_link(stage->player, true, stage->now);
    pass(stage, 0);
    assert_int_equal(letters(stage, MASTER, "join_lobby"), 1);
    assert_true(told(stage, NEWS_LINKED) && known(stage)->linked);
    answer(stage, MASTER, ACT_REFUSE, NULL,
           "{\"type\":\"error\",\"of\":\"join_lobby\",\"code\":\"running\",\"text\":\"later\"}");
    assert_int_equal(known(stage)->state, PLAYER_AWAKE);
    hear(stage, MASTER, CONFIRMED);
    assert_int_equal(known(stage)->state, PLAYER_AWAKE); /* it was in all the time */
    stage_free(stage);
}

static void a_game_master_that_bounces_is_absent_and_joined_again(void **state)
{
    Stage *stage = joined();
    MawStanza bounce = {
        .from = STR(MASTER), .type = STANZA_ERROR, .error_condition = STR("service-unavailable")};

    (void)state;
    maw_player_receive(stage->player, &bounce, stage->now);
    maw_player_receive(stage->player, &bounce, stage->now);
    assert_int_equal(stage->told, 1);
    assert_int_equal(stage->news[0].kind, NEWS_ABSENT);
    assert_int_equal(stage->sent, 0); /* an error is never answered */
    pass(stage, 5 * SECOND);
    assert_int_equal(letters(stage, MASTER, "join_lobby"), 1);
    stage_free(stage);
}

static void what_it_cannot_read_it_says_so_seldom_and_never_to_a_refusal(void **state)
{
    Stage *stage = joined();

    (void)state;
    hear(stage, MASTER, "{\"type\":");
    hear(stage, MASTER, "[]");
    assert_int_equal(stage->sent, 1);
    assert_int_equal(stage->letters[0].act, ACT_NOT_UNDERSTOOD);
    answer(stage, MASTER, ACT_NOT_UNDERSTOOD, NULL, "{\"type\":");
    pass(stage, 10 * SECOND);
    hear(stage, "p02@maw.test", "{\"type\":"); /* a stranger's is nobody's business */
    assert_int_equal(stage->sent, 1);
    stage_free(stage);
}

/* Unasked it may be meant for a client that was here before. */
static void who_is_replaced_is_out_when_it_is_said_to_him(void **state)
{
    Stage *stage = by_day(VILLAGER);
    const char *body = "{\"type\":\"error\",\"of\":null,\"code\":\"replaced\",\"text\":\"Gone.\"}";

    (void)state;
    forget(stage);
    answer(stage, MASTER, ACT_REFUSE, NULL, body);
    assert_int_equal(known(stage)->state, PLAYER_AWAKE);
    assert_true(maw_player_vote(stage->player, STR("Bo"), STR("quiet"), stage->now));
    answer(stage, MASTER, ACT_REFUSE, stage->letters[0].reply_with, body);
    assert_int_equal(known(stage)->state, PLAYER_OVER);
    int at = find_news(stage, NEWS_OVER);
    assert_true(at >= 0);
    assert_string_equal(stage->news[at].text, "Gone.");
    assert_string_equal(stage->news[at].name, "replaced"); /* the session goes on */
    stage_free(stage);
}

/* The game master was gone, and has a seat for us; to a new life that has none yet it is no
 * refusal. */
static void who_is_called_joins_again(void **state)
{
    Stage *stage = by_day(VILLAGER);
    const char *body =
        "{\"type\":\"error\",\"of\":null,\"code\":\"not-joined\",\"text\":\"Back.\"}";

    (void)state;
    forget(stage);
    answer(stage, MASTER, ACT_REFUSE, NULL, body);
    pass(stage, 0);
    assert_int_equal(letters(stage, MASTER, "join_lobby"), 1);
    assert_int_equal(known(stage)->state, PLAYER_AWAKE);
    assert_false(told(stage, NEWS_REFUSED));
    stage_free(stage);
    stage = stage_new(NULL);
    pass(stage, 0);
    forget(stage);
    answer(stage, MASTER, ACT_REFUSE, NULL, body);
    assert_int_equal(known(stage)->state, PLAYER_JOIN_LOBBY);
    pass(stage, 0);
    assert_int_equal(letters(stage, MASTER, "join_lobby"), 0); /* the next try is due in seconds */
    pass(stage, 6 * SECOND);
    assert_int_equal(letters(stage, MASTER, "join_lobby"), 1);
    stage_free(stage);
}

static void a_setup_that_cannot_work_is_refused(void **state)
{
    MawPlayerSetup setup = {.jid = STR("p01@maw.test"), .name = STR("Ann")};
    MawPlayer *player = NULL;
    Err err = {0};

    (void)state;
    assert_int_equal(maw_player_new(&setup, &player, &err), ERR_RULE);
    assert_null(player);
    assert_non_null(strstr(err.msg, "game master"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_asks_to_join_every_five_seconds_until_it_is_confirmed),
        cmocka_unit_test(nobody_answers_a_join_for_a_minute_then_it_gives_up),
        cmocka_unit_test(a_name_that_is_taken_gives_way_to_the_next_one),
        cmocka_unit_test(another_refusal_of_a_join_ends_it_but_not_a_rate_limit),
        cmocka_unit_test(a_refusal_without_a_word_of_a_join_is_the_names_fault),
        cmocka_unit_test(a_villager_wakes_sleeps_and_wakes_again),
        cmocka_unit_test(a_player_waits_while_the_game_does),
        cmocka_unit_test(a_wolf_stays_awake_in_the_other_room_and_spares_its_mates),
        cmocka_unit_test(who_is_killed_sends_nothing_until_the_round_is_over),
        cmocka_unit_test(the_dead_talk_where_a_graveyard_opens),
        cmocka_unit_test(asleep_it_can_be_killed_too),
        cmocka_unit_test(a_lost_end_game_is_made_good_by_the_next_start),
        cmocka_unit_test(a_lost_start_game_is_made_good_by_the_phase),
        cmocka_unit_test(the_session_ends_where_it_says_so),
        cmocka_unit_test(after_the_last_round_it_does_not_wait_for_ever),
        cmocka_unit_test(a_phase_that_is_overtaken_is_left_out),
        cmocka_unit_test(what_is_left_of_an_earlier_round_is_not_for_this_one),
        cmocka_unit_test(a_room_may_open_before_its_phase_is_told),
        cmocka_unit_test(a_role_may_come_before_the_start),
        cmocka_unit_test(it_asks_for_lines_every_second_by_an_index_that_only_grows),
        cmocka_unit_test(lines_that_come_unasked_make_asking_rare_and_are_told_once),
        cmocka_unit_test(a_gap_between_lines_is_asked_for),
        cmocka_unit_test(lines_of_strangers_are_not_heard),
        cmocka_unit_test(who_is_replaced_is_out_when_it_is_said_to_him),
        cmocka_unit_test(system_lines_say_what_the_news_have_not_told),
        cmocka_unit_test(who_was_there_before_is_not_told_to_have_joined),
        cmocka_unit_test(before_it_is_confirmed_it_hears_the_lobby_open_and_nothing_of_a_round),
        cmocka_unit_test(a_refused_vote_is_news_and_the_earlier_one_counts_again),
        cmocka_unit_test(results_make_players_dead_and_me_too),
        cmocka_unit_test(the_documents_keys_alone_are_enough_for_a_round),
        cmocka_unit_test(names_without_addresses_are_voted_for_by_name),
        cmocka_unit_test(a_link_that_comes_back_makes_it_join_again),
        cmocka_unit_test(a_game_master_that_bounces_is_absent_and_joined_again),
        cmocka_unit_test(what_it_cannot_read_it_says_so_seldom_and_never_to_a_refusal),
        cmocka_unit_test(who_is_called_joins_again),
        cmocka_unit_test(a_setup_that_cannot_work_is_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
