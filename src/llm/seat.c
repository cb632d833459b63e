/*   closed --llm_seat_ask--> asked --a good answer------------------------> decided (MODEL)
 *                              |  \--a bad one--> asked once more --good--> decided (REPAIRED)
 *                              |  \--too long --> asked once more, shortened
 *                              +--no answer, two bad ones, `latest`-------> decided (FALLBACK)
 *   without an endpoint: after a pause ---------------------------------> decided (DEMO)
 *
 * `decide` ends every question, and calls its owner last of all: who may ask again and free the
 * seat.
 */
#include "llm/seat.h"

#include "llm/guide.h"
#include "llm/scene_copy.h"
#include "llm/seat_state.h"

#define HEARD_BYTES_MAX 65536
#define LONGEST_US      60000000 /* a question without a deadline */
#define RESERVE_MAX_US  2000000  /* so long before the deadline a rule decides */
#define DEMO_MIN_MS     200
#define DEMO_MAX_MS     1200

/* ---- texts of a question ---- */

#define ANSWER_TEXTS 9

/* Those that answers leave behind. */
static Buf *answer_text(Question *question, size_t which)
{
    Buf *const texts[ANSWER_TEXTS] = {&question->raw,          &question->why,
                                      &question->reasoning,    &question->finish,
                                      &question->line,         &question->first.answer,
                                      &question->first.finish, &question->first.reasoning,
                                      &question->first.wrong};

    return texts[which];
}

static void keep_text(Str text, Buf *kept)
{
    buf_clear(kept);
    buf_add(kept, text);
}

/* ---- the end of a question ---- */

/* What was sent and has no answer counts, too: now, or when the answers were kept. */
static uint32_t count_unanswered(const LlmSeat *seat)
{
    const Question *question = &seat->question;
    const uint32_t sent = llm_call_sent(question->call);

    if (!question->open || !seat->endpoint || !seat->answers)
        return sent;
    if (llm_answers_are_given(seat->answers))
        return llm_answers_take_unanswered(seat->answers, question->number);
    if (sent)
        llm_answers_add_unanswered(seat->answers, question->number, sent);
    return sent;
}

static void close_question(LlmSeat *seat)
{
    Question *question = &seat->question;

    seat->figures.sent += count_unanswered(seat);
    llm_call_cancel(question->call);
    question->call = NULL;
    question->open = false;
    alarm_stop(&seat->alarm);
}

static void keep_said(LlmSeat *seat, Str line)
{
    if (seat->said_count == SAID_MAX) {
        Buf oldest = seat->said[0];
        memmove(seat->said, seat->said + 1, (SAID_MAX - 1) * sizeof(seat->said[0]));
        seat->said[SAID_MAX - 1] = oldest;
    } else {
        seat->said_count++;
    }
    buf_clear(&seat->said[seat->said_count - 1]);
    buf_add(&seat->said[seat->said_count - 1], line);
}

/* What a filter has to say of a text; NULL: nothing. */
static const char *filter_finds(const LlmSeat *seat, Str text, bool is_line)
{
    const Question *question = &seat->question;
    Str earlier[SAID_MAX];

    for (uint32_t i = 0; i < seat->said_count; i++)
        earlier[i] = buf_str(&seat->said[i]);
    if (llm_leaks(text, buf_str(&question->guide), &question->scene) ||
        llm_leaks(text, buf_str(&question->now), &question->scene))
        return "leak";
    return is_line && llm_repeats(text, earlier, seat->said_count) ? "repeat" : NULL;
}

/* Whether a text is held back. */
static bool filter_text(LlmSeat *seat, const char *text, bool is_line)
{
    Question *question = &seat->question;
    const char *found = text[0] ? filter_finds(seat, str_of(text), is_line) : NULL;

    if (!found)
        return false;
    seat->figures.leaks += strcmp(found, "leak") == 0;
    if (seat->filters == FILTERS_TELL) {
        question->flagged = found;
        return false;
    }
    question->suppressed = found;
    keep_text(str_of(text), &question->line);
    return true;
}

/* What must not be said is not: it becomes listening, and a vote goes unexplained. */
static void hold_back(LlmSeat *seat, LlmDecision *decision)
{
    bool on = seat->filters != FILTERS_OFF;

    if (on && filter_text(seat, decision->reason, false))
        decision->reason[0] = '\0';
    if (decision->action != LLM_SPEAK)
        return;
    if (!on || !filter_text(seat, decision->message, true)) {
        keep_said(seat, str_of(decision->message));
        return;
    }
    seat->figures.suppressed++;
    decision->action = LLM_LISTEN;
    decision->message[0] = '\0';
}

/* It remembers what it wanted to say, and next time it reads why nobody heard it. */
static void remember_decision(LlmSeat *seat, const LlmDecision *meant, TimeUs now, Err *err)
{
    Str why = {0};

    if (seat->question.suppressed)
        why = llm_guide_held_back(&seat->question.scene, meant->action == LLM_SPEAK,
                                  str_of(seat->question.suppressed));
    llm_seat_remember(seat, meant, now, err);
    if (why.len && seat->endpoint)
        llm_seat_hear(seat, why, false);
}

/* Whether the question is one of which nobody learns, itself included: it counts as no decision. */
static bool is_aside(const LlmSeat *seat)
{
    return seat->question.scene.task == TASK_OPINION;
}

static void seat_decides(LlmSeat *seat, LlmDecision *decision, LlmSource source, TimeUs now)
{
    Question *question = &seat->question;
    const LlmDecision meant = *decision;
    Err err = {0};

    if (is_aside(seat)) { /* one that is given up was none */
        seat->figures.requests += question->requests;
    } else {
        hold_back(seat, decision);
        llm_seat_count(seat, decision, source);
    }
    if (source != SOURCE_FALLBACK && !is_aside(seat))
        remember_decision(seat, &meant, now, &err);
    llm_seat_record(seat, decision, source, str_of(err.msg), now);
    close_question(seat);
    decision->thought[0] = '\0'; /* it has been recorded; nobody else gets it */
    question->decided(question->user, decision, source, now); /* the seat may be gone now */
}

static void fall_back(LlmSeat *seat, TimeUs now)
{
    LlmDecision decision = {0};

    if (!is_aside(seat)) /* no rule has an opinion in its place */
        llm_fallback(&seat->question.scene, &decision);
    seat_decides(seat, &decision, SOURCE_FALLBACK, now);
}

/* ---- answers ---- */

static void on_answer(void *user, const LlmAnswer *answer, TimeUs now);

/* Its answers are those of another time. */
static bool is_replayed(const LlmSeat *seat)
{
    return seat->endpoint && seat->answers && llm_answers_are_given(seat->answers);
}

/* What was cancelled then is cancelled again, or comes to its end. */
static void wait_for_replay(LlmSeat *seat)
{
    if (llm_answers_has(seat->answers, seat->question.number))
        alarm_soon(&seat->alarm);
    else
        alarm_at(&seat->alarm, seat->question.latest, true);
}

static bool send_request(LlmSeat *seat, TimeUs now)
{
    Question *question = &seat->question;
    LlmAsk ask = {.messages = buf_str(&question->messages),
                  .schema = buf_str(&question->schema),
                  .stable = question->stable,
                  .urgent = question->scene.task >= TASK_VOTE && !is_aside(seat),
                  .spare = is_aside(seat),
                  .deadline = question->latest};
    Err err = {0};

    if (!is_replayed(seat) &&
        llm_ask(seat->endpoint, &ask, on_answer, seat, &question->call, &err)) {
        buf_add(&question->why, str_of(err.msg));
        return false;
    }
    if (seat->prompts)
        question->prompt = prompt_log_add(seat->prompts, buf_str(&question->messages),
                                          seat->unix_ms_at_zero + now / 1000);
    question->requests++;
    seat->figures.requests += !is_aside(seat);
    if (is_replayed(seat))
        wait_for_replay(seat);
    return true;
}

static bool is_choice(LlmTask task)
{
    return task >= TASK_VOTE;
}

/* Reads what the model said; what is wrong stands in `wrong`. */
static int read_decision(LlmSeat *seat, LlmDecision *decision, Err *wrong)
{
    Question *question = &seat->question;
    int rc = llm_decision_read(buf_str(&question->raw), &question->scene, decision, wrong);

    if (rc == 0 && is_choice(question->scene.task) && decision->action != LLM_VOTE &&
        question->scene.target_count)
        rc = err_set(wrong, ERR_RULE, "now a vote is wanted, with a target");
    uint32_t percent;
    if (rc == 0 && is_aside(seat) && !llm_percent(str_of(decision->reason), &percent))
        rc = err_set(wrong, ERR_RULE, "the reason has no number from 0 to 100");
    if (rc == 0 && seat->check)
        rc = seat->check(seat->check_user, &question->scene, decision, wrong);
    return rc;
}

/* For the record: the one that is asked for again. */
static void keep_bad_answer(Question *question)
{
    keep_text(buf_str(&question->raw), &question->first.answer);
    keep_text(buf_str(&question->reasoning), &question->first.reasoning);
    keep_text(buf_str(&question->finish), &question->first.finish);
    keep_text(buf_str(&question->why), &question->first.wrong);
    question->first.latency = question->latency;
}

static void take_text(LlmSeat *seat, TimeUs now)
{
    Question *question = &seat->question;
    LlmDecision decision = {0};
    Err wrong = {0};

    if (read_decision(seat, &decision, &wrong) == 0) {
        seat_decides(seat, &decision, question->repaired ? SOURCE_REPAIRED : SOURCE_MODEL, now);
        return;
    }
    keep_text(str_of(wrong.msg), &question->why);
    if (question->repaired || is_aside(seat)) {
        fall_back(seat, now);
        return;
    }
    question->repaired = true;
    keep_bad_answer(question);
    seat->figures.repairs++;
    if (!llm_seat_write_repair(seat, &wrong) || !send_request(seat, now))
        fall_back(seat, now);
}

static void count_answer(LlmSeat *seat, const LlmAnswer *answer)
{
    Question *question = &seat->question;

    question->outcome = answer->outcome;
    question->retries += answer->retries;
    seat->figures.retries += answer->retries;
    seat->figures.sent += answer->sent;
    llm_seat_count_tokens(seat, answer);
    keep_text(answer->why, &question->why);
    if (answer->model.len && !str_eq(answer->model, buf_str(&seat->served))) {
        keep_text(answer->model, &seat->served);
        question->named = true;
    }
    keep_text(answer->reasoning, &question->reasoning);
    keep_text(answer->finish, &question->finish);
    if (answer->outcome != LLM_ANSWERED)
        return;
    question->latency += answer->latency;
    durations_add(&seat->latencies, (uint64_t)answer->latency);
    keep_text(answer->text, &question->raw);
    if (!question->repaired && !is_aside(seat) && llm_seat_believes(seat, answer->prompt_tokens))
        llm_context_counted(seat->context, answer->prompt_tokens);
}

static void take_answer(LlmSeat *seat, const LlmAnswer *answer, TimeUs now)
{
    Question *question = &seat->question;

    question->call = NULL;
    count_answer(seat, answer);
    if (answer->outcome == LLM_ANSWERED && !buf_failed(&question->raw)) {
        take_text(seat, now);
        return;
    }
    if (answer->outcome == LLM_TOO_LONG && !question->shortened && !question->repaired &&
        !is_aside(seat)) {
        question->shortened = true;
        if (llm_seat_write_shorter(seat) && send_request(seat, now))
            return;
    }
    fall_back(seat, now);
}

/* Before anything comes of it. */
static void note_move(LlmSeat *seat, const LlmAnswer *answer, TimeUs now)
{
    if (seat->moves)
        seat->moves(seat->moves_user, now);
    if (seat->endpoint && seat->answers && !is_replayed(seat))
        llm_answers_add(seat->answers, seat->question.number,
                        str_of(llm_seat_task_name(seat->question.scene.task)), answer);
}

static void on_answer(void *user, const LlmAnswer *answer, TimeUs now)
{
    note_move(user, answer, now);
    take_answer(user, answer, now);
}

static void end_time(LlmSeat *seat, TimeUs now)
{
    if (!seat->question.why.len)
        buf_add(&seat->question.why, STR("no decision in time"));
    if (seat->question.call || is_replayed(seat))
        seat->question.outcome = LLM_UNREACHABLE;
    fall_back(seat, now);
}

/* One that does not fit is told by who has the answers: the game goes on by rules. */
static void replay_answer(LlmSeat *seat, TimeUs now)
{
    const LlmAnswer *answer = NULL;
    Err err = {0};
    int rc = llm_answers_take(seat->answers, seat->question.number,
                              str_of(llm_seat_task_name(seat->question.scene.task)), &answer, &err);

    if (rc)
        keep_text(str_of(err.msg), &seat->question.why);
    if (answer)
        take_answer(seat, answer, now);
    else
        end_time(seat, now);
}

/* The demo model has no context; claims of the round are what it has to remember. */
static void demo_decides(LlmSeat *seat, LlmDecision *ret)
{
    CLEANUP(buf_done) Buf news = {0};

    llm_seat_write_news(seat, 0, &news);
    if (seat->heard.len > HEARD_BYTES_MAX)
        buf_clear(&seat->heard);
    buf_add(&seat->heard, buf_str(&news));
    buf_add(&seat->heard, STR("\n"));
    llm_demo(&seat->question.scene, buf_str(&seat->heard), buf_str(&news), ret);
}

/* The demo model has thought long enough, or the time is over. */
static void on_alarm(void *user, TimeUs now)
{
    LlmSeat *seat = user;
    LlmDecision decision = {0};

    note_move(seat, NULL, now);
    if (is_replayed(seat)) {
        replay_answer(seat, now);
        return;
    }
    if (seat->endpoint) {
        end_time(seat, now);
        return;
    }
    demo_decides(seat, &decision);
    seat_decides(seat, &decision, SOURCE_DEMO, now);
}

/* ---- questions ---- */

static void reset_question(Question *question)
{
    question->repaired = question->shortened = question->named = false;
    question->requests = question->retries = 0;
    question->prompt = PROMPT_NONE;
    question->tokens = (LlmTokens){0};
    question->latency = question->first.latency = 0;
    question->outcome = LLM_ANSWERED;
    question->suppressed = question->flagged = NULL;
    buf_clear(&question->guide);
    buf_clear(&question->now);
    buf_clear(&question->messages);
    for (size_t i = 0; i < ANSWER_TEXTS; i++)
        buf_clear(answer_text(question, i));
}

/* What nobody learns of takes none of the seat's chance, so that the game goes as without it. */
static TimeUs demo_pause(LlmSeat *seat)
{
    return is_aside(seat)
               ? 0
               : (TimeUs)(DEMO_MIN_MS + rng_below(&seat->rng, DEMO_MAX_MS - DEMO_MIN_MS)) * 1000;
}

static void begin_demo(LlmSeat *seat, TimeUs now)
{
    TimeUs pause = demo_pause(seat);
    TimeUs half = (seat->question.latest - now) / 2;

    /* for the leak guard, as with a model */
    llm_guide_write(&seat->question.scene, &seat->question.guide);
    llm_guide_now(&seat->question.scene, &seat->question.now);
    alarm_at(&seat->alarm, now + (pause < half ? pause : half), false);
}

uint32_t llm_seat_number(LlmSeat *seat)
{
    return ++seat->asked_count;
}

static int ask_question(LlmSeat *seat, uint32_t number, const LlmScene *scene, TimeUs now,
                        TimeUs deadline, LlmDecided *decided, void *user, Err *err)
{
    Question *question = &seat->question;

    llm_seat_cancel(seat);
    reset_question(question);
    int rc = llm_scene_copy(scene, &question->scene_bytes, &question->scene, err);
    if (rc)
        return rc;
    if (!question->scene.persona.len)
        question->scene.persona = buf_str(&seat->persona);
    if (deadline > now + LONGEST_US)
        deadline = now + LONGEST_US;
    TimeUs reserve = (deadline - now) / 10;
    if (reserve > RESERVE_MAX_US)
        reserve = RESERVE_MAX_US;
    question->latest = reserve > 0 ? deadline - reserve : now;
    question->number = number;
    question->asked = now;
    question->decided = decided;
    question->user = user;
    question->news_count = seat->news_count;
    question->open = true;
    if (!seat->endpoint)
        begin_demo(seat, now);
    else if (llm_seat_write_request(seat) && send_request(seat, now))
        /* the endpoint's own deadline comes first, so that it learns of a server that hangs */
        alarm_at(&seat->alarm, question->latest + reserve / 2, true);
    else
        alarm_soon(&seat->alarm); /* not from inside */
    return 0;
}

int llm_seat_ask(LlmSeat *seat, const LlmScene *scene, TimeUs now, TimeUs deadline,
                 LlmDecided *decided, void *user, Err *err)
{
    return ask_question(seat, llm_seat_number(seat), scene, now, deadline, decided, user, err);
}

int llm_seat_ask_opinion(LlmSeat *seat, uint32_t number, const LlmScene *scene, TimeUs now,
                         TimeUs deadline, LlmDecided *decided, void *user, Err *err)
{
    if (is_replayed(seat) && !llm_answers_has_for(seat->answers, number))
        return 0; /* then it was given up, or not asked */
    int rc = ask_question(seat, number, scene, now, deadline, decided, user, err);
    if (rc == 0 && (!seat->endpoint || is_replayed(seat)))
        llm_seat_move(seat, now);
    return rc;
}

void llm_seat_cancel(LlmSeat *seat)
{
    close_question(seat);
}

void llm_seat_move(LlmSeat *seat, TimeUs now)
{
    if (seat->question.open)
        on_alarm(seat, now);
}

bool llm_seat_busy(const LlmSeat *seat)
{
    return seat->question.open;
}

/* ---- what it hears ---- */

void llm_seat_refused(LlmSeat *seat, Str why)
{
    CLEANUP(buf_done) Buf line = {0};

    seat->figures.refused++;
    buf_printf(&line, "System: %.*s", STR_ARG(why));
    llm_seat_hear(seat, buf_str(&line), false);
}

void llm_seat_forget_news(LlmSeat *seat)
{
    llm_seat_cancel(seat);
    seat->question.news_count = seat->news_count;
    llm_seat_forget_read(seat);
}

void llm_seat_new_round(LlmSeat *seat, Str past)
{
    llm_seat_forget_news(seat);
    buf_clear(&seat->heard);
    seat->said_count = 0;
    llm_context_new_round(seat->context, past, NULL); /* without memory: one line less is known */
}

void llm_seat_phase(LlmSeat *seat, uint32_t round, uint32_t phase_no)
{
    seat->round = round;
    seat->phase_no = phase_no;
}

LlmContext *llm_seat_context(LlmSeat *seat)
{
    return seat->context;
}

/* ---- life ---- */

int llm_seat_new(Alarms *alarms, const LlmSeatSetup *setup, LlmSeat **ret_seat, Err *err)
{
    LlmSeat *seat = mem_new(sizeof(*seat));

    if (!seat)
        return err_set(err, ERR_MEMORY, "a model player: out of memory");
    alarm_init(&seat->alarm, alarms, on_alarm, seat);
    seat->endpoint = setup->endpoint;
    seat->unix_ms_at_zero = setup->unix_ms_at_zero;
    seat->filters = setup->filters;
    seat->window = setup->window;
    seat->rng = rng_new(setup->seed);
    seat->record = setup->record;
    seat->user = setup->user;
    seat->prompts = setup->prompts;
    seat->answers = setup->answers;
    seat->moves = setup->moves;
    seat->moves_user = setup->moves_user;
    seat->check = setup->check;
    seat->check_user = setup->check_user;
    buf_add(&seat->persona, setup->persona);
    int rc = buf_failed(&seat->persona) ? err_set(err, ERR_MEMORY, "a model player: out of memory")
                                        : llm_context_new(&seat->context, err);
    if (rc) {
        llm_seat_free(seat);
        return rc;
    }
    *ret_seat = seat;
    return 0;
}

LlmSeat *llm_seat_free(LlmSeat *seat)
{
    if (!seat)
        return NULL;
    Question *question = &seat->question;
    Buf *const buffers[] = {&seat->persona,         &seat->heard,       &seat->served,
                            &question->scene_bytes, &question->guide,   &question->now,
                            &question->schema,      &question->messages};

    llm_call_cancel(question->call);
    alarm_stop(&seat->alarm);
    llm_context_free(seat->context);
    for (size_t i = 0; i < sizeof(buffers) / sizeof(buffers[0]); i++)
        buf_done(buffers[i]);
    for (size_t i = 0; i < ANSWER_TEXTS; i++)
        buf_done(answer_text(question, i));
    for (uint32_t i = 0; i < seat->news_count; i++)
        buf_done(&seat->news[i].text);
    for (size_t i = 0; i < SAID_MAX; i++)
        buf_done(&seat->said[i]);
    return mem_free(seat);
}
