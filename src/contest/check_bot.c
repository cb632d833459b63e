#include "contest/check_bot.h"

#include "game/ask_targets.h"

typedef struct CheckBot {
    uint16_t day;
    uint32_t turns[2]; /* of talk and whisper, today */
    char text[CHECK_BOT_TEXT];
} CheckBot;

static void check_bot_start(Bot *bot, const View *view, uint64_t seed)
{
    (void)view;
    (void)seed;
    *(CheckBot *)bot = (CheckBot){0};
}

/* ---- what it says ---- */

/* {m} is who speaks, {o} somebody who lives, {d} who is dead. */
static const char *const sentences[CHECK_BOT_SENTENCES] = {
    "COMINGOUT Agent[{m}] VILLAGER",
    "ESTIMATE Agent[{o}] WEREWOLF",
    "VOTE Agent[{d}]",
    "REQUEST ANY (VOTE Agent[{o}])",
    "BECAUSE (DIVINED Agent[{o}] WEREWOLF) (REQUEST ANY (VOTE Agent[{o}]))",
    "INQUIRE Agent[01] (COMINGOUT ANY SEER)",
    "REQUEST Agent[01] (DIVINATION Agent[{d}])",
    "Agent[{d}] VOTED Agent[{o}]",
    "AGREE TALK day1 ID:0",
    "DISAGREE TALK day1 ID:1",
    "AND (ESTIMATE Agent[{o}] WEREWOLF) (ESTIMATE Agent[{d}] VILLAGER)",
    "XOR (ESTIMATE Agent[01] WEREWOLF) (ESTIMATE Agent[{o}] POSSESSED)",
    "OR (COMINGOUT Agent[{o}] SEER) (COMINGOUT Agent[{o}] MEDIUM)",
    "NOT (ESTIMATE Agent[{o}] VILLAGER)",
    "DAY 1 (VOTED Agent[{d}])",
    "COMINGOUT Agent[{m}] SEER",
    "DIVINED Agent[01] WEREWOLF",
    "DIVINED Agent[{d}] HUMAN",
    "IDENTIFIED Agent[{d}] WEREWOLF",
    "GUARDED Agent[{o}]",
    "REQUEST Agent[01] (GUARD Agent[{d}])",
    "REQUEST ANY (NOT (VOTE Agent[01]))",
    "BECAUSE (Agent[{o}] COMINGOUT Agent[{o}] SEER) (ESTIMATE Agent[{o}] POSSESSED)",
    "ATTACK Agent[{o}]",
};

size_t check_bot_sentence(unsigned number, SeatNo me, SeatNo other, SeatNo dead,
                          char ret_text[static CHECK_BOT_TEXT])
{
    const char *at = sentences[number % CHECK_BOT_SENTENCES];
    size_t len = 0;

    for (; *at; at++) {
        if (*at != '{') {
            ret_text[len++] = *at;
            continue;
        }
        const SeatNo seat = at[1] == 'm' ? me : at[1] == 'o' ? other : dead;
        ret_text[len++] = (char)('0' + seat / 10);
        ret_text[len++] = (char)('0' + seat % 10);
        at += 2;
    }
    ret_text[len] = '\0';
    return len;
}

static SeatNo first_of(SeatSet set, SeatNo otherwise)
{
    return set ? seat_first(set) : otherwise;
}

/* Every other turn: who skips three times in a row says Over. */
static void speak(CheckBot *self, const View *view, bool whisper, Answer *ret_answer)
{
    const uint32_t turn = self->turns[whisper]++;
    const SeatSet all = seat_all(view->seat_count), mine = seat_bit(view->seat);
    const SeatNo other =
        first_of(view->alive & ~mine & ~seat_bit(CHECK_BOT_AGENT), CHECK_BOT_AGENT);
    const SeatNo dead = first_of(all & ~view->alive, other);

    if (turn % 2) {
        ret_answer->text = STR("Skip");
        return;
    }
    const size_t len = check_bot_sentence(view->seat + view->day * 7u + turn / 2, view->seat, other,
                                          dead, self->text);
    ret_answer->text = (Str){self->text, len};
}

/* ---- whom it names ---- */

/* Whom all vote for who don't vote for the agent. */
static SeatNo rival_of(SeatSet alive)
{
    SeatSet others = alive & ~seat_bit(CHECK_BOT_AGENT);
    SeatNo last = SEAT_NONE;

    for (; others; others &= others - 1)
        last = seat_first(others);
    return last;
}

static SeatNo choose_vote(const View *view, bool revote)
{
    const SeatNo rival = rival_of(view->alive);
    const SeatSet others = view->alive & ~seat_bit(CHECK_BOT_AGENT);
    const bool agent_lives = seat_in(view->alive, CHECK_BOT_AGENT);
    const unsigned rank = seat_count_of(others & (seat_bit(view->seat) - 1));

    if (view->seat == rival)
        return first_of(revote || !agent_lives ? others & ~seat_bit(rival) : view->alive,
                        CHECK_BOT_AGENT);
    /* The rival votes for the agent as well: one less than half of them beside it. */
    if (agent_lives && !revote && rank + 1 < seat_count_of(others) / 2)
        return CHECK_BOT_AGENT;
    return rival;
}

/* Nobody harms the agent; wolves disagree before they agree. */
static SeatNo choose_at_night(const Ask *ask, const View *view)
{
    const SeatSet may = ask_targets(view, ask->kind) & ~seat_bit(view->seat);
    const SeatSet others = may & ~seat_bit(CHECK_BOT_AGENT);
    const unsigned count = seat_count_of(others);

    if (ask->kind != ASK_ATTACK || !count)
        return first_of(ask->kind == ASK_DIVINE ? may : others, SEAT_NONE);
    return seat_nth(others, ask->revote ? 0 : view->seat % count);
}

static void check_bot_answer(Bot *bot, const Ask *ask, const View *view, Answer *ret_answer)
{
    CheckBot *self = (CheckBot *)bot;

    if (self->day != view->day) {
        self->day = view->day;
        self->turns[0] = self->turns[1] = 0;
    }
    if (ask_is_speech(ask->kind))
        speak(self, view, ask->kind == ASK_WHISPER, ret_answer);
    else if (ask->kind == ASK_VOTE)
        ret_answer->target = choose_vote(view, ask->revote);
    else if (ask->kind != ASK_ROLE)
        ret_answer->target = choose_at_night(ask, view);
}

const BotKind check_bot = {
    .name = "check",
    .about = "says and does what agents stumble over",
    .bytes = sizeof(CheckBot),
    .start = check_bot_start,
    .answer = check_bot_answer,
};
