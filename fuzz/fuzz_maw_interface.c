/* fuzz_maw_interface.c - any body is a question of the player's, what it was told, or an answer of
 * the interface's; any text a model's. An interface says at most one thing to each message, a
 * player acts at most once on each question.
 *
 * The input is cut at zero bytes: the first byte of a piece says what it is. */
#include "maw/asker.h"
#include "maw/interface_text.h"

#include <assert.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define SECOND ((TimeUs)1000 * 1000)

typedef struct Both {
    MawInterface *interfaces[2];
    MawAsker *askers[2];
    uint32_t said, answered;
    TimeUs now;
} Both;

static void on_send(void *user, const MawStanza *stanza)
{
    MawMessage message;
    MawRefusal why;

    assert(stanza->has_body && maw_message_read(stanza->body, &message, &why));
    maw_message_done(&message);
    ((Both *)user)->said++;
}

static void on_asked(void *user, const MawQuestion *question, TimeUs now)
{
    (void)user, (void)now;
    assert(question->target_count <= MAW_LIST_MAX);
    for (uint32_t i = 0; i < question->target_count; i++)
        assert(question->targets[i].len <= MAW_BODY_BYTES_MAX);
}

static void on_expired(void *user, TimeUs now)
{
    (void)user, (void)now;
}

static void on_told(void *user, const MawStanza *stanza, TimeUs at, TimeUs now)
{
    (void)user;
    assert(stanza->has_body && at <= now);
}

static void on_note(void *user, Str line)
{
    (void)user, (void)line;
}

static void on_answered(void *user, const MawAnswered *answered, TimeUs now)
{
    (void)now;
    assert(answered->body.len <= MAW_ANSWER_BYTES_MAX);
    ((Both *)user)->answered++;
}

static void open_both(Both *both)
{
    for (int kind = 0; kind < 2; kind++) {
        const MawInterfaceSetup interface = {
            .kind = (MawInterfaceKind)kind,
            .owner = STR("bo@home.test"),
            .out = {on_send, on_asked, on_expired, on_told, on_note, both}};
        const MawAskerSetup asker = {.interface = STR("ai@home.test"),
                                     .kind = (MawAsks)kind,
                                     .send = on_send,
                                     .answered = on_answered,
                                     .note = on_note,
                                     .user = both};
        assert(maw_interface_new(&interface, &both->interfaces[kind], NULL) == 0);
        assert(maw_asker_new(&asker, &both->askers[kind], NULL) == 0);
    }
}

static void close_both(Both *both)
{
    for (int kind = 0; kind < 2; kind++) {
        maw_interface_free(both->interfaces[kind]);
        maw_asker_free(both->askers[kind]);
    }
}

static void hear_stanza(Both *both, unsigned what, const MawStanza *stanza)
{
    const MawMessage question = maw_message(MAW_GET_INPUT);
    int kind = what & 1;

    both->said = both->answered = 0;
    if (what & 2) {
        maw_interface_receive(both->interfaces[kind], stanza, both->now);
        assert(both->said <= 2); /* with a wish to be told */
        return;
    }
    maw_asker_ask(both->askers[kind], &question, both->now, both->now + SECOND);
    maw_asker_receive(both->askers[kind], stanza, both->now);
    maw_asker_receive(both->askers[kind], stanza, both->now);
    assert(both->answered <= 1);
}

static void read_text(Str said, unsigned what)
{
    CLEANUP(interface_text_done) InterfaceText text = {0};
    static const Str targets[] = {{"Bo", 2}, {"Cy", 2}};
    const MawQuestion question = {
        .named = what & 1, .name = what & 2, .targets = targets, .target_count = what & 4 ? 2 : 0};
    MawMessage answer;
    Err wrong = {0};

    if (interface_text_read(said, &question, LLM_ENGLISH, &text, &answer, &wrong) == 0)
        assert(answer.type == MAW_CHAT || answer.type == MAW_VOTE || answer.type == MAW_LISTEN ||
               answer.type == MAW_NAME);
    else
        assert(wrong.msg[0]);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    Both both = {.now = SECOND};
    Str rest = {(const char *)data, size};

    open_both(&both);
    while (rest.len) {
        Str piece = str_cut(&rest, '\0');
        unsigned what = piece.len ? (unsigned char)piece.bytes[0] : 0;
        Str body = str_part(piece, 1, SIZE_MAX);
        const MawStanza stanza = {.from = what & 2 ? STR("bo@home.test/x") : STR("ai@home.test/x"),
                                  .type = STANZA_CHAT,
                                  .act = (MawAct)(what >> 4 & 7),
                                  .has_body = true,
                                  .body = body};
        both.now += SECOND;
        hear_stanza(&both, what, &stanza);
        read_text(body, what);
    }
    close_both(&both);
    return 0;
}
