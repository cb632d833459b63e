/* talker.c - speaks natural language, English or Japanese, and plays a simple honest game by it.
 *
 * For:    filling seats of the natural-language division, and trying agents and servers. It says a
 *         few plain sentences a day out of tables, understands those of its own kind and common
 *         ones of others, votes as it said, answers when it is spoken to, and ends with Over.
 * Memory: one Talker (talker_mind.h) in the caller's block; no allocation.
 * Thread: the game's.
 * Source: docs/spec/nlp-division.md 5, 10; INLG regulation as told there in 10.7: at most 125
 *         characters (50 in Japanese), no half-width comma.
 *
 * What it has to say is decided anew at each ask (next_line), most urgent first: a greeting,
 * results, answers, a denial, suspicion with its reason, a question, the vote. No text is said
 * twice in a game, by whomever: a line that has run out of wordings is left out.
 */
#include "bot/kinds.h"
#include "bot/talker_mind.h"

#include "base/utf8.h"
#include "game/length.h"

#define ENGLISH_CHARS  125
#define JAPANESE_CHARS 50
#define SAID_MAX       6  /* utterances a day, whatever the rules allow */
#define PATIENCE       8  /* asks that stand open are let pass, for others to speak */
#define CHANGE_SCORE   40 /* so much worse must another seat look before it changes its vote */

/* One thing to say. */
typedef struct Remark {
    Line line;
    SeatNo a;
    SeatNo b;
} Remark;

static void start_talker(Talker *self, uint64_t seed, TalkerLanguage language)
{
    memset(self, 0, sizeof(*self));
    self->rng = rng_new(seed);
    self->language = language;
}

static void start_by_names(Bot *bot, const View *view, uint64_t seed)
{
    start_talker((Talker *)bot, seed, talker_language_of(view->names, view->seat_count));
}

static void start_english(Bot *bot, const View *view, uint64_t seed)
{
    (void)view;
    start_talker((Talker *)bot, seed, TALKER_ENGLISH);
}

static void start_japanese(Bot *bot, const View *view, uint64_t seed)
{
    (void)view;
    start_talker((Talker *)bot, seed, TALKER_JAPANESE);
}

/* ---- wording ---- */

/* Whether the rules would record all of it; what a mention allows beyond that is not used. */
static bool fits_rules(const TalkRules *rules, const int32_t *length_left, SeatNo seat, Str text)
{
    const LengthRules *length = &rules->length;
    int32_t count = length_count(length, text);
    int32_t base = length->base_length == LIMIT_NONE ? 0 : length->base_length;
    int32_t own = length->per_agent == LIMIT_NONE || !length_left ? 0 : length_left[seat];
    bool limited = length->base_length != LIMIT_NONE || length->per_agent != LIMIT_NONE;

    return text.len <= (size_t)rules->max_bytes &&
           (length->per_talk == LIMIT_NONE || count <= length->per_talk) &&
           (!limited || count <= base + (own > 0 ? own : 0));
}

static bool is_fit(const Talker *self, const View *view, bool whisper, Str text)
{
    size_t most = self->language == TALKER_JAPANESE ? JAPANESE_CHARS : ENGLISH_CHARS;
    const TalkRules *rules = whisper ? &view->rules->whisper : &view->rules->talk;
    const int32_t *left = whisper ? view->whisper_length : view->talk_length;

    return text.len && utf8_count(text) <= most && !memchr(text.bytes, ',', text.len) &&
           !memchr(text.bytes, '\n', text.len) && fits_rules(rules, left, view->seat, text) &&
           !talker_was_said(self, text);
}

static Str name_of(const View *view, SeatNo seat)
{
    return seat == SEAT_NONE ? STR("") : view->names[seat];
}

/* One of the wordings that fit, by chance, in self->text; empty when none does. */
static Str word_remark(Talker *self, const View *view, Remark remark, bool whisper)
{
    unsigned first = rng_below(&self->rng, WORDINGS_MAX);

    for (unsigned i = 0; i < WORDINGS_MAX; i++) {
        const char *wording =
            talker_wording(self->language, remark.line, (first + i) % WORDINGS_MAX);
        if (!wording)
            continue;
        size_t len = talker_write(wording, name_of(view, remark.a), name_of(view, remark.b),
                                  self->text, sizeof(self->text));
        if (is_fit(self, view, whisper, (Str){self->text, len}))
            return (Str){self->text, len};
    }
    return STR("");
}

/* ---- what to say ---- */

static bool has_to_tell(const Talker *self, const View *view)
{
    if (self->news_count == 0)
        return false;
    if (self->out || self->news[0].wolf || self->role == ROLE_POSSESSED)
        return true;
    for (SeatNo seat = 1; seat <= view->seat_count; seat++)
        if (self->claim[seat] == self->stance && seat != view->seat)
            return true;
    /* With nothing against anybody a result may wait for a day, not longer. */
    return view->day > view->rules->first_day + 1 || self->noise[view->seat] < 6;
}

static Remark tell_result(Talker *self)
{
    static const Line lines[2][2] = {{LINE_SEER_HUMAN, LINE_SEER_WOLF},
                                     {LINE_MEDIUM_HUMAN, LINE_MEDIUM_WOLF}};
    TalkerNews news = self->news[0];

    self->news_count--;
    memmove(self->news, self->news + 1, self->news_count * sizeof(news));
    self->out = true;
    return (Remark){lines[self->stance == ROLE_MEDIUM][news.wolf], news.target, SEAT_NONE};
}

static Remark reply_remark(Talker *self, const View *view)
{
    TalkerAsked asked = self->asked[0];
    TalkerSuspicion of = talker_suspicion(self, view);
    Remark remark = {LINE_REPLY_EARLY, of.seat, asked.by};

    self->asked_count--;
    memmove(self->asked, self->asked + 1, self->asked_count * sizeof(asked));
    self->addressed |= seat_bit(asked.by);
    if (asked.accused) {
        remark.line = LINE_DENY;
        self->denied = true;
    } else if (asked.role) {
        remark.line = self->out ? LINE_REPLY_OUT : LINE_REPLY_ROLE;
    } else if (view->day > view->rules->first_day && of.seat != asked.by) {
        remark.line = LINE_REPLY_THINK;
        self->suspect = of.seat;
    }
    return remark;
}

static Remark mourn_remark(Talker *self, const View *view)
{
    self->mourned = true;
    return view->last_dead_count ? (Remark){LINE_VICTIM, view->last_dead[0], SEAT_NONE}
                                 : (Remark){LINE_QUIET_NIGHT, SEAT_NONE, SEAT_NONE};
}

/* In the first night nobody is attacked, so there is nothing to be glad of. */
static bool may_mourn(const Talker *self, const View *view)
{
    return !self->mourned && self->said == 0 && self->noise[view->seat] % 3 == 0 &&
           (view->last_dead_count || view->day > view->rules->first_day + 1);
}

static Remark ask_somebody(Talker *self, SeatSet others)
{
    SeatNo whom = pick_seat(&self->rng, others);

    self->inquired = true;
    self->addressed |= seat_bit(whom);
    return (Remark){LINE_ASK, SEAT_NONE, whom};
}

static Remark declare_suspicion(Talker *self, TalkerSuspicion of)
{
    Line line = self->declared == SEAT_NONE ? LINE_VOTE : LINE_CHANGE;

    self->declared = of.seat;
    return (Remark){line, of.seat, SEAT_NONE};
}

static bool should_declare(const Talker *self, const View *view, TalkerSuspicion of)
{
    if (view->day == 0 || of.seat == SEAT_NONE || of.seat == self->declared)
        return false;
    return !seat_in(pick_others(view), self->declared) ||
           of.score > talker_score(self, view, self->declared) + CHANGE_SCORE;
}

/* What others wait for: an answer, or a word to an accusation. */
static bool respond_remark(Talker *self, const View *view, Remark *ret)
{
    SeatSet accusers =
        (self->doubts[view->seat] | self->called_wolf[view->seat]) & pick_others(view);

    if (self->asked_count) {
        *ret = reply_remark(self, view);
        return true;
    }
    if (self->denied || !accusers)
        return false;
    self->denied = true;
    *ret = (Remark){LINE_DENY, SEAT_NONE, pick_seat(&self->rng, accusers)};
    self->addressed |= seat_bit(ret->b);
    return true;
}

/* What is said of one's own accord. */
static bool remark_freely(Talker *self, const View *view, unsigned left, TalkerSuspicion of,
                          Remark *ret)
{
    SeatSet others = pick_others(view) & ~self->finished & ~self->addressed;
    bool first_day = view->day == view->rules->first_day;

    if (!first_day && left > 2 && may_mourn(self, view)) {
        *ret = mourn_remark(self, view);
    } else if (!first_day && left > 1 && of.seat != SEAT_NONE && self->suspect == SEAT_NONE &&
               self->declared == SEAT_NONE) {
        self->suspect = of.seat;
        *ret = (Remark){of.why, of.seat, of.because};
    } else if (left > 2 && !self->inquired && others) {
        *ret = ask_somebody(self, others);
    } else {
        return false;
    }
    return true;
}

/* The most urgent thing to say; false when there is none. `left`: utterances left today. */
static bool next_remark(Talker *self, const View *view, unsigned left, Remark *ret)
{
    TalkerSuspicion of = talker_suspicion(self, view);
    bool votes = should_declare(self, view, of);

    if (!self->greeted) {
        self->greeted = true;
        *ret = (Remark){LINE_HELLO, SEAT_NONE, SEAT_NONE};
        return true;
    }
    if (has_to_tell(self, view)) {
        *ret = tell_result(self);
        return true;
    }
    if (!(left == 1 && votes) &&
        (respond_remark(self, view, ret) || remark_freely(self, view, left, of, ret)))
        return true;
    if (votes)
        *ret = declare_suspicion(self, of);
    return votes;
}

static bool next_whisper(Talker *self, const View *view, Remark *ret)
{
    SeatSet mates = 0;

    for (SeatSet left = pick_others(view); left; left &= left - 1)
        if (view->roles[seat_first(left)] == ROLE_WEREWOLF)
            mates |= seat_bit(seat_first(left));
    if (!mates || self->prey != SEAT_NONE)
        return false;
    if (view->day == view->rules->first_day && self->whispered == 0 && view->day == 0) {
        *ret = (Remark){LINE_WOLVES_HELLO, SEAT_NONE, SEAT_NONE};
        return true;
    }
    if (view->day == 0)
        return false;
    SeatNo prey = talker_attack(self, view);
    *ret = (Remark){self->proposed == prey ? LINE_ATTACK_TOO : LINE_ATTACK, prey, SEAT_NONE};
    self->prey = prey;
    return prey != SEAT_NONE;
}

/* ---- speaking ---- */

/* Says the next remark that can be worded, else Over; where that is a word like any other,
 * nothing. */
static void speak_line(Talker *self, const View *view, bool whisper, unsigned left,
                       Answer *ret_answer)
{
    const TalkRules *rules = whisper ? &view->rules->whisper : &view->rules->talk;
    uint8_t *said = whisper ? &self->whispered : &self->said;
    Remark remark;

    /* Each remark is considered once: next_remark remembers it, or it has a wording at last. */
    for (unsigned tries = 0; *said < SAID_MAX && left > 0 && tries < 8; tries++) {
        if (whisper ? !next_whisper(self, view, &remark) : !next_remark(self, view, left, &remark))
            break;
        ret_answer->text = word_remark(self, view, remark, whisper);
        if (ret_answer->text.len == 0)
            continue;
        talker_remember(self, ret_answer->text);
        (*said)++;
        return;
    }
    ret_answer->lapse = !rules->keywords;
    ret_answer->text = STR("Over");
}

/* Where anybody may speak at any time: not before the others have had a word too. */
static bool waits_turn(Talker *self, const View *view)
{
    if (self->asked_count || self->waited >= PATIENCE)
        return false;
    for (SeatSet left = pick_others(view) & ~self->finished; left; left &= left - 1)
        if (self->words[seat_first(left)] < self->said) {
            self->waited++;
            return true;
        }
    return false;
}

static void answer_talk(Talker *self, const Ask *ask, const View *view, bool whisper,
                        Answer *ret_answer)
{
    const uint16_t *left = whisper ? view->whisper_left : view->talk_left;

    ret_answer->lapse = ask->standing && !whisper && waits_turn(self, view);
    if (ret_answer->lapse)
        return;
    self->waited = 0;
    speak_line(self, view, whisper, left ? left[view->seat] : SAID_MAX, ret_answer);
}

static SeatNo choose_vote(const Talker *self, const View *view)
{
    return seat_in(pick_others(view), self->declared) ? self->declared
                                                      : talker_suspicion(self, view).seat;
}

static void answer_ask(Bot *bot, const Ask *ask, const View *view, Answer *ret_answer)
{
    Talker *self = (Talker *)bot;

    if (ask->kind == ASK_ROLE) /* no wish, and no role is dealt yet */
        return;
    talker_notice(self, view);
    switch (ask->kind) {
    case ASK_TALK:
    case ASK_WHISPER:
        answer_talk(self, ask, view, ask->kind == ASK_WHISPER, ret_answer);
        return;
    case ASK_VOTE:
        ret_answer->target = choose_vote(self, view);
        break;
    case ASK_DIVINE:
        ret_answer->target = talker_divine(self, view);
        break;
    case ASK_GUARD:
        ret_answer->target = talker_guard(self, view);
        break;
    case ASK_ATTACK:
        ret_answer->target = talker_attack(self, view);
        break;
    case ASK_BID:
        ret_answer->bid = pick_bid(view);
        return;
    case ASK_ROLE:
    case ASK_COUNT:
        return;
    }
    if (!ask->standing)
        return;
    /* A ballot that stays open is answered once, and again when the answer changes. */
    ret_answer->lapse = self->standing[ask->kind] == ret_answer->target;
    self->standing[ask->kind] = ret_answer->target;
}

const BotKind bot_talker = {
    .name = "talker",
    .about = "speaks natural language: Japanese where names are Japanese, else English",
    .bytes = sizeof(Talker),
    .start = start_by_names,
    .answer = answer_ask,
};

const BotKind bot_talker_en = {
    .name = "talker-en",
    .about = "speaks English",
    .bytes = sizeof(Talker),
    .start = start_english,
    .answer = answer_ask,
};

const BotKind bot_talker_ja = {
    .name = "talker-ja",
    .about = "speaks Japanese",
    .bytes = sizeof(Talker),
    .start = start_japanese,
    .answer = answer_ask,
};
