/* seat_state.h - the inside of an LlmSeat, for the files that make it up.
 *
 * For:    seat.c (questions and answers), seat_news.c (what it hears), seat_request.c (what a model
 *         is sent), seat_figures.c, seat_about.c. Nobody else.
 * Memory: see seat.h.
 * Thread: see seat.h.
 * Source: docs/spec/maw.md 5.
 */
#ifndef WARG_LLM_SEAT_STATE_H
#define WARG_LLM_SEAT_STATE_H

#include "base/durations.h"
#include "base/rng.h"
#include "llm/seat.h"

#define NEWS_MAX   256  /* lines kept for a model that does not answer */
#define NEWS_BYTES 2000 /* of one */
#define SAID_MAX   5    /* own lines that must not come again */

/* A line since the last decision. */
typedef struct NewsLine {
    Buf text;
    bool fact;
} NewsLine;

/* An answer that was no decision. */
typedef struct BadAnswer {
    Buf answer, reasoning, finish;
    Buf wrong; /* why, as the model was told; empty: there was none */
    TimeUs latency;
} BadAnswer;

/* The question that is open, and what became of it so far. */
typedef struct Question {
    bool open;
    bool repaired;
    bool shortened;
    uint32_t number;
    LlmScene scene;
    Buf scene_bytes;
    TimeUs asked;
    TimeUs latest; /* the rule decides then */
    LlmCall *call;
    uint32_t news_count; /* the first so many lines are in the request */
    Buf guide;           /* what stays for a round */
    Buf now;             /* what is told anew each time */
    uint32_t stable;     /* so many messages stay */
    Buf schema;
    Buf messages;
    Buf raw; /* what the model said last */
    LlmDecided *decided;
    void *user;
    /* for the record */
    uint32_t requests, retries;
    int64_t prompt; /* number of the last request; PROMPT_NONE = not kept */
    LlmTokens tokens;
    TimeUs latency;
    LlmOutcome outcome;
    Buf why;
    bool named;            /* the last answer was the first one of this model, as servers call it */
    Buf reasoning, finish; /* of the last answer, as the server told it */
    BadAnswer first;       /* what a repaired decision came from */
    Buf line;              /* as it was, before a filter changed or suppressed it */
    const char *suppressed; /* "leak", "repeat", or NULL */
    const char *flagged;    /* likewise, where it is only told */
} Question;

struct LlmSeat {
    LlmEndpoint *endpoint;
    LlmContext *context;
    Buf persona;
    LlmFilters filters;
    uint32_t window; /* 0: the endpoint's */
    Rng rng;
    Alarm alarm;
    int64_t unix_ms_at_zero;
    void (*record)(void *user, Str json, TimeUs now);
    void *user;
    PromptLog *prompts;
    LlmAnswers *answers;
    void (*moves)(void *user, TimeUs now);
    void *moves_user;
    uint32_t asked_count; /* numbers of questions that were given */
    int (*check)(void *user, const LlmScene *scene, const LlmDecision *decision, Err *err);
    void *check_user;
    uint32_t round, phase_no;
    NewsLine news[NEWS_MAX];
    uint32_t news_count;
    Buf heard;          /* the demo model's memory: what it was told in this round */
    Buf said[SAID_MAX]; /* oldest first */
    uint32_t said_count;
    Question question;
    LlmFigures figures;
    Durations latencies;
    Buf served; /* the model as the server called it last */
};

/* ---- seat_news.c ---- */

/* At most so many bytes of a text, and no part of a character. */
Str llm_seat_cut(Str text, size_t bytes);
/* The lines of the request from `first` on, joined. */
void llm_seat_write_news(const LlmSeat *seat, uint32_t first, Buf *out);
/* Those of the request have been read. */
void llm_seat_forget_read(LlmSeat *seat);

/* ---- seat_request.c ---- */

/* Guide, schema and messages of the question; older talk goes when they don't fit. False when
 * there is no memory. */
bool llm_seat_write_request(LlmSeat *seat);
/* The same after a server has said that it does not fit. False when nothing can be left out. */
bool llm_seat_write_shorter(LlmSeat *seat);
/* Whether a server's count of the messages' tokens can be right. */
bool llm_seat_believes(const LlmSeat *seat, uint32_t prompt_tokens);
/* Adds to the messages what the model said and what is wrong with it. */
bool llm_seat_write_repair(LlmSeat *seat, const Err *wrong);
/* News and decision become the context's; the lines of the request are forgotten. */
int llm_seat_remember(LlmSeat *seat, const LlmDecision *decision, TimeUs now, Err *err);

/* ---- seat_figures.c ---- */

void llm_seat_count_tokens(LlmSeat *seat, const LlmAnswer *answer);
void llm_seat_count(LlmSeat *seat, const LlmDecision *decision, LlmSource source);
/* "vote", as records have it. */
const char *llm_seat_task_name(LlmTask task);
void llm_seat_record(LlmSeat *seat, const LlmDecision *decision, LlmSource source, Str trouble,
                     TimeUs now);

#endif
