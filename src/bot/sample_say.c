/* sample_say.c - words a remark in the protocol language.
 *
 * Source: docs/spec/language.md 2 to 4. Subjects are left out where the speaker is meant.
 */
#include "bot/sample_mind.h"

#define SAY_ARENA_BYTES 8192 /* the longest remark takes less than half of it */

void sample_queue(RemarkQueue *queue, Remark remark)
{
    if (queue->count == SAMPLE_QUEUE_MAX)
        return;
    queue->items[(queue->head + queue->count) % SAMPLE_QUEUE_MAX] = remark;
    queue->count++;
}

/* ---- parts ---- */

static Species species_found(bool wolf)
{
    return wolf ? SPECIES_WEREWOLF : SPECIES_HUMAN;
}

static const Sentence *result(Arena *arena, LangAgent judge, bool identified, SeatNo target,
                              bool wolf)
{
    return identified ? lang_identified(arena, judge, target, species_found(wolf))
                      : lang_divined(arena, judge, target, species_found(wolf));
}

static const Sentence *own_finding(const Sample *self, Arena *arena, OwnResult finding)
{
    return lang_day(
        arena, LANG_UNSPEC, finding.day,
        result(arena, LANG_UNSPEC, self->stance == ROLE_MEDIUM, finding.target, finding.wolf));
}

static const Sentence *heard_report(Arena *arena, Report report)
{
    return lang_day(arena, LANG_UNSPEC, report.day,
                    result(arena, report.judge, report.identified, report.target, report.wolf));
}

static const Sentence *both_sentences(Arena *arena, const Sentence *a, const Sentence *b)
{
    const Sentence *parts[] = {a, b};

    return lang_and(arena, LANG_UNSPEC, 2, parts);
}

static const Sentence *ask_all_to_vote(Arena *arena, SeatNo target)
{
    return lang_request(arena, LANG_UNSPEC, LANG_ANY, lang_vote(arena, LANG_UNSPEC, target));
}

static const Sentence *wolf_or_possessed(Arena *arena, SeatNo seat)
{
    return lang_xor(arena, LANG_UNSPEC, lang_estimate(arena, LANG_UNSPEC, seat, ROLE_WEREWOLF),
                    lang_estimate(arena, LANG_UNSPEC, seat, ROLE_POSSESSED));
}

/* What it says it is: the role it has claimed, or an ordinary villager. */
static const Sentence *who_i_am(const Sample *self, Arena *arena)
{
    return lang_comingout(arena, LANG_UNSPEC, self->me, self->out ? self->stance : ROLE_VILLAGER);
}

static const Sentence *reason(const Sample *self, Arena *arena, const Case *cause)
{
    switch (cause->kind) {
    case CASE_RIVAL:
        return both_sentences(arena, who_i_am(self, arena),
                              lang_comingout(arena, cause->seat, cause->seat, self->stance));
    case CASE_CONTRADICTS:
        return both_sentences(arena, own_finding(self, arena, cause->finding),
                              heard_report(arena, cause->report));
    case CASE_ACCUSES_ME:
        return both_sentences(arena, who_i_am(self, arena), heard_report(arena, cause->report));
    case CASE_ACCUSES_VICTIM:
        return both_sentences(arena, lang_attacked(arena, LANG_ANY, cause->report.target),
                              heard_report(arena, cause->report));
    case CASE_NONE:
        break;
    }
    return NULL;
}

/* ---- whole remarks ---- */

static const Sentence *say_findings(const Sample *self, Arena *arena, const Remark *remark)
{
    const Sentence *parts[SAMPLE_TELL_MAX];

    for (unsigned i = 0; i < remark->count; i++)
        parts[i] = own_finding(self, arena, self->findings[remark->first + i]);
    return remark->count == 1 ? parts[0] : lang_and(arena, LANG_UNSPEC, remark->count, parts);
}

static const Sentence *say_possessed(const Sample *self, Arena *arena, const Remark *remark)
{
    const Sentence *seen = own_finding(self, arena, remark->white);
    const Sentence *why = remark->cause.kind == CASE_NONE
                              ? seen
                              : both_sentences(arena, reason(self, arena, &remark->cause), seen);

    return lang_because(arena, LANG_UNSPEC, why,
                        lang_estimate(arena, LANG_UNSPEC, remark->seat, ROLE_POSSESSED));
}

static const Sentence *say_vote(const Sample *self, Arena *arena, const Remark *remark)
{
    const Sentence *call = both_sentences(arena, lang_vote(arena, LANG_UNSPEC, remark->seat),
                                          ask_all_to_vote(arena, remark->seat));

    switch (remark->grounds) {
    case GROUNDS_SUSPECT:
        return lang_because(arena, LANG_UNSPEC, wolf_or_possessed(arena, remark->seat), call);
    case GROUNDS_FINDING:
        return lang_because(arena, LANG_UNSPEC, own_finding(self, arena, remark->white), call);
    case GROUNDS_NONE:
        break;
    }
    return call;
}

/* A wolf knows who is one, so it can show its mates a lie. */
static const Sentence *say_liar(Arena *arena, const Remark *remark)
{
    Report report = remark->cause.report;
    const Sentence *truth = lang_estimate(arena, LANG_UNSPEC, report.target, ROLE_WEREWOLF);

    if (report.wolf)
        truth = lang_not(arena, LANG_UNSPEC, truth);
    return lang_because(arena, LANG_UNSPEC,
                        both_sentences(arena, truth, heard_report(arena, report)),
                        lang_estimate(arena, LANG_UNSPEC, report.judge, ROLE_POSSESSED));
}

static const Sentence *say_attack(Arena *arena, const Remark *remark)
{
    const Sentence *attack = lang_attack(arena, LANG_UNSPEC, remark->seat);

    if (remark->role == ROLE_NONE)
        return attack;
    return lang_because(arena, LANG_UNSPEC,
                        lang_comingout(arena, remark->seat, remark->seat, remark->role), attack);
}

static const Sentence *say_remark(const Sample *self, Arena *arena, const Remark *remark)
{
    switch (remark->kind) {
    case REMARK_COME_OUT:
    case REMARK_PLAN:
        return lang_comingout(arena, LANG_UNSPEC, self->me, remark->role);
    case REMARK_FINDINGS:
        return say_findings(self, arena, remark);
    case REMARK_SUSPECT:
        return lang_because(arena, LANG_UNSPEC, reason(self, arena, &remark->cause),
                            wolf_or_possessed(arena, remark->seat));
    case REMARK_POSSESSED:
        return say_possessed(self, arena, remark);
    case REMARK_DEMAND:
        return lang_because(arena, LANG_UNSPEC, own_finding(self, arena, remark->white),
                            ask_all_to_vote(arena, remark->seat));
    case REMARK_VOTE:
        return say_vote(self, arena, remark);
    case REMARK_LIAR:
        return say_liar(arena, remark);
    case REMARK_ATTACK:
        return say_attack(arena, remark);
    }
    return NULL;
}

Str sample_say(Sample *self, RemarkQueue *queue)
{
    _Alignas(max_align_t) char block[SAY_ARENA_BYTES];
    Arena arena = arena_over(block, sizeof(block));
    const Sentence *sentence;
    size_t length;

    if (queue->count == 0)
        return (Str){0};
    sentence = say_remark(self, &arena, &queue->items[queue->head]);
    queue->head = (uint8_t)((queue->head + 1) % SAMPLE_QUEUE_MAX);
    queue->count--;
    if (!sentence)
        return (Str){0};
    length = lang_write(sentence, self->text, sizeof(self->text));
    return length < sizeof(self->text) ? (Str){self->text, length} : (Str){0};
}
