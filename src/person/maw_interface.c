#include "person/maw_interface.h"

#include "base/mem.h"
#include "base/rng.h"
#include "maw/interface_text.h"
#include "maw/maw_names.h"
#include "person/maw_account.h"
#include "person/maw_puppet.h"
#include "person/maw_terminal.h"
#include "person/maw_words.h"

#include <stdio.h>

#define SECOND         ((TimeUs)1000 * 1000)
#define KEPT_LINES     64
#define CHANCE_PERCENT 25 /* of its turns that a player by chance votes, but the last ones */
#define LAST_SECONDS   20
#define NEWS_BYTES     ((size_t)16 * 1024)

typedef struct Run {
    const MawInterfaceRun *setup;
    MawAccountSetup account_setup;
    MawAccount *account;
    Loop *loop;
    Timer *timer;
    MawInterface *interface;
    bool over; /* the session is: who reads its end on a whole screen leaves by himself */
    bool left; /* the person has */
    /* a person */
    MawTerminal *person;
    MawPuppet *puppet;
    bool name_wanted;
    bool act_told;        /* how to answer a player that tells nothing */
    Buf kept[KEPT_LINES]; /* typed before it was known for what */
    uint32_t kept_count;
    /* a model, or chance */
    LlmModels *models;
    LlmEndpoint *endpoint; /* NULL: the demo model, or chance */
    LlmCall *call;
    MawQuestion question; /* that is thought about */
    TimeUs think_until;   /* TIME_US_NEVER: nothing is, or by the endpoint */
    Rng rng;
} Run;

static void run_done(Run *run)
{
    llm_call_cancel(run->call);
    maw_terminal_free(run->person);
    maw_puppet_free(run->puppet);
    llm_models_free(run->models);
    maw_interface_free(run->interface);
    for (uint32_t i = 0; i < run->kept_count; i++)
        buf_done(&run->kept[i]);
    maw_account_free(run->account);
}

static PersonLanguage spoken_language(const Run *run)
{
    return run->setup->japanese ? PERSON_JAPANESE : PERSON_ENGLISH;
}

static LlmLanguage llm_language(const Run *run)
{
    return run->setup->japanese ? LLM_JAPANESE : LLM_ENGLISH;
}

static void tell_word(const Run *run, MawWord word)
{
    if (run->person)
        maw_terminal_note(run->person, str_of(maw_word(word, spoken_language(run))));
}

/* ---- time ---- */

static TimeUs earlier_of(TimeUs a, TimeUs b)
{
    return a < b ? a : b;
}

static void settle_run(Run *run)
{
    TimeUs next = earlier_of(maw_interface_deadline(run->interface), run->think_until);

    if (run->puppet)
        next = earlier_of(next, maw_puppet_deadline(run->puppet));
    if (run->person)
        next = earlier_of(next, maw_terminal_deadline(run->person));
    timer_at(run->timer, next, false);
    if (run->over && (!run->person || !maw_terminal_is_full(run->person)))
        loop_stop(run->loop);
}

/* ---- a model ---- */

static void forget_thought(Run *run)
{
    llm_call_cancel(run->call);
    run->call = NULL;
    run->think_until = TIME_US_NEVER;
}

static void answer_text(Run *run, Str said)
{
    CLEANUP(interface_text_done) InterfaceText text = {0};
    MawMessage answer;
    Err wrong = {0};

    if (interface_text_read(said, &run->question, llm_language(run), &text, &answer, &wrong))
        maw_interface_fail(run->interface, "model-error", str_of(wrong.msg));
    else
        maw_interface_answer(run->interface, &answer);
}

static void on_model(void *user, const LlmAnswer *answer, TimeUs now)
{
    Run *run = user;

    (void)now;
    run->call = NULL;
    if (answer->outcome == LLM_ANSWERED) {
        answer_text(run, answer->text);
    } else {
        maw_interface_fail(run->interface, "model-error",
                           STR("The model's server has not answered."));
        if (!run->setup->quiet && answer->why.len) {
            CLEANUP(buf_done) Buf why = {0};
            buf_add(&why, answer->why);
            maw_account_print(buf_cstr(&why));
        }
    }
    settle_run(run);
}

/* What a model may answer, where the question says it. */
static void write_schema(const Run *run, Buf *out)
{
    LlmScene scene;

    if (run->question.name || run->question.target_count == 0)
        return;
    interface_scene(&run->question, llm_language(run), &scene);
    llm_schema_write(&scene, llm_endpoint_strict(run->endpoint) ? SCHEMA_STRICT : SCHEMA_LAX, out);
}

static void ask_model(Run *run)
{
    CLEANUP(buf_done) Buf schema = {0};
    Err err = {0};

    write_schema(run, &schema);
    const LlmAsk ask = {.messages = run->question.messages,
                        .schema = buf_str(&schema),
                        /* Behind that of the question, which says that it was a timeout. */
                        .deadline = run->question.ends + SECOND};
    if (llm_ask(run->endpoint, &ask, on_model, run, &run->call, &err))
        run->call = NULL; /* without memory its time runs out */
}

/* ---- chance, and phrases ---- */

static void answer_name(Run *run)
{
    MawMessage answer = maw_message(MAW_NAME);

    answer.player_name = str_of(maw_name(rng_below(&run->rng, MAW_NAMES)));
    maw_interface_answer(run->interface, &answer);
}

static int32_t seconds_left(const Run *run, TimeUs now)
{
    TimeUs left = run->question.ends - now;

    return left > (TimeUs)INT32_MAX * SECOND ? -1 : (int32_t)(left / SECOND);
}

static void decide_by_chance(Run *run, LlmDecision *decision, TimeUs now)
{
    uint32_t count = run->question.target_count;
    int32_t left = seconds_left(run, now);
    bool last = left >= 0 && left <= LAST_SECONDS;

    if (count == 0 || (!last && rng_below(&run->rng, 100) >= CHANCE_PERCENT))
        return;
    decision->action = LLM_VOTE;
    snprintf(decision->target, sizeof(decision->target), "%.*s",
             STR_ARG(run->question.targets[rng_below(&run->rng, count)]));
}

static void decide_by_phrase(Run *run, LlmDecision *decision, TimeUs now)
{
    Str chat = run->question.messages;
    Str last = str_part(chat, chat.len > NEWS_BYTES ? chat.len - NEWS_BYTES : 0, chat.len);
    LlmScene scene;

    interface_scene(&run->question, llm_language(run), &scene);
    scene.seed = rng_next(&run->rng);
    scene.seconds_left = seconds_left(run, now);
    llm_demo(&scene, last, last, decision);
}

static void answer_without_model(Run *run, TimeUs now)
{
    LlmDecision decision = {.action = LLM_LISTEN};

    run->think_until = TIME_US_NEVER;
    if (run->question.name) {
        answer_name(run);
        return;
    }
    if (run->setup->llm)
        decide_by_phrase(run, &decision, now);
    else
        decide_by_chance(run, &decision, now);
    const MawMessage answer = interface_answer_of(&decision);
    maw_interface_answer(run->interface, &answer);
}

static void think_about(Run *run, const MawQuestion *question, TimeUs now)
{
    forget_thought(run);
    run->question = *question; /* borrowed until the next one is open */
    if (run->endpoint)
        ask_model(run);
    else
        run->think_until = now + SECOND / 5 + (TimeUs)rng_below(&run->rng, 800) * 1000;
}

/* ---- a person ---- */

/* A line for a player of whom nothing is known but that it asks. */
static void answer_line(Run *run, Str line)
{
    Str rest, word = person_first_word(line, &rest);
    MawMessage answer = maw_message(MAW_CHAT);

    answer.message = line;
    if (run->name_wanted) {
        answer = maw_message(MAW_NAME);
        answer.player_name = line;
    } else if (str_eq(word, STR("/vote"))) {
        answer = maw_message(MAW_VOTE);
        answer.target = rest;
        answer.target_null = rest.len == 0 || str_eq(rest, STR("none"));
    } else if (str_eq(word, STR("/listen"))) {
        answer = maw_message(MAW_LISTEN);
    } else if (word.len && word.bytes[0] == '/') {
        tell_word(run, MAW_ASKED_HELP);
        return;
    }
    run->name_wanted = false;
    maw_interface_answer(run->interface, &answer);
}

static bool pop_line(Run *run, Buf *line)
{
    if (!run->kept_count)
        return false;
    *line = run->kept[0];
    run->kept_count--;
    memmove(run->kept, run->kept + 1, run->kept_count * sizeof(*line));
    return true;
}

/* Lines that wait: for a name, for a player that tells nothing, or for the table when it is there.
 */
static void use_lines(Run *run, TimeUs now)
{
    bool known = maw_puppet_player(run->puppet) != NULL;

    while (run->kept_count && (known || maw_interface_is_open(run->interface))) {
        CLEANUP(buf_done) Buf line = {0};
        if (!run->name_wanted && !known && run->question.named)
            return; /* it tells soon who it is */
        pop_line(run, &line);
        if (run->name_wanted || !known)
            answer_line(run, buf_str(&line));
        else
            maw_terminal_enter(run->person, buf_str(&line), now);
    }
}

static bool on_typed(void *user, Str line, TimeUs now)
{
    Run *run = user;

    if (maw_puppet_player(run->puppet) && !run->name_wanted && !run->kept_count)
        return false;
    if (run->kept_count < KEPT_LINES) {
        Buf *kept = &run->kept[run->kept_count];
        *kept = (Buf){0};
        buf_add(kept, line);
        run->kept_count += !buf_failed(kept);
    }
    use_lines(run, now);
    settle_run(run);
    return true;
}

static void ask_person(Run *run, const MawQuestion *question, TimeUs now)
{
    bool known = maw_puppet_player(run->puppet) != NULL;

    run->question = *question;
    run->name_wanted = question->name;
    if (question->name)
        tell_word(run, MAW_ASKED_NAME);
    else if (!known && !question->named && !run->act_told)
        tell_word(run, MAW_ASKED_ACT);
    run->act_told |= !question->name;
    if (question->name || !maw_puppet_answer(run->puppet))
        use_lines(run, now);
}

static void on_born(void *user, MawPlayer *player, TimeUs now)
{
    Run *run = user;

    maw_terminal_take(run->person, player, now);
}

static void on_news(void *user, const MawNews *news, TimeUs now)
{
    Run *run = user;

    run->over |= news->kind == NEWS_OVER;
    maw_terminal_news(run->person, news, now);
}

static void on_acted(void *user)
{
    Run *run = user;

    maw_puppet_answer(run->puppet);
    settle_run(run);
}

static void on_left(void *user, TimeUs now)
{
    Run *run = user;

    (void)now;
    run->left = !run->over;
    maw_interface_fail(run->interface, "user-timeout", STR("Nobody is at the terminal any more."));
    loop_stop(run->loop);
}

/* ---- the interface ---- */

static void on_asked(void *user, const MawQuestion *question, TimeUs now)
{
    Run *run = user;

    if (run->person)
        ask_person(run, question, now);
    else
        think_about(run, question, now);
}

static void on_expired(void *user, TimeUs now)
{
    Run *run = user;

    (void)now;
    run->name_wanted = false;
    forget_thought(run);
}

/* Of the session's end who decides by a model is told, too. */
static void on_told(void *user, const MawStanza *stanza, TimeUs at, TimeUs now)
{
    Run *run = user;

    if (run->puppet) {
        maw_puppet_told(run->puppet, stanza, at, now);
        use_lines(run, now);
        return;
    }
    MawMessage message;
    MawRefusal why;
    run->over |= maw_message_read(stanza->body, &message, &why) && message.type == MAW_SESSION_END;
    maw_message_done(&message);
}

static void on_note(void *user, Str line)
{
    const Run *run = user;
    CLEANUP(buf_done) Buf text = {0};

    buf_add(&text, line);
    if (run->person)
        maw_terminal_note(run->person, line);
    else if (!run->setup->quiet && !buf_failed(&text))
        maw_account_print(buf_cstr(&text));
}

static void send_stanza(void *user, const MawStanza *stanza)
{
    maw_account_send(((Run *)user)->account, stanza);
}

/* ---- the account ---- */

static void on_linked(void *user, bool up, Str jid, TimeUs now)
{
    Run *run = user;

    if (up)
        maw_interface_linked(run->interface, now);
    if (run->puppet && maw_puppet_player(run->puppet))
        maw_player_link(maw_puppet_player(run->puppet), up, now);
    else if (up && run->person)
        tell_word(run, MAW_ASKED_WAITS);
    else if (up && !run->setup->quiet)
        printf("connected as %.*s\n", STR_ARG(jid));
    fflush(stdout);
    settle_run(run);
}

static void on_heard(void *user, const MawStanza *stanza, TimeUs now)
{
    Run *run = user;

    maw_interface_receive(run->interface, stanza, now);
    settle_run(run);
}

static void on_timer(void *user, TimeUs now)
{
    Run *run = user;

    maw_interface_tick(run->interface, now);
    if (now >= run->think_until)
        answer_without_model(run, now);
    if (run->puppet)
        maw_puppet_tick(run->puppet, now);
    if (run->person) {
        maw_terminal_tick(run->person, now); /* a script's line may be due */
        maw_puppet_answer(run->puppet);
    }
    settle_run(run);
}

/* An answer is owed to nobody who waits for it in vain. */
static void on_signalled(void *user, TimeUs now)
{
    const Run *run = user;

    (void)now;
    if (run->setup->kind == INTERFACE_USER)
        maw_interface_fail(run->interface, "user-timeout", STR("The interface ends."));
    else
        maw_interface_fail(run->interface, "model-error", STR("The interface ends."));
}

/* ---- beginning and end ---- */

static int open_person(Run *run, Err *err)
{
    const MawInterfaceRun *setup = run->setup;
    int rc = maw_puppet_new(
        &(MawPuppetSetup){
            .interface = run->interface, .born = on_born, .news = on_news, .user = run},
        &run->puppet, err);

    return rc ? rc
              : maw_terminal_new(run->loop,
                                 &(MawTerminalSetup){.plain = setup->plain,
                                                     .language = spoken_language(run),
                                                     .typed = on_typed,
                                                     .acted = on_acted,
                                                     .left = on_left,
                                                     .user = run},
                                 &run->person, err);
}

static int open_model(Run *run, Err *err)
{
    if (!run->setup->llm)
        return 0;
    int rc = llm_models_new(run->loop, &run->models, err);

    return rc ? rc : llm_models_endpoint(run->models, run->setup->llm, &run->endpoint, err);
}

static int open_interface(Run *run, Err *err)
{
    const MawInterfaceSetup setup = {
        .kind = run->setup->kind,
        .owner = run->setup->owner,
        .nonce = run->setup->nonce,
        .out = {.send = send_stanza,
                .asked = on_asked,
                .expired = on_expired,
                .told = on_told,
                .note = on_note,
                .user = run},
    };

    return maw_interface_new(&setup, &run->interface, err);
}

static int open_run(Run *run, Err *err)
{
    const MawInterfaceRun *setup = run->setup;

    run->rng = rng_new(setup->seed);
    run->think_until = TIME_US_NEVER;
    run->account_setup = (MawAccountSetup){.client = setup->account,
                                           .timeout_us = setup->timeout_us,
                                           .seed = setup->seed,
                                           .linked = on_linked,
                                           .heard = on_heard,
                                           .quiet = setup->quiet,
                                           .signalled = on_signalled,
                                           .user = run};
    int rc = maw_account_new(&run->account_setup, &run->account, err);
    if (rc == 0) {
        run->loop = maw_account_loop(run->account);
        rc = timer_new(run->loop, on_timer, run, &run->timer, err);
    }
    if (rc == 0)
        rc = open_interface(run, err);
    if (rc == 0)
        rc = setup->kind == INTERFACE_USER ? open_person(run, err) : open_model(run, err);
    return rc ? rc : maw_account_connect(run->account, err);
}

int maw_interface_run(const MawInterfaceRun *setup, Err *err)
{
    CLEANUP(run_done) Run run = {.setup = setup};
    uint32_t answers, failures;
    int rc = open_run(&run, err);

    if (rc == 0)
        rc = maw_account_run(run.account, err);
    if (rc)
        return rc;
    run.person = maw_terminal_free(run.person);
    maw_interface_figures(run.interface, &answers, &failures);
    if (!setup->quiet)
        printf("%u questions answered, %u not\n", answers, failures);
    if (run.left || maw_account_was_stopped(run.account))
        return err_set(err, ERR_INTERRUPTED, "left the player alone");
    return 0;
}
