/* cmd_maw.c - `warg maw`: a session of MAW in this process, among bots, language models, you, and
 * with --xmpp whoever comes over an XMPP server. */
#include "cli/session_line.h"
#include "cmd/cmd.h"
#include "disk/result_folder.h"
#include "net/interrupt.h"
#include "person/maw_terminal.h"
#include "show/maw_console.h"
#include "show/maw_course.h"

#include <stdio.h>
#include <unistd.h>

const Usage cmd_maw_usage[] = {
    {"maw", "",
     "Plays a session of MAW, werewolf in open rooms against the clock: everybody talks and votes\n"
     "at any time, rounds follow each other, points add up. Seats are built-in bots, language\n"
     "models (--llm), AIWolf agents (--agent), you (--me), and with --xmpp whoever joins over an\n"
     "XMPP server: SPADE agents, 'warg join', people. Among bots time is simulated, and a session\n"
     "is over at once.\n"
     "Ctrl-C ends it: what was played so far counts, and the exit status is 130. A session that "
     "was\n"
     "killed goes on with --resume, once those who played are back.",
     session_line_options, SESSION_OPTION_COUNT,
     "warg maw --players 6 --rounds 3\n"
     "warg maw --me Ann --llm demo --rules config/maw/maw-human.yml\n"
     "warg maw --llm 5 --llm-url http://localhost:11434/v1 --llm-model llama3.1:8b --me Ann\n"
     "warg maw --llm 'http://localhost:11434/v1,model=llama3.1,persona=a grumpy baker' --bots 5\n"
     "warg maw --players 8 --seed 7 --out monday\n"
     "warg maw --resume monday --wait 5m\n"
     "WARG_XMPP_SECRET=secret warg maw --xmpp localhost --rounds 3 --lobby 2m\n"
     "warg maw --agent 'name=alice,copies=3,cmd=python3 start.py -h {host} -p {port}' --me Ann\n"
     "warg maw --rounds 100 --bot random --json\n",
     NULL, NULL},
    {0},
};

/* All that a session needs. */
typedef struct MawRun {
    const Options *given;
    SessionLine *line;
    bool quiet;
    bool ended;      /* the session has; who plays on a whole screen reads its end and leaves */
    bool printed;    /* how */
    bool left_early; /* nobody waits for agents */
    Loop *loop;
    MawDoor *door;
    MawTerminal *person;
    MawConsole *console;
    Timer *person_timer;
    Buf text;
    MawCourse course;
} MawRun;

/* ---- what is told ---- */

static void on_event(void *user, Str event)
{
    MawRun *run = user;

    if (run->quiet || run->person) /* a player sees what its seat sees */
        return;
    buf_clear(&run->text);
    maw_course(&run->course, event, options_has(run->given, SESSION_XMPP),
               session_line_is_japanese(run->line), &run->text);
    if (run->text.len && !buf_failed(&run->text)) {
        fwrite(run->text.bytes, 1, run->text.len, stdout);
        if (run->loop)
            fflush(stdout); /* as it happens */
    }
}

static void on_note(void *user, Str line)
{
    MawRun *run = user;

    if (run->person)
        maw_terminal_note(run->person, line);
    else
        fprintf(stderr, "warg maw: %.*s\n", STR_ARG(line));
}

static void print_leaderboard(MawRun *run)
{
    CLEANUP(buf_done) Buf seed = {0};

    buf_clear(&run->text);
    session_line_write(run->line, run->door, &run->text);
    session_line_write_seed(run->line, &seed);
    if (!buf_failed(&run->text))
        fwrite(run->text.bytes, 1, run->text.len, stdout);
    if (seed.len)
        fprintf(stderr, "%s\n", buf_cstr(&seed));
}

/* The screen is a plain terminal again. Of a session that failed there is nothing to be told. */
static void tell_end(MawRun *run)
{
    int rc = maw_door_result(run->door, NULL);

    run->console = maw_console_free(run->console);
    run->person = maw_terminal_free(run->person);
    run->person_timer = timer_free(run->person_timer);
    if (rc >= 0 || (rc == ERR_INTERRUPTED && maw_door_table(run->door)))
        print_leaderboard(run);
    fflush(stdout); /* nobody waits for agents to read it */
    run->printed = true;
}

static void on_ended(void *user)
{
    MawRun *run = user;

    run->ended = true;
    if (!run->person || !maw_terminal_is_full(run->person) || maw_door_result(run->door, NULL) < 0)
        tell_end(run);
}

static void on_over(void *user)
{
    MawRun *run = user;

    if (run->printed || !run->ended) /* who reads its end leaves by itself */
        loop_stop(run->loop);
}

/* ---- who plays ---- */

static void on_person_timer(void *user, TimeUs now)
{
    MawRun *run = user;

    maw_terminal_tick(run->person, now);
    maw_table_stir(maw_door_table(run->door));
    timer_at(run->person_timer, maw_terminal_deadline(run->person), false);
}

static void on_person_news(void *user, const MawNews *news, TimeUs now)
{
    MawRun *run = user;

    maw_terminal_news(run->person, news, now);
    timer_at(run->person_timer, maw_terminal_deadline(run->person), false);
}

static void on_person_acted(void *user)
{
    MawRun *run = user;

    maw_table_stir(maw_door_table(run->door));
    timer_at(run->person_timer, maw_terminal_deadline(run->person), false);
}

/* The others are machines or far away: without the person nobody watches. */
static void on_person_left(void *user, TimeUs now)
{
    MawRun *run = user;

    if (run->ended)
        loop_stop(run->loop);
    maw_door_stop(run->door, "the player at the terminal has left", now);
}

static int seat_person(MawRun *run, MawTable *table, Err *err)
{
    MawPlayer *player = NULL;
    MawTerminalSetup setup = {.plain = options_has(run->given, SESSION_PLAIN),
                              .language = session_line_is_japanese(run->line) ? PERSON_JAPANESE
                                                                              : PERSON_ENGLISH,
                              .acted = on_person_acted,
                              .left = on_person_left,
                              .user = run};

    if (!options_has(run->given, SESSION_ME))
        return 0;
    int rc = timer_new(run->loop, on_person_timer, run, &run->person_timer, err);
    if (rc == 0)
        rc = maw_terminal_new(run->loop, &setup, &run->person, err);
    if (rc == 0)
        rc = maw_table_add_player(table, str_of(options_text(run->given, SESSION_ME)),
                                  on_person_news, run, &player, err);
    if (rc == 0)
        maw_terminal_take(run->person, player, maw_table_now(table));
    return rc;
}

/* Beside the course on stdout, which may be read by a program. */
static void on_answer(void *user, Str line)
{
    (void)user;
    fprintf(stderr, "%.*s\n", STR_ARG(line));
}

static void on_quit(void *user, TimeUs now)
{
    const MawRun *run = user;

    maw_door_stop(run->door, "the operator has ended the session", now);
}

static int open_console(MawRun *run, MawTable *table, Err *err)
{
    MawConsoleSetup setup = {.table = table,
                             .language =
                                 session_line_is_japanese(run->line) ? LLM_JAPANESE : LLM_ENGLISH,
                             .say = on_answer,
                             .quit = on_quit,
                             .user = run};

    if (!options_has(run->given, SESSION_OPERATOR))
        return 0;
    return maw_console_new(run->loop, STDIN_FILENO, &setup, &run->console, err);
}

static int seat_own(void *user, MawTable *table, Err *err)
{
    MawRun *run = user;
    int rc = seat_person(run, table, err);

    return rc ? rc : open_console(run, table, err);
}

/* ---- the session ---- */

/* The second one does not wait for agents. */
static void on_signal(void *user, int signal_number, TimeUs now)
{
    MawRun *run = user;
    bool waits = !run->ended && maw_door_table(run->door);

    (void)signal_number;
    maw_door_stop(run->door, "interrupted", now);
    if (waits)
        return;
    run->left_early = true;
    loop_stop(run->loop);
}

static int open_loop(MawRun *run, Err *err)
{
    static const int signals[] = {SIGINT, SIGTERM, SIGHUP};
    int rc = session_line_is_real(run->line) ? loop_new(&run->loop, err) : 0;

    for (size_t i = 0; i < sizeof(signals) / sizeof(signals[0]) && run->loop && rc == 0; i++)
        rc = loop_signal(run->loop, signals[i], on_signal, run, err);
    return rc;
}

static int make_door(MawRun *run, unsigned umask, Err *err)
{
    CLEANUP(buf_done) Buf text = {0};
    MawDoorSetup setup;

    session_line_setup(run->line, umask, &setup);
    setup.cell.own_verb = CMD_START_AGENT;
    setup.ears = (MawDoorEars){seat_own, on_event, on_note, on_ended, run};
    setup.date_of = loop_date_of;
    setup.over = on_over;
    setup.user = run;
    int rc = maw_door_new(run->loop, &setup, &run->door, err);
    if (rc == 0)
        session_line_write_live(run->line, run->door, &text);
    if (text.len)
        on_note(run, buf_str(&text));
    return rc;
}

static int play_in_real_time(MawRun *run, Err *err)
{
    int rc = maw_door_begin(run->door, loop_now(), err);

    if (rc)
        return rc;
    loop_run(run->loop);
    if (!run->printed)
        tell_end(run);
    if (!maw_door_over(run->door) && !run->left_early)
        loop_run(run->loop);
    return 0;
}

static int play_simulated(MawRun *run, Err *err)
{
    Interrupt interrupt;

    interrupt_watch(&interrupt);
    int rc = maw_door_play(run->door, err);
    interrupt_done(&interrupt);
    if (rc == 0)
        tell_end(run);
    return rc;
}

static int play_session(MawRun *run, Err *err)
{
    bool japanese = session_line_is_japanese(run->line) && !options_has(run->given, SESSION_JSON);
    int rc = run->loop ? play_in_real_time(run, err) : play_simulated(run, err);

    if (rc)
        return rc;
    rc = maw_door_result(run->door, NULL);
    if (rc == ERR_INTERRUPTED && japanese && maw_door_table(run->door))
        return err_set(err, rc, "途中で終わりました%s",
                       options_text(run->given, SESSION_OUT) ? "。そこまでの記録は完全です" : "");
    return maw_door_result(run->door, err);
}

static void run_done(MawRun *run)
{
    maw_console_free(run->console);
    maw_terminal_free(run->person);
    maw_door_free(run->door);
    loop_free(run->loop);
    session_line_free(run->line);
    buf_done(&run->text);
}

int cmd_maw(int argc, char **argv, Err *err)
{
    CLEANUP(run_done) MawRun run = {0};
    int go = session_line_read(&cmd_maw_usage[0], argc, argv, &run.line, err);

    if (go <= 0)
        return go;
    run.given = session_line_given(run.line);
    run.quiet = options_has(run.given, SESSION_QUIET) || options_has(run.given, SESSION_JSON);
    const bool open = options_has(run.given, SESSION_OPEN_RESULTS);
    const unsigned umask = result_folder_begin(open);
    if (!open)
        result_folder_close(options_text(run.given, SESSION_OUT));
    int rc = open_loop(&run, err);
    if (rc == 0)
        rc = make_door(&run, umask, err);
    return rc ? rc : play_session(&run, err);
}
