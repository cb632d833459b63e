/* What a talker makes of what it hears. */
#include "bot/talker_mind.h"

#define NOISE 10

/* ---- what was said before ---- */

static uint32_t hash_of(Str text)
{
    uint32_t hash = 2166136261u;

    for (size_t i = 0; i < text.len; i++)
        if (text.bytes[i] != ' ')
            hash = (hash ^ (uint8_t)text.bytes[i]) * 16777619u;
    return hash;
}

static bool is_among(const uint32_t *hashes, uint32_t count, uint32_t max, uint32_t hash)
{
    for (uint32_t i = 0; i < count && i < max; i++)
        if (hashes[i] == hash)
            return true;
    return false;
}

bool talker_was_said(const Talker *self, Str text)
{
    uint32_t hash = hash_of(text);

    return is_among(self->own, self->own_count, TALKER_OWN_MAX, hash) ||
           is_among(self->heard, self->heard_count, TALKER_HEARD_MAX, hash);
}

void talker_remember(Talker *self, Str text)
{
    self->own[self->own_count++ % TALKER_OWN_MAX] = hash_of(text);
}

static void remember_heard(Talker *self, Str text)
{
    self->heard[self->heard_count++ % TALKER_HEARD_MAX] = hash_of(text);
}

/* ---- results of my own ---- */

static void note_finding(Talker *self, SeatNo target, bool wolf)
{
    SeatSet known = self->found_wolf | self->found_human;

    if (target == SEAT_NONE || seat_in(known, target) || self->news_count == TALKER_NEWS_MAX)
        return;
    if (wolf)
        self->found_wolf |= seat_bit(target);
    else
        self->found_human |= seat_bit(target);
    self->news[self->news_count++] = (TalkerNews){target, wolf};
}

/* The possessed makes its results up: a wolf now and then, never more than there are. */
static void invent_result(Talker *self, const View *view)
{
    SeatSet unknown = pick_others(view) & ~self->found_wolf & ~self->found_human;
    bool may_be_wolf = seat_count_of(self->found_wolf) < view->role_counts[ROLE_WEREWOLF];
    SeatNo target = pick_seat(&self->rng, unknown);
    bool wolf = rng_below(&self->rng, 2) == 0;

    note_finding(self, target, wolf && may_be_wolf);
}

static void learn_news(Talker *self, const View *view)
{
    const Judge *result = self->role == ROLE_MEDIUM ? &view->identified : &view->divined;

    if (self->role == ROLE_MEDIUM || self->role == ROLE_SEER)
        note_finding(self, result->target, result->result == SPECIES_WEREWOLF);
}

/* ---- hearing ---- */

static void heard_wolf(Talker *self, SeatNo speaker, SeatNo about, bool dead)
{
    if (self->claim[speaker] == ROLE_SEER)
        self->called_wolf[about] |= seat_bit(speaker);
    else if (self->claim[speaker] == ROLE_MEDIUM && dead)
        self->buried_wolf[about] |= seat_bit(speaker);
    else
        self->doubts[about] |= seat_bit(speaker);
}

static void heard_human(Talker *self, SeatNo speaker, SeatNo about, bool dead)
{
    if (self->claim[speaker] == ROLE_SEER)
        self->called_human[about] |= seat_bit(speaker);
    else if (self->claim[speaker] == ROLE_MEDIUM && dead)
        self->buried_human[about] |= seat_bit(speaker);
}

/* True when it was said against this seat. */
static bool take_in(Talker *self, const View *view, SeatNo speaker, Understood what)
{
    bool dead = !seat_in(view->alive, what.about);
    bool of_me = what.about == view->seat;

    if (what.about == speaker)
        return false;
    switch (what.meaning) {
    case MEANS_SEER:
        self->claim[speaker] = ROLE_SEER;
        return false;
    case MEANS_MEDIUM:
        self->claim[speaker] = ROLE_MEDIUM;
        return false;
    case MEANS_WOLF:
        heard_wolf(self, speaker, what.about, dead);
        return of_me;
    case MEANS_HUMAN:
        heard_human(self, speaker, what.about, dead);
        return false;
    case MEANS_DOUBT:
    case MEANS_VOTE:
        self->doubts[what.about] |= seat_bit(speaker);
        return of_me;
    case MEANS_ATTACK:
    case MEANS_NOTHING:
        break;
    }
    return false;
}

static bool has_any(Str text, const char *const *words)
{
    for (; *words; words++)
        for (size_t at = 0; at < text.len; at++)
            if (str_starts(str_part(text, at, SIZE_MAX), str_of(*words)))
                return true;
    return false;
}

/* To answer an answer would go on for ever, so whom I spoke to gets one only if it accuses me. */
static void note_question(Talker *self, const View *view, const Talk *talk, bool accused)
{
    static const char *const about_roles[] = {"role", "CO", "seer", "役職", "占い師", "霊媒", NULL};
    SeatSet settled = self->answered | (accused ? 0 : self->addressed);

    if (self->asked_count == TALKER_ASKED_MAX || seat_in(settled, talk->seat) ||
        !talker_mentions(talk->text, view->names[view->seat]))
        return;
    self->asked[self->asked_count++] = (TalkerAsked){
        .by = talk->seat, .accused = accused, .role = has_any(talk->text, about_roles)};
    self->answered |= seat_bit(talk->seat);
}

static void hear_talk(Talker *self, const View *view, const Talk *talk)
{
    Understood what[UNDERSTOOD_MAX];
    bool accused = false;

    if (talk->seat == SEAT_NONE || talk->seat > view->seat_count)
        return;
    if (talk->over)
        self->finished |= seat_bit(talk->seat);
    if (talk->over || talk->skip)
        return;
    if (self->words[talk->seat] < UINT8_MAX)
        self->words[talk->seat]++;
    if (talk->seat == view->seat)
        return;
    remember_heard(self, talk->text);
    unsigned count = talker_understand(talk->text, view->names, view->seat_count, what);
    for (unsigned i = 0; i < count; i++)
        accused |= take_in(self, view, talk->seat, what[i]);
    note_question(self, view, talk, accused);
}

static void hear_whisper(Talker *self, const View *view, const Talk *talk)
{
    Understood what[UNDERSTOOD_MAX];

    if (talk->over || talk->skip || talk->seat == SEAT_NONE || talk->seat > view->seat_count)
        return;
    if (talk->seat == view->seat)
        return;
    remember_heard(self, talk->text);
    unsigned count = talker_understand(talk->text, view->names, view->seat_count, what);
    for (unsigned i = 0; i < count && self->proposed == SEAT_NONE; i++)
        if (what[i].meaning == MEANS_ATTACK && seat_in(view->alive, what[i].about) &&
            view->roles[what[i].about] != ROLE_WEREWOLF)
            self->proposed = what[i].about;
}

static void begin_game(Talker *self, const View *view)
{
    self->begun = true;
    self->role = view->role;
    self->stance = ROLE_VILLAGER;
    if (view->role == ROLE_SEER || view->role == ROLE_POSSESSED)
        self->stance = ROLE_SEER;
    else if (view->role == ROLE_MEDIUM)
        self->stance = ROLE_MEDIUM;
}

static void wake_up(Talker *self, const View *view)
{
    bool first = !self->begun;

    if (first)
        begin_game(self, view);
    self->day = view->day;
    self->talk_heard = self->whisper_heard = 0;
    memset(self->words, 0, sizeof(self->words));
    memset(self->doubts, 0, sizeof(self->doubts));
    memset(self->standing, 0, sizeof(self->standing));
    self->finished = self->addressed = self->answered = 0;
    self->asked_count = self->said = self->whispered = self->waited = 0;
    self->greeted |= view->day > view->rules->first_day;
    self->mourned = self->denied = self->inquired = false;
    self->suspect = self->declared = self->proposed = self->prey = SEAT_NONE;
    for (SeatNo seat = 1; seat <= view->seat_count; seat++)
        self->noise[seat] = (uint8_t)rng_below(&self->rng, NOISE);
    for (unsigned i = 0; i < view->last_dead_count; i++)
        if (view->last_dead[i] != SEAT_NONE)
            self->victims |= seat_bit(view->last_dead[i]);
    if (self->role == ROLE_POSSESSED && view->day > view->rules->first_day)
        invent_result(self, view);
}

void talker_notice(Talker *self, const View *view)
{
    if (!self->begun || self->day != view->day)
        wake_up(self, view);
    learn_news(self, view);
    while (self->talk_heard < view->talk->count)
        hear_talk(self, view, &view->talk->items[self->talk_heard++]);
    while (self->whisper_heard < view->whisper->count)
        hear_whisper(self, view, &view->whisper->items[self->whisper_heard++]);
}

/* ---- judging ---- */

static SeatSet claimants(const Talker *self, Role role)
{
    SeatSet found = 0;

    for (SeatNo seat = 1; seat <= SEAT_MAX; seat++)
        if (self->claim[seat] == role)
            found |= seat_bit(seat);
    return found;
}

static SeatSet those_wrong_about(const Talker *self, SeatSet wolves, SeatSet humans)
{
    SeatSet wrong = 0;

    for (SeatNo seat = 1; seat <= SEAT_MAX; seat++) {
        if (seat_in(wolves, seat))
            wrong |= self->called_human[seat] | self->buried_human[seat];
        if (seat_in(humans, seat))
            wrong |= self->called_wolf[seat] | self->buried_wolf[seat];
    }
    return wrong;
}

/* Who claims the role that this seat argues as. */
static SeatSet rivals(const Talker *self, const View *view)
{
    return self->stance == ROLE_VILLAGER ? 0
                                         : claimants(self, self->stance) & ~seat_bit(view->seat);
}

/* The dead whom the only medium calls so. */
static SeatSet buried(const Talker *self, const SeatSet by[static SEAT_MAX + 1])
{
    SeatSet mediums = claimants(self, ROLE_MEDIUM);
    SeatSet found = 0;

    for (SeatNo seat = 1; seat <= SEAT_MAX && seat_count_of(mediums) == 1; seat++)
        if (by[seat] & mediums)
            found |= seat_bit(seat);
    return found;
}

/* Whose results are false for all that this seat knows, or pretends to know. A wolf, too, argues
 * as if it were none. */
static SeatSet liars(const Talker *self, const View *view)
{
    SeatSet wolves = self->found_wolf | buried(self, self->buried_wolf);
    SeatSet humans =
        self->found_human | self->victims | seat_bit(view->seat) | buried(self, self->buried_human);

    return rivals(self, view) | those_wrong_about(self, wolves, humans);
}

int32_t talker_score(const Talker *self, const View *view, SeatNo seat)
{
    SeatSet seers = claimants(self, ROLE_SEER) |
                    (self->out && self->stance == ROLE_SEER ? seat_bit(view->seat) : 0);
    SeatSet lying = liars(self, view);
    bool alone = seat_count_of(seers & ~lying) == 1;
    int32_t score = self->noise[seat];

    score += 3 * (int32_t)seat_count_of(self->doubts[seat]);
    score += (alone ? 60 : 15) * (int32_t)seat_count_of(self->called_wolf[seat] & ~lying);
    score -= (alone ? 50 : 10) * (int32_t)seat_count_of(self->called_human[seat] & ~lying);
    score += seat_in(lying, seat) ? 80 : 0;
    score -= alone && seat_in(seers & ~lying, seat) ? 40 : 0;
    score += self->words[seat] == 0 && self->said ? 3 : 0;
    score += seat_in(self->found_wolf, seat) ? 300 : 0;
    score -= seat_in(self->found_human, seat) ? 300 : 0;
    score -= self->role == ROLE_WEREWOLF && view->roles[seat] == ROLE_WEREWOLF ? 1000 : 0;
    return score;
}

static SeatNo any_of(SeatSet set, SeatSet without)
{
    return set & ~without ? seat_first(set & ~without) : SEAT_NONE;
}

/* The best reason there is, in the order of their weight. */
static void find_reason(const Talker *self, const View *view, TalkerSuspicion *about)
{
    SeatNo seat = about->seat;
    SeatSet not_said_by = liars(self, view) | seat_bit(seat) | seat_bit(view->seat);
    SeatNo judge = any_of(self->called_wolf[seat], not_said_by);
    SeatNo friend = any_of(self->doubts[seat], not_said_by);

    about->because = SEAT_NONE;
    if (seat_in(self->found_wolf, seat) && self->out) {
        about->why = LINE_RESULT;
    } else if (seat_in(self->called_wolf[view->seat], seat)) {
        about->why = LINE_ACCUSED_ME;
    } else if (seat_in(rivals(self, view), seat) && self->out) {
        about->why = LINE_RIVAL;
    } else if (seat_in(liars(self, view) & ~rivals(self, view), seat)) {
        about->why = LINE_LIAR;
    } else if (judge != SEAT_NONE) {
        about->why = LINE_DIVINED;
        about->because = judge;
    } else if (friend != SEAT_NONE) {
        about->why = LINE_AGREE;
        about->because = friend;
    } else {
        about->why = self->words[seat] == 0 && self->said ? LINE_SILENT : LINE_FEELING;
    }
}

TalkerSuspicion talker_suspicion(const Talker *self, const View *view)
{
    TalkerSuspicion best = {.score = INT32_MIN};

    for (SeatSet left = pick_others(view); left; left &= left - 1) {
        SeatNo seat = seat_first(left);
        int32_t score = talker_score(self, view, seat);
        if (score > best.score)
            best = (TalkerSuspicion){.seat = seat, .score = score};
    }
    if (best.seat != SEAT_NONE)
        find_reason(self, view, &best);
    return best;
}

/* The most suspicious of a set, or nobody of an empty one. */
static SeatNo most_suspected(const Talker *self, const View *view, SeatSet from)
{
    SeatNo found = SEAT_NONE;

    for (SeatSet left = from; left; left &= left - 1)
        if (found == SEAT_NONE ||
            talker_score(self, view, seat_first(left)) > talker_score(self, view, found))
            found = seat_first(left);
    return found;
}

SeatNo talker_divine(Talker *self, const View *view)
{
    SeatSet others = pick_others(view);
    SeatSet unknown = others & ~self->found_wolf & ~self->found_human;

    return most_suspected(self, view, unknown ? unknown : others);
}

SeatNo talker_guard(Talker *self, const View *view)
{
    SeatSet others = pick_others(view);
    SeatSet honest = claimants(self, ROLE_SEER) & others & ~liars(self, view);

    if (!honest)
        honest = claimants(self, ROLE_MEDIUM) & others & ~liars(self, view);
    return pick_seat(&self->rng, honest ? honest : others);
}

/* The seer if the wolves can tell which it is, then a medium, then anybody. */
SeatNo talker_attack(Talker *self, const View *view)
{
    SeatSet humans = pick_others(view);
    SeatSet wolves = seat_bit(view->seat);

    for (SeatNo seat = 1; seat <= view->seat_count; seat++)
        if (view->roles[seat] == ROLE_WEREWOLF)
            wolves |= seat_bit(seat);
    humans &= ~wolves;
    if (seat_in(humans, self->prey))
        return self->prey;
    if (seat_in(humans, self->proposed))
        return self->proposed;
    /* Wolves know who spoke falsely of them: that one is on their side. */
    SeatSet friends = those_wrong_about(self, wolves, 0);
    for (SeatNo seat = 1; seat <= view->seat_count; seat++)
        if (!seat_in(wolves, seat))
            friends |= self->called_wolf[seat];
    SeatSet seers = claimants(self, ROLE_SEER) & humans & ~friends;
    SeatSet mediums = claimants(self, ROLE_MEDIUM) & humans & ~friends;
    if (!seers)
        seers = mediums ? mediums : humans & ~friends;
    return pick_seat(&self->rng, seers ? seers : humans ? humans : pick_others(view));
}
