#include "maw/asked.h"

#include "base/json.h"
#include "maw/maw_names.h"
#include "maw/session.h"
#include "wire/json_read.h"

#define SECOND        ((TimeUs)1000 * 1000)
#define URL           "http://interface.invalid/" /* never asked: see carry_call */
#define MODEL_OF_DOC  "llama3.1"                  /* the document's; an interface may know better */
#define NAMES_ASKED   3
#define COME_BACK_US  (5 * SECOND)  /* an interface that is not there is asked again */
#define QUESTION_US   (60 * SECOND) /* where nobody tells when the phase ends */
#define REQUEST_BYTES ((size_t)256 * 1024)
#define SERVER_BYTES  300

/* One request of the endpoint's, on its way. */
typedef struct Carried {
    MawAsked *asked;
    Buf body;
    TimeUs patience;
    bool sent;
    void (*answered)(void *user, const HttpAnswer *answer);
    void *user;
} Carried;

typedef enum AskedFor {
    ASKED_NOTHING,
    ASKED_NAME,
    ASKED_REQUEST,
    ASKED_ACT,
} AskedFor;

struct MawAsked {
    MawAskedSetup setup; /* its texts are the asker's */
    MawAsker *asker;
    const MawPlayer *player;
    LlmEndpoint *endpoint;
    char server[SERVER_BYTES]; /* "xmpp:ai@localhost" */
    Alarm alarm;
    AskedFor asked_for;
    /* a name */
    bool japanese;
    uint32_t names_asked;
    TimeUs name_ends;
    TimeUs name_again; /* TIME_US_NEVER: it is being asked for */
    void (*named)(void *user, Str name, TimeUs now);
    void *named_user;
    /* a request */
    Carried *carried;
    /* an act */
    void (*acted)(void *user, const MawAnswered *answered, TimeUs now);
    void *acted_user;
};

/* ---- when ---- */

static void set_alarm(MawAsked *asked)
{
    TimeUs next = maw_asker_deadline(asked->asker);

    if (asked->carried && !asked->carried->sent) {
        alarm_soon(&asked->alarm);
        return;
    }
    if (asked->asked_for == ASKED_NAME && asked->name_again < next)
        next = asked->name_again;
    alarm_at(&asked->alarm, next, false);
}

/* ---- what is asked ---- */

static TimeUs phase_ends(const MawAsked *asked, TimeUs now)
{
    TimeUs ends = asked->player ? maw_player_known(asked->player)->phase_ends : TIME_US_NEVER;

    return ends == TIME_US_NEVER ? now + QUESTION_US : ends;
}

/* An action, as the phase allows it. */
static void ask_action(MawAsked *asked, Str completions, TimeUs now, TimeUs ends)
{
    MawMessage question = maw_message(MAW_GET_INPUT);
    const MawKnown *known = asked->player ? maw_player_known(asked->player) : NULL;

    question.completions = completions;
    question.purpose = STR("action");
    if (known) {
        question.list_count = maw_player_targets(asked->player, question.list);
        question.phase = known->night ? STR("night") : STR("day");
    }
    question.seconds = ends > now ? (ends - now) / SECOND : 0;
    maw_asker_ask(asked->asker, &question, now, ends);
}

/* ---- a name ---- */

static void write_name_request(bool japanese, Buf *out)
{
    Json json = json_over(out);

    json_open(&json, '{');
    json_add_str(&json, "model", STR(MODEL_OF_DOC));
    json_key(&json, STR("messages"));
    json_open(&json, '[');
    json_open(&json, '{');
    json_add_str(&json, "role", STR("user"));
    json_add_str(&json, "content",
                 japanese
                     ? STR("人狼ゲームの席に着く。名前を一つ、文字だけの一語で答えよ。")
                     : STR("You take a seat in a game of Werewolf. Choose a name for yourself: "
                           "answer with one word, letters only."));
    json_close(&json);
    json_close(&json);
    json_close(&json);
}

static void ask_name(MawAsked *asked, TimeUs now)
{
    CLEANUP(buf_done) Buf completions = {0};
    MawMessage question = maw_message(MAW_GET_INPUT);

    if (asked->setup.kind == ASKS_MODEL)
        write_name_request(asked->japanese, &completions);
    question.completions = buf_str(&completions);
    question.purpose = STR("name");
    question.seconds = asked->name_ends > now ? (asked->name_ends - now) / SECOND : 0;
    asked->name_again = TIME_US_NEVER;
    maw_asker_ask(asked->asker, &question, now, asked->name_ends);
}

static void end_name(MawAsked *asked, Str name, TimeUs now)
{
    asked->asked_for = ASKED_NOTHING;
    asked->named(asked->named_user, name, now);
}

static void take_name(MawAsked *asked, const MawAnswered *answered, TimeUs now)
{
    CLEANUP(buf_done) Buf word = {0};
    const MawMessage *message = answered->message;
    Str name = {0};

    if (message && message->type == MAW_NAME)
        name = str_trim(message->player_name);
    else if (message && message->type == MAW_CHAT)
        name = str_trim(message->message);
    if (asked->setup.kind == ASKS_MODEL && (!message || maw_session_name_problem(name)))
        name = maw_name_in(name.len ? name : answered->body, &word);
    if (!maw_session_name_problem(name))
        end_name(asked, name, now);
    else if (++asked->names_asked < NAMES_ASKED)
        ask_name(asked, now);
    else
        end_name(asked, (Str){0}, now);
}

static void hear_name(MawAsked *asked, const MawAnswered *answered, TimeUs now)
{
    if (answered->outcome == ASKED_ANSWERED)
        take_name(asked, answered, now);
    else if (answered->outcome == ASKED_GONE && now + COME_BACK_US < asked->name_ends)
        asked->name_again = now + COME_BACK_US;
    else
        end_name(asked, (Str){0}, now);
}

void maw_asked_name(MawAsked *asked, bool japanese, TimeUs now, TimeUs ends,
                    void (*named)(void *user, Str name, TimeUs now), void *user)
{
    asked->asked_for = ASKED_NAME;
    asked->japanese = japanese;
    asked->names_asked = 0;
    asked->name_ends = ends;
    asked->named = named;
    asked->named_user = user;
    ask_name(asked, now);
    set_alarm(asked);
}

/* ---- a request ---- */

static Carried *carried_free(Carried *carried)
{
    if (!carried)
        return NULL;
    buf_done(&carried->body);
    return mem_free(carried);
}

/* Of what a server over HTTP is sent, what the document has: model and messages. */
static bool write_completions(Str request, Buf *out)
{
    json_t *read = NULL;
    Json json = json_over(out);

    if (json_read(request, REQUEST_BYTES, &read, NULL))
        return false;
    const json_t *messages = json_get(read, "messages");
    json_open(&json, '{');
    json_add_str(&json, "model", STR(MODEL_OF_DOC));
    json_key(&json, STR("messages"));
    json_open(&json, '[');
    for (size_t i = 0; i < json_count(messages); i++) {
        json_open(&json, '{');
        json_add_str(&json, "role", json_text(json_at(messages, i), "role"));
        json_add_str(&json, "content", json_text(json_at(messages, i), "content"));
        json_close(&json);
    }
    json_close(&json);
    json_close(&json);
    json_done(read);
    return !buf_failed(out);
}

static void send_request(MawAsked *asked, TimeUs now)
{
    CLEANUP(buf_done) Buf completions = {0};
    Carried *carried = asked->carried;

    carried->sent = true;
    asked->asked_for = ASKED_REQUEST;
    write_completions(buf_str(&carried->body), &completions);
    ask_action(asked, buf_str(&completions), now, now + carried->patience);
}

static int carry_call(void *user, const HttpAsk *ask,
                      void (*answered)(void *user, const HttpAnswer *answer), void *answered_user,
                      HttpCall **ret_call, Err *err)
{
    MawAsked *asked = user;
    Carried *carried = mem_new(sizeof(*carried));

    if (carried)
        buf_add(&carried->body, ask->body);
    if (!carried || buf_failed(&carried->body) || asked->carried) {
        carried_free(carried);
        return err_set(err, ERR_MEMORY, "a question to an interface agent: out of memory");
    }
    carried->asked = asked;
    carried->patience = (TimeUs)ask->timeout_ms * 1000;
    carried->answered = answered;
    carried->user = answered_user;
    asked->carried = carried;
    set_alarm(asked); /* it says what time it is */
    *ret_call = (HttpCall *)(void *)carried;
    return 0;
}

static void carry_cancel(HttpCall *call)
{
    Carried *carried = (Carried *)(void *)call;
    MawAsked *asked = carried->asked;

    if (carried->sent) {
        asked->asked_for = ASKED_NOTHING;
        maw_asker_cancel(asked->asker);
    }
    asked->carried = carried_free(carried);
    set_alarm(asked);
}

/* As a server of the original interface says it. */
static void write_reply(const MawAnswered *answered, Buf *out)
{
    Json json = json_over(out);
    bool good = answered->outcome == ASKED_ANSWERED;

    json_open(&json, '{');
    json_key(&json, good ? STR("choices") : STR("error"));
    if (good) {
        json_open(&json, '[');
        json_open(&json, '{');
        json_key(&json, STR("message"));
    }
    json_open(&json, '{');
    if (good)
        json_add_str(&json, "role", STR("assistant"));
    json_add_str(&json, good ? "content" : "message", good ? answered->body : answered->text);
    json_close(&json);
    if (good) {
        json_close(&json);
        json_close(&json);
    }
    json_close(&json);
}

static void hear_reply(MawAsked *asked, const MawAnswered *answered, TimeUs now)
{
    static const unsigned statuses[] = {
        [ASKED_ANSWERED] = 200, [ASKED_TIMEOUT] = 504, [ASKED_FAILED] = 500, [ASKED_REFUSED] = 403};
    CLEANUP(buf_done) Buf body = {0};
    Carried *carried = asked->carried;
    HttpAnswer answer = {.at = now};

    asked->carried = NULL;
    asked->asked_for = ASKED_NOTHING;
    if (answered->outcome == ASKED_GONE) {
        answer.failure = HTTP_NO_CONNECTION;
        answer.why = answered->text;
    } else {
        write_reply(answered, &body);
        answer.status = statuses[answered->outcome];
        answer.body = buf_str(&body);
    }
    carried->answered(carried->user, &answer); /* may ask again */
    carried_free(carried);
}

/* ---- an act ---- */

void maw_asked_act(MawAsked *asked, TimeUs now,
                   void (*answered)(void *user, const MawAnswered *answered, TimeUs now),
                   void *user)
{
    asked->asked_for = ASKED_ACT;
    asked->acted = answered;
    asked->acted_user = user;
    ask_action(asked, (Str){0}, now, phase_ends(asked, now));
    set_alarm(asked);
}

void maw_asked_cancel(MawAsked *asked)
{
    if (asked->asked_for != ASKED_ACT)
        return;
    asked->asked_for = ASKED_NOTHING;
    maw_asker_cancel(asked->asker);
    set_alarm(asked);
}

bool maw_asked_is_open(const MawAsked *asked)
{
    return asked->asked_for == ASKED_ACT;
}

/* ---- answers ---- */

static void on_answered(void *user, const MawAnswered *answered, TimeUs now)
{
    MawAsked *asked = user;

    switch (asked->asked_for) {
    case ASKED_NAME:
        hear_name(asked, answered, now);
        break;
    case ASKED_REQUEST:
        hear_reply(asked, answered, now);
        break;
    case ASKED_ACT:
        asked->asked_for = ASKED_NOTHING;
        asked->acted(asked->acted_user, answered, now);
        break;
    case ASKED_NOTHING:
        break;
    }
    set_alarm(asked);
}

static void on_alarm(void *user, TimeUs now)
{
    MawAsked *asked = user;

    if (asked->carried && !asked->carried->sent)
        send_request(asked, now);
    else if (asked->asked_for == ASKED_NAME && now >= asked->name_again)
        ask_name(asked, now);
    maw_asker_tick(asked->asker, now);
    set_alarm(asked);
}

bool maw_asked_receive(MawAsked *asked, const MawStanza *stanza, TimeUs now)
{
    bool taken = maw_asker_receive(asked->asker, stanza, now);

    if (taken)
        set_alarm(asked);
    return taken;
}

void maw_asked_heard(MawAsked *asked, const MawStanza *stanza, MawType type, TimeUs now)
{
    maw_asker_tell(asked->asker, stanza, type, now);
}

/* ---- life ---- */

static void send_stanza(void *user, const MawStanza *stanza)
{
    const MawAsked *asked = user;

    asked->setup.send(asked->setup.user, stanza);
}

static void on_note(void *user, Str line)
{
    const MawAsked *asked = user;

    if (asked->setup.note)
        asked->setup.note(asked->setup.user, line);
}

static int open_endpoint(MawAsked *asked, const MawAskedSetup *setup, Err *err)
{
    const HttpCarrier carrier = {.call = carry_call, .cancel = carry_cancel, .user = asked};
    const LlmEndpointSetup endpoint = {.url = URL,
                                       .called = asked->server,
                                       .model = "interface",
                                       .json = LLM_JSON_NONE,
                                       .parallel = 1,
                                       .temperature = -1,
                                       .seed = setup->seed};

    snprintf(asked->server, sizeof(asked->server), "xmpp:%.*s",
             STR_ARG(str_part(jid_bare(setup->interface), 0, SERVER_BYTES - 8)));
    return llm_endpoint_new(setup->alarms, carrier, &endpoint, &asked->endpoint, err);
}

int maw_asked_new(const MawAskedSetup *setup, MawAsked **ret_asked, Err *err)
{
    MawAsked *asked = mem_new(sizeof(*asked));

    if (!asked)
        return err_set(err, ERR_MEMORY, "a player's interface: out of memory");
    alarm_init(&asked->alarm, setup->alarms, on_alarm, asked);
    asked->setup = *setup;
    asked->name_again = TIME_US_NEVER;
    int rc = maw_asker_new(&(MawAskerSetup){.jid = setup->jid,
                                            .interface = setup->interface,
                                            .kind = setup->kind,
                                            .nonce = setup->seed,
                                            .send = send_stanza,
                                            .answered = on_answered,
                                            .note = on_note,
                                            .user = asked},
                           &asked->asker, err);
    if (rc == 0 && setup->kind == ASKS_MODEL)
        rc = open_endpoint(asked, setup, err);
    if (rc) {
        maw_asked_free(asked);
        return rc;
    }
    *ret_asked = asked;
    return 0;
}

MawAsked *maw_asked_free(MawAsked *asked)
{
    if (!asked)
        return NULL;
    llm_endpoint_free(asked->endpoint);
    alarm_stop(&asked->alarm);
    carried_free(asked->carried);
    maw_asker_free(asked->asker);
    return mem_free(asked);
}

void maw_asked_take(MawAsked *asked, const MawPlayer *player)
{
    asked->player = player;
}

LlmEndpoint *maw_asked_endpoint(const MawAsked *asked)
{
    return asked->endpoint;
}
