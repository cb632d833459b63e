#include "seat/web_seat.h"

#include "base/arena.h"
#include "game/ask_targets.h"
#include "game/length.h"
#include "lang/lang.h"

#define SILENT_AFTER 2

struct WebSeat {
    WebSeatSetup setup;
    WebDesk desk;
    Alarm alarm;  /* of the bot's answer, or of the end of the time */
    Alarm retell; /* what is asked has other limits now */
    Arena arena;  /* for one sentence */
    Bot *bot;
    Rng rng;          /* of its pauses */
    const View *view; /* NULL before the first game */
    Ask ask;
    uint32_t asked; /* number of it at the desk; 0 = nothing is asked */
    TimeUs until;
    bool away;
    bool bot_decides; /* what is asked now */
    uint64_t games;
};

/* ---- what is asked ---- */

static const TalkRules *talk_rules(const WebSeat *seat)
{
    const Ruleset *rules = seat->view->rules;

    return seat->ask.kind == ASK_WHISPER ? &rules->whisper : &rules->talk;
}

static TimeUs end_of_ask(const WebSeat *seat, TimeUs now)
{
    TimeUs limit = (TimeUs)seat->view->rules->contest.time_limit_told_ms * 1000;

    if (limit <= 0)
        limit = seat->setup.limit;
    if (seat->ask.standing)
        limit = (TimeUs)talk_rules(seat)->duration_ms * 1000;
    return limit > 0 ? now + limit : TIME_US_NEVER;
}

static int32_t skips_left(const WebSeat *seat, const uint16_t *skips)
{
    const TalkRules *rules = talk_rules(seat);
    SeatNo me = seat->view->seat;

    if (!skips || rules->skip_rule == SKIP_ALL)
        return WEB_NO_LIMIT;
    if (rules->skip_rule == SKIP_BUDGET)
        return skips[me];
    return rules->max_skip > skips[me] ? rules->max_skip - skips[me] : 0;
}

static void describe_speech(const WebSeat *seat, WebAsk *ask)
{
    const TalkRules *rules = talk_rules(seat);
    const View *view = seat->view;
    bool whisper = seat->ask.kind == ASK_WHISPER;
    const uint16_t *left = whisper ? view->whisper_left : view->talk_left;
    const int32_t *length = whisper ? view->whisper_length : view->talk_length;

    ask->kind = whisper ? WEB_WHISPER : WEB_TALK;
    ask->may_skip = ask->may_over = rules->keywords;
    ask->length = &rules->length;
    ask->length_left = length ? length[view->seat] : 0;
    if (left && left[view->seat] != UINT16_MAX)
        ask->turns_left = left[view->seat];
    ask->skips_left = skips_left(seat, whisper ? view->whisper_skips : view->talk_skips);
}

static WebAsk describe_ask(const WebSeat *seat)
{
    static const WebAskKind kinds[ASK_COUNT] = {[ASK_VOTE] = WEB_VOTE,
                                                [ASK_DIVINE] = WEB_DIVINE,
                                                [ASK_GUARD] = WEB_GUARD,
                                                [ASK_ATTACK] = WEB_ATTACK};
    WebAsk ask = {.kind = kinds[seat->ask.kind],
                  .standing = seat->ask.standing,
                  .revote = seat->ask.revote,
                  .until = seat->until,
                  .max_chars = WEB_NO_LIMIT,
                  .turns_left = WEB_NO_LIMIT,
                  .skips_left = WEB_NO_LIMIT};

    if (ask_is_speech(seat->ask.kind))
        describe_speech(seat, &ask);
    else
        ask.targets = ask_targets(seat->view, seat->ask.kind);
    return ask;
}

/* ---- answers ---- */

static void end_ask(WebSeat *seat)
{
    alarm_stop(&seat->alarm);
    seat->asked = 0;
    seat->bot_decides = false;
}

static void send_answer(WebSeat *seat, const Answer *answer)
{
    const Ask ask = seat->ask;

    if (!web_desk_open(&seat->desk, seat->asked))
        end_ask(seat);
    seat->setup.answer(seat->setup.user, &ask, answer);
}

/* As it is recorded, by the rules that cut it there. */
static void record_text(const WebSeat *seat, Str text, Buf *out)
{
    const TalkRules *rules = talk_rules(seat);
    const View *view = seat->view;
    const int32_t *lengths =
        seat->ask.kind == ASK_WHISPER ? view->whisper_length : view->talk_length;
    int32_t left = lengths ? lengths[view->seat] : 0;

    bool word = rules->keywords && (str_eq(text, STR("Skip")) || str_eq(text, STR("Over")));
    if (word || !length_is_limited(&rules->length)) {
        buf_add(out, text);
        return;
    }
    size_t room = text.len + 256; /* a mention gets two blanks */
    if (!buf_reserve(out, room))
        return;
    out->len = length_limit(&rules->length, text, view->names, view->seat_count, view->seat, &left,
                            out->bytes, room);
    out->bytes[out->len] = '\0';
}

static void refuse_text(WebVerdict *verdict, const char *code, const char *error)
{
    verdict->code = code;
    snprintf(verdict->error, sizeof(verdict->error), "%s", error);
}

static bool is_sentence(WebSeat *seat, Str text, Err *err)
{
    const Sentence *sentence;

    if (!seat->setup.protocol)
        return true;
    arena_clear(&seat->arena);
    return lang_parse(text, &seat->arena, &sentence, err) == 0;
}

/* Nothing may be said any more in the open session. */
static bool is_spent(const WebSeat *seat)
{
    const WebAsk ask = describe_ask(seat);

    return ask.turns_left == 0 || (talk_rules(seat)->length.per_agent >= 0 && ask.length_left <= 0);
}

static void on_judge(void *user, const SeatAnswer *answer, TimeUs now, WebVerdict *verdict)
{
    WebSeat *seat = user;
    Err err = {0};

    (void)now;
    if (answer->ask != seat->asked) {
        refuse_text(verdict, "stale", "this is not asked any more");
        return;
    }
    if (!ask_is_speech(seat->ask.kind))
        return;
    bool over = str_eq(answer->text, STR("Over"));
    if (seat->ask.standing && !over && is_spent(seat)) {
        refuse_text(verdict, "nothing-left", "all utterances of this session are used up");
        return;
    }
    if (!is_sentence(seat, answer->text, &err)) {
        refuse_text(verdict, "no-sentence", err.msg);
        return;
    }
    record_text(seat, answer->text, &verdict->text);
    if (verdict->text.len == 0)
        refuse_text(verdict, "no-text", "the limits leave nothing of this text");
    verdict->ends = talk_rules(seat)->over_is_final && over;
}

static void on_take(void *user, const SeatAnswer *answer, TimeUs now)
{
    WebSeat *seat = user;
    const Answer given = {.kind = seat->ask.kind, .target = answer->target, .text = answer->text};

    (void)now;
    send_answer(seat, &given);
}

static void on_tell(void *user, Str json)
{
    const WebSeat *seat = user;

    if (seat->setup.tell)
        seat->setup.tell(seat->setup.user, json);
}

/* ---- the bot ---- */

static TimeUs pause_of(WebSeat *seat)
{
    TimeUs span = seat->setup.pause_max - seat->setup.pause_min;

    return seat->setup.pause_min +
           (span > 0 ? (TimeUs)rng_below(&seat->rng,
                                         (uint32_t)(span < UINT32_MAX ? span + 1 : UINT32_MAX))
                     : 0);
}

static void let_bot_decide(WebSeat *seat, TimeUs now)
{
    TimeUs at = now + pause_of(seat);

    /* In time, whatever its pauses are. */
    if (seat->until != TIME_US_NEVER && !seat->ask.standing && at > now + (seat->until - now) / 2)
        at = now + (seat->until - now) / 2;
    seat->bot_decides = true;
    alarm_at(&seat->alarm, at, false);
}

static void answer_by_bot(WebSeat *seat, TimeUs now)
{
    Answer answer = {.kind = seat->ask.kind};
    bool standing = seat->ask.standing;

    seat->setup.bot->answer(seat->bot, &seat->ask, seat->view, &answer);
    bool over = standing && str_eq(answer.text, STR("Over"));
    if (standing && (answer.lapse || !answer.text.len || (!over && is_spent(seat)))) {
        alarm_at(&seat->alarm, now + pause_of(seat), false);
        return;
    }
    if (standing && !over)
        alarm_at(&seat->alarm, now + pause_of(seat), false);
    if (!standing || (over && talk_rules(seat)->over_is_final))
        web_desk_unask(&seat->desk, seat->asked);
    send_answer(seat, &answer);
}

/* ---- time ---- */

static void watch_time(WebSeat *seat)
{
    if (!seat->ask.standing)
        alarm_at(&seat->alarm, seat->until, false);
}

static void tell_silent(WebSeat *seat, TimeUs now)
{
    if (seat->away || seat->desk.unheeded < SILENT_AFTER)
        return;
    seat->desk.unheeded = 0;
    if (seat->setup.silent)
        seat->setup.silent(seat->setup.user, now);
}

static void on_alarm(void *user, TimeUs now)
{
    WebSeat *seat = user;
    const Answer lapse = {.kind = seat->ask.kind, .lapse = true};

    if (!seat->asked)
        return;
    if (seat->bot_decides) {
        answer_by_bot(seat, now);
        return;
    }
    web_desk_unask(&seat->desk, seat->asked);
    tell_silent(seat, now);
    if (seat->setup.lapses)
        send_answer(seat, &lapse);
    else
        end_ask(seat); /* the server's clock decides */
}

static void on_retell(void *user, TimeUs now)
{
    WebSeat *seat = user;

    if (!seat->asked)
        return;
    const WebAsk described = describe_ask(seat);
    web_desk_change(&seat->desk, seat->asked, &described, now);
}

/* ---- the thinker ---- */

static void think_begin(void *user, const View *view)
{
    WebSeat *seat = user;

    seat->view = view;
    seat->setup.bot->start(seat->bot, view, rng_derive(seat->setup.seed, seat->games++));
    if (seat->setup.begun)
        seat->setup.begun(seat->setup.user, view);
}

static bool is_same_ask(const WebAsk *a, const WebAsk *b)
{
    return a->turns_left == b->turns_left && a->skips_left == b->skips_left &&
           a->length_left == b->length_left && a->targets == b->targets;
}

/* What is left of an open session changes with each utterance. */
static void think_look(void *user, const View *view)
{
    WebSeat *seat = user;
    const WebOpenAsk *open = web_desk_open(&seat->desk, seat->asked);

    seat->view = view;
    if (!open || !open->ask.standing)
        return;
    const WebAsk described = describe_ask(seat);
    if (!is_same_ask(&described, &open->ask))
        alarm_soon(&seat->retell);
}

static void unask_seat(WebSeat *seat)
{
    uint32_t asked = seat->asked;

    end_ask(seat);
    web_desk_unask(&seat->desk, asked);
}

static void think_unask(void *user)
{
    unask_seat(user);
}

static void think_ask(void *user, const Ask *ask, const View *view, TimeUs now)
{
    WebSeat *seat = user;

    seat->view = view;
    unask_seat(seat);
    tell_silent(seat, now);
    if (ask->kind == ASK_ROLE)
        return;
    seat->ask = *ask;
    seat->until = end_of_ask(seat, now);
    const WebAsk described = describe_ask(seat);
    seat->asked = web_desk_ask(&seat->desk, &described, now);
    if (seat->away)
        let_bot_decide(seat, now);
    else
        watch_time(seat);
}

static void think_end(void *user, const View *view, Side winner)
{
    WebSeat *seat = user;

    (void)winner;
    seat->view = view;
    unask_seat(seat);
    if (seat->setup.over)
        seat->setup.over(seat->setup.user);
}

const Thinker *web_seat_thinker(void)
{
    static const Thinker thinker = {.begin = think_begin,
                                    .look = think_look,
                                    .ask = think_ask,
                                    .unask = think_unask,
                                    .end = think_end};

    return &thinker;
}

/* ---- interface ---- */

int web_seat_new(Alarms *alarms, const WebSeatSetup *setup, WebSeat **ret_seat, Err *err)
{
    WebSeat *seat = mem_new(sizeof(*seat));

    if (!seat)
        return err_set(err, ERR_MEMORY, "seat: out of memory");
    seat->setup = *setup;
    seat->rng = rng_new(rng_derive_text(setup->seed, STR("pauses")));
    seat->desk.last = setup->asked_before;
    seat->desk.out = (WebDeskOut){on_tell, on_judge, on_take, seat};
    alarm_init(&seat->alarm, alarms, on_alarm, seat);
    alarm_init(&seat->retell, alarms, on_retell, seat);
    seat->bot = mem_new(setup->bot->bytes);
    if (setup->protocol)
        seat->arena = arena_new(LANG_ARENA_BYTES(LANG_BYTES_MAX));
    if (!seat->bot || (setup->protocol && !seat->arena.block)) {
        web_seat_free(seat);
        return err_set(err, ERR_MEMORY, "seat: out of memory");
    }
    *ret_seat = seat;
    return 0;
}

WebSeat *web_seat_free(WebSeat *seat)
{
    if (!seat)
        return NULL;
    alarm_stop(&seat->alarm);
    alarm_stop(&seat->retell);
    web_desk_done(&seat->desk);
    arena_done(&seat->arena);
    mem_free(seat->bot);
    return mem_free(seat);
}

void web_seat_game(WebSeat *seat, Str id)
{
    web_desk_game(&seat->desk, id);
}

void web_seat_set_away(WebSeat *seat, bool away, TimeUs now)
{
    if (away == seat->away)
        return;
    seat->away = away;
    seat->desk.unheeded = 0;
    if (away || !seat->asked || !seat->bot_decides)
        return;
    seat->bot_decides = false; /* somebody is there to answer */
    alarm_stop(&seat->alarm);
    watch_time(seat);
    (void)now;
}

void web_seat_hear(WebSeat *seat, const json_t *message, TimeUs now, Buf *reply)
{
    web_desk_hear(&seat->desk, message, now, reply);
}

void web_seat_greet(const WebSeat *seat, TimeUs now, void (*say)(void *user, Str json), void *user)
{
    web_desk_greet(&seat->desk, now, say, user);
}

uint32_t web_seat_asked(const WebSeat *seat)
{
    return seat->asked;
}
