#include "maw/interface.h"

#include "base/json.h"
#include "base/rng.h"
#include "base/utf8.h"
#include "wire/json_read.h"

#define SECOND          ((TimeUs)1000 * 1000)
#define JID_BYTES       256
#define WORD_BYTES      256
#define MODEL_US        (60 * SECOND) /* for an answer where nobody says how long it may take */
#define LONGEST_US      (24 * 3600 * SECOND)
#define COMPLAINT_EVERY (5 * SECOND)
#define ASK_AGAIN_US    (2 * SECOND) /* for what was told and is missing */
#define STRANGERS_NOTED 8
#define ENTRIES_MAX     1024 /* of a chat */
#define MESSAGES_BYTES  ((size_t)256 * 1024)

/* Where an answer goes, and to what. */
typedef struct Envelope {
    char to[JID_BYTES];
    char id[WORD_BYTES];
    char reply_with[WORD_BYTES];
    char conversation[WORD_BYTES];
    char thread[WORD_BYTES];
} Envelope;

struct MawInterface {
    MawInterfaceSetup setup; /* its owner is the next */
    char owner[JID_BYTES];
    char player[JID_BYTES]; /* bare, folded; empty: not known yet */
    Str resource;           /* of the owner: no other client counts */
    bool open;
    MawQuestion question;
    Str targets[MAW_LIST_MAX];
    Buf texts; /* of the question */
    Envelope asked;
    uint32_t questions, answers, failures;
    /* The last answer, for who asks the same again. */
    Envelope answered;
    MawAct answered_act;
    Buf answer;
    uint32_t sent;
    TimeUs complaint_at;
    uint64_t strangers[STRANGERS_NOTED]; /* who were said: hashes of their accounts */
    uint32_t stranger_count;
    bool foreign_noted; /* another client of its player's account */
    /* What its player tells. */
    bool tells;
    int64_t next;
    TimeUs ask_told_at;
    Buf body;
};

/* ---- life ---- */

static bool keep_word(char *to, size_t room, Str text)
{
    bool fits = text.len < room;

    if (fits && text.len)
        memcpy(to, text.bytes, text.len);
    to[fits ? text.len : 0] = '\0';
    return fits;
}

static bool fold_player(MawInterface *interface, Str jid)
{
    CLEANUP(buf_done) Buf folded = {0};

    jid_fold(jid, &folded);
    return !buf_failed(&folded) && folded.len &&
           keep_word(interface->player, sizeof(interface->player), buf_str(&folded));
}

int maw_interface_new(const MawInterfaceSetup *setup, MawInterface **ret_interface, Err *err)
{
    MawInterface *interface = mem_new(sizeof(*interface));

    if (!interface)
        return err_set(err, ERR_MEMORY, "an interface agent: out of memory");
    interface->setup = *setup;
    bool good = setup->owner.len &&
                keep_word(interface->owner, sizeof(interface->owner), setup->owner) &&
                jid_domain(setup->owner).len;
    Str owner = str_of(interface->owner);
    interface->resource = str_part(owner, jid_bare(owner).len, SIZE_MAX);
    if (good && jid_local(owner).len)
        good = fold_player(interface, owner);
    if (!good) {
        maw_interface_free(interface);
        return err_set(err, ERR_RULE,
                       "an interface agent is for name@domain, or for a domain, not '%.*s'",
                       STR_ARG(str_part(setup->owner, 0, 100)));
    }
    interface->question.ends = TIME_US_NEVER;
    *ret_interface = interface;
    return 0;
}

MawInterface *maw_interface_free(MawInterface *interface)
{
    if (!interface)
        return NULL;
    buf_done(&interface->texts);
    buf_done(&interface->answer);
    buf_done(&interface->body);
    return mem_free(interface);
}

Str maw_interface_player(const MawInterface *interface)
{
    return str_of(interface->player);
}

/* ---- whom it serves ---- */

static void note_line(const MawInterface *interface, const char *what, Str who)
{
    CLEANUP(buf_done) Buf shown = {0};
    char line[240];

    utf8_add_printable(who, 100, &shown);
    snprintf(line, sizeof(line), "%s: %s", what, buf_cstr(&shown));
    interface->setup.out.note(interface->setup.out.user, str_of(line));
}

static bool is_folded(Str jid, const char *folded)
{
    CLEANUP(buf_done) Buf mine = {0};

    jid_fold(jid, &mine);
    return !buf_failed(&mine) && str_eq(buf_str(&mine), str_of(folded));
}

/* Of a whole domain the first that asks. */
static bool take_player(MawInterface *interface, Str from)
{
    CLEANUP(buf_done) Buf domain = {0};
    CLEANUP(buf_done) Buf owner = {0};

    jid_fold(jid_domain(from), &domain);
    jid_fold(str_of(interface->owner), &owner);
    if (buf_failed(&domain) || buf_failed(&owner) || !str_eq(buf_str(&domain), buf_str(&owner)) ||
        !jid_local(from).len || !fold_player(interface, from))
        return false;
    note_line(interface, "this is the interface of", str_of(interface->player));
    return true;
}

/* Once of each. */
static void note_stranger(MawInterface *interface, Str from)
{
    CLEANUP(buf_done) Buf folded = {0};

    jid_fold(from, &folded);
    uint64_t hash = rng_derive_text(1, buf_str(&folded));
    for (uint32_t i = 0; i < interface->stranger_count; i++)
        if (interface->strangers[i] == hash)
            return;
    if (interface->stranger_count == STRANGERS_NOTED)
        return;
    interface->strangers[interface->stranger_count++] = hash;
    note_line(interface, "ignored, for this interface is not theirs", buf_str(&folded));
}

static bool is_its_player(MawInterface *interface, const MawStanza *stanza, bool asks)
{
    Str from = stanza->from;
    bool known = interface->player[0] ? is_folded(from, interface->player)
                                      : asks && take_player(interface, from);

    if (!known) {
        note_stranger(interface, from);
        return false;
    }
    if (interface->resource.len &&
        !str_eq(str_part(from, jid_bare(from).len, SIZE_MAX), interface->resource)) {
        if (!interface->foreign_noted)
            note_line(interface, "ignored, another client of its player", from);
        interface->foreign_noted = true;
        return false;
    }
    return true;
}

/* ---- sending ---- */

static void send_body(MawInterface *interface, const Envelope *envelope, MawAct act, Str body)
{
    char id[WORD_BYTES];

    snprintf(id, sizeof(id), "a%llx-%u", (unsigned long long)interface->setup.nonce,
             ++interface->sent);
    const MawStanza stanza = {.to = str_of(envelope->to),
                              .id = str_of(id),
                              .type = STANZA_CHAT,
                              .act = act,
                              .in_reply_to = str_of(envelope->reply_with),
                              .conversation_id = str_of(envelope->conversation),
                              .thread = str_of(envelope->thread),
                              .has_body = true,
                              .body = body};

    interface->setup.out.send(interface->setup.out.user, &stanza);
}

static void keep_envelope(Envelope *envelope, const MawStanza *stanza)
{
    keep_word(envelope->to, sizeof(envelope->to), stanza->from);
    keep_word(envelope->id, sizeof(envelope->id), stanza->id);
    keep_word(envelope->reply_with, sizeof(envelope->reply_with), stanza->reply_with);
    keep_word(envelope->conversation, sizeof(envelope->conversation), stanza->conversation_id);
    keep_word(envelope->thread, sizeof(envelope->thread), stanza->thread);
}

/* An error beside the questions. */
static void refuse_stanza(MawInterface *interface, const MawStanza *stanza, MawAct act, Str of,
                          const char *code, const char *text)
{
    CLEANUP(buf_done) Buf body = {0};
    MawMessage message = maw_message(MAW_ERROR);
    Envelope envelope;

    message.of = of;
    message.code = str_of(code);
    message.message = str_of(text);
    maw_message_write(&message, &body);
    keep_envelope(&envelope, stanza);
    if (!buf_failed(&body))
        send_body(interface, &envelope, act, buf_str(&body));
}

static bool may_complain(MawInterface *interface, const MawStanza *stanza, TimeUs now)
{
    MawAct act = stanza->act;

    if (act == ACT_REFUSE || act == ACT_FAILURE || act == ACT_NOT_UNDERSTOOD ||
        now < interface->complaint_at)
        return false;
    interface->complaint_at = now + COMPLAINT_EVERY;
    return true;
}

/* ---- answers ---- */

static void close_question(MawInterface *interface)
{
    interface->open = false;
    interface->question.ends = TIME_US_NEVER;
}

static void send_answer(MawInterface *interface, const MawMessage *message, MawAct act)
{
    buf_clear(&interface->answer);
    maw_message_write(message, &interface->answer);
    interface->answered = interface->asked;
    interface->answered_act = act;
    close_question(interface);
    if (!buf_failed(&interface->answer))
        send_body(interface, &interface->answered, act, buf_str(&interface->answer));
}

bool maw_interface_is_open(const MawInterface *interface)
{
    return interface->open;
}

bool maw_interface_answer(MawInterface *interface, const MawMessage *answer)
{
    if (!interface->open)
        return false;
    interface->answers++;
    if (answer->type == MAW_NAME && !interface->question.named) {
        MawMessage chat = maw_message(MAW_CHAT); /* the document has no message for a name */
        chat.message = answer->player_name;
        send_answer(interface, &chat, ACT_REQUEST);
    } else {
        send_answer(interface, answer, maw_type_act(answer->type));
    }
    return true;
}

void maw_interface_fail(MawInterface *interface, const char *code, Str text)
{
    MawMessage message = maw_message(MAW_ERROR);

    if (!interface->open)
        return;
    interface->failures++;
    message.of = str_of(maw_type_name(MAW_GET_INPUT));
    message.code = str_of(code);
    message.message = text;
    send_answer(interface, &message, ACT_FAILURE);
}

void maw_interface_figures(const MawInterface *interface, uint32_t *ret_answers,
                           uint32_t *ret_failures)
{
    *ret_answers = interface->answers;
    *ret_failures = interface->failures;
}

TimeUs maw_interface_deadline(const MawInterface *interface)
{
    return interface->question.ends;
}

void maw_interface_tick(MawInterface *interface, TimeUs now)
{
    bool user = interface->setup.kind == INTERFACE_USER;

    if (!interface->open || now < interface->question.ends)
        return;
    maw_interface_fail(interface, user ? "user-timeout" : "model-timeout",
                       user ? STR("Nothing was typed in time.")
                            : STR("The model has not answered in time."));
    interface->setup.out.expired(interface->setup.out.user, now);
}

/* ---- questions ---- */

/* Only roles and texts: what else stands in a stranger's completion is not for our server. */
static bool copy_entry(const json_t *entry, Json *json)
{
    static const char *const roles[] = {"system", "assistant", "user"};
    Str role = json_text(entry, "role"), content;
    size_t which = 0;

    if (!json_is_map(entry) || !json_as_str(json_get(entry, "content"), &content))
        return false;
    while (which < 2 && !str_eq(role, str_of(roles[which])))
        which++;
    json_open(json, '{');
    json_add_str(json, "role", str_of(roles[which]));
    json_add_str(json, "content", content);
    json_close(json);
    return true;
}

/* The chat of `completions`, checked; false when it is none. */
static bool read_chat(Str completions, Buf *out)
{
    json_t *read = NULL;
    Json json = json_over(out);

    if (json_read(completions, MESSAGES_BYTES, &read, NULL))
        return false;
    const json_t *messages = json_get(read, "messages");
    size_t count = json_count(messages);
    bool good = json_is_list(messages) && count > 0 && count <= ENTRIES_MAX;
    json_open(&json, '[');
    for (size_t i = 0; i < count && good; i++)
        good = copy_entry(json_at(messages, i), &json);
    json_close(&json);
    json_done(read);
    return good && !buf_failed(out);
}

/* Copies all that outlives the message, behind the chat; its texts are set when all are there. */
static bool keep_question(MawInterface *interface, const MawMessage *message, size_t chat)
{
    Buf *texts = &interface->texts;
    size_t starts[MAW_LIST_MAX];
    size_t phase = texts->len;

    buf_add(texts, message->phase);
    for (uint32_t i = 0; i < message->list_count; i++) {
        starts[i] = texts->len;
        buf_add(texts, message->list[i]);
    }
    if (buf_failed(texts))
        return false;
    Str all = buf_str(texts);
    interface->question.messages = str_part(all, 0, chat);
    interface->question.phase = str_part(all, phase, message->phase.len);
    for (uint32_t i = 0; i < message->list_count; i++)
        interface->targets[i] = str_part(all, starts[i], message->list[i].len);
    interface->question.targets = interface->targets;
    interface->question.target_count = message->list_count;
    return true;
}

/* Somewhat before the player gives up: it is to learn why. */
static TimeUs end_of(const MawInterface *interface, const MawMessage *message, TimeUs now)
{
    bool user = interface->setup.kind == INTERFACE_USER;

    if (message->seconds != MAW_ABSENT && message->seconds < LONGEST_US / SECOND) {
        TimeUs time = message->seconds * SECOND;
        return now + time - (time / 10 < SECOND / 2 ? time / 10 : SECOND / 2);
    }
    return user ? TIME_US_NEVER : now + MODEL_US;
}

/* The pre-conditions of tables 10 and 11: a bot's question comes with the chat to be completed, a
 * person's without. */
static bool is_of_its_kind(MawInterface *interface, const MawStanza *stanza,
                           const MawMessage *message)
{
    bool bot = message->completions.bytes != NULL;
    Str of = str_of(maw_type_name(MAW_GET_INPUT));

    if (interface->setup.kind == INTERFACE_MODEL && !bot) {
        refuse_stanza(interface, stanza, ACT_REFUSE, of, "not-a-bot",
                      "A model answers for bots: get_input without completions is a person's.");
        return false;
    }
    if (interface->setup.kind == INTERFACE_USER && bot) {
        refuse_stanza(interface, stanza, ACT_REFUSE, of, "not-a-human",
                      "A person answers here: get_input with completions is a bot's.");
        return false;
    }
    return true;
}

/* By the words of the question: they are the player's own. */
static bool is_same(const Envelope *before, const MawStanza *stanza)
{
    if (stanza->reply_with.len)
        return str_eq(stanza->reply_with, str_of(before->reply_with));
    return stanza->id.len && str_eq(stanza->id, str_of(before->id)) && !before->reply_with[0];
}

/* Whoever thinks about it need not go on. */
static void withdraw_question(MawInterface *interface, TimeUs now)
{
    if (!interface->open)
        return;
    close_question(interface);
    interface->setup.out.expired(interface->setup.out.user, now);
}

static void open_question(MawInterface *interface, const MawStanza *stanza,
                          const MawMessage *message, TimeUs now)
{
    static const char bad[] = "get_input: expected 'completions' to have 'messages', a list of "
                              "objects with texts 'role' and 'content'.";

    withdraw_question(interface, now);
    buf_clear(&interface->texts);
    if (message->completions.bytes && !read_chat(message->completions, &interface->texts)) {
        refuse_stanza(interface, stanza, ACT_NOT_UNDERSTOOD, str_of(maw_type_name(MAW_GET_INPUT)),
                      "bad-field", bad);
        return;
    }
    interface->question = (MawQuestion){
        .named = message->purpose.len > 0,
        .name = str_eq(message->purpose, STR("name")),
        .ends = end_of(interface, message, now),
    };
    /* Who says no purpose begins with GetName (table 16). */
    if (!interface->question.named && interface->questions == 0)
        interface->question.name = true;
    if (!keep_question(interface, message, interface->texts.len)) {
        close_question(interface);
        return; /* without memory it is as if the question had been lost */
    }
    keep_envelope(&interface->asked, stanza);
    interface->questions++;
    interface->open = true;
    interface->setup.out.asked(interface->setup.out.user, &interface->question, now);
}

static void hear_question(MawInterface *interface, const MawStanza *stanza,
                          const MawMessage *message, TimeUs now)
{
    if (interface->open && is_same(&interface->asked, stanza))
        return; /* the answer comes */
    if (interface->questions && !interface->open && is_same(&interface->answered, stanza)) {
        send_body(interface, &interface->answered, interface->answered_act,
                  buf_str(&interface->answer));
        return;
    }
    if (is_of_its_kind(interface, stanza, message))
        open_question(interface, stanza, message, now);
}

/* ---- what its player was told ---- */

static void ask_told(MawInterface *interface, Str to, TimeUs now)
{
    MawMessage message = maw_message(MAW_SUBSCRIBE);
    Envelope envelope = {0};

    if (now < interface->ask_told_at)
        return;
    interface->ask_told_at = now + ASK_AGAIN_US;
    message.index = interface->next;
    buf_clear(&interface->body);
    maw_message_write(&message, &interface->body);
    if (!keep_word(envelope.to, sizeof(envelope.to), to) || buf_failed(&interface->body))
        return;
    send_body(interface, &envelope, ACT_REQUEST, buf_str(&interface->body));
}

void maw_interface_linked(MawInterface *interface, TimeUs now)
{
    interface->ask_told_at = now;
    if (interface->tells)
        ask_told(interface, str_of(interface->player), now);
}

static void hear_told(MawInterface *interface, const MawStanza *stanza, const MawMessage *message,
                      TimeUs now)
{
    TimeUs ago = message->seconds == MAW_ABSENT || message->seconds > LONGEST_US / SECOND
                     ? 0
                     : message->seconds * SECOND;

    if (message->index < interface->next && message->index != 0)
        return; /* once more */
    bool gone = message->first != MAW_ABSENT && message->first <= interface->next;
    if (message->index > interface->next && !gone) {
        ask_told(interface, stanza->from, now);
        return;
    }
    interface->next = message->index + 1;
    const MawStanza told = {.from = message->from,
                            .to = str_of(interface->player),
                            .type = STANZA_CHAT,
                            .act = maw_act_of(message->act),
                            .thread = message->thread,
                            .has_body = true,
                            .body = message->completions};
    if (interface->setup.out.told)
        interface->setup.out.told(interface->setup.out.user, &told, now - ago, now);
}

/* ---- what comes in ---- */

static void hear_other(MawInterface *interface, const MawStanza *stanza, const MawMessage *message,
                       const MawRefusal *why, bool read, TimeUs now)
{
    if (read && message->type == MAW_ERROR)
        return; /* never answered */
    if (!may_complain(interface, stanza, now))
        return;
    if (!read)
        refuse_stanza(interface, stanza, ACT_NOT_UNDERSTOOD, (Str){0}, why->code, why->text);
    else
        refuse_stanza(interface, stanza, ACT_NOT_UNDERSTOOD, str_of(maw_type_name(message->type)),
                      "unknown-type", "An interface agent is asked by get_input.");
}

static void hear_message(MawInterface *interface, const MawStanza *stanza,
                         const MawMessage *message, const MawRefusal *why, bool read, TimeUs now)
{
    bool asks = read && message->type == MAW_GET_INPUT;

    if (!is_its_player(interface, stanza, asks))
        return;
    if (asks) {
        hear_question(interface, stanza, message, now);
        if (message->purpose.len && !interface->tells) { /* one of ours, which can tell */
            interface->tells = true;
            ask_told(interface, stanza->from, now);
        }
    } else if (read && message->type == MAW_TOLD) {
        hear_told(interface, stanza, message, now);
    } else {
        hear_other(interface, stanza, message, why, read, now);
    }
}

void maw_interface_receive(MawInterface *interface, const MawStanza *stanza, TimeUs now)
{
    MawMessage message = maw_message(MAW_NO_TYPE);
    MawRefusal why = {.act = ACT_NOT_UNDERSTOOD, .code = "bad-json"};

    if (stanza->type == STANZA_ERROR || stanza->type == STANZA_OTHER || !stanza->has_body)
        return;
    bool read = maw_message_read(stanza->body, &message, &why);
    hear_message(interface, stanza, &message, &why, read, now);
    maw_message_done(&message);
}
