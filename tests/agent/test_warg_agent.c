#define _GNU_SOURCE /* memmem */
#include "wire/recording.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <pthread.h>
#include <sys/socket.h>
#include <unistd.h>

#include <warg_agent.h>

/* ---- a server with a script: says its lines, waits for an answer where one is due ---- */

typedef struct Server {
    int door;
    const char *lines; /* each with its LF */
    Buf answers;       /* what was answered, each with its LF */
    pthread_t thread;
    int port;
} Server;

static bool wants_answer(Str line)
{
    static const char *const none[] = {"INITIALIZE", "DAILY_INITIALIZE", "DAILY_FINISH", "FINISH"};
    CLEANUP(buf_done) Buf key = {0};

    for (size_t i = 0; i < sizeof(none) / sizeof(none[0]); i++) {
        buf_clear(&key);
        buf_printf(&key, "\"request\":\"%s\"", none[i]);
        if (memmem(line.bytes, line.len, key.bytes, key.len))
            return false;
    }
    return memmem(line.bytes, line.len, "\"request\"", 9) != NULL;
}

static void read_answer(int fd, Buf *answers)
{
    char byte;

    while (recv(fd, &byte, 1, 0) == 1) {
        buf_add_char(answers, byte);
        if (byte == '\n')
            return;
    }
}

static void *serve(void *user)
{
    Server *server = user;
    int fd = accept(server->door, NULL, NULL);
    char byte;

    for (Str rest = str_of(server->lines); rest.len;) {
        Str line = str_cut(&rest, '\n');
        line.len++; /* in two pieces, its LF in the second */
        size_t half = line.len / 2;
        send(fd, line.bytes, half, MSG_NOSIGNAL);
        send(fd, line.bytes + half, line.len - half, MSG_NOSIGNAL);
        if (wants_answer(line))
            read_answer(fd, &server->answers);
    }
    shutdown(fd, SHUT_WR);
    while (recv(fd, &byte, 1, 0) == 1)
        buf_add_char(&server->answers, byte); /* an answer that nobody asked for */
    close(fd);
    return NULL;
}

static void server_start(Server *server, const char *lines)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof(address);

    *server = (Server){.lines = lines};
    server->door = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    assert_int_equal(bind(server->door, (struct sockaddr *)&address, sizeof(address)), 0);
    assert_int_equal(listen(server->door, 1), 0);
    assert_int_equal(getsockname(server->door, (struct sockaddr *)&address, &size), 0);
    server->port = ntohs(address.sin_port);
    assert_int_equal(pthread_create(&server->thread, NULL, serve, server), 0);
}

static void server_done(Server *server)
{
    pthread_join(server->thread, NULL);
    close(server->door);
}

/* What the agent answers to these lines; *ret_result how it went. */
static void play(const char *lines, const WargAgent *agent, void *user, int *ret_result,
                 Buf *ret_answers)
{
    Server server;

    server_start(&server, lines);
    *ret_result = warg_agent_play("127.0.0.1", server.port, NULL, agent, user);
    server_done(&server);
    *ret_answers = server.answers;
}

/* ---- an agent that writes down what it is told ---- */

typedef struct Diary {
    Buf text;
    Buf reports;
    char said[256];
} Diary;

static void on_initialize(const WargGame *game, void *user)
{
    Diary *diary = user;

    buf_printf(&diary->text, "I am %d of %d, a %s.", warg_me(game), warg_agent_count(game),
               warg_role_name(warg_my_role(game)));
    assert_int_equal(warg_talk_count(game), 0);
}

static void on_day_start(const WargGame *game, void *user)
{
    Diary *diary = user;

    WargSpecies result = WARG_SPECIES_NONE;

    buf_printf(&diary->text, " Day %d:", warg_day(game));
    if (warg_divined(game, &result))
        buf_printf(&diary->text, " %d is %s.", warg_divined(game, NULL),
                   result == WARG_SPECIES_WEREWOLF ? "a wolf" : "human");
    for (int i = 0; warg_died_last_night(game, i); i++)
        buf_printf(&diary->text, " %d died.", warg_died_last_night(game, i));
}

static void on_heard(const WargGame *game, const WargTalk *talk, void *user)
{
    Diary *diary = user;

    assert_true(talk->day == warg_day(game));
    buf_printf(&diary->text, " %d:'%s'", talk->agent, talk->text);
}

static void on_day_end(const WargGame *game, void *user)
{
    Diary *diary = user;

    buf_printf(&diary->text, " Evening of %d talks.", warg_talk_count(game));
}

static void on_finish(const WargGame *game, void *user)
{
    Diary *diary = user;

    buf_printf(&diary->text, " Side %d wins.\n", (int)warg_winner(game));
}

static const char *on_talk(const WargGame *game, void *user)
{
    Diary *diary = user;

    warg_say_comingout(diary->said, sizeof(diary->said), warg_me(game), WARG_SEER);
    return diary->said;
}

static int on_vote(const WargGame *game, void *user)
{
    (void)user;
    return warg_is_revote(game) ? 2 : 3;
}

static void on_report(const char *message, void *user)
{
    Diary *diary = user;

    buf_printf(&diary->reports, "%s\n", message);
}

static const WargAgent diarist = {.name = "diarist",
                                  .wish = WARG_SEER,
                                  .initialize = on_initialize,
                                  .day_start = on_day_start,
                                  .heard = on_heard,
                                  .day_end = on_day_end,
                                  .finish = on_finish,
                                  .talk = on_talk,
                                  .vote = on_vote,
                                  .report = on_report};

static void diary_done(Diary *diary)
{
    buf_done(&diary->text);
    buf_done(&diary->reports);
}

#define PACKET(name)  "{\"request\":\"" name "\"}\n"
#define STATUS(third) "\"statusMap\":{\"1\":\"ALIVE\",\"2\":\"ALIVE\",\"3\":\"" third "\"}"
#define BEGIN                                                                                      \
    "{\"request\":\"INITIALIZE\",\"gameInfo\":{\"agent\":1,\"day\":0,\"roleMap\":{\"1\":\"SEER\"}" \
    "," STATUS("ALIVE") "}}\n"
#define TALK(list) "{\"request\":\"TALK\",\"talkHistory\":[" list "]}\n"
#define SAID(agent, idx, text)                                                                     \
    "{\"agent\":" agent ",\"day\":1,\"idx\":" idx ",\"turn\":0,\"text\":\"" text "\"}"
#define DAWN                                                                                       \
    "{\"request\":\"DAILY_INITIALIZE\",\"gameInfo\":{\"agent\":1,\"day\":1," STATUS(               \
        "ALIVE") ",\"divineResult\":{\"agent\":1,\"day\":1,\"target\":2,\"result\":\"WEREWOLF\"}}" \
                 "}\n"
#define END                                                                                        \
    "{\"request\":\"FINISH\",\"gameInfo\":{\"agent\":1,\"day\":2,\"roleMap\":{\"1\":\"SEER\","     \
    "\"2\":\"WEREWOLF\",\"3\":\"VILLAGER\"}," STATUS("DEAD") "}}\n"

static void an_agent_is_told_what_happens_and_asked_what_it_does(void **state)
{
    static const char lines[] = PACKET("NAME") PACKET("ROLE") BEGIN DAWN TALK("")
        TALK(SAID("2", "0", "Skip") "," SAID("1", "1", "COMINGOUT Agent[01] SEER"))
            TALK(SAID("2", "0", "Skip") "," SAID("3", "2", "Over")) PACKET("DAILY_FINISH")
                PACKET("VOTE") END;
    Diary diary = {0};
    Buf answers;
    int result;

    (void)state;
    play(lines, &diarist, &diary, &result, &answers);
    assert_int_equal(result, WARG_PLAYED);
    assert_string_equal(buf_cstr(&answers), "diarist\nSEER\n"
                                            "COMINGOUT Agent[01] SEER\nCOMINGOUT Agent[01] SEER\n"
                                            "COMINGOUT Agent[01] SEER\n{\"agentIdx\":3}\n");
    assert_string_equal(buf_cstr(&diary.text),
                        "I am 1 of 3, a SEER. Day 1: 2 is a wolf. 2:'Skip' "
                        "1:'COMINGOUT Agent[01] SEER' 3:'Over' Evening of 3 talks. Side 2 wins.\n");
    assert_string_equal(buf_cstr(&diary.reports), "");
    buf_done(&answers);
    diary_done(&diary);
}

static void without_callbacks_an_agent_plays_on_all_the_same(void **state)
{
    static const WargAgent idle = {0};
    Recording recording = recording_read("default-5p.jsonl.gz");

    (void)state;
    for (SeatNo seat = 1; seat <= 5; seat++) {
        CLEANUP(buf_done) Buf lines = {0};
        Buf answers;
        int result;
        for (size_t i = 0; i < recording.count; i++)
            if (recording.items[i].agent == seat && strcmp(recording.items[i].dir, "s2c") == 0 &&
                !recording.items[i].ended) {
                buf_add(&lines, recording.items[i].line);
                buf_add_char(&lines, '\n');
            }
        play(buf_cstr(&lines), &idle, NULL, &result, &answers);
        assert_int_equal(result, WARG_PLAYED);
        assert_true(str_starts(buf_str(&answers), STR("agent\n")));
        assert_non_null(strstr(buf_cstr(&answers), "Over\n"));
        assert_non_null(strstr(buf_cstr(&answers), "{\"agentIdx\":"));
        assert_null(strstr(buf_cstr(&answers), "{\"agentIdx\":0}"));
        buf_done(&answers);
    }
    recording_done(&recording);
}

static const char *nonsense(const WargGame *game, void *user)
{
    (void)game, (void)user;
    return "I am the seer!\nReally.";
}

static int far_away(const WargGame *game, void *user)
{
    (void)game, (void)user;
    return 70000;
}

static void what_can_not_be_said_is_reported_and_skipped(void **state)
{
    static const WargAgent wrong = {.talk = nonsense, .vote = far_away, .report = on_report};
    Diary diary = {0};
    Buf answers;
    int result;

    (void)state;
    play(BEGIN TALK("") PACKET("VOTE") END, &wrong, &diary, &result, &answers);
    assert_int_equal(result, WARG_PLAYED);
    assert_string_equal(buf_cstr(&answers), "Skip\n{\"agentIdx\":0}\n");
    assert_non_null(strstr(buf_cstr(&diary.reports), "I am the seer!"));
    buf_done(&answers);
    diary_done(&diary);
}

static void an_end_that_is_none_is_reported(void **state)
{
    static const struct {
        const char *lines;
        const char *about;
    } cases[] = {
        {"", "without a word"},
        {PACKET("NAME"), "before the game was over"},
        {BEGIN TALK(""), "before the game was over"},
        {"hello\n", "not JSON"},
        {PACKET("VOTE"), "before any INITIALIZE"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        Diary diary = {0};
        Buf answers;
        int result;
        play(cases[i].lines, &diarist, &diary, &result, &answers);
        assert_int_equal(result, WARG_LOST);
        if (!strstr(buf_cstr(&diary.reports), cases[i].about))
            fail_msg("expected '%s' in: %s", cases[i].about, buf_cstr(&diary.reports));
        buf_done(&answers);
        diary_done(&diary);
    }
}

/* ---- sentences ---- */

static void a_sentence_is_read_as_the_statements_it_makes(void **state)
{
    WargStatement said[3];

    (void)state;
    assert_int_equal(warg_read("COMINGOUT Agent[05] SEER", 5, said, 3), 1);
    assert_true(said[0].topic == WARG_COMINGOUT && said[0].subject == 5 && said[0].target == 5 &&
                said[0].role == WARG_SEER && said[0].asked == -1 && said[0].day == -1);
    assert_int_equal(warg_read("BECAUSE (DAY 1 (DIVINED Agent[03] WEREWOLF)) "
                               "(REQUEST ANY (VOTE Agent[03]))",
                               2, said, 3),
                     2);
    assert_true(said[0].topic == WARG_DIVINED && said[0].subject == 2 && said[0].target == 3 &&
                said[0].result == WARG_SPECIES_WEREWOLF && said[0].day == 1 && said[0].asked == -1);
    assert_true(said[1].topic == WARG_VOTE && said[1].target == 3 && said[1].asked == 0 &&
                said[1].day == -1 && said[1].subject == 0);
    assert_int_equal(
        warg_read("AND (VOTE Agent[01]) (VOTE Agent[02]) (VOTE Agent[03])", 4, said, 2), 3);
    assert_int_equal(said[1].target, 2);
    assert_int_equal(warg_read("NOT (VOTE Agent[01])", 4, said, 3), 1);
    assert_int_equal(said[0].topic, WARG_OTHER);
    assert_int_equal(warg_read("AGREE TALK day2 ID:7", 4, said, 3), 1);
    assert_true(said[0].topic == WARG_AGREE && said[0].day == 2 && said[0].id == 7);
    assert_int_equal(warg_read("Skip", 4, said, 3), 1);
    assert_int_equal(said[0].topic, WARG_SKIP);
    assert_int_equal(warg_read("Hello there", 4, said, 3), 0);
    assert_int_equal(warg_read("", 4, said, 3), 0);
    assert_int_equal(warg_read("VOTE Agent[01]", 4, NULL, 0), 1);
}

static void a_sentence_is_written_whole_or_not_at_all(void **state)
{
    const WargTalk talk = {.agent = 3, .day = 1, .id = 4, .whisper = 1};
    char text[128], other[128];

    (void)state;
    assert_int_equal(warg_say_vote(text, sizeof(text), 3), strlen("VOTE Agent[03]"));
    assert_string_equal(text, "VOTE Agent[03]");
    assert_true(warg_say_request(text, sizeof(text), 0, text) > 0);
    assert_string_equal(text, "REQUEST ANY (VOTE Agent[03])");
    warg_say_divined(other, sizeof(other), 3, WARG_SPECIES_WEREWOLF);
    assert_true(warg_say_because(text, sizeof(text), other, text) > 0);
    assert_string_equal(text,
                        "BECAUSE (DIVINED Agent[03] WEREWOLF) (REQUEST ANY (VOTE Agent[03]))");
    assert_true(warg_say_day(text, sizeof(text), 2, other) > 0);
    assert_string_equal(text, "DAY 2 (DIVINED Agent[03] WEREWOLF)");
    assert_true(warg_say_agree(text, sizeof(text), &talk) > 0);
    assert_string_equal(text, "AGREE WHISPER day1 ID:4");
    assert_int_equal(warg_say_vote(text, 14, 3), 0);
    assert_string_equal(text, "");
    assert_int_equal(warg_say_vote(text, 15, 3), 14);
    assert_int_equal(warg_say_vote(NULL, 0, 3), 0);
    assert_int_equal(warg_say_comingout(text, sizeof(text), 1, (WargRole)99), 0);
    assert_int_equal(warg_say_request(text, sizeof(text), 0, "nonsense"), 0);
    assert_int_equal(warg_say_vote(text, sizeof(text), -4), 0);
}

static void each_topic_is_written_with_its_own_word_and_read_again(void **state)
{
    static const struct {
        int (*say)(char *out, size_t room, int target);
        WargTopic topic;
        const char *text;
    } targets[] = {
        {warg_say_guarded, WARG_GUARDED, "GUARDED Agent[02]"},
        {warg_say_vote, WARG_VOTE, "VOTE Agent[02]"},
        {warg_say_divination, WARG_DIVINATION, "DIVINATION Agent[02]"},
        {warg_say_guard, WARG_GUARD, "GUARD Agent[02]"},
        {warg_say_attack, WARG_ATTACK, "ATTACK Agent[02]"},
    };
    char text[64];
    WargStatement said;

    (void)state;
    for (size_t i = 0; i < sizeof(targets) / sizeof(targets[0]); i++) {
        assert_int_equal(targets[i].say(text, sizeof(text), 2), strlen(targets[i].text));
        assert_string_equal(text, targets[i].text);
        assert_int_equal(warg_read(text, 7, &said, 1), 1);
        assert_true(said.topic == targets[i].topic && said.subject == 7 && said.target == 2);
        assert_true(said.id == -1 && said.whisper == 0 && said.role == WARG_ROLE_NONE);
    }
    assert_int_equal(warg_read("VOTED Agent[02]", 7, &said, 1), 1);
    assert_int_equal(said.topic, WARG_VOTED);
    assert_int_equal(warg_read("ATTACKED Agent[02]", 7, &said, 1), 1);
    assert_int_equal(said.topic, WARG_ATTACKED);
    assert_int_equal(warg_read("Over", 7, &said, 1), 1);
    assert_true(said.topic == WARG_OVER && said.target == 0);
    assert_int_equal(warg_read("Agent[03] VOTE ANY", 7, &said, 1), 1);
    assert_true(said.subject == 3 && said.target == WARG_NOBODY);
}

static void each_sentence_has_its_words_in_their_order(void **state)
{
    const WargTalk talk = {.agent = 3, .day = 1, .id = 4};
    char text[128];
    WargStatement said;

    (void)state;
    assert_int_equal(warg_say_estimate(text, sizeof(text), 2, WARG_FOX), 22);
    assert_string_equal(text, "ESTIMATE Agent[02] FOX");
    assert_int_equal(warg_read(text, 7, &said, 1), 1);
    assert_true(said.topic == WARG_ESTIMATE && said.role == WARG_FOX && said.target == 2);
    assert_true(warg_say_identified(text, sizeof(text), 5, WARG_SPECIES_HUMAN) > 0);
    assert_string_equal(text, "IDENTIFIED Agent[05] HUMAN");
    assert_int_equal(warg_read(text, 7, &said, 1), 1);
    assert_true(said.topic == WARG_IDENTIFIED && said.result == WARG_SPECIES_HUMAN);
    assert_true(warg_say_disagree(text, sizeof(text), &talk) > 0);
    assert_string_equal(text, "DISAGREE TALK day1 ID:4");
    assert_int_equal(warg_read(text, 7, &said, 1), 1);
    assert_true(said.topic == WARG_DISAGREE && said.day == 1 && said.id == 4 && !said.whisper);
    assert_int_equal(warg_read("AGREE WHISPER day2 ID:7", 7, &said, 1), 1);
    assert_int_equal(said.whisper, 1);
    assert_true(warg_say_and(text, sizeof(text), "VOTE Agent[01]", "GUARD Agent[02]") > 0);
    assert_string_equal(text, "AND (VOTE Agent[01]) (GUARD Agent[02])");
    assert_true(warg_say_not(text, sizeof(text), "VOTE Agent[01]") > 0);
    assert_string_equal(text, "NOT (VOTE Agent[01])");
    assert_true(warg_say_request(text, sizeof(text), 6, "VOTE Agent[01]") > 0);
    assert_string_equal(text, "REQUEST Agent[06] (VOTE Agent[01])");
    assert_int_equal(warg_read(text, 7, &said, 1), 1);
    assert_int_equal(said.asked, 6);
    assert_true(warg_say_day(text, sizeof(text), 0, "VOTE Agent[01]") > 0);
    assert_string_equal(text, "DAY 0 (VOTE Agent[01])");
}

static void what_makes_no_sentence_is_not_written(void **state)
{
    char text[64] = "left";

    (void)state;
    assert_int_equal(warg_say_request(text, sizeof(text), -1, "VOTE Agent[01]"), 0);
    assert_string_equal(text, "");
    assert_int_equal(warg_say_day(text, sizeof(text), -1, "VOTE Agent[01]"), 0);
    assert_int_equal(warg_say_not(text, sizeof(text), "x"), 0);
    assert_int_equal(warg_say_and(text, sizeof(text), "VOTE Agent[01]", "x"), 0);
    assert_int_equal(warg_say_because(text, sizeof(text), "x", "VOTE Agent[01]"), 0);
    assert_int_equal(warg_say_estimate(text, sizeof(text), -1, WARG_SEER), 0);
    assert_int_equal(warg_say_estimate(text, sizeof(text), 1, (WargRole)-1), 0);
    assert_int_equal(warg_say_estimate(text, sizeof(text), 1, (WargRole)(WARG_FOX + 1)), 0);
    assert_int_equal(warg_say_divined(text, sizeof(text), -1, WARG_SPECIES_HUMAN), 0);
    assert_int_equal(warg_say_divined(text, sizeof(text), 1, (WargSpecies)-1), 0);
    assert_int_equal(warg_say_divined(text, sizeof(text), 1, (WargSpecies)3), 0);
    assert_true(warg_say_vote(text, sizeof(text), 0) > 0);
    assert_string_equal(text, "VOTE ANY");
}

/* ---- the command line ---- */

/* Splits a text at its blanks, as a shell. */
static int split_words(char *text, char *ret_words[static 10])
{
    int count = 0;

    for (char *word = strtok_r(text, " ", &text); word; word = strtok_r(NULL, " ", &text))
        ret_words[count++] = word;
    ret_words[count] = NULL;
    return count;
}

static int run_main(const char *command, const WargAgent *agent)
{
    char text[200], *words[10];

    snprintf(text, sizeof(text), "%s", command);
    return warg_agent_main(split_words(text, words), words, agent);
}

/* What goes to a descriptor while the agent's main runs with these words. */
static int main_output(const char *command, int fd, char *text, size_t room)
{
    int ends[2], kept = dup(fd);

    fflush(NULL);
    assert_int_equal(pipe(ends), 0);
    dup2(ends[1], fd);
    int status = run_main(command, &diarist);
    fflush(NULL);
    dup2(kept, fd);
    close(kept);
    close(ends[1]);
    ssize_t n = read(ends[0], text, room - 1);
    text[n > 0 ? n : 0] = '\0';
    close(ends[0]);
    return status;
}

static void a_command_line_that_is_wrong_is_answered_with_the_usage(void **state)
{
    static const struct {
        const char *command;
        const char *says;
    } cases[] = {
        {"a --port", "a: no such option: '--port'\nUsage: a ["},
        {"a -x 1", "a: no such option: '-x'"},
        {"a xp 1", "a: no such option: 'xp'"},
        {"a -h", "a: a value is missing behind '-h'"},
        {"a -p 0", "a: no port: '0'"},
        {"a -p 65536", "a: no port: '65536'"},
        {"a -p x", "a: no port: 'x'"},
    };
    char text[2000];

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        assert_int_equal(main_output(cases[i].command, STDERR_FILENO, text, sizeof(text)),
                         WARG_USAGE);
        assert_true(str_starts(str_of(text), str_of(cases[i].says)));
        assert_non_null(strstr(text, "Usage: a [-h HOST]"));
    }
    assert_int_equal(main_output("a --help", STDOUT_FILENO, text, sizeof(text)), WARG_PLAYED);
    assert_true(str_starts(str_of(text), STR("Usage: a [-h HOST] [-p PORT] [-n NAME] [-r ROLE]")));
}

static void a_command_line_names_server_agent_and_wish(void **state)
{
    static const WargAgent plain = {.wish = WARG_SEER};
    Server server;
    char command[100];

    (void)state;
    server_start(&server, PACKET("NAME") PACKET("ROLE") BEGIN END);
    snprintf(command, sizeof(command), "a -h localhost -r FOX -n me -p %d", server.port);
    assert_int_equal(run_main(command, &plain), WARG_PLAYED);
    server_done(&server);
    assert_string_equal(buf_cstr(&server.answers), "me\nFOX\n");
    buf_done(&server.answers);
    server_start(&server, PACKET("NAME") PACKET("ROLE") BEGIN END);
    snprintf(command, sizeof(command), "a -p %d", server.port);
    assert_int_equal(run_main(command, &plain), WARG_PLAYED);
    server_done(&server);
    assert_string_equal(buf_cstr(&server.answers), "agent\nSEER\n");
    buf_done(&server.answers);
}

static void words_are_named(void **state)
{
    (void)state;
    assert_string_equal(warg_role_name(WARG_POSSESSED), "POSSESSED");
    assert_string_equal(warg_role_name((WargRole)-3), "NONE");
    assert_int_equal(warg_role_of("FOX"), WARG_FOX);
    assert_int_equal(warg_role_of("fox"), WARG_ROLE_NONE);
    assert_int_equal(warg_role_of(NULL), WARG_ROLE_NONE);
    assert_int_equal(warg_side_of(WARG_POSSESSED), WARG_SIDE_WEREWOLF);
    assert_true(warg_version()[0] != '\0');
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_agent_is_told_what_happens_and_asked_what_it_does),
        cmocka_unit_test(without_callbacks_an_agent_plays_on_all_the_same),
        cmocka_unit_test(what_can_not_be_said_is_reported_and_skipped),
        cmocka_unit_test(an_end_that_is_none_is_reported),
        cmocka_unit_test(a_sentence_is_read_as_the_statements_it_makes),
        cmocka_unit_test(a_sentence_is_written_whole_or_not_at_all),
        cmocka_unit_test(each_topic_is_written_with_its_own_word_and_read_again),
        cmocka_unit_test(each_sentence_has_its_words_in_their_order),
        cmocka_unit_test(what_makes_no_sentence_is_not_written),
        cmocka_unit_test(a_command_line_that_is_wrong_is_answered_with_the_usage),
        cmocka_unit_test(a_command_line_names_server_agent_and_wish),
        cmocka_unit_test(words_are_named),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
