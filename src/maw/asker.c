#include "maw/asker.h"

#include "maw/told_log.h"

#define SECOND          ((TimeUs)1000 * 1000)
#define JID_BYTES       256
#define TOKEN_BYTES     40
#define OWED_US         (60 * SECOND) /* an answer that names no question is not owed for longer */
#define AGAIN_US        (5 * SECOND)  /* as long as nothing was ever heard of it */
#define COMPLAINT_EVERY (5 * SECOND)
#define TOLD_BURST      256 /* messages shown at once; the rest when it asks again */

/* Why a stanza changed nothing: each is said once. */
typedef enum Ignored {
    IGNORED_UNASKED,
    IGNORED_LATE,
    IGNORED_LONG,
    IGNORED_RESOURCE,
    IGNORED_WRONG,
    IGNORED_COUNT,
} Ignored;

struct MawAsker {
    MawAskerSetup setup; /* its texts are those below */
    char jid[JID_BYTES];
    char interface[JID_BYTES];
    Buf folded; /* its account */
    uint32_t asked;
    bool open;
    char token[TOKEN_BYTES];
    TimeUs ends;
    bool heard;   /* it is there, or was */
    Buf question; /* which may have been lost before that */
    TimeUs again;
    uint32_t owed; /* answers without a name to questions that are over */
    TimeUs owed_since;
    uint32_t ignored;
    bool noted[IGNORED_COUNT];
    TimeUs complaint_at; /* not before */
    ToldLog log;
    bool shows;      /* the interface has subscribed */
    int64_t shown;   /* the next one to be shown */
    Buf showing;     /* the address that has subscribed */
    uint32_t showed; /* for their ids */
    Buf body;        /* of what is sent */
};

/* ---- life ---- */

static bool keep_address(char *to, Str address)
{
    if (address.len >= JID_BYTES)
        return false;
    if (address.len)
        memcpy(to, address.bytes, address.len);
    to[address.len] = '\0';
    return true;
}

int maw_asker_new(const MawAskerSetup *setup, MawAsker **ret_asker, Err *err)
{
    MawAsker *asker = mem_new(sizeof(*asker));

    if (!asker)
        return err_set(err, ERR_MEMORY, "a player's interface: out of memory");
    asker->setup = *setup;
    asker->ends = TIME_US_NEVER;
    jid_fold(setup->interface, &asker->folded);
    bool good = keep_address(asker->jid, setup->jid) &&
                keep_address(asker->interface, setup->interface) &&
                jid_local(setup->interface).len && jid_domain(setup->interface).len;
    if (!good || buf_failed(&asker->folded)) {
        maw_asker_free(asker);
        return good ? err_set(err, ERR_MEMORY, "a player's interface: out of memory")
                    : err_set(err, ERR_RULE,
                              "an interface agent's address is name@domain, not '%.*s'",
                              STR_ARG(str_part(setup->interface, 0, 100)));
    }
    *ret_asker = asker;
    return 0;
}

MawAsker *maw_asker_free(MawAsker *asker)
{
    if (!asker)
        return NULL;
    told_log_done(&asker->log);
    buf_done(&asker->folded);
    buf_done(&asker->showing);
    buf_done(&asker->body);
    buf_done(&asker->question);
    return mem_free(asker);
}

uint32_t maw_asker_ignored(const MawAsker *asker)
{
    return asker->ignored;
}

/* ---- what changes nothing ---- */

static void ignore_stanza(MawAsker *asker, Ignored why)
{
    static const char *const said[IGNORED_COUNT] = {
        [IGNORED_UNASKED] = "an answer that nobody asked for",
        [IGNORED_LATE] = "an answer to a question that was over",
        [IGNORED_LONG] = "an answer that is too long",
        [IGNORED_RESOURCE] = "a message of another client of its account",
        [IGNORED_WRONG] = "a message that is no answer",
    };
    char line[JID_BYTES + 120];

    asker->ignored++;
    if (asker->noted[why] || !asker->setup.note)
        return;
    asker->noted[why] = true;
    snprintf(line, sizeof(line), "ignored from the interface %s: %s", asker->interface, said[why]);
    asker->setup.note(asker->setup.user, str_of(line));
}

/* ---- sending ---- */

static void send_message(MawAsker *asker, Str to, const MawMessage *message, const MawStanza *frame)
{
    MawStanza stanza = *frame;

    buf_clear(&asker->body);
    maw_message_write(message, &asker->body);
    if (buf_failed(&asker->body))
        return;
    stanza.from = str_of(asker->jid);
    stanza.to = to;
    stanza.type = STANZA_CHAT;
    stanza.has_body = true;
    stanza.body = buf_str(&asker->body);
    asker->setup.send(asker->setup.user, &stanza);
}

/* What it says can't be taken; seldom, for two who don't understand each other. */
static void complain(MawAsker *asker, const MawStanza *stanza, const MawRefusal *why, TimeUs now)
{
    MawMessage message = maw_message(MAW_ERROR);

    if (now < asker->complaint_at)
        return;
    asker->complaint_at = now + COMPLAINT_EVERY;
    message.code = str_of(why->code);
    message.message = str_of(why->text);
    send_message(asker, stanza->from, &message,
                 &(MawStanza){.act = ACT_NOT_UNDERSTOOD, .in_reply_to = stanza->reply_with});
}

/* ---- asking ---- */

static void close_question(MawAsker *asker)
{
    asker->open = false;
    asker->ends = TIME_US_NEVER;
}

/* Answers that were owed long ago don't come any more. */
static void look_at_debts(MawAsker *asker, TimeUs now)
{
    if (asker->owed_since == TIME_US_NEVER)
        asker->owed_since = now;
    if (now > asker->owed_since + OWED_US)
        asker->owed = 0;
}

/* Without an answer: one that names no question may still come. */
static void give_up(MawAsker *asker, TimeUs now)
{
    if (!asker->open)
        return;
    close_question(asker);
    asker->owed++;
    asker->owed_since = now;
}

static void send_question(MawAsker *asker, TimeUs now)
{
    Str token = str_of(asker->token);

    asker->again = now + AGAIN_US;
    if (!buf_failed(&asker->question))
        asker->setup.send(asker->setup.user, &(MawStanza){.from = str_of(asker->jid),
                                                          .to = str_of(asker->interface),
                                                          .id = token,
                                                          .type = STANZA_CHAT,
                                                          .act = ACT_REQUEST,
                                                          .reply_with = token,
                                                          .thread = token,
                                                          .has_body = true,
                                                          .body = buf_str(&asker->question)});
}

void maw_asker_ask(MawAsker *asker, const MawMessage *question, TimeUs now, TimeUs ends)
{
    look_at_debts(asker, now);
    give_up(asker, now);
    snprintf(asker->token, sizeof(asker->token), "i%llx-%u", (unsigned long long)asker->setup.nonce,
             ++asker->asked);
    asker->open = true;
    asker->ends = ends;
    buf_clear(&asker->question);
    maw_message_write(question, &asker->question);
    send_question(asker, now);
}

bool maw_asker_is_open(const MawAsker *asker)
{
    return asker->open;
}

void maw_asker_cancel(MawAsker *asker)
{
    if (!asker->open)
        return;
    close_question(asker);
    asker->owed++;
    asker->owed_since = TIME_US_NEVER; /* until somebody says what time it is */
}

TimeUs maw_asker_deadline(const MawAsker *asker)
{
    return asker->open && !asker->heard && asker->again < asker->ends ? asker->again : asker->ends;
}

static void end_question(MawAsker *asker, const MawAnswered *answered, TimeUs now)
{
    close_question(asker);
    asker->setup.answered(asker->setup.user, answered, now); /* may ask again */
}

void maw_asker_tick(MawAsker *asker, TimeUs now)
{
    if (asker->open && now < asker->ends && !asker->heard && now >= asker->again)
        send_question(asker, now);
    if (!asker->open || now < asker->ends)
        return;
    give_up(asker, now);
    asker->setup.answered(
        asker->setup.user,
        &(MawAnswered){.outcome = ASKED_TIMEOUT, .text = STR("the interface does not answer")},
        now);
}

/* ---- which question ---- */

typedef enum Which {
    WHICH_THIS,
    WHICH_OTHER,
    WHICH_UNNAMED,
} Which;

/* A token of this player's: "i<nonce>-<number>". */
static Which which_token(const MawAsker *asker, Str token)
{
    char start[TOKEN_BYTES];

    snprintf(start, sizeof(start), "i%llx-", (unsigned long long)asker->setup.nonce);
    if (str_eq(token, str_of(asker->token)))
        return WHICH_THIS;
    return str_starts(token, str_of(start)) ? WHICH_OTHER : WHICH_UNNAMED;
}

static Which which_question(const MawAsker *asker, const MawStanza *stanza)
{
    if (stanza->in_reply_to.len)
        return str_eq(stanza->in_reply_to, str_of(asker->token)) ? WHICH_THIS : WHICH_OTHER;
    Which kept = which_token(asker, stanza->reply_with);
    return kept == WHICH_UNNAMED ? which_token(asker, stanza->thread) : kept;
}

/* Whether it answers the question that is open. */
static bool is_answer(MawAsker *asker, const MawStanza *stanza)
{
    Which which = which_question(asker, stanza);

    if (which == WHICH_UNNAMED && asker->setup.kind == ASKS_MODEL && asker->owed) {
        asker->owed--;
        which = WHICH_OTHER;
    }
    if (asker->open && which != WHICH_OTHER)
        return true;
    ignore_stanza(asker, which == WHICH_OTHER ? IGNORED_LATE : IGNORED_UNASKED);
    return false;
}

/* ---- answers ---- */

static bool is_refusal(MawAct act)
{
    return act == ACT_REFUSE || act == ACT_FAILURE || act == ACT_NOT_UNDERSTOOD;
}

static bool is_of_a_user(MawType type)
{
    return type == MAW_VOTE || type == MAW_CHAT || type == MAW_LISTEN || type == MAW_NAME ||
           type == MAW_WHISPER || type == MAW_QUERY_ROLE || type == MAW_SHOW_SCORE;
}

static void hear_error(MawAsker *asker, MawAct act, const MawMessage *message, TimeUs now)
{
    static const char *const timeouts[] = {"user-timeout", "model-timeout"};
    MawAnswered answered = {
        .outcome = act == ACT_REFUSE ? ASKED_REFUSED : ASKED_FAILED,
        .code = message->type == MAW_ERROR ? message->code : (Str){0},
        .text = message->type == MAW_ERROR ? message->message : (Str){0},
    };

    for (size_t i = 0; i < 2; i++)
        if (str_eq(answered.code, str_of(timeouts[i])))
            answered.outcome = ASKED_TIMEOUT;
    if (str_eq(answered.code, STR("not-a-bot")) || str_eq(answered.code, STR("not-a-human")))
        answered.outcome = ASKED_REFUSED; /* whatever the act */
    if (!answered.text.len)
        answered.text = STR("the interface gives no answer");
    end_question(asker, &answered, now);
}

/* A model's text is read by who asked for it, whatever form it has. */
static void hear_answer(MawAsker *asker, const MawStanza *stanza, const MawMessage *message,
                        const MawRefusal *why, TimeUs now)
{
    bool read = message != NULL;

    if (is_refusal(stanza->act) || (read && message->type == MAW_ERROR)) {
        const MawMessage none = maw_message(MAW_NO_TYPE);
        hear_error(asker, stanza->act, read ? message : &none, now);
        return;
    }
    if (asker->setup.kind == ASKS_USER && !(read && is_of_a_user(message->type))) {
        static const MawRefusal no_answer = {
            ACT_NOT_UNDERSTOOD, "unknown-type",
            "Expected the answer to get_input: vote, chat, listen, or name."};
        ignore_stanza(asker, IGNORED_WRONG);
        complain(asker, stanza, read ? &no_answer : why, now);
        return;
    }
    end_question(asker,
                 &(MawAnswered){.outcome = ASKED_ANSWERED,
                                .message = read && is_of_a_user(message->type) ? message : NULL,
                                .body = stanza->body},
                 now);
}

/* ---- what a user interface is shown ---- */

static void show_told(MawAsker *asker, TimeUs now)
{
    CLEANUP(buf_done) Buf body = {0};
    char id[TOKEN_BYTES];

    for (uint32_t i = 0; i < TOLD_BURST && asker->shows; i++) {
        buf_clear(&body);
        if (!told_log_write(&asker->log, &asker->shown, now, &body) || buf_failed(&body))
            return;
        snprintf(id, sizeof(id), "t%llx-%u", (unsigned long long)asker->setup.nonce,
                 ++asker->showed);
        asker->setup.send(asker->setup.user, &(MawStanza){.from = str_of(asker->jid),
                                                          .to = buf_str(&asker->showing),
                                                          .id = str_of(id),
                                                          .type = STANZA_CHAT,
                                                          .act = ACT_INFORM,
                                                          .has_body = true,
                                                          .body = buf_str(&body)});
    }
}

static void hear_subscribe(MawAsker *asker, const MawStanza *stanza, const MawMessage *message,
                           TimeUs now)
{
    buf_clear(&asker->showing);
    buf_add(&asker->showing, stanza->from);
    asker->shows = !buf_failed(&asker->showing);
    asker->shown = message->index == MAW_ABSENT ? 0 : message->index;
    show_told(asker, now);
}

/* What concerns who decides; of errors those on what it has decided. */
static bool is_shown(const MawAsker *asker, MawType type)
{
    static const MawType shown[] = {MAW_JOIN_CONFIRMED, MAW_START_GAME,   MAW_ASSIGN_ROLE,
                                    MAW_PHASE_CHANGE,   MAW_VOTE_RESULT,  MAW_END_GAME,
                                    MAW_ANNOUNCE_OPEN,  MAW_NEW_MESSAGES, MAW_KILL,
                                    MAW_VOTE_ACCEPTED,  MAW_SCORES,       MAW_WHISPER,
                                    MAW_ROLE_ANSWER,    MAW_TIME_WARNING, MAW_VOTE,
                                    MAW_CHAT,           MAW_QUERY_ROLE,   MAW_SHOW_SCORE};
    bool found = type == MAW_SESSION_END;

    for (size_t i = 0; i < sizeof(shown) / sizeof(shown[0]) && asker->setup.kind == ASKS_USER; i++)
        found = found || type == shown[i];
    return found;
}

void maw_asker_tell(MawAsker *asker, const MawStanza *stanza, MawType type, TimeUs now)
{
    if (is_shown(asker, type) && told_log_add(&asker->log, stanza, type, now) >= 0)
        show_told(asker, now);
}

/* ---- what comes in ---- */

static bool is_from_interface(const MawAsker *asker, Str from)
{
    CLEANUP(buf_done) Buf folded = {0};

    jid_fold(from, &folded);
    return !buf_failed(&folded) && str_eq(buf_str(&folded), buf_str(&asker->folded));
}

static Str resource_of(Str jid)
{
    return str_part(jid, jid_bare(jid).len, SIZE_MAX);
}

/* A question that came back: nobody is there, and nobody watches. */
static void hear_bounce(MawAsker *asker, const MawStanza *stanza, TimeUs now)
{
    bool question =
        asker->open && (stanza->id.len == 0 || str_eq(stanza->id, str_of(asker->token)));

    asker->shows = false;
    asker->owed = 0; /* who comes anew owes nothing */
    if (question)
        end_question(
            asker, &(MawAnswered){.outcome = ASKED_GONE, .text = STR("the interface is not there")},
            now);
}

static void hear_message(MawAsker *asker, const MawStanza *stanza, TimeUs now)
{
    MawMessage message = maw_message(MAW_NO_TYPE);
    MawRefusal why = {.act = ACT_NOT_UNDERSTOOD, .code = "bad-json"};
    bool read = maw_message_read(stanza->body, &message, &why);

    if (read && message.type == MAW_SUBSCRIBE)
        hear_subscribe(asker, stanza, &message, now);
    else if (read && message.type == MAW_UNSUBSCRIBE)
        asker->shows = false;
    else if (is_answer(asker, stanza))
        hear_answer(asker, stanza, read ? &message : NULL, &why, now);
    maw_message_done(&message);
}

/* Chat states and receipts; and that it will answer: FIPA's request may have that in between. */
static bool says_nothing(const MawStanza *stanza)
{
    return stanza->type == STANZA_OTHER || !stanza->has_body || stanza->act == ACT_AGREE;
}

bool maw_asker_receive(MawAsker *asker, const MawStanza *stanza, TimeUs now)
{
    Str only = resource_of(str_of(asker->interface));

    if (!is_from_interface(asker, stanza->from))
        return false;
    look_at_debts(asker, now);
    asker->heard |= stanza->type != STANZA_ERROR;
    if (stanza->type == STANZA_ERROR)
        hear_bounce(asker, stanza, now);
    else if (says_nothing(stanza))
        return true;
    else if (only.len && !str_eq(resource_of(stanza->from), only))
        ignore_stanza(asker, IGNORED_RESOURCE);
    else if (stanza->body.len > MAW_ANSWER_BYTES_MAX)
        ignore_stanza(asker, IGNORED_LONG);
    else
        hear_message(asker, stanza, now);
    return true;
}
