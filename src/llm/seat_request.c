#include "llm/seat_state.h"

#include "base/json.h"
#include "llm/endpoint_text.h"
#include "llm/guide.h"

#define WINDOW_TOKENS 8192 /* of a model of which nobody tells */
#define REPAIR_BYTES  1500 /* of a bad answer that is quoted */

/* ---- sizes ---- */

/* As llm_context_tokens estimates it. */
static uint32_t tokens_of(Str text)
{
    size_t latin = 0;

    for (size_t i = 0; i < text.len; i++)
        latin += (unsigned char)text.bytes[i] < 0x80;
    return (uint32_t)(latin / 4 + (text.len - latin) / 3) + 4;
}

/* The server may tell the model's window at any time. */
static uint32_t window_of(const LlmSeat *seat)
{
    uint32_t told = seat->window ? seat->window : llm_endpoint_window(seat->endpoint);

    return told ? told : WINDOW_TOKENS;
}

/* What a request may take: the window without the answer, and a tenth for the estimate's error. */
static uint32_t budget_of(const LlmSeat *seat)
{
    uint32_t window = window_of(seat), answer = llm_endpoint_answer_tokens(seat->endpoint);

    if (answer > window / 2) /* who thinks long reads something too */
        answer = window / 2;
    return window - answer - window / 10;
}

/* ---- news ---- */

/* The first line from which on they take at most `tokens`; the last one is always among them. */
static uint32_t first_that_fits(const LlmSeat *seat, uint32_t tokens)
{
    uint32_t first = seat->question.news_count, sum = 0;

    while (first > 0) {
        sum += tokens_of(buf_str(&seat->news[first - 1].text));
        if (sum > tokens && first < seat->question.news_count)
            break;
        first--;
    }
    return first;
}

/* ---- what stands in for what goes ---- */

/* Who is dead, and of what: the facts that a reader of the talk would have known. */
static void write_summary(const LlmScene *scene, Buf *out)
{
    bool japanese = scene->language == LLM_JAPANESE;

    for (uint32_t i = 0; i < scene->seat_count; i++) {
        const LlmSeatSeen *seat = &scene->seats[i];
        if (seat->alive)
            continue;
        const char *between = japanese ? "、" : ", ";
        buf_printf(out, "%s%.*s", out->len ? between : "", STR_ARG(seat->name));
        if (seat->cause.len)
            buf_printf(out, " (%.*s)", STR_ARG(seat->cause));
    }
}

/* ---- requests ---- */

/* The messages with so many tokens of news, and at most so many of context; the newest stay. What
 * is cut is cut deep: a server must read all that is behind it anew. */
static bool write_messages(LlmSeat *seat, const Buf *news, uint32_t context_tokens)
{
    Question *question = &seat->question;
    CLEANUP(buf_done) Buf summary = {0};

    if (llm_context_tokens(seat->context) > context_tokens) {
        write_summary(&question->scene, &summary);
        llm_context_truncate(seat->context, context_tokens / 2, buf_str(&summary));
    }
    buf_clear(&question->messages);
    question->stable = llm_context_write(seat->context, buf_str(&question->guide), buf_str(news),
                                         buf_str(&question->now), &question->messages) -
                       1;
    return !buf_failed(&question->messages) && !buf_failed(news);
}

static uint32_t less_tokens(uint32_t tokens, uint32_t taken)
{
    return tokens > taken ? tokens - taken : 0;
}

/* The scene with all that may be decided in a round: what is allowed now stands in the state, and
 * an answer is held against it. */
static void widen_scene(const LlmScene *scene, LlmScene *ret)
{
    *ret = *scene;
    ret->task = TASK_ROOM;
    ret->seed = 0;
    ret->max_chars = scene->maw ? scene->max_chars : 0;
    ret->target_count = 0;
    for (uint32_t i = 0; i < scene->seat_count; i++)
        if (!str_eq(scene->seats[i].name, scene->me))
            ret->targets[ret->target_count++] = scene->seats[i].name;
}

static void write_schema(LlmSeat *seat)
{
    LlmSchemaMode mode = llm_endpoint_strict(seat->endpoint) ? SCHEMA_STRICT : SCHEMA_LAX;
    const LlmScene *scene = &seat->question.scene;
    LlmScene wide;

    if (llm_endpoint_reads_schema(seat->endpoint)) {
        widen_scene(scene, &wide);
        scene = &wide;
    }
    buf_clear(&seat->question.schema);
    llm_schema_write(scene, mode, &seat->question.schema);
}

/* Guide, state and schema. */
static bool write_frame(LlmSeat *seat)
{
    Question *question = &seat->question;

    buf_clear(&question->guide);
    buf_clear(&question->now);
    llm_guide_write(&question->scene, &question->guide);
    llm_guide_now(&question->scene, &question->now);
    write_schema(seat);
    return !buf_failed(&question->guide) && !buf_failed(&question->now) &&
           !buf_failed(&question->schema);
}

/* Who is asked though nothing has happened is told so: what stands behind an answer is no answer.
 */
static void hear_the_question(LlmSeat *seat)
{
    if (seat->question.news_count)
        return;
    llm_seat_hear(seat, llm_guide_asked(&seat->question.scene), false);
    seat->question.news_count = seat->news_count;
}

bool llm_seat_write_request(LlmSeat *seat)
{
    Question *question = &seat->question;
    CLEANUP(buf_done) Buf news = {0};

    const bool aside = question->scene.task == TASK_OPINION; /* of which nothing stays */
    if (!aside)
        hear_the_question(seat);
    if (!write_frame(seat))
        return false;
    uint32_t left = less_tokens(budget_of(seat), tokens_of(buf_str(&question->guide)) +
                                                     tokens_of(buf_str(&question->now)) +
                                                     tokens_of(buf_str(&question->schema)));
    llm_seat_write_news(seat, first_that_fits(seat, left), &news);
    left = less_tokens(left, tokens_of(buf_str(&news)));
    if (aside && llm_context_tokens(seat->context) > left) {
        buf_add(&question->why, STR("not asked: the context is full, and its next decision is to "
                                    "shorten it"));
        return false;
    }
    return write_messages(seat, &news, left);
}

/* Half of the news and of the context: the estimate was far off. */
bool llm_seat_write_shorter(LlmSeat *seat)
{
    Question *question = &seat->question;
    CLEANUP(buf_done) Buf all = {0};
    CLEANUP(buf_done) Buf news = {0};
    size_t before = question->messages.len;

    llm_seat_write_news(seat, 0, &all);
    llm_seat_write_news(seat, first_that_fits(seat, tokens_of(buf_str(&all)) / 2), &news);
    return write_messages(seat, &news, llm_context_tokens(seat->context) / 2) &&
           question->messages.len < before;
}

/* Servers that keep what they have read count only what is new to them, or so it seems. */
bool llm_seat_believes(const LlmSeat *seat, uint32_t prompt_tokens)
{
    return prompt_tokens >= tokens_of(buf_str(&seat->question.messages)) / 2;
}

static void write_wrong(const LlmScene *scene, const Err *wrong, Buf *out)
{
    bool japanese = scene->language == LLM_JAPANESE;

    buf_add(out, japanese ? STR("この回答は使えない: ") : STR("This answer can't be used: "));
    buf_add(out, str_of(wrong->msg));
    if (scene->target_count) {
        buf_add(out, japanese ? STR("。targetに使える値: ") : STR(". Allowed values of target: "));
        for (uint32_t i = 0; i < scene->target_count; i++) {
            buf_add(out, i ? STR(", ") : STR(""));
            buf_add(out, scene->targets[i]);
        }
    }
    buf_add(out, japanese ? STR("。指定の形式のJSONオブジェクトを一つだけ、もう一度答えよ。")
                          : STR(". Answer again, with one JSON object of the given form and "
                                "nothing else."));
}

bool llm_seat_write_repair(LlmSeat *seat, const Err *wrong)
{
    Question *question = &seat->question;
    CLEANUP(buf_done) Buf text = {0};
    CLEANUP(buf_done) Buf all = {0};
    Json json = json_over(&all);

    if (question->messages.len < 2) /* at least "[]" */
        return false;
    write_wrong(&question->scene, wrong, &text);
    buf_add(&all, str_part(buf_str(&question->messages), 0, question->messages.len - 1));
    buf_add(&all, STR(","));
    llm_entry_write(&json, STR("assistant"), llm_seat_cut(buf_str(&question->raw), REPAIR_BYTES));
    buf_add(&all, STR(","));
    llm_entry_write(&json, STR("user"), buf_str(&text));
    buf_add(&all, STR("]"));
    buf_clear(&question->messages);
    buf_add(&question->messages, buf_str(&all));
    return !buf_failed(&text) && !buf_failed(&all) && !buf_failed(&question->messages);
}

/* ---- memory ---- */

static int remember_entry(LlmSeat *seat, LlmRole role, bool fact, const Buf *text, TimeUs now,
                          Err *err)
{
    if (buf_failed(text))
        return err_set(err, ERR_MEMORY, "a model's context: out of memory");
    return llm_context_add(seat->context, role, fact ? ENTRY_FACT : ENTRY_TALK, buf_str(text),
                           seat->round, seat->phase_no, seat->unix_ms_at_zero + now / 1000, err);
}

/* One entry for lines of one kind in a row: talk can go without the facts between it. */
static int remember_news(LlmSeat *seat, TimeUs now, Err *err)
{
    CLEANUP(buf_done) Buf text = {0};
    int rc = 0;

    for (uint32_t i = 0; i < seat->question.news_count && rc == 0; i++) {
        const NewsLine *line = &seat->news[i];
        bool last = i + 1 == seat->question.news_count || seat->news[i + 1].fact != line->fact;
        buf_printf(&text, "%s%s", text.len ? "\n" : "", buf_cstr(&line->text));
        if (!last)
            continue;
        rc = remember_entry(seat, LLM_USER, line->fact, &text, now, err);
        buf_clear(&text);
    }
    return rc;
}

/* What it decided, in the form that it is to answer in. */
static void write_decision(const LlmDecision *decision, Buf *out)
{
    static const char *const actions[] = {"listen", "speak", "vote"};
    const struct {
        const char *name;
        const char *text;
    } parts[] = {{"thought", decision->thought},
                 {"action", actions[decision->action]},
                 {"message", decision->message},
                 {"target", decision->target},
                 {"reason", decision->reason}};
    Json json = json_over(out);

    json_open(&json, '{');
    for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
        if (!parts[i].text[0])
            continue;
        json_key(&json, str_of(parts[i].name));
        json_put_str(&json, str_of(parts[i].text));
    }
    json_close(&json);
}

int llm_seat_remember(LlmSeat *seat, const LlmDecision *decision, TimeUs now, Err *err)
{
    CLEANUP(buf_done) Buf text = {0};
    bool is_fact = decision->action == LLM_VOTE && seat->question.scene.task != TASK_BID;
    int rc = remember_news(seat, now, err);

    write_decision(decision, &text);
    if (rc == 0)
        rc = remember_entry(seat, LLM_ASSISTANT, is_fact, &text, now, err);
    llm_seat_forget_read(seat);
    return rc;
}
