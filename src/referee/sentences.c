#include "referee/sentences.h"

#include "lang/lang.h"

/* Parsed sentences of one day, for bots that listen. When a day's talk is larger than this (only
 * hostile or absurd talk is), the later ones are judged one by one and nobody gets their parts. */
#define SENTENCE_BYTES ((size_t)8 << 20)
#define JUDGE_BYTES    ((size_t)4 << 20) /* for any one sentence; touched only as far as needed */

int sentences_init(Sentences *sentences, Err *err)
{
    sentences->kept = arena_new(SENTENCE_BYTES);
    sentences->judged = arena_new(JUDGE_BYTES);
    return sentences->kept.block && sentences->judged.block
               ? 0
               : err_set(err, ERR_MEMORY, "new referee: out of memory");
}

void sentences_done(Sentences *sentences)
{
    arena_done(&sentences->kept);
    arena_done(&sentences->judged);
}

void sentences_begin(Sentences *sentences, bool listened, uint16_t day)
{
    arena_clear(&sentences->kept);
    sentences->listened = listened;
    sentences->day = day;
}

void sentences_turn(Sentences *sentences, uint16_t day)
{
    if (day == sentences->day)
        return;
    sentences->day = day;
    arena_clear(&sentences->kept);
}

static bool is_utterance(const Answer *answer)
{
    return (answer->kind == ASK_TALK || answer->kind == ASK_WHISPER) && !answer->lapse;
}

void sentences_parse(Sentences *sentences, Answer *answer)
{
    const Sentence *sentence = NULL;

    if (!is_utterance(answer))
        return;
    if (str_eq(answer->text, STR("Over")))
        sentence = lang_over();
    else if (str_eq(answer->text, STR("Skip")))
        sentence = lang_skip();
    else if (answer->text.len && sentences->listened &&
             lang_parse(answer->text, &sentences->kept, &sentence, NULL) != ERR_MEMORY)
        ; /* kept for the day */
    else if (answer->text.len) {
        arena_clear(&sentences->judged);
        answer->in_language = lang_parse(answer->text, &sentences->judged, &sentence, NULL) == 0;
        return;
    }
    answer->in_language = sentence != NULL;
    answer->sentence = sentence;
}

bool sentences_allow(const Answer *answer)
{
    return answer->in_language || !is_utterance(answer) || answer->text.len == 0;
}
