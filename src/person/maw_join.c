#include "person/maw_join.h"

#include "base/exit_status.h"
#include "base/rng.h"
#include "base/utf8.h"
#include "person/maw_account.h"
#include "person/maw_terminal.h"
#include "person/maw_words.h"
#include "stats/decision_sheet.h"

#include <stdio.h>

#define OTHER_NAMES 8
#define NAME_BYTES  100

typedef struct Join {
    const MawJoinSetup *setup;
    MawAccountSetup account_setup;
    MawAccount *account;
    Loop *loop; /* the account's */
    Timer *timer;
    MawPlayer *player; /* from the first time that the account is connected, and has a name */
    bool naming;       /* its interface is asked for one */
    char jid[256];     /* meanwhile: as the account was connected first */
    char name[NAME_BYTES];
    MawDriver *driver;   /* unless it is a person */
    MawTerminal *person; /* who types, or only reads what the driver does; NULL: --quiet */
    LlmModels *models;
    LlmSeat *seat;
    MawAsked *asked;                     /* whose driver it is; NULL: nobody elsewhere */
    char names[OTHER_NAMES][NAME_BYTES]; /* when the account's is taken */
    const char *other_names[OTHER_NAMES + 1];
    bool joined;
    bool over;    /* the session is; who plays on a whole screen reads it and leaves */
    bool stopped; /* the person has left */
    Err problem;
} Join;

static void join_done(Join *join)
{
    maw_terminal_free(join->person);
    maw_driver_free(join->driver);
    maw_player_free(join->player);
    llm_seat_free(join->seat);
    llm_models_free(join->models);
    maw_asked_free(join->asked);
    maw_account_free(join->account);
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
    maw_account_send(((Join *)user)->account, stanza);
}

static void on_heard(void *user, const MawStanza *stanza, MawType type, TimeUs now)
{
    const Join *join = user;

    if (join->asked)
        maw_asked_heard(join->asked, stanza, type, now);
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
        snprintf(join->names[i], NAME_BYTES, "%.50s%d", join->name, i + 2);
        join->other_names[i] = join->names[i];
    }
    return join->other_names;
}

static int begin_player(Join *join, TimeUs now, Err *err)
{
    MawPlayerSetup setup = {
        .jid = str_of(join->jid),
        .game_master = join->setup->game_master,
        .name = str_of(join->name),
        .other_names = join->setup->only_name ? NULL : make_names(join),
        .client = STR("warg " WARG_VERSION),
        .join_timeout_us = join->setup->timeout_us,
        .out = {.send = send_stanza, .news = on_news, .heard = on_heard, .user = join},
        .now = now};
    int rc = maw_player_new(&setup, &join->player, err);

    if (rc == 0 && join->driver)
        maw_driver_take(join->driver, join->player);
    if (rc == 0 && join->asked)
        maw_asked_take(join->asked, join->player);
    if (rc == 0 && join->person)
        maw_terminal_take(join->person, join->player, now);
    if (rc == 0)
        maw_player_tick(join->player, now);
    return rc;
}

/* ---- the account ---- */

static void on_trouble(void *user, Str line)
{
    maw_terminal_note(((Join *)user)->person, line);
}

static void start_player(Join *join, TimeUs now)
{
    if (begin_player(join, now, &join->problem) != 0)
        loop_stop(join->loop);
}

/* Who decides may choose the name (GetName); without one it is the account's. */
static void on_named(void *user, Str name, TimeUs now)
{
    Join *join = user;

    join->naming = false;
    if (name.len && name.len < NAME_BYTES)
        snprintf(join->name, NAME_BYTES, "%.*s", STR_ARG(name));
    start_player(join, now);
    settle_join(join);
}

static void on_linked(void *user, bool up, Str jid, TimeUs now)
{
    Join *join = user;

    if (join->player) {
        maw_player_link(join->player, up, now);
    } else if (up && !join->naming) {
        snprintf(join->jid, sizeof(join->jid), "%.*s", STR_ARG(jid));
        join->naming = join->asked && !join->setup->only_name;
        if (join->naming)
            maw_asked_name(join->asked, join->setup->japanese, now, now + join->setup->timeout_us,
                           on_named, join);
        else
            start_player(join, now);
    }
    settle_join(join);
}

static void on_stanza(void *user, const MawStanza *stanza, TimeUs now)
{
    Join *join = user;
    bool taken = join->asked && maw_asked_receive(join->asked, stanza, now);

    if (!taken && join->player)
        maw_player_receive(join->player, stanza, now);
    settle_join(join);
}

/* ---- the end ---- */

static void on_signalled(void *user, TimeUs now)
{
    const Join *join = user;

    if (join->player)
        maw_player_leave(join->player, now);
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

static int open_terminal(Join *join, Err *err)
{
    const MawJoinSetup *setup = join->setup;

    if (!setup->person && setup->quiet)
        return 0;
    return maw_terminal_new(
        join->loop,
        &(MawTerminalSetup){.plain = setup->plain,
                            .watched = !setup->person,
                            .language = setup->japanese ? PERSON_JAPANESE : PERSON_ENGLISH,
                            .acted = on_acted,
                            .left = on_left,
                            .user = join},
        &join->person, err);
}

static void on_asked_note(void *user, Str line)
{
    const Join *join = user;
    CLEANUP(buf_done) Buf text = {0};

    buf_add(&text, line);
    if (join->person)
        maw_terminal_note(join->person, line);
    else if (!buf_failed(&text))
        maw_account_print(buf_cstr(&text));
}

static int open_asked(Join *join, Err *err)
{
    const MawJoinSetup *setup = join->setup;

    if (!setup->asked.len)
        return 0;
    return maw_asked_new(&(MawAskedSetup){.alarms = loop_alarms(join->loop),
                                          .interface = setup->asked,
                                          .kind = setup->asks,
                                          .seed = setup->nonce,
                                          .send = send_stanza,
                                          .note = on_asked_note,
                                          .user = join},
                         &join->asked, err);
}

/* A model at `endpoint`; NULL: the demo model. */
static int drive_by_model(Join *join, LlmEndpoint *endpoint, const LlmSpec *spec, uint64_t seed,
                          Err *err)
{
    const MawPace pace = {.min_us = 2000000, .max_us = 8000000, .last_call_us = 20000000};
    const LlmManner manner = spec ? spec->manner : (LlmManner){0};
    const MawPace own = maw_model_pace(&pace, &manner, !endpoint);
    int rc = llm_seat_new(loop_alarms(join->loop),
                          &(LlmSeatSetup){.endpoint = endpoint,
                                          .persona = spec ? str_of(spec->persona) : (Str){0},
                                          .filters = manner.filters,
                                          .seed = seed},
                          &join->seat, err);

    return rc ? rc
              : maw_model_driver_new(join->seat, join->setup->japanese ? LLM_JAPANESE : LLM_ENGLISH,
                                     &own, seed, &join->driver, err);
}

static int make_decider(Join *join, Err *err)
{
    const MawJoinSetup *setup = join->setup;
    const MawPace pace = {.min_us = 2000000, .max_us = 8000000, .last_call_us = 20000000};
    uint64_t seed = rng_derive(setup->seed, 1);
    LlmEndpoint *endpoint = NULL;

    int rc = open_terminal(join, err);
    if (rc == 0)
        rc = open_asked(join, err);
    if (rc || setup->person)
        return rc;
    if (join->asked && setup->asks == ASKS_USER)
        return maw_user_driver_new(join->asked, seed, &join->driver, err);
    if (join->asked)
        return drive_by_model(join, maw_asked_endpoint(join->asked), NULL, seed, err);
    if (!setup->llm)
        return maw_bot_driver_new(setup->bot, setup->japanese ? LLM_JAPANESE : LLM_ENGLISH, &pace,
                                  seed, &join->driver, err);
    rc = llm_models_new(join->loop, &join->models, err);
    if (rc == 0)
        rc = llm_models_endpoint(join->models, setup->llm, &endpoint, err);
    return rc ? rc : drive_by_model(join, endpoint, setup->llm, seed, err);
}

static int open_all(Join *join, Err *err)
{
    const MawJoinSetup *setup = join->setup;

    join->account_setup = (MawAccountSetup){.client = setup->account,
                                            .timeout_us = setup->timeout_us,
                                            .seed = setup->seed,
                                            .linked = on_linked,
                                            .heard = on_stanza,
                                            .trouble = setup->person ? on_trouble : NULL,
                                            .quiet = setup->quiet,
                                            .signalled = on_signalled,
                                            .user = join};
    snprintf(join->name, NAME_BYTES, "%.*s", STR_ARG(str_part(setup->name, 0, NAME_BYTES - 1)));
    int rc = maw_account_new(&join->account_setup, &join->account, err);
    if (rc == 0) {
        join->loop = maw_account_loop(join->account);
        rc = timer_new(join->loop, on_timer, join, &join->timer, err);
    }
    if (rc == 0)
        rc = make_decider(join, err);
    return rc ? rc : maw_account_connect(join->account, err);
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
    rc = maw_account_run(join.account, err);
    join.person = maw_terminal_free(join.person); /* its screen goes, and what is told now stays */
    Exit status = print_figures(&join);
    if (join.problem.code == ERR_RULE) { /* a refusal is a result */
        maw_account_print(join.problem.msg);
        return 1;
    }
    if (rc || join.problem.code)
        return rc ? rc : err_set(err, join.problem.code, "%s", join.problem.msg);
    if (join.stopped || maw_account_was_stopped(join.account))
        return err_set(err, ERR_INTERRUPTED, "left the table");
    return (int)status;
}
