#include "seat/aiwolf_manner.h"

#include "wire/aiwolf_answer.h"

void aiwolf_speaker_done(AiwolfSpeaker *speaker)
{
    buf_done(&speaker->text);
}

static void aiwolf_write_ask(void *self, const Ask *ask, const View *view, Buf *out)
{
    AiwolfSpeaker *speaker = self;

    aiwolf_packet_write(aiwolf_request_of_ask(ask->kind), ask->revote, view, &speaker->cursor, out);
}

static void aiwolf_write_tell(void *self, int request, const View *view, Buf *out)
{
    AiwolfSpeaker *speaker = self;

    aiwolf_packet_write((AiwolfRequest)request, false, view, &speaker->cursor, out);
}

static void aiwolf_write_probe(void *self, Buf *out)
{
    (void)self;
    aiwolf_packet_write(AIWOLF_NAME, false, NULL, NULL, out);
}

static const char *aiwolf_ask_name(AskKind kind)
{
    return aiwolf_request_name(aiwolf_request_of_ask(kind));
}

/* Whatever it says is its name. */
static bool aiwolf_is_probe_answer(void *self, Str text)
{
    (void)self;
    (void)text;
    return true;
}

static Reading aiwolf_read_answer(void *self, AskKind kind, Str text, Answer *ret_answer)
{
    AiwolfSpeaker *speaker = self;

    return aiwolf_answer_read(kind, text, &speaker->text, ret_answer) ? READ_ANSWER
                                                                      : READ_MALFORMED;
}

const Manner aiwolf_manner = {.write_ask = aiwolf_write_ask,
                              .write_tell = aiwolf_write_tell,
                              .write_probe = aiwolf_write_probe,
                              .ask_name = aiwolf_ask_name,
                              .probe_name = "NAME",
                              .is_probe_answer = aiwolf_is_probe_answer,
                              .read_answer = aiwolf_read_answer,
                              .strays_fail = true};
