/* cmd_play.c - `warg play`: a person plays in the AIWolf divisions. */
#include "cmd/cmd.h"
#include "disk/secret.h"
#include "person/person_words.h"
#include "person/play.h"
#include "wire/nlp_packet.h"

#include <unistd.h>

enum { HOST, PORT, NAME, ROLE, URL, TEAM, TOKEN_FILE, CA, WAIT, LANGUAGE, PLAIN };
static const Option options[] = {
    [HOST] = {"host", 'H', OPTION_TEXT, "HOST", "protocol division: where the server is",
              "127.0.0.1", 0, 0},
    [PORT] = {"port", 'p', OPTION_UINT, "PORT", "its port", "10000", 1, 65535},
    [NAME] = {"name", 'n', OPTION_TEXT, "NAME",
              "what the server is told; without it \"you\", or TEAM1 with --url", NULL, 0, 0},
    [ROLE] = {"role", 'r', OPTION_CHOICE,
              "none|VILLAGER|SEER|MEDIUM|BODYGUARD|WEREWOLF|POSSESSED|FREEMASON|FOX",
              "protocol division: the role to wish for, if the server asks", "none", 0, 0},
    [URL] = {"url", 'u', OPTION_TEXT, "URL",
             "natural-language division: where the server is, ws:// or wss://", NULL, 0, 0},
    [TEAM] = {"team", 't', OPTION_TEXT, "NAME", "with --url: the team", "person", 0, 0},
    [TOKEN_FILE] = {"token-file", 0, OPTION_TEXT, "FILE",
                    "with --url: a file with the token, for a server with authentication", NULL, 0,
                    0},
    [CA] = {"ca", 0, OPTION_TEXT, "FILE",
            "for wss:// the certificates to trust, PEM; without it the system's", NULL, 0, 0},
    [WAIT] = {"wait", 'w', OPTION_DURATION, "TIME", "how long to try to connect", "10s", 0,
              86400000},
    [LANGUAGE] = {"language", 'l', OPTION_CHOICE, "en|ja",
                  "of what is told; without it as LANG says", NULL, 0, 0},
    [PLAIN] = {"plain", 0, OPTION_FLAG, NULL,
               "lines only, no full screen: for screen readers and scripts; so it is anyway "
               "without a terminal",
               NULL, 0, 0},
};

const Usage cmd_play_usage[] = {
    {"play", "",
     "You play: on a server of the AIWolf protocol division, or with --url of the "
     "natural-language\n"
     "division. What you type is said when it is your turn; /help lists what else there is. From "
     "a\n"
     "pipe, lines wait until they are asked for, each kind in its order.",
     OPTIONS(options),
     "warg serve aiwolf --players 5 --once --time-limit 5m --agent 'bot:sample*4' &\n"
     "warg play --name anna\n"
     "warg play --url ws://127.0.0.1:8080/ws --team anna --language ja\n"
     "printf '%s\\n' 'COMINGOUT Agent[01] SEER' '/over' '/vote Agent[02]' | warg play\n",
     NULL, NULL},
    {0},
};

/* ---- the parts of both divisions ---- */

void play_watch(Play *play)
{
    TimeUs due = person_deadline(play->person);

    timer_at(play->tick, due, false);
}

void play_over(Play *play)
{
    play->over = true;
    if (screen_is_plain(play->screen) || play->left)
        loop_stop(play->loop);
}

void play_fail(Play *play, ErrCode code, const char *why)
{
    if (play->over)
        return;
    err_set(&play->failed, code, "%s", why);
    loop_stop(play->loop);
}

static void on_quit(void *user)
{
    Play *play = user;

    play->left = true;
    loop_stop(play->loop);
}

static void on_answer(void *user, const Ask *ask, const Answer *answer)
{
    Play *play = user;

    play->side.answer(play->side.user, ask, answer);
}

static void on_entered(void *user, Str line, TimeUs now)
{
    Play *play = user;

    person_entered(play->person, line, now);
    play_watch(play);
}

static void on_left(void *user, TimeUs now)
{
    Play *play = user;

    if (!screen_input_ended(play->screen)) {
        on_quit(play);
        return;
    }
    person_input_ended(play->person, now); /* the game goes on */
    play_watch(play);
}

static uint32_t on_names(void *user, Str *ret)
{
    return person_names(((Play *)user)->person, ret);
}

static void on_tick(void *user, TimeUs now)
{
    Play *play = user;

    person_tick(play->person, now);
    play_watch(play);
}

static void on_again(void *user, TimeUs now)
{
    const Play *play = user;

    (void)now;
    play->side.dial(play->side.user);
}

bool play_again(Play *play)
{
    if (loop_now() >= play->give_up)
        return false;
    timer_in(play->again, play->side.again);
    return true;
}

int play_open(const PlayPlan *plan, const PlaySide *side, Play *play, Err *err)
{
    const ScreenSetup screen = {.plain = plan->plain,
                                .input = STDIN_FILENO,
                                .output = STDOUT_FILENO,
                                .entered = on_entered,
                                .left = on_left,
                                .names = on_names,
                                .leave_question = person_word(LEAVE_QUESTION, plan->language),
                                .user = play};

    play->plan = plan;
    play->side = *side;
    int rc = loop_new(&play->loop, err);
    if (rc == 0)
        rc = timer_new(play->loop, on_tick, play, &play->tick, err);
    if (rc == 0)
        rc = timer_new(play->loop, on_again, play, &play->again, err);
    if (rc == 0)
        rc = screen_new(play->loop, &screen, &play->screen, err);
    const PersonSetup person = {.screen = play->screen,
                                .language = plan->language,
                                .protocol = side->protocol,
                                .answer = on_answer,
                                .quit = on_quit,
                                .user = play};
    if (rc == 0)
        rc = person_new(&person, &play->person, err);
    return rc;
}

void play_done(Play *play)
{
    screen_free(play->screen);
    person_free(play->person);
    timer_free(play->tick);
    timer_free(play->again);
    loop_free(play->loop);
}

int play_run(Play *play, Err *err)
{
    CLEANUP(buf_done) Buf line = {0};

    play->give_up = loop_now() + play->plan->wait;
    play->side.dial(play->side.user);
    if (!play->failed.code)
        loop_run(play->loop);
    play->screen = screen_free(play->screen);
    if (person_games(play->person)) {
        char games[32], wins[32];
        snprintf(games, sizeof(games), "%llu", (unsigned long long)person_games(play->person));
        snprintf(wins, sizeof(wins), "%llu", (unsigned long long)person_wins(play->person));
        const Str arguments[] = {str_of(games), str_of(wins)};
        person_fill(person_word(SCORE_LINE, play->plan->language), arguments, 2, &line);
        puts(buf_cstr(&line));
    }
    if (play->failed.code)
        return err_set(err, play->failed.code, "%s", play->failed.msg);
    if (!play->over)
        return err_set(err, ERR_INTERRUPTED, "you left before the game was over");
    return 0;
}

/* ---- the command line ---- */

static int check_division(const Options *given, Err *err)
{
    static const size_t with_url[] = {TEAM, TOKEN_FILE, CA}, without[] = {HOST, PORT, ROLE};
    bool url = options_has(given, URL);

    for (size_t i = 0; i < 3; i++) {
        size_t which = url ? without[i] : with_url[i];
        if (options_has(given, which))
            return err_set(err, ERR_USAGE, "--%s %s --url", options[which].name,
                           url ? "does not go with" : "is of use only with");
    }
    if (url && nlp_team_of(str_of(options_text(given, TEAM))).len == 0)
        return err_set(err, ERR_USAGE, "--team: a name is more than digits");
    return 0;
}

static int make_plan(const Options *given, Buf *name, Buf *token, PlayPlan *plan, Err *err)
{
    int rc = check_division(given, err);

    if (rc)
        return rc;
    *plan = (PlayPlan){.wait = (TimeUs)options_number(given, WAIT) * 1000,
                       .language = options_has(given, LANGUAGE)
                                       ? (PersonLanguage)options_number(given, LANGUAGE)
                                       : person_language(),
                       .plain = options_has(given, PLAIN),
                       .host = options_text(given, HOST),
                       .port = (uint16_t)options_number(given, PORT),
                       .wish = role_of(str_of(options_text(given, ROLE))),
                       .url = options_text(given, URL),
                       .ca = options_text(given, CA)};
    if (options_has(given, NAME))
        buf_add(name, str_of(options_text(given, NAME)));
    else if (plan->url)
        buf_printf(name, "%s1", options_text(given, TEAM));
    else
        buf_add(name, STR("you"));
    if (options_has(given, TOKEN_FILE)) {
        rc = secret_read(options_text(given, TOKEN_FILE), "the token", token, err);
        plan->token = buf_cstr(token);
    }
    plan->name = buf_cstr(name);
    return rc;
}

int cmd_play(int argc, char **argv, Err *err)
{
    CLEANUP(options_done) Options given = {0};
    CLEANUP(buf_done) Buf name = {0};
    CLEANUP(buf_done) Buf token = {0};
    PlayPlan plan;
    int go = options_parse(&cmd_play_usage[0], argc, argv, &given, err);

    if (go <= 0)
        return go;
    int rc = make_plan(&given, &name, &token, &plan, err);
    if (rc)
        return rc;
    return plan.url ? play_nlp(&plan, err) : play_aiwolf(&plan, err);
}
