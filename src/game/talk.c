/* Talk and whisper sessions: in turns, one by one, all at once or by bids, or at any time.
 * docs/spec/protocol-division.md 3.3 and 3.4; docs/spec/nlp-division.md 5 and 10. */
#include "game/bid.h"
#include "game/state.h"

#include <assert.h>

#define ITEMS_MAX (1u << 20)
#define BYTES_MAX ((size_t)256 << 20)

int speech_size(const TalkRules *rules, uint32_t sessions, SeatNo seats, size_t *ret_items,
                size_t *ret_bytes)
{
    size_t items, texts;
    bool limited = rules->max_per_agent != LIMIT_NONE;

    if (rules->exchange == EXCHANGE_ANYTIME) {
        texts = limited ? seats * (size_t)rules->max_per_agent : (size_t)rules->max_lines;
        items = texts + seats; /* and an Over each */
    } else {
        size_t turns = (size_t)rules->max_turns;
        items = seats * turns;
        texts = limited && (size_t)rules->max_per_agent < turns
                    ? seats * (size_t)rules->max_per_agent
                    : items;
    }
    items *= sessions;
    texts *= sessions;
    if (items > ITEMS_MAX || texts > BYTES_MAX / (size_t)rules->max_bytes)
        return ERR_LIMIT;
    *ret_items = items;
    *ret_bytes = (texts * (size_t)rules->max_bytes + 63) & ~(size_t)63;
    return 0;
}

static uint16_t allowance(const TalkRules *rules)
{
    return rules->max_per_agent == LIMIT_NONE ? UINT16_MAX : (uint16_t)rules->max_per_agent;
}

void speech_new_day(Game *game, DayTalk *speech)
{
    speech->log.count = 0;
    speech->pool_used = 0;
    speech->open = false;
    speech->participants = speech->waiting = speech->closed = 0;
    /* Without a branch: who lives is as good as random to the processor. */
    uint32_t full = allowance(speech->rules);
    for (SeatNo seat = 1; seat <= game->seat_count; seat++)
        speech->left[seat] = (uint16_t)(full & -((game->alive >> seat) & 1));
}

static AskKind ask_kind(const DayTalk *speech)
{
    return speech->whisper ? ASK_WHISPER : ASK_TALK;
}

/* Who may hear this list now. */
static SeatSet listeners(const Game *game, const DayTalk *speech)
{
    return speech->whisper ? view_of_wolves(game) : game->seats;
}

/* ---- judging and recording ---- */

static Said filler(Filler what, bool lapse)
{
    bool over = what == FILLER_OVER;

    return (Said){
        .text = over ? STR("Over") : STR("Skip"), .skip = !over, .over = over, .lapse = lapse};
}

/* An empty answer, or one of which the limits left nothing. */
static Said nothing_in_it(Filler what)
{
    Said said = filler(what, false);

    said.empty = true;
    return said;
}

/* Copies a text into the day's pool. The pool is sized for all that the limits allow. */
static Str keep_text(DayTalk *speech, Str text)
{
    assert(text.len <= speech->pool_room - speech->pool_used);
    char *at = speech->pool + speech->pool_used;

    memcpy(at, text.bytes, text.len);
    speech->pool_used += text.len;
    return (Str){at, text.len};
}

/* The longest start of at most `max` bytes that does not cut a UTF-8 character in two. */
static Str cut_bytes(Str text, size_t max)
{
    if (text.len <= max)
        return text;
    while (max > 0 && ((unsigned char)text.bytes[max] & 0xC0) == 0x80)
        max--;
    return str_part(text, 0, max);
}

/* The text within the length rules; empty when nothing is left of it. */
static Str limited_text(const Game *game, DayTalk *speech, SeatNo seat, Str text)
{
    size_t room = speech->pool_room - speech->pool_used;
    size_t max = (size_t)speech->rules->max_bytes;
    char *at = speech->pool + speech->pool_used;
    size_t n = length_limit(&speech->rules->length, text, game->names, game->seat_count, seat,
                            &speech->length_left[seat], at, room < max ? room : max);

    speech->pool_used += n;
    return (Str){at, n};
}

/* What an answer is worth, before the skip rule has its say. */
static Said judge_answer(const Game *game, DayTalk *speech, SeatNo seat, const Answer *answer)
{
    const TalkRules *rules = speech->rules;
    Str text = answer->text;

    if (answer->lapse)
        return filler((Filler)rules->on_lapse, true);
    if (text.len == 0)
        return nothing_in_it((Filler)rules->on_empty);
    if (rules->keywords) {
        if (str_eq(text, STR("Over")))
            return (Said){
                .text = STR("Over"), .over = true, .own_over = true, .sentence = answer->sentence};
        if (str_eq(text, STR("Skip")) ||
            (rules->skip_rule == SKIP_BUDGET && str_eq(text, STR("ForceSkip"))))
            return (Said){.text = STR("Skip"),
                          .skip = true,
                          .lapse = rules->force_skip_is_free && text.len > 4 &&
                                   rules->exchange == EXCHANGE_ANYTIME,
                          .sentence = answer->sentence};
    }
    if (rules->validate && (!answer->in_language || text.len > (size_t)rules->max_bytes))
        return filler(FILLER_SKIP, false);
    text = cut_bytes(text, (size_t)rules->max_bytes);
    text = length_is_limited(&rules->length) ? limited_text(game, speech, seat, text)
                                             : keep_text(speech, text);
    if (text.len == 0)
        return nothing_in_it(FILLER_OVER);
    /* Of what was cut nobody hears more than stands there. */
    return (Said){.text = text, .sentence = str_eq(text, answer->text) ? answer->sentence : NULL};
}

static void turn_into_over(Said *said)
{
    said->text = STR("Over");
    said->sentence = NULL;
    said->skip = false;
    said->over = true;
}

static void apply_skip_rule(DayTalk *speech, SeatNo seat, Said *said)
{
    const TalkRules *rules = speech->rules;
    uint16_t *skips = &speech->skips[seat];

    if (!said->skip) {
        if (!said->over || said->empty)
            *skips = rules->skip_rule == SKIP_BUDGET ? (uint16_t)rules->max_skip : 0;
        return;
    }
    switch ((SkipRule)rules->skip_rule) {
    case SKIP_AGENT:
        if (*skips <= rules->max_skip)
            (*skips)++;
        if (*skips > rules->max_skip)
            turn_into_over(said);
        break;
    case SKIP_BUDGET:
        if (said->lapse)
            break;
        if (*skips > 0)
            (*skips)--;
        else
            turn_into_over(said);
        break;
    case SKIP_ALL:
        break;
    }
}

static void charge_talk(DayTalk *speech, SeatNo seat, const Said *said)
{
    const TalkRules *rules = speech->rules;
    bool ends = said->over && (!said->empty || rules->empty_is_final);
    bool costs = said->skip ? rules->skip_costs : !ends;

    if (costs && speech->left[seat] > 0 && rules->max_per_agent != LIMIT_NONE)
        speech->left[seat]--;
    if (!ends || !rules->over_is_final)
        return;
    speech->left[seat] = 0;
    /* At any time an Over of the agent's own is taken even behind one that the rules made of
     * something else, and nothing is read behind it: docs/spec/nlp-division.md 10.2, 10.3. */
    if (rules->exchange != EXCHANGE_ANYTIME || said->own_over)
        speech->closed |= seat_bit(seat);
}

static void record_talk(Game *game, DayTalk *speech, SeatNo seat, Said said)
{
    apply_skip_rule(speech, seat, &said);
    charge_talk(speech, seat, &said);
    speech->turn_spoken++;
    speech->turn_all_over = speech->turn_all_over && said.over;
    speech->turn_all_skip = speech->turn_all_skip && said.skip;
    speech->said_over = said.over ? speech->said_over | seat_bit(seat) : 0;
    if (speech->rules->over_at_once && (speech->participants & ~speech->said_over) == 0) {
        speech->waiting = 0;
        speech->turn_all_over = true;
    }

    assert(speech->log.count < speech->items_room);
    bool anytime = speech->rules->exchange == EXCHANGE_ANYTIME;
    Talk *talk = &speech->items[speech->log.count];
    *talk = (Talk){
        .text = said.text,
        .sentence = said.sentence,
        .time = game->now,
        .idx = speech->log.count++,
        .turn = anytime ? speech->turns_of[seat] : speech->turn,
        .day = game->day,
        .seat = seat,
        .skip = said.skip,
        .over = said.over,
    };
    speech->turns_of[seat]++;
    Event *event =
        game_emit(game, speech->whisper ? EVENT_WHISPER : EVENT_TALK, listeners(game, speech));
    event->talk = talk;
    event->seat = seat;
}

/* ---- a session in turns ---- */

static bool is_spent(const DayTalk *speech, SeatNo seat)
{
    return speech->left[seat] == 0 ||
           (speech->rules->length.per_agent != LIMIT_NONE && speech->length_left[seat] <= 0);
}

static SeatNo draw_next(Game *game, const DayTalk *speech, SeatSet from)
{
    return game_choose(game, speech->whisper ? CHANCE_WHISPER_NEXT : CHANCE_TALK_NEXT, SEAT_NONE,
                       from);
}

static void draw_order(Game *game, DayTalk *speech, SeatSet from)
{
    for (uint32_t i = 0; from; i++) {
        speech->order[i] = draw_next(game, speech, from);
        from &= ~seat_bit(speech->order[i]);
    }
}

/* Everybody who may speak is asked how much it wants to. */
static void open_bids(Game *game, DayTalk *speech)
{
    speech->bidders = 0;
    speech->word_given = false;
    for (SeatSet left = speech->waiting; left; left &= left - 1) {
        SeatNo seat = seat_first(left);
        if (is_spent(speech, seat))
            continue;
        speech->bidders |= seat_bit(seat);
        speech->bids[seat] = BID_UNSAID;
    }
    speech->waiting = 0;
    game_open(game, ASK_BID, speech->bidders);
}

static void begin_turn(Game *game, DayTalk *speech)
{
    const TalkRules *rules = speech->rules;

    speech->waiting = speech->participants & ~speech->closed & ~game->away & game->alive;
    speech->turn_spoken = 0;
    speech->turn_all_over = speech->turn_all_skip = true;
    speech->turn_whispered = false;
    if (rules->order == ORDER_BIDS)
        open_bids(game, speech);
    if (rules->exchange != EXCHANGE_TURN)
        return;
    /* Everybody is asked at once; the order of recording is drawn now. */
    if (rules->order == ORDER_TURN)
        draw_order(game, speech, speech->waiting);
    SeatSet asked = 0;
    for (SeatSet left = speech->waiting; left; left &= left - 1)
        if (!is_spent(speech, seat_first(left)))
            asked |= left & (~left + 1);
    game_open(game, ask_kind(speech), asked);
}

static void reset_allowances(Game *game, DayTalk *speech, SeatSet participants)
{
    const TalkRules *rules = speech->rules;

    for (SeatSet left = participants; left; left &= left - 1) {
        SeatNo seat = seat_first(left);
        speech->left[seat] = allowance(rules);
        speech->skips[seat] = rules->skip_rule == SKIP_BUDGET ? (uint16_t)rules->max_skip : 0;
        speech->length_left[seat] = rules->length.per_agent;
        speech->turns_of[seat] = 0;
    }
    speech->participants = participants;
    speech->closed = 0;
    speech->said_over = 0;
    speech->turn = 0;
    speech->skip_turns = 0;
    speech->last_word = game->now;
    speech->open = true;
}

static SeatSet could_take_part(const Game *game, const DayTalk *speech)
{
    SeatSet seats = game->alive & ~game->away;

    return speech->whisper ? seats & game->with_role[ROLE_WEREWOLF] : seats;
}

/* What a session is part of: a room of MAW's, or nothing but talk. */
static Action action_of(const Game *game, const DayTalk *speech)
{
    Action action = game->running ? (Action)game->running->actions[game->action] : ACTION_TALK;

    if (action == ACTION_VILLAGE || action == ACTION_HIDEOUT)
        return action;
    return speech->whisper ? ACTION_WHISPER : ACTION_TALK;
}

/* False when there are too few for a session. */
static bool begin_session(Game *game, DayTalk *speech)
{
    const TalkRules *rules = speech->rules;
    SeatSet participants = could_take_part(game, speech);

    if (seat_count_of(participants) < (unsigned)rules->min_participants || !participants)
        return false;
    if (rules->exchange != EXCHANGE_ANYTIME && (rules->max_turns == 0))
        return false;
    /* Nobody may speak: docs/spec/nlp-division.md 5.5. With spent_says_over each would say Over. */
    if (rules->max_per_agent == 0 && !rules->spent_says_over)
        return false;
    if (rules->exchange == EXCHANGE_ANYTIME) {
        speech_open_room(game, speech, participants);
        return true;
    }
    reset_allowances(game, speech, participants);
    game_emit(game, EVENT_PHASE, listeners(game, speech))->action = action_of(game, speech);
    if (rules->order == ORDER_SESSION)
        draw_order(game, speech, participants);
    begin_turn(game, speech);
    return true;
}

void speech_close(Game *game, DayTalk *speech)
{
    if (!speech->open)
        return;
    speech->open = false;
    speech->participants = speech->waiting = 0;
    game_close(game, ask_kind(speech), game->seats);
    game_emit(game, EVENT_PHASE_END, listeners(game, speech))->action = action_of(game, speech);
}

/* Who wants it most; of those who spoke least. Empty: nobody wants to. */
static SeatSet highest_bidders(const Game *game, const DayTalk *speech)
{
    SeatSet best = 0;
    uint8_t most = 1;
    uint16_t least = 0;

    for (SeatSet left = speech->bidders & game->alive & ~game->away; left; left &= left - 1) {
        SeatNo seat = seat_first(left);
        uint8_t bid = speech->bids[seat];
        uint16_t spoken = speech->turns_of[seat];
        if (bid < most || (bid == most && best && spoken > least))
            continue;
        if (bid > most || spoken < least)
            best = 0;
        best |= seat_bit(seat);
        most = bid;
        least = spoken;
    }
    return best;
}

/* BIDS: all bids are in, one speaks. False when nobody does. */
static bool give_word(Game *game, DayTalk *speech)
{
    SeatSet best = highest_bidders(game, speech);

    speech->bidders = 0;
    if (!best)
        return false;
    speech->word_given = true;
    game_open(game, ask_kind(speech), seat_bit(draw_next(game, speech, best)));
    return true;
}

static bool session_is_over(DayTalk *speech)
{
    const TalkRules *rules = speech->rules;

    /* By bids: who was given the word and left before a word has had no turn. */
    speech->turn += rules->order != ORDER_BIDS || speech->turn_spoken > 0;
    if (speech->turn_spoken > 0 && speech->turn_all_skip)
        speech->skip_turns++;
    else
        speech->skip_turns = 0;
    /* By bids one speaks in a turn, so its Over is its own. */
    bool all_over = rules->order == ORDER_BIDS
                        ? !speech->word_given || (speech->participants & ~speech->said_over) == 0
                        : speech->turn_all_over;
    return all_over || speech->turn >= (uint32_t)rules->max_turns ||
           (rules->skip_rule == SKIP_ALL && speech->skip_turns > (uint32_t)rules->max_skip);
}

static SeatNo next_of_order(Game *game, DayTalk *speech)
{
    if (speech->rules->order == ORDER_TURN && speech->rules->exchange == EXCHANGE_SEQUENTIAL)
        return draw_next(game, speech, speech->waiting);
    for (uint32_t i = 0;; i++)
        if (seat_in(speech->waiting, speech->order[i]))
            return speech->order[i];
}

/* The place of a seat with nothing left to say. */
static void pass_spent(Game *game, DayTalk *speech, SeatNo seat)
{
    if (speech->rules->spent_says_over)
        record_talk(game, speech, seat, filler(FILLER_OVER, false));
}

/* TURN: all answers are in; they are recorded in the order that was drawn. */
static void record_turn(Game *game, DayTalk *speech)
{
    while (speech->waiting) {
        SeatNo seat = next_of_order(game, speech);
        speech->waiting &= ~seat_bit(seat);
        if (is_spent(speech, seat))
            pass_spent(game, speech, seat);
        else
            record_talk(game, speech, seat, speech->said[seat]);
    }
}

/* SEQUENTIAL: the next place of the turn. */
static void next_speaker(Game *game, DayTalk *speech)
{
    SeatNo seat = next_of_order(game, speech);

    speech->waiting &= ~seat_bit(seat);
    if (is_spent(speech, seat))
        pass_spent(game, speech, seat);
    else
        game_open(game, ask_kind(speech), seat_bit(seat));
}

bool speech_step(Game *game, DayTalk *speech)
{
    if (!speech->open)
        return !begin_session(game, speech);
    if (speech->rules->exchange == EXCHANGE_ANYTIME) {
        if (!speech_room_done(game, speech))
            return false;
        game->room_until = TIME_NEVER;
        game->standing = false;
        speech_close(game, speech);
        return true;
    }
    if (speech->waiting) {
        if (speech->rules->exchange == EXCHANGE_TURN)
            record_turn(game, speech);
        else
            next_speaker(game, speech);
        return false;
    }
    if (speech->bidders && give_word(game, speech))
        return false;
    if (session_is_over(speech)) {
        speech_close(game, speech);
        return true;
    }
    begin_turn(game, speech);
    return false;
}

/* The talk of a day, with a whisper session behind every turn where the rules want it. */
bool talk_step(Game *game)
{
    DayTalk *talk = &game->talk;

    if (talk->rules->whisper_after_turn && talk->open && !talk->waiting && !talk->turn_whispered) {
        talk->turn_whispered = speech_step(game, &game->whisper);
        return false;
    }
    return speech_step(game, talk);
}

/* ---- a session at any time ---- */

void speech_open_room(Game *game, DayTalk *speech, SeatSet participants)
{
    reset_allowances(game, speech, participants);
    game->standing = true;
    game->room_until = game->now + speech->rules->duration_ms;
    Event *event = game_emit(game, EVENT_PHASE, listeners(game, speech));
    event->action = action_of(game, speech);
    event->until = game->room_until;
    game_open(game, ask_kind(speech), participants);
}

/* Over when time is up, when nobody has an utterance left, or after too long a silence. Who has
 * used up its length only may still say Over: docs/spec/nlp-division.md 10.2, step 5. */
bool speech_room_done(const Game *game, const DayTalk *speech)
{
    const TalkRules *rules = speech->rules;
    SeatSet unfinished = 0;

    if (game->now >= game->room_until)
        return true;
    if (rules->silence_ms > 0 && game->now >= speech->last_word + rules->silence_ms)
        return true;
    for (SeatSet left = speech->participants & ~game->away; left; left &= left - 1)
        if (speech->left[seat_first(left)] > 0)
            unfinished |= left & (~left + 1);
    return !unfinished;
}

/* docs/spec/nlp-division.md 10.2, step 4. */
static int answer_in_room(Game *game, DayTalk *speech, SeatNo seat, const Answer *answer, Err *err)
{
    Answer said = *answer;

    said.text = length_strip(answer->text);
    if (said.lapse || said.text.len == 0)
        return 0;
    bool over = speech->rules->keywords && str_eq(said.text, STR("Over"));
    if (!over && is_spent(speech, seat))
        return err_set(err, ERR_LIMIT, "seat %u has used up its utterances of this session", seat);
    /* Keep room for the last Over of everybody who has not said it, and for one more text. An Over
     * that is not final can come again and again. */
    uint32_t kept = over ? 0
                    : speech->rules->over_is_final
                        ? seat_count_of(speech->participants & ~speech->closed)
                        : game->seat_count;
    if (speech->log.count + kept >= speech->items_room ||
        speech->pool_room - speech->pool_used < (size_t)speech->rules->max_bytes)
        return err_set(err, ERR_LIMIT, "this session has reached its limit of %u lines",
                       speech->log.count);
    record_talk(game, speech, seat, judge_answer(game, speech, seat, &said));
    speech->last_word = game->now;
    if (seat_in(speech->closed, seat))
        game_close(game, ask_kind(speech), seat_bit(seat));
    return 0;
}

int speech_answer(Game *game, DayTalk *speech, SeatNo seat, const Answer *answer, Err *err)
{
    if (speech->rules->exchange == EXCHANGE_ANYTIME)
        return answer_in_room(game, speech, seat, answer, err);
    Said said = judge_answer(game, speech, seat, answer);
    game_close(game, ask_kind(speech), seat_bit(seat));
    if (speech->rules->exchange == EXCHANGE_TURN)
        speech->said[seat] = said;
    else
        record_talk(game, speech, seat, said);
    return 0;
}

void speech_bid(Game *game, DayTalk *speech, SeatNo seat, const Answer *answer)
{
    uint8_t bid = bid_of(answer);
    Event *event = game_emit(game, EVENT_BID, 0);

    speech->bids[seat] = bid;
    event->seat = seat;
    event->points = bid;
    game_close(game, ASK_BID, seat_bit(seat));
}

void speech_drop(DayTalk *speech, SeatNo seat)
{
    speech->participants &= ~seat_bit(seat);
    speech->waiting &= ~seat_bit(seat);
    speech->bidders &= ~seat_bit(seat);
}

/* In turns a seat that is back waits for the next turn; in an open session it goes on at once. */
void speech_come_back(Game *game, DayTalk *speech, SeatNo seat)
{
    if (!speech->open || !game->standing ||
        !seat_in(speech->participants & ~speech->closed & game->alive, seat))
        return;
    game->asked[ask_kind(speech)] |= seat_bit(seat);
    game->asked_kinds |= 1u << ask_kind(speech);
}
