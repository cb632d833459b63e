#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "contest/starter_lib.h"

#include "contest/starter_file.h"
#include "contest/starter_settings.h"

static char folder[512]; /* with the examples */

static int find_folder(void **state)
{
    (void)state;
    snprintf(folder, sizeof(folder), "%s/starters", getenv("WARG_TEST_DATA"));
    return 0;
}

static Plan plan_of_file(const char *name, StarterSettings *settings)
{
    char path[600];
    Plan plan;
    Err err = {0};

    snprintf(path, sizeof(path), "%s/%s", folder, name);
    assert_int_equal(plan_init(&plan, NULL), 0);
    if (starter_file_load(path, &plan, settings, &err) || plan_check(&plan, &err))
        fail_msg("%s, line %u: %s", name, err.line, err.msg);
    return plan;
}

static Plan plan_of_text(const char *text, StarterSettings *settings)
{
    Plan plan;
    Err err = {0};

    assert_int_equal(plan_init(&plan, NULL), 0);
    if (starter_text_load(str_of(text), "", &plan, settings, &err))
        fail_msg("line %u: %s", err.line, err.msg);
    return plan;
}

static void assert_error(const Err *err, unsigned line, const char *message)
{
    assert_int_equal(err->line, line);
    if (!strstr(err->msg, message))
        fail_msg("'%s' is not in '%s'", message, err->msg);
}

static void assert_refused(const char *text, unsigned line, const char *message)
{
    CLEANUP(plan_done) Plan plan;
    StarterSettings settings;
    Err err = {0};

    assert_int_equal(plan_init(&plan, NULL), 0);
    int rc = starter_text_load(str_of(text), "", &plan, &settings, &err);
    if (rc == 0)
        fail_msg("taken: %s", text);
    assert_int_equal(rc, err.code);
    assert_error(&err, line, message);
}

static void assert_agent(const Plan *plan, uint32_t index, const char *name, const char *command)
{
    assert_string_equal(plan->agents[index].name, name);
    assert_string_equal(plan->agents[index].command, command);
    assert_null(plan->agents[index].bot);
    assert_int_equal(plan->agents[index].fixed, ROLE_NONE);
}

static void make(const char *root, const char *name, bool folder_too)
{
    char path[256];

    snprintf(path, sizeof(path), "%s/%s", root, name);
    if (folder_too)
        assert_int_equal(mkdir(path, 0700), 0);
    else
        close(open(path, O_CREAT | O_WRONLY, 0600));
}

/* ---- the three forms ---- */

static void agents_in_three_languages_become_commands(void **state)
{
    StarterSettings settings;
    CLEANUP(plan_done) Plan plan = plan_of_file("auto.ini", &settings);
    char path[600];
    (void)state;

    assert_int_equal(settings.kind, STARTER_JAVA);
    assert_int_equal(settings.port, 10001);
    assert_int_equal(settings.games, 10);
    assert_string_equal(settings.lib, "./lib/");
    snprintf(path, sizeof(path), "%s/./log/", folder);
    assert_string_equal(settings.log_folder, path);
    assert_agent(&plan, 0, "alice",
                 "java -cp './lib/*' org.aiwolf.common.bin.ClientStarter -h {host} -p {port} "
                 "-c com.example.AlicePlayer -n {name}");
    assert_agent(&plan, 1, "bob", "python3 bob/start_bob.py -h {host} -p {port}");
    assert_agent(&plan, 2, "carol", "dotnet carol/Carol.dll -h {host} -p {port} -n {name} -r SEER");
    assert_agent(&plan, 3, "dave", "dave/agent -h {host} -p {port} -n {name}");
    assert_agent(&plan, 4, "eve",
                 "java -cp './lib/*' org.aiwolf.common.bin.ClientStarter -h {host} -p {port} "
                 "-c com.example.EvePlayer WEREWOLF -n {name}");
    assert_string_equal(plan.agents[0].folder, folder);
    /* Two seats are left over. */
    assert_int_equal(plan.agent_count, 7);
    assert_string_equal(plan.agents[6].bot->name, "sample");
    assert_int_equal(plan.stage_count, 1);
    assert_int_equal(plan.stages[0].players, 7);
    assert_int_equal(plan.stages[0].games, 10);
    assert_int_equal(plan.stages[0].games_per_set, 10);
}

static void the_oldest_form_has_java_classes_only(void **state)
{
    StarterSettings settings;
    CLEANUP(plan_done) Plan plan = plan_of_file("old.ini", &settings);
    (void)state;

    assert_int_equal(settings.kind, STARTER_JAVA);
    assert_int_equal(plan.stages[0].players, 5);
    assert_int_equal(plan.stages[0].games, 1);
    assert_agent(&plan, 4, "eve",
                 "java -cp './*' org.aiwolf.common.bin.ClientStarter -h {host} -p {port} "
                 "-c com.example.EvePlayer -n {name}");
    assert_true(plan.rules.contest.role_request); /* the server's built-in settings */
    assert_int_equal(plan.rules.contest.time_limit_ms, 1000);
}

static void a_class_may_have_a_role_behind_it(void **state)
{
    StarterSettings settings;
    CLEANUP(plan_done)
    Plan plan = plan_of_text("lib=./\na,com.a.A\nb,com.b.B,WEREWOLF\n", &settings);
    CLEANUP(plan_done) Plan bare = plan_of_text("b,com.b.B,werewolf\n", &settings);
    const char command[] = "java -cp './*' org.aiwolf.common.bin.ClientStarter -h {host} -p {port} "
                           "-c com.b.B WEREWOLF -n {name}";
    (void)state;

    assert_agent(&plan, 1, "b", command);
    assert_int_equal(settings.kind, STARTER_JAVA);
    assert_agent(&bare, 0, "b", command);
}

static void programs_of_the_dotnet_starter_get_our_host_port_and_name(void **state)
{
    StarterSettings settings;
    CLEANUP(plan_done) Plan plan = plan_of_file("dotnet.ini", &settings);
    char path[600];
    (void)state;

    assert_int_equal(settings.kind, STARTER_DOTNET);
    assert_int_equal(settings.delay_ms, 500);
    assert_int_equal(plan.stages[0].games, 3);
    assert_agent(&plan, 0, "alice",
                 "./AgentStarter.exe -h {host} -p {port} -c Example.AlicePlayer Alice.dll "
                 "-n {name}");
    assert_agent(&plan, 1, "bob", "dotnet 'my agents/bob.dll' -h {host} -p {port} -n {name}");
    assert_agent(&plan, 2, "agent", "carol/agent -x '1,2' -h {host} -p {port} -n {name}");
    assert_agent(&plan, 3, "dave", "dotnet ./dave.dll -h {host} -p {port} -n {name}");
    assert_agent(&plan, 4, "eve", "python3 eve.py -n {name} -h {host} -p {port}");
    snprintf(path, sizeof(path), "%s/alice", folder);
    assert_string_equal(plan.agents[0].folder, path);
    assert_string_equal(plan.agents[2].folder, folder);
}

static void players_of_the_third_starter_are_new_in_every_game(void **state)
{
    StarterSettings settings;
    CLEANUP(plan_done) Plan plan = plan_of_file("inprocess.properties", &settings);
    (void)state;

    assert_int_equal(settings.kind, STARTER_PLAYERS);
    assert_int_equal(plan.agent_count, 5);
    assert_agent(&plan, 0, "AlicePlayer",
                 "java -cp './*' org.aiwolf.common.bin.ClientStarter -h {host} -p {port} "
                 "-c com.example.AlicePlayer SEER -n {name}");
    assert_string_equal(plan.agents[2].name, "CarolPlayer");
    assert_string_equal(plan.agents[4].name, "OtherPlayer");
    assert_int_equal(plan.stages[0].games, 20);
    assert_int_equal(plan.stages[0].games_per_set, 1);
}

static void more_agents_than_seats_are_drawn(void **state)
{
    StarterSettings settings;
    CLEANUP(plan_done)
    Plan plan = plan_of_text("agent=3\na,A\nb,B\nc,C\nd,D\n", &settings);
    (void)state;

    assert_int_equal(plan.agent_count, 4);
    assert_int_equal(plan.stages[0].players, 3);
    assert_int_equal(plan_check(&plan, NULL), 0);
}

static void without_a_telling_key_the_lines_say_which_form_it_is(void **state)
{
    StarterSettings settings;
    CLEANUP(plan_done) Plan java = plan_of_text("a,PYTHON,x.py\n", &settings);
    assert_int_equal(settings.kind, STARTER_JAVA);
    assert_agent(&java, 0, "a", "python3 ./x.py -h {host} -p {port}");
    CLEANUP(plan_done) Plan dotnet = plan_of_text("port=1\nx,-a --b=c,d\n", &settings);
    (void)state;

    assert_int_equal(settings.kind, STARTER_DOTNET);
    assert_agent(&dotnet, 0, "x", "./x -a '--b=c' -h {host} -p {port} -n {name}");
}

/* ---- quoting ---- */

static void nothing_in_the_file_is_taken_for_shell(void **state)
{
    StarterSettings settings;
    CLEANUP(plan_done)
    Plan plan =
        plan_of_text("lib=a'b\nx,java,A;rm $B\ny,python,a b's.py\nz,java,{name}\n", &settings);
    (void)state;

    assert_agent(&plan, 0, "x",
                 "java -cp 'a'\\''b/*' org.aiwolf.common.bin.ClientStarter -h {host} -p {port} "
                 "-c 'A;rm $B' -n {name}");
    assert_agent(&plan, 1, "y", "python3 './a b'\\''s.py' -h {host} -p {port}");
    assert_non_null(strstr(plan.agents[2].command, "-c '{''name}' -n"));
}

/* ---- game settings ---- */

static void a_settings_file_changes_the_rules(void **state)
{
    CLEANUP(plan_done) Plan plan = plan_of_file("auto.ini", NULL);
    const Ruleset *rules = &plan.rules;
    (void)state;

    assert_int_equal(rules->talk.max_per_agent, 5);
    assert_int_equal(rules->talk.max_turns, 12);
    assert_int_equal(rules->whisper.max_per_agent, 3);
    assert_int_equal(rules->whisper.max_turns, 6);
    assert_int_equal(rules->talk.max_skip, 4);
    assert_int_equal(rules->whisper.max_skip, 4);
    assert_int_equal(rules->vote.rounds, 3);
    assert_int_equal(rules->vote.tie, TIE_RANDOM);
    assert_true(rules->vote.visible);
    assert_int_equal(rules->attack.rounds, 1);
    assert_int_equal(rules->attack.tie, TIE_NOBODY);
    assert_int_equal(rules->attack.no_vote, NO_VOTE_NOBODY);
    assert_false(rules->attack.whisper_before_revote);
    assert_true(rules->talk.validate);
    assert_true(rules->contest.role_request);
    assert_int_equal(rules->contest.time_limit_ms, 300);
    assert_int_equal(rules->contest.time_limit_told_ms, 300);
}

static void a_setting_that_is_not_there_is_nothing_or_no(void **state)
{
    Ruleset rules;
    (void)state;

    assert_int_equal(starter_settings_load(STR("timeLimit=-1"), &rules, NULL), 0);
    assert_int_equal(rules.talk.max_turns, 0);
    assert_int_equal(rules.vote.rounds, 1);
    assert_false(rules.talk.validate);
    assert_false(rules.vote.visible);
    assert_false(rules.contest.role_request);
    assert_int_equal(rules.contest.time_limit_ms, 1000);
    assert_int_equal(rules.contest.time_limit_told_ms, -1);
    assert_int_equal(ruleset_check(&rules, NULL), 0);
}

static void talk_on_the_first_day_comes_after_its_whisper(void **state)
{
    Ruleset rules;
    (void)state;

    assert_int_equal(starter_settings_load(STR("timeLimit=1\nisTalkOnFirstDay=yes"), &rules, NULL),
                     0);
    assert_int_equal(rules.day.count, 2);
    assert_int_equal(rules.day.phases[0].actions[0], ACTION_WHISPER);
    assert_int_equal(rules.day.phases[0].only_day, 0);
    assert_int_equal(rules.day.phases[1].actions[0], ACTION_TALK);
    assert_int_equal(rules.day.phases[1].except_day, DAY_ANY);
    assert_int_equal(rules.night.phases[0].actions[0], ACTION_EXECUTION);
    assert_int_equal(ruleset_check(&rules, NULL), 0);
}

static void bad_game_settings_are_refused(void **state)
{
    static const struct {
        const char *text;
        unsigned line;
        const char *message;
    } bad[] = {
        {"timeLimit = 100\nmaxTalks = 3\n", 2, "did you mean 'maxTalk'?"},
        {"timeLimit = 100\nvoteVisible = true\n", 2, "did you mean 'isVoteVisible'?"},
        {"maxTalk = ten\n", 1, "expected a number"},
        {"maxTalk = -1\n", 1, "expected a number"},
        {"maxRevote = 30\n", 1, "from 0 to 19"},
        {"maxTalk 3\n", 1, "expected 'name = value'"},
        {"maxTalk = 3\n", 0, "timeLimit = 1000"},
        {"timeLimit = -2\n", 1, "from -1 to 86400000"},
        {"# none\n\nmaxSkip = 10001\n", 3, "from 0 to 10000"},
    };
    (void)state;

    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        Ruleset rules;
        Err err = {0};
        assert_int_equal(starter_settings_load(str_of(bad[i].text), &rules, &err), ERR_RULE);
        assert_error(&err, bad[i].line, bad[i].message);
    }
}

/* ---- errors ---- */

static void mistakes_are_named_with_their_line(void **state)
{
    (void)state;
    assert_refused("\xEF\xBB\xBF# agents\r\n\r\n  prot=1\r\n", 3, "did you mean 'port'?");
    assert_refused("lib=.\na,java,x\x01\n", 2, "what to start can't hold control characters");
    assert_refused("lib=a\x7F\n", 1, "lib can't hold control characters");
    assert_refused("port=1\nlog=a\tb\n", 2, "log can't hold control characters");
    assert_refused("delay=1\nx,a\tb\n", 2, "a program can't hold control characters");
    assert_refused("lib=.\na,java,x,SEER,y,z\n", 2, "expected NAME,CLASS");
    assert_refused("lib=.\na,java,x,SEER,y\n", 2, "expected NAME,CLASS");
    assert_refused("\nport=1\ngame=1000001\n", 3, "game: expected a number from 0 to 1000000");
    assert_refused("\nnumber_of_games=1000001\n", 2, "from 0 to 1000000");
    assert_refused("delay=3600001\n", 1, "from 0 to 3600000");
    assert_refused("lib=.\n1a=3\n", 2, "found '1a=3'");
    assert_refused("lib=.\nprot=10000\n", 2, "did you mean 'port'?");
    assert_refused("port=70000\n", 1, "port: expected a number from 0 to 65535");
    assert_refused("agent=19\n", 1, "from 0 to 18");
    assert_refused("port=1\nport=2\n", 2, "first in line 1");
    assert_refused("view=true\ndelay=3\n", 2, "another starter");
    assert_refused("number_of_games=3\nlib=.\n", 1, "another starter");
    assert_refused("lib=.\na\n", 2, "expected NAME,CLASS");
    assert_refused("lib=.\na,ruby,x.rb\n", 2, "expected NAME,CLASS");
    assert_refused("lib=.\na,com.a.A,JUDGE\n", 2, "expected NAME,CLASS[,ROLE]");
    assert_refused("lib=.\na,java,\n", 2, "found nothing");
    assert_refused("lib=.\na,java,x,JUDGE\n", 2, "'JUDGE' is no role");
    assert_refused("lib=.\n,java,x\n", 2, "a name has");
    assert_refused("delay=1\n,x\n", 2, "expected a program");
    assert_refused("number_of_games=1\na:SEER\n", 2, "player_file_path");
}

/* `text` of `bytes` times 'x' behind `before`. */
static const char *long_text(const char *before, size_t bytes, Buf *out)
{
    buf_clear(out);
    buf_add(out, str_of(before));
    while (bytes--)
        buf_add_char(out, 'x');
    return buf_cstr(out);
}

static void what_is_too_long_is_named_with_its_line(void **state)
{
    static const char *const keys[] = {"lib=",      "port=1\nlog=",    "lib=.\na,java,",
                                       "lib=.\na,", "delay=1\nbin/a,", "delay=1\na,b,"};
    CLEANUP(buf_done) Buf text = {0};
    (void)state;

    assert_refused(long_text("lib=.\n", 70, &text), 2, "expected NAME,CLASS");
    for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
        assert_refused(long_text(keys[i], PLAN_TEXT_MAX + 1, &text), strchr(keys[i], '\n') ? 2 : 1,
                       "longer than 4096 bytes");
    StarterSettings settings;
    CLEANUP(plan_done)
    Plan plan = plan_of_text(long_text("lib=", PLAN_TEXT_MAX - 2, &text), &settings);
    assert_int_equal(strlen(settings.lib), PLAN_TEXT_MAX - 2);
    assert_int_equal(plan.stage_count, 1);
    assert_refused(long_text("lib=.\n", STARTER_BYTES_MAX, &text), 0, "at most 262144 bytes");
    assert_refused(long_text("#", STARTER_BYTES_MAX, &text), 0, "at most 262144 bytes");
    CLEANUP(plan_done)
    Plan full = plan_of_text(long_text("#", STARTER_BYTES_MAX - 1, &text), &(StarterSettings){0});
    assert_int_equal(full.stage_count, 1);
}

/* The players' file of the third starter, with a table of 5. */
static int load_players(const char *text, Plan *plan, Err *err)
{
    const StarterSettings settings = {
        .kind = STARTER_PLAYERS, .players = 5, .games = 2, .class_path = "./*"};

    assert_int_equal(plan_init(plan, NULL), 0);
    return starter_players_load(str_of(text), "", &settings, plan, err);
}

static void mistakes_among_players_are_named_with_their_line(void **state)
{
    static const struct {
        const char *text;
        unsigned line;
        const char *message;
    } bad[] = {
        {"a.A\n\n# b\nb.B:JUDGE\n", 4, "'JUDGE' is no role"},
        {"a.A\n:SEER\n", 2, "expected a class, found nothing"},
        {"a.\x02\n", 1, "a class can't hold control characters"},
        {"a.A\nb.\n", 2, "a name has"},
    };
    CLEANUP(buf_done) Buf text = {0};
    Err err = {0};
    (void)state;

    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        CLEANUP(plan_done) Plan plan;
        err = (Err){0};
        assert_int_equal(load_players(bad[i].text, &plan, &err), ERR_RULE);
        assert_error(&err, bad[i].line, bad[i].message);
    }
    CLEANUP(plan_done) Plan plan;
    err = (Err){0};
    assert_int_equal(load_players(long_text("#", STARTER_BYTES_MAX, &text), &plan, &err),
                     ERR_LIMIT);
    assert_string_equal(err.msg, "a player file has at most 262144 bytes");
}

static void players_wish_for_a_role_or_for_none(void **state)
{
    CLEANUP(plan_done) Plan plan;
    (void)state;

    assert_int_equal(load_players("a.b.One : seer\nTwo:NONE\nc.Three:any\nd.Four:\n", &plan, NULL),
                     0);
    assert_int_equal(plan.agent_count, 5);
    assert_agent(&plan, 0, "One",
                 "java -cp './*' org.aiwolf.common.bin.ClientStarter -h {host} -p {port} "
                 "-c a.b.One SEER -n {name}");
    assert_agent(&plan, 1, "Two",
                 "java -cp './*' org.aiwolf.common.bin.ClientStarter -h {host} -p {port} "
                 "-c Two -n {name}");
    assert_string_equal(plan.agents[2].name, "Three");
    assert_null(strstr(plan.agents[2].command, "any"));
    assert_string_equal(plan.agents[3].name, "Four");
    assert_string_equal(plan.agents[4].name, "sample");
    assert_int_equal(plan.stages[0].games, 2);
    assert_int_equal(plan.stages[0].games_per_set, 1);
}

static void more_agents_than_a_table_of_old_had_are_drawn(void **state)
{
    CLEANUP(buf_done) Buf text = {0};
    StarterSettings settings;
    (void)state;

    for (int i = 0; i < 20; i++)
        buf_printf(&text, "a%d,A\n", i);
    CLEANUP(plan_done) Plan plan = plan_of_text(buf_cstr(&text), &settings);
    assert_int_equal(plan.agent_count, 20);
    assert_int_equal(plan.stages[0].players, 18);
}

static void programs_of_the_dotnet_starter_keep_their_arguments(void **state)
{
    static const struct {
        const char *line, *name, *command;
    } programs[] = {
        {"bin\\a.b.exe", "a.b", "'./bin\\a.b.exe' -h {host} -p {port} -n {name}"},
        {"./.hidden", ".hidden", "./.hidden -h {host} -p {port} -n {name}"},
        {"mono,lib/x.exe -p 1", "x", "mono lib/x.exe -p {port} -h {host} -n {name}"},
        {"java,-jar a.jar", "-jar", "java -jar a.jar -h {host} -p {port} -n {name}"},
        {"python,a.py  b", "a", "python a.py b -h {host} -p {port}"},
        {"x,-h", "x", "./x -h -h {host} -p {port} -n {name}"},
        {"x,-n \"a b\" -c", "a b", "./x -n {name} -c -h {host} -p {port}"},
        {"x,a'b \"\" 1:2@%+_-./", "x", "./x 'a'\\''b' '' 1:2@%+_-./ -h {host} -p {port} -n {name}"},
        {"D.DLL", "D", "dotnet ./D.DLL -h {host} -p {port} -n {name}"},
    };
    (void)state;

    for (size_t i = 0; i < sizeof(programs) / sizeof(programs[0]); i++) {
        CLEANUP(buf_done) Buf text = {0};
        StarterSettings settings;
        buf_printf(&text, "delay=1\n%s\n", programs[i].line);
        CLEANUP(plan_done) Plan plan = plan_of_text(buf_cstr(&text), &settings);
        assert_agent(&plan, 0, programs[i].name, programs[i].command);
        assert_null(plan.agents[0].folder);
    }
}

static void programs_of_the_first_starter_may_wish_for_a_role(void **state)
{
    StarterSettings settings;
    CLEANUP(plan_done)
    Plan plan = plan_of_text("lib=.\na,python,x.py,Seer\nb,C#,y.DLL,none\nc,c#,z,ANY\n"
                             "d,java,P,villager\ne,java,Q,\n",
                             &settings);
    (void)state;

    assert_agent(&plan, 0, "a", "python3 ./x.py -h {host} -p {port} -r SEER");
    assert_agent(&plan, 1, "b", "dotnet ./y.DLL -h {host} -p {port} -n {name}");
    assert_agent(&plan, 2, "c", "./z -h {host} -p {port} -n {name}");
    assert_non_null(strstr(plan.agents[3].command, " -c P VILLAGER -n {name}"));
    assert_non_null(strstr(plan.agents[4].command, " -c Q -n {name}"));
}

static void libraries_of_too_many_folders_are_refused(void **state)
{
    char root[] = "/tmp/warg-deep-XXXXXX";
    CLEANUP(buf_done) Buf name = {0};
    CLEANUP(buf_done) Buf deepest = {0};
    CLEANUP(buf_done) Buf command = {0};
    Err err = {0};
    (void)state;

    assert_non_null(mkdtemp(root));
    buf_add(&name, STR("d"));
    for (int depth = 1; depth <= 17; depth++) {
        buf_clear(&deepest);
        make(root, buf_cstr(&name), true);
        if (depth == 16)
            assert_int_equal(starter_lib_find(root, STR("."), &deepest, &err), 0);
        buf_add(&name, STR("/d"));
    }
    assert_int_equal(starter_lib_find(root, STR("."), &deepest, &err), ERR_LIMIT);
    assert_non_null(strstr(err.msg, "lib: too many folders with jars under './d/d/"));
    buf_printf(&command, "rm -r '%s'", root);
    assert_int_equal(system(buf_cstr(&command)), 0);
}

static void files_that_are_not_there_are_named(void **state)
{
    CLEANUP(plan_done) Plan plan;
    Err err = {0};
    (void)state;

    assert_int_equal(plan_init(&plan, NULL), 0);
    assert_int_equal(starter_file_load("no/such.ini", &plan, NULL, &err), ERR_IO);
    assert_non_null(strstr(err.msg, "no/such.ini"));
}

/* ---- libraries ---- */

static void libraries_are_searched_in_depth(void **state)
{
    static const char *const folders[] = {"z", "a", "a/deep", "a/deep/er", "none", ".git"};
    static const char *const files[] = {"one.jar",      "z/two.jar",           "a/read.me",
                                        "a/deep/x.txt", "a/deep/er/three.jar", ".git/four.jar"};
    char root[] = "/tmp/warg-lib-XXXXXX", link[64];
    CLEANUP(buf_done) Buf seen = {0};
    CLEANUP(buf_done) Buf below = {0};
    CLEANUP(buf_done) Buf missing = {0};
    CLEANUP(buf_done) Buf command = {0};

    (void)state;
    assert_non_null(mkdtemp(root));
    for (size_t i = 0; i < sizeof(folders) / sizeof(folders[0]); i++)
        make(root, folders[i], true);
    for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++)
        make(root, files[i], false);
    snprintf(link, sizeof(link), "%s/loop", root);
    assert_int_equal(symlink(root, link), 0);

    assert_int_equal(starter_lib_find(root, STR("./"), &seen, NULL), 0);
    assert_string_equal(buf_cstr(&seen), "./*:./a/deep/er/*:./z/*");
    assert_int_equal(starter_lib_find(root, STR("a//"), &below, NULL), 0);
    assert_string_equal(buf_cstr(&below), "a/*:a/deep/er/*");
    assert_int_equal(starter_lib_find(root, STR("nowhere"), &missing, NULL), 0);
    assert_string_equal(buf_cstr(&missing), "nowhere/*");
    buf_printf(&command, "rm -r '%s'", root);
    assert_int_equal(system(buf_cstr(&command)), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(libraries_are_searched_in_depth),
        cmocka_unit_test(agents_in_three_languages_become_commands),
        cmocka_unit_test(the_oldest_form_has_java_classes_only),
        cmocka_unit_test(a_class_may_have_a_role_behind_it),
        cmocka_unit_test(programs_of_the_dotnet_starter_get_our_host_port_and_name),
        cmocka_unit_test(players_of_the_third_starter_are_new_in_every_game),
        cmocka_unit_test(more_agents_than_seats_are_drawn),
        cmocka_unit_test(without_a_telling_key_the_lines_say_which_form_it_is),
        cmocka_unit_test(nothing_in_the_file_is_taken_for_shell),
        cmocka_unit_test(a_settings_file_changes_the_rules),
        cmocka_unit_test(a_setting_that_is_not_there_is_nothing_or_no),
        cmocka_unit_test(talk_on_the_first_day_comes_after_its_whisper),
        cmocka_unit_test(bad_game_settings_are_refused),
        cmocka_unit_test(mistakes_are_named_with_their_line),
        cmocka_unit_test(what_is_too_long_is_named_with_its_line),
        cmocka_unit_test(mistakes_among_players_are_named_with_their_line),
        cmocka_unit_test(players_wish_for_a_role_or_for_none),
        cmocka_unit_test(more_agents_than_a_table_of_old_had_are_drawn),
        cmocka_unit_test(programs_of_the_dotnet_starter_keep_their_arguments),
        cmocka_unit_test(programs_of_the_first_starter_may_wish_for_a_role),
        cmocka_unit_test(libraries_of_too_many_folders_are_refused),
        cmocka_unit_test(files_that_are_not_there_are_named),
    };
    return cmocka_run_group_tests(tests, find_folder, NULL);
}
