/* driver_model.c - a language model decides: news go to its seat as facts and lines. */
#include "maw/driver_own.h"

#define SECOND      ((TimeUs)1000 * 1000)
#define MARGIN_US   (SECOND / 2)  /* an answer must come so long before the phase's end */
#define PATIENCE_US (60 * SECOND) /* where nobody tells when that is */

/* ---- asking ---- */

/* The seat counts and records it. What a model that failed has not read is still to be read. */
static void on_decided(void *user, const LlmDecision *decision, LlmSource source, TimeUs now)
{
    MawDriver *driver = user;

    if (source == SOURCE_FALLBACK && driver->heard == HEARD_NOTHING)
        driver->heard = HEARD_LINE;
    driver_decided(driver, decision, now);
}

static void model_decide(MawDriver *driver, TimeUs now)
{
    const MawKnown *known = maw_player_known(driver->player);
    TimeUs deadline = now + PATIENCE_US;
    LlmDecision decision = {.action = LLM_LISTEN};

    if (known->phase_ends != TIME_US_NEVER && known->phase_ends - MARGIN_US < deadline)
        deadline = known->phase_ends - MARGIN_US;
    if (deadline > now &&
        llm_seat_ask(driver->seat, &driver->scene, now, deadline, on_decided, driver, NULL) == 0)
        return;
    llm_fallback(&driver->scene, &decision); /* no time, or no memory, for a question */
    driver_decided(driver, &decision, now);
}

#define OPINION_US (20 * SECOND)

/* It stands in the record, and nowhere else. */
static void on_opined(void *user, const LlmDecision *decision, LlmSource source, TimeUs now)
{
    MawDriver *driver = user;

    (void)now;
    driver->opines = false;
    driver->opined |= source != SOURCE_FALLBACK && decision->action == LLM_VOTE;
}

static void model_opine(MawDriver *driver, TimeUs now)
{
    const MawKnown *known = maw_player_known(driver->player);
    TimeUs deadline = now + OPINION_US;

    if (known->phase_ends != TIME_US_NEVER && known->phase_ends - MARGIN_US < deadline)
        deadline = known->phase_ends - MARGIN_US;
    if (deadline <= now ||
        llm_seat_ask(driver->seat, &driver->scene, now, deadline, on_opined, driver, NULL))
        driver->opines = false; /* no time, or no memory */
}

static void model_cancel(MawDriver *driver)
{
    if (llm_seat_busy(driver->seat))
        llm_seat_cancel(driver->seat);
}

static bool model_busy(const MawDriver *driver)
{
    return llm_seat_busy(driver->seat);
}

/* ---- news ---- */

static void hear_news(MawDriver *driver, bool fact, Buf *line)
{
    if (!buf_failed(line) && line->len)
        llm_seat_hear(driver->seat, buf_str(line), fact);
}

static void hear_points(MawDriver *driver)
{
    const MawKnown *known = maw_player_known(driver->player);
    CLEANUP(buf_done) Buf line = {0};

    if (known->round < 2)
        return;
    buf_add(&line,
            driver->language == LLM_JAPANESE ? STR("これまでの得点: ") : STR("Points so far: "));
    for (uint32_t i = 0; i < known->player_count; i++)
        buf_printf(&line, "%s%.*s %lld", i ? ", " : "", STR_ARG(known->players[i].name),
                   (long long)known->players[i].points);
    hear_news(driver, true, &line);
}

static bool is_japanese(const MawDriver *driver)
{
    return driver->language == LLM_JAPANESE;
}

static void hear_round(MawDriver *driver, Buf *line)
{
    const MawKnown *known = maw_player_known(driver->player);

    if (is_japanese(driver))
        buf_printf(line, "第%u回戦が始まる。あなたは%.*s、役職は%.*s。", known->round,
                   STR_ARG(known->me), STR_ARG(known->role));
    else
        buf_printf(line, "Round %u begins. You are %.*s, role %.*s.", known->round,
                   STR_ARG(known->me), STR_ARG(known->role));
}

static void hear_phase(const MawDriver *driver, Buf *line)
{
    const MawKnown *known = maw_player_known(driver->player);

    if (is_japanese(driver))
        buf_printf(line, "%u日目の%sが始まる。", known->day, known->night ? "夜" : "昼");
    else
        buf_printf(line, "%s %u begins.", known->night ? "Night" : "Day", known->day);
}

static void hear_result(const MawDriver *driver, const MawNews *news, Buf *line)
{
    bool murdered = str_eq(news->text, STR("murdered"));

    if (news->name.len == 0)
        buf_printf(line, "%s", is_japanese(driver) ? "誰も死ななかった。" : "Nobody died.");
    else if (is_japanese(driver))
        buf_printf(line, "%.*sは%s。", STR_ARG(news->name), murdered ? "殺された" : "処刑された");
    else
        buf_printf(line, "%.*s was %s.", STR_ARG(news->name), murdered ? "murdered" : "executed");
}

static void end_round(MawDriver *driver, const MawNews *news, Buf *line)
{
    const MawKnown *known = maw_player_known(driver->player);

    if (is_japanese(driver))
        buf_printf(line, "第%u回戦: あなたは%.*s、勝者は%.*s。", known->round, STR_ARG(known->role),
                   STR_ARG(news->text));
    else
        buf_printf(line, "Round %u: you were %.*s, winners: %.*s.", known->round,
                   STR_ARG(known->role), STR_ARG(news->text));
    if (!buf_failed(line))
        llm_seat_new_round(driver->seat, buf_str(line));
    buf_clear(line);
}

static void hear_line(const MawNews *news, Buf *line)
{
    /* One line each: what a player says must not look like another entry. */
    buf_printf(line, "%.*s%s", STR_ARG(news->name), news->name.len ? ": " : "");
    for (size_t i = 0; i < news->text.len; i++)
        buf_add_char(line, (unsigned char)news->text.bytes[i] < ' ' ? ' ' : news->text.bytes[i]);
}

static void model_news(MawDriver *driver, const MawNews *news, TimeUs now)
{
    CLEANUP(buf_done) Buf line = {0};
    bool fact = news->kind != NEWS_LINE && news->kind != NEWS_SYSTEM && news->kind != NEWS_WHISPER;

    (void)now;
    if (news->kind == NEWS_ROUND || news->kind == NEWS_PHASE) {
        const MawKnown *known = maw_player_known(driver->player);
        llm_seat_phase(driver->seat, known->round, known->phase_no);
    }
    switch (news->kind) {
    case NEWS_LINE:
        if (!news->mine) /* its own words stand in its answers */
            hear_line(news, &line);
        break;
    case NEWS_SYSTEM:
        hear_line(news, &line);
        break;
    case NEWS_WHISPER:
        buf_printf(&line, "%s", is_japanese(driver) ? "(囁き) " : "(whispered) ");
        hear_line(news, &line);
        break;
    case NEWS_ROUND:
        llm_seat_forget_news(driver->seat); /* what was said after the last one */
        hear_points(driver);
        hear_round(driver, &line);
        break;
    case NEWS_PHASE:
        hear_phase(driver, &line);
        break;
    case NEWS_RESULT:
        hear_result(driver, news, &line);
        break;
    case NEWS_ROLE_ANSWER:
        hear_line(news, &line);
        break;
    case NEWS_ROUND_END:
        end_round(driver, news, &line);
        break;
    case NEWS_REFUSED:
        llm_seat_refused(driver->seat, news->text.len ? news->text : news->name);
        break;
    case NEWS_JOINED:
    case NEWS_LOBBY:
    case NEWS_TALLY:
    case NEWS_DIED:
    case NEWS_SCORES:
    case NEWS_ABSENT:
    case NEWS_LINKED:
    case NEWS_OVER:
        break;
    }
    hear_news(driver, fact, &line);
}

int maw_model_driver_new(LlmSeat *seat, LlmLanguage language, const MawPace *pace, uint64_t seed,
                         MawDriver **ret, Err *err)
{
    static const DriverKind kind = {
        .decide = model_decide,
        .news = model_news,
        .cancel = model_cancel,
        .busy = model_busy,
        .opine = model_opine,
        .costly = true,
    };
    int rc = driver_new(&kind, pace, seed, ret, err);

    if (rc)
        return rc;
    (*ret)->seat = seat;
    (*ret)->language = language;
    return 0;
}
