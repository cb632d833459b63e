/* cmd_serve.c - `warg serve`: lines of options, each for servers of one division, become doors of
 * one process. The lines are in serve_aiwolf.c, serve_nlp.c and serve_maw.c. */
#include "base/mem.h"
#include "cmd/cmd.h"
#include "cmd/serve_aiwolf.h"
#include "cmd/serve_maw.h"
#include "cmd/serve_nlp.h"
#include "disk/result_folder.h"
#include "serve/connection_room.h"

#include <stdio.h>

static int serve_lines(int argc, char **argv, Err *err);

const Usage cmd_serve_usage[] = {
    {"serve aiwolf", "[-- nlp OPTION... | -- aiwolf OPTION... | -- maw OPTION...]",
     "Waits for agents of the AIWolf protocol division on TCP, plays a set of games with them,\n"
     "prints the table, and waits for the next. Agents written for the contest server play\n"
     "unchanged; one that crashes, hangs or talks nonsense is played on by a substitute.\n"
     "Listens on this machine only, unless --host says otherwise. Ctrl-C ends it: games under\n"
     "way do not count.",
     serve_aiwolf_options, AIWOLF_OPTION_COUNT,
     "warg serve aiwolf --players 5 --once\n"
     "warg serve aiwolf --players 15 --games 100 --out monday --tables 4\n"
     "warg serve aiwolf --agent 'bot:sample*4' --out trial    # one agent against four bots\n"
     "warg serve aiwolf --players 5 --time-limit 1m \\\n"
     "    --agent 'llm:http://localhost:11434/v1,model=llama3.1*4'     # ... against four models\n"
     "warg serve aiwolf --players 15 --out monday --tables 4 --resume\n"
     "warg serve aiwolf --players 5 --http 8080    # curl -N "
     "localhost:8080/api/v1/games/000000/events\n",
     NULL, serve_lines},
    {"serve nlp", "[FILE...] [-- aiwolf OPTION... | -- nlp OPTION... | -- maw OPTION...]",
     "Waits for agents of the natural-language division on WebSockets (/ws) and plays games with\n"
     "them as the configurations say: the files of the contest's own server are read unchanged.\n"
     "With matching.is_optimize it plays a schedule, which is continued after a restart. The API,\n"
     "live data and metrics are on the same port.\n"
     "The first SIGTERM or Ctrl-C drains it: games under way are played to their end. The second\n"
     "one ends them. Behind '--' goes the line of a further 'serve' in the same process: any "
     "number\n"
     "of lines, each 'aiwolf ...', 'nlp ...' or 'maw ...' with ports and folders of its own.",
     serve_nlp_options, NLP_OPTION_COUNT,
     "warg serve nlp -c default_5.yml\n"
     "warg serve nlp -c main_5.yml -c main_9.yml --tls-cert cert.pem --tls-key key.pem\n"
     "warg serve nlp -c default_5.yml --check\n"
     "warg serve nlp -c default_5.yml --fill-with llm:http://localhost:11434/v1,model=llama3.1\n"
     "warg serve nlp -c main_5.yml -a\n"
     "warg serve nlp -c default_5.yml -- aiwolf --port 10000 --players 5\n"
     "warg serve nlp -c main_5.yml -- nlp -c open_9.yml --fill -- aiwolf --port 10000\n"
     "warg serve nlp -c main_5.yml -- maw table.yml --xmpp localhost\n",
     NULL, serve_lines},
    {"serve maw", "[FILE] [-- nlp OPTION... | -- aiwolf OPTION... | -- maw OPTION...]",
     "Plays a session of MAW as 'warg maw' does, by the clock and without a terminal: its players\n"
     "come over an XMPP server (--xmpp), or are bots, language models and AIWolf agents. FILE has\n"
     "the table's rules. Prints the leaderboard at the end.\n"
     "The first SIGTERM or Ctrl-C drains it: the round that is played is the last one. The second\n"
     "one ends it: what was played so far counts.",
     session_line_options, SESSION_SERVED_COUNT,
     "WARG_XMPP_SECRET=secret warg serve maw table.yml --xmpp localhost --lobby 2m --out monday\n"
     "warg serve maw --xmpp localhost -- maw --xmpp localhost --component night.localhost\n"
     "warg serve maw table.yml --xmpp localhost -- aiwolf --players 5 -- nlp -c main_5.yml\n",
     NULL, serve_lines},
    {0},
};

/* The whole command: its lines, those of one kind together. */
typedef struct Lines {
    ServeNlp *nlp[DOORS_MAX];
    size_t nlp_count;
    ServeAiwolf *aiwolf[DOORS_MAX];
    size_t aiwolf_count;
    ServeMaw *maw[DOORS_MAX];
    size_t maw_count;
} Lines;

static void lines_done(Lines *lines)
{
    for (size_t i = 0; i < lines->nlp_count; i++)
        serve_nlp_free(lines->nlp[i]);
    for (size_t i = 0; i < lines->aiwolf_count; i++)
        serve_aiwolf_free(lines->aiwolf[i]);
    for (size_t i = 0; i < lines->maw_count; i++)
        serve_maw_free(lines->maw[i]);
}

/* ---- reading ---- */

/* As serve_nlp_read. */
static int read_line(Lines *lines, int argc, char **argv, Err *err)
{
    const char *kind = argc > 0 ? argv[0] : "";

    if (lines->nlp_count + lines->aiwolf_count + lines->maw_count == DOORS_MAX)
        return err_set(err, ERR_LIMIT, "at most %d lines", DOORS_MAX);
    if (strcmp(kind, "aiwolf") == 0) {
        int go = serve_aiwolf_read(argc, argv, &lines->aiwolf[lines->aiwolf_count], err);
        lines->aiwolf_count += go > 0;
        return go;
    }
    if (strcmp(kind, "nlp") == 0) {
        int go = serve_nlp_read(argc, argv, &lines->nlp[lines->nlp_count], err);
        lines->nlp_count += go > 0;
        return go;
    }
    if (strcmp(kind, "maw") == 0) {
        int go = serve_maw_read(argc, argv, &lines->maw[lines->maw_count], err);
        lines->maw_count += go > 0;
        return go;
    }
    if (!kind[0])
        return err_set(err, ERR_USAGE,
                       "the line of another server, 'aiwolf ...', 'nlp ...' or 'maw ...', is "
                       "missing behind '--'");
    return err_set(err, ERR_USAGE,
                   "unexpected '%s': behind '--' goes the line of another server, 'aiwolf ...', "
                   "'nlp ...' or 'maw ...'",
                   kind);
}

static int read_lines(Lines *lines, int argc, char **argv, Err *err)
{
    int go = 1;

    for (int begin = 0; begin <= argc && go > 0;) {
        int end = begin;
        while (end < argc && strcmp(argv[end], "--") != 0)
            end++;
        go = read_line(lines, end - begin, argv + begin, err);
        begin = end + 1;
    }
    return go;
}

/* The umask is the process's. */
static int check_results(const Lines *lines, bool *ret_open, Err *err)
{
    size_t open = 0;

    for (size_t i = 0; i < lines->nlp_count; i++)
        open += serve_nlp_opens_results(lines->nlp[i]);
    for (size_t i = 0; i < lines->aiwolf_count; i++)
        open += serve_aiwolf_opens_results(lines->aiwolf[i]);
    for (size_t i = 0; i < lines->maw_count; i++)
        open += serve_maw_opens_results(lines->maw[i]);
    if (open && open < lines->nlp_count + lines->aiwolf_count + lines->maw_count)
        return err_set(err, ERR_USAGE, "--open-results: give it to each of the lines, or to none");
    *ret_open = open > 0;
    return 0;
}

static int check_pairs(const Lines *lines, Err *err)
{
    int rc = 0;

    for (size_t i = 0; i < lines->nlp_count; i++)
        for (size_t j = 0; j < i && rc == 0; j++)
            rc = serve_nlp_check_beside(lines->nlp[j], lines->nlp[i], err);
    for (size_t i = 0; i < lines->aiwolf_count; i++)
        for (size_t j = 0; j < i && rc == 0; j++)
            rc = serve_aiwolf_check_beside(lines->aiwolf[j], lines->aiwolf[i], err);
    for (size_t i = 0; i < lines->maw_count; i++)
        for (size_t j = 0; j < i && rc == 0; j++)
            rc = serve_maw_check_beside(lines->maw[j], lines->maw[i], err);
    return rc;
}

static bool looks_only(const Lines *lines)
{
    for (size_t i = 0; i < lines->nlp_count; i++)
        if (serve_nlp_looks_only(lines->nlp[i]))
            return true;
    return false;
}

static int look(const Lines *lines, Err *err)
{
    int rc = 0;

    for (size_t i = 0; i < lines->nlp_count && rc == 0; i++)
        rc = serve_nlp_look(lines->nlp[i], err);
    return rc;
}

/* ---- serving ---- */

static void on_say(void *user, Str line)
{
    CLEANUP(buf_done) Buf whole = {0};

    (void)user;
    buf_add(&whole, line);
    buf_add_char(&whole, '\n');
    fwrite(whole.bytes, 1, whole.len, stderr);
}

static void on_print(void *user, Str text)
{
    (void)user;
    fwrite(text.bytes, 1, text.len, stdout);
    fflush(stdout);
}

static const DoorWords words = {on_say, on_print, NULL};

static int add_doors(const Lines *lines, unsigned mask, Doors *doors, Err *err)
{
    ServeNlpBeside nlp = {.words = words};
    const ServeAiwolfBeside aiwolf = {mask, lines->aiwolf_count > 1, words};
    int rc = 0;

    for (size_t i = 0; i < lines->nlp_count; i++)
        nlp.servers += serve_nlp_count(lines->nlp[i]);
    nlp.connections = nlp.servers ? connection_room_web(nlp.servers) : 0;
    for (size_t i = 0; i < lines->nlp_count && rc == 0; i++) {
        rc = serve_nlp_add(lines->nlp[i], &nlp, doors, err);
        nlp.before += serve_nlp_count(lines->nlp[i]);
    }
    for (size_t i = 0; i < lines->aiwolf_count && rc == 0; i++)
        rc = serve_aiwolf_add(lines->aiwolf[i], &aiwolf, doors, err);
    for (size_t i = 0; i < lines->maw_count && rc == 0; i++)
        rc = serve_maw_add(lines->maw[i], mask, &words, doors, err);
    return rc;
}

static bool stays(const Lines *lines)
{
    for (size_t i = 0; i < lines->nlp_count; i++)
        if (serve_nlp_stays(lines->nlp[i]))
            return true;
    return false;
}

static int serve(const Lines *lines, bool open_results, Err *err)
{
    CLEANUP(doors_freep) Doors *doors = NULL;
    const unsigned mask = result_folder_begin(open_results);
    int rc = doors_new(stays(lines), loop_date_ms, loop_date_of, &doors, err);

    if (rc == 0)
        rc = add_doors(lines, mask, doors, err);
    if (rc == 0)
        rc = doors_prepare(doors, err);
    for (size_t i = 0; i < lines->aiwolf_count && rc == 0; i++)
        serve_aiwolf_warn(lines->aiwolf[i]);
    return rc ? rc : doors_run(doors, loop_now(), err);
}

static int serve_lines(int argc, char **argv, Err *err)
{
    CLEANUP(lines_done) Lines lines = {0};
    bool open_results = false;
    int go = read_lines(&lines, argc, argv, err);

    if (go <= 0)
        return go;
    if (looks_only(&lines))
        return look(&lines, err);
    int rc = check_results(&lines, &open_results, err);
    if (rc == 0)
        rc = check_pairs(&lines, err);
    return rc ? rc : serve(&lines, open_results, err);
}

int cmd_serve(int argc, char **argv, Err *err)
{
    return options_run_verb("serve", cmd_serve_usage, argc, argv, err);
}
