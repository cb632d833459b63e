#include "seat/nlp_manner.h"

#include "game/bid.h"

/* The reference moves both cursors with every history and so skips whispers of day 0 (3.7). */
static void move_both_cursors(NlpRequest request, const View *view, NlpCursor *cursor)
{
    if (request == NLP_TALK || request == NLP_BID || request == NLP_WHISPER ||
        request == NLP_ATTACK || request == NLP_DAILY_FINISH)
        *cursor = (NlpCursor){view->talk->count, view->whisper->count};
}

void nlp_speaker_write(NlpSpeaker *speaker, NlpRequest request, const View *view, const Talk *news,
                       Buf *out)
{
    nlp_packet_write(request, view, &speaker->text, &speaker->cursor, news, out);
    if (speaker->strict)
        move_both_cursors(request, view, &speaker->cursor);
}

static void nlp_write_ask(void *self, const Ask *ask, const View *view, Buf *out)
{
    nlp_speaker_write(self, nlp_request_for(ask->kind), view, NULL, out);
}

static void nlp_write_tell(void *self, int request, const View *view, Buf *out)
{
    nlp_speaker_write(self, (NlpRequest)request, view, NULL, out);
}

static void nlp_write_probe(void *self, Buf *out)
{
    const NlpSpeaker *speaker = self;

    nlp_packet_write(NLP_NAME, NULL, &speaker->text, NULL, NULL, out);
}

static const char *nlp_ask_name(AskKind kind)
{
    return nlp_request_name(nlp_request_for(kind));
}

static bool nlp_is_probe_answer(void *self, Str text)
{
    const NlpSpeaker *speaker = self;

    return str_eq(nlp_name_text(text), speaker->original);
}

/* Names are told apart from what comes too late of a speak-anytime session; elsewhere the first
 * reply counts, whatever it is (6.2, target). */
static Reading nlp_read_answer(void *self, AskKind kind, Str text, Answer *ret_answer)
{
    const NlpSpeaker *speaker = self;

    *ret_answer = (Answer){.kind = kind};
    nlp_reply_text(text, speaker->said);
    if (kind < ASK_VOTE) {
        ret_answer->text = buf_str(speaker->said);
        return READ_ANSWER;
    }
    if (kind == ASK_BID)
        return bid_read(buf_str(speaker->said), ret_answer) ? READ_ANSWER : READ_MALFORMED;
    ret_answer->target = nlp_reply_target(buf_str(speaker->said), speaker->names, speaker->count);
    return ret_answer->target == SEAT_NONE && speaker->timed && !speaker->strict ? READ_STRAY
                                                                                 : READ_ANSWER;
}

const Manner nlp_manner = {.write_ask = nlp_write_ask,
                           .write_tell = nlp_write_tell,
                           .write_probe = nlp_write_probe,
                           .ask_name = nlp_ask_name,
                           .probe_name = "NAME",
                           .is_probe_answer = nlp_is_probe_answer,
                           .read_answer = nlp_read_answer,
                           .probes = true};
