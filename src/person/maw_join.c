#include "person/maw_join.h"

#include "base/exit_status.h"
#include "base/rng.h"
#include "base/utf8.h"
#include "disk/log_file.h"
#include "person/maw_terminal.h"
#include "person/maw_words.h"
#include "stats/decision_sheet.h"
#include "terminal/clean.h"

#include <signal.h>
#include <stdio.h>

#define OTHER_NAMES 8
#define NAME_BYTES  64

typedef struct Join {
    const MawJoinSetup *setup;
    Loop *loop;
    Timer *timer;
    Timer *patience; /* until the account is connected for the first time */
    XmppClient *client;
    MawPlayer *player;   /* from the first time that the account is connected */
    MawDriver *driver;   /* unless it is a person */
    MawTerminal *person; /* who types, or only reads what the driver does; NULL: --quiet */
    LlmModels *models;
    LlmSeat *seat;
    Buf out;
    Buf texts;                           /* of the stanza that is being taken */
    char names[OTHER_NAMES][NAME_BYTES]; /* when the account's is taken */
    const char *other_names[OTHER_NAMES + 1];
    bool joined;
    bool over;         /* the session is; who plays on a whole screen reads it and leaves */
    bool stopped;      /* by a signal, or by the person */
    char trouble[200]; /* with the account, the last */
    Err problem;
} Join;

static void join_done(Join *join)
{
    maw_terminal_free(join->person);
    maw_driver_free(join->driver);
    maw_player_free(join->player);
    llm_seat_free(join->seat);
    llm_models_free(join->models);
    xmpp_client_free(join->client);
    buf_done(&join->out);
    buf_done(&join->texts);
    loop_free(join->loop);
}

/* ---- time ---- */

static void settle_join(Join *join)
{
    if (!join->player)
        return;
    TimeUs next = maw_player_deadline(join->player);
    TimeUs driven = join->driver ? maw_driver_deadline(join->driver) : TIME_US_NEVER;
    TimeUs shown = join->person ? maw_terminal_deadline(join->person) : TIME_US_NEVER;

    driven = shown < driven ? shown : driven;
    timer_at(join->timer, driven < next ? driven : next, false);
    if (maw_player_known(join->player)->state != PLAYER_OVER)
        return;
    join->over = true;
    if (!join->person || !maw_terminal_is_full(join->person) || join->problem.code)
        loop_stop(join->loop);
}

static void on_timer(void *user, TimeUs now)
{
    Join *join = user;

    maw_player_tick(join->player, now);
    if (join->driver)
        maw_driver_tick(join->driver, now);
    if (join->person)
        maw_terminal_tick(join->person, now);
    settle_join(join);
}

/* ---- the player ---- */

static void send_stanza(void *user, const MawStanza *stanza)
{
    Join *join = user;
    MawStanza sent = *stanza;

    /* The server knows who we are, and gives another address after each login: ejabberd ends the
     * stream of who names an old one (RFC 6120 8.1.2.1). */
    sent.from = (Str){0};
    buf_clear(&join->out);
    maw_stanza_write(&sent, &join->out);
    if (!buf_failed(&join->out))
        xmpp_client_send(join->client, buf_str(&join->out));
}

static void on_news(void *user, const MawNews *news, TimeUs now)
{
    Join *join = user;

    if (news->kind == NEWS_JOINED)
        join->joined = true;
    if (news->kind == NEWS_OVER && news->name.len && !str_eq(news->name, STR("left")))
        err_set(&join->problem, ERR_RULE, "%s%.*s", join->joined ? "" : "no seat: ",
                STR_ARG(maw_said(news->name, news->text,
                                 join->setup->japanese ? PERSON_JAPANESE : PERSON_ENGLISH)));
    if (join->problem.code == ERR_RULE && news->kind == NEWS_OVER)
        ; /* said when the screen is gone */
    else if (join->person)
        maw_terminal_news(join->person, news, now);
    if (join->driver)
        maw_driver_news(join->driver, news, now);
}

/* "bo2" to "bo9". */
static const char *const *make_names(Join *join)
{
    for (int i = 0; i < OTHER_NAMES; i++) {
        snprintf(join->names[i], NAME_BYTES, "%.*s%d", STR_ARG(str_part(join->setup->name, 0, 50)),
                 i + 2);
        join->other_names[i] = join->names[i];
    }
    return join->other_names;
}

static int begin_player(Join *join, Str jid, TimeUs now, Err *err)
{
    MawPlayerSetup setup = {.jid = jid,
                            .game_master = join->setup->game_master,
                            .name = join->setup->name,
                            .other_names = join->setup->only_name ? NULL : make_names(join),
                            .client = STR("warg " WARG_VERSION),
                            .join_timeout_us = join->setup->timeout_us,
                            .out = {.send = send_stanza, .news = on_news, .user = join},
                            .now = now};
    int rc = maw_player_new(&setup, &join->player, err);

    if (rc == 0 && join->driver)
        maw_driver_take(join->driver, join->player);
    if (rc == 0 && join->person)
        maw_terminal_take(join->person, join->player, now);
    if (rc == 0)
        maw_player_tick(join->player, now);
    return rc;
}

/* ---- the account ---- */

/* On one line and without what steers a terminal: it may be a stranger's word. */
static void print_error(const char *line)
{
    CLEANUP(buf_done) Buf clean = {0};

    clean_line(str_of(line), &clean);
    fprintf(stderr, "warg: %s\n", buf_cstr(&clean));
}

/* Until there is a player, who then says that the link is gone and back; one trouble once. */
static void tell_trouble(Join *join, const char *why)
{
    char line[256];

    if (join->player || strcmp(why, join->trouble) == 0)
        return;
    snprintf(join->trouble, sizeof(join->trouble), "%s", why);
    snprintf(line, sizeof(line), "%s; trying again", why);
    if (join->setup->person)
        maw_terminal_note(join->person, str_of(line));
    else if (!join->setup->quiet)
        print_error(line);
}

static void on_state(void *user, bool up, Str jid, const char *why, TimeUs now)
{
    Join *join = user;

    if (!up)
        tell_trouble(join, why);
    if (join->player)
        maw_player_link(join->player, up, now);
    else if (up && begin_player(join, jid, now, &join->problem) != 0)
        loop_stop(join->loop);
    settle_join(join);
}

/* Later the link may be gone for as long as it takes: there is a seat to come back to. */
static void on_patience(void *user, TimeUs now)
{
    Join *join = user;

    (void)now;
    if (join->player)
        return;
    err_set(&join->problem, ERR_IO, "%s is not connected within --timeout: %s",
            join->setup->account.jid, join->trouble[0] ? join->trouble : "no answer");
    loop_stop(join->loop);
}

static void on_stanza(void *user, const XmlNode *message, TimeUs at)
{
    Join *join = user;
    MawStanza stanza;

    buf_clear(&join->texts);
    if (join->player && maw_stanza_read(message, &join->texts, &stanza))
        maw_player_receive(join->player, &stanza, at);
    settle_join(join);
}

static void on_refused(void *user, const char *why, TimeUs at)
{
    Join *join = user;

    (void)at;
    err_set(&join->problem, ERR_IO, "%s: %s", join->setup->account.jid, why);
    loop_stop(join->loop);
}

/* ---- the end ---- */

static void on_signal(void *user, int signal_number, TimeUs now)
{
    Join *join = user;

    (void)signal_number;
    if (join->player && !join->stopped)
        maw_player_leave(join->player, now);
    join->stopped = true;
    loop_stop(join->loop);
}

/* The person has left, and its player has said so. */
static void on_left(void *user, TimeUs now)
{
    Join *join = user;

    (void)now;
    join->stopped = !join->over;
    loop_stop(join->loop);
}

static void on_acted(void *user)
{
    settle_join(user);
}

/* ---- who decides ---- */

static int make_decider(Join *join, Err *err)
{
    const MawJoinSetup *setup = join->setup;
    const MawPace pace = {.min_us = 2000000, .max_us = 8000000, .last_call_us = 20000000};
    uint64_t seed = rng_derive(setup->seed, 1);
    LlmEndpoint *endpoint = NULL;

    int rc = 0;

    if (setup->person || !setup->quiet)
        rc = maw_terminal_new(
            join->loop,
            &(MawTerminalSetup){.plain = setup->plain,
                                .watched = !setup->person,
                                .language = setup->japanese ? PERSON_JAPANESE : PERSON_ENGLISH,
                                .acted = on_acted,
                                .left = on_left,
                                .user = join},
            &join->person, err);
    if (rc || setup->person)
        return rc;
    if (!setup->llm)
        return maw_bot_driver_new(setup->bot, setup->japanese ? LLM_JAPANESE : LLM_ENGLISH, &pace,
                                  seed, &join->driver, err);
    rc = llm_models_new(join->loop, &join->models, err);
    if (rc == 0)
        rc = llm_models_endpoint(join->models, setup->llm, &endpoint, err);
    if (rc == 0)
        rc = llm_seat_new(loop_alarms(join->loop),
                          &(LlmSeatSetup){.endpoint = endpoint,
                                          .persona = str_of(setup->llm->persona),
                                          .filters = setup->llm->manner.filters,
                                          .seed = seed},
                          &join->seat, err);
    const MawPace own = maw_model_pace(&pace, &setup->llm->manner, !endpoint);
    if (rc == 0)
        rc = maw_model_driver_new(join->seat, setup->japanese ? LLM_JAPANESE : LLM_ENGLISH, &own,
                                  seed, &join->driver, err);
    return rc;
}

static int open_all(Join *join, Err *err)
{
    static const int signals[] = {SIGINT, SIGTERM, SIGHUP};
    XmppClientSetup account = join->setup->account;
    int rc = loop_new(&join->loop, err);

    account.seed = rng_derive(join->setup->seed, 2);
    account.events = (XmppClientEvents){on_state, on_stanza, on_refused};
    account.user = join;
    if (rc == 0)
        rc = timer_new(join->loop, on_timer, join, &join->timer, err);
    if (rc == 0)
        rc = timer_new(join->loop, on_patience, join, &join->patience, err);
    if (rc == 0)
        timer_in(join->patience, join->setup->timeout_us);
    for (size_t i = 0; i < sizeof(signals) / sizeof(signals[0]) && rc == 0; i++) {
        struct sigaction now;
        if (sigaction(signals[i], NULL, &now) == 0 && now.sa_handler == SIG_IGN)
            continue; /* as nohup asks */
        rc = loop_signal(join->loop, signals[i], on_signal, join, err);
    }
    if (rc == 0)
        rc = make_decider(join, err);
    if (rc == 0)
        rc = xmpp_client_new(join->loop, &account, &join->client, err);
    return rc;
}

static Exit print_figures(const Join *join)
{
    CLEANUP(buf_done) Buf trouble = {0};
    LlmFigures figures;

    if (!join->seat)
        return EXIT_OK;
    llm_seat_figures(join->seat, &figures);
    uint32_t all = figures.lines + figures.votes + figures.listens;
    if (figures.by_model == 0 && figures.fallbacks == 0) /* the demo decided */
        return EXIT_OK;
    utf8_add_printable(str_of(figures.trouble), LLM_TROUBLE_MAX, &trouble);
    printf("%u of %u decisions were the model's own; %u requests, %u fallbacks%s%s\n",
           figures.by_model, all, figures.requests, figures.fallbacks,
           trouble.len ? "; the last error: " : "", trouble.len ? buf_cstr(&trouble) : "");
    return decisions_are_own(figures.by_model, all) ? EXIT_OK : EXIT_NOT_OWN;
}

int maw_join(const MawJoinSetup *setup, Err *err)
{
    CLEANUP(join_done) Join join = {.setup = setup};
    int rc = open_all(&join, err);

    if (rc)
        return rc;
    loop_run(join.loop);
    join.person = maw_terminal_free(join.person); /* its screen goes, and what is told now stays */
    Exit status = print_figures(&join);
    if (join.problem.code == ERR_RULE) { /* a refusal is a result */
        print_error(join.problem.msg);
        return 1;
    }
    if (join.problem.code)
        return err_set(err, join.problem.code, "%s", join.problem.msg);
    if (join.stopped)
        return err_set(err, ERR_INTERRUPTED, "left the table");
    return (int)status;
}
