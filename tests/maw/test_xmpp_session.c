/* Whole sessions through real servers: a game master at the end of a component, six players in six
 * processes with an account each, who know the document's messages only (docs/spec/maw.md 3.2) and
 * send them as SPADE does. What may go wrong on the way goes wrong here too. */
#include "xmpp_server.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "maw/xmpp_master.h"
#include "net/xmpp_client.h"
#include "wire/json_read.h"

#define PLAYERS            6
#define ROUNDS             3
#define LIMIT              ((TimeUs)60 * 1000000) /* of a session */
#define POLL               ((TimeUs)200 * 1000)
#define VILLAGERS_AT_FIRST 4

/* What a player tells the test at the end of each round. */
typedef struct Report {
    int player;
    int round; /* counted by itself, from 1 */
    bool wolf;
    bool alive;
    bool wolves_won;
} Report;

/* ---- a player: all that follows runs in its process ---- */

typedef struct Player {
    int number;
    int report_to;
    Loop *loop;
    XmppClient *client;
    Timer *timer;
    char jid[64]; /* bare */
    char name[16];
    bool joined, playing, wolf, alive, done, flood;
    int round;                /* rounds that began, as far as it knows */
    char room[64];            /* the open room, that it may read */
    int64_t index[2];         /* lines it has of village and hideout */
    char living[PLAYERS][64]; /* of the last village */
    int living_count;
    char target[64];
    unsigned ids;
    Buf texts;
} Player;

static void player_tell(Player *player, const char *to, const char *act, const char *body)
{
    CLEANUP(buf_done) Buf out = {0};
    char id[32];

    snprintf(id, sizeof(id), ":p%d.%d.%u", player->number, getpid(), player->ids++);
    const MawStanza stanza = {
        .to = str_of(to),
        .id = str_of(id),
        .act = maw_act_of(str_of(act)),
        .has_body = true,
        .body = str_of(body),
    };
    maw_stanza_write(&stanza, &out);
    xmpp_client_send(player->client, buf_str(&out));
}

static void player_join(Player *player)
{
    char body[128];

    snprintf(body, sizeof(body), "{\"type\": \"join_lobby\", \"player_name\": \"%s\"}",
             player->name);
    player_tell(player, "gm@maw.localhost", "request", body);
}

/* The living in front of the alphabet are voted for: so all agree. */
static void player_vote(Player *player)
{
    char body[160];

    if (!player->alive || !player->target[0])
        return;
    snprintf(body, sizeof(body), "{\"type\": \"vote\", \"target\": \"%s\"}", player->target);
    player_tell(player, "gm@maw.localhost", "request", body);
}

static void player_say(Player *player, const char *words)
{
    char body[160];

    snprintf(body, sizeof(body), "{\"type\": \"chat\", \"message\": \"%s\"}", words);
    player_tell(player, player->room, "request", body);
}

static void player_fetch(Player *player)
{
    char body[80];
    int room = strstr(player->room, "hideout") ? 1 : 0;

    if (!player->room[0])
        return;
    snprintf(body, sizeof(body), "{\"type\": \"get_new_messages\", \"index\": %lld}",
             (long long)player->index[room]);
    player_tell(player, player->room, "query-ref", body);
}

static bool is_listed(const json_t *list, const char *jid)
{
    for (size_t i = 0; i < json_count(list); i++) {
        Str text;
        if (json_as_str(json_at(list, i), &text) && str_eq(text, str_of(jid)))
            return true;
    }
    return false;
}

/* A room opens: whom to vote for in it. */
static void player_enter(Player *player, const MawStanza *stanza, const json_t *body)
{
    const json_t *list = json_get(body, "players");
    bool hideout = str_starts(stanza->from, STR("hideout@"));

    if (str_starts(stanza->from, STR("lobby@")))
        return;
    snprintf(player->room, sizeof(player->room), "%.*s", STR_ARG(stanza->from));
    if (!hideout) {
        player->living_count = 0;
        for (size_t i = 0; i < json_count(list) && i < PLAYERS; i++) {
            Str text = {NULL, 0};
            json_as_str(json_at(list, i), &text);
            snprintf(player->living[player->living_count++], 64, "%.*s", STR_ARG(text));
        }
    }
    player->target[0] = '\0';
    for (int i = 0; i < player->living_count; i++) {
        const char *other = player->living[i];
        bool possible = strcmp(other, player->jid) != 0 && !(hideout && is_listed(list, other));
        if (possible && (!player->target[0] || strcmp(other, player->target) < 0))
            snprintf(player->target, sizeof(player->target), "%s", other);
    }
    if (!is_listed(list, player->jid))
        return;
    player_say(player, "I have a <bad> feeling & \\\"no\\\" proof.");
    player_vote(player);
}

static void player_bury(Player *player, Str jid)
{
    for (int i = 0; i < player->living_count; i++)
        if (str_eq(jid, str_of(player->living[i])))
            memcpy(player->living[i], player->living[--player->living_count], 64);
}

static void player_report(Player *player, Str winner)
{
    const Report report = {player->number, player->round, player->wolf, player->alive,
                           str_eq(winner, STR("Werewolves"))};

    if (write(player->report_to, &report, sizeof(report)) != (ssize_t)sizeof(report))
        _exit(3);
}

static void player_hear(Player *player, const MawStanza *stanza, const json_t *body, Str type)
{
    Str text = {NULL, 0};
    int64_t next;

    if (str_eq(type, STR("join_confirmed"))) {
        player->joined = true;
    } else if (str_eq(type, STR("start_game"))) {
        player->round += !player->playing; /* who joins again is told again */
        player->playing = true;
        player->alive = true;
        player->room[0] = '\0';
    } else if (str_eq(type, STR("assign_role"))) {
        json_as_str(json_get(body, "role"), &text);
        player->wolf = str_eq(text, STR("Werewolf"));
    } else if (str_eq(type, STR("announce_open"))) {
        player_enter(player, stanza, body);
    } else if (str_eq(type, STR("vote_result"))) {
        if (json_as_str(json_get(body, "target"), &text))
            player_bury(player, text);
    } else if (str_eq(type, STR("kill"))) {
        player->alive = false;
    } else if (str_eq(type, STR("new_messages"))) {
        int room = str_starts(stanza->from, STR("hideout@")) ? 1 : 0;
        if (json_as_int(json_get(body, "next"), &next))
            player->index[room] = next;
    } else if (str_eq(type, STR("end_game"))) {
        json_as_str(json_get(body, "winning_team"), &text);
        player_report(player, text);
        player->playing = false;
        player->room[0] = '\0';
    } else if (str_eq(type, STR("session_end"))) {
        player->done = true;
        loop_stop(player->loop);
    }
}

static void player_on_stanza(void *user, const XmlNode *message, TimeUs at)
{
    Player *player = user;
    MawStanza stanza;
    json_t *body = NULL;
    Str type;

    (void)at;
    buf_clear(&player->texts);
    if (!maw_stanza_read(message, &player->texts, &stanza) || stanza.type == STANZA_ERROR ||
        json_read(stanza.body, SIZE_MAX, &body, NULL))
        return;
    /* Whoever else writes is no game master of ours. */
    if (str_eq(jid_domain(stanza.from), STR("maw.localhost")) &&
        json_as_str(json_get(body, "type"), &type))
        player_hear(player, &stanza, body, type);
    json_done(body);
}

/* As SPADE's player behaves when its connection is new: it joins. */
static void player_on_state(void *user, bool up, Str jid, const char *why, TimeUs now)
{
    Player *player = user;

    (void)now;
    (void)jid;
    (void)why;
    player->joined = false;
    if (up)
        player_join(player);
}

static void player_on_refused(void *user, const char *why, TimeUs at)
{
    (void)at;
    fprintf(stderr, "player %d: %s\n", ((Player *)user)->number, why);
    _exit(4);
}

static void player_on_timer(void *user, TimeUs now)
{
    Player *player = user;

    (void)now;
    if (!player->joined)
        player_join(player);
    player_fetch(player);
    for (int i = 0; player->flood && i < 200; i++)
        player_tell(player, i % 2 ? "gm@maw.localhost" : "village@maw.localhost", "request",
                    i % 3 ? "{\"type\": \"chat\", \"message\": \"spam\"}" : "{\"nonsense\": [");
    timer_at(player->timer, loop_now() + POLL, false);
}

static _Noreturn void be_player(Player *player, uint16_t port)
{
    const XmppClientSetup setup = {
        .jid = player->jid,
        .password = "secret",
        .host = "127.0.0.1",
        .port = port,
        .tls = XMPP_TLS_TRUST, /* SPADE insists on TLS */
        .register_account = true,
        .seed = (uint64_t)player->number,
        .wait_ms = 100,
        .events = {player_on_state, player_on_stanza, player_on_refused},
        .user = player,
    };

    if (loop_new(&player->loop, NULL) ||
        timer_new(player->loop, player_on_timer, player, &player->timer, NULL) ||
        xmpp_client_new(player->loop, &setup, &player->client, NULL))
        _exit(2);
    timer_at(player->timer, loop_now() + POLL, false);
    loop_run(player->loop);
    _exit(player->done ? 0 : 1);
}

/* ---- the test's process ---- */

typedef enum Trouble {
    TROUBLE_NONE,
    TROUBLE_RESTART, /* of the server, in a round */
    TROUBLE_KILL,    /* of the server, in a round */
    TROUBLE_PLAYER,  /* one is killed in a round and comes back */
    TROUBLE_FLOOD,   /* one sends thousands of messages */
    TROUBLE_FORGERY, /* a stranger speaks as the game master, and as a player */
} Trouble;

typedef struct Stage {
    XmppServer server;
    bool started;
    Loop *loop;
    Timer *limit;
    Timer *later;
    Master master;
    pid_t players[PLAYERS];
    int reports[2];
    Trouble trouble;
    bool troubled;
    bool over_time;
    XmppClient *enemy;
    unsigned enemy_ups, enemy_downs;
} Stage;

static void start_player(Stage *stage, int number)
{
    Player player = {.number = number,
                     .report_to = stage->reports[1],
                     .flood = stage->trouble == TROUBLE_FLOOD && number == 2};
    pid_t parent = getpid();

    snprintf(player.jid, sizeof(player.jid), "player%d@localhost", number);
    snprintf(player.name, sizeof(player.name), "Player%d", number);
    stage->players[number] = fork();
    if (stage->players[number])
        return;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent)
        _exit(5);
    for (int fd = 3; fd < 256; fd++)
        if (fd != stage->reports[1])
            close(fd);
    be_player(&player, stage->server.client_port);
}

static void on_limit(void *user, TimeUs now)
{
    Stage *stage = user;

    (void)now;
    stage->over_time = true;
    loop_stop(stage->loop);
}

static void on_later(void *user, TimeUs now)
{
    Stage *stage = user;

    (void)now;
    if (stage->trouble == TROUBLE_PLAYER) {
        start_player(stage, 3);
        return;
    }
    xmpp_server_again(&stage->server);
    timer_at(stage->limit, loop_now() + LIMIT, false); /* a server's start may take most of it */
}

static void forge(Stage *stage)
{
    static const char *const forged[] = {
        "<message type='chat' from='gm@maw.localhost' to='player1@localhost'>"
        "<body>{\"type\":\"kill\"}</body></message>",
        "<message type='chat' from='player1@localhost' to='gm@maw.localhost'>"
        "<body>{\"type\":\"vote\",\"target\":\"player1@localhost\"}</body></message>",
        "<message type='chat' from='gm@maw.localhost' to='village@maw.localhost'>"
        "<body>{\"type\":\"close_room\"}</body></message>",
        "<message type='chat' to='village@maw.localhost'>"
        "<body>{\"type\":\"chat\",\"message\":\"let me in\"}</body></message>",
    };

    for (size_t i = 0; i < sizeof(forged) / sizeof(forged[0]); i++)
        xmpp_client_send(stage->enemy, str_of(forged[i]));
}

static void enemy_on_state(void *user, bool up, Str jid, const char *why, TimeUs now)
{
    Stage *stage = user;

    (void)now;
    (void)jid;
    (void)why;
    stage->enemy_ups += up;
    stage->enemy_downs += !up;
    if (up)
        forge(stage);
}

static void enemy_on_stanza(void *user, const XmlNode *message, TimeUs at)
{
    (void)user;
    (void)message;
    (void)at;
}

static void enemy_on_refused(void *user, const char *why, TimeUs at)
{
    (void)at;
    (void)user;
    fail_msg("%s", why);
}

static void make_trouble(Stage *stage)
{
    const XmppClientSetup enemy = {
        .jid = "eve@localhost",
        .password = "secret",
        .host = "127.0.0.1",
        .port = stage->server.client_port,
        .tls = XMPP_TLS_OPTIONAL,
        .register_account = true,
        .wait_ms = 50,
        .events = {enemy_on_state, enemy_on_stanza, enemy_on_refused},
        .user = stage,
    };

    stage->troubled = true;
    if (stage->trouble == TROUBLE_FORGERY) {
        assert_int_equal(xmpp_client_new(stage->loop, &enemy, &stage->enemy, NULL), 0);
        return;
    }
    if (stage->trouble == TROUBLE_PLAYER) {
        kill(stage->players[3], SIGKILL);
        waitpid(stage->players[3], NULL, 0);
    } else if (stage->trouble == TROUBLE_RESTART) {
        xmpp_server_stop(&stage->server);
    } else if (stage->trouble == TROUBLE_KILL) {
        xmpp_server_kill(&stage->server);
    } else {
        return;
    }
    timer_at(stage->later, loop_now() + 300000, false);
}

static void on_turn(void *user)
{
    Stage *stage = user;
    uint32_t when = stage->trouble == TROUBLE_FORGERY ? 1 : 2; /* an account has to be made first */

    if (!stage->troubled && maw_session_round(stage->master.session) == when &&
        maw_session_state(stage->master.session) == MAW_DAY)
        make_trouble(stage);
}

/* ---- what came of it ---- */

typedef struct Tally {
    Report reports[ROUNDS][PLAYERS];
    bool has[ROUNDS][PLAYERS];
} Tally;

/* Reports of rounds; a player that was started again counts from 1 again. */
static void read_reports(Stage *stage, Tally *tally)
{
    Report report;
    int behind = 0;

    close(stage->reports[1]);
    while (read(stage->reports[0], &report, sizeof(report)) == (ssize_t)sizeof(report)) {
        int round = report.round;

        if (report.player == 3 && stage->trouble == TROUBLE_PLAYER) {
            if (round == 1 && tally->has[0][3])
                behind = 1;
            round += behind;
        }
        assert_in_range(round, 1, ROUNDS);
        tally->reports[round - 1][report.player] = report;
        tally->has[round - 1][report.player] = true;
    }
}

/* The points of a player, by what the players themselves saw. */
static int64_t points_of(const Tally *tally, int player)
{
    int64_t points = 0;

    for (int round = 0; round < ROUNDS; round++) {
        int survivors = 0;
        const Report *mine = &tally->reports[round][player];

        for (int p = 0; p < PLAYERS; p++) {
            const Report *report = &tally->reports[round][p];
            survivors += !report->wolf && report->alive;
        }
        if (mine->wolves_won && mine->wolf)
            points += VILLAGERS_AT_FIRST;
        else if (!mine->wolves_won && !mine->wolf)
            points += survivors;
    }
    return points;
}

static void check_leaderboard(const Stage *stage, const Tally *tally)
{
    MawStanding standing;
    int64_t last = INT64_MAX;
    int seen = 0;

    for (uint32_t i = 0; maw_session_standing(stage->master.session, i, &standing); i++, seen++) {
        uint64_t number;

        assert_true(standing.points <= last);
        last = standing.points;
        assert_true(str_to_uint(str_part(standing.name, 6, SIZE_MAX), PLAYERS - 1, &number));
        assert_int_equal(standing.points, points_of(tally, (int)number));
    }
    assert_int_equal(seen, PLAYERS);
    assert_true(last < INT64_MAX);
}

static void play(Stage *stage, Trouble trouble)
{
    MawOptions options = maw_options_default();
    Ruleset rules;

    assert_int_equal(ruleset_preset(STR("maw"), &rules, NULL), 0);
    rules.talk.duration_ms = 1500;
    rules.whisper.duration_ms = 1500;
    options.rounds = ROUNDS;
    options.scores_ms = 200;
    options.rejoin_ms = 20000;
    options.pause_after_ms = 100;
    stage->trouble = trouble;
    assert_int_equal(pipe(stage->reports), 0);
    for (int p = 0; p < PLAYERS; p++)
        start_player(stage, p);
    assert_int_equal(loop_new(&stage->loop, NULL), 0);
    assert_int_equal(timer_new(stage->loop, on_limit, stage, &stage->limit, NULL), 0);
    assert_int_equal(timer_new(stage->loop, on_later, stage, &stage->later, NULL), 0);
    master_open(&stage->master, stage->loop, stage->server.component_port, &rules, &options);
    stage->master.turned = on_turn;
    stage->master.user = stage;
    timer_at(stage->limit, loop_now() + LIMIT, false);
    loop_run(stage->loop);
    if (stage->over_time)
        print_message("round %u, state %d, %u messages, link up %u down %u\n",
                      maw_session_round(stage->master.session),
                      (int)maw_session_state(stage->master.session), stage->master.messages,
                      stage->master.ups, stage->master.downs);
    assert_false(stage->over_time);
    assert_true(maw_session_over(stage->master.session));
    assert_true(stage->troubled);
}

static void players_end(Stage *stage, Tally *tally)
{
    /* The last messages go out. */
    stage->master.component = xmpp_component_free(stage->master.component);
    timer_at(stage->limit, loop_now() + 200000, false);
    loop_run(stage->loop);
    for (int p = 0; p < PLAYERS; p++) {
        int status = -1;
        int64_t end = xmpp_server_now_ms() + 10000;

        while (waitpid(stage->players[p], &status, WNOHANG) == 0 && xmpp_server_now_ms() < end)
            xmpp_server_sleep_ms(10);
        if (!WIFEXITED(status) || WEXITSTATUS(status))
            fail_msg("player %d: status %d", p, status);
        stage->players[p] = 0;
    }
    read_reports(stage, tally);
}

static void play_and_check(Stage *stage, Trouble trouble)
{
    Tally tally = {0};

    play(stage, trouble);
    players_end(stage, &tally);
    for (int round = 0; round < ROUNDS; round++)
        for (int p = 0; p < PLAYERS; p++)
            assert_true(tally.has[round][p]);
    check_leaderboard(stage, &tally);
    assert_int_equal(maw_session_round(stage->master.session), ROUNDS);
}

/* ---- tests ---- */

static int stage_open(void **state, XmppServerKind kind)
{
    Stage *stage = calloc(1, sizeof(*stage));
    const char *missing = xmpp_server_missing(kind);

    assert_non_null(stage);
    *state = stage;
    if (missing) {
        print_message("%s: its tests are skipped\n", missing);
        return 0;
    }
    xmpp_server_start(&stage->server, kind);
    stage->started = true;
    return 0;
}

static int open_prosody(void **state)
{
    return stage_open(state, XMPP_PROSODY);
}

static int open_ejabberd(void **state)
{
    return stage_open(state, XMPP_EJABBERD);
}

static int stage_close(void **state)
{
    Stage *stage = *state;

    if (stage->started)
        xmpp_server_done(&stage->server);
    free(stage);
    return 0;
}

static int session_close(void **state)
{
    Stage *stage = *state;

    if (!stage->started)
        return 0;
    for (int p = 0; p < PLAYERS; p++) {
        if (stage->players[p]) {
            kill(stage->players[p], SIGKILL);
            waitpid(stage->players[p], NULL, 0);
        }
    }
    master_done(&stage->master);
    loop_free(stage->loop);
    close(stage->reports[0]);
    *stage = (Stage){.server = stage->server, .started = true};
    return 0;
}

static Stage *stage_of(void **state)
{
    Stage *stage = *state;

    if (!stage->started)
        skip();
    return stage;
}

static void three_rounds_are_played_and_the_leaderboard_is_right(void **state)
{
    play_and_check(stage_of(state), TROUBLE_NONE);
}

static void a_session_survives_a_restart_of_the_server(void **state)
{
    Stage *stage = stage_of(state);
    Tally tally = {0};

    play(stage, TROUBLE_RESTART);
    assert_int_equal(stage->master.ups, 2);
    players_end(stage, &tally);
    assert_int_equal(maw_session_round(stage->master.session), ROUNDS);
}

static void a_session_survives_the_end_of_the_server(void **state)
{
    Stage *stage = stage_of(state);
    Tally tally = {0};

    play(stage, TROUBLE_KILL);
    assert_int_equal(stage->master.ups, 2);
    players_end(stage, &tally);
    assert_int_equal(maw_session_round(stage->master.session), ROUNDS);
}

static void a_player_that_was_killed_comes_back(void **state)
{
    Stage *stage = stage_of(state);
    Tally tally = {0};

    play(stage, TROUBLE_PLAYER);
    players_end(stage, &tally);
    assert_int_equal(maw_session_round(stage->master.session), ROUNDS);
    assert_int_equal(stage->master.downs, 0);
}

static void a_flood_of_one_player_does_not_stop_the_others(void **state)
{
    play_and_check(stage_of(state), TROUBLE_FLOOD);
}

static void forged_senders_change_nothing(void **state)
{
    Stage *stage = stage_of(state);

    play_and_check(stage, TROUBLE_FORGERY);
    assert_true(stage->enemy_ups > 0);
    assert_int_equal(stage->master.downs, 0);
}

#define TEST(name) cmocka_unit_test_teardown(name, session_close)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(three_rounds_are_played_and_the_leaderboard_is_right),
        TEST(a_session_survives_a_restart_of_the_server),
        TEST(a_session_survives_the_end_of_the_server),
        TEST(a_player_that_was_killed_comes_back),
        TEST(a_flood_of_one_player_does_not_stop_the_others),
        TEST(forged_senders_change_nothing),
    };
    int failed = cmocka_run_group_tests_name("prosody", tests, open_prosody, stage_close);

    return failed + cmocka_run_group_tests_name("ejabberd", tests, open_ejabberd, stage_close);
}
