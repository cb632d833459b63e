/* sample_hear.c - turns what the table says, and the news of the morning, into tallies.
 *
 * Talk is hostile: seat numbers may lie outside the game, sentences may be nested or contradict
 * each other. Only what a speaker says in its own name counts, and of one utterance only a
 * bounded number of clauses is looked at.
 */
#include "bot/sample_mind.h"

#define CLAUSES_MAX 24 /* looked at in one utterance */
#define DEPTH_MAX   4

static bool is_seat(const Sample *self, LangAgent agent)
{
    return agent >= 1 && agent <= (LangAgent)self->seat_count;
}

/* ---- hearing ---- */

static void hear_claim(Sample *self, SeatNo speaker, Role role)
{
    if (role == ROLE_NONE || role >= ROLE_COUNT)
        return;
    self->claimants[self->claim[speaker]] &= ~seat_bit(speaker);
    self->claimants[role] |= seat_bit(speaker);
    self->claim[speaker] = (uint8_t)role;
}

static SeatSet *report_set(Sample *self, Report report)
{
    if (report.identified)
        return report.wolf ? self->identified_wolf : self->identified_human;
    return report.wolf ? self->divined_wolf : self->divined_human;
}

/* Whether the own results are of the other kind (a medium's, beside a divination) and differ. */
static bool contradicts_findings(const Sample *self, Report report)
{
    if (self->stance == ROLE_VILLAGER || report.identified != (self->stance == ROLE_SEER))
        return false;
    return seat_in(report.wolf ? self->found_human : self->found_wolf, report.target);
}

static void hear_report(Sample *self, Report report)
{
    SeatSet *heard = report_set(self, report);

    if (seat_in(heard[report.target], report.judge))
        return;
    heard[report.target] |= seat_bit(report.judge);
    if (self->report_count < SAMPLE_REPORTS_MAX)
        self->reports[self->report_count++] = report;

    if (!report.identified && report.wolf &&
        (report.target == self->me || seat_in(self->victims, report.target)))
        self->false_accusers |= seat_bit(report.judge);
    if (contradicts_findings(self, report))
        self->contradicting |= seat_bit(report.judge);
    if (self->role == ROLE_WEREWOLF)
        sample_note_liar(self, report);
}

static void hear_request(Sample *self, SeatNo speaker, const Sentence *request)
{
    const Sentence *wish = request->child;

    if (!wish || wish->kind != LANG_VOTE || !is_seat(self, wish->target))
        return;
    if (request->target != LANG_ANY && request->target != (LangAgent)self->me)
        return;
    if (wish->subject != LANG_ANY && wish->subject != (LangAgent)self->me)
        return;
    if (seat_in(self->requesters, speaker) && self->request[speaker] == wish->target)
        return;
    self->requesters |= seat_bit(speaker);
    self->request[speaker] = (uint8_t)wish->target;
    self->request_news = true;
}

/* Whether a clause of this kind can change anything: most that is said does not. */
static inline bool clause_matters(const Sentence *clause)
{
    const uint32_t kinds = 1u << LANG_COMINGOUT | 1u << LANG_DIVINED | 1u << LANG_IDENTIFIED |
                           1u << LANG_REQUEST | 1u << LANG_BECAUSE | 1u << LANG_DAY |
                           1u << LANG_AND;

    return ((kinds >> clause->kind) & 1) != 0;
}

static void hear_clause(Sample *self, const Sentence *clause, SeatNo speaker, unsigned depth,
                        unsigned *clauses_left)
{
    bool in_own_name = clause->subject == LANG_UNSPEC || clause->subject == (LangAgent)speaker;

    if (*clauses_left == 0)
        return;
    --*clauses_left;
    if (!in_own_name || depth > DEPTH_MAX)
        return;
    switch (clause->kind) {
    case LANG_COMINGOUT:
        if (clause->target == (LangAgent)speaker)
            hear_claim(self, speaker, clause->role);
        break;
    case LANG_DIVINED:
    case LANG_IDENTIFIED:
        if (is_seat(self, clause->target) && clause->species != LANG_SPECIES_ANY)
            hear_report(self, (Report){.judge = speaker,
                                       .target = (SeatNo)clause->target,
                                       .day = self->day,
                                       .identified = clause->kind == LANG_IDENTIFIED,
                                       .wolf = clause->species == SPECIES_WEREWOLF});
        break;
    case LANG_REQUEST:
        hear_request(self, speaker, clause);
        break;
    case LANG_BECAUSE: /* the reason repeats what was said before */
        if (clause->child && clause->child->next)
            hear_clause(self, clause->child->next, speaker, depth + 1, clauses_left);
        break;
    case LANG_DAY:
        if (clause->child)
            hear_clause(self, clause->child, speaker, depth + 1, clauses_left);
        break;
    case LANG_AND:
        for (const Sentence *c = clause->child; c && *clauses_left > 0; c = c->next)
            if (clause_matters(c))
                hear_clause(self, c, speaker, depth + 1, clauses_left);
            else
                --*clauses_left;
        break;
    case LANG_ESTIMATE: /* opinions and plans of others change nothing here */
    case LANG_DIVINATION:
    case LANG_GUARD:
    case LANG_VOTE:
    case LANG_ATTACK:
    case LANG_GUARDED:
    case LANG_VOTED:
    case LANG_ATTACKED:
    case LANG_AGREE:
    case LANG_DISAGREE:
    case LANG_SKIP:
    case LANG_OVER:
    case LANG_INQUIRE:
    case LANG_NOT:
    case LANG_OR: /* an alternative asserts none of its parts */
    case LANG_XOR:
    case LANG_KIND_COUNT:
        break;
    }
}

static void hear_talk(Sample *self, const TalkLog *log)
{
    for (uint32_t i = self->talk_heard; i < log->count; i++) {
        const Talk *talk = &log->items[i];
        bool silent = talk->skip | talk->over; /* one branch: which of them is hard to foretell */
        unsigned clauses_left = CLAUSES_MAX;

        if (silent || talk->seat == self->me || !talk->sentence)
            continue;
        if (clause_matters(talk->sentence))
            hear_clause(self, talk->sentence, talk->seat, 0, &clauses_left);
    }
    self->talk_heard = log->count;
}

/* Of whispers only the claims that mates intend matter. */
static void hear_whisper(Sample *self, const TalkLog *log)
{
    for (uint32_t i = self->whisper_heard; i < log->count; i++) {
        const Talk *talk = &log->items[i];
        const Sentence *said = talk->sentence;

        if (!said || talk->seat == self->me || said->kind != LANG_COMINGOUT)
            continue;
        if (said->target == (LangAgent)talk->seat && said->role < ROLE_COUNT)
            self->plan[talk->seat] = (uint8_t)said->role;
    }
    self->whisper_heard = log->count;
}

/* ---- the morning ---- */

static void note_victims(Sample *self, const View *view)
{
    bool cursed = view->role_counts[ROLE_FOX] > 0; /* then a death may be a fox's */

    for (unsigned i = 0; i < view->last_dead_count && !cursed; i++) {
        self->victims |= seat_bit(view->last_dead[i]);
        self->false_accusers |= self->divined_wolf[view->last_dead[i]];
    }
}

static void note_judge(Sample *self, const View *view, Judge judge)
{
    if (judge.target != SEAT_NONE && judge.result != SPECIES_NONE && judge.day == view->day)
        sample_find(self, judge.target, judge.day, judge.result == SPECIES_WEREWOLF);
}

static void wake_day(Sample *self, const View *view)
{
    self->awake = true;
    self->day = view->day;
    self->talk_heard = self->whisper_heard = 0;
    self->talk_turn = 0;
    self->vote_put_off = false;
    self->talk_quiet = self->whisper_quiet = (Quiet){0};
    self->requesters = 0;
    self->request_news = false;
    self->candidate = self->declared = self->prey = SEAT_NONE;
    self->grounds = GROUNDS_NONE;
    self->talk.count = 0;
    memset(self->standing, 0, sizeof(self->standing));

    note_victims(self, view);
    if (self->role == ROLE_SEER)
        note_judge(self, view, view->divined);
    else if (self->role == ROLE_MEDIUM)
        note_judge(self, view, view->identified);
    else if (self->role == ROLE_BODYGUARD && self->guarded && view->last_dead_count == 0)
        self->proven |= seat_bit(self->guarded);
    else if (self->liar)
        sample_invent(self, view);
}

void sample_notice(Sample *self, const View *view)
{
    if (!self->awake || self->day != view->day)
        wake_day(self, view);
    if (view->talk->count > self->talk_heard)
        hear_talk(self, view->talk);
    if (view->whisper->count > self->whisper_heard)
        hear_whisper(self, view->whisper);
}
