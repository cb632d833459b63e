/* seat_news.c - what a model player has heard and no model has read yet. */
#include "llm/seat_state.h"

Str llm_seat_cut(Str text, size_t bytes)
{
    Str part = str_part(text, 0, bytes);

    while (part.len < text.len && part.len && ((unsigned char)text.bytes[part.len] & 0xC0) == 0x80)
        part.len--;
    return part;
}

/* The oldest talk goes, else the oldest fact. */
static void drop_news(LlmSeat *seat)
{
    uint32_t at = 0;

    while (at < seat->news_count && seat->news[at].fact)
        at++;
    if (at == seat->news_count)
        at = 0;
    buf_done(&seat->news[at].text);
    memmove(seat->news + at, seat->news + at + 1,
            (seat->news_count - at - 1) * sizeof(seat->news[0]));
    seat->news_count--;
    seat->news[seat->news_count] = (NewsLine){0};
    if (at < seat->question.news_count)
        seat->question.news_count--;
}

/* Others' words are data: one line each, whatever they hold. */
void llm_seat_hear(LlmSeat *seat, Str line, bool fact)
{
    if (seat->news_count == NEWS_MAX)
        drop_news(seat);
    NewsLine *news = &seat->news[seat->news_count++];

    news->fact = fact;
    buf_add(&news->text, llm_seat_cut(line, NEWS_BYTES));
    for (size_t i = 0; i < news->text.len; i++)
        if ((unsigned char)news->text.bytes[i] < ' ')
            news->text.bytes[i] = ' ';
}

bool llm_seat_has_news(const LlmSeat *seat)
{
    return seat->news_count > 0;
}

void llm_seat_write_news(const LlmSeat *seat, uint32_t first, Buf *out)
{
    for (uint32_t i = first; i < seat->question.news_count; i++)
        buf_printf(out, "%s%s", i > first ? "\n" : "", buf_cstr(&seat->news[i].text));
}

void llm_seat_forget_read(LlmSeat *seat)
{
    uint32_t count = seat->question.news_count;

    for (uint32_t i = 0; i < count; i++)
        buf_done(&seat->news[i].text);
    memmove(seat->news, seat->news + count, (seat->news_count - count) * sizeof(seat->news[0]));
    memset(seat->news + seat->news_count - count, 0, count * sizeof(seat->news[0]));
    seat->news_count -= count;
    seat->question.news_count = 0;
}
